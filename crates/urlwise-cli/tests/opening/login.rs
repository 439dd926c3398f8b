//! Logins (client security 12, 14, 16, 46, 51, 52).

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;

use crate::support::*;

const MARKER: &str = "MaRkEr";
/// `jim:MaRkEr` in Basic authentication.
const BASIC: &str = "amltOk1hUmtFcg==";

/// A server that requires a login.
fn guarded() -> Server {
    Server::new(|_, head, stream| {
        if head.contains(&format!("Basic {BASIC}")) {
            give(stream, head, b"inside", "\"1\"", 99);
        } else {
            let challenge = "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n";
            let _ = stream.write_all(challenge.as_bytes());
        }
    })
}

fn netrc(folder: &Folder, mode: u32) {
    let file = folder.file("netrc", format!("machine 127.0.0.1 login jim password {MARKER}\n"));
    fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
}

#[track_caller]
fn holds_no_secret(shown: &str) {
    assert!(!shown.contains(MARKER) && !shown.contains(BASIC), "{shown}");
}

#[test]
fn security_12_netrc_is_used_only_with_an_option_and_if_it_is_private() {
    let (folder, server) = (Folder::new(), guarded());
    let url = server.url("/x");
    netrc(&folder, 0o600);
    assert_eq!(code(&folder.urlwise(["get", &url])), 9);
    let inside = folder.urlwise(["get", "--netrc-file", "netrc", &url]);
    assert_eq!((code(&inside), text(&inside.stdout)), (0, "inside".into()), "{}", text(&inside.stderr));
    let by_variable = command(["get", "--netrc", &url]).env("NETRC", folder.path("netrc")).output().unwrap();
    assert_eq!(text(&by_variable.stdout), "inside");
    let before = server.requests().len();
    netrc(&folder, 0o644);
    let refused = folder.urlwise(["get", "--netrc-file", "netrc", &url]);
    assert_eq!((code(&refused), server.requests().len()), (2, before));
    assert!(text(&refused.stderr).contains("chmod 600"), "{}", text(&refused.stderr));
}

#[test]
fn security_16_that_a_password_went_in_clear_is_said_though_the_transfer_fails() {
    let server = Server::new(|_, head, stream| {
        let _ = match path(head) {
            "/moved" => write!(stream, "HTTP/1.1 302 Found\r\nLocation: /no\r\nContent-Length: 0\r\n\r\n"),
            _ => write!(stream, "HTTP/1.1 404 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
        };
    });
    let ftp = TcpListener::bind("127.0.0.1:0").unwrap();
    let ftp_port = ftp.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in ftp.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.write_all(b"220 hello\r\n");
            for line in BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok) {
                let reply = match line.split(' ').next() {
                    Some("USER") => "331 password",
                    Some("PASS") => "530 no",
                    _ => "500 what",
                };
                let _ = write!(stream, "{reply}\r\n");
            }
        }
    });
    let http = server.url("/").replace("http://", &format!("http://jim:{MARKER}@"));
    let ftp = format!("ftp://jim:{MARKER}@127.0.0.1:{ftp_port}/x");
    let nobody = format!("http://jim:{MARKER}@127.0.0.1:1/");
    for (command, url, expected) in [
        ("get", format!("{http}no"), 1),
        // Sent twice, and said once.
        ("get", format!("{http}moved"), 1),
        ("get", ftp.clone(), 1),
        ("ls", ftp.replace("/x", "/"), 1),
        // Nothing was sent.
        ("get", nobody, 0),
    ] {
        let option = if command == "get" { "--http-userinfo" } else { "-v" };
        let output = urlwise(&[command, option, &url]);
        let shown = text(&output.stderr);
        assert_eq!(shown.matches("note[password-in-clear]").count(), expected, "{url}: {shown}");
        assert!(code(&output) != 0);
        holds_no_secret(&shown);
    }
}

#[test]
fn security_16_that_a_password_went_in_clear_is_said_though_the_last_attempt_could_not_connect() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    // It reads one request, answers nothing, and listens no more.
    let once = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        drop(listener);
        stream.read(&mut [0; 4096]).unwrap()
    });
    let url = format!("http://jim:{MARKER}@127.0.0.1:{port}/");
    let output = urlwise(&["get", "--http-userinfo", "--retry", "1", &url]);
    assert!(once.join().unwrap() > 0);
    let shown = text(&output.stderr);
    assert_eq!((code(&output), shown.matches("note[password-in-clear]").count()), (7, 1), "{shown}");
}

#[test]
fn security_14_a_password_on_the_command_line_is_refused_and_not_repeated() {
    for command in ["get", "ls"] {
        let output = urlwise(&[command, "--user", &format!("jim:{MARKER}"), "http://127.0.0.1:1/"]);
        assert_eq!(code(&output), 2);
        holds_no_secret(&text(&output.stderr));
        assert!(text(&output.stderr).contains("--netrc-file"));
    }
}

