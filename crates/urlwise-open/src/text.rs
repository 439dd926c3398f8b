//! Octets from outside, made fit for a terminal, a log and a message.
//!
//! Everything a server or a URL says goes through [`escape`] before a person sees it: no control octet, no direction
//! override and no invalid UTF-8 ever arrives raw.

use std::fmt;
use std::time::SystemTime;

/// Displays octets as text: UTF-8 as it is, but C0 controls, DEL, C1 controls, bidi controls, line separators, the backslash and whatever
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
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A point in time as RFC 3339 text in UTC, whole seconds: `1994-12-01T00:00:00Z`.
///
/// Times before 1970 or after the year 9999 have no such text here: `None`.
pub fn rfc3339(time: SystemTime) -> Option<String> {
    const DAY: u64 = 86_400;
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs();
    if seconds > 253_402_300_799 {
        return None;
    }
    // Days since 0000-03-01, so that the leap day is the last of its year (Howard Hinnant's civil_from_days).
    let days = seconds / DAY + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (seconds % DAY / 3_600, seconds % 3_600 / 60, seconds % 60);
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
}

#[cfg(test)]
mod tests {
    use super::{escape, rfc3339};
    use std::time::{Duration, SystemTime};

    #[test]
    fn security_46_no_control_octet_survives() {
        let every: Vec<u8> = (0..=255).collect();
        let shown = escape(&every).to_string();
        assert!(shown.chars().all(|c| !c.is_control()));
        assert!(shown.starts_with(r"\x00\x01"));
        assert!(shown.contains(r"\t\n\x0b"));
        assert!(shown.contains(r"\x7f\x80"));
        assert!(shown.ends_with(r"\xfe\xff"));
    }

    #[test]
    fn security_46_c1_and_direction_marks_are_named() {
        let text = "\u{9b}31m \u{202e}txt.exe \u{2066}x\u{2069} \u{200f}";
        assert_eq!(escape(text.as_bytes()).to_string(), r"\u{9b}31m \u{202e}txt.exe \u{2066}x\u{2069} \u{200f}");
    }

    #[test]
    fn ordinary_text_of_any_script_passes() {
        let text = "Fußweg 道 ' \" `";
        assert_eq!(escape(text.as_bytes()).to_string(), text);
    }

    #[test]
    fn times_are_the_calendars() {
        let at = |seconds| rfc3339(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(at(951_782_399).as_deref(), Some("2000-02-28T23:59:59Z"));
        assert_eq!(at(951_782_400).as_deref(), Some("2000-02-29T00:00:00Z"));
        assert_eq!(at(951_868_800).as_deref(), Some("2000-03-01T00:00:00Z"));
        assert_eq!(at(786_240_000).as_deref(), Some("1994-12-01T00:00:00Z"));
        assert_eq!(at(253_402_300_799).as_deref(), Some("9999-12-31T23:59:59Z"));
        assert_eq!(at(253_402_300_800), None);
        assert_eq!(rfc3339(SystemTime::UNIX_EPOCH - Duration::from_secs(1)), None);
    }
}
