//! The search for colons that may belong to a URL, where nearly all of the time is spent.
//!
//! If colons are rare, searching for them is fastest. If they are frequent, as in source code or headers, checking each
//! of them would take most of the time; then whole blocks of octets are tested for what every scheme has: a `/` after
//! the colon, or the last letters of `mailto`, `news` or `url` before it. The search can switch between the two
//! anywhere.

#[cfg(not(feature = "memchr"))]
use crate::word;

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

/// The colons of a block, and those followed by `/` or preceded by `to`, `ws` or `rl` in either case, as nonzero
/// octets.
///
/// Plain arithmetic on octets, which compilers vectorize.
#[inline]
fn marks(window: &[u8; BEFORE + BLOCK + BEHIND]) -> (u128, u128) {
    let is = |octet: u8, wanted: u8| u8::from(octet == wanted);
    let colons: [u8; BLOCK] = core::array::from_fn(|i| is(window[BEFORE + i], b':'));
    let marks = core::array::from_fn(|i| {
        let (first, second) = (window[i] | 0x20, window[i + 1] | 0x20);
        let name = is(first, b't') & is(second, b'o')
            | is(first, b'w') & is(second, b's')
            | is(first, b'r') & is(second, b'l');
        colons[i] & (name | is(window[BEFORE + i + BEHIND], b'/'))
    });
    (u128::from_le_bytes(colons), u128::from_le_bytes(marks))
}
