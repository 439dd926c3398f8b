//! The sentence: why the readings differ, and which host each standard would open.

use crate::compare::{Difference, Readings};
use crate::reading::Standard;
use std::fmt;

/// Why readings differ and which host each standard would open, displayed as one sentence without a final period. It
/// contains no part of a password and no terminal control characters.
#[derive(Clone, Copy, Debug)]
pub struct Sentence<'r, 'a>(&'r Readings<'a>);

impl<'a> Readings<'a> {
    /// Why they differ, and which host each standard would open, in one sentence without a final period.
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
        let Some(cause) = readings.cause() else {
            return f.write_str(
                match Standard::ALL.iter().copied().any(|standard| readings.reading(standard).is_ok()) {
                    true => "all three standards agree",
                    false => "all three standards reject it",
                },
            );
        };
        write!(f, "{}; ", cause.why())?;
        let differs = readings.differs();
        let targets = readings.targets();
        let refusing =
            Standard::ALL.iter().copied().filter(|standard| !readings.reading(*standard).is_ok()).collect::<Vec<_>>();
        if targets.len() > 1 || !refusing.is_empty() {
            for (number, (target, standards)) in targets.iter().enumerate() {
                let (separator, s) = (if number == 0 { "" } else { ", " }, third_person(standards));
                write!(f, "{separator}{} open{s} {target}", And(standards))?;
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

/// The ending of a verb whose subjects the standards are.
fn third_person(standards: &[Standard]) -> &'static str {
    if standards.len() == 1 { "s" } else { "" }
}

/// Standards joined by `and`.
struct And<'s>(&'s [Standard]);

impl fmt::Display for And<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, standard) in self.0.iter().enumerate() {
            let separator = match number {
                0 => "",
                _ if number + 1 == self.0.len() => " and ",
                _ => ", ",
            };
            write!(f, "{separator}{standard}")?;
        }
        Ok(())
    }
}
