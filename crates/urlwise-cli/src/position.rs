//! Lines and columns of a text.

/// A position in a text. It only moves forward, so that the total time is linear for any number of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// Octets before it.
    pub(crate) offset: usize,
    /// From 1; lines end in LF.
    pub(crate) line: usize,
    /// In octets, from 1.
    pub(crate) column: usize,
    /// In characters, from 1. Each octet that is not UTF-8 counts as a character.
    pub(crate) character: usize,
}

impl Position {
    pub(crate) const START: Position = Position { offset: 0, line: 1, column: 1, character: 1 };

    /// The position after these octets.
    pub(crate) fn after(self, octets: &[u8]) -> Position {
        let offset = self.offset + octets.len();
        match memchr::memrchr(b'\n', octets) {
            Some(last) => {
                let line = self.line + memchr::memchr_iter(b'\n', &octets[..=last]).count();
                let rest = &octets[last + 1..];
                Position { offset, line, column: rest.len() + 1, character: characters(rest) + 1 }
            }
            None => Position {
                offset,
                line: self.line,
                column: self.column + octets.len(),
                character: self.character + characters(octets),
            },
        }
    }
}

fn characters(octets: &[u8]) -> usize {
    if octets.is_ascii() {
        return octets.len();
    }
    octets.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(octets: &[u8]) -> (usize, usize, usize, usize) {
        let Position { offset, line, column, character } = Position::START.after(octets);
        (offset, line, column, character)
    }

    #[test]
    fn lines_and_columns_count_from_1() {
        assert_eq!(place(b""), (0, 1, 1, 1));
        assert_eq!(place(b"ab"), (2, 1, 3, 3));
        assert_eq!(place(b"ab\n"), (3, 2, 1, 1));
        assert_eq!(place(b"a\r\n\nbc"), (6, 3, 3, 3));
    }

    #[test]
    fn columns_are_octets_and_characters_are_those_of_utf_8() {
        assert_eq!(place("x\n\u{e9}\u{4e2d}".as_bytes()), (7, 2, 6, 3));
        assert_eq!(place(b"\xE9\xE9a"), (3, 1, 4, 4));
    }

    #[test]
    fn steps_add_up() {
        let text = b"one\ntwo\r\nthree \xE9 four";
        for cut in 0..=text.len() {
            assert_eq!(Position::START.after(&text[..cut]).after(&text[cut..]), Position::START.after(text));
        }
    }
}
