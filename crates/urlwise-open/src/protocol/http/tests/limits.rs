//! Answers that end too early, that are of another protocol, or that reach a limit.

use super::{ask, play, request};
use crate::protocol::http::HttpMachine;
use crate::protocol::http::head::MAX_HEAD;
use crate::protocol::{End, FaultKind};
use crate::testing::{self, Network, says};

/// The fault of an answer that ends like this, in words; a server that only waits never ends.
fn fault(answer: &[u8], end: Option<End>) -> Option<String> {
    let mut http = HttpMachine::new(request());
    testing::hold(&mut http, says(answer), Network { end, ..Network::default() }).fault.map(|fault| fault.to_string())
}

#[test]
fn the_fault_of_a_cut_answer_says_where_and_how_it_ended() {
    let (closed, broken, tls) = (End::Closed, End::Broken, End::Unauthenticated);
    let length = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello";
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n";
    for (answer, end, what) in [
        ("", closed, "the server closed the connection without an answer"),
        ("", tls, "the server closed the connection without an answer"),
        ("", broken, "the connection broke before the answer"),
        ("HTTP/1.1 200", closed, "the answer ends inside its headers: \"HTTP/1.1 200\""),
        (length, closed, "the server closed the connection 4 octets before the end"),
        (length, broken, "the connection broke 4 octets before the end"),
        (chunked, tls, "TLS ended without `close_notify` before the last chunk"),
        ("HTTP/1.1 200 OK\r\n\r\nhello", broken, "the connection broke, so the document may be incomplete"),
    ] {
        let fault = fault(answer.as_bytes(), Some(end)).expect("it is cut");
        assert!(fault.starts_with(what), "{fault}");
    }
}

#[test]
fn another_protocol_is_known_by_its_first_line_before_the_server_says_more() {
    let help = "the server may not use HTTP on this port";
    let not_http = |shown: &str| Some(format!("the answer is not HTTP: \"{shown}\" (RFC 9112); {help}"));
    assert_eq!(fault(b"220 ftp ready\r\n", None), not_http("220 ftp ready"));
    assert_eq!(fault(&[b'x'; 80], None), not_http(&"x".repeat(80)));
    // As far as it can be seen, these may become HTTP.
    for answer in [&b"HTTP/1.1 200 OK\r\n"[..], b"HTT", &[b'x'; 79], b""] {
        assert_eq!(fault(answer, None), None, "{}", answer.escape_ascii());
    }
}

#[test]
fn a_refusal_has_the_name_of_its_status_if_there_is_one() {
    for (status, what) in [(404, "the server answers 404 Not Found"), (599, "the server answers 599 (")] {
        let fault = fault(format!("HTTP/1.1 {status} X\r\n\r\n").as_bytes(), None).expect("refused");
        assert!(fault.starts_with(what), "{fault}");
    }
}

#[test]
fn security_33_a_body_that_could_end_in_two_places_is_refused() {
    for (headers, what) in [
        ("Content-Length: 2\r\nTransfer-Encoding: chunked", "the answer has both a length and a transfer coding"),
        ("Transfer-Encoding: gzip", "the transfer coding is not `chunked`"),
        ("Transfer-Encoding: gzip, chunked", "the transfer coding is not `chunked`"),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "the transfer coding is not `chunked`"),
    ] {
        let answer = format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n0\r\n\r\n");
        let (mut http, _, kind, unread) = ask(request(), answer.as_bytes());
        assert_eq!((kind, http.leaves_connection(unread)), (Some(FaultKind::Malformed), false), "{headers}");
        let fault = fault(answer.as_bytes(), None).expect("refused");
        assert!(fault.starts_with(what), "{fault}");
    }
}

#[test]
fn security_33_the_line_of_a_chunk_size_has_4096_octets_at_most() {
    let kind = |octets: usize| {
        // Without its line feed.
        let line = format!("2;{}\r", "x".repeat(octets - 3));
        let answer = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{line}\nok\r\n0\r\n\r\n");
        play(answer.as_bytes(), End::Closed).fault.map(|(kind, _)| kind)
    };
    assert_eq!((kind(4096), kind(4097)), (None, Some(FaultKind::Limit)));
}

#[test]
fn security_33_a_head_that_goes_on_behind_the_limit_is_refused_at_once() {
    let begin = b"HTTP/1.1 200 OK\r\nX: ";
    for (length, behind) in [(MAX_HEAD - begin.len() - 2, &b"\r\ny"[..]), (MAX_HEAD, b""), (MAX_HEAD, b"\r\n")] {
        let answer = [&begin[..], &vec![b'x'; length], behind].concat();
        let fault = fault(&answer, None).expect("refused");
        assert!(fault.starts_with("the headers of the answer are longer than 307200 octets"), "{fault}");
    }
}
