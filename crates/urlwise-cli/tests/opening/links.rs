//! `check --open`: links of documents and their verdicts.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::*;

/// Runs `check --open` in a folder. Servers of tests are on this machine, which links of documents may not name.
pub(crate) fn open(folder: &Folder, arguments: &[&str]) -> Output {
    let all =
        [&["check", "--open", "--allow", "local-from-public", "--allow", "port-foreign", "--no-proxy"], arguments];
    folder.urlwise(all.concat())
}

/// The objects of `--json`, by the link as it is written.
pub(crate) fn verdicts(output: &Output) -> BTreeMap<String, Value> {
    let objects = text(&output.stdout);
    let objects = objects.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    objects.map(|object| (object["target"].as_str().unwrap().to_owned(), object)).collect()
}

pub(crate) fn found(objects: &BTreeMap<String, Value>, target: &str) -> (String, Option<String>) {
    let object = objects.get(target).unwrap_or_else(|| panic!("{target} is not among {:?}", objects.keys()));
    (object["verdict"].as_str().unwrap().to_owned(), object["cause"].as_str().map(str::to_owned))
}

pub(crate) fn answer(stream: &mut TcpStream, status: &str, fields: &str) {
    let _ = stream
        .write_all(format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n{fields}\r\n").as_bytes());
}

#[test]
fn relative_links_are_looked_up_with_their_fragments() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub")).unwrap();
    folder.file("sub/page.html", "<p id=here><a name=there>");
    folder.file("other.md", "# What's new?\n## Usage\n## Usage\n");
    folder.file("a b.md", "");
    folder.file("notes.txt", "");
    folder.file(
        "index.md",
        "# Own\n[1](other.md) [2](other.md#usage-1) [3](other.md#usage-2) [4](sub/page.html#here) [5](sub/page.html#gone) \
         [6](sub) [7](sub/none.html) [8](#own) [9](#nothing) [10](a%20b.md) [11](notes.txt#L3) [12](/rooted.md) \
         [13](other.md/deeper)\n",
    );
    let output = open(&folder, &["--json", "index.md"]);
    assert_eq!(code(&output), 1, "{output:?}");
    let objects = verdicts(&output);
    assert_eq!(objects.len(), 13);
    for (target, verdict, cause) in [
        ("other.md", "alive", None),
        ("other.md#usage-1", "alive", None),
        ("other.md#usage-2", "dead", Some("no-fragment")),
        ("sub/page.html#here", "alive", None),
        ("sub/page.html#gone", "dead", Some("no-fragment")),
        ("sub", "alive", None),
        ("sub/none.html", "dead", Some("not-found")),
        ("#own", "alive", None),
        ("#nothing", "dead", Some("no-fragment")),
        ("a%20b.md", "alive", None),
        ("notes.txt#L3", "alive", None),
        ("/rooted.md", "skipped", Some("no-base")),
        ("other.md/deeper", "dead", Some("not-found")),
    ] {
        assert_eq!(found(&objects, target), (verdict.to_owned(), cause.map(str::to_owned)), "{target}");
    }
    let place = &objects["other.md#usage-2"];
    assert_eq!((&place["path"], &place["line"], &place["column"]), (&"index.md".into(), &2.into(), &41.into()));
    assert!(place["url"].as_str().unwrap().ends_with("/other.md"), "{place}");
}

