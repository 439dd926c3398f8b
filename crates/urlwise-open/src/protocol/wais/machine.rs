//! The machine: INIT, then one search, or one slice of a document after another. Nothing is pipelined.

use super::answer::{self, WaisAnswer, WaisHit};
use super::diagnostic::OUT_OF_RANGE;
use super::message;
use super::packet::Packet;
use super::request::{WaisGoal, WaisRequest};
use super::rest::{WaisBeginning, WaisRest};
use super::settings::{OVERHEAD, UNSAID, WaisSettings};
use super::types;
use crate::language::{message, words};
use crate::protocol::{Begin, Command, End, Event, Expected, Fault, FaultKind, Input, Io, Machine, Note, Shape, Step};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use urlwise::Message;

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
    given: VecDeque<Event<Box<WaisHit>, Vec<u8>>>,
    document: FetchedDocument,
    /// The largest message that the server sends, in octets.
    largest: u32,
}

/// What is known about the document being fetched.
#[derive(Clone, Debug, Default)]
struct FetchedDocument {
    wtype: Vec<u8>,
    id: Vec<u8>,
    /// The length in the URL.
    length: Option<u64>,
    /// Octets that are there: those given, and those before them that were there already.
    at: u64,
    has_begun: bool,
    /// Where to resume it, as long as nothing speaks against that.
    rest: Option<WaisRest>,
    beginning: Option<WaisBeginning>,
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
    /// The beginning of a document that may be resumed.
    Beginning(WaisRest),
    Slice(Range<u64>),
}

impl WaisMachine {
    /// A dialogue about one request.
    pub fn new(request: WaisRequest, settings: WaisSettings) -> WaisMachine {
        let document = match &request.goal {
            WaisGoal::Document { wtype, id } => FetchedDocument {
                wtype: wtype.clone(),
                id: id.octets().to_vec(),
                length: id.length(),
                rest: request.rest.filter(|rest| id.length().is_none_or(|length| rest.offset <= length)),
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
            largest: UNSAID,
        }
    }

    /// The offset of the first octet that is given: that of the request if the document is resumed there, 0 otherwise. Known once
    /// the answer has begun.
    pub fn offset(&self) -> u64 {
        self.document.rest.map_or(0, |rest| rest.offset)
    }

    /// How the document begins, by which it can be resumed. Known once the answer has begun; `None` for an empty document and for
    /// anything else than a document.
    pub fn beginning(&self) -> Option<WaisBeginning> {
        self.document.beginning
    }

    /// The first question after INIT.
    fn first(&mut self) -> WaisQuery {
        match self.request.goal {
            WaisGoal::Document { .. } => {
                // More than one slice would have to be put together first: that is not worth it.
                let slice = u64::from(self.settings.slice);
                self.document.rest = self.document.rest.filter(|rest| rest.beginning.length() <= slice);
                self.document.rest.map_or_else(|| self.next_slice(), WaisQuery::Beginning)
            }
            WaisGoal::Description | WaisGoal::Help | WaisGoal::Search(_) => WaisQuery::Search,
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
                message::search(database, words, self.settings.asked.max(self.settings.hits))
            }
            WaisQuery::Beginning(rest) => {
                let range = 0..rest.beginning.length();
                message::slice(database, &self.document.wtype, &self.document.id, &range)
            }
            WaisQuery::Slice(range) => message::slice(database, &self.document.wtype, &self.document.id, range),
        }
    }

    /// Handles the answer to a query; returns the next phase, after everything queued has been handed over.
    fn judge(&mut self, query: &WaisQuery, message: &[u8]) -> Result<Phase, Fault> {
        match query {
            WaisQuery::Init => {
                if let Some(agreed) = answer::read_init(message)? {
                    self.largest = agreed.min(self.settings.message);
                    self.settings.slice = self.settings.slice.min(self.largest.saturating_sub(OVERHEAD)).max(1);
                }
                Ok(Phase::Send(self.first()))
            }
            WaisQuery::Search => {
                let answer = answer::read_search(message)?;
                match self.request.goal {
                    WaisGoal::Description => self.described(answer),
                    WaisGoal::Help | WaisGoal::Search(_) | WaisGoal::Document { .. } => {
                        self.found(answer, message.len())
                    }
                }
            }
            WaisQuery::Beginning(rest) => {
                self.compared(rest, &answer::read_search(message)?);
                Ok(self.next_phase())
            }
            WaisQuery::Slice(range) => self.sliced(range, &answer::read_search(message)?),
        }
    }

