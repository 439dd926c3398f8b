//! The machine: which request goes to which server, and what the answers add up to.

use super::access_method::{ASCII, AccessMethod, Filling, INTERNET, MethodKind, host_token};
use super::answer::ProsperoAnswer;
use super::line::{ProsperoLine, Role, Target};
use super::link::{self, Link};
use super::note;
use super::object::Object;
use super::request::{ObjectQuery, ProsperoGoal, ProsperoRequest, command};
use super::settings::ProsperoSettings;
use super::token::{LineEvent, TokenReader};
use super::unions::Unions;
use crate::language::{message, words};
use crate::protocol::gopher::MenuItem;
use crate::protocol::{Begin, End, Event, Expected, Fault, FaultKind, Input, Inquiry, Io, Machine, Note, Shape, Step};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;

const RULE: &str = "RFC 1738 section 3.11";

/// The most access methods tried per object: a server must not decide how many other servers are asked.
const MOST_TRIED: usize = 20;

/// The most warnings kept.
const MOST_WARNINGS: usize = 100;

/// One dialogue about one URL, with all servers that it is forwarded to.
#[derive(Debug)]
pub struct ProsperoMachine {
    goal: ProsperoGoal,
    has_other_fields: bool,
    settings: ProsperoSettings,
    phase: Phase,
    /// The object of the current request.
    object: Object,
    /// The objects of earlier requests that were forwarded to this one.
    asked: Vec<Object>,
    hops: u32,
    lines: TokenReader,
    answer: ProsperoAnswer,
    /// The codes of the notes returned so far.
    noted: Vec<&'static str>,
    /// Warnings of the server before the answer begins.
    warnings: Vec<Found>,
    /// Events to return before the next phase. Data is never kept.
    events: VecDeque<Event<Found, Infallible>>,
    has_begun: bool,
    /// The access methods not tried yet, whether one has been tried, and the first fault of one that this machine tried itself.
    methods: VecDeque<AccessMethod>,
    has_tried: bool,
    failed: Option<Fault>,
    /// The object has contents, which may be empty.
    has_contents: bool,
    /// Its links have been requested.
    has_listed: bool,
    /// The menu is that of the access methods of an object.
    lists_methods: bool,
    unions: Unions,
    /// The object has attributes, so it exists.
    is_known: bool,
    /// The size of the document in octets according to the server, and the octets received.
    promised: Option<u64>,
    octets: u64,
}

#[derive(Debug)]
enum Phase {
    Start,
    /// Next: a request.
    Ask(ObjectQuery),
    /// Receiving its answer.
    Answer(ObjectQuery),
    /// Next: the next access method.
    Try,
    /// Next: the next union link.
    Union,
    Done,
    Failed(Fault),
}

/// One line of a directory or of an object's access methods. There may be others.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Found {
    /// A way to retrieve the object.
    Method(Box<AccessMethod>),
    /// An entry of the directory.
    Link(Box<Link>),
    /// A warning of the server.
    Warning(Vec<u8>),
    /// An information line of a gopher menu that the server presents as a directory.
    Text(Vec<u8>),
}

impl ProsperoMachine {
    /// A dialogue about one request.
    pub fn new(request: ProsperoRequest, settings: ProsperoSettings) -> ProsperoMachine {
        let ProsperoRequest { object, goal, has_other_fields } = request;
        ProsperoMachine {
            goal,
            has_other_fields,
            settings,
            phase: Phase::Start,
            object,
            asked: Vec::new(),
            hops: 0,
            lines: TokenReader::default(),
            answer: ProsperoAnswer::default(),
            noted: Vec::new(),
            warnings: Vec::new(),
            events: VecDeque::new(),
            has_begun: false,
            methods: VecDeque::new(),
            has_tried: false,
            failed: None,
            has_contents: false,
            has_listed: false,
            lists_methods: false,
            unions: Unions::default(),
            is_known: false,
            promised: None,
            octets: 0,
        }
    }

