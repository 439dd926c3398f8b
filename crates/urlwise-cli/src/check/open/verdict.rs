//! What is found out about a link, and the rules by which it is reported (D-104).

use std::borrow::Cow;
use std::time::Duration;

use urlwise::{Level, Url};
use urlwise_open::{Cause, Probe, ProbeVerdict};

use crate::hint;
use crate::secret;

/// Whether a link works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Alive,
    /// It works, and its target has another URL for good.
    Moved,
    /// It works for nobody.
    Dead,
    /// It is not known.
    Unknown,
    /// The policy does not allow to ask.
    Refused,
    /// It was not asked.
    Skipped,
}

impl Verdict {
    /// All of them, in the order of the summary.
    pub(super) const ALL: [Verdict; 6] =
        [Verdict::Alive, Verdict::Moved, Verdict::Dead, Verdict::Unknown, Verdict::Refused, Verdict::Skipped];

    pub(super) fn name(self) -> &'static str {
        ProbeVerdict::NAMES[self as usize]
    }

    /// The rule by which it is reported; `None` for links that are in order.
    pub(super) fn rule(self) -> Option<&'static LinkRule> {
        let id = match self {
            Verdict::Alive => return None,
            Verdict::Moved => "link-moved",
            Verdict::Dead => "link-dead",
            Verdict::Unknown => "link-unknown",
            Verdict::Refused => "link-refused",
            Verdict::Skipped => "link-skipped",
        };
        LINK_RULES.iter().find(|rule| rule.id == id)
    }
}

/// A rule about links that are opened.
#[derive(Debug)]
pub(crate) struct LinkRule {
    pub(crate) id: &'static str,
    pub(crate) level: Level,
    /// When it reports something: a clause.
    pub(crate) when: &'static str,
    pub(crate) help: &'static str,
}

/// The number in the rule book of what all of them follow.
pub(crate) const DECISION: &str = "D-104";

/// The rule about comments that are not needed.
pub(crate) const UNUSED: &str = "suppression-unused";

/// The rules of `check --open`, and the one about comments.
pub(crate) static LINK_RULES: [LinkRule; 6] = [
    LinkRule {
        id: UNUSED,
        level: Level::Warning,
        when: "a comment `urlwise: ignore[RULE]` ignores nothing, or names a rule that does not exist",
        help: "remove it",
    },
    LinkRule {
        id: "link-dead",
        level: Level::Error,
        when: "nobody can open the link: the server that is responsible for it says so, or the file does not exist",
        help: "correct the link, or remove it",
    },
    LinkRule {
        id: "link-moved",
        level: Level::Warning,
        when: "the server says that the target has another URL for good",
        help: "replace the link by the new URL",
    },
    LinkRule {
        id: "link-unknown",
        level: Level::Warning,
        when: "it is not known whether the link works: the server did not answer, or only some can open it",
        help: "try it in a browser",
    },
    LinkRule {
        id: "link-refused",
        level: Level::Warning,
        when: "the policy does not allow to open the link",
        help: "lift the rule by --allow if the link is good",
    },
    LinkRule { id: "link-skipped", level: Level::Note, when: "the link was not opened", help: "check it by hand" },
];

/// What was found out about one URL.
#[derive(Clone, Debug)]
pub(super) struct Proof {
    pub(super) verdict: Verdict,
    /// The name of the cause; of what was refused, the rule.
    pub(super) cause: Option<&'static str>,
    /// The cause in words.
    pub(super) why: Option<String>,
    /// Where redirects led, masked; `None` if there were none.
    pub(super) final_url: Option<String>,
    /// The new URL of what has moved, as it is. It is never shown.
    pub(super) moved_to: Option<Box<Url<String>>>,
    pub(super) status: Option<u16>,
    /// `None` if nothing was asked.
    pub(super) elapsed: Option<Duration>,
    /// The fragments that links have and the document does not.
    pub(super) absent: Vec<String>,
    /// The URL of a copy in an archive, masked.
    pub(super) suggestion: Option<String>,
}

impl Proof {
    /// A verdict for which nothing was asked.
    pub(super) fn of(verdict: Verdict, cause: Option<&'static str>, why: impl Into<String>) -> Proof {
        let why = cause.map(|_| why.into());
        Proof {
            verdict,
            cause,
            why,
            final_url: None,
            moved_to: None,
            status: None,
            elapsed: None,
            absent: Vec::new(),
            suggestion: None,
        }
    }

    pub(super) fn alive() -> Proof {
        Proof::of(Verdict::Alive, None, "")
    }

    pub(super) fn dead(cause: Cause, why: impl Into<String>) -> Proof {
        Proof::of(Verdict::Dead, Some(cause.name()), why)
    }

    pub(super) fn skipped(cause: &'static str, why: impl Into<String>) -> Proof {
        Proof::of(Verdict::Skipped, Some(cause), why)
    }

    /// The same for a link with a fragment.
    pub(super) fn at(&self, fragment: Option<&str>) -> Cow<'_, Proof> {
        let is_absent = fragment.is_some_and(|fragment| self.absent.iter().any(|absent| absent == fragment));
        if !is_absent || self.verdict == Verdict::Dead {
            return Cow::Borrowed(self);
        }
        let shown = secret::masked(fragment.unwrap_or_default().as_bytes(), false);
        Cow::Owned(Proof {
            verdict: Verdict::Dead,
            cause: Some(Cause::NoFragment.name()),
            why: Some(format!("the document has no fragment `{shown}`")),
            ..self.clone()
        })
    }
}

impl From<&Probe> for Proof {
    fn from(probe: &Probe) -> Proof {
        let verdict = match probe.verdict {
            ProbeVerdict::Alive => Verdict::Alive,
            ProbeVerdict::Moved => Verdict::Moved,
            ProbeVerdict::Dead(_) => Verdict::Dead,
            ProbeVerdict::Unknown(_) => Verdict::Unknown,
            ProbeVerdict::Refused => Verdict::Refused,
            ProbeVerdict::Skipped(_) => Verdict::Skipped,
            // A verdict that this version does not know proves nothing.
            _ => Verdict::Unknown,
        };
        let error = probe.error.as_ref();
        let cause = probe.verdict.cause();
        let refused = || error.and_then(urlwise_open::Error::refused_by);
        let meaning = cause.map(|cause| cause.meaning().to_owned());
        let final_url = probe.final_url.as_ref();
        Proof {
            verdict,
            cause: cause.map(Cause::name).or_else(refused),
            why: error.map(hint::message).or(meaning),
            final_url: final_url.map(|url| secret::masked(url.as_str().as_bytes(), false)),
            moved_to: final_url.filter(|_| verdict == Verdict::Moved).cloned().map(Box::new),
            status: probe.status,
            elapsed: Some(probe.elapsed),
            absent: Vec::new(),
            suggestion: None,
        }
    }
}
