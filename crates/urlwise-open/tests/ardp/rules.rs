//! The rules of ARDP, one by one.

use crate::support::{ID, REQUEST, as_in_1994, exchange, packet, usual};
use proptest::prelude::*;
use std::net::SocketAddrV4;
use std::time::Duration;
use urlwise_open::protocol::FaultKind;
use urlwise_open::protocol::ardp::{ArdpLimits, ArdpSettings, Header, Signal, plan};

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn by_default_a_request_is_sent_again_at_1_3_7_15_and_31_seconds_and_times_out_at_60() {
    let mut driver = exchange(REQUEST, ArdpSettings::default());
    let first = driver.take_sent();
    for second in [1, 3, 7, 15, 31] {
        driver.wait();
        assert_eq!((driver.now, driver.take_sent()), (second * SECOND, first.clone()), "the same octets");
    }
    driver.wait();
    assert_eq!((driver.now, driver.fault().kind()), (60 * SECOND, FaultKind::Silent));
    assert!(driver.fault().what().to_string().contains("6 attempts"), "{}", driver.fault());
}

#[test]
fn a_request_is_sent_again_at_4_12_and_28_seconds_and_times_out_at_60() {
    let mut driver = usual();
    let first = driver.take_sent();
    assert_eq!(first, [[&[9, 0x13, 0x74, 0, 1, 0, 1, 0, 0], REQUEST].concat()]);
    for second in [4, 12, 28] {
        driver.wait();
        assert_eq!((driver.now, driver.take_sent()), (second * SECOND, first.clone()), "the same octets");
    }
    driver.wait();
    assert_eq!((driver.now, driver.fault().kind()), (60 * SECOND, FaultKind::Silent));
    assert!(driver.sent.is_empty());
    assert_eq!(driver.machine.cancel(), None, "no server knows of it");
}

#[test]
fn a_long_request_is_cut_into_packets_of_1250_octets() {
    let request = vec![b'a'; 2 * 1250 + 1];
    let mut driver = exchange(&request, as_in_1994());
    let headers: Vec<_> = driver.sent.iter().map(|datagram| *datagram.header()).collect();
    let numbers: Vec<_> = headers.iter().map(|header| (header.packet, header.total)).collect();
    assert_eq!(numbers, [(1, Some(3)), (2, Some(3)), (3, Some(3))]);
    assert_eq!(driver.sent.iter().map(|datagram| datagram.data().len()).collect::<Vec<_>>(), [1250, 1250, 1]);

    // The server has the first: only the others are sent again.
    driver.sent.clear();
    driver.receive_packet(Header::default().with(|header| header.received_through = Some(1)), b"");
    driver.wait();
    assert_eq!(driver.sent.iter().map(|datagram| datagram.header().packet).collect::<Vec<_>>(), [2, 3]);

    // It has all: from now on we only acknowledge.
    driver.sent.clear();
    driver.receive_packet(Header::default().with(|header| header.received_through = Some(3)), b"");
    driver.wait();
    assert_eq!(driver.take_sent(), [[9, 0x13, 0x74, 0, 0, 0, 0, 0, 0]]);
}

