//! What people do every day: dates, header fields, heads, error bodies, rates, fragments.

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

use crate::support::*;

/// Thu, 01 Dec 1994 16:00:00 GMT.
const DATE: Duration = Duration::from_secs(786_297_600);

/// A document with a date.
fn dated() -> Server {
    Server::new(|_, _, stream| {
        let _ = stream.write_all(
            b"HTTP/1.1 200 OK\r\nLast-Modified: Thu, 01 Dec 1994 16:00:00 GMT\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok",
        );
    })
}

fn modified(folder: &Folder, name: &str) -> SystemTime {
    fs::metadata(folder.path(name)).unwrap().modified().unwrap()
}

#[test]
fn a_saved_file_has_the_date_of_the_document_unless_that_is_not_wanted() {
    let (folder, server) = (Folder::new(), dated());
    assert_eq!(code(&folder.urlwise(["get", "-O", &server.url("/x")])), 0);
    assert_eq!(modified(&folder, "x"), SystemTime::UNIX_EPOCH + DATE);
    assert_eq!(code(&folder.urlwise(["get", "-O", "--no-date", &server.url("/y")])), 0);
    assert!(modified(&folder, "y").elapsed().unwrap_or_default() < Duration::from_secs(600));
    let from = folder.file("from", "1");
    fs::File::options().write(true).open(&from).unwrap().set_modified(SystemTime::UNIX_EPOCH + DATE).unwrap();
    assert_eq!(code(&folder.urlwise(["get", "-o", "to", &file_url(&from)])), 0);
    assert_eq!(modified(&folder, "to"), SystemTime::UNIX_EPOCH + DATE);
    // Without a date from the server, it is that of now.
    let undated = Server::new(|_, head, stream| give(stream, head, b"ok", "\"1\"", 2));
    assert_eq!(code(&folder.urlwise(["get", "-O", &undated.url("/z")])), 0);
    assert!(modified(&folder, "z").elapsed().unwrap_or_default() < Duration::from_secs(600));
}

