//! Servers that write scripts into everything they send. Nothing of it is markup in a page of ours.

use super::browser::{Answer, Browser, encoded, local};
use super::hosts::{Host, prospero};

/// Stands in every field that is attacked.
const EVIL: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>";

/// The names of the elements that pages of ours have.
const OURS: &[&str] = &[
    "!doctype", "html", "head", "meta", "title", "link", "body", "a", "header", "form", "label", "input", "button",
    "nav", "ol", "li", "span", "main", "h1", "h2", "p", "table", "thead", "tbody", "tr", "th", "td", "small", "time",
    "footer", "dl", "dt", "dd", "code", "div", "ul", "section", "b", "strong", "mark", "pre", "article", "select",
    "option", "textarea", "kbd", "iframe", "img",
];

/// The page holds no element and no attribute but ours, and the text of the attack is shown or left out.
fn is_calm(answer: &Answer) {
    let text = answer.text();
    let policy = answer.field("Content-Security-Policy");
    assert!(policy.contains("default-src 'none'") && !policy.contains("script-src"), "{policy}");
    for tag in text.split('<').skip(1) {
        let name = tag.trim_start_matches('/').split([' ', '>']).next().unwrap().to_ascii_lowercase();
        assert!(OURS.contains(&name.as_str()), "<{name}> in {text}");
        let attributes = tag.split('>').next().unwrap();
        let names: String = attributes.split('"').step_by(2).collect();
        assert!(!names.contains(" on") && !names.contains(" style=") && !names.contains('\''), "{attributes}");
        if name == "img" {
            assert!(attributes.contains("src=\"/raw?url="), "{attributes}");
        }
        for scheme in ["href=\"javascript:", "href=\"data:", "src=\"http://h", "action=\"h"] {
            assert!(!attributes.contains(scheme), "{attributes}");
        }
    }
}

fn calm(url: &str) -> String {
    let answer = Browser::new(local()).open(url);
    is_calm(&answer);
    answer.text()
}

#[test]
fn security_67_gopher_titles_selectors_hosts_and_errors() {
    let menu = format!(
        "0{EVIL}\t/{EVIL}\t{EVIL}\t70\r\n1t\tURL:javascript:alert(1)//{EVIL}\th.example\t70\r\ni{EVIL}\t\t\t0\r\n3{EVIL}\t\t\t0\r\n\
         8{EVIL}\t{EVIL}\th.example\t23\r\n{EVIL}\t\t\t0\r\n7{EVIL}\t{EVIL}\th.example\t70\r\n.\r\n"
    );
    let page = calm(&Host::gopher(menu).url("gopher", ""));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{page}");
    let page = calm(&Host::gopher(format!("3{EVIL}\terror.host\t1\t0\r\n.\r\n")).url("gopher", "0/x"));
    assert!(page.contains("&lt;script&gt;"), "{page}");
}

#[test]
fn security_67_gopher_texts() {
    let page = calm(&Host::gopher(format!("{EVIL}\r\n</pre></main>{EVIL}\r\n.\r\n")).url("gopher", "0/x"));
    assert!(page.contains("&lt;/pre&gt;&lt;/main&gt;"), "{page}");
}

#[test]
fn security_67_gopher_plus_attributes_views_and_forms() {
    let info = "+-1\r\n+INFO: 1x\t/x\t127.0.0.1\t70\t?\r\n";
    let attributes = format!(
        "{info}+{EVIL}: {EVIL}\r\n {EVIL}\r\n+ADMIN:\r\n Admin: {EVIL}\r\n+VIEWS:\r\n {EVIL} {EVIL}: <1k>\r\n+ABSTRACT:\r\n {EVIL}\r\n.\r\n"
    );
    calm(&Host::gopher(attributes).url("gopher", "1/x%09%09!"));
    let form = format!(
        "{info}+ASK:\r\n Note: {EVIL}\r\n Ask: {EVIL}\t{EVIL}\r\n AskP: {EVIL}\t{EVIL}\r\n AskL: {EVIL}\t</textarea>{EVIL}\r\n \
         Choose: {EVIL}\t{EVIL}\t</option></select>{EVIL}\r\n Select: {EVIL}:1\r\n ChooseF: {EVIL}\r\n AskF: {EVIL}\t{EVIL}\r\n.\r\n"
    );
    let page = calm(&Host::gopher(form).url("gopher", "1/x%09%09?"));
    assert!(page.contains("&lt;/textarea&gt;") && page.contains("&lt;/select&gt;"), "{page}");
}

