//! Escapes and references in the text of Markdown.

#![allow(clippy::unwrap_used, reason = "a document that cannot be read must stop the test")]

use urlwise_links::{Format, MOST_MARKS, Piece, pieces};

/// The text of all pieces.
fn all(source: &str) -> String {
    pieces(Format::Markdown, source.as_bytes()).iter().map(text).collect()
}

fn text(piece: &Piece<'_>) -> String {
    String::from_utf8(piece.text().to_vec()).unwrap()
}

#[test]
fn escapes_in_text_are_decoded() {
    let source = "see http://h/a\\_b&amp;c and `\\_&amp;`";
    assert_eq!(all(source), "see http://h/a_b&c and `\\_&amp;`");
    let first = &pieces(Format::Markdown, source.as_bytes())[0];
    assert_eq!(first.source(all(source).find("_b").unwrap()), source.find("_b").unwrap());
    // Where emphasis, a link or a cell begins, and where one ends.
    assert_eq!(all("\\_a *\\_b*\\_ [\\_c](d)\\_ e\\\\\n<f>\\g\n"), "_a *_b*_ [_c](d)_ e\\\n<f>\\g\n");
    assert_eq!(all("|a|\n|-|\n|\\_b|\n"), "|a|\n|-|\n|_b|\n");
    // A backslash that is text itself.
    assert_eq!(all("\\\\&amp;\\\\*a*\n"), "\\&\\*a*\n");
}

#[test]
fn escapes_stay_where_they_are_beside_addresses_without_a_scheme() {
    for source in [
        "# \\# http://w.x/y x@y.zz \\_ http://a.b/c\n",
        "> \\* http://w.x/y, www.a.b\n",
        "b\n\\* http://w.x/y x@y.zz\n",
        "|a|\n|-|\n| \\* http://w.x/y x@y.zz|\n",
        "[a](b)\\* http://w.x/y &amp;x@y.zz \\_&amp;\\_ www.a.b\n",
    ] {
        for piece in pieces(Format::Markdown, source.as_bytes()) {
            let text = text(&piece);
            for (at, octet) in text.bytes().enumerate().filter(|(_, octet)| b"_*#/@,".contains(octet)) {
                if !piece.is_link() && !text[..at].ends_with("http:") && !text[..at].ends_with("http:/") {
                    assert_eq!(source.as_bytes()[piece.source(at)], octet, "{at} of {text:?} in {source:?}");
                    assert_eq!(
                        source.as_bytes()[piece.source_end(at + 1) - 1],
                        octet,
                        "{at} of {text:?} in {source:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn references_in_the_html_of_markdown_are_decoded_as_in_html() {
    let html = "<div title='http://h/?a&amp;b'>\nhttp://h/?c&amp;d&copy=e\n<!-- &amp; --><code>&amp;f</code></div>\n\n";
    let expected = "<div title='http://h/?a&b'>\nhttp://h/?c&d&copy=e\n<!-- &amp; --><code>&f</code></div>\n\n";
    assert_eq!(all(html), expected);
    assert_eq!(all("a <b title='&amp;'> `&amp;` &copy=\n"), "a <b title='&'> `&amp;` &copy=\n");
    // Where it ends, and where it goes on for longer than a part.
    assert_eq!(all("<b\ntitle='&amp;'>\n\n`&amp;`"), "<b\ntitle='&'>\n\n`&amp;`");
    let long = ["<div>\n", &"&amp;&lt;\n".repeat(MOST_MARKS), "</div>\n\n`&amp;` <a href='&amp;&amp;'>"].concat();
    assert_eq!(all(&long), ["<div>\n", &"&<\n".repeat(MOST_MARKS), "</div>\n\n`&amp;` <a href='&&'>"].concat());
}
