//! Runs that build on what is known: a cache, a diff, a base.

use std::fs;
use std::io::Write;
use std::net::TcpStream;

use crate::run::{document, objects, open, verdicts};
use crate::support::*;

/// A page with the fragments `one` and `a b`, and a link.
fn page(stream: &mut TcpStream) {
    const PAGE: &str = "<h1 id=one></h1><p id='a b'><a href=/linked>x</a>";
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n";
    // The client may have closed the connection.
    let _ = stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{PAGE}", PAGE.len()).as_bytes());
}

/// A page with one link.
fn linking(stream: &mut TcpStream, link: &str) {
    let page = format!("<a href={link}>x</a>");
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n";
    // The client may have closed the connection.
    let _ = stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{page}", page.len()).as_bytes());
}

#[test]
fn what_is_in_the_cache_is_not_renewed_by_its_use() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| page(stream));
    document(&folder, [server.url("/x")]);
    let asked = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs() - 100;
    let cache = format!("urlwise-cache 1\n{asked}\talive\t200\t{}\t\t\n", server.url("/x"));
    folder.file("cache", &cache);
    assert_eq!(verdicts(&open(&folder, &["--json", "--cache=cache", "links.md"]))[&server.url("/x")], "alive");
    assert_eq!((text(&folder.read("cache")), server.requests().len()), (cache, 0));
}

#[test]
fn the_cache_has_no_files_no_pages_and_nothing_that_does_not_work_any_more() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| page(stream));
    let run = |arguments: &[&str]| open(&folder, &[&["--json", "--cache"], arguments].concat());
    document(&folder, [server.url("/p#one"), "links.md".into()]);
    assert_eq!(code(&run(&["links.md"])), 0);
    let cache = text(&folder.read(".urlwise-cache"));
    assert!(cache.contains(&server.url("/p")) && !cache.contains("file:"), "{cache}");

    // As a page it is read, and its links are checked.
    for _ in 0..2 {
        let found = verdicts(&run(&[&server.url("/p")]));
        assert_eq!((found.len(), found["/linked"].as_str()), (2, "alive"), "{found:?}");
    }
    let other = Server::new(|_, _, stream| page(stream));
    run(&[&other.url("/given")]);
    let cache = text(&folder.read(".urlwise-cache"));
    assert!(!cache.contains("/given") && cache.contains(&other.url("/linked")), "{cache}");

    document(&folder, [server.url("/p#two")]);
    assert_eq!(verdicts(&run(&["links.md"]))[&server.url("/p#two")], "dead no-fragment");
    let cache = text(&folder.read(".urlwise-cache"));
    assert!(!cache.contains(&format!("{}\t", server.url("/p"))), "{cache}");
}

#[test]
fn a_fragment_that_a_line_of_the_cache_cannot_hold_is_not_kept() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| page(stream));
    let link = server.url("/p#a b");
    document(&folder, [&link]);
    let output = open(&folder, &["--json", "--cache", "links.md"]);
    assert_eq!(verdicts(&output)[&link], "alive", "{output:?}");
    assert_eq!(text(&folder.read(".urlwise-cache")), "urlwise-cache 1\n");
}

#[test]
fn a_page_that_names_other_fragments_of_what_is_in_the_cache_has_it_asked_again() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/same" => linking(stream, "/p#one"),
        "/other" => linking(stream, "/p#two"),
        _ => page(stream),
    });
    document(&folder, [server.url("/p#one")]);
    let run = |page: &str| open(&folder, &["--json", "--cache", "links.md", &server.url(page)]);
    let asked = || server.requests().iter().filter(|head| path(head) == "/p").count();
    run("/same");
    assert_eq!(asked(), 1);
    assert_eq!((verdicts(&run("/same"))["/p#one"].as_str(), asked()), ("alive", 1));
    assert_eq!((verdicts(&run("/other"))["/p#two"].as_str(), asked()), ("dead no-fragment", 2));
}

#[test]
fn the_links_of_a_page_that_has_moved_are_checked_and_followed() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/a/old" => {
            let _ = stream
                .write_all(b"HTTP/1.1 301 Moved\r\nLocation: /new/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
        "/new/" => linking(stream, "x#one"),
        _ => page(stream),
    });
    let run = |more: &[&str]| verdicts(&open(&folder, &[&["--json", &server.url("/a/old")], more].concat()));
    let found = run(&[]);
    assert_eq!((found[&server.url("/a/old")].as_str(), found["x#one"].as_str()), ("moved", "alive"));
    assert!(server.requests().iter().any(|head| path(head) == "/new/x"), "{:?}", server.requests());
    assert_eq!((found.get("/linked"), run(&["--recursive"])["/linked"].as_str()), (None, "alive"));
}

