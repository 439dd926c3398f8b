//! Distinct lines: each once where it first appears, or counted.

use std::cmp::Reverse;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::ops::Range;

use hashbrown::HashTable;

/// The distinct lines that were seen, in memory.
#[derive(Default)]
pub(super) struct Distinct {
    /// The lines one after another, each with its end.
    octets: Vec<u8>,
    /// By the hash of the line.
    lines: HashTable<Line>,
    hasher: RandomState,
}

/// A line, and how often it was seen.
struct Line {
    /// Kept, so that a table that grows does not hash its lines again.
    hash: u64,
    start: usize,
    end: usize,
    count: u64,
}

impl Line {
    fn span(&self) -> Range<usize> {
        self.start..self.end
    }
}

impl Distinct {
    /// Counts a line. Returns whether it is the first of its kind.
    pub(super) fn add(&mut self, line: &[u8]) -> bool {
        let Distinct { octets, lines, hasher } = self;
        let hash = hasher.hash_one(line);
        if let Some(seen) = lines.find_mut(hash, |seen| seen.hash == hash && octets[seen.span()] == *line) {
            seen.count += 1;
            return false;
        }
        let start = octets.len();
        octets.extend_from_slice(line);
        let line = Line { hash, start, end: octets.len(), count: 1 };
        lines.insert_unique(hash, line, |seen| seen.hash);
        true
    }

    /// The lines and their counts: most frequent first, then as they first appeared.
    pub(super) fn counted(&self) -> impl Iterator<Item = (&[u8], u64)> {
        let mut lines: Vec<&Line> = self.lines.iter().collect();
        lines.sort_unstable_by_key(|line| (Reverse(line.count), line.start));
        lines.into_iter().map(|line| (&self.octets[line.span()], line.count))
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
        Filter { out, distinct: Distinct::default(), is_passing, has_quotes }
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
        let mut rest = text;
        while !rest.is_empty() {
            let (line, more) = rest.split_at(self.line(rest));
            if self.distinct.add(line) && self.is_passing {
                self.out.write_all(line)?;
            }
            rest = more;
        }
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
    fn lines_are_counted_most_frequent_first_then_as_they_appeared() {
        let mut out = Vec::new();
        let mut filter = Filter::new(&mut out, false, false);
        filter.write_all(b"c\nb\na\nb\na\n").unwrap();
        let counted: Vec<_> = filter.distinct.counted().collect();
        assert_eq!(counted, [(&b"b\n"[..], 2), (b"a\n", 2), (b"c\n", 1)]);
        assert!(out.is_empty());
    }
}
