//! News articles as people read them: headers and text decoded, without control sequences for a terminal.
//!
//! RFC 5536 makes an article a message of RFC 5322 with MIME; the crate `mail-parser` parses it.
//!
//! ```
//! let article = b"Subject: =?iso-8859-1?q?Gr=FC=DFe?=\r\nContent-Type: text/plain; charset=utf-8\r\n\
//!     Content-Transfer-Encoding: quoted-printable\r\n\r\nna=C3=AFve \x1b[31m\r\n";
//! assert_eq!(urlwise_open::article::to_text(article), "Subject: Gr\u{fc}\u{df}e\n\nna\u{ef}ve \\x1b[31m\n");
//! ```

use mail_parser::parsers::MessageStream;
use mail_parser::{DateTime, Message, MessageParser, MessagePart, MimeHeaders, PartType};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::time::{Duration, SystemTime};
use urlwise::{escape_for_display, is_harmful};

/// The headers that are shown, in this order, if the article has them.
const HEADERS: [&str; 9] =
    ["From", "Reply-To", "Newsgroups", "Followup-To", "Subject", "Date", "Organization", "Message-ID", "References"];

/// The longest header value in which encoded words of RFC 2047 are decoded: decoding takes quadratic time.
const MOST_WORDS: usize = 8 * 1024;

/// The most parts of an article, each with a `Content-Type`, that are parsed: their number costs time, their depth memory.
const MOST_PARTS: usize = 200;

/// An article as people read it: headers and text are decoded, and control octets in them, except those of line ends and tabs, are
/// written as `\x1b`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Article {
    /// Names and values of the headers that people read, in the order in which they are shown. A name may occur more than once.
    pub headers: Vec<(&'static str, String)>,
    /// The text, and a line for each attachment. Lines end in LF.
    pub text: String,
}

impl Article {
    /// Reads the octets of an article. Whatever they are, they are an article, perhaps without headers.
    pub fn read(octets: &[u8]) -> Article {
        let (head, body) = split(octets);
        let found = headers(head);
        let mut headers = Vec::new();
        for name in HEADERS {
            let same = found.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name.as_bytes()));
            headers.extend(same.map(|(_, value)| (name, escape_for_display(&words(value)).to_string())));
        }
        let mut text = String::new();
        match parse(octets).filter(|_| body.len() < octets.len()) {
            Some(message) => parts(&message, &mut text),
            None => push(&mut text, &String::from_utf8_lossy(body)),
        }
        Article { headers, text }
    }
}

/// The article as text: its headers, an empty line, and its text.
pub fn to_text(octets: &[u8]) -> String {
    let Article { headers, text } = Article::read(octets);
    let lines = headers.iter().map(|(name, value)| format!("{name}: {value}\n"));
    lines.chain(["\n".to_owned(), text]).collect()
}

/// A header value with its encoded words of RFC 2047 decoded to UTF-8; unchanged if it has none.
pub(crate) fn words(value: &[u8]) -> Cow<'_, [u8]> {
    if value.len() > MOST_WORDS || !value.windows(2).any(|pair| pair == b"=?") {
        return Cow::Borrowed(value);
    }
    let line = [value, b"\n"].concat();
    match MessageStream::new(&line).parse_unstructured().into_text() {
        Some(text) => Cow::Owned(text.into_owned().into_bytes()),
        None => Cow::Borrowed(value),
    }
}

/// The time of a `Date` header; `None` if it is malformed or before 1970.
pub(crate) fn date(value: &[u8]) -> Option<SystemTime> {
    let text = std::str::from_utf8(value.get(..value.len().min(100))?).ok()?;
    let time = DateTime::parse_rfc822(text).filter(DateTime::is_valid)?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(time.to_timestamp().try_into().ok()?))
}

