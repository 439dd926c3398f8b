//! Where a part of a document of Markdown may end.
//!
//! The blocks of Markdown are read line by line: when one has begun, no later line changes those before it. So of a part that ends at
//! any line, all is known up to the start of its last block, or of the last item of a list; the next part begins there. A
//! definition is no block, but may go on in the line that follows.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag};

use super::part::{Part, is_blank};
use crate::short::Short;

/// A block that can be read in parts, since only its first lines matter to the lines that follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Code between fences.
    Fence,
    /// Code with blanks before each line.
    Indented,
    Html,
    Table,
}

impl Kind {
    /// The number of lines that say how the others are read.
    pub(super) fn lines(self) -> usize {
        match self {
            Kind::Fence | Kind::Html => 1,
            Kind::Table => 2,
            Kind::Indented => 0,
        }
    }
}

/// Where the next part begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// At this place of the document.
    At(usize),
    /// At the end of this one, in the block that it begins with.
    In(Kind),
    /// That cannot be told.
    Unknown,
}

/// The blocks of a part that are not in others. Places are those of the short text, unless stated otherwise.
pub(super) struct Blocks<'p, 't> {
    part: &'p Part<'p>,
    short: &'t Short<'t>,
    /// The end of what stands for footnotes before the part.
    notes: usize,
    /// The start of what was put behind the part.
    behind: usize,
    depth: usize,
    count: usize,
    is_list: bool,
    /// What the first one is, and where it stands in the text of the part.
    first: Option<(Option<Kind>, Range<usize>)>,
    /// Whether that is the block that an earlier part began.
    goes_on: bool,
    /// The end of the last one.
    end: usize,
    /// Where the next part may begin.
    next: Option<usize>,
    /// Whether the line that was put behind the part ends the last one.
    is_ended: bool,
}

impl<'p, 't> Blocks<'p, 't> {
    pub(super) fn new(part: &'p Part<'p>, short: &'t Short<'t>) -> Self {
        Blocks {
            part,
            short,
            notes: short.first_at(part.notes),
            behind: short.first_at(part.end()),
            depth: 0,
            count: 0,
            is_list: false,
            first: None,
            goes_on: false,
            end: 0,
            next: None,
            is_ended: false,
        }
    }

    /// Takes note of an event. Returns whether it is in the block that an earlier part began.
    #[inline]
    pub(super) fn add(&mut self, event: &Event<'_>, span: &Range<usize>) -> bool {
        match event {
            Event::End(_) => self.depth -= 1,
            Event::Start(_) => {
                self.begin(event, span);
                self.depth += 1;
            }
            _ if self.depth == 0 => self.begin(event, span),
            // Most events are text within a block.
            _ => {}
        }
        self.is_in_open()
    }

    /// Takes note of what may begin a block.
    fn begin(&mut self, event: &Event<'_>, span: &Range<usize>) {
        let is_item = self.depth == 1 && self.is_list && matches!(event, Event::Start(Tag::Item));
        if self.depth > 0 && !is_item {
            return;
        }
        // What was put before the part or behind it is no block of it, but may end the last one.
        if span.start >= self.behind {
            self.is_ended |= is_item || matches!(event, Event::Start(Tag::List(_) | Tag::Heading { .. }));
        } else if is_item {
            self.candidate(event, span.start);
        } else if span.start >= self.notes {
            self.block(event, span);
        }
    }

    fn is_in_open(&self) -> bool {
        self.count == 1 && self.goes_on
    }

