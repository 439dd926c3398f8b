//! A mail that may be sent: sender, recipients and message.

use crate::language::{message, words};
use crate::protocol::{Fault, FaultKind};
use lettre::Address;
use lettre::address::Envelope;
use std::net::{Ipv4Addr, Ipv6Addr};
use urlwise::{Message, Words, escape_for_display};

/// The longest line of a message, without its CR LF (RFC 5322 section 2.1.1).
const LONGEST_LINE: usize = 998;

/// One mail with its sender and recipients.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SmtpRequest {
    pub(super) sender: Address,
    pub(super) recipients: Vec<Address>,
    pub(super) message: Vec<u8>,
    pub(super) login: Option<SmtpLogin>,
}

/// The login.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SmtpLogin {
    /// The name.
    pub user: String,
    /// The password; `None`: ask for it when needed.
    pub password: Option<String>,
}

impl SmtpLogin {
    /// A name, and a password unless a person is to be asked for it.
    pub fn new(user: impl Into<String>, password: Option<String>) -> SmtpLogin {
        SmtpLogin { user: user.into(), password }
    }
}

impl std::fmt::Debug for SmtpLogin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let password = self.password.as_ref().map(|_| "***");
        f.debug_struct("SmtpLogin").field("user", &self.user).field("password", &password).finish()
    }
}

impl SmtpRequest {
    /// A mail. The message consists of headers, an empty line and a body, with each line ended by CR LF.
    ///
    /// # Errors
    /// An address is not a mailbox of RFC 5321, or the message contains CR or LF alone (which some servers take as a line end
    /// and others do not), a NUL or a line of more than 998 octets, or does not end in a line end.
    pub fn new(sender: &str, recipient: &str, message: Vec<u8>) -> Result<SmtpRequest, Fault> {
        check(&message)?;
        Ok(SmtpRequest { sender: mailbox(sender)?, recipients: vec![mailbox(recipient)?], message, login: None })
    }

    /// The same, to one more recipient.
    ///
    /// # Errors
    /// The address is not a mailbox of RFC 5321.
    pub fn with_recipient(mut self, recipient: &str) -> Result<SmtpRequest, Fault> {
        self.recipients.push(mailbox(recipient)?);
        Ok(self)
    }

    /// The same, with a login.
    #[must_use]
    pub fn with_login(self, login: SmtpLogin) -> SmtpRequest {
        SmtpRequest { login: Some(login), ..self }
    }

    /// Sender and recipients, for lettre.
    pub(crate) fn envelope(&self) -> Result<Envelope, lettre::error::Error> {
        Envelope::new(Some(self.sender.clone()), self.recipients.clone())
    }

    /// Whether it requires a server with the extension SMTPUTF8 (RFC 6531).
    pub(super) fn needs_utf8(&self) -> bool {
        let mut addresses = self.recipients.iter().chain([&self.sender]);
        addresses.any(|address| !AsRef::<str>::as_ref(address).is_ascii())
    }
}

/// An address that SMTP can express, which is stricter than RFC 822.
fn mailbox(text: &str) -> Result<Address, Fault> {
    let fault = |what: Words| {
        Fault::new(FaultKind::Refused, "RFC 5321 section 4.1.2", what).octets(text.as_bytes()).with_help(words!(
            "write it as `local@domain`, with at most one pair of quotation marks around the local part"
        ))
    };
    if text.contains(char::is_control) {
        return Err(fault(words!("refused to send: an address contains a control character")));
    }
    let unknown = words!("the address may be valid in RFC 822, but SMTP cannot express it");
    let address: Address = text.parse().map_err(|_| fault(unknown))?;
    // lettre accepts more than servers do.
    let domain = address.domain();
    let is_good = match domain.strip_prefix('[').and_then(|literal| literal.strip_suffix(']')) {
        Some(literal) => match literal.strip_prefix("IPv6:") {
            Some(number) => number.parse::<Ipv6Addr>().is_ok(),
            None => literal.parse::<Ipv4Addr>().is_ok(),
        },
        None => domain.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '.')),
    };
    if is_good { Ok(address) } else { Err(fault(unknown)) }
}

