//! Control connections kept for the next URL of the same server and login (S-19).

use crate::net::endpoint::Endpoint;
use crate::net::pool::Pool;
use crate::net::shared::Shared;
use crate::net::tcp::Connection;
use crate::protocol::ftp::{FtpLogin, FtpRequest, FtpSession, FtpSettings, QUIT};
use std::sync::Arc;

/// The control connections that a client keeps.
pub(crate) type Sessions = Pool<SessionKey, KeptSession>;

/// Everything that must be equal. Policy, TLS settings and ftp settings belong to the client, so all its sessions share them.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SessionKey {
    host: String,
    port: u16,
    /// From the first octet: the scheme.
    tls: bool,
    login: FtpLogin,
}

impl SessionKey {
    pub(super) fn new(endpoint: &Endpoint, login: &FtpLogin) -> SessionKey {
        let (tls, host) = (endpoint.is_tls(), endpoint.host.to_ascii_lowercase());
        SessionKey { host, port: endpoint.port, tls, login: login.clone() }
    }
}

/// A logged-in connection. Ends with `QUIT`.
pub(crate) struct KeptSession {
    session: FtpSession,
    connection: Option<Connection>,
    shared: Arc<Shared>,
}

impl KeptSession {
    pub(super) fn new(session: FtpSession, connection: Connection, shared: Arc<Shared>) -> KeptSession {
        KeptSession { session, connection: Some(connection), shared }
    }

    /// As [`FtpSession::leads_to`].
    pub(super) fn leads_to(&self, request: &FtpRequest, settings: &FtpSettings) -> Option<usize> {
        self.session.leads_to(request, settings)
    }

    /// As [`Connection::is_silent`].
    pub(super) fn is_silent(&mut self) -> bool {
        self.connection.as_mut().is_some_and(Connection::is_silent)
    }

    pub(super) fn into_parts(mut self) -> Option<(FtpSession, Connection, Arc<Shared>)> {
        let connection = self.connection.take()?;
        Some((std::mem::take(&mut self.session), connection, Arc::clone(&self.shared)))
    }
}

impl Drop for KeptSession {
    fn drop(&mut self) {
        if let Some(mut connection) = self.connection.take() {
            // Only a courtesy: the server may already be gone, and its answer is not awaited.
            let _ = connection.send(QUIT);
            connection.close();
        }
    }
}
