//! The machine: INIT, then one search, or one slice of a document after another. Nothing is pipelined.

use super::answer::{self, Answer, Hit};
use super::diagnostic::OUT_OF_RANGE;
use super::message;
use super::packet::Packet;
use super::request::{Request, Wanted};
use super::settings::{OVERHEAD, Settings};
use super::types;
use crate::protocol::{Begin, Command, End, Event, Expected, Fault, FaultKind, Input, Io, Machine, Note, Shape, Step};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

const RULE: &str = "RFC 1738 section 3.9";

/// Longest message that is read, above the size that is agreed on: what a server adds to it by mistake.
const SLACK: usize = 64 * 1024;

/// One dialogue.
#[derive(Clone, Debug)]
pub struct Wais {
    request: Request,
    settings: Settings,
    state: State,
    packet: Packet,
    /// What is given before the next state.
    given: VecDeque<Given>,
    document: Document,
}

/// What is known of the document that is fetched.
#[derive(Clone, Debug, Default)]
struct Document {
    wtype: Vec<u8>,
    id: Vec<u8>,
    /// As the URL says it.
    length: Option<u64>,
    /// Octets given.
    at: u64,
    has_begun: bool,
}

#[derive(Clone, Debug)]
enum State {
    Start,
    Send(Ask),
    Wait(Ask),
    Done,
    Failed(Fault),
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ask {
    Init,
    Search,
    Slice(Range<u64>),
}

#[derive(Clone, Debug)]
enum Given {
    Begin(Begin),
    Data(Vec<u8>),
    Entry(Box<Hit>),
    Note(Note),
}

impl Wais {
    /// A dialogue about one request.
    pub fn new(request: Request, settings: Settings) -> Wais {
        let document = match &request.wanted {
            Wanted::Document { wtype, id } => {
                Document { wtype: wtype.clone(), id: id.octets().to_vec(), length: id.length(), ..Document::default() }
            }
            _ => Document::default(),
        };
        Wais { request, settings, state: State::Start, packet: Packet::default(), given: VecDeque::new(), document }
    }

    /// The first question after INIT.
    fn first(&self) -> Ask {
        match self.request.wanted {
            Wanted::Document { .. } => self.next_slice(),
            _ => Ask::Search,
        }
    }

    fn next_slice(&self) -> Ask {
        let start = self.document.at;
        let end = start.saturating_add(u64::from(self.settings.slice.max(1)));
        Ask::Slice(start..self.document.length.map_or(end, |length| length.min(end)))
    }

    fn command(&self, ask: &Ask) -> Command {
        let database = &self.request.database;
        match ask {
            Ask::Init => message::init(self.settings.message),
            Ask::Search => {
                let words = match &self.request.wanted {
                    Wanted::Search(words) => words.as_slice(),
                    _ => b"",
                };
                message::search(database, words, self.settings.hits)
            }
            Ask::Slice(range) => message::slice(database, &self.document.wtype, &self.document.id, range),
        }
    }

    /// Judges the answer to `ask`; the state after it, once everything given has been taken.
    fn judge(&mut self, ask: &Ask, message: &[u8]) -> Result<State, Fault> {
        match ask {
            Ask::Init => {
                if let Some(agreed) = answer::read_init(message)? {
                    let largest = agreed.min(self.settings.message).saturating_sub(OVERHEAD);
                    self.settings.slice = self.settings.slice.min(largest).max(1);
                }
                Ok(State::Send(self.first()))
            }
            Ask::Search => {
                let answer = answer::read_search(message)?;
                match self.request.wanted {
                    Wanted::Description => self.described(answer),
                    _ => self.found(answer),
                }
            }
            Ask::Slice(range) => self.sliced(range, &answer::read_search(message)?),
        }
    }

    /// The description among what came without a search is fetched.
    fn described(&mut self, answer: Answer<'_>) -> Result<State, Fault> {
        let is_description = |hit: &Hit| hit.types.iter().any(|wtype| wtype == types::DESCRIPTION);
        match answer.hits.into_iter().find(is_description) {
            Some(hit) => {
                self.document.wtype = types::DESCRIPTION.to_vec();
                self.document.id = hit.id;
                Ok(State::Send(self.next_slice()))
            }
            None => Err(match answer.diagnostic {
                Some(diagnostic) => diagnostic.fault(),
                None => Fault::new(FaultKind::NotFound, RULE, "the server has no description of the database")
                    .with_help("search it: add `?` and words after the database"),
            }),
        }
    }

