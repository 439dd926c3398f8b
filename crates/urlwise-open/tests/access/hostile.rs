//! Servers that are silent, endless, slow, torn or lying (S-33, S-45, S-46, S-48).

use crate::support::{Listener, client, client_with, document, failure, failure_kind, get, url};
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};
use urlwise_open::{Cancel, Client, Error, ErrorKind, MinRate, Options, Resource};

const SHORT: Duration = Duration::from_millis(200);

fn impatient() -> Client {
    client_with(|options| {
        options.deadlines.first_byte = SHORT;
        options.deadlines.idle = SHORT;
    })
}

/// Keeps the connection open, saying nothing more.
fn hold(stream: TcpStream) {
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(20));
        drop(stream);
    });
}

#[test]
fn security_48_a_server_that_never_answers_is_a_timeout() {
    let listener = Listener::http(hold);
    let start = Instant::now();
    let error = failure(&impatient(), listener.http_url("/"));
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(start.elapsed() < Duration::from_secs(5));
    assert!(error.to_string().contains("0.2 s") && error.to_string().contains("127.0.0.1 port"), "{error}");
}

#[test]
fn security_48_a_server_that_falls_silent_is_a_timeout() {
    let listener = Listener::http(|mut stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf").expect("it is read");
        hold(stream);
    });
    let mut document = document(&impatient(), listener.http_url("/"));
    let mut octets = Vec::new();
    let error = document.write_to(&mut octets).expect_err("it falls silent");
    assert_eq!((error.kind(), octets.as_slice()), (ErrorKind::Timeout, b"half".as_slice()));
}

