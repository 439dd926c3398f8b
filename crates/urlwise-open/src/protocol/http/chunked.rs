//! The chunked transfer coding (RFC 9112 section 7.1): octets in, the same octets without the framing out.
//!
//! Nothing is copied, and what came before a fault is given before the fault.

use crate::language::{message, words};
use crate::protocol::{Fault, FaultKind, Input};
use urlwise::Words;

/// Most octets of the line with a chunk's size, extensions included (S-33).
const MAX_LINE: usize = 4 * 1024;

const REFERENCE: &str = "RFC 9112 section 7.1";

/// The state of reading the coding.
pub(super) struct Chunked {
    phase: ChunkPhase,
    /// The beginning of an incomplete line.
    line: Vec<u8>,
}

enum ChunkPhase {
    Size,
    /// This many octets of the chunk are still to come, at least one.
    Data(u64),
    /// The line end after a chunk.
    DataEnd,
    /// The last chunk has arrived. Trailers may follow and are ignored; they end with an empty line.
    Trailers,
    Over,
}

impl Chunked {
    pub(super) fn new() -> Chunked {
        Chunked { phase: ChunkPhase::Size, line: Vec::new() }
    }

    pub(super) fn is_whole(&self) -> bool {
        matches!(self.phase, ChunkPhase::Trailers | ChunkPhase::Over)
    }

    /// Whether nothing more belongs to the answer.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.phase, ChunkPhase::Over)
    }

    /// The next octets of the document; empty once the input is taken or the document is complete.
    pub(super) fn read<'i>(&mut self, input: &mut Input<'i>) -> Result<&'i [u8], Fault> {
        loop {
            match self.phase {
                ChunkPhase::Over => return Ok(&[]),
                ChunkPhase::Data(left) => {
                    let data = input.take(usize::try_from(left).unwrap_or(usize::MAX));
                    let left = left - data.len() as u64;
                    self.phase = if left == 0 { ChunkPhase::DataEnd } else { ChunkPhase::Data(left) };
                    return Ok(data);
                }
                ChunkPhase::Size | ChunkPhase::DataEnd | ChunkPhase::Trailers => {
                    let Some(&octet) = input.take(1).first() else {
                        return Ok(&[]);
                    };
                    self.line.push(octet);
                    if matches!(self.phase, ChunkPhase::DataEnd) {
                        self.data_end()?;
                    } else if octet == b'\n' && matches!(self.phase, ChunkPhase::Trailers) {
                        self.trailer();
                    } else if octet == b'\n' {
                        self.size()?;
                        if self.is_whole() {
                            return Ok(&[]);
                        }
                    } else if self.line.len() > MAX_LINE {
                        let what = message!("a chunk size line is longer than {count} octets", count = MAX_LINE);
                        return Err(Fault::new(FaultKind::Limit, "S-33", what));
                    }
                }
            }
        }
    }

    fn data_end(&mut self) -> Result<(), Fault> {
        match &self.line[..] {
            b"\r" => {}
            b"\r\n" => {
                self.line.clear();
                self.phase = ChunkPhase::Size;
            }
            other => return Err(malformed(words!("a chunk does not end where its size says"), other)),
        }
        Ok(())
    }

    fn trailer(&mut self) {
        if matches!(&self.line[..], b"\n" | b"\r\n") {
            self.phase = ChunkPhase::Over;
        }
        self.line.clear();
    }

    fn size(&mut self) -> Result<(), Fault> {
        let line = std::mem::take(&mut self.line);
        let size = line.strip_suffix(b"\r\n").and_then(|text| {
            let digits = text.split(|octet| *octet == b';').next()?.trim_ascii_end();
            // The number parser accepts a sign, the coding does not.
            let digits = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?;
            u64::from_str_radix(digits, 16).ok()
        });
        self.phase = match size {
            None => return Err(malformed(words!("a chunk size is not a valid hexadecimal number"), &line)),
            Some(0) => ChunkPhase::Trailers,
            Some(size) => ChunkPhase::Data(size),
        };
        Ok(())
    }
}

fn malformed(what: Words, octets: &[u8]) -> Fault {
    Fault::new(FaultKind::Malformed, REFERENCE, what).octets(&octets[..octets.len().min(80)])
}
