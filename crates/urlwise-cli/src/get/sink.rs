//! Where the octets of a document go: a file that appears when it is complete, or a stream.

use std::io::{self, Write};

use urlwise::Scheme;
use urlwise_formats::partial::PartialInfo;
use urlwise_open::{Document, ErrorKind, Metadata, Resume};

use crate::exit::{Status, os_message};
use crate::language::said;

use super::charset::{self, Latin1};
use super::save::{Part, Target};

/// A larger document is described at the start of the transfer, so that it can be resumed even if the
/// program is killed; with a smaller one little is lost.
const WORTH_DESCRIBING: u64 = 1 << 20;

/// Why octets cannot be written.
pub(super) enum Stop {
    /// The result cannot or must not be written: a status and a message.
    Refused(Status, String),
    /// The reader of standard output has closed the pipe.
    BrokenPipe(io::Error),
}

impl From<String> for Stop {
    fn from(refusal: String) -> Stop {
        Stop::Refused(Status::Failed(ErrorKind::Write), refusal)
    }
}

/// Receives the octets of a document, in one attempt or several.
pub(super) trait Sink {
    /// What has arrived already, for the server to resume from.
    fn resume(&self) -> Option<Resume>;

    /// Starts a document at its [offset](Document::offset). May return a remark for the user.
    fn begin(&mut self, document: &Document) -> Result<Option<String>, Stop>;

    /// Writes octets.
    fn take(&mut self, octets: &[u8]) -> Result<(), Stop>;

    /// The output for menus and the like; `None` if only documents can be saved.
    fn lines(&mut self) -> Option<&mut dyn Write>;
}

/// Octets are written as they arrive, to standard output, a device or a pipe.
pub(super) struct Stream<'o> {
    out: &'o mut dyn Write,
    /// Its name; `None` is standard output.
    name: Option<String>,
    /// The output is a terminal, so control characters are refused.
    guarded: bool,
    /// Turns the document into UTF-8, if it is in Latin-1 and goes to a terminal.
    latin1: Option<Latin1>,
    /// The last octet that was written: a control may be cut in two.
    last: u8,
    written: u64,
    /// How many octets to skip after a retry that had to start over.
    again: u64,
    metadata: Metadata,
}

impl<'o> Stream<'o> {
    pub(super) fn new(out: &'o mut dyn Write, name: Option<String>, guarded: bool) -> Stream<'o> {
        Stream { out, name, guarded, latin1: None, last: 0, written: 0, again: 0, metadata: Metadata::default() }
    }

    /// Ends the output: nothing follows.
    pub(super) fn flush(&mut self) -> Result<(), Stop> {
        if let Some(text) = self.latin1.as_mut().map(Latin1::end) {
            self.write(text.as_bytes())?;
        }
        self.out.flush().map_err(|error| self.stop(error))
    }

    /// Writes octets, unless they would harm a terminal.
    fn write(&mut self, octets: &[u8]) -> Result<(), Stop> {
        let before = std::iter::once(&self.last).chain(octets);
        if self.guarded && before.zip(octets).any(|(before, octet)| harms_terminal(*before, *octet)) {
            let why = said!(
                "the document contains terminal control characters; use --output to write it to a file, or redirect standard output"
            );
            return Err(Stop::Refused(Status::Failed(ErrorKind::Write), why));
        }
        self.out.write_all(octets).map_err(|error| self.stop(error))?;
        self.last = octets.last().copied().unwrap_or(self.last);
        Ok(())
    }

    fn stop(&self, error: io::Error) -> Stop {
        match &self.name {
            None if error.kind() == io::ErrorKind::BrokenPipe => Stop::BrokenPipe(error),
            name => {
                let name = name.clone().unwrap_or_else(|| said!("standard output"));
                said!("cannot write {name}: {why}", name = name, why = os_message(&error)).into()
            }
        }
    }
}

impl Sink for Stream<'_> {
    fn resume(&self) -> Option<Resume> {
        resume(self.written, &self.metadata)
    }

