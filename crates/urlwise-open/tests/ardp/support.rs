//! What the tests start from: a request, the timing of 1994, packets as servers send them.

use std::num::NonZeroU16;
use std::time::Duration;
use urlwise_open::protocol::ardp::{ArdpSettings, Header};
use urlwise_open::testing::DatagramExchange;

/// The connection id of the recorded sessions' first exchanges.
pub(crate) const ID: u16 = 0x1374;

pub(crate) const REQUEST: &[u8] = b"VERSION 5 test\nDIRECTORY ASCII ''\nLIST '' COMPONENTS\n";

/// The settings with the waits of the clients of 1994: 4, 8, 16 and 32 s.
pub(crate) fn as_in_1994() -> ArdpSettings {
    ArdpSettings::default().with(|settings| settings.first_wait = Duration::from_secs(4))
}

/// An exchange with the id of the tests.
pub(crate) fn exchange(request: &[u8], settings: ArdpSettings) -> DatagramExchange {
    DatagramExchange::new(request, NonZeroU16::new(ID).expect("not 0"), settings)
}

/// An exchange with the request and the id of the tests and the waits of 1994.
pub(crate) fn usual() -> DatagramExchange {
    exchange(REQUEST, as_in_1994())
}

/// The header of a packet of an answer; a total of 0 is not known yet.
pub(crate) fn packet(packet: u16, total: u16) -> Header {
    Header::default().with(|header| {
        header.packet = packet;
        header.total = Some(total).filter(|total| *total > 0);
    })
}
