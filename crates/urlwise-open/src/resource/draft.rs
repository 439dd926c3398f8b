//! mailto: the mail that a URL proposes (RFC 1738 section 3.5, RFC 6068, D-53 to D-57).
//!
//! Nothing is connected to or sent: the caller shows a [`MessageDraft`], saves it or hands it to a mailer. Of a URL it holds one
//! recipient and, under the profile `current`, a subject and a body, and nothing else: no URL can add recipients, headers or
//! files. More [`Recipients`] come only from a person (S-38).

use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use crate::protocol::{Note, setting_shown};
use core::fmt;
use core::str::FromStr;
use urlwise::build;
use urlwise::{Locator, Mailto, Profile, Url, escape_for_display, padded};
use urlwise::{Message, Words};

/// A mail that a URL proposes. `Display` shows it as people read mail, with harmful octets escaped.
///
/// ```
/// use urlwise::{Profile, Url};
/// use urlwise_open::{Client, Options, Resource};
///
/// let url = Url::parse_with("mailto:%22Joe%20D.%22@h.example?subject=caf%C3%A9&body=Hello%0D%0AJoe", Profile::Current)?;
/// let Resource::Draft(draft) = Client::new(Options::default()).open(&url)? else { panic!("it is a mailto URL") };
/// assert_eq!((draft.to()[0].as_str(), draft.subject()), (r#""Joe D."@h.example"#, Some("café")));
/// assert_eq!(draft.to_string(), "To: \"Joe D.\"@h.example\nSubject: café\n\nHello\nJoe\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageDraft {
    url: Url<String>,
    to: Vec<MailAddress>,
    cc: Vec<MailAddress>,
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
    words!("the body contains line ends other than CR LF; they were converted"),
);

