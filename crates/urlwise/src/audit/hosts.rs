//! E-19 to E-21: local hosts, ambiguous IP addresses and names in other scripts.

use alloc::format;
use core::ops::Range;

use super::address::{AddressClass, is_local};
use super::auditor::Auditor;
use super::finding::Detail;
use super::provenance::Provenance;
use super::puny;
use super::rules::{HOST_LOCAL, HOST_NUMBER_FORM, HOST_PUNY};
use crate::display::escape_for_display;
use crate::host::HostKind;
use crate::language::words;
use crate::layout::HOST;
use crate::word;

pub(super) fn check(a: &mut Auditor<'_, '_>) {
    let Some(span) = a.slot(HOST).filter(|span| !span.is_empty()) else {
        return;
    };
    if is_stranger_near(a) {
        a.report(HOST_LOCAL, span.clone(), words!("host"), Detail::NONE);
    }
    let text = &a.octets[span.clone()];
    match a.layout().host_kind() {
        HostKind::Ipv4 => pieces(span, text, |group, digits| {
            if let [b'0', _, ..] = digits {
                a.report(HOST_NUMBER_FORM, group, words!("host"), Detail::NONE);
            }
        }),
        HostKind::Name if word::position(text, b'-').is_some() => pieces(span, text, |label, written| {
            let prefixed = written.split_at_checked(4).filter(|(prefix, _)| prefix.eq_ignore_ascii_case(b"xn--"));
            if let Some((_, encoded)) = prefixed {
                let detail = match puny::decode(&encoded.to_ascii_lowercase()) {
                    Some(name) => Detail::Text(format!("`{}`", escape_for_display(name.as_bytes())).into()),
                    None => Detail::Words(words!("a name that cannot be decoded")),
                };
                a.report(HOST_PUNY, label, words!("host"), detail);
            }
        }),
        HostKind::Name | HostKind::Ipv6 => {}
    }
}

/// Calls `each` for every label of a host.
fn pieces(span: Range<usize>, text: &[u8], mut each: impl FnMut(Range<usize>, &[u8])) {
    let mut start = span.start;
    for piece in text.split(|&octet| octet == b'.') {
        each(start..start + piece.len(), piece);
        start += piece.len() + 1;
    }
}

/// Whether a URL that others wrote names this machine or a private network.
pub(super) fn is_stranger_near(a: &Auditor<'_, '_>) -> bool {
    a.provenance != Provenance::Given && is_near(a)
}

/// Whether the host is this machine or in a private network, judged by its name or address alone.
fn is_near(a: &Auditor<'_, '_>) -> bool {
    let Some(host) = a.url.host() else {
        return false;
    };
    match host.ip() {
        Some(ip) => is_local(ip),
        None => AddressClass::of_name(host.as_str()) == Some(AddressClass::Loopback),
    }
}
