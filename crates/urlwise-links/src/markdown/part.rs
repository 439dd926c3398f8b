//! Reads a part of a document of Markdown.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{
    BrokenLink, BrokenLinkCallback, CodeBlockKind, CowStr, Event, LinkType, OffsetIter, Options, Parser, Tag, TagEnd,
};

use super::blocks::{Blocks, Kind, Next};
use super::closings::Closings;
use super::destination;
use super::labels::{Labels, may_read_otherwise};
use super::notes;
use crate::assemble::{Mark, What};
use crate::definition;
use crate::html;
use crate::link::Link;
use crate::outline;
use crate::short::{Found, Short};
use crate::simple::What as Written;

/// What GitHub reads beyond the standard.
pub(crate) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
}

/// What is read at once: lines of a document, with lines before and behind that are not there but have to do with them.
pub(super) struct Part<'t> {
    pub(super) source: &'t str,
    /// The document as it is read, with all octets in their places.
    pub(super) document: &'t str,
    /// Where it stands in the document.
    pub(super) span: Range<usize>,
    pub(super) text: &'t str,
    /// How much of the text, before all else, stands for footnotes that other parts define.
    pub(super) notes: usize,
    /// How much of the text is before it.
    pub(super) before: usize,
    /// The block that it begins in.
    pub(super) open: Option<Kind>,
    /// The label of a definition that was put behind the part. If the parser sees that definition, no block continues past the part.
    pub(super) probe: Option<&'t str>,
    pub(super) wanted: Wanted,
}

/// What is wanted of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Nothing but marks: the part is all of the document.
    Marks,
    /// Marks, what is defined, and where the next part begins.
    All,
    /// What is defined, footnotes only if they matter, and where the next part begins.
    Definitions { notes: bool },
}

impl Wanted {
    /// Whether marks are wanted.
    fn marks(self) -> bool {
        match self {
            Wanted::Marks | Wanted::All => true,
            Wanted::Definitions { .. } => false,
        }
    }
}

#[cfg(test)]
impl<'s> Part<'s> {
    /// All of a document.
    pub(super) fn whole(source: &'s str) -> Self {
        Part {
            source,
            document: source,
            span: 0..source.len(),
            text: source,
            notes: 0,
            before: 0,
            open: None,
            probe: None,
            wanted: Wanted::Marks,
        }
    }
}

impl Part<'_> {
    /// The place in the document of an octet of the text.
    pub(super) fn place(&self, at: usize) -> usize {
        (self.span.start + at.saturating_sub(self.before)).min(self.span.end)
    }

    /// Where the part ends in the text.
    pub(super) fn end(&self) -> usize {
        self.before + self.span.len()
    }

    /// Whether an octet of the text is behind the part.
    pub(super) fn is_behind(&self, at: usize) -> bool {
        self.end() < self.text.len() && at >= self.end()
    }

    /// Whether there is nothing but white space.
    pub(super) fn is_blank(&self) -> bool {
        self.is_blank_before(self.text.len())
    }

    /// The same before an octet of the text.
    fn is_blank_before(&self, at: usize) -> bool {
        is_blank(&self.document[self.span.start..self.place(at)])
    }

    /// Whether the first block, which starts there in the text, is the one that the part begins in.
    pub(super) fn goes_on(&self, first: Kind, start: usize) -> bool {
        // A definition, which is no block, ends code that has nothing else than blanks before its lines.
        self.open == Some(first) && (first != Kind::Indented || self.is_blank_before(start))
    }

    /// The place in the document of a span of the text; `None` if it is before the part or behind it.
    fn places(&self, span: &Range<usize>) -> Option<Range<usize>> {
        let is_before = self.before > 0 && span.end <= self.before;
        (!is_before && !self.is_behind(span.start)).then(|| self.place(span.start)..self.place(span.end))
    }
}

/// Whether all of these lines are blank to Markdown, for which a form feed is not white space.
pub(super) fn is_blank(lines: &str) -> bool {
    lines.bytes().all(|octet| matches!(octet, b' ' | b'\t' | b'\r' | b'\n'))
}

