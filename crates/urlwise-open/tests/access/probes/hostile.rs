//! Probes of servers that mean harm, or are broken: none is dead, and none takes longer than its deadline.

use super::probe;
use crate::support::{Listener, client, client_with, url};
use std::io::Write as _;
use std::net::TcpListener;
use std::time::{Duration, Instant};
use urlwise_open::{Cause, Client, ProbeOptions, ProbeVerdict};

/// A client that waits half a second for an octet.
fn hasty() -> Client {
    client_with(|options| {
        options.deadlines.first_byte = Duration::from_millis(500);
        options.deadlines.idle = Duration::from_millis(500);
    })
}

#[test]
fn what_is_broken_is_unknown() {
    let no_answer: &[(&str, Cause)] = &[
        ("", Cause::ServerError),
        ("HTTP/1.1 200", Cause::Protocol),
        ("HTTP/1.1 200 OK\r\nContent-Le", Cause::Protocol),
        ("220 mail.example ESMTP\r\n", Cause::Protocol),
        ("HTTP/1.1 301 Moved\r\n\r\n", Cause::Protocol),
        ("HTTP/1.1 302 Found\r\nLocation: http://a:b:c/\r\n\r\n", Cause::Protocol),
        ("HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\n\r\n", Cause::Protocol),
        ("HTTP/1.1 302 Found\r\nLocation: http:\\\\evil.example\r\n\r\n", Cause::Protocol),
        ("HTTP/1.1 206 Partial\r\nContent-Length: 0\r\n\r\n", Cause::Protocol),
    ];
    for (answer, cause) in no_answer {
        let listener = Listener::answering(*answer);
        assert_eq!(probe(&client(), listener.http_url("/")).verdict, ProbeVerdict::Unknown(*cause), "{answer}");
    }
}

#[test]
fn a_silent_server_is_asked_twice_and_given_up() {
    let listener = Listener::http(|stream| {
        std::thread::sleep(Duration::from_secs(9));
        drop(stream);
    });
    let start = Instant::now();
    let probe = probe(&hasty(), listener.http_url("/"));
    assert_eq!(probe.verdict, ProbeVerdict::Unknown(Cause::Timeout));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(probe.elapsed >= Duration::from_millis(700), "half for HEAD, and GET: {:?}", probe.elapsed);
}

#[test]
fn a_server_that_is_silent_for_head_alone_is_alive() {
    let listener = Listener::keeping(|_, request| {
        if request.starts_with(b"HEAD") {
            std::thread::sleep(Duration::from_secs(3));
        }
        Some(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_vec())
    });
    assert_eq!(probe(&hasty(), listener.http_url("/")).verdict, ProbeVerdict::Alive);
    // Also where only the whole probe is bounded.
    let mut options = ProbeOptions::default();
    options.timeout = Some(Duration::from_secs(2));
    assert_eq!(client().probe(&url(listener.http_url("/")), &options).verdict, ProbeVerdict::Alive);
}

#[test]
fn a_slow_drip_ends_with_the_time_of_the_probe() {
    let listener = Listener::http(|mut stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nX: ");
        while stream.write_all(b"x").is_ok() {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    let mut options = ProbeOptions::default();
    options.timeout = Some(Duration::from_millis(600));
    let probe = client().probe(&url(listener.http_url("/")), &options);
    assert_eq!(probe.verdict, ProbeVerdict::Unknown(Cause::Timeout));
    assert!(probe.elapsed < Duration::from_secs(3), "{:?}", probe.elapsed);
}

#[test]
fn endless_headers_are_too_long() {
    let listener = Listener::http(|mut stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n");
        while stream.write_all(b"X-Padding: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n").is_ok() {}
    });
    assert_eq!(probe(&client(), listener.http_url("/")).verdict, ProbeVerdict::Unknown(Cause::Limit));
    assert_eq!(listener.asked().len(), 1, "that is an answer, which GET would not better");
}

#[test]
fn a_closed_port_is_no_route() {
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.local_addr().expect("it is bound").port()
    };
    for scheme in ["http", "https", "ftp", "gopher", "nntp", "telnet", "wais", "finger"] {
        let path = if scheme == "nntp" { "/a.group" } else { "/x" };
        let path = if scheme == "telnet" { "/" } else { path };
        let probe = probe(&client(), format!("{scheme}://127.0.0.1:{port}{path}"));
        assert_eq!(probe.verdict, ProbeVerdict::Unknown(Cause::NoRoute), "{scheme}");
    }
    // A search without words was not refused: nobody was asked.
    let search = probe(&client(), format!("gopher://127.0.0.1:{port}/7x"));
    assert_eq!(search.verdict, ProbeVerdict::Unknown(Cause::NoRoute));
}

#[test]
fn what_is_cancelled_is_skipped() {
    let listener = Listener::http(|stream| {
        std::thread::sleep(Duration::from_secs(2));
        drop(stream);
    });
    let cancel = urlwise_open::Cancel::new();
    let client = client_with(|options| options.cancel = Some(cancel.clone()));
    cancel.request();
    assert_eq!(probe(&client, listener.http_url("/")).verdict, ProbeVerdict::Skipped(Cause::Cancelled));
}
