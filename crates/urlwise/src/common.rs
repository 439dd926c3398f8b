//! Section 3.1, the common Internet syntax: `//user:password@host:port/url-path`.

use core::net::Ipv6Addr;
use core::ops::Range;

use crate::character;
use crate::class;
use crate::code::Code;
use crate::grammar::{HOST, HOSTNAME, HOSTNUMBER, IP_SCHEMEPART, LOGIN, PASSWORD, PORT, Production, USER};
use crate::host::HostKind;
use crate::language::{Words, words};
use crate::layout::{self, Slot};
pub(crate) use crate::quick::login::Users;
use crate::quick::login::{self, MAX_LABEL};
use crate::reader::{Outcome, Reader, Sink, Until};
use crate::word;

/// Reads the `//`. Always compiled where it is used: it is a few instructions, and a call would be more.
#[inline(always)]
pub(crate) fn slashes<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    if r.rest().starts_with(b"//") {
        r.at += 2;
        return Ok(());
    }
    missing_slashes(r)
}

/// Reports what stands in place of the `//`: one slash, white space, or what looks like slashes.
#[cold]
#[inline(never)]
fn missing_slashes<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let start = r.at;
    let mut end = start;
    while let Some(length) = in_place_of_slash(&r.octets[end..]) {
        if end > start && r.octets[end..].starts_with(b"//") {
            break;
        }
        end += length;
    }
    r.report(Code::SlashesMissing, start..end, &IP_SCHEMEPART)?;
    let slashes = if r.octets[end..].starts_with(b"//") { 2 } else { 0 };
    r.at = end + slashes;
    Ok(())
}

/// The length of what a text begins with if it may stand in place of a slash before a host.
pub(crate) fn in_place_of_slash(text: &[u8]) -> Option<usize> {
    match *text {
        [b'/' | b'\\' | b' ' | b'\t' | b'\r' | b'\n', ..] => Some(1),
        [b'%', b'2', b'F' | b'f', ..] | [b'%', b'5', b'C' | b'c', ..] => Some(3),
        [0x80..=u8::MAX, ..] => character::unlike_itself(text),
        _ => None,
    }
}

/// Reads `[ user [ ":" password ] "@" ] host [ ":" port ]`, which ends at the first of `ends`.
#[inline]
pub(crate) fn login<S: Sink>(r: &mut Reader<'_, S>, users: Users, ends: Until) -> Outcome {
    match login::plain(r, users, ends) {
        true => Ok(()),
        false => any_login(r, users, ends),
    }
}

/// Reads any login.
#[inline(never)]
pub(crate) fn any_login<S: Sink>(r: &mut Reader<'_, S>, users: Users, ends: Until) -> Outcome {
    let mut end = r.at + ends.position_or(b'@', r.rest());
    if r.octets.get(end) == Some(&b'@') {
        userinfo(r, users, end)?;
        end = r.at + ends.position_or(b'/', r.rest());
        if S::REPORTS && r.octets[r.at..end].contains(&b'@') {
            return second_at(r, end);
        }
    }
    r.within(end, hostport)
}

/// Reports each further `@` of a login that ends at `end`: it is unclear where the host begins (D-25).
#[cold]
fn second_at<S: Sink>(r: &mut Reader<'_, S>, end: usize) -> Outcome {
    for at in r.at..end {
        if r.octets[at] == b'@' {
            r.report(Code::AtTwice, at..at + 1, &LOGIN)?;
        }
    }
    r.at = end;
    Ok(())
}

