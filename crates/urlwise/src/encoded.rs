//! Section 2.2: octets written as characters and escapes.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;
use core::iter::FusedIterator;

use crate::class::{self, Class};
use crate::word;

/// A part of a URL as written, its escapes known to be well formed. `decode` gives the octets it stands for.
///
/// Decoding never guesses a charset: a URL carries none (D-13).
///
/// ```
/// use urlwise::{Locator, Url};
///
/// let url = Url::parse("ftp://host.dom/caf%E9")?;
/// let Locator::Ftp(ftp) = url.locator() else { unreachable!() };
/// let name = ftp.name().unwrap();
/// assert_eq!(name.as_str(), "caf%E9");
/// assert_eq!(*name.decode(), *b"caf\xE9");
/// assert_eq!(name.decode_utf8(), None);
/// # Ok::<(), urlwise::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Encoded<'a>(&'a str);

impl<'a> Encoded<'a> {
    #[inline]
    pub(crate) fn new(text: &'a str) -> Self {
        Encoded(text)
    }

    /// The part as written, escapes and all.
    #[inline]
    pub fn as_str(self) -> &'a str {
        self.0
    }

    /// Whether the part is present but holds nothing. An absent part is `None` where parts are asked for.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The octets the part stands for, one by one, without allocation.
    pub fn octets(self) -> Octets<'a> {
        Octets::new(self.0.as_bytes())
    }

    /// The octets the part stands for; borrowed where there is no escape.
    pub fn decode(self) -> Cow<'a, [u8]> {
        decode(self.0.as_bytes())
    }

    /// The decoded octets as text, `None` where they are not UTF-8.
    pub fn decode_utf8(self) -> Option<Cow<'a, str>> {
        match self.decode() {
            Cow::Borrowed(octets) => core::str::from_utf8(octets).ok().map(Cow::Borrowed),
            Cow::Owned(octets) => String::from_utf8(octets).ok().map(Cow::Owned),
        }
    }
}

impl fmt::Display for Encoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

impl fmt::Debug for Encoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0, f)
    }
}

impl PartialEq<str> for Encoded<'_> {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Encoded<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

/// The octets an encoded part stands for. A `%` that begins no escape (only in a text that is not valid) stands for itself.
#[derive(Clone, Debug)]
pub struct Octets<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Octets<'a> {
    /// The octets that these stand for.
    pub fn new(text: &'a [u8]) -> Self {
        Octets { text, at: 0 }
    }

    /// Goes past the octets of the class that come next and are written raw; whether there was one.
    #[inline]
    pub(crate) fn pass(&mut self, class: Class) -> bool {
        let start = self.at;
        self.at = class::skip(self.text, start, class);
        self.at > start
    }

    /// Where in the written part the next octet begins.
    pub(crate) fn position(&self) -> usize {
        self.at
    }
}

impl Iterator for Octets<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let octet = *self.text.get(self.at)?;
        if octet == b'%' {
            if let Some(decoded) = escape_at(self.text, self.at) {
                self.at += 3;
                return Some(decoded);
            }
        }
        self.at += 1;
        Some(octet)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.text.len() - self.at;
        (left.div_ceil(3), Some(left))
    }
}

impl FusedIterator for Octets<'_> {}

/// The value of a hex digit of either case. Letters, and they alone, have bit 6 set; their low bits count from 1.
#[inline]
fn hex(digit: u8) -> Option<u8> {
    class::is(digit, class::HEX).then_some((digit & 15) + (digit >> 6) * 9)
}

/// The octet that the escape at `at` stands for, `None` where no whole escape begins there.
#[inline]
pub(crate) fn escape_at(text: &[u8], at: usize) -> Option<u8> {
    match text.get(at..)? {
        [b'%', high, low, ..] => Some(hex(*high)? << 4 | hex(*low)?),
        _ => None,
    }
}

/// Where the escapes end that stand from `at` on, each right behind the one before.
#[inline]
pub(crate) fn skip_escapes(text: &[u8], mut at: usize) -> usize {
    while escape_at(text, at).is_some() {
        at += 3;
    }
    at
}

/// The octets that written octets stand for, as in an [`Encoded`] part; for texts that need not be valid. A `%` that begins no
/// escape stands for itself.
///
/// ```
/// assert_eq!(*urlwise::decode(b"%2541%"), *b"%41%");
/// ```
pub fn decode(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(mut at) = word::position(text, b'%') else { return Cow::Borrowed(text) };
    let mut octets = Vec::with_capacity(text.len());
    octets.extend_from_slice(&text[..at]);
    while at < text.len() {
        if let Some(octet) = escape_at(text, at) {
            octets.push(octet);
            at += 3;
            continue;
        }
        // A `%` that begins no escape is plain, too.
        let behind = &text[at + 1..];
        let end = at + 1 + behind.iter().position(|&octet| octet == b'%').unwrap_or(behind.len());
        octets.extend_from_slice(&text[at..end]);
        at = end;
    }
    Cow::Owned(octets)
}

/// Encodes what documents and servers often write raw and no part of a URL may hold: blanks, non-ASCII octets and ``"<>^`{|}``.
/// What has no single reading, control characters and `\\`, is kept: the URL has errors then, or the caller refuses the text.
///
/// ```
/// assert_eq!(urlwise::encode_raw(b"/a b\xe9%20?q={x}"), "/a%20b%E9%20?q=%7Bx%7D");
/// ```
pub fn encode_raw(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len());
    for &octet in octets {
        match octet {
            b' ' | b'"' | b'<' | b'>' | b'^' | b'`' | b'{' | b'|' | b'}' | 0x80.. => push_escape(&mut text, octet),
            _ => text.push(char::from(octet)),
        }
    }
    text
}

