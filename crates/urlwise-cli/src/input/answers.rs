//! What is written about the records of a list: to standard output, and between that to standard error.

use std::io::{self, Write};

use crate::console::Console;

/// Answers to some records, in the order of the records.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// For standard output.
    pub(crate) out: Vec<u8>,
    /// For standard error.
    messages: Vec<u8>,
    /// Memory for the text of one answer.
    pub(crate) text: String,
    /// The ends of messages in `messages`, each after how many octets of `out`.
    places: Vec<(usize, usize)>,
}

impl Answers {
    /// Adds a line for standard error.
    pub(crate) fn message(&mut self, line: &str) {
        self.aside(format!("urlwise: {line}\n").as_bytes());
    }

    /// Adds lines for standard error, which follow what `out` has now where both go to one place.
    pub(crate) fn aside(&mut self, lines: &[u8]) {
        self.messages.extend_from_slice(lines);
        self.places.push((self.out.len(), self.messages.len()));
    }

    /// How long they are, in octets.
    pub(super) fn len(&self) -> usize {
        self.out.len() + self.messages.len()
    }

    /// Forgets them, and keeps the memory for the next unless they were unusually long.
    pub(super) fn clear(&mut self) {
        /// In octets.
        const KEPT: usize = 4 << 20;
        if self.out.capacity() > KEPT {
            self.out = Vec::new();
        }
        self.out.clear();
        self.messages.clear();
        self.places.clear();
    }

    /// Writes them to `out` and to standard error.
    pub(super) fn write(&self, out: &mut (dyn Write + Send)) -> io::Result<()> {
        let (mut written, mut said) = (0, 0);
        for &(place, end) in &self.places {
            out.write_all(&self.out[written..place])?;
            out.flush()?;
            Console::default().write(&self.messages[said..end]);
            (written, said) = (place, end);
        }
        out.write_all(&self.out[written..])
    }
}
