//! Where a long text may be cut, so that finding in pieces is finding in the whole.

use crate::class;

use super::wrapper::LONGEST_WRAPPED;

/// The last place where a block of a longer text can be cut without touching a URL: the hits before the place are those of the
/// block up to there, and all later ones begin behind it. So a stream is read with blocks of any size: search the block up to the
/// place, keep the rest, append what comes next.
///
/// That is the end of the last line, or the `<` of a wrapper that is still open there. `None` where there is none: read on, to a
/// block of some limit, and search it as it is.
///
/// ```
/// use urlwise::find::safe_cut;
///
/// assert_eq!(safe_cut(b"one line\nand half a li"), Some(9));
/// assert_eq!(safe_cut(b"see\n<URL:http://host.dom/a\nb"), Some(4));
/// assert_eq!(safe_cut(b"half a li"), None);
/// ```
pub fn safe_cut(block: &[u8]) -> Option<usize> {
    let line = block.iter().rposition(|&octet| octet == b'\n')? + 1;
    let from = line.saturating_sub(LONGEST_WRAPPED + 16);
    let cut = match block[from..line].iter().rposition(|octet| matches!(octet, b'<' | b'>')).map(|at| from + at) {
        Some(at) if block[at] == b'<' && opens(&block[at + 1..line]) => at,
        _ => line,
    };
    (cut > 0).then_some(cut)
}

/// Whether a wrapper begins so: with a name and a colon.
fn opens(inside: &[u8]) -> bool {
    let name = class::skip(inside, 0, class::SCHEME);
    name > 0 && inside.get(name) == Some(&b':')
}
