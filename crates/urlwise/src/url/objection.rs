//! [`Objection`]: what the check of a registered scheme reports.

use core::ops::Range;

/// What a check reports about a URL: where, what is wrong, and a help.
///
/// The texts are constants, so that a [`Problem`](crate::Problem) stays plain data; each is one line without a full stop.
#[must_use]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    pub(super) span: Range<usize>,
    pub(super) message: &'static str,
    pub(super) help: &'static str,
}

impl Objection {
    /// An objection to the octets of `span`, as [`Part::span`](crate::Part::span) gives them; an empty span is a place where
    /// something is missing. What lies outside the text is cut off.
    pub const fn new(span: Range<usize>, message: &'static str) -> Self {
        Objection { span, message, help: "" }
    }

    /// With a help: how to fix it, as an imperative.
    pub const fn with_help(mut self, help: &'static str) -> Self {
        self.help = help;
        self
    }
}
