//! The rules, one by one.

use std::convert::Infallible;
use urlwise::Language;
use urlwise_open::protocol::telnet::{
    Function, LineEnd, Mode, TelnetMachine, TelnetSettings, Terminal, TerminalType, Window,
};
use urlwise_open::protocol::{End, Fault, FaultKind, Input, Io, Machine, Step, plan};
use urlwise_open::testing::{DialogueRecord, replay};

const WILL: u8 = 251;
const WONT: u8 = 252;
const DO: u8 = 253;
const DONT: u8 = 254;

fn told(server: &[u8]) -> DialogueRecord<Infallible> {
    replay(|| TelnetMachine::new(TelnetSettings::default()), server, Some(End::Closed))
}

/// A session after these octets of the server.
fn after(settings: TelnetSettings, server: &[u8]) -> TelnetMachine {
    let mut telnet = TelnetMachine::new(settings);
    let mut input = Input::new(server);
    while !matches!(telnet.next(&mut input), Step::Io(Io::Receive)) {}
    telnet
}

fn streams() -> TelnetSettings {
    let mut settings = TelnetSettings::default();
    settings.terminal = None;
    settings
}

#[test]
fn text_passes_and_commands_do_not() {
    let replay = told(b"one\xff\xf1 two\xff\xf9\xff\xf2\xff\x05\xff\xff three\r\nfour\xff\xf6");
    assert_eq!(replay.data, b"one two\xff three\r\nfour");
    assert_eq!(replay.sent.concat(), b"");
}

#[test]
fn nothing_is_sent_to_a_server_that_asks_nothing() {
    let replay = told(b"220 this is no telnet server\r\n");
    assert_eq!((replay.connects, replay.sent.concat().as_slice()), (1, &b""[..]));
}

#[test]
fn cr_nul_is_cr_and_binary_ends_that() {
    assert_eq!(told(b"one\r\0two\0\r\n").data, b"one\rtwo\r\n");
    assert_eq!(told(b"\xff\xfb\0one\r\0two\xff\xff\0").data, b"one\r\0two\xff\0");
    assert_eq!(told(b"\xff\xfb\0\xff\xfc\0one\r\0two").data, b"one\rtwo");
}

#[test]
fn security_40_only_a_short_list_of_options_is_agreed_to() {
    for option in 0..=255 {
        let is_agreed = |option| matches!(option, 0 | 1 | 3);
        let theirs = told(&[255, WILL, option]).sent.concat();
        assert_eq!(theirs, [255, if is_agreed(option) { DO } else { DONT }, option]);
        let ours = told(&[255, DO, option]).sent.concat();
        let is_done = matches!(option, 0 | 3 | 24 | 31);
        assert_eq!(ours[..3], [255, if is_done { WILL } else { WONT }, option]);
        assert_eq!(ours.len() > 3, option == 31, "only the size of the window is sent at once");
    }
}

#[test]
fn without_a_terminal_every_option_is_refused() {
    for option in 0..=255 {
        for (verb, refusal) in [(WILL, DONT), (DO, WONT)] {
            let replay = replay(|| TelnetMachine::new(streams()), &[255, verb, option], Some(End::Closed));
            assert_eq!(replay.sent.concat(), [255, refusal, option]);
        }
    }
}

#[test]
fn streams_end_lines_as_this_system_does_unless_they_are_raw() {
    let server = b"one\r\ntwo\r\0three\r\xff\xf1\nfour\r\xff\xff\r";
    let local = replay(|| TelnetMachine::new(streams()), server, Some(End::Closed)).data;
    assert_eq!(
        local,
        if cfg!(windows) { &b"one\r\ntwo\rthree\r\nfour\r\xff\r"[..] } else { b"one\ntwo\rthree\nfour\r\xff\r" }
    );
    let mut raw = streams();
    raw.raw = true;
    let raw = replay(|| TelnetMachine::new(raw.clone()), server, Some(End::Closed)).data;
    assert_eq!(raw, b"one\r\ntwo\rthree\r\nfour\r\xff\r");
    assert_eq!(raw, told(server).data, "a terminal wants it as it comes");
}

#[test]
fn what_is_so_already_is_not_answered() {
    for option in 0..=255 {
        assert_eq!(told(&[255, WONT, option, 255, DONT, option]).sent.concat(), b"");
    }
    assert_eq!(told(&[255, WILL, 1, 255, WILL, 1]).sent.concat(), [255, DO, 1]);
    assert_eq!(told(&[255, DO, 3, 255, DO, 3]).sent.concat(), [255, 251, 3]);
}

