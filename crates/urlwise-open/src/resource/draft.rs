//! mailto: the mail that a URL proposes (RFC 1738 section 3.5, RFC 6068, D-53 to D-57).
//!
//! Nothing is connected to or sent: the caller shows a [`MessageDraft`], saves it or hands it to a mailer. It holds one
//! recipient and, under the profile `current`, a subject and a body. It has no room for anything else, so no URL can add
//! recipients, headers or files (S-38).

use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::protocol::Note;
use core::fmt;
use urlwise::build;
use urlwise::{Locator, Profile, Url, escape_for_display, padded};

/// A mail that a URL proposes. `Display` shows it as people read mail, with harmful octets escaped.
///
/// ```
/// use urlwise::{Profile, Url};
/// use urlwise_open::{Client, Options, Resource};
///
/// let url = Url::parse_with("mailto:%22Joe%20D.%22@h.example?subject=caf%C3%A9&body=Hello%0D%0AJoe", Profile::Current)?;
/// let Resource::Draft(draft) = Client::new(Options::default()).open(&url)? else { panic!("it is a mailto URL") };
/// assert_eq!((draft.to(), draft.subject()), (r#""Joe D."@h.example"#, Some("café")));
/// assert_eq!(draft.to_string(), "To: \"Joe D.\"@h.example\nSubject: café\n\nHello\nJoe\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageDraft {
    url: Url<String>,
    to: String,
    subject: Option<String>,
    body: Option<String>,
    notes: Vec<Note>,
}

/// What subjects and bodies may contain, and how they are encoded.
const HEADERS: &str = "RFC 6068 sections 4 and 5";

/// A URL that writes its line ends as LF or CR alone.
const LINE_ENDS: Note = Note::new(
    "mail-line-ends",
    "RFC 6068 section 5",
    "the body contains line ends other than CR LF; they were converted",
);

impl MessageDraft {
    /// The draft of a mailto URL that has been admitted.
    pub(crate) fn of(url: &Url<&str>) -> Result<MessageDraft, Error> {
        let Locator::Mailto(mailto) = url.locator() else {
            return Err(Error::new(ErrorKind::NoAccess, "only a mailto URL makes a draft"));
        };
        let mut draft = MessageDraft {
            url: url.to_owned(),
            to: text("address", &mailto.address().decode(), "RFC 1738 section 3.5, D-57", |octet| {
                !matches!(octet, b' '..=b'~')
            })?,
            subject: None,
            body: None,
            notes: Vec::new(),
        };
        for (name, value) in mailto.headers() {
            if name.is_empty() && value.is_none() {
                continue;
            }
            let name = name.decode().to_ascii_lowercase();
            let value = value.map(urlwise::Encoded::decode).unwrap_or_default();
            let (field, value) = match name.as_slice() {
                b"subject" => {
                    let is_bad = |octet: u8| octet.is_ascii_control() && octet != b'\t';
                    (&mut draft.subject, text("subject", &value, HEADERS, is_bad)?)
                }
                b"body" => {
                    let (body, is_strict) = lines(&value);
                    draft.notes.extend((!is_strict).then_some(LINE_ENDS));
                    let is_bad = |octet: u8| octet.is_ascii_control() && !matches!(octet, b'\t' | b'\n');
                    (&mut draft.body, text("body", &body, HEADERS, is_bad)?)
                }
                // The policy refuses such a URL already; this check guards the draft itself.
                _ => {
                    let what = format!("the header \"{}\" is not safe for a URL to set", escape_for_display(&name));
                    return Err(refused(what, "RFC 1738 section 3.5, E-26").with_help("use only `subject` and `body`"));
                }
            };
            if field.replace(value).is_some() {
                let what = format!(
                    "the URL contains more than one {}, and programs disagree on which one counts",
                    escape_for_display(&name)
                );
                return Err(refused(what, "RFC 6068 section 2").with_help("keep one of them"));
            }
        }
        Ok(draft)
    }

    /// The URL that was given.
    pub fn url(&self) -> &Url<String> {
        &self.url
    }

    /// The one recipient: an addr-spec of RFC 822, decoded, quoted as in the URL. Printable US-ASCII and blanks.
    pub fn to(&self) -> &str {
        &self.to
    }

    /// The subject: one line, maybe empty; `None` if the URL has none. The only control characters in it are tabs.
    pub fn subject(&self) -> Option<&str> {
        self.subject.as_deref()
    }

    /// The text: lines separated by LF, maybe empty; `None` if the URL has none. The only other control characters in it are tabs.
    pub fn body(&self) -> Option<&str> {
        self.body.as_deref()
    }

