//! Documents that are compressed because that was asked for, and the beginnings of others that are compressed all the same (S-34).

use crate::error::kind::ErrorKind;
use crate::error::{Error, system_words};
use crate::language::{message, words};
use crate::probe::ProbeBody;
use crate::protocol::Note;
use crate::resource::Body;
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, Read};
use std::ops::Range;

/// Octets decompressed at a time.
const BUFFER: usize = 64 * 1024;

/// The highest compression ratio that is allowed once [`RATIO_FROM`] octets came out. Gzip can reach 1,032; ordinary documents stay
/// far below 200.
const MAX_RATIO: u64 = 200;
const RATIO_FROM: u64 = 16 * 1024 * 1024;

/// The decompressed octets of `body`.
pub(super) fn gunzip(body: Box<dyn Body>) -> Box<dyn Body> {
    let decoder = MultiGzDecoder::new(Compressed { body, taken: 0 });
    Box::new(Gunzip { decoder, buffer: Vec::new(), there: 0..0, given: 0 })
}

/// The beginning of a document that is compressed with gzip so many times although that was not asked for, with at most `limit` octets at
/// each step; `None` is another coding. What comes before a mistake counts.
pub(super) fn undone(mut body: ProbeBody, codings: Option<usize>, limit: usize) -> ProbeBody {
    body.is_coded = codings.is_none();
    for _ in 0..codings.unwrap_or_default() {
        // Some servers name the coding of a page that is empty.
        if body.octets.is_empty() && body.is_complete {
            return body;
        }
        let mut octets = Vec::new();
        let mut decoder = MultiGzDecoder::new(&body.octets[..]).take(limit as u64);
        let is_whole =
            decoder.read_to_end(&mut octets).is_ok() && decoder.into_inner().read(&mut [0]).is_ok_and(|more| more == 0);
        if octets.is_empty() && !is_whole {
            body.is_coded = true;
            return body;
        }
        (body.octets, body.is_complete) = (octets, body.is_complete && is_whole);
    }
    body
}

/// A body as a [`Read`], which counts its octets.
struct Compressed {
    body: Box<dyn Body>,
    taken: u64,
}

impl BufRead for Compressed {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(self.body.fill()?)
    }

    fn consume(&mut self, count: usize) {
        self.taken += count as u64;
        self.body.consume(count);
    }
}

impl Read for Compressed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let octets = self.fill_buf()?;
        let count = octets.len().min(buffer.len());
        buffer[..count].copy_from_slice(&octets[..count]);
        self.consume(count);
        Ok(count)
    }
}

struct Gunzip {
    decoder: MultiGzDecoder<Compressed>,
    buffer: Vec<u8>,
    there: Range<usize>,
    /// Octets after decompression.
    given: u64,
}

impl Body for Gunzip {
    fn fill(&mut self) -> Result<&[u8], Error> {
        if self.there.is_empty() {
            self.buffer.resize(BUFFER, 0);
            let count = loop {
                match self.decoder.read(&mut self.buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    read => break read.map_err(failed)?,
                }
            };
            self.given += count as u64;
            let taken = self.decoder.get_ref().taken.max(1);
            if self.given > RATIO_FROM && self.given / taken > MAX_RATIO {
                let what = message!(
                    "the document grows by more than a factor of {factor} when decompressed",
                    factor = MAX_RATIO
                );
                return Err(Error::new(ErrorKind::Limit, what)
                    .with_reference("S-34")
                    .with_help(words!("do not ask for compression")));
            }
            self.there = 0..count;
        }
        Ok(&self.buffer[self.there.clone()])
    }

    fn consume(&mut self, count: usize) {
        self.there.start = (self.there.start + count).min(self.there.end);
    }

    fn take_notes(&mut self) -> Vec<Note> {
        self.decoder.get_mut().body.take_notes()
    }
}

/// Errors of the transfer pass through the library unchanged.
fn failed(error: io::Error) -> Error {
    let error = match error.downcast::<Error>() {
        Ok(own) => return own,
        Err(error) => error,
    };
    let (class, what) = match error.kind() {
        io::ErrorKind::UnexpectedEof => (ErrorKind::Partial, words!("the compressed document is incomplete").into()),
        _ => (ErrorKind::Protocol, message!("cannot decompress the document: {cause}", cause = system_words(&error))),
    };
    Error::new(class, what).with_reference("RFC 9110 section 8.4.1.3").with_source(error)
}
