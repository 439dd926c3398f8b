//! Reads lists in blocks of whole lines: what has arrived is passed on at once, and a block never cuts a line.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use urlwise_explain::secret;
use urlwise_formats::BYTE_ORDER_MARK;

use super::{LONGEST, Place, Record, STDIN, TooLong, cannot_read, missing_input};
use crate::cli::Inputs;
use crate::console;
use crate::exit::Failure;
use crate::language::{about, said, words};

/// So many octets are read at once.
const BLOCK: usize = 1 << 16;

/// A block of this length is followed by others, most probably.
const LARGE: usize = BLOCK / 2;

/// The inputs of a command, in order.
pub(crate) struct Blocks {
    null: bool,
    /// Lines are taken as they are: none is skipped, and a CR belongs to its line, as a byte order mark does.
    as_is: bool,
    sources: std::vec::IntoIter<Source>,
    open: Option<Open>,
}

/// Where records come from.
enum Source {
    Argument(OsString),
    Stdin,
    File(PathBuf),
}

impl Source {
    /// A file; `-` is standard input.
    fn file(path: &Path) -> Source {
        if path == OsStr::new("-") { Source::Stdin } else { Source::File(path.into()) }
    }
}

/// A source that is being read.
struct Open {
    name: Arc<str>,
    reader: Box<dyn Read + Send>,
    /// The beginning of a record whose end was not read yet.
    rest: Vec<u8>,
    /// The number of the next record, from 1.
    number: usize,
    /// That record is too long: what is read up to its end is dropped.
    is_skipping: bool,
    is_at_end: bool,
}

/// Some records.
pub(crate) enum Block {
    Argument(OsString),
    Records(Records),
    /// All of a source.
    Whole(Arc<str>, Vec<u8>),
}

/// Whole records of one source.
pub(crate) struct Records {
    name: Arc<str>,
    number: usize,
    /// The first one is too long, and was not kept: the octets are those behind it.
    begins_too_long: bool,
    octets: Vec<u8>,
    null: bool,
    as_is: bool,
}

impl Blocks {
    /// Standard input without arguments and files. That is an error if it is a terminal: an argument was probably forgotten.
    pub(crate) fn new(inputs: &Inputs, command: Option<&str>) -> Result<Self, Failure> {
        let is_piped = inputs.urls.is_empty() && inputs.files.is_empty();
        if is_piped && io::stdin().is_terminal() {
            return Err(Failure::Usage(Box::new(missing_input(command))));
        }
        let urls = inputs.urls.iter().map(|url| match url.as_encoded_bytes() {
            b"-" => Source::Stdin,
            _ => Source::Argument(url.clone()),
        });
        let files = inputs.files.iter().map(|path| Source::file(path));
        let stdin = is_piped.then_some(Source::Stdin);
        Ok(Self::of(urls.chain(files).chain(stdin).collect(), inputs.null))
    }

    /// Takes lines as they are: none is skipped, and a CR belongs to its line, as a byte order mark does.
    pub(crate) fn with_every_line(self) -> Self {
        Blocks { as_is: true, ..self }
    }

    /// One list; `-` is standard input.
    pub(crate) fn of_file(path: &Path, null: bool) -> Self {
        Self::of(vec![Source::file(path)], null)
    }

    fn of(sources: Vec<Source>, null: bool) -> Self {
        Blocks { null, as_is: null, sources: sources.into_iter(), open: None }
    }

    /// The next records; `None` at the end of the last source. Waits for input only if none has arrived.
    pub(super) fn next(&mut self) -> Result<Option<Block>, Failure> {
        let as_is = self.as_is;
        self.next_by(|open, null| {
            let Some(records) = open.next(null)? else { return Ok(None) };
            let records = Records { as_is, ..records };
            if records.are_gzip() {
                let way = words!("the list is compressed by `gzip`; decompress it, as in `zcat list.gz | urlwise ...`");
                return Err(Failure::Input(about(&*records.name, way)));
            }
            if records.are_utf_16() {
                console::message(&about(&*records.name, words!("the list seems to be in UTF-16; convert it to UTF-8")));
            }
            Ok(Some(Block::Records(records)))
        })
    }

    /// Like [`Blocks::next`], but each file is one record, and so is standard input.
    pub(super) fn next_whole(&mut self) -> Result<Option<Block>, Failure> {
        self.next_by(|open, _| open.whole())
    }