/// The headers, and what follows the first empty line; text alone if it does not begin with a header.
fn split(octets: &[u8]) -> (&[u8], &[u8]) {
    let first = octets.split(|octet| *octet == b'\n').next().unwrap_or_default();
    // RFC 822 allows blanks before the colon.
    let name = first.split(|octet| *octet == b':').next().unwrap_or_default().trim_ascii_end();
    let is_header = first.contains(&b':') && !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
    if !is_header && !first.trim_ascii().is_empty() {
        return (&[], octets);
    }
    let mut at = 0;
    for line in octets.split_inclusive(|octet| *octet == b'\n') {
        let start = at;
        at += line.len();
        if matches!(line, b"\n" | b"\r\n") {
            return (&octets[..start], &octets[at..]);
        }
    }
    (octets, &[])
}

/// Names and values, unfolded.
fn headers(head: &[u8]) -> Vec<(&[u8], Vec<u8>)> {
    let mut headers: Vec<(&[u8], Vec<u8>)> = Vec::new();
    for line in head.split(|octet| *octet == b'\n') {
        match line.first() {
            Some(b' ' | b'\t') => {
                if let Some((_, value)) = headers.last_mut() {
                    value.push(b' ');
                    value.extend_from_slice(line.trim_ascii());
                }
            }
            _ => {
                let colon = line.iter().position(|octet| *octet == b':');
                headers.extend(colon.map(|colon| (&line[..colon], line[colon + 1..].trim_ascii().to_vec())));
            }
        }
    }
    headers
}

fn parse(octets: &[u8]) -> Option<Message<'_>> {
    const MARK: &[u8] = b"content-type";
    let lines = octets.split(|octet| *octet == b'\n').map(<[u8]>::trim_ascii_start);
    let is_mark = |line: &&[u8]| line.get(..MARK.len()).is_some_and(|name| name.eq_ignore_ascii_case(MARK));
    if lines.filter(is_mark).take(MOST_PARTS + 1).count() > MOST_PARTS {
        return None;
    }
    MessageParser::new().with_mime_headers().parse(octets)
}

fn parts(message: &Message<'_>, text: &mut String) {
    for number in 0..message.text_body_count() {
        if let Some(body) = message.body_text(number) {
            push(text, &body);
        }
    }
    for part in message.attachments() {
        attachment(part, text);
    }
}

/// A line that names a part that is not shown.
fn attachment(part: &MessagePart<'_>, text: &mut String) {
    let name = part.attachment_name().unwrap_or("(unnamed)");
    let media_type = part.content_type().map_or_else(String::new, |media_type| match media_type.subtype() {
        Some(subtype) => format!(", {}/{subtype}", media_type.ctype()),
        None => format!(", {}", media_type.ctype()),
    });
    let length = match &part.body {
        PartType::Message(_) => part.offset_end.saturating_sub(part.offset_body) as usize,
        _ => part.contents().len(),
    };
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "[attachment {}{}, {length} octets; the raw article contains it]",
        escape_for_display(name.as_bytes()),
        escape_for_display(media_type.as_bytes())
    );
}

