//! Text around a URL and between its lines (Appendix, D-07, D-08, D-14, D-67 to D-69).

use alloc::vec::Vec;
use core::ops::Range;

use super::Halt;
use super::draft::{EditedText, Rewrite};
use super::rules::{
    BLANKS, EMPTY_LINE, FRAGMENT, FRAGMENT_OR_LOGIN, HYPHEN, LINE_END, NESTED, PREFIX, SECOND_URL, WHITE_SPACE, WRAPPER,
};
use crate::class;
use crate::profile::Profile;
use crate::scheme::Scheme;

/// The white space that line breaks may insert into a URL (D-68).
fn is_white(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C)
}

fn ends_line(octet: u8) -> bool {
    matches!(octet, b'\r' | b'\n' | 0x0B | 0x0C)
}

/// Removes the text around the URL and between its lines.
pub(super) fn unwrap(draft: &mut EditedText<'_>) -> Result<(), Halt> {
    let input = draft.text();
    let mut changes = Vec::new();
    let mut behind = Vec::new();
    let (mut start, mut end) = (0, input.len());
    let mut is_wrapped = false;
    loop {
        let text = &input[start..end];
        let blanks = text.iter().take_while(|octet| is_white(**octet)).count();
        if blanks > 0 {
            changes.push(Rewrite::delete(&BLANKS, start..start + blanks));
            start += blanks;
        }
        let text = &input[start..end];
        let blanks = text.iter().rev().take_while(|octet| is_white(**octet)).count();
        if blanks > 0 {
            behind.push(Rewrite::delete(&BLANKS, end - blanks..end));
            end -= blanks;
        }
        match &input[start..end] {
            [b'<', .., b'>'] if !is_wrapped => {
                is_wrapped = true;
                changes.push(Rewrite::delete(&WRAPPER, start..start + 1));
                behind.push(Rewrite::delete(&WRAPPER, end - 1..end));
                start += 1;
                end -= 1;
            }
            text if has_prefix(text) => {
                changes.push(Rewrite::delete(&PREFIX, start..start + PREFIX_LENGTH));
                start += PREFIX_LENGTH;
            }
            _ => break,
        }
    }
    let bracket = input[start..end].iter().position(|octet| matches!(octet, b'<' | b'>')).filter(|_| is_wrapped);
    if let Some(at) = bracket.map(|at| start + at) {
        return Err(Halt::ambiguous(&NESTED, at..at + 1));
    }
    let mut at = start;
    while at < end {
        let run = at..at + input[at..end].iter().take_while(|octet| is_white(**octet)).count();
        at = run.end.max(at + 1);
        if run.is_empty() {
            continue;
        }
        let blanks = &input[run.clone()];
        let is_break = blanks.iter().any(|octet| ends_line(*octet));
        if is_break {
            ambiguous(input, run.clone(), end, is_wrapped)?;
        }
        match (is_wrapped, is_break) {
            (true, _) => changes.push(Rewrite::delete(&WHITE_SPACE, run)),
            (false, true) => changes.push(Rewrite::delete(&LINE_END, run)),
            // A space within a line is treated like any other octet of the URL.
            (false, false) => {}
        }
    }
    changes.extend(behind.into_iter().rev());
    draft.rewrite(changes);
    Ok(())
}

/// Refuses to join two lines if that would be a guess.
fn ambiguous(input: &[u8], run: Range<usize>, end: usize, is_wrapped: bool) -> Result<(), Halt> {
    if run.start > 0 && input[run.start - 1] == b'-' {
        return Err(Halt::ambiguous(&HYPHEN, run.start - 1..run.end));
    }
    if is_wrapped {
        // The brackets say where the URL ends.
        return Ok(());
    }
    let blanks = &input[run.clone()];
    let lines = blanks.iter().filter(|octet| ends_line(**octet)).count();
    // CR LF is one line end.
    let pairs = blanks.windows(2).filter(|pair| *pair == b"\r\n").count();
    if lines - pairs > 1 {
        return Err(Halt::ambiguous(&EMPTY_LINE, run));
    }
    let line = &input[run.end..end];
    let is_known = |length| Scheme::from_name(&line[..length], Profile::Current) != Scheme::Other;
    match scheme_length(line).filter(|length| is_known(*length)) {
        Some(length) => Err(Halt::ambiguous(&SECOND_URL, run.end..run.end + length + 1)),
        None => Ok(()),
    }
}

const PREFIX_LENGTH: usize = b"URL:".len();

/// Whether `URL:` precedes a scheme or a wrapper; otherwise it is a scheme itself.
fn has_prefix(text: &[u8]) -> bool {
    let Some((prefix, rest)) = text.split_at_checked(PREFIX_LENGTH) else {
        return false;
    };
    let blanks = rest.iter().take_while(|octet| is_white(**octet)).count();
    let rest = &rest[blanks..];
    prefix.eq_ignore_ascii_case(b"URL:") && (rest.starts_with(b"<") || scheme_length(rest).is_some())
}

/// The length of the scheme's name if the text starts with a scheme and a colon.
fn scheme_length(text: &[u8]) -> Option<usize> {
    let length = class::skip(text, 0, class::SCHEME);
    (length > 0 && text.get(length) == Some(&b':')).then_some(length)
}

/// Removes prefixes that appeared only when lines were joined.
pub(super) fn strip_prefixes(draft: &mut EditedText<'_>) {
    let mut changes = Vec::new();
    let mut at = 0;
    while has_prefix(&draft.text()[at..]) {
        changes.push(Rewrite::delete(&PREFIX, at..at + PREFIX_LENGTH));
        at += PREFIX_LENGTH;
    }
    draft.rewrite(changes);
}

/// Cuts at the first `#`, unless a login may continue after it.
pub(super) fn cut_fragment(draft: &mut EditedText<'_>) -> Result<(), Halt> {
    let text = draft.text();
    let Some(at) = text.iter().position(|&octet| octet == b'#') else {
        return Ok(());
    };
    let rest = text[..at].splitn(2, |&octet| octet == b':').nth(1).unwrap_or_default();
    let is_open = rest.strip_prefix(b"//").is_none_or(|login| !login.contains(&b'/'));
    if is_open && text[at..].contains(&b'@') {
        return Err(Halt::ambiguous(&FRAGMENT_OR_LOGIN, at..at + 1));
    }
    let span = at..text.len();
    draft.rewrite(alloc::vec![Rewrite::delete(&FRAGMENT, span)]);
    Ok(())
}