    fn begin(&mut self, document: &Document) -> Result<Option<String>, Stop> {
        // What an attempt before this one has not skipped does not come again.
        self.again = 0;
        if self.written == 0 {
            self.latin1 = (self.guarded && charset::is_latin1(document)).then(Latin1::default);
            self.metadata = document.metadata().clone();
        } else if document.offset() == 0 && is_same(&self.metadata, document.metadata()) {
            self.again = self.written;
        } else if document.offset() != self.written {
            let what = match not_resumed(document) {
                Some(scheme) => {
                    said!("a {scheme} download cannot be resumed, and part of it was already written", scheme = scheme)
                }
                None => said!("the download cannot be resumed, and part of it was already written"),
            };
            return Err(Stop::Refused(Status::Failed(ErrorKind::Partial), what));
        }
        Ok(None)
    }

    fn take(&mut self, octets: &[u8]) -> Result<(), Stop> {
        let again = octets.len().min(usize::try_from(self.again).unwrap_or(usize::MAX));
        self.again -= again as u64;
        let octets = &octets[again..];
        match self.latin1.as_mut().map(|latin1| latin1.decode(octets)) {
            Some(text) => self.write(text.as_bytes())?,
            None => self.write(octets)?,
        }
        self.written += octets.len() as u64;
        Ok(())
    }

    fn lines(&mut self) -> Option<&mut dyn Write> {
        Some(self.out)
    }
}

/// Control characters except tab, line ends and form feed, and those of UTF-8 from U+0080 to U+009F: C2, then 80 to 9F. The
/// second octet alone is part of many a character.
fn harms_terminal(before: u8, octet: u8) -> bool {
    match octet {
        b'\t' | b'\n' | b'\r' | 0x0C => false,
        0x80..=0x9F => before == 0xC2,
        _ => octet.is_ascii_control(),
    }
}

/// A file that appears when the document is complete.
pub(super) struct Saved {
    target: Target,
    /// The URL as written to the description.
    url: String,
    part: Option<Part>,
    /// The description from the last answer.
    info: Option<PartialInfo>,
    /// The scheme of the last answer, if transfers of it cannot be resumed.
    not_resumed: Option<&'static str>,
}

impl Saved {
    pub(super) fn new(target: Target, url: String, part: Option<Part>) -> Saved {
        Saved { target, url, info: part.as_ref().and_then(Part::info).cloned(), part, not_resumed: None }
    }

    /// Whether the partial file is complete, given the document's current metadata.
    pub(super) fn is_complete(&self, now: &Metadata) -> bool {
        let then = self.info.as_ref().map(|info| &info.metadata);
        self.has_all() && then.is_some_and(|then| is_same(then, now))
    }

    /// Whether the partial file has the length that was announced.
    pub(super) fn has_all(&self) -> bool {
        let size = self.info.as_ref().and_then(|info| info.metadata.size);
        size.is_some() && size == self.part.as_ref().map(Part::length)
    }

    /// Renames the complete document, and returns its name.
    pub(super) fn publish(self) -> Result<String, String> {
        let name = self.target.shown();
        let modified = self.info.and_then(|info| info.metadata.modified);
        match self.part {
            Some(part) => part.publish(modified).map(|()| name),
            // The transfer never started.
            None => Err(said!("{name} was not written", name = name)),
        }
    }

    /// Ends a partial transfer. Returns a message about what is left.
    pub(super) fn leave(self) -> Option<String> {
        self.part?.leave(self.info.as_ref(), self.not_resumed)
    }
}

impl Sink for Saved {
    fn resume(&self) -> Option<Resume> {
        // There are no more octets to request.
        if self.has_all() {
            return None;
        }
        resume(self.part.as_ref()?.length(), &self.info.as_ref()?.metadata)
    }

