//! Servers that mean harm: S-40, S-46, S-49, S-55.

use urlwise_open::protocol::telnet::{TelnetMachine, TelnetSettings};
use urlwise_open::protocol::{Blame, End, Event, FaultKind, Input, Io, Machine, Step};
use urlwise_open::testing::replay;

/// Feeds `chunk` again and again, like an endless server, until the machine fails, and returns what it received, what it sent and
/// why it ended. `None` where it never does.
fn endless(before: &[u8], chunk: &[u8]) -> Option<(u64, u64, FaultKind)> {
    let mut telnet = TelnetMachine::new(TelnetSettings::default());
    let mut input = Input::new(before);
    let (mut received, mut sent) = (0, 0);
    while received < 1 << 20 {
        match telnet.next(&mut input) {
            Step::Io(Io::Receive) => {
                received += chunk.len() as u64;
                input = Input::new(chunk);
            }
            Step::Io(Io::Send(command)) => sent += command.octets().len() as u64,
            Step::Fail(fault) => {
                assert!(!fault.to_string().contains(char::is_control));
                return Some((received, sent, fault.kind()));
            }
            Step::Done => panic!("a server without end has ended"),
            Step::Io(Io::Connect) | Step::Event(Event::Begin(_) | Event::Data(_) | Event::Note(_)) => {}
            other => panic!("no step of this protocol: {other:?}"),
        }
    }
    None
}

#[test]
fn security_40_49_a_subnegotiation_without_end_ends_at_the_limit() {
    for (before, chunk) in [
        (&b"\xff\xfa\x18"[..], &b"\x01"[..]),
        (b"\xff\xfa\x27\x01", b"\x00USER"),
        (b"\xff\xfa", b"\xff\xff"),
        (b"\xff\xfd\x18\xff\xfa\x18", b"\xff\xff\x01"),
    ] {
        let (received, _, kind) = endless(before, chunk).expect("it fails");
        assert_eq!((kind, kind.blame()), (FaultKind::Limit, Blame::Us));
        assert!(received <= 3 * 4096, "{received}");
    }
}

#[test]
fn security_40_the_longest_subnegotiation_passes_and_one_octet_more_does_not() {
    let answer = |length| [&b"\xff\xfa"[..], &vec![b'x'; length], b"\xff\xf0text"].concat();
    let run = |length| {
        let mut settings = TelnetSettings::default();
        settings.limits.subnegotiation = 20;
        replay(|| TelnetMachine::new(settings.clone()), &answer(length), Some(End::Closed))
    };
    assert_eq!(run(20).data, b"text");
    let fault = run(21).fault.as_ref().expect("it fails").to_string();
    assert!(fault.contains("exceeds 20 octets") && fault.contains("option 120"), "{fault}");
}

#[test]
fn security_40_requests_in_a_circle_end_at_the_limit() {
    for circle in [
        &b"\xff\xfd\x63"[..],
        b"\xff\xfb\x01\xff\xfc\x01",
        b"\xff\xfd\x00\xff\xfe\x00",
        b"\xff\xfe\x63",
        b"\xff\xfd\x18\xff\xfa\x18\x01\xff\xf0",
        b"\xff\xfa\x27\x01\xff\xf0",
        b"\xff\xfa\x27\x01",
    ] {
        let (received, sent, kind) = endless(b"", circle).expect("it fails");
        assert_eq!(kind, FaultKind::Limit);
        assert!(received <= 1001 * circle.len() as u64 && sent <= 20_000, "{received} {sent}");
    }
}

#[test]
fn security_40_text_and_keys_allow_more_requests() {
    assert_eq!(endless(b"", b"\xff\xfb\x01Password: \xff\xfc\x01"), None);
    assert_eq!(endless(b"", b"\xff\xf1\xff\xf9"), None, "what needs no answer is not a request");
    let mut telnet = TelnetMachine::new(TelnetSettings::default());
    for _ in 0..10_000 {
        let mut input = Input::new(b"\xff\xfd\x63");
        loop {
            match telnet.next(&mut input) {
                Step::Io(Io::Receive) => break,
                Step::Fail(fault) => panic!("{fault}"),
                Step::Io(Io::Connect | Io::Send(_))
                | Step::Event(Event::Begin(_) | Event::Data(_) | Event::Note(_)) => {}
                other => panic!("no step of this protocol: {other:?}"),
            }
        }
        telnet.keys(b"x");
    }
}

#[test]
fn security_40_nothing_of_the_environment_or_the_url_is_ever_sent() {
    let variables = b"\xff\xfd\x27\xff\xfd\x24\xff\xfd\x23\xff\xfd\x20\xff\xfd\x25\xff\xfd\x17\
        \xff\xfa\x27\x01\x00USER\x03PATH\xff\xf0\xff\xfa\x24\x01\x00USER\xff\xf0\xff\xfa\x23\x01\xff\xf0\xff\xfa\x20\x01\xff\xf0";
    let sent = replay(|| TelnetMachine::new(TelnetSettings::default()), variables, Some(End::Closed)).sent.concat();
    assert_eq!(sent, b"\xff\xfc\x27\xff\xfc\x24\xff\xfc\x23\xff\xfc\x20\xff\xfc\x25\xff\xfc\x17");
}

#[test]
fn security_40_55_broken_commands_do_no_harm() {
    // A subnegotiation that no IAC SE ends, before a command of its own; SE alone; everything cut off.
    for (server, text, sent) in [
        (&b"\xff\xfa\x18\x01\xff\xfd\x01after"[..], &b"after"[..], &b"\xff\xfc\x01"[..]),
        (b"\xff\xfa\x18\xff\xfa\x18\x01\xff\xf0after", b"after", b""),
        (b"\xff\xf0\xff\xf0after", b"after", b""),
        (b"before\xff", b"before", b""),
        (b"before\xff\xfb", b"before", b""),
        (b"before\xff\xfa\x18\x01\xff", b"before", b""),
    ] {
        let replay = replay(|| TelnetMachine::new(TelnetSettings::default()), server, Some(End::Closed));
        assert!(replay.is_done);
        assert_eq!((replay.data.as_slice(), replay.sent.concat().as_slice()), (text, sent), "{server:?}");
    }
}

#[test]
fn security_55_every_pair_of_octets_after_a_command_is_survived() {
    for first in 0..=255 {
        for second in 0..=255 {
            let server = [255, first, second, 255, 240, b'a', 255, 240, b'b'];
            let run = |chunks: &[&[u8]]| {
                let mut telnet = TelnetMachine::new(TelnetSettings::default());
                let (mut text, mut sent) = (Vec::new(), Vec::new());
                for chunk in chunks {
                    let mut input = Input::new(chunk);
                    loop {
                        match telnet.next(&mut input) {
                            Step::Io(Io::Receive) => break,
                            Step::Event(Event::Data(octets)) => text.extend_from_slice(&octets),
                            Step::Io(Io::Send(command)) => sent.extend_from_slice(command.octets()),
                            Step::Fail(fault) => panic!("{fault}"),
                            Step::Io(Io::Connect) | Step::Event(Event::Begin(_) | Event::Note(_)) => {}
                            other => panic!("no step of this protocol: {other:?}"),
                        }
                    }
                }
                (text, sent)
            };
            let whole = run(&[&server]);
            assert_eq!(run(&server.chunks(1).collect::<Vec<_>>()), whole);
            assert!(whole.0.ends_with(b"b"));
        }
    }
}
