//! Octets that have arrived and are not yet used: input for the machine, and data that it has handed out.

use crate::net::many::event_loop;
use crate::protocol::{End, Input, Machine, Step};
use std::borrow::Cow;
use std::ops::Range;

/// Octets read from a connection at a time, to begin with: more than most answers arrive in. Of many connections, each has one.
const BUFFER: usize = 16 * 1024;
/// A buffer that was filled is doubled up to this: of a fast connection, fewer system calls take fewer cycles (measured on
/// 1 GiB over loopback: less than half of what buffers of 64 KiB take), and a slow one never fills the first.
const LARGEST: usize = 512 * 1024;
/// What the buffers of many calls on one thread may grow to together, as far as the first sizes leave room.
const ALL: usize = 4 * 1024 * 1024;

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
enum Held {
    /// In the buffer.
    Buffered(Range<usize>),
    /// In a separate buffer, because the machine changed it or held it back; the number is where the rest begins.
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

    /// Lets the machine take a step, and shows `see` the octets that it took. Data that it hands out is [held](Arrivals::data)
    /// here, and empty in the step.
    pub(crate) fn step<M: Machine>(&mut self, machine: &mut M, see: impl FnOnce(&[u8])) -> Step<'static, M::Entry> {
        let mut input = self.input();
        let before = input.octets();
        let step = machine.next(&mut input);
        let left = input.octets().len();
        see(&before[..before.len() - left]);
        // What the step borrows from the buffer is held by its place, so that the buffer can be changed.
        let step = match step {
            Step::Event(event) => {
                let event = event.map_data(|data| self.place(data));
                Step::Event(event.map_data(|held| {
                    self.data = held;
                    Cow::default()
                }))
            }
            Step::Io(io) => Step::Io(io),
            Step::Done => Step::Done,
            Step::Fail(fault) => Step::Fail(fault),
        };
        self.fresh.start = self.fresh.end - left;
        step
    }

    /// The input for the machine.
    fn input(&self) -> Input<'_> {
        match self.end {
            Some(end) if self.fresh.is_empty() => Input::closed(end),
            _ => Input::new(self.unread()),
        }
    }

    /// The octets that the machine has not taken.
    pub(crate) fn unread(&self) -> &[u8] {
        &self.buffer[self.fresh.clone()]
    }

    /// Where in the current [input](Arrivals::input) the data lies that the machine has handed out.
    fn place(&self, data: Cow<'_, [u8]>) -> Held {
        match data {
            Cow::Owned(data) => Held::Own(data, 0),
            Cow::Borrowed(data) => match offset(&self.buffer, data) {
                Some(at) => Held::Buffered(at..at + data.len()),
                None => Held::Own(data.to_vec(), 0),
            },
        }
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
        let largest = (ALL / event_loop::at_a_time()).clamp(BUFFER, LARGEST);
        let length =
            if was_filled { (2 * self.buffer.len()).min(largest) } else { self.buffer.len().clamp(BUFFER, largest) };
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
    use super::{Arrivals, BUFFER, LARGEST, offset};
    use crate::protocol::{End, Event, Expected, Input, Machine, Step};
    use std::borrow::Cow;

    /// Hands out what arrives, up to this many octets at a time, and owns it if it is an odd number.
    struct Echo(usize);

    impl Machine for Echo {
        type Entry = ();
        const HAS_REPLIES: bool = false;

        fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, ()> {
            let octets = input.take(self.0.min(input.octets().len()));
            Step::Event(Event::Data(match self.0 % 2 {
                0 => Cow::Borrowed(octets),
                _ => Cow::Owned(octets.to_vec()),
            }))
        }

        fn expected(&self) -> Expected {
            Expected::new("nothing", &b""[..])
        }
    }

    #[test]
    fn a_step_takes_octets_and_holds_its_data() {
        for size in [4, 5] {
            let mut arrivals = Arrivals::default();
            arrivals.put(b"0123456789");
            let mut seen = Vec::new();
            let step = arrivals.step(&mut Echo(size), |taken| seen.extend_from_slice(taken));
            assert_eq!(step, Step::Event(Event::Data(Cow::Borrowed(&[][..]))), "the data is held, not in the step");
            assert_eq!((arrivals.data(), &seen[..]), (&b"0123456789"[..size], &b"0123456789"[..size]));
            assert_eq!(arrivals.unread(), &b"0123456789"[size..]);
            arrivals.consume(1);
            assert_eq!(arrivals.data(), &b"0123456789"[1..size]);
        }
    }

    #[test]
    fn a_part_of_a_buffer_has_its_place_in_it_and_what_reaches_beyond_has_none() {
        let octets = *b"0123456789";
        let whole = &octets[2..6];
        for (part, place) in
            [(2..6, Some(0)), (3..5, Some(1)), (6..6, Some(4)), (3..7, None), (1..3, None), (7..9, None)]
        {
            assert_eq!(offset(whole, &octets[part.clone()]), place, "{part:?}");
        }
    }

    #[test]
    fn only_a_buffer_that_was_filled_grows_and_only_to_its_limit() {
        let mut arrivals = Arrivals::default();
        let mut receive = |count: usize| {
            let room = arrivals.room().len();
            arrivals.fill(count.min(room));
            let _ = arrivals.step(&mut Echo(usize::MAX - 1), |_| {});
            room
        };
        assert_eq!([receive(10), receive(BUFFER - 1), receive(BUFFER)], [BUFFER; 3]);
        assert_eq!([receive(BUFFER), receive(usize::MAX)], [2 * BUFFER; 2]);
        assert_eq!([receive(usize::MAX), receive(usize::MAX)], [4 * BUFFER, 8 * BUFFER]);
        assert_eq!([receive(usize::MAX), receive(usize::MAX), receive(usize::MAX)], [16 * BUFFER, LARGEST, LARGEST]);
        // The buffer serves the next dialogue, whatever was put into it.
        arrivals.put(b"short");
        let _ = arrivals.step(&mut Echo(usize::MAX - 1), |_| {});
        assert_eq!(arrivals.room().len(), BUFFER);
    }

    #[test]
    fn the_room_of_one_dialogue_is_that_of_the_next() {
        let mut arrivals = Arrivals::with_room(vec![1; 3 * BUFFER]);
        assert_eq!(arrivals.room().len(), 3 * BUFFER);
        assert_eq!(arrivals.into_room().len(), 3 * BUFFER);
    }

    #[test]
    fn what_has_arrived_comes_before_the_end() {
        let mut arrivals = Arrivals::default();
        arrivals.put(b"last");
        arrivals.close(End::Closed);
        assert_eq!((arrivals.input().octets(), arrivals.input().end()), (&b"last"[..], None));
        let _ = arrivals.step(&mut Echo(4), |_| {});
        assert_eq!((arrivals.input().octets(), arrivals.input().end()), (&b""[..], Some(End::Closed)));
    }

    #[test]
    #[cfg(all(feature = "many", target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    fn many_calls_at_a_time_have_smaller_buffers() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let begun = AtomicUsize::new(0);
        let feed = |jobs: &crate::Jobs<'_, ()>| (0..16).for_each(|_| jobs.push(()));
        let work = |()| {
            begun.fetch_add(1, Ordering::Relaxed);
            while begun.load(Ordering::Relaxed) < 16 {
                crate::sleep(std::time::Duration::from_millis(1));
            }
            assert_eq!(Arrivals::with_room(vec![0; LARGEST]).room().len(), super::ALL / 16);
        };
        crate::run_many(16, feed, work).expect("the system has room");
        assert_eq!(Arrivals::with_room(vec![0; LARGEST]).room().len(), LARGEST, "outside there is one");
    }

    #[test]
    fn data_of_one_arrival_is_gone_with_the_next_however_short_that_is() {
        let mut arrivals = Arrivals::default();
        arrivals.put(b"0123456789");
        let _ = arrivals.step(&mut Echo(10), |_| {});
        assert_eq!(arrivals.data(), b"0123456789");
        arrivals.consume(8);
        assert_eq!(arrivals.data(), b"89");
        arrivals.put(b"ab");
        assert_eq!((arrivals.data(), arrivals.unread()), (&b""[..], &b"ab"[..]));
        let _ = arrivals.step(&mut Echo(2), |_| {});
        arrivals.room();
        arrivals.fill(0);
        arrivals.close(End::Closed);
        assert_eq!((arrivals.data(), arrivals.input().end()), (&b""[..], Some(End::Closed)));
    }
}
