//! news, snews, nntp and nntps: the machine of [`protocol::nntp`](crate::protocol::nntp) over a connection (RFC 1738 sections 3.6
//! and 3.7).
//!
//! An nntp URL names its server. A news URL means the same everywhere, and is opened at the server that [`NewsOptions::server`]
//! names, unless it names one in the form of RFC 5538 (D-60).

use super::context::Context;
use super::news_readers::{KeptReader, ReaderKey};
use super::news_server::server_url;
use super::opener::{Call, Opener as Opens, Outcome};
use super::plan::Plan;
use crate::credentials::{Realm, Secret};
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use crate::net::driver::Dialogue;
use crate::net::endpoint::{Endpoint, Hop};
use crate::probe::{Cause, Probe};
use crate::protocol::nntp::{Article, Group, NntpGoal, NntpItem, NntpLogin, NntpMachine, NntpRequest};
use crate::protocol::{Hint, Note, Shape, TlsMode};
use crate::resource::article;
use crate::resource::local_lines::LocalLines;
use crate::resource::{Body, Document, Entries, Entry, EntryKind, Menu, Resource};
use std::sync::Arc;
use urlwise::Words;
use urlwise::{Locator, Profile, Url};

/// What a dry run lacks if no server is named by the news URL or the options.
const NO_SERVER: Words = words!("a news server: the URL does not name one, and none is configured");

fn no_server() -> Error {
    Error::new(ErrorKind::NoAccess, words!("the URL requires a news server, and none is configured"))
        .with_reference("RFC 1738 section 3.6")
        .with_hint(Hint::NewsServer)
}

/// Opens news, snews, nntp and nntps URLs.
pub(crate) struct NewsOpener;

impl Opens for NewsOpener {
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        ask(call, request(call)?).map(Outcome::Here)
    }

    fn list(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        let mut request = request(call)?;
        match &mut request.goal {
            NntpGoal::Number { .. } | NntpGoal::Message { .. } => request.list = true,
            NntpGoal::Groups { .. } | NntpGoal::Group { .. } => {}
        }
        ask(call, request).map(Outcome::Here)
    }

    fn probe(&self, call: &Call<'_>) -> Result<Outcome<Probe>, Error> {
        probe(call).map(Outcome::Here)
    }

    fn plan(&self, call: &Call<'_>) -> Result<Outcome<Plan>, Error> {
        let (mut request, context) = (request(call)?, call.context);
        let planned = match call.server() {
            Some(server) => {
                let endpoint = Endpoint::of(server)?;
                request.login = login(call);
                Plan::of_machine(machine(request, context, endpoint.is_tls()), &endpoint, call.options().steps)?
            }
            None => {
                let nowhere = Endpoint::new(Hop { host: String::new(), ip: None, port: 0 }, TlsMode::None);
                let machine = machine(request, context, call.url().scheme().is_tls());
                Plan::of_machine(machine, &nowhere, call.options().steps)?.needing(NO_SERVER)
            }
        };
        Ok(Outcome::Here(planned))
    }

    /// The server of the URL, otherwise that of the options; `None` if neither names one.
    fn server(&self, call: &Call<'_>) -> Result<Option<Url<String>>, Error> {
        let url = call.url();
        let scheme = if url.scheme().is_tls() { "nntps" } else { "nntp" };
        let host_and_port = match url.locator() {
            Locator::News(news) => news.server().map(|host| (host, news.port())),
            Locator::Nntp(nntp) => Some((nntp.hostport().host(), nntp.hostport().port())),
            _ => return Err(call.unfit()),
        };
        let Some((host, port)) = host_and_port else {
            let server = call.context.news.server.as_ref();
            return server.map(|server| server.url(url.scheme().is_tls())).transpose();
        };
        let port = port.map_or_else(String::new, |port| format!(":{port}"));
        server_url(&format!("{scheme}://{}{port}", host.as_str())).map(Some).ok_or_else(|| {
            Error::new(ErrorKind::InvalidUrl, words!("the URL does not name a server to connect to"))
                .with_reference("RFC 1738 section 3.7")
        })
    }
}

