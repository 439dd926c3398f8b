//! The diagram: a URL with a label under each part.
//!
//! ```text
//! ftp://myname@host.dom/%2Fetc/motd;type=a
//! ┬──   ┬───── ┬─────── ┬───── ┬───      ┬
//! │     user   host     │      name      typecode: text
//! scheme                cwd = /etc
//! ```
//!
//! Labels start below the first column of their part, in the highest free row. A label that would leave the page is placed to the
//! left of its line. Long text is wrapped, and a part that continues in the next piece is labelled there again.

use std::borrow::Cow;
use std::ops::Range;

use urlwise::Language;

use super::view::View;
use super::wrap;
use crate::language::filled;
use crate::style::Look;

#[cfg(test)]
mod tests;

/// A part of the text and what its label says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// In octets of the whole text; empty for an empty part.
    pub span: Range<usize>,
    /// What the part is: `host`, `empty user`, `5 segments`, `typecode: text`.
    pub name: Cow<'static, str>,
    /// What the part stands for, safe to display, if that is not what is written; of long text only the beginning.
    pub decoded: Option<String>,
}

impl Mark {
    /// A part that stands for itself.
    pub(crate) fn plain(span: Range<usize>, name: impl Into<Cow<'static, str>>) -> Mark {
        Mark { span, name: name.into(), decoded: None }
    }

    /// The text of the label: the name, and what the part stands for in a few columns.
    fn label(&self) -> Cow<'_, str> {
        match &self.decoded {
            Some(decoded) => format!("{} = {}", self.name, cut(decoded, DECODED)).into(),
            None => Cow::Borrowed(&self.name),
        }
    }
}

/// One line of the diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line<'l> {
    /// A piece of the text.
    Text(&'l str),
    /// Lines and labels below it.
    Labels(&'l str),
}

/// The most columns of decoded text in a label.
pub(crate) const DECODED: usize = 32;

/// The characters to draw with, each as a text.
struct Pen {
    /// Below the first column of a part.
    begin: &'static str,
    /// Below its others, [`MANY`](wrap::MANY) times.
    under: &'static str,
    /// At an empty part.
    empty: &'static str,
    down: &'static str,
    /// Where a line turns left to its label.
    corner: &'static str,
}

const UNICODE: Pen = Pen {
    begin: "┬",
    under: "────────────────────────────────────────────────────────────────",
    empty: "╷",
    down: "│",
    corner: "┘",
};
const ASCII: Pen = Pen {
    begin: "^",
    under: "----------------------------------------------------------------",
    empty: "|",
    down: "|",
    corner: "'",
};

/// Draws the text of a view with the marks that are in it, in the columns of the look, and gives each line to `take`.
pub(crate) fn draw(view: &View<'_>, marks: &[Mark], look: Look, mut take: impl FnMut(Line<'_>)) {
    let pen = if look.ascii { &ASCII } else { &UNICODE };
    let mut drawing = Drawing::of(look.width);
    for piece in pieces(view, marks, look.width, look.language) {
        take(Line::Text(view.slice(piece.columns).0));
        rows(&piece.labels, pen, &mut drawing, |row| take(Line::Labels(row)));
    }
}

/// A piece of a view, and the labels below it.
pub(crate) struct Piece<'m> {
    /// Of the view.
    pub(crate) columns: Range<usize>,
    /// From left to right, each in its row.
    pub(crate) labels: Vec<Label<'m>>,
}

/// The view in pieces of `width` columns.
pub(crate) fn pieces<'m>(view: &View<'_>, marks: &'m [Mark], width: usize, language: Language) -> Vec<Piece<'m>> {
    let mut placed = Vec::with_capacity(marks.len());
    placed.extend(marks.iter().filter_map(|mark| Some((mark, view.columns(&mark.span)?))));
    let mut pieces = Vec::new();
    let mut begin = 0;
    loop {
        let end = piece_end(view, &placed, begin, width);
        let columns = view.slice(begin..end).1;
        let is_last = columns.end >= view.width();
        // A piece from the middle of one part is not labelled.
        let is_inside = |(_, part): &(&Mark, Range<usize>)| part.start < columns.start && columns.end < part.end;
        let labels = match placed.iter().any(is_inside) {
            true => Vec::new(),
            false => in_rows(labels(view, &placed, &columns, is_last, (width, language))),
        };
        begin = columns.end;
        pieces.push(Piece { columns, labels });
        if is_last {
            return pieces;
        }
    }
}

