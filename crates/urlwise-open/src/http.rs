//! http and https: one GET, its answer, nothing else (RFC 1738 section 3.3).
//!
//! The octets on the wire are those of [`ureq_proto`], the sans-I/O half of ureq; this module is the [`Machine`] around
//! it that bounds what a server may send and turns answers into steps. The selector goes out as it is written in the URL
//! (D-40). No cookies, no referrer, no credentials, no decompression, no proxies: what is not sent cannot leak
//! (client-security lines 10, 13, 15, 34, 35, 51). Redirects are not followed here: see [`Http::moved`].

mod chunked;
pub(crate) mod follow;
mod part;
mod redirect;

use crate::protocol::{Begin, Command, End, Expected, Fault, FaultKind, Input, Machine, Note, Shape, Step};
use crate::wish::{Facts, Resume};
use chunked::Chunked;
use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use ureq_proto::client::state::RecvResponse;
use ureq_proto::client::{Call, RecvResponseResult, SendRequestResult};
use ureq_proto::http::uri::PathAndQuery;
use ureq_proto::http::{HeaderMap, Method, Response, StatusCode, Uri, header};
use ureq_proto::{BodyMode, Error as ProtoError};
use urlwise::shown;

/// Most octets of status line and headers, all interim answers together (client-security line 33).
const MAX_HEAD: usize = 300 * 1024;

/// Most interim answers (1xx) before the real one.
const MAX_INTERIM: usize = 20;

/// The rule most faults of an answer break.
const HTTP: &str = "RFC 9112";

/// What one request says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) tls: bool,
    /// As written in the URL, IPv6 literals with brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
    /// As written in the URL: `/`, or `/path`, or `/path?search` (D-40).
    pub(crate) selector: String,
    pub(crate) user_agent: String,
    pub(crate) ask: Ask,
}

/// What a request asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ask {
    /// The document.
    #[default]
    Document,
    /// What follows a part of it that is there.
    Rest(Resume),
    /// What is known of it: HEAD.
    Facts,
}

impl Request {
    /// The octets of the request, and what reads its answer.
    ///
    /// # Errors
    /// [`FaultKind::Refused`] if it cannot be written, or not as it stands: before anything is connected.
    fn write(&self) -> Result<(Vec<u8>, Call<RecvResponse>), Fault> {
        let refused = |why: &dyn fmt::Display| {
            let why = why.to_string();
            let what = format!("the request cannot be written: {}", shown(why.as_bytes()));
            Fault::new(FaultKind::Refused, "D-40", what)
        };
        let (scheme, default) = if self.tls { ("https", 443) } else { ("http", 80) };
        let authority = if self.port == default { self.host.clone() } else { format!("{}:{}", self.host, self.port) };
        let uri = Uri::builder().scheme(scheme).authority(authority).path_and_query(self.selector.as_str()).build();
        let uri = uri.map_err(|error| refused(&error))?;
        // What http::Uri reads must be what was written: no login in the host, nothing lost or changed in the selector.
        let selector = uri.path_and_query().map(PathAndQuery::as_str);
        if uri.host() != Some(&self.host) || selector != Some(&self.selector) {
            return Err(refused(&"host or selector would change on the way"));
        }
        let method = if self.ask == Ask::Facts { Method::HEAD } else { Method::GET };
        let mut request = ureq_proto::http::Request::builder()
            .method(method)
            .uri(uri)
            .header(header::USER_AGENT, &self.user_agent)
            .header(header::ACCEPT, "*/*")
            .header(header::CONNECTION, "close");
        let rest = match &self.ask {
            Ask::Rest(resume) => part::headers(resume),
            _ => None,
        };
        let rest: usize = rest.into_iter().flatten().fold(0, |length, (name, value)| {
            let length = length + name.as_str().len() + value.len();
            request = std::mem::take(&mut request).header(name, value);
            length
        });
        let request = request.body(());
        let call = Call::new(request.map_err(|error| refused(&error))?);
        let mut call = call.map_err(|error| refused(&error))?.proceed();
        // Enough for every line with one of these in it.
        let mut octets = vec![0; 1024 + self.selector.len() + self.host.len() + self.user_agent.len() + rest];
        let mut used = 0;
        while !call.can_proceed() {
            used += call.write(&mut octets[used..]).map_err(|error| refused(&error))?;
        }
        octets.truncate(used);
        match call.proceed() {
            Ok(Some(SendRequestResult::RecvResponse(call))) => Ok((octets, call)),
            Ok(_) => Err(refused(&"a GET has no body")),
            Err(error) => Err(refused(&error)),
        }
    }
}

