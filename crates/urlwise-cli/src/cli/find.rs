//! The options of `find`.

use std::path::PathBuf;

use clap::Args;

use super::walking::Walking;

pub(super) const FIND_EXAMPLES: &str = "\
Examples:
  urlwise find docs README.md
  urlwise find --unique --scheme ftp,gopher . | urlwise check
  urlwise find --json . | jq -r 'select(.valid | not) | .url'
  man curl | urlwise find -

";

pub(super) const FIND_STATUS: &str = "\
Exit status of find:
  0  a URL was found
  1  none was
  2  some file could not be read, or a wrong option; what could be read was searched";

/// What `find` was asked for.
#[derive(Args, Debug)]
pub(crate) struct Find {
    /// Files and folders to search; `-` is standard input
    ///
    /// Without any, standard input if it is a pipe or a file, else the current folder.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Only URLs of these schemes, for example `ftp,gopher`
    #[arg(short, long = "scheme", value_name = "SCHEME", value_delimiter = ',')]
    pub(crate) schemes: Vec<String>,

    /// Print each different URL once, sorted, and nothing else; passwords too
    ///
    /// The fragment is no part of the URL. With --count, how often each was found stands before it.
    #[arg(short, long)]
    pub(crate) unique: bool,

    /// Print how many URLs each file has; files without any are left out
    #[arg(short, long)]
    pub(crate) count: bool,

    /// End each path with NUL, not with a colon; with --unique, each URL
    #[arg(short = '0', long)]
    pub(crate) null: bool,

    /// Print nothing, and end with the first URL: the exit status tells
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) walking: Walking,
}
