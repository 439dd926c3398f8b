//! Lines of octets that arrive in pieces.

use std::io;

use crate::pages::text;

/// Cuts octets into lines.
#[derive(Default)]
pub(super) struct Lines {
    /// The beginning of a line.
    held: Vec<u8>,
}

/// The longest line that is shown as one.
const LONGEST_LINE: usize = 64 * 1024;

impl Lines {
    /// Hands over every line that is complete, and at the end what is left.
    pub(super) fn receive(
        &mut self,
        octets: &[u8],
        is_end: bool,
        line: &mut dyn FnMut(&str) -> io::Result<()>,
    ) -> io::Result<()> {
        for piece in octets.split_inclusive(|octet| *octet == b'\n') {
            self.held.extend_from_slice(piece);
            if piece.ends_with(b"\n") || self.held.len() >= LONGEST_LINE {
                self.hand_over(line)?;
            }
        }
        if is_end && !self.held.is_empty() { self.hand_over(line) } else { Ok(()) }
    }

    fn hand_over(&mut self, line: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        let held = std::mem::take(&mut self.held);
        let whole = held.strip_suffix(b"\n").unwrap_or(&held);
        line(&text::read(whole.strip_suffix(b"\r").unwrap_or(whole)))
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_LINE, Lines};

    fn lines(pieces: &[&[u8]]) -> Vec<String> {
        let (mut lines, mut found) = (Lines::default(), Vec::new());
        for (number, piece) in pieces.iter().enumerate() {
            let mut take = |line: &str| {
                found.push(line.to_owned());
                Ok(())
            };
            lines.receive(piece, number + 1 == pieces.len(), &mut take).expect("nothing is written");
        }
        found
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
