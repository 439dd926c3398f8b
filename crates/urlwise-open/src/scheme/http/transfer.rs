//! One request over a connection that was kept, or a fresh one (S-19).

use super::Question;
use crate::client::Client;
use crate::client::wish::Facts;
use crate::credentials::Login;
use crate::error::Error;
use crate::error::class::Class;
use crate::net::deadline::Clock;
use crate::net::dialogue::{Dialogue, Event, Shared};
use crate::net::pool::Pool;
use crate::net::proxy::Proxy;
use crate::net::transport::{Connection, Endpoint};
use crate::protocol::Note;
use crate::protocol::http::{Http, Request};
use crate::resource::Body;
use std::convert::Infallible;
use std::sync::Arc;

/// The connections that a client keeps.
pub(crate) type Connections = Pool<Key, Connection>;

/// Everything that must be equal. The client's policy and TLS settings are those of all its connections.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Key {
    tls: bool,
    host: String,
    port: u16,
    proxy: Option<Proxy>,
    login: Option<Login>,
}

impl Key {
    pub(super) fn new(endpoint: &Endpoint, proxy: Option<&Proxy>, login: Option<&Login>) -> Key {
        Key {
            tls: endpoint.tls.is_some(),
            host: endpoint.host.to_ascii_lowercase(),
            port: endpoint.port,
            proxy: proxy.cloned(),
            login: login.cloned(),
        }
    }
}

/// What the headers of an answer say.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) facts: Facts,
    pub(super) offset: u64,
    pub(super) codings: usize,
    pub(super) moved: Option<Vec<u8>>,
    pub(super) refuses_range: bool,
}

/// A dialogue that gives its connection back when it is over.
pub(super) struct Transfer {
    /// `None` once it is over.
    dialogue: Option<Dialogue<Http>>,
    /// What would be asked again: only on a connection that was kept, and before the first octet of an answer.
    again: Option<(Request, Endpoint, Clock)>,
    /// What it was, once it is over.
    known: Known,
    notes: Vec<Note>,
    shared: Arc<Shared>,
    connections: Arc<Connections>,
    key: Key,
}

impl Transfer {
    pub(super) fn new(client: &Client, question: Question, clock: &Clock) -> Transfer {
        let Question { request, endpoint, key } = question;
        let (shared, connections) = (client.shared(), Arc::clone(client.connections()));
        let (dialogue, again) = match connections.take(&key, |_| Some(0)) {
            Some(connection) => {
                let machine = Http::new(request.clone()).on_kept_connection();
                let dialogue = Dialogue::new(machine, endpoint.clone(), clock.clone(), Arc::clone(&shared));
                (dialogue.on(connection), Some((request, endpoint, clock.clone())))
            }
            None => (Dialogue::new(Http::new(request), endpoint, clock.clone(), Arc::clone(&shared)), None),
        };
        let (known, notes) = Default::default();
        Transfer { dialogue: Some(dialogue), again, known, notes, shared, connections, key }
    }

    pub(super) fn next(&mut self) -> Result<Event<Infallible>, Error> {
        loop {
            let Some(dialogue) = &mut self.dialogue else { return Ok(Event::Done) };
            let next = dialogue.next();
            let is_answered = dialogue.machine().is_answered();
            match next {
                // Servers close connections that idle; GET and HEAD may be asked twice (S-23).
                Err(error) if !is_answered && !matches!(error.class(), Class::Timeout | Class::Interrupted) => {
                    let Some((request, endpoint, clock)) = self.again.take() else {
                        self.end();
                        return Err(error);
                    };
                    self.dialogue = Some(Dialogue::new(Http::new(request), endpoint, clock, Arc::clone(&self.shared)));
                }
                Ok(Event::Done) | Err(_) => {
                    self.end();
                    return next;
                }
                next => return next,
            }
        }
    }

    pub(super) fn known(&self) -> Known {
        self.dialogue.as_ref().map_or_else(|| self.known.clone(), |dialogue| known(dialogue.machine()))
    }

    pub(super) fn moved(&self) -> Option<&[u8]> {
        self.known.moved.as_deref()
    }

    pub(super) fn refuses_range(&self) -> bool {
        self.known.refuses_range
    }

    /// Gives the connection back, if another answer may come over it.
    fn end(&mut self) {
        let Some(mut dialogue) = self.dialogue.take() else { return };
        self.notes.extend(Body::take_notes(&mut dialogue));
        let unread = dialogue.unread().to_vec();
        let (mut machine, connection) = dialogue.into_parts();
        self.known = known(&machine);
        if let Some(connection) = connection.filter(|_| machine.leaves_connection(&unread)) {
            self.connections.put(self.key.clone(), connection);
        }
    }
}

fn known(machine: &Http) -> Known {
    Known {
        facts: machine.facts().clone(),
        offset: machine.offset(),
        codings: machine.codings(),
        moved: machine.moved().map(<[u8]>::to_vec),
        refuses_range: machine.refuses_range(),
    }
}

impl Body for Transfer {
    fn fill(&mut self) -> Result<&[u8], Error> {
        while self.dialogue.as_ref().is_some_and(|dialogue| dialogue.data().is_empty()) {
            self.next()?;
        }
        Ok(self.dialogue.as_ref().map(Dialogue::data).unwrap_or_default())
    }

    fn consume(&mut self, count: usize) {
        if let Some(dialogue) = &mut self.dialogue {
            dialogue.consume(count);
        }
    }

    fn take_notes(&mut self) -> Vec<Note> {
        let mut notes = std::mem::take(&mut self.notes);
        notes.extend(self.dialogue.iter_mut().flat_map(Body::take_notes));
        notes
    }
}
