//! The stages of a dialogue: what each waits for, and what its refusal means.

use crate::protocol::{Expected, Fault, FaultKind};
use std::borrow::Cow;

/// One command and its reply, or the greeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Greeting,
    Ehlo,
    StartTls,
    Auth,
    Mail,
    Rcpt,
    Data,
    /// The message, with the dot at its end.
    Message,
    Quit,
}

impl Stage {
    /// What comes after its command, if all is well.
    pub(super) fn expected(self) -> Expected {
        let (what, reply): (_, &'static [u8]) = match self {
            Stage::Greeting => ("220, the greeting", b"220 \r\n"),
            Stage::Ehlo => (
                "250, and the extensions that this mail needs",
                b"250-\r\n250-STARTTLS\r\n250-SMTPUTF8\r\n250 AUTH PLAIN\r\n",
            ),
            Stage::StartTls => ("220, and nothing after it", b"220 \r\n"),
            Stage::Auth => ("235, logged in", b"235 \r\n"),
            Stage::Mail => ("250, the sender may send", b"250 \r\n"),
            Stage::Rcpt => ("250, the recipient can be reached", b"250 \r\n"),
            Stage::Data => ("354, the message may come", b"354 \r\n"),
            Stage::Message => ("250, the server has taken it", b"250 \r\n"),
            Stage::Quit => ("221", b"221 \r\n"),
        };
        Expected { what: Cow::Borrowed(what), reply: Cow::Borrowed(reply), closes: false }
    }

    /// What it means that the server refused its command by a reply of `code` and these words.
    pub(super) fn refusal(self, code: u16, words: &[u8]) -> Fault {
        let refused = |kind, rule, what: &'static str| {
            // 4yz may pass, 5yz stays (RFC 5321 section 4.2.1).
            Fault::new(kind, rule, what).octets(words).code(code).lasting(code >= 500)
        };
        let server = |rule, what| refused(FaultKind::Server, rule, what);
        if code == 421 {
            return server("RFC 5321 section 3.8", "the server closes the connection; the mail was not sent");
        }
        // 530: authentication required (RFC 4954 section 6); 535: and this was none.
        if matches!(code, 530 | 534 | 535 | 538) {
            return refused(
                FaultKind::Login,
                "RFC 4954 section 6",
                "the server wants another login than the one it got",
            )
            .help("name somebody who may send there, and the password is asked for");
        }
        match self {
            Stage::Greeting => server("RFC 5321 section 3.1", "the server does not serve us"),
            Stage::Ehlo => {
                server("RFC 5321 section 4.1.1.1", "the server does not know EHLO, so neither TLS nor logins")
            }
            Stage::StartTls => server("S-17", "the server refuses TLS; nothing was sent in clear"),
            Stage::Auth => refused(FaultKind::Login, "RFC 4954 section 6", "the server does not let the user log in"),
            Stage::Mail => {
                server("RFC 5321 section 3.3", "the server does not take mail of this sender; nothing was sent")
            }
            Stage::Rcpt => {
                server("RFC 5321 section 3.3", "the server does not take mail to this address; nothing was sent")
            }
            Stage::Data | Stage::Message | Stage::Quit => {
                server("RFC 5321 section 3.3", "the server does not take the message; it was not sent")
            }
        }
    }
}
