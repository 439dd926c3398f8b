//! `check --open --fix`: links that moved permanently are rewritten in place.

use std::net::TcpStream;
use std::process::Output;

use serde_json::{Value, json};

use crate::links::{answer, found, open, verdicts};
use crate::support::*;

/// A server whose `/old...` has moved permanently to `/new...`, and others in other ways.
fn moving() -> Server {
    Server::new(|_, head, stream| {
        let path = path(head);
        let to = |stream: &mut TcpStream, status: &str, url: &str| {
            answer(stream, status, &format!("Location: {url}\r\n"));
        };
        match path {
            "/odd" => to(stream, "301 Moved Permanently", "/new?a=1&b='(2)"),
            "/table" => to(stream, "301 Moved Permanently", "/new?a|b"),
            "/entity" => to(stream, "308 Permanent Redirect", "/new?a=1&copy;=2"),
            "/chain" => to(stream, "301 Moved Permanently", "/old"),
            "/mixed" => to(stream, "301 Moved Permanently", "/other"),
            "/other" => to(stream, "302 Found", "/new"),
            "/late" => to(stream, "302 Found", "/old"),
            "/gone" => to(stream, "301 Moved Permanently", "/missing"),
            "/missing" => answer(stream, "404 Not Found", ""),
            "/page" => to(stream, "301 Moved Permanently", "/paper"),
            "/named" => to(stream, "301 Moved Permanently", "/paper#here"),
            "/renamed" => to(stream, "301 Moved Permanently", "/named"),
            "/misnamed" => to(stream, "301 Moved Permanently", "/paper#gone"),
            "/unnamed" => to(stream, "301 Moved Permanently", "/paper#"),
            "/now" => to(stream, "302 Found", "/paper#here"),
            "/paper" => {
                let page = "<p id=here>";
                let head =
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 11\r\nConnection: close\r\n\r\n";
                let _ = std::io::Write::write_all(stream, format!("{head}{page}").as_bytes());
            }
            path if path.starts_with("/docs/old") => to(stream, "301 Moved Permanently", &path.replace("old", "new")),
            path if path.starts_with("/old") => to(stream, "301 Moved Permanently", &path.replace("/old", "/new")),
            _ => answer(stream, "200 OK", ""),
        }
    })
}

/// Rewrites a file, checks that a second run changes nothing, and returns what it contains and the first run.
#[track_caller]
fn fixed(name: &str, text: &str, arguments: &[&str]) -> (String, Output) {
    let folder = Folder::new();
    folder.file(name, text);
    let output = open(&folder, &[&["--fix", name], arguments].concat());
    let content = self::text(&folder.read(name));
    let again = open(&folder, &[&["--fix", name], arguments].concat());
    assert_eq!(self::text(&folder.read(name)), content);
    assert!(self::text(&again.stderr).contains("rewrote 0 URLs in 0 files"), "{again:?}");
    assert_eq!(folder.names(), [name], "nothing is left beside the file");
    (content, output)
}

#[test]
fn links_of_all_kinds_are_rewritten_and_everything_else_stays() {
    let server = moving();
    let root = server.url("");
    let before = format!(
        "\u{feff}# T\u{ef}tle\r\n[a]({root}/old/a_\\*b \"old\") <{root}/old/b>\t![c](<{root}/old/c> 't')\r\n\r\n\
         Text {root}/old/d, and ({root}/old/e). `{root}/old/code` [f]\r\n\r\n[f]: {root}/old/f#frag\r\n\
         <a href=\"{root}/old?x=1&amp;y=2#z&amp;\">g</a> {root}/fine"
    );
    let (after, output) = fixed("a.md", &before, &[]);
    let expected = before
        .replace(&format!("{root}/old/a_\\*b"), &format!("{root}/new/a_*b"))
        .replace("/old", "/new")
        .replace("/new/code", "/old/code");
    assert_eq!(after, expected);
    assert_eq!(code(&output), 0, "{output:?}");
    assert!(text(&output.stderr).contains("rewrote 7 URLs in 1 file"), "{output:?}");
    assert!(!text(&output.stdout).contains("moved"), "nothing is left: {output:?}");
}

