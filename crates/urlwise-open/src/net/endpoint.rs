//! Where to connect for a URL: its host, its port or the default one, and when TLS begins.

use crate::error::kind::ErrorKind;
use crate::error::{Error, system_words};
use crate::language::{message, words};
use crate::net::transcript::Peer;
use crate::policy::Place;
use crate::protocol::TlsMode;
use std::fmt;
use std::io;
use std::net::IpAddr;
use urlwise::{Host, Hostport, Url};
use urlwise::{Message, MessageValue, Words};

/// A host and a port to connect to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hop {
    /// Without the brackets of an IPv6 literal.
    pub(crate) host: String,
    /// The host, if it is an IP address.
    pub(crate) ip: Option<IpAddr>,
    pub(crate) port: u16,
}

impl Hop {
    pub(crate) fn new(hostport: Hostport<'_>) -> Hop {
        // Every scheme that is opened has a default port; 0 is refused by the policy.
        Hop::of(hostport.host(), hostport.port_or_default().unwrap_or(0))
    }

    fn of(host: Host<'_>, port: u16) -> Hop {
        Hop { host: host.as_str().trim_matches(['[', ']']).to_owned(), ip: host.ip(), port }
    }
}

/// Where to connect for a URL: what a program needs to drive a [machine](crate::protocol) over its own connections.
///
/// ```
/// use urlwise::Url;
/// use urlwise_open::Endpoint;
/// use urlwise_open::protocol::TlsMode;
///
/// let endpoint = Endpoint::of(&Url::parse_current("gophers://[::1]/0about.txt")?)?;
/// assert_eq!((endpoint.host(), endpoint.port(), endpoint.tls()), ("::1", 70, TlsMode::Implicit));
///
/// // A mailto URL names no server.
/// assert!(Endpoint::of(&Url::parse("mailto:joe@host.dom")?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A program that connects by itself asks [`Policy::admit`](crate::policy::Policy::admit) about the URL first, and
/// [`Policy::admit_address`](crate::policy::Policy::admit_address) about each address that the host resolves to; a
/// [`Client`](crate::Client) does both. `examples/tokio-get` shows it with tokio.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    pub(crate) host: String,
    pub(crate) ip: Option<IpAddr>,
    pub(crate) port: u16,
    pub(crate) tls: TlsMode,
    /// The TLS application protocol to ask for (ALPN); empty: none.
    pub(crate) alpn: &'static [u8],
    /// What to connect to instead, over plain TCP. TLS begins when the machine asks for it, with the host itself.
    pub(crate) proxy: Option<Hop>,
}

impl Endpoint {
    /// The endpoint of a URL.
    ///
    /// # Errors
    /// [`ErrorKind::NoAccess`] if the URL has no host, or neither a port nor a scheme with a default port.
    pub fn of<T: AsRef<str>>(url: &Url<T>) -> Result<Endpoint, Error> {
        let url = url.borrow();
        let refuse = |what: Words| Error::new(ErrorKind::NoAccess, what).with_reference("RFC 1738 section 3.1");
        let host = url.host().filter(|host| !host.as_str().is_empty());
        let host = host.ok_or_else(|| refuse(words!("the URL has no host to connect to")))?;
        let port = url.port_or_default().ok_or_else(|| {
            refuse(words!("the URL has no port, and its scheme has no default port"))
                .with_help(words!("write the port into the URL, or register the scheme with a default port"))
        })?;
        let tls = if url.scheme().is_tls() { TlsMode::Implicit } else { TlsMode::None };
        Ok(Endpoint::new(Hop::of(host, port), tls))
    }

    pub(crate) fn new(Hop { host, ip, port }: Hop, tls: TlsMode) -> Endpoint {
        Endpoint { host, ip, port, tls, alpn: b"", proxy: None }
    }

    /// The host as written in the URL, without the brackets of an IPv6 literal: what is looked up, and what a certificate must
    /// name.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The host, if it is an address: then nothing is looked up.
    pub fn ip(&self) -> Option<IpAddr> {
        self.ip
    }

    /// The port written in the URL, or else the default port of its scheme. The [policy](crate::policy::Policy::admit) refuses 0.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// When TLS begins: [`Implicit`](TlsMode::Implicit) for `ftps`, `https` and the like, [`None`](TlsMode::None) for the others.
    /// No URL asks for [`Explicit`](TlsMode::Explicit) TLS; a machine whose settings ask for it says when to begin by
    /// [`Io::StartTls`](crate::protocol::Io::StartTls).
    pub fn tls(&self) -> TlsMode {
        self.tls
    }

