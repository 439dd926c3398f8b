//! The machine: from a request to its answer. See the diagram in [the module](super).

use super::dots::{self, TextReader};
use super::header::{Frame, LONGEST, LONGEST_ERROR, PlusHeader, UnaskedError, may_be_cut, server_error};
use super::item_type::{ItemType, Transfer};
use super::menu::{self, MenuItem, MenuReader};
use super::note::{
    CLOSING_DOT_MISSING, EMPTY_ANSWER, END_NOT_AUTHENTICATED, FORM_NOT_FILLED, MENU_DOT_MISSING, NOT_GOPHER_PLUS,
    PROBABLE_ERROR,
};
use super::request::GopherRequest;
use super::settings::GopherSettings;
use crate::language::{message, words};
use crate::protocol::{Begin, Command, End, Event, Expected, Fault, FaultKind, Input, Io, Machine, Shape, Step};
use std::borrow::Cow;
use std::collections::VecDeque;

/// How many octets of an answer are examined to tell an error from a document.
const PROBE: usize = 1024;

/// One gopher request and its answer.
#[derive(Debug)]
pub struct GopherMachine {
    request: GopherRequest,
    settings: GopherSettings,
    phase: Phase,
    /// What the answer is, until it is reported.
    begin: Option<Begin>,
    /// Steps to hand over next.
    queue: VecDeque<Step<'static, MenuItem>>,
    /// Octets taken to find out what the answer is, and still to be read as part of it.
    replay: Vec<u8>,
    /// Octets of the answer so far.
    received: u64,
    /// The answer has a Gopher+ header.
    is_plus: bool,
    /// The answer is a text whose lines end in CRLF.
    is_text: bool,
    /// The line numbers of secret answers of a filled-in form, sorted.
    secrets: Vec<usize>,
}

#[derive(Debug)]
enum Phase {
    Start,
    Connected(Command),
    /// The first line of an answer to a Gopher+ request, as far as it has arrived.
    Header(Vec<u8>),
    /// The beginning of a classic document that may be an error.
    Probe(Vec<u8>),
    Body(BodyReader, Frame),
    /// The data of a Gopher+ error.
    ServerError(Vec<u8>, Frame),
    Done,
    Failed(Fault),
}

#[derive(Debug)]
enum BodyReader {
    Octets,
    Text(TextReader),
    Menu(MenuReader),
}

/// The result of one look at a body.
enum BodyPiece<'i> {
    More,
    Event(Event<MenuItem, Cow<'i, [u8]>>),
    Fail(Fault),
    /// Complete; the flag is whether a closing dot ended it.
    End(bool),
}

impl BodyReader {
    fn next<'i>(&mut self, input: &mut Input<'i>) -> BodyPiece<'i> {
        match self {
            BodyReader::Octets => match (input.octets(), input.end()) {
                ([], None) => BodyPiece::More,
                ([], Some(_)) => BodyPiece::End(false),
                (octets, _) => BodyPiece::Event(Event::Data(Cow::Borrowed(input.take(octets.len())))),
            },
            BodyReader::Text(dots) => match dots.next(input) {
                dots::TextPiece::More => BodyPiece::More,
                dots::TextPiece::Data(octets) => BodyPiece::Event(Event::Data(octets)),
                dots::TextPiece::Note(note) => BodyPiece::Event(Event::Note(note)),
                dots::TextPiece::End { dot } => BodyPiece::End(dot),
            },
            BodyReader::Menu(menu) => match menu.next(input) {
                menu::MenuPiece::More => BodyPiece::More,
                menu::MenuPiece::Entry(item) => BodyPiece::Event(Event::Entry(item)),
                menu::MenuPiece::Note(note) => BodyPiece::Event(Event::Note(note)),
                menu::MenuPiece::Fail(fault) => BodyPiece::Fail(fault),
                menu::MenuPiece::End { dot } => BodyPiece::End(dot),
            },
        }
    }
}

