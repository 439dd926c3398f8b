//! The machine: separates text from commands and answers requests. See the diagram in [the module](super).

use super::note::END_NOT_AUTHENTICATED;
use super::option::{self, BINARY, TERMINAL_TYPE, WINDOW_SIZE};
use super::settings::{TelnetSettings, Window};
use crate::language::{message, words};
use crate::protocol::text::LocalText;
use crate::protocol::{Begin, Command, End, Event, Expected, Fault, FaultKind, Input, Io, Machine, Shape, Step};
use std::borrow::Cow;
use std::convert::Infallible;

pub(super) const SE: u8 = 240;
const SB: u8 = 250;
pub(super) const WILL: u8 = 251;
const WONT: u8 = 252;
pub(super) const DO: u8 = 253;
const DONT: u8 = 254;
pub(super) const IAC: u8 = 255;

/// Codes of a subnegotiation about the type of terminal (RFC 1091).
const IS: u8 = 0;
const SEND: u8 = 1;

const REFERENCE: &str = "RFC 854";

/// What a modern server asks a terminal, for the dry run.
const REQUESTS: &[u8] = &[
    IAC,
    DO,
    TERMINAL_TYPE,
    IAC,
    SB,
    TERMINAL_TYPE,
    SEND,
    IAC,
    SE,
    IAC,
    WILL,
    option::SUPPRESS_GO_AHEAD,
    IAC,
    DO,
    WINDOW_SIZE,
    IAC,
    WILL,
    option::ECHO,
    IAC,
    DO,
    BINARY,
];

/// One session.
#[derive(Clone, Debug)]
pub struct TelnetMachine {
    pub(super) settings: TelnetSettings,
    phase: Phase,
    reading: InputState,
    /// The options in effect on the server's side.
    theirs: OptionSet,
    /// The options in effect on our side.
    pub(super) ours: OptionSet,
    /// Requests since the last octet of text, or the last key.
    pub(super) requests: u32,
    /// Whether anything has arrived.
    has_heard: bool,
    /// A line was typed up to its CR; its line end depends on what follows.
    pub(super) held_cr: bool,
    /// Turns the server's line ends into those of this system.
    local: Option<LocalText>,
}

#[derive(Clone, Debug)]
enum Phase {
    Start,
    Connected,
    Open,
    Ended,
    Failed(Fault),
}

/// The position in the server's octets, which TCP may cut anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputState {
    Text,
    /// After IAC.
    Command,
    /// After one of WILL, WONT, DO, DONT.
    Request(u8),
    /// In a subnegotiation.
    Sub(Sub),
    /// After IAC in one.
    SubCommand(Sub),
}

/// An incoming subnegotiation: only what is needed of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Sub {
    option: Option<u8>,
    code: Option<u8>,
    length: usize,
}

/// A set of options that are on. Only those below 64 are ever agreed to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OptionSet(u64);

impl OptionSet {
    fn bit(option: u8) -> u64 {
        1u64.checked_shl(option.into()).unwrap_or(0)
    }

    pub(super) fn has(self, option: u8) -> bool {
        self.0 & OptionSet::bit(option) != 0
    }

    fn set(&mut self, option: u8, on: bool) {
        if on {
            self.0 |= OptionSet::bit(option);
        } else {
            self.0 &= !OptionSet::bit(option);
        }
    }
}

impl TelnetMachine {
    /// A session that has not begun.
    pub fn new(settings: TelnetSettings) -> TelnetMachine {
        let local = (settings.terminal.is_none() && !settings.raw).then(LocalText::default);
        TelnetMachine {
            local,
            settings,
            phase: Phase::Start,
            reading: InputState::Text,
            theirs: OptionSet::default(),
            ours: OptionSet::default(),
            requests: 0,
            has_heard: false,
            held_cr: false,
        }
    }

    /// Whether this option is in effect on the server's side.
    pub(super) fn server_does(&self, option: u8) -> bool {
        self.theirs.has(option)
    }

