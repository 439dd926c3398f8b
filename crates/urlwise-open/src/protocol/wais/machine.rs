//! The machine: INIT, then one search, or one slice of a document after another. Nothing is pipelined.

use super::answer::{self, WaisAnswer, WaisHit};
use super::diagnostic::OUT_OF_RANGE;
use super::message;
use super::packet::Packet;
use super::request::{WaisGoal, WaisRequest};
use super::settings::{OVERHEAD, WaisSettings};
use super::types;
use crate::protocol::{Begin, Command, End, Event, Expected, Fault, FaultKind, Input, Io, Machine, Note, Shape, Step};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

const RULE: &str = "RFC 1738 section 3.9";

/// How far a message may exceed the agreed size, because servers add to it by mistake.
const SLACK: usize = 64 * 1024;

/// One dialogue.
#[derive(Clone, Debug)]
pub struct WaisMachine {
    request: WaisRequest,
    settings: WaisSettings,
    phase: Phase,
    packet: Packet,
    /// Steps to hand over before the next phase.
    given: VecDeque<WaisEvent>,
    document: FetchedDocument,
}

/// What is known about the document being fetched.
#[derive(Clone, Debug, Default)]
struct FetchedDocument {
    wtype: Vec<u8>,
    id: Vec<u8>,
    /// The length in the URL.
    length: Option<u64>,
    /// The number of octets handed out.
    at: u64,
    has_begun: bool,
}

#[derive(Clone, Debug)]
enum Phase {
    Start,
    Send(WaisQuery),
    Wait(WaisQuery),
    Done,
    Failed(Fault),
}

/// The query.
#[derive(Clone, Debug, PartialEq, Eq)]
enum WaisQuery {
    Init,
    Search,
    Slice(Range<u64>),
}

#[derive(Clone, Debug)]
enum WaisEvent {
    Begin(Begin),
    Data(Vec<u8>),
    Entry(Box<WaisHit>),
    Note(Note),
}

impl WaisMachine {
    /// A dialogue about one request.
    pub fn new(request: WaisRequest, settings: WaisSettings) -> WaisMachine {
        let document = match &request.goal {
            WaisGoal::Document { wtype, id } => FetchedDocument {
                wtype: wtype.clone(),
                id: id.octets().to_vec(),
                length: id.length(),
                ..FetchedDocument::default()
            },
            _ => FetchedDocument::default(),
        };
        WaisMachine {
            request,
            settings,
            phase: Phase::Start,
            packet: Packet::default(),
            given: VecDeque::new(),
            document,
        }
    }

    /// The first query after INIT.
    fn first(&self) -> WaisQuery {
        match self.request.goal {
            WaisGoal::Document { .. } => self.next_slice(),
            _ => WaisQuery::Search,
        }
    }

    fn next_slice(&self) -> WaisQuery {
        let start = self.document.at;
        let end = start.saturating_add(u64::from(self.settings.slice.max(1)));
        WaisQuery::Slice(start..self.document.length.map_or(end, |length| length.min(end)))
    }

    fn command(&self, query: &WaisQuery) -> Command {
        let database = &self.request.database;
        match query {
            WaisQuery::Init => message::init(self.settings.message),
            WaisQuery::Search => {
                let words = match &self.request.goal {
                    WaisGoal::Search(words) => words.as_slice(),
                    _ => b"",
                };
                message::search(database, words, self.settings.hits)
            }
            WaisQuery::Slice(range) => message::slice(database, &self.document.wtype, &self.document.id, range),
        }
    }

    /// Handles the answer to a query; returns the next phase, after everything queued has been handed over.
    fn judge(&mut self, query: &WaisQuery, message: &[u8]) -> Result<Phase, Fault> {
        match query {
            WaisQuery::Init => {
                if let Some(agreed) = answer::read_init(message)? {
                    let largest = agreed.min(self.settings.message).saturating_sub(OVERHEAD);
                    self.settings.slice = self.settings.slice.min(largest).max(1);
                }
                Ok(Phase::Send(self.first()))
            }
            WaisQuery::Search => {
                let answer = answer::read_search(message)?;
                match self.request.goal {
                    WaisGoal::Description => self.described(answer),
                    _ => self.found(answer),
                }
            }
            WaisQuery::Slice(range) => self.sliced(range, &answer::read_search(message)?),
        }
    }

    /// Fetches the description that is among the results without a search.
    fn described(&mut self, answer: WaisAnswer<'_>) -> Result<Phase, Fault> {
        let is_description = |hit: &WaisHit| hit.types.iter().any(|wtype| wtype == types::DESCRIPTION);
        match answer.hits.into_iter().find(is_description) {
            Some(hit) => {
                self.document.wtype = types::DESCRIPTION.to_vec();
                self.document.id = hit.id;
                Ok(Phase::Send(self.next_slice()))
            }
            None => Err(match answer.diagnostic {
                Some(diagnostic) => diagnostic.fault(),
                None => Fault::new(FaultKind::NotFound, RULE, "the server has no description of the database")
                    .with_help("search it: add `?` and words after the database"),
            }),
        }
    }

