//! The machine alone: whole answers, answers cut anywhere, answers with octets changed.

mod goals;
mod limits;
mod requests;

use super::head::MAX_HEAD;
use super::{HttpGoal, HttpLogin, HttpMachine, HttpRequest, Route};
use crate::protocol::{Begin, End, Event, Fault, FaultKind, Input, Io, Machine, Shape, Step, plan};
use crate::protocol::{Metadata, Resume};
use crate::testing::{self, Network, says};

fn login(user: &str, password: &str) -> HttpLogin {
    HttpLogin { user: user.into(), password: password.into() }
}

fn request() -> HttpRequest {
    HttpRequest { user_agent: "test".to_owned(), ..HttpRequest::new("h.example", 80, "/") }
}

/// What an answer comes to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Answered {
    size: Option<u64>,
    media_type: Option<String>,
    data: Vec<u8>,
    notes: Vec<&'static str>,
    moved: Option<Vec<u8>>,
    fault: Option<(FaultKind, String)>,
}

/// Holds a dialogue with a server that gives this answer.
fn hold(answer: &[u8], network: Network<'_>) -> Answered {
    let mut http = HttpMachine::new(request());
    let dialogue = testing::hold(&mut http, says(answer), network);
    let begin = dialogue.begin.unwrap_or(Begin::new(Shape::Document));
    Answered {
        size: begin.size,
        media_type: begin.media_type,
        data: dialogue.data,
        notes: dialogue.notes,
        moved: http.moved().map(<[u8]>::to_vec),
        fault: dialogue.fault.map(|fault| (fault.kind(), fault.to_string())),
    }
}

/// The same where the answer arrives all at once.
fn play(answer: &[u8], end: End) -> Answered {
    hold(answer, Network { end: Some(end), ..Network::default() })
}

const ANSWERS: &[&[u8]] = &[
    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello",
    b"HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more",
    b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello",
    b"HTTP/1.0 200 OK\r\n\r\nto the end",
    b"HTTP/1.1 204 No Content\r\n\r\n",
    b"\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1;x=y\r\n,\r\n6\r\n world\r\n0\r\nA: b\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx",
    b"HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 3\r\n\r\nbye",
    b"HTTP/1.1 302 Found\r\nLocation: /x\r\nLocation: /x\r\n\r\n",
    b"HTTP/1.1 302 Found\r\n\r\n",
    b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno",
    b"HTTP/1.1 401 Unauthorized\r\n\r\n",
    b"HTTP/1.1 500 Oops\r\n\r\n",
    b"220 ftp ready\r\n\r\n",
    b"HTTP/1.1 200",
    b"",
];

#[test]
fn an_answer_means_the_same_wherever_it_is_cut() {
    for answer in ANSWERS {
        for end in [End::Closed, End::Unauthenticated, End::Broken] {
            let whole = play(answer, end);
            let network = Network { end: Some(end), ..Network::default() };
            for cut in 0..=answer.len() {
                let cut_once = hold(answer, Network { cuts: &[cut], ..network });
                assert_eq!(cut_once, whole, "{:?} cut at {cut}", String::from_utf8_lossy(answer));
            }
            let octets = hold(answer, Network { piece: 1, ..network });
            assert_eq!(octets, whole, "{:?}", String::from_utf8_lossy(answer));
        }
    }
}

