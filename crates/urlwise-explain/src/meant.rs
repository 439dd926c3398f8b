//! What a broken text was meant to be, in the words that all reports about it share.
//!
//! The language decides ([`urlwise::verdict`]); nothing here reads a text or makes a fix.

mod diff;
mod help;

pub use help::{Help, refusal, refusal_in};

use std::borrow::Cow;
use std::ops::Range;

use urlwise::{Change, Citation, Diagnosis, Language, Level, Profile, RepairError, Repaired, Suggestion, Verdict};
use urlwise_readings::Reader;

use crate::language::{filled, listed, words};
use crate::secret::Secrets;
use crate::wrap;

/// The longest text that is quoted in a sentence, in octets.
pub const QUOTED: usize = 60;
/// The longest URL that is quoted in a sentence.
const QUOTED_URL: usize = 200;

/// A text and the verdict about it.
#[derive(Debug)]
pub struct Meant<'a> {
    input: &'a [u8],
    profile: Profile,
    /// The host of a text that is refused, as it was diagnosed; empty without a host. `None` if the text is not refused or was not
    /// diagnosed.
    host: Option<&'a [u8]>,
    verdict: Verdict<'a>,
    show_secrets: bool,
    readers: Cow<'static, [Reader]>,
}

impl<'a> Meant<'a> {
    /// Judges a text.
    pub fn of(input: &'a [u8], profile: Profile, show_secrets: bool) -> Self {
        let verdict = urlwise::verdict(input, profile);
        Meant { input, profile, host: None, verdict, show_secrets, readers: Cow::Borrowed(Reader::STANDARDS) }
    }

    /// Judges a text that was diagnosed, which need not be read again for it.
    pub fn of_diagnosis(diagnosis: &Diagnosis<'a>, show_secrets: bool) -> Self {
        let (input, profile, verdict) = (diagnosis.octets(), diagnosis.profile(), diagnosis.verdict());
        let host = match verdict {
            Verdict::Refused(_) => {
                let host = diagnosis.parts().find(|part| part.name() == "host");
                Some(host.map(|part| part.octets()).unwrap_or_default())
            }
            Verdict::Valid { .. } | Verdict::Repaired(_) => None,
        };
        Meant { input, profile, host, verdict, show_secrets, readers: Cow::Borrowed(Reader::STANDARDS) }
    }

    /// Says whether these readers disagree about the text, instead of the three standards.
    pub fn by(self, readers: &[Reader]) -> Self {
        Meant { readers: Cow::Owned(readers.to_vec()), ..self }
    }

    /// The URL of the text, valid or repaired; `None` if it was refused.
    pub fn url(&self) -> Option<&str> {
        match &self.verdict {
            Verdict::Valid { url, .. } => Some(url.as_str()),
            Verdict::Repaired(repaired) => Some(repaired.url().as_str()),
            Verdict::Refused(_) => None,
        }
    }