/// Reads a user and password up to the `@`, and that.
fn userinfo<S: Sink>(r: &mut Reader<'_, S>, users: Users, at: usize) -> Outcome {
    if let Users::Forbidden(code) = users {
        r.report(code, r.at..at, &crate::grammar::HOSTPORT)?;
    }
    r.within(at, |r| {
        r.part(layout::USER, &USER, Until::Octet(b':'))?;
        if r.take(b':') {
            r.part(layout::PASSWORD, &PASSWORD, Until::End)?;
        }
        if r.is_current() {
            r.remark_each(layout::USER, *b"?", Code::UserQuestion, &USER)?;
            r.remark_each(layout::PASSWORD, *b"?", Code::UserQuestion, &PASSWORD)?;
        }
        Ok(())
    })?;
    r.at = at + 1;
    Ok(())
}

/// Reads `host [ ":" port ]` up to the end of the text.
#[inline]
fn hostport<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    if S::REPORTS && is_bare_ipv6(r.rest()) {
        return bare_ipv6(r);
    }
    host(r)?;
    match r.peek() {
        Some(_) => port(r),
        None => Ok(()),
    }
}

/// Reads a host up to a `:` or the end of the text.
#[inline]
pub(crate) fn host<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let (start, errors) = (r.at, r.errors());
    match r.peek() {
        None | Some(b':') => {
            r.layout.slots[layout::HOST] = Slot::new(start, start);
            return r.report(Code::HostEmpty, start..start, &HOST);
        }
        Some(b'[') => return ipv6(r),
        Some(_) => {}
    }
    let classes = [class::LABEL, class::LABEL_CURRENT];
    let plain = r.plain(classes);
    let mut label = start;
    let mut toplabel = start;
    loop {
        r.at = class::skip_here(r.octets, r.at, plain);
        match r.peek() {
            Some(b'.') => {
                let is_empty = label == r.at;
                check_label(r, label)?;
                (toplabel, label) = (label, r.at + 1);
                r.at = label;
                if is_empty {
                    // Between further dots the same is wrong.
                    let end = label + r.rest().iter().take_while(|octet| **octet == b'.').count();
                    r.again_before(label..end)?;
                    (label, r.at) = (end, end);
                }
            }
            None | Some(b':') => break,
            Some(_) => odd_in_host(r)?,
        }
    }
    let end = r.at;
    r.layout.slots[layout::HOST] = Slot::new(start, end);
    let trailing_dot = label == end;
    if !trailing_dot {
        check_label(r, label)?;
        toplabel = label;
    } else if end - start > 1 {
        r.report(Code::HostDot, end - 1..end, &HOSTNAME)?;
    }
    if r.errors() != errors {
        // What the rest looks like says nothing while octets or labels are wrong.
        return Ok(());
    }
    if r.octets[toplabel].is_ascii_digit() {
        number(r, start, end)?;
    }
    if end - start > MAX_LABEL && r.layout.host_kind() == HostKind::Name {
        lengths(r, start, end - usize::from(trailing_dot))?;
    }
    if r.layout.host_kind() == HostKind::Name && label == start {
        r.report(Code::HostNotFqdn, start..end, &HOSTNAME)?;
    }
    Ok(())
}

/// The limits of labels and names (D-18); groups of an IP address are not labels.
#[cold]
fn lengths<S: Sink>(r: &mut Reader<'_, S>, start: usize, end: usize) -> Outcome {
    match end - start {
        ..254 => {}
        254..256 => r.report(Code::HostWireLength, start..end, &HOST)?,
        _ => r.report(Code::HostLength, start..end, &HOST)?,
    }
    let octets = &r.octets[..end];
    let mut label = start;
    while let Some(most) = octets.get(label..=label + MAX_LABEL) {
        // The last dot that ends a label of this length: between shorter ones nothing is looked at.
        label = match word::rposition(most, b'.') {
            Some(dot) => label + dot + 1,
            None => {
                let length = word::position(&octets[label..], b'.').unwrap_or(end - label);
                r.report(Code::LabelLength, label..label + length, &HOSTNAME)?;
                label + length + 1
            }
        };
    }
    Ok(())
}

