//! DNS (RFC 1035): which hosts take mail for a domain, and whether a name has addresses.
//!
//! The system's resolver has no call for the first, so this is a client for one question to one server that recurses. [`Dns`] is
//! one such exchange without a socket or a clock: over datagrams, and once more over a connection if the answer does not fit. Its
//! caller sends what it returns, passes in what arrives, and the time, counted from any moment. What a server can make it read or
//! wait for is bounded: a message has at most 65,535 octets, a name 255, and pointers in names only lead back.
//!
//! ```
//! use std::time::Duration;
//! use urlwise_open::protocol::dns::{Dns, DnsAnswer, DnsQuestion, DnsStep, RecordKind};
//!
//! let question = DnsQuestion::new("host.dom", RecordKind::Mx)?;
//! let mut exchange = Dns::new(question, 0x1374);
//! let DnsStep::Send(query) = exchange.next(Duration::ZERO) else { panic!("the first step sends the query") };
//! assert_eq!(query, b"\x13\x74\x01\0\0\x01\0\0\0\0\0\0\x04host\x03dom\0\0\x0f\0\x01");
//! assert_eq!(exchange.next(Duration::ZERO), DnsStep::Wait { until: Duration::from_secs(1) });
//!
//! // The same with one record: 10 mail.host.dom, whose end is a pointer into the question.
//! let mut answer = query.clone();
//! answer[2..8].copy_from_slice(&[0x81, 0x80, 0, 1, 0, 1]);
//! answer.extend_from_slice(b"\xc0\x0c\0\x0f\0\x01\0\0\x0e\x10\0\x09\0\x0a\x04mail\xc0\x0c");
//! exchange.receive(&answer);
//! let DnsStep::Done(DnsAnswer::Records(records)) = exchange.next(Duration::from_millis(20)) else { panic!("it answers") };
//! assert_eq!((records[0].preference, records[0].host.as_str()), (10, "mail.host.dom"));
//! # Ok::<(), urlwise_open::protocol::Fault>(())
//! ```

mod machine;
mod message;
mod name;

pub use machine::{Dns, DnsStep};
pub use message::{DnsAnswer, DnsQuestion, Exchanger, RecordKind};
