//! Answers: whether INIT is accepted, hits, the text of a slice, diagnostics.

use super::field::{DIAGNOSTIC, WaisField, WaisFields};
use super::message::tag::{MAXIMUM_RECORD_SIZE, PREFERRED_MESSAGE_SIZE};
use super::message::{INIT_RESPONSE, SEARCH_RESPONSE, tag::USER_INFORMATION};
use crate::language::words;
use crate::protocol::{Fault, FaultKind};
use urlwise::Words;

const RULE: &str = "WAIS messages";

mod tag {
    pub(super) const DOCUMENT_ID: u32 = 116;
    pub(super) const SCORE: u32 = 118;
    pub(super) const BEST_MATCH: u32 = 119;
    pub(super) const LENGTH: u32 = 120;
    pub(super) const SOURCE: u32 = 121;
    pub(super) const DATE: u32 = 122;
    pub(super) const HEADLINE: u32 = 123;
    pub(super) const ORIGIN_CITY: u32 = 124;
    pub(super) const TEXT: u32 = 127;
    pub(super) const LINES: u32 = 131;
    pub(super) const TYPES: u32 = 132;
    pub(super) const TYPE: u32 = 133;
    pub(super) const DOCUMENT_HEADER: u32 = 150;
    pub(super) const LONG_HEADER: u32 = 152;
    pub(super) const DOCUMENT_TEXT: u32 = 153;
}

/// One document that a search found: octets as the server sent them.
///
/// What the server left out is `None`, an empty text, or an empty list of types.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WaisHit {
    /// The document-id; opaque.
    pub id: Vec<u8>,
    /// The server's measure of how well the document matches, without a defined upper bound.
    pub score: Option<u32>,
    /// The line that matches best.
    pub best_match: Option<u32>,
    /// Octets of the document, as the first of its types.
    pub length: Option<u32>,
    /// Lines of the document, as the first of its types.
    pub lines: Option<u32>,
    /// The types it is available as: `TEXT`, `GIF`.
    pub types: Vec<Vec<u8>>,
    /// Where it was indexed.
    pub source: Vec<u8>,
    /// The date, as the server writes it (`911225`); `0` means none. [`day`](WaisHit::day) reads it.
    pub date: Vec<u8>,
    /// The headline.
    pub headline: Vec<u8>,
    /// Where it was written.
    pub city: Vec<u8>,
}

impl WaisHit {
    /// A document of this id without other metadata.
    pub fn new(id: impl Into<Vec<u8>>) -> WaisHit {
        WaisHit { id: id.into(), ..WaisHit::default() }
    }

    /// Year, month and day of its [`date`](WaisHit::date); `None` if it is not a date.
    ///
    /// Servers write `YYMMDD` or `YYYYMMDD` as a number: its zeros in front are lost, and some count the years from 1900, so that
    /// `1120101` is of 2012. Two digits of a year are those of POSIX: 69 to 99 are of the 20th century, 00 to 68 of the 21st (D-92).
    ///
    /// ```
    /// use urlwise_open::protocol::wais::WaisHit;
    ///
    /// let mut hit = WaisHit::new("id");
    /// hit.date = b"40101".to_vec();
    /// assert_eq!(hit.day(), Some((2004, 1, 1)));
    /// ```
    pub fn day(&self) -> Option<(u32, u32, u32)> {
        if !self.date.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let number: u32 = std::str::from_utf8(&self.date).ok()?.parse().ok()?;
        let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
        let year = match (year, self.date.len()) {
            (0..=68, 3..=6) => 2000 + year,
            (69..=99, 3..=6) | (100..=199, 7) => 1900 + year,
            (_, 8) => year,
            _ => return None,
        };
        Some((year, month, day))
    }

    /// Whether it is the catalog that a server gives in place of hits.
    pub fn is_catalog(&self) -> bool {
        self.score.is_none_or(|score| score == 0) && self.id.windows(4).any(|octets| octets == b".cat")
    }
}

/// What a server says about a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Diagnostic<'a> {
    pub(super) code: [u8; 2],
    pub(super) words: &'a [u8],
}

/// The answer to a search.
#[derive(Debug, Default)]
pub(super) struct WaisAnswer<'a> {
    pub(super) hits: Vec<WaisHit>,
    /// Octets of the longest hit.
    pub(super) longest_hit: usize,
    /// The octets of a slice; `None` where no document text came.
    pub(super) text: Option<&'a [u8]>,
    /// The first diagnostic.
    pub(super) diagnostic: Option<Diagnostic<'a>>,
}