impl GopherMachine {
    /// A machine for this request. Nothing is checked yet: a request that must not be sent fails as its first step.
    pub fn new(request: GopherRequest, settings: GopherSettings) -> GopherMachine {
        GopherMachine {
            request,
            settings,
            phase: Phase::Start,
            begin: None,
            queue: VecDeque::new(),
            replay: Vec::new(),
            received: 0,
            is_plus: false,
            is_text: false,
            secrets: Vec::new(),
        }
    }

    /// The same for a filled-in form with secret [lines](super::fill), by their numbers from 0, which are never displayed.
    #[must_use]
    pub fn with_secrets(self, mut lines: Vec<usize>) -> GopherMachine {
        lines.sort_unstable();
        GopherMachine { secrets: lines, ..self }
    }

    /// Whether the server has answered with a Gopher+ header. False until the answer [begins](crate::protocol::Event::Begin).
    pub fn is_plus(&self) -> bool {
        self.is_plus
    }

    /// Whether the answer is text, whose lines the server ends with CRLF (RFC 1436), and not octets. False until the answer
    /// [begins](Event::Begin).
    pub fn is_text(&self) -> bool {
        self.is_text
    }

    /// What is sent, with its secrets marked.
    fn command(&self) -> Result<Command, Fault> {
        /// The request, including the line that says how the answers of a form end.
        const BEFORE_ANSWERS: usize = 2;
        let command = self.request.command(&self.settings)?;
        if self.secrets.is_empty() {
            return Ok(command);
        }
        let line_ends = command.octets().iter().enumerate().filter(|(_, octet)| **octet == b'\n').map(|(at, _)| at + 1);
        let starts: Vec<usize> = std::iter::once(0).chain(line_ends).collect();
        let answers = starts.windows(2).skip(BEFORE_ANSWERS).enumerate();
        let secrets = answers.filter(|(number, _)| self.secrets.binary_search(number).is_ok());
        let spans = secrets.map(|(_, line)| line[0]..line[1] - b"\r\n".len());
        Ok(spans.fold(command, Command::secret))
    }

    /// Why this item is not fetched by gopher, if it is not.
    fn elsewhere(&self) -> Option<Fault> {
        if self.request.gtype == b'h'
            && let Some(target) = self.request.selector.strip_prefix(b"URL:")
        {
            let what = words!("the item is a link to another URL");
            return Some(
                Fault::new(FaultKind::Elsewhere, "`URL:` selectors, in use without a document", what)
                    .octets(target)
                    .with_help(words!("open that URL if you trust it")),
            );
        }
        match ItemType::of(self.request.gtype).transfer {
            Transfer::Elsewhere { why, help, rule } => {
                Some(Fault::new(FaultKind::Elsewhere, rule, why).with_help(help))
            }
            Transfer::Text | Transfer::Menu | Transfer::Binary => None,
        }
    }

    fn fail<'i>(&mut self, fault: Fault) -> Step<'i, MenuItem> {
        self.phase = Phase::Failed(fault.clone());
        Step::Fail(fault)
    }

    /// What an answer without a Gopher+ header is, by the item type. `taken` is the part that has already been taken.
    fn begin_classic(&mut self, taken: Vec<u8>) {
        let item_type = ItemType::of(self.request.gtype);
        let is_menu = item_type.transfer == Transfer::Menu;
        self.is_text = item_type.transfer == Transfer::Text;
        self.begin = Some(Begin {
            shape: if is_menu { Shape::Menu } else { Shape::Document },
            size: None,
            media_type: item_type.media_type.map(str::to_owned),
        });
        self.phase = Phase::Probe(taken);
    }

