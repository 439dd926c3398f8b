//! An unreliable network between the machine and a small server: it loses, duplicates, delays and forges datagrams, by a seed.

use crate::support::{ID, exchange};
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::time::Duration;
use urlwise_open::protocol::FaultKind;
use urlwise_open::protocol::ardp::{ArdpSettings, Header};
use urlwise_open::testing::DatagramExchange;

/// What the network does to datagrams, in percent.
#[derive(Clone, Copy, Debug)]
struct Weather {
    seed: u64,
    lost: u64,
    doubled: u64,
    forged: u64,
    /// The longest delay in milliseconds. Each datagram has its own, so they overtake each other.
    slowest: u64,
}

/// Pseudorandom numbers: `SplitMix64`.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides.max(1)
    }

    fn hits(&mut self, percent: u64) -> bool {
        self.roll(100) < percent
    }
}

/// Behaves like a server of 1994: it never retransmits by itself, sends one window at a time, and when something arrives, sends
/// everything again that is not acknowledged.
struct Server {
    answer: Vec<Vec<u8>>,
    window: u16,
    request: BTreeMap<u16, Vec<u8>>,
    total: u16,
    acknowledged: u16,
    is_asked: bool,
    /// Asks the client to wait before it answers.
    slow: bool,
    /// Ignores an acknowledgement that it already has, like the servers of 1994.
    is_strict: bool,
}

impl Server {
    fn new(answer: Vec<Vec<u8>>, window: u16, slow: bool) -> Server {
        let is_strict = window.is_multiple_of(2);
        Server { answer, window, request: BTreeMap::new(), total: 0, acknowledged: 0, is_asked: false, slow, is_strict }
    }

    fn hear(&mut self, datagram: &[u8]) -> Vec<Vec<u8>> {
        let (header, data) = Header::decode(datagram).expect("clients send ARDP");
        assert_eq!(header.connection, ID);
        let through = header.received_through.unwrap_or(0);
        if self.is_strict && self.is_asked && header.packet == 0 && through <= self.acknowledged {
            return Vec::new();
        }
        self.acknowledged = self.acknowledged.max(through);
        if header.packet > 0 {
            self.total = header.total.unwrap_or(self.total);
            self.request.insert(header.packet, data.to_vec());
        }
        let through = (1..).take_while(|packet| self.request.contains_key(packet)).last().unwrap_or(0);
        let notice = Header::default().with(|header| {
            header.connection = ID;
            header.received_through = Some(through);
        });
        if through == 0 || through < self.total {
            return vec![notice.encode(b"")];
        }
        if !self.is_asked && self.slow {
            self.is_asked = true;
            return vec![notice.with(|header| header.wait = Some(10)).encode(b"")];
        }
        self.is_asked = true;
        let total = self.answer.len() as u16;
        let last = total.min(self.acknowledged + self.window);
        let packet = |number: u16| {
            let header = notice.with(|header| {
                header.packet = number;
                // Only the last packet says how many there are.
                header.total = Some(total).filter(|_| number == total);
                header.wait = self.slow.then_some(0);
                header.acknowledge = number == last;
            });
            header.encode(&self.answer[usize::from(number) - 1])
        };
        (self.acknowledged + 1..=last).map(packet).collect()
    }
}

/// A datagram in transit: when it arrives, its order among those of the same time, whether it goes to the client, and its octets.
type InTransit = Reverse<(Duration, u64, bool, Vec<u8>)>;

struct Network {
    weather: Weather,
    dice: Dice,
    in_transit: BinaryHeap<InTransit>,
    count: u64,
}

impl Network {
    fn send(&mut self, now: Duration, to_client: bool, datagram: &[u8]) {
        let copies = if self.dice.hits(self.weather.doubled) { 2 } else { 1 };
        for _ in 0..copies {
            if self.dice.hits(self.weather.lost) {
                continue;
            }
            let mut datagram = datagram.to_vec();
            if to_client && self.dice.hits(self.weather.forged) {
                // From another exchange, or cut within its header.
                match self.dice.roll(2) {
                    0 => datagram[1] ^= 0x55,
                    _ => datagram.truncate(self.dice.roll(3) as usize),
                }
            }
            let delay = Duration::from_millis(1 + self.dice.roll(self.weather.slowest));
            self.count += 1;
            self.in_transit.push(Reverse((now + delay, self.count, to_client, datagram)));
        }
    }

