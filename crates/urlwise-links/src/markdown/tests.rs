//! Any documents, read in different ways.

use proptest::prelude::*;
use pulldown_cmark::{Event, Parser};

use super::part::{Part, read, read_all, sorted};
use super::*;

/// Lines that begin, continue or end whatever Markdown has, with words and links between them.
fn document() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        6 => "[a-z]{1,9}( [a-z,.]{1,9}){0,3}",
        3 => Just(String::new()),
        4 => "[a-z]{0,2}[ \t*_~`<>\\[\\]()!&;:|#=+\\\\\"'/0-9.\r\u{0}\u{c}@^{}$-]{1,4}[a-z]{0,2}[*_~]?",
        6 => prop::sample::select(&LINES[..]).prop_map(str::to_owned),
    ];
    let line = ("(|||    |> |- |  |\t|>|1. )", line, "(\n|\n|\n|\n\n|\r\n| \n|\\\\\n|\n\n\n|)");
    let line = line.prop_map(|(before, line, end)| [before, line, end].concat());
    prop::collection::vec(line, 0..24).prop_map(|lines| lines.concat())
}

const LINES: [&str; 80] = [
    "!!! note",
    "??? tip \"a\"",
    "=== \"b\"",
    "    - [c](d)",
    "```",
    "~~~ text",
    "````",
    "===",
    "---",
    "***",
    "# head",
    "<!--",
    "-->",
    "<pre>",
    "</pre>",
    "<div>",
    "</div>",
    "<?php",
    "?>",
    "<![CDATA[",
    "]]>",
    "<a href='b",
    "c'>",
    "| a | b |",
    "|---|:-:|",
    "a | [b](c)",
    "[a]: b",
    "[a]:",
    "[^1]: note",
    "see [a] and [^1]",
    "[b [^1] c](d)",
    "e []() [](f) [g]()",
    "[b ![^1]\\*",
    "[^&amp;<ftp:x>]: d [^1][a]",
    "e [^&amp;<ftp:x>] [^1](f)",
    "[words",
    "more](b \"title",
    "end\")",
    "a `code",
    "span` b",
    "a *b [c",
    "d* e](f)",
    "<http://a.b/c>",
    "![i](j) \\",
    "&amp; \\_ a@b.c <d@e.f>",
    "see <http://a.b/c-->",
    "and <ftp:x> or [q](r&amp;s)",
    "a `b` c [d](e)",
    "[f `g`](h)",
    "<b> [a][b] c",
    "<i x='y'>",
    "</i> z-->",
    "<!A [a]: b",
    "a|[b|c](d)",
    "- |-",
    "[^1]: > - [a][b] <ftp:y>",
    "[^2]: [a]: e",
    "[a]: <b",
    "[b]: c d",
    "[c]: <d> \"e",
    "'f'",
    "[d]: e (f",
    "'",
    "\"\\\" g",
    "[h\\]",
    "- \t[i]: j(",
    "    [^2]: <d e",
    "    [^2]: d 'e",
    "===\u{c}",
    "--\u{b}",
    "| a | b \\",
    "> [!NOTE]",
    "[a\\]:b]: c",
    "[x]:",
    "[!A]:",
    "[ ]: b c",
    "1#",
    "#",
    "#######",
    "[b [a] c](d)",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_left_out_does_not_matter(source in document()) {
        let (part, labels) = (Part::whole(&source), Labels::default());
        prop_assert!(sorted(&read(&part, &labels).marks) == sorted(&read_all(&part, &labels).marks), "{:?}", source);
    }

    #[test]
    fn what_a_reader_of_definitions_does_not_get_defines_nothing(source in document()) {
        let source = with_line_feeds(&source);
        let part = Part { wanted: Wanted::Definitions { notes: true }, ..Part::whole(&source) };
        let labels = Labels::default();
        prop_assert!(read(&part, &labels).defines_like(&read_all(&part, &labels)), "{:?}", source);
    }

    #[test]
    fn how_a_document_is_divided_does_not_matter(source in document(), usual in 4usize..64, more in 0usize..64) {
        let marks = [usual, usual + more];
        prop_assert!(parts_agree_by(&source, marks), "{marks:?}: {:?}", source);
    }
}

