//! A part of a text as a reader returns it, before it is written.

use std::borrow::Cow;
use std::str::{self, Utf8Chunks};

/// What stands for octets that are not UTF-8.
const REPLACEMENT: &str = "\u{fffd}";

/// A part that is not written before somebody wants to see it, because each octet that is not UTF-8 is written as three.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Text<'a> {
    /// The part as it is written.
    Written(Cow<'a, str>),
    /// Octets, some of them not UTF-8, which are replaced.
    Lossy(Cow<'a, [u8]>),
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
    /// The part as it is written.
    pub(crate) fn written(self) -> Cow<'a, str> {
        match self {
            Text::Written(text) => text,
            Text::Lossy(Cow::Borrowed(octets)) => String::from_utf8_lossy(octets),
            Text::Lossy(Cow::Owned(octets)) => Cow::Owned(String::from_utf8_lossy(&octets).into_owned()),
        }
    }

    /// Its octets, among them those that are not UTF-8.
    pub(crate) fn octets(&self) -> &[u8] {
        match self {
            Text::Written(text) => text.as_bytes(),
            Text::Lossy(octets) => octets,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.octets().is_empty()
    }

    /// What is written, piece by piece. No escape is divided by a replacement.
    pub(crate) fn pieces(&self) -> Pieces<'_> {
        match self {
            Text::Written(text) => Pieces { next: Some(text), chunks: [].utf8_chunks() },
            Text::Lossy(octets) => Pieces { next: None, chunks: octets.utf8_chunks() },
        }
    }
}

/// The pieces of a [`Text`].
pub(crate) struct Pieces<'t> {
    /// What comes before the other chunks.
    next: Option<&'t str>,
    chunks: Utf8Chunks<'t>,
}

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        if let Some(piece) = self.next.take() {
            return Some(piece);
        }
        let chunk = self.chunks.next()?;
        self.next = (!chunk.invalid().is_empty()).then_some(REPLACEMENT);
        Some(chunk.valid())
    }
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
}
