//! http and https: the machine of [`protocol::http`](crate::protocol::http) over connections that are kept, and the redirects that
//! lead to the document (RFC 1738 section 3.3; S-10 to S-13, S-19 to S-23, S-34 and S-51).

mod coding;
mod redirect;
mod transfer;

pub(crate) use transfer::Connections;

use crate::client::Client;
use crate::client::wish::Asks;
use crate::credentials::{Login, Realm, Wallet};
use crate::error::Error;
use crate::error::class::Class;
use crate::gateway::THROUGH_GATEWAY;
use crate::net::deadline::Clock;
use crate::net::driver::Dialogue;
use crate::net::proxy::Proxy;
use crate::net::transport::Endpoint;
use crate::policy::{Origin, Policy};
use crate::protocol::http::{Ask, Http, Request, Route};
use crate::protocol::{Begin, Note};
use crate::resource::{Body, Document, Provenance, Resource};
use redirect::resolve;
use std::net::{IpAddr, Ipv4Addr};
use transfer::Key;
use urlwise::{Http as View, Locator, Url};

/// What HTTP is called in the TLS handshake.
const ALPN: &[u8] = b"http/1.1";

/// A user and a password in an http URL that nobody wants used.
const LOGIN_NOT_SENT: Note = Note {
    code: "login-not-sent",
    message: "the URL contains a user or password, which http URLs do not allow; it was not sent",
    rule: "RFC 1738 section 3.3, D-26",
};

/// The scheme Basic is no encryption.
const PASSWORD_IN_CLEAR: Note = Note {
    code: "password-in-clear",
    message: "the password was sent without encryption; others on the network path could read it",
    rule: "S-16",
};

/// What is asked of whom, and on which connections.
pub(crate) struct Question {
    pub(crate) request: Request,
    pub(crate) endpoint: Endpoint,
    key: Key,
}

/// The request for a URL, where to send it, and what a connection for it must have in common with others.
///
/// # Errors
/// What must not be asked at all, or not so.
pub(crate) fn question(
    client: &Client,
    url: &Url<&str>,
    http: View<'_>,
    ask: Ask,
    login: Option<&Login>,
) -> Result<Question, Error> {
    let options = client.options();
    let tls = url.scheme().is_tls();
    if let (true, false, Some(realm)) = (options.require_tls && login.is_some(), tls, Realm::of(url)) {
        return Err(Wallet::refuse_clear(&realm));
    }
    let proxy = options.proxies.of(url)?;
    if proxy.is_some() && looks_at_addresses(&options.policy) {
        let what = "a proxy hides the address of the server, and only public addresses are allowed";
        return Err(Error::new(Class::Refused, what).ground("S-9").help("do not use a proxy, or allow all addresses"));
    }
    let mut endpoint = Endpoint::new(http.hostport(), tls.then_some(ALPN));
    endpoint.proxy = proxy.map(|proxy| proxy.hop.clone());
    let request = Request {
        tls,
        user_agent: options.user_agent.clone(),
        ask,
        login: login.cloned(),
        gzip: options.compressed,
        route: proxy.map_or(Route::Direct, |Proxy { login, .. }| Route::Proxy(login.clone())),
        ..Request::new(http.hostport().host().as_str(), endpoint.port, http.selector().to_string())
    };
    let key = Key::new(&endpoint, proxy, login);
    Ok(Question { request, endpoint, key })
}

/// Whether the policy refuses addresses: it refuses none that is not our own.
fn looks_at_addresses(policy: &Policy) -> bool {
    policy.admit_address(IpAddr::V4(Ipv4Addr::LOCALHOST), "localhost").is_err()
}

/// What is asked for, as a request says it.
pub(crate) fn ask(asks: &Asks) -> Ask {
    match asks {
        Asks::Open(wish) => wish.resume.clone().map_or(Ask::Document, Ask::Rest),
        Asks::List | Asks::Facts => Ask::Facts,
    }
}

/// One URL on its way.
struct Journey<'c> {
    client: &'c Client,
    clock: &'c Clock,
    ask: Ask,
    /// Who logs in, and where alone.
    login: Option<(Realm, Login)>,
    from: Provenance,
    /// It began at a gateway, whose redirects are opened as they are.
    routed: bool,
}

/// What one request came to.
enum Hop {
    Document(Box<Dialogue<Http>>, Begin),
    Moved(Url<String>, Vec<Note>),
    /// There is no such rest of the document.
    NoRest,
}