#[test]
fn the_answers_mean_what_they_should() {
    let data = |index: usize| {
        let outcome = play(ANSWERS[index], End::Closed);
        (String::from_utf8_lossy(&outcome.data).into_owned(), outcome.fault.map(|(kind, _)| kind))
    };
    let whole = |text: &str| (text.to_owned(), None);
    let failed = |text: &str, kind| (text.to_owned(), Some(kind));
    assert_eq!(data(0), whole("hello"));
    assert_eq!(data(1), whole("hello"));
    assert_eq!(data(2), whole("hello"));
    assert_eq!(data(3), failed("hello", FaultKind::Partial));
    assert_eq!(data(4), whole("to the end"));
    assert_eq!(data(7), whole("ok"));
    assert_eq!(data(8), whole("hello, world"));
    assert_eq!(data(9), whole("hello"));
    assert_eq!(data(10), failed("hel", FaultKind::Partial));
    assert_eq!(data(11), failed("hello", FaultKind::Malformed));
    assert_eq!(play(ANSWERS[13], End::Closed).moved, Some(b"/x".to_vec()));
    assert_eq!(play(ANSWERS[14], End::Closed).moved, Some(b"/x".to_vec()));
    assert_eq!(data(15), failed("", FaultKind::Malformed));
    assert_eq!(data(16), failed("", FaultKind::NotFound));
    assert_eq!(data(17), failed("", FaultKind::Login));
    assert_eq!(data(18), failed("", FaultKind::Server));
    assert_eq!(data(19), failed("", FaultKind::Malformed));
    assert_eq!(data(21), failed("", FaultKind::Server));
}

#[test]
fn an_answer_read_to_the_close_is_whole_only_after_a_proper_end() {
    assert_eq!(play(ANSWERS[4], End::Closed).fault, None);
    for end in [End::Unauthenticated, End::Broken] {
        let fault = play(ANSWERS[4], end).fault.expect("nothing proves the end");
        assert_eq!(fault.0, FaultKind::Partial);
    }
}

/// Not a fuzzer, but a steady share of one in every run: the same 20,000 broken answers each time.
#[test]
fn security_55_broken_answers_neither_panic_nor_depend_on_cuts() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for _ in 0..20_000 {
        let mut answer = ANSWERS[random(ANSWERS.len() - 1)].to_vec();
        for _ in 0..=random(4) {
            let at = random(answer.len());
            match random(4) {
                0 => answer[at] = random(256) as u8,
                1 => drop(answer.remove(at)),
                2 => answer.insert(at, b"\r\n :;0f\xff\0"[random(9)]),
                _ => answer.extend_from_within(at..),
            }
            if answer.is_empty() {
                break;
            }
        }
        let piece = 1 + random(7);
        assert_eq!(hold(&answer, Network { piece, ..Network::default() }), play(&answer, End::Closed));
    }
}

#[test]
fn a_head_that_drips_in_costs_no_more_than_one_look_at_each_octet() {
    // Quadratic work would take minutes here.
    let head = [b"HTTP/1.1 200 OK\r\n".as_slice(), &b"x:\n".repeat(MAX_HEAD / 3)].concat();
    let outcome = hold(&head, Network { piece: 1, ..Network::default() });
    assert_eq!(outcome.fault.map(|(kind, _)| kind), Some(FaultKind::Limit));
}

#[test]
fn hosts_and_selectors_of_the_grammar_can_all_be_asked_for() {
    for (host, selector) in [
        ("a_b.example.", "/"),
        ("[2001:db8::1]", "/x"),
        ("192.0.2.1", "//"),
        ("h.example", "/~a;b/c:d@e&f=g+h$-_.!*'(),?i?j/k"),
        ("h.example", "/%00%ff?%0d%0a"),
    ] {
        let request = HttpRequest { host: host.to_owned(), port: 8080, selector: selector.to_owned(), ..request() };
        let mut http = HttpMachine::new(request);
        assert!(matches!(http.next(&mut Input::none()), Step::Io(Io::Connect)), "{host}{selector}");
        let Step::Io(Io::Send(command)) = http.next(&mut Input::none()) else { panic!("{host}{selector}") };
        let start = format!("GET {selector} HTTP/1.1\r\nhost: {host}:8080\r\n");
        assert!(command.octets().starts_with(start.as_bytes()), "{command}");
    }
}

#[test]
fn security_5_the_writer_refuses_what_would_begin_a_second_line() {
    for selector in ["/a\r\nb", "/a b", "/a\0", "/a#b", "no-slash"] {
        let mut http = HttpMachine::new(HttpRequest { selector: selector.to_owned(), ..request() });
        let Step::Fail(fault) = http.next(&mut Input::none()) else { panic!("{selector:?} is not refused") };
        assert_eq!(fault.kind(), FaultKind::Refused);
    }
    for host in ["a\r\nb", "a b", "a/b", "u@h"] {
        let mut http = HttpMachine::new(HttpRequest { host: host.to_owned(), ..request() });
        assert!(matches!(http.next(&mut Input::none()), Step::Fail(_)), "{host:?}");
    }
}

