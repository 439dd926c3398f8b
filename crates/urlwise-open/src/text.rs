//! Octets from outside, made fit for a terminal, a log and a message.
//!
//! Everything a server or a URL says goes through [`escape`] before a person sees it: no control octet, no direction
//! override and no invalid UTF-8 ever arrives raw.

use std::fmt;

/// Displays octets as text: UTF-8 as it is, but C0 controls, DEL, C1 controls, bidi controls, the backslash and whatever
/// is not UTF-8 as `\r`, `\n`, `\t`, `\\`, `\xHH` or `\u{..}`. Nothing is lost: distinct octets give distinct text.
///
/// ```
/// use urlwise_open::text::escape;
/// assert_eq!(escape(b"a\x1b[31m\t\xff \xc3\xa9").to_string(), "a\\x1b[31m\\t\\xff \u{e9}");
/// ```
pub fn escape(octets: &[u8]) -> impl fmt::Display + '_ {
    Escaped(octets)
}

struct Escaped<'a>(&'a [u8]);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            let text = chunk.valid();
            let mut shown = 0;
            for (at, character) in text.char_indices().filter(|(_, character)| is_unsafe(*character)) {
                f.write_str(&text[shown..at])?;
                shown = at + character.len_utf8();
                match character {
                    '\r' => f.write_str("\\r")?,
                    '\n' => f.write_str("\\n")?,
                    '\t' => f.write_str("\\t")?,
                    '\\' => f.write_str("\\\\")?,
                    _ if character.is_ascii() => write!(f, "\\x{:02x}", u32::from(character))?,
                    _ => write!(f, "\\u{{{:x}}}", u32::from(character))?,
                }
            }
            f.write_str(&text[shown..])?;
            for octet in chunk.invalid() {
                write!(f, "\\x{octet:02x}")?;
            }
        }
        Ok(())
    }
}

/// Whether a terminal might obey this character, or a reader be misled by it (`\` begins an escape).
fn is_unsafe(character: char) -> bool {
    character == '\\'
        || character.is_control()
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
