//! Jobs on their way from the thread that has them to the event loop.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A bounded queue with one thread at each end. The one that adds jobs blocks while it is full; the event loop never blocks, and asks
/// to be woken instead.
pub(crate) struct Feed<J> {
    state: Mutex<State<J>>,
    /// There is room again.
    room: Condvar,
    most: usize,
}

struct State<J> {
    jobs: VecDeque<J>,
    /// No more jobs are added.
    is_closed: bool,
    /// Jobs are dropped.
    is_dead: bool,
    /// The event loop is to be woken when there is a job.
    is_awaited: bool,
    /// Somebody waits for room.
    is_full: bool,
}

/// What there is to do.
pub(super) enum Taken<J> {
    Job(J),
    /// Nothing at present.
    Nothing,
    /// Nothing any more.
    End,
}

impl<J> Feed<J> {
    pub(super) fn new(most: usize) -> Feed<J> {
        let state = State {
            jobs: VecDeque::with_capacity(most),
            is_closed: false,
            is_dead: false,
            is_awaited: false,
            is_full: false,
        };
        Feed { state: Mutex::new(state), room: Condvar::new(), most }
    }

    fn state(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job once there is room. Returns whether the event loop must be woken.
    pub(super) fn push(&self, job: J) -> bool {
        let mut state = self.state();
        while state.jobs.len() >= self.most && !state.is_dead {
            state.is_full = true;
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if !state.is_dead {
            state.jobs.push_back(job);
        }
        std::mem::take(&mut state.is_awaited)
    }

    /// Adds no more jobs. The event loop must be woken.
    pub(super) fn close(&self) {
        self.state().is_closed = true;
    }

    /// Drops the jobs, and those that are still added.
    pub(super) fn kill(&self) {
        let mut state = self.state();
        (state.is_dead, state.is_closed) = (true, true);
        let _dropped_unlocked = std::mem::take(&mut state.jobs);
        drop(state);
        self.room.notify_all();
    }

    /// Takes the next job.
    pub(super) fn take(&self) -> Taken<J> {
        let mut state = self.state();
        let job = state.jobs.pop_front();
        // The feeding thread is woken when half the room is free, not for each job, which saves context switches.
        if state.is_full && state.jobs.len() <= self.most / 2 {
            state.is_full = false;
            self.room.notify_one();
        }
        match job {
            Some(job) => Taken::Job(job),
            None if state.is_closed => Taken::End,
            None => Taken::Nothing,
        }
    }

    /// How many jobs wait, and whether they are the last. With fewer than `wanted`, the next one wakes the event loop.
    pub(super) fn look(&self, wanted: usize) -> (usize, bool) {
        let mut state = self.state();
        state.is_awaited = state.jobs.len() < wanted;
        (state.jobs.len(), state.is_closed)
    }
}
