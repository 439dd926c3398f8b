//! urllib3: `parse_url`, which requests calls with every URL once it has removed white space before it. What requests does with the
//! parts is not modelled (D-105).
//!
//! Held to urllib3 2.8.0 on 2026-11-22. Versions before it allow blanks and control characters in a host, and keep its
//! escapes.
//!
//! A text without a scheme is read as `//` and the text. http and https URLs, and those without a scheme, are
//! normalized: the host is lowercase, `.` and `..` are removed from the path, and what may not stand in a part is
//! escaped. `parse_url` returns the login undivided; it is split at its first colon here. An empty login is absent.

use super::{ESCAPE, any, cut, escape_at, lowercase, push_escape};
use crate::octet_set::OctetSet;
use crate::reading::ReadingParts;
use crate::text::Text;
use memchr::{memchr_iter, memchr2};
use std::borrow::Cow;
use std::net::Ipv6Addr;

/// What may stand in a part unescaped besides letters and digits.
const ZONE: OctetSet = OctetSet::of(b"-._~");
/// What ends a login, host and port.
const ENDS: OctetSet = OctetSet::of(b"\\/?#");
const LOGIN: OctetSet = OctetSet::of(b"-._~!$&'()*+,;=:");
const PATH: OctetSet = OctetSet::of(b"-._~!$&'()*+,;=:@/");
const QUERY: OctetSet = OctetSet::of(b"-._~!$&'()*+,;=:@/?");

pub(crate) fn read(octets: &[u8]) -> Result<ReadingParts<'_, Text<'_>>, String> {
    let text = str::from_utf8(octets).map_err(|_| "it is not UTF-8".to_owned())?;
    let mut parts = ReadingParts::default();
    let (scheme, rest) = match text.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (Some(lowercase(scheme)), rest),
        _ => (None, text),
    };
    let is_normalized = matches!(scheme.as_deref(), None | Some("http" | "https"));
    let authority = match rest.strip_prefix("//") {
        None if scheme.is_none() && !rest.starts_with('/') => Some(rest),
        authority => authority,
    };
    let rest = match authority {
        Some(text) => {
            let (authority, rest) = text.split_at(text.bytes().position(|octet| ENDS.has(octet)).unwrap_or(text.len()));
            if !authority.is_empty() {
                read_authority(authority, is_normalized, &mut parts)?;
            }
            rest
        }
        None => rest,
    };
    let (rest, fragment) = cut(rest, '#');
    let (path, query) = cut(rest, '?');
    let encoded = |text| Text::Written(if is_normalized { encode(text, QUERY) } else { Cow::Borrowed(text) });
    let mut path = match without_dots(path) {
        _ if !is_normalized => Cow::Borrowed(path),
        Cow::Borrowed(path) => encode(path, PATH),
        Cow::Owned(path) => Cow::Owned(encode(&path, PATH).into_owned()),
    };
    if !path.is_empty() && !path.starts_with('/') {
        path.to_mut().insert(0, '/');
    }
    parts.path = Text::Written(path);
    parts.query = query.map(encoded);
    parts.fragment = fragment.map(encoded);
    parts.scheme = scheme.unwrap_or_default();
    Ok(parts)
}

/// Whether it is a scheme, which has no dot here: `host.dom:80` is a host and a port.
fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-'))
}

