//! What openers may use: connections, settings, limits and credentials, and neither the client nor the policy about URLs.

use crate::credentials::Wallet;
use crate::net::driver::Shared;
use crate::net::proxy::Proxies;
use crate::protocol::{ardp, ftp, gopher, prospero, telnet, wais};
use crate::scheme::nntp::News;
use crate::scheme::{ftp as ftp_opener, http as http_opener};
use std::sync::Arc;

/// One client's settings and connections, as its openers see them. The fields are those of [`Options`](crate::Options).
pub(crate) struct Context {
    /// TLS, checks of addresses, credentials and the observer of every dialogue.
    pub(crate) shared: Arc<Shared>,
    pub(crate) max_size: Option<u64>,
    pub(crate) max_entries: usize,
    pub(crate) max_redirects: u32,
    pub(crate) require_tls: bool,
    pub(crate) proxies: Proxies,
    pub(crate) compressed: bool,
    pub(crate) special_files: bool,
    pub(crate) user_agent: String,
    pub(crate) ftp: ftp::Settings,
    pub(crate) gopher: gopher::Settings,
    pub(crate) wais: wais::Settings,
    pub(crate) wais_lynx_urls: bool,
    pub(crate) telnet: telnet::Settings,
    pub(crate) prospero: prospero::Settings,
    pub(crate) ardp: ardp::Settings,
    pub(crate) news: News,
    /// Connections of ftp that are kept.
    pub(crate) sessions: Arc<ftp_opener::Sessions>,
    /// Connections of http that are kept.
    pub(crate) connections: Arc<http_opener::Connections>,
}

impl Context {
    pub(crate) fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.shared)
    }

    pub(crate) fn wallet(&self) -> &Wallet {
        &self.shared.wallet
    }
}
