//! Puts links and the text around them in order.

use std::ops::Range;

use crate::html::Sink;
use crate::link::Link;
use crate::piece::{Builder, Piece, Role, Syntax};
use crate::reference;

/// What stands at a place of a document.
#[derive(PartialEq, Eq)]
pub(crate) enum What {
    /// A link or base.
    Link(Link),
    /// Code.
    Code,
    /// Code that goes on with the code before.
    MoreCode,
    /// A block of code that nothing but blanks before its lines makes one, and whether it goes on with the code before.
    Indented { goes_on: bool },
    /// Text in which `&` stands for itself.
    Verbatim,
    /// HTML, in the text of which references are decoded.
    Html,
    /// Written differently from what it stands for.
    Decoded(Box<[u8]>),
}

/// A place of a document.
#[derive(PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) span: Range<usize>,
    pub(crate) what: What,
}

// A part may have 65,536 of them.
const _: () = assert!(size_of::<Mark>() <= 40);

/// Makes pieces of the marks of a document, which come in order, and gives each to `visit` as soon as it is complete, until that
/// returns false.
pub(crate) struct Assembler<'s, V> {
    source: &'s [u8],
    /// The end of the HTML, in which character references outside of the marks are decoded.
    html: usize,
    /// Everything before it is in a piece.
    at: usize,
    /// The piece that is being put together.
    text: Builder<'s>,
    /// The end of the code; while it is not known, no place of a document.
    code: usize,
    /// Whether blanks before lines mean nothing.
    is_mdx: bool,
    visit: V,
    goes_on: bool,
}

impl<'s, V: FnMut(Piece<'s>) -> bool> Assembler<'s, V> {
    pub(crate) fn new(source: &'s [u8], is_html: bool, visit: V) -> Self {
        let html = if is_html { usize::MAX } else { 0 };
        Assembler { source, html, at: 0, text: Builder::new(source, 0), code: 0, is_mdx: false, visit, goes_on: true }
    }

    /// The same for MDX.
    pub(crate) fn of_mdx(self) -> Self {
        Assembler { is_mdx: true, ..self }
    }

    /// The rest of the document. Returns whether `visit` wants more.
    pub(crate) fn finish(mut self) -> bool {
        self.up_to(self.source.len());
        self.end();
        self.goes_on
    }

    /// The rest of the document from `at`, which cannot be read.
    pub(crate) fn unread(&mut self, at: usize) {
        self.up_to(at);
        self.end();
        let end = self.source.len();
        if self.at < end {
            self.give(Piece::as_written(self.source, self.at..end, Role::Unread));
        }
        self.skip_to(end);
    }

    /// Gives the text before `at`, between two blocks of the document, if it takes so much memory that it should not grow any longer.
    pub(crate) fn end_long_text(&mut self, at: usize) {
        /// Octets of a text that is not as written.
        const LONG: usize = 1 << 18;
        if self.text.octets() > LONG {
            self.up_to(at);
            self.end();
        }
    }

    fn give(&mut self, piece: Piece<'s>) {
        self.goes_on = self.goes_on && (self.visit)(piece);
    }

    /// Adds the text up to `end`.
    fn up_to(&mut self, end: usize) {
        if self.html > self.at && self.html <= end {
            self.code_to(self.html);
            self.end();
        }
        self.code_to(end);
    }

    fn code_to(&mut self, end: usize) {
        if self.code > self.at && self.code <= end {
            self.text_to(self.code);
            self.end();
        }
        self.text_to(end);
    }

    fn text_to(&mut self, end: usize) {
        while let Some(length) =
            self.source.get(self.at..end.min(self.html)).and_then(|rest| memchr::memchr(b'&', rest))
        {
            let start = self.at + length;
            self.at = match reference::at_start(&self.source[start..end]) {
                Some((length, octets)) => {
                    self.text.decoded(start..start + length, &octets);
                    start + length
                }
                None => start + 1,
            };
        }
        self.text.plain(end);
        self.at = self.at.max(end);
    }

    /// Ends the piece here.
    fn end(&mut self) {
        self.end_as(if self.html >= self.at { Syntax::Html } else { Syntax::Plain });
    }

    fn end_as(&mut self, syntax: Syntax) {
        let role = if self.code >= self.at { Role::Code } else { Role::Text };
        let text = std::mem::replace(&mut self.text, Builder::new(self.source, self.at)).finish(role, syntax);
        if !text.span().is_empty() {
            self.give(text);
        }
    }

    /// Continues behind a link.
    fn skip_to(&mut self, at: usize) {
        self.at = at;
        self.text = Builder::new(self.source, at);
    }
}

impl<'s, V: FnMut(Piece<'s>) -> bool> Sink for Assembler<'s, V> {
    fn mark(&mut self, span: Range<usize>, what: What) {
        match what {
            // Links in code, which HTML can have, are links.
            What::Code => {
                self.up_to(span.start);
                self.end();
                self.code = self.code.max(span.end);
            }
            What::Indented { .. } if self.is_mdx => {}
            What::Indented { goes_on: false } => self.mark(span, What::Code),
            What::MoreCode | What::Indented { goes_on: true } => self.code = self.code.max(span.end),
            // HTML goes on with it.
            What::Html if self.html > self.at && self.html == span.start => self.html = span.end,
            What::Html => {
                self.up_to(span.start);
                self.end();
                self.html = self.html.max(span.end);
            }
            // A mark within another one is part of it.
            _ if span.start < self.at => {}
            What::Decoded(octets) => {
                self.up_to(span.start);
                self.text.decoded(span.clone(), &octets);
                self.at = span.end;
            }
            What::Link(link) => {
                self.up_to(span.start);
                self.end();
                self.give(link.decode(self.source, span.clone()));
                self.skip_to(span.end);
            }
            What::Verbatim => {
                self.up_to(span.start);
                self.end();
                self.text.plain(span.end);
                self.at = span.end;
                self.end_as(Syntax::Verbatim);
            }
        }
    }

    fn open_code(&mut self, at: usize) {
        self.up_to(at);
        self.end();
        self.code = usize::MAX;
    }

    fn close_code(&mut self, at: usize) {
        self.code = at;
        self.up_to(at);
        self.end();
    }

    fn is_done(&self) -> bool {
        !self.goes_on
    }
}
