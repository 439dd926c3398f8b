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
use crate::word;

/// The schemes that WHATWG calls special, besides `file`.
const SPECIAL: [&[u8]; 5] = [b"http", b"https", b"ftp", b"ws", b"wss"];

/// WHATWG forbids this octet in every host.
const FORBIDDEN: u8 = 1;

/// WHATWG forbids it in the host of a special scheme or of `file`, whose escapes are decoded.
const FORBIDDEN_IN_NAMES: u8 = 2;

/// RFC 3986 does not allow it in a host.
const NO_REG_NAME: u8 = 4;

/// The classes of each octet.
static CLASSES: [u8; 256] = {
    let (mut classes, mut octet) = ([0; 256], 0);
    while octet < classes.len() {
        classes[octet] = classes_of(octet as u8);
        octet += 1;
    }
    classes
};

const fn classes_of(octet: u8) -> u8 {
    let is_forbidden = matches!(
        octet,
        b'\0'
            | b'\t'
            | b'\n'
            | b'\r'
            | b' '
            | b'#'
            | b'/'
            | b':'
            | b'<'
            | b'>'
            | b'?'
            | b'@'
            | b'['
            | b'\\'
            | b']'
            | b'^'
            | b'|'
    );
    let is_forbidden_in_names = is_forbidden || octet == b'%' || octet.is_ascii_control();
    let is_reg_name = octet.is_ascii_alphanumeric()
        || matches!(octet, b'%' | b'-' | b'.' | b'_' | b'~' | b'!' | b'$' | b'&'..=b',' | b';' | b'=');
    (if is_forbidden { FORBIDDEN } else { 0 })
        | (if is_forbidden_in_names { FORBIDDEN_IN_NAMES } else { 0 })
        | (if is_reg_name { 0 } else { NO_REG_NAME })
}

/// Whether one of the octets is of the class.
fn has(octets: &[u8], class: u8) -> bool {
    octets.iter().fold(0, |all, octet| all | CLASSES[usize::from(*octet)]) & class != 0
}

/// The hosts that readers see in a text; `None` where they see none, or refuse the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hosts {
    pub(super) rfc3986: Option<Vec<u8>>,
    pub(super) whatwg: Option<Vec<u8>>,
}

impl Hosts {
    pub(super) fn of(text: &[u8]) -> Self {
        let joined = joined(text);
        let (one, other) = (rfc3986(text), whatwg(&joined));
        let rfc3986 = one.as_deref().and_then(compared);
        // Mostly they see the same one.
        let whatwg = if one == other { rfc3986.clone() } else { other.as_deref().and_then(compared) };
        Hosts { rfc3986, whatwg }
    }

    /// Whether each reader that sees a host sees this one.
    pub(super) fn are(&self, host: &str) -> bool {
        let mut seen = [&self.rfc3986, &self.whatwg].into_iter().flatten().peekable();
        if seen.peek().is_none() {
            return true;
        }
        let host = compared(&encoded::decode(host.as_bytes()));
        seen.all(|seen| Some(seen) == host.as_ref())
    }

    /// Whether each reader that sees a host here sees the same one there.
    pub(super) fn stay(&self, there: &Hosts) -> bool {
        let stays = |here: &Option<Vec<u8>>, there: &Option<Vec<u8>>| here.is_none() || here == there;
        stays(&self.rfc3986, &there.rfc3986) && stays(&self.whatwg, &there.whatwg)
    }
}

/// The length of the name before the first colon; both standards want a letter first, and `+`, `-` and `.` later.
fn scheme_length(text: &[u8]) -> Option<usize> {
    octets::scheme_length(text).filter(|_| text[0].is_ascii_alphabetic())
}

