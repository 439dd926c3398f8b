//! Dialogues recorded from INN, held again by the machine: from the URL to the commands that were recorded, and from the
//! recorded answers to what a reader gets, in pieces of every size and cut at every octet.

use crate::dialogues::{own, request};
use crate::hold::hold;
use crate::turns::{Turns, dialogue};
use std::collections::BTreeSet;
use std::path::PathBuf;
use urlwise_open::protocol::nntp::{NntpGoal, NntpItem, NntpLogin, NntpMachine, NntpRequest, NntpSettings};
use urlwise_open::protocol::{End, Fault, FaultKind};
use urlwise_open::testing::{DialogueRecord, Network};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/wire/nntp")
}

fn read(name: &str) -> Turns {
    dialogue(&folder().join(format!("{name}.txt"))).0
}

fn kind(held: &DialogueRecord<NntpItem>) -> Option<FaultKind> {
    held.fault.as_ref().map(Fault::kind)
}

/// The same dialogue again, as much of it as `network` lets through.
fn replay(name: &str, request: &NntpRequest, network: Network<'_>) -> DialogueRecord<NntpItem> {
    let turns = read(&format!("urlwise-{name}"));
    let mut turns = turns.iter();
    let server = |command: &[u8]| {
        let (recorded, answer) = turns.next().unwrap_or_else(|| panic!("{name}: more than was recorded"));
        assert_eq!(String::from_utf8_lossy(command), String::from_utf8_lossy(recorded), "{name}");
        answer.clone()
    };
    hold(&mut NntpMachine::new(request.clone(), NntpSettings::default()), server, network)
}

#[test]
fn every_dialogue_comes_to_the_same_in_pieces_of_every_size() {
    for (name, request) in own() {
        let whole = replay(name, &request, Network::default());
        for piece in 1..300 {
            let held = replay(name, &request, Network::default().with(|network| network.piece = piece));
            assert_eq!(held, whole, "{name} in pieces of {piece}");
        }
        let recorded = read(&format!("urlwise-{name}"));
        assert_eq!(whole.sent.len() + 1, recorded.len(), "{name}: all of it was held");
    }
}

#[test]
fn a_dialogue_cut_at_any_octet_is_never_a_success() {
    for (name, request) in own() {
        let whole = replay(name, &request, Network::default());
        let turns = read(&format!("urlwise-{name}"));
        // What comes after `QUIT` is not waited for.
        let all: usize = turns.iter().filter(|turn| turn.0 != b"QUIT\r\n").map(|turn| turn.1.len()).sum();
        assert!(whole.is_done || whole.fault.is_some());
        for most in 0..all {
            for end in [End::Closed, End::Broken, End::Unauthenticated] {
                let held = replay(
                    name,
                    &request,
                    Network::default().with(|network| {
                        network.limit = most;
                        network.end = Some(end);
                    }),
                );
                assert!(!held.is_done, "{name} cut at {most}");
                let expected = if held.begin.is_some() { FaultKind::Partial } else { FaultKind::Server };
                assert_eq!(kind(&held), Some(expected), "{name} cut at {most}");
                assert!(whole.data.starts_with(&held.data) && whole.entries.starts_with(&held.entries));
            }
            let silent = replay(
                name,
                &request,
                Network::default().with(|network| {
                    network.limit = most;
                    network.end = None;
                }),
            );
            assert!(!silent.is_done && silent.fault.is_none(), "{name} cut at {most}: it waits");
        }
    }
}

#[test]
fn readers_get_what_inn_holds() {
    let whole = |goal: &str| {
        let (name, request) = own().into_iter().find(|(name, _)| *name == goal).expect("it was recorded");
        replay(name, &request, Network::default())
    };
    let names = |held: &DialogueRecord<NntpItem>| -> Vec<String> {
        let name = |item: &NntpItem| match item {
            NntpItem::Group(group) => String::from_utf8_lossy(&group.name).into_owned(),
            NntpItem::Article(article) => {
                format!("{} {}", article.number.unwrap_or(0), String::from_utf8_lossy(&article.id))
            }
            other => panic!("{other:?}"),
        };
        held.entries.iter().map(name).collect()
    };
    assert_eq!(names(&whole("groups")).len(), 11);
    let groups = whole("groups");
    let described =
        groups.entries.iter().filter(|item| matches!(item, NntpItem::Group(group) if group.description.is_some()));
    assert_eq!(described.count(), 2);
    assert_eq!(names(&whole("some-groups")), ["local.empty", "local.c++", "local.moderated"]);
    assert_eq!(
        names(&whole("group")),
        [
            "1 one@example.net",
            "3 a/b?c#d%e+f@example.net",
            "4 utf8@example.net",
            "5 five@example.net",
            "6 six@example.net"
        ]
    );
    assert_eq!(names(&whole("last")), ["5 five@example.net", "6 six@example.net"]);
    assert_eq!((names(&whole("empty")).len(), whole("empty").notes), (0, vec!["empty-group"]));
    assert_eq!(names(&whole("head")), ["0 utf8@example.net"]);
    let text = String::from_utf8_lossy(&whole("number").data).into_owned();
    assert!(text.ends_with("\r\n\r\nA line, then a lone dot:\r\n.\r\n..two dots\r\n-- \r\nsig\r\n"), "{text}");
    assert!(whole("id").data.ends_with(b"\r\n\r\ncross-posted\r\n"));
    for (name, expected) in
        [("missing", FaultKind::NotFound), ("no-group", FaultKind::NotFound), ("denied", FaultKind::Login)]
    {
        assert_eq!(kind(&whole(name)), Some(expected), "{name}");
    }
}

