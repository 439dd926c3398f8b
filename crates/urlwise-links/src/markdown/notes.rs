//! What may be footnotes, by their labels: in a part of a document, those that another part defines are footnotes.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::iter;
use std::ops::Range;

use super::closings::Closings;
use super::labels::{Labels, may_read_otherwise};
use crate::definition;

/// Where what may be labels of footnotes stands.
pub(super) fn all(text: &str) -> impl Iterator<Item = Range<usize>> {
    let octets = text.as_bytes();
    let mut end = 0;
    // Where they are dense, searching for one octet takes half as long as for two.
    memchr::memchr_iter(b'^', octets).filter_map(move |at| {
        let start = at + 1;
        // Within another label the bracket must be escaped, so it begins none.
        if start <= end || !octets[..at].ends_with(b"[") {
            return None;
        }
        let is_end = |octet| matches!(octet, b'[' | b']' | b'\n' | b'\r');
        end = definition::unescaped(&octets[start..], is_end).map_or(octets.len(), |length| start + length);
        (octets.get(end) == Some(&b']') && start < end).then_some(start..end)
    })
}

/// The same for what may be definitions of footnotes.
pub(super) fn defined(text: &str) -> impl Iterator<Item = Range<usize>> {
    all(text).filter(|label| text[label.end..].starts_with("]:"))
}

/// Whether it matters to others that `[^label]` is a footnote: to a link around it, which would not be one then, or to what is in the label,
/// which counts for nothing then.
fn matters(text: &str, label: &Range<usize>, closings: &mut Closings) -> bool {
    may_read_otherwise(&text[label.clone()]) || closings.may_end_behind(text.as_bytes(), label.end + 1)
}

/// The labels of what is a footnote if it is defined and where that matters.
pub(super) fn that_matter(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let mut closings = Closings::default();
    let matters = move |label: &Range<usize>| matters(text, label, &mut closings);
    all(text).filter(matters).flat_map(|label| {
        let label = &text[label];
        // In a table, an escaped bar stands for itself.
        let in_table = label.contains(r"\|").then(|| Cow::Owned(label.replace(r"\|", "|")));
        iter::once(Cow::Borrowed(label)).chain(in_table)
    })
}

/// Definitions of those footnotes of a part that others define, where that matters, and a paragraph that ends the last one.
pub(super) fn of_other_parts(inside: &str, span: &Range<usize>, labels: &Labels) -> String {
    let is_elsewhere = |label: &Cow<'_, str>| labels.note(label).is_some_and(|place| !span.contains(&place));
    let known: BTreeSet<_> = that_matter(inside).filter(is_elsewhere).collect();
    let mut text: String = known.iter().map(|label| format!("[^{label}]: x\n\n")).collect();
    if !text.is_empty() {
        text.push_str("x\n\n");
    }
    text
}
