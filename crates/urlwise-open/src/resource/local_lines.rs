//! Converts the network line ends of a text to those of this system (D-74).

use super::Body;
use crate::error::Error;
use crate::protocol::Note;
use crate::protocol::text::LocalText;

/// A text in which each CRLF becomes the line end of this system as it is read.
pub(crate) struct LocalLines<B> {
    body: B,
    converter: LocalText,
    /// The current piece of the text, converted.
    piece: Vec<u8>,
    /// How much of it is consumed.
    at: usize,
    is_at_end: bool,
}

impl<B: Body> LocalLines<B> {
    pub(crate) fn new(body: B) -> LocalLines<B> {
        LocalLines { body, converter: LocalText::default(), piece: Vec::new(), at: 0, is_at_end: false }
    }
}

impl<B: Body> Body for LocalLines<B> {
    fn fill(&mut self) -> Result<&[u8], Error> {
        // A piece may be a lone CR whose LF has not arrived.
        while self.at == self.piece.len() && !self.is_at_end {
            self.piece.clear();
            self.at = 0;
            let octets = self.body.fill()?;
            let count = octets.len();
            if count == 0 {
                self.is_at_end = true;
                self.piece.extend_from_slice(self.converter.end());
            } else {
                self.piece.extend_from_slice(&self.converter.piece(octets));
                self.body.consume(count);
            }
        }
        Ok(self.piece.get(self.at..).unwrap_or_default())
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
    }

    fn take_notes(&mut self) -> Vec<Note> {
        self.body.take_notes()
    }
}
