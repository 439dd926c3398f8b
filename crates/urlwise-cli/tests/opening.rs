//! `urlwise get` and `urlwise ls` as a user runs them: files of this machine, and small servers that say what no real one will.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("urlwise-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, octets: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, octets).unwrap();
        path
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn urlwise(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_urlwise")).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

fn file_url(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// A server that gives the same answer to each of so many connections, then goes away.
fn answering(answer: &'static [u8], connections: usize) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().take(connections) {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(answer);
        }
    });
    port
}

#[test]
fn a_file_arrives_octet_for_octet() {
    let folder = Folder::new("octets");
    let all: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    let url = file_url(&folder.file("all", &all));
    let output = urlwise(&["get", &url]);
    assert_eq!((code(&output), output.stdout), (0, all));
    assert!(output.stderr.is_empty());
}

#[test]
fn a_saved_file_appears_whole_and_replaces_nothing_unasked() {
    let folder = Folder::new("saved");
    let url = file_url(&folder.file("from", "new"));
    let to = folder.0.join("to");
    let to = to.to_str().unwrap();
    assert_eq!(code(&urlwise(&["get", "-o", to, &url])), 0);
    assert_eq!(fs::read(to).unwrap(), b"new");
    fs::write(to, "mine").unwrap();
    let refused = urlwise(&["get", "-o", to, &url]);
    assert_eq!((code(&refused), fs::read(to).unwrap()), (14, b"mine".to_vec()));
    assert!(text(&refused.stderr).contains("--force"));
    assert_eq!(code(&urlwise(&["get", "--force", "-o", to, &url])), 0);
    assert_eq!(fs::read(to).unwrap(), b"new");
    assert_eq!(folder.names(), ["from", "to"]);
}

