//! DICT without a socket (RFC 2229): the greeting, one command, its answer, `QUIT`.
//!
//! The machine knows nothing of connections. The client drives it over TCP, a test over octets from memory, and a dry run over the
//! replies that [`expected`](Machine::expected) gives.

use crate::request::DictRequest;
use std::borrow::Cow;
use urlwise_open::protocol::engine::{Commands, Engine};
use urlwise_open::protocol::{Begin, Command, Event, Expected, Fault, FaultKind, Input, Io, Machine, Shape, Step};

/// The longest line that is read, in octets. The RFC allows 1,024.
const LONGEST: usize = 8 * 1024;

/// One line of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DictItem {
    /// The name of the dictionary.
    pub dictionary: Vec<u8>,
    /// A word in it, or the full name of the dictionary.
    pub text: Vec<u8>,
}

/// One dialogue.
#[derive(Debug)]
pub struct DictMachine {
    request: DictRequest,
    engine: Engine<Phase, DictItem>,
    /// The beginning of a line that has not arrived completely.
    line: Vec<u8>,
}

/// One reply, and the command it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Greeting,
    /// The command and the first reply to it.
    Command,
    /// A reply after the first: each definition has one, and so has the end.
    More,
}

impl DictMachine {
    /// A dialogue about one request. Nothing is checked yet: a request that must not be made fails as its first step.
    pub fn new(request: DictRequest) -> DictMachine {
        DictMachine { request, engine: Engine::new(), line: Vec::new() }
    }

    /// The command; nothing that comes from a URL can end it or begin another.
    ///
    /// # Errors
    /// Octets that no command can contain.
    fn command(&self) -> Result<Command, Fault> {
        let words: &[&[u8]] = match &self.request {
            DictRequest::Dictionaries => &[b"SHOW DB"],
            DictRequest::About { dictionary } => &[b"SHOW INFO", atom(dictionary)?],
            DictRequest::Define { dictionary, word } => &[b"DEFINE", atom(dictionary)?, &string(word)?],
            DictRequest::Begin { dictionary, word } => &[b"MATCH", atom(dictionary)?, b"prefix", &string(word)?],
        };
        Ok(Command::new([words.join(&b' '), b"\r\n".to_vec()].concat()))
    }

    fn is_list(&self) -> bool {
        matches!(self.request, DictRequest::Dictionaries | DictRequest::Begin { .. })
    }

    fn begin(&mut self) {
        let begin = match self.is_list() {
            true => Begin::new(Shape::Menu),
            false => Begin::new(Shape::Document).with_media_type("text/plain; charset=utf-8"),
        };
        self.engine.emit(Event::Begin(begin));
    }

    /// The next step after a reply, given as a line without its end.
    fn replied(&mut self, phase: Phase, line: &[u8]) -> Result<(), Fault> {
        let code = line.get(..3).and_then(|code| std::str::from_utf8(code).ok()?.parse::<u16>().ok());
        let Some(code) = code.filter(|_| matches!(line.get(3), None | Some(b' '))) else {
            return Err(Fault::new(FaultKind::Malformed, "RFC 2229 section 2.4", "a reply has no code").octets(line));
        };
        match (phase, code) {
            (Phase::Greeting, 220) | (Phase::More, 250) => {}
            (Phase::Command, 110 | 112 | 152) => {
                self.begin();
                self.engine.read_body(Phase::More);
            }
            (Phase::Command, 150) => {
                self.begin();
                self.engine.await_reply(Phase::More);
            }
            (Phase::More, 151) => {
                let from = words(&line[3..]).pop().unwrap_or_default();
                self.engine.emit(Event::Data(Cow::Owned([b"From ", from.as_slice(), b":\n\n"].concat())));
                self.engine.read_body(Phase::More);
            }
            // No such words is an answer; so is a server without dictionaries.
            (Phase::Command, 552 | 554) if self.is_list() => self.begin(),
            _ => return Err(refusal(code, line)),
        }
        Ok(())
    }