    /// What an answer with a Gopher+ header is, by the requested view or attributes, otherwise by the item type.
    fn begin_plus(&mut self, frame: Frame) {
        self.is_plus = true;
        let item_type = ItemType::of(self.request.gtype);
        let asks_attributes = self.request.asks_attributes();
        let view = self.request.view();
        let is_menu = match view {
            Some(view) => view.eq_ignore_ascii_case(b"application/gopher-menu"),
            None => !asks_attributes && item_type.transfer == Transfer::Menu,
        };
        let media_type = match view {
            _ if is_menu => None,
            Some(view) => std::str::from_utf8(view).ok().map(str::to_owned),
            None if asks_attributes => Some("text/plain".to_owned()),
            None => item_type.media_type.map(str::to_owned),
        };
        let size = match frame {
            Frame::Counted(count) => Some(count),
            Frame::Dot | Frame::Close => None,
        };
        let (shape, body) = if is_menu {
            (Shape::Menu, BodyReader::Menu(MenuReader::new(self.settings.limits, size.is_some())))
        } else if frame == Frame::Dot {
            (Shape::Document, BodyReader::Text(TextReader::undoubled()))
        } else {
            (Shape::Document, BodyReader::Octets)
        };
        // The length in the header is only that of a document that is kept unchanged; attributes have a reader of their own.
        self.is_text = frame == Frame::Dot && !is_menu && !asks_attributes;
        self.begin = Some(Begin { shape, size, media_type });
        self.phase = Phase::Body(body, frame);
    }

