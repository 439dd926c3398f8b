//! What programs see: models of their parsers, one file each.
//!
//! Each model is held to the program itself by `tests/programs.rs`; the head of each file says to which version and when.

use memchr::memchr;
use std::borrow::Cow;

mod curl;
mod go;
mod urllib3;
mod urlsplit;

pub(crate) use {curl::read as curl, go::read as go, urllib3::read as urllib3, urlsplit::read as urlsplit};

/// The text before the first delimiter, and what follows the delimiter, if there is one.
fn cut(text: &str, delimiter: char) -> (&str, Option<&str>) {
    match text.split_once(delimiter) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// The same for octets.
fn cut_octets(octets: &[u8], delimiter: u8) -> (&[u8], Option<&[u8]>) {
    match memchr(delimiter, octets) {
        Some(at) => (&octets[..at], Some(&octets[at + 1..])),
        None => (octets, None),
    }
}

/// Whether any octet is such a one. Without an early end, so that many are looked at at once.
pub(crate) fn any(octets: &[u8], is_one: impl Fn(u8) -> bool) -> bool {
    octets.iter().fold(false, |any, octet| any | is_one(*octet))
}

/// A text in lower case, as far as it is of US-ASCII.
fn lowercase(text: &str) -> Cow<'_, str> {
    match any(text.as_bytes(), |octet| octet.is_ascii_uppercase()) {
        true => Cow::Owned(text.to_ascii_lowercase()),
        false => Cow::Borrowed(text),
    }
}

/// The length of an escape, in octets.
pub(crate) const ESCAPE: usize = 3;

/// The value of an escape at the start of the octets.
#[inline]
pub(crate) fn escape_at(octets: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = octets else { return None };
    let (high, low) = (VALUES[usize::from(*high)], VALUES[usize::from(*low)]);
    (high != NONE && low != NONE).then_some(high << 4 | low)
}

/// The values of hex digits.
static VALUES: [u8; 256] = {
    let (mut values, digits) = ([NONE; 256], b"0123456789abcdef");
    let mut value = 0;
    while value < digits.len() {
        values[digits[value] as usize] = value as u8;
        values[digits[value].to_ascii_uppercase() as usize] = value as u8;
        value += 1;
    }
    values
};

/// Of an octet that is no hex digit.
const NONE: u8 = u8::MAX;

/// Appends the escape of an octet, with uppercase digits.
fn push_escape(text: &mut String, octet: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    text.push('%');
    text.push(char::from(DIGITS[usize::from(octet >> 4)]));
    text.push(char::from(DIGITS[usize::from(octet & 15)]));
}
