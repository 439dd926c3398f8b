//! The finger machine, driven without a socket: a recorded server, the rules one by one, hostile servers.

#[path = "../wire/recorded.rs"]
mod recorded;

use recorded::recorded;
use std::convert::Infallible;
use std::path::PathBuf;
use urlwise::{Locator, Url};
use urlwise_open::protocol::finger::{FingerMachine, FingerRequest, FingerSettings};
use urlwise_open::protocol::{Begin, Blame, End, Event, FaultKind, Input, Io, Machine, Shape, Step, plan};
use urlwise_open::testing::{DialogueRecord, play, replay};

fn request(path: &str) -> FingerRequest {
    let url = Url::parse_current(format!("finger://h.dom{path}")).unwrap_or_else(|error| panic!("{error}"));
    let Locator::Finger(finger) = url.locator() else { panic!("{url:?} is not a finger URL") };
    FingerRequest::from_url(finger)
}

fn machine(path: &str) -> FingerMachine {
    FingerMachine::new(request(path), FingerSettings::default())
}

fn forwarding() -> FingerSettings {
    FingerSettings::default().with(|settings| settings.forwarding = true)
}

/// The text of an answer that is a whole document of plain text.
fn document(dialogue: &DialogueRecord<Infallible>) -> &[u8] {
    assert!(dialogue.is_done, "{dialogue:?}");
    assert_eq!(dialogue.begin, Some(Begin::new(Shape::Document).with_media_type("text/plain")));
    assert!(dialogue.notes.is_empty() && dialogue.entries.is_empty(), "{dialogue:?}");
    &dialogue.data
}

#[test]
fn recorded_dialogues_are_held_again_octet_for_octet() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/wire/finger");
    let rows = [
        ("fingerd-users", "", "Login    Name\njoe      Joe Doe\n"),
        ("fingerd-verbose-users", "/%2FW", "Login    Name\njoe      Joe Doe\n"),
        ("fingerd-user", "/joe", "Login: joe\t\t\tName: Joe Doe\n"),
        ("fingerd-verbose-user", "/%2FW%20joe", "Login: joe\t\t\tName: Joe Doe\nPlan:\nTo be on time.\n"),
        ("fingerd-unknown", "/jim", "finger: jim: no such user.\n"),
        ("fingerd-forward", "/joe@inner.dom", "fingerd: forwarding not allowed\n"),
    ];
    for (name, path, text) in rows {
        let lines = recorded(&folder.join(format!("{name}.txt")));
        let of = |wanted: char| {
            let octets = lines.iter().filter(|(mark, _)| *mark == wanted).map(|(_, octets)| &octets[..]);
            octets.collect::<Vec<_>>().concat()
        };
        let held = replay(|| FingerMachine::new(request(path), forwarding()), &of('<'), Some(End::Closed));
        assert_eq!(held.sent, [of('>')], "{name}");
        assert_eq!(document(&held), text.as_bytes(), "{name}");
    }
    assert_eq!(std::fs::read_dir(folder).expect("there are transcripts").count(), rows.len() + 1, "and a README");
}

#[test]
fn security_4_5_requests_with_control_octets_are_not_sent() {
    for settings in [FingerSettings::default(), forwarding()] {
        for control in (0..32).chain([127]) {
            let username = [b"joe", &[control][..], b"x"].concat();
            let request = FingerRequest::default().with(|request| {
                request.verbose = true;
                request.username = username;
            });
            let held = play(FingerMachine::new(request.clone(), settings), b"", None);
            let Some(fault) = &held.fault else { panic!("{held:?}") };
            assert!(held.begin.is_none() && held.sent.is_empty(), "{held:?}");
            assert_eq!((fault.kind(), fault.place(), held.connects), (FaultKind::Refused, Some(3), 0));
            assert_eq!(fault.kind().blame(), Blame::Url);
            let help = fault.help().map(ToString::to_string);
            assert_eq!((fault.rule(), help.as_deref()), ("RFC 1288 section 2.3, S-4", Some("remove it from the URL")));
            assert_eq!(
                fault.to_string(),
                format!(
                    "refused to send: the user name contains a control character, at octet 3: \"joe{}x\" \
                     (RFC 1288 section 2.3, S-4); remove it from the URL",
                    urlwise::escape_for_display(&[control])
                )
            );
            assert_eq!(plan(FingerMachine::new(request, settings)).as_ref(), Err(fault));
        }
    }
    // Names in other alphabets are for the server to read.
    let held = play(machine("/jos%C3%A9"), b"", None);
    assert_eq!(held.sent, [b"jos\xc3\xa9\r\n"]);
}

