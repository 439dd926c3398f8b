//! Octets that have arrived and are not yet used: input for the machine, and data that it has handed out.

use crate::protocol::{End, Input};
use std::borrow::Cow;
use std::ops::Range;

/// Octets read from a connection at a time, to begin with: what most documents fit in.
const BUFFER: usize = 64 * 1024;
/// A buffer that was filled is doubled up to this: of a fast connection, fewer system calls take fewer cycles (measured on
/// 1 GiB over loopback: less than half of what buffers of 64 KiB take), and a slow one never fills the first.
const LARGEST: usize = 512 * 1024;

/// One buffer, positions in it, and how the peer has ended.
///
/// Data lies where it arrived, so it must be consumed before anything else arrives.
#[derive(Default)]
pub(crate) struct Arrivals {
    buffer: Vec<u8>,
    /// The part of the buffer that the machine has not taken.
    fresh: Range<usize>,
    /// Whether more had arrived than there was room for, most probably.
    was_filled: bool,
    end: Option<End>,
    /// Data that the machine has handed out and that is not yet consumed.
    data: Held,
}

/// Where data lies.
pub(crate) enum Held {
    /// In the buffer.
    Buffered(Range<usize>),
    /// In a buffer of its own, because the machine changed it or held it back; the number is where the rest of it begins.
    Own(Vec<u8>, usize),
}

impl Default for Held {
    fn default() -> Held {
        Held::Buffered(0..0)
    }
}

impl Arrivals {
    /// Reuses the buffer of another dialogue: clearing a new one costs more than a short answer.
    pub(crate) fn with_room(room: Vec<u8>) -> Arrivals {
        Arrivals { buffer: room, ..Arrivals::default() }
    }

    /// Returns the buffer for another dialogue.
    pub(crate) fn into_room(self) -> Vec<u8> {
        self.buffer
    }

    /// The input for the machine.
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

    /// Where in the current [input](Arrivals::input) the data lies that the machine has handed out.
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

    /// Marks the first `count` octets of the data as used.
    pub(crate) fn consume(&mut self, count: usize) {
        match &mut self.data {
            Held::Buffered(range) => range.start = (range.start + count).min(range.end),
            Held::Own(octets, start) => *start = (*start + count).min(octets.len()),
        }
    }

    /// Room for what is received next. Overwrites the buffer, and with it any data in it.
    pub(crate) fn room(&mut self) -> &mut [u8] {
        // A machine takes all its input before it asks for more, and never asks after the end.
        debug_assert!(self.fresh.is_empty() && self.end.is_none());
        let was_filled = self.was_filled && self.buffer.len() >= BUFFER;
        let length = if was_filled { (2 * self.buffer.len()).min(LARGEST) } else { self.buffer.len().max(BUFFER) };
        (self.fresh, self.data, self.was_filled) = (0..0, Held::default(), false);
        self.buffer.resize(length, 0);
        &mut self.buffer
    }

    /// Marks the first `count` octets of the [room](Arrivals::room) as received.
    pub(crate) fn fill(&mut self, count: usize) {
        self.fresh = 0..count.min(self.buffer.len());
        self.was_filled = count >= self.buffer.len();
    }

    /// Adds octets that have arrived.
    pub(crate) fn put(&mut self, octets: &[u8]) {
        (self.fresh, self.data, self.was_filled) = (0..octets.len(), Held::default(), false);
        self.buffer.clear();
        self.buffer.extend_from_slice(octets);
    }

    /// Nothing more will arrive.
    pub(crate) fn close(&mut self, end: End) {
        self.end = Some(end);
    }

    /// The next input is from another connection, or answers another request.
    pub(crate) fn restart(&mut self) {
        (self.fresh, self.end) = (0..0, None);
    }

    /// The next input is from the first connection again, which is still open.
    pub(crate) fn reopen(&mut self) {
        self.end = None;
    }
}

/// The range of `part` in `whole`; `None` if `part` is elsewhere in memory.
fn offset(whole: &[u8], part: &[u8]) -> Option<usize> {
    let at = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    (at + part.len() <= whole.len()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::{Arrivals, BUFFER, LARGEST};
    use crate::protocol::End;

    #[test]
    fn only_a_buffer_that_was_filled_grows_and_only_to_its_limit() {
        let mut arrivals = Arrivals::default();
        let mut receive = |count: usize| {
            let room = arrivals.room().len();
            arrivals.fill(count.min(room));
            arrivals.leave(0);
            room
        };
        assert_eq!([receive(10), receive(BUFFER - 1), receive(BUFFER)], [BUFFER; 3]);
        assert_eq!([receive(BUFFER), receive(usize::MAX)], [2 * BUFFER; 2]);
        assert_eq!([receive(usize::MAX), receive(usize::MAX), receive(usize::MAX)], [4 * BUFFER, LARGEST, LARGEST]);
        // The buffer serves the next dialogue, whatever was put into it.
        arrivals.put(b"short");
        arrivals.leave(0);
        assert_eq!(arrivals.room().len(), BUFFER);
    }

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
