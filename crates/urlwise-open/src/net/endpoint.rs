//! Where to connect: the host and port of a URL, and the proxy on the way.

use crate::error::kind::ErrorKind;
use crate::error::{Error, words};
use crate::net::transcript::Peer;
use std::fmt;
use std::io;
use std::net::IpAddr;
use urlwise::{Host, Hostport, escape_for_display};

/// A host and a port that are connected to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hop {
    /// Without the brackets of an IPv6 literal.
    pub(crate) host: String,
    /// The host, if it is a number.
    pub(crate) ip: Option<IpAddr>,
    pub(crate) port: u16,
}

impl Hop {
    pub(crate) fn new(hostport: Hostport<'_>) -> Hop {
        let host = hostport.host();
        Hop {
            host: host.as_str().trim_matches(['[', ']']).to_owned(),
            ip: host.ip(),
            // Every scheme that is opened has a default port; 0 is refused by the policy.
            port: hostport.port_or_default().unwrap_or(0),
        }
    }
}

/// Where to connect: the host and port of one URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Endpoint {
    /// As written in the URL, without the brackets of an IPv6 literal.
    pub(crate) host: String,
    /// The host, if it is a number: then nothing is looked up.
    pub(crate) ip: Option<IpAddr>,
    pub(crate) port: u16,
    /// The TLS application protocol to ask for (empty: none), or `None` for plain TCP.
    pub(crate) tls: Option<&'static [u8]>,
    /// What is connected to instead, with plain TCP. TLS begins when the machine says so, and is with the host itself.
    pub(crate) proxy: Option<Hop>,
}

impl Endpoint {
    /// The host and port of a URL; `tls` as in [`Endpoint::tls`].
    pub(crate) fn new(hostport: Hostport<'_>, tls: Option<&'static [u8]>) -> Endpoint {
        let Hop { host, ip, port } = Hop::new(hostport);
        Endpoint { host, ip, port, tls, proxy: None }
    }

    /// A host and a port that need not be those of a scheme known here; `tls` as in [`Endpoint::tls`].
    pub(crate) fn of(host: Host<'_>, port: u16, tls: Option<&'static [u8]>) -> Endpoint {
        let name = host.as_str().trim_matches(['[', ']']).to_owned();
        Endpoint { host: name, ip: host.ip(), port, tls, proxy: None }
    }

    /// What is connected to.
    pub(crate) fn hop(&self) -> Hop {
        let own = || Hop { host: self.host.clone(), ip: self.ip, port: self.port };
        self.proxy.clone().unwrap_or_else(own)
    }

    /// For whoever watches.
    pub(crate) fn peer(&self) -> Peer<'_> {
        Peer { host: &self.host, port: self.port }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.peer().fmt(f)?;
        match &self.proxy {
            Some(proxy) => write!(f, " through the proxy {}", Peer { host: &proxy.host, port: proxy.port }),
            None => Ok(()),
        }
    }
}

/// The error of an endpoint none of whose addresses could be connected to; `last` is the failure of the last one tried.
pub(crate) fn not_connected(endpoint: &Endpoint, last: Option<io::Error>) -> Error {
    let why = last.as_ref().map_or_else(|| "no address".to_owned(), words);
    let error =
        Error::new(ErrorKind::Connect, format!("cannot connect to {endpoint}: {}", escape_for_display(why.as_bytes())))
            .with_help("the server may be down or the port wrong");
    match last {
        Some(source) => error.source(source),
        None => error,
    }
}
