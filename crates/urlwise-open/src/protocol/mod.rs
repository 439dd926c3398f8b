//! Protocols without I/O: what to send and what the answer means, but not how octets are transported.
//!
//! Each wire protocol is a [`Machine`]. It has no socket, clock, file or thread: its caller asks for the [next
//! step](Machine::next), does it, and hands in what arrived. One loop therefore drives a socket, a recorded transcript, a
//! fuzzer and a [dry run](plan()) over the same machine, and no second description of a protocol exists.
//!
//! | step | the driver |
//! |---|---|
//! | [`Io::Connect`] | connects to the host and port of the URL, with TLS from the first octet if its scheme says so |
//! | [`Io::Send`] | writes all the octets |
//! | [`Io::Receive`] | reads some octets, or learns that the peer has closed, and makes an [`Input`] of it |
//! | [`Io::StartTls`] | shakes hands on the connection it has |
//! | [`Io::OpenData`], [`Io::SecureData`], [`Io::ReceiveData`], [`Io::CloseData`] | the same for a second connection to the same peer: the data connection of FTP |
//! | [`Io::Ask`] | asks a person, and hands in what they say by [`Machine::answer`] |
//! | [`Io::Inquire`] | sends a request in datagrams, and reads its answer at [`Io::Receive`] |
//! | [`Event::Begin`], [`Event::Data`], [`Event::Entry`], [`Event::Note`] | hands it to the caller that opened the URL |
//! | [`Event::Follow`] | opens another URL instead, or continues if it cannot |
//! | [`Step::Done`], [`Step::Fail`] | closes |
//!
//! [`Io`] borrows nothing, so a driver takes it out of the step and is then free to write to its buffer: see the example. A
//! driver must end the dialogue with an error at an [`Io`] that it cannot do.
//!
//! The modules use the same names for the same things, here those of gopher: `GopherRequest` is what one dialogue asks for,
//! made by `from_url`; `GopherSettings` says how, with bounds in `GopherLimits`; and
//! `GopherMachine::new(request, settings)` is the machine.
//!
//! A request that must not be sent fails before `Connect`, so a bad URL never costs a connection.
//!
//! ```
//! use urlwise_open::protocol::gopher::{GopherMachine, GopherRequest, GopherSettings};
//! use urlwise_open::protocol::{End, Event, Input, Io, Machine, Step};
//!
//! let request = GopherRequest::new(b'0').with(|request| request.selector = b"/about.txt".to_vec());
//! let mut machine = GopherMachine::new(request, GopherSettings::default());
//! let mut answer = [Input::new(b"Hello.\r\n"), Input::new(b".\r\n"), Input::closed(End::Closed)].into_iter();
//! let mut input = Input::none();
//! let (mut sent, mut text) = (Vec::new(), Vec::new());
//! loop {
//!     let io = match machine.next(&mut input) {
//!         Step::Io(io) => io,
//!         Step::Event(Event::Data(octets)) => {
//!             text.extend_from_slice(&octets);
//!             continue;
//!         }
//!         Step::Event(_) => continue,
//!         Step::Done => break,
//!         Step::Fail(fault) => panic!("{fault}"),
//!     };
//!     match io {
//!         Io::Connect => {}
//!         Io::Send(command) => sent.extend_from_slice(command.octets()),
//!         Io::Receive => input = answer.next().expect("the transcript ends with a close"),
//!         other => panic!("this driver cannot do {other:?}"),
//!     }
//! }
//! assert_eq!(sent, b"/about.txt\r\n");
//! assert_eq!(text, b"Hello.\r\n");
//! ```

/// Gives types that may get more fields, and so cannot be written as literals outside the crate, a method that changes some.
macro_rules! changeable {
    ($($name:ident)*) => {$(
        impl $name {
            /// The same with a change: other crates cannot write the fields as a literal, since more may be added.
            #[must_use]
            pub fn with(mut self, change: impl FnOnce(&mut $name)) -> $name {
                change(&mut self);
                self
            }
        }
    )*};
}

pub mod ardp;
pub mod dns;
pub mod engine;
#[cfg(feature = "finger")]
pub mod finger;
#[cfg(feature = "ftp")]
pub mod ftp;
#[cfg(feature = "gopher")]
pub mod gopher;
#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "news")]
pub mod nntp;
#[cfg(feature = "prospero")]
pub mod prospero;
#[cfg(feature = "mail")]
pub mod smtp;
#[cfg(feature = "telnet")]
pub mod telnet;
#[cfg(feature = "wais")]
pub mod wais;

mod command;
mod dialogue_line;
pub(crate) mod digits;
mod fault;
mod hint;
mod input;
mod metadata;
mod plan;
mod reply;
mod step;
pub(crate) mod text;
pub(crate) mod time;
mod tls_mode;

pub use command::Command;
pub(crate) use command::{covered, hidden, masked, setting_shown, shown, without_passwords};
pub use dialogue_line::DialogueLine;
#[cfg(feature = "http")]
pub(crate) use fault::Quoted;
pub use fault::{Blame, Fault, FaultKind, Note};
pub use hint::Hint;
pub use input::{End, Input};
pub use metadata::{Metadata, Resume};
pub use plan::{Expected, plan};
pub(crate) use plan::{Planned, plan_within};
pub use step::{Begin, Event, Inquiry, Io, Question, Shape, Step};
pub use text::LocalText;
pub use tls_mode::TlsMode;

use std::net::SocketAddr;

/// One dialogue of one protocol, as a state machine that is driven from outside.
pub trait Machine {
    /// One line of a menu: a gopher item, a directory entry, a newsgroup.
    type Entry;

    /// Whether the server sends readable lines before the answer begins. With a data connection it always does.
    const HAS_REPLIES: bool;

    /// What to do next.
    ///
    /// `input` is what arrived since the last [`Io::Receive`] ([`Input::none`] before the first). The same input is
    /// handed in again, call after call, until the machine asks for more; it has then taken all of it, so the caller's
    /// buffer is free. What the machine keeps for itself is bounded by its own limits.
    ///
    /// A machine never asks for more once the input has [ended](Input::end). After [`Step::Done`] and [`Step::Fail`] it returns
    /// that step again.
    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, Self::Entry>;

    /// What the machine waits for after [`Io::Receive`] or [`Io::ReceiveData`], and a good reply: see [`plan()`].
    fn expected(&self) -> Expected;

    /// Reports the address that the request of [`Io::Inquire`] will go to, before it is sent, because two names may belong to one
    /// host. May be called before the next call of [`next`](Machine::next); if the machine then inquires elsewhere, nothing is
    /// sent. A machine that never inquires ignores it.
    fn inquiry_server(&mut self, _server: SocketAddr) {}

    /// Takes the answer to [`Io::Ask`]: octets, maybe none; `None` without an answer. Must be called before the next call of
    /// [`next`](Machine::next). A machine that never asks ignores it.
    fn answer(&mut self, _answer: Option<&[u8]>) {}
}
