//! The exchange: sends the request until it is answered, and receives the answer until it is complete.

use super::answer::{RULE, Reassembly, Taken};
use super::datagram::Datagram;
use super::header::{Header, Signal};
use super::settings::ArdpSettings;
use crate::language::{message, words};
use crate::protocol::{Fault, FaultKind};
use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::num::NonZeroU16;
use std::time::Duration;
use urlwise::Message;

/// Octets of a request per datagram, the same as in the clients of 1994: no datagram needs to be fragmented on its way.
const PACKET: usize = 1250;

/// The most packets of a request: as many as may be sent before an acknowledgement. No real name comes near it.
const MOST_PACKETS: usize = 16;

/// Bounds of the first wait for the next packet of an answer. Servers send an answer without pauses, and asking again too early
/// makes them send a window of packets twice.
const SHORTEST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(4);

/// How much later than its successor a packet may arrive before it is considered lost.
const OVERTAKEN: Duration = Duration::from_millis(20);

/// The shortest time between acknowledgements of packets that had arrived before. A server that sends the next packets for each
/// acknowledgement, on a network that doubles datagrams, would otherwise double its traffic with every window.
const REPEATED: Duration = Duration::from_millis(250);

/// The next step of an [`Ardp`] exchange. There may be others.
///
/// Not a [`Step`](crate::protocol::Step): a stream ends and never needs a clock, datagrams are sent again when time has passed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArdpStep {
    /// Send this to the server.
    Send(Datagram),
    /// Wait for a datagram until this time at most, then call [`next`](Ardp::next) again.
    Wait {
        /// On the same clock as the times passed to [`next`](Ardp::next).
        until: Duration,
    },
    /// The next octets of the answer, at least one.
    Data(Vec<u8>),
    /// A datagram of this exchange arrived. Its header, for observers; its data follows.
    Received(Header),
    /// From now on, send to this address and port, and accept answers only from there. The server chose both, so the policy has to
    /// admit them like a link.
    Redirect {
        /// Not multicast, broadcast or unspecified.
        address: Ipv4Addr,
        /// Above 0.
        port: u16,
    },
    /// The answer is complete.
    Done,
    /// The exchange has failed. The data returned before is in sequence.
    Fail(Fault),
}

/// One request and its answer.
#[derive(Clone, Debug)]
pub struct Ardp {
    request: Vec<u8>,
    connection: NonZeroU16,
    settings: ArdpSettings,
    phase: Phase,
    /// Steps to return before anything else.
    steps: VecDeque<ArdpStep>,
    /// The server has acknowledged the packets of the request up to this one.
    acknowledged: u16,
    answer: Reassembly,
    /// We have acknowledged the packets of the answer up to this one.
    reported: u16,
    /// Until then, packets that had arrived before are not acknowledged again.
    quiet_until: Duration,
    timer: Timer,
    /// When the request was last sent, how often, and how long the server took to respond.
    asked: Duration,
    attempts: u32,
    response_time: Option<Duration>,
    /// The last wait that the server asked for, in seconds.
    wait: u16,
    began: Duration,
    heard: u32,
    redirects: u32,
    /// Whether something arrived that is not ARDP.
    is_foreign: bool,
}

#[derive(Clone, Debug)]
enum Phase {
    Start,
    Open,
    Done,
    Failed(Fault),
}

/// When to send again.
#[derive(Clone, Copy, Debug, Default)]
struct Timer {
    due: Duration,
    /// The wait after the next retransmission.
    interval: Duration,
    /// When the exchange times out.
    end: Duration,
    /// Whether anything has been sent again since the last packet in sequence or the last acknowledgement.
    has_repeated: bool,
    /// Whether a new packet has arrived since the last retransmission.
    has_news: bool,
}

impl Ardp {
    /// An exchange that sends `request`, which includes its final line end if it has one.
    ///
    /// The connection id must be random, and different for each exchange over one socket: servers keep finished answers for a while
    /// and send them again to any request with the same id.
    pub fn new(request: Vec<u8>, connection: NonZeroU16, settings: ArdpSettings) -> Ardp {
        Ardp {
            request,
            connection,
            settings,
            phase: Phase::Start,
            steps: VecDeque::new(),
            acknowledged: 0,
            answer: Reassembly::default(),
            reported: 0,
            quiet_until: Duration::ZERO,
            timer: Timer::default(),
            asked: Duration::ZERO,
            attempts: 0,
            response_time: None,
            wait: 0,
            began: Duration::ZERO,
            heard: 0,
            redirects: 0,
            is_foreign: false,
        }
    }