    /// Whether TLS begins with the first octet.
    pub(crate) fn is_tls(&self) -> bool {
        self.tls == TlsMode::Implicit
    }

    /// The host and port to connect to.
    pub(crate) fn hop(&self) -> Hop {
        let own = || Hop { host: self.host.clone(), ip: self.ip, port: self.port };
        self.proxy.clone().unwrap_or_else(own)
    }

    /// Where the host is, as far as its text says; `None` if it is a name that may have any address.
    pub(crate) fn place(&self) -> Option<Place> {
        Place::as_written(&self.host, self.ip)
    }

    /// The peer as observers see it.
    pub(crate) fn peer(&self) -> Peer<'_> {
        Peer { host: &self.host, port: self.port }
    }

    /// The proxy as observers see it; `None` for a direct connection.
    pub(crate) fn proxy(&self) -> Option<Peer<'_>> {
        self.proxy.as_ref().map(|proxy| Peer { host: &proxy.host, port: proxy.port })
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl Endpoint {
    /// Its name in messages.
    pub(crate) fn message(&self) -> Message {
        match self.proxy() {
            Some(proxy) => {
                message!("{peer} through the proxy {proxy}", peer = self.peer().message(), proxy = proxy.message())
            }
            None => self.peer().message(),
        }
    }
}

impl From<&Endpoint> for MessageValue {
    fn from(endpoint: &Endpoint) -> MessageValue {
        endpoint.message().into()
    }
}

/// The error when no address of the endpoint could be connected to; `last` is the failure of the last attempt.
pub(crate) fn not_connected(endpoint: &Endpoint, last: Option<io::Error>) -> Error {
    let cause = last.as_ref().map_or_else(|| words!("no address").into(), |error| Message::from(system_words(error)));
    let error =
        Error::new(ErrorKind::Connect, message!("cannot connect to {peer}: {cause}", peer = endpoint, cause = cause))
            .with_help(words!("the server may be down or the port wrong"));
    match last {
        Some(source) => error.with_source(source),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::{Endpoint, Hop, not_connected};
    use crate::error::kind::ErrorKind;
    use crate::protocol::TlsMode;
    use std::io;
    use urlwise::{Profile, Url};

    fn endpoint(text: &str) -> Result<Endpoint, crate::Error> {
        Endpoint::of(&Url::parse_with(text, Profile::Current).expect(text))
    }

    #[test]
    fn a_url_leads_to_its_host_and_port_or_to_nowhere() {
        let found = endpoint("ftps://[::1]:99/x").expect("it has both");
        assert_eq!((found.host(), found.ip(), found.port()), ("::1", "::1".parse().ok(), 99));
        assert!(found.tls() == TlsMode::Implicit && found.is_tls());
        let found = endpoint("ftp://h.example/x").expect("it has both");
        assert_eq!((found.host(), found.ip(), found.port(), found.tls()), ("h.example", None, 21, TlsMode::None));
        assert!(!found.is_tls());
        for (text, why) in [
            ("mailto:joe@h.example", "the URL has no host to connect to"),
            ("file:///x", "the URL has no host to connect to"),
            ("x-new://h.example/x", "the URL has no port, and its scheme has no default port"),
        ] {
            let error = endpoint(text).expect_err(text);
            assert_eq!((error.kind(), error.what().to_string().as_str()), (ErrorKind::NoAccess, why), "{text}");
        }
    }

    #[test]
    fn a_proxy_is_connected_to_instead_and_named_beside_the_host() {
        let mut endpoint = endpoint("http://h.example/").expect("it has both");
        assert_eq!((endpoint.to_string().as_str(), endpoint.proxy()), ("h.example port 80", None));
        assert_eq!((endpoint.hop().host.as_str(), endpoint.hop().port), ("h.example", 80));
        endpoint.proxy = Some(Hop { host: "p.example".to_owned(), ip: None, port: 3128 });
        assert_eq!(endpoint.to_string(), "h.example port 80 through the proxy p.example port 3128");
        assert_eq!((endpoint.hop().host.as_str(), endpoint.hop().port), ("p.example", 3128));
        let error = not_connected(&endpoint, Some(io::Error::from_raw_os_error(111)));
        let what = "cannot connect to h.example port 80 through the proxy p.example port 3128: Connection refused";
        assert!(cfg!(not(target_os = "linux")) || error.what().to_string() == what, "{error}");
        assert!(std::error::Error::source(&error).is_some());
        let error = not_connected(&endpoint, None);
        assert!(error.what().to_string().ends_with(": no address"), "{error}");
        assert!(std::error::Error::source(&error).is_none() && error.kind() == ErrorKind::Connect);
    }
}