#[test]
fn security_67_ftp_names_and_replies() {
    let names = format!("type=file;size=1;modify=20260101000000; {EVIL}\r\ntype=dir;modify={EVIL}; b\r\n{EVIL}\r\n");
    let page = calm(&Host::ftp("220 here\r\n", names).url("ftp", ""));
    assert!(page.contains("&lt;script&gt;"), "{page}");
    let refusal: &'static str = "530-<script>alert(1)</script>\r\n530 \"'><img src=x onerror=alert(1)>\r\n";
    calm(&Host::ftp(refusal, "").url("ftp", "a"));
}

fn news(rows: &[(&'static str, String)]) -> Host {
    let own = [
        ("", "200 hello\r\n".to_owned()),
        (
            "CAPABILITIES",
            "101 these\r\nVERSION 2\r\nREADER\r\nOVER\r\nLIST ACTIVE NEWSGROUPS OVERVIEW.FMT\r\n.\r\n".to_owned(),
        ),
        ("GROUP", "211 1 1 1 g.x\r\n".to_owned()),
    ];
    Host::lines(own.iter().chain(rows).map(|(begin, answer)| (*begin, answer.clone().into_bytes())).collect())
}

#[test]
fn security_67_news_overviews_groups_headers_and_texts() {
    let overview = format!("224 these\r\n1\t{EVIL}\t{EVIL}\t{EVIL}\t<{EVIL}@x>\t<{EVIL}@y>\t{EVIL}\t{EVIL}\r\n.\r\n");
    let host = news(&[("OVER", overview.clone()), ("XOVER", overview)]);
    calm(&host.url("nntp", "g.x"));
    let head: String = [
        "From",
        "Reply-To",
        "Newsgroups",
        "Followup-To",
        "Subject",
        "Date",
        "Organization",
        "Message-ID",
        "References",
    ]
    .map(|name| format!("{name}: {EVIL} =?utf-8?q?=3Cscript=3Ealert=282=29=3C/script=3E?=\r\n"))
    .concat();
    let parts = format!(
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n{EVIL}\r\n--b\r\nContent-Type: \
         image/svg+xml; name=\"{EVIL}\"\r\n\r\n{EVIL}\r\n--b--\r\n"
    );
    let article = format!("220 1 <a@b>\r\n{head}{parts}.\r\n");
    let page = calm(&news(&[("ARTICLE", article)]).url("nntp", "g.x/1"));
    assert!(page.contains("&lt;script&gt;"), "{page}");
    let groups = format!("215 these\r\n{} 1 1 y\r\ng.x 1 1 {EVIL}\r\n.\r\n", EVIL.replace(' ', ""));
    calm(&news(&[("LIST", groups)]).url("news", "*"));
    let described = [
        ("LIST ACTIVE", "215 these\r\ng.x 1 1 y\r\n.\r\n".into()),
        ("LIST NEWSGROUPS", format!("215 these\r\ng.x {EVIL}\r\n.\r\n")),
    ];
    let page = calm(&news(&described).url("news", "*"));
    assert!(page.contains("&lt;script&gt;"), "{page}");
    calm(&news(&[("ARTICLE", format!("430 {EVIL}\r\n"))]).url("nntp", "g.x/1"));
}

#[test]
fn security_67_greetings_and_banners() {
    calm(&Host::ftp("220-<script>alert(1)</script>\r\n220 \"'><img src=x onerror=alert(1)>\r\n", "x").url("ftp", "a"));
    calm(&Host::ftp("421 <script>alert(1)</script>\"'><img src=x onerror=alert(1)>\r\n", "").url("ftp", ""));
    for code in [200, 400, 480, 502] {
        calm(&Host::lines(vec![("", format!("{code} {EVIL}\r\n").into_bytes())]).url("nntp", "g.x"));
    }
    let fields =
        format!("Server: {EVIL}\r\nX-Powered-By: {EVIL}\r\nContent-Disposition: attachment; filename=\"{EVIL}\"\r\n");
    let body = "x".repeat(10);
    calm(&Host::http(format!("HTTP/1.1 200 {EVIL}\r\n{fields}Content-Length: 10\r\n\r\n{body}")).url("http", ""));
    // Not what the scheme says at all.
    let other = || Host::lines(vec![("", format!("{EVIL}\r\n").into_bytes())]);
    calm(&other().url("ftp", ""));
    calm(&other().url("nntp", "g.x"));
    calm(&other().url("http", ""));
    calm(&Host::gopher(format!("{EVIL}\r\n{EVIL}{EVIL}{EVIL}")).url("wais", "db?x"));
}

/// A field of WAIS: a tag, a length, both in groups of seven bits, and octets.
fn field(tag: usize, octets: &[u8]) -> Vec<u8> {
    let number = |number: usize| -> Vec<u8> {
        let groups = (0..5).rev().map(|group| (number >> (7 * group)) & 0x7F).skip_while(|group| *group == 0);
        let mut groups: Vec<u8> = groups.map(|group| u8::try_from(group).unwrap() | 0x80).collect();
        *groups.last_mut().expect("no number here is 0") &= 0x7F;
        groups
    };
    [number(tag), number(octets.len()), octets.to_vec()].concat()
}

/// A message of WAIS with its header.
fn message(octets: &[u8]) -> Vec<u8> {
    [format!("{:010}z2wais        0", octets.len()).as_bytes(), octets].concat()
}

/// A WAIS server whose every search brings this, in the format of recorded answers.
fn wais(information: &[u8]) -> Host {
    use std::io::{Read, Write};
    let recorded = concat!(env!("CARGO_MANIFEST_DIR"), "/../urlwise-open/tests/wire/wais/init.s2c.bin");
    let init = std::fs::read(recorded).unwrap();
    // SearchResponse: a status, three counts, and that nothing is left to present.
    let fields = [&[23, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0][..], &field(27, &[0])].concat();
    let length = u16::try_from(fields.len()).unwrap().to_be_bytes();
    let found = message(&[&length[..], &fields, &field(99, information)].concat());
    Host::new(move |mut reader, heard| {
        let mut header = [0; 25];
        while reader.read_exact(&mut header).is_ok() {
            let mut request = vec![0; std::str::from_utf8(&header[..10]).unwrap().parse().unwrap()];
            if reader.read_exact(&mut request).is_err() {
                return;
            }
            heard("asked".into());
            let answer = if request[2] == 20 { &init } else { &found };
            let _ = reader.get_mut().write_all(answer);
        }
    })
}

/// What the attack looks like where it is text.
const SEEN: &str = "&lt;script&gt;alert(1)&lt;/script&gt;&quot;'&gt;&lt;img src=x onerror=alert(1)&gt;";

#[test]
fn security_67_headlines_and_all_other_fields_of_wais() {
    let evil = EVIL.as_bytes();
    let id = [field(2, evil), field(3, evil), field(7, &[0])].concat();
    let hit = [
        field(116, &id),
        field(118, &[3]),
        field(132, &[field(133, b"TEXT"), field(133, evil)].concat()),
        field(121, evil),
        field(122, evil),
        field(123, evil),
        field(124, evil),
    ];
    let page = calm(&wais(&field(150, &hit.concat())).url("wais", "db?x"));
    // A hit of two types is two entries with one headline.
    assert_eq!(page.matches(&[SEEN, "</a>"].concat()).count(), 2, "{page}");
    let diagnostic = [b"S1", evil, &[0]].concat();
    let length = u16::try_from(diagnostic.len()).unwrap().to_be_bytes();
    let diagnostic = [&[28][..], &length, &diagnostic, &[29]].concat();
    let page = calm(&wais(&diagnostic).url("wais", "db?x"));
    assert!(page.contains("cannot do this search") && page.contains("&lt;script&gt;alert(1)"), "{page}");
    // The id of a document is what its URL says.
    let text = field(153, &[field(116, &id), field(117, &[0]), field(127, evil)].concat());
    let document = encoded(&String::from_utf8(field(3, evil)).unwrap());
    let page = calm(&wais(&text).url("wais", &format!("{}/TEXT/{document}", encoded(EVIL))));
    assert!(page.contains(&["\n", SEEN, "\n</pre>"].concat()), "{page}");
    let page = calm(&wais(&diagnostic).url("wais", &format!("{}?{}", encoded(EVIL), encoded(EVIL))));
    assert!(page.matches("&lt;script&gt;alert(1)").count() > 2, "the database and the words: {page}");
}

#[test]
fn security_67_names_and_attributes_of_prospero() {
    let quoted = ["'", &EVIL.replace('\'', "''"), "'"].concat();
    let server = |lines: String| {
        let answer: &'static str = Box::leak(["VERSION 5 x\n", &lines].concat().into_boxed_str());
        prospero(Box::leak(Box::new([("", answer)])))
    };
    let open = |lines: String| calm(&format!("prospero://127.0.0.1:{}//pfs", server(lines)));
    let link =
        |name: &str, host: &str, object: &str| format!("LINK L DIRECTORY {name} INTERNET-D {host} ASCII {object} 0\n");
    for (field, lines, is_seen) in [
        ("a name", link(&quoted, "H.EXAMPLE", "/a"), true),
        ("a host", link("a", &quoted, "/a"), false),
        ("an object", link("a", "H.EXAMPLE", &quoted), false),
        ("a kind", format!("LINK L {quoted} a INTERNET-D H.EXAMPLE ASCII /a 0\n"), false),
        (
            "a description",
            link("a", "H.EXAMPLE", "/a")
                + &format!("ATTRIBUTE LINK APPLICATION MENU-ITEM-DESCRIPTION SEQUENCE {quoted}\n"),
            true,
        ),
        (
            "a size, a date and a type",
            link("a", "H.EXAMPLE", "/a")
                + &format!("ATTRIBUTE LINK INTRINSIC SIZE SEQUENCE {quoted}\n")
                + &format!("ATTRIBUTE LINK INTRINSIC LAST-MODIFIED SEQUENCE {quoted}\n")
                + &format!("ATTRIBUTE LINK INTRINSIC OBJECT-INTERPRETATION SEQUENCE {quoted}\n"),
            false,
        ),
        (
            "the name of an attribute",
            link("a", "H.EXAMPLE", "/a") + &format!("ATTRIBUTE LINK APPLICATION {quoted} SEQUENCE {quoted}\n"),
            false,
        ),
        (
            "the text of a session",
            "LINK L EXTERNAL a INTERNET-D H.EXAMPLE ASCII '' 0\n".to_owned()
                + &format!("ATTRIBUTE REPLACEMENT FIELD ACCESS-METHOD TELNET '' '' '' '' {quoted}\n"),
            true,
        ),
        (
            "an access method",
            "LINK L EXTERNAL a INTERNET-D H.EXAMPLE ASCII '' 0\n".to_owned()
                + &format!("ATTRIBUTE CACHED FIELD ACCESS-METHOD AFS DUMMY {quoted} ASCII {quoted}\n"),
            true,
        ),
        ("a warning", format!("WARNING OUT-OF-DATE {quoted}\n") + &link("a", "H.EXAMPLE", "/a"), true),
        ("a failure", format!("FAILURE NOT-FOUND {quoted}\n"), true),
        ("an error", format!("ERROR {quoted}\n"), true),
    ] {
        let page = open(lines);
        assert_eq!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), is_seen, "{field}: {page}");
    }
    let method = |tokens: &str| format!("ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE {tokens}\n");
    let methods = method(&format!("{quoted} INTERNET-D {quoted} ASCII {quoted} {quoted}"))
        + &method(&format!("AFTP INTERNET-D H.EXAMPLE ASCII {quoted} TEXT"));
    let page = Browser::new(local())
        .get(&format!("/open?url=prospero%3A%2F%2F127%2E0%2E0%2E1%3A{}%2F%2Fa&list=yes", server(methods)));
    is_calm(&page);
    assert!(page.text().matches(SEEN).count() >= 4, "all tokens of a method without a URL: {}", page.text());
}

