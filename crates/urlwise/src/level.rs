//! How grave a problem is.

use core::fmt;

/// The level of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)] // as wide as the offsets beside it in a `RawProblem`, so that moving a `Result` copies words
pub enum Level {
    /// The text is not a URL of its scheme.
    Error,
    /// The text is a URL, but is likely to cause trouble.
    Warning,
    /// Worth knowing; shown by `explain` and on demand.
    Note,
}

impl Level {
    /// `error`, `warning` or `note`.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