#[test]
fn switching_off_is_always_agreed_to() {
    assert_eq!(told(&[255, WILL, 1, 255, WONT, 1]).sent.concat(), [255, DO, 1, 255, DONT, 1]);
    assert_eq!(told(&[255, DO, 0, 255, DONT, 0]).sent.concat(), [255, WILL, 0, 255, WONT, 0]);
}

#[test]
fn the_terminal_type_is_sent_only_after_it_was_agreed_to() {
    let ask = [255, 250, 24, 1, 255, 240];
    assert_eq!(told(&ask).sent.concat(), b"");
    let sent = told(&[&[255, DO, 24], &ask[..], &ask[..]].concat()).sent.concat();
    assert_eq!(sent, b"\xff\xfb\x18\xff\xfa\x18\0XTERM\xff\xf0\xff\xfa\x18\0XTERM\xff\xf0");
    // Another code, one octet more, another option.
    for odd in [&[24, 0][..], &[24, 1, 1], &[24], &[], &[32, 1]] {
        let sub = [&[255, DO, 24, 255, 250], odd, &[255, 240]].concat();
        assert_eq!(told(&sub).sent.concat(), [255, WILL, 24], "{odd:?}");
    }
}

#[test]
fn a_name_of_a_terminal_is_a_short_word() {
    for name in ["xterm-256color", "VT100", "a", "9term", "dec/vt+5.1_x"] {
        assert_eq!(TerminalType::new(name).map(|name| name.as_str().to_owned()), Ok(name.to_ascii_uppercase()));
    }
    let long = "x".repeat(41);
    for name in ["", "-x", "a b", "a\u{ff}", "a\r", "\u{1b}", long.as_str()] {
        let error = TerminalType::new(name).expect_err(name).to_string();
        let said = "cannot name a type of terminal: that has 1 to 40 letters, digits, `+`, `-`, `.`, `/` and `_`, and \
             begins with a letter or digit (RFC 1091)";
        assert_eq!(error, format!("\"{}\" {said}", urlwise::escape_for_display(name.as_bytes())));
    }
}

#[test]
fn the_window_size_is_sent_when_requested_and_when_it_changes() {
    let size = |columns, rows| Window::new(columns, rows);
    let mut settings = TelnetSettings::default();
    settings.terminal = Some(Terminal::new(TerminalType::default(), size(255, 511)));
    let sent = replay(|| TelnetMachine::new(settings.clone()), &[255, DO, 31], None).sent.concat();
    assert_eq!(sent, b"\xff\xfb\x1f\xff\xfa\x1f\x00\xff\xff\x01\xff\xff\xff\xf0", "255 is doubled in each octet");
    let mut telnet = after(settings.clone(), &[255, DO, 31]);
    assert_eq!(telnet.resize(size(255, 511)), None, "it is as it was");
    let command = telnet.resize(size(100, 30)).expect("it changed");
    assert_eq!(command.octets(), b"\xff\xfa\x1f\x00\x64\x00\x1e\xff\xf0");
    assert_eq!(command.to_string(), "WINDOW-SIZE is 100 x 30");
    assert_eq!(after(settings.clone(), b"").resize(size(1, 1)), None, "nobody asked");
    assert_eq!(after(streams(), &[255, DO, 31]).resize(size(1, 1)), None, "there is none");
    // The current size is sent, not the one at the beginning.
    let mut telnet = after(settings, b"");
    telnet.resize(size(2, 3));
    let mut input = Input::new(&[255, DO, 31]);
    let Step::Io(Io::Send(command)) = telnet.next(&mut input) else { panic!("it answers") };
    assert_eq!(command.octets(), b"\xff\xfb\x1f\xff\xfa\x1f\0\x02\0\x03\xff\xf0");
}

#[test]
fn the_terminal_behaves_as_the_options_say() {
    let mode = |server: &[u8]| after(TelnetSettings::default(), server).mode();
    assert_eq!(mode(b"login: "), Mode::new(true, true));
    assert_eq!(mode(&[255, WILL, 1]), Mode::new(false, true), "a password");
    assert_eq!(mode(&[255, WILL, 1, 255, WONT, 1]), Mode::new(true, true));
    assert_eq!(mode(&[255, WILL, 3, 255, WILL, 1]), Mode::new(false, false));
    assert_eq!(after(streams(), &[255, WILL, 3, 255, WILL, 1]).mode(), Mode::new(true, true));
}