#[test]
fn fragments_of_files_are_compared_in_the_charset_of_the_file() {
    let folder = Folder::new();
    let utf16 = "\u{feff}<p id=a><a href='#a'>x</a> <a href='utf16.html#b'>y</a>";
    folder.file("utf16.html", utf16.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    folder.file("latin1.html", b"<meta charset=iso-8859-1><p id=\"caf\xE9\">");
    folder.file("latin1.md", b"# caf\xE9\n");
    folder.file("mark.md", "\u{feff}# Title\n");
    folder.file(
        "index.md",
        "[1](utf16.html#a) [2](latin1.html#caf%C3%A9) [3](latin1.html#the) [4](latin1.md#caf%C3%A9) [5](mark.md#title)\n",
    );
    let output = open(&folder, &["--json", "--offline", "index.md", "utf16.html"]);
    let objects = verdicts(&output);
    for (target, verdict) in [
        ("#a", "alive"),
        ("utf16.html#b", "dead"),
        ("utf16.html#a", "alive"),
        ("latin1.html#caf%C3%A9", "alive"),
        ("latin1.html#the", "dead"),
        ("latin1.md#caf%C3%A9", "alive"),
        ("mark.md#title", "alive"),
    ] {
        assert_eq!(found(&objects, target).0, verdict, "{target}");
    }
}

#[test]
fn roots_and_endings_are_those_of_find() {
    let folder = Folder::new();
    folder.file("rooted.md", "");
    folder.file("index.md", "[1](/rooted) [2](rooted)\n");
    let plain = open(&folder, &["--json", "--root-dir", ".", "index.md"]);
    assert_eq!(found(&verdicts(&plain), "/rooted"), ("dead".into(), Some("not-found".into())));
    let output = open(&folder, &["--json", "--root-dir", ".", "--fallback-extensions", "md", "index.md"]);
    assert_eq!(code(&output), 0, "{output:?}");
    assert_eq!(found(&verdicts(&output), "rooted"), ("alive".into(), None));
}

#[test]
fn a_mistyped_scheme_is_dead_and_says_what_was_meant() {
    let folder = Folder::new();
    folder.file("a.md", "[1](hhtp://host.dom/x) [2](javascript:go) [3](tel:123) [4](http://www.example.com/)\n");
    let output = open(&folder, &["--json", "--offline", "a.md"]);
    assert_eq!(code(&output), 1);
    let objects = verdicts(&output);
    assert_eq!(found(&objects, "hhtp://host.dom/x"), ("dead".into(), Some("mistyped-scheme".into())));
    assert!(objects["hhtp://host.dom/x"]["message"].as_str().unwrap().contains("did you mean `http://host.dom/x`?"));
    for (target, cause) in
        [("javascript:go", "unsupported"), ("tel:123", "unsupported"), ("http://www.example.com/", "placeholder")]
    {
        assert_eq!(found(&objects, target), ("skipped".into(), Some(cause.into())), "{target}");
    }
}

#[test]
fn a_text_that_is_not_a_url_is_dead_and_one_with_one_reading_is_opened() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| answer(stream, "200 OK", ""));
    folder.file("a.md", format!("[1](http://a:b:c/) [2](<{}>) http://d:e:f/\n", server.url("/a b")));
    let output = open(&folder, &["--json", "a.md"]);
    let objects = verdicts(&output);
    assert_eq!(found(&objects, "http://d:e:f/"), ("skipped".into(), Some("invalid-url".into())));
    assert_eq!(objects["http://d:e:f/"]["findings"][0]["level"], "error");
    assert_eq!(found(&objects, "http://a:b:c/"), ("dead".into(), Some("invalid-url".into())));
    let repaired = &objects[&server.url("/a b")];
    assert_eq!(repaired["verdict"], "alive");
    assert_eq!(repaired["findings"][0]["code"], "bnf-char");
    assert_eq!(path(&server.requests()[0]), "/a%20b");
}

#[test]
fn duplicates_are_asked_once_and_reported_everywhere() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| answer(stream, "404 Not Found", ""));
    folder.file("a.md", format!("[1]({0}) <{0}>\n", server.url("/x")));
    folder.file("b.txt", format!("see {}\n", server.url("/%78")));
    let output = open(&folder, &["--json", "."]);
    let lines = text(&output.stdout);
    let objects: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let places: Vec<_> =
        objects.iter().map(|object| (object["path"].as_str().unwrap(), object["column"].as_u64().unwrap())).collect();
    assert_eq!(places.len(), 3, "{lines}");
    assert_eq!((places[0].0, places[2]), ("a.md", ("b.txt", 5)));
    assert!(objects.iter().all(|object| object["verdict"] == "dead" && object["status"] == 404), "{lines}");
    // HEAD, and GET because of the 404.
    assert!(server.requests().len() <= 2, "{:?}", server.requests());
}