    /// Notes about the draft.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The draft as a mailto URL that contains nothing else, a single argument for a mailer (S-39). Lines of the body end in CR LF.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidUrl`] if it makes no valid URL, which does not happen to a draft that came from one.
    pub fn mailto(&self) -> Result<Url<String>, Error> {
        let header = |name: &str, value: &str| format!("{name}={}", value.replace('\n', "\r\n"));
        let headers = [("subject", self.subject()), ("body", self.body())];
        let headers = headers.into_iter().filter_map(|(name, value)| value.map(|value| header(name, value)));
        let build = || {
            let mut draft = build::Draft::new("mailto", Profile::Current);
            draft.add("address", self.to.as_bytes())?;
            for header in headers {
                draft.add("header", header.as_bytes())?;
            }
            draft.build()
        };
        build().map_err(|error: build::BuildError| Error::new(ErrorKind::InvalidUrl, error.to_string()))
    }
}

impl fmt::Display for MessageDraft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| {
            writeln!(f, "To: {}", escape_for_display(self.to.as_bytes()))?;
            if let Some(subject) = self.subject() {
                writeln!(f, "Subject: {}", Tabbed(subject))?;
            }
            if let Some(body) = self.body() {
                f.write_str("\n")?;
                body.strip_suffix('\n')
                    .unwrap_or(body)
                    .split('\n')
                    .try_for_each(|line| writeln!(f, "{}", Tabbed(line)))?;
            }
            Ok(())
        })
    }
}

/// A line in which tabs, which are harmless, are kept.
struct Tabbed<'a>(&'a str);

impl fmt::Display for Tabbed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, piece) in self.0.split('\t').enumerate() {
            f.write_str(if index > 0 { "\t" } else { "" })?;
            // A backslash of the draft is not doubled: what follows it shows whether it is an escape.
            piece.split('\\').enumerate().try_for_each(|(index, piece)| {
                f.write_str(if index > 0 { "\\" } else { "" })?;
                escape_for_display(piece.as_bytes()).fmt(f)
            })?;
        }
        Ok(())
    }
}

fn refused(what: String, reference: &'static str) -> Error {
    Error::new(ErrorKind::Refused, what).with_reference(reference)
}

/// The octets of `part` as text; refuses those that are `is_bad`, because a decoded control character could begin another line
/// of the mail.
fn text(part: &str, octets: &[u8], reference: &'static str, is_bad: impl Fn(u8) -> bool) -> Result<String, Error> {
    if let Some(at) = octets.iter().position(|octet| is_bad(*octet)) {
        let what = format!("the {part} holds 0x{:02X}, which may not stand in that part of a mail", octets[at]);
        return Err(refused(what, reference).with_help("remove it from the URL"));
    }
    String::from_utf8(octets.to_vec()).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let what = format!("the {part} is not UTF-8, at octet {at}: \"{}\"", escape_for_display(octets));
        refused(what, reference).with_help("encode it as UTF-8")
    })
}

/// The lines separated by LF, and whether all of them ended in CR LF.
fn lines(octets: &[u8]) -> (Vec<u8>, bool) {
    let mut lines = Vec::with_capacity(octets.len());
    let mut is_strict = true;
    let mut rest = octets.iter().copied().peekable();
    while let Some(octet) = rest.next() {
        match octet {
            b'\r' => {
                is_strict &= rest.next_if_eq(&b'\n').is_some();
                lines.push(b'\n');
            }
            b'\n' => {
                is_strict = false;
                lines.push(b'\n');
            }
            other => lines.push(other),
        }
    }
    (lines, is_strict)
}

#[cfg(test)]
mod tests {
    use super::MessageDraft;
    use crate::error::Error;
    use crate::error::kind::ErrorKind;
    use urlwise::{Profile, Url};

    fn read(profile: Profile, text: &str) -> Result<MessageDraft, Error> {
        let url = Url::parse_with(text, profile).expect(text);
        MessageDraft::of(&url.borrow())
    }

    fn draft(text: &str) -> MessageDraft {
        read(Profile::Current, text).expect(text)
    }

    fn refusal(text: &str) -> String {
        // Strictly by RFC 1738 a quoted string may hold any octet; the profile `current` has no such address.
        let profile = if text.contains('?') { Profile::Current } else { Profile::Rfc1738 };
        let error = read(profile, text).expect_err(text);
        assert_eq!(error.kind(), ErrorKind::Refused);
        error.to_string()
    }