    /// What arrives next, unless that is later than `until`.
    fn arrival(&mut self, until: Duration) -> Option<(Duration, bool, Vec<u8>)> {
        let Reverse((when, ..)) = self.in_transit.peek()?;
        if *when > until {
            return None;
        }
        self.in_transit.pop().map(|Reverse((when, _, to_client, datagram))| (when, to_client, datagram))
    }
}

/// Runs an exchange over this network to its end, with answers in packets of 500 octets.
fn run(weather: Weather, request: &[u8], answer: &[u8], window: u16, slow: bool) -> DatagramExchange {
    let answer = match answer {
        [] => vec![Vec::new()],
        octets => octets.chunks(500).map(<[u8]>::to_vec).collect(),
    };
    run_with(weather, request, Server::new(answer, window, slow))
}

fn run_with(weather: Weather, request: &[u8], mut server: Server) -> DatagramExchange {
    let mut driver = exchange(request, ArdpSettings::default());
    let mut network = Network { weather, dice: Dice(weather.seed), in_transit: BinaryHeap::new(), count: 0 };
    while driver.end.is_none() {
        for datagram in driver.take_sent() {
            network.send(driver.now, false, &datagram);
        }
        match network.arrival(driver.until) {
            Some((when, true, datagram)) => {
                driver.now = when;
                driver.receive(&datagram);
            }
            Some((when, false, datagram)) => {
                driver.now = when;
                driver.run();
                for datagram in server.hear(&datagram) {
                    network.send(when, true, &datagram);
                }
            }
            None => driver.wait(),
        }
        assert!(driver.now < Duration::from_secs(901), "it does not end");
    }
    driver
}

fn text(length: usize) -> Vec<u8> {
    (0..length).map(|at| b'!' + (at % 89) as u8).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_any_network_the_answer_is_complete_or_times_out(
        seed: u64, lost in 0_u64..60, doubled in 0_u64..50, forged in 0_u64..20, slowest in 1_u64..9000,
        request in 1_usize..4000, answer in 0_usize..30_000, window in 1_u16..40, slow: bool,
    ) {
        let weather = Weather { seed, lost, doubled, forged, slowest };
        let answer = text(answer);
        let driver = run(weather, &text(request), &answer, window, slow);
        prop_assert!(answer.starts_with(&driver.data), "octets in sequence, and no others");
        match &driver.end {
            Some(Ok(())) => prop_assert_eq!(driver.data.len(), answer.len()),
            // If only forged datagrams arrived, the fault says that they are not ARDP.
            Some(Err(fault)) if forged > 0 && fault.kind() == FaultKind::Malformed => prop_assert!(driver.data.is_empty()),
            Some(Err(fault)) => prop_assert_eq!(fault.kind(), FaultKind::Silent),
            None => prop_assert!(false, "it has not ended"),
        }
    }

    #[test]
    fn without_loss_the_answer_is_always_complete(
        seed: u64, doubled in 0_u64..100, slowest in 1_u64..1500, answer in 0_usize..30_000, window in 1_u16..40, slow: bool,
    ) {
        let weather = Weather { seed, lost: 0, doubled, forged: 0, slowest };
        let answer = text(answer);
        let driver = run(weather, &text(3000), &answer, window, slow);
        prop_assert!(driver.is_done(), "{:?}", driver.end);
        prop_assert_eq!(driver.data, answer);
    }
}

#[test]
fn security_49_a_network_that_doubles_everything_does_not_make_the_traffic_grow() {
    let answer = text(30_000);
    // All copies arrive together, or spread over a second and a half.
    for (seed, slowest) in [(0, 1), (1, 3), (2, 20), (3, 1499)] {
        let weather = Weather { seed, lost: 0, doubled: 100, forged: 0, slowest };
        let driver = run(weather, b"VERSION\n", &answer, 1, false);
        assert!(driver.is_done() && driver.data == answer, "{:?}", driver.end);
        assert!(driver.sent.len() < 1000, "{}", driver.sent.len());
    }
}

