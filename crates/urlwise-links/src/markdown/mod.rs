//! Links of Markdown.
//!
//! The parser keeps some fifty octets for each mark of punctuation until it has read all of a text, so a long document is read in parts.
//! Each part is read for itself but for three things: the first lines of a block that began before it, labels that other parts define,
//! and of equal definitions the first.

mod admonitions;
mod autolinks;
mod blocks;
mod closings;
pub(crate) mod destination;
mod labels;
mod notes;
mod part;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::iter;
use std::ops::Range;

use crate::assemble::{Assembler, Mark, What};
use crate::front_matter;
use crate::html::{self, Sink};
use crate::link::Link;
use crate::outline;
use crate::piece::{Piece, Role};
use blocks::{Kind, Next};
use labels::Labels;
use part::{Definition, Part, Read, Wanted};

pub(crate) use admonitions::as_items;
pub(crate) use autolinks::split;
pub(crate) use part::options;

/// How many marks of Markdown a part of a document may have that can only be read as a whole: a paragraph, a quotation or an item of a
/// list. Every octet of US-ASCII counts that is no letter, digit or blank.
pub const MOST_MARKS: usize = 1 << 16;

/// How many a part has where that is enough: the memory that it takes stays in the processor's cache then, and serves the next part.
const USUAL_MARKS: usize = 1 << 13;

/// One in so many octets of a part may be read again before the next one ends early, or has more marks if this one did.
const MOST_READ_AGAIN: usize = 8;

/// The most octets of the lines that are put before a part.
const LONGEST_BEFORE: usize = 1 << 12;

/// Gives what a document has to an assembler.
pub(crate) fn each<'s, V: FnMut(Piece<'s>) -> bool>(source: &'s str, sink: &mut Assembler<'s, V>) {
    debug_assert!(parts_agree(source), "how it is divided matters in {source:?}");
    each_by(source, [USUAL_MARKS, MOST_MARKS], sink);
}

/// The same, in parts that usually have no more than so many marks, and never more than so many.
fn each_by<'s, V: FnMut(Piece<'s>) -> bool>(source: &'s str, marks: [usize; 2], sink: &mut Assembler<'s, V>) {
    let mut labels = Labels::default();
    let mut walk = Walk::new(source, marks);
    if walk.at > 0 {
        sink.mark(0..walk.at, What::Verbatim);
    }
    while !sink.is_done()
        && let Some(step) = walk.next(&mut labels)
    {
        match step {
            Step::Unread(at) => sink.unread(at),
            Step::Part { html, mut marks } => {
                if let Some(html) = html {
                    // The blanks before it are not part of it.
                    let blanks = source[html.clone()].bytes().take_while(|octet| *octet == b' ').count();
                    sink.mark(html.start + blanks..html.end, What::Html);
                    html::scan(&source.as_bytes()[..html.end], html.start, sink);
                }
                // What begins with code or HTML is in it.
                let is_in = |mark: &Mark| {
                    !matches!(mark.what, What::Code | What::MoreCode | What::Indented { .. } | What::Html)
                };
                marks.sort_by_key(|mark| (mark.span.start, is_in(mark), mark.span.end));
                marks.into_iter().for_each(|Mark { span, what }| sink.mark(span, what));
                // Not in the block of HTML that goes on behind a part, which begins with one: text before it was ended there.
                sink.end_long_text(walk.at);
            }
        }
    }
}

/// Reads a document from part to part.
struct Walk<'s, 't> {
    source: &'s str,
    /// The same as it is read, with all octets in their places.
    text: Cow<'t, str>,
    /// How many marks a part has at most where that is enough, and how many it has in any case.
    marks: [usize; 2],
    /// How many it has at most now: more once that was not enough.
    usual: usize,
    /// The start of the next part.
    at: usize,
    /// Whether it ends where a block is likely to end, since much of the last one is read again.
    ends_early: bool,
    open: Option<Open>,
    /// Whether nothing else counts than what is defined.
    only_labels: bool,
    /// Whether footnotes count then, too: whether any of them matters.
    with_notes: bool,
    /// Where what may define a footnote stands first and last, once that matters.
    notes: OnceCell<Option<(usize, usize)>>,
    /// Where what may define a link stands last, once that matters.
    last: OnceCell<Option<usize>>,
}

/// The block that the next part begins in.
#[derive(Clone)]
struct Open {
    kind: Kind,
    start: usize,
    /// The first lines of it.
    before: Range<usize>,
}

