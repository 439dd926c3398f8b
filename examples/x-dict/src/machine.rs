//! DICT without a socket (RFC 2229): the greeting, one command, its answer, `QUIT`.
//!
//! The machine knows nothing of connections. The client drives it over TCP, a test over octets from memory, and a dry run over the
//! replies that [`expected`](Machine::expected) gives.

use crate::request::Request;
use std::borrow::Cow;
use std::collections::VecDeque;
use urlwise_open::protocol::{Begin, Command, End, Event, Expected, Fault, FaultKind, Input, Io, Machine, Shape, Step};

/// The longest line that is read, in octets. The RFC allows 1,024.
const LONGEST: usize = 8 * 1024;

/// One line of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The name of the dictionary.
    pub dictionary: Vec<u8>,
    /// The word in it, or what the dictionary is called in full.
    pub text: Vec<u8>,
}

/// One dialogue.
#[derive(Debug)]
pub struct Dict {
    request: Request,
    state: State,
    /// What has come of a line that has not ended.
    line: Vec<u8>,
    /// What is given before anything else is done.
    given: VecDeque<Step<'static, Item>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Start,
    /// The greeting comes next.
    Greeting,
    Ask,
    /// The reply to the command, or to a part of it, comes next.
    Reply,
    /// Lines up to a dot.
    Text,
    Done,
    Failed(Fault),
}

impl Dict {
    /// A dialogue about one request.
    pub fn new(request: Request) -> Dict {
        Dict { request, state: State::Start, line: Vec::new(), given: VecDeque::new() }
    }

    /// The command; nothing that comes from a URL can end it or begin another.
    ///
    /// # Errors
    /// Octets that no command can hold.
    fn command(&self) -> Result<Vec<u8>, Fault> {
        let words: &[&[u8]] = match &self.request {
            Request::Dictionaries => &[b"SHOW DB"],
            Request::About { dictionary } => &[b"SHOW INFO", atom(dictionary)?],
            Request::Define { dictionary, word } => &[b"DEFINE", atom(dictionary)?, &string(word)?],
            Request::Begin { dictionary, word } => &[b"MATCH", atom(dictionary)?, b"prefix", &string(word)?],
        };
        Ok([words.join(&b' '), b"\r\n".to_vec()].concat())
    }

    fn is_list(&self) -> bool {
        matches!(self.request, Request::Dictionaries | Request::Begin { .. })
    }

    /// Judges a line without its end.
    fn judge(&mut self, line: &[u8]) -> Result<State, Fault> {
        if self.state == State::Text {
            return Ok(self.text(line));
        }
        let code = line.get(..3).and_then(|code| std::str::from_utf8(code).ok()?.parse::<u16>().ok());
        let Some(code) = code.filter(|_| matches!(line.get(3), None | Some(b' '))) else {
            return Err(Fault::new(FaultKind::Malformed, "RFC 2229 section 2.4", "a reply has no code").octets(line));
        };
        match (&self.state, code) {
            (State::Greeting, 220) => Ok(State::Ask),
            (State::Reply, 110 | 112 | 150 | 152) => {
                let shape = if self.is_list() { Shape::Menu } else { Shape::Document };
                let media_type = (!self.is_list()).then(|| "text/plain; charset=utf-8".to_owned());
                self.given.push_back(Step::Event(Event::Begin(Begin { shape, size: None, media_type })));
                // Definitions come one by one, each behind a line of its own.
                Ok(if code == 150 { State::Reply } else { State::Text })
            }
            (State::Reply, 151) => {
                let from = words(&line[3..]).pop().unwrap_or_default();
                self.given
                    .push_back(Step::Event(Event::Data(Cow::Owned([b"From ", from.as_slice(), b":\n\n"].concat()))));
                Ok(State::Text)
            }
            (State::Reply, 250) => {
                self.given.push_back(Step::Io(Io::Send(Command::new(b"QUIT\r\n".to_vec()))));
                Ok(State::Done)
            }
            // That nothing begins so is an answer; so is a server without dictionaries.
            (State::Reply, 552 | 554) if self.is_list() => {
                self.given.push_back(Step::Event(Event::Begin(Begin {
                    shape: Shape::Menu,
                    size: None,
                    media_type: None,
                })));
                self.given.push_back(Step::Io(Io::Send(Command::new(b"QUIT\r\n".to_vec()))));
                Ok(State::Done)
            }
            _ => Err(refusal(code, line)),
        }
    }

    /// A line of a text or of a list.
    fn text(&mut self, line: &[u8]) -> State {
        // A dot ends the text; before a line that begins with one, another is put.
        let line = match line.strip_prefix(b".") {
            Some([]) => return State::Reply,
            Some(rest) => rest,
            None => line,
        };
        let step = match (self.is_list(), words(line).as_mut_slice()) {
            (false, _) => Step::Event(Event::Data(Cow::Owned([line, b"\n"].concat()))),
            (true, [dictionary, text, ..]) => {
                Step::Event(Event::Entry(Item { dictionary: std::mem::take(dictionary), text: std::mem::take(text) }))
            }
            // Of a line that names nothing there is nothing to open.
            (true, _) => return State::Text,
        };
        self.given.push_back(step);
        State::Text
    }

