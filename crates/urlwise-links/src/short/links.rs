//! What is kept of a paragraph when links are wanted.

use super::{Found, Lines, Reader, Writer};
use crate::simple;

pub(super) struct Links;

impl Reader for Links {
    fn is_one_letter(writer: &mut Writer, lines: &Lines) -> bool {
        let is_simple = writer.is_simple(lines);
        if !is_simple {
            writer.leave_out_up_to(lines);
            writer.leave_out_contents(lines.plain..lines.end);
        }
        is_simple
    }
}

impl Writer<'_> {
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