/// The label from `label` to here: begins and ends with a letter or digit (D-19).
#[inline]
fn check_label<S: Sink>(r: &mut Reader<'_, S>, label: usize) -> Outcome {
    let span = label..r.at;
    let detail = match r.octets[span.clone()] {
        [] => words!("a label of the host is empty"),
        [b'-', ..] => words!("a label of the host starts with `-`"),
        [.., b'-'] => words!("a label of the host ends with `-`"),
        _ => return Ok(()),
    };
    r.report_detail(Code::HostLabel, span, Some(&HOSTNAME), detail)
}

/// Reports octets that no host holds, and goes past them.
#[cold]
pub(crate) fn odd_in_host<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let code_of = |octet: u8| match octet {
        b'%' => Code::HostEscape,
        b'_' => Code::HostUnderscore,
        _ => Code::HostChar,
    };
    let code = code_of(r.octets[r.at]);
    let run = r.run_with(|octet| !class::is(octet, class::HOST) && octet != b':' && code_of(octet) == code);
    r.report(code, run.clone(), &HOST)?;
    r.at = run.end;
    Ok(())
}

/// A host whose last label begins with a digit must be four decimal groups (D-21).
#[cold]
fn number<S: Sink>(r: &mut Reader<'_, S>, start: usize, end: usize) -> Outcome {
    let Some(groups) = groups(r.octets, start, end) else {
        return r.report(Code::HostToplabel, start..end, &HOSTNUMBER);
    };
    r.layout.set_host_kind(HostKind::Ipv4);
    for span in groups {
        let group = &r.octets[span.clone()];
        if decimal(group) > 255 {
            r.report(Code::HostnumberRange, span, &HOSTNUMBER)?;
        } else if group.len() > 1 && group[0] == b'0' {
            r.report(Code::HostnumberLeadingZero, span, &HOSTNUMBER)?;
        }
    }
    Ok(())
}

/// The four groups of digits that stand from `start` to `end` with dots between them; `None` where anything else does.
fn groups(octets: &[u8], start: usize, end: usize) -> Option<[Range<usize>; 4]> {
    let text = &octets[..end];
    let mut at = start;
    let groups = [false, true, true, true].map(|is_after_dot| {
        let first = at + usize::from(is_after_dot && text.get(at) == Some(&b'.'));
        at = class::skip_here(text, first, class::DIGIT);
        first..at
    });
    (at == end && groups.iter().all(|group| !group.is_empty())).then_some(groups)
}

/// Reads an IPv6 address in brackets: no host of RFC 1738, one of the current profile.
#[cold]
fn ipv6<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let start = r.at;
    if !S::REPORTS && !r.is_current() {
        // Anything in brackets.
        return r.report(Code::HostIpv6, start..start + 1, &HOST);
    }
    let close = r.rest().iter().position(|&octet| octet == b']');
    let end = close.map_or(r.octets.len(), |length| start + length + 1);
    r.layout.slots[layout::HOST] = Slot::new(start, end);
    r.layout.set_host_kind(HostKind::Ipv6);
    r.at = end;
    let inside = close.and_then(|_| core::str::from_utf8(&r.octets[start + 1..end - 1]).ok());
    let code = match inside.map(str::parse::<Ipv6Addr>) {
        Some(Ok(_)) => Code::HostIpv6,
        _ => Code::HostIpv6Form,
    };
    r.report(code, start..end, &HOST)?;
    while !matches!(r.peek(), None | Some(b':')) {
        odd_in_host(r)?;
    }
    Ok(())
}

/// Whether this is an IPv6 address without its brackets.
fn is_bare_ipv6(text: &[u8]) -> bool {
    core::str::from_utf8(text).is_ok_and(|text| text.parse::<Ipv6Addr>().is_ok())
}

/// Reports an IPv6 address without its brackets, rather than a host and a port that were not meant.
#[cold]
fn bare_ipv6<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let (start, end) = (r.at, r.octets.len());
    let code = if r.is_current() { Code::HostIpv6Form } else { Code::HostIpv6 };
    r.report(code, start..end, &HOST)?;
    r.at = end;
    Ok(())
}

