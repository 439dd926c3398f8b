//! A draft with a sender: what is shown before sending is what is sent, octet for octet.

use super::message::plain;
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use crate::protocol::setting_shown;
use crate::protocol::smtp::SmtpRequest;
use crate::resource::draft::MessageDraft;
use lettre::message::header::{self, Date};
use lettre::message::{Mailbox, Mailboxes};
use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::str::FromStr;
use std::time::SystemTime;
use urlwise::{escape_for_display, padded};

/// The sender: an address, with or without a name.
///
/// ```
/// use urlwise_open::Sender;
///
/// let sender: Sender = "Joe Doe <joe@h.example>".parse()?;
/// assert_eq!(sender.address(), "joe@h.example");
/// assert!("joe".parse::<Sender>().is_err());
/// # Ok::<(), urlwise_open::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender(Mailbox);

impl Sender {
    /// The address alone.
    pub fn address(&self) -> &str {
        self.0.email.as_ref()
    }
}

impl FromStr for Sender {
    type Err = Error;

    fn from_str(text: &str) -> Result<Sender, Error> {
        let error = || {
            Error::new(ErrorKind::Setting, message!("\"{text}\" is not a valid sender", text = setting_shown(text)))
                .with_reference("RFC 5322 section 3.4")
                .with_help(words!("write it as `joe@host.example` or `Joe Doe <joe@host.example>`"))
        };
        if text.contains(char::is_control) {
            return Err(error());
        }
        text.parse().map(Sender).map_err(|_| error())
    }
}

/// A mail ready to send, from one sender.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a mail is not sent until `Client::send`"]
pub struct Letter {
    sender: String,
    recipients: Vec<String>,
    message: Vec<u8>,
    /// The URL, for errors.
    pub(super) url: String,
}

impl MessageDraft {
    /// The draft as a mail from `sender`, written at `now`: with the headers From, Date and Message-ID, which RFC 5322 requires
    /// of every message, and otherwise those of a [message file](MessageDraft::message_file).
    ///
    /// # Errors
    /// [`ErrorKind::Refused`] if SMTP cannot express one of the addresses; [`ErrorKind::Limit`] as with the file.
    pub fn letter(&self, sender: &Sender, now: SystemTime) -> Result<Letter, Error> {
        let id = message_id(now, sender.0.email.domain());
        let message = self.message(|headers| {
            headers.set(header::From::from(Mailboxes::from(sender.0.clone())));
            headers.set(Date::new(now));
            headers.insert_raw(plain("Message-ID", &id));
        })?;
        let letter = Letter {
            sender: sender.address().to_owned(),
            recipients: self.recipients().map(|address| address.as_str().to_owned()).collect(),
            message,
            url: self.url().masked().to_string(),
        };
        match letter.request() {
            Ok(_) => Ok(letter),
            Err(fault) => Err(Error::from(fault).at(&letter.url)),
        }
    }
}

impl Letter {
    /// The sender's address in the envelope.
    pub fn sender(&self) -> &str {
        &self.sender
    }

    /// The recipients' addresses in the envelope: at least the URL's, which is the first, and each once.
    pub fn recipients(&self) -> &[String] {
        &self.recipients
    }

    /// The whole message, headers and body, with CR LF.
    pub fn octets(&self) -> &[u8] {
        &self.message
    }

    /// The header lines, without line ends.
    pub fn headers(&self) -> impl Iterator<Item = &[u8]> {
        let lines = self.message.split_inclusive(|octet| *octet == b'\n');
        lines.map(|line| line.strip_suffix(b"\r\n").unwrap_or(line)).take_while(|line| !line.is_empty())
    }

    pub(super) fn request(&self) -> Result<SmtpRequest, crate::protocol::Fault> {
        let (first, more) = self.recipients.split_first().map_or(("", &[][..]), |(first, more)| (first.as_str(), more));
        let request = SmtpRequest::new(&self.sender, first, self.message.clone())?;
        more.iter().try_fold(request, |request, recipient| request.with_recipient(recipient))
    }
}

/// The mail as it would be sent: `Display` escapes harmful octets.
impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| {
            self.message.split_inclusive(|octet| *octet == b'\n').try_for_each(|line| {
                let line = line.strip_suffix(b"\r\n").unwrap_or(line);
                writeln!(f, "{}", escape_for_display(line))
            })
        })
    }
}

/// A unique id: a time and a random number. It reveals nothing about this machine.
fn message_id(now: SystemTime, domain: &str) -> String {
    let time = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    // Each one has random keys.
    let lot = RandomState::new().hash_one(time);
    let right = if domain.is_ascii() { domain } else { "localhost" };
    format!("<{time:x}.{lot:x}@{right}>")
}

#[cfg(test)]
mod tests {
    use super::{Letter, Sender};
    use crate::{Client, ErrorKind, Options, Resource};
    use std::time::{Duration, SystemTime};
    use urlwise::{Profile, Url};

    fn letter(text: &str, from: &str) -> Result<Letter, crate::Error> {
        let url = Url::parse_with(text, Profile::Current).expect(text);
        let Resource::Draft(draft) = Client::new(Options::default()).open(&url)? else { panic!("not mailto: {text}") };
        draft.letter(&from.parse::<Sender>()?, SystemTime::UNIX_EPOCH + Duration::from_secs(786_240_000))
    }

    #[test]
    fn a_letter_has_the_headers_of_the_draft_and_those_of_its_sender() {
        let letter = letter("mailto:jim@h.example?subject=x&body=y", "J\u{f6}rg D. <joe@h.example>").expect("a letter");
        assert_eq!((letter.sender(), letter.recipients()), ("joe@h.example", &["jim@h.example".to_owned()][..]));
        let headers: Vec<_> = letter.headers().map(|line| String::from_utf8_lossy(line).into_owned()).collect();
        assert_eq!(headers[0], "From: =?utf-8?b?SsO2cmcgRC4=?= <joe@h.example>");
        assert_eq!(headers[1], "Date: Thu, 01 Dec 1994 00:00:00 +0000");
        assert!(headers[2].starts_with("Message-ID: <") && headers[2].ends_with("@h.example>"), "{headers:?}");
        assert_eq!(headers[3..], ["To: jim@h.example", "Subject: x"]);
        assert!(letter.octets().ends_with(b"\r\n\r\ny\r\n"));
    }

    #[test]
    fn no_two_letters_have_one_id() {
        let id = || letter("mailto:jim@h.example", "joe@h.example").expect("a letter").to_string();
        assert_ne!(id(), id());
    }

    #[test]
    fn a_draft_that_smtp_cannot_carry_is_refused() {
        for text in ["mailto:%22a%22.b@h.example", "mailto:joe@h.example%3Fsubject=x", "mailto:joe@%5Bx%5D"] {
            let error = letter(text, "joe@h.example").expect_err(text);
            assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
        }
    }

    #[test]
    fn security_38_a_sender_is_one_address() {
        for from in
            ["", "joe", "a@h.example, b@h.example", "joe@h.example\r\nBcc: x@y.example", "<joe@h.example", "J\n<a@b.c>"]
        {
            assert_eq!(from.parse::<Sender>().expect_err(from).kind(), ErrorKind::Setting);
        }
    }
}
