//! Pages in other languages: every kind of page, and no English left on it but names and code.

use std::collections::BTreeSet;

use urlwise::Language;
use urlwise_serve::Options;

use super::browser::{Browser, encoded, local, say};
use super::hosts::{Host, prospero};

/// Names, which are the same in every language, and what the servers of this test send.
const NAMES: &[&str] = &[
    "urlwise",
    "gopher",
    "Gopher",
    "http",
    "https",
    "news",
    "nntp",
    "wais",
    "WAIS",
    "prospero",
    "Prospero",
    "mailto",
    "telnet",
    "telnets",
    "Telnet",
    "file",
    "Finger",
    "finger",
    "urlsplit",
    "urllib",
    "curl",
    "WHATWG",
    "anonymous",
    "Subject",
    "Message",
    "Newsgroups",
    "References",
    "ADMIN",
    "ABSTRACT",
    "INFO",
    "VIEWS",
    "netrc",
    "HTTP",
    "HTML",
    "motd",
    "nonsense",
    "hsoname",
    "nHELO",
    "current",
    // The name of a status of HTTP: 404 Not Found.
    "Found",
];

/// The texts of these attributes are read by people.
const SPOKEN: &[&str] =
    &[" aria-label=\"", " title=\"", " data-part=\"", " data-name=\"", " data-asked=\"", " data-refused=\""];

/// What people read on a page, without code.
fn spoken(page: &str) -> String {
    let mut text = String::new();
    let (mut code, mut pieces) = (0, page.split('<'));
    pieces.next();
    for piece in pieces {
        let (tag, after) = piece.split_once('>').unwrap();
        let name = tag.split(' ').next().unwrap();
        match name {
            "code" | "kbd" | "pre" | "script" | "style" | "textarea" => code += 1,
            "/code" | "/kbd" | "/pre" | "/script" | "/style" | "/textarea" => code -= 1,
            _ => {}
        }
        for attribute in SPOKEN {
            text += " ";
            text += tag.split_once(attribute).map_or("", |(_, value)| value.split('"').next().unwrap());
        }
        if code == 0 {
            text += " ";
            text += after;
        }
    }
    text
}

/// The English words of a page, as far as they are not names, URLs, placeholders or commands of protocols.
fn english(page: &str) -> BTreeSet<String> {
    let text = spoken(page).replace("&quot;", "\"");
    let runs = text.split(|c: char| !c.is_ascii_graphic()).filter(|run| !run.contains([':', '/', '@', '.', '{']));
    let words = runs.flat_map(|run| run.split(|c: char| !c.is_ascii_alphabetic()));
    let words = words.filter(|word| word.len() > 3 && word.contains(|c: char| c.is_ascii_lowercase()));
    words.filter(|word| !NAMES.contains(word)).map(str::to_owned).collect()
}

fn news() -> Host {
    let rows = [
        ("", "200 x\r\n"),
        ("CAPABILITIES", "101 x\r\nVERSION 2\r\nREADER\r\nOVER\r\nLIST ACTIVE NEWSGROUPS OVERVIEW.FMT\r\n.\r\n"),
        ("GROUP", "211 2 1 2 g.x\r\n"),
        ("OVER", "224 x\r\n1\tS\tF\t\t<a@b>\t\t1\t1\r\n2\tS\tF\t\t<c@d>\t<a@b>\t1\t1\r\n.\r\n"),
        ("ARTICLE 1", "220 1 <a@b>\r\nSubject: S\r\nNewsgroups: g.x\r\n\r\nx\r\n.\r\n"),
        ("ARTICLE", "423 x\r\n"),
    ];
    Host::lines(rows.iter().map(|(begin, answer)| (*begin, answer.as_bytes().to_vec())).collect())
}

