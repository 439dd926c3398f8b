//! Go: `url.Parse` of `net/url`, with `Hostname` and `Port` of its result.
//!
//! Held to Go 1.27.3 on 2026-11-22. Before 1.26 (GODEBUG `urlstrictcolons=0`) a host of http and https could contain
//! more than one colon, the last one before the port; before 1.25.2 and 1.24.8 brackets could enclose anything and have
//! text before them (CVE-2025-47912).
//!
//! `Parse` accepts texts without a scheme. It does not tell an empty host, port or fragment from an absent one, and
//! decodes the escapes of a host. Path and fragment are what `EscapedPath` and `EscapedFragment` return, the login what
//! `User.String` does.

use super::{ESCAPE, any, cut_octets, escape_at, push_escape};
use crate::octet_set::OctetSet;
use crate::reading::ReadingParts;
use crate::text::Text;
use memchr::{memchr, memrchr};
use std::borrow::Cow;
use std::net::Ipv6Addr;

const INVALID_IN_HOST: &str = "invalid character in host name";

pub(crate) fn read(octets: &[u8]) -> Result<ReadingParts<'_, Text<'_>>, String> {
    parts(octets).map_err(str::to_owned)
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
        const PATH: OctetSet = OctetSet::of(b"-_.~$&+,/:;=@").and_alphanumerics();
        const HOST: OctetSet = OctetSet::of(b"-_.~!$&'()*+,;=:[]<>\"").and_alphanumerics();
        const LOGIN: OctetSet = OctetSet::of(b"-_.~$&+,;=").and_alphanumerics();
        const FRAGMENT: OctetSet = OctetSet::of(b"-_.~$&+,/:;=?@!()*").and_alphanumerics();
        let kept = match self {
            Part::Path => PATH,
            Part::Host | Part::Zone => HOST,
            Part::Login => LOGIN,
            Part::Fragment => FRAGMENT,
        };
        kept.has(octet)
    }

    /// Whether an octet may not stand there unescaped.
    fn refuses(self, octet: u8) -> bool {
        match self {
            Part::Host | Part::Zone => octet.is_ascii() && !self.keeps(octet),
            Part::Path | Part::Login | Part::Fragment => false,
        }
    }

    /// The first octet, decoded, and what follows it; `None` at the end.
    fn next(self, rest: &[u8]) -> Result<Option<(u8, &[u8])>, &'static str> {
        let Some((&first, after)) = rest.split_first() else { return Ok(None) };
        if first != b'%' {
            if self.refuses(first) {
                return Err(INVALID_IN_HOST);
            }
            return Ok(Some((first, after)));
        }
        let octet = escape_at(rest).ok_or("invalid URL escape")?;
        let is_allowed = octet == b'%'
            || match self {
                Part::Path | Part::Login | Part::Fragment => true,
                Part::Host => !octet.is_ascii(),
                Part::Zone => octet == b' ' || self.keeps(octet),
            };
        if is_allowed { Ok(Some((octet, &rest[3..]))) } else { Err("invalid URL escape") }
    }

    /// Calls `visit` with each octet of the decoded text.
    fn decoded(self, text: &[u8], mut visit: impl FnMut(u8)) -> Result<(), &'static str> {
        if !text.contains(&b'%') {
            if text.iter().any(|octet| self.refuses(*octet)) {
                return Err(INVALID_IN_HOST);
            }
            text.iter().copied().for_each(visit);
            return Ok(());
        }
        let mut rest = text;
        while let Some((octet, after)) = self.next(rest)? {
            visit(octet);
            rest = after;
        }
        Ok(())
    }

    /// The decoded text.
    fn decode(self, text: &[u8]) -> Result<Cow<'_, [u8]>, &'static str> {
        if !text.contains(&b'%') {
            self.decoded(text, |_| ())?;
            return Ok(Cow::Borrowed(text));
        }
        let mut decoded = Vec::with_capacity(text.len());
        self.decoded(text, |octet| decoded.push(octet))?;
        Ok(Cow::Owned(decoded))
    }

    /// The text as Go writes it, decoded and encoded anew.
    fn rewritten(self, text: &[u8]) -> Result<Text<'_>, &'static str> {
        if text.iter().all(|octet| self.keeps(*octet)) {
            return Ok(Text::from(text));
        }
        // Memory is asked for once: all of it may be escaped.
        let mut length = 0;
        self.decoded(text, |octet| length += if self.keeps(octet) { 1 } else { ESCAPE })?;
        let mut written = String::with_capacity(length);
        self.decoded(text, |octet| {
            if self.keeps(octet) {
                written.push(char::from(octet));
            } else {
                push_escape(&mut written, octet);
            }
        })?;
        Ok(Text::Written(Cow::Owned(written)))
    }

    /// A path or fragment: as it was written, if its octets may stand there, else encoded anew.
    fn escaped(self, text: &[u8]) -> Result<Text<'_>, &'static str> {
        const WRITTEN: OctetSet = OctetSet::of(b"!$&'()*+,;=:@[]%");
        match text {
            b"%2A" | b"%2a" if self == Part::Path => Ok(Text::from("*")),
            text if text.iter().all(|octet| self.keeps(*octet) || WRITTEN.has(*octet)) => {
                if text.contains(&b'%') {
                    self.decoded(text, |_| ())?;
                }
                Ok(Text::from(text))
            }
            text => self.rewritten(text),
        }
    }
}

