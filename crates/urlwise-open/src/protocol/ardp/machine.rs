//! The exchange: the request until it is answered, the answer until it is whole.

use super::answer::{RULE, Reassembly, Taken};
use super::datagram::Datagram;
use super::header::{Header, Signal};
use super::settings::ArdpSettings;
use crate::protocol::{Fault, FaultKind};
use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::num::NonZeroU16;
use std::time::Duration;

/// Octets of a request in one datagram, as clients of the time fill them: none has to be cut on its way.
const PACKET: usize = 1250;

/// Packets of the longest request: what may be sent before anything is acknowledged. No name comes near.
const MOST_PACKETS: usize = 16;

/// The shortest and the longest first wait for the next packet of an answer. Servers send an answer without pauses, and to repeat
/// too early costs a window of packets.
const SHORTEST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(4);

/// How much later a packet may come than one that was sent after it. Only then is it taken for lost.
const OVERTAKEN: Duration = Duration::from_millis(20);

/// What the caller of an [`Ardp`] does next.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// Send this to the server.
    Send(Datagram),
    /// Receive, but no longer than until this time, and then ask again.
    Wait {
        /// Counted as the times that are handed in.
        until: Duration,
    },
    /// The next octets of the answer, at least one.
    Data(Vec<u8>),
    /// A datagram of this exchange came: its header, to be shown to who watches. What it brought comes next.
    Heard(Header),
    /// From now on send to this address and port, and believe answers only from there. Both come from the server: they must
    /// please the policy as a link does.
    Redirect {
        /// Neither multicast nor broadcast nor unspecified.
        address: Ipv4Addr,
        /// Above 0.
        port: u16,
    },
    /// The answer is complete.
    Done,
    /// The exchange has failed. Data given before are in order.
    Fail(Fault),
}

/// One request and its answer.
#[derive(Clone, Debug)]
pub struct Ardp {
    request: Vec<u8>,
    connection: NonZeroU16,
    settings: ArdpSettings,
    phase: Phase,
    /// What is to be done before anything else.
    actions: VecDeque<Action>,
    /// Packets of the request that the server has, by its word.
    acknowledged: u16,
    answer: Reassembly,
    /// The number of the last packet that the server was told has come with all those before it.
    reported: u16,
    timer: Timer,
    /// When the request was last sent, how often, and how long the server took to react.
    asked: Duration,
    attempts: u32,
    reaction: Option<Duration>,
    /// The last wait that the server asked for, as it said it.
    wait: u16,
    began: Duration,
    heard: u32,
    redirects: u32,
    /// Whether something came that is no ARDP.
    is_foreign: bool,
}

#[derive(Clone, Debug)]
enum Phase {
    Start,
    Open,
    Done,
    Failed(Fault),
}

/// When something is repeated.
#[derive(Clone, Copy, Debug, Default)]
struct Timer {
    due: Duration,
    /// The wait after the next repeat.
    interval: Duration,
    /// When to give up.
    end: Duration,
    /// Whether anything has been repeated since the next packet came, or since the server had more of the request.
    has_repeated: bool,
    /// Whether a packet has come since the last repeat that had not come before.
    has_news: bool,
}

impl Ardp {
    /// An exchange about `request`, which holds its last line end if it has one.
    ///
    /// The connection id has to be random, and no two exchanges over one socket may have the same: servers keep finished answers
    /// for a while and repeat them to whoever seems to ask again.
    pub fn new(request: Vec<u8>, connection: NonZeroU16, settings: ArdpSettings) -> Ardp {
        Ardp {
            request,
            connection,
            settings,
            phase: Phase::Start,
            actions: VecDeque::new(),
            acknowledged: 0,
            answer: Reassembly::default(),
            reported: 0,
            timer: Timer::default(),
            asked: Duration::ZERO,
            attempts: 0,
            reaction: None,
            wait: 0,
            began: Duration::ZERO,
            heard: 0,
            redirects: 0,
            is_foreign: false,
        }
    }

