//! The exchange: asks in datagrams until there is an answer, and over a connection if that was cut.

use super::message::{DnsAnswer, DnsQuestion, RULE, Reading};
use crate::language::words;
use crate::protocol::{Fault, FaultKind};
use std::time::Duration;
use urlwise::Words;

/// How long each datagram with the question waits for an answer.
const WAITS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(2)];

/// The next step of a [`Dns`] exchange. There may be others.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DnsStep {
    /// Send this datagram to the server.
    Send(Vec<u8>),
    /// Wait for a datagram until this time at most, then call [`next`](Dns::next) again.
    Wait {
        /// On the same clock as the times passed to [`next`](Dns::next).
        until: Duration,
    },
    /// Connect to the server by TCP, at the same port, and send this.
    Connect(Vec<u8>),
    /// Read some octets from the connection.
    Read,
    /// The answer.
    Done(DnsAnswer),
    /// The exchange has failed.
    Fail(Fault),
}

/// One question to one server.
#[derive(Clone, Debug)]
pub struct Dns {
    question: DnsQuestion,
    id: u16,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    /// So many datagrams were sent. The time until which the last one is waited for, 0 before the first.
    Asking(usize, Duration),
    /// The answer was cut.
    Cut,
    /// What has come on the connection.
    Reading(Vec<u8>),
    Ended(DnsStep),
}

impl Dns {
    /// An exchange with this id, which must be random: who sees neither the question nor the id cannot forge an answer.
    pub fn new(question: DnsQuestion, id: u16) -> Dns {
        Dns { question, id, phase: Phase::Asking(0, Duration::ZERO) }
    }

    /// The next step at this time, which must not be earlier than in a previous call. After [`DnsStep::Done`] and [`DnsStep::Fail`] it
    /// returns that step again.
    pub fn next(&mut self, now: Duration) -> DnsStep {
        match &mut self.phase {
            Phase::Asking(_, until) if now < *until => DnsStep::Wait { until: *until },
            Phase::Asking(sent, until) => match WAITS.get(*sent) {
                Some(wait) => {
                    *sent += 1;
                    *until = now.saturating_add(*wait);
                    DnsStep::Send(self.question.query(self.id))
                }
                None => self.fail(FaultKind::Silent, words!("the name server does not answer")),
            },
            Phase::Cut => {
                self.phase = Phase::Reading(Vec::new());
                let query = self.question.query(self.id);
                // A query is no longer than its name.
                let length = u16::try_from(query.len()).unwrap_or(u16::MAX).to_be_bytes();
                DnsStep::Connect([&length[..], &query].concat())
            }
            Phase::Reading(_) => DnsStep::Read,
            Phase::Ended(step) => step.clone(),
        }
    }

    /// Takes a datagram that came from the server. What does not answer the question is ignored.
    pub fn receive(&mut self, datagram: &[u8]) {
        if !matches!(self.phase, Phase::Asking(..)) {
            return;
        }
        match self.question.read(self.id, datagram) {
            Reading::Foreign => {}
            Reading::Cut => self.phase = Phase::Cut,
            Reading::Answer(answer) => self.phase = Phase::Ended(DnsStep::Done(answer)),
            Reading::Broken(what) => {
                self.fail(FaultKind::Malformed, what);
            }
        }
    }

    /// Takes octets that came on the connection; none says that the server has closed it.
    pub fn read(&mut self, octets: &[u8]) {
        let Phase::Reading(come) = &mut self.phase else { return };
        come.extend_from_slice(octets);
        let length = come.first_chunk().map(|length| usize::from(u16::from_be_bytes(*length)));
        let Some(message) = length.and_then(|length| come.get(2..2 + length)) else {
            if octets.is_empty() {
                let what = words!("the name server closed the connection before its answer was complete");
                self.fail(FaultKind::Partial, what);
            }
            return;
        };
        match self.question.read(self.id, message) {
            Reading::Answer(answer) => self.phase = Phase::Ended(DnsStep::Done(answer)),
            Reading::Foreign | Reading::Cut => {
                self.fail(FaultKind::Malformed, words!("the name server answers something else over TCP"));
            }
            Reading::Broken(what) => {
                self.fail(FaultKind::Malformed, what);
            }
        }
    }

    fn fail(&mut self, kind: FaultKind, what: Words) -> DnsStep {
        let step = DnsStep::Fail(Fault::new(kind, RULE, what));
        self.phase = Phase::Ended(step.clone());
        step
    }
}
