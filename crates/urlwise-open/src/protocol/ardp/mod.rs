//! ARDP, the reliable datagrams below Prospero: one request to a server, its answer in order, over UDP.
//!
//! RFC 1738 section 3.11 names Prospero, and Prospero names ARDP (the Prospero protocol, draft of 12 June 1993); both sides
//! number their packets, say through which number they have received, and repeat what was not. [`Ardp`] is one exchange without
//! a socket and without a clock: its caller sends what it is told, hands in what arrived, and says what time it is, counted
//! from wherever it likes. Packets that are lost, late, doubled or out of order are its business; what comes out are octets in
//! order. What a server may make it keep, wait for or send is bounded by [`ArdpLimits`].
//!
//! ```
//! use std::num::NonZeroU16;
//! use std::time::Duration;
//! use urlwise_open::protocol::ardp::{Action, Ardp, ArdpSettings};
//!
//! let id = NonZeroU16::new(0x1374).expect("not 0");
//! let mut exchange = Ardp::new(b"VERSION 5 me\nDIRECTORY ASCII ''\n".to_vec(), id, ArdpSettings::default());
//! let Action::Send(request) = exchange.next(Duration::ZERO) else { panic!("it begins with the request") };
//! assert_eq!(request.octets()[..9], [9, 0x13, 0x74, 0, 1, 0, 1, 0, 0]);
//! assert_eq!(request.to_string(), "ARDP packet 1 of 1, connection id 4980");
//! assert_eq!(exchange.next(Duration::ZERO), Action::Wait { until: Duration::from_secs(1) });
//!
//! // A header of three octets: the whole answer is in one packet.
//! exchange.receive(b"\x03\x13\x74NONE-FOUND\n", Duration::from_millis(50));
//! let Action::Heard(header) = exchange.next(Duration::from_millis(50)) else { panic!("it belongs to the exchange") };
//! assert_eq!((header.packet, header.total), (1, Some(1)));
//! assert_eq!(exchange.next(Duration::from_millis(50)), Action::Data(b"NONE-FOUND\n".to_vec()));
//! assert_eq!(exchange.next(Duration::from_millis(50)), Action::Done);
//! ```

mod answer;
mod datagram;
mod header;
mod machine;
mod settings;

pub use datagram::Datagram;
pub use header::{Header, NotArdp, Signal};
pub use machine::{Action, Ardp};
pub use settings::{ArdpLimits, ArdpSettings};

use super::{DialogueLine, Fault};
use std::num::NonZeroU16;
use std::time::Duration;

/// What would be sent for a request if nothing were lost: each datagram, its header in words, and the lines of its text. The
/// connection id is told to be random, since it is.
///
/// # Errors
/// The fault of a request that must not be made.
pub fn plan(request: &[u8], settings: ArdpSettings) -> Result<Vec<DialogueLine>, Fault> {
    let mut exchange = Ardp::new(request.to_vec(), NonZeroU16::MIN, settings);
    let mut lines = Vec::new();
    loop {
        match exchange.next(Duration::ZERO) {
            Action::Send(datagram) => lines.extend(datagram.planned().into_iter().map(DialogueLine::Send)),
            Action::Fail(fault) => return Err(fault),
            _ => return Ok(lines),
        }
    }
}