/// What a request says, secrets masked.
fn said(request: HttpRequest) -> String {
    let lines = plan(HttpMachine::new(request)).expect("a harmless request");
    lines.iter().map(|line| format!("{}: {line}\n", line.kind())).collect()
}

#[test]
fn security_13_14_a_login_is_sent_decoded_by_basic_and_never_shown() {
    let login = login("a@b", "p:q");
    let request = HttpRequest { login: Some(login), ..request() };
    let mut http = HttpMachine::new(request.clone());
    assert!(matches!(http.next(&mut Input::none()), Step::Io(Io::Connect)));
    let Step::Io(Io::Send(command)) = http.next(&mut Input::none()) else { panic!("it asks") };
    let octets = String::from_utf8_lossy(command.octets()).into_owned();
    assert!(octets.contains("authorization: Basic YUBiOnA6cQ==\r\n"), "{octets}");
    let shown = said(request);
    assert!(shown.contains("authorization: Basic ***\\r\\n") && !shown.contains("YUBi"), "{shown}");
}

#[test]
fn security_4_5_logins_that_basic_cannot_carry_are_refused_before_the_connection() {
    for (user, password) in [("a:b", "p"), ("a", "p\r\nx"), ("a\0", "p"), ("a\x1b", "")] {
        let login = Some(login(user, password));
        let fault = plan(HttpMachine::new(HttpRequest { login, ..request() })).expect_err("refused");
        assert_eq!(fault.kind(), FaultKind::Refused);
        assert!(!fault.to_string().contains(password) || password.len() < 2, "{fault}");
    }
}

#[test]
fn security_51_a_proxy_is_asked_in_the_absolute_form_or_to_let_us_through() {
    let proxy = Some(login("proxy", "secret"));
    let request = HttpRequest { login: Some(login("own", "")), route: Route::Proxy(proxy), ..request() };
    let shown = said(request.clone());
    assert!(shown.contains("send: GET http://h.example/ HTTP/1.1"), "{shown}");
    assert_eq!(shown.matches("uthorization: Basic ***").count(), 2, "{shown}");
    let shown = said(HttpRequest { tls: true, ..request });
    let (before, after) = shown.split_once("tls: ").expect("there is a handshake");
    assert!(
        before.contains("send: CONNECT h.example:80 HTTP/1.1") && before.contains("proxy-authorization"),
        "{before}"
    );
    assert!(after.contains("send: GET / HTTP/1.1") && after.contains("\nsend: authorization"), "{after}");
    assert!(!before.contains("send: authorization") && !after.contains("proxy-"), "{shown}");
}

/// Drives a request with one answer, and returns the machine, the document, the fault and the input that the machine did not take,
/// which the public driver does not record.
fn ask(request: HttpRequest, answer: &[u8]) -> (HttpMachine, Vec<u8>, Option<FaultKind>, &[u8]) {
    let mut http = HttpMachine::new(request);
    let mut data = Vec::new();
    let mut input = Input::none();
    let mut answer = Some(answer);
    loop {
        match http.next(&mut input) {
            Step::Io(Io::Receive) => input = answer.take().map_or(Input::closed(End::Closed), Input::new),
            Step::Event(Event::Data(octets)) => data.extend_from_slice(&octets),
            Step::Done => return (http, data, None, input.octets()),
            Step::Fail(fault) => return (http, data, Some(fault.kind()), input.octets()),
            _ => {}
        }
    }
}

#[test]
fn security_28_what_comes_before_the_handshake_through_a_proxy_is_refused() {
    let request = HttpRequest { tls: true, route: Route::Proxy(None), ..request() };
    let (_, _, fault, _) = ask(request.clone(), b"HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n");
    assert_eq!(fault, Some(FaultKind::Malformed));
    for (answer, kind) in [
        (&b"HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=x\r\n\r\n"[..], FaultKind::Login),
        (b"HTTP/1.1 403 No\r\n\r\n", FaultKind::Server),
        (b"HTTP/1.1 302 Found\r\nLocation: http://evil.example/\r\n\r\n", FaultKind::Server),
    ] {
        let (http, _, fault, _) = ask(request.clone(), answer);
        assert_eq!((fault, http.moved()), (Some(kind), None));
    }
}

