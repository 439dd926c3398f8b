//! Runs the jobs of a schedule, several at a time.

use std::io;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::lock::{locked, unlocked};

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
struct State<S: Schedule> {
    schedule: S,
    free: usize,
    /// A job that may begin now.
    found: Option<S::Job>,
}

impl<S: Schedule> State<S> {
    fn next(&mut self) -> Next<S::Job> {
        self.found.take().map_or_else(|| self.schedule.next(Instant::now()), Next::Job)
    }

    /// Whether the thread that hands out jobs has something to do now, or sooner than it looks by itself.
    fn has_more(&mut self) -> bool {
        if self.free == 0 || self.found.is_some() {
            return false;
        }
        match self.schedule.next(Instant::now()) {
            Next::Job(job) => self.found.replace(job).is_none(),
            Next::Wait(time) => time < LOOK,
            Next::End => true,
        }
    }
}

/// Runs the jobs of a schedule until it ends, `at_a_time` of them at once.
pub(super) fn run<S: Schedule>(
    schedule: S,
    at_a_time: usize,
    work: impl Fn(S::Job) -> S::Done + Sync,
) -> io::Result<S> {
    let at_a_time = at_a_time.max(1);
    let (state, changed) = (Mutex::new(State { schedule, free: at_a_time, found: None }), Condvar::new());
    urlwise_open::run_many(
        at_a_time,
        |jobs| {
            let mut held = locked(&state);
            loop {
                let next = if held.free == 0 { Next::Wait(LOOK) } else { held.next() };
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
                // What comes next is done here, and the other thread is woken only if there is more: each time costs two context
                // switches.
                match held.next() {
                    Next::Job(next) => job = next,
                    Next::Wait(_) | Next::End => {
                        held.free += 1;
                        changed.notify_one();
                        return;
                    }
                }
                if held.has_more() {
                    changed.notify_one();
                }
            }
        },
    )?;
    Ok(unlocked(state).schedule)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Jobs of which more may run at a time after each that is done.
    struct Growing {
        left: Vec<usize>,
        running: usize,
        limit: usize,
        most: usize,
        done: Vec<usize>,
    }

    impl Schedule for Growing {
        type Job = usize;
        type Done = usize;

        fn next(&mut self, _: Instant) -> Next<usize> {
            if self.running >= self.limit {
                return Next::Wait(Duration::MAX);
            }
            match self.left.pop() {
                Some(job) => {
                    self.running += 1;
                    self.most = self.most.max(self.running);
                    Next::Job(job)
                }
                None if self.running > 0 => Next::Wait(Duration::MAX),
                None => Next::End,
            }
        }

        fn done(&mut self, job: usize, _: Instant) {
            self.running -= 1;
            self.limit += 1;
            self.done.push(job);
        }
    }

    #[test]
    fn every_job_is_done_once_and_as_many_at_a_time_as_may_be() {
        for at_a_time in [0, 1, 3, 50] {
            let schedule = Growing { left: (0..200).collect(), running: 0, limit: 1, most: 0, done: Vec::new() };
            let ran = run(schedule, at_a_time, |job| {
                urlwise_open::sleep(Duration::from_millis(1));
                job
            });
            let mut schedule = ran.unwrap();
            schedule.done.sort_unstable();
            assert_eq!(schedule.done, (0..200).collect::<Vec<_>>(), "{at_a_time}");
            assert!(schedule.most <= at_a_time.max(1), "{at_a_time}: {}", schedule.most);
            assert_eq!(schedule.running, 0);
        }
    }
}
