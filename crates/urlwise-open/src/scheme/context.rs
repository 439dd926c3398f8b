//! What openers may use: connections, settings, limits and credentials, but neither the client nor the policy for URLs.

use crate::credentials::Wallet;
#[cfg(feature = "http")]
use crate::net::proxy::Proxies;
use crate::net::shared::Shared;
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
#[cfg(feature = "ftp")]
use crate::scheme::ftp::sessions::Sessions;
#[cfg(feature = "http")]
use crate::scheme::http::connections::Connections;
use crate::scheme::mail_domains::MailDomains;
#[cfg(feature = "news")]
use crate::scheme::news_readers::Readers;
#[cfg(feature = "news")]
use crate::scheme::news_server::NewsOptions;
use std::sync::Arc;

/// One client's settings and connections, as its openers see them. The fields are those of [`Options`](crate::Options).
pub(crate) struct Context {
    /// TLS, checks of addresses, credentials and the observer of every dialogue.
    pub(crate) shared: Arc<Shared>,
    pub(crate) max_size: Option<u64>,
    pub(crate) max_entries: usize,
    pub(crate) max_redirects: u32,
    pub(crate) require_tls: bool,
    #[cfg(feature = "http")]
    pub(crate) proxies: Proxies,
    #[cfg(feature = "http")]
    pub(crate) compressed: bool,
    pub(crate) raw: bool,
    pub(crate) special_files: bool,
    #[cfg(feature = "http")]
    pub(crate) user_agent: String,
    #[cfg(feature = "http")]
    pub(crate) fields: Vec<RequestField>,
    #[cfg(feature = "ftp")]
    pub(crate) ftp: FtpSettings,
    #[cfg(feature = "gopher")]
    pub(crate) gopher: GopherSettings,
    #[cfg(feature = "wais")]
    pub(crate) wais: WaisSettings,
    #[cfg(feature = "wais")]
    pub(crate) wais_lynx_urls: bool,
    #[cfg(feature = "telnet")]
    pub(crate) telnet: TelnetSettings,
    #[cfg(feature = "prospero")]
    pub(crate) prospero: ProsperoSettings,
    #[cfg(feature = "prospero")]
    pub(crate) ardp: ArdpSettings,
    #[cfg(feature = "news")]
    pub(crate) news: NewsOptions,
    /// What is known about the domains of mail addresses; `None` if nobody is asked.
    pub(crate) mail_domains: Option<MailDomains>,
    /// Kept connections of ftp.
    #[cfg(feature = "ftp")]
    pub(crate) sessions: Arc<Sessions>,
    /// Kept connections of news.
    #[cfg(feature = "news")]
    pub(crate) readers: Arc<Readers>,
    /// Kept connections of http.
    #[cfg(feature = "http")]
    pub(crate) connections: Arc<Connections>,
}

impl Context {
    pub(crate) fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.shared)
    }

    pub(crate) fn wallet(&self) -> &Wallet {
        &self.shared.wallet
    }
}