#[test]
fn security_14_a_password_is_typed_at_the_terminal_without_echo() {
    let server = guarded();
    let command = format!("{} get --user jim '{}'", env!("CARGO_BIN_EXE_urlwise"), server.url("/x"));
    let mut script = english("script")
        .args(["-qec", &command, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut shown = Vec::new();
    let mut terminal = script.stdout.take().unwrap();
    while !text(&shown).contains("password of jim at http://127.0.0.1") || !shown.ends_with(b": ") {
        let mut octet = [0];
        assert_eq!(terminal.read(&mut octet).unwrap(), 1, "{}", text(&shown));
        shown.extend(octet);
    }
    let mut typed = script.stdin.take().unwrap();
    typed.write_all(format!("{MARKER}\n").as_bytes()).unwrap();
    terminal.read_to_end(&mut shown).unwrap();
    assert!(script.wait().unwrap().success(), "{}", text(&shown));
    assert!(text(&shown).contains("inside"), "{}", text(&shown));
    holds_no_secret(&text(&shown));
}

#[test]
fn security_14_46_a_dialogue_is_shown_without_passwords_and_escaped() {
    let (folder, server) = (Folder::new(), guarded());
    netrc(&folder, 0o600);
    let inside = folder.urlwise(["get", "-v", "--netrc-file", "netrc", &server.url("/x")]);
    let shown = text(&inside.stderr);
    assert!(shown.contains("GET /x HTTP/1.1") && shown.contains("200 OK") && shown.contains("***"), "{shown}");
    holds_no_secret(&shown);
    let odd = Server::new(|_, _, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nX-Odd: \xC2\x9B31m\xE2\x80\xAE\r\nContent-Length: 0\r\n\r\n");
    });
    let shown = text(&urlwise(&["get", "-v", &odd.url("/")]).stderr);
    assert!(shown.contains("X-Odd"), "{shown}");
    assert!(!shown.chars().any(|c| c != '\n' && urlwise::is_harmful(c)), "{shown:?}");
}

#[test]
fn security_14_51_the_password_of_a_proxy_is_for_the_proxy_alone() {
    let proxy = Server::new(|_, head, stream| give(stream, head, b"by proxy", "\"1\"", 99));
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let working = proxy.url("").replace("http://", &format!("http://jim:{MARKER}@"));
    let broken = format!("http://jim:{MARKER}@127.0.0.1:{closed}");
    for (address, expected) in [(&working, 0), (&broken, 7)] {
        let with = |arguments: &[&str]| {
            command([&["get", "-v"], arguments, &["http://h.dom/x"]].concat())
                .env("http_proxy", address)
                .output()
                .unwrap()
        };
        let output = with(&[]);
        assert_eq!(code(&output), expected, "{}", text(&output.stderr));
        holds_no_secret(&(text(&output.stdout) + &text(&output.stderr)));
        let output = urlwise(&["get", "-v", "--proxy", address, "http://h.dom/x"]);
        assert_eq!(code(&output), expected);
        holds_no_secret(&(text(&output.stdout) + &text(&output.stderr)));
    }
    assert!(proxy.requests()[0].contains(BASIC), "the proxy gets it");
    let before = proxy.requests().len();
    let direct = command(["get", "--no-proxy", "http://h.invalid/x"]).env("http_proxy", &working).output().unwrap();
    assert_eq!((code(&direct), proxy.requests().len()), (6, before));
}

/// Starts an ftp server without TLS. Also returns the commands it received.
fn plain_ftp() -> (u16, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, told) = mpsc::channel();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"220 here\r\n").unwrap();
        for line in BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok) {
            let _ = stream.write_all(if line.starts_with("AUTH") { b"502 no\r\n" } else { b"530 no\r\n" });
            let _ = sender.send(line);
        }
    });
    (port, told)
}

#[test]
fn security_16_without_tls_no_password_is_sent_if_tls_is_required() {
    let (port, told) = plain_ftp();
    let url = format!("ftp://jim:{MARKER}@127.0.0.1:{port}/x");
    let output = urlwise(&["get", "--require-tls", &url]);
    assert_ne!(code(&output), 0);
    holds_no_secret(&text(&output.stderr));
    let lines: Vec<String> = told.iter().collect();
    assert!(lines.iter().all(|line| line.starts_with("AUTH TLS") || line.starts_with("QUIT")), "{lines:?}");
}

#[test]
fn security_52_insecure_prints_a_warning_each_time() {
    let folder = Folder::new();
    let url = file_url(&folder.file("x", "x"));
    for arguments in [&["get", "--insecure", &url][..], &["get", "-q", "--insecure", &url], &["ls", "--insecure", &url]]
    {
        let output = urlwise(arguments);
        assert_eq!(code(&output), 0);
        assert!(text(&output.stderr).contains("warning"), "{arguments:?}");
    }
}
#[test]
fn pipes_and_devices_require_an_option() {
    let refused = urlwise(&["get", "--max-size", "10", "file:///dev/zero"]);
    assert_eq!(code(&refused), 4);
    let read = urlwise(&["get", "--special-files", "--max-size", "10", "file:///dev/zero"]);
    assert_eq!((code(&read), read.stdout), (17, vec![0; 10]), "{}", text(&read.stderr));
}
