//! The record of a dialogue.

use crate::protocol::{Begin, Fault, Question};

/// The result of a dialogue. Two are equal if they had the same result, however the octets arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DialogueRecord<E> {
    /// What was sent over the connection, one item for each command.
    pub sent: Vec<Vec<u8>>,
    /// The same as displayed, without secrets.
    pub shown: Vec<String>,
    /// How often the machine connected: 0 or 1.
    pub connects: usize,
    /// TLS handshakes on the connection.
    pub handshakes: usize,
    /// Commands that were sent before the first of them.
    pub in_clear: usize,
    /// The ports of data connections.
    pub ports: Vec<u16>,
    /// TLS handshakes on data connections.
    pub data_handshakes: usize,
    /// The questions to a person.
    pub questions: Vec<Question>,
    /// Requests by datagrams: the URL that each is about, and its text.
    pub inquiries: Vec<(String, String)>,
    /// URLs to open instead. The driver opens none of them.
    pub followed: Vec<String>,
    /// The kind of the answer; `None` if none began.
    pub begin: Option<Begin>,
    /// The document; empty for a menu.
    pub data: Vec<u8>,
    /// The menu; empty for a document.
    pub entries: Vec<E>,
    /// The codes of notes.
    pub notes: Vec<&'static str>,
    /// Whether the answer is complete. If it is not and there is no fault either, the machine waits for a silent server.
    pub is_done: bool,
    /// Why the dialogue failed, if it did.
    pub fault: Option<Fault>,
    /// The kinds of events in their order, pieces of data counted once.
    pub(super) order: Vec<&'static str>,
}

impl<E> Default for DialogueRecord<E> {
    fn default() -> DialogueRecord<E> {
        DialogueRecord {
            sent: Vec::new(),
            shown: Vec::new(),
            connects: 0,
            handshakes: 0,
            in_clear: 0,
            ports: Vec::new(),
            data_handshakes: 0,
            questions: Vec::new(),
            inquiries: Vec::new(),
            followed: Vec::new(),
            begin: None,
            data: Vec::new(),
            entries: Vec::new(),
            notes: Vec::new(),
            is_done: false,
            fault: None,
            order: Vec::new(),
        }
    }
}

impl<E> DialogueRecord<E> {
    pub(super) fn note_order(&mut self, kind: &'static str) {
        if kind != "data" || self.order.last() != Some(&kind) {
            self.order.push(kind);
        }
    }
}
