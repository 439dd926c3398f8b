//! Where the text of a session goes: as it is, or so that no terminal obeys it (S-46).

use std::fmt::Write as _;
use std::io::{self, Write};

use urlwise::{escape_for_display, is_harmful};
use urlwise_open::ErrorKind;

use crate::exit::Status;
use crate::get::job::Trouble;

/// Standard output during a session.
pub(super) struct Screen<'o> {
    out: &'o mut dyn Write,
    /// It is a terminal that must not obey.
    guarded: bool,
    /// The beginning of a character whose end has not come.
    cut: Vec<u8>,
    octets: u64,
}

impl<'o> Screen<'o> {
    pub(super) fn new(out: &'o mut dyn Write, guarded: bool) -> Screen<'o> {
        Screen { out, guarded, cut: Vec::new(), octets: 0 }
    }

    /// How many octets the server wrote.
    pub(super) fn octets(&self) -> u64 {
        self.octets
    }

    /// Text of the server. It is there when this returns.
    pub(super) fn show(&mut self, text: &[u8]) -> Result<(), Trouble> {
        self.octets += text.len() as u64;
        if self.guarded {
            let text = harmless(&mut self.cut, text);
            return self.write(text.as_bytes());
        }
        self.write(text)
    }

    /// Words of ours.
    #[cfg(unix)]
    pub(super) fn say(&mut self, words: &str) -> Result<(), Trouble> {
        self.write(words.as_bytes())
    }

    fn write(&mut self, octets: &[u8]) -> Result<(), Trouble> {
        self.out.write_all(octets).and_then(|()| self.out.flush()).map_err(|error| match error.kind() {
            // Nobody reads any more.
            io::ErrorKind::BrokenPipe => Trouble::Fatal(error.into()),
            _ => Trouble::Here(Status::Failed(ErrorKind::Write), format!("cannot write to standard output: {error}")),
        })
    }
}

/// Text in which everything harmful is escaped but what moves on in plain text. A character that is cut waits in `cut`.
fn harmless(cut: &mut Vec<u8>, text: &[u8]) -> String {
    cut.extend_from_slice(text);
    let whole = match str::from_utf8(cut) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        // An error before the last character hides whether that one is cut; then its beginning counts as an error, too.
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
    fn security_46_what_a_terminal_would_obey_is_escaped_however_it_is_cut() {
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
