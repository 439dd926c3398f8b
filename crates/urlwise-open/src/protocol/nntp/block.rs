//! Blocks: RFC 3977 section 3.1.1, lines that end with a lone dot, each dot at the beginning of a line doubled.

use super::reply::LineReader;
use super::settings::NntpLimits;
use crate::language::message;
use crate::protocol::{Fault, FaultKind, Input};
use std::borrow::Cow;

/// The lines of a list.
#[derive(Debug, Default)]
pub(super) struct BlockLines {
    line: LineReader,
    count: u64,
}

/// The result of reading a block.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BlockPiece<T> {
    /// All input is taken and more is needed.
    More,
    Some(T),
    /// The lone dot.
    End,
}

impl BlockLines {
    /// The next line, without its end and its doubled dot.
    pub(super) fn next(&mut self, input: &mut Input<'_>, limits: &NntpLimits) -> Result<BlockPiece<Vec<u8>>, Fault> {
        let Some(mut line) = self.line.next(input, limits.line)? else { return Ok(BlockPiece::More) };
        if line == b"." {
            return Ok(BlockPiece::End);
        }
        self.count += 1;
        if self.count > limits.list_lines {
            let what = message!("the list is longer than {count} lines", count = limits.list_lines);
            return Err(Fault::new(FaultKind::Limit, "S-49", what));
        }
        if line.starts_with(b".") {
            line.remove(0);
        }
        Ok(BlockPiece::Some(line))
    }
}

/// The octets of a document.
#[derive(Debug, Default)]
pub(super) struct BlockOctets {
    place: LinePlace,
}

/// The position in a line of the next octet. A dot is known to be lone only once its line ends, so it is held back, and a CR
/// after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LinePlace {
    #[default]
    Start,
    Dot,
    DotCr,
    Inside,
}

impl BlockOctets {
    /// The next octets, as much of the input as is in one piece.
    pub(super) fn next<'i>(&mut self, input: &mut Input<'i>) -> BlockPiece<Cow<'i, [u8]>> {
        while let Some(&octet) = input.octets().first() {
            self.place = match (self.place, octet) {
                (LinePlace::Inside, _) => return BlockPiece::Some(Cow::Borrowed(self.run(input))),
                (LinePlace::Start, b'.') => LinePlace::Dot,
                (LinePlace::Start, _) => LinePlace::Inside,
                (LinePlace::Dot, b'\r') => LinePlace::DotCr,
                (LinePlace::Dot | LinePlace::DotCr, b'\n') => {
                    input.take(1);
                    return BlockPiece::End;
                }
                // The dot was doubled, or should have been: drop it.
                (LinePlace::Dot, _) => LinePlace::Inside,
                (LinePlace::DotCr, _) => {
                    self.place = LinePlace::Inside;
                    return BlockPiece::Some(Cow::Borrowed(b"\r"));
                }
            };
            if self.place != LinePlace::Inside {
                input.take(1);
            }
        }
        BlockPiece::More
    }

    /// The octets up to the next line that begins with a dot.
    fn run<'i>(&mut self, input: &mut Input<'i>) -> &'i [u8] {
        let octets = input.octets();
        let mut at = 0;
        while let Some(end) = octets[at..].iter().position(|octet| *octet == b'\n') {
            at += end + 1;
            if octets.get(at).is_none_or(|next| *next == b'.') {
                self.place = LinePlace::Start;
                return input.take(at);
            }
        }
        input.take(octets.len())
    }
}

#[cfg(test)]
mod tests {
    use super::{BlockLines, BlockOctets, BlockPiece};
    use crate::protocol::Input;
    use crate::protocol::nntp::NntpLimits;

    /// What a document in pieces of `size` comes to, and what is left once it has ended.
    fn octets(block: &[u8], size: usize) -> Option<(Vec<u8>, usize)> {
        let (mut reader, mut text) = (BlockOctets::default(), Vec::new());
        for (number, piece) in block.chunks(size).enumerate() {
            let mut input = Input::new(piece);
            loop {
                match reader.next(&mut input) {
                    BlockPiece::More => break,
                    BlockPiece::Some(piece) => text.extend_from_slice(&piece),
                    BlockPiece::End => {
                        return Some((text, block.len() - number * size - piece.len() + input.octets().len()));
                    }
                }
            }
        }
        None
    }

    #[test]
    fn doubled_dots_are_undone_and_a_lone_one_ends_the_text() {
        for (wire, text) in [
            (&b".\r\n"[..], &b""[..]),
            (b"a\r\n.\r\n", b"a\r\n"),
            (b"..\r\n...two\r\n..\n.\r\n", b".\r\n..two\r\n.\n"),
            (b"a.b\r\n.x\r\n.\n", b"a.b\r\nx\r\n"),
            (b".\rx\r\n.\r\n", b"\rx\r\n"),
            (b"a\r.\r\n\r\n.\r\n", b"a\r.\r\n\r\n"),
            (b"\xff\0\n.\r\n", b"\xff\0\n"),
        ] {
            let more = [wire, b"200 next"].concat();
            for size in 1..=more.len() {
                let left = octets(&more, size).map(|(text, _)| text);
                assert_eq!(left.as_deref(), Some(text), "{wire:?} in pieces of {size}");
            }
            assert_eq!(octets(&more, more.len()).map(|(_, left)| left), Some(8), "{wire:?}");
            for cut in 0..wire.len() {
                assert_eq!(octets(&wire[..cut], 7), None, "{wire:?} cut at {cut}");
            }
        }
    }

    #[test]
    fn lists_are_read_the_same_way() {
        let mut input = Input::new(b"a\r\n..b\n.c\r\n\r\n.\r\nrest");
        let (mut lines, mut found) = (BlockLines::default(), Vec::new());
        while let BlockPiece::Some(line) = lines.next(&mut input, &NntpLimits::default()).expect("within its limits") {
            found.push(line);
        }
        assert_eq!(found, [&b"a"[..], b".b", b"c", b""]);
        assert_eq!(input.octets(), b"rest");
    }
}
