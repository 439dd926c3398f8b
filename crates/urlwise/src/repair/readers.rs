//! The hosts that readers by RFC 3986 and WHATWG see in any text, valid or not.
//!
//! A repair must not move a host: a reader that sees a host in the text sees the same one in the repaired URL. The full
//! readings are those of `urlwise-readings`, whose parsers this crate cannot use: it has no dependencies and no `std`. So
//! what decides about the host is described a second time here. The property tests `repair_hosts` of `urlwise-readings` hold
//! every repair against those parsers, so this description may see a host too many, never one too few.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::host::ascii;
use super::octets;
use crate::encoded;

/// The schemes that WHATWG calls special, besides `file`.
const SPECIAL: [&[u8]; 5] = [b"http", b"https", b"ftp", b"ws", b"wss"];

/// Octets that WHATWG forbids in a host; besides these, controls and `%` in a special scheme.
const FORBIDDEN: u128 = set(b"\0\t\n\r #/:<>?@[\\]^|");

/// What else RFC 3986 allows in a host besides letters and digits.
const REG_NAME: u128 = set(b"%-._~!$&'()*+,;=");

/// A bit for each of these octets of US-ASCII.
const fn set(octets: &[u8]) -> u128 {
    let (mut set, mut at) = (0, 0);
    while at < octets.len() {
        set |= 1 << octets[at];
        at += 1;
    }
    set
}

fn is_in(set: u128, octet: u8) -> bool {
    octet.is_ascii() && set >> octet & 1 == 1
}

/// The hosts that readers see in a text; `None` where they see none, or refuse the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hosts {
    pub(super) rfc3986: Option<Vec<u8>>,
    pub(super) whatwg: Option<Vec<u8>>,
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
        let stays = |here: &Option<Vec<u8>>, there: &Option<Vec<u8>>| here.is_none() || here == there;
        stays(&self.rfc3986, &there.rfc3986) && stays(&self.whatwg, &there.whatwg)
    }
}

fn position(octets: &[u8], is_wanted: impl Fn(u8) -> bool) -> usize {
    octets.iter().position(|&octet| is_wanted(octet)).unwrap_or(octets.len())
}

/// The length of the name before the first colon; both standards want a letter first, and `+`, `-` and `.` later.
fn scheme_length(text: &[u8]) -> Option<usize> {
    octets::scheme_length(text).filter(|_| text[0].is_ascii_alphabetic())
}

/// RFC 3986 appendix B: `//` and everything up to the next `/`, `?` or `#`.
fn rfc3986(text: &[u8]) -> Option<Vec<u8>> {
    let scheme = scheme_length(text)?;
    let rest = text[scheme..].strip_prefix(b"://")?;
    let authority = &rest[..position(rest, |octet| matches!(octet, b'/' | b'?' | b'#'))];
    let host = host_of(authority);
    if is_drive(&text[..scheme], host, &rest[..authority.len()]) {
        return None;
    }
    let is_host =
        host.starts_with(b"[") || host.iter().all(|octet| octet.is_ascii_alphanumeric() || is_in(REG_NAME, *octet));
    if is_host { normal(host) } else { None }
}

/// The URL standard of WHATWG: controls and spaces at the ends and tabs and line ends anywhere are dropped, `\` is `/`, and
/// slashes are not counted.
fn whatwg(text: &[u8]) -> Option<Vec<u8>> {
    let text: Cow<'_, [u8]> = match text.iter().any(|octet| matches!(octet, b'\t' | b'\r' | b'\n')) {
        true => text.iter().copied().filter(|octet| !matches!(octet, b'\t' | b'\r' | b'\n')).collect(),
        false => text.into(),
    };
    let text = trimmed(&text);
    let colon = scheme_length(text)?;
    let (scheme, rest) = (&text[..colon], &text[colon + 1..]);
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
    let is_plain = |octets: &[u8]| !octets.iter().any(|octet| is_in(FORBIDDEN, *octet));
    if !is_special && !is_file {
        // An opaque host, whose escapes are not decoded.
        return compared(host).filter(|_| host.starts_with(b"[") || is_plain(host));
    }
    let decoded = encoded::decode(host);
    let is_name = is_plain(&decoded) && !decoded.iter().any(|octet| octet.is_ascii_control() || *octet == b'%');
    compared(&decoded).filter(|_| host.starts_with(b"[") || is_name)
}

/// The text without controls and spaces at its ends.
fn trimmed(text: &[u8]) -> &[u8] {
    let start = position(text, |octet| octet > b' ');
    let end = text.iter().rposition(|&octet| octet > b' ').map_or(start, |last| last + 1);
    &text[start..end]
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
        && (matches!((authority, host), ([letter, b':', ..], [only]) if letter.is_ascii_alphabetic() && only == letter)
            || matches!(host, [letter, b'|', ..] if letter.is_ascii_alphabetic()))
}

/// A host whose escapes are decoded, as readers compare it.
fn normal(host: &[u8]) -> Option<Vec<u8>> {
    compared(&encoded::decode(host))
}

/// The host in lower case and US-ASCII, without a dot at the end. `None` for an empty one. A name that IDNA has no form for,
/// or not without the feature `idna`, stays as it is: some readers accept more names than IDNA does.
fn compared(host: &[u8]) -> Option<Vec<u8>> {
    let text = core::str::from_utf8(host).ok().filter(|text| !text.is_ascii());
    let mut name = text.and_then(ascii).map_or_else(|| host.to_ascii_lowercase(), String::into_bytes);
    if name.ends_with(b".") {
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
        let expected = (rfc3986.map(str::as_bytes), whatwg.map(str::as_bytes));
        assert_eq!((hosts.rfc3986.as_deref(), hosts.whatwg.as_deref()), expected, "{text}");
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
        sees("foo://h%6Fst./", Some("host"), Some("h%6fst"));
        sees("foo://\u{200b}", None, Some("\u{200b}"));
        sees("foo://a\"b", None, Some("a\"b"));
        sees("foo://a b", None, None);
        sees("http://a%b/", Some("a%b"), None);
        sees("http://a%20b/", Some("a b"), None);
        sees("http://host.dom\0 ", None, Some("host.dom"));
        sees("http://h%6Fst/", Some("host"), Some("host"));
        sees("http://u@[::1]:80/", Some("[::1]"), Some("[::1]"));
        sees("mailto:joe@host.dom", None, None);
        sees("(http://host.dom)", None, None);
        sees("1://host.dom/", None, None);
    }

    #[test]
    #[cfg(feature = "idna")]
    fn names_outside_us_ascii_are_compared_in_their_idna_form() {
        sees("foo://\u{e9}.dom/", None, Some("xn--9ca.dom"));
        sees("http://\u{e9}.dom./", None, Some("xn--9ca.dom"));
        sees("http://\u{e9}_/", None, Some("\u{e9}_"));
    }

    #[test]
    fn a_drive_is_not_a_host() {
        for text in ["file://c:/x", "file://C:\\x", "file://c|/x", "file:///c:/x"] {
            sees(text, None, None);
        }
        sees("file://cd/x", Some("cd"), Some("cd"));
        sees("file://c:@ab/x", Some("ab"), Some("ab"));
    }
}
