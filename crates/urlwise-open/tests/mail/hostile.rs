//! Servers that mean harm (S-4, S-14, S-27, S-28, S-46).

use crate::hold::hold;
use crate::rules::{fault, login, mail, with};
use urlwise_open::protocol::FaultKind;
use urlwise_open::protocol::TlsMode;
use urlwise_open::protocol::smtp::SmtpMachine;
use urlwise_open::testing::{DialogueRecord, Network};

const EHLO: &str = "250-h\r\n250-STARTTLS\r\n250 AUTH LOGIN\r\n";

fn held(replies: &[&str]) -> DialogueRecord<Vec<u8>> {
    with(login(Some("s3cret")), TlsMode::Implicit, replies, Network::default())
}

#[test]
fn security_28_octets_that_come_with_the_word_for_tls_are_refused() {
    for early in ["250 h\r\n", "2", "\0", "\r\n", "220 again\r\n"] {
        let reply = format!("220 go\r\n{early}");
        let held = with(login(Some("s3cret")), TlsMode::Explicit, &["220 h\r\n", EHLO, &reply], Network::default());
        assert_eq!(fault(&held), (FaultKind::Malformed, "S-28"), "{early:?}");
        assert_eq!((held.handshakes, held.sent.len()), (0, 2));
    }
}

#[test]
fn security_27_replies_are_bounded_at_every_stage() {
    let good = ["220 h\r\n", "250 h\r\n", "250 ok\r\n", "250 ok\r\n", "354 go\r\n", "250 ok\r\n"];
    let endless = ["x".repeat(100_000), "250-".repeat(100_000), "250-x\r\n".repeat(100_000)];
    for at in 0..good.len() {
        for reply in &endless {
            let mut replies = good;
            replies[at] = reply;
            let held = with(mail(), TlsMode::None, &replies, Network::default().with(|network| network.end = None));
            assert!(matches!(fault(&held).0, FaultKind::Limit | FaultKind::Malformed), "{at}");
            assert!(held.fault.expect("it fails").to_string().len() < 8_000);
        }
    }
}

#[test]
fn malformed_replies_are_refused() {
    for reply in [
        "hello\r\n",
        "25\r\n",
        "250-a\r\n251 b\r\n250 c\r\n",
        "250-a\r\nb\r\n250 c\r\n",
        "250 \0\r\n",
        "150 h\r\n",
        "354 h\r\n",
    ] {
        let held = held(&["220 h\r\n", reply]);
        assert_eq!((fault(&held).0, held.sent.len()), (FaultKind::Malformed, 1), "{reply:?}");
    }
}

#[test]
fn blank_extensions_are_none() {
    // lettre's own reader of extensions panics here.
    let held = held(&["220 h\r\n", "250-h\r\n250- \r\n250-\t\r\n250-\r\n250 AUTH LOGIN\r\n", "334 VXNlcm5hbWU6\r\n"]);
    assert_eq!(held.sent[1..], [b"AUTH LOGIN\r\n".to_vec(), b"am9l\r\n".to_vec()]);
}

#[test]
fn security_14_a_server_that_asks_oddly_gets_no_password() {
    let odd =
        ["334 \r\n", "334 ?\r\n", "334 SGVsbG8=\r\n", "334 /////w==\r\n", "334-VXNlcm5hbWU6\r\n334 x\r\n", "334\r\n"];
    for challenge in odd {
        let held = held(&["220 h\r\n", EHLO, challenge, "235 in\r\n"]);
        assert!(held.sent.len() == 2 || held.sent[2] == b"am9l\r\n", "{challenge:?}: {:?}", held.shown);
    }
    // It may ask twice, and no more.
    let again = [&["220 h\r\n", EHLO][..], &["334 UGFzc3dvcmQ6\r\n"; 50]].concat();
    let held = held(&again);
    assert_eq!((fault(&held).0, held.sent.len()), (FaultKind::Malformed, 4));
    assert_eq!(held.shown[2..], [r"***\r\n", r"***\r\n"]);
}

#[test]
fn security_14_46_what_a_server_repeats_is_masked_and_escaped() {
    let echo = "535 \x1b[2J\x07 s3cret czNjcmV0 \u{9b}x\r\n";
    let held = held(&["220 h\r\n", EHLO, "334 VXNlcm5hbWU6\r\n", "334 UGFzc3dvcmQ6\r\n", echo]);
    let text = held.fault.expect("refused").to_string();
    assert!(text.contains(r"\x1b[2J\x07 *** *** \u{9b}x"), "{text}");
}

#[test]
fn any_octets_in_any_pieces_end_in_a_fault_or_a_mail_that_was_taken() {
    let mut seed = 1738_u32;
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed >> 8
    };
    let words: [&[u8]; 16] = [
        b"220 h\r\n",
        b"250 h\r\n",
        b"250-h\r\n",
        b"250-STARTTLS\r\n250 AUTH LOGIN PLAIN\r\n",
        b"334 VXNlcm5hbWU6\r\n",
        b"235 \r\n",
        b"354 \r\n",
        b"550 \r\n",
        b"421 \r\n",
        b"\r\n",
        b"\0",
        b"\xff",
        b"250",
        b" ",
        b"\n",
        b"334 UGFzc3dvcmQ6\r\n",
    ];
    for _ in 0..20_000 {
        let replies: Vec<Vec<u8>> =
            (0..12).map(|_| (0..random() % 3).flat_map(|_| words[random() as usize % 16].to_vec()).collect()).collect();
        let tls = [TlsMode::Implicit, TlsMode::None][random() as usize % 2];
        let run = |piece| {
            let mut replies = replies.iter().cloned();
            let network = Network::default().with(|network| network.piece = piece);
            hold(&mut SmtpMachine::new(login(Some("s3cret")), tls), |_| replies.next().unwrap_or_default(), network)
        };
        let whole = run(usize::MAX);
        assert_eq!(run(1), whole);
        assert_eq!(whole.is_done, whole.fault.is_none());
        assert_eq!(whole.is_done, whole.entries.len() == 1);
    }
}
