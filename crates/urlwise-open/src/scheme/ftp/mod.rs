//! ftp and ftps: the machine of [`protocol::ftp`](crate::protocol::ftp) over connections that are kept for the next URL
//! (RFC 1738 sections 3.2 and 3.2.5).

mod probe;
pub(crate) mod sessions;

use super::context::Context;
use super::file::media;
use super::opener::{Call, Opener as Opens, Outcome};
use super::plan::Plan;
use crate::credentials::{self, Realm, Secret, ServerLogin};
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use crate::net::deadlines::Clock;
use crate::net::driver::{Dialogue, no_answer};
use crate::net::endpoint::Endpoint;
use crate::net::shared::Shared;
use crate::net::tls::Tls;
use crate::probe::Probe;
use crate::protocol::Metadata;
use crate::protocol::ftp::{
    FileMetadata, FileMethod, FtpGoal, FtpItem, FtpLogin, FtpMachine, FtpRequest, ItemKind, Rest,
};
use crate::protocol::{Begin, Shape};
use crate::resource::{Document, Entries, Entry, EntryKind, Menu, Resource};
use sessions::{KeptSession, SessionKey};
use std::sync::Arc;
use std::time::SystemTime;
use urlwise::{Locator, Url};

/// Opens ftp and ftps URLs.
pub(crate) struct FtpOpener;

impl Opens for FtpOpener {
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        let mut request = admitted(call)?;
        let options = call.options();
        request.metadata = options.metadata;
        request.date = options.date;
        request.rest = options.resume.as_ref().map(|resume| Rest {
            offset: resume.offset,
            metadata: FileMetadata { size: resume.metadata.size, modified: resume.metadata.modified },
        });
        ask(call, request).map(Outcome::Here)
    }

    fn list(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        ask(call, FtpRequest { goal: FtpGoal::List, ..admitted(call)? }).map(Outcome::Here)
    }

    fn metadata(&self, call: &Call<'_>) -> Result<Outcome<Metadata>, Error> {
        Ok(Outcome::Here(match ask(call, FtpRequest { goal: FtpGoal::Metadata, ..admitted(call)? })? {
            Resource::Document(document) => document.metadata().clone(),
            _ => Metadata::default(),
        }))
    }

    fn probe(&self, call: &Call<'_>) -> Result<Outcome<Probe>, Error> {
        probe::probe(call).map(Outcome::Here)
    }

    fn plan(&self, call: &Call<'_>) -> Result<Outcome<Plan>, Error> {
        let (endpoint, settings, steps) = (Endpoint::of(call.url())?, &call.context.ftp, call.options().steps);
        // The policy has admitted all directories, and no more of them than steps can be in sight.
        let each_is_a_step = settings.method == FileMethod::Multi && !settings.skip_empty_cwd;
        let seen = steps.filter(|_| each_is_a_step).unwrap_or(usize::MAX);
        let machine = FtpMachine::new(admitted_beginning(call, seen)?, settings.clone());
        let machine = if endpoint.is_tls() { machine.over_tls() } else { machine };
        Plan::of_machine(machine, &endpoint, steps).map(Outcome::Here)
    }
}

/// Everything needed to open one URL.
struct FtpVisit<'c> {
    context: &'c Context,
    key: SessionKey,
    endpoint: Endpoint,
    request: FtpRequest,
    /// The user whose password may be asked for.
    realm: Option<Realm>,
    clock: &'c Clock,
}

/// The request for a URL with so many of its directories, with the login of the URL or the one given for it.
fn request(call: &Call<'_>, directories: usize) -> Result<FtpRequest, Error> {
    let Locator::Ftp(ftp) = call.url().locator() else { return Err(call.unfit()) };
    let mut request = FtpRequest::beginning(ftp, directories);
    request.now = Some(SystemTime::now());
    if let Some(login) = &call.login {
        request.login = logged_in(login.clone());
    }
    Ok(request)
}

/// The request for a URL, unless the call says that others have chosen the URL and it has a login of its own.
fn admitted(call: &Call<'_>) -> Result<FtpRequest, Error> {
    admitted_beginning(call, usize::MAX)
}

/// The same with so many directories.
fn admitted_beginning(call: &Call<'_>, directories: usize) -> Result<FtpRequest, Error> {
    let request = request(call, directories)?;
    if call.options().untrusted {
        refuse_own_login(call, &request)?;
    }
    Ok(request)
}

/// Refuses a URL of others whose own login would be used (S-58).
fn refuse_own_login(call: &Call<'_>, request: &FtpRequest) -> Result<(), Error> {
    if call.login.is_some() || !request.has_secret() {
        return Ok(());
    }
    let what = words!("the login in the URL is not used, since others may have chosen the URL");
    Err(credentials::by_netrc(Error::new(ErrorKind::Login, what).with_reference("S-58")))
}

/// Asks for what the request says; `None` if no answer begins.
fn begin(call: &Call<'_>, request: FtpRequest) -> Result<(Dialogue<FtpMachine>, Option<Begin>), Error> {
    let endpoint = Endpoint::of(call.url())?;
    let key = SessionKey::new(&endpoint, &request.login);
    let realm = Realm::of(call.url());
    FtpVisit { context: call.context, key, endpoint, request, realm, clock: call.clock }.begin()
}

