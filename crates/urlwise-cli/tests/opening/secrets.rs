//! Client security 14: passwords are not in messages, files or file names.

use std::fs;
use std::io::Write;
use std::net::TcpListener;

use crate::support::*;

const MARKER: &str = "MaRkEr";

/// Neither the output nor any file or file name in the folder contains the marker.
#[track_caller]
fn holds_no_marker(folder: &Folder, arguments: &[&str], output: &std::process::Output) {
    assert_ne!(output.status.code(), Some(101), "{arguments:?}");
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(!said.contains(MARKER), "{arguments:?} says it: {said}");
    for name in folder.names() {
        assert!(!name.contains(MARKER), "{arguments:?} names {name}");
        let octets = folder.read(&name);
        assert!(!text(&octets).contains(MARKER), "{arguments:?} writes it to {name}");
        fs::remove_file(folder.path(&name)).unwrap();
    }
}

#[test]
fn security_14_opening_never_shows_or_writes_a_password() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    // Large documents are described at the start, small ones when the transfer ends.
    let cut = Server::new(|_, head, stream| give(stream, head, &document(3 << 20), "\"1\"", 1 << 20));
    let cut = cut.url("").strip_prefix("http://").unwrap().to_owned();
    let urls = [
        format!("http://jim:{MARKER}@{cut}/x"),
        format!("http://jim:{MARKER}@{cut}"),
        format!("http://jim:{MARKER}@127.0.0.1:{closed}/"),
        format!("ftp://jim:{MARKER}@127.0.0.1:{closed}/a;type=i"),
        format!("ftp://jim:{MARKER}@x@host.dom/"),
        format!("telnet://jim:{MARKER}@host.dom:25/"),
        format!("x-new://jim:{MARKER}@host.dom/"),
    ];
    let ways: [&[&str]; 14] = [
        &["get"],
        &["get", "-q"],
        &["get", "--json"],
        &["get", "--dry-run"],
        &["get", "--dry-run", "--json"],
        &["get", "-O"],
        &["get", "-O", "--json"],
        &["get", "-O", "--continue"],
        &["get", "-O", "--force", "--parallel", "2"],
        &["get", "-o", "x", "--allow", "port-foreign"],
        &["get", "--retry", "1", "--max-time", "0.5"],
        &["get", "--max-size", "1"],
        &["ls"],
        &["ls", "--json"],
    ];
    let folder = Folder::new();
    for url in &urls {
        for way in ways {
            let arguments = [way, &[url]].concat();
            let output = folder.urlwise(&arguments);
            holds_no_marker(&folder, &arguments, &output);
        }
    }
}

/// A second run finds the files of the first.
#[test]
fn security_14_messages_about_partial_files_have_no_password() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| give(stream, head, &document(3 << 20), "\"1\"", 1 << 20));
    let url = server.url("/x").replace("http://", &format!("http://jim:{MARKER}@"));
    let other = server.url("/y/x").replace("http://", &format!("http://jim:{MARKER}@"));
    assert_eq!(code(&folder.urlwise(["get", "-O", &url])), 13);
    for arguments in [["get", "-O", "--json", &url], ["get", "-O", "--continue", &other]] {
        let output = folder.urlwise(arguments);
        assert_eq!(code(&output), 14);
        assert!(!text(&output.stderr).contains(MARKER) && !text(&output.stdout).contains(MARKER), "{output:?}");
    }
    assert!(!text(&folder.read("x.part.json")).contains(MARKER));
}

/// The password of a URL that a server redirects to is shown nowhere, whether the URL is followed, refused or malformed.
#[test]
fn security_14_a_password_in_a_redirect_is_masked() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| {
        let host = head.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
        let target = match path(head) {
            "/followed" => format!("http://evil:{MARKER}@{host}/end"),
            "/refused" => format!("ftp://evil:{MARKER}@{host}/"),
            "/relative" => format!("//evil:{MARKER}@{host}/["),
            "/twice" => format!("http://evil:{MARKER}@evil@{host}/"),
            "/login" => format!("gopher://evil:{MARKER}@{host}/"),
            "/control" => format!("http://evil:{MARKER}@{host}/\u{1}"),
            _ => return drop(stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nend")),
        };
        drop(
            stream
                .write_all(format!("HTTP/1.1 302 Found\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n").as_bytes()),
        );
    });
    for (page, status, shown) in [
        ("/followed", 0, "location-login"),
        ("/refused", 4, "ftp://evil:***@127.0.0.1"),
        ("/relative", 12, "//evil:***@127.0.0.1"),
        ("/twice", 12, "http://evil:***@127.0.0.1"),
        ("/login", 12, "gopher://evil:***@127.0.0.1"),
        ("/control", 12, "http://evil:***@127.0.0.1"),
    ] {
        let url = server.url(page);
        for way in [&["get"][..], &["get", "-v"], &["get", "--json"], &["get", "-O", "-v"], &["ls"], &["ls", "--json"]]
        {
            let arguments = [way, &[&url]].concat();
            let output = folder.urlwise(&arguments);
            holds_no_marker(&folder, &arguments, &output);
            if way[0] == "get" {
                assert_eq!(code(&output), status, "{arguments:?}: {output:?}");
                assert!(text(&output.stderr).contains(shown), "{arguments:?}: {output:?}");
            }
        }
    }
}