/// The request for a URL, without a login.
fn request(call: &Call<'_>) -> Result<NntpRequest, Error> {
    let mut request = NntpRequest::from_url(call.url()).ok_or_else(|| call.unfit())?;
    match &mut request.goal {
        NntpGoal::Groups { wildmat } => {
            *wildmat = call.options().groups.as_ref().map(|groups| groups.as_bytes().to_vec());
        }
        NntpGoal::Group { last, .. } => *last = call.options().last,
        NntpGoal::Number { .. } | NntpGoal::Message { .. } => {}
    }
    Ok(request)
}

fn machine(request: NntpRequest, context: &Context, tls: bool) -> NntpMachine {
    let machine = NntpMachine::new(request, context.news.protocol);
    if tls { machine.over_tls() } else { machine }
}

fn login(call: &Call<'_>) -> Option<NntpLogin> {
    let login = call.login.clone()?;
    let password = login.password.as_ref().map(Secret::reveal).map(<[u8]>::to_vec);
    Some(NntpLogin { user: login.user, password })
}

fn ask(call: &Call<'_>, mut request: NntpRequest) -> Result<Resource, Error> {
    let context = call.context;
    let server = call.server().ok_or_else(no_server)?;
    let endpoint = Endpoint::of(server)?;
    request.login = login(call);
    let group = match &request.goal {
        NntpGoal::Group { name, .. } | NntpGoal::Number { group: name, .. } => name.clone(),
        NntpGoal::Groups { .. } | NntpGoal::Message { .. } => Vec::new(),
    };
    let asking = request.login.as_ref().map(|login| login.user.clone()).zip(Realm::of(server));
    let machine = machine(request, context, endpoint.is_tls());
    let mut dialogue = call.dialogue_with(machine, endpoint);
    if let Some((user, realm)) = asking {
        dialogue = dialogue.asking(realm, user);
    }
    let from = call.history();
    let begin = dialogue.begun()?;
    if begin.shape == Shape::Menu {
        let place = ListBase::new(call.url(), server, group);
        let list = Entries::new(dialogue, move |item| place.entry(item));
        return Ok(Resource::Menu(Menu::new(Box::new(list), from)));
    }
    let document = if context.news.as_text {
        let text = ArticleText { dialogue, max_size: context.max_size, text: None, at: 0 };
        Document::new(Box::new(text), None, None, Some("text/plain; charset=utf-8".into()), from)
    } else if context.raw {
        Document::new(Box::new(dialogue), begin.size, context.max_size, begin.media_type, from)
    } else {
        // The article is shorter with local line ends.
        Document::new(Box::new(LocalLines::new(dialogue)), None, context.max_size, begin.media_type, from)
    };
    document.map(Resource::Document)
}

/// Asks for the article by `STAT`, for the group by `GROUP`, over a kept connection if there is one (D-102).
fn probe(call: &Call<'_>) -> Result<Probe, Error> {
    let context = call.context;
    let Some(server) = call.server() else { return Ok(Probe::failed(Cause::NoServer, no_server())) };
    let endpoint = Endpoint::of(server)?;
    let request = NntpRequest { stat: true, login: login(call), ..request(call)? };
    let key = ReaderKey::new(&endpoint, request.login.as_ref());
    let may_be_kept = context.shared.may_be_kept(call.clock, &endpoint.host);
    loop {
        let kept = context.readers.take(&key, |_| may_be_kept.then_some(0), KeptReader::is_silent);
        let kept = kept.and_then(KeptReader::into_connection);
        let was_kept = kept.is_some();
        let machine = machine(request.clone(), context, endpoint.is_tls()).keeping_connection();
        let dialogue = match kept {
            Some(connection) => call.dialogue_with(machine.on_kept_connection(), endpoint.clone()).on(connection),
            None => call.dialogue_with(machine, endpoint.clone()),
        };
        let (readers, key) = (Arc::clone(&context.readers), key.clone());
        let mut dialogue = dialogue.keeping(Box::new(move |machine: &mut NntpMachine, unread, connection| {
            if machine.leaves_connection(unread) {
                readers.put(key, KeptReader::new(connection));
            }
        }));
        match dialogue.begin() {
            // Servers close idle connections, which says nothing about this URL.
            Err(error) if was_kept && !dialogue.machine().is_answered() && error.kind() == ErrorKind::Server => {}
            Err(error) if error.server_code() == Some(400) => return Ok(Probe::failed(Cause::RateLimit, error)),
            begun => return begun.map(|_| Probe { notes: dialogue.take_notes(), ..Probe::alive() }),
        }
    }
}

