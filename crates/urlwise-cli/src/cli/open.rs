//! The options of `check --open`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, Args};

use super::duration::duration;
use super::opening::Opening;

/// The time for one link, and to connect, unless the options say otherwise.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

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
    /// A link is alive, moved (permanently, to another URL), dead, unknown (with the cause: a limit, a timeout, TLS, a login, an error of
    /// the server), refused by the policy, or skipped. Only dead links make the exit status 1; see --fail-on. Without a network the
    /// links to servers are unknown: a warning says that no server was reached. Links to this machine and private networks are refused
    /// without `--allow local-from-public`, but not those of a page to its own server.
    ///
    /// With --json, prints one object for each place of a link: `url`, `target` (as written), `verdict`, `cause`, `final_url`,
    /// `final_fragment`, `suggestion`, `status`, `seconds`, `path`, `line`, `column`, `page`, `message`, `findings`.
    #[arg(long, help_heading = None::<&str>, conflicts_with = "text")]
    pub(crate) open: bool,

    /// With --fix, also rewrite links that moved to another host
    ///
    /// With --open, --fix replaces a link by its new URL if every redirect on the way is permanent (301 or 308) and the host stays the
    /// same. The fragment stays unless a redirect names another one, and a relative link stays relative. Left as they are, with a
    /// message: links to another host without this option, URLs with a login, and links that would not be read as the new URL.
    #[arg(long, hide_short_help = true, requires = "open")]
    pub(crate) fix_moved: bool,

    /// With --open, ask no server: check relative links and fragments alone
    #[arg(long, hide_short_help = true, requires = "open")]
    pub(crate) offline: bool,

    /// Ask an archive for copies of dead links
    ///
    /// The URL of a copy is shown with the link, and is `suggestion` of --json. Links with a login are not asked for.
    #[arg(long, hide_short_help = true, requires = "open", conflicts_with = "offline")]
    pub(crate) suggest: bool,

    /// The archive to ask [default: the one at web.archive.org]
    ///
    /// TEMPLATE is a URL with `{url}` where the link goes, as it is: `https://web.archive.org/web/{url}`. The server answers with the
    /// copy, or redirects to it. The key `url` in the table `archive` of your settings has the same.
    #[arg(long, hide_short_help = true, value_name = "TEMPLATE", requires = "suggest")]
    pub(crate) archive: Option<String>,

    /// Ask DNS whether the domains of mail addresses take mail
    ///
    /// A mailto link is dead if its domain does not exist, has a null MX (RFC 7505), or has neither an MX record nor an address.
    #[arg(long, hide_short_help = true, requires = "open", conflicts_with = "offline")]
    pub(crate) dns: bool,

    /// The name server to ask [default: those of /etc/resolv.conf]
    #[arg(long, hide_short_help = true, value_name = "ADDRESS[:PORT]", requires = "dns")]
    pub(crate) dns_server: Option<String>,

    /// How many links to open at a time
    #[arg(long, hide_short_help = true, value_name = "N", requires = "open", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) parallel: u16,

    /// How many links of one server to open at a time, at most
    ///
    /// It starts with two, gets more as long as answers stay quick, and fewer if the server gets slow, fails, or asks for it.
    /// Beyond eight it gets no more than make 2000 requests in a second.
    #[arg(long, hide_short_help = true, value_name = "N", requires = "open", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) per_host: u16,

    /// How many links of one server to open in a second, at most
    #[arg(long, hide_short_help = true, value_name = "N", requires = "open", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) rate: Option<u32>,

    /// How often to ask again, at the end, what failed and may work later
    #[arg(long, hide_short_help = true, value_name = "COUNT", requires = "open", default_value_t = 1, value_parser = clap::value_parser!(u32).range(..=10))]
    pub(crate) retry: u32,

    /// Do not open links that match PATTERN; may be repeated
    ///
    /// The pattern is for the whole URL without its fragment, or for the link as it is written. `*` stands for any characters, `?` for
    /// one, `[ab]` for one of them, `{a,b}` for one of several texts: `https://*.example/old/*`. The table `exclude` of urlwise.toml has
    /// more, as in `urls = ["http://localhost*"]` and `hosts = ["*.internal"]`.
    #[arg(long, hide_short_help = true, value_name = "PATTERN", requires = "open")]
    pub(crate) exclude: Vec<String>,

    /// Open only links on lines that a unified diff adds
    ///
    /// FILE is a diff as of `git diff`, made in the current folder; `-` is standard input. Without a path or URL, the files that it
    /// names are searched.
    #[arg(long, hide_short_help = true, value_name = "FILE", requires = "open")]
    pub(crate) changed: Option<PathBuf>,

    /// Do not ask again about links that worked lately [default file: .urlwise-cache]
    ///
    /// FILE has a line for each link of any run that was alive or moved. What is dead or unknown is never kept. Links with passwords,
    /// files and pages are not kept either.
    #[arg(long, hide_short_help = true, value_name = "FILE", requires = "open", num_args = 0..=1, require_equals = true, default_missing_value = ".urlwise-cache")]
    pub(crate) cache: Option<PathBuf>,

    /// How long a link in the cache is not asked about again
    #[arg(long, hide_short_help = true, value_name = "TIME", requires = "cache", default_value = "24h", value_parser = duration)]
    pub(crate) max_age: Duration,

    /// Follow the links of pages to other pages of the same site
    ///
    /// For arguments that are URLs. A link is followed if it is on the same server, and its path begins with the folder of the URL you
    /// gave: pages of HTML, menus of gopher and directories of ftp and prospero alike. Links to other places are opened and not
    /// followed.
    ///
    /// robots.txt of an http server is obeyed: links that it forbids are skipped. The sitemaps that it names are read for more pages of
    /// the site, also lists of sitemaps, and those stored with gzip.
    #[arg(short, long, hide_short_help = true, requires = "open")]
    pub(crate) recursive: bool,

    /// With --recursive, do not ask for robots.txt
    #[arg(long, hide_short_help = true, requires = "recursive")]
    pub(crate) ignore_robots: bool,

    /// How many links to follow in a row
    #[arg(long, hide_short_help = true, value_name = "COUNT", default_value_t = 5, requires = "recursive")]
    pub(crate) depth: u32,

    /// Follow no more links after COUNT pages
    #[arg(long, hide_short_help = true, value_name = "COUNT", default_value_t = 10_000, requires = "recursive")]
    pub(crate) max_pages: usize,

    /// Follow no more links after TIME
    #[arg(long, hide_short_help = true, value_name = "TIME", default_value = "1h", value_parser = duration, requires = "recursive")]
    pub(crate) max_run: Duration,

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

/// The options of `get` among those of `check`: they are for --open alone, only in the long help, and have its deadlines.
pub(super) fn with_open(arg: Arg) -> Arg {
    let arg = match arg.get_id().as_str() {
        "connect_timeout" => arg
            .help(format!("Maximum time to connect, as in `10s` or `500ms` [default: {}s]", CONNECT_TIMEOUT.as_secs())),
        "max_time" => {
            let short = "Maximum time for one URL, as in `2m`";
            let long = format!("{short} [default: {}s]\n\nEach retry starts again.", TIMEOUT.as_secs());
            arg.help(short).long_help(long)
        }
        _ => arg,
    };
    match arg.get_help_heading() {
        Some("Access" | "Output" | "Transfer" | "Settings and gateways" | "HTTP" | "FTP" | "News") => {
            arg.requires("open").hide_short_help(true)
        }
        _ => arg,
    }
}
