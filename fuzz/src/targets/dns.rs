//! Any messages from a name server: the DNS machine never panics, ends in time, ignores what does not answer its question, and says the
//! same of an answer over a connection in whatever pieces it comes.
//!
//! The input is the kind of records and a mask, then datagrams behind their lengths. With the mask they get the id and the question of
//! the query.

use std::time::Duration;
use urlwise_open::protocol::dns::{Dns, DnsQuestion, DnsStep, RecordKind};

const ID: u16 = 0x1374;
/// The flags and the counts of a header stay those of the input.
const FLAGS: std::ops::Range<usize> = 2..12;

pub(crate) fn run(input: &[u8]) {
    let [kind, mask, rest @ ..] = input else { return };
    let kind = [RecordKind::Mx, RecordKind::Ipv4, RecordKind::Ipv6][usize::from(*kind) % 3];
    let question = DnsQuestion::new("host.dom", kind).expect("a name");
    let mut exchange = Dns::new(question.clone(), ID);
    let DnsStep::Send(query) = exchange.next(Duration::ZERO) else { panic!("it asks first") };
    let mut rest = rest;
    while let [length, after @ ..] = rest {
        let (datagram, after) = after.split_at(usize::from(*length).min(after.len()));
        rest = after;
        let mut message = datagram.to_vec();
        if mask & 1 != 0 && message.len() >= query.len() {
            let flags = message[FLAGS].to_vec();
            message[..query.len()].copy_from_slice(&query);
            message[FLAGS].copy_from_slice(&flags);
        }
        let is_foreign = message.get(..2) != Some(&ID.to_be_bytes()[..]);
        let mut before = exchange.next(Duration::ZERO);
        if matches!(before, DnsStep::Connect(_)) {
            before = exchange.next(Duration::ZERO);
        }
        exchange.receive(&message);
        if is_foreign {
            assert_eq!(exchange.next(Duration::ZERO), before);
        }
        let whole = streamed(&question, &query, &message, usize::MAX);
        assert_eq!(streamed(&question, &query, &message, 1), whole);
    }
    let last = (0..8).map(|second| exchange.next(Duration::from_secs(second))).last();
    assert!(matches!(last, Some(DnsStep::Done(_) | DnsStep::Fail(_) | DnsStep::Read)));
}

/// What becomes of a message over a connection, in pieces of this size.
fn streamed(question: &DnsQuestion, query: &[u8], message: &[u8], size: usize) -> DnsStep {
    let mut exchange = Dns::new(question.clone(), ID);
    let mut cut = query.to_vec();
    cut[2..4].copy_from_slice(&[0x83, 0x80]);
    exchange.receive(&cut);
    assert!(matches!(exchange.next(Duration::ZERO), DnsStep::Connect(_)), "a cut answer needs a connection");
    let length = u16::try_from(message.len()).unwrap_or(u16::MAX).to_be_bytes();
    for piece in [&length[..], message].concat().chunks(size.min(message.len() + 2)) {
        if exchange.next(Duration::ZERO) == DnsStep::Read {
            exchange.read(piece);
        }
    }
    if exchange.next(Duration::ZERO) == DnsStep::Read {
        exchange.read(&[]);
    }
    exchange.next(Duration::ZERO)
}
