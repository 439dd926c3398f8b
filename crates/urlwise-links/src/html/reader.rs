//! What the tags, comments and scripts of HTML are for links.

use std::ops::Range;

use html5gum::emitters::callback::CallbackEvent;
use html5gum::naive_next_state;

use super::{Sink, Tag};
use crate::assemble::What;
use crate::link::Link;
use crate::piece::{Builder, Piece, Role, Syntax};
use crate::{reference, tokenizer};

/// What an attribute holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Link,
    Base,
    /// Where a form is sent.
    Form,
    /// Several links with descriptions, separated by commas.
    Links,
    /// The name of a fragment.
    Name,
    /// The same where all of them count.
    NameOfAny,
}

/// Attributes: the only element that they mean this in, or `*`.
static ATTRIBUTES: [(&[u8], &[u8], Holds); 15] = [
    (b"href", b"base", Holds::Base),
    (b"href", b"*", Holds::Link),
    (b"xlink:href", b"*", Holds::Link),
    (b"src", b"*", Holds::Link),
    (b"srcset", b"*", Holds::Links),
    (b"imagesrcset", b"link", Holds::Links),
    (b"cite", b"*", Holds::Link),
    (b"action", b"form", Holds::Form),
    (b"formaction", b"*", Holds::Form),
    (b"background", b"body", Holds::Link),
    (b"poster", b"*", Holds::Link),
    (b"data", b"object", Holds::Link),
    (b"id", b"*", Holds::Name),
    (b"name", b"a", Holds::Name),
    (b"name", b"*", Holds::NameOfAny),
];

/// The one element with text that html5gum does not know: it has `noframe`.
const NOFRAMES: &[u8] = b"noframes";

/// Whether the content of an element, given in lower case, is text in which no tag counts but the end tag. That of `noscript` is not: it is HTML to
/// all who run no scripts.
pub(super) fn is_text(element: &[u8]) -> bool {
    element == NOFRAMES || !matches!(element, b"noscript" | b"noframe") && naive_next_state(element).is_some()
}

/// Where the end tag of an element starts, or the end of the document.
fn end_tag_of(element: &[u8], source: &[u8], from: usize) -> usize {
    let is_end_tag = |at: &usize| {
        let name = source[*at..].strip_prefix(b"</").and_then(|tag| tag.split_at_checked(element.len()));
        name.is_some_and(|(name, behind)| {
            name.eq_ignore_ascii_case(element)
                && matches!(behind, [b'\t' | b'\n' | 0x0C | b'\r' | b' ' | b'/' | b'>', ..])
        })
    };
    memchr::memchr_iter(b'<', &source[from..]).map(|at| from + at).find(is_end_tag).unwrap_or(source.len())
}

/// Elements whose content is code.
const CODE: [&[u8]; 4] = [b"code", b"pre", b"kbd", b"samp"];

/// The start tag that is being read.
#[derive(Default)]
struct Open {
    start: usize,
    name: Vec<u8>,
    attribute: Vec<u8>,
    /// Which rows of [`ATTRIBUTES`] it has had: of attributes with one name the first counts.
    had: u32,
    /// The attributes with links and names, which count once it is complete: the document may end in it.
    held: Vec<Held>,
    is_refresh: Option<bool>,
    /// The value of `content`.
    content: Option<Range<usize>>,
}

/// An attribute of the start tag that is being read.
enum Held {
    /// What it holds, and where its value stands.
    Value(Holds, Range<usize>),
    /// A name, decoded.
    Name(Vec<u8>),
}

/// Reads what stands in a document, whichever way its tags are read.
pub(super) struct Reader<'r, K> {
    source: &'r [u8],
    sink: &'r mut K,
    tag: Open,
    /// Where the text of a script or the like starts.
    raw: Option<usize>,
    /// The element of the code that is open, and how many of these are open.
    code: Option<(Vec<u8>, usize)>,
}

impl<'r, K: Sink> Reader<'r, K> {
    pub(super) fn new(source: &'r [u8], sink: &'r mut K) -> Self {
        Reader { source, sink, tag: Open::default(), raw: None, code: None }
    }

    /// Whether nobody wants to know what follows.
    pub(super) fn is_done(&self) -> bool {
        self.sink.is_done()
    }

    /// Reads from `at`, where no tag is open, to the end of the first tag, comment or the like. Scripts and what else is not read as
    /// HTML end with their end tag. Returns where it ends.
    pub(super) fn tokens(&mut self, at: usize) -> usize {
        let source = self.source;
        let place = |offset: usize| (at + offset).min(source.len());
        let mut end = None;
        tokenizer::read(&source[at..], true, &mut |event, span| {
            let span = place(span.start)..place(span.end);
            if self.event(event, span.clone()) {
                end = Some(span.end);
            }
            end.is_none()
        });
        match end.unwrap_or(source.len()) {
            end if self.raw.is_some() && self.tag.name == NOFRAMES => end_tag_of(NOFRAMES, source, end),
            end => end,
        }
    }

