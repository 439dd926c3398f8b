//! What stands against a repair, and what may have been meant instead.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::rules::Rejection;
use crate::language::Words;
use crate::problem::Problem;
use crate::raw_problem::RawProblem;

/// Why the text cannot be repaired, with a span of the draft.
pub(super) struct Halt {
    pub(super) span: Range<usize>,
    pub(super) why: Why,
    /// What may have been meant, where the place that refuses knows.
    pub(super) candidates: Vec<Candidate>,
}

#[derive(Clone, Copy)]
pub(super) enum Why {
    /// An ambiguity that is not a problem of the grammar.
    Ambiguous(&'static Rejection),
    /// A character that cannot be seen, or may stand for another one: the message names it.
    Character(&'static Rejection, char),
    /// A problem without a fix, or whose fix would be a guess.
    Problem(RawProblem),
}

impl Halt {
    pub(super) fn ambiguous(refusal: &'static Rejection, span: Range<usize>) -> Self {
        Halt { span, why: Why::Ambiguous(refusal), candidates: Vec::new() }
    }

    pub(super) fn character(refusal: &'static Rejection, at: usize, c: char) -> Self {
        Halt { span: at..at + c.len_utf8(), why: Why::Character(refusal, c), candidates: Vec::new() }
    }

    pub(super) fn problem(problem: &Problem<'_>) -> Self {
        Halt { span: problem.span(), why: Why::Problem(problem.finding()), candidates: Vec::new() }
    }

    pub(super) fn with(mut self, candidates: Vec<Candidate>) -> Self {
        self.candidates = candidates;
        self
    }
}

impl Why {
    /// Without the name of a character, which may be part of a password.
    pub(super) fn masked(self) -> Self {
        match self {
            Why::Character(refusal, _) => Why::Ambiguous(refusal),
            Why::Ambiguous(_) | Why::Problem(_) => self,
        }
    }

    pub(super) fn code(self) -> &'static str {
        match self {
            Why::Ambiguous(refusal) | Why::Character(refusal, _) => refusal.code,
            Why::Problem(finding) => finding.code.row().name,
        }
    }
}

/// A text that may have been meant. It becomes a suggestion if it is a URL.
pub(super) struct Candidate {
    pub(super) text: String,
    pub(super) why: Words,
    /// Whether nothing may have to be repaired in it.
    pub(super) is_exact: bool,
}

impl Candidate {
    /// One in which anything that has one reading may be repaired.
    pub(super) fn repaired(text: String, why: Words) -> Self {
        Candidate { text, why, is_exact: false }
    }
}