fn parts(octets: &[u8]) -> Result<ReadingParts<'_, Text<'_>>, &'static str> {
    let (text, fragment) = cut_octets(octets, b'#');
    if any(text, |octet| octet.is_ascii_control()) {
        return Err("invalid control character in URL");
    }
    let mut parts = ReadingParts::default();
    let (scheme, rest) = scheme(text)?;
    parts.scheme = Cow::Owned(String::from_utf8_lossy(scheme).to_ascii_lowercase());
    let (rest, query) = cut_octets(rest, b'?');
    parts.query = query.map(Text::from);
    let is_rootless = !rest.starts_with(b"/");
    parts.path = if is_rootless && !scheme.is_empty() {
        Text::from(rest) // opaque
    } else {
        if is_rootless && cut_octets(rest, b'/').0.contains(&b':') {
            return Err("first path segment in URL cannot contain colon");
        }
        match rest.strip_prefix(b"//").filter(|rest| !scheme.is_empty() || !rest.starts_with(b"/")) {
            Some(rest) => {
                let end = memchr(b'/', rest).unwrap_or(rest.len());
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
fn scheme(text: &[u8]) -> Result<(&[u8], &[u8]), &'static str> {
    let is_scheme = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.');
    match cut_octets(text, b':') {
        ([], Some(_)) => Err("missing protocol scheme"),
        (scheme, Some(rest)) if scheme[0].is_ascii_alphabetic() && scheme.iter().all(is_scheme) => Ok((scheme, rest)),
        _ => Ok((b"", text)),
    }
}

/// Reads login, host and port.
fn authority<'t>(text: &'t [u8], scheme: &str, parts: &mut ReadingParts<'t, Text<'t>>) -> Result<(), &'static str> {
    let (login, host) = match memrchr(b'@', text) {
        Some(at) => (Some(&text[..at]), &text[at + 1..]),
        None => (None, text),
    };
    let mut host = hostport(host, scheme)?;
    if let Some(login) = login {
        const VALID: OctetSet = OctetSet::of(b"-._:~!$&'()*+,;=%@").and_alphanumerics();
        if !login.iter().all(|octet| VALID.has(*octet)) {
            return Err("invalid userinfo");
        }
        let (user, password) = cut_octets(login, b':');
        parts.user = Some(Part::Login.rewritten(user)?);
        parts.password = password.map(|password| Part::Login.rewritten(password)).transpose()?;
    }
    let is_digits = |octets: &[u8]| octets.iter().all(u8::is_ascii_digit);
    let colon = memrchr(b':', &host).filter(|colon| is_digits(&host[colon + 1..]));
    if let Some(colon) = colon {
        let port = match &host {
            Cow::Borrowed(host) => Text::from(&host[colon + 1..]).written(),
            Cow::Owned(host) => Cow::Owned(String::from_utf8_lossy(&host[colon + 1..]).into_owned()),
        };
        parts.port = (!port.is_empty()).then_some(port);
        match &mut host {
            Cow::Borrowed(host) => *host = &host[..colon],
            Cow::Owned(host) => host.truncate(colon),
        }
    }
    parts.host = (!host.is_empty()).then(|| Text::from(host));
    Ok(())
}

/// The decoded host with its port.
fn hostport<'t>(text: &'t [u8], scheme: &str) -> Result<Cow<'t, [u8]>, &'static str> {
    let invalid = Err("invalid IP-literal");
    match memrchr(b'[', text) {
        Some(0) => {}
        Some(_) => return invalid,
        None => {
            // Only http and https insist on one colon.
            let colon = match scheme {
                "http" | "https" => memchr(b':', text),
                _ => memrchr(b':', text),
            };
            check_port(&text[colon.unwrap_or(text.len())..])?;
            return Part::Host.decode(text);
        }
    }
    let end = memrchr(b']', text).ok_or("missing ']' in host")?;
    let (inner, port) = (&text[1..end], &text[end + 1..]);
    check_port(port)?;
    let zone = inner.windows(3).position(|octets| octets == b"%25").unwrap_or(inner.len());
    let host = [Part::Host.decode(&inner[..zone])?, Part::Zone.decode(&inner[zone..])?].concat();
    let (address, zone) = cut_octets(&host, b'%');
    let is_address = str::from_utf8(address).is_ok_and(|address| address.parse::<Ipv6Addr>().is_ok());
    if !is_address || zone.is_some_and(<[u8]>::is_empty) {
        return invalid;
    }
    Ok(Cow::Owned([b"[", &*host, b"]", port].concat()))
}

/// Whether it is nothing, or a colon and digits.
fn check_port(text: &[u8]) -> Result<(), &'static str> {
    match text.split_first() {
        None => Ok(()),
        Some((b':', digits)) if digits.iter().all(u8::is_ascii_digit) => Ok(()),
        Some(_) => Err("invalid port after host"),
    }
}