/// The labels of footnotes, each defined and used alone, that the parser reads from a text.
fn notes_one_by_one(text: &str) -> Vec<Range<usize>> {
    let is_label = |span: &Range<usize>| {
        let label = &text[span.clone()];
        let (defined, used) = (format!("[^{label}]: x\n\n"), format!("[^{label}]"));
        let text = [&*defined, &*used].concat();
        let mut events = Parser::new_ext(&text, options()).into_offset_iter();
        events.any(|(event, span)| matches!(event, Event::FootnoteReference(_)) && span == (defined.len()..text.len()))
    };
    let starts = text.match_indices("[^").map(|(at, _)| at + 2).filter(|start| !is_escaped(text, start - 2));
    let ends = |start: usize| text[start..].match_indices(']').map(move |(end, _)| start..start + end);
    starts.filter_map(|start| ends(start).find(is_label)).collect()
}

/// Whether an odd number of backslashes is before a place.
fn is_escaped(text: &str, at: usize) -> bool {
    text[..at].bytes().rev().take_while(|octet| *octet == b'\\').count() % 2 == 1
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn labels_of_footnotes_are_those_that_the_parser_reads(source in r"([\[\^\]\\a\n]|\[\^|\\\[\^){0,40}") {
        let found: Vec<_> = notes::all(&source).filter(|label| !is_escaped(&source, label.start - 2)).collect();
        prop_assert_eq!(found, notes_one_by_one(&source), "{:?}", source);
    }
}

#[test]
fn a_part_grows_until_it_ends_with_a_block() {
    let source = format!("{}\n\n", "*\n".repeat(6)).repeat(9);
    let mut walk = Walk::new(&source, [16, 48]);
    // Each block has 14 octets, all of which are marks. Behind the first ends, each is tried early before.
    let ends = |walk: &Walk<'_, '_>| walk.ends().map(|end| (end.marks, end.place, end.is_early)).collect::<Vec<_>>();
    let (first, early) = ((16, 16, false), (16, 14, true));
    let others = [(32, 28, true), (32, 32, false), (48, 42, true), (48, 48, false)];
    assert_eq!(ends(&walk), [&[first; 2], &others[..]].concat());
    walk.ends_early = true;
    assert_eq!(ends(&walk), [&[early, first], &others[..]].concat());
}

#[test]
fn what_is_defined_is_known_where_parts_have_grown() {
    for (source, marks) in [
        (
            "\ta\n\n>a\\\n\t:*\n  [^1]: > - [a][b] <ftp:y>\na ,.,,, ..,,\n\n\n  a ..,. ,,, .,.,.\na\r\n[b [^1] c](d)\n",
            [23, 59],
        ),
        ("\ta\r\na .,, ..,..,,, ,,,,\n\n\n\t\n\ne [^&amp;<ftp:x>] [^1](f)\n- [^&amp;<ftp:x>]: d [^1][a]\n", [7, 21]),
        ("    :\r~\r\ne [^&amp;<ftp:x>] [^1](f) \n  a ,> [[*\n:&!_\n\n[^&amp;<ftp:x>]: d [^1][a]\na\n", [6, 29]),
    ] {
        assert_eq!(pieces_by(source, marks), pieces_by(source, [usize::MAX; 2]), "{source:?}");
    }
}

#[test]
fn a_table_is_not_divided_before_its_delimiter_row() {
    for length in 8100..8200 {
        let source = format!("{}\n\na|b\n- |-\n[x|y](ftp:z)\n", ".".repeat(length));
        assert!(pieces_by(&source, [USUAL_MARKS, MOST_MARKS]).iter().all(|piece| !piece.is_link()), "{length}");
    }
}

#[test]
fn a_tag_behind_a_definition_does_not_begin_a_part_as_html() {
    let source = "[a]:\n|---|:-:|\r\n</pre>\na<!--\na\n";
    assert!(pieces_by(source, [19; 2]).iter().all(|piece| piece.role() == Role::Unread));
    assert_eq!(pieces_by(source, [64; 2]), pieces_by(source, [usize::MAX; 2]));
}

