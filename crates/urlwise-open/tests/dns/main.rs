//! The DNS machine against answers that are right, late, forged, cut and hostile.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod network;

use proptest::prelude::*;
use std::time::Duration;
use urlwise_open::protocol::FaultKind;
use urlwise_open::protocol::dns::{Dns, DnsAnswer, DnsQuestion, DnsStep, RecordKind};

const ID: u16 = 0x1374;
/// An answer of a server that recurses, with the result 0.
const FINE: u16 = 0x8180;
const CUT: u16 = 0x0200;
/// A pointer to the name of the question.
const NAME: &[u8] = b"\xc0\x0c";

fn question(kind: RecordKind) -> DnsQuestion {
    DnsQuestion::new("Host.dom.", kind).unwrap()
}

/// An exchange that has sent its query, and the query.
fn asked(kind: RecordKind) -> (Dns, Vec<u8>) {
    let mut exchange = Dns::new(question(kind), ID);
    let DnsStep::Send(query) = exchange.next(Duration::ZERO) else { panic!("it sends nothing") };
    (exchange, query)
}

/// A record: its owner, its type and its data.
fn record(owner: &[u8], kind: u16, data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u16).to_be_bytes();
    [owner, &kind.to_be_bytes(), &[0, 1, 0, 0, 1, 0], &length, data].concat()
}

/// An answer with these flags and records.
fn message(query: &[u8], flags: u16, records: &[Vec<u8>]) -> Vec<u8> {
    let mut message = query.to_vec();
    message[2..4].copy_from_slice(&flags.to_be_bytes());
    message[6..8].copy_from_slice(&(records.len() as u16).to_be_bytes());
    message.extend(records.concat());
    message
}

/// How an exchange ends that receives this.
fn told(kind: RecordKind, flags: u16, records: &[Vec<u8>]) -> DnsStep {
    let (mut exchange, query) = asked(kind);
    exchange.receive(&message(&query, flags, records));
    exchange.next(Duration::ZERO)
}

fn exchangers(step: &DnsStep) -> Vec<(u16, &str)> {
    let DnsStep::Done(DnsAnswer::Records(records)) = step else { panic!("{step:?}") };
    records.iter().map(|record| (record.preference, record.host.as_str())).collect()
}

#[track_caller]
fn fails(step: &DnsStep, kind: FaultKind) {
    assert!(matches!(step, DnsStep::Fail(fault) if fault.kind() == kind), "{step:?}");
}

#[test]
fn exchangers_are_those_of_the_name() {
    let other = record(b"\x05other\x03dom\0", 15, b"\0\x05\x01x\0");
    let first = record(NAME, 15, b"\0\x0a\x04MAIL\xc0\x0c");
    let second = record(b"\x04HOST\x03DOM\0", 15, b"\x01\0\x01b\0");
    let text = record(NAME, 16, b"\x01x");
    let step = told(RecordKind::Mx, FINE, &[other, text, first, second]);
    assert_eq!(exchangers(&step), [(10, "mail.host.dom"), (256, "b")]);
    assert_eq!(exchangers(&told(RecordKind::Mx, FINE, &[record(NAME, 15, b"\0\0\0")])), [(0, "")], "a null MX");
    assert_eq!(exchangers(&told(RecordKind::Mx, FINE, &[])), []);
    let mut chaos = record(NAME, 15, b"\0\0\0");
    chaos[5] = 3;
    assert_eq!(exchangers(&told(RecordKind::Mx, FINE, &[chaos])), [], "another class");
}

#[test]
fn addresses_have_their_length() {
    for (kind, code, length) in [(RecordKind::Ipv4, 1, 4), (RecordKind::Ipv6, 28, 16)] {
        for (octets, has) in [(length, true), (length - 1, false), (length + 1, false), (0, false)] {
            let expected = if has { DnsAnswer::Addresses } else { DnsAnswer::Records(Vec::new()) };
            assert_eq!(told(kind, FINE, &[record(NAME, code, &vec![1; octets])]), DnsStep::Done(expected), "{octets}");
        }
        let other = record(NAME, 29 - code, &vec![1; 20 - length]);
        assert_eq!(told(kind, FINE, &[other]), DnsStep::Done(DnsAnswer::Records(Vec::new())));
    }
}

#[test]
fn results_are_told_apart() {
    assert_eq!(told(RecordKind::Mx, FINE | 3, &[]), DnsStep::Done(DnsAnswer::NoName));
    for code in [1, 2, 4, 5, 15] {
        assert_eq!(told(RecordKind::Mx, FINE | code, &[]), DnsStep::Done(DnsAnswer::Failed(code as u8)));
    }
}

