//! Documents and the links in them.

#![allow(clippy::unwrap_used, reason = "a document that cannot be read must stop the test")]

use proptest::prelude::*;
use urlwise_links::{Format, MOST_MARKS, Piece, Role, each_piece, pieces};

/// The links, each as `text` and as written.
fn links(format: Format, source: &str) -> Vec<(String, String)> {
    let pieces = pieces(format, source.as_bytes());
    let links = pieces.iter().filter(|piece| piece.role() != Role::Text && piece.role() != Role::Code);
    links.map(|link| (text(link), source[link.span()].to_owned())).collect()
}

fn text(piece: &Piece<'_>) -> String {
    String::from_utf8(piece.text().to_vec()).unwrap()
}

/// All code.
fn code(format: Format, source: &str) -> String {
    pieces(format, source.as_bytes()).iter().filter(|piece| piece.role() == Role::Code).map(text).collect()
}

/// The links as text alone.
fn targets(format: Format, source: &str) -> Vec<String> {
    links(format, source).into_iter().map(|(text, _)| text).collect()
}

fn pair(text: &str, written: &str) -> (String, String) {
    (text.into(), written.into())
}

#[test]
fn every_attribute_with_a_url_is_a_link() {
    let source = r#"<base href="b/"><a href=a></a><img src='s' srcset="x.png 1x, y.png 2x,z.png"><blockquote cite=c>
        <form action=f><button formaction=g><video poster=p><object data=d><link rel=stylesheet href=l.css>
        <meta http-equiv=Refresh content="5; URL='r'"><svg><use xlink:href="u"/></svg><AREA HREF="q"><body background=w>"#;
    let expected = ["b/", "a", "s", "x.png", "y.png", "z.png", "c", "f", "g", "p", "d", "l.css", "r", "u", "q", "w"];
    assert_eq!(targets(Format::Html, source), expected);
}

#[test]
fn other_attributes_are_not_links() {
    let source = r#"<div data="d" action="a" name="n"><meta name=refresh content="5; url=r"><a title="t">
        <meta http-equiv=default-style content="5; url=r">"#;
    assert_eq!(targets(Format::Html, source), [""; 0]);
}

#[test]
fn forms_and_bases_are_told_from_links() {
    let source = "<base href=b><form action=f><button formaction=g><a href=a>";
    let roles: Vec<_> = pieces(Format::Html, source.as_bytes()).iter().map(Piece::role).collect();
    assert_eq!(roles.iter().filter(|role| **role == Role::Form).count(), 2);
    assert_eq!(roles.iter().filter(|role| **role == Role::Link).count(), 1);
    assert_eq!(roles.iter().filter(|role| **role == Role::Base).count(), 1);
}

#[test]
fn of_attributes_with_one_name_the_first_counts() {
    assert_eq!(targets(Format::Html, "<a href=a href=b><a href=c>"), ["a", "c"]);
    assert_eq!(targets(Format::Html, "<meta http-equiv=refresh http-equiv=x content='0;a' content='0;b'>"), ["a"]);
}

#[test]
fn a_tag_that_the_document_ends_in_has_no_links() {
    for source in ["<a href=x", "<a href='x'", "<a href=x id=y ", "<img srcset='x, y' ", "<a href=\"x"] {
        assert_eq!(targets(Format::Html, source), [""; 0], "{source}");
    }
    assert_eq!(targets(Format::Html, "<a href=a><a href=x "), ["a"]);
}

#[test]
fn references_are_decoded_once_and_traced_to_the_source() {
    let source = "<a href=\" http://h/?a&amp;amp;b&#64;c&copy=1 \">";
    assert_eq!(links(Format::Html, source), [pair("http://h/?a&amp;b@c&copy=1", "http://h/?a&amp;amp;b&#64;c&copy=1")]);
    let pieces = pieces(Format::Html, source.as_bytes());
    let link = pieces.iter().find(|piece| piece.is_link()).unwrap();
    for (octet, written) in [("&", "&amp;amp;"), ("@", "&#64;"), ("c&", "c&copy")] {
        let at = text(link).find(octet).unwrap();
        assert_eq!(link.source(at), source.find(written).unwrap(), "{octet}");
    }
    assert_eq!(link.source(link.text().len()), source.find(" \">").unwrap());
    assert_eq!(link.source(usize::MAX), link.span().end);
}

