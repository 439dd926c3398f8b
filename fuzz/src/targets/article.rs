//! Any octets as an article: what is shown of it has no harmful characters, and is no longer than its octets allow.

use urlwise_open::article;

/// An octet becomes at most an escape of a character that it stands for, in a header with a name; and what is said about a part
/// that is left out is short.
const MOST_FOR_AN_OCTET: usize = 16;

pub(crate) fn run(octets: &[u8]) {
    let text = article::to_text(octets);
    assert!(!text.contains(|c| !matches!(c, '\n' | '\t') && urlwise::is_harmful(c)), "{text:?}");
    assert!(text.len() <= 1000 + MOST_FOR_AN_OCTET * octets.len(), "{} of {}", text.len(), octets.len());
}
