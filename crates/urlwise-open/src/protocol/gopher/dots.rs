//! Texts that may end in a line with a single dot, and in which leading dots may be doubled: RFC 1436 appendix.
//!
//! Servers disagree. Some double a leading dot and some do not; some close with a lone dot, some just close; a real line
//! of the document may be a lone dot. So one closing dot is cut at the very end only, and doubling is undone only if the
//! answer had that closing dot *and* every other line that begins with a dot begins with two. That is known at the end
//! only: from the first line with two dots on, the text is held back, up to a limit. A text without such a line streams
//! through uncopied.

use super::note::DOTS_KEPT;
use crate::protocol::{End, Input, Note};
use std::borrow::Cow;

/// The result of reading.
#[derive(Debug)]
pub(super) enum TextPiece<'i> {
    /// All input is taken and more is needed.
    More,
    Data(Cow<'i, [u8]>),
    Note(Note),
    /// The text is complete; `dot` is whether a closing dot ended it.
    End {
        dot: bool,
    },
}

/// How lines that begin with two dots are treated.
#[derive(Debug)]
enum Doubling {
    /// The RFC's rule: the first dot is removed, and a lone dot ends the text anywhere.
    Undo,
    /// No line has begun with a dot yet.
    Unseen,
    /// Every such line so far begins with two; holds the text from the first of them on.
    Suspected(Vec<u8>),
    /// The server does not double dots: lines are passed on unchanged.
    Keep,
}

/// Reads one text.
#[derive(Debug)]
pub(super) struct TextReader {
    doubling: Doubling,
    /// The next octet begins a line.
    at_start: bool,
    /// A line that so far may be a lone dot: `.`, `.\r`, `.\n` or `.\r\n`.
    dot: Vec<u8>,
    /// How many octets may be held back.
    limit: usize,
    /// Data to return before anything else.
    ready: Option<Vec<u8>>,
    ended: Option<bool>,
}

impl TextReader {
    fn new(doubling: Doubling, limit: usize) -> TextReader {
        TextReader { doubling, at_start: true, dot: Vec::new(), limit, ready: None, ended: None }
    }

    /// A text from a server whose habits are unknown; holds back at most `limit` octets.
    pub(super) fn lenient(limit: usize) -> TextReader {
        TextReader::new(Doubling::Unseen, limit)
    }

    /// A text strictly by RFC 1436.
    pub(super) fn strict() -> TextReader {
        TextReader::new(Doubling::Undo, 0)
    }

    /// A text that ends with a lone dot but is sent as it is: Gopher+ `+-1`.
    pub(super) fn undoubled() -> TextReader {
        TextReader::new(Doubling::Keep, 0)
    }

    pub(super) fn next<'i>(&mut self, input: &mut Input<'i>) -> TextPiece<'i> {
        loop {
            if let Some(octets) = self.ready.take() {
                return TextPiece::Data(Cow::Owned(octets));
            }
            if let Some(dot) = self.ended {
                return TextPiece::End { dot };
            }
            let octets = input.octets();
            let step = match octets.first() {
                None => match input.end() {
                    None => return TextPiece::More,
                    Some(end) => {
                        self.end(end);
                        continue;
                    }
                },
                Some(first) if self.at_start && (*first == b'.' || !self.dot.is_empty()) => {
                    self.line_start(*first, input)
                }
                Some(_) => self.run(input.take(length_to_dot(octets))),
            };
            if let Some(piece) = step {
                return piece;
            }
        }
    }

    /// One octet at the start of a line that begins with a dot.
    fn line_start<'i>(&mut self, octet: u8, input: &mut Input<'_>) -> Option<TextPiece<'i>> {
        match (self.dot.as_slice(), octet) {
            (b"", _) | (b".", b'\r' | b'\n') | (b".\r", b'\n') => {
                input.take(1);
                self.dot.push(octet);
                if octet == b'\n' && matches!(self.doubling, Doubling::Undo) {
                    self.ended = Some(true);
                }
                None
            }
            (b".", b'.') => {
                input.take(1);
                self.dot.clear();
                self.at_start = false;
                match &mut self.doubling {
                    Doubling::Undo => Some(TextPiece::Data(Cow::Owned(b".".to_vec()))),
                    Doubling::Keep => Some(TextPiece::Data(Cow::Owned(b"..".to_vec()))),
                    Doubling::Unseen => self.hold(Vec::new(), b".."),
                    Doubling::Suspected(held) => {
                        let held = std::mem::take(held);
                        self.hold(held, b"..")
                    }
                }
            }
            (dot, _) => {
                // Not the end, and begins with one dot: a server that doubles dots would have sent two.
                self.at_start = dot.ends_with(b"\n");
                self.release();
                None
            }
        }
    }

    /// Octets in which no line but the first begins with a dot.
    fn run<'i>(&mut self, octets: &'i [u8]) -> Option<TextPiece<'i>> {
        self.at_start = octets.ends_with(b"\n");
        match &mut self.doubling {
            Doubling::Suspected(held) => {
                let held = std::mem::take(held);
                self.hold(held, octets)
            }
            _ => Some(TextPiece::Data(Cow::Borrowed(octets))),
        }
    }

    /// Holds back more octets, or stops holding back if there are too many.
    fn hold<'i>(&mut self, mut held: Vec<u8>, more: &[u8]) -> Option<TextPiece<'i>> {
        held.extend_from_slice(more);
        let is_too_long = held.len() > self.limit;
        self.doubling = Doubling::Suspected(held);
        is_too_long.then(|| {
            self.release();
            TextPiece::Note(DOTS_KEPT)
        })
    }

    /// Returns what was held back unchanged, and holds nothing back from here on.
    fn release(&mut self) {
        let mut octets = match &mut self.doubling {
            Doubling::Suspected(held) => std::mem::take(held),
            _ => Vec::new(),
        };
        octets.append(&mut self.dot);
        self.ready = Some(octets).filter(|octets| !octets.is_empty());
        if !matches!(self.doubling, Doubling::Undo) {
            self.doubling = Doubling::Keep;
        }
    }

    fn end(&mut self, end: End) {
        // A connection that broke after a lone dot may have broken in the middle of the text.
        let dot = self.dot.ends_with(b"\n") && end != End::Broken;
        if dot {
            self.dot.clear();
            if let Doubling::Suspected(held) = &mut self.doubling {
                undouble(held);
            }
        }
        self.release();
        self.ended = Some(dot);
    }
}

/// How many octets there are before the next line that begins with a dot. The first octet counts as not beginning a line.
fn length_to_dot(octets: &[u8]) -> usize {
    let mut end = 0;
    while let Some(length) = octets[end..].iter().position(|octet| *octet == b'\n') {
        end += length + 1;
        if octets.get(end) == Some(&b'.') {
            return end;
        }
    }
    octets.len()
}

/// Removes the first dot of each line that begins with two.
fn undouble(text: &mut Vec<u8>) {
    let mut previous = [b'\n'; 2];
    text.retain(|octet| {
        let doubled = previous == [b'\n', b'.'] && *octet == b'.';
        previous = [previous[1], *octet];
        !doubled
    });
}