    /// Returns whether what follows is read as HTML, with nothing open.
    fn event(&mut self, event: &CallbackEvent<'_>, span: Range<usize>) -> bool {
        match event {
            CallbackEvent::OpenStartTag { name } => self.open(name, span.start),
            CallbackEvent::AttributeName { name } => self.attribute(name),
            CallbackEvent::AttributeValue { value } => self.value(value, span),
            CallbackEvent::CloseStartTag { .. } => {
                self.close(span.end);
                return !is_text(&self.tag.name) || self.tag.name == NOFRAMES;
            }
            CallbackEvent::EndTag { name } => {
                self.end_tag(name, &span);
                return true;
            }
            CallbackEvent::Comment { .. } => {
                self.comment(span);
                return self.raw.is_none();
            }
            CallbackEvent::Doctype { .. } => return true,
            CallbackEvent::String { .. } | CallbackEvent::Error(_) => {}
        }
        false
    }

    /// A comment.
    pub(super) fn comment(&mut self, span: Range<usize>) {
        self.mark(span, What::Verbatim);
    }

    /// A start tag begins at this place.
    pub(super) fn open(&mut self, name: &[u8], at: usize) {
        let Open { start, name: element, had, held, is_refresh, content, .. } = &mut self.tag;
        *start = at;
        lower(element, name);
        (*had, *is_refresh, *content) = (0, None, None);
        held.clear();
    }

    /// The name of the element whose start tag began last, in lower case.
    pub(super) fn element(&self) -> &[u8] {
        &self.tag.name
    }

    /// The name of an attribute.
    pub(super) fn attribute(&mut self, name: &[u8]) {
        lower(&mut self.tag.attribute, name);
    }

    fn mark(&mut self, span: Range<usize>, what: What) {
        self.sink.mark(span, what);
    }

    /// The value of an attribute, decoded, and its place.
    pub(super) fn value(&mut self, value: &[u8], span: Range<usize>) {
        let Open { name, attribute, .. } = &self.tag;
        if name == b"meta" {
            match attribute.as_slice() {
                b"http-equiv" => {
                    self.tag.is_refresh.get_or_insert(value.eq_ignore_ascii_case(b"refresh"));
                }
                b"content" => {
                    self.tag.content.get_or_insert(span);
                }
                _ => {}
            }
            return;
        }
        let is_meant =
            |(wanted, element, _): &(&[u8], &[u8], Holds)| wanted == attribute && (*element == b"*" || element == name);
        let Some(row) = ATTRIBUTES.iter().position(is_meant).filter(|row| self.tag.had >> row & 1 == 0) else {
            return;
        };
        self.tag.had |= 1 << row;
        match ATTRIBUTES[row].2 {
            Holds::Name if K::TAKES_NAMES => self.tag.held.push(Held::Name(value.to_vec())),
            Holds::NameOfAny if K::TAKES_ALL_NAMES => self.tag.held.push(Held::Name(value.to_vec())),
            Holds::Name | Holds::NameOfAny => {}
            holds => self.tag.held.push(Held::Value(holds, span)),
        }
    }

    /// A link, without the white space around it.
    fn link(&mut self, span: Range<usize>, role: Role) {
        self.link_as(span, role, Syntax::Html);
    }

    fn link_as(&mut self, span: Range<usize>, role: Role, syntax: Syntax) {
        let written = &self.source[span.clone()];
        let start = span.start + (written.len() - written.trim_ascii_start().len());
        let end = start + written.trim_ascii().len();
        self.mark(start..end, What::Link(Link::Html { role, syntax }));
    }

    /// The content of a refresh, which browsers take apart once its references are decoded.
    fn refresh(&mut self, content: Range<usize>) {
        let decoded = decode(self.source, content, Role::Link, Syntax::Html);
        let Some((url, quote)) = refresh(decoded.text()) else { return };
        let span = decoded.source(url.start)..decoded.source_end(url.end);
        self.link_as(span, Role::Link, Syntax::Refresh { quote });
    }

    /// The links of `srcset`: each ends at white space, which a description and a comma may follow.
    fn candidates(&mut self, span: &Range<usize>) {
        let mut at = span.start;
        loop {
            let skipped = |octet: &&u8| octet.is_ascii_whitespace() || **octet == b',';
            at += self.source[at..span.end].iter().take_while(skipped).count();
            let length = self.source[at..span.end].iter().take_while(|octet| !octet.is_ascii_whitespace()).count();
            if length == 0 {
                return;
            }
            let end = at + length;
            let commas = self.source[at..end].iter().rev().take_while(|octet| **octet == b',').count();
            self.link(at..end - commas, Role::Link);
            at = end;
            if commas == 0 {
                at += description(&self.source[at..span.end]);
            }
        }
    }