#[test]
fn a_new_url_is_written_as_its_document_needs_it() {
    let server = moving();
    let root = server.url("");
    for (name, before, after) in [
        ("a.html", format!("<a href='{root}/odd'>"), format!("<a href='{root}/new?a=1&amp;b=&#39;(2)'>")),
        ("b.html", format!("<a href={root}/odd>"), format!("<a href={root}/new?a=1&amp;b=&#39;(2)>")),
        ("c.html", format!("<img srcset='{root}/old 2x, y 1x'>"), format!("<img srcset='{root}/new 2x, y 1x'>")),
        ("a.md", format!("[a]({root}/odd)"), format!("[a]({root}/new?a=1&b='(2))")),
        ("b.md", format!("[a](<{root}/odd>)"), format!("[a](<{root}/new?a=1&b='(2)>)")),
        ("c.md", format!("[a]({root}/entity)"), format!("[a]({root}/new?a=1&amp;copy;=2)")),
        ("d.md", format!("<{root}/entity>"), format!("<{root}/new?a=1&amp;copy;=2>")),
    ] {
        let (written, output) = fixed(name, &before, &["--root-dir", "."]);
        assert_eq!(written, after, "{output:?}");
    }
}

#[test]
fn the_url_of_a_refresh_is_not_rewritten_where_browsers_would_cut_it() {
    let server = moving();
    let refresh = |url: &str| format!("<meta http-equiv=refresh content=\"0;url='{url}'\">");
    let before = refresh(&server.url("/odd"));
    let (after, output) = fixed("a.html", &before, &[]);
    assert_eq!(after, before);
    let why = "not rewritten: the new URL has a quotation mark, at which the link would end";
    assert!(text(&output.stderr).contains(why), "{output:?}");
    assert_eq!(fixed("a.html", &refresh(&server.url("/old")), &[]).0, refresh(&server.url("/new")));
    let open = before.replace('\'', "");
    assert_eq!(fixed("a.html", &open, &[]).0, open.replace("/odd", "/new?a=1&amp;b=&#39;(2)"));
}

#[test]
fn among_words_no_character_is_written_that_a_program_could_read() {
    let server = moving();
    for name in ["a.txt", "a.md", "a.html"] {
        let before = format!("x = '{}'\n", server.url("/odd"));
        let (after, output) = fixed(name, &before, &[]);
        assert_eq!(after, before);
        let why = "a.html:1:6: not rewritten: the new URL has characters that may mean something else in a text";
        assert!(text(&output.stderr).contains(&why.replace("a.html", name)), "{output:?}");
        assert!(text(&output.stdout).contains("moved permanently to"), "it is still reported: {output:?}");
        assert_eq!(fixed(name, &before.replace("odd", "old"), &[]).0, before.replace("odd", "new"));
    }
}

#[test]
fn only_permanent_redirects_all_along_the_chain_count() {
    let server = moving();
    let root = server.url("");
    let before = format!("<{root}/chain> <{root}/mixed> <{root}/late> <{root}/gone> <{root}/fine>\n");
    let (after, output) = fixed("a.md", &before, &[]);
    assert_eq!(after, before.replace("/chain", "/new"));
    assert_eq!(code(&output), 1, "one is dead: {output:?}");
}

#[test]
fn a_fragment_is_kept_where_the_document_has_it() {
    let server = moving();
    let before = format!("<{0}#here> <{0}#gone> <{0}#:~:text=x>\n", server.url("/page"));
    let (after, output) = fixed("a.md", &before, &["--json"]);
    assert_eq!(after, before.replace("/page#here", "/paper#here").replace("/page#:", "/paper#:"));
    let lines: Vec<Value> = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (page, paper) = (server.url("/page"), server.url("/paper"));
    assert_eq!(lines[0], json!({ "path": "a.md", "line": 1, "column": 2, "was": page, "now": paper, "written": true }));
    assert_eq!((&lines[2]["verdict"], &lines[2]["column"]), (&"alive".into(), &2.into()));
    assert_eq!((&lines[3]["verdict"], &lines[3]["cause"]), (&"dead".into(), &"no-fragment".into()));
    // Where the link stands now.
    assert_eq!(lines[3]["column"], after.find(&format!("{page}#gone")).unwrap() + 1);
}

