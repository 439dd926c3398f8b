//! Go: `url.Parse` of `net/url`, with `Hostname` and `Port` of its result.
//!
//! Held to Go 1.27.3 on 2026-11-22. Before 1.26 (GODEBUG `urlstrictcolons=0`) a host of http and https could contain
//! more than one colon, the last one before the port; before 1.25.2 and 1.24.8 brackets could enclose anything and have
//! text before them (CVE-2025-47912).
//!
//! `Parse` accepts texts without a scheme. It does not tell an empty host, port or fragment from an absent one, and
//! decodes the escapes of a host. Path and fragment are what `EscapedPath` and `EscapedFragment` return, the login what
//! `User.String` does.

use super::{cut_octets, escape_at, push_escape};
use crate::octet_set::OctetSet;
use crate::reading::{Reading, ReadingParts};
use std::borrow::Cow;
use std::net::Ipv6Addr;

pub(crate) fn read(octets: &[u8]) -> Reading<'static> {
    Reading(parts(octets))
}

/// The parts of a URL that differ in what may stand in them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Path,
    Host,
    Zone,
    Login,
    Fragment,
}

impl Part {
    /// Whether an octet stands for itself when Go writes the part.
    fn keeps(self, octet: u8) -> bool {
        const PATH: OctetSet = OctetSet::of(b"-_.~$&+,/:;=@");
        const HOST: OctetSet = OctetSet::of(b"-_.~!$&'()*+,;=:[]<>\"");
        const LOGIN: OctetSet = OctetSet::of(b"-_.~$&+,;=");
        const FRAGMENT: OctetSet = OctetSet::of(b"-_.~$&+,/:;=?@!()*");
        let others = match self {
            Part::Path => PATH,
            Part::Host | Part::Zone => HOST,
            Part::Login => LOGIN,
            Part::Fragment => FRAGMENT,
        };
        octet.is_ascii_alphanumeric() || others.has(octet)
    }

    /// The decoded text.
    fn decode(self, text: &[u8]) -> Result<Vec<u8>, String> {
        let mut decoded = Vec::with_capacity(text.len());
        let mut rest = text;
        while let Some((&first, after)) = rest.split_first() {
            if first != b'%' {
                if matches!(self, Part::Host | Part::Zone) && first.is_ascii() && !self.keeps(first) {
                    return Err("invalid character in host name".into());
                }
                decoded.push(first);
                rest = after;
                continue;
            }
            let octet = escape_at(rest).ok_or("invalid URL escape")?;
            let is_allowed = octet == b'%'
                || match self {
                    Part::Path | Part::Login | Part::Fragment => true,
                    Part::Host => !octet.is_ascii(),
                    Part::Zone => octet == b' ' || self.keeps(octet),
                };
            if !is_allowed {
                return Err("invalid URL escape".into());
            }
            decoded.push(octet);
            rest = &rest[3..];
        }
        Ok(decoded)
    }

    /// The text as Go writes it, from what was decoded.
    fn encode(self, decoded: &[u8]) -> String {
        let mut text = String::with_capacity(decoded.len());
        for &octet in decoded {
            if self.keeps(octet) {
                text.push(char::from(octet));
            } else {
                push_escape(&mut text, octet);
            }
        }
        text
    }

    /// A path or fragment: as it was written, if its octets may stand there, else encoded anew.
    fn escaped(self, text: &[u8]) -> Result<Cow<'static, str>, String> {
        let decoded = self.decode(text)?;
        const WRITTEN: OctetSet = OctetSet::of(b"!$&'()*+,;=:@[]%");
        let is_valid = text.iter().all(|octet| self.keeps(*octet) || WRITTEN.has(*octet));
        Ok(match self {
            Part::Path if decoded == b"*" => Cow::Borrowed("*"),
            _ if is_valid => own(text),
            _ => Cow::Owned(self.encode(&decoded)),
        })
    }
}

fn own(octets: &[u8]) -> Cow<'static, str> {
    Cow::Owned(String::from_utf8_lossy(octets).into_owned())
}

