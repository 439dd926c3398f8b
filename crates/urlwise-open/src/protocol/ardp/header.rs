//! The header of a datagram: up to 31 octets that may be cut after any field. What is cut off has a default.
//!
//! | octets | field |
//! |---|---|
//! | 0 | two bits of version, 0; six of the header's length, this octet counted |
//! | 1-2 | connection id |
//! | 3-4 | number of the packet, from 1; 0: outside the sequence, without data |
//! | 5-6 | packets of the message, 0: not known yet |
//! | 7-8 | every packet of the other side's message up to this one has come |
//! | 9-10 | seconds to wait before anything is repeated |
//! | 11 | flags |
//! | 12 | one signal |
//! | 13- | the data of the flags, from the lowest bit on, then that of the signal |

use std::fmt;
use std::net::Ipv4Addr;
use std::time::Duration;
use urlwise::padded;

/// The longest header. Datagrams that begin with a greater octet are of another protocol, or of another version.
const LONGEST: u8 = 31;

const ADDRESS: u8 = 0x01;
const PRIORITY: u8 = 0x02;
const PROTOCOL: u8 = 0x04;
const WINDOW: u8 = 0x08;
const CONTROL: u8 = 0x40;
const ACKNOWLEDGE: u8 = 0x80;

changeable!(Header);

/// What a header says, defaults filled in. Displays in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Header {
    /// Which exchange it belongs to; 0 where the header does not say.
    pub connection: u16,
    /// The number of the packet, from 1; 0 for a datagram outside the sequence, which carries no data. 1 where the header does
    /// not say.
    pub packet: u16,
    /// Of how many packets the message consists; `None` while the sender does not know or does not say again. A header without
    /// a number of its packet belongs to the only one.
    pub total: Option<u16>,
    /// Through which packet the sender has received ours; `None` where the header does not say.
    pub received_through: Option<u16>,
    /// How many seconds to wait before anything is repeated, 0 for the usual time; `None` where the header does not say.
    pub wait: Option<u16>,
    /// The sender wants to be told what has been received.
    pub acknowledge: bool,
    /// The packet counts in the sequence, and carries no data.
    pub control: bool,
    /// How many packets the sender is ready to take before it acknowledges them.
    pub window: Option<u16>,
    /// What else there is to say.
    pub signal: Option<Signal>,
}

/// The one further thing that a header may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Signal {
    /// From a client: the request is withdrawn. From a server: it is refused.
    Refused,
    /// [`Header::received_through`] holds though it is less than was said before.
    ReceivedBackTo,
    /// The request is to be sent there instead.
    Redirect {
        /// Where.
        address: Ipv4Addr,
        /// The port there.
        port: u16,
    },
    /// How the request stands in the server's queue.
    Queue {
        /// How many requests come first.
        position: Option<u16>,
        /// How many seconds it may take.
        seconds: Option<u32>,
    },
    /// One that does not concern a client, by its number.
    Other(u8),
}

/// The octets do not begin with a header of ARDP. Displays as a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotArdp;

impl fmt::Display for NotArdp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("not an ARDP header")
    }
}

impl std::error::Error for NotArdp {}

impl Header {
    /// The header of a datagram, and the data behind it.
    ///
    /// # Errors
    /// The datagram is no ARDP, or shorter than its header, or a flag or signal lacks its data.
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

    /// A datagram of this header and these octets. The header is cut where the last thing it says ends, but never before
    /// [`received_through`](Header::received_through), which says 0 for `None`.
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
        octets[0] = octets.len() as u8; // 25 at most: 13, a window, a queue
        octets.extend_from_slice(data);
        octets
    }

    /// How long to wait, as the server asks; `None` where it does not.
    pub fn asked_to_wait(&self) -> Option<Duration> {
        self.wait.filter(|seconds| *seconds > 0).map(|seconds| Duration::from_secs(seconds.into()))
    }
}

/// Takes the data of the flags; the window, if there is one.
fn flag_data(flags: u8, rest: &mut &[u8]) -> Result<Option<u16>, NotArdp> {
    if flags & ADDRESS != 0 {
        // A type, a length, and so many octets: who else is concerned. Nothing is done with it.
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
    /// To be remembered, which is the caller's business: nothing here outlives an exchange.
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
        padded(f, |f| {
            f.write_str("ARDP ")?;
            self.what(f)?;
            write!(f, ", connection id {}", self.connection)
        })
    }
}

impl Header {
    /// Everything but the connection id, in words.
    pub(super) fn what(&self, f: &mut dyn fmt::Write) -> fmt::Result {
        match (self.packet, self.total) {
            (0, _) => f.write_str("notice")?,
            (packet, Some(total)) => write!(f, "packet {packet} of {total}")?,
            (packet, None) => write!(f, "packet {packet}")?,
        }
        if let Some(through @ 1..) = self.received_through {
            write!(f, ", received through {through}")?;
        }
        if let Some(seconds @ 1..) = self.wait {
            write!(f, ", wait {seconds} s")?;
        }
        if self.control {
            f.write_str(", without data")?;
        }
        if self.acknowledge {
            f.write_str(", acknowledge it")?;
        }
        if let Some(window) = self.window {
            write!(f, ", window of {window}")?;
        }
        match self.signal {
            None => Ok(()),
            Some(Signal::Refused) => f.write_str(", cancelled or refused"),
            Some(Signal::ReceivedBackTo) => f.write_str(", overriding earlier packets"),
            Some(Signal::Redirect { address, port }) => write!(f, ", ask {address} port {port}"),
            Some(Signal::Queue { position, seconds }) => {
                if let Some(position) = position {
                    write!(f, ", place {position} in the queue")?;
                }
                seconds.map_or(Ok(()), |seconds| write!(f, ", ready in {seconds} s"))
            }
            Some(Signal::Other(number)) => write!(f, ", signal {number}"),
        }
    }
}
