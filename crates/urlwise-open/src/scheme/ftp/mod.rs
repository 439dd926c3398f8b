//! ftp and ftps: the machine of [`protocol::ftp`](crate::protocol::ftp) over connections that are kept for the next URL
//! (RFC 1738 sections 3.2 and 3.2.5).

mod sessions;

pub(crate) use sessions::Sessions;

use crate::client::wish::{Asks, Facts, Wish};
use crate::client::{Client, Options};
use crate::credentials::{Login as Credential, Realm, Secret};
use crate::error::Error;
use crate::error::class::Class;
use crate::net::deadline::Clock;
use crate::net::driver::{Dialogue, Shared, no_answer};
use crate::net::tls::Tls;
use crate::net::transport::Endpoint;
use crate::protocol::ftp::{FileFacts, Ftp, Goal, Item, ItemKind, Login, Request, Rest};
use crate::protocol::{Begin, Shape};
use crate::resource::{Document, Entries, Entry, EntryKind, Menu, Provenance, Resource};
use crate::scheme::file::media;
use sessions::{Kept, Key};
use std::sync::Arc;
use urlwise::{Ftp as View, Url};

/// What opening one URL needs.
struct Call<'c> {
    client: &'c Client,
    key: Key,
    endpoint: Endpoint,
    request: Request,
    /// Whose password it is that may be asked for.
    realm: Option<Realm>,
    clock: Clock,
}

/// The machine for a URL on a fresh connection, and where to connect it.
pub(crate) fn machine(url: &Url<&str>, ftp: View<'_>, login: Option<Credential>, options: &Options) -> (Ftp, Endpoint) {
    let machine = Ftp::new(asked(ftp, &Asks::Open(Wish::default()), login), options.ftp.clone());
    let endpoint = endpoint(url, ftp);
    (if endpoint.tls.is_some() { machine.over_tls() } else { machine }, endpoint)
}

fn endpoint(url: &Url<&str>, ftp: View<'_>) -> Endpoint {
    Endpoint::new(ftp.login().hostport(), url.scheme().is_tls().then_some(b"".as_slice()))
}

/// Opens an ftp or ftps URL that has been admitted.
pub(crate) fn open(
    client: &Client,
    url: &Url<&str>,
    ftp: View<'_>,
    asks: &Asks,
    login: Option<Credential>,
    clock: &Clock,
) -> Result<Resource, Error> {
    let request = asked(ftp, asks, login);
    let endpoint = endpoint(url, ftp);
    let key = Key::new(&endpoint, &request.login);
    let media_type = media::by_name(&request.name).map(str::to_owned);
    let call = Call { client, key, endpoint, request, realm: Realm::of(url), clock: clock.clone() };
    let (dialogue, begin) = call.begin()?;
    let from = Provenance::of(url.to_owned());
    match begin {
        None if matches!(asks, Asks::Facts | Asks::List) => {
            let (facts, _) = known(dialogue.machine(), None, media_type);
            Ok(Resource::Document(Document::new(Box::new(dialogue), None, None, None, from)?.with(facts, 0)?))
        }
        None => Err(no_answer()),
        Some(begin) if begin.shape == Shape::Menu => {
            let list = url.to_owned();
            Ok(Resource::Menu(Menu::new(Box::new(Entries::new(dialogue, move |item| entry(item, &list))), from)))
        }
        Some(begin) => {
            let max_size = client.options().max_size;
            let (facts, offset) = known(dialogue.machine(), begin.size, media_type.clone());
            let document = Document::new(Box::new(dialogue), begin.size, max_size, media_type, from)?;
            Ok(Resource::Document(document.with(facts, offset)?))
        }
    }
}

fn logged_in(login: Credential) -> Login {
    let octets = |secret: Option<Secret>| secret.map(|secret| secret.reveal().to_vec());
    Login { user: Some(login.user), password: octets(login.password), account: octets(login.account) }
}

