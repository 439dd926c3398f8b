//! Runs jobs that block, several at a time.

use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a thread that has nothing to do waits at most before it looks again: the user may have interrupted.
const LOOK: Duration = Duration::from_millis(100);

/// What to do next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next<J> {
    Job(J),
    /// Nothing before this much time has passed, or until a job is done.
    Wait(Duration),
    /// Nothing any more.
    End,
}

/// Says what to do, and hears what came of it.
pub(super) trait Schedule: Send {
    type Job: Send;
    type Done: Send;

    fn next(&mut self, now: Instant) -> Next<Self::Job>;
    fn done(&mut self, done: Self::Done, now: Instant);
}

/// Runs the jobs of a schedule until it ends, `at_a_time` of them at once.
pub(super) fn run<S: Schedule>(
    schedule: S,
    at_a_time: usize,
    work: impl Fn(S::Job) -> S::Done + Sync,
) -> io::Result<S> {
    let (schedule, changed) = (Mutex::new(schedule), Condvar::new());
    let thread = || {
        let mut held = locked(&schedule);
        loop {
            match held.next(Instant::now()) {
                Next::Job(job) => {
                    drop(held);
                    let done = work(job);
                    held = locked(&schedule);
                    held.done(done, Instant::now());
                    // This thread takes what comes next; there may be more than one job.
                    changed.notify_one();
                }
                Next::Wait(time) => {
                    let waited = changed.wait_timeout(held, time.min(LOOK));
                    held = waited.map_or_else(|poisoned| poisoned.into_inner().0, |(held, _)| held);
                }
                Next::End => {
                    changed.notify_all();
                    return;
                }
            }
        }
    };
    thread::scope(|scope| {
        for number in 0..at_a_time {
            let started = thread::Builder::new().spawn_scoped(scope, thread);
            match started {
                // Fewer threads are slower and no error.
                Err(error) if number == 0 => return Err(error),
                Err(_) => break,
                Ok(_) => {}
            }
        }
        Ok(())
    })?;
    Ok(schedule.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Locks, ignoring poison: a thread that panics leaves no inconsistent state.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
