//! Hostile servers and third parties: forged ids, inconsistent numbers, endless waits. Memory, packets and time are bounded.

use crate::support::{ID, REQUEST, exchange, packet, usual};
use std::time::Duration;
use urlwise_open::protocol::FaultKind;
use urlwise_open::protocol::ardp::{ArdpLimits, ArdpSettings, Signal};
use urlwise_open::testing::DatagramExchange;

const SECOND: Duration = Duration::from_secs(1);

fn limited(change: impl FnOnce(&mut ArdpLimits)) -> DatagramExchange {
    let mut settings = ArdpSettings::default();
    change(&mut settings.limits);
    exchange(REQUEST, settings)
}

#[test]
fn datagrams_with_another_connection_id_are_ignored() {
    let mut driver = usual();
    for id in (0..=u16::MAX).filter(|id| *id != ID) {
        let forged = packet(1, 1).with(|header| {
            header.connection = id;
            header.acknowledge = true;
        });
        assert!(!driver.receive(&forged.encode(b"forged")));
    }
    assert!(!driver.receive(b"\x01forged"), "there is no id");
    assert_eq!((driver.sent.len(), driver.data.len(), driver.until), (1, 0, 4 * SECOND), "nothing has changed");
    driver.receive_packet(packet(1, 1), b"true");
    assert_eq!((driver.is_done(), &driver.data[..]), (true, &b"true"[..]));
}

#[test]
fn security_49_inconsistent_totals_are_faults() {
    for (packets, kind) in [
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
        let mut driver = usual();
        for &(number, total) in packets {
            driver.receive_packet(packet(number, total), b"x");
        }
        assert_eq!(driver.fault().kind(), kind, "{packets:?}");
    }
}

#[test]
fn security_49_an_endless_answer_ends_at_the_limit() {
    let mut driver = limited(|limits| limits.packets = 1000);
    for number in 1..=1001 {
        driver.receive_packet(packet(number, 0), &[b'x'; 1250]);
    }
    assert_eq!((driver.fault().kind(), driver.data.len()), (FaultKind::Limit, 1_250_000));
    let mut driver = limited(|limits| (limits.packets, limits.datagrams) = (u16::MAX, u32::MAX));
    for number in 1..=u16::MAX {
        driver.receive_packet(packet(number, 0), b"x");
        driver.receive_packet(packet(number, 0), b"x");
    }
    assert_eq!((driver.end.is_none(), driver.data.len()), (true, 65_535));
    driver.receive_packet(packet(u16::MAX, u16::MAX), b"x");
    assert!(driver.is_done(), "the highest number is a valid packet number");
}

#[test]
fn security_49_packets_ahead_are_kept_up_to_the_limit() {
    let mut driver = limited(|limits| limits.ahead = 100_000);
    // Packet 1 arrives last.
    for number in 2..=16_384 {
        driver.receive_packet(packet(number, 0), &[b'x'; 1000]);
    }
    assert_eq!(driver.data.len(), 0);
    driver.receive_packet(packet(1, 0), b"");
    assert_eq!(driver.data.len(), 100_000, "100 packets were kept");
    // With one octet each, the limit on packets is reached long before that on octets.
    let mut driver = usual();
    for number in (2..=16_384).rev() {
        driver.receive_packet(packet(number, 0), b"x");
    }
    driver.receive_packet(packet(1, 0), b"");
    assert_eq!(driver.data.len(), 255, "256 packets ahead are kept, the first of them empty");
}

#[test]
fn security_49_a_flood_of_datagrams_ends_the_exchange() {
    let mut driver = limited(|limits| limits.datagrams = 500);
    let flood = packet(0, 0).with(|header| header.acknowledge = true);
    while driver.receive_packet(flood, b"") {}
    assert_eq!(driver.fault().kind(), FaultKind::Limit);
    assert_eq!(driver.sent.len(), 501, "one short datagram for each that arrived");
    assert!(driver.sent[1..].iter().all(|datagram| datagram.octets().len() == 9));
}