    fn begin(&mut self, document: &Document) -> Result<Option<String>, Stop> {
        let mut remark = None;
        let part = match &mut self.part {
            Some(part) => {
                if document.offset() == 0 && part.length() > 0 {
                    remark = Some(match not_resumed(document) {
                        Some(scheme) => said!(
                            "{scheme} downloads cannot be resumed; restarting from the beginning",
                            scheme = scheme
                        ),
                        None => said!("the document has changed or cannot be resumed; restarting from the beginning"),
                    });
                    part.restart()?;
                } else if document.offset() != part.length() {
                    return Err(Stop::Refused(
                        Status::Failed(ErrorKind::Protocol),
                        said!("the server resumed at a different offset than requested"),
                    ));
                }
                part
            }
            none => none.insert(self.target.begin()?),
        };
        let info = PartialInfo { url: self.url.clone(), metadata: document.metadata().clone() };
        if document.size().is_none_or(|size| size >= WORTH_DESCRIBING) || part.info().is_some() {
            part.describe(&info)?;
        }
        self.info = Some(info);
        self.not_resumed = not_resumed(document);
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

/// The scheme of a document, if its transfers always start over: it has no way to ask for the rest of a document.
fn not_resumed(document: &Document) -> Option<&'static str> {
    const STARTS_OVER: &[Scheme] = &[Scheme::Gopher, Scheme::Prospero, Scheme::News, Scheme::Nntp, Scheme::Finger];
    let scheme = document.final_url().scheme().base();
    STARTS_OVER.contains(&scheme).then(|| scheme.as_str())
}

fn resume(offset: u64, metadata: &Metadata) -> Option<Resume> {
    (offset > 0).then(|| Resume::new(offset, metadata.clone()))
}

/// Whether two answers are known to have the same octets.
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    match (&one.validator, &other.validator) {
        (Some(one), Some(other)) => one == other,
        _ => one.size.is_some() && one.modified.is_some() && (one.size, one.modified) == (other.size, other.modified),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What reaches the output of a document that comes in two pieces, and whether it was refused.
    fn shown(octets: &[u8], cut: usize, guarded: bool) -> (Vec<u8>, bool) {
        let mut out = Vec::new();
        let mut stream = Stream::new(&mut out, None, guarded);
        let pieces = [&octets[..cut], b"", &octets[cut..]];
        let is_refused = pieces.into_iter().any(|piece| stream.take(piece).is_err());
        (out, is_refused)
    }

    #[test]
    fn security_46_controls_of_utf8_do_not_reach_a_terminal_however_they_are_cut() {
        for control in 0x80..=0x9F_u8 {
            let document = [b"a", &[0xC2, control][..], b"31m"].concat();
            for cut in 0..=document.len() {
                let (out, is_refused) = shown(&document, cut, true);
                assert!(is_refused && !out.contains(&control), "{control:#x} cut at {cut}: {out:x?}");
                assert_eq!(shown(&document, cut, false), (document.clone(), false), "a file gets it as it is");
            }
        }
    }

    #[test]
    fn security_46_controls_of_latin1_do_not_reach_a_terminal() {
        let taken = |octets: &[u8]| {
            let mut out = Vec::new();
            let mut stream = Stream { latin1: Some(Latin1::default()), ..Stream::new(&mut out, None, true) };
            let is_written = stream.take(octets).is_ok() && stream.flush().is_ok();
            (out, is_written)
        };
        assert_eq!(taken(b"caf\xe9"), ("caf\u{e9}".into(), true));
        // The end of a document makes a control of what could have begun a character.
        for octets in [&b"\x9b31m"[..], b"\x85", b"\xe2\x9b", b"\x1b[m", b"\xc2\x9b"] {
            assert!(!taken(octets).1, "{octets:x?}");
        }
    }

    #[test]
    fn letters_of_utf8_that_hold_such_octets_reach_a_terminal() {
        // The first has C2 A0, others end in 80 to 9F, one follows C2 A2 with 9B in another character.
        let document = "\u{a0}\u{bf}\u{c0}\u{20ac}\u{201b}\u{1f600}\u{a2}\u{15b}\t\r\n\u{c}".as_bytes();
        for cut in 0..=document.len() {
            assert_eq!(shown(document, cut, true), (document.to_vec(), false), "cut at {cut}");
        }
    }

    #[test]
    fn security_46_ascii_controls_do_not_reach_a_terminal() {
        for control in (0..=0x1F).chain([0x7F]).filter(|octet| !matches!(octet, b'\t' | b'\n' | b'\r' | 0x0C)) {
            assert_eq!(shown(&[b'a', control], 1, true), (b"a".to_vec(), true), "{control:#x}");
        }
    }
}
