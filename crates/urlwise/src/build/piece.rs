//! [`Piece`]: one part of a draft, or the elements of a list, as they will be written.

use alloc::vec::Vec;
use core::mem::discriminant;
use core::ops::Range;

use crate::scheme::PartKind;
use crate::url::Url;

/// One part, or elements of a list that stand together.
#[derive(Clone)]
pub(super) struct Piece {
    pub(super) kind: &'static PartKind,
    pub(super) text: Text,
    /// What stood before it in the URL it was taken from, where that is not the rule: `;TYPE=`.
    pub(super) lead: Option<Vec<u8>>,
    /// Whether the caller set it; otherwise it is empty, and there because another part requires it.
    pub(super) given: bool,
}

/// What a piece writes.
#[derive(Clone)]
pub(super) enum Text {
    /// One part.
    One(Vec<u8>),
    /// Elements of a list, with what stands between them, where they stand in the URL that the draft was made of: there may be a
    /// million.
    Kept(Range<usize>),
}

/// One part, or one element of a list.
pub(super) struct Element<'d> {
    pub(super) kind: &'static PartKind,
    pub(super) text: &'d [u8],
}

impl PartialEq for Element<'_> {
    fn eq(&self, other: &Element<'_>) -> bool {
        core::ptr::eq(self.kind, other.kind) && self.text == other.text
    }
}

impl Piece {
    pub(super) fn is_of(&self, kind: &PartKind) -> bool {
        core::ptr::eq(self.kind, kind)
    }

    /// Whether it is a part that is empty.
    pub(super) fn is_empty(&self) -> bool {
        match &self.text {
            Text::One(text) => text.is_empty(),
            Text::Kept(span) => span.is_empty(),
        }
    }

    /// What it writes. `source` is the URL that the draft was made of.
    pub(super) fn text<'d>(&'d self, source: Option<&'d str>) -> &'d [u8] {
        match &self.text {
            Text::One(text) => text,
            Text::Kept(span) => source.and_then(|url| url.as_bytes().get(span.clone())).unwrap_or_default(),
        }
    }

    /// Whether both are the same part, or elements of the same list, and write the same; `sources` are the URLs of their drafts. Then they
    /// have the same elements, since what stands between them is the list's.
    pub(super) fn writes_what(&self, other: &Piece, sources: [Option<&str>; 2]) -> bool {
        self.is_of(other.kind)
            && discriminant(&self.text) == discriminant(&other.text)
            && self.text(sources[0]) == other.text(sources[1])
    }

    /// Its elements: those of a list, or itself.
    pub(super) fn elements<'d>(&'d self, source: Option<Url<&'d str>>) -> impl Iterator<Item = Element<'d>> {
        let kind = self.kind;
        let (one, kept) = match &self.text {
            Text::One(text) => (Some(Element { kind, text }), None),
            Text::Kept(span) => (None, source.map(|url| (url.parts(), span))),
        };
        let kept = kept.into_iter().flat_map(move |(parts, span)| {
            let among = parts.filter(|part| span.start <= part.span().start && part.span().end <= span.end);
            among.filter(|part| kind.is_called(part.name())).map(|part| Element { kind, text: part.octets() })
        });
        one.into_iter().chain(kept)
    }
}
