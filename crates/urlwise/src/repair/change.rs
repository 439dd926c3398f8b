//! The repaired URL and each change that made it.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::draft::Replacement;
use super::rules::FixRule;
use crate::encoded;
use crate::language::{Language, Words, words};
use crate::url::Url;

/// A valid URL made from pasted text, with the changes.
#[must_use]
#[derive(Clone)]
pub struct Repaired<'a> {
    url: Url<String>,
    changes: Vec<Change<'a>>,
}

impl<'a> Repaired<'a> {
    pub(super) fn new(url: Url<String>, changes: Vec<Change<'a>>) -> Self {
        Repaired { url, changes }
    }

    /// The URL, valid in the requested profile.
    pub fn url(&self) -> &Url<String> {
        &self.url
    }

    /// The URL by itself.
    pub fn into_url(self) -> Url<String> {
        self.url
    }

    /// The changes in the order of the input, not overlapping; empty if the input was valid.
    pub fn changes(&self) -> &[Change<'a>] {
        &self.changes
    }
}

impl fmt::Debug for Repaired<'_> {
    /// The password of the URL is masked.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repaired").field("url", &self.url).field("changes", &self.changes).finish()
    }
}

/// What a change does to the octets. There may be others, as `repair` learns more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeKind {
    /// Cut: they are not part of the URL.
    Removed,
    /// Written as escapes, which mean the same octets.
    Escaped,
    /// Put in where something was missing.
    Inserted,
    /// Written in another way.
    Replaced,
}

impl ChangeKind {
    /// `removed`, `escaped`, `inserted` or `replaced`.
    pub fn name(self) -> &'static str {
        self.words().en()
    }

    /// [`name`](ChangeKind::name) in a language, for people.
    pub fn name_in(self, language: Language) -> Cow<'static, str> {
        self.words().get(language)
    }

    fn words(self) -> Words {
        static NAMES: [Words; 4] = [words!("removed"), words!("escaped"), words!("inserted"), words!("replaced")];
        NAMES[self as usize]
    }
}

/// A change made by repair: some octets of the input were replaced.
#[derive(Clone)]
pub struct Change<'a> {
    start: usize,
    was: &'a [u8],
    now: Replacement,
    rule: &'static FixRule,
}

impl<'a> Change<'a> {
    pub(super) fn new(start: usize, was: &'a [u8], now: Replacement, rule: &'static FixRule) -> Self {
        Change { start, was, now, rule }
    }

    /// The span in the input; empty for an insertion.
    pub fn span(&self) -> Range<usize> {
        self.start..self.start + self.was.len()
    }

    /// The octets of the input.
    pub fn was(&self) -> &'a [u8] {
        self.was
    }

    /// Their replacement; empty for a deletion.
    pub fn now(&self) -> &str {
        &self.now
    }

    /// What was done to the octets.
    ///
    /// ```
    /// use urlwise::{ChangeKind, Profile, repair};
    ///
    /// let repaired = repair("<http:host.dom/a b>", Profile::Rfc1738)?;
    /// let kinds: Vec<_> = repaired.changes().iter().map(|change| change.kind()).collect();
    /// assert_eq!(kinds, [ChangeKind::Removed, ChangeKind::Inserted, ChangeKind::Removed, ChangeKind::Removed]);
    /// # Ok::<(), urlwise::RepairError>(())
    /// ```
    pub fn kind(&self) -> ChangeKind {
        match (self.was, &*self.now) {
            (_, "") => ChangeKind::Removed,
            ([], _) => ChangeKind::Inserted,
            (was, now) if encoded::escape_all(was) == now => ChangeKind::Escaped,
            _ => ChangeKind::Replaced,
        }
    }

    /// The stable name: one of the [list](crate::repair()), or the code of the problem that was fixed.
    pub fn code(&self) -> &'static str {
        self.rule.code
    }

    /// Whether both were made by one rule, for one reason.
    ///
    /// ```
    /// use urlwise::{Profile, repair};
    ///
    /// let repaired = repair("<http://host.dom/a b>", Profile::Rfc1738)?;
    /// let [open, blank, close] = repaired.changes() else { unreachable!() };
    /// assert!(open.is_like(close) && !open.is_like(blank));
    /// # Ok::<(), urlwise::RepairError>(())
    /// ```
    pub fn is_like(&self, other: &Change<'_>) -> bool {
        core::ptr::eq(self.rule, other.rule) || (self.code() == other.code() && self.rule.message == other.rule.message)
    }

    /// The section of RFC 1738 that the change follows.
    pub fn section(&self) -> &'static str {
        self.rule.section
    }

    /// The decision that it follows; `None` if the RFC is clear.
    pub fn decision(&self) -> Option<&'static str> {
        match (self.rule.code, self.was) {
            // As in problems: the tilde has its own decision.
            ("bnf-char", [b'~', ..]) => Some("D-11"),
            _ => Some(self.rule.decision).filter(|decision| !decision.is_empty()),
        }
    }

    /// The reason, in one line without a final period. It does not quote the input.
    pub fn message(&self) -> &'static str {
        self.rule.message.en()
    }

    /// [`message`](Change::message) in a language.
    pub fn message_in(&self, language: Language) -> Cow<'static, str> {
        self.rule.message.get(language)
    }
}

impl fmt::Debug for Change<'_> {
    /// Prints only position and code, since the octets may be a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Change({} {:?})", self.code(), self.span())
    }
}
