//! The driver: a machine on one side, a closure on the other.

use super::{DialogueRecord, Network, ServerAnswer};
use crate::protocol::{End, Event, Input, Io, Machine, Step};
use std::borrow::Cow;

/// Steps that a machine may take without more input.
const MAX_STEPS: usize = 1_000_000;

/// One direction of a connection: what the peer has sent, and how much of it has arrived.
struct Stream<'n> {
    said: Vec<u8>,
    arrived: usize,
    end: Option<End>,
    /// Where pieces end, as far as that is still to come.
    cuts: &'n [usize],
}

impl<'n> Stream<'n> {
    fn new(said: Vec<u8>, end: Option<End>, cuts: &'n [usize]) -> Stream<'n> {
        Stream { said, arrived: 0, end, cuts }
    }

    /// The next piece; `None` if nothing is left.
    fn piece(&mut self, network: &Network<'_>) -> Option<Vec<u8>> {
        let left = &self.said[self.arrived..self.said.len().min(network.limit).max(self.arrived)];
        let mut piece = &left[..left.len().min(network.piece.max(1))];
        let mut is_cut = false;
        if let Some((cut, further)) = self.cuts.split_first() {
            let most = cut.saturating_sub(self.arrived);
            if most <= piece.len() {
                (piece, self.cuts, is_cut) = (&piece[..most], further, true);
            }
        }
        self.arrived += piece.len();
        (is_cut || !piece.is_empty()).then(|| piece.to_vec())
    }
}

/// Holds a dialogue.
///
/// `server` returns what it sends: for no octets when the connection is made, then for each command. The answers are joined,
/// and arrive as `network` says. An answer in datagrams replaces what is left of the one before.
///
/// ```
/// use urlwise_open::protocol::TlsMode;
/// use urlwise_open::protocol::smtp::{SmtpMachine, SmtpRequest};
/// use urlwise_open::testing::{Network, hold};
///
/// let request = SmtpRequest::new("me@a.example", "you@b.example", b"Hello.\r\n".to_vec()).expect("good addresses");
/// let server = |command: &[u8]| match command {
///     b"" => b"220 b.example\r\n".to_vec(),
///     b"DATA\r\n" => b"354 send it\r\n".to_vec(),
///     _ => b"250 ok\r\n".to_vec(),
/// };
/// let dialogue = hold(&mut SmtpMachine::new(request, TlsMode::None), server, Network::default());
/// assert!(dialogue.is_done && dialogue.notes == ["mail-in-clear"], "{dialogue:?}");
/// assert_eq!(dialogue.shown[1], r"MAIL FROM:<me@a.example>\r\n");
/// ```
///
/// # Panics
/// The machine breaks its contract: see [the module](super).
pub fn hold<M: Machine, A: Into<ServerAnswer>>(
    machine: &mut M,
    mut server: impl FnMut(&[u8]) -> A,
    network: Network<'_>,
) -> DialogueRecord<M::Entry> {
    let mut dialogue = DialogueRecord::default();
    let mut control = Stream::new(Vec::new(), network.end, network.cuts);
    let mut data: Option<Stream<'_>> = None;
    let mut arrived: Vec<u8> = Vec::new();
    let (mut left, mut end, mut steps) = (0, None, 0);
    loop {
        steps += 1;
        assert!(steps < MAX_STEPS, "the machine does not end");
        let octets = &arrived[arrived.len() - left..];
        let mut input = match end {
            Some(end) if octets.is_empty() => Input::closed(end),
            _ => Input::new(octets),
        };
        let step = machine.next(&mut input);
        left = input.octets().len();
        let io = match step {
            Step::Io(io) => io,
            Step::Event(event) => {
                record(&mut dialogue, event, &octets[..octets.len() - left]);
                continue;
            }
            Step::Done => {
                assert!(matches!(machine.next(&mut Input::none()), Step::Done), "the machine continues after its end");
                dialogue.is_done = true;
                return dialogue;
            }
            Step::Fail(fault) => {
                let again = machine.next(&mut Input::none());
                assert!(matches!(again, Step::Fail(same) if same == fault), "the machine continues after a failure");
                dialogue.fault = Some(fault);
                return dialogue;
            }
        };
        let answer = match io {
            Io::Connect => {
                let is_first = dialogue.sent.is_empty() && steps == dialogue.order.len() + 1;
                assert!(is_first, "the machine connects in the middle of a dialogue");
                dialogue.connects += 1;
                server(b"").into()
            }
            Io::Send(command) => {
                dialogue.sent.push(command.octets().to_vec());
                dialogue.shown.push(command.to_string());
                dialogue.in_clear += usize::from(dialogue.handshakes == 0);
                server(command.octets()).into()
            }
            Io::Inquire(inquiry) => {
                let octets = inquiry.command.octets();
                let text = String::from_utf8_lossy(octets).into_owned();
                dialogue.inquiries.push((inquiry.url.to_string(), text));
                control = Stream::new(Vec::new(), network.end, network.cuts);
                (left, end) = (0, None);
                server(octets).into()
            }
            Io::Receive | Io::ReceiveData => {
                assert_eq!(
                    (left, end),
                    (0, None),
                    "the machine asks for more before it has taken all, or after the end"
                );
                let is_data = io == Io::ReceiveData;
                let stream = if is_data { data.as_mut().expect("there is a data connection") } else { &mut control };
                match stream.piece(&network) {
                    Some(piece) => (left, arrived, steps) = (piece.len(), piece, 0),
                    None if stream.end.is_none() => return dialogue,
                    None => end = stream.end,
                }
                continue;
            }
            Io::StartTls => {
                dialogue.handshakes += 1;
                // What is left was sent unencrypted, so it is not part of what TLS protects.
                control.arrived = control.said.len();
                continue;
            }
            Io::OpenData { port } => {
                assert!(port > 0, "no server listens at port 0");
                dialogue.ports.push(port);
                data = Some(Stream::new(network.data.to_vec(), Some(network.data_end), network.data_cuts));
                continue;
            }
            Io::SecureData => {
                assert!(data.is_some(), "TLS without a data connection");
                dialogue.data_handshakes += 1;
                continue;
            }
            Io::CloseData => {
                (data, left, end) = (None, 0, None);
                continue;
            }
            Io::Ask(question) => {
                dialogue.questions.push(question);
                machine.answer(network.answer);
                continue;
            }
        };
        if answer.is_last {
            return dialogue;
        }
        control.said.extend(answer.octets);
        control.end = answer.end.or(control.end);
    }
}

/// Records an event. `taken` is the input that the machine took for it.
fn record<E>(dialogue: &mut DialogueRecord<E>, event: Event<E, Cow<'_, [u8]>>, taken: &[u8]) {
    match event {
        Event::Begin(begin) => {
            assert!(dialogue.begin.is_none(), "the answer begins twice");
            assert!(dialogue.entries.is_empty(), "entries before the answer has begun");
            dialogue.note_order("begin");
            dialogue.begin = Some(begin);
        }
        Event::Data(octets) => {
            assert!(dialogue.begin.is_some(), "data before the answer has begun");
            assert!(!octets.is_empty(), "data without octets");
            // A CR that was held back to see whether LF follows is a constant.
            if let Cow::Borrowed(part) = octets
                && part != b"\r"
            {
                assert!(taken.as_ptr_range().contains(&part.as_ptr()), "borrowed data is not part of the input");
            }
            dialogue.note_order("data");
            dialogue.data.extend_from_slice(&octets);
        }
        Event::Entry(entry) => {
            dialogue.note_order("entry");
            dialogue.entries.push(entry);
        }
        Event::Note(note) => {
            dialogue.note_order("note");
            dialogue.notes.push(note.code);
        }
        Event::Follow(url) => {
            dialogue.note_order("follow");
            dialogue.followed.push(url.to_string());
        }
    }
}