#[test]
fn references_to_one_character_are_read_in_all_their_shapes() {
    let zeros = "0".repeat(40);
    let long = [format!("&#{zeros}64;"), format!("&#x{zeros}40;")];
    // With their `;`, and without it.
    let whole = ["&#64;", "&#0064;", "&#x40;", "&#x0040;", "&#X40;", "&#X0040;", "&commat;"];
    let bare = ["&#64", "&#0064", "&#x40", "&#X0040"];
    for reference in whole.into_iter().chain(bare).chain(long.iter().map(String::as_str)) {
        for written in [format!("mailto:joe{reference}y.z"), format!("mailto:joe%40x{reference}y.z")] {
            let expected = [pair(&written.replace(reference, "@"), &written)];
            for quote in ["", "'", "\""] {
                for source in
                    [format!("<A HREF={quote}{written}{quote}>"), format!("<img\nsrc = {quote}{written}{quote} id=x>")]
                {
                    assert_eq!(links(Format::Html, &source), expected, "{source}");
                    assert_eq!(links(Format::Markdown, &source), expected, "{source}");
                }
            }
            let source = format!("[a]({written})");
            let expected = if whole.contains(&reference) { expected } else { [pair(&written, &written)] };
            assert_eq!(links(Format::Markdown, &source), expected, "{source}");
        }
    }
}

#[test]
fn candidates_of_srcset_end_where_html_ends_them() {
    let source = "<img srcset=' a,b 1x , c 2w (x,y), ,d, e'>";
    assert_eq!(targets(Format::Html, source), ["a,b", "c", "d", "e"]);
}

#[test]
fn references_in_autolinks_are_decoded_as_on_github() {
    let inside = "http://h/a?x=1&amp;y=2&copy=3&copy;4&#64;\\_";
    let expected = [pair("http://h/a?x=1&y=2&copy=3\u{a9}4@\\_", inside)];
    // A paragraph that is read at a glance, one that is not, and a block.
    for source in [format!("a <{inside}>\n"), format!("a <{inside}> *b* &amp;\n"), format!("- <{inside}>\n")] {
        assert_eq!(links(Format::Markdown, &source), expected, "{source}");
    }
}

#[test]
fn in_a_cell_of_a_table_the_bar_of_an_autolink_has_a_backslash() {
    let source = "a <http://h/a\\|b>\n\n| a <http://h/c\\|d> |\n|---|\n| <http://h/e\\\\|f\\g> |\n\n<http://h/i\\|j>\n";
    let expected = ["http://h/a\\|b", "http://h/c|d", "http://h/e\\|f\\g", "http://h/i\\|j"];
    assert_eq!(targets(Format::Markdown, source), expected);
}

#[test]
fn links_in_noscript_are_those_of_a_reader_without_scripts() {
    let source = "<noscript><a href=\"gone.html\">x</a><img src=\"http://h/p?a=1&amp;b=2\"></noscript>\n";
    let expected = [pair("gone.html", "gone.html"), pair("http://h/p?a=1&b=2", "http://h/p?a=1&amp;b=2")];
    for format in [Format::Html, Format::Markdown] {
        assert_eq!(links(format, source), expected, "{format:?}");
    }
}

#[test]
fn what_stands_in_noframes_is_text() {
    for (source, expected) in [
        ("<noframes><a href=a></noframes><a href=b>", &["b"][..]),
        ("<NOFRAMES id=x><a href=a></noframesx></ noframes><a href=b></NoFrames ><a href=c>", &["c"]),
        ("<noframes/><a href=a>", &[]),
        ("<noframes><!-- </noframes><a href=b> -->", &["b"]),
        ("<noframe><a href=a></noframe>", &["a"]),
    ] {
        assert_eq!(targets(Format::Html, source), expected, "{source}");
        assert_eq!(targets(Format::Markdown, source), expected, "{source}");
    }
}