/// The longest article that is decoded, since it is held in memory.
const MOST_DECODED: u64 = 10 * 1024 * 1024;

/// An article as text, once it is complete.
struct ArticleText {
    dialogue: Dialogue<NntpMachine>,
    max_size: Option<u64>,
    text: Option<Vec<u8>>,
    /// How much of it is consumed.
    at: usize,
}

impl ArticleText {
    fn read(&mut self) -> Result<Vec<u8>, Error> {
        let most = self.max_size.unwrap_or(u64::MAX).min(MOST_DECODED);
        let mut octets = Vec::new();
        loop {
            let data = self.dialogue.fill()?;
            let count = data.len();
            if count == 0 {
                return Ok(article::to_text(&octets).into_bytes());
            }
            if octets.len() as u64 + count as u64 > most {
                return Err(Error::new(
                    ErrorKind::Limit,
                    message!("the article is longer than {count} octets", count = most),
                )
                .with_reference("S-45")
                .with_hint(match self.max_size {
                    Some(max) if max <= MOST_DECODED => Hint::MaxSize,
                    // Only shorter ones are decoded.
                    _ => Hint::Raw,
                }));
            }
            octets.extend_from_slice(data);
            self.dialogue.consume(count);
        }
    }
}

impl Body for ArticleText {
    fn fill(&mut self) -> Result<&[u8], Error> {
        if self.text.is_none() {
            self.text = Some(self.read()?);
        }
        Ok(self.text.as_deref().and_then(|text| text.get(self.at..)).unwrap_or_default())
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
    }

    fn take_notes(&mut self) -> Vec<Note> {
        Body::take_notes(&mut self.dialogue)
    }
}

/// The start of the URLs of a list's entries.
struct ListBase {
    /// The server, with the scheme and the last slash.
    base: String,
    group: Vec<u8>,
    profile: Profile,
}

impl ListBase {
    fn new(url: &Url<&str>, server: &Url<String>, group: Vec<u8>) -> ListBase {
        let hostport = server.schemepart().trim_start_matches('/').split('/').next().unwrap_or_default();
        let base = format!("{}://{hostport}/", server.scheme_name());
        // RFC 1738 has no scheme with TLS.
        let profile = if server.scheme().is_tls() { Profile::Current } else { url.profile() };
        ListBase { base, group, profile }
    }

    fn entry(&self, item: NntpItem) -> Entry {
        match item {
            NntpItem::Group(group) => self.group(group),
            NntpItem::Article(article) => self.article(&article),
        }
    }

    fn group(&self, group: Group) -> Entry {
        Entry {
            url: group.nntp_url(&self.base, self.profile),
            also: group.news_url(self.profile).into_iter().collect(),
            description: group.description,
            ..Entry::new(group.name, EntryKind::Menu)
        }
    }

    fn article(&self, article: &Article) -> Entry {
        let news = article.news_url();
        let nntp = article.nntp_url(&self.base, &self.group, self.profile);
        let is_second = nntp.is_some();
        Entry {
            url: nntp.or_else(|| news.clone()),
            also: news.filter(|_| is_second).into_iter().collect(),
            size: article.octets,
            lines: article.lines,
            modified: article::date(&article.date),
            number: article.number,
            message_id: Some(article.id.clone()).filter(|id| !id.is_empty()),
            references: article.answered(),
            from: Some(article::words(&article.from).into_owned()),
            media_type: Some("message/rfc822".to_owned()),
            ..Entry::new(article::words(&article.subject).into_owned(), EntryKind::Document)
        }
    }
}
