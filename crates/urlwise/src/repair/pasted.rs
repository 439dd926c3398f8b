//! How a URL comes out of a pasted text: its lines are joined, what other notations added is taken away (Appendix, D-08,
//! D-68, D-69, D-79, D-84 to D-86).

use alloc::vec::Vec;
use core::ops::Range;

use super::among;
use super::around::Frame;
use super::draft::{EditedText, Rewrite};
use super::halt::Halt;
use super::octets::{PREFIX_LENGTH, has_prefix, is_white, known_scheme_length, scheme_length};
use super::rules::{
    ADDRESS_BRACKETS, BLANKS, DRIVE, EMPTY_LINE, FRAGMENT, FRAGMENT_OR_DATA, HYPHEN, JSON_ESCAPE, LINE_END,
    MESSAGE_ID_BRACKETS, NESTED, PREFIX, SECOND_URL, TOO_MANY_CHANGES, WHITE_SPACE,
};
use crate::problem::Problem;
use crate::profile::Profile;
use crate::scheme::Scheme;
use crate::url::Url;
use crate::word;

const LINE_ENDS: [u8; 4] = *b"\r\n\x0B\x0C";

fn ends_line(octet: u8) -> bool {
    LINE_ENDS.contains(&octet)
}

/// The changes that remove the text around the URL and between its lines.
pub(super) fn unwrap(frame: Frame<'_>) -> Result<Vec<Rewrite>, Halt> {
    among::look(&frame)?;
    let input = frame.input;
    let (start, end, is_wrapped) = (frame.start, frame.end, frame.is_wrapped);
    let bracket = word::position_of(&input[start..end], *b"<>").filter(|_| is_wrapped);
    if let Some(at) = bracket.map(|at| start + at) {
        return Err(Halt::ambiguous(&NESTED, at..at + 1));
    }
    let (mut changes, behind) = frame.into_changes();
    // A space within a line is treated like any other octet of the URL.
    let has_breaks = is_wrapped || word::position_of(&input[start..end], LINE_ENDS).is_some();
    let mut at = if has_breaks { start } else { end };
    while let Some(blank) = input[at..end].iter().position(|octet| is_white(*octet)) {
        let start = at + blank;
        let run = start..start + input[start..end].iter().take_while(|octet| is_white(**octet)).count();
        at = run.end;
        let blanks = &input[run.clone()];
        let is_break = blanks.iter().any(|octet| ends_line(*octet));
        if is_break {
            ambiguous(input, run.clone(), end, is_wrapped)?;
        }
        if changes.len() >= Problem::MOST_PLACES {
            return Err(Halt::ambiguous(&TOO_MANY_CHANGES, run));
        }
        match (is_wrapped, is_break) {
            (true, _) => changes.push(Rewrite::delete(&WHITE_SPACE, run)),
            (false, true) => changes.push(Rewrite::delete(&LINE_END, run)),
            (false, false) => {}
        }
    }
    changes.extend(behind);
    Ok(changes)
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
    match known_scheme_length(line) {
        Some(length) => Err(Halt::ambiguous(&SECOND_URL, run.end..run.end + length + 1)),
        None => Ok(()),
    }
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

/// Removes the backslashes of JSON, where each slash has one and none stands alone: `http:\/\/host.dom\/`.
pub(super) fn unescape(draft: &mut EditedText<'_>) {
    let text = draft.text();
    let Some(colon) = scheme_length(text).filter(|colon| text[colon + 1..].starts_with(b"\\/\\/")) else {
        return;
    };
    let mut changes = Vec::new();
    for at in colon + 1..text.len() {
        if changes.len() >= Problem::MOST_PLACES {
            return;
        }
        match (text[at - 1], text[at], text.get(at + 1)) {
            (_, b'\\', Some(b'/')) => changes.push(Rewrite::delete(&JSON_ESCAPE, at..at + 1)),
            (b'\\', b'/', _) => {}
            (_, b'\\' | b'/', _) => return,
            _ => {}
        }
    }
    draft.rewrite(changes);
}

/// Writes the drive of a file URL as the first segment of its path: `file://c:/x`, `file:///c|/x`, `file:///C:\x`.
pub(super) fn drive(draft: &mut EditedText<'_>) {
    const LOCALHOST: &[u8] = b"localhost";
    let text = draft.text();
    let Some(colon) = scheme_length(text).filter(|colon| text[..*colon].eq_ignore_ascii_case(b"file")) else {
        return;
    };
    let is_slash = |octet: &u8| matches!(octet, b'/' | b'\\');
    let slashes = text[colon + 1..].iter().take_while(|octet| is_slash(octet)).count();
    let path = colon + 1 + slashes;
    let host = text[path..].get(..LOCALHOST.len()).filter(|host| slashes == 2 && host.eq_ignore_ascii_case(LOCALHOST));
    let drive = path + host.map_or(0, |host| host.len() + 1);
    let [letter, mark @ (b':' | b'|'), rest @ ..] = text.get(drive..).unwrap_or_default() else {
        return;
    };
    let is_drive = letter.is_ascii_alphabetic() && rest.first().is_none_or(is_slash) && slashes <= 3;
    if !is_drive || (host.is_some() && !is_slash(&text[drive - 1])) {
        return;
    }
    let mut changes = Vec::new();
    if host.is_none() && &text[colon + 1..path] != b"///" {
        changes.push(Rewrite { span: colon + 1..path, now: "///".into(), rule: &DRIVE });
    }
    if *mark == b'|' {
        changes.push(Rewrite { span: drive + 1..drive + 2, now: ":".into(), rule: &DRIVE });
    }
    let backslashes = (drive + 2..text.len()).filter(|at| text[*at] == b'\\').take(Problem::MOST_PLACES);
    changes.extend(backslashes.map(|at| Rewrite { span: at..at + 1, now: "/".into(), rule: &DRIVE }));
    draft.rewrite(changes);
}

/// Removes the brackets that mail and news put around an address or Message-ID: `mailto:<joe@host.dom>`.
pub(super) fn unbracket(draft: &mut EditedText<'_>) {
    let text = draft.text();
    let Some(start) = scheme_length(text).map(|colon| colon + 1) else {
        return;
    };
    let scheme = Scheme::from_name(&text[..start - 1], Profile::Current).base();
    let rule = match scheme {
        Scheme::Mailto => &ADDRESS_BRACKETS,
        Scheme::News => &MESSAGE_ID_BRACKETS,
        _ => return,
    };
    let rest = &text[start..];
    for (open, close) in [(&b"<"[..], &b">"[..]), (b"%3C", b"%3E"), (b"%3c", b"%3e")] {
        if rest.len() > open.len() + close.len() && rest.starts_with(open) && rest.ends_with(close) {
            let (open, close) = (start..start + open.len(), text.len() - close.len()..text.len());
            draft.rewrite(alloc::vec![Rewrite::delete(rule, open), Rewrite::delete(rule, close)]);
            return;
        }
    }
}

/// The schemes whose names may hold a `#` of their own, so that it need not start a fragment. In http every reader ends the
/// URL there; a session, a group and an article number have no such names.
const WITH_NUMBER_SIGN: [Scheme; 7] =
    [Scheme::Ftp, Scheme::File, Scheme::Gopher, Scheme::Wais, Scheme::Prospero, Scheme::Mailto, Scheme::Finger];

/// The ends of names of documents that have anchors.
const WITH_ANCHORS: [&[u8]; 3] = [b".html", b".htm", b".xhtml"];

/// Cuts at the first `#`, unless it may be part of a name, or a login may continue after it.
pub(super) fn cut_fragment(draft: &mut EditedText<'_>) -> Result<(), Halt> {
    let text = draft.text();
    let Some(at) = word::position(text, b'#') else {
        return Ok(());
    };
    let colon = scheme_length(text).unwrap_or(0);
    let rest = text[..at].get(colon + 1..).unwrap_or_default();
    let is_open = rest.strip_prefix(b"//").is_none_or(|login| !login.contains(&b'/'));
    let scheme = Scheme::from_name(&text[..colon], Profile::Current).base();
    let is_anchor = WITH_ANCHORS.iter().any(|end| text[..at].to_ascii_lowercase().ends_with(end));
    let is_address = scheme == Scheme::Mailto && Url::accept(&text[..at], Profile::Current).is_some();
    let is_data = WITH_NUMBER_SIGN.contains(&scheme) && !is_anchor && !is_address;
    if is_data || (is_open && text[at..].contains(&b'@')) {
        return Err(Halt::ambiguous(&FRAGMENT_OR_DATA, at..at + 1));
    }
    let blanks = text[..at].iter().rev().take_while(|octet| is_white(**octet)).count();
    let mut changes = Vec::new();
    if blanks > 0 {
        changes.push(Rewrite::delete(&BLANKS, at - blanks..at));
    }
    changes.push(Rewrite::delete(&FRAGMENT, at..text.len()));
    draft.rewrite(changes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    fn after(text: &str, step: fn(&mut EditedText<'_>)) -> String {
        let mut draft = EditedText::new(text.as_bytes());
        step(&mut draft);
        String::from_utf8_lossy(draft.text()).into_owned()
    }

    #[test]
    fn json_is_unescaped_only_if_each_slash_has_its_backslash() {
        assert_eq!(after("http:\\/\\/h.dom\\/a", unescape), "http://h.dom/a");
        for text in ["http:\\/\\/h.dom\\/a\\b", "http:\\/\\/h.dom/a", "http://h.dom\\/a", "\\/\\/h.dom\\/"] {
            assert_eq!(after(text, unescape), text);
        }
    }

    #[test]
    fn a_drive_is_a_segment_and_nothing_else_is_a_drive() {
        for text in ["file:c:\\x", "file:/c|/x", "file://c:/x", "file:///c|\\x", "file:\\\\c:\\x"] {
            assert_eq!(after(text, drive), "file:///c:/x");
        }
        assert_eq!(after("file://localhost/c|/x", drive), "file://localhost/c:/x");
        for text in ["file://cd:/x", "file:////c:/x", "file://c:80/x", "file://localhost:c:/x", "http://c:/x"] {
            assert_eq!(after(text, drive), text);
        }
    }
}
