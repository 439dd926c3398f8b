//! What was found.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::raw_reference::fragment_error;
use crate::scheme::secret::Masked;
use crate::url::Url;

use super::finder::Finder;

/// How a URL is written in the text. There may be other ways that are worth finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wrapping {
    /// In angle brackets, with or without the prefix `URL:`.
    Wrapped,
    /// After the prefix `URL:`.
    Prefixed,
    /// As it is.
    Bare,
    /// As a link of a document: [`Finder::link`].
    Link,
}

impl Wrapping {
    /// `wrapped`, `prefixed`, `bare` or `link`.
    pub const fn name(self) -> &'static str {
        match self {
            Wrapping::Wrapped => "wrapped",
            Wrapping::Prefixed => "prefixed",
            Wrapping::Bare => "bare",
            Wrapping::Link => "link",
        }
    }
}

impl fmt::Display for Wrapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A URL found in a text by a [`Finder`].
///
/// All ranges are octets of the searched text. `Debug` masks passwords; the text itself does not.
#[derive(Clone)]
pub struct Hit<'t> {
    finder: Finder<'t>,
    form: Wrapping,
    outer: Range<usize>,
    span: Range<usize>,
    /// As written in the text.
    text: &'t str,
    /// With white space removed.
    joined: Option<Box<Joined>>,
}

/// A URL with white space removed.
#[derive(Clone)]
pub(super) struct Joined {
    pub(super) text: String,
    /// The starts of the runs between the white space, in order.
    pub(super) gaps: Vec<Gap>,
    /// The hyphens at line ends, in order.
    pub(super) hyphens: Vec<usize>,
    /// The text without these.
    pub(super) alternative: Option<String>,
}

/// The start of a run of octets.
#[derive(Clone, Copy)]
pub(super) struct Gap {
    pub(super) joined: usize,
    pub(super) source: usize,
}

impl<'t> Hit<'t> {
    /// A URL that starts at `start` and ends with its surroundings.
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

    /// The span of the URL and its fragment in the text, without wrapper and prefix. It equals
    /// [`reference`](Hit::reference) except for white space.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The span of the URL with its wrapper and prefix: `<URL:...>`.
    pub fn outer(&self) -> Range<usize> {
        self.outer.clone()
    }

    /// The URL with its lines joined, without the fragment.
    pub fn as_str(&self) -> &str {
        split(self.reference()).0
    }

    /// The text after the first `#`; `None` if there is none, empty in `http://host/#` (D-08).
    pub fn fragment(&self) -> Option<&str> {
        split(self.reference()).1
    }

    /// The URL and its fragment, lines joined.
    pub fn reference(&self) -> &str {
        self.joined.as_ref().map_or(self.text, |joined| &joined.text)
    }

    /// The alternative to [`reference`](Hit::reference) if a line ends with a hyphen: without these hyphens, which may
    /// have been added at the line breaks (D-69). `None` if the URL is unambiguous.
    pub fn alternative(&self) -> Option<&str> {
        self.joined.as_ref()?.alternative.as_deref()
    }

    /// Whether the URL is ambiguous. A program that opens URLs should ask which one is meant (D-69).
    pub fn is_ambiguous(&self) -> bool {
        self.alternative().is_some()
    }

    /// The positions in [`reference`](Hit::reference) of hyphens at line ends, in order.
    pub fn hyphens(&self) -> &[usize] {
        self.joined.as_ref().map_or(&[], |joined| &joined.hyphens)
    }

    /// The position in the text of an octet of [`reference`](Hit::reference) or [`as_str`](Hit::as_str). Its length and
    /// anything beyond give the end of [`span`](Hit::span).
    pub fn source(&self, at: usize) -> usize {
        let first = Gap { joined: 0, source: self.span.start };
        let gap = match &self.joined {
            Some(joined) => joined.gaps[..joined.gaps.partition_point(|gap| gap.joined <= at)].last().unwrap_or(&first),
            None => &first,
        };
        gap.source.saturating_add(at - gap.joined).min(self.span.end)
    }

    /// The URL, if it is valid by the profile and registry of the finder; its fragment is not checked.
    pub fn url(&self) -> Option<Url<&str>> {
        self.read(self.as_str())
    }

    fn read<'a>(&self, text: &'a str) -> Option<Url<&'a str>> {
        match self.finder.registry {
            Some(registry) => registry.parse_with(text, self.finder.profile).ok(),
            None => Url::parse_with(text, self.finder.profile).ok(),
        }
    }

    /// Whether the URL is valid by the profile and registry of the finder, and its fragment too.
    pub fn is_valid(&self) -> bool {
        self.url().is_some()
            && self.fragment().is_none_or(|_| {
                let reference = self.reference();
                fragment_error(self.finder.profile, reference.as_bytes(), self.as_str().len()).is_none()
            })
    }
}

/// Splits a reference into the URL and the text after the first `#`.
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
