//! The dry run: the dialogue a machine would hold if every reply were good, without a connection.

use super::{Command, End, Event, Fault, Input, Io, Machine, Note, Question, Step, ardp};
use std::borrow::Cow;
use std::fmt;
use urlwise::Url;

/// What a machine waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// In words, for people: `a menu, one item a line`.
    pub what: Cow<'static, str>,
    /// The smallest reply that lets the dialogue go on as it should.
    pub reply: Cow<'static, [u8]>,
    /// The peer closes after that reply.
    pub closes: bool,
}

/// One line of a dialogue that has not been held. Displays as text in which every octet is escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Line {
    /// A connection to the host and port of the URL.
    Connect,
    /// Datagrams to the host and port of this URL.
    Inquire(Url<String>),
    /// One line that would be sent, with its line end.
    Send(Command),
    /// What would have to come back.
    Expect(Cow<'static, str>),
    /// A TLS handshake on the connection there is.
    StartTls,
    /// A data connection to the same host, at a port that the server names.
    OpenData,
    /// A TLS handshake on the data connection.
    SecureData,
    /// A question to a person.
    Ask(Question),
    /// What is to be said of the URL before anything is connected.
    Note(Note),
}

impl Line {
    /// `connect`, `send`, `expect`, `tls`, `ask` or `note`.
    pub fn kind(&self) -> &'static str {
        match self {
            Line::Connect | Line::OpenData | Line::Inquire(_) => "connect",
            Line::StartTls | Line::SecureData => "tls",
            Line::Ask(_) => "ask",
            Line::Send(_) => "send",
            Line::Expect(_) => "expect",
            Line::Note(_) => "note",
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Line::Connect => f.write_str("the host and port of the URL"),
            Line::Inquire(_) => f.write_str("the host and port of the URL, by UDP"),
            Line::Send(command) => command.fmt(f),
            Line::Expect(what) => f.write_str(what),
            Line::StartTls => f.write_str("a TLS handshake on this connection"),
            Line::OpenData => f.write_str("the same host, at the port the server gave, for data"),
            Line::SecureData => f.write_str("a TLS handshake on the data connection"),
            Line::Ask(question) => write!(f, "{question}, from the user"),
            Line::Note(note) => write!(f, "{} ({})", note.message, note.rule),
        }
    }
}

/// What the person of a dry run answers. It is a secret of nobody, and shown as one.
const ANSWER: &[u8] = b"?";

/// The longest dialogue that is listed: the limit of path segments leaves room for every one that is opened, but a URL can ask for
/// a document in as many slices as it likes.
const MOST_LINES: usize = 4096;

/// Drives `machine` with the [good reply](Machine::expected) to everything and lists the dialogue; the
/// beginning of one that would go on for ever.
///
/// ```
/// use urlwise_open::protocol::gopher::{Gopher, Request, Settings};
/// use urlwise_open::protocol::plan;
///
/// let request = Request { selector: b"/find".to_vec(), search: Some(b"old maps".to_vec()), ..Request::new(b'7') };
/// let lines = plan(Gopher::new(request, Settings::default())).expect("a harmless request");
/// assert_eq!(lines[0].kind(), "connect");
/// assert_eq!((lines[1].kind(), lines[1].to_string()), ("send", r"/find\told maps\r\n".to_string()));
/// assert_eq!(lines[2].kind(), "expect");
/// ```
///
/// # Errors
/// The fault of a request that must not be made, word for word as when it is made.
pub fn plan<M: Machine>(mut machine: M) -> Result<Vec<Line>, Fault> {
    let mut lines = Vec::new();
    let mut reply;
    let mut input = Input::none();
    let mut closes = false;
    loop {
        if lines.len() > MOST_LINES {
            lines.push(Line::Expect(Cow::Borrowed("more of the same, to the end")));
            return Ok(lines);
        }
        let io = match machine.next(&mut input) {
            Step::Io(io) => io,
            // A note of later is about an answer, and there was none.
            Step::Event(Event::Note(note)) if lines.is_empty() => {
                lines.push(Line::Note(note));
                continue;
            }
            Step::Event(Event::Begin(_) | Event::Data(_) | Event::Entry(_) | Event::Note(_)) => continue,
            // What another URL would bring is not known.
            Step::Event(Event::Follow(_)) | Step::Done => return Ok(lines),
            Step::Fail(fault) => return Err(fault),
        };
        match io {
            Io::Connect => lines.push(Line::Connect),
            Io::Inquire(inquiry) => {
                lines.push(Line::Inquire(inquiry.url));
                lines.extend(ardp::plan(inquiry.command.octets(), ardp::Settings::default())?);
                // The answer to it is another input.
                (input, closes) = (Input::none(), false);
            }
            Io::Send(command) => lines.extend(command.lines().map(Line::Send)),
            Io::StartTls => lines.push(Line::StartTls),
            Io::OpenData { .. } => lines.push(Line::OpenData),
            Io::SecureData => lines.push(Line::SecureData),
            Io::ReceiveData => {
                lines.push(Line::Expect(machine.expected().what));
                input = Input::closed(End::Closed);
            }
            Io::CloseData => input = Input::none(),
            Io::Ask(question) => {
                lines.push(Line::Ask(question));
                machine.answer(Some(ANSWER));
            }
            Io::Receive if closes => input = Input::closed(End::Closed),
            Io::Receive => {
                let expected = machine.expected();
                lines.push(Line::Expect(expected.what));
                reply = expected.reply;
                input = Input::new(&reply);
                closes = expected.closes;
            }
        }
    }
}
