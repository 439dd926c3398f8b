//! What a reader of blocks and of what they define needs of a paragraph: the start of each line, and whole definitions.

use std::ops::Range;

use super::{Found, Lines, Reader, Writer};
use crate::definition;
use crate::outline::{self, Content, line};
use crate::simple::What;

pub(super) struct Definitions;

impl Reader for Definitions {
    fn is_one_letter(writer: &mut Writer, lines: &Lines) -> bool {
        writer.is_outline(lines)
    }

    fn leave_out(writer: &mut Writer, lines: Range<usize>) {
        let rest = writer.leave_out_rests(lines.clone());
        writer.leave_out_contents(rest..lines.end);
    }
}

impl Writer<'_> {
    /// Leaves out the rests of lines, up to one that may begin a block of HTML or that cannot be told from a definition, whose place is
    /// returned.
    fn leave_out_rests(&mut self, lines: Range<usize>) -> usize {
        let text = &self.source.as_bytes()[..lines.end];
        let may_define = definition::may_be_in(&text[lines.clone()]);
        let mut at = lines.start;
        while at < lines.end {
            let end = at + line(&text[at..]).len();
            let start = at + Content::of(&text[at..end]).start;
            if may_define && let Some(longest) = definition::longest(&text[start..]) {
                at = start + longest;
                continue;
            }
            let (content, rest) = (&text[start..end], outline::rest(&text[start..end]));
            let is_html = || content.starts_with(b"<");
            let is_unknown = || may_define && content.contains(&b'[') && !matches!(content[0], b'[' | b'`' | b'~');
            if rest.is_none() && (is_html() || is_unknown()) {
                break;
            }
            if let Some(rest) = rest {
                match content.contains(&b'|') && outline::may_be_delimiter_row(line(&text[end..])) {
                    true => self.leave_out_cells(start + rest..end),
                    false => self.leave_out_text(start + rest..end),
                }
            }
            at = end;
        }
        at
    }

    /// Leaves out what is between the bars of a row, all of which count in the header of a table.
    fn leave_out_cells(&mut self, row: Range<usize>) {
        let text = self.source.as_bytes();
        let is_bar = |at: &usize| *at == 0 || text[at - 1] != b'\\';
        let bars = memchr::memchr_iter(b'|', &text[row.clone()]).map(|at| row.start + at).filter(is_bar);
        let mut start = row.start;
        for bar in bars {
            self.leave_out_text(start..bar + 1);
            start = bar + 1;
        }
        // What is blank behind the last one is no cell.
        if !text[start..row.end].trim_ascii().is_empty() {
            self.leave_out_text(start..row.end);
        }
    }

    fn leave_out_text(&mut self, span: Range<usize>) {
        if self.leave_out(span.clone()) {
            self.find_text(span);
            self.keep_found();
        }
    }

    /// Whether lines are a paragraph without definitions where none of them is in an open block.
    fn is_outline(&mut self, lines: &Lines) -> bool {
        let text = &self.source.as_bytes()[lines.start..lines.end];
        let may_define = definition::may_be_in(text);
        let mut at = 0;
        while at < text.len() {
            let line = line(&text[at..]);
            let is_flush = Content::of(line).start == 0;
            if !is_flush || outline::rest(line) != Some(0) || may_define && definition::longest(&text[at..]).is_some() {
                return false;
            }
            at += line.len();
        }
        self.find_text(lines.start..lines.end);
        true
    }

    /// Makes sure that somebody learns of what is left out whether it is text or code: what is neither may end a block of HTML.
    fn find_text(&mut self, span: Range<usize>) {
        if self.source.as_bytes()[span.clone()].contains(&b'>') {
            // A reader of definitions does not ask what it is.
            self.found.push(Found { at: 0, span, what: What::Code });
        }
    }
}
