//! Fragments, by what GitHub makes of headings and browsers find in HTML.

use urlwise_links::{Format, Fragments};

#[track_caller]
fn markdown(source: &str, has: &[&str], lacks: &[&str]) {
    check(Format::Markdown, source, has, lacks);
}

#[track_caller]
fn check(format: Format, source: &str, has: &[&str], lacks: &[&str]) {
    let fragments = Fragments::of(format, source.as_bytes());
    for fragment in has {
        assert!(fragments.contains(fragment), "{fragment} in {source:?}");
    }
    for fragment in lacks {
        assert!(!fragments.contains(fragment), "{fragment} not in {source:?}");
    }
}

#[test]
fn headings_become_slugs_by_the_rule_of_github() {
    for (heading, slug) in [
        ("# Hello World", "hello-world"),
        ("## What's new?", "whats-new"),
        ("### a_b c-d", "a_b-c-d"),
        ("# C++ & Rust", "c--rust"),
        ("# `code` and *em*", "code-and-em"),
        ("# [link](http://host.dom/) text", "link-text"),
        ("# 1.2.3", "123"),
        ("# Äpfel & Öl", "äpfel--öl"),
        ("# 日本語", "日本語"),
        ("# 🎉 Party", "-party"),
        ("# a  b", "a--b"),
        ("# --option", "--option"),
        ("Setext\n===", "setext"),
        ("Two\nlines\n---", "two-lines"),
        ("# x &amp; y", "x--y"),
        ("# closed #", "closed"),
        ("# <b>bold</b> x", "bold-x"),
        ("# <a name=n></a> Named", "-named"),
        ("# <img src=logo.png> Logo", "-logo"),
        ("# ![alt](logo.png) Logo", "-logo"),
        ("# &#x20;a&#x20;", "-a-"),
        ("# a &lt;T&gt; b", "a-t-b"),
        ("# `Vec<T>`", "vect"),
        ("# \\*a\\*", "a"),
        ("# __init__.py", "initpy"),
        ("# `__init__`", "__init__"),
        ("# snake_case()", "snake_case"),
        ("# a/b.c:d;e,f", "abcdef"),
        ("# $x + @y = 50%", "x--y--50"),
        ("# “Quoted” ‘words’", "quoted-words"),
        ("# It’s", "its"),
        ("# en–dash, em—dash", "endash-emdash"),
        ("# ½ x² №1", "-x-1"),
        ("# Ⅳ", "ⅳ"),
        ("# ͟a‿b＿c", "͟a‿b＿c"),
        ("# :rocket: Launch", "rocket-launch"),
        ("# :ok_hand::hatched_chick: Two", "ok_handhatched_chick-two"),
        ("# 🚀🚀 Launch", "-launch"),
        ("# ⚙️ Settings", "️-settings"),
        ("# 1️⃣ First", "1️⃣-first"),
        ("# ПРИВЕТ, мир", "привет-мир"),
        ("# हिन्दी भाषा", "हिन्दी-भाषा"),
        ("# العربية، مرحبا", "العربية-مرحبا"),
        ("# 한국어 (안내)", "한국어-안내"),
        ("# 「日本語」の 説明。", "日本語の-説明"),
        ("# e\u{301}tude", "e\u{301}tude"),
        ("# STRASSE Straße", "strasse-straße"),
        ("# a\u{a0}b\u{2003}c", "abc"),
        ("#\ttab\tbetween", "tabbetween"),
    ] {
        markdown(heading, &[slug], &["no"]);
    }
}

#[test]
fn the_description_of_an_image_is_not_part_of_a_heading() {
    markdown("## ![icon](i.png) Features", &["-features"], &["icon-features"]);
    markdown("## [![a *b* `c` <i id=d>](i.png)](l) E ![f][g]\n\n[g]: h", &["-e-"], &["a-b-c--e-f", "d"]);
}

#[test]
fn repeated_headings_are_numbered_and_numbers_that_are_taken_are_left_out() {
    markdown("# a\n# a\n# a", &["a", "a-1", "a-2"], &["a-3", "a-0"]);
    markdown("# a\n# a-1\n# a", &["a", "a-1", "a-2"], &["a-3", "a-1-1"]);
    markdown("# a-1\n# a\n# a", &["a-1", "a", "a-2"], &["a-3"]);
    markdown("# e\n# e\n# e 1\n# e-1\n# e", &["e", "e-1", "e-1-1", "e-1-2", "e-2"], &["e-3", "e-1-3", "e-2-1"]);
    markdown("# -\n# !\n# ?", &["-", "-1"], &["--1", "-2", "-1-1"]);
}

#[test]
fn markdown_has_the_names_of_its_html_and_ignores_case_and_the_prefix() {
    let source = "<a name=\"one\"></a>\n\n# Two\n\nx <span id=three>y</span>\n\n```\n# four\n<a id=five>\n```\n";
    let has = ["one", "Two", "two", "three", "user-content-two", "TWO", "user-content-one", "USER-CONTENT-TWO"];
    markdown(
        source,
        &has,
        &["four", "five", "x", "user-content-four", "user-content-user-content-two", "user-content"],
    );
}

