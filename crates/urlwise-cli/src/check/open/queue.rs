//! Which link to open next: many servers at a time, and each of them gently.
//!
//! A server starts with two requests at a time. It gets twice as many after each round of quick answers until one is slow or
//! fails, as connections of TCP do, and from then on one more; but beyond eight no more than make 2000 requests in a second. It
//! gets fewer when answers slow down or fail; when it says that it had too many requests, it is left alone for as long as it asks
//! for. What may be better later is asked again at the end, after everything else.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::time::{Duration, Instant};

use super::pool::Next;

/// How many requests at a time a server starts with.
const START: f64 = 2.0;
/// After so many failures in a row without an answer, nothing else is asked of a server.
const HOPELESS: u32 = 3;
/// The wait after an answer that says that there were too many requests, unless it says how long; it doubles each time.
const PAUSE: Duration = Duration::from_secs(1);
/// A server that asks for a longer wait than this is not asked again, nor one whose waits add up to more than that.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
const LONGEST_PAUSES: Duration = Duration::from_secs(300);
/// How often a link is asked again because there were too many requests.
const MOST_DELAYS: u32 = 3;
/// The time between two requests after such an answer, at least and at most.
const SPACING: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));
/// A server that answers so many requests in a second is not asked more at a time, beyond a few: that would only make it slow.
const ENOUGH: f64 = 2_000.0;
const FEW: f64 = 8.0;
/// Answers are slow if they take this many times the quickest, and some time for chance.
const SLOW: u32 = 4;
const CHANCE: Duration = Duration::from_millis(50);

/// What came of a request, as far as the server is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Came {
    /// An answer, after this time.
    Answer(Duration),
    /// A redirect to another server; whether what came of that may be better later.
    Redirect { is_suspect: bool },
    /// Too many requests, and how long to wait if the server says so.
    TooMany(Option<Duration>),
    /// No answer.
    Nothing,
    /// An error of the server, which may be gone later.
    Failed,
    /// The host does not exist.
    NoHost,
}

/// Limits of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Requests at a time to one server.
    pub(super) per_server: u16,
    /// The time between two requests to one server, at least.
    pub(super) pause: Duration,
    /// How often suspects are asked again.
    pub(super) retries: u32,
}

/// The jobs of a run, by their numbers.
#[derive(Debug)]
pub(super) struct Queue {
    limits: Limits,
    servers: Vec<Server>,
    by_name: HashMap<Option<String>, usize>,
    /// The server of each job; jobs that were never added have one too.
    homes: Vec<usize>,
    /// Servers that may be asked now.
    ready: VecDeque<usize>,
    /// Servers that may be asked later.
    later: BinaryHeap<Reverse<(Instant, usize)>>,
    /// What is asked again at the end.
    suspects: Vec<usize>,
    delays: HashMap<usize, u32>,
    running: usize,
    retries: u32,
}

#[derive(Debug)]
struct Server {
    waiting: VecDeque<usize>,
    running: usize,
    /// How many requests at a time; the fraction grows.
    limit: f64,
    /// Nothing was slow or failed so far.
    is_starting: bool,
    spacing: Duration,
    /// The waits that it has asked for, together.
    paused: Duration,
    /// When the next request may start; `None` is any time.
    free_at: Option<Instant>,
    /// The quickest answer.
    quickest: Option<Duration>,
    /// Failures in a row.
    failures: u32,
    /// It is in `ready` or in `later`.
    is_queued: bool,
    /// This machine, to which nothing is sent.
    is_here: bool,
}

impl Queue {
    pub(super) fn new(limits: Limits) -> Queue {
        Queue {
            limits,
            servers: Vec::new(),
            by_name: HashMap::new(),
            homes: Vec::new(),
            ready: VecDeque::new(),
            later: BinaryHeap::new(),
            suspects: Vec::new(),
            delays: HashMap::new(),
            running: 0,
            retries: 0,
        }
    }

    /// Adds a job for a server; `None` is this machine.
    pub(super) fn add(&mut self, job: usize, server: Option<String>) {
        let is_here = server.is_none();
        let number = *self.by_name.entry(server).or_insert_with(|| {
            let limit = if is_here { f64::INFINITY } else { START.min(self.limits.per_server.into()) };
            self.servers.push(Server {
                waiting: VecDeque::new(),
                running: 0,
                limit,
                is_starting: true,
                spacing: Duration::ZERO,
                paused: Duration::ZERO,
                free_at: None,
                quickest: None,
                failures: 0,
                is_queued: false,
                is_here,
            });
            self.servers.len() - 1
        });
        self.homes.resize(self.homes.len().max(job + 1), number);
        self.homes[job] = number;
        self.servers[number].waiting.push_back(job);
        self.enqueue(number);
    }

    /// How many jobs can run at a time at most.
    pub(super) fn width(&self) -> usize {
        let most = |server: &Server| match server.is_here {
            true => server.waiting.len(),
            false => server.waiting.len().min(self.limits.per_server.into()),
        };
        self.servers.iter().map(most).sum()
    }

