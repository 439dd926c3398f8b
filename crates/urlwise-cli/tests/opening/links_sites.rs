//! `check --open --recursive`: pages, sitemaps, menus and directories of one site.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::links::{answer, found, open, verdicts};
use crate::prospero::server::Prospero;
use crate::real::nginx;
use crate::servers::{gophernicus, vsftpd};
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

/// Octets that a server sends in a content coding, of which it was told nothing.
fn coded(stream: &mut TcpStream, head: &str, media_type: &str, coding: &str, body: &[u8]) {
    let length = body.len();
    let fields = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Encoding: {coding}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    );
    let _ = stream.write_all(fields.as_bytes());
    if head.starts_with("GET") {
        let _ = stream.write_all(body);
    }
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn pages_that_are_compressed_unasked_are_read_or_said_not_to_be() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/" => {
            let text = "<p id=here><a href=two>2</a> <a href=two#there>3</a> <a href=two#no>4</a> <a href=#here>5</a> \
                        <a href=odd#any>6</a> <a href=raw#there>7</a> <a href=raw#none>8</a>";
            coded(stream, head, "text/html", "gzip", &gzip(text));
        }
        "/two" => coded(stream, head, "text/html", "gzip", &gzip("<p id=there><a href=gone>x</a>")),
        // A page that is stored so, of which the server says nothing.
        "/raw" => {
            let packed = gzip("<p id=there>");
            let length = packed.len();
            let fields = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            let _ = stream.write_all(fields.as_bytes());
            let _ = stream.write_all(&packed);
        }
        "/odd" => coded(stream, head, "text/html", "br", b"<a href=unread>x</a>"),
        _ => answer(stream, "404 Not Found", ""),
    });
    let output = open(&folder, &["--json", "-r", &server.url("/")]);
    let objects = verdicts(&output);
    for (target, verdict) in [
        ("two", "alive"),
        ("two#there", "alive"),
        ("two#no", "dead"),
        ("#here", "alive"),
        ("odd#any", "alive"),
        ("raw#there", "alive"),
        ("raw#none", "dead"),
        ("gone", "dead"),
    ] {
        assert_eq!(found(&objects, target).0, verdict, "{target}");
    }
    assert!(!objects.contains_key("unread"), "{objects:?}");
    let why = "its links are not checked: the page is compressed in a way that was not asked for";
    let stderr = text(&output.stderr);
    assert!(stderr.contains(&format!("{}: {why}\n", server.url("/odd"))), "{stderr}");
    assert_eq!(stderr.matches(why).count(), 1, "{stderr}");
    let given = open(&folder, &[&server.url("/odd")]);
    assert!(text(&given.stderr).contains(why), "{given:?}");
}

