//! Sessions recorded with inetutils telnetd, held again by the machine: what the server sent goes in, whole and cut at every
//! octet, and what comes out is compared with what was recorded.
//!
//! `wire/telnet/README.md` tells where the transcripts come from and how they are written.

use crate::recorded::recorded;
use std::collections::BTreeSet;
use std::path::PathBuf;
use urlwise_open::protocol::telnet::{TelnetMachine, TelnetSettings, Terminal, TerminalType, Window};
use urlwise_open::protocol::{End, Event, Input, Io, Machine, Step};

/// One row: the file, whether there is a terminal, and how our answers relate to the recorded ones.
struct Row(&'static str, bool, Answers);

enum Answers {
    /// Octet for octet the same, in the same places.
    Same,
    /// The same, but that NEW-ENVIRON is refused: nothing of the environment is sent, and no user (S-40).
    NoEnvironment,
    /// Those, as the client of the recording went another way.
    Own(&'static [&'static str]),
}
use Answers::{NoEnvironment, Own, Same};
use urlwise_open::testing::{play, replay};

#[rustfmt::skip]
const ROWS: &[Row] = &[
    Row("client-refuses-all", false, Same),
    Row("client-sane-no-user", true, NoEnvironment),
    Row("client-sane-user", true, NoEnvironment),
    Row("client-silent-server-waits", true, Own(&[
        "DONT AUTHENTICATION", "DONT ENCRYPT", "WILL TERMINAL-TYPE", "WONT TERMINAL-SPEED", "WONT X-DISPLAY-LOCATION",
        "WONT NEW-ENVIRON", "WONT ENVIRON",
    ])),
    Row("curl-with-user", true, Own(&[
        "DONT AUTHENTICATION", "DONT ENCRYPT", "WILL TERMINAL-TYPE", "WONT TERMINAL-SPEED", "WONT X-DISPLAY-LOCATION",
        "WONT NEW-ENVIRON", "WONT ENVIRON", "WILL BINARY", "DO BINARY", "WILL SUPPRESS-GO-AHEAD", "DO SUPPRESS-GO-AHEAD",
        "WONT ECHO", "WONT LINEMODE", "WILL WINDOW-SIZE, which is 80 x 24", "DONT STATUS", "WONT FLOW-CONTROL", "DO ECHO",
        "WONT TIMING-MARK", "DONT BINARY",
    ])),
    Row("inetutils-telnet-user", true, Own(&[
        "DONT AUTHENTICATION", "DONT ENCRYPT", "WILL TERMINAL-TYPE", "WONT TERMINAL-SPEED", "WONT X-DISPLAY-LOCATION",
        "WONT NEW-ENVIRON", "WONT ENVIRON", "TERMINAL-TYPE is VT100", "DO SUPPRESS-GO-AHEAD", "WONT ECHO", "WONT LINEMODE",
        "WILL WINDOW-SIZE, which is 80 x 24", "DONT STATUS", "WONT FLOW-CONTROL", "DO ECHO", "WILL BINARY",
    ])),
];

/// One line of a transcript.
struct Line {
    from_server: bool,
    octets: Vec<u8>,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/wire/telnet")
}

fn transcript(name: &str) -> Vec<Line> {
    let lines = recorded(&folder().join(format!("{name}.txt"))).into_iter().filter(|(mark, _)| *mark != '#');
    lines.map(|(mark, octets)| Line { from_server: mark == '<', octets }).collect()
}

fn settings(is_terminal: bool) -> TelnetSettings {
    let mut settings = TelnetSettings::default();
    let name = TerminalType::new("VT100").expect("a name");
    settings.raw = true;
    settings.terminal = is_terminal.then(|| Terminal::new(name, Window::default()));
    settings
}

fn server(lines: &[Line]) -> Vec<u8> {
    let lines = lines.iter().filter(|line| line.from_server);
    lines.flat_map(|line| line.octets.iter().copied()).collect()
}

/// What of the server's octets is text: it begins with `args:`, and holds no command but a doubled IAC.
fn text(lines: &[Line]) -> Vec<u8> {
    let octets = server(lines);
    let start = octets.windows(5).position(|word| word == b"args:").unwrap_or(octets.len());
    replaced(&replaced(&octets[start..], b"\xff\xff", b"\xff"), b"\r\0", b"\r")
}

