//! What is found out about a link (D-104).

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

use urlwise::Url;
use urlwise_explain::secret;
use urlwise_open::{Cause, Probe, ProbeVerdict};

use crate::hint;
use crate::language::{language, said, words};
use crate::rules::links::{LINK_RULES, LinkRule};

/// Whether a link works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Alive,
    /// It works, and its target has moved permanently to another URL.
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

    /// In the language of this run.
    pub(super) fn shown(self) -> Cow<'static, str> {
        let words = match self {
            Verdict::Alive => words!("alive"),
            Verdict::Moved => words!("moved"),
            Verdict::Dead => words!("dead"),
            Verdict::Unknown => words!("unknown"),
            Verdict::Refused => words!("refused"),
            Verdict::Skipped => words!("skipped"),
        };
        words.get(language())
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

/// What was found out about one URL.
#[derive(Clone, Debug)]
pub(super) struct Proof {
    pub(super) verdict: Verdict,
    /// The name of the cause; of what was refused, the rule.
    pub(super) cause: Option<&'static str>,
    pub(super) status: Option<u16>,
    /// `None` if nothing was asked.
    pub(super) elapsed: Option<Duration>,
    /// What few URLs have. There may be many URLs, so the others do without its memory.
    pub(super) more: Option<Box<More>>,
}

/// What was found out about few URLs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct More {
    /// The cause in words.
    pub(super) why: Option<String>,
    /// What the policy refused, without its rule and how to lift it.
    pub(super) refusal: Option<String>,
    /// Where redirects led, masked; `None` if there were none.
    pub(super) final_url: Option<String>,
    /// The new URL of what has moved, as it is. It is never shown.
    pub(super) moved_to: Option<Url<String>>,
    /// The fragment of the last redirect that has one, which replaces that of the link; empty if it ends in `#`. `None` if no redirect has one.
    pub(super) fragment: Option<String>,
    /// The fragments that links have, or redirects name, and the document does not have.
    pub(super) absent: BTreeSet<String>,
    /// The URL of a copy in an archive, masked.
    pub(super) suggestion: Option<String>,
}

impl More {
    const NONE: &More = &More {
        why: None,
        refusal: None,
        final_url: None,
        moved_to: None,
        fragment: None,
        absent: BTreeSet::new(),
        suggestion: None,
    };

    /// The same without the fragments that the document does not have, of which there may be as many as links.
    fn without_absent(&self) -> More {
        let More { why, refusal, final_url, moved_to, fragment, absent: _, suggestion } = self;
        More {
            why: why.clone(),
            refusal: refusal.clone(),
            final_url: final_url.clone(),
            moved_to: moved_to.clone(),
            fragment: fragment.clone(),
            absent: BTreeSet::new(),
            suggestion: suggestion.clone(),
        }
    }
}

impl Proof {
    /// A verdict for which nothing was asked.
    pub(super) fn of(verdict: Verdict, cause: Option<&'static str>, why: impl Into<String>) -> Proof {
        let more = More { why: cause.map(|_| why.into()), ..More::default() };
        Proof { verdict, cause, status: None, elapsed: None, more: None }.with(more)
    }

    /// The same with what few URLs have.
    pub(super) fn with(self, more: More) -> Proof {
        Proof { more: (more != *More::NONE).then(|| Box::new(more)), ..self }
    }

    pub(super) fn more(&self) -> &More {
        self.more.as_deref().unwrap_or(More::NONE)
    }

    pub(super) fn more_mut(&mut self) -> &mut More {
        self.more.get_or_insert_default()
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

    /// Nothing was heard of a server. It may be the network that is missing.
    pub(super) fn is_without_server(&self) -> bool {
        let causes = [Cause::Resolver, Cause::Timeout, Cause::NoRoute];
        self.verdict == Verdict::Unknown && causes.iter().any(|cause| self.cause == Some(cause.name()))
    }

    /// The same for another link of the server, which is not asked for. `holds`: it is true of that link as well.
    pub(super) fn of_another_link(&self, holds: bool) -> Proof {
        let mut more = More { final_url: None, fragment: None, ..self.more().clone() };
        if !holds {
            more.why = more.why.map(|why| said!("not asked for, because of another link: {why}", why = why));
        }
        Proof { status: self.status.filter(|_| holds), elapsed: None, ..self.clone() }.with(more)
    }

    /// The same for a link with a fragment, which does not count if a redirect names another one.
    pub(super) fn at(&self, fragment: Option<&str>) -> Cow<'_, Proof> {
        let fragment = fragment.filter(|_| self.more().fragment.is_none());
        let is_absent = fragment.is_some_and(|fragment| self.more().absent.contains(fragment));
        if !is_absent || self.verdict == Verdict::Dead {
            return Cow::Borrowed(self);
        }
        let shown = secret::masked(fragment.unwrap_or_default().as_bytes(), false);
        let why = Some(said!("the document has no fragment `{name}`", name = shown));
        let proof = Proof { verdict: Verdict::Dead, cause: Some(Cause::NoFragment.name()), more: None, ..*self };
        Cow::Owned(proof.with(More { why, ..self.more().without_absent() }))
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
        let meaning = cause.map(|cause| cause.meaning_in(language()).into_owned());
        let final_url = probe.final_url.as_ref();
        let more = More {
            why: error.map(hint::message).or(meaning),
            refusal: error
                .filter(|_| verdict == Verdict::Refused)
                .map(|error| error.what().in_language(language()).to_string()),
            final_url: final_url.map(|url| secret::masked(url.as_str().as_bytes(), false)),
            moved_to: final_url.filter(|_| verdict == Verdict::Moved).cloned(),
            fragment: probe.fragment.clone(),
            ..More::default()
        };
        let cause = cause.map(Cause::name).or_else(refused);
        Proof { verdict, cause, status: probe.status, elapsed: Some(probe.elapsed), more: None }.with(more)
    }
}