    /// The next line that has come whole, without its end.
    fn take_line(&mut self, input: &mut Input<'_>) -> Result<Option<Vec<u8>>, Fault> {
        let octets = input.octets();
        let end = octets.iter().position(|octet| *octet == b'\n');
        let taken = input.take(end.map_or(octets.len(), |end| end + 1));
        if self.line.len() + taken.len() > LONGEST {
            let what = format!("a line has more than {LONGEST} octets");
            return Err(Fault::new(FaultKind::Limit, "RFC 2229 section 2.3", what));
        }
        self.line.extend_from_slice(taken);
        if end.is_none() {
            return Ok(None);
        }
        let mut line = std::mem::take(&mut self.line);
        line.truncate(line.len() - if line.ends_with(b"\r\n") { 2 } else { 1 });
        Ok(Some(line))
    }

    /// The fault of a connection that ended before the answer did.
    fn cut(&self, end: End) -> Fault {
        let what = match end {
            End::Broken => "the connection broke before the answer had ended",
            End::Closed | End::Unauthenticated => "the server closed the connection before the answer had ended",
        };
        Fault::new(FaultKind::Partial, "RFC 2229 section 2.4", what)
    }
}

impl Machine for Dict {
    type Entry = Item;
    const HAS_REPLIES: bool = true;

    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, Item> {
        loop {
            if let Some(step) = self.given.pop_front() {
                return step;
            }
            let next = match &self.state {
                // What must not be sent fails before there is a connection.
                State::Start => match self.command() {
                    Ok(_) => {
                        self.state = State::Greeting;
                        return Step::Io(Io::Connect);
                    }
                    Err(fault) => Err(fault),
                },
                State::Ask => match self.command() {
                    Ok(command) => {
                        self.state = State::Reply;
                        return Step::Io(Io::Send(Command::new(command)));
                    }
                    Err(fault) => Err(fault),
                },
                State::Greeting | State::Reply | State::Text => match (input.end(), self.take_line(input)) {
                    (Some(end), _) => Err(self.cut(end)),
                    (None, Ok(Some(line))) => self.judge(&line),
                    (None, Ok(None)) => return Step::Io(Io::Receive),
                    (None, Err(fault)) => Err(fault),
                },
                State::Done => return Step::Done,
                State::Failed(fault) => return Step::Fail(fault.clone()),
            };
            self.state = next.unwrap_or_else(State::Failed);
        }
    }

    fn expected(&self) -> Expected {
        let (what, reply): (&str, &[u8]) = match (&self.state, &self.request) {
            (State::Greeting, _) => ("220, the greeting", b"220 ready\r\n"),
            (_, Request::Dictionaries) => ("the dictionaries, one a line", b"110 0 databases\r\n.\r\n250 ok\r\n"),
            (_, Request::About { .. }) => ("what the dictionary says of itself", b"112 information\r\n.\r\n250 ok\r\n"),
            (_, Request::Define { .. }) => ("the definitions", b"150 0 definitions\r\n250 ok\r\n"),
            (_, Request::Begin { .. }) => ("the words, one a line", b"152 0 matches\r\n.\r\n250 ok\r\n"),
        };
        Expected { what: what.into(), reply: reply.into(), closes: false }
    }
}

/// The name of a dictionary as a command has it: RFC 2229 section 2.2 quotes no atoms.
fn atom(octets: &[u8]) -> Result<&[u8], Fault> {
    let wrong = octets.iter().position(|octet| !matches!(octet, 0x21..=0x7E) || matches!(octet, b'"' | b'\'' | b'\\'));
    match wrong {
        Some(at) => {
            let what = "the name of a dictionary holds what none can";
            Err(Fault::new(FaultKind::Refused, "RFC 2229 section 2.2", what).octets(octets).at(at))
        }
        None => Ok(octets),
    }
}

/// A word as a command has it: in quotation marks.
fn string(octets: &[u8]) -> Result<Vec<u8>, Fault> {
    if let Some(at) = octets.iter().position(|octet| matches!(octet, 0..=0x1F | 0x7F)) {
        let what = "the word contains a control character, which is not allowed in a command";
        return Err(Fault::new(FaultKind::Refused, "RFC 2229 section 2.2", what).octets(octets).at(at));
    }
    let escaped = octets.iter().flat_map(|octet| match octet {
        b'"' | b'\\' => vec![b'\\', *octet],
        _ => vec![*octet],
    });
    Ok([b"\"".to_vec(), escaped.collect(), b"\"".to_vec()].concat())
}

/// The words of a line, those in quotation marks without them.
fn words(line: &[u8]) -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    let mut octets = line.iter().copied().peekable();
    loop {
        while octets.next_if_eq(&b' ').is_some() {}
        let quote = octets.next_if(|octet| matches!(octet, b'"' | b'\''));
        let mut word = Vec::new();
        while let Some(octet) = octets.next_if(|octet| quote.is_some() || *octet != b' ') {
            match octet {
                b'\\' => word.extend(octets.next()),
                octet if Some(octet) == quote => break,
                octet => word.push(octet),
            }
        }
        if quote.is_none() && word.is_empty() {
            return words;
        }
        words.push(word);
    }
}

/// What a code means that is no answer.
fn refusal(code: u16, line: &[u8]) -> Fault {
    let (kind, what) = match code {
        552 => (FaultKind::NotFound, "the dictionary has no such word"),
        550 => (FaultKind::NotFound, "the server has no such dictionary"),
        420 | 421 => (FaultKind::Server, "the server is not there for anybody now"),
        530..=532 => (FaultKind::Login, "the server does not allow this"),
        500..=503 => (FaultKind::Server, "the server does not know the command"),
        _ => (FaultKind::Malformed, "the server sent an unexpected answer"),
    };
    Fault::new(kind, "RFC 2229 section 3", what).octets(line).code(code).lasting(code >= 500)
}