/// The dialogue of one GET.
pub(crate) struct Http {
    state: State,
    moved: Option<Vec<u8>>,
    /// What is to be said before the state goes on.
    notes: Vec<Note>,
    ask: Ask,
    facts: Facts,
    offset: u64,
}

enum State {
    Start(Request),
    Connected(Vec<u8>, Box<Head>),
    Asked(Box<Head>),
    Begin(Begin, Framing),
    Body(Framing),
    Done,
    Failed(Fault),
}

/// An answer of which only the head has come, in part.
struct Head {
    call: Call<RecvResponse>,
    octets: Vec<u8>,
    /// Octets of interim answers already dropped.
    dropped: usize,
    interim: usize,
}

/// How the end of the body is known.
enum Framing {
    /// So many octets are still to come.
    Length(u64),
    Close,
    Chunked(Chunked),
}

impl Http {
    pub(crate) fn new(request: Request) -> Http {
        let ask = request.ask.clone();
        Http { state: State::Start(request), moved: None, notes: Vec::new(), ask, facts: Facts::default(), offset: 0 }
    }

    /// What the headers said of the document, and where in it the octets begin; once it has begun.
    pub(crate) fn begun(&self) -> (Facts, u64) {
        (self.facts.clone(), self.offset)
    }

    /// The `Location` header of a redirect as it came, once the dialogue is done without having begun a document.
    pub(crate) fn moved(&self) -> Option<&[u8]> {
        self.moved.as_deref()
    }

    fn fail<'i>(&mut self, fault: Fault) -> Step<'i, Infallible> {
        self.state = State::Failed(fault.clone());
        Step::Fail(fault)
    }

    /// Judges a whole head.
    fn answer(&mut self, response: &Response<()>, call: Call<RecvResponse>) -> Result<(), Fault> {
        let (status, headers) = (response.status(), response.headers());
        self.moved = moved(status, headers)?;
        if self.moved.is_some() {
            self.state = State::Done;
            return Ok(());
        }
        let rest = match &self.ask {
            Ask::Rest(resume) if status == StatusCode::PARTIAL_CONTENT => Some(resume),
            _ if brings_whole_document(status) => None,
            _ => return Err(refusal(status)),
        };
        let framing = framing(headers, call)?;
        let codings = headers.get_all(header::CONTENT_ENCODING);
        if codings.iter().any(|coding| coding != "identity") {
            self.notes.push(Note {
                code: "content-encoding",
                message: "the server sent the document compressed though nothing asked for it; it is passed on as it came",
                rule: "RFC 9110 section 8.4",
            });
        }
        let length = match &framing {
            Framing::Length(length) => Some(*length),
            Framing::Close | Framing::Chunked(_) => None,
        };
        let size = match rest {
            Some(resume) => {
                self.offset = resume.offset;
                Some(part::whole(headers, resume, length)?)
            }
            // Of HEAD nothing follows, whatever the length is.
            None if self.ask == Ask::Facts => declared(headers),
            None => length,
        };
        self.facts = part::facts(headers, size);
        let begin = Begin { shape: Shape::Document, size: length, media_type: self.facts.media_type.clone() };
        self.state = State::Begin(begin, framing);
        Ok(())
    }
}

