//! Replies of FTP and SMTP, a code and lines of text: RFC 959 section 4.2, read strictly and within bounds (S-27).

use super::{Fault, FaultKind, Input};
use crate::language::{message, words};
use urlwise::Words;

/// Limits on one reply.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReplyLimits {
    /// Octets of one line, without its LF.
    pub(super) line: usize,
    /// Octets in all.
    pub(super) reply: usize,
    /// Lines.
    pub(super) lines: usize,
}

/// One reply, with all its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) code: u16,
    /// The lines from the code on, each with its LF.
    octets: Vec<u8>,
}

impl Reply {
    /// The first digit: the outcome of the command.
    pub(super) fn class(&self) -> u16 {
        self.code / 100
    }

    /// The lines without their ends, the code included.
    pub(super) fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.octets.split_inclusive(|octet| *octet == b'\n').map(bare)
    }

    /// The last line, from the code on, for display.
    pub(super) fn last_line(&self) -> &[u8] {
        self.lines().last().unwrap_or_default()
    }

    /// What the last line says after the code and the space.
    pub(super) fn text(&self) -> &[u8] {
        self.last_line().get(4..).unwrap_or_default()
    }
}

/// Reads replies from the pieces that arrive.
#[derive(Debug)]
pub(super) struct Replies {
    /// The reference for the syntax of replies.
    rule: &'static str,
    /// What has arrived and does not belong to an earlier reply.
    held: Vec<u8>,
    /// The start of the incomplete line, how far it has been examined, and the number of complete lines of this reply.
    line: usize,
    looked: usize,
    lines: usize,
    /// The code of the first line, if more lines follow it.
    code: Option<u16>,
}

impl Replies {
    /// A reader for the protocol whose replies `rule` describes.
    pub(super) fn new(rule: &'static str) -> Replies {
        Replies { rule, held: Vec::new(), line: 0, looked: 0, lines: 0, code: None }
    }

    /// The next reply; `None` if more is needed. Takes all input.
    pub(super) fn next(&mut self, input: &mut Input<'_>, limits: ReplyLimits) -> Result<Option<Reply>, Fault> {
        self.held.extend_from_slice(input.take(usize::MAX));
        while let Some(end) = self.held[self.looked..].iter().position(|octet| *octet == b'\n') {
            let end = self.looked + end + 1;
            let line = bare(&self.held[self.line..end]);
            self.lines += 1;
            within(line, end, limits)?;
            if self.lines > limits.lines {
                let what = message!("a reply from the server has more than {count} lines", count = limits.lines);
                return Err(Fault::new(FaultKind::Limit, "S-27", what));
            }
            if line.contains(&0) {
                return Err(self.malformed(words!("a reply from the server contains NUL"), line));
            }
            let last = match self.code {
                Some(code) => line.starts_with(format!("{code} ").as_bytes()).then_some(code),
                None => {
                    let what = words!("a reply from the server has no code");
                    let code = code(line).ok_or_else(|| self.malformed(what, line))?;
                    self.code = Some(code);
                    (line.get(3) != Some(&b'-')).then_some(code)
                }
            };
            (self.line, self.looked) = (end, end);
            if let Some(code) = last {
                let rest = self.held.split_off(end);
                let octets = std::mem::replace(self, Replies { held: rest, ..Replies::new(self.rule) }).held;
                return Ok(Some(Reply { code, octets }));
            }
        }
        self.looked = self.held.len();
        within(bare(&self.held[self.line..]), self.looked, limits)?;
        Ok(None)
    }

    fn malformed(&self, what: Words, octets: &[u8]) -> Fault {
        Fault::new(FaultKind::Malformed, self.rule, what).octets(octets)
    }

    /// What has arrived beyond the last reply.
    pub(super) fn unread(&self) -> &[u8] {
        &self.held
    }
}

/// A line without its end. LF alone is accepted: it is unambiguous.
fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Three digits, the first of them 1 to 5, followed by a space, a hyphen, or nothing.
fn code(line: &[u8]) -> Option<u16> {
    let (digits, rest) = line.split_at_checked(3)?;
    let good = matches!(digits[0], b'1'..=b'5')
        && digits.iter().all(u8::is_ascii_digit)
        && matches!(rest.first(), None | Some(b' ' | b'-'));
    good.then(|| digits.iter().fold(0, |code, digit| code * 10 + u16::from(digit - b'0')))
}

