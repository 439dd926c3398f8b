use proptest::prelude::*;

use super::*;
use crate::secret::Secrets;

/// The diagram of a text whose marks are given as the text of the part, its label, in order.
fn drawn(text: &str, parts: &[(&str, &str)], width: usize, ascii: bool) -> String {
    let mut at = 0;
    let marks: Vec<Mark> = parts
        .iter()
        .map(|(part, label)| {
            let start = at + text[at..].find(part).unwrap();
            at = start + part.len();
            Mark { span: start..at, label: (*label).into() }
        })
        .collect();
    let octets = text.as_bytes();
    let view = View::new(octets, 0..octets.len(), &Secrets::of(octets, false), ascii);
    let lines = draw(&view, &marks, width, ascii).into_iter().map(|line| match line {
        Line::Text(line) | Line::Labels(line) => format!("\n{line}"),
    });
    lines.collect()
}

const FTP: &[(&str, &str)] = &[
    ("ftp", "scheme"),
    ("myname", "user"),
    ("host.dom", "host"),
    ("%2Fetc", "cwd = /etc"),
    ("motd", "name"),
    ("a", "typecode: text"),
];

#[test]
fn labels_that_do_not_fit_in_a_row_go_down_a_line() {
    let expected = "
ftp://myname@host.dom/%2Fetc/motd;type=a
┬──   ┬───── ┬─────── ┬───── ┬───      ┬
│     user   host     │      name      typecode: text
scheme                cwd = /etc";
    assert_eq!(drawn("ftp://myname@host.dom/%2Fetc/motd;type=a", FTP, 80, false), expected);
}

#[test]
fn ascii_alone_draws_the_same() {
    let expected = "
ftp://myname@host.dom/%2Fetc/motd;type=a
^--   ^----- ^------- ^----- ^---      ^
|     user   host     |      name      typecode: text
scheme                cwd = /etc";
    assert_eq!(drawn("ftp://myname@host.dom/%2Fetc/motd;type=a", FTP, 80, true), expected);
}

#[test]
fn a_label_that_would_leave_the_page_stands_left_of_its_line() {
    let expected = "
ftp://myname@host.dom/%2Fetc/motd;type=a
┬──   ┬───── ┬─────── ┬───── ┬───      ┬
│     user   host     │      name      │
scheme                cwd = /etc       │
                        typecode: text ┘";
    assert_eq!(drawn("ftp://myname@host.dom/%2Fetc/motd;type=a", FTP, 50, false), expected);
}

#[test]
fn an_empty_part_has_a_mark_where_it_would_stand() {
    let text = "http://h.dom/";
    let marks: Vec<Mark> = [(0..4, "scheme"), (7..12, "host"), (13..13, "empty path")]
        .map(|(span, label)| Mark { span, label: label.into() })
        .into();
    let view = View::new(text.as_bytes(), 0..text.len(), &Secrets::default(), false);
    let expected = ["┬───   ┬──── ╷", "scheme host  empty path"].map(|line| Line::Labels(line.into()));
    assert_eq!(draw(&view, &marks, 80, false)[1..], expected);
}

#[test]
fn a_long_text_is_wrapped_before_a_part_and_the_part_named_again() {
    let parts = [
        ("http", "scheme"),
        ("host.dom", "host"),
        ("path/that/is/long/enough/for/three/lines", "path"),
        ("s", "search"),
    ];
    let expected = "
http://host.dom/
┬───   ┬───────
scheme host
path/that/is/long/e
┬──────────────────
path
nough/for/three/lin
es?s
┬─ ┬
│  search
path, continued";
    let text = "http://host.dom/path/that/is/long/enough/for/three/lines?s";
    assert_eq!(drawn(text, &parts, 20, false), expected);
}

#[test]
fn labels_stand_below_wide_characters() {
    let expected = "
x:\u{4e2d}\u{6587}/y
┬ ┬─── ┬
a b    c";
    assert_eq!(
        drawn("x:\u{4e2d}\u{6587}/y", &[("x", "a"), ("\u{4e2d}\u{6587}", "b"), ("y", "c")], 40, false),
        expected
    );
}

#[test]
fn a_text_without_marks_is_drawn_alone() {
    assert_eq!(drawn("hello", &[], 40, false), "\nhello");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, failure_persistence: None, ..ProptestConfig::default() })]

    /// Parts of any lengths with labels of any lengths: each label is there and whole, so nothing is drawn through it.
    #[test]
    fn no_label_touches_another_label_or_line(
        parts in prop::collection::vec((1_usize..12, 1_usize..14), 1..9),
        width in 60_usize..100,
    ) {
        let mut text = String::new();
        let mut marks = Vec::new();
        for (i, (length, label)) in parts.iter().enumerate() {
            let start = text.len();
            text.push_str(&"x".repeat(*length));
            // Each label has a letter of its own, in a run that only it can have.
            let letter = char::from(b'A' + i as u8);
            marks.push(Mark { span: start..text.len(), label: letter.to_string().repeat(*label) });
            text.push('/');
        }
        let view = View::new(text.as_bytes(), 0..text.len(), &Secrets::default(), true);
        let lines = draw(&view, &marks, width, true);
        for line in &lines {
            let (Line::Text(line) | Line::Labels(line)) = line;
            prop_assert!(line.len() <= width, "{line:?} is wider than {width}");
        }
        let rows: Vec<&str> = lines
            .iter()
            .filter_map(|line| match line { Line::Labels(row) => Some(row.as_str()), Line::Text(_) => None })
            .collect();
        for mark in &marks {
            // What may stand beside a label: blanks, lines, and what is said of a part that goes on in the next piece.
            let mut words = rows.iter().flat_map(|row| row.split([' ', ',']));
            // Where there is no room on either side, a label is cut.
            let is_label = |word: &str| word == mark.label || word.strip_suffix("...").is_some_and(|cut| !cut.is_empty() && mark.label.starts_with(cut));
            prop_assert!(words.any(is_label), "{} is not whole in\n{}", mark.label, rows.join("\n"));
        }
    }
}
