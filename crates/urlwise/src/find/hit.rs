//! What was found.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::reference;
use crate::secret::Masked;
use crate::url::Url;

use super::Finder;

/// How a URL is written in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wrapping {
    /// In angle brackets, with or without the prefix `URL:`.
    Wrapped,
    /// Behind the prefix `URL:`.
    Prefixed,
    /// As it is.
    Bare,
}

impl Wrapping {
    /// `wrapped`, `prefixed` or `bare`.
    pub const fn name(self) -> &'static str {
        match self {
            Wrapping::Wrapped => "wrapped",
            Wrapping::Prefixed => "prefixed",
            Wrapping::Bare => "bare",
        }
    }
}

impl fmt::Display for Wrapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A URL in a text: the answer of a [`Finder`].
///
/// All ranges count octets of the text that was searched. `Debug` masks passwords; the text itself does not.
#[derive(Clone)]
pub struct Hit<'t> {
    finder: Finder<'t>,
    form: Wrapping,
    outer: Range<usize>,
    span: Range<usize>,
    /// As it stands in the text.
    text: &'t str,
    /// Where white space was taken away from it.
    joined: Option<Box<Joined>>,
}

/// A URL that white space was taken away from.
#[derive(Clone)]
pub(super) struct Joined {
    pub(super) text: String,
    /// Where the runs between the white space begin, in order.
    pub(super) gaps: Vec<Gap>,
    /// The hyphens of the text that ended a line, in order.
    pub(super) hyphens: Vec<usize>,
    /// The text without these.
    pub(super) alternative: Option<String>,
}

/// Where a run of octets begins.
#[derive(Clone, Copy)]
pub(super) struct Gap {
    pub(super) joined: usize,
    pub(super) source: usize,
}

impl<'t> Hit<'t> {
    /// A URL that begins at `start` and ends where its surroundings do.
    #[inline]
    pub(super) fn as_it_stands(
        finder: Finder<'t>,
        form: Wrapping,
        outer: Range<usize>,
        start: usize,
        text: &'t str,
    ) -> Self {
        Hit { finder, form, span: start..outer.end, outer, text, joined: None }
    }

    pub(super) fn wrapped(
        finder: Finder<'t>,
        outer: Range<usize>,
        span: Range<usize>,
        text: &'t str,
        joined: Option<Box<Joined>>,
    ) -> Self {
        Hit { finder, form: Wrapping::Wrapped, outer, span, text, joined }
    }

    /// How it is written.
    pub fn form(&self) -> Wrapping {
        self.form
    }

    /// Where the URL and its fragment stand in the text, without wrapper and prefix. White space inside, and only that, is not
    /// part of [`reference`](Hit::reference).
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Where the URL stands with its wrapper and prefix: `<URL:...>`.
    pub fn outer(&self) -> Range<usize> {
        self.outer.clone()
    }

    /// The URL, its lines joined, without the fragment.
    pub fn as_str(&self) -> &str {
        split(self.reference()).0
    }

    /// What follows the first `#`; `None` without one, empty in `http://host/#` (D-08).
    pub fn fragment(&self) -> Option<&str> {
        split(self.reference()).1
    }

    /// The URL and its fragment, lines joined.
    pub fn reference(&self) -> &str {
        self.joined.as_ref().map_or(self.text, |joined| &joined.text)
    }

    /// The other reading of [`reference`](Hit::reference), if a hyphen stands at the end of a line: without any of these hyphens,
    /// for the break may have added them (D-69). `None` where there is one reading.
    pub fn alternative(&self) -> Option<&str> {
        self.joined.as_ref()?.alternative.as_deref()
    }

    /// Whether there are two readings. Whoever opens URLs should ask which is meant (D-69).
    pub fn is_ambiguous(&self) -> bool {
        self.alternative().is_some()
    }

    /// The places of [`reference`](Hit::reference) where a hyphen ended a line, in order.
    pub fn hyphens(&self) -> &[usize] {
        self.joined.as_ref().map_or(&[], |joined| &joined.hyphens)
    }

    /// Where an octet of [`reference`](Hit::reference), thus also of [`as_str`](Hit::as_str), stands in the text. Its length
    /// gives the end of [`span`](Hit::span), and so does all beyond.
    pub fn source(&self, at: usize) -> usize {
        let first = Gap { joined: 0, source: self.span.start };
        let gap = match &self.joined {
            Some(joined) => joined.gaps[..joined.gaps.partition_point(|gap| gap.joined <= at)].last().unwrap_or(&first),
            None => &first,
        };
        (gap.source + (at - gap.joined)).min(self.span.end)
    }

    /// The URL, if it is one by the profile and registry of the finder; its fragment is not looked at.
    pub fn url(&self) -> Option<Url<&str>> {
        self.read(self.as_str())
    }

    fn read<'a>(&self, text: &'a str) -> Option<Url<&'a str>> {
        match self.finder.registry {
            Some(registry) => registry.parse_with(self.finder.profile, text).ok(),
            None => Url::parse_with(self.finder.profile, text).ok(),
        }
    }

    /// Whether the URL is valid by the profile and registry of the finder, and its fragment too.
    pub fn is_valid(&self) -> bool {
        self.url().is_some()
            && self.fragment().is_none_or(|_| {
                let reference = self.reference();
                reference::fragment_error(self.finder.profile, reference.as_bytes(), self.as_str().len()).is_none()
            })
    }
}

/// A reference in two: the URL, and what follows the first `#`.
fn split(reference: &str) -> (&str, Option<&str>) {
    match reference.split_once('#') {
        Some((url, fragment)) => (url, Some(fragment)),
        None => (reference, None),
    }
}

impl fmt::Debug for Hit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hit({} at {}..{}: {})", self.form, self.span.start, self.span.end, Masked(self.reference()))
    }
}