#[test]
fn a_connection_is_left_only_where_the_whole_answer_was_there_and_more_may_follow() {
    for (answer, leaves) in [
        (&b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"[..], true),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more", false),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: x, Close\r\n\r\nok", false),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", false),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\nConnection: Keep-Alive\r\n\r\nok", true),
        (b"HTTP/1.1 200 OK\r\n\r\nok", false),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", true),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nA: b\r\n\r\n", true),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nA: b\r\n", false),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nHTTP", false),
        (b"HTTP/1.1 204 No Content\r\n\r\n", true),
        (b"HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 3\r\n\r\nbye", true),
        (b"HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 4\r\n\r\nbye", false),
        (
            b"HTTP/1.1 302 Found\r\nLocation: /x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n1\r\ny\r\n0\r\n\r\n",
            true,
        ),
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno", true),
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nno", false),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", false),
    ] {
        let (mut http, _, _, unread) = ask(request(), answer);
        assert_eq!(http.leaves_connection(unread), leaves, "{}", String::from_utf8_lossy(answer));
    }
}

fn rest(offset: u64) -> HttpRequest {
    let metadata = Metadata { size: Some(4), validator: Some("\"v\"".to_owned()), ..Metadata::default() };
    HttpRequest { goal: HttpGoal::Rest(Resume { offset, metadata }), ..request() }
}

#[test]
fn security_31_a_rest_comes_as_asked_or_the_document_begins_anew_or_is_complete() {
    let part = b"HTTP/1.1 206 Part\r\nContent-Range: bytes 2-3/4\r\nContent-Length: 2\r\n\r\ncd";
    let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nwxyz";
    let complete = b"HTTP/1.1 416 No\r\nContent-Range: bytes */4\r\nContent-Length: 2\r\n\r\nno";
    let (http, data, fault, _) = ask(rest(2), part);
    assert_eq!((http.offset(), http.metadata().size, data, fault), (2, Some(4), b"cd".to_vec(), None));
    let (http, data, fault, _) = ask(rest(2), whole);
    assert_eq!((http.offset(), http.metadata().size, data, fault), (0, Some(4), b"wxyz".to_vec(), None));
    let (mut http, data, fault, unread) = ask(rest(4), complete);
    assert_eq!((http.offset(), http.metadata().size, data, fault), (4, Some(4), Vec::new(), None));
    assert!(http.leaves_connection(unread), "the words beside the status are not the document's");
    let (http, _, fault, _) = ask(rest(2), complete);
    assert!(http.refuses_range() && fault.is_some());
    let short = b"HTTP/1.1 206 Part\r\nContent-Range: bytes 2-2/4\r\nContent-Length: 1\r\n\r\nc";
    let (http, data, fault, _) = ask(rest(2), short);
    assert_eq!((http.metadata().size, data, fault), (Some(4), b"c".to_vec(), Some(FaultKind::Partial)));
    let closed = b"HTTP/1.0 206 Part\r\nContent-Range: bytes 2-2/4\r\n\r\nc";
    assert_eq!(ask(rest(2), closed).2, Some(FaultKind::Partial));
    assert_eq!(ask(request(), part).2, Some(FaultKind::Malformed));
    assert_eq!(ask(rest(1), part).2, Some(FaultKind::Malformed));
    let beyond = b"HTTP/1.1 206 Part\r\nContent-Range: bytes 2-4/4\r\nContent-Length: 3\r\n\r\ncde";
    assert_eq!(ask(rest(2), beyond).2, Some(FaultKind::Malformed));
}

