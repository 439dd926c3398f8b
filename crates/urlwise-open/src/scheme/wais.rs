//! wais: the machine of [`protocol::wais`](crate::protocol::wais) over a connection (RFC 1738 section 3.9).

use super::opener::{Call, Opener as Opens, Outcome};
use super::plan::Plan;
use crate::error::Error;
use crate::net::driver::Dialogue;
use crate::net::endpoint::Endpoint;
use crate::protocol::wais::{WaisGoal, WaisHit, WaisMachine, WaisRequest, media_type};
use crate::protocol::{Note, time};
use crate::resource::{Entry, EntryKind, List, Resource};
use std::collections::VecDeque;
use urlwise::{Locator, Url, WaisForm};

/// Opens wais URLs.
pub(crate) struct WaisOpener;

impl Opens for WaisOpener {
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        ask(call, request(call)?)
    }

    fn list(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        let (mut request, endpoint, form) = request(call)?;
        if form == WaisForm::Database {
            request.goal = WaisGoal::Help;
        }
        ask(call, (request, endpoint, form))
    }

    fn plan(&self, call: &Call<'_>) -> Result<Outcome<Plan>, Error> {
        let (request, endpoint, _) = request(call)?;
        Plan::of_machine(WaisMachine::new(request, call.context.wais), &endpoint).map(Outcome::Here)
    }
}

/// The request for a URL, the endpoint it goes to, and the form of the URL.
fn request(call: &Call<'_>) -> Result<(WaisRequest, Endpoint, WaisForm), Error> {
    let Locator::Wais(wais) = call.url().locator() else { return Err(call.unfit()) };
    Ok((WaisRequest::from_url(wais), Endpoint::of(call.url())?, wais.form()))
}

fn ask(call: &Call<'_>, (request, endpoint, _): (WaisRequest, Endpoint, WaisForm)) -> Result<Outcome<Resource>, Error> {
    let context = call.context;
    let dialogue = call.dialogue_with(WaisMachine::new(request, context.wais), endpoint);
    let (base, lynx) = (call.url().to_owned(), context.wais_lynx_urls);
    let menu = |dialogue| HitEntries { dialogue, base, lynx, ready: VecDeque::new() };
    Resource::of_dialogue(dialogue, call.history(), context.max_size, menu).map(Outcome::Here)
}

/// Hits as they arrive.
struct HitEntries {
    dialogue: Dialogue<WaisMachine>,
    base: Url<String>,
    /// Whether to write URLs in the form that Lynx reads.
    lynx: bool,
    /// A hit becomes an entry for each of its types.
    ready: VecDeque<Entry>,
}

impl List for HitEntries {
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

/// A hit as entries, one for each type it is available as.
fn entries(hit: &WaisHit, base: &Url<String>, lynx: bool) -> Vec<Entry> {
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

/// `YYMMDD` in the 20th century, or `YYYYMMDD`; `None` for anything else.
fn date(text: &[u8]) -> Option<std::time::SystemTime> {
    let day = match text.len() {
        6 => [b"19", text].concat(),
        8 => text.to_vec(),
        _ => return None,
    };
    time::timestamp(&[&day[..], b"000000"].concat())
}