#[test]
fn a_definition_with_blanks_before_it_does_not_begin_a_part_as_code() {
    let source = "[a]:b\n    [1]:e\n\n";
    assert!(pieces_by(source, [8; 2]).iter().all(|piece| piece.role() == Role::Unread));
    let source = format!("[z]:y\n{source}");
    assert_eq!(pieces_by(&source, [12; 2]), pieces_by(&source, [usize::MAX; 2]));
}

#[test]
fn what_looks_like_a_definition_in_code_or_behind_a_comment_is_known_wherever_parts_end() {
    for (source, is_link) in [
        ("[x [z] y](ftp:w)\n\n[k]: l\n```\n..\n\n[z]: ftp:q\n\n..\n```\n", true),
        ("[x [z] y](ftp:w)\n\n[k]: l\n<!--\n\n&a\n\n[z]: ftp:q\n\n-->\n", true),
        ("[x [z] y](ftp:w)\n\n<!--\n\n&a -->\n\n[z]: ftp:q\n\n..\n", false),
        ("[x [z] y](ftp:w)\n\n..\n\n[z]: ftp:q\n\n..\n", false),
    ] {
        let whole = pieces_by(source, [usize::MAX; 2]);
        assert_eq!(whole.iter().any(|piece| piece.is_link() && piece.text() == b"ftp:w"), is_link, "{source:?}");
        for usual in 9..40 {
            assert_eq!(pieces_by(source, [usual, 64]), whole, "{usual}: {source:?}");
        }
    }
}

#[test]
fn a_reader_of_definitions_gets_what_looks_like_other_blocks_and_is_none() {
    let many = format!("{}\n{}\n{}===\n[z]: q\n", "|a".repeat(300), "|-".repeat(300), "xxxx\n".repeat(1000));
    for source in [
        "[a]: b\n    [^c]: <d e\n[z]: q\n",
        "[a]: b\n\t[^c]: d 'xxxx\nyyyy'\n[z]: q\n",
        "> [!NOTE]\n>     [^c]: <d e\n> [z]: q\n",
        "| aaa | bcd \\\n|--|--|\n===\n[z]: q\n",
        "some &words\n===\u{c}\n[z]: q\n",
        "[x]:\nit is done\n\n[z]: q\n",
        "- [!NOTE]:\n<it is so\n\n[z]: q\n",
        // Of a table with many cells that are not there, the parser does not read all rows.
        &many,
    ] {
        let part = Part { wanted: Wanted::Definitions { notes: true }, ..Part::whole(source) };
        let labels = Labels::default();
        assert!(read(&part, &labels).defines_like(&read_all(&part, &labels)), "{source:?}");
    }
}

#[test]
fn a_label_may_have_what_ends_one() {
    let pieces = pieces_by("[a\\]:b]: ftp:q\n", [usize::MAX; 2]);
    assert!(pieces.iter().any(|piece| piece.is_link() && piece.text() == b"ftp:q"));
}

#[test]
fn a_part_of_nothing_but_definitions_that_were_there_ends_at_an_empty_line() {
    let source = "[a]: ftp:b\n\n".repeat(9);
    let pieces = pieces_by(&source, [16, 24]);
    assert!(pieces.iter().all(|piece| piece.role() != Role::Unread));
    assert_eq!(pieces, pieces_by(&source, [usize::MAX; 2]));
}

#[test]
fn a_footnote_within_another_one_does_not_begin_a_part_as_code() {
    let source = "[^1]:\n\n\t[^1]:\n.";
    assert!(pieces_by(source, [12; 2]).iter().all(|piece| piece.role() == Role::Unread));
}

