//! Makes octets safe to display.

use alloc::string::String;
use core::fmt::{self, Write as _};

use crate::character;

/// Displays octets as text that is safe for a terminal and hides nothing: valid UTF-8 as it is, and `\r`, `\n`, `\t`,
/// `\\`, `\xHH` and `\u{...}` for [harmful](is_harmful) characters, the backslash and octets that are not UTF-8.
/// Distinct octets give distinct text.
///
/// ```
/// assert_eq!(urlwise::escape_for_display("caf\u{e9} \u{1b}[31m\r\n\u{202e}".as_bytes()).to_string(), "caf\u{e9} \\x1b[31m\\r\\n\\u{202e}");
/// assert_eq!(urlwise::escape_for_display(b"caf\xE9").to_string(), "caf\\xe9");
/// ```
pub fn escape_for_display(octets: &[u8]) -> impl fmt::Display + '_ {
    Shown(octets)
}

/// Writes what [`escape_for_display`] displays, where there is no format.
///
/// ```
/// let mut text = String::new();
/// urlwise::write_for_display(b"caf\xE9", &mut text)?;
/// assert_eq!(text, "caf\\xe9");
/// # Ok::<(), std::fmt::Error>(())
/// ```
///
/// # Errors
/// Those of `f`.
pub fn write_for_display(octets: &[u8], f: &mut dyn fmt::Write) -> fmt::Result {
    Shown(octets).write(f)
}

/// Whether octets are certain to be [displayed](escape_for_display) as they are: printable US-ASCII without a backslash, as most texts are.
///
/// ```
/// assert!(urlwise::is_shown_as_written(b"http://host.dom/"));
/// assert!(!urlwise::is_shown_as_written(b"\\") && !urlwise::is_shown_as_written("\u{e9}".as_bytes()));
/// ```
#[inline]
pub fn is_shown_as_written(octets: &[u8]) -> bool {
    // Without an early end, so that many octets are looked at at once.
    octets.iter().fold(true, |all, octet| all & is_plain(*octet))
}

/// Writes text made of several pieces with the width, precision and fill of the format, for an implementation of `Display`.
/// The text is collected first only if the format has a width or precision. `{:#}` has no effect: `write` is not told.
///
/// ```
/// use core::fmt;
///
/// struct Pair(u8, u8);
///
/// impl fmt::Display for Pair {
///     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
///         urlwise::padded(f, |f| write!(f, "{}:{}", self.0, self.1))
///     }
/// }
/// assert_eq!(format!("{:>5}|{:<5}|{:.2}", Pair(1, 2), Pair(1, 2), Pair(1, 2)), "  1:2|1:2  |1:");
/// ```
///
/// # Errors
/// Those of `write` and of `f`.
pub fn padded(f: &mut fmt::Formatter<'_>, write: impl Fn(&mut dyn fmt::Write) -> fmt::Result) -> fmt::Result {
    if f.width().is_none() && f.precision().is_none() {
        return write(f);
    }
    let mut text = String::new();
    write(&mut text)?;
    f.pad(&text)
}

struct Shown<'a>(&'a [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |out| self.write(out))
    }
}

impl Shown<'_> {
    fn write(&self, f: &mut dyn fmt::Write) -> fmt::Result {
        match self.0 {
            // What text is asked for octet by octet.
            [octet] if !is_plain(*octet) => return f.write_str(named(*octet).unwrap_or_else(|| hex_text(*octet))),
            // And character by character.
            [0x80..=u8::MAX, _] | [0x80..=u8::MAX, _, _] | [0x80..=u8::MAX, _, _, _] => {
                if let Some(one) = character::first_character(self.0).filter(|one| one.len_utf8() == self.0.len()) {
                    return match is_harmful(one) {
                        true => f.write_str(core::str::from_utf8(Escape::of(one).octets()).unwrap_or_default()),
                        false => f.write_char(one),
                    };
                }
            }
            _ => {}
        }
        let first_odd = || self.0.iter().position(|octet| !is_plain(*octet));
        let plain = if is_shown_as_written(self.0) { None } else { first_odd() };
        let (plain, rest) = self.0.split_at(plain.unwrap_or(self.0.len()));
        if let (false, Ok(text)) = (plain.is_empty(), core::str::from_utf8(plain)) {
            f.write_str(text)?;
        }
        if rest.is_empty() {
            return Ok(());
        }
        let mut pieces = Pieces { to: f, octets: [0; 256], length: 0 };
        let mut rest = rest;
        while let Some((octet, behind)) = rest.split_first() {
            if character::begins_nothing(rest) {
                write_hex(*octet, &mut pieces)?;
                rest = behind;
                continue;
            }
            let Some(chunk) = rest.utf8_chunks().next() else { break };
            if !chunk.valid().is_empty() {
                write_text(chunk.valid(), &mut pieces)?;
            }
            for octet in chunk.invalid() {
                write_hex(*octet, &mut pieces)?;
            }
            rest = &rest[chunk.valid().len() + chunk.invalid().len()..];
        }
        pieces.flush()
    }
}

