//! References: a URL and the fragment that may follow it (section 2.2, Appendix, D-08).

use core::fmt;

use crate::encoded::Encoded;
use crate::grammar::FRAGMENT;
use crate::layout::Layout;
use crate::problem::{Finding, Problem};
use crate::profile::Profile;
use crate::reader::{self, Until};
use crate::url::{Url, layout_of};

/// A URL with the fragment identifier that may follow it after a `#`.
///
/// A fragment is no part of a URL: it stays with the reader and is never sent. [`Url::parse`] refuses the `#`; here the text
/// is cut at the first one.
///
/// ```
/// use urlwise::Reference;
///
/// let reference = Reference::parse("http://ds.internic.net/instructions/overview.html#WARNING")?;
/// assert_eq!(reference.url().as_str(), "http://ds.internic.net/instructions/overview.html");
/// assert_eq!(reference.fragment().unwrap(), "WARNING");
/// # Ok::<(), urlwise::ReferenceError<'_>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reference<'a> {
    url: Url<&'a str>,
    fragment: Option<Encoded<'a>>,
}

impl<'a> Reference<'a> {
    /// Reads a reference by the letter of RFC 1738.
    ///
    /// # Errors
    /// The first problem of the URL, else of the fragment, which is `*( uchar | reserved )` as in RFC 1808 section 2.2.
    pub fn parse(text: &'a str) -> Result<Self, ReferenceError<'a>> {
        Reference::parse_with(Profile::Rfc1738, text)
    }

    /// Reads a reference by the grammar of a profile.
    ///
    /// # Errors
    /// As for [`parse`](Reference::parse).
    pub fn parse_with(profile: Profile, text: &'a str) -> Result<Self, ReferenceError<'a>> {
        let end = text.bytes().position(|octet| octet == b'#').unwrap_or(text.len());
        match read(profile, text, end) {
            Ok(layout) => {
                let fragment = text.get(end + 1..).map(Encoded::new);
                Ok(Reference { url: Url::from_layout(&text[..end], layout), fragment })
            }
            Err(finding) => Err(ReferenceError { text, finding }),
        }
    }

    /// The URL, without the fragment.
    pub fn url(&self) -> &Url<&'a str> {
        &self.url
    }

    /// What follows the `#`; `None` without one, empty in `http://host/#`.
    pub fn fragment(&self) -> Option<Encoded<'a>> {
        self.fragment
    }
}

/// Reads a reference whose URL ends at `end`, where the `#` is if there is one.
pub(crate) fn read(profile: Profile, text: &str, end: usize) -> Result<Layout, Finding> {
    let layout = layout_of(&text.as_bytes()[..end], profile)?;
    match end < text.len() {
        true => fragment_error(profile, text, end).map_or(Ok(layout), Err),
        false => Ok(layout),
    }
}

/// What is wrong with the fragment of a reference whose `#` is at `end`.
pub(crate) fn fragment_error(profile: Profile, text: &str, end: usize) -> Option<Finding> {
    let fragment = reader::explain(text.as_bytes(), profile, |reader| {
        reader.at = end + 1;
        reader.scan(&FRAGMENT, Until::End)
    });
    fragment.err()
}

/// What keeps the text from being a reference; spans count from its start.
pub(crate) fn problem(text: &str, finding: Finding) -> Problem<'_> {
    // An octet of the URL that is at its end is not at the end of the text, and must not look so.
    let end = match finding.rule {
        Some(rule) if *rule == FRAGMENT => text.len(),
        _ => text.find('#').unwrap_or(text.len()),
    };
    Problem::new(&text.as_bytes()[..end], finding)
}

impl fmt::Display for Reference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.url.as_str())?;
        match self.fragment {
            Some(fragment) => write!(f, "#{fragment}"),
            None => Ok(()),
        }
    }
}

/// The text is not a reference: the first problem of its URL or its fragment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ReferenceError<'a> {
    text: &'a str,
    finding: Finding,
}

impl<'a> ReferenceError<'a> {
    /// What is wrong; spans count from the start of the whole text.
    pub fn problem(&self) -> Problem<'a> {
        problem(self.text, self.finding)
    }
}

impl fmt::Display for ReferenceError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem().fmt(f)
    }
}

impl fmt::Debug for ReferenceError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReferenceError({})", self.problem())
    }
}

impl core::error::Error for ReferenceError<'_> {}
