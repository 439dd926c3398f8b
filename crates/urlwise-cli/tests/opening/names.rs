//! Names of saved files (client security 41). The rules themselves are tested next to the code.

use crate::support::*;

fn server() -> Server {
    Server::new(|_, head, stream| give(stream, head, path(head).as_bytes(), "\"1\"", 999))
}

#[test]
fn security_41_names_come_from_the_url_and_stay_in_the_folder() {
    let server = server();
    for (path, expected) in [
        ("/a/b.txt", "b.txt"),
        ("/a%20b?c=/d", "a b"),
        ("/%2E%2E%2Fx", "%2E.%2Fx"),
        ("/..%5Cx", "%2E.%5Cx"),
        ("/.bashrc", "%2Ebashrc"),
        ("/-rf", "%2Drf"),
        ("/%1B%5B31mred", "%1B[31mred"),
        ("/a/..", "%2E%2E"),
        ("/a/", "index"),
        ("", "index"),
    ] {
        let folder = Folder::new();
        let output = folder.urlwise(["get", "-O", &server.url(path)]);
        assert_eq!((code(&output), folder.names()), (0, vec![expected.to_owned()]), "{path}");
    }
}

#[test]
fn security_41_neither_redirect_nor_header_chooses_the_name() {
    let server = Server::new(|number, head, stream| match number {
        0 => {
            let answer = "HTTP/1.1 302 Found\r\nLocation: /.bashrc\r\nContent-Length: 0\r\n\r\n";
            let _ = std::io::Write::write_all(stream, answer.as_bytes());
        }
        _ => {
            let answer = "HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename=\"../evil\"\r\nContent-Length: 2\r\n\r\nok";
            let _ = std::io::Write::write_all(stream, answer.as_bytes());
            assert_eq!(path(head), "/.bashrc");
        }
    });
    let folder = Folder::new();
    assert_eq!(code(&folder.urlwise(["get", "-O", &server.url("/asked")])), 0);
    assert_eq!((folder.names(), folder.read("asked")), (vec!["asked".to_owned()], b"ok".to_vec()));
}

#[test]
fn security_7_a_name_that_is_too_long_is_refused() {
    let (server, folder) = (server(), Folder::new());
    let longest = "n".repeat(245);
    assert_eq!(code(&folder.urlwise(["get", "-O", &server.url(&format!("/{longest}"))])), 0);
    let output = folder.urlwise(["get", "-O", &server.url(&format!("/{longest}n"))]);
    assert_eq!((code(&output), folder.names()), (17, vec![longest]));
    assert!(text(&output.stderr).contains("--output"), "{}", text(&output.stderr));
}

#[test]
fn the_output_folder_is_created_and_used() {
    let (server, folder) = (server(), Folder::new());
    let urls = [server.url("/x"), server.url("/y")];
    let output = folder.urlwise(["get", "-O", "--output-dir", "a/b", &urls[0], &urls[1]]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(code(&folder.urlwise(["get", "-o", "z", "--output-dir", "a/b", &urls[0]])), 0);
    for (name, expected) in [("a/b/x", "/x"), ("a/b/y", "/y"), ("a/b/z", "/x")] {
        assert_eq!(text(&folder.read(name)), expected);
    }
}

#[test]
fn of_two_urls_with_one_name_the_second_is_refused() {
    let (server, folder) = (server(), Folder::new());
    let output = folder.urlwise(["get", "-O", &server.url("/a/x"), &server.url("/b/x")]);
    assert_eq!((code(&output), text(&folder.read("x"))), (14, "/a/x".into()));
}