    /// Collects the first line of the answer to a Gopher+ request. Returns `None` once the state has changed.
    fn header<'i>(&mut self, mut line: Vec<u8>, input: &mut Input<'_>) -> Option<Step<'i, MenuItem>> {
        let room = LONGEST - line.len();
        let octets = &input.octets()[..input.octets().len().min(room)];
        let length = octets.iter().position(|octet| *octet == b'\n').map_or(octets.len(), |at| at + 1);
        line.extend_from_slice(input.take(length));
        let is_whole = line.ends_with(b"\n") || line.len() == LONGEST;
        let may_be_header = matches!(line.first(), None | Some(b'+' | b'-'));
        if !is_whole && may_be_header && input.end().is_none() {
            self.phase = Phase::Header(line);
            return Some(Step::Io(Io::Receive));
        }
        let header =
            line.strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line)).and_then(PlusHeader::parse);
        match header {
            Some(Ok(PlusHeader { is_error: true, frame })) => self.phase = Phase::ServerError(Vec::new(), frame),
            Some(Ok(PlusHeader { frame, .. })) => {
                if let (Frame::Counted(count), Some(total)) = (frame, self.settings.limits.total)
                    && count > total
                {
                    return Some(self.fail(too_long(total)));
                }
                self.begin_plus(frame);
            }
            Some(Err(fault)) => return Some(self.fail(fault)),
            None if !is_whole && self.request.asks_attributes() && may_be_cut(&line) => {
                let what = words!("the connection closed in the middle of the Gopher+ header");
                let fault = Fault::new(FaultKind::Partial, "Gopher+ section 2.3", what);
                return Some(self.fail(fault.with_help(words!("ask again"))));
            }
            None => {
                if !line.is_empty() {
                    self.queue.push_back(Step::Event(Event::Note(NOT_GOPHER_PLUS)));
                }
                self.begin_classic(line);
            }
        }
        None
    }

    /// Examines the beginning of a classic answer. Returns `None` once the state has changed.
    fn probe<'i>(&mut self, mut held: Vec<u8>, input: &mut Input<'_>) -> Option<Step<'i, MenuItem>> {
        let octets = &input.octets[..input.octets.len().min(PROBE)];
        let is_all = octets.len() == input.octets.len() && input.end.is_some();
        // Nothing is copied if a first look is enough, as for nearly every document.
        let is_first_look = held.is_empty();
        if !is_first_look {
            held.extend_from_slice(input.take(octets.len()));
        }
        let transfer = ItemType::of(self.request.gtype).transfer;
        match Look::at(if is_first_look { octets } else { &held }, transfer == Transfer::Menu, is_all) {
            Look::Unknown => {
                if is_first_look {
                    held.extend_from_slice(input.take(octets.len()));
                }
                self.phase = Phase::Probe(held);
                return Some(Step::Io(Io::Receive));
            }
            Look::Unasked { header, frame } => {
                if is_first_look {
                    held.extend_from_slice(input.take(octets.len()));
                }
                let mut body = Vec::new();
                for octet in &held[header..] {
                    if is_whole_error(&body, frame) {
                        break;
                    }
                    body.push(*octet);
                }
                self.phase = Phase::ServerError(body, frame);
                return None;
            }
            Look::Error(fault) => return Some(self.fail(fault)),
            Look::ProbableError => self.queue.push_back(Step::Event(Event::Note(PROBABLE_ERROR))),
            Look::Answer => {}
        }
        self.replay = held;
        let body = match transfer {
            Transfer::Menu => BodyReader::Menu(MenuReader::new(self.settings.limits, false)),
            Transfer::Text if self.settings.strict => BodyReader::Text(TextReader::strict()),
            Transfer::Text => BodyReader::Text(TextReader::lenient(self.settings.limits.held)),
            Transfer::Binary | Transfer::Elsewhere { .. } => BodyReader::Octets,
        };
        self.phase = Phase::Body(body, Frame::Close);
        None
    }

    /// Collects the data of a Gopher+ error as it arrives.
    fn server_error<'i>(&mut self, mut body: Vec<u8>, frame: Frame, input: &mut Input<'_>) -> Step<'i, MenuItem> {
        while !is_whole_error(&body, frame) {
            match input.take(1) {
                [] if input.end().is_some() => break,
                [] => {
                    self.phase = Phase::ServerError(body, frame);
                    return Step::Io(Io::Receive);
                }
                octet => body.extend_from_slice(octet),
            }
        }
        self.fail(server_error(&body))
    }

    /// Reads once from the part of `input` that belongs to the answer.
    fn look<'i>(&mut self, body: &mut BodyReader, frame: Frame, input: &mut Input<'i>) -> BodyPiece<'i> {
        let left = match frame {
            Frame::Counted(count) => count - self.received,
            Frame::Dot | Frame::Close => u64::MAX,
        };
        let room = self.settings.limits.total.map_or(u64::MAX, |total| total - self.received);
        let available = input.octets.len();
        let length = usize::try_from(left.min(room)).map_or(available, |most| most.min(available));
        let end = if length as u64 == left {
            Some(End::Closed)
        } else if length < available {
            None
        } else if left < u64::MAX {
            // Fewer octets than announced, so the last line is incomplete.
            input.end.map(|_| End::Broken)
        } else {
            input.end
        };
        let mut window = Input { octets: &input.octets[..length], end };
        let piece = body.next(&mut window);
        let taken = length - window.octets.len();
        input.take(taken);
        self.received += taken as u64;
        match (piece, self.settings.limits.total) {
            (BodyPiece::More, Some(total)) if !input.octets.is_empty() => BodyPiece::Fail(too_long(total)),
            (piece, _) => piece,
        }
    }

    /// One step of the body; `None` if the steps that end it are queued.
    fn body<'i>(&mut self, mut body: BodyReader, frame: Frame, input: &mut Input<'i>) -> Option<Step<'i, MenuItem>> {
        let mut piece = BodyPiece::More;
        if !self.replay.is_empty() {
            let replay = std::mem::take(&mut self.replay);
            let mut again = Input::new(&replay);
            piece = match self.look(&mut body, frame, &mut again) {
                BodyPiece::More => BodyPiece::More,
                BodyPiece::Event(event) => BodyPiece::Event(owned(event)),
                BodyPiece::Fail(fault) => BodyPiece::Fail(fault),
                BodyPiece::End(dot) => BodyPiece::End(dot),
            };
            self.replay = again.octets.to_vec();
        }
        if let BodyPiece::More = piece {
            piece = self.look(&mut body, frame, input);
        }
        let step = match piece {
            BodyPiece::More => Step::Io(Io::Receive),
            BodyPiece::Fail(fault) => return Some(self.fail(fault)),
            BodyPiece::Event(event) => match self.begin.take() {
                Some(begin) => {
                    self.queue.push_back(Step::Event(owned(event)));
                    Step::Event(Event::Begin(begin))
                }
                None => Step::Event(event),
            },
            BodyPiece::End(dot) => {
                let is_menu = matches!(body, BodyReader::Menu(_));
                return self.end(dot, is_menu, frame, input.end());
            }
        };
        self.phase = Phase::Body(body, frame);
        Some(step)
    }

    /// Ends the body. `end` is `None` if it ended by itself, so that the peer's close no longer matters.
    fn end<'i>(&mut self, dot: bool, is_menu: bool, frame: Frame, end: Option<End>) -> Option<Step<'i, MenuItem>> {
        if let Frame::Counted(count) = frame {
            if self.received < count {
                let what = message!(
                    "the server announced {total} octets but closed the connection after {count}",
                    total = count,
                    count = self.received
                );
                let fault = Fault::new(FaultKind::Partial, "Gopher+ section 2.3", what);
                return Some(self.fail(fault.with_help(words!("ask again"))));
            }
        } else if end == Some(End::Broken) {
            let what = words!("the connection broke before the answer ended");
            let fault = Fault::new(FaultKind::Partial, "RFC 1436 section 3", what);
            return Some(self.fail(fault.with_help(words!("ask again"))));
        } else if !dot && frame == Frame::Dot && (is_menu || self.request.asks_attributes()) {
            // A document can be looked at; an entry, a view or a question that is missing cannot be seen to be missing.
            let what = words!("the server announced a final line with a single dot but closed without it");
            let fault = Fault::new(FaultKind::Partial, "Gopher+ section 2.3", what);
            return Some(self.fail(fault.with_help(words!("ask again"))));
        }
        let is_empty = self.received == 0 && frame == Frame::Close;
        self.queue.extend(self.begin.take().map(|given| Step::Event(Event::Begin(given))));
        let notes = [
            (EMPTY_ANSWER, is_empty),
            (MENU_DOT_MISSING, is_menu && !dot && !is_empty && !self.is_plus),
            (CLOSING_DOT_MISSING, !dot && frame == Frame::Dot),
            (END_NOT_AUTHENTICATED, end == Some(End::Unauthenticated)),
        ];
        let deserved = notes.into_iter().filter(|(_, is_deserved)| *is_deserved);
        self.queue.extend(deserved.map(|(note, _)| Step::Event(Event::Note(note))));
        self.phase = Phase::Done;
        None
    }
}