impl MessageDraft {
    /// The draft of a mailto URL that has been admitted.
    pub(crate) fn of(url: &Url<&str>) -> Result<MessageDraft, Error> {
        let Locator::Mailto(mailto) = url.locator() else {
            return Err(Error::new(ErrorKind::NoAccess, words!("only a mailto URL makes a draft")));
        };
        let mut draft = MessageDraft {
            url: url.to_owned(),
            to: vec![MailAddress::of(mailto)?],
            cc: Vec::new(),
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
                    (&mut draft.subject, text(words!("subject"), &value, HEADERS, is_bad)?)
                }
                b"body" => {
                    let (body, is_strict) = lines(&value);
                    draft.notes.extend((!is_strict).then_some(LINE_ENDS));
                    let is_bad = |octet: u8| octet.is_ascii_control() && !matches!(octet, b'\t' | b'\n');
                    (&mut draft.body, text(words!("body"), &body, HEADERS, is_bad)?)
                }
                // The policy refuses such a URL already; this check guards the draft itself.
                _ => {
                    let name = escape_for_display(&name).to_string();
                    let what = message!("the header \"{name}\" is not safe for a URL to set", name = name);
                    return Err(
                        refused(what, "RFC 1738 section 3.5, E-26").with_help(words!("use only `subject` and `body`"))
                    );
                }
            };
            if field.replace(value).is_some() {
                let what = message!(
                    "the URL contains more than one {name}, and programs disagree on which one counts",
                    name = escape_for_display(&name).to_string()
                );
                return Err(refused(what, "RFC 6068 section 2").with_help(words!("keep one of them")));
            }
        }
        Ok(draft)
    }

    /// The URL that was given.
    pub fn url(&self) -> &Url<String> {
        &self.url
    }

    /// The same, to these recipients as well. Who is a recipient already is not added again.
    pub(crate) fn with_recipients(mut self, recipients: &Recipients) -> MessageDraft {
        for address in &recipients.to {
            if !self.recipients().any(|known| known.is_same(address)) {
                self.to.push(address.clone());
            }
        }
        for address in &recipients.cc {
            if !self.recipients().any(|known| known.is_same(address)) {
                self.cc.push(address.clone());
            }
        }
        self
    }

    /// Whom the mail is to: the address of the URL, and then those of [`Recipients::to`].
    pub fn to(&self) -> &[MailAddress] {
        &self.to
    }

    /// Who gets a copy: [`Recipients::cc`]. No URL adds one.
    pub fn cc(&self) -> &[MailAddress] {
        &self.cc
    }

    /// All recipients, each once.
    pub fn recipients(&self) -> impl Iterator<Item = &MailAddress> {
        self.to.iter().chain(&self.cc)
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
    /// Recipients beyond the URL's address are in the headers `to` and `cc` (RFC 6068 section 2), so this client refuses the URL.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidUrl`] if it makes no valid URL, which does not happen to a draft that came from one.
    pub fn mailto(&self) -> Result<Url<String>, Error> {
        let header = |name: &str, value: &str| format!("{name}={}", value.replace('\n', "\r\n"));
        let (first, more) = self.to.split_at(1);
        let added = [("to", more), ("cc", &self.cc)]
            .map(|(name, list)| (name, Some(joined(list)).filter(|_| !list.is_empty())));
        let text =
            [("subject", self.subject()), ("body", self.body())].map(|(name, text)| (name, text.map(str::to_owned)));
        let headers = added.into_iter().chain(text).filter_map(|(name, value)| value.map(|value| header(name, &value)));
        let build = || {
            let mut draft = build::Draft::new("mailto", Profile::Current);
            draft.add("address", joined(first).as_bytes())?;
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
            writeln!(f, "To: {}", escape_for_display(joined(&self.to).as_bytes()))?;
            if !self.cc.is_empty() {
                writeln!(f, "Cc: {}", escape_for_display(joined(&self.cc).as_bytes()))?;
            }
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

/// The address of a mailbox: an addr-spec of RFC 822 by the rule of mailto URLs (RFC 1738 section 3.5, D-53).
///
/// ```
/// use urlwise_open::MailAddress;
///
/// let address: MailAddress = "joe@h.example".parse()?;
/// assert_eq!(address.as_str(), "joe@h.example");
/// assert!("joe@h.example, jim@h.example".parse::<MailAddress>().is_err());
/// # Ok::<(), urlwise_open::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailAddress {
    text: String,
    /// The length of the local part.
    local: usize,
}

impl MailAddress {
    /// The address of a URL.
    fn of(mailto: Mailto<'_>) -> Result<MailAddress, Error> {
        let is_bad = |octet: u8| !matches!(octet, b' '..=b'~');
        let text = text(words!("address"), &mailto.address().decode(), "RFC 1738 section 3.5, D-57", is_bad)?;
        Ok(MailAddress { text, local: mailto.local().decode().len() })
    }

    /// The address, decoded, with its quotation marks. Printable US-ASCII and blanks.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What follows the `@`: a domain, or an address in brackets.
    pub(crate) fn domain(&self) -> &str {
        self.text[self.local..].trim_start_matches('@')
    }

    /// Whether both name one mailbox: only domains have no case (RFC 5321 section 2.4).
    fn is_same(&self, other: &MailAddress) -> bool {
        let (local, domain) = self.text.split_at(self.local);
        let (other_local, other_domain) = other.text.split_at(other.local);
        local == other_local && domain.eq_ignore_ascii_case(other_domain)
    }
}

impl FromStr for MailAddress {
    type Err = Error;

    /// Reads one address, written as in a mail header, not as in a URL: nothing is encoded.
    ///
    /// # Errors
    /// [`ErrorKind::Setting`] if it is not an addr-spec. The message shows the text, escaped, and names the octets that are wrong.
    fn from_str(text: &str) -> Result<MailAddress, Error> {
        let error = |cause: Message| {
            let text = setting_shown(text);
            let what = message!("\"{text}\" is not a mail address: {cause}", text = text, cause = cause);
            Error::new(ErrorKind::Setting, what)
                .with_reference("RFC 1738 section 3.5, D-53")
                .with_help(words!("write one address as `joe@host.example`, and repeat the option for more"))
        };
        if text.is_empty() {
            return Err(error(words!("it is empty").into()));
        }
        let build = || {
            let mut draft = build::Draft::new("mailto", Profile::Current);
            draft.add("address", text.as_bytes())?;
            draft.build()
        };
        let url = build().map_err(|cause: build::BuildError| match &cause {
            build::BuildError::Refused(refused) => {
                error(Message::of_each(|language| refused.problem().message_in(language)))
            }
            other => error(other.to_string().into()),
        })?;
        match url.locator() {
            Locator::Mailto(mailto) => MailAddress::of(mailto).map_err(|cause| error(cause.what().clone())),
            _ => Err(error(words!("it makes no mailto URL").into())),
        }
    }
}

/// The address.
impl fmt::Display for MailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| write!(f, "{}", escape_for_display(self.text.as_bytes())))
    }
}

/// Recipients that a person adds to those of a URL: see [`OpenOptions::recipients`](crate::OpenOptions::recipients). Never fill
/// them from a URL or a document (S-38).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipients {
    /// More recipients beside the address of the URL.
    pub to: Vec<MailAddress>,
    /// Those who get a copy, which the others see.
    pub cc: Vec<MailAddress>,
}