    /// Fetches the description that is among the results without a search.
    fn described(&mut self, answer: WaisAnswer<'_>) -> Result<Phase, Fault> {
        let is_described = |hit: &WaisHit| hit.types.iter().any(|wtype| types::is_description(wtype));
        match answer.hits.into_iter().find(is_described) {
            Some(hit) => {
                self.document.wtype = types::DESCRIPTION.to_vec();
                self.document.id = hit.id;
                Ok(Phase::Send(self.next_slice()))
            }
            None => Err(match answer.diagnostic {
                Some(diagnostic) => diagnostic.fault_of_database(),
                None => Fault::new(FaultKind::NotFound, RULE, words!("the server has no description of the database"))
                    .with_help(words!("search it: add `?` and words after the database")),
            }),
        }
    }

    /// Hits, in a message of this many octets.
    fn found(&mut self, answer: WaisAnswer<'_>, octets: usize) -> Result<Phase, Fault> {
        let searched = matches!(self.request.goal, WaisGoal::Search(_));
        let came = answer.hits.len();
        let mut notes = Vec::new();
        let fault = match answer.diagnostic {
            Some(diagnostic) if searched => match diagnostic.note() {
                Some(note) => {
                    notes.push(note);
                    None
                }
                None => Some(diagnostic.fault()),
            },
            Some(diagnostic) => Some(diagnostic.fault_of_database()),
            None => None,
        };
        let mut hits: Vec<WaisHit> = answer.hits.into_iter().filter(|hit| !(searched && hit.is_catalog())).collect();
        if hits.is_empty() {
            if let Some(fault) = fault {
                return Err(fault);
            }
            if !searched {
                let what = words!("the server has nothing to say about the database");
                return Err(Fault::new(FaultKind::NotFound, RULE, what)
                    .with_help(words!("check its name: servers answer so where there is no such database")));
            }
            notes.push(Note::new("no-hits", RULE, words!("no document matches")));
        }
        if searched {
            notes.extend(self.missing(came, octets, answer.longest_hit).filter(|_| notes.is_empty()));
            let most = self.settings.hits as usize;
            if hits.len() > most {
                let note = Note::new("more-hits", RULE, words!("documents that match but are not listed"));
                notes.push(note.counting((hits.len() - most) as u64));
                hits.truncate(most);
            }
        }
        self.given.push_back(Event::Begin(Begin::new(Shape::Menu)));
        self.given.extend(hits.into_iter().map(|hit| Event::Entry(Box::new(hit))));
        self.given.extend(notes.into_iter().map(Event::Note));
        // What the server has found is given before what it says of the rest.
        Ok(fault.map_or(Phase::Done, Phase::Failed))
    }

    /// The note that hits may be missing from a message of so many octets: no server says how many.
    fn missing(&self, came: usize, octets: usize, longest_hit: usize) -> Option<Note> {
        if came >= self.settings.asked.max(self.settings.hits) as usize {
            let message = words!("as many documents match as were asked for; there may be more");
            return Some(Note::new("more-hits", RULE, message));
        }
        // A server leaves out the hits for which there is no room.
        (came > 0 && octets + longest_hit > self.largest as usize).then(|| {
            let message = words!("the answer is as long as the server allows; documents that match may be missing");
            Note::new("more-hits", RULE, message)
        })
    }

    /// Whether the document still begins as it did. If it does not, or if that cannot be known, it is fetched from its beginning,
    /// and a fault comes with that.
    fn compared(&mut self, rest: &WaisRest, answer: &WaisAnswer<'_>) {
        let is_same = answer.text.is_some_and(|text| WaisBeginning::of(text) == rest.beginning);
        self.document.rest = self.document.rest.filter(|_| is_same);
        if is_same {
            self.document.at = rest.offset;
            self.document.beginning = Some(rest.beginning);
            self.begin();
        }
    }

    /// The answer begins: a document, of which `at` octets are there already.
    fn begin(&mut self) {
        self.document.has_begun = true;
        let media_type = types::media_type(&self.document.wtype).map(str::to_owned);
        let size = self.document.length.map(|length| length.saturating_sub(self.document.at));
        self.given.push_back(Event::Begin(Begin { shape: Shape::Document, size, media_type }));
    }

    /// The next slice, unless the document is known to be whole.
    fn next_phase(&self) -> Phase {
        match self.document.length {
            Some(length) if self.document.has_begun && self.document.at >= length => Phase::Done,
            _ => Phase::Send(self.next_slice()),
        }
    }

