//! E-26 for headers, and E-27: mail routed through another host.

use super::auditor::Auditor;
use super::finding::Detail;
use super::rules::{MAILTO_INJECT, MAILTO_RELAY};
use crate::encoded::Octets;
use crate::language::words;
use crate::scheme::Locator;
use crate::scheme::mailto::{HEADERS, LOCAL};

pub(super) fn check(a: &mut Auditor<'_, '_>) {
    let Locator::Mailto(mailto) = a.url.locator() else {
        return;
    };
    relay(a);
    let mut start = a.slot(HEADERS).map_or(0, |span| span.start);
    for (name, value) in mailto.headers() {
        let end = start + name.as_str().len() + value.map_or(0, |value| value.as_str().len() + 1);
        let is_named = |header: &[u8]| name.octets().map(|octet| octet.to_ascii_lowercase()).eq(header.iter().copied());
        if start < end && !is_named(b"subject") && !is_named(b"body") {
            // A header without a name is reported by its value.
            let named = if name.is_empty() { end } else { start + name.as_str().len() };
            // Line ends in it are already reported.
            if !Octets::new(&a.octets[start..named]).any(|octet| matches!(octet, b'\r' | b'\n')) {
                a.report(
                    MAILTO_INJECT,
                    start..named,
                    words!("header"),
                    Detail::Words(words!("is not safe for a URL to set")),
                );
            }
        }
        start = end + 1;
    }
}

/// Reports the first octet of the local part that routes mail: `%` or `!`, quoted or not, or a quoted `@`.
fn relay(a: &mut Auditor<'_, '_>) {
    let Some(span) = a.slot(LOCAL) else {
        return;
    };
    let mut octets = Octets::new(&a.octets[span.clone()]);
    let mut start = span.start;
    while let Some(octet) = octets.next() {
        let end = span.start + octets.position();
        if matches!(octet, b'%' | b'!' | b'@') {
            a.report(MAILTO_RELAY, start..end, words!("local part"), Detail::NONE);
            return;
        }
        start = end;
    }
}
