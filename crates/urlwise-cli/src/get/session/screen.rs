//! The output of a session, raw or with control sequences escaped (S-46).

use std::fmt::Write as _;
use std::io::{self, Write};

use urlwise::{escape_for_display, is_harmful};
use urlwise_open::ErrorKind;

use crate::exit::{Status, os_message};
use crate::get::attempt::AttemptError;
use crate::language::{said, words};

/// Standard output during a session.
pub(super) struct Screen<'o> {
    out: &'o mut dyn Write,
    /// Escape control sequences, because the output is a terminal.
    guarded: bool,
    /// The beginning of a character whose end has not arrived.
    cut: Vec<u8>,
    octets: u64,
}

impl<'o> Screen<'o> {
    pub(super) fn new(out: &'o mut dyn Write, guarded: bool) -> Screen<'o> {
        Screen { out, guarded, cut: Vec::new(), octets: 0 }
    }

    /// How many octets the server sent.
    pub(super) fn octets(&self) -> u64 {
        self.octets
    }

    /// Writes text of the server, and flushes.
    pub(super) fn show(&mut self, text: &[u8]) -> Result<(), AttemptError> {
        self.octets += text.len() as u64;
        if self.guarded {
            let text = harmless(&mut self.cut, text);
            return self.write(text.as_bytes());
        }
        self.write(text)
    }

    /// Writes text of the program.
    #[cfg(unix)]
    pub(super) fn say(&mut self, words: &str) -> Result<(), AttemptError> {
        self.write(words.as_bytes())
    }

    fn write(&mut self, octets: &[u8]) -> Result<(), AttemptError> {
        self.out.write_all(octets).and_then(|()| self.out.flush()).map_err(|error| match error.kind() {
            // The reader has closed the pipe.
            io::ErrorKind::BrokenPipe => AttemptError::Fatal(error.into()),
            _ => AttemptError::Local(
                Status::Failed(ErrorKind::Write),
                said!("cannot write {name}: {why}", name = words!("standard output"), why = os_message(&error)),
            ),
        })
    }
}

/// Escapes harmful characters except line ends and tabs. An incomplete character is kept in `cut`.
fn harmless(cut: &mut Vec<u8>, text: &[u8]) -> String {
    cut.extend_from_slice(text);
    let whole = match str::from_utf8(cut) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        // After an earlier error it is unknown whether the last character is incomplete; it is then treated as invalid.
        _ => cut.len(),
    };
    let rest = cut.split_off(whole);
    let mut plain = String::with_capacity(cut.len());
    for chunk in cut.utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_harmful(c) && !matches!(c, '\n' | '\r' | '\t') {
                // Writing to a String cannot fail.
                let _ = write!(plain, "{}", escape_for_display(c.encode_utf8(&mut [0; 4]).as_bytes()));
            } else {
                plain.push(c);
            }
        }
        let _ = write!(plain, "{}", escape_for_display(chunk.invalid()));
    }
    *cut = rest;
    plain
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn security_46_control_sequences_are_escaped_however_they_are_split() {
        let text = "caf\u{e9}\t1\\2\r\n\x1b]0;owned\x07\x00\u{9b}31m\u{202e}x\n".as_bytes();
        let expected = "caf\u{e9}\t1\\2\r\n\\x1b]0;owned\\x07\\x00\\u{9b}31m\\u{202e}x\n";
        for at in 0..=text.len() {
            let mut cut = Vec::new();
            let (left, right) = text.split_at(at);
            assert_eq!(harmless(&mut cut, left) + &harmless(&mut cut, right), expected, "cut at {at}");
        }
        let mut cut = Vec::new();
        assert_eq!(harmless(&mut cut, b"\xff\x9b1m\xc3"), "\\xff\\x9b1m\\xc3");
        assert!(cut.is_empty());
    }
}
