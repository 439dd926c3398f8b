//! A text and what became of it, one above the other, as rustc draws a suggestion.

use std::ops::Range;

use anstyle::{AnsiColor, Style};

use crate::secret::{MASK, Secrets};
use crate::style::{FRAME, Look};
use crate::view::{self, Rest};
use crate::wrap;

/// Texts up to this width are shown completely, on as many lines as they need.
const WHOLE: usize = 600;
/// Of longer texts only the surroundings of so many changes are shown, and of those close together the first ones.
const PLACES: usize = 4;
/// What stands to the left of a drawn text.
const GUTTER: usize = 3;
/// What stands for octets that are left out.
const MORE: &str = "...";
/// Most drawings are shorter, in octets.
const LENGTH: usize = 512;

const REMOVED: Style = AnsiColor::BrightRed.on_default();
const INSERTED: Style = AnsiColor::BrightGreen.on_default();

/// A text and the octets of it that differ from the other one.
pub(super) struct Side<'a> {
    pub(super) octets: &'a [u8],
    pub(super) changed: Vec<Range<usize>>,
    pub(super) secrets: Secrets,
}

/// Draws both texts; every line fits the width. The lines before and behind them are part of it.
pub(super) fn draw(before: &Side<'_>, after: &Side<'_>, look: Look) -> String {
    let mut text = String::with_capacity(LENGTH);
    let frame = |text: &mut String| {
        look.push(text, FRAME, " |");
        text.push('\n');
    };
    frame(&mut text);
    let room = look.width - GUTTER;
    for (before, after) in hunks(before, after, room, look.ascii) {
        for (sign, style, cells) in [("-", REMOVED, before), ("+", INSERTED, after)] {
            cells.each_line(room, |line| {
                text.push(' ');
                look.push(&mut text, style, sign);
                text.push(' ');
                cells.paint(line, style, look, &mut text);
                text.push('\n');
            });
        }
    }
    frame(&mut text);
    text
}

/// The stretches of both texts that are shown.
fn hunks(before: &Side<'_>, after: &Side<'_>, room: usize, ascii: bool) -> Vec<(Cells, Cells)> {
    // No octet takes less than a column, except in a mask.
    let longest = before.octets.len().max(after.octets.len());
    if longest <= WHOLE {
        return vec![(
            Cells::of(before, 0..before.octets.len(), ascii),
            Cells::of(after, 0..after.octets.len(), ascii),
        )];
    }
    let context = room / 3;
    let places = before.changed.iter().zip(&after.changed);
    let mut hunks: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for (was, now) in places {
        // Changes that stand near each other share a line, and those whose surroundings would be the same.
        if let Some((first, second)) = hunks.last_mut()
            && (was.end < first.start + room || was.start <= first.end + 2 * context)
        {
            (first.end, second.end) = (was.end, now.end);
        } else if hunks.len() < PLACES {
            hunks.push((was.clone(), now.clone()));
        } else {
            break;
        }
    }
    let around = |side: &Side<'_>, span: Range<usize>| {
        let end = span.end.min(span.start + room);
        Cells::of(side, span.start.saturating_sub(context)..(end + context).min(side.octets.len()), ascii)
    };
    hunks.into_iter().map(|(was, now)| (around(before, was), around(after, now))).collect()
}

/// A character as it is shown.
struct Cell {
    /// Where it ends, in octets of the text of all cells.
    end: usize,
    columns: usize,
    is_changed: bool,
}

/// What is shown.
struct Cells {
    text: String,
    cells: Vec<Cell>,
}

impl Cells {
    fn of(side: &Side<'_>, range: Range<usize>, ascii: bool) -> Cells {
        let range = view::boundary(side.octets, range.start)..view::boundary(side.octets, range.end);
        let length = range.len() + 2 * MORE.len();
        let mut cells = Cells { text: String::with_capacity(length), cells: Vec::with_capacity(length) };
        if range.start > 0 {
            cells.more();
        }
        let mut changed =
            side.changed[side.changed.partition_point(|span| span.end <= range.start)..].iter().peekable();
        let rest = Rest::of(&side.octets[range.clone()]);
        let is_masked = side.secrets.touch(&range);
        let mut at = range.start;
        while at < range.end {
            let start = cells.text.len();
            let end = match is_masked.then(|| side.secrets.at(at)).flatten() {
                Some(secret) => {
                    cells.text.push_str(MASK);
                    secret.end
                }
                None => at + rest.push_character(at - range.start, &mut cells.text, ascii),
            };
            while changed.next_if(|span| span.end <= at).is_some() {}
            let is_changed = changed.peek().is_some_and(|span| span.start < end);
            let columns = wrap::width_of(&cells.text[start..]);
            cells.cells.push(Cell { end: cells.text.len(), columns, is_changed });
            at = end;
        }
        if range.end < side.octets.len() {
            cells.more();
        }
        cells
    }

