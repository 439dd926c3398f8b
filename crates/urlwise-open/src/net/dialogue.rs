//! Drives a protocol [`Machine`] over a connection: the one loop between machines and sockets.

use crate::credentials::{Realm, Secret, Wallet};
use crate::error::Error;
use crate::error::class::Class;
use crate::net::deadline::Clock;
use crate::net::exchange::Exchange;
use crate::net::tls::Tls;
use crate::net::transcript::{Observe, Seen, Watch};
use crate::net::transport::{Connection, Endpoint, Received};
use crate::policy::{Origin, Policy};
use crate::protocol::{
    Begin, Command, End, Fault, FaultKind, Input, Inquiry, Machine, Note, Question, Shape, Step, ardp,
};
use crate::resource::{Body, Document, Entry, List, Menu, Provenance, Resource};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;
use urlwise::{Locator, Url, shown};

/// Octets asked of a connection at a time: large enough that system calls cost little, small enough to stay in a core's cache
/// until they are written (measured on 1 GiB to disk: four times as much takes twice the processor time).
const BUFFER: usize = 64 * 1024;

/// What every dialogue of a client shares.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) policy: Policy,
    pub(crate) tls: Arc<Tls>,
    pub(crate) wallet: Arc<Wallet>,
    pub(crate) observer: Option<Arc<dyn Observe>>,
}

/// A server that nobody vouches for: told whenever TLS is used so (S-52).
pub(crate) const NOT_VERIFIED: Note = Note {
    code: "tls-not-verified",
    message: "the server was not verified; others on the network path can read and change everything",
    rule: "S-52",
};

/// One dialogue with one server.
pub(crate) struct Dialogue<M> {
    machine: M,
    endpoint: Endpoint,
    clock: Clock,
    shared: Arc<Shared>,
    connection: Option<Connection>,
    /// The exchange of datagrams whose answer is read, and the URLs that requests were about.
    inquiries: Inquiries,
    /// The data connection of FTP.
    data_connection: Option<Connection>,
    buffer: Vec<u8>,
    /// What of the buffer the machine has not taken.
    fresh: Range<usize>,
    end: Option<End>,
    /// The system's words about a connection that broke.
    broken: Option<String>,
    /// Data given by the machine and not yet consumed.
    data: Held,
    notes: Vec<Note>,
    watch: Watch,
    /// Where the octets of the buffer came from.
    channel: Channel,
    /// Whether there is, or was, a data connection.
    has_data: bool,
    has_begun: bool,
    asking: Option<(Realm, Vec<u8>)>,
}

/// Data of a machine: a part of the buffer, or octets of its own.
enum Held {
    Buffered(Range<usize>),
    Own(Vec<u8>, usize),
}

/// What the machine gave to whoever asked for the URL.
pub(crate) enum Event<E> {
    Begin(Begin),
    /// There is [`Dialogue::data`].
    Data,
    Entry(E),
    Done,
}

/// An event, or the way to one.
pub(crate) enum Turn<E> {
    Event(Event<E>),
    /// What this other URL names is the answer, if it can be opened.
    Follow(Url<String>),
}

/// Requests by datagrams.
#[derive(Default)]
struct Inquiries {
    settings: ardp::Settings,
    /// When the first one was made.
    began: Option<Instant>,
    exchange: Option<Box<Exchange>>,
    /// The answer that is read can be done without.
    is_optional: bool,
    /// What was asked about, as far as one answer led on to the next: the URL that was given, then those of servers.
    led: Vec<Url<String>>,
}

impl<M: Machine> Dialogue<M> {
    pub(crate) fn new(machine: M, endpoint: Endpoint, clock: Clock, shared: Arc<Shared>) -> Dialogue<M> {
        Dialogue {
            watch: Watch::new(shared.observer.clone()),
            machine,
            endpoint,
            clock,
            shared,
            connection: None,
            inquiries: Inquiries::default(),
            data_connection: None,
            channel: Channel::Control,
            has_data: false,
            has_begun: false,
            asking: None,
            buffer: Vec::new(),
            fresh: 0..0,
            end: None,
            broken: None,
            data: Held::Buffered(0..0),
            notes: Vec::new(),
        }
    }

    /// A dialogue over a connection that is there; its machine must not [connect](Step::Connect).
    pub(crate) fn on(mut self, mut connection: Connection) -> Dialogue<M> {
        connection.begin(self.clock.clone());
        self.watch.see(self.endpoint.peer(), Seen::Reused);
        if connection.is_tls() && !self.shared.tls.is_verified() {
            self.notes.push(NOT_VERIFIED);
        }
        self.buffer = std::mem::take(&mut connection.room);
        self.connection = Some(connection);
        self
    }