/// What there is in a part.
pub(super) struct Read {
    /// Links, code, HTML and escapes, in no particular order.
    pub(super) marks: Vec<Mark>,
    pub(super) definitions: Vec<Definition>,
    /// Where footnotes are defined, and the [numbers](Labels::hash_note) of their labels.
    pub(super) notes: Vec<(usize, u64)>,
    /// The first place where it matters whether another part defines a label that is not known yet.
    pub(super) asked: Option<usize>,
    /// The first block.
    pub(super) first: Range<usize>,
    pub(super) next: Next,
}

impl Read {
    /// Whether the same is defined in another one.
    pub(super) fn defines_like(&self, other: &Self) -> bool {
        let links = |read: &Self| read.definitions.iter().map(|each| (each.start, each.label)).collect::<BTreeSet<_>>();
        links(self) == links(other) && self.notes == other.notes
    }
}

/// Where a destination is defined.
pub(super) struct Definition {
    pub(super) start: usize,
    pub(super) label: u64,
    pub(super) destination: Range<usize>,
}

/// Reads a part.
///
/// A reference link is a link where its destination is defined, once for all its uses.
pub(super) fn read(part: &Part, labels: &Labels) -> Read {
    if !part.wanted.marks() {
        return read_definitions(part, labels);
    }
    let short = Short::of(part.text, part.end());
    let found = read_short(part, &short, labels).unwrap_or_else(|| read_all(part, labels));
    debug_assert!(
        sorted(&found.marks) == sorted(&read_all(part, labels).marks),
        "what is left out matters in {:?}",
        part.text
    );
    found
}

/// Reads the definitions of a part and where the next one begins.
fn read_definitions(part: &Part, labels: &Labels) -> Read {
    let short = Short::of_blocks(part.text, part.end());
    let found = read_short(part, &short, labels).unwrap_or_else(|| read_all(part, labels));
    debug_assert!(
        found.defines_like(&read_all(part, labels)),
        "what is left out matters to definitions in {:?}",
        part.text
    );
    found
}

/// The same with nothing left out.
pub(super) fn read_all(part: &Part, labels: &Labels) -> Read {
    let read = read_short(part, &Short::whole(part.text), labels);
    read.unwrap_or_else(|| unreachable!("nothing is left out"))
}

/// A parser that sets `asked` to the first place where it matters whether a label is defined and that is not known.
fn parser<'t, 'l>(
    text: &'t str,
    wanted: Wanted,
    labels: &'l Labels,
    asked: &'l Cell<Option<usize>>,
) -> Parser<'t, impl BrokenLinkCallback<'t> + use<'t, 'l>> {
    let mut closings = Closings::default();
    // Nothing asks for what a link elsewhere is.
    let known = move |link: BrokenLink<'t>| {
        let is_defined = if wanted.marks() { labels.defines_link(&link.reference) } else { Some(false) };
        let is_asked = || is_defined.is_none() && asked.get().is_some_and(|first| first <= link.span.start);
        if is_defined == Some(false) || is_asked() || !matters(text, &link.span, &mut closings) {
            return None;
        }
        if is_defined.is_none() {
            asked.set(Some(link.span.start));
        }
        is_defined?.then(|| (CowStr::from(""), CowStr::from("")))
    };
    Parser::new_with_broken_link_callback(text, options(), Some(known))
}

/// Whether it matters to others that a reference is a link: to a link around it, which it would not be then, or, where it has two pairs of
/// brackets, to one that begins with the second, or to what is in the second, which counts for nothing then. Few do.
fn matters(text: &str, span: &Range<usize>, closings: &mut Closings) -> bool {
    let (inside, behind) = (&text[span.clone()], &text.as_bytes()[span.end..]);
    // Brackets in a label are escaped, so it begins behind the last of these.
    let label = inside.as_bytes().windows(2).rposition(|pair| pair == b"][").map(|at| &inside[at + 2..]);
    let may_begin = || match behind.strip_prefix(b"[]") {
        // The parser leaves the second pair out of the span if it is empty.
        Some([b'[' | b'(', ..]) => true,
        _ => label.is_some() && matches!(behind, [b'[' | b'(', ..]),
    };
    label.is_some_and(may_read_otherwise) || may_begin() || closings.may_end_behind(text.as_bytes(), span.end)
}

