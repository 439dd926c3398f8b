//! Servers that mean harm: lengths that lie, fields in fields, integers without end. Nothing panics, nothing grows.

use crate::recorded::answers;
use proptest::prelude::*;
use urlwise_open::protocol::wais::{DocumentId, WaisGoal, WaisHit, WaisMachine, WaisRequest, WaisSettings};
use urlwise_open::protocol::{End, Fault, FaultKind};
use urlwise_open::testing::{DialogueRecord, play};

fn machine(goal: WaisGoal) -> WaisMachine {
    WaisMachine::new(WaisRequest::new(b"db", goal), WaisSettings::default().with(|settings| settings.init = false))
}

fn document() -> WaisMachine {
    machine(WaisGoal::Document { wtype: b"TEXT".to_vec(), id: DocumentId::new(b"x".as_slice()) })
}

fn packet(message: &[u8]) -> Vec<u8> {
    let mut packet = format!("{:010}z2wais        0", message.len()).into_bytes();
    packet.extend_from_slice(message);
    packet
}

/// A search answer with this user information.
fn search(information: &[u8]) -> Vec<u8> {
    let mut message = vec![0, 11, 23];
    message.extend_from_slice(&[0; 10]);
    message.extend_from_slice(information);
    packet(&message)
}

fn fault(held: &DialogueRecord<Box<WaisHit>>) -> &Fault {
    held.fault.as_ref().expect("it fails")
}

#[test]
fn security_49_a_message_of_ten_digits_is_refused_by_its_header() {
    let held = play(document(), b"9999999999z2wais        0", None);
    assert_eq!(fault(&held).kind(), FaultKind::Limit);
}

#[test]
fn security_49_lengths_that_lie_are_faults() {
    for information in [
        &[99, 5, 0][..],
        &[99, 0x80, 0x80, 0x80, 0x80, 0x80, 0],
        &[99, 0xff, 0xff, 0xff, 0xff, 0x7f],
        &[99, 4, 28, 0, 200, 0],
        &[99, 5, 28, 0, 1, 0, 0],
        &[99, 4, 0x81, 0x16, 0x7f, 0],
        &[99, 9, 0x81, 0x16, 6, 118, 5, 1, 1, 1, 1],
    ] {
        let held = play(document(), &search(information), None);
        assert_eq!(fault(&held).kind(), FaultKind::Malformed, "{information:?}");
    }
    for message in [&[0][..], &[0, 0], &[0, 1, 23, 99], &[255, 255, 23], &[0, 1, 21]] {
        let held = play(document(), &packet(message), None);
        assert_eq!(fault(&held).kind(), FaultKind::Malformed, "{message:?}");
    }
}

#[test]
fn more_text_than_was_asked_for_is_a_fault() {
    let goal = WaisGoal::Document { wtype: b"TEXT".to_vec(), id: DocumentId::new(b"x".as_slice()) };
    let settings = WaisSettings::default().with(|settings| {
        settings.init = false;
        settings.slice = 3;
    });
    let machine = WaisMachine::new(WaisRequest::new(b"db", goal), settings);
    let held = play(machine, &search(b"\x63\x09\x81\x19\x06\x7f\x04text"), None);
    assert_eq!(fault(&held).kind(), FaultKind::Malformed);
}

#[test]
fn fields_within_fields_are_looked_into_no_deeper_than_a_type() {
    let field = |tag: &[u8], octets: &[u8]| {
        let length = [0x80 | (octets.len() >> 7) as u8, octets.len() as u8 & 0x7f];
        [tag, &length, octets].concat()
    };
    // The list of types, which is not one of a list of types, and so on: only the first level is read.
    let mut nested = vec![0xff; 8];
    for _ in 0..60 {
        nested = field(&[0x81, 0x04], &nested);
    }
    let information = field(&[99], &field(&[0x81, 0x16], &nested));
    let held = play(machine(WaisGoal::Help), &search(&information), None);
    assert!(held.is_done);
}

proptest! {
    #[test]
    fn no_octets_of_a_server_make_the_machine_panic(octets: Vec<u8>, framed: bool) {
        let octets = if framed { search(&octets) } else { octets };
        for goal in [WaisGoal::Help, WaisGoal::Description, WaisGoal::Search(b"x".to_vec())] {
            play(machine(goal), &octets, Some(End::Closed));
        }
        play(document(), &octets, Some(End::Broken));
    }

    #[test]
    fn recorded_answers_with_octets_changed_make_no_machine_panic(at: prop::sample::Index, octet: u8, which in 0_usize..3) {
        let mut answer = answers(["search-help", "lynx-search", "fetch-short-docid"][which]).pop().unwrap();
        let at = at.index(answer.len());
        answer[at] = octet;
        play(machine(WaisGoal::Help), &answer, Some(End::Closed));
        play(document(), &answer, Some(End::Closed));
    }
}
