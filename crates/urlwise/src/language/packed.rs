//! Translations in two thirds of their octets: the characters of a language are numbered, and their numbers are shorter in UTF-8.
//!
//! A character takes three octets there, and nearly all texts of a language are written with fewer than a thousand. So a translation is
//! kept with the number of each character in place of the character: one octet for the 31 most frequent, as a control character, and
//! two for the others, as one of U+0080 to U+07FF, none of which a translation contains. What has no number stands for itself. It is
//! still UTF-8, and a text of ASCII is the same in it.

use alloc::string::String;

/// Numbers that take one octet: the control characters without the separator of columns.
const SHORT: usize = 0x1F;
/// The first number that takes two octets, and the first that would take three.
const LONG: usize = 0x80;
const END: usize = 0x800;

/// How many octets a numbered character takes in UTF-8.
const WIDTH: usize = 3;

/// The code point of three octets.
macro_rules! point {
    ($lead:expr, $second:expr, $third:expr) => {
        (($lead & 0xF) as usize) << 12 | (($second & 0x3F) as usize) << 6 | ($third & 0x3F) as usize
    };
}

/// The number of each character of the Basic Multilingual Plane; 0 for those without.
type Numbers = [u16; 0x10000];

// Not constants, which the compiler makes again for each generic function that uses them.
static JA: Numbers = numbers(super::ja::CHARACTERS);
static ZH: Numbers = numbers(super::zh::CHARACTERS);

/// A language whose columns are packed.
#[derive(Clone, Copy)]
pub(super) enum Packed {
    Ja,
    Zh,
}

impl Packed {
    const fn numbers(self) -> &'static Numbers {
        match self {
            Packed::Ja => &JA,
            Packed::Zh => &ZH,
        }
    }

    /// How many octets [`pack`](Packed::pack) writes.
    // Without calls, which are what takes an interpreter longest; so is the next one.
    pub(super) const fn length(self, text: &str) -> usize {
        let (text, numbers) = (text.as_bytes(), self.numbers());
        let (mut at, mut length) = (0, 0);
        while at < text.len() {
            let (width, packed) = match text[at] {
                0..0x80 => (1, 1),
                0x80..0xE0 => (2, 2), // `pack` says that there must be none
                lead @ 0xE0..0xF0 => match numbers[point!(lead, text[at + 1], text[at + 2])] as usize {
                    0 => (WIDTH, WIDTH),
                    1..=SHORT => (WIDTH, 1),
                    _ => (WIDTH, 2),
                },
                0xF0.. => (4, 4),
            };
            at += width;
            length += packed;
        }
        length
    }

    /// Writes the text to this place, and returns its end.
    pub(super) const fn pack(self, text: &str, to: &mut [u8], mut end: usize) -> usize {
        let (text, numbers) = (text.as_bytes(), self.numbers());
        let mut at = 0;
        while at < text.len() {
            let (number, width) = match text[at] {
                0..0x20 => panic!("a translation contains a control character"),
                0x20..0x80 => (0, 1),
                0x80..0xE0 => panic!("a translation contains one of U+0080 to U+07FF"),
                lead @ 0xE0..0xF0 => (numbers[point!(lead, text[at + 1], text[at + 2])] as usize, WIDTH),
                0xF0.. => (0, 4),
            };
            match number {
                0 => {
                    let mut i = 0;
                    while i < width {
                        to[end + i] = text[at + i];
                        i += 1;
                    }
                    end += width;
                }
                1..=SHORT => {
                    to[end] = number as u8;
                    end += 1;
                }
                _ => {
                    to[end] = 0xC0 | (number >> 6) as u8;
                    to[end + 1] = 0x80 | (number & 0x3F) as u8;
                    end += 2;
                }
            }
            at += width;
        }
        end
    }
}

/// The text that was packed, by the characters of its language.
#[inline(never)]
pub(super) fn unpacked(packed: &str, characters: &str) -> String {
    let mut text = String::with_capacity(packed.len() * 2);
    for c in packed.chars() {
        let place = match c as usize {
            number @ 1..=SHORT => number - 1,
            number @ LONG..END => number - LONG + SHORT,
            _ => {
                text.push(c);
                continue;
            }
        };
        text.push_str(characters.get(WIDTH * place..WIDTH * (place + 1)).unwrap_or_default());
    }
    text
}