#[test]
fn a_fragment_that_a_redirect_names_takes_the_place_of_that_of_the_link() {
    let server = moving();
    let root = server.url("");
    let link = |path: &str| format!("[x]({root}{path})\n");
    let paths =
        ["/named", "/named#gone", "/named#here", "/renamed#x", "/unnamed#x", "/unnamed", "/misnamed#here", "/misnamed"];
    let new =
        ["/paper#here", "/paper#here", "/paper#here", "/paper#here", "/paper", "/paper", "/misnamed#here", "/misnamed"];
    let texts = [paths, new].map(|paths| paths.map(link).concat());
    let (after, output) = fixed("a.md", &texts[0], &[]);
    assert_eq!(after, texts[1]);
    assert_eq!(code(&output), 0, "{output:?}");
    let why = "not rewritten: the server names a fragment that the document does not have";
    assert_eq!(text(&output.stderr).matches(why).count(), 2, "{output:?}");
    // As documents write it, in relative links, and in lists; among words a `#` may mean something.
    let html = format!("<a href='{root}/named?#x&amp;y'> <a href='{root}/named#x&amp;y'>");
    assert_eq!(fixed("a.html", &html, &[]).0, html.replace("/named#x&amp;y", "/paper#here"));
    let arguments = ["--base-url", &root];
    assert_eq!(fixed("b.md", "[x](/named#a) [y](named)\n", &arguments).0, "[x](/paper#here) [y](paper#here)\n");
    let words = format!("see {root}/named and {root}/named#x\n");
    assert_eq!(fixed("a.txt", &words, &[]).0, words.replace("/named#x", "/paper#here"));
    let folder = Folder::new();
    folder.file("urls", format!("{root}/named#x\n{root}/named\n"));
    open(&folder, &["--fix", "-f", "urls"]);
    assert_eq!(text(&folder.read("urls")), format!("{root}/paper#here\n{root}/paper#here\n"));
}

#[test]
fn the_fragment_of_a_link_is_not_judged_where_a_redirect_names_another_one() {
    let (folder, server) = (Folder::new(), moving());
    folder.file(
        "a.md",
        format!("<{0}/named#gone> <{0}/now#gone> <{0}/now> <{0}/misnamed#x> <{0}/page#gone>\n", server.url("")),
    );
    let objects = verdicts(&open(&folder, &["--json", "a.md"]));
    for (path, verdict, fragment) in [
        ("/named#gone", "moved", Some("here")),
        ("/now#gone", "alive", Some("here")),
        ("/now", "alive", Some("here")),
        ("/misnamed#x", "moved", Some("gone")),
        ("/page#gone", "dead", None),
    ] {
        let target = server.url(path);
        assert_eq!(found(&objects, &target).0, verdict, "{path}");
        assert_eq!(objects[&target]["final_fragment"].as_str(), fragment, "{path}");
        assert_eq!(objects[&target]["final_url"], server.url("/paper"), "{path}");
    }
    let shown = text(&open(&folder, &["a.md"]).stdout);
    assert!(shown.contains(&format!("moved permanently to {}#here\n", server.url("/paper"))), "{shown}");
}