#[test]
fn security_67_headers_and_bodies_of_http() {
    let refused =
        format!("HTTP/1.1 404 {EVIL}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{EVIL}", EVIL.len());
    calm(&Host::http(refused).url("http", ""));
    let typed = format!("HTTP/1.1 200 OK\r\nContent-Type: {EVIL}\r\nContent-Length: {}\r\n\r\n{EVIL}", EVIL.len());
    let page = calm(&Host::http(typed).url("http", ""));
    assert!(page.contains("&lt;script&gt;"), "{page}");
    let redirect = format!("HTTP/1.1 302 x\r\nLocation: http://127.0.0.1:9/{EVIL}\r\nContent-Length: 0\r\n\r\n");
    calm(&Host::http(redirect).url("http", ""));
}

#[test]
fn security_67_finger_mail_and_telnet() {
    calm(&Host::gopher(format!("{EVIL}\r\n")).url("finger", "joe"));
    let escaped = encoded(EVIL);
    let page = calm(&format!("mailto:joe@h.example?subject={escaped}&body={escaped}"));
    assert!(page.contains("&lt;script&gt;"), "{page}");
    calm(&format!("telnet://{escaped}:{escaped}@h.example/"));
}

#[test]
fn security_67_urls_and_texts_that_are_none() {
    let escaped = encoded(EVIL);
    for url in [
        EVIL.to_owned(),
        format!("gopher://h.example/0{EVIL}"),
        format!("{EVIL}://h.example/"),
        format!("wais://h.example/{escaped}"),
        format!("gopher://h.example:70/7{escaped}"),
        format!("x{escaped}:{EVIL}"),
        "javascript:alert(1)".to_owned(),
        "data:text/html,<script>alert(1)</script>".to_owned(),
    ] {
        is_calm(&Browser::new(urlwise_serve::Options::default()).open(&url));
    }
}

