//! The next step of a machine: input or output, or a part of the answer.

use super::{Command, Fault, Note};
use crate::language::words;
use std::borrow::Cow;
use std::fmt;
use urlwise::{Url, Words};

/// The next step of a [`Machine`](super::Machine); see [the table](super) for what its driver does.
///
/// There will only be these four variants. Protocols may add kinds of [`Io`] and [`Event`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a step that is not carried out is lost"]
pub enum Step<'i, E> {
    /// Do this, then call [`next`](super::Machine::next) again. Borrows nothing, so the driver is free to change its buffer.
    Io(Io),
    /// Hand this to the caller that opened the URL, then call [`next`](super::Machine::next) again.
    Event(Event<E, Cow<'i, [u8]>>),
    /// The answer is complete.
    Done,
    /// The dialogue has failed. Data and entries handed out before are valid but incomplete.
    Fail(Fault),
}

impl<E> From<Io> for Step<'_, E> {
    fn from(io: Io) -> Self {
        Step::Io(io)
    }
}

impl<'i, E> From<Event<E, Cow<'i, [u8]>>> for Step<'i, E> {
    fn from(event: Event<E, Cow<'i, [u8]>>) -> Self {
        Step::Event(event)
    }
}

/// Input or output that a machine needs. There may be others: a protocol may need more.
///
/// A driver need not support everything: a driver for telnet alone does not need data connections. But it must end the dialogue
/// with an error when it meets an [`Io`] that it does not support, and never skip it: the machine would continue as if it had
/// been done.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Io {
    /// Connect to the host and port of the URL.
    Connect,
    /// Write these octets, all of them.
    Send(Command),
    /// Read: all input is taken and more is needed.
    Receive,
    /// Begin TLS on the connection. All earlier input has been taken; octets that arrived with it are not part of the handshake.
    StartTls,
    /// Connect to this port of the peer's own address, never to an address from a reply.
    OpenData {
        /// Above 0.
        port: u16,
    },
    /// Begin TLS on the data connection, resuming the session of the first connection.
    SecureData,
    /// Read from the data connection.
    ReceiveData,
    /// Close the data connection, if there is one. The next input is from the first connection, which is still open.
    CloseData,
    /// Ask a person; see [`Machine::answer`](super::Machine::answer).
    Ask(Question),
    /// Send this request in datagrams. The next [`Receive`](Io::Receive) starts its answer, which is complete when the input
    /// has [ended](super::Input::end) with [`End::Closed`](super::End::Closed).
    Inquire(Box<Inquiry>),
}

impl Io {
    /// The stable name: `connect`, `send`, `receive`, `start-tls`, `open-data`, `secure-data`, `receive-data`, `close-data`, `ask` or
    /// `inquire`.
    pub const fn name(&self) -> &'static str {
        match self {
            Io::Connect => "connect",
            Io::Send(_) => "send",
            Io::Receive => "receive",
            Io::StartTls => "start-tls",
            Io::OpenData { .. } => "open-data",
            Io::SecureData => "secure-data",
            Io::ReceiveData => "receive-data",
            Io::CloseData => "close-data",
            Io::Ask(_) => "ask",
            Io::Inquire(_) => "inquire",
        }
    }
}

/// A part of the answer. There may be others: a protocol may have more to say.
///
/// `D` is the type of document octets: a [`Step`] borrows them from the input where possible. A driver that keeps its buffer
/// and passes the octets on later converts them with [`map_data`](Event::map_data).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<E, D> {
    /// The answer begins and is of this kind. Given once, before the first `Data` or `Entry`.
    Begin(Begin),
    /// Octets of the document, at least one. Borrowed unless they had to be changed or held back: then they are the part of the
    /// input that this call has taken.
    Data(D),
    /// One entry of the menu.
    Entry(E),
    /// Something the reader of the answer should know. Nothing has failed.
    Note(Note),
    /// The answer is what this URL names: open it like a link. If that fails, ask the machine for its next step.
    Follow(Box<Url<String>>),
}

impl<E, D> Event<E, D> {
    /// The stable name: `begin`, `data`, `entry`, `note` or `follow`.
    pub const fn name(&self) -> &'static str {
        match self {
            Event::Begin(_) => "begin",
            Event::Data(_) => "data",
            Event::Entry(_) => "entry",
            Event::Note(_) => "note",
            Event::Follow(_) => "follow",
        }
    }

    /// The same event, with its octets changed by `change`.
    pub fn map_data<T>(self, change: impl FnOnce(D) -> T) -> Event<E, T> {
        match self {
            Event::Begin(begin) => Event::Begin(begin),
            Event::Data(data) => Event::Data(change(data)),
            Event::Entry(entry) => Event::Entry(entry),
            Event::Note(note) => Event::Note(note),
            Event::Follow(url) => Event::Follow(url),
        }
    }
}

/// A request that is sent in datagrams.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inquiry {
    /// Its subject, which determines the server: the URL that was given, or one named by an answer, which the policy has not
    /// judged yet.
    pub url: Url<String>,
    /// The complete request.
    pub command: Command,
    /// The answer is optional: if there is none, the input [ends](crate::protocol::End::Broken) and the machine continues.
    pub is_optional: bool,
}

impl Inquiry {
    /// A request about `url` whose answer the machine needs.
    pub fn new(url: Url<String>, command: Command) -> Inquiry {
        Inquiry { url, command, is_optional: false }
    }
}

/// A question to a person in the middle of a dialogue. Displays as a phrase. There may be others.
///
/// ```
/// use urlwise_open::protocol::Question;
///
/// assert_eq!(Question::Account.to_string(), "the account");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Question {
    /// The password of the user that the URL names.
    Password,
    /// The account that some FTP servers require after the password.
    Account,
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.words().fmt(f)
    }
}

impl Question {
    /// The phrase in every language.
    pub fn words(self) -> Words {
        match self {
            Question::Password => words!("the password"),
            Question::Account => words!("the account"),
        }
    }
}

/// What an answer is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Begin {
    /// A document follows as [`Event::Data`], or a menu as [`Event::Entry`].
    pub shape: Shape,
    /// How many octets will follow, according to the server; `None` if it did not say. Exact for a document: fewer are a
    /// [partial transfer](crate::protocol::FaultKind::Partial).
    pub size: Option<u64>,
    /// The media type, from the request and the protocol's tables, never guessed from octets; `None` if unknown.
    pub media_type: Option<String>,
}

impl Begin {
    /// An answer of this shape, with unknown size and media type.
    pub fn new(shape: Shape) -> Begin {
        Begin { shape, size: None, media_type: None }
    }

    /// The same, of this media type.
    #[must_use]
    pub fn with_media_type(self, media_type: impl Into<String>) -> Begin {
        Begin { media_type: Some(media_type.into()), ..self }
    }
}

/// The two shapes of an answer. There will be no third.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Octets.
    Document,
    /// Entries, each of which may be opened in turn.
    Menu,
}
