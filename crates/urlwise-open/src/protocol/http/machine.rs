//! The machine: from a request to a document, a redirect or a refusal. See the diagram in [the module](super).

use super::answer::HttpAnswer;
use super::framing::Framing;
use super::head::{Head, SHOWN};
use super::part::{self, Part};
use super::request::{HttpGoal, HttpRequest};
use crate::language::{message, words};
use crate::protocol::Metadata;
use crate::protocol::{
    Begin, Command, End, Event, Expected, Fault, FaultKind, Input, Io, Machine, Note, Shape, Step, masked,
};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::convert::Infallible;
use ureq_proto::http::{HeaderMap, Response, StatusCode, Version, header};
use urlwise::Words;

/// Most codings of one document (S-34).
const MAX_CODINGS: usize = 3;

/// The dialogue of one request.
pub struct HttpMachine {
    phase: Phase,
    /// Steps to hand over before those of the phase.
    queue: VecDeque<Step<'static, Infallible>>,
    goal: HttpGoal,
    /// The passwords, as given and as sent: a server may repeat them.
    secrets: Vec<Vec<u8>>,
    takes_gzip: bool,
    logs_in: bool,
    wants_error_body: bool,
    is_kept: bool,
    is_answered: bool,
    /// Whether the server keeps the connection open after this answer.
    persists: bool,
    /// What is still to come of the body.
    framing: Option<Framing>,
    codings: usize,
    unasked_codings: Option<usize>,
    moved: Option<Vec<u8>>,
    answer: Option<HttpAnswer>,
    refuses_range: bool,
    refuses_head: bool,
    refusal: Option<Fault>,
    metadata: Metadata,
    offset: u64,
    /// What a part of a document that has begun is part of.
    part: Option<Part>,
}

enum Phase {
    Start(Box<HttpRequest>),
    /// `CONNECT` was sent; the request to send once the proxy has connected.
    Tunnel(Box<Head>, Command, Box<Head>),
    Asked(Box<Head>),
    Body,
    Done,
    Failed(Fault),
}

impl HttpMachine {
    /// A machine for a new connection. Nothing is checked yet: a request that must not be sent fails as its first step.
    pub fn new(request: HttpRequest) -> HttpMachine {
        HttpMachine {
            goal: request.goal.clone(),
            secrets: request.secrets(),
            takes_gzip: request.takes_gzip(),
            logs_in: request.login.is_some(),
            wants_error_body: request.error_body,
            phase: Phase::Start(Box::new(request)),
            queue: VecDeque::new(),
            is_kept: false,
            is_answered: false,
            persists: false,
            framing: None,
            codings: 0,
            unasked_codings: Some(0),
            moved: None,
            answer: None,
            refuses_range: false,
            refuses_head: false,
            refusal: None,
            metadata: Metadata::default(),
            offset: 0,
            part: None,
        }
    }

    /// For a kept connection to the same server: the machine neither connects nor sends `CONNECT` to a proxy.
    #[must_use]
    pub fn on_kept_connection(self) -> HttpMachine {
        HttpMachine { is_kept: true, ..self }
    }

    /// The `Location` header of a redirect, unchanged, once the dialogue is done without having begun a document.
    pub fn moved(&self) -> Option<&[u8]> {
        self.moved.as_deref()
    }

    /// What the headers say beside the document; `None` before they are complete.
    pub fn answer(&self) -> Option<HttpAnswer> {
        self.answer
    }

    /// What a server said, without the passwords that it may repeat (S-14).
    pub(crate) fn without_secrets(&self, octets: &[u8]) -> Vec<u8> {
        self.secrets.iter().fold(octets.to_vec(), |octets, secret| masked(&octets, secret))
    }

    /// The same of a line, of which the end may be cut off, and with it the end of a password or the `@` behind that of a URL.
    fn line_without_secrets(&self, line: &[u8]) -> Vec<u8> {
        let mut said = self.without_secrets(line);
        if line.len() < SHOWN {
            return said;
        }
        let begun = |secret: &Vec<u8>| (1..secret.len()).rev().find(|&length| said.ends_with(&secret[..length]));
        let of_ours = self.secrets.iter().filter_map(begun).max().map(|length| said.len() - length);
        let of_urls = urlwise::each_secret(&[&said[..], b"@"].concat()).find(|secret| secret.end == said.len());
        if let Some(start) = of_ours.into_iter().chain(of_urls.map(|secret| secret.start)).min() {
            said.truncate(start);
            said.extend_from_slice(b"***");
        }
        said
    }