#[test]
fn requests_for_another_host_are_not_sent_unless_that_is_allowed() {
    for path in ["/joe@inner.dom", "/joe%40inner.dom", "/%40inner.dom", "/%2FW%20joe@a.dom@b.dom"] {
        let held = play(machine(path), b"", None);
        let Some(fault) = &held.fault else { panic!("{path}: {held:?}") };
        assert!(held.begin.is_none() && held.sent.is_empty(), "{path}: {held:?}");
        assert_eq!((fault.kind(), held.connects), (FaultKind::Refused, 0), "{path}");
        assert_eq!(fault.rule(), "RFC 1288 section 3.2.1, E-35");
        assert_eq!(fault.place(), request(path).username.iter().position(|octet| *octet == b'@'));
        assert_eq!(fault.help().map(ToString::to_string).as_deref(), Some("ask that host itself"));
        assert_eq!(fault.what().to_string(), "refused to send: the server would ask another host, named after the `@`");
        assert_eq!(fault.raw_octets(), Some(&request(path).username[..]));
        let sent = play(FingerMachine::new(request(path), forwarding()), b"", None).sent.concat();
        assert!(sent.contains(&b'@') && sent.ends_with(b"\r\n"), "{path}");
    }
}

#[test]
fn line_ends_become_those_of_this_system() {
    let end = if cfg!(windows) { "\r\n" } else { "\n" };
    let held = replay(|| machine("/joe"), b"one\r\ntwo\rthree\nfour\r", Some(End::Closed));
    let text = format!("one{end}two\rthree\nfour\r");
    assert_eq!(document(&held), text.as_bytes());
}

#[test]
fn raw_keeps_line_ends_as_they_are_transmitted() {
    let raw = FingerSettings::default().with(|settings| settings.raw = true);
    let transmitted = b"one\r\ntwo\rthree\nfour\r";
    let held = replay(|| FingerMachine::new(request("/joe"), raw), transmitted, Some(End::Closed));
    assert_eq!(document(&held), transmitted);
}

#[test]
fn a_request_that_is_printed_for_debugging_names_its_parts_and_escapes_them() {
    let printed = format!("{:?}", request("/%2FW%20a%1Bb"));
    assert_eq!(printed, r"FingerRequest { verbose: true, username: a\x1bb }");
}

#[test]
fn an_empty_answer_is_an_empty_document() {
    let held = replay(|| machine("/joe"), b"", Some(End::Closed));
    assert_eq!(document(&held), b"");
}

#[test]
fn a_broken_connection_is_a_partial_answer_after_what_arrived() {
    for end in [End::Broken, End::Unauthenticated] {
        let held = replay(|| machine("/joe"), b"Login: j", Some(end));
        let Some(fault) = &held.fault else { panic!("{held:?}") };
        assert!(held.begin.is_some());
        assert_eq!((&held.data[..], fault.kind()), (&b"Login: j"[..], FaultKind::Partial));
        assert_eq!(fault.to_string(), "the connection broke, so the answer may not be complete (RFC 1288 section 2.2)");
    }
}

#[test]
fn a_silent_server_leaves_the_machine_waiting() {
    let held = play(machine("/joe"), b"", None);
    assert_eq!(held.sent, [b"joe\r\n"]);
    assert!(held.begin.is_none() && held.fault.is_none() && !held.is_done, "{held:?}");
}

#[test]
fn security_45_an_endless_answer_is_passed_on_and_not_kept() {
    let chunk = [b'x'; 4096];
    let mut machine = machine("/joe");
    let mut input = Input::none();
    let mut passed = 0;
    while passed < 1 << 24 {
        match machine.next(&mut input) {
            Step::Io(Io::Receive) => input = Input::new(&chunk),
            Step::Event(Event::Data(text)) => {
                assert!(matches!(text, std::borrow::Cow::Borrowed(_)), "nothing is copied");
                passed += text.len();
            }
            Step::Done | Step::Fail(_) => panic!("an answer without end has ended"),
            Step::Io(_) | Step::Event(_) => {}
        }
    }
}

#[test]
fn the_plan_is_one_line_and_its_answer() {
    let lines = plan(machine("/%2Fw%20joe")).expect("a harmless request");
    let lines: Vec<_> = lines.iter().map(|line| format!("{}: {line}", line.kind())).collect();
    assert_eq!(
        lines,
        ["connect: the host and port of the URL", r"send: /W joe\r\n", "expect: text, until the server closes"]
    );
    let expected = machine("/joe").expected();
    let dialogue = play(machine("/joe"), &expected.reply, Some(End::Closed));
    assert!(expected.closes && !document(&dialogue).is_empty(), "the good reply is an answer");
}
