//! The search for colons that may belong to a URL, where nearly all of the time is spent.
//!
//! Where colons are rare, a search for them is the fastest there is. Where they are many, in source code or headers, most of the time
//! would go into looking at each of them; there, blocks of octets are asked at once for what every scheme has: a `/` behind the colon,
//! or the last letters of a name that needs no `/`, as `mailto`, before it. A text may change from one to the other at any place.

#[cfg(not(feature = "memchr"))]
use crate::word;

use super::names::ENDINGS;

/// A search through a text.
#[derive(Clone, Default)]
pub(super) struct Search {
    /// Everything before it has been searched.
    pub(super) at: usize,
    /// Whether colons are frequent here.
    dense: bool,
}

/// The number of octets tested at once.
const BLOCK: usize = 16;
/// The number of octets before and after a colon that are tested.
const BEFORE: usize = 2;
const BEHIND: usize = 1;
/// This many blocks without a colon are sparse.
const STRETCH: usize = 8;
/// Two colons with fewer octets between them are dense.
const NEAR: usize = 48;

impl Search {
    /// The next colon after which a known name may end; skips some where none does.
    #[inline]
    pub(super) fn known(&mut self, text: &[u8]) -> Option<usize> {
        match self.dense {
            true => self.in_blocks(text).or_else(|| self.any(text)),
            false => self.any(text),
        }
    }

    /// The next colon.
    #[inline]
    pub(super) fn any(&mut self, text: &[u8]) -> Option<usize> {
        let length = colon(text.get(self.at..)?)?;
        self.dense = length < NEAR;
        self.at += length + 1;
        Some(self.at - 1)
    }

    /// The same, block by block, until the text becomes sparse or ends.
    fn in_blocks(&mut self, text: &[u8]) -> Option<usize> {
        // No name ends before the third octet of a text.
        let mut at = self.at.max(BEFORE);
        let mut found = None;
        'dense: loop {
            let mut seen = 0;
            for _ in 0..STRETCH {
                let Some(window) = text.get(at - BEFORE..).and_then(|rest| rest.first_chunk()) else {
                    break 'dense;
                };
                let (colons, marks) = marks(window);
                if marks != 0 {
                    found = Some(at + marks.trailing_zeros() as usize / 8);
                    break 'dense;
                }
                // Not tested here: the branch whether a block contains a colon is unpredictable.
                seen |= colons;
                at += BLOCK;
            }
            if seen == 0 {
                break;
            }
        }
        self.dense = found.is_some();
        self.at = found.map_or(at, |colon| colon + 1);
        found
    }
}

/// Where the next colon is.
#[inline]
fn colon(text: &[u8]) -> Option<usize> {
    #[cfg(feature = "memchr")]
    return memchr::memchr(b':', text);
    #[cfg(not(feature = "memchr"))]
    return word::position(text, b':');
}

/// The colons of a block, and those of them with a `/` behind, or with the [`ENDINGS`] of a name before them in either case: each an
/// octet that is not 0.
///
/// Plain arithmetic on octets, which compilers vectorize.
#[inline]
fn marks(window: &[u8; BEFORE + BLOCK + BEHIND]) -> (u128, u128) {
    let is = |octet: u8, wanted: u8| u8::from(octet == wanted);
    let colons: [u8; BLOCK] = core::array::from_fn(|i| is(window[BEFORE + i], b':'));
    let marks = core::array::from_fn(|i| {
        let (first, second) = (window[i] | 0x20, window[i + 1] | 0x20);
        let mut name = 0;
        for [next_to_last, last] in ENDINGS {
            name |= is(first, *next_to_last) & is(second, *last);
        }
        colons[i] & (name | is(window[BEFORE + i + BEHIND], b'/'))
    });
    (u128::from_le_bytes(colons), u128::from_le_bytes(marks))
}