    /// The metadata of the document from the headers; empty before it begins.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The offset in the document at which the octets begin: 0 unless its [rest](HttpGoal::Rest) was requested and is sent.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// How many times the document is compressed with gzip; 0 unless that was requested.
    pub fn codings(&self) -> usize {
        self.codings
    }

    /// How many times the document is compressed with gzip although that was not requested; 0 if it is not, and `None` if it is coded in
    /// another way, or too many times.
    pub fn unasked_codings(&self) -> Option<usize> {
        self.unasked_codings
    }

    /// Whether the server has answered at all. A kept connection that broke before that may have been closed because it was idle.
    pub fn is_answered(&self) -> bool {
        self.is_answered
    }

    /// Whether the dialogue failed because the document has no such [rest](HttpGoal::Rest): it is now shorter, or another document.
    pub fn refuses_range(&self) -> bool {
        self.refuses_range
    }

    /// Whether the dialogue failed because the server does not know HEAD, or not for this document.
    pub fn refuses_head(&self) -> bool {
        self.refuses_head
    }

    /// The error that the answer reports, if its [body](HttpRequest::error_body) or its [head](HttpGoal::Head) was asked for and
    /// is handed out.
    pub fn refusal(&self) -> Option<&Fault> {
        self.refusal.as_ref()
    }

    /// Whether another request may follow on the same connection: the server keeps it open, and `unread`, which arrived and was
    /// not taken, is exactly the rest of this answer. Call it once the dialogue is over.
    pub fn leaves_connection(&mut self, unread: &[u8]) -> bool {
        self.persists && self.framing.as_mut().is_some_and(|framing| framing.ends_with(unread))
    }

    fn start(&mut self, request: &HttpRequest) -> Result<(), Fault> {
        let written = request.write()?;
        let head = Box::new(Head::new(written.call));
        if !self.is_kept {
            self.queue.push_back(Step::Io(Io::Connect));
            if let Some((connect, call)) = written.tunnel {
                self.queue.push_back(Step::Io(Io::Send(connect)));
                self.phase = Phase::Tunnel(Box::new(Head::new(call)), written.command, head);
                return Ok(());
            }
        }
        self.queue.push_back(Step::Io(Io::Send(written.command)));
        self.phase = Phase::Asked(head);
        Ok(())
    }

    /// Handles the answer of a proxy to `CONNECT`.
    fn let_through(&mut self, response: &Response<()>, input: &Input<'_>, next: Command) -> Result<(), Fault> {
        let status = response.status();
        if !status.is_success() {
            return Err(not_connected(response));
        }
        // Octets after the answer arrived before the handshake, so an attacker may have sent them.
        if !input.octets().is_empty() {
            let what = words!("extra data arrived after the proxy's answer and before the TLS handshake");
            return Err(Fault::new(FaultKind::Malformed, "S-28", what).octets(input.octets()));
        }
        self.queue.extend([Step::Io(Io::StartTls), Step::Io(Io::Send(next))]);
        Ok(())
    }