#[test]
fn code_goes_on_behind_a_part_of_empty_lines_and_ends_at_a_definition() {
    for source in [
        "\t===\n\n\n    \0*\n\n\n\ta ,.\n\t{:*\n",
        "    a\n\n\n\n    b\n",
        "    a\n\n\n\nb\n",
        "    a ,,\n\n\n\t<http://a.b/c>\n[a]: b\n\n\n\t0\n",
        "    a\r\n\u{c}\r\t\\\n",
        "    a ,,,. ,,\n\r!!!> <http://a.b/c>\n",
        "    <http://a.b/c><http://a.b/c>\n\n\r:\\@*\na\n",
        "\ta\n    a\n\n\n    a\n\n  \r\r{{~\n    -\na\n",
        "    ```\n\n\n\n    a .,., .,,\n\n\n\r@~\n    &\na\n",
    ] {
        for most in 2..24 {
            assert!(parts_agree_by(source, [most; 2]), "{most}: {source:?}");
        }
    }
}

#[test]
fn what_is_found_in_the_last_lines_of_a_part_is_not_found_in_the_text_before_their_fence() {
    let source = "left out\n&!\n```\n\nsee <http://h/>\n *\n";
    for most in 8..64 {
        assert!(parts_agree_by(source, [most; 2]), "{most}");
    }
}

#[test]
fn a_cr_alone_ends_a_line() {
    assert_eq!(with_line_feeds("a\r\nb\n"), "a\r\nb\n");
    assert_eq!(with_line_feeds("\ra\r\r\nb\r"), "\na\n\r\nb\n");
    // Not code: a paragraph ends at the empty line.
    let links = |source: &'static str| {
        pieces_by(source, [usize::MAX; 2]).into_iter().filter(|piece| piece.role() == Role::Link)
    };
    for source in ["    a\r\r<ftp://h/x>", "    a\n\r<ftp://h/x>\n", "    a\n\n<ftp://h/x>\n"] {
        assert_eq!(links(source).count(), 1, "{source:?}");
    }
}

#[test]
fn code_ends_where_it_ends_whatever_stands_behind_it() {
    for behind in ["&amp;", "\\_", "a", "<http://h/>", " `b`", ""] {
        let source = format!("`a`{behind}\n");
        let pieces = pieces_by(&source, [usize::MAX; 2]);
        assert_eq!((pieces[0].span(), pieces[0].role()), (0..3, Role::Code), "{source:?}");
        assert!(pieces[1..].iter().all(|piece| piece.role() != Role::Code || behind == " `b`"), "{source:?}");
    }
    let source = "<![CDATA[\n\t[\n\n>a .\na .. .,,. ..,\na ,.,...\n<pre>\n]]>\r\n&amp; a@b.c <d@e.f>\n";
    assert_eq!(pieces_by(source, [19; 2]), pieces_by(source, [usize::MAX; 2]));
}

/// Where each part begins, and whether it ends early.
fn parts(source: &str, most: usize) -> Vec<(usize, bool)> {
    let (mut walk, mut labels) = (Walk::new(source, [most; 2]), Labels::default());
    let mut parts = vec![(0, false)];
    while walk.next(&mut labels).is_some() {
        parts.push((walk.at, walk.ends_early));
    }
    parts
}

#[test]
fn a_paragraph_that_takes_half_a_part_is_read_twice_once_and_others_like_it_are_not() {
    // Each line has three marks, and a paragraph of ten lines one more.
    let paragraph = "[a]\n".repeat(10) + "\n";
    let source = paragraph.repeat(5);
    let begins = |ends_early: [bool; 5]| -> Vec<_> {
        (0..).step_by(paragraph.len()).zip([false].into_iter().chain(ends_early)).collect()
    };
    // The second paragraph would be read again and again by 29 marks of 60; then only the last part ends at its end.
    assert_eq!(parts(&source, 60), begins([true, true, true, true, true]));
    // An eighth of a part may be.
    assert_eq!(parts(&source, 31 + 3), begins([false, false, false, false, false]));
    assert_eq!(parts(&source, 31 + 6), begins([true, true, true, true, true]));
}

