//! Documents in Latin-1 (ISO 8859-1), which a terminal gets in UTF-8 (D-96). Files and pipes get every document as it is.

use std::str;

use urlwise::Scheme;
use urlwise_open::Document;

/// The names of Latin-1 in media types, as registered with IANA.
const NAMES: &[&str] = &["iso-8859-1", "iso_8859-1", "iso8859-1", "latin1", "l1", "cp819", "ibm819", "iso-ir-100"];

/// Whether the protocol says that a document is in Latin-1: gopher does by itself (RFC 1436 section 3.4), http in the media type.
pub(super) fn is_latin1(document: &Document) -> bool {
    match document.final_url().scheme().base() {
        Scheme::Gopher => true,
        Scheme::Http => document.charset().is_some_and(is_name),
        _ => false,
    }
}

fn is_name(charset: &str) -> bool {
    NAMES.iter().any(|name| charset.eq_ignore_ascii_case(name))
}

/// Turns Latin-1 into UTF-8, however it arrives. What is UTF-8 already stays: many servers of today send that.
#[derive(Debug, Default)]
pub(super) struct Latin1 {
    /// The beginning of a character of UTF-8, at most three octets.
    held: Vec<u8>,
}

impl Latin1 {
    /// The text of the next octets.
    pub(super) fn decode(&mut self, octets: &[u8]) -> String {
        self.held.extend_from_slice(octets);
        let mut text = String::with_capacity(self.held.len());
        let mut rest = self.held.as_slice();
        while let Err(error) = str::from_utf8(rest) {
            let (valid, other) = rest.split_at(error.valid_up_to());
            text += str::from_utf8(valid).unwrap_or_default();
            rest = other;
            let Some(length) = error.error_len() else { break };
            let (wrong, behind) = rest.split_at(length);
            text.extend(wrong.iter().copied().map(char::from));
            rest = behind;
        }
        // Valid, or the beginning of a character that the next octets may complete.
        if let Ok(valid) = str::from_utf8(rest) {
            text += valid;
            rest = &[];
        }
        self.held = rest.to_vec();
        text
    }

    /// The text of what no other octets have completed.
    pub(super) fn end(&mut self) -> String {
        std::mem::take(&mut self.held).into_iter().map(char::from).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(octets: &[u8], cut: usize) -> String {
        let mut decoder = Latin1::default();
        let pieces = [&octets[..cut], b"", &octets[cut..]];
        let text: String = pieces.into_iter().map(|piece| decoder.decode(piece)).collect();
        text + &decoder.end()
    }

    #[test]
    fn latin1_becomes_utf8_and_utf8_stays_however_they_are_cut() {
        for (octets, text) in [
            (&b"caf\xe9 \xfcber"[..], "caf\u{e9} \u{fc}ber"),
            ("caf\u{e9} \u{20ac}\u{1f600}".as_bytes(), "caf\u{e9} \u{20ac}\u{1f600}"),
            (b"\xe9", "\u{e9}"),
            // Beginnings of characters of three and four octets that are not continued.
            (b"\xe2\x82x\xf0\x9f\x98", "\u{e2}\u{82}x\u{f0}\u{9f}\u{98}"),
            (b"\xff\xc2", "\u{ff}\u{c2}"),
            (b"", ""),
        ] {
            for cut in 0..=octets.len() {
                assert_eq!(decoded(octets, cut), text, "{octets:x?} cut at {cut}");
            }
        }
    }

    #[test]
    fn only_the_names_of_latin1_are_latin1() {
        for (charset, is_latin1) in
            [("iso-8859-1", true), ("ISO-8859-1", true), ("latin1", true), ("iso-8859-15", false), ("utf-8", false)]
        {
            assert_eq!(is_name(charset), is_latin1, "{charset}");
        }
    }
}
