//! Links of Markdown.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::assemble::{Mark, What};
use crate::html;
use crate::piece::{Builder, Piece, Role, Syntax};
use crate::reference;
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

/// The links, code, HTML and escapes of a document, in no particular order.
///
/// A reference link is a link where its destination is defined, once for all its uses.
pub(crate) fn marks(source: &str) -> Vec<Mark<'_>> {
    let short = Short::of(source);
    let parser = Parser::new_ext(short.text(), options());
    let marks = if may_run_out(&parser, &short) { None } else { read(source, &short, parser) };
    let whole = || read(source, &Short::whole(source), Parser::new_ext(source, options())).unwrap_or_default();
    let marks = marks.unwrap_or_else(whole);
    debug_assert!(sorted(&marks) == sorted(&whole()), "what is left out matters in {source:?}");
    marks
}

/// Marks in one order, to compare them.
fn sorted<'m, 's>(marks: &'m [Mark<'s>]) -> Vec<&'m Mark<'s>> {
    let mut sorted: Vec<_> = marks.iter().collect();
    sorted.sort_by_key(|mark| (mark.span.start, mark.span.end));
    sorted
}

/// Whether the uses of definitions may become so many that the parser stops to resolve them, which depends on the length of
/// the document.
fn may_run_out(parser: &Parser<'_>, short: &Short<'_>) -> bool {
    /// What it resolves at least, in octets of destinations and titles.
    const ALWAYS: usize = 100_000;
    let definitions = parser.reference_definitions().iter();
    let octets = definitions.map(|(_, each)| each.dest.len() + each.title.as_ref().map_or(0, |title| title.len()));
    let uses = || memchr::memchr_iter(b']', short.text().as_bytes()).count();
    !short.is_whole() && octets.max().is_some_and(|longest| longest * uses() >= ALWAYS)
}

/// What the parser of a short text finds, where it stands in the document. `None` if what was found before in paragraphs that
/// are left out is neither in text nor in code: then they are not paragraphs, and how HTML ends may depend on them.
fn read<'s>(source: &'s str, short: &Short<'_>, parser: Parser<'_>) -> Option<Vec<Mark<'s>>> {
    let mut reader =
        Reader { source, short, found: short.found(), marks: Vec::new(), links: Vec::new(), text: 0, is_code: false };
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
    reader.found.is_empty().then_some(reader.marks)
}