    /// Questions are about this user of this realm.
    pub(crate) fn asking(self, realm: Realm, user: Vec<u8>) -> Dialogue<M> {
        Dialogue { asking: Some((realm, user)), ..self }
    }

    /// How datagrams are exchanged.
    pub(crate) fn exchanging(mut self, settings: ardp::Settings) -> Dialogue<M> {
        self.inquiries.settings = settings;
        self
    }

    /// The URLs that servers led us to, the last one being that of the answer; empty if the first server answered itself.
    pub(crate) fn hops(&self) -> &[Url<String>] {
        self.inquiries.led.get(1..).unwrap_or_default()
    }

    pub(crate) fn machine(&self) -> &M {
        &self.machine
    }

    /// The machine of a dialogue that is over, and the connection it had.
    pub(crate) fn into_parts(self) -> (M, Option<Connection>) {
        let Dialogue { machine, mut connection, buffer, .. } = self;
        if let Some(connection) = &mut connection {
            connection.room = buffer;
        }
        (machine, connection)
    }

    /// Octets that came and that the machine has not taken.
    pub(crate) fn unread(&self) -> &[u8] {
        &self.buffer[self.fresh.clone()]
    }

    /// Octets given and not yet consumed.
    pub(crate) fn data(&self) -> &[u8] {
        match &self.data {
            Held::Buffered(range) => &self.buffer[range.clone()],
            Held::Own(octets, start) => &octets[*start..],
        }
    }

    /// Goes on to the next event. All data given before must be consumed.
    pub(crate) fn next(&mut self) -> Result<Event<M::Entry>, Error> {
        loop {
            // Who opens nothing else goes on here.
            if let Turn::Event(event) = self.turn()? {
                return Ok(event);
            }
        }
    }

    /// As [`next`](Dialogue::next), for who can open what another URL names.
    pub(crate) fn turn(&mut self) -> Result<Turn<M::Entry>, Error> {
        loop {
            match self.step() {
                Action::Connect => {
                    let connection = Connection::open(
                        self.endpoint.clone(),
                        self.clock.clone(),
                        &self.shared.policy,
                        &self.shared.tls,
                    )?;
                    let is_tls = connection.is_tls();
                    self.connection = Some(connection);
                    self.watch.see(self.endpoint.peer(), Seen::Connected);
                    if is_tls {
                        self.secured();
                    }
                }
                Action::Send(command) => {
                    self.watch.see(self.endpoint.peer(), Seen::Sent(&command));
                    self.connection()?.send(command.octets())?;
                }
                Action::Receive if self.inquiries.exchange.is_some() => self.hear()?,
                Action::Receive => self.receive(Channel::Control)?,
                Action::Inquire(inquiry) => self.inquire(*inquiry)?,
                Action::StartTls => {
                    let connection = taken(&mut self.connection)?.secure(&self.shared.tls)?;
                    self.connection = Some(connection);
                    self.secured();
                }
                Action::OpenData(port) => {
                    let shared = Arc::clone(&self.shared);
                    let data = self.connection()?.beside(port, &shared.policy)?;
                    self.data_connection = Some(data);
                    self.has_data = true;
                    self.watch.see(self.endpoint.peer(), Seen::Data(port));
                }
                Action::SecureData => {
                    let data = taken(&mut self.data_connection)?.secure(&self.shared.tls)?;
                    self.data_connection = Some(data);
                }
                Action::ReceiveData => self.receive(Channel::Data)?,
                Action::CloseData => {
                    // A transfer may fail before there is a data connection.
                    if let Some(data) = self.data_connection.take() {
                        data.close();
                    }
                    self.end = None;
                }
                Action::Ask(question) => {
                    let answer =
                        self.asking.as_ref().and_then(|(realm, user)| self.shared.wallet.ask(realm, user, question));
                    self.machine.answer(answer.as_ref().map(Secret::reveal));
                }
                Action::Note(note) => self.notes.push(note),
                Action::Data(data) => {
                    self.data = data;
                    return Ok(Turn::Event(Event::Data));
                }
                Action::Give(event) => return Ok(Turn::Event(event)),
                Action::Follow(url) => return Ok(Turn::Follow(*url)),
                Action::Fail(fault) => return Err(self.explain(fault)),
            }
        }
    }

