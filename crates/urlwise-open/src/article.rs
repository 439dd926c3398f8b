//! News articles as people read them: headers and text decoded, nothing in them that a terminal would obey.
//!
//! RFC 5536 makes an article a message of RFC 5322 with MIME; the parser is that of the crate `mail-parser`.
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
use urlwise::{is_harmful, shown};

/// The headers that are shown, in this order, where the article has them.
const HEADERS: [&str; 9] =
    ["From", "Reply-To", "Newsgroups", "Followup-To", "Subject", "Date", "Organization", "Message-ID", "References"];

/// The longest header value in which words of RFC 2047 are looked for: the search takes time by the square of the length.
const MOST_WORDS: usize = 8 * 1024;

/// The most parts of an article, each with a `Content-Type`, that are looked for: the search takes time by their number, and
/// memory by their depth.
const MOST_PARTS: usize = 200;

/// The article as text: some of its headers, an empty line, its text, and a line for each attachment. Lines end in LF; control
/// octets, except those of line ends and tabs, are written as `\x1b`.
pub fn to_text(octets: &[u8]) -> String {
    let mut text = String::new();
    let (head, body) = split(octets);
    let headers = headers(head);
    for name in HEADERS {
        for (_, value) in headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name.as_bytes())) {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{name}: {}", shown(&words(value)));
        }
    }
    text.push('\n');
    match parse(octets) {
        Some(message) => parts(&message, &mut text),
        None => push(&mut text, &String::from_utf8_lossy(body)),
    }
    text
}

/// A header value with its words of RFC 2047 decoded to UTF-8; as it is where there are none.
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

/// The time of a `Date` header; `None` for what is none, and for times before 1970.
pub(crate) fn date(value: &[u8]) -> Option<SystemTime> {
    let text = std::str::from_utf8(value.get(..value.len().min(100))?).ok()?;
    let time = DateTime::parse_rfc822(text).filter(DateTime::is_valid)?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(time.to_timestamp().try_into().ok()?))
}

/// The headers, and what follows the first empty line.
fn split(octets: &[u8]) -> (&[u8], &[u8]) {
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

/// A line that names what is not shown.
fn attachment(part: &MessagePart<'_>, text: &mut String) {
    let name = part.attachment_name().unwrap_or("without a name");
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
        "[attachment {}{}, {length} octets: --raw gives the whole article]",
        shown(name.as_bytes()),
        shown(media_type.as_bytes())
    );
}

/// Text with line ends of LF, and nothing in it that a terminal would obey.
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
                    let _ = write!(text, "{}", shown(&piece.as_bytes()[at..]));
                }
                _ => text.push_str(piece),
            }
        }
        text.push_str(end);
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
}
