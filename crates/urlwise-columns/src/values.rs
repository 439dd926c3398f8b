//! The values of a column as plain vectors, in Arrow's layout.

use crate::cell::Cell;
use crate::column::ColumnType;
use crate::source::Offset;
use std::fmt;

/// The values of one column, one for each row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Values<O> {
    /// UTF-8 text.
    Text(Strings<O>),
    /// Octets that may not be UTF-8.
    Octets(Strings<O>),
    /// Numbers.
    Numbers(Numbers),
    /// True or false.
    Flags(Flags),
}

/// Texts or octets one after another: row `i` is `octets[offsets[i]..offsets[i + 1]]`, empty where it is null.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Strings<O> {
    /// One more than there are rows; the first is 0.
    pub offsets: Vec<O>,
    /// The octets of all rows.
    pub octets: Vec<u8>,
    /// Which rows are not null.
    pub validity: Bits,
}

/// Numbers, 0 where a row is null.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Numbers {
    /// One for each row.
    pub values: Vec<u32>,
    /// Which rows are not null.
    pub validity: Bits,
}

/// Flags, false where a row is null.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Flags {
    /// One for each row.
    pub values: Bits,
    /// Which rows are not null.
    pub validity: Bits,
}

/// Bits, the lowest of each octet first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    octets: Vec<u8>,
    length: usize,
    unset: usize,
}

impl Bits {
    /// None, with room for so many.
    pub fn with_room(rows: usize) -> Bits {
        Bits { octets: Vec::with_capacity(rows.div_ceil(8)), length: 0, unset: 0 }
    }

    /// Adds one.
    #[inline]
    pub fn push(&mut self, bit: bool) {
        if self.length.is_multiple_of(8) {
            self.octets.push(0);
        }
        if let Some(last) = self.octets.last_mut() {
            *last |= u8::from(bit) << (self.length % 8);
        }
        self.length += 1;
        self.unset += usize::from(!bit);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// How many are not set.
    pub fn unset(&self) -> usize {
        self.unset
    }

    /// One bit; false behind the last one.
    pub fn get(&self, index: usize) -> bool {
        index < self.length && self.octets[index / 8] >> (index % 8) & 1 == 1
    }

    /// The octets; unused bits of the last are 0.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// The octets; unused bits of the last are 0.
    pub fn into_octets(self) -> Vec<u8> {
        self.octets
    }
}

impl<O: Offset> Values<O> {
    /// No rows, with room for so many.
    pub fn with_room(kind: ColumnType, rows: usize) -> Values<O> {
        match kind {
            ColumnType::Text => Values::Text(Strings::with_room(rows)),
            ColumnType::Octets => Values::Octets(Strings::with_room(rows)),
            ColumnType::Number => Values::Numbers(Numbers::with_room(rows)),
            ColumnType::Flag => Values::Flags(Flags::with_room(rows)),
        }
    }

    /// Adds the [cell](crate::Reader::cells) of a row with this text. A cell of another type than the column is null.
    ///
    /// # Errors
    /// The column has more octets than offsets of this type can count.
    #[inline]
    pub fn push(&mut self, text: &[u8], cell: Option<&Cell<'_>>) -> Result<(), TooLarge> {
        match self {
            Values::Text(strings) | Values::Octets(strings) => {
                return strings.push(cell.and_then(|cell| cell.octets(text)));
            }
            Values::Numbers(numbers) => numbers.push(match cell {
                Some(Cell::Number(number)) => Some(*number),
                Some(Cell::Part(_) | Cell::Made(_) | Cell::Flag(_)) | None => None,
            }),
            Values::Flags(flags) => flags.push(match cell {
                Some(Cell::Flag(flag)) => Some(*flag),
                Some(Cell::Part(_) | Cell::Made(_) | Cell::Number(_)) | None => None,
            }),
        }
        Ok(())
    }
}

impl<O: Offset> Strings<O> {
    fn with_room(rows: usize) -> Strings<O> {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.extend(O::from_index(0));
        Strings { offsets, octets: Vec::new(), validity: Bits::with_room(rows) }
    }

    #[inline]
    fn push(&mut self, row: Option<&[u8]>) -> Result<(), TooLarge> {
        self.octets.extend_from_slice(row.unwrap_or_default());
        self.offsets.push(O::from_index(self.octets.len()).ok_or(TooLarge)?);
        self.validity.push(row.is_some());
        Ok(())
    }

    /// The octets of a row; `None` where it is null or there is no such row.
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        if !self.validity.get(index) {
            return None;
        }
        let at = |index: usize| self.offsets.get(index)?.index();
        self.octets.get(at(index)?..at(index + 1)?)
    }
}

impl Numbers {
    fn with_room(rows: usize) -> Numbers {
        Numbers { values: Vec::with_capacity(rows), validity: Bits::with_room(rows) }
    }

    fn push(&mut self, value: Option<u32>) {
        self.values.push(value.unwrap_or_default());
        self.validity.push(value.is_some());
    }

    /// The number of a row; `None` where it is null or there is no such row.
    pub fn get(&self, index: usize) -> Option<u32> {
        self.values.get(index).copied().filter(|_| self.validity.get(index))
    }
}

impl Flags {
    fn with_room(rows: usize) -> Flags {
        Flags { values: Bits::with_room(rows), validity: Bits::with_room(rows) }
    }

    fn push(&mut self, value: Option<bool>) {
        self.values.push(value.unwrap_or_default());
        self.validity.push(value.is_some());
    }

    /// The flag of a row; `None` where it is null or there is no such row.
    pub fn get(&self, index: usize) -> Option<bool> {
        self.validity.get(index).then(|| self.values.get(index))
    }
}

/// A column has more octets than its offsets can count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a column has more octets than its offsets can count; read fewer rows at a time, or use 64-bit offsets",
        )
    }
}

impl std::error::Error for TooLarge {}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn bits_fill_octets_from_the_lowest() {
        let mut bits = Bits::default();
        for index in 0..11 {
            bits.push(index % 3 == 0);
        }
        assert_eq!((bits.octets(), bits.len(), bits.unset()), (&[0b0100_1001, 0b0000_0010][..], 11, 7));
        assert!(bits.get(9) && !bits.get(10) && !bits.get(11) && !bits.is_empty());
    }
}
