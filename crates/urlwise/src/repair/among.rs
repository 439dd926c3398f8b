//! A URL among words, and several URLs: the text is refused, and what it holds is named (D-77, D-78).

use core::ops::Range;

use super::around::Frame;
use super::found::{host_behind, named, urls};
use super::halt::Halt;
use super::invisible;
use super::octets::{is_white, scheme_length};
use super::rules::{SECOND_URL, TEXT_AROUND};
use crate::word;

/// Refuses a text that holds more than one URL, or other words besides the one.
pub(super) fn look(frame: &Frame<'_>) -> Result<(), Halt> {
    let text = frame.text();
    let is_bracketed = word::position_of(text, *b"<>").is_some();
    let is_cell = frame.is_wrapped && text.contains(&b'|');
    if frame.is_wrapped && !is_bracketed && !is_cell {
        // The brackets say where the URL begins and ends.
        return Ok(());
    }
    if !(is_bracketed || is_cell || frame.is_labelled) && is_one(text) {
        return Ok(());
    }
    let found = urls(text);
    let at = |span: Range<usize>| frame.start + span.start..frame.start + span.end;
    let [first, others @ ..] = &found[..] else {
        return Ok(());
    };
    if let [second, ..] = others {
        // Its scheme and colon, or all of a name without one.
        let Range { start, end } = second.span;
        let end = scheme_length(&text[start..]).map_or(end, |scheme| start + scheme + 1);
        return Err(named(Halt::ambiguous(&SECOND_URL, at(start..end)), found));
    }
    let before = &text[..first.span.start];
    let is_part =
        scheme_length(text).is_some() && !before.iter().any(|octet| is_white(*octet) || b"\"<>".contains(octet));
    if frame.is_wrapped && is_bracketed && before.iter().all(|octet| *octet == b'<') {
        // A second wrapper, which is refused by its brackets.
        return Ok(());
    }
    if !before.is_empty() && !is_part {
        invisible::refuse(before, frame.start)?;
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

/// Whether the text holds no other URL than one at its start, as it is seen without looking for URLs: each has a colon behind its scheme,
/// or is the name of a web server.
fn is_one(text: &[u8]) -> bool {
    let colon = scheme_length(text);
    colon.is_some_and(|colon| word::position(&text[colon + 1..], b':').is_none()) && host_behind(text, 0).is_none()
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