    /// The one reading of a text that is not valid, or that begins with `URL:`.
    pub fn repaired(&self) -> Option<&Repaired<'a>> {
        match &self.verdict {
            Verdict::Repaired(repaired) => Some(repaired),
            Verdict::Valid { .. } | Verdict::Refused(_) => None,
        }
    }

    /// Why a text is not repaired.
    pub fn refused(&self) -> Option<&RepairError> {
        match &self.verdict {
            Verdict::Refused(refused) => Some(refused),
            Verdict::Valid { .. } | Verdict::Repaired(_) => None,
        }
    }

    /// The repaired URL with its password masked.
    pub fn shown_url(&self) -> Option<String> {
        Some(self.masked(self.repaired()?.url().as_str()))
    }

    /// A URL with its password masked, unless passwords are to be shown.
    pub fn masked(&self, url: &str) -> String {
        Secrets::of_url(url.as_bytes(), self.show_secrets).shown(url.as_bytes(), 0..url.len())
    }

    /// The octets of a fragment, with its `#`, and its label: one that is cut, or the one reading in which it is a fragment (D-86).
    pub fn fragment(&self, language: Language) -> Option<(Range<usize>, Cow<'static, str>)> {
        match &self.verdict {
            Verdict::Repaired(_) => Some((self.change("fragment")?.span(), words!("fragment").get(language))),
            Verdict::Refused(refused)
                if refused.code() == "fragment-ambiguous" && !refused.suggestions().is_empty() =>
            {
                Some((refused.span().start..self.input.len(), words!("fragment?").get(language)))
            }
            Verdict::Refused(_) | Verdict::Valid { .. } => None,
        }
    }

    /// The first change of the repaired URL that has this code.
    pub fn change(&self, code: &str) -> Option<&Change<'a>> {
        self.repaired()?.changes().iter().find(|change| change.code() == code)
    }

    /// The fragment at the end of the text, if cutting it is all that there is to repair.
    pub fn only_fragment(&self) -> Option<Range<usize>> {
        match self.repaired()?.changes() {
            [fragment] if fragment.code() == "fragment" => Some(fragment.span()),
            _ => None,
        }
    }

    /// What a person may be asked.
    pub fn suggestions(&self) -> &[Suggestion] {
        self.verdict.suggestions()
    }

    /// Whether what is said of the whole text replaces the help of a problem. `drawn` are the codes of all its problems.
    pub fn covers(&self, code: &str, level: Level, drawn: &[&str]) -> bool {
        let is_asked = !self.suggestions().is_empty() && ["scheme-trap", "host-scheme"].contains(&code);
        is_asked || level == Level::Error && (self.repaired().is_some() || self.objection(drawn).is_some())
    }

    /// The refusal, if it is about more than the problems say.
    fn objection(&self, drawn: &[&str]) -> Option<&RepairError> {
        self.refused().filter(|refused| !drawn.contains(&refused.code()))
    }

    /// Why there is no URL, and what to do, in one line; `None` if the problems say it.
    pub fn objection_line(&self, drawn: &[&str]) -> Option<String> {
        self.objection_line_in(drawn, Language::En)
    }

    /// [`objection_line`](Meant::objection_line), in a language.
    pub fn objection_line_in(&self, drawn: &[&str], language: Language) -> Option<String> {
        let refused = self.objection(drawn)?;
        let message = refused.message_in(language);
        Some(match refused.help_in(language) {
            Some(help) => filled!(language, "{message}; {help}", message = message, help = help).text(),
            None => message.into_owned(),
        })
    }

    /// The help in one line; `None` if there is nothing to say beyond the problems themselves.
    pub fn line(&self) -> Option<String> {
        self.line_in(Language::En)
    }

    /// [`line`](Meant::line), in a language.
    pub fn line_in(&self, language: Language) -> Option<String> {
        match &self.verdict {
            Verdict::Repaired(repaired) => {
                let url = self.quoted(repaired.url().as_str(), language);
                Some(filled!(language, "`urlwise repair` makes it `{url}`", url = url).text())
            }
            Verdict::Valid { .. } | Verdict::Refused(_) => self.question_in(language),
        }
    }

    /// What a person has to decide; `None` if nothing is suggested.
    pub fn question(&self) -> Option<String> {
        self.question_in(Language::En)
    }

    /// [`question`](Meant::question), in a language.
    pub fn question_in(&self, language: Language) -> Option<String> {
        let urls: Vec<_> = self.suggestions().iter().map(|suggestion| self.suggested(suggestion, language)).collect();
        (!urls.is_empty()).then(|| asked_about(&urls, language))
    }

    /// A suggested URL in backticks, and the option that it needs beside those that are given.
    fn suggested(&self, suggestion: &Suggestion, language: Language) -> String {
        let url = self.quoted(suggestion.url(), language);
        let profile = suggestion.profile();
        if profile != self.profile && urlwise::Url::parse_with(suggestion.url(), self.profile).is_err() {
            let profile = profile.name();
            filled!(language, "`{url}` (with `--profile {profile}`)", url = url, profile = profile).text()
        } else {
            format!("`{url}`")
        }
    }

    fn quoted(&self, url: &str, language: Language) -> String {
        wrap::elide_in(&self.masked(url), QUOTED_URL, language)
    }
}

/// Which of these URLs was meant.
fn asked_about(urls: &[String], language: Language) -> String {
    let urls = listed(urls, [words!(" or "); 2], language);
    filled!(language, "did you mean {urls}?", urls = urls).text()
}

