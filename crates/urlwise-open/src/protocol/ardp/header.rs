//! The header of a datagram: up to 31 octets, which may end after any field. The fields left out have defaults.
//!
//! | octets | field |
//! |---|---|
//! | 0 | two bits: the version, 0; six bits: the length of the header, including this octet |
//! | 1-2 | connection id |
//! | 3-4 | packet number, from 1; 0: outside the sequence, without data |
//! | 5-6 | number of packets in the message; 0: not known yet |
//! | 7-8 | all packets of the other side's message up to this one have been received |
//! | 9-10 | seconds to wait before anything is retransmitted |
//! | 11 | flags |
//! | 12 | one signal |
//! | 13- | the data of the flags, lowest bit first, then that of the signal |

use crate::language::{listed, message, words};
use std::fmt;
use std::net::Ipv4Addr;
use std::time::Duration;
use urlwise::Message;

/// The length of the longest header. Datagrams that begin with a greater octet belong to another protocol or another version.
const LONGEST: u8 = 31;

const ADDRESS: u8 = 0x01;
const PRIORITY: u8 = 0x02;
const PROTOCOL: u8 = 0x04;
const WINDOW: u8 = 0x08;
const CONTROL: u8 = 0x40;
const ACKNOWLEDGE: u8 = 0x80;

changeable!(Header);

/// The fields of a header, with defaults filled in. Displays in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Header {
    /// The connection id: which exchange it belongs to; 0 if the header does not say.
    pub connection: u16,
    /// The packet number, from 1; 0 for a datagram outside the sequence, which carries no data; 1 if the header does not say.
    pub packet: u16,
    /// The number of packets in the message; `None` while the sender does not know it or does not repeat it. A header without a
    /// packet number belongs to the only packet of a message.
    pub total: Option<u16>,
    /// The sender has received our packets up to this one; `None` if the header does not say.
    pub received_through: Option<u16>,
    /// Seconds to wait before anything is retransmitted, 0 for the usual time; `None` if the header does not say.
    pub wait: Option<u16>,
    /// The sender asks for an acknowledgement.
    pub acknowledge: bool,
    /// A control packet: it counts in the sequence but carries no data.
    pub control: bool,
    /// How many packets the sender accepts before it acknowledges them; `None` if the header does not say.
    pub window: Option<u16>,
    /// The signal that it carries, if any.
    pub signal: Option<Signal>,
}

/// A signal: one header has at most one. There may be others: ARDP has more than are needed here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Signal {
    /// From a client: it cancels the request. From a server: it refuses the request.
    Refused,
    /// [`Header::received_through`] is correct even if an earlier header had a greater one.
    ReceivedBackTo,
    /// Send the request to another server.
    Redirect {
        /// The address of that server.
        address: Ipv4Addr,
        /// Its UDP port.
        port: u16,
    },
    /// The place of the request in the server's queue.
    Queue {
        /// The number of requests before it; `None` if the server does not say.
        position: Option<u16>,
        /// How long it may take, in seconds; `None` if the server does not say.
        seconds: Option<u32>,
    },
    /// Any other signal, by its number: none of them concerns a client.
    Other(u8),
}

/// The octets do not begin with an ARDP header. Displays as a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotArdp;

impl fmt::Display for NotArdp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("not an ARDP header")
    }
}

impl std::error::Error for NotArdp {}