#[test]
fn pages_in_other_charsets_are_read_in_them() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| {
        let (media_type, body): (_, &[u8]) = match path(head) {
            "/latin1" => {
                let page =
                    b"<p id=\"caf\xE9\"><a href=\"#caf\xE9\">1</a> <a href=\"#th\xE9\">2</a> <a href=\"na\xEFf\">3</a> \
                            <a href=\"x?caf\xE9#y\">4</a>";
                ("text/html; charset=iso-8859-1", page)
            }
            "/sjis" => ("text/html", b"<meta charset=shift_jis><h1 id='\x93\xFA\x96\x7B'>"),
            "/utf16" => ("text/html", b"\xFF\xFE<\0p\0 \0i\0d\0=\0a\0>\0"),
            "/unknown" => ("text/html", b"<p id=\"caf\xE9\">"),
            "/na%C3%AFf" => ("text/plain", b""),
            _ => return answer(stream, "404 Not Found", ""),
        };
        let length = body.len();
        let fields = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        let _ = stream.write_all(fields.as_bytes());
        if head.starts_with("GET") {
            let _ = stream.write_all(body);
        }
    });
    let links = [
        ("/latin1#caf%C3%A9", "alive"),
        ("/latin1#caf\u{e9}", "alive"),
        ("/latin1#th%C3%A9", "dead"),
        // A browser may read it in the charset of the page.
        ("/latin1#caf%E9", "alive"),
        ("/sjis#%E6%97%A5%E6%9C%AC", "alive"),
        ("/sjis#\u{65e5}\u{672c}", "alive"),
        ("/sjis#\u{65e5}", "dead"),
        ("/utf16#a", "alive"),
        ("/utf16#b", "dead"),
        ("/unknown#caf%C3%A9", "alive"),
        ("/unknown#b", "dead"),
    ];
    let list: String = links.iter().map(|(path, _)| format!("[x](<{}>)\n", server.url(path))).collect();
    folder.file("a.md", list);
    let objects = verdicts(&open(&folder, &["--json", "a.md"]));
    for (path, verdict) in links {
        assert_eq!(found(&objects, &server.url(path)).0, verdict, "{path}");
    }
    let page = open(&folder, &["--json", &server.url("/latin1")]);
    let objects = verdicts(&page);
    for (target, verdict) in
        [("#caf\u{e9}", "alive"), ("#th\u{e9}", "dead"), ("na\u{ef}f", "alive"), ("x?caf\u{e9}#y", "skipped")]
    {
        assert_eq!(found(&objects, target).0, verdict, "{page:?}");
    }
}

#[test]
fn a_sitemap_names_pages() {
    let folder = Folder::new();
    let port = Arc::new(OnceLock::<String>::new());
    let here = Arc::clone(&port);
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

#[test]
fn menus_of_gophernicus_are_followed() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("root/docs")).unwrap();
    folder.file("root/docs/b.txt", "b\n");
    folder.file("root/docs/gophermap", "0there\tb.txt\n0gone\tgone.txt\n");
    let Some((_server, port)) = gophernicus(&folder) else { return };
    let output = open(&folder, &["--json", "-r", &format!("gopher://127.0.0.1:{port}/")]);
    let objects = verdicts(&output);
    let url = |path: &str| format!("gopher://127.0.0.1:{port}/{path}");
    assert_eq!(found(&objects, &url("0/docs/b.txt")).0, "alive", "{output:?}");
    assert_eq!(found(&objects, &url("0/docs/gone.txt")), ("dead".into(), Some("not-found".into())), "{output:?}");
    assert_eq!(objects[&url("0/docs/gone.txt")]["page"], url("1/docs/").as_str(), "{output:?}");
}

#[test]
fn directories_of_vsftpd_are_followed() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("home/pub/sub dir/deep")).unwrap();
    fs::create_dir(folder.path("home/other")).unwrap();
    folder.file("home/pub/a b.txt", "line\n");
    folder.file("home/pub/sub dir/deep/c", "c");
    std::os::unix::fs::symlink("gone", folder.path("home/pub/sub dir/dangling")).unwrap();
    let Some((_server, port)) = vsftpd(&folder) else { return };
    let root = format!("ftp://127.0.0.1:{port}/pub/");
    let output = open(&folder, &["--json", "-r", &root]);
    let objects = verdicts(&output);
    assert_eq!(code(&output), 1, "{output:?}");
    for name in ["a%20b.txt", "sub%20dir/deep/c"] {
        assert_eq!(found(&objects, &format!("{root}{name}")).0, "alive", "{output:?}");
    }
    let dangling = &objects[&format!("{root}sub%20dir/dangling")];
    assert_eq!((&dangling["verdict"], &dangling["cause"]), (&"dead".into(), &"not-found".into()));
    assert!(dangling["page"].as_str().unwrap().starts_with(&format!("{root}sub%20dir")), "{dangling}");
    assert!(!objects.keys().any(|url| url.contains("/other")), "{objects:?}");
    let flat = verdicts(&open(&folder, &["--json", "-r", "--depth", "1", &root]));
    assert!(!flat.contains_key(&format!("{root}sub%20dir/deep/c")), "{flat:?}");
}

