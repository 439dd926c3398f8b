//! Of a long text, the beginning and the end.

use std::ops::Range;

use urlwise::{Language, first_character, is_harmful, is_shown_as_written, write_for_display};

use super::{MASK, Secrets};
use crate::wrap;

impl Secrets {
    /// A span of the text, masked and escaped; if that is longer than `most` octets, its beginning and end, and how many octets of the
    /// text are left out, of which a password counts as many as its mask. No escape is cut. Only what is shown is escaped.
    pub fn elided(&self, octets: &[u8], span: Range<usize>, most: usize) -> String {
        self.elided_in(octets, span, most, Language::En)
    }

    /// [`elided`](Secrets::elided), in a language.
    pub fn elided_in(&self, octets: &[u8], span: Range<usize>, most: usize, language: Language) -> String {
        let span = span.start.min(octets.len())..span.end.min(octets.len());
        let mut text = String::with_capacity(most.min(span.len()));
        let start = self.show_beginning(octets, span.clone(), most * 2 / 3, &mut text);
        if start == span.end {
            return text;
        }
        let end = self.start_of_end(octets, start..span.end, most / 3);
        let count = self.length(start..end);
        let left_out = format!(" {} ", wrap::left_out(count, language));
        // Nothing is gained by hiding less than what stands for it.
        if count <= left_out.len() && self.shown(octets, start..end).len() <= left_out.len() {
            self.show(octets, start..end, &mut text);
        } else {
            text.push_str(&left_out);
        }
        self.show(octets, end..span.end, &mut text);
        text
    }

    /// Appends characters and masks from the start of a span until the text has at least `length` octets. Returns where it stopped.
    fn show_beginning(&self, octets: &[u8], span: Range<usize>, length: usize, text: &mut String) -> usize {
        let mut at = span.start;
        while at < span.end && text.len() < length {
            let secret = self.hidden.behind(at).next().filter(|secret| secret.start < span.end);
            if let Some(secret) = secret.as_ref().filter(|secret| secret.start <= at) {
                text.push_str(MASK);
                at = secret.end.min(span.end);
                continue;
            }
            let rest = &octets[at..secret.map_or(span.end, |secret| secret.start)];
            at += show_open(rest, length, text);
        }
        at
    }

    /// The start of the longest end of a span that takes at most `most` octets as it is shown.
    fn start_of_end(&self, octets: &[u8], span: Range<usize>, mut most: usize) -> usize {
        let mut at = span.end;
        let mut escape = String::new();
        while at > span.start {
            let (start, length) = match self.at(at - 1) {
                Some(secret) => (secret.start.max(span.start), MASK.len()),
                None if is_plain(octets[at - 1]) => (at - 1, 1),
                None => {
                    let character = last(&octets[span.start..at]);
                    let start = at - character.map_or(1, char::len_utf8);
                    escape.clear();
                    push(&octets[start..at], character, &mut escape);
                    (start, escape.len())
                }
            };
            match most.checked_sub(length) {
                Some(left) => most = left,
                None => break,
            }
            at = start;
        }
        at
    }

    /// The length of a span in octets, each password counted as its mask.
    fn length(&self, span: Range<usize>) -> usize {
        let secrets = self.hidden.behind(span.start).take_while(|secret| secret.start < span.end);
        let hidden = |secret: Range<usize>| secret.end.min(span.end) - secret.start.max(span.start);
        secrets.fold(span.len(), |length, secret| length + MASK.len() - hidden(secret))
    }
}

/// Appends characters without a mask until the text has at least `length` octets. Returns where it stopped.
fn show_open(octets: &[u8], length: usize, text: &mut String) -> usize {
    let mut at = 0;
    while at < octets.len() && text.len() < length {
        let rest = &octets[at..];
        let most = rest.len().min(length - text.len());
        let plain = rest[..most].iter().take_while(|octet| is_plain(**octet)).count();
        if plain > 0 {
            text.push_str(str::from_utf8(&rest[..plain]).unwrap_or_default());
            at += plain;
            continue;
        }
        let Some(character) = first_character(rest) else {
            // Each of those that are not UTF-8 takes as much as the first.
            let most = (length - text.len()).div_ceil(ESCAPE);
            let run = (0..rest.len()).take(most).take_while(|at| first_character(&rest[*at..]).is_none()).count();
            // Writing to memory cannot fail.
            _ = write_for_display(&rest[..run], text);
            at += run;
            continue;
        };
        push(&rest[..character.len_utf8()], Some(character), text);
        at += character.len_utf8();
    }
    at
}