#[test]
fn suspects_are_asked_again_after_the_others() {
    let folder = Folder::new();
    let is_recovered = AtomicBool::new(false);
    let server = Server::new(move |_, head, stream| {
        is_recovered.fetch_or(path(head) == "/c", Ordering::Relaxed);
        match path(head) == "/flaky" && !is_recovered.load(Ordering::Relaxed) {
            true => answer(stream, "500 Internal Server Error", ""),
            false => answer(stream, "200 OK", ""),
        }
    });
    folder.file("a.md", format!("<{}> <{}> <{}>\n", server.url("/flaky"), server.url("/b"), server.url("/c")));
    let output = open(&folder, &["--json", "--per-host", "1", "a.md"]);
    assert_eq!(found(&verdicts(&output), &server.url("/flaky")).0, "alive", "{output:?}");
    let asked: Vec<_> = server.requests().iter().map(|head| path(head).to_owned()).collect();
    assert_eq!((asked.first().map(String::as_str), asked.last().map(String::as_str)), (Some("/flaky"), Some("/flaky")));
    assert!(asked[1..asked.len() - 1].iter().any(|path| path == "/c"), "{asked:?}");
}

#[test]
fn a_server_that_wants_patience_gets_it() {
    let folder = Folder::new();
    let server = Server::new(|number, _, stream| match number {
        0 => answer(stream, "429 Too Many Requests", "Retry-After: 2\r\n"),
        _ => answer(stream, "200 OK", ""),
    });
    folder.file("a.md", format!("<{}>\n", server.url("/busy")));
    let start = Instant::now();
    let output = open(&folder, &["--json", "a.md"]);
    assert_eq!(found(&verdicts(&output), &server.url("/busy")).0, "alive", "{output:?}");
    assert!(start.elapsed() >= Duration::from_secs(2), "{:?}", start.elapsed());
}

#[test]
fn a_server_with_too_many_requests_for_the_day_is_unknown_and_not_asked_again() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| answer(stream, "429 Too Many Requests", "Retry-After: 86400\r\n"));
    let links: String = (0..50).map(|number| format!("<{}>\n", server.url(&format!("/{number}")))).collect();
    folder.file("a.md", links);
    let output = open(&folder, &["--json", "a.md"]);
    assert_eq!(code(&output), 0);
    let objects = verdicts(&output);
    assert_eq!(objects.len(), 50);
    for target in objects.keys() {
        assert_eq!(found(&objects, target), ("unknown".into(), Some("rate-limit".into())), "{target}");
    }
    assert!(server.requests().len() <= 4, "{} requests", server.requests().len());
}

#[test]
fn a_url_that_is_given_alone_is_in_no_file() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| answer(stream, "200 OK", ""));
    let alone = open(&folder, &[&server.url("/fine")]);
    assert_eq!((code(&alone), text(&alone.stderr).as_str()), (0, "urlwise: 1 link: 1 alive\n"), "{alone:?}");
    folder.file("good.md", format!("[1]({})\n", server.url("/other")));
    let both = open(&folder, &[&server.url("/fine"), "good.md"]);
    assert!(text(&both.stderr).contains("urlwise: 2 links in 1 file: 2 alive\n"), "{both:?}");
}