/// Refuses a line, or a reply of `length` octets up to its end, that is too long.
fn within(line: &[u8], length: usize, limits: ReplyLimits) -> Result<(), Fault> {
    let ReplyLimits { line: most, reply: most_in_all, .. } = limits;
    if line.len() <= most && length <= most_in_all {
        return Ok(());
    }
    let what = message!(
        "a reply from the server has more than {count} octets in a line, or {total} in all",
        count = most,
        total = most_in_all
    );
    Err(Fault::new(FaultKind::Limit, "S-27", what))
}

#[cfg(test)]
mod tests {
    use super::{Replies, Reply, ReplyLimits};
    use crate::protocol::{Fault, FaultKind, Input};

    const LIMITS: ReplyLimits = ReplyLimits { line: 8 * 1024, reply: 256 * 1024, lines: 1_000 };

    /// Every reply in `octets`, handed in in pieces of `size`.
    fn all(octets: &[u8], size: usize) -> Result<Vec<Reply>, Fault> {
        let mut replies = Replies::new("RFC 959 section 4.2");
        let mut found = Vec::new();
        for piece in octets.chunks(size) {
            let mut input = Input::new(piece);
            while let Some(reply) = replies.next(&mut input, LIMITS)? {
                found.push(reply);
            }
        }
        Ok(found)
    }

    fn read(octets: &[u8]) -> Result<Vec<Reply>, Fault> {
        let whole = all(octets, usize::MAX);
        for size in [1, 2, 7] {
            assert_eq!(all(octets, size), whole);
        }
        whole
    }

    fn codes(octets: &[u8]) -> Vec<u16> {
        read(octets).expect("they are well formed").iter().map(|reply| reply.code).collect()
    }

    fn kind(octets: &[u8]) -> FaultKind {
        read(octets).expect_err("it must be refused").kind()
    }

    #[test]
    fn replies_of_one_line_and_of_many() {
        assert_eq!(codes(b"220 ready\r\n331 who?\r\n"), [220, 331]);
        assert_eq!(codes(b"220-a\r\n220-b\r\n 220 c\r\n221 d\r\n220\r\n220 e\r\n200 f\r\n"), [220, 200]);
        assert_eq!(codes(b"250\r\n250 ok\n"), [250, 250]);
        assert_eq!(codes(b"250-a\r\n250"), [0; 0]);
        let replies = read(b"211-Features:\r\n MLST\r\n211 End\r\n").expect("it is well formed");
        assert_eq!(replies[0].lines().collect::<Vec<_>>(), [&b"211-Features:"[..], b" MLST", b"211 End"]);
        assert_eq!((replies[0].last_line(), replies[0].text()), (&b"211 End"[..], &b"End"[..]));
    }

    #[test]
    fn security_27_malformed_replies_are_refused() {
        for octets in [&b"hello\r\n"[..], b"\r\n", b"22 x\r\n", b"620 x\r\n", b"020 x\r\n", b"2200 x\r\n", b"220x\r\n"]
        {
            assert_eq!(kind(octets), FaultKind::Malformed, "{octets:?}");
        }
        assert_eq!(kind(b"220 a\0b\r\n"), FaultKind::Malformed);
        assert_eq!(kind(b"220-a\r\n\0\r\n"), FaultKind::Malformed);
    }

    #[test]
    fn security_27_replies_are_bounded() {
        let line = |length: usize| [b"220 ".as_slice(), &vec![b'x'; length - 4], b"\r\n"].concat();
        assert_eq!(codes(&line(8192)), [220]);
        assert_eq!(kind(&line(8193)), FaultKind::Limit);
        assert_eq!(kind(&vec![b'x'; 10_000]), FaultKind::Limit, "a line without an end");
        let many = |count| [b"220-x\r\n".repeat(count), b"220 y\r\n".to_vec()].concat();
        assert_eq!(codes(&many(999)), [220]);
        assert_eq!(kind(&many(1_000)), FaultKind::Limit);
        assert_eq!(
            kind(&[b"220-\r\n".to_vec(), [vec![b'x'; 8000], vec![b'\n']].concat().repeat(33)].concat()),
            FaultKind::Limit
        );
    }
}
