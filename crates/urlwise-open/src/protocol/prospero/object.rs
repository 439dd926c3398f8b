//! Objects and their hosts, in the protocol's notation and in URLs (RFC 1738 section 3.11).

use crate::protocol::digits::number;
use urlwise::{Profile, Url, grammar};

/// The UDP port of Prospero.
pub(super) const PORT: u16 = 1525;

/// An object of a Prospero server: a file, a directory, or something that only the server understands. Octets are not encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Object {
    /// The host as written in a URL.
    pub host: String,
    /// The UDP port of the server.
    pub port: u16,
    /// Its name on that host: any octets, opaque to the client.
    pub hsoname: Vec<u8>,
    /// Its version; 0 is the current one.
    pub version: u64,
}

/// The name of the URL field for the version.
pub(super) const VERSION_FIELD: &str = "OBJECT-VERSION";

impl Object {
    /// The object that a URL names without regard to its fields; the version is 0.
    pub(super) fn of(url: urlwise::Prospero<'_>) -> Object {
        let hostport = url.hostport();
        Object {
            host: hostport.host().as_str().to_owned(),
            port: hostport.port_or_default().unwrap_or(PORT),
            hsoname: url.hsoname().decode().into_owned(),
            version: 0,
        }
    }

    /// Its URL; `None` if the host is not valid in a URL. Reading the URL returns the same object.
    pub fn url(&self) -> Option<Url<String>> {
        let version = match self.version {
            0 => String::new(),
            version => format!(";{VERSION_FIELD}={version}"),
        };
        let place = HostToken { host: &self.host, port: Some(self.port) };
        place.url("prospero", "", PORT, &(grammar::HSONAME.encode(&self.hsoname) + &version))
    }

    /// Whether both are the same object, judged by their names.
    pub(super) fn is(&self, other: &Object) -> bool {
        self.host.eq_ignore_ascii_case(&other.host)
            && (self.port, self.version, &self.hsoname) == (other.port, other.version, &other.hsoname)
    }
}

/// A host token: `NAME` or `NAME(port)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HostToken<'a> {
    pub(super) host: &'a str,
    /// The port; `None` if none is written.
    pub(super) port: Option<u16>,
}

impl<'a> HostToken<'a> {
    /// Reads a host token; `None` if it is not valid.
    pub(super) fn parse(token: &'a [u8]) -> Option<HostToken<'a>> {
        let text = std::str::from_utf8(token).ok()?;
        let Some((host, port)) = text.split_once('(') else {
            return Some(HostToken { host: text, port: None }).filter(|_| !text.is_empty());
        };
        let digits = port.strip_suffix(')')?;
        let port = number::<u16>(digits.as_bytes()).filter(|port| *port > 0)?;
        Some(HostToken { host, port: Some(port) }).filter(|place| !place.host.is_empty())
    }

    /// A URL with this host and port, which is left out if it is the default; `login` includes its `@`. `None` if the host is not
    /// valid in a URL.
    pub(super) fn url(&self, scheme: &str, login: &str, default_port: u16, rest: &str) -> Option<Url<String>> {
        let port = self.port.filter(|port| *port != default_port).map(|port| format!(":{port}")).unwrap_or_default();
        // URLs are opened by this profile too, which knows hosts such as `a_b`.
        let text = format!("{scheme}://{login}{}{port}/{rest}", self.host);
        let url = Url::parse_with(text, Profile::Current).ok()?;
        // A host with a delimiter in it would become a URL with another host.
        let same = url.host().is_some_and(|host| host.as_str() == self.host);
        same.then_some(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_have_a_port_or_none() {
        assert_eq!(HostToken::parse(b"A.EXAMPLE"), Some(HostToken { host: "A.EXAMPLE", port: None }));
        assert_eq!(HostToken::parse(b"A.EXAMPLE(21525)"), Some(HostToken { host: "A.EXAMPLE", port: Some(21525) }));
        for token in [&b""[..], b"(1)", b"A(", b"A()", b"A(0)", b"A(65536)", b"A(1)x", b"A(+1)", b"\xff"] {
            assert_eq!(HostToken::parse(token), None, "{token:?}");
        }
    }

    #[test]
    fn objects_become_urls_that_name_them() {
        let object = |port, hsoname: &[u8], version| Object {
            host: "h.dom".to_owned(),
            port,
            hsoname: hsoname.to_vec(),
            version,
        };
        for (object, url) in [
            (object(1525, b"/pros/name", 0), "prospero://h.dom//pros/name"),
            (object(1525, b"AFTP/pub", 3), "prospero://h.dom/AFTP/pub;OBJECT-VERSION=3"),
            (object(191, b"a;b%c d", 0), "prospero://h.dom:191/a%3Bb%25c%20d"),
            (object(191, b"", 1), "prospero://h.dom:191/;OBJECT-VERSION=1"),
        ] {
            assert_eq!(object.url().map(Url::into_inner).as_deref(), Some(url));
        }
        for host in ["", "h/x", "h:80", "h;x", "h x", "[", "u@h"] {
            assert_eq!(Object { host: host.to_owned(), ..object(1525, b"x", 0) }.url(), None, "{host}");
        }
    }
}
