//! The sentence: why readers differ, and who would open what.

use crate::compare::{Difference, Readings};
use crate::reading::Standard;
use std::fmt;

/// Why readings differ and who would open what; displays as one sentence without a full stop. Nothing of a password is in it, and
/// no octet that could harm a terminal.
#[derive(Clone, Copy, Debug)]
pub struct Sentence<'r, 'a>(&'r Readings<'a>);

impl<'r, 'a> Sentence<'r, 'a> {
    pub(crate) fn new(readings: &'r Readings<'a>) -> Sentence<'r, 'a> {
        Sentence(readings)
    }
}

impl fmt::Display for Sentence<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let readings = self.0;
        let Some(cause) = readings.cause() else {
            return f.write_str(
                match Standard::ALL.iter().copied().any(|standard| readings.reading(standard).is_ok()) {
                    true => "all three read the same",
                    false => "all three refuse it",
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
                let separator = if number == 0 { "a reader" } else { ", one" };
                write!(f, "{separator} by {} opens {target}", Or(standards))?;
            }
            return match (targets.is_empty(), refusing.as_slice()) {
                (_, []) => Ok(()),
                (true, refusing) => write!(f, "a reader by {} refuses it", Or(refusing)),
                (false, refusing) => write!(f, ", one by {} refuses it", Or(refusing)),
            };
        }
        f.write_str("all open the same host and see another ")?;
        for (number, difference) in differs.iter().enumerate() {
            let separator = if number == 0 { "" } else { " and " };
            write!(f, "{separator}{}", difference.name())?;
        }
        debug_assert!(!differs.contains(Difference::Host));
        Ok(())
    }
}

/// Standards joined by `or`.
struct Or<'s>(&'s [Standard]);

impl fmt::Display for Or<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, standard) in self.0.iter().enumerate() {
            let separator = match number {
                0 => "",
                _ if number + 1 == self.0.len() => " or ",
                _ => ", ",
            };
            write!(f, "{separator}{standard}")?;
        }
        Ok(())
    }
}