#[test]
fn refreshes_have_urls_with_quotes_and_without() {
    for (content, url) in [("0;url=a", "a"), ("1 ; url = 'b'x", "b"), ("2, c", "c"), ("3; url=\"d", "d"), ("4;u", "u")]
    {
        let source = format!("<meta content='{}' http-equiv=refresh>", content.replace('\'', "&#39;"));
        let source = if content.contains('\'') { source.replace("&#39;", "\"") } else { source };
        let source = if content.contains('"') || content.contains('\'') {
            format!("<meta content={} http-equiv=refresh>", quoted(content))
        } else {
            source
        };
        assert_eq!(targets(Format::Html, &source), [url], "{source}");
    }
    for content in ["5", "", "5;", "5; url=", "5; url=''"] {
        assert_eq!(targets(Format::Html, &format!("<meta content=\"{content}\" http-equiv=refresh>")), [""; 0]);
    }
}

#[test]
fn refreshes_are_taken_apart_by_the_steps_of_the_standard_once_they_are_decoded() {
    let refresh = |content: &str| links(Format::Html, &format!("<meta http-equiv=refresh content=\"{content}\">"));
    for (content, text, written) in [
        ("0;url=&quot;a&quot;", "a", "a"),
        ("0;url=&#39;a&amp;b&#39;c", "a&b", "a&amp;b"),
        ("0&semi;&#32;url&equals;a", "a", "a"),
        ("0 url=a", "a", "a"),
        (" .5 , URL = a ", "a", "a"),
        ("0;;a", ";a", ";a"),
        ("0;url", "url", "url"),
        ("0;url a", "url a", "url a"),
        ("0;urls=a", "urls=a", "urls=a"),
        ("0;&#39;a", "a", "a"),
    ] {
        assert_eq!(refresh(content), [pair(text, written)], "{content}");
    }
    for content in ["abc;url=a", ";url=a", "0x;url=a", "url=a", "-1;url=a", "0", "0;url=&#39;&#39;a", "0.5.;"] {
        assert_eq!(refresh(content), [], "{content}");
    }
}

fn quoted(text: &str) -> String {
    if text.contains('"') { format!("'{text}'") } else { format!("\"{text}\"") }
}

#[test]
fn scripts_and_comments_are_text_as_it_is_written() {
    let source =
        "<script>a('&amp;<a href=x>')</script><!-- <a href=y>&amp; --><style>&amp;</style><title>&amp;</title>";
    let pieces = pieces(Format::Html, source.as_bytes());
    let all: String = pieces.iter().map(text).collect();
    assert_eq!(all, source.replace("<title>&amp;", "<title>&"));
    assert!(pieces.iter().all(|piece| !piece.is_link()));
}

#[test]
fn code_is_no_link_but_links_in_it_are() {
    let source = "a<code>b<code>c</code></code>d<pre>e<a href=f>g</a></pre>h";
    let roles: Vec<_> =
        pieces(Format::Html, source.as_bytes()).iter().map(|piece| (piece.role(), text(piece))).collect();
    let expected = [
        (Role::Text, "a<code>"),
        (Role::Code, "b<code>c</code>"),
        (Role::Text, "</code>d<pre>"),
        (Role::Code, "e<a href="),
        (Role::Link, "f"),
        (Role::Code, ">g</a>"),
        (Role::Text, "</pre>h"),
    ];
    assert_eq!(roles, expected.map(|(role, text)| (role, text.to_owned())));
}

