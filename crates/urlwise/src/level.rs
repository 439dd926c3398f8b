//! How grave a problem is.

use alloc::borrow::Cow;
use core::fmt;
use core::str::FromStr;

use crate::language::{Language, Words, words};
use crate::unknown_name::UnknownName;

/// The level of a problem. The graver one is the greater. There will be no others.
///
/// ```
/// use urlwise::Level;
///
/// assert_eq!([Level::Warning, Level::Error, Level::Note].iter().max(), Some(&Level::Error));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)] // as wide as the offsets beside it in a `RawProblem`, so that moving a `Result` copies words
pub enum Level {
    /// Worth knowing; shown by `explain` and on demand.
    Note,
    /// The text is a URL, but is likely to cause trouble.
    Warning,
    /// The text is not a URL of its scheme.
    Error,
}

impl Level {
    /// All levels, lowest first.
    pub const ALL: &'static [Level] = &[Level::Note, Level::Warning, Level::Error];

    /// `error`, `warning` or `note`.
    pub fn name(self) -> &'static str {
        self.words().en()
    }

    /// [`name`](Level::name) in a language, for people.
    pub fn name_in(self, language: Language) -> Cow<'static, str> {
        self.words().get(language)
    }

    fn words(self) -> Words {
        static NAMES: [Words; 3] = [words!("note"), words!("warning"), words!("error")];
        NAMES[self as usize]
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Level {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Level::ALL.iter().copied().find(|level| level.name() == name);
        known.ok_or(UnknownName::because("a level is `error`, `warning` or `note`"))
    }
}
