//! Attribute lists of Gopher+ items: RFC 1738 sections 3.4.6 and 3.4.7, Gopher+ sections 2.5 to 2.7.
//!
//! A list consists of blocks, a block of a name and lines. Real servers are accepted: the colon after a name may be missing,
//! and so may the blank before a line; a list may have no block but `+INFO`; unknown blocks are kept.
//!
//! ```
//! use urlwise_open::protocol::gopher::{AttributeReader, GopherLimits};
//! use urlwise_open::protocol::{End, Input};
//!
//! let answer = b"+INFO: 0About\t/about\thost.dom\t70\t+\r\n+VIEWS:\r\n Text/plain De_DE: <.5k>\r\n+ABSTRACT:\r\n Who we are.\r\n";
//! let mut reader = AttributeReader::new(GopherLimits::default());
//! assert!(reader.next(&mut Input::new(answer)).is_none(), "more may come");
//! let list = reader.next(&mut Input::closed(End::Closed)).expect("it is over").expect("it is good");
//! assert_eq!(list.info().expect("it says whose it is").title(), "About");
//! assert_eq!((list.views()[0].media_type.as_slice(), list.views()[0].size), (&b"Text/plain"[..], Some(512)));
//! assert_eq!(list.description().as_deref(), Some(&b"Who we are."[..]));
//! ```

use super::form::FormField;
use super::menu::MenuItem;
use super::settings::GopherLimits;
use crate::language::{message, words};
use crate::protocol::{End, Fault, FaultKind, Input, time};
use std::fmt;
use std::time::SystemTime;
use urlwise::{Message, escape_for_display, padded};

/// One block of an attribute list, in the server's own octets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Block {
    /// Its name without the `+`: `ABSTRACT`. Case-sensitive.
    pub name: Vec<u8>,
    /// What follows the name on its line: the menu line of `+INFO`, or a reference to an item with the value. Mostly empty.
    pub head: Vec<u8>,
    /// Its lines, without the blank before them.
    pub lines: Vec<Vec<u8>>,
}

/// One view of an item: one of its representations.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct View {
    /// Its name, a media type as the server writes it; not case-sensitive.
    pub media_type: Vec<u8>,
    /// Its language, such as `En_US`; `None` where the server names none.
    pub language: Option<Vec<u8>>,
    /// Its approximate size in octets, to a tenth of a KiB at best; `None` if unknown, or if the server rounds it to zero.
    pub size: Option<u64>,
}

/// The attributes of one item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttributeList {
    blocks: Vec<Block>,
}

impl AttributeList {
    /// All blocks, in the server's order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The first block of this name, which is without its `+`; `None` if there is none.
    pub fn block(&self, name: &[u8]) -> Option<&Block> {
        self.blocks.iter().find(|block| block.name == name)
    }

    /// The item it is about; `None` without a `+INFO` that names one.
    pub fn info(&self) -> Option<MenuItem> {
        self.block(b"INFO").map(|block| MenuItem::parse(&block.head)).filter(|item| !item.display.is_empty())
    }

    /// A field of `+ADMIN`, such as `Admin` or `Mod-Date`, not case-sensitive. `None` without it.
    pub fn admin(&self, name: &str) -> Option<&[u8]> {
        self.block(b"ADMIN")?.lines.iter().find_map(|line| {
            let (found, value) = split(line, b':')?;
            found.eq_ignore_ascii_case(name.as_bytes()).then_some(value.trim_ascii())
        })
    }

    /// The last change by the server's clock, read as UTC because Gopher+ has no time zone. `None` if unknown.
    pub fn modified(&self) -> Option<SystemTime> {
        let date = self.admin("Mod-Date").or_else(|| self.admin("Date"))?;
        time::timestamp(bracketed(date)?)
    }

    /// The views, the preferred one first; empty if there are none.
    pub fn views(&self) -> Vec<View> {
        let lines = self.block(b"VIEWS").map(|block| block.lines.as_slice()).unwrap_or_default();
        lines.iter().filter_map(|line| View::parse(line)).collect()
    }

    /// The lines of `+ABSTRACT`, joined by LF; `None` without any.
    pub fn description(&self) -> Option<Vec<u8>> {
        let lines = &self.block(b"ABSTRACT")?.lines;
        (!lines.is_empty()).then(|| lines.join(&b'\n'))
    }

    /// The form of `+ASK`, in order; `None` without one.
    pub fn form(&self) -> Option<Vec<FormField>> {
        let lines = &self.block(b"ASK")?.lines;
        Some(lines.iter().map(|line| FormField::parse(line)).collect())
    }