/// Where a part may end.
#[derive(Debug, PartialEq, Eq)]
struct End {
    place: usize,
    /// How many marks the part may have.
    marks: usize,
    /// Whether a block is likely to end there.
    is_early: bool,
}

/// What is read at once.
enum Step {
    Part {
        /// A block of HTML that began in an earlier part and ends in this one. It is before the marks.
        html: Option<Range<usize>>,
        marks: Vec<Mark>,
    },
    /// The rest of the document from here is not read.
    Unread(usize),
}

impl<'s: 't, 't> Walk<'s, 't> {
    fn new(source: &'s str, marks: [usize; 2]) -> Self {
        Walk {
            source,
            text: as_items(source),
            marks,
            usual: marks[0],
            at: front_matter::length(source),
            ends_early: false,
            open: None,
            only_labels: false,
            with_notes: true,
            notes: OnceCell::new(),
            last: OnceCell::new(),
        }
    }

    /// The next part; `None` at the end.
    fn next(&mut self, labels: &mut Labels) -> Option<Step> {
        if self.at == self.source.len() {
            return None;
        }
        let mut ends = self.ends();
        let Some(mut end) = ends.next() else { return Some(self.unread()) };
        let mut read = self.read_to(end.place, labels);
        while matches!(read.next, Next::Unknown)
            && let Some(later) = ends.next()
        {
            if end.place < later.place {
                end = later;
                read = self.read_to(end.place, labels);
            }
        }
        let End { place: end, marks, is_early } = end;
        let is_last = end == self.source.len();
        let next = match read.next {
            _ if is_last => end,
            Next::At(next) => next,
            Next::In(_) => end,
            Next::Unknown => return Some(self.unread()),
        };
        let reads_again = (end - next) * MOST_READ_AGAIN > end - self.at;
        self.usual = if is_early && reads_again { marks.saturating_mul(2).min(self.marks[1]) } else { marks };
        self.ends_early = if is_early { next == end } else { reads_again };
        Some(self.step(read, next, is_last, labels))
    }

    /// Where the next part may end, one after the other, until it is known where the one behind it begins.
    fn ends(&self) -> impl Iterator<Item = End> + use<'s> {
        let (source, at, usual, [_, most], only_labels) =
            (self.source, self.at, self.usual, self.marks, self.only_labels);
        let ends_early = self.ends_early || only_labels;
        let more = iter::successors(Some(usual), move |marks| (*marks < most).then(|| most.min(marks * 2)));
        let tries = more.flat_map(move |marks| [(marks, ends_early || marks > usual), (marks, false)]);
        tries.filter_map(move |(marks, is_early)| {
            let end = end(source, at, marks)?;
            let place = match is_early {
                true => early_end(source, at..end, only_labels),
                false => end,
            };
            Some(End { place, marks, is_early })
        })
    }

    fn unread(&mut self) -> Step {
        let html = self.open.take_if(|open| open.kind == Kind::Html);
        let at = html.map_or(self.at, |html| html.start);
        self.at = self.source.len();
        Step::Unread(at)
    }

    /// Reads the part that ends there, with the labels that it has to know.
    fn read_to(&self, end: usize, labels: &mut Labels) -> Read {
        let read = self.read(end, labels);
        if self.only_labels || labels.is_complete() || !self.asks(&read, end, labels) {
            return read;
        }
        self.complete(labels);
        self.read(end, labels)
    }

    /// Reads the part that ends there.
    fn read(&self, end: usize, labels: &Labels) -> Read {
        let span = self.at..end;
        let (before, open) = match &self.open {
            Some(open) => (&self.text[open.before.clone()], Some(open.kind)),
            None => ("", None),
        };
        let inside = &self.text[span.clone()];
        let notes = if labels.have_notes() { notes::of_other_parts(inside, &span, labels) } else { String::new() };
        let (is_new, mark) = (is_new(self.source, end), outline::mark(&self.text[end..]));
        let probe = (self.only_labels && (is_new || !mark.is_empty())).then(|| labels.probe());
        let behind = match &probe {
            // In code or HTML that goes on it is no definition.
            Some(probe) if is_new => format!("[{probe}]: x\n"),
            // Nothing goes on behind a heading.
            Some(probe) => format!("{mark}# x\n[{probe}]: x\n"),
            None if end == self.source.len() => String::new(),
            // A block that this line belongs to goes on behind the part. With the mark of the line that stands there, it may end it. It is no
            // destination: one that begins like this needs an end.
            None => format!("{mark}<\n"),
        };
        let mut text = with_line_feeds(inside);
        if [&*notes, before, &behind].iter().any(|other| !other.is_empty()) {
            text = Cow::Owned([&notes, &*with_line_feeds(before), &text, &behind].concat());
        }
        let (notes, before) = (notes.len(), notes.len() + before.len());
        let wanted = match self.only_labels {
            true => Wanted::Definitions { notes: self.with_notes },
            false if span == (0..self.source.len()) => Wanted::Marks,
            false => Wanted::All,
        };
        let (source, document, probe) = (self.source, &*self.text, probe.as_deref());
        part::read(&Part { source, document, span, text: &text, notes, before, open, probe, wanted }, labels)
    }

    /// What counts of a part, when it is known where the next one begins.
    fn step(&mut self, read: Read, next: usize, is_last: bool, labels: &mut Labels) -> Step {
        let Read { mut marks, mut definitions, notes, asked: _, first, next: how } = read;
        let goes_on = match how {
            Next::In(kind) if !is_last => Some(kind),
            _ => None,
        };
        let html = match self.open.take_if(|open| goes_on != Some(open.kind)) {
            Some(open) if open.kind == Kind::Html => Some(open.start..first.end),
            _ => None,
        };
        if let (Some(kind), None) = (goes_on, &self.open) {
            let before = first.start..lines(self.source, first.start, kind.lines());
            if before.len() > LONGEST_BEFORE {
                return self.unread();
            }
            if kind == Kind::Html {
                marks.retain(|mark| mark.span.start < first.start);
            }
            self.open = Some(Open { kind, start: first.start, before });
        }
        if next < self.source.len() {
            marks.retain(|mark| mark.span.start < next);
        }
        // Of equal definitions the first counts.
        definitions.sort_by_key(|definition| definition.start);
        let counts = definitions.into_iter().filter(|each| each.start < next && labels.add_link(each.label));
        let mark = |definition: Definition| Mark { span: definition.destination, what: What::Link(Link::Destination) };
        marks.extend(counts.map(mark));
        notes.iter().filter(|(start, _)| *start < next).for_each(|(start, label)| labels.add_note(*label, *start));
        self.at = next;
        Step::Part { html, marks }
    }

    /// Whether anything before the next part may be known only from other parts, and matters.
    fn asks(&self, read: &Read, end: usize, labels: &Labels) -> bool {
        let next = match read.next {
            Next::At(next) if end < self.source.len() => next,
            Next::At(_) | Next::In(_) | Next::Unknown => end,
        };
        read.asked.is_some_and(|asked| asked < next && self.defines(next)) || self.needs_notes(read, next, end, labels)
    }

    /// Whether there may be a footnote before the next part that another part defines and that matters.
    fn needs_notes(&self, read: &Read, next: usize, end: usize, labels: &Labels) -> bool {
        if self.at == 0 && end == self.source.len() {
            return false;
        }
        let mut asked = notes::that_matter(&self.text[self.at..next]).peekable();
        if asked.peek().is_none() || self.notes().is_none_or(|(first, last)| first >= self.at && last < end) {
            return false;
        }
        let defined: HashSet<u64> = read.notes.iter().map(|(_, label)| *label).collect();
        asked.any(|label| !defined.contains(&labels.hash_note(&label)))
    }

    /// Where what may define a footnote stands first and last.
    fn notes(&self) -> Option<(usize, usize)> {
        *self.notes.get_or_init(|| {
            let mut ends = notes::defined(self.source).map(|label| label.end);
            let first = ends.next()?;
            Some((first, ends.last().unwrap_or(first)))
        })
    }

    /// Whether there may be definitions whose labels end behind a place.
    fn defines(&self, place: usize) -> bool {
        let last = self.last.get_or_init(|| memchr::memmem::rfind(self.source.as_bytes(), b"]:"));
        last.is_some_and(|last| last >= place)
    }

    /// Collects the labels of the rest of the document, in the same parts.
    fn complete(&self, labels: &mut Labels) {
        let mut all = labels.read_so_far();
        let mut walk = Walk {
            text: Cow::Borrowed(&self.text),
            only_labels: true,
            with_notes: notes::that_matter(&self.text[self.at..]).next().is_some(),
            open: self.open.clone(),
            notes: OnceCell::new(),
            last: OnceCell::new(),
            ..*self
        };
        while walk.next(&mut all).is_some() {}
        labels.complete(all);
    }
}

