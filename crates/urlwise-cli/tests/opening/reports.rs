//! What is reported about servers, redirects and proxies, and where documents go.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Stdio;
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::support::*;

/// A server that redirects here.
fn redirecting(location: &str) -> Server {
    let answer =
        format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    Server::new(move |_, _, stream| drop(stream.write_all(answer.as_bytes())))
}

#[test]
fn a_refused_redirect_names_both_urls() {
    let first = redirecting("ftp://127.0.0.1/x");
    let server = redirecting(&first.url("/2"));
    let output = urlwise(&["get", "--json", &server.url("/1")]);
    assert_eq!(code(&output), 4);
    let shown = text(&output.stderr);
    let expected = format!("urlwise: ftp://127.0.0.1/x (from {}, {}): the server", server.url("/1"), first.url("/2"));
    assert!(shown.starts_with(&expected), "{shown}");
    let line = shown.lines().find(|line| line.starts_with('{')).unwrap();
    let object: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!((&object["url"], &object["final_url"]), (&server.url("/1").into(), &"ftp://127.0.0.1/x".into()));
}

#[test]
fn a_server_that_speaks_first_is_seen_at_once_not_to_be_http() {
    // It waits for a command, so neither an empty line nor the end ever comes.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.write_all(b"220 mail.example ESMTP\r\n");
            thread::spawn(move || stream.read_to_end(&mut Vec::new()));
        }
    });
    let began = Instant::now();
    let output = urlwise(&["get", "--first-byte-timeout", "60s", "--idle-timeout", "60s", &url]);
    let shown = text(&output.stderr);
    assert_eq!(code(&output), 12, "{shown}");
    assert!(shown.contains("the answer is not HTTP: \"220 mail.example ESMTP\" ("), "{shown}");
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
}