/// Reads the events of a short text. Marks are places of the document, all else is of the short text.
struct Reader<'s, 'p> {
    source: &'s str,
    short: &'p Short<'p>,
    /// What is found in paragraphs that are left out and not reached yet.
    found: &'p [Found],
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

impl<'s> Reader<'s, '_> {
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
            Event::Text(text) => {
                self.found(span);
                if !self.is_code {
                    self.escapes(text, span);
                }
            }
            _ => {}
        }
    }

    /// What is found in the paragraph that a letter of this text stands for.
    fn found(&mut self, span: &Range<usize>) {
        while let Some((Found { span: place, what, .. }, rest)) =
            self.found.split_first().filter(|(first, _)| span.start < first.at && first.at <= span.end)
        {
            self.found = rest;
            if !self.is_code {
                let octets = self.source.as_bytes();
                let what = match what {
                    Written::Code => What::Code,
                    Written::Autolink => What::Link(Piece::as_written(octets, place.clone(), Role::Link)),
                    Written::Destination => What::Link(decode(self.source, place.clone())),
                };
                self.marks.push(Mark { span: place.clone(), what });
            }
        }
    }

    fn mark(&mut self, span: Range<usize>, what: What<'s>) {
        let span = self.short.place(span);
        self.marks.push(Mark { span, what });
    }

    fn link(&mut self, link: &Open) {
        let Range { start, end } = link.span;
        match link.kind {
            LinkType::Inline => self.destination(&link.span, link.inside, "]("),
            LinkType::Autolink => {
                let inside = start + 1..end - 1;
                let place = self.short.place(inside.clone());
                self.mark(inside, What::Link(Piece::as_written(self.source.as_bytes(), place, Role::Link)));
            }
            LinkType::Email => {
                let inside = start + 1..end - 1;
                let place = self.short.place(inside.clone());
                let mut piece = Builder::new(self.source.as_bytes(), place.start);
                piece.decoded(place.start..place.start, b"mailto:");
                piece.plain(place.end);
                self.mark(inside, What::Link(piece.finish(Role::Link, Syntax::Plain)));
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
        let text = self.short.text();
        let rest = text.get(from..span.end).unwrap_or_default();
        let length = if rest.starts_with(before) { Some(0) } else { rest.find(before) };
        let Some(length) = length else { return };
        let behind = from + length + before.len();
        let written = &text[behind..span.end];
        let start = behind + (written.len() - written.trim_ascii_start().len());
        let inside = written_destination(&text[start..span.end]);
        let inside = start + inside.start..start + inside.end;
        let link = decode(self.source, self.short.place(inside.clone()));
        self.mark(inside, What::Link(link));
    }

    /// The links in HTML.
    fn html(&mut self, span: &Range<usize>) {
        let span = self.short.place(span.clone());
        self.marks.extend(html::scan(&self.source.as_bytes()[..span.end], span.start).marks);
    }

    /// Text that is not written as it reads: references, and the backslash before it.
    fn escapes(&mut self, text: &str, span: &Range<usize>) {
        let backslash = self.text..span.start;
        if self.short.text().get(backslash.clone()) == Some("\\") {
            self.mark(backslash, What::Decoded(Vec::new()));
        }
        if self.short.text().get(span.clone()) != Some(text) {
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
    while let Some(length) = memchr::memchr2(b'\\', b'&', &octets[at..span.end]) {
        at += length;
        let rest = &octets[at..span.end];
        match rest {
            [b'\\', next, ..] if next.is_ascii_punctuation() => {
                piece.decoded(at..at + 1, b"");
                // What is escaped starts nothing.
                at += 1;
            }
            [b'&', ..] => {
                if let Some((length, decoded)) = reference::at_start_in_markdown(rest) {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Lines that begin, continue or end whatever Markdown has, with words and links between them.
    fn document() -> impl Strategy<Value = String> {
        let line = prop_oneof![
            6 => "[a-z]{1,9}( [a-z,.]{1,9}){0,3}",
            3 => Just(String::new()),
            4 => "[a-z]{0,2}[ \t*_~`<>\\[\\]()!&;:|#=+\\\\\"'/0-9.\r\u{0}@^{}$-]{1,4}[a-z]{0,2}[*_~]?",
            6 => prop::sample::select(&LINES[..]).prop_map(str::to_owned),
        ];
        let line = ("(|||    |> |- |  |\t|>|1. )", line, "(\n|\n|\n|\n\n|\r\n| \n|\n\n\n|)");
        let line = line.prop_map(|(before, line, end)| [before, line, end].concat());
        prop::collection::vec(line, 0..24).prop_map(|lines| lines.concat())
    }

    const LINES: [&str; 40] = [
        "```",
        "~~~ text",
        "````",
        "===",
        "---",
        "***",
        "# head",
        "<!--",
        "-->",
        "<pre>",
        "</pre>",
        "<div>",
        "</div>",
        "<?php",
        "?>",
        "<![CDATA[",
        "]]>",
        "<a href='b",
        "c'>",
        "| a | b |",
        "|---|:-:|",
        "a | [b](c)",
        "[a]: b",
        "[a]:",
        "[^1]: note",
        "see [a] and [^1]",
        "[words",
        "more](b \"title",
        "end\")",
        "a `code",
        "span` b",
        "a *b [c",
        "d* e](f)",
        "<http://a.b/c>",
        "![i](j) \\",
        "&amp; \\_ a@b.c <d@e.f>",
        "see <http://a.b/c-->",
        "and <ftp:x> or [q](r&amp;s)",
        "a `b` c [d](e)",
        "[f `g`](h)",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_left_out_does_not_matter(source in document()) {
            let whole = read(&source, &Short::whole(&source), Parser::new_ext(&source, options()));
            prop_assert!(sorted(&marks(&source)) == sorted(&whole.unwrap_or_default()), "{:?}", source);
        }
    }

    #[test]
    fn references_in_destinations_are_those_that_the_parser_reads() {
        let zeros = (0..40).map(|count| "0".repeat(count));
        let numbers = zeros.flat_map(|zeros| [format!("#{zeros}64"), format!("#x{zeros}40"), format!("#X{zeros}4a")]);
        let names = ["commat", "amp", "copy", "nosuchname", "nGt", "#", "#x", "#xg", "#0", "#1114112", "#xD800"];
        for name in numbers.chain(names.map(str::to_owned)) {
            for end in [";", "", "9;", "=;"] {
                let source = format!("[a](b&{name}{end}c)");
                let destination = Parser::new_ext(&source, options()).find_map(|event| match event {
                    Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.into_string()),
                    _ => None,
                });
                let found = decode(&source, 4..source.len() - 1);
                assert_eq!(String::from_utf8_lossy(found.text()), destination.unwrap_or_default(), "{source}");
            }
        }
    }

    #[test]
    fn definitions_that_may_run_out_are_read_with_all_that_is_there() {
        let source = format!("words words\nwords\n\n{}\n\n[a]: /{}\n", "[b [a]](c) ".repeat(200), "d".repeat(1000));
        let long = format!("{}{source}", "words words\n\n".repeat(20_000));
        // Of the short text, the last links would be others: its definitions are used up.
        let short = Short::of(&long);
        assert!(may_run_out(&Parser::new_ext(short.text(), options()), &short));
        let links = |marks: &[Mark<'_>]| marks.iter().filter(|mark| matches!(mark.what, What::Link(_))).count();
        let parser = Parser::new_ext(short.text(), options());
        assert_ne!(links(&read(&long, &short, parser).unwrap_or_default()), links(&marks(&long)));
    }
}
