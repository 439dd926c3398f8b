//! FAILURE lines, with a table of their codes.

use crate::language::words;
use crate::protocol::{Fault, FaultKind};
use urlwise::Words;

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    code: &'static Code,
    /// The code and the text as the server sent them.
    words: Vec<u8>,
}

#[derive(Debug, PartialEq, Eq)]
struct Code {
    word: &'static [u8],
    kind: FaultKind,
    what: Words,
    /// Whether asking again is useless.
    lasting: bool,
}

/// A row of the table. Asking again helps only if the server itself failed or has too much to do.
const fn code(word: &'static [u8], kind: FaultKind, what: Words) -> Code {
    Code { word, kind, what, lasting: !matches!(word, b"SERVER-FAILED" | b"TOO-MANY") }
}

const NOT_FOUND: &[u8] = b"NOT-FOUND";

static TABLE: &[Code] = &[
    code(NOT_FOUND, FaultKind::NotFound, words!("the server has no such object")),
    code(b"NOT-A-DIRECTORY", FaultKind::NotFound, words!("the server has no such object or directory")),
    code(b"NOT-AUTHORIZED", FaultKind::Login, words!("the server does not allow reading it")),
    code(b"AUTHENTICATION-REQUIRED", FaultKind::Login, words!("the server requires authentication")),
    code(b"AUTHENTICATION-DATA", FaultKind::Login, words!("the server rejects the authentication")),
    code(b"SERVER-FAILED", FaultKind::Server, words!("the server failed")),
    code(b"TOO-MANY", FaultKind::Server, words!("the server found too many results")),
    code(b"UNIMPLEMENTED", FaultKind::Server, words!("the server does not support the request")),
];

static OTHER: Code = code(b"", FaultKind::Server, words!("the server refused the request"));

impl Failure {
    /// Reads what follows `FAILURE`.
    pub(super) fn parse(tokens: &[Vec<u8>]) -> Failure {
        let word = tokens.first().map_or(&b""[..], Vec::as_slice);
        let code = TABLE.iter().find(|code| code.word == word).unwrap_or(&OTHER);
        Failure { code, words: tokens.join(&b' ') }
    }

    pub(super) fn is_not_found(&self) -> bool {
        self.code.word == NOT_FOUND
    }

    pub(super) fn fault(&self) -> Fault {
        let fault = Fault::new(self.code.kind, "Prospero 5 failures", self.code.what).octets(&self.words);
        let fault = fault.lasting(self.code.lasting);
        match self.code.kind {
            FaultKind::Login => fault.with_help(words!("only public objects can be read, since no login is sent")),
            _ => fault,
        }
    }
}
