//! Reading a text as a [`Url`].

use alloc::string::String;
use core::str::FromStr;

use super::Url;
use super::parse_error::ParseError;
use crate::layout::Layout;
use crate::mistakes;
use crate::problem::Problem;
use crate::profile::Profile;
use crate::raw_problem::RawProblem;
use crate::reader::Stop;
use crate::start;

/// Reads a text to its end or to its first error.
pub(crate) fn layout_of(octets: &[u8], profile: Profile) -> Result<Layout, RawProblem> {
    let mut layout = Layout::new(profile);
    match start::check(octets, &mut layout) {
        Ok(()) => Ok(layout),
        Err(Stop) => start::explain(octets, profile),
    }
}

impl<T: AsRef<str>> Url<T> {
    /// Reads a URL strictly by RFC 1738.
    ///
    /// # Errors
    /// The first problem that keeps the text from being a URL. [`diagnose`](crate::diagnose) finds all of them, and warnings.
    #[inline]
    pub fn parse(text: T) -> Result<Self, ParseError> {
        Url::parse_with(text, Profile::Rfc1738)
    }

    /// Reads a URL by the grammar of the profile `current`: RFC 1738 as its successors changed it.
    ///
    /// ```
    /// use urlwise::{Scheme, Url};
    ///
    /// assert_eq!(Url::parse_current("https://host.dom/~jim")?.scheme(), Scheme::Https);
    /// # Ok::<(), urlwise::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`parse`](Url::parse).
    #[inline]
    pub fn parse_current(text: T) -> Result<Self, ParseError> {
        Url::parse_with(text, Profile::Current)
    }

    /// Reads a URL by the grammar of a profile.
    ///
    /// # Errors
    /// As for [`parse`](Url::parse).
    #[inline]
    pub fn parse_with(text: T, profile: Profile) -> Result<Self, ParseError> {
        // The layout is filled where it stays: moving it takes some 20 instructions.
        let mut url = Url { text, layout: Layout::new(profile), check: None };
        let octets = url.text.as_ref().as_bytes();
        match start::check(octets, &mut url.layout) {
            Ok(()) => Ok(url),
            Err(Stop) => Err(ParseError::new(octets, profile)),
        }
    }
}

impl<'a> Url<&'a str> {
    /// Reads octets as a URL; only US-ASCII can be one.
    ///
    /// ```
    /// use urlwise::{Profile, Url};
    ///
    /// assert!(Url::from_octets(b"news:*", Profile::Rfc1738).is_ok());
    /// assert!(Url::from_octets(b"news:\xFF", Profile::Rfc1738).is_err());
    /// ```
    ///
    /// # Errors
    /// The first problem that keeps the octets from being a URL.
    pub fn from_octets(octets: &'a [u8], profile: Profile) -> Result<Self, ParseError> {
        Url::accept(octets, profile).ok_or_else(|| ParseError::new(octets, profile))
    }

    /// The same for callers that do not need the reason why octets are no URL: an error keeps a copy of them, which may be long.
    ///
    /// ```
    /// use urlwise::{Profile, Url};
    ///
    /// assert!(Url::accept(b"news:*", Profile::Rfc1738).is_some());
    /// assert!(Url::accept(b"news:\xFF", Profile::Rfc1738).is_none());
    /// ```
    pub fn accept(octets: &'a [u8], profile: Profile) -> Option<Self> {
        let mut layout = Layout::new(profile);
        match start::check(octets, &mut layout) {
            // No rule takes an octet outside US-ASCII, so what was read is text.
            Ok(()) => Some(Url::from_layout(core::str::from_utf8(octets).unwrap_or_default(), layout)),
            Err(Stop) => None,
        }
    }

    /// The first problem that keeps octets from being a URL, as in the error of [`from_octets`](Url::from_octets), but without a copy of
    /// them; `None` if they are one.
    ///
    /// ```
    /// use urlwise::{Profile, Url};
    ///
    /// assert_eq!(Url::first_error(b"news:*", Profile::Rfc1738), None);
    /// assert_eq!(Url::first_error(b"news:\xFF", Profile::Rfc1738).map(|problem| problem.span()), Some(5..6));
    /// ```
    pub fn first_error(octets: &'a [u8], profile: Profile) -> Option<Problem<'a>> {
        mistakes::first(octets, profile, start::report).map(|first| Problem::new(octets, first))
    }
}

impl FromStr for Url<String> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Url::parse(text)?.to_owned())
    }
}

impl<'a> TryFrom<&'a str> for Url<&'a str> {
    type Error = ParseError;

    fn try_from(text: &'a str) -> Result<Self, Self::Error> {
        Url::parse(text)
    }
}

impl TryFrom<&str> for Url<String> {
    type Error = ParseError;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl TryFrom<String> for Url<String> {
    type Error = ParseError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Url::parse(text)
    }
}