/// Appends one character, or one octet that is not UTF-8, as it is displayed.
fn push(octets: &[u8], character: Option<char>, text: &mut String) {
    match character {
        // The usual case, without the general way to write it.
        Some(harmless) if !harmless.is_ascii() && !is_harmful(harmless) => text.push(harmless),
        // Writing to memory cannot fail.
        _ => _ = write_for_display(octets, text),
    }
}

/// How long `\xHH` is.
const ESCAPE: usize = 4;

/// No character is longer, in octets.
const LONGEST: usize = 4;

/// The character that the text ends with; `None` if its last octet is not UTF-8.
fn last(octets: &[u8]) -> Option<char> {
    let is_inside = |octet: &&u8| **octet & 0xC0 == 0x80;
    let inside = octets.iter().rev().take(LONGEST - 1).take_while(is_inside).count();
    let end = &octets[octets.len().checked_sub(inside + 1)?..];
    first_character(end).filter(|character| character.len_utf8() == end.len())
}

/// Whether an octet is displayed as it is, whatever stands beside it.
fn is_plain(octet: u8) -> bool {
    is_shown_as_written(&[octet])
}

#[cfg(test)]
mod tests {
    use super::super::{elided, masked};
    use super::*;

    /// The beginning, the number of octets left out, and the end; the whole and `None` if nothing is left out.
    fn parts(elided: &str) -> (&str, Option<usize>, &str) {
        let Some((beginning, rest)) = elided.split_once(" [... ") else { return (elided, None, "") };
        let (count, end) = rest.split_once(" octets ...] ").unwrap();
        (beginning, Some(count.parse().unwrap()), end)
    }

