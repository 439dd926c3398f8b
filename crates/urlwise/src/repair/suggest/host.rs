//! Hosts and ports.

use alloc::format;
use alloc::string::{String, ToString};

use super::text::Text;
use crate::character::lookalike;

/// A blank at either end of the host, or the punctuation of a sentence behind it.
pub(super) fn trimmed(text: &Text<'_>) -> Option<String> {
    let authority = &text.text[text.authority()?];
    let is_open = text.authority()?.end == text.text.len();
    let trimmed = authority.trim_matches(' ');
    let trimmed = match is_open {
        true => trimmed.trim_end_matches(['"', '\'', ')', ',', ';', '!', '.', '\u{201D}', '\u{2019}', '\u{BB}']),
        false => trimmed,
    };
    text.with_authority(trimmed)
}

pub(super) fn dotted(text: &Text<'_>) -> Option<String> {
    let authority = &text.text[text.authority()?];
    let is_inside = !authority.ends_with(',') && authority.matches(',').count() == 1;
    is_inside.then(|| text.with_authority(&authority.replace(',', "."))).flatten()
}

/// `ftp://host.dom;type=a`.
pub(super) fn typecode(text: &Text<'_>) -> Option<String> {
    let authority = &text.text[text.authority()?];
    text.with_authority(&authority.replacen(";type=", "/;type=", 1))
}

/// `telnet://host.dom 23`.
pub(super) fn with_port(text: &Text<'_>) -> Option<String> {
    let (host, port) = text.text[text.authority()?].split_once(' ')?;
    let is_port = !port.is_empty() && port.bytes().all(|octet| octet.is_ascii_digit());
    is_port.then(|| text.with_authority(&format!("{host}:{port}"))).flatten()
}

pub(super) fn one_dot(text: &Text<'_>) -> Option<String> {
    let authority = &text.text[text.authority()?];
    let is_inside = !authority.ends_with('.') && !authority.starts_with('.');
    is_inside.then(|| text.with_authority(&authority.replace("..", "."))).flatten()
}

pub(super) fn without_last_dot(text: &Text<'_>) -> Option<String> {
    let authority = &text.text[text.authority()?];
    text.with_authority(authority.strip_suffix('.')?)
}

/// `http://fe80::1/` and `http://[::1/`.
pub(super) fn bracketed(text: &Text<'_>) -> Option<String> {
    let authority = &text.text[text.authority()?];
    let address = authority.strip_prefix('[').unwrap_or(authority);
    address.parse::<core::net::Ipv6Addr>().ok()?;
    text.with_authority(&format!("[{address}]"))
}

/// `news:id@[1.2.3.4]`, as mail writes an address; a URL writes none of these brackets.
pub(super) fn bare_address(text: &Text<'_>) -> Option<String> {
    let (before, rest) = text.text.split_once("@[").filter(|_| text.is_scheme(&["news"]))?;
    let address = rest.strip_suffix(']')?;
    address.parse::<core::net::Ipv4Addr>().ok()?;
    Some(format!("{before}@{address}"))
}

/// `http://[host.dom]/`.
pub(super) fn unbracketed(text: &Text<'_>) -> Option<String> {
    let authority = &text.text[text.authority()?];
    let name = authority.strip_prefix('[')?.strip_suffix(']')?;
    (!name.contains(':')).then(|| text.with_authority(name)).flatten()
}

/// `http:///host.dom/`, where the first name is clearly a host.
pub(super) fn fewer_slashes(text: &Text<'_>) -> Option<String> {
    let (name, rest) = text.split()?;
    let rest = rest.trim_start_matches('/');
    let host = rest.split(['/', '?', ':']).next().unwrap_or_default();
    host.contains('.').then(|| format!("{name}://{rest}"))
}

/// A port among blanks or punctuation, or in digits of full width.
pub(super) fn port_digits(text: &Text<'_>) -> Option<String> {
    let authority = &text.text[text.authority()?];
    let (before, port) = authority.rsplit_once(':')?;
    let is_mark = |c: char| c == ' ' || matches!(c, '.' | ',');
    let port: String = port.trim_matches(is_mark).chars().map(|c| lookalike(c).unwrap_or(c)).collect();
    let is_port = !port.is_empty() && port.bytes().all(|octet| octet.is_ascii_digit());
    is_port.then(|| text.with_authority(&format!("{before}:{port}")).map(|text| text.to_string())).flatten()
}