#[test]
fn links_of_markdown_are_found_where_they_are_written() {
    for (source, text, written) in [
        ("[a](b)", "b", "b"),
        ("![a](b \"title (x)\")", "b", "b"),
        ("[a]( <b c> 'd')", "b c", "b c"),
        ("[a](b(c)d)", "b(c)d", "b(c)d"),
        ("[a](b\\)c\\d)", "b)c\\d", "b\\)c\\d"),
        ("[a](b&amp;c&copy=1)", "b&c&copy=1", "b&amp;c&copy=1"),
        ("[a](\n  b\n)", "b", "b"),
        ("[x](y)[`](`](b)", "y", "y"),
        ("<http://host.dom/>", "http://host.dom/", "http://host.dom/"),
        ("<jim@host.dom>", "mailto:jim@host.dom", "jim@host.dom"),
        ("[a]\n\n[a]: b 'c'\n", "b", "b"),
        ("[a]\n\n[a]:\n   <b>\n", "b", "b"),
        ("- > [a]: b\n", "b", "b"),
        ("x <a href='b&amp;c'>y</a>", "b&c", "b&amp;c"),
        ("<div>\n<img\n src=b>\n</div>\n", "b", "b"),
        ("| a |\n|---|\n| [b](c) |\n", "c", "c"),
        ("[a][]\n\n[A]: b\n", "b", "b"),
    ] {
        assert_eq!(links(Format::Markdown, source).first(), Some(&pair(text, written)), "{source}");
    }
}

#[test]
fn addresses_and_sites_without_a_scheme_are_links_where_github_makes_them_links() {
    let source = "---\nauthor: joe@a.dom\n---\nMail joe\\_b@b.dom, _jim@c.dom_ or www.d.dom/a_b?c=1&amp;d.\n\n| www.e.dom |\n|---|\n| a@f.dom |\n\n\
        And <!-- x@g.dom --> <b title='x@h.dom'>i@i.dom</b>\n\n`x@j.dom` [x@k.dom](l) [x@m.dom]\n\n[x@m.dom]: n\n\n<p>x@o.dom www.p.dom</p>\n";
    let expected = [
        pair("mailto:joe_b@b.dom", "joe\\_b@b.dom"),
        pair("mailto:jim@c.dom", "jim@c.dom"),
        pair("mailto:a@f.dom", "a@f.dom"),
        pair("mailto:i@i.dom", "i@i.dom"),
        pair("l", "l"),
        // GitHub knows that it is defined.
        pair("mailto:x@m.dom", "x@m.dom"),
        pair("n", "n"),
    ];
    assert_eq!(links(Format::Markdown, source), expected);
    assert_eq!(targets(Format::Html, source), [""; 0]);
    // A site is text that begins with the scheme that is meant, and ends where URLs in texts do.
    let pieces = pieces(Format::Markdown, source.as_bytes());
    let sites: Vec<_> = pieces.iter().filter(|piece| piece.text().starts_with(b"http://www.")).collect();
    let [site, other] = sites.as_slice() else { panic!("{} sites", sites.len()) };
    assert!(text(site).starts_with("http://www.d.dom/a_b?c=1&d.\n") && text(other).starts_with("http://www.e.dom |"));
    let at = source.find("www.d").unwrap();
    assert_eq!([0, 6, 7, 8].map(|octet| site.source(octet) - at), [0, 0, 0, 1]);
    assert_eq!(site.source(text(site).find("d.\n").unwrap()), source.find("d.\n").unwrap());
}

#[test]
fn an_image_in_a_link_is_a_link_before_it() {
    assert_eq!(targets(Format::Markdown, "[![a](b)](c) [d](e)"), ["b", "c", "e"]);
    assert_eq!(targets(Format::Markdown, "[`](x)` *y*](c)"), ["c"]);
}

#[test]
fn blanks_before_a_line_make_no_code_in_mdx() {
    let source = "<Tab>\n\n    [a](b) `c`\n\n```\nd\n```\n</Tab>\n\n[e](f)\n";
    assert_eq!(
        (targets(Format::Mdx, source), code(Format::Mdx, source)),
        (vec!["f".to_owned()], "```\nd\n```".to_owned())
    );
    assert_eq!(code(Format::Markdown, source), "[a](b) `c`\n```\nd\n```");
    // Also where it goes on for longer than a part.
    let long = "    [a](b)\n".repeat(MOST_MARKS);
    assert_eq!((code(Format::Mdx, &long).len(), code(Format::Markdown, &long).len()), (0, long.len() - 4));
}

