//! Tokens and lines (Prospero protocol, version 5).
//!
//! A line ends at a line feed outside quotes, tokens are separated by blanks, and `'` opens a quote anywhere in a token. In a quote
//! `''` is one quote character and any other octet is data, including line feeds. The writer quotes everything that could have
//! another meaning, so that a name can never end its token or its line.

use crate::language::{message, words};
use crate::protocol::{Fault, FaultKind, Input};

const QUOTE: u8 = b'\'';

/// The longest line, counted in the octets of its tokens and one for each token, without the contents of a document.
const LONGEST_LINE: usize = 64 * 1024;

const RULE: &str = "Prospero 5 quoting";

/// The tokens of a line, at least one.
pub(super) type Tokens = Vec<Vec<u8>>;

/// Whether the token names the type of a sequence of tokens; `ASCII` is its old name.
pub(super) fn is_sequence(token: &[u8]) -> bool {
    matches!(token, b"SEQUENCE" | b"ASCII")
}

/// Appends a blank and the token.
///
/// The token is quoted if it is empty or contains a blank, a control, a quote, `/`, `+` or `,`, as the servers do.
///
/// # Errors
/// The token contains NUL, which is not allowed in a request, quoted or not (S-4 and S-5).
pub(super) fn write(token: &[u8], line: &mut Vec<u8>) -> Result<(), Fault> {
    if let Some(at) = token.iter().position(|octet| *octet == 0) {
        let what = words!("a request to a Prospero server cannot contain NUL");
        let fault = Fault::new(FaultKind::Refused, "S-4", what);
        return Err(fault.octets(token).at(at));
    }
    line.push(b' ');
    let is_plain = |octet: &u8| octet.is_ascii_graphic() && !matches!(octet, b'\'' | b'/' | b'+' | b',');
    if !token.is_empty() && token.iter().all(is_plain) {
        line.extend_from_slice(token);
        return Ok(());
    }
    line.push(QUOTE);
    for &octet in token {
        line.push(octet);
        if octet == QUOTE {
            line.push(QUOTE);
        }
    }
    line.push(QUOTE);
    Ok(())
}

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LineEvent<'i> {
    /// A line. Contents that were returned before are an empty token in it.
    Line(Tokens),
    /// The token with the contents of a document begins; it has at least one octet.
    Contents,
    /// Octets of that token, at least one.
    Data(&'i [u8]),
    /// All input is taken.
    More,
}

