//! Drives the mail machine with octets from memory, and holds it to the contract of `protocol::Machine`.

use urlwise_open::protocol::smtp::Smtp;
use urlwise_open::protocol::{End, Event, Fault, Input, Io, Machine, Question, Step};

/// What the network does.
#[derive(Clone, Copy)]
pub(crate) struct Network<'n> {
    /// How the connection ends when nothing is left of it; `None` is a server that falls silent.
    pub(crate) end: Option<End>,
    /// Octets that arrive at a time.
    pub(crate) piece: usize,
    /// What a person answers.
    pub(crate) answer: Option<&'n [u8]>,
}

impl Default for Network<'_> {
    fn default() -> Self {
        Network { end: Some(End::Closed), piece: usize::MAX, answer: None }
    }
}

/// What came of a dialogue. What depends on how the octets arrived is left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Held {
    /// What was sent, command by command.
    pub(crate) sent: Vec<Vec<u8>>,
    /// The same as people see it.
    pub(crate) shown: Vec<String>,
    pub(crate) connects: usize,
    pub(crate) handshakes: usize,
    /// How many commands went before the first handshake.
    pub(crate) in_clear: usize,
    pub(crate) questions: Vec<Question>,
    /// The server's words as it took the mail.
    pub(crate) taken: Vec<Vec<u8>>,
    pub(crate) notes: Vec<&'static str>,
    pub(crate) fault: Option<Fault>,
    pub(crate) is_done: bool,
    /// The mail went, and nobody knows what became of it.
    pub(crate) is_unknown: bool,
}

/// Holds the dialogue. `server` is asked what it says to an empty command, which is a new connection, and to each command.
pub(crate) fn hold(machine: &mut Smtp, mut server: impl FnMut(&[u8]) -> Vec<u8>, network: Network<'_>) -> Held {
    let piece = network.piece.max(1);
    let mut held = Held::default();
    let (mut said, mut heard): (Vec<u8>, usize) = (Vec::new(), 0);
    let (mut arrived, mut left): (Vec<u8>, usize) = (Vec::new(), 0);
    let mut end = None;
    for _ in 0..1_000_000 {
        let octets = &arrived[arrived.len() - left..];
        let mut input = match end {
            Some(end) if octets.is_empty() => Input::closed(end),
            _ => Input::new(octets),
        };
        let step = machine.next(&mut input);
        left = input.octets().len();
        held.is_unknown = machine.awaits_acceptance();
        match step {
            Step::Io(Io::Receive) => {
                assert_eq!((left, end), (0, None), "it asks for more before it has taken all, or after the end");
                let count = (said.len() - heard).min(piece);
                if count == 0 {
                    let Some(closed) = network.end else { return held };
                    end = Some(closed);
                }
                arrived = said[heard..heard + count].to_vec();
                (heard, left) = (heard + count, count);
            }
            Step::Io(Io::Connect) => {
                held.connects += 1;
                said.extend(server(b""));
            }
            Step::Io(Io::Send(command)) => {
                assert!(command.octets().ends_with(b"\r\n"));
                said.extend(server(command.octets()));
                held.in_clear += usize::from(held.handshakes == 0);
                held.sent.push(command.octets().to_vec());
                held.shown.push(command.to_string());
            }
            Step::Io(Io::StartTls) => {
                held.handshakes += 1;
                // What is left was sent in clear, so it is no part of what TLS gives.
                heard = said.len();
            }
            Step::Io(Io::Ask(question)) => {
                held.questions.push(question);
                machine.answer(network.answer);
            }
            Step::Event(Event::Entry(words)) => held.taken.push(words),
            Step::Event(Event::Note(note)) => held.notes.push(note.code),
            Step::Done => {
                assert_eq!(machine.next(&mut Input::none()), Step::Done);
                held.is_done = true;
                return held;
            }
            Step::Fail(fault) => {
                assert_eq!(machine.next(&mut Input::none()), Step::Fail(fault.clone()));
                held.fault = Some(fault);
                return held;
            }
            other => panic!("a step that mail does not need: {other:?}"),
        }
    }
    panic!("the machine does not come to an end");
}
