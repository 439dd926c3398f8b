//! Status line and headers, bounded (S-33).

use crate::language::{message, words};
use crate::protocol::digits::number;
use crate::protocol::{End, Fault, FaultKind, Input};
use ureq_proto::Error as ProtoError;
use ureq_proto::client::Call;
use ureq_proto::client::state::RecvResponse;
use ureq_proto::http::{Response, header};
use ureq_proto::parser;

/// Most octets of status line and headers, all interim answers together.
pub(super) const MAX_HEAD: usize = 300 * 1024;

/// Most interim answers (1xx) before the real one.
const MAX_INTERIM: usize = 20;

/// Room for the head of most answers, in octets.
const USUAL_HEAD: usize = 1024;

/// How much of one of its lines a message shows, in octets.
pub(super) const SHOWN: usize = 80;

/// The rule most faults of an answer break.
const HTTP: &str = "RFC 9112";

/// An answer whose head is still arriving.
pub(super) struct Head {
    pub(super) call: Call<RecvResponse>,
    /// Those of the answer that is arriving, or has arrived.
    pub(super) octets: Vec<u8>,
    /// Octets of interim answers already dropped.
    dropped: usize,
    interim: usize,
}

impl Head {
    pub(super) fn new(call: Call<RecvResponse>) -> Head {
        Head { call, octets: Vec::new(), dropped: 0, interim: 0 }
    }

    /// Takes octets up to the end of the head.
    pub(super) fn read(&mut self, input: &mut Input<'_>) -> Result<Option<Response<()>>, Fault> {
        loop {
            if let Some(end) = input.end() {
                return Err(self.cut_short(end));
            }
            if self.octets.is_empty() {
                // Empty lines before the status line are skipped (RFC 9112 section 2.2), within the limit of the head.
                let blank = input.octets().iter().take_while(|o| matches!(o, b'\r' | b'\n'));
                let blank = blank.count();
                self.dropped += input.take(blank).len();
            }
            let ended = self.take_head(input);
            if !self.begins_like_http() {
                return Err(self.not_http());
            }
            if self.dropped + self.octets.len() > MAX_HEAD {
                let what = message!("the headers of the answer are longer than {count} octets", count = MAX_HEAD);
                return Err(Fault::new(FaultKind::Limit, "S-33", what));
            }
            if !ended {
                return Ok(None);
            }
            let parsed = self.call.try_response(&self.octets, false);
            let (used, response) = parsed.map_err(|error| malformed(&error, &self.octets))?;
            match response {
                Some(response) => return Ok(Some(response)),
                None if used == 0 => return Err(self.not_http()),
                None => self.interim += 1,
            }
            if self.interim > MAX_INTERIM {
                let what = message!("the server sent more than {count} interim answers (1xx)", count = MAX_INTERIM);
                return Err(Fault::new(FaultKind::Limit, "S-33", what));
            }
            self.dropped += self.octets.len();
            self.octets.clear();
        }
    }

    /// Moves octets from the input up to the empty line that ends the head. Returns whether it was found.
    ///
    /// Every octet is examined once, so a head that trickles in costs no more than one that arrives at once.
    fn take_head(&mut self, input: &mut Input<'_>) -> bool {
        if self.octets.is_empty() {
            self.octets.reserve(input.octets().len().min(USUAL_HEAD));
        }
        while !input.octets().is_empty() {
            let line = input.octets().iter().position(|octet| *octet == b'\n');
            let room = (MAX_HEAD + 1).saturating_sub(self.octets.len());
            let wanted = line.map_or(usize::MAX, |at| at + 1);
            self.octets.extend_from_slice(input.take(wanted.min(room)));
            if self.octets.ends_with(b"\n\n") || self.octets.ends_with(b"\n\r\n") {
                return true;
            }
            if self.octets.len() > MAX_HEAD {
                return false;
            }
        }
        false
    }

    /// Whether the first line is one of HTTP, as far as that can be seen. A server of another protocol says something and then waits
    /// for us, so the end of its head never comes. It is judged only once it has arrived as far as it is shown.
    fn begins_like_http(&self) -> bool {
        let is_there = self.octets.len() >= SHOWN || self.octets.contains(&b'\n');
        !is_there || self.octets.starts_with(b"HTTP/")
    }

    fn not_http(&self) -> Fault {
        Fault::new(FaultKind::Malformed, HTTP, words!("the answer is not HTTP"))
            .octets(first_line(&self.octets))
            .with_help(words!("the server may not use HTTP on this port"))
    }

    fn cut_short(&self, end: End) -> Fault {
        if self.octets.is_empty() {
            let what = match end {
                End::Broken => words!("the connection broke before the answer"),
                _ => words!("the server closed the connection without an answer"),
            };
            return Fault::new(FaultKind::Server, HTTP, what)
                .with_help(words!("the server may not use HTTP on this port, or only with TLS (https)"));
        }
        Fault::new(FaultKind::Malformed, HTTP, words!("the answer ends inside its headers"))
            .octets(first_line(&self.octets))
    }
}

fn malformed(error: &ProtoError, octets: &[u8]) -> Fault {
    // The parser gives its reasons in English.
    let why = match error {
        ProtoError::HttpParseTooManyHeaders => {
            let what = words!("the answer has more than 128 headers");
            return Fault::new(FaultKind::Limit, HTTP, what).octets(first_line(octets));
        }
        ProtoError::HttpParseFail(why) => why.to_string(),
        other => other.to_string(),
    };
    let what = message!("the answer is not valid HTTP: {cause}", cause = why);
    Fault::new(FaultKind::Malformed, HTTP, what).octets(wrong_line(octets).unwrap_or_else(|| first_line(octets)))
}

/// The first line of a head that the parser rejects on its own, or else the first wrong Content-Length.
fn wrong_line(octets: &[u8]) -> Option<&[u8]> {
    const STATUS: &[u8] = b"HTTP/1.1 200 OK\r\n";
    let is_rejected = |head: &[&[u8]]| parser::try_parse_response::<1>(&head.concat()).is_err();
    let lines = || octets.split_inclusive(|octet| *octet == b'\n');
    let status = lines().take(1).find(|line| is_rejected(&[line, b"\r\n"]));
    let field = || lines().skip(1).find(|line| is_rejected(&[STATUS, line, b"\r\n"]));
    status.or_else(field).or_else(|| wrong_length(lines())).map(first_line)
}

/// The first Content-Length that is not a number, or not that of the one before (RFC 9110 section 8.6).
fn wrong_length<'o>(lines: impl Iterator<Item = &'o [u8]>) -> Option<&'o [u8]> {
    let mut length = None;
    for line in lines.skip(1) {
        let Some((name, value)) = line.iter().position(|octet| *octet == b':').map(|colon| line.split_at(colon)) else {
            continue;
        };
        if !name.eq_ignore_ascii_case(header::CONTENT_LENGTH.as_str().as_bytes()) {
            continue;
        }
        for value in value[1..].split(|octet| *octet == b',').map(<[u8]>::trim_ascii) {
            let Some(number) = number::<u64>(value) else { return Some(line) };
            if *length.get_or_insert(number) != number {
                return Some(line);
            }
        }
    }
    None
}

/// The first line of some, for messages.
fn first_line(octets: &[u8]) -> &[u8] {
    let line = octets.split(|octet| *octet == b'\n').next().unwrap_or(octets);
    // Shortened first: whether a CR at the place where it is cut ends the line may not be known yet.
    let line = &line[..line.len().min(SHOWN)];
    line.strip_suffix(b"\r").unwrap_or(line)
}
