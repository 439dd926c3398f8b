//! What the loop knows of each socket.

use super::{EventLoop, Interest, KNOWN, NOBODY, TURN, here};
use rustix::event::epoll;
use rustix::io::Errno;
use std::io;
use std::os::fd::AsFd;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The registered sockets.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) all: Vec<Arc<Readiness>>,
    /// How many there may be before those without an owner are forgotten.
    most: usize,
    free: Vec<usize>,
}

/// What is known of a socket.
pub(super) struct Readiness {
    pub(super) read: AtomicBool,
    pub(super) write: AtomicBool,
    /// The peer has ended, so reading does not block again.
    pub(super) has_ended: AtomicBool,
    /// The system has an error to tell.
    pub(super) has_failed: AtomicBool,
    /// The number of the coroutine that waits for it.
    pub(super) waiter: AtomicUsize,
    /// The number of polls when it was last read to its end.
    dried: AtomicU64,
}

/// A socket that is registered with the event loop of a thread. It must not block.
pub(crate) struct Source {
    of: u64,
    pub(super) readiness: Arc<Readiness>,
}

impl Source {
    /// Registers a socket with the event loop that this code runs in; `None` outside.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn of(socket: &impl AsFd) -> io::Result<Option<Source>> {
        use epoll::EventFlags as Flags;
        let Some(event_loop) = here() else { return Ok(None) };
        let (place, readiness) = event_loop.sources.borrow_mut().add();
        readiness.dried.store(event_loop.polls.get(), Relaxed);
        let data = epoll::EventData::new_u64(place as u64);
        let flags = Flags::IN | Flags::OUT | Flags::RDHUP | Flags::ET;
        match epoll::add(&event_loop.epoll, socket, data, flags) {
            // Its earlier owner has left it registered.
            Err(Errno::EXIST) => epoll::modify(&event_loop.epoll, socket, data, flags)?,
            added => added?,
        }
        Ok(Some(Source { of: event_loop.id, readiness }))
    }

    /// Whether it is registered with the event loop that this code runs in.
    pub(crate) fn is_here(&self) -> bool {
        here().is_some_and(|event_loop| event_loop.id == self.of)
    }

    /// Whether a call is worth trying.
    pub(crate) fn is_ready(&self, interest: Interest) -> bool {
        self.flag(interest).load(Relaxed)
    }

    /// A call would have blocked.
    pub(crate) fn is_dry(&self, interest: Interest) {
        self.flag(interest).store(false, Relaxed);
        if let (Interest::Read, Some(event_loop)) = (interest, here()) {
            self.readiness.dried.store(event_loop.polls.get(), Relaxed);
        }
    }

    /// Whether a poll after the last read, not long ago, found that nothing has arrived.
    pub(crate) fn is_silent(&self) -> bool {
        let is_known = |event_loop: Rc<EventLoop>| {
            let polls = self.readiness.dried.load(Relaxed);
            event_loop.id == self.of && event_loop.polls.get() > polls && event_loop.polled.get().elapsed() < KNOWN
        };
        !self.is_ready(Interest::Read) && here().is_some_and(is_known)
    }

    /// A read had room for more than the `count` octets that it got, or not.
    pub(crate) fn has_read(&self, count: usize, room: usize) {
        if count < room && !self.readiness.has_ended.load(Relaxed) {
            // The end would have been sighted, or is sighted later.
            self.is_dry(Interest::Read);
        }
        if let Some(event_loop) = here() {
            event_loop.received.set(event_loop.received.get() + count);
            if event_loop.received.get() >= TURN {
                event_loop.pass();
            }
        }
    }

    fn flag(&self, interest: Interest) -> &AtomicBool {
        match interest {
            Interest::Read => &self.readiness.read,
            Interest::Write => &self.readiness.write,
        }
    }
}

impl Sources {
    /// A place for a socket. Those whose owners have gone are given again: closing a socket ends its registration.
    pub(super) fn add(&mut self) -> (usize, Arc<Readiness>) {
        if self.free.is_empty() && self.all.len() >= self.most {
            let unused = self.all.iter().enumerate().filter(|(_, readiness)| Arc::strong_count(readiness) == 1);
            self.free = unused.map(|(place, _)| place).collect();
            self.most = (2 * (self.all.len() - self.free.len())).max(64);
        }
        let readiness = Arc::new(Readiness {
            read: AtomicBool::new(false),
            write: AtomicBool::new(false),
            has_ended: AtomicBool::new(false),
            has_failed: AtomicBool::new(false),
            waiter: AtomicUsize::new(NOBODY),
            dried: AtomicU64::new(0),
        });
        let place = self.free.pop().unwrap_or(self.all.len());
        match self.all.get_mut(place) {
            Some(unused) => *unused = Arc::clone(&readiness),
            None => self.all.push(Arc::clone(&readiness)),
        }
        (place, readiness)
    }
}
