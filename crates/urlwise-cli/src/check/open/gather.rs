//! Finds the links of the targets, and judges each URL as `check` does.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex};

use memchr::memmem;
use urlwise::Url;
use urlwise::find::Finder;
use urlwise_formats::comments::Suppressions;
use urlwise_formats::diff::AddedLines;
use urlwise_open::ProbeBody;

use super::content::Content;
use super::exclude::Exclude;
use super::links::{Comments, Links, Origin, Place, To};
use super::prove::{self, Page, Rules, SitemapKind};
use super::read::{Alone, Draft, Reader};
use super::verdict::Proof;
use crate::check::Checker;
use crate::console;
use crate::document::{Documents, Link, url_of};
use crate::exit::Failure;
use crate::find::Schemes;
use crate::input::{self, Blocks, Record};
use crate::language::said;
use crate::lock::locked;
use crate::page_text;
use crate::pages::{self, MOST_LINKS};
use crate::position::Position;
use crate::robots::Sitemap;
use crate::rules;
use crate::walk::{self, Out, Places, Source, Walk, Walked};

/// So many links of a file are added together.
const BATCH: usize = 64;

/// Reads URLs into links.
pub(super) struct Gatherer<'c> {
    pub(super) checker: &'c Checker<'c>,
    pub(super) schemes: &'c Schemes,
    pub(super) exclude: &'c Exclude,
    /// `None`: all lines are read.
    pub(super) changed: Option<&'c AddedLines>,
}

impl Gatherer<'_> {
    /// Adds the links of all files of a walk, ordered by path.
    pub(super) fn walk(&self, walk: &Walk, links: &mut Links) -> Result<Walked, Failure> {
        let (text, first) = (links.texts.len(), links.targets.len());
        let shared = Mutex::new(&mut *links);
        let visitor = || Visitor {
            reader: self.reader(),
            walk,
            drafts: Vec::new(),
            places: Vec::new(),
            comments: Vec::new(),
            changed: self.changed,
            links: &shared,
        };
        let walked = walk::walk(walk, visitor, &mut std::io::sink())?;
        links.order(text, first, |origin| match origin {
            Origin::File(path) => place_of(path.as_deref()),
            Origin::Arguments | Origin::Page(_) => None,
        });
        Ok(walked)
    }

    /// Adds the URLs of a list, one per line. Returns whether all lines could be read.
    pub(super) fn list(&self, path: &Path, null: bool, links: &mut Links) -> Result<bool, Failure> {
        let file = (path != Path::new("-")).then(|| path.to_owned());
        let from = place_of(file.as_deref());
        let reader = self.reader();
        let (mut places, mut parts) = (Vec::new(), Vec::new());
        let mut are_read = true;
        input::each_of(Blocks::of_file(path, null), |Record { octets, place, too_long }| {
            if let Some(long) = too_long {
                are_read = false;
                console::message(&long.message());
                return Ok(());
            }
            let start = place.map_or(Position::START, |place| place.start());
            let draft = reader.line(octets, Alone::Line(file.as_deref(), start));
            places.push(links.add(draft, from.as_ref()));
            if places.len() >= BATCH {
                parts.push(places.drain(..).collect());
            }
            Ok(())
        })?;
        parts.push(places.into());
        links.add_text(Origin::File(file), false, parts, Vec::new());
        Ok(are_read)
    }

    /// Adds the URLs of the command line: pages whose links are checked.
    pub(super) fn arguments(&self, urls: &[&std::ffi::OsStr], depth: u32, links: &mut Links) {
        let reader = self.reader();
        let add = |url: &&std::ffi::OsStr| {
            let place = links.add(reader.line(url.as_encoded_bytes(), Alone::Argument), None);
            if let To::Target(number, _) = place.to {
                links.targets[number].follow = Some(depth);
            }
            place
        };
        let places: Box<[Place]> = urls.iter().map(add).collect();
        links.add_text(Origin::Arguments, false, vec![places], Vec::new());
    }

    pub(super) fn reader(&self) -> Reader<'_> {
        Reader { checker: self.checker, schemes: self.schemes, exclude: self.exclude }
    }

    /// The links of a page that was opened.
    pub(super) fn page(&self, page: &Page, documents: &Documents) -> Vec<Draft> {
        match page {
            Page::Document(url, body) => self.document(url, body, documents),
            Page::Menu(url, entries) => {
                let (reader, page) = (self.reader(), url.masked().to_string());
                let entries = entries.iter().take(MOST_LINKS).enumerate();
                let line = |(index, entry): (usize, &Url<String>)| {
                    let start = Position { line: index + 1, ..Position::START };
                    reader.line(entry.as_str().as_bytes(), Alone::Page(&page, start))
                };
                entries.map(line).collect()
            }
        }
    }

    fn document(&self, url: &Url<String>, body: &ProbeBody, documents: &Documents) -> Vec<Draft> {
        let page = url.masked().to_string();
        if let Some(kind) = prove::sitemap(&body.octets, body.media_type.as_deref()) {
            return self.sitemap(&page, &body.octets, kind);
        }
        let Some(format) = body.media_type.as_deref().and_then(pages::format) else { return Vec::new() };
        // Positions are those of what is read.
        let text = match page_text::text(format, &body.octets, body.media_type.as_deref()) {
            Some(Cow::Owned(text)) => Cow::Owned(text),
            Some(Cow::Borrowed(_)) | None => Cow::Borrowed(&body.octets[..]),
        };
        let reader = self.reader();
        let finder = Finder::new().profile(self.checker.profile);
        let source = Source { path: None, format, is_decoded: false };
        let (mut places, mut drafts) = (Places::from(Position::START), Vec::new());
        // A page of the web does not say what is reported.
        let comments = Arc::default();
        documents.each_link_of_page(url, finder, format, &text, |link| {
            let mut found = reader.link(&link, &source, &text, &mut places, Some(&page), &comments);
            if let (Cow::Owned(_), Link::Url(seen), Some(draft)) = (&text, &link, &mut found)
                && page_text::has_foreign_search(seen.target().unwrap_or_default().as_bytes())
            {
                let why = said!("its search is in the charset of the page");
                draft.place.to = To::Known(Box::new(Proof::skipped("invalid-url", why)));
            }
            drafts.extend(found);
            drafts.len() < MOST_LINKS
        });
        drafts
    }

    /// The URLs of a sitemap: the texts of its elements `loc`, with their references decoded.
    fn sitemap(&self, page: &str, text: &[u8], kind: SitemapKind) -> Vec<Draft> {
        let reader = self.reader();
        let mut drafts = Vec::new();
        let mut at = Position::START;
        const TAG: &[u8] = b"<loc>";
        let mut tags = memmem::find_iter(text, TAG).take(MOST_LINKS).peekable();
        while let Some(tag) = tags.next() {
            let start = tag + TAG.len();
            // What does not end before the next element is no URL, and is not to be read again for each that follows.
            let content = Content::of(&text[start..tags.peek().map_or(text.len(), |next| *next)]);
            at = at.after(&text[at.offset..start]);
            let draft = reader.line(content.text(), Alone::Element(page, at, &content));
            drafts.push(match kind {
                SitemapKind::Pages => draft,
                SitemapKind::Sitemaps => draft.of_sitemap(),
            });
        }
        drafts
    }

    /// The sitemaps that robots.txt of a server names.
    pub(super) fn sitemaps(&self, rules: &Rules) -> Vec<Draft> {
        let (reader, page) = (self.reader(), rules.url.masked().to_string());
        let sitemaps = rules.robots.sitemaps().iter();
        let line = |one: &Sitemap| {
            let start = Position { line: one.line, ..Position::START };
            reader.line(&one.url, Alone::Page(&page, start)).of_sitemap()
        };
        sitemaps.map(line).collect()
    }
}

