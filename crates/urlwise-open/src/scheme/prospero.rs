//! prospero: the machine of [`protocol::prospero`](crate::protocol::prospero) over datagrams (RFC 1738 section 3.11).

use super::opener::{By, Call, Elsewhere, Opener, Outcome};
use super::plan::Plan;
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::net::driver::{Dialogue, no_answer};
use crate::net::endpoint::Endpoint;
use crate::probe::Probe;
use crate::protocol::gopher::Opens;
use crate::protocol::prospero::{
    AccessMethod, Found, Link, ProsperoGoal, ProsperoMachine, ProsperoRequest, ProsperoSettings,
};
use crate::protocol::{Begin, Event, Note, Shape};
use crate::resource::{Document, Entries, Entry, EntryKind, History, Menu, Resource};
use urlwise::{Locator, Url};

/// Opens prospero URLs: the first access method of the object that can be opened, or the directory.
pub(crate) struct ProsperoOpener;

impl Opener for ProsperoOpener {
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        ask(call, ProsperoGoal::Open)
    }

    fn list(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        ask(call, ProsperoGoal::List)
    }

    /// The list of the object: asking for its contents would follow its access methods.
    fn probe(&self, call: &Call<'_>) -> Result<Outcome<Probe>, Error> {
        self.list(call)?.and_probe(call)
    }

    fn plan(&self, call: &Call<'_>) -> Result<Outcome<Plan>, Error> {
        let (machine, endpoint) = machine(call, ProsperoGoal::Open)?;
        Plan::of_machine(machine, &endpoint, call.options().steps).map(Outcome::Here)
    }
}

/// The machine for a URL and where it asks first.
fn machine(call: &Call<'_>, goal: ProsperoGoal) -> Result<(ProsperoMachine, Endpoint), Error> {
    let Locator::Prospero(view) = call.url().locator() else { return Err(call.unfit()) };
    let context = call.context;
    let settings = ProsperoSettings { hops: context.max_redirects, ..context.prospero.clone() };
    Ok((ProsperoMachine::new(ProsperoRequest::from_url(view, goal)?, settings), Endpoint::of(call.url())?))
}

fn ask(call: &Call<'_>, goal: ProsperoGoal) -> Result<Outcome<Resource>, Error> {
    let (machine, endpoint) = machine(call, goal)?;
    let dialogue = call.dialogue_with(machine, endpoint).exchanging(call.context.ardp);
    AskedObject { dialogue, url: call.url().to_owned(), max_size: call.context.max_size, notes: Vec::new() }
        .next_outcome(None)
}

/// An object whose server has been asked, and may have further access methods.
struct AskedObject {
    dialogue: Dialogue<ProsperoMachine>,
    url: Url<String>,
    max_size: Option<u64>,
    /// Notes about the access methods so far.
    notes: Vec<Note>,
}

impl AskedObject {
    /// Continues to the answer, or to the next access method that is a URL. If none succeeds, `failed` is the error: that of
    /// the first method.
    fn next_outcome(mut self, mut failed: Option<Error>) -> Result<Outcome<Resource>, Error> {
        loop {
            match self.dialogue.next() {
                Ok(Some(Event::Begin(begin))) => return self.resource(&begin).map(Outcome::Here),
                Ok(Some(Event::Data(()) | Event::Entry(_) | Event::Note(_))) => {}
                Ok(None) => return Err(no_answer()),
                Ok(Some(Event::Follow(target))) => {
                    self.notes.extend(self.dialogue.take_notes());
                    return Ok(Outcome::Elsewhere(Elsewhere {
                        via: self.dialogue.hops().to_vec(),
                        notes: self.notes.clone(),
                        or_else: Some(Box::new(move |error| self.next_outcome(Some(failed.take().unwrap_or(error))))),
                        ..Elsewhere::new(*target, By::Link)
                    }));
                }
                Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
                Err(error) => return Err(failed.unwrap_or(error)),
            }
        }
    }

    fn resource(self, begin: &Begin) -> Result<Resource, Error> {
        let AskedObject { dialogue, url, max_size, notes } = self;
        // The servers that forwarded the request, and the URL of the one that answers.
        let mut redirects: Vec<_> = std::iter::once(url.clone()).chain(dialogue.hops().iter().cloned()).collect();
        let final_url = redirects.pop().unwrap_or(url);
        let from = History { redirects, notes, final_url };
        Ok(match begin.shape {
            Shape::Menu => {
                let lists_methods = dialogue.machine().lists_methods();
                let menu = Menu::new(Box::new(Entries::new(dialogue, entry)), from);
                Resource::Menu(if lists_methods { menu.of_methods() } else { menu })
            }
            Shape::Document => Resource::Document(Document::new(Box::new(dialogue), None, max_size, None, from)?),
        })
    }
}

fn entry(found: Found) -> Entry {
    match found {
        Found::Link(link) => of_link(&link),
        Found::Method(method) => of_method(*method),
        Found::Warning(words) | Found::Text(words) => Entry::new(words, EntryKind::Info),
    }
}

fn of_link(link: &Link) -> Entry {
    let mut urls = link.urls();
    let url = urls.next();
    let has_url = url.is_some();
    // The server itself having the contents is not another way.
    let also = urls.filter(|other| Some(other) != url.as_ref()).collect();
    Entry {
        url,
        also,
        size: link.size,
        modified: link.modified,
        media_type: link.media_type().map(str::to_owned),
        description: described(link, has_url),
        ..Entry::new(link.name.clone(), link.opens().into())
    }
}

fn of_method(method: AccessMethod) -> Entry {
    let entry = Entry::new(method.title(), method.opens.into());
    Entry { description: method.text().map(<[u8]>::to_vec), url: method.url, ..entry }
}

/// What the server says of a link in words; the access methods of a link without any URL in full, so that people can make something
/// of them.
fn described(link: &Link, has_url: bool) -> Option<Vec<u8>> {
    let of_method = |method: &AccessMethod| match (method.text(), &method.url) {
        (Some(text), _) => Some(text.to_vec()),
        (None, None) if !has_url && method.opens == Opens::Unknown => Some(method.title()),
        (None, _) => None,
    };
    let words = link.description.clone();
    let lines: Vec<_> = words.into_iter().chain(link.methods.iter().filter_map(of_method)).collect();
    Some(lines.join(&b'\n')).filter(|text| !text.is_empty())
}
