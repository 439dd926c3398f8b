//! Why settings are not read.

use std::fmt;

use urlwise::{Language, Message};

/// Why a settings file cannot be read, or what is wrong in it. Displays in English, in one line: passwords are masked, and what a
/// terminal obeys is escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Message);

impl Error {
    pub(crate) fn new(message: Message) -> Error {
        Error(message)
    }

    /// What `Display` writes, in a language.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + '_ {
        self.0.in_language(language)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Error {}
