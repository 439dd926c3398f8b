//! Distinct lines: each once where it first appears, or counted.

use std::cmp::Reverse;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::ops::Range;

use hashbrown::HashTable;

/// The distinct lines that were seen, in memory: each takes its octets and some 40 more.
#[derive(Default)]
pub(super) struct Distinct {
    /// The lines one after another, each with its end.
    octets: Vec<u8>,
    /// In the order of their first appearance.
    lines: Vec<Line>,
    /// Their numbers by their hashes. As small as can be: what limits the speed of many lines is memory that no cache holds.
    numbers: HashTable<Entry>,
    /// Keyed anew in each run, so that no input can make lines collide.
    hasher: RandomState,
}

struct Line {
    /// Where it ends in `octets`; it starts where the one before ends.
    end: usize,
    /// How often it was seen.
    count: u64,
}

#[derive(Clone, Copy)]
struct Entry {
    /// Half of the hash of the line. Lines with the same one are compared octet by octet.
    hash: u32,
    /// The number of the line, from 0.
    line: u32,
}

impl Entry {
    /// The table finds a place by the low bits and compares the high ones first.
    fn hash(self) -> u64 {
        u64::from(self.hash) << 32 | u64::from(self.hash)
    }
}

impl Distinct {
    /// Counts a line. Returns whether it is the first of its kind.
    ///
    /// # Errors
    /// There are 2^32 distinct lines already.
    fn add(&mut self, line: &[u8]) -> io::Result<bool> {
        let Distinct { octets, lines, numbers, hasher } = self;
        let number = u32::try_from(lines.len()).map_err(|_| io::Error::other("more than 2^32 distinct lines"))?;
        #[expect(clippy::cast_possible_truncation, reason = "half of it")]
        let entry = Entry { hash: hasher.hash_one(line) as u32, line: number };
        let is_same = |seen: &Entry| seen.hash == entry.hash && octets[span(lines, seen.line as usize)] == *line;
        if let Some(seen) = numbers.find(entry.hash(), is_same) {
            lines[seen.line as usize].count += 1;
            return Ok(false);
        }
        octets.extend_from_slice(line);
        lines.push(Line { end: octets.len(), count: 1 });
        numbers.insert_unique(entry.hash(), entry, |seen| seen.hash());
        Ok(true)
    }

    /// The lines and their counts: most frequent first, then as they first appeared.
    pub(super) fn counted(&self) -> impl Iterator<Item = (&[u8], u64)> {
        let mut numbers: Vec<usize> = (0..self.lines.len()).collect();
        numbers.sort_by_key(|number| Reverse(self.lines[*number].count));
        numbers.into_iter().map(|number| (&self.octets[span(&self.lines, number)], self.lines[number].count))
    }
}

/// Where a line is in the octets.
fn span(lines: &[Line], number: usize) -> Range<usize> {
    let start = number.checked_sub(1).map_or(0, |before| lines[before].end);
    start..lines[number].end
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
        Filter { out, distinct: Distinct::default(), is_passing, has_quotes }
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

/// Takes whole lines at each call.
impl Write for Filter<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        // New lines that follow one another are passed on at once.
        let (mut new, mut at) = (0, 0);
        while at < text.len() {
            let end = at + self.line(&text[at..]);
            if !self.distinct.add(&text[at..end])? {
                self.pass(&text[new..at])?;
                new = end;
            }
            at = end;
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
    use super::Filter;
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
    fn lines_are_counted_most_frequent_first_then_as_they_appeared() {
        let mut out = Vec::new();
        let mut filter = Filter::new(&mut out, false, false);
        filter.write_all(b"c\nb\na\nb\na\n").unwrap();
        let counted: Vec<_> = filter.distinct.counted().collect();
        assert_eq!(counted, [(&b"b\n"[..], 2), (b"a\n", 2), (b"c\n", 1)]);
        assert!(out.is_empty());
    }
}
