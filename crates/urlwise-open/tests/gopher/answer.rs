//! Replays of one answer, and short ways to what came of it.

use crate::replay::{Given, Replay, replay};
use urlwise_open::protocol::{Begin, End, Fault, Machine};

/// Replays `answer` whole, one octet at a time, and cut in two at every octet: all must come to the same.
pub(crate) fn replay_in_pieces<M: Machine>(machine: impl Fn() -> M, answer: &[u8], end: Option<End>) -> Replay<M::Entry>
where
    M::Entry: Clone + PartialEq + std::fmt::Debug,
{
    let whole = replay(machine(), [answer], end);
    assert_eq!(replay(machine(), answer.chunks(1), end), whole, "one octet at a time");
    for cut in 0..=answer.len() {
        let (left, right) = answer.split_at(cut);
        assert_eq!(replay(machine(), [left, right], end), whole, "cut at octet {cut}");
    }
    whole
}

impl<E> Replay<E> {
    /// All data.
    pub(crate) fn data(&self) -> Vec<u8> {
        let pieces = self.events.iter().filter_map(|event| match event {
            Given::Data(data) => Some(&data[..]),
            _ => None,
        });
        pieces.collect::<Vec<_>>().concat()
    }

    /// All entries.
    pub(crate) fn entries(&self) -> Vec<&E> {
        let entries = self.events.iter().filter_map(|event| match event {
            Given::Entry(entry) => Some(entry),
            _ => None,
        });
        entries.collect()
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

    /// What the answer was said to be.
    pub(crate) fn begin(&self) -> Option<&Begin> {
        self.events.iter().find_map(|event| match event {
            Given::Begin(begin) => Some(begin),
            _ => None,
        })
    }

    /// Whether it ended well.
    pub(crate) fn is_done(&self) -> bool {
        matches!(self.events.last(), Some(Given::Done))
    }
}