    /// The list without blocks that were not asked for, which servers may send anyway. `names` are those of a Gopher+ string,
    /// with or without their `+`, perhaps joined (`+ABSTRACT+VIEWS`); if empty, all blocks stay. `+INFO` always stays.
    #[must_use]
    pub fn only(mut self, names: &[Vec<u8>]) -> AttributeList {
        let is_wanted = |name: &[u8]| names.iter().any(|names| names.split(|octet| *octet == b'+').any(|n| n == name));
        if !names.is_empty() {
            self.blocks.retain(|block| block.name == b"INFO" || is_wanted(&block.name));
        }
        self
    }
}

impl View {
    /// Parses a line of `+VIEWS`; `None` if it has no type.
    fn parse(line: &[u8]) -> Option<View> {
        let (name, size) = split(line, b':').unwrap_or((line, b""));
        let mut words = name.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).map(<[u8]>::to_vec);
        let (media_type, language) = (words.next()?, words.next());
        Some(View { media_type, language, size: bracketed(size).and_then(octets) })
    }

    /// Whether it has this type, and this language if one is given: `de` matches any German.
    ///
    /// ```
    /// use urlwise_open::protocol::gopher::View;
    ///
    /// let mut view = View::new("Text/plain");
    /// view.language = Some(b"De_DE".to_vec());
    /// assert!(view.is(b"text/plain", None) && view.is(b"text/plain", Some(b"de-de")) && view.is(b"text/plain", Some(b"de")));
    /// assert!(!view.is(b"text/html", None) && !view.is(b"text/plain", Some(b"d")));
    /// ```
    pub fn is(&self, media_type: &[u8], language: Option<&[u8]>) -> bool {
        let is_same = |one: &u8, other: &u8| match (one, other) {
            (b'-' | b'_', b'-' | b'_') => true,
            (one, other) => one.eq_ignore_ascii_case(other),
        };
        let speaks = |wanted: &[u8]| {
            let spoken = self.language.as_deref().unwrap_or_default();
            spoken.len() >= wanted.len()
                && spoken.iter().zip(wanted).all(|(one, other)| is_same(one, other))
                && matches!(spoken.get(wanted.len()), None | Some(b'-' | b'_'))
        };
        self.media_type.eq_ignore_ascii_case(media_type) && language.is_none_or(speaks)
    }

    /// The Gopher+ string that asks for it: RFC 1738 section 3.4.8.
    pub fn gopher_plus(&self) -> Vec<u8> {
        let language = self.language.iter().flat_map(|language| [b" ", language.as_slice()]);
        [b"+", self.media_type.as_slice()].into_iter().chain(language).collect::<Vec<_>>().concat()
    }
}

impl View {
    /// A view of this media type, of no language and unknown size.
    pub fn new(media_type: impl Into<Vec<u8>>) -> View {
        View { media_type: media_type.into(), language: None, size: None }
    }
}

/// Escaped: `Text/plain En_US`.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| {
            write!(f, "{}", escape_for_display(&self.media_type))?;
            self.language.iter().try_for_each(|language| write!(f, " {}", escape_for_display(language)))
        })
    }
}

/// Reads attribute lists from the data of an answer, one at a time: without the Gopher+ header, and without the dot at its end.
///
/// Lines, their number and the octets of one list are [limited](GopherLimits): `line`, `lines` and `held`.
#[derive(Debug)]
pub struct AttributeReader {
    limits: GopherLimits,
    /// The beginning of an incomplete line.
    line: Vec<u8>,
    lines: u64,
    list: AttributeList,
    /// The size of the list so far.
    size: usize,
    is_over: bool,
}

impl AttributeReader {
    /// A reader at the beginning of an answer.
    pub fn new(limits: GopherLimits) -> AttributeReader {
        AttributeReader { limits, line: Vec::new(), lines: 0, list: AttributeList::default(), size: 0, is_over: false }
    }

    /// The next list. `None` when all input is taken and the current list may continue, after the end of the input, and after a
    /// fault.
    ///
    /// Give [`End::Closed`] for an end that the server announced by a length, and [`End::Broken`] for any other: a last line
    /// without its line end may have been cut there.
    ///
    /// # Errors
    /// [`FaultKind::Limit`], [`FaultKind::Malformed`] for a line that belongs to no block, and [`FaultKind::Partial`] for a line
    /// that was cut.
    pub fn next(&mut self, input: &mut Input<'_>) -> Option<Result<AttributeList, Fault>> {
        while !self.is_over {
            let octets = input.octets();
            let length = octets.iter().position(|octet| *octet == b'\n');
            let part = input.take(length.map_or(octets.len(), |length| length + 1));
            if self.line.len() + part.len() > self.limits.line + 1 {
                let most = self.limits.line;
                return self.fail(limit(message!(
                    "a line of the attributes is longer than the limit of {count} octets allows",
                    count = most
                )));
            }
            self.line.extend_from_slice(part);
            let has_ended = length.is_none() && input.end().is_some();
            if length.is_none() && !has_ended {
                return None;
            }
            if has_ended && self.line.is_empty() {
                self.is_over = true;
                return self.take().map(Ok);
            }
            if has_ended && input.end() == Some(End::Broken) {
                let what = words!("the connection closed in the middle of a line of the attributes");
                let fault = Fault::new(FaultKind::Partial, "Gopher+ section 2.5", what);
                return self.fail(fault.octets(&self.line).with_help(words!("ask again")));
            }
            let line = std::mem::take(&mut self.line);
            match self.read(&line) {
                Ok(None) => {}
                Ok(Some(list)) => return Some(Ok(list)),
                Err(fault) => return self.fail(fault),
            }
        }
        None
    }

