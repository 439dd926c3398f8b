//! `urlwise get --dry-run`.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use crate::support::*;

#[test]
fn a_dry_run_opens_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let output = urlwise(&["get", "--dry-run", &format!("gopher://127.0.0.1:{port}/7find%09a%20b")]);
    assert_eq!(code(&output), 0);
    let shown = text(&output.stdout);
    assert!(shown.contains(&format!("127.0.0.1 port {port}")) && shown.contains("find\\ta b\\r\\n"), "{shown}");
    assert!(listener.accept().is_err(), "something connected");
}

#[test]
fn a_dry_run_shows_what_a_run_sends() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            let mut octet = [0];
            stream.read_exact(&mut octet).unwrap();
            request.extend(octet);
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").unwrap();
        String::from_utf8(request).unwrap()
    });
    let url = format!("http://127.0.0.1:{port}/a//b;c/%7e/../d?");
    let plan = text(&urlwise(&["get", "--dry-run", &url]).stdout);
    assert_eq!(code(&urlwise(&["get", &url])), 0);
    let planned: String = plan.lines().filter_map(|line| line.strip_prefix("send ")).map(str::trim_start).collect();
    assert_eq!(planned.replace("\\r\\n", "\r\n"), server.join().unwrap());
}
