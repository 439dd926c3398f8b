//! References: a URL and the fragment that may follow it (section 2.2, Appendix, D-08).

use core::fmt;

use crate::display::padded;
use crate::encoded::Encoded;
use crate::grammar::FRAGMENT;
use crate::layout::Layout;
use crate::problem::Problem;
use crate::profile::Profile;
use crate::raw_problem::RawProblem;
use crate::raw_reference::{FirstError, RawReference, fragment_error, url_end, url_error};
use crate::url::Url;
use crate::url::parse::layout_of;
use crate::url::parse_error::Input;
use crate::url::rules::SchemeRules;

/// A URL with the fragment identifier that may follow it after a `#`.
///
/// A fragment is not part of a URL: it stays with the reader and is never sent. [`Url::parse`] refuses the `#`; here the text
/// is cut at the first one.
///
/// It borrows its text. [`to_owned`](Reference::to_owned) makes an [`OwnedReference`](crate::OwnedReference), for programs that keep
/// references; what [`resolve`](Reference::resolve) gives is one.
///
/// ```
/// use urlwise::Reference;
///
/// let reference = Reference::parse("http://ds.internic.net/instructions/overview.html#WARNING")?;
/// assert_eq!(reference.url().as_str(), "http://ds.internic.net/instructions/overview.html");
/// assert_eq!(reference.fragment().unwrap(), "WARNING");
/// # Ok::<(), urlwise::ReferenceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reference<'a> {
    url: Url<&'a str>,
    fragment: Option<Encoded<'a>>,
}

impl<'a> Reference<'a> {
    /// Reads a reference strictly by RFC 1738.
    ///
    /// # Errors
    /// The first problem of the URL, else of the fragment, which is `*( uchar | reserved )` as in RFC 1808 section 2.2.
    pub fn parse(text: &'a str) -> Result<Self, ReferenceError> {
        Reference::parse_with(text, Profile::Rfc1738)
    }

    /// Reads a reference by the grammar of the profile `current`.
    ///
    /// # Errors
    /// As for [`parse`](Reference::parse).
    pub fn parse_current(text: &'a str) -> Result<Self, ReferenceError> {
        Reference::parse_with(text, Profile::Current)
    }

    /// Reads a reference by the grammar of a profile.
    ///
    /// # Errors
    /// As for [`parse`](Reference::parse).
    pub fn parse_with(text: &'a str, profile: Profile) -> Result<Self, ReferenceError> {
        let end = url_end(text.as_bytes());
        match read(profile, None, text.as_bytes(), end) {
            Ok(layout) => {
                let fragment = text.get(end + 1..).map(Encoded::new);
                Ok(Reference { url: Url::from_layout(&text[..end], layout), fragment })
            }
            Err(_) => Err(ReferenceError { input: Input::new(text.as_bytes()), profile }),
        }
    }

    /// Reads octets as a reference, for tables of many texts: what is wrong is its code and place, and nothing is copied.
    ///
    /// ```
    /// use urlwise::{Profile, Reference};
    ///
    /// let error = Reference::from_octets(b"http://host.dom/a b#c", Profile::Current).unwrap_err();
    /// assert_eq!((error.code(), error.span()), ("bnf-char", 17..18));
    /// ```
    ///
    /// # Errors
    /// As for [`parse`](Reference::parse).
    pub fn from_octets(octets: &'a [u8], profile: Profile) -> Result<Self, FirstError> {
        RawReference::read(octets, profile).reference()
    }

    pub(crate) fn new(url: Url<&'a str>, fragment: Option<&'a str>) -> Self {
        Reference { url, fragment: fragment.map(Encoded::new) }
    }

    /// The URL, without the fragment.
    pub fn url(&self) -> &Url<&'a str> {
        &self.url
    }

    /// The text after the `#`: `None` without a `#`, empty in `http://host/#`.
    pub fn fragment(&self) -> Option<Encoded<'a>> {
        self.fragment
    }
}

