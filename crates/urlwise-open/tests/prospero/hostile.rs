//! Hostile servers: endless forwarding, endless union links, names that contain requests.

use crate::held::{Lines, hold, hold_in_pieces, machine, machine_of};
use crate::recorded::answer;
use proptest::prelude::*;
use urlwise_open::protocol::prospero::{ProsperoGoal, ProsperoSettings};
use urlwise_open::protocol::{End, Event, FaultKind, Input, Io, Machine, Step};

fn forwarded(to: impl std::fmt::Display) -> String {
    format!("FORWARDED INTERNET-D {to} 0\n")
}

#[test]
fn security_21_an_object_is_never_forwarded_in_a_loop() {
    let held = hold(
        "prospero://h/a",
        ProsperoGoal::Open,
        &[forwarded("h(1525) ASCII b"), forwarded("other ASCII b"), forwarded("H ASCII a")],
    );
    assert_eq!((held.fault.as_ref().expect("it fails").kind(), held.inquiries.len()), (FaultKind::Redirects, 3));
    let held = hold("prospero://h/a", ProsperoGoal::Open, &[forwarded("h ASCII a")]);
    assert_eq!((held.fault.as_ref().expect("it fails").kind(), held.inquiries.len()), (FaultKind::Redirects, 1));
}

#[test]
fn security_21_an_object_is_forwarded_at_most_20_times() {
    let answers: Vec<_> = (0..100).map(|hop| forwarded(format_args!("h ASCII a{hop}"))).collect();
    let held = hold("prospero://h/a", ProsperoGoal::List, &answers);
    assert_eq!((held.fault.as_ref().expect("it fails").kind(), held.inquiries.len()), (FaultKind::Redirects, 21));
    // The last request is forwarded too, and counts with the others.
    let mut answers: Vec<_> = (0..15).map(|hop| forwarded(format_args!("h ASCII a{hop}"))).collect();
    answers.push("NONE-FOUND\n".to_owned());
    answers.extend((0..100).map(|hop| forwarded(format_args!("h ASCII b{hop}"))));
    let held = hold("prospero://h/a", ProsperoGoal::List, &answers);
    assert_eq!((held.fault.as_ref().expect("it fails").kind(), held.inquiries.len()), (FaultKind::Redirects, 22));
}

#[test]
fn forwarding_to_an_invalid_host_is_a_fault() {
    for to in ["'' ASCII x", "h(0) ASCII x", "'a b' ASCII x", "'h/x' ASCII x", "h UNICODE x"] {
        let held = hold("prospero://h/a", ProsperoGoal::Open, &[forwarded(to)]);
        let goal = if to.starts_with("''") { None } else { Some(FaultKind::Malformed) };
        match goal {
            Some(kind) => {
                assert_eq!((held.fault.as_ref().expect("it fails").kind(), held.inquiries.len()), (kind, 1), "{to}");
            }
            // An empty host is the server itself.
            None => assert_eq!(held.inquiries[1].0, "prospero://h/x"),
        }
    }
}

#[test]
fn a_name_from_a_server_cannot_end_its_line_either() {
    let held = hold("prospero://h/a", ProsperoGoal::Open, &[forwarded("h ASCII 'x\nDELETE y'")]);
    assert_eq!(held.inquiries[1].0, "prospero://h/x%0ADELETE%20y");
    assert!(held.inquiries[1].1.ends_with("ASCII 'x\nDELETE y' 0\n"));
    let held = hold("prospero://h/a", ProsperoGoal::Open, &[forwarded("h ASCII 'x\0y'")]);
    assert_eq!((held.fault.as_ref().expect("it fails").kind(), held.inquiries.len()), (FaultKind::Refused, 1));
}

fn union(name: impl std::fmt::Display) -> String {
    format!("LINK U DIRECTORY u INTERNET-D h ASCII {name} 0\n")
}

