//! The rules of the dialogue, one by one.

use crate::hold::hold;
use urlwise_open::protocol::TlsMode;
use urlwise_open::protocol::smtp::{SmtpLogin, SmtpMachine, SmtpRequest};
use urlwise_open::protocol::{Fault, FaultKind, plan};
use urlwise_open::testing::{DialogueRecord, Network};

pub(crate) fn mail() -> SmtpRequest {
    SmtpRequest::new("joe@h.example", "jim@h.example", b"Subject: x\r\n\r\ny\r\n".to_vec()).expect("a mail")
}

pub(crate) fn login(password: Option<&str>) -> SmtpRequest {
    mail().with_login(SmtpLogin::new("joe", password.map(str::to_owned)))
}

/// Holds a dialogue with a server that says these replies in turn, and then nothing more.
pub(crate) fn with(
    request: SmtpRequest,
    tls: TlsMode,
    replies: &[&str],
    network: Network<'_>,
) -> DialogueRecord<Vec<u8>> {
    let mut replies = replies.iter();
    let server = |_: &[u8]| replies.next().copied().unwrap_or_default().as_bytes().to_vec();
    hold(&mut SmtpMachine::new(request, tls), server, network)
}

fn held(request: SmtpRequest, tls: TlsMode, replies: &[&str]) -> DialogueRecord<Vec<u8>> {
    with(request, tls, replies, Network::default())
}

pub(crate) fn fault(held: &DialogueRecord<Vec<u8>>) -> (FaultKind, &'static str) {
    let fault: &Fault = held.fault.as_ref().expect("it fails");
    (fault.kind(), fault.rule())
}

const EHLO: &str = "250-h\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN\r\n";

#[test]
fn security_17_without_tls_nothing_more_is_said_than_ehlo() {
    for ehlo in ["250 h\r\n", "250-h\r\n250 AUTH PLAIN\r\n", "250-h\r\n250 XSTARTTLS\r\n"] {
        let held = held(login(Some("s3cret")), TlsMode::Explicit, &["220 h\r\n", ehlo]);
        assert_eq!(held.sent, [b"EHLO [127.0.0.1]\r\n"], "{ehlo}");
        assert_eq!((fault(&held), held.handshakes), ((FaultKind::Server, "S-17"), 0));
    }
    let held = held(login(Some("s3cret")), TlsMode::Explicit, &["220 h\r\n", EHLO, "454 not now\r\n"]);
    assert_eq!((fault(&held), held.sent.len()), ((FaultKind::Server, "S-17"), 2));
}

#[test]
fn security_17_what_was_said_before_tls_counts_for_nothing() {
    // The login was offered in clear, and is not within TLS.
    let replies = ["220 h\r\n", EHLO, "220 go\r\n", "250 h\r\n"];
    let held = held(login(Some("s3cret")), TlsMode::Explicit, &replies);
    assert_eq!((held.in_clear, held.handshakes, held.sent.len()), (2, 1, 3));
    assert_eq!(fault(&held), (FaultKind::Login, "RFC 4954 section 4"));
}

#[test]
fn security_16_a_password_in_clear_is_reported() {
    let replies =
        ["220 h\r\n", EHLO, "235 in\r\n", "250 ok\r\n", "250 ok\r\n", "354 go\r\n", "250 taken\r\n", "221 bye\r\n"];
    let clear = held(login(Some("s3cret")), TlsMode::None, &replies);
    assert_eq!((clear.notes, clear.is_done), (vec!["password-in-clear", "mail-in-clear"], true));
    let tls = held(login(Some("s3cret")), TlsMode::Implicit, &replies);
    assert_eq!((tls.notes, tls.entries), (vec![], vec![b"250 taken".to_vec()]));
}