#[test]
fn directories_of_prospero_are_followed() {
    let folder = Folder::new();
    // The directory is listed to see whether it is there, and for its links. What they name has no answer.
    let sessions = ["16-none-found", "01-list-small", "29-verify-existing", "02-list-all-link-kinds"];
    let server = Prospero::playing(&sessions);
    let root = format!("prospero://127.0.0.1:{}/pfs/demo", server.port);
    let output = open(&folder, &["--json", "-r", "--parallel", "1", "--retry", "0", "--max-time", "1", &root]);
    let objects = verdicts(&output);
    assert_eq!(found(&objects, &root).0, "alive", "{output:?}");
    let of_root: Vec<_> = objects.values().filter(|object| object["page"] == root.as_str()).collect();
    let inside = format!("prospero://LOCALHOST:{}//pfs/demo/sub%20dir", server.port);
    assert!(of_root.iter().any(|object| object["target"] == inside.as_str()), "{of_root:#?}");
    assert!(of_root.iter().any(|object| object["target"].as_str().unwrap().starts_with("gopher:")), "{of_root:#?}");
}

/// Gzip of a text.
fn packed(text: &str) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(text.as_bytes()).unwrap();
    packer.finish().unwrap()
}

fn urls(urls: &[String]) -> String {
    let urls: Vec<_> = urls.iter().map(|url| format!("<url>\n<loc>{url}</loc></url>")).collect();
    format!("<?xml version=\"1.0\"?>\n<urlset>{}</urlset>\n", urls.concat())
}

#[test]
fn sitemaps_that_robots_txt_names_are_read_from_nginx() {
    let folder = Folder::new();
    for name in ["root/docs", "root/maps"] {
        fs::create_dir_all(folder.path(name)).unwrap();
    }
    let Some(nginx) = nginx(&folder) else { return };
    let url = |path: &str| format!("http://127.0.0.1:{}{path}", nginx.port);
    for name in ["index.html", "one.html", "three.html", "other.html"] {
        folder.file(&format!("root/docs/{name}"), "<p>");
    }
    folder.file("root/docs/two.html", "<a href=gone.html>x</a>");
    folder.file("root/other.html", "<a href=never.html>x</a>");
    folder.file(
        "root/robots.txt",
        format!("# maps\r\nSITEMAP: {}\r\nSitemap: {}\n", url("/maps/index.xml"), url("/maps/none.xml")),
    );
    let index = [url("/maps/plain.xml"), url("/maps/packed.xml.gz")];
    let index: Vec<_> = index.iter().map(|url| format!("<sitemap><loc><![CDATA[ {url} ]]></loc></sitemap>")).collect();
    folder.file("root/maps/index.xml", format!("<sitemapindex>{}</sitemapindex>", index.concat()));
    folder.file("root/maps/plain.xml", urls(&[url("/docs/one.html"), url("/other.html")]));
    folder.file("root/maps/packed.xml.gz", packed(&urls(&[url("/docs/two.html"), url("/docs/missing.html")])));
    let output = open(&folder, &["--json", "-r", &url("/docs/")]);
    let objects = verdicts(&output);
    for (target, verdict, page) in [
        ("/maps/index.xml", "alive", "/robots.txt"),
        ("/maps/none.xml", "dead", "/robots.txt"),
        ("/maps/plain.xml", "alive", "/maps/index.xml"),
        ("/maps/packed.xml.gz", "alive", "/maps/index.xml"),
        ("/docs/one.html", "alive", "/maps/plain.xml"),
        ("/docs/two.html", "alive", "/maps/packed.xml.gz"),
        ("/docs/missing.html", "dead", "/maps/packed.xml.gz"),
    ] {
        let object = &objects[&url(target)];
        assert_eq!((&object["verdict"], &object["page"]), (&verdict.into(), &url(page).into()), "{target}");
    }
    assert_eq!(objects[&url("/maps/index.xml")]["line"], 2);
    assert_eq!(objects[&url("/docs/missing.html")]["line"], 4);
    assert_eq!(objects["gone.html"]["verdict"], "dead", "a page of a sitemap is followed");
    assert!(!objects.contains_key(&url("/other.html")), "it is not below the folder that was given: {objects:?}");
    let alone = verdicts(&open(&folder, &["--json", &url("/docs/")]));
    assert_eq!(alone.len(), 1, "without --recursive nobody asks for robots.txt: {alone:?}");
    let ignoring = verdicts(&open(&folder, &["--json", "-r", "--ignore-robots", &url("/docs/")]));
    assert_eq!(ignoring.len(), 1, "{ignoring:?}");
    // A list of sitemaps that a person names is read in full.
    let named = verdicts(&open(&folder, &["--json", "-r", &url("/maps/index.xml")]));
    assert_eq!(found(&named, &url("/other.html")).0, "alive", "{named:?}");
    let packed = verdicts(&open(&folder, &["--json", "-r", &url("/maps/packed.xml.gz")]));
    assert_eq!(found(&packed, &url("/docs/missing.html")).0, "dead", "{packed:?}");
}

