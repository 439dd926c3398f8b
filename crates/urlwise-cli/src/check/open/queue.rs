//! Which link to open next: many servers at a time, and each of them gently.
//!
//! A server starts with two requests at a time. It gets more as long as its answers stay quick, and fewer when they slow down or
//! fail; when it says that it had too many requests, it is left alone for as long as it asks for. What may be
//! better later is asked again at the end, after everything else.

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
    /// The server of each job.
    homes: HashMap<usize, usize>,
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
            homes: HashMap::new(),
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
        self.homes.insert(job, number);
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
            let number = self.homes[&job];
            let server = &mut self.servers[number];
            server.limit = 1.0;
            server.failures = HOPELESS - 1;
            server.free_at = server.free_at.max(Some(now + PAUSE));
            server.waiting.push_back(job);
            self.enqueue(number);
        }
    }

    /// Hears what came of a job. Returns the jobs of the same server that are not asked because they would end alike.
    pub(super) fn done(&mut self, job: usize, came: Came, now: Instant) -> Vec<usize> {
        let number = self.homes[&job];
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
                    server.limit = (server.limit / 2.0).max(1.0);
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
                    server.limit = 1.0;
                    server.failures += 1;
                    self.suspects.push(job);
                    if server.failures >= HOPELESS {
                        alike.extend(server.waiting.drain(..));
                        self.suspects.extend(&alike);
                    }
                }
                Came::Failed => {
                    server.limit = (server.limit / 2.0).max(1.0);
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
    fn has_room(&self) -> bool {
        (self.running as f64) < self.limit.floor()
    }

    fn answered(&mut self, elapsed: Duration, most: f64) {
        self.failures = 0;
        let quickest = self.quickest.map_or(elapsed, |quickest| quickest.min(elapsed));
        self.quickest = Some(quickest);
        let is_slow = elapsed > quickest * SLOW + CHANCE;
        self.limit = match is_slow {
            true => (self.limit * 0.8).max(1.0),
            // One more after each round of answers.
            false => (self.limit + 1.0 / self.limit).min(most),
        };
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
mod tests {
    use super::*;

    const QUICK: Came = Came::Answer(Duration::from_millis(1));

    fn queue(per_server: u16, jobs: &[(usize, &str)]) -> Queue {
        let mut queue = Queue::new(Limits { per_server, pause: Duration::ZERO, retries: 1 });
        for (job, server) in jobs {
            queue.add(*job, Some((*server).to_owned()));
        }
        queue
    }

    /// All jobs that may start now.
    fn started(queue: &mut Queue, now: Instant) -> Vec<usize> {
        std::iter::from_fn(|| match queue.next(now) {
            Next::Job(job) => Some(job),
            Next::Wait(_) | Next::End => None,
        })
        .collect()
    }

    #[test]
    fn a_server_starts_with_two_requests_and_servers_take_turns() {
        let now = Instant::now();
        let mut queue = queue(8, &[(0, "a"), (1, "a"), (2, "a"), (3, "b"), (4, "b"), (5, "b")]);
        assert_eq!(started(&mut queue, now), [0, 3, 1, 4]);
        assert_eq!(queue.next(now), Next::Wait(Duration::MAX));
        assert!(queue.done(0, QUICK, now).is_empty());
        assert_eq!(started(&mut queue, now), [2]);
    }

    #[test]
    fn quick_answers_make_more_requests_and_slow_ones_fewer() {
        let now = Instant::now();
        let jobs: Vec<_> = (0..1_000).map(|job| (job, "a")).collect();
        let mut queue = queue(8, &jobs);
        let mut running = started(&mut queue, now);
        for _ in 0..100 {
            queue.done(running.remove(0), QUICK, now);
            running.extend(started(&mut queue, now));
        }
        assert_eq!(running.len(), 8, "no more than --per-host");
        for _ in 0..20 {
            queue.done(running.remove(0), Came::Answer(Duration::from_secs(1)), now);
            running.extend(started(&mut queue, now));
        }
        assert_eq!(running.len(), 1);
    }

    #[test]
    fn a_limit_of_one_is_kept_and_a_rate_too() {
        let now = Instant::now();
        let mut queue = queue(1, &[(0, "a"), (1, "a")]);
        queue.limits.pause = Duration::from_millis(500);
        assert_eq!(started(&mut queue, now), [0]);
        queue.done(0, QUICK, now);
        assert_eq!(queue.next(now), Next::Wait(Duration::from_millis(500)));
        assert_eq!(started(&mut queue, now + Duration::from_millis(500)), [1]);
    }

    #[test]
    fn a_server_that_had_too_many_requests_is_left_alone_for_as_long_as_it_asks() {
        let now = Instant::now();
        let mut queue = queue(8, &[(0, "a"), (1, "a"), (2, "b")]);
        assert_eq!(started(&mut queue, now), [0, 2, 1]);
        queue.done(0, Came::TooMany(Some(Duration::from_secs(7))), now);
        queue.done(1, QUICK, now);
        assert_eq!(queue.next(now + Duration::from_secs(6)), Next::Wait(Duration::from_secs(1)));
        assert_eq!(queue.next(now + Duration::from_secs(7)), Next::Job(0));
    }

    #[test]
    fn a_link_is_not_delayed_for_ever() {
        let mut now = Instant::now();
        let mut queue = queue(8, &[(0, "a")]);
        let mut asked = 0;
        loop {
            match queue.next(now) {
                Next::Job(job) => {
                    asked += 1;
                    queue.done(job, Came::TooMany(None), now);
                }
                Next::Wait(time) => now += time,
                Next::End => break,
            }
        }
        // Once, three times after a delay, and at the end.
        assert_eq!(asked, 1 + MOST_DELAYS + 1);
    }

    #[test]
    fn a_server_that_wants_to_be_left_alone_for_long_is_not_asked_again() {
        let now = Instant::now();
        let mut queue = queue(1, &[(0, "a"), (1, "a"), (2, "a")]);
        assert_eq!(started(&mut queue, now), [0]);
        let wait = LONGEST_PAUSE + Duration::from_secs(1);
        assert_eq!(queue.done(0, Came::TooMany(Some(wait)), now), [1, 2]);
        assert_eq!(queue.next(now), Next::End);
    }

    #[test]
    fn a_server_that_keeps_asking_for_patience_loses_it() {
        let mut now = Instant::now();
        let mut queue = queue(8, &(0..10_000).map(|job| (job, "a")).collect::<Vec<_>>());
        let (start, mut asked, mut alike) = (now, 0, 0);
        loop {
            match queue.next(now) {
                Next::Job(job) => {
                    asked += 1;
                    alike += queue.done(job, Came::TooMany(Some(LONGEST_PAUSE)), now).len();
                }
                Next::Wait(time) => now += time,
                Next::End => break,
            }
        }
        // Six waits are too many, and the second attempts do not begin anew.
        assert_eq!((asked, now - start), (6, LONGEST_PAUSES));
        assert_eq!(alike, 10_000 - 1);
    }

    #[test]
    fn several_answers_that_ask_for_one_wait_are_one() {
        let now = Instant::now();
        let mut queue = queue(8, &(0..8).map(|job| (job, "a")).collect::<Vec<_>>());
        for job in started(&mut queue, now) {
            queue.done(job, Came::TooMany(Some(Duration::from_secs(9))), now);
        }
        assert_eq!(queue.servers[0].paused, Duration::from_secs(9));
    }

    #[test]
    fn what_a_redirect_leads_to_says_nothing_about_the_server() {
        let mut now = Instant::now();
        let mut queue = queue(1, &(0..10).map(|job| (job, "a")).collect::<Vec<_>>());
        let mut order = Vec::new();
        loop {
            match queue.next(now) {
                Next::Job(job) => {
                    order.push(job);
                    assert!(queue.done(job, Came::Redirect { is_suspect: job == 3 }, now).is_empty());
                }
                Next::Wait(time) => now += time,
                Next::End => break,
            }
        }
        assert_eq!(order, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3]);
    }

    #[test]
    fn suspects_are_asked_again_after_everything_else_and_once() {
        let mut now = Instant::now();
        let mut queue = queue(1, &[(0, "a"), (1, "a"), (2, "b")]);
        let mut order = Vec::new();
        loop {
            match queue.next(now) {
                Next::Job(job) => {
                    order.push(job);
                    queue.done(job, if job == 0 { Came::Failed } else { QUICK }, now);
                }
                Next::Wait(time) => now += time,
                Next::End => break,
            }
        }
        assert_eq!(order, [0, 2, 1, 0]);
    }

    #[test]
    fn a_server_that_does_not_answer_is_asked_three_times_and_once_again() {
        let mut now = Instant::now();
        let mut queue = queue(8, &(0..100).map(|job| (job, "a")).collect::<Vec<_>>());
        let (mut asked, mut alike) = (0, 0);
        loop {
            match queue.next(now) {
                Next::Job(job) => {
                    asked += 1;
                    alike += queue.done(job, Came::Nothing, now).len();
                }
                Next::Wait(time) => now += time,
                Next::End => break,
            }
        }
        assert_eq!((asked, alike), (4, 97 + 99));
    }

    #[test]
    fn one_answer_makes_hope_for_the_rest() {
        let mut now = Instant::now();
        let mut queue = queue(1, &(0..5).map(|job| (job, "a")).collect::<Vec<_>>());
        let mut order = Vec::new();
        loop {
            match queue.next(now) {
                Next::Job(job) => {
                    let came = if order.len() < 3 { Came::Nothing } else { QUICK };
                    order.push(job);
                    queue.done(job, came, now);
                }
                Next::Wait(time) => now += time,
                Next::End => break,
            }
        }
        assert_eq!(order, [0, 1, 2, 0, 1, 2, 3, 4]);
    }

    #[test]
    fn only_failures_in_a_row_count() {
        for hopeful in [QUICK, Came::Failed, Came::Redirect { is_suspect: true }] {
            let now = Instant::now();
            let mut queue = queue(1, &(0..9).map(|job| (job, "a")).collect::<Vec<_>>());
            for (job, came) in [Came::Nothing, Came::Nothing, hopeful, Came::Nothing, Came::Nothing].iter().enumerate()
            {
                assert_eq!(queue.next(now), Next::Job(job));
                assert!(queue.done(job, *came, now).is_empty(), "{hopeful:?}");
            }
            assert_eq!(queue.next(now), Next::Job(5));
            assert_eq!(queue.done(5, Came::Nothing, now), [6, 7, 8], "{hopeful:?}");
        }
    }

    #[test]
    fn a_suspect_without_an_answer_ends_the_hope_for_the_others() {
        let mut now = Instant::now();
        let mut queue = queue(1, &(0..5).map(|job| (job, "a")).collect::<Vec<_>>());
        for job in 0..5 {
            assert_eq!(queue.next(now), Next::Job(job));
            queue.done(job, Came::Failed, now);
        }
        assert_eq!(queue.next(now), Next::Wait(PAUSE), "suspects are asked after a pause");
        now += PAUSE;
        assert_eq!(queue.next(now), Next::Job(0));
        assert_eq!(queue.done(0, Came::Nothing, now), [1, 2, 3, 4]);
        assert_eq!(queue.next(now), Next::End);
    }

    #[test]
    fn requests_get_rarer_with_each_answer_that_asks_for_patience_and_again_more_frequent() {
        let now = Instant::now();
        let mut queue = queue(8, &(0..9).map(|job| (job, "a")).collect::<Vec<_>>());
        let limited = Came::TooMany(Some(Duration::ZERO));
        let mut spacings = Vec::new();
        for came in [limited, limited, QUICK, limited, limited, limited, limited, limited] {
            let server = &mut queue.servers[0];
            (server.free_at, server.running) = (None, 1);
            queue.running = 1;
            queue.done(0, came, now);
            spacings.push(queue.servers[0].spacing.as_millis());
        }
        assert_eq!(spacings, [50, 100, 95, 190, 380, 760, 1_520, 2_000]);
        (queue.servers[0].free_at, queue.servers[0].limit) = (Some(now), 2.0);
        assert!(matches!(queue.next(now), Next::Job(_)));
        assert_eq!(queue.next(now), Next::Wait(Duration::from_secs(2)));
    }

    #[test]
    fn chance_does_not_make_an_answer_slow_and_silence_leaves_one_request_at_a_time() {
        let now = Instant::now();
        let mut queue = queue(8, &(0..99).map(|job| (job, "a")).collect::<Vec<_>>());
        let mut running = started(&mut queue, now);
        for elapsed in [1, 54, 54, 54, 54, 54] {
            queue.done(running.remove(0), Came::Answer(Duration::from_millis(elapsed)), now);
            running.extend(started(&mut queue, now));
        }
        assert!(running.len() > 2, "{running:?}");
        queue.done(running.remove(0), Came::Nothing, now);
        assert_eq!(queue.servers[0].limit.to_bits(), 1.0_f64.to_bits());
    }

    #[test]
    fn a_host_that_does_not_exist_is_asked_for_once() {
        let now = Instant::now();
        let mut queue = queue(1, &[(0, "a"), (1, "a"), (2, "b")]);
        assert_eq!(started(&mut queue, now), [0, 2]);
        assert_eq!(queue.done(0, Came::NoHost, now), [1]);
        queue.done(2, QUICK, now);
        assert_eq!(queue.next(now), Next::End);
    }

    #[test]
    fn files_of_this_machine_have_no_limit() {
        let now = Instant::now();
        let mut queue = Queue::new(Limits { per_server: 1, pause: Duration::from_secs(1), retries: 0 });
        (0..50).for_each(|job| queue.add(job, None));
        assert_eq!(started(&mut queue, now).len(), 50);
    }
}
