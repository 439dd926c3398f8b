//! Every part of a text in order, each with its place: for labels, machine-readable output and editors.

use alloc::borrow::Cow;
use core::ops::Range;

use crate::encoded;
use crate::language::Language;
use crate::layout::Layout;
use crate::scheme::{PartKind, Scheme, Shape};

/// One part of a URL and where it stands.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    def: &'static PartKind,
    index: Option<usize>,
    start: usize,
    octets: &'a [u8],
}

impl<'a> Part<'a> {
    pub(crate) fn kind(&self) -> &'static PartKind {
        self.def
    }

    /// The name in the machine-readable contract: `user`, `cwds`, `gopherplus`.
    pub fn name(&self) -> &'static str {
        self.def.contract_name()
    }

    /// The name for people, in the singular: `user`, `cwd`, `Gopher+`.
    pub fn label(&self) -> &'static str {
        self.def.label()
    }

    /// [`label`](Part::label) in a language.
    pub fn label_in(&self, language: Language) -> Cow<'static, str> {
        self.def.label_in(language)
    }

    /// The place in its list, from 0; `None` for parts that are not lists.
    pub fn index(&self) -> Option<usize> {
        self.index
    }

    /// Where it stands in the text; empty for a part that is present but empty.
    pub fn span(&self) -> Range<usize> {
        self.start..self.start + self.octets.len()
    }

    /// The octets as written. In a text that is not valid they may be anything.
    pub fn octets(&self) -> &'a [u8] {
        self.octets
    }

    /// Whether escapes may stand in the part.
    pub fn is_encoded(&self) -> bool {
        self.def.is_encoded()
    }

    /// Whether the parts that follow divide this one: a path before its segments, an address before its two sides.
    pub fn is_divided(&self) -> bool {
        self.def.shape == Shape::Whole
    }

    /// Whether the last segment of all such parts together names the document: `name` in ftp, `selector` in gopher.
    pub fn names_document(&self) -> bool {
        self.def.names_document()
    }

    /// The octets it stands for.
    pub fn decode(&self) -> Cow<'a, [u8]> {
        match self.is_encoded() {
            true => encoded::decode(self.octets),
            false => Cow::Borrowed(self.octets),
        }
    }

    /// The places of the name and the value of a field, split at the first `=`; a field without one has no value. `None` for
    /// parts that are not fields.
    pub fn field(&self) -> Option<(Range<usize>, Option<Range<usize>>)> {
        let Shape::Fields(_) = self.def.shape else {
            return None;
        };
        let Range { start, end } = self.span();
        Some(match self.octets.iter().position(|&octet| octet == b'=') {
            Some(equals) => (start..start + equals, Some(start + equals + 1..end)),
            None => (start..end, None),
        })
    }
}

impl core::fmt::Debug for Part<'_> {
    /// Name and place only: the octets may be a password.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Part({} {:?})", self.name(), self.span())
    }
}

/// The parts of a text, in the order they stand; absent ones are left out. Lists give one part for each element.
///
/// ```
/// use urlwise::Url;
///
/// let url = Url::parse("ftp://host.dom/a/b/c;type=i")?;
/// let labels: Vec<_> = url.parts().map(|part| (part.label(), part.span())).collect();
/// assert_eq!(labels, [("host", 6..14), ("cwd", 15..16), ("cwd", 17..18), ("name", 19..20), ("typecode", 26..27)]);
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone)]
pub struct Parts<'a> {
    octets: &'a [u8],
    /// By value, so that parts live as long as the text and not only as long as the URL.
    layout: Layout,
    defs: core::slice::Iter<'static, PartKind>,
    /// The list being gone through.
    list: Option<List<'a>>,
}

/// What is left of a list.
#[derive(Clone)]
struct List<'a> {
    def: &'static PartKind,
    separator: u8,
    /// The index of the next part, and where it starts.
    next: usize,
    start: usize,
    rest: &'a [u8],
}

impl<'a> Parts<'a> {
    pub(crate) fn new(octets: &'a [u8], layout: Layout) -> Self {
        let defs = layout.scheme().map_or(&[][..], Scheme::parts);
        Parts { octets, layout, defs: defs.iter(), list: None }
    }
}

impl<'a> List<'a> {
    /// The next part, and whether another one follows.
    #[inline]
    fn next(&mut self) -> (Part<'a>, bool) {
        let List { def, separator, next, start, rest } = *self;
        let end = rest.iter().position(|&octet| octet == separator);
        let (octets, behind) = rest.split_at(end.unwrap_or(rest.len()));
        if let [_, behind @ ..] = behind {
            (self.next, self.start, self.rest) = (next + 1, start + octets.len() + 1, behind);
        }
        (Part { def, index: Some(next), start, octets }, end.is_some())
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        // In place: there may be a million.
        if let Some(list) = &mut self.list {
            let (part, is_followed) = list.next();
            if !is_followed {
                self.list = None;
            }
            return Some(part);
        }
        loop {
            let def = self.defs.next()?;
            let Some(span) = self.layout.slots[def.slot].range() else {
                continue;
            };
            let (start, octets) = (span.start, self.octets.get(span).unwrap_or_default());
            let separator = match def.shape {
                Shape::Segments => b'/',
                Shape::Fields(separator) => separator,
                Shape::Plain | Shape::Encoded | Shape::Character | Shape::Whole => {
                    return Some(Part { def, index: None, start, octets });
                }
            };
            self.list = Some(List { def, separator, next: 0, start, rest: octets });
            return self.next();
        }
    }
}

impl core::iter::FusedIterator for Parts<'_> {}

impl core::fmt::Debug for Parts<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