#[test]
fn security_62_no_name_of_a_file_gets_into_a_field() {
    let browser = Browser::new({
        let mut options = local();
        options.file_name = |_| "a\"b\r\nSet-Cookie: x=y\u{e9}.txt".to_owned();
        options
    });
    let answer = browser.get(&format!("/save?url={}", encoded(&Host::gopher("x").url("gopher", "9/a"))));
    assert_eq!((answer.field("Set-Cookie"), answer.body.as_slice()), ("", &b"x"[..]));
    assert_eq!(
        answer.field("Content-Disposition"),
        "attachment; filename=\"a_b__Set-Cookie__x_y_.txt\"; filename*=UTF-8''a%22b%0D%0ASet-Cookie%3A%20x%3Dy%C3%A9.txt"
    );
    assert_eq!(answer.field("Content-Type"), "application/octet-stream");
}

#[test]
fn security_62_no_search_gets_into_a_field() {
    let browser = Browser::new(local());
    let host = Host::gopher(".\r\n");
    let search = host.url("gopher", "7/find");
    let token = Browser::token(&browser.open(&search).text());
    let body = format!("token={token}&url={}&words=a%0D%0ASet-Cookie%3A%20x%3Dy", encoded(&search));
    let answer = browser.post("/search", &body);
    assert_eq!((answer.status, answer.field("Set-Cookie")), (303, ""));
    assert!(
        answer.field("Location").ends_with("%09a%250D%250ASet-Cookie:%2520x=y")
            || answer.field("Location").contains("%250D%250A")
    );
    assert_eq!(browser.get(answer.field("Location")).status, 403, "the policy refuses the line end");
}

