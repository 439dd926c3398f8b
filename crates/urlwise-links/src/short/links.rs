//! What a reader of links needs of a paragraph.

use std::ops::Range;

use super::{Found, Lines, Reader, Writer};
use crate::outline::Content;
use crate::simple;

pub(super) struct Links;

impl Reader for Links {
    fn is_one_letter(writer: &mut Writer, lines: &Lines) -> bool {
        writer.is_simple(lines)
    }

    fn leave_out_of_lines(writer: &mut Writer, lines: Range<usize>) {
        writer.leave_out_contents(lines);
    }
}

impl Writer<'_> {
    /// Leaves out the contents of lines, where a quick look can read them: what has begun and ended in one line has nothing to do with
    /// others, whatever block it is in.
    pub(super) fn leave_out_contents(&mut self, lines: Range<usize>) {
        let text = &self.source.as_bytes()[..lines.end];
        let mut at = lines.start;
        // Whether something may have begun before a line that ends in it or behind it.
        let mut is_open = false;
        // In a block of HTML, nothing of this is there.
        while at < lines.end && text[at] != b'<' {
            let Content { start, is_item } = Content::of(&text[at..]);
            let end = if is_open && !is_item { None } else { self.leave_out_content(text, at + start) };
            is_open = end.is_none();
            at = end.or_else(|| memchr::memchr(b'\n', &text[at..]).map(|end| at + end + 1)).unwrap_or(lines.end);
        }
    }

    /// Leaves out the rest of a line, but for a letter at its start and the line end. Returns where the next one begins; `None` if a quick
    /// look cannot read it.
    fn leave_out_content(&mut self, text: &[u8], start: usize) -> Option<usize> {
        let first = *text.get(start).filter(|first| first.is_ascii_alphabetic() || b"[!`<*_(".contains(first))?;
        let had = self.found.len();
        let end = simple::line(text, start, &mut |span, what| self.found.push(Found { at: 0, span, what }));
        let is_left_out = |end: &usize| {
            let content = &text[start..*end];
            let is_rule = matches!(first, b'*' | b'_') && !content.iter().any(u8::is_ascii_alphabetic);
            content.ends_with(b"\n") && !is_rule
        };
        match end.filter(is_left_out) {
            Some(end) => {
                self.leave_out(start..end);
                self.keep_found();
                Some(end)
            }
            None => {
                self.found.truncate(had);
                None
            }
        }
    }

    /// Whether a quick look can read a paragraph. What it finds is kept then.
    fn is_simple(&mut self, lines: &Lines) -> bool {
        let text = &self.source.as_bytes()[..lines.end];
        // The end of the last plain line: what begins the next one matters.
        let start = lines.start.max(lines.plain.saturating_sub(1));
        let before = self.found.len();
        let is_simple = text[lines.start].is_ascii_alphabetic()
            && text.ends_with(b"\n")
            && simple::read(text, start, |span, what| self.found.push(Found { at: 0, span, what }));
        if !is_simple {
            self.found.truncate(before);
        }
        is_simple
    }
}
