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

impl RawProblem {
    /// Whether both are one mistake made at two places: of one code, in one part, for one reason.
    pub(crate) fn is_like(&self, other: &RawProblem) -> bool {
        // All texts and rules are statics: the same one is at the same place.
        let is_same_rule = match (self.rule, other.rule) {
            (Some(rule), Some(other)) => core::ptr::eq(rule, other),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        self.code == other.code && is_same_rule && self.detail == other.detail
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