/// RFC 3986 appendix B: `//` and everything up to the next `/`, `?` or `#`. The host without its escapes.
fn rfc3986(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    let scheme = scheme_length(text)?;
    let rest = text[scheme..].strip_prefix(b"://")?;
    let authority = before_any(rest, *b"/?#");
    let host = host_of(authority);
    let is_host = (host.starts_with(b"[") || !has(host, NO_REG_NAME)) && !is_drive(&text[..scheme], host, authority);
    is_host.then(|| encoded::decode(host))
}

/// The text without its tabs and line ends, which WHATWG drops anywhere.
fn joined(text: &[u8]) -> Cow<'_, [u8]> {
    match word::position_of(text, *b"\t\r\n") {
        Some(_) => text.iter().copied().filter(|octet| !matches!(octet, b'\t' | b'\r' | b'\n')).collect(),
        None => text.into(),
    }
}

/// The URL standard of WHATWG: controls and spaces at the ends are dropped, `\` is `/`, and slashes are not counted.
fn whatwg(joined: &[u8]) -> Option<Cow<'_, [u8]>> {
    let text = trimmed(joined);
    let colon = scheme_length(text)?;
    let (scheme, rest) = (&text[..colon], &text[colon + 1..]);
    let is_special = SPECIAL.iter().any(|name| scheme.eq_ignore_ascii_case(name));
    let is_file = scheme.eq_ignore_ascii_case(b"file");
    let has_names = is_special || is_file;
    let slashes = rest.iter().take_while(|octet| **octet == b'/' || (**octet == b'\\' && has_names)).count();
    let rest = match slashes {
        _ if is_special => &rest[slashes..],
        2.. => &rest[2..],
        _ => return None,
    };
    let authority = if has_names { before_any(rest, *b"/?#\\") } else { before_any(rest, *b"/?#") };
    let host = host_of(authority);
    if is_drive(scheme, host, authority) {
        return None;
    }
    // The host of another scheme is opaque: its escapes are not decoded.
    let (seen, forbidden) =
        if has_names { (encoded::decode(host), FORBIDDEN_IN_NAMES) } else { (host.into(), FORBIDDEN) };
    (host.starts_with(b"[") || !has(&seen, forbidden)).then_some(seen)
}

/// The text without controls and spaces at its ends.
fn trimmed(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|&octet| octet > b' ').unwrap_or(text.len());
    let end = text.iter().rposition(|&octet| octet > b' ').map_or(start, |last| last + 1);
    &text[start..end]
}

/// The host in `user:password@host:port`: after the last `@`, before the port.
fn host_of(authority: &[u8]) -> &[u8] {
    let hostport = &authority[word::rposition(authority, b'@').map_or(0, |at| at + 1)..];
    if hostport.starts_with(b"[") {
        return &hostport[..word::position(hostport, b']').map_or(hostport.len(), |at| at + 1)];
    }
    before_any(hostport, *b":")
}

/// What stands before the first of these octets.
fn before_any<const N: usize>(octets: &[u8], stops: [u8; N]) -> &[u8] {
    &octets[..word::position_of(octets, stops).unwrap_or(octets.len())]
}

/// A letter of a drive in place of the host of a file URL: no reader of files takes it for a host.
fn is_drive(scheme: &[u8], host: &[u8], authority: &[u8]) -> bool {
    scheme.eq_ignore_ascii_case(b"file")
        && (matches!((authority, host), ([letter, b':', ..], [only]) if letter.is_ascii_alphabetic() && only == letter)
            || matches!(host, [letter, b'|', ..] if letter.is_ascii_alphabetic()))
}

/// The host in lower case and US-ASCII, without a dot at the end. `None` for an empty one. A name that IDNA has no form for,
/// or not without the feature `idna`, stays as it is: some readers accept more names than IDNA does.
fn compared(host: &[u8]) -> Option<Vec<u8>> {
    let name = if host.is_ascii() { None } else { core::str::from_utf8(host).ok().and_then(ascii) };
    let mut name = name.map_or_else(|| host.to_ascii_lowercase(), String::into_bytes);
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
