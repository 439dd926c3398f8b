//! The machine alone: whole answers, answers cut anywhere, answers with octets changed.

use super::{Http, MAX_HEAD, Request};
use crate::protocol::{End, FaultKind, Input, Machine, Step};

fn request() -> Request {
    Request {
        tls: false,
        host: "h.example".to_owned(),
        port: 80,
        selector: "/".to_owned(),
        user_agent: "test".to_owned(),
    }
}

/// What an answer comes to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    size: Option<u64>,
    media_type: Option<String>,
    data: Vec<u8>,
    notes: Vec<&'static str>,
    moved: Option<Vec<u8>>,
    fault: Option<(FaultKind, String)>,
}

/// Drives the machine with an answer in pieces, then with the end.
fn drive<'a>(pieces: impl IntoIterator<Item = &'a [u8]>, end: End) -> Outcome {
    let mut http = Http::new(request());
    let mut inputs = pieces.into_iter().map(Input::new).chain([Input::closed(end)]);
    let mut input = Input::none();
    let mut outcome = Outcome::default();
    let mut steps_since_input = 0;
    loop {
        steps_since_input += 1;
        assert!(steps_since_input < 10_000, "the machine does not go on");
        match http.next(&mut input) {
            Step::Receive => {
                assert!(input.octets().is_empty(), "it asks for more before it has taken all");
                input = inputs.next().expect("it never asks for more after the end");
                steps_since_input = 0;
            }
            Step::Begin(begin) => (outcome.size, outcome.media_type) = (begin.size, begin.media_type),
            Step::Data(data) => outcome.data.extend_from_slice(&data),
            Step::Note(note) => outcome.notes.push(note.code),
            Step::Done => break,
            Step::Fail(fault) => {
                outcome.fault = Some((fault.kind(), fault.to_string()));
                break;
            }
            Step::Connect | Step::Send(_) => {}
            Step::Entry(never) => match never {},
            other => panic!("http has no such step: {other:?}"),
        }
    }
    outcome.moved = http.moved().map(<[u8]>::to_vec);
    outcome
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
            let whole = drive([*answer], end);
            for cut in 0..=answer.len() {
                let (head, tail) = answer.split_at(cut);
                let cut_once = drive([head, tail].into_iter().filter(|piece| !piece.is_empty()), end);
                assert_eq!(cut_once, whole, "{:?} cut at {cut}", String::from_utf8_lossy(answer));
            }
            assert_eq!(drive(answer.chunks(1), end), whole, "{:?}", String::from_utf8_lossy(answer));
        }
    }
}

#[test]
fn the_answers_mean_what_they_should() {
    let data = |index: usize| {
        let outcome = drive([ANSWERS[index]], End::Closed);
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
    assert_eq!(drive([ANSWERS[13]], End::Closed).moved, Some(b"/x".to_vec()));
    assert_eq!(drive([ANSWERS[14]], End::Closed).moved, Some(b"/x".to_vec()));
    assert_eq!(data(15), failed("", FaultKind::Malformed));
    assert_eq!(data(16), failed("", FaultKind::NotFound));
    assert_eq!(data(17), failed("", FaultKind::Login));
    assert_eq!(data(18), failed("", FaultKind::Server));
    assert_eq!(data(19), failed("", FaultKind::Malformed));
    assert_eq!(data(21), failed("", FaultKind::Server));
}

#[test]
fn an_answer_read_to_the_close_is_whole_only_after_a_proper_end() {
    assert_eq!(drive([ANSWERS[4]], End::Closed).fault, None);
    for end in [End::Unauthenticated, End::Broken] {
        let fault = drive([ANSWERS[4]], end).fault.expect("nothing proves the end");
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
        let pieces = 1 + random(7);
        assert_eq!(drive([&answer[..]], End::Closed), drive(answer.chunks(pieces), End::Closed));
    }
}

#[test]
fn a_head_that_drips_in_costs_no_more_than_one_look_at_each_octet() {
    // Quadratic work would take minutes here.
    let head = [b"HTTP/1.1 200 OK\r\n".as_slice(), &b"x:\n".repeat(MAX_HEAD / 3)].concat();
    let outcome = drive(head.chunks(1), End::Closed);
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
        let request = Request { host: host.to_owned(), port: 8080, selector: selector.to_owned(), ..request() };
        let mut http = Http::new(request);
        assert!(matches!(http.next(&mut Input::none()), Step::Connect), "{host}{selector}");
        let Step::Send(command) = http.next(&mut Input::none()) else { panic!("{host}{selector}") };
        let start = format!("GET {selector} HTTP/1.1\r\nhost: {host}:8080\r\n");
        assert!(command.octets().starts_with(start.as_bytes()), "{command}");
    }
}

#[test]
fn security_5_the_writer_refuses_what_would_begin_a_second_line() {
    for selector in ["/a\r\nb", "/a b", "/a\0", "/a#b", "no-slash"] {
        let mut http = Http::new(Request { selector: selector.to_owned(), ..request() });
        let Step::Fail(fault) = http.next(&mut Input::none()) else { panic!("{selector:?} is not refused") };
        assert_eq!(fault.kind(), FaultKind::Refused);
    }
    for host in ["a\r\nb", "a b", "a/b", "u@h"] {
        let mut http = Http::new(Request { host: host.to_owned(), ..request() });
        assert!(matches!(http.next(&mut Input::none()), Step::Fail(_)), "{host:?}");
    }
}
