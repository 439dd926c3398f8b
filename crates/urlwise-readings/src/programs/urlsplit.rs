//! `urllib.parse.urlsplit` of Python, with `username`, `password`, `hostname` and `port` of its result.
//!
//! Held to Python 3.11.2 of Debian 12, whose security fixes are those of 3.11.12, on 2026-11-22. Python 3.9.22, 3.10.17,
//! 3.12.9, 3.13.2 and later read alike. Before them, brackets had to be in pairs and around an IPv6 address, but text
//! could stand before and after them (CVE-2025-0938); before 3.11.4, 3.10.16 and 3.9.21 anything could stand inside
//! (CVE-2024-11168), and before 3.11.4, 3.10.12 and 3.9.17 leading blanks were kept (CVE-2023-24329).
//!
//! `urlsplit` accepts texts without a scheme. It does not tell an empty host, port, query or fragment from an absent
//! one. A port that `port` raises an error about is returned as written, because programs read `hostname` without it.

use super::{any, cut, lowercase};
use crate::reading::ReadingParts;
use crate::text::Text;
use memchr::{memchr2, memchr3};
use std::borrow::Cow;
use std::net::Ipv6Addr;

/// Characters that NFKC, which IDNA applies to a name, replaces by texts with `/`, `?`, `#`, `@` or `:`.
const HIDDEN_DELIMITERS: [char; 19] = [
    '\u{2047}', '\u{2048}', '\u{2049}', '\u{2100}', '\u{2101}', '\u{2105}', '\u{2106}', '\u{2A74}', '\u{FE13}',
    '\u{FE16}', '\u{FE55}', '\u{FE56}', '\u{FE5F}', '\u{FE6B}', '\u{FF03}', '\u{FF0F}', '\u{FF1A}', '\u{FF1F}',
    '\u{FF20}',
];

pub(crate) fn read(octets: &[u8]) -> Result<ReadingParts<'_, Text<'_>>, String> {
    const DROPPED: [u8; 3] = *b"\t\r\n";
    let [tab, carriage_return, line_feed] = DROPPED;
    let text = str::from_utf8(octets).map_err(|_| "it is not UTF-8".to_owned())?;
    let text = text.trim_start_matches(|c| c <= ' ');
    match memchr3(tab, carriage_return, line_feed, text.as_bytes()).is_some() {
        true => Ok(parts_of(&text.replace(DROPPED.map(char::from), ""))?.into_owned()),
        false => parts_of(text),
    }
}

fn parts_of(text: &str) -> Result<ReadingParts<'_, Text<'_>>, String> {
    let (scheme, rest) = match text.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (lowercase(scheme), rest),
        _ => (Cow::Borrowed(""), text),
    };
    let (netloc, rest) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(memchr3(b'/', b'?', b'#', rest.as_bytes()).unwrap_or(rest.len())),
        None => ("", rest),
    };
    // All of them begin with one of two octets.
    if memchr2(0xE2, 0xEF, netloc.as_bytes()).is_some() && netloc.contains(HIDDEN_DELIMITERS) {
        return Err("netloc contains invalid characters under NFKC normalization".into());
    }
    let (login, hostport) = match netloc.rsplit_once('@') {
        Some((login, hostport)) => (Some(login), hostport),
        None => (None, netloc),
    };
    let (host, port) = hostport_of(netloc, hostport)?;
    let (user, password) = match login.map(|login| cut(login, ':')) {
        Some((user, password)) => (Some(user), password),
        None => (None, None),
    };
    let (rest, fragment) = cut(rest, '#');
    let (path, query) = cut(rest, '?');
    Ok(ReadingParts {
        scheme,
        user: user.map(Text::from),
        password: password.map(Text::from),
        host,
        port,
        path: Text::from(path),
        query: query.filter(|query| !query.is_empty()).map(Text::from),
        fragment: fragment.filter(|fragment| !fragment.is_empty()).map(Text::from),
    })
}

