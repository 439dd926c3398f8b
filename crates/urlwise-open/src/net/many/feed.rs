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

#[cfg(test)]
mod tests {
    use super::{Feed, Taken};
    use std::thread;

    fn taken(feed: &Feed<u32>) -> Option<u32> {
        match feed.take() {
            Taken::Job(job) => Some(job),
            Taken::Nothing | Taken::End => None,
        }
    }

    #[test]
    fn jobs_come_in_their_order_and_the_end_after_the_last() {
        let feed = Feed::new(2);
        assert!(matches!(feed.take(), Taken::Nothing));
        feed.push(1);
        feed.push(2);
        feed.close();
        assert_eq!([taken(&feed), taken(&feed)], [Some(1), Some(2)]);
        assert!(matches!(feed.take(), Taken::End));
    }

    #[test]
    fn the_loop_is_woken_once_and_only_if_it_has_fewer_jobs_than_it_wants() {
        let feed = Feed::new(4);
        assert!(!feed.push(1), "nobody has looked");
        assert_eq!(feed.look(1), (1, false));
        assert!(!feed.push(2), "it has the one that it wants");
        assert_eq!(feed.look(3), (2, false));
        assert!(feed.push(3));
        assert!(!feed.push(4), "it is woken already");
        feed.close();
        assert_eq!(feed.look(1), (4, true));
    }

    #[test]
    fn a_push_that_waits_for_room_goes_on_when_half_of_it_is_free() {
        let feed = Feed::new(4);
        for job in 0..4 {
            feed.push(job);
        }
        feed.state().is_full = true;
        assert_eq!((taken(&feed), feed.state().is_full), (Some(0), true));
        assert_eq!((taken(&feed), feed.state().is_full), (Some(1), false));
        assert_eq!([taken(&feed), taken(&feed), taken(&feed)], [Some(2), Some(3), None]);
        thread::scope(|scope| {
            scope.spawn(|| {
                for job in 0..50 {
                    feed.push(job);
                }
            });
            let mut next = 0;
            while next < 50 {
                let Some(job) = taken(&feed) else {
                    thread::yield_now();
                    continue;
                };
                assert_eq!(job, next);
                next += 1;
            }
        });
    }

    #[test]
    fn a_feed_that_is_dead_drops_all_jobs_and_lets_nobody_wait() {
        let feed = Feed::new(1);
        feed.push(1);
        thread::scope(|scope| {
            scope.spawn(|| feed.push(2));
            while !feed.state().is_full {
                thread::yield_now();
            }
            feed.kill();
        });
        feed.push(3);
        feed.push(4);
        assert_eq!(feed.look(1), (0, true));
        assert!(matches!(feed.take(), Taken::End));
    }
}