    /// The next step at this time, which must not be earlier than in a previous call. After [`ArdpStep::Done`] and
    /// [`ArdpStep::Fail`] it returns that step again.
    pub fn next(&mut self, now: Duration) -> ArdpStep {
        loop {
            if let Some(action) = self.steps.pop_front() {
                return action;
            }
            match &self.phase {
                Phase::Start => match self.check() {
                    Ok(()) => {
                        self.phase = Phase::Open;
                        self.began = now;
                        self.send_request(now);
                        self.restart_timer(now);
                    }
                    Err(fault) => self.phase = Phase::Failed(fault),
                },
                Phase::Open => {
                    let end = self.began.saturating_add(self.settings.limits.total);
                    if now >= end {
                        self.fail(self.endless());
                    } else if now >= self.timer.due.min(self.timer.end) {
                        self.repeat(now);
                    } else {
                        return ArdpStep::Wait { until: self.timer.due.min(self.timer.end).min(end) };
                    }
                }
                Phase::Done => return ArdpStep::Done,
                Phase::Failed(fault) => return ArdpStep::Fail(fault.clone()),
            }
        }
    }

    /// Takes a datagram from the address of the server, whatever its port: servers answer from another port than the one that was
    /// asked. Returns whether it belongs to this exchange; if not, nothing has changed.
    pub fn receive(&mut self, datagram: &[u8], now: Duration) -> bool {
        if !matches!(self.phase, Phase::Open) {
            return false;
        }
        let Ok((header, data)) = Header::decode(datagram) else {
            self.is_foreign = true;
            return false;
        };
        if header.connection != self.connection.get() {
            return false;
        }
        if let Err(fault) = self.read(&header, data, now) {
            self.fail(fault);
        }
        true
    }

    /// How long the server asked us to wait, cut to the limit; zero if it did not ask.
    pub fn granted(&self) -> Duration {
        Duration::from_secs(self.wait.into()).min(self.settings.limits.wait)
    }

    /// The datagram that cancels the request, for a caller that stops early; no answer to it will arrive. `None` if there is nothing to
    /// cancel or no known server to tell: nothing was sent, nothing has arrived, or the exchange has ended.
    pub fn cancel(&self) -> Option<Datagram> {
        let is_known = matches!(self.phase, Phase::Open) && self.heard > 0;
        let header = Header { signal: Some(Signal::Refused), received_through: None, ..self.notice() };
        is_known.then(|| Datagram::new(header, &[]))
    }

    /// Checks whether the request may be sent, whatever was checked before (S-4). [`next`](Ardp::next) does so before it sends
    /// anything; a caller that resolves the server's name first can call this earlier.
    ///
    /// # Errors
    /// The request is empty, longer than what may be sent without an acknowledgement, or contains NUL.
    pub fn check(&self) -> Result<(), Fault> {
        if self.request.is_empty() {
            return Err(Fault::new(FaultKind::Refused, RULE, words!("the request is empty")));
        }
        if let Some(at) = self.request.iter().position(|octet| *octet == 0) {
            let fault = Fault::new(FaultKind::Refused, RULE, words!("the request would contain NUL"));
            return Err(fault.at(at).octets(&self.request));
        }
        if self.request.len() > MOST_PACKETS * PACKET {
            let (length, most) = (self.request.len(), MOST_PACKETS * PACKET);
            let what = message!(
                "the request is {count} octets long, more than the maximum of {most}",
                count = length,
                most = most
            );
            return Err(Fault::new(FaultKind::Refused, RULE, what));
        }
        Ok(())
    }

    /// The header of a datagram outside the sequence.
    fn notice(&self) -> Header {
        let received_through = Some(self.answer.through());
        Header { connection: self.connection.get(), received_through, ..Header::default() }
    }