#[test]
fn security_34_codings_are_those_that_were_asked_for_and_three_at_most() {
    let compressed = HttpRequest { gzip: true, ..request() };
    assert!(said(compressed.clone()).contains("accept-encoding: gzip"));
    assert!(!said(HttpRequest { gzip: true, ..rest(2) }).contains("accept-encoding"));
    let answer = |codings: &str| format!("HTTP/1.1 200 OK\r\nContent-Encoding: {codings}\r\nContent-Length: 0\r\n\r\n");
    for (codings, expected) in [
        ("gzip", Ok(1)),
        ("X-GZIP, identity", Ok(1)),
        ("identity", Ok(0)),
        ("gzip, gzip,gzip", Ok(3)),
        ("gzip, gzip, gzip, gzip", Err(FaultKind::Limit)),
        ("br", Err(FaultKind::Malformed)),
        ("gzip, deflate", Err(FaultKind::Malformed)),
    ] {
        let answer = answer(codings);
        let (http, _, fault, _) = ask(compressed.clone(), answer.as_bytes());
        assert_eq!(fault.map_or(Ok(http.codings()), Err), expected, "{codings}");
        let unasked = ask(request(), answer.as_bytes()).0;
        assert_eq!((unasked.codings(), unasked.unasked_codings()), (0, expected.ok()), "{codings}");
        assert_eq!(http.unasked_codings(), Some(0), "{codings}");
    }
}