/// The URL of a file, which its links are judged by; for standard input the current folder.
fn place_of(path: Option<&Path>) -> Option<Arc<Url<String>>> {
    let path = std::path::absolute(path.unwrap_or_else(|| Path::new("."))).ok()?;
    url_of(&path).ok().map(Arc::new)
}

/// One thread.
struct Visitor<'c, 'l> {
    reader: Reader<'c>,
    walk: &'c Walk,
    /// Links of the text that are not among the targets yet, and the others.
    drafts: Vec<Draft>,
    places: Vec<Box<[Place]>>,
    comments: Vec<Comments>,
    changed: Option<&'c AddedLines>,
    links: &'c Mutex<&'l mut Links>,
}

impl Visitor<'_, '_> {
    /// Adds the links to the targets.
    fn add(&mut self) {
        if self.drafts.is_empty() {
            return;
        }
        let mut links = locked(self.links);
        self.places.push(self.drafts.drain(..).map(|draft| links.add(draft, None)).collect());
    }
}

impl walk::Look for Visitor<'_, '_> {
    fn begin(&mut self, _: &Source<'_>) {}

    fn block(&mut self, source: &Source<'_>, start: Position, block: &[u8], _: &mut Out<'_>) -> bool {
        let (reader, walk, changed) = (self.reader, self.walk, self.changed);
        let mut places = Places::from(start);
        let finder = Finder::new().profile(reader.checker.profile);
        let comments = Arc::new(Suppressions::of(block, rules::id));
        let more = walk.each_link(finder, source, block, |link| {
            let draft = reader.link(&link, source, block, &mut places, None, &comments);
            let is_new = |draft: &Draft| {
                changed.is_none_or(|changed| {
                    source.path.is_some_and(|path| changed.contains(path, draft.place.start.line))
                })
            };
            self.drafts.extend(draft.filter(is_new));
            if self.drafts.len() >= BATCH {
                self.add();
            }
            true
        });
        if !comments.is_empty() {
            let position = |at: usize| Places::from(start).of(block, at);
            let place = |span: Range<usize>| (block[span.clone()].to_vec(), position(span.start), position(span.end));
            self.comments.push(Comments {
                spans: comments.spans().map(|span| (span.start, place(span))).collect(),
                all: comments,
            });
        }
        more
    }

    fn end(&mut self, source: &Source<'_>, _: &mut Vec<u8>) {
        self.add();
        let places = std::mem::take(&mut self.places);
        let comments = std::mem::take(&mut self.comments);
        let origin = Origin::File(source.path.map(Path::to_owned));
        locked(self.links).add_text(origin, source.is_decoded, places, comments);
    }
}