/// Where a piece that starts at a column ends: before a part, if one starts in its second half.
fn piece_end(view: &View<'_>, placed: &[(&Mark, Range<usize>)], begin: usize, width: usize) -> usize {
    // The column after the last octet is kept for a mark of an empty part.
    let most = begin + width - 1;
    if view.width() <= most {
        return view.width();
    }
    let begins = placed.iter().map(|(_, columns)| columns.start);
    begins.filter(|&column| (begin + width / 2..=most).contains(&column)).max().unwrap_or(most)
}

/// A label in one piece; columns count from the beginning of the piece.
pub(crate) struct Label<'m> {
    pub(crate) columns: Range<usize>,
    pub(crate) text: Cow<'m, str>,
    /// The columns of its text.
    width: usize,
    /// Which row it is written in, and whether to the left of its line.
    pub(crate) row: Option<usize>,
    pub(crate) left: bool,
}

impl Label<'_> {
    /// The column of its line.
    pub(crate) fn anchor(&self) -> usize {
        self.columns.start
    }

    /// The columns of its text, and of the blank before its corner.
    fn extent(&self) -> Range<usize> {
        let (anchor, width) = (self.anchor(), self.width);
        if self.left { anchor.saturating_sub(width + 1)..anchor } else { anchor..anchor + width }
    }

    /// The column after all of it, including the corner.
    fn end(&self) -> usize {
        self.extent().end + usize::from(self.left)
    }

    /// Whether its line passes through a row. Labels that are not placed yet may end anywhere.
    fn passes(&self, row: usize) -> bool {
        self.row.is_none_or(|own| own > row)
    }
}

/// The labels of one piece, from left to right.
fn labels<'m>(
    view: &View<'_>,
    placed: &[(&'m Mark, Range<usize>)],
    piece: &Range<usize>,
    is_last: bool,
    (width, language): (usize, Language),
) -> Vec<Label<'m>> {
    let mut labels: Vec<Label<'_>> = Vec::with_capacity(placed.len());
    for (mark, columns) in placed {
        let is_here = match columns.is_empty() {
            true => piece.contains(&columns.start) || is_last && columns.start == piece.end,
            false => columns.start < piece.end && columns.end > piece.start,
        };
        if !is_here {
            continue;
        }
        let continues = columns.start < piece.start || mark.span.start < view.range().start;
        let label = mark.label();
        let label = match continues {
            true => filled!(language, "{label}, continued", label = label).text().into(),
            false => label,
        };
        let columns = columns.start.max(piece.start) - piece.start..columns.end.min(piece.end) - piece.start;
        match labels.last_mut() {
            Some(last) if last.anchor() == columns.start => {
                let both = filled!(language, "{before}; {label}", before = last.text, label = label).text();
                last.text = both.into();
            }
            _ => labels.push(Label { columns, text: label, width: 0, row: None, left: false }),
        }
    }
    // A label must end on the page, and before a label that is placed to the left of its line.
    let mut limit = width;
    for label in labels.iter_mut().rev() {
        label.width = wrap::width_of(&label.text);
        let (anchor, length) = (label.anchor(), label.width);
        if anchor + length <= limit {
            continue;
        }
        let (left, right) = (anchor.saturating_sub(1), limit.saturating_sub(anchor));
        label.left = length <= left || left > right;
        label.text = cut(&label.text, left.max(right)).into();
        label.width = wrap::width_of(&label.text);
        if label.left {
            limit = left;
        }
    }
    labels
}