#[test]
fn security_66_pages_of_others_are_shown_by_the_second_origin_alone() {
    let page =
        format!("<!doctype html><title>x</title>{EVIL}<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>");
    let answer = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{page}", page.len());
    let host = Host::http(answer);
    let browser = Browser::new(local());
    let shown = browser.open(&host.url("http", ""));
    is_calm(&shown);
    let text = shown.text();
    let frame = text.split_once("<iframe sandbox=\"\"").unwrap().1.split_once("src=\"http://127.0.0.1:").unwrap().1;
    let (port, key) = frame.split('"').next().unwrap().split_once('/').unwrap();
    let port: u16 = port.parse().unwrap();
    assert_ne!(port, browser.port);
    assert!(shown.field("Content-Security-Policy").contains(&format!("frame-src http://127.0.0.1:{port}")));

    let ask = |key: &str, fields: &str| {
        super::browser::say(port, format!("GET /{key} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{fields}\r\n"))
    };
    let framed = ask(key, "Sec-Fetch-Dest: iframe\r\n");
    assert_eq!((framed.status, framed.text().as_str()), (200, page.as_str()));
    let policy = framed.field("Content-Security-Policy");
    assert!(policy.starts_with("sandbox; default-src 'none'") && !policy.contains("allow-"), "{policy}");
    assert!(policy.contains(&format!("frame-ancestors http://127.0.0.1:{}", browser.port)), "{policy}");

    // Not as a page of its own, not by another key or name, and not the pages of the first origin.
    assert_eq!(ask(key, "Sec-Fetch-Dest: document\r\n").status, 403);
    for other in ["0".repeat(32).as_str(), "", "open?url=gopher%3A%2F%2Fh%2F", "style.css"] {
        assert_eq!(ask(other, "").status, 403, "{other}");
    }
    let rebound = super::browser::say(port, format!("GET /{key} HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n"));
    assert_eq!(rebound.status, 421);
}