    /// Whether the menu that has begun is that of the access methods of an object, and not a directory.
    pub(crate) fn lists_methods(&self) -> bool {
        self.lists_methods
    }

    fn begin(&mut self, shape: Shape) {
        if !self.has_begun {
            self.has_begun = true;
            self.events.push_back(Event::Begin(Begin { shape, size: None, media_type: None }));
            match shape {
                Shape::Menu => {
                    let warnings = std::mem::take(&mut self.warnings).into_iter();
                    self.events.extend(warnings.map(Event::Entry));
                }
                Shape::Document => self.note_warnings(),
            }
        }
    }

    /// A document has no entries to show the warnings in, so a note replaces them.
    fn note_warnings(&mut self) {
        if !std::mem::take(&mut self.warnings).is_empty() {
            self.note(note::SERVER_WARNS);
        }
    }

    /// Returns a note, each only once however often the answer causes it.
    fn note(&mut self, note: Note) {
        if !self.noted.contains(&note.code) {
            self.noted.push(note.code);
            self.events.push_back(Event::Note(note));
        }
    }

    /// The request to the object's server.
    fn inquire(&mut self, ask: ObjectQuery) -> Result<Inquiry, Fault> {
        let Some(url) = self.object.url() else {
            let what = words!("the answer refers to a host whose name is not allowed in a URL");
            return Err(Fault::new(FaultKind::Malformed, RULE, what).octets(self.object.host.as_bytes()));
        };
        let command = command(ask, &self.object, &self.settings)?;
        self.lines = TokenReader::default();
        self.answer = ProsperoAnswer::default();
        self.has_listed |= ask == ObjectQuery::Links;
        // If methods or a failure are known, the links are requested only because they may add something.
        let is_second = ask == ObjectQuery::Links && self.asked.is_empty();
        let is_optional = self.unions.current.is_some() || (is_second && self.has_fallback());
        Ok(Inquiry { url, command, is_optional })
    }