fn ask(call: &Call<'_>, request: FtpRequest) -> Result<Resource, Error> {
    let (url, context) = (call.url(), &**call.context);
    let media_type = media::by_name(&request.name).map(str::to_owned);
    let is_without_answer = matches!(request.goal, FtpGoal::Metadata | FtpGoal::List);
    let (dialogue, begin) = begin(call, request)?;
    let from = call.history();
    match begin {
        None if is_without_answer => {
            let (metadata, _) = known(dialogue.machine(), None, media_type);
            Ok(Resource::Document(Document::new(Box::new(dialogue), None, None, None, from)?.with(metadata, 0)?))
        }
        None => Err(no_answer()),
        Some(begin) if begin.shape == Shape::Menu => {
            let list = url.to_owned();
            Ok(Resource::Menu(Menu::new(Box::new(Entries::new(dialogue, move |item| entry(item, &list))), from)))
        }
        Some(begin) => {
            let (metadata, offset) = known(dialogue.machine(), begin.size, media_type.clone());
            let document = Document::new(Box::new(dialogue), begin.size, context.max_size, media_type, from)?;
            Ok(Resource::Document(document.with(metadata, offset)?))
        }
    }
}

fn logged_in(login: ServerLogin) -> FtpLogin {
    let octets = |secret: Option<Secret>| secret.map(|secret| secret.reveal().to_vec());
    FtpLogin { user: Some(login.user), password: octets(login.password), account: octets(login.account) }
}

impl FtpVisit<'_> {
    /// Runs the dialogue up to the beginning of the answer, on a kept connection if one is usable; `None` if no answer begins.
    fn begin(&self) -> Result<(Dialogue<FtpMachine>, Option<Begin>), Error> {
        let shared = &self.context.shared;
        let may_be_kept = shared.may_be_kept(self.clock, &self.endpoint.host);
        loop {
            let leads = |kept: &KeptSession| kept.leads_to(&self.request, &self.context.ftp).filter(|_| may_be_kept);
            let kept = self.context.sessions.take(&self.key, leads, KeptSession::is_silent);
            let was_kept = kept.is_some();
            let mut dialogue = self.dialogue(kept);
            match dialogue.begin() {
                // Servers close idle connections, which says nothing about this URL.
                Err(error) if was_kept && !dialogue.machine().is_answered() && error.kind() == ErrorKind::Server => {}
                begun => return begun.map(|begin| (dialogue, begin)),
            }
        }
    }

    fn dialogue(&self, kept: Option<KeptSession>) -> Dialogue<FtpMachine> {
        let machine = FtpMachine::new(self.request.clone(), self.context.ftp.clone()).keeping_session();
        let (endpoint, clock) = (self.endpoint.clone(), self.clock.clone());
        let (dialogue, shared) = match kept.and_then(KeptSession::into_parts) {
            Some((session, connection, shared)) => {
                let machine = machine.on(session);
                (Dialogue::new(machine, endpoint, clock, Arc::clone(&shared)).on(connection), shared)
            }
            None => {
                let of_client = self.context.shared();
                let tls = Arc::new(Tls::apart(&of_client.tls));
                let shared = Arc::new(Shared { tls, ..Shared::clone(&of_client) });
                let machine = if endpoint.is_tls() { machine.over_tls() } else { machine };
                (Dialogue::new(machine, endpoint, clock, Arc::clone(&shared)), shared)
            }
        };
        let dialogue = match (&self.realm, &self.request.login.user) {
            (Some(realm), Some(user)) => dialogue.asking(realm.clone(), user.clone()),
            _ => dialogue,
        };
        let (sessions, key) = (Arc::clone(&self.context.sessions), self.key.clone());
        dialogue.on_error(not_confirmed).keeping(Box::new(move |machine, _, connection| {
            if let Some(session) = machine.take_session() {
                sessions.put(key, KeptSession::new(session, connection, shared));
            }
        }))
    }
}

/// The metadata of the file of which `size` octets follow, and the offset at which they begin.
fn known(machine: &FtpMachine, size: Option<u64>, media_type: Option<String>) -> (Metadata, u64) {
    let (told, offset) = (machine.metadata(), machine.offset());
    let size = told.size.or_else(|| size?.checked_add(offset));
    (Metadata { size, modified: told.modified, validator: None, media_type }, offset)
}

/// All octets may have arrived, but the server did not confirm it (S-30).
fn not_confirmed(machine: &FtpMachine, error: Error) -> Error {
    if !machine.awaits_confirmation() || error.kind() != ErrorKind::Timeout {
        return error;
    }
    Error::new(
        ErrorKind::Partial,
        message!("the server did not confirm the end of the transfer: {cause}", cause = error.what().clone()),
    )
    .with_reference("S-30")
    .with_source(error)
}

fn entry(item: FtpItem, list: &Url<String>) -> Entry {
    let (kind, media_type) = match item.kind {
        ItemKind::File => (EntryKind::Document, media::by_name(&item.name).map(str::to_owned)),
        ItemKind::Directory => (EntryKind::Menu, None),
        ItemKind::Unknown => (EntryKind::Unknown, media::by_name(&item.name).map(str::to_owned)),
    };
    let url = item.url(list);
    Entry { url, size: item.size, modified: item.modified, media_type, ..Entry::new(item.name, kind) }
}