#[test]
fn security_14_a_password_that_an_http_server_repeats_is_masked() {
    const BASIC: &str = "am9lOk1hUmtFcg==";
    let realm = format!("HTTP/1.1 401 No\r\nX: MaRkEr\r\nWWW-Authenticate: Basic realm=\"MaRkEr {BASIC}\"\r\n\r\n");
    let location = format!("HTTP/1.1 302 Found\r\nX: {BASIC}\r\nLocation: \\MaRkEr{BASIC}\r\n\r\n");
    for (answer, status) in [(realm.as_str(), 9), (&location, 12), ("MaRkEr am9lOk1hUmtFcg==\r\n", 12)] {
        let octets = answer.to_owned();
        let server = Server::new(move |_, _, stream| drop(stream.write_all(octets.as_bytes())));
        let url = server.url("/x").replace("127", "joe:MaRkEr@127");
        for more in ["--verbose", "--json", "--quiet"] {
            let output = urlwise(&["get", "--http-userinfo", more, &url]);
            let shown = text(&output.stderr);
            assert_eq!(code(&output), status, "{shown}");
            assert!(!shown.contains("MaRkEr") && !shown.contains(BASIC) && shown.contains("***"), "{shown}");
        }
    }
    // Its quotation marks do not end ours.
    let server = Server::new(|_, _, stream| {
        let _ = stream.write_all(b"HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"a\"\r\n\r\n");
    });
    let shown = text(&urlwise(&["get", &server.url("/")]).stderr);
    assert!(shown.contains(r#": "Basic realm=\"a\"" ("#), "{shown}");
}

#[test]
fn security_14_the_login_of_a_proxy_that_it_repeats_is_masked() {
    let proxy = Server::new(|_, _, stream| {
        let _ = stream.write_all(b"HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"MaRkEr\"\r\n\r\n");
    });
    let name = proxy.url("").replace("127", "joe:MaRkEr@127");
    for url in ["http://h.example/", "https://h.example/"] {
        let output = urlwise(&["get", "-v", "--proxy", &name, url]);
        let shown = text(&output.stderr);
        assert!(code(&output) == 9 && !shown.contains("MaRkEr"), "{shown}");
    }
}

#[test]
fn the_dialogue_names_the_proxy_that_is_connected_to() {
    let proxy = Server::new(|_, head, stream| give(stream, head, b"x", "\"1\"", 1));
    let port = proxy.url("").rsplit(':').next().unwrap().to_owned();
    let output = urlwise(&["get", "-v", "--proxy", &proxy.url(""), "http://h.example/"]);
    let expected = format!("urlwise: h.example port 80 connect  connected to the proxy 127.0.0.1 port {port}\n");
    assert!(text(&output.stderr).starts_with(&expected), "{}", text(&output.stderr));
    let direct = text(&urlwise(&["get", "-v", &proxy.url("/")]).stderr);
    assert!(direct.starts_with(&format!("urlwise: 127.0.0.1 port {port} connect  connected\n")), "{direct}");
}

#[test]
fn a_host_that_only_the_profile_current_knows_is_one_for_prospero_too() {
    let output = urlwise(&["get", "prospero://a_b.invalid/x"]);
    assert_eq!(code(&output), 6);
    assert!(text(&output.stderr).contains("cannot resolve host `a_b.invalid`"), "{}", text(&output.stderr));
}

#[test]
fn a_directory_takes_documents_under_the_names_of_their_urls() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| give(stream, head, b"new", "\"1\"", 3));
    for name in ["d", "out", "out/e"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    assert_eq!(code(&folder.urlwise(["get", "-o", "d", &server.url("/a/x.txt"), &server.url("/y")])), 0);
    assert_eq!((folder.read("d/x.txt"), folder.read("d/y")), (b"new".to_vec(), b"new".to_vec()));
    let again = folder.urlwise(["get", "-o", "d/", &server.url("/x.txt")]);
    assert_eq!(code(&again), 14);
    assert!(text(&again.stderr).contains("d/x.txt already exists"), "{}", text(&again.stderr));
    // The directory is looked for where the file would be.
    assert_eq!(code(&folder.urlwise(["get", "--output-dir", "out", "-o", "e", &server.url("/z")])), 0);
    assert_eq!(folder.read("out/e/z"), b"new");
    assert_eq!(code(&folder.urlwise(["get", "--output-dir", "out", "-o", "d", &server.url("/z")])), 0);
    assert_eq!(folder.read("out/d"), b"new");
    let several = folder.urlwise(["get", "-o", "one", &server.url("/x"), &server.url("/y")]);
    assert_eq!(code(&several), 2, "a file takes one");
}

#[test]
fn the_octets_that_are_kept_are_those_in_the_file() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| give(stream, head, &document(100_000), "\"1\"", 100_000));
    // A limit of the shell, 20 blocks of 512 or 1,024 octets, ends the file within a write, as a full disk does.
    let line = format!("ulimit -f 20; exec '{}' get -O {}", env!("CARGO_BIN_EXE_urlwise"), server.url("/x"));
    let output = english("sh").args(["-c", &line]).current_dir(&folder.0).stdin(Stdio::null()).output().unwrap();
    let shown = text(&output.stderr);
    let length = folder.read("x.part").len();
    assert!(code(&output) == 14 && length > 0, "{shown}");
    assert!(shown.contains(&format!("{length} octets are kept in x.part")), "{length}: {shown}");
}

#[test]
fn a_document_in_latin1_is_utf8_at_a_terminal_and_itself_in_a_pipe() {
    let server = Server::new(|_, head, stream| {
        let charset = if path(head) == "/none" { "" } else { "; charset=ISO-8859-1" };
        let headers = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain{charset}\r\nConnection: close\r\n\r\n");
        let _ = stream.write_all(&[headers.as_bytes(), b"caf\xe9"].concat());
    });
    let gopher = answering(b"caf\xe9\r\n.\r\n", 2);
    let gopher = format!("gopher://127.0.0.1:{gopher}/0x");
    let at_terminal = |url: &str| {
        let command = format!("{} get '{url}'", env!("CARGO_BIN_EXE_urlwise"));
        english("script").args(["-qec", &command, "/dev/null"]).stdin(Stdio::null()).output().unwrap().stdout
    };
    assert_eq!(at_terminal(&server.url("/x")), "caf\u{e9}".as_bytes());
    assert_eq!(at_terminal(&server.url("/none")), b"caf\xe9", "nobody says what it is");
    assert_eq!(urlwise(&["get", &server.url("/x")]).stdout, b"caf\xe9");
    assert_eq!(at_terminal(&gopher), "caf\u{e9}\r\n".as_bytes());
    assert_eq!(urlwise(&["get", &gopher]).stdout, b"caf\xe9\n");
}
