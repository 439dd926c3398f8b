//! Faults of a dialogue as data: what went wrong, in which octets, whose fault it is, by which rule, and the help.

use super::{Hint, without_passwords};
use crate::language::{cited, message};
use std::fmt;
use urlwise::{Language, Message, Words, escape_for_display, padded};

/// How many octets of a server's message or of a refused value a fault keeps.
const KEPT: usize = 1024;

/// What failed. The client maps it to its own [kind](crate::ErrorKind). There may be others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// The request would contain something that must never be sent. Nothing was sent.
    Refused,
    /// The item is not available in this way, but with another program, URL or command.
    Elsewhere,
    /// The server requires a login, or rejected the one it got.
    Login,
    /// The server says that the item does not exist.
    NotFound,
    /// The server says that it failed or refuses.
    Server,
    /// The answer violates the protocol.
    Malformed,
    /// The answer ended before its end.
    Partial,
    /// Nothing arrived for too long, where the protocol itself measures time.
    Silent,
    /// Too many redirects, or a redirect loop.
    Redirects,
    /// A limit of this client was exceeded.
    Limit,
}

/// Who can fix a fault. There will be no others: nobody else takes part in a dialogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blame {
    /// The author of the URL.
    Url,
    /// The server, or the network.
    Server,
    /// This client, which sets the limit.
    Us,
}

impl FaultKind {
    /// Who can fix a fault of this kind.
    pub fn blame(self) -> Blame {
        match self {
            FaultKind::Refused | FaultKind::Elsewhere | FaultKind::Login => Blame::Url,
            FaultKind::NotFound
            | FaultKind::Server
            | FaultKind::Malformed
            | FaultKind::Partial
            | FaultKind::Silent
            | FaultKind::Redirects => Blame::Server,
            FaultKind::Limit => Blame::Us,
        }
    }
}

/// Why a dialogue failed. Displays as one sentence, with every octet from outside escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    kind: FaultKind,
    what: Message,
    octets: Option<Box<[u8]>>,
    at: Option<usize>,
    code: Option<u16>,
    lasting: bool,
    help: Option<Message>,
    /// Boxed, because most faults have none, and results contain faults.
    hint: Option<Box<Hint>>,
    directory: Option<u16>,
    rule: &'static str,
}

impl Fault {
    /// A fault of this kind. `what` says what is wrong, without a capital and a full stop and without octets from outside;
    /// `rule` is the reference: `"RFC 1738 section 3.4.1"`, `"Gopher+ (1993)"`.
    pub fn new(kind: FaultKind, rule: &'static str, what: impl Into<Message>) -> Fault {
        Fault {
            kind,
            what: what.into(),
            octets: None,
            at: None,
            code: None,
            lasting: false,
            help: None,
            hint: None,
            directory: None,
            rule,
        }
    }

    /// With the octets at fault, or the server's own message. Only the first 1,024 are kept.
    #[must_use]
    pub fn octets(self, octets: &[u8]) -> Fault {
        let octets = Some(octets[..octets.len().min(KEPT)].into());
        Fault { octets, ..self }
    }

    /// With the index of the first octet at fault in those octets, from 0.
    #[must_use]
    pub fn at(self, at: usize) -> Fault {
        Fault { at: Some(at), ..self }
    }

    /// With the server's own code.
    #[must_use]
    pub fn code(self, code: u16) -> Fault {
        Fault { code: Some(code), ..self }
    }

    /// Whether the server's code says that asking again is in vain.
    #[must_use]
    pub fn lasting(self, lasting: bool) -> Fault {
        Fault { lasting, ..self }
    }

    /// With a help: what to do about it, as an imperative.
    #[must_use]
    pub fn with_help(self, help: impl Into<Message>) -> Fault {
        let help = Some(help.into());
        Fault { help, ..self }
    }

    /// With the setting that would help.
    #[must_use]
    pub fn with_hint(self, hint: Hint) -> Fault {
        Fault { hint: Some(Box::new(hint)), ..self }
    }

