//! How grave a problem is.

use alloc::borrow::Cow;
use core::fmt;

use crate::language::{Language, Words, words};

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
    pub fn name(self) -> &'static str {
        self.words().en()
    }

    /// [`name`](Level::name) in a language, for people.
    pub fn name_in(self, language: Language) -> Cow<'static, str> {
        self.words().get(language)
    }

    fn words(self) -> Words {
        static NAMES: [Words; 3] = [words!("error"), words!("warning"), words!("note")];
        NAMES[self as usize]
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
