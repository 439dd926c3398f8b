//! The sentence: why the readings differ, and which host each reader would open.

use crate::compare::Readings;
use crate::difference::Difference;
use crate::language::{message, words};
use crate::reader::Reader;
use std::fmt;
use urlwise::{Language, Message};

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
        self.message().fmt(f)
    }
}

impl Sentence<'_, '_> {
    /// What `Display` writes, in a language.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + use<> {
        self.message().into_text(language)
    }

    pub(crate) fn message(&self) -> Message {
        let readings = self.0;
        let are_standards = readings.are_standards();
        match (readings.cause(), readings.accepted().next().is_some(), are_standards) {
            // One reader agrees with itself.
            (None, is_accepted, _) if readings.readers().count() == 1 => {
                let reader = readings.readers().next().map_or("", Reader::name);
                match is_accepted {
                    true => message!("it is accepted by {reader}", reader = reader),
                    false => message!("it is rejected by {reader}", reader = reader),
                }
            }
            (None, false, true) => words!("all three standards reject it").into(),
            (None, false, false) => words!("all readers reject it").into(),
            (None, true, true) => words!("all three standards agree").into(),
            (None, true, false) => words!("all readers agree").into(),
            (Some(cause), _, true) => message!("{why}; {seen}", why = cause.why_words(), seen = seen(readings)),
            (Some(cause), true, false) if readings.differs().iter().all(|part| part == Difference::Ok) => {
                message!("not all readers accept {what}; {seen}", what = cause.subject(), seen = seen(readings))
            }
            (Some(cause), _, false) => {
                message!("{what} is read differently; {seen}", what = cause.subject(), seen = seen(readings))
            }
        }
    }
}

/// What readers that differ open, or which parts of one host they see differently.
fn seen(readings: &Readings<'_>) -> Message {
    let (targets, differs) = (readings.targets(), readings.differs());
    let refusing: Vec<_> = readings.seen().filter(|(_, server)| server.is_none()).map(|(reader, _)| reader).collect();
    if targets.len() <= 1 && refusing.is_empty() {
        debug_assert!(!differs.contains(Difference::Host));
        let names = differs.iter().map(|difference| Message::from(difference.words()));
        let both = |before, part| message!("{parts} and {part}", parts = before, part = part);
        let parts = names.reduce(both).unwrap_or_else(|| "".into());
        return message!("all open the same host but see a different {parts}", parts = parts);
    }
    let opened = targets.into_iter().map(|(target, readers)| match (target, readers.len()) {
        (Some(target), 1) => message!("{readers} opens {target}", readers = list(&readers), target = target),
        (Some(target), _) => message!("{readers} open {target}", readers = list(&readers), target = target),
        (None, 1) => message!("{readers} opens no host", readers = list(&readers)),
        (None, _) => message!("{readers} open no host", readers = list(&readers)),
    });
    let refused = match refusing.len() {
        0 => None,
        1 => Some(message!("{readers} rejects it", readers = list(&refusing))),
        _ => Some(message!("{readers} reject it", readers = list(&refusing))),
    };
    let both = |before, next| message!("{before}, {next}", before = before, next = next);
    opened.chain(refused).reduce(both).unwrap_or_else(|| "".into())
}

/// The names of readers as a list.
fn list(readers: &[Reader]) -> Message {
    match readers {
        [] => "".into(),
        [reader] => reader.name().into(),
        [one, other] => message!("{readers} and {reader}", readers = one.name(), reader = other.name()),
        // Not every language joins the last of several as it joins two.
        [before @ .., last] => {
            message!(
                "{several} and {last}",
                several = enumerated(before.iter().map(|reader| reader.name())),
                last = last.name()
            )
        }
    }
}

/// Names one after another.
pub(crate) fn enumerated<'n>(names: impl Iterator<Item = &'n str>) -> Message {
    let names = names.map(Message::from);
    let joined = names.reduce(|before, next| message!("{names}, {name}", names = before, name = next));
    joined.unwrap_or_else(|| "".into())
}
