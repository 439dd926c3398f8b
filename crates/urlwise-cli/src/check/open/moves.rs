//! `--open --fix`: which links are replaced by the URL that they have moved to (D-104).

use std::path::Path;

use urlwise::{Diagnosis, Host, Url, Words};
use urlwise_formats::diff::AddedLines;

use super::links::Links;
use super::read::{self, Judged, Reader};
use super::verdict::{More, Verdict};
use crate::document::Seen;
use crate::language::words;
use crate::rules::Place as Kind;

/// The links that have moved.
pub(crate) struct Moves<'m> {
    pub(super) links: &'m Links,
    pub(super) reader: Reader<'m>,
    /// `None`: all lines are rewritten.
    pub(super) changed: Option<&'m AddedLines>,
    /// Links are rewritten that moved to another host.
    pub(super) any_host: bool,
}

/// The URL that replaces a link.
#[derive(Debug)]
pub(crate) struct NewUrl {
    pub(crate) url: Url<String>,
    /// The fragment that replaces that of the link, empty for none; `None` if the link keeps its own.
    pub(crate) fragment: Option<String>,
}

impl NewUrl {
    /// The URL and its new fragment, if it gets one.
    pub(crate) fn text(&self) -> String {
        with_fragment(self.url.as_str(), self.fragment.as_deref())
    }
}

/// A text with a fragment, unless that is empty.
pub(crate) fn with_fragment(text: &str, fragment: Option<&str>) -> String {
    match fragment {
        None | Some("") => text.to_owned(),
        Some(fragment) => format!("{text}#{fragment}"),
    }
}

/// What to do with a link.
pub(crate) enum Move {
    /// It has not moved, or nobody wants to know.
    Stays,
    /// It has moved permanently to another URL.
    To(NewUrl),
    /// It has, and is left as it is for a reason: a sentence.
    Left(Words),
}

impl Moves<'_> {
    /// Whether a line of a file is rewritten.
    pub(crate) fn cover(&self, path: Option<&Path>, line: usize) -> bool {
        self.changed.is_none_or(|changed| path.is_some_and(|path| changed.contains(path, line)))
    }

    /// What to do with a URL in a text. `hides` says which rules are ignored there.
    pub(crate) fn of(&self, seen: &Seen<'_>, diagnosis: &Diagnosis<'_>, hides: impl Fn(&str) -> bool) -> Move {
        let written = seen.target().unwrap_or_else(|| seen.hit.reference().to_owned());
        self.judged(self.reader.judge_seen(seen, diagnosis, &written), seen.hit.fragment(), hides)
    }

    /// What to do with a URL that stands alone, and where what is replaced ends: before its fragment, if that stays.
    pub(crate) fn of_line(&self, text: &str) -> (Move, usize) {
        let (url, fragment) = read::split(text, self.reader.checker.profile);
        let diagnosis = urlwise::diagnose(url, self.reader.checker.profile);
        let judged = self.reader.judge_line(&diagnosis, text);
        let what = self.judged(judged, fragment.as_deref(), |_| false);
        let is_all = matches!(&what, Move::To(NewUrl { fragment: Some(_), .. }));
        (what, if is_all { text.len() } else { url.len() })
    }

    fn judged(&self, judged: Judged, fragment: Option<&str>, hides: impl Fn(&str) -> bool) -> Move {
        let Judged::Open(url) = judged else { return Move::Stays };
        let proof = self.links.opened(&url).and_then(|target| target.proof.as_deref());
        // A document that does not have the fragment is not what the link means.
        let Some(proof) = proof.map(|proof| proof.at(fragment)) else { return Move::Stays };
        let rules = &self.reader.checker.rules;
        let rule = proof.verdict.rule().filter(|_| proof.verdict == Verdict::Moved);
        let rule = rule.filter(|rule| rules.level(rule.id, rule.level, Kind::Text).is_some());
        match (rule, &proof.more().moved_to) {
            (Some(rule), Some(new)) if !hides(rule.id) => self.moved(&url, new, proof.more()),
            _ => Move::Stays,
        }
    }

    fn moved(&self, old: &Url<String>, new: &Url<String>, more: &More) -> Move {
        let name = |url: &Url<String>| url.host().map(|host: Host<'_>| host.as_str().to_ascii_lowercase());
        if old.user().is_some() || new.user().is_some() {
            return Move::Left(words!("one of the URLs has a login"));
        }
        if name(old) != name(new) && !self.any_host {
            return Move::Left(words!("it moved to another host; see `--fix-moved`"));
        }
        if more.fragment.as_ref().is_some_and(|named| more.absent.contains(named)) {
            return Move::Left(words!("the server names a fragment that the document does not have"));
        }
        Move::To(NewUrl { url: new.clone(), fragment: more.fragment.clone() })
    }
}