/// Where a part ends that starts there: behind the last line that it has no more than so many marks with. `None` if the first line has
/// more.
fn end(source: &str, at: usize, most: usize) -> Option<usize> {
    /// As many as one octet can count.
    const BLOCK: usize = 128;
    let octets = &source.as_bytes()[at..];
    if octets.len() <= most {
        return Some(source.len());
    }
    let mut left = most;
    for (index, block) in octets.chunks(BLOCK).enumerate() {
        let count = usize::from(block.iter().map(|octet| u8::from(is_mark(*octet))).sum::<u8>());
        if count > left {
            let mut marks = (0..block.len()).filter(|at| is_mark(block[*at]));
            let length = index * BLOCK + marks.nth(left).unwrap_or_default();
            return memchr::memrchr(b'\n', &octets[..length]).map(|last| at + last + 1);
        }
        left -= count;
    }
    Some(source.len())
}

/// Where a part that may go on to its end is likely to end with a block: before the last line that begins an item or a heading, or that is
/// [new](is_new); where `new_first`, before the last that is new if there is one. The last part ends at its end.
fn early_end(source: &str, part: Range<usize>, new_first: bool) -> usize {
    let Range { start, end } = part;
    if end == source.len() {
        return end;
    }
    let mut marked = None;
    for line in memchr::memrchr_iter(b'\n', &source.as_bytes()[start..end]).map(|line| start + line + 1) {
        // A line that is empty or begins with blanks is neither.
        if source.as_bytes().get(line).is_none_or(|first| *first <= b' ') {
            continue;
        }
        if is_new(source, line) {
            return line;
        }
        if marked.is_none() && !outline::mark(&source[line..]).is_empty() {
            marked = Some(line);
            if !new_first {
                break;
            }
        }
    }
    marked.unwrap_or(end)
}

