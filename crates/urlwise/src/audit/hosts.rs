//! E-19 to E-21: local hosts, ambiguous IP addresses and names in other scripts.

use alloc::borrow::Cow;
use alloc::format;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use core::ops::Range;

use super::auditor::Auditor;
use super::provenance::Provenance;
use super::puny;
use super::rules::{HOST_LOCAL, HOST_NUMBER_FORM, HOST_PUNY};
use crate::display::escape_for_display;
use crate::host::HostKind;
use crate::layout::HOST;
use crate::word;

pub(super) fn check(a: &mut Auditor<'_, '_>) {
    let Some(span) = a.slot(HOST).filter(|span| !span.is_empty()) else {
        return;
    };
    if a.provenance != Provenance::Given && is_near(a) {
        a.report(HOST_LOCAL, span.clone(), "host", "");
    }
    let text = &a.octets[span.clone()];
    match a.layout().host_kind() {
        HostKind::Ipv4 => pieces(span, text, |group, digits| {
            if let [b'0', _, ..] = digits {
                a.report(HOST_NUMBER_FORM, group, "host", "");
            }
        }),
        HostKind::Name if word::position(text, b'-').is_some() => pieces(span, text, |label, written| {
            let prefixed = written.split_at_checked(4).filter(|(prefix, _)| prefix.eq_ignore_ascii_case(b"xn--"));
            if let Some((_, encoded)) = prefixed {
                let detail = match puny::decode(&encoded.to_ascii_lowercase()) {
                    Some(name) => Cow::Owned(format!("`{}`", escape_for_display(name.as_bytes()))),
                    None => "a name that cannot be decoded".into(),
                };
                a.report(HOST_PUNY, label, "host", detail);
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

/// Whether the host is this machine or in a private network, judged by its name or address alone.
fn is_near(a: &Auditor<'_, '_>) -> bool {
    let Some(host) = a.url.host() else {
        return false;
    };
    match host.ip() {
        Some(ip) => is_local(ip),
        None => {
            let name = host.as_str().strip_suffix('.').unwrap_or(host.as_str());
            let top = name.rsplit('.').next().unwrap_or_default();
            top.eq_ignore_ascii_case("localhost")
        }
    }
}

/// Whether an address is loopback, private, link-local, multicast or otherwise not public ([`HOST_LOCAL`]). Also covers
/// IPv6 addresses with such an [embedded IPv4 address](embedded_v4).
///
/// ```
/// use urlwise::audit::is_local;
///
/// assert!(is_local("192.168.0.1".parse()?) && is_local("::ffff:10.0.0.1".parse()?));
/// assert!(!is_local("192.0.2.1".parse()?));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
pub fn is_local(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(v4) => is_local_v4(v4),
        IpAddr::V6(v6) => match embedded_v4(v6) {
            Some(v4) => is_local_v4(v4),
            // fc00::/7, fe80::/10 and ff00::/8: private, link-local, multicast.
            None => matches!(v6.segments()[0], 0xfc00..=0xfdff | 0xfe80..=0xfebf | 0xff00..=0xffff),
        },
    }
}

fn is_local_v4(v4: Ipv4Addr) -> bool {
    match v4.octets() {
        [0 | 10 | 127 | 224..=239, ..] | [255, 255, 255, 255] | [169, 254, ..] | [192, 168, ..] => true,
        [172, b, ..] => (16..32).contains(&b),
        [100, b, ..] => (64..128).contains(&b),
        _ => false,
    }
}

/// The IPv4 address inside a mapped, compatible, NAT64 or 6to4 address.
pub fn embedded_v4(v6: Ipv6Addr) -> Option<Ipv4Addr> {
    let joined = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Some(Ipv4Addr::new(a, b, c, d))
    };
    match v6.segments() {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] => joined(high, low),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => joined(high, low),
        [0x2002, high, low, ..] => joined(high, low),
        _ => None,
    }
}
