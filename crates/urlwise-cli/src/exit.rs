//! How the program ends: the exit codes, and failures that keep a command from running.

use std::fmt;
use std::io;
use std::process::ExitCode;

use urlwise_open::Class;

/// What a command that ran found; the status is that of `grep` and `ruff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Everything is in order.
    Fine,
    /// Some texts are no URLs, or there were none.
    Findings,
    /// Something could not be read, and standard error was told; the rest was.
    Unreadable,
    /// URLs were opened; the class of the first failure, or that of success.
    Opened(Class),
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(match outcome {
            Outcome::Fine => 0,
            Outcome::Findings => 1,
            Outcome::Unreadable => COULD_NOT_RUN,
            Outcome::Opened(class) => code(class),
        })
    }
}

/// The code of a command that could not run; clap's own errors have it too.
pub(crate) const COULD_NOT_RUN: u8 = 2;

/// The exit codes of `get` and `ls` (S-54): help, manual and README are made from this table or held to it. The first three are
/// those of all other commands too.
pub(crate) static CODES: &[(u8, Class)] = &[
    (0, Class::Ok),
    (1, Class::Findings),
    (COULD_NOT_RUN, Class::Unable),
    (3, Class::InvalidUrl),
    (4, Class::Refused),
    (5, Class::NoAccess),
    (6, Class::Resolve),
    (7, Class::Connect),
    (8, Class::Tls),
    (9, Class::Login),
    (10, Class::NotFound),
    (11, Class::Server),
    (12, Class::Protocol),
    (13, Class::Partial),
    (14, Class::Write),
    (15, Class::Timeout),
    (16, Class::Redirects),
    (17, Class::Limit),
    (18, Class::Read),
    // What a shell says of a program that Ctrl-C ended: 128 and the number of SIGINT.
    (130, Class::Interrupted),
];

/// The exit code of a class.
pub(crate) fn code(class: Class) -> u8 {
    // A test sees that the table has every class.
    CODES.iter().find(|(_, known)| *known == class).map_or(COULD_NOT_RUN, |(code, _)| *code)
}

/// Why a command could not run, or not to its end.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What cannot be read, and why; both fit to be shown.
    Input(String),
    /// There is nobody to write to; not worth a message if the reader has just gone.
    Output(io::Error),
    /// The command line makes no sense, as clap says it.
    Usage(Box<clap::Error>),
    /// Nothing more of the input is wanted: no failure to be told.
    Enough,
}

impl Failure {
    /// The reader of a pipe has seen enough.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<io::Error> for Failure {
    /// Errors of reading are turned into messages where they happen, so what is left is about writing.
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(message) => f.write_str(message),
            Failure::Output(error) => write!(f, "cannot write: {error}"),
            Failure::Usage(error) => error.fmt(f),
            Failure::Enough => f.write_str("the rest of the input was not read"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn security_54_every_class_has_an_exit_code_of_its_own() {
        let classes: Vec<_> = CODES.iter().map(|(_, class)| *class).collect();
        assert_eq!(classes, Class::ALL);
        assert!(CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!((code(Class::Ok), code(Class::Unable), code(Class::Interrupted)), (0, COULD_NOT_RUN, 130));
    }
}
