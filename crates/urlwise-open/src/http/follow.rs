//! GET, and the redirects that lead to the document (client-security lines 20 to 23).

use super::redirect::resolve;
use super::{Ask, Http, Request};
use crate::class::Class;
use crate::client::Client;
use crate::deadline::Clock;
use crate::dialogue::{Dialogue, Event};
use crate::error::Error;
use crate::policy::Origin;
use crate::protocol::{Begin, Note};
use crate::resource::{Document, Provenance, Resource};
use crate::transport::Endpoint;
use crate::wish::Asks;
use urlwise::{Http as View, Locator, Url};

/// What HTTP is called in the TLS handshake.
const ALPN: &[u8] = b"http/1.1";

/// The request for a URL and where to send it.
pub(crate) fn request(url: &Url<&str>, http: View<'_>, user_agent: &str, asks: &Asks) -> (Request, Endpoint) {
    let tls = url.scheme().is_tls();
    let endpoint = Endpoint::new(http.hostport(), tls.then_some(ALPN));
    let request = Request {
        tls,
        host: http.hostport().host().as_str().to_owned(),
        port: endpoint.port,
        selector: http.selector().to_string(),
        user_agent: user_agent.to_owned(),
        ask: match asks {
            Asks::Open(wish) => wish.resume.clone().map_or(Ask::Document, Ask::Rest),
            Asks::List | Asks::Facts => Ask::Facts,
        },
    };
    (request, endpoint)
}

/// What one GET came to.
enum Hop {
    Document(Box<Dialogue<Http>>, Begin),
    Moved(Url<String>, Vec<Note>),
}

/// Opens an http or https URL that has been admitted.
pub(crate) fn open(client: &Client, url: &Url<&str>, asks: &Asks, clock: &Clock) -> Result<Resource, Error> {
    let options = client.options();
    let mut from = Provenance::of(url.to_owned());
    if url.user().is_some() {
        from.notes.push(Note {
            code: "login-not-sent",
            message: "the URL holds a user or a password, for which http URLs have no place; nothing of it was sent",
            rule: "RFC 1738 section 3.3, D-26",
        });
    }
    loop {
        match hop(client, &from.final_url.borrow(), asks, clock) {
            Ok(Hop::Document(dialogue, begin)) => {
                let (facts, offset) = dialogue.machine().begun();
                let document = Document::new(dialogue, begin.size, options.max_size, begin.media_type, from)?;
                return Ok(Resource::Document(document.with(facts, offset)?));
            }
            Ok(Hop::Moved(target, notes)) => {
                from.notes.extend(notes);
                advance(&mut from, target, options.max_redirects)?;
            }
            Err(error) => return Err(error.at(from.final_url.masked()).after(masked(&from.redirects))),
        }
    }
}

fn hop(client: &Client, here: &Url<&str>, asks: &Asks, clock: &Clock) -> Result<Hop, Error> {
    let Locator::Http(http) = here.locator() else {
        return Err(Error::new(Class::NoAccess, "only http and https URLs are asked for by GET"));
    };
    let (request, endpoint) = request(here, http, &client.options().user_agent, asks);
    let mut dialogue = Dialogue::new(Http::new(request), endpoint, clock.clone(), client.shared());
    loop {
        match dialogue.next()? {
            Event::Begin(begin) => return Ok(Hop::Document(Box::new(dialogue), begin)),
            Event::Done => break,
            Event::Data => {}
            Event::Entry(never) => match never {},
        }
    }
    let Some(location) = dialogue.machine().moved() else {
        return Err(Error::new(Class::Protocol, "the server sent neither a document nor a redirect"));
    };
    let (target, notes) = resolve(here, location)?;
    let admitted = client.options().policy.admit(&target, Origin::Redirect { from: here });
    admitted.map_err(|refusal| Error::from(refusal).at(target.masked()))?;
    Ok(Hop::Moved(target, notes))
}

/// Goes on to `target`, unless that is once too often or in a circle: without cookies, the same URL gets the same answer.
fn advance(from: &mut Provenance, target: Url<String>, max: u32) -> Result<(), Error> {
    let left = std::mem::replace(&mut from.final_url, target);
    from.redirects.push(left);
    let what = if from.redirects.contains(&from.final_url) {
        format!("the redirects lead in a circle, after {} of them", from.redirects.len())
    } else if from.redirects.len() > max as usize {
        format!("there are more than {max} redirects")
    } else {
        return Ok(());
    };
    Err(Error::new(Class::Redirects, what)
        .ground("RFC 9110 section 15.4")
        .help("open the last one yourself to see where it leads")
        .at(from.final_url.masked())
        .after(masked(&from.redirects)))
}

fn masked(urls: &[Url<String>]) -> impl Iterator<Item = String> {
    urls.iter().map(|url| url.masked().to_string())
}
