//! `check --open` for continuous integration: formats, changes, exclusions, the cache.

use std::fs;

use serde_json::Value;

use crate::links::{answer, found, open, verdicts};
use crate::support::*;

#[test]
fn junit_and_markdown_name_place_rule_and_message() {
    let folder = Folder::new();
    folder.file("a.md", "[x|y](gone.md) [<&>](<a&b.md>)\n<javascript:go>\n");
    let junit = open(&folder, &["--format", "junit", "--notes", "a.md"]);
    assert_eq!(code(&junit), 1);
    let junit = text(&junit.stdout);
    assert!(
        junit.starts_with(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"urlwise check\">\n"
        )
    );
    assert!(junit.ends_with("</testsuite>\n</testsuites>\n"));
    let case = "<testcase classname=\"a.md\" name=\"1:7 gone.md\" file=\"a.md\" line=\"1\"><failure type=\"link-dead\" \
                message=\"there is no such file; correct the link, or remove it\"/></testcase>";
    assert!(junit.contains(case), "{junit}");
    assert!(junit.contains("name=\"1:23 a&amp;b.md\""), "{junit}");
    assert!(junit.contains("<skipped message=\"link-skipped: nothing here opens this scheme"), "{junit}");
    let markdown = text(&open(&folder, &["--format", "markdown", "a.md"]).stdout);
    let row =
        "| a\\.md\\:1\\:7 | error | link-dead | gone\\.md | there is no such file\\; correct the link, or remove it |";
    assert!(markdown.contains(row), "{markdown}");
    assert!(markdown.contains("\n- 3 links in 1 file\\: 2 dead, 1 skipped\n"), "{markdown}");
}

#[test]
fn the_formats_are_those_of_check_too() {
    let folder = Folder::new();
    folder.file("a.txt", "http://h.dom:25/\n");
    let junit = folder.urlwise(["check", "--format", "junit", "a.txt"]);
    assert_eq!(code(&junit), 1);
    assert!(text(&junit.stdout).contains("<failure type=\"port-foreign\""), "{junit:?}");
    let markdown = folder.urlwise(["check", "--format", "markdown", "a.txt"]);
    assert!(text(&markdown.stdout).contains("| error | port-foreign | http\\://h\\.dom\\:25/ |"), "{markdown:?}");
}

#[test]
fn only_lines_that_a_diff_adds_are_opened() {
    let folder = Folder::new();
    folder.file("a.md", "[1](one.md)\n[2](two.md)\n[3](three.md)\n");
    folder.file("b.md", "[4](four.md)\n");
    let diff = "--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,3 @@\n [1](one.md)\n+[2](two.md)\n [3](three.md)\n";
    folder.file("diff", diff);
    for arguments in [&["--changed", "diff"][..], &["--changed", "diff", "a.md", "b.md"], &["--changed=diff", "."]] {
        let output = open(&folder, &[&["--json"], arguments].concat());
        let objects = verdicts(&output);
        assert_eq!(objects.keys().collect::<Vec<_>>(), ["two.md"], "{arguments:?}: {output:?}");
    }
    let none = open(&folder, &["--json", "--changed", "a.md", "."]);
    assert_eq!(code(&none), 2);
    assert!(text(&none.stderr).contains("not a unified diff"), "{none:?}");
}

#[test]
fn excluded_links_are_not_opened() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| answer(stream, "404 Not Found", ""));
    folder.file("a.md", format!("<{}> <{}> [x](gone.md)\n", server.url("/old/x"), server.url("/new")));
    let output = open(&folder, &["--json", "--exclude", "http://127.*/old/*", "--exclude", "gone.*", "a.md"]);
    let objects = verdicts(&output);
    assert_eq!(found(&objects, &server.url("/old/x")), ("skipped".into(), Some("excluded".into())));
    assert_eq!(found(&objects, "gone.md"), ("skipped".into(), Some("excluded".into())));
    assert_eq!(found(&objects, &server.url("/new")).0, "dead");
    folder.file("urlwise.toml", "[exclude]\nurls = [\"*.md\"]\nhosts = [\"127.0.0.*\"]\n");
    let output = open(&folder, &["--json", "a.md"]);
    assert_eq!(code(&output), 0, "{output:?}");
    assert!(verdicts(&output).values().all(|object| object["cause"] == "excluded"), "{output:?}");
    folder.file("urlwise.toml", "[exclude]\nurls = [\"[\"]\n");
    let wrong = open(&folder, &["a.md"]);
    assert_eq!(code(&wrong), 2);
    assert!(text(&wrong.stderr).contains("urlwise.toml:2:9"), "{wrong:?}");
}