#[test]
fn security_56_header_fields_are_sent_masked_in_dialogues_and_checked() {
    let (folder, server) = (Folder::new(), dated());
    folder.file("fields", "Cookie: s3cret\r\n\nX-B: 2\n");
    let output = folder.urlwise(["get", "-v", "-H", "X-A: s3cret", "-H", "@fields", "-A", "me/1", &server.url("/x")]);
    assert_eq!((code(&output), output.stdout), (0, b"ok".to_vec()), "{}", text(&output.stderr));
    let head = server.requests()[0].to_ascii_lowercase();
    for line in ["x-a: s3cret\r\n", "cookie: s3cret\r\n", "x-b: 2\r\n", "user-agent: me/1\r\n"] {
        assert!(head.contains(line), "{line}: {head}");
    }
    assert!(!text(&output.stderr).contains("s3cret"), "{}", text(&output.stderr));
    let plan = folder.urlwise(["get", "--dry-run", "-H", "X-A: s3cret", &server.url("/x")]);
    assert!(
        text(&plan.stdout).contains("x-a: ***") && !text(&plan.stdout).contains("s3cret"),
        "{}",
        text(&plan.stdout)
    );
    for field in ["X-A: s3cret\r\nHost: evil.example", "Host: s3cret", "Content-Length: 1", "s3cret", "@none"] {
        let output = folder.urlwise(["get", "-H", field, &server.url("/x")]);
        assert_eq!(code(&output), 2, "{field}");
        assert!(text(&output.stderr).starts_with("urlwise: --header: ") && !text(&output.stderr).contains("s3cret"));
    }
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn the_head_alone_is_printed_whatever_the_status() {
    let server = Server::new(|_, head, stream| {
        assert!(head.starts_with("HEAD "), "{head}");
        let status = if path(head) == "/x" { "200 OK" } else { "404 Not Found" };
        let _ = write!(stream, "HTTP/1.1 {status}\r\nX-A: b\r\nContent-Length: 9\r\nConnection: close\r\n\r\n");
    });
    let folder = Folder::new();
    let output = folder.urlwise(["get", "-I", &server.url("/x")]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 9\r\nConnection: close\r\n\r\n");
    let output = folder.urlwise(["get", "--head", &server.url("/none")]);
    assert_eq!(code(&output), 10);
    assert!(text(&output.stdout).starts_with("HTTP/1.1 404 Not Found\r\nX-A: b\r\n"));
    assert!(text(&output.stderr).contains("404 Not Found"), "{}", text(&output.stderr));
    assert_eq!(code(&folder.urlwise(["get", "-I", "-o", "saved", &server.url("/none")])), 10);
    assert!(folder.names().is_empty(), "an error is not saved");
    assert_eq!(code(&folder.urlwise(["get", "-I", "-o", "saved", &server.url("/x")])), 0);
    assert!(folder.read("saved").starts_with(b"HTTP/1.1 200 OK\r\n"));
    let output = folder.urlwise(["get", "-I", "gopher://127.0.0.1/"]);
    assert!(text(&output.stderr).contains("--head requires an http URL"), "{}", text(&output.stderr));
}

#[test]
fn the_body_of_an_error_is_printed_once_and_the_exit_status_stays() {
    let server = Server::new(|_, _, stream| {
        let _ = stream.write_all(b"HTTP/1.1 503 Busy\r\nContent-Length: 5\r\nConnection: close\r\n\r\nlater");
    });
    let folder = Folder::new();
    let quiet = folder.urlwise(["get", &server.url("/x")]);
    assert_eq!((code(&quiet), quiet.stdout.len()), (11, 0));
    for retries in ["0", "1"] {
        let output = folder.urlwise(["get", "--show-error-body", "--retry", retries, &server.url("/x")]);
        assert_eq!((code(&output), text(&output.stdout).as_str()), (11, "later"), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("503"), "{}", text(&output.stderr));
    }
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn a_rate_is_not_exceeded() {
    let server = Server::new(|_, head, stream| give(stream, head, &document(60_000), "\"1\"", 60_000));
    let folder = Folder::new();
    let begun = Instant::now();
    let output = folder.urlwise(["get", "--limit-rate", "50k", "-o", "x", &server.url("/x")]);
    assert_eq!((code(&output), folder.read("x").len()), (0, 60_000));
    assert!(begun.elapsed() > Duration::from_millis(1_000), "{:?}", begun.elapsed());
}

#[test]
fn a_rate_comes_in_small_steps_and_does_not_outlast_the_longest_time() {
    let server = Server::new(|_, head, stream| give(stream, head, &document(60_000), "\"1\"", 60_000));
    let begun = Instant::now();
    let output = urlwise(&["get", "--limit-rate", "1k", "--max-time", "1s", &server.url("/x")]);
    assert_eq!(code(&output), 15, "{}", text(&output.stderr));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!((1..3_000).contains(&output.stdout.len()), "{} octets", output.stdout.len());
}

#[test]
fn behind_the_last_octets_no_rate_is_waited_for() {
    let server = Server::new(|_, head, stream| give(stream, head, b"x", "\"1\"", 1));
    let output = urlwise(&["get", "--limit-rate", "1", "--max-time", "0.8", &server.url("/x")]);
    assert_eq!((code(&output), text(&output.stdout).as_str()), (0, "x"), "{}", text(&output.stderr));
}

#[test]
fn the_longest_time_holds_for_files_of_this_machine() {
    let folder = Folder::new();
    let long = folder.file("long", "");
    // Nothing of it takes room on the disk.
    fs::File::options().write(true).open(&long).unwrap().set_len(1 << 38).unwrap();
    let begun = Instant::now();
    let mut command = command(["get", "--max-size", "1T", "--max-time", "0.3", &file_url(&long)]);
    let output = command.stdout(Stdio::null()).output().unwrap();
    assert_eq!(code(&output), 15, "{}", text(&output.stderr));
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
}

#[test]
fn a_fragment_is_cut_with_a_note_where_it_can_be_nothing_else() {
    let (folder, server) = (Folder::new(), dated());
    let output = folder.urlwise(["get", &server.url("/x#part")]);
    assert_eq!((code(&output), text(&output.stdout).as_str()), (0, "ok"), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("`#part` is a fragment"), "{}", text(&output.stderr));
    assert!(server.requests()[0].starts_with("GET /x HTTP"));
    // A name in ftp may hold it, and a login may follow it.
    for url in ["ftp://127.0.0.1/C#/notes.txt", "http://127.0.0.1#@evil.example/", "http://127.0.0.1/a b#c"] {
        assert_eq!(code(&folder.urlwise(["get", "--dry-run", url])), 3, "{url}");
    }
}

#[test]
fn a_server_that_refuses_head_is_listed() {
    let server = Server::new(|_, head, stream| match head.starts_with("HEAD") {
        true => {
            let _ = stream.write_all(b"HTTP/1.1 405 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
        false => give(stream, head, b"document", "\"1\"", 8),
    });
    let output = urlwise(&["ls", "--json", &server.url("/x")]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let entry: serde_json::Value =
        serde_json::from_slice(output.stdout.split(|octet| *octet == b'\n').next().unwrap()).unwrap();
    assert_eq!(entry["size"], 8);
}
