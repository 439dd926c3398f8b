//! An unreliable network before the name server: it loses, doubles, delays and forges datagrams and cuts connections, by a seed.

use super::{CUT, FINE, ID, NAME, message, question, record};
use std::time::Duration;
use urlwise_open::protocol::FaultKind;
use urlwise_open::protocol::dns::{Dns, DnsAnswer, DnsStep, RecordKind};

const SEEDS: u64 = 20_000;

/// Pseudorandom numbers: `SplitMix64`.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides
    }

    fn hits(&mut self, percent: u64) -> bool {
        self.roll(100) < percent
    }
}

/// What arrives for one datagram that was sent: when, and what.
fn answers(dice: &mut Dice, now: Duration, query: &[u8], is_cut: bool) -> Vec<(Duration, Vec<u8>)> {
    let lost = dice.hits(30);
    let right = right(query, if is_cut { FINE | CUT } else { FINE });
    let copies = if lost { 0 } else { 1 + usize::from(dice.hits(30)) };
    let mut arriving = vec![right; copies];
    if dice.hits(50) {
        let mut forged = message(query, FINE, &[record(NAME, 15, b"\0\x01\x04evil\0")]);
        // Who does not see the query does not know its id, or its name.
        match dice.roll(3) {
            0 => forged[0] ^= 0x55,
            1 => forged[13] ^= 1,
            _ => forged.truncate(dice.roll(12) as usize),
        }
        arriving.push(forged);
    }
    arriving.into_iter().map(|datagram| (now + Duration::from_millis(dice.roll(1_500)), datagram)).collect()
}

fn right(query: &[u8], flags: u16) -> Vec<u8> {
    message(query, flags, &[record(NAME, 15, b"\0\x0a\x04MAIL\xc0\x0c")])
}

/// What an exchange comes to over such a network, and how many datagrams it sent.
fn held(seed: u64) -> (DnsStep, usize) {
    let mut dice = Dice(seed);
    let is_cut = dice.hits(30);
    let mut exchange = Dns::new(question(RecordKind::Mx), ID);
    let (mut now, mut sent) = (Duration::ZERO, 0);
    let mut in_transit: Vec<(Duration, Vec<u8>)> = Vec::new();
    let mut connection = Vec::new();
    for _ in 0..200 {
        match exchange.next(now) {
            DnsStep::Send(query) => {
                sent += 1;
                in_transit.extend(answers(&mut dice, now, &query, is_cut));
                in_transit.sort();
            }
            DnsStep::Wait { until } => {
                assert!(until > now);
                let arrived = in_transit.first().is_some_and(|(when, _)| *when < until);
                let (when, datagram) = if arrived { in_transit.remove(0) } else { (until, Vec::new()) };
                now = now.max(when);
                if arrived {
                    exchange.receive(&datagram);
                }
            }
            DnsStep::Connect(octets) => {
                let answer = right(&octets[2..], FINE);
                connection = [&(answer.len() as u16).to_be_bytes()[..], &answer].concat();
                if dice.hits(30) {
                    connection.truncate(dice.roll(connection.len() as u64) as usize);
                }
            }
            DnsStep::Read => {
                let piece = connection.len().min(1 + dice.roll(40) as usize);
                exchange.read(&connection.drain(..piece).collect::<Vec<u8>>());
            }
            end => {
                assert_eq!(exchange.next(now), end, "an end is an end");
                assert!(now <= Duration::from_secs(3), "it ends in time");
                return (end, sent);
            }
        }
    }
    panic!("seed {seed} does not end");
}

#[test]
fn over_a_bad_network_the_answer_is_the_right_one_or_there_is_a_clear_error() {
    let (mut right, mut silent, mut partial, mut again) = (0, 0, 0, 0);
    for seed in 0..SEEDS {
        let (end, sent) = held(seed);
        assert!(sent <= 2, "seed {seed}");
        again += sent - 1;
        match end {
            DnsStep::Done(DnsAnswer::Records(records)) => {
                let records: Vec<_> = records.iter().map(|record| (record.preference, &record.host[..])).collect();
                assert_eq!(records, [(10, "mail.host.dom")], "seed {seed}");
                right += 1;
            }
            DnsStep::Fail(fault) if fault.kind() == FaultKind::Silent && sent == 2 => silent += 1,
            DnsStep::Fail(fault) if fault.kind() == FaultKind::Partial => partial += 1,
            end => panic!("seed {seed}: {end:?}"),
        }
    }
    assert!(right > SEEDS / 2 && silent > SEEDS / 100 && partial > SEEDS / 100, "{right} {silent} {partial}");
    assert!(again > 0, "lost datagrams are sent again");
}
