//! [`Severity`]: how much a finding matters.

use alloc::borrow::Cow;
use core::fmt;
use core::str::FromStr;

use crate::language::{Language, Words, words};
use crate::level::Level;
use crate::unknown_name::UnknownName;

/// The severity of a finding. The graver one is the greater. There will be no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Informational.
    Low,
    /// May be a mistake or an attack: ask the user.
    Medium,
    /// Refuse by default.
    High,
}

impl Severity {
    /// All severities, lowest first.
    pub const ALL: &'static [Severity] = &[Severity::Low, Severity::Medium, Severity::High];

    /// `low`, `medium` or `high`.
    pub fn name(self) -> &'static str {
        self.words().en()
    }

    /// [`name`](Severity::name) in a language, for people.
    pub fn name_in(self, language: Language) -> Cow<'static, str> {
        self.words().get(language)
    }

    fn words(self) -> Words {
        static NAMES: [Words; 3] = [words!("low"), words!("medium"), words!("high")];
        NAMES[self as usize]
    }

    /// Maps high to error, medium to warning and low to note.
    pub const fn level(self) -> Level {
        match self {
            Severity::Low => Level::Note,
            Severity::Medium => Level::Warning,
            Severity::High => Level::Error,
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Severity {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = Severity::ALL.iter().copied().find(|severity| severity.name() == name);
        known.ok_or(UnknownName::because("a severity is `low`, `medium` or `high`"))
    }
}