    fn found(&mut self, answer: WaisAnswer<'_>) -> Result<Phase, Fault> {
        let searched = matches!(self.request.goal, WaisGoal::Search(_));
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
        self.given.push_back(WaisEvent::Begin(Begin { shape: Shape::Menu, size, media_type: None }));
        let before = self.given.len();
        let hits = answer.hits.into_iter().filter(|hit| !(searched && hit.is_catalog()));
        self.given.extend(hits.map(|hit| WaisEvent::Entry(Box::new(hit))));
        if searched && self.given.len() == before {
            notes.push(Note { code: "no-hits", message: "no document matches", rule: RULE });
        }
        self.given.extend(notes.into_iter().map(WaisEvent::Note));
        Ok(Phase::Done)
    }

    fn sliced(&mut self, range: &Range<u64>, answer: &WaisAnswer<'_>) -> Result<Phase, Fault> {
        let text = answer.text.unwrap_or_default();
        let (asked, got) = (range.end - range.start, text.len() as u64);
        if got > asked {
            let what = format!("the server sent {got} of {asked} requested octets");
            return Err(Fault::new(FaultKind::Malformed, "WAIS messages", what));
        }
        match answer.diagnostic {
            // A range beyond the end of the document gets what there is, and this diagnostic.
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
            self.given.push_back(WaisEvent::Begin(begin));
        }
        if got > 0 {
            self.given.push_back(WaisEvent::Data(text.to_vec()));
        }
        self.document.at += got;
        match self.document.length {
            Some(length) if self.document.at >= length => Ok(Phase::Done),
            None if got < asked => Ok(Phase::Done),
            Some(length) if got < asked => {
                let what = format!("the document has {} octets, but the URL says {length}", self.document.at);
                Ok(Phase::Failed(
                    Fault::new(FaultKind::Partial, RULE, what).with_help("search for it again; it may have changed"),
                ))
            }
            _ => Ok(Phase::Send(self.next_slice())),
        }
    }

    /// The fault of a connection that ended before an answer.
    fn cut(&self, query: &WaisQuery, end: End) -> Fault {
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
        match query {
            WaisQuery::Init => fault.with_help("check the port; the default for WAIS is 210"),
            WaisQuery::Search => fault.with_help("the server may not know the database"),
            WaisQuery::Slice(_) => fault.with_help("the server may not know the database or the type of the document"),
        }
    }
}

impl Machine for WaisMachine {
    type Entry = Box<WaisHit>;
    const HAS_REPLIES: bool = false;

    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, Box<WaisHit>> {
        loop {
            match self.given.pop_front() {
                Some(WaisEvent::Begin(begin)) => return Step::Event(Event::Begin(begin)),
                Some(WaisEvent::Data(octets)) => return Step::Event(Event::Data(Cow::Owned(octets))),
                Some(WaisEvent::Entry(hit)) => return Step::Event(Event::Entry(hit)),
                Some(WaisEvent::Note(note)) => return Step::Event(Event::Note(note)),
                None => {}
            }
            match std::mem::replace(&mut self.phase, Phase::Done) {
                Phase::Start => match self.request.check(&self.settings) {
                    Ok(()) => {
                        let query = if self.settings.init { WaisQuery::Init } else { self.first() };
                        self.phase = Phase::Send(query);
                        return Step::Io(Io::Connect);
                    }
                    Err(fault) => self.phase = Phase::Failed(fault),
                },
                Phase::Send(query) => {
                    let command = self.command(&query);
                    self.packet.clear();
                    self.phase = Phase::Wait(query);
                    return Step::Io(Io::Send(command));
                }
                Phase::Wait(query) => {
                    if let Some(end) = input.end() {
                        self.phase = Phase::Failed(self.cut(&query, end));
                        continue;
                    }
                    let longest = self.settings.message as usize + SLACK;
                    let mut packet = std::mem::take(&mut self.packet);
                    let state = match packet.read(input, longest) {
                        Ok(Some(message)) => self.judge(&query, message),
                        Ok(None) => {
                            self.packet = packet;
                            self.phase = Phase::Wait(query);
                            return Step::Io(Io::Receive);
                        }
                        Err(fault) => Err(fault),
                    };
                    self.packet = packet;
                    self.phase = state.unwrap_or_else(Phase::Failed);
                }
                Phase::Done => return Step::Done,
                Phase::Failed(fault) => {
                    self.phase = Phase::Failed(fault.clone());
                    return Step::Fail(fault);
                }
            }
        }
    }

    fn expected(&self) -> Expected {
        let Phase::Wait(query) = &self.phase else {
            return Expected { what: Cow::Borrowed("nothing"), reply: Cow::Borrowed(b""), closes: false };
        };
        let (what, reply) = match (query, &self.request.goal) {
            (WaisQuery::Init, _) => (Cow::Borrowed("acceptance and the message size"), good::init()),
            (WaisQuery::Search, WaisGoal::Description) => {
                (Cow::Borrowed("a hit of the type WSRC, the description, and its document-id"), good::description())
            }
            (WaisQuery::Search, WaisGoal::Help) => {
                (Cow::Borrowed("the description and the catalog, as hits"), good::no_hits())
            }
            (WaisQuery::Search, _) => (Cow::Borrowed("the hits"), good::no_hits()),
            (WaisQuery::Slice(range), _) => {
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

/// The smallest replies with which a dialogue continues.
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
