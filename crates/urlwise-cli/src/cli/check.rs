//! The options of `check`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::walking::{Threshold, Walking};

pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  urlwise check 'http://host.example:8080/a b'
  urlwise check docs README.md
  urlwise check --format sarif . >urls.sarif
  cut -f 3 access.log | urlwise check --select all --ignore enc-needless
  urlwise check --explain E-10

";

pub(super) const CHECK_STATUS: &str = "\
Exit status of check:
  0  nothing at the level of --fail-on or above
  1  some problem or finding is
  2  something could not be read, or a wrong option; what could be read was checked";

/// What `check` was asked for.
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// URLs, files and folders; `-` is standard input
    ///
    /// What begins with a scheme (two characters or more) and a colon is a URL, everything else a path: `./mailto:x` is a file.
    /// Files are text to find URLs in. Standard input holds one URL a line; with --text it is text too. Without any target it is
    /// standard input if that is a pipe or a file, else the current folder.
    #[arg(value_name = "URL|PATH")]
    pub(crate) targets: Vec<OsString>,

    /// Check this URL, whatever it looks like
    #[arg(long = "url", value_name = "URL")]
    pub(crate) urls: Vec<OsString>,

    /// Check this file or folder, whatever it looks like
    #[arg(long = "path", value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Check a list of URLs, one a line; `-` is standard input
    #[arg(short, long = "file", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// URLs of lists and of standard input end in NUL, not in a line end
    #[arg(short = '0', long)]
    pub(crate) null: bool,

    /// Standard input is text to find URLs in, not one URL a line
    #[arg(long, conflicts_with = "null")]
    pub(crate) text: bool,

    /// How to report
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,

    /// Report these alone, whatever their level: codes, rules, numbers like E-03, or `all`
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(crate) select: Vec<String>,

    /// Do not report these
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(crate) ignore: Vec<String>,

    /// Report notes too
    #[arg(long)]
    pub(crate) notes: bool,

    /// The lowest level that makes the exit status 1; `warning` by default
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub(crate) fail_on: Option<Threshold>,

    /// Print nothing, and end with the first that counts: the exit status tells
    #[arg(short, long, conflicts_with = "format")]
    pub(crate) quiet: bool,

    /// Print the page of a rule or code, and check nothing
    #[arg(long, value_name = "RULE")]
    pub(crate) explain: Option<String>,

    #[command(flatten)]
    pub(crate) walking: Walking,
}

/// The formats of reports, with the help of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people: the URL, what is wrong with it, the way out
    Human,
    /// One object a line; --json is the same
    Json,
    /// SARIF 2.1.0, for tools that gather reports
    Sarif,
    /// Commands of GitHub's workflows, which make annotations
    Github,
}
