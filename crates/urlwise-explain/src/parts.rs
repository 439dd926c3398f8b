//! Which parts of a text are labelled, and how.

use std::borrow::Cow;

use urlwise::{Diagnosis, Language, Part, Scheme, Typecode, Words};

use super::labels::{DECODED, Mark};
use crate::language::{filled, words};
use crate::secret::Secrets;
use crate::wrap;

/// Lists with more elements than this get a single label.
const SEPARATE: usize = 4;

/// No label shows more octets than these of a decoded part.
const MOST_DECODED: usize = 4 * DECODED;

/// A mark for the scheme and each part that could be read, ordered by position.
///
/// A divided part is replaced by its pieces, except an http path, which servers treat as one string.
pub(crate) fn marks(diagnosis: &Diagnosis<'_>, secrets: &Secrets, language: Language) -> Vec<Mark> {
    let mut marks = Vec::with_capacity(8);
    if let Some(span) = diagnosis.scheme_span() {
        marks.push(Mark::plain(span, words!("scheme").get(language)));
    }
    let mark = |part: &Part<'_>| mark(part, diagnosis, secrets, language);
    let (mut run, mut cover) = (Run::new(language), secrets.covers());
    let mut whole: Option<Part<'_>> = None;
    let mut parts = diagnosis.parts();
    // Borrowed: to move a part that was just made waits for its stores, and a path may have a million.
    while let Some(part) = &parts.next() {
        if part.is_divided() {
            whole = Some(*part);
            continue;
        }
        if let Some(divided) = &whole {
            if part.name() == "segments" {
                continue;
            }
            let (outer, inner) = (divided.span(), part.span());
            if divided.name() == "path" || inner.start < outer.start || inner.end > outer.end {
                marks.push(mark(divided));
            }
            whole = None;
        }
        // In a broken login, what was read as the host may be covered by the mask.
        if cover(&part.span()) && part.name() != "password" {
            continue;
        }
        if !run.takes(part) {
            run.end(&mut marks);
        }
        run.add(part, || mark(part));
    }
    run.end(&mut marks);
    marks.extend(whole.map(|part| mark(&part)));
    marks.sort_by_key(|mark| mark.span.start);
    marks
}

/// Consecutive parts with the same name.
struct Run {
    language: Language,
    name: &'static str,
    label: Cow<'static, str>,
    count: usize,
    marks: Vec<Mark>,
    end: usize,
}

impl Run {
    fn new(language: Language) -> Run {
        Run { language, name: "", label: "".into(), count: 0, marks: Vec::with_capacity(SEPARATE), end: 0 }
    }

    fn takes(&self, part: &Part<'_>) -> bool {
        // Parts of one kind have one name, which need not be compared: a path may have a million.
        part.index().is_some() && (std::ptr::eq(part.name(), self.name) || part.name() == self.name)
    }

    fn add(&mut self, part: &Part<'_>, mark: impl FnOnce() -> Mark) {
        // Not for each part: a path may have a million.
        if self.count == 0 {
            (self.name, self.label) = (part.name(), part.label_in(self.language));
        }
        self.count += 1;
        self.end = part.span().end;
        if self.count <= SEPARATE {
            self.marks.push(mark());
        }
    }

    /// Whether identical labels would take more room than their parts.
    fn is_crowded(&self, start: usize) -> bool {
        let alike = self.marks.iter().all(|mark| mark.decoded.is_none() && mark.name == self.label);
        self.count > 2 && alike && self.end - start < self.count * wrap::width_of(&self.label)
    }

    /// Adds its marks to those before, or one for all of them, and is empty again.
    fn end(&mut self, marks: &mut Vec<Mark>) {
        match self.marks.first().map(|first| first.span.start) {
            Some(start) if self.count > SEPARATE || self.is_crowded(start) => {
                let all = filled!(self.language, "{count} {label}s", count = self.count, label = self.label);
                marks.push(Mark::plain(start..self.end, all.to_string()));
                self.marks.clear();
            }
            _ => marks.append(&mut self.marks),
        }
        (self.name, self.label, self.count) = ("", "".into(), 0);
    }
}

