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

/// Where the first octet stands, from `from` on, that is not taken; [`SIZE`] where all are. `_`, letters and the characters from
/// `&` to `:` (digits and ``&'()*+,-./:``) are taken without being asked for, all others if `takes` says so.
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
                }
            }
        }
    }
}