impl Machine for GopherMachine {
    type Entry = MenuItem;
    const HAS_REPLIES: bool = false;

    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, MenuItem> {
        loop {
            if let Some(step) = self.queue.pop_front() {
                return step;
            }
            let step = match std::mem::replace(&mut self.phase, Phase::Done) {
                Phase::Start => match self.elsewhere().map_or_else(|| self.command(), Err) {
                    Ok(command) => {
                        self.phase = Phase::Connected(command);
                        Some(Step::Io(Io::Connect))
                    }
                    Err(fault) => Some(self.fail(fault)),
                },
                Phase::Connected(command) => {
                    if self.request.sent_plus().is_some() {
                        self.phase = Phase::Header(Vec::new());
                    } else {
                        self.begin_classic(Vec::new());
                    }
                    if self.request.plus.as_deref() == Some(b"?") {
                        self.queue.push_back(Step::Event(Event::Note(FORM_NOT_FILLED)));
                    }
                    Some(Step::Io(Io::Send(command)))
                }
                Phase::Header(line) => self.header(line, input),
                Phase::Probe(held) => self.probe(held, input),
                Phase::Body(body, frame) => self.body(body, frame, input),
                Phase::ServerError(body, frame) => Some(self.server_error(body, frame, input)),
                Phase::Done => Some(Step::Done),
                Phase::Failed(fault) => Some(self.fail(fault)),
            };
            if let Some(step) = step {
                return step;
            }
        }
    }

