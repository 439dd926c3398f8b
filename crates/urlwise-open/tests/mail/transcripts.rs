//! Dialogues recorded from exim, held again by the machine: from a mail to the commands that were recorded, and from the
//! recorded replies to what became of it, in pieces of every size and cut at every octet.

use crate::hold::hold;
use crate::turns::{Turns, dialogue};
use std::path::Path;
use urlwise_open::protocol::TlsMode;
use urlwise_open::protocol::smtp::{SmtpLogin, SmtpMachine, SmtpRequest};
use urlwise_open::protocol::{End, FaultKind};
use urlwise_open::testing::{DialogueRecord, Network};

fn read(name: &str) -> Turns {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire/smtp");
    dialogue(&folder.join(format!("exim-{name}.txt"))).0
}

fn mail(sender: &str, recipient: &str, password: Option<&str>) -> SmtpRequest {
    let request = SmtpRequest::new(sender, recipient, b"Subject: x\r\n\r\n.\r\ny\r\n".to_vec()).expect("a mail");
    match password {
        Some(password) => request.with_login(SmtpLogin::new("urluser", Some(password.to_owned()))),
        None => request,
    }
}

/// Each transcript, the machine that held it, and the kind of fault that it ends with.
fn all() -> Vec<(&'static str, SmtpRequest, TlsMode, Option<FaultKind>)> {
    let (joe, jim) = ("joe@h.example", "jim@h.example");
    vec![
        ("clear", mail(joe, jim, None), TlsMode::None, None),
        ("starttls", mail(joe, jim, None), TlsMode::Explicit, None),
        ("plain", mail(joe, jim, Some("s3cret")), TlsMode::Explicit, None),
        ("login", mail(joe, jim, Some("s3cret")), TlsMode::Implicit, None),
        ("wrong-password", mail(joe, jim, Some("wrong")), TlsMode::Explicit, Some(FaultKind::Login)),
        ("no-login", mail(joe, jim, None), TlsMode::Explicit, Some(FaultKind::Server)),
        ("no-mailbox", mail(joe, "nobody.here@h.example", None), TlsMode::None, Some(FaultKind::Server)),
        ("utf8", mail("j\u{f6}rg@h.example", jim, None), TlsMode::None, None),
    ]
}

fn replay(turns: &Turns, request: &SmtpRequest, tls: TlsMode, network: Network<'_>) -> DialogueRecord<Vec<u8>> {
    let mut turns = turns.iter();
    let server = |command: &[u8]| {
        let (recorded, reply) = turns.next().expect("more than was recorded");
        assert_eq!(String::from_utf8_lossy(command), String::from_utf8_lossy(recorded));
        reply.clone()
    };
    let held = hold(&mut SmtpMachine::new(request.clone(), tls), server, network);
    assert_eq!(turns.next(), None, "less than was recorded");
    held
}

#[test]
fn the_machine_sends_what_exim_received_in_pieces_of_every_size() {
    for (name, request, tls, kind) in all() {
        let turns = read(name);
        let whole = replay(&turns, &request, tls, Network::default());
        assert_eq!(whole.fault.as_ref().map(urlwise_open::protocol::Fault::kind), kind, "{name}");
        assert_eq!((whole.is_done, whole.entries.len()), (kind.is_none(), usize::from(kind.is_none())), "{name}");
        for piece in [1, 2, 3, 7, 64] {
            assert_eq!(
                replay(&turns, &request, tls, Network::default().with(|network| network.piece = piece)),
                whole,
                "{name}: {piece}"
            );
        }
    }
}

#[test]
fn cut_at_every_octet_it_never_says_that_a_mail_was_sent() {
    for (name, request, tls, _) in all() {
        let turns = read(name);
        let accepted = turns.iter().position(|(command, _)| command.ends_with(b"\r\n.\r\n"));
        for (cut, (_, reply)) in turns.iter().enumerate() {
            for length in 0..reply.len() {
                for end in [End::Closed, End::Unauthenticated, End::Broken] {
                    let mut said = turns.iter().enumerate();
                    let server = |_: &[u8]| match said.next() {
                        Some((index, (_, reply))) if index < cut => reply.clone(),
                        Some((index, (_, reply))) if index == cut => reply[..length].to_vec(),
                        _ => Vec::new(),
                    };
                    let network = Network::default().with(|network| network.end = Some(end));
                    let held = hold(&mut SmtpMachine::new(request.clone(), tls), server, network);
                    let is_after = accepted.is_some_and(|accepted| cut > accepted);
                    // Once it was taken, a goodbye that is cut changes nothing.
                    assert_eq!(
                        (held.entries.len(), held.is_done),
                        (usize::from(is_after), is_after),
                        "{name}: {cut} {length}"
                    );
                    if let Some(fault) = held.fault {
                        let unknown = accepted == Some(cut);
                        assert_eq!(fault.kind() == FaultKind::Partial, unknown, "{name}: {cut} {length}: {fault}");
                    }
                }
            }
        }
    }
}

#[test]
fn security_14_no_transcript_shows_a_password() {
    for (name, request, tls, _) in all() {
        let held = replay(&read(name), &request, tls, Network::default());
        let shown = held.shown.concat() + &held.fault.map(|fault| fault.to_string()).unwrap_or_default();
        for secret in ["s3cret", "czNjcmV0", "AHVybHVzZXIA", "wrong"] {
            assert!(!shown.contains(secret), "{name}: {shown}");
        }
    }
}