fn read_authority<'t>(
    authority: &'t str,
    is_normalized: bool,
    parts: &mut ReadingParts<'t, Text<'t>>,
) -> Result<(), String> {
    let invalid = || "Failed to parse".to_owned();
    let (login, hostport) = authority.rsplit_once('@').unwrap_or(("", authority));
    if !login.is_empty() {
        // The escapes of the whole decide what becomes of each `%`.
        let login = if is_normalized { encode(login, LOGIN) } else { Cow::Borrowed(login) };
        match login {
            Cow::Borrowed(login) => {
                let (user, password) = cut(login, ':');
                parts.user = Some(Text::from(user));
                parts.password = password.map(Text::from);
            }
            Cow::Owned(login) => {
                let written = |part| Some(Text::Written(Cow::Owned(part)));
                match login.find(':') {
                    Some(colon) => {
                        let (user, password) = sides(login, colon);
                        (parts.user, parts.password) = (written(user), written(password));
                    }
                    None => parts.user = written(login),
                }
            }
        }
    }
    let end = match hostport.strip_prefix('[') {
        Some(inner) => inner.find(']').ok_or_else(invalid)? + 2,
        None => hostport.find(':').unwrap_or(hostport.len()),
    };
    let (host, port) = hostport.split_at(end);
    let is_valid = match host.strip_prefix('[') {
        Some(inner) => is_address(inner.trim_end_matches(']')),
        None => is_name(host),
    };
    let port = if port.is_empty() { "" } else { port.strip_prefix(':').ok_or_else(invalid)? };
    if any(host.as_bytes(), |octet| (octet <= b' ') | (octet == 0x7F)) {
        return Err("Host contains invalid character".into());
    }
    if !is_valid || !port.bytes().all(|octet| octet.is_ascii_digit()) {
        return Err(invalid());
    }
    if !port.is_empty() {
        let digits = port.trim_start_matches('0');
        let number = if digits.is_empty() { 0 } else { digits.parse::<u16>().map_err(|_| invalid())? };
        parts.port = Some(Cow::Owned(number.to_string()));
    }
    parts.host = Some(match host.starts_with('[') {
        _ if !is_normalized => Text::from(host),
        true => Text::Written(Cow::Owned(address(host)?)),
        false if is_number(host) => Text::from(host),
        false => name(host)?,
    });
    Ok(())
}

/// What stands before an octet of US-ASCII and behind it, the longer side without a copy.
fn sides(mut text: String, at: usize) -> (String, String) {
    match at > text.len() / 2 {
        true => {
            let behind = text[at + 1..].to_owned();
            text.truncate(at);
            (text, behind)
        }
        false => {
            let before = text[..at].to_owned();
            text.drain(..=at);
            (before, text)
        }
    }
}

/// Whether it has no octet that ends a name, and no `%` that is not an escape.
fn is_name(host: &str) -> bool {
    let octets = host.as_bytes();
    let escapes = |(at, octet): (usize, &u8)| *octet != b'%' || escape_at(&octets[at..]).is_some();
    memchr2(b'[', b']', octets).is_none() && octets.iter().enumerate().all(escapes)
}

/// Refuses escapes of control characters.
fn check_escapes(text: &str) -> Result<(), String> {
    let octets = text.as_bytes();
    let is_refused = |(at, octet): (usize, &u8)| {
        *octet == b'%' && escape_at(&octets[at..]).is_some_and(|octet| octet.is_ascii_control())
    };
    match octets.iter().enumerate().any(is_refused) {
        true => Err("Host contains invalid percent-encoded control character".into()),
        false => Ok(()),
    }
}

/// Whether it is an IPv4 address in any notation of C: one to four numbers.
fn is_number(host: &str) -> bool {
    let is_number = |part: &str| match part.strip_prefix("0x").or_else(|| part.strip_prefix("0X")) {
        Some(digits) => !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_hexdigit()),
        None => !part.is_empty() && part.bytes().all(|octet| octet.is_ascii_digit()),
    };
    const MOST: usize = 4;
    host.split('.').nth(MOST).is_none() && host.split('.').all(is_number)
}

/// A name as it is sent.
fn name(host: &str) -> Result<Text<'_>, String> {
    if host.is_ascii() && !host.contains('%') {
        return Ok(Text::lowercase(host));
    }
    let decoded = decode_unreserved(host)?;
    if !decoded.is_ascii() {
        return Err("Unable to parse URL without the 'idna' module".into());
    }
    let mut octets = decoded.to_ascii_lowercase().into_bytes();
    for at in 0..octets.len() {
        if octets[at] == b'%' {
            octets[at..].iter_mut().take(3).for_each(u8::make_ascii_uppercase);
        }
    }
    Ok(Text::Written(Cow::Owned(octets.iter().copied().map(char::from).collect())))
}

/// A name whose escapes of letters, digits and `-._~` are decoded.
fn decode_unreserved(host: &str) -> Result<String, String> {
    check_escapes(host)?;
    let mut decoded = String::with_capacity(host.len());
    let mut rest = host;
    while let Some(at) = rest.bytes().position(|octet| octet == b'%') {
        decoded.push_str(&rest[..at]);
        match escape_at(&rest.as_bytes()[at..]) {
            Some(octet) if octet.is_ascii_alphanumeric() || ZONE.has(octet) => decoded.push(char::from(octet)),
            _ => decoded.push_str(&rest[at..at + 3]),
        }
        rest = &rest[at + 3..];
    }
    Ok(decoded + rest)
}