/// Reads lines from octets that arrive in pieces of any size.
#[derive(Debug, Default)]
pub(super) struct TokenReader {
    tokens: Tokens,
    token: Vec<u8>,
    place: TokenPlace,
    /// The size of this line so far, without contents.
    kept: usize,
    /// The current token is returned as it arrives and not kept.
    is_contents: bool,
    /// Its beginning has been reported.
    is_announced: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TokenPlace {
    /// Between tokens.
    #[default]
    Between,
    /// In a token, outside quotes.
    Token,
    /// Inside a quote.
    Quote,
    /// After a quote character inside a quote: the end of the quote, unless another follows.
    Closing,
}

impl TokenReader {
    /// Reads up to the next event.
    ///
    /// # Errors
    /// [`FaultKind::Limit`] if a line is too long.
    pub(super) fn next<'i>(&mut self, input: &mut Input<'i>) -> Result<LineEvent<'i>, Fault> {
        while let Some(&octet) = input.octets().first() {
            match (self.place, octet) {
                (TokenPlace::Between, b' ' | b'\t') => {
                    input.take(1);
                }
                (TokenPlace::Between, b'\n' | b'\r') => {
                    input.take(1);
                    if let Some(line) = self.line() {
                        return Ok(LineEvent::Line(line));
                    }
                }
                (TokenPlace::Between, _) => {
                    self.place = TokenPlace::Token;
                    (self.is_contents, self.is_announced) = (is_contents(&self.tokens), false);
                }
                (TokenPlace::Token, b' ' | b'\t' | b'\n' | b'\r') => self.end_token()?,
                (TokenPlace::Token, QUOTE) => {
                    self.place = TokenPlace::Quote;
                    input.take(1);
                }
                (TokenPlace::Quote, QUOTE) => {
                    self.place = TokenPlace::Closing;
                    input.take(1);
                }
                (TokenPlace::Closing, QUOTE) => {
                    if self.announces() {
                        return Ok(LineEvent::Contents);
                    }
                    self.place = TokenPlace::Quote;
                    // The second quote character stands for both.
                    if let Some(data) = self.keep(input, 1)? {
                        return Ok(LineEvent::Data(data));
                    }
                }
                (TokenPlace::Closing, _) => self.place = TokenPlace::Token,
                (TokenPlace::Token | TokenPlace::Quote, _) => {
                    if self.announces() {
                        return Ok(LineEvent::Contents);
                    }
                    let is_quoted = self.place == TokenPlace::Quote;
                    let ends =
                        |octet: &u8| *octet == QUOTE || (!is_quoted && matches!(octet, b' ' | b'\t' | b'\n' | b'\r'));
                    let count = input.octets().iter().position(ends).unwrap_or(input.octets().len());
                    if let Some(data) = self.keep(input, count)? {
                        return Ok(LineEvent::Data(data));
                    }
                }
            }
        }
        Ok(LineEvent::More)
    }

    /// The last line of a complete answer, without its line feed; `None` for an answer without lines.
    ///
    /// # Errors
    /// [`FaultKind::Partial`] if it ends inside a quote.
    pub(super) fn end(&mut self) -> Result<Option<Tokens>, Fault> {
        match self.place {
            TokenPlace::Quote => {
                let fault = Fault::new(FaultKind::Partial, RULE, words!("the answer ends inside a quoted token"));
                Err(fault.octets(&self.token))
            }
            TokenPlace::Between => Ok(self.line()),
            TokenPlace::Token | TokenPlace::Closing => {
                self.end_token()?;
                Ok(self.line())
            }
        }
    }

    /// Whether contents begin here. True only once per token.
    fn announces(&mut self) -> bool {
        let is_new = self.is_contents && !self.is_announced;
        self.is_announced |= is_new;
        is_new
    }

    /// Takes octets of the token: returns them if they are contents, and keeps them otherwise.
    fn keep<'i>(&mut self, input: &mut Input<'i>, count: usize) -> Result<Option<&'i [u8]>, Fault> {
        let octets = input.take(count);
        if self.is_contents {
            return Ok(Some(octets));
        }
        self.grow(count)?;
        self.token.extend_from_slice(octets);
        Ok(None)
    }

    fn end_token(&mut self) -> Result<(), Fault> {
        self.place = TokenPlace::Between;
        self.is_contents = false;
        self.tokens.push(std::mem::take(&mut self.token));
        // Empty tokens need memory, too.
        self.grow(1)
    }

    fn grow(&mut self, count: usize) -> Result<(), Fault> {
        self.kept += count;
        if self.kept > LONGEST_LINE {
            let what = message!("a line of the answer is longer than {count} octets", count = LONGEST_LINE);
            return Err(Fault::new(FaultKind::Limit, "S-49", what));
        }
        Ok(())
    }

    fn line(&mut self) -> Option<Tokens> {
        self.kept = 0;
        Some(std::mem::take(&mut self.tokens)).filter(|tokens| !tokens.is_empty())
    }
}