    /// With the number of the directory in the path that was refused, from 0.
    #[must_use]
    pub fn directory(self, number: usize) -> Fault {
        Fault { directory: u16::try_from(number).ok(), ..self }
    }

    /// What failed.
    pub fn kind(&self) -> FaultKind {
        self.kind
    }

    /// What is wrong, without the octets.
    pub fn what(&self) -> &Message {
        &self.what
    }

    /// What is wrong, with the octets.
    pub(crate) fn sentence(&self) -> Message {
        let (what, quoted) = (self.what.clone(), self.octets.as_deref().map(|octets| Quoted(octets).to_string()));
        match (self.at, quoted) {
            (Some(at), Some(octets)) => {
                message!("{what} at octet {at}: {octets}", what = what, at = at, octets = octets)
            }
            (Some(at), None) => message!("{what} at octet {at}", what = what, at = at),
            (None, Some(octets)) => message!("{what}: {octets}", what = what, octets = octets),
            (None, None) => what,
        }
    }

    /// What `Display` writes, in a language.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + use<> {
        let message = cited(self.sentence(), None, self.rule, self.help.clone());
        message.into_text(language)
    }

    /// The octets at fault or the server's message, raw; `None` if there are none. Escape them before showing them.
    pub fn raw_octets(&self) -> Option<&[u8]> {
        self.octets.as_deref()
    }

    /// The index in [`raw_octets`](Fault::raw_octets) at which the fault begins.
    pub fn place(&self) -> Option<usize> {
        self.at
    }

    /// The server's own code (Gopher+ 1, 2, 3), if it gave one.
    pub fn server_code(&self) -> Option<u16> {
        self.code
    }

    /// Whether the server's code says that the failure is permanent; false without a code.
    pub fn is_lasting(&self) -> bool {
        self.lasting
    }

    /// The help: what to do about it; `None` if nothing helps.
    pub fn help(&self) -> Option<&Message> {
        self.help.as_ref()
    }

    /// The setting that would help, if there is one.
    pub fn hint(&self) -> Option<Hint> {
        self.hint.as_deref().copied()
    }

    /// The number of the directory in the path that was refused, from 0; `None` if it was something else.
    pub fn refused_directory(&self) -> Option<usize> {
        self.directory.map(usize::from)
    }

    /// The rule: a document and its section, or a decision number.
    pub fn rule(&self) -> &'static str {
        self.rule
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message_in(Language::En).fmt(f)
    }
}

impl std::error::Error for Fault {}

/// What a server said, between quotation marks: escaped, with a backslash before its own quotation marks, and with the passwords of URLs
/// masked.
pub(crate) struct Quoted<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| {
            f.write_str("\"")?;
            for (index, piece) in without_passwords(self.0).split(|octet| *octet == b'"').enumerate() {
                f.write_str(if index == 0 { "" } else { "\\\"" })?;
                write!(f, "{}", escape_for_display(piece))?;
            }
            f.write_str("\"")
        })
    }
}

/// Something that the reader of an answer should know although nothing has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// A stable name: `end-not-authenticated`.
    pub code: &'static str,
    /// One sentence without a capital and a full stop.
    pub message: Words,
    /// How many, where the message is about a number of things; it is shown after the message.
    pub count: Option<u64>,
    /// The document and section it rests on.
    pub rule: &'static str,
}

impl Note {
    /// A note without a count.
    pub(crate) const fn new(code: &'static str, rule: &'static str, message: Words) -> Note {
        Note { code, message, count: None, rule }
    }

    /// What `Display` writes, in a language.
    pub fn message_in(&self, language: Language) -> impl fmt::Display + use<> {
        let what = self.message;
        let sentence = match self.count {
            Some(count) => message!("{what}: {count}", what = what, count = count),
            None => what.into(),
        };
        cited(sentence, None, self.rule, None).into_text(language)
    }

    /// The same, about this many things.
    #[cfg(feature = "wais")]
    pub(super) const fn counting(self, count: u64) -> Note {
        Note { count: Some(count), ..self }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message_in(Language::En).fmt(f)
    }
}
