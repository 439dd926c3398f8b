//! Servers and strangers that mean harm: forged ids, numbers that lie, endless waits. Memory, packets and time are bounded.

use crate::held::{Held, ID, REQUEST};
use crate::tell::packet;
use std::time::Duration;
use urlwise_open::protocol::FaultKind;
use urlwise_open::protocol::ardp::{ArdpLimits, ArdpSettings, Signal};

const SECOND: Duration = Duration::from_secs(1);

fn limited(change: impl FnOnce(&mut ArdpLimits)) -> Held {
    let mut settings = ArdpSettings::default();
    change(&mut settings.limits);
    Held::new(REQUEST, ID, settings)
}

#[test]
fn forged_connection_ids_are_nobodys() {
    let mut held = Held::usual();
    for id in (0..=u16::MAX).filter(|id| *id != ID) {
        let forged = packet(1, 1).with(|header| {
            header.connection = id;
            header.acknowledge = true;
        });
        assert!(!held.hear(&forged.encode(b"forged")));
    }
    assert!(!held.hear(b"\x01forged"), "no id at all");
    assert_eq!((held.sent.len(), held.data.len(), held.until), (1, 0, 4 * SECOND), "nothing has changed");
    held.told(packet(1, 1), b"true");
    assert_eq!((held.is_done(), &held.data[..]), (true, &b"true"[..]));
}

#[test]
fn security_49_totals_that_lie_are_faults() {
    for (told, kind) in [
        (&[(1, 3), (2, 2)][..], FaultKind::Malformed),
        (&[(1, 3), (2, 4)], FaultKind::Malformed),
        (&[(1, 2), (3, 0)], FaultKind::Malformed),
        (&[(5, 0), (1, 4)], FaultKind::Malformed),
        (&[(2, 1)], FaultKind::Malformed),
        (&[(1, 16_385)], FaultKind::Limit),
        (&[(16_385, 0)], FaultKind::Limit),
        (&[(1, 65_535)], FaultKind::Limit),
        (&[(65_535, 65_535)], FaultKind::Limit),
    ] {
        let mut held = Held::usual();
        for &(number, total) in told {
            held.told(packet(number, total), b"x");
        }
        assert_eq!(held.fault().kind(), kind, "{told:?}");
    }
}

#[test]
fn security_49_an_answer_without_end_is_cut_at_the_limit() {
    let mut held = limited(|limits| limits.packets = 1000);
    for number in 1..=1001 {
        held.told(packet(number, 0), &[b'x'; 1250]);
    }
    assert_eq!((held.fault().kind(), held.data.len()), (FaultKind::Limit, 1_250_000));
    let mut held = limited(|limits| (limits.packets, limits.datagrams) = (u16::MAX, u32::MAX));
    for number in 1..=u16::MAX {
        held.told(packet(number, 0), b"x");
        held.told(packet(number, 0), b"x");
    }
    assert_eq!((held.end.is_none(), held.data.len()), (true, 65_535));
    held.told(packet(u16::MAX, u16::MAX), b"x");
    assert!(held.is_done(), "the highest number is one");
}

#[test]
fn security_49_packets_ahead_are_kept_up_to_the_limit_and_no_farther() {
    let mut held = limited(|limits| limits.ahead = 100_000);
    // The first is missing: 1 is never sent before the end.
    for number in 2..=16_384 {
        held.told(packet(number, 0), &[b'x'; 1000]);
    }
    assert_eq!(held.data.len(), 0);
    held.told(packet(1, 0), b"");
    assert_eq!(held.data.len(), 100_000, "100 packets were kept");
    // One octet each: the limit of octets is far, that of packets is not.
    let mut held = Held::usual();
    for number in (2..=16_384).rev() {
        held.told(packet(number, 0), b"x");
    }
    held.told(packet(1, 0), b"");
    assert_eq!(held.data.len(), 255, "256 packets ahead of what has come, the first of them empty");
}

#[test]
fn security_49_a_flood_of_datagrams_ends_the_exchange() {
    let mut held = limited(|limits| limits.datagrams = 500);
    let flood = packet(0, 0).with(|header| header.acknowledge = true);
    while held.told(flood, b"") {}
    assert_eq!(held.fault().kind(), FaultKind::Limit);
    assert_eq!(held.sent.len(), 501, "no more than came, and shorter");
    assert!(held.sent[1..].iter().all(|datagram| datagram.octets().len() == 9));
}

