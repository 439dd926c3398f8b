//! What has arrived and is not yet used: octets for the machine, and octets that it gave as data.

use crate::protocol::{End, Input};
use std::borrow::Cow;
use std::ops::Range;

/// Octets asked of a connection at a time: large enough that system calls cost little, small enough to stay in a core's cache
/// until they are written (measured on 1 GiB to disk: four times as much takes twice the processor time).
const BUFFER: usize = 64 * 1024;

/// One buffer, the places in it, and how the peer has ended.
///
/// Data lies where it arrived, so it is gone when something else arrives: it has to be consumed before that.
#[derive(Default)]
pub(crate) struct Arrivals {
    buffer: Vec<u8>,
    /// What of the buffer the machine has not taken.
    fresh: Range<usize>,
    end: Option<End>,
    /// Data given by the machine and not yet consumed.
    data: Held,
}

/// Where data lies.
pub(crate) enum Held {
    /// In the buffer.
    Buffered(Range<usize>),
    /// The machine had to change it or to hold it back; from the place of the number on.
    Own(Vec<u8>, usize),
}

impl Default for Held {
    fn default() -> Held {
        Held::Buffered(0..0)
    }
}

impl Arrivals {
    /// With a buffer that served another dialogue: clearing a new one costs more than a short answer.
    pub(crate) fn with_room(room: Vec<u8>) -> Arrivals {
        Arrivals { buffer: room, ..Arrivals::default() }
    }

    /// The buffer, for another dialogue.
    pub(crate) fn into_room(self) -> Vec<u8> {
        self.buffer
    }

    /// What the machine is given.
    pub(crate) fn input(&self) -> Input<'_> {
        match self.end {
            Some(end) if self.fresh.is_empty() => Input::closed(end),
            _ => Input::new(self.unread()),
        }
    }

    /// The octets that the machine has not taken.
    pub(crate) fn unread(&self) -> &[u8] {
        &self.buffer[self.fresh.clone()]
    }

    /// The machine has taken all but the last `left` octets.
    pub(crate) fn leave(&mut self, left: usize) {
        self.fresh.start = self.fresh.end.saturating_sub(left);
    }

    /// Where data lies that the machine gave for the present [input](Arrivals::input).
    pub(crate) fn place(&self, data: Cow<'_, [u8]>) -> Held {
        match data {
            Cow::Owned(data) => Held::Own(data, 0),
            Cow::Borrowed(data) => match offset(&self.buffer, data) {
                Some(at) => Held::Buffered(at..at + data.len()),
                None => Held::Own(data.to_vec(), 0),
            },
        }
    }

    /// Keeps data until it is consumed.
    pub(crate) fn hold(&mut self, data: Held) {
        self.data = data;
    }

    /// Data not yet consumed.
    pub(crate) fn data(&self) -> &[u8] {
        match &self.data {
            Held::Buffered(range) => &self.buffer[range.clone()],
            Held::Own(octets, start) => &octets[*start..],
        }
    }

    /// The first `count` octets of the data are used.
    pub(crate) fn consume(&mut self, count: usize) {
        match &mut self.data {
            Held::Buffered(range) => range.start = (range.start + count).min(range.end),
            Held::Own(octets, start) => *start = (*start + count).min(octets.len()),
        }
    }

    /// Room for what is received next. What was in the buffer is gone, and so is data that lay there.
    pub(crate) fn room(&mut self) -> &mut [u8] {
        // A machine takes all of its input before it asks for more, and never asks after the end.
        debug_assert!(self.fresh.is_empty() && self.end.is_none());
        (self.fresh, self.data) = (0..0, Held::default());
        self.buffer.resize(BUFFER, 0);
        &mut self.buffer
    }

    /// The first `count` octets of the [room](Arrivals::room) have been filled.
    pub(crate) fn fill(&mut self, count: usize) {
        self.fresh = 0..count.min(self.buffer.len());
    }

    /// These octets have arrived.
    pub(crate) fn put(&mut self, octets: &[u8]) {
        (self.fresh, self.data) = (0..octets.len(), Held::default());
        self.buffer.clear();
        self.buffer.extend_from_slice(octets);
    }

    /// No more will come.
    pub(crate) fn close(&mut self, end: End) {
        self.end = Some(end);
    }

    /// The next input is of another connection, or the answer to another request.
    pub(crate) fn restart(&mut self) {
        (self.fresh, self.end) = (0..0, None);
    }

    /// The next input is of the first connection again, which has not ended.
    pub(crate) fn reopen(&mut self) {
        self.end = None;
    }
}

/// Where in `whole` the octets `part` lie; `None` if they lie elsewhere in memory.
fn offset(whole: &[u8], part: &[u8]) -> Option<usize> {
    let at = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    (at + part.len() <= whole.len()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::Arrivals;
    use crate::protocol::End;

    #[test]
    fn data_of_one_arrival_is_gone_with_the_next_however_short_that_is() {
        let mut arrivals = Arrivals::default();
        arrivals.put(b"0123456789");
        let mut input = arrivals.input();
        let held = arrivals.place(input.take(10).into());
        arrivals.leave(0);
        arrivals.hold(held);
        assert_eq!(arrivals.data(), b"0123456789");
        arrivals.consume(8);
        assert_eq!(arrivals.data(), b"89");
        arrivals.put(b"ab");
        assert_eq!((arrivals.data(), arrivals.unread()), (&b""[..], &b"ab"[..]));
        arrivals.leave(0);
        arrivals.room();
        arrivals.fill(0);
        arrivals.close(End::Closed);
        assert_eq!((arrivals.data(), arrivals.input().end()), (&b""[..], Some(End::Closed)));
    }
}
