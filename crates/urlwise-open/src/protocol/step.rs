//! What a machine wants next: input or output, or to hand over a part of the answer.

use super::{Command, Fault, Note};
use std::borrow::Cow;
use std::fmt;
use urlwise::Url;

/// What a [`Machine`](super::Machine) wants next; see [the table](super) for what its driver does.
///
/// The four variants are all there will be. More kinds of [`Io`] and [`Event`] may come with the protocols that need them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a step that is not carried out is lost"]
pub enum Step<'i, E> {
    /// Do this, then call [`next`](super::Machine::next) again. Borrows nothing, so the driver is free to change its buffer.
    Io(Io),
    /// Hand this to whoever asked for the URL, then call [`next`](super::Machine::next) again.
    Event(Event<E, Cow<'i, [u8]>>),
    /// The answer is complete.
    Done,
    /// The dialogue has failed. Data and entries given before are what could be had.
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

/// Input or output that a machine needs.
///
/// A driver need not be able to do everything: telnet never opens a data connection, and a driver for telnet alone has no use
/// for one. But it must end the dialogue with an error when it meets a wish that it cannot fulfil, and never skip it: the machine
/// would go on as if it had been done.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Io {
    /// Connect to the host and port of the URL.
    Connect,
    /// Write these octets, all of them.
    Send(Command),
    /// Read: all input is taken and more is needed.
    Receive,
    /// Begin TLS on the connection. Whatever came before is taken; octets that came with it are not part of the handshake.
    StartTls,
    /// Connect to this port of the peer's own address, whatever any reply said.
    OpenData {
        /// Above 0.
        port: u16,
    },
    /// Begin TLS on the data connection, resuming the session of the first connection.
    SecureData,
    /// Read from the data connection.
    ReceiveData,
    /// Close the data connection, if there is one. Input of the first connection comes next, which has not ended.
    CloseData,
    /// Ask a person; see [`Machine::answer`](super::Machine::answer).
    Ask(Question),
    /// Send this request by datagrams. What comes at [`Receive`](Io::Receive) is the answer to it, from its beginning; it is whole
    /// when the input has [ended](super::Input::end) with [`End::Closed`](super::End::Closed).
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

/// A part of the answer.
///
/// `D` is how document octets are held: a [`Step`] borrows them from the input wherever it can. A driver that
/// keeps its buffer and hands the octets on later changes that with [`map_data`](Event::map_data).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<E, D> {
    /// The answer begins and is of this kind. Given once, before the first `Data` or `Entry`.
    Begin(Begin),
    /// Octets of the document, at least one. Borrowed wherever nothing had to be changed or held back: then they are the
    /// part of the input that this call has taken.
    Data(D),
    /// One entry of the menu.
    Entry(E),
    /// Something the reader of the answer should know. Nothing has failed.
    Note(Note),
    /// The answer is what this URL names: open it, as a link of an answer. If that fails, ask the machine for its next step.
    Follow(Box<Url<String>>),
}

impl<E, D> Event<E, D> {
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

/// A request that is sent by datagrams.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inquiry {
    /// What it is about, and so where it goes: the URL that was given, or one that an answer led to, which nobody has judged yet.
    pub url: Url<String>,
    /// All of it.
    pub command: Command,
    /// The answer can do without: if none is to be had, the input [ends](crate::protocol::End::Broken) and the machine goes on.
    pub is_optional: bool,
}

impl Inquiry {
    /// A request about `url` without whose answer the machine cannot go on.
    pub fn new(url: Url<String>, command: Command) -> Inquiry {
        Inquiry { url, command, is_optional: false }
    }
}

/// What a person is asked in the middle of a dialogue. Displays as a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Question {
    /// The password of the user that the URL names.
    Password,
    /// The account that some FTP servers want after the password.
    Account,
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Question::Password => "the password",
            Question::Account => "the account",
        })
    }
}

/// What an answer turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Begin {
    /// A document follows as [`Event::Data`], or a menu as [`Event::Entry`].
    pub shape: Shape,
    /// How many octets the server says will follow; `None` if it did not say. Exact for a document: fewer are a
    /// [partial transfer](crate::protocol::FaultKind::Partial).
    pub size: Option<u64>,
    /// The media type, `None` if nothing tells it. From the request and the protocol's tables, never guessed from octets.
    pub media_type: Option<String>,
}

impl Begin {
    /// An answer of this shape, of which neither the size nor the media type is known.
    pub fn new(shape: Shape) -> Begin {
        Begin { shape, size: None, media_type: None }
    }

    /// The same, of this media type.
    #[must_use]
    pub fn with_media_type(self, media_type: impl Into<String>) -> Begin {
        Begin { media_type: Some(media_type.into()), ..self }
    }
}

/// The two shapes of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Octets.
    Document,
    /// Entries, each of which may be opened in its turn.
    Menu,
}
