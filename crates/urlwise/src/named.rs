//! Octets, named for people.

use alloc::{borrow::Cow, vec::Vec};
use core::fmt;

use crate::character;
use crate::language::{Language, fill, words};

/// Names octets unambiguously: up to three different characters, each with its code point or octet.
pub(crate) fn name_octets(octets: &[u8], language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if octets.is_empty() {
        return words!("nothing").write(language, f);
    }
    characters(octets, MOST, |named, are_all| match named {
        [one, other] => {
            name_character(one, language, f)?;
            words!(" and ").write(language, f)?;
            name_character(other, language, f)
        }
        // Not every language joins the last of several as it joins two.
        [several @ .., last] if are_all && !several.is_empty() => {
            fill(&words!("{several} and {last}").get(language), f, &|part, f| match part {
                "several" => enumerate(several, language, f),
                _ => name_character(last, language, f),
            })
        }
        _ if are_all => enumerate(named, language, f),
        _ => {
            enumerate(named, language, f)?;
            words!(" and others").write(language, f)
        }
    })
}

/// Names characters one after another.
fn enumerate(characters: &[&[u8]], language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    characters.iter().enumerate().try_for_each(|(i, character)| {
        if i > 0 {
            words!(", ").write(language, f)?;
        }
        name_character(character, language, f)
    })
}

/// So many different characters are named.
pub(crate) const MOST: usize = 3;

/// Calls `with` with the first different characters of a text, at most so many, and with whether these are all.
pub(crate) fn characters<T>(octets: &[u8], most: usize, with: impl FnOnce(&[&[u8]], bool) -> T) -> T {
    let mut named: Vec<&[u8]> = Vec::new();
    let mut rest = octets;
    loop {
        // A text may be wrong from end to end, most often with the same characters.
        if let Some(known) = named.iter().find(|known| begins_with(rest, known)) {
            rest = &rest[known.len()..];
            continue;
        }
        let Some((character, behind)) = split_character(rest) else { break };
        rest = behind;
        // Octet by octet: most are one octet, and a text may be wrong from end to end.
        if named.iter().any(|known| known.iter().eq(character)) {
            continue;
        }
        if named.len() == most {
            return with(&named, false);
        }
        named.push(character);
    }
    with(&named, true)
}

/// Whether the first character of a text is certain to be this one: an octet may be the beginning of a longer one, and CR of CR LF.
fn begins_with(text: &[u8], character: &[u8]) -> bool {
    match character {
        [octet] if text.first() != Some(octet) => false,
        [b'\r'] => text.get(1) != Some(&b'\n'),
        [octet] => octet.is_ascii() || character::begins_nothing(text),
        _ => text.starts_with(character),
    }
}

/// The first character of a text, or its first octet if it does not start with UTF-8; CR LF is one.
fn split_character(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = match octets {
        [b'\r', b'\n', ..] => 2,
        _ => character::first_character(octets).map_or(1, char::len_utf8),
    };
    octets.split_at_checked(length)
}

/// Names one character, or one octet.
pub(crate) fn name_character(octets: &[u8], language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let named: Cow<'static, str> = match octets {
        b"\r\n" => "CR LF".into(),
        b" " => words!("a space").get(language),
        [0] => "NUL".into(),
        b"\t" => "HT".into(),
        b"\n" => "LF".into(),
        b"\r" => "CR".into(),
        [0x1B] => "ESC".into(),
        [0x7F] => "DEL".into(),
        b"`" => words!("a backtick").get(language),
        [0..0x20] => words!("a control character").get(language),
        [0x80..=0xFF] => words!("a non-ASCII octet").get(language),
        [printable] => alloc::format!("`{}`", char::from(*printable)).into(),
        _ => return name_beyond_ascii(octets, language, f),
    };
    explained(&named, language, f, |f| {
        octets.iter().enumerate().try_for_each(|(i, octet)| write!(f, "{}{octet:02X}", if i > 0 { " " } else { "" }))
    })
}

/// Writes a name with what stands for it in parentheses.
fn explained(
    name: &str,
    language: Language,
    f: &mut fmt::Formatter<'_>,
    octets: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    fill(&words!("{name} ({octets})").get(language), f, &|part, f| match part {
        "name" => f.write_str(name),
        _ => octets(f),
    })
}

/// Names a character of Unicode by its code point, and by its name or itself.
fn name_beyond_ascii(octets: &[u8], language: Language, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(c) = character::first_character(octets) else {
        return words!("a non-ASCII octet").write(language, f);
    };
    let number = |f: &mut fmt::Formatter<'_>| write!(f, "U+{:04X}", u32::from(c));
    match character::of(c) {
        Some(row) => explained(row.name, language, f, number),
        None if c.is_alphanumeric() => explained(&alloc::format!("`{c}`"), language, f, number),
        None => number(f),
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, begins_with, characters};
    use alloc::vec::Vec;

    /// The characters of a text, one after another, each octet that is not UTF-8 by itself.
    fn each(text: &[u8]) -> Vec<&[u8]> {
        let mut all: Vec<&[u8]> = Vec::new();
        let mut at = 0;
        for chunk in text.utf8_chunks() {
            let lengths = chunk.valid().chars().map(char::len_utf8).chain(chunk.invalid().iter().map(|_| 1));
            for length in lengths {
                let character = &text[at..at + length];
                at += length;
                match all.last_mut() {
                    Some(last) if (*last, character) == (b"\r", b"\n") => *last = &text[at - 2..at],
                    _ => all.push(character),
                }
            }
        }
        all
    }

    #[test]
    fn a_text_begins_with_a_character_where_no_longer_one_begins() {
        for (text, character, begins) in [
            (&b"ab"[..], &b"a"[..], true),
            (b"ba", b"a", false),
            (b"", b"a", false),
            (b"\ra", b"\r", true),
            (b"\r", b"\r", true),
            (b"\r\n", b"\r", false),
            (b"\r\n\r", b"\r\n", true),
            (b"\xC3\xA9a", b"\xC3\xA9", true),
            (b"\xC3\xA8a", b"\xC3\xA9", false),
            (b"\xC3a", b"\xC3", true),
            (b"\xC3\xA9", b"\xC3", false),
            (b"\xFF\xFF", b"\xFF", true),
        ] {
            assert_eq!(begins_with(text, character), begins, "{text:x?} {character:x?}");
        }
    }

    #[test]
    fn the_first_different_characters_are_named_whatever_they_begin_with() {
        const LENGTH: u32 = 6;
        let alphabet = *b"a\r\n\xC3\xA9\xE4\xFF\x80";
        let mut text = [0; LENGTH as usize];
        for number in 0..alphabet.len().pow(LENGTH) {
            for (place, octet) in (0..).zip(&mut text) {
                *octet = alphabet[number / alphabet.len().pow(place) % alphabet.len()];
            }
            let mut expected = Vec::new();
            each(&text).into_iter().for_each(|one| {
                if !expected.contains(&one) {
                    expected.push(one);
                }
            });
            for most in 1..=MOST {
                let (first, is_all) = (&expected[..expected.len().min(most)], expected.len() <= most);
                let is_so = characters(&text, most, |named, are_all| named == first && are_all == is_all);
                assert!(is_so, "{most} of {text:x?}");
            }
        }
    }
}