#[test]
fn security_49_directories_that_are_unions_of_each_other_are_listed_once() {
    let answers =
        ["NONE-FOUND\n".to_owned(), union("b"), union("a") + &union("b") + "LINK L FILE f INTERNET-D h ASCII f 0\n"];
    let held = hold("prospero://h/a", ProsperoGoal::List, &answers);
    assert!(held.is_done);
    assert_eq!((held.inquiries.len(), held.lines()), (3, vec!["f prospero://h/f".to_owned()]));
}

#[test]
fn security_49_the_number_of_union_links_is_limited() {
    let most = ProsperoSettings::default().unions;
    let mut answers = vec!["NONE-FOUND\n".to_owned()];
    answers.extend((0..100).map(|at| union(format_args!("u{at}"))));
    let held = hold("prospero://h/a", ProsperoGoal::List, &answers);
    // A union link that was not listed is an entry.
    assert_eq!((held.inquiries.len(), held.lines().len(), held.is_done), (2 + most, 1, true));
    let many: String = (0..50).map(|at| union(format_args!("u{at}"))).collect();
    let mut answers = vec!["NONE-FOUND\n".to_owned(), many];
    answers.extend((0..most).map(|_| "NONE-FOUND\n".to_owned()));
    let held = hold("prospero://h/a", ProsperoGoal::List, &answers);
    assert_eq!((held.inquiries.len(), held.lines().len(), held.is_done), (2 + most, 50 - most, true));
    assert_eq!(held.notes, ["union-not-listed"]);
}

#[test]
fn security_49_no_more_union_links_wait_than_are_listed() {
    let settings = ProsperoSettings::default().with(|settings| settings.unions = 1);
    let machine = machine_of("prospero://h/a", ProsperoGoal::List, settings);
    let links = union("b") + &union("c") + "LINK L FILE f INTERNET-D h ASCII f 0\n";
    let target = "LINK L FILE g INTERNET-D h ASCII g 0\n".to_owned();
    let held = hold_in_pieces(machine, &["NONE-FOUND\n".to_owned(), links, target], usize::MAX, End::Closed);
    // The second is an entry where it stands.
    assert_eq!(held.lines(), ["u prospero://h/c", "f prospero://h/f", "g prospero://h/g"]);
    assert_eq!(held.notes, ["union-not-listed"]);
}

/// How many entries are listed, and requests sent, of a directory at 192.0.2.1 with a union link to a directory of its name at a
/// host of this address, which has the same entries.
fn entries_of_a_union(address: &str) -> (usize, usize) {
    let mut machine = machine("prospero://h/a", ProsperoGoal::List);
    let links = "LINK U DIRECTORY u INTERNET-D other ASCII a 0\nLINK L FILE f INTERNET-D h ASCII f 0\n";
    let mut answers = [("192.0.2.1:1525", "NONE-FOUND\n"), ("192.0.2.1:1525", links), (address, links)].into_iter();
    let (mut octets, mut is_over, mut entries) = (&b""[..], false, 0);
    loop {
        let mut input = if is_over && octets.is_empty() { Input::closed(End::Closed) } else { Input::new(octets) };
        let step = machine.next(&mut input);
        octets = &octets[octets.len() - input.octets().len()..];
        match step {
            Step::Io(Io::Inquire(_)) => {
                let (server, answer) = answers.next().expect("a request for each answer");
                machine.inquiry_server(server.parse().expect("an address"));
                (octets, is_over) = (answer.as_bytes(), false);
            }
            Step::Io(Io::Receive) => is_over = true,
            Step::Event(Event::Entry(_)) => entries += 1,
            Step::Done => return (entries, 3 - answers.len()),
            Step::Fail(fault) => panic!("{fault}"),
            _ => {}
        }
    }
}

#[test]
fn security_49_a_directory_is_not_listed_again_under_another_name_of_its_host() {
    assert_eq!(entries_of_a_union("192.0.2.1:1525"), (1, 3));
    assert_eq!(entries_of_a_union("192.0.2.2:1525"), (2, 3));
}

