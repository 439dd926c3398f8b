//! [`verdict`]: what a text was meant to be, decided in one place.

use super::{RepairError, Repaired, read};
use crate::profile::Profile;
use crate::url::Url;

/// What a text is, or was probably meant to be.
///
/// Whoever shows, checks, rewrites or opens a text asks this one function, so that the answers agree: what `explain` draws as
/// the repaired URL is what [`repair()`](crate::repair()) returns.
///
/// ```
/// use urlwise::{Profile, Verdict, verdict};
///
/// assert!(matches!(verdict("http://host.dom/", Profile::Rfc1738), Verdict::Valid(_)));
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
    match (read(input, profile), Url::from_octets(profile, input)) {
        (Ok(repaired), Ok(url)) if repaired.changes().is_empty() => Verdict::Valid(url),
        (Ok(repaired), _) => Verdict::Repaired(repaired),
        (Err(refused), _) => Verdict::Refused(refused),
    }
}

/// The answer of [`verdict`].
#[must_use]
#[derive(Clone, Debug)]
pub enum Verdict<'a> {
    /// A valid URL of the profile. It may have problems that are warnings or notes.
    Valid(Url<&'a str>),
    /// Not a valid URL, or one behind the prefix `URL:`, with one reading: this URL. Nothing was guessed, and readers by RFC
    /// 3986 and WHATWG that see a host in the text see the host of this URL.
    Repaired(Repaired<'a>),
    /// Not a valid URL. It has several readings or none, or only a guess: see [`RepairError::suggestions`].
    Refused(RepairError),
}