    #[test]
    fn quoting_stays_as_in_the_url() {
        for (url, to) in [
            ("mailto:joe@h.example", "joe@h.example"),
            ("mailto:%22not%40me%22@h.example", r#""not@me"@h.example"#),
            ("mailto:%22oh%5C%5Cno%22@h.example", r#""oh\\no"@h.example"#),
            ("mailto:%22%5C%5C%5C%22it's%5C%20ugly%5C%5C%5C%22%22@h.example", r#""\\\"it's\ ugly\\\""@h.example"#),
            ("mailto:gorby%25kremvax@h.example", "gorby%kremvax@h.example"),
            ("mailto:unlikely%3Faddress@h.example", "unlikely?address@h.example"),
            ("mailto:a%40%5B127.0.0.1%5D", "a@[127.0.0.1]"),
        ] {
            assert_eq!(draft(url).to(), to);
        }
    }

    #[test]
    fn empty_is_not_absent() {
        let bare = draft("mailto:a@b.example");
        assert_eq!((bare.subject(), bare.body()), (None, None));
        let empty = draft("mailto:a@b.example?subject=&body=");
        assert_eq!((empty.subject(), empty.body()), (Some(""), Some("")));
        assert_eq!(draft("mailto:a@b.example?&&Subject").subject(), Some(""));
    }

    #[test]
    fn a_plus_is_a_plus_and_names_have_no_case() {
        let draft = draft("mailto:a+b@c.example?SUBJECT=1+1%3D2&%62ody=x%26y");
        assert_eq!((draft.to(), draft.subject(), draft.body()), ("a+b@c.example", Some("1+1=2"), Some("x&y")));
    }

    #[test]
    fn line_ends_other_than_cr_lf_in_a_body_are_noted() {
        let good = draft("mailto:a@b.example?body=x%0D%0Ay%0d%0a");
        assert_eq!((good.body(), good.notes().len()), (Some("x\ny\n"), 0));
        for text in ["x%0Ay", "x%0Dy"] {
            let odd = draft(&format!("mailto:a@b.example?body={text}"));
            assert_eq!((odd.body(), odd.notes().len()), (Some("x\ny"), 1));
        }
    }

    #[test]
    fn by_rfc_1738_a_question_mark_is_part_of_the_address() {
        let draft = read(Profile::Rfc1738, "mailto:a@b.example?subject=x").expect("valid RFC 1738");
        assert_eq!((draft.to(), draft.subject()), ("a@b.example?subject=x", None));
    }

    #[test]
    fn security_38_nothing_but_subject_and_body_can_enter() {
        for header in ["cc=x@y.example", "to=x@y.example", "bcc=x@y.example", "attach=/etc/passwd", "=", "Sub%0Aject=x"]
        {
            assert!(
                refusal(&format!("mailto:a@b.example?{header}")).contains("is not safe for a URL to set"),
                "{header}"
            );
        }
        for text in ["subject=a%0D%0ABcc:x@y.example", "subject=%0A", "subject=%00", "subject=%1B%5B2J", "subject=%7F"]
        {
            assert!(refusal(&format!("mailto:a@b.example?{text}")).contains("the subject holds"), "{text}");
        }
        for text in ["mailto:%22a%0D%0A%20b%22@c.example", "mailto:%22a%00%22@c.example", "mailto:%22a%1B%22@c.example"]
        {
            assert!(refusal(text).contains("the address holds"), "{text}");
        }
        assert!(refusal("mailto:a@b.example?body=a%00b").contains("0x00"));
        assert!(refusal("mailto:a@b.example?subject=a&Subject=b").contains("more than one subject"));
        assert!(refusal("mailto:a@b.example?subject=%E9").contains("not UTF-8"));
    }

    #[test]
    fn security_39_written_again_it_is_the_same_and_nothing_else() {
        for text in [
            "mailto:joe@h.example",
            "mailto:%22not%40me%20%3F%22@h.example?subject=a%26b%20%C3%A9%09&body=x%0D%0A-%3D%2B%0D%0A",
            "mailto:joe@h.example?subject=&body=",
        ] {
            let first = draft(text);
            let again = first.mailto().expect("a URL");
            let second = draft(again.as_str());
            assert_eq!((first.to(), first.subject(), first.body()), (second.to(), second.subject(), second.body()));
            assert_eq!(second.mailto().expect("a URL"), again);
            assert!(!again.as_str().contains([' ', '\t', '"', '\n']), "{again}");
        }
        assert_eq!(
            draft("MAILTO:joe@h.example?&body=x%0Ay&%53ubject=z").mailto().expect("a URL").as_str(),
            "mailto:joe@h.example?subject=z&body=x%0D%0Ay"
        );
    }

    #[test]
    fn security_46_what_is_shown_harms_no_terminal() {
        let text = draft("mailto:a@b.example?subject=%C2%9B31m%E2%80%AE%09x&body=%C2%9B2J%5C%0D%0A%09y").to_string();
        assert_eq!(text, "To: a@b.example\nSubject: \\u{9b}31m\\u{202e}\tx\n\n\\u{9b}2J\\\n\ty\n");
    }
}
