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
  1  no URL was found
  2  wrong usage, or a file could not be read; the rest was searched";

/// The arguments of `find`.
#[derive(Args, Debug)]
pub(crate) struct Find {
    /// Files and folders to search; `-` is standard input
    ///
    /// A file that is named twice, or is in a folder that is named, is searched once. Without paths, standard input is searched if it is a
    /// pipe or a file, and the current folder otherwise.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Find only URLs of these schemes, as in `ftp,gopher`
    ///
    /// URLs of schemes that `urlwise schemes` does not list are found only with a prefix, as in `<URL:irc://host.example/>`.
    #[arg(short, long = "scheme", value_name = "SCHEME", value_delimiter = ',')]
    pub(crate) schemes: Vec<String>,

    /// Print each distinct URL once, sorted
    ///
    /// Fragments are left out, and passwords are not masked. With --count, each URL is preceded by its number of occurrences.
    #[arg(short, long)]
    pub(crate) unique: bool,

    /// Print the number of URLs per file, for files that have any
    #[arg(short, long)]
    pub(crate) count: bool,

    /// End each path with NUL instead of a colon; with --unique, each URL
    #[arg(short = '0', long, hide_short_help = true)]
    pub(crate) null: bool,

    /// Print nothing and stop at the first URL; use the exit status
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Leave out URLs in the code of Markdown and HTML, and in doctests of reStructuredText
    #[arg(long, hide_short_help = true, help_heading = "Files")]
    pub(crate) no_code: bool,

    #[command(flatten)]
    pub(crate) walking: Walking,
}
