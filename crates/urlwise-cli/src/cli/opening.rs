//! The options of `get` and `ls`.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use clap::{Args, ValueEnum};
use urlwise_open::Class;
use urlwise_open::protocol::ftp::Method;

use super::news::News;
use super::{Inputs, Own};

pub(super) const LS_EXAMPLES: &str = "\
Examples:
  urlwise ls 'gopher://host.example/'
  urlwise ls --json 'file:///etc/' | jq -r .url
  urlwise ls --long 'gopher://host.example/1/docs'
  urlwise ls --news-server news.example --last 20 'news:comp.lang.c'

";

/// What `ls` was asked for.
#[derive(Args, Debug)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) inputs: Inputs,

    /// Ask for more about each entry, and show its abstract and its other URLs
    ///
    /// Gopher+ servers tell size, date and abstract of each item in one answer. Of others, too, descriptions stand
    /// below the entries, and further URLs: an article of news has one beside that of its number.
    #[arg(short, long)]
    pub(crate) long: bool,

    /// Write the URLs of WAIS documents as Lynx reads them, where their length is known
    ///
    /// They are URLs under the profile `current` only.
    #[arg(long)]
    pub(crate) lynx_urls: bool,

    #[command(flatten)]
    pub(crate) opening: Opening,
}

/// How URLs are opened.
#[derive(Args, Debug)]
#[command(next_help_heading = "How URLs are opened")]
pub(crate) struct Opening {
    #[command(flatten)]
    pub(crate) own: Own,

    /// Lift one rule of the policy, by the name the refusal gives; may be given several times
    #[arg(long, value_name = "RULE")]
    pub(crate) allow: Vec<String>,

    /// Open the URLs of a scheme through another URL, as in `wais=http://gateway.example/wais?{url}`
    ///
    /// In braces stand parts of the URL: `{url}` is the whole without user and password, `{path}` what follows the host; others
    /// have the names that `urlwise encode --list` prints. Values are encoded, so that none can leave its part; `{+path}` keeps
    /// slashes. May be given several times, and counts more than your settings. The gateway's URL passes the policy too.
    #[arg(long, value_name = "SCHEME=TEMPLATE")]
    pub(crate) gateway: Vec<String>,

    /// Log in as NAME where a URL names nobody; the password is asked for at the terminal
    ///
    /// It goes to each host that is given, and never to where a server leads. A password cannot be given here: every
    /// user of the machine could read it. Without a terminal there is --netrc.
    #[arg(short, long, value_name = "NAME")]
    pub(crate) user: Option<OsString>,

    /// Log in as the file `.netrc` in your folder says, or the one that the variable NETRC names
    #[arg(long)]
    pub(crate) netrc: bool,

    /// Log in as FILE says, which nobody else may read
    #[arg(long, value_name = "FILE", conflicts_with = "netrc")]
    pub(crate) netrc_file: Option<PathBuf>,

    /// Send the user and password of http URLs too, for which RFC 1738 has no place
    #[arg(long)]
    pub(crate) http_userinfo: bool,

    /// Send no password without TLS
    #[arg(long)]
    pub(crate) require_tls: bool,

    /// Believe the certificates in this PEM file, and no others
    #[arg(long, value_name = "FILE")]
    pub(crate) cacert: Option<PathBuf>,

    /// Believe every server, whatever its certificate; a warning says so each time
    #[arg(long, conflicts_with = "cacert")]
    pub(crate) insecure: bool,

    /// Ask for http and https by this proxy, a URL of http or `HOST:PORT`
    ///
    /// Without it, the variables `http_proxy`, `https_proxy`, `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY` and, for hosts to reach
    /// directly, `no_proxy` and `NO_PROXY` count.
    #[arg(long, value_name = "PROXY")]
    pub(crate) proxy: Option<String>,

    /// Use no proxy, whatever the environment says
    #[arg(long, conflicts_with = "proxy")]
    pub(crate) no_proxy: bool,

    /// Let http servers compress documents; such a one cannot be gone on from
    #[arg(long)]
    pub(crate) compressed: bool,