/// The message size that the server accepts; `None` if it does not say.
pub(super) fn read_init(message: &[u8]) -> Result<Option<u32>, Fault> {
    let (fields, _) = split(message, INIT_RESPONSE)?;
    let Some((&accepted, fields)) = fields.split_first() else {
        return Err(broken(words!("the answer to INIT has no result")));
    };
    if accepted == 0 {
        return Err(Fault::new(FaultKind::Server, RULE, words!("the server refuses the session (INIT)")));
    }
    let mut agreed: Option<u32> = None;
    let mut fields = WaisFields::of(fields);
    while let Some(field) = fields.next()? {
        if matches!(field.tag, PREFERRED_MESSAGE_SIZE | MAXIMUM_RECORD_SIZE) {
            let size = field.number()?;
            agreed = Some(agreed.map_or(size, |agreed| agreed.min(size)));
        }
    }
    Ok(agreed)
}

/// The result of a search. Status and counts are skipped, because real servers send wrong ones.
pub(super) fn read_search(message: &[u8]) -> Result<WaisAnswer<'_>, Fault> {
    let (_, information) = split(message, SEARCH_RESPONSE)?;
    let mut answer = WaisAnswer::default();
    let mut outer = WaisFields::of(information);
    while let Some(container) = outer.next()? {
        if container.tag != USER_INFORMATION {
            continue;
        }
        let mut fields = WaisFields::with_diagnostics(container.octets);
        while let Some(field) = fields.next()? {
            match field.tag {
                tag::DOCUMENT_HEADER..=tag::LONG_HEADER => {
                    answer.longest_hit = answer.longest_hit.max(field.octets.len());
                    answer.hits.push(hit(field.octets)?);
                }
                tag::DOCUMENT_TEXT => answer.text = text(field.octets)?,
                DIAGNOSTIC => answer.diagnostic = answer.diagnostic.or(Some(diagnostic(field)?)),
                _ => {}
            }
        }
    }
    Ok(answer)
}

/// The fields of a message, after its type, and the user information, which is outside their length.
fn split(message: &[u8], goal: u8) -> Result<(&[u8], &[u8]), Fault> {
    if message.is_empty() {
        let what = words!("the server sent an empty answer: it could not read or serve the request");
        return Err(Fault::new(FaultKind::Server, RULE, what)
            .with_help(words!("the result may be longer than the server can send")));
    }
    let (length, rest) = message.split_first_chunk::<2>().ok_or_else(|| broken(words!("the answer has no length")))?;
    let length = usize::from(u16::from_be_bytes(*length));
    if length > rest.len() {
        return Err(broken(words!("the answer ends inside a field")));
    }
    let (fields, information) = rest.split_at(length);
    match fields.split_first() {
        Some((&found, fields)) if found == goal => Ok((fields, information)),
        Some(_) => Err(broken(words!("the server sent an unexpected answer"))),
        None => Err(broken(words!("the answer has no type"))),
    }
}

fn hit(octets: &[u8]) -> Result<WaisHit, Fault> {
    let mut hit = WaisHit::default();
    let mut fields = WaisFields::of(octets);
    while let Some(field) = fields.next()? {
        let number = || field.number().map(Some);
        match field.tag {
            tag::DOCUMENT_ID => hit.id = field.octets.to_vec(),
            tag::SCORE => hit.score = number()?,
            tag::BEST_MATCH => hit.best_match = number()?,
            tag::LENGTH => hit.length = number()?,
            tag::LINES => hit.lines = number()?,
            tag::SOURCE => hit.source = field.octets.to_vec(),
            tag::DATE => hit.date = field.octets.to_vec(),
            tag::HEADLINE => hit.headline = field.octets.to_vec(),
            tag::ORIGIN_CITY => hit.city = field.octets.to_vec(),
            tag::TYPES => {
                let mut types = WaisFields::of(field.octets);
                while let Some(field) = types.next()? {
                    if field.tag == tag::TYPE {
                        hit.types.push(field.octets.to_vec());
                    }
                }
            }
            _ => {}
        }
    }
    Ok(hit)
}

fn text(octets: &[u8]) -> Result<Option<&[u8]>, Fault> {
    let mut fields = WaisFields::of(octets);
    let mut text = None;
    while let Some(field) = fields.next()? {
        if field.tag == tag::TEXT {
            text = Some(field.octets);
        }
    }
    Ok(text)
}

/// A code, a message, and a meaningless flag.
fn diagnostic(field: WaisField<'_>) -> Result<Diagnostic<'_>, Fault> {
    match field.octets {
        [first, second, words @ .., _surrogate] => Ok(Diagnostic { code: [*first, *second], words }),
        _ => Err(broken(words!("a diagnostic has no code"))),
    }
}

fn broken(what: Words) -> Fault {
    Fault::new(FaultKind::Malformed, RULE, what)
}
