//! Replies: RFC 3977 section 3.2, one line each, read strictly and within a bound.

use super::settings::NntpLimits;
use crate::language::{message, words};
use crate::protocol::{Fault, FaultKind, Input};
use urlwise::Words;

/// One reply, without the block that may follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NntpReply {
    pub(super) code: u16,
    /// The whole line without its end, for people.
    pub(super) line: Vec<u8>,
}

impl NntpReply {
    /// The words after the code.
    pub(super) fn words(&self) -> impl Iterator<Item = &[u8]> {
        let text = self.line.get(3..).unwrap_or_default();
        text.split(|octet| matches!(octet, b' ' | b'\t')).filter(|word| !word.is_empty())
    }
}

/// Reads one line after another, and takes nothing beyond it.
#[derive(Debug, Default)]
pub(super) struct LineReader(Vec<u8>);

impl LineReader {
    /// The next line without its end; `None` if more is needed. Takes input up to the line end.
    ///
    /// # Errors
    /// [`FaultKind::Limit`] for a line longer than `most` octets.
    pub(super) fn next(&mut self, input: &mut Input<'_>, most: usize) -> Result<Option<Vec<u8>>, Fault> {
        let octets = input.octets();
        let end = octets.iter().position(|octet| *octet == b'\n');
        let piece = input.take(end.map_or(octets.len(), |end| end + 1));
        // Two more for the line end.
        if self.0.len() + piece.len() > most + 2 {
            let what = message!("a line from the server is longer than {count} octets", count = most);
            return Err(Fault::new(FaultKind::Limit, "RFC 3977 section 3.1", what));
        }
        self.0.extend_from_slice(piece);
        if end.is_none() {
            return Ok(None);
        }
        let mut line = std::mem::take(&mut self.0);
        line.pop();
        // LF alone is accepted: it is unambiguous.
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Ok(Some(line))
    }

    /// Whether a line has begun.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next reply; `None` if more is needed.
    pub(super) fn reply(&mut self, input: &mut Input<'_>, limits: &NntpLimits) -> Result<Option<NntpReply>, Fault> {
        let Some(line) = self.next(input, limits.reply)? else { return Ok(None) };
        if line.contains(&0) {
            return Err(malformed(words!("a reply from the server contains NUL"), &line));
        }
        match code(&line) {
            Some(code) => Ok(Some(NntpReply { code, line })),
            None => Err(malformed(words!("a reply from the server has no code"), &line)),
        }
    }
}

/// Three digits, the first of them 1 to 5, followed by a blank or nothing.
fn code(line: &[u8]) -> Option<u16> {
    let (digits, rest) = line.split_at_checked(3)?;
    let good = matches!(digits[0], b'1'..=b'5')
        && digits.iter().all(u8::is_ascii_digit)
        && matches!(rest.first(), None | Some(b' ' | b'\t'));
    good.then(|| digits.iter().fold(0, |code, digit| code * 10 + u16::from(digit - b'0')))
}

pub(super) fn malformed(what: Words, octets: &[u8]) -> Fault {
    Fault::new(FaultKind::Malformed, "RFC 3977 section 3.2", what).octets(octets)
}

#[cfg(test)]
mod tests {
    use super::{LineReader, NntpLimits};
    use crate::protocol::{FaultKind, Input};

    fn reply(octets: &[u8]) -> Result<Option<u16>, FaultKind> {
        let mut line = LineReader::default();
        let mut found = None;
        for octet in octets.chunks(1) {
            let reply = line.reply(&mut Input::new(octet), &NntpLimits::default()).map_err(|fault| fault.kind())?;
            found = found.or(reply);
        }
        Ok(found.map(|reply| reply.code))
    }

    #[test]
    fn a_reply_is_a_line_with_a_code() {
        for (octets, code) in [
            (&b"200 ready\r\n"[..], Ok(Some(200))),
            (b"480\n", Ok(Some(480))),
            (b"211\t1 2 3\r\n", Ok(Some(211))),
            (b"200 ready\r", Ok(None)),
            (b"hello\r\n", Err(FaultKind::Malformed)),
            (b"\r\n", Err(FaultKind::Malformed)),
            (b"2000 x\r\n", Err(FaultKind::Malformed)),
            (b"600 x\r\n", Err(FaultKind::Malformed)),
            (b"200-x\r\n", Err(FaultKind::Malformed)),
            (b"200 a\0b\r\n", Err(FaultKind::Malformed)),
        ] {
            assert_eq!(reply(octets), code, "{octets:?}");
        }
    }

    #[test]
    fn security_48_a_line_is_bounded() {
        let line = |length: usize| [&b"200 "[..], &vec![b'x'; length - 4], b"\r\n"].concat();
        assert_eq!(reply(&line(8192)), Ok(Some(200)));
        assert_eq!(reply(&line(8193)), Err(FaultKind::Limit));
        assert_eq!(reply(&vec![b'2'; 10_000]), Err(FaultKind::Limit), "a line without an end");
    }

    #[test]
    fn nothing_is_read_beyond_the_line() {
        let mut input = Input::new(b"382 go\r\nmore");
        let reply = LineReader::default().reply(&mut input, &NntpLimits::default()).expect("well-formed");
        assert_eq!((reply.map(|reply| reply.code), input.octets()), (Some(382), &b"more"[..]));
    }
}
