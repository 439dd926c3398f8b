//! Going on from a part of a document, against nginx (S-31).

use crate::support::{Listener, Nginx, client, client_with, document, require, url};
use urlwise_open::{Document, ErrorKind, Metadata, OpenOptions, Resource, Resume};

fn resumed(text: String, offset: u64, metadata: &Metadata) -> Document {
    let mut options = OpenOptions::default();
    options.resume = Some(Resume::new(offset, metadata.clone()));
    match client().open_with(&url(text), &options).expect("it opens") {
        Resource::Document(document) => document,
        other => panic!("not a document: {other:?}"),
    }
}

fn octets(mut document: Document) -> Vec<u8> {
    let mut octets = Vec::new();
    document.write_to(&mut octets).expect("it can be read");
    octets
}

#[test]
fn security_31_the_rest_of_the_same_document_follows_what_is_there() {
    if !require(&["nginx"]) {
        return;
    }
    let nginx = Nginx::start(None, "");
    nginx.write("x.bin", "0123456789");
    let metadata = document(&client(), nginx.url("/x.bin")).metadata().clone();
    assert_eq!(client().metadata(&url(nginx.url("/x.bin"))).expect("it answers"), metadata, "HEAD tells the same");
    assert!(metadata.validator.is_some() && metadata.modified.is_some() && metadata.size == Some(10));
    for (offset, rest) in [(4, "456789"), (9, "9"), (10, "")] {
        let document = resumed(nginx.url("/x.bin"), offset, &metadata);
        assert_eq!((document.offset(), document.metadata().size), (offset, Some(10)));
        assert_eq!(octets(document), rest.as_bytes());
    }
    // Another document of the same length, and a shorter one.
    for changed in ["abcdefghij", "abc"] {
        nginx.write("x.bin", changed);
        // nginx makes its validator of time and length, so the time has to differ.
        let other = metadata.clone().with_validator("\"other\"");
        let document = resumed(nginx.url("/x.bin"), 4, &other);
        assert_eq!(document.offset(), 0);
        assert_eq!(octets(document), changed.as_bytes());
    }
}

#[test]
fn security_31_a_rest_that_does_not_exist_begins_the_document_anew() {
    let listener = Listener::keeping(|_, request| {
        Some(match String::from_utf8_lossy(request).contains("range: bytes=7-") {
            true => b"HTTP/1.1 416 No\r\nContent-Range: bytes */3\r\nContent-Length: 0\r\n\r\n".to_vec(),
            false => b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nnew".to_vec(),
        })
    });
    let metadata = Metadata::default().with_size(9).with_validator("\"v\"");
    let document = resumed(listener.http_url("/"), 7, &metadata);
    assert_eq!(document.offset(), 0);
    assert_eq!(octets(document), b"new");
    assert_eq!(listener.numbers(), [0, 1]);
}

#[test]
fn security_31_45_the_greatest_size_is_that_of_the_whole_document() {
    let listener =
        Listener::answering("HTTP/1.1 206 Part\r\nContent-Range: bytes 4-9/10\r\nContent-Length: 6\r\n\r\n456789");
    let metadata = Metadata::default().with_validator("\"v\"");
    let mut options = OpenOptions::default();
    options.resume = Some(Resume::new(4, metadata));
    let limited = |max| client_with(|options| options.max_size = Some(max));
    let open =
        |max| limited(max).open_with(&url(listener.http_url("/")), &options).map(drop).map_err(|error| error.kind());
    assert_eq!((open(10), open(9)), (Ok(()), Err(ErrorKind::Limit)));
}
