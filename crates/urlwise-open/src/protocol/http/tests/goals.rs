//! What the goal of a request makes of an answer: documents, metadata, heads, and errors that are handed out.

use super::{ask, request, rest};
use crate::protocol::http::{HttpGoal, HttpLogin, HttpMachine, HttpRequest, RetryAfter, Route};
use crate::protocol::{End, Fault, FaultKind, Metadata, Resume};
use crate::testing::{self, DialogueRecord, Network, says};
use std::convert::Infallible;
use std::time::Duration;

fn of(goal: HttpGoal) -> HttpRequest {
    HttpRequest { goal, ..request() }
}

/// Holds a dialogue with a server that gives this answer and then waits.
fn hold(request: HttpRequest, answer: &str) -> (HttpMachine, DialogueRecord<Infallible>) {
    let mut http = HttpMachine::new(request);
    let dialogue = testing::hold(&mut http, says(answer.as_bytes()), Network { end: None, ..Network::default() });
    (http, dialogue)
}

#[test]
fn an_answer_that_is_whole_ends_without_the_end_of_the_connection() {
    for (goal, answer, size) in [
        (HttpGoal::Document, "200 OK\r\nContent-Length: 2\r\n\r\nok", Some(2)),
        (HttpGoal::Document, "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", None),
        (HttpGoal::Document, "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n", None),
        (HttpGoal::Document, "204 No Content\r\n\r\n", Some(0)),
        (HttpGoal::Metadata, "200 OK\r\nContent-Length: 7\r\n\r\n", Some(7)),
        (HttpGoal::Metadata, "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", None),
        (HttpGoal::Metadata, "200 OK\r\n\r\n", None),
    ] {
        let (http, dialogue) = hold(of(goal.clone()), &format!("HTTP/1.1 {answer}"));
        assert!(dialogue.is_done, "{answer}: {:?}", dialogue.fault);
        assert_eq!(http.metadata().size, size, "{goal:?} {answer}");
    }
    let (_, dialogue) = hold(request(), "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok");
    assert!(!dialogue.is_done && dialogue.fault.is_none(), "an octet is missing");
}

#[test]
fn a_head_is_given_as_it_came_whatever_its_status() {
    for (status, kind) in [("200 OK", None), ("404 Not Found", Some(FaultKind::NotFound))] {
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: 5\r\nX:  y\r\n\r\n");
        let (http, dialogue) = hold(of(HttpGoal::Head), &head);
        assert_eq!((dialogue.is_done, dialogue.data.as_slice()), (true, head.as_bytes()));
        let begin = dialogue.begin.expect("it begins");
        assert_eq!((begin.size, begin.media_type.as_deref()), (Some(head.len() as u64), Some("message/http")));
        assert_eq!(http.refusal().map(Fault::kind), kind, "{status}");
    }
}

#[test]
fn the_words_of_an_error_are_handed_out_only_where_they_were_asked_for() {
    let not_found = "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nno";
    let (http, dialogue) = hold(request(), not_found);
    assert_eq!((dialogue.data.len(), http.refusal().is_none(), dialogue.fault.is_some()), (0, true, true));
    for goal in [HttpGoal::Document, rest(2).goal] {
        let (http, dialogue) = hold(HttpRequest { error_body: true, ..of(goal) }, not_found);
        assert_eq!((dialogue.is_done, dialogue.data.as_slice()), (true, &b"no"[..]));
        let begin = dialogue.begin.expect("it begins");
        assert_eq!((begin.size, begin.media_type.as_deref()), (Some(2), Some("text/plain")));
        assert_eq!(http.refusal().expect("a refusal").kind(), FaultKind::NotFound);
    }
    // Nothing follows the answer to HEAD, and a rest that is refused is asked for again from the beginning.
    let no_range = "HTTP/1.1 416 No\r\nContent-Length: 2\r\n\r\nno";
    for (request, answer) in [(of(HttpGoal::Metadata), not_found), (rest(2), no_range)] {
        let (http, dialogue) = hold(HttpRequest { error_body: true, ..request }, answer);
        assert_eq!((dialogue.data.len(), http.refusal().is_none(), dialogue.fault.is_some()), (0, true, true));
    }
}

#[test]
fn the_size_of_a_compressed_answer_is_not_that_of_its_document() {
    for status in ["200 OK", "404 Not Found"] {
        for (coding, codings, size) in [("gzip", 1, None), ("identity", 0, Some(2))] {
            let answer = format!("HTTP/1.1 {status}\r\nContent-Encoding: {coding}\r\nContent-Length: 2\r\n\r\nxx");
            let (http, dialogue) = hold(HttpRequest { gzip: true, error_body: true, ..request() }, &answer);
            assert_eq!((http.codings(), dialogue.begin.expect("it begins").size), (codings, size), "{answer}");
        }
    }
    let known =
        "HTTP/1.1 200 OK\r\nETag: \"v\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 2\r\n";
    let metadata = |coding: &str| {
        let (http, _) = hold(HttpRequest { gzip: true, ..request() }, &format!("{known}{coding}\r\nxx"));
        let Metadata { size, validator, modified, .. } = http.metadata().clone();
        (size, validator.is_some(), modified.is_some())
    };
    assert_eq!(metadata(""), (Some(2), true, true));
    assert_eq!(metadata("Content-Encoding: gzip\r\n"), (None, false, false));
}

