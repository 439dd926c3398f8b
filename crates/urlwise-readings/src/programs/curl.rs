//! curl: `curl_url_set` of libcurl with the flags that `curl URL` gives it.
//!
//! Held to libcurl 8.23.0 (the one in pycurl 7.49.0, without IDN) on 2026-11-22. A libcurl with IDN converts a name
//! outside US-ASCII only when it connects. 7.77 was the first to read numbers as IPv4 addresses.
//!
//! libcurl reads a C string, so the text ends at a NUL. It guesses a missing scheme from the name of the host, decodes
//! escapes in a host, and removes `.` and `..` from a path. Its zone of an IPv6 address is put back into the host here.

use super::{any, cut_octets, escape_at};
use crate::octet_set::OctetSet;
use crate::reading::ReadingParts;
use crate::text::Text;
use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

/// Longest text, scheme and zone.
const MOST: usize = 8_000_000;
const LONGEST_SCHEME: usize = 40;
const LONGEST_ZONE: usize = 15;

/// The schemes whose user may be followed by options such as `;AUTH=`.
const WITH_OPTIONS: [&[u8]; 6] = [b"imap", b"imaps", b"pop3", b"pop3s", b"smtp", b"smtps"];

/// Starts of names that a missing scheme is guessed from.
const GUESSES: [&str; 6] = ["ftp", "dict", "ldap", "imap", "smtp", "pop3"];

pub(crate) fn read(octets: &[u8]) -> Result<ReadingParts<'_, Text<'_>>, String> {
    parts(octets).map_err(str::to_owned)
}

fn parts(octets: &[u8]) -> Result<ReadingParts<'_, Text<'_>>, &'static str> {
    let (text, _) = cut_octets(octets, 0);
    if text.is_empty() || text.len() > MOST || any(text, |octet| (octet <= b' ') | (octet == 0x7F)) {
        return Err("Malformed input to a URL function");
    }
    let scheme = scheme(text);
    let mut parts = ReadingParts::default();
    let rest = match scheme {
        Some(scheme) if scheme.eq_ignore_ascii_case(b"file") => file_path(&text[scheme.len() + 1..])?,
        _ => {
            let rest = match scheme {
                Some(scheme) => {
                    let rest = &text[scheme.len() + 1..];
                    let slashes = rest.iter().take_while(|octet| **octet == b'/').count();
                    if slashes > 3 {
                        return Err("Unsupported number of slashes following scheme");
                    }
                    &rest[slashes..]
                }
                None => text,
            };
            let end = rest.iter().position(|octet| matches!(octet, b'/' | b'?' | b'#')).unwrap_or(rest.len());
            authority(&rest[..end], scheme, &mut parts)?;
            &rest[end..]
        }
    };
    parts.scheme = match scheme {
        Some(scheme) => Cow::Owned(String::from_utf8_lossy(scheme).to_ascii_lowercase()),
        None => Cow::Borrowed(guess(parts.host.as_ref().map_or(b"", Text::octets))),
    };
    let (rest, fragment) = cut_octets(rest, b'#');
    let (path, query) = cut_octets(rest, b'?');
    parts.path = if path.is_empty() { Text::from("/") } else { Text::from(without_dots(path)) };
    parts.query = query.map(Text::from);
    parts.fragment = fragment.map(Text::from);
    Ok(parts)
}

/// The scheme, if there is one with a slash behind its colon.
fn scheme(text: &[u8]) -> Option<&[u8]> {
    let is_scheme = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.');
    let length = text.iter().take(LONGEST_SCHEME).take_while(|octet| is_scheme(octet)).count();
    (text[0].is_ascii_alphabetic() && text[length..].starts_with(b":/")).then(|| &text[..length])
}

fn guess(host: &[u8]) -> &'static str {
    let starts = |scheme: &&&str| {
        let (start, rest) = host.split_at_checked(scheme.len()).unwrap_or_default();
        start.eq_ignore_ascii_case(scheme.as_bytes()) && rest.starts_with(b".")
    };
    GUESSES.iter().find(starts).copied().unwrap_or("http")
}

/// The path of a file URL, from what follows its colon. Only local hosts are allowed.
fn file_path(rest: &[u8]) -> Result<&[u8], &'static str> {
    let invalid = Err("Bad file:// URL");
    if rest.len() < 2 {
        return invalid;
    }
    let path = match rest.strip_prefix(b"//") {
        Some(path) if path.starts_with(b"/") || is_drive(path) => path,
        Some(path) => {
            let is_local =
                |host: &&&str| path.get(..host.len()).is_some_and(|p| p.eq_ignore_ascii_case(host.as_bytes()));
            match ["localhost/", "127.0.0.1/"].iter().find(is_local) {
                Some(host) => &path[host.len() - 1..],
                None => return invalid,
            }
        }
        None => rest,
    };
    if is_drive(path) || path.strip_prefix(b"/").is_some_and(is_drive) { invalid } else { Ok(path) }
}

