//! The options of a client.

use crate::credentials::Credentials;
use crate::gateway::Gateways;
use crate::net::deadlines::{Cancel, Deadlines};
use crate::net::name_servers::NameServers;
#[cfg(feature = "http")]
use crate::net::proxy::Proxies;
use crate::net::roots::Roots;
use crate::net::transcript::Observe;
use crate::policy::Policy;
#[cfg(feature = "prospero")]
use crate::protocol::ardp::ArdpSettings;
#[cfg(feature = "ftp")]
use crate::protocol::ftp::FtpSettings;
#[cfg(feature = "gopher")]
use crate::protocol::gopher::GopherSettings;
#[cfg(feature = "http")]
use crate::protocol::http::RequestField;
#[cfg(feature = "prospero")]
use crate::protocol::prospero::ProsperoSettings;
#[cfg(feature = "telnet")]
use crate::protocol::telnet::TelnetSettings;
#[cfg(feature = "wais")]
use crate::protocol::wais::WaisSettings;
#[cfg(feature = "news")]
use crate::scheme::news_server::NewsOptions;
use crate::scheme::opener::Openers;
use std::sync::Arc;
use std::time::Duration;

/// How URLs are opened. Start from the [default](Options::default) and change what should differ; options of a single call are
/// in [`OpenOptions`](crate::OpenOptions).
///
/// ```
/// use urlwise_open::{Client, Options};
///
/// let mut options = Options::default();
/// options.max_size = Some(10_000_000);
/// options.max_redirects = 5;
/// let client = Client::new(options);
/// # let _ = client;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The time limit for a call as a whole, including redirects and reading to the end. `None`, the default, means no limit.
    pub timeout: Option<Duration>,
    /// How long to wait for each step.
    pub deadlines: Deadlines,
    /// Cancels every wait when requested. `None` by default.
    pub cancel: Option<Cancel>,
    /// The longest document, in octets received; `None`, the default, means no limit. It does not bound menus, whose entries are read one by one: each protocol bounds the
    /// answer that a menu is read from by settings of its own, local directories have [`max_entries`](Options::max_entries), and a
    /// program that wants fewer entries stops reading them.
    pub max_size: Option<u64>,
    /// The most URLs that are followed from the one given, 20 by default: redirects of http, forwarding and access methods of
    /// Prospero, and URLs that openers name instead. Gateways are not counted. 0 follows none.
    pub max_redirects: u32,
    /// The most entries of a local directory, 1,000,000 by default. They come in the order of their names, of which 6 MiB are held, some
    /// 100,000: a directory with more is read again for those that follow, so that reading it takes the square of their number.
    pub max_entries: usize,
    /// Whose certificates are trusted.
    pub roots: Roots,
    /// Do not verify TLS certificates; a note says so each time. For tests and emergencies.
    pub insecure: bool,
    /// Send no password without TLS: ftp begins with `AUTH TLS` and news with `STARTTLS`, or they fail; http with a login and
    /// telnet are refused.
    pub require_tls: bool,
    /// Logins to use. By default only those in ftp URLs.
    pub credentials: Credentials,
    /// The proxies of http and https URLs. None by default: the environment is ignored; see [`Proxies::from_env`].
    #[cfg(feature = "http")]
    pub proxies: Proxies,
    /// Let http servers compress documents with gzip. A compressed document has no known size and cannot be resumed.
    #[cfg(feature = "http")]
    pub compressed: bool,
    /// Keep texts as they are transmitted. By default each CRLF becomes the line end of this system (D-74) in ftp texts, gopher
    /// texts, finger answers and articles. [Decoding](crate::NewsOptions::as_text) articles is a separate option.
    pub raw: bool,
    /// Read devices, pipes and sockets named by file URLs. They may never end.
    pub special_files: bool,
    /// Observes dialogues while they happen.
    pub observer: Option<Arc<dyn Observe>>,
    /// The `User-Agent` of http requests: `urlwise/` and the version by default. None is sent if it is empty. With a control character
    /// every http request fails with [`ErrorKind::Setting`](crate::ErrorKind::Setting).
    #[cfg(feature = "http")]
    pub user_agent: String,
    /// Header fields to add to http requests. They belong to the URL that is given and to redirects and links within its scheme,
    /// host and port; others do not get them (S-56). None by default.
    #[cfg(feature = "http")]
    pub fields: Vec<RequestField>,
    /// Decides what is refused before anything is opened.
    pub policy: Policy,
    /// The schemes that are opened through other URLs. They take precedence over every opener. None by default.
    pub gateways: Gateways,
    /// The program's own openers, for new schemes or in place of the built-in ones. None by default.
    pub openers: Openers,
    /// Settings of ftp.
    #[cfg(feature = "ftp")]
    pub ftp: FtpSettings,
    /// Settings of gopher.
    #[cfg(feature = "gopher")]
    pub gopher: GopherSettings,
    /// Settings of WAIS.
    #[cfg(feature = "wais")]
    pub wais: WaisSettings,
    /// Write the URLs of hits in the form that Lynx reads, with the length of the document, where possible.
    #[cfg(feature = "wais")]
    pub wais_lynx_urls: bool,
    /// Settings of Telnet, including what servers learn about the terminal.
    #[cfg(feature = "telnet")]
    pub telnet: TelnetSettings,
    /// Settings of Prospero; [`max_redirects`](Options::max_redirects) limits forwarding.
    #[cfg(feature = "prospero")]
    pub prospero: ProsperoSettings,
    /// Settings of ARDP, the datagrams below Prospero. Its time limit covers all requests for one URL together.
    #[cfg(feature = "prospero")]
    pub ardp: ArdpSettings,
    /// Settings of news.
    #[cfg(feature = "news")]
    pub news: NewsOptions,
    /// Whom to ask whether the domain of a mail address takes mail, when a mailto URL is [probed](crate::Client::probe). `None`, the
    /// default, asks nobody (D-107).
    pub name_servers: Option<NameServers>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            timeout: None,
            deadlines: Deadlines::default(),
            cancel: None,
            max_size: None,
            max_redirects: 20,
            max_entries: 1_000_000,
            roots: Roots::default(),
            insecure: false,
            require_tls: false,
            credentials: Credentials::default(),
            #[cfg(feature = "http")]
            proxies: Proxies::default(),
            #[cfg(feature = "http")]
            compressed: false,
            raw: false,
            special_files: false,
            observer: None,
            #[cfg(feature = "http")]
            user_agent: concat!("urlwise/", env!("CARGO_PKG_VERSION")).to_owned(),
            #[cfg(feature = "http")]
            fields: Vec::new(),
            policy: Policy::default(),
            gateways: Gateways::default(),
            openers: Openers::default(),
            #[cfg(feature = "ftp")]
            ftp: FtpSettings::default(),
            #[cfg(feature = "gopher")]
            gopher: GopherSettings::default(),
            #[cfg(feature = "wais")]
            wais: WaisSettings::default(),
            #[cfg(feature = "wais")]
            wais_lynx_urls: false,
            #[cfg(feature = "telnet")]
            telnet: TelnetSettings::default(),
            #[cfg(feature = "prospero")]
            prospero: ProsperoSettings::default(),
            #[cfg(feature = "prospero")]
            ardp: ArdpSettings::default(),
            #[cfg(feature = "news")]
            news: NewsOptions::default(),
            name_servers: None,
        }
    }
}