#[test]
fn only_dead_links_fail_the_run_unless_asked() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/gone" => answer(stream, "404 Not Found", ""),
        "/moved" => answer(stream, "301 Moved Permanently", "Location: /fine\r\n"),
        "/closed" => answer(stream, "403 Forbidden", ""),
        _ => answer(stream, "200 OK", ""),
    });
    folder.file(
        "good.md",
        format!("[1]({}) [2]({}) [3]({})\n", server.url("/fine"), server.url("/moved"), server.url("/closed")),
    );
    folder.file("bad.md", format!("[1]({})\n", server.url("/gone")));
    let good = open(&folder, &["good.md"]);
    assert_eq!(code(&good), 0, "{good:?}");
    assert!(text(&good.stdout).contains(&format!("moved permanently to {}", server.url("/fine"))), "{good:?}");
    assert!(text(&good.stderr).contains("3 links in 1 file: 1 alive, 1 moved, 1 unknown"), "{good:?}");
    assert_eq!(code(&open(&folder, &["--fail-on", "unknown", "good.md"])), 1);
    assert_eq!(code(&open(&folder, &["--fail-on", "dead", "good.md"])), 0);
    assert_eq!(code(&open(&folder, &["bad.md"])), 1);
    assert_eq!(code(&open(&folder, &["--ignore", "link-dead", "bad.md"])), 0);
    let alone = folder.urlwise(["check", "--fail-on", "dead", "good.md"]);
    assert_eq!(code(&alone), 2);
    assert!(text(&alone.stderr).contains("add `--open`"), "{alone:?}");
}

#[test]
fn the_links_of_a_page_are_checked() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/docs/" => {
            let page =
                "<p id=top1><a href=good>g</a> <a href='bad?x=1&amp;y=2'>b</a> <a href=#top1>t</a> <a href=#none>n</a>";
            let fields = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                page.len()
            );
            let _ = stream.write_all(fields.as_bytes());
            if head.starts_with("GET") {
                let _ = stream.write_all(page.as_bytes());
            }
        }
        "/docs/good" => answer(stream, "200 OK", ""),
        _ => answer(stream, "404 Not Found", ""),
    });
    let output = open(&folder, &["--json", &server.url("/docs/")]);
    assert_eq!(code(&output), 1, "{output:?}");
    let objects = verdicts(&output);
    assert_eq!(found(&objects, &server.url("/docs/")), ("alive".into(), None));
    assert_eq!(found(&objects, "good"), ("alive".into(), None));
    assert_eq!(found(&objects, "bad?x=1&y=2"), ("dead".into(), Some("not-found".into())));
    assert_eq!(found(&objects, "#top1"), ("alive".into(), None));
    assert_eq!(found(&objects, "#none"), ("dead".into(), Some("no-fragment".into())));
    let bad = &objects["bad?x=1&y=2"];
    assert_eq!((&bad["page"], &bad["line"], &bad["path"]), (&server.url("/docs/").into(), &1.into(), &Value::Null));
}

#[test]
fn fragments_of_pages_are_looked_up_in_the_page() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| {
        let page = "<h1 id=one>";
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{page}",
            page.len()
        );
        let _ = stream.write_all(head.as_bytes());
    });
    folder.file("a.md", format!("<{0}#one> <{0}#two> <{0}> <{0}#:~:text=x>\n", server.url("/p")));
    let output = open(&folder, &["--json", "a.md"]);
    let objects = verdicts(&output);
    assert_eq!(found(&objects, &server.url("/p#one")).0, "alive");
    assert_eq!(found(&objects, &server.url("/p#two")), ("dead".into(), Some("no-fragment".into())));
    assert_eq!(found(&objects, &server.url("/p")).0, "alive");
    assert_eq!(found(&objects, &server.url("/p#:~:text=x")).0, "alive");
    assert_eq!(server.requests().len(), 1, "{:?}", server.requests());
}

