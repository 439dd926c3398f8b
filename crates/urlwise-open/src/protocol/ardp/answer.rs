//! Reassembling an answer: packets arrive in any order, octets leave in sequence.

use super::settings::ArdpLimits;
use crate::language::message;
use crate::protocol::{Fault, FaultKind};
use std::collections::BTreeMap;
use urlwise::Message;

pub(super) const RULE: &str = "ARDP (Prospero protocol, 1993)";

/// How far ahead of the last packet in sequence a packet is kept. Servers send at most 256 packets without an acknowledgement.
const FARTHEST: u16 = 256;

/// Puts packets in sequence. Data that is in sequence is returned at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Reassembly {
    /// All packets up to this one have arrived.
    through: u16,
    /// The number of packets, once a header has said it.
    total: Option<u16>,
    /// The data of packets that arrived before their predecessors.
    ahead: BTreeMap<u16, Vec<u8>>,
    /// Octets in `ahead`.
    held: usize,
}

/// The result of taking a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// Dropped: a duplicate, or too far ahead to keep.
    Nothing,
    /// Kept until its predecessors arrive.
    Ahead,
    /// The next packet in sequence: its data and that of the kept packets after it.
    Ready(Vec<u8>),
}

impl Reassembly {
    /// All packets up to this one have arrived; 0 for none.
    pub(super) fn through(&self) -> u16 {
        self.through
    }

    /// Whether all packets have arrived.
    pub(super) fn is_complete(&self) -> bool {
        self.total == Some(self.through)
    }

    /// Whether any packet has arrived, in sequence or not.
    pub(super) fn has_begun(&self) -> bool {
        self.through > 0 || !self.ahead.is_empty()
    }

    /// Whether this is the last packet, as far as is known.
    pub(super) fn is_last(&self, packet: u16) -> bool {
        self.total == Some(packet)
    }

    /// Whether packets are missing before others that have arrived.
    pub(super) fn has_gaps(&self) -> bool {
        !self.ahead.is_empty()
    }

    /// Takes a packet, numbered from 1.
    pub(super) fn take(
        &mut self,
        packet: u16,
        total: Option<u16>,
        data: &[u8],
        limits: &ArdpLimits,
    ) -> Result<Taken, Fault> {
        self.count(packet, total, limits)?;
        if packet <= self.through || self.ahead.contains_key(&packet) {
            return Ok(Taken::Nothing);
        }
        let distance = packet - self.through;
        if distance > 1 {
            if distance > FARTHEST || self.held + data.len() > limits.ahead {
                return Ok(Taken::Nothing);
            }
            self.held += data.len();
            self.ahead.insert(packet, data.to_vec());
            return Ok(Taken::Ahead);
        }
        let mut ready = data.to_vec();
        self.through = packet;
        while let Some(entry) = self.ahead.first_entry() {
            if *entry.key() - self.through > 1 {
                break;
            }
            self.through = *entry.key();
            let data = entry.remove();
            self.held -= data.len();
            ready.extend_from_slice(&data);
        }
        Ok(Taken::Ready(ready))
    }

    /// Checks that the numbers agree with each other and with the limit.
    fn count(&mut self, packet: u16, total: Option<u16>, limits: &ArdpLimits) -> Result<(), Fault> {
        let malformed = |what: Message| Err(Fault::new(FaultKind::Malformed, RULE, what));
        let announced = total.unwrap_or(0).max(packet);
        if announced > limits.packets {
            let what = message!(
                "the answer has {count} packets or more, but the limit is {most}",
                count = announced,
                most = limits.packets,
            );
            return Err(Fault::new(FaultKind::Limit, "S-49", what));
        }
        match (self.total, total) {
            (Some(before), Some(now)) if before != now => {
                return malformed(message!(
                    "the server announced {before} packets and then {now}",
                    before = before,
                    now = now
                ));
            }
            (None, Some(now)) => {
                let last = self.ahead.last_key_value().map_or(self.through, |(last, _)| *last);
                if last > now {
                    return malformed(beyond(last, now));
                }
                self.total = Some(now);
            }
            _ => {}
        }
        match self.total {
            Some(total) if packet > total => malformed(beyond(packet, total)),
            _ => Ok(()),
        }
    }
}

/// A packet after the last one that was announced.
fn beyond(packet: u16, total: u16) -> Message {
    message!("the server sent packet {packet} of {total}", packet = packet, total = total)
}