    /// Takes octets until there is a step to return; `None` once all are taken.
    fn read<'i>(&mut self, input: &mut Input<'i>) -> Option<Step<'i, Infallible>> {
        loop {
            let octets = input.octets();
            let &first = octets.first()?;
            self.has_heard = true;
            if self.reading == InputState::Text {
                let length = octets.iter().position(|octet| self.is_special(*octet)).unwrap_or(octets.len());
                if length > 0 {
                    self.requests = 0;
                    match self.text(input.take(length)) {
                        text if text.is_empty() => continue,
                        text => return Some(Step::Event(Event::Data(text))),
                    }
                }
            }
            input.take(1);
            match self.command(first) {
                Ok(Some(step)) => return Some(step),
                Ok(None) => {}
                Err(fault) => return Some(self.fail(fault)),
            }
        }
    }

    /// Text to return; empty if all of it is held back.
    fn text<'i>(&mut self, octets: &'i [u8]) -> Cow<'i, [u8]> {
        match &mut self.local {
            Some(local) => local.piece(octets),
            None => Cow::Borrowed(octets),
        }
    }

    /// Whether an octet is not part of the text. For the terminal of RFC 854, NUL does nothing; after CR, it is the second half
    /// of a bare CR.
    fn is_special(&self, octet: u8) -> bool {
        octet == IAC || octet == 0 && !self.server_does(BINARY)
    }

    /// Handles an octet that is not text.
    fn command(&mut self, octet: u8) -> Result<Option<Step<'static, Infallible>>, Fault> {
        let (reading, step) = match (self.reading, octet) {
            (InputState::Text, IAC) => (InputState::Command, None),
            (InputState::Text, _) => (InputState::Text, None),
            (InputState::Command, IAC) => {
                self.requests = 0;
                let text = self.text(&[IAC]).into_owned();
                (InputState::Text, Some(Step::Event(Event::Data(Cow::Owned(text)))))
            }
            (InputState::Command, WILL..=DONT) => (InputState::Request(octet), None),
            (InputState::Command, SB) => {
                // Counted when it begins, because it may be broken off for another one.
                self.counted()?;
                (InputState::Sub(Sub::default()), None)
            }
            // No operation, go ahead, marks, and functions for servers: a terminal does nothing.
            (InputState::Command, _) => (InputState::Text, None),
            (InputState::Request(verb), option) => (InputState::Text, self.answer(verb, option)?),
            (InputState::Sub(sub), IAC) => (InputState::SubCommand(sub), None),
            (InputState::Sub(sub), octet) => (InputState::Sub(self.kept(sub, octet)?), None),
            (InputState::SubCommand(sub), IAC) => (InputState::Sub(self.kept(sub, IAC)?), None),
            (InputState::SubCommand(sub), SE) => (InputState::Text, self.subnegotiated(sub)),
            // It was not ended: what follows is a new command.
            (InputState::SubCommand(_), octet) => {
                self.reading = InputState::Command;
                return self.command(octet);
            }
        };
        self.reading = reading;
        Ok(step)
    }

    /// Answers a request if it changes something. Answers are not answered, so two machines never loop.
    fn answer(&mut self, verb: u8, option: u8) -> Result<Option<Step<'static, Infallible>>, Fault> {
        self.counted()?;
        let is_terminal = self.settings.terminal.is_some();
        let (is_theirs, on) = (matches!(verb, WILL | WONT), matches!(verb, WILL | DO));
        let (side, may, words) = if is_theirs {
            (&mut self.theirs, is_terminal && option::may_server(option), [("DONT", DONT), ("DO", DO)])
        } else {
            (&mut self.ours, is_terminal && option::may_we(option), [("WONT", WONT), ("WILL", WILL)])
        };
        if side.has(option) == on {
            return Ok(None);
        }
        side.set(option, on && may);
        let (word, code) = words[usize::from(on && may)];
        let mut octets = vec![IAC, code, option];
        let mut told = message!("{verb} {name}", verb = word, name = option::name(option));
        if let Some(terminal) = &self.settings.terminal
            && option == WINDOW_SIZE
            && self.ours.has(WINDOW_SIZE)
        {
            octets.extend(window(terminal.window));
            let Window { columns, rows } = terminal.window;
            told = message!("{what}, which is {columns} x {rows}", what = told, columns = columns, rows = rows);
        }
        Ok(Some(Step::Io(Io::Send(Command::new(octets).in_words(told)))))
    }

    /// Answers a subnegotiation: only the type of the terminal is ever asked for.
    fn subnegotiated(&self, sub: Sub) -> Option<Step<'static, Infallible>> {
        let asks = sub == Sub { option: Some(TERMINAL_TYPE), code: Some(SEND), length: 2 };
        let terminal = self.settings.terminal.as_ref().filter(|_| asks && self.ours.has(TERMINAL_TYPE))?;
        let name = terminal.name.as_str();
        let octets = [&[IAC, SB, TERMINAL_TYPE, IS], name.as_bytes(), &[IAC, SE]].concat();
        Some(Step::Io(Io::Send(Command::new(octets).in_words(message!("TERMINAL-TYPE is {name}", name = name)))))
    }

    /// A subnegotiation with one more octet.
    fn kept(&self, sub: Sub, octet: u8) -> Result<Sub, Fault> {
        let most = self.settings.limits.subnegotiation;
        if sub.length == most {
            let name = sub.option.map_or_else(|| "".into(), option::name);
            let what = message!("a subnegotiation about {name} exceeds {count} octets", name = name, count = most);
            return Err(
                Fault::new(FaultKind::Limit, "RFC 855, S-40", what).with_help(words!("the session cannot continue"))
            );
        }
        let code = if sub.length == 1 { Some(octet) } else { sub.code };
        Ok(Sub { option: sub.option.or(Some(octet)), code, length: sub.length + 1 })
    }

    /// Counts one more request.
    fn counted(&mut self) -> Result<(), Fault> {
        let most = self.settings.limits.requests;
        self.requests += 1;
        if self.requests <= most {
            return Ok(());
        }
        let what = message!("the server sent {count} option requests in a row without any data", count = most);
        Err(Fault::new(FaultKind::Limit, "RFC 854, S-40", what)
            .with_help(words!("the option negotiation is in a loop")))
    }

    fn end(&mut self, end: End) -> Step<'static, Infallible> {
        if let Some(last @ [_, ..]) = self.local.as_mut().map(LocalText::end) {
            return Step::Event(Event::Data(Cow::Owned(last.to_vec())));
        }
        self.phase = Phase::Ended;
        match end {
            End::Closed => Step::Done,
            End::Unauthenticated => Step::Event(Event::Note(END_NOT_AUTHENTICATED)),
            End::Broken => self.fail(
                Fault::new(FaultKind::Partial, REFERENCE, words!("the connection broke in the middle of the session"))
                    .with_help(words!("the last output of the server may be missing")),
            ),
        }
    }

    fn fail(&mut self, fault: Fault) -> Step<'static, Infallible> {
        self.phase = Phase::Failed(fault.clone());
        Step::Fail(fault)
    }
}

