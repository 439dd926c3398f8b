//! Links of Markdown.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::assemble::{Mark, What};
use crate::html;
use crate::piece::{Builder, Piece, Role, Syntax};
use crate::reference;

/// What GitHub reads beyond the standard.
pub(crate) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
}

/// The links, code, HTML and escapes of a document, in no particular order.
///
/// A reference link is a link where its destination is defined, once for all its uses.
pub(crate) fn marks(source: &str) -> Vec<Mark<'_>> {
    let parser = Parser::new_ext(source, options());
    let mut reader = Reader { source, marks: Vec::new(), links: Vec::new(), text: 0, is_code: false };
    for (_, definition) in parser.reference_definitions().iter() {
        reader.destination(&definition.span, definition.span.start, "]:");
    }
    for (event, span) in parser.into_offset_iter() {
        reader.event(&event, &span);
        // The event that opens a link spans all of it.
        if let Some(link) = reader.links.last_mut().filter(|link| link.span != span) {
            link.inside = link.inside.max(span.end);
        }
    }
    reader.marks
}

struct Reader<'s> {
    source: &'s str,
    marks: Vec<Mark<'s>>,
    /// The links that are open.
    links: Vec<Open>,
    /// The end of the last text.
    text: usize,
    /// Whether this is a code block.
    is_code: bool,
}

/// A link or image whose content is being read.
struct Open {
    kind: LinkType,
    span: Range<usize>,
    /// The end of its content so far.
    inside: usize,
}

impl<'s> Reader<'s> {
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
            Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => self.html(span),
            Event::Start(Tag::CodeBlock(_)) => {
                self.is_code = true;
                self.mark(span.clone(), What::Code);
            }
            Event::End(TagEnd::CodeBlock) => self.is_code = false,
            Event::Code(_) => self.mark(span.clone(), What::Code),
            Event::Text(text) if !self.is_code => self.escapes(text, span),
            _ => {}
        }
    }

    fn mark(&mut self, span: Range<usize>, what: What<'s>) {
        self.marks.push(Mark { span, what });
    }

    fn link(&mut self, link: &Open) {
        let Range { start, end } = link.span;
        match link.kind {
            LinkType::Inline => self.destination(&link.span, link.inside, "]("),
            LinkType::Autolink => {
                let inside = start + 1..end - 1;
                self.mark(inside.clone(), What::Link(Piece::as_written(self.source.as_bytes(), inside, Role::Link)));
            }
            LinkType::Email => {
                let mut piece = Builder::new(self.source.as_bytes(), start + 1);
                piece.decoded(start + 1..start + 1, b"mailto:");
                piece.plain(end - 1);
                self.mark(start + 1..end - 1, What::Link(piece.finish(Role::Link, Syntax::Plain)));
            }
            // Their destinations are those of the definitions.
            LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut => {}
            // Nothing asks for these.
            LinkType::ReferenceUnknown
            | LinkType::CollapsedUnknown
            | LinkType::ShortcutUnknown
            | LinkType::WikiLink { .. } => {}
        }
    }

    /// The destination behind `before`, which stands in `span` at `from` or later.
    fn destination(&mut self, span: &Range<usize>, from: usize, before: &str) {
        let Some(length) = self.source.get(from..span.end).and_then(|rest| rest.find(before)) else {
            return;
        };
        let behind = from + length + before.len();
        let written = &self.source[behind..span.end];
        let start = behind + (written.len() - written.trim_ascii_start().len());
        let inside = written_destination(&self.source[start..span.end]);
        let inside = start + inside.start..start + inside.end;
        let link = decode(self.source, inside.clone());
        self.mark(inside, What::Link(link));
    }

    /// The links in HTML.
    fn html(&mut self, span: &Range<usize>) {
        self.marks.extend(html::scan(&self.source.as_bytes()[..span.end], span.start).marks);
    }

    /// Text that is not written as it reads: references, and the backslash before it.
    fn escapes(&mut self, text: &str, span: &Range<usize>) {
        let backslash = self.text..span.start;
        if self.source.get(backslash.clone()) == Some("\\") {
            self.mark(backslash, What::Decoded(Vec::new()));
        }
        if self.source.get(span.clone()) != Some(text) {
            self.mark(span.clone(), What::Decoded(text.as_bytes().to_vec()));
        }
        self.text = span.end;
    }
}

/// The destination at the start: in angle brackets, or up to white space or a parenthesis that it did not open.
fn written_destination(text: &str) -> Range<usize> {
    let octets = text.as_bytes();
    let is_bracketed = octets.first() == Some(&b'<');
    let start = usize::from(is_bracketed);
    let mut depth = 0usize;
    let mut at = start;
    while let Some(octet) = octets.get(at) {
        match octet {
            b'\\' if octets.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 1,
            b'>' if is_bracketed => break,
            _ if is_bracketed => {}
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            octet if octet.is_ascii_whitespace() => break,
            _ => {}
        }
        at += 1;
    }
    start..at
}

/// A destination without its backslashes and references.
fn decode(source: &str, span: Range<usize>) -> Piece<'_> {
    let octets = source.as_bytes();
    let mut piece = Builder::new(octets, span.start);
    let mut at = span.start;
    while at < span.end {
        let rest = &octets[at..span.end];
        match rest {
            [b'\\', next, ..] if next.is_ascii_punctuation() => {
                piece.decoded(at..at + 1, b"");
                // What is escaped starts nothing.
                at += 1;
            }
            [b'&', ..] => {
                // Markdown knows no references without their `;`.
                let found = reference::at_start(rest).filter(|(length, _)| rest[length - 1] == b';');
                if let Some((length, decoded)) = found {
                    piece.decoded(at..at + length, &decoded);
                    at += length - 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    piece.plain(span.end);
    let is_bracketed = span.start.checked_sub(1).is_some_and(|before| octets[before] == b'<');
    piece.finish(Role::Link, Syntax::Destination { is_bracketed })
}