#[test]
fn the_links_of_a_page_that_is_asked_again_for_a_fragment_are_reported_once() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/" => linking(stream, "/p"),
        "/p" => page(stream),
        _ => linking(stream, "/p#one"),
    });
    let output = open(&folder, &["--json", "--recursive", &server.url("/")]);
    let asked = server.requests().iter().filter(|head| path(head) == "/p").count();
    let links: Vec<_> = objects(&output).iter().map(|link| format!("{} {}", link["page"], link["target"])).collect();
    assert_eq!((asked, links.iter().filter(|link| link.ends_with("\"/linked\"")).count()), (2, 1), "{links:#?}");
    assert!(links.iter().any(|link| link.ends_with("/p#one\"")), "{links:#?}");
}

#[test]
fn a_file_that_cannot_be_looked_up_is_unknown() {
    let folder = Folder::new();
    std::os::unix::fs::symlink("loop.md", folder.path("loop.md")).unwrap();
    let long = "x".repeat(300);
    document(&folder, ["loop.md", &long, "links.md/x"]);
    let found = verdicts(&open(&folder, &["--json", "links.md"]));
    assert_eq!((&*found["loop.md"], &*found[&long]), ("unknown unreadable", "unknown unreadable"));
    assert_eq!(found["links.md/x"], "dead not-found");
}

#[test]
fn nothing_of_a_cache_that_others_wrote_harms() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| page(stream));
    document(&folder, [server.url("/x")]);
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let line = |to: &str| format!("urlwise-cache 1\n{now}\tmoved\t301\t{}\t{to}\t\n", server.url("/x"));
    for (number, to) in ["http://h.dom/\u{1b}[31m", "no url", "http://h.dom/\u{202e}x"].iter().enumerate() {
        folder.file("cache", line(to));
        let output = open(&folder, &["--cache=cache", "links.md"]);
        assert!(!text(&output.stdout).contains("moved"), "{output:?}");
        assert_eq!(server.requests().len(), number + 1, "{to}: it is asked for");
    }
    folder.file("cache", line("http://joe:MaRkEr@h.dom/"));
    let output = open(&folder, &["--json", "--cache=cache", "links.md"]);
    assert_eq!(objects(&output)[0]["final_url"], "http://joe:***@h.dom/");
    folder.file("damaged", [line("http://h.dom/").as_bytes(), &[0xff, 0xfe, b'\n']].concat());
    assert_eq!(verdicts(&open(&folder, &["--json", "--cache=damaged", "links.md"]))[&server.url("/x")], "moved");

    folder.file("other", [0xff, 0xfe]);
    fs::create_dir(folder.path("folder")).unwrap();
    std::os::unix::fs::symlink("damaged", folder.path("link")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    for name in ["other", "folder", "link", "pipe"] {
        let output = open(&folder, &[&format!("--cache={name}"), "links.md"]);
        let message = text(&output.stderr);
        assert_eq!(code(&output), 2, "{output:?}");
        assert!(message.contains("remove it, or name another file"), "{message}");
    }
}

#[test]
fn a_comment_at_a_link_that_the_policy_refuses_may_be_needed() {
    let folder = Folder::new();
    folder.file("links.md", "<http://10.0.0.1/> <!-- urlwise: ignore[link-dead] -->\n");
    let check = |options: &[&str]| {
        let output = folder.urlwise([&["check", "--open", "--no-proxy", "links.md"], options].concat());
        text(&output.stdout).contains("suppression-unused")
    };
    assert!(!check(&[]) && !check(&["--exclude", "http://10.*"]));
    folder.file("links.md", "[x](links.md) <!-- urlwise: ignore[link-dead] -->\n");
    assert!(check(&[]));
}

#[test]
fn a_diff_that_names_no_file_here_is_a_message() {
    let folder = Folder::new();
    folder.file("links.md", "[x](gone.md)\n");
    for (name, is_here) in [("sub/links.md", false), ("links.md", true)] {
        folder.file("diff", format!("--- a/{name}\n+++ b/{name}\n@@ -0,0 +1 @@\n+[x](gone.md)\n"));
        let output = open(&folder, &["--changed", "diff"]);
        assert_eq!(text(&output.stderr).contains("no file of the diff is here"), !is_here, "{output:?}");
    }
}