    /// Handles a complete head.
    fn answered(&mut self, response: &Response<()>, Head { call, octets, .. }: Head) -> Result<(), Fault> {
        let (status, headers) = (response.status(), response.headers());
        let framing = Framing::of(headers, call);
        self.persists = persists(response);
        self.answer = Some(HttpAnswer::of(status, headers));
        self.phase = Phase::Done;
        self.moved = moved(status, headers)?;
        if self.moved.is_some() {
            self.framing = framing.ok();
            return Ok(());
        }
        if self.goal == HttpGoal::Head {
            self.refusal = (!status.is_success()).then(|| refusal(response, self.logs_in));
            self.framing = framing.ok();
            self.begin(Some(octets.len() as u64), Some("message/http".to_owned()));
            self.queue.push_back(Step::Event(Event::Data(Cow::Owned(octets))));
            return Ok(());
        }
        let resume = match &self.goal {
            HttpGoal::Rest(resume) => Some(resume),
            HttpGoal::Document | HttpGoal::Metadata | HttpGoal::Head => None,
        };
        let rest = match resume {
            Some(resume) if status == StatusCode::PARTIAL_CONTENT => Some(resume),
            Some(resume) if status == StatusCode::RANGE_NOT_SATISFIABLE && part::is_complete(headers, resume) => {
                (self.metadata, self.offset) = (resume.metadata.clone(), resume.offset);
                self.metadata.size = Some(resume.offset);
                self.framing = framing.ok();
                self.begin(Some(0), None);
                return Ok(());
            }
            _ if brings_whole_document(status) => None,
            _ => {
                self.refuses_range = resume.is_some() && status == StatusCode::RANGE_NOT_SATISFIABLE;
                self.refuses_head = self.goal == HttpGoal::Metadata
                    && matches!(status, StatusCode::METHOD_NOT_ALLOWED | StatusCode::NOT_IMPLEMENTED);
                let refusal = refusal(response, self.logs_in);
                if self.wants_error_body && self.goal != HttpGoal::Metadata && !self.refuses_range {
                    self.refusal = Some(refusal);
                    return self.error_body(headers, framing?);
                }
                self.framing = framing.ok();
                return Err(refusal);
            }
        };
        let framing = framing?;
        let length = framing.length();
        let size = match rest {
            Some(resume) => {
                let part = part::part(headers, resume, length)?;
                (self.offset, self.part) = (resume.offset, Some(part));
                Some(part.whole)
            }
            // Nothing follows the answer to HEAD, even if it announces a length.
            None if self.goal == HttpGoal::Metadata => part::declared(headers),
            None => length,
        };
        self.metadata = part::metadata(headers, size);
        self.framing = Some(framing);
        let media_type = self.metadata.media_type.clone();
        self.compressed(headers)?;
        let length = if self.codings > 0 { None } else { length };
        self.phase = Phase::Body;
        self.begin(length, media_type);
        Ok(())
    }

    /// Hands out the body of an answer that is an error.
    fn error_body(&mut self, headers: &HeaderMap, framing: Framing) -> Result<(), Fault> {
        let length = framing.length();
        self.framing = Some(framing);
        self.compressed(headers)?;
        self.phase = Phase::Body;
        let media_type = part::metadata(headers, None).media_type;
        self.begin(length.filter(|_| self.codings == 0), media_type);
        Ok(())
    }

    fn begin(&mut self, size: Option<u64>, media_type: Option<String>) {
        self.queue.push_back(Step::Event(Event::Begin(Begin { shape: Shape::Document, size, media_type })));
    }