    /// Reads the answer up to the next data or event; `None` if there is no data.
    fn read<'i>(&mut self, ask: ObjectQuery, input: &mut Input<'i>) -> Result<Option<&'i [u8]>, Fault> {
        while self.events.is_empty() {
            match self.lines.next(input)? {
                LineEvent::Line(tokens) => self.line(ask, ProsperoLine::parse(tokens))?,
                LineEvent::Contents if ask == ObjectQuery::Contents => self.begin(Shape::Document),
                LineEvent::Data(data) if ask == ObjectQuery::Contents => {
                    self.octets += data.len() as u64;
                    return Ok(Some(data));
                }
                LineEvent::Contents | LineEvent::Data(_) => {}
                LineEvent::More => break,
            }
        }
        Ok(None)
    }

    fn line(&mut self, ask: ObjectQuery, line: ProsperoLine) -> Result<(), Fault> {
        self.answer.is_empty &= matches!(line, ProsperoLine::Silent | ProsperoLine::Unresolved | ProsperoLine::Unknown);
        match line {
            ProsperoLine::Link(pointer) if ask == ObjectQuery::Links => {
                self.end_link();
                self.begin_directory();
                self.answer.link = Some(pointer);
            }
            ProsperoLine::Attribute(attribute) => {
                self.has_contents |= ask == ObjectQuery::Contents && attribute.is_contents();
                self.answer.keep(attribute)?;
            }
            ProsperoLine::Forwarded(target) if !self.has_begun || self.unions.current.is_some() => {
                // Further ones would be other locations of the same object.
                self.answer.forwarded.get_or_insert(target);
            }
            ProsperoLine::Failure(failure) => self.answer.failure = Some(failure),
            ProsperoLine::Error(words) => {
                let what = words!("the server did not understand the request");
                return Err(Fault::new(FaultKind::Server, "Prospero 5 answers", what).octets(&words).lasting(true));
            }
            ProsperoLine::VersionNotSupported(words) => {
                let what = words!("the server does not support version 5 of the protocol");
                return Err(Fault::new(FaultKind::Server, "Prospero 5 answers", what).octets(&words).lasting(true));
            }
            ProsperoLine::Warning(words) if ask == ObjectQuery::Links && self.has_begun => {
                self.end_link();
                self.events.push_back(Event::Entry(warning(words)));
            }
            ProsperoLine::Warning(words) => {
                if self.warnings.len() < MOST_WARNINGS {
                    self.warnings.push(warning(words));
                }
            }
            ProsperoLine::NoneFound | ProsperoLine::Silent => {}
            ProsperoLine::Link(_) | ProsperoLine::Forwarded(_) | ProsperoLine::Unresolved | ProsperoLine::Unknown => {
                self.note(note::LINE_NOT_UNDERSTOOD);
            }
        }
        Ok(())
    }

    /// Returns the last link, whose attributes are complete now.
    fn end_link(&mut self) {
        let attributes = std::mem::take(&mut self.answer.attributes);
        let Some(pointer) = self.answer.link.take() else { return };
        let link::ReadLink { link, has_bad_method, has_filter } = Link::read(pointer, &attributes.list, &self.object);
        if has_bad_method {
            self.note(note::METHOD_NOT_UNDERSTOOD);
        }
        if has_filter {
            self.note(note::UNFILTERED);
        }
        let link = Box::new(link);
        match link.role {
            Role::Union if self.unions.left.len() < self.settings.unions => self.unions.left.push_back(link),
            Role::Union => self.not_listed(link),
            Role::Normal | Role::Invisible => self.events.push_back(Event::Entry(Found::Link(link))),
        }
    }

    /// The phase after a complete answer.
    fn answered(&mut self, ask: ObjectQuery) -> Result<Phase, Fault> {
        if let Some(line) = self.lines.end()?.map(ProsperoLine::parse) {
            // An answer of nothing but noise is reported as such below.
            let is_noise = self.answer.is_empty && line == ProsperoLine::Unknown;
            if !is_noise && !line.may_be_cut() {
                let what = words!("the answer ends in the middle of a line");
                return Err(Fault::new(FaultKind::Partial, "Prospero 5 answers", what).with_help(words!("try again")));
            }
            self.line(ask, line)?;
        }
        if self.answer.is_empty {
            let what = words!("the answer does not describe the object");
            return Err(Fault::new(FaultKind::Malformed, "Prospero 5 answers", what));
        }
        if let Some(target) = self.answer.forwarded.take() {
            return self.forwarded(ask, target);
        }
        match ask {
            ObjectQuery::Links => {
                self.end_link();
                match self.answer.failure.take().map(|failure| failure.fault()) {
                    Some(fault) if self.is_known && fault.kind() == FaultKind::NotFound && !self.has_fallback() => {
                        let what = words!("the object has no access method and is not a directory");
                        return Err(Fault::new(FaultKind::Elsewhere, RULE, what));
                    }
                    Some(fault) => return Err(fault),
                    None if !self.has_begun && self.has_tried => return Ok(self.not_a_directory()),
                    None => {}
                }
                // Without links, the entries are the access methods.
                self.begin(Shape::Menu);
                self.push_methods(|_| true);
                Ok(Phase::Union)
            }
            ObjectQuery::Contents => self.contents(),
            ObjectQuery::Methods | ObjectQuery::All => self.methods(ask),
        }
    }

    /// Sends the same request for another object, at most as often as the settings say, and never twice for the same one.
    fn forwarded(&mut self, ask: ObjectQuery, target: Target) -> Result<Phase, Fault> {
        let place = link::place(&target.host, &self.object)
            .filter(|_| target.host_type == INTERNET && target.name_type == ASCII);
        let Some((host, port)) = place else {
            let what = words!("the object is forwarded to something that is not an Internet host");
            return Err(Fault::new(FaultKind::Malformed, "Prospero 5 answers", what).octets(&target.host));
        };
        let next = Object { host, port, hsoname: target.hsoname, version: target.version };
        self.hops += 1;
        if self.hops > self.settings.hops {
            let what = message!("the object is forwarded more than {count} times", count = self.settings.hops);
            return Err(Fault::new(FaultKind::Redirects, "S-21", what));
        }
        self.asked.push(std::mem::replace(&mut self.object, next));
        if self.asked.iter().any(|asked| asked.is(&self.object)) {
            let fault = Fault::new(FaultKind::Redirects, "S-21", words!("the object is forwarded in a loop"));
            return Err(fault.octets(&self.object.hsoname));
        }
        Ok(Phase::Ask(ask))
    }

    /// Sends another request.
    fn then(&mut self, ask: ObjectQuery) -> Phase {
        self.asked.clear();
        Phase::Ask(ask)
    }

    fn methods(&mut self, ask: ObjectQuery) -> Result<Phase, Fault> {
        match self.answer.failure.take() {
            // A server without support for forwarding answers so for files, too.
            Some(failure) if failure.is_not_found() && ask == ObjectQuery::Methods => {
                return Ok(self.then(ObjectQuery::All));
            }
            Some(failure) if failure.is_not_found() => return Ok(self.then(ObjectQuery::Links)),
            // Its links may be readable even if its attributes are not.
            Some(failure) => {
                self.failed.get_or_insert(failure.fault());
                return Ok(self.then(ObjectQuery::Links));
            }
            None => {}
        }
        let attributes = std::mem::take(&mut self.answer.attributes).list;
        let host = host_token(&self.object);
        let filling = Filling { tokens: [INTERNET, &host, ASCII, &self.object.hsoname], is_server: true };
        let mut has_bad = false;
        let methods = link::methods(&attributes, &filling, Some(&self.object), &mut has_bad);
        if has_bad {
            self.note(note::METHOD_NOT_UNDERSTOOD);
        }
        self.is_known = !attributes.is_empty();
        self.promised = link::size(&attributes);
        if self.goal == ProsperoGoal::Open && !methods.is_empty() {
            self.methods = methods.into_iter().take(MOST_TRIED).collect();
            return Ok(Phase::Try);
        }
        // A directory may have methods too, from the server or from its author.
        self.methods = methods.into();
        Ok(self.then(ObjectQuery::Links))
    }

    /// Begins a directory with its access methods, except those that servers list for every object.
    fn begin_directory(&mut self) {
        if !self.has_begun {
            self.begin(Shape::Menu);
            self.push_methods(|method| !matches!(method.method, MethodKind::Contents | MethodKind::Local));
        }
    }

    fn push_methods(&mut self, is_wanted: impl Fn(&AccessMethod) -> bool) {
        let methods = std::mem::take(&mut self.methods).into_iter().filter(is_wanted);
        self.events.extend(methods.map(|method| Event::Entry(Found::Method(Box::new(method)))));
    }

    /// Whether more is known about the object than that its links could not be listed.
    fn has_fallback(&self) -> bool {
        !self.methods.is_empty() || self.has_tried || self.failed.is_some()
    }

    /// The object is not a directory after all, so the answer is what was known before its links were requested.
    fn not_a_directory(&mut self) -> Phase {
        if self.has_contents {
            return self.end_document();
        }
        if !self.methods.is_empty() {
            self.lists_methods = true;
            self.begin(Shape::Menu);
            self.push_methods(|_| true);
            return Phase::Done;
        }
        let fault = self.failed.take().unwrap_or_else(|| {
            Fault::new(FaultKind::Elsewhere, RULE, words!("the server offers no access method for a document"))
        });
        Phase::Failed(match self.has_tried {
            true => fault.with_help(words!("list the access methods and open the URL of one of them")),
            false => fault,
        })
    }

    /// Tries the next access method that can return a document.
    fn try_next(&mut self) -> Phase {
        let Some(method) = self.methods.pop_front() else {
            return if self.has_listed { self.not_a_directory() } else { self.then(ObjectQuery::Links) };
        };
        if self.has_tried {
            self.note(note::METHOD_FAILED);
        }
        self.has_tried = true;
        let is_own = method.url.is_some() && method.url == self.object.url();
        match (method.method, method.url) {
            (MethodKind::Contents, Some(_)) if is_own => return self.then(ObjectQuery::Contents),
            // The contents belong to another object.
            (MethodKind::Contents, Some(url)) => self.events.push_back(Event::Follow(Box::new(url))),
            (MethodKind::AnonymousFtp | MethodKind::Gopher | MethodKind::Wais, Some(url)) => {
                self.note_warnings();
                self.events.push_back(Event::Follow(Box::new(url)));
            }
            // Methods that need the user's own login, start a session or name a file of this machine are for the user to choose.
            _ => {}
        }
        Phase::Try
    }

    fn contents(&mut self) -> Result<Phase, Fault> {
        let failure = self.answer.failure.take().map(|failure| failure.fault());
        self.promised = link::size(&self.answer.attributes.list).or(self.promised);
        if self.has_begun || (self.has_contents && self.promised == Some(0)) {
            // What arrived before the failure has been returned.
            return match failure {
                Some(failure) => Err(failure),
                None => Ok(self.end_document()),
            };
        }
        if self.has_contents && failure.is_none() && !self.has_listed {
            // A directory that is read like a file looks like this.
            return Ok(self.then(ObjectQuery::Links));
        }
        let fault = failure.unwrap_or_else(|| {
            let what = words!("the server did not send the contents of the object");
            Fault::new(FaultKind::NotFound, "Prospero 5 contents", what)
        });
        self.failed.get_or_insert(fault);
        Ok(Phase::Try)
    }

    /// The server has sent all contents.
    fn end_document(&mut self) -> Phase {
        self.begin(Shape::Document);
        self.note_warnings();
        match self.promised {
            Some(size) if self.octets < size => {
                let what =
                    message!("the document ended after {count} of {total} octets", count = self.octets, total = size);
                return Phase::Failed(
                    Fault::new(FaultKind::Partial, "Prospero 5 contents", what).with_help(words!("try again")),
                );
            }
            Some(size) if self.octets > size => self.note(note::SIZE_DIFFERS),
            Some(_) | None => {}
        }
        Phase::Done
    }

    /// Lists the target of the next union link.
    fn next_union(&mut self) -> Phase {
        let unions = &mut self.unions;
        unions.listed.push(self.object.clone());
        unions.listed.extend(unions.current.take().and_then(|link| link.object));
        while let Some(link) = self.unions.left.pop_front() {
            match &link.object {
                Some(object) if self.unions.listed.iter().any(|listed| listed.is(object)) => {}
                Some(object) if self.unions.count < self.settings.unions && object.url().is_some() => {
                    self.unions.count += 1;
                    self.object = object.clone();
                    self.unions.current = Some(link);
                    return self.then(ObjectQuery::Links);
                }
                _ => self.not_listed(link),
            }
        }
        Phase::Done
    }

    /// Returns a union link whose target was not listed, or only in part.
    fn not_listed(&mut self, link: Box<Link>) {
        self.note(note::UNION_NOT_LISTED);
        self.events.push_back(Event::Entry(Found::Link(link)));
    }

    /// The phase after a fault; in the target of a union link, that link becomes an entry.
    fn fault(&mut self, fault: Fault) -> Phase {
        match self.unions.current.clone() {
            Some(link) => {
                self.not_listed(link);
                Phase::Union
            }
            None if self.has_listed && !self.has_begun && (self.has_fallback() || self.has_contents) => {
                self.not_a_directory()
            }
            None => Phase::Failed(fault),
        }
    }
}

