//! Exit codes and summaries.

use std::net::TcpListener;
use std::process::Stdio;

use crate::support::*;

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
fn a_silent_server_times_out() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let output = urlwise(&["get", "--max-time", "0.3", &format!("http://127.0.0.1:{port}/")]);
    assert_eq!(code(&output), 15, "{}", text(&output.stderr));
}

#[test]
fn the_summary_has_the_documented_fields_in_order() {
    let folder = Folder::new();
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
fn a_document_with_controls_is_not_written_to_a_terminal() {
    let folder = Folder::new();
    let url = file_url(&folder.file("odd", "fine\x1b[31m"));
    let command = format!("{} get '{url}'", env!("CARGO_BIN_EXE_urlwise"));
    // `script` runs the program in a terminal and passes on its output.
    let output = english("script").args(["-qec", &command, "/dev/null"]).stdin(Stdio::null()).output().unwrap();
    let shown = text(&output.stdout);
    assert_eq!((code(&output), shown.contains('\x1b')), (14, false), "{shown:?}");
    assert!(shown.contains("--output"), "{shown:?}");
}

#[test]
fn an_error_says_what_the_system_said() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for url in ["http://no-such-host.invalid/".to_owned(), format!("http://127.0.0.1:{closed}/")] {
        let output = urlwise(&["get", &url]);
        let line = text(&output.stderr);
        assert_eq!(line.lines().count(), 1, "{line}");
        assert!(!line.contains("os error") && !line.contains("lookup address information"), "{line}");
    }
    let unresolved = text(&urlwise(&["ls", "ftp://no-such-host.invalid/"]).stderr);
    let said = "cannot resolve host `no-such-host.invalid`: ";
    let cause = unresolved.split_once(said).expect(&unresolved).1;
    assert!(cause.starts_with(|letter: char| letter.is_alphabetic()), "{unresolved}");
    let refused = text(&urlwise(&["get", &format!("http://127.0.0.1:{closed}/")]).stderr);
    assert_eq!(refused.matches("Connection refused").count(), 1, "{refused}");
}

#[test]
fn the_last_line_says_how_to_read_about_the_first_refusal() {
    let (redis, injection) = ("gopher://127.0.0.1:6379/0x", "ftp://h.example/a%0D%0Ab");
    let last = |arguments: &[&str]| text(&urlwise(arguments).stderr).lines().last().unwrap_or_default().to_owned();
    let line = "urlwise: for more about E-03, run `urlwise explain E-03`";
    assert_eq!(last(&["get", redis]), line);
    assert_eq!(last(&["ls", redis]), line);
    assert_eq!(last(&["get", redis, injection]), line);
    assert_ne!(last(&["get", injection, redis]), line);
    assert_eq!(text(&urlwise(&["get", redis, redis, injection]).stderr).matches("for more about").count(), 1);
    assert!(!last(&["get", "-q", redis]).contains("for more about"));
    assert!(
        !last(&["get", "http://no-such-host.invalid/"]).contains("for more about"),
        "it cites nothing of the books"
    );
    let page = urlwise(&["explain", "E-03"]);
    assert!(text(&page.stdout).starts_with("E-03\n"), "what the line names can be read");
}

#[test]
fn with_json_a_directory_is_written_as_its_entries() {
    let folder = Folder::new();
    folder.file("a b.txt", "there\n");
    let url = file_url(&folder.0) + "/";
    let got = urlwise(&["get", "--json", &url]);
    assert_eq!(got.stdout, urlwise(&["ls", "--json", &url]).stdout);
    let entry: serde_json::Value = serde_json::from_slice(&got.stdout).unwrap();
    assert_eq!((&entry["title"], &entry["size"]), (&"a b.txt".into(), &6.into()));
    let summary: serde_json::Value = serde_json::from_slice(&got.stderr).unwrap();
    assert_eq!((&summary["kind"], &summary["ok"]), (&"menu".into(), &true.into()));
    assert!(text(&urlwise(&["get", &url]).stdout).starts_with("document "), "without --json it is for people");
}
