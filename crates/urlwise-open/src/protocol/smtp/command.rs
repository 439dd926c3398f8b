//! Commands: the one place where text becomes a line for the server (S-4 and S-5).

use crate::language::words;
use crate::protocol::{Command, Fault, FaultKind};
use std::fmt;

/// The line that `command` displays as, with its line end.
///
/// # Errors
/// Any control octet before the line end, which could begin another command.
pub(super) fn command(command: impl fmt::Display) -> Result<Command, Fault> {
    let line = command.to_string();
    let text = line.strip_suffix("\r\n").unwrap_or(&line);
    match text.bytes().position(|octet| octet.is_ascii_control()) {
        None => Ok(Command::new([text.as_bytes(), b"\r\n"].concat())),
        Some(at) => {
            let what = words!(
                "refused to send: the command contains a control character, which could start a second command,"
            );
            Err(Fault::new(FaultKind::Refused, "RFC 5321 section 4.1.2", what).octets(text.as_bytes()).at(at))
        }
    }
}

/// The same, with everything from `start` on secret.
pub(super) fn secret(line: impl fmt::Display, start: usize) -> Result<Command, Fault> {
    let command = command(line).map_err(|fault| fault.octets(b"***"))?;
    let end = command.octets().len() - 2;
    Ok(command.secret(start..end))
}

/// A message as `DATA` sends it: leading dots are doubled, and a lone dot ends it (RFC 5321 section 4.5.2).
pub(super) fn message(message: &[u8]) -> Command {
    let mut octets = Vec::with_capacity(message.len() + 16);
    for line in message.split_inclusive(|octet| *octet == b'\n') {
        if line.starts_with(b".") {
            octets.push(b'.');
        }
        octets.extend_from_slice(line);
    }
    octets.extend_from_slice(b".\r\n");
    Command::new(octets)
}

#[cfg(test)]
mod tests {
    use super::{command, message, secret};

    #[test]
    fn security_5_the_writer_refuses_what_would_begin_another_command() {
        for text in ["MAIL FROM:<a\r\nRSET>\r\n", "MAIL FROM:<a\nb>\r\n", "RCPT TO:<\0>\r\n", "A\x7f\r\n", "A\r\n\r\n"]
        {
            let fault = command(text).expect_err(text);
            assert!(fault.to_string().contains("a control character"), "{fault}");
        }
        assert_eq!(
            command("RCPT TO:<j\u{f6}@h>\r\n").expect("harmless").octets(),
            "RCPT TO:<j\u{f6}@h>\r\n".as_bytes()
        );
    }

    #[test]
    fn security_14_what_proves_a_login_is_not_shown() {
        assert_eq!(secret("AUTH PLAIN AHUAcA==\r\n", 11).expect("harmless").to_string(), r"AUTH PLAIN ***\r\n");
        let fault = secret("AUTH PLAIN A\nHU\r\n", 11).expect_err("a line end");
        assert!(!fault.to_string().contains("HU"), "{fault}");
    }

    #[test]
    fn a_dot_at_the_beginning_of_a_line_ends_no_message() {
        let sent = |text: &str| String::from_utf8(message(text.as_bytes()).octets().to_vec()).expect("it was text");
        assert_eq!(sent(".\r\n..\r\n.a\r\n a.\r\n"), "..\r\n...\r\n..a\r\n a.\r\n.\r\n");
        assert_eq!(sent(""), ".\r\n");
    }
}