/// Whether a line has an empty line before it and no blanks at its start: only code and HTML go on with it.
fn is_new(source: &str, line: usize) -> bool {
    let octets = source.as_bytes();
    octets[..line].ends_with(b"\n\n") && octets.get(line).is_some_and(|first| !first.is_ascii_whitespace())
}

/// Whether an octet may mean something to Markdown, and takes memory.
fn is_mark(octet: u8) -> bool {
    octet.is_ascii() & !octet.is_ascii_alphanumeric() & (octet != b' ')
}

/// A text with LF for each CR that no LF follows: the standard ends a line there, and the parser does not everywhere.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let is_alone = |at: &usize| text.as_bytes().get(at + 1) != Some(&b'\n');
    let mut alone = memchr::memchr_iter(b'\r', text.as_bytes()).filter(is_alone).peekable();
    if alone.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let (mut written, mut from) = (String::with_capacity(text.len()), 0);
    for at in alone {
        written.push_str(&text[from..at]);
        written.push('\n');
        from = at + 1;
    }
    written.push_str(&text[from..]);
    Cow::Owned(written)
}

/// The end of so many lines.
fn lines(source: &str, at: usize, count: usize) -> usize {
    let mut ends = memchr::memchr_iter(b'\n', &source.as_bytes()[at..]);
    match count.checked_sub(1) {
        Some(last) => ends.nth(last).map_or(source.len(), |end| at + end + 1),
        None => at,
    }
}

/// Whether it does not matter how a document is divided, if it is short.
fn parts_agree(source: &str) -> bool {
    const FEW: usize = 24;
    // In so few octets, definitions cannot be used so often that the parser stops to resolve them.
    const SHORT: usize = 1 << 10;
    source.len() > SHORT || parts_agree_by(source, [FEW / 2, FEW])
}

/// Whether the pieces of a document are the same in parts of so many marks, unless some is not read then.
fn parts_agree_by(source: &str, marks: [usize; 2]) -> bool {
    let divided = pieces_by(source, marks);
    divided.iter().any(|piece| piece.role() == Role::Unread) || divided == pieces_by(source, [usize::MAX; 2])
}

/// The pieces of a document in parts of so many marks.
fn pieces_by(source: &str, marks: [usize; 2]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut sink = Assembler::new(source.as_bytes(), false, |piece| {
        pieces.push(piece);
        true
    });
    each_by(source, marks, &mut sink);
    sink.finish();
    pieces
}

#[cfg(test)]
mod tests;
