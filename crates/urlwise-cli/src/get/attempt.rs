//! How one attempt to get a URL fails, for all kinds of resources.

use urlwise_open::protocol::Note;
use urlwise_open::{Error, ErrorKind};

use super::sink::Stop;
use crate::exit::{Failure, Status};

/// How an attempt failed.
pub(super) enum AttemptError {
    /// An error of the client.
    Client(Error),
    /// An error during a session, which is not retried.
    Session(Error),
    /// An error of the program, with its message.
    Local(Status, String),
    /// The program cannot continue.
    Fatal(Failure),
}

impl AttemptError {
    /// What was noticed before it, as far as it is said with the error itself.
    pub(super) fn notes(&self) -> &[Note] {
        match self {
            AttemptError::Client(error) | AttemptError::Session(error) => error.notes(),
            AttemptError::Local(..) | AttemptError::Fatal(_) => &[],
        }
    }
}

impl From<Error> for AttemptError {
    fn from(error: Error) -> AttemptError {
        AttemptError::Client(error)
    }
}

impl From<Stop> for AttemptError {
    fn from(stop: Stop) -> AttemptError {
        match stop {
            Stop::Refused(status, what) => AttemptError::Local(status, what),
            Stop::BrokenPipe(error) => AttemptError::Fatal(error.into()),
        }
    }
}

impl From<String> for AttemptError {
    fn from(refusal: String) -> AttemptError {
        AttemptError::Local(Status::Failed(ErrorKind::Write), refusal)
    }
}