#[test]
fn another_host_has_to_be_asked_for() {
    let there = moving();
    let here = {
        let url = there.url("/x").replace("127.0.0.1", "localhost");
        Server::new(move |_, _, stream| {
            answer(stream, "301 Moved Permanently", &format!("Location: {url}\r\n"));
        })
    };
    let before = format!("<{}>\n", here.url("/a"));
    let (after, output) = fixed("a.md", &before, &[]);
    assert_eq!(after, before);
    let why = "a.md:1:2: not rewritten: it moved to another host; see `--fix-moved`";
    assert!(text(&output.stderr).contains(why), "{output:?}");
    let (after, _) = fixed("a.md", &before, &["--fix-moved"]);
    assert_eq!(after, format!("<{}>\n", there.url("/x").replace("127.0.0.1", "localhost")));
    let folder = Folder::new();
    let alone = open(&folder, &["--fix-moved", "."]);
    assert_eq!(code(&alone), 2);
    assert!(text(&alone.stderr).contains("--fix-moved: add `--fix`"), "{alone:?}");
}

#[test]
fn a_login_is_neither_written_nor_lost() {
    let server = moving();
    let secret = server.url("/old").replace("//", "//joe:hunter2@");
    let here = {
        let url = server.url("/fine").replace("//", "//joe:hunter2@");
        Server::new(move |_, _, stream| answer(stream, "301 Moved Permanently", &format!("Location: {url}\r\n")))
    };
    let before = format!("<{secret}> <{}>\n", here.url("/a"));
    let (after, output) = fixed("a.md", &before, &["--http-userinfo", "--fix-moved"]);
    assert_eq!(after, before.replace(&here.url("/a"), &server.url("/fine")), "that of a redirect is dropped");
    for stream in [&output.stderr, &output.stdout] {
        assert!(!text(stream).contains("hunter2"), "{output:?}");
    }
    assert!(text(&output.stderr).contains("a.md:1:2: not rewritten: one of the URLs has a login"), "{output:?}");
}

#[test]
fn a_relative_link_stays_relative() {
    let server = moving();
    let base = server.url("/docs/");
    let before = "[a](old/a.html#x) [b](/docs/old/b) [c](/old/c) [d](./sub/../old.md) <a href='../odd'>e</a>\n";
    let (after, output) = fixed("a.md", before, &["--base-url", &base]);
    let expected =
        "[a](new/a.html#x) [b](/docs/new/b) [c](/new/c) [d](new.md) <a href='../new?a=1&amp;b=&#39;(2)'>e</a>\n";
    assert_eq!(after, expected, "{output:?}");
    let (after, _) = fixed("a.html", "<base href=/old/><a href=a>", &["--base-url", &base]);
    assert_eq!(after, "<base href=/old/><a href=../new/a>", "a base is not a link, and it counts");
}

#[test]
fn a_link_to_another_server_does_not_become_a_relative_one() {
    let there = moving();
    let here = {
        let url = there.url("/x");
        Server::new(move |_, _, stream| answer(stream, "301 Moved Permanently", &format!("Location: {url}\r\n")))
    };
    let (after, output) = fixed("a.md", "[a](a)\n", &["--base-url", &here.url("/")]);
    assert_eq!(after, "[a](a)\n");
    let why = "not rewritten: a relative link cannot name the new URL; see `--base-url`";
    assert!(text(&output.stderr).contains(why), "{output:?}");
}

#[test]
fn broken_urls_are_repaired_in_the_same_pass() {
    let server = moving();
    let root = server.url("");
    let before = format!("[a](<{root}/old/a b>) [b](<{root}/fine/a b>) {root}/fine?c[d] {root}/old/e\n");
    let (after, output) = fixed("a.md", &before, &[]);
    assert_eq!(
        after,
        format!("[a](<{root}/new/a%20b>) [b](<{root}/fine/a%20b>) {root}/fine?c%5Bd%5D {root}/new/e\n"),
        "{output:?}"
    );
    assert_eq!((code(&output), text(&output.stdout).as_str()), (0, ""), "{output:?}");
}

