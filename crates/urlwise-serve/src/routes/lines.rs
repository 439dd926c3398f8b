//! Lines of octets that arrive in pieces, in the charset that the document says it has.

use std::io;

use urlwise_open::charset::Charset;

use crate::pages::text;

/// Cuts octets into lines and decodes them.
#[derive(Default)]
pub(super) struct Lines {
    /// The beginning of a line; all octets in a charset that has no lines of its own.
    held: Vec<u8>,
    /// `None` for UTF-8, and where the charset is not said or not known.
    charset: Option<Charset>,
}

/// The longest line that is shown as one.
const LONGEST_LINE: usize = 64 * 1024;

impl Lines {
    /// Lines of a document that says it has this charset.
    pub(super) fn of(charset: Option<&str>) -> Lines {
        Lines { held: Vec::new(), charset: charset.and_then(Charset::of) }
    }

    /// Hands over every line that is complete.
    pub(super) fn receive(&mut self, octets: &[u8], line: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        if self.charset.is_some_and(|charset| !charset.has_lines()) {
            self.held.extend_from_slice(octets);
            return Ok(());
        }
        for piece in octets.split_inclusive(|octet| *octet == b'\n') {
            self.held.extend_from_slice(piece);
            if piece.ends_with(b"\n") || self.held.len() >= LONGEST_LINE {
                self.hand_over(line)?;
            }
        }
        Ok(())
    }

    /// Hands over what is left.
    pub(super) fn end(mut self, line: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        if self.held.is_empty() { Ok(()) } else { self.hand_over(line) }
    }

    fn hand_over(&mut self, line: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        let held = std::mem::take(&mut self.held);
        match &self.charset {
            None => line(without_end(&text::read(&held))),
            Some(charset) => {
                charset.decode(&held).split_inclusive('\n').try_for_each(|decoded| line(without_end(decoded)))
            }
        }
    }
}

fn without_end(line: &str) -> &str {
    let whole = line.strip_suffix('\n').unwrap_or(line);
    whole.strip_suffix('\r').unwrap_or(whole)
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_LINE, Lines};

    fn lines_in(charset: Option<&str>, pieces: &[&[u8]]) -> Vec<String> {
        let (mut lines, mut found) = (Lines::of(charset), Vec::new());
        let mut take = |line: &str| {
            found.push(line.to_owned());
            Ok(())
        };
        pieces.iter().try_for_each(|piece| lines.receive(piece, &mut take)).expect("nothing is written");
        lines.end(&mut take).expect("nothing is written");
        found
    }

    fn lines(pieces: &[&[u8]]) -> Vec<String> {
        lines_in(None, pieces)
    }

    #[test]
    fn lines_are_decoded_in_their_charset_wherever_they_are_cut() {
        for (charset, octets, found) in [
            ("koi8-r", &b"\xf0\xd2\r\n\xc9"[..], ["Пр", "и"]),
            ("shift_jis", b"\x8b\x4c\n\x8e\x96", ["記", "事"]),
            ("iso-2022-jp", b"\x1b$B5-\x1b(B\r\n\x1b$B;v\x1b(B", ["記", "事"]),
            ("utf-16", b"\xff\xfe\x0a\x04\r\0\n\0\x0d\x0a", ["\u{40a}", "\u{a0d}"]),
            ("utf-8", b"\xd0\x9f\n\xe9", ["П", "\u{e9}"]),
            ("x-unknown", b"\xd0\x9f\n\xe9", ["П", "\u{e9}"]),
        ] {
            for cut in 0..=octets.len() {
                assert_eq!(lines_in(Some(charset), &[&octets[..cut], &octets[cut..]]), found, "{charset} {cut}");
            }
        }
    }

    #[test]
    fn lines_are_the_same_wherever_they_are_cut() {
        assert_eq!(lines(&[b"a\r\n\nb", b"c\r", b"\nd"]), ["a", "", "bc", "d"]);
        assert_eq!(lines(&[b"a\n", b""]), ["a"]);
        assert_eq!(lines(&[b""]), [""; 0]);
    }

    #[test]
    fn security_61_a_line_without_an_end_is_cut() {
        let piece = vec![b'a'; LONGEST_LINE / 2];
        let found = lines(&[&piece, &piece, b"b"]);
        assert_eq!(found.iter().map(String::len).collect::<Vec<_>>(), [LONGEST_LINE, 1]);
    }
}
