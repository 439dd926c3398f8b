//! Puts links and the text around them in order.

use std::ops::Range;

use crate::piece::{Builder, Piece, Role, Syntax};
use crate::reference;

/// What stands at a place of a document.
#[derive(PartialEq, Eq)]
pub(crate) enum What<'s> {
    /// A link or base.
    Link(Piece<'s>),
    /// Code.
    Code,
    /// Text in which `&` stands for itself.
    Verbatim,
    /// Written differently from what it stands for.
    Decoded(Vec<u8>),
}

/// A place of a document.
#[derive(PartialEq, Eq)]
pub(crate) struct Mark<'s> {
    pub(crate) span: Range<usize>,
    pub(crate) what: What<'s>,
}

/// The pieces of a document with these marks. `references`: outside of the marks, character references are decoded.
pub(crate) fn assemble<'s>(source: &'s [u8], mut marks: Vec<Mark<'s>>, references: bool) -> Vec<Piece<'s>> {
    marks.sort_by_key(|mark| (mark.span.start, mark.span.end));
    let mut pieces = Pieces { source, references, at: 0, text: Builder::new(source, 0), code: 0, done: Vec::new() };
    for Mark { span, what } in marks {
        match what {
            // Links in code, which HTML can have, are links.
            What::Code => {
                pieces.up_to(span.start);
                pieces.end();
                pieces.code = pieces.code.max(span.end);
            }
            // A mark within another one is part of it.
            _ if span.start < pieces.at => {}
            What::Decoded(octets) => {
                pieces.up_to(span.start);
                pieces.text.decoded(span.clone(), &octets);
                pieces.at = span.end;
            }
            What::Link(link) => {
                pieces.up_to(span.start);
                pieces.end();
                pieces.done.push(link);
                pieces.skip_to(span.end);
            }
            What::Verbatim => {
                pieces.up_to(span.start);
                pieces.end();
                pieces.text.plain(span.end);
                pieces.at = span.end;
                pieces.end_as(Syntax::Plain);
            }
        }
    }
    pieces.up_to(source.len());
    pieces.end();
    pieces.done
}

struct Pieces<'s> {
    source: &'s [u8],
    references: bool,
    /// Everything before it is in a piece.
    at: usize,
    /// The piece that is being put together.
    text: Builder<'s>,
    /// The end of the code.
    code: usize,
    done: Vec<Piece<'s>>,
}

impl Pieces<'_> {
    /// Adds the text up to `end`.
    fn up_to(&mut self, end: usize) {
        if self.code > self.at && self.code < end {
            let code = self.code;
            self.text_to(code);
            self.end();
        }
        self.text_to(end);
    }

    fn text_to(&mut self, end: usize) {
        while self.references
            && let Some(length) = self.source.get(self.at..end).and_then(|rest| memchr::memchr(b'&', rest))
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
        self.end_as(if self.references { Syntax::Html } else { Syntax::Plain });
    }

    fn end_as(&mut self, syntax: Syntax) {
        let role = if self.code >= self.at { Role::Code } else { Role::Text };
        let text = std::mem::replace(&mut self.text, Builder::new(self.source, self.at)).finish(role, syntax);
        if !text.span().is_empty() {
            self.done.push(text);
        }
    }

    /// Continues behind a link.
    fn skip_to(&mut self, at: usize) {
        self.at = at;
        self.text = Builder::new(self.source, at);
    }
}
