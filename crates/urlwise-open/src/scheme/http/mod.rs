//! http and https: the machine of [`protocol::http`](crate::protocol::http) over connections that are kept, and the targets of
//! redirects (RFC 1738 section 3.3; S-10 to S-13, S-19 to S-23, S-34 and S-51).

mod coding;
pub(crate) mod connections;
mod probe;
mod redirect;
mod transfer;

use super::opener::{By, Call, Elsewhere, Opener as Opens, Outcome};
use super::plan::Plan;
use crate::credentials::{Realm, Secret, ServerLogin, Wallet};
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::words;
use crate::net::driver::Dialogue;
use crate::net::endpoint::Endpoint;
use crate::net::proxy::Proxy;
use crate::policy::Policy;
use crate::probe::Probe;
use crate::protocol::Metadata;
use crate::protocol::http::{HttpGoal, HttpLogin, HttpMachine, HttpRequest, RequestField, Route};
use crate::protocol::{Begin, Note};
use crate::resource::{Body, Document, History, Resource};
use connections::ConnectionKey;
use redirect::{Target, resolve};
use std::net::{IpAddr, Ipv4Addr};
use urlwise::Url;

/// The name of HTTP in the TLS handshake (ALPN).
const ALPN: &[u8] = b"http/1.1";

/// A user and password in an http URL, which are not sent.
const LOGIN_NOT_SENT: Note = Note::new(
    "login-not-sent",
    "RFC 1738 section 3.3, D-26",
    words!("the URL contains a user or password, which http URLs do not allow; it was not sent"),
);

/// The scheme Basic does not encrypt.
const PASSWORD_IN_CLEAR: Note = Note::new(
    "password-in-clear",
    "S-16",
    words!("the password was sent without encryption; others on the network path could read it"),
);

/// The fields of the options belong to another scheme, host or port.
const FIELDS_NOT_SENT: Note = Note::new(
    "fields-not-sent",
    "S-56",
    words!(
        "the header fields of your options were not sent here: it is not the scheme, host and port of the URL given"
    ),
);

/// The server does not say anything about a document without sending it.
const HEAD_REFUSED: Note = Note::new(
    "head-refused",
    "RFC 9110 section 9.3.2",
    words!("the server refuses HEAD; the document was requested, and dropped unread"),
);

/// Opens http and https URLs.
pub(crate) struct HttpOpener;

impl Opens for HttpOpener {
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        let goal = match &call.options().resume {
            _ if call.options().head => HttpGoal::Head,
            Some(resume) => HttpGoal::Rest(resume.clone()),
            None => HttpGoal::Document,
        };
        get(call, goal, Resource::Document)
    }

    fn list(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        get(call, HttpGoal::Metadata, Resource::Document)
    }

    fn metadata(&self, call: &Call<'_>) -> Result<Outcome<Metadata>, Error> {
        get(call, HttpGoal::Metadata, |document| document.metadata().clone())
    }

    fn probe(&self, call: &Call<'_>) -> Result<Outcome<Probe>, Error> {
        probe::probe(call)
    }

    fn plan(&self, call: &Call<'_>) -> Result<Outcome<Plan>, Error> {
        let goal = if call.options().head { HttpGoal::Head } else { HttpGoal::Document };
        let question = question(call, goal, call.login.as_ref())?;
        Plan::of_machine(HttpMachine::new(question.request), &question.endpoint, call.options().steps)
            .map(Outcome::Here)
    }
}

/// A request, its server and its connections.
struct RequestPlan {
    request: HttpRequest,
    endpoint: Endpoint,
    key: ConnectionKey,
}

/// The request for a URL, its endpoint, and the key of connections that can serve it.
///
/// # Errors
/// The request must not be made, or not like this.
fn question(call: &Call<'_>, goal: HttpGoal, login: Option<&ServerLogin>) -> Result<RequestPlan, Error> {
    let (url, context) = (call.url(), call.context);
    let request = HttpRequest::from_url(url).ok_or_else(|| call.unfit())?;
    let fields = if call.is_origin { context.fields.as_slice() } else { &[] };
    let has_secret = login.is_some() || fields.iter().any(RequestField::is_credential);
    if let (true, false, Some(realm)) = (context.require_tls && has_secret, request.tls, Realm::of(url)) {
        return Err(Wallet::refuse_clear(&realm));
    }
    let proxy = context.proxies.of(url)?;
    if proxy.is_some() && looks_at_addresses(&context.shared.policy) {
        let what = words!("a proxy hides the address of the server, and only public addresses are allowed");
        return Err(Error::new(ErrorKind::Refused, what)
            .with_reference("S-9")
            .with_help(words!("do not use a proxy, or allow all addresses")));
    }
    let proxy_hop = proxy.map(|proxy| proxy.hop.clone());
    let endpoint = Endpoint { alpn: ALPN, proxy: proxy_hop, ..Endpoint::of(url)? };
    if context.user_agent.bytes().any(|octet| octet.is_ascii_control() && octet != b'\t') {
        let what = words!("the option `user_agent` contains a control character");
        return Err(Error::new(ErrorKind::Setting, what)
            .with_reference("RFC 9110 section 5.5")
            .with_help(words!("remove the control character")));
    }
    let request = HttpRequest {
        user_agent: context.user_agent.clone(),
        goal,
        login: login.map(sent),
        gzip: context.compressed,
        fields: fields.to_vec(),
        error_body: call.options().error_body,
        route: proxy.map_or(Route::Direct, |Proxy { login, .. }| Route::Proxy(login.as_ref().map(sent))),
        ..request
    };
    let key = ConnectionKey::new(&endpoint, proxy, login);
    Ok(RequestPlan { request, endpoint, key })
}

