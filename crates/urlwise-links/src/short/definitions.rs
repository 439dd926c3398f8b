//! What is kept of a paragraph when only definitions are wanted: the start of each line, and whole definitions.

use std::ops::Range;

use super::{Found, LETTER, Lines, Reader, Writer};
use crate::definition;
use crate::outline::{self, Content, line};
use crate::simple::What;

pub(super) struct Definitions;

impl Reader for Definitions {
    fn is_one_letter(writer: &mut Writer, lines: &Lines) -> bool {
        let rest = writer.leave_out_rests(lines);
        if let Some(rest) = rest {
            writer.leave_out_contents(rest..lines.end);
        }
        rest.is_none()
    }
}

/// What has to be kept of a line, with places in the text.
enum Line {
    /// Nothing from here on.
    Text(usize),
    /// Only the bars from here on: it may be the header row of a table.
    Row(usize),
    /// Everything up to here, in this line or a later one: a definition, or what begins, continues or ends a block.
    Block(usize),
    /// This line and those after it: they may belong to a block that it begins.
    Unknown,
}

/// Whether a table may lack so many cells that the parser ends it before its last row.
fn may_end_early(header: &[u8], rows: &[u8]) -> bool {
    /// How many it adds at most.
    const MOST_CELLS: usize = 1 << 18;
    // A row has two octets or more.
    memchr::memchr_iter(b'|', header).count().saturating_add(1).saturating_mul(rows.len() / 2) >= MOST_CELLS
}

/// Whether a line that is more than text can be told only with those behind it: it may belong to HTML, or have a definition.
fn is_unknown(content: &[u8], may_define: bool) -> bool {
    match content {
        [b'<', ..] => true,
        [b'`' | b'~', ..] => false,
        // A task, an alert, or a label that looks like one.
        [b'[', ..] => may_define && content.windows(2).any(|pair| pair == b"]:"),
        _ => may_define && content.contains(&b'['),
    }
}

impl Line {
    /// Of the line from `at` to `end` of lines that may define something or not.
    fn of(text: &[u8], Range { start: at, end }: Range<usize>, may_define: bool) -> Line {
        let start = at + Content::of(&text[at..end]).start;
        if let Some(longest) = may_define.then(|| definition::longest(&text[start..])).flatten() {
            return Line::Block(start + longest);
        }
        let content = &text[start..end];
        match outline::rest(content) {
            Some(rest) if content.contains(&b'|') && outline::may_be_delimiter_row(line(&text[end..])) => {
                let rows = &text[end + line(&text[end..]).len()..];
                match content.trim_ascii_end().ends_with(b"\\") {
                    // A hard line break makes it text.
                    true => Line::Block(end),
                    false if may_end_early(content, rows) => Line::Unknown,
                    false => Line::Row(start + rest),
                }
            }
            Some(rest) => Line::Text(start + rest),
            None if is_unknown(content, may_define) => Line::Unknown,
            None => Line::Block(end),
        }
    }
}

impl Writer<'_> {
    /// Leaves out the rests of lines, up to one that is unknown, whose place is returned. `None` if all of them are nothing but text where
    /// none is in an open block.
    fn leave_out_rests(&mut self, lines: &Lines) -> Option<usize> {
        let text = &self.source.as_bytes()[..lines.end];
        let may_define = self.definition.find(&text[lines.plain..]).is_some();
        let mut at = lines.plain;
        // Everything before it stays: a definition may go on up to there. A block may end it, so others may begin in it.
        let mut kept = at;
        // Lines that are nothing but text go on with one another, whatever block they are in.
        let mut whole = at..at;
        let mut is_text = true;
        while at < lines.end {
            let end = at + line(&text[at..]).len();
            let line = Line::of(text, at..end, may_define);
            if matches!(line, Line::Text(start) if start == at) && at >= kept {
                (at, whole.end) = (end, end);
                continue;
            }
            if is_text {
                self.leave_out_up_to(lines);
                is_text = false;
            }
            self.leave_out_text(whole);
            match line {
                Line::Block(end) => kept = kept.max(end),
                Line::Unknown if at < kept => return Some(lines.end),
                Line::Unknown => return Some(at),
                // Whether that defines something depends on what follows.
                Line::Text(start) | Line::Row(start) if at < kept && text[start] == b'[' => return Some(lines.end),
                Line::Text(_) | Line::Row(_) if at < kept => {}
                Line::Text(start) => self.leave_out_text(start..end),
                Line::Row(start) => self.leave_out_cells(start..end),
            }
            at = end;
            whole = at..at;
        }
        if is_text {
            self.find_text(lines.start..lines.end);
            return None;
        }
        self.leave_out_text(whole);
        Some(at)
    }

    /// Leaves out what is between the bars of a header row, since the number of columns depends on them. Nobody asks for places in it, so
    /// one cut is enough for all cells.
    fn leave_out_cells(&mut self, row: Range<usize>) {
        let text = self.source.as_bytes();
        self.keep_up_to(row.start);
        let mut start = row.start;
        for bar in row.clone().filter(|at| text[*at] == b'|' && (*at == 0 || text[at - 1] != b'\\')) {
            match text[start..bar] {
                [] => {}
                [octet] => self.text.push(char::from(octet)),
                _ => {
                    self.text.push(LETTER);
                    self.find_text(start..bar);
                    self.keep_found();
                }
            }
            self.text.push('|');
            start = bar + 1;
        }
        self.cut(start);
        // What is blank behind the last one is no cell.
        if text[start..row.end].iter().any(|octet| *octet > b' ') {
            self.leave_out_text(start..row.end);
        }
    }

    fn leave_out_text(&mut self, span: Range<usize>) {
        if self.leave_out(span.clone()) {
            self.find_text(span);
            self.keep_found();
        }
    }

    /// Makes sure that somebody learns of what is left out whether it is text or code: what is neither may end a block of HTML.
    fn find_text(&mut self, span: Range<usize>) {
        if self.source.as_bytes()[span.clone()].contains(&b'>') {
            // A reader of definitions does not ask what it is.
            self.found.push(Found { at: 0, span, what: What::Code });
        }
    }
}
