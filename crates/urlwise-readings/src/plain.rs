//! A quick check for URLs that all three standards are certain to read alike.
//!
//! Most URLs have no login, a host of plain labels and a plain port. RFC 3986 and WHATWG accept all of these and see
//! the same host, port and user as RFC 1738, with any path. So an audit of a million URLs need not parse each three
//! times. A property test checks this file against the three parsers.

use urlwise::{HostKind, Scheme, Url};

/// Whether the URL is one of those. `false` says nothing.
pub(crate) fn is_plain(url: &Url<&str>) -> bool {
    let text = url.as_str();
    if !text.as_bytes()[0].is_ascii_alphabetic() {
        return false; // RFC 3986 and WHATWG want a letter there (D-04)
    }
    let schemepart = url.schemepart();
    if !schemepart.starts_with("//") {
        // Without two slashes after a known scheme no standard sees a host, except WHATWG in its special schemes.
        return matches!(url.scheme().base(), Scheme::Mailto | Scheme::News) && !schemepart.starts_with(['/', '?']);
    }
    let Some(host) = url.host() else {
        return false;
    };
    url.user().is_none() && is_plain_host(host.as_str(), host.kind()) && is_plain_port(url)
}

/// A name of letters, digits and single hyphens, or an address without leading zeros; empty only where all standards
/// allow it.
fn is_plain_host(host: &str, kind: HostKind) -> bool {
    let octets = host.as_bytes();
    match kind {
        HostKind::Ipv4 => octets.split(|octet| *octet == b'.').all(|group| group == b"0" || group[0] != b'0'),
        HostKind::Name => {
            octets.iter().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.'))
                && !octets.windows(2).any(|pair| pair == b"--")
                && !octets.ends_with(b".")
        }
        _ => false,
    }
}

fn is_plain_port(url: &Url<&str>) -> bool {
    match url.port() {
        None => true,
        Some(port) => !port.is_empty() && !port.starts_with('0'),
    }
}