/// Whether a path starts with a drive of Windows.
fn is_drive(path: &[u8]) -> bool {
    matches!(path, [letter, b':' | b'|', rest @ ..]
        if letter.is_ascii_alphabetic() && matches!(rest.first(), None | Some(b'/' | b'\\')))
}

/// Reads login, host and port.
fn authority<'t>(
    text: &'t [u8],
    scheme: Option<&[u8]>,
    parts: &mut ReadingParts<'t, Text<'t>>,
) -> Result<(), &'static str> {
    let hostport = match cut_octets(text, b'@') {
        (login, Some(hostport)) => {
            let options = scheme.is_some_and(|scheme| WITH_OPTIONS.iter().any(|w| w.eq_ignore_ascii_case(scheme)));
            let (user, password) = cut_octets(login, b':');
            let before_options = |text| if options { cut_octets(text, b';').0 } else { text };
            parts.user = Some(Text::from(before_options(user)));
            parts.password = password.map(|password| Text::from(before_options(password)));
            hostport
        }
        (hostport, None) => hostport,
    };
    let (host, port) = match hostport.first() {
        Some(b'[') => {
            let end = hostport.iter().position(|octet| *octet == b']').ok_or("Bad IPv6 address")? + 1;
            match hostport[end..].split_first() {
                None => (hostport, None),
                Some((b':', port)) => (&hostport[..end], Some(port)),
                Some(_) => return Err("Port number was not a decimal number between 0 and 65535"),
            }
        }
        _ => cut_octets(hostport, b':'),
    };
    if let Some(port) = port.filter(|port| !port.is_empty() || scheme.is_none()) {
        let port = number(port, 10, 0xFFFF).filter(|(_, rest)| rest.is_empty());
        let (port, _) = port.ok_or("Port number was not a decimal number between 0 and 65535")?;
        parts.port = Some(Cow::Owned(port.to_string()));
    }
    parts.host = Some(Text::from(host_of(host)?));
    Ok(())
}

/// The host: decoded, a number as an IPv4 address, an IPv6 address in its shortest form.
fn host_of(host: &[u8]) -> Result<Cow<'_, [u8]>, &'static str> {
    if host.is_empty() {
        return Err("No host part in the URL");
    }
    let host = decode(host).ok_or("Bad hostname")?;
    if let Some(inner) = host.strip_prefix(b"[") {
        return ipv6(inner).map(Cow::Owned).ok_or("Bad IPv6 address");
    }
    if let Some(address) = ipv4(&host) {
        return Ok(Cow::Owned(address.to_string().into_bytes()));
    }
    const BAD: OctetSet = OctetSet::of(b" \r\n\t/:#?!@{}[]\\$'\"^`*<>=;,+&()%|");
    let is_bad = |octet: &u8| BAD.has(*octet);
    if host.is_empty() || *host == *b"." || host.ends_with(b"..") || host.iter().any(is_bad) {
        return Err("Bad hostname");
    }
    Ok(host)
}

/// The octets with their escapes decoded; `None` if one is a control character.
fn decode(octets: &[u8]) -> Option<Cow<'_, [u8]>> {
    if !octets.contains(&b'%') {
        return (!any(octets, |octet| octet.is_ascii_control())).then_some(Cow::Borrowed(octets));
    }
    let mut decoded = Vec::with_capacity(octets.len());
    let mut rest = octets;
    while let Some((&first, after)) = rest.split_first() {
        match escape_at(rest) {
            Some(octet) => {
                decoded.push(octet);
                rest = &rest[3..];
            }
            None => {
                decoded.push(first);
                rest = after;
            }
        }
    }
    (!any(&decoded, |octet| octet.is_ascii_control())).then_some(Cow::Owned(decoded))
}

