//! Commands: the one place where octets become a line for the server (S-4 and S-5).

use std::iter::repeat_n;

use super::settings::FtpSettings;
use crate::language::{message, words};
use crate::protocol::{Command, Fault, FaultKind};
use urlwise::Words;

const IAC: u8 = 0xff;

/// A command with an argument that may be empty: `CWD` followed by a space and nothing is not the same command as `CWD`.
///
/// # Errors
/// CR, LF or NUL in the argument, and other control characters unless [`FtpSettings::controls`] allows them. `label` names the
/// argument.
pub(super) fn command(verb: &str, argument: Option<(Words, &[u8])>, settings: &FtpSettings) -> Result<Command, Fault> {
    let mut line = Vec::with_capacity(verb.len() + argument.map_or(0, |(_, octets)| octets.len() + 1) + 2);
    line.extend_from_slice(verb.as_bytes());
    if let Some((label, octets)) = argument {
        check(label, octets, settings)?;
        line.push(b' ');
        match settings.iac_doubling {
            true => line.extend(octets.iter().flat_map(|octet| repeat_n(*octet, 1 + usize::from(*octet == IAC)))),
            false => line.extend_from_slice(octets),
        }
    }
    line.extend_from_slice(b"\r\n");
    Ok(Command::new(line))
}

/// A command with a secret argument.
pub(super) fn secret(verb: &str, label: Words, octets: &[u8], settings: &FtpSettings) -> Result<Command, Fault> {
    // The octets of a secret do not belong in the fault.
    let command = command(verb, Some((label, octets)), settings).map_err(|fault| fault.octets(b"***"))?;
    let end = command.octets().len() - 2;
    Ok(command.secret(verb.len() + 1..end))
}

/// Whether an argument may be sent.
pub(super) fn check(label: Words, octets: &[u8], settings: &FtpSettings) -> Result<(), Fault> {
    // Without an early end, so that many octets are looked at at once: most arguments have none.
    if octets.iter().fold(true, |plain, octet| plain & !octet.is_ascii_control()) {
        return Ok(());
    }
    let bad = |octet: &u8| match octet {
        b'\r' | b'\n' | 0 => true,
        _ => octet.is_ascii_control() && !settings.controls,
    };
    let Some(at) = octets.iter().position(bad) else { return Ok(()) };
    let remove = words!("remove it from the URL");
    let (what, rule, help) = match octets[at] {
        b'\r' | b'\n' => (words!("a line end, which would start a second command"), "RFC 1738 section 6", remove),
        0 => (words!("NUL, at which some servers end the command"), "RFC 1738 section 6", remove),
        _ => (words!("a control character"), "S-4", words!("allow control characters if the server needs them")),
    };
    let what = message!("refused to send: the {part} contains {octet},", part = label, octet = what);
    Err(Fault::new(FaultKind::Refused, rule, what).octets(octets).at(at).with_help(help))
}

#[cfg(test)]
mod tests {
    use super::{command, secret};
    use crate::protocol::ftp::FtpSettings;
    use urlwise::Words;

    fn sent(octets: &[u8], settings: &FtpSettings) -> Option<Vec<u8>> {
        command("CWD", Some((Words::same("directory"), octets)), settings).ok().map(|command| command.octets().to_vec())
    }

    #[test]
    fn security_5_the_writer_refuses_what_would_begin_another_command() {
        let lenient = FtpSettings { controls: true, ..FtpSettings::default() };
        for octets in [&b"a\r\nDELE b"[..], b"\n", b"\r", b"a\0"] {
            assert_eq!(sent(octets, &lenient), None, "{octets:?}");
        }
        assert_eq!(sent(b"a\x1b", &FtpSettings::default()), None);
        assert_eq!(sent(b"a\x1b\t\x7f", &lenient).as_deref(), Some(&b"CWD a\x1b\t\x7f\r\n"[..]));
    }

    #[test]
    fn octets_are_sent_as_they_are() {
        assert_eq!(sent(b"", &FtpSettings::default()).as_deref(), Some(&b"CWD \r\n"[..]));
        assert_eq!(sent(b"ff\xff\xe9 -l", &FtpSettings::default()).as_deref(), Some(&b"CWD ff\xff\xe9 -l\r\n"[..]));
        let doubling = FtpSettings { iac_doubling: true, ..FtpSettings::default() };
        assert_eq!(sent(b"ff\xff", &doubling).as_deref(), Some(&b"CWD ff\xff\xff\r\n"[..]));
    }

    #[test]
    fn security_14_passwords_are_not_shown() {
        let settings = FtpSettings::default();
        let pass = secret("PASS", Words::same("password"), b"s3cret", &settings).expect("a harmless password");
        assert_eq!((pass.octets(), pass.to_string().as_str()), (&b"PASS s3cret\r\n"[..], r"PASS ***\r\n"));
        let fault = secret("PASS", Words::same("password"), b"s3cret\n", &settings).expect_err("it holds a line end");
        assert!(
            fault.to_string().contains("the password contains a line end") && !fault.to_string().contains("s3cret")
        );
        assert_eq!(secret("PASS", Words::same("password"), b"", &settings).expect("empty").to_string(), r"PASS \r\n");
    }
}