    /// Handles a complete line; returns the list that it ends.
    fn read(&mut self, line: &[u8]) -> Result<Option<AttributeList>, Fault> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        self.lines += 1;
        if self.lines > self.limits.lines {
            let most = self.limits.lines;
            return Err(limit(message!(
                "the attributes have more lines than the limit of {count} allows",
                count = most
            )));
        }
        let mut ended = None;
        match (line.strip_prefix(b"+"), self.list.blocks.last_mut()) {
            (Some(line), _) => {
                let block = Block::begin(line);
                if block.name == b"INFO" {
                    ended = self.take();
                }
                self.size += block.name.len() + block.head.len() + size_of::<Block>();
                self.list.blocks.push(block);
            }
            (None, Some(block)) => {
                let line = line.strip_prefix(b" ").unwrap_or(line);
                self.size += line.len() + size_of::<Vec<u8>>();
                block.lines.push(line.to_vec());
            }
            (None, None) if line.is_empty() => {}
            (None, None) => {
                let what = words!("the answer with attributes contains a line outside any block");
                return Err(Fault::new(FaultKind::Malformed, "Gopher+ section 2.5", what).octets(line));
            }
        }
        if self.size > self.limits.held {
            let most = self.limits.held;
            return Err(limit(message!(
                "the attributes of one item have more octets than the limit of {count} allows",
                count = most
            )));
        }
        Ok(ended)
    }

    /// The list so far, if it has begun.
    fn take(&mut self) -> Option<AttributeList> {
        self.size = 0;
        let mut list = std::mem::take(&mut self.list);
        // Servers may send the last line end twice, before a closing dot or the close.
        if let Some(block) = list.blocks.last_mut() {
            let length = block.lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
            block.lines.truncate(length);
        }
        (!list.blocks.is_empty()).then_some(list)
    }

    fn fail(&mut self, fault: Fault) -> Option<Result<AttributeList, Fault>> {
        self.is_over = true;
        Some(Err(fault))
    }
}

impl Block {
    /// The block that a line begins, without its `+`.
    fn begin(line: &[u8]) -> Block {
        let end = line.iter().position(|octet| matches!(octet, b':' | b' ' | b'\t')).unwrap_or(line.len());
        let head = line[end..].strip_prefix(b":").unwrap_or(&line[end..]);
        Block { name: line[..end].to_vec(), head: head.trim_ascii_start().to_vec(), lines: Vec::new() }
    }
}

fn split(line: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let at = line.iter().position(|octet| *octet == at)?;
    Some((&line[..at], &line[at + 1..]))
}

/// What is between the last `<` and a `>` at the end.
fn bracketed(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii().strip_suffix(b">")?;
    let start = text.iter().rposition(|octet| *octet == b'<')?;
    Some(&text[start + 1..])
}

/// A size in octets: `10k`, `.1k`, `45K`, `2M`, `300`. `None` if it is malformed or empty.
fn octets(text: &[u8]) -> Option<u64> {
    let (digits, unit) = match text.trim_ascii() {
        [digits @ .., b'k' | b'K'] => (digits, 1024),
        [digits @ .., b'm' | b'M'] => (digits, 1024 * 1024),
        digits => (digits, 1),
    };
    let (whole, fraction) = split(digits, b'.').unwrap_or((digits, b""));
    let mut size = 0_u64;
    for digit in whole {
        size = size.checked_mul(10)?.checked_add(value(*digit)?)?;
    }
    size = size.checked_mul(unit)?;
    if let Some(tenths) = fraction.first() {
        size = size.checked_add(value(*tenths)? * unit / 10)?;
    }
    (size > 0 && fraction.iter().all(u8::is_ascii_digit)).then_some(size)
}

fn value(digit: u8) -> Option<u64> {
    digit.is_ascii_digit().then(|| u64::from(digit - b'0'))
}

fn limit(what: Message) -> Fault {
    Fault::new(FaultKind::Limit, "S-49", what).with_help(words!("raise the limit if you trust the server"))
}
