//! The dry run: the dialogue that a machine would have if every reply were good, without a connection.

use super::{DialogueLine, End, Event, Fault, Input, Io, Machine, Step, ardp};
use crate::language::words;
use std::borrow::Cow;
use urlwise::Message;

/// What a machine waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Expected {
    /// In words, for people: `a menu, one item a line`.
    pub what: Message,
    /// The smallest reply with which the dialogue continues normally.
    pub reply: Cow<'static, [u8]>,
    /// The peer closes after that reply.
    pub closes: bool,
}

impl Expected {
    /// A reply after which the peer does not close.
    pub fn new(what: impl Into<Message>, reply: impl Into<Cow<'static, [u8]>>) -> Expected {
        Expected { what: what.into(), reply: reply.into(), closes: false }
    }
}

/// The answer of the person in a dry run. It is displayed as a secret although it is not one.
const ANSWER: &[u8] = b"?";

/// The longest dialogue that is listed: enough for the most path segments that the policy allows, but a URL can ask for a
/// document in any number of slices.
const MOST_LINES: usize = 4096;

/// Most dialogues are shorter: what takes more than a thousand octets costs some allocators a search.
const LINES: usize = 10;

/// The lines of a dialogue that has not happened.
pub(crate) struct Planned {
    pub(crate) lines: Vec<DialogueLine>,
    /// Whether more would follow, as the last line says.
    pub(crate) is_cut: bool,
}

/// Drives `machine` with the [good reply](Machine::expected) to everything and lists the dialogue; only the beginning of one
/// that would never end.
///
/// ```
/// use urlwise_open::protocol::gopher::{GopherMachine, GopherRequest, GopherSettings};
/// use urlwise_open::protocol::plan;
///
/// let request = GopherRequest::new(b'7').with(|request| {
///     request.selector = b"/find".to_vec();
///     request.search = Some(b"old maps".to_vec());
/// });
/// let lines = plan(GopherMachine::new(request, GopherSettings::default())).expect("a harmless request");
/// assert_eq!(lines[0].kind(), "connect");
/// assert_eq!((lines[1].kind(), lines[1].to_string()), ("send", r"/find\told maps\r\n".to_string()));
/// assert_eq!(lines[2].kind(), "expect");
/// ```
///
/// # Errors
/// The fault of a request that must not be sent, the same as when it is opened.
pub fn plan<M: Machine>(machine: M) -> Result<Vec<DialogueLine>, Fault> {
    plan_within(machine, MOST_LINES).map(|planned| planned.lines)
}

/// The same of at most this many lines, and one that says that there are more.
pub(crate) fn plan_within<M: Machine>(mut machine: M, most: usize) -> Result<Planned, Fault> {
    let most = most.min(MOST_LINES);
    let mut lines = Vec::with_capacity(LINES);
    let mut reply;
    let mut input = Input::none();
    let mut closes = false;
    loop {
        if lines.len() > most {
            lines.truncate(most);
            lines.push(DialogueLine::Expect(words!("more of the same, to the end").into()));
            return Ok(Planned { lines, is_cut: true });
        }
        let io = match machine.next(&mut input) {
            Step::Io(io) => io,
            // Later notes are about an answer, and there is none.
            Step::Event(Event::Note(note)) if lines.is_empty() => {
                lines.push(DialogueLine::Note(note));
                continue;
            }
            Step::Event(Event::Begin(_) | Event::Data(_) | Event::Entry(_) | Event::Note(_)) => continue,
            // The answer of another URL is not known.
            Step::Event(Event::Follow(_)) | Step::Done => return Ok(Planned { lines, is_cut: false }),
            Step::Fail(fault) => return Err(fault),
        };
        match io {
            Io::Connect => lines.push(DialogueLine::Connect),
            Io::Inquire(inquiry) => {
                lines.push(DialogueLine::Inquire(Box::new(inquiry.url)));
                lines.extend(ardp::plan(inquiry.command.octets(), ardp::ArdpSettings::default())?);
                // Its answer is a separate input.
                (input, closes) = (Input::none(), false);
            }
            Io::Send(command) => command.each_line(|line| lines.push(DialogueLine::Send(line))),
            Io::StartTls => lines.push(DialogueLine::StartTls),
            Io::OpenData { .. } => lines.push(DialogueLine::OpenData),
            Io::SecureData => lines.push(DialogueLine::SecureData),
            Io::ReceiveData => {
                lines.push(DialogueLine::Expect(machine.expected().what));
                input = Input::closed(End::Closed);
            }
            Io::CloseData => input = Input::none(),
            Io::Ask(question) => {
                lines.push(DialogueLine::Ask(question));
                machine.answer(Some(ANSWER));
            }
            Io::Receive if closes => input = Input::closed(End::Closed),
            Io::Receive => {
                let expected = machine.expected();
                lines.push(DialogueLine::Expect(expected.what));
                reply = expected.reply;
                input = Input::new(&reply);
                closes = expected.closes;
            }
        }
    }
}
