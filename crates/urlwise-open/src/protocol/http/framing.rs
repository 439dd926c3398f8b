//! Where the body of an answer ends (RFC 9112 section 6, S-33).

use super::chunked::Chunked;
use crate::language::{message, words};
use crate::protocol::{End, Fault, FaultKind, Input};
use ureq_proto::BodyMode;
use ureq_proto::client::state::RecvResponse;
use ureq_proto::client::{Call, RecvResponseResult};
use ureq_proto::http::{HeaderMap, header};

/// How the end of the body is determined.
pub(super) enum Framing {
    /// This many octets are still to come.
    Length(u64),
    Close,
    Chunked(Chunked),
}

impl Framing {
    /// Determined by headers, which must not contradict one another.
    pub(super) fn of(headers: &HeaderMap, call: Call<RecvResponse>) -> Result<Framing, Fault> {
        let fault = |what| Fault::new(FaultKind::Malformed, "RFC 9112 section 6", what);
        let mut codings = headers.get_all(header::TRANSFER_ENCODING).iter();
        if let Some(coding) = codings.next() {
            if headers.contains_key(header::CONTENT_LENGTH) {
                return Err(fault(words!("the answer has both a length and a transfer coding")));
            }
            if codings.next().is_some() || !coding.as_bytes().eq_ignore_ascii_case(b"chunked") {
                return Err(fault(words!("the transfer coding is not `chunked`")).octets(coding.as_bytes()));
            }
        }
        let mode = match call.proceed() {
            Some(RecvResponseResult::RecvBody(call)) => call.body_mode(),
            _ => BodyMode::NoBody,
        };
        Ok(match mode {
            BodyMode::NoBody => Framing::Length(0),
            BodyMode::LengthDelimited(length) => Framing::Length(length),
            BodyMode::CloseDelimited => Framing::Close,
            BodyMode::Chunked => Framing::Chunked(Chunked::new()),
        })
    }

    /// How many octets follow, if that is known.
    pub(super) fn length(&self) -> Option<u64> {
        match self {
            Framing::Length(length) => Some(*length),
            Framing::Close | Framing::Chunked(_) => None,
        }
    }

    /// The next octets of the document; empty once the input is taken or the document is complete.
    pub(super) fn read<'i>(&mut self, input: &mut Input<'i>) -> Result<&'i [u8], Fault> {
        match self {
            Framing::Length(left) => {
                let data = input.take(usize::try_from(*left).unwrap_or(usize::MAX));
                *left -= data.len() as u64;
                Ok(data)
            }
            Framing::Close => Ok(input.take(usize::MAX)),
            Framing::Chunked(chunked) => chunked.read(input),
        }
    }

    /// Whether the end of the document has been reached; more octets may follow.
    pub(super) fn is_whole(&self) -> bool {
        match self {
            Framing::Length(left) => *left == 0,
            Framing::Close => false,
            Framing::Chunked(chunked) => chunked.is_whole(),
        }
    }

    /// Whether these octets are exactly what was still to come, so that another answer may follow them.
    pub(super) fn ends_with(&mut self, unread: &[u8]) -> bool {
        let mut input = Input::new(unread);
        loop {
            let before = input.octets().len();
            if self.read(&mut input).is_err() {
                return false;
            }
            if input.octets().len() == before {
                break;
            }
        }
        let is_over = match self {
            Framing::Chunked(chunked) => chunked.is_over(),
            other => other.is_whole(),
        };
        is_over && input.octets().is_empty()
    }

    /// The fault of a body that ended before it was complete.
    pub(super) fn cut(&self, end: End) -> Fault {
        let how = match end {
            End::Closed => words!("the server closed the connection"),
            End::Unauthenticated => words!("TLS ended without `close_notify`"),
            End::Broken => words!("the connection broke"),
        };
        let what = match self {
            Framing::Length(left) => message!("{event} {count} octets before the end", event = how, count = *left),
            Framing::Close => message!("{event}, so the document may be incomplete", event = how),
            Framing::Chunked(_) => message!("{event} before the last chunk", event = how),
        };
        Fault::new(FaultKind::Partial, "RFC 9112 section 8", what).with_help(words!("try again"))
    }
}
