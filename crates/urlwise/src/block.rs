//! Sixteen octets at a time, for what most of a URL is made of.
//!
//! The feature `simd` compares them by the vectors of the crate `wide`. Without it, all is arithmetic on octets, without a branch
//! or a truth value: compilers make one vector instruction of sixteen equal ones.

/// How many octets a block holds.
pub(crate) const SIZE: usize = 16;

pub(crate) type Block = [u8; SIZE];

#[cfg(not(feature = "simd"))]
pub(crate) use by_arithmetic::path_run;
#[cfg(feature = "simd")]
pub(crate) use by_vectors::{host_marks, path_run};

#[cfg(any(test, not(feature = "simd")))]
mod by_arithmetic {
    use super::{Block, SIZE};

    /// 0 for the octets from `first` to `last`, more for all others.
    #[inline]
    const fn outside(octet: u8, first: u8, last: u8) -> u8 {
        octet.wrapping_sub(first).saturating_sub(last - first)
    }

    /// Where the first octet stands, from `from` on, that is not taken; [`SIZE`] where all are. `_`, letters and the characters
    /// from `&` to `:` (digits and ``&'()*+,-./:``) are taken without being asked for, all others if `takes` says so.
    #[inline]
    pub(crate) fn path_run(block: &Block, from: usize, takes: impl Fn(u8) -> bool) -> usize {
        let odd: Block = core::array::from_fn(|i| {
            let octet = block[i];
            outside(octet | 0x20, b'a', b'z').min(outside(octet, b'&', b':')).min(octet ^ b'_')
        });
        let both = u128::from_le_bytes(odd) & (u128::MAX << (8 * (from % SIZE)));
        // In two halves, for a place is found in one register.
        for (base, half) in [(0, both as u64), (SIZE / 2, (both >> 64) as u64)] {
            let mut rest = half;
            while rest != 0 {
                let place = rest.trailing_zeros() / 8;
                let run = base + place as usize;
                if !takes(block[run]) {
                    return run;
                }
                rest &= !(0xFF << (place * 8));
            }
        }
        SIZE
    }
}

#[cfg(feature = "simd")]
mod by_vectors {
    use wide::u8x16;

    use super::{Block, SIZE};

    /// All ones where an octet is one from `first` to `last`.
    #[inline(always)]
    fn within(block: u8x16, first: u8, last: u8) -> u8x16 {
        (block - u8x16::splat(first)).saturating_sub(u8x16::splat(last - first)).cmp_eq(u8x16::splat(0))
    }

    /// A bit for each octet that is all ones, that of the first the lowest.
    #[inline(always)]
    fn bits(block: u8x16) -> u32 {
        block.move_mask() as u32
    }

    /// What the function of the same name in `by_arithmetic` says.
    #[inline(always)]
    pub(crate) fn path_run(block: &Block, from: usize, takes: impl Fn(u8) -> bool) -> usize {
        let block16 = u8x16::new(*block);
        let letters = within(block16 | u8x16::splat(0x20), b'a', b'z');
        let path = letters | within(block16, b'&', b':') | block16.cmp_eq(u8x16::splat(b'_'));
        let mut odd = (bits(path) ^ 0xFFFF) & (u32::MAX << (from % SIZE));
        while odd != 0 {
            let place = odd.trailing_zeros() as usize;
            if !takes(block[place]) {
                return place;
            }
            odd &= odd - 1;
        }
        SIZE
    }

    /// Bits for the octets of a host name that are dots, those that are hyphens, and those that end it: neither of these, nor
    /// letters or digits.
    #[inline(always)]
    pub(crate) fn host_marks(block: &Block) -> [u32; 3] {
        let block16 = u8x16::new(*block);
        let letters = within(block16 | u8x16::splat(0x20), b'a', b'z');
        let taken = bits(letters | within(block16, b'0', b'9'));
        let dots = bits(block16.cmp_eq(u8x16::splat(b'.')));
        let hyphens = bits(block16.cmp_eq(u8x16::splat(b'-')));
        [dots, hyphens, taken ^ 0xFFFF ^ dots ^ hyphens]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_at_the_first_octet_of_another_kind_wherever_it_stands() {
        for octet in 0..=255u8 {
            let is_path = octet.is_ascii_alphanumeric() || b"_&'()*+,-./:".contains(&octet);
            for place in 0..SIZE {
                let mut block = [b'/'; SIZE];
                block[place..].fill(octet);
                for from in 0..SIZE {
                    let end = if is_path { SIZE } else { place.max(from) };
                    assert_eq!(path_run(&block, from, |_| false), end, "{octet:02X} {place} {from}");
                    assert_eq!(path_run(&block, from, |_| true), SIZE, "{octet:02X} {place} {from}");
                    #[cfg(feature = "simd")]
                    {
                        let by_arithmetic = |is_inside| by_arithmetic::path_run(&block, from, |_| is_inside);
                        assert_eq!([false, true].map(by_arithmetic), [end, SIZE], "{octet:02X} {place} {from}");
                    }
                }
            }
        }
    }
}
