//! [`Current`]: URLs of the profile `current`, for what chooses a type and no profile.

use alloc::string::String;
use core::fmt;
use core::ops::Deref;
use core::str::FromStr;

use crate::url::Url;
use crate::url::parse_error::ParseError;

/// A URL that was read by the profile [`current`](crate::Profile::Current).
///
/// `FromStr`, `TryFrom` and serde read a [`Url`] strictly by RFC 1738. A command line option or a field of this type is read
/// by `current` instead, also inside an `Option` or a `Vec`. In code, [`Url::parse_current`] is shorter.
///
/// ```
/// use urlwise::{Current, Scheme, Url};
///
/// let home: Current<String> = "https://host.dom/~jim".parse()?;
/// assert_eq!(home.scheme(), Scheme::Https);
/// let home: Url<String> = home.into();
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Current<T: AsRef<str>>(Url<T>);

impl<T: AsRef<str>> Current<T> {
    /// Reads a URL by the profile `current`.
    ///
    /// # Errors
    /// As for [`Url::parse_current`].
    pub fn parse(text: T) -> Result<Self, ParseError> {
        Url::parse_current(text).map(Current)
    }

    /// The URL.
    pub fn into_inner(self) -> Url<T> {
        self.0
    }
}

impl<T: AsRef<str>> Deref for Current<T> {
    type Target = Url<T>;

    fn deref(&self) -> &Url<T> {
        &self.0
    }
}

impl<T: AsRef<str>> From<Current<T>> for Url<T> {
    fn from(url: Current<T>) -> Self {
        url.into_inner()
    }
}

impl<T: AsRef<str>> fmt::Display for Current<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for Current<String> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Url::parse_current(text).map(|url| Current(url.to_owned()))
    }
}

impl<'a> TryFrom<&'a str> for Current<&'a str> {
    type Error = ParseError;

    fn try_from(text: &'a str) -> Result<Self, Self::Error> {
        Current::parse(text)
    }
}

impl TryFrom<String> for Current<String> {
    type Error = ParseError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Current::parse(text)
    }
}
