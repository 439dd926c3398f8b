//! What a column holds of one row.

use std::ops::Range;

/// What a column holds of one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell<'c> {
    /// Octets of the text as they are: where they stand in it.
    Part(Range<usize>),
    /// Octets that do not stand in the text.
    Made(&'c [u8]),
    /// A number.
    Number(u32),
    /// True or false.
    Flag(bool),
}

impl<'c> Cell<'c> {
    /// The octets of a cell of a row with this text; `None` for a number and a flag.
    #[inline]
    pub fn octets<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]>
    where
        'c: 't,
    {
        match self {
            Cell::Part(span) => text.get(span.clone()),
            Cell::Made(octets) => Some(octets),
            Cell::Number(_) | Cell::Flag(_) => None,
        }
    }
}