/// The part's name, and its decoded text if that differs.
fn mark(part: &Part<'_>, diagnosis: &Diagnosis<'_>, secrets: &Secrets, language: Language) -> Mark {
    let (span, name) = (part.span(), part.label_in(language));
    if part.octets().is_empty() {
        return Mark::plain(span, filled!(language, "empty {name}", name = name).text());
    }
    if secrets.touch(&span) {
        return Mark::plain(span, name);
    }
    if let Some(words) = typecode(part.octets()).filter(|_| part.name() == "typecode") {
        return Mark::plain(span, words.filled(language, |_, f| f.write_str(&name)).to_string());
    }
    let (octets, kept) = (part.octets(), reserved(part, diagnosis.scheme()));
    // Only as much as can be shown: so many escapes, and one that may be cut.
    let beginning = &octets[..octets.len().min(3 * (MOST_DECODED + 1))];
    let decoded = legible(beginning, kept);
    if *decoded == *beginning && (beginning.len() == octets.len() || *legible(octets, kept) == *octets) {
        return Mark::plain(span, name);
    }
    let decoded = urlwise::escape_for_display(&decoded[..decoded.len().min(MOST_DECODED)]).to_string();
    Mark { span, name, decoded: Some(decoded) }
}

/// The characters whose escapes stay escaped when a part is shown: they mean something in it that their escapes do not. None in
/// a part that is one name to its server.
fn reserved(part: &Part<'_>, scheme: Option<Scheme>) -> &'static [u8] {
    match (scheme.map(Scheme::base), part.name()) {
        (_, "user" | "password" | "local" | "unique" | "group") => b"",
        (Some(Scheme::Ftp), "cwds" | "name") => b"",
        (Some(Scheme::Gopher | Scheme::Wais), _) => b"",
        (_, _) => RESERVED,
    }
}

/// Everything that may be reserved (section 2.2), and what begins an escape.
pub(crate) const RESERVED: &[u8] = b";/?:@=&#%";

/// Text with its escapes decoded, except those of some characters: `a%2Fb/..` is not the path `a/b/..`.
pub(crate) fn legible<'o>(octets: &'o [u8], kept: &[u8]) -> Cow<'o, [u8]> {
    if kept.is_empty() || !octets.contains(&b'%') {
        return urlwise::decode(octets);
    }
    let decoded = urlwise::decode(octets);
    if decoded.len() == octets.len() {
        // None of them begins an escape.
        return octets.into();
    }
    let mut text = Vec::with_capacity(octets.len());
    let mut at = 0;
    for &octet in decoded.iter() {
        // A `%` that begins no escape is decoded as itself, and the two behind `%25` are no `%`.
        let is_escape = octets[at] == b'%' && (octet != b'%' || octets[at + 1..].starts_with(b"25"));
        let end = at + if is_escape { 3 } else { 1 };
        match is_escape && !kept.contains(&octet) {
            true => text.push(octet),
            false => text.extend_from_slice(&octets[at..end]),
        }
        at = end;
    }
    text.into()
}

/// What is transferred (section 3.2.2).
fn typecode(octets: &[u8]) -> Option<Words> {
    Some(match Typecode::of(octets)? {
        Typecode::Ascii => words!("{name}: text"),
        Typecode::Image => words!("{name}: octets"),
        Typecode::Directory => words!("{name}: directory listing"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_reserved_characters_stay() {
        assert_eq!(*legible(b"a%2Fb/%2e%2E?%7e", RESERVED), *b"a%2Fb/..?~");
        assert_eq!(*legible(b"%25%32%35%c3%A9", RESERVED), *b"%2525\xC3\xA9");
        assert_eq!(*legible(b"%2Fetc", b""), *b"/etc");
        // Anything that is not an escape stays, too.
        assert_eq!(*legible(b"100%/%4/%zz%", RESERVED), *b"100%/%4/%zz%");
    }
}
