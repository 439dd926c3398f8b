//! The sentence: why the readings differ, and which host each reader would open.

use crate::compare::{Difference, Readings};
use crate::reader::Reader;
use std::fmt;

/// Why readings differ and which host each reader would open, displayed as one sentence without a final period. It
/// contains no part of a password and no terminal control characters.
#[derive(Clone, Copy, Debug)]
pub struct Sentence<'r, 'a>(&'r Readings<'a>);

impl<'a> Readings<'a> {
    /// Why they differ, and which host each reader would open, in one sentence without a final period.
    pub fn sentence(&self) -> Sentence<'_, 'a> {
        Sentence(self)
    }
}

impl fmt::Debug for Readings<'_> {
    /// Prints only the sentence, since the text may contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Readings({})", self.sentence())
    }
}

impl fmt::Display for Sentence<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        urlwise::padded(f, |f| self.write(f))
    }
}

impl Sentence<'_, '_> {
    fn write(&self, f: &mut dyn fmt::Write) -> fmt::Result {
        let readings = self.0;
        let all = if readings.are_standards() { "all three standards" } else { "all readers" };
        match readings.cause() {
            // One reader agrees with itself.
            None if readings.iter().count() == 1 => {
                return readings.iter().try_for_each(|(reader, reading)| {
                    write!(f, "it is {} by {reader}", if reading.is_ok() { "accepted" } else { "rejected" })
                });
            }
            None if readings.accepted().next().is_none() => return write!(f, "{all} reject it"),
            None => return write!(f, "{all} agree"),
            Some(cause) if readings.are_standards() => write!(f, "{}; ", cause.why())?,
            Some(cause) => write!(f, "{} is read differently; ", cause.subject())?,
        }
        let (targets, differs) = (readings.targets(), readings.differs());
        let refusing: Vec<_> =
            readings.iter().filter(|(_, reading)| !reading.is_ok()).map(|(reader, _)| reader).collect();
        if targets.len() > 1 || !refusing.is_empty() {
            for (number, (target, readers)) in targets.iter().enumerate() {
                let (separator, s) = (if number == 0 { "" } else { ", " }, third_person(readers));
                write!(f, "{separator}{} open{s} {target}", And(readers))?;
            }
            if !refusing.is_empty() {
                let (separator, s) = (if targets.is_empty() { "" } else { ", " }, third_person(&refusing));
                write!(f, "{separator}{} reject{s} it", And(&refusing))?;
            }
            return Ok(());
        }
        f.write_str("all open the same host but see a different ")?;
        for (number, difference) in differs.iter().enumerate() {
            let separator = if number == 0 { "" } else { " and " };
            write!(f, "{separator}{}", difference.name())?;
        }
        debug_assert!(!differs.contains(Difference::Host));
        Ok(())
    }
}

/// The ending of a verb whose subjects the readers are.
fn third_person(readers: &[Reader]) -> &'static str {
    if readers.len() == 1 { "s" } else { "" }
}

/// Readers joined by `and`.
struct And<'s>(&'s [Reader]);

impl fmt::Display for And<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, reader) in self.0.iter().enumerate() {
            let separator = match number {
                0 => "",
                _ if number + 1 == self.0.len() => " and ",
                _ => ", ",
            };
            write!(f, "{separator}{reader}")?;
        }
        Ok(())
    }
}