#[test]
fn a_diff_shows_it_and_changes_nothing() {
    let (folder, server) = (Folder::new(), moving());
    let before = format!("1\n<{}>\n3\n", server.url("/old"));
    folder.file("a.md", &before);
    let output = open(&folder, &["--diff", "a.md"]);
    let (old, new) = (server.url("/old"), server.url("/new"));
    assert_eq!(text(&output.stdout), format!("--- a/a.md\n+++ b/a.md\n@@ -1,3 +1,3 @@\n 1\n-<{old}>\n+<{new}>\n 3\n"));
    assert_eq!((code(&output), text(&output.stderr).as_str()), (1, "urlwise: would rewrite 1 URL in 1 file\n"));
    assert_eq!(text(&folder.read("a.md")), before);
    folder.file("a.md", "no link\n");
    assert_eq!(code(&open(&folder, &["--diff", "a.md"])), 0);
}

#[test]
fn what_is_ignored_excluded_or_not_of_a_change_is_left() {
    let (folder, server) = (Folder::new(), moving());
    let old = server.url("/old");
    let before = format!("<{old}> <!-- urlwise: ignore[link-moved] -->\n<{old}/x>\n\n<{old}/y> {old}/z?a[b]\n");
    let run = |arguments: &[&str]| {
        folder.file("a.md", &before);
        let output = open(&folder, &[&["--fix", "a.md"], arguments].concat());
        (text(&folder.read("a.md")), output)
    };
    assert_eq!(run(&["--ignore", "link-moved,bnf-char"]).0, before);
    let rest = |from: &str, to: &str| before.replace(from, to);
    assert_eq!(run(&["--exclude", "*"]).0, rest("?a[b]", "?a%5Bb%5D"));
    let diff = "--- a/a.md\n+++ b/a.md\n@@ -1,1 +1,2 @@\n <x>\n+<y>\n";
    folder.file("diff", diff);
    assert_eq!(run(&["--changed", "diff"]).0, rest("/old/x", "/new/x"));
    let (after, output) = run(&[]);
    let expected = rest("/old/x", "/new/x").replace("/old/y", "/new/y").replace("/old/z?a[b]", "/new/z?a%5Bb%5D");
    assert_eq!(after, expected);
    assert_eq!(code(&output), 0, "{output:?}");
    assert!(!text(&output.stdout).contains("suppression-unused"), "{output:?}");
}

#[test]
fn a_list_is_rewritten_line_by_line_and_nothing_beside_it() {
    let (folder, server) = (Folder::new(), moving());
    let (old, new) = (server.url("/old"), server.url("/new"));
    folder.file("list", format!("{old}#x\r\n\n{old}/[b]\n{}\n{old}", server.url("/fine")));
    folder.file("other.md", format!("<{old}>"));
    let output = open(&folder, &["--fix", "-f", "list"]);
    assert_eq!(
        text(&folder.read("list")),
        format!("{new}#x\r\n\n{new}/%5Bb%5D\n{}\n{new}", server.url("/fine")),
        "{output:?}"
    );
    assert_eq!(text(&folder.read("other.md")), format!("<{old}>"));
}

#[test]
fn a_cache_does_not_say_what_is_written() {
    let (folder, server) = (Folder::new(), moving());
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let (fine, forged) = (server.url("/fine"), server.url("/forged"));
    folder.file("cache", format!("urlwise-cache 1\n{now}\tmoved\t301\t{fine}\t{forged}\t\n"));
    folder.file("a.md", format!("<{fine}>\n"));
    let plain = open(&folder, &["--json", "--cache=cache", "a.md"]);
    assert_eq!(found(&verdicts(&plain), &fine).0, "moved");
    let output = open(&folder, &["--fix", "--cache=cache", "a.md"]);
    assert_eq!((code(&output), text(&folder.read("a.md"))), (0, format!("<{fine}>\n")), "{output:?}");
}

#[test]
fn what_is_not_a_file_cannot_be_rewritten() {
    let folder = Folder::new();
    let server = moving();
    for arguments in [&["--fix", "-"][..], &["--fix", &server.url("/old")]] {
        let output = open(&folder, arguments);
        assert_eq!(code(&output), 2, "{output:?}");
        assert!(text(&output.stderr).contains("rewrit"), "{output:?}");
    }
    assert_eq!(server.requests().len(), 0, "it is said before anything is opened");
}