#[test]
fn aliases_are_followed_and_not_for_ever() {
    let alias = |owner: &[u8], name: &[u8]| record(owner, 5, name);
    let mail = record(b"\x01b\0", 15, b"\0\x01\x01m\0");
    let step = told(RecordKind::Mx, FINE, &[alias(b"\x01a\0", b"\x01b\0"), alias(NAME, b"\x01a\0"), mail.clone()]);
    assert_eq!(exchangers(&step), [(1, "m")]);
    assert_eq!(exchangers(&told(RecordKind::Mx, FINE, &[alias(NAME, b"\x01a\0"), mail])), [], "not its alias");
    let circle = [alias(NAME, b"\x01a\0"), alias(b"\x01a\0", NAME)];
    fails(&told(RecordKind::Mx, FINE, &circle), FaultKind::Malformed);
    let chain = |length: u8| {
        let name = |number: u8| [1, b'a' + number, 0];
        let mut records: Vec<_> = (1..length).map(|number| alias(&name(number - 1), &name(number))).collect();
        records.push(alias(NAME, &name(0)));
        told(RecordKind::Mx, FINE, &records)
    };
    assert_eq!(exchangers(&chain(16)), []);
    fails(&chain(17), FaultKind::Malformed);
}

#[test]
fn what_does_not_answer_the_question_is_ignored() {
    let (_, query) = asked(RecordKind::Mx);
    let right = message(&query, FINE, &[record(NAME, 15, b"\0\x01\x01m\0")]);
    let changed = |at: usize, octet: u8| {
        let mut wrong = right.clone();
        assert_ne!(wrong[at], octet);
        wrong[at] = octet;
        wrong
    };
    let end = query.len();
    for (wrong, why) in [
        (changed(0, 0), "another id"),
        (changed(1, 0), "another id"),
        (changed(2, 0x01), "a query"),
        (changed(2, 0x91), "an answer to another kind of request"),
        (changed(5, 0), "no question"),
        (changed(5, 2), "two questions"),
        (changed(13, b'g'), "another name"),
        (changed(end - 3, 1), "another type"),
        (changed(end - 1, 3), "another class"),
        (right[..end - 1].to_vec(), "half a question"),
        (right[..11].to_vec(), "half a header"),
        (Vec::new(), "nothing"),
    ] {
        let (mut exchange, _) = asked(RecordKind::Mx);
        exchange.receive(&wrong);
        assert!(matches!(exchange.next(Duration::ZERO), DnsStep::Wait { .. }), "{why}");
        exchange.receive(&right);
        assert_eq!(exchangers(&exchange.next(Duration::ZERO)), [(1, "m")], "{why}");
    }
    let (mut exchange, _) = asked(RecordKind::Mx);
    exchange.receive(&changed(13, b'H'));
    assert_eq!(exchangers(&exchange.next(Duration::ZERO)), [(1, "m")], "names have no case");
}

#[test]
fn a_question_is_asked_twice_and_then_given_up() {
    let (mut exchange, query) = asked(RecordKind::Mx);
    let (first, second) = (Duration::from_secs(1), Duration::from_secs(3));
    assert_eq!(exchange.next(Duration::from_millis(999)), DnsStep::Wait { until: first });
    assert_eq!(exchange.next(first), DnsStep::Send(query.clone()));
    assert_eq!(exchange.next(first), DnsStep::Wait { until: second });
    fails(&exchange.next(second), FaultKind::Silent);
    exchange.receive(&message(&query, FINE, &[]));
    fails(&exchange.next(second), FaultKind::Silent);
}

#[test]
fn a_message_that_ends_early_is_never_an_answer() {
    let (_, query) = asked(RecordKind::Mx);
    let whole =
        message(&query, FINE, &[record(NAME, 15, b"\0\x0a\x04mail\xc0\x0c"), record(NAME, 15, b"\0\x14\x01b\0")]);
    for length in 0..whole.len() {
        let (mut exchange, _) = asked(RecordKind::Mx);
        exchange.receive(&whole[..length]);
        match exchange.next(Duration::ZERO) {
            DnsStep::Wait { .. } => assert!(length < query.len(), "{length}"),
            step => fails(&step, FaultKind::Malformed),
        }
    }
}

