//! The event loop: coroutines that take turns on one thread, and what they wait for.
//!
//! Sockets are registered once, edge-triggered, so what is ready stays known until a call says that it is not. A coroutine is
//! resumed when a socket that it waits for is ready, when its time has come, or when another thread [wakes](Waker) it; it may be
//! resumed for nothing, so whatever waits looks again.
//!
//! A suspended coroutine is never dropped: the loop ends when all have ended.

mod sources;

pub(crate) use self::sources::Source;
use self::sources::Sources;
use super::Interest;
use super::feed::{Feed, Taken};
use generator::{Generator, Gn, co_yield_with};
use rustix::event::{EventfdFlags, Timespec, epoll, eventfd};
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::os::fd::OwnedFd;
use std::panic::resume_unwind;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The stack of a job, in octets. Only what is used of it takes memory; below it is a page that no one may touch.
const STACK: usize = 512 * 1024;

/// How many octets a job may receive before another has its turn, even if more have arrived.
const TURN: usize = 1024 * 1024;

/// The most events that one `epoll_wait` returns.
const EVENTS: usize = 256;

/// How long the loop relies on a poll that found nothing on a socket: what was sent in this time may be on its way anyway.
const KNOWN: Duration = Duration::from_millis(1);

/// The token of the [`Bell`].
const BELL: u64 = u64::MAX;

/// Nobody waits for a socket.
const NOBODY: usize = usize::MAX;

thread_local! {
    /// The event loop of this thread.
    static LOOP: RefCell<Option<Rc<EventLoop>>> = const { RefCell::new(None) };
}

/// The state of the loop that coroutines see.
struct EventLoop {
    /// Distinguishes it from those of other threads, and from earlier ones.
    id: u64,
    epoll: OwnedFd,
    bell: Arc<Bell>,
    sources: RefCell<Sources>,
    /// Of each coroutine, by its number.
    waits: RefCell<Vec<Waiting>>,
    /// The numbers of those that can continue.
    ready: RefCell<VecDeque<usize>>,
    /// The numbers of those without a job.
    idle: RefCell<Vec<usize>>,
    running: Cell<usize>,
    /// The octets that the running one has received in its turn.
    received: Cell<usize>,
    /// The running one has its turn because it gave way, which then need not be done again before something is sent.
    has_given_way: Cell<bool>,
    /// How many times it was found out of every socket what has become ready.
    polls: Cell<u64>,
    /// When that was last done.
    polled: Cell<Instant>,
}

/// What a coroutine waits for beside its sockets.
#[derive(Clone, Copy, Default)]
struct Waiting {
    is_suspended: bool,
    until: Option<Instant>,
    /// That time has come.
    is_over: bool,
}

/// Wakes the event loop from other threads.
struct Bell {
    event: OwnedFd,
    /// The numbers of the coroutines to wake.
    woken: Mutex<Vec<usize>>,
}

/// Wakes one coroutine from another thread.
#[derive(Clone)]
pub(crate) struct Waker {
    bell: Arc<Bell>,
    number: usize,
}

/// The way of jobs into the loop.
pub(crate) struct Queue<'f, J> {
    feed: &'f Feed<J>,
    bell: &'f Bell,
}

pub(super) fn push<J>(queue: &Queue<'_, J>, job: J) {
    if queue.feed.push(job) {
        queue.bell.ring();
    }
}

/// Closes the feed, even if the code that adds the jobs panics.
impl<J> Drop for Queue<'_, J> {
    fn drop(&mut self) {
        self.feed.close();
        self.bell.ring();
    }
}

