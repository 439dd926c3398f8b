//! The lines of a dry run.

use super::{Command, Note, Question};
use std::borrow::Cow;
use std::fmt;
use urlwise::{Url, padded};

/// One line of a dialogue that has not happened. Displays as text with every octet escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DialogueLine {
    /// A connection to the host and port of the URL.
    Connect,
    /// Datagrams to the host and port of this URL.
    Inquire(Url<String>),
    /// One line that would be sent, with its line end.
    Send(Command),
    /// The expected answer.
    Expect(Cow<'static, str>),
    /// A TLS handshake on the existing connection.
    StartTls,
    /// A data connection to the same host, at a port that the server names.
    OpenData,
    /// A TLS handshake on the data connection.
    SecureData,
    /// A question to a person.
    Ask(Question),
    /// A note about the URL before anything is connected.
    Note(Note),
}

impl DialogueLine {
    /// `connect`, `send`, `expect`, `tls`, `ask` or `note`.
    pub fn kind(&self) -> &'static str {
        match self {
            DialogueLine::Connect | DialogueLine::OpenData | DialogueLine::Inquire(_) => "connect",
            DialogueLine::StartTls | DialogueLine::SecureData => "tls",
            DialogueLine::Ask(_) => "ask",
            DialogueLine::Send(_) => "send",
            DialogueLine::Expect(_) => "expect",
            DialogueLine::Note(_) => "note",
        }
    }
}

impl fmt::Display for DialogueLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| match self {
            DialogueLine::Connect => f.write_str("the host and port of the URL"),
            DialogueLine::Inquire(_) => f.write_str("the host and port of the URL, by UDP"),
            DialogueLine::Send(command) => write!(f, "{command}"),
            DialogueLine::Expect(what) => f.write_str(what),
            DialogueLine::StartTls => f.write_str("a TLS handshake on this connection"),
            DialogueLine::OpenData => f.write_str("the same host, at the port the server gave, for data"),
            DialogueLine::SecureData => f.write_str("a TLS handshake on the data connection"),
            DialogueLine::Ask(question) => write!(f, "{question}, from the user"),
            DialogueLine::Note(note) => write!(f, "{note}"),
        })
    }
}
