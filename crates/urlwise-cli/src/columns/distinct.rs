//! Distinct lines: each once where it first appears, or counted.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::hint;
use std::io::{self, Write};
use std::ops::Range;

use foldhash::SharedSeed;
use foldhash::quality::FoldHasher;

/// Of a line of more octets that is not counted, only a digest is kept.
const LONG: usize = 64 << 10;

/// What tells long lines apart: 128 bits of `SipHash`, with keys that nobody knows. Two different lines with the same digest are less likely
/// than a hardware fault, even if somebody looks for them.
type Digest = [u64; 2];

/// The distinct lines that were seen, in memory: each takes its octets and 20 to 32 more, and 8 if lines are counted.
pub(super) struct Distinct {
    /// The lines one after another, each with its end.
    octets: Vec<u8>,
    /// Where each line ends in `octets`, in the order of their first appearance; it starts where the one before ends.
    ends: Vec<usize>,
    /// How often each was seen; empty where that is not asked for.
    counts: Vec<u64>,
    counts_lines: bool,
    /// Of the long lines that were seen.
    digests: HashSet<Digest>,
    table: Table,
    /// New in each run, so that no input can make lines collide.
    seeds: (u64, SharedSeed),
    /// The same, of the digests.
    keys: [RandomState; 2],
}

impl Distinct {
    fn new(counts_lines: bool) -> Distinct {
        let random = || RandomState::new().hash_one(0);
        Distinct {
            octets: Vec::new(),
            ends: Vec::new(),
            counts: Vec::new(),
            counts_lines,
            digests: HashSet::new(),
            table: Table { slots: vec![0; 1 << 10], used: 0 },
            seeds: (random(), SharedSeed::from_u64(random())),
            keys: [RandomState::new(), RandomState::new()],
        }
    }

    fn hash(&self, line: &[u8]) -> u32 {
        let mut hasher = FoldHasher::with_seed(self.seeds.0, &self.seeds.1);
        hasher.write(line);
        (hasher.finish() >> 32) as u32
    }

    /// Counts a line with its hash. Returns whether it is the first of its kind.
    ///
    /// # Errors
    /// There are 2^32 - 1 distinct lines already.
    fn add(&mut self, hash: u32, line: &[u8]) -> io::Result<bool> {
        if line.len() > LONG && !self.counts_lines {
            return Ok(self.digests.insert(self.keys.each_ref().map(|key| key.hash_one(line))));
        }
        let Distinct { octets, ends, counts, table, .. } = self;
        let number = u32::try_from(ends.len()).ok().filter(|number| *number < u32::MAX);
        let number = number.ok_or_else(|| io::Error::other("more than 2^32 - 1 distinct lines"))?;
        if let Some(seen) = table.find_or_add(hash, number, |seen| octets[span(ends, seen as usize)] == *line) {
            if let Some(count) = counts.get_mut(seen as usize) {
                *count += 1;
            }
            return Ok(false);
        }
        octets.extend_from_slice(line);
        ends.push(octets.len());
        if self.counts_lines {
            counts.push(1);
        }
        Ok(true)
    }

    /// The lines and their counts: most frequent first, then as they first appeared.
    pub(super) fn counted(&self) -> impl Iterator<Item = (&[u8], u64)> {
        let mut numbers: Vec<usize> = (0..self.counts.len()).collect();
        numbers.sort_by_key(|number| Reverse(self.counts[*number]));
        numbers.into_iter().map(|number| (&self.octets[span(&self.ends, number)], self.counts[number]))
    }
}

/// Where a line is in the octets.
fn span(ends: &[usize], number: usize) -> Range<usize> {
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    start..ends[number]
}

/// The numbers of lines by their hashes. What limits the speed of many lines is memory that no cache holds, so a slot takes 8
/// octets, slots are in the order of hashes, and a search reads slots that follow one another.
struct Table {
    /// A hash in the upper half and the number of its line plus one in the lower; 0 is a free slot. A line is at the place of its hash
    /// or, if that is taken, in the next free slot.
    slots: Vec<u64>,
    used: usize,
}

impl Table {
    /// Where a hash belongs among so many slots.
    fn place(hash: u32, slots: usize) -> usize {
        ((u64::from(hash) * slots as u64) >> 32) as usize
    }

    /// Makes room for so many more lines: a third of the slots stays free.
    fn reserve(&mut self, more: usize) {
        while (self.used + more) * 3 > self.slots.len() * 2 {
            let before = std::mem::take(&mut self.slots);
            self.slots = vec![0; before.len() * 2];
            for slot in before.into_iter().filter(|slot| *slot != 0) {
                let mut at = Table::place((slot >> 32) as u32, self.slots.len());
                while self.slots[at] != 0 {
                    at = self.next(at);
                }
                self.slots[at] = slot;
            }
        }
    }

    /// Has the slots of these hashes in the cache: where loads follow one another, the processor waits for all of them together.
    fn fetch(&self, hashes: impl Iterator<Item = u32>) {
        let slots = hashes.map(|hash| self.slots[Table::place(hash, self.slots.len())]);
        hint::black_box(slots.fold(0, |all, slot| all ^ slot));
    }

    fn next(&self, at: usize) -> usize {
        if at + 1 == self.slots.len() { 0 } else { at + 1 }
    }

    /// The number of the line with this hash that `is_same`, or `None` after adding `number`, for which there is room.
    fn find_or_add(&mut self, hash: u32, number: u32, is_same: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = Table::place(hash, self.slots.len());
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                self.slots[at] = u64::from(hash) << 32 | u64::from(number + 1);
                self.used += 1;
                return None;
            }
            let seen = ((slot & 0xFFFF_FFFF) as u32).wrapping_sub(1);
            if (slot >> 32) as u32 == hash && is_same(seen) {
                return Some(seen);
            }
            at = self.next(at);
        }
    }
}