    /// One step of the machine, freed from the buffer it looked at.
    fn step(&mut self) -> Action<M::Entry> {
        let octets = &self.buffer[self.fresh.clone()];
        let mut input = match self.end {
            Some(end) if octets.is_empty() => Input::closed(end),
            _ => Input::new(octets),
        };
        let action = match self.machine.next(&mut input) {
            Step::Connect => Action::Connect,
            Step::Send(command) => Action::Send(command),
            Step::Receive => Action::Receive,
            Step::StartTls => Action::StartTls,
            Step::OpenData { port } => Action::OpenData(port),
            Step::SecureData => Action::SecureData,
            Step::ReceiveData => Action::ReceiveData,
            Step::CloseData => Action::CloseData,
            Step::Ask(question) => Action::Ask(question),
            Step::Inquire(inquiry) => Action::Inquire(inquiry),
            Step::Follow(url) => Action::Follow(url),
            Step::Begin(begin) => Action::Give(Event::Begin(begin)),
            Step::Data(Cow::Borrowed(data)) => Action::Data(match offset(octets, data) {
                Some(at) => {
                    let start = self.fresh.start + at;
                    Held::Buffered(start..start + data.len())
                }
                None => Held::Own(data.to_vec(), 0),
            }),
            Step::Data(Cow::Owned(data)) => Action::Data(Held::Own(data, 0)),
            Step::Entry(entry) => Action::Give(Event::Entry(entry)),
            Step::Note(note) => Action::Note(note),
            Step::Done => Action::Give(Event::Done),
            Step::Fail(fault) => Action::Fail(fault),
        };
        let left = input.octets().len();
        let is_reply = self.has_data || (M::HAS_REPLIES && !self.has_begun);
        if is_reply && self.channel == Channel::Control {
            self.watch.hear(self.endpoint.peer(), &octets[..octets.len() - left]);
        }
        self.fresh.start = self.fresh.end - left;
        self.has_begun |= matches!(action, Action::Give(Event::Begin(_)));
        action
    }

    /// TLS has begun.
    fn secured(&mut self) {
        self.watch.see(self.endpoint.peer(), Seen::Secured);
        if !self.shared.tls.is_verified() {
            self.notes.push(NOT_VERIFIED);
        }
    }

    /// Sends a request by datagrams.
    fn inquire(&mut self, inquiry: Inquiry) -> Result<(), Error> {
        let Inquiry { url, command, is_optional } = inquiry;
        (self.fresh, self.end) = (0..0, None);
        self.inquiries.is_optional = is_optional;
        let asked = self.ask_server(&url, command.octets());
        if !is_optional && self.inquiries.led.last() != Some(&url) {
            self.inquiries.led.push(url);
        }
        match asked {
            Ok(exchange) => self.inquiries.exchange = Some(Box::new(exchange)),
            Err(error) => self.do_without(error)?,
        }
        Ok(())
    }

    /// The first URL has been admitted; each further one comes from a server.
    fn ask_server(&mut self, url: &Url<String>, request: &[u8]) -> Result<Exchange, Error> {
        self.inquiries.exchange = None;
        if let Some(from) = self.inquiries.led.last() {
            self.shared.policy.admit(url, Origin::Link { from: &from.borrow() })?;
        }
        let Locator::Prospero(prospero) = url.locator() else { return Err(unconnected()) };
        let endpoint = Endpoint::new(prospero.hostport(), None);
        let shared = Arc::clone(&self.shared);
        // The limit is for all requests together: a server chooses how many there are.
        let began = *self.inquiries.began.get_or_insert_with(Instant::now);
        let mut settings = self.inquiries.settings;
        settings.limits.total = settings.limits.total.saturating_sub(began.elapsed());
        Exchange::open(endpoint, request.to_vec(), settings, self.clock.clone(), shared)
            .map_err(|error| error.at(url.masked()))
    }

    /// Reads on in the answer to a request by datagrams.
    fn hear(&mut self) -> Result<(), Error> {
        let Some(exchange) = &mut self.inquiries.exchange else { return Err(unconnected()) };
        match exchange.data() {
            Ok(Some(octets)) => {
                self.buffer.clear();
                self.buffer.extend_from_slice(octets);
                self.fresh = 0..self.buffer.len();
                return Ok(());
            }
            Ok(None) => self.end = Some(End::Closed),
            Err(error) => self.do_without(error)?,
        }
        self.inquiries.exchange = None;
        Ok(())
    }

    /// Goes on after an error, unless its answer is needed or nobody waits for it any more.
    fn do_without(&mut self, error: Error) -> Result<(), Error> {
        if !self.inquiries.is_optional || error.class() == Class::Interrupted {
            return Err(error);
        }
        self.end = Some(End::Broken);
        Ok(())
    }

    fn connection(&mut self) -> Result<&mut Connection, Error> {
        self.connection.as_mut().ok_or_else(unconnected)
    }

