//! `get --recursive`: trees of small servers and of files (S-57).

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::*;

/// Runs `get -r` into the folder `to`, without pauses.
pub(crate) fn mirror(folder: &Folder, arguments: &[&str]) -> Output {
    folder.urlwise([&["get", "-r", "--output-dir", "to", "--wait", "0"], arguments].concat())
}

/// The files below a folder, sorted.
pub(crate) fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).map_or_else(|_| Vec::new(), |entries| entries.flatten().collect()) {
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => found.push(entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned()),
            }
        }
    }
    found.sort();
    found
}

/// The files below the folder of the only host.
pub(crate) fn saved(folder: &Folder) -> Vec<String> {
    let names = files(&folder.path("to"));
    names.iter().map(|name| name.split_once('/').unwrap().1.to_owned()).collect()
}

/// A server of pages by their paths; all else is not there.
fn site(pages: &'static [(&'static str, &'static str)]) -> Server {
    Server::new(move |_, head, stream| {
        let page = pages.iter().find(|(name, _)| *name == path(head));
        let (status, body) = page.map_or(("404 Not Found", "none"), |(_, body)| ("200 OK", *body));
        let kind = if body.contains('<') { "text/html; charset=utf-8" } else { "text/plain" };
        let body = if head.starts_with("HEAD") { "" } else { body };
        let length = page.map_or(4, |(_, body)| body.len());
        let _ = write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nETag: \"1\"\r\nConnection: close\r\n\r\n{body}"
        );
    })
}

fn paths(server: &Server) -> Vec<String> {
    server.requests().iter().map(|head| path(head).to_owned()).collect()
}

const SITE: &[(&str, &str)] = &[
    (
        "/",
        "<a href='a/'>a</a> <a href=/a/#x>again</a> <a href='q?x=1&amp;y=2'>q</a> <!-- <a href=hidden> --> <img src=i.png>",
    ),
    (
        "/a/",
        "<base href='/b/'><a href=c.html>c</a><a href='http://other.example/'>o</a><a href='mailto:a@b.example'>m</a>",
    ),
    (
        "/b/c.html",
        "<a href='../'>up</a><a href='./c.html'>self</a><a href=\"d e.txt\">d</a><script>'<a href=s>'</script>",
    ),
    ("/b/d%20e.txt", "d e"),
    ("/q?x=1&y=2", "q"),
    ("/i.png", "png"),
];

