//! gopher and gophers: the machine of [`protocol::gopher`](crate::protocol::gopher) over a connection (RFC 1738 section 3.4).

use crate::client::{Client, Options};
use crate::deadline::Clock;
use crate::dialogue::{Dialogue, Event};
use crate::error::Error;
use crate::protocol::Note;
use crate::protocol::gopher::{Gopher, Item, PlusMark, Request};
use crate::resource::{Body, Entry, EntryKind, List, Provenance, Resource};
use crate::transport::Endpoint;
use urlwise::{Gopher as View, Url};

/// The machine for a URL and where to connect it.
pub(crate) fn machine(url: &Url<&str>, gopher: View<'_>, options: &Options) -> (Gopher, Endpoint) {
    // TLS by no standard: from the first octet, no application protocol asked for.
    let endpoint = Endpoint::new(gopher.hostport(), url.scheme().is_tls().then_some(b"".as_slice()));
    (Gopher::new(Request::from_url(gopher), options.gopher), endpoint)
}

/// Opens a gopher or gophers URL that has been admitted.
pub(crate) fn open(client: &Client, url: &Url<&str>, gopher: View<'_>, clock: &Clock) -> Result<Resource, Error> {
    let (machine, endpoint) = machine(url, gopher, client.options());
    let dialogue = Dialogue::new(machine, endpoint, clock.clone(), client.shared());
    let menu = |dialogue| Entries { dialogue, menu: url.to_owned() };
    dialogue.resource(Provenance::of(url.to_owned()), client.options().max_size, menu)
}

/// A menu that arrives.
struct Entries {
    dialogue: Dialogue<Gopher>,
    menu: Url<String>,
}

impl List for Entries {
    fn next_entry(&mut self) -> Option<Result<Entry, Error>> {
        loop {
            match self.dialogue.next() {
                Ok(Event::Entry(item)) => return Some(Ok(entry(&item, &self.menu))),
                Ok(Event::Done) => return None,
                Ok(Event::Begin(_) | Event::Data) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }

    fn take_notes(&mut self) -> Vec<Note> {
        Body::take_notes(&mut self.dialogue)
    }
}

/// A menu line as an entry, its link untrusted.
fn entry(item: &Item, menu: &Url<String>) -> Entry {
    let item_type = item.item_type();
    let kind = match item.plus {
        Some(PlusMark::Form) => EntryKind::Form,
        _ => item_type.opens.into(),
    };
    Entry {
        url: item.url(menu),
        media_type: item_type.media_type.map(str::to_owned),
        ..Entry::new(item.display.clone(), kind)
    }
}
