//! The options of `build`, `encode` and `decode`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

pub(super) const BUILD_EXAMPLES: &str = "\
Examples:
  urlwise build ftp user=myname host=host.example cwd=/etc name=motd typecode=a
  urlwise build gopher host=host.example gtype=7 selector=find 'search=old maps'
  urlwise build wais host=h.example database=db --hex search search=ff
  urlwise build file --path '/pub/jim/a;b.txt'
  urlwise build --set host=mirror.example --remove user --file urls.txt

";

pub(super) const BUILD_STATUS: &str = "\
Exit status of build:
  0  every URL was built
  1  some parts make no URL, or a URL to change is not valid or lacks the part
  2  the command could not run: a wrong option, no such part, an unreadable file";

pub(super) const ENCODE_EXAMPLES: &str = "\
Examples:
  urlwise encode --part ftp.name 'a;b'
  urlwise encode --part wais.wpath --whole <document-id
  urlwise encode --list

";

pub(super) const DECODE_EXAMPLES: &str = "\
Examples:
  urlwise decode --part ftp.name a%3Bb
  urlwise decode --part gopher.selector --hex caf%E9

";

pub(super) const CODING_STATUS: &str = "\
Exit status of encode and decode:
  0  every value was written
  1  some cannot stand in the part, or there was none
  2  the command could not run: a wrong option, no such part, an unreadable file";

/// What `build` was asked for.
#[derive(Args, Debug)]
pub(crate) struct Build {
    /// A scheme and its parts, each PART=VALUE; or, with --set or --remove, URLs
    #[arg(value_name = "ITEM")]
    pub(crate) items: Vec<OsString>,

    /// Put VALUE in the place of this part; given again for the same part, add to the list
    #[arg(long, value_name = "PART=VALUE")]
    pub(crate) set: Vec<OsString>,

    /// Take this part away, before anything is set
    #[arg(long, value_name = "PART")]
    pub(crate) remove: Vec<String>,

    /// Build the file URL of an absolute path of this system
    #[arg(long, value_name = "PATH", conflicts_with_all = ["set", "remove", "files", "null"])]
    pub(crate) path: Option<PathBuf>,

    /// The value of this part is given in hex, two digits an octet; may be given several times
    #[arg(long, value_name = "PART")]
    pub(crate) hex: Vec<String>,

    /// Change the URLs of FILE too, one a line; `-` is standard input
    #[arg(short, long = "file", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Records of files and standard input end in NUL, not in a line end
    #[arg(short = '0', long)]
    pub(crate) null: bool,
}

/// What `encode` and `decode` were asked for.
#[derive(Args, Debug)]
pub(crate) struct Coding {
    /// The part, as in `ftp.name`
    #[arg(short, long, value_name = "SCHEME.PART", required_unless_present = "list")]
    pub(crate) part: Option<String>,

    /// Print the parts of every scheme
    #[arg(long, conflicts_with_all = ["part", "values", "files"])]
    pub(crate) list: bool,

    /// Write octets in hex, two digits each: those to encode, those that were decoded
    #[arg(long)]
    pub(crate) hex: bool,

    /// The values; `-` reads them from standard input
    ///
    /// Without any, and without --file, they come from standard input if it is no terminal.
    #[arg(value_name = "VALUE")]
    pub(crate) values: Vec<OsString>,

    /// Read values from FILE too, one a line; `-` is standard input
    #[arg(short, long = "file", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Records of files, of standard input and of the output end in NUL, not in a line end
    #[arg(short = '0', long)]
    pub(crate) null: bool,

    /// Each file is one value, octet for octet, and so is standard input; the output has no line ends
    #[arg(long, conflicts_with = "null")]
    pub(crate) whole: bool,
}
