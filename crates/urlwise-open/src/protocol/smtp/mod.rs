//! SMTP: one mail to its recipients, by RFC 5321 with STARTTLS (RFC 3207), AUTH (RFC 4954) and SMTPUTF8 (RFC 6531).
//!
//! The commands are those that the crate `lettre` writes, so that nothing here describes them a second time. Its connections
//! are not used: they handle deadlines, addresses and certificates in their own way, and an endless line would fill the memory.
//!
//! ```text
//! Connect -> greeting -> EHLO -> [STARTTLS -> StartTls -> EHLO] -> [Ask -> AUTH] -> MAIL -> RCPT (each) -> DATA -> the message
//!                                                                                                                    |
//!                                                                 Done <- QUIT <- Entry: the server accepted it <----+
//! ```
//!
//! With TLS, only `EHLO` and `STARTTLS` are sent unencrypted, and nothing falls back (S-17). A
//! [`SmtpRequest`] is a mail that may be sent; [`SmtpMachine`] is the machine.
//!
//! ```
//! use urlwise_open::protocol::plan;
//! use urlwise_open::protocol::TlsMode;
//! use urlwise_open::protocol::smtp::{SmtpMachine, SmtpRequest};
//!
//! let request = SmtpRequest::new("joe@h.example", "jim@h.example", b"Subject: x\r\n\r\n.\r\n".to_vec()).expect("a mail");
//! let lines = plan(SmtpMachine::new(request, TlsMode::Implicit)).expect("it may be sent");
//! let sent: Vec<_> = lines.iter().filter(|line| line.kind() == "send").map(ToString::to_string).collect();
//! assert_eq!(sent[1..4], [r"MAIL FROM:<joe@h.example>\r\n", r"RCPT TO:<jim@h.example>\r\n", r"DATA\r\n"]);
//! assert_eq!(sent[6..], [r"..\r\n", r".\r\n", r"QUIT\r\n"]);
//! ```

mod command;
mod extension;
mod machine;
mod note;
mod phase;
mod request;

pub use machine::SmtpMachine;
pub use request::{SmtpLogin, SmtpRequest};
