//! Any mail, any replies, in any pieces: the mail machine never panics, keeps its contract, sends nothing but whole commands to
//! one recipient, and comes to the same whole and in pieces.
//!
//! The input is: flags, the length of the pieces, then parts separated by `FE`: the sender, the recipient, the message, the
//! password, the replies.

use crate::text::is_clean;
use urlwise_open::protocol::TlsMode;
use urlwise_open::protocol::smtp::{SmtpLogin, SmtpMachine, SmtpRequest};
use urlwise_open::protocol::{End, plan};
use urlwise_open::testing::{Network, hold};

pub(crate) fn run(input: &[u8]) {
    let [flags, piece, rest @ ..] = input else { return };
    let mut parts = rest.splitn(5, |octet| *octet == 0xfe);
    let mut part = || parts.next().unwrap_or_default();
    let (sender, recipient, message, password, replies) = (part(), part(), part(), part(), part());
    let (sender, recipient) = (String::from_utf8_lossy(sender), String::from_utf8_lossy(recipient));
    let Ok(mut request) = SmtpRequest::new(&sender, &recipient, message.to_vec()) else { return };
    if flags & 1 != 0 {
        let password = (flags & 2 != 0).then(|| String::from_utf8_lossy(password).into_owned());
        request = request.with_login(SmtpLogin::new("joe", password));
    }
    let tls = [TlsMode::Implicit, TlsMode::Explicit, TlsMode::None, TlsMode::None][usize::from(flags >> 2 & 3)];
    let ends = [Some(End::Closed), Some(End::Unauthenticated), Some(End::Broken), None];
    let network = Network::default().with(|network| {
        network.end = ends[usize::from(flags >> 4 & 3)];
        network.answer = (flags & 64 != 0).then_some(password);
    });
    // One reply a command; what is left over comes with the last one.
    let run = |piece| {
        let mut machine = SmtpMachine::new(request.clone(), tls);
        let mut lines =
            replies.split_inclusive(|octet| *octet == 0xfd).map(|line| line.strip_suffix(b"\xfd").unwrap_or(line));
        hold(&mut machine, |_| lines.next().unwrap_or_default().to_vec(), network.with(|network| network.piece = piece))
    };
    let whole = run(usize::MAX);
    let pieces = run(usize::from(*piece) + 1);
    // Octets that come with the reply to STARTTLS are refused; those that come later are part of the handshake.
    assert!(whole == pieces || tls == TlsMode::Explicit);

    assert!(plan(SmtpMachine::new(request, tls)).is_ok());
    let commands = whole.sent.iter().filter(|command| !command.ends_with(b"\r\n.\r\n") && *command != b".\r\n");
    for command in commands {
        let line = command.strip_suffix(b"\r\n").expect("a command ends its line");
        assert!(!line.iter().any(u8::is_ascii_control));
    }
    let recipients: Vec<_> = whole.sent.iter().filter(|command| command.starts_with(b"RCPT")).collect();
    let ours = format!("RCPT TO:<{recipient}>\r\n").into_bytes();
    assert!(recipients.iter().all(|command| **command == ours) && recipients.len() <= 1);
    assert!(whole.entries.len() <= 1 && (!whole.is_done || whole.entries.len() == 1));
    if tls == TlsMode::Explicit {
        assert!(whole.in_clear <= 2);
    }
    if let Some(fault) = &whole.fault {
        assert!(is_clean(fault));
    }
}