#[test]
fn security_50_a_request_to_stop_ends_waiting_within_a_second() {
    let silent = Listener::http(hold);
    let halting = Listener::http(|mut stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf").expect("it is read");
        hold(stream);
    });
    for (listener, arrived) in [(silent, ""), (halting, "half")] {
        let cancel = Cancel::new();
        let client = client_with(|options| options.cancel = Some(cancel.clone()));
        let stop = std::thread::spawn(move || {
            std::thread::sleep(SHORT);
            cancel.request();
            Instant::now()
        });
        let mut octets = Vec::new();
        let end = client.open(&url(listener.http_url("/"))).and_then(|resource| match resource {
            Resource::Document(mut document) => document.write_to(&mut octets),
            other => panic!("{other:?} is not a document"),
        });
        assert_eq!(end.expect_err("it is ended").kind(), ErrorKind::Cancelled);
        assert_eq!(octets, arrived.as_bytes());
        assert!(stop.join().expect("it ends").elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn security_48_a_port_that_takes_no_connection_is_a_timeout_or_no_connection() {
    // A listener whose queue is full: nobody accepts.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    let queue: Vec<_> = (0..4_096).map_while(|_| TcpStream::connect_timeout(&address, SHORT).ok()).collect();
    let client = client_with(|options| {
        options.deadlines.connect = SHORT;
        options.deadlines.first_byte = SHORT;
    });
    let class = failure_kind(&client, format!("http://127.0.0.1:{}/", address.port()));
    assert_eq!(class, ErrorKind::Timeout);
    drop(queue);
}

#[test]
fn security_48_a_greeting_has_to_come_by_the_connect_and_the_first_byte_deadline() {
    // Connections are taken by the system, and nobody speaks.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = silent.local_addr().expect("it is bound").port();
    let limits: [fn(&mut Options); 2] =
        [|options| options.deadlines.first_byte = SHORT, |options| options.deadlines.connect = SHORT];
    for limit in limits {
        for target in [format!("ftp://127.0.0.1:{port}/x"), format!("nntp://127.0.0.1:{port}/a.b")] {
            let began = Instant::now();
            let error = failure(&client_with(limit), target);
            assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
            assert!(began.elapsed() < Duration::from_secs(10), "{error} after {:?}", began.elapsed());
        }
        let began = Instant::now();
        let server = crate::mail::server(format!("smtp://127.0.0.1:{port}"));
        let letter = crate::mail::letter("mailto:jim@h.example?body=x");
        let error = client_with(limit).send(&letter, &server).expect_err("nobody speaks");
        assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
        assert!(began.elapsed() < Duration::from_secs(10), "{error} after {:?}", began.elapsed());
    }
}

#[test]
fn security_48_a_drip_ends_by_the_total_and_by_the_slowest_rate() {
    let drip = || {
        Listener::http(|mut stream| {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
            while stream.write_all(b"x").is_ok() {
                std::thread::sleep(Duration::from_millis(20));
            }
        })
    };
    let total = client_with(|options| options.timeout = Some(Duration::from_millis(500)));
    assert_eq!(failure_kind(&total, drip().http_url("/")), ErrorKind::Timeout);
    let slowest = client_with(|options| {
        options.deadlines.min_rate = Some(MinRate::new(10_000, Duration::from_millis(300)));
    });
    let error = failure(&slowest, drip().http_url("/"));
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(error.to_string().contains("10000 octets"), "{error}");
}

#[test]
fn security_48_the_total_spans_all_redirects() {
    let listener = Listener::http(|mut stream| {
        std::thread::sleep(Duration::from_millis(100));
        let nanos = std::time::UNIX_EPOCH.elapsed().expect("after 1970").as_nanos();
        let _ = write!(stream, "HTTP/1.1 302 Found\r\nLocation: /{nanos}\r\n\r\n");
    });
    let total = client_with(|options| options.timeout = Some(Duration::from_millis(450)));
    let error = failure(&total, listener.http_url("/"));
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!((1..10).contains(&error.redirects().len()), "{:?}", error.redirects());
}

#[test]
fn a_closed_port_is_a_connect_error() {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port();
    let error = failure(&client(), format!("http://127.0.0.1:{port}/"));
    assert_eq!(error.kind(), ErrorKind::Connect);
    assert!(error.to_string().contains("refused"), "{error}");
}

#[test]
fn a_host_that_does_not_exist_has_no_address() {
    // A valid host that no DNS message can carry (D-18): the answer does not depend on any network.
    let host = ["a"; 4].map(|label| label.repeat(63)).join(".");
    let error = failure(&client(), format!("http://{host}/"));
    assert_eq!(error.kind(), ErrorKind::Resolve);
    assert!(error.to_string().contains(&host), "{error}");
}

#[test]
fn security_33_heads_are_bounded() {
    let long = |header: String| format!("HTTP/1.1 200 OK\r\n{header}\r\n\r\n");
    let many = |count| (0..count).map(|i| format!("x{i}: y\r\n")).collect::<String>();
    for (answer, class) in [
        (long(format!("x: {}", "y".repeat(200_000))), None),
        (long(format!("x: {}", "y".repeat(300 * 1024))), Some(ErrorKind::Limit)),
        (long(many(120)), None),
        (long(many(129)), Some(ErrorKind::Limit)),
        ("HTTP/1.1 100 Continue\r\n\r\n".repeat(20) + "HTTP/1.1 200 OK\r\n\r\n", None),
        ("HTTP/1.1 100 Continue\r\n\r\n".repeat(21) + "HTTP/1.1 200 OK\r\n\r\n", Some(ErrorKind::Limit)),
        ("\r\n".repeat(200_000), Some(ErrorKind::Limit)),
    ] {
        let listener = Listener::answering(answer);
        let outcome = client().open(&url(listener.http_url("/"))).err().map(|error| error.kind());
        assert_eq!(outcome, class);
    }
}

#[test]
fn security_33_an_endless_head_is_cut_off() {
    for endless in [b"x: y\r\n".as_slice(), b"xxxxxxxx", b"\n"] {
        let listener = Listener::http(move |mut stream| {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n");
            let block = endless.repeat(1_000);
            while stream.write_all(&block).is_ok() {}
        });
        let outcome = client().open(&url(listener.http_url("/")));
        // A line of its own (`\n`) ends the head, which is then whole; the other two never end.
        assert_eq!(outcome.err().map(|error| error.kind()), (endless != b"\n").then_some(ErrorKind::Limit));
    }
}

#[test]
fn security_33_lengths_that_contradict_are_refused() {
    for headers in [
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 5",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: gzip",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: -1",
        "Content-Length: +5",
        "Content-Length: 18446744073709551616",
        "Content-Length: 5x",
        "X: y\r\n folded",
        "X : y",
        "X\u{7}: y",
    ] {
        let listener = Listener::answering(format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n0\r\n\r\n"));
        assert_eq!(failure_kind(&client(), listener.http_url("/")), ErrorKind::Protocol, "{headers}");
    }
}

#[test]
fn security_33_chunks_are_bounded() {
    let chunked = |body: String| format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{body}");
    for (body, class) in [
        ("zz\r\n".to_owned(), ErrorKind::Protocol),
        ("-1\r\nx\r\n0\r\n\r\n".to_owned(), ErrorKind::Protocol),
        ("5\r\nhelloX\r\n0\r\n\r\n".to_owned(), ErrorKind::Protocol),
        ("10000000000000000\r\nx".to_owned(), ErrorKind::Protocol),
        ("ffffffffffffffff\r\nx".to_owned(), ErrorKind::Partial),
        ("1".repeat(5_000), ErrorKind::Limit),
        (String::new(), ErrorKind::Partial),
        ("5\r\nhel".to_owned(), ErrorKind::Partial),
        ("5\r\nhello\r\n".to_owned(), ErrorKind::Partial),
    ] {
        let listener = Listener::answering(chunked(body.clone()));
        assert_eq!(failure_kind(&client(), listener.http_url("/")), class, "{body:.20}");
    }
}

#[test]
fn a_cut_document_gives_what_came_and_then_says_partial() {
    let listener = Listener::answering("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
    let mut document = document(&client(), listener.http_url("/"));
    let mut octets = Vec::new();
    let error = document.write_to(&mut octets).expect_err("it is cut");
    assert_eq!((error.kind(), octets.as_slice()), (ErrorKind::Partial, b"half".as_slice()));
    assert!(error.to_string().contains("6 octets"), "{error}");
    assert_eq!(error.url(), Some(&*listener.http_url("/")));
    // The same through the reader of the standard library.
    let mut document = crate::support::document(&client(), listener.http_url("/"));
    let error = std::io::copy(&mut document, &mut Vec::new()).expect_err("it is cut");
    assert_eq!(error.kind(), std::io::ErrorKind::UnexpectedEof);
    assert_eq!(Error::of(&error).map(Error::kind), Some(ErrorKind::Partial));
}

#[test]
fn octets_beyond_the_length_are_not_the_documents() {
    let listener = Listener::answering("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfour and more");
    assert_eq!(get(&client(), listener.http_url("/")), b"four");
}

#[test]
fn security_45_declared_sizes_are_not_believed() {
    let listener = Listener::answering("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nx");
    assert_eq!(failure_kind(&client(), listener.http_url("/")), ErrorKind::Partial);
    let small = client_with(|options| options.max_size = Some(5));
    assert_eq!(failure_kind(&small, listener.http_url("/")), ErrorKind::Limit);
    // Without a declared size, what arrives is counted.
    let undeclared = Listener::answering("HTTP/1.1 200 OK\r\n\r\n123456");
    let mut document = document(&small, undeclared.http_url("/"));
    let mut octets = Vec::new();
    let error = document.write_to(&mut octets).expect_err("six are too many");
    assert_eq!((error.kind(), octets.as_slice()), (ErrorKind::Limit, b"12345".as_slice()));
    let five = Listener::answering("HTTP/1.1 200 OK\r\n\r\n12345");
    let mut whole = crate::support::document(&small, five.http_url("/"));
    assert_eq!(whole.fill().expect("it arrives"), b"12345");
    whole.consume_octets(usize::MAX);
    assert_eq!((whole.octets_read(), whole.fill().expect("it ends")), (5, b"".as_slice()));
    assert_eq!(get(&small, five.http_url("/")), b"12345");
}

#[test]
fn what_is_not_http_is_a_protocol_error_that_shows_it_escaped() {
    let listener = Listener::answering("220 \x1b]0;x\x07 ftp ready\r\n\r\n");
    let error = failure(&client(), listener.http_url("/"));
    assert_eq!(error.kind(), ErrorKind::Protocol);
    assert!(error.to_string().contains(r"220 \x1b]0;x\x07 ftp ready"), "{error}");
}

#[test]
fn a_server_that_hangs_up_without_a_word_is_the_servers_failure() {
    for (answer, class) in [("", ErrorKind::Server), ("HTTP/1.1 200 OK\r\nX: y", ErrorKind::Protocol)] {
        let listener = Listener::answering(answer);
        assert_eq!(failure_kind(&client(), listener.http_url("/")), class, "{answer}");
    }
}

#[test]
fn security_46_nothing_of_a_server_reaches_a_message_raw() {
    let answers = [
        "HTTP/1.1 302 Found\r\nLocation: http://h\u{9b}31m.example/\x1b[2J\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http://h\u{9b}31m.example/\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http://h.example:6379/\u{202e}\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: x\u{202e}:y\r\n\r\n",
        "HTTP/1.1 404 \u{1b}[31m\r\n\r\n",
    ];
    for answer in answers {
        let listener = Listener::answering(answer);
        // The support code asserts that no control is in the message.
        let error = failure(&client(), listener.http_url("/"));
        assert!(!error.to_string().contains('\u{202e}'), "{error}");
    }
    let listener = Listener::answering("HTTP/1.1 200 OK\r\nContent-Type: text/\u{9b}x\u{202e}y\r\n\r\n");
    let document = document(&client(), listener.http_url("/"));
    assert_eq!(document.media_type(), Some(r"text/\u{9b}x\u{202e}y"));
}

#[test]
fn redirects_must_say_where_to() {
    for answer in [
        "HTTP/1.1 302 Found\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http:x\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http://h.example/100%\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http://a@b@h.example/\r\n\r\n",
    ] {
        let listener = Listener::answering(answer);
        assert_eq!(failure_kind(&client(), listener.http_url("/")), ErrorKind::Protocol, "{answer}");
    }
}

#[test]
fn an_unrequested_range_is_not_a_document() {
    let listener = Listener::answering("HTTP/1.1 206 Partial Content\r\nContent-Length: 1\r\n\r\nx");
    assert_eq!(failure_kind(&client(), listener.http_url("/")), ErrorKind::Protocol);
    let listener = Listener::answering("HTTP/1.1 204 No Content\r\n\r\n");
    assert_eq!(get(&client(), listener.http_url("/")), b"");
}
