//! The octets of a message: RFC 5322, with RFC 2047 and MIME where US-ASCII is not enough. lettre does the encoding.

use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::message;
use crate::protocol::Note;
use crate::resource::draft::{MailAddress, MessageDraft};
use crate::resource::{Body as Octets, Document, History};
use lettre::message::Body;
use lettre::message::header::{
    ContentTransferEncoding, ContentType, Header as _, HeaderName, HeaderValue, Headers, Subject,
};

/// The longest line, without its CR LF (RFC 5322 section 2.1.1).
const LONGEST_LINE: usize = 998;

impl MessageDraft {
    /// The draft as a file that mailers open: RFC 5322 with CR LF, without a sender and a date, marked as not sent. The headers
    /// are those of the draft, and those of MIME if the text needs them.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] if an address or a word of the subject does not fit a line.
    pub fn message_file(&self) -> Result<Vec<u8>, Error> {
        self.message(|headers| headers.insert_raw(plain("X-Unsent", "1")))
    }

    /// The [message file](MessageDraft::message_file) as a document, to save like others.
    ///
    /// # Errors
    /// As with the file.
    pub fn into_document(self) -> Result<Document, Error> {
        let octets = self.message_file()?;
        let from = History::of(self.url().clone());
        let size = Some(octets.len() as u64);
        Document::new(Box::new(Whole { octets, at: 0 }), size, None, Some("message/rfc822".to_owned()), from)
    }

    /// A message with additional headers, which come first.
    pub(super) fn message(&self, first: impl FnOnce(&mut Headers)) -> Result<Vec<u8>, Error> {
        let mut headers = Headers::new();
        first(&mut headers);
        headers.insert_raw(plain("To", &list(self.to())));
        if !self.cc().is_empty() {
            headers.insert_raw(plain("Cc", &list(self.cc())));
        }
        if let Some(subject) = self.subject() {
            headers.insert_raw(HeaderValue::new(Subject::name(), subject.to_owned()));
        }
        let mut text = self.body().unwrap_or_default().to_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let body = Body::new(text);
        if body.encoding() != ContentTransferEncoding::SevenBit {
            headers.insert_raw(plain("MIME-Version", "1.0"));
            headers.set(ContentType::TEXT_PLAIN);
            headers.set(body.encoding());
        }
        let mut message = headers.to_string();
        let mut name = "";
        for line in message.lines() {
            // Other lines continue a header.
            if !line.starts_with(' ') {
                name = line.split(':').next().unwrap_or_default();
            }
            if line.len() <= LONGEST_LINE {
                continue;
            }
            let what = message!(
                "the header {name} contains a line of {count} octets, which is too long for a message",
                name = name,
                count = line.len()
            );
            return Err(Error::new(ErrorKind::Limit, what).with_reference("RFC 5322 section 2.1.1").at_url(self.url()));
        }
        message.push_str("\r\n");
        let mut message = message.into_bytes();
        message.extend_from_slice(body.as_ref());
        if !message.ends_with(b"\r\n") {
            message.extend_from_slice(b"\r\n");
        }
        Ok(message)
    }
}

/// Octets in memory.
struct Whole {
    octets: Vec<u8>,
    at: usize,
}

impl Octets for Whole {
    fn fill(&mut self) -> Result<&[u8], Error> {
        Ok(&self.octets[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at = (self.at + count).min(self.octets.len());
    }

    fn take_notes(&mut self) -> Vec<Note> {
        Vec::new()
    }
}

/// Addresses on a line each: folding within one could break a quoted string.
fn list(addresses: &[MailAddress]) -> String {
    let addresses: Vec<_> = addresses.iter().map(MailAddress::as_str).collect();
    addresses.join(",\r\n ")
}

/// A header; drafts and senders guarantee that its value is printable US-ASCII.
pub(super) fn plain(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::dangerous_new_pre_encoded(HeaderName::new_from_ascii_str(name), value.to_owned(), value.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::resource::draft::MessageDraft;
    use urlwise::{Profile, Url};

    fn draft(text: &str) -> MessageDraft {
        let url = Url::parse_with(text, Profile::Current).expect(text);
        MessageDraft::of(&url.borrow()).expect(text)
    }

    fn file(text: &str) -> String {
        String::from_utf8(draft(text).message_file().expect(text)).expect("it is US-ASCII")
    }

    #[test]
    fn a_message_file_holds_what_the_url_holds() {
        assert_eq!(file("mailto:joe@h.example"), "X-Unsent: 1\r\nTo: joe@h.example\r\n\r\n");
        assert_eq!(
            file("mailto:%22not%40me%22@h.example?subject=Hi%20there&body=a%0D%0A.%0D%0A%0D%0Ab"),
            "X-Unsent: 1\r\nTo: \"not@me\"@h.example\r\nSubject: Hi there\r\n\r\na\r\n.\r\n\r\nb\r\n"
        );
    }

    #[test]
    fn what_us_ascii_cannot_hold_is_encoded_and_says_so() {
        let file = file("mailto:joe@h.example?subject=caf%C3%A9%20au%20lait&body=a%20na%C3%AFve%20text%0D%0A");
        assert!(file.contains("\r\nSubject: =?utf-8?b?Y2Fmw6k=?= au lait\r\n"), "{file}");
        assert!(file.contains("\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"), "{file}");
        assert!(file.contains("quoted-printable\r\n\r\na na=C3=AFve text\r\n"), "{file}");
    }

    #[test]
    fn no_line_is_longer_than_a_mail_allows() {
        let words = format!("mailto:joe@h.example?subject={}&body={}", "word%20".repeat(400), "x".repeat(5_000));
        assert!(file(&words).lines().all(|line| line.len() <= 78));
        for text in [
            format!("mailto:{}@h.example", "a".repeat(1_000)),
            format!("mailto:joe@h.example?subject={}", "a".repeat(1_000)),
        ] {
            let error = draft(&text).message_file().expect_err("a long line");
            assert_eq!(error.kind(), crate::ErrorKind::Limit);
        }
    }

    #[test]
    fn security_38_no_part_of_a_url_begins_another_header() {
        for text in [
            "mailto:joe@h.example?subject=Bcc:%20x@y.example&body=Bcc:%20x@y.example",
            "mailto:joe@h.example?subject=%E2%80%A8Bcc:%20x@y.example%C2%85Cc:%20z",
            "mailto:%22%3E,x@y.example%22@h.example",
        ] {
            let file = file(text);
            let (head, _) = file.split_once("\r\n\r\n").expect("a message");
            let names: Vec<_> = head.split("\r\n").filter_map(|line| line.split(": ").next()).collect();
            let ours = ["X-Unsent", "To", "Subject", "MIME-Version", "Content-Type", "Content-Transfer-Encoding"];
            assert!(names.iter().all(|name| ours.contains(name) || name.starts_with(' ')), "{names:?}");
        }
    }
}
