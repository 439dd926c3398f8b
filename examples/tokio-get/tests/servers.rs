//! The program against the servers that the client of urlwise-open is tested against.

#![cfg(unix)]

#[allow(dead_code, reason = "shared with tests that need more of it")]
#[path = "../../../crates/urlwise-open/tests/access/support/daemon.rs"]
mod daemon;
#[allow(dead_code, reason = "shared with tests that need more of it")]
#[path = "../../../crates/urlwise-open/tests/access/support/ftp.rs"]
mod ftp;
#[allow(dead_code, reason = "shared with tests that need more of it")]
#[path = "../../../crates/urlwise-open/tests/access/support/tools.rs"]
mod tools;

use daemon::{Authority, Gophernicus};
use ftp::{FtpKind, FtpServer, fill};
use std::net::TcpListener;
use std::process::Command;
use tools::{Folder, find, require, run};

/// What the program writes for a URL, or its error.
fn get(url: &str) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_tokio-get")).arg(url).output().expect("it starts");
    let text = |octets| String::from_utf8(octets).expect("UTF-8");
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[test]
fn ftp_files_and_lists_are_the_servers() {
    if !require(&["openssl"]) {
        return;
    }
    for server in FtpKind::ALL.into_iter().filter_map(|kind| FtpServer::start(kind, None, fill)) {
        assert_eq!(get(&server.url("/etc/motd")).as_deref(), Ok("motd\n"), "{:?}", server.kind);
        let list = get(&server.url("/pub;type=d")).expect("a list");
        assert!(list.lines().any(|name| name.ends_with("lf.txt")), "{:?}: {list}", server.kind);
        let error = get(&server.url("/no-such-file")).expect_err("it is not there");
        assert!(error.contains("550"), "{:?}: {error}", server.kind);
    }
}

#[test]
fn an_ftp_file_of_a_megabyte_is_complete() {
    let text = "0123456789abcde\n".repeat(1 << 16);
    let with_text = |home: &Folder| {
        fill(home);
        home.write("home/big.txt", &text);
    };
    let Some(server) = FtpServer::start(FtpKind::Vsftpd, None, with_text) else { return };
    assert!(get(&server.url("/big.txt;type=i")) == Ok(text), "octets are missing or changed");
}

#[test]
fn gopher_menus_and_documents_are_the_servers() {
    if !require(Gophernicus::PROGRAMS) {
        return;
    }
    let server = Gophernicus::start();
    server.write("data.bin", "two\nlines\n");
    server.write("about.txt", "two\nlines\n");
    server.write("gophermap", "!Test menu\n9Data\t/data.bin\n");
    let menu = get(&server.url("/")).expect("a menu");
    assert!(menu.lines().any(|line| line == "Data"), "{menu}");
    assert_eq!(get(&server.url("/9/data.bin")).as_deref(), Ok("two\nlines\n"));
    assert_eq!(get(&server.url("/0/about.txt")).as_deref(), Ok("two\r\nlines\r\n"), "as RFC 1436 transmits a text");
}

#[test]
fn what_it_cannot_do_is_refused_before_anything_is_sent() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    for (url, why) in [
        (format!("ftps://127.0.0.1:{port}/x"), "TLS"),
        (format!("http://127.0.0.1:{port}/x"), "only ftp and gopher"),
        (format!("ftp://127.0.0.1:{port}/a%0D%0Ab"), "ctl-crlf"),
        ("gopher://127.0.0.1:6379/0x".to_owned(), "port-foreign"),
        ("mailto:joe@host.dom".to_owned(), "no host"),
    ] {
        let error = get(&url).expect_err(&url);
        assert!(error.contains(why), "{url}: {error}");
    }
    listener.set_nonblocking(true).expect("it is ours");
    assert!(listener.accept().is_err(), "it has connected");
}
