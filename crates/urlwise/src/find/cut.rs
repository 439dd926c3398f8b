//! Finds a safe position to cut a long text, so that searching it in pieces finds the same URLs.

use crate::class;

use super::wrapper::LONGEST_WRAPPED;

/// The last position where a block of a longer text can be cut without splitting a URL: the hits before it are those of
/// the block up to there, and all later ones start after it. To search a stream in blocks of any size, search each
/// block up to this position, keep the rest and append the next block.
///
/// This is the end of the last line, or the `<` of a wrapper that is still open there. `None` if there is none: read
/// more, up to some limit, and then search the whole block.
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

/// Whether a wrapper starts like this: with a name and a colon.
fn opens(inside: &[u8]) -> bool {
    let name = class::skip(inside, 0, class::SCHEME);
    name > 0 && inside.get(name) == Some(&b':')
}