/// Whether a character that is no capital of US-ASCII stays as it is in lower case. Of most scripts it is known by its place: from CJK to Yi,
/// and in Hangul, there are no cases.
fn is_small(c: char) -> bool {
    c.is_ascii() || matches!(c, '\u{2E80}'..='\u{A63F}' | '\u{AC00}'..='\u{D7FF}') || c.to_lowercase().eq([c])
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

/// Host and port of a netloc, `hostport` being what follows its last `@`.
fn hostport_of<'t>(netloc: &str, hostport: &'t str) -> Result<(Option<Text<'t>>, Option<Cow<'t, str>>), String> {
    let invalid = || Err("Invalid IPv6 URL".to_owned());
    let (before, bracketed) = cut(hostport, '[');
    let (host, port) = match bracketed {
        Some(bracketed) => {
            let (host, after) = cut(bracketed, ']');
            (host, after.unwrap_or_default())
        }
        None => (cut(hostport, ':').0, &hostport[cut(hostport, ':').0.len()..]),
    };
    if netloc.contains('[') != netloc.contains(']') {
        return invalid();
    }
    if netloc.contains('[') {
        if bracketed.is_some() && (!before.is_empty() || !(port.is_empty() || port.starts_with(':'))) {
            return invalid();
        }
        // Brackets in the login alone have the name after it checked.
        check_bracketed(host)?;
    }
    let port = port.strip_prefix(':').filter(|port| !port.is_empty());
    let name = (!host.is_empty()).then(|| {
        let (name, zone) = host.split_at(host.find('%').unwrap_or(host.len()));
        if bracketed.is_none()
            && !any(name.as_bytes(), |octet| octet.is_ascii_uppercase())
            && name.chars().all(is_small)
        {
            return Text::from(host);
        }
        if bracketed.is_none() && name.is_ascii() && zone.is_empty() {
            return Text::Lowercase(name);
        }
        let host = format!("{}{zone}", name.to_lowercase());
        Text::Written(if bracketed.is_some() { format!("[{host}]").into() } else { host.into() })
    });
    Ok((name, port.map(number)))
}

/// Whether brackets may enclose it: an IPv6 address, with a zone or without, or the form for future versions.
fn check_bracketed(host: &str) -> Result<(), String> {
    let is_valid = match host.strip_prefix('v') {
        Some(future) => future.split_once('.').is_some_and(|(version, address)| {
            !version.is_empty() && version.bytes().all(|octet| octet.is_ascii_hexdigit()) && !address.is_empty()
        }),
        None => {
            let (address, zone) = cut(host, '%');
            let is_zone = zone.is_none_or(|zone| !zone.is_empty() && !zone.contains('%'));
            is_zone && address.parse::<Ipv6Addr>().is_ok()
        }
    };
    if is_valid { Ok(()) } else { Err("brackets enclose something that is not an IPv6 address".into()) }
}

/// A port as a number, or as written if it is not one.
fn number(port: &str) -> Cow<'_, str> {
    let is_decimal = port.bytes().all(|octet| octet.is_ascii_digit());
    let number = port.parse::<u16>().ok().filter(|_| is_decimal);
    number.map_or(Cow::Borrowed(port), |number| Cow::Owned(number.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_delimiter_is_found_by_the_octets_that_one_begins_with() {
        for delimiter in HIDDEN_DELIMITERS {
            let text = format!("http://a{delimiter}b/");
            assert!(read(text.as_bytes()).is_err_and(|error| error.contains("NFKC")), "{delimiter:?}");
        }
        assert!(read("http://a\u{e9}\u{4e2d}\u{ff41}b/".as_bytes()).is_ok());
    }

    #[test]
    fn a_character_is_small_if_it_is_its_own_small_letter() {
        let others = ('\0'..=char::MAX).filter(|c| !c.is_ascii_uppercase());
        assert!(others.into_iter().all(|c| is_small(c) == c.to_lowercase().eq([c])));
        for (host, expected) in
            [("\u{4e2d}\u{c4}", "\u{4e2d}\u{e4}"), ("\u{4e2d}A", "\u{4e2d}a"), ("a\u{3a3}", "a\u{3c2}")]
        {
            let text = format!("foo://{host}/");
            let parts = read(text.as_bytes()).unwrap();
            assert_eq!(parts.host.unwrap().written(), expected);
        }
    }
}