#[test]
fn security_66_what_is_no_picture_is_not_sent_as_one() {
    let browser = Browser::new(local());
    let raw = |host: &Host, path: &str| browser.get(&format!("/raw?url={}", encoded(&host.url("gopher", path))));
    let picture = Host::gopher(&b"\x89PNG\r\n\x1a\n<script>"[..]);
    let answer = raw(&picture, "I/a.png");
    assert_eq!((answer.status, answer.field("Content-Type")), (200, "image/png"));
    assert!(answer.field("Content-Security-Policy").starts_with("sandbox; default-src 'none'"));
    for (octets, path) in [
        (EVIL, "I/a.png"),
        ("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "I/a.svg"),
        ("<html><script>alert(1)</script>", "h/a.html"),
        ("%PDF-1.4", "9/a.pdf"),
    ] {
        assert_eq!(raw(&Host::gopher(octets), path).status, 404, "{octets}");
    }
    // Whatever the server says it is.
    let typed = format!("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: {}\r\n\r\n{EVIL}", EVIL.len());
    let host = Host::http(typed);
    assert_eq!(browser.get(&format!("/raw?url={}", encoded(&host.url("http", "a.png")))).status, 404);
}

#[test]
fn security_67_what_is_said_of_a_url() {
    let browser = Browser::new(urlwise_serve::Options::default());
    let escaped = encoded(EVIL);
    for url in [
        format!("ftp://joe:s3cret@h.example/{escaped}/{EVIL}"),
        format!("gopher://h.example/7{escaped}%09{escaped}%09{escaped}"),
        format!("http://{EVIL}@h.example/"),
        format!("news:{escaped}@h.example"),
        format!("mailto:{escaped}@h.example?subject={escaped}"),
        format!("http://h.example\\@{EVIL}/"),
        EVIL.to_owned(),
    ] {
        let answer = browser.get(&["/explain?url=", &encoded(&url)].concat());
        assert_eq!(answer.status, 200, "{url}");
        is_calm(&answer);
        assert!(!answer.text().contains("s3cret"), "{url}");
    }
}