#[test]
fn links_that_robots_txt_forbids_are_skipped() {
    let folder = Folder::new();
    let elsewhere = Server::new(|_, _, stream| answer(stream, "200 OK", ""));
    let other = elsewhere.url("/private/x");
    let server = Server::new(move |_, head, stream| match path(head) {
        "/robots.txt" => page(stream, head, "text/plain", "User-agent: *\nDisallow: /private/\nAllow: /private/ok\n"),
        "/" => page(
            stream,
            head,
            "text/html",
            &format!("<a href=/private/no>1</a> <a href=/private/ok>2</a> <a href={other}>3</a>"),
        ),
        _ => answer(stream, "200 OK", ""),
    });
    let output = open(&folder, &["--json", "-r", &server.url("/")]);
    let objects = verdicts(&output);
    assert_eq!(found(&objects, "/private/no"), ("skipped".into(), Some("robots".into())), "{output:?}");
    assert_eq!(found(&objects, "/private/ok").0, "alive");
    assert_eq!(found(&objects, &elsewhere.url("/private/x")).0, "alive", "its server was not asked for rules");
    assert!(elsewhere.requests().iter().all(|head| path(head) != "/robots.txt"));
    let asked: Vec<_> = server.requests().iter().map(|head| path(head).to_owned()).collect();
    assert!(!asked.contains(&"/private/no".into()), "{asked:?}");
    assert_eq!(asked.iter().filter(|path| *path == "/robots.txt").count(), 1, "{asked:?}");
    let ignoring = verdicts(&open(&folder, &["--json", "-r", "--ignore-robots", &server.url("/")]));
    assert_eq!(found(&ignoring, "/private/no").0, "alive");
    // What a person names is opened, and a document is not a site.
    let given = verdicts(&open(&folder, &["--json", "-r", &server.url("/private/no")]));
    assert_eq!(found(&given, &server.url("/private/no")).0, "alive");
    folder.file("a.md", format!("<{}>\n", server.url("/private/no")));
    assert_eq!(found(&verdicts(&open(&folder, &["--json", "a.md"])), &server.url("/private/no")).0, "alive");
}

#[test]
fn without_an_answer_to_robots_txt_nothing_is_followed() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/robots.txt" => answer(stream, "503 Service Unavailable", ""),
        "/" => page(stream, head, "text/html", "<a href=/x>1</a>"),
        _ => answer(stream, "404 Not Found", ""),
    });
    let output = open(&folder, &["--json", "-r", &server.url("/")]);
    assert_eq!(found(&verdicts(&output), "/x"), ("skipped".into(), Some("robots".into())));
    let why = "no links of this server are followed (see `--ignore-robots`)";
    assert!(text(&output.stderr).contains(&format!("{}: ", server.url("/robots.txt"))), "{output:?}");
    assert!(text(&output.stderr).contains(why), "{output:?}");
}

