//! Documents that were asked for compressed (S-34).

use crate::support::{Listener, Nginx, client_with, document, failure, failure_kind, get, require};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;
use urlwise_open::{Client, ErrorKind, Options};

fn compressed() -> Client {
    client_with(|options| options.compressed = true)
}

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(octets).expect("it is memory");
    encoder.finish().expect("it is memory")
}

fn answer(coding: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\nContent-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

#[test]
fn what_nginx_compresses_arrives_as_it_was() {
    if !require(&["nginx"]) {
        return;
    }
    let nginx = Nginx::start(None, "location = /echo { return 200 \"$http_accept_encoding\"; }");
    let text = "line\n".repeat(100_000);
    nginx.write("x.txt", &text);
    let client = compressed();
    assert_eq!(get(&client, nginx.url("/echo")), b"gzip");
    assert!(get(&client, nginx.url("/x.txt")) == text.as_bytes());
    let document = document(&client, nginx.url("/x.txt"));
    assert_eq!((document.size(), document.metadata().validator.as_deref()), (None, None));
    assert!(document.notes().is_empty());
}

#[test]
fn members_one_after_the_other_and_one_in_the_other_are_undone() {
    let two = [gzip(b"hello, "), gzip(b"world")].concat();
    assert_eq!(get(&compressed(), Listener::answering(answer("gzip", &two)).http_url("/")), b"hello, world");
    let thrice = gzip(&gzip(&gzip(b"inmost")));
    assert_eq!(get(&compressed(), Listener::answering(answer("gzip, gzip, gzip", &thrice)).http_url("/")), b"inmost");
    let four = answer("gzip, gzip, gzip, gzip", &gzip(&thrice));
    assert_eq!(failure_kind(&compressed(), Listener::answering(four).http_url("/")), ErrorKind::Limit);
}

#[test]
fn security_34_a_gibibyte_of_zeros_in_a_mebibyte_ends_at_the_limits() {
    // Members may follow one another, so one is enough to make 64 of.
    let bomb = gzip(&vec![0; 16 << 20]).repeat(64);
    let listener = Listener::answering(answer("gzip", &bomb));
    let end = |change: &dyn Fn(&mut Options)| {
        let client = client_with(|options| {
            options.compressed = true;
            change(options);
        });
        let mut document = document(&client, listener.http_url("/"));
        let error = document.write_to(&mut std::io::sink()).expect_err("it is too much");
        (error.kind(), document.octets_read())
    };
    assert_eq!(end(&|options| options.max_size = Some(10_000_000)), (ErrorKind::Limit, 10_000_000));
    let (class, read) = end(&|_| {});
    assert_eq!(class, ErrorKind::Limit);
    assert!(read <= (17 << 20), "{read}");
}

#[test]
fn what_is_cut_is_partial_and_what_is_broken_breaks_the_protocol() {
    let whole = gzip(b"hello, world");
    for cut in [1, 9, whole.len() / 2, whole.len() - 1] {
        let listener = Listener::answering(answer("gzip", &whole[..cut]));
        assert_eq!(failure_kind(&compressed(), listener.http_url("/")), ErrorKind::Partial, "{cut}");
    }
    let torn = answer("gzip", &whole);
    let listener = Listener::answering(torn[..torn.len() - 4].to_vec());
    let error = failure(&compressed(), listener.http_url("/"));
    assert_eq!(error.kind(), ErrorKind::Partial);
    assert!(error.to_string().contains("4 octets before the end"), "the transfer's own words: {error}");
    let mut broken = whole.clone();
    broken[whole.len() - 6] ^= 1; // its checksum
    for body in [broken, b"no gzip at all".to_vec(), [&whole[..], b"and more than a header"].concat()] {
        let listener = Listener::answering(answer("gzip", &body));
        assert_eq!(failure_kind(&compressed(), listener.http_url("/")), ErrorKind::Protocol);
    }
}

#[test]
fn how_far_a_document_may_grow_is_asked_only_of_long_ones() {
    // Every octet is another: it hardly shrinks.
    let mut state = 1_u32;
    let mut octet = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let long: Vec<u8> = (0..17 << 20).map(|_| octet()).collect();
    let server = Listener::answering(answer("gzip", &gzip(&long)));
    assert!(get(&compressed(), server.http_url("/")) == long);
    // Zeros shrink to a thousandth.
    let limit = 16 << 20;
    for (length, is_refused) in [(limit, false), (limit + 1, true)] {
        let server = Listener::answering(answer("gzip", &gzip(&vec![0; length])));
        let mut document = document(&compressed(), server.http_url("/"));
        let end = document.write_to(&mut std::io::sink()).map_err(|error| error.kind());
        assert_eq!(end, if is_refused { Err(ErrorKind::Limit) } else { Ok(length as u64) });
    }
}