    fn expected(&self) -> Expected {
        let (classic, reply): (_, &[u8]) = match ItemType::of(self.request.gtype).transfer {
            Transfer::Menu => {
                (words!("a menu, one item per line, then a line with a single dot; the server closes"), b".\r\n")
            }
            Transfer::Text => {
                (words!("text, optionally ended by a line with a single dot; the server closes"), b".\r\n")
            }
            Transfer::Binary | Transfer::Elsewhere { .. } => (words!("octets, until the server closes"), b""),
        };
        if self.request.sent_plus().is_none() {
            return Expected { what: classic.into(), reply: Cow::Borrowed(reply), closes: true };
        }
        let data = match self.request.plus.as_deref() {
            Some(b"?") => words!("the attributes with the form; its answers require another request"),
            Some([b'!' | b'$', ..]) => words!("the attributes"),
            _ => words!("the data"),
        };
        let what = message!(
            "a Gopher+ header, `+` and a length (-1: up to a line with a single dot, -2: until the server closes), then \
             {data}; or `-`, a length and an error",
            data = data
        );
        Expected { what, reply: Cow::Borrowed(b"+0\r\n"), closes: true }
    }
}

/// What the beginning of a classic answer shows.
enum Look {
    /// More octets are needed to tell.
    Unknown,
    /// The answer, as far as can be known.
    Answer,
    /// Words that servers begin errors with, and so may a document.
    ProbableError,
    /// A menu line by which servers say that they failed, and nothing else.
    Error(Fault),
    /// A Gopher+ error, though a classic request was made; its data begin at `header`.
    Unasked { header: usize, frame: Frame },
}

impl Look {
    fn at(begin: &[u8], is_menu: bool, is_all: bool) -> Look {
        const WORDS: &[u8] = b"Error: ";
        let unknown = if is_all { Look::Answer } else { Look::Unknown };
        match begin.first() {
            None => unknown,
            Some(b'-') => match UnaskedError::in_answer(begin, is_all) {
                UnaskedError::Yes { header, frame } => Look::Unasked { header, frame },
                UnaskedError::Unknown => Look::Unknown,
                UnaskedError::No => Look::Answer,
            },
            // The reader of menus looks for the rest itself.
            Some(_) if is_menu => Look::Answer,
            Some(b'0' | b'3') => Look::at_line(begin, is_all),
            Some(_) if begin.starts_with(WORDS) => Look::ProbableError,
            Some(_) if WORDS.starts_with(begin) => unknown,
            Some(_) => Look::Answer,
        }
    }

    /// A document that begins like a menu line.
    fn at_line(begin: &[u8], is_all: bool) -> Look {
        let end = begin.iter().position(|octet| *octet == b'\n');
        let line = &begin[..end.unwrap_or(begin.len())];
        if line.len() >= PROBE {
            return Look::Answer;
        }
        if end.is_none() && !is_all {
            return Look::Unknown;
        }
        let item = MenuItem::parse(line.strip_suffix(b"\r").unwrap_or(line));
        let Some(fault) = item.fault().filter(|_| item.names_error_host()) else { return Look::Answer };
        match end.map_or(&b""[..], |end| &begin[end + 1..]) {
            // What follows the dot is not part of the answer.
            rest if rest.starts_with(b".\r\n") || rest.starts_with(b".\n") => Look::Error(fault),
            b"" | b"." | b".\r" if is_all => Look::Error(fault),
            b"" | b"." | b".\r" => Look::Unknown,
            _ => Look::ProbableError,
        }
    }
}

/// Whether the data of a Gopher+ error are complete.
fn is_whole_error(body: &[u8], frame: Frame) -> bool {
    let is_over = match frame {
        Frame::Counted(count) => body.len() as u64 == count,
        Frame::Dot => {
            matches!(body, b".\r\n" | b".\n" | [.., b'\n', b'.', b'\r', b'\n'] | [.., b'\n', b'.', b'\n'])
        }
        Frame::Close => false,
    };
    is_over || body.len() == LONGEST_ERROR
}

fn too_long(total: u64) -> Fault {
    let what = message!("the answer is longer than the limit of {count} octets", count = total);
    Fault::new(FaultKind::Limit, "S-45", what).with_help(words!("raise the limit if you trust the server"))
}

/// An event that does not borrow from the input.
fn owned<'o>(event: Event<MenuItem, Cow<'_, [u8]>>) -> Event<MenuItem, Cow<'o, [u8]>> {
    event.map_data(|data| Cow::Owned(data.into_owned()))
}