/// The beginning of a text, at most `width` columns wide.
fn cut(text: &str, width: usize) -> String {
    const MORE: &str = "...";
    if wrap::width_of(text) <= width {
        return text.into();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if wrap::width_of(&kept) + MORE.len() > width {
            kept.pop();
            break;
        }
    }
    kept + MORE
}

/// Finds a row for each label.
fn in_rows(mut labels: Vec<Label<'_>>) -> Vec<Label<'_>> {
    let place = |labels: &mut [Label<'_>], index: usize| {
        // There is always room below all others.
        let row = (0..labels.len()).find(|&row| is_free(labels, index, row));
        labels[index].row = Some(row.unwrap_or(labels.len()));
    };
    // From right to left, because the lines of labels further right are in the way. Labels to the left of
    // their lines come last, from left to right.
    for index in (0..labels.len()).rev() {
        if !labels[index].left {
            place(&mut labels, index);
        }
    }
    for index in 0..labels.len() {
        if labels[index].left {
            place(&mut labels, index);
        }
    }
    labels
}

/// Draws the rows of labels.
fn rows(labels: &[Label<'_>], pen: &Pen, drawing: &mut Drawing, mut take: impl FnMut(&str)) {
    let Some(last) = labels.iter().filter_map(|label| label.row).max() else { return };
    take(drawing.underlines(labels, pen));
    for row in 0..=last {
        drawing.clear();
        // Nothing in a row touches anything else, so what stands to the left is drawn first.
        for label in labels {
            if label.row == Some(row) {
                drawing.write(label.extent().start, &label.text, label.width);
                if label.left {
                    drawing.write(label.anchor(), pen.corner, 1);
                }
            } else if label.passes(row) {
                drawing.write(label.anchor(), pen.down, 1);
            }
        }
        take(drawing.finish());
    }
}

/// Whether a label can be written in a row without touching other labels or lines.
fn is_free(labels: &[Label<'_>], index: usize, row: usize) -> bool {
    let label = &labels[index];
    let own = label.extent();
    // A label below its line may touch another line; one to the left of its line needs a blank.
    let first = own.start.saturating_sub(usize::from(label.left));
    labels.iter().enumerate().filter(|(other, _)| *other != index).all(|(_, other)| {
        let taken = other.extent();
        let on_line = other.passes(row) && (first..=own.end).contains(&other.anchor());
        let in_row = other.row == Some(row) && own.start <= other.end() && taken.start <= label.end();
        let above = other.row.is_some_and(|its| its < row) && taken.contains(&label.anchor());
        !on_line && !in_row && !above
    })
}

/// A line that is drawn from left to right.
struct Drawing {
    line: String,
    /// The column after all that was drawn.
    column: usize,
}

impl Drawing {
    /// A line of so many columns, each of which may take three octets.
    fn of(width: usize) -> Drawing {
        Drawing { line: String::with_capacity(3 * width), column: 0 }
    }

    fn clear(&mut self) {
        self.line.clear();
        self.column = 0;
    }

    /// Draws a text of so many columns from this column on.
    fn write(&mut self, column: usize, text: &str, width: usize) {
        wrap::blank(&mut self.line, column.saturating_sub(self.column));
        self.line.push_str(text);
        self.column = column + width;
    }

    /// The lines below all parts.
    fn underlines(&mut self, labels: &[Label<'_>], pen: &Pen) -> &str {
        self.clear();
        // Where the parts so far end: one may lie within another.
        let mut end = 0;
        for label in labels {
            self.underline(end.min(label.anchor()), pen);
            self.write(label.anchor(), if label.columns.is_empty() { pen.empty } else { pen.begin }, 1);
            end = end.max(label.columns.end);
        }
        self.underline(end, pen);
        self.finish()
    }

    /// Draws a line up to this column.
    fn underline(&mut self, end: usize, pen: &Pen) {
        wrap::repeat(&mut self.line, pen.under, end.saturating_sub(self.column));
        self.column = end.max(self.column);
    }

    fn finish(&self) -> &str {
        self.line.trim_end()
    }
}