/// Whether it is an IPv6 address by the grammar of RFC 3986, with a zone or without. An IPv4 address at its end is four
/// numbers of up to three digits.
fn is_address(text: &str) -> bool {
    let (address, zone) = cut(text, '%');
    let is_zone = zone.is_none_or(|zone| {
        let kept = |octet: u8| octet.is_ascii_alphanumeric() || ZONE.has(octet) || octet == b'%';
        !zone.is_empty() && zone.bytes().all(kept) && is_name(zone)
    });
    let (groups, last) = address.rsplit_once(':').unwrap_or(("", address));
    let is_group = |group: &str| (1..=3).contains(&group.len()) && group.bytes().all(|octet| octet.is_ascii_digit());
    let is_ipv4 = last.split('.').count() == 4 && last.split('.').all(is_group);
    let address = if is_ipv4 { format!("{groups}:0:0") } else { address.to_owned() };
    is_zone && !(address.contains('.')) && address.parse::<Ipv6Addr>().is_ok()
}

/// A valid address in brackets: lowercase, its zone after a single `%`.
fn address(host: &str) -> Result<String, String> {
    let (address, zone) = cut(host, '%');
    match zone.and_then(|zone| zone.strip_suffix(']')) {
        None => Ok(host.to_ascii_lowercase()),
        Some(zone) => {
            let zone = zone.strip_prefix("25").filter(|zone| !zone.is_empty()).unwrap_or(zone);
            check_escapes(zone)?;
            Ok(format!("{}%{}]", address.to_ascii_lowercase(), encode(zone, ZONE)))
        }
    }
}

/// The text with everything escaped that is not allowed. Escapes stay if every `%` starts one.
fn encode(text: &str, allowed: OctetSet) -> Cow<'_, str> {
    let octets = text.as_bytes();
    let percents = || memchr_iter(b'%', octets);
    let is_escape = |at: usize| escape_at(&octets[at..]).is_some();
    let is_escaped = percents().all(is_escape);
    let allowed = allowed.and_alphanumerics();
    let is_kept = |octet: u8| allowed.has(octet) || (is_escaped && octet == b'%');
    let is_lowercase = |at: usize| octets[at + 1..at + ESCAPE].iter().any(u8::is_ascii_lowercase);
    let escapes = octets.iter().filter(|octet| !is_kept(**octet)).count();
    if escapes == 0 && !percents().any(is_lowercase) {
        return Cow::Borrowed(text);
    }
    let mut encoded = String::with_capacity(octets.len() + (ESCAPE - 1) * escapes);
    let mut at = 0;
    while let Some(&octet) = octets.get(at) {
        if is_kept(octet) {
            encoded.push(char::from(octet));
        } else {
            push_escape(&mut encoded, octet);
        }
        // The digits of an escape are kept, in upper case.
        let end = at + if octet == b'%' && is_escape(at) { ESCAPE } else { 1 };
        encoded.extend(octets[at + 1..end].iter().map(|digit| char::from(digit.to_ascii_uppercase())));
        at = end;
    }
    Cow::Owned(encoded)
}

/// A path without `.` and `..`.
fn without_dots(path: &str) -> Cow<'_, str> {
    if !path.starts_with('.') && !path.contains("/.") {
        return Cow::Borrowed(path);
    }
    let mut kept = String::with_capacity(path.len());
    let mut segments = 0;
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." => {
                kept.truncate(kept.rfind('/').unwrap_or(0));
                segments -= usize::from(segments > 0);
            }
            segment => {
                if segments > 0 {
                    kept.push('/');
                }
                kept.push_str(segment);
                segments += 1;
            }
        }
    }
    // A path that starts with a slash has an empty segment first, which `..` may have removed.
    if path.starts_with('/') && !(kept.starts_with('/') || kept.is_empty() && segments > 0) {
        if segments > 0 {
            kept.insert(0, '/');
        }
        segments += 1;
    }
    if segments > 0 && (path.ends_with("/.") || path.ends_with("/..")) {
        kept.push('/');
    }
    Cow::Owned(kept)
}