/// Reads `":" port` up to the end of the text.
fn port<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let colon = r.at;
    let start = colon + 1;
    let end = r.octets.len();
    r.layout.slots[layout::PORT] = Slot::new(start, end);
    r.at = class::skip(r.octets, start, class::DIGIT);
    while r.at < end {
        let run = r.run_with(|octet| !octet.is_ascii_digit());
        r.report(Code::PortChar, run.clone(), &PORT)?;
        r.at = class::skip(r.octets, run.end, class::DIGIT);
    }
    let digits = &r.octets[start..end];
    let number = decimal(digits);
    if !digits.is_empty() {
        r.layout.set_port(u16::try_from(number).unwrap_or(u16::MAX));
    }
    match (number, digits) {
        (_, []) => r.report(Code::PortEmpty, colon..start, &PORT),
        (65536.., _) => r.report(Code::PortRange, start..end, &PORT),
        (0, _) if digits.iter().all(|&digit| digit == b'0') => r.report(Code::PortZero, start..end, &PORT),
        (_, [b'0', _, ..]) => r.report(Code::PortLeadingZero, start..end, &PORT),
        _ => Ok(()),
    }
}

/// The number that digits stand for, saturating: there may be any number of them (D-23). Other octets are ignored.
pub(crate) fn decimal(digits: &[u8]) -> u32 {
    digits
        .iter()
        .filter(|octet| octet.is_ascii_digit())
        .fold(0u32, |number, digit| number.saturating_mul(10).saturating_add(u32::from(digit - b'0')))
}

/// Reads a host that nothing may follow, not even a port.
#[inline]
pub(crate) fn only_host<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    host(r)?;
    match r.rest() {
        [] => Ok(()),
        rest => {
            let end = r.at + rest.len();
            r.report(Code::HostChar, r.at..end, &HOST)?;
            r.at = end;
            Ok(())
        }
    }
}

/// Whether the text stands in the brackets that mail and news put around an address or Message-ID.
pub(crate) fn is_bracketed(text: &[u8]) -> bool {
    let (_, end) = text.split_at(text.len().saturating_sub(3));
    bracket(text, b'<', b"%3C").is_some() && (text.ends_with(b">") || end.eq_ignore_ascii_case(b"%3E"))
}

/// The length of a bracket at the start of a text, raw or escaped.
fn bracket(text: &[u8], raw: u8, escaped: &[u8]) -> Option<usize> {
    match text {
        [first, ..] if *first == raw => Some(1),
        _ => text.get(..escaped.len()).filter(|start| start.eq_ignore_ascii_case(escaped)).map(<[u8]>::len),
    }
}

/// Reports the brackets around the rest of the text, and goes past it.
#[cold]
pub(crate) fn brackets<S: Sink>(
    r: &mut Reader<'_, S>,
    code: Code,
    rule: &'static Production,
    detail: Words,
) -> Outcome {
    let (start, end) = (r.at, r.octets.len());
    let open = bracket(r.rest(), b'<', b"%3C").unwrap_or(0);
    let close = if r.rest().ends_with(b">") { 1 } else { 3 };
    r.report_detail(code, start..start + open, Some(rule), detail)?;
    r.report_detail(code, end - close..end, Some(rule), detail)?;
    r.at = end;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn an_address_is_four_groups_of_digits_with_dots_between_them() {
        assert_eq!(groups(b"x1.22.333.4444:", 1, 14), Some([1..2, 3..5, 6..9, 10..14]));
        for text in ["", "1", "1.2.3", "1.2.3.", "1.2.3.4.", "1.2.3.4.5", "1..3.4", ".1.2.3.4", "1-2-3-4", "1.2.3.4a"] {
            assert_eq!(groups(text.as_bytes(), 0, text.len()), None, "{text}");
        }
    }
}
