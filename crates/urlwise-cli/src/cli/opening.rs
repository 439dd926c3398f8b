//! The options of `get` and `ls`.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use clap::{Args, ValueEnum};
use urlwise_open::protocol::ftp::FileMethod;

use super::duration::duration;
use super::http::Http;
use super::news::News;
use super::{Inputs, Own};
use crate::exit;

pub(super) const LS_EXAMPLES: &str = "\
Examples:
  urlwise ls 'gopher://host.example/'
  urlwise ls --json 'file:///etc/' | jq -r .url
  urlwise ls --long 'gopher://host.example/1/docs'
  urlwise ls --news-server news.example --last 20 'news:comp.lang.c'

";

/// Headings of the help, shared with `get`.
pub(super) const OUTPUT: &str = "Output";
pub(super) const TRANSFER: &str = "Transfer";
const SETTINGS: &str = "Settings and gateways";

/// The arguments of `ls`.
#[derive(Args, Debug)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// Show descriptions and further URLs of entries
    ///
    /// Asks Gopher+ servers for the size, date and abstract of each item. Descriptions and further URLs are printed below the
    /// entry: a news article, for example, has a URL with its Message-ID besides the one with its number.
    #[arg(short, long)]
    pub(crate) long: bool,

    /// Print URLs of WAIS documents in the form that Lynx reads
    ///
    /// Used where the length of the document is known, and it has a single type. Such URLs are valid under the profile `current` only.
    #[arg(long, hide_short_help = true)]
    pub(crate) lynx_urls: bool,

    /// List COUNT URLs at a time [default: 1]
    ///
    /// What is printed is the same, in the order of the URLs.
    #[arg(help_heading = TRANSFER, hide_short_help = true, long, value_name = "COUNT", default_value_t = 1, hide_default_value = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) parallel: u16,

    #[command(flatten)]
    pub(crate) opening: Opening,
}

/// The options of `get` and `ls`.
#[derive(Args, Debug)]
#[command(next_help_heading = "Access")]
pub(crate) struct Opening {
    /// List at most COUNT documents of a WAIS search [default: 200]
    ///
    /// Reports how many more match, if the server says so.
    #[arg(help_heading = TRANSFER, hide_short_help = true, long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) max_hits: Option<u32>,

    /// Lift a rule of the policy; may be repeated
    ///
    /// A refusal names its rule, and `urlwise explain RULE` says what it refuses. An unknown name is answered with all that can be
    /// lifted.
    #[arg(long, value_name = "RULE")]
    pub(crate) allow: Vec<String>,

    /// Connect to public addresses only
    ///
    /// For URLs from others: never connects to this machine or to a private network, under any name. Cannot be used
    /// with a proxy. Without this option, redirects and links from a public server to a local one are refused.
    #[arg(hide_short_help = true, long)]
    pub(crate) public_only: bool,

    /// Open URLs of SCHEME through a gateway
    ///
    /// TEMPLATE is a URL, as in `wais=http://gateway.example/wais?{url}`. Names in braces are replaced by parts of the URL to
    /// open: `{url}` is all of it without user and password, `{path}` what follows the host, and the others are listed by
    /// `urlwise encode --list`. Values are encoded, so that they stay within their part of the template; `{+path}` keeps slashes.
    /// May be repeated, and overrides your settings. The gateway's URL must pass the policy too.
    #[arg(help_heading = SETTINGS, hide_short_help = true, long, value_name = "SCHEME=TEMPLATE")]
    pub(crate) gateway: Vec<String>,

    /// Log in as NAME; the password is asked for
    ///
    /// For URLs without a user name. It is used for the hosts of the URLs you give and never follows redirects elsewhere. A
    /// password cannot be given here, because every user of the machine could read it; without a terminal use --netrc.
    #[arg(short, long, value_name = "NAME")]
    pub(crate) user: Option<OsString>,

    /// Read user names and passwords from .netrc
    ///
    /// The file is `$NETRC`, or `.netrc` in your home folder.
    #[arg(hide_short_help = true, long)]
    pub(crate) netrc: bool,

    /// Read user names and passwords from FILE, which must be private
    #[arg(hide_short_help = true, long, value_name = "FILE", conflicts_with = "netrc")]
    pub(crate) netrc_file: Option<PathBuf>,

    /// Send the user and password of http URLs, which RFC 1738 does not allow
    #[arg(hide_short_help = true, long)]
    pub(crate) http_userinfo: bool,

    /// Never send a password without TLS
    #[arg(hide_short_help = true, long)]
    pub(crate) require_tls: bool,

    /// Trust only the certificates in this PEM file
    #[arg(hide_short_help = true, long, value_name = "FILE")]
    pub(crate) cacert: Option<PathBuf>,

    /// Do not verify TLS certificates
    #[arg(hide_short_help = true, long, conflicts_with = "cacert")]
    pub(crate) insecure: bool,

    /// Proxy for http and https, `HOST:PORT` or a URL
    ///
    /// Only http proxies are supported. The default is the variables `http_proxy`, `https_proxy`, `HTTPS_PROXY`, `all_proxy` and
    /// `ALL_PROXY`, except for hosts in `no_proxy` or `NO_PROXY`.
    #[arg(help_heading = TRANSFER, hide_short_help = true, long, value_name = "PROXY")]
    pub(crate) proxy: Option<String>,

    /// Ignore proxies of the environment
    #[arg(help_heading = TRANSFER, hide_short_help = true, long, conflicts_with = "proxy")]
    pub(crate) no_proxy: bool,

    /// Request compressed documents from http servers; they cannot be resumed
    #[arg(help_heading = TRANSFER, hide_short_help = true, long)]
    pub(crate) compressed: bool,