/// Text with LF line ends and without control sequences for a terminal.
fn push(text: &mut String, body: &str) {
    for line in body.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line.strip_suffix('\r').unwrap_or(line), "\n"),
            None => (line, ""),
        };
        for piece in line.split_inclusive(|c| c != '\t' && is_harmful(c)) {
            match piece.char_indices().next_back() {
                Some((at, odd)) if odd != '\t' && is_harmful(odd) => {
                    text.push_str(&piece[..at]);
                    // Writing to a String cannot fail.
                    let _ = write!(text, "{}", escape_for_display(&piece.as_bytes()[at..]));
                }
                _ => text.push_str(piece),
            }
        }
        text.push_str(end);
    }
    if !(text.is_empty() || text.ends_with('\n')) {
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_PARTS, MOST_WORDS, date, to_text, words};
    use std::time::{Duration, Instant, SystemTime};

    fn text(article: &str) -> String {
        to_text(article.as_bytes())
    }

    #[test]
    fn headers_come_in_one_order_unfolded_and_decoded() {
        let article = "X-Other: x\r\nDATE: today\r\nSubject: =?utf-8?q?Gr=C3=BC?=\r\n =?iso-8859-1?q?=DFe?= and\r\n\tmore\r\nFrom: a\\b <c@d>\r\n\r\nbody";
        assert_eq!(text(article), "From: a\\\\b <c@d>\nSubject: Grüße and more\nDate: today\n\nbody\n");
        for plain in ["no header at all", "It says: this\r\n\r\nSubject: x", ": x"] {
            assert_eq!(text(plain), format!("\n{}\n", plain.replace('\r', "")));
        }
        assert_eq!(text("\r\nSubject: x"), "\nSubject: x\n");
        assert!(
            text("Subject : x\r\n\r\nbody").ends_with("\nbody\n") && !text("Subject : x\r\n\r\nbody").contains(" : ")
        );
        assert_eq!(text(""), "\n");
    }

    #[test]
    fn charsets_and_encodings_are_decoded() {
        for (head, body, expected) in [
            ("charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable", "caf=E9=\r\n!", "café!\n"),
            ("charset=utf-8\r\nContent-Transfer-Encoding: base64", "R3LDvMOfZQo=", "Grüße\n"),
            ("charset=koi8-r\r\nContent-Transfer-Encoding: quoted-printable", "=F0=D2", "Пр\n"),
            ("charset=iso-2022-jp", "\u{1B}$B5-;v\u{1B}(B", "記事\n"),
            ("charset=euc-jp\r\nContent-Transfer-Encoding: quoted-printable", "=B5=AD=BB=F6", "記事\n"),
            ("charset=gb2312\r\nContent-Transfer-Encoding: quoted-printable", "=D6=D0=CE=C4", "中文\n"),
            ("charset=big5\r\nContent-Transfer-Encoding: quoted-printable", "=A4=A4=A4=E5", "中文\n"),
            ("charset=euc-kr\r\nContent-Transfer-Encoding: quoted-printable", "=C7=D1=B1=B9", "한국\n"),
        ] {
            let article =
                format!("Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; {head}\r\n\r\n{body}\r\n");
            let shown = text(&article);
            assert_eq!(shown.trim_end(), format!("Subject: x\n\n{expected}").trim_end());
        }
    }

    #[test]
    fn attachments_are_named_and_not_shown() {
        let article = "Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\
            Content-Type: text/plain\r\n\r\nThe text.\r\n--b\r\nContent-Type: image/png; name=\"a\u{202e}b.png\"\r\n\
            Content-Transfer-Encoding: base64\r\n\r\niVBORw==\r\n--b\r\nContent-Type: text/html\r\n\r\n<b>more</b>\r\n--b--\r\n";
        let shown = text(article);
        assert!(shown.starts_with("Subject: x\n\nThe text.\n"), "{shown}");
        assert!(
            shown.contains("[attachment a\\u{202e}b.png, image/png, 4 octets; the raw article contains it]\n"),
            "{shown}"
        );
        assert!(!shown.contains("<b>"), "{shown}");
    }

    #[test]
    fn security_46_nothing_in_an_article_reaches_a_terminal_raw() {
        let bad = "\u{1b}]0;x\u{7}\u{9b}31m\u{202e}\0\rx\u{8}";
        let article = format!("Subject: {bad}\r\nFrom: =?utf-8?q?=1B[2J=C2=9B=0A?=\r\n\r\n{bad}\ttab\r\n{bad}");
        let shown = text(&article);
        assert!(!shown.contains(|c| !matches!(c, '\n' | '\t') && urlwise::is_harmful(c)), "{shown:?}");
        assert!(shown.contains("\\x1b]0;x\\x07\\u{9b}31m\\u{202e}\\x00\\rx\\x08\ttab\n"), "{shown}");
        let latin: Vec<u8> = [&b"Subject: \xe9\x9b\r\n\r\n\xff\x1b"[..], &[0x80; 3]].concat();
        assert!(!to_text(&latin).contains(|c| !matches!(c, '\n' | '\t') && urlwise::is_harmful(c)));
    }

    #[test]
    fn security_48_articles_made_to_be_slow_are_not() {
        let start = Instant::now();
        // Each word ends only at the end of the line, so it would be looked for once for each beginning.
        let open = "=?aa?q?x".repeat(500_000);
        let shown = text(&format!("Subject: {open}\r\n\r\nbody\r\n"));
        assert!(shown.starts_with("Subject: =?aa") && shown.ends_with("\n\nbody\n"));
        assert!(open.len() > MOST_WORDS);
        // Parts whose boundaries never come.
        let many: String =
            (0..20_000).map(|n| format!("--b\r\nContent-Type: multipart/mixed; boundary=c{n}\r\n\r\n")).collect();
        let shown = text(&format!("Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n{many}"));
        assert!(shown.contains("boundary=c19999"), "as it came");
        let nested = "Content-Type: message/rfc822\r\n\r\n".repeat(100_000);
        assert!(text(&nested).len() > MOST_PARTS);
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }

    #[test]
    fn so_much_is_decoded_and_no_more() {
        let word = "=?utf-8?q?=C3=BC?=";
        let longest = format!("{word}{}", "x".repeat(MOST_WORDS - word.len()));
        assert!(words(longest.as_bytes()).starts_with("ü".as_bytes()));
        assert_eq!(words(format!("{longest}x").as_bytes()), format!("{longest}x").as_bytes());
        // The parts of an article are one `Content-Type` fewer than it has.
        let with = |parts: usize| {
            let part = "--b\r\nContent-Type: text/plain\r\n\r\nThe text.\r\n".repeat(parts);
            text(&format!("Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n{part}--b--\r\n"))
        };
        assert!(!with(MOST_PARTS - 1).contains("boundary") && !with(MOST_PARTS - 1).contains("--b"));
        assert!(with(MOST_PARTS).contains("--b\n"), "as it came");
    }

    #[test]
    fn the_length_of_an_attached_message_is_that_of_its_octets() {
        let attached = "Subject: inner\r\n\r\n1234567890\r\n";
        let shown = text(&format!(
            "Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\
             Content-Type: text/plain\r\n\r\nThe text.\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n{attached}\r\n--b--\r\n"
        ));
        let length = attached.len();
        assert!(shown.contains(&format!("[attachment (unnamed), message/rfc822, {length} octets;")), "{shown}");
    }

    #[test]
    fn what_harms_nothing_stays_at_the_end_of_a_line_too() {
        assert_eq!(text("Subject: x\r\n\r\na\\\r\nb\t\r\n\tc\\\u{1b}d\\"), "Subject: x\n\na\\\nb\t\n\tc\\\\x1bd\\\n");
    }

    #[test]
    fn words_without_an_end_stay_as_they_are() {
        for value in [&b"plain"[..], b"=?utf-8?q?open", b"=?", b"caf\xe9", b""] {
            assert_eq!(words(value), value);
        }
        assert_eq!(words(b"a =?utf-8?b?4oKs?= b").as_ref(), "a € b".as_bytes());
    }

    #[test]
    fn dates_of_every_age_are_read() {
        let at = |text: &str| {
            date(text.as_bytes()).map(|time| time.duration_since(SystemTime::UNIX_EPOCH).expect("later").as_secs())
        };
        assert_eq!(at("Sat, 21 Nov 2026 07:00:00 +0000"), Some(1_795_244_400));
        assert_eq!(at("21 Nov 2026 09:00:00 +0200"), at("Sat, 21 Nov 2026 07:00:00 GMT"));
        assert_eq!(at("Thu, 1 Dec 94 00:00:00 GMT"), Some(786_240_000));
        for none in ["", "never", "32 Foo 2026", "Sat, 21 Nov 1926 07:00:00 +0000"] {
            assert_eq!(at(none), None, "{none}");
        }
        assert_eq!(date(b"\xff"), None);
    }
}
