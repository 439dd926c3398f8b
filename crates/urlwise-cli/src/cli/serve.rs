//! The options of `serve`.

use std::time::Duration;

use clap::{Arg, Args};

use super::duration::duration;
use super::opening::Opening;

pub(super) const SERVE_EXAMPLES: &str = "\
Examples:
  urlwise serve
  urlwise serve --no-browser --port 8070
  urlwise serve --files --idle 8h
  urlwise serve --allow local-from-public --news-server localhost

Exit status of serve:
  0  it ended because nothing was asked for
  2  it could not start: a wrong option, a port that is taken
";

/// The arguments of `serve`.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// URL to show first
    #[arg(value_name = "URL")]
    pub(crate) url: Option<String>,

    /// Print the address, and start no browser
    #[arg(long)]
    pub(crate) no_browser: bool,

    /// Listen on this port of loopback [default: one that is free]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) port: Option<u16>,

    /// End when nothing was asked for that long, as in `8h`
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = duration)]
    pub(crate) idle: Duration,

    /// Open file URLs too
    ///
    /// Files and folders of this machine are then shown to whoever uses the browser. Without it no page and no menu can name one.
    #[arg(long)]
    pub(crate) files: bool,

    #[command(flatten)]
    pub(crate) opening: Opening,
}

/// The options of `get` among those of `serve`. Logins of pages come from a netrc file alone, so there is no `--user`.
pub(super) fn with_pages(arg: Arg) -> Arg {
    match arg.get_long() {
        Some("user") => arg.hide(true),
        _ => arg,
    }
}