    /// Reads how the document is compressed, if it is.
    fn compressed(&mut self, headers: &HeaderMap) -> Result<(), Fault> {
        const RULE: &str = "RFC 9110 section 8.4";
        let lists = headers.get_all(header::CONTENT_ENCODING).iter();
        let names = lists.flat_map(|list| list.as_bytes().split(|octet| *octet == b',')).map(<[u8]>::trim_ascii);
        let mut codings = names.filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case(b"identity")).peekable();
        if codings.peek().is_none() {
            return Ok(());
        }
        let is_gzip = |coding: &[u8]| coding.eq_ignore_ascii_case(b"gzip") || coding.eq_ignore_ascii_case(b"x-gzip");
        if !self.takes_gzip {
            let count = codings.try_fold(0, |count, coding| is_gzip(coding).then_some(count + 1));
            self.unasked_codings = count.filter(|count| *count <= MAX_CODINGS);
            self.queue.push_back(Step::Event(Event::Note(Note::new(
                "content-encoding",
                RULE,
                words!("the server compressed the document although it was not asked to; it is passed on as received"),
            ))));
            return Ok(());
        }
        for coding in codings {
            if !is_gzip(coding) {
                let what = words!("the server used a compression that was not requested");
                return Err(Fault::new(FaultKind::Malformed, RULE, what)
                    .octets(coding)
                    .with_help(words!("do not ask for compression")));
            }
            self.codings += 1;
            if self.codings > MAX_CODINGS {
                let what = message!("the document is compressed more than {count} times", count = MAX_CODINGS);
                return Err(Fault::new(FaultKind::Limit, "S-34", what));
            }
        }
        // Size and validator are those of the compressed octets, which are not kept.
        self.metadata.size = None;
        self.metadata.validator = None;
        self.metadata.modified = None;
        Ok(())
    }

    fn body<'i>(&mut self, input: &mut Input<'i>) -> Result<Option<Step<'i, Infallible>>, Fault> {
        let Some(framing) = &mut self.framing else { return Ok(Some(Step::Done)) };
        if framing.is_whole() {
            self.phase = Phase::Done;
            return self.part.and_then(Part::cut).map_or(Ok(None), Err);
        }
        let data = framing.read(input)?;
        if !data.is_empty() {
            return Ok(Some(Step::Event(Event::Data(Cow::Borrowed(data)))));
        }
        match input.end() {
            _ if framing.is_whole() => {}
            Some(End::Closed) if matches!(framing, Framing::Close) => {}
            Some(end) => return Err(framing.cut(end)),
            None => return Ok(Some(Step::Io(Io::Receive))),
        }
        self.phase = Phase::Done;
        self.part.and_then(Part::cut).map_or(Ok(None), Err)
    }

    /// One turn of the machine; `None` if the next turn follows at once.
    fn turn<'i>(&mut self, input: &mut Input<'i>) -> Result<Option<Step<'i, Infallible>>, Fault> {
        if let Some(step) = self.queue.pop_front() {
            return Ok(Some(step));
        }
        self.is_answered |= !input.octets().is_empty();
        match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Start(request) => self.start(&request)?,
            Phase::Tunnel(mut head, next, then) => match head.read(input)? {
                Some(response) => {
                    self.let_through(&response, input, next)?;
                    self.phase = Phase::Asked(then);
                }
                None => {
                    self.phase = Phase::Tunnel(head, next, then);
                    return Ok(Some(Step::Io(Io::Receive)));
                }
            },
            Phase::Asked(mut head) => match head.read(input)? {
                Some(response) => self.answered(&response, *head)?,
                None => {
                    self.phase = Phase::Asked(head);
                    return Ok(Some(Step::Io(Io::Receive)));
                }
            },
            Phase::Body => {
                self.phase = Phase::Body;
                return self.body(input);
            }
            Phase::Done => return Ok(Some(Step::Done)),
            Phase::Failed(fault) => return Err(fault),
        }
        Ok(None)
    }
}

impl Machine for HttpMachine {
    type Entry = Infallible;
    const HAS_REPLIES: bool = true;

    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, Infallible> {
        loop {
            match self.turn(input) {
                Ok(Some(step)) => return step,
                Ok(None) => {}
                Err(fault) => {
                    let said = fault.raw_octets().map(|line| self.line_without_secrets(line));
                    let fault = match said {
                        Some(said) => fault.octets(&said),
                        None => fault,
                    };
                    self.queue.clear();
                    self.phase = Phase::Failed(fault.clone());
                    return Step::Fail(fault);
                }
            }
        }
    }

    fn expected(&self) -> Expected {
        let (what, reply): (_, &[u8]) = match self.phase {
            Phase::Tunnel(..) => (words!("status 200 to 299, the tunnel is open"), b"HTTP/1.1 200 OK\r\n\r\n"),
            _ if matches!(self.goal, HttpGoal::Metadata | HttpGoal::Head) => (
                words!("status 200 to 299 and headers; a redirect is checked before it is followed"),
                b"HTTP/1.1 200 OK\r\n\r\n",
            ),
            _ => (
                words!("status 200 to 299, headers and the document; a redirect is checked before it is followed"),
                b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
            ),
        };
        Expected { what: what.into(), reply: Cow::Borrowed(reply), closes: false }
    }
}

