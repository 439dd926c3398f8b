//! Commands: the one place where octets become a line for the server (S-4 and S-5).

use crate::language::{message, words};
use crate::protocol::{Command, Fault, FaultKind};
use std::ops::RangeInclusive;
use urlwise::{Message, Words};

/// The longest argument: RFC 3977 section 3.1.
const LONGEST: usize = 497;

/// Octets of a Message-ID without its angle brackets: RFC 3977 section 3.6.
const ID_LENGTH: RangeInclusive<usize> = 1..=248;

/// A command of words.
///
/// # Errors
/// A line end or NUL in it, wherever it came from.
pub(super) fn command(words: &[&[u8]]) -> Result<Command, Fault> {
    let mut line = words.join(&b' ');
    if let Some(at) = line.iter().position(|octet| matches!(octet, b'\r' | b'\n' | 0)) {
        return Err(refused(words!("a command contains a line end or NUL").into(), &line).at(at));
    }
    line.extend_from_slice(b"\r\n");
    Ok(Command::new(line))
}

/// `AUTHINFO` with a value that is the rest of the line, blanks included (RFC 4643 section 2.3.2); a password is never displayed.
pub(super) fn authinfo(what: &str, value: &[u8], is_secret: bool) -> Result<Command, Fault> {
    let label = if is_secret { words!("password") } else { words!("user") };
    let bad = value.iter().position(u8::is_ascii_control);
    if let Some(at) = bad {
        let what = message!("the {part} contains a control character, which is not allowed in a command", part = label);
        let fault = refused(what, value).at(at);
        // The octets of a secret do not belong in the fault.
        return Err(if is_secret { fault.octets(b"***") } else { fault });
    }
    if value.is_empty() || value.len() > LONGEST {
        return Err(refused(bad_length(label), b"***"));
    }
    let command = command(&[b"AUTHINFO", what.as_bytes(), value])?;
    let end = command.octets().len() - 2;
    Ok(if is_secret { command.secret(end - value.len()..end) } else { command })
}

/// Whether octets are one argument: not empty, without blanks and control characters.
pub(super) fn argument(label: Words, octets: &[u8]) -> Result<(), Fault> {
    let bad = octets.iter().position(|octet| octet.is_ascii_control() || *octet == b' ');
    if let Some(at) = bad {
        let what = message!("the {part} contains an octet that would end the argument or the command", part = label);
        return Err(refused(what, octets).at(at));
    }
    if octets.is_empty() || octets.len() > LONGEST {
        return Err(refused(bad_length(label), octets));
    }
    Ok(())
}

/// Whether octets are a Message-ID without its angle brackets: printable ASCII without `>`.
pub(super) fn message_id(id: &[u8]) -> Result<(), Fault> {
    const RULE: &str = "RFC 3977 section 3.6";
    let bad = id.iter().position(|octet| !octet.is_ascii_graphic() || matches!(octet, b'<' | b'>'));
    if let Some(at) = bad {
        let what = words!("the Message-ID contains an octet that is not allowed");
        return Err(Fault::new(FaultKind::Refused, RULE, what).octets(id).at(at));
    }
    if !ID_LENGTH.contains(&id.len()) {
        let what = message!(
            "a Message-ID must be {least} to {most} octets long",
            least = *ID_LENGTH.start(),
            most = *ID_LENGTH.end()
        );
        return Err(Fault::new(FaultKind::Refused, RULE, what).octets(id));
    }
    Ok(())
}

fn bad_length(label: Words) -> Message {
    message!("the {part} is empty or longer than {count} octets", part = label, count = LONGEST)
}

fn refused(what: Message, octets: &[u8]) -> Fault {
    Fault::new(FaultKind::Refused, "RFC 3977 section 3.1, S-5", what).octets(octets)
}

#[cfg(test)]
mod tests {
    use super::{argument, authinfo, command, message_id};
    use urlwise::Words;

    #[test]
    fn security_5_the_writer_refuses_what_would_begin_another_command() {
        for octets in [&b"a\r\nPOST"[..], b"\n", b"\r", b"a\0"] {
            assert!(command(&[b"GROUP", octets]).is_err(), "{octets:?}");
            assert!(authinfo("USER", octets, false).is_err() && argument(Words::same("group"), octets).is_err());
            assert!(message_id(octets).is_err());
        }
        assert_eq!(command(&[b"GROUP", b"a.b"]).expect("harmless").octets(), b"GROUP a.b\r\n");
    }

    #[test]
    fn an_argument_is_one_word() {
        for octets in [&b""[..], b"a b", b"a\tb", b"\x7f", &[b'a'; 498]] {
            assert!(argument(Words::same("group"), octets).is_err(), "{octets:?}");
        }
        for octets in [&b"comp.lang.c++"[..], b"gr\xc3\xbc\xc3\x9fe", &[b'a'; 497]] {
            assert!(argument(Words::same("group"), octets).is_ok(), "{octets:?}");
        }
    }

    #[test]
    fn a_message_id_is_printing_ascii_of_a_length() {
        for id in [&b""[..], b"a b@c", b"a<b@c", b"a>b@c", b"\xe9@c", b"a\x7f@c", &[b'a'; 249]] {
            assert!(message_id(id).is_err(), "{id:?}");
        }
        for id in [&b"a@b"[..], b"a/b?c#d%e+f@example.net", &[b'a'; 248]] {
            assert!(message_id(id).is_ok(), "{id:?}");
        }
    }

    #[test]
    fn security_14_passwords_are_not_shown() {
        let pass = authinfo("PASS", b"s3 cret", true).expect("a harmless password");
        assert_eq!(
            (pass.octets(), pass.to_string().as_str()),
            (&b"AUTHINFO PASS s3 cret\r\n"[..], r"AUTHINFO PASS ***\r\n")
        );
        for bad in [&b"s3cret\n"[..], b"", &[b's'; 498]] {
            let fault = authinfo("PASS", bad, true).expect_err("no password").to_string();
            assert!(!fault.contains("s3cret") && !fault.contains("ssss"), "{fault}");
        }
    }
}