#[test]
fn text_is_read_as_its_notation_has_it() {
    for (format, source, text) in [
        (Format::Roff, ".TH a 1\nhttp://a\\-b.dom/\n", ".TH a 1\nhttp://a-b.dom/\n"),
        (Format::Gettext, "\"http://a.dom/\"\n\"b\"\n", "\"http://a.dom/b\"\n"),
        (Format::Org, "=http://a.dom/=", "=|http://a.dom/|="),
        (Format::AsciiDoc, "+http://a.dom/+", "+|http://a.dom/|+"),
    ] {
        let pieces = pieces(format, source.as_bytes());
        let texts: Vec<_> = pieces.iter().map(|piece| String::from_utf8_lossy(piece.text())).collect();
        assert_eq!(texts.join("|"), text, "{format:?}");
        assert!(pieces.iter().all(|piece| piece.role() == Role::Text) && !format.has_links());
        assert_eq!(pieces.last().unwrap().span().end, source.len());
    }
    let page = &pieces(Format::Roff, b".TH a 1\nhttp://a\\-b.dom/")[0];
    assert_eq!([page.source(16), page.source(17), page.source(18)], [16, 18, 19]);
    assert_eq!(page.written("http://c-d.dom/"), "http://c\\-d.dom/");
}

#[test]
fn code_of_markdown_is_no_link() {
    for source in ["`[a](b)`", "```\n[a](b)\n[c]: d\n```\n", "    [a](b)\n", "`<a href=x>`", "\\[a](b)", "\\<a href=x>"]
    {
        assert_eq!(targets(Format::Markdown, source), [""; 0], "{source}");
    }
    let roles: Vec<_> = pieces(Format::Markdown, b"a `b` c\n\n```\nd\n```\ne")
        .iter()
        .map(|piece| (piece.role(), text(piece)))
        .collect();
    let expected = [
        (Role::Text, "a "),
        (Role::Code, "`b`"),
        (Role::Text, " c\n\n"),
        (Role::Code, "```\nd\n```"),
        (Role::Text, "\ne"),
    ];
    assert_eq!(roles, expected.map(|(role, text)| (role, text.to_owned())));
}

#[test]
fn the_body_of_an_admonition_or_a_tab_is_no_code() {
    let source = "!!! note \"A title\"\n\n    See [a](b).\n\n    - c [d](e)\n\n        [f](g) &amp;\n\n    ```\n    [h](i)\n    ```\n\n\
        ??? tip\n    [j](k)\n\n        [l](m)\n\n=== \"A tab\"\n\n    !!! note\n\n        [n](o)\n\nText\n\n    [p](q)\n";
    assert_eq!(links(Format::Markdown, source), ["b", "e", "g", "k", "o"].map(|target| pair(target, target)));
    let code: String = code(Format::Markdown, source);
    assert_eq!(code, "```\n    [h](i)\n    ```[l](m)\n[p](q)\n");
    // Its lines stay what they are.
    let all: String = pieces(Format::Markdown, source.as_bytes()).iter().map(text).collect();
    assert_eq!(all, source.replace("&amp;", "&"));
}

#[test]
fn front_matter_is_text_as_it_is_written() {
    let source = "---\nname: <a:b>\nx: \"[y](no.md) &amp; `c`\"\n---\n[y](yes.md) `c`\n";
    assert_eq!(links(Format::Markdown, source), [pair("yes.md", "yes.md")]);
    let pieces = pieces(Format::Markdown, source.as_bytes());
    assert!(text(&pieces[0]).starts_with("---\nname: <a:b>\nx: \"[y](no.md) &amp; `c`\"\n---\n"), "{pieces:?}");
    assert_eq!(pieces.iter().filter(|piece| piece.role() == Role::Code).count(), 1);
    // What defines a link there defines none.
    assert_eq!(targets(Format::Markdown, "---\na: b\n[x]: y.md\n---\n[x]\n"), [] as [&str; 0]);
}