#[test]
fn an_acknowledgement_is_taken_back_by_a_signal_only() {
    let mut driver = exchange(&[b'a'; 2501], as_in_1994());
    let through = |through| Header::default().with(|header| header.received_through = Some(through));
    driver.receive_packet(through(2), b"");
    driver.receive_packet(through(1), b"");
    driver.sent.clear();
    driver.wait();
    assert_eq!(driver.sent.iter().map(|datagram| datagram.header().packet).collect::<Vec<_>>(), [3]);
    driver.receive_packet(through(1).with(|header| header.signal = Some(Signal::ReceivedBackTo)), b"");
    driver.sent.clear();
    driver.wait();
    assert_eq!(driver.sent.iter().map(|datagram| datagram.header().packet).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn a_request_that_is_sent_again_acknowledges_packets() {
    let mut driver = usual();
    driver.sent.clear();
    driver.receive_packet(packet(1, 0), b"a");
    driver.receive_packet(packet(3, 3), b"c");
    driver.wait();
    assert_eq!(driver.take_sent(), [[9, 0x13, 0x74, 0, 0, 0, 0, 0, 1]], "packets are acknowledged first");
    driver.wait();
    assert_eq!(driver.sent[0].header().received_through, Some(1));
    assert_eq!(driver.sent[0].data(), REQUEST);
}

/// How long after the last of these packets, each after so many milliseconds, packet 1 is acknowledged.
fn acknowledged_after(packets: &[(Header, u64)]) -> Option<Duration> {
    let mut driver = usual();
    driver.now = Duration::from_millis(100);
    driver.receive_packet(packet(1, 0), b"a");
    driver.sent.clear();
    for (header, milliseconds) in packets {
        let then = driver.now + Duration::from_millis(*milliseconds);
        while driver.until <= then && driver.sent.is_empty() {
            driver.wait();
        }
        if !driver.sent.is_empty() {
            break;
        }
        driver.now = then;
        driver.receive_packet(*header, b"x");
    }
    let arrived = driver.now;
    while driver.sent.is_empty() && driver.end.is_none() {
        driver.wait();
    }
    let sent = driver.take_sent();
    (sent.first()? == &[9, 0x13, 0x74, 0, 0, 0, 0, 0, 1]).then_some(driver.now - arrived)
}

#[test]
fn gaps_are_reported_as_soon_as_the_last_packet_has_arrived() {
    let millis = Duration::from_millis;
    assert_eq!(acknowledged_after(&[(packet(3, 3), 1)]), Some(millis(20)));
    assert_eq!(acknowledged_after(&[(packet(3, 0), 1), (packet(5, 5), 1)]), Some(millis(20)));
    // The last packet of a window asks for an acknowledgement and gets it at once.
    let window = packet(3, 0).with(|header| header.acknowledge = true);
    assert_eq!(acknowledged_after(&[(window, 1)]), Some(Duration::ZERO));
    // If the end of the answer is lost: after twice the response time of the server, at least a quarter of a second.
    assert_eq!(acknowledged_after(&[(packet(3, 0), 1)]), Some(millis(249)));
    assert_eq!(acknowledged_after(&[]), Some(millis(250)));
}

#[test]
fn packets_that_were_only_overtaken_are_not_requested_again() {
    let mut driver = usual();
    driver.receive_packet(packet(1, 0), b"a");
    driver.receive_packet(packet(3, 3), b"c");
    driver.sent.clear();
    driver.now += Duration::from_millis(19);
    driver.receive_packet(packet(2, 0), b"b");
    assert!(driver.is_done() && driver.sent.is_empty());
}

#[test]
fn a_last_packet_that_arrives_repeatedly_is_not_answered_each_time() {
    let mut driver = usual();
    driver.receive_packet(packet(2, 2), b"b");
    driver.sent.clear();
    while driver.end.is_none() {
        driver.now += Duration::from_millis(30);
        driver.run();
        driver.receive_packet(packet(2, 2), b"b");
    }
    assert!(driver.sent.len() < 12, "{}", driver.sent.len());
    assert!(driver.now <= 61 * SECOND, "{:?}", driver.now);
}

#[test]
fn a_server_that_has_forgotten_the_request_gets_it_again() {
    let mut driver = exchange(&[b'a'; 2501], as_in_1994());
    driver.receive_packet(packet(1, 0).with(|header| header.received_through = Some(3)), b"a");
    driver.sent.clear();
    let mut packets = Vec::new();
    for _ in 0..3 {
        driver.wait();
        packets.push(driver.sent.drain(..).map(|datagram| datagram.header().packet).collect::<Vec<_>>());
    }
    assert_eq!(packets, [vec![0], vec![1, 2, 3], vec![1, 2, 3]]);
    // It starts again, and data is not returned twice.
    driver.receive_packet(packet(1, 2), b"a");
    driver.receive_packet(packet(2, 2), b"b");
    assert_eq!((driver.is_done(), &driver.data[..]), (true, &b"ab"[..]));
}

#[test]
fn progress_restarts_the_timer_and_nothing_else_does() {
    let mut driver = usual();
    driver.now = 3 * SECOND;
    driver.receive_packet(packet(2, 0), b"b");
    assert_eq!(driver.until, 4 * SECOND, "a packet ahead is not progress");
    driver.receive_packet(packet(1, 0), b"a");
    assert_eq!((driver.until, &driver.data[..]), (7 * SECOND, &b"ab"[..]));
    driver.now = 5 * SECOND;
    driver.receive_packet(packet(1, 0), b"a");
    driver.receive_packet(Header::default(), b"");
    driver.receive_packet(Header::default().with(|header| header.wait = Some(0)), b"");
    assert_eq!(driver.until, 7 * SECOND, "neither a duplicate nor a notice is progress");
    driver.wait();
    driver.wait();
    driver.receive_packet(packet(3, 0), b"c");
    assert_eq!((driver.now, driver.until), (15 * SECOND, 19 * SECOND), "the waits start again");
}

#[test]
fn a_packet_ahead_leaves_a_wait_that_ends_with_its_own_as_it_is() {
    let mut driver = exchange(REQUEST, as_in_1994().with(|settings| settings.first_wait = 3 * SECOND));
    driver.now = SECOND;
    // Twice the response time of the server from now: exactly when the request is sent again anyway.
    driver.receive_packet(packet(2, 0), b"b");
    assert_eq!(driver.until, 3 * SECOND);
    driver.wait();
    assert_eq!(driver.until, 9 * SECOND, "the next wait is twice the first one");
}

#[test]
fn a_packet_that_arrives_again_hastens_nothing_where_none_is_missing() {
    let mut driver = usual();
    let asking = packet(1, 0).with(|header| header.acknowledge = true);
    driver.receive_packet(asking, b"a");
    let until = driver.until;
    driver.now += Duration::from_millis(1);
    driver.receive_packet(asking, b"a");
    assert_eq!(driver.until, until);
}

#[test]
fn a_wait_that_the_server_asks_for_is_respected() {
    let mut driver = usual();
    driver.sent.clear();
    let wait = |seconds| Header::default().with(|header| header.wait = Some(seconds));
    driver.receive_packet(wait(180), b"");
    assert_eq!((driver.until, driver.machine.granted()), (180 * SECOND, 180 * SECOND));
    driver.receive_packet(wait(1), b"");
    assert_eq!(driver.until, 4 * SECOND, "never sooner than the first wait");
    driver.receive_packet(wait(180), b"");
    driver.now = 10 * SECOND;
    driver.receive_packet(packet(1, 0).with(|header| header.wait = Some(0)), b"a");
    assert_eq!((driver.until, driver.machine.granted()), (41 * SECOND / 4, Duration::ZERO), "the wait is withdrawn");
    assert!(driver.sent.is_empty());
    driver.receive_packet(
        packet(2, 2).with(|header| {
            header.wait = Some(0);
            header.acknowledge = true;
        }),
        b"b",
    );
    assert!(driver.is_done());
    assert_eq!(driver.take_sent(), [[9, 0x13, 0x74, 0, 0, 0, 0, 0, 2]], "the last packet is acknowledged");
}

#[test]
fn each_request_for_an_acknowledgement_gets_one() {
    let mut driver = usual();
    driver.sent.clear();
    driver.receive_packet(packet(1, 0), b"a");
    assert!(driver.sent.is_empty(), "no acknowledgement was requested");
    for _ in 0..2 {
        driver.receive_packet(packet(2, 0).with(|header| header.acknowledge = true), b"b");
        assert_eq!(driver.take_sent(), [[9, 0x13, 0x74, 0, 0, 0, 0, 0, 2]]);
    }
    driver.receive_packet(packet(0, 0).with(|header| header.acknowledge = true), b"");
    assert_eq!(driver.take_sent(), [[9, 0x13, 0x74, 0, 0, 0, 0, 0, 2]]);
    assert_eq!(driver.data, b"ab");
}

#[test]
fn a_packet_that_arrives_again_is_acknowledged_four_times_a_second_at_most() {
    let mut driver = usual();
    let asking = |number| packet(number, 0).with(|header| header.acknowledge = true);
    driver.receive_packet(asking(1), b"a");
    driver.sent.clear();
    let mut at = |milliseconds, number| {
        driver.now = Duration::from_millis(milliseconds);
        // What is due by the clock is sent first, and is not counted.
        driver.run();
        driver.sent.clear();
        driver.receive_packet(asking(number), b"x");
        driver.take_sent().len()
    };
    assert_eq!([(10, 1), (11, 1), (259, 1), (260, 1), (509, 1)].map(|(now, number)| at(now, number)), [1, 0, 0, 1, 0]);
    // What is new is acknowledged at once, packets ahead included.
    assert_eq!([(509, 2), (509, 2), (509, 4), (509, 4)].map(|(now, number)| at(now, number)), [1, 0, 1, 0]);
    driver.receive_packet(packet(3, 0), b"x");
    assert!(driver.sent.is_empty(), "no acknowledgement was requested");
    driver.receive_packet(asking(4), b"x");
    assert_eq!(driver.take_sent().len(), 1, "the server does not know of packet 3 yet");
}

#[test]
fn control_packets_count_and_notices_do_not() {
    let mut driver = usual();
    driver.receive_packet(packet(0, 0), b"no data");
    driver.receive_packet(packet(1, 0).with(|header| header.control = true), b"no data");
    driver.receive_packet(packet(2, 3), b"data");
    driver.receive_packet(packet(3, 3).with(|header| header.control = true), b"");
    assert_eq!((driver.is_done(), &driver.data[..]), (true, &b"data"[..]));
}

#[test]
fn an_empty_answer_is_complete() {
    let mut driver = usual();
    driver.receive(&[3, 0x13, 0x74]);
    assert_eq!((driver.is_done(), driver.data.len()), (true, 0));
}

#[test]
fn headers_cut_after_any_field_have_defaults() {
    let octets = [11, 0x13, 0x74, 0, 2, 0, 5, 0, 4, 0, 3];
    let cut = |length: u8| {
        let mut octets = octets[..usize::from(length)].to_vec();
        octets[0] = length;
        Header::decode(&octets).expect("a header").0
    };
    let only = Header::default().with(|header| {
        header.packet = 1;
        header.total = Some(1);
    });
    assert_eq!(cut(1), only);
    let connection = ID;
    assert_eq!(cut(3), only.with(|header| header.connection = connection));
    assert_eq!(cut(4), only.with(|header| header.connection = connection), "half a field does not count");
    let packet = Header::default().with(|header| {
        header.connection = connection;
        header.packet = 2;
    });
    assert_eq!(cut(5), packet);
    assert_eq!(cut(7), packet.with(|header| header.total = Some(5)));
    assert_eq!(
        cut(9),
        packet.with(|header| {
            header.total = Some(5);
            header.received_through = Some(4);
        })
    );
    assert_eq!(
        cut(11),
        packet.with(|header| {
            header.total = Some(5);
            header.received_through = Some(4);
            header.wait = Some(3);
        })
    );
}

#[test]
fn the_data_of_flags_precedes_that_of_the_signal() {
    // An address of one octet, a priority, a protocol, a window; then a redirect.
    let header = [29, 0x13, 0x74, 0, 0, 0, 0, 0, 0, 0, 0, 0x0f, 4, 7, 1, 99, 0xff, 0xfe, 0, 1, 0, 2];
    let octets = [&header[..], &[192, 0, 2, 1, 5, 0xf5, 0]].concat();
    let (header, data) = Header::decode(&octets).expect("a header");
    assert_eq!((header.window, data.len()), (Some(2), 0));
    assert_eq!(header.signal, Some(Signal::Redirect { address: [192, 0, 2, 1].into(), port: 1525 }));
}

#[test]
fn a_redirect_starts_again_at_the_other_server() {
    let mut driver = usual();
    let first = driver.take_sent();
    driver.now = 3 * SECOND;
    let signal = Some(Signal::Redirect { address: [192, 0, 2, 7].into(), port: 1525 });
    driver.receive_packet(packet(0, 0).with(|header| header.signal = signal), b"");
    assert_eq!(
        (driver.take_sent(), driver.redirects.clone()),
        (first, vec![SocketAddrV4::new([192, 0, 2, 7].into(), 1525)])
    );
    assert_eq!(driver.until, 7 * SECOND);
    driver.receive_packet(packet(1, 1), b"there");
    assert_eq!((driver.is_done(), &driver.data[..]), (true, &b"there"[..]));
}

#[test]
fn a_refusal_is_a_fault_of_the_server() {
    let mut driver = usual();
    driver.receive_packet(packet(0, 0).with(|header| header.signal = Some(Signal::Refused)), b"");
    assert_eq!(driver.fault().kind(), FaultKind::Server);
}

#[test]
fn only_a_request_that_a_server_works_on_is_cancelled() {
    let mut driver = usual();
    assert_eq!(driver.machine.cancel(), None);
    driver.receive_packet(packet(1, 2), b"a");
    let cancel = driver.machine.cancel().expect("a server has answered");
    assert_eq!(cancel.octets(), [13, 0x13, 0x74, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    driver.receive_packet(packet(2, 2), b"b");
    assert_eq!(driver.machine.cancel(), None, "the answer is complete");
}

#[test]
fn queue_signals_are_displayed_in_words() {
    let queue = Signal::Queue { position: Some(3), seconds: Some(90) };
    let header = Header::default().with(|header| {
        header.connection = 7;
        header.wait = Some(60);
        header.signal = Some(queue);
    });
    let octets = header.encode(b"");
    assert_eq!(octets[12..], [254, 3, 0, 3, 0, 0, 0, 90]);
    let words = "ARDP notice, wait 60 s, place 3 in the queue, ready in 90 s, connection id 7";
    assert_eq!(Header::decode(&octets).expect("a header").0.to_string(), words);
    let mut driver = usual();
    driver.receive_packet(header, b"");
    assert_eq!((driver.end.is_none(), driver.until), (true, 60 * SECOND));
}

#[test]
fn the_dry_run_shows_headers_in_words_and_text_in_lines() {
    let lines = plan(b"VERSION 5 me\nDIRECTORY ASCII 'a\x1bb'\n", ArdpSettings::default()).expect("a valid request");
    let shown: Vec<_> = lines.iter().map(|line| format!("{}: {line}", line.kind())).collect();
    assert_eq!(
        shown,
        [
            "send: ARDP packet 1 of 1, a random connection id",
            r"send: VERSION 5 me\n",
            r"send: DIRECTORY ASCII 'a\x1bb'\n",
        ]
    );
    assert_eq!(plan(&[b'a'; 1251], ArdpSettings::default()).expect("two packets").len(), 4);
}

#[test]
fn security_4_nul_is_refused_by_the_writer() {
    for (request, at) in [(&b"\0"[..], Some(0)), (b"DIRECTORY ASCII a\0b\n", Some(17)), (b"", None)] {
        let driver = exchange(request, ArdpSettings::default());
        assert_eq!((driver.fault().kind(), driver.fault().place()), (FaultKind::Refused, at));
        assert!(driver.sent.is_empty());
        assert_eq!(plan(request, ArdpSettings::default()).as_ref(), Err(driver.fault()));
    }
}

#[test]
fn a_request_of_more_than_sixteen_packets_is_refused() {
    assert_eq!(exchange(&[b'a'; 20_000], ArdpSettings::default()).sent.len(), 16);
    let driver = exchange(&[b'a'; 20_001], ArdpSettings::default());
    assert_eq!((driver.fault().kind(), driver.sent.len()), (FaultKind::Refused, 0));
    assert_eq!(driver.fault().what().to_string(), "the request is 20001 octets long, more than the maximum of 20000");
}

#[test]
fn packets_ahead_count_only_until_their_turn_comes() {
    let settings = as_in_1994().with(|settings| settings.limits.ahead = 600);
    let mut driver = exchange(REQUEST, settings);
    for first in [1, 3, 5] {
        driver.receive_packet(packet(first + 1, 0), &[b'b'; 600]);
        driver.receive_packet(packet(first, 0), b"a");
    }
    driver.receive_packet(packet(7, 7), b"");
    assert_eq!((driver.is_done(), driver.data.len()), (true, 3 * 601));
}

#[test]
fn datagrams_are_shown_by_header_and_lines() {
    let driver = usual();
    let shown: Vec<_> = driver.sent[0].commands().iter().map(ToString::to_string).collect();
    assert_eq!(shown[0], "ARDP packet 1 of 1, connection id 4980");
    assert_eq!(shown[1..], [r"VERSION 5 test\n", r"DIRECTORY ASCII ''\n", r"LIST '' COMPONENTS\n"]);
    assert_eq!(driver.sent[0].to_string(), shown[0]);
    assert!(format!("{:?}", driver.sent[0]).contains(&shown[0]));
    assert_eq!(Header::decode(b"LINK").expect_err("another protocol").to_string(), "not an ARDP header");
}

#[test]
fn a_wait_of_no_seconds_is_not_asked_for() {
    for (wait, asked) in [(None, None), (Some(0), None), (Some(1), Some(SECOND)), (Some(90), Some(90 * SECOND))] {
        assert_eq!(Header::default().with(|header| header.wait = wait).asked_to_wait(), asked);
    }
}

#[test]
fn limits_are_as_documented() {
    let limits = ArdpLimits::default();
    assert_eq!((limits.wait, limits.total), (300 * SECOND, 900 * SECOND));
    assert_eq!((limits.packets, limits.datagrams, limits.ahead, limits.redirects), (16_384, 65_536, 1 << 20, 5));
}

prop_compose! {
    fn any_signal()(kind in 0..6, address: [u8; 4], port: u16, position: Option<u16>, seconds: Option<u32>, other in 6_u8..253)
        -> Option<Signal>
    {
        Some(match kind {
            0 => return None,
            1 => Signal::Refused,
            2 => Signal::ReceivedBackTo,
            3 => Signal::Redirect { address: address.into(), port },
            4 => Signal::Queue { position, seconds },
            _ => Signal::Other(other),
        })
    }
}

prop_compose! {
    fn any_header()(
        numbers: [u16; 4], wait: Option<u16>, acknowledge: bool, control: bool, window: Option<u16>, signal in any_signal(),
    ) -> Header {
        let [connection, packet, total, through] = numbers;
        // The wait is written if any later field is.
        let has_more = acknowledge || control || window.is_some() || signal.is_some();
        let wait = if has_more { wait.or(Some(0)) } else { wait };
        Header::default().with(|header| {
            header.connection = connection;
            header.packet = packet;
            header.total = Some(total).filter(|total| *total > 0);
            header.received_through = Some(through);
            header.wait = wait;
            header.acknowledge = acknowledge;
            header.control = control;
            header.window = window;
            header.signal = signal;
        })
    }
}

proptest! {
    #[test]
    fn headers_are_read_as_they_are_written(header in any_header(), data: Vec<u8>) {
        let octets = header.encode(&data);
        prop_assert!(octets[0] < 32);
        prop_assert_eq!(Header::decode(&octets), Ok((header, data.as_slice())));
    }

    #[test]
    fn no_octets_make_the_reader_panic(octets: Vec<u8>, length in 0_u8..40) {
        let _ = Header::decode(&octets);
        let _ = Header::decode(&[&[length][..], &octets].concat());
    }
}
