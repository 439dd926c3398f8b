//! Deadlines: every wait is bounded (S-48) and can be cancelled (S-50).
//!
//! Once connected, a deadline counts only the time spent waiting for the peer, so the reader of an answer may pause for any
//! time. Only the limit on the whole call counts that time too.

use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use crate::policy::{Sender, SendingServer};
use crate::protocol::Hint;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use urlwise::{Message, NestedSecrets, Url};

/// Where the deadlines are described.
const REFERENCE: &str = "S-48";

/// How long to wait, and for what. The defaults are 30 s, 60 s and 60 s.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deadlines {
    /// From the start of name resolution to the end of the TLS handshake, for all addresses of the host together; where the
    /// server speaks first (ftp, nntp, smtp), to the first octet of its greeting.
    pub connect: Duration,
    /// From sending a command to the first octet of its answer, and from connecting to the first octet of the greeting.
    pub first_byte: Duration,
    /// Between two octets of an answer, and for each write.
    pub idle: Duration,
    /// A transfer slower than this fails. `None`: no minimum.
    pub min_rate: Option<MinRate>,
}

/// A transfer slower than this fails: fewer than `octets` in any interval of length `every`.
///
/// It stops servers that send an octet now and then to keep a connection alive, which no idle deadline can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MinRate {
    /// The octets that must arrive.
    pub octets: u64,
    /// The interval in which they must arrive.
    pub every: Duration,
}

impl MinRate {
    /// At least `octets` in every interval of length `every`.
    pub fn new(octets: u64, every: Duration) -> MinRate {
        MinRate { octets, every }
    }
}

impl Default for Deadlines {
    fn default() -> Deadlines {
        Deadlines {
            connect: Duration::from_secs(30),
            first_byte: Duration::from_secs(60),
            idle: Duration::from_secs(60),
            min_rate: None,
        }
    }
}

/// A request to stop. All clones are the same request.
///
/// When a [`Client`](crate::Client) has it in its options, every wait ends within a quarter of a second with
/// [`ErrorKind::Cancelled`], except for connecting the data connection of ftp, which runs until its deadline.
///
/// ```
/// use urlwise_open::{Cancel, Client, Options};
///
/// let cancel = Cancel::new();
/// let mut options = Options::default();
/// options.cancel = Some(cancel.clone());
/// let client = Client::new(options);
/// cancel.request(); // from another thread, or after a signal
/// assert!(cancel.is_requested());
/// # let _ = client;
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// How often a wait checks whether it has been cancelled.
    const LOOK: Duration = Duration::from_millis(250);

    /// A request that has not been made yet.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Ends every wait that checks it. It cannot be undone.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it has been requested.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The error of a call that it has ended.
    fn error() -> Error {
        Error::new(ErrorKind::Cancelled, words!("interrupted"))
    }
}

/// The deadline that bounds the next wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Connect,
    /// The same, as long as the addresses of the host are not known.
    Resolve,
    /// Connected, and the server has to speak first: the connect deadline still applies.
    Greeting,
    FirstByte,
    Idle,
    /// Idle, where the protocol has its own clock and a server may ask for more time.
    Quiet,
    Total,
    MinRate,
    /// Not a deadline: time to check [`Cancel`].
    Look,
}

/// The clock of one call: all its hops and reads share the total.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    deadlines: Deadlines,
    /// When connecting began.
    since: Instant,
    phase: Bound,
    /// How long the peer has been waited for in the present phase. Not counted in [`Bound::Connect`], [`Bound::Resolve`] and
    /// [`Bound::Greeting`], which nobody reads in between.
    waited: Duration,
    /// When the wait began that is still to be counted.
    waiting: Option<Instant>,
    /// The limit of the whole call, and when it is reached.
    total: Option<(Duration, Instant)>,
    /// Octets that arrived in the present stretch of [`MinRate`], and how long the peer has been waited for in it.
    stretch: (u64, Duration),
    cancel: Option<Cancel>,
    /// How much time beyond the idle deadline the server asked for and was given.
    granted: Duration,
    /// The server that sent the URL, on which it depends where the URL may lead (S-9).
    server: Option<SendingServer>,
    /// Others have chosen the URL, so no local address is connected to (S-58).
    sender: Option<Sender>,
    /// The passwords of URLs inside the URL, masked in what observers see; `None` if it holds no such URL.
    nested: Option<Arc<NestedSecrets>>,
    /// The first byte that is waited for is that of more of the same answer, so that the minimum rate holds.
    continues: bool,
}

