//! Names of schemes before a colon: the start of every match.

use crate::class;
use crate::word;

use super::needs::Needs;

/// A name to search for.
struct Name {
    text: &'static str,
    needs: Needs,
    /// Its letters, last one in the highest octet, so that comparing with the word before a colon takes one shift.
    key: u64,
    /// The number of bits of such a word that do not belong to the name.
    shift: u32,
}

const fn name(text: &'static str, needs: Needs) -> Name {
    let octets = text.as_bytes();
    let mut key = 0;
    let mut i = octets.len();
    while i > 0 {
        i -= 1;
        key = key << 8 | octets[i] as u64;
    }
    Name { text, needs, key, shift: 64 - 8 * octets.len() as u32 }
}

/// The schemes of the profile `current`, and the prefix of the Appendix.
static NAMES: [Name; 17] = [
    name("http", Needs::Host),
    name("https", Needs::Host),
    name("ftp", Needs::Host),
    name("ftps", Needs::Host),
    name("gopher", Needs::Host),
    name("gophers", Needs::Host),
    name("nntp", Needs::Host),
    name("nntps", Needs::Host),
    name("telnet", Needs::Host),
    name("telnets", Needs::Host),
    name("wais", Needs::Host),
    name("prospero", Needs::Host),
    name("file", Needs::Path),
    name("mailto", Needs::Address),
    // A name that ends with another one comes before it.
    name("snews", Needs::Group),
    name("news", Needs::Group),
    name("url", Needs::Prefix),
];

/// For each octet the names that end with it, ignoring case: one bit each.
static BY_LAST: [u32; 256] = {
    let mut names = [0; 256];
    let mut i = 0;
    while i < NAMES.len() {
        let last = NAMES[i].text.as_bytes()[NAMES[i].text.len() - 1];
        names[last as usize] |= 1 << i;
        names[last.to_ascii_uppercase() as usize] |= 1 << i;
        i += 1;
    }
    names
};

/// The names that need not be followed by `/`.
const WITHOUT_SLASH: u32 = {
    let mut names = 0;
    let mut i = 0;
    while i < NAMES.len() {
        if !NAMES[i].needs.slash() {
            names |= 1 << i;
        }
        i += 1;
    }
    names
};

/// The start of the name before a colon, and what must follow it. `None` if it is not a name to search for, or is the
/// end of a longer one.
#[inline]
pub(super) fn before(text: &[u8], colon: usize) -> Option<(usize, Needs)> {
    let last = *text.get(colon.wrapping_sub(1))?;
    // Nearly every colon of a text is rejected here.
    let mut names = BY_LAST[usize::from(last)];
    if text.get(colon + 1) != Some(&b'/') {
        names &= WITHOUT_SLASH;
    }
    if names == 0 {
        return None;
    }
    let octets = match text[..colon].last_chunk() {
        Some(word) => *word,
        None => {
            let mut word = [0; word::SIZE];
            word[word::SIZE - colon..].copy_from_slice(&text[..colon]);
            word
        }
    };
    // Only the two octets of a letter become that letter when this bit is set.
    let word = u64::from_le_bytes(octets) | word::repeat(0x20);
    while names != 0 {
        let name = &NAMES[names.trailing_zeros() as usize];
        if word >> name.shift == name.key {
            let start = colon - name.text.len();
            return begins(text, start).then_some((start, name.needs));
        }
        names &= names - 1;
    }
    None
}

/// Whether there is a known name and a colon here: the start of the next URL.
pub(super) fn stand(text: &[u8], at: usize) -> bool {
    let window = &text[at..text.len().min(at + word::SIZE + 2)];
    let Some(length) = window.iter().position(|&octet| octet == b':') else {
        return false;
    };
    matches!(before(window, length), Some((0, _)))
}

/// The start of the whole name before a colon, without punctuation before its first letter or digit.
pub(super) fn start(text: &[u8], colon: usize) -> usize {
    let run = text[..colon].iter().rev().take_while(|octet| class::is(**octet, class::SCHEME)).count();
    let name = &text[colon - run..colon];
    colon - run + name.iter().take_while(|octet| !octet.is_ascii_alphanumeric()).count()
}

/// Whether a name can start here, because the text before it is not part of the same word.
#[inline]
fn begins(text: &[u8], start: usize) -> bool {
    match text[..start].last() {
        Some(&octet) if is_of_word(octet) => begins_behind(&text[..start]),
        _ => true,
    }
}

/// Whether an octet may belong to the same word as the name after it.
#[inline]
fn is_of_word(octet: u8) -> bool {
    octet == b'_' || class::is(octet, class::SCHEME)
}

/// How far back to look before a name.
const BACK: usize = 32;

/// The same where a letter, a digit or one of `+ - . _` stands before it: these may belong to the text, as in
/// `(+http://host/bot)`, or end an escape.
#[cold]
fn begins_behind(before: &[u8]) -> bool {
    let before = &before[before.len().saturating_sub(BACK)..];
    let soft = before.iter().rev().take_while(|octet| matches!(octet, b'+' | b'-' | b'.' | b'_')).count();
    match &before[..before.len() - soft] {
        [.., last] if last.is_ascii_alphanumeric() => match soft {
            0 => ends_escape(before),
            // `1.http://host` is a list item: the name of a scheme starts with a letter (D-04).
            _ => before.iter().rev().take_while(|octet| is_of_word(**octet)).all(|octet| !octet.is_ascii_alphabetic()),
        },
        // A run of nothing else is a ruler in the text.
        _ => true,
    }
}

/// Whether an escape of some notation ends here: `\n` and `\u003c` of source code, `%22`, `=3D` of quoted-printable mail, `ESC [ 1 m`
/// of a terminal.
fn ends_escape(text: &[u8]) -> bool {
    let is_hex = |octets: &[u8]| octets.iter().all(u8::is_ascii_hexdigit);
    match text {
        [.., b'\\', b'a' | b'b' | b'e' | b'f' | b'n' | b'r' | b't' | b'v' | b'0'] => true,
        [.., b'\\', b'u', a, b, c, d] => is_hex(&[*a, *b, *c, *d]),
        [.., b'%' | b'=', a, b] | [.., b'\\', b'x', a, b] if is_hex(&[*a, *b]) => true,
        [.., b'm'] => {
            let body = &text[..text.len() - 1];
            let codes = body.iter().rev().take_while(|octet| octet.is_ascii_digit() || **octet == b';').count();
            body[..body.len() - codes].ends_with(b"\x1B[")
        }
        _ => false,
    }
}
