//! Finds the links of the targets, and judges each URL as `check` does.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use memchr::memmem;
use urlwise::Url;
use urlwise::audit::Provenance;
use urlwise::find::Finder;
use urlwise_links::Format;
use urlwise_open::ProbeBody;

use super::changed::Changed;
use super::exclude::Exclude;
use super::links::{Comments, Links, Origin, Text, To};
use super::prove::{self, Page, Rules, SitemapKind};
use super::read::{Draft, Reader};
use crate::check::Checker;
use crate::check::suppress::Suppressions;
use crate::document::{Documents, url_of};
use crate::exit::Failure;
use crate::find::Schemes;
use crate::input::{self, Blocks, Record};
use crate::position::Position;
use crate::robots::Sitemap;
use crate::walk::{self, Places, Source, Walk, Walked};

/// How many links of a page are checked.
const MOST_LINKS: usize = 50_000;

/// What threads have found.
type Gathered = Vec<(Origin, Vec<Draft>, Vec<Comments>)>;

/// Reads URLs into links.
pub(super) struct Gatherer<'c> {
    pub(super) checker: &'c Checker<'c>,
    pub(super) schemes: &'c Schemes,
    pub(super) exclude: &'c Exclude,
    /// `None`: all lines are read.
    pub(super) changed: Option<&'c Changed>,
}

impl Gatherer<'_> {
    /// Adds the links of all files of a walk, ordered by path.
    pub(super) fn walk(&self, walk: &Walk, links: &mut Links) -> Result<Walked, Failure> {
        let gathered = Mutex::new(Gathered::default());
        let visitor = || Visitor {
            reader: self.reader(),
            walk,
            drafts: Vec::new(),
            comments: Vec::new(),
            from: None,
            changed: self.changed,
            gathered: &gathered,
        };
        let walked = walk::walk(walk, visitor, &mut std::io::sink())?;
        let mut gathered = gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
        gathered.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        for (origin, drafts, comments) in gathered {
            add(links, origin, drafts, comments);
        }
        Ok(walked)
    }

    /// Adds the URLs of a list, one per line.
    pub(super) fn list(&self, path: &Path, null: bool, links: &mut Links) -> Result<(), Failure> {
        let file = (path != Path::new("-")).then(|| path.to_owned());
        let from = place_of(file.as_deref());
        let reader = self.reader();
        let mut drafts = Vec::new();
        input::each_of(Blocks::of_file(path, null), |Record { octets, place }| {
            let line = place.map_or(0, |place| place.number);
            drafts.push(reader.line(octets, Provenance::Text, Some((file.as_deref(), line)), from.clone()));
            Ok(())
        })?;
        add(links, Origin::File(file), drafts, Vec::new());
        Ok(())
    }

    /// Adds the URLs of the command line: pages whose links are checked.
    pub(super) fn arguments(&self, urls: &[&std::ffi::OsStr], depth: u32, links: &mut Links) {
        let reader = self.reader();
        let drafts =
            urls.iter().map(|url| reader.line(url.as_encoded_bytes(), Provenance::Given, None, None)).collect();
        let first = links.texts.len();
        add(links, Origin::Arguments, drafts, Vec::new());
        for place in links.texts.get(first).map(|text| text.places.as_slice()).unwrap_or_default() {
            if let To::Target(number) = place.to {
                links.targets[number].follow = Some(depth);
            }
        }
    }

    pub(super) fn reader(&self) -> Reader<'_> {
        Reader { checker: self.checker, schemes: self.schemes, exclude: self.exclude }
    }

    /// The links of a page that was opened.
    pub(super) fn page(&self, page: &Page, documents: &Documents) -> Vec<Draft> {
        match page {
            Page::Document(url, body) => self.document(url, body, documents),
            Page::Menu(url, entries) => {
                let (reader, from) = (self.reader(), Arc::new(url.clone()));
                let entries = entries.iter().take(MOST_LINKS).enumerate();
                let line = |(index, entry): (usize, &Url<String>)| {
                    let place = Some((None, index + 1));
                    reader.line(entry.as_str().as_bytes(), Provenance::Link, place, Some(Arc::clone(&from)))
                };
                entries.map(line).collect()
            }
        }
    }

    fn document(&self, url: &Url<String>, body: &ProbeBody, documents: &Documents) -> Vec<Draft> {
        if let Some(kind) = prove::sitemap(&body.octets, body.media_type.as_deref()) {
            return self.sitemap(url, &body.octets, kind);
        }
        let Some(format) = prove::format(body.media_type.as_deref()) else { return Vec::new() };
        let (reader, from) = (self.reader(), Arc::new(url.clone()));
        let finder = Finder::new().profile(self.checker.profile);
        let source = Source { path: None, format };
        let (mut places, mut drafts) = (Places::from(Position::START), Vec::new());
        // A page of the web does not say what is reported.
        let comments = Suppressions::default();
        documents.each_link_of_page(url, finder, format, &body.octets, |link| {
            let found = reader.link(&link, &source, &body.octets, &mut places, Some(&from), &comments);
            drafts.extend(found);
            drafts.len() < MOST_LINKS
        });
        drafts
    }

    /// The URLs of a sitemap: the texts of its elements `loc`, with their references decoded.
    fn sitemap(&self, url: &Url<String>, text: &[u8], kind: SitemapKind) -> Vec<Draft> {
        let (reader, from) = (self.reader(), Arc::new(url.clone()));
        let mut drafts = Vec::new();
        let mut at = Position::START;
        for start in memmem::find_iter(text, b"<loc>").take(MOST_LINKS).map(|start| start + b"<loc>".len()) {
            let (length, written) = content(&text[start..]);
            at = at.after(&text[at.offset..start]);
            let mut draft = reader.line(&written, Provenance::Link, Some((None, at.line)), Some(Arc::clone(&from)));
            draft.place.start = at;
            draft.place.end = at.after(&text[start..start + length]);
            drafts.push(match kind {
                SitemapKind::Pages => draft,
                SitemapKind::Sitemaps => draft.of_sitemap(),
            });
        }
        drafts
    }

    /// The sitemaps that robots.txt of a server names.
    pub(super) fn sitemaps(&self, rules: &Rules) -> Vec<Draft> {
        let (reader, from) = (self.reader(), Arc::new(rules.url.clone()));
        let sitemaps = rules.robots.sitemaps().iter();
        let line = |one: &Sitemap| {
            let place = Some((None, one.line));
            reader.line(&one.url, Provenance::Link, place, Some(Arc::clone(&from))).of_sitemap()
        };
        sitemaps.map(line).collect()
    }
}