/// The entry for a warning. The gopher gateway warns of item types that it does not know, among them information lines.
fn warning(words: Vec<u8>) -> Found {
    let line = words.strip_prefix(b"MESSAGE Encountered unrecognized Gopher message: ");
    match line.filter(|line| line.starts_with(b"i")).map(MenuItem::parse) {
        Some(item) => Found::Text(item.display),
        None => Found::Warning(words),
    }
}

impl Machine for ProsperoMachine {
    type Entry = Found;
    const HAS_REPLIES: bool = false;

    fn next<'i>(&mut self, input: &mut Input<'i>) -> Step<'i, Found> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Step::Event(event.map_data(|data| match data {}));
            }
            match std::mem::replace(&mut self.phase, Phase::Done) {
                Phase::Start => {
                    if self.has_other_fields {
                        self.note(note::FIELD_NOT_SENT);
                    }
                    self.phase = Phase::Ask(ObjectQuery::Methods);
                }
                Phase::Ask(ask) => match self.inquire(ask) {
                    Ok(inquiry) => {
                        self.phase = Phase::Answer(ask);
                        return Step::Io(Io::Inquire(Box::new(inquiry)));
                    }
                    Err(fault) => self.phase = self.fault(fault),
                },
                Phase::Answer(ask) => match (input.end(), self.read(ask, input)) {
                    (_, Err(fault)) => self.phase = self.fault(fault),
                    (None, Ok(data)) => {
                        self.phase = Phase::Answer(ask);
                        match data {
                            Some(data) => return Step::Event(Event::Data(Cow::Borrowed(data))),
                            None if self.events.is_empty() => return Step::Io(Io::Receive),
                            None => {}
                        }
                    }
                    (Some(End::Closed), Ok(_)) => {
                        self.phase = self.answered(ask).unwrap_or_else(|fault| self.fault(fault));
                    }
                    (Some(End::Broken | End::Unauthenticated), Ok(_)) => {
                        let what = words!("the answer ended before its last packet");
                        self.phase =
                            self.fault(Fault::new(FaultKind::Partial, "ARDP", what).with_help(words!("try again")));
                    }
                },
                Phase::Try => self.phase = self.try_next(),
                Phase::Union => self.phase = self.next_union(),
                Phase::Done => return Step::Done,
                Phase::Failed(fault) => {
                    self.phase = Phase::Failed(fault.clone());
                    return Step::Fail(fault);
                }
            }
        }
    }

    fn inquiry_server(&mut self, server: SocketAddr) {
        if !matches!(self.phase, Phase::Answer(ObjectQuery::Links)) {
            return;
        }
        if self.unions.is_listed_at(server, &self.object) && self.unions.current.take().is_some() {
            self.phase = Phase::Union;
        }
    }

    fn expected(&self) -> Expected {
        let (what, reply) = match (&self.phase, self.goal) {
            (Phase::Answer(ObjectQuery::Methods | ObjectQuery::All), ProsperoGoal::Open) => (
                words!(
                    "its access methods: here, that the server itself has the contents; a URL of another scheme would be opened, \
                     and the links requested if there is no method"
                ),
                "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS '' '' '' ''\n",
            ),
            (Phase::Answer(ObjectQuery::Methods | ObjectQuery::All), ProsperoGoal::List) => {
                (words!("its access methods, or none"), "NONE-FOUND\n")
            }
            (Phase::Answer(ObjectQuery::Contents), _) => {
                (words!("the contents, as one token"), "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA x\n")
            }
            (Phase::Answer(ObjectQuery::Links), _) => (words!("the links, each with its attributes"), "NONE-FOUND\n"),
            _ => (words!("no answer"), ""),
        };
        Expected { what: what.into(), reply: Cow::Borrowed(reply.as_bytes()), closes: true }
    }
}
