//! Which brackets of a paragraph may close a link that began before a place.

use std::ops::Range;

use super::MOST_MARKS;

/// The brackets behind a place of a text that a destination or a label follows, up to the end of the paragraph.
#[derive(Default)]
pub(super) struct Closings {
    /// The places that they are known for: all of a paragraph behind the first that was asked for, and its end.
    places: Range<usize>,
    all: Vec<Closing>,
}

/// How many are known at once. A part has no more, nor are more than [`MOST_MARKS`] opened in it; a whole document may have them.
const MOST: usize = MOST_MARKS / 2;

/// `](` or `][`.
struct Closing {
    at: usize,
    /// The first place behind the bracket that it closes, the smallest of this one and those behind it; 0 if that is not known.
    opened: usize,
    /// The first place behind what may take brackets away, such as code, before this one or those behind it; 0 if nothing does.
    unsure: usize,
}

impl Closings {
    /// Whether a link that began before this place may end behind it. Linear, as long as places are asked for in order.
    pub(super) fn may_end_behind(&mut self, text: &[u8], place: usize) -> bool {
        if !self.places.contains(&place) {
            self.look(text, place);
        }
        let next = self.all.get(self.all.partition_point(|closing| closing.at < place));
        next.is_some_and(|closing| closing.opened <= place || place < closing.unsure)
    }

    fn look(&mut self, text: &[u8], from: usize) {
        self.places = from..text.len() + 1;
        self.all.clear();
        let (mut open, mut unsure) = (Vec::new(), 0);
        for (at, octet) in (from..).zip(&text[from..]) {
            match octet {
                b'[' if open.len() < MOST_MARKS => open.push(at + 1),
                b']' => {
                    let opened = open.pop().unwrap_or_default();
                    if matches!(text.get(at + 1), Some(b'[' | b'(')) {
                        let is_last = self.all.len() + 1 == MOST;
                        // Others behind it may close whatever is open.
                        let opened = if is_last { 0 } else { opened };
                        self.all.push(Closing { at, opened, unsure });
                        if is_last {
                            self.places.end = at + 1;
                            break;
                        }
                    }
                }
                b'[' | b'`' | b'<' | b'\\' => {
                    open.clear();
                    unsure = at + 1;
                }
                b'\n' if !goes_on(&text[at + 1..]) => {
                    self.places.end = at + 1;
                    break;
                }
                _ => {}
            }
        }
        let mut behind = (usize::MAX, 0);
        for closing in self.all.iter_mut().rev() {
            behind = (behind.0.min(closing.opened), behind.1.max(closing.unsure));
            (closing.opened, closing.unsure) = behind;
        }
    }
}

/// Whether a paragraph may go on with these lines: not with an empty one, a heading or an item.
fn goes_on(lines: &[u8]) -> bool {
    let indent = lines.iter().take_while(|octet| **octet == b' ').count();
    match lines[indent..] {
        [] | [b'\n' | b'\r', ..] => false,
        [b'#', ..] | [b'-' | b'*' | b'+', b' ', ..] => indent > 3,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, octet by octet from each place.
    fn one_by_one(text: &[u8], place: usize) -> bool {
        let (mut open, mut is_sure) = (0usize, true);
        for (at, octet) in (place..).zip(&text[place..]) {
            match octet {
                b'[' if is_sure => open += 1,
                b']' if open > 0 => open -= 1,
                b']' if matches!(text.get(at + 1), Some(b'[' | b'(')) => return true,
                b'`' | b'<' | b'\\' => (open, is_sure) = (0, false),
                b'\n' if !goes_on(&text[at + 1..]) => return false,
                _ => {}
            }
        }
        false
    }

    #[test]
    fn brackets_are_told_once_for_a_paragraph_as_from_each_place() {
        let kinds = b"[](`\na";
        let mut ends = 0;
        for number in 0..kinds.len().pow(7) {
            let text: Vec<u8> = (0..7).map(|digit| kinds[number / kinds.len().pow(digit) % kinds.len()]).collect();
            let mut closings = Closings::default();
            for place in number % 3..=text.len() {
                let may_end = closings.may_end_behind(&text, place);
                assert_eq!(may_end, one_by_one(&text, place), "{} at {place}", text.escape_ascii());
                ends += usize::from(may_end);
            }
        }
        assert!(ends > 10_000, "only {ends}");
    }

    #[test]
    fn what_closes_behind_more_open_brackets_than_are_counted_may_end_anything() {
        let text = |count: usize| format!("x{}{}(", "[".repeat(count), "]".repeat(count));
        for (count, expected) in [(MOST_MARKS, false), (MOST_MARKS + 1, true)] {
            assert_eq!(Closings::default().may_end_behind(text(count).as_bytes(), 0), expected, "{count}");
        }
    }

    #[test]
    fn what_follows_more_brackets_than_are_known_may_end_anything() {
        let text = |count: usize| "[][".repeat(count) + "a\n\n](";
        for (count, expected) in [(MOST - 1, false), (MOST, true), (MOST + 1, true)] {
            let (text, mut closings) = (text(count), Closings::default());
            assert_eq!(closings.may_end_behind(text.as_bytes(), 0), expected, "{count}");
            assert!(closings.all.len() <= MOST);
            let behind = text.rfind("][").unwrap_or_default() + 1;
            assert!(!closings.may_end_behind(text.as_bytes(), behind), "{count}");
        }
    }

    #[test]
    fn a_paragraph_ends_before_an_empty_line_a_heading_and_an_item() {
        let ends = |behind: &str| !Closings::default().may_end_behind(format!("a\n{behind}](b)").as_bytes(), 0);
        for behind in ["\n", "  \n", "\r\n", "# ", "   #", "- ", "* ", "+ "] {
            assert!(ends(behind), "{behind:?}");
        }
        for behind in ["", "a\n", "    # ", "    - ", "-a", "1. ", "> "] {
            assert!(!ends(behind), "{behind:?}");
        }
    }
}
