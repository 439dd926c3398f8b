//! The hosts that readers by RFC 3986 and WHATWG see in any text, valid or not.
//!
//! A repair must not change the host: other readers see the same host in the text as in the repaired URL, or none. The full
//! readings are those of `urlwise-readings`, which has the real parsers; here is only what decides about the host.

use alloc::borrow::Cow;
use alloc::string::String;

use super::host::ascii;
use crate::encoded;

/// The schemes that WHATWG calls special, besides `file`.
const SPECIAL: [&[u8]; 5] = [b"http", b"https", b"ftp", b"ws", b"wss"];

/// Octets that WHATWG forbids in a host; besides these, controls.
const FORBIDDEN: &[u8] = b" #/:<>?@[\\]^|%";

/// What else RFC 3986 allows in a host besides letters, digits and escapes.
const REG_NAME: &[u8] = b"-._~!$&'()*+,;=";

/// The hosts that readers see in a text; `None` where they see none, or refuse the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hosts {
    pub(super) rfc3986: Option<String>,
    pub(super) whatwg: Option<String>,
}

impl Hosts {
    pub(super) fn of(text: &[u8]) -> Self {
        Hosts { rfc3986: rfc3986(text), whatwg: whatwg(text) }
    }

    /// Whether each reader that sees a host sees this one.
    pub(super) fn are(&self, host: &str) -> bool {
        let host = normal(host.as_bytes());
        [&self.rfc3986, &self.whatwg].into_iter().flatten().all(|seen| Some(seen) == host.as_ref())
    }

    /// Whether each reader that sees a host here sees the same one there.
    pub(super) fn stay(&self, there: &Hosts) -> bool {
        let stays = |here: &Option<String>, there: &Option<String>| here.is_none() || here == there;
        stays(&self.rfc3986, &there.rfc3986) && stays(&self.whatwg, &there.whatwg)
    }
}

fn position(octets: &[u8], is_wanted: impl Fn(u8) -> bool) -> usize {
    octets.iter().position(|&octet| is_wanted(octet)).unwrap_or(octets.len())
}

/// RFC 3986 appendix B: `//` and everything up to the next `/`, `?` or `#`.
fn rfc3986(text: &[u8]) -> Option<String> {
    let scheme = position(text, |octet| matches!(octet, b':' | b'/' | b'?' | b'#'));
    let rest = text.get(scheme..)?.strip_prefix(b"://")?;
    let authority = &rest[..position(rest, |octet| matches!(octet, b'/' | b'?' | b'#'))];
    let host = host_of(authority);
    if is_drive(&text[..scheme], host, &rest[..authority.len()]) {
        return None;
    }
    let fits = |&octet: &u8| octet.is_ascii_alphanumeric() || octet == b'%' || REG_NAME.contains(&octet);
    let is_host = host.starts_with(b"[") || host.iter().all(fits);
    normal(host).filter(|_| is_host)
}

/// The URL standard of WHATWG: controls and spaces at the ends and tabs and line ends anywhere are dropped, `\` is `/`, and
/// slashes are not counted.
fn whatwg(text: &[u8]) -> Option<String> {
    let text: Cow<'_, [u8]> = match text.iter().any(|octet| matches!(octet, b'\t' | b'\r' | b'\n')) {
        true => text.iter().copied().filter(|octet| !matches!(octet, b'\t' | b'\r' | b'\n')).collect(),
        false => text.into(),
    };
    let text = &text[position(&text, |octet| octet > b' ')..];
    let colon = position(text, |octet| !(octet.is_ascii_alphanumeric() || b"+-.".contains(&octet)));
    let (scheme, rest) = (&text[..colon], text.get(colon + 1..)?);
    if text[colon] != b':' || !scheme.first()?.is_ascii_alphabetic() {
        return None;
    }
    let is_special = SPECIAL.iter().any(|name| scheme.eq_ignore_ascii_case(name));
    let is_file = scheme.eq_ignore_ascii_case(b"file");
    let is_slash = |octet: u8| octet == b'/' || (octet == b'\\' && (is_special || is_file));
    let slashes = position(rest, |octet| !is_slash(octet));
    let rest = match slashes {
        _ if is_special => &rest[slashes..],
        2.. => &rest[2..],
        _ => return None,
    };
    let authority = &rest[..position(rest, |octet| is_slash(octet) || matches!(octet, b'?' | b'#'))];
    let host = host_of(authority);
    if is_drive(scheme, host, authority) {
        return None;
    }
    let decoded = encoded::decode(host);
    let is_forbidden = |octet: &u8| octet.is_ascii_control() || FORBIDDEN.contains(octet);
    let is_host = host.starts_with(b"[") || !decoded.iter().any(is_forbidden);
    normal(host).filter(|_| is_host)
}

/// The host in `user:password@host:port`: after the last `@`, before the port.
fn host_of(authority: &[u8]) -> &[u8] {
    let hostport = authority.rsplit(|&octet| octet == b'@').next().unwrap_or_default();
    if hostport.starts_with(b"[") {
        return &hostport[..(position(hostport, |octet| octet == b']') + 1).min(hostport.len())];
    }
    &hostport[..position(hostport, |octet| octet == b':')]
}

/// A letter of a drive in place of the host of a file URL: no reader of files takes it for a host.
fn is_drive(scheme: &[u8], host: &[u8], authority: &[u8]) -> bool {
    scheme.eq_ignore_ascii_case(b"file")
        && (matches!(authority, [letter, b':' | b'|', ..] if letter.is_ascii_alphabetic()) && host.len() <= 2
            || matches!(host, [letter, b'|', ..] if letter.is_ascii_alphabetic()))
}

/// The host as readers compare it: decoded, in lower case, in US-ASCII, without a dot at the end. `None` for an empty one.
fn normal(host: &[u8]) -> Option<String> {
    let decoded = encoded::decode(host);
    let text = core::str::from_utf8(&decoded).ok()?;
    let mut name = match text.is_ascii() {
        true => text.to_ascii_lowercase(),
        false => ascii(text)?,
    };
    if name.ends_with('.') {
        name.pop();
    }
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn sees(text: &str, rfc3986: Option<&str>, whatwg: Option<&str>) {
        let hosts = Hosts::of(text.as_bytes());
        assert_eq!((hosts.rfc3986.as_deref(), hosts.whatwg.as_deref()), (rfc3986, whatwg), "{text}");
    }

    #[test]
    fn each_reader_sees_its_own_host() {
        sees("http://good.dom\\@evil.dom/", Some("evil.dom"), Some("good.dom"));
        sees("ftp://user?\"@host.dom/", Some("user"), Some("user"));
        sees("http:host.dom/x", None, Some("host.dom"));
        sees("http:///host.dom/", None, Some("host.dom"));
        sees(" http://ho\nst.dom/", None, Some("host.dom"));
        sees("http://host.dom\"", None, Some("host.dom\""));
        sees("http://host.dom>", None, None);
        sees("foo:\\\\host.dom/", None, None);
        sees("foo://host.dom/", Some("host.dom"), Some("host.dom"));
        sees("http://h%6Fst/", Some("host"), Some("host"));
        sees("http://u@[::1]:80/", Some("[::1]"), Some("[::1]"));
        sees("mailto:joe@host.dom", None, None);
    }

    #[test]
    fn a_drive_is_not_a_host() {
        for text in ["file://c:/x", "file://C:\\x", "file://c|/x", "file:///c:/x"] {
            sees(text, None, None);
        }
        sees("file://cd/x", Some("cd"), Some("cd"));
    }
}