    fn more(&mut self) {
        self.text.push_str(MORE);
        self.cells.push(Cell { end: self.text.len(), columns: MORE.len(), is_changed: false });
    }

    /// Gives lines of at most `room` columns to `take`, at least one.
    fn each_line(&self, room: usize, mut take: impl FnMut(Range<usize>)) {
        let (mut start, mut columns) = (0, 0);
        for (i, cell) in self.cells.iter().enumerate() {
            if columns + cell.columns > room {
                take(start..i);
                (start, columns) = (i, 0);
            }
            columns += cell.columns;
        }
        take(start..self.cells.len());
    }

    /// Appends some of the cells.
    fn paint(&self, line: Range<usize>, style: Style, look: Look, text: &mut String) {
        let mut at = line.start.checked_sub(1).map_or(0, |before| self.cells[before].end);
        let mut push = |end: usize, style: Style| {
            look.push(text, style, &self.text[at..end]);
            at = end;
        };
        if !look.color {
            if let [.., last] = &self.cells[line] {
                push(last.end, Style::new());
            }
            return;
        }
        for run in self.cells[line].chunk_by(|a, b| a.is_changed == b.is_changed) {
            if let [.., last] = run {
                push(last.end, if last.is_changed { style } else { Style::new() });
            }
        }
    }
}

/// Where two texts differ, for a text that was not made from the other by known changes: from the first octet to the last.
pub(super) fn differing(before: &[u8], after: &[u8]) -> (Range<usize>, Range<usize>) {
    let same = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
    let (before, after) = (&before[..before.len() - same], &after[..after.len() - same]);
    let start = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    (start..before.len(), start..after.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_texts_share_at_both_ends_is_not_changed() {
        assert_eq!(differing(b"host.dom", b"http://host.dom"), (0..0, 0..7));
        assert_eq!(differing(b"htp://h/", b"http://h/"), (1..1, 1..2));
        assert_eq!(differing(b"aa", b"a"), (0..1, 0..0));
        assert_eq!(differing(b"a", b"a"), (0..0, 0..0));
    }

    /// The text of each stretch that is shown of a long text whose octets at these places change.
    fn shown(places: impl Iterator<Item = usize>) -> Vec<String> {
        const ROOM: usize = 60;
        let text: Vec<u8> = (b'a'..=b'z').cycle().take(2 * WHOLE).collect();
        let side = || Side { octets: &text, changed: Vec::new(), secrets: Secrets::default() };
        let changed: Vec<_> = places.map(|at| at..at + 1).collect();
        let [before, after] = [side(), side()].map(|side| Side { changed: changed.clone(), ..side });
        hunks(&before, &after, ROOM, false).into_iter().map(|(before, _)| before.text).collect()
    }

    #[test]
    fn changes_close_together_are_drawn_once_and_as_long_as_one_line_and_what_surrounds_it() {
        let start = |text: &str| text.chars().take(6).collect::<String>();
        // The alphabet begins anew at 26, 52 ...; the surroundings are 20 octets.
        let all = shown(100..1000);
        assert_eq!((all.len(), start(&all[0]), all[0].len()), (1, "...cde".into(), 2 * MORE.len() + 60 + 2 * 20));
        assert_eq!(shown((100..1000).step_by(41)), shown((100..1000).step_by(40)));
        let apart = shown((100..1000).step_by(42));
        assert_eq!(apart.len(), PLACES);
        assert_eq!(apart.iter().map(|text| start(text)).collect::<Vec<_>>(), ["...cde", "...ijk", "...opq", "...uvw"]);
        // Both fit a line.
        assert_eq!(shown([100, 158].into_iter()).len(), 1);
        assert_eq!(shown([100, 159].into_iter()).len(), 2);
    }
}
