//! Runs the jobs of a schedule, several at a time.

use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long the one who hands out jobs waits at most before it looks again: the user may have interrupted.
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

/// The schedule, and how many more jobs may begin.
struct State<S> {
    schedule: S,
    free: usize,
}

/// Runs the jobs of a schedule until it ends, `at_a_time` of them at once.
pub(super) fn run<S: Schedule>(
    schedule: S,
    at_a_time: usize,
    work: impl Fn(S::Job) -> S::Done + Sync,
) -> io::Result<S> {
    let at_a_time = at_a_time.max(1);
    let (state, changed) = (Mutex::new(State { schedule, free: at_a_time }), Condvar::new());
    urlwise_open::run_many(
        at_a_time,
        |jobs| {
            let mut held = locked(&state);
            loop {
                let next = if held.free == 0 { Next::Wait(LOOK) } else { held.schedule.next(Instant::now()) };
                match next {
                    Next::Job(job) => {
                        held.free -= 1;
                        drop(held);
                        jobs.push(job);
                        held = locked(&state);
                    }
                    Next::Wait(time) => {
                        let waited = changed.wait_timeout(held, time.min(LOOK));
                        held = waited.map_or_else(|poisoned| poisoned.into_inner().0, |(held, _)| held);
                    }
                    Next::End => return,
                }
            }
        },
        |mut job| {
            loop {
                let done = work(job);
                let mut held = locked(&state);
                held.schedule.done(done, Instant::now());
                // What comes next is done here, without waking another thread; there may be more than one job.
                let next = held.schedule.next(Instant::now());
                held.free += usize::from(!matches!(next, Next::Job(_)));
                if held.free > 0 {
                    changed.notify_one();
                }
                match next {
                    Next::Job(next) => job = next,
                    Next::Wait(_) | Next::End => return,
                }
            }
        },
    )?;
    Ok(state.into_inner().unwrap_or_else(PoisonError::into_inner).schedule)
}

/// Locks, ignoring poison: a thread that panics leaves no inconsistent state.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
