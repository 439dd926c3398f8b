//! Every recorded connection under every kind of request, cut at every octet: it always ends, and what comes out is the beginning
//! of what comes out of the whole.

use crate::recorded::{HEADER, answers, names};
use urlwise_open::protocol::wais::{DocumentId, WaisGoal, WaisMachine, WaisRequest, WaisSettings};
use urlwise_open::protocol::{End, Event, Input, Io, Machine, Step};
use urlwise_open::testing::play;

/// The type of an answer to INIT, behind the length of its fields.
const INIT_RESPONSE: u8 = 21;

fn goals() -> [WaisGoal; 4] {
    let document = WaisGoal::Document { wtype: b"TEXT".to_vec(), id: DocumentId::new(b"x".as_slice()) };
    [WaisGoal::Help, WaisGoal::Description, WaisGoal::Search(b"x".to_vec()), document]
}

/// What came out for people, so far.
#[derive(Debug, Default, PartialEq, Eq)]
struct Dialogue {
    data: Vec<u8>,
    entries: usize,
}

/// Hands in these octets; whether the machine wants more.
fn play_until_stuck(machine: &mut WaisMachine, octets: &[u8], given: &mut Dialogue) -> bool {
    let mut input = Input::new(octets);
    loop {
        match machine.next(&mut input) {
            Step::Io(Io::Receive) => return true,
            Step::Done | Step::Fail(_) => return false,
            Step::Event(Event::Data(data)) => given.data.extend_from_slice(&data),
            Step::Event(Event::Entry(_)) => given.entries += 1,
            Step::Io(Io::Connect | Io::Send(_)) | Step::Event(Event::Begin(_) | Event::Note(_)) => {}
            other => panic!("WAIS has no such step: {other:?}"),
        }
    }
}

#[test]
fn every_recorded_connection_ends_wherever_it_is_cut() {
    assert!(names().len() > 30, "{}", names().len());
    for name in names() {
        let answers = answers(&name);
        let init = answers[0].get(HEADER + 2) == Some(&INIT_RESPONSE);
        let octets = answers.concat();
        for goal in goals() {
            let settings = WaisSettings::default().with(|settings| {
                settings.init = init;
                settings.slice = 10_000;
            });
            let begun = WaisMachine::new(WaisRequest::new(b"db", goal.clone()), settings);
            let mut whole = Dialogue::default();
            play_until_stuck(&mut begun.clone(), &octets, &mut whole);

            let (mut machine, mut given) = (begun, Dialogue::default());
            for (cut, octet) in octets.iter().enumerate() {
                // Another machine gets as far, and then the connection ends.
                let end = play(machine.clone(), b"", Some(End::Closed));
                assert!(
                    end.fault.is_some() && end.begin.is_none() && end.notes.is_empty(),
                    "{name} {goal:?} {cut}: {end:?}"
                );
                let before = given.data.len();
                let wants_more = play_until_stuck(&mut machine, &[*octet], &mut given);
                let is_beginning = whole.data[before..].starts_with(&given.data[before..]);
                assert!(is_beginning && given.entries <= whole.entries, "{name} {goal:?} {cut}");
                if !wants_more {
                    break;
                }
            }
            assert_eq!(given, whole, "{name} {goal:?}");
        }
    }
}
