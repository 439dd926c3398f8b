//! Requests that are not what they seem: hosts that are not ours, fields that hide a second request, heads without an end.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::browser::{Browser, connect, encoded, hear, local, run, say, split};
use super::hosts::Host;

/// A head of GET with these fields.
fn get(path: &str, fields: &str) -> String {
    format!("GET {path} HTTP/1.1\r\n{fields}\r\n")
}

#[test]
fn security_59_a_gateway_is_on_loopback_and_on_a_port_of_its_own() {
    let (one, two) = (split(&run(local())).0, split(&run(local())).0);
    assert!(one != two && one > 1023 && two > 1023);
    // Every other address leads to nobody: one of the loopback network that is not ours, and that of the machine, if it has one.
    assert!(TcpStream::connect(("127.0.0.2", one)).is_err());
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").unwrap();
    if socket.connect("192.0.2.1:9").is_ok()
        && let Ok(address) = socket.local_addr()
        && !address.ip().is_loopback()
    {
        assert!(TcpStream::connect((address.ip(), one)).is_err(), "{address}");
    }
}

#[test]
fn security_59_the_same_pages_are_at_both_addresses_of_loopback() {
    let browser = Browser::new(local());
    let says = |mut stream: TcpStream, host: &str| {
        let fields = format!("Host: {host}:{}\r\nCookie: {}\r\n", browser.port, browser.cookie);
        stream.write_all(get("/", &fields).as_bytes()).unwrap();
        hear(&mut stream)
    };
    let page = says(connect(browser.port), "127.0.0.1");
    assert!(page.status == 200 && page.text().contains("The ten schemes"));
    // A machine may have no IPv6.
    if std::net::TcpListener::bind("[::1]:0").is_ok() {
        let stream = TcpStream::connect(("::1", browser.port)).expect("the gateway listens on ::1");
        assert_eq!(says(stream, "[::1]").body, page.body);
        let stream = TcpStream::connect(("::1", browser.port)).expect("the gateway listens on ::1");
        assert_eq!(says(stream, "evil.example").status, 421);
    }
}

/// The addresses at which this process listens on a port, as the kernel has them.
#[cfg(target_os = "linux")]
fn listening(port: u16) -> Vec<String> {
    let mut found = Vec::new();
    for table in ["/proc/self/net/tcp", "/proc/self/net/tcp6"] {
        let rows = std::fs::read_to_string(table).unwrap_or_default();
        for row in rows.lines().skip(1) {
            let fields: Vec<&str> = row.split_ascii_whitespace().collect();
            let Some((address, number)) = fields[1].split_once(':') else { continue };
            // The state 0A is LISTEN.
            if fields[3] == "0A" && u16::from_str_radix(number, 16) == Ok(port) {
                found.push(address.to_owned());
            }
        }
    }
    found
}

#[cfg(target_os = "linux")]
#[test]
fn security_59_the_kernel_knows_no_listener_but_those_of_loopback() {
    let browser = Browser::new(local());
    let page = browser
        .open(&Host::http("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1\r\n\r\nx").url("http", ""));
    let text = page.text();
    let foreign = text.split_once("src=\"http://127.0.0.1:").expect("a frame of the second origin").1;
    let foreign = foreign.split('/').next().unwrap().parse().unwrap();
    for port in [browser.port, foreign] {
        // 127.0.0.1 and ::1, in groups of four octets of this machine's order.
        let loopback =
            [u32::from_ne_bytes([127, 0, 0, 1]), u32::from_ne_bytes([0, 0, 0, 1])].map(|last| format!("{last:08X}"));
        let own = [loopback[0].clone(), ["0".repeat(24), loopback[1].clone()].concat()];
        let found = listening(port);
        assert!(found.contains(&own[0]) && found.iter().all(|address| own.contains(address)), "{port}: {found:?}");
    }
}

#[test]
fn security_60_a_second_request_behind_the_first_is_not_served() {
    let browser = Browser::new(local());
    let host = Host::gopher("iHello\t\t\t0\r\n.\r\n");
    let path = format!("/open?url=gopher%3A%2F%2F127.0.0.1%3A{}%2F", host.port);
    let own = format!("Host: 127.0.0.1:{}\r\nCookie: {}\r\n", browser.port, browser.cookie);
    for hidden in [
        format!("{}{}", get("/style.css", &own), get(&path, &own)),
        format!("{}{}", get("/style.css", &format!("{own}Content-Length: 9\r\n")), get(&path, &own)),
        format!("{}0\r\n\r\n{}", get("/style.css", &format!("{own}Transfer-Encoding: chunked\r\n")), get(&path, &own)),
        format!(
            "{}{}",
            get("/style.css", &format!("{own}Content-Length: 0\r\nContent-Length: 90\r\n")),
            get(&path, &own)
        ),
    ] {
        let answer = say(browser.port, &hidden);
        assert!(answer.status >= 400 && answer.field("Connection") == "close", "{hidden}: {}", answer.head);
    }
    assert_eq!(host.connections(), 0);
}

