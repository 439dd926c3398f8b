//! What a test tells an exchange, and asks of it.

use crate::held::{Held, ID, REQUEST};
use std::time::Duration;
use urlwise_open::protocol::Fault;
use urlwise_open::protocol::ardp::{ArdpSettings, Header};

/// The settings, but for the first wait.
pub(crate) fn as_in_1994() -> ArdpSettings {
    ArdpSettings::default().with(|settings| settings.first_wait = Duration::from_secs(4))
}

impl Held {
    /// With the usual request and id, and the waits of the clients of 1994: 4, 8, 16 and 32 s.
    pub(crate) fn usual() -> Held {
        Held::new(REQUEST, ID, as_in_1994())
    }

    /// A datagram of this header and data arrives now.
    pub(crate) fn told(&mut self, header: Header, data: &[u8]) -> bool {
        self.hear(&header.with(|header| header.connection = ID).encode(data))
    }

    pub(crate) fn is_done(&self) -> bool {
        self.end == Some(Ok(()))
    }

    pub(crate) fn fault(&self) -> &Fault {
        match &self.end {
            Some(Err(fault)) => fault,
            end => panic!("no fault but {end:?}"),
        }
    }

    /// What was sent since the last call, as octets.
    pub(crate) fn sent(&mut self) -> Vec<Vec<u8>> {
        self.sent.drain(..).map(|datagram| datagram.octets().to_vec()).collect()
    }
}

/// A packet of an answer as servers send it.
pub(crate) fn packet(packet: u16, total: u16) -> Header {
    Header::default().with(|header| {
        header.packet = packet;
        header.total = Some(total).filter(|total| *total > 0);
    })
}
