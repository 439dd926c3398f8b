//! Drives the ftp machine with octets from memory, and holds it to the contract of `protocol::Machine`.

use std::borrow::Cow;
use urlwise_open::protocol::ftp::{Ftp, Item};
use urlwise_open::protocol::{Begin, End, Event, Fault, Input, Io, Machine, Question, Step};

/// What the network does.
#[derive(Clone, Copy)]
pub(crate) struct Network<'n> {
    /// What comes over every data connection, and how that ends.
    pub(crate) data: &'n [u8],
    pub(crate) data_end: End,
    /// How the control connection ends when nothing is left of it; `None` is a server that falls silent.
    pub(crate) control_end: Option<End>,
    /// Octets that arrive at a time.
    pub(crate) piece: usize,
    /// What a person answers.
    pub(crate) answer: Option<&'n [u8]>,
}

impl<'n> Network<'n> {
    pub(crate) fn with(data: &'n [u8]) -> Network<'n> {
        let (data_end, control_end) = (End::Closed, Some(End::Closed));
        Network { data, data_end, control_end, piece: usize::MAX, answer: None }
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
    /// TLS handshakes on the control connection and on data connections.
    pub(crate) handshakes: (usize, usize),
    pub(crate) ports: Vec<u16>,
    pub(crate) questions: Vec<Question>,
    pub(crate) begin: Option<Begin>,
    pub(crate) data: Vec<u8>,
    pub(crate) items: Vec<Item>,
    pub(crate) notes: Vec<&'static str>,
    pub(crate) fault: Option<Fault>,
    pub(crate) is_done: bool,
}

/// Holds the dialogue. `server` is asked what it says to an empty command, which is a new connection, and to each command.
pub(crate) fn hold(machine: &mut Ftp, mut server: impl FnMut(&[u8]) -> Vec<u8>, network: Network<'_>) -> Held {
    let piece = network.piece.max(1);
    let mut held = Held::default();
    let (mut control, mut taken): (Vec<u8>, usize) = (Vec::new(), 0);
    let (mut data, mut has_data) = (network.data, false);
    let mut arrived: Vec<u8> = Vec::new();
    let mut left = 0;
    let mut end = None;
    let mut idle = 0;
    loop {
        idle += 1;
        assert!(idle < 100_000, "the machine does not go on");
        let octets = &arrived[arrived.len() - left..];
        let mut input = match end {
            Some(end) if octets.is_empty() => Input::closed(end),
            _ => Input::new(octets),
        };
        let before = octets.as_ptr_range();
        let step = machine.next(&mut input);
        left = input.octets().len();
        if matches!(step, Step::Io(Io::Receive) | Step::Io(Io::ReceiveData)) {
            let of_control = step == Step::Io(Io::Receive);
            // What was handed in before is given back with the step that borrows it.
            drop(step);
            assert_eq!((left, end), (0, None), "it asks for more before it has taken all, or after the end");
            assert!(of_control || has_data, "data without a connection");
            let source = if of_control { &control[taken..] } else { data };
            let count = source.len().min(piece);
            arrived = source[..count].to_vec();
            left = count;
            match (of_control, count) {
                (true, 0) if network.control_end.is_none() => return held,
                (true, 0) => end = network.control_end,
                (false, 0) => end = Some(network.data_end),
                (true, _) => taken += count,
                (false, _) => data = &data[count..],
            }
            idle = 0;
            continue;
        }
        match step {
            Step::Io(Io::Connect) => {
                held.connects += 1;
                control.extend(server(b""));
            }
            Step::Io(Io::Send(command)) => {
                assert!(command.octets().ends_with(b"\r\n"));
                control.extend(server(command.octets()));
                held.sent.push(command.octets().to_vec());
                held.shown.push(command.to_string());
            }
            Step::Io(Io::StartTls) => {
                held.handshakes.0 += 1;
                // What is left was sent in clear, so it is no part of what TLS gives.
                taken = control.len();
            }
            Step::Io(Io::OpenData { port }) => {
                assert!(port > 0);
                (has_data, data) = (true, network.data);
                held.ports.push(port);
            }
            Step::Io(Io::SecureData) => {
                assert!(has_data, "TLS without a connection");
                held.handshakes.1 += 1;
            }
            Step::Io(Io::CloseData) => (has_data, end, left) = (false, None, 0),
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
