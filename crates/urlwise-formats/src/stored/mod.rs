//! The texts of files as they are stored: what is in UTF-16 or compressed becomes plain octets, and comes in blocks that do not cut URLs.
//!
//! ```
//! use urlwise_formats::stored::{Blocks, Kind};
//!
//! let stored = b"\xFE\xFF\0h\0i";
//! let mut blocks = Blocks::new(&stored[..], Kind::default());
//! let mut buffer = Vec::new();
//! let length = blocks.next(&mut buffer)?.expect("it has no NUL");
//! assert_eq!(&buffer[..length], "\u{FEFF}hi".as_bytes());
//! assert!(blocks.is_decoded());
//! assert_eq!(blocks.next(&mut buffer)?, None);
//! # Ok::<(), std::io::Error>(())
//! ```

mod coded;

use std::io::{self, Read};
use std::mem;

use urlwise::find::safe_cut;

use coded::Coding;
pub use coded::TooLong;

/// The size of blocks in octets, unless lines are longer.
const BLOCK: usize = 1 << 20;
/// The longest block in octets: a longer line is cut between URLs.
pub const LONGEST_BLOCK: usize = 16 << 20;

/// How a text is divided into blocks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kind {
    /// Otherwise it ends where it turns out to be binary: before the block with the first NUL.
    pub may_be_binary: bool,
    /// One block, if it is not as long as the longest.
    pub is_whole: bool,
    /// Compressed texts are decompressed.
    pub search_zip: bool,
    /// Texts are passed on as they are stored.
    pub is_raw: bool,
}

impl Kind {
    /// For the text that was stored in a coding. What is compressed twice is not searched.
    fn within(self, coding: Coding) -> Kind {
        Kind { search_zip: false, is_raw: coding != Coding::Gzip, ..self }
    }
}

/// A text that is read in blocks.
pub struct Blocks<'r> {
    reader: Box<dyn Read + Send + 'r>,
    kind: Kind,
    /// The size of blocks, unless lines are longer, and that of the longest.
    sizes: [usize; 2],
    /// What was read beyond the last block.
    rest: Vec<u8>,
    /// What ended the text, if it is to be said behind the last block.
    failure: Option<io::Error>,
    is_started: bool,
    is_decoded: bool,
    is_ended: bool,
}

impl<'r> Blocks<'r> {
    /// The text that is read from there.
    pub fn new(reader: impl Read + Send + 'r, kind: Kind) -> Self {
        let sizes = [BLOCK, LONGEST_BLOCK];
        let (reader, rest) = (Box::new(reader), Vec::new());
        Blocks { reader, kind, sizes, rest, failure: None, is_started: false, is_decoded: false, is_ended: false }
    }

    /// The same in blocks of so many octets, and the longest of so many: a fuzz target has no text of 16 MiB.
    #[doc(hidden)]
    pub fn of_sizes(self, block: usize, longest: usize) -> Self {
        Blocks { sizes: [block, longest], ..self }
    }

    /// The last block was returned, or the text turned out to be binary. Nothing comes behind it but an error, if there was one.
    pub fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// Whether the octets of the blocks are others than those that are stored: the text is compressed or in UTF-16. Known once the first
    /// block was returned.
    pub fn is_decoded(&self) -> bool {
        self.is_decoded
    }

    /// Reads the next block to the start of the buffer and returns its length; `None` at the end. An empty text has one empty block.
    ///
    /// # Errors
    /// Those of the reader, and where a compressed text is broken or [too long](TooLong). Before one come the blocks of what was read, without
    /// the word in which it breaks off: half a URL is another one. Nothing can be read after one.
    pub fn next(&mut self, buffer: &mut Vec<u8>) -> io::Result<Option<usize>> {
        if self.is_ended {
            return self.failure.take().map_or(Ok(None), Err);
        }
        let [size, longest] = self.sizes;
        // A buffer that was enlarged for a long line is freed.
        if buffer.len() != size.max(self.rest.len()) {
            *buffer = vec![0; size.max(self.rest.len())];
        }
        buffer[..self.rest.len()].copy_from_slice(&self.rest);
        let (mut room, mut filled) = (buffer.len(), self.rest.len());
        loop {
            if filled > room / 2 && room < longest {
                room = (room * 2).min(longest);
            }
            let seen = filled;
            let is_end = fill(&mut self.reader, buffer, room, &mut filled).unwrap_or_else(|error| {
                self.failure = Some(error);
                true
            });
            if !mem::replace(&mut self.is_started, true)
                && !self.kind.is_raw
                && let Some(coding) = coded::coding(&buffer[..filled], self.kind.search_zip)
            {
                self.decode(coding, &buffer[..filled]);
                filled = 0;
                continue;
            }
            if !self.kind.may_be_binary && memchr::memchr(0, &buffer[seen..filled]).is_some() {
                (self.is_ended, self.failure) = (true, None);
                return Ok(None);
            }
            if is_end {
                self.is_ended = true;
                return match &self.failure {
                    None => Ok(Some(filled)),
                    Some(_) => match after_last(b" \t\"<>\n", &buffer[..filled]) {
                        None => self.next(buffer),
                        length => Ok(length),
                    },
                };
            }
            if self.kind.is_whole && filled < longest {
                continue;
            }
            let block = &buffer[..filled];
            let cut = match safe_cut(block) {
                Some(cut) => cut,
                None if filled < longest => continue,
                None => after_last(b" \t\"<>", block).unwrap_or(filled),
            };
            self.rest.clear();
            self.rest.extend_from_slice(&block[cut..]);
            return Ok(Some(cut));
        }
    }

