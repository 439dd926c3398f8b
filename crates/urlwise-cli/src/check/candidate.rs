//! What may be reported of a URL.

use std::fmt::{Display, Write as _};
use std::iter;
use std::ops::Range;

use urlwise::audit::Finding;
use urlwise::{Level, Problem};
use urlwise_explain::snippets;

use crate::json;
use crate::language::language;
use crate::report::Found;

/// A problem of a text, or a finding of the audit.
#[derive(Clone, Copy)]
pub(super) enum Candidate<'c> {
    Problem(&'c Problem<'c>),
    Finding(&'c Finding<'c>),
}

impl Candidate<'_> {
    pub(super) fn code(&self) -> &'static str {
        match self {
            Candidate::Problem(problem) => problem.code(),
            Candidate::Finding(finding) => finding.code(),
        }
    }

    pub(super) fn level(&self) -> Level {
        match self {
            Candidate::Problem(problem) => problem.level(),
            Candidate::Finding(finding) => finding.level(),
        }
    }

    pub(super) fn decision(&self) -> Option<&'static str> {
        match self {
            Candidate::Problem(problem) => problem.decision(),
            Candidate::Finding(finding) => Some(finding.decision()),
        }
    }

    pub(super) fn span(&self) -> Range<usize> {
        match self {
            Candidate::Problem(problem) => problem.span(),
            Candidate::Finding(finding) => finding.span(),
        }
    }
}

/// Candidates that are alike.
pub(super) struct Kind<'c> {
    first: Candidate<'c>,
    /// Its last octet: most that are not alike differ in it.
    last: Option<u8>,
    /// The places of the others.
    others: Vec<Range<usize>>,
}

impl<'c> Kind<'c> {
    /// Adds a candidate of a URL to those of its code and level.
    pub(super) fn add(kinds: &mut Vec<Kind<'c>>, candidate: Candidate<'c>, url: &[u8]) {
        let span = candidate.span();
        let last = url.get(span.clone()).and_then(|octets| octets.last().copied());
        let alike = match candidate {
            // Each has all its places.
            Candidate::Problem(_) => None,
            // What is alike often follows at once.
            Candidate::Finding(finding) => {
                kinds.iter_mut().rev().find(|kind| kind.last == last && kind.is_like(finding))
            }
        };
        match alike {
            Some(kind) => kind.others.push(span),
            None => kinds.push(Kind { first: candidate, last, others: Vec::new() }),
        }
    }

    /// Whether a finding is the same at another place.
    fn is_like(&self, finding: &Finding<'_>) -> bool {
        matches!(self.first, Candidate::Finding(first) if first.is_like(finding))
    }

    /// The start of the first one.
    pub(super) fn start(&self) -> usize {
        self.first.span().start
    }

    pub(super) fn decision(&self) -> Option<&'static str> {
        self.first.decision()
    }

    /// How often it was found.
    pub(super) fn places(&self) -> usize {
        1 + self.others.len()
    }

    /// What is reported of it at this level. `are_all`: the audit found no more than it may.
    pub(super) fn found(&self, level: Level, are_all: bool) -> Found {
        let (code, decision) = (self.first.code(), self.first.decision());
        match self.first {
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
            Candidate::Finding(finding) => Found {
                code,
                level,
                span: finding.span(),
                spans: iter::once(finding.span()).chain(self.others.iter().cloned()).take(json::PLACES).collect(),
                places: self.places(),
                are_all,
                section: finding.section(),
                decision,
                message: text(finding.message_in(language())),
                help: Some(text(finding.help_in(language()))),
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
