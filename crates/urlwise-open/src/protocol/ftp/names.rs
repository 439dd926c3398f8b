//! A list as it arrives on the data connection, line by line.

use super::list_line;
use super::listing::{FtpItem, is_self_or_parent};
use super::note::{LIST_DATES, LIST_LINE_SKIPPED, MLSD_LINE_SKIPPED};
use super::settings::FtpLimits;
use crate::language::message;
use crate::protocol::{Event, Fault, FaultKind, Input, Note, Step};
use std::time::SystemTime;

/// The command whose lines arrive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ListCommand {
    Mlsd,
    /// With the present, which completes dates without a year.
    List(Option<SystemTime>),
    /// With its argument.
    Nlst(Option<Vec<u8>>),
}

impl ListCommand {
    /// The command itself.
    pub(super) fn verb(&self) -> &'static str {
        match self {
            ListCommand::Mlsd => "MLSD",
            ListCommand::List(_) => "LIST",
            ListCommand::Nlst(_) => "NLST",
        }
    }
}

/// The lines of a list.
#[derive(Debug)]
pub(super) struct Names {
    command: ListCommand,
    limits: FtpLimits,
    /// The incomplete last line.
    line: Vec<u8>,
    lines: u64,
    /// Whether the note about skipped lines has been made.
    skipped: bool,
    /// Whether a line was an entry.
    has_entries: bool,
    /// Whether an entry had the kind of date that `LIST` gives.
    has_local_dates: bool,
    /// The lines of `LIST` are in an unknown form, so none is read.
    is_unknown: bool,
}

impl Names {
    pub(super) fn new(command: ListCommand, limits: FtpLimits) -> Names {
        Names {
            command,
            limits,
            line: Vec::new(),
            lines: 0,
            skipped: false,
            has_entries: false,
            has_local_dates: false,
            is_unknown: false,
        }
    }

    /// Whether the lines of `LIST` are in an unknown form: the names must be asked for by `NLST`.
    pub(super) fn is_unknown(&self) -> bool {
        self.is_unknown
    }

    /// What there is to say about the complete list.
    pub(super) fn note(&self) -> Option<Note> {
        self.has_local_dates.then_some(LIST_DATES)
    }

    /// Whether there was no line at all.
    pub(super) fn is_empty(&self) -> bool {
        self.lines == 0
    }

    /// The next entry; `None` if all input is taken.
    pub(super) fn next<'i>(&mut self, input: &mut Input<'i>) -> Result<Option<Step<'i, FtpItem>>, Fault> {
        while let Some(end) = input.octets().iter().position(|octet| *octet == b'\n') {
            self.line.extend_from_slice(&input.take(end + 1)[..end]);
            self.count()?;
            let had_skipped = self.skipped;
            if let Some(item) = self.item() {
                return Ok(Some(Step::Event(Event::Entry(item))));
            }
            if self.skipped && !had_skipped {
                let note = if self.command == ListCommand::Mlsd { MLSD_LINE_SKIPPED } else { LIST_LINE_SKIPPED };
                return Ok(Some(Step::Event(Event::Note(note))));
            }
        }
        self.line.extend_from_slice(input.take(usize::MAX));
        self.within()?;
        Ok(None)
    }

    /// What follows the last line end.
    pub(super) fn last(&mut self) -> Option<FtpItem> {
        if self.line.is_empty() {
            return None;
        }
        self.lines += 1;
        self.item()
    }

    fn count(&mut self) -> Result<(), Fault> {
        self.lines += 1;
        if self.lines > self.limits.list_lines {
            let what = message!("the list is longer than {count} lines", count = self.limits.list_lines);
            return Err(Fault::new(FaultKind::Limit, "S-49", what));
        }
        self.within()
    }

    fn within(&self) -> Result<(), Fault> {
        if self.line.len() <= self.limits.line {
            return Ok(());
        }
        let what = message!("a line of the list is longer than {count} octets", count = self.limits.line);
        Err(Fault::new(FaultKind::Limit, "S-49", what))
    }

    /// The entry of a complete line; `None` if the line is about the directory itself or empty.
    fn item(&mut self) -> Option<FtpItem> {
        let line = std::mem::take(&mut self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        let item = match &self.command {
            ListCommand::Nlst(asked) => return FtpItem::of_nlst(line, asked.as_deref()).filter(|item| !item.is_dots()),
            ListCommand::Mlsd if is_self_or_parent(line) => return None,
            ListCommand::Mlsd => FtpItem::of_mlsd(line),
            ListCommand::List(_) if self.is_unknown || list_line::is_heading(line) => return None,
            ListCommand::List(now) => {
                let item = FtpItem::of_list(line, *now);
                self.is_unknown = item.is_none() && !self.has_entries;
                self.has_local_dates |= item.as_ref().is_some_and(|item| item.modified.is_some());
                item
            }
        };
        self.skipped |= item.is_none() && !self.is_unknown;
        self.has_entries |= item.is_some();
        item.filter(|item| !item.is_dots())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_no_entry_is_told_by_the_document_of_its_command() {
        let list = b"-rw-r--r-- 1 ftp ftp 5 Jan 1 2020 a\r\nno entry\r\n";
        for (command, lines, expected) in [
            (ListCommand::Mlsd, &b"no entry\r\n"[..], MLSD_LINE_SKIPPED),
            (ListCommand::List(None), list, LIST_LINE_SKIPPED),
        ] {
            let mut names = Names::new(command.clone(), FtpLimits::default());
            let mut input = Input::new(lines);
            let mut notes = Vec::new();
            while let Some(step) = names.next(&mut input).expect("it is within the limits") {
                if let Step::Event(Event::Note(note)) = step {
                    notes.push(note);
                }
            }
            assert_eq!(notes, [expected], "{command:?}");
        }
    }
}
