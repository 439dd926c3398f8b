//! Sixteen octets at a time, for what most of a URL is made of.
//!
//! All is arithmetic on octets, without a branch or a truth value: compilers make one vector instruction of sixteen equal
//! ones.

/// How many octets a block holds.
pub(crate) const SIZE: usize = 16;

pub(crate) type Block = [u8; SIZE];

/// The block at `at`; `None` where fewer octets are left.
#[inline]
pub(crate) fn at(octets: &[u8], at: usize) -> Option<&Block> {
    octets.get(at..at + SIZE).and_then(<[u8]>::first_chunk)
}

/// [`others`] of what is left at `at`, fewer octets than a block holds, and of zeros.
#[inline(never)]
pub(crate) fn last_others(octets: &[u8], at: usize) -> [u64; 2] {
    let rest = &octets[at..];
    let mut block = [0; SIZE];
    block[..rest.len()].copy_from_slice(rest);
    others(&block)
}

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

/// For each octet 0 where it is an ASCII letter or digit, else 1.
#[inline]
pub(crate) fn others(block: &Block) -> [u64; 2] {
    words(core::array::from_fn(|i| outside(block[i] | 0x20, b'a', b'z').min(outside(block[i], b'0', b'9')).min(1)))
}

/// The two halves of a block, the first octet of each in the lowest bits.
#[inline]
fn words(block: Block) -> [u64; 2] {
    let both = u128::from_le_bytes(block);
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