/// Whether the server keeps the connection open after this answer (RFC 9112 section 9.3).
fn persists(response: &Response<()>) -> bool {
    let options = response.headers().get_all(header::CONNECTION).iter();
    let mut options = options.flat_map(|list| list.as_bytes().split(|octet| *octet == b',')).map(<[u8]>::trim_ascii);
    if response.version() == Version::HTTP_11 {
        !options.any(|option| option.eq_ignore_ascii_case(b"close"))
    } else {
        options.any(|option| option.eq_ignore_ascii_case(b"keep-alive"))
    }
}

/// The target of the answer, if it is one of the redirects that keep GET (S-23).
fn moved(status: StatusCode, headers: &HeaderMap) -> Result<Option<Vec<u8>>, Fault> {
    if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let mut locations = headers.get_all(header::LOCATION).iter();
    let fault = |what| Fault::new(FaultKind::Malformed, "RFC 9110 section 15.4", what);
    let Some(location) = locations.next() else {
        return Err(fault(message!("the server answers {status} without a location", status = status.to_string())));
    };
    if locations.any(|other| other != location) {
        return Err(fault(message!("the server answers {status} with two locations", status = status.to_string())));
    }
    Ok(Some(location.as_bytes().to_vec()))
}

/// Whether the status comes with the complete document (206 would be a part that was not requested).
fn brings_whole_document(status: StatusCode) -> bool {
    status.is_success() && status != StatusCode::PARTIAL_CONTENT
}

/// The fault of an answer without a document.
fn refusal(response: &Response<()>, logs_in: bool) -> Fault {
    let status = response.status();
    let (kind, rule, help) = match status.as_u16() {
        401 if logs_in => (FaultKind::Login, "RFC 9110 section 15.5", Some(words!("check the user and the password"))),
        401 => (
            FaultKind::Login,
            "RFC 9110 section 15.5, D-26",
            Some(words!("give a user name and password; RFC 1738 does not allow them in http URLs")),
        ),
        407 => (FaultKind::Login, "RFC 9110 section 15.5", Some(LOGIN_OF_PROXY)),
        404 | 410 => (FaultKind::NotFound, "RFC 9110 section 15.5", None),
        206 => (FaultKind::Malformed, "RFC 9110 section 15.3.7", None),
        429 | 503 => (FaultKind::Server, "RFC 9110 section 15", Some(words!("try again later"))),
        _ => (FaultKind::Server, "RFC 9110 section 15", None),
    };
    let fault = Fault::new(kind, rule, message!("the server answers {status}", status = named(status)))
        .code(status.as_u16())
        .lasting(lasts(status));
    let fault = if kind == FaultKind::Login { challenged(fault, response.headers()) } else { fault };
    match help {
        Some(help) => fault.with_help(help),
        None => fault,
    }
}

/// The fault of a proxy that does not connect to the server.
fn not_connected(response: &Response<()>) -> Fault {
    let status = response.status();
    let what = message!("the proxy answers {status} to CONNECT", status = named(status));
    let fault = |kind| Fault::new(kind, "RFC 9110 section 9.3.6", what).code(status.as_u16()).lasting(lasts(status));
    match status {
        StatusCode::PROXY_AUTHENTICATION_REQUIRED => {
            challenged(fault(FaultKind::Login), response.headers()).with_help(LOGIN_OF_PROXY)
        }
        _ => fault(FaultKind::Server),
    }
}

const LOGIN_OF_PROXY: Words = words!("put a user and password into the URL of the proxy");

/// Whether the same request is refused again: RFC 9110 section 15.5.9, RFC 8470 section 5.2, RFC 6585 section 4.
fn lasts(status: StatusCode) -> bool {
    !status.is_server_error() && !matches!(status.as_u16(), 408 | 425 | 429)
}

/// A status with its name, if it has one.
fn named(status: StatusCode) -> String {
    match status.canonical_reason() {
        Some(reason) => format!("{} {reason}", status.as_str()),
        None => status.as_str().to_owned(),
    }
}

/// Adds the server's message about how to log in.
fn challenged(fault: Fault, headers: &HeaderMap) -> Fault {
    let challenge = [header::WWW_AUTHENTICATE, header::PROXY_AUTHENTICATE].iter().find_map(|name| headers.get(name));
    match challenge {
        Some(challenge) => fault.octets(challenge.as_bytes()),
        None => fault,
    }
}
