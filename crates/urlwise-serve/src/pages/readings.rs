//! What standards and programs read in a text, side by side, with what differs marked.

use maud::{Markup, html};
use urlwise_explain::wrap::elide;
use urlwise_readings::{Difference, Differences, ReadingParts, Readings};

use super::problem::capital;
use super::text;

/// The most of a part that is shown, in octets.
pub(crate) const SHOWN: usize = 1000;

/// A part of a reading and how to get it.
type Part = (Difference, for<'p> fn(&'p ReadingParts<'_>) -> Option<&'p str>);

/// The parts that are compared; passwords are not shown.
const PARTS: [Part; 7] = [
    (Difference::Scheme, |parts| Some(&parts.scheme)),
    (Difference::User, |parts| parts.user.as_deref()),
    (Difference::Host, |parts| parts.host.as_deref()),
    (Difference::Port, |parts| parts.port.as_deref()),
    (Difference::Path, |parts| Some(&parts.path)),
    (Difference::Query, |parts| parts.query.as_deref()),
    (Difference::Fragment, |parts| parts.fragment.as_deref()),
];

/// What a cell of the table says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cell {
    /// A word of ours: there is nothing to show.
    Word(&'static str),
    /// What the reader sees, as it may be shown.
    Value(String),
}

/// The table. The first reader that accepts the text is the one that others are compared with.
pub(crate) fn markup(readings: &Readings<'_>) -> Markup {
    let differs = readings.differs();
    let first = readings.iter().find(|(_, reading)| reading.is_ok()).map(|(reader, _)| reader);
    // By pairs, since two spellings may mean the same.
    let pairs: Vec<Differences> = readings
        .iter()
        .map(|(reader, _)| {
            let pair = first.map(|first| Readings::by(readings.octets(), readings.profile(), &[first, reader]));
            pair.map(|pair| pair.differs()).unwrap_or_default()
        })
        .collect();
    let rows: Vec<_> =
        PARTS.iter().map(|part| (part.0, cells(readings, part))).filter(|(_, row)| is_seen(row)).collect();
    let is_marked = rows.iter().any(|(part, _)| differs.contains(*part));
    html! {
        section aria-labelledby="readings" {
            h2 id="readings" { "What others read" }
            p { (text::message(&capital(&readings.sentence().to_string()))) "." }
            @if let (Some(first), true) = (first, is_marked) {
                p class="source" { "What differs from the reading of " (first.name()) " is marked." }
            }
            div class="scrolled" tabindex="0" role="region" aria-label="Readings" {
                table {
                    thead {
                        tr {
                            th scope="col" { "Part" }
                            @for (reader, _) in readings.iter() { th scope="col" { (reader.name()) } }
                        }
                    }
                    tbody {
                        @for (part, row) in &rows {
                            tr {
                                th scope="row" { (part.name()) @if differs.contains(*part) { " " small { "differs" } } }
                                @for (cell, pair) in row.iter().zip(&pairs) {
                                    @if pair.contains(*part) {
                                        td class="differs" { (marked(*part, cell, origin(readings, row))) }
                                    } @else {
                                        td { (plain(cell)) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What each reader sees of a part.
fn cells(readings: &Readings<'_>, part: &Part) -> Vec<Cell> {
    let cell = |parts: Option<&ReadingParts<'_>>| match parts.map(part.1) {
        None => Cell::Word("refused"),
        Some(None) => Cell::Word("absent"),
        Some(Some("")) => Cell::Word("empty"),
        Some(Some(value)) => Cell::Value(elide(&text::masked(&readings.shown(value)), SHOWN)),
    };
    readings.iter().map(|(_, reading)| cell(reading.parts())).collect()
}

/// Whether a reader sees the part.
fn is_seen(row: &[Cell]) -> bool {
    row.iter().any(|cell| !matches!(cell, Cell::Word("refused" | "absent")))
}

/// The value that others are compared with: nothing if the first reader sees none.
fn origin<'r>(readings: &Readings<'_>, row: &'r [Cell]) -> &'r str {
    let first = readings.iter().zip(row).find(|((_, reading), _)| reading.is_ok()).map(|(_, cell)| cell);
    match first {
        Some(Cell::Value(value)) => value,
        Some(Cell::Word(_)) | None => "",
    }
}

fn plain(cell: &Cell) -> Markup {
    html! {
        @match cell {
            Cell::Word(word) => span class="absent" { (word) },
            Cell::Value(value) => code { (value) },
        }
    }
}

/// A cell whose reader sees something else: a name or a number is another one as a whole, of a longer text a stretch is.
fn marked(part: Difference, cell: &Cell, origin: &str) -> Markup {
    let is_long = matches!(part, Difference::Path | Difference::Query | Difference::Fragment);
    html! {
        @match cell {
            Cell::Word(word) => span class="absent" { mark { (word) } },
            Cell::Value(value) if is_long => {
                @let (before, stretch, after) = stretch(value, origin);
                // Something is missing here.
                code { (before) mark { @if stretch.is_empty() { "\u{2038}" } @else { (stretch) } } (after) }
            },
            Cell::Value(value) => code { mark { (value) } },
        }
    }
}

/// The text in three pieces: what it begins with like the other one, what differs, and what it ends with like the other one.
fn stretch<'t>(text: &'t str, other: &str) -> (&'t str, &'t str, &'t str) {
    let same = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        pairs.take_while(|(one, two)| one == two).map(|(one, _)| one.len_utf8()).sum()
    };
    let start = same(&mut text.chars().zip(other.chars()));
    let (before, rest) = text.split_at(start);
    let end = same(&mut rest.chars().rev().zip(other[start..].chars().rev()));
    let (stretch, after) = rest.split_at(rest.len() - end);
    (before, stretch, after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlwise::Profile;
    use urlwise_readings::Reader;

    fn table(text: &str) -> String {
        markup(&Readings::by(text, Profile::Current, Reader::ALL)).into_string()
    }

    #[test]
    fn the_stretch_that_differs_is_between_what_is_alike_at_both_ends() {
        for (text, other, pieces) in [
            ("/a%20b/x", "/a b/x", ("/a", "%20", "b/x")),
            ("/b", "/a/../b", ("/", "", "b")),
            ("/a/../b", "/b", ("/", "a/../", "b")),
            ("/aa", "/a", ("/a", "a", "")),
            ("\u{e9}x", "\u{e8}x", ("", "\u{e9}", "x")),
            ("same", "same", ("same", "", "")),
            ("a", "", ("", "a", "")),
            ("", "a", ("", "", "")),
        ] {
            assert_eq!(stretch(text, other), pieces, "{text} {other}");
        }
    }

    #[test]
    fn the_cells_that_differ_are_marked_and_no_others() {
        let page = table("http://trusted.dom\\@127.0.0.1:8080/");
        // RFC 1738 and RFC 3986 reject it.
        assert!(page.contains("What differs from the reading of WHATWG is marked."), "{page}");
        assert!(page.contains("<td><code>trusted.dom</code></td>"), "{page}");
        assert!(page.contains("<td class=\"differs\"><code><mark>127.0.0.1</mark></code></td>"), "{page}");
        assert!(page.contains("<td class=\"differs\"><code>/<mark>%5C</mark>@127.0.0.1:8080/</code></td>"), "{page}");
        // WHATWG leaves out what RFC 1738 keeps.
        let page = table("http://host.dom/a/../b");
        assert!(page.contains("<td><code>/a/../b</code></td>"), "{page}");
        assert!(page.contains("<td class=\"differs\"><code>/<mark>\u{2038}</mark>b</code></td>"), "{page}");
    }

    #[test]
    fn nothing_is_marked_where_spellings_mean_the_same() {
        for text in ["http://HOST.dom:80/%7Ea", "gopher://host.dom/", "http://host.dom"] {
            let page = table(text);
            assert!(!page.contains("mark") && !page.contains("differs"), "{text}: {page}");
        }
    }

    #[test]
    fn security_69_a_marked_cell_holds_no_password() {
        let page = table("ftp://joe:s3?cret@host.dom/a");
        assert!(page.contains("<mark>") && !page.contains("cret"), "{page}");
    }
}
