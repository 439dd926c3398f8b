//! The options of `check --open`.

use std::time::Duration;

use clap::{Arg, Args};

use super::opening::Opening;

/// The heading of the options in the help.
const LINKS: &str = "Links";

/// Options for opening the links that are checked.
#[derive(Args, Debug)]
#[command(next_help_heading = LINKS)]
pub(crate) struct Links {
    /// Open the links, and report dead and moved ones
    ///
    /// Links of documents are opened as those of the web are by `get`, through the same policy, with the cheapest request that proves
    /// them: HEAD for http, no data connection for ftp. Relative links are looked up as files, with their fragments. An argument that
    /// is a URL is a page whose links are checked.
    ///
    /// A link is alive, moved (for good, to another URL), dead, unknown (with the cause: a limit, a timeout, TLS, a login, an error of
    /// the server), refused by the policy, or skipped. Only dead links make the exit status 1; see --fail-on. Links to this machine and
    /// private networks are refused without `--allow local-from-public`.
    ///
    /// With --json, prints one object for each place of a link: `url`, `target` (as written), `verdict`, `cause`, `final_url`, `status`,
    /// `seconds`, `path`, `line`, `column`, `page`, `message`, `findings`.
    #[arg(long, help_heading = None::<&str>, conflicts_with_all = ["text", "fix", "diff", "quiet"])]
    pub(crate) open: bool,

    /// With --open, ask no server: check relative links and fragments alone
    #[arg(long, hide_short_help = true, requires = "open")]
    pub(crate) offline: bool,

    /// How many links to open at a time
    #[arg(long, hide_short_help = true, value_name = "N", requires = "open", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) parallel: u16,

    /// How many links of one server to open at a time, at most
    ///
    /// It starts with two, gets more as long as answers stay quick, and fewer if the server gets slow, fails, or asks for it.
    #[arg(long, hide_short_help = true, value_name = "N", requires = "open", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) per_host: u16,

    /// How many links of one server to open in a second, at most
    #[arg(long, hide_short_help = true, value_name = "N", requires = "open", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) rate: Option<u32>,

    /// How often to ask again, at the end, what failed and may work later
    #[arg(long, hide_short_help = true, value_name = "COUNT", requires = "open", default_value_t = 1, value_parser = clap::value_parser!(u32).range(..=10))]
    pub(crate) retry: u32,

    /// The options for access, which are those of `get`
    #[command(flatten)]
    pub(crate) opening: Opening,
}

impl Links {
    /// The least time between two requests to one server.
    pub(crate) fn pause(&self) -> Option<Duration> {
        self.rate.map(|rate| Duration::from_secs(1) / rate)
    }
}

/// The options of `get` among those of `check`: they are for --open alone, and only in the long help.
pub(super) fn with_open(arg: Arg) -> Arg {
    match arg.get_help_heading() {
        Some("Access" | "Output" | "Transfer" | "Settings and gateways" | "HTTP" | "FTP" | "News") => {
            arg.requires("open").hide_short_help(true)
        }
        _ => arg,
    }
}
