//! wais: the machine of [`protocol::wais`](crate::protocol::wais) over a connection (RFC 1738 section 3.9).

use crate::client::wish::Asks;
use crate::client::{Client, Options};
use crate::error::Error;
use crate::net::deadline::Clock;
use crate::net::driver::Dialogue;
use crate::net::transport::Endpoint;
use crate::protocol::wais::{Hit, Request, Wais, Wanted, media_type};
use crate::protocol::{Note, time};
use crate::resource::{Entry, EntryKind, List, Provenance, Resource};
use std::collections::VecDeque;
use urlwise::{Url, Wais as View, WaisForm};

/// The machine for a URL and where to connect it.
pub(crate) fn machine(wais: View<'_>, asks: &Asks, options: &Options) -> (Wais, Endpoint) {
    let mut request = Request::from_url(wais);
    if matches!(asks, Asks::List) && wais.form() == WaisForm::Database {
        request.wanted = Wanted::Help;
    }
    (Wais::new(request, options.wais), Endpoint::new(wais.hostport(), None))
}

/// Opens a wais URL that has been admitted.
pub(crate) fn open(
    client: &Client,
    url: &Url<&str>,
    wais: View<'_>,
    asks: &Asks,
    clock: &Clock,
) -> Result<Resource, Error> {
    let (machine, endpoint) = machine(wais, asks, client.options());
    let dialogue = Dialogue::new(machine, endpoint, clock.clone(), client.shared());
    let lynx = client.options().wais_lynx_urls;
    let menu = |dialogue| Entries { dialogue, base: url.to_owned(), lynx, ready: VecDeque::new() };
    Resource::of_dialogue(dialogue, Provenance::of(url.to_owned()), client.options().max_size, menu)
}

/// Hits that arrive.
struct Entries {
    dialogue: Dialogue<Wais>,
    base: Url<String>,
    /// Whether URLs are written as Lynx reads them.
    lynx: bool,
    /// A hit is an entry for each of its types.
    ready: VecDeque<Entry>,
}

impl List for Entries {
    fn next_entry(&mut self) -> Option<Result<Entry, Error>> {
        loop {
            if let Some(entry) = self.ready.pop_front() {
                return Some(Ok(entry));
            }
            match self.dialogue.next_entry() {
                Ok(Some(hit)) => self.ready.extend(entries(&hit, &self.base, self.lynx)),
                Ok(None) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }

    fn take_notes(&mut self) -> Vec<Note> {
        self.dialogue.take_notes()
    }
}

/// A hit as entries, one for each type it can be had as.
fn entries(hit: &Hit, base: &Url<String>, lynx: bool) -> Vec<Entry> {
    const UNTYPED: &[u8] = b"TEXT";
    let entry = |wtype: &[u8]| Entry {
        url: if lynx { hit.lynx_url(base, wtype).or_else(|| hit.url(base, wtype)) } else { hit.url(base, wtype) },
        size: hit.length.map(u64::from),
        lines: hit.lines.map(u64::from),
        score: hit.score,
        modified: date(&hit.date),
        media_type: media_type(wtype).map(str::to_owned),
        ..Entry::new(hit.headline.clone(), EntryKind::Document)
    };
    match hit.types.as_slice() {
        [] => vec![entry(UNTYPED)],
        types => types.iter().map(|wtype| entry(wtype)).collect(),
    }
}

/// `YYMMDD`, of the 20th century, or `YYYYMMDD`; anything else is no date.
fn date(text: &[u8]) -> Option<std::time::SystemTime> {
    let day = match text.len() {
        6 => [b"19", text].concat(),
        8 => text.to_vec(),
        _ => return None,
    };
    time::timestamp(&[&day[..], b"000000"].concat())
}
