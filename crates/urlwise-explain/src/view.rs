//! A range of a text as it is displayed: passwords masked, harmful characters escaped. Both change widths, so a view
//! knows the column of each octet.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;
use std::str;

use crate::secret::{MASK, Secrets};
use crate::wrap;

/// A range of a text as it is displayed.
#[derive(Debug)]
pub struct View<'t> {
    /// The displayed octets.
    range: Range<usize>,
    text: Cow<'t, str>,
    /// The column of each octet of the range, and of its end; empty if each octet takes one column.
    columns: Vec<usize>,
    /// What was found last, from where what is behind it is looked for.
    last: Cell<Place>,
}

impl<'t> View<'t> {
    /// The view of a range. Time and memory are linear in its length. Ends within a character move to the next one.
    pub fn new(octets: &'t [u8], range: Range<usize>, secrets: &Secrets, ascii: bool) -> Self {
        let range = boundary(octets, range.start)..boundary(octets, range.end.min(octets.len()));
        let shown = octets.get(range.clone()).unwrap_or_default();
        // Without an early end, so that many octets are looked at at once.
        let is_plain = shown.iter().fold(true, |plain, octet| plain & takes_a_column(octet));
        if is_plain
            && !secrets.touch(&range)
            && let Ok(text) = str::from_utf8(shown)
        {
            // What most texts are.
            return View { text: text.into(), columns: Vec::new(), range, last: Cell::default() };
        }
        let rest = Rest::of(shown);
        let mut text = String::with_capacity(range.len());
        let mut columns = Vec::with_capacity(range.len() + 1);
        let mut at = range.start;
        let mut column = 0;
        // Many are the same character again and again, among others or not.
        let mut escape = Escape::default();
        let mut secrets = secrets.behind(at).peekable();
        while at < range.end {
            while secrets.next_if(|secret| secret.end <= at).is_some() {}
            let secret = secrets.peek().filter(|secret| secret.start <= at);
            if secret.is_none() && takes_a_column(&octets[at]) {
                // What most texts are made of takes one column as it is.
                text.push(char::from(octets[at]));
                columns.push(column);
                column += 1;
                at += 1;
                continue;
            }
            let start = text.len();
            let (end, width) = match secret {
                Some(secret) => {
                    text.push_str(MASK);
                    (secret.end, MASK.len())
                }
                None if escape.is_of(&shown[at - range.start..]) => {
                    text.extend_from_within(escape.place.clone());
                    (at + escape.of.len(), escape.place.len())
                }
                None => {
                    let length = rest.push_character(at - range.start, &mut text, ascii);
                    // An escape is longer than what it stands for, and its octets take a column each.
                    let is_escape = text.len() - start > length;
                    if is_escape && rest.text.is_some() {
                        escape = Escape { of: &octets[at..at + length], place: start..text.len() };
                    }
                    let written = &text[start..];
                    (at + length, if is_escape { written.len() } else { wrap::width_of(written) })
                }
            };
            let end = end.min(range.end);
            columns.extend(std::iter::repeat_n(column, end - at));
            column += width;
            at = end;
        }
        columns.push(column);
        View { text: text.into(), columns, range, last: Cell::default() }
    }

    /// The width in columns.
    pub fn width(&self) -> usize {
        self.columns.last().copied().unwrap_or(self.text.len())
    }

    /// The displayed octets.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The visible columns of a span of the whole text; `None` if it is outside the view.
    pub fn columns(&self, span: &Range<usize>) -> Option<Range<usize>> {
        if span.start > self.range.end || span.end < self.range.start {
            return None;
        }
        let column = |at: usize| {
            let at = at.clamp(self.range.start, self.range.end) - self.range.start;
            self.columns.get(at).copied().unwrap_or(at)
        };
        let (start, mut end) = (column(span.start), column(span.end));
        // A span inside a secret gets the whole mask.
        if start == end && span.start < span.end {
            end = self.columns.iter().copied().find(|&column| column > start).unwrap_or(start);
        }
        Some(start..end)
    }

