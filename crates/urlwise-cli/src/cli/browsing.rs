//! The options of `open`, `register` and `unregister`.

use clap::Args;

pub(super) const OPEN_EXAMPLES: &str = "\
Examples:
  urlwise open gopher://gopher.example/
  urlwise open --no-browser 'ftp://ftp.example/pub/'

Exit status of open:
  0  the browser was started
  2  no gateway or no browser could be started
";

pub(super) const REGISTER_EXAMPLES: &str = "\
Examples:
  urlwise register
  urlwise register gopher wais --dry-run
  urlwise register --yes

Exit status of register:
  0  done, or there was nothing to do
  2  it could not run: a wrong name, a file that cannot be read or written
";

pub(super) const UNREGISTER_EXAMPLES: &str = "\
Examples:
  urlwise unregister
  urlwise unregister news --dry-run

Exit status of unregister:
  0  done, or there was nothing to do
  2  it could not run: a wrong name, a file that cannot be read or written
";

/// The arguments of `open`.
#[derive(Args, Debug)]
pub(crate) struct OpenInBrowser {
    /// URL to open
    #[arg(value_name = "URL")]
    pub(crate) url: String,

    /// Print the address, and start no browser
    #[arg(long)]
    pub(crate) no_browser: bool,
}

/// The arguments of `register`.
#[derive(Args, Debug)]
pub(crate) struct Register {
    /// Schemes to open with urlwise; each includes those over TLS that are read like it
    ///
    /// Without names, each scheme is asked about.
    #[arg(value_name = "SCHEME")]
    pub(crate) schemes: Vec<String>,

    /// Do not ask: take every scheme that no other program opens, except mailto
    #[arg(long, conflicts_with = "schemes")]
    pub(crate) yes: bool,

    /// Show what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The arguments of `unregister`.
#[derive(Args, Debug)]
pub(crate) struct Unregister {
    /// Schemes that urlwise should no longer open [default: all]
    #[arg(value_name = "SCHEME")]
    pub(crate) schemes: Vec<String>,

    /// Show what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}