fn parts(octets: &[u8]) -> Result<ReadingParts<'static>, String> {
    let (text, fragment) = cut_octets(octets, b'#');
    if text.iter().any(u8::is_ascii_control) {
        return Err("invalid control character in URL".into());
    }
    let mut parts = ReadingParts::default();
    let (scheme, rest) = scheme(text)?;
    parts.scheme = own(&scheme.to_ascii_lowercase());
    let (rest, query) = cut_octets(rest, b'?');
    parts.query = query.map(own);
    let is_rootless = !rest.starts_with(b"/");
    parts.path = if is_rootless && !scheme.is_empty() {
        own(rest) // opaque
    } else {
        if is_rootless && cut_octets(rest, b'/').0.contains(&b':') {
            return Err("first path segment in URL cannot contain colon".into());
        }
        match rest.strip_prefix(b"//").filter(|rest| !scheme.is_empty() || !rest.starts_with(b"/")) {
            Some(rest) => {
                let end = rest.iter().position(|octet| *octet == b'/').unwrap_or(rest.len());
                authority(&rest[..end], &parts.scheme.clone(), &mut parts)?;
                Part::Path.escaped(&rest[end..])?
            }
            None => Part::Path.escaped(rest)?,
        }
    };
    let fragment = fragment.filter(|fragment| !fragment.is_empty());
    parts.fragment = fragment.map(|fragment| Part::Fragment.escaped(fragment)).transpose()?;
    Ok(parts)
}

/// The scheme, empty if there is none, and what follows it.
fn scheme(text: &[u8]) -> Result<(&[u8], &[u8]), String> {
    let is_scheme = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.');
    match cut_octets(text, b':') {
        ([], Some(_)) => Err("missing protocol scheme".into()),
        (scheme, Some(rest)) if scheme[0].is_ascii_alphabetic() && scheme.iter().all(is_scheme) => Ok((scheme, rest)),
        _ => Ok((b"", text)),
    }
}

/// Reads login, host and port.
fn authority(text: &[u8], scheme: &str, parts: &mut ReadingParts<'static>) -> Result<(), String> {
    let (login, host) = match text.iter().rposition(|octet| *octet == b'@') {
        Some(at) => (Some(&text[..at]), &text[at + 1..]),
        None => (None, text),
    };
    let host = hostport(host, scheme)?;
    if let Some(login) = login {
        let is_valid = |octet: &u8| octet.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(octet);
        if !login.iter().all(is_valid) {
            return Err("invalid userinfo".into());
        }
        let (user, password) = cut_octets(login, b':');
        let rewritten = |text: &[u8]| Ok::<_, String>(Cow::Owned(Part::Login.encode(&Part::Login.decode(text)?)));
        parts.user = Some(rewritten(user)?);
        parts.password = password.map(rewritten).transpose()?;
    }
    let (host, port) = match host.iter().rposition(|octet| *octet == b':') {
        Some(colon) if host[colon + 1..].iter().all(u8::is_ascii_digit) => (&host[..colon], &host[colon + 1..]),
        _ => (&*host, &b""[..]),
    };
    parts.host = (!host.is_empty()).then(|| own(host));
    parts.port = (!port.is_empty()).then(|| own(port));
    Ok(())
}

/// The decoded host with its port.
fn hostport(text: &[u8], scheme: &str) -> Result<Vec<u8>, String> {
    let invalid = Err("invalid IP-literal".to_owned());
    match text.iter().rposition(|octet| *octet == b'[') {
        Some(0) => {}
        Some(_) => return invalid,
        None => {
            // Only http and https insist on one colon.
            let colon = match scheme {
                "http" | "https" => text.iter().position(|octet| *octet == b':'),
                _ => text.iter().rposition(|octet| *octet == b':'),
            };
            check_port(&text[colon.unwrap_or(text.len())..])?;
            return Part::Host.decode(text);
        }
    }
    let end = text.iter().rposition(|octet| *octet == b']').ok_or("missing ']' in host")?;
    let (inner, port) = (&text[1..end], &text[end + 1..]);
    check_port(port)?;
    let zone = inner.windows(3).position(|octets| octets == b"%25").unwrap_or(inner.len());
    let host = [Part::Host.decode(&inner[..zone])?, Part::Zone.decode(&inner[zone..])?].concat();
    let (address, zone) = cut_octets(&host, b'%');
    let is_address = str::from_utf8(address).is_ok_and(|address| address.parse::<Ipv6Addr>().is_ok());
    if !is_address || zone.is_some_and(<[u8]>::is_empty) {
        return invalid;
    }
    Ok([b"[", &*host, b"]", port].concat())
}

/// Whether it is nothing, or a colon and digits.
fn check_port(text: &[u8]) -> Result<(), String> {
    match text.split_first() {
        None => Ok(()),
        Some((b':', digits)) if digits.iter().all(u8::is_ascii_digit) => Ok(()),
        Some(_) => Err("invalid port after host".into()),
    }
}