/// Short pieces that are written together: a text may be escaped from end to end, and each call costs more than an escape.
struct Pieces<'f> {
    to: &'f mut dyn fmt::Write,
    octets: [u8; 256],
    length: usize,
}

impl Pieces<'_> {
    /// Adds a piece of UTF-8, which is not longer than all that is kept.
    fn push(&mut self, piece: &[u8]) -> fmt::Result {
        if piece.len() > self.octets.len() - self.length {
            self.flush()?;
        }
        self.octets[self.length..][..piece.len()].copy_from_slice(piece);
        self.length += piece.len();
        Ok(())
    }

    fn flush(&mut self) -> fmt::Result {
        let pieces = core::str::from_utf8(&self.octets[..self.length]).unwrap_or_default();
        self.length = 0;
        self.to.write_str(pieces)
    }
}

impl fmt::Write for Pieces<'_> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        if piece.len() > self.octets.len() {
            self.flush()?;
            return self.to.write_str(piece);
        }
        self.push(piece.as_bytes())
    }
}

fn write_text(mut text: &str, f: &mut Pieces<'_>) -> fmt::Result {
    let mut at = 0;
    // Most texts are graphic ASCII, which is looked at octet by octet.
    while let Some(length) = text.as_bytes()[at..].iter().position(|octet| !is_plain(*octet)) {
        at += length;
        let Some(odd) = text[at..].chars().next() else { break };
        if odd != '\\' && !is_harmful(odd) {
            at += odd.len_utf8();
            continue;
        }
        f.write_str(&text[..at])?;
        text = &text[at + odd.len_utf8()..];
        at = 0;
        match u8::try_from(odd).ok().filter(u8::is_ascii).map(|octet| (octet, named(octet))) {
            Some((_, Some(name))) => f.write_str(name)?,
            Some((octet, None)) => write_hex(octet, f)?,
            None => f.push(Escape::of(odd).octets())?,
        }
    }
    f.write_str(text)
}

/// `\u{H...}`, without the machinery of formatting either.
struct Escape {
    octets: [u8; 10],
    length: usize,
}

impl Escape {
    fn of(c: char) -> Escape {
        // The longest is `\u{10ffff}`.
        let mut octets = *b"\\u{......}";
        let digits = (u32::BITS - u32::from(c).leading_zeros()).div_ceil(4).max(1) as usize;
        for (at, digit) in octets[3..3 + digits].iter_mut().enumerate() {
            *digit = DIGITS[(u32::from(c) >> (4 * (digits - 1 - at)) & 15) as usize];
        }
        octets[3 + digits] = b'}';
        Escape { octets, length: 4 + digits }
    }

    fn octets(&self) -> &[u8] {
        &self.octets[..self.length]
    }
}

/// The escape of an octet that has one of its own.
fn named(octet: u8) -> Option<&'static str> {
    Some(match octet {
        b'\r' => "\\r",
        b'\n' => "\\n",
        b'\t' => "\\t",
        b'\\' => "\\\\",
        _ => return None,
    })
}

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// `\xHH`, without the machinery of formatting: a text may consist of nothing else.
const fn hex(octet: u8) -> [u8; 4] {
    [b'\\', b'x', DIGITS[(octet >> 4) as usize], DIGITS[(octet & 15) as usize]]
}

