//! Every recorded connection under every kind of request, cut at every octet: it always ends, and what comes out is the beginning
//! of what comes out of the whole.

use crate::recorded::{HEADER, answers, names};
use crate::replay::{Event, Replay, replay};
use urlwise_open::protocol::End;
use urlwise_open::protocol::wais::{DocumentId, Hit, Request, Settings, Wais, Wanted};

/// The type of an answer to INIT, behind the length of its fields.
const INIT_RESPONSE: u8 = 21;

/// Longer recordings, all of one document's slices, are cut at every octet near where a message begins and at some in between.
const LONG: usize = 10_000;

fn wishes() -> [Wanted; 4] {
    let document = Wanted::Document { wtype: b"TEXT".to_vec(), id: DocumentId::new(b"x".as_slice()) };
    [Wanted::Help, Wanted::Description, Wanted::Search(b"x".to_vec()), document]
}

fn data(held: &Replay<Box<Hit>>) -> Vec<u8> {
    let data = held.events.iter().filter_map(|event| match event {
        Event::Data(octets) => Some(octets.as_slice()),
        _ => None,
    });
    data.collect::<Vec<_>>().concat()
}

fn entries(held: &Replay<Box<Hit>>) -> usize {
    held.events.iter().filter(|event| matches!(event, Event::Entry(_))).count()
}

#[test]
fn every_recorded_connection_ends_wherever_it_is_cut() {
    assert!(names().len() > 30, "{}", names().len());
    for name in names() {
        let answers = answers(&name);
        let init = answers[0].get(HEADER + 2) == Some(&INIT_RESPONSE);
        let octets = answers.concat();
        let begins: Vec<_> = answers
            .iter()
            .scan(0, |at, answer| {
                *at += answer.len();
                Some(*at - answer.len())
            })
            .collect();
        let is_near = |cut: usize| begins.iter().any(|begin| cut.abs_diff(*begin) < 60);
        let cuts = (0..=octets.len()).filter(|cut| octets.len() < LONG || is_near(*cut) || cut % 1009 == 0);
        let cuts: Vec<_> = cuts.collect();
        for wanted in wishes() {
            let settings = Settings { init, slice: 10_000, ..Settings::default() };
            let machine = || Wais::new(Request { database: b"db".to_vec(), wanted: wanted.clone() }, settings);
            let whole = replay(machine(), [octets.as_slice()], Some(End::Closed));
            for &cut in &cuts {
                let held = replay(machine(), [&octets[..cut]], Some(End::Closed));
                match held.events.last() {
                    Some(Event::Done) => assert_eq!(held.events, whole.events, "{name} {wanted:?} {cut}"),
                    Some(Event::Fail(_)) => {}
                    end => panic!("{name} {wanted:?} {cut}: {end:?}"),
                }
                assert!(data(&whole).starts_with(&data(&held)), "{name} {wanted:?} {cut}");
                assert!(entries(&held) <= entries(&whole), "{name} {wanted:?} {cut}");
            }
        }
    }
}
