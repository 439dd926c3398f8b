//! Drives the NNTP machine with octets from memory, and holds it to the contract of `protocol::Machine`.

use std::borrow::Cow;
use urlwise_open::protocol::nntp::{Item, Nntp};
use urlwise_open::protocol::{Begin, End, Event, Fault, Input, Io, Machine, Question, Step};

/// What the network does.
#[derive(Clone, Copy)]
pub(crate) struct Network<'n> {
    /// How the connection ends when nothing is left of it; `None` is a server that falls silent.
    pub(crate) end: Option<End>,
    /// Octets that arrive at a time.
    pub(crate) piece: usize,
    /// So many octets arrive at most.
    pub(crate) most: usize,
    /// What a person answers.
    pub(crate) answer: Option<&'n [u8]>,
}

impl Default for Network<'_> {
    fn default() -> Self {
        Network { end: Some(End::Closed), piece: usize::MAX, most: usize::MAX, answer: None }
    }
}

/// What came of a dialogue. What depends on how the octets arrived is left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Held {
    /// Commands, each with its line end.
    pub(crate) sent: Vec<Vec<u8>>,
    /// The same as people see it.
    pub(crate) shown: Vec<String>,
    pub(crate) connects: usize,
    pub(crate) handshakes: usize,
    pub(crate) questions: Vec<Question>,
    pub(crate) begin: Option<Begin>,
    pub(crate) data: Vec<u8>,
    pub(crate) items: Vec<Item>,
    pub(crate) notes: Vec<&'static str>,
    pub(crate) fault: Option<Fault>,
    pub(crate) is_done: bool,
}

/// Holds the dialogue. `server` is asked what it says to an empty command, which is a new connection, and to each command.
pub(crate) fn hold(machine: &mut Nntp, mut server: impl FnMut(&[u8]) -> Vec<u8>, network: Network<'_>) -> Held {
    let mut held = Held::default();
    let (mut said, mut taken): (Vec<u8>, usize) = (Vec::new(), 0);
    let mut arrived: Vec<u8> = Vec::new();
    let (mut left, mut end, mut idle) = (0, None, 0);
    loop {
        idle += 1;
        assert!(idle < 1_000_000, "the machine does not go on");
        let octets = &arrived[arrived.len() - left..];
        let mut input = match end {
            Some(end) if octets.is_empty() => Input::closed(end),
            _ => Input::new(octets),
        };
        let before = octets.as_ptr_range();
        let step = machine.next(&mut input);
        left = input.octets().len();
        match step {
            Step::Io(Io::Receive) => {
                assert_eq!((left, end), (0, None), "it asks for more before it has taken all, or after the end");
                let source = &said[taken..said.len().min(network.most)];
                let count = source.len().min(network.piece.max(1));
                arrived = source[..count].to_vec();
                left = count;
                taken += count;
                match (count, network.end) {
                    (0, None) => return held,
                    (0, how) => end = how,
                    _ => idle = 0,
                }
            }
            Step::Io(Io::Connect) => {
                held.connects += 1;
                said.extend(server(b""));
            }
            Step::Io(Io::Send(command)) => {
                assert!(command.octets().ends_with(b"\r\n"));
                said.extend(server(command.octets()));
                held.sent.push(command.octets().to_vec());
                held.shown.push(command.to_string());
            }
            Step::Io(Io::StartTls) => {
                held.handshakes += 1;
                // What is left was sent in clear, so it is no part of what TLS gives.
                taken = said.len().min(network.most);
            }
            Step::Io(Io::Ask(question)) => {
                held.questions.push(question);
                machine.answer(network.answer);
            }
            Step::Event(Event::Begin(begin)) => {
                assert!(held.begin.is_none(), "a second beginning");
                held.begin = Some(begin);
            }
            Step::Event(Event::Data(octets)) => {
                assert!(held.begin.is_some() && !octets.is_empty());
                if let Cow::Borrowed(part) = &octets
                    && *part != b"\r"
                {
                    assert!(before.contains(&part.as_ptr()), "borrowed data is no part of the input");
                }
                held.data.extend_from_slice(&octets);
            }
            Step::Event(Event::Entry(item)) => {
                assert!(held.begin.is_some());
                held.items.push(item);
            }
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
            other => panic!("a step this driver does not know: {other:?}"),
        }
    }
}