/// The subnegotiation with the size of the window (RFC 1073).
pub(super) fn window(window: Window) -> Vec<u8> {
    let mut octets = vec![IAC, SB, WINDOW_SIZE];
    for octet in [window.columns.to_be_bytes(), window.rows.to_be_bytes()].concat() {
        octets.push(octet);
        if octet == IAC {
            octets.push(IAC);
        }
    }
    octets.extend([IAC, SE]);
    octets
}

impl Machine for TelnetMachine {
    type Entry = Infallible;
    const HAS_REPLIES: bool = false;

    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, Infallible> {
        match &self.phase {
            Phase::Start => {
                self.phase = Phase::Connected;
                Step::Io(Io::Connect)
            }
            Phase::Connected => {
                self.phase = Phase::Open;
                Step::Event(Event::Begin(Begin { shape: Shape::Document, size: None, media_type: None }))
            }
            Phase::Open => match (self.read(input), input.end()) {
                (Some(step), _) => step,
                (None, Some(end)) => self.end(end),
                (None, None) => Step::Io(Io::Receive),
            },
            Phase::Ended => Step::Done,
            Phase::Failed(fault) => Step::Fail(fault.clone()),
        }
    }

    fn expected(&self) -> Expected {
        if self.has_heard {
            let what = words!("the session: the output of the server, until it closes");
            return Expected { what: what.into(), reply: Cow::Borrowed(b""), closes: true };
        }
        let what = words!("questions about the terminal");
        Expected { what: what.into(), reply: Cow::Borrowed(REQUESTS), closes: false }
    }
}
