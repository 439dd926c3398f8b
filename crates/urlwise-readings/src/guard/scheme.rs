//! Names of schemes that are allowed.

use crate::language::message;
use std::fmt;
use std::str::FromStr;
use urlwise::{Language, Message};

/// The name of a scheme, without a colon, such as `https`; in any case. It is a name by RFC 1738 section 2.1 (D-04): letters,
/// digits, `+`, `-` and `.`, at least one of them. A name that no scheme has is one too, since there are more schemes than are
/// known here: of a misspelt one the guard says, in the reason of each URL that it refuses, that it is what is allowed.
///
/// ```
/// use urlwise_readings::guard::{Guard, SchemeName};
///
/// let scheme: SchemeName = "FTP".parse()?;
/// assert_eq!(scheme.as_str(), "ftp");
/// assert!(Guard::new().allow_schemes([scheme]).check(b"ftp://good.example/").is_ok());
/// assert!("ftp://".parse::<SchemeName>().is_err());
/// # Ok::<(), urlwise_readings::guard::InvalidScheme>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SchemeName(String);

/// A text that is not a [`SchemeName`]. `Display` says what is one; passwords in the text are masked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidScheme(Message);

impl SchemeName {
    /// What is allowed unless others are.
    pub(crate) fn web() -> [SchemeName; 2] {
        ["http", "https"].map(|name| SchemeName(name.into()))
    }

    /// The name in lower case.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SchemeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for SchemeName {
    type Err = InvalidScheme;

    fn from_str(text: &str) -> Result<SchemeName, InvalidScheme> {
        let is_name_octet = |octet: u8| octet.is_ascii_alphanumeric() || b"+-.".contains(&octet);
        match !text.is_empty() && text.bytes().all(is_name_octet) {
            true => Ok(SchemeName(text.to_ascii_lowercase())),
            false => Err(InvalidScheme(message!(
                "`{text}` is not a scheme; a scheme has letters, digits, `+`, `-` and `.` alone, as in `https`",
                text = urlwise::escape_for_display(urlwise::without_secrets(text).as_bytes()).to_string()
            ))),
        }
    }
}

impl InvalidScheme {
    /// What `Display` writes, in a language.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + '_ {
        self.0.in_language(language)
    }
}

impl fmt::Display for InvalidScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for InvalidScheme {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_the_characters_of_rfc_1738_and_no_more() {
        for name in ["http", "HTTPS", "x-odd", "z39.50r", "c++", "9p", "htttp"] {
            assert_eq!(name.parse().map(|SchemeName(name)| name), Ok(name.to_ascii_lowercase()));
        }
        for text in ["", "http:", "http://", "x y", " http", "a,b", "caf\u{e9}", "http\0"] {
            let error = text.parse::<SchemeName>().expect_err(text).to_string();
            assert!(error.contains("a scheme has letters, digits, `+`, `-` and `.` alone"), "{error}");
        }
        let error = "ftp://jim:s3cret@h.example/".parse::<SchemeName>().expect_err("a URL").to_string();
        assert!(error.contains("`ftp://jim:***@h.example/`"), "{error}");
    }
}