    fn sliced(&mut self, range: &Range<u64>, answer: &WaisAnswer<'_>) -> Result<Phase, Fault> {
        let text = answer.text.unwrap_or_default();
        let (asked, got) = (range.end - range.start, text.len() as u64);
        if got > asked {
            let what = message!("the server sent {count} of {total} requested octets", count = got, total = asked);
            return Err(Fault::new(FaultKind::Malformed, "WAIS messages", what));
        }
        match answer.diagnostic {
            // A range beyond the end of the document gets what there is, and this diagnostic.
            Some(diagnostic) if diagnostic.code == OUT_OF_RANGE && (got > 0 || self.document.has_begun) => {}
            Some(diagnostic) => return Err(diagnostic.fault()),
            None if answer.text.is_none() && !self.document.has_begun && asked > 0 => {
                let what = words!("the server did not send the text of the document");
                return Err(Fault::new(FaultKind::NotFound, RULE, what));
            }
            None => {}
        }
        if !self.document.has_begun {
            self.document.beginning = (got > 0).then(|| WaisBeginning::of(text));
            self.begin();
        }
        if got > 0 {
            self.given.push_back(Event::Data(text.to_vec()));
        }
        self.document.at += got;
        match self.document.length {
            None if got < asked => Ok(Phase::Done),
            // Nothing beyond that length is ever asked for.
            Some(length) if got < asked => {
                let what = message!(
                    "the document has {count} octets, but the URL says {length}",
                    count = self.document.at,
                    length = length
                );
                Ok(Phase::Failed(
                    Fault::new(FaultKind::Partial, RULE, what)
                        .with_help(words!("search for it again; it may have changed")),
                ))
            }
            _ => Ok(self.next_phase()),
        }
    }

    /// The fault of a connection that ended before an answer.
    fn cut(&self, query: &WaisQuery, end: End) -> Fault {
        let how = match end {
            End::Broken => words!("the connection broke"),
            End::Closed | End::Unauthenticated => words!("the server closed the connection"),
        };
        if self.document.has_begun {
            let what = message!("{event} after {count} octets of the document", event = how, count = self.document.at);
            return Fault::new(FaultKind::Partial, RULE, what).with_help(words!("try again"));
        }
        if !self.packet.is_empty() {
            let what = message!("{event} in the middle of an answer", event = how);
            return Fault::new(FaultKind::Malformed, "WAIS packet header", what);
        }
        let fault = Fault::new(FaultKind::Server, RULE, message!("{event} without an answer", event = how));
        match query {
            WaisQuery::Init => fault.with_help(words!("check the port; the default for WAIS is 210")),
            WaisQuery::Search => fault.with_help(words!("the server may not know the database")),
            WaisQuery::Beginning(_) | WaisQuery::Slice(_) => {
                fault.with_help(words!("the server may not know the database or the type of the document"))
            }
        }
    }
}

impl Machine for WaisMachine {
    type Entry = Box<WaisHit>;
    const HAS_REPLIES: bool = false;

    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, Box<WaisHit>> {
        loop {
            if let Some(event) = self.given.pop_front() {
                return Step::Event(event.map_data(Cow::Owned));
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
            return Expected { what: words!("no answer").into(), reply: Cow::Borrowed(b""), closes: false };
        };
        let (what, reply): (Message, _) = match (query, &self.request.goal) {
            (WaisQuery::Init, _) => (words!("acceptance and the message size").into(), good::init()),
            (WaisQuery::Search, WaisGoal::Description) => {
                let what = words!("a hit of the type WSRC, the description, and its document-id");
                (what.into(), good::description())
            }
            (WaisQuery::Search, WaisGoal::Help) => {
                (words!("the description and the catalog, as hits").into(), good::description())
            }
            (WaisQuery::Search, _) => (words!("the hits").into(), good::no_hits()),
            (WaisQuery::Beginning(rest), _) => {
                let octets = rest.beginning.length();
                let what = message!("{count} octets, to compare with those there", count = octets);
                (what, good::slice(octets as usize))
            }
            (WaisQuery::Slice(range), _) => {
                // Without a length, an empty slice is the end.
                let octets = self.document.length.map_or(0, |_| range.end - range.start);
                let what = match self.document.length {
                    Some(_) => message!("{count} octets of the document", count = octets),
                    None => words!("octets of the document, followed by requests for more until it is complete").into(),
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
        let mut hit = field(116, super::super::document_id::FORESEEN);
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