    fn block(&mut self, event: &Event<'_>, span: &Range<usize>) {
        self.count += 1;
        self.is_list = matches!(event, Event::Start(Tag::List(_)));
        self.end = span.end;
        if self.count == 1 {
            let kind = match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => Some(Kind::Fence),
                Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => Some(Kind::Indented),
                Event::Start(Tag::HtmlBlock) => Some(Kind::Html),
                Event::Start(Tag::Table(_)) => Some(Kind::Table),
                _ => None,
            };
            let span = self.short.place(span.clone());
            self.goes_on = kind.is_some_and(|kind| self.part.goes_on(kind, span.start));
            self.first = Some((kind, span));
        }
        if !self.is_in_open() {
            self.candidate(event, span.start);
        }
    }

    /// The next part may begin in the line of this octet. A paragraph, or what looks like one, may be the rest of a definition, unless
    /// an empty line is before it; and a tag with which a paragraph begins behind a definition would be a block of HTML without that.
    fn candidate(&mut self, event: &Event<'_>, start: usize) {
        // A rule or an item ends whatever is before it.
        let ends_definitions = matches!(event, Event::Rule | Event::Start(Tag::Item));
        let is_html = matches!(event, Event::Start(Tag::HtmlBlock));
        let text = self.short.text();
        let (before, indent) = text[..start].split_at(start_of_blanks(text, start));
        let is_line = before.is_empty() || before.ends_with('\n');
        let is_new = || {
            let is_block = is_html || matches!(text.as_bytes().get(start), Some(b'#' | b'>' | b'`' | b'~'));
            is_block && is_indent(indent)
        };
        // A footnote within another one has more blanks before it; alone it would be code.
        let is_code = matches!(event, Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)));
        let is_apart = || is_empty_before(before) && (is_indent(indent) || is_code);
        if is_line && (ends_definitions || is_new() || is_apart()) {
            self.next = Some(before.len());
        }
    }

    fn place(&self, at: usize) -> usize {
        self.part.place(self.short.start(at))
    }

    /// The first block in the document, from the start of its line.
    pub(super) fn first(&self) -> Range<usize> {
        let start = self.part.span.start;
        self.first
            .as_ref()
            .map_or(start..start, |(_, span)| self.line(self.part.place(span.start))..self.part.place(span.end))
    }

    /// Where the next part begins. `definitions` start there in the short text.
    pub(super) fn next(&self, definitions: &[usize]) -> Next {
        if self.is_ended || self.is_closed() {
            return Next::At(self.part.span.end);
        }
        // Behind another one it may have more blanks before it; alone it would be code.
        let begins =
            |place: &usize| *place > self.part.span.start && is_indent(&self.part.document[self.line(*place)..*place]);
        let last = definitions.iter().map(|start| self.place(*start)).filter(begins).max();
        let behind = last.filter(|last| *last >= self.place(self.end)).map(|last| self.line(last));
        let next = self.next.map(|next| self.place(next)).max(behind);
        if let Some(place) = next.filter(|place| *place > self.part.span.start) {
            return Next::At(place);
        }
        match &self.first {
            None if self.part.is_blank() => match self.part.open {
                // Code with blanks before it goes on behind empty lines.
                Some(Kind::Indented) => Next::In(Kind::Indented),
                Some(Kind::Fence | Kind::Html | Kind::Table) | None => Next::At(self.part.span.end),
            },
            Some((Some(kind), span)) if self.is_open(*kind, span.end) => Next::In(*kind),
            _ => Next::Unknown,
        }
    }

    /// Whether the part ends with an empty line that ends all blocks, as what follows has no blanks before it.
    fn is_closed(&self) -> bool {
        let source = self.part.document;
        let is_flush = !matches!(source.as_bytes().get(self.part.span.end), None | Some(b' ' | b'\t' | b'\r' | b'\n'));
        let is_empty = is_empty_before(&source[self.part.span.clone()]);
        // Where no block is open and none begins, definitions are all that there is.
        let is_known = self.count > 0 || self.part.open.is_none();
        is_known && is_flush && is_empty && self.short.start(self.end) <= self.part.end()
    }

    /// Whether a block that ends there goes on behind the part: with the line that was put there.
    fn is_open(&self, kind: Kind, end: usize) -> bool {
        match kind {
            Kind::Fence | Kind::Html | Kind::Table => end > self.part.end(),
            Kind::Indented => is_blank(&self.part.document[self.part.place(end)..self.part.span.end]),
        }
    }

    /// The start of the line of a place of the document.
    fn line(&self, place: usize) -> usize {
        start_of_blanks(self.part.document, place)
    }
}

/// Where the blanks before a place begin.
fn start_of_blanks(text: &str, place: usize) -> usize {
    place - text.as_bytes()[..place].iter().rev().take_while(|octet| matches!(octet, b' ' | b'\t')).count()
}

/// Whether what has these blanks before it in its line is never code for that.
fn is_indent(blanks: &str) -> bool {
    blanks.len() < 4 && !blanks.contains('\t')
}

/// Whether a text that ends with a line ends with an empty one.
fn is_empty_before(text: &str) -> bool {
    let Some(line) = text.strip_suffix('\n') else { return text.is_empty() };
    line.trim_end_matches([' ', '\t', '\r']).ends_with('\n')
}
