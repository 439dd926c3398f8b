//! Who may ask for what: sessions, pages of others, and URLs that lead where a page may not lead.

use super::browser::{Browser, encoded, local, run, say, split};
use super::hosts::Host;
use urlwise_open::Proxies;
use urlwise_serve::Options;

fn menu() -> Host {
    Host::gopher("iHello\t\t\t0\r\n.\r\n")
}

#[test]
fn security_64_without_the_cookie_nothing_is_shown_or_opened() {
    let (browser, host) = (Browser::new(local()), menu());
    let path = format!("/open?url={}", encoded(&host.url("gopher", "")));
    for cookie in ["", "Cookie: a=b\r\n", "Cookie: urlwise=x\r\n", "Cookie: urlwise-1=\r\n"] {
        for path in ["/", path.as_str(), "/save?url=gopher%3A%2F%2Fh%2F", "/raw?url=x"] {
            let head = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{cookie}\r\n", browser.port);
            assert_eq!(say(browser.port, head).status, 403, "{path} {cookie}");
        }
    }
    assert_eq!(host.connections(), 0);
    assert_eq!(browser.open(&host.url("gopher", "")).status, 200);
}

#[test]
fn security_64_the_address_that_is_printed_works_once() {
    let (port, path) = split(&run(local()));
    let get = |path: &str| say(port, format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"));
    assert_eq!((get("/start/").status, get("/start/00").status), (403, 403));
    let first = get(&path);
    let cookie = first.field("Set-Cookie");
    assert!(
        cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Strict") && !cookie.contains("Domain"),
        "{cookie}"
    );
    assert_eq!((first.status, first.field("Location")), (303, "/"));
    let second = get(&path);
    assert_eq!((second.status, second.field("Set-Cookie")), (403, ""));
}

#[test]
fn security_64_a_program_gets_an_address_that_shows_its_url() {
    let gateway = urlwise_serve::Gateway::bind(local()).unwrap();
    let (port, path) = split(&gateway.start_url_for("gopher://h.example/1\"'<>\r\nX: y").unwrap());
    std::thread::spawn(move || gateway.run());
    let answer = say(port, format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"));
    assert_eq!(answer.field("Location"), "/open?url=gopher%3A%2F%2Fh.example%2F1%22%27%3C%3E%0D%0AX%3A%20y");
    assert_eq!(answer.field("X"), "");
}

#[test]
fn security_63_pages_of_others_open_nothing() {
    let (browser, host) = (Browser::new(local()), menu());
    let path = format!("/open?url={}", encoded(&host.url("gopher", "")));
    for (fields, expected) in [
        ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: image\r\n", 403),
        ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: iframe\r\n", 403),
        ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: empty\r\n", 403),
        ("Sec-Fetch-Site: same-site\r\nSec-Fetch-Dest: script\r\n", 403),
        ("Sec-Fetch-Site: something\r\n", 403),
        ("Origin: http://evil.example\r\n", 403),
        ("Origin: null\r\n", 403),
        // A link on a page of others: the person is asked, and nothing is opened meanwhile.
        ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: document\r\n", 200),
        ("Sec-Fetch-Site: same-site\r\nSec-Fetch-Dest: document\r\n", 200),
    ] {
        let answer = browser.get_with(&path, fields);
        assert_eq!(answer.status, expected, "{fields}");
        assert!(!answer.text().contains("Hello"), "{fields}");
        assert_eq!(answer.field("X-Frame-Options").len() + answer.field("Access-Control-Allow-Origin").len(), 0);
    }
    assert_eq!(host.connections(), 0);
    let asked = browser.get_with(&path, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: document\r\n").text();
    assert!(asked.contains("Nothing has been opened yet") && asked.contains("href=\"/open?url=gopher%3A"), "{asked}");
    let save = path.replace("/open", "/save");
    assert_eq!(browser.get_with(&save, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: document\r\n").status, 403);
}

#[test]
fn security_63_forms_of_others_send_nothing() {
    let (browser, host) = (Browser::new(local()), menu());
    let search = host.url("gopher", "7/find");
    let token = Browser::token(&browser.open(&search).text());
    let own = format!("Origin: http://127.0.0.1:{}\r\n", browser.port);
    let body = format!("url={}&words=maps&token={token}", encoded(&search));
    for (fields, body, expected) in [
        ("", body.clone(), 403),
        ("Sec-Fetch-Site: cross-site\r\n", body.clone(), 403),
        ("Sec-Fetch-Site: same-site\r\n", body.clone(), 403),
        ("Sec-Fetch-Site: none\r\n", body.clone(), 403),
        ("Origin: http://evil.example\r\nSec-Fetch-Site: same-origin\r\n", body.clone(), 403),
        ("Origin: http://evil.example\r\n", body.clone(), 403),
        ("Origin: null\r\n", body.clone(), 403),
        ("Origin: null\r\nSec-Fetch-Site: same-site\r\n", body.clone(), 403),
        ("Origin: null\r\nSec-Fetch-Site: cross-site\r\n", body.clone(), 403),
        ("Origin: null\r\nSec-Fetch-Site: none\r\n", body.clone(), 403),
        ("Sec-Fetch-Site: same-origin\r\n", format!("url={}&words=maps", encoded(&search)), 403),
        ("Sec-Fetch-Site: same-origin\r\n", body.replace(&token, &"0".repeat(32)), 403),
        // An old browser: nothing says that it is a page of ours.
        (own.as_str(), body.clone(), 403),
        (&format!("{own}Sec-Fetch-Site: same-origin\r\n"), body.clone(), 303),
        ("Sec-Fetch-Site: same-origin\r\n", body.clone(), 303),
    ] {
        let answer = browser.post_with("/search", fields, &body);
        assert_eq!(answer.status, expected, "{fields} {body}");
    }
    assert_eq!(host.connections(), 0, "a search is opened by what follows");
    let told = browser.post_with("/search", &own, &body).text();
    assert!(told.contains("<code>Sec-Fetch-Site</code>") && told.contains("Use a browser of 2023 or later"), "{told}");
    let mut stranger = Browser { port: browser.port, cookie: "a=b".into() };
    assert_eq!(stranger.post("/search", &body).status, 403);
    stranger.cookie.clone_from(&browser.cookie);
    assert_eq!(stranger.post("/search", &body).status, 303);
}

#[test]
fn security_64_get_changes_nothing_and_post_opens_nothing() {
    let (browser, host) = (Browser::new(local()), menu());
    let url = encoded(&host.url("gopher", "1/form%09%09?"));
    for path in ["/search", "/submit"] {
        let answer = browser.get(&format!("{path}?url={url}&words=x"));
        assert_eq!((answer.status, answer.field("Allow")), (405, "POST"), "{path}");
    }
    let token = Browser::token(&browser.open(&host.url("gopher", "7/find")).text());
    for path in ["/open", "/save", "/raw", "/"] {
        let answer = browser.post(path, &format!("url={url}&token={token}"));
        assert_eq!((answer.status, answer.field("Allow")), (405, "GET, HEAD"), "{path}");
    }
    assert_eq!(host.connections(), 0);
}

#[test]
fn security_68_what_a_page_may_not_lead_to_is_refused() {
    let inside = menu();
    let browser = Browser::new(Options::default());
    for (url, rule) in [
        (inside.url("gopher", ""), "local-from-public"),
        (inside.url("http", ""), "local-from-public"),
        (inside.url("ftp", ""), "local-from-public"),
        (inside.url("gopher", "").replace("127.0.0.1", "localhost"), "local-from-public"),
        (inside.url("gopher", "").replace("127.0.0.1", "[::ffff:127.0.0.1]"), "local-from-public"),
        ("gopher://10.0.0.1/".into(), "local-from-public"),
        ("http://169.254.169.254/latest/meta-data/".into(), "address-metadata"),
        ("http://[fd00::1]/".into(), "local-from-public"),
        ("file:///etc/passwd".into(), "file-from-network"),
        ("file://localhost/etc/passwd".into(), "file-from-network"),
        ("gopher://h.example:25/0HELO".into(), "gopher-smtp"),
        ("gopher://h.example:6379/0x".into(), "port-foreign"),
        ("http://h.example:22/".into(), "port-foreign"),
        ("gopher://h.example/0a%0d%0ab".into(), ""),
        ("ftp://h.example/a%0D%0ADELE%20b".into(), "ctl-crlf"),
        ("gopher://h.example:0/".into(), "port-zero"),
        ("mailto:a@h.example?bcc=b@h.example".into(), "mailto-inject"),
        ("ftp://-h.example/".into(), ""),
    ] {
        let answer = browser.open(&url);
        let text = answer.text();
        // Without a rule, it is not even a valid URL.
        let expected = if rule.is_empty() { 400 } else { 403 };
        assert!(answer.status == expected && text.contains(rule), "{url}: {text}");
        for path in ["/save", "/raw"] {
            assert!(browser.get(&format!("{path}?url={}", encoded(&url))).status >= 400, "{path} {url}");
        }
    }
    assert_eq!(inside.connections(), 0);
}

#[test]
fn a_scheme_that_is_not_supported_is_no_fault_of_another_server() {
    let browser = Browser::new(Options::default());
    for url in ["x-a:b", "javascript:alert(1)"] {
        assert_eq!(browser.open(url).status, 501, "{url}");
    }
}

#[test]
fn security_68_metadata_services_are_not_among_the_local_servers_that_the_start_allowed() {
    let browser = Browser::new(local());
    for url in ["http://169.254.169.254/latest/", "http://[::ffff:169.254.169.254]/", "gopher://100.100.100.200/"] {
        let answer = browser.open(url);
        assert!(answer.status == 403 && answer.text().contains("address-metadata"), "{url}: {}", answer.text());
        assert!(!answer.text().contains("--allow"), "no option opens it: {}", answer.text());
    }
}

#[test]
fn security_68_a_proxy_is_not_asked_for_local_names() {
    let proxy = Host::http("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    let through = |mut options: Options| {
        options.client.proxies = Proxies::all(&format!("127.0.0.1:{}", proxy.port)).expect("a proxy");
        Browser::new(options)
    };
    let (strict, lifted) = (through(Options::default()), through(local()));
    for (browser, url, rule) in [
        (&strict, "http://localhost:21000/a", "local-from-public"),
        (&strict, "https://X.LOCALHOST./", "local-from-public"),
        (&strict, "http://printer.local/", "local-from-public"),
        (&strict, "http://metadata.google.internal/x", "address-metadata"),
        (&lifted, "http://metadata.google.internal/x", "address-metadata"),
    ] {
        for path in ["/open", "/save", "/raw"] {
            let answer = browser.get(&format!("{path}?url={}", encoded(url)));
            assert!(answer.status == 403 && answer.text().contains(rule), "{path} {url}: {}", answer.text());
        }
    }
    assert_eq!(proxy.connections(), 0);
    assert_eq!(strict.open("http://h.example/").status, 200);
    assert_eq!(proxy.connections(), 1);
}

#[test]
fn security_68_redirects_and_menus_lead_no_further() {
    let inside = menu();
    let redirect =
        |location: &str| Host::http(format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"));
    let browser = Browser::new(local());
    for location in
        ["file:///etc/passwd", "gopher://127.0.0.1:6379/", "ftp://127.0.0.1/", "javascript:alert(1)", "//127.0.0.1:22/"]
    {
        let answer = browser.open(&redirect(location).url("http", ""));
        assert!(answer.status >= 400, "{location}: {}", answer.text());
        assert!(!answer.text().contains("root:"), "{location}");
    }
    let lines = format!(
        "0a\tURL:file:///etc/passwd\t\t0\r\nhb\tURL:javascript:alert(1)\t\t0\r\n1c\t/\t127.0.0.1\t{}\r\n.\r\n",
        inside.port
    );
    let page = browser.open(&Host::gopher(lines).url("gopher", "")).text();
    assert!(!page.contains("href=\"javascript:") && !page.contains("href=\"file:"), "{page}");
    assert_eq!(inside.connections(), 0, "a link is opened by a click alone");
}

#[test]
fn security_68_the_rules_of_addresses_hold_after_a_redirect() {
    // The servers of tests are local, so what is left to refuse is what no option allows.
    let browser = Browser::new(local());
    for location in ["http://169.254.169.254/latest/", "//169.254.169.254/latest/", "http://[fd00:ec2::254]/"] {
        let host = Host::http(format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"));
        for path in ["/open", "/save", "/raw"] {
            let answer = browser.get(&format!("{path}?url={}", encoded(&host.url("http", ""))));
            assert!(
                answer.status == 403 && answer.text().contains("address-metadata"),
                "{location}: {}",
                answer.text()
            );
        }
        assert_eq!(host.connections(), 3, "the first server is asked each time");
    }
}

#[test]
fn security_68_a_gateway_does_not_open_its_own_pages() {
    let browser = Browser::new(local());
    let own = |path: &str| format!("http://127.0.0.1:{}{path}", browser.port);
    for path in ["/", "/explain?url=x:y", "/open?url=http://127.0.0.1/"] {
        let page = browser.open(&own(path));
        assert!(page.status >= 400 && !page.text().contains("The ten schemes"), "{path}: {}", page.text());
    }
    let redirect = format!("HTTP/1.1 302 Found\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n", own("/"));
    assert!(browser.open(&Host::http(redirect).url("http", "")).status >= 400);
}

#[test]
fn security_68_files_are_opened_only_where_the_start_allowed_it() {
    let folder = std::env::temp_dir().join(format!("urlwise-serve-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("a <b>.txt"), "of this machine").unwrap();
    let url = format!("file://{}/", folder.display());
    assert_eq!(Browser::new(Options::default()).open(&url).status, 403);
    let mut options = Options::default();
    options.files = true;
    let page = Browser::new(options).open(&url).text();
    assert!(page.contains("a &lt;b&gt;.txt"), "{page}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn security_69_a_login_of_a_url_is_neither_sent_nor_shown() {
    let host = Host::ftp("220 here\r\n", "x");
    let browser = Browser::new(local());
    let url = format!("ftp://joe:s3cret@127.0.0.1:{}/a", host.port);
    let page = browser.open(&url).text();
    assert!(!page.contains("s3cret"), "{page}");
    assert!(!host.heard().concat().contains("s3cret"), "{:?}", host.heard());
    let link = "0x\tURL:ftp://joe:s3cret@h.example/\t\t0\r\ni ftp://joe:s3cret@h.example/\t\t\t0\r\n.\r\n";
    let page = browser.open(&Host::gopher(link).url("gopher", "")).text();
    assert!(!page.contains("s3cret"), "{page}");
    for invalid in ["ftp://joe:s3cret@h.example/a b", "htp://joe:s3cret@h.example/"] {
        let page = browser.open(invalid).text();
        assert!(!page.contains("s3cret"), "{page}");
    }
}