/// [`hex`] as text.
fn hex_text(octet: u8) -> &'static str {
    const LENGTH: usize = hex(0).len();
    const ALL: [u8; LENGTH * 256] = {
        let (mut all, mut at) = ([0; LENGTH * 256], 0);
        while at < all.len() {
            all[at] = hex((at / LENGTH) as u8)[at % LENGTH];
            at += 1;
        }
        all
    };
    static TEXT: &str = match core::str::from_utf8(&ALL) {
        Ok(text) => text,
        Err(_) => "",
    };
    let start = LENGTH * usize::from(octet);
    TEXT.get(start..start + LENGTH).unwrap_or_default()
}

/// Writes [`hex`].
fn write_hex(octet: u8, f: &mut Pieces<'_>) -> fmt::Result {
    let hex = hex(octet);
    match f.octets[f.length..].first_chunk_mut() {
        Some(place) => {
            *place = hex;
            f.length += hex.len();
            Ok(())
        }
        None => f.push(&hex),
    }
}

/// Whether an octet is a character that is shown as it is.
fn is_plain(octet: u8) -> bool {
    matches!(octet, b' '..=b'~') && octet != b'\\'
}

/// Whether a character must be escaped for display: controls (C0, DEL, C1), line and paragraph separators, direction marks, and all that
/// people do not see but spaces and the selectors of variants behind emoji and ideographs.
///
/// ```
/// assert!(urlwise::is_harmful('\u{9b}') && urlwise::is_harmful('\u{202e}') && urlwise::is_harmful('\u{3164}'));
/// assert!(!urlwise::is_harmful('\u{e9}') && !urlwise::is_harmful('\u{fe0f}'));
/// ```
pub fn is_harmful(c: char) -> bool {
    match c {
        // What most characters are.
        ' '..='~' | '\u{AE}'..='\u{34E}' => false,
        ..'\u{A0}' => true,
        _ => character::is_hidden(c),
    }
}

#[cfg(test)]
mod tests {
    use super::escape_for_display;
    use std::string::ToString;
    use std::vec::Vec;

    #[test]
    fn what_harms_beyond_the_latin_letters_is_escaped_alone_and_among_others() {
        for harmful in
            "\u{85}\u{ad}\u{34f}\u{61c}\u{115f}\u{17b5}\u{202e}\u{2800}\u{3164}\u{feff}\u{ffa0}\u{fff9}\u{fffb}\u{13430}\u{1bca3}\u{1d173}\u{e0000}\u{e007f}".chars()
        {
            let mut octets = [0; 4];
            let alone = escape_for_display(harmful.encode_utf8(&mut octets).as_bytes()).to_string();
            assert_eq!(alone, std::format!("\\u{{{:x}}}", u32::from(harmful)));
            let among = std::format!("a{harmful}\u{e9}");
            assert_eq!(escape_for_display(among.as_bytes()).to_string(), std::format!("a{alone}\u{e9}"));
        }
        for harmless in ['\u{e9}', '\u{34e}', '\u{3000}', '\u{fe0f}', '\u{fffc}', '\u{e0080}', '\u{1f4a9}'] {
            assert!(!super::is_harmful(harmless), "{harmless:?}");
        }
    }

    #[test]
    fn a_text_of_any_length_is_what_its_characters_are() {
        let characters = ["a", "\u{1}", "\\", "\u{e9}", "\u{202e}", "\n"];
        for length in [1, 60, 63, 64, 65, 250, 300, 2000] {
            for (i, odd) in characters.iter().enumerate() {
                let text = odd.repeat(length) + characters[(i + 1) % characters.len()] + &"x".repeat(length);
                let each = text.chars().map(|c| escape_for_display(std::format!("{c}").as_bytes()).to_string());
                assert_eq!(escape_for_display(text.as_bytes()).to_string(), each.collect::<std::string::String>());
            }
            let octets = [0xFF, b'a'].repeat(length);
            assert_eq!(escape_for_display(&octets).to_string(), r"\xffa".repeat(length));
        }
    }

    /// Takes text, and counts in how many pieces it comes.
    #[derive(Default)]
    struct Counted {
        text: std::string::String,
        pieces: usize,
    }

