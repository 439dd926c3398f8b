//! wais: the machine of [`protocol::wais`](crate::protocol::wais) over a connection (RFC 1738 section 3.9).

use super::opener::{Call, Opener as Opens, Outcome};
use super::plan::Plan;
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use crate::net::driver::Dialogue;
use crate::net::endpoint::Endpoint;
use crate::protocol::wais::{
    WaisGoal, WaisHit, WaisMachine, WaisRequest, WaisRest, WaisSource, is_description, media_type,
};
use crate::protocol::{Metadata, Note, Resume, Shape, time};
use crate::resource::{Document, Entry, EntryKind, List, Menu, Resource};
use std::collections::VecDeque;
use urlwise::{Locator, Url};

/// The longest source description that is read to list its database, in octets.
const LONGEST_SOURCE: usize = 64 * 1024;

/// Opens wais URLs.
pub(crate) struct WaisOpener;

impl Opens for WaisOpener {
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        let (mut request, endpoint) = request(call)?;
        request.rest = call.options.resume.as_ref().and_then(rest);
        ask(call, request, endpoint).map(Outcome::Here)
    }

    fn list(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        let (mut request, endpoint) = request(call)?;
        let describes = match &request.goal {
            WaisGoal::Description => {
                request.goal = WaisGoal::Help;
                false
            }
            WaisGoal::Document { wtype, .. } => is_description(wtype),
            WaisGoal::Help | WaisGoal::Search(_) => false,
        };
        match ask(call, request, endpoint)? {
            Resource::Document(document) if describes => described(document, call).map(Outcome::Here),
            found => Ok(Outcome::Here(found)),
        }
    }

    fn plan(&self, call: &Call<'_>) -> Result<Outcome<Plan>, Error> {
        let (request, endpoint) = request(call)?;
        Plan::of_machine(WaisMachine::new(request, call.context.wais), &endpoint, call.options().steps)
            .map(Outcome::Here)
    }
}

/// The request of a URL, and where it goes.
fn request(call: &Call<'_>) -> Result<(WaisRequest, Endpoint), Error> {
    let Locator::Wais(wais) = call.url().locator() else { return Err(call.unfit()) };
    Ok((WaisRequest::from_url(wais), Endpoint::of(call.url())?))
}

/// Where to resume; `None` where nothing is known of how the document began.
fn rest(resume: &Resume) -> Option<WaisRest> {
    let beginning = resume.metadata.validator.as_ref()?.parse().ok()?;
    Some(WaisRest::new(resume.offset, beginning))
}

fn ask(call: &Call<'_>, request: WaisRequest, endpoint: Endpoint) -> Result<Resource, Error> {
    let context = call.context;
    let mut dialogue = call.dialogue_with(WaisMachine::new(request, context.wais), endpoint);
    let begin = dialogue.begun()?;
    match begin.shape {
        Shape::Menu => {
            let (base, lynx) = (call.url().to_owned(), context.wais_lynx_urls);
            let hits = HitEntries { dialogue, base, lynx, ready: VecDeque::new() };
            Ok(Resource::Menu(Menu::new(Box::new(hits), call.history())))
        }
        Shape::Document => {
            let (offset, beginning) = (dialogue.machine().offset(), dialogue.machine().beginning());
            let metadata = Metadata {
                size: begin.size.and_then(|size| size.checked_add(offset)),
                modified: None,
                validator: beginning.map(|beginning| beginning.to_string()),
                media_type: begin.media_type.clone(),
            };
            let document = Document::new(Box::new(dialogue), None, context.max_size, begin.media_type, call.history())?;
            document.with(metadata, offset).map(Resource::Document)
        }
    }
}

/// The database that a source description describes, as a menu of one entry.
fn described(mut document: Document, call: &Call<'_>) -> Result<Resource, Error> {
    let mut text = Vec::new();
    loop {
        let octets = document.fill()?;
        let count = octets.len();
        if count == 0 {
            break;
        }
        text.extend_from_slice(octets);
        document.consume_octets(count);
        if text.len() > LONGEST_SOURCE {
            let what = message!("the source description is longer than {count} octets", count = LONGEST_SOURCE);
            return Err(Error::new(ErrorKind::Limit, what).with_reference("S-49"));
        }
    }
    let source = WaisSource::read(&text).ok_or_else(|| {
        Error::new(ErrorKind::Protocol, words!("the document is not a description of a WAIS database"))
            .with_help(words!("get it instead, to read it"))
    })?;
    let url = source.url();
    let description = source.description.map(|text| text.trim_ascii().to_vec()).filter(|text| !text.is_empty());
    let entry = Entry { url, description, ..Entry::new(source.database, EntryKind::Search) };
    Ok(Resource::Menu(Menu::single(entry, call.history())))
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

/// A hit as entries, one for each type it can be had as. Its length and its lines are those of the first.
fn entries(hit: &WaisHit, base: &Url<String>, lynx: bool) -> Vec<Entry> {
    const UNTYPED: &[u8] = b"TEXT";
    let entry = |wtype: &[u8], is_first: bool| {
        let kind = if is_description(wtype) { EntryKind::Menu } else { EntryKind::Document };
        Entry {
            url: if lynx { hit.lynx_url(base, wtype).or_else(|| hit.url(base, wtype)) } else { hit.url(base, wtype) },
            size: hit.length.filter(|_| is_first).map(u64::from),
            lines: hit.lines.filter(|_| is_first).map(u64::from),
            score: hit.score,
            modified: modified(hit),
            media_type: media_type(wtype).map(str::to_owned),
            ..Entry::new(hit.headline.clone(), kind)
        }
    };
    match hit.types.as_slice() {
        [] => vec![entry(UNTYPED, true)],
        types => types.iter().enumerate().map(|(index, wtype)| entry(wtype, index == 0)).collect(),
    }
}

/// The beginning of the day that the hit is of.
fn modified(hit: &WaisHit) -> Option<std::time::SystemTime> {
    let (year, month, day) = hit.day()?;
    time::timestamp(format!("{year:04}{month:02}{day:02}000000").as_bytes())
}
