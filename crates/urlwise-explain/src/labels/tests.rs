use proptest::prelude::*;

use super::*;
use crate::secret::Secrets;

/// The lines of a diagram, each with whether it has labels.
fn lines(view: &View, marks: &[Mark], width: usize, ascii: bool) -> Vec<(bool, String)> {
    let mut lines = Vec::new();
    draw(view, marks, Look { width, ascii, ..Look::default() }, |line| {
        lines.push(match line {
            Line::Text(text) => (false, text.to_owned()),
            Line::Labels(row) => (true, row.to_owned()),
        });
    });
    lines
}

/// The diagram of a text. Marks are given in order, as the text of the part and its label.
fn drawn(text: &str, parts: &[(&str, &str)], width: usize, ascii: bool) -> String {
    let mut at = 0;
    let marks: Vec<Mark> = parts
        .iter()
        .map(|(part, label)| {
            let start = at + text[at..].find(part).unwrap();
            at = start + part.len();
            Mark::plain(start..at, (*label).to_owned())
        })
        .collect();
    let octets = text.as_bytes();
    let view = View::new(octets, 0..octets.len(), &Secrets::of(octets, false), ascii);
    lines(&view, &marks, width, ascii).into_iter().map(|(_, line)| format!("\n{line}")).collect()
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
fn ascii_draws_the_same_layout() {
    let expected = "
ftp://myname@host.dom/%2Fetc/motd;type=a
^--   ^----- ^------- ^----- ^---      ^
|     user   host     |      name      typecode: text
scheme                cwd = /etc";
    assert_eq!(drawn("ftp://myname@host.dom/%2Fetc/motd;type=a", FTP, 80, true), expected);
}

#[test]
fn a_label_that_would_leave_the_page_is_left_of_its_line() {
    let expected = "
ftp://myname@host.dom/%2Fetc/motd;type=a
┬──   ┬───── ┬─────── ┬───── ┬───      ┬
│     user   host     │      name      │
scheme                cwd = /etc       │
                        typecode: text ┘";
    assert_eq!(drawn("ftp://myname@host.dom/%2Fetc/motd;type=a", FTP, 50, false), expected);
}

#[test]
fn an_empty_part_is_marked_at_its_position() {
    let text = "http://h.dom/";
    let marks: Vec<Mark> = [(0..4, "scheme"), (7..12, "host"), (13..13, "empty path")]
        .map(|(span, label)| Mark::plain(span, label))
        .into();
    let view = View::new(text.as_bytes(), 0..text.len(), &Secrets::default(), false);
    let expected = ["┬───   ┬──── ╷", "scheme host  empty path"].map(|line| (true, line.to_owned()));
    assert_eq!(lines(&view, &marks, 80, false)[1..], expected);
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
fn labels_are_aligned_below_wide_characters() {
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
fn a_line_goes_on_behind_a_part_that_lies_within_another() {
    let marks = [(0..9, "all"), (2..4, "b"), (6..6, "c"), (11..12, "d")].map(|(span, label)| Mark::plain(span, label));
    let view = View::new(b"abcdefghi+jk", 0..12, &Secrets::default(), true);
    assert_eq!(lines(&view, &marks, 40, true)[1], (true, "^-^---|--  ^".to_owned()));
}

#[test]
fn a_mark_above_a_letter_keeps_its_letter() {
    let marks = [Mark::plain(0..1, "e\u{301}a"), Mark::plain(2..3, "b")];
    let view = View::new(b"x/yz", 0..4, &Secrets::default(), false);
    assert_eq!(lines(&view, &marks, 40, false)[2..], [(true, "│ b".to_owned()), (true, "e\u{301}a".to_owned())]);
}

#[test]
fn a_text_without_marks_is_drawn_alone() {
    assert_eq!(drawn("hello", &[], 40, false), "\nhello");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, failure_persistence: None, ..ProptestConfig::default() })]

    /// Parts and labels of any length: each label appears complete, so nothing is drawn over it.
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
            // Each label repeats its own letter, so that it can be recognized.
            let letter = char::from(b'A' + i as u8);
            marks.push(Mark::plain(start..text.len(), letter.to_string().repeat(*label)));
            text.push('/');
        }
        let view = View::new(text.as_bytes(), 0..text.len(), &Secrets::default(), true);
        let lines = lines(&view, &marks, width, true);
        for (_, line) in &lines {
            prop_assert!(line.len() <= width, "{line:?} is wider than {width}");
        }
        let rows: Vec<&str> = lines
            .iter()
            .filter_map(|(has_labels, line)| has_labels.then_some(line.as_str()))
            .collect();
        for mark in &marks {
            // Labels are separated by blanks, lines, and ", continued".
            let mut words = rows.iter().flat_map(|row| row.split([' ', ',']));
            // If there is no room on either side, the label is cut.
            let is_label = |word: &str| word == mark.name || word.strip_suffix("...").is_some_and(|cut| !cut.is_empty() && mark.name.starts_with(cut));
            prop_assert!(words.any(is_label), "{} is not complete in\n{}", mark.name, rows.join("\n"));
        }
    }
}
