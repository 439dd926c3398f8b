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
  1  the parts do not form a valid URL, or a URL to change is invalid or lacks the part
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
  1  the part cannot hold some of them, or there were none
  2  the command could not run: a wrong option, no such part, an unreadable file";

/// The arguments of `build`.
#[derive(Args, Debug)]
pub(crate) struct Build {
    /// Scheme and parts, each PART=VALUE; with --set or --remove, URLs to change
    #[arg(value_name = "ITEM")]
    pub(crate) items: Vec<OsString>,

    /// Replace this part; repeat it to build a list
    #[arg(long, value_name = "PART=VALUE")]
    pub(crate) set: Vec<OsString>,

    /// Remove this part, before anything is set
    #[arg(long, value_name = "PART")]
    pub(crate) remove: Vec<String>,

    /// Build the file URL of an absolute path
    #[arg(long, value_name = "PATH", conflicts_with_all = ["set", "remove", "files", "null"])]
    pub(crate) path: Option<PathBuf>,

    /// Read the value of this part as hex digits; may be repeated
    #[arg(long, value_name = "PART")]
    pub(crate) hex: Vec<String>,

    /// Change the URLs in FILE, one per line; `-` is standard input
    #[arg(short, long = "file", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Input records end in NUL instead of a line end
    #[arg(short = '0', long)]
    pub(crate) null: bool,
}

/// The arguments of `encode` and `decode`.
#[derive(Args, Debug)]
pub(crate) struct Coding {
    /// Part of a URL, as in `ftp.name`
    #[arg(short, long, value_name = "SCHEME.PART", required_unless_present = "list")]
    pub(crate) part: Option<String>,

    /// List the parts of every scheme
    #[arg(long, conflicts_with_all = ["part", "values", "files"])]
    pub(crate) list: bool,

    /// Use hex digits for the octets to encode and for decoded octets
    #[arg(long)]
    pub(crate) hex: bool,

    /// Values; `-` reads them from standard input
    ///
    /// Without values and --file, they are read from standard input unless it is a terminal.
    #[arg(value_name = "VALUE")]
    pub(crate) values: Vec<OsString>,

    /// Read values from FILE, one per line; `-` is standard input
    #[arg(short, long = "file", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Input and output records end in NUL instead of a line end
    #[arg(short = '0', long)]
    pub(crate) null: bool,

    /// Read each file, or standard input, as one value; write no line ends
    #[arg(long, conflicts_with = "null")]
    pub(crate) whole: bool,
}
