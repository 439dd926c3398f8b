//! What may be reported of a URL.

use std::fmt::{Display, Write as _};

use urlwise::audit::Finding;
use urlwise::{Level, Problem};

use crate::json;
use crate::language::language;
use crate::report::Found;

/// A problem of a text, or a finding of the audit.
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

    pub(super) fn start(&self) -> usize {
        match self {
            Candidate::Problem(problem) => problem.span().start,
            Candidate::Finding(finding) => finding.span().start,
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
                section: problem.section(),
                decision,
                message: text(problem.message_in(language())),
                help: problem.help_in(language()).map(text),
            },
            Candidate::Finding(finding) => Found {
                code,
                level,
                span: finding.span(),
                spans: vec![finding.span()],
                places: 1,
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