#[test]
fn pages_lead_to_their_links_once_and_circles_end() {
    let (folder, server) = (Folder::new(), site(SITE));
    let output = mirror(&folder, &["--json", &server.url("/")]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(saved(&folder), ["a/index", "b/c.html", "b/d e.txt", "i.png", "index", "q%3Fx=1&y=2"]);
    let asked = paths(&server);
    assert_eq!(asked, ["/", "/robots.txt", "/a/", "/q?x=1&y=2", "/i.png", "/b/c.html", "/b/d%20e.txt"]);
    assert!(text(&output.stderr).contains("1 link to another server was not followed (see `--host`)"));
    let lines: Vec<Value> = output
        .stdout
        .split(|octet| *octet == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 6);
    assert!(
        lines.iter().all(|line| line["ok"] == true && line["saved_as"].as_str().unwrap().starts_with("to/127.0.0.1_")),
        "{lines:?}"
    );
    assert_eq!(fs::read(folder.path("to").join(&files(&folder.path("to"))[2])).unwrap(), b"d e");
}

#[test]
fn pages_that_are_compressed_unasked_are_followed_as_far_as_they_can_be_read() {
    let gzip = |text: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    };
    for (coding, page, is_followed) in [
        ("gzip", gzip(b"<a href=x.html>x</a>"), true),
        ("br", b"<a href=x.html>x</a>".to_vec(), false),
        ("gzip, gzip", gzip(&gzip(b"<a href=x.html>x</a>")), false),
    ] {
        let (folder, sent) = (Folder::new(), page.clone());
        let server = Server::new(move |_, head, stream| {
            let (status, body) = match path(head) {
                "/" | "/list/" => ("200 OK", sent.as_slice()),
                "/x.html" | "/list/x.html" => ("200 OK", &b"x"[..]),
                _ => ("404 Not Found", &b""[..]),
            };
            let coding = if path(head).ends_with('/') { coding } else { "identity" };
            let fields = format!(
                "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Encoding: {coding}\r\nContent-Length: {}\r\n\
                 Connection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(&[fields.as_bytes(), body].concat());
        });
        let output = mirror(&folder, &[&server.url("/")]);
        assert_eq!(paths(&server).contains(&"/x.html".to_owned()), is_followed, "{coding}");
        let said = text(&output.stderr).contains("a page is compressed in a way that was not asked for");
        assert_eq!((said, code(&output)), if is_followed { (false, 0) } else { (true, 17) }, "{coding}: {output:?}");
        // It is kept as it came.
        let place =
            folder.path("to").join(files(&folder.path("to")).iter().find(|name| name.ends_with("index")).unwrap());
        assert_eq!(fs::read(place).unwrap(), page);
        // A page that is not saved is read alike.
        let looked = mirror(&folder, &["--include", "*.html", &server.url("/list/")]);
        assert_eq!(paths(&server).contains(&"/list/x.html".to_owned()), is_followed, "{coding}: {looked:?}");
    }
}

#[test]
fn pages_in_other_charsets_are_followed_as_browsers_do() {
    let utf16: Vec<u8> = "\u{feff}<a href=caf\u{e9}>".encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (media_type, page) in [("text/html", utf16), ("text/html; charset=iso-8859-1", b"<a href=caf\xE9>".to_vec())] {
        let (folder, sent) = (Folder::new(), page.clone());
        let server = Server::new(move |_, head, stream| {
            let body = if path(head) == "/" { sent.as_slice() } else { b"" };
            let length = body.len();
            let fields = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            let _ = stream.write_all(&[fields.as_bytes(), body].concat());
        });
        mirror(&folder, &[&server.url("/")]);
        assert_eq!(paths(&server).last().map(String::as_str), Some("/caf%C3%A9"), "{media_type}");
    }
}

#[test]
fn only_links_that_host_could_have_followed_are_counted_as_links_to_other_servers() {
    let others = "<a href=mailto:a@b.example>m</a><a href=news:a.b>n</a><a href=telnet://t.example/>t</a>\
                  <a href=file:///etc/motd>f</a>";
    for (more, said) in [
        ("", None),
        ("<a href=http://o.example/>o</a>", Some("1 link to another server was not followed")),
        (
            "<a href=http://o.example/>o</a><a href=gopher://g.example/>g</a>",
            Some("2 links to other servers were not followed"),
        ),
    ] {
        let page: &'static str = format!("{others}{more}").leak();
        let (folder, server) = (Folder::new(), site(vec![("/", page)].leak()));
        let stderr = text(&mirror(&folder, &[&server.url("/")]).stderr);
        assert_eq!(stderr.contains("not followed"), said.is_some(), "{stderr}");
        assert!(said.is_none_or(|said| stderr.contains(said)), "{stderr}");
    }
}

#[test]
fn a_url_that_is_given_is_followed_though_another_tree_led_to_it() {
    // On another server, where the link was not followed.
    let other = site(&[("/", "<a href=x>x</a>"), ("/x", "x")]);
    let page: &'static str = format!("<a href='{0}'>o</a><a href='{0}'>again</a>", other.url("/")).leak();
    let (folder, first) = (Folder::new(), site(vec![("/", page)].leak()));
    let output = mirror(&folder, &[&first.url("/"), &other.url("/")]);
    assert_eq!((code(&output), saved(&folder).len()), (0, 3), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("1 link to another server"), "{}", text(&output.stderr));
    // On the same one, where its own links were too far away; it is saved once.
    const FAR: &[(&str, &str)] = &[
        ("/", "<a href=/a>a</a>"),
        ("/a", "<a href=/b>b</a>"),
        ("/b", "<a href=/c>c</a>"),
        ("/c", "<a href=/d>d</a>"),
        ("/d", "d"),
        ("/robots.txt", "User-agent: *\nDisallow: /b"),
    ];
    let (folder, server) = (Folder::new(), site(FAR));
    let output = mirror(&folder, &["--depth", "1", &server.url("/"), &server.url("/a"), &server.url("/b")]);
    assert_eq!((code(&output), saved(&folder)), (0, ["a", "b", "c", "index"].map(str::to_owned).to_vec()));
    assert_eq!(paths(&server), ["/", "/robots.txt", "/a", "/a", "/b", "/c"]);
    let stderr = text(&output.stderr);
    assert!(stderr.contains("4 documents saved") && stderr.contains("1 link was not followed"), "{stderr}");
}

#[test]
fn a_url_that_is_given_is_saved_though_a_link_to_it_failed() {
    let server = Server::new(|number, head, stream| {
        let (status, body) = match path(head) {
            "/" => ("200 OK", "<a href=b>b</a>"),
            "/b" if number > 2 => ("200 OK", "b"),
            _ => ("404 No", ""),
        };
        let length = body.len();
        let _ = write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
    });
    let folder = Folder::new();
    let output = mirror(&folder, &[&server.url("/"), &server.url("/b")]);
    assert_eq!(paths(&server), ["/", "/robots.txt", "/b", "/b"], "{}", text(&output.stderr));
    assert_eq!(saved(&folder), ["b", "index"]);
}

#[test]
fn a_search_in_the_charset_of_its_page_is_left_out_and_that_is_said() {
    let server = Server::new(|_, _, stream| {
        let page = b"<a href='/q?a=\x93\xfa\x96\x7b'>q</a><a href='/q?a=b#\x93\xfa'>b</a>";
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=Shift_JIS\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            page.len()
        );
        let _ = stream.write_all(&[head.as_bytes(), page].concat());
    });
    let folder = Folder::new();
    let output = mirror(&folder, &["--depth", "1", "--ignore-robots", &server.url("/")]);
    assert_eq!((code(&output), paths(&server)), (17, vec!["/".to_owned(), "/q?a=b".to_owned()]));
    assert!(
        text(&output.stderr).contains("a link has a search in the charset of its page"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_page_whose_base_is_too_long_is_saved_without_its_links_and_that_is_said() {
    // The URL of the base has a server and a slash more.
    let page = |octets: usize| format!("<base href='/{}/'><a href=x>", "b".repeat(octets)).leak();
    for (octets, is_followed) in [(2000, true), (2048, false)] {
        let (folder, server) = (Folder::new(), site(vec![("/", &*page(octets))].leak()));
        let output = mirror(&folder, &[&server.url("/")]);
        let asked = paths(&server);
        assert_eq!(asked.len() > 2, is_followed, "{asked:?}");
        let said = text(&output.stderr).contains("the URL of a page's `<base>` is longer than 2,048 octets");
        assert_eq!((said, code(&output) == 17), (!is_followed, !is_followed), "{}", text(&output.stderr));
        assert_eq!(saved(&folder), ["index"]);
    }
}

#[test]
fn depth_and_patterns_say_what_is_saved() {
    for (arguments, expected) in [
        (&["--depth", "0"][..], &["index"][..]),
        (&["--depth", "1"], &["a/index", "i.png", "index", "q%3Fx=1&y=2"]),
        (&["--depth", "2"], &["a/index", "b/c.html", "i.png", "index", "q%3Fx=1&y=2"]),
        (&["--exclude", "/a/"], &["i.png", "index", "q%3Fx=1&y=2"]),
        (&["--exclude", "*\\?*", "--exclude", "*.png"], &["a/index", "b/c.html", "b/d e.txt", "index"]),
        // Pages that are not included are read for their links.
        (&["--include", "*.txt"], &["b/d e.txt"]),
        (&["--include", "*.{png,html}"], &["b/c.html", "i.png"]),
    ] {
        let (folder, server) = (Folder::new(), site(SITE));
        let output = mirror(&folder, &[arguments, &[&server.url("/")]].concat());
        assert_eq!(
            (code(&output), saved(&folder)),
            (0, expected.iter().map(|name| (*name).to_owned()).collect()),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
    }
    let bad = mirror(&Folder::new(), &["--include", "[", "http://127.0.0.1/"]);
    assert_eq!(code(&bad), 2);
}

#[test]
fn security_57_links_to_other_servers_are_not_followed_and_neither_are_redirects_to_them() {
    let other = site(&[("/", "other"), ("/x", "other")]);
    let location = other.url("/x");
    let server = Server::new(move |_, head, stream| {
        let _ = match path(head) {
            "/" => {
                let body = format!(
                    "<a href='{location}'>o</a><a href=/r>r</a><a href=file:///etc/passwd>f</a><a href=/ok>k</a>"
                );
                write!(
                    stream,
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                    body.len()
                )
            }
            "/r" => write!(
                stream,
                "HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            ),
            "/ok" => write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"),
            _ => write!(stream, "HTTP/1.1 404 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        };
    });
    let folder = Folder::new();
    let output = mirror(&folder, &[&server.url("/")]);
    assert_eq!(
        (code(&output), saved(&folder)),
        (4, vec!["index".to_owned(), "ok".to_owned()]),
        "{}",
        text(&output.stderr)
    );
    assert!(text(&output.stderr).contains("another server"), "{}", text(&output.stderr));
    // The redirect was followed to see where it leads; the link was not.
    assert_eq!(other.requests().len(), 1);
    let folder = Folder::new();
    let output = mirror(&folder, &["--host", "127.0.0.1", &server.url("/")]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(files(&folder.path("to")).len(), 4);
}

#[test]
fn security_57_robots_txt_is_honoured_unless_it_is_not_wanted() {
    const PAGES: &[(&str, &str)] = &[
        ("/robots.txt", "User-agent: *\nDisallow: /b\nDisallow: /index\n"),
        ("/index", "<a href=a>a</a><a href=b>b</a>"),
        ("/a", "a"),
        ("/b", "b"),
    ];
    for (more, expected) in [(&[][..], &["a", "index"][..]), (&["--ignore-robots"], &["a", "b", "index"])] {
        let (folder, server) = (Folder::new(), site(PAGES));
        let output = mirror(&folder, &[more, &[&server.url("/index")]].concat());
        assert_eq!((code(&output), saved(&folder)), (0, expected.iter().map(|name| (*name).to_owned()).collect()));
        assert_eq!(text(&output.stderr).contains("robots.txt"), more.is_empty(), "{}", text(&output.stderr));
        assert_eq!(paths(&server).contains(&"/robots.txt".to_owned()), more.is_empty());
    }
    // A server that fails allows nothing.
    let server = Server::new(|_, head, stream| {
        let page = "<a href=a>a</a>";
        let _ = match path(head) {
            "/robots.txt" => write!(stream, "HTTP/1.1 500 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
            _ => write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{page}",
                page.len()
            ),
        };
    });
    let folder = Folder::new();
    mirror(&folder, &[&server.url("/")]);
    assert_eq!(saved(&folder), ["index"]);
}

#[test]
fn security_57_counts_octets_and_time_are_bounded() {
    // Every page leads to two new ones.
    let server = Server::new(|number, _, stream| {
        let body = format!("<a href=/{number}/a>a</a><a href=/{number}/b>b</a>");
        let _ = write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
    });
    for (limit, at_most) in [(["--max-files", "7"], 7), (["--max-total", "300"], 10), (["--max-run", "1s"], 10_000)] {
        let folder = Folder::new();
        let begun = Instant::now();
        let output = mirror(&folder, &[&limit[..], &["--depth", "1000", "-q", &server.url("/")]].concat());
        assert_eq!(code(&output), 17, "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains(limit[0]), "{}", text(&output.stderr));
        let count = saved(&folder).iter().filter(|name| !name.contains(".part")).count();
        assert!((1..=at_most).contains(&count), "{limit:?}: {count}");
        assert!(begun.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn security_57_the_time_of_a_run_ends_every_wait() {
    // Who connects waits for an answer that never comes.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let server = site(SITE);
    let urls = ["0/x", "1/x"].map(|path| (format!("gopher://127.0.0.1:{port}/{path}"), "0"));
    for (url, wait) in urls.into_iter().chain([(server.url("/"), "30s")]) {
        let (folder, begun) = (Folder::new(), Instant::now());
        let output = folder.urlwise(["get", "-r", "--output-dir", "to", "--wait", wait, "--max-run", "1s", &url]);
        assert!(begun.elapsed() < Duration::from_secs(8), "{url}: {:?}", begun.elapsed());
        assert_eq!(code(&output), 17, "{url}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("the limit of --max-run is reached"), "{}", text(&output.stderr));
        assert!(!text(&output.stderr).contains("robots.txt"), "{}", text(&output.stderr));
    }
    assert_eq!(paths(&server), ["/"]);
}

#[test]
fn there_is_a_pause_between_requests() {
    let (folder, server) = (Folder::new(), site(SITE));
    let begun = Instant::now();
    let output = folder.urlwise(["get", "-r", "--depth", "1", "--wait", "300ms", "--ignore-robots", &server.url("/")]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    // Four requests.
    assert!(begun.elapsed() >= Duration::from_millis(900), "{:?}", begun.elapsed());
}

#[test]
fn a_run_that_was_interrupted_is_repeated_with_continue() {
    let (folder, server) = (Folder::new(), site(SITE));
    assert_eq!(code(&mirror(&folder, &["--depth", "1", &server.url("/")])), 0);
    let refused = mirror(&folder, &["--depth", "1", &server.url("/")]);
    assert_eq!(code(&refused), 14, "nothing is overwritten: {}", text(&refused.stderr));
    let output = mirror(&folder, &["--continue", &server.url("/")]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(saved(&folder), ["a/index", "b/c.html", "b/d e.txt", "i.png", "index", "q%3Fx=1&y=2"]);
    let gets = server.requests().iter().filter(|head| head.starts_with("GET /a/")).count();
    assert_eq!(gets, 1, "what is complete is not sent again");
    let told = text(&output.stderr);
    assert!(told.contains("2 documents saved, ") && told.contains("4 documents were already complete"), "{told}");
    let told = text(&mirror(&folder, &["--continue", &server.url("/")]).stderr);
    assert!(told.contains("6 documents were already complete") && !told.contains("saved"), "{told}");
}

const TO_GO_ON: &str =
    "not everything was saved: it was interrupted; run the command again with `--continue` to go on\n";

#[test]
fn an_interrupted_pause_names_the_url_that_it_was_for_and_how_to_go_on() {
    let (folder, server) = (Folder::new(), site(SITE));
    let arguments = ["get", "-r", "--output-dir", "to", "--json", "--wait", "60s", "--ignore-robots", &server.url("/")];
    let mut program = command(arguments);
    let child = program.current_dir(&folder.0).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while saved(&folder).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(20));
        thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 130);
    assert!(text(&output.stderr).ends_with(TO_GO_ON), "{}", text(&output.stderr));
    let records = text(&output.stdout);
    let last = records.lines().last().unwrap();
    assert!(records.lines().count() == 2 && last.contains("\"error\":\"interrupted\",\"exit\":130"), "{records}");
}

#[test]
fn security_50_57_ctrl_c_leaves_complete_documents_and_a_partial_one() {
    let server = Server::new(|_, head, stream| {
        let _ = match path(head) {
            "/" => write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 14\r\nConnection: close\r\n\r\n<a href=big>b "
            ),
            _ => {
                let _ = write!(
                    stream,
                    "HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\nETag: \"1\"\r\nConnection: close\r\n\r\n"
                );
                let _ = stream.write_all(&document(2_000_000));
                thread::sleep(Duration::from_secs(20));
                Ok(())
            }
        };
    });
    let folder = Folder::new();
    let arguments = ["get", "-r", "--output-dir", "to", "--wait", "0", "--ignore-robots", &server.url("/")];
    let child = command(arguments).current_dir(&folder.0).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    let has_begun = || {
        let names = files(&folder.path("to"));
        let part = names.iter().find(|name| name.ends_with(".part"));
        part.is_some_and(|part| fs::metadata(folder.path("to").join(part)).is_ok_and(|part| part.len() > 0))
    };
    while !has_begun() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", files(&folder.path("to")));
        thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 130);
    assert!(text(&output.stderr).ends_with(TO_GO_ON), "{}", text(&output.stderr));
    assert_eq!(saved(&folder), ["big.part", "big.part.json", "index"]);
}

#[test]
fn a_tree_of_files_is_copied_and_links_that_circle_end() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("from/sub/deep")).unwrap();
    folder.file("from/a.txt", "a");
    folder.file("from/page.html", "<a href=sub/b>b</a>");
    folder.file("from/sub/b", "b");
    folder.file("from/sub/deep/c", "c");
    std::os::unix::fs::symlink("..", folder.path("from/sub/up")).unwrap();
    let output = mirror(&folder, &["--depth", "3", &format!("{}/", file_url(&folder.path("from")))]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let names = files(&folder.path("to"));
    for name in ["a.txt", "page.html", "sub/b", "sub/deep/c"] {
        assert!(names.iter().any(|found| found.ends_with(&format!("/from/{name}"))), "{name}: {names:?}");
    }
}

#[test]
fn what_is_no_tree_is_refused() {
    for url in ["telnet://127.0.0.1/", "mailto:a@b.example", "news:a.b", "wais://127.0.0.1/db"] {
        let output = mirror(&Folder::new(), &[url]);
        assert_eq!(code(&output), 5, "{url}: {}", text(&output.stderr));
    }
    for arguments in
        [&["-r", "-O"][..], &["-r", "-o", "x"], &["-r", "--parallel", "2"], &["--depth", "1"], &["-r", "-I"]]
    {
        let output = Folder::new().urlwise([&["get"], arguments, &["http://127.0.0.1/"]].concat());
        assert_eq!(code(&output), 2, "{arguments:?}");
    }
}