#[test]
fn a_sitemap_that_unpacks_to_too_much_ends() {
    let folder = Folder::new();
    let port = Arc::new(OnceLock::<String>::new());
    let here = Arc::clone(&port);
    let server = Server::new(move |_, head, stream| match path(head) {
        "/bomb.xml.gz" => {
            let first = urls(&[format!("{}/first", here.get().unwrap())]);
            let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
            packer.write_all(first.as_bytes()).unwrap();
            (0..200).for_each(|_| packer.write_all(&vec![b' '; 1 << 20]).unwrap());
            packer.write_all(urls(&[format!("{}/last", here.get().unwrap())]).as_bytes()).unwrap();
            let body = packer.finish().unwrap();
            let fields = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/gzip\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(fields.as_bytes());
            let _ = stream.write_all(&body);
        }
        _ => answer(stream, "404 Not Found", ""),
    });
    port.set(server.url("")).unwrap();
    let objects = verdicts(&open(&folder, &["--json", &server.url("/bomb.xml.gz")]));
    assert!(objects.contains_key(&server.url("/first")) && !objects.contains_key(&server.url("/last")), "{objects:?}");
}

#[test]
fn what_is_wrong_with_a_url_of_a_page_is_not_said_of_standard_input() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/robots.txt" => page(stream, head, "text/plain", "User-agent: *\nSitemap: http://h.dom:99999/s.xml\n"),
        "/" => page(stream, head, "text/html", "<a href=\"http://h.dom/a%zz\">x</a>"),
        _ => answer(stream, "404 Not Found", ""),
    });
    for format in ["human", "markdown", "junit", "github", "sarif"] {
        let output = open(&folder, &["--recursive", "--format", format, &server.url("/")]);
        let said = text(&output.stdout);
        assert!(said.contains("bnf-escape") && said.contains("port-range"), "{format}: {said}");
        assert!(!said.contains("stdin"), "{format}: {said}");
    }
}

#[test]
fn reports_about_links_of_a_page_name_the_page_its_line_and_its_column() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/s/" => page(stream, head, "text/html", "<a href=b.html>b</a>"),
        "/s/b.html" => {
            page(stream, head, "text/html", "<p>\n<a href=gone.html>g</a>\n<a href='http://h.dom/a%zz'>x</a>");
        }
        _ => answer(stream, "404 Not Found", ""),
    });
    let url = server.url("/s/b.html");
    let reported = |format: &str| {
        let output = open(&folder, &["--recursive", "--format", format, &server.url("/s/")]);
        text(&output.stdout)
    };
    let human = reported("human");
    assert!(human.contains(&format!("{url}:3:24\nerror[bnf-escape]")), "{human}");
    let github = reported("github");
    assert!(github.contains(&format!("::error title=link-dead::{url}:2:9: gone.html: ")), "{github}");
    assert!(github.contains(&format!("::error title=bnf-escape::{url}:3:24: http://h.dom/a%25zz: ")), "{github}");
    let junit = reported("junit");
    let place = |spot: &str, line: u8| format!("classname=\"{url}\" name=\"{spot}\" file=\"{url}\" line=\"{line}\"");
    assert!(junit.contains(&place("2:9 gone.html", 2)), "{junit}");
    assert!(junit.contains(&place("3:24 http://h.dom/a%zz", 3)), "{junit}");
    let markdown = reported("markdown");
    for spot in ["2\\:9 | error | link-dead", "3\\:24 | error | bnf-escape"] {
        assert!(markdown.contains(&format!("/s/b\\.html\\:{spot} |")), "{markdown}");
    }
    let sarif: Value = serde_json::from_str(&reported("sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    for (rule, start, end) in [("link-dead", [2, 9], [2, 18]), ("bnf-escape", [3, 24], [3, 25])] {
        let result = results.iter().find(|result| result["ruleId"] == rule).unwrap();
        let place = serde_json::json!({
            "artifactLocation": { "uri": url },
            "region": { "startLine": start[0], "startColumn": start[1], "endLine": end[0], "endColumn": end[1] },
        });
        assert_eq!(result["locations"], serde_json::json!([{ "physicalLocation": place }]), "{result}");
    }
}