    /// Sends the packets of the request that the server has not acknowledged; all of them if it has acknowledged all, since it may
    /// have forgotten the request.
    fn send_request(&mut self, now: Duration) {
        self.asked = now;
        self.attempts += 1;
        self.reported = self.answer.through();
        let known = if self.has_request() { 0 } else { self.acknowledged };
        let packets = self.request.chunks(PACKET).enumerate().skip(usize::from(known));
        // At most 16 after `check`.
        let total = Some(self.request.len().div_ceil(PACKET) as u16);
        let notice = self.notice();
        self.steps.extend(packets.map(|(index, data)| {
            ArdpStep::Send(Datagram::new(Header { packet: index as u16 + 1, total, ..notice }, data))
        }));
    }

    fn has_request(&self) -> bool {
        usize::from(self.acknowledged) >= self.request.len().div_ceil(PACKET)
    }

    fn acknowledge(&mut self) {
        self.reported = self.answer.through();
        self.steps.push_back(ArdpStep::Send(Datagram::new(self.notice(), &[])));
    }

    /// The server asks for an acknowledgement, with a packet that had arrived before if `is_repeated`.
    fn answer_request_to_acknowledge(&mut self, is_repeated: bool, now: Duration) {
        if !is_repeated || self.has_unreported() {
            self.acknowledge();
        } else if now >= self.quiet_until {
            self.quiet_until = now.saturating_add(REPEATED);
            self.acknowledge();
        }
    }

    /// Whether packets have arrived that we have not acknowledged. The server continues only after an acknowledgement or a new
    /// request.
    fn has_unreported(&self) -> bool {
        self.answer.through() > self.reported
    }

    /// The wait before the first retransmission.
    fn first_wait(&self) -> Duration {
        let first = self.settings.first_wait;
        match self.response_time {
            Some(response_time) if self.answer.has_begun() => {
                response_time.saturating_mul(2).clamp(SHORTEST_WAIT.min(first), LONGEST_WAIT)
            }
            _ => first,
        }
    }

    /// Restarts the timer: there was progress, or the exchange starts again.
    fn restart_timer(&mut self, now: Duration) {
        let (first, granted) = (self.first_wait(), self.granted());
        // The wait that the server asked for replaces the first one.
        let extra = granted.saturating_sub(self.settings.first_wait);
        self.timer = Timer {
            due: now.saturating_add(first.max(granted)),
            interval: first.saturating_mul(2),
            end: now.saturating_add(self.settings.patience).saturating_add(extra),
            has_repeated: false,
            has_news: true,
        };
    }

    /// Sends again after `wait` at the latest.
    fn hasten(&mut self, now: Duration, wait: Duration) {
        let due = now.saturating_add(wait);
        if due < self.timer.due {
            self.timer.due = due;
            self.timer.interval = self.first_wait();
        }
    }

    /// The timer has expired.
    fn repeat(&mut self, now: Duration) {
        if now >= self.timer.end {
            return self.fail(self.silent());
        }
        if self.has_unreported() || (self.has_request() && !self.timer.has_repeated) {
            self.acknowledge();
        } else {
            self.send_request(now);
        }
        let wait = self.timer.interval;
        self.timer.due = now.saturating_add(wait);
        self.timer.interval = wait.saturating_mul(2);
        (self.timer.has_repeated, self.timer.has_news) = (true, false);
    }

    /// Takes a packet of the answer. Returns whether it is new.
    fn take(&mut self, header: &Header, data: &[u8], now: Duration) -> Result<bool, Fault> {
        let data = if header.control { &[] } else { data };
        let taken = self.answer.take(header.packet, header.total, data, &self.settings.limits)?;
        let is_new = taken != Taken::Nothing;
        match taken {
            Taken::Ready(ready) => {
                self.restart_timer(now);
                if !ready.is_empty() {
                    self.steps.push_back(ArdpStep::Data(ready));
                }
            }
            Taken::Ahead => {
                self.timer.has_news = true;
                self.hasten(now, self.first_wait());
            }
            Taken::Nothing => {}
        }
        // The server sends nothing more now, so missing packets are lost, unless they were only overtaken.
        let is_end = self.answer.is_last(header.packet) || header.acknowledge;
        let is_reported = header.acknowledge && self.has_unreported();
        if is_end && self.answer.has_gaps() && self.timer.has_news && !is_reported {
            self.hasten(now, OVERTAKEN);
        }
        Ok(is_new)
    }