    /// The next job.
    pub(super) fn next(&mut self, now: Instant) -> Next<usize> {
        loop {
            while let Some(Reverse((_, number))) = self.later.pop_if_due(now) {
                self.ready.push_back(number);
            }
            if let Some(number) = self.ready.pop_front() {
                let server = &mut self.servers[number];
                server.is_queued = false;
                if server.free_at.is_some_and(|free| free > now) || !server.has_room() {
                    self.enqueue(number);
                    continue;
                }
                let Some(job) = server.waiting.pop_front() else { continue };
                let pause = server.spacing.max(self.limits.pause);
                if !server.is_here && !pause.is_zero() {
                    server.free_at = Some(now + pause);
                }
                server.running += 1;
                self.running += 1;
                self.enqueue(number);
                return Next::Job(job);
            }
            if let Some(Reverse((due, _))) = self.later.peek() {
                return Next::Wait(due.saturating_duration_since(now));
            }
            if self.running > 0 {
                return Next::Wait(Duration::MAX);
            }
            if self.suspects.is_empty() || self.retries >= self.limits.retries {
                return Next::End;
            }
            self.retries += 1;
            self.try_suspects(now);
        }
    }

    /// Queues what is asked again, one request at a time for each server.
    fn try_suspects(&mut self, now: Instant) {
        for job in std::mem::take(&mut self.suspects) {
            let number = self.homes[job];
            let server = &mut self.servers[number];
            server.slow_down(0.0);
            server.failures = HOPELESS - 1;
            server.free_at = server.free_at.max(Some(now + PAUSE));
            server.waiting.push_back(job);
            self.enqueue(number);
        }
    }

    /// Hears what came of a job. Returns the jobs of the same server that are not asked because they would end alike.
    pub(super) fn done(&mut self, job: usize, came: Came, now: Instant) -> Vec<usize> {
        let number = self.homes[job];
        let most = f64::from(self.limits.per_server);
        let server = &mut self.servers[number];
        server.running -= 1;
        self.running -= 1;
        let mut alike = Vec::new();
        if !server.is_here {
            match came {
                Came::Answer(elapsed) => server.answered(elapsed, most),
                Came::Redirect { is_suspect } => {
                    server.failures = 0;
                    self.suspects.extend(is_suspect.then_some(job));
                }
                Came::TooMany(wait) => {
                    let delays = self.delays.entry(job).or_default();
                    let wait = wait.unwrap_or_else(|| PAUSE.saturating_mul(2_u32.saturating_pow(*delays)));
                    *delays += 1;
                    server.slow_down(0.5);
                    server.spacing = (server.spacing * 2).clamp(SPACING.0, SPACING.1);
                    // Answers to several requests at a time ask for one wait.
                    let waits_until = server.free_at.unwrap_or(now).max(now);
                    server.paused += wait.saturating_sub(waits_until - now);
                    if wait > LONGEST_PAUSE || server.paused > LONGEST_PAUSES {
                        alike.extend(server.waiting.drain(..));
                    } else {
                        server.free_at = Some(waits_until.max(now + wait));
                        match *delays <= MOST_DELAYS {
                            true => server.waiting.push_back(job),
                            false => self.suspects.push(job),
                        }
                    }
                }
                Came::Nothing => {
                    server.slow_down(0.0);
                    server.failures += 1;
                    self.suspects.push(job);
                    if server.failures >= HOPELESS {
                        alike.extend(server.waiting.drain(..));
                        self.suspects.extend(&alike);
                    }
                }
                Came::Failed => {
                    server.slow_down(0.5);
                    server.failures = 0;
                    self.suspects.push(job);
                }
                Came::NoHost => alike.extend(server.waiting.drain(..)),
            }
        }
        self.enqueue(number);
        alike
    }

    /// Queues a server that has something to ask and room for it.
    fn enqueue(&mut self, number: usize) {
        let server = &mut self.servers[number];
        if server.is_queued || server.waiting.is_empty() || !server.has_room() {
            return;
        }
        server.is_queued = true;
        match server.free_at {
            Some(free) => self.later.push(Reverse((free, number))),
            None => self.ready.push_back(number),
        }
    }
}

impl Server {
    /// Leaves this part of the limit, and one request at least.
    fn slow_down(&mut self, part: f64) {
        self.limit = (self.limit * part).max(1.0);
        self.is_starting = false;
    }

    fn has_room(&self) -> bool {
        (self.running as f64) < self.limit.floor()
    }

    fn answered(&mut self, elapsed: Duration, most: f64) {
        self.failures = 0;
        let quickest = self.quickest.map_or(elapsed, |quickest| quickest.min(elapsed));
        self.quickest = Some(quickest);
        if elapsed > quickest * SLOW + CHANCE {
            self.slow_down(0.8);
        } else if self.limit < FEW.max(elapsed.as_secs_f64() * ENOUGH) {
            // Twice as many after each round of answers, or one more.
            let more = if self.is_starting { 1.0 } else { 1.0 / self.limit };
            self.limit = (self.limit + more).min(most);
        }
        // A server that asked for patience gets back to its pace bit by bit.
        self.spacing = self.spacing.mul_f64(0.95);
    }
}

/// Takes what is due off a heap of times.
trait Due {
    fn pop_if_due(&mut self, now: Instant) -> Option<Reverse<(Instant, usize)>>;
}

impl Due for BinaryHeap<Reverse<(Instant, usize)>> {
    fn pop_if_due(&mut self, now: Instant) -> Option<Reverse<(Instant, usize)>> {
        self.peek().filter(|Reverse((due, _))| *due <= now)?;
        self.pop()
    }
}

#[cfg(test)]
mod tests;
