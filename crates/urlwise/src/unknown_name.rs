//! [`UnknownName`]: a text that names no value of an enum.

use core::fmt;

/// A text that is not the name of any value of the type that was to be read. `Display` says which names there are.
///
/// ```
/// use urlwise::Level;
///
/// assert_eq!("warning".parse(), Ok(Level::Warning));
/// assert_eq!("fatal".parse::<Level>().unwrap_err().to_string(), "a level is `error`, `warning` or `note`");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName(&'static str);

impl UnknownName {
    /// What there is instead, as a sentence without a full stop.
    pub(crate) const fn because(sentence: &'static str) -> Self {
        UnknownName(sentence)
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

impl core::error::Error for UnknownName {}