#[test]
fn security_48_endless_waits_have_an_end() {
    let mut driver = usual();
    let wait = packet(0, 0).with(|header| header.wait = Some(u16::MAX));
    driver.receive_packet(wait, b"");
    assert_eq!((driver.until, driver.machine.granted()), (300 * SECOND, 300 * SECOND), "18 hours are cut");
    while driver.end.is_none() {
        driver.receive_packet(wait, b"");
        driver.wait();
    }
    assert_eq!((driver.fault().kind(), driver.now), (FaultKind::Silent, 900 * SECOND));
    assert!(driver.sent.len() < 5);
}

#[test]
fn security_48_an_answer_that_drips_has_an_end() {
    let mut driver = usual();
    for number in 1.. {
        driver.receive_packet(packet(number, 0), b"x");
        if driver.end.is_some() {
            break;
        }
        driver.now += 39 * SECOND / 10;
        driver.run();
    }
    assert_eq!((driver.fault().kind(), driver.data.len() < 300), (FaultKind::Silent, true));
    assert!(driver.now <= 901 * SECOND);
}

#[test]
fn endless_duplicates_and_notices_do_not_postpone_the_timeout() {
    let mut driver = usual();
    driver.receive_packet(packet(1, 0), b"a");
    while driver.end.is_none() {
        driver.receive_packet(packet(1, 0), b"a");
        driver.receive_packet(packet(0, 0).with(|header| header.received_through = Some(1)), b"");
        driver.wait();
    }
    assert_eq!((driver.fault().kind(), driver.now), (FaultKind::Silent, 60 * SECOND));
    assert_eq!(
        driver.sent.len(),
        8,
        "the request, then retransmissions after a quarter of a second and after waits that double"
    );
}

#[test]
fn redirects_are_limited_and_need_a_unicast_address() {
    let to = |address: [u8; 4], port| {
        let signal = Some(Signal::Redirect { address: address.into(), port });
        packet(0, 0).with(|header| header.signal = signal)
    };
    let mut driver = usual();
    while driver.receive_packet(to([192, 0, 2, 1], 1525), b"") {}
    assert_eq!((driver.fault().kind(), driver.redirects.len(), driver.sent.len()), (FaultKind::Redirects, 5, 6));

    for (address, port) in [([255; 4], 1525), ([224, 0, 0, 1], 1525), ([0; 4], 1525), ([192, 0, 2, 1], 0)] {
        let mut driver = usual();
        driver.receive_packet(to(address, port), b"");
        assert_eq!((driver.fault().kind(), driver.sent.len()), (FaultKind::Malformed, 1), "{address:?} {port}");
    }

    let mut driver = usual();
    driver.receive_packet(packet(2, 0), b"b");
    driver.receive_packet(to([192, 0, 2, 1], 1525), b"");
    assert_eq!(driver.fault().kind(), FaultKind::Malformed, "an answer is never continued at another server");
}

#[test]
fn answers_that_are_not_ardp_are_reported_if_nothing_else_arrives() {
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
    let mut driver = usual();
    for datagram in wrong {
        assert!(!driver.receive(datagram), "{datagram:?}");
    }
    assert_eq!(driver.until, 4 * SECOND);
    driver.wait_for_end();
    assert_eq!(driver.fault().kind(), FaultKind::Malformed);
    assert!(driver.fault().what().to_string().contains("is not ARDP"), "{}", driver.fault());

    let mut driver = usual();
    driver.receive(wrong[2]);
    driver.receive_packet(packet(1, 1), b"true");
    assert!(driver.is_done(), "forged datagrams that are not ARDP change nothing");
}

#[test]
fn datagrams_after_the_end_are_ignored() {
    let mut driver = usual();
    driver.receive_packet(packet(1, 1), b"a");
    assert!(!driver.receive_packet(packet(2, 0).with(|header| header.acknowledge = true), b"b"));
    assert_eq!((driver.is_done(), &driver.data[..], driver.sent.len()), (true, &b"a"[..], 1));
}
