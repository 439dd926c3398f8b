//! Drives a [`Machine`] against octets from memory, and holds it to its contract. For tests and fuzz targets; needs the feature
//! `testing`.
//!
//! | function | the peer |
//! |---|---|
//! | [`hold`] | answers each command; any [`Network`] |
//! | [`play`] | sends a recorded answer, which arrives all at once |
//! | [`replay`] | sends a recorded answer, which arrives whole, octet by octet, and cut in two at every octet |
//! | [`every_cut`] | answers in turn as recorded, cut in two and in three at every place, with empty pieces between |
//! | [`every_damage`] | answers in turn as recorded, cut off or with one octet changed, at every place |
//! | [`truncate`] | sends the beginning of a recorded answer, cut at every octet, with every [`End`] |
//!
//! [`offline`] drives a whole [`Client`](crate::Client) instead, on connections within the process.
//!
//! All of the others record a [`DialogueRecord`]. An exchange of datagrams, which needs the time as well, is a [`DatagramExchange`]. The
//! functions panic, and so fail the test, if the machine breaks the contract of [`Machine::next`]: if it asks for more before it
//! has taken all input or after the end, hands over data before the answer has begun, connects in the middle of a dialogue, does
//! not end, or continues after its end.
//!
//! ```
//! use urlwise_open::protocol::gopher::{GopherMachine, GopherRequest, GopherSettings};
//! use urlwise_open::protocol::{End, FaultKind};
//! use urlwise_open::testing::{Network, hold, replay, says, truncate};
//!
//! let request = GopherRequest::new(b'1').with(|request| request.selector = b"/about".to_vec());
//! let machine = || GopherMachine::new(request.clone(), GopherSettings::default());
//! let menu = b"0About\t/about.txt\tgopher.example\t70\r\n.\r\n";
//!
//! let dialogue = hold(&mut machine(), says(menu), Network::default());
//! assert_eq!((dialogue.sent.concat().as_slice(), dialogue.entries.len()), (&b"/about\r\n"[..], 1));
//!
//! // The result is the same however the octets arrive.
//! assert_eq!(replay(machine, menu, Some(End::Closed)), dialogue);
//!
//! // A connection that breaks is never taken for a complete answer, except after the lone dot.
//! truncate(machine, menu, |length, end, dialogue| {
//!     if end == End::Broken && length + 2 < menu.len() {
//!         assert_eq!(dialogue.fault.map(|fault| fault.kind()), Some(FaultKind::Partial));
//!     }
//! });
//! ```

mod cuts;
mod dialogue;
mod driver;
mod exchange;
mod memory;
mod network;
pub(crate) mod offline;
pub(crate) mod stream;

pub use cuts::{Damage, Recorded, every_cut, every_damage};
pub use dialogue::DialogueRecord;
pub use driver::hold;
pub use exchange::DatagramExchange;
pub use memory::Sent;
pub use network::{Network, ServerAnswer, says};
pub use offline::offline;

use crate::net::name_servers::NameServers;
use crate::protocol::{End, Machine};
use std::fmt::Debug;

/// Holds the dialogue with a server that sends `transcript`, all at once, then ends (`None`: falls silent).
///
/// # Panics
/// The machine breaks its contract.
pub fn play<M: Machine>(mut machine: M, transcript: &[u8], end: Option<End>) -> DialogueRecord<M::Entry> {
    hold(&mut machine, says(transcript), Network { end, ..Network::default() })
}

/// Holds the dialogue like [`play`], but in several ways: the octets arrive all
/// at once, one at a time, and cut in two at every octet. Returns the result.
///
/// # Panics
/// The result depends on how the octets arrive, or the machine breaks its contract.
pub fn replay<M>(machine: impl Fn() -> M, transcript: &[u8], end: Option<End>) -> DialogueRecord<M::Entry>
where
    M: Machine,
    M::Entry: Debug + PartialEq,
{
    let held = |network: Network<'_>| hold(&mut machine(), says(transcript), Network { end, ..network });
    let whole = play(machine(), transcript, end);
    assert_eq!(held(Network { piece: 1, ..Network::default() }), whole, "one octet at a time");
    for cut in 0..=transcript.len() {
        assert_eq!(held(Network { cuts: &[cut], ..Network::default() }), whole, "cut at octet {cut}");
    }
    whole
}

/// Holds the dialogue with servers that send the first octets of `transcript` and then end, for every length and every [`End`],
/// and passes the result to `check`.
///
/// # Panics
/// The machine breaks its contract, or `check` panics.
pub fn truncate<M: Machine>(
    machine: impl Fn() -> M,
    transcript: &[u8],
    mut check: impl FnMut(usize, End, DialogueRecord<M::Entry>),
) {
    for length in 0..=transcript.len() {
        for end in [End::Closed, End::Unauthenticated, End::Broken] {
            check(length, end, play(machine(), &transcript[..length], Some(end)));
        }
    }
}

/// The name servers that a text names as `/etc/resolv.conf`: what [`NameServers::system`] reads of the file.
pub fn name_servers_in(text: &[u8]) -> NameServers {
    NameServers::of_text(&String::from_utf8_lossy(text))
}