/// Passes on each distinct line once, or none: they are only counted.
pub(super) struct Filter<'o> {
    out: &'o mut (dyn Write + Send),
    pub(super) distinct: Distinct,
    is_passing: bool,
    /// A line end in quotes does not end a line.
    has_quotes: bool,
}

impl<'o> Filter<'o> {
    pub(super) fn new(out: &'o mut (dyn Write + Send), is_passing: bool, has_quotes: bool) -> Filter<'o> {
        Filter { out, distinct: Distinct::new(!is_passing), is_passing, has_quotes }
    }

    fn pass(&mut self, lines: &[u8]) -> io::Result<()> {
        if self.is_passing { self.out.write_all(lines) } else { Ok(()) }
    }

    /// The length of the first line, with its end.
    fn line(&self, text: &[u8]) -> usize {
        let mut is_open = false;
        let mut start = 0;
        loop {
            let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at + 1);
            let quotes = if self.has_quotes { memchr::memchr_iter(b'"', &text[start..end]).count() } else { 0 };
            is_open ^= quotes % 2 == 1;
            if !is_open || end == text.len() {
                return end;
            }
            start = end;
        }
    }
}

/// So many lines are looked for together.
const TOGETHER: usize = 32;

/// Takes whole lines at each call.
impl Write for Filter<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        // New lines that follow one another are passed on at once.
        let (mut new, mut at) = (0, 0);
        while at < text.len() {
            let mut lines = [(0, 0); TOGETHER];
            let mut count = 0;
            self.distinct.table.reserve(TOGETHER);
            let mut end = at;
            while end < text.len() && count < TOGETHER {
                let start = end;
                end += self.line(&text[start..]);
                let hash = self.distinct.hash(&text[start..end]);
                lines[count] = (hash, end);
                count += 1;
            }
            self.distinct.table.fetch(lines[..count].iter().map(|(hash, _)| *hash));
            for &(hash, end) in &lines[..count] {
                if !self.distinct.add(hash, &text[at..end])? {
                    self.pass(&text[new..at])?;
                    new = end;
                }
                at = end;
            }
        }
        self.pass(&text[new..])?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::{Filter, LONG, Table};
    use std::io::Write;

    fn passed(text: &[u8], has_quotes: bool) -> String {
        let mut out = Vec::new();
        Filter::new(&mut out, true, has_quotes).write_all(text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_are_passed_once_in_the_order_of_their_first_appearance() {
        assert_eq!(passed(b"b\na\nb\n\nab\na\n\n", false), "b\na\n\nab\n");
    }

    #[test]
    fn a_line_end_in_quotes_ends_no_line_where_quotes_count() {
        assert_eq!(passed(b"\"x\ny\"\n\"x\nz\"\n\"x\ny\"\n", true), "\"x\ny\"\n\"x\nz\"\n");
        assert_eq!(passed(b"\"x\n\"x\n", false), "\"x\n");
    }

    #[test]
    fn each_of_many_lines_is_passed_once() {
        let lines: String = (0..20_000).map(|number| format!("{number}\n")).collect();
        assert_eq!(passed(format!("{lines}{lines}0\nx\n19999\ny\n").as_bytes(), false), format!("{lines}x\ny\n"));
    }

    #[test]
    fn long_lines_are_told_apart_without_being_kept_unless_they_are_counted() {
        let [short, long, longer] = [LONG - 1, LONG, LONG + 1].map(|length| "x".repeat(length) + "\n");
        let other = long.replacen('x', "y", 1);
        let text =
            [&short, &long, &longer, &other, &long, &short, &other, &longer, &other].map(String::as_str).concat();
        let mut out = Vec::new();
        let mut filter = Filter::new(&mut out, true, false);
        filter.write_all(text.as_bytes()).unwrap();
        assert_eq!(filter.distinct.octets.len(), short.len());
        assert!(out == [&*short, &long, &longer, &other].concat().into_bytes());
        let mut out = Vec::new();
        let mut filter = Filter::new(&mut out, false, false);
        filter.write_all(text.as_bytes()).unwrap();
        let counted: Vec<_> = filter.distinct.counted().map(|(line, count)| (line.len(), count)).collect();
        assert_eq!(counted, [(other.len(), 3), (short.len(), 2), (long.len(), 2), (longer.len(), 2)]);
    }

    #[test]
    fn lines_are_counted_most_frequent_first_then_as_they_appeared() {
        let mut out = Vec::new();
        let mut filter = Filter::new(&mut out, false, false);
        filter.write_all(b"c\nb\na\nb\na\n").unwrap();
        let counted: Vec<_> = filter.distinct.counted().collect();
        assert_eq!(counted, [(&b"b\n"[..], 2), (b"a\n", 2), (b"c\n", 1)]);
        assert!(out.is_empty());
    }

    #[test]
    fn lines_with_the_same_hash_are_told_apart_also_at_the_end_of_the_table() {
        let mut table = Table { slots: vec![0; 4], used: 0 };
        let hash = |number: u32| if number.is_multiple_of(2) { u32::MAX } else { 0 };
        for number in 0..40 {
            table.reserve(1);
            assert_eq!(table.find_or_add(hash(number), number, |_| false), None);
        }
        for number in 0..40 {
            assert_eq!(table.find_or_add(hash(number), 99, |seen| seen == number), Some(number));
        }
        assert!(table.used == 40 && table.slots.len() == 64);
    }
}
