//! mailto, section 3.5: `mailto:` and the encoding of an RFC 822 addr-spec.

use super::definition::{Definition, Needs, References};
use super::part::{Lead, Lead::Text, PartKind};
use super::view::{Fields, View, masked_debug};
use crate::addr_spec;
use crate::code::Code;
use crate::common;
use crate::encoded::{self, Encoded, Octets};
use crate::grammar::{ADDR_SPEC, HFIELD};
use crate::language::words;
use crate::layout::{Slot, own_slots};
use crate::profile::Profile;
use crate::quick::address;
use crate::reader::{self, Outcome, Reader, Sink, Until};
use crate::word;

own_slots!(ADDRESS, pub(crate) LOCAL, DOMAIN, pub(crate) HEADERS);

pub(super) static DEFINITION: Definition = Definition {
    name: "mailto",
    title: words!("Electronic mail address"),
    section: "3.5",
    since: Profile::Rfc1738,
    default_port: None,
    siblings: &[],
    needs: Needs::Address,
    references: References::NONE,
    parts: &[
        PartKind::whole(words!("address"), ADDRESS, &ADDR_SPEC, Text("")).naming(),
        PartKind::encoded(words!("local"), LOCAL, &ADDR_SPEC, Lead::Side("address")).labelled(words!("local part")),
        PartKind::encoded(words!("domain"), DOMAIN, &ADDR_SPEC, Lead::Side("address")),
        PartKind::fields(words!("header"), "headers", HEADERS, b'&', [&HFIELD, &HFIELD], Lead::First("?", "&"))
            .current(),
    ],
    same: &[],
};

#[inline(always)]
pub(super) fn read<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let (start, errors) = (r.at, r.errors());
    if !S::REPORTS && (!r.is_current() || word::position(r.rest(), b'?').is_none()) && plain(r) {
        return Ok(());
    }
    if S::REPORTS && !r.rest().is_empty() && r.rest().trim_ascii().is_empty() {
        r.at = r.octets.len();
        r.layout.slots[ADDRESS] = Slot::new(r.at, r.at);
        return r.report(Code::MailtoAddrspec, start..r.at, &ADDR_SPEC);
    }
    if S::REPORTS && common::is_bracketed(r.rest()) {
        return common::brackets(
            r,
            Code::MailtoAddrspec,
            &ADDR_SPEC,
            words!("an address in a URL is not enclosed in `<` and `>`"),
        );
    }
    // RFC 6068 begins the header fields at the first `?`, RFC 1738 knows of none (D-54).
    let question = match S::REPORTS || r.is_current() {
        true => r.rest().iter().position(|&octet| octet == b'?').map(|length| start + length),
        false => None,
    };
    if let Some(at) = question {
        r.report(Code::MailtoHfields, at..at + 1, &ADDR_SPEC)?;
    }
    let end = question.filter(|_| r.is_current()).unwrap_or(r.octets.len());
    r.within(end, |r| {
        r.part(ADDRESS, &ADDR_SPEC, Until::End)?;
        r.at = start;
        match r.errors() == errors {
            true => address(r),
            false => Ok(()),
        }
    })?;
    r.at = end;
    if r.take(b'?') {
        r.part(HEADERS, &HFIELD, Until::End)?;
    }
    r.at = r.octets.len();
    Ok(())
}

/// Reads the rest of the text if it is an address with nothing to report.
#[inline(always)]
fn plain<S: Sink>(r: &mut Reader<'_, S>) -> bool {
    let (start, end) = (r.at, r.octets.len());
    let Some(length) = address::plain(r.rest()) else {
        return false;
    };
    r.layout.slots[ADDRESS] = Slot::new(start, end);
    r.layout.slots[LOCAL] = Slot::new(start, start + length);
    r.layout.slots[DOMAIN] = Slot::new(start + length + 1, end);
    r.at = end;
    true
}

/// Checks the address that was read, and finds its two sides.
#[inline]
fn address<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let start = r.at;
    let spec = match addr_spec::read(r.rest()) {
        Ok(spec) => spec,
        Err(no) => {
            let span = start + no.at.start..start + character_end(r.rest(), no.at.clone());
            return r.report_detail(Code::MailtoAddrspec, span, Some(&ADDR_SPEC), no.why);
        }
    };
    let (domain, end) = (start + spec.domain.start, start + spec.domain.end);
    r.layout.slots[LOCAL] = Slot::new(start, start + spec.local.end);
    r.layout.slots[DOMAIN] = Slot::new(domain, end);
    if spec.has_controls {
        controls(r)?;
    }
    if S::REPORTS {
        // Nothing is reserved in an address: it is decoded first, then looked at (D-56).
        let decoded = encoded::decode(&r.octets[domain..end]);
        if !reader::is_valid(&decoded, r.profile(), common::only_host) {
            r.report(Code::MailtoDomain, domain..end, &ADDR_SPEC)?;
        }
    }
    Ok(())
}

/// The end of the character that starts with an octet of the text, all its octets escaped or none; CR LF is one.
fn character_end(text: &[u8], octet: core::ops::Range<usize>) -> usize {
    let mut end = octet.end;
    let mut last = encoded::escape_at(text, octet.start);
    while let (Some(before), Some(next)) = (last, encoded::escape_at(text, end)) {
        let goes_on = (before >= 0xC0 || (0x80..0xC0).contains(&before)) && (0x80..0xC0).contains(&next);
        if !goes_on && (before, next) != (b'\r', b'\n') {
            break;
        }
        end += 3;
        last = Some(next);
    }
    end
}

/// Reports each control octet of the address, from here to the end of the text.
#[cold]
fn controls<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    let mut octets = Octets::new(r.rest());
    loop {
        let from = r.at + octets.position();
        match octets.next() {
            Some(octet) if octet.is_ascii_control() => {
                r.report(Code::MailtoCtl, from..r.at + octets.position(), &ADDR_SPEC)?;
            }
            Some(_) => {}
            None => return Ok(()),
        }
    }
}

/// The parts of a mailto URL.
///
/// ```
/// use urlwise::{Locator, Url};
///
/// let url = Url::parse("mailto:user%25host@relay.dom")?;
/// let Locator::Mailto(mailto) = url.locator() else { unreachable!() };
/// assert_eq!(*mailto.local().decode(), *b"user%host");
/// assert_eq!(*mailto.domain().decode(), *b"relay.dom");
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Mailto<'a>(pub(crate) View<'a>);

impl<'a> Mailto<'a> {
    /// The whole addr-spec, encoded; decode first, then look at it (D-56).
    pub fn address(self) -> Encoded<'a> {
        self.part(ADDRESS)
    }

    /// What stands before the `@`, quotes and all.
    pub fn local(self) -> Encoded<'a> {
        self.part(LOCAL)
    }

    /// What stands after the `@`: a domain or a domain literal.
    pub fn domain(self) -> Encoded<'a> {
        self.part(DOMAIN)
    }

    /// The header fields of RFC 6068, names and values, which only the profile `current` reads; of these only `subject` and
    /// `body` are to be honoured (D-54). A field without `=` has no value.
    pub fn headers(self) -> Fields<'a> {
        Fields::new(self.0.plain(HEADERS), b'&')
    }

    fn part(self, slot: usize) -> Encoded<'a> {
        self.0.encoded(slot).unwrap_or(Encoded::new(""))
    }
}

masked_debug!(Mailto);
