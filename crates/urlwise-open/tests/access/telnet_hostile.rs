//! telnet against servers that say what no real one will, over a socket (S-16, S-40, S-46, S-48, S-49, S-50).

use crate::support::{client, client_with, failure_kind, url};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};
use urlwise_open::protocol::telnet::Function;
use urlwise_open::{Cancel, Client, Error, ErrorKind, Heard, Resource, Session};

/// A server that does one thing with one connection; its URL.
fn server(act: impl FnOnce(TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    thread::spawn(move || {
        let (stream, _) = listener.accept().expect("somebody comes");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket");
        act(stream);
    });
    format!("telnet://127.0.0.1:{port}/")
}

fn session(client: &Client, text: &str) -> Box<Session> {
    match client.open(&url(text)).expect("it opens") {
        Resource::Session(session) => session,
        other => panic!("not a session: {other:?}"),
    }
}

/// Everything heard, and how it ended.
fn all(session: &mut Session) -> (Vec<u8>, Result<(), Error>) {
    let mut text = Vec::new();
    loop {
        match session.hear(Duration::from_millis(200)) {
            Ok(Heard::Text(more)) => text.extend_from_slice(more),
            Ok(Heard::Nothing) => {}
            Ok(Heard::End) => return (text, Ok(())),
            Err(error) => return (text, Err(error)),
        }
    }
}

#[test]
fn a_server_that_only_talks_is_sent_nothing() {
    let (sender, sent) = mpsc::channel();
    let url = server(move |mut stream| {
        stream.write_all(b"220 mail here\r\n").expect("it listens");
        stream.shutdown(std::net::Shutdown::Write).expect("a socket");
        let mut octets = Vec::new();
        let _ = stream.read_to_end(&mut octets);
        sender.send(octets).expect("the test waits");
    });
    let mut session = session(&client(), &url);
    assert_eq!(all(&mut session).0, b"220 mail here\r\n");
    session.close();
    assert_eq!(sent.recv_timeout(Duration::from_secs(10)), Ok(Vec::new()));
}

#[test]
fn more_than_sockets_hold_goes_both_ways_at_once() {
    const LINE: &[u8] = b"as long as a line of text is, more or less, and then some more of it\n";
    const LINES: usize = 200_000;
    let url = server(|mut stream| {
        // It repeats, and does not read while nobody reads what it repeats.
        let mut room = [0; 4096];
        let mut left = (LINE.len() + 1) * LINES;
        while left > 0 {
            let Ok(count @ 1..) = stream.read(&mut room) else { return };
            left -= count;
            if stream.write_all(&room[..count]).is_err() {
                return;
            }
        }
    });
    let mut session = session(&client(), &url);
    let (mut heard, mut typed) = (0, 0);
    loop {
        while typed < LINES && session.unsent() < 64 * 1024 {
            session.lines(LINE);
            typed += 1;
        }
        match session.hear(Duration::from_millis(100)).expect("the session continues") {
            Heard::Text(text) => heard += text.len(),
            Heard::Nothing => {}
            Heard::End => break,
        }
        assert!(session.unsent() <= 65 * 1024, "memory is bounded");
    }
    assert_eq!(heard, (LINE.len() + 1) * LINES);
}

#[test]
fn security_40_49_endless_and_circular_requests_end_the_session() {
    for (begin, chunk, word) in [
        (&b""[..], &b"\xff\xfd\x63"[..], "1000 option requests"),
        (b"", b"\xff\xfa\x27\x01", "1000 option requests"),
        (b"\xff\xfa\x27", b"\x01x", "4096 octets"),
    ] {
        let url = server(move |mut stream| {
            let _ = stream.write_all(begin);
            while stream.write_all(&chunk.repeat(100)).is_ok() {}
        });
        let (text, end) = all(&mut session(&client(), &url));
        let error = end.expect_err("it is left");
        assert_eq!((text.as_slice(), error.kind()), (&b""[..], ErrorKind::Limit));
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn what_was_written_before_a_fault_is_given_before_it() {
    let url = server(|mut stream| {
        let _ = stream.write_all(&[b"last words", &b"\xff\xfd\x63".repeat(2000)[..]].concat());
        thread::sleep(Duration::from_secs(5));
    });
    let (text, end) = all(&mut session(&client(), &url));
    assert_eq!((text.as_slice(), end.expect_err("it is left").kind()), (&b"last words"[..], ErrorKind::Limit));
}

#[test]
fn security_48_a_silent_or_stalled_server_ends_the_session() {
    let hurried = client_with(|options| options.deadlines.idle = Duration::from_millis(300));
    let silent = server(|mut stream| {
        let _ = stream.read(&mut [0; 100]);
        thread::sleep(Duration::from_secs(20));
    });
    let mut open = session(&hurried, &silent);
    assert!(matches!(open.hear(Duration::from_millis(600)), Ok(Heard::Nothing)), "a person may think");
    open.lines(b"hello\n");
    open.end_of_input();
    let begin = Instant::now();
    let error = all(&mut open).1.expect_err("it never answers");
    assert!(error.kind() == ErrorKind::Timeout && begin.elapsed() < Duration::from_secs(5), "{error}");

    let deaf = server(|_stream| thread::sleep(Duration::from_secs(20)));
    let mut open = session(&hurried, &deaf);
    let error = loop {
        if open.unsent() < 64 * 1024 {
            open.lines(&[b'x'; 4096]);
        }
        if let Err(error) = open.hear(Duration::ZERO) {
            break error;
        }
    };
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
}

#[test]
fn what_is_typed_is_queued_until_the_session_is_heard() {
    let (sender, sent) = mpsc::channel();
    let url = server(move |mut stream| {
        let mut octets = [0; 6];
        stream.read_exact(&mut octets).expect("it is sent");
        sender.send(octets).expect("the test waits");
    });
    let mut session = session(&client(), &url);
    assert!(!session.is_tls() && !session.wants_to_send());
    session.lines(b"hi\n");
    session.function(Function::AreYouThere);
    assert!(session.wants_to_send() && session.unsent() == 6);
    assert!(all(&mut session).1.is_ok());
    assert_eq!(sent.recv_timeout(Duration::from_secs(10)), Ok(*b"hi\r\n\xFF\xF6"));
    assert!(!session.wants_to_send());
}

#[test]
fn what_is_queued_is_sent_before_a_session_is_closed() {
    let (sender, sent) = mpsc::channel();
    let url = server(move |mut stream| {
        let mut octets = Vec::new();
        stream.read_to_end(&mut octets).expect("it is closed");
        sender.send(octets).expect("the test waits");
    });
    let mut session = session(&client(), &url);
    let shown = format!("{session:?}");
    assert!(shown.contains("127.0.0.1"), "{shown}");
    session.lines(b"bye\n");
    session.close();
    assert_eq!(sent.recv_timeout(Duration::from_secs(10)), Ok(b"bye\r\n".to_vec()));
}

#[test]
fn security_48_nothing_is_read_while_much_is_queued() {
    let (sender, written) = mpsc::channel();
    let url = server(move |mut stream| {
        stream.write_all(b"220 I do not listen").expect("somebody is there");
        sender.send(()).expect("the test waits");
        thread::sleep(Duration::from_secs(20));
    });
    let mut session = session(&client(), &url);
    // More than sockets hold.
    session.lines(&vec![b'x'; 32 << 20]);
    written.recv_timeout(Duration::from_secs(10)).expect("it writes");
    for _ in 0..3 {
        assert_eq!(session.hear(Duration::from_millis(10)).expect("it may be slow"), Heard::Nothing);
    }
    assert!(session.unsent() > 1 << 20);
}

#[test]
fn a_server_may_take_its_time_after_the_end_of_the_input() {
    let url = server(|mut stream| {
        let _ = stream.read(&mut [0; 100]);
        thread::sleep(Duration::from_millis(300));
        stream.write_all(b"done\r\n").expect("somebody is there");
    });
    let mut session = session(&client(), &url);
    session.lines(b"hello\n");
    session.end_of_input();
    let (text, end) = all(&mut session);
    assert_eq!((text.as_slice(), end.is_ok()), (&b"done\r\n"[..], true));
}

#[test]
fn security_48_50_the_whole_has_a_deadline_and_an_end() {
    let endless = || server(|mut stream| while stream.write_all(b"x").is_ok() {});
    let hurried = client_with(|options| options.timeout = Some(Duration::from_millis(300)));
    assert_eq!(all(&mut session(&hurried, &endless())).1.expect_err("it is late").kind(), ErrorKind::Timeout);
    let cancel = Cancel::new();
    let stopped = client_with(|options| options.cancel = Some(cancel.clone()));
    let mut open = session(&stopped, &endless());
    cancel.request();
    assert_eq!(all(&mut open).1.expect_err("it is to stop").kind(), ErrorKind::Cancelled);
}

#[test]
fn a_broken_session_is_an_error() {
    let url = server(|mut stream| {
        stream.write_all(b"half a").expect("it listens");
        let _ = stream.read(&mut [0; 1]);
        // Octets that were not read make the close a reset.
    });
    let mut open = session(&client(), &url);
    while matches!(open.hear(Duration::from_millis(100)), Ok(Heard::Nothing)) {}
    open.lines(b"one two three\n");
    let error = all(&mut open).1.expect_err("it broke");
    assert_eq!(error.kind(), ErrorKind::Partial, "{error}");
}

#[test]
fn security_16_without_tls_no_session_begins_if_tls_is_required() {
    let strict = client_with(|options| options.require_tls = true);
    let closed = TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("it is bound").port();
    let text = format!("telnet://127.0.0.1:{closed}/");
    assert_eq!(failure_kind(&strict, text.as_str()), ErrorKind::Refused);
    assert_eq!(strict.plan(&url(text.as_str())).expect_err("nor is it planned").kind(), ErrorKind::Refused);
    assert_eq!(failure_kind(&client(), text), ErrorKind::Connect);
}

#[test]
fn security_4_6_logins_that_are_keys_or_options_are_refused() {
    for (text, rule) in [
        ("telnet://guest%0D%0Arm:x@h.invalid/", "telnet-crlf"),
        ("telnet://a:b%FF@h.invalid/", "telnet-crlf"),
        ("telnet://-froot@h.invalid/", "host-option"),
        ("telnet://-oProxyCommand@h.invalid/", "host-option"),
        ("telnet://h.invalid:25/", "port-foreign"),
    ] {
        let error = client().open(&url(text)).expect_err(text);
        assert_eq!((error.kind(), error.refused_by()), (ErrorKind::Refused, Some(rule)), "{text}: {error}");
    }
}

#[test]
fn a_session_has_neither_entries_nor_metadata() {
    let text = "telnet://h.invalid/";
    assert_eq!(client().list(&url(text)).expect_err("nothing to list").kind(), ErrorKind::NoAccess);
    assert_eq!(client().metadata(&url(text)).expect("nothing is known").size, None);
}

#[test]
fn the_dry_run_shows_what_is_answered() {
    let plan = client().plan(&url("telnets://alice:s3cret@h.example/")).expect("a plan").to_string();
    assert!(plan.starts_with("connect: h.example port 992, with TLS from the first octet\n"), "{plan}");
    assert!(
        plan.contains("send: WILL TERMINAL-TYPE\n") && !plan.contains("s3cret") && !plan.contains("alice"),
        "{plan}"
    );
}