/// The text of an element of XML at the start, up to the next tag: how long it is, and what it stands for.
fn content(text: &[u8]) -> (usize, Vec<u8>) {
    if let Some(verbatim) = text.trim_ascii_start().strip_prefix(b"<![CDATA[") {
        let before = text.len() - verbatim.len();
        let length = memmem::find(verbatim, b"]]>").unwrap_or(verbatim.len());
        return (before + length, verbatim[..length].trim_ascii().to_vec());
    }
    let length = memchr::memchr(b'<', text).unwrap_or(text.len());
    let pieces = urlwise_links::pieces(Format::Html, &text[..length]);
    (length, pieces.first().map(|piece| piece.text().trim_ascii().to_vec()).unwrap_or_default())
}

/// Adds a text, if it has links.
pub(super) fn add(links: &mut Links, origin: Origin, drafts: Vec<Draft>, comments: Vec<Comments>) {
    let places: Vec<_> = drafts
        .into_iter()
        .map(|Draft { mut place, wanted, is_sitemap }| {
            if let Some(wanted) = wanted {
                let number = links.add(wanted, place.fragment.as_deref());
                links.targets[number].is_sitemap |= is_sitemap;
                place.to = To::Target(number);
            }
            place
        })
        .collect();
    if !places.is_empty() || !comments.is_empty() {
        links.texts.push(Text { origin, places, comments });
    }
}

/// The URL of a file, which its links are judged by; for standard input the current folder.
fn place_of(path: Option<&Path>) -> Option<Arc<Url<String>>> {
    let path = std::path::absolute(path.unwrap_or_else(|| Path::new("."))).ok()?;
    url_of(&path).ok().map(Arc::new)
}

/// One thread.
struct Visitor<'c> {
    reader: Reader<'c>,
    walk: &'c Walk,
    drafts: Vec<Draft>,
    comments: Vec<Comments>,
    /// The URL of the text.
    from: Option<Arc<Url<String>>>,
    changed: Option<&'c Changed>,
    gathered: &'c Mutex<Gathered>,
}

impl walk::Look for Visitor<'_> {
    fn begin(&mut self, source: &Source<'_>) {
        self.from = place_of(source.path);
    }

    fn block(&mut self, source: &Source<'_>, start: Position, block: &[u8], _: &mut Vec<u8>) -> bool {
        let Visitor { reader, walk, drafts, from, comments: texts, .. } = self;
        let mut places = Places::from(start);
        let finder = Finder::new().profile(reader.checker.profile);
        let (comments, offset) = (Arc::new(Suppressions::of(block)), start.offset);
        let first = drafts.len();
        let more = walk.each_link(finder, source, block, |link| {
            drafts.extend(reader.link(&link, source, block, &mut places, from.as_ref(), &comments));
            true
        });
        if !comments.is_empty() {
            for draft in &mut drafts[first..] {
                let at = draft.place.start.offset - offset;
                draft.place.comments = Some((Arc::clone(&comments), at));
            }
            let position = |at: usize| Places::from(start).of(block, at);
            let place = |span: Range<usize>| (block[span.clone()].to_vec(), position(span.start), position(span.end));
            texts.push(Comments {
                spans: comments.spans().map(|span| (span.start, place(span))).collect(),
                all: comments,
            });
        }
        more
    }

    fn end(&mut self, source: &Source<'_>, _: &mut Vec<u8>) {
        let mut drafts = std::mem::take(&mut self.drafts);
        if let Some(changed) = self.changed {
            drafts.retain(|draft| source.path.is_some_and(|path| changed.contains(path, draft.place.start.line)));
        }
        let comments = std::mem::take(&mut self.comments);
        if !drafts.is_empty() || !comments.is_empty() {
            let origin = Origin::File(source.path.map(Path::to_owned));
            self.gathered.lock().unwrap_or_else(PoisonError::into_inner).push((origin, drafts, comments));
        }
    }
}