fn http(media_type: &str, body: &str) -> Host {
    let length = body.len();
    Host::http(format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n{body}"))
}

/// A page of every kind, as paths, and what must stay until they are asked for.
fn paths() -> (Vec<String>, Vec<Host>) {
    let info = "+-1\r\n+INFO: 1x\t/x\t127.0.0.1\t70\t?\r\n";
    let ask = format!("{info}+ASK:\r\n Note: N\r\n Ask: A\r\n Select: S:1\r\n.\r\n");
    let views = format!("{info}+ADMIN:\r\n Admin: A\r\n+VIEWS:\r\n text/plain: <1k>\r\n.\r\n");
    let (menu, text) =
        (Host::gopher("0x\t/x\th\t70\r\n1\t\t\t0\r\n3e\t\t\t0\r\niI\t\t\t0\r\n.\r\n"), "x\r\n".repeat(1 << 20));
    let (empty, long) = (Host::gopher(".\r\n"), Host::gopher(text));
    let (ask, views) = (Host::gopher(ask), Host::gopher(views));
    let ftp = Host::ftp("220 x\r\n", "type=file;size=1;modify=20260101000000; a\r\ntype=dir; b\r\n");
    let (page, binary, svg) = (http("text/html", "<p>x</p>"), http("x/y", "\0"), http("image/png", "\u{89}PNG\r\n"));
    let (missing, news) = (Host::http("HTTP/1.1 404 x\r\nContent-Length: 0\r\n\r\n"), news());
    let port = prospero(&[("", "VERSION 5 x\nLINK  L DIRECTORY 'a' INTERNET-D 'h(1525)' ASCII '/b' 0\n")]);
    let opened = [
        menu.url("gopher", ""),
        menu.url("gopher", "0/x"),
        menu.url("gopher", "7/x"),
        empty.url("gopher", ""),
        long.url("gopher", "0/x"),
        ask.url("gopher", "1/x%09%09?"),
        views.url("gopher", "1/x%09%09!"),
        ftp.url("ftp", "%2F/"),
        ftp.url("ftp", "a;type=i"),
        page.url("http", ""),
        binary.url("http", ""),
        svg.url("http", ""),
        missing.url("http", "a/b"),
        news.url("nntp", "g.x"),
        news.url("nntp", "g.x/1"),
        news.url("nntp", "g.x/7"),
        format!("prospero://127.0.0.1:{port}//x"),
        "wais://h.example/x".into(),
        "mailto:a@h.example?subject=S&body=B".into(),
        "telnet://a@h.example/".into(),
        "file:///etc/motd".into(),
        "gopher://h.example:25/".into(),
        "http://h.example/ a".into(),
        "http:/h".into(),
        "nonsense".into(),
    ];
    let explained = [
        "ftp://a:b@h.example:2121/%2Fc//d;type=a",
        "ftp://h.example/ a",
        "gopher://h.example:25/0a%0D%0AHELO%20x",
        "http://a.example\\@127.0.0.1:8080/",
        "http://127.0.0.1/",
        "file:///etc/motd",
        "gopher://h.example/7a%09b",
        "nntp://h.example/g.x/1",
        "telnet://a@h.example/",
        "mailto:a@h.example?subject=S",
        "prospero://h.example//a;b=c",
        "wais://h.example/a?b",
        "x-a:b",
        "nonsense",
    ];
    let mut paths = vec!["/".to_owned(), "/handlers".into(), "/nothing".into(), "/start/0".into()];
    paths.extend(opened.map(|url| format!("/open?url={}", encoded(&url))));
    paths.extend(explained.map(|url| format!("/explain?url={}", encoded(url))));
    (paths, vec![menu, empty, long, ask, views, ftp, page, binary, svg, missing, news])
}

fn browser(language: Language, port: u16) -> Browser {
    let mut options = local();
    (options.language, options.port) = (language, port);
    Browser::new(options)
}

/// A port that is free until it is asked for.
fn port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn no_page_in_another_language_has_an_english_word() {
    let (paths, _hosts) = paths();
    let own = browser(Language::En, port());
    let mut known = 0;
    for path in &paths {
        known += usize::from(!english(&own.get(path).text()).is_empty());
    }
    assert_eq!(known, paths.len(), "the test finds the words of English pages");
    for language in [Language::Ja, Language::Zh] {
        let (browser, mut left) = (browser(language, port()), Vec::new());
        for path in &paths {
            let page = browser.get(path).text();
            assert!(page.contains(&format!("<html lang=\"{}\">", language.tag())), "{page}");
            left.extend(Some((path, english(&page))).filter(|(_, words)| !words.is_empty()));
        }
        assert_eq!(left, []);
    }
}

#[test]
fn what_is_refused_is_said_in_the_language_of_the_pages() {
    for language in [Language::En, Language::Ja, Language::Zh] {
        let mut options = Options::default();
        options.language = language;
        let browser = Browser::new(options);
        let (port, path) = (browser.port, "/open?url=mailto%3Aa%40h.example");
        let host = format!("Host: 127.0.0.1:{port}\r\n");
        let cross = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: document\r\n";
        let pages = [
            browser.get_with(path, cross),
            browser.get_with("/", cross),
            browser.get_with(path, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: image\r\n"),
            browser.get("/handlers"),
            browser.post("/search", "url=gopher%3A%2F%2Fh%2F7x&words=a"),
            browser.post_with("/search", "", "a=b"),
            browser.post_with("/search", "Sec-Fetch-Site: cross-site\r\n", "a=b"),
            say(port, format!("GET / HTTP/1.1\r\n{host}\r\n")),
            say(port, "GET / HTTP/1.1\r\nHost: h.example\r\n\r\n"),
            say(port, "GET / HTTP/1.1\r\n\r\n"),
            say(port, format!("PUT / HTTP/1.1\r\n{host}\r\n")),
            say(port, format!("GET / HTTP/1.1\r\n{host}\r\nx")),
            say(port, format!("GET / HTTP/2.0\r\n{host}\r\n")),
            say(port, format!("GET / HTTP/1.1\r\n{host}Expect: x\r\n\r\n")),
            say(port, format!("POST / HTTP/1.1\r\n{host}\r\n")),
            say(port, format!("POST / HTTP/1.1\r\n{host}Content-Length: x\r\n\r\n")),
            say(port, format!("POST / HTTP/1.1\r\n{host}Content-Length: 1\r\n\r\n")),
        ];
        for page in pages {
            let is_english = language == Language::En;
            assert_eq!(!english(&page.text()).is_empty(), is_english, "{:?}: {}", english(&page.text()), page.text());
            assert!(page.text().contains(&format!("<html lang=\"{}\">", language.tag())));
        }
    }
}

#[test]
fn a_file_is_written_in_its_language() {
    let client = urlwise_open::Client::new(urlwise_open::Options::default());
    for language in [Language::Ja, Language::Zh] {
        let page = urlwise_serve::explanation_in(b"ftp://a:s3cret@h.example/%2Fb;type=a", None, &client, language);
        assert_eq!(english(&page), BTreeSet::new(), "{page}");
        assert!(!page.contains("s3cret") && page.contains("<b>/b</b>"), "{page}");
    }
}
