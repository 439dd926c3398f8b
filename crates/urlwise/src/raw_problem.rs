//! What a reader reports: a problem as numbers, without the text it is about.

use crate::code::Code;
use crate::grammar::{Production, SCHEME};
use crate::level::Level;

/// A problem without the text it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawProblem {
    pub(crate) code: Code,
    pub(crate) level: Level,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) rule: Option<&'static Production>,
    /// Fills `{detail}` of the code's texts.
    pub(crate) detail: &'static str,
    /// Fills `{help}` of the code's texts; the help of a registered scheme's check, empty where it has none.
    pub(crate) help: &'static str,
}

impl RawProblem {
    /// The text is longer than offsets can say.
    pub(crate) const TOO_LONG: RawProblem = RawProblem {
        code: Code::UrlLength,
        level: Level::Error,
        start: 0,
        end: 0,
        rule: Some(&SCHEME),
        detail: "",
        help: "",
    };
}
