//! A part of a text as a reader returns it, before it is written.

use std::borrow::Cow;
use std::str::{self, Utf8Chunks};

/// What stands for octets that are not UTF-8.
const REPLACEMENT: &str = "\u{fffd}";

/// A part that is not written before somebody wants to see it, because each octet that is not UTF-8 is written as three, and several
/// readers write a host in lower case.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Text<'a> {
    /// The part as it is written.
    Written(Cow<'a, str>),
    /// Octets, some of them not UTF-8, which are replaced.
    Lossy(Cow<'a, [u8]>),
    /// The part in lower case, as far as it is of US-ASCII.
    Lowercase(&'a str),
}

impl Default for Text<'_> {
    fn default() -> Self {
        Text::from("")
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Text<'a> {
        Text::Written(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a [u8]> for Text<'a> {
    fn from(octets: &'a [u8]) -> Text<'a> {
        match str::from_utf8(octets) {
            Ok(text) => Text::from(text),
            Err(_) => Text::Lossy(Cow::Borrowed(octets)),
        }
    }
}

impl<'a> From<Cow<'a, [u8]>> for Text<'a> {
    fn from(octets: Cow<'a, [u8]>) -> Text<'a> {
        match octets {
            Cow::Borrowed(octets) => Text::from(octets),
            Cow::Owned(octets) => match String::from_utf8(octets) {
                Ok(text) => Text::Written(Cow::Owned(text)),
                Err(error) => Text::Lossy(Cow::Owned(error.into_bytes())),
            },
        }
    }
}

impl<'a> Text<'a> {
    /// A text in lower case, as far as it is of US-ASCII.
    pub(crate) fn lowercase(text: &'a str) -> Text<'a> {
        match has_capital(text.as_bytes()) {
            true => Text::Lowercase(text),
            false => Text::from(text),
        }
    }

    /// The same part, borrowed from this one.
    pub(crate) fn borrowed(&self) -> Text<'_> {
        match self {
            Text::Written(text) => Text::from(&**text),
            Text::Lossy(octets) => Text::Lossy(Cow::Borrowed(octets)),
            Text::Lowercase(text) => Text::Lowercase(text),
        }
    }

    /// The part as it is written.
    pub(crate) fn written(self) -> Cow<'a, str> {
        match self {
            Text::Written(text) => text,
            // Memory is asked for once, for each octet replaced: what is not written is not taken.
            Text::Lossy(ref octets) => {
                let mut written = String::with_capacity(REPLACEMENT.len() * octets.len());
                written.extend(self.pieces());
                Cow::Owned(written)
            }
            Text::Lowercase(text) => Cow::Owned(text.to_ascii_lowercase()),
        }
    }

    /// The part in lower case, as far as it is of US-ASCII.
    pub(crate) fn in_lower_case(self) -> Text<'a> {
        match self {
            Text::Written(Cow::Borrowed(text)) => Text::lowercase(text),
            Text::Lossy(octets) if has_capital(&octets) => Text::Lossy(Cow::Owned(octets.to_ascii_lowercase())),
            Text::Written(Cow::Owned(mut text)) => {
                text.make_ascii_lowercase();
                Text::Written(text.into())
            }
            Text::Lossy(_) | Text::Lowercase(_) => self,
        }
    }

    /// The beginning of the part as it is written: so many octets or a few more, or all if it is no longer.
    pub(crate) fn start(self, most: usize) -> Cow<'a, str> {
        /// No character is longer, and a broken one at the end is written in another way.
        const CHARACTER: usize = 4;
        let end = |text: &str| (most..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        match self {
            Text::Written(Cow::Borrowed(text)) => Cow::Borrowed(&text[..end(text)]),
            Text::Written(Cow::Owned(mut text)) => {
                text.truncate(end(&text));
                Cow::Owned(text)
            }
            Text::Lowercase(text) => Cow::Owned(text[..end(text)].to_ascii_lowercase()),
            Text::Lossy(octets) => match octets.get(..most.saturating_add(CHARACTER)) {
                Some(start) => Cow::Owned(String::from_utf8_lossy(start).into_owned()),
                None => Text::Lossy(octets).written(),
            },
        }
    }

    /// Whether both are the same, ignoring case.
    pub(crate) fn is_ignoring_case(&self, other: &Text<'_>) -> bool {
        // Octets that are the same are written alike; others may be, where they are replaced.
        self.octets().eq_ignore_ascii_case(other.octets())
            || (matches!(self, Text::Lossy(_)) || matches!(other, Text::Lossy(_))) && self.folded().eq(other.folded())
    }

    /// What is written, octet for octet and in lower case.
    fn folded(&self) -> impl Iterator<Item = u8> {
        self.pieces().flat_map(str::bytes).map(|octet| octet.to_ascii_lowercase())
    }

    /// Its octets, among them those that are not UTF-8, in any case.
    pub(crate) fn octets(&self) -> &[u8] {
        match self {
            Text::Written(text) => text.as_bytes(),
            Text::Lossy(octets) => octets,
            Text::Lowercase(text) => text.as_bytes(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.octets().is_empty()
    }

    /// What is written, piece by piece. No escape is divided by a replacement.
    pub(crate) fn pieces(&self) -> Pieces<'_> {
        match self {
            Text::Written(text) => Pieces { next: Some(text), mixed: "", chunks: [].utf8_chunks() },
            Text::Lossy(octets) => Pieces { next: None, mixed: "", chunks: octets.utf8_chunks() },
            Text::Lowercase(text) => Pieces { next: None, mixed: text, chunks: [].utf8_chunks() },
        }
    }
}

/// Whether there is a capital letter of US-ASCII.
fn has_capital(octets: &[u8]) -> bool {
    // Without an early end, so that many are looked at at once.
    octets.iter().fold(false, |has, octet| has | octet.is_ascii_uppercase())
}

/// The pieces of a [`Text`].
pub(crate) struct Pieces<'t> {
    /// What comes before everything else.
    next: Option<&'t str>,
    /// What is to be written in lower case.
    mixed: &'t str,
    chunks: Utf8Chunks<'t>,
}

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        if let Some(piece) = self.next.take() {
            return Some(piece);
        }
        if let Some(&first) = self.mixed.as_bytes().first() {
            let is_capital = first.is_ascii_uppercase();
            let end = self.mixed.find(|c: char| c.is_ascii_uppercase() != is_capital).unwrap_or(self.mixed.len());
            let (piece, behind) = self.mixed.split_at(if is_capital { 1 } else { end });
            self.mixed = behind;
            return Some(if is_capital { small(first) } else { piece });
        }
        let chunk = self.chunks.next()?;
        self.next = (!chunk.invalid().is_empty()).then_some(REPLACEMENT);
        Some(chunk.valid())
    }
}