    fn next_by(
        &mut self,
        read: impl Fn(&mut Open, bool) -> Result<Option<Block>, Failure>,
    ) -> Result<Option<Block>, Failure> {
        loop {
            if let Some(open) = &mut self.open {
                if let Some(block) = read(open, self.null)? {
                    return Ok(Some(block));
                }
                self.open = None;
            }
            let Some(source) = self.sources.next() else { return Ok(None) };
            self.open = Some(match source {
                Source::Argument(url) => return Ok(Some(Block::Argument(url))),
                Source::Stdin => Open::new(STDIN, Box::new(io::stdin())),
                Source::File(path) => {
                    let file = File::open(&path)
                        // The argument may be a URL with a password.
                        .map_err(|error| cannot_read(&secret::masked_missing(&path), &error))?;
                    Open::new(&secret::masked_path(&path), Box::new(file))
                }
            });
        }
    }
}

impl Open {
    fn new(name: &str, reader: Box<dyn Read + Send>) -> Self {
        Open { name: name.into(), reader, rest: Vec::new(), number: 1, is_skipping: false, is_at_end: false }
    }

    /// The records that end in what is read next; at the end of the source the last one, which needs no terminator.
    fn next(&mut self, null: bool) -> Result<Option<Records>, Failure> {
        let end = if null { 0 } else { b'\n' };
        let mut octets = mem::take(&mut self.rest);
        let whole = loop {
            if self.is_at_end {
                break octets.len();
            }
            let before = octets.len();
            self.read(&mut octets)?;
            if self.is_skipping {
                let kept = memchr::memchr(end, &octets).map_or(octets.len(), |at| at + 1);
                if kept > 0 && octets[kept - 1] == end {
                    self.is_skipping = false;
                    self.number += 1;
                }
                octets.drain(..kept);
            }
            match memchr::memrchr(end, &octets[before..]) {
                Some(last) => break before + last + 1,
                None if octets.len() > LONGEST => break octets.len(),
                None => {}
            }
        };
        if octets.is_empty() {
            return Ok(None);
        }
        let number = self.number;
        // Only the first record can be longer than a block.
        let first = memchr::memchr(end, &octets);
        let begins_too_long = first.unwrap_or(octets.len()) > LONGEST;
        let skipped = if begins_too_long { first.map_or(whole, |first| first + 1) } else { 0 };
        if begins_too_long {
            // Not drained: the memory is to be returned.
            octets = octets.split_off(skipped);
            self.is_skipping = first.is_none();
            self.number += usize::from(first.is_some());
        }
        self.rest = octets.split_off(whole - skipped);
        self.number += memchr::memchr_iter(end, &octets).count();
        Ok(Some(Records { name: Arc::clone(&self.name), number, begins_too_long, octets, null, as_is: null }))
    }

    /// Appends what is read next, or notes the end of the source.
    fn read(&mut self, octets: &mut Vec<u8>) -> Result<(), Failure> {
        let before = octets.len();
        octets.resize(before + BLOCK, 0);
        let read = self.reader.read(&mut octets[before..]);
        octets.truncate(before + *read.as_ref().unwrap_or(&0));
        match read {
            Ok(0) => self.is_at_end = true,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(cannot_read(&self.name, &error)),
        }
        Ok(())
    }

    /// All of the source, once.
    fn whole(&mut self) -> Result<Option<Block>, Failure> {
        if mem::replace(&mut self.is_at_end, true) {
            return Ok(None);
        }
        let mut octets = Vec::new();
        let read = (&mut self.reader).take(LONGEST as u64 + 1).read_to_end(&mut octets);
        read.map_err(|error| cannot_read(&self.name, &error))?;
        if octets.len() > LONGEST {
            return Err(Failure::Input(said!(
                "{name} is longer than {count} MiB",
                name = &*self.name,
                count = LONGEST >> 20
            )));
        }
        Ok(Some(Block::Whole(Arc::clone(&self.name), octets)))
    }
}

impl Block {
    /// Calls `visit` for every record.
    pub(crate) fn each<'b>(&'b self, mut visit: impl FnMut(Record<'b>) -> Result<(), Failure>) -> Result<(), Failure> {
        match self {
            Block::Argument(url) => visit(Record { octets: url.as_encoded_bytes(), place: None, too_long: None }),
            Block::Records(records) => records.each(visit),
            Block::Whole(file, octets) => {
                let place = Some(Place { file, number: 1, is_marked: false });
                visit(Record { octets, place, too_long: None })
            }
        }
    }