#[test]
fn names_in_braces_count_where_other_readers_of_markdown_take_them() {
    markdown("## Set up {#setup}", &["setup", "set-up-setup"], &["set-up"]);
    markdown("## Set up { #set_Up .wide }\n", &["set_Up"], &["wide", "set_up", "set"]);
    markdown(
        "## A {:#one} ##\n\nText\n{: .c #two }\n\n[](){ #three }\n\nB {#four}\n===",
        &["one", "two", "three", "four"],
        &["c"],
    );
    // No name, so that of the text counts.
    markdown(
        "## Wide {.wide}\n## More { data-x=\"a b\" }\n## Bare {-}",
        &["wide", "more", "bare", "wide-wide"],
        &["a"],
    );
    markdown("## A {b}\n## C {}\n## D .e}", &["a-b", "c-", "d-e"], &["a", "c", "b", "d"]);
    let no = ["a", "b", "each", "h", "d", "e", "f", "g", "i"];
    markdown("`{#a}` {\\#b} {{#each d}} {# e} {f} {#g\n} h} {#\n\n```\n{#i}\n```\n", &[], &no);
    markdown(&format!("{{#{0}}} {{#{0}a}}", "x".repeat(254)), &[&"x".repeat(254)], &[&format!("{}a", "x".repeat(254))]);
}

#[test]
fn headings_in_html_are_headings_of_markdown() {
    let source = "<h1 align=center>My <b>Tool</b> &amp; more</h1>\n<H3>Same</H3>\n\n# Same\n\ntext <h2>in line</h2>";
    markdown(source, &["my-tool--more", "same", "same-1", "in-line"], &["my", "text", "text-in-line", "same-2"]);
    markdown("<h2>\n  <img alt=x>\n  Two words\n</h2>\n", &["two-words", "----two-words"], &["two-words-1", "x"]);
    markdown("<h2>\n\nMark *up* `c`\n\n</h2>\n\nafter", &["mark-up-c"], &["after", "mark-up-cafter"]);
    markdown("<h2>a<!-- b -->c<script>d</script></h2><h7>e</h7><h2>f", &["ac"], &["abc", "acd", "e", "f"]);
    markdown("<h3 name=one>x</h3><input name=two>", &["one", "two", "x"], &[]);
    check(Format::Html, "<h2>Two</h2>", &[], &["two"]);
}

#[test]
fn front_matter_has_no_headings() {
    markdown("---\ntitle: x\n# no\n---\n# yes\n", &["yes"], &["no", "title-x-no"]);
    markdown("---\n\n# yes\n\n---\n", &["yes"], &[]);
}

#[test]
fn html_has_ids_and_names_of_anchors_with_their_case() {
    let source = "<h1 id=One>x</h1><a name='t&#119;o'></a><input name=three><!-- <a id=four> --><p id='a b'>";
    check(Format::Html, source, &["One", "two", "a%20b"], &["one", "three", "four", "user-content-One"]);
}

#[test]
fn every_document_has_a_top_and_text_fragments_are_left_alone() {
    for format in [Format::Text, Format::Html, Format::Markdown] {
        check(format, "", &["", "top", "TOP", ":~:text=x"], &["x", "x:~:text=y", "%", "%zz"]);
    }
}

#[test]
fn html_may_have_a_prefix_that_its_script_adds() {
    // A heading as GitHub writes it.
    let source = "<h2>Quick Start</h2><a id=\"user-content-quick-start\" class=\"anchor\" href=\"#quick-start\"></a>";
    check(
        Format::Html,
        source,
        &["quick-start", "user-content-quick-start", "Quick-Start", "quick%2Dstart"],
        &["quick", "start", "USER-CONTENT-quick-start", "user-content-user-content-quick-start"],
    );
}

#[test]
fn what_scripts_read_is_not_judged_unlike_what_looks_like_it() {
    let html = "<div id=app></div><a id=20 href=#20>20</a><a id=30 href=#30>30</a>";
    let routes = ["/room/1", "!/room/1", "/", "!", "%2Froom", "!x"];
    check(Format::Html, html, &routes, &["room/1", "x!", "-/room"]);
    check(Format::Markdown, "# A", &[], &routes);
    let lines = ["L20", "L20-L30", "L20-30", "L20C5-L22C8", "L1C2"];
    let no_lines = ["L", "L20x", "l20", "20", "LC20", "L20-", "L20-x", "L-20", "L20-L30-L40", "LL20", "L2\u{663}"];
    check(Format::Markdown, "# A", &lines, &no_lines);
    check(Format::Html, "", &lines, &no_lines);
    // A range, as rustdoc writes it: both lines must be there.
    check(Format::Html, html, &["20", "20-30", "30-20"], &["20-31", "19-30", "20-", "-30", "20-30-20", "app-20"]);
}
