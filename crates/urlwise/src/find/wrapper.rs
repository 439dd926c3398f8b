//! `<URL:...>` and `<scheme:...>`: wrappers, and the lines inside them (D-67 to D-69).

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::class;

use super::end;
use super::finder::Finder;
use super::hit::{Gap, Hit, Joined};

/// The maximum length of a wrapped URL including white space: 64 KiB. Longer text is searched as if it had no wrapper.
pub const LONGEST_WRAPPED: usize = 1 << 16;

/// The start of a wrapper.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `<URL:`: all inside is the URL.
    Announced = 1,
    /// `<` and a scheme: the URL must look like one.
    Plain = 2,
}

/// The kinds of wrappers that may contain each octet.
static STANDS: [u8; 256] = {
    let mut stands = [0; 256];
    let mut i = 0;
    while i < 256 {
        let octet = i as u8;
        let anywhere = is_white(octet) || !octet.is_ascii();
        if anywhere || !(octet.is_ascii_control() || octet == b'<' || octet == b'>') {
            stands[i] |= Kind::Announced as u8;
        }
        if anywhere || end::is_inside(octet) {
            stands[i] |= Kind::Plain as u8;
        }
        i += 1;
    }
    stands
};

/// The content of a wrapper.
pub(super) struct Wrapper<'t> {
    /// The URL as written, without surrounding white space.
    text: &'t str,
    span: Range<usize>,
    /// The position of the `>`.
    close: usize,
}

impl<'t> Wrapper<'t> {
    /// Reads a wrapper whose content starts at `inside`, up to its `>`. The first `>` closes it, a `<` invalidates it
    /// (D-67).
    ///
    /// Every wrapper starts with a `<` and ends before the next one, so no octet is read twice.
    pub(super) fn read(text: &'t [u8], inside: usize, kind: Kind) -> Option<Self> {
        let end = text.len().min(inside.saturating_add(LONGEST_WRAPPED + 1));
        let close =
            inside + text[inside..end].iter().position(|&octet| STANDS[usize::from(octet)] & kind as u8 == 0)?;
        if text[close] != b'>' {
            return None;
        }
        let span = trimmed(text, inside..close);
        let url = core::str::from_utf8(&text[span.clone()]).ok()?;
        let is_closed = match kind {
            Kind::Announced => !is_prose(&text[inside..close]),
            Kind::Plain => is_broken_by_lines(url.as_bytes()),
        };
        if !is_closed {
            return None;
        }
        Some(Wrapper { text: url, span, close })
    }

    /// The hit, if the URL starts with a scheme. The wrapper starts with the `<` at `open`.
    pub(super) fn hit(&self, text: &[u8], open: usize, finder: Finder<'t>) -> Option<Hit<'t>> {
        let joined = self.join(text);
        let reference = joined.as_ref().map_or(self.text, |joined| &joined.text);
        let name = class::skip(reference.as_bytes(), 0, class::SCHEME);
        let is_url = name > 0 && reference.as_bytes().get(name) == Some(&b':');
        is_url.then(|| Hit::wrapped(finder, open..self.close + 1, self.span.clone(), self.text, joined))
    }

    /// The URL without white space; `None` if it contains none.
    fn join(&self, text: &[u8]) -> Option<Box<Joined>> {
        let octets = self.text.as_bytes();
        let may_be_hyphen = octets.last() == Some(&b'-') && self.span.end < self.close;
        if !may_be_hyphen && !octets.iter().any(|&octet| is_white(octet)) {
            return None;
        }
        let mut joined = Joined { text: String::new(), gaps: Vec::new(), hyphens: Vec::new(), alternative: None };
        let mut rest = 0;
        while rest < octets.len() {
            let run = rest..rest + octets[rest..].iter().take_while(|octet| !is_white(**octet)).count();
            joined.gaps.push(Gap { joined: joined.text.len(), source: self.span.start + run.start });
            // White space is US-ASCII, so both ends are character boundaries.
            joined.text.push_str(&self.text[run.clone()]);
            // The last break may be before the `>`.
            let behind = &text[self.span.start + run.end..self.close];
            let white = behind.iter().take_while(|octet| is_white(**octet)).count();
            if octets[run.end - 1] == b'-' && behind[..white].iter().any(|octet| ends_line(*octet)) {
                joined.hyphens.push(joined.text.len() - 1);
            }
            rest = run.end + white;
        }
        if !joined.hyphens.is_empty() {
            let mut alternative = String::with_capacity(joined.text.len());
            let mut from = 0;
            for &hyphen in &joined.hyphens {
                alternative.push_str(&joined.text[from..hyphen]);
                from = hyphen + 1;
            }
            alternative.push_str(&joined.text[from..]);
            joined.alternative = Some(alternative);
        }
        (joined.gaps.len() > 1 || !joined.hyphens.is_empty()).then(|| Box::new(joined))
    }
}

/// Whether lines below the first are text behind a wrapper that nobody closed: one of them is empty, or has a space
/// before a word. The `>` may have a line of its own.
fn is_prose(inside: &[u8]) -> bool {
    let mut lines = inside.split(|octet| *octet == b'\n').skip(1).peekable();
    while let Some(line) = lines.next() {
        let line = line.trim_ascii();
        let is_empty = line.is_empty() && lines.peek().is_some();
        if is_empty || line.windows(2).any(|pair| is_white(pair[0]) && pair[1].is_ascii_alphanumeric()) {
            return true;
        }
    }
    false
}

/// Whether all white space consists of single line breaks: a space within a line or an empty line separates words.
fn is_broken_by_lines(url: &[u8]) -> bool {
    let mut rest = url;
    while let Some(start) = rest.iter().position(|&octet| is_white(octet)) {
        let length = rest[start..].iter().take_while(|&&octet| is_white(octet)).count();
        let white = &rest[start..start + length];
        let ends = white.iter().filter(|octet| ends_line(**octet)).count();
        // CR LF is one line end.
        let pairs = white.windows(2).filter(|pair| *pair == b"\r\n").count();
        if ends - pairs != 1 {
            return false;
        }
        rest = &rest[start + length..];
    }
    true
}

/// The octets of white space that a wrapped URL may contain (D-68).
const fn is_white(octet: u8) -> bool {
    octet == b' ' || octet == b'\t' || ends_line(octet)
}

/// White space that breaks a line.
const fn ends_line(octet: u8) -> bool {
    matches!(octet, b'\r' | b'\n' | 0x0B | 0x0C)
}

/// A range without the white space at its ends.
fn trimmed(text: &[u8], range: Range<usize>) -> Range<usize> {
    let inside = &text[range.clone()];
    let before = inside.iter().take_while(|octet| is_white(**octet)).count();
    let behind = inside[before..].iter().rev().take_while(|octet| is_white(**octet)).count();
    range.start + before..range.end - behind
}