#[test]
fn a_transfer_that_is_cut_leaves_no_file() {
    let folder = Folder::new("cut");
    let port = answering(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", 1);
    let to = folder.0.join("to");
    let output = urlwise(&["get", "-o", to.to_str().unwrap(), &format!("http://127.0.0.1:{port}/x")]);
    assert_eq!(code(&output), 13, "{}", text(&output.stderr));
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

#[test]
fn a_dangling_link_in_the_way_is_not_written_through() {
    let folder = Folder::new("link");
    let url = file_url(&folder.file("from", "new"));
    let link = folder.0.join("to");
    std::os::unix::fs::symlink(folder.0.join("elsewhere"), &link).unwrap();
    assert_eq!(code(&urlwise(&["get", "-o", link.to_str().unwrap(), &url])), 14);
    assert_eq!(folder.names(), ["from", "to"]);
}

#[test]
fn every_class_of_failure_has_its_exit_code() {
    let missing = answering(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 1);
    let login = answering(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", 1);
    let broken = answering(b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n", 1);
    let nonsense = answering(b"220 mail.host.dom ESMTP\r\n", 1);
    let looping = answering(b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", 9);
    let elsewhere = answering(b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n", 1);
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let big = answering(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", 1);
    let at = |port: u16| format!("http://127.0.0.1:{port}/");
    for (arguments, expected) in [
        (vec!["http://h .dom/".to_string()], 3),
        (vec!["gopher://h.dom:25/".into()], 4),
        (vec!["telnet://h.dom/".into()], 5),
        (vec!["x-new:thing".into()], 5),
        (vec!["http://no-such-host.invalid/".into()], 6),
        (vec![at(closed)], 7),
        (vec![format!("https://127.0.0.1:{nonsense}/")], 8),
        (vec![at(login)], 9),
        (vec![at(missing)], 10),
        (vec!["file:///no/such/file".into()], 10),
        (vec![at(broken)], 11),
        (vec![at(elsewhere)], 4),
        (vec![at(looping)], 16),
        (vec!["--max-size".into(), "10".into(), at(big)], 17),
        (vec!["--no-such-option".into()], 2),
    ] {
        let arguments: Vec<&str> = ["get"].into_iter().chain(arguments.iter().map(String::as_str)).collect();
        let output = urlwise(&arguments);
        assert_eq!(code(&output), expected, "{arguments:?}: {}", text(&output.stderr));
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn a_server_that_never_speaks_is_left() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let output = urlwise(&["get", "--max-time", "0.3", &format!("http://127.0.0.1:{port}/")]);
    assert_eq!(code(&output), 15, "{}", text(&output.stderr));
}

#[test]
fn the_exit_code_of_several_urls_is_that_of_the_first_failure_and_the_others_are_got() {
    let folder = Folder::new("several");
    let url = file_url(&folder.file("there", "there\n"));
    let output = urlwise(&["get", "file:///no/such", &url, "telnet://h.dom/"]);
    assert_eq!((code(&output), text(&output.stdout)), (10, "there\n".into()));
}

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

#[test]
fn the_summary_has_the_fields_of_the_contract_in_their_order() {
    let folder = Folder::new("summary");
    let url = file_url(&folder.file("there.txt", "there\n"));
    let output = urlwise(&["get", "--json", &url]);
    assert_eq!(output.stdout, b"there\n");
    let line = text(&output.stderr);
    let object: serde_json::Value = serde_json::from_str(&line).unwrap();
    let fields: Vec<&String> = object.as_object().unwrap().keys().collect();
    let contract =
        ["url", "final_url", "kind", "bytes", "media_type", "saved_as", "seconds", "ok", "error", "exit"].to_vec();
    assert_eq!(fields, contract);
    assert_eq!((&object["bytes"], &object["ok"], &object["exit"]), (&6.into(), &true.into(), &0.into()));
    let to = folder.0.join("to");
    let saved = urlwise(&["get", "--json", "-o", to.to_str().unwrap(), &url]);
    let object: serde_json::Value = serde_json::from_slice(&saved.stdout).unwrap();
    assert_eq!(object["saved_as"], to.to_str().unwrap());
}

#[test]
fn control_octets_of_a_menu_reach_no_terminal() {
    let answer = b"0title \x1b]0;owned\x07 \xE2\x80\xAE\t/x\t127.0.0.1\t70\r\n1\x9b31m\t/y\t127.0.0.1\t70\r\n.\r\n";
    let port = answering(answer, 2);
    let url = format!("gopher://127.0.0.1:{port}/");
    for arguments in [vec!["ls", &url], vec!["ls", "--json", &url]] {
        let output = urlwise(&arguments);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        let shown = String::from_utf8(output.stdout).expect("it is text");
        assert!(shown.contains("owned"), "{shown}");
        assert!(!shown.chars().any(|c| c != '\n' && urlwise::is_harmful(c)), "{shown:?}");
    }
}

#[test]
fn each_entry_of_a_directory_can_be_opened_again() {
    let folder = Folder::new("again");
    let names = ["a b", "100%", "x;y", "q?r", "h#s", "~t", "caf\u{e9}", "-l"];
    for name in names {
        folder.file(name, name);
    }
    let listing = urlwise(&["ls", "--json", &format!("{}/", file_url(&folder.0))]);
    let lines = text(&listing.stdout);
    let urls = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["url"].clone());
    let urls: Vec<String> = urls.map(|url| url.as_str().unwrap().to_owned()).collect();
    assert_eq!(urls.len(), names.len());
    let arguments: Vec<&str> = ["get"].into_iter().chain(urls.iter().map(String::as_str)).collect();
    let mut expected = names;
    expected.sort_unstable();
    assert_eq!(text(&urlwise(&arguments).stdout), expected.concat());
}

#[test]
fn a_terminal_gets_no_document_with_controls() {
    let folder = Folder::new("terminal");
    let url = file_url(&folder.file("odd", "fine\x1b[31m"));
    let command = format!("{} get '{url}'", env!("CARGO_BIN_EXE_urlwise"));
    // `script` gives the program a terminal and passes on what comes out of it.
    let output = Command::new("script").args(["-qec", &command, "/dev/null"]).stdin(Stdio::null()).output().unwrap();
    let shown = text(&output.stdout);
    assert_eq!((code(&output), shown.contains('\x1b')), (14, false), "{shown:?}");
    assert!(shown.contains("--output"), "{shown:?}");
}

#[test]
fn no_password_is_shown_by_any_way_of_opening() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let urls = [
        format!("http://jim:qqMARKqq@127.0.0.1:{closed}/"),
        "ftp://jim:qqMARKqq@host.dom/".into(),
        "ftp://jim:qqMARKqq@x@host.dom/".into(),
        "telnet://jim:qqMARKqq@host.dom:25/".into(),
        "x-new://jim:qqMARKqq@host.dom/".into(),
    ];
    for url in &urls {
        for command in [&["get"][..], &["get", "--json"], &["get", "--dry-run"], &["ls"], &["ls", "--json"]] {
            let output = urlwise(&[command, &[url]].concat());
            assert_ne!(code(&output), 101);
            let shown = text(&output.stdout) + &text(&output.stderr);
            assert!(!shown.contains("MARK"), "{command:?} {url}: {shown}");
        }
    }
}
