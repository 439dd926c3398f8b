//! Parts of readings, compared by what they mean.

use crate::octet_set::OctetSet;
use crate::programs::{ESCAPE, escape_at};
use crate::text::{Pieces, Text};
use std::borrow::Cow;

/// Escapes of these have another meaning than the octets, except in users and passwords.
pub(crate) const DELIMITERS: OctetSet = OctetSet::of(b"/?#[]@:;&=+%\\");
/// Nothing in a user or password is split any further, so an escaped delimiter means the delimiter, which WHATWG escapes and RFC
/// 1738 need not.
pub(crate) const WORD: OctetSet = OctetSet::of(b"");

/// A part of a reading, to compare others with: with all escapes decoded except those of delimiters. The others do not change the
/// meaning, and the standards add and remove them.
pub(crate) struct Part<'p> {
    octets: Octets<'p>,
    delimiters: OctetSet,
}

enum Octets<'p> {
    Encoded(Text<'p>),
    /// What a reader wrote anew may be three times as long as the text, so this is not kept.
    Decoded(Vec<u8>),
}

impl<'p> Part<'p> {
    pub(crate) fn of(part: Text<'p>, delimiters: OctetSet) -> Part<'p> {
        let octets = match part {
            Text::Written(Cow::Owned(part)) => Octets::Decoded(decoded(part, delimiters)),
            Text::Written(Cow::Borrowed(_)) | Text::Lossy(_) | Text::Lowercase(_) => Octets::Encoded(part),
        };
        Part { octets, delimiters }
    }

    pub(crate) fn is(&self, other: &Text<'_>) -> bool {
        let decoded = |part| Decoded::of(part, self.delimiters);
        match &self.octets {
            // What most parts are.
            Octets::Encoded(part) if part == other => true,
            Octets::Encoded(part) => match (is_decoded(part), is_decoded(other)) {
                (true, true) => false,
                (true, false) => is_decoded_as(part.octets(), other, self.delimiters),
                (false, true) => is_decoded_as(other.octets(), part, self.delimiters),
                (false, false) => decoded(part).eq(decoded(other)),
            },
            Octets::Decoded(octets) if is_decoded(other) => octets == other.octets(),
            Octets::Decoded(octets) => is_decoded_as(octets, other, self.delimiters),
        }
    }
}

/// Whether a part is certain to be its own octets.
fn is_decoded(part: &Text<'_>) -> bool {
    matches!(part, Text::Written(written) if !written.contains('%'))
}

/// Whether octets are those of a part, decoded: what [`Decoded`] has, compared piece by piece.
fn is_decoded_as(octets: &[u8], part: &Text<'_>, delimiters: OctetSet) -> bool {
    let mut expected = octets;
    for piece in part.pieces() {
        let mut rest = piece.as_bytes();
        while let Some(&first) = rest.first() {
            let (behind, length) = match if first == b'%' { escape_at(rest) } else { None } {
                Some(octet) if !delimiters.has(octet) => (behind(expected, octet), ESCAPE),
                Some(_) => {
                    (expected.strip_prefix(&[b'%', rest[1].to_ascii_uppercase(), rest[2].to_ascii_uppercase()]), ESCAPE)
                }
                None => {
                    let plain = 1 + rest[1..].iter().position(|octet| *octet == b'%').unwrap_or(rest.len() - 1);
                    (expected.strip_prefix(&rest[..plain]), plain)
                }
            };
            let Some(behind) = behind else { return false };
            (expected, rest) = (behind, &rest[length..]);
        }
    }
    expected.is_empty()
}

/// What is behind an octet; `None` if it is not the first one.
fn behind(octets: &[u8], first: u8) -> Option<&[u8]> {
    octets.split_first().filter(|(octet, _)| **octet == first).map(|(_, behind)| behind)
}

/// The octets of a text, decoded where they stand.
fn decoded(text: String, delimiters: OctetSet) -> Vec<u8> {
    let mut octets = text.into_bytes();
    let Some(mut read) = octets.iter().position(|octet| *octet == b'%') else { return octets };
    let (mut written, mut kept) = (read, 0);
    while let Some((octet, length)) = first(&octets[read..], &mut kept, delimiters) {
        octets[written] = octet;
        written += 1;
        read += length;
    }
    octets.truncate(written);
    octets.shrink_to_fit();
    octets
}

/// The first octet that some octets mean, and how many of them stand for it. `kept` counts those to come of an escape that is kept.
#[inline]
fn first(octets: &[u8], kept: &mut u8, delimiters: OctetSet) -> Option<(u8, usize)> {
    let first = *octets.first()?;
    if *kept > 0 {
        *kept -= 1;
        return Some((first.to_ascii_uppercase(), 1));
    }
    let escaped = if first == b'%' { escape_at(octets) } else { None };
    match escaped {
        Some(octet) if !delimiters.has(octet) => return Some((octet, 3)),
        Some(_) => *kept = 2,
        None => {}
    }
    Some((first, 1))
}

/// The octets of a part, decoded.
struct Decoded<'p> {
    rest: &'p [u8],
    behind: Pieces<'p>,
    delimiters: OctetSet,
    /// How many octets are those of an escape that is kept.
    kept: u8,
}

