//! Divides a text into blocks that do not cut URLs.

use std::io::{self, Read};
use std::mem;

use urlwise::find::safe_cut;

use super::coded::{self, Coding};

/// The size of blocks in octets, unless lines are longer.
const BLOCK: usize = 1 << 20;
/// The longest block: a longer line is cut between URLs.
pub(super) const LONGEST_BLOCK: usize = 16 << 20;

/// How a text is divided into blocks.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// Otherwise it ends where it turns out to be binary: at a NUL.
    pub(super) may_be_binary: bool,
    /// One block, if it is not longer than the longest.
    pub(super) is_whole: bool,
    /// Compressed texts are decompressed.
    pub(super) search_zip: bool,
    /// Texts are passed on as they are stored.
    pub(super) is_raw: bool,
}

impl Kind {
    /// For the text that was stored in a coding. What is compressed twice is not searched.
    fn within(self, coding: Coding) -> Kind {
        Kind { search_zip: false, is_raw: coding != Coding::Gzip, ..self }
    }
}

/// A text that is read in blocks.
pub(super) struct Blocks<'r> {
    reader: Box<dyn Read + Send + 'r>,
    kind: Kind,
    /// What was read beyond the last block.
    rest: Vec<u8>,
    is_started: bool,
    is_ended: bool,
}

impl<'r> Blocks<'r> {
    pub(super) fn new(reader: impl Read + Send + 'r, kind: Kind) -> Self {
        Blocks { reader: Box::new(reader), kind, rest: Vec::new(), is_started: false, is_ended: false }
    }

    /// The last block was returned, or the text turned out to be binary.
    pub(super) fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// Reads the next block to the start of the buffer and returns its length; `None` at the end. An empty text has one empty block.
    pub(super) fn next(&mut self, buffer: &mut Vec<u8>) -> io::Result<Option<usize>> {
        if self.is_ended {
            return Ok(None);
        }
        // A buffer that was enlarged for a long line is freed.
        if buffer.len() != BLOCK.max(self.rest.len()) {
            *buffer = vec![0; BLOCK.max(self.rest.len())];
        }
        buffer[..self.rest.len()].copy_from_slice(&self.rest);
        let mut filled = self.rest.len();
        loop {
            if filled > buffer.len() / 2 && buffer.len() < LONGEST_BLOCK {
                buffer.resize(buffer.len() * 2, 0);
            }
            let seen = filled;
            let is_end = fill(&mut self.reader, buffer, &mut filled)?;
            if !mem::replace(&mut self.is_started, true)
                && !self.kind.is_raw
                && let Some(coding) = coded::coding(&buffer[..filled], self.kind.search_zip)
            {
                self.decode(coding, &buffer[..filled]);
                filled = 0;
                continue;
            }
            if !self.kind.may_be_binary && memchr::memchr(0, &buffer[seen..filled]).is_some() {
                self.is_ended = true;
                return Ok(None);
            }
            if is_end {
                self.is_ended = true;
                return Ok(Some(filled));
            }
            if self.kind.is_whole && filled < LONGEST_BLOCK {
                continue;
            }
            let block = &buffer[..filled];
            let cut = match safe_cut(block) {
                Some(cut) => cut,
                None if filled < LONGEST_BLOCK => continue,
                None => block.iter().rposition(|octet| b" \t\"<>".contains(octet)).map_or(filled, |last| last + 1),
            };
            self.rest.clear();
            self.rest.extend_from_slice(&block[cut..]);
            return Ok(Some(cut));
        }
    }

    /// Reads the text anew that is stored in a coding, of which `head` was read.
    fn decode(&mut self, coding: Coding, head: &[u8]) {
        let stored = mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = coded::decoder(coding, io::Cursor::new(head.to_vec()).chain(stored));
        self.kind = self.kind.within(coding);
        self.is_started = false;
    }
}

/// What is kept of a buffer for the next text: one that was enlarged is freed.
pub(super) fn kept(buffer: Vec<u8>) -> Vec<u8> {
    if buffer.len() > BLOCK { Vec::new() } else { buffer }
}

/// Reads until the buffer is full; true at the end of the text.
fn fill(reader: &mut impl Read, buffer: &mut [u8], filled: &mut usize) -> io::Result<bool> {
    while *filled < buffer.len() {
        match reader.read(&mut buffer[*filled..]) {
            Ok(0) => return Ok(true),
            Ok(count) => *filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}
