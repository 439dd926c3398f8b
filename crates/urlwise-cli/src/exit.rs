//! How the program ends: the exit codes, and failures that keep a command from running.

use std::fmt;
use std::io;
use std::process::ExitCode;

use urlwise_open::ErrorKind;

/// What a command that ran found; the status is that of `grep` and `ruff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Everything is in order.
    Fine,
    /// Some texts are no URLs, or there were none.
    Findings,
    /// Something could not be read, and standard error was told; the rest was.
    Unreadable,
    /// URLs were opened; the status of the first failure, or of success.
    Opened(Status),
}

/// How opening URLs ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Everything asked for was done.
    Ok,
    /// Some input was invalid, or a check found something.
    Findings,
    /// The program could not run.
    Unable,
    /// A URL could not be opened or read, or the result not be written.
    Failed(ErrorKind),
    /// The user interrupted the program.
    Interrupted,
}

impl Status {
    /// What the status means: a phrase without a final full stop.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Status::Ok => "success",
            Status::Findings => "some input was invalid, or a check found something",
            Status::Unable => "the program could not run: wrong use, no URL, or input that cannot be read",
            Status::Failed(kind) => kind.meaning(),
            Status::Interrupted => "interrupted by the user",
        }
    }
}

impl From<ErrorKind> for Status {
    fn from(kind: ErrorKind) -> Status {
        match kind {
            // The command line and the settings file made the setting.
            ErrorKind::Setting => Status::Unable,
            // Only an interrupt cancels.
            ErrorKind::Cancelled => Status::Interrupted,
            kind => Status::Failed(kind),
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(match outcome {
            Outcome::Fine => 0,
            Outcome::Findings => 1,
            Outcome::Unreadable => COULD_NOT_RUN,
            Outcome::Opened(status) => code(status),
        })
    }
}

/// The code of a command that could not run; clap's own errors have it too.
pub(crate) const COULD_NOT_RUN: u8 = 2;

/// The exit codes of `get` and `ls` (S-54): help, manual and README are made from this table or held to it. The first three are
/// those of all other commands too.
pub(crate) static CODES: &[(u8, Status)] = &[
    (0, Status::Ok),
    (1, Status::Findings),
    (COULD_NOT_RUN, Status::Unable),
    (3, Status::Failed(ErrorKind::InvalidUrl)),
    (4, Status::Failed(ErrorKind::Refused)),
    (5, Status::Failed(ErrorKind::NoAccess)),
    (6, Status::Failed(ErrorKind::Resolve)),
    (7, Status::Failed(ErrorKind::Connect)),
    (8, Status::Failed(ErrorKind::Tls)),
    (9, Status::Failed(ErrorKind::Login)),
    (10, Status::Failed(ErrorKind::NotFound)),
    (11, Status::Failed(ErrorKind::Server)),
    (12, Status::Failed(ErrorKind::Protocol)),
    (13, Status::Failed(ErrorKind::Partial)),
    (14, Status::Failed(ErrorKind::Write)),
    (15, Status::Failed(ErrorKind::Timeout)),
    (16, Status::Failed(ErrorKind::Redirects)),
    (17, Status::Failed(ErrorKind::Limit)),
    (18, Status::Failed(ErrorKind::Read)),
    // What a shell says of a program that Ctrl-C ended: 128 and the number of SIGINT.
    (130, Status::Interrupted),
];

/// The exit code of a status.
pub(crate) fn code(status: Status) -> u8 {
    // A test sees that the table has every kind of error.
    CODES.iter().find(|(_, known)| *known == status).map_or(COULD_NOT_RUN, |(code, _)| *code)
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
    fn security_54_every_kind_of_error_has_an_exit_code() {
        for kind in ErrorKind::ALL {
            let status = Status::from(*kind);
            assert!(CODES.iter().any(|(_, known)| *known == status), "{kind}");
        }
        assert!(CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert_eq!((code(Status::Ok), code(Status::Unable), code(Status::Interrupted)), (0, COULD_NOT_RUN, 130));
        assert_eq!(code(ErrorKind::Cancelled.into()), 130);
    }
}