    impl core::fmt::Write for Counted {
        fn write_str(&mut self, piece: &str) -> core::fmt::Result {
            self.text += piece;
            self.pieces += 1;
            Ok(())
        }
    }

    #[test]
    fn a_text_is_written_in_as_few_pieces_as_its_escapes_allow() {
        for (text, shown, pieces) in [
            (&b"plain"[..], "plain", 1),
            (b"plain, \xFF and not", "plain, \\xff and not", 2),
            (b"\\", "\\\\", 1),
            (b"\xFF", "\\xff", 1),
            (b"\xC3\xA9", "\u{e9}", 1),
            (b"\xE2\x80\xAE", "\\u{202e}", 1),
            (b"\xC3\xA9\xFF", "\u{e9}\\xff", 1),
            (b"", "", 0),
            // 256 octets are kept.
            (&[0xFF; 64], &r"\xff".repeat(64), 1),
            (&[0xFF; 65], &r"\xff".repeat(65), 2),
            (&[1; 128], &r"\x01".repeat(128), 2),
            ("\u{202e}".repeat(32).as_bytes(), &r"\u{202e}".repeat(32), 1),
            ("\u{202e}".repeat(33).as_bytes(), &r"\u{202e}".repeat(33), 2),
            ("\u{e9}".repeat(128).as_bytes(), &"\u{e9}".repeat(128), 1),
            // What is longer is not copied: what is kept, which is nothing, is written before and behind it.
            ("\u{e9}".repeat(129).as_bytes(), &"\u{e9}".repeat(129), 3),
        ] {
            let mut counted = Counted::default();
            super::write_for_display(text, &mut counted).unwrap();
            assert_eq!((counted.text.as_str(), counted.pieces), (shown, pieces), "{text:x?}");
        }
    }

    #[test]
    fn octets_that_are_half_of_a_character_are_escaped_one_by_one_wherever_they_stand() {
        const LENGTH: u32 = 5;
        let alphabet = *b"a\x01\xC3\xA9\xE4\xB8\xFF\\";
        for number in 0..alphabet.len().pow(LENGTH) {
            let text: Vec<u8> =
                (0..LENGTH).map(|at| alphabet[number / alphabet.len().pow(at) % alphabet.len()]).collect();
            let mut expected = std::string::String::new();
            for chunk in text.utf8_chunks() {
                for c in chunk.valid().chars() {
                    match c {
                        '\\' => expected += "\\\\",
                        '\x01' => expected += "\\x01",
                        c => expected.push(c),
                    }
                }
                chunk.invalid().iter().for_each(|octet| expected += &std::format!("\\x{octet:02x}"));
            }
            assert_eq!(escape_for_display(&text).to_string(), expected, "{text:x?}");
        }
    }

    #[test]
    fn security_46_no_control_octet_survives() {
        let every: Vec<u8> = (0..=255).collect();
        let shown = escape_for_display(&every).to_string();
        assert!(shown.chars().all(|c| !c.is_control()));
        assert!(shown.starts_with(r"\x00\x01"));
        assert!(shown.contains(r"\t\n\x0b"));
        assert!(shown.contains(r"\x7f\x80"));
        assert!(shown.ends_with(r"\xfe\xff"));
    }

    #[test]
    fn security_46_c1_and_direction_marks_are_named() {
        let text = "\u{9b}31m \u{202e}txt.exe \u{2066}x\u{2069} \u{200f}";
        assert_eq!(
            escape_for_display(text.as_bytes()).to_string(),
            r"\u{9b}31m \u{202e}txt.exe \u{2066}x\u{2069} \u{200f}"
        );
    }

    #[test]
    fn a_width_counts_what_is_shown() {
        assert_eq!(
            std::format!(
                "{:>6}|{:<6}|{:.3}",
                escape_for_display(b"a\r"),
                escape_for_display(b"\x1b"),
                escape_for_display(b"abcd")
            ),
            "   a\\r|\\x1b  |abc"
        );
    }

    #[test]
    fn ordinary_text_of_any_script_passes() {
        let text = "Fußweg 道 ' \" `";
        assert_eq!(escape_for_display(text.as_bytes()).to_string(), text);
    }
}