/// Numbers the characters as [`unpacked`] reads them.
const fn numbers(characters: &str) -> Numbers {
    let characters = characters.as_bytes();
    let mut numbers = [0; 0x10000];
    let mut place = 0;
    while WIDTH * place < characters.len() {
        assert!(characters[WIDTH * place] >> 4 == 0xE, "not all characters are from U+0800 to U+FFFF");
        let number = if place < SHORT { place + 1 } else { place - SHORT + LONG };
        assert!(number < END, "there are too many characters");
        let point = point!(characters[WIDTH * place], characters[WIDTH * place + 1], characters[WIDTH * place + 2]);
        assert!(numbers[point] == 0, "a character is there twice");
        numbers[point] = number as u16;
        place += 1;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::{Packed, SHORT, WIDTH, unpacked};
    use crate::language::{ja, zh};
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::string::{String, ToString};
    use std::vec::Vec;

    fn packed(language: Packed, text: &str) -> String {
        let mut octets = std::vec![0; language.length(text)];
        assert_eq!(language.pack(text, &mut octets, 0), octets.len(), "{text}");
        String::from_utf8(octets).expect("it is UTF-8")
    }

    #[test]
    fn texts_are_what_they_were() {
        for (language, characters) in [(Packed::Ja, ja::CHARACTERS), (Packed::Zh, zh::CHARACTERS)] {
            for text in ["", "`a{b}`", characters, "\u{800}a\u{FFFF}🙂", "中"] {
                assert_eq!(unpacked(&packed(language, text), characters), text);
            }
        }
        assert_eq!(packed(Packed::Ja, "`{b}`"), "`{b}`");
    }

    #[test]
    fn numbers_are_one_octet_or_two() {
        for (language, characters) in [(Packed::Ja, ja::CHARACTERS), (Packed::Zh, zh::CHARACTERS)] {
            let lengths: Vec<usize> = characters.chars().map(|c| packed(language, &c.to_string()).len()).collect();
            assert!(lengths[..SHORT].iter().all(|length| *length == 1), "{lengths:?}");
            assert!(lengths[SHORT..].iter().all(|length| *length == 2), "{lengths:?}");
        }
    }

    /// How often each character stands in the tables of a language, of all crates.
    fn counts(language: &str) -> BTreeMap<char, usize> {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut counts = BTreeMap::new();
        for folder in fs::read_dir(crates).expect("it is our source") {
            let tables: PathBuf = folder.expect("it is our source").path().join("src/language").join(language);
            for table in fs::read_dir(tables).into_iter().flatten() {
                let path = table.expect("it is our source").path();
                let text = fs::read_to_string(&path).expect("it is our source");
                for c in text.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(str::chars) {
                    if c.len_utf8() == WIDTH && !path.ends_with("characters.rs") {
                        *counts.entry(c).or_default() += 1;
                    }
                }
            }
        }
        counts
    }

    #[test]
    fn frequent_characters_are_short() {
        for (language, characters) in [("ja", ja::CHARACTERS), ("zh", zh::CHARACTERS)] {
            let counts = counts(language);
            let count = |c: char| counts.get(&c).copied().unwrap_or_default();
            let all: usize = counts.values().sum();
            let numbered: usize = characters.chars().map(count).sum();
            let short: usize = characters.chars().take(SHORT).map(count).sum();
            let mut best: Vec<usize> = counts.values().copied().collect();
            best.sort_unstable_by(|a, b| b.cmp(a));
            let best: usize = best.iter().take(SHORT).sum();
            let unused: String = characters.chars().filter(|c| count(*c) == 0).collect();
            let missing: String =
                counts.iter().filter(|(c, n)| **n > 2 && !characters.contains(**c)).map(|(c, _)| *c).collect();
            assert!(numbered * 100 >= all * 98, "{language}: these have no number: {missing}");
            assert!(short * 100 >= best * 95, "{language}: others are more frequent than the first {SHORT}");
            assert!(unused.chars().count() < 50, "{language}: no text contains {unused}");
        }
    }
}
