//! Drives a protocol [`Machine`] over connections: the loop between machines and sockets.

use crate::credentials::{Realm, Secret};
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use crate::net::arrivals::Arrivals;
use crate::net::deadlines::Clock;
use crate::net::endpoint::Endpoint;
use crate::net::inquiries::Inquiries;
use crate::net::shared::{Shared, unconnected};
use crate::net::tcp::{Connection, Received};
use crate::net::transcript::{Seen, Watch};
use crate::protocol::ardp::ArdpSettings;
use crate::protocol::{Begin, Event, Fault, FaultKind, Io, Machine, Note, Step};
use std::sync::Arc;
use urlwise::Url;

/// Given whenever TLS is used without verifying the server (S-52).
pub(crate) const NOT_VERIFIED: Note = Note::new(
    "tls-not-verified",
    "S-52",
    words!("the server was not verified; others on the network path can read and change everything"),
);

/// One dialogue with one server.
pub(crate) struct Dialogue<M> {
    machine: M,
    endpoint: Endpoint,
    clock: Clock,
    shared: Arc<Shared>,
    control: Option<Connection>,
    /// The data connection of FTP.
    data: Option<Connection>,
    inquiries: Inquiries,
    arrivals: Arrivals,
    /// The system's message about a connection that broke.
    broken: Option<String>,
    notes: Vec<Note>,
    watch: Watch,
    /// Whether the last octets arrived over the control connection.
    hears_control: bool,
    /// Whether there is, or was, a data connection.
    has_data: bool,
    has_begun: bool,
    has_connected: bool,
    asking: Option<(Realm, Vec<u8>)>,
    keep: Option<Keep<M>>,
    on_error: fn(&M, Error) -> Error,
}

/// Takes over the connection of a dialogue that has ended, if it is still usable: gets the machine and the octets that arrived
/// and that it has not taken.
pub(crate) type Keep<M> = Box<dyn FnOnce(&mut M, &[u8], Connection) + Send>;

impl<M: Machine> Dialogue<M> {
    pub(crate) fn new(machine: M, endpoint: Endpoint, clock: Clock, shared: Arc<Shared>) -> Dialogue<M> {
        Dialogue {
            watch: Watch::of(shared.observer.clone(), &clock),
            machine,
            endpoint,
            clock,
            shared,
            control: None,
            data: None,
            inquiries: Inquiries::default(),
            arrivals: Arrivals::default(),
            broken: None,
            notes: Vec::new(),
            hears_control: true,
            has_data: false,
            has_begun: false,
            has_connected: false,
            asking: None,
            keep: None,
            on_error: |_, error| error,
        }
    }

    /// A dialogue over an existing connection; its machine must not [connect](Io::Connect).
    pub(crate) fn on(mut self, mut connection: Connection) -> Dialogue<M> {
        connection.begin(self.clock.clone());
        self.watch.see(self.endpoint.peer(), Seen::Reused);
        if connection.is_tls() && !self.shared.tls.is_verified() {
            self.notes.push(NOT_VERIFIED);
        }
        self.arrivals = Arrivals::with_room(std::mem::take(&mut connection.room));
        self.control = Some(connection);
        self.has_connected = true;
        self
    }

    /// Questions ask for the password or account of this user of this realm.
    pub(crate) fn asking(self, realm: Realm, user: Vec<u8>) -> Dialogue<M> {
        Dialogue { asking: Some((realm, user)), ..self }
    }

    /// Hands the connection to `keep` at the end instead of closing it.
    pub(crate) fn keeping(self, keep: Keep<M>) -> Dialogue<M> {
        Dialogue { keep: Some(keep), ..self }
    }

    /// Passes errors through `on_error`, which can see what the machine was waiting for.
    pub(crate) fn on_error(self, on_error: fn(&M, Error) -> Error) -> Dialogue<M> {
        Dialogue { on_error, ..self }
    }

    /// Sets how datagrams are exchanged.
    pub(crate) fn exchanging(mut self, settings: ArdpSettings) -> Dialogue<M> {
        self.inquiries.settings = settings;
        self
    }

    /// The URLs that servers forwarded us to, the last one being that of the answer; empty if the first server answered itself.
    pub(crate) fn hops(&self) -> &[Url<String>] {
        self.inquiries.hops()
    }

    pub(crate) fn machine(&self) -> &M {
        &self.machine
    }

