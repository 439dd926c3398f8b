//! The options of `check`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use urlwise_readings::Reader;
use urlwise_settings::Threshold;

use super::open::Links;
use super::walking::Walking;

pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  urlwise check 'http://host.example:8080/a b'
  urlwise check docs README.md
  urlwise check --format sarif . >urls.sarif
  cut -f 3 access.log | urlwise check --select all --ignore enc-needless
  urlwise check --diff docs
  urlwise check --fix docs
  urlwise check --open docs README.md
  urlwise check --open --offline docs
  urlwise check --explain E-10

";

pub(super) const CHECK_STATUS: &str = "\
Exit status of check:
  0  no problem or finding at the level of --fail-on or above
  1  at least one such problem or finding; with --diff, at least one URL that --fix would rewrite;
     with --open, at least one dead link
  2  wrong usage, or something could not be read or rewritten; the rest was checked
  130  with --open: interrupted by the user
With --fix, the status is about what is left.";

/// The arguments of `check`.
#[derive(Args, Debug)]
pub(crate) struct Check {
    /// URLs, files and folders; `-` is standard input
    ///
    /// An argument that begins with a scheme (two characters or more) and a colon is a URL, anything else a path: `./mailto:x` is a
    /// file. Files are searched for URLs, once each, also those that are named twice or are in a folder that is named. Standard input holds
    /// one URL per line; with --text it is searched too. Without arguments, standard input is checked if it is a pipe or a file, and the
    /// current folder otherwise.
    #[arg(value_name = "URL|PATH")]
    pub(crate) targets: Vec<OsString>,

    /// Check URL, even if it looks like a path
    #[arg(long = "url", value_name = "URL")]
    pub(crate) urls: Vec<OsString>,

    /// Check PATH, even if it looks like a URL
    #[arg(long = "path", value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Check the URLs in FILE, one per line; `-` is standard input
    #[arg(short, long = "file", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// URLs in lists and standard input end in NUL instead of a line end
    #[arg(short = '0', long, hide_short_help = true)]
    pub(crate) null: bool,

    /// Search standard input for URLs instead of reading one per line
    #[arg(long, conflicts_with = "null")]
    pub(crate) text: bool,

    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,

    /// Compare these readers instead of the three standards (E-32)
    ///
    /// rfc1738, rfc3986, whatwg, urlsplit, urllib3 (also named requests), curl, go: the programs that your URLs pass through.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = super::compare::reader, hide_short_help = true,
        default_value = "rfc1738,rfc3986,whatwg", hide_default_value = true)]
    pub(crate) readers: Vec<Reader>,

    /// Rewrite broken URLs that have one reading, in place, and report what is left
    ///
    /// A URL is replaced by what `urlwise repair` prints for it if one of its errors is reported. Everything else in the file stays as it
    /// is: line ends, fragments, URLs that would change in more than one way. A file is replaced atomically and keeps its mode. Not
    /// rewritten are binary files, files that are compressed or in UTF-16, files above 64 MiB, symbolic links, and files outside the
    /// current folder that one leads to.
    ///
    /// With --json, first prints one object per rewritten URL: path, line, column, was, now, written.
    #[arg(long)]
    pub(crate) fix: bool,

    /// Print what --fix would change as a unified diff, and change nothing
    ///
    /// It is for `git apply` and `patch -p1` in the current folder. A file outside of it has its whole path, without links: such a diff
    /// is applied with `patch -p1 -d /`. Passwords are masked; --show-secrets prints a diff that can be applied to lines with passwords.
    #[arg(long)]
    pub(crate) diff: bool,

    /// Report only these codes or rules, at any level; `all` selects everything
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(crate) select: Vec<String>,

    /// Do not report these codes or rules
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(crate) ignore: Vec<String>,

    /// Also report notes, as --fail-on note does
    #[arg(long)]
    pub(crate) notes: bool,

    /// Lowest level that makes the exit status 1 [default: warning; with --open: dead]
    ///
    /// `error`, `warning` or `note`. With --open, dead links always do: `dead` stands for them alone, `unknown` also for links of which
    /// it is not known whether they work, the other levels also for problems and findings. `note` implies
    /// --notes.
    #[arg(long, value_enum, value_name = "LEVEL", hide_possible_values = true)]
    pub(crate) fail_on: Option<Threshold>,

    /// Print no reports and no counts, and stop at the first report; use the exit status
    #[arg(short, long, conflicts_with = "format")]
    pub(crate) quiet: bool,

    /// Describe a rule or code; `all` lists them
    #[arg(long, value_name = "RULE")]
    pub(crate) explain: Option<String>,

    /// Also check URLs in the code of Markdown and HTML, and in doctests of reStructuredText
    ///
    /// Without it they are left out, and --fix does not rewrite them: most are examples that are meant to be wrong.
    #[arg(long, hide_short_help = true, help_heading = "Files")]
    pub(crate) code: bool,

    #[command(flatten)]
    pub(crate) walking: Walking,

    #[command(flatten)]
    pub(crate) links: Links,
}

impl Check {
    /// Whether nothing was named to check.
    pub(crate) fn has_no_targets(&self) -> bool {
        self.targets.is_empty() && self.urls.is_empty() && self.paths.is_empty() && self.files.is_empty()
    }
}

/// The formats of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people: the URL with its problems and how to fix them
    Human,
    /// One JSON object per line, as with --json
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// GitHub workflow commands, which become annotations
    Github,
    /// A table in Markdown, for summaries
    Markdown,
    /// JUnit XML, one test case for each report
    Junit,
}