impl<'a> RawReference<'a> {
    /// The same, whose parts are texts.
    ///
    /// # Errors
    /// The first [error](RawReference::error).
    pub fn reference(&self) -> Result<Reference<'a>, FirstError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        // No rule takes an octet outside US-ASCII, so what was read is text.
        let text = |octets| core::str::from_utf8(octets).unwrap_or_default();
        let url = Url::from_layout(text(&self.octets[..self.end]), self.layout);
        Ok(Reference::new(url, self.octets.get(self.end + 1..).map(text)))
    }

    /// The first error with all that is said of it; `None` if the text is a reference. The text is read once more.
    ///
    /// ```
    /// use urlwise::{Profile, RawReference};
    ///
    /// // The fragment may be there, and its space may not.
    /// let problem = RawReference::read(b"http://host.dom/#a b", Profile::Current).problem().unwrap();
    /// assert_eq!(problem.to_string(), "error[bnf-char] at 18..19: a space (20) is not allowed in a fragment (section 2.2, D-10); write `%20`");
    /// ```
    pub fn problem(&self) -> Option<Problem<'a>> {
        if self.error? == FirstError::new(RawProblem::TOO_LONG) {
            return Some(Problem::new(&[], RawProblem::TOO_LONG));
        }
        let (url, profile) = (&self.octets[..self.end], self.layout.profile());
        let finding = match layout_of(url, profile) {
            Ok(_) => fragment_error(profile, self.octets, self.end),
            Err(_) => None,
        };
        Some(problem(self.octets, finding.unwrap_or_else(|| url_error(profile, url))))
    }
}

/// Reads a reference whose URL ends at `end`, where the `#` is if there is one; `rules` are those of a registered scheme.
pub(crate) fn read(
    profile: Profile,
    rules: Option<SchemeRules>,
    octets: &[u8],
    end: usize,
) -> Result<Layout, RawProblem> {
    let layout = match rules {
        Some(rules) => rules.layout_of(&octets[..end], profile)?,
        None => layout_of(&octets[..end], profile)?,
    };
    match end < octets.len() {
        true => fragment_error(profile, octets, end).map_or(Ok(layout), Err),
        false => Ok(layout),
    }
}

/// What keeps the text from being a reference; spans count from its start.
pub(crate) fn problem(text: &[u8], finding: RawProblem) -> Problem<'_> {
    // An octet of the URL that is at its end is not at the end of the text, and must not look so.
    let end = match finding.rule {
        Some(rule) if *rule == FRAGMENT => text.len(),
        _ => url_end(text),
    };
    Problem::new(&text[..end], finding)
}

impl fmt::Display for Reference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |out| {
            out.write_str(self.url.as_str())?;
            match self.fragment {
                Some(fragment) => write!(out, "#{fragment}"),
                None => Ok(()),
            }
        })
    }
}

/// The text is not a reference: the first problem of its URL or its fragment.
///
/// It borrows nothing; see [`ParseError`](crate::ParseError).
#[derive(Clone)]
pub struct ReferenceError {
    input: Input,
    profile: Profile,
}

impl ReferenceError {
    /// What is wrong; spans count from the start of the whole text.
    #[must_use]
    pub fn problem(&self) -> Problem<'_> {
        let read = match self.input.is_too_long() {
            true => RawReference::too_long(self.profile),
            false => RawReference::read(self.input.octets(), self.profile),
        };
        read.problem().unwrap_or_else(|| problem(&[], RawProblem::TOO_LONG))
    }
}

impl fmt::Display for ReferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem().fmt(f)
    }
}

impl fmt::Debug for ReferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReferenceError({})", self.problem())
    }
}

impl core::error::Error for ReferenceError {}

impl PartialEq for ReferenceError {
    fn eq(&self, other: &Self) -> bool {
        self.problem() == other.problem()
    }
}

impl Eq for ReferenceError {}
