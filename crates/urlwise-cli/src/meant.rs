//! What a broken text was meant to be, in the words that `explain`, `repair`, `check` and `get` share.
//!
//! The language decides ([`urlwise::verdict`]); nothing here reads a text or makes a fix.

pub(crate) mod diff;
mod help;

pub(crate) use help::refusal;

use std::ops::Range;

use serde_json::Value;
use urlwise::{Change, Citation, Level, Profile, RepairError, Repaired, Suggestion, Verdict};

use crate::explain::wrap;
use crate::json::Object;
use crate::secret::{self, Secrets};

/// The longest text that is quoted in a sentence, in octets.
pub(crate) const QUOTED: usize = 60;
/// A longer URL is not repeated in the JSON of an explanation.
const LONG_URL: usize = 4 << 10;
/// The longest URL that is quoted in a sentence.
const QUOTED_URL: usize = 200;

/// A text and the verdict about it.
pub(crate) struct Meant<'a> {
    input: &'a [u8],
    profile: Profile,
    verdict: Verdict<'a>,
    show_secrets: bool,
}

impl<'a> Meant<'a> {
    /// Judges a text.
    pub(crate) fn of(input: &'a [u8], profile: Profile, show_secrets: bool) -> Self {
        Meant { input, profile, verdict: urlwise::verdict(input, profile), show_secrets }
    }

    /// The URL of the text, valid or repaired; `None` if it was refused.
    pub(crate) fn url(&self) -> Option<&str> {
        match &self.verdict {
            Verdict::Valid { url, .. } => Some(url.as_str()),
            Verdict::Repaired(repaired) => Some(repaired.url().as_str()),
            Verdict::Refused(_) => None,
        }
    }

    /// The one reading of a text that is not valid, or that begins with `URL:`.
    pub(crate) fn repaired(&self) -> Option<&Repaired<'a>> {
        match &self.verdict {
            Verdict::Repaired(repaired) => Some(repaired),
            Verdict::Valid { .. } | Verdict::Refused(_) => None,
        }
    }

    /// Why a text is not repaired.
    pub(crate) fn refused(&self) -> Option<&RepairError> {
        match &self.verdict {
            Verdict::Refused(refused) => Some(refused),
            Verdict::Valid { .. } | Verdict::Repaired(_) => None,
        }
    }

    /// The repaired URL with its password masked.
    pub(crate) fn shown_url(&self) -> Option<String> {
        Some(secret::masked(self.repaired()?.url().as_str().as_bytes(), self.show_secrets))
    }

    /// The suggestions as JSON, with their passwords masked.
    pub(crate) fn shown_suggestions(&self) -> Vec<Value> {
        let short = self.suggestions().iter().filter(|suggestion| suggestion.url().len() <= LONG_URL);
        short.map(|one| suggestion_object(&secret::masked(one.url().as_bytes(), self.show_secrets), one)).collect()
    }

    /// The octets of a fragment, with its `#`, and its label: one that is cut, or the one reading in which it is a fragment (D-86).
    pub(crate) fn fragment(&self) -> Option<(Range<usize>, &'static str)> {
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
    pub(crate) fn change(&self, code: &str) -> Option<&Change<'a>> {
        self.repaired()?.changes().iter().find(|change| change.code() == code)
    }

    /// The fragment at the end of the text, if cutting it is all that there is to repair.
    pub(crate) fn only_fragment(&self) -> Option<Range<usize>> {
        match self.repaired()?.changes() {
            [fragment] if fragment.code() == "fragment" => Some(fragment.span()),
            _ => None,
        }
    }

    /// What a person may be asked.
    pub(crate) fn suggestions(&self) -> &[Suggestion] {
        self.verdict.suggestions()
    }

    /// Whether what is said of the whole text replaces the help of a problem. `drawn` are the codes of all its problems.
    pub(crate) fn covers(&self, code: &str, level: Level, drawn: &[&str]) -> bool {
        let is_asked = !self.suggestions().is_empty() && ["scheme-trap", "host-scheme"].contains(&code);
        is_asked || level == Level::Error && (self.repaired().is_some() || self.objection(drawn).is_some())
    }

    /// The refusal, if it is about more than the problems say.
    fn objection(&self, drawn: &[&str]) -> Option<&RepairError> {
        self.refused().filter(|refused| !drawn.contains(&refused.code()))
    }

    /// Why there is no URL, and what to do, in one line; `None` if the problems say it.
    pub(crate) fn objection_line(&self, drawn: &[&str]) -> Option<String> {
        let refused = self.objection(drawn)?;
        let help = refused.help().map(|help| format!("; {help}")).unwrap_or_default();
        Some(format!("{}{help}", refused.message()))
    }

    /// The help in one line; `None` if there is nothing to say beyond the problems themselves.
    pub(crate) fn line(&self) -> Option<String> {
        match &self.verdict {
            Verdict::Repaired(repaired) => {
                Some(format!("`urlwise repair` makes it `{}`", self.quoted(repaired.url().as_str())))
            }
            Verdict::Valid { .. } | Verdict::Refused(_) => self.question(),
        }
    }

    /// What a person has to decide; `None` if nothing is suggested.
    pub(crate) fn question(&self) -> Option<String> {
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
        wrap::elide(&secret::masked(url.as_bytes(), self.show_secrets), QUOTED_URL)
    }
}