#[test]
fn fragments_that_scripts_read_are_alive_unless_they_look_like_others() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| {
        let page = "<div id=app></div><a id=user-content-start></a>";
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{page}",
            page.len()
        );
        let _ = stream.write_all(head.as_bytes());
    });
    let alive = ["start", "/room/1", "!/room/1", "L20", "L20-L30"];
    let dead = ["star", "room/1"];
    folder.file("page.html", "<div id=app>");
    let link = |fragment: &&str| format!("<{}#{fragment}> [x](page.html#{fragment})\n", server.url("/p"));
    folder.file("a.md", alive.iter().chain(&dead).map(link).collect::<String>());
    let objects = verdicts(&open(&folder, &["--json", "a.md"]));
    for (fragments, verdict) in [(&alive[..], "alive"), (&dead[..], "dead")] {
        for fragment in fragments {
            assert_eq!(found(&objects, &server.url(&format!("/p#{fragment}"))).0, verdict, "{fragment}");
            let is_prefixed = *fragment == "start";
            let local = if is_prefixed { "dead" } else { verdict };
            assert_eq!(found(&objects, &format!("page.html#{fragment}")).0, local, "{fragment}");
        }
    }
}

#[test]
fn lists_are_opened_and_passwords_masked() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| answer(stream, "404 Not Found", ""));
    let url = server.url("/x").replace("//", "//joe:hunter2@");
    folder.file("urls", format!("{url}\n\n"));
    for format in ["human", "json", "sarif", "github"] {
        let output = open(&folder, &["--format", format, "-f", "urls"]);
        let all = text(&output.stdout) + &text(&output.stderr);
        assert!(all.contains("joe") && !all.contains("hunter2"), "{format}: {all}");
    }
}

#[test]
fn every_format_reports_the_place_and_the_rule() {
    let folder = Folder::new();
    folder.file("a.md", "# A\n\nsee [b](gone.md)\n");
    let human = text(&open(&folder, &["a.md"]).stdout);
    assert!(human.starts_with("a.md\n") && human.contains("3:9  dead     gone.md: there is no such file"), "{human}");
    let github = text(&open(&folder, &["--format", "github", "a.md"]).stdout);
    assert!(
        github.starts_with("::error file=a.md,line=3,endLine=3,col=9,endColumn=16,title=link-dead::gone.md"),
        "{github}"
    );
    let sarif: Value = serde_json::from_slice(&open(&folder, &["--format", "sarif", "a.md"]).stdout).unwrap();
    let run = &sarif["runs"][0];
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "link-dead");
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(run["tool"]["driver"]["rules"][index]["id"], "link-dead");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 3);
}

#[test]
fn quiet_prints_nothing() {
    let folder = Folder::new();
    folder.file("a.md", "[b](gone.md) http://h:25/\n");
    let output = open(&folder, &["--offline", "--quiet", "a.md"]);
    assert_eq!((code(&output), text(&output.stdout), text(&output.stderr)), (1, String::new(), String::new()));
}

#[test]
fn offline_asks_no_server() {
    let folder = Folder::new();
    let server = Server::new(|_, _, stream| answer(stream, "200 OK", ""));
    folder.file("a.md", format!("<{}> [b](a.md)\n", server.url("/")));
    let output = open(&folder, &["--json", "--offline", "a.md"]);
    assert_eq!(code(&output), 0);
    assert_eq!(found(&verdicts(&output), &server.url("/")), ("skipped".into(), Some("offline".into())));
    assert_eq!(found(&verdicts(&output), "a.md").0, "alive");
    assert!(server.requests().is_empty());
}

#[test]
fn an_interrupt_reports_what_is_known() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/quick" => answer(stream, "200 OK", ""),
        _ => {
            let _ = stream.read(&mut [0; 1]);
        }
    });
    folder.file("a.md", format!("<{}> <{}> [x](gone.md)\n", server.url("/quick"), server.url("/never")));
    let arguments = ["check", "--open", "--json", "--allow", "local-from-public", "--no-proxy", "a.md"];
    let mut program = command(arguments);
    let child = program.current_dir(&folder.0).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while server.requests().len() < 2 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(200));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 130, "{output:?}");
    let objects = verdicts(&output);
    assert_eq!(found(&objects, &server.url("/quick")).0, "alive");
    assert_eq!(found(&objects, "gone.md").0, "dead");
    assert!(!objects.contains_key(&server.url("/never")), "{objects:?}");
}