#[test]
fn what_is_wrong_in_a_sitemap_is_reported_where_it_stands_there() {
    let (folder, map) = (Folder::new(), "<urlset>\n<url> <loc>\n  http://h.dom/a%zz\n</loc></url></urlset>");
    let server = Server::new(move |_, head, stream| match path(head) {
        "/s.xml" => page(stream, head, "application/xml", map),
        _ => answer(stream, "404 Not Found", ""),
    });
    let output = text(&open(&folder, &[&server.url("/s.xml")]).stdout);
    assert!(output.contains(&format!("{}:3:17\nerror[bnf-escape]", server.url("/s.xml"))), "{output}");
}

#[test]
fn what_is_wrong_behind_references_of_a_sitemap_is_reported_where_it_is_written() {
    let map = "<urlset>\n<url><loc>http://h.dom/?a&amp;b&amp;%zz</loc></url>\n\
               <url><loc> <![CDATA[ http://h.dom/?a&amp;%zz ]]></loc></url></urlset>";
    let folder = Folder::new();
    let server = Server::new(move |_, head, stream| match path(head) {
        "/s.xml" => page(stream, head, "application/xml", map),
        _ => answer(stream, "404 Not Found", ""),
    });
    let output = text(&open(&folder, &[&server.url("/s.xml")]).stdout);
    for (line, written) in map.lines().enumerate().skip(1) {
        let (line, column) = (line + 1, written.find("%zz").unwrap() + 1);
        let expected = format!("{}:{line}:{column}\nerror[bnf-escape]", server.url("/s.xml"));
        assert!(output.contains(&expected), "{expected}: {output}");
    }
    // The whole link.
    let sarif = text(&open(&folder, &["--format", "sarif", &server.url("/s.xml")]).stdout);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let dead = results.iter().filter(|result| result["ruleId"] == "link-dead");
    let regions: Vec<_> = dead.map(|result| &result["locations"][0]["physicalLocation"]["region"]).collect();
    let columns = |(line, start, end)| serde_json::json!({ "startLine": line, "startColumn": start, "endLine": line, "endColumn": end });
    assert_eq!(regions, [&columns((2, 11, 40)), &columns((3, 22, 45))]);
}

#[test]
fn security_49_a_sitemap_of_elements_without_an_end_takes_linear_time() {
    let map = format!("<urlset>{}", "<loc><![CDATA[http://h.dom/%zz".repeat(20_000));
    let folder = Folder::new();
    let server = Server::new(move |_, head, stream| match path(head) {
        "/s.xml" => page(stream, head, "application/xml", &map),
        _ => answer(stream, "404 Not Found", ""),
    });
    let start = Instant::now();
    let output = text(&open(&folder, &[&server.url("/s.xml")]).stdout);
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    assert_eq!(output.matches("error[").count(), 20_000, "each is wrong");
}

#[test]
fn security_14_the_password_of_a_page_is_masked_where_reports_name_the_page() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| match path(head) {
        "/" => page(stream, head, "text/html", "<a href=gone>g</a> <a href='http://h.dom/a%zz'>x</a>"),
        _ => answer(stream, "404 Not Found", ""),
    });
    let url = server.url("/").replace("//", "//joe:hunter2@");
    for format in ["human", "markdown", "junit", "github", "sarif"] {
        let said = text(&open(&folder, &["--format", format, &url]).stdout);
        assert!(said.contains("joe") && said.contains("gone") && !said.contains("hunter2"), "{format}: {said}");
    }
}