/// Appends the octet as an escape.
#[inline]
pub(crate) fn push_escape(text: &mut String, octet: u8) {
    text.push_str(escape(octet));
}

/// Every octet as an escape.
pub(crate) fn escape_all(octets: &[u8]) -> Cow<'static, str> {
    match octets {
        [octet] => escape(*octet).into(),
        octets => {
            let mut text = String::with_capacity(octets.len() * 3);
            octets.iter().for_each(|octet| push_escape(&mut text, *octet));
            text.into()
        }
    }
}

/// An octet as an escape.
fn escape(octet: u8) -> &'static str {
    const ALL: [u8; 3 * 256] = {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        let (mut all, mut octet) = ([b'%'; 3 * 256], 0);
        while octet < 256 {
            all[3 * octet + 1] = DIGITS[octet >> 4];
            all[3 * octet + 2] = DIGITS[octet & 15];
            octet += 1;
        }
        all
    };
    static TEXT: &str = match core::str::from_utf8(&ALL) {
        Ok(text) => text,
        Err(_) => "",
    };
    let start = 3 * usize::from(octet);
    TEXT.get(start..start + 3).unwrap_or_default()
}

/// A list of encoded parts between separators: the segments of a path.
#[derive(Clone, Debug)]
pub struct Segments<'a> {
    rest: Option<&'a str>,
}

impl<'a> Segments<'a> {
    /// The segments of `text` between slashes. `None` holds none; an empty text holds one empty segment.
    pub(crate) fn new(text: Option<&'a str>) -> Self {
        Segments { rest: text }
    }

    /// The decoded octets of each segment.
    pub fn decode(self) -> Vec<Cow<'a, [u8]>> {
        self.map(Encoded::decode).collect()
    }
}

impl<'a> Iterator for Segments<'a> {
    type Item = Encoded<'a>;

    #[inline]
    fn next(&mut self) -> Option<Encoded<'a>> {
        let (segment, rest) = split(self.rest?, b'/');
        self.rest = rest;
        Some(Encoded(segment))
    }

    /// All at once is faster than one by one.
    #[inline]
    fn fold<B, F: FnMut(B, Encoded<'a>) -> B>(self, init: B, mut f: F) -> B {
        let Some(text) = self.rest else { return init };
        let mut start = 0;
        let folded = word::fold(text.as_bytes(), b'/', init, |folded, slash| {
            let segment = Encoded(&text[start..slash]);
            start = slash + 1;
            f(folded, segment)
        });
        f(folded, Encoded(&text[start..]))
    }
}

impl<'a> DoubleEndedIterator for Segments<'a> {
    fn next_back(&mut self) -> Option<Encoded<'a>> {
        let (rest, segment) = split_last(self.rest?, b'/');
        self.rest = rest;
        Some(Encoded(segment))
    }
}

impl FusedIterator for Segments<'_> {}

/// What stands before the last `separator`, an ASCII character, and what stands after it.
pub(crate) fn split_last(text: &str, separator: u8) -> (Option<&str>, &str) {
    match text.bytes().rposition(|octet| octet == separator) {
        Some(at) => (Some(&text[..at]), &text[at + 1..]),
        None => (None, text),
    }
}

/// What stands before the first `separator`, an ASCII character, and what stands after it.
#[inline]
pub(crate) fn split(text: &str, separator: u8) -> (&str, Option<&str>) {
    match word::position(text.as_bytes(), separator) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_octets_of_a_class_are_passed_and_escapes_are_not() {
        let mut octets = Octets::new(b"ab%41c");
        let mut pass = || (octets.pass(class::ALPHA), octets.position());
        assert_eq!([pass(), pass()], [(true, 2), (false, 2)]);
        assert_eq!(octets.next(), Some(b'A'));
        assert_eq!((octets.pass(class::DIGIT), octets.pass(class::ALPHA)), (false, true));
    }

    #[test]
    fn both_cases_of_hex_digits_decode() {
        assert_eq!(*decode(b"%7E%7e%aF"), [0x7E, 0x7E, 0xAF]);
    }

    #[test]
    fn an_escape_is_decoded_once() {
        assert_eq!(*decode(b"%2541"), *b"%41");
    }

    #[test]
    fn a_percent_sign_without_two_digits_stands_for_itself() {
        assert_eq!(*decode(b"100%.txt%4"), *b"100%.txt%4");
    }

    #[test]
    fn a_text_is_decoded_at_once_as_octet_by_octet() {
        const LENGTH: u32 = 6;
        let alphabet = *b"%4aG\xFF";
        for number in 0..alphabet.len().pow(LENGTH) {
            let text: Vec<u8> =
                (0..LENGTH).map(|at| alphabet[number / alphabet.len().pow(at) % alphabet.len()]).collect();
            assert_eq!(*decode(&text), *Octets::new(&text).collect::<Vec<_>>(), "{text:x?}");
        }
    }

    #[test]
    fn no_segments_and_one_empty_segment_differ() {
        assert_eq!(Segments::new(None).count(), 0);
        assert_eq!(Segments::new(Some("")).count(), 1);
        assert_eq!(Segments::new(Some("a//b")).count(), 3);
    }
}