#[test]
fn security_48_endless_waits_have_an_end() {
    let mut held = Held::usual();
    let wait = packet(0, 0).with(|header| header.wait = Some(u16::MAX));
    held.told(wait, b"");
    assert_eq!((held.until, held.exchange.granted()), (300 * SECOND, 300 * SECOND), "18 hours are cut");
    while held.end.is_none() {
        held.told(wait, b"");
        held.wait();
    }
    assert_eq!((held.fault().kind(), held.now), (FaultKind::Silent, 900 * SECOND));
    assert!(held.sent.len() < 5);
}

#[test]
fn security_48_an_answer_that_drips_has_an_end() {
    let mut held = Held::usual();
    for number in 1.. {
        held.told(packet(number, 0), b"x");
        if held.end.is_some() {
            break;
        }
        held.now += 39 * SECOND / 10;
        held.go_on();
    }
    assert_eq!((held.fault().kind(), held.data.len() < 300), (FaultKind::Silent, true));
    assert!(held.now <= 901 * SECOND);
}

#[test]
fn doubles_and_notices_without_end_do_not_put_off_giving_up() {
    let mut held = Held::usual();
    held.told(packet(1, 0), b"a");
    while held.end.is_none() {
        held.told(packet(1, 0), b"a");
        held.told(packet(0, 0).with(|header| header.received_through = Some(1)), b"");
        held.wait();
    }
    assert_eq!((held.fault().kind(), held.now), (FaultKind::Silent, 60 * SECOND));
    assert_eq!(
        held.sent.len(),
        8,
        "the request, and repeats after a quarter of a second, then after waits that double"
    );
}

#[test]
fn redirects_end_and_lead_to_one_machine() {
    let to = |address: [u8; 4], port| {
        let signal = Some(Signal::Redirect { address: address.into(), port });
        packet(0, 0).with(|header| header.signal = signal)
    };
    let mut held = Held::usual();
    while held.told(to([192, 0, 2, 1], 1525), b"") {}
    assert_eq!((held.fault().kind(), held.redirects.len(), held.sent.len()), (FaultKind::Redirects, 5, 6));

    for (address, port) in [([255; 4], 1525), ([224, 0, 0, 1], 1525), ([0; 4], 1525), ([192, 0, 2, 1], 0)] {
        let mut held = Held::usual();
        held.told(to(address, port), b"");
        assert_eq!((held.fault().kind(), held.sent.len()), (FaultKind::Malformed, 1), "{address:?} {port}");
    }

    let mut held = Held::usual();
    held.told(packet(2, 0), b"b");
    held.told(to([192, 0, 2, 1], 1525), b"");
    assert_eq!(held.fault().kind(), FaultKind::Malformed, "half an answer is not gone on with elsewhere");
}

#[test]
fn what_is_no_ardp_is_told_when_nothing_else_came() {
    let wrong = [
        &b""[..],
        b"\x00",
        b"LINK  L FILE a INTERNET-D H ASCII a 0\n",
        b"\x20\x13\x74",
        b"\x43\x13\x74whole",
        b"\xff",
        b"\x1f\x13\x74",
        b"\x0d\x13\x74\x00\x01\x00\x01\x00\x00\x00\x00\x08\x00",
        b"\x0d\x13\x74\x00\x01\x00\x01\x00\x00\x00\x00\x00\x04",
        b"\x10\x13\x74\x00\x01\x00\x01\x00\x00\x00\x00\x01\x00\x01\xff\x00",
    ];
    let mut held = Held::usual();
    for datagram in wrong {
        assert!(!held.hear(datagram), "{datagram:?}");
    }
    assert_eq!(held.until, 4 * SECOND);
    held.wait_for_the_end();
    assert_eq!(held.fault().kind(), FaultKind::Malformed);
    assert!(held.fault().what().contains("is not ARDP"), "{}", held.fault());

    let mut held = Held::usual();
    held.hear(wrong[2]);
    held.told(packet(1, 1), b"true");
    assert!(held.is_done(), "whoever forges what is no ARDP changes nothing");
}

#[test]
fn nothing_is_taken_once_it_is_over() {
    let mut held = Held::usual();
    held.told(packet(1, 1), b"a");
    assert!(!held.told(packet(2, 0).with(|header| header.acknowledge = true), b"b"));
    assert_eq!((held.is_done(), &held.data[..], held.sent.len()), (true, &b"a"[..], 1));
}