    fn found(&mut self, answer: Answer<'_>) -> Result<State, Fault> {
        let searched = matches!(self.request.wanted, Wanted::Search(_));
        let mut notes = Vec::new();
        if let Some(diagnostic) = answer.diagnostic {
            notes.push(diagnostic.note().ok_or_else(|| diagnostic.fault())?);
        }
        let most = self.settings.hits as usize;
        if searched && answer.hits.len() >= most && notes.is_empty() {
            notes.push(Note {
                code: "more-hits",
                message: "the maximum number of documents matched; there may be more",
                rule: RULE,
            });
        }
        let size = None;
        self.given.push_back(Given::Begin(Begin { shape: Shape::Menu, size, media_type: None }));
        let before = self.given.len();
        let hits = answer.hits.into_iter().filter(|hit| !(searched && hit.is_catalog()));
        self.given.extend(hits.map(|hit| Given::Entry(Box::new(hit))));
        if searched && self.given.len() == before {
            notes.push(Note { code: "no-hits", message: "no document matches", rule: RULE });
        }
        self.given.extend(notes.into_iter().map(Given::Note));
        Ok(State::Done)
    }

    fn sliced(&mut self, range: &Range<u64>, answer: &Answer<'_>) -> Result<State, Fault> {
        let text = answer.text.unwrap_or_default();
        let (asked, got) = (range.end - range.start, text.len() as u64);
        if got > asked {
            let what = format!("the server sent {got} of {asked} requested octets");
            return Err(Fault::new(FaultKind::Malformed, "WAIS messages", what));
        }
        match answer.diagnostic {
            // A range that ends behind the document brings what there is, and this.
            Some(diagnostic) if diagnostic.code == OUT_OF_RANGE && (got > 0 || self.document.has_begun) => {}
            Some(diagnostic) => return Err(diagnostic.fault()),
            None if answer.text.is_none() && !self.document.has_begun && asked > 0 => {
                return Err(Fault::new(FaultKind::NotFound, RULE, "the server did not send the text of the document"));
            }
            None => {}
        }
        if !self.document.has_begun {
            self.document.has_begun = true;
            let media_type = types::media_type(&self.document.wtype).map(str::to_owned);
            let begin = Begin { shape: Shape::Document, size: self.document.length, media_type };
            self.given.push_back(Given::Begin(begin));
        }
        if got > 0 {
            self.given.push_back(Given::Data(text.to_vec()));
        }
        self.document.at += got;
        match self.document.length {
            Some(length) if self.document.at >= length => Ok(State::Done),
            None if got < asked => Ok(State::Done),
            Some(length) if got < asked => {
                let what = format!("the document has {} octets, but the URL says {length}", self.document.at);
                Ok(State::Failed(
                    Fault::new(FaultKind::Partial, RULE, what).with_help("search for it again; it may have changed"),
                ))
            }
            _ => Ok(State::Send(self.next_slice())),
        }
    }

