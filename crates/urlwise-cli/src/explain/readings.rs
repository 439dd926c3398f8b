//! How a text is read where RFC 1738 and its successors differ (D-88): one profile judges it, and the other is named beside it.

use std::ops::Range;

use urlwise::{Diagnosis, Level, Profile, Scheme, diagnose};

use super::meaning;

/// One text under the profiles that were asked for.
pub(crate) struct Readings<'a> {
    /// Its problems are drawn, and the repaired URL is valid in its profile.
    pub(super) judged: Diagnosis<'a>,
    /// The same text under the other profile; `None` if a profile was asked for.
    pub(super) other: Option<Diagnosis<'a>>,
}

/// The profile that judges a text if none was asked for: `rfc1738`, or `current` for a scheme that only `current` knows.
pub(crate) fn profile_of(octets: &[u8]) -> Profile {
    let name = octets.split(|&octet| octet == b':').next().unwrap_or_default();
    let is_known = |profile| Scheme::from_name(name, profile) != Scheme::Other;
    match !is_known(Profile::Rfc1738) && is_known(Profile::Current) {
        true => Profile::Current,
        false => Profile::Rfc1738,
    }
}

impl<'a> Readings<'a> {
    /// Reads a text under the profile that was asked for, or under both.
    pub(crate) fn of(octets: &'a [u8], asked: Option<Profile>) -> Self {
        let judge = asked.unwrap_or_else(|| profile_of(octets));
        let other = match (asked, judge) {
            (Some(_), _) => None,
            (None, Profile::Rfc1738) => Some(Profile::Current),
            (None, Profile::Current) => Some(Profile::Rfc1738),
        };
        Readings { judged: diagnose(octets, judge), other: other.map(|profile| diagnose(octets, profile)) }
    }

    /// The reading whose parts and meaning are drawn: a valid one if there is one.
    pub(super) fn drawn(&self) -> &Diagnosis<'a> {
        match &self.other {
            Some(other) if !self.judged.is_valid() && other.is_valid() => other,
            Some(_) | None => &self.judged,
        }
    }

    /// What the drawn sentence does not say: the verdict, and how the other profile differs. Empty if nothing is to be said.
    pub(super) fn verdict(&self) -> String {
        let found = count(&self.judged);
        let other = self.other.as_ref();
        match (self.judged.profile(), self.judged.is_valid(), other.map(Diagnosis::is_valid)) {
            (Profile::Rfc1738, true, None) | (Profile::Current, true, None) => String::new(),
            (Profile::Rfc1738, false, None) => format!("Not a valid RFC 1738 URL: {found}."),
            (Profile::Current, false, None) => format!("Not a valid URL under the profile `current`: {found}."),
            (Profile::Rfc1738, false, Some(true)) => {
                format!("Valid today (profile `current`), but not a valid RFC 1738 URL: {found}.")
            }
            (Profile::Rfc1738, false, Some(false)) => match other.filter(|other| errors(other) != errors(&self.judged))
            {
                Some(other) => {
                    format!("Not a valid RFC 1738 URL: {found}; under the profile `current`: {}.", count(other))
                }
                None => format!("Not a valid RFC 1738 URL: {found}."),
            },
            (Profile::Rfc1738, true, Some(true)) => self.difference(),
            (Profile::Rfc1738, true, Some(false)) => {
                "A valid RFC 1738 URL, but not valid today; `--profile current` shows why.".into()
            }
            (Profile::Current, true, Some(_)) => format!("Valid today (profile `current`). {}", self.unknown()),
            (Profile::Current, false, Some(_)) => {
                format!("Not a valid URL under the profile `current`: {found}. {}", self.unknown())
            }
        }
    }

    /// What RFC 1738 itself makes of a scheme that only its successors know.
    fn unknown(&self) -> String {
        let name = String::from_utf8_lossy(self.judged.scheme_name().unwrap_or_default()).to_ascii_lowercase();
        let letter = match &self.other {
            Some(letter) if !letter.is_valid() => format!("not valid: {}", count(letter)),
            Some(_) | None => "valid, with no meaning".into(),
        };
        format!("RFC 1738 itself does not know the scheme `{name}`; by its generic syntax the URL is {letter} (D-71).")
    }

    /// How `current` reads a URL that is valid in both profiles.
    fn difference(&self) -> String {
        let urls = self.judged.url().zip(self.other.as_ref().and_then(Diagnosis::url));
        let Some((letter, today)) = urls else { return String::new() };
        let today = meaning::meaning(&today);
        match today == meaning::meaning(&letter) {
            true => String::new(),
            false => format!("Read by the profile `current`: {today}"),
        }
    }
}

/// The errors by which profiles differ: their codes and places.
fn errors(diagnosis: &Diagnosis<'_>) -> Vec<(&'static str, Range<usize>)> {
    let errors = diagnosis.problems().iter().filter(|problem| problem.level() == Level::Error);
    errors.map(|problem| (problem.code(), problem.span())).collect()
}

/// `2 errors`.
fn count(diagnosis: &Diagnosis<'_>) -> String {
    match errors(diagnosis).len() {
        1 => "1 error".into(),
        count => format!("{count} errors"),
    }
}
