//! A text and what became of it, one above the other, as rustc draws a suggestion.

use std::borrow::Cow;
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use crate::secret::{MASK, Secrets};
use crate::style::{FRAME, Look};
use crate::view;

/// Texts up to this width are shown completely, on as many lines as they need.
const WHOLE: usize = 600;
/// Of longer texts only the surroundings of so many changes are shown.
const PLACES: usize = 4;
/// What stands to the left of a drawn text.
const GUTTER: usize = 3;
/// What stands for octets that are left out.
const MORE: &str = "...";

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
    let paint = |style: Style, text: &str| look.paint(style, text).to_string();
    let mut text = paint(FRAME, " |") + "\n";
    let room = look.width - GUTTER;
    for (before, after) in hunks(before, after, room, look.ascii) {
        for (sign, style, cells) in [("-", REMOVED, before), ("+", INSERTED, after)] {
            for line in cells.lines(room) {
                text += &format!(" {} {}\n", paint(style, sign), painted(line, style, look));
            }
        }
    }
    text + &paint(FRAME, " |") + "\n"
}

/// The stretches of both texts that are shown.
fn hunks<'a>(before: &Side<'a>, after: &Side<'a>, room: usize, ascii: bool) -> Vec<(Cells<'a>, Cells<'a>)> {
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
        // Changes that stand near each other share a line.
        if let Some((first, second)) = hunks.last_mut()
            && was.end < first.start + room
        {
            (first.end, second.end) = (was.end, now.end);
        } else if hunks.len() < PLACES {
            hunks.push((was.clone(), now.clone()));
        } else {
            break;
        }
    }
    let around = |side: &Side<'a>, span: Range<usize>| {
        let end = span.end.min(span.start + room);
        Cells::of(side, span.start.saturating_sub(context)..(end + context).min(side.octets.len()), ascii)
    };
    hunks.into_iter().map(|(was, now)| (around(before, was), around(after, now))).collect()
}

/// A character as it is shown, and whether it was changed.
type Cell<'a> = (Cow<'a, str>, bool);

/// What is shown.
struct Cells<'a>(Vec<Cell<'a>>);

impl<'a> Cells<'a> {
    fn of(side: &Side<'a>, range: Range<usize>, ascii: bool) -> Cells<'a> {
        let range = view::boundary(side.octets, range.start)..view::boundary(side.octets, range.end);
        let mut cells = Vec::with_capacity(range.len() + 2);
        if range.start > 0 {
            cells.push((MORE.into(), false));
        }
        let mut changed =
            side.changed[side.changed.partition_point(|span| span.end <= range.start)..].iter().peekable();
        let mut at = range.start;
        while at < range.end {
            let (shown, end) = match side.secrets.at(at) {
                Some(secret) => (MASK.into(), secret.end),
                None => {
                    let (shown, length) = view::character(&side.octets[at..], ascii);
                    (shown, at + length)
                }
            };
            while changed.next_if(|span| span.end <= at).is_some() {}
            let is_changed = changed.peek().is_some_and(|span| span.start < end);
            cells.push((shown, is_changed));
            at = end;
        }
        if range.end < side.octets.len() {
            cells.push((MORE.into(), false));
        }
        Cells(cells)
    }

    /// In lines of at most `room` columns; at least one.
    fn lines(&self, room: usize) -> Vec<&[Cell<'a>]> {
        let mut lines = Vec::new();
        let (mut start, mut columns) = (0, 0);
        for (i, (cell, _)) in self.0.iter().enumerate() {
            let width = cell.width();
            if columns + width > room {
                lines.push(&self.0[start..i]);
                (start, columns) = (i, 0);
            }
            columns += width;
        }
        lines.push(&self.0[start..]);
        lines
    }
}

fn painted(cells: &[Cell<'_>], style: Style, look: Look) -> String {
    let text = |cells: &[Cell<'_>]| cells.iter().map(|(cell, _)| &**cell).collect::<String>();
    if !look.color {
        return text(cells);
    }
    let runs = cells.chunk_by(|(_, a), (_, b)| a == b);
    runs.map(|run| if run[0].1 { look.paint(style, text(run)).to_string() } else { text(run) }).collect()
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
}