impl Machine for Http {
    type Entry = Infallible;

    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, Infallible> {
        if let Some(note) = self.notes.pop() {
            return Step::Note(note);
        }
        match std::mem::replace(&mut self.state, State::Done) {
            State::Start(request) => match request.write() {
                Ok((octets, call)) => {
                    let head = Head { call, octets: Vec::new(), dropped: 0, interim: 0 };
                    self.state = State::Connected(octets, Box::new(head));
                    Step::Connect
                }
                Err(fault) => self.fail(fault),
            },
            State::Connected(octets, head) => {
                self.state = State::Asked(head);
                Step::Send(Command::new(octets))
            }
            State::Asked(mut head) => match head.read(input) {
                Ok(Some(response)) => match self.answer(&response, head.call) {
                    Ok(()) => self.next(input),
                    Err(fault) => self.fail(fault),
                },
                Ok(None) => {
                    self.state = State::Asked(head);
                    Step::Receive
                }
                Err(fault) => self.fail(fault),
            },
            State::Begin(begin, framing) => {
                self.state = State::Body(framing);
                Step::Begin(begin)
            }
            State::Body(framing) => self.body(framing, input),
            State::Done => Step::Done,
            State::Failed(fault) => self.fail(fault),
        }
    }

    fn expected(&self) -> Expected {
        Expected {
            what: Cow::Borrowed(
                "a status of 200 to 299, headers and the document; a redirect is judged first and then followed",
            ),
            reply: Cow::Borrowed(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
            closes: false,
        }
    }
}

impl Http {
    fn body<'i>(&mut self, mut framing: Framing, input: &mut Input<'i>) -> Step<'i, Infallible> {
        let data = match framing.read(input) {
            Ok(data) => data,
            Err(fault) => return self.fail(fault),
        };
        if !data.is_empty() {
            self.state = State::Body(framing);
            return Step::Data(Cow::Borrowed(data));
        }
        match input.end() {
            _ if framing.is_whole() => Step::Done,
            Some(End::Closed) if matches!(framing, Framing::Close) => Step::Done,
            Some(end) => self.fail(framing.cut(end)),
            None => {
                self.state = State::Body(framing);
                Step::Receive
            }
        }
    }
}

impl Framing {
    /// The next octets of the document; empty once the input is taken or the document is whole.
    fn read<'i>(&mut self, input: &mut Input<'i>) -> Result<&'i [u8], Fault> {
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

    /// Whether the end is known to be reached, whatever else may come.
    fn is_whole(&self) -> bool {
        match self {
            Framing::Length(left) => *left == 0,
            Framing::Close => false,
            Framing::Chunked(chunked) => chunked.is_whole(),
        }
    }

    /// The fault of a body that ended before it was whole.
    fn cut(&self, end: End) -> Fault {
        let how = match end {
            End::Closed => "the server closed the connection",
            End::Unauthenticated => "the connection ended without the end mark of TLS",
            End::Broken => "the connection broke",
        };
        let what = match self {
            Framing::Length(left) => format!("{how} {left} octets before the end"),
            Framing::Close => format!("{how}, so nothing proves that the document is whole"),
            Framing::Chunked(_) => format!("{how} before the last chunk"),
        };
        Fault::new(FaultKind::Partial, "RFC 9112 section 8", what).help("try again")
    }
}

impl Head {
    /// Takes octets up to the end of the head, if it is in there.
    fn read(&mut self, input: &mut Input<'_>) -> Result<Option<Response<()>>, Fault> {
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
            if self.dropped + self.octets.len() > MAX_HEAD {
                return Err(Fault::new(
                    FaultKind::Limit,
                    "client-security 33",
                    format!("the headers of the answer are longer than {MAX_HEAD} octets"),
                ));
            }
            if !ended {
                return Ok(None);
            }
            let parsed = self.call.try_response(&self.octets, false);
            let (used, response) = parsed.map_err(|error| malformed(&error, &self.octets))?;
            match response {
                Some(response) => return Ok(Some(response)),
                None if used == 0 => {
                    return Err(Fault::new(FaultKind::Malformed, HTTP, "the answer is not HTTP")
                        .octets(first_line(&self.octets)));
                }
                None => self.interim += 1,
            }
            if self.interim > MAX_INTERIM {
                return Err(Fault::new(
                    FaultKind::Limit,
                    "client-security 33",
                    format!("the server sent more than {MAX_INTERIM} interim answers (1xx)"),
                ));
            }
            self.dropped += self.octets.len();
            self.octets.clear();
        }
    }

    /// Moves octets from the input up to the empty line that ends the head; whether it was there.
    ///
    /// Every octet is looked at once, so a head that drips in costs no more than one that comes whole.
    fn take_head(&mut self, input: &mut Input<'_>) -> bool {
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

    fn cut_short(&self, end: End) -> Fault {
        if self.octets.is_empty() {
            let what = match end {
                End::Broken => "the connection broke before an answer came",
                _ => "the server closed the connection without an answer",
            };
            return Fault::new(FaultKind::Server, HTTP, what)
                .help("the port may not speak HTTP, or only with TLS (https)");
        }
        Fault::new(FaultKind::Malformed, HTTP, "the answer ends within its headers").octets(first_line(&self.octets))
    }
}

