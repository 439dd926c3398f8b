//! The lines of a dry run.

use super::{Command, Note, Question};
use crate::language::{message, words};
use std::fmt;
use urlwise::{Language, Message, Url};

/// One line of a dialogue that has not happened. Displays as text with every octet escaped. There may be others.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DialogueLine {
    /// A connection to the host and port of the URL.
    Connect,
    /// Datagrams to the host and port of this URL.
    Inquire(Box<Url<String>>),
    /// One line that would be sent, with its line end.
    Send(Command),
    /// The expected answer.
    Expect(Message),
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

    /// What `Display` writes, in a language.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + use<> {
        let message = match self {
            DialogueLine::Connect => words!("the host and port of the URL").into(),
            DialogueLine::Inquire(_) => words!("the host and port of the URL, by UDP").into(),
            DialogueLine::Send(command) => command.message(),
            DialogueLine::Expect(what) => what.clone(),
            DialogueLine::StartTls => words!("a TLS handshake on this connection").into(),
            DialogueLine::OpenData => words!("the same host, at the port the server gave, for data").into(),
            DialogueLine::SecureData => words!("a TLS handshake on the data connection").into(),
            DialogueLine::Ask(question) => message!("{question}, from the user", question = question.words()),
            DialogueLine::Note(note) => Message::of_each(|language| note.message_in(language)),
        };
        message.into_text(language)
    }
}

impl fmt::Display for DialogueLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message_in(Language::En).fmt(f)
    }
}
