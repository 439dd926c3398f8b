//! The rules of ARDP, one by one.

use crate::held::{Held, ID, REQUEST};
use crate::tell::{as_in_1994, packet};
use proptest::prelude::*;
use std::time::Duration;
use urlwise_open::protocol::FaultKind;
use urlwise_open::protocol::ardp::{ArdpLimits, ArdpSettings, Header, Signal, plan};

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn by_default_a_request_is_repeated_at_1_3_7_15_and_31_seconds_and_given_up_at_60() {
    let mut held = Held::new(REQUEST, ID, ArdpSettings::default());
    let first = held.sent();
    for second in [1, 3, 7, 15, 31] {
        held.wait();
        assert_eq!((held.now, held.sent()), (second * SECOND, first.clone()), "the same octets");
    }
    held.wait();
    assert_eq!((held.now, held.fault().kind()), (60 * SECOND, FaultKind::Silent));
    assert!(held.fault().what().contains("6 attempts"), "{}", held.fault());
}

#[test]
fn a_request_is_repeated_at_4_12_and_28_seconds_and_given_up_at_60() {
    let mut held = Held::usual();
    let first = held.sent();
    assert_eq!(first, [[&[9, 0x13, 0x74, 0, 1, 0, 1, 0, 0], REQUEST].concat()]);
    for second in [4, 12, 28] {
        held.wait();
        assert_eq!((held.now, held.sent()), (second * SECOND, first.clone()), "the same octets");
    }
    held.wait();
    assert_eq!((held.now, held.fault().kind()), (60 * SECOND, FaultKind::Silent));
    assert!(held.sent.is_empty());
    assert_eq!(held.exchange.cancel(), None, "nobody has heard of it");
}

#[test]
fn a_long_request_is_cut_into_packets_of_1250_octets() {
    let request = vec![b'a'; 2 * 1250 + 1];
    let mut held = Held::new(&request, ID, as_in_1994());
    let headers: Vec<_> = held.sent.iter().map(|datagram| *datagram.header()).collect();
    let numbers: Vec<_> = headers.iter().map(|header| (header.packet, header.total)).collect();
    assert_eq!(numbers, [(1, Some(3)), (2, Some(3)), (3, Some(3))]);
    assert_eq!(held.sent.iter().map(|datagram| datagram.data().len()).collect::<Vec<_>>(), [1250, 1250, 1]);

    // The server has the first: only the others are repeated.
    held.sent.clear();
    held.told(Header::default().with(|header| header.received_through = Some(1)), b"");
    held.wait();
    assert_eq!(held.sent.iter().map(|datagram| datagram.header().packet).collect::<Vec<_>>(), [2, 3]);

    // It has all: from now on it is only told what we have.
    held.sent.clear();
    held.told(Header::default().with(|header| header.received_through = Some(3)), b"");
    held.wait();
    assert_eq!(held.sent(), [[9, 0x13, 0x74, 0, 0, 0, 0, 0, 0]]);
}

