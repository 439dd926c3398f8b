//! Sixteen octets at a time, for what most of a URL is made of.
//!
//! All is arithmetic on octets, without a branch or a truth value: compilers make one vector instruction of sixteen equal
//! ones.

/// How many octets a block holds.
pub(crate) const SIZE: usize = 16;

pub(crate) type Block = [u8; SIZE];

/// 0 for the octets from `first` to `last`, more for all others.
#[inline]
const fn outside(octet: u8, first: u8, last: u8) -> u8 {
    octet.wrapping_sub(first).saturating_sub(last - first)
}

/// How many octets come before the first that is none of `_`, letters and the characters from `&` to `:`: digits and
/// ``&'()*+,-./:``.
#[inline]
pub(crate) fn path_run(block: &Block) -> usize {
    let odd: Block = core::array::from_fn(|i| {
        let octet = block[i];
        outside(octet | 0x20, b'a', b'z').min(outside(octet, b'&', b':')).min(octet ^ b'_')
    });
    let both = u128::from_le_bytes(odd);
    // In two halves, for a place is found in one register.
    match (both as u64, (both >> 64) as u64) {
        (0, 0) => SIZE,
        (0, high) => SIZE / 2 + high.trailing_zeros() as usize / 8,
        (low, _) => low.trailing_zeros() as usize / 8,
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
                assert_eq!(path_run(&block), if is_path { SIZE } else { place }, "{octet:02X} {place}");
            }
        }
    }
}