    /// The next event, whose octets are then at [`data`](Dialogue::data); `None` when the answer is complete. Notes are kept
    /// until they are [taken](Dialogue::take_notes). All earlier data must have been consumed.
    pub(crate) fn next(&mut self) -> Result<Option<Event<M::Entry, ()>>, Error> {
        let next = self.advance();
        if !matches!(next, Ok(Some(_))) {
            self.end();
        }
        next.map_err(|error| {
            let error = (self.on_error)(&self.machine, self.inquiries.explain(error));
            error.noting(std::mem::take(&mut self.notes))
        })
    }

    /// Hands the connection over, if the dialogue keeps it.
    fn end(&mut self) {
        let Some(keep) = self.keep.take() else { return };
        let Some(mut connection) = self.control.take() else { return };
        let unread = self.arrivals.unread().to_vec();
        connection.room = std::mem::take(&mut self.arrivals).into_room();
        keep(&mut self.machine, &unread, connection);
    }

    fn advance(&mut self) -> Result<Option<Event<M::Entry, ()>>, Error> {
        loop {
            let has_replies = self.hears_control && (self.has_data || (M::HAS_REPLIES && !self.has_begun));
            let step = self.arrivals.step(&mut self.machine, |taken| {
                if has_replies {
                    self.watch.hear(self.endpoint.peer(), taken);
                }
            });
            match step {
                Step::Io(io) => self.perform(io)?,
                Step::Event(Event::Note(note)) => self.notes.push(note),
                Step::Event(event) => {
                    self.has_begun |= matches!(event, Event::Begin(_));
                    return Ok(Some(event.map_data(drop)));
                }
                Step::Done => return Ok(None),
                Step::Fail(fault) => return Err(self.explain(fault)),
            }
        }
    }

    /// Runs to the beginning of the answer; `None` if the machine is done without one.
    pub(crate) fn begin(&mut self) -> Result<Option<Begin>, Error> {
        match self.next()? {
            Some(Event::Begin(begin)) => Ok(Some(begin)),
            Some(event) => Err(out_of_place(&event)),
            None => Ok(None),
        }
    }

    /// Runs to the beginning of the answer; it is an error if there is none.
    pub(crate) fn begun(&mut self) -> Result<Begin, Error> {
        self.begin()?.ok_or_else(no_answer)
    }

    /// Ends the dialogue where it is. The connection is handed over if the rest of the answer happens to have arrived.
    pub(crate) fn leave(mut self) -> Vec<Note> {
        self.end();
        self.take_notes()
    }

    /// Whether there is a connection, or was one before the dialogue ended.
    pub(crate) fn has_connected(&self) -> bool {
        self.has_connected
    }

    /// The next entry of a menu; `None` at its end.
    pub(crate) fn next_entry(&mut self) -> Result<Option<M::Entry>, Error> {
        match self.next()? {
            Some(Event::Entry(entry)) => Ok(Some(entry)),
            Some(event) => Err(out_of_place(&event)),
            None => Ok(None),
        }
    }

    /// The available data, after waiting until there is some. Empty only at the end of the document.
    pub(crate) fn fill(&mut self) -> Result<&[u8], Error> {
        while self.data().is_empty() {
            match self.next()? {
                Some(Event::Data(())) => {}
                Some(event) => return Err(out_of_place(&event)),
                None => break,
            }
        }
        Ok(self.data())
    }

    /// The data that is not yet consumed.
    pub(crate) fn data(&self) -> &[u8] {
        self.arrivals.data()
    }

    /// Marks the first `count` octets of the data as used.
    pub(crate) fn consume(&mut self, count: usize) {
        self.arrivals.consume(count);
    }