#[test]
fn a_union_link_that_fails_is_an_entry() {
    let list = union("b") + "LINK L FILE f INTERNET-D h ASCII f 0\n";
    for (answer, end) in [
        ("FAILURE NOT-AUTHORIZED\n", End::Closed),
        ("", End::Closed),
        ("", End::Broken),
        ("LINK L FILE g INTERNET-D h ASCII g 0\nATTRIBUTE LINK 'x", End::Closed),
        ("ERROR no\n", End::Closed),
    ] {
        let machine = machine("prospero://h/a", ProsperoGoal::List);
        let held = hold_in_pieces(machine, &["NONE-FOUND\n", &list, answer], 10, end);
        assert!(held.is_done, "{answer}");
        assert_eq!(held.lines().last().map(String::as_str), Some("u prospero://h/b"), "{answer}");
        assert_eq!(held.notes, ["union-not-listed"], "{answer}");
    }
}

#[test]
fn security_49_the_number_of_access_methods_tried_is_limited() {
    let many: String = (0..1000)
        .map(|at| format!("ATTRIBUTE OBJECT FIELD ACCESS-METHOD AFTP INTERNET-D f{at}.dom ASCII x TEXT\n"))
        .collect();
    let held = hold("prospero://h/a", ProsperoGoal::Open, &[&many]);
    assert_eq!((held.followed.len(), held.fault.as_ref().expect("it fails").kind()), (20, FaultKind::Elsewhere));
}

#[test]
fn security_49_endless_attributes_are_refused() {
    let line = format!("ATTRIBUTE LINK APPLICATION A SEQUENCE {}\n", "x".repeat(60_000));
    let answer = "LINK L FILE f INTERNET-D h ASCII f 0\n".to_owned() + &line.repeat(100);
    let held = hold("prospero://h/a", ProsperoGoal::List, &["NONE-FOUND\n", &answer]);
    assert_eq!(held.fault.as_ref().expect("it fails").kind(), FaultKind::Limit);
    let held = hold("prospero://h/a", ProsperoGoal::List, &[&line.repeat(100)]);
    assert_eq!(held.fault.as_ref().expect("it fails").kind(), FaultKind::Limit);
}

#[test]
fn security_49_a_million_malformed_lines_make_one_note() {
    let held = hold(
        "prospero://h/a",
        ProsperoGoal::List,
        &["NONE-FOUND\n".to_owned(), "STRANGE\n".repeat(100_000) + "NONE-FOUND\n"],
    );
    assert_eq!((held.notes, held.is_done), (vec!["line-not-understood"], true));
}

proptest! {
    #[test]
    fn no_answer_makes_the_machine_panic(answers: Vec<Vec<u8>>, piece in 1_usize..50) {
        for goal in [ProsperoGoal::Open, ProsperoGoal::List] {
            for end in [End::Closed, End::Broken] {
                let whole = hold_in_pieces(machine("prospero://h/a", goal), &answers, usize::MAX, end);
                let pieces = hold_in_pieces(machine("prospero://h/a", goal), &answers, piece, end);
                prop_assert_eq!(whole, pieces);
            }
        }
    }

    #[test]
    fn recorded_answers_with_changed_octets_never_panic(
        at: prop::sample::Index,
        octet: u8,
        which in 0_usize..4,
    ) {
        let name = ["02-list-all-link-kinds", "04-object-all-attributes", "24-contents-text", "20-forwarded-object"][which];
        let mut changed = if which == 0 { crate::recorded::answers(name).remove(0) } else { answer(name) };
        let at = at.index(changed.len());
        changed[at] = octet;
        for goal in [ProsperoGoal::Open, ProsperoGoal::List] {
            for first in [None, Some(answer("05-object-access-method-native-file")), Some(b"NONE-FOUND\n".to_vec())] {
                let answers: Vec<_> = first.into_iter().chain([changed.clone()]).collect();
                hold("prospero://h/a", goal, &answers);
            }
        }
    }
}