#[test]
fn with_a_tenth_lost_almost_every_answer_is_complete() {
    let answer = text(60_000);
    let done = (0..200).filter(|&seed| {
        let weather = Weather { seed, lost: 10, doubled: 5, forged: 2, slowest: 200 };
        run(weather, &text(2000), &answer, 16, seed % 2 == 0).is_done()
    });
    assert!(done.count() >= 195);
}

/// The answer cut in two, in three with an empty packet in the middle, and in four with an empty one at the end.
fn pieces(answer: &[u8], first: usize, second: usize) -> Vec<Vec<Vec<u8>>> {
    let (first, second) = (first.min(second), first.max(second));
    let (start, middle, end) = (&answer[..first], &answer[first..second], &answer[second..]);
    let pieces = [vec![start, &answer[first..]], vec![start, b"", &answer[first..]], vec![start, middle, end, b""]];
    pieces.map(|pieces| pieces.into_iter().map(<[u8]>::to_vec).collect()).into()
}

#[test]
fn recorded_answers_are_the_same_in_two_and_three_packets_cut_at_every_place_lost_duplicated_and_reordered() {
    let fair = Weather { seed: 0, lost: 0, doubled: 0, forged: 0, slowest: 1 };
    for answer in crate::transcripts::recorded_answers() {
        let mut dice = Dice(answer.len() as u64);
        let step = answer.len() / 1500 + 1;
        for first in (0..=answer.len()).step_by(step) {
            let second = dice.roll(answer.len() as u64 + 1) as usize;
            for pieces in pieces(&answer, first, second) {
                let driver = run_with(fair, b"VERSION\n", Server::new(pieces.clone(), 16, false));
                assert!(driver.is_done() && driver.data == answer, "cut at {first} and {second}: {:?}", driver.end);
                if first % 7 > 0 {
                    continue;
                }
                let storm = Weather { seed: dice.roll(u64::MAX), lost: 10, doubled: 20, forged: 5, slowest: 300 };
                let driver = run_with(storm, b"VERSION\n", Server::new(pieces, 16, first % 2 == 0));
                match &driver.end {
                    Some(Ok(())) => assert_eq!(driver.data, answer, "cut at {first} and {second} under {storm:?}"),
                    Some(Err(fault)) => assert_eq!(fault.kind(), FaultKind::Silent, "{storm:?}"),
                    None => panic!("it does not end under {storm:?}"),
                }
            }
        }
    }
}

/// The time for a short answer followed by one of 20,000 octets in packets of 1,250, with a fifth of all datagrams lost: the access
/// methods of a document, then its contents.
fn time_of_20_000_octets(seed: u64) -> Option<Duration> {
    let weather = |seed| Weather { seed, lost: 20, doubled: 0, forged: 0, slowest: 20 };
    let document = text(20_000).chunks(1250).map(<[u8]>::to_vec).collect();
    let methods = run_with(weather(seed), b"VERSION\n", Server::new(vec![text(400)], 16, false));
    let document = run_with(weather(seed + 1_000_000), b"VERSION\n", Server::new(document, 16, false));
    (methods.is_done() && document.is_done()).then_some(methods.now + document.now)
}

#[test]
fn with_a_fifth_lost_20_000_octets_take_at_most_two_seconds_in_the_median() {
    let mut times: Vec<_> = (0..500).filter_map(time_of_20_000_octets).collect();
    assert!(times.len() >= 497, "six lost attempts are rare: {}", times.len());
    times.sort_unstable();
    let (median, slow) = (times[times.len() / 2], times[times.len() * 19 / 20]);
    assert!(median <= Duration::from_secs(2), "half of them take {median:?} or more");
    assert!(slow <= Duration::from_secs(8), "a twentieth of them takes {slow:?} or more");
}
