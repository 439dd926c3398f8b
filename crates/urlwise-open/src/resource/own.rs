//! Documents and menus made by programs, from a reader and from entries.

use super::{Body, Document, Entry, History, List, Menu};
use crate::error::kind::ErrorKind;
use crate::error::{Error, system_words};
use crate::language::{message, words};
use crate::protocol::Metadata;
use crate::protocol::Note;
use std::io::{self, Read};
use std::ops::Range;
use urlwise::Url;

/// Octets read at a time.
const BUFFER: usize = 64 * 1024;

impl Document {
    /// A document made by a program, for [openers](crate::Opener): `url` is its URL, `reader` yields its octets. If
    /// [`Metadata::size`] is known, a reader that ends earlier is an error of kind [`ErrorKind::Partial`], and no octet beyond
    /// that size is read. Deadlines cannot interrupt a reader that blocks.
    pub fn from_reader(url: Url<String>, reader: impl Read + Send + 'static, metadata: Metadata) -> Document {
        let octets = ReaderBody { reader, buffer: Vec::new(), there: 0..0, left: metadata.size };
        Document {
            body: Box::new(octets),
            size: metadata.size,
            max_size: None,
            media_type: metadata.media_type.clone(),
            from: History::of(url),
            metadata,
            offset: 0,
            failure: None,
            read: 0,
            given: 0,
        }
    }

    /// The same document with octets from this offset on: a [resumed](crate::OpenOptions::resume) transfer. Call it before
    /// anything is read.
    #[must_use]
    pub fn starting_at(mut self, offset: u64) -> Document {
        self.offset = offset;
        self
    }

    /// Limits the size of the document, unless it has a limit.
    pub(crate) fn limited(mut self, max_size: u64) -> Result<Document, Error> {
        let max_size = *self.max_size.get_or_insert(max_size);
        match self.size {
            Some(size) if size > max_size => Err(self.too_long(max_size)),
            _ => Ok(self),
        }
    }
}

impl Menu {
    /// A menu made by a program, for [openers](crate::Opener): `url` is its URL. After an error no further entry is requested.
    pub fn from_entries<I>(url: Url<String>, entries: I) -> Menu
    where
        I: IntoIterator<Item = Result<Entry, Error>>,
        I::IntoIter: Send + 'static,
    {
        Menu::new(Box::new(IteratorEntries(entries.into_iter())), History::of(url))
    }
}

/// The octets of a reader.
struct ReaderBody<R> {
    reader: R,
    buffer: Vec<u8>,
    there: Range<usize>,
    /// How many are still to come, if known.
    left: Option<u64>,
}

impl<R: Read + Send> Body for ReaderBody<R> {
    fn fill(&mut self) -> Result<&[u8], Error> {
        if self.there.is_empty() && self.left != Some(0) {
            if self.buffer.is_empty() {
                self.buffer = vec![0; BUFFER];
            }
            let most = self.left.map_or(BUFFER, |left| usize::try_from(left).unwrap_or(BUFFER).min(BUFFER));
            let count = loop {
                match self.reader.read(&mut self.buffer[..most]) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    read => break read.map_err(failed)?,
                }
            };
            // A reader that claims more than it had room for is not trusted.
            self.there = 0..count.min(most);
            match &mut self.left {
                Some(left) if self.there.is_empty() => {
                    let what = message!("the document ended {count} octets early", count = *left);
                    return Err(Error::new(ErrorKind::Partial, what));
                }
                Some(left) => *left -= self.there.len() as u64,
                None => {}
            }
        }
        Ok(&self.buffer[self.there.clone()])
    }

    fn consume(&mut self, count: usize) {
        self.there.start = (self.there.start + count).min(self.there.end);
    }

    fn take_notes(&mut self) -> Vec<Note> {
        Vec::new()
    }
}

/// The error inside a reader's error, if it is one of this crate; otherwise a new read error.
fn failed(error: io::Error) -> Error {
    if Error::of(&error).is_none() {
        return Error::new(
            ErrorKind::Read,
            message!("cannot read the document: {cause}", cause = system_words(&error)),
        )
        .with_source(error);
    }
    match error.into_inner().map(<dyn std::error::Error + Send + Sync>::downcast) {
        Some(Ok(ours)) => *ours,
        // It was just checked.
        _ => Error::new(ErrorKind::Read, words!("cannot read the document")),
    }
}

/// Entries of a program.
struct IteratorEntries<I>(I);

impl<I: Iterator<Item = Result<Entry, Error>> + Send> List for IteratorEntries<I> {
    fn next_entry(&mut self) -> Option<Result<Entry, Error>> {
        self.0.next()
    }

    fn take_notes(&mut self) -> Vec<Note> {
        Vec::new()
    }
}
