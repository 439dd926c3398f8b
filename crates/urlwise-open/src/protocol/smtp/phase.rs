//! The phases of a dialogue: what each waits for, and what a refusal means.

use crate::language::{message, words};
use crate::protocol::{Expected, Fault, FaultKind};
use lettre::Address;
use std::borrow::Cow;
use urlwise::{Message, Words, escape_for_display};

/// One command and its reply, or the greeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Greeting,
    Ehlo,
    StartTls,
    Auth,
    Mail,
    /// The recipient of this index.
    Rcpt(usize),
    Data,
    /// The message, with the dot at its end.
    Message,
    Quit,
}

impl Phase {
    /// The expected reply to its command.
    pub(super) fn expected(self) -> Expected {
        let (what, reply): (_, &'static [u8]) = match self {
            Phase::Greeting => (words!("220, the greeting"), b"220 \r\n"),
            Phase::Ehlo => (
                words!("250, and the required extensions"),
                b"250-\r\n250-STARTTLS\r\n250-SMTPUTF8\r\n250 AUTH PLAIN\r\n",
            ),
            Phase::StartTls => (words!("220, and nothing after it"), b"220 \r\n"),
            Phase::Auth => (words!("235, logged in"), b"235 \r\n"),
            Phase::Mail => (words!("250, sender accepted"), b"250 \r\n"),
            Phase::Rcpt(_) => (words!("250, recipient accepted"), b"250 \r\n"),
            Phase::Data => (words!("354, send the message"), b"354 \r\n"),
            Phase::Message => (words!("250, message accepted"), b"250 \r\n"),
            Phase::Quit => (Words::same("221"), b"221 \r\n"),
        };
        Expected { what: what.into(), reply: Cow::Borrowed(reply), closes: false }
    }

    /// The fault when the server refused its command with `code` and this message. It names the recipient of `Rcpt`.
    pub(super) fn refusal(self, code: u16, words: &[u8], recipients: &[Address]) -> Fault {
        let refused = |kind, rule, what: Message| {
            // 4yz is temporary, 5yz permanent (RFC 5321 section 4.2.1).
            Fault::new(kind, rule, what).octets(words).code(code).lasting(code >= 500)
        };
        let server = |rule, what: Words| refused(FaultKind::Server, rule, what.into());
        if code == 421 {
            return server(
                "RFC 5321 section 3.8",
                words!("the server closes the connection; the message was not sent"),
            );
        }
        // 530: authentication required (RFC 4954 section 6); 535: authentication failed.
        if matches!(code, 530 | 534 | 535 | 538) {
            return refused(
                FaultKind::Login,
                "RFC 4954 section 6",
                words!("the server requires a login, or rejects the one it got").into(),
            )
            .with_help(words!("give a user that may send mail there"));
        }
        match self {
            Phase::Greeting => server("RFC 5321 section 3.1", words!("the server refuses the connection")),
            Phase::Ehlo => server(
                "RFC 5321 section 4.1.1.1",
                words!("the server does not support EHLO, which TLS and logins require"),
            ),
            Phase::StartTls => server("S-17", words!("the server refuses TLS; nothing was sent without encryption")),
            Phase::Auth => {
                refused(FaultKind::Login, "RFC 4954 section 6", words!("the server rejects the login").into())
            }
            Phase::Mail => server("RFC 5321 section 3.3", words!("the server rejects the sender; nothing was sent")),
            Phase::Rcpt(index) => {
                let address = recipients.get(index).map(ToString::to_string).unwrap_or_default();
                let address = escape_for_display(address.as_bytes()).to_string();
                let what = message!("the server rejects the recipient {address}; nothing was sent", address = address);
                refused(FaultKind::Server, "RFC 5321 section 3.3", what)
            }
            Phase::Data | Phase::Message | Phase::Quit => {
                server("RFC 5321 section 3.3", words!("the server rejects the message; it was not sent"))
            }
        }
    }
}
