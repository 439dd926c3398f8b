//! Where the octets of a document go: a file that appears when it is whole, or a stream.

use std::io::{self, Write};

use urlwise_open::{Document, ErrorKind, Metadata, Resume};

use crate::exit::Status;

use super::facts::About;
use super::save::{Part, Target, words};

/// A larger document is described beside its partial file as soon as it begins, so that it can be gone on from even if the
/// program is killed; of a smaller one little is lost.
const WORTH_DESCRIBING: u64 = 1 << 20;

/// Why octets cannot go where they should.
pub(super) enum Stop {
    /// The result cannot be written, or must not be: a status and a sentence.
    Refused(Status, String),
    /// Nobody reads standard output any more.
    Unread(io::Error),
}

impl From<String> for Stop {
    fn from(refusal: String) -> Stop {
        Stop::Refused(Status::Failed(ErrorKind::Write), refusal)
    }
}

/// Takes the octets of a document, in one attempt or several.
pub(super) trait Sink {
    /// What is there of the document, for a server to go on from.
    fn resume(&self) -> Option<Resume>;

    /// A document begins, at its [offset](Document::offset); says what is worth a remark.
    fn begin(&mut self, document: &Document) -> Result<Option<String>, Stop>;

    /// Takes octets.
    fn take(&mut self, octets: &[u8]) -> Result<(), Stop>;

    /// Where a menu may be listed; `None` where only documents belong.
    fn lines(&mut self) -> Option<&mut dyn Write>;
}

/// Octets that are passed on as they come: to standard output, a device or a pipe.
pub(super) struct Stream<'o> {
    out: &'o mut dyn Write,
    /// What it is called; `None` is standard output.
    name: Option<String>,
    /// The reader is a terminal, which obeys some octets.
    guarded: bool,
    written: u64,
    /// So many octets come again, after a retry that could only begin anew.
    again: u64,
    facts: Metadata,
}

impl<'o> Stream<'o> {
    pub(super) fn new(out: &'o mut dyn Write, name: Option<String>, guarded: bool) -> Stream<'o> {
        Stream { out, name, guarded, written: 0, again: 0, facts: Metadata::default() }
    }

    pub(super) fn flush(&mut self) -> Result<(), Stop> {
        self.out.flush().map_err(|error| self.stop(error))
    }

    fn stop(&self, error: io::Error) -> Stop {
        match &self.name {
            None if error.kind() == io::ErrorKind::BrokenPipe => Stop::Unread(error),
            name => {
                let name = name.as_deref().unwrap_or("standard output");
                format!("cannot write {name}: {}", words(&error)).into()
            }
        }
    }
}

impl Sink for Stream<'_> {
    fn resume(&self) -> Option<Resume> {
        resume(self.written, &self.facts)
    }

    fn begin(&mut self, document: &Document) -> Result<Option<String>, Stop> {
        if self.written == 0 {
            self.facts = document.metadata().clone();
        } else if document.offset() == 0 && is_same(&self.facts, document.metadata()) {
            self.again = self.written;
        } else if document.offset() != self.written {
            let what = "the download cannot be resumed, and part of it was already written";
            return Err(Stop::Refused(Status::Failed(ErrorKind::Partial), what.into()));
        }
        Ok(None)
    }

    fn take(&mut self, octets: &[u8]) -> Result<(), Stop> {
        let again = octets.len().min(usize::try_from(self.again).unwrap_or(usize::MAX));
        self.again -= again as u64;
        let octets = &octets[again..];
        if self.guarded && octets.iter().any(|octet| harms_terminal(*octet)) {
            let why = "the document contains terminal control characters; use --output to write it to a file, or redirect standard output";
            return Err(Stop::Refused(Status::Failed(ErrorKind::Write), why.into()));
        }
        self.out.write_all(octets).map_err(|error| self.stop(error))?;
        self.written += octets.len() as u64;
        Ok(())
    }

    fn lines(&mut self) -> Option<&mut dyn Write> {
        Some(self.out)
    }
}

/// Controls, except those that move on in plain text; C1 controls are part of UTF-8 and cannot be told here.
fn harms_terminal(octet: u8) -> bool {
    octet.is_ascii_control() && !matches!(octet, b'\t' | b'\n' | b'\r' | 0x0C)
}

/// A file that appears when the document is whole.
pub(super) struct Saved {
    target: Target,
    /// The URL as it is written beside partial files.
    url: String,
    part: Option<Part>,
    /// What the last answer told of the document.
    about: Option<About>,
}

impl Saved {
    pub(super) fn new(target: Target, url: String, part: Option<Part>) -> Saved {
        Saved { target, url, about: part.as_ref().and_then(Part::about).cloned(), part }
    }

    /// Whether all octets are there already, of a document of which these facts are known now.
    pub(super) fn is_whole(&self, now: &Metadata) -> bool {
        let then = self.about.as_ref().map(|about| &about.facts);
        self.has_all() && then.is_some_and(|then| is_same(then, now))
    }

    /// Whether there are as many octets as were said to come.
    pub(super) fn has_all(&self) -> bool {
        let size = self.about.as_ref().and_then(|about| about.facts.size);
        size.is_some() && size == self.part.as_ref().map(Part::length)
    }

    /// The document is whole: the name it got.
    pub(super) fn publish(self) -> Result<String, String> {
        let name = self.target.shown();
        match self.part {
            Some(part) => part.publish().map(|()| name),
            // Nothing began, so nothing is whole.
            None => Err(format!("{name} was not written")),
        }
    }

    /// The transfer ended early: what is left of it, if anything.
    pub(super) fn leave(self) -> Option<String> {
        self.part?.leave(self.about.as_ref())
    }
}

impl Sink for Saved {
    fn resume(&self) -> Option<Resume> {
        // Of nothing at all there is no part to ask for.
        if self.has_all() {
            return None;
        }
        resume(self.part.as_ref()?.length(), &self.about.as_ref()?.facts)
    }

    fn begin(&mut self, document: &Document) -> Result<Option<String>, Stop> {
        let mut remark = None;
        let part = match &mut self.part {
            Some(part) => {
                if document.offset() == 0 && part.length() > 0 {
                    remark =
                        Some("the document has changed or cannot be resumed; restarting from the beginning".into());
                    part.restart()?;
                } else if document.offset() != part.length() {
                    return Err(Stop::Refused(
                        Status::Failed(ErrorKind::Protocol),
                        "the server resumed at a different offset than requested".into(),
                    ));
                }
                part
            }
            none => none.insert(self.target.begin()?),
        };
        let about = About { url: self.url.clone(), facts: document.metadata().clone() };
        if document.size().is_none_or(|size| size >= WORTH_DESCRIBING) || part.about().is_some() {
            part.describe(&about)?;
        }
        self.about = Some(about);
        Ok(remark)
    }

    fn take(&mut self, octets: &[u8]) -> Result<(), Stop> {
        if let Some(part) = &mut self.part {
            part.append(octets)?;
        }
        Ok(())
    }

    fn lines(&mut self) -> Option<&mut dyn Write> {
        None
    }
}

fn resume(offset: u64, facts: &Metadata) -> Option<Resume> {
    (offset > 0).then(|| Resume::new(offset, facts.clone()))
}

/// Whether two answers are about the same octets, as far as they tell.
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    match (&one.validator, &other.validator) {
        (Some(one), Some(other)) => one == other,
        _ => one.size.is_some() && one.modified.is_some() && (one.size, one.modified) == (other.size, other.modified),
    }
}