    fn receive(&mut self, channel: Channel) -> Result<(), Error> {
        self.channel = channel;
        // A machine takes all of its input before it asks for more, and never asks after the end.
        debug_assert!(self.fresh.is_empty() && self.end.is_none());
        if self.buffer.is_empty() {
            self.buffer = vec![0; BUFFER];
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        let connection = match channel {
            Channel::Control => &mut self.connection,
            Channel::Data => &mut self.data_connection,
        };
        let received =
            connection.as_mut().ok_or_else(unconnected).and_then(|connection| connection.receive(&mut buffer));
        self.buffer = buffer;
        match received? {
            Received::Octets(count) => self.fresh = 0..count,
            Received::End(end, words) => {
                self.end = Some(end);
                self.broken = words;
            }
        }
        Ok(())
    }

    /// The machine's fault, with what only the connection knows.
    fn explain(&mut self, fault: Fault) -> Error {
        let partial = fault.kind() == FaultKind::Partial;
        let error = Error::from(fault);
        match self.broken.take() {
            Some(words) if partial => error.prefixed(&format_args!("{} ({})", self.endpoint, shown(words.as_bytes()))),
            _ => error.prefixed(&self.endpoint),
        }
    }
}

/// A step without its borrow of the buffer.
enum Action<E> {
    Connect,
    Send(Command),
    Receive,
    StartTls,
    OpenData(u16),
    SecureData,
    ReceiveData,
    CloseData,
    Ask(Question),
    Inquire(Box<Inquiry>),
    Follow(Box<Url<String>>),
    Note(Note),
    Data(Held),
    Give(Event<E>),
    Fail(Fault),
}

/// Where octets come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Channel {
    Control,
    Data,
}

fn taken(connection: &mut Option<Connection>) -> Result<Connection, Error> {
    connection.take().ok_or_else(unconnected)
}

fn unconnected() -> Error {
    Error::new(Class::Protocol, "there is no connection for the dialogue")
}

/// Where in `whole` the octets `part` lie; `None` if they lie elsewhere in memory.
fn offset(whole: &[u8], part: &[u8]) -> Option<usize> {
    let at = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    (at + part.len() <= whole.len()).then_some(at)
}

impl<M: Machine + Send + 'static> Dialogue<M> {
    /// The resource that the answer brings, once it has begun; `menu` lists the entries of one that brings entries.
    pub(crate) fn resource<L: List + 'static>(
        mut self,
        from: Provenance,
        max_size: Option<u64>,
        menu: impl FnOnce(Self) -> L,
    ) -> Result<Resource, Error> {
        loop {
            match self.next()? {
                Event::Begin(begin) if begin.shape == Shape::Menu => {
                    return Ok(Resource::Menu(Menu::new(Box::new(menu(self)), from)));
                }
                Event::Begin(begin) => {
                    let document = Document::new(Box::new(self), begin.size, max_size, begin.media_type, from)?;
                    return Ok(Resource::Document(document));
                }
                Event::Done => return Err(Error::new(Class::Protocol, "the server sent no answer")),
                Event::Data | Event::Entry(_) => {}
            }
        }
    }
}

/// The entries of a menu that arrives.
pub(crate) struct Entries<M: Machine, F> {
    dialogue: Dialogue<M>,
    entry: F,
}

impl<M: Machine> Dialogue<M> {
    /// The entries that the answer brings; `entry` makes each of what the machine gives for it.
    pub(crate) fn entries<F: FnMut(M::Entry) -> Entry>(self, entry: F) -> Entries<M, F> {
        Entries { dialogue: self, entry }
    }
}

impl<M: Machine + Send, F: FnMut(M::Entry) -> Entry + Send> List for Entries<M, F>
where
    M::Entry: Send,
{
    fn next_entry(&mut self) -> Option<Result<Entry, Error>> {
        loop {
            match self.dialogue.next() {
                Ok(Event::Entry(entry)) => return Some(Ok((self.entry)(entry))),
                Ok(Event::Done) => return None,
                Ok(Event::Begin(_) | Event::Data) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }

    fn take_notes(&mut self) -> Vec<Note> {
        Body::take_notes(&mut self.dialogue)
    }
}

impl<M: Machine + Send> Body for Dialogue<M> {
    fn fill(&mut self) -> Result<&[u8], Error> {
        while self.data().is_empty() {
            if let Event::Done = self.next()? {
                break;
            }
        }
        Ok(self.data())
    }

    fn consume(&mut self, count: usize) {
        match &mut self.data {
            Held::Buffered(range) => range.start = (range.start + count).min(range.end),
            Held::Own(octets, start) => *start = (*start + count).min(octets.len()),
        }
    }

    fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }
}