    /// Allow file URLs of devices, pipes and sockets
    #[arg(hide_short_help = true, long)]
    pub(crate) special_files: bool,

    /// Show the dialogue, with passwords masked
    #[arg(help_heading = OUTPUT, short, long)]
    pub(crate) verbose: bool,

    /// Maximum size of a document, as in `10M`
    ///
    /// In octets, or with a unit: K, M, G, T for powers of 1024.
    #[arg(help_heading = TRANSFER, hide_short_help = true, long, value_name = "SIZE", value_parser = size)]
    pub(crate) max_size: Option<u64>,

    /// Maximum number of redirects [default: 20]
    ///
    /// Forwarding by Prospero servers counts too.
    #[arg(help_heading = TRANSFER, hide_short_help = true, long, value_name = "COUNT")]
    pub(crate) max_redirs: Option<u32>,

    /// Maximum time to connect, as in `10s` or `500ms` [default: 30s]
    #[arg(help_heading = TRANSFER, hide_short_help = true, long, value_name = "TIME", value_parser = duration)]
    pub(crate) connect_timeout: Option<Duration>,

    /// Maximum time to wait for the first octet of an answer [default: 60s]
    #[arg(help_heading = TRANSFER, hide_short_help = true, long, value_name = "TIME", value_parser = duration)]
    pub(crate) first_byte_timeout: Option<Duration>,

    /// Maximum time without data during a transfer [default: 60s]
    #[arg(help_heading = TRANSFER, hide_short_help = true, long, value_name = "TIME", value_parser = duration)]
    pub(crate) idle_timeout: Option<Duration>,

    /// Maximum time for one URL, as in `2m`
    ///
    /// Each retry starts again. There is no limit by default.
    #[arg(help_heading = TRANSFER, hide_short_help = true, long, value_name = "TIME", value_parser = duration)]
    pub(crate) max_time: Option<Duration>,

    /// Minimum rate in octets per second, over 10 seconds; units as in --max-size
    #[arg(help_heading = TRANSFER, hide_short_help = true, long, value_name = "SIZE", value_parser = size)]
    pub(crate) min_rate: Option<u64>,

    #[command(flatten, next_help_heading = SETTINGS)]
    pub(crate) own: Own,

    #[command(flatten)]
    pub(crate) http: Http,

    #[command(flatten)]
    pub(crate) ftp: Ftp,

    #[command(flatten)]
    pub(crate) news: News,
}

/// Options for ftp.
#[derive(Args, Debug)]
#[command(next_help_heading = "FTP")]
pub(crate) struct Ftp {
    /// Password for anonymous logins, an address (default: `urlwise@example.com`)
    #[arg(long, hide_short_help = true, value_name = "ADDRESS")]
    pub(crate) anonymous: Option<String>,

    /// How to change directories
    #[arg(long, hide_short_help = true, value_enum, value_name = "METHOD")]
    pub(crate) ftp_method: Option<FtpMethod>,

    /// Transfer files as they are, unless the URL says `;type=a`
    ///
    /// Without it, files whose names end in .txt, .html and the like are transferred as text, with a note (D-34).
    #[arg(long, hide_short_help = true)]
    pub(crate) binary: bool,

    /// Skip empty path segments
    ///
    /// RFC 1738 sends `CWD` with a null argument for them, which many servers refuse (D-31).
    #[arg(long, hide_short_help = true)]
    pub(crate) skip_empty_cwd: bool,

    /// Do not convert line ends of texts or decode news articles
    ///
    /// Without it, texts of ftp, gopher, finger and news get the line ends of this system (D-74).
    #[arg(help_heading = OUTPUT, hide_short_help = true, long)]
    pub(crate) raw: bool,

    /// Double the octet 0xFF in commands, as Telnet does
    #[arg(long, hide_short_help = true)]
    pub(crate) iac_doubling: bool,
}

/// How to change directories.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FtpMethod {
    /// One CWD per path segment, as in RFC 1738; the default
    Multi,
    /// One CWD with the whole path
    Single,
    /// No CWD: use the whole path as the file name
    None,
}

impl From<FtpMethod> for FileMethod {
    fn from(method: FtpMethod) -> FileMethod {
        match method {
            FtpMethod::Multi => FileMethod::Multi,
            FtpMethod::Single => FileMethod::Single,
            FtpMethod::None => FileMethod::None,
        }
    }
}

/// Parses a number of octets, optionally with a unit of curl, wget and dd.
pub(super) fn size(text: &str) -> Result<u64, String> {
    const UNITS: [(char, u32); 4] = [('k', 10), ('m', 20), ('g', 30), ('t', 40)];
    let unit = UNITS.iter().find_map(|(unit, bits)| {
        let number = text.strip_suffix([*unit, unit.to_ascii_uppercase()])?;
        Some((number, *bits))
    });
    let (digits, bits) = unit.unwrap_or((text, 0));
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let number: Option<u64> = digits.parse().ok().filter(|_| is_number);
    let size = number.and_then(|number| number.checked_mul(1 << bits));
    size.ok_or_else(|| "expected a number of octets, as in `5000`, or one with a unit, as in `10M`".into())
}

/// The exit codes of `get` and `ls`.
pub(super) static OPEN_STATUS: LazyLock<String> = LazyLock::new(|| {
    let mut text = String::from("Exit status of get and ls, that of the first failure:\n");
    for (code, status) in exit::CODES {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {code:>3}  {}", status.meaning());
    }
    text
});

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_units_of_1024() {
        for (text, expected) in
            [("0", 0), ("5000", 5000), ("1k", 1024), ("10M", 10 << 20), ("2G", 2 << 30), ("1T", 1 << 40)]
        {
            assert_eq!(size(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", "M", "-1", "+1", "1.5M", "10MB", "1 M", "99999999999999999999", "99999999T"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
