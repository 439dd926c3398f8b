//! A list as it arrives on the data connection, line by line.

use super::listing::{FtpItem, is_self_or_parent};
use super::note::LINE_SKIPPED;
use super::settings::FtpLimits;
use crate::protocol::{Event, Fault, FaultKind, Input, Step};

/// The lines of `NLST` or `MLSD`.
#[derive(Debug)]
pub(super) struct Names {
    /// The lines are of `MLSD`.
    has_facts: bool,
    /// The argument of the command.
    asked: Option<Vec<u8>>,
    limits: FtpLimits,
    /// The incomplete last line.
    line: Vec<u8>,
    lines: u64,
    /// Whether the note about skipped lines has been made.
    skipped: bool,
}

impl Names {
    pub(super) fn new(has_facts: bool, asked: Option<Vec<u8>>, limits: FtpLimits) -> Names {
        Names { has_facts, asked, limits, line: Vec::new(), lines: 0, skipped: false }
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
                return Ok(Some(Step::Event(Event::Note(LINE_SKIPPED))));
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
            let what = format!("the list is longer than {} lines", self.limits.list_lines);
            return Err(Fault::new(FaultKind::Limit, "S-49", what));
        }
        self.within()
    }

    fn within(&self) -> Result<(), Fault> {
        if self.line.len() <= self.limits.line {
            return Ok(());
        }
        let what = format!("a line of the list is longer than {} octets", self.limits.line);
        Err(Fault::new(FaultKind::Limit, "S-49", what))
    }

    /// The entry of a complete line; `None` if the line is about the directory itself or empty.
    fn item(&mut self) -> Option<FtpItem> {
        let line = std::mem::take(&mut self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        if !self.has_facts {
            return FtpItem::of_nlst(line, self.asked.as_deref()).filter(|item| !item.is_dots());
        }
        if is_self_or_parent(line) {
            return None;
        }
        let item = FtpItem::of_mlsd(line);
        self.skipped |= item.is_none();
        item.filter(|item| !item.is_dots())
    }
}