/// The request for a URL; `login` is that of the URL, or the one given for it.
fn asked(ftp: View<'_>, asks: &Asks, login: Option<Credential>) -> Request {
    let mut request = Request::from_url(ftp);
    if let Some(login) = login {
        request.login = logged_in(login);
    }
    match asks {
        Asks::List => request.goal = Goal::List,
        Asks::Facts => request.goal = Goal::Facts,
        Asks::Open(wish) => {
            request.facts = wish.facts;
            request.rest = wish.resume.as_ref().map(|resume| Rest {
                offset: resume.offset,
                facts: FileFacts { size: resume.facts.size, modified: resume.facts.modified },
            });
        }
    }
    request
}

impl Call<'_> {
    /// Holds the dialogue up to the beginning of the answer, on a kept connection where one leads there; `None` if no answer
    /// begins.
    fn begin(&self) -> Result<(Dialogue<Ftp>, Option<Begin>), Error> {
        loop {
            let leads = |kept: &Kept| kept.leads_to(&self.request, &self.client.options().ftp);
            let kept = self.client.sessions().take(&self.key, leads);
            let was_kept = kept.is_some();
            let mut dialogue = self.dialogue(kept);
            match dialogue.begin() {
                // Servers close connections that idle: that says nothing about this URL.
                Err(error) if was_kept && !dialogue.machine().is_answered() && error.class() == Class::Server => {}
                begun => return begun.map(|begin| (dialogue, begin)),
            }
        }
    }

    fn dialogue(&self, kept: Option<Kept>) -> Dialogue<Ftp> {
        let machine = Ftp::new(self.request.clone(), self.client.options().ftp.clone()).keeping_session();
        let (endpoint, clock) = (self.endpoint.clone(), self.clock.clone());
        let (dialogue, shared) = match kept.and_then(Kept::into_parts) {
            Some((session, connection, shared)) => {
                let machine = machine.on(session);
                (Dialogue::new(machine, endpoint, clock, Arc::clone(&shared)).on(connection), shared)
            }
            None => {
                let of_client = self.client.shared();
                let tls = Arc::new(Tls::apart(&of_client.tls));
                let shared = Arc::new(Shared { tls, ..Shared::clone(&of_client) });
                let machine = if endpoint.tls.is_some() { machine.over_tls() } else { machine };
                (Dialogue::new(machine, endpoint, clock, Arc::clone(&shared)), shared)
            }
        };
        let dialogue = match (&self.realm, &self.request.login.user) {
            (Some(realm), Some(user)) => dialogue.asking(realm.clone(), user.clone()),
            _ => dialogue,
        };
        let (sessions, key) = (Arc::clone(self.client.sessions()), self.key.clone());
        dialogue.on_error(not_confirmed).keeping(Box::new(move |machine, _, connection| {
            if let Some(session) = machine.take_session() {
                sessions.put(key, Kept::new(session, connection, shared));
            }
        }))
    }
}

/// What is known of the file of which `size` octets follow, and where in it they begin.
fn known(machine: &Ftp, size: Option<u64>, media_type: Option<String>) -> (Facts, u64) {
    let (told, offset) = (machine.facts(), machine.offset());
    let size = told.size.or_else(|| size?.checked_add(offset));
    (Facts { size, modified: told.modified, validator: None, media_type }, offset)
}

/// All octets may be there; without the server's word nobody knows (S-30).
fn not_confirmed(machine: &Ftp, error: Error) -> Error {
    if !machine.awaits_confirmation() || error.class() != Class::Timeout {
        return error;
    }
    Error::new(Class::Partial, format!("the server did not confirm the end of the transfer: {}", error.what()))
        .ground("S-30")
        .source(error)
}

fn entry(item: Item, list: &Url<String>) -> Entry {
    let (kind, media_type) = match item.kind {
        ItemKind::File => (EntryKind::Document, media::by_name(&item.name).map(str::to_owned)),
        ItemKind::Directory => (EntryKind::Menu, None),
        ItemKind::Unknown => (EntryKind::Unknown, media::by_name(&item.name).map(str::to_owned)),
    };
    let url = item.url(list);
    Entry { url, size: item.size, modified: item.modified, media_type, ..Entry::new(item.name, kind) }
}
