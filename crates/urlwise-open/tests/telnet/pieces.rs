//! Sessions in pieces, and short ways to what came of them.

use crate::replay::{Given, Replay, replay};
use std::convert::Infallible;
use urlwise_open::protocol::telnet::Telnet;
use urlwise_open::protocol::{End, Fault};

/// Replays what a server sent whole, one octet at a time, and cut in two at every octet: all must come to the same.
pub(crate) fn replay_in_pieces(telnet: impl Fn() -> Telnet, server: &[u8], end: Option<End>) -> Replay<Infallible> {
    let whole = replay(telnet(), [server], end);
    assert_eq!(replay(telnet(), server.chunks(1), end), whole, "one octet at a time");
    for cut in 0..=server.len() {
        let (left, right) = server.split_at(cut);
        assert_eq!(replay(telnet(), [left, right], end), whole, "cut at octet {cut}");
    }
    whole
}

impl Replay<Infallible> {
    /// All text.
    pub(crate) fn data(&self) -> Vec<u8> {
        let pieces = self.events.iter().filter_map(|event| match event {
            Given::Data(data) => Some(&data[..]),
            _ => None,
        });
        pieces.collect::<Vec<_>>().concat()
    }

    /// The codes of all notes.
    pub(crate) fn notes(&self) -> Vec<&'static str> {
        let notes = self.events.iter().filter_map(|event| match event {
            Given::Note(code) => Some(*code),
            _ => None,
        });
        notes.collect()
    }

    /// Why it failed, if it did.
    pub(crate) fn fault(&self) -> Option<&Fault> {
        match self.events.last() {
            Some(Given::Fail(fault)) => Some(fault),
            _ => None,
        }
    }

    /// Whether it came to its end.
    pub(crate) fn is_done(&self) -> bool {
        matches!(self.events.last(), Some(Given::Done))
    }
}
