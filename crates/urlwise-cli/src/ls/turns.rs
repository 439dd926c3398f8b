//! The listings of many URLs at a time, written in the order of the URLs.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use urlwise_open::Cancel;

use crate::console::Console;
use crate::exit::{Failure, Status};
use crate::lock::{locked, unlocked};

/// How many octets of a listing are kept until its turn; then it waits.
const MOST_OF_ONE: usize = 256 * 1024;

/// How many octets of listings that are complete are kept until their turn.
const MOST_OF_ALL: usize = 4 * 1024 * 1024;

/// How long one waits before it looks again whether its turn has come.
const LOOK: Duration = Duration::from_millis(10);

/// Whose turn it is, and what came before its turn.
pub(super) struct Turns<'o> {
    state: Mutex<State<'o>>,
    console: Console,
    cancel: Cancel,
}

struct State<'o> {
    out: &'o mut (dyn Write + Send),
    /// The number of the listing that is written as it arrives.
    now: usize,
    /// Listings that were complete before their turn.
    early: BTreeMap<usize, Early>,
    /// The octets of all of them.
    kept: usize,
    /// The first status that is not [`Status::Ok`].
    first: Status,
    failure: Option<Failure>,
}

/// A listing that was complete before its turn.
struct Early {
    output: Vec<u8>,
    console: Console,
    status: Status,
}

/// What one listing writes to: standard output, or memory until its turn.
pub(super) struct Turn<'t, 'o> {
    turns: &'t Turns<'o>,
    number: usize,
    kept: Vec<u8>,
    console: Console,
}

impl<'o> Turns<'o> {
    pub(super) fn new(out: &'o mut (dyn Write + Send), console: &Console, cancel: &Cancel) -> Turns<'o> {
        let state = State { out, now: 0, early: BTreeMap::new(), kept: 0, first: Status::Ok, failure: None };
        Turns { state: Mutex::new(state), console: console.clone(), cancel: cancel.clone() }
    }

    /// The one of the listing with this number; they are counted from 0, without a gap.
    pub(super) fn turn(&self, number: usize) -> Turn<'_, 'o> {
        let is_now = self.state().now == number;
        let console = if is_now { self.console.clone() } else { self.console.keeping() };
        Turn { turns: self, number, kept: Vec::new(), console }
    }

    /// Whether no more listings may begin: the user has interrupted, or nothing can be written any more.
    pub(super) fn have_ended(&self) -> bool {
        self.cancel.is_requested() || self.state().failure.is_some()
    }

    /// The first status of all that is not [`Status::Ok`], or why nothing could be written.
    pub(super) fn end(self) -> Result<Status, Failure> {
        let state = unlocked(self.state);
        state.failure.map_or(Ok(state.first), Err)
    }

    /// Ignores poison: a thread that panics leaves no inconsistent state.
    fn state(&self) -> MutexGuard<'_, State<'o>> {
        locked(&self.state)
    }
}

impl State<'_> {
    /// Ends the listing whose turn it is, and writes the complete ones behind it.
    fn next(&mut self, status: Status, console: &Console) -> io::Result<()> {
        self.note(status);
        while let Some(early) = self.early.remove(&self.now) {
            self.kept -= early.output.len();
            self.out.write_all(&early.output)?;
            console.take_over(&early.console);
            self.note(early.status);
        }
        Ok(())
    }

    fn note(&mut self, status: Status) {
        self.now += 1;
        if self.first == Status::Ok {
            self.first = status;
        }
    }
}

impl<'o> Turn<'_, 'o> {
    /// Where the messages about this listing go.
    pub(super) fn console(&self) -> &Console {
        &self.console
    }

    /// The listing is complete.
    pub(super) fn end(mut self, end: Result<Status, Failure>) {
        let ended = end.and_then(|status| self.hand_over(status).map_err(Failure::Output));
        if let Err(failure) = ended {
            self.turns.state().failure.get_or_insert(failure);
        }
    }

    fn hand_over(&mut self, status: Status) -> io::Result<()> {
        let output = std::mem::take(&mut self.kept);
        let mut state = self.wait(|state| state.kept + output.len() <= MOST_OF_ALL)?;
        if state.now == self.number {
            state.out.write_all(&output)?;
            self.turns.console.take_over(&self.console);
            return state.next(status, &self.turns.console);
        }
        state.kept += output.len();
        state.early.insert(self.number, Early { output, console: self.console.clone(), status });
        Ok(())
    }

    /// Waits until it is the turn of this listing, or there is room for what is kept of it.
    fn wait(&self, has_room: impl Fn(&State<'_>) -> bool) -> io::Result<MutexGuard<'_, State<'o>>> {
        loop {
            let state = self.turns.state();
            if state.now == self.number || has_room(&state) {
                return Ok(state);
            }
            drop(state);
            if self.turns.have_ended() {
                return Err(io::Error::other("the listing before it has ended the run"));
            }
            urlwise_open::sleep(LOOK);
        }
    }
}

impl Write for Turn<'_, '_> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.write_all(octets).map(|()| octets.len())
    }

    fn write_all(&mut self, octets: &[u8]) -> io::Result<()> {
        let mut state = self.wait(|_| self.kept.len() < MOST_OF_ONE)?;
        let is_now = state.now == self.number;
        if is_now {
            state.out.write_all(&self.kept)?;
            state.out.write_all(octets)?;
        }
        drop(state);
        if is_now {
            self.kept.clear();
        } else {
            self.kept.extend_from_slice(octets);
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