    /// Whether it is a good part of what is read at once, so that more is probably waiting.
    pub(super) fn is_large(&self) -> bool {
        matches!(self, Block::Records(records) if records.octets.len() >= LARGE)
    }
}

impl Records {
    /// Whether they are the first lines of a text.
    fn are_at_start(&self) -> bool {
        self.number == 1 && !self.as_is && !self.begins_too_long
    }

    /// Whether they begin as a text in UTF-16 does: with its byte order mark, in either order, beside which there is half of a character.
    fn are_utf_16(&self) -> bool {
        let begins = matches!(*self.octets.as_slice(), [0xFF, 0xFE, _, 0, ..] | [0xFE, 0xFF, 0, ..]);
        self.are_at_start() && begins
    }

    /// Whether they begin as a file of gzip does.
    fn are_gzip(&self) -> bool {
        self.are_at_start() && self.octets.starts_with(b"\x1F\x8B\x08")
    }

    fn each<'b>(&'b self, mut visit: impl FnMut(Record<'b>) -> Result<(), Failure>) -> Result<(), Failure> {
        let end = if self.null { 0 } else { b'\n' };
        let mut rest = self.octets.as_slice();
        let mut number = self.number;
        if self.begins_too_long {
            let place = Place { file: &self.name, number, is_marked: false };
            visit(Record { octets: b"", place: Some(place), too_long: Some(TooLong { place, null: self.null }) })?;
            number += 1;
        }
        let text = rest.strip_prefix(BYTE_ORDER_MARK).filter(|_| self.are_at_start());
        let mut is_marked = text.is_some();
        rest = text.unwrap_or(rest);
        while !rest.is_empty() {
            let length = memchr::memchr(end, rest).unwrap_or(rest.len());
            let mut octets = &rest[..length];
            rest = rest.get(length + 1..).unwrap_or_default();
            let is_skipped = !self.as_is && {
                octets = octets.strip_suffix(b"\r").unwrap_or(octets);
                octets.is_empty()
            };
            if !is_skipped {
                let place = Some(Place { file: &self.name, number, is_marked });
                visit(Record { octets, place, too_long: None })?;
            }
            number += 1;
            is_marked = false;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::min;

    use super::*;

    /// Gives so many octets at once.
    struct Dripping<'a>(&'a [u8], usize);

    impl Read for Dripping<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = min(self.1, min(self.0.len(), buffer.len()));
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[track_caller]
    fn reads(input: &'static [u8], null: bool, expected: &[(&[u8], usize)]) {
        for at_once in 1..=input.len() {
            let mut open = Open::new("x", Box::new(Dripping(input, at_once)));
            let mut found = Vec::new();
            while let Some(records) = open.next(null).unwrap() {
                let mut visit = |record: Record<'_>| {
                    found.push((record.octets.to_vec(), record.place.unwrap().number));
                    Ok(())
                };
                records.each(&mut visit).unwrap();
            }
            let expected: Vec<_> = expected.iter().map(|(octets, number)| (octets.to_vec(), *number)).collect();
            assert_eq!(found, expected, "{at_once} at once");
        }
    }

    #[test]
    fn lines_end_in_lf_or_cr_lf_and_the_last_needs_no_end() {
        reads(b"news:a\r\nnews:b\nc", false, &[(b"news:a", 1), (b"news:b", 2), (b"c", 3)]);
    }

    #[test]
    fn empty_lines_are_skipped_and_counted() {
        reads(b"\n\r\na\n\n", false, &[(b"a", 3)]);
    }

    #[test]
    fn a_byte_order_mark_is_skipped_where_a_list_of_lines_starts_and_nowhere_else() {
        reads(b"\xEF\xBB\xBFa\r\n\xEF\xBB\xBFb", false, &[(b"a", 1), (b"\xEF\xBB\xBFb", 2)]);
        reads(b"\xEF\xBB\xBF\r\n\xEF\xBB\xBFb", false, &[(b"\xEF\xBB\xBFb", 2)]);
        reads(b"\xEF\xBB\xBF", false, &[]);
        reads(b"\xEF\xBBa", false, &[(b"\xEF\xBBa", 1)]);
        reads(b"\xEF\xBB\xBFa\0b", true, &[(b"\xEF\xBB\xBFa", 1), (b"b", 2)]);
    }

