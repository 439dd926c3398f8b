//! A datagram to be sent, and how it is displayed.

use super::header::Header;
use crate::language::message;
use crate::protocol::Command;
use std::fmt;
use urlwise::Message;

/// A datagram for the server. Displays as its header in words.
#[derive(Clone, PartialEq, Eq)]
pub struct Datagram {
    header: Header,
    octets: Vec<u8>,
    /// Octets of the header.
    head: usize,
}

impl Datagram {
    pub(super) fn new(header: Header, data: &[u8]) -> Datagram {
        let octets = header.encode(data);
        Datagram { header, head: octets.len() - data.len(), octets }
    }

    /// Exactly what to send.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Its header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What follows the header.
    pub fn data(&self) -> &[u8] {
        &self.octets[self.head..]
    }

    /// What an observer is shown: the header in words, then each line of the data.
    pub fn commands(&self) -> Vec<Command> {
        self.lines(self.header.message())
    }

    /// The same as [`commands`](Datagram::commands) for a dry run, where the connection id is not known yet.
    pub(super) fn planned(&self) -> Vec<Command> {
        self.lines(message!("ARDP {what}, a random connection id", what = self.header.what()))
    }

    fn lines(&self, words: Message) -> Vec<Command> {
        let head = Command::new(self.octets[..self.head].to_vec()).in_words(words);
        let lines = self.data().split_inclusive(|octet| *octet == b'\n').map(|line| Command::new(line.to_vec()));
        [head].into_iter().chain(lines).collect()
    }
}

impl fmt::Display for Datagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.header.fmt(f)
    }
}

impl fmt::Debug for Datagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Datagram({self}, {:?})", self.commands())
    }
}
