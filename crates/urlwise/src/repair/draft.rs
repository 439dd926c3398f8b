//! A text being rewritten, with a map from each octet back to the input.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::{self, Vec};
use core::ops::{Deref, Range};

use super::rules::FixRule;

/// A replacement of some octets of a text, and the rule behind it.
pub(super) struct Rewrite {
    pub(super) span: Range<usize>,
    pub(super) now: Replacement,
    pub(super) rule: &'static FixRule,
}

/// What some octets are replaced by. A text may have the same mistake ten thousand times, so its copies share one memory.
#[derive(Clone)]
pub(super) enum Replacement {
    Fixed(&'static str),
    Made(Arc<str>),
}

impl Deref for Replacement {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Replacement::Fixed(text) => text,
            Replacement::Made(text) => text,
        }
    }
}

impl From<&'static str> for Replacement {
    fn from(text: &'static str) -> Self {
        Replacement::Fixed(text)
    }
}

impl From<Cow<'static, str>> for Replacement {
    fn from(text: Cow<'static, str>) -> Self {
        match text {
            Cow::Borrowed(text) => Replacement::Fixed(text),
            Cow::Owned(text) => text.into(),
        }
    }
}

impl From<String> for Replacement {
    fn from(text: String) -> Self {
        Replacement::Made(text.into())
    }
}

impl Rewrite {
    /// Deletes the octets.
    pub(super) fn delete(rule: &'static FixRule, span: Range<usize>) -> Self {
        Rewrite { span, now: "".into(), rule }
    }
}

/// The input with some changes made.
pub(super) struct EditedText<'a> {
    input: &'a [u8],
    text: Vec<u8>,
    /// The changes in order, not overlapping, each with the position in `text` where its replacement starts.
    edits: Vec<(usize, Rewrite)>,
}

/// A position known in both texts; they are identical from there to the next change.
#[derive(Clone, Copy)]
struct Mark {
    text: usize,
    input: usize,
}

impl<'a> EditedText<'a> {
    pub(super) fn new(input: &'a [u8]) -> Self {
        EditedText { input, text: input.to_vec(), edits: Vec::new() }
    }

    /// The text as it was given.
    pub(super) fn input(&self) -> &'a [u8] {
        self.input
    }

    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Applies changes, whose spans refer to the current text and are in order. If two of them overlap or touch, the
    /// later one is dropped. A change that covers earlier changes absorbs them. Linear in both.
    pub(super) fn rewrite(&mut self, changes: Vec<Rewrite>) {
        if changes.is_empty() {
            return;
        }
        let mut old = core::mem::take(&mut self.edits).into_iter();
        self.edits.reserve(old.len() + changes.len());
        self.text.clear();
        let mut mark = Mark { text: 0, input: 0 };
        for mut change in changes {
            let Range { start, end } = change.span;
            if start < mark.text {
                continue;
            }
            // What most are: nothing was changed before in what is changed now.
            if old.as_slice().first().is_none_or(|(at, _)| *at > end) {
                change.span = mark.input + (start - mark.text)..mark.input + (end - mark.text);
                mark = Mark { text: end, input: change.span.end };
                self.put(change);
                continue;
            }
            while let Some((at, edit)) = next_if(&mut old, |(at, edit)| at + edit.now.len() <= start) {
                mark = Mark { text: at + edit.now.len(), input: edit.span.end };
                self.put(edit);
            }
            let mut first = mark.input + (start - mark.text);
            while let Some((at, edit)) = next_if(&mut old, |(at, _)| *at < end) {
                if at < start {
                    first = edit.span.start;
                    change.now = [&edit.now[..start - at], &*change.now].concat().into();
                }
                let text = at + edit.now.len();
                if text > end {
                    change.now = [&*change.now, &edit.now[end - at..]].concat().into();
                }
                mark = Mark { text, input: edit.span.end };
            }
            let last = mark.input + end.saturating_sub(mark.text);
            mark = Mark { text: end.max(mark.text), input: last };
            change.span = first..last;
            self.put(change);
        }
        old.for_each(|(_, edit)| self.put(edit));
        self.text.extend_from_slice(&self.input[self.written()..]);
    }

    /// How much of the input has been written, up to the last change.
    fn written(&self) -> usize {
        self.edits.last().map_or(0, |(_, edit)| edit.span.end)
    }

    /// Writes the text from the last change to the end of this one.
    fn put(&mut self, change: Rewrite) {
        let written = self.written();
        push_few(&mut self.text, &self.input[written..change.span.start]);
        let place = self.text.len();
        push_few(&mut self.text, change.now.as_bytes());
        self.edits.push((place, change));
    }

    /// The octets of the input that a span of the current text came from, including every change that the span cuts.
    pub(super) fn origin(&self, span: Range<usize>) -> Range<usize> {
        let passed = self.edits.partition_point(|(at, edit)| at + edit.now.len() <= span.start);
        let start = match self.edits.get(passed) {
            Some((at, edit)) if *at < span.start => edit.span.start,
            _ => self.behind(passed, span.start),
        };
        // Octets deleted right after the span do not belong to it.
        let begun = self.edits.partition_point(|(at, _)| *at < span.end);
        let end = if span.is_empty() { start } else { self.behind(begun, span.end) };
        start..end.max(start)
    }

    /// The position in the input of a position after the first `passed` changes, or the end of the last of them if it
    /// is inside.
    fn behind(&self, passed: usize, at: usize) -> usize {
        match passed.checked_sub(1).and_then(|last| self.edits.get(last)) {
            Some((start, edit)) => edit.span.end + at.saturating_sub(start + edit.now.len()),
            None => at,
        }
    }

    /// The text and its changes.
    pub(super) fn into_parts(self) -> (Vec<u8>, Vec<Rewrite>) {
        (self.text, self.edits.into_iter().map(|(_, change)| change).collect())
    }
}

