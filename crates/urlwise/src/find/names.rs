//! Names of schemes before a colon: the start of every match.

use crate::class;
use crate::scheme::{COUNT, LONGEST_NAME, Needs, Scheme};
use crate::word;

/// A name to search for.
#[derive(Clone, Copy)]
struct Name {
    text: &'static str,
    needs: Needs,
    /// Its last letters, as many as a word holds, the last one highest, so that the word of the octets before a colon needs one
    /// shift to be compared.
    key: u64,
    /// The number of bits of such a word that do not belong to the name.
    shift: u32,
}

const fn name(text: &'static str, needs: Needs) -> Name {
    let octets = text.as_bytes();
    let mut key = 0;
    let mut i = octets.len();
    while i > octets.len().saturating_sub(word::SIZE) {
        i -= 1;
        key = key << 8 | octets[i] as u64;
    }
    Name { text, needs, key, shift: 64u32.saturating_sub(8 * octets.len() as u32) }
}

/// The schemes of the profile `current`, and the prefix of the Appendix. Longer names come first: one may end with another.
static NAMES: [Name; COUNT] = {
    // The prefix takes the place of the scheme without a name.
    let mut names = [name("url", Needs::Prefix); COUNT];
    let mut i = 0;
    while i < Scheme::ALL.len() {
        let (text, needs) = Scheme::ALL[i].name_and_needs();
        let mut place = i;
        while place > 0 && names[place - 1].text.len() < text.len() {
            names[place] = names[place - 1];
            place -= 1;
        }
        names[place] = name(text, needs);
        i += 1;
    }
    names
};

/// A bit for each name.
type Names = u32;

const _: () = assert!(COUNT <= Names::BITS as usize);

/// For each octet the names that end with it, ignoring case: one bit each.
static BY_LAST: [Names; 256] = {
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
const WITHOUT_SLASH: Names = {
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

/// The last two letters of the names that no `/` need follow, which a [search](super::search) asks for: each pair once.
pub(super) const ENDINGS: &[[u8; 2]] = {
    const LIST: &([[u8; 2]; COUNT], usize) = &{
        let mut list = [[0; 2]; COUNT];
        let mut length = 0;
        let mut i = 0;
        while i < COUNT {
            let octets = NAMES[i].text.as_bytes();
            let pair = [octets[octets.len() - 2], octets[octets.len() - 1]];
            let mut known = 0;
            while known < length && !(list[known][0] == pair[0] && list[known][1] == pair[1]) {
                known += 1;
            }
            if !NAMES[i].needs.slash() && known == length {
                list[length] = pair;
                length += 1;
            }
            i += 1;
        }
        (list, length)
    };
    LIST.0.split_at(LIST.1).0
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
        if word >> name.shift == name.key && ends_with(&text[..colon], name.text) {
            let start = colon - name.text.len();
            return begins(text, start).then_some((start, name.needs));
        }
        names &= names - 1;
    }
    None
}

/// Whether a text whose last letters are those of a name ends with all of it.
#[inline]
fn ends_with(text: &[u8], name: &str) -> bool {
    // The key holds all of a shorter one.
    name.len() <= word::SIZE
        || text.len() >= name.len() && text[text.len() - name.len()..].eq_ignore_ascii_case(name.as_bytes())
}

/// Whether there is a known name and a colon here: the start of the next URL.
pub(super) fn stand(text: &[u8], at: usize) -> bool {
    let window = &text[at..text.len().min(at + LONGEST_NAME + 2)];
    // Marks may follow each other.
    if !window.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
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
            _ => is_of_versions(before) || word(before).iter().all(|octet| !octet.is_ascii_alphabetic()),
        },
        // A run of nothing else is a ruler in the text.
        _ => true,
    }
}

/// The word that a text ends with, in its last octets.
fn word(text: &[u8]) -> &[u8] {
    let text = &text[text.len().saturating_sub(BACK)..];
    let length = text.iter().rev().take_while(|octet| is_of_word(**octet)).count();
    &text[text.len() - length..]
}

/// Programs for versions that are named before the URL of what they fetch: `git+https://host.dom/a.git`.
const PROGRAMS: [&[u8]; 4] = [b"git+", b"hg+", b"svn+", b"bzr+"];

/// Whether a text ends with the name of such a program and its `+`.
#[inline]
pub(super) fn is_of_versions(before: &[u8]) -> bool {
    before.last() == Some(&b'+') && PROGRAMS.iter().any(|program| word(before).eq_ignore_ascii_case(program))
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn longer_names_come_first() {
        // The last is the prefix, with which no name ends.
        let schemes = &NAMES[..COUNT - 1];
        assert!(schemes.iter().map(|name| name.text.len()).is_sorted_by(|before, behind| before >= behind));
        assert!(schemes.iter().all(|name| !name.text.ends_with(NAMES[COUNT - 1].text)));
    }

    #[test]
    fn a_search_asks_for_the_endings_of_names_that_no_slash_need_follow_and_for_each_once() {
        let without_slash = NAMES.iter().filter(|name| !name.needs.slash());
        let wanted: BTreeSet<_> = without_slash.map(|name| *name.text.as_bytes().last_chunk().unwrap()).collect();
        assert_eq!(ENDINGS.len(), wanted.len());
        assert_eq!(ENDINGS.iter().copied().collect::<BTreeSet<_>>(), wanted);
    }
}
