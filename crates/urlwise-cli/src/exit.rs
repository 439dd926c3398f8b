//! Exit codes, and failures that prevent a command from running.

use std::fmt;
use std::io;
use std::process::ExitCode;

use urlwise_open::ErrorKind;

use crate::language::{language, said};

/// The result of a command. The exit status follows `grep` and `ruff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Everything is in order.
    Fine,
    /// Some input is not valid, or there was none.
    Findings,
    /// Something could not be read, which was reported; the rest was processed.
    Unreadable,
    /// URLs were opened. The status is that of the first failure, otherwise success.
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
    /// A URL could not be opened or read, or the result could not be written.
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
            // The setting comes from the command line or the settings file.
            ErrorKind::Setting => Status::Unable,
            // Only Ctrl-C and signals cancel.
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

/// The code of a command that could not run, and of clap's errors.
pub(crate) const COULD_NOT_RUN: u8 = 2;

/// The exit codes of `get` and `ls` (S-54). Help and manual are generated from this table, and tests compare docs/opening.md with it.
/// The first three are used by all other commands too.
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
    // 128 + SIGINT, as shells report a program ended by Ctrl-C.
    (130, Status::Interrupted),
];

/// The exit code of a status.
pub(crate) fn code(status: Status) -> u8 {
    // A test checks that the table has every kind of error.
    CODES.iter().find(|(_, known)| *known == status).map_or(COULD_NOT_RUN, |(code, _)| *code)
}

/// Why a command could not run or finish.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A message, already masked and escaped.
    Input(String),
    /// Standard output cannot be written. A closed pipe is not reported.
    Output(io::Error),
    /// Wrong usage.
    Usage(Box<clap::Error>),
    /// Stop reading input. This is not an error and is not reported.
    Enough,
}

impl Failure {
    /// The reader of the pipe has closed it.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<io::Error> for Failure {
    /// Read errors become messages where they happen, so the others are write errors.
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl From<urlwise_settings::Error> for Failure {
    fn from(error: urlwise_settings::Error) -> Failure {
        Failure::Input(error.message_in(language()).to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(message) => f.write_str(message),
            Failure::Output(error) => said!("cannot write: {error}", error = os_message(error)).fmt(f),
            Failure::Usage(error) => error.fmt(f),
            Failure::Enough => said!("the rest of the input was not read").fmt(f),
        }
    }
}

/// The message of the operating system without the error number.
pub(crate) fn os_message(error: &io::Error) -> String {
    plain_words(&error.to_string()).to_owned()
}

/// A message that ends in one of the operating system, without the error number.
pub(crate) fn plain_words(text: &str) -> &str {
    text.split_once(" (os error ").map_or(text, |(words, _)| words)
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