    /// The text between two columns, extended to whole characters, and its actual columns.
    pub fn slice(&self, columns: Range<usize>) -> (&str, Range<usize>) {
        let (start, end) = (self.place(columns.start), self.place(columns.end));
        (&self.text[start.at..end.at], start.column..end.column)
    }

    /// The place of the first character at this column or behind it. Found at once if it is not before the one asked for last.
    pub(crate) fn place(&self, column: usize) -> Place {
        // Then every octet takes a column.
        if self.text.len() == self.width() {
            let at = column.min(self.text.len());
            return Place { at, column: at };
        }
        let last = self.last.get();
        // At the end, characters without a width have been passed.
        let is_before = last.column < column || (last.column == column && last.at < self.text.len());
        let mut place = if is_before { last } else { Place::default() };
        while place.column < column
            && let Some(c) = self.text[place.at..].chars().next()
        {
            let rest = &self.text.as_bytes()[place.at..];
            let (octets, columns) =
                match rest.iter().take(column - place.column).take_while(|octet| takes_a_column(octet)).count() {
                    0 => (c.len_utf8(), wrap::columns_of(c).unwrap_or_default()),
                    plain => (plain, plain),
                };
            place = Place { at: place.at + octets, column: place.column + columns };
        }
        self.last.set(place);
        place
    }
}

/// Whether an octet is a character that is shown as it is and takes a column.
fn takes_a_column(octet: &u8) -> bool {
    matches!(octet, b' '..=b'~')
}

/// A character of UTF-8 that was escaped, and where its escape stands in the text of a view.
#[derive(Default)]
struct Escape<'t> {
    of: &'t [u8],
    place: Range<usize>,
}

impl Escape<'_> {
    /// Whether other octets, which are UTF-8, begin with it.
    fn is_of(&self, octets: &[u8]) -> bool {
        !self.of.is_empty() && octets.starts_with(self.of)
    }
}

/// A character of the text of a view.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    /// In octets of the text.
    pub(crate) at: usize,
    pub(crate) column: usize,
}

/// The first place from `at` on that is not inside a character.
pub fn boundary(octets: &[u8], at: usize) -> usize {
    let is_inside = |octet: &&u8| **octet & 0xC0 == 0x80;
    let inside = octets.get(at..).unwrap_or_default().iter().take(4).take_while(is_inside).count();
    at + if inside < 4 { inside } else { 0 }
}

/// Octets that are shown character by character.
pub struct Rest<'t> {
    octets: &'t [u8],
    /// The same octets, if all of them are UTF-8: most are, and are not looked at again for each character.
    text: Option<&'t str>,
}

impl<'t> Rest<'t> {
    /// These octets.
    pub fn of(octets: &'t [u8]) -> Self {
        Rest { octets, text: str::from_utf8(octets).ok() }
    }

    /// Appends the character at `at` as it is shown. Returns its length in octets.
    #[inline]
    pub fn push_character(&self, at: usize, text: &mut String, ascii: bool) -> usize {
        if let plain @ b' '..=b'~' = self.octets[at] {
            text.push(char::from(plain));
            return 1;
        }
        let character = match self.text.and_then(|text| text.get(at..)) {
            Some(text) => text.chars().next(),
            None => urlwise::first_character(&self.octets[at..]),
        };
        let (escaped, length) = match character {
            Some(c) if ascii && !c.is_ascii() => {
                push_escaped(c, text);
                return c.len_utf8();
            }
            // A backslash is not doubled: a diagram is not read back by programs, and one column is easier to read.
            Some(c) if !urlwise::is_harmful(c) => {
                text.push(c);
                return c.len_utf8();
            }
            Some(c) => (&self.octets[at..at + c.len_utf8()], c.len_utf8()),
            None => (&self.octets[at..=at], 1),
        };
        // Writing to a String cannot fail.
        let _ = urlwise::write_for_display(escaped, text);
        length
    }
}

