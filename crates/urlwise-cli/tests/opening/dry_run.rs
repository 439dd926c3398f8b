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
fn a_file_of_ftp_is_text_by_its_name_alone_and_binary_guesses_nothing() {
    for (arguments, sent) in [
        (&["ftp://h.example/x.txt"][..], "TYPE A"),
        (&["ftp://h.example/x.csv"], "TYPE I"),
        (&["ftp://h.example/x.log"], "TYPE I"),
        (&["ftp://h.example/x.asc"], "TYPE I"),
        (&["ftp://h.example/x.csv;type=a"], "TYPE A"),
        (&["--binary", "ftp://h.example/x.txt"], "TYPE I"),
        (&["--binary", "ftp://h.example/x.txt;type=a"], "TYPE A"),
    ] {
        let shown = text(&urlwise(&[&["get", "--dry-run"], arguments].concat()).stdout);
        assert!(shown.contains(&format!(" {sent}\\r\\n")), "{arguments:?}: {shown}");
    }
}

#[test]
fn a_refused_port_is_one_line_that_says_which_and_why() {
    for (url, why) in [
        ("http://h.example:25/", "port 25 belongs to SMTP, which would read the http request as its own commands"),
        ("gopher://h.example:81/", "port 81 belongs to HTTP, which would read the gopher request as its own commands"),
        ("gopher://h.example:631/", "port 631 belongs to IPP (printers)"),
        ("http://h.example:82/", "port 82 is reserved like all below 1024"),
        ("https://h.example:80/", "port 80 belongs to HTTP"),
    ] {
        let output = urlwise(&["get", "--dry-run", url]);
        let shown = text(&output.stderr);
        let lines: Vec<_> = shown.lines().filter(|line| line.contains(" port ")).collect();
        assert!(lines.len() == 1 && lines[0].starts_with(&format!("urlwise: {url}: {why}")), "{shown}");
        assert!(code(&output) == 4 && lines[0].contains("use `--allow port-"), "{shown}");
    }
    for url in ["http://h.example:81/", "http://h.example:631/", "https://h.example:631/", "http://h.example:8080/"] {
        let output = urlwise(&["get", "--dry-run", url]);
        assert_eq!((code(&output), text(&output.stderr).as_str()), (0, ""), "{url}");
    }
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
