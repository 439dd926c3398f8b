//! Reads URLs from arguments, files and standard input, as octets and in bounded memory.

mod answers;
mod blocks;
mod ordered;

use std::io;
use std::ops::Range;

use clap::CommandFactory;
use clap::error::ErrorKind;

use urlwise::{Message, ProblemCode, Profile, RawReference, Words, problem_codes};
use urlwise_formats::BYTE_ORDER_MARK;

use crate::cli::{Cli, Inputs};
use crate::console;
use crate::exit::{Failure, Outcome, os_message};
use crate::language::{about, language, message, said, spoken, words};
use crate::position::Position;

pub(crate) use answers::Answers;
pub(crate) use blocks::{Block, Blocks};
pub(crate) use ordered::{FULL, Full, write_blocks, write_each};

/// The longest record, in octets: 4 MiB. It is kept in memory; of a longer one, nothing is (D-118).
pub(crate) const LONGEST: usize = 4 << 20;

/// The name of standard input in messages.
pub(crate) const STDIN: &str = "<stdin>";

/// One text to read as a URL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<'a> {
    /// The text without its terminator.
    pub(crate) octets: &'a [u8],
    /// Its location; `None` for an argument.
    pub(crate) place: Option<Place<'a>>,
    /// Why the text was not kept, which is empty then: it is not a URL, whatever it is.
    pub(crate) too_long: Option<TooLong<'a>>,
}

impl Record<'_> {
    /// What is wrong with one that is not a URL, in short.
    pub(crate) fn no_url(&self) -> String {
        match self.too_long {
            Some(long) => spoken(long.text()),
            None => said!("the text is not a valid URL"),
        }
    }
}

/// A record longer than [`LONGEST`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooLong<'a> {
    place: Place<'a>,
    /// Records end in NUL.
    null: bool,
}

impl<'a> TooLong<'a> {
    /// The rule about them.
    pub(crate) const DECISION: &'static str = "D-118";

    /// Where the problem is: there is no text.
    pub(crate) const SPAN: Range<usize> = 0..0;

    /// Where it is.
    pub(crate) fn place(&self) -> Place<'a> {
        self.place
    }

    /// The code of a text that is too long.
    pub(crate) fn code() -> Option<ProblemCode> {
        // The profile makes no difference.
        let read = RawReference::too_long(Profile::Current);
        problem_codes().find(|row| read.error().is_some_and(|error| error.code() == row.code))
    }

    /// What is wrong, for people.
    pub(crate) fn text(&self) -> Message {
        let (number, most) = (self.place.number, LONGEST >> 20);
        match self.null {
            true => message!("record {number} is longer than {count} MiB", number = number, count = most),
            false => message!(
                "line {number} is longer than {count} MiB; is it a list with one URL per line?",
                number = number,
                count = most
            ),
        }
    }

    /// The same with the name of the file.
    pub(crate) fn message(&self) -> String {
        about(self.place.file, self.text())
    }

    /// What is wrong, as an error that ends the command.
    pub(crate) fn failure(&self) -> Failure {
        Failure::Input(self.message())
    }
}

/// A line or record of a file, counted from 1. Empty lines count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// The name of the file, masked and escaped.
    pub(crate) file: &'a str,
    pub(crate) number: usize,
    /// A byte order mark stands before it, which is not part of the record.
    pub(crate) is_marked: bool,
}

impl Place<'_> {
    /// Where the record starts.
    pub(crate) fn start(&self) -> Position {
        let mark = if self.is_marked { BYTE_ORDER_MARK } else { b"" };
        Position { line: self.number, ..Position::START }.after(mark)
    }
}

/// A record that outlives the text it was read from.
#[derive(Debug)]
pub(crate) struct OwnRecord {
    octets: Vec<u8>,
    place: Option<(String, usize, bool)>,
    /// It was too long to be kept; whether records end in NUL.
    too_long: Option<bool>,
}

impl From<Record<'_>> for OwnRecord {
    fn from(record: Record<'_>) -> OwnRecord {
        let place = record.place.map(|place| (place.file.to_owned(), place.number, place.is_marked));
        OwnRecord { octets: record.octets.to_vec(), place, too_long: record.too_long.map(|long| long.null) }
    }
}

impl OwnRecord {
    pub(crate) fn borrow(&self) -> Record<'_> {
        let place =
            self.place.as_ref().map(|(file, number, is_marked)| Place { file, number: *number, is_marked: *is_marked });
        let too_long = place.zip(self.too_long).map(|(place, null)| TooLong { place, null });
        Record { octets: &self.octets, place, too_long }
    }
}

/// Calls `visit` for every record, in order: arguments, then files. Returns how many there were.
pub(crate) fn for_each(
    inputs: &Inputs,
    command: Option<&str>,
    mut visit: impl FnMut(Record<'_>) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    let mut count = 0;
    each_of(Blocks::new(inputs, command)?, |record| {
        count += 1;
        visit(record)
    })?;
    Ok(count)
}

/// Calls `visit` for every record of these lists, in order.
pub(crate) fn each_of(
    mut blocks: Blocks,
    mut visit: impl FnMut(Record<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    while let Some(block) = blocks.next()? {
        block.each(&mut visit)?;
    }
    Ok(())
}

/// How a command ends that saw so many records; `nothing` is the message for none.
pub(crate) fn outcome(records: usize, all_fine: bool, nothing: Words) -> Outcome {
    if records == 0 {
        console::message(&nothing.get(language()));
    }
    if all_fine && records > 0 { Outcome::Fine } else { Outcome::Findings }
}

/// Like [`for_each`], but each file is one record, and so is standard input.
pub(crate) fn for_each_whole(
    inputs: &Inputs,
    command: Option<&str>,
    mut visit: impl FnMut(Record<'_>) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    let mut blocks = Blocks::new(inputs, command)?;
    let mut count = 0;
    while let Some(block) = blocks.next_whole()? {
        count += 1;
        block.each(&mut visit)?;
    }
    Ok(count)
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
pub(crate) const NOTHING_READ: Words = words!("no URL in the input");

fn cannot_read(name: &str, error: &io::Error) -> Failure {
    Failure::Input(said!("cannot read {name}: {why}", name = name, why = os_message(error)))
}

pub(crate) fn cannot_start(error: &io::Error) -> Failure {
    Failure::Input(said!("cannot start a thread: {why}", why = os_message(error)))
}