#[test]
fn a_part_that_ends_too_early_is_read_to_its_end() {
    // The item is cut, and much of it read again: the next part ends early, at an empty line within it.
    let item = format!("- a\n\n{}  b\n", "  a\n\n".repeat(20));
    let paragraph = "[a]\n".repeat(10) + "\n";
    let source = format!("{paragraph}{item}# c\n{}", "d,,,,,,,,,,,,,,\n\n".repeat(5));
    let begins = [0, paragraph.len(), paragraph.len() + item.len()];
    let parts = parts(&source, 60);
    assert_eq!(parts[..2], [(begins[0], false), (begins[1], true)]);
    assert!(parts[2].0 >= begins[2], "{parts:?}");
    assert_eq!(pieces_by(&source, [60; 2]), pieces_by(&source, [usize::MAX; 2]));
}

#[test]
fn a_backslash_at_the_end_of_a_paragraph_stays_whatever_else_is_in_it() {
    for source in ["*<http://h/>\n\\\n\u{c}", "<http://h/>\n\\\n\u{c}", "a\n\\\n\u{c}", "*a\\\r\n\u{c}"] {
        let text: Vec<u8> = pieces_by(source, [MOST_MARKS; 2]).iter().flat_map(|piece| piece.text().to_vec()).collect();
        assert_eq!(String::from_utf8_lossy(&text), *source);
    }
}

#[test]
fn prose_of_any_length_is_read_paragraph_by_paragraph() {
    let source = format!("a\n\n{}b, c\n", "d,,,,,,,,,,,,,,\n\n".repeat(4));
    for most in 17..100 {
        let pieces = pieces_by(&source, [most; 2]);
        assert!(pieces.iter().all(|piece| piece.role() == Role::Text), "{most}: {pieces:?}");
    }
    let source = "and so on,\n\n".repeat(MOST_MARKS) + "[a](b)\n";
    let links = pieces_by(&source, [MOST_MARKS; 2]).into_iter().filter(|piece| piece.role() == Role::Link);
    assert_eq!(links.count(), 1);
}

#[test]
fn footnotes_that_other_parts_define_are_known_wherever_the_part_begins_and_ends() {
    for source in [
        "\\:*\n\t[b [^1] c](d)\n,,,,,,\n\n\na .\n\n>[^1]: note\r\n",
        "[^1]: note\n\n\n,,,,\n\na , .. .,.\n\n> [b [^1] c](d)\n<![CDATA[\n",
        "[^1]: note\n\n,,,,,,\n\n    a ,,,,\n\nb [c [^1] d](e)\n",
        "- <http://a.b/c>\n[^1]: note\na\na\na , ..., ,.,,,\n> a\na ,\n\na ,\n\t??? tip\n> a\n[b [^1] c](d)\n",
        "e [^&amp;<ftp:x>] [^1](f)\n<!--\n\n\nsee <http://a.b/c-->\n> [^1]: note\n",
        "[b [^1] c](d)\n\n,,,,,,,,\n\n<!--\n\nsee &-->\n\n[^1]: x\n",
        "[b [^1] c](d)\n\n,,,,,,,,\n\na &\n```\n\n[^1]: x\n",
        "[^1]: note\n\n```\n,,,,,,,,,\n,,,,,,,,,\n,,,,,,,,\n```\n[b [^1] c](d)\n",
        "[^1]: note\n\n,|,\n-|-\n,,,,|,,,,,\n,,,,|,,,,\n,,,|,,,,[b [^1] c](d)\n",
        "[^1]: note\n\n<p>\n,,,,,,,,,\n,,,,,,,,,\n,,,,,,,,\n\n[b [^1] c](d)\n",
        "[b [^1\u{b}a] c](d)\n\n,,,,,,,,,,\n\n[^1 a]: e\n",
        "|a|\n|-|\n|[b [^1\\|a] c](d)|\n\n,,,,,,,,,,\n\n[^1|a]: e\n",
        "[b [^ 1  a] c](d)\n\n,,,,,,,,,,\n\n[^1\ta]: e\n",
        "[b [^1\\\\] c](d) ]\n\n,,,,,,,,,,\n\n[^1\\\\]: e\n",
        "[b [^&amp;] c](d)\n\n,,,,,,,,,,\n\n[b [^1] c](d) [^<ftp:x>]\n\n[^<ftp:x>]: e\n[^&amp;]: e\n\n[^1]: e\n",
    ] {
        for most in 8..40 {
            assert!(parts_agree_by(source, [most; 2]), "{most}: {source:?}");
        }
    }
}