#[test]
fn links_that_were_not_asked_for_say_so() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| {
        let head =
            "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3600\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        // The client may have closed the connection.
        let _ = stream.write_all(head.as_bytes());
    });
    document(&folder, (0..40).map(|number| server.url(&format!("/{number}"))));
    let output = open(&folder, &["--json", "--per-host", "1", "links.md"]);
    let found = objects(&output);
    let of =
        |says: bool| found.iter().filter(move |one| one["message"].as_str().unwrap().contains("not asked") == says);
    assert_eq!((of(false).count(), of(true).count()), (1, 39));
    assert!(of(true).all(|one| one["status"].is_null() && one["cause"] == "rate-limit"), "{found:?}");
}

#[test]
fn a_diff_without_prefixes_names_folders_of_one_letter() {
    let folder = Folder::new();
    fs::create_dir(folder.path("b")).unwrap();
    folder.file("b/x.md", "[1](gone.md)\n");
    folder.file("x.md", "[2](missing.md)\n");
    folder.file("diff", "+++ b/x.md\n@@ -0,0 +1 @@\n+[1](gone.md)\n");
    let found = verdicts(&open(&folder, &["--json", "--changed", "diff"]));
    assert_eq!(found.into_keys().collect::<Vec<_>>(), ["gone.md"]);
}

#[test]
fn a_page_of_the_web_cannot_ask_for_files_of_this_machine_by_its_base() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| {
        linking(stream, "passwd><base href='file:///etc/'><a href=no-such-file");
    });
    let found = verdicts(&open(&folder, &["--json", &server.url("/")]));
    for link in ["passwd", "no-such-file"] {
        assert_eq!(found[link], "refused file-from-network", "{found:?}");
    }
}

#[test]
fn a_base_is_no_placeholder() {
    let folder = Folder::new();
    document(&folder, ["x", "http://www.example.com/x"]);
    let options = ["--json", "--offline", "--base-url", "http://www.example.com/", "links.md"];
    let found = verdicts(&open(&folder, &options));
    assert_eq!((&*found["x"], &*found["http://www.example.com/x"]), ("skipped offline", "skipped placeholder"));
}

#[test]
fn there_is_a_limit_of_patterns() {
    let folder = Folder::new();
    document(&folder, ["links.md"]);
    let patterns: String = (0..1_000).map(|number| format!("\"a{number}\",")).collect();
    folder.file("urlwise.toml", format!("[exclude]\nurls = [{patterns}]\n"));
    assert_eq!(code(&open(&folder, &["links.md"])), 0);
    let output = open(&folder, &["--exclude", "one more", "links.md"]);
    assert_eq!(code(&output), 2, "{output:?}");
    assert!(text(&output.stderr).contains("more than 1000 patterns"), "{output:?}");
}

#[test]
fn hosts_to_exclude_are_compared_without_case() {
    let folder = Folder::new();
    document(&folder, ["http://Build.Internal/", "http://internal/"]);
    folder.file("urlwise.toml", "[exclude]\nhosts = [\"*.internal\"]\n");
    let found = verdicts(&open(&folder, &["--json", "--offline", "links.md"]));
    assert_eq!(
        (&*found["http://Build.Internal/"], &*found["http://internal/"]),
        ("skipped excluded", "skipped offline")
    );
}

#[test]
fn a_run_of_a_diff_does_not_know_which_comments_are_needed() {
    let folder = Folder::new();
    folder.file(
        "a.md",
        "[1](gone.md) <!-- urlwise: ignore[link-dead] -->\n[2](a.md)\n[3](a.md) <!-- urlwise: ignore[link-dead] -->\n",
    );
    folder.file("diff", "+++ a.md\n@@ -0,0 +2 @@\n+[2](a.md)\n");
    assert!(text(&open(&folder, &["a.md"]).stdout).contains("suppression-unused"));
    let output = open(&folder, &["--changed", "diff"]);
    assert_eq!((code(&output), text(&output.stdout)), (0, String::new()));
}

#[test]
fn the_summary_names_the_hosts_with_most_trouble() {
    let folder = Folder::new();
    let links = (1..=23).map(|number| format!("http://10.0.0.{number}/")).chain(["http://10.0.0.9/again".into()]);
    document(&folder, links);
    let output = folder.urlwise(["check", "--open", "--no-proxy", "links.md"]);
    let said = text(&output.stderr);
    assert!(said.contains("24 links in 1 file: 24 refused"), "{said}");
    let first = said.lines().find(|line| line.contains("10.0.0.")).unwrap();
    assert!(first.ends_with("  10.0.0.9: 2 refused"), "{said}");
    assert!(said.contains("  and 3 more hosts"), "{said}");
}