#[test]
fn what_worked_is_not_asked_again_and_what_did_not_is() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/fine" | "/joe" => answer(stream, "200 OK", ""),
        "/broken" => answer(stream, "500 Internal Server Error", ""),
        _ => answer(stream, "404 Not Found", ""),
    });
    let secret = server.url("/joe").replace("//", "//joe:hunter2@");
    folder.file(
        "a.md",
        format!("<{}> <{}> <{}> <{secret}>\n", server.url("/fine"), server.url("/gone"), server.url("/broken")),
    );
    let arguments = &["--json", "--cache", "--retry", "0", "--http-userinfo", "a.md"];
    let first = open(&folder, arguments);
    assert_eq!(code(&first), 1, "{first:?}");
    let cache = text(&folder.read(".urlwise-cache"));
    assert!(cache.contains(&server.url("/fine")) && !cache.contains("/gone") && !cache.contains("/broken"), "{cache}");
    assert!(!cache.contains("hunter2"), "{cache}");
    let before = server.requests().len();
    let second = open(&folder, arguments);
    assert_eq!(found(&verdicts(&second), &server.url("/fine")), ("alive".into(), None));
    let asked: Vec<_> = server.requests()[before..].iter().map(|head| path(head).to_owned()).collect();
    assert!(!asked.contains(&"/fine".to_owned()) && asked.contains(&"/gone".to_owned()), "{asked:?}");
    assert!(asked.contains(&"/broken".to_owned()), "{asked:?}");
    // Nothing else is left behind.
    assert_eq!(folder.names(), [".urlwise-cache", "a.md"]);
}

#[test]
fn a_cache_that_is_old_forged_or_something_else_is_not_used() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| answer(stream, "404 Not Found", ""));
    let (url, now) = (server.url("/x"), std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs());
    folder.file("a.md", format!("<{url}>\n"));
    for (asked, verdict) in [(now - 7200, "dead"), (now + 7200, "dead"), (now - 60, "alive")] {
        folder.file("cache", format!("urlwise-cache 1\nnonsense\n{asked}\talive\t200\t{url}\t\t\n"));
        let output = open(&folder, &["--json", "--cache=cache", "--max-age", "1h", "a.md"]);
        assert_eq!(found(&verdicts(&output), &url).0, verdict, "{asked}");
    }
    folder.file("cache", "precious notes\n");
    let output = open(&folder, &["--cache=cache", "a.md"]);
    assert_eq!((code(&output), fs::read_to_string(folder.path("cache")).unwrap().as_str()), (2, "precious notes\n"));
}

#[test]
fn a_fragment_that_was_not_asked_about_is() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| {
        let page = "<h1 id=one>";
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 11\r\nConnection: close\r\n\r\n";
        let _ = std::io::Write::write_all(stream, format!("{head}{page}").as_bytes());
    });
    folder.file("a.md", format!("<{}>\n", server.url("/p#one")));
    assert_eq!(code(&open(&folder, &["--cache", "a.md"])), 0);
    assert_eq!(code(&open(&folder, &["--cache", "a.md"])), 0);
    assert_eq!(server.requests().len(), 1);
    folder.file("a.md", format!("<{}> <{}>\n", server.url("/p#one"), server.url("/p#two")));
    let output = open(&folder, &["--json", "--cache", "a.md"]);
    assert_eq!(found(&verdicts(&output), &server.url("/p#two")), ("dead".into(), Some("no-fragment".into())));
    let objects: Vec<Value> = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects[0]["verdict"], "alive");
}