fn check(message: &[u8]) -> Result<(), Fault> {
    let refused = |what: Message| Err(Fault::new(FaultKind::Refused, "RFC 5322 section 2.1.1", what));
    if !message.ends_with(b"\r\n") {
        return refused(words!("refused to send: the message does not end with a line end").into());
    }
    for (number, line) in message.split_inclusive(|octet| *octet == b'\n').enumerate() {
        let text = line.strip_suffix(b"\r\n").unwrap_or(line);
        if let Some(octet) = text.iter().find(|octet| matches!(octet, b'\r' | b'\n' | 0)) {
            return refused(message!(
                "refused to send: line {number} of the message contains `{octet}`",
                number = number + 1,
                octet = escape_for_display(&[*octet]).to_string(),
            ));
        }
        if text.len() > LONGEST_LINE {
            return refused(message!(
                "refused to send: line {number} is longer than {count} octets",
                number = number + 1,
                count = LONGEST_LINE,
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_LINE, SmtpLogin, SmtpRequest};

    fn request(sender: &str, recipient: &str, message: &str) -> Result<SmtpRequest, String> {
        SmtpRequest::new(sender, recipient, message.into()).map_err(|fault| fault.to_string())
    }

    #[test]
    fn addresses_of_smtp_are_taken_as_they_are() {
        for address in [
            "joe@h.example",
            "a+b@h.example",
            "joe@localhost",
            "user%host@relay.example",
            r#""not@me"@h.example"#,
            r#""oh\\no"@h.example"#,
            r#""Joe D."@h.example"#,
            "joe@[127.0.0.1]",
            "joe@[IPv6:::1]",
            "j\u{f6}rg@h.example",
            "joe@b\u{fc}cher.example",
        ] {
            let request = request(address, "jim@h.example", "\r\n").expect(address);
            assert_eq!((request.sender.to_string().as_str(), request.needs_utf8()), (address, !address.is_ascii()));
        }
    }

    #[test]
    fn security_5_an_address_brings_nothing_else_along() {
        for address in [
            "",
            "joe",
            "@h.example",
            "joe@",
            "joe@h.example> SIZE=1",
            "joe@h.example,jim@h.example",
            "<joe@h.example>",
            "joe @h.example",
            "joe@h.example\r\nRCPT TO:<x@y.example>",
            "\"a\r\n b\"@h.example",
            "\"a\0b\"@h.example",
            "joe@h.example?subject=x",
            "joe@[x]",
            "joe@[1.2.3.4 5]",
            "\"a\".b@h.example",
            "a@b@h.example",
        ] {
            assert!(request("joe@h.example", address, "\r\n").is_err(), "{address}");
            assert!(request(address, "joe@h.example", "\r\n").is_err(), "{address}");
        }
    }

    #[test]
    fn security_5_a_message_holds_whole_lines() {
        let fails = |message: &str| request("a@h.example", "b@h.example", message).is_err();
        for message in ["", "a", "a\n", "a\r\n.\n\r\n", "a\rb\r\n", "a\0b\r\n", "a\r\n.\r.\r\n"] {
            assert!(fails(message), "{message:?}");
        }
        assert!(!fails(&format!("{}\r\n", "a".repeat(LONGEST_LINE))));
        assert!(fails(&format!("{}\r\n", "a".repeat(LONGEST_LINE + 1))));
    }

    #[test]
    fn security_14_debug_texts_hide_passwords() {
        let login = SmtpLogin { user: "joe".to_owned(), password: Some("s3cret".to_owned()) };
        let request =
            SmtpRequest::new("a@h.example", "b@h.example", b"\r\n".to_vec()).expect("a mail").with_login(login);
        let text = format!("{request:?}");
        assert!(text.contains("***") && !text.contains("s3cret"), "{text}");
    }
}
