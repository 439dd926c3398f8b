//! Octets made safe to show.

use core::fmt;

/// Shows octets as text that can harm no terminal and hide nothing: UTF-8 where it is well formed, `\xHH` for octets that
/// are not, `\u{...}` for characters that control a terminal, change the direction of text or cannot be seen. A backslash
/// stays as it is.
///
/// ```
/// assert_eq!(urlwise::shown("caf\u{e9} \u{1b}[31m\u{202e}".as_bytes()).to_string(), "caf\u{e9} \\x1B[31m\\u{202E}");
/// assert_eq!(urlwise::shown(b"caf\xE9").to_string(), "caf\\xE9");
/// ```
pub fn shown(octets: &[u8]) -> impl fmt::Display + '_ {
    Shown(octets)
}

struct Shown<'a>(&'a [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            let text = chunk.valid();
            let mut plain = 0;
            for (at, odd) in text.char_indices().filter(|(_, c)| is_harmful(*c)) {
                f.write_str(&text[plain..at])?;
                match odd {
                    '\0'..='\x7F' => write!(f, "\\x{:02X}", odd as u32)?,
                    _ => write!(f, "\\u{{{:X}}}", odd as u32)?,
                }
                plain = at + odd.len_utf8();
            }
            f.write_str(&text[plain..])?;
            for octet in chunk.invalid() {
                write!(f, "\\x{octet:02X}")?;
            }
        }
        Ok(())
    }
}

/// Whether a character must not be shown as it is: controls (C0, DEL, C1), line and paragraph separators, marks that change
/// direction, and what has no width.
///
/// ```
/// assert!(urlwise::is_harmful('\u{9b}') && urlwise::is_harmful('\u{202e}'));
/// assert!(!urlwise::is_harmful('\u{e9}'));
/// ```
pub fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}
