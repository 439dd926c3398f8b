//! Connections to news servers kept for the next probe at the same server (S-19).

use crate::net::endpoint::Endpoint;
use crate::net::pool::Pool;
use crate::net::tcp::Connection;
use crate::protocol::nntp::{NntpLogin, QUIT};

/// The connections that a client keeps.
pub(crate) type Readers = Pool<ReaderKey, KeptReader>;

/// Everything that must be equal. Policy, TLS settings and settings of NNTP belong to the client, so all its connections share
/// them.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ReaderKey {
    host: String,
    port: u16,
    /// From the first octet: the scheme.
    tls: bool,
    login: Option<NntpLogin>,
}

impl ReaderKey {
    pub(super) fn new(endpoint: &Endpoint, login: Option<&NntpLogin>) -> ReaderKey {
        let (tls, host) = (endpoint.is_tls(), endpoint.host.to_ascii_lowercase());
        ReaderKey { host, port: endpoint.port, tls, login: login.cloned() }
    }
}

/// A connection on which a dialogue has ended. Ends with `QUIT`.
pub(crate) struct KeptReader(Option<Connection>);

impl KeptReader {
    pub(super) fn new(connection: Connection) -> KeptReader {
        KeptReader(Some(connection))
    }

    /// As [`Connection::is_silent`].
    pub(super) fn is_silent(&mut self) -> bool {
        self.0.as_mut().is_some_and(Connection::is_silent)
    }

    pub(super) fn into_connection(mut self) -> Option<Connection> {
        self.0.take()
    }
}

impl Drop for KeptReader {
    fn drop(&mut self) {
        if let Some(mut connection) = self.0.take() {
            // Only a courtesy: the server may already be gone, and its answer is not awaited.
            let _ = connection.send(QUIT);
            connection.close();
        }
    }
}