    /// What to do at this time, which must never be earlier than one handed in before. After [`Action::Done`] and
    /// [`Action::Fail`] it gives that again.
    pub fn next(&mut self, now: Duration) -> Action {
        loop {
            if let Some(action) = self.actions.pop_front() {
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
                        return Action::Wait { until: self.timer.due.min(self.timer.end).min(end) };
                    }
                }
                Phase::Done => return Action::Done,
                Phase::Failed(fault) => return Action::Fail(fault.clone()),
            }
        }
    }

    /// A datagram has come from the address of the server, whatever its port: servers answer from another one than they are asked at.
    /// Whether it belongs to this exchange; if not, nothing has changed.
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

    /// How long the server asked us to wait, cut to the limit; zero where it did not.
    pub fn granted(&self) -> Duration {
        Duration::from_secs(self.wait.into()).min(self.settings.limits.wait)
    }

    /// What withdraws the request, for a caller that gives up: no answer comes. `None` where there is nothing to withdraw, or nobody
    /// who would care: nothing was sent, nothing ever came back, or it is over.
    pub fn cancel(&self) -> Option<Datagram> {
        let is_known = matches!(self.phase, Phase::Open) && self.heard > 0;
        let header = Header { signal: Some(Signal::Refused), received_through: None, ..self.notice() };
        is_known.then(|| Datagram::new(header, &[]))
    }

    /// Whether the request may be made: the writer refuses what none may hold, whatever was checked before (S-4). [`next`](Ardp::next) asks too, before anything is sent; a caller that has to look for the server first may ask
    /// earlier.
    ///
    /// # Errors
    /// It is empty, longer than what is sent without an acknowledgement, or holds a NUL.
    pub fn check(&self) -> Result<(), Fault> {
        let refused = |what: &'static str| Err(Fault::new(FaultKind::Refused, RULE, what));
        if self.request.is_empty() {
            return refused("the request is empty");
        }
        if let Some(at) = self.request.iter().position(|octet| *octet == 0) {
            let fault = Fault::new(FaultKind::Refused, RULE, "the request would contain NUL");
            return Err(fault.at(at).octets(&self.request));
        }
        if self.request.len() > MOST_PACKETS * PACKET {
            let (length, most) = (self.request.len(), MOST_PACKETS * PACKET);
            let what = format!("the request is {length} octets long, more than the maximum of {most}");
            return Err(Fault::new(FaultKind::Refused, RULE, what));
        }
        Ok(())
    }

    /// A header of a datagram outside the sequence.
    fn notice(&self) -> Header {
        let received_through = Some(self.answer.through());
        Header { connection: self.connection.get(), received_through, ..Header::default() }
    }

    /// Sends the packets of the request that the server does not say it has; all of them if it says it has them all, for it may
    /// have forgotten the request since.
    fn send_request(&mut self, now: Duration) {
        self.asked = now;
        self.attempts += 1;
        self.reported = self.answer.through();
        let known = if self.has_request() { 0 } else { self.acknowledged };
        let packets = self.request.chunks(PACKET).enumerate().skip(usize::from(known));
        // `check` leaves no more than 16.
        let total = Some(self.request.len().div_ceil(PACKET) as u16);
        let notice = self.notice();
        self.actions.extend(packets.map(|(index, data)| {
            Action::Send(Datagram::new(Header { packet: index as u16 + 1, total, ..notice }, data))
        }));
    }

    fn has_request(&self) -> bool {
        usize::from(self.acknowledged) >= self.request.len().div_ceil(PACKET)
    }

    fn acknowledge(&mut self) {
        self.reported = self.answer.through();
        self.actions.push_back(Action::Send(Datagram::new(self.notice(), &[])));
    }

    /// Whether packets have come that the server does not know of. It only sends on when it learns of some, or when it is asked
    /// again.
    fn has_unreported(&self) -> bool {
        self.answer.through() > self.reported
    }

    /// The first wait for something new.
    fn first_wait(&self) -> Duration {
        let first = self.settings.first_wait;
        match self.reaction {
            Some(reaction) if self.answer.has_begun() => {
                reaction.saturating_mul(2).clamp(SHORTEST_WAIT.min(first), LONGEST_WAIT)
            }
            _ => first,
        }
    }

    /// The next packet has come, or everything begins anew.
    fn restart_timer(&mut self, now: Duration) {
        let (first, granted) = (self.first_wait(), self.granted());
        // The wait that was asked for takes the place of the first one.
        let extra = granted.saturating_sub(self.settings.first_wait);
        self.timer = Timer {
            due: now.saturating_add(first.max(granted)),
            interval: first.saturating_mul(2),
            end: now.saturating_add(self.settings.patience).saturating_add(extra),
            has_repeated: false,
            has_news: true,
        };
    }

    /// Repeats no later than after `wait`.
    fn hasten(&mut self, now: Duration, wait: Duration) {
        let due = now.saturating_add(wait);
        if due < self.timer.due {
            self.timer.due = due;
            self.timer.interval = self.first_wait();
        }
    }

    /// The timer has run out.
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

    /// A packet of the answer has come.
    fn take(&mut self, header: &Header, data: &[u8], now: Duration) -> Result<(), Fault> {
        let data = if header.control { &[] } else { data };
        match self.answer.take(header.packet, header.total, data, &self.settings.limits)? {
            Taken::Ready(ready) => {
                self.restart_timer(now);
                if !ready.is_empty() {
                    self.actions.push_back(Action::Data(ready));
                }
            }
            Taken::Ahead => {
                self.timer.has_news = true;
                self.hasten(now, self.first_wait());
            }
            Taken::Nothing => {}
        }
        // The server sends no more now. What is missing is lost, unless it was only overtaken.
        let is_end = self.answer.is_last(header.packet) || header.acknowledge;
        let is_reported = header.acknowledge && self.has_unreported();
        if is_end && self.answer.has_gaps() && self.timer.has_news && !is_reported {
            self.hasten(now, OVERTAKEN);
        }
        Ok(())
    }

    fn read(&mut self, header: &Header, data: &[u8], now: Duration) -> Result<(), Fault> {
        let limits = self.settings.limits;
        self.heard += 1;
        self.reaction.get_or_insert(now.saturating_sub(self.asked));
        self.actions.push_back(Action::Heard(*header));
        if self.heard > limits.datagrams {
            let what = format!("the server sent more than {} datagrams", limits.datagrams);
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
                let what = "the server refuses the request";
                return Err(Fault::new(FaultKind::Server, RULE, what).with_help("it may be too busy; try again later"));
            }
            Some(Signal::Redirect { address, port }) => return self.redirect(address, port, now),
            Some(Signal::ReceivedBackTo | Signal::Queue { .. } | Signal::Other(_)) | None => {}
        }
        if header.packet > 0 {
            self.take(header, data, now)?;
        }
        if header.acknowledge {
            self.acknowledge();
        }
        if self.answer.is_whole() {
            self.phase = Phase::Done;
        }
        Ok(())
    }

    /// Sends the request to another server, anew.
    fn redirect(&mut self, address: Ipv4Addr, port: u16, now: Duration) -> Result<(), Fault> {
        let fault = |kind, what: String| Err(Fault::new(kind, RULE, what));
        if self.answer.has_begun() {
            return fault(FaultKind::Malformed, "the server redirects in the middle of its answer".to_owned());
        }
        let is_many = address.is_multicast() || address.is_broadcast() || address.is_unspecified();
        if is_many || port == 0 {
            return fault(
                FaultKind::Malformed,
                format!("the server redirects to {address} port {port}, which is not a valid address"),
            );
        }
        self.redirects += 1;
        if self.redirects > self.settings.limits.redirects {
            let what = format!("servers redirected the request {} times", self.redirects);
            return fault(FaultKind::Redirects, what);
        }
        self.actions.push_back(Action::Redirect { address, port });
        self.acknowledged = 0;
        self.wait = 0;
        self.reaction = None;
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
            let what = format!("the answer stopped after {through} packets");
            return Fault::new(FaultKind::Silent, RULE, what).with_help("try again");
        }
        if self.is_foreign && self.heard == 0 {
            return Fault::new(FaultKind::Malformed, RULE, "the answer is not ARDP")
                .with_help("check the port; the default for Prospero is 1525");
        }
        let what = match self.has_request() {
            true => "the server received the request but does not answer".to_owned(),
            false => format!("no answer after {} attempts", self.attempts),
        };
        Fault::new(FaultKind::Silent, RULE, what).with_help("the server may be down or the port wrong")
    }

    fn endless(&self) -> Fault {
        let what = format!("the answer is not complete after {:?}", self.settings.limits.total);
        Fault::new(FaultKind::Silent, "S-48", what).with_help("the server is slow; try again later")
    }
}
