//! The options of `get`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::gopher::Gopher;
use super::{Inputs, Mail, Opening, Telnet};

pub(super) const GET_EXAMPLES: &str = "\
Examples:
  urlwise get 'http://host.example/a~b?c'
  urlwise get --output motd 'file:///etc/motd'
  urlwise get -O --continue --retry 5 'http://host.example/large.iso'
  urlwise get -O --output-dir mirror --parallel 4 -i urls.txt
  urlwise get --view text/html 'gopher://host.example/1/docs'
  urlwise get --answer 'Your name=Jim' 'gopher://host.example/0/survey%09%09?'
  urlwise get 'mailto:joe@host.example?subject=Hello'
  urlwise get 'nntp://news.example/comp.lang.c/12'
  urlwise get 'telnet://guest@library.example/'
  urlwise get --dry-run 'gopher://host.example/7/find%09old%20maps'

";

/// The heading of options about files.
const SAVING: &str = "Saving";

/// What `get` was asked for.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("saving").args(["output", "remote_name"]))]
pub(crate) struct Get {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// Write the document to FILE, which must not exist yet; `-` is standard output
    ///
    /// The file appears when it is whole, and not before: until then its octets are in FILE.part. A device or pipe is written
    /// to as it is. An article of news is written as it was posted; on standard output its headers and text are decoded,
    /// unless there is --raw.
    #[arg(help_heading = SAVING, short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Write each document to a file named by the last segment of its URL
    ///
    /// The segment is decoded; what no file name should hold stays encoded: separators and controls, a dot or dash at the
    /// beginning, a dot or blank at the end, names of devices. Where there is none, the name is `index`. Neither redirects nor
    /// servers choose the name. A name that is taken is an error.
    #[arg(help_heading = SAVING, short = 'O', long)]
    pub(crate) remote_name: bool,

    /// Write files to FOLDER, which is made if it is not there
    #[arg(help_heading = SAVING, long, value_name = "FOLDER", requires = "saving")]
    pub(crate) output_dir: Option<PathBuf>,

    /// Overwrite files, and begin partial files anew
    #[arg(help_heading = SAVING, long, requires = "saving")]
    pub(crate) force: bool,

    /// Go on from partial files
    ///
    /// A transfer that ends early leaves NAME.part, and NAME.part.json with what is known of the document. Only the same
    /// document is gone on from; if it has changed, it is got from its beginning. A file that is whole already is left as it
    /// is.
    #[arg(help_heading = SAVING, short = 'c', long = "continue", requires = "saving", conflicts_with = "force")]
    pub(crate) go_on: bool,

    /// Try again so many times if a failure may pass
    ///
    /// After 1 second, then 2, 4 and so on, up to a minute. What has arrived is not asked for again. Failures that may pass are
    /// those of the exit codes 7, 11, 13 and 15, unless the server's answer says that they stay.
    #[arg(long, value_name = "COUNT", default_value_t = 0, hide_default_value = true)]
    pub(crate) retry: u32,

    /// Get so many URLs at the same time, with --remote-name; 1 by default
    #[arg(long, value_name = "COUNT", default_value_t = 1, hide_default_value = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) parallel: u16,

    /// Begin nothing more once a URL has failed
    #[arg(long)]
    pub(crate) fail_fast: bool,

    /// Tell failures only: no progress, no notes
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Print the dialogue that would be held; open nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) gopher: Gopher,

    #[command(flatten)]
    pub(crate) mail: Mail,

    #[command(flatten)]
    pub(crate) opening: Opening,

    #[command(flatten)]
    pub(crate) telnet: Telnet,
}

impl Get {
    /// Whether documents go to files, and not to standard output.
    pub(crate) fn saves(&self) -> bool {
        self.remote_name || self.output.as_ref().is_some_and(|output| output.as_os_str() != "-")
    }
}
