//! prospero: the machine of [`protocol::prospero`](crate::protocol::prospero) over datagrams (RFC 1738 section 3.11).

use crate::client::Options;
use crate::client::wish::Asks;
use crate::error::Error;
use crate::error::class::Class;
use crate::net::driver::{Dialogue, no_answer};
use crate::net::transport::Endpoint;
use crate::policy::Origin;
use crate::protocol::prospero::{AccessMethod, Found, Link, Prospero, Request, Settings, Wanted};
use crate::protocol::{Begin, Event, Shape};
use crate::resource::{Document, Entries, Entry, EntryKind, Menu, Provenance, Resource};
use crate::scheme::handler::Call;
use urlwise::{Prospero as View, Url};

/// The machine for a URL and where it asks first.
pub(crate) fn machine(view: View<'_>, asks: &Asks, options: &Options) -> Result<(Prospero, Endpoint), Error> {
    let wanted = if matches!(asks, Asks::List) { Wanted::List } else { Wanted::Open };
    let settings = Settings { hops: options.max_redirects, ..options.prospero.clone() };
    Ok((Prospero::new(Request::from_url(view, wanted)?, settings), Endpoint::new(view.hostport(), None)))
}

/// Opens a prospero URL that has been admitted: the first of its access methods that can be, or the directory that it names.
pub(crate) fn open(call: &Call<'_>, view: View<'_>) -> Result<Resource, Error> {
    let Call { client, url, asks, clock, .. } = call;
    let options = client.options();
    let (machine, endpoint) = machine(view, asks, options)?;
    let mut dialogue = Dialogue::new(machine, endpoint, (*clock).clone(), client.shared()).exchanging(options.ardp);
    // Of the access methods that lead elsewhere.
    let mut failed = None;
    loop {
        match dialogue.next() {
            Ok(Some(Event::Begin(begin))) => return resource(dialogue, &begin, url, options.max_size),
            Ok(Some(Event::Data(()) | Event::Entry(_) | Event::Note(_))) => {}
            Ok(None) => return Err(no_answer()),
            Ok(Some(Event::Follow(target))) => {
                let way = way(&dialogue, url);
                let from = way.last().map_or(*url, Url::borrow);
                let origin = Origin::Link { from: &from };
                let followed = call.deeper().and_then(|depth| client.go(&target.borrow(), origin, asks, clock, depth));
                match followed {
                    Ok(resource) => return Ok(resource.led(way, dialogue.take_notes())),
                    Err(error) if error.class() == Class::Interrupted => return Err(error),
                    Err(error) => {
                        failed.get_or_insert(error);
                    }
                }
            }
            Err(error) if error.class() == Class::Interrupted => return Err(error),
            Err(error) => return Err(failed.unwrap_or(error)),
        }
    }
}

/// The URLs that led to the server that answers, and its own.
fn way(dialogue: &Dialogue<Prospero>, url: &Url<&str>) -> Vec<Url<String>> {
    [url.to_owned()].into_iter().chain(dialogue.hops().iter().cloned()).collect()
}

fn resource(
    dialogue: Dialogue<Prospero>,
    begin: &Begin,
    url: &Url<&str>,
    max_size: Option<u64>,
) -> Result<Resource, Error> {
    let mut redirects = way(&dialogue, url);
    let final_url = redirects.pop().unwrap_or_else(|| url.to_owned());
    let from = Provenance { redirects, ..Provenance::of(final_url) };
    Ok(match begin.shape {
        Shape::Menu => Resource::Menu(Menu::new(Box::new(Entries::new(dialogue, entry)), from)),
        Shape::Document => Resource::Document(Document::new(Box::new(dialogue), None, max_size, None, from)?),
    })
}

fn entry(found: Found) -> Entry {
    match found {
        Found::Link(link) => of_link(&link),
        Found::Method(method) => of_method(*method),
        Found::Warning(words) => Entry::new(words, EntryKind::Info),
    }
}

fn of_link(link: &Link) -> Entry {
    let mut urls = link.urls();
    let url = urls.next();
    // The server itself having the contents is no other way.
    let also = urls.filter(|other| Some(other) != url.as_ref()).collect();
    Entry {
        url,
        also,
        size: link.size,
        modified: link.modified,
        media_type: link.media_type().map(str::to_owned),
        description: described(link.description.as_deref(), &link.methods),
        ..Entry::new(link.name.clone(), link.opens().into())
    }
}

fn of_method(method: AccessMethod) -> Entry {
    let entry = Entry::new(method.title(), method.opens.into());
    Entry { description: method.text().map(<[u8]>::to_vec), url: method.url, ..entry }
}

/// What the server says of a link, and of its access methods what no URL does.
fn described(words: Option<&[u8]>, methods: &[AccessMethod]) -> Option<Vec<u8>> {
    let of_method = |method: &AccessMethod| match (method.text(), &method.url) {
        (Some(text), _) => Some(text.to_vec()),
        (None, None) => Some(method.title()),
        (None, Some(_)) => None,
    };
    let lines: Vec<_> = words.map(<[u8]>::to_vec).into_iter().chain(methods.iter().filter_map(of_method)).collect();
    Some(lines.join(&b'\n')).filter(|text| !text.is_empty())
}