#[test]
fn what_a_server_has_goes_back_by_a_signal_only() {
    let mut held = Held::new(&[b'a'; 2501], ID, as_in_1994());
    let through = |through| Header::default().with(|header| header.received_through = Some(through));
    held.told(through(2), b"");
    held.told(through(1), b"");
    held.sent.clear();
    held.wait();
    assert_eq!(held.sent.iter().map(|datagram| datagram.header().packet).collect::<Vec<_>>(), [3]);
    held.told(through(1).with(|header| header.signal = Some(Signal::ReceivedBackTo)), b"");
    held.sent.clear();
    held.wait();
    assert_eq!(held.sent.iter().map(|datagram| datagram.header().packet).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn a_repeated_request_says_what_has_come() {
    let mut held = Held::usual();
    held.sent.clear();
    held.told(packet(1, 0), b"a");
    held.told(packet(3, 3), b"c");
    held.wait();
    assert_eq!(held.sent(), [[9, 0x13, 0x74, 0, 0, 0, 0, 0, 1]], "what has come is acknowledged first");
    held.wait();
    assert_eq!(held.sent[0].header().received_through, Some(1));
    assert_eq!(held.sent[0].data(), REQUEST);
}

/// Which packet comes when, and when an acknowledgement of the first follows.
fn acknowledged_after(told: &[(Header, u64)]) -> Option<Duration> {
    let mut held = Held::usual();
    held.now = Duration::from_millis(100);
    held.told(packet(1, 0), b"a");
    held.sent.clear();
    for (header, milliseconds) in told {
        let then = held.now + Duration::from_millis(*milliseconds);
        while held.until <= then && held.sent.is_empty() {
            held.wait();
        }
        if !held.sent.is_empty() {
            break;
        }
        held.now = then;
        held.told(*header, b"x");
    }
    let arrived = held.now;
    while held.sent.is_empty() && held.end.is_none() {
        held.wait();
    }
    let sent = held.sent();
    (sent.first()? == &[9, 0x13, 0x74, 0, 0, 0, 0, 0, 1]).then_some(held.now - arrived)
}

#[test]
fn gaps_are_reported_as_soon_as_the_last_packet_has_come() {
    let millis = Duration::from_millis;
    assert_eq!(acknowledged_after(&[(packet(3, 3), 1)]), Some(millis(20)));
    assert_eq!(acknowledged_after(&[(packet(3, 0), 1), (packet(5, 5), 1)]), Some(millis(20)));
    // The last of a window asks for it, and gets it at once.
    let window = packet(3, 0).with(|header| header.acknowledge = true);
    assert_eq!(acknowledged_after(&[(window, 1)]), Some(Duration::ZERO));
    // Where the end of the answer is lost, after twice the time that the server took to react, or a quarter of a second.
    assert_eq!(acknowledged_after(&[(packet(3, 0), 1)]), Some(millis(249)));
    assert_eq!(acknowledged_after(&[]), Some(millis(250)));
}

#[test]
fn packets_that_were_only_overtaken_are_not_asked_for_again() {
    let mut held = Held::usual();
    held.told(packet(1, 0), b"a");
    held.told(packet(3, 3), b"c");
    held.sent.clear();
    held.now += Duration::from_millis(19);
    held.told(packet(2, 0), b"b");
    assert!(held.is_done() && held.sent.is_empty());
}

#[test]
fn a_last_packet_that_comes_again_and_again_is_not_answered_each_time() {
    let mut held = Held::usual();
    held.told(packet(2, 2), b"b");
    held.sent.clear();
    while held.end.is_none() {
        held.now += Duration::from_millis(30);
        held.go_on();
        held.told(packet(2, 2), b"b");
    }
    assert!(held.sent.len() < 12, "{}", held.sent.len());
    assert!(held.now <= 61 * SECOND, "{:?}", held.now);
}

#[test]
fn a_server_that_has_forgotten_the_request_gets_it_again() {
    let mut held = Held::new(&[b'a'; 2501], ID, as_in_1994());
    held.told(packet(1, 0).with(|header| header.received_through = Some(3)), b"a");
    held.sent.clear();
    let mut packets = Vec::new();
    for _ in 0..3 {
        held.wait();
        packets.push(held.sent.drain(..).map(|datagram| datagram.header().packet).collect::<Vec<_>>());
    }
    assert_eq!(packets, [vec![0], vec![1, 2, 3], vec![1, 2, 3]]);
    // It begins anew, and what was there already is not given twice.
    held.told(packet(1, 2), b"a");
    held.told(packet(2, 2), b"b");
    assert_eq!((held.is_done(), &held.data[..]), (true, &b"ab"[..]));
}

#[test]
fn progress_restarts_the_timer_and_nothing_else_does() {
    let mut held = Held::usual();
    held.now = 3 * SECOND;
    held.told(packet(2, 0), b"b");
    assert_eq!(held.until, 4 * SECOND, "a packet ahead is no progress");
    held.told(packet(1, 0), b"a");
    assert_eq!((held.until, &held.data[..]), (7 * SECOND, &b"ab"[..]));
    held.now = 5 * SECOND;
    held.told(packet(1, 0), b"a");
    held.told(Header::default(), b"");
    assert_eq!(held.until, 7 * SECOND, "neither a double nor a notice is progress");
    held.wait();
    held.wait();
    held.told(packet(3, 0), b"c");
    assert_eq!((held.now, held.until), (15 * SECOND, 19 * SECOND), "the waits begin anew");
}

#[test]
fn a_server_that_asks_to_wait_is_waited_for() {
    let mut held = Held::usual();
    held.sent.clear();
    let wait = |seconds| Header::default().with(|header| header.wait = Some(seconds));
    held.told(wait(180), b"");
    assert_eq!((held.until, held.exchange.granted()), (180 * SECOND, 180 * SECOND));
    held.told(wait(1), b"");
    assert_eq!(held.until, 4 * SECOND, "no repeat is ever sooner than the first");
    held.told(wait(180), b"");
    held.now = 10 * SECOND;
    held.told(packet(1, 0).with(|header| header.wait = Some(0)), b"a");
    assert_eq!((held.until, held.exchange.granted()), (41 * SECOND / 4, Duration::ZERO), "it is taken back");
    assert!(held.sent.is_empty());
    held.told(
        packet(2, 2).with(|header| {
            header.wait = Some(0);
            header.acknowledge = true;
        }),
        b"b",
    );
    assert!(held.is_done());
    assert_eq!(held.sent(), [[9, 0x13, 0x74, 0, 0, 0, 0, 0, 2]], "the last packet is acknowledged");
}

#[test]
fn what_asks_for_an_acknowledgement_gets_one_each_time() {
    let mut held = Held::usual();
    held.sent.clear();
    held.told(packet(1, 0), b"a");
    assert!(held.sent.is_empty(), "nobody asked");
    for _ in 0..2 {
        held.told(packet(2, 0).with(|header| header.acknowledge = true), b"b");
        assert_eq!(held.sent(), [[9, 0x13, 0x74, 0, 0, 0, 0, 0, 2]]);
    }
    held.told(packet(0, 0).with(|header| header.acknowledge = true), b"");
    assert_eq!(held.sent(), [[9, 0x13, 0x74, 0, 0, 0, 0, 0, 2]]);
    assert_eq!(held.data, b"ab");
}

#[test]
fn control_packets_count_and_notices_do_not() {
    let mut held = Held::usual();
    held.told(packet(0, 0), b"no data");
    held.told(packet(1, 0).with(|header| header.control = true), b"no data");
    held.told(packet(2, 3), b"data");
    held.told(packet(3, 3).with(|header| header.control = true), b"");
    assert_eq!((held.is_done(), &held.data[..]), (true, &b"data"[..]));
}

#[test]
fn an_empty_answer_is_whole() {
    let mut held = Held::usual();
    held.hear(&[3, 0x13, 0x74]);
    assert_eq!((held.is_done(), held.data.len()), (true, 0));
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
    assert_eq!(cut(4), only.with(|header| header.connection = connection), "half a field is none");
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
fn data_of_flags_stands_before_that_of_the_signal() {
    // An address of one octet, a priority, a protocol, a window; then a redirect.
    let header = [29, 0x13, 0x74, 0, 0, 0, 0, 0, 0, 0, 0, 0x0f, 4, 7, 1, 99, 0xff, 0xfe, 0, 1, 0, 2];
    let octets = [&header[..], &[192, 0, 2, 1, 5, 0xf5, 0]].concat();
    let (header, data) = Header::decode(&octets).expect("a header");
    assert_eq!((header.window, data.len()), (Some(2), 0));
    assert_eq!(header.signal, Some(Signal::Redirect { address: [192, 0, 2, 1].into(), port: 1525 }));
}

#[test]
fn a_redirect_begins_anew_at_the_other_server() {
    let mut held = Held::usual();
    let first = held.sent();
    held.now = 3 * SECOND;
    let signal = Some(Signal::Redirect { address: [192, 0, 2, 7].into(), port: 1525 });
    held.told(packet(0, 0).with(|header| header.signal = signal), b"");
    assert_eq!((held.sent(), held.redirects.concat()), (first, "192.0.2.7:1525".to_owned()));
    assert_eq!(held.until, 7 * SECOND);
    held.told(packet(1, 1), b"there");
    assert_eq!((held.is_done(), &held.data[..]), (true, &b"there"[..]));
}

#[test]
fn a_refusal_is_the_servers_fault() {
    let mut held = Held::usual();
    held.told(packet(0, 0).with(|header| header.signal = Some(Signal::Refused)), b"");
    assert_eq!(held.fault().kind(), FaultKind::Server);
}

#[test]
fn only_a_request_that_somebody_works_at_is_withdrawn() {
    let mut held = Held::usual();
    assert_eq!(held.exchange.cancel(), None);
    held.told(packet(1, 2), b"a");
    let cancel = held.exchange.cancel().expect("somebody has answered");
    assert_eq!(cancel.octets(), [13, 0x13, 0x74, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    held.told(packet(2, 2), b"b");
    assert_eq!(held.exchange.cancel(), None, "it is answered");
}

#[test]
fn signs_of_the_queue_are_told_in_words() {
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
    let mut held = Held::usual();
    held.told(header, b"");
    assert_eq!((held.end.is_none(), held.until), (true, 60 * SECOND));
}

#[test]
fn the_dry_run_tells_headers_in_words_and_text_in_lines() {
    let lines = plan(b"VERSION 5 me\nDIRECTORY ASCII 'a\x1bb'\n", ArdpSettings::default()).expect("a harmless request");
    let told: Vec<_> = lines.iter().map(|line| format!("{}: {line}", line.kind())).collect();
    assert_eq!(
        told,
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
        let held = Held::new(request, ID, ArdpSettings::default());
        assert_eq!((held.fault().kind(), held.fault().place()), (FaultKind::Refused, at));
        assert!(held.sent.is_empty());
        assert_eq!(plan(request, ArdpSettings::default()).as_ref(), Err(held.fault()));
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
        // A wait is written before all that comes behind it.
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