/// Appends octets, which are few between many changes: to copy two or three is quicker than to call what copies many.
#[inline]
fn push_few(text: &mut Vec<u8>, octets: &[u8]) {
    match octets {
        [one] => text.push(*one),
        [one, two, three] => text.extend_from_slice(&[*one, *two, *three]),
        octets => text.extend_from_slice(octets),
    }
}

/// The next one, if it is one that is wanted.
#[inline]
fn next_if<T>(rest: &mut vec::IntoIter<T>, is_wanted: impl Fn(&T) -> bool) -> Option<T> {
    if rest.as_slice().first().is_some_and(is_wanted) { rest.next() } else { None }
}

#[cfg(test)]
mod tests {
    use super::super::rules::BLANKS;
    use super::*;
    use alloc::vec;

    fn change(span: Range<usize>, now: &'static str) -> Rewrite {
        Rewrite { span, now: now.into(), rule: &BLANKS }
    }

    fn drawn(draft: EditedText<'_>) -> (String, Vec<(Range<usize>, String)>) {
        let (text, changes) = draft.into_parts();
        let changes = changes.into_iter().map(|change| (change.span, String::from(&*change.now))).collect();
        (String::from_utf8(text).unwrap(), changes)
    }

    #[test]
    fn spans_of_later_changes_are_octets_of_the_input() {
        let mut draft = EditedText::new(b"abcdef");
        draft.rewrite(vec![change(0..1, ""), change(3..3, "//")]);
        assert_eq!(draft.text(), b"bc//def");
        draft.rewrite(vec![change(6..7, "F")]);
        assert_eq!(drawn(draft), ("bc//deF".into(), vec![(0..1, "".into()), (3..3, "//".into()), (5..6, "F".into())]));
    }

    #[test]
    fn a_change_of_changes_takes_them_in() {
        let mut draft = EditedText::new(b"abcdef");
        draft.rewrite(vec![change(1..2, "12345"), change(3..4, "")]);
        assert_eq!(draft.text(), b"a12345cef");
        draft.rewrite(vec![change(4..8, "-")]);
        assert_eq!(drawn(draft), ("a123-f".into(), vec![(1..5, "123-".into())]));
    }

    #[test]
    fn inside_of_a_change_what_is_left_of_it_stays() {
        let mut draft = EditedText::new(b"ab");
        draft.rewrite(vec![change(1..2, "12345")]);
        draft.rewrite(vec![change(2..3, ""), change(5..6, "")]);
        assert_eq!(drawn(draft), ("a1345".into(), vec![(1..2, "1345".into())]));
    }

    #[test]
    fn what_is_put_in_where_octets_were_deleted_stands_behind_them() {
        for (place, changes) in [
            (1, vec![(1..1, "X".into()), (2..4, "".into())]),
            (2, vec![(2..4, "".into()), (4..4, "X".into())]),
            (3, vec![(2..4, "".into()), (5..5, "X".into())]),
        ] {
            let mut draft = EditedText::new(b"abcdef");
            draft.rewrite(vec![change(2..4, "")]);
            draft.rewrite(vec![change(place..place, "X")]);
            let text = String::from_utf8([&b"abef"[..place], b"X", &b"abef"[place..]].concat()).unwrap();
            assert_eq!(drawn(draft), (text, changes), "{place}");
        }
    }

    #[test]
    fn origins_are_octets_of_the_input() {
        let mut draft = EditedText::new(b"abcdef");
        draft.rewrite(vec![change(0..2, ""), change(3..4, "123")]);
        assert_eq!(draft.text(), b"c123ef");
        assert_eq!(draft.origin(0..1), 2..3);
        assert_eq!(draft.origin(2..3), 3..4);
        assert_eq!(draft.origin(4..6), 4..6);
        let mut draft = EditedText::new(b" ab ");
        draft.rewrite(vec![change(0..1, ""), change(3..4, "")]);
        assert_eq!(draft.origin(0..2), 1..3);
        assert_eq!(draft.origin(2..2), 4..4);
        let mut draft = EditedText::new(b"abcdef");
        draft.rewrite(vec![change(1..1, "//")]);
        assert_eq!(draft.origin(0..1), 0..1);
        assert_eq!(draft.origin(1..4), 1..2);
        assert_eq!(draft.origin(2..3), 1..1);
    }
}