    /// Reads the text anew that is stored in a coding, of which `head` was read.
    fn decode(&mut self, coding: Coding, head: &[u8]) {
        let stored = mem::replace(&mut self.reader, Box::new(io::empty()));
        let stored = Failing(self.failure.take()).chain(stored);
        self.reader = coded::decoder(coding, io::Cursor::new(head.to_vec()).chain(stored));
        self.kind = self.kind.within(coding);
        (self.is_started, self.is_decoded) = (false, true);
    }
}

/// What is kept of a buffer for the next text: one that was enlarged is freed.
pub fn kept(buffer: Vec<u8>) -> Vec<u8> {
    if buffer.capacity() > BLOCK { Vec::new() } else { buffer }
}

/// Says an error once, if there is one.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// The length of a block up to and with the last of some octets.
fn after_last(octets: &[u8], block: &[u8]) -> Option<usize> {
    block.iter().rposition(|octet| octets.contains(octet)).map(|last| last + 1)
}

/// Reads until the buffer holds `room` octets; true at the end of the text.
fn fill(reader: &mut impl Read, buffer: &mut Vec<u8>, room: usize, filled: &mut usize) -> io::Result<bool> {
    if room > buffer.len() {
        // Unused room is never written to, so it takes no memory.
        buffer.truncate(*filled);
        buffer.reserve_exact(room - *filled);
        let read = reader.take((room - *filled) as u64).read_to_end(buffer);
        *filled = buffer.len();
        return read.map(|_| *filled < room);
    }
    while *filled < room {
        match reader.read(&mut buffer[*filled..room]) {
            Ok(0) => return Ok(true),
            Ok(count) => *filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_behind_a_short_one_is_in_no_block_that_is_longer_than_the_longest() {
        // What is left of the first block is no power of two.
        let text = [&b"twenty octets a line\n"[..], &b"x".repeat(100)].concat();
        let mut blocks = Blocks::new(&text[..], Kind::default()).of_sizes(8, 32);
        let (mut buffer, mut lengths) = (Vec::new(), Vec::new());
        while let Some(length) = blocks.next(&mut buffer).unwrap() {
            assert!(buffer.len() <= 32, "{}", buffer.len());
            lengths.push(length);
        }
        assert_eq!(lengths, [21, 32, 32, 32, 4]);
    }

    #[test]
    fn a_whole_text_is_one_block_up_to_the_longest() {
        /// Gives few octets at a time.
        struct Slow<'t>(&'t [u8]);

        impl Read for Slow<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let few = buffer.len().min(3);
                self.0.read(&mut buffer[..few])
            }
        }

        let kind = Kind { is_whole: true, ..Kind::default() };
        // Each is read to the buffer of the one before.
        let mut buffer = Vec::new();
        for length in (0..=80).chain((0..80).rev()) {
            let text: Vec<u8> = (b'!'..=b'~').cycle().take(length).collect();
            for reader in [Box::new(&text[..]) as Box<dyn Read + Send>, Box::new(Slow(&text))] {
                let mut blocks = Blocks::new(reader, kind).of_sizes(8, 64);
                let (mut read, mut lengths) = (Vec::new(), Vec::new());
                while let Some(length) = blocks.next(&mut buffer).unwrap() {
                    read.extend_from_slice(&buffer[..length]);
                    lengths.push(length);
                }
                // After 64 octets it is not yet known that nothing follows.
                assert_eq!((read == text, lengths.len() == 1), (true, length < 64), "{length} {lengths:?}");
            }
        }
    }

    #[test]
    fn what_was_read_before_an_error_comes_first_without_the_word_in_which_it_breaks_off() {
        let coded = |mark: &[u8], text: &str, octets: fn(u16) -> [u8; 2]| {
            [mark, &text.encode_utf16().flat_map(octets).collect::<Vec<_>>()].concat()
        };
        for (stored, expected) in [
            (b"a http://b/c".to_vec(), Some("a ")),
            (b"a http://b/c\n".to_vec(), Some("a http://b/c\n")),
            (b"a\nb c".to_vec(), Some("a\nb ")),
            (b"http://b/c".to_vec(), None),
            (b"".to_vec(), None),
            (b"a\0 b".to_vec(), None),
            (b"\xFF".to_vec(), None),
            (coded(b"\xFF\xFE", "a b", u16::to_le_bytes), Some("\u{FEFF}a ")),
            (coded(b"\xFE\xFF", "a b", u16::to_be_bytes), Some("\u{FEFF}a ")),
        ] {
            for is_whole in [false, true] {
                let kind = Kind { is_whole, ..Kind::default() };
                let failing = stored.chain(Failing(Some(io::Error::other("broken"))));
                let mut blocks = Blocks::new(failing, kind);
                let mut buffer = Vec::new();
                if let Some(expected) = expected {
                    let length = blocks.next(&mut buffer).unwrap().expect("there is a block");
                    assert_eq!(str::from_utf8(&buffer[..length]), Ok(expected));
                    assert!(blocks.is_ended());
                }
                let end = blocks.next(&mut buffer).map_err(|error| error.to_string());
                // What is binary is not read, whole or not.
                let is_binary = stored.contains(&0) && !stored.starts_with(b"\xFF") && !stored.starts_with(b"\xFE");
                assert_eq!(end, if is_binary { Ok(None) } else { Err("broken".into()) });
                assert!(blocks.is_ended() && blocks.next(&mut buffer).is_ok_and(|more| more.is_none()));
            }
        }
    }
}
