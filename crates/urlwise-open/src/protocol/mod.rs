//! Protocols without I/O: what to say, what the answer means, and nothing about how octets travel.
//!
//! Each wire protocol is a [`Machine`]. It has no socket, clock, file or thread: its caller asks for the [next
//! step](Machine::next), does it, and hands in what arrived. One loop therefore drives a socket, a recorded transcript, a
//! fuzzer and a [dry run](plan()) over the same machine, and no second description of a protocol exists.
//!
//! | step | the caller |
//! |---|---|
//! | [`Connect`](Step::Connect) | connects to the host and port of the URL, with TLS from the first octet if its scheme says so |
//! | [`Send`](Step::Send) | writes all the octets |
//! | [`Receive`](Step::Receive) | reads some octets, or learns that the peer has closed, and makes an [`Input`] of it |
//! | [`StartTls`](Step::StartTls) | shakes hands on the connection it has |
//! | [`OpenData`](Step::OpenData), [`SecureData`](Step::SecureData), [`ReceiveData`](Step::ReceiveData), [`CloseData`](Step::CloseData) | the same for a second connection to the same peer: the data connection of FTP |
//! | [`Ask`](Step::Ask) | asks a person, and hands in what they say by [`Machine::answer`] |
//! | [`Inquire`](Step::Inquire) | sends a request whole, in datagrams, and reads its answer at [`Receive`](Step::Receive) |
//! | [`Follow`](Step::Follow) | opens another URL instead, or goes on if it cannot |
//! | [`Begin`](Step::Begin), [`Data`](Step::Data), [`Entry`](Step::Entry), [`Note`](Step::Note) | hands it to whoever asked for the URL |
//! | [`Done`](Step::Done), [`Fail`](Step::Fail) | closes |
//!
//! A request that must not be made fails before `Connect`, so a fault of the URL never costs a connection.
//!
//! ```
//! use urlwise_open::protocol::gopher::{Gopher, Request, Settings};
//! use urlwise_open::protocol::{End, Input, Machine, Step};
//!
//! let request = Request { selector: b"/about.txt".to_vec(), ..Request::new(b'0') };
//! let mut gopher = Gopher::new(request, Settings::default());
//! let mut answer = [Input::new(b"Hello.\r\n"), Input::new(b".\r\n"), Input::closed(End::Closed)].into_iter();
//! let mut input = Input::none();
//! let (mut sent, mut text) = (Vec::new(), Vec::new());
//! loop {
//!     match gopher.next(&mut input) {
//!         Step::Send(command) => sent.extend_from_slice(command.octets()),
//!         Step::Receive => input = answer.next().expect("the transcript ends with a close"),
//!         Step::Data(octets) => text.extend_from_slice(&octets),
//!         Step::Done => break,
//!         Step::Fail(fault) => panic!("{fault}"),
//!         _ => {}
//!     }
//! }
//! assert_eq!(sent, b"/about.txt\r\n");
//! assert_eq!(text, b"Hello.\r\n");
//! ```

pub mod ardp;
pub mod ftp;
pub mod gopher;
pub mod http;
pub mod nntp;
pub mod prospero;
#[cfg(feature = "mail")]
pub mod smtp;
pub mod telnet;
pub mod wais;

mod fault;
mod plan;
mod reply;
pub(crate) mod text;
pub(crate) mod time;

pub use fault::{Blame, Fault, FaultKind, Note};
pub use plan::{Expected, Line, plan};

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use urlwise::{Url, shown};

/// One dialogue of one protocol, as a state machine that is driven from outside.
pub trait Machine {
    /// One line of a menu: a gopher item, a directory entry, a news group.
    type Entry;

    /// Whether what the server says before the answer begins is lines that people can read. What comes beside a data connection
    /// always is.
    const HAS_REPLIES: bool;

    /// What to do next.
    ///
    /// `input` is what arrived since the last [`Step::Receive`] ([`Input::none`] before the first). The same input is
    /// handed in again, call after call, until the machine asks for more; it has then taken all of it, so the caller's
    /// buffer is free. What the machine keeps for itself is bounded by its own limits.
    ///
    /// A machine never asks for more once the input has [ended](Input::end). After [`Step::Done`] and [`Step::Fail`] it
    /// gives that step again.
    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, Self::Entry>;

    /// What the machine waits for when it says [`Step::Receive`] or [`Step::ReceiveData`], and a reply that would please
    /// it: see [`plan()`].
    fn expected(&self) -> Expected;

    /// What a person answered to [`Step::Ask`]: octets, maybe none; `None` if nobody was there to ask or to answer. Must
    /// be called before the next call of [`next`](Machine::next). A machine that never asks takes no notice.
    fn answer(&mut self, _answer: Option<&[u8]>) {}
}

/// What a [`Machine`] wants done. More steps will come with the protocols that need them: a caller that meets a step it
/// does not know must give up, never skip it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step<'i, E> {
    /// Connect to the host and port of the URL.
    Connect,
    /// Write these octets, all of them, before the next call.
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
    /// Begin TLS on the data connection, as the session of the first connection.
    SecureData,
    /// Read from the data connection.
    ReceiveData,
    /// Close the data connection. Input of the first connection comes next, which has not ended.
    CloseData,
    /// Ask a person; see [`Machine::answer`].
    Ask(Question),
    /// Send this request by datagrams. What comes at [`Step::Receive`] is the answer to it, from its beginning; it is whole where
    /// the input has [ended](Input::end) by [`End::Closed`].
    Inquire(Box<Inquiry>),
    /// The answer is what this URL names: open it, as a link of an answer. If that fails, go on here.
    Follow(Box<Url<String>>),
    /// The answer is of this kind. Given once, before the first `Data` or `Entry`.
    Begin(Begin),
    /// Octets of the document, at least one. Borrowed wherever nothing had to be changed or held back: then they are the
    /// part of the input that this call has taken.
    Data(Cow<'i, [u8]>),
    /// One entry of the menu.
    Entry(E),
    /// Something the reader of the answer should know. Nothing has failed.
    Note(Note),
    /// The answer is complete.
    Done,
    /// The dialogue has failed. Data and entries given before are what could be had.
    Fail(Fault),
}