/// The section and the decision behind a change or a refusal: `section 2.2, D-10`.
pub fn source(section: &str, decision: Option<&str>) -> String {
    Citation::new(section, decision).to_string()
}

/// Something that is said, and where it is written.
fn cited(message: &str, section: &str, decision: Option<&str>, language: Language) -> String {
    let citation = Citation::new(section, decision).display_in(language);
    filled!(language, "{message} ({citation})", message = message, citation = citation).text()
}

/// The changes that lead from a text to a URL, with the octets that each stands for in the URL.
pub fn placed<'c, 'a>(changes: &'c [Change<'a>]) -> impl Iterator<Item = (&'c Change<'a>, Range<usize>)> {
    let (mut read, mut written) = (0, 0);
    changes.iter().map(move |change| {
        let start = written + (change.span().start - read);
        read = change.span().end;
        written = start + change.now().len();
        (change, start..written)
    })
}

/// What a change does and why: "removed `<`: `<` and `>` delimit a URL and are not part of it (Appendix, D-67)".
pub fn sentence(change: &Change<'_>, now: &Range<usize>, before: &Secrets, after: &Secrets) -> String {
    sentence_in(change, now, before, after, Language::En)
}

/// [`sentence`], in a language.
pub fn sentence_in(
    change: &Change<'_>,
    now: &Range<usize>,
    before: &Secrets,
    after: &Secrets,
    language: Language,
) -> String {
    let done = done(change, now, before, after, language);
    filled!(language, "{done}: {why}", done = done, why = why(change, language)).text()
}

/// What a change does: "removed `<`".
///
/// `before` and `after` are the passwords of the text and of the repaired URL: a slip may hide a login or make one.
fn done(change: &Change<'_>, now: &Range<usize>, before: &Secrets, after: &Secrets, language: Language) -> String {
    match (change.was(), change.now()) {
        _ if before.touch(&change.span()) || after.touch(now) => {
            words!("changed a password (masked)").get(language).into()
        }
        (was, "") => filled!(language, "removed `{was}`", was = shown(was, language)).text(),
        ([], now) => filled!(language, "inserted `{now}`", now = shown(now.as_bytes(), language)).text(),
        (was, now) => {
            let (was, now) = (shown(was, language), shown(now.as_bytes(), language));
            filled!(language, "replaced `{was}` with `{now}`", was = was, now = now).text()
        }
    }
}

/// Why a change is made, and the rule.
fn why(change: &Change<'_>, language: Language) -> String {
    cited(&change.message_in(language), change.section(), change.decision(), language)
}

fn shown(octets: &[u8], language: Language) -> String {
    Secrets::default().elided_in(octets, 0..octets.len(), QUOTED, language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggestion_names_a_profile_only_if_the_one_in_use_does_not_read_it() {
        let question = |text: &str, profile| Meant::of(text.as_bytes(), profile, false).question();
        assert_eq!(question("hxxp://a[.]b[.]", Profile::Current).as_deref(), Some("did you mean `http://a.b.`?"));
        // The strict profile has no final dot of a host, and is not asked to read one.
        assert_eq!(question("hxxp://a[.]b[.]", Profile::Rfc1738).as_deref(), Some("did you mean `http://a.b`?"));
        let address = "http://[::1/";
        assert_eq!(question(address, Profile::Current).as_deref(), Some("did you mean `http://[::1]/`?"));
        let named = "did you mean `http://[::1]/` (with `--profile current`)?";
        assert_eq!(question(address, Profile::Rfc1738).as_deref(), Some(named));
    }

    #[test]
    fn a_question_names_what_is_suggested_or_is_not_asked() {
        let question = |text: &str| Meant::of(text.as_bytes(), Profile::Rfc1738, false).question();
        let asked = question("http://host[.]dom/x[.]html");
        assert_eq!(asked.as_deref(), Some("did you mean `http://host.dom/x.html`?"));
        let asked = question("ftp://host.dom/a&lt;b");
        assert_eq!(asked.as_deref(), Some("did you mean `ftp://host.dom/a%3Cb` or `ftp://host.dom/a&lt%3Bb`?"));
        assert_eq!(question("http://host.dom/"), None);
    }
}