#[test]
fn text_is_one_piece_and_so_is_markdown_that_is_not_utf_8() {
    for (format, source) in [(Format::Text, b"<a href=b>&amp;".as_slice()), (Format::Markdown, b"[a](b)\xFF")] {
        let pieces = pieces(format, source);
        assert_eq!((pieces.len(), pieces[0].text(), pieces[0].role()), (1, source, Role::Text));
    }
}

#[test]
fn debug_shows_no_text() {
    let pieces = pieces(Format::Html, b"<a href=ftp://jim:s3cret@h/>");
    assert!(!format!("{pieces:?}").contains("s3cret"));
}

/// Pieces of documents, which are put together at random.
const PARTS: &[&str] = &[
    "<a href=",
    "<a href=\"",
    "'",
    "\"",
    ">",
    "<",
    "</a>",
    "<code>",
    "</code>",
    "<pre>",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "&amp;",
    "&#64;",
    "&copy",
    "&nGt;",
    ";",
    "http://h/",
    "[a](",
    "[",
    "]",
    "](",
    ")",
    "(",
    "`",
    "```\n",
    "\n",
    "    ",
    "\\",
    "<b c>",
    "[a]: ",
    "![",
    " ",
    "\r\n",
    "\0",
    "\u{e9}",
    "x",
    "<img srcset='",
    ",",
    " 1x",
    "<base href=b>",
    "*",
    "# ",
    "<textarea>",
    "<meta http-equiv=refresh content='1;url=",
    "|",
    "> ",
    "- ",
    "\u{feff}",
    "www.h.dom",
    "a@h.dom",
    "joe_b@h.dom ",
    ".TH a 1\n",
    "\\-",
    "\"\n\"",
    "=",
    "+",
];

fn document() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PARTS), 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_cover_the_document_in_order(source in document()) {
        for format in Format::ALL.iter().copied() {
            let mut end = 0;
            for piece in pieces(format, source.as_bytes()) {
                prop_assert!(piece.span().start >= end, "{:?} {:?}", format, source);
                let before = &source.as_bytes()[end..piece.span().start];
                prop_assert!(before.is_empty(), "{:?} {:?}: {:?}", format, source, before);
                end = piece.span().end;
                let mut last = piece.span().start;
                for at in 0..=piece.text().len() {
                    let place = piece.source(at);
                    prop_assert!(place >= last && place <= end, "{:?} {:?}", format, source);
                    last = place;
                }
                prop_assert_eq!(last, end);
            }
            prop_assert_eq!(end, source.len());
        }
    }
}

/// Documents of more marks than a part has, by what is repeated in them.
fn long(unit: &str) -> String {
    unit.repeat(3 * MOST_MARKS / unit.bytes().filter(u8::is_ascii_punctuation).count())
}

#[test]
fn long_markdown_has_the_links_of_short_markdown() {
    let ends = "\n\n[d]: http://d.e/\n";
    for unit in [
        "# a [b](c)\n",
        "- [b](c)\n  - [b](c)\n",
        "[b](c)\n\n",
        "***\n[b](c)\n\n",
        "a <b@c.d>\n\n```\n[b](c)\n```\n",
        "<div>[b](c)\n<a href=d>\n\n",
    ] {
        let (one, source) = (targets(Format::Markdown, unit), long(unit) + ends);
        let all = targets(Format::Markdown, &source);
        assert_eq!(all.len(), one.len() * source.matches(unit).count() + 1, "{unit:?}");
        assert_eq!(all.last().unwrap(), "http://d.e/", "{unit:?}");
        assert!(all[..all.len() - 1].chunks_exact(one.len()).all(|some| some == one), "{unit:?}");
    }
}

