//! `find` and `check` in HTML, Markdown and texts in other codings, and what `check` leaves alone in texts.

#![allow(clippy::unwrap_used, reason = "a tree that cannot be made must stop the test")]

mod support;

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;
use support::{Ran, Tree};

/// The lines without the folder of the tree, sorted.
fn lines(tree: &Tree, run: &Ran) -> Vec<String> {
    let here = format!("file://{}", tree.path("").display());
    let mut lines: Vec<_> = run.stdout.lines().map(|line| line.replace(&here, "file:///HERE/")).collect();
    lines.sort_unstable();
    lines
}

/// What was found: `code at text in source`.
fn codes(run: &Ran) -> Vec<String> {
    run.json().iter().map(|object| object["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn links_of_documents_are_found_by_the_name_of_the_file() {
    let html = "<a href=\"http://host.dom/?a&amp;b\">x</a>\n<p>mailto:jim&#64;host.dom <img src=i.png>\n";
    let tree = Tree::new("documents-names")
        .with("a.html", html)
        .with("b.md", "[x](../c.md#y) <jim@host.dom>\n\n[r]: http://host.dom/\\_r\n")
        .with("c.txt", html);
    let run = tree.run(&["find", "--sort", "path", "."]);
    assert_eq!(
        lines(&tree, &run),
        [
            "a.html:1:10: http://host.dom/?a&b",
            "a.html:2:37: file:///HERE/i.png",
            "a.html:2:4: mailto:jim@host.dom",
            "b.md:1:17: mailto:jim@host.dom",
            &format!("b.md:1:5: file://{}/c.md#y", std::env::temp_dir().display()),
            "b.md:3:6: http://host.dom/_r",
            "c.txt:1:10: http://host.dom/?a&amp;b",
        ]
    );
}

#[test]
fn the_format_can_be_named_and_standard_input_is_text_without_it() {
    let tree = Tree::new("documents-as").with("page", "<a href='http://host.dom/?a&amp;b'>");
    let found = |arguments: &[&str]| tree.run(&[&["find", "-u"], arguments].concat()).stdout;
    assert_eq!(found(&["page"]), "http://host.dom/?a&amp;b\n");
    assert_eq!(found(&["--as", "html", "page"]), "http://host.dom/?a&b\n");
    let fed = |format: &[&str]| tree.feed(&[&["find", "-u"], format, &["-"]].concat(), "[a](ftp://h.dom/&amp;)").stdout;
    assert_eq!(fed(&[]), "ftp://h.dom/&amp\n");
    assert_eq!(fed(&["--as", "markdown"]), "ftp://h.dom/&\n");
    // Nothing says where it is.
    assert_eq!(tree.feed(&["find", "--as", "html", "-"], "<a href=x>").status, 1);
}

#[test]
fn texts_of_other_notations_have_urls_as_they_are_meant() {
    let tree = Tree::new("documents-notations")
        .with("a.1", ".TH a 1\nhttp://a\\-b.dom/\\:c\\&.\n")
        .with("b.1", "http://a\\-b.dom/\n")
        .with("c.adoc", "+http://c.dom/+\n")
        .with("d.mdx", "<Tab>\n\n    [d](http://d.dom/)\n\n</Tab>\n")
        .with("e.org", "=http://e.dom/= ~http://f.dom/~\n")
        .with("g.po", "msgid \"\"\n\"see http://g.dom/a\"\n\"b:99999 and http://h.dom:99999/c\"\n\"d\"\n");
    let run = tree.run(&["find", "--sort", "path", "."]);
    assert_eq!(
        run.stdout,
        "a.1:2:1: http://a-b.dom/c\nb.1:1:1: http://a\nc.adoc:1:2: http://c.dom/\nd.mdx:3:9: http://d.dom/\ne.org:1:2: http://e.dom/\n\
         e.org:1:18: http://f.dom/\ng.po:2:6: http://g.dom/ab:99999\ng.po:3:14: http://h.dom:99999/cd\n"
    );
    // A place in such a URL is that of the file, and MDX has no code that is left out.
    let run = tree.run(&["check", "--json", "g.po", "--select", "port-range"]);
    assert_eq!((run.json()[0]["line"].as_u64(), run.json()[0]["column"].as_u64()), (Some(3), Some(27)));
    assert_eq!(tree.run(&["check", "d.mdx"]).stderr, "urlwise: nothing to report in 1 URL of 1 file\n");
    for (format, found) in [("roff", "http://a-b\n"), ("text", "http://a\n")] {
        assert_eq!(tree.feed(&["find", "-u", "--as", format, "-"], ".\\\" a\nhttp://a\\-b\n").stdout, found);
    }
}

#[test]
fn json_has_the_place_of_a_link_and_how_it_is_written() {
    let source = "\u{e9}\n <a href=\"a&amp;b.html#c\">";
    let tree = Tree::new("documents-json").with("a.html", source);
    let object = tree.run(&["find", "--json", "a.html"]).json().remove(0);
    let start = source.find("a&amp").unwrap();
    assert_eq!(object["span"], serde_json::json!([start, start + "a&amp;b.html#c".len()]));
    assert_eq!((&object["line"], &object["column"]), (&2.into(), &11.into()));
    assert_eq!((&object["form"], &object["target"]), (&"link".into(), &"a&b.html#c".into()));
    assert_eq!(object["url"], format!("file://{}", tree.path("a&b.html").display()));
    assert_eq!((&object["fragment"], &object["valid"]), (&"c".into(), &true.into()));
    let text = tree.feed(&["find", "--json", "-"], "http://host.dom/").json().remove(0);
    assert_eq!(text.get("target"), None);
}

#[test]
fn relative_links_are_resolved_against_their_file_the_root_folder_or_a_url() {
    let links = "<a href=x.html><a href=/y><a href=../z><a href='#f'><a href='//other.dom/'><a href='?q'>";
    let tree = Tree::new("documents-base").with("site/sub/a.html", links);
    let found = |options: &[&str]| lines(&tree, &tree.run(&[&["find", "site"], options].concat()));
    let urls = |options: &[&str]| -> Vec<String> {
        let mut urls: Vec<_> = found(options).iter().map(|line| line.split_once(": ").unwrap().1.to_owned()).collect();
        urls.sort_unstable();
        urls
    };
    let own = "file:///HERE/site/sub/a.html";
    // A file has no search.
    assert_eq!(urls(&[]), [own, &format!("{own}#f"), "file:///HERE/site/sub/x.html", "file:///HERE/site/z"]);
    assert!(urls(&["--root-dir", "site"]).contains(&"file:///HERE/site/y".into()));
    let base = ["--root-dir", "site", "--base-url", "https://www.host.dom/docs"];
    assert_eq!(
        urls(&base),
        [
            "https://other.dom/",
            "https://www.host.dom/docs/sub/a.html#f",
            "https://www.host.dom/docs/sub/a.html?q",
            "https://www.host.dom/docs/sub/x.html",
            "https://www.host.dom/docs/z",
            "https://www.host.dom/y",
        ]
    );
    for base in ["mailto:a@host.dom", "nonsense", "http://a b/"] {
        let run = tree.run(&["find", "--base-url", base, "site"]);
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains("--base-url: `"), "{}", run.stderr);
    }
}

#[test]
fn the_base_of_a_document_counts_for_links_but_not_for_its_own_fragments() {
    let tree = Tree::new("documents-html-base")
        .with("a.html", "<a href=x><base href='http://host.dom/d/'><base href=no/><a href=/y><a href='#z'>")
        .with("b.html", "<base href=sub/><a href=x>");
    assert_eq!(
        lines(&tree, &tree.run(&["find", "a.html"])),
        [
            "a.html:1:23: http://host.dom/d/",
            "a.html:1:54: http://host.dom/d/no/",
            "a.html:1:66: http://host.dom/y",
            "a.html:1:78: file:///HERE/a.html#z",
            "a.html:1:9: http://host.dom/d/x",
        ]
    );
    assert!(lines(&tree, &tree.run(&["find", "b.html"])).contains(&"b.html:1:25: file:///HERE/sub/x".into()));
}

#[test]
fn a_base_that_is_too_long_resolves_nothing() {
    // With scheme, host and slashes, the base is 17 octets longer.
    let page = |length: usize| format!("<base href='http://host.dom/{}/'><a href=x><a href='#z'>", "b".repeat(length));
    let tree = Tree::new("documents-long-base").with("most.html", page(2048 - 17)).with("more.html", page(2048 - 16));
    let urls = |name: &str| tree.run(&["find", "-u", name]).stdout.lines().count();
    assert_eq!((urls("most.html"), urls("more.html")), (3, 2));
}

#[test]
fn endings_and_indexes_are_added_where_a_file_has_them() {
    let tree = Tree::new("documents-endings")
        .with("a.md", "[p](page) [f](folder#x) [g](folder/) [h](gone) [m](a.md)\n")
        .with("page.html", "")
        .with("folder/README.md", "");
    let options = ["--fallback-extensions", "md,html", "--index-files", "index.html,README.md"];
    let run = tree.run(&[&["find", "a.md"][..], &options].concat());
    let urls: Vec<_> = run.stdout.lines().map(|line| line.rsplit('/').next().unwrap().to_owned()).collect();
    assert_eq!(urls, ["page.html", "README.md#x", "README.md", "gone", "a.md"]);
    let plain = tree.run(&["find", "a.md"]).stdout;
    assert!(plain.contains("/page\n") && plain.contains("/folder/\n"), "{plain}");
}

#[test]
fn code_is_searched_unless_it_is_left_out() {
    let tree = Tree::new("documents-code")
        .with("a.md", "`http://span.dom/` http://text.dom/\n\n```\nhttp://block.dom/\n```\n")
        .with("b.html", "<pre>http://pre.dom/ <a href=http://link.dom/>x</a></pre>");
    let found = |options: &[&str]| tree.run(&[&["find", "-u", "a.md", "b.html"], options].concat()).stdout;
    assert_eq!(
        found(&[]),
        "http://block.dom/\nhttp://link.dom/\nhttp://pre.dom/\nhttp://span.dom/\nhttp://text.dom/\n"
    );
    assert_eq!(found(&["--no-code"]), "http://link.dom/\nhttp://text.dom/\n");
}

#[test]
fn code_is_checked_only_if_asked_for() {
    let tree = Tree::new("documents-check-code")
        .with("a.md", "`http://host.dom/?[span]`\n\n    http://host.dom/?[block]\n")
        .with("b.html", "<samp>http://host.dom/?[samp]</samp> <pre><a href='http://host.dom/?[link]'></pre>");
    let urls = |run: &Ran| {
        let mut urls: Vec<_> = run.json().iter().map(|object| object["url"].as_str().unwrap().to_owned()).collect();
        urls.sort_unstable();
        urls
    };
    assert_eq!(urls(&tree.run(&["check", "--json", "."])), ["http://host.dom/?[link]"]);
    assert_eq!(
        urls(&tree.run(&["check", "--json", "--code", "."])),
        ["[block]", "[link]", "[samp]", "[span]"].map(|end| format!("http://host.dom/?{end}"))
    );
}

#[test]
fn doctests_of_structured_text_are_code() {
    let text = "http://host.dom/?[a\n\n  >>> open('http://host.dom/?[b')\n  http://host.dom/?[c\n \nhttp://host.dom/?[d\n\n\n\
                >>> http://host.dom/?[e\n\n> http://host.dom/?[f\n >>> http://host.dom/?[g";
    let tree = Tree::new("documents-doctest").with("a.rst", text).with("a.txt", text);
    let ends = |arguments: &[&str]| {
        let run = tree.run(arguments);
        run.json().iter().map(|object| object["url"].as_str().unwrap()[18..].to_owned()).collect::<String>()
    };
    assert_eq!(ends(&["check", "--json", "a.rst"]), "adfg");
    assert_eq!(ends(&["check", "--json", "--code", "a.rst"]), "abcdefg");
    assert_eq!(ends(&["check", "--json", "--as", "text", "a.rst"]), "abcdefg");
    assert_eq!(ends(&["check", "--json", "a.txt"]), "abcdefg");
    assert_eq!(ends(&["find", "--json", "a.rst"]), "abcdefg");
    assert_eq!(ends(&["find", "--json", "--no-code", "a.rst"]), "adfg");
    std::fs::write(tree.path("a.rst.gz"), gzip(text)).unwrap();
    assert_eq!(ends(&["check", "--json", "-z", "a.rst.gz"]), "adfg");
}

#[test]
fn a_hash_or_another_script_in_a_fragment_is_reported_in_texts_only_if_selected() {
    let text = "https://matrix.dom/#/#room:host.dom https://matrix.dom/#/#r\u{f6}[om#\n";
    let tree =
        Tree::new("documents-hash").with("a.txt", text).with("a.md", "[room](https://matrix.dom/#/#room:host.dom)\n");
    let spans = |options: &[&str]| {
        let run = tree.run(&[&["check", "--json", "--sort", "path", "."], options].concat());
        run.json().iter().map(|object| (object["column"].clone(), object["spans"].to_string())).collect::<Vec<_>>()
    };
    assert_eq!(spans(&[]), [(62.into(), "[[25,26]]".to_owned())]);
    let selected = [(29, "[[21,22]]"), (22, "[[21,22]]"), (58, "[[21,22]]")];
    let selected = selected.map(|(column, spans)| (column.into(), spans.to_owned()));
    assert_eq!(spans(&["--select", "bnf-char"]), selected);
    assert_eq!(spans(&["--select", "all", "--ignore", "scheme-sibling"]), selected);
    let strict = tree.feed(&["check", "--json", "--profile", "rfc1738", "--text", "-"], "http://h.dom/#/#room");
    assert_eq!(codes(&strict), ["bnf-char"]);
    let tree = Tree::new("documents-script").with(
        "a.html",
        "<a href='#\u{5c5e}\u{6027}'><a href='http://www.host.dom/#\u{5c5e}'><a href='#a\u{202e}b'><a href='/\u{e9}'>",
    );
    let run = tree.run(&["check", "--json", "--root-dir", ".", "a.html"]);
    let urls: Vec<_> = run
        .json()
        .iter()
        .map(|object| object["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned())
        .collect();
    assert_eq!(urls, ["#a\\u{202e}b", "\u{e9}"]);
}

#[test]
fn links_with_schemes_that_no_url_is_found_by_are_left_alone() {
    let tree = Tree::new("documents-schemes")
        .with("a.html", "<a href='javascript:a()'><img src='data:image/png;base64,AAAA'><a href='c:x'><a href=\"\">");
    assert_eq!(tree.run(&["find", "a.html"]).status, 1);
}

#[test]
fn markdown_is_read_as_text_from_where_it_is_too_entangled_with_a_warning() {
    let paragraph = |stars: usize| format!("[a](b.md)\n\n{}\n\n[c](http://host.dom/?a&amp;b)\n", "*".repeat(stars));
    let tree = Tree::new("documents-entangled").with("most.md", paragraph(65_000)).with("more.md", paragraph(70_000));
    let run = tree.run(&["find", "most.md"]);
    assert_eq!((run.stdout.lines().count(), run.stderr.as_str()), (2, ""));
    assert!(run.stdout.ends_with("most.md:5:5: http://host.dom/?a&b\n"), "{}", run.stdout);
    let warning = "urlwise: more.md: read as text from line 3 on: what begins there has more than 65536 marks\n";
    for command in [&["find", "more.md"][..], &["check", "more.md"]] {
        let run = tree.run(command);
        assert_eq!(run.stderr.matches(warning).count(), 1, "{command:?}: {}", run.stderr);
    }
    let run = tree.run(&["find", "more.md"]);
    assert!(run.stdout.ends_with("more.md:5:5: http://host.dom/?a&amp;b\n"), "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 2, "the link before is found: {}", run.stdout);
}

#[test]
fn a_document_that_is_too_long_is_read_as_text_with_a_warning() {
    let start = "<a href='http://host.dom/?a&amp;b'><a href=x>\n";
    let line = " words of a long document\n";
    let tree = Tree::new("documents-long")
        .with("long.html", format!("{start}{}", line.repeat((17 << 20) / line.len())))
        .with("short.html", format!("{start}{}", line.repeat((2 << 20) / line.len())));
    let run = tree.run(&["find", "-u", "long.html"]);
    assert_eq!(run.stdout, "http://host.dom/?a&amp;b\n");
    assert_eq!(run.stderr, "urlwise: long.html: longer than 16 MiB, so read as text\n");
    let run = tree.run(&["find", "short.html"]);
    assert_eq!((run.stdout.lines().count(), run.stderr.as_str()), (2, ""));
}

#[test]
fn check_reports_links_where_they_are_written() {
    let source = "<a href=\"http://host.dom/&amp;[x]\">\n<a href=\"a b.html\"><a href='mailto:a&#64;&#64;host.dom'>\n";
    let tree = Tree::new("documents-check").with("a.html", source);
    let found: Vec<_> = tree.run(&["check", "--json", "a.html"]).json();
    let place = |object: &Value| {
        let number = |name: &str| object[name].as_u64().unwrap() as usize;
        (object["code"].as_str().unwrap().to_owned(), number("line"), number("column"))
    };
    let column = |line: usize, text: &str| source.lines().nth(line - 1).unwrap().find(text).unwrap() + 1;
    assert_eq!(
        found.iter().map(place).collect::<Vec<_>>(),
        [
            ("bnf-char".into(), 1, column(1, "[x]")),
            ("bnf-char".into(), 2, column(2, " b.html")),
            ("mailto-addrspec".into(), 2, column(2, "&#64;host")),
        ]
    );
}

#[test]
fn relative_links_have_errors_alone_and_are_counted() {
    let tree = Tree::new("documents-relative").with("a.html", "<a href='b?c'><a href='..//d'><a href='con'>\n");
    let run = tree.run(&["check", "a.html"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
    assert_eq!(run.stderr, "urlwise: nothing to report in 3 URLs of 1 file\n");
}

#[test]
fn fix_changes_what_check_reports_and_nothing_else_of_documents() {
    let html = "<a href=\"http://host.dom/?a&amp;[x]&amp;b c\">http://host.dom/?[t]</a> <a href='a b.html'>\n\
                <code>http://host.dom/?[c]</code> <a href='http://host.dom/?&#91;y]'>\n";
    let markdown =
        "[l](<http://host.dom/?a[b] c>) `http://host.dom/?[c]`\n\n    http://host.dom/?[b]\n\nhttp://host.dom/?[t]\n";
    let tree = |name| Tree::new(name).with("a.html", html).with("b.md", markdown);
    let fixed = |tree: &Tree, options: &[&str]| {
        let run = tree.run(&[&["check", "--fix", "--sort", "path", "."], options].concat());
        let [html, markdown] = ["a.html", "b.md"].map(|name| std::fs::read_to_string(tree.path(name)).unwrap());
        (run.stderr.lines().filter(|line| line.contains(": rewritten: ")).count(), html, markdown)
    };
    let left_out = tree("documents-fix");
    let html = html.replace("[x]", "%5Bx%5D").replace("b c", "b%20c").replace("[t]", "%5Bt%5D");
    let markdown = markdown.replace("a[b] c", "a%5Bb%5D%20c").replace("[t]", "%5Bt%5D");
    assert_eq!(fixed(&left_out, &[]), (4, html.clone(), markdown.clone()));
    // What is left is a relative link, and one whose octets are not in the file.
    assert_eq!(codes(&left_out.run(&["check", "--json", "."])), ["bnf-char"; 2]);
    assert_eq!(
        fixed(&left_out, &["--code"]),
        (3, html.replace("[c]", "%5Bc%5D"), { markdown.replace("[c]", "%5Bc%5D").replace("[b]", "%5Bb%5D") })
    );
    // A document that is read as text has no code and no links.
    assert_eq!(fixed(&tree("documents-fix-text"), &["--as", "text"]).0, 7);
}

#[test]
fn fix_leaves_placeholders_alone_but_in_lists() {
    let text = "ftp://\u{e9}@www.example.com/ ftp://\u{e9}@www.host.dom/ http://www.example.com/?[x]\n";
    let tree = Tree::new("placeholder-fix").with("a.txt", text).with("list", text.replace(' ', "\n"));
    let run = tree.run(&["check", "--fix", "--file", "list", "a.txt"]);
    let read = |name| std::fs::read_to_string(tree.path(name)).unwrap();
    assert_eq!(
        read("a.txt"),
        "ftp://\u{e9}@www.example.com/ ftp://%C3%A9@www.host.dom/ http://www.example.com/?%5Bx%5D\n"
    );
    assert_eq!(
        read("list"),
        "ftp://%C3%A9@www.example.com/\nftp://%C3%A9@www.host.dom/\nhttp://www.example.com/?%5Bx%5D\n"
    );
    assert_eq!(run.status, 0, "{}", run.stdout);
}

#[test]
fn utf_16_is_found_by_its_mark() {
    let text = "\u{feff}\u{e9} http://host.dom/x \u{1F600}\n<URL:ftp://host.dom/>\n";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let tree = Tree::new("documents-utf16").with("le", &little).with("be", big).with("unmarked", &little[2..]);
    assert_eq!(
        lines(&tree, &tree.run(&["find", "--sort", "path", "."])),
        [
            "be:1:7: http://host.dom/x",
            "be:2:6: ftp://host.dom/",
            "le:1:7: http://host.dom/x",
            "le:2:6: ftp://host.dom/"
        ]
    );
}

/// A text, compressed.
fn gzip(text: &str) -> Vec<u8> {
    let mut program = Command::new("gzip").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    program.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    program.wait_with_output().unwrap().stdout
}

#[test]
fn compressed_files_are_searched_if_asked_for() {
    let long = "http://host.dom/long of many words\n".repeat(60_000);
    let tree = Tree::new("documents-gzip")
        .with("a.gz", [gzip("http://host.dom/a\n"), gzip("http://host.dom/second\n")].concat())
        .with("b.md.gz", gzip("[b](http://host.dom/\\_b)"))
        .with("long", gzip(&long))
        .with("twice.gz", gzip(&String::from_utf8_lossy(&gzip("http://host.dom/twice"))))
        .with("cut.gz", &gzip(&long)[..60]);
    assert_eq!(tree.run(&["find", "-u", "."]).stdout, "");
    let run = tree.run(&["find", "-z", "-u", "-c", "a.gz", "b.md.gz", "long", "twice.gz"]);
    assert_eq!(
        run.stdout,
        "1 http://host.dom/_b\n1 http://host.dom/a\n60000 http://host.dom/long\n1 http://host.dom/second\n"
    );
    let run = tree.run(&["find", "-z", "cut.gz"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.starts_with("urlwise: cannot read cut.gz: "), "{}", run.stderr);
}

#[test]
fn sarif_has_no_octets_and_no_fixes_of_a_text_that_is_stored_in_another_coding() {
    let utf_16 = |text: &str| format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let text = "<http://host.dom/\u{e9}> [x](gone.md)\n<!-- urlwise: ignore[port-foreign] -->\n";
    let tree = Tree::new("documents-coded").with("p.md", text).with("u.md", utf_16(text)).with("z.md.gz", gzip(text));
    for (options, results, fixes) in [(&["--sort", "path"][..], 2, 1), (&["--open", "--offline"], 3, 1)] {
        let run = tree.run(&[&["check", "-z", "--format", "sarif", "."], options].concat());
        let log: Value = serde_json::from_str(&run.stdout).unwrap();
        let found = log["runs"][0]["results"].as_array().unwrap();
        for (file, is_plain) in [("p.md", true), ("u.md", false), ("z.md.gz", false)] {
            let places = found.iter().map(|result| (result, &result["locations"][0]["physicalLocation"]));
            let of_file: Vec<_> = places.filter(|(_, place)| place["artifactLocation"]["uri"] == file).collect();
            assert_eq!(of_file.len(), results, "{file}: {}", run.stdout);
            for (_, place) in &of_file {
                let region = &place["region"];
                assert_eq!(
                    (region["byteOffset"].is_u64(), region["byteLength"].is_u64()),
                    (is_plain, is_plain),
                    "{file}"
                );
                assert!(region["startLine"].is_u64() && region["startColumn"].is_u64(), "{file}");
            }
            let with_fixes = of_file.iter().filter(|(result, _)| result["fixes"].is_array()).count();
            assert_eq!(with_fixes, if is_plain { fixes } else { 0 }, "{file}");
        }
    }
}

#[test]
fn what_is_true_of_good_links_is_reported_in_texts_only_if_selected() {
    let text = "http://localhost:8080/ http://www.host.dom:8080/ https://www.host.dom/\n";
    let tree = Tree::new("quiet").with("a.txt", text);
    let check = |options: &[&str]| codes(&tree.run(&[&["check", "--json", "a.txt"], options].concat()));
    assert_eq!(check(&[]), [""; 0]);
    assert!(!check(&["--notes"]).contains(&"scheme-sibling".to_owned()));
    assert_eq!(check(&["--select", "host-local,E-01"]), ["host-local", "port-nondefault"]);
    assert_eq!(check(&["--select", "scheme-sibling"]), ["scheme-sibling"]);
    assert!(check(&["--select", "all"]).contains(&"port-nondefault".to_owned()));
    let list = |options: &[&str]| codes(&tree.feed(&[&["check", "--json"], options].concat(), text.replace(' ', "\n")));
    assert_eq!(list(&[]), ["host-local", "port-nondefault"]);
    assert!(!list(&["--notes"]).contains(&"scheme-sibling".to_owned()));
    let settings = tree.with("urlwise.toml", "[severity]\nport-nondefault = \"error\"\n");
    assert_eq!(codes(&settings.run(&["check", "--json", "a.txt"])), ["port-nondefault"; 2]);
}

#[test]
fn placeholders_in_texts_are_not_judged() {
    for url in [
        "http://HOST:PORT/",
        "http://user:secret@host/",
        "http://www.example.com:25/",
        "http://your-host.dom:25/",
        "http://jim:password@www.host.dom/",
        "http://jim:PASSWORD@www.host.dom/",
        "http://192.0.2.1:25/",
        "http://[2001:db8::1]:25/",
        "ftp://server:25/",
        "http://$HOST.dom:25/",
        "http://www.host.dom:port/",
        "http://www.host.invalid:25/",
        "http://www.host.invalid.:25/",
        "https://*.host.dom/",
        "http://jim@host.xz/",
        "MAILTO:jim@www.example.com",
    ] {
        let tree = Tree::new("placeholder");
        assert_eq!(codes(&tree.feed(&["check", "--json", "--text", "-"], format!("see {url} now"))), [""; 0], "{url}");
        assert_ne!(tree.feed(&["check", "--json", "--select", "all"], format!("{url}\n")).stdout, "", "{url}");
    }
    for (url, code) in [
        ("http://www.host.dom:25/", "port-foreign"),
        ("http://jim:secret@www.host.dom/", "secret-password"),
        ("http://jim:secret@www.host.dom:/", "secret-password"),
        ("http://www.example.com/?[a", "bnf-char"),
        ("http://www.host.dom:8o/", "port-char"),
        ("http://hosts:25/", "port-foreign"),
        ("http://examples.dom:25/", "port-foreign"),
        ("http://192.0.20.1:25/", "port-foreign"),
        ("http://host.xy:25/", "port-foreign"),
        ("MAILTO:jim@www.host.dom", "scheme-case"),
        ("MAILTO:host@www.host.dom", "scheme-case"),
    ] {
        let tree = Tree::new("no-placeholder");
        assert_eq!(codes(&tree.feed(&["check", "--json", "--text", "-"], format!("see {url} now"))), [code], "{url}");
    }
}

#[test]
fn a_login_with_a_password_is_one_finding() {
    let tree = Tree::new("login");
    assert_eq!(codes(&tree.run(&["check", "--json", "http://jim:secret@www.host.dom/"])), ["secret-password"]);
    assert_eq!(codes(&tree.run(&["check", "--json", "http://jim@www.host.dom/"])), ["http-userinfo"]);
    assert_eq!(
        codes(&tree.run(&["check", "--json", "--ignore", "secret-password", "http://jim:secret@www.host.dom/"])),
        ["http-userinfo"]
    );
}

#[test]
fn a_relative_link_is_reported_as_it_is_written() {
    let tree = Tree::new("documents-written")
        .with("d/a.md", "[x](<a b.md>) [y](<../d/c d.md>)\n")
        .with("e.html", "<a href='x\u{fc}y#a b'>\n");
    let run = tree.run(&["check", "--sort", "path", "."]);
    for drawn in [" | a b.md\n |  ^\n", " | ../d/c d.md\n |       ^\n", " | x\u{fc}y#a b\n |  ^\n"] {
        assert!(run.stdout.contains(drawn), "{drawn} in {}", run.stdout);
    }
    assert!(!run.stdout.contains("file:"), "a place of this machine: {}", run.stdout);
    let objects = tree.run(&["check", "--json", "d/a.md"]).json();
    let told = objects.iter().map(|object| (&object["url"], &object["span"], &object["column"], &object["repaired"]));
    let expected = [("a b.md", [1, 2], 7), ("../d/c d.md", [6, 7], 20)];
    let expected = expected.map(|(url, span, column)| (Value::from(url), serde_json::json!(span), Value::from(column)));
    assert!(told.eq(expected.iter().map(|(url, span, column)| (url, span, column, &Value::Null))), "{objects:?}");
}

#[test]
fn a_link_that_a_template_fills_in_is_left_alone() {
    let links = [
        "http://h.dom/{{ a }}",
        "{{ url }}",
        "{% url 'x' %}",
        "<%= path %>",
        "http://h.dom/<?php echo 1 ?>",
        "${base}/x",
        "{path}/y",
    ];
    let html: String = links.iter().map(|link| format!("<a href=\"{link}\">x</a>\n")).collect();
    let tree = Tree::new("documents-templates").with("a.html", &html);
    for arguments in [&["check"][..], &["check", "--diff"], &["find"], &["check", "--open", "--offline"]] {
        let run = tree.run(&[arguments, &["a.html"]].concat());
        assert_eq!(run.stdout, "", "{arguments:?}: {}", run.stderr);
        assert_eq!(run.status, i32::from(arguments[0] == "find"), "{arguments:?}");
    }
    let skipped = tree.run(&["check", "--open", "--offline", "--json", "--select", "all", "a.html"]).json();
    let causes: Vec<_> = skipped.iter().filter_map(|object| object["cause"].as_str()).collect();
    assert_eq!(causes, ["template"; 7]);
    let broken = tree.feed(
        &["check", "--json", "--as", "html", "--text", "-"],
        "<a href='http://h.dom/{a}'><a href='http://h.dom/$a b'>",
    );
    assert_eq!(codes(&broken), ["bnf-char", "bnf-char"]);
}

#[test]
fn conversions_of_printf_are_no_broken_escapes_in_texts() {
    let tree = Tree::new("documents-printf");
    let codes_of = |text: &str| codes(&tree.feed(&["check", "--json", "--text", "-"], text));
    for text in
        ["http://h.dom/%s", "'http://h.dom/%d/%1$s?a=%v'", "\"http://h.dom/%(name)s\"", "http://h.dom/%s/%i/%u/%@"]
    {
        assert_eq!(codes_of(text), [] as [&str; 0], "{text}");
    }
    for text in [
        "http://h.dom/%sure",
        "http://h.dom/%s/%zz",
        "http://h.dom/%",
        "http://h.dom/%1",
        "http://h.dom/%s1",
        "http://h.dom/%(a",
    ] {
        assert_eq!(codes_of(text), ["bnf-escape"], "{text}");
    }
    // Lists are judged in full.
    assert_eq!(codes(&tree.feed(&["check", "--json", "-f", "-"], "http://h.dom/%s\n")), ["bnf-escape"]);
}
