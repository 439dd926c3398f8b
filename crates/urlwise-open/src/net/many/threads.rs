//! Stands in for the event loop on other systems: each running job has a thread of its own, and waiting blocks that thread.

use super::Interest;
use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

/// Jobs on their way to the threads.
pub(crate) struct Queue<'f, J>(mpsc::SyncSender<J>, std::marker::PhantomData<&'f ()>);

pub(super) fn push<J>(queue: &Queue<'_, J>, job: J) {
    // The threads have gone only if one of them panicked, and then the caller does too.
    let _ = queue.0.send(job);
}

pub(super) fn run<J: Send, R>(
    at_a_time: usize,
    feed: impl FnOnce(Queue<'_, J>) -> R,
    work: &(impl Fn(J) + Sync),
) -> io::Result<R> {
    let (sender, receiver) = mpsc::sync_channel(at_a_time);
    let receiver = Mutex::new(receiver);
    let work = || {
        loop {
            // The lock is held while waiting for a job, not while working on it.
            let Ok(job) = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv() else { return };
            work(job);
        }
    };
    thread::scope(|scope| {
        // The threads end when the sender is dropped: here after an error, otherwise when the jobs are complete.
        let queue = Queue(sender, std::marker::PhantomData);
        for _ in 0..at_a_time {
            thread::Builder::new().spawn_scoped(scope, work)?;
        }
        Ok(feed(queue))
    })
}

/// The number of the running job of an event loop, which cannot exist.
#[cfg(feature = "testing")]
pub(crate) fn running() -> Option<usize> {
    None
}

/// How many jobs there are at a time on this thread.
pub(crate) fn at_a_time() -> usize {
    1
}

pub(crate) fn sleep(duration: Duration) {
    thread::sleep(duration);
}

pub(crate) fn doze(_: Duration) {}

pub(crate) fn give_way() {}

/// Wakes a job, which cannot exist.
#[derive(Clone, PartialEq)]
pub(crate) struct Waker(Infallible);

impl Waker {
    /// Of the running job.
    pub(crate) fn here() -> Option<Waker> {
        None
    }

    pub(crate) fn wake(&self) {
        match self.0 {}
    }
}

/// A socket of an event loop, which cannot exist.
pub(crate) struct Source(Infallible);

impl Source {
    pub(crate) fn of<T>(_: &T) -> io::Result<Option<Source>> {
        Ok(None)
    }

    pub(crate) fn is_here(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn is_ready(&self, _: Interest) -> bool {
        match self.0 {}
    }

    pub(crate) fn is_dry(&self, _: Interest) {
        match self.0 {}
    }

    pub(crate) fn is_silent(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn has_read(&self, _: usize, _: usize) {
        match self.0 {}
    }
}

/// Attempts to connect in an event loop, which cannot exist.
pub(crate) struct Attempts(Infallible);

impl Attempts {
    pub(crate) fn here() -> Option<Attempts> {
        None
    }

    pub(crate) fn start(&mut self, _: SocketAddr) -> io::Result<()> {
        match self.0 {}
    }

    pub(crate) fn next(&mut self, _: Duration) -> Option<io::Result<(TcpStream, Source)>> {
        match self.0 {}
    }
}

pub(crate) fn wait(sources: &[(&Source, Interest)], _: Duration) -> bool {
    match sources.first() {
        Some((source, _)) => source.is_ready(Interest::Read),
        None => false,
    }
}
