//! The timing and the limits of an ARDP exchange.

use std::time::Duration;

changeable!(ArdpSettings ArdpLimits);

/// The timing of an exchange: the timeout of the clients of 1994, but a first wait of a quarter of theirs, since their networks were
/// slower (D-90).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArdpSettings {
    /// From a request to its first retransmission: 1 s. Each wait is twice the one before, so a silent server is asked again at
    /// 1, 3, 7, 15 and 31 s. Once an answer has begun, the first wait is twice the server's response time, from 250 ms to 4 s.
    pub first_wait: Duration,
    /// The exchange times out when nothing new has arrived for this long: 60 s, plus the wait that the server asked for.
    pub patience: Duration,
    /// The limits on what a server may send.
    pub limits: ArdpLimits,
}

/// Limits of one exchange, whatever the server sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArdpLimits {
    /// The longest wait that a server may ask for; longer ones are cut. 5 minutes: servers of 1994 ask for 3.
    pub wait: Duration,
    /// From the first datagram to the end, all waits included: 15 minutes.
    pub total: Duration,
    /// The most packets of an answer: 16,384, some 20 million octets.
    pub packets: u16,
    /// The most datagrams of an answer, including duplicates, notices and empty ones: 65,536.
    pub datagrams: u32,
    /// The most octets of packets kept until their predecessors arrive: 1 MiB. Packets beyond that are dropped and sent again.
    pub ahead: usize,
    /// The most redirects to another server: 5.
    pub redirects: u32,
}

impl Default for ArdpSettings {
    fn default() -> ArdpSettings {
        ArdpSettings {
            first_wait: Duration::from_secs(1),
            patience: Duration::from_secs(60),
            limits: ArdpLimits::default(),
        }
    }
}

impl Default for ArdpLimits {
    fn default() -> ArdpLimits {
        ArdpLimits {
            wait: Duration::from_secs(300),
            total: Duration::from_secs(900),
            packets: 16_384,
            datagrams: 65_536,
            ahead: 1 << 20,
            redirects: 5,
        }
    }
}