/// The host of a text that starts after its bracket. What follows a zone's bracket is ignored.
fn ipv6(inner: &[u8]) -> Option<Vec<u8>> {
    let end = inner.iter().take_while(|octet| octet.is_ascii_hexdigit() || matches!(octet, b':' | b'.')).count();
    let (address, rest) = inner.split_at(end);
    let zone = match rest {
        [_] => None,
        [b'%', b'2', b'5', zone @ ..] if !matches!(zone.first(), None | Some(b']')) => Some(zone),
        [b'%', zone @ ..] => Some(zone),
        _ => return None,
    };
    let zone = match zone {
        Some(zone) => {
            let (zone, end) = cut_octets(zone, b']');
            end?;
            let is_zone = |octet: &u8| octet.is_ascii_alphanumeric() || b"-._~".contains(octet) || !octet.is_ascii();
            if !(1..=LONGEST_ZONE).contains(&zone.len()) || !zone.iter().all(is_zone) {
                return None;
            }
            [b"%", zone].concat()
        }
        None => Vec::new(),
    };
    let address = str::from_utf8(address).ok()?;
    let shortest = shortest(address.parse().ok()?);
    // It is written over the original, where it must fit.
    let shown = if shortest.len() <= address.len() { &shortest } else { address };
    Some([b"[", shown.as_bytes(), &zone, b"]"].concat())
}

/// An IPv6 address as `inet_ntop` writes it: those that embed an IPv4 address end with one.
fn shortest(address: Ipv6Addr) -> String {
    match address.segments() {
        [0, 0, 0, 0, 0, 0, high, _] if high != 0 => {
            let [.., a, b, c, d] = address.octets();
            format!("::{}", Ipv4Addr::new(a, b, c, d))
        }
        _ => address.to_string(),
    }
}

/// A host that is one to four numbers, decimal, octal or hexadecimal, as an IPv4 address.
fn ipv4(host: &[u8]) -> Option<Ipv4Addr> {
    // One dot at the end is no part of it.
    let numbers = host.strip_suffix(b".").filter(|host| !host.is_empty()).unwrap_or(host);
    let mut parts = Vec::with_capacity(4);
    for part in numbers.split(|octet| *octet == b'.') {
        let (value, rest) = match part {
            [b'0', b'x' | b'X', digits @ ..] => number(digits, 16, u32::MAX)?,
            [b'0', ..] => number(part, 8, u32::MAX)?,
            _ => number(part, 10, u32::MAX)?,
        };
        if !rest.is_empty() || parts.len() == 4 {
            return None;
        }
        parts.push(value);
    }
    let (last, firsts) = parts.split_last()?;
    if firsts.iter().any(|part| *part > 0xFF) || u64::from(*last) >= 1 << (8 * (4 - firsts.len())) {
        return None;
    }
    let value = firsts.iter().zip([24, 16, 8]).fold(*last, |value, (part, shift)| value | part << shift);
    Some(Ipv4Addr::from(value))
}

/// The number at the start of the octets, at most `most`, and what follows it.
fn number(octets: &[u8], base: u32, most: u32) -> Option<(u32, &[u8])> {
    let digits = octets.iter().take_while(|octet| char::from(**octet).is_digit(base)).count();
    let (digits, rest) = octets.split_at(digits);
    let mut value = 0_u32;
    for digit in digits {
        value = value.checked_mul(base)?.checked_add(char::from(*digit).to_digit(base)?)?;
        if value > most {
            return None;
        }
    }
    (!digits.is_empty()).then_some((value, rest))
}

/// A path without `.` and `..`, escaped or not.
fn without_dots(path: &[u8]) -> Cow<'_, [u8]> {
    fn dot(rest: &[u8]) -> Option<&[u8]> {
        match rest {
            [b'.', after @ ..] | [b'%', b'2', b'e' | b'E', after @ ..] => Some(after),
            _ => None,
        }
    }
    let ends = |rest: &&[u8]| matches!(rest.first(), None | Some(b'/'));
    let may_have_dots = |at: usize| path[at] == b'/' && dot(&path[at + 1..]).is_some();
    if !(0..path.len()).any(may_have_dots) {
        return Cow::Borrowed(path);
    }
    let mut kept = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((&first, after)) = rest.split_first() {
        let one = (first == b'/').then(|| dot(after)).flatten();
        let two = one.and_then(dot);
        let removed = if let Some(after) = one.filter(ends) {
            Some(after)
        } else if let Some(after) = two.filter(ends) {
            kept.truncate(kept.iter().rposition(|octet| *octet == b'/').unwrap_or(kept.len()));
            Some(after)
        } else {
            None
        };
        match removed {
            Some([]) => {
                kept.push(b'/');
                break;
            }
            Some(after) => rest = after,
            None => {
                kept.push(first);
                rest = after;
            }
        }
    }
    Cow::Owned(kept)
}