    /// The fault of a connection that ended where an answer was due.
    fn cut(&self, ask: &Ask, end: End) -> Fault {
        let how = match end {
            End::Broken => "the connection broke",
            End::Closed | End::Unauthenticated => "the server closed the connection",
        };
        if self.document.has_begun {
            let what = format!("{how} after {} octets of the document", self.document.at);
            return Fault::new(FaultKind::Partial, RULE, what).with_help("try again");
        }
        if !self.packet.is_empty() {
            return Fault::new(FaultKind::Malformed, "WAIS packet header", format!("{how} in the middle of an answer"));
        }
        let fault = Fault::new(FaultKind::Server, RULE, format!("{how} without an answer"));
        match ask {
            Ask::Init => fault.with_help("check the port; the default for WAIS is 210"),
            Ask::Search => fault.with_help("the server may not know the database"),
            Ask::Slice(_) => fault.with_help("the server may not know the database or the type of the document"),
        }
    }
}

impl Machine for Wais {
    type Entry = Box<Hit>;
    const HAS_REPLIES: bool = false;

    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, Box<Hit>> {
        loop {
            match self.given.pop_front() {
                Some(Given::Begin(begin)) => return Step::Event(Event::Begin(begin)),
                Some(Given::Data(octets)) => return Step::Event(Event::Data(Cow::Owned(octets))),
                Some(Given::Entry(hit)) => return Step::Event(Event::Entry(hit)),
                Some(Given::Note(note)) => return Step::Event(Event::Note(note)),
                None => {}
            }
            match std::mem::replace(&mut self.state, State::Done) {
                State::Start => match self.request.check(&self.settings) {
                    Ok(()) => {
                        let ask = if self.settings.init { Ask::Init } else { self.first() };
                        self.state = State::Send(ask);
                        return Step::Io(Io::Connect);
                    }
                    Err(fault) => self.state = State::Failed(fault),
                },
                State::Send(ask) => {
                    let command = self.command(&ask);
                    self.packet.clear();
                    self.state = State::Wait(ask);
                    return Step::Io(Io::Send(command));
                }
                State::Wait(ask) => {
                    if let Some(end) = input.end() {
                        self.state = State::Failed(self.cut(&ask, end));
                        continue;
                    }
                    let longest = self.settings.message as usize + SLACK;
                    let mut packet = std::mem::take(&mut self.packet);
                    let state = match packet.read(input, longest) {
                        Ok(Some(message)) => self.judge(&ask, message),
                        Ok(None) => {
                            self.packet = packet;
                            self.state = State::Wait(ask);
                            return Step::Io(Io::Receive);
                        }
                        Err(fault) => Err(fault),
                    };
                    self.packet = packet;
                    self.state = state.unwrap_or_else(State::Failed);
                }
                State::Done => return Step::Done,
                State::Failed(fault) => {
                    self.state = State::Failed(fault.clone());
                    return Step::Fail(fault);
                }
            }
        }
    }

    fn expected(&self) -> Expected {
        let State::Wait(ask) = &self.state else {
            return Expected { what: Cow::Borrowed("nothing"), reply: Cow::Borrowed(b""), closes: false };
        };
        let (what, reply) = match (ask, &self.request.wanted) {
            (Ask::Init, _) => (Cow::Borrowed("acceptance and the message size"), good::init()),
            (Ask::Search, Wanted::Description) => {
                (Cow::Borrowed("a hit of the type WSRC, the description, and its document-id"), good::description())
            }
            (Ask::Search, Wanted::Help) => (Cow::Borrowed("the description and the catalog, as hits"), good::no_hits()),
            (Ask::Search, _) => (Cow::Borrowed("the hits"), good::no_hits()),
            (Ask::Slice(range), _) => {
                // Without a length, an empty slice is the end.
                let octets = self.document.length.map_or(0, |_| range.end - range.start);
                let what = match self.document.length {
                    Some(_) => Cow::Owned(format!("{octets} octets of the document")),
                    None => Cow::Borrowed("octets of the document, followed by requests for more until it is complete"),
                };
                (what, good::slice(octets as usize))
            }
        };
        Expected { what, reply: Cow::Owned(reply), closes: false }
    }
}

/// The smallest replies that let a dialogue go on.
mod good {
    use super::super::field::write_field;
    use super::super::message::{INIT_RESPONSE, SEARCH_RESPONSE, tag};
    use super::super::{packet, types};

    pub(super) fn init() -> Vec<u8> {
        packet::write(&[0, 2, INIT_RESPONSE, 1])
    }

    pub(super) fn no_hits() -> Vec<u8> {
        search(&[])
    }

    pub(super) fn description() -> Vec<u8> {
        let field = |tag: u32, octets: &[u8]| {
            let mut field = Vec::new();
            write_field(tag, octets, &mut field);
            field
        };
        let mut hit = field(116, b"the document-id of that hit");
        hit.extend(field(132, &field(133, types::DESCRIPTION)));
        search(&field(150, &hit))
    }

    pub(super) fn slice(octets: usize) -> Vec<u8> {
        let (mut text, mut container) = (Vec::new(), Vec::new());
        write_field(127, &vec![b' '; octets], &mut text);
        write_field(153, &text, &mut container);
        search(&container)
    }

    /// An answer to a search: no status, no counts, and this.
    fn search(information: &[u8]) -> Vec<u8> {
        let mut message = vec![0, 11, SEARCH_RESPONSE];
        message.extend_from_slice(&[0; 10]);
        write_field(tag::USER_INFORMATION, information, &mut message);
        packet::write(&message)
    }
}
