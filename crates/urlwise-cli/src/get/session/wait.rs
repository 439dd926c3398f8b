//! Waits for the server and for keys at the same time.

use std::io::{self, Stdin};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use urlwise_open::Session;

/// How often to check for an interrupt.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };

/// The server is not read from while this many octets are waiting to be sent.
const UNSENT: usize = 128 * 1024;

/// Waits until there is something to do, but not long. Returns whether standard input is readable or has ended.
pub(super) fn wait(session: &Session, stdin: Option<&Stdin>, wake: Option<BorrowedFd<'_>>) -> io::Result<bool> {
    let mut wanted = PollFlags::empty();
    wanted.set(PollFlags::IN, session.unsent() < UNSENT);
    wanted.set(PollFlags::OUT, session.wants_to_send());
    let mut watched = vec![PollFd::new(session, wanted)];
    watched.extend(wake.map(|wake| PollFd::from_borrowed_fd(wake, PollFlags::IN)));
    watched.extend(stdin.map(|stdin| PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::IN)));
    match poll(&mut watched, Some(&LOOK)) {
        // At its end, standard input is readable too.
        Ok(_) => Ok(stdin.is_some() && watched.last().is_some_and(|stdin| !stdin.revents().is_empty())),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
