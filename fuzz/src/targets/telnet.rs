//! Any server and any keys: the telnet machine never panics, keeps its contract, comes to the same whole and in pieces, agrees
//! to nothing but its short list, and sends nothing that was neither asked for nor typed.
//!
//! The input is: flags, the length of the pieces, then what the server sends and what is typed, separated by `FE 00`.

use crate::text::is_clean;
use std::convert::Infallible;
use urlwise_open::protocol::telnet::{LineEnd, TelnetMachine, TelnetSettings, Window};
use urlwise_open::protocol::{End, plan};
use urlwise_open::testing::{DialogueRecord, Network, hold, says};

fn held(telnet: &mut TelnetMachine, server: &[u8], network: Network<'_>) -> DialogueRecord<Infallible> {
    let held = hold(telnet, says(server), network);
    assert!(!held.shown.iter().any(|answer| answer.contains(char::is_control)));
    for answer in &held.sent {
        assert!(matches!(answer[..], [255, 250..=254, 0 | 1 | 3 | 24 | 31, ..] | [255, 252 | 254, _]));
    }
    assert!(held.fault.as_ref().is_none_or(|fault| is_clean(fault)));
    held
}

pub(crate) fn run(input: &[u8]) {
    let [flags, piece, rest @ ..] = input else { return };
    let at = rest.windows(2).position(|mark| mark == b"\xfe\0");
    let (server, typed) = at.map_or((rest, &b""[..]), |at| (&rest[..at], &rest[at + 2..]));
    let mut settings = TelnetSettings::default();
    if flags & 1 != 0 {
        settings.terminal = None;
    }
    settings.raw = flags & 2 != 0;
    settings.line_end = [LineEnd::CrLf, LineEnd::CrNul, LineEnd::Lf, LineEnd::CrLf][usize::from(flags >> 2 & 3)];
    settings.limits.subnegotiation = 20;
    settings.limits.requests = 30;
    let end = if flags & 16 != 0 { End::Unauthenticated } else { End::Closed };
    let mut telnet = TelnetMachine::new(settings.clone());
    let network = Network::default().with(|network| network.end = Some(end));
    let whole = held(&mut telnet, server, network);
    let piece_by_piece = network.with(|network| network.piece = usize::from(*piece) + 1);
    let pieces = held(&mut TelnetMachine::new(settings.clone()), server, piece_by_piece);
    assert_eq!(whole, pieces);
    assert!(whole.data.len() <= server.len());
    if settings.terminal.is_none() {
        assert!(whole.sent.iter().all(|answer| matches!(answer[..], [255, 252 | 254, _])));
    }

    // An odd octet 255 would be a command that nobody gave.
    let keys = telnet.clone().keys(typed);
    let lines = [telnet.lines(typed), telnet.end_of_lines()].concat();
    for sent in [&keys, &lines] {
        let given = typed.iter().filter(|octet| **octet == 255).count();
        assert_eq!(sent.iter().filter(|octet| **octet == 255).count(), 2 * given);
    }
    if let Some(command) = telnet.resize(Window::new(u16::from(*piece) << 8 | 255, u16::from(*flags))) {
        assert!(command.octets().starts_with(&[255, 250, 31]) && command.octets().ends_with(&[255, 240]));
    }
    assert!(plan(TelnetMachine::new(settings)).is_ok());
}
