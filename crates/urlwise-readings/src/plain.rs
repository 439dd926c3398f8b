//! A quick check for URLs that all three standards are certain to read alike.
//!
//! Most URLs have no login, a host of plain labels and a plain port. RFC 3986 and WHATWG accept all of these and see
//! the same host, port and user as RFC 1738, with any path. So an audit of a million URLs need not parse each three
//! times. Where nothing behind the host is special either, they see the same URL. Property tests check this file against the
//! three parsers.

use urlwise::{Host, HostKind, Profile, Reference, Scheme, Url};

/// Whether all three standards see the same URL in every part. `false` says nothing.
pub(crate) fn is_read_alike(reference: &Reference<'_>) -> bool {
    let url = reference.url();
    let is_web = matches!(url.scheme(), Scheme::Http | Scheme::Https);
    // Only the successors of RFC 1738 have fragments.
    let has_meaning = reference.fragment().is_none() || url.profile() == Profile::Current;
    // WHATWG reads a name whose last label is a number, perhaps in hex, as an address.
    let has_no_number = |host: Host<'_>| {
        let last = host.as_str().rsplit('.').next().unwrap_or_default();
        host.kind() == HostKind::Ipv4 || last.starts_with(|c: char| c.is_ascii_alphabetic())
    };
    is_web
        && has_meaning
        && is_plain(url)
        && url.host().is_some_and(has_no_number)
        && has_plain_path(url.path())
        && url.query().is_none_or(|query| are_pchars(query.as_str()))
        && reference.fragment().is_none_or(|fragment| are_pchars(fragment.as_str()))
}

/// No segment may be `.` or `..`, which WHATWG removes, also in escapes.
fn has_plain_path(path: &str) -> bool {
    are_pchars(path) && !path.as_bytes().windows(2).any(|pair| pair == b"/." || pair == b"%2")
}

/// What every standard allows in a path, a query and a fragment. WHATWG escapes some of it, which means the same.
fn are_pchars(part: &str) -> bool {
    part.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%".contains(&octet))
}

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

/// A name of letters, digits and hyphens, with nothing that may be Punycode, or an address without leading zeros; empty only where all
/// standards allow it.
fn is_plain_host(host: &str, kind: HostKind) -> bool {
    let octets = host.as_bytes();
    match kind {
        HostKind::Ipv4 => octets.split(|octet| *octet == b'.').all(|group| group == b"0" || group[0] != b'0'),
        HostKind::Name => {
            octets.iter().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.'))
                && !octets.windows(4).any(|prefix| prefix.eq_ignore_ascii_case(b"xn--"))
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

/// The host of a text, valid or not, that every standard that accepts the text opens: letters, digits, hyphens and dots alone, without a
/// login, and a path behind it. `None` says nothing.
pub(crate) fn plain_host(octets: &[u8]) -> Option<&[u8]> {
    let is_name = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.');
    let (scheme, rest) = octets.split_at(octets.iter().position(|octet| !is_name(octet) && *octet != b'+')?);
    let rest = rest.strip_prefix(b"://").filter(|_| scheme.first().is_some_and(u8::is_ascii_alphabetic))?;
    let (host, behind) = rest.split_at(rest.iter().position(|octet| !is_name(octet))?);
    let path = match behind.strip_prefix(b":") {
        Some(port) => &port[port.iter().position(|octet| !octet.is_ascii_digit())?..],
        None => behind,
    };
    // WHATWG reads a name whose last label is a number as an address.
    let last = host.rsplit(|octet| *octet == b'.').next().unwrap_or_default();
    (path.starts_with(b"/") && last.first().is_some_and(u8::is_ascii_alphabetic)).then_some(host)
}
