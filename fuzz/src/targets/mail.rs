//! Any mailto URL and any replies, the whole way: what the client sends is whole commands, to the recipients of the URL and nobody
//! else, and the letter as it was shown, at most once; and it is said to be sent only if all of it was.
//!
//! The input is: flags, what follows `mailto:` up to the first `FE`, then the replies of the server.

use crate::calls;
use std::time::{Duration, SystemTime};
use urlwise::{Profile, Url};
use urlwise_open::testing::offline;
use urlwise_open::{Client, Delivery, Letter, MailServer, Resource, Sender, ServerLogin};

pub(crate) fn run(input: &[u8]) {
    if calls::holds(input, calls::SECRET) {
        return;
    }
    let [flags, rest @ ..] = input else { return };
    let at = rest.iter().position(|octet| *octet == 0xfe).unwrap_or(rest.len());
    let Ok(text) = str::from_utf8(&rest[..at]) else { return };
    let Ok(url) = Url::parse_with(format!("mailto:{text}"), Profile::Current) else { return };
    let replies = rest.get(at + 1..).unwrap_or_default().to_vec();
    let mut options = calls::options(*flags);
    // No handshake gets so far that a certificate is judged, and the roots are many.
    options.insecure = true;
    if flags & 1 != 0 {
        options.credentials.login = Some(ServerLogin::of("joe").with_password(calls::SECRET));
    }
    let client = Client::new(options);
    let draft = match client.open(&url) {
        Ok(Resource::Draft(draft)) => draft,
        Ok(other) => panic!("a mailto URL is a draft: {other:?}"),
        Err(error) => return drop(calls::shown(&error)),
    };
    let sender: Sender = "joe@a.example".parse().expect("an address");
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(786_240_000);
    let letter = match draft.letter(&sender, now) {
        Ok(letter) => letter,
        Err(error) => return drop(calls::shown(&error)),
    };
    let server = ["smtp://m.example", "starttls://m.example", "smtps://m.example"][usize::from(flags >> 1 & 3).min(2)];
    let server: MailServer = server.parse().expect("a server");
    let (result, sent) = offline(vec![replies], || client.send(&letter, &Delivery::Server(server)));
    if let Err(error) = &result {
        calls::shown(error);
    }
    assert!(sent.len() <= 1, "it is never sent again: {sent:?}");
    let octets = sent.first().map(|sent| &sent.octets[..]).unwrap_or_default();
    assert!(check(octets, &letter) || result.is_err(), "it was not sent");
}

/// Whether the letter was sent.
fn check(octets: &[u8], letter: &Letter) -> bool {
    let mut rest = octets;
    let mut recipients = Vec::new();
    let mut is_sent = false;
    // What is encrypted is not read.
    while !rest.is_empty() && !rest.starts_with(calls::TLS_HANDSHAKE) {
        let end = memchr::memmem::find(rest, b"\r\n").expect("a command ends its line");
        let (line, after) = (&rest[..end], &rest[end + 2..]);
        assert!(!line.iter().any(u8::is_ascii_control), "{line:?}");
        rest = after;
        if let Some(recipient) = line.strip_prefix(b"RCPT TO:<") {
            recipients.push(recipient.strip_suffix(b">").expect("a path").to_vec());
        }
        if line == b"DATA" && !rest.is_empty() && rest != b"QUIT\r\n" {
            assert!(!is_sent, "it is sent once");
            let dot = if rest.starts_with(b".\r\n") { Some(0) } else { memchr::memmem::find(rest, b"\r\n.\r\n") };
            let dot = dot.expect("the end of the letter");
            let text = if dot == 0 { &[][..] } else { &rest[..dot + 2] };
            assert_eq!(undotted(text), letter.octets());
            rest = rest[text.len()..].strip_prefix(b".\r\n").expect("the end of the letter");
            let expected: Vec<_> = letter.recipients().iter().map(|address| address.as_bytes().to_vec()).collect();
            assert_eq!(recipients, expected, "all of them, and no other");
            is_sent = true;
        }
    }
    assert!(recipients.iter().all(|address| letter.recipients().iter().any(|known| known.as_bytes() == *address)));
    is_sent
}

/// A text as it was before its dots were doubled.
fn undotted(text: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|octet| *octet == b'\n') {
        whole.extend_from_slice(line.strip_prefix(b".").unwrap_or(line));
    }
    whole
}