#[test]
fn keys_are_sent_as_they_are_but_enter_and_iac() {
    let mut telnet = after(TelnetSettings::default(), b"");
    assert_eq!(telnet.keys(b"ls\r\x03\n\xff\x1b[A"), b"ls\r\n\x03\n\xff\xff\x1b[A");
    let mut binary = after(TelnetSettings::default(), &[255, DO, 0]);
    assert_eq!(binary.keys(b"ls\r\x03\n\xff"), b"ls\r\x03\n\xff\xff");
}

#[test]
fn every_end_of_line_of_rfc_1123_can_be_sent() {
    for (line_end, octets) in [(LineEnd::CrLf, &b"a\r\nb"[..]), (LineEnd::CrNul, b"a\r\0b"), (LineEnd::Lf, b"a\nb")] {
        let settings = |mut settings: TelnetSettings| {
            settings.line_end = line_end;
            settings
        };
        assert_eq!(after(settings(TelnetSettings::default()), b"").keys(b"a\rb"), octets);
        assert_eq!(after(settings(streams()), b"").lines(b"a\nb"), octets);
    }
    assert_eq!(LineEnd::default(), LineEnd::CrLf);
}

#[test]
fn lines_end_once_however_they_are_cut() {
    let text = b"one\ntwo\r\nbare\rcr\xff\r\r\n\r";
    let expected = b"one\r\ntwo\r\nbare\r\0cr\xff\xff\r\0\r\n\r\0";
    for cut in 0..=text.len() {
        let mut telnet = after(streams(), b"");
        let (left, right) = text.split_at(cut);
        let sent = [telnet.lines(left), telnet.lines(right), telnet.end_of_lines()].concat();
        assert_eq!(sent, expected, "cut at {cut}");
        assert_eq!(telnet.end_of_lines(), b"");
    }
    let mut binary = after(TelnetSettings::default(), &[255, DO, 0]);
    assert_eq!([binary.lines(b"a\nb\rc\r"), binary.end_of_lines()].concat(), b"a\rb\rc\r");
}

#[test]
fn functions_are_commands_that_servers_know() {
    for function in Function::ALL {
        assert!(!function.name().is_empty() && !function.meaning().is_empty());
        let octets = function.octets();
        assert!(octets[0] == 255 || *function == Function::EndOfFile, "{function:?}");
    }
    for function in Function::ALL {
        let meanings: Vec<_> = Language::ALL.iter().map(|language| function.meaning_in(*language)).collect();
        assert_eq!(meanings[0], function.meaning());
        assert!(meanings[1..].iter().all(|meaning| !meaning.is_empty() && !meaning.is_ascii()), "{meanings:?}");
    }
    assert_eq!(Function::Interrupt.octets(), [255, 244, 255, 242], "Synch follows");
    let mut names: Vec<_> = Function::ALL.iter().map(|function| function.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Function::ALL.len());
}

#[test]
fn a_broken_connection_is_an_error_and_an_unproven_end_is_noted() {
    let ended = |end| replay(|| TelnetMachine::new(TelnetSettings::default()), b"bye", Some(end));
    assert!(ended(End::Closed).is_done);
    assert_eq!(ended(End::Broken).fault.as_ref().map(Fault::kind), Some(FaultKind::Partial));
    let replay = ended(End::Unauthenticated);
    assert_eq!((replay.is_done, replay.notes), (true, vec!["end-not-authenticated"]));
}

#[test]
fn the_dry_run_is_the_machine_itself() {
    let lines = |settings| {
        let lines = plan(TelnetMachine::new(settings)).expect("nothing to refuse");
        lines.iter().map(|line| format!("{} {line}", line.kind())).collect::<Vec<_>>()
    };
    assert_eq!(
        lines(TelnetSettings::default()),
        [
            "connect the host and port of the URL",
            "expect questions about the terminal",
            "send WILL TERMINAL-TYPE",
            "send TERMINAL-TYPE is XTERM",
            "send DO SUPPRESS-GO-AHEAD",
            "send WILL WINDOW-SIZE, which is 80 x 24",
            "send DO ECHO",
            "send WILL BINARY",
            "expect the session: the output of the server, until it closes",
        ]
    );
    assert!(lines(streams()).contains(&"send WONT TERMINAL-TYPE".to_owned()));
}