/// How long the next wait may last, and which deadline bounds it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    /// Never zero.
    pub(crate) at_most: Duration,
    bound: Bound,
}

impl Clock {
    pub(crate) fn start(deadlines: Deadlines) -> Clock {
        let now = Instant::now();
        Clock {
            total: None,
            deadlines,
            since: now,
            phase: Bound::Connect,
            waited: Duration::ZERO,
            waiting: None,
            stretch: (0, Duration::ZERO),
            cancel: None,
            granted: Duration::ZERO,
            server: None,
            sender: None,
            nested: None,
            continues: false,
        }
    }

    /// Sets the server that sent the URL, in a redirect or a link.
    pub(crate) fn sent_from(self, server: Option<SendingServer>) -> Clock {
        Clock { server, ..self }
    }

    /// The server that sent the URL.
    pub(crate) fn server(&self) -> Option<SendingServer> {
        self.server
    }

    /// Sets who else has chosen the URL, or the one that it is the answer to.
    pub(crate) fn sent_by(self, sender: Option<Sender>) -> Clock {
        Clock { sender, ..self }
    }

    /// Sets the URL that is opened, for what must not be shown of it.
    pub(crate) fn hiding(self, url: &Url<&str>) -> Clock {
        let nested = NestedSecrets::of(url.as_str().as_bytes());
        Clock { nested: (!nested.is_empty()).then(|| Arc::new(nested)), ..self }
    }

    /// What must not be shown of the URL; `None` if there is nothing.
    pub(crate) fn nested(&self) -> Option<Arc<NestedSecrets>> {
        self.nested.clone()
    }

    /// Who has chosen the URL; `None` if nobody else has.
    pub(crate) fn sender(&self) -> Option<Sender> {
        self.sender
    }

    /// The same for a server that may not answer: the first octet is waited for half as long, and no longer than half of what is
    /// left of the whole call.
    pub(crate) fn halved(mut self) -> Clock {
        let left = self.total.map(|(_, end)| end.saturating_duration_since(Instant::now()) / 2);
        let first_byte = self.deadlines.first_byte / 2;
        self.deadlines.first_byte = left.map_or(first_byte, |left| left.min(first_byte));
        self
    }

    /// The same with another deadline for the first octet.
    pub(crate) fn with_first_byte(mut self, first_byte: Duration) -> Clock {
        self.deadlines.first_byte = first_byte;
        self
    }

    /// Bounds the whole call.
    pub(crate) fn within(self, timeout: Option<Duration>) -> Clock {
        let total = timeout.and_then(|timeout| Some((timeout, self.since.checked_add(timeout)?)));
        Clock { total, ..self }
    }

    /// Waits also end when this is requested.
    pub(crate) fn cancelled_by(self, cancel: Option<Cancel>) -> Clock {
        Clock { cancel, ..self }
    }

    /// The length of the idle deadline.
    pub(crate) fn idle(&self) -> Duration {
        self.deadlines.idle
    }

    /// Without an idle deadline and without a minimum rate: for octets that a person types.
    pub(crate) fn without_idle(mut self) -> Clock {
        self.deadlines = Deadlines { idle: Duration::MAX, min_rate: None, ..self.deadlines };
        self.flowing();
        self
    }

    pub(crate) fn connecting(&mut self) {
        self.enter(Bound::Connect);
    }

    /// The addresses of the host are looked for, which is a part of connecting.
    pub(crate) fn resolving(&mut self) {
        self.phase = Bound::Resolve;
    }

    /// They are known.
    pub(crate) fn resolved(&mut self) {
        self.phase = Bound::Connect;
    }