/// Appends a character as ASCII, as `\u{e9}` if it is another one.
pub(crate) fn push_escaped(c: char, text: &mut String) {
    if c.is_ascii() {
        return text.push(c);
    }
    text.extend(c.escape_unicode());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(octets: &[u8], ascii: bool) -> View<'_> {
        View::new(octets, 0..octets.len(), &Secrets::of(octets, false), ascii)
    }

    fn text<'v>(view: &'v View<'_>) -> &'v str {
        view.slice(0..view.width()).0
    }

    #[test]
    fn a_mask_takes_three_columns() {
        let view = view(b"ftp://u:longpassword@h/", false);
        assert_eq!(text(&view), "ftp://u:***@h/");
        assert_eq!(view.columns(&(8..20)), Some(8..11)); // the password
        assert_eq!(view.columns(&(21..22)), Some(12..13)); // the host
        assert_eq!(view.columns(&(10..11)), Some(8..11)); // an octet of the password
    }

    #[test]
    fn escapes_are_wider_and_wide_characters_take_two_columns() {
        let view = view("a\x1b\u{4e2d}b".as_bytes(), false);
        assert_eq!(text(&view), "a\\x1b\u{4e2d}b");
        assert_eq!(view.columns(&(1..2)), Some(1..5));
        assert_eq!(view.columns(&(2..5)), Some(5..7));
        assert_eq!(view.columns(&(5..6)), Some(7..8));
    }

    #[test]
    fn a_character_that_stands_there_again_is_shown_again_and_takes_its_columns() {
        let mixed = "\u{200d}\u{4e2d}\u{4e2d}\u{200d}\u{1b}\u{200d}\u{1b}a\u{1b}";
        let view = view(mixed.as_bytes(), false);
        assert_eq!(text(&view), "\\u{200d}\u{4e2d}\u{4e2d}\\u{200d}\\x1b\\u{200d}\\x1ba\\x1b");
        let starts = mixed.char_indices().map(|(at, _)| view.columns(&(at..at + 1)).unwrap_or_default().start);
        assert_eq!(starts.collect::<Vec<_>>(), [0, 8, 10, 12, 20, 24, 32, 36, 37]);
        assert_eq!(view.width(), 41);
    }

    #[test]
    fn invalid_utf_8_is_escaped_octet_by_octet() {
        assert_eq!(text(&view(b"\xC3\xA9\xC3x\xFF\x80", false)), "\u{e9}\\xc3x\\xff\\x80");
        assert_eq!(text(&view("\u{e9}".as_bytes(), true)), "\\u{e9}");
        assert_eq!(text(&view(b"\xC3x\xC3\xA9\xC3", false)), "\\xc3x\u{e9}\\xc3");
    }

    #[test]
    fn places_are_those_of_columns_in_whatever_order_they_are_asked_for() {
        let texts = ["\u{301}", "a\u{301}", "\u{301}a", "\u{4e2d}\u{301}b\u{4e2d}", "a\u{301}\u{301}b"];
        for octets in texts.map(str::as_bytes) {
            let whole = view(octets, false);
            for (first, second) in (0..6).flat_map(|first| (0..6).map(move |second| (first, second))) {
                whole.place(first);
                let fresh = view(octets, false).place(second);
                assert_eq!(whole.place(second).at, fresh.at, "{first} {second} of {octets:?}");
            }
        }
    }

    #[test]
    fn an_empty_span_has_a_position() {
        assert_eq!(view(b"ab", false).columns(&(2..2)), Some(2..2));
    }

    #[test]
    fn no_character_is_cut_however_long_it_is() {
        for c in ["\u{e9}", "\u{4e2d}", "\u{1F468}"] {
            let octets = format!("a{c}b");
            let inside = 2..=c.len() + 1;
            assert!(inside.clone().all(|at| boundary(octets.as_bytes(), at) == c.len() + 1), "{c}");
            assert_eq!([0, 1, c.len() + 2].map(|at| boundary(octets.as_bytes(), at)), [0, 1, c.len() + 2]);
        }
        assert_eq!(boundary(b"a\x80\x80\x80\x80", 1), 1);
    }

    #[test]
    fn a_view_of_a_part_does_not_cut_characters() {
        let octets = "ab\u{e9}cd".as_bytes();
        let view = View::new(octets, 3..5, &Secrets::default(), false);
        assert_eq!((text(&view), view.range()), ("c", 4..5));
        assert_eq!(view.columns(&(0..2)), None);
    }
}