/// The dialogues that people held with INN by hand; the README says what each shows.
const BY_HAND: [&str; 9] =
    ["article", "auth", "capabilities", "group", "list", "over", "pipelined", "post", "starttls-before-tls"];

/// The best that INN ever answered to a command in that dialogue; what it was not asked it does not know.
fn ask(name: &str, request: &NntpRequest) -> DialogueRecord<NntpItem> {
    let turns = read(name);
    let held = |piece| {
        let server = |command: &[u8]| {
            let command = match command {
                b"OVER 1-4\r\n" => b"OVER 1-\r\n",
                other => other,
            };
            let answers = turns.iter().filter(|turn| turn.0 == command).map(|turn| &turn.1);
            answers.min_by_key(|answer| answer.first()).cloned().unwrap_or_else(|| b"500 What?\r\n".to_vec())
        };
        let machine = &mut NntpMachine::new(request.clone(), NntpSettings::default());
        hold(machine, server, Network::default().with(|network| network.piece = piece))
    };
    let whole = held(usize::MAX);
    assert_eq!(held(1), whole, "{name} octet by octet");
    whole
}

#[test]
fn what_people_saw_by_hand_is_understood() {
    let staff = |password: &str| {
        request("nntp://h/private.staff/1").with(|request| {
            request.login = Some(NntpLogin::new(b"reader", Some(password.into())));
        })
    };
    let data = |name, request: &NntpRequest| String::from_utf8(ask(name, request).data).expect("UTF-8");
    assert!(
        data("article", &request("nntp://h/local.test/2"))
            .ends_with("dot:\r\n.\r\n..two dots at the start\r\n-- \r\nsig\r\n")
    );
    assert!(data("article", &request("news:one@example.net")).ends_with("\r\n\r\nHello, world.\r\n"));
    assert!(data("auth", &staff("sesame")).ends_with("\r\n\r\nsecret\r\n"));
    let items = |name, request: &NntpRequest| ask(name, request).entries.len();
    assert_eq!(items("over", &request("nntp://h/local.test")), 4);
    assert_eq!(items("list", &request("news:*")), 11, "by the bare LIST");
    assert_eq!(items("list", &NntpRequest::new(NntpGoal::Groups { wildmat: Some(b"local.*".to_vec()) })), 5);
    assert_eq!(items("group", &request("news:local.empty")), 0);
    for (name, request, expected) in [
        ("article", request("nntp://h/local.test/99"), FaultKind::NotFound),
        ("group", request("news:no.such.group"), FaultKind::NotFound),
        ("group", request("news:private.staff"), FaultKind::Login),
        ("auth", staff("wrong"), FaultKind::Login),
        ("capabilities", request("news:one@example.net"), FaultKind::Server),
    ] {
        assert_eq!(kind(&ask(name, &request)), Some(expected), "{name}");
    }
    // The login goes over TLS, which is begun before it.
    let held = ask("starttls-before-tls", &staff("sesame"));
    assert_eq!((held.handshakes, kind(&held)), (1, Some(FaultKind::Login)), "what came after it was not recorded");
    assert_eq!(held.shown[..2], [r"CAPABILITIES\r\n", r"STARTTLS\r\n"]);
}

#[test]
fn security_55_answers_to_other_questions_are_refused_soon() {
    for name in BY_HAND {
        let said: Vec<u8> = read(name).into_iter().flat_map(|turn| turn.1).collect();
        for (_, request) in own() {
            let held = |most, piece| {
                let mut all = Some(said.clone());
                let server = |_: &[u8]| all.take().unwrap_or_default();
                let machine = &mut NntpMachine::new(request.clone(), NntpSettings::default());
                hold(
                    machine,
                    server,
                    Network::default().with(|network| {
                        network.limit = most;
                        network.piece = piece;
                    }),
                )
            };
            let whole = held(usize::MAX, usize::MAX);
            assert!(whole.is_done || whole.fault.is_some(), "{name}");
            assert_eq!(held(usize::MAX, 1), whole, "{name}");
            for cut in 0..said.len() {
                let part = held(cut, usize::MAX);
                assert!(part.is_done || part.fault.is_some(), "{name} cut at {cut}");
            }
        }
    }
}

#[test]
fn every_transcript_is_replayed() {
    let own = own().into_iter().map(|(name, _)| format!("urlwise-{name}.txt"));
    let expected: BTreeSet<_> = own.chain(BY_HAND.map(|name| format!("{name}.txt"))).collect();
    let files = std::fs::read_dir(folder()).expect("the folder").map(|file| file.expect("a file").file_name());
    let found: BTreeSet<_> =
        files.map(|name| name.into_string().expect("ASCII")).filter(|name| name.ends_with(".txt")).collect();
    assert_eq!(found, expected);
}
