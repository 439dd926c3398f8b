//! What may be reported of a URL.

use std::fmt::{Display, Write as _};

use urlwise::{Level, Problem};
use urlwise_explain::alike::Alike;
use urlwise_explain::snippets;

use crate::json;
use crate::language::language;
use crate::report::Found;

/// A problem of a text, or a finding of the audit with all its places.
pub(super) enum Candidate<'c> {
    Problem(&'c Problem<'c>),
    Finding(&'c Alike<'c, 'c>),
}

impl Candidate<'_> {
    pub(super) fn code(&self) -> &'static str {
        match self {
            Candidate::Problem(problem) => problem.code(),
            Candidate::Finding(alike) => alike.first().code(),
        }
    }

    pub(super) fn level(&self) -> Level {
        match self {
            Candidate::Problem(problem) => problem.level(),
            Candidate::Finding(alike) => alike.first().level(),
        }
    }

    pub(super) fn decision(&self) -> Option<&'static str> {
        match self {
            Candidate::Problem(problem) => problem.decision(),
            Candidate::Finding(alike) => Some(alike.first().decision()),
        }
    }

    pub(super) fn start(&self) -> usize {
        match self {
            Candidate::Problem(problem) => problem.span().start,
            Candidate::Finding(alike) => alike.first().span().start,
        }
    }

    pub(super) fn found(&self, level: Level) -> Found {
        let (code, decision) = (self.code(), self.decision());
        match self {
            Candidate::Problem(problem) => Found {
                code,
                level,
                span: problem.span(),
                spans: problem.spans().take(json::PLACES).collect(),
                places: problem.spans().count(),
                are_all: snippets::are_all(problem.spans().count()),
                section: problem.section(),
                decision,
                message: text(problem.message_in(language())),
                help: problem.help_in(language()).map(text),
            },
            Candidate::Finding(alike) => Found {
                code,
                level,
                span: alike.first().span(),
                spans: alike.spans().take(json::PLACES).collect(),
                places: alike.places(),
                are_all: alike.are_all(),
                section: alike.first().section(),
                decision,
                message: text(alike.first().message_in(language())),
                help: Some(text(alike.first().help_in(language()))),
            },
        }
    }
}

/// What is displayed, as a string.
fn text(said: impl Display) -> String {
    /// Most are shorter, in octets.
    const LENGTH: usize = 160;
    let mut text = String::with_capacity(LENGTH);
    // Writing to a String cannot fail.
    let _ = write!(text, "{said}");
    text
}
