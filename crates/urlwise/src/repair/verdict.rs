//! [`verdict`]: what a text was meant to be, decided in one place.

use alloc::vec::Vec;

use super::change::Repaired;
use super::error::{RepairError, Suggestion};
use super::octets::has_prefix;
use super::reading::{doubts, read};
use crate::diagnosis::Diagnosis;
use crate::profile::Profile;
use crate::url::Url;

/// What a text is, or was probably meant to be.
///
/// All code that shows, checks, rewrites or opens a text asks this one function, so that the answers agree: what `explain` draws as
/// the repaired URL is what [`repair()`](crate::repair()) returns.
///
/// ```
/// use urlwise::{Profile, Verdict, verdict};
///
/// assert!(matches!(verdict("http://host.dom/", Profile::Rfc1738), Verdict::Valid { .. }));
///
/// let Verdict::Repaired(repaired) = verdict("http://host.dom/a b", Profile::Rfc1738) else { unreachable!() };
/// assert_eq!(repaired.url().as_str(), "http://host.dom/a%20b");
///
/// let Verdict::Refused(refused) = verdict("http://host.dom\\@evil.dom/", Profile::Rfc1738) else { unreachable!() };
/// assert_eq!((refused.code(), refused.span()), ("backslash", 15..16));
/// ```
///
/// Runs in time and memory linear in the input.
pub fn verdict<I: AsRef<[u8]> + ?Sized>(input: &I, profile: Profile) -> Verdict<'_> {
    let input = input.as_ref();
    decided(input, profile, Url::accept(input, profile), None)
}

impl<'a> Diagnosis<'a> {
    /// The [`verdict`] about the text, which need not be read again for it.
    ///
    /// ```
    /// use urlwise::{Profile, Verdict, diagnose};
    ///
    /// let diagnosis = diagnose("http://host.dom/a b", Profile::Rfc1738);
    /// let Verdict::Repaired(repaired) = diagnosis.verdict() else { unreachable!() };
    /// assert_eq!(repaired.url().as_str(), "http://host.dom/a%20b");
    /// ```
    pub fn verdict(&self) -> Verdict<'a> {
        decided(self.octets(), self.profile(), self.url(), Some(self))
    }
}

/// The verdict about a text that is this URL, if it is one. `known` is how it was read, where it was.
fn decided<'a>(
    input: &'a [u8],
    profile: Profile,
    url: Option<Url<&'a str>>,
    known: Option<&Diagnosis<'a>>,
) -> Verdict<'a> {
    let valid = |url: Url<&'a str>| Verdict::Valid { suggestions: doubts(url.as_str(), profile), url };
    match url {
        // What most texts are: no copy is made of them.
        Some(url) if !has_prefix(input) => valid(url),
        url => match (read(input, profile, known), url) {
            (Ok(repaired), Some(url)) if repaired.changes().is_empty() => valid(url),
            (Ok(repaired), _) => Verdict::Repaired(repaired),
            (Err(refused), _) => Verdict::Refused(refused),
        },
    }
}

/// The answer of [`verdict`]. There will be no others: a text is valid, or has one repaired URL, or is refused.
#[must_use]
#[derive(Clone, Debug)]
pub enum Verdict<'a> {
    /// A valid URL of the profile. It may have problems that are warnings or notes.
    Valid {
        /// The URL, as it is written.
        url: Url<&'a str>,
        /// What may have been meant instead: `htp://host.dom/` is valid, and hardly meant. Mostly empty.
        suggestions: Vec<Suggestion>,
    },
    /// Not a valid URL, or one behind the prefix `URL:`, with one reading: this URL. Nothing was guessed, and readers by RFC
    /// 3986 and WHATWG that see a host in the text see the host of this URL.
    Repaired(Repaired<'a>),
    /// Not a valid URL. It has several readings or none, or only a guess: see [`RepairError::suggestions`].
    Refused(RepairError),
}

impl<'a> Verdict<'a> {
    /// What a person may be asked: "did you mean ...?". Empty for a repaired URL, which is not a guess.
    pub fn suggestions(&self) -> &[Suggestion] {
        match self {
            Verdict::Valid { suggestions, .. } => suggestions,
            Verdict::Repaired(_) => &[],
            Verdict::Refused(refused) => refused.suggestions(),
        }
    }

    /// The URL of the text, valid or repaired; `None` if it was refused.
    pub fn url(&self) -> Option<Url<&str>> {
        match self {
            Verdict::Valid { url, .. } => Some(*url),
            Verdict::Repaired(repaired) => Some(repaired.url().borrow()),
            Verdict::Refused(_) => None,
        }
    }
}
