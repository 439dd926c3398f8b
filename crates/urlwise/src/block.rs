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
    let odd = core::array::from_fn(|i| {
        let octet = block[i];
        outside(octet | 0x20, b'a', b'z').min(outside(octet, b'&', b':')).min(octet ^ b'_')
    });
    first(words(odd)).unwrap_or(SIZE)
}

/// The two halves of a block, the first octet of each in the lowest bits.
#[inline]
fn words(block: Block) -> [u64; 2] {
    halves(u128::from_le_bytes(block))
}

#[inline]
fn halves(both: u128) -> [u64; 2] {
    [both as u64, (both >> 64) as u64]
}

/// The place of the first octet that is not 0.
#[inline]
fn first([low, high]: [u64; 2]) -> Option<usize> {
    match (low, high) {
        (0, 0) => None,
        (0, high) => Some(8 + high.trailing_zeros() as usize / 8),
        (low, _) => Some(low.trailing_zeros() as usize / 8),
    }
}