/// Marks in one order, to compare them.
pub(super) fn sorted(marks: &[Mark]) -> Vec<&Mark> {
    let mut sorted: Vec<_> = marks.iter().collect();
    sorted.sort_by_key(|mark| (mark.span.start, mark.span.end));
    sorted
}

/// Whether this is a backslash before the end of a line: that of the last line of a paragraph is text or breaks the line, by what else is in
/// the paragraph.
fn is_backslash_at_end(written: &str) -> bool {
    written.strip_prefix('\\').is_some_and(|rest| matches!(rest, "\n" | "\r\n"))
}

/// Whether the uses of definitions may become so many that the parser stops to resolve them, which depends on the length of
/// the text.
fn may_run_out<'t, F: BrokenLinkCallback<'t>>(parser: &Parser<'t, F>, text: &str) -> bool {
    /// What it resolves at least, in octets of destinations and titles.
    const ALWAYS: usize = 100_000;
    let definitions = parser.reference_definitions().iter();
    let octets = definitions.map(|(_, each)| each.dest.len() + each.title.as_ref().map_or(0, |title| title.len()));
    let uses = || memchr::memchr_iter(b']', text.as_bytes()).count();
    octets.max().is_some_and(|longest| longest * uses() >= ALWAYS)
}

/// What there is in a short text, where it stands in the document. `None` if so much is left out that it may matter to the parser, or if
/// what was found before in paragraphs that are left out is neither in text nor in code: then they are not paragraphs, and how HTML ends
/// may depend on them.
fn read_short(part: &Part, short: &Short, labels: &Labels) -> Option<Read> {
    let asked = Cell::new(None);
    let parser = parser(short.text(), part.wanted, labels, &asked);
    if part.wanted.marks() && !short.is_whole() && may_run_out(&parser, short.text()) {
        return None;
    }
    let (marks, links, notes) = (Vec::new(), Vec::new(), Vec::new());
    let found = short.found();
    let (is_code, is_html, is_cell, goes_on) = (false, false, false, false);
    let mut reader =
        Reader { part, short, labels, found, marks, links, notes, text: 0, is_code, is_html, is_cell, goes_on };
    let (mut definitions, mut starts) = (Vec::new(), Vec::new());
    // Whether no block goes on behind the part, or nothing is there.
    let mut is_closed = !part.wanted.marks() && part.end() == part.text.len();
    for (label, definition) in parser.reference_definitions().iter() {
        is_closed |= part.probe == Some(label);
        let written = &short.text().as_bytes()[definition.span.start + 1..];
        let end = definition.span.start + 1 + definition::label(written).unwrap_or_default();
        let Some(destination) = reader.destination(&definition.span, end, "]:") else { continue };
        if part.wanted == Wanted::Marks {
            reader.marks.push(Mark { span: destination, what: What::Link(Link::Destination) });
        } else {
            let start = part.place(short.start(definition.span.start));
            definitions.push(Definition { start, label: labels.hash(label), destination });
            starts.push(definition.span.start);
        }
    }
    // The events could only tell footnotes and what is in long HTML, and there is neither.
    let has_notes =
        || part.wanted != Wanted::Definitions { notes: false } && notes::defined(short.text()).next().is_some();
    if is_closed && !has_notes() && (found.is_empty() || !outline::may_begin_long_html(short.text())) {
        let end = part.span.end;
        let (first, next) = (end..end, Next::At(end));
        return Some(Read { marks: Vec::new(), definitions, notes: Vec::new(), asked: None, first, next });
    }
    let mut blocks = Blocks::new(part, short);
    reader.read(parser.into_offset_iter(), &mut blocks);
    let (first, next) = (blocks.first(), blocks.next(&starts));
    let asked = asked.get().map(|asked| part.place(short.start(asked)));
    let Reader { marks, notes, found, .. } = reader;
    found.is_empty().then_some(Read { marks, definitions, notes, asked, first, next })
}

