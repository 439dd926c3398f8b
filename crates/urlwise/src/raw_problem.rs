//! What a reader reports: a problem as numbers, without the text it is about.

use crate::code::Code;
use crate::grammar::{Production, SCHEME};
use crate::language::Words;
use crate::level::Level;

/// A problem without the text it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawProblem {
    pub(crate) code: Code,
    pub(crate) level: Level,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) rule: Option<&'static Production>,
    /// The section of RFC 1738 that holds the rule; among the problems of a whole text the scheme's own, where it says so itself.
    pub(crate) section: &'static str,
    /// Fills `{detail}` of the code's texts: what there is to say of the octets besides them.
    pub(crate) detail: Words,
    /// Fills `{help}` of the code's texts; the help of a registered scheme's check, empty where it has none.
    pub(crate) help: &'static str,
}

/// What is the same wherever one mistake is made: its code, the part, and the reason.
#[derive(Clone, Copy)]
pub(crate) struct Like {
    pub(crate) code: Code,
    pub(crate) rule: Option<&'static Production>,
    pub(crate) detail: Words,
}

impl Like {
    pub(crate) fn is(&self, other: &Like) -> bool {
        // All rules are statics: the same one is at the same place.
        let is_same_rule = match (self.rule, other.rule) {
            (Some(rule), Some(other)) => core::ptr::eq(rule, other),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        self.code == other.code && is_same_rule && self.detail == other.detail
    }

    /// Whether this rule is broken.
    pub(crate) fn is_of(&self, rule: &'static Production) -> bool {
        self.rule.is_some_and(|known| core::ptr::eq(known, rule))
    }
}

impl RawProblem {
    /// What it has in common with the same mistake at another place.
    pub(crate) fn like(&self) -> Like {
        Like { code: self.code, rule: self.rule, detail: self.detail }
    }

    /// Whether both are one mistake made at two places.
    pub(crate) fn is_like(&self, other: &RawProblem) -> bool {
        self.like().is(&other.like())
    }

    /// The text is longer than offsets can say.
    pub(crate) const TOO_LONG: RawProblem = RawProblem {
        code: Code::UrlLength,
        level: Level::Error,
        start: 0,
        end: 0,
        rule: Some(&SCHEME),
        section: "2.2",
        detail: Words::NONE,
        help: "",
    };
}