#[test]
fn references_that_other_parts_define_are_known_where_a_link_may_begin_in_them() {
    for source in [
        "[b][c](d)\n\n,,,,,,,,,,\n\n[c]: e\n",
        "[b][](d)\n\n,,,,,,,,,,\n\n[b]: e\n",
        "[b][][c][d](e)\n\n[c]: f\n[d]: g\n\n,,,,,,,,,,\n\n[b]: h\n",
        "[b][<ftp:c>]\n\n,,,,,,,,,,\n\n[<ftp:c>]: d\n",
        "[b][\\_]\n\n,,,,,,,,,,\n\n[\\_]: d\n",
        "[b][&amp;]\n\n,,,,,,,,,,\n\n[&amp;]: d\n",
        "[b][`c`]\n\n,,,,,,,,,,\n\n[`c`]: d\n",
        "[^1][a\\]:b]\n\n,,,,,,,,,,\n\n[a\\]:b]: d\n",
    ] {
        for most in 8..40 {
            assert!(parts_agree_by(source, [most; 2]), "{most}: {source:?}");
        }
    }
}

#[test]
fn a_definition_that_goes_on_behind_a_part_is_the_next_ones_though_no_other_follows() {
    // The first part ends behind the line of the definition, whose title is not complete there.
    for dots in 30..60 {
        let dots = ".".repeat(dots);
        let source = format!("[b [a] c](d)\n\ne&{dots}\n\n[a]: f (g\nh)\n\n# i {dots}\n");
        for most in 50..70 {
            assert!(parts_agree_by(&source, [most; 2]), "{most}: {source:?}");
        }
    }
}

#[test]
fn what_looks_like_an_empty_heading_ends_no_item() {
    for line in ["1#", "12#", "#######"] {
        for dots in 8..40 {
            let source = format!("[a [b] c](d)\n1. {}\n{line}\n\n\n\t[b]: e\n", ".".repeat(dots));
            for most in 16..40 {
                assert!(parts_agree_by(&source, [most, most * 8]), "{most}: {source:?}");
            }
        }
    }
}

#[test]
fn an_empty_heading_ends_a_paragraph_that_takes_all_of_a_part() {
    let pieces = pieces_by("*a*****\n#\n\n[b](c)**\n", [8, 8]);
    assert!(pieces.iter().all(|piece| piece.role() != Role::Unread), "{pieces:?}");
}

#[test]
fn what_is_put_behind_a_part_is_no_destination() {
    for source in ["[[a]]()\n>[a]:\n\n", "[b [a] c](d)\n> [a]:\n\n,,,,,,,,,,\n", "[b [a] c](d)\n- [a]:\n\n,,,,,,,,,,\n"]
    {
        for most in 8..40 {
            assert!(parts_agree_by(source, [most; 2]), "{most}: {source:?}");
        }
    }
}

#[test]
fn a_long_text_ends_between_blocks_and_loses_nothing() {
    let paragraph = format!(r"\_{} ", "a".repeat(80)).repeat(50) + "\n\n";
    let html = "<a href='b'>\n".repeat(USUAL_MARKS);
    // The block of HTML begins at each place of a part that ends a text, and goes on behind it.
    for paragraphs in (320..400).step_by(20) {
        let source = format!("{}<div>\n{html}\n[c](d)\n", paragraph.repeat(paragraphs));
        let pieces = pieces_by(&source, [USUAL_MARKS, MOST_MARKS]);
        let links = pieces.iter().filter(|piece| piece.role() == Role::Link);
        assert_eq!(links.count(), USUAL_MARKS + 1, "{paragraphs}");
        let texts = pieces.iter().filter(|piece| piece.role() == Role::Text).map(|piece| piece.text().len());
        let long: Vec<usize> = texts.filter(|length| *length > 1 << 18).collect();
        assert!(long.len() > 2 && long.iter().all(|length| *length < 1 << 20), "{paragraphs} {long:?}");
    }
}