#[test]
fn broken_names_and_lengths_are_faults() {
    for data in [&b"\0\x01\xc0\xff"[..], b"\0\x01\x05ab", b"\0\x01\x01m\0x", b"\0", b"", b"\0\x01\xc0\x2d"] {
        fails(&told(RecordKind::Mx, FINE, &[record(NAME, 15, data)]), FaultKind::Malformed);
    }
    // A name that points to itself, one that points ahead, and an alias with something behind its name.
    fails(&told(RecordKind::Mx, FINE, &[record(b"\xc0\x1a", 15, b"\0\x01\0")]), FaultKind::Malformed);
    fails(&told(RecordKind::Mx, FINE, &[record(b"\xc0\x40", 15, &[0; 60])]), FaultKind::Malformed);
    fails(&told(RecordKind::Mx, FINE, &[record(NAME, 5, b"\x01a\0x")]), FaultKind::Malformed);
}

/// What comes of octets over a connection, in pieces of this size.
fn streamed(octets: &[u8], size: usize) -> DnsStep {
    let (mut exchange, query) = asked(RecordKind::Mx);
    exchange.receive(&message(&query, FINE | CUT, &[]));
    let DnsStep::Connect(sent) = exchange.next(Duration::ZERO) else { panic!("it does not connect") };
    assert_eq!((&sent[..2], &sent[2..]), (&(query.len() as u16).to_be_bytes()[..], &query[..]));
    for piece in octets.chunks(size) {
        if exchange.next(Duration::ZERO) != DnsStep::Read {
            break;
        }
        exchange.read(piece);
    }
    if exchange.next(Duration::ZERO) == DnsStep::Read {
        exchange.read(&[]);
    }
    exchange.next(Duration::ZERO)
}

#[test]
fn an_answer_that_was_cut_comes_over_a_connection_in_any_pieces() {
    let (_, query) = asked(RecordKind::Mx);
    let records: Vec<_> = (0..100).map(|number| record(NAME, 15, &[0, number, 1, b'm', 0])).collect();
    let with_length = |message: &[u8]| [&(message.len() as u16).to_be_bytes()[..], message].concat();
    let whole = with_length(&message(&query, FINE, &records));
    for size in 1..=whole.len() + 1 {
        assert_eq!(exchangers(&streamed(&whole, size)).len(), 100, "{size}");
    }
    for length in 0..whole.len() {
        fails(&streamed(&whole[..length], whole.len() + 1), FaultKind::Partial);
    }
    fails(&streamed(&with_length(&message(&query, FINE | CUT, &[])), 9000), FaultKind::Malformed);
    let mut foreign = with_length(&message(&query, FINE, &[]));
    foreign[2] ^= 1;
    fails(&streamed(&foreign, 9000), FaultKind::Malformed);
    fails(&streamed(&[0, 0], 9000), FaultKind::Malformed);
}

#[test]
fn more_exchangers_than_anybody_has_are_dropped() {
    let records: Vec<_> = (0..200).map(|number| record(NAME, 15, &[0, number, 1, b'm', 0])).collect();
    assert_eq!(exchangers(&told(RecordKind::Mx, FINE, &records)).len(), 100);
}

#[test]
fn what_is_not_a_name_is_not_asked_for() {
    for name in ["", ".", "a..b", "a b", "caf\u{e9}.dom", "a\0b", &"a".repeat(64), &"a.".repeat(128)] {
        let fault = DnsQuestion::new(name, RecordKind::Mx).unwrap_err();
        assert_eq!(fault.kind(), FaultKind::Refused, "{name}");
    }
    assert!(DnsQuestion::new(&"a.".repeat(127), RecordKind::Mx).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_message_makes_it_panic_or_go_on_for_ever(behind in any::<Vec<u8>>(), changes in prop::collection::vec((0..64_usize, any::<u8>()), 0..6)) {
        let (mut exchange, query) = asked(RecordKind::Mx);
        let mut datagram = message(&query, FINE, &[record(NAME, 5, NAME), record(NAME, 15, b"\0\x0a\x04mail\xc0\x0c")]);
        datagram.extend(behind);
        for (at, octet) in changes {
            if let Some(place) = datagram.get_mut(at) {
                *place = octet;
            }
        }
        exchange.receive(&datagram);
        let steps = (0..9).map(|second| exchange.next(Duration::from_secs(second)));
        let last = steps.last().unwrap();
        prop_assert!(matches!(last, DnsStep::Done(_) | DnsStep::Fail(_) | DnsStep::Read), "{:?}", last);
        let _ = streamed(&datagram, 7);
    }
}
