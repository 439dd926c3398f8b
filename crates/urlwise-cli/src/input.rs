//! Reads URLs from arguments, files and standard input, as octets and in bounded memory.

mod answers;
mod blocks;
mod ordered;

use std::io::{self, Write};

use clap::CommandFactory;
use clap::error::ErrorKind;

use urlwise::Words;
use urlwise_formats::BYTE_ORDER_MARK;

use crate::cli::{Cli, Inputs, Lists};
use crate::exit::{Failure, Outcome, os_message};
use crate::language::{about, language, message, said, words};
use crate::position::Position;
use crate::{console, walk};

pub(crate) use answers::Answers;
pub(crate) use blocks::{Block, Blocks};
pub(crate) use ordered::{FULL, Full, write_blocks, write_each};

/// The longest record, in octets: 4 MiB. It is kept in memory.
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
}

impl From<Record<'_>> for OwnRecord {
    fn from(record: Record<'_>) -> OwnRecord {
        let place = record.place.map(|place| (place.file.to_owned(), place.number, place.is_marked));
        OwnRecord { octets: record.octets.to_vec(), place }
    }
}

impl OwnRecord {
    pub(crate) fn borrow(&self) -> Record<'_> {
        let place =
            self.place.as_ref().map(|(file, number, is_marked)| Place { file, number: *number, is_marked: *is_marked });
        Record { octets: &self.octets, place }
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

/// Writes an answer to every record on all processors, in the order of the records. `answer` appends it, may have the beginning of
/// a long one written before its end, and says whether the record is in order. `nothing` is the message for an input without records.
pub(crate) fn answer(
    lists: &Lists,
    command: Option<&str>,
    nothing: Words,
    out: &mut (dyn Write + Send),
    answer: impl Fn(Record<'_>, &mut Answers, Full<'_>) -> Result<bool, Failure> + Sync,
) -> Result<Outcome, Failure> {
    /// How many records there were, and how many of them are not in order.
    #[derive(Default)]
    struct Seen {
        records: usize,
        findings: usize,
    }
    let blocks = Blocks::new(&lists.inputs, command)?;
    let (seen, done) =
        write_each(blocks, walk::threads(lists.threads), out, |record, seen: &mut Seen, answers, full| {
            seen.records += 1;
            seen.findings += usize::from(!answer(record, answers, full)?);
            Ok(())
        });
    done?;
    let sum = |count: fn(&Seen) -> usize| seen.iter().map(count).sum::<usize>();
    Ok(outcome(sum(|seen| seen.records), sum(|seen| seen.findings) == 0, nothing))
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

fn too_long(place: Place<'_>, null: bool) -> String {
    let (number, most) = (place.number, LONGEST >> 20);
    let message = match null {
        true => message!("record {number} is longer than {count} MiB", number = number, count = most),
        false => message!(
            "line {number} is longer than {count} MiB; is it a list with one URL per line?",
            number = number,
            count = most
        ),
    };
    about(place.file, message)
}