    /// The server may have to speak first. Its greeting is bounded by what is left of the connect deadline and by the deadline of
    /// the first octet, whichever is earlier.
    pub(crate) fn connected(&mut self) {
        if self.deadlines.connect.saturating_sub(self.since.elapsed()) < self.deadlines.first_byte {
            self.phase = Bound::Greeting;
        } else {
            self.enter(Bound::FirstByte);
        }
    }

    /// Octets may arrive at any time, each within the idle deadline.
    pub(crate) fn flowing(&mut self) {
        self.enter(Bound::Idle);
    }

    /// What is left of the connect and the total deadline.
    pub(crate) fn left(&self) -> Duration {
        let connect = self.deadlines.connect.saturating_sub(self.since.elapsed());
        let total = self.total.map(|(_, end)| end.saturating_duration_since(Instant::now()));
        total.map_or(connect, |total| total.min(connect))
    }

    pub(crate) fn asked(&mut self) {
        self.enter(Bound::FirstByte);
    }

    /// More of an answer that has begun was asked for. Its first byte has its own deadline, but the minimum rate is that of
    /// the whole answer.
    pub(crate) fn asked_for_more(&mut self) {
        let stretch = self.stretch;
        self.enter(Bound::FirstByte);
        self.stretch = stretch;
        self.continues = true;
    }

    /// `octets` of payload arrived.
    pub(crate) fn arrived(&mut self, octets: usize) {
        self.count();
        if matches!(self.phase, Bound::FirstByte | Bound::Greeting) {
            let stretch = if self.continues { self.stretch } else { Default::default() };
            self.enter(Bound::Idle);
            self.stretch = stretch;
        }
        self.waited = Duration::ZERO;
        self.stretch.0 += octets as u64;
    }

    /// Counts a datagram of `octets`; the next one has the idle deadline plus what is `granted`.
    pub(crate) fn heard(&mut self, octets: usize, granted: Duration) {
        if self.phase != Bound::Quiet {
            self.enter(Bound::Quiet);
        }
        self.count();
        self.waited = Duration::ZERO;
        self.granted = granted;
        self.stretch.0 += octets as u64;
    }

    fn enter(&mut self, phase: Bound) {
        if phase == Bound::Connect {
            self.since = Instant::now();
        }
        self.phase = phase;
        self.waited = Duration::ZERO;
        self.waiting = None;
        self.stretch = (0, Duration::ZERO);
        self.continues = false;
    }

    /// Counts the time of the present wait.
    fn count(&mut self) {
        let Some(began) = self.waiting.take() else { return };
        let waited = began.elapsed();
        self.waited += waited;
        self.stretch.1 += waited;
    }

    /// The bound of the next wait of this phase; an error if that time has already passed.
    pub(crate) fn wait(&mut self) -> Result<Wait, Error> {
        let wait = self.wait_in_one()?;
        let look = Wait { at_most: Cancel::LOOK, bound: Bound::Look };
        Ok(if self.cancel.is_some() { wait.or(look) } else { wait })
    }

    /// Like [`wait`](Clock::wait), for a wait that cannot be resumed after a check for cancellation.
    pub(crate) fn wait_in_one(&mut self) -> Result<Wait, Error> {
        if self.cancel.as_ref().is_some_and(Cancel::is_requested) {
            return Err(Cancel::error());
        }
        self.deadline()
    }

