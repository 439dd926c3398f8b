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

/// Goes from one octet that is no ASCII letter or digit to the next, until `found` has an answer; it is told the place, and
/// at last the end of the text.
#[inline(always)]
pub(crate) fn find_other<R>(octets: &[u8], start: usize, mut found: impl FnMut(usize) -> Option<R>) -> Option<R> {
    let mut base = start;
    while base < octets.len() {
        let rest = &octets[base..];
        let words = match rest.first_chunk() {
            Some(block) => others(block),
            None => last_others(octets, rest.len()),
        };
        for mut marks in words {
            while marks != 0 {
                let answer = found(base + marks.trailing_zeros() as usize / 8);
                if answer.is_some() {
                    return answer;
                }
                marks &= marks - 1;
            }
            base += SIZE / 2;
        }
    }
    found(octets.len())
}

/// [`others`] of the last octets, fewer than a block holds.
#[inline]
fn last_others(octets: &[u8], length: usize) -> [u64; 2] {
    let Some(block) = octets.last_chunk() else {
        return few_others(octets, length);
    };
    // What stands before them is shifted out.
    let [low, high] = others(block);
    halves((u128::from(high) << 64 | u128::from(low)) >> (8 * (SIZE - length)))
}

/// The same where there is no whole block.
#[cold]
fn few_others(octets: &[u8], length: usize) -> [u64; 2] {
    let mut block = [b'0'; SIZE];
    block[..length].copy_from_slice(&octets[octets.len() - length..]);
    others(&block)
}

/// For each octet 0 where it is an ASCII letter or digit, else 1.
#[inline]
fn others(block: &Block) -> [u64; 2] {
    words(core::array::from_fn(|i| outside(block[i] | 0x20, b'a', b'z').min(outside(block[i], b'0', b'9')).min(1)))
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
