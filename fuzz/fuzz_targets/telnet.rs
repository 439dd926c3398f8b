//! Any server and any keys: the telnet machine never panics, keeps its contract, comes to the same whole and in pieces, agrees
//! to nothing but its short list, and sends nothing that was neither asked for nor typed.
//!
//! The input is: flags, the length of the pieces, then what the server sends and what is typed, separated by `FE 00`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urlwise_open::protocol::telnet::{LineEnd, Settings, Telnet, Window};
use urlwise_open::protocol::{End, Event, Input, Io, Machine, Step, plan};

/// What came of a session: its text, what was answered, how it ended.
#[derive(Debug, PartialEq)]
struct Held {
    text: Vec<u8>,
    answers: Vec<u8>,
    fault: Option<String>,
}

fn hold<'i>(telnet: &mut Telnet, pieces: impl Iterator<Item = &'i [u8]>, end: End) -> Held {
    let mut held = Held { text: Vec::new(), answers: Vec::new(), fault: None };
    let mut inputs = pieces.map(Input::new).chain([Input::closed(end)]);
    let mut input = Input::none();
    loop {
        match telnet.next(&mut input) {
            Step::Event(Event::Data(text)) => {
                assert!(!text.is_empty());
                held.text.extend_from_slice(&text);
            }
            Step::Io(Io::Send(command)) => {
                assert!(!command.to_string().chars().any(char::is_control));
                assert!(matches!(command.octets(), [255, 250..=254, 0 | 1 | 3 | 24 | 31, ..] | [255, 252 | 254, _]));
                held.answers.extend_from_slice(command.octets());
            }
            Step::Io(Io::Receive) => {
                assert!(input.octets().is_empty() && input.end().is_none());
                input = inputs.next().expect("the end is the last input");
            }
            Step::Done => return held,
            Step::Fail(fault) => {
                held.fault = Some(fault.to_string());
                assert!(!fault.to_string().chars().any(char::is_control));
                return held;
            }
            _ => {}
        }
    }
}

fuzz_target!(|input: &[u8]| {
    let [flags, piece, rest @ ..] = input else { return };
    let at = rest.windows(2).position(|mark| mark == b"\xfe\0");
    let (server, typed) = at.map_or((rest, &b""[..]), |at| (&rest[..at], &rest[at + 2..]));
    let mut settings = Settings::default();
    if flags & 1 != 0 {
        settings.terminal = None;
    }
    settings.raw = flags & 2 != 0;
    settings.line_end = [LineEnd::CrLf, LineEnd::CrNul, LineEnd::Lf, LineEnd::CrLf][usize::from(flags >> 2 & 3)];
    settings.limits.subnegotiation = 20;
    settings.limits.requests = 30;
    let end = if flags & 16 != 0 { End::Unauthenticated } else { End::Closed };
    let mut telnet = Telnet::new(settings.clone());
    let whole = hold(&mut telnet, [server].into_iter(), end);
    let pieces = hold(&mut Telnet::new(settings.clone()), server.chunks(usize::from(*piece) + 1), end);
    assert_eq!(whole, pieces);
    assert!(whole.text.len() <= server.len());
    if settings.terminal.is_none() {
        assert!(whole.answers.chunks(3).all(|answer| matches!(answer, [255, 252 | 254, _])));
    }

    // An odd octet 255 would be a command that nobody gave.
    let keys = telnet.clone().keys(typed);
    let lines = [telnet.lines(typed), telnet.end_of_lines()].concat();
    for sent in [&keys, &lines] {
        let given = typed.iter().filter(|octet| **octet == 255).count();
        assert_eq!(sent.iter().filter(|octet| **octet == 255).count(), 2 * given);
    }
    if let Some(command) = telnet.resize(Window { columns: u16::from(*piece) << 8 | 255, rows: u16::from(*flags) }) {
        assert!(command.octets().starts_with(&[255, 250, 31]) && command.octets().ends_with(&[255, 240]));
    }
    assert!(plan(Telnet::new(settings)).is_ok());
});