impl<'p> Decoded<'p> {
    fn of(part: &'p Text<'_>, delimiters: OctetSet) -> Decoded<'p> {
        Decoded { rest: b"", behind: part.pieces(), delimiters, kept: 0 }
    }
}

impl Decoded<'_> {
    /// The next octet where a piece has ended.
    #[cold]
    fn next_behind(&mut self) -> Option<u8> {
        while self.rest.is_empty() {
            self.rest = self.behind.next()?.as_bytes();
        }
        self.next()
    }
}

impl Iterator for Decoded<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let Some((octet, length)) = first(self.rest, &mut self.kept, self.delimiters) else {
            return self.next_behind();
        };
        self.rest = &self.rest[length..];
        Some(octet)
    }
}

#[cfg(test)]
mod tests {
    use super::{DELIMITERS, Decoded, Part, WORD, is_decoded_as};
    use crate::text::Text;
    use std::borrow::Cow;

    #[test]
    fn escapes_of_delimiters_differ_from_delimiters_except_in_words() {
        for part in [Text::from("a%62%2F%4"), Text::Written(Cow::Owned("a%62%2F%4".to_owned()))] {
            let is = |other: &'static str, delimiters| Part::of(part.clone(), delimiters).is(&other.into());
            assert!(is("%61b%2f%4", DELIMITERS) && !is("ab/%4", DELIMITERS) && !is("ab%2F%25", DELIMITERS));
            assert!(is("ab/%4", WORD) && is("ab%2f%4", WORD) && !is("ab/", WORD));
        }
        // What is decoded where it stands ends where its last octet is written.
        let owned = Part::of(Text::Written(Cow::Owned("%61%2f%62%63".to_owned())), DELIMITERS);
        let is = |other: &'static str| owned.is(&other.into());
        assert!(is("a%2Fbc") && is("a%2F%62c") && !is("a%2Fbcbc") && !is("a/bc"));
        let unescaped = Part::of(Text::Written(Cow::Owned("ab".to_owned())), DELIMITERS);
        let is = |other: &'static str| unescaped.is(&other.into());
        assert!(is("a%62") && is("ab") && !is("abc"));
    }

    #[test]
    fn pieces_are_compared_as_their_octets_are_one_after_another() {
        const LENGTH: u32 = 5;
        let alphabet = *b"%42fFa\xFF";
        for number in 0..alphabet.len().pow(LENGTH) {
            let digit = |at| alphabet[number / alphabet.len().pow(at) % alphabet.len()];
            let octets: Vec<u8> = (0..LENGTH).map(digit).collect();
            let text = Text::from(&octets[..]);
            let mut decoded: Vec<u8> = Decoded::of(&text, DELIMITERS).collect();
            assert!(is_decoded_as(&decoded, &text, DELIMITERS), "{octets:x?}");
            decoded.push(b'a');
            assert!(!is_decoded_as(&decoded, &text, DELIMITERS), "{octets:x?}");
            decoded.truncate(decoded.len() - 2);
            assert!(!is_decoded_as(&decoded, &text, DELIMITERS), "{octets:x?}");
        }
    }

    #[test]
    fn octets_that_are_replaced_are_the_same_however_they_are_held() {
        let written = |octets| Text::Written(Cow::Owned(String::from_utf8_lossy(octets).into_owned()));
        let meanings: [&[&[u8]]; 4] =
            [&[b"\xFF", b"\xFE", b"\xEF\xBF\xBD"], &[b"%41\xFF", b"A\xFE"], &[b"\xFF%4\xFF1"], &[b"%FF"]];
        let texts =
            || meanings.iter().enumerate().flat_map(|(meaning, texts)| texts.iter().map(move |text| (meaning, *text)));
        for (meaning, one) in texts() {
            for (other_meaning, other) in texts() {
                let is_same = meaning == other_meaning;
                for other in [Text::from(other), written(other)] {
                    for one in [Text::from(one), written(one)] {
                        assert_eq!(Part::of(one, DELIMITERS).is(&other), is_same, "{meaning} {other_meaning}");
                    }
                }
            }
        }
    }
}
