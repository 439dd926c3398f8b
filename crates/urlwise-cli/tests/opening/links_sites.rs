//! `check --open --recursive`: pages, sitemaps, menus and directories of one site.

use std::io::Write;
use std::net::TcpStream;

use serde_json::Value;

use crate::links::{answer, found, open, verdicts};
use crate::support::*;

fn page(stream: &mut TcpStream, head: &str, media_type: &str, body: &str) {
    let length = body.len();
    let fields = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    let _ = stream.write_all(fields.as_bytes());
    if head.starts_with("GET") {
        let _ = stream.write_all(body.as_bytes());
    }
}

/// A site with pages that link to each other.
fn site() -> Server {
    Server::new(|_, head, stream| match path(head) {
        "/docs/" => {
            page(stream, head, "text/html", "<a href=one.html>1</a> <a href=/elsewhere>e</a> <a href=pic.png>p</a>");
        }
        "/docs/one.html" => page(stream, head, "text/html", "<a href=two.html>2</a> <a href=./>up</a>"),
        "/docs/two.html" => page(stream, head, "text/html", "<a href=gone.html>x</a> <a href=one.html#no>y</a>"),
        "/elsewhere" => page(stream, head, "text/html", "<a href=/docs/unseen.html>u</a>"),
        "/docs/pic.png" => answer(stream, "200 OK", ""),
        _ => answer(stream, "404 Not Found", ""),
    })
}

#[test]
fn pages_of_the_same_folder_are_followed_and_others_only_opened() {
    let (folder, server) = (Folder::new(), site());
    let output = open(&folder, &["--json", "--recursive", &server.url("/docs/")]);
    assert_eq!(code(&output), 1, "{output:?}");
    let objects = verdicts(&output);
    assert_eq!(found(&objects, "gone.html"), ("dead".into(), Some("not-found".into())));
    assert_eq!(objects["gone.html"]["page"], server.url("/docs/two.html").as_str());
    assert_eq!(found(&objects, "one.html#no"), ("dead".into(), Some("no-fragment".into())));
    assert_eq!(found(&objects, "/elsewhere").0, "alive");
    assert_eq!(found(&objects, "pic.png").0, "alive");
    assert!(!objects.contains_key("/docs/unseen.html"), "{objects:?}");
    let pictures: Vec<_> = server.requests().iter().filter(|head| path(head) == "/docs/pic.png").cloned().collect();
    assert!(pictures.iter().all(|head| head.starts_with("HEAD")), "{pictures:?}");
}

#[test]
fn depth_and_count_bound_the_walk() {
    let (folder, server) = (Folder::new(), site());
    let near = open(&folder, &["--json", "--recursive", "--depth", "1", &server.url("/docs/")]);
    let objects = verdicts(&near);
    assert!(objects.contains_key("two.html") && !objects.contains_key("gone.html"), "{objects:?}");
    let alone = open(&folder, &["--json", &server.url("/docs/")]);
    assert!(!verdicts(&alone).contains_key("two.html"));
    let few = open(&folder, &["--json", "--recursive", "--max-pages", "1", &server.url("/docs/")]);
    assert!(!verdicts(&few).contains_key("gone.html"));
    assert!(text(&few.stderr).contains("the limit of --max-pages is reached"), "{few:?}");
}

#[test]
fn a_sitemap_names_pages() {
    let folder = Folder::new();
    let port = std::sync::Arc::new(std::sync::OnceLock::<String>::new());
    let here = std::sync::Arc::clone(&port);
    let server = Server::new(move |_, head, stream| match path(head) {
        "/sitemap.xml" => {
            let here = here.get().unwrap();
            let map = format!(
                "<?xml version=\"1.0\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
                 <url><loc> {here}/one.html </loc></url>\n<url><loc>{here}/two?a=1&amp;b=2</loc></url></urlset>"
            );
            page(stream, head, "application/xml", &map);
        }
        "/one.html" => page(stream, head, "text/html", "<a href=gone>x</a>"),
        "/two?a=1&b=2" => answer(stream, "200 OK", ""),
        _ => answer(stream, "404 Not Found", ""),
    });
    port.set(server.url("")).unwrap();
    let output = open(&folder, &["--json", "-r", &server.url("/sitemap.xml")]);
    let objects = verdicts(&output);
    assert_eq!(found(&objects, &server.url("/two?a=1&b=2")).0, "alive", "{output:?}");
    assert_eq!(objects[&server.url("/one.html")]["line"], 3);
    assert_eq!(found(&objects, "gone").0, "dead");
    assert_eq!(objects.len(), 4, "the namespace is not a link: {objects:?}");
}

#[test]
fn gopher_menus_are_followed() {
    let folder = Folder::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            std::thread::spawn(move || {
                let mut line = String::new();
                let _ = std::io::BufRead::read_line(&mut std::io::BufReader::new(&stream), &mut line);
                let entry = |kind: char, name: &str| format!("{kind}{name}\t{name}\t127.0.0.1\t{port}\r\n");
                let menu = match line.trim_end() {
                    "" => entry('1', "/sub") + &entry('0', "/text"),
                    "/sub" => entry('0', "/sub/gone"),
                    "/text" => "a text\r\n".into(),
                    _ => "3'/sub/gone' does not exist\t\terror.host\t1\r\n".into(),
                };
                let _ = stream.write_all(format!("{menu}.\r\n").as_bytes());
            });
        }
    });
    let root = format!("gopher://127.0.0.1:{port}/");
    let output = open(&folder, &["--json", "-r", &root]);
    let objects = verdicts(&output);
    assert_eq!(found(&objects, &format!("gopher://127.0.0.1:{port}/0/text")).0, "alive", "{output:?}");
    let gone: &Value = &objects[&format!("gopher://127.0.0.1:{port}/0/sub/gone")];
    assert_eq!((&gone["verdict"], &gone["page"]), (&"dead".into(), &format!("gopher://127.0.0.1:{port}/1/sub").into()));
}