/// Opens an http or https URL that has been admitted; `login` is for the realm of this URL, `routed` says that it is the URL of a
/// gateway.
pub(crate) fn open(
    client: &Client,
    url: &Url<&str>,
    asks: &Asks,
    login: Option<Login>,
    clock: &Clock,
    routed: bool,
) -> Result<Resource, Error> {
    let mut from = Provenance::of(url.to_owned());
    if url.user().is_some() && !client.options().credentials.http_userinfo {
        from.notes.push(LOGIN_NOT_SENT);
    }
    let login = Realm::of(url).zip(login);
    if login.is_some() && !url.scheme().is_tls() && !client.options().require_tls {
        from.notes.push(PASSWORD_IN_CLEAR);
    }
    let mut journey = Journey { client, clock, ask: ask(asks), login, from, routed };
    loop {
        match journey.hop() {
            Ok(Hop::Document(transfer, begin)) => return journey.arrive(transfer, begin).map(Resource::Document),
            Ok(Hop::Moved(target, notes)) => {
                journey.from.notes.extend(notes);
                journey.advance(target)?;
                journey.pass_gateway()?;
            }
            Ok(Hop::NoRest) => journey.ask = Ask::Document,
            Err(error) => {
                let from = &journey.from;
                return Err(error.at(from.final_url.masked()).after(masked(&from.redirects)));
            }
        }
    }
}

impl Journey<'_> {
    /// Who logs in at this URL: nobody once the way has led anywhere else, not even if it leads back.
    fn login(&mut self, here: &Url<&str>) -> Option<Login> {
        let here = Realm::of(here);
        let (realm, login) = self.login.take().filter(|(realm, _)| Some(realm) == here.as_ref())?;
        let login = self.client.wallet().complete(&realm, login);
        self.login = Some((realm, login.clone()));
        Some(login)
    }

    fn hop(&mut self) -> Result<Hop, Error> {
        let here = self.from.final_url.clone();
        let here = here.borrow();
        let Locator::Http(http) = here.locator() else {
            return Err(Error::new(Class::NoAccess, "only http and https URLs can be requested with GET"));
        };
        let login = self.login(&here);
        let question = question(self.client, &here, http, self.ask.clone(), login.as_ref())?;
        let (mut dialogue, begun) = transfer::begin(self.client, question, self.clock);
        match begun {
            Ok(Some(begin)) => return Ok(Hop::Document(Box::new(dialogue), begin)),
            Ok(None) => {}
            Err(_) if dialogue.machine().refuses_range() => return Ok(Hop::NoRest),
            Err(error) => return Err(error),
        }
        let mut notes = dialogue.take_notes();
        let Some(location) = dialogue.machine().moved() else {
            return Err(Error::new(Class::Protocol, "the server sent neither a document nor a redirect"));
        };
        let (target, more) = resolve(&here, location)?;
        notes.extend(more);
        let admitted = self.client.options().policy.admit(&target, Origin::Redirect { from: &here });
        admitted.map_err(|refusal| Error::from(refusal).at(target.masked()))?;
        Ok(Hop::Moved(target, notes))
    }

    /// Goes on to the gateway of a URL to which a redirect led, if its scheme is routed.
    fn pass_gateway(&mut self) -> Result<(), Error> {
        if self.routed {
            return Ok(());
        }
        let here = self.from.final_url.clone();
        let options = self.client.options();
        let Some(target) = options.gateways.lead(&here)? else { return Ok(()) };
        let from = self.from.redirects.last().unwrap_or(&here).borrow();
        let admitted = options.policy.admit(&target, Origin::Redirect { from: &from });
        admitted.map_err(|refusal| Error::from(refusal).at(target.masked()))?;
        self.routed = true;
        self.from.notes.push(THROUGH_GATEWAY);
        self.advance(target)
    }

    /// Goes on to `target`, unless that is once too often or in a circle: without cookies, the same URL gets the same answer.
    fn advance(&mut self, target: Url<String>) -> Result<(), Error> {
        let max = self.client.options().max_redirects;
        let from = &mut self.from;
        let left = std::mem::replace(&mut from.final_url, target);
        from.redirects.push(left);
        let what = if from.redirects.contains(&from.final_url) {
            format!("redirect loop after {} redirects", from.redirects.len())
        } else if from.redirects.len() > max as usize {
            format!("more than {max} redirects")
        } else {
            return Ok(());
        };
        Err(Error::new(Class::Redirects, what)
            .ground("RFC 9110 section 15.4")
            .help("open the last URL to see where it goes")
            .at(from.final_url.masked())
            .after(masked(&from.redirects)))
    }

    /// The document that has begun.
    fn arrive(self, mut dialogue: Box<Dialogue<Http>>, begin: Begin) -> Result<Document, Error> {
        let max_size = self.client.options().max_size;
        let machine = dialogue.machine();
        let (facts, offset, codings) = (machine.facts().clone(), machine.offset(), machine.codings());
        if self.ask == Ask::Facts {
            // Nothing follows, and the connection is free.
            dialogue.next()?;
            return Document::new(dialogue, None, None, begin.media_type, self.from)?.with(facts, 0);
        }
        let body: Box<dyn Body> = (0..codings).fold(dialogue, |body: Box<dyn Body>, _| coding::gunzip(body));
        Document::new(body, begin.size, max_size, begin.media_type, self.from)?.with(facts, offset)
    }
}

fn masked(urls: &[Url<String>]) -> impl Iterator<Item = String> {
    urls.iter().map(|url| url.masked().to_string())
}
