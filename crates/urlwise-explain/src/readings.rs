//! How a text is read where RFC 1738 and its successors differ (D-88): one profile judges it, and the other is named beside it.

use std::ops::Range;

use urlwise::{Diagnosis, Language, Level, Profile, Scheme, diagnose};

use crate::ends::Ends;
use crate::explanation::Row;
use crate::language::{filled, words};
use crate::meaning::meaning;
use crate::secret::Secrets;
use crate::text::SENTENCE;

/// One text under the profiles that were asked for.
#[derive(Debug)]
pub struct Readings<'a> {
    judged: Diagnosis<'a>,
    other: Option<Diagnosis<'a>>,
}

/// The profile that judges a text if none was asked for: `rfc1738`, or `current` for a scheme that only `current` knows.
pub fn profile_of(octets: &[u8]) -> Profile {
    let name = octets.split(|&octet| octet == b':').next().unwrap_or_default();
    let is_known = |profile| Scheme::from_name(name, profile) != Scheme::Other;
    match !is_known(Profile::Rfc1738) && is_known(Profile::Current) {
        true => Profile::Current,
        false => Profile::Rfc1738,
    }
}

impl<'a> Readings<'a> {
    /// Reads a text under the profile that was asked for, or under both.
    pub fn of(octets: &'a [u8], asked: Option<Profile>) -> Self {
        let judge = asked.unwrap_or_else(|| profile_of(octets));
        let other = match (asked, judge) {
            (Some(_), _) => None,
            (None, Profile::Rfc1738) => Some(Profile::Current),
            (None, Profile::Current) => Some(Profile::Rfc1738),
        };
        Readings { judged: diagnose(octets, judge), other: other.map(|profile| diagnose(octets, profile)) }
    }

    /// The reading that judges the text: its problems are drawn, and the repaired URL is valid in its profile.
    pub fn judged(&self) -> &Diagnosis<'a> {
        &self.judged
    }

    /// The same text under the other profile; `None` if a profile was asked for.
    pub fn other(&self) -> Option<&Diagnosis<'a>> {
        self.other.as_ref()
    }

    /// The reading whose parts and meaning are drawn: a valid one if there is one.
    pub fn drawn(&self) -> &Diagnosis<'a> {
        match &self.other {
            Some(other) if !self.judged.is_valid() && other.is_valid() => other,
            Some(_) | None => &self.judged,
        }
    }

    /// The reading by which the URL is opened: that of the profile that was asked for, else today's.
    pub fn opened(&self) -> &Diagnosis<'a> {
        match &self.other {
            Some(other) if self.judged.profile() != Profile::Current => other,
            Some(_) | None => &self.judged,
        }
    }

    /// The verdict in one sentence; `None` if the text is valid. It stands where profiles do not differ about the text.
    pub fn verdict(&self) -> Option<String> {
        self.verdict_in(Language::En)
    }

    /// [`verdict`](Readings::verdict), in a language.
    pub fn verdict_in(&self, language: Language) -> Option<String> {
        if self.judged.is_valid() {
            return None;
        }
        let found = count(&self.judged, language);
        let verdict = match self.judged.profile() {
            Profile::Rfc1738 => words!("Not a valid RFC 1738 URL: {found}."),
            Profile::Current => words!("Not a valid URL under the profile `current`: {found}."),
        };
        Some(verdict.filled(language, |_, f| f.write_str(&found)).to_string())
    }

    /// Whether the text is a URL under both profiles, and the same one. What most URLs are.
    pub(crate) fn are_alike(&self) -> bool {
        let is_alike = |other: &Diagnosis<'_>| other.is_valid() && self.judged.reads_alike(other);
        self.judged.is_valid() && self.other.as_ref().is_some_and(is_alike)
    }

    /// What each profile makes of the text, today's first. Empty where they agree, and if one was asked for. `drawn` is the meaning
    /// of the reading that is drawn.
    pub(crate) fn side_by_side(&self, drawn: Option<&Ends>, secrets: &Secrets, language: Language) -> Vec<Row> {
        let valid = words!("valid");
        let Some(other) = &self.other else { return Vec::new() };
        let (letter, today) = match self.judged.profile() {
            Profile::Rfc1738 => (&self.judged, other),
            Profile::Current => (other, &self.judged),
        };
        if self.are_alike() {
            return Vec::new();
        }
        // A scheme that RFC 1738 does not define has no meaning there.
        let is_new = self.judged.profile() == Profile::Current;
        let [read_today, read_by_letter] = match (today.url(), letter.url()) {
            (Some(_), Some(_)) if is_new => {
                let name = String::from_utf8_lossy(today.scheme_name().unwrap_or_default()).to_ascii_lowercase();
                let generic = filled!(
                    language,
                    "valid by its generic syntax, but RFC 1738 does not define `{name}` (D-71)",
                    name = name,
                );
                [valid.get(language).into(), generic.to_string()]
            }
            (Some(today), Some(letter)) => {
                // Where both are valid, the letter's is drawn.
                if drawn.is_some_and(|drawn| drawn.is_of(meaning(&today, language))) {
                    return Vec::new();
                }
                [today, letter].map(|url| {
                    let meaning = meaning(&url, language);
                    Ends::of(filled!(language, "valid: {meaning}", meaning = meaning))
                        .shown(secrets, SENTENCE, language)
                })
            }
            (None, None) if !is_new && errors(today) == errors(letter) => return Vec::new(),
            (_, _) => [today, letter].map(|reading| match (reading.is_valid(), reading.profile()) {
                (true, _) => valid.get(language).into(),
                (false, profile) if profile == self.judged.profile() => {
                    filled!(language, "not valid: {found}", found = count(reading, language)).text()
                }
                (false, profile) => filled!(
                    language,
                    "not valid: {found}; `--profile {profile}` shows more",
                    found = count(reading, language),
                    profile = profile.name(),
                )
                .text(),
            }),
        };
        vec![(Profile::Current.name(), read_today), (Profile::Rfc1738.name(), read_by_letter)]
    }
}

/// The errors by which profiles differ: their codes and places.
fn errors(diagnosis: &Diagnosis<'_>) -> Vec<(&'static str, Range<usize>)> {
    let errors = diagnosis.problems().iter().filter(|problem| problem.level() == Level::Error);
    errors.map(|problem| (problem.code(), problem.span())).collect()
}

/// `2 errors`.
fn count(diagnosis: &Diagnosis<'_>, language: Language) -> String {
    match errors(diagnosis).len() {
        1 => words!("1 error").get(language).into(),
        count => filled!(language, "{count} errors", count = count).text(),
    }
}
