//! Servers that mean harm: S-45, S-46, S-49, S-55.

use urlwise_open::protocol::gopher::{GopherLimits, GopherMachine, GopherRequest, GopherSettings, MenuItem};
use urlwise_open::protocol::{Blame, End, Event, FaultKind, Input, Io, Machine, Step};
use urlwise_open::testing::{play, replay};

fn limited(gtype: u8, limits: GopherLimits) -> GopherMachine {
    GopherMachine::new(GopherRequest::new(gtype), GopherSettings::default().with(|settings| settings.limits = limits))
}

fn plus(gtype: u8) -> GopherMachine {
    let request = GopherRequest::new(gtype).with(|request| request.plus = Some(b"+".to_vec()));
    GopherMachine::new(request, GopherSettings::default())
}

/// Feeds `chunk` again and again, like an endless server, until the machine fails, and returns what it received and why it failed.
fn endless(mut machine: GopherMachine, chunk: &[u8]) -> (u64, FaultKind) {
    let mut input = Input::none();
    let mut received = 0;
    loop {
        match machine.next(&mut input) {
            Step::Io(Io::Receive) => {
                received += chunk.len() as u64;
                input = Input::new(chunk);
            }
            Step::Fail(fault) => return (received, fault.kind()),
            Step::Done => panic!("an answer without end has ended"),
            Step::Io(Io::Connect | Io::Send(_)) => {}
            Step::Event(Event::Begin(_) | Event::Data(_) | Event::Entry(_) | Event::Note(_)) => {}
            other => panic!("gopher has no such step: {other:?}"),
        }
        assert!(received < 1 << 32, "the machine never fails");
    }
}

#[test]
fn security_49_endless_menu_line_ends_at_the_limit() {
    let (received, kind) = endless(limited(b'1', GopherLimits::default()), &[b'x'; 1000]);
    assert_eq!((kind, kind.blame()), (FaultKind::Limit, Blame::Us));
    assert!(received <= 10_000, "{received}");
}

#[test]
fn security_49_longest_menu_line_passes_and_one_octet_more_does_not() {
    let limits = GopherLimits::default().with(|limits| limits.line = 10);
    let good = replay(|| limited(b'1', limits), b"123456789\r\n1234567890\n", Some(End::Closed));
    assert!(good.is_done);
    let bad = replay(|| limited(b'1', limits), b"1234567890\r\n", Some(End::Closed));
    assert_eq!(bad.fault.as_ref().unwrap().kind(), FaultKind::Limit);
}

#[test]
fn security_49_endless_menu_ends_at_the_limit() {
    for line in [&b"1a\tb\tc\t1\r\n"[..], b"\n", b"no tab\r\n"] {
        let limits = GopherLimits::default().with(|limits| limits.lines = 1000);
        assert_eq!(endless(limited(b'1', limits), line), (1001 * line.len() as u64, FaultKind::Limit));
    }
}

#[test]
fn security_45_total_is_what_is_received_and_not_what_is_announced() {
    let limits = GopherLimits::default().with(|limits| limits.total = Some(5));
    for gtype in *b"019" {
        assert!(replay(|| limited(gtype, limits), b"1234\n", Some(End::Closed)).is_done);
        let replay = replay(|| limited(gtype, limits), b"1234\n6", Some(End::Closed));
        assert_eq!(replay.fault.as_ref().unwrap().kind(), FaultKind::Limit);
    }
    let request = GopherRequest::new(b'9').with(|request| request.plus = Some(b"+".to_vec()));
    let settings = GopherSettings::default().with(|settings| settings.limits = limits);
    let announced = play(GopherMachine::new(request, settings), b"+6\r\n1", None);
    assert_eq!(announced.fault.as_ref().unwrap().kind(), FaultKind::Limit);
    assert!(announced.data.is_empty(), "nothing is read of what is too long");
}

#[test]
fn security_45_huge_announced_length_is_not_believed() {
    for header in
        [&b"+18446744073709551616\r\n"[..], b"+99999999999999999999999999999\r\n", b"-18446744073709551616\r\n"]
    {
        let replay = replay(|| plus(b'9'), header, Some(End::Closed));
        assert_eq!(replay.fault.as_ref().unwrap().kind(), FaultKind::Malformed);
    }
    let replay = replay(|| plus(b'9'), b"+18446744073709551615\r\nabc", Some(End::Closed));
    assert_eq!(replay.fault.as_ref().unwrap().kind(), FaultKind::Partial);
    assert_eq!(replay.data, b"abc");
}

#[test]
fn endless_error_message_is_cut() {
    let replay = play(plus(b'0'), &[&b"--2\r\n1 A <a@b>\r\n"[..], &[b'x'; 100_000]].concat(), None);
    let fault = replay.fault.as_ref().unwrap();
    assert_eq!(fault.kind(), FaultKind::NotFound);
    assert!(fault.raw_octets().unwrap().len() <= 1024);
}

#[test]
fn security_49_held_back_text_is_bounded() {
    let mut machine = limited(b'0', GopherLimits::default().with(|limits| limits.held = 4096));
    let mut input = Input::none();
    let (mut fed, mut given) = (0, 0);
    while fed < 100_000 {
        match machine.next(&mut input) {
            Step::Io(Io::Receive) => {
                assert!(fed - given <= 4096 + 3, "{} octets are held back", fed - given);
                input = Input::new(b"..xx\n");
                fed += 5;
            }
            Step::Event(Event::Data(octets)) => given += octets.len(),
            Step::Fail(fault) => panic!("{fault}"),
            Step::Io(Io::Connect | Io::Send(_)) | Step::Event(Event::Begin(_) | Event::Note(_)) => {}
            other => panic!("no step of this protocol: {other:?}"),
        }
    }
}

#[test]
fn security_46_no_octet_of_the_server_is_shown_raw() {
    let words = b"\x1b]0;x\x07\x9b31m\xe2\x80\xae\0";
    let answers: [(GopherMachine, Vec<u8>); 4] = [
        (plus(b'0'), [&b"--2\r\n1 "[..], words, b" <a\x1b@b>\r\n", words].concat()),
        (plus(b'0'), [&b"--2\r\n3 A\r\n0N\t"[..], words, b"\th\x1b\t\x1b\r\n"].concat()),
        (limited(b'1', GopherLimits::default()), [&b"3"[..], words, b"\t\terror.host\t1\r\n"].concat()),
        (limited(b'1', GopherLimits::default().with(|limits| limits.line = 20)), words.repeat(3)),
    ];
    for (machine, answer) in answers {
        let replay = play(machine, &answer, Some(End::Closed));
        let shown = replay.fault.as_ref().unwrap().to_string();
        assert!(!shown.chars().any(|character| character.is_control() || character == '\u{202e}'), "{shown:?}");
    }
}

#[test]
fn nul_in_a_menu_is_an_octet_like_others() {
    let replay = replay(|| limited(b'1', GopherLimits::default()), b"0a\0b\ts\0\th\0\t70\0\r\n", Some(End::Closed));
    let item: &MenuItem = &replay.entries[0];
    assert_eq!((&item.display[..], &item.selector[..]), (&b"a\0b"[..], &b"s\0"[..]));
    assert_eq!(item.port_number(), None);
}

#[test]
fn every_single_octet_is_survived_everywhere() {
    for octet in 0..=255 {
        let answer = [octet];
        for gtype in 0..=255 {
            play(limited(gtype, GopherLimits::default()), &answer, Some(End::Closed));
            play(plus(gtype), &answer, Some(End::Closed));
        }
    }
}