#[test]
fn of_a_head_that_is_not_valid_the_line_that_is_wrong_is_quoted() {
    let fault = |answer: &[u8]| {
        let fault = play(answer, End::Closed).fault;
        fault.unwrap_or_else(|| panic!("{} is malformed", String::from_utf8_lossy(answer))).1
    };
    let (name, number, two) =
        ("invalid header name", "content-length header not a number", "conflicting content-length headers");
    let value = "invalid header value";
    for (headers, why, line) in [
        ("A: b:c\td\r\nX-Bad:  a\x01\"b \r\nC: \x02", value, r#"X-Bad:  a\x01\"b "#),
        ("A: b\r\nSet-Cookie: a\0b", value, r"Set-Cookie: a\x00b"),
        ("Location: ftp://jim:s3cret@h.example/\x7f", value, r"Location: ftp://jim:***@h.example/\x7f"),
        ("Content-Length: 3\r\nX : y", name, "X : y"),
        ("A: b\r\na b: \x01", name, r"a b: \x01"),
        ("A: b\r\nno colon\r\nX : y", name, "no colon"),
        ("A: b\r\n folded: c", name, " folded: c"),
        ("A: b\r\nsee ftp://jim:s3cret@h.example/: c", name, "see ftp://jim:***@h.example/: c"),
        ("A: b\r\nContent-Length: +3", number, "Content-Length: +3"),
        ("content-length: 3\r\nCONTENT-LENGTH: 3,", number, "CONTENT-LENGTH: 3,"),
        ("Content-Length: 99999999999999999999", number, "Content-Length: 99999999999999999999"),
        ("Content-Length: 3\r\nA: b\r\nContent-Length: 03, 4", two, "Content-Length: 03, 4"),
    ] {
        let answer = format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\nabc");
        let expected = format!("the answer is not valid HTTP: {why}: \"{line}\" (RFC 9112)");
        assert_eq!(fault(answer.as_bytes()), expected);
    }
    assert!(fault(b"HTTP/1.1 2x0 OK\r\nA: b\r\n\r\n").contains("\"HTTP/1.1 2x0 OK\""));
    let long = format!("HTTP/1.1 200 OK\r\nA: b\r\n{} : c\r\n\r\n", "x".repeat(100));
    assert!(fault(long.as_bytes()).contains(&format!(": \"{}\" (", "x".repeat(80))));
}

#[test]
fn a_line_that_is_not_http_is_shown_the_same_however_it_arrives() {
    for length in 76..84 {
        let answer = format!("{}\r0\r\n\r\n", "x".repeat(length));
        let whole = play(answer.as_bytes(), End::Closed);
        let octet_by_octet = hold(answer.as_bytes(), Network { piece: 1, ..Network::default() });
        assert_eq!(octet_by_octet, whole, "CR behind {length} octets");
        assert_eq!(whole.fault.map(|(kind, _)| kind), Some(FaultKind::Malformed));
    }
}

#[test]
fn security_14_a_line_that_is_cut_within_a_password_shows_none_of_it() {
    for length in 40..90 {
        for (secret, begins) in [("s3cret", "s3"), ("ftp://jim:s3kret@h.dom/", "s3"), ("am9lOnMzY3JldA==", "am9l")] {
            let answer = format!("{}{secret} {}\r\n\r\n", "x".repeat(length), "y".repeat(90));
            let mut http = HttpMachine::new(HttpRequest { login: Some(login("joe", "s3cret")), ..request() });
            let fault = testing::hold(&mut http, says(answer.as_bytes()), Network::default()).fault.expect("no HTTP");
            let shown = fault.to_string();
            assert!(!shown.contains(begins) && shown.contains("xxx"), "{length}: {shown}");
        }
    }
}

#[test]
fn every_refusal_says_what_helps_and_whether_it_lasts() {
    for (status, login, help, lasting) in [
        (400, None, None, true),
        (401, None, Some("RFC 1738 does not allow them in http URLs"), true),
        (401, Some(login("joe", "s3cret")), Some("check the user and the password"), true),
        (404, None, None, true),
        (407, None, Some("into the URL of the proxy"), true),
        (408, None, None, false),
        (410, None, None, true),
        (425, None, None, false),
        (429, None, Some("try again later"), false),
        (500, None, None, false),
        (503, None, Some("try again later"), false),
    ] {
        let fault = refused(status, HttpRequest { login, ..request() });
        assert_eq!(fault.is_lasting(), lasting, "{fault}");
        match help {
            Some(help) => assert!(fault.help().expect("help").to_string().contains(help), "{fault}"),
            None => assert!(fault.help().is_none(), "{fault}"),
        }
    }
}

#[test]
fn a_proxy_that_does_not_connect_says_what_helps_and_whether_that_lasts() {
    for (status, kind, help, lasting) in [
        (403, FaultKind::Server, None, true),
        (407, FaultKind::Login, Some("put a user and password into the URL of the proxy"), true),
        (429, FaultKind::Server, None, false),
        (503, FaultKind::Server, None, false),
    ] {
        let fault = refused(status, HttpRequest { route: Route::Proxy(None), tls: true, ..request() });
        assert!(fault.to_string().contains(&format!("answers {status} ")), "{fault}");
        assert!(fault.to_string().contains("to CONNECT"), "{fault}");
        assert_eq!((fault.kind(), fault.server_code(), fault.is_lasting()), (kind, Some(status), lasting), "{fault}");
        assert_eq!(fault.help().map(ToString::to_string).as_deref(), help, "{fault}");
    }
}

/// The fault of a request that is answered with this status.
fn refused(status: u16, request: HttpRequest) -> Fault {
    let answer = format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n");
    let mut http = HttpMachine::new(request);
    testing::hold(&mut http, says(answer.as_bytes()), Network::default()).fault.expect("refused")
}

#[test]
fn security_33_a_head_of_exactly_the_limit_is_read_and_no_longer_one() {
    let (begin, end) = (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: ".as_slice(), b"\r\n\r\n".as_slice());
    let blank = b"\r\n".as_slice();
    // Blank lines before it and interim answers count.
    for before in [&b""[..], &blank.repeat(100), &[b"HTTP/1.1 103 E\r\nX: ", &[b'x'; 1000][..], end].concat()] {
        let head = |octets: usize| {
            let value = vec![b'x'; octets - before.len() - begin.len() - end.len()];
            play(&[before, begin, &value, end].concat(), End::Closed).fault.map(|(kind, _)| kind)
        };
        assert_eq!((head(MAX_HEAD), head(MAX_HEAD + 1)), (None, Some(FaultKind::Limit)), "{}", before.len());
    }
}

#[test]
fn security_33_twenty_interim_answers_are_skipped_and_no_more() {
    let after = |count: usize| {
        let interim = b"HTTP/1.1 102 Processing\r\n\r\n".repeat(count);
        let whole = [&interim[..], b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"].concat();
        play(&whole, End::Closed).fault.map(|(kind, _)| kind)
    };
    assert_eq!((after(20), after(21)), (None, Some(FaultKind::Limit)));
}