    /// The end of a start tag.
    pub(super) fn close(&mut self, end: usize) {
        let mut held = std::mem::take(&mut self.tag.held);
        for each in held.drain(..) {
            match each {
                Held::Value(Holds::Links, span) => self.candidates(&span),
                Held::Value(Holds::Base, span) => self.link(span, Role::Base),
                Held::Value(Holds::Form, span) => self.link(span, Role::Form),
                Held::Value(Holds::Link | Holds::Name | Holds::NameOfAny, span) => self.link(span, Role::Link),
                Held::Name(name) => self.sink.name(name),
            }
        }
        self.tag.held = held;
        if let Some(content) = self.tag.content.take().filter(|_| self.tag.is_refresh == Some(true)) {
            self.refresh(content);
        }
        let name = &self.tag.name;
        self.sink.tag(self.tag.start..end, Tag::Start(name));
        match &mut self.code {
            Some((element, open)) if element == name => *open += 1,
            None if CODE.contains(&name.as_slice()) => {
                self.code = Some((name.clone(), 1));
                self.sink.open_code(end);
            }
            Some(_) | None => {}
        }
        if !matches!(name.as_slice(), b"textarea" | b"title") && is_text(name) {
            self.raw = Some(end);
        }
    }

    /// An end tag.
    pub(super) fn end_tag(&mut self, name: &[u8], span: &Range<usize>) {
        if let Some(start) = self.raw.take() {
            self.mark(start..span.start, What::Verbatim);
        }
        self.sink.tag(span.clone(), Tag::End(name));
        if let Some((element, open)) = &mut self.code
            && element.eq_ignore_ascii_case(name)
        {
            *open -= 1;
            if *open == 0 {
                self.code = None;
                self.sink.close_code(span.start);
            }
        }
    }

    pub(super) fn finish(mut self) {
        let end = self.source.len();
        if let Some(start) = self.raw.take() {
            self.mark(start..end, What::Verbatim);
        }
        if self.code.is_some() {
            self.sink.close_code(end);
        }
    }
}

/// Makes a text that of a name, in lower case.
fn lower(text: &mut Vec<u8>, name: &[u8]) {
    text.clear();
    text.extend(name.iter().map(u8::to_ascii_lowercase));
}

/// The length of the description of a link in `srcset`, with its comma; a comma in parentheses is part of it.
fn description(text: &[u8]) -> usize {
    let mut depth = 0usize;
    for (at, octet) in text.iter().enumerate() {
        match octet {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The URL in the content of a refresh, and the quotation mark before it: `5; url='http://host.dom/'`. By the steps of the standard: "shared
/// declarative refresh steps" of HTML.
fn refresh(content: &[u8]) -> Option<(Range<usize>, Option<u8>)> {
    let skip = |at: usize, is_one: fn(&u8) -> bool| at + content[at..].iter().take_while(|octet| is_one(octet)).count();
    let white = |at| skip(at, u8::is_ascii_whitespace);
    let time = white(0);
    let seconds = skip(time, |octet| octet.is_ascii_digit() || *octet == b'.');
    let divides = matches!(content.get(seconds)?, b';' | b',') || white(seconds) > seconds;
    if seconds == time || !divides {
        return None;
    }
    let at = white(seconds);
    let start = match content.get(at)? {
        b';' | b',' => white(at + 1),
        _ => at,
    };
    let is_named = content.get(start..start + 3).is_some_and(|name| name.eq_ignore_ascii_case(b"url"));
    let equals = if is_named { white(start + 3) } else { start };
    let start = if is_named && content.get(equals) == Some(&b'=') { white(equals + 1) } else { start };
    let (url, quote) = match *content.get(start)? {
        quote @ (b'"' | b'\'') => {
            let inside = &content[start + 1..];
            let length = memchr::memchr(quote, inside).unwrap_or(inside.len());
            (start + 1..start + 1 + length, Some(quote))
        }
        _ => (start..content.len(), None),
    };
    (!url.is_empty()).then_some((url, quote))
}

/// A part of the source with its references decoded.
pub(crate) fn decode(source: &[u8], span: Range<usize>, role: Role, syntax: Syntax) -> Piece<'_> {
    let mut piece = Builder::new(source, span.start);
    let mut at = span.start;
    while let Some(length) = memchr::memchr(b'&', &source[at..span.end]) {
        let start = at + length;
        at = match reference::at_start(&source[start..span.end]) {
            Some((length, octets)) => {
                piece.decoded(start..start + length, &octets);
                start + length
            }
            None => start + 1,
        };
    }
    piece.plain(span.end);
    piece.finish(role, syntax)
}