fn joined(addresses: &[MailAddress]) -> String {
    let addresses: Vec<_> = addresses.iter().map(MailAddress::as_str).collect();
    addresses.join(", ")
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

fn refused(what: Message, reference: &'static str) -> Error {
    Error::new(ErrorKind::Refused, what).with_reference(reference)
}

/// The octets of `part` as text; refuses those that are `is_bad`, because a decoded control character could begin another line
/// of the mail.
fn text(part: Words, octets: &[u8], reference: &'static str, is_bad: impl Fn(u8) -> bool) -> Result<String, Error> {
    if let Some(at) = octets.iter().position(|octet| is_bad(*octet)) {
        let what = message!(
            "the {part} holds {octet}, which may not stand in that part of a mail",
            part = part,
            octet = format!("0x{:02X}", octets[at])
        );
        return Err(refused(what, reference).with_help(words!("remove it from the URL")));
    }
    String::from_utf8(octets.to_vec()).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let what = message!(
            "the {part} is not UTF-8, at octet {at}: \"{text}\"",
            part = part,
            at = at,
            text = escape_for_display(octets).to_string()
        );
        refused(what, reference).with_help(words!("encode it as UTF-8"))
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
    use super::{MailAddress, MessageDraft, Recipients};
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
            assert_eq!(draft(url).to()[0].as_str(), to);
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
        assert_eq!(
            (draft.to()[0].as_str(), draft.subject(), draft.body()),
            ("a+b@c.example", Some("1+1=2"), Some("x&y"))
        );
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
        assert_eq!((draft.to()[0].as_str(), draft.subject()), ("a@b.example?subject=x", None));
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
            assert_eq!(
                (first.to()[0].as_str(), first.subject(), first.body()),
                (second.to()[0].as_str(), second.subject(), second.body())
            );
            assert_eq!(second.mailto().expect("a URL"), again);
            assert!(!again.as_str().contains([' ', '\t', '"', '\n']), "{again}");
        }
        assert_eq!(
            draft("MAILTO:joe@h.example?&body=x%0Ay&%53ubject=z").mailto().expect("a URL").as_str(),
            "mailto:joe@h.example?subject=z&body=x%0D%0Ay"
        );
    }

    fn address(text: &str) -> MailAddress {
        text.parse().expect(text)
    }

    #[test]
    fn recipients_that_a_person_adds_are_in_the_draft_once() {
        let added = Recipients {
            to: vec![address("x@y.example"), address("Joe@h.example"), address("joe@H.EXAMPLE")],
            cc: vec![
                address("X@y.example"),
                address("x@Y.example"),
                address(r#""a,b"@[h@1]"#),
                address(r#""a,b"@[H@1]"#),
            ],
        };
        let draft = draft("mailto:joe@h.example?subject=hi").with_recipients(&added);
        let all: Vec<_> = draft.recipients().map(MailAddress::as_str).collect();
        // Local parts have case, domains have none.
        assert_eq!(all, ["joe@h.example", "x@y.example", "Joe@h.example", "X@y.example", r#""a,b"@[h@1]"#]);
        assert_eq!((draft.to().len(), draft.cc().len()), (3, 2));
        let shown =
            "To: joe@h.example, x@y.example, Joe@h.example\nCc: X@y.example, \"a,b\"@[h@1]\nSubject: hi\n".to_owned();
        assert_eq!(draft.to_string(), shown);
        assert_eq!(
            draft.mailto().expect("a URL").as_str(),
            "mailto:joe@h.example?to=x@y.example,%20Joe@h.example&cc=X@y.example,%20%22a,b%22@%5Bh@1%5D&subject=hi"
        );
    }

    #[test]
    fn security_38_an_added_address_is_one_addr_spec() {
        for (text, why) in [
            ("", "it is empty"),
            ("joe", "the address has no `@`"),
            ("a@b.example,c@d.example", "lists of addresses are not allowed"),
            ("a@b.example c", "spaces are not allowed"),
            ("Joe <joe@h.example>", "spaces are not allowed"),
            ("<joe@h.example>", "not enclosed in `<` and `>`"),
            ("a@b.example\r\nBcc: x@y.example", "0D 0A"),
            ("\"a\r\n b\"@c.example", "CR (0D)"),
            ("\"a\0b\"@c.example", "00"),
            ("\"a\tb\"@c.example", "09"),
            ("j\u{f6}rg@h.example", "only US-ASCII"),
        ] {
            let error = text.parse::<MailAddress>().expect_err(text);
            assert_eq!(error.kind(), ErrorKind::Setting, "{error}");
            assert!(error.to_string().contains(why), "{text:?}: {error}");
            assert!(!error.to_string().contains(char::is_control), "{error}");
        }
        assert_eq!(address("unlikely?address%20@h.example").as_str(), "unlikely?address%20@h.example");
        let quoted = address(r#""a b"@[h@1]"#);
        assert_eq!((format!("{quoted:14}|"), quoted.domain()), (r#""a b"@[h@1]   |"#.to_owned(), "[h@1]"));
    }

    #[test]
    fn security_46_what_is_shown_harms_no_terminal() {
        let text = draft("mailto:a@b.example?subject=%C2%9B31m%E2%80%AE%09x&body=%C2%9B2J%5C%0D%0A%09y").to_string();
        assert_eq!(text, "To: a@b.example\nSubject: \\u{9b}31m\\u{202e}\tx\n\n\\u{9b}2J\\\n\ty\n");
    }
}
