//! Where rows come from.

/// A column of texts to read.
///
/// Implement this for texts that are stored in another way. Each row is read once, in order.
pub trait Source {
    /// How many rows there are.
    fn rows(&self) -> usize;

    /// The octets of a row; `None` where it is null. Only called with an index below [`rows`](Source::rows).
    fn row(&self, index: usize) -> Option<&[u8]>;
}

impl<T: AsRef<[u8]>> Source for [T] {
    fn rows(&self) -> usize {
        self.len()
    }

    fn row(&self, index: usize) -> Option<&[u8]> {
        self.get(index).map(AsRef::as_ref)
    }
}

/// Texts that may be null.
#[derive(Clone, Copy, Debug)]
pub struct Optional<'a, T>(pub &'a [Option<T>]);

impl<T: AsRef<[u8]>> Source for Optional<'_, T> {
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn row(&self, index: usize) -> Option<&[u8]> {
        self.0.get(index)?.as_ref().map(AsRef::as_ref)
    }
}

/// An offset into octets: `i32` or `i64`, as in Arrow's arrays of strings, or the same without a sign.
pub trait Offset: Copy + Send + Sync + 'static + sealed::Sealed {
    /// As an index; `None` if the offset is negative.
    fn index(self) -> Option<usize>;

    /// From an index; `None` if it is too large.
    fn from_index(index: usize) -> Option<Self>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! offsets {
    ($($type:ty)*) => {$(
        impl sealed::Sealed for $type {}

        impl Offset for $type {
            fn index(self) -> Option<usize> {
                self.try_into().ok()
            }

            fn from_index(index: usize) -> Option<Self> {
                index.try_into().ok()
            }
        }
    )*};
}

offsets!(i32 i64 u32 u64);
#[cfg(test)]
offsets!(i8);

/// Texts one after another: row `i` is `octets[offsets[i]..offsets[i + 1]]`.
#[derive(Clone, Copy, Debug)]
pub struct Packed<'a, O> {
    offsets: &'a [O],
    octets: &'a [u8],
    validity: Option<(&'a [u8], usize)>,
}

impl<'a, O: Offset> Packed<'a, O> {
    /// Rows between each two offsets that follow one another; no rows where there are fewer than two.
    ///
    /// A row whose offsets are out of order or lie outside the octets is read as empty; nothing panics.
    pub fn new(offsets: &'a [O], octets: &'a [u8]) -> Packed<'a, O> {
        Packed { offsets, octets, validity: None }
    }

    /// Row `i` is null where the bit `offset + i` is not set; the lowest bit of an octet comes first. Bits that are missing
    /// count as set.
    #[must_use]
    pub fn with_validity(self, bits: &'a [u8], offset: usize) -> Packed<'a, O> {
        Packed { validity: Some((bits, offset)), ..self }
    }
}

impl<O: Offset> Source for Packed<'_, O> {
    fn rows(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    fn row(&self, index: usize) -> Option<&[u8]> {
        if let Some((bits, offset)) = self.validity {
            let bit = offset + index;
            if bits.get(bit / 8).is_some_and(|octet| octet >> (bit % 8) & 1 == 0) {
                return None;
            }
        }
        let at = |index: usize| self.offsets.get(index)?.index();
        let row = at(index).zip(at(index + 1)).and_then(|(start, end)| self.octets.get(start..end));
        Some(row.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::{Packed, Source};

    #[test]
    fn rows_are_cut_at_their_offsets_and_nulls_are_those_whose_bit_is_not_set() {
        let source = Packed::new(&[1_i32, 3, 3, 6], b"xabcde").with_validity(&[0b1011_0000], 4);
        let rows: Vec<_> = (0..source.rows()).map(|index| source.row(index)).collect();
        assert_eq!(rows, [Some(&b"ab"[..]), Some(b""), None]);
        assert_eq!(Packed::<i64>::new(&[], b"").rows(), 0);
    }

    #[test]
    fn offsets_that_lead_nowhere_are_empty_rows() {
        let source = Packed::new(&[-1_i64, 4, 2, 9], b"abcdef");
        let rows: Vec<_> = (0..source.rows()).map(|index| source.row(index)).collect();
        assert_eq!(rows, [Some(&b""[..]), Some(b""), Some(b"")]);
    }
}
