//! Calls that block and take no deadline: each runs in a thread of its own, which is abandoned when it is too slow.

use crate::net::many::event_loop::{self, Waker};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// A call under way. All clones wait for the same.
pub(crate) struct Aside<T>(Arc<Call<T>>);

/// The same, without keeping it: the call itself does.
pub(crate) struct Known<T>(Weak<Call<T>>);

struct Call<T> {
    answer: Mutex<Answer<T>>,
    is_done: Condvar,
}

struct Answer<T> {
    returned: Option<T>,
    /// The jobs that wait for it.
    wakers: Vec<Waker>,
}

impl<T: Clone + Send + 'static> Aside<T> {
    /// Starts a call.
    ///
    /// # Errors
    /// There is no thread for it.
    pub(crate) fn start(call: impl FnOnce() -> T + Send + 'static) -> io::Result<Aside<T>> {
        let answer = Mutex::new(Answer { returned: None, wakers: Vec::new() });
        let shared = Arc::new(Call { answer, is_done: Condvar::new() });
        let done = Arc::clone(&shared);
        std::thread::Builder::new().spawn(move || {
            let returned = call();
            let mut answer = done.lock();
            answer.returned = Some(returned);
            let wakers = std::mem::take(&mut answer.wakers);
            drop(answer);
            done.is_done.notify_all();
            wakers.iter().for_each(Waker::wake);
        })?;
        Ok(Aside(shared))
    }

    /// Waits for what the call returns; `None` if that takes longer. It can be waited for again.
    pub(crate) fn wait(&self, at_most: Duration) -> Option<T> {
        let until = Instant::now().checked_add(at_most);
        let mut answer = self.0.lock();
        loop {
            if answer.returned.is_some() {
                return answer.returned.clone();
            }
            let left = until.map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return None;
            }
            answer = match Waker::here() {
                Some(waker) => {
                    if !answer.wakers.contains(&waker) {
                        answer.wakers.push(waker);
                    }
                    drop(answer);
                    event_loop::doze(left);
                    self.0.lock()
                }
                None => self.0.is_done.wait_timeout(answer, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
    }

    pub(crate) fn known(&self) -> Known<T> {
        Known(Arc::downgrade(&self.0))
    }
}

impl<T> Known<T> {
    /// The call, if it is still under way or somebody still waits.
    pub(crate) fn get(&self) -> Option<Aside<T>> {
        self.0.upgrade().map(Aside)
    }
}

impl<T> Call<T> {
    fn lock(&self) -> MutexGuard<'_, Answer<T>> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Aside;
    use std::sync::mpsc;
    use std::time::{Duration, Instant};

    #[test]
    fn a_call_is_known_until_it_has_returned_and_nobody_waits() {
        let (go, gone) = mpsc::channel::<()>();
        let call = Aside::start(move || gone.recv().is_ok()).expect("there is a thread");
        let known = call.known();
        let other = known.get().expect("it is under way");
        assert_eq!(other.wait(Duration::from_millis(1)), None);
        drop(other);
        go.send(()).expect("it waits");
        assert_eq!(call.wait(Duration::from_secs(10)), Some(true));
        assert_eq!(known.get().and_then(|other| other.wait(Duration::ZERO)), Some(true), "somebody waits");
        drop(call);
        // Its thread may not have ended yet.
        let began = Instant::now();
        while known.get().is_some() {
            assert!(began.elapsed() < Duration::from_secs(10), "it is kept");
            std::thread::yield_now();
        }
    }
}