impl Meant<'_> {
    /// The verdict for programs, with passwords masked: `repaired`, `refused` and `suggestions`.
    pub(crate) fn object(&self) -> Object {
        let mut object = Object::new();
        // `repair` prints a longer one.
        let url = self.repaired().map(|repaired| repaired.url().as_str()).filter(|url| url.len() <= LONG_URL);
        object.insert("repaired".into(), url.map(|url| secret::masked(url.as_bytes(), self.show_secrets)).into());
        object.insert("refused".into(), self.refused().map(refused).into());
        object.insert("suggestions".into(), self.shown_suggestions().into());
        object
    }
}

/// Why a text is not repaired, as JSON.
pub(crate) fn refused(refused: &RepairError) -> Object {
    let mut object = Object::new();
    object.insert("code".into(), refused.code().into());
    object.insert("span".into(), vec![refused.span().start, refused.span().end].into());
    object.insert("section".into(), refused.section().into());
    object.insert("decision".into(), refused.decision().into());
    object.insert("message".into(), refused.message().into());
    object.insert("help".into(), refused.help().into());
    object
}

/// A URL that may have been meant, as JSON.
pub(crate) fn suggestion(suggestion: &Suggestion) -> Value {
    suggestion_object(suggestion.url(), suggestion)
}

fn suggestion_object(url: &str, suggestion: &Suggestion) -> Value {
    let mut object = Object::new();
    object.insert("url".into(), url.into());
    object.insert("profile".into(), suggestion.profile().name().into());
    object.insert("why".into(), suggestion.why().into());
    object.into()
}

/// The section and the decision behind a change or a refusal: `section 2.2, D-10`.
pub(crate) fn source(section: &str, decision: Option<&str>) -> String {
    Citation::new(section, decision).to_string()
}

/// The changes that lead from a text to a URL, with the octets that each stands for in the URL.
pub(crate) fn placed<'c, 'a>(changes: &'c [Change<'a>]) -> impl Iterator<Item = (&'c Change<'a>, Range<usize>)> {
    let (mut read, mut written) = (0, 0);
    changes.iter().map(move |change| {
        let start = written + (change.span().start - read);
        read = change.span().end;
        written = start + change.now().len();
        (change, start..written)
    })
}

/// What a change does and why: "removed `<`: `<` and `>` delimit a URL and are not part of it (Appendix, D-67)".
pub(crate) fn sentence(change: &Change<'_>, now: &Range<usize>, before: &Secrets, after: &Secrets) -> String {
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
    wrap::elide(&urlwise::escape_for_display(octets).to_string(), QUOTED)
}
