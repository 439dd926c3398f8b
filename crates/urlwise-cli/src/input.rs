//! Reads URLs from arguments, files and standard input, as octets and in bounded memory.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::Path;

use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::cli::{Cli, Inputs};
use crate::exit::Failure;
use crate::secret;

/// The longest record, in octets: 4 MiB. It is kept in memory.
pub(crate) const LONGEST: usize = 4 << 20;

/// The name of standard input in messages.
pub(crate) const STDIN: &str = "<stdin>";

/// The size of the read buffer, in octets.
const BUFFER: usize = 1 << 16;

/// One text to read as a URL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<'a> {
    /// The text without its terminator.
    pub(crate) octets: &'a [u8],
    /// Its location; `None` for an argument.
    pub(crate) place: Option<Place<'a>>,
}

/// A line or record of a file, counted from 1. Empty lines count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// The name of the file, masked and escaped.
    pub(crate) file: &'a str,
    pub(crate) number: usize,
}

/// Calls `visit` for every record, in order: arguments, then files. Returns how many there were.
pub(crate) fn for_each(
    inputs: &Inputs,
    command: Option<&str>,
    mut visit: impl FnMut(Record<'_>) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    let source = Source { null: inputs.null, whole: false, count: 0, visit: &mut visit };
    source.all(inputs, command)
}

/// Calls `visit` for every record of one file; `-` is standard input.
pub(crate) fn for_each_of(
    file: &Path,
    null: bool,
    mut visit: impl FnMut(Record<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    Source { null, whole: false, count: 0, visit: &mut visit }.file(file)
}

/// Like [`for_each`], but each file is one record, and so is standard input.
pub(crate) fn for_each_whole(
    inputs: &Inputs,
    command: Option<&str>,
    mut visit: impl FnMut(Record<'_>) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    let source = Source { null: true, whole: true, count: 0, visit: &mut visit };
    source.all(inputs, command)
}

/// The error for missing input: if standard input is a terminal, an argument was probably forgotten. The program without
/// arguments shows its help.
fn missing_input(command: Option<&str>) -> clap::Error {
    let mut cli = Cli::command().arg_required_else_help(true);
    let alone = cli.try_get_matches_from_mut(["urlwise"]);
    cli.build();
    match (command.and_then(|name| cli.find_subcommand_mut(name)), alone) {
        (None, Err(help)) => help,
        (Some(command), _) => command.error(ErrorKind::MissingRequiredArgument, NOTHING),
        (None, Ok(_)) => cli.error(ErrorKind::MissingRequiredArgument, NOTHING),
    }
}

const NOTHING: &str = "no URL given: pass one, use --file, or pipe URLs in";

/// The message for input without any URL.
pub(crate) const NOTHING_READ: &str = "no URL in the input";

struct Source<'v, V> {
    null: bool,
    whole: bool,
    count: usize,
    visit: &'v mut V,
}

impl<V: FnMut(Record<'_>) -> Result<(), Failure>> Source<'_, V> {
    fn all(mut self, inputs: &Inputs, command: Option<&str>) -> Result<usize, Failure> {
        let piped = inputs.urls.is_empty() && inputs.files.is_empty();
        if piped {
            if io::stdin().is_terminal() {
                return Err(Failure::Usage(Box::new(missing_input(command))));
            }
            self.stdin()?;
        }
        for url in &inputs.urls {
            match url.as_encoded_bytes() {
                b"-" => self.stdin()?,
                octets => self.record(Record { octets, place: None })?,
            }
        }
        for file in &inputs.files {
            self.file(file)?;
        }
        Ok(self.count)
    }

    fn record(&mut self, record: Record<'_>) -> Result<(), Failure> {
        self.count += 1;
        (self.visit)(record)
    }

    fn stdin(&mut self) -> Result<(), Failure> {
        self.read(STDIN, BufReader::with_capacity(BUFFER, io::stdin().lock()))
    }

    fn file(&mut self, path: &Path) -> Result<(), Failure> {
        if path == OsStr::new("-") {
            return self.stdin();
        }
        // The argument may be a URL with a password.
        let name = secret::masked(path.as_os_str().as_encoded_bytes(), false);
        let file = File::open(path).map_err(|error| cannot_read(&name, &error))?;
        self.read(&name, BufReader::with_capacity(BUFFER, file))
    }

    fn read(&mut self, name: &str, mut reader: impl BufRead) -> Result<(), Failure> {
        if self.whole {
            return self.read_whole(name, reader);
        }
        let end = if self.null { 0 } else { b'\n' };
        // For a record that crosses the end of the reader's buffer; others are not copied.
        let mut cut = Vec::new();
        for number in 1.. {
            let place = Place { file: name, number };
            let failed = |unread| match unread {
                Unread::TooLong => Failure::Input(too_long(place, self.null)),
                Unread::Failed(error) => cannot_read(name, &error),
            };
            let buffer = fill(&mut reader).map_err(failed)?;
            let (mut octets, taken) = match memchr::memchr(end, buffer) {
                Some(length) => (&buffer[..length], length + 1),
                None => {
                    cut.clear();
                    if !read_record(&mut reader, end, &mut cut).map_err(failed)? {
                        break;
                    }
                    (cut.as_slice(), 0)
                }
            };
            let is_skipped = !self.null && {
                octets = octets.strip_suffix(b"\r").unwrap_or(octets);
                octets.is_empty()
            };
            if !is_skipped {
                self.record(Record { octets, place: Some(place) })?;
            }
            reader.consume(taken);
        }
        Ok(())
    }
}

impl<V: FnMut(Record<'_>) -> Result<(), Failure>> Source<'_, V> {
    fn read_whole(&mut self, name: &str, reader: impl BufRead) -> Result<(), Failure> {
        let mut octets = Vec::new();
        let read = reader.take(LONGEST as u64 + 1).read_to_end(&mut octets);
        read.map_err(|error| cannot_read(name, &error))?;
        if octets.len() > LONGEST {
            return Err(Failure::Input(format!("{name} is longer than {} MiB", LONGEST >> 20)));
        }
        self.record(Record { octets: &octets, place: Some(Place { file: name, number: 1 }) })
    }
}

enum Unread {
    TooLong,
    Failed(io::Error),
}

/// The reader's buffer, filled if it was empty; empty at the end.
fn fill(reader: &mut impl BufRead) -> Result<&[u8], Unread> {
    // Interrupted reads are repeated. The borrow checker does not accept returning the buffer from the loop.
    while let Err(error) = reader.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(Unread::Failed(error));
        }
    }
    reader.fill_buf().map_err(Unread::Failed)
}

/// Reads up to `end`, which is removed; false at the end of input. The last record needs no terminator.
fn read_record(reader: &mut impl BufRead, end: u8, octets: &mut Vec<u8>) -> Result<bool, Unread> {
    let mut any = false;
    loop {
        let buffer = fill(reader)?;
        if buffer.is_empty() {
            return Ok(any);
        }
        any = true;
        let length = memchr::memchr(end, buffer);
        let taken = &buffer[..length.unwrap_or(buffer.len())];
        if octets.len() + taken.len() > LONGEST {
            return Err(Unread::TooLong);
        }
        octets.extend_from_slice(taken);
        let consumed = taken.len() + usize::from(length.is_some());
        reader.consume(consumed);
        if length.is_some() {
            return Ok(true);
        }
    }
}

fn cannot_read(name: &str, error: &io::Error) -> Failure {
    Failure::Input(format!("cannot read {name}: {error}"))
}

fn too_long(place: Place<'_>, null: bool) -> String {
    let kind = if null { "record" } else { "line" };
    let tip = if null { "" } else { "; is it a list with one URL per line?" };
    format!("{}: {kind} {} is longer than {} MiB{tip}", place.file, place.number, LONGEST >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(input: &[u8], null: bool) -> Vec<(Vec<u8>, usize)> {
        let mut found = Vec::new();
        let mut visit = |record: Record<'_>| {
            found.push((record.octets.to_vec(), record.place.unwrap().number));
            Ok(())
        };
        // A buffer of three octets: records are cut wherever they can be.
        Source { null, whole: false, count: 0, visit: &mut visit }
            .read("x", BufReader::with_capacity(3, input))
            .unwrap();
        found
    }

    #[test]
    fn lines_end_in_lf_or_cr_lf_and_the_last_needs_no_end() {
        let expected = [(b"news:a".to_vec(), 1), (b"news:b".to_vec(), 2), (b"c".to_vec(), 3)];
        assert_eq!(records(b"news:a\r\nnews:b\nc", false), expected);
    }

    #[test]
    fn empty_lines_are_skipped_and_counted() {
        assert_eq!(records(b"\n\r\na\n\n", false), [(b"a".to_vec(), 3)]);
    }

    #[test]
    fn only_one_cr_belongs_to_the_line_end() {
        assert_eq!(records(b"a\r\r\n", false), [(b"a\r".to_vec(), 1)]);
    }

    #[test]
    fn records_that_end_in_nul_hold_line_ends_and_may_be_empty() {
        let expected = [(b"a\r\nb\n".to_vec(), 1), (b"".to_vec(), 2), (b"c".to_vec(), 3)];
        assert_eq!(records(b"a\r\nb\n\0\0c", true), expected);
    }

    #[test]
    fn a_record_of_exactly_the_limit_is_read_and_a_longer_one_is_refused() {
        let mut reader = BufReader::new(io::repeat(b'a').take(LONGEST as u64));
        let mut octets = Vec::new();
        assert!(matches!(read_record(&mut reader, b'\n', &mut octets), Ok(true)));
        assert_eq!(octets.len(), LONGEST);
        octets.clear();
        let mut endless = BufReader::new(io::repeat(b'a'));
        assert!(matches!(read_record(&mut endless, b'\n', &mut octets), Err(Unread::TooLong)));
        assert!(octets.capacity() <= 2 * LONGEST);
    }
}
