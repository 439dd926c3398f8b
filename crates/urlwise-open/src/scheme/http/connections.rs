//! Connections kept for the next URL of the same server (S-19).

use crate::credentials::ServerLogin;
use crate::net::endpoint::Endpoint;
use crate::net::pool::Pool;
use crate::net::proxy::Proxy;
use crate::net::tcp::Connection;

/// The connections that a client keeps.
pub(crate) type Connections = Pool<ConnectionKey, Connection>;

/// Everything that must be equal. Policy and TLS settings belong to the client, so all its connections share them.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ConnectionKey {
    tls: bool,
    host: String,
    port: u16,
    proxy: Option<Proxy>,
    login: Option<ServerLogin>,
}

impl ConnectionKey {
    pub(super) fn new(endpoint: &Endpoint, proxy: Option<&Proxy>, login: Option<&ServerLogin>) -> ConnectionKey {
        ConnectionKey {
            tls: endpoint.is_tls(),
            host: endpoint.host.to_ascii_lowercase(),
            port: endpoint.port,
            proxy: proxy.cloned(),
            login: login.cloned(),
        }
    }
}