/// Reads the events of a short text. Marks are places of the document, all else is of the short text.
struct Reader<'t, 'p> {
    part: &'p Part<'p>,
    short: &'t Short<'t>,
    labels: &'p Labels,
    /// What is found in paragraphs that are left out and not reached yet.
    found: &'t [Found],
    marks: Vec<Mark>,
    /// The links that are open.
    links: Vec<Open>,
    notes: Vec<(usize, u64)>,
    /// The end of the last text.
    text: usize,
    /// Whether this is a code block.
    is_code: bool,
    /// Whether this is a block of HTML. Its only text is white space in place of that of its container.
    is_html: bool,
    /// Whether this is a cell of a table.
    is_cell: bool,
    /// Whether this is in the block that an earlier part began.
    goes_on: bool,
}

/// A link or image whose content is being read.
struct Open {
    kind: LinkType,
    span: Range<usize>,
    /// The end of its content so far.
    inside: usize,
}

impl<'t> Reader<'t, '_> {
    /// Reads all events, and gives them to `blocks` where it matters what blocks there are. It is a separate function, since the loop runs
    /// up to a fifth slower inside a long one.
    #[inline(never)]
    fn read<'p>(&mut self, mut events: OffsetIter<'p, impl BrokenLinkCallback<'p>>, blocks: &mut Blocks<'_, '_>) {
        // Not moved: an event is as long as a line of the processor's cache.
        while let Some((event, span)) = &events.next() {
            if !self.part.wanted.marks() {
                blocks.add(event, span);
                self.event_that_defines(event, span);
                continue;
            }
            match event {
                // Most events are this one, and no block begins with it.
                Event::Text(text) => self.text(text, span),
                _ => {
                    if self.part.wanted == Wanted::All {
                        self.goes_on = blocks.add(event, span);
                    }
                    self.event(event, span);
                }
            }
            // The event that opens a link spans all of it.
            if let Some(link) = self.links.last_mut().filter(|link| link.span != *span) {
                link.inside = link.inside.max(span.end);
            }
        }
    }

    /// An event that is no text.
    fn event(&mut self, event: &Event<'_>, span: &Range<usize>) {
        match event {
            Event::Start(Tag::Link { link_type, .. } | Tag::Image { link_type, .. }) => {
                self.links.push(Open { kind: *link_type, span: span.clone(), inside: span.start });
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                if let Some(link) = self.links.pop() {
                    self.link(&link);
                }
            }
            Event::Start(Tag::HtmlBlock) => {
                self.is_html = true;
                // One that began before is read as a whole.
                if !self.goes_on {
                    self.html(span, true);
                }
            }
            Event::End(TagEnd::HtmlBlock) => self.is_html = false,
            Event::InlineHtml(_) => self.html(span, false),
            Event::Start(Tag::CodeBlock(kind)) => {
                self.is_code = true;
                let what = match kind {
                    CodeBlockKind::Indented => What::Indented { goes_on: self.goes_on },
                    CodeBlockKind::Fenced(_) if self.goes_on => What::MoreCode,
                    CodeBlockKind::Fenced(_) => What::Code,
                };
                self.mark(span.clone(), what);
            }
            Event::End(TagEnd::CodeBlock) => self.is_code = false,
            Event::Start(Tag::TableCell) => self.is_cell = true,
            Event::End(TagEnd::TableCell) => self.is_cell = false,
            Event::Start(Tag::FootnoteDefinition(label)) if self.part.wanted == Wanted::All => self.note(label, span),
            Event::Code(_) => self.mark(span.clone(), What::Code),
            _ => {}
        }
    }

    fn text(&mut self, text: &str, span: &Range<usize>) {
        self.found(span);
        if !self.is_code && !self.is_html {
            self.escapes(text, span);
        }
    }

    /// The same where nobody asks for marks.
    fn event_that_defines(&mut self, event: &Event<'_>, span: &Range<usize>) {
        let with_notes = self.part.wanted == Wanted::Definitions { notes: true };
        match event {
            Event::Start(Tag::FootnoteDefinition(label)) if with_notes => self.note(label, span),
            Event::Text(_) => while self.next_found(span).is_some() {},
            _ => {}
        }
    }

    fn note(&mut self, label: &str, span: &Range<usize>) {
        if let Some(place) = self.places(span.clone()) {
            self.notes.push((place.start, self.labels.hash_note(label)));
        }
    }

    /// The next that is found in a paragraph that a letter of this text stands for.
    fn next_found(&mut self, span: &Range<usize>) -> Option<&'t Found> {
        let (found, rest) = self.found.split_first()?;
        (span.start < found.at && found.at <= span.end).then(|| {
            self.found = rest;
            found
        })
    }

    /// What is found in the paragraph that a letter of this text stands for.
    fn found(&mut self, span: &Range<usize>) {
        while let Some(Found { span: place, what, .. }) = self.next_found(span) {
            if !self.is_code
                && let Some(place) = self.part.places(place)
            {
                let what = match what {
                    Written::Code => What::Code,
                    // What is left out is no table.
                    Written::Autolink => What::Link(Link::Autolink { is_cell: false }),
                    Written::Destination => What::Link(Link::Destination),
                };
                self.marks.push(Mark { span: place, what });
            }
        }
    }

    /// The place in the document of a span of the short text.
    fn places(&self, span: Range<usize>) -> Option<Range<usize>> {
        self.part.places(&self.short.place(span))
    }

    fn mark(&mut self, span: Range<usize>, what: What) {
        if let Some(span) = self.places(span) {
            self.marks.push(Mark { span, what });
        }
    }

    fn link(&mut self, link: &Open) {
        let Range { start, end } = link.span;
        match link.kind {
            LinkType::Inline => {
                if let Some(place) = self.destination(&link.span, link.inside, "](") {
                    self.marks.push(Mark { span: place, what: What::Link(Link::Destination) });
                }
            }
            LinkType::Autolink => {
                self.mark(start + 1..end - 1, What::Link(Link::Autolink { is_cell: self.is_cell }));
            }
            LinkType::Email => self.mark(start + 1..end - 1, What::Link(Link::Address)),
            // Their destinations are those of the definitions.
            LinkType::Reference
            | LinkType::Collapsed
            | LinkType::Shortcut
            | LinkType::ReferenceUnknown
            | LinkType::CollapsedUnknown
            | LinkType::ShortcutUnknown => {}
            // Nothing asks for these.
            LinkType::WikiLink { .. } => {}
        }
    }

    /// Where the destination behind `before` is in the document, which stands in `span` at `from` or later.
    fn destination(&self, span: &Range<usize>, from: usize, before: &str) -> Option<Range<usize>> {
        let text = self.short.text();
        let rest = text.get(from..span.end).unwrap_or_default();
        // It is near, and to search for two octets takes longer to prepare than to do.
        let is_before = |octets: &[u8]| octets == before.as_bytes();
        let length = rest.as_bytes().windows(before.len()).position(is_before)?;
        let behind = from + length + before.len();
        let written = &text[behind..span.end];
        let start = behind + (written.len() - written.trim_ascii_start().len());
        let inside = destination::written(&text[start..span.end]);
        self.places(start + inside.start..start + inside.end)
    }

    /// The links in HTML: in a block of it, or in one tag, comment or the like.
    fn html(&mut self, span: &Range<usize>, is_block: bool) {
        if let Some(place) = self.places(span.clone()) {
            self.marks.push(Mark { span: place.clone(), what: What::Html });
            let source = &self.part.source.as_bytes()[..place.end];
            let mut sink = html::Marks::new(&mut self.marks);
            match is_block {
                true => html::scan(source, place.start, &mut sink),
                false => html::scan_one(source, place.start, &mut sink),
            }
        }
    }

    /// Text that is not written as it reads: references, and the backslash before it.
    fn escapes(&mut self, text: &str, span: &Range<usize>) {
        let written = self.short.text();
        let is_backslash = |before: &usize| *before >= self.text && written.as_bytes()[*before] == b'\\';
        if let Some(backslash) = span.start.checked_sub(1).filter(is_backslash) {
            self.mark(backslash..span.start, What::Decoded(Box::default()));
        }
        // Most text is a piece of what is written, and to compare one octet takes some processors as long as a hundred.
        let is_as_written =
            |written: &str| std::ptr::eq(written, text) || written == text || is_backslash_at_end(written);
        if !written.get(span.clone()).is_some_and(is_as_written) {
            self.mark(span.clone(), What::Decoded(text.as_bytes().into()));
        }
        self.text = span.end;
    }
}
