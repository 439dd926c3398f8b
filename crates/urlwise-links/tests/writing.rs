//! Links that are written anew.

#![allow(clippy::unwrap_used, reason = "a document without the link must stop the test")]

use proptest::prelude::*;
use urlwise_links::{Format, Piece, pieces};

/// A format, and a document of it that has one link, `x`.
const DOCUMENTS: [(Format, &str); 9] = [
    (Format::Html, "<a href=\"x\">y</a>"),
    (Format::Html, "<a title=t href='x'>y</a>"),
    (Format::Html, "<a href=x class=c>y</a>"),
    (Format::Html, "<meta http-equiv=refresh content='5; url=x'>"),
    (Format::Html, "<img srcset=\"x 2x\">"),
    (Format::Markdown, "[y](x) z"),
    (Format::Markdown, "[y](<x> 'title') z"),
    (Format::Markdown, "![y](x (title))"),
    (Format::Markdown, "[y]\n\n[y]: x\n"),
];

/// The document with another link, as it should be written.
fn rewritten(format: Format, source: &str, link: &str) -> String {
    let pieces = pieces(format, source.as_bytes());
    let piece = pieces.iter().find(|piece| piece.is_link()).unwrap();
    let span = piece.span();
    format!("{}{}{}", &source[..span.start], piece.written(link), &source[span.end..])
}

fn links(format: Format, source: &str) -> Vec<Vec<u8>> {
    pieces(format, source.as_bytes()).iter().filter(|piece| piece.is_link()).map(|link| link.text().to_vec()).collect()
}

#[test]
fn only_what_needs_an_escape_gets_one() {
    let html = "<a href='x'>";
    assert_eq!(rewritten(Format::Html, html, "/a?b=1#c,(d)"), "<a href='/a?b=1#c,(d)'>");
    assert_eq!(rewritten(Format::Html, html, "a&b'\"<>`"), "<a href='a&amp;b&#39;&quot;&lt;&gt;&#96;'>");
    let bare = "[y](x)";
    for (link, expected) in [
        ("a_(b)", "[y](a_(b))"),
        ("a)", "[y](a\\))"),
        ("a)(", "[y](a\\)\\()"),
        ("a?b=1&c=2", "[y](a?b=1&c=2)"),
        ("a?b=1&copy=2", "[y](a?b=1&copy=2)"),
        ("a&copy;b", "[y](a&amp;copy;b)"),
        ("a\\b<c>", "[y](a\\\\b\\<c\\>)"),
    ] {
        assert_eq!(rewritten(Format::Markdown, bare, link), expected);
    }
    assert_eq!(rewritten(Format::Markdown, "[y](<x>)", "a)(b<"), "[y](<a)(b\\<>)");
    assert_eq!(rewritten(Format::Markdown, "<http://x>", "http://y/(&copy;"), "<http://y/(&amp;copy;>");
    assert_eq!(rewritten(Format::Markdown, "<http://x>", "http://y/?a&b"), "<http://y/?a&b>");
}

#[test]
fn text_is_written_as_its_document_has_it() {
    let written = |format, source: &str| {
        let pieces = pieces(format, source.as_bytes());
        pieces.iter().map(|piece: &Piece<'_>| piece.written("a&b").into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(written(Format::Text, "x"), ["a&b"]);
    assert_eq!(written(Format::Markdown, "x `y`"), ["a&b", "a&b"]);
    assert_eq!(written(Format::Html, "x<!-- y -->z"), ["a&amp;b", "a&b", "a&amp;b"]);
}

#[test]
fn an_end_is_before_what_follows() {
    let source = br"[y](a&amp;\_b\*)";
    let pieces = pieces(Format::Markdown, source);
    let link = pieces.iter().find(|piece| piece.is_link()).unwrap();
    assert_eq!(link.text(), b"a&_b*");
    let ends: Vec<_> = (0..=6).map(|at| &source[4..link.source_end(at)]).collect();
    assert_eq!(ends, [&b""[..], b"a", b"a&amp;", br"a&amp;\_", br"a&amp;\_b", br"a&amp;\_b\*", br"a&amp;\_b\*"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_link_is_read_back(link in "[a-c]([a-c/?&;=()'\"<>\\\\`_*~!$.%-]|amp;|&copy;|&lt|&#38;|&#x26;){0,12}[a-c]") {
        for (format, source) in DOCUMENTS {
            let new = rewritten(format, source, &link);
            prop_assert_eq!(links(format, &new), [link.as_bytes()], "{}", new);
        }
    }
}
