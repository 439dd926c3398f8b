//! A URL among words, and several URLs: the text is refused, and what it holds is named (D-77, D-78).

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use super::around::{Frame, contains, is_known, is_white, scheme_length};
use super::rules::{SECOND_URL, TEXT_AROUND};
use super::{Candidate, Halt, pasted};
use crate::find::Finder;
use crate::profile::Profile;

/// So many URLs of one text are named.
const MOST_NAMED: usize = 4;

struct Found {
    span: Range<usize>,
    url: String,
}

/// The URLs in a text that differ, with one more than are named.
fn urls(text: &[u8]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for hit in Finder::new().profile(Profile::Current).hits(text) {
        if found.iter().all(|earlier| earlier.url != hit.as_str()) {
            found.push(Found { span: hit.span(), url: hit.as_str().to_string() });
        }
        if found.len() > MOST_NAMED {
            return found;
        }
    }
    if let (Some(first), true) = (found.first(), found.len() == 1) {
        let end = first.span.end;
        found.extend(host_behind(text, end));
    }
    found
}

/// The name of a web server without its scheme, behind a URL and white space.
fn host_behind(text: &[u8], end: usize) -> Option<Found> {
    const WWW: &[u8] = b"www.";
    let starts = (end + 1..text.len()).filter(|at| is_white(text[at - 1]));
    let start =
        starts.into_iter().find(|at| text[*at..].get(..WWW.len()).is_some_and(|www| www.eq_ignore_ascii_case(WWW)))?;
    let length = text[start..].iter().take_while(|octet| !is_white(**octet)).count();
    let host = core::str::from_utf8(&text[start..start + length]).ok()?;
    Some(Found { span: start..start + length, url: alloc::format!("http://{host}") })
}

/// Refuses a text that holds more than one URL, or other words besides the one.
pub(super) fn look(frame: &Frame<'_>) -> Result<(), Halt> {
    let text = frame.text();
    let is_bracketed = text.iter().any(|octet| matches!(octet, b'<' | b'>'));
    let is_cell = frame.is_wrapped && text.contains(&b'|');
    if frame.is_wrapped && !is_bracketed && !is_cell {
        // The brackets say where the URL begins and ends.
        return Ok(());
    }
    let found = urls(text);
    let at = |span: Range<usize>| frame.start + span.start..frame.start + span.end;
    let [first, others @ ..] = &found[..] else {
        return Ok(());
    };
    if let [second, ..] = others {
        let scheme = scheme_length(&text[second.span.start..]).unwrap_or(0);
        return Err(named(Halt::ambiguous(&SECOND_URL, at(second.span.start..second.span.start + scheme + 1)), found));
    }
    let before = &text[..first.span.start];
    let is_part =
        scheme_length(text).is_some() && !before.iter().any(|octet| is_white(*octet) || b"\"<>".contains(octet));
    if frame.is_wrapped && is_bracketed && before.iter().all(|octet| *octet == b'<') {
        // A second wrapper, which is refused by its brackets.
        return Ok(());
    }
    if !before.is_empty() && !is_part {
        pasted::invisible(before, frame.start)?;
        let span = at(0..first.span.start);
        return Err(named(Halt::ambiguous(&TEXT_AROUND, span), found));
    }
    let behind = &text[first.span.end..];
    if before.is_empty() && (is_cell || has_tag(behind) || (frame.is_labelled && has_words(behind))) {
        let span = at(first.span.end..text.len());
        return Err(named(Halt::ambiguous(&TEXT_AROUND, span), found));
    }
    Ok(())
}

fn named(halt: Halt, found: Vec<Found>) -> Halt {
    let candidate = |found: Found| Candidate::repaired(found.url, "the text holds it");
    halt.with(found.into_iter().take(MOST_NAMED).map(candidate).collect())
}

/// Whether a tag follows the URL: `</a>`.
fn has_tag(behind: &[u8]) -> bool {
    let open = behind.iter().position(|&octet| octet == b'<');
    open.is_some_and(|open| behind[open..].contains(&b'>'))
}

/// Whether anything but marks follows the URL.
fn has_words(behind: &[u8]) -> bool {
    behind.iter().any(|octet| octet.is_ascii_alphanumeric() || *octet >= 0x80)
}

/// Whether the label of a link, where it is a URL, is the URL of the link; `start` is the place of the link in the input.
pub(super) fn agree(label: &[u8], target: &[u8], start: usize) -> Result<(), Halt> {
    if !label.contains(&b':') {
        return Ok(());
    }
    let mut shown = urls(label);
    let leads = urls(target);
    let Some(first) = shown.first().filter(|first| leads.first().is_none_or(|target| target.url != first.url)) else {
        return Ok(());
    };
    let span = start + 1 + first.span.start..start + 1 + first.span.end;
    shown.truncate(1);
    shown.extend(leads);
    Err(named(Halt::ambiguous(&SECOND_URL, span), shown))
}

/// Where a known scheme and its colon stand right behind another one: `http://http://host.dom/`.
pub(super) fn nested(text: &[u8]) -> Option<usize> {
    let outer = scheme_length(text).filter(|length| is_known(&text[..*length]))?;
    let rest = &text[outer + 1..];
    let slashes = rest.iter().take_while(|octet| **octet == b'/').count();
    let inner = &rest[slashes..];
    let authority = &inner[..inner.iter().position(|octet| *octet == b'/').unwrap_or(inner.len())];
    let label = authority.iter().rposition(|octet| *octet == b'.').map_or(0, |dot| dot + 1);
    if slashes == 2 && label > 0 && authority.ends_with(b":") && inner[authority.len()..].starts_with(b"//") {
        let is_scheme = is_known(&authority[label..authority.len() - 1]);
        return is_scheme.then(|| text.len() - inner.len() + label);
    }
    let length = scheme_length(inner).filter(|length| is_known(&inner[..*length]))?;
    let is_url = contains(&inner[length..inner.len().min(length + 3)], b"://") || slashes < 2 || inner.contains(&b'@');
    is_url.then_some(text.len() - inner.len())
}
