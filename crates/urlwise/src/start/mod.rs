//! The start of every URL: `scheme ":"`, and the way from there to the scheme's own grammar (section 2.1, D-01 to D-07).

use crate::class;
use crate::code::Code;
use crate::grammar::SCHEME;
use crate::layout::{Layout, Slot};
use crate::own_section;
use crate::profile::Profile;
use crate::raw_problem::RawProblem;
use crate::reader::{self, FirstError, Outcome, Reader, Report, Sink};
use crate::scheme::{self, Reserved, Scheme};

pub(crate) mod trap;

/// Reads a text to its end, or to its first error. Compiled once for all owners of the text, and with the reader built inside, so
/// that its fields can stay in registers.
#[inline(never)]
pub(crate) fn check(octets: &[u8], layout: &mut Layout) -> Outcome {
    read(&mut Reader::new(octets, layout, FirstError))
}

/// Reads a text and reports its problems. Compiled once for all receivers.
pub(crate) fn report(r: &mut Reader<'_, Report<'_>>) -> Outcome {
    read(r)
}

/// Where the parts of a URL stand in its text.
///
/// # Errors
/// The first error of a text that is not a URL.
pub(crate) fn explain(octets: &[u8], profile: Profile) -> Result<Layout, RawProblem> {
    reader::explain(octets, profile, report).map_err(|finding| {
        let scheme = scheme::known(octets, profile).map(|(scheme, _)| scheme);
        RawProblem { section: own_section::of(&finding, octets, scheme), ..finding }
    })
}

/// Reads the whole text.
#[inline(always)]
pub(crate) fn read<S: Sink>(r: &mut Reader<'_, S>) -> Outcome {
    if u32::try_from(r.octets.len()).is_err() {
        return r.report(Code::UrlLength, 0..0, &SCHEME);
    }
    let (scheme, start, end) = match scheme::known(r.octets, r.profile()) {
        Some((scheme, length)) => (scheme, 0, length),
        None => match name(r)? {
            Some(found) => found,
            None => return Ok(()),
        },
    };
    r.at = end + 1;
    r.layout.scheme_name = Slot::new(start, end);
    r.layout.set_scheme(scheme);
    if S::REPORTS {
        remarks(r, scheme, start, end)?;
    }
    scheme::read(r, scheme)
}

/// Reads any name: the scheme, and where the name begins and ends. `None` if there is none.
#[inline]
fn name<S: Sink>(r: &mut Reader<'_, S>) -> Outcome<Option<(Scheme, usize, usize)>> {
    r.at = class::skip(r.octets, 0, class::SCHEME);
    let start = match r.peek() {
        Some(b':') => 0,
        _ => match odd_start(r)? {
            Some(start) => start,
            None => return Ok(None),
        },
    };
    let end = r.at;
    if start == end {
        r.report(Code::SchemeEmpty, end..end + 1, &SCHEME)?;
        return Ok(None);
    }
    // All names that stand at the start of the text have been looked for.
    let scheme = match start {
        0 => Scheme::Other,
        _ => Scheme::from_name(&r.octets[start..end], r.profile()),
    };
    if scheme == Scheme::Other {
        other(r, start, end)?;
    }
    Ok(Some((scheme, start, end)))
}

/// There is no colon right after what may stand in a scheme. Reports why. Where only the first octets are odd (a blank, a
/// bracket of the text around), returns the place behind them, at which a name begins, and leaves the reader at its colon.
#[cold]
fn odd_start<S: Sink>(r: &mut Reader<'_, S>) -> Outcome<Option<usize>> {
    // None of these stands among what was read.
    let first = r.rest().iter().position(|octet| matches!(octet, b':' | b'/' | b'?' | b'#'));
    let Some(colon) = first.map(|length| r.at + length).filter(|&at| r.octets[at] == b':') else {
        r.report(Code::SchemeMissing, 0..r.octets.len(), &SCHEME)?;
        return Ok(None);
    };
    let mut odd_end = 0;
    let mut is_name = true;
    while r.at < colon {
        is_name &= r.at == odd_end;
        let run = r.run();
        odd_end = run.end.min(colon);
        r.report(Code::SchemeChar, run.start..odd_end, &SCHEME)?;
        r.at = class::skip(r.octets, odd_end, class::SCHEME);
    }
    Ok((is_name && odd_end < colon).then_some(odd_end))
}

/// What decides about names without rules of their own.
fn other<S: Sink>(r: &mut Reader<'_, S>, start: usize, end: usize) -> Outcome {
    let name = &r.octets[start..end];
    if !name[0].is_ascii_alphabetic() {
        r.report(Code::SchemeFirst, start..start + 1, &SCHEME)?;
    }
    if name.eq_ignore_ascii_case(b"url") {
        r.report(Code::SchemeUrlPrefix, start..end + 1, &SCHEME)?;
    }
    Ok(())
}

/// Warnings and notes about the name.
fn remarks<S: Sink>(r: &mut Reader<'_, S>, scheme: Scheme, start: usize, end: usize) -> Outcome {
    let name = &r.octets[start..end];
    if name.iter().any(u8::is_ascii_uppercase) && !name.eq_ignore_ascii_case(b"url") {
        r.report(Code::SchemeCase, start..end, &SCHEME)?;
    }
    let known = Scheme::from_name(name, Profile::Current);
    if known.is_tls() {
        r.report(Code::SchemeSibling, start..end, &SCHEME)?;
    } else if known != Scheme::Other && known.since() != Profile::Rfc1738 {
        r.report(Code::SchemeCurrent, start..end, &SCHEME)?;
    }
    if scheme != Scheme::Other {
        return Ok(());
    }
    if scheme::is_experimental(name) {
        r.report(Code::SchemeExperimental, start..end, &SCHEME)?;
    } else if Reserved::of(name).is_some() {
        r.report(Code::SchemeProposed, start..end, &SCHEME)?;
    } else if core::str::from_utf8(r.octets).is_ok_and(|text| trap::suggestion(text).is_some())
        && !name.eq_ignore_ascii_case(b"url")
    {
        r.report(Code::SchemeTrap, start..end, &SCHEME)?;
    }
    Ok(())
}