impl Header {
    /// The header of a datagram and the data that follows it.
    ///
    /// # Errors
    /// The datagram is not ARDP, or is shorter than its header, or a flag or signal lacks its data.
    ///
    /// ```
    /// use urlwise_open::protocol::ardp::Header;
    ///
    /// let (header, data) = Header::decode(b"\x07\x13\x74\x00\x02\x00\x00rest").expect("ARDP");
    /// assert_eq!((header.connection, header.packet, header.total), (0x1374, 2, None));
    /// assert_eq!(data, b"rest");
    /// let (header, _) = Header::decode(b"\x03\x13\x74all").expect("ARDP");
    /// assert_eq!((header.packet, header.total), (1, Some(1)));
    /// assert!(Header::decode(b"LINK").is_err());
    /// ```
    pub fn decode(datagram: &[u8]) -> Result<(Header, &[u8]), NotArdp> {
        let &length = datagram.first().filter(|length| (1..=LONGEST).contains(*length)).ok_or(NotArdp)?;
        let (header, data) = datagram.split_at_checked(usize::from(length)).ok_or(NotArdp)?;
        let number = |at: usize| header.get(at..at + 2).map(|octets| u16::from_be_bytes([octets[0], octets[1]]));
        let flags = header.get(11).copied().unwrap_or_default();
        let mut rest = header.get(13..).unwrap_or_default();
        let window = flag_data(flags, &mut rest)?;
        let (packet, total) = match number(3) {
            Some(packet) => (packet, number(5).filter(|total| *total > 0)),
            None => (1, Some(1)),
        };
        let read = Header {
            connection: number(1).unwrap_or_default(),
            packet,
            total,
            received_through: number(7),
            wait: number(9),
            acknowledge: flags & ACKNOWLEDGE != 0,
            control: flags & CONTROL != 0,
            window,
            signal: match header.get(12).copied().unwrap_or_default() {
                0 => None,
                signal => Some(Signal::decode(signal, rest)?),
            },
        };
        Ok((read, data))
    }

    /// A datagram with this header and this data. The header ends after its last field that is not a default, but never before
    /// [`received_through`](Header::received_through), which is written as 0 for `None`.
    pub fn encode(&self, data: &[u8]) -> Vec<u8> {
        let mut octets = vec![0];
        for number in [self.connection, self.packet, self.total.unwrap_or(0), self.received_through.unwrap_or(0)] {
            octets.extend_from_slice(&number.to_be_bytes());
        }
        let flag = |set: bool, bit: u8| if set { bit } else { 0 };
        let flags =
            flag(self.acknowledge, ACKNOWLEDGE) | flag(self.control, CONTROL) | flag(self.window.is_some(), WINDOW);
        let has_signal = self.signal.is_some() || self.window.is_some();
        if self.wait.is_some() || flags != 0 || has_signal {
            octets.extend_from_slice(&self.wait.unwrap_or(0).to_be_bytes());
        }
        if flags != 0 || has_signal {
            octets.push(flags);
        }
        if has_signal {
            octets.push(self.signal.as_ref().map_or(0, Signal::number));
            octets.extend(self.window.into_iter().flat_map(u16::to_be_bytes));
            if let Some(signal) = &self.signal {
                signal.encode(&mut octets);
            }
        }
        octets[0] = octets.len() as u8; // At most 22: 13, a window of 2 and a queue of 7.
        octets.extend_from_slice(data);
        octets
    }

    /// How long the server asks us to wait; `None` if it does not.
    pub fn asked_to_wait(&self) -> Option<Duration> {
        self.wait.filter(|seconds| *seconds > 0).map(|seconds| Duration::from_secs(seconds.into()))
    }
}

/// Skips the data of the flags and returns the window, if there is one.
fn flag_data(flags: u8, rest: &mut &[u8]) -> Result<Option<u16>, NotArdp> {
    if flags & ADDRESS != 0 {
        // A type, a length, and that many octets: another party to the exchange, which a client can ignore.
        let [_, length] = take::<2>(rest)?;
        *rest = rest.get(usize::from(length)..).ok_or(NotArdp)?;
    }
    if flags & PRIORITY != 0 {
        take::<2>(rest)?;
    }
    if flags & PROTOCOL != 0 {
        take::<2>(rest)?;
    }
    Ok(if flags & WINDOW != 0 { Some(u16::from_be_bytes(take(rest)?)) } else { None })
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], NotArdp> {
    let (taken, left) = rest.split_first_chunk().ok_or(NotArdp)?;
    *rest = left;
    Ok(*taken)
}