#[test]
fn blocks_go_on_in_the_next_part() {
    let table = format!("|a|\n|-|\n{}\n[b](c)\n", long("|[b](c)|`[b](c)`|\n"));
    assert_eq!(targets(Format::Markdown, &table).len(), table.matches("|[b](c)|").count() + 1);
    for (start, end) in [("```\n", "```\n"), ("<pre>\n", "</pre>\n"), ("<!--\n", "-->\n"), ("    ", "a\n\n")] {
        let unit = if start.trim().is_empty() { "[b](c)\n    " } else { "[b](c)\n\n# [b](c)\n" };
        let source = format!("{start}{}{end}\n[d](e)\n", long(unit));
        assert_eq!(targets(Format::Markdown, &source), ["e"], "{start:?}");
    }
}

#[test]
fn what_another_part_defines_is_defined() {
    let inside = long("# a\n");
    let outer = |ends: &str| targets(Format::Markdown, &format!("[a [b] c](d)\n\n[e [^f] g](h)\n\n{inside}{ends}"));
    assert_eq!(outer(""), ["d", "h"]);
    // Links do not contain links: the outer one does not count.
    assert_eq!(outer("\n[B]: i\n"), ["h", "i"]);
    // Nor is one with a footnote.
    assert_eq!(outer("\n[^f]: j\n"), ["d"]);
    // Of equal definitions the first counts.
    assert_eq!(targets(Format::Markdown, &format!("[b]: c\n\n{inside}\n[B]: d\n")), ["c"]);
}

#[test]
fn what_is_too_long_for_a_part_is_not_read() {
    for unit in ["[a](b) ", "> a\n", "- > "] {
        let before = "[c](d)\n\n";
        let source = format!("{before}{}", long(unit));
        let pieces = pieces(Format::Markdown, source.as_bytes());
        let [.., link, _, rest] = pieces.as_slice() else { panic!("{unit:?} has {} pieces", pieces.len()) };
        assert_eq!(
            (link.text(), rest.role(), rest.text()),
            (&b"d"[..], Role::Unread, long(unit).as_bytes()),
            "{unit:?}"
        );
    }
}

#[test]
fn a_base_counts_wherever_it_is_and_only_as_a_tag() {
    let base = |format, source: &'static [u8]| urlwise_links::base(format, source).map(|base| base.text().to_vec());
    assert_eq!(base(Format::Html, b"<a href=b><BaSe href=c><base href=d>"), Some(b"c".to_vec()));
    assert_eq!(base(Format::Html, b"<!--<base href=c>--><basefont href=d>"), None);
    assert_eq!(base(Format::Markdown, b"[a](b)\n\n<base href=c>\n"), Some(b"c".to_vec()));
    assert_eq!(base(Format::Markdown, b"`<base href=c>`\n"), None);
}

#[test]
fn nothing_is_read_that_is_not_asked_for() {
    for (format, source) in [(Format::Html, "<a href=b><a href=c>"), (Format::Markdown, "[a](b) [a](c)\n")] {
        let mut links = Vec::new();
        let is_all = each_piece(format, source.as_bytes(), |piece| {
            links.extend(piece.is_link().then(|| piece.text().to_vec()));
            links.is_empty()
        });
        assert_eq!((is_all, links), (false, vec![b"b".to_vec()]), "{format:?}");
    }
}

#[test]
fn tags_that_touch_are_one_piece() {
    for (source, expected) in [
        ("a <b><i>c</i></b> d", vec!["a ", "<b><i>", "c", "</i></b>", " d"]),
        ("a <b> <i>c", vec!["a ", "<b>", " ", "<i>", "c"]),
        ("a <b><i x='&lt;'>c", vec!["a ", "<b><i x='<'>", "c"]),
        ("a <b>[c](d)<i>e", vec!["a ", "<b>", "[c](", "d", ")", "<i>", "e"]),
    ] {
        let pieces = pieces(Format::Markdown, source.as_bytes());
        let texts: Vec<_> = pieces.iter().map(|piece| String::from_utf8_lossy(piece.text())).collect();
        assert_eq!(texts, expected, "{source}");
    }
}