/// The small letter of a capital one.
fn small(capital: u8) -> &'static str {
    const SMALL: &str = "abcdefghijklmnopqrstuvwxyz";
    let at = usize::from(capital - b'A');
    &SMALL[at..=at]
}

#[cfg(test)]
mod tests {
    use super::Text;
    use std::borrow::Cow;

    #[test]
    fn the_pieces_of_a_text_are_what_is_written() {
        for octets in
            [&b""[..], b"a%41", b"\xE4\xB8\xAD", b"\xFF", b"\xFF\xC3", b"a\xE4\xB8b\xFFc", b"\xF0\x9F\x98\xFF%\xFF41"]
        {
            let expected = String::from_utf8_lossy(octets);
            for text in [Text::from(octets), Text::from(Cow::Owned(octets.to_vec()))] {
                assert_eq!(text.pieces().collect::<String>(), expected);
                assert_eq!(text.is_empty(), octets.is_empty());
                assert_eq!(text.written(), expected);
            }
        }
    }

    #[test]
    fn the_start_of_a_text_is_what_is_written_first() {
        let octets = b"aB%41\xE4\xB8\xAD\xFF\xC3\xE4\xB8b\xFFc\xF0\x9F\x98\x80".repeat(9);
        let texts = [
            Text::from(&octets[..]),
            Text::from("\u{4e2d}aB\u{c4}"),
            Text::lowercase("\u{4e2d}aB\u{c4}"),
            Text::from(""),
        ];
        for text in texts {
            let whole = text.borrowed().written().into_owned();
            for most in 0..whole.len() + 2 {
                let owned = Text::Written(whole.clone().into()).start(most);
                for start in [owned, text.borrowed().start(most)] {
                    // The last character may be one that is cut.
                    let known = start.trim_end_matches('\u{fffd}');
                    assert!(whole.starts_with(known) && start.len() >= most.min(whole.len()), "{most}: {start}");
                    assert!(whole.starts_with(&*start) || known.len() >= most, "{most}: {start}");
                }
            }
        }
    }

    #[test]
    fn a_text_in_lower_case_is_written_so_however_it_is_asked_for() {
        for (text, lower) in
            [("", ""), ("a", "a"), ("AZ", "az"), ("aBc.D\u{c4}\u{e4}", "abc.d\u{c4}\u{e4}"), ("%2F", "%2f")]
        {
            let held = Text::lowercase(text);
            assert_eq!(held.pieces().collect::<String>(), lower);
            for other in [Text::from(text), Text::Written(text.to_owned().into()), held.borrowed()] {
                assert_eq!(other.in_lower_case().written(), lower);
            }
            assert!(held.is_ignoring_case(&Text::from(text)) && !held.is_ignoring_case(&Text::from("B")));
            assert_eq!(held.written(), lower);
        }
        let replaced = [
            Text::from(&b"A\xFF"[..]),
            Text::from(&b"a\xFE"[..]),
            Text::from("a\u{fffd}"),
            Text::lowercase("A\u{fffd}"),
        ];
        for one in &replaced {
            assert!(replaced.iter().all(|other| one.is_ignoring_case(other)));
            assert!(!one.is_ignoring_case(&Text::from("b\u{fffd}")));
        }
    }
}