    /// One line of a text or a list.
    fn text(&mut self, line: &[u8]) {
        // A lone dot ends the text; a line that begins with a dot has another one before it. Some servers forget that one.
        let line = match line {
            b"." => return self.engine.await_reply(Phase::More),
            [b'.', rest @ ..] if rest.starts_with(b".") => rest,
            line => line,
        };
        match (self.is_list(), words(line).as_mut_slice()) {
            (false, _) => self.engine.emit(Event::Data(Cow::Owned([line, b"\n"].concat()))),
            (true, [dictionary, text, ..]) => {
                let item = DictItem { dictionary: std::mem::take(dictionary), text: std::mem::take(text) };
                self.engine.emit(Event::Entry(item));
            }
            // There is nothing to open in a line that names nothing.
            (true, _) => {}
        }
    }

    /// The next complete line, without its end.
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
}

impl Commands for DictMachine {
    type Phase = Phase;
    type Entry = DictItem;

    fn engine(&mut self) -> &mut Engine<Phase, DictItem> {
        &mut self.engine
    }

    fn start(&mut self) -> Result<(), Fault> {
        // What must not be sent fails before there is a connection.
        self.command()?;
        self.engine.emit(Io::Connect);
        self.engine.extend([Phase::Greeting, Phase::Command]);
        Ok(())
    }

    fn send(&mut self, phase: Phase) -> Result<(), Fault> {
        match phase {
            Phase::Greeting | Phase::More => {}
            Phase::Command => {
                let command = self.command()?;
                self.engine.emit(Io::Send(command));
            }
        }
        Ok(())
    }

    fn reply(&mut self, phase: Phase, input: &mut Input<'_>) -> Result<bool, Fault> {
        match self.take_line(input)? {
            Some(line) => self.replied(phase, &line).map(|()| true),
            None => Ok(false),
        }
    }

    fn body<'i>(&mut self, phase: Phase, input: &mut Input<'i>) -> Result<Option<Step<'i, DictItem>>, Fault> {
        match self.take_line(input)? {
            Some(line) => self.text(&line),
            None if input.end().is_some() => self.closed(phase)?,
            None => return Ok(Some(Step::Io(Io::Receive))),
        }
        Ok(None)
    }

    fn closed(&mut self, _: Phase) -> Result<(), Fault> {
        let what = "the connection ended before the answer was complete";
        Err(Fault::new(FaultKind::Partial, "RFC 2229 section 2.4", what))
    }

    fn goodbye(&self) -> Option<Command> {
        Some(Command::new(b"QUIT\r\n".to_vec()))
    }
}

impl Machine for DictMachine {
    type Entry = DictItem;
    const HAS_REPLIES: bool = true;

    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, DictItem> {
        Engine::run(self, input)
    }

    fn expected(&self) -> Expected {
        let (what, reply): (&str, &[u8]) = match (self.engine.awaited(), &self.request) {
            (Some(Phase::Greeting), _) => ("220, the greeting", b"220 ready\r\n"),
            (_, DictRequest::Dictionaries) => ("the dictionaries, one a line", b"110 0 databases\r\n.\r\n250 ok\r\n"),
            (_, DictRequest::About { .. }) => {
                ("a description of the dictionary", b"112 information\r\n.\r\n250 ok\r\n")
            }
            (_, DictRequest::Define { .. }) => ("the definitions", b"150 0 definitions\r\n250 ok\r\n"),
            (_, DictRequest::Begin { .. }) => ("the words, one a line", b"152 0 matches\r\n.\r\n250 ok\r\n"),
        };
        Expected::new(what, reply)
    }
}

/// The name of a dictionary as in a command: RFC 2229 section 2.2 quotes no atoms.
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

/// A word as in a command: in quotation marks.
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

/// What an error code means.
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
