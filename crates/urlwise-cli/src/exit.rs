//! How the program ends: the exit status, and failures that keep a command from running.

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
            Outcome::Opened(class) => class.code(),
        })
    }
}

/// The status of a command that could not run; clap's own errors have it too.
pub(crate) const COULD_NOT_RUN: u8 = 2;

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
