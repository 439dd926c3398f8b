//! Any request, any answer, in any pieces: the http machine never panics, keeps its contract, gives no more than was declared, asks
//! in one request, and reads the answer the same whole and in pieces.
//!
//! The input is: flags, the end, the length of the pieces, the selector up to the first `FE`, the answer.

use urlwise_open::protocol::http::{HttpGoal, HttpLogin, HttpMachine, HttpRequest, Route};
use urlwise_open::protocol::{End, Event, FaultKind, Input, Io, Machine, Step, plan};
use urlwise_open::{Metadata, Resume};

/// `user:word` as it is sent.
const LOGIN: &str = "dXNlcjp3b3Jk";

/// What a dialogue came to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    sent: Vec<Vec<u8>>,
    size: Option<Option<u64>>,
    data: Vec<u8>,
    notes: Vec<&'static str>,
    moved: Option<Vec<u8>>,
    known: (Metadata, u64, usize),
    fault: Option<(FaultKind, String)>,
    connects: usize,
}

pub(crate) fn run(input: &[u8]) {
    let [flags, end, piece, rest @ ..] = input else { return };
    let (selector, answer) = match rest.iter().position(|octet| *octet == 0xfe) {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (&b"/"[..], rest),
    };
    // What the URL has of it anyway is shown.
    if selector.windows(LOGIN.len()).any(|octets| octets == LOGIN.as_bytes()) {
        return;
    }
    let metadata = Metadata::default().with_size(10).with_validator("\"v\"");
    let login = HttpLogin::new(b"user", b"word".to_vec());
    let request = HttpRequest::new("h.example", 80, String::from_utf8_lossy(selector)).with(|request| {
        request.tls = flags & 1 != 0;
        request.goal = match flags >> 1 & 3 {
            0 | 1 => HttpGoal::Document,
            2 => HttpGoal::Rest(Resume::new(4, metadata)),
            _ => HttpGoal::Metadata,
        };
        request.gzip = flags & 8 != 0;
        request.login = (flags & 16 != 0).then(|| login.clone());
        request.route = if flags & 32 != 0 { Route::Proxy(Some(login)) } else { Route::Direct };
    });
    let end = [End::Closed, End::Unauthenticated, End::Broken][usize::from(end % 3)];

    let whole = drive(&request, [answer].into_iter().filter(|answer| !answer.is_empty()), end);
    let pieces = drive(&request, answer.chunks(usize::from(*piece) + 1), end);
    // Before a handshake it matters what came along with the proxy's answer, and what only after it.
    let has_handshake = request.tls && request.route != Route::Direct;
    assert!(has_handshake || whole == pieces, "{whole:?}\n{pieces:?}");
    assert_eq!(plan(HttpMachine::new(request.clone())).is_ok(), whole.connects == 1);

    if let Some(Some(size)) = whole.size {
        assert!(whole.data.len() as u64 <= size);
        assert!(whole.fault.is_some() || whole.data.len() as u64 == size);
    }
    assert!(whole.moved.is_none() || whole.size.is_none());
    assert!(request.gzip || whole.known.2 == 0);
    for sent in &whole.sent {
        let head = sent.strip_suffix(b"\r\n\r\n").expect("a request ends with an empty line");
        assert!(!head.windows(4).any(|four| four == b"\r\n\r\n"), "and has none within");
        assert!(!head.contains(&0));
    }
    let words = whole.fault.map(|(_, words)| words).unwrap_or_default();
    assert!(!words.contains(char::is_control));
}

fn drive<'a>(request: &HttpRequest, mut pieces: impl Iterator<Item = &'a [u8]>, end: End) -> Outcome {
    let mut http = HttpMachine::new(request.clone());
    let mut input = Input::none();
    let mut outcome = Outcome::default();
    let mut steps_since_input = 0;
    let mut ended = false;
    loop {
        steps_since_input += 1;
        // A chunk of one octet takes six.
        assert!(steps_since_input < 100 + input.octets().len() + 4096, "the machine makes no progress");
        match http.next(&mut input) {
            Step::Io(Io::Receive) => {
                assert!(input.octets().is_empty() && !ended, "it asks for more before all is taken, or after the end");
                steps_since_input = 0;
                input = pieces.next().map_or_else(
                    || {
                        ended = true;
                        Input::closed(end)
                    },
                    Input::new,
                );
            }
            Step::Event(Event::Begin(begin)) => {
                assert_eq!(outcome.size.replace(begin.size), None, "an answer begins once")
            }
            Step::Event(Event::Data(data)) => {
                assert!(!data.is_empty() && outcome.size.is_some());
                outcome.data.extend_from_slice(&data);
            }
            Step::Event(Event::Note(note)) => outcome.notes.push(note.code),
            Step::Io(Io::Connect) => outcome.connects += 1,
            Step::Io(Io::Send(command)) => {
                assert!(!command.to_string().contains(LOGIN), "a login is never shown");
                outcome.sent.push(command.octets().to_vec());
            }
            Step::Io(Io::StartTls) => assert!(input.octets().is_empty(), "nothing comes before a handshake"),
            Step::Done => break,
            Step::Fail(fault) => {
                outcome.fault = Some((fault.kind(), fault.to_string()));
                break;
            }
            other => panic!("http has no such step: {other:?}"),
        }
    }
    let unread = input.octets().to_vec();
    // Whatever it says, it must say so of any octets.
    http.leaves_connection(&unread);
    outcome.moved = http.moved().map(<[u8]>::to_vec);
    outcome.known = (http.metadata().clone(), http.offset(), http.codings());
    outcome
}