fn replaced(octets: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = octets;
    while let Some((first, after)) = rest.split_first() {
        if let Some(after) = rest.strip_prefix(old) {
            out.extend_from_slice(new);
            rest = after;
        } else {
            out.push(*first);
            rest = after;
        }
    }
    out
}

/// Our answer in the place of a recorded one about NEW-ENVIRON.
fn without_environment(octets: &[u8]) -> Vec<u8> {
    let octets = replaced(octets, b"\xff\xfb\x27", b"\xff\xfc\x27");
    let Some(start) = octets.windows(3).position(|word| word == b"\xff\xfa\x27") else { return octets };
    let end = octets[start..].windows(2).position(|word| word == b"\xff\xf0").expect("it ends") + start + 2;
    [&octets[..start], &octets[end..]].concat()
}

/// Hands in what the server sent, and collects text and answers.
fn hear(telnet: &mut TelnetMachine, octets: &[u8]) -> (Vec<u8>, Vec<u8>, Vec<String>) {
    let mut input = Input::new(octets);
    let (mut text, mut sent, mut words) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        match telnet.next(&mut input) {
            Step::Io(Io::Receive) => return (text, sent, words),
            Step::Event(Event::Data(octets)) => text.extend_from_slice(&octets),
            Step::Io(Io::Send(command)) => {
                sent.extend_from_slice(command.octets());
                words.push(command.to_string());
            }
            Step::Io(Io::Connect) | Step::Event(Event::Begin(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn every_transcript_is_replayed() {
    let named: BTreeSet<String> = ROWS.iter().map(|row| row.0.to_owned()).collect();
    let recorded: BTreeSet<String> = std::fs::read_dir(folder())
        .expect("the folder")
        .filter_map(|entry| entry.expect("a file").file_name().to_str()?.strip_suffix(".txt").map(str::to_owned))
        .collect();
    assert_eq!(named, recorded);
}

#[test]
fn text_and_answers_are_those_recorded_however_they_are_cut() {
    for Row(name, is_terminal, answers) in ROWS {
        let lines = transcript(name);
        let octets = server(&lines);
        let replay = replay(|| TelnetMachine::new(settings(*is_terminal)), &octets, Some(End::Closed));
        assert!(replay.is_done, "{name}");
        assert_eq!(replay.data, text(&lines), "{name}");
        let (_, _, words) = hear(&mut TelnetMachine::new(settings(*is_terminal)), &octets);
        if let Own(own) = answers {
            assert_eq!(words, *own, "{name}");
        }
    }
}

#[test]
fn a_session_that_ends_at_any_octet_is_a_part_of_the_whole() {
    for Row(name, is_terminal, _) in ROWS {
        let lines = transcript(name);
        let (octets, whole) = (server(&lines), text(&lines));
        for most in 0..octets.len() {
            for end in [End::Closed, End::Broken] {
                let cut = play(TelnetMachine::new(settings(*is_terminal)), &octets[..most], Some(end));
                assert_eq!(cut.is_done, end == End::Closed, "{name} cut at {most}");
                assert!(whole.starts_with(&cut.data), "{name} cut at {most}");
            }
        }
    }
}

#[test]
fn security_40_whole_sessions_go_as_recorded_but_for_the_environment() {
    for Row(name, is_terminal, answers) in ROWS {
        let mut telnet = TelnetMachine::new(settings(*is_terminal));
        let mut answer = Vec::new();
        for line in transcript(name) {
            if line.from_server {
                answer.extend(hear(&mut telnet, &line.octets).1);
                continue;
            }
            let sent = match answers {
                Same => line.octets.clone(),
                NoEnvironment => without_environment(&line.octets),
                Own(_) => continue,
            };
            let ours = match line.octets.first() {
                Some(255) => std::mem::take(&mut answer),
                // Lines of a pipe, or keys of a terminal.
                _ if *is_terminal => telnet.keys(&line.octets),
                _ => telnet.lines(&replaced(&line.octets, b"\r\n", b"\n")),
            };
            assert_eq!(ours, sent, "{name}");
        }
        if !matches!(answers, Own(_)) {
            assert_eq!(answer, b"", "{name}: answers that were not recorded");
        }
    }
}