#[test]
fn a_comment_ignores_a_rule_of_its_line_and_one_that_is_not_needed_is_reported() {
    let folder = Folder::new();
    folder.file(
        "a.md",
        "[1](one.md) <!-- urlwise: ignore[link-dead] -->\n\n<!-- urlwise: ignore[link-dead, link-moved] -->\n[2](two.md)\n\n\
         [3](a.md) <!-- urlwise: ignore[link-dead] -->\n[4](a.md) <!-- urlwise: ignore[link-daed] -->\n",
    );
    let output = open(&folder, &["--format", "github", "a.md"]);
    assert_eq!(code(&output), 0, "{output:?}");
    let lines = text(&output.stdout);
    let lines: Vec<_> = lines.lines().collect();
    assert_eq!(lines.len(), 3, "{lines:#?}");
    for (line, at, message) in [
        (lines[0], "line=3,endLine=3,col=6", "nothing is ignored by `link-moved`"),
        (lines[1], "line=6,endLine=6,col=16", "nothing is ignored by `link-dead`"),
        (lines[2], "line=7,endLine=7,col=16", "there is no rule `link-daed`"),
    ] {
        assert!(line.starts_with(&format!("::warning file=a.md,{at}")), "{line}");
        assert!(line.contains("title=suppression-unused") && line.contains(message), "{line}");
    }
    folder.file("b.md", "[1](one.md)\n[2](two.md) <!-- urlwise: ignore[link-dead] -->\n");
    let output = open(&folder, &["b.md"]);
    assert_eq!(code(&output), 1);
    assert!(text(&output.stdout).contains("one.md") && !text(&output.stdout).contains("two.md"), "{output:?}");
    // Without asking, nobody knows which comments are needed.
    folder.file("c.md", "<http://h.dom/> <!-- urlwise: ignore[link-dead] -->\n");
    assert!(!text(&open(&folder, &["--offline", "c.md"]).stdout).contains("suppression-unused"));
    assert!(!text(&folder.urlwise(["check", "c.md"]).stdout).contains("suppression-unused"));
}

#[test]
fn comments_ignore_the_rules_of_check_too() {
    let folder = Folder::new();
    folder
        .file("a.txt", "http://h.dom:25/ # urlwise: ignore[port-foreign]\n# urlwise: ignore[E-03]\nhttp://i.dom:25/\n");
    let ignored = folder.urlwise(["check", "a.txt"]);
    assert_eq!((code(&ignored), text(&ignored.stdout)), (0, String::new()), "{ignored:?}");
    folder.file("b.txt", "http://h.dom:25/ # urlwise: ignore[bnf-char]\n");
    let unused = folder.urlwise(["check", "--format", "github", "b.txt"]);
    assert_eq!(code(&unused), 1);
    let lines = text(&unused.stdout);
    assert!(lines.contains("title=port-foreign") && lines.contains("nothing is ignored by `bnf-char`"), "{lines}");
    let other = folder.urlwise(["check", "--select", "port-foreign", "--format", "github", "b.txt"]);
    assert!(!text(&other.stdout).contains("suppression-unused"), "{other:?}");
}

#[test]
fn a_comment_at_a_link_that_is_unknown_may_be_needed_later() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/fine" => answer(stream, "200 OK", ""),
        _ => answer(stream, "500 Internal Server Error", ""),
    });
    let comment = "<!-- urlwise: ignore[link-dead] -->";
    folder.file("a.md", format!("<{}> {comment}\n\n<{}> {comment}\n", server.url("/broken"), server.url("/fine")));
    let output = open(&folder, &["--retry", "0", "--format", "github", "a.md"]);
    let unused: Vec<_> =
        text(&output.stdout).lines().filter(|line| line.contains("suppression-unused")).map(str::to_owned).collect();
    assert!(matches!(&unused[..], [one] if one.contains("line=3,")), "{unused:?}");
}

#[test]
fn a_link_ends_where_it_ends_in_the_file_however_it_is_written() {
    let folder = Folder::new();
    folder.file("a.html", "<a href=\"x&amp;y.html\">\n<a href=\"z.html\">\n");
    let github = text(&open(&folder, &["--format", "github", "a.html"]).stdout);
    assert!(github.contains("line=1,endLine=1,col=10,endColumn=22,"), "{github}");
    assert!(github.contains("line=2,endLine=2,col=10,endColumn=16,"), "{github}");
}
