//! The meaning of diagnostic codes.

use super::answer::Diagnostic;
use crate::language::{message, words};
use crate::protocol::{Fault, FaultKind, Note};
use urlwise::Words;

const RULE: &str = "WAIS diagnostics";

/// The requested range is beyond the end; also the answer to an id that does not name a document.
pub(super) const OUT_OF_RANGE: [u8; 2] = *b"SF";

/// A permanent error: of the words, or of the database.
const PERMANENT: [u8; 2] = *b"S1";

/// With these the same search fails again: a permanent error, an unsupported search, words that are too common.
const LASTING: [[u8; 2]; 3] = [PERMANENT, *b"S3", *b"S5"];

/// One row: the code, what it says, and its class.
struct Row([u8; 2], Words, FaultKind);

#[rustfmt::skip]
const TABLE: &[Row] = &[
    Row(PERMANENT, words!("the server cannot do this search"), FaultKind::Server),
    Row(*b"S2", words!("the server cannot do this search now"), FaultKind::Server),
    Row(*b"S3", words!("the server does not support this kind of search"), FaultKind::Server),
    Row(*b"S4", words!("the server lacks the resources for the search"), FaultKind::Server),
    Row(*b"S5", words!("the words are too common to search for"), FaultKind::Server),
    Row(OUT_OF_RANGE, words!("the server has no such document"), FaultKind::NotFound),
    Row(*b"SD", words!("more documents match than the server returns"), FaultKind::Limit),
    Row(*b"SH", words!("the server does not allow this"), FaultKind::Login),
    Row(*b"T2", words!("the server does not allow this"), FaultKind::Login),
];

impl Diagnostic<'_> {
    /// The fault, if nothing else was sent or if it is about the request.
    pub(super) fn fault(&self) -> Fault {
        let (what, kind) = match TABLE.iter().find(|row| row.0 == self.code) {
            Some(row) => (row.1, row.2),
            None => (words!("the server reports an error"), FaultKind::Server),
        };
        let code = urlwise::escape_for_display(&self.code).to_string();
        let lasting = LASTING.contains(&self.code);
        let fault = Fault::new(kind, RULE, message!("{what} ({code})", what = what, code = code)).lasting(lasting);
        let fault = match self.code {
            PERMANENT => fault.with_help(words!("check the name of the database and the words")),
            _ => fault,
        };
        if self.words.is_empty() { fault } else { fault.octets(self.words) }
    }

    /// The fault it is where nothing but the database was named: then a permanent error is about the database.
    pub(super) fn fault_of_database(&self) -> Fault {
        if self.code != PERMANENT {
            return self.fault();
        }
        let fault = Fault::new(FaultKind::NotFound, RULE, words!("the server has no such database (S1)"));
        if self.words.is_empty() { fault } else { fault.octets(self.words) }
    }

    /// The note it is where it only says that the answer is not all there is.
    pub(super) fn note(&self) -> Option<Note> {
        let note = Note::new("more-hits", RULE, words!("more documents match than the server returns"));
        (self.code == *b"SD").then_some(note)
    }
}