#[test]
fn a_login_that_was_given_is_never_left_out() {
    let held = held(login(Some("s3cret")), TlsMode::Implicit, &["220 h\r\n", "250-h\r\n250 AUTH CRAM-MD5\r\n"]);
    assert_eq!((fault(&held).0, held.sent.len()), (FaultKind::Login, 1));
}

#[test]
fn a_password_is_asked_for_when_it_is_needed() {
    let replies = ["220 h\r\n", EHLO, "235 in\r\n"];
    let asked = with(
        login(None),
        TlsMode::Implicit,
        &replies,
        Network::default().with(|network| network.answer = Some(b"s3cret")),
    );
    assert_eq!((asked.questions.len(), asked.sent[1].as_slice()), (1, &b"AUTH PLAIN AGpvZQBzM2NyZXQ=\r\n"[..]));
    assert_eq!(asked.shown[1], r"AUTH PLAIN ***\r\n");
    let nobody = held(login(None), TlsMode::Implicit, &replies);
    assert_eq!((fault(&nobody).0, nobody.sent.len()), (FaultKind::Login, 1));
    // Of a server without logins nobody is asked anything.
    assert_eq!(held(login(None), TlsMode::Implicit, &["220 h\r\n", "250 h\r\n"]).questions, []);
}

#[test]
fn addresses_outside_us_ascii_need_smtputf8() {
    let request = || SmtpRequest::new("j\u{f6}@h.example", "jim@h.example", b"\r\n".to_vec()).expect("a mail");
    let refused = held(request(), TlsMode::None, &["220 h\r\n", "250-h\r\n250 8BITMIME\r\n"]);
    assert_eq!((fault(&refused), refused.sent.len()), ((FaultKind::Server, "RFC 6531 section 3.2"), 1));
    let sent = held(request(), TlsMode::None, &["220 h\r\n", "250-h\r\n250 SMTPUTF8\r\n"]).sent;
    assert_eq!(String::from_utf8_lossy(&sent[1]), "MAIL FROM:<j\u{f6}@h.example> SMTPUTF8 BODY=8BITMIME\r\n");
}

#[test]
fn every_refusal_ends_the_dialogue_and_says_what_became_of_the_mail() {
    let good = ["220 h\r\n", "250 h\r\n", "250 ok\r\n", "250 ok\r\n", "354 go\r\n", "250 ok\r\n"];
    for at in 0..good.len() {
        for (code, lasting) in [("451", false), ("550", true), ("421", false)] {
            let reply = format!("{code} no\r\n");
            let mut replies = good;
            replies[at] = &reply;
            let held = held(mail(), TlsMode::None, &replies);
            assert_eq!((held.sent.len(), held.entries.len()), (at, 0), "{code} at {at}");
            let fault = held.fault.expect("it is refused");
            assert_eq!((fault.kind(), fault.is_lasting()), (FaultKind::Server, lasting), "{fault}");
        }
    }
}

#[test]
fn a_recipient_that_is_refused_may_need_a_login() {
    let replies = ["220 h\r\n", EHLO, "250 ok\r\n", "550 relaying denied\r\n"];
    let help = |request| held(request, TlsMode::Implicit, &replies).fault.expect("refused").to_string();
    assert!(help(mail()).contains("the server supports logins"), "{}", help(mail()));
    // Who has logged in, or could not, is not told to.
    let logged_in = ["220 h\r\n", EHLO, "235 in\r\n", "250 ok\r\n", "550 relaying denied\r\n"];
    let no_logins = ["220 h\r\n", "250 h\r\n", "250 ok\r\n", "550 relaying denied\r\n"];
    for (request, replies) in [(login(Some("s3cret")), &logged_in[..]), (mail(), &no_logins)] {
        let fault = held(request, TlsMode::Implicit, replies).fault.expect("refused").to_string();
        assert!(fault.contains("relaying denied") && !fault.contains("the server supports logins"), "{fault}");
    }
}

