//! A session on streams: lines of standard input go to the server, and its text goes to standard output.
//!
//! The session continues after the end of standard input: if the connection were shut down, some servers would discard their
//! remaining output. The server has to close, and each octet has to arrive within the idle deadline.

use std::io;
use std::time::Duration;

use urlwise_open::{ErrorKind, Heard, Session};

use super::UNSENT;
use super::screen::Screen;
use crate::exit::{Status, os_message};
use crate::get::attempt::AttemptError;
use crate::language::{said, words};

/// How much to read at a time, in octets.
const PIECE: usize = 16 * 1024;

/// Runs a session to its end.
pub(super) fn hold(session: &mut Session, input: bool, screen: &mut Screen<'_>) -> Result<(), AttemptError> {
    let mut source = input.then(Source::new);
    if source.is_none() {
        session.end_of_input();
    }
    loop {
        let piece = match &mut source {
            Some(source) => source.piece(session).map_err(|error| {
                let what =
                    said!("cannot read {name}: {why}", name = words!("standard input"), why = os_message(&error));
                AttemptError::Local(Status::Failed(ErrorKind::Read), what)
            })?,
            None => Piece::None,
        };
        match piece {
            Piece::Some(lines) => session.lines(&lines),
            Piece::None => {}
            Piece::End => {
                session.end_of_input();
                source = None;
            }
        }
        let wait = if cfg!(unix) && source.is_some() { Duration::ZERO } else { LOOK };
        match session.hear(wait).map_err(AttemptError::Session)? {
            Heard::Text(text) => screen.show(text)?,
            Heard::Nothing => {}
            Heard::End => return Ok(()),
        }
    }
}

/// The result of polling standard input.
enum Piece {
    Some(Vec<u8>),
    None,
    End,
}

#[cfg(unix)]
use unix::{LOOK, Source};

#[cfg(unix)]
mod unix {
    use super::{Duration, PIECE, Piece, Session, UNSENT, io};
    use crate::get::session::wait::wait;

    /// How long to wait for the server at a time, after the end of input.
    pub(super) const LOOK: Duration = Duration::from_millis(200);

    /// Standard input, polled together with the server.
    pub(super) struct Source;

    impl Source {
        pub(super) fn new() -> Source {
            Source
        }

        pub(super) fn piece(&mut self, session: &Session) -> io::Result<Piece> {
            let stdin = io::stdin();
            let wants = session.unsent() < UNSENT;
            if !wait(session, wants.then_some(&stdin), None)? {
                return Ok(Piece::None);
            }
            let mut piece = vec![0; PIECE];
            match rustix::io::read(&stdin, &mut piece) {
                Ok(0) => Ok(Piece::End),
                Ok(count) => {
                    piece.truncate(count);
                    Ok(Piece::Some(piece))
                }
                Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => Ok(Piece::None),
                Err(error) => Err(error.into()),
            }
        }
    }
}

#[cfg(not(unix))]
use elsewhere::{LOOK, Source};

#[cfg(not(unix))]
mod elsewhere {
    use super::{Duration, PIECE, Piece, Session, UNSENT, io};
    use std::io::Read;
    use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
    use std::thread;

    /// How long to wait for the server before polling standard input again.
    pub(super) const LOOK: Duration = Duration::from_millis(20);

    /// Standard input, read by a thread that is abandoned in its last read.
    pub(super) struct Source(Receiver<io::Result<Vec<u8>>>);

    impl Source {
        pub(super) fn new() -> Source {
            let (sender, receiver) = sync_channel(1);
            thread::spawn(move || {
                loop {
                    let mut piece = vec![0; PIECE];
                    let read = io::stdin().read(&mut piece).map(|count| {
                        piece.truncate(count);
                        piece
                    });
                    let is_last = read.as_ref().map_or(true, Vec::is_empty);
                    if sender.send(read).is_err() || is_last {
                        return;
                    }
                }
            });
            Source(receiver)
        }

        pub(super) fn piece(&mut self, session: &Session) -> io::Result<Piece> {
            if session.unsent() >= UNSENT {
                return Ok(Piece::None);
            }
            match self.0.try_recv() {
                Ok(Ok(piece)) if piece.is_empty() => Ok(Piece::End),
                Ok(Ok(piece)) => Ok(Piece::Some(piece)),
                Ok(Err(error)) => Err(error),
                Err(TryRecvError::Empty) => Ok(Piece::None),
                Err(TryRecvError::Disconnected) => Ok(Piece::End),
            }
        }
    }
}