/// Whether the policy refuses any addresses: if it refuses any, it refuses loopback.
fn looks_at_addresses(policy: &Policy) -> bool {
    policy.admit_address(IpAddr::V4(Ipv4Addr::LOCALHOST), "localhost").is_err()
}

/// A login as it is sent: a missing password is empty.
fn sent(login: &ServerLogin) -> HttpLogin {
    let password = login.password.as_ref().map(Secret::reveal).unwrap_or_default().to_vec();
    HttpLogin { user: login.user.clone(), password }
}

/// The document, or the target of a redirect.
fn get<T>(call: &Call<'_>, mut goal: HttpGoal, found: impl FnOnce(Document) -> T) -> Result<Outcome<T>, Error> {
    let (url, context) = (call.url(), call.context);
    let (login, notes) = login(call)?;
    let mut from = History { notes, ..call.history() };
    loop {
        let (dialogue, begun) = transfer::begin(context, question(call, goal.clone(), login.as_ref())?, call.clock);
        match begun {
            Ok(Some(begin)) => {
                let document = arrive(dialogue, begin, &goal, from, context.max_size)?;
                return Ok(Outcome::Here(found(document)));
            }
            Ok(None) => return redirect(dialogue, url, from.notes).map(Outcome::Elsewhere),
            // The document has no such rest.
            Err(_) if dialogue.machine().refuses_range() => goal = HttpGoal::Document,
            Err(_) if dialogue.machine().refuses_head() => {
                from.notes.push(HEAD_REFUSED);
                goal = HttpGoal::Document;
            }
            // Nothing was sent without a connection.
            Err(error) if dialogue.has_connected() => return Err(error.noting(from.notes)),
            Err(error) => return Err(error),
        }
    }
}

/// The login for the URL of the call, with its password, and notes about what is sent and what is not.
///
/// # Errors
/// There is no password for the user.
fn login(call: &Call<'_>) -> Result<(Option<ServerLogin>, Vec<Note>), Error> {
    let (url, context) = (call.url(), call.context);
    let mut notes = Vec::new();
    if url.user().is_some() && !context.wallet().uses_http_userinfo() {
        notes.push(LOGIN_NOT_SENT);
    }
    let login = Realm::of(url).zip(call.login.clone());
    let login = login.map(|(realm, login)| context.wallet().complete(&realm, login)).transpose()?;
    let logs_in = login.is_some() || call.is_origin && context.fields.iter().any(RequestField::is_credential);
    if logs_in && !url.scheme().is_tls() && !context.require_tls {
        notes.push(PASSWORD_IN_CLEAR);
    }
    if !call.is_origin && !context.fields.is_empty() {
        notes.push(FIELDS_NOT_SENT);
    }
    Ok((login, notes))
}

/// The document, once its answer has begun.
fn arrive(
    mut dialogue: Box<Dialogue<HttpMachine>>,
    begin: Begin,
    goal: &HttpGoal,
    from: History,
    max_size: Option<u64>,
) -> Result<Document, Error> {
    let failure = dialogue.machine().refusal().cloned().map(|fault| dialogue.explain(fault));
    let machine = dialogue.machine();
    let (metadata, offset, codings) = (machine.metadata().clone(), machine.offset(), machine.codings());
    if *goal == HttpGoal::Metadata {
        // Nothing follows, so the connection is free.
        dialogue.next()?;
        return Document::new(dialogue, None, None, begin.media_type, from)?.with(metadata, 0);
    }
    let body: Box<dyn Body> = (0..codings).fold(dialogue, |body: Box<dyn Body>, _| coding::gunzip(body));
    let document = Document::new(body, begin.size, max_size, begin.media_type, from)?;
    let document = if metadata == Metadata::default() { document } else { document.with(metadata, offset)? };
    Ok(document.failing(failure))
}

/// The outcome of an answer without a document.
fn redirect<T>(
    mut dialogue: Box<Dialogue<HttpMachine>>,
    url: &Url<&str>,
    mut notes: Vec<Note>,
) -> Result<Elsewhere<T>, Error> {
    notes.extend(dialogue.take_notes());
    let Some(location) = dialogue.machine().moved() else {
        return Err(Error::new(ErrorKind::Protocol, words!("the server sent neither a document nor a redirect")));
    };
    let shown = dialogue.machine().without_secrets(location);
    // RFC 9110 sections 15.4.2 and 15.4.9
    let is_permanent = dialogue.machine().answer().is_some_and(|answer| matches!(answer.status, 301 | 308));
    let Target { url, fragment, notes: more } = resolve(url, location, &shown)?;
    notes.extend(more);
    Ok(Elsewhere { notes, is_permanent, fragment, ..Elsewhere::new(url, By::Redirect) })
}