#[test]
fn only_the_reply_to_the_message_decides_whether_it_was_taken() {
    let replies = ["220 h\r\n", "250 h\r\n", "250 ok\r\n", "250 ok\r\n", "354 go\r\n", "250 ok\r\n"];
    for count in 0..=replies.len() {
        let mut machine = SmtpMachine::new(mail(), TlsMode::None);
        let mut said = replies[..count].iter();
        let server = |_: &[u8]| said.next().copied().unwrap_or_default().as_bytes().to_vec();
        hold(&mut machine, server, Network::default().with(|network| network.end = None));
        // After five replies the message has been sent.
        assert_eq!(machine.awaits_acceptance(), count == 5, "{count}");
    }
}

#[test]
fn a_message_follows_when_every_recipient_is_accepted() {
    let request = || {
        let request = mail().with_recipient("ann@h.example").expect("a mailbox");
        request.with_recipient("\"a>\"@h.example").expect("a mailbox")
    };
    let good =
        ["220 h\r\n", "250 h\r\n", "250 ok\r\n", "250 ok\r\n", "251 ok\r\n", "250 ok\r\n", "354 go\r\n", "250 ok\r\n"];
    let whole = held(request(), TlsMode::None, &good);
    assert_eq!((whole.entries.len(), whole.fault), (1, None));
    let sent: Vec<_> = whole.sent.iter().map(|line| String::from_utf8_lossy(line)).collect();
    let recipients =
        ["RCPT TO:<jim@h.example>\r\n", "RCPT TO:<ann@h.example>\r\n", "RCPT TO:<\"a>\"@h.example>\r\n", "DATA\r\n"];
    assert_eq!(sent[2..6], recipients);
    for (at, address) in [(3, "jim@h.example"), (4, "ann@h.example"), (5, "\"a>\"@h.example")] {
        for code in ["450", "550"] {
            let reply = format!("{code} no\r\n");
            let mut replies = good;
            replies[at] = &reply;
            let held = held(request(), TlsMode::None, &replies);
            assert_eq!((held.sent.len(), held.entries.len()), (at, 0), "{address}");
            let fault = held.fault.expect("it is refused").to_string();
            assert!(fault.contains(&format!("rejects the recipient {address}; nothing was sent")), "{fault}");
        }
    }
    assert!(mail().with_recipient("a@h.example\r\nRSET").is_err());
}

#[test]
fn the_goodbye_changes_nothing() {
    let replies = ["220 h\r\n", "250 h\r\n", "250 ok\r\n", "250 ok\r\n", "354 go\r\n", "250 ok\r\n"];
    for goodbye in ["", "221 bye\r\n", "500 what\r\n", "421 too late\r\n"] {
        let held = held(mail(), TlsMode::None, &[&replies[..], &[goodbye]].concat());
        assert_eq!((held.entries.len(), held.is_done, held.fault), (1, true, None), "{goodbye}");
    }
}

#[test]
fn the_dry_run_is_the_dialogue() {
    let lines = |request, tls| -> Vec<String> {
        let lines = plan(SmtpMachine::new(request, tls)).expect("it may be sent");
        lines.iter().map(|line| format!("{} {line}", line.kind())).collect()
    };
    let lines = lines(login(Some("s3cret")), TlsMode::Explicit);
    let sent: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix("send ")).collect();
    assert_eq!(
        sent[..6],
        [
            r"EHLO [127.0.0.1]\r\n",
            r"STARTTLS\r\n",
            r"EHLO [127.0.0.1]\r\n",
            r"AUTH PLAIN ***\r\n",
            r"MAIL FROM:<joe@h.example>\r\n",
            r"RCPT TO:<jim@h.example>\r\n",
        ]
    );
    assert_eq!(sent[6..], [r"DATA\r\n", r"Subject: x\r\n", r"\r\n", r"y\r\n", r".\r\n", r"QUIT\r\n"]);
    assert_eq!(lines.iter().filter(|line| line.starts_with("tls ")).count(), 1);
}