    fn read(&mut self, header: &Header, data: &[u8], now: Duration) -> Result<(), Fault> {
        let limits = self.settings.limits;
        self.heard += 1;
        self.response_time.get_or_insert(now.saturating_sub(self.asked));
        self.steps.push_back(ArdpStep::Received(*header));
        if self.heard > limits.datagrams {
            let what = message!("the server sent more than {count} datagrams", count = limits.datagrams);
            return Err(Fault::new(FaultKind::Limit, "S-49", what));
        }
        if let Some(through) = header.received_through {
            let may_go_back = header.signal == Some(Signal::ReceivedBackTo);
            let before = self.acknowledged;
            self.acknowledged = if may_go_back { through } else { through.max(before) };
            self.timer.has_repeated &= self.acknowledged == before;
        }
        if let Some(wait) = header.wait.filter(|wait| *wait > 0 || *wait != self.wait) {
            self.wait = wait;
            self.restart_timer(now);
        }
        match header.signal {
            Some(Signal::Refused) => {
                let fault = Fault::new(FaultKind::Server, RULE, words!("the server refuses the request"));
                return Err(fault.with_help(words!("it may be too busy; try again later")));
            }
            Some(Signal::Redirect { address, port }) => return self.redirect(address, port, now),
            Some(Signal::ReceivedBackTo | Signal::Queue { .. } | Signal::Other(_)) | None => {}
        }
        let is_repeated = header.packet > 0 && !self.take(header, data, now)?;
        if header.acknowledge {
            self.answer_request_to_acknowledge(is_repeated, now);
        }
        if self.answer.is_complete() {
            self.phase = Phase::Done;
        }
        Ok(())
    }

    /// Starts again at another server.
    fn redirect(&mut self, address: Ipv4Addr, port: u16, now: Duration) -> Result<(), Fault> {
        let fault = |kind, what: Message| Err(Fault::new(kind, RULE, what));
        if self.answer.has_begun() {
            return fault(FaultKind::Malformed, words!("the server redirects in the middle of its answer").into());
        }
        let is_many = address.is_multicast() || address.is_broadcast() || address.is_unspecified();
        if is_many || port == 0 {
            return fault(
                FaultKind::Malformed,
                message!(
                    "the server redirects to {address} port {port}, which is not a valid address",
                    address = address.to_string(),
                    port = port
                ),
            );
        }
        self.redirects += 1;
        if self.redirects > self.settings.limits.redirects {
            let what = message!("servers redirected the request {count} times", count = self.redirects);
            return fault(FaultKind::Redirects, what);
        }
        self.steps.push_back(ArdpStep::Redirect { address, port });
        self.acknowledged = 0;
        self.wait = 0;
        self.response_time = None;
        self.send_request(now);
        self.restart_timer(now);
        Ok(())
    }

    fn fail(&mut self, fault: Fault) {
        self.phase = Phase::Failed(fault);
    }

    fn silent(&self) -> Fault {
        let through = self.answer.through();
        if self.answer.has_begun() {
            let what = message!("the answer stopped after {count} packets", count = through);
            return Fault::new(FaultKind::Silent, RULE, what).with_help(words!("try again"));
        }
        if self.is_foreign && self.heard == 0 {
            return Fault::new(FaultKind::Malformed, RULE, words!("the answer is not ARDP"))
                .with_help(words!("check the port; the default for Prospero is 1525"));
        }
        let what = match self.has_request() {
            true => words!("the server received the request but does not answer").into(),
            false => message!("no answer after {count} attempts", count = self.attempts),
        };
        Fault::new(FaultKind::Silent, RULE, what).with_help(words!("the server may be down or the port wrong"))
    }

    fn endless(&self) -> Fault {
        let seconds = self.settings.limits.total.as_secs();
        let what = message!("the answer is not complete after {seconds} s", seconds = seconds);
        Fault::new(FaultKind::Silent, "S-48", what).with_help(words!("the server is slow; try again later"))
    }
}
