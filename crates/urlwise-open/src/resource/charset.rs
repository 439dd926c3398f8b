//! The charset that a document says it has, and its octets as text. The decoders are those by which articles are read.
//!
//! ```
//! use urlwise_open::charset::Charset;
//!
//! let koi8 = Charset::of("koi8-r").expect("it is known");
//! assert_eq!(koi8.decode(b"\xf0\xd2"), "Пр");
//! assert!(Charset::of("x-unknown").is_none());
//! ```

use std::fmt;

use mail_parser::decoders::charsets::map::charset_decoder;

/// What a line end is in most charsets: the octet LF and nothing else.
const LINE_END: &str = "\n";

/// The charset that a media type names, as it is written there; `None` if it names none.
///
/// ```
/// use urlwise_open::charset;
///
/// assert_eq!(charset::named("text/html; charset=\"Shift_JIS\""), Some("Shift_JIS"));
/// assert_eq!(charset::named("text/html"), None);
/// ```
pub fn named(media_type: &str) -> Option<&str> {
    super::charset_of(media_type)
}

/// A charset that can be decoded.
#[derive(Clone, Copy)]
pub struct Charset {
    decoder: fn(&[u8]) -> String,
    /// Whether it is Latin-1, or ASCII, which is read like it.
    is_latin1: bool,
}

impl Charset {
    /// The charset of this name, in any case, as registered with IANA; `None` if nothing here decodes it. UTF-8 has none, since it
    /// needs no decoder.
    pub fn of(name: &str) -> Option<Charset> {
        let decoder = charset_decoder(name.as_bytes())?;
        // The decoder of a charset that browsers refuse to decode makes one such character of everything.
        if decoder(LINE_END.as_bytes()) == "\u{FFFD}" {
            return None;
        }
        let upper: Vec<u8> = (0xA0..=0xFF).collect();
        Some(Charset { decoder, is_latin1: decoder(&upper).chars().eq(upper.iter().copied().map(char::from)) })
    }

    /// The octets as text; what is malformed becomes U+FFFD. Octets that are said to be Latin-1 and are valid UTF-8 stay as they
    /// are, since many servers say so of everything (D-96). Control characters stay too, so the text has to be
    /// [escaped](urlwise::escape_for_display) before it is shown.
    pub fn decode(&self, octets: &[u8]) -> String {
        match str::from_utf8(octets) {
            Ok(text) if self.is_latin1 => text.to_owned(),
            Ok(_) | Err(_) => (self.decoder)(octets),
        }
    }

    /// Whether each line can be decoded by itself, and ends where the octet LF is: not in UTF-16.
    pub fn has_lines(&self) -> bool {
        (self.decoder)(LINE_END.as_bytes()) == LINE_END
    }
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Charset").field("is_latin1", &self.is_latin1).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_are_decoded_by_the_name_of_their_charset() {
        for (name, octets, text) in [
            ("KOI8-R", &b"\xf0\xd2\xc9"[..], "При"),
            ("windows-1251", b"\xcf\xf0\xe8", "При"),
            ("shift_jis", b"\x8b\x4c\x8e\x96", "記事"),
            ("euc-jp", b"\xb5\xad\xbb\xf6", "記事"),
            ("iso-2022-jp", b"\x1b$B5-;v\x1b(B.", "記事."),
            ("gb2312", b"\xd6\xd0\xce\xc4", "中文"),
            ("gb18030", b"\xd6\xd0\x81\x30\x84\x36", "中¥"),
            ("big5", b"\xa4\xa4\xa4\xe5", "中文"),
            ("euc-kr", b"\xc7\xd1\xb1\xb9", "한국"),
            ("utf-16le", b"\x1f\x04\n\0", "П\n"),
            ("utf-16be", b"\x04\x1f\0\n", "П\n"),
            ("utf-16", b"\xfe\xff\x04\x1f", "П"),
            // What is UTF-8 already, although it is said to be something else, only of Latin-1.
            ("iso-8859-1", b"caf\xc3\xa9", "café"),
            ("iso-8859-1", b"caf\xe9", "café"),
            ("us-ascii", b"caf\xe9", "café"),
            ("iso-8859-15", b"\xc3\xa4", "Ã€"),
            ("koi8-r", b"\xff\xb3", "ЪЁ"),
        ] {
            let charset = Charset::of(name).unwrap_or_else(|| panic!("{name} is not known"));
            assert_eq!(charset.decode(octets), text, "{name}");
            assert_eq!(charset.has_lines(), !name.starts_with("utf-16"), "{name}");
        }
        let shown = |name| format!("{:?}", Charset::of(name).expect("it is known"));
        assert!(shown("us-ascii").contains("is_latin1: true") && shown("koi8-r").contains("is_latin1: false"));
        for name in ["", "x-unknown", "iso-2022-kr", "hz-gb-2312", &"x".repeat(1000)] {
            assert!(Charset::of(name).is_none(), "{name}");
        }
    }
}