impl Signal {
    const REFUSED: u8 = 1;
    const RECEIVED_BACK_TO: u8 = 2;
    const REDIRECT: u8 = 4;
    /// A permanent redirect. Followed like any other, since nothing here outlives an exchange.
    const REDIRECT_FOR_GOOD: u8 = 5;
    const QUEUE: u8 = 254;
    const POSITION: u8 = 0x01;
    const SECONDS: u8 = 0x02;

    fn decode(number: u8, mut data: &[u8]) -> Result<Signal, NotArdp> {
        let data = &mut data;
        Ok(match number {
            Signal::REFUSED => Signal::Refused,
            Signal::RECEIVED_BACK_TO => Signal::ReceivedBackTo,
            Signal::REDIRECT | Signal::REDIRECT_FOR_GOOD => {
                Signal::Redirect { address: take(data)?.into(), port: u16::from_be_bytes(take(data)?) }
            }
            Signal::QUEUE => {
                let [has] = take(data)?;
                let position = if has & Signal::POSITION != 0 { Some(u16::from_be_bytes(take(data)?)) } else { None };
                let seconds = if has & Signal::SECONDS != 0 { Some(u32::from_be_bytes(take(data)?)) } else { None };
                Signal::Queue { position, seconds }
            }
            other => Signal::Other(other),
        })
    }

    fn number(&self) -> u8 {
        match self {
            Signal::Refused => Signal::REFUSED,
            Signal::ReceivedBackTo => Signal::RECEIVED_BACK_TO,
            Signal::Redirect { .. } => Signal::REDIRECT,
            Signal::Queue { .. } => Signal::QUEUE,
            Signal::Other(number) => *number,
        }
    }

    fn encode(&self, octets: &mut Vec<u8>) {
        match self {
            Signal::Redirect { address, port } => {
                octets.extend_from_slice(&address.octets());
                octets.extend_from_slice(&port.to_be_bytes());
            }
            Signal::Queue { position, seconds } => {
                let bit = |is: bool, bit: u8| if is { bit } else { 0 };
                octets.push(bit(position.is_some(), Signal::POSITION) | bit(seconds.is_some(), Signal::SECONDS));
                octets.extend(position.iter().flat_map(|position| position.to_be_bytes()));
                octets.extend(seconds.iter().flat_map(|seconds| seconds.to_be_bytes()));
            }
            Signal::Refused | Signal::ReceivedBackTo | Signal::Other(_) => {}
        }
    }
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl Header {
    /// What `Display` writes, in every language.
    pub(crate) fn message(&self) -> Message {
        message!("ARDP {what}, connection id {id}", what = self.what(), id = self.connection)
    }

    /// Everything except the connection id.
    pub(super) fn what(&self) -> Message {
        let mut pieces = vec![match (self.packet, self.total) {
            (0, _) => words!("notice").into(),
            (packet, Some(total)) => message!("packet {packet} of {total}", packet = packet, total = total),
            (packet, None) => message!("packet {packet}", packet = packet),
        }];
        let mut say = |piece: Message| pieces.push(piece);
        if let Some(through @ 1..) = self.received_through {
            say(message!("received through {packet}", packet = through));
        }
        if let Some(seconds @ 1..) = self.wait {
            say(message!("wait {seconds} s", seconds = seconds));
        }
        if self.control {
            say(words!("without data").into());
        }
        if self.acknowledge {
            say(words!("acknowledge it").into());
        }
        if let Some(window) = self.window {
            say(message!("window of {count}", count = window));
        }
        match self.signal {
            None => {}
            Some(Signal::Refused) => say(words!("cancelled or refused").into()),
            Some(Signal::ReceivedBackTo) => say(words!("overriding earlier packets").into()),
            Some(Signal::Redirect { address, port }) => {
                say(message!("ask {address} port {port}", address = address.to_string(), port = port));
            }
            Some(Signal::Queue { position, seconds }) => {
                if let Some(position) = position {
                    say(message!("place {position} in the queue", position = position));
                }
                if let Some(seconds) = seconds {
                    say(message!("ready in {seconds} s", seconds = seconds));
                }
            }
            Some(Signal::Other(number)) => say(message!("signal {number}", number = number)),
        }
        listed(pieces)
    }
}