    #[test]
    fn a_text_that_needs_no_escapes_is_elided_as_a_string_is() {
        for unit in ["a", "\u{e9}", "/x://jim:s3cret@h.dom"] {
            for length in [1, 60, 600, 16 << 10, 100_000] {
                let text = format!("ftp://jim:s3cret@h.dom/{}", unit.repeat(length / unit.len() + 1));
                for show in [false, true] {
                    let expected = wrap::elide(&masked(text.as_bytes(), show), 60);
                    assert_eq!(elided(text.as_bytes(), show, 60), expected, "{length} octets of {unit:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_left_out_is_counted_in_octets_of_the_text_and_no_escape_is_cut() {
        for (unit, escape) in [("\u{ad}", r"\u{ad}"), ("\x1b", r"\x1b"), ("\\", r"\\"), ("\u{e0001}", r"\u{e0001}")] {
            let text = unit.repeat(1000);
            let elided = elided(text.as_bytes(), false, 240);
            let (beginning, count, end) = parts(&elided);
            assert_eq!(beginning, escape.repeat(160_usize.div_ceil(escape.len())));
            assert_eq!(end, escape.repeat(80 / escape.len()));
            let shown = (beginning.len() + end.len()) / escape.len() * unit.len();
            assert_eq!(count, Some(text.len() - shown), "{unit:?}");
        }
    }

    #[test]
    fn the_last_character_is_the_one_that_a_reader_of_utf8_finds() {
        let octets = [0, b'a', 0x80, 0xBF, 0xC2, 0xC3, 0xE0, 0xE4, 0xED, 0xF0, 0xF4, 0xF5];
        for number in 0..octets.len().pow(5) {
            let text: Vec<u8> = (0..5).map(|place| octets[number / octets.len().pow(place) % octets.len()]).collect();
            let chunk = text.utf8_chunks().last().filter(|chunk| chunk.invalid().is_empty());
            assert_eq!(last(&text), chunk.and_then(|chunk| chunk.valid().chars().next_back()), "{text:x?}");
        }
        assert_eq!((last(b""), last("\u{10FFFF}".as_bytes())), (None, Some('\u{10FFFF}')));
    }

    #[test]
    fn each_character_is_shown_once_until_the_text_is_long_enough() {
        for (octets, length, expected, end) in [
            (&b""[..], 9, "", 0),
            (b"ab", 0, "", 0),
            (b"abc", 2, "ab", 2),
            (b"ab\x01c", 9, "ab\\x01c", 4),
            (b"ab\x01c", 3, "ab\\x01", 3),
            (b"a\\b", 9, "a\\\\b", 3),
            (b"a\xC3\xA9b\xC2\xADc", 9, "a\u{e9}b\\u{ad}", 6),
            (b"\xE4\xB8\xADa\xFFb", 8, "\u{4e2d}a\\xff", 5),
            (b"a\xE4\xB8", 9, "a\\xe4\\xb8", 3),
            (b"\xF0\x9F\x98\x80", 1, "\u{1f600}", 4),
        ] {
            let mut text = String::new();
            let stopped = show_open(octets, length, &mut text);
            assert_eq!((text.as_str(), stopped), (expected, end), "{octets:x?}");
        }
    }

    #[test]
    fn octets_that_are_not_utf8_and_those_that_are_half_of_it_are_told_apart_from_both_ends() {
        let units: [&[u8]; 6] =
            [b"\xe4\xb8", b"\xe4\xb8\xad\xb8", b"\xed\xa0\x80", b"a\xf0\x9f\x98", b"\xc3", b"\xb8\xe4"];
        for unit in units {
            let text = unit.repeat(300);
            let whole = masked(&text, false);
            for most in 60..90 {
                let elided = elided(&text, false, most);
                let (beginning, _, end) = parts(&elided);
                assert!(whole.starts_with(beginning) && whole.ends_with(end), "{elided}");
                assert!((most * 2 / 3..most * 2 / 3 + 4).contains(&beginning.len()), "{elided}");
                assert!((most / 3 - 3..=most / 3).contains(&end.len()), "{elided}");
            }
        }
    }

    #[test]
    fn a_password_counts_as_its_mask_wherever_it_is() {
        let url = |before: usize, password: usize, behind: usize| {
            format!(
                "ftp://jim:{}@h.dom/{}ftp://jim:{}@h.dom/",
                "s".repeat(password),
                "a".repeat(before),
                "t".repeat(behind)
            )
        };
        for (before, count) in [(1000, 1000 - 160 - 80 + 2 * 20), (2000, 2000 - 160 - 80 + 2 * 20)] {
            for (password, behind) in [(1, 1), (500, 3), (3, 5000), (9999, 9999)] {
                let elided = elided(url(before, password, behind).as_bytes(), false, 240);
                let (beginning, left_out, end) = parts(&elided);
                assert!(beginning.starts_with("ftp://jim:***@h.dom/aa"), "{elided}");
                assert!(end.ends_with("aaftp://jim:***@h.dom/"), "{elided}");
                assert_eq!(left_out, Some(count), "{elided}");
            }
        }
    }

    #[test]
    fn what_takes_no_more_than_is_shown_is_complete_and_hides_nothing() {
        for length in 230..300 {
            for text in ["a".repeat(length), "\\".repeat(length / 2), format!("ftp://u:{}@h", "s".repeat(length))] {
                let whole = masked(text.as_bytes(), false);
                let elided = elided(text.as_bytes(), false, 240);
                let (_, count, _) = parts(&elided);
                assert!(whole.len() > 240 || elided == whole, "{elided}");
                assert!(count.is_none() || elided.len() < whole.len(), "{elided}");
            }
        }
        let shown = |most| Secrets::default().elided(b"abc", 0..3, most);
        assert_eq!([shown(0), shown(3), shown(9)], ["abc", "abc", "abc"]);
    }
}
