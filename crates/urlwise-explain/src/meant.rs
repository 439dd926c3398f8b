//! What a broken text was meant to be, in the words that all reports about it share.
//!
//! The language decides ([`urlwise::verdict`]); nothing here reads a text or makes a fix.

mod diff;
mod help;

pub use help::{Help, refusal};

use std::borrow::Cow;
use std::ops::Range;

use urlwise::{Change, Citation, Level, Profile, RepairError, Repaired, Suggestion, Verdict};
use urlwise_readings::Reader;

use crate::secret::{self, Secrets};
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
    verdict: Verdict<'a>,
    show_secrets: bool,
    readers: Cow<'static, [Reader]>,
}

impl<'a> Meant<'a> {
    /// Judges a text.
    pub fn of(input: &'a [u8], profile: Profile, show_secrets: bool) -> Self {
        let verdict = urlwise::verdict(input, profile);
        Meant { input, profile, verdict, show_secrets, readers: Cow::Borrowed(Reader::STANDARDS) }
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
        secret::masked(url.as_bytes(), self.show_secrets)
    }

    /// The octets of a fragment, with its `#`, and its label: one that is cut, or the one reading in which it is a fragment (D-86).
    pub fn fragment(&self) -> Option<(Range<usize>, &'static str)> {
        match &self.verdict {
            Verdict::Repaired(_) => Some((self.change("fragment")?.span(), "fragment")),
            Verdict::Refused(refused)
                if refused.code() == "fragment-ambiguous" && !refused.suggestions().is_empty() =>
            {
                Some((refused.span().start..self.input.len(), "fragment?"))
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
        let refused = self.objection(drawn)?;
        let help = refused.help().map(|help| format!("; {help}")).unwrap_or_default();
        Some(format!("{}{help}", refused.message()))
    }

    /// The help in one line; `None` if there is nothing to say beyond the problems themselves.
    pub fn line(&self) -> Option<String> {
        match &self.verdict {
            Verdict::Repaired(repaired) => {
                Some(format!("`urlwise repair` makes it `{}`", self.quoted(repaired.url().as_str())))
            }
            Verdict::Valid { .. } | Verdict::Refused(_) => self.question(),
        }
    }

    /// What a person has to decide; `None` if nothing is suggested.
    pub fn question(&self) -> Option<String> {
        match self.suggestions() {
            [] => None,
            [one] => Some(format!("did you mean {}?", self.suggested(one))),
            several => {
                let urls: Vec<_> = several.iter().map(|suggestion| self.suggested(suggestion)).collect();
                Some(format!("did you mean {}?", urls.join(" or ")))
            }
        }
    }

    /// A suggested URL in backticks, and the option that it needs.
    fn suggested(&self, suggestion: &Suggestion) -> String {
        let url = self.quoted(suggestion.url());
        if suggestion.profile() != Profile::Rfc1738 && urlwise::Url::parse(suggestion.url()).is_err() {
            format!("`{url}` (with `--profile {}`)", suggestion.profile().name())
        } else {
            format!("`{url}`")
        }
    }

    fn quoted(&self, url: &str) -> String {
        wrap::elide(&self.masked(url), QUOTED_URL)
    }
}

/// The section and the decision behind a change or a refusal: `section 2.2, D-10`.
pub fn source(section: &str, decision: Option<&str>) -> String {
    Citation::new(section, decision).to_string()
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
    format!("{}: {}", done(change, now, before, after), why(change))
}

/// What a change does: "removed `<`".
///
/// `before` and `after` are the passwords of the text and of the repaired URL: a slip may hide a login or make one.
fn done(change: &Change<'_>, now: &Range<usize>, before: &Secrets, after: &Secrets) -> String {
    match (change.was(), change.now()) {
        _ if before.touch(&change.span()) || after.touch(now) => "changed a password (masked)".into(),
        (was, "") => format!("removed `{}`", shown(was)),
        ([], now) => format!("inserted `{}`", shown(now.as_bytes())),
        (was, now) => format!("replaced `{}` with `{}`", shown(was), shown(now.as_bytes())),
    }
}

/// Why a change is made, and the rule.
fn why(change: &Change<'_>) -> String {
    format!("{} ({})", change.message(), source(change.section(), change.decision()))
}

fn shown(octets: &[u8]) -> String {
    Secrets::default().elided(octets, 0..octets.len(), QUOTED)
}
