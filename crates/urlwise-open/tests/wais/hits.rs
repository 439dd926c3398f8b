//! What becomes of the hits of a search: how many there are, beside a diagnostic, and without any.

use crate::recorded::answers;
use urlwise_open::protocol::FaultKind;
use urlwise_open::protocol::wais::{WaisGoal, WaisHit, WaisMachine, WaisRequest, WaisSettings};
use urlwise_open::testing::{DialogueRecord, play};

fn held(goal: WaisGoal, answer: &[u8], hits: u32) -> DialogueRecord<Box<WaisHit>> {
    let settings = WaisSettings::default().with(|settings| {
        settings.init = false;
        settings.hits = hits;
    });
    play(WaisMachine::new(WaisRequest::new("db", goal), settings), answer, None)
}

fn last(name: &str) -> Vec<u8> {
    answers(name).pop().expect("an answer")
}

#[test]
fn hits_beyond_those_that_are_wanted_are_counted() {
    let answer = last("probe-search-21-hits");
    let search = || WaisGoal::Search(b"specimen".to_vec());
    for (most, listed, notes) in [(5, 5, &["more-hits"][..]), (20, 20, &["more-hits"]), (21, 21, &[]), (22, 21, &[])] {
        let held = held(search(), &answer, most);
        assert_eq!((held.entries.len(), held.notes.as_slice(), held.is_done), (listed, notes, true), "{most}");
        assert!(held.sent.concat().windows(4).any(|octets| octets == b"\x72\x02\x03\xe8"), "1,000 are asked for");
    }
}

#[test]
fn an_answer_that_is_nearly_full_may_have_left_hits_out() {
    let messages = answers("probe-init-small-then-search");
    let longest = messages[1].len() as u32 - 25;
    for (agreed, notes) in [(1000_u32, &["more-hits"][..]), (longest, &["more-hits"]), (longest + 300, &[])] {
        let size = agreed.to_be_bytes();
        let init = [b"0000000012z2wais        0\x00\x0a\x15\x01\x06\x04".as_slice(), &size, b"\x00\x00"].concat();
        let machine = WaisMachine::new(
            WaisRequest::new("sample", WaisGoal::Search(b"specimen".to_vec())),
            WaisSettings::default(),
        );
        let held = play(machine, &[init, messages[1].clone()].concat(), None);
        assert_eq!((held.entries.len(), held.notes.as_slice()), (5, notes), "{agreed}");
    }
}

#[test]
fn a_database_that_is_not_there_is_not_found() {
    for (name, said) in
        [("search-nohits", "nothing to say about the database"), ("search-unknown-db", "no such database (S1)")]
    {
        for goal in [WaisGoal::Help, WaisGoal::Description] {
            let held = held(goal.clone(), &last(name), 200);
            let fault = held.fault.expect("there is no description");
            assert_eq!(fault.kind(), FaultKind::NotFound, "{name} {goal:?}: {fault}");
            if goal == WaisGoal::Help {
                assert!(fault.to_string().contains(said), "{fault}");
            }
        }
    }
    // A search without hits is not an error, and a diagnostic about words says nothing about the database.
    assert!(held(WaisGoal::Search(b"x".to_vec()), &last("search-nohits"), 200).is_done);
    let searched = held(WaisGoal::Search(b"x".to_vec()), &last("search-unknown-db"), 200);
    assert_eq!(searched.fault.expect("it fails").kind(), FaultKind::Server);
}

#[test]
fn days_are_read_as_servers_write_them() {
    for (date, day) in [
        ("911225", Some((1991, 12, 25))),
        ("690101", Some((1969, 1, 1))),
        ("680101", Some((2068, 1, 1))),
        ("120101", Some((2012, 1, 1))),
        ("40101", Some((2004, 1, 1))),
        ("101", Some((2000, 1, 1))),
        ("1231", Some((2000, 12, 31))),
        ("000101", Some((2000, 1, 1))),
        ("1120101", Some((2012, 1, 1))),
        ("1991231", Some((2099, 12, 31))),
        ("20011224", Some((2001, 12, 24))),
        ("0", None),
        ("", None),
        ("11", None),
        ("2120101", None),
        ("0120101", None),
        ("9112250", None),
        ("+11225", None),
        ("200112241", None),
        ("99999999999999999999", None),
    ] {
        let mut hit = WaisHit::new("id");
        hit.date = date.as_bytes().to_vec();
        assert_eq!(hit.day(), day, "{date}");
    }
}
