//! References: a URL and the fragment that may follow it (section 2.2, Appendix, D-08).

use core::fmt;
use core::ops::Range;

use crate::display::padded;
use crate::encoded::Encoded;
use crate::grammar::FRAGMENT;
use crate::layout::Layout;
use crate::mistakes;
use crate::problem::Problem;
use crate::profile::Profile;
use crate::raw_problem::RawProblem;
use crate::reader::{self, Stop, Until};
use crate::start;
use crate::url::Url;
use crate::url::parse::layout_of;
use crate::url::parse_error::Input;

/// A URL with the fragment identifier that may follow it after a `#`.
///
/// A fragment is not part of a URL: it stays with the reader and is never sent. [`Url::parse`] refuses the `#`; here the text
/// is cut at the first one.
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
        match read(profile, text.as_bytes(), end) {
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
        // No scheme allows a `#`: most texts have none, and are not searched for it.
        let mut end = octets.len();
        let mut layout = Layout::new(profile);
        let mut checked = start::check(octets, &mut layout);
        if checked.is_err() {
            end = url_end(octets);
            if end < octets.len() {
                layout = Layout::new(profile);
                checked = start::check(&octets[..end], &mut layout);
            }
        }
        let (before, behind) = (&octets[..end], octets.get(end + 1..));
        let error = match checked {
            Err(Stop) if before.len() > u32::MAX as usize => Some(RawProblem::TOO_LONG),
            Err(Stop) => mistakes::first(before, profile, start::report).or(Some(RawProblem::TOO_LONG)),
            Ok(()) => behind.and_then(|_| fragment_error(profile, octets, end)),
        };
        match error {
            Some(error) => Err(FirstError::new(error)),
            // No rule takes an octet outside US-ASCII, so what was read is text.
            None => Ok(Reference {
                url: Url::from_layout(core::str::from_utf8(before).unwrap_or_default(), layout),
                fragment: behind.map(|fragment| Encoded::new(core::str::from_utf8(fragment).unwrap_or_default())),
            }),
        }
    }

    /// The URL, without the fragment.
    pub fn url(&self) -> &Url<&'a str> {
        &self.url
    }

    /// The text after the `#`; `None` if there is none, empty in `http://host/#`.
    pub fn fragment(&self) -> Option<Encoded<'a>> {
        self.fragment
    }
}

/// The first error of a text, as numbers: its code and its octets. The whole [`Problem`] is what [`diagnose`](crate::diagnose)
/// gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstError {
    code: &'static str,
    start: u32,
    end: u32,
}

impl FirstError {
    fn new(error: RawProblem) -> Self {
        FirstError { code: error.code.row().name, start: error.start, end: error.end }
    }

    /// The stable name, for example `bnf-char`.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The octets that the error is about; an empty span marks where something is missing.
    pub fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Where the URL of a reference ends: at the first `#` or at the end.
fn url_end(octets: &[u8]) -> usize {
    octets.iter().position(|&octet| octet == b'#').unwrap_or(octets.len())
}

/// Reads a reference whose URL ends at `end`, where the `#` is if there is one.
pub(crate) fn read(profile: Profile, octets: &[u8], end: usize) -> Result<Layout, RawProblem> {
    let layout = layout_of(&octets[..end], profile)?;
    match end < octets.len() {
        true => fragment_error(profile, octets, end).map_or(Ok(layout), Err),
        false => Ok(layout),
    }
}

/// What is wrong with the fragment of a reference whose `#` is at `end`.
pub(crate) fn fragment_error(profile: Profile, octets: &[u8], end: usize) -> Option<RawProblem> {
    let fragment = reader::explain(octets, profile, |reader| {
        reader.at = end + 1;
        reader.scan(&FRAGMENT, Until::End)
    });
    fragment.err()
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
        let octets = self.input.octets();
        let finding = match self.input.is_too_long() {
            true => None,
            false => read(self.profile, octets, url_end(octets)).err(),
        };
        problem(octets, finding.unwrap_or(RawProblem::TOO_LONG))
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