    /// The notes made since the last call.
    pub(crate) fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    /// Does the I/O that the machine asks for: an arm per kind, all that a driver of sockets needs beside the loop.
    fn perform(&mut self, io: Io) -> Result<(), Error> {
        match io {
            Io::Connect => self.connect(),
            Io::Send(command) => {
                self.watch.see(self.endpoint.peer(), Seen::Sent(&command));
                let has_begun = self.has_begun;
                let control = self.control()?;
                if has_begun { control.send_for_more(command.octets()) } else { control.send(command.octets()) }
            }
            Io::Receive if self.inquiries.are_under_way() => self.inquiries.hear(&mut self.arrivals),
            Io::Receive => self.receive(true),
            Io::StartTls => {
                let connection = taken(&mut self.control)?.secure(&self.shared.tls)?;
                self.control = Some(connection);
                self.secured();
                Ok(())
            }
            Io::OpenData { port } => {
                let shared = Arc::clone(&self.shared);
                let data = self.control()?.beside(port, &shared.policy)?;
                (self.data, self.has_data) = (Some(data), true);
                self.watch.see(self.endpoint.peer(), Seen::Data(port));
                Ok(())
            }
            Io::SecureData => {
                let data = taken(&mut self.data)?.secure(&self.shared.tls)?;
                self.data = Some(data);
                Ok(())
            }
            Io::ReceiveData => self.receive(false),
            Io::CloseData => {
                // A transfer may fail before there is a data connection.
                if let Some(data) = self.data.take() {
                    data.close();
                }
                self.arrivals.reopen();
                Ok(())
            }
            Io::Ask(question) => {
                let asking = self.asking.as_ref();
                let answer = asking.and_then(|(realm, user)| self.shared.wallet.ask(realm, user, question));
                self.machine.answer(answer.as_ref().map(Secret::reveal));
                Ok(())
            }
            Io::Inquire(inquiry) => {
                let address = self.inquiries.ask(*inquiry, &mut self.arrivals, &self.clock, &self.shared)?;
                if let Some(address) = address {
                    self.machine.inquiry_server(address);
                }
                Ok(())
            }
        }
    }

    fn connect(&mut self) -> Result<(), Error> {
        let Dialogue { endpoint, clock, shared, .. } = &*self;
        let connection = Connection::open(endpoint.clone(), clock.clone(), shared)?;
        let is_tls = connection.is_tls();
        self.control = Some(connection);
        self.has_connected = true;
        let connected = self.endpoint.proxy().map_or(Seen::Connected, Seen::ConnectedToProxy);
        self.watch.see(self.endpoint.peer(), connected);
        if is_tls {
            self.secured();
        }
        Ok(())
    }

    /// TLS has begun.
    fn secured(&mut self) {
        self.watch.see(self.endpoint.peer(), Seen::Secured);
        if !self.shared.tls.is_verified() {
            self.notes.push(NOT_VERIFIED);
        }
    }

    fn control(&mut self) -> Result<&mut Connection, Error> {
        self.control.as_mut().ok_or_else(unconnected)
    }

    fn receive(&mut self, from_control: bool) -> Result<(), Error> {
        self.hears_control = from_control;
        let connection = if from_control { &mut self.control } else { &mut self.data };
        let connection = connection.as_mut().ok_or_else(unconnected)?;
        match connection.receive(self.arrivals.room())? {
            Received::Octets(count) => self.arrivals.fill(count),
            Received::End(end, words) => {
                self.arrivals.close(end);
                self.broken = words;
            }
        }
        Ok(())
    }

    /// The machine's fault as an error, with what only the connection knows.
    pub(crate) fn explain(&mut self, fault: Fault) -> Error {
        let partial = fault.kind() == FaultKind::Partial;
        let error = Error::from(fault);
        let peer = self.inquiries.endpoint().unwrap_or(&self.endpoint);
        match self.broken.take() {
            Some(words) if partial => error.prefixed(message!("{peer} ({words})", peer = peer, words = words)),
            _ => error.prefixed(peer),
        }
    }
}

fn taken(connection: &mut Option<Connection>) -> Result<Connection, Error> {
    connection.take().ok_or_else(unconnected)
}

/// The machine was done before any answer began.
pub(crate) fn no_answer() -> Error {
    Error::new(ErrorKind::Protocol, words!("the server sent no answer"))
}

/// The machine asks for I/O that its driver does not do. Continuing as if it had been done would be another dialogue.
pub(crate) fn unsupported(io: &Io) -> Error {
    Error::new(ErrorKind::Protocol, message!("this dialogue cannot do `{step}`", step = io.name()))
}

/// The machine hands out something that its caller does not expect. Skipping it would leave out a part of the answer.
pub(crate) fn out_of_place<E, D>(event: &Event<E, D>) -> Error {
    Error::new(ErrorKind::Protocol, message!("the answer contains an unexpected `{event}`", event = event.name()))
}

#[cfg(test)]
mod tests;
