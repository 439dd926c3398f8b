//! Numbers in decimal digits.

use std::str::FromStr;

/// Digits alone, in range: no sign, and no blank.
pub(crate) fn number<T: FromStr>(digits: &[u8]) -> Option<T> {
    let text = std::str::from_utf8(digits).ok().filter(|_| digits.iter().all(u8::is_ascii_digit))?;
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn a_number_is_digits_alone_in_range() {
        for (text, expected) in [("0", Some(0)), ("007", Some(7)), ("65535", Some(65_535)), ("65536", None)] {
            assert_eq!(number::<u16>(text.as_bytes()), expected, "{text}");
        }
        for text in ["", "+1", "-1", " 1", "1 ", "1x", "0x1", "1_0", "\u{661}"] {
            assert_eq!(number::<u64>(text.as_bytes()), None, "{text}");
        }
        assert_eq!(number::<u64>(b"18446744073709551616"), None);
        assert_eq!(number::<u64>(b"\xff"), None);
    }
}