/// Runs the jobs in a thread, the loop.
pub(super) fn run<J: Send, R>(
    at_a_time: usize,
    feed: impl FnOnce(Queue<'_, J>) -> R,
    work: &(impl Fn(J) + Sync),
) -> io::Result<R> {
    reserve(at_a_time, getrlimit(Resource::Stack).maximum)?;
    let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    let bell = Bell { event: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?, woken: Mutex::default() };
    let bell = Arc::new(bell);
    // Edge-triggered, so it is never read.
    let flags = epoll::EventFlags::IN | epoll::EventFlags::ET;
    epoll::add(&epoll, &bell.event, epoll::EventData::new_u64(BELL), flags)?;
    let jobs = Feed::new(2 * at_a_time.max(32));
    thread::scope(|scope| {
        let (jobs, rung) = (&jobs, Arc::clone(&bell));
        let spawned = thread::Builder::new().spawn_scoped(scope, move || {
            let event_loop = Rc::new(EventLoop::new(epoll, rung));
            LOOP.set(Some(Rc::clone(&event_loop)));
            event_loop.run(at_a_time, jobs, work);
            LOOP.set(None);
        })?;
        let fed = feed(Queue { feed: jobs, bell: &bell });
        match spawned.join() {
            Ok(()) => Ok(fed),
            Err(panic) => resume_unwind(panic),
        }
    })
}

/// Fails if there is no memory for so many stacks, none of which the system lets be longer than `longest` (`None`: as long as it likes):
/// `generator` panics where it cannot allocate one.
fn reserve(stacks: usize, longest: Option<u64>) -> io::Result<()> {
    let fits = longest.is_none_or(|longest| longest >= 2 * STACK as u64);
    let room = Vec::<u8>::new().try_reserve_exact(stacks * STACK);
    if fits && room.is_ok() { Ok(()) } else { Err(io::ErrorKind::OutOfMemory.into()) }
}

impl EventLoop {
    fn new(epoll: OwnedFd, bell: Arc<Bell>) -> EventLoop {
        static LOOPS: AtomicU64 = AtomicU64::new(0);
        EventLoop {
            id: LOOPS.fetch_add(1, Relaxed),
            epoll,
            bell,
            sources: RefCell::default(),
            waits: RefCell::default(),
            ready: RefCell::default(),
            idle: RefCell::default(),
            running: Cell::new(NOBODY),
            received: Cell::new(0),
            has_given_way: Cell::new(false),
            polls: Cell::new(0),
            polled: Cell::new(Instant::now()),
        }
    }

    /// Runs until there are no more jobs, and all have ended.
    fn run<J: Send>(&self, at_a_time: usize, feed: &Feed<J>, work: &(impl Fn(J) + Sync)) {
        let mut coroutines: Vec<Generator<'_, (), ()>> = Vec::new();
        let (mut alive, mut panic) = (0, None);
        let mut events = Vec::with_capacity(EVENTS);
        loop {
            // Last thing before the thread may sleep, because only a feed that was looked at wakes it.
            let wanted = self.idle.borrow().len() + at_a_time - coroutines.len();
            if wanted > 0 || alive == 0 {
                let (jobs, is_closed) = feed.look(wanted);
                let is_over = is_closed && jobs == 0 && alive == self.idle.borrow().len();
                if is_over && alive == 0 {
                    break;
                }
                // Those that find the feed closed end.
                let resumed = self.resume_idle(if is_over { alive } else { jobs });
                for _ in 0..jobs.saturating_sub(resumed).min(at_a_time - coroutines.len()) {
                    self.waits.borrow_mut().push(Waiting::default());
                    self.ready.borrow_mut().push_back(coroutines.len());
                    coroutines.push(coroutine(feed, work));
                    alive += 1;
                }
            }
            self.poll(&mut events);
            // Those that become ready meanwhile have their turn after the sockets are asked again.
            let turns = self.ready.borrow().len();
            for _ in 0..turns {
                let Some(number) = self.ready.borrow_mut().pop_front() else { break };
                let Some(coroutine) = coroutines.get_mut(number) else { continue };
                self.running.set(number);
                self.received.set(0);
                self.has_given_way.set(false);
                coroutine.resume();
                self.running.set(NOBODY);
                if coroutine.is_done() {
                    alive -= 1;
                    if let Some(reason) = coroutine.get_panic_data() {
                        panic.get_or_insert(reason);
                        feed.kill();
                    }
                }
            }
        }
        if let Some(reason) = panic {
            resume_unwind(reason);
        }
    }

    /// Resumes up to `most` coroutines without a job. Returns how many.
    fn resume_idle(&self, most: usize) -> usize {
        let mut idle = self.idle.borrow_mut();
        let kept = idle.len().saturating_sub(most);
        let resumed = idle.split_off(kept);
        drop(idle);
        resumed.iter().for_each(|number| self.wake(*number));
        resumed.len()
    }

    /// Waits until a coroutine can continue, and finds out which.
    fn poll(&self, events: &mut Vec<epoll::Event>) {
        let timeout = self.timeout();
        let found = epoll::wait(&self.epoll, rustix::buffer::spare_capacity(events), timeout.as_ref());
        // With fewer than there was room for, they were all there are.
        let are_all = found.is_ok_and(|count| count < EVENTS);
        match found {
            Ok(_) | Err(Errno::INTR) => {}
            // Without sockets there is still the clock, by which everything ends.
            Err(_) => thread::sleep(Duration::from_millis(1)),
        }
        for event in events.drain(..) {
            match event.data.u64() {
                BELL => {
                    let woken = std::mem::take(&mut *self.bell.woken());
                    woken.into_iter().for_each(|number| self.wake(number));
                }
                token => self.sight(token, event.flags),
            }
        }
        let now = Instant::now();
        if are_all {
            self.polls.set(self.polls.get() + 1);
            self.polled.set(now);
        }
        for (number, waiting) in self.waits.borrow_mut().iter_mut().enumerate() {
            if waiting.is_suspended && waiting.until.is_some_and(|until| until <= now) {
                *waiting = Waiting { is_over: true, ..Waiting::default() };
                self.ready.borrow_mut().push_back(number);
            }
        }
    }

    /// How long nothing can happen but by a socket; `None` for no limit. Rounded up to what the system counts in.
    fn timeout(&self) -> Option<Timespec> {
        let milliseconds = if self.ready.borrow().is_empty() {
            let waits = self.waits.borrow();
            let first =
                waits.iter().filter(|waiting| waiting.is_suspended).filter_map(|waiting| waiting.until).min()?;
            let left = first.saturating_duration_since(Instant::now());
            i64::try_from(left.as_nanos().div_ceil(1_000_000)).unwrap_or(i64::MAX).min(i64::from(i32::MAX))
        } else {
            0
        };
        Some(Timespec { tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000 })
    }

    /// Takes note of what has become ready.
    fn sight(&self, token: u64, flags: epoll::EventFlags) {
        use epoll::EventFlags as Flags;
        let sources = self.sources.borrow();
        let Some(readiness) = usize::try_from(token).ok().and_then(|place| sources.all.get(place)) else { return };
        if flags.intersects(Flags::HUP | Flags::ERR) {
            readiness.has_failed.store(true, Relaxed);
        }
        if flags.intersects(Flags::RDHUP | Flags::HUP | Flags::ERR) {
            readiness.has_ended.store(true, Relaxed);
            readiness.read.store(true, Relaxed);
        }
        if flags.intersects(Flags::IN | Flags::PRI) {
            readiness.read.store(true, Relaxed);
        }
        if flags.intersects(Flags::OUT | Flags::HUP | Flags::ERR) {
            readiness.write.store(true, Relaxed);
        }
        // A waiter looks by itself whether this is what it waits for.
        self.wake(readiness.waiter.load(Relaxed));
    }

    /// Lets a coroutine continue, if it is suspended.
    fn wake(&self, number: usize) {
        if let Some(waiting) = self.waits.borrow_mut().get_mut(number)
            && waiting.is_suspended
        {
            *waiting = Waiting::default();
            self.ready.borrow_mut().push_back(number);
        }
    }

    /// Suspends the running coroutine. Returns whether the time has come.
    fn suspend(&self, until: Option<Instant>) -> bool {
        let number = self.running.get();
        if let Some(waiting) = self.waits.borrow_mut().get_mut(number) {
            *waiting = Waiting { is_suspended: true, until, is_over: false };
        }
        co_yield_with(());
        self.waits.borrow().get(number).is_none_or(|waiting| waiting.is_over)
    }

    /// Lets others have their turn.
    fn pass(&self) {
        self.ready.borrow_mut().push_back(self.running.get());
        co_yield_with(());
    }

    /// Suspends the running coroutine until there is a job.
    fn idle(&self) {
        self.idle.borrow_mut().push(self.running.get());
        self.suspend(None);
    }
}

/// A coroutine that does one job after another.
fn coroutine<'j, J: Send>(feed: &'j Feed<J>, work: &'j (impl Fn(J) + Sync)) -> Generator<'j, (), ()> {
    let mut coroutine = Gn::<()>::new_opt(STACK / size_of::<usize>(), move || {
        loop {
            match feed.take() {
                Taken::Job(job) => work(job),
                Taken::Nothing => match here() {
                    Some(event_loop) => event_loop.idle(),
                    None => return,
                },
                Taken::End => return,
            }
        }
    });
    // Only one with data of its own may be suspended from anywhere, and keeps its panic for the loop. Nobody looks at the data.
    coroutine.set_local_data(NonNull::dangling().as_ptr());
    coroutine
}

/// The event loop that this code runs in, as a job.
fn here() -> Option<Rc<EventLoop>> {
    let event_loop = LOOP.try_with(|event_loop| event_loop.borrow().clone()).ok()??;
    (event_loop.running.get() != NOBODY).then_some(event_loop)
}

/// The number of the running job; `None` outside of an event loop.
#[cfg(feature = "testing")]
pub(crate) fn running() -> Option<usize> {
    here().map(|event_loop| event_loop.running.get())
}

/// How many jobs there are at a time on this thread.
pub(crate) fn at_a_time() -> usize {
    here().map_or(1, |event_loop| event_loop.waits.borrow().len())
}

pub(crate) fn sleep(duration: Duration) {
    let Some(event_loop) = here() else { return thread::sleep(duration) };
    let until = Instant::now().checked_add(duration);
    while !event_loop.suspend(until) {}
}

/// Lets the jobs that can continue do so first: what they all send then reaches a server that is still awake from the first of them.
/// A job whose turn it is because it gave way does not do so a second time.
pub(crate) fn give_way() {
    if let Some(event_loop) = here()
        && !event_loop.has_given_way.take()
        && !event_loop.ready.borrow().is_empty()
    {
        event_loop.pass();
        event_loop.has_given_way.set(true);
    }
}

/// Waits until the running job is woken, or for nothing, but no longer than this.
pub(crate) fn doze(at_most: Duration) {
    if let Some(event_loop) = here() {
        event_loop.suspend(Instant::now().checked_add(at_most));
    }
}

/// Waits until one of the sockets is ready for what it is wanted for. Returns whether one is; otherwise the time has passed.
pub(crate) fn wait(sources: &[(&Source, Interest)], at_most: Duration) -> bool {
    let is_ready = || sources.iter().any(|(source, interest)| source.is_ready(*interest));
    if is_ready() {
        return true;
    }
    let Some(event_loop) = here() else { return false };
    let await_them = |waiter| sources.iter().for_each(|(source, _)| source.readiness.waiter.store(waiter, Relaxed));
    await_them(event_loop.running.get());
    let until = Instant::now().checked_add(at_most);
    while !event_loop.suspend(until) && !is_ready() {}
    await_them(NOBODY);
    is_ready()
}

/// Attempts to connect, none of which blocks.
#[derive(Default)]
pub(crate) struct Attempts {
    under_way: Vec<(TcpStream, Source)>,
    /// The error of one that has failed at once.
    failed: Option<io::Error>,
}

impl Attempts {
    /// For the running job; `None` outside of an event loop.
    pub(crate) fn here() -> Option<Attempts> {
        here().map(|_| Attempts::default())
    }

    /// Starts one more.
    pub(crate) fn start(&mut self, address: SocketAddr) -> io::Result<()> {
        use rustix::net::{AddressFamily, SocketFlags, SocketType, connect, socket_with};
        let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let tcp = TcpStream::from(socket_with(family, SocketType::STREAM, flags, None)?);
        match connect(&tcp, &address) {
            Ok(()) | Err(Errno::INPROGRESS | Errno::INTR) => {
                let source = Source::of(&tcp)?.ok_or(io::ErrorKind::NotConnected)?;
                self.under_way.push((tcp, source));
            }
            Err(error) => self.failed = Some(error.into()),
        }
        Ok(())
    }

    /// The next one that ends within this time.
    pub(crate) fn next(&mut self, at_most: Duration) -> Option<io::Result<(TcpStream, Source)>> {
        if let Some(error) = self.failed.take() {
            return Some(Err(error));
        }
        let sources: Vec<_> = self.under_way.iter().map(|(_, source)| (source, Interest::Write)).collect();
        if sources.is_empty() {
            sleep(at_most);
        } else if !wait(&sources, at_most) {
            return None;
        }
        let ended = self.under_way.iter().position(|(_, source)| source.is_ready(Interest::Write))?;
        let (tcp, source) = self.under_way.swap_remove(ended);
        if !source.readiness.has_failed.load(Relaxed) {
            return Some(Ok((tcp, source)));
        }
        Some(match tcp.take_error() {
            Ok(None) => Ok((tcp, source)),
            Ok(Some(error)) | Err(error) => Err(error),
        })
    }
}

impl Bell {
    fn ring(&self) {
        // The counter cannot overflow, and nothing else fails.
        let _ = rustix::io::write(&self.event, &1_u64.to_ne_bytes());
    }

    fn woken(&self) -> std::sync::MutexGuard<'_, Vec<usize>> {
        self.woken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waker {
    /// Of the running job.
    pub(crate) fn here() -> Option<Waker> {
        let event_loop = here()?;
        Some(Waker { bell: Arc::clone(&event_loop.bell), number: event_loop.running.get() })
    }

    pub(crate) fn wake(&self) {
        self.bell.woken().push(self.number);
        self.bell.ring();
    }
}

impl PartialEq for Waker {
    fn eq(&self, other: &Waker) -> bool {
        self.number == other.number && Arc::ptr_eq(&self.bell, &other.bell)
    }
}

#[cfg(test)]
mod tests;
