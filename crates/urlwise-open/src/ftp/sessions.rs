//! Control connections that are kept for the next URL of the same server and login (client-security line 19).

use crate::dialogue::Shared;
use crate::protocol::ftp::{Login, QUIT, Request, Session, Settings};
use crate::transport::{Connection, Endpoint};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most connections kept, and how long: servers close those that idle, the usual ones after some minutes.
const MOST: usize = 16;
const LONGEST: Duration = Duration::from_secs(60);

/// Everything that must be equal. The client's policy, TLS settings and ways to speak ftp are those of all its sessions.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Key {
    host: String,
    port: u16,
    /// From the first octet: the scheme.
    tls: bool,
    login: Login,
}

impl Key {
    pub(super) fn new(endpoint: &Endpoint, login: &Login) -> Key {
        let tls = endpoint.tls.is_some();
        Key { host: endpoint.host.clone(), port: endpoint.port, tls, login: login.clone() }
    }
}

/// A connection on which somebody is logged in. Ends with `QUIT`.
pub(crate) struct Kept {
    key: Key,
    session: Session,
    connection: Option<Connection>,
    shared: Arc<Shared>,
    since: Instant,
}

impl Kept {
    pub(super) fn new(key: Key, session: Session, connection: Connection, shared: Arc<Shared>) -> Kept {
        Kept { key, session, connection: Some(connection), shared, since: Instant::now() }
    }

    pub(super) fn into_parts(mut self) -> Option<(Session, Connection, Arc<Shared>)> {
        let connection = self.connection.take()?;
        Some((std::mem::take(&mut self.session), connection, Arc::clone(&self.shared)))
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(mut connection) = self.connection.take() {
            // Only politeness: the server may have gone first, and its answer is not waited for.
            let _ = connection.send(QUIT);
            connection.close();
        }
    }
}

/// The connections that a client keeps.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<Vec<Kept>>);

impl Sessions {
    /// The connection that is nearest to where `request` leads, taken out.
    pub(super) fn take(&self, key: &Key, request: &Request, settings: &Settings) -> Option<Kept> {
        // Goodbyes are said when the lock is free again: what is declared first is dropped last.
        let _outdated: Vec<Kept>;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (_outdated, *kept) = std::mem::take(&mut *kept).into_iter().partition(|kept| kept.since.elapsed() > LONGEST);
        let entered = |kept: &Kept| kept.session.leads_to(request, settings);
        let fitting = kept.iter().enumerate().filter(|(_, kept)| kept.key == *key);
        let (place, _) = fitting.filter_map(|(place, kept)| Some((place, entered(kept)?))).max_by_key(|(_, n)| *n)?;
        Some(kept.swap_remove(place))
    }

    pub(super) fn put(&self, connection: Kept) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = (kept.len() >= MOST).then(|| kept.remove(0));
        kept.push(connection);
        drop(kept);
        drop(oldest);
    }
}
