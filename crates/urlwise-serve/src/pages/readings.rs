//! What standards and programs read in a text, side by side, with what differs marked.

use std::borrow::Cow;

use maud::{Markup, html};
use urlwise::{Language, Words};
use urlwise_explain::wrap::elide_in;
use urlwise_readings::{Difference, Differences, ReadingParts, Readings};

use super::text;
use crate::language::{said, words};

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

/// Longer values may be broken anywhere, in characters: so much of seven parts has room beside each other (style.css).
const SHORT: usize = 12;

/// The most of a value that a cell shows, in octets: there is a row for each reader.
const SHOWN: usize = 240;

/// What a cell of the table says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cell {
    /// A word of ours: there is nothing to show.
    Word(Words),
    /// What the reader sees, as it may be shown.
    Value(String),
}

/// The reader sees nothing, since it rejects the text.
const REJECTED: Cell = Cell::Word(words!("rejected"));
/// The reader sees no such part.
const ABSENT: Cell = Cell::Word(words!("absent"));

/// The table. The first reader that accepts the text is the one that others are compared with.
pub(crate) fn markup(readings: &Readings<'_>, language: Language) -> Markup {
    let differs = readings.differs();
    let first = readings.iter().find(|(_, reading)| reading.is_ok()).map(|(reader, _)| reader);
    // By pairs, since two spellings may mean the same.
    let pairs: Vec<Differences> = readings
        .iter()
        .map(|(reader, _)| first.map(|first| readings.between(first, reader)).unwrap_or_default())
        .collect();
    let rows: Vec<_> =
        PARTS.iter().map(|part| (part.0, cells(readings, part, language))).filter(|(_, row)| is_seen(row)).collect();
    let is_marked = rows.iter().any(|(part, _)| differs.contains(*part));
    let readers: Vec<_> = readings.iter().map(|(reader, _)| reader.name()).collect();
    let groups = groups(&pairs, &rows);
    html! {
        section aria-labelledby="readings" {
            h2 id="readings" { (said!(language, "How others read it")) }
            p { (text::sentence(&readings.sentence().message_in(language).to_string(), language)) }
            @if let (Some(first), true) = (first, is_marked) {
                p class="source" {
                    (said!(language, "What differs from how {reader} reads it is marked.", reader = first.name()))
                }
            }
            // Each cell names its part, since a narrow window shows the cells of a row below each other.
            table class="readings" {
                thead {
                    tr {
                        th scope="col" { (said!(language, "Reader")) }
                        @for (part, _) in &rows {
                            th scope="col" {
                                (part.name_in(language))
                                @if differs.contains(*part) { " " small { (said!(language, "differs")) } }
                            }
                        }
                    }
                }
                tbody {
                    @for group in &groups {
                        @if let Some(&reader) = group.first() {
                            tr {
                                th scope="row" {
                                    @for (i, reader) in group.iter().enumerate() {
                                        @if i > 0 { (said!(language, ", ")) }
                                        span { (readers[*reader]) }
                                    }
                                }
                                @if rows.iter().all(|(_, row)| row[reader] == REJECTED) {
                                    td colspan=(rows.len()) { (plain(&REJECTED, language)) }
                                } @else {
                                    @for (part, row) in &rows { (cell(*part, row, reader, readings, pairs[reader], language)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What a reader sees of a part.
fn cell(
    part: Difference,
    row: &[Cell],
    reader: usize,
    readings: &Readings<'_>,
    pair: Differences,
    language: Language,
) -> Markup {
    let is_long = matches!(&row[reader], Cell::Value(value) if value.chars().count() > SHORT);
    let long = is_long.then_some("long");
    html! {
        @if pair.contains(part) {
            td class={ "differs" @if is_long { " long" } } data-part=(part.name_in(language)) { (marked(part, &row[reader], origin(readings, row), language)) }
        } @else {
            td class=[long] data-part=(part.name_in(language)) { (plain(&row[reader], language)) }
        }
    }
}

/// The readers that share a row, by their numbers: those that see the same in every part.
fn groups(pairs: &[Differences], rows: &[(Difference, Vec<Cell>)]) -> Vec<Vec<usize>> {
    let is_alike =
        |one: usize, other: usize| pairs[one] == pairs[other] && rows.iter().all(|(_, row)| row[one] == row[other]);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for reader in 0..pairs.len() {
        match groups.iter_mut().find(|group| group.first().is_some_and(|first| is_alike(*first, reader))) {
            Some(group) => group.push(reader),
            None => groups.push(vec![reader]),
        }
    }
    groups
}

/// What each reader sees of a part.
fn cells(readings: &Readings<'_>, part: &Part, language: Language) -> Vec<Cell> {
    let cell = |value: Option<Option<&str>>| match value {
        None => REJECTED,
        Some(None) => ABSENT,
        Some(Some("")) => Cell::Word(words!("empty")),
        Some(Some(value)) => Cell::Value(elide_in(&text::masked(&shown(readings, value)), SHOWN, language)),
    };
    let mut cells: Vec<(Option<Option<&str>>, Cell)> = Vec::new();
    for (_, reading) in readings.iter() {
        let value = reading.parts().map(part.1);
        // Most readers see the same, which may be long.
        let known = cells.iter().find(|(known, _)| *known == value).map(|(_, cell)| cell.clone());
        cells.push((value, known.unwrap_or_else(|| cell(value))));
    }
    cells.into_iter().map(|(_, cell)| cell).collect()
}

/// A part of a reading, safe to show. A backslash is doubled only where it could be taken for an escape.
fn shown<'p>(readings: &Readings<'_>, part: &'p str) -> Cow<'p, str> {
    let shown = readings.shown(part);
    if shown.replace("\\\\", "\\") == part { Cow::Borrowed(part) } else { shown }
}

/// Whether a reader sees the part.
fn is_seen(row: &[Cell]) -> bool {
    row.iter().any(|cell| ![REJECTED, ABSENT].contains(cell))
}

/// The value that others are compared with: nothing if the first reader sees none.
fn origin<'r>(readings: &Readings<'_>, row: &'r [Cell]) -> &'r str {
    let first = readings.iter().zip(row).find(|((_, reading), _)| reading.is_ok()).map(|(_, cell)| cell);
    match first {
        Some(Cell::Value(value)) => value,
        Some(Cell::Word(_)) | None => "",
    }
}

fn plain(cell: &Cell, language: Language) -> Markup {
    html! {
        @match cell {
            Cell::Word(word) => span class="absent" { (word.get(language)) },
            Cell::Value(value) => code { (value) },
        }
    }
}

/// A cell whose reader sees something else: a name or a number is another one as a whole, of a longer text a stretch is.
fn marked(part: Difference, cell: &Cell, origin: &str, language: Language) -> Markup {
    let is_long = matches!(part, Difference::Path | Difference::Query | Difference::Fragment);
    html! {
        @match cell {
            Cell::Word(word) => span class="absent" { mark { (word.get(language)) } },
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
        markup(&Readings::by(text, Profile::Current, Reader::ALL), Language::En).into_string()
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
        assert!(page.contains("What differs from how WHATWG reads it is marked."), "{page}");
        assert!(page.contains("<td data-part=\"host\"><code>trusted.dom</code></td>"), "{page}");
        assert!(
            page.contains("<td class=\"differs\" data-part=\"host\"><code><mark>127.0.0.1</mark></code></td>"),
            "{page}"
        );
        assert!(page.contains("<code><mark>trusted.dom\\</mark></code>"), "one backslash, as it is written: {page}");
        assert!(page.contains("data-part=\"path\"><code>/<mark>%5C</mark>@127.0.0.1:8080/</code></td>"), "{page}");
        // WHATWG leaves out what RFC 1738 keeps.
        let page = table("http://host.dom/a/../b");
        assert!(page.contains("<td data-part=\"path\"><code>/a/../b</code></td>"), "{page}");
        assert!(
            page.contains("<td class=\"differs\" data-part=\"path\"><code>/<mark>\u{2038}</mark>b</code></td>"),
            "{page}"
        );
    }

    #[test]
    fn readers_that_see_the_same_share_a_row_and_those_that_reject_it_say_so_once() {
        assert_eq!(table("http://host.dom/a").matches("<th scope=\"row\">").count(), 1, "all readers");
        let page = table("http://trusted.dom\\@127.0.0.1:8080/");
        let rejecting =
            "<th scope=\"row\"><span>RFC 1738</span>, <span>RFC 3986</span>, <span>Go</span></th><td colspan=";
        assert!(page.contains(rejecting), "they reject it: {page}");
        assert_eq!(page.matches("rejected").count(), 1, "{page}");
        assert!(page.matches("<th scope=\"row\">").count() > 2, "{page}");
        assert!(page.matches("<th scope=\"col\">").count() > 3, "{page}");
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