    fn deadline(&mut self) -> Result<Wait, Error> {
        self.count();
        let limit = match self.phase {
            Bound::Connect | Bound::Resolve | Bound::Greeting => self.deadlines.connect,
            Bound::FirstByte => self.deadlines.first_byte,
            Bound::Quiet => self.quiet(),
            Bound::Idle | Bound::Total | Bound::MinRate | Bound::Look => self.deadlines.idle,
        };
        let mut wait = Wait { at_most: limit.saturating_sub(self.waited), bound: self.phase };
        // While octets flow and no other bound is set, only looks are counted: no clock is read for each packet.
        if self.phase == Bound::Idle && self.total.is_none() && self.deadlines.min_rate.is_none() {
            return if wait.at_most.is_zero() { Err(self.passed(wait)) } else { Ok(wait) };
        }
        let now = Instant::now();
        self.waiting = Some(now);
        if matches!(self.phase, Bound::Connect | Bound::Resolve | Bound::Greeting) {
            wait.at_most = limit.saturating_sub(now - self.since);
        }
        let flows = match self.phase {
            Bound::Idle => true,
            Bound::Quiet => self.granted.is_zero(),
            Bound::FirstByte => self.continues,
            Bound::Connect | Bound::Resolve | Bound::Greeting | Bound::Total | Bound::MinRate | Bound::Look => false,
        };
        if let Some(min_rate) = self.deadlines.min_rate.filter(|_| flows) {
            if self.stretch.1 >= min_rate.every {
                if self.stretch.0 < min_rate.octets {
                    return Err(self.passed(Wait { bound: Bound::MinRate, ..wait }));
                }
                self.stretch = (0, Duration::ZERO);
            }
            wait = wait.or(Wait { at_most: min_rate.every - self.stretch.1, bound: Bound::MinRate });
        }
        if let Some((_, end)) = self.total {
            wait = wait.or(Wait { at_most: end.saturating_duration_since(now), bound: Bound::Total });
        }
        if wait.at_most.is_zero() {
            return Err(self.passed(wait));
        }
        Ok(wait)
    }

    /// Decides whether a wait that ran out is a failure: the interval of [`MinRate`] may have had enough octets, and a check
    /// for cancellation may find no request.
    pub(crate) fn ran_out(&mut self, wait: Wait) -> Result<(), Error> {
        match wait.bound {
            Bound::MinRate | Bound::Look => {
                // The system's timer may have run out a moment before our clock says so.
                let waited = self.waiting.take().map_or(wait.at_most, |began| wait.at_most.max(began.elapsed()));
                self.waited += waited;
                self.stretch.1 += waited;
                self.wait().map(|_| ())
            }
            _ => Err(self.passed(wait)),
        }
    }

    fn quiet(&self) -> Duration {
        self.deadlines.idle.saturating_add(self.granted)
    }

    fn passed(&self, wait: Wait) -> Error {
        let (what, limit, hint) = match wait.bound {
            Bound::Connect => {
                (words!("timed out: not connected after {seconds} s"), self.deadlines.connect, Hint::ConnectTimeout)
            }
            Bound::Resolve => {
                (words!("timed out: host not resolved after {seconds} s"), self.deadlines.connect, Hint::ConnectTimeout)
            }
            Bound::Greeting => (
                words!("timed out: connected, but no answer after {seconds} s"),
                self.deadlines.connect,
                Hint::ConnectTimeout,
            ),
            Bound::FirstByte => {
                (words!("timed out: no answer for {seconds} s"), self.deadlines.first_byte, Hint::FirstByteTimeout)
            }
            Bound::Idle => (words!("timed out: no data for {seconds} s"), self.deadlines.idle, Hint::IdleTimeout),
            Bound::Quiet => (words!("timed out: no datagram for {seconds} s"), self.quiet(), Hint::IdleTimeout),
            Bound::Look => return Cancel::error(),
            Bound::Total => (
                words!("timed out: not complete after {seconds} s"),
                self.total.map_or(Duration::ZERO, |(limit, _)| limit),
                Hint::Timeout,
            ),
            Bound::MinRate => {
                let min_rate = self.deadlines.min_rate.unwrap_or(MinRate { octets: 0, every: Duration::ZERO });
                return Error::new(
                    ErrorKind::Timeout,
                    message!(
                        "timed out: fewer than {octets} octets in {seconds} s",
                        octets = min_rate.octets,
                        seconds = min_rate.every.as_secs_f64().to_string()
                    ),
                )
                .with_reference(REFERENCE)
                .with_help(words!("the transfer is slower than the minimum rate"))
                .with_hint(Hint::MinRate);
            }
        };
        Error::new(ErrorKind::Timeout, Message::new(what).with("seconds", limit.as_secs_f64().to_string()))
            .with_reference(REFERENCE)
            .with_help(words!("try again later, or allow more time"))
            .with_hint(hint)
    }
}

impl Wait {
    /// The shorter of two.
    fn or(self, other: Wait) -> Wait {
        if other.at_most < self.at_most { other } else { self }
    }
}

#[cfg(test)]
mod tests;
