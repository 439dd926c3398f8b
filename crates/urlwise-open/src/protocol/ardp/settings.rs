//! How ARDP is spoken, and how much of it.

use std::time::Duration;

changeable!(ArdpSettings ArdpLimits);

/// How patient an exchange is: as patient as the clients of 1994, and four times as quick, because their networks were slower
/// (D-90).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArdpSettings {
    /// From a request to its first repeat: 1 s. Each further wait is twice as long as the one before, so a silent server is asked
    /// again at 1, 3, 7, 15 and 31 s. Once an answer has begun, the first wait is shorter: twice the time that the server took to
    /// react, from 250 ms to 4 s.
    pub first_wait: Duration,
    /// The exchange fails when nothing new has come for this long: 60 s, and what the server asked to wait.
    pub patience: Duration,
    /// What a server may do to us.
    pub limits: ArdpLimits,
}

/// The most that one exchange may take, whatever the server sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArdpLimits {
    /// The longest wait that a server may ask for at a time; longer ones are cut. 5 minutes: servers of 1994 ask for 3.
    pub wait: Duration,
    /// From the first datagram to the end, all waits included: 15 minutes.
    pub total: Duration,
    /// The most packets of an answer: 16,384, some 20 million octets.
    pub packets: u16,
    /// The most datagrams of an answer, repeats, notices and empty ones included: 65,536.
    pub datagrams: u32,
    /// The most octets of packets kept until those before them come: 1 MiB. What is beyond is dropped, and comes again.
    pub ahead: usize,
    /// How often a server may send us to another one: 5 times.
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