    #[test]
    fn only_one_cr_belongs_to_the_line_end() {
        reads(b"a\r\r\n", false, &[(b"a\r", 1)]);
    }

    #[test]
    fn records_that_end_in_nul_hold_line_ends_and_may_be_empty() {
        reads(b"a\r\nb\n\0\0c", true, &[(b"a\r\nb\n", 1), (b"", 2), (b"c", 3)]);
    }

    #[test]
    fn lines_as_they_are_may_be_empty_and_keep_their_cr() {
        let mut blocks = Blocks::of(Vec::new(), false).with_every_line();
        blocks.open = Some(Open::new("x", Box::new(&b"\na\r\n\n"[..])));
        let mut found = Vec::new();
        while let Some(block) = blocks.next().unwrap() {
            let mut visit = |record: Record<'_>| {
                found.push(record.octets.to_vec());
                Ok(())
            };
            block.each(&mut visit).unwrap();
        }
        assert_eq!(found, [&b""[..], b"a\r", b""]);
    }

    #[test]
    fn what_has_arrived_is_passed_on_before_more_is_read() {
        struct Once(bool);
        impl Read for Once {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                assert!(mem::take(&mut self.0), "read again");
                buffer[..4].copy_from_slice(b"a\nb\n");
                Ok(4)
            }
        }
        let records = Open::new("x", Box::new(Once(true))).next(false).unwrap().unwrap();
        assert_eq!((records.octets.as_slice(), records.number), (b"a\nb\n".as_slice(), 1));
    }

    #[test]
    fn an_end_of_input_is_read_once() {
        struct Ended(u8);
        impl Read for Ended {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0 += 1;
                assert!(self.0 <= 2, "read beyond the end");
                buffer[0] = b'a';
                Ok(usize::from(self.0 == 1))
            }
        }
        let mut open = Open::new("x", Box::new(Ended(0)));
        assert!(open.next(false).unwrap().is_some());
        assert!(open.next(false).unwrap().is_none());
    }

    /// The length of each record of `x` and its number; `None` where it is too long.
    #[track_caller]
    fn lengths(open: &mut Open, null: bool) -> Vec<(Option<usize>, usize)> {
        let mut lengths = Vec::new();
        while let Some(records) = open.next(null).unwrap() {
            let mut visit = |record: Record<'_>| {
                let length = record.too_long.is_none().then_some(record.octets.len());
                lengths.push((length, record.place.unwrap().number));
                Ok(())
            };
            records.each(&mut visit).unwrap();
            assert!(open.rest.capacity() <= 2 * LONGEST + BLOCK);
        }
        lengths
    }

    #[test]
    fn a_record_of_exactly_the_limit_is_read_and_a_longer_one_stops_no_other() {
        for end in ["\n", "\0"] {
            for longer in [0, 1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK] {
                let length = LONGEST + longer;
                let read = (longer == 0).then_some(length);
                let long = "a".repeat(length);
                let texts = [
                    (format!("x{end}{long}"), vec![(Some(1), 1), (read, 2)]),
                    (format!("x{end}{long}{end}"), vec![(Some(1), 1), (read, 2)]),
                    (format!("{long}{end}{long}{end}yz{end}"), vec![(read, 1), (read, 2), (Some(2), 3)]),
                    (format!("{long}{end}yz{end}{long}"), vec![(read, 1), (Some(2), 2), (read, 3)]),
                ];
                for (text, expected) in texts {
                    let mut open = Open::new("x", Box::new(io::Cursor::new(text)));
                    assert_eq!(lengths(&mut open, end == "\0"), expected, "{longer} {end:?}");
                }
            }
        }
    }

    #[test]
    fn an_endless_record_takes_little_more_memory_than_the_limit() {
        let endless = io::repeat(b'a').take(20 * LONGEST as u64).chain(&b"\nb"[..]);
        let mut open = Open::new("x", Box::new(endless));
        assert_eq!(lengths(&mut open, false), [(None, 1), (Some(1), 2)]);
    }

    #[test]
    fn what_begins_behind_a_record_that_is_too_long_is_no_start_of_a_list() {
        let text = ["a".repeat(LONGEST + 1).as_bytes(), b"\n\xEF\xBB\xBFb\n"].concat();
        let mut open = Open::new("x", Box::new(io::Cursor::new(text)));
        assert_eq!(lengths(&mut open, false), [(None, 1), (Some(4), 2)]);
    }
}