#[test]
fn security_61_a_head_without_an_end_is_cut_off() {
    let (port, _) = split(&run(local()));
    let answer = say(port, format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX: {}", "a".repeat(70_000)));
    assert_eq!(answer.status, 431);
}

#[test]
fn security_61_a_browser_that_speaks_an_octet_at_a_time_is_not_waited_for() {
    let (port, _) = split(&run(local()));
    let (start, mut stream) = (Instant::now(), connect(port));
    for octet in "GET / HTTP/1.1\r\nHost: x\r\nX: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".bytes() {
        if stream.write_all(&[octet]).is_err() || start.elapsed() > Duration::from_secs(12) {
            break;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(hear(&mut stream).status, 408);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn security_63_a_name_that_was_pointed_here_gets_nothing() {
    let browser = Browser::new(local());
    for host in ["evil.example", "127.0.0.2", "127.0.0.1.evil.example", "0.0.0.0", "evil.example\r\nX: 127.0.0.1"] {
        let fields = format!("Host: {host}:{}\r\nCookie: {}\r\n", browser.port, browser.cookie);
        for path in ["/", "/style.css", "/open?url=gopher%3A%2F%2Fh%2F", "/start/0"] {
            let answer = say(browser.port, get(path, &fields));
            assert_eq!(answer.status, 421, "{host} {path}");
            assert!(answer.field("Set-Cookie").is_empty() && answer.field("Access-Control-Allow-Origin").is_empty());
        }
    }
    assert_eq!(
        say(browser.port, get("/", &format!("Host: localhost:{}\r\nCookie: {}\r\n", browser.port, browser.cookie)))
            .status,
        200
    );
    assert_eq!(say(browser.port, get("/", "")).status, 400, "without a Host");
}

#[test]
fn security_60_what_is_not_get_head_or_post_is_refused() {
    let (port, _) = split(&run(local()));
    for method in ["PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PRI", "head"] {
        for (path, allowed) in [
            ("/", "GET, HEAD"),
            ("/open?url=x", "GET, HEAD"),
            ("/search", "POST"),
            ("/start/abc", "GET, HEAD"),
            ("/style.css", "GET, HEAD"),
        ] {
            let answer = say(port, format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"));
            assert_eq!((answer.status, answer.field("Allow")), (405, allowed), "{method} {path}");
            assert!(answer.head.contains("\r\nAllow: "), "RFC 9110 section 15.5.6: {}", answer.head);
            let said = format!("The method {method} is not for this address, only {allowed}.");
            assert!(answer.text().contains(&said), "{}", answer.text());
        }
    }
    let answer = say(port, format!("GET /no HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"));
    assert!(answer.status == 404 && !answer.head.contains("\r\nAllow:"), "{}", answer.head);
}

#[test]
fn security_60_the_answer_to_head_is_the_head_of_that_to_get() {
    let browser = Browser::new(local());
    let picture = Host::http("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nGIF89a");
    let menu = Host::gopher("iHello\t\t\t0\r\n.\r\n");
    let missing = Host::http("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    for (path, status) in [
        ("/".to_owned(), 200),
        ("/style.css".into(), 200),
        ("/no".into(), 404),
        ("/search".into(), 405),
        ("//x".into(), 400),
        ("/start/00".into(), 403),
        ("/open?url=".into(), 303),
        ("/open?url=a%20b".into(), 400),
        (format!("/open?url={}", encoded(&menu.url("gopher", ""))), 200),
        (format!("/open?url={}", encoded(&missing.url("http", ""))), 404),
        (format!("/save?url={}", encoded(&picture.url("http", ""))), 200),
        (format!("/raw?url={}", encoded(&picture.url("http", ""))), 200),
    ] {
        let own = format!("Host: 127.0.0.1:{}\r\nCookie: {}\r\n", browser.port, browser.cookie);
        let ask = |method: &str| say(browser.port, format!("{method} {path} HTTP/1.1\r\n{own}\r\n"));
        // HEAD first: GET may be answered from memory after it.
        let (head, get) = (ask("HEAD"), ask("GET"));
        assert_eq!((head.status, head.text().as_str()), (status, ""), "{path}: {}", head.head);
        assert_eq!(head.head, get.head, "{path}");
        // Without a session there is no more to be had by HEAD than by GET.
        let stranger = say(browser.port, format!("HEAD {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", browser.port));
        let refused = path.starts_with("/open") || path.starts_with("/save") || path.starts_with("/raw") || path == "/";
        assert_eq!(stranger.status, if refused { 403 } else { status }, "{path}");
    }
    assert_eq!((menu.connections(), missing.connections(), picture.connections()), (2, 2, 4));
}

#[test]
fn security_60_head_reads_no_more_than_the_head_takes() {
    let browser = Browser::new(local());
    // A menu without an end. A GET would show 100,000 entries of it, which are 100 MB.
    let (sender, ended) = std::sync::mpsc::channel();
    let menu = Host::new(move |mut reader, _| {
        let line = format!("1{}\t/item\th.example\t70\r\n", "x".repeat(1000));
        let count = std::iter::repeat_with(|| reader.get_mut().write_all(line.as_bytes())).take_while(Result::is_ok);
        let _ = sender.send(count.count());
    });
    let path = format!("/open?url={}", encoded(&menu.url("gopher", "")));
    let head =
        format!("HEAD {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nCookie: {}\r\n\r\n", browser.port, browser.cookie);
    let answer = say(browser.port, head);
    assert_eq!((answer.status, answer.field("Transfer-Encoding")), (200, "chunked"));
    let count = ended.recv_timeout(Duration::from_secs(10)).expect("the dialogue ends with the head");
    assert!(count < 50_000, "what the buffers of loopback hold: {count}");
}

#[test]
fn security_64_head_uses_no_token_up_and_gives_no_cookie() {
    let (port, path) = split(&run(local()));
    let ask = |method: &str| say(port, format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"));
    for _ in 0..2 {
        let head = ask("HEAD");
        assert_eq!((head.status, head.field("Location"), head.field("Set-Cookie")), (303, "/", ""));
    }
    assert!(!ask("GET").field("Set-Cookie").is_empty());
    assert_eq!((ask("HEAD").status, ask("GET").status), (403, 403), "it was used");
}

#[test]
fn security_60_a_target_may_be_a_whole_url_of_the_gateway_and_of_nobody_else() {
    let browser = Browser::new(local());
    let (port, cookie) = (browser.port, &browser.cookie);
    let ask = |method: &str, target: &str, host: &str, cookie: &str| {
        say(port, format!("{method} {target} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\r\n"))
    };
    let ours = format!("127.0.0.1:{port}");
    for authority in [ours.clone(), format!("localhost:{port}"), format!("[::1]:{port}")] {
        for (rest, status) in [("/", 200), ("", 200), ("/no", 404), ("/open?url=a%20b", 400), ("//x", 400)] {
            for start in ["http://", "HTTP://"] {
                let target = format!("{start}{authority}{rest}");
                assert_eq!(ask("GET", &target, &ours, cookie).status, status, "{target}");
            }
        }
        let target = format!("http://{authority}/");
        assert_eq!(ask("GET", &target, &ours, "").status, 403, "without a session");
        assert_eq!(ask("GET", &target, "evil.example", cookie).status, 421, "with the Host of others");
        assert_eq!(ask("PUT", &target, &ours, cookie).field("Allow"), "GET, HEAD");
    }
    let server = Host::http("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    for target in [
        server.url("http", "a"),
        server.url("ftp", "a"),
        "http://evil.example/".into(),
        "http://127.0.0.1/".into(),
        format!("http://evil.example:{port}/"),
        format!("http://127.0.0.1:{port}@evil.example/"),
        format!("http://evil.example@127.0.0.1:{port}/"),
        format!("https://127.0.0.1:{port}/"),
        "http:///".into(),
    ] {
        for method in ["GET", "HEAD", "PUT"] {
            let answer = ask(method, &target, &ours, cookie);
            assert_eq!((answer.status, answer.field("Allow")), (421, ""), "{method} {target}");
            let says_why = answer.text().contains("this gateway is not a proxy");
            assert_eq!(says_why, method != "HEAD", "{}", answer.text());
        }
    }
    assert_eq!(server.connections(), 0);
}

#[test]
fn where_no_form_is_sent_to_its_type_and_length_do_not_matter() {
    let (port, _) = split(&run(local()));
    for (path, status) in [("/", 405), ("/no", 404), ("/search", 0)] {
        for (fields, of_form) in [
            ("Content-Length: 3\r\n", 415),
            ("Content-Type: application/x-www-form-urlencoded\r\n", 411),
            ("Content-Length: 3\r\nContent-Type: application/x-www-form-urlencoded\r\n", 403),
        ] {
            let answer = say(port, format!("POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{fields}\r\na=b"));
            let expected = if status == 0 { of_form } else { status };
            assert_eq!(answer.status, expected, "{path} {fields}: {}", answer.head);
        }
    }
}

#[test]
fn an_address_that_does_not_exist_is_not_found_by_any_method() {
    let browser = Browser::new(local());
    let port = browser.port;
    for path in ["/no", "/openx", "/open/", "/style.css/x?url=x"] {
        assert_eq!(browser.get(path).status, 404, "{path}");
        for method in ["HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "PRI"] {
            let answer = say(port, format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"));
            assert!(answer.status == 404 && !answer.head.contains("\r\nAllow:"), "{method} {path}: {}", answer.head);
            let says_why = answer.text().contains("There is no page at this address");
            assert!(says_why || method == "HEAD", "{}", answer.text());
        }
    }
    // No path, whatever the method.
    for request in ["OPTIONS *", "CONNECT a.dom:80", "PUT a.dom/", "GET *"] {
        let answer = say(port, format!("{request} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"));
        assert!(answer.status == 400 && !answer.head.contains("\r\nAllow:"), "{request}: {}", answer.head);
    }
}