/// Whether the next token of this line is the contents of a document:
/// `ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA ...`, where the type may be missing.
fn is_contents(tokens: &[Vec<u8>]) -> bool {
    match tokens {
        [first, _, _, name, middle @ .., last] => {
            let is_typed = match middle {
                [] => true,
                [kind] => is_sequence(kind),
                _ => false,
            };
            first == b"ATTRIBUTE" && name == b"CONTENTS" && is_typed && last == b"DATA"
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(token: &[u8]) -> Vec<u8> {
        let mut line = Vec::new();
        write(token, &mut line).expect("no NUL");
        line
    }

    fn lines(octets: &[u8]) -> Vec<Tokens> {
        let (mut reader, mut input, mut lines) = (TokenReader::default(), Input::new(octets), Vec::new());
        loop {
            match reader.next(&mut input).expect("a short line") {
                LineEvent::Line(line) => lines.push(line),
                LineEvent::More => break,
                other => panic!("{other:?}"),
            }
        }
        lines.extend(reader.end().expect("closed quotes"));
        lines
    }

    #[test]
    fn tokens_are_quoted_as_a_whole_or_not_at_all() {
        for (token, line) in [
            ("plain", " plain"),
            ("#ALL", " #ALL"),
            ("", " ''"),
            ("sub dir", " 'sub dir'"),
            ("it's", " 'it''s'"),
            ("/pfs", " '/pfs'"),
            ("a+b", " 'a+b'"),
            ("a,b", " 'a,b'"),
            ("a\r\nLIST x", " 'a\r\nLIST x'"),
            ("'", " ''''"),
        ] {
            assert_eq!(written(token.as_bytes()), line.as_bytes());
        }
        assert_eq!(written(b"\xe9"), b" '\xe9'");
    }

    #[test]
    fn security_5_the_writer_refuses_nul() {
        let mut line = Vec::new();
        let fault = write(b"a\0b", &mut line).expect_err("NUL");
        assert_eq!((fault.kind(), fault.place(), line.is_empty()), (FaultKind::Refused, Some(1), true));
    }

    #[test]
    fn quotes_open_anywhere_in_a_token() {
        let read = lines(b"sub' dir' it'''s' 0'/docs/intro' '' a''b\n");
        assert_eq!(read, [["sub dir", "it's", "0/docs/intro", "", "ab"].map(|token| token.as_bytes().to_vec())]);
    }

    #[test]
    fn only_data_of_contents_begins_a_document() {
        let announces =
            |words: &str| is_contents(&words.split(' ').map(|word| word.as_bytes().to_vec()).collect::<Vec<_>>());
        assert!(announces("ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA"));
        assert!(announces("ATTRIBUTE OBJECT FIELD CONTENTS DATA"));
        for words in [
            "PARAMETER OBJECT INTRINSIC CONTENTS SEQUENCE DATA",
            "ATTRIBUTE OBJECT INTRINSIC COMMENT SEQUENCE DATA",
            "ATTRIBUTE OBJECT INTRINSIC CONTENTS FILTER DATA",
            "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE SEQUENCE DATA",
            "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE FILE",
            "ATTRIBUTE OBJECT CONTENTS DATA",
        ] {
            assert!(!announces(words), "{words}");
        }
    }

    #[test]
    fn empty_lines_are_no_lines_and_the_last_may_lack_its_end() {
        let read = lines(b"\n  \nA  b\t c \r\n\nB");
        assert_eq!(read, [vec![b"A".to_vec(), b"b".to_vec(), b"c".to_vec()], vec![b"B".to_vec()]]);
    }

    #[test]
    fn line_ends_inside_quotes_are_data() {
        assert_eq!(lines(b"A 'b\n\r\0c'\nB"), [vec![b"A".to_vec(), b"b\n\r\0c".to_vec()], vec![b"B".to_vec()]]);
    }

    #[test]
    fn an_answer_that_ends_inside_a_quote_is_not_whole() {
        let mut reader = TokenReader::default();
        assert_eq!(reader.next(&mut Input::new(b"A 'b")), Ok(LineEvent::More));
        assert_eq!(reader.end().expect_err("open").kind(), FaultKind::Partial);
    }

    #[test]
    fn security_49_a_line_without_end_is_refused_and_contents_are_not_kept() {
        let long = vec![b'a'; LONGEST_LINE];
        let mut reader = TokenReader::default();
        assert_eq!(reader.next(&mut Input::new(&long)), Ok(LineEvent::More));
        assert_eq!(reader.next(&mut Input::new(b"a")).expect_err("too long").kind(), FaultKind::Limit);

        let mut reader = TokenReader::default();
        let mut input = Input::new(b"ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA x");
        assert_eq!(reader.next(&mut input), Ok(LineEvent::Contents));
        assert_eq!(reader.next(&mut input), Ok(LineEvent::Data(b"x")));
        assert_eq!(reader.next(&mut input), Ok(LineEvent::More));
        for _ in 0..3 {
            assert_eq!(reader.next(&mut Input::new(&long)), Ok(LineEvent::Data(&long)));
        }
        assert!(reader.token.is_empty() && reader.kept < 100);
    }

    #[test]
    fn security_49_empty_tokens_without_end_are_refused() {
        let mut reader = TokenReader::default();
        let end = (0..LONGEST_LINE + 1).find_map(|_| reader.next(&mut Input::new(b"'' ")).err());
        assert_eq!(end.expect("a limit").kind(), FaultKind::Limit);
    }

    #[test]
    fn tokens_come_back_as_they_were_written() {
        for token in [&b""[..], b"'", b"''", b"a'b c", b"\r\n", b"+,/", b"\xff\x01", b"COMPONENTS"] {
            let line = [b"X".to_vec(), written(token), b"\n".to_vec()].concat();
            assert_eq!(lines(&line), [vec![b"X".to_vec(), token.to_vec()]]);
        }
    }
}