    /// Read devices, pipes and sockets that file URLs name
    #[arg(long)]
    pub(crate) special_files: bool,

    /// Show dialogues as they are held, without passwords
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// The longest document: octets, or with K, M, G for steps of 1024, as in `10M`
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) max_size: Option<u64>,

    /// The most redirects to follow, and servers of Prospero that one sends us on to; 20 by default
    #[arg(long, value_name = "COUNT")]
    pub(crate) max_redirs: Option<u32>,

    /// How long to wait for a connection, in seconds; 30 by default
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) connect_timeout: Option<Duration>,

    /// How long to wait for the first octet of an answer, in seconds; 60 by default
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) first_byte_timeout: Option<Duration>,

    /// How long a server may fall silent within an answer, in seconds; 60 by default
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) idle_timeout: Option<Duration>,

    /// How long one URL may take in all, in seconds, each attempt anew; no end by default
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) max_time: Option<Duration>,

    /// Give up transfers slower than so many octets a second, over 10 seconds; K, M, G as in --max-size
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) min_rate: Option<u64>,

    #[command(flatten)]
    pub(crate) ftp: Ftp,

    #[command(flatten)]
    pub(crate) news: News,
}

/// How ftp is spoken.
#[derive(Args, Debug)]
#[command(next_help_heading = "How ftp is spoken")]
pub(crate) struct Ftp {
    /// Send ADDRESS as the password of an anonymous login, instead of one that tells nothing
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) anonymous: Option<String>,

    /// How directories are entered
    #[arg(long, value_enum, value_name = "METHOD")]
    pub(crate) ftp_method: Option<FtpMethod>,

    /// Enter no directory for an empty segment
    ///
    /// RFC 1738 sends `CWD` with nothing after it, which many servers refuse.
    #[arg(long)]
    pub(crate) skip_empty_cwd: bool,

    /// Give texts as they come, each line ended by CR LF; and articles of news as they were posted, nothing decoded
    #[arg(long)]
    pub(crate) raw: bool,

    /// Send the octet 0xFF twice, as the Telnet protocol below ftp has it
    #[arg(long)]
    pub(crate) iac_doubling: bool,
}

/// How directories are entered, with the help of each.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FtpMethod {
    /// One CWD for each segment, as RFC 1738 says; the default
    Multi,
    /// One CWD with all segments, where only the last directory may be entered
    Single,
    /// No CWD: the whole path is the name
    None,
}

impl From<FtpMethod> for Method {
    fn from(method: FtpMethod) -> Method {
        match method {
            FtpMethod::Multi => Method::Multi,
            FtpMethod::Single => Method::Single,
            FtpMethod::None => Method::None,
        }
    }
}

/// Octets, with a unit if need be: those of curl, wget and dd.
fn size(text: &str) -> Result<u64, String> {
    const UNITS: [(char, u32); 4] = [('k', 10), ('m', 20), ('g', 30), ('t', 40)];
    let unit = UNITS.iter().find_map(|(unit, bits)| {
        let number = text.strip_suffix([*unit, unit.to_ascii_uppercase()])?;
        Some((number, *bits))
    });
    let (digits, bits) = unit.unwrap_or((text, 0));
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let number: Option<u64> = digits.parse().ok().filter(|_| is_number);
    let size = number.and_then(|number| number.checked_mul(1 << bits));
    size.ok_or_else(|| "give octets, as in `5000`, or with a unit, as in `10M`".into())
}

/// Seconds, with a fraction if need be.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "give seconds, as in `10` or `0.5`".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err("give seconds above 0, as in `10` or `0.5`".into()),
    }
}

/// The exit codes of `get` and `ls`, from the table of the access crate.
pub(super) static OPEN_STATUS: LazyLock<String> = LazyLock::new(|| {
    let mut text = String::from("Exit status of get and ls, that of the first failure:\n");
    for class in Class::ALL {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {:>3}  {}", class.code(), class.meaning());
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
    fn what_is_no_size_is_refused() {
        for text in ["", "M", "-1", "+1", "1.5M", "10MB", "1 M", "99999999999999999999", "99999999T"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