#[test]
fn a_compressed_document_that_was_not_asked_for_is_noted() {
    let answer = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nxx";
    let (_, dialogue) = hold(request(), answer);
    assert_eq!((dialogue.notes, dialogue.begin.expect("it begins").size), (vec!["content-encoding"], Some(2)));
}

#[test]
fn security_31_a_document_is_complete_only_if_it_is_known_to_be_the_same() {
    let is_complete = |offset: u64, size: Option<u64>, validator: Option<&str>, said: &str| {
        let metadata = Metadata { size, validator: validator.map(str::to_owned), ..Metadata::default() };
        let request = of(HttpGoal::Rest(Resume { offset, metadata }));
        let answer = format!("HTTP/1.1 416 No\r\nContent-Range: {said}\r\nContent-Length: 0\r\n\r\n");
        let (http, _, fault, _) = ask(request, answer.as_bytes());
        assert_eq!(http.refuses_range(), fault.is_some(), "{said}");
        fault.is_none()
    };
    let tag = Some("\"v\"");
    assert!(is_complete(4, Some(4), tag, "bytes */4") && is_complete(4, None, tag, "bytes */4"));
    assert!(!is_complete(4, Some(5), tag, "bytes */4"), "it was longer");
    assert!(!is_complete(4, Some(4), None, "bytes */4"), "nothing tells whether it is the same");
    for said in ["bytes */5", "bytes */+4", "bytes */*", "*/4"] {
        assert!(!is_complete(4, Some(4), tag, said), "{said}");
    }
}

#[test]
fn who_refuses_a_range_or_head_says_so_by_the_status() {
    for (goal, status, range, head) in [
        (rest(2).goal, 416, true, false),
        (rest(2).goal, 404, false, false),
        (rest(2).goal, 405, false, false),
        (HttpGoal::Document, 416, false, false),
        (HttpGoal::Document, 405, false, false),
        (HttpGoal::Metadata, 405, false, true),
        (HttpGoal::Metadata, 501, false, true),
        (HttpGoal::Metadata, 404, false, false),
        (HttpGoal::Metadata, 200, false, false),
    ] {
        let answer = format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n");
        let (http, dialogue) = hold(of(goal.clone()), &answer);
        assert_eq!((http.refuses_range(), http.refuses_head()), (range, head), "{goal:?} {status}");
        assert_eq!(dialogue.is_done, status == 200, "{goal:?} {status}");
    }
}

#[test]
fn what_an_answer_says_beside_the_document_is_there_once_it_has_come() {
    let answer = "HTTP/1.1 429 X\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n";
    assert_eq!(HttpMachine::new(request()).answer(), None);
    let (http, _) = hold(request(), answer);
    let answer = http.answer().expect("it has come");
    assert_eq!((answer.status, answer.is_challenge), (429, false));
    assert_eq!(answer.retry_after, Some(RetryAfter::Delay(Duration::from_secs(7))));
}

#[test]
fn security_19_a_kept_connection_is_neither_made_nor_tunnelled_again() {
    let tunnelled = HttpRequest { tls: true, route: Route::Proxy(None), ..request() };
    for (request, whole) in [(request(), (1, 0, 1)), (tunnelled, (1, 1, 2))] {
        let steps = |mut http: HttpMachine| {
            let server = |command: &[u8]| match command.first() {
                None => Vec::new(),
                Some(b'C') => b"HTTP/1.1 200 OK\r\n\r\n".to_vec(),
                Some(_) => b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_vec(),
            };
            let dialogue = testing::hold(&mut http, server, Network::default());
            assert!(dialogue.is_done, "{:?}", dialogue.fault);
            (dialogue.connects, dialogue.handshakes, dialogue.sent.len())
        };
        assert_eq!(steps(HttpMachine::new(request.clone())), whole);
        assert_eq!(steps(HttpMachine::new(request).on_kept_connection()), (0, 0, 1));
    }
}

#[test]
fn a_server_has_answered_once_an_octet_has_come() {
    for (answer, is_answered) in [("", false), ("H", true), ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", true)] {
        let mut http = HttpMachine::new(request());
        assert!(!http.is_answered());
        testing::hold(&mut http, says(answer.as_bytes()), Network { end: Some(End::Broken), ..Network::default() });
        assert_eq!(http.is_answered(), is_answered, "{answer}");
    }
}

#[test]
fn security_14_what_a_server_repeats_of_a_login_is_masked() {
    let login = Some(HttpLogin::new("joe", "s3cret"));
    for said in ["s3cret", "am9lOnMzY3JldA=="] {
        let answer = format!("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"not {said}\"\r\n\r\n");
        let (_, dialogue) = hold(HttpRequest { login: login.clone(), ..request() }, &answer);
        let fault = dialogue.fault.expect("refused").to_string();
        assert!(fault.contains("not ***") && !fault.contains(said), "{fault}");
    }
}

#[test]
fn security_14_a_password_that_begins_where_a_line_is_cut_is_masked_and_what_is_before_it_is_shown() {
    let login = Some(HttpLogin::new("joe", "s3cret"));
    for (before, said, shown) in [(77, "s3cret", "***"), (7, "s3c", "s3c")] {
        let (before, login) = ("x".repeat(before), login.clone());
        let (_, dialogue) = hold(HttpRequest { login, ..request() }, &format!("{before}{said}\r\n\r\n"));
        let fault = dialogue.fault.expect("it is not HTTP").to_string();
        assert!(fault.contains(&format!("{before}{shown}")) && !fault.contains("***s3c"), "{fault}");
    }
}