/// A request that is sent by datagrams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inquiry {
    /// What it is about, and so where it goes: the URL that was given, or one that an answer led to, which nobody has judged yet.
    pub url: Url<String>,
    /// All of it.
    pub command: Command,
    /// The answer can do without: if none is to be had, the input [ends](End::Broken) and the machine goes on.
    pub is_optional: bool,
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
        f.write_str(match self {
            Question::Password => "the password",
            Question::Account => "the account",
        })
    }
}

/// Octets for the server. Displays escaped, with `***` for what is [secret](Command::secret), or [in
/// words](Command::in_words).
#[derive(Clone, PartialEq, Eq)]
pub struct Command {
    octets: Vec<u8>,
    /// In their order, none of them empty.
    secrets: Vec<Range<usize>>,
    words: Option<String>,
}

impl Command {
    /// A command of these octets, line end included.
    pub fn new(octets: Vec<u8>) -> Command {
        Command { octets, secrets: Vec::new(), words: None }
    }

    /// With octets that nobody may be shown: a password. Places beyond the end are none. May be called for each of several
    /// ranges, in their order.
    #[must_use]
    pub fn secret(mut self, range: Range<usize>) -> Command {
        let end = range.end.min(self.octets.len());
        let shown = self.secrets.last().map_or(0, |last| last.end);
        let start = range.start.max(shown);
        if start < end {
            self.secrets.push(start..end);
        }
        self
    }

    /// With words that say what it asks, for a protocol whose octets nobody reads. They hold nothing that would have to be
    /// escaped.
    #[must_use]
    pub fn in_words(self, words: String) -> Command {
        Command { words: Some(words), ..self }
    }

    /// Exactly what to write.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// What nobody may be shown, each part by itself.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &[u8]> {
        self.secrets.iter().map(|secret| &self.octets[secret.clone()])
    }

    /// Each line of it as a command of its own; the whole where it is told in words.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Command> {
        let whole = self.words.is_some();
        let mut at = 0;
        self.octets.split_inclusive(move |octet| *octet == b'\n' && !whole).map(move |line| {
            if whole {
                return self.clone();
            }
            let start = at;
            at += line.len();
            let within = |place: usize| place.clamp(start, at) - start;
            let secrets = self.secrets.iter().map(|secret| within(secret.start)..within(secret.end));
            secrets.fold(Command::new(line.to_vec()), Command::secret)
        })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(words) = &self.words {
            return f.write_str(words);
        }
        let mut at = 0;
        for secret in &self.secrets {
            write!(f, "{}***", shown(&self.octets[at..secret.start]))?;
            at = secret.end;
        }
        shown(&self.octets[at..]).fmt(f)
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Command({self})")
    }
}

/// `words` with `***` for every `secret` in them.
pub(crate) fn masked(words: &[u8], secret: &[u8]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(words.len());
    let mut rest = words;
    while let Some((&octet, after)) = rest.split_first() {
        match rest.strip_prefix(secret) {
            Some(after) => {
                shown.extend_from_slice(b"***");
                rest = after;
            }
            None => {
                shown.push(octet);
                rest = after;
            }
        }
    }
    shown
}

/// What an answer turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begin {
    /// A document follows as [`Step::Data`], or a menu as [`Step::Entry`].
    pub shape: Shape,
    /// How many octets the server says will follow; `None` if it did not say. Exact for a document: fewer are a
    /// [partial transfer](FaultKind::Partial).
    pub size: Option<u64>,
    /// The media type, `None` if nothing tells it. From the request and the protocol's tables, never guessed from octets.
    pub media_type: Option<String>,
}

/// The two shapes of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Octets.
    Document,
    /// Entries, each of which may be opened in its turn.
    Menu,
}

/// How the peer's octets ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The peer said that it has no more: TCP FIN, under TLS after a `close_notify`.
    Closed,
    /// TLS ended without `close_notify`: nothing proves that the peer, and not somebody in between, ended it.
    Unauthenticated,
    /// The connection broke (reset, or any other failure to read): octets may be missing.
    Broken,
}

/// What has arrived and is not yet taken, and whether the peer has ended after it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Input<'i> {
    octets: &'i [u8],
    end: Option<End>,
}

impl<'i> Input<'i> {
    /// Nothing has arrived.
    pub fn none() -> Input<'i> {
        Input::default()
    }

    /// These octets have arrived, the peer may send more.
    pub fn new(octets: &'i [u8]) -> Input<'i> {
        Input { octets, end: None }
    }

    /// No octets, and none will come.
    pub fn closed(end: End) -> Input<'i> {
        Input { octets: &[], end: Some(end) }
    }

    /// The octets not yet taken.
    pub fn octets(&self) -> &'i [u8] {
        self.octets
    }

    /// How the peer ended; `None` while octets are left to take, or while it has not ended.
    pub fn end(&self) -> Option<End> {
        if self.octets.is_empty() { self.end } else { None }
    }

    /// Takes the first `count` octets, or all if there are fewer.
    pub fn take(&mut self, count: usize) -> &'i [u8] {
        let (taken, left) = self.octets.split_at(count.min(self.octets.len()));
        self.octets = left;
        taken
    }
}
