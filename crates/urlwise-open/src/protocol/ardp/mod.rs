//! ARDP, the reliable datagram protocol that Prospero uses: one request to a server and its answer, over UDP.
//!
//! RFC 1738 section 3.11 names Prospero, and the Prospero protocol (draft of 12 June 1993) defines ARDP. Both sides number their
//! packets, acknowledge what they have received, and send again what was lost. [`Ardp`] is one exchange without a socket or a
//! clock: its caller sends the datagrams it returns, passes in those that arrive, and the time, counted from any moment. It copes
//! with packets that are lost, late, duplicated or out of order, and returns octets in sequence. [`ArdpLimits`] bounds what a
//! server can make it keep, wait for or send. `testing::DatagramExchange` drives it in tests.
//!
//! ```
//! use std::num::NonZeroU16;
//! use std::time::Duration;
//! use urlwise_open::protocol::ardp::{ArdpStep, Ardp, ArdpSettings};
//!
//! let id = NonZeroU16::new(0x1374).expect("not 0");
//! let mut exchange = Ardp::new(b"VERSION 5 me\nDIRECTORY ASCII ''\n".to_vec(), id, ArdpSettings::default());
//! let ArdpStep::Send(request) = exchange.next(Duration::ZERO) else { panic!("the first step sends the request") };
//! assert_eq!(request.octets()[..9], [9, 0x13, 0x74, 0, 1, 0, 1, 0, 0]);
//! assert_eq!(request.to_string(), "ARDP packet 1 of 1, connection id 4980");
//! assert_eq!(exchange.next(Duration::ZERO), ArdpStep::Wait { until: Duration::from_secs(1) });
//!
//! // A header of three octets: the complete answer is in one packet.
//! exchange.receive(b"\x03\x13\x74NONE-FOUND\n", Duration::from_millis(50));
//! let ArdpStep::Received(header) = exchange.next(Duration::from_millis(50)) else { panic!("it has the connection id") };
//! assert_eq!((header.packet, header.total), (1, Some(1)));
//! assert_eq!(exchange.next(Duration::from_millis(50)), ArdpStep::Data(b"NONE-FOUND\n".to_vec()));
//! assert_eq!(exchange.next(Duration::from_millis(50)), ArdpStep::Done);
//! ```

mod answer;
mod datagram;
mod header;
mod machine;
mod settings;

pub use datagram::Datagram;
pub use header::{Header, NotArdp, Signal};
pub use machine::{Ardp, ArdpStep};
pub use settings::{ArdpLimits, ArdpSettings};

use super::{DialogueLine, Fault};
use std::num::NonZeroU16;
use std::time::Duration;

/// What would be sent for a request if nothing were lost: for each datagram, its header in words and the lines of its text. The
/// connection id is shown as random.
///
/// # Errors
/// The fault of a request that must not be sent.
pub fn plan(request: &[u8], settings: ArdpSettings) -> Result<Vec<DialogueLine>, Fault> {
    let mut exchange = Ardp::new(request.to_vec(), NonZeroU16::MIN, settings);
    let mut lines = Vec::new();
    loop {
        match exchange.next(Duration::ZERO) {
            ArdpStep::Send(datagram) => lines.extend(datagram.planned().into_iter().map(DialogueLine::Send)),
            ArdpStep::Fail(fault) => return Err(fault),
            _ => return Ok(lines),
        }
    }
}