/// Where the answer leads, if it is one of the redirects that keep to GET (client-security line 23).
fn moved(status: StatusCode, headers: &HeaderMap) -> Result<Option<Vec<u8>>, Fault> {
    if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let mut locations = headers.get_all(header::LOCATION).iter();
    let fault = |what| Fault::new(FaultKind::Malformed, "RFC 9110 section 15.4", what);
    let Some(location) = locations.next() else {
        let what = format!("the server answers {status} but does not say where to go");
        return Err(fault(what));
    };
    if locations.any(|other| other != location) {
        let what = format!("the server answers {status} and names two places to go");
        return Err(fault(what));
    }
    Ok(Some(location.as_bytes().to_vec()))
}

/// Whether the status brings the whole document (206 brings a part nobody asked for).
fn brings_whole_document(status: StatusCode) -> bool {
    status.is_success() && status != StatusCode::PARTIAL_CONTENT
}

/// The length that an answer without a body speaks of.
fn declared(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// The fault of an answer that brings no document.
fn refusal(status: StatusCode) -> Fault {
    let (kind, rule, help) = match status.as_u16() {
        401 | 407 => (
            FaultKind::Login,
            "RFC 9110 section 15.5",
            Some("RFC 1738 has no user and password in http URLs, and this client sends none"),
        ),
        404 | 410 => (FaultKind::NotFound, "RFC 9110 section 15.5", None),
        206 => (FaultKind::Malformed, "RFC 9110 section 15.3.7", None),
        429 | 503 => (FaultKind::Server, "RFC 9110 section 15", Some("try again later")),
        _ => (FaultKind::Server, "RFC 9110 section 15", None),
    };
    let fault = Fault::new(kind, rule, format!("the server answers {status}"))
        .code(status.as_u16())
        // RFC 9110 section 15.5.9, RFC 8470 section 5.2, RFC 6585 section 4
        .lasting(!status.is_server_error() && !matches!(status.as_u16(), 408 | 425 | 429));
    match help {
        Some(help) => fault.help(help),
        None => fault,
    }
}

/// How the body ends, from headers that must not contradict one another (client-security line 33).
fn framing(headers: &HeaderMap, call: Call<RecvResponse>) -> Result<Framing, Fault> {
    let fault = |what| Fault::new(FaultKind::Malformed, "RFC 9112 section 6", what);
    let mut codings = headers.get_all(header::TRANSFER_ENCODING).iter();
    if let Some(coding) = codings.next() {
        if headers.contains_key(header::CONTENT_LENGTH) {
            return Err(fault("the answer has both a length and a transfer coding"));
        }
        if codings.next().is_some() || !coding.as_bytes().eq_ignore_ascii_case(b"chunked") {
            return Err(fault("the transfer coding is not `chunked` alone").octets(coding.as_bytes()));
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

fn malformed(error: &ProtoError, octets: &[u8]) -> Fault {
    let (kind, what) = match error {
        ProtoError::HttpParseTooManyHeaders => {
            (FaultKind::Limit, Cow::Borrowed("the answer has more than 128 headers"))
        }
        other => (FaultKind::Malformed, Cow::Owned(format!("the answer breaks HTTP: {other}"))),
    };
    Fault::new(kind, HTTP, what).octets(first_line(octets))
}

/// Enough of an answer to recognise it by.
fn first_line(octets: &[u8]) -> &[u8] {
    let line = octets.split(|octet| *octet == b'\n').next().unwrap_or(octets);
    &line[..line.len().min(80)]
}

#[cfg(test)]
mod tests;
