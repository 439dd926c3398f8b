//! Partial files and resuming them (client security 31, 43).

use std::fs;
use std::io::Write;

use serde_json::Value;

use crate::support::*;

const LENGTH: usize = 3 << 20;

/// A server whose first answer is cut off.
fn cutting() -> Server {
    Server::new(|number, head, stream| {
        give(stream, head, &document(LENGTH), "\"1\"", if number == 0 { LENGTH / 2 } else { LENGTH });
    })
}

#[test]
fn security_43_a_partial_transfer_is_kept_and_described() {
    let (folder, server) = (Folder::new(), cutting());
    let output = folder.urlwise(["get", "-O", &server.url("/x")]);
    assert_eq!(code(&output), 13, "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("--continue"), "{}", text(&output.stderr));
    assert_eq!(folder.names(), ["x.part", "x.part.json"]);
    assert_eq!(folder.read("x.part"), document(LENGTH)[..LENGTH / 2]);
    let about: Value = serde_json::from_slice(&folder.read("x.part.json")).unwrap();
    assert_eq!((&about["url"], &about["size"]), (&server.url("/x").into(), &LENGTH.into()));
}

#[test]
fn security_31_a_partial_file_is_resumed() {
    let (folder, server) = (Folder::new(), cutting());
    let url = server.url("/x");
    assert_eq!(code(&folder.urlwise(["get", "-O", &url])), 13);
    let output = folder.urlwise(["get", "-O", "--continue", "--json", &url]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!((folder.names(), folder.read("x")), (vec!["x".to_owned()], document(LENGTH)));
    let requests = server.requests();
    assert!(requests[1].to_ascii_lowercase().contains(&format!("range: bytes={}-", LENGTH / 2)), "{}", requests[1]);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["bytes"], LENGTH - LENGTH / 2);
}

#[test]
fn security_31_halves_of_two_documents_are_never_joined() {
    let folder = Folder::new();
    let server = Server::new(|number, head, stream| match number {
        0 => give(stream, head, &document(LENGTH), "\"old\"", LENGTH / 2),
        _ => give(stream, head, &vec![b'n'; LENGTH], "\"new\"", LENGTH),
    });
    let url = server.url("/x");
    assert_eq!(code(&folder.urlwise(["get", "-O", &url])), 13);
    let output = folder.urlwise(["get", "-O", "--continue", &url]);
    assert_eq!((code(&output), folder.names()), (0, vec!["x".to_owned()]), "{}", text(&output.stderr));
    assert!(folder.read("x") == vec![b'n'; LENGTH]);
    assert!(text(&output.stderr).contains("from the beginning"), "{}", text(&output.stderr));
}

#[test]
fn a_retry_resumes_the_transfer() {
    let (folder, server) = (Folder::new(), cutting());
    let saved = folder.urlwise(["get", "-O", "--retry", "1", &server.url("/x")]);
    assert_eq!((code(&saved), folder.names()), (0, vec!["x".to_owned()]), "{}", text(&saved.stderr));
    assert!(folder.read("x") == document(LENGTH));
    let server = cutting();
    let piped = folder.urlwise(["get", "--retry", "1", &server.url("/x")]);
    assert_eq!(code(&piped), 0, "{}", text(&piped.stderr));
    assert!(piped.stdout == document(LENGTH));
    assert!(server.requests()[1].to_ascii_lowercase().contains("range: bytes="));
}

/// Whatever the server answers, no octet is written twice and none is missing.
#[test]
fn a_retry_repeats_nothing_in_a_pipe() {
    let changing = Server::new(|number, head, stream| match number {
        0 => give(stream, head, &document(LENGTH), "\"old\"", LENGTH / 2),
        _ => give(stream, head, &vec![b'n'; LENGTH], "\"new\"", LENGTH),
    });
    let output = urlwise(&["get", "--retry", "1", &changing.url("/x")]);
    assert_eq!(code(&output), 13, "{}", text(&output.stderr));
    assert!(output.stdout == document(LENGTH)[..LENGTH / 2]);
}

/// A retry that starts over and breaks off early is followed by one that is resumed: nothing of that is skipped.
#[test]
fn a_retry_in_a_pipe_that_is_resumed_after_one_that_started_over_is_written_whole() {
    const FIRST: usize = LENGTH / 2;
    let server = Server::new(|number, head, stream| match number {
        0 => give(stream, head, &document(LENGTH), "\"1\"", FIRST),
        // As one that knows no ranges.
        1 => give(stream, "", &document(LENGTH), "\"1\"", FIRST / 2),
        _ => give(stream, head, &document(LENGTH), "\"1\"", LENGTH),
    });
    let output = urlwise(&["get", "--retry", "2", &server.url("/x")]);
    assert_eq!((code(&output), server.requests().len()), (0, 3), "{}", text(&output.stderr));
    assert!(output.stdout == document(LENGTH), "{} octets", output.stdout.len());
}

/// RFC 9110 section 15.3.7 lets a server send only some of what was asked for.
#[test]
fn a_rest_that_comes_in_parts_is_saved_whole_by_retries() {
    let server = Server::new(|number, head, stream| match range(head, "\"1\"") {
        None => give(stream, head, &document(LENGTH), "\"1\"", LENGTH / 2),
        Some(from) => {
            let part = &document(LENGTH)[from..LENGTH.min(from + LENGTH / 4)];
            let _ = write!(
                stream,
                "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {from}-{}/{LENGTH}\r\nContent-Length: {}\r\n\
                 ETag: \"1\"\r\nConnection: close\r\n\r\n",
                from + part.len() - 1,
                part.len()
            );
            let _ = stream.write_all(part);
            assert!(number < 3);
        }
    });
    let folder = Folder::new();
    let output = folder.urlwise(["get", "-O", "--retry", "2", &server.url("/x")]);
    assert_eq!((code(&output), folder.names()), (0, vec!["x".to_owned()]), "{}", text(&output.stderr));
    assert!(folder.read("x") == document(LENGTH));
    assert!(text(&output.stderr).contains("less than the rest of the document"), "{}", text(&output.stderr));
}

#[test]
fn a_partial_file_is_neither_overwritten_nor_resumed_without_an_option() {
    let (folder, server) = (Folder::new(), cutting());
    let url = server.url("/x");
    assert_eq!(code(&folder.urlwise(["get", "-O", &url])), 13);
    let refused = folder.urlwise(["get", "-O", &url]);
    assert_eq!(code(&refused), 14);
    let why = text(&refused.stderr);
    assert!(why.contains("--continue") && why.contains("--force"), "{why}");
    assert_eq!(server.requests().len(), 1);
    assert_eq!(code(&folder.urlwise(["get", "-O", "--force", &url])), 0);
    assert_eq!((folder.names(), server.requests().len()), (vec!["x".to_owned()], 2));
}

#[test]
fn a_file_that_is_not_known_to_be_partial_is_not_resumed() {
    let (folder, server) = (Folder::new(), cutting());
    let url = server.url("/x");
    for about in [None, Some("{}"), Some("not JSON"), Some("{\"urlwise\":\"partial\",\"url\":\"http://h.dom/y\"}")] {
        folder.file("x.part", "mine");
        match about {
            Some(about) => drop(folder.file("x.part.json", about)),
            None => drop(fs::remove_file(folder.path("x.part.json"))),
        }
        let output = folder.urlwise(["get", "-O", "--continue", &url]);
        assert_eq!((code(&output), folder.read("x.part")), (14, b"mine".to_vec()), "{about:?}");
    }
    assert!(server.requests().is_empty());
}

#[test]
fn a_description_of_something_else_is_not_overwritten() {
    let (folder, server) = (Folder::new(), cutting());
    folder.file("x.part.json", "mine");
    let output = folder.urlwise(["get", "-O", &server.url("/x")]);
    assert_eq!((code(&output), folder.read("x.part.json")), (14, b"mine".to_vec()), "{}", text(&output.stderr));
    assert_eq!(folder.names(), ["x.part.json"]);
}

#[test]
fn resuming_a_complete_file_succeeds() {
    let folder = Folder::new();
    let server = Server::new(|_, head, stream| give(stream, head, &document(5000), "\"1\"", 5000));
    let url = server.url("/x");
    assert_eq!(code(&folder.urlwise(["get", "-O", "--continue", &url])), 0);
    let again = folder.urlwise(["get", "-O", "--continue", "--json", &url]);
    assert_eq!(code(&again), 0, "{}", text(&again.stderr));
    let summary: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!((&summary["bytes"], &summary["saved_as"]), (&0.into(), &"x".into()));
    folder.file("x", "another file");
    assert_eq!(code(&folder.urlwise(["get", "-O", "--continue", &url])), 14);
    assert_eq!(folder.read("x"), b"another file");
}

/// The name already existed when the document was complete.
#[test]
fn a_complete_partial_file_is_renamed_without_another_transfer() {
    for (changed, expected) in [(false, 1), (true, 2)] {
        let folder = Folder::new();
        let to = folder.path("x");
        let server = Server::new(move |number, head, stream| {
            let validator = if changed && number > 0 { "\"2\"" } else { "\"1\"" };
            let most = if number == 0 { LENGTH - 1 } else { LENGTH };
            give(stream, head, &document(LENGTH), validator, most);
            if number == 0 {
                fs::write(&to, "mine").unwrap();
                stream.write_all(&document(LENGTH)[most..]).unwrap();
            }
        });
        let url = server.url("/x");
        let first = folder.urlwise(["get", "-O", &url]);
        assert_eq!((code(&first), folder.names().len()), (14, 3), "{}", text(&first.stderr));
        fs::remove_file(folder.path("x")).unwrap();
        assert_eq!(code(&folder.urlwise(["get", "-O", "--continue", &url])), 0);
        assert_eq!(folder.names(), ["x"]);
        let gets = server.requests().iter().filter(|head| head.starts_with("GET")).count();
        assert_eq!(gets, expected);
    }
}

#[test]
fn another_programs_partial_file_is_adopted_only_if_it_is_trusted() {
    let server = Server::new(|_, head, stream| give(stream, head, &document(LENGTH), "\"1\"", LENGTH));
    let url = server.url("/x");
    for name in ["x", "x.part"] {
        let folder = Folder::new();
        folder.file(name, &document(LENGTH)[..LENGTH / 2]);
        let distrusting = folder.urlwise(["get", "-O", "--continue", &url]);
        assert_eq!((code(&distrusting), folder.names()), (14, vec![name.to_owned()]), "{}", text(&distrusting.stderr));
        let output = folder.urlwise(["get", "-O", "--continue", "--trust-partial", "--json", &url]);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert_eq!((folder.names(), folder.read("x")), (vec!["x".to_owned()], document(LENGTH)));
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(summary["bytes"], LENGTH - LENGTH / 2);
        assert!(text(&output.stderr).contains("another program"), "{}", text(&output.stderr));
    }
}

#[test]
fn security_31_what_cannot_be_the_beginning_is_not_adopted() {
    let server = Server::new(|_, head, stream| give(stream, head, &document(1_000), "\"1\"", 1_000));
    let url = server.url("/x");
    for name in ["x", "x.part"] {
        let folder = Folder::new();
        folder.file(name, document(1_001));
        let output = folder.urlwise(["get", "-O", "--continue", "--trust-partial", &url]);
        assert_eq!((code(&output), folder.read(name)), (14, document(1_001)), "{}", text(&output.stderr));
        // Another name of the file would see what is added.
        fs::write(folder.path(name), &document(1_000)[..500]).unwrap();
        fs::hard_link(folder.path(name), folder.path("other")).unwrap();
        let output = folder.urlwise(["get", "-O", "--continue", "--trust-partial", &url]);
        assert_eq!(
            (code(&output), folder.read("other")),
            (14, document(1_000)[..500].to_vec()),
            "{}",
            text(&output.stderr)
        );
    }
    let own = Folder::new();
    own.file("x.part", &document(1_000)[..500]);
    own.file("x.part.json", "{\"urlwise\":\"partial\",\"url\":\"http://other.example/x\",\"size\":1000}");
    let output = own.urlwise(["get", "-O", "--continue", "--trust-partial", &url]);
    assert_eq!(
        (code(&output), own.read("x.part").len()),
        (14, 500),
        "it belongs to another URL: {}",
        text(&output.stderr)
    );
}
