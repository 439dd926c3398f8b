//! Finds the links of the targets, and judges each URL as `check` does.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use memchr::memmem;
use urlwise::audit::Provenance;
use urlwise::find::Finder;
use urlwise::{Level, Reference, Scheme, Url, Verdict as Reading, diagnose};
use urlwise_links::Format;
use urlwise_open::ProbeBody;

use super::changed::Changed;
use super::exclude::Exclude;
use super::links::{Comments, Links, Origin, Place, Text, To, Wanted};
use super::prove::{self, Page};
use super::verdict::{Proof, Verdict};
use crate::check::rules::Place as Kind;
use crate::check::suppress::Suppressions;
use crate::check::{Checker, Findings, placeholder, texts};
use crate::document::{Documents, Link, Seen, url_of};
use crate::exit::Failure;
use crate::find::Schemes;
use crate::input::{self, Blocks, Record};
use crate::meant::Meant;
use crate::position::Position;
use crate::report::{Found, Tally, Where};
use crate::walk::{self, Places, Source, Walk, Walked};

/// How many links of a page are checked.
const MOST_LINKS: usize = 50_000;

/// A link before its URL has a number.
pub(super) struct Draft {
    place: Place,
    wanted: Option<Wanted>,
}

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
        let mut reader = self.reader();
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
        let mut reader = self.reader();
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

    fn reader(&self) -> Reader<'_> {
        Reader { checker: self.checker, schemes: self.schemes, exclude: self.exclude }
    }

    /// The links of a page that was opened.
    pub(super) fn page(&self, page: &Page, documents: &Documents) -> Vec<Draft> {
        match page {
            Page::Document(url, body) => self.document(url, body, documents),
            Page::Menu(url, entries) => {
                let mut reader = self.reader();
                let entries = entries.iter().take(MOST_LINKS).enumerate();
                let line = |(index, entry): (usize, &Url<String>)| {
                    let place = Some((None, index + 1));
                    reader.line(entry.as_str().as_bytes(), Provenance::Link, place, Some(url.clone()))
                };
                entries.map(line).collect()
            }
        }
    }

    fn document(&self, url: &Url<String>, body: &ProbeBody, documents: &Documents) -> Vec<Draft> {
        if prove::is_sitemap(body) {
            return self.sitemap(url, &body.octets);
        }
        let Some(format) = prove::format(body.media_type.as_deref()) else { return Vec::new() };
        let mut reader = self.reader();
        let finder = Finder::new().profile(self.checker.profile);
        let source = Source { path: None, format };
        let (mut places, mut drafts) = (Places::from(Position::START), Vec::new());
        // A page of the web does not say what is reported.
        let comments = Suppressions::default();
        documents.each_link_of_page(url, finder, format, &body.octets, |link| {
            let found = reader.link(&link, &source, &body.octets, &mut places, Some(url), &comments);
            drafts.extend(found);
            drafts.len() < MOST_LINKS
        });
        drafts
    }

    /// The URLs of a sitemap: the texts of its elements `loc`, with their references decoded.
    fn sitemap(&self, url: &Url<String>, text: &[u8]) -> Vec<Draft> {
        let mut reader = self.reader();
        let mut drafts = Vec::new();
        let mut at = Position::START;
        for start in memmem::find_iter(text, b"<loc>").take(MOST_LINKS).map(|start| start + b"<loc>".len()) {
            let length = memchr::memchr(b'<', &text[start..]).unwrap_or(text.len() - start);
            at = at.after(&text[at.offset..start]);
            let pieces = urlwise_links::pieces(Format::Html, &text[start..start + length]);
            let written = pieces.first().map(|piece| piece.text().trim_ascii().to_vec()).unwrap_or_default();
            let mut draft = reader.line(&written, Provenance::Link, Some((None, at.line)), Some(url.clone()));
            draft.place.start = at;
            draft.place.end = at.after(&text[start..start + length]);
            drafts.push(draft);
        }
        drafts
    }
}

/// Adds a text, if it has links.
pub(super) fn add(links: &mut Links, origin: Origin, drafts: Vec<Draft>, comments: Vec<Comments>) {
    let places: Vec<_> = drafts
        .into_iter()
        .map(|Draft { mut place, wanted }| {
            if let Some(wanted) = wanted {
                place.to = To::Target(links.add(wanted, place.fragment.as_deref()).0);
            }
            place
        })
        .collect();
    if !places.is_empty() || !comments.is_empty() {
        links.texts.push(Text { origin, places, comments });
    }
}

/// The URL of a file, which its links are judged by; for standard input the current folder.
fn place_of(path: Option<&Path>) -> Option<Url<String>> {
    let path = std::path::absolute(path.unwrap_or_else(|| Path::new("."))).ok()?;
    url_of(&path).ok()
}

/// Judges URLs.
struct Reader<'c> {
    checker: &'c Checker<'c>,
    schemes: &'c Schemes,
    exclude: &'c Exclude,
}

/// How a URL is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    /// Among words.
    Text,
    /// As a link, in a list or as an argument.
    Link,
    /// As a relative link.
    Relative,
}

/// What is known about a URL before it is opened.
enum Judged {
    Open(Url<String>),
    Known(Proof),
}

impl Reader<'_> {
    /// A URL that stands alone, with or without a fragment.
    fn line(
        &mut self,
        octets: &[u8],
        provenance: Provenance,
        line: Option<(Option<&Path>, usize)>,
        from: Option<Url<String>>,
    ) -> Draft {
        let text = String::from_utf8_lossy(octets);
        let reference = Reference::parse_with(&text, self.checker.profile).ok();
        let url = reference.as_ref().map_or(&*text, |reference| reference.url().as_str());
        let fragment = reference.as_ref().and_then(Reference::fragment).map(|fragment| fragment.as_str().to_owned());
        let findings = self.checker.found(url.as_bytes(), Kind::List, provenance, &|_| false, &mut Tally::default());
        let at = |offset: usize| {
            let position = Position::START.after(&url.as_bytes()[..offset]);
            Position { line: line.map_or(1, |(_, line)| line), ..position }
        };
        let mut reports = Vec::new();
        let place = |found: &Found| match line {
            None => Where::Argument,
            Some((path, line)) => Where::Line { path, line, start: at(found.span.start), end: at(found.span.end) },
        };
        self.checker.report(url.as_bytes(), &findings, place, &mut reports);
        let judged = self.judge(url, &text, Written::Link);
        let span = at(0)..at(url.len());
        let written = text.clone().into_owned();
        Item { written, url, fragment, span, findings, reports, judged, from, is_relative: false }.draft()
    }

    /// A link of a text; `None` if its scheme was not asked for.
    fn link(
        &mut self,
        link: &Link<'_>,
        source: &Source<'_>,
        block: &[u8],
        places: &mut Places,
        from: Option<&Url<String>>,
        comments: &Suppressions,
    ) -> Option<Draft> {
        let (text, span, known) = match link {
            Link::Url(seen) => {
                return self.schemes.contains(seen.hit).then(|| self.url(seen, source, block, places, from, comments));
            }
            Link::OtherScheme(piece) => (piece.text(), piece.span(), self.other_scheme(piece.text())),
            Link::Unresolved(piece) => (piece.text(), piece.span(), unresolved()),
        };
        let start = places.of(block, span.start);
        let place = Place {
            start,
            end: start.after(&block[span]),
            written: String::from_utf8_lossy(text).into_owned(),
            url: None,
            fragment: None,
            to: To::Known(Box::new(known)),
            findings: Vec::new(),
            reports: Vec::new(),
            comments: None,
        };
        Some(Draft { place, wanted: None })
    }

    /// A URL in a text.
    fn url(
        &mut self,
        seen: &Seen<'_>,
        source: &Source<'_>,
        block: &[u8],
        places: &mut Places,
        from: Option<&Url<String>>,
        comments: &Suppressions,
    ) -> Draft {
        let hit = seen.hit;
        let findings = self.checker.found_in(seen, comments, &mut Tally::default());
        let span = seen.span();
        let start = places.of(block, span.start);
        let end = start.after(&block[span]);
        let mut reports = Vec::new();
        let at = |found: &Found| texts::place(seen, found, source, block, places);
        self.checker.report(hit.reference().as_bytes(), &findings, at, &mut reports);
        let written = seen.target().unwrap_or_else(|| hit.reference().to_owned());
        let kind = match (seen.is_relative, seen.target()) {
            (true, _) => Written::Relative,
            (false, Some(_)) => Written::Link,
            (false, None) => Written::Text,
        };
        let judged = match seen.is_followed() {
            true => self.judge(hit.as_str(), &written, kind),
            false => Judged::Known(Proof::skipped("form", "forms are not sent, and bases are not links")),
        };
        let item = Item {
            written,
            url: hit.as_str(),
            fragment: hit.fragment().map(str::to_owned),
            span: start..end,
            findings,
            reports,
            judged,
            from: from.cloned(),
            is_relative: seen.is_relative,
        };
        item.draft()
    }

    /// Whether a URL is worth opening, and which one it is.
    fn judge(&self, text: &str, written: &str, kind: Written) -> Judged {
        let diagnosis = diagnose(text.as_bytes(), self.checker.profile);
        let url = diagnosis.url();
        let host = url.as_ref().and_then(Url::host);
        if self.exclude.contains(text, written, host.as_ref().map(|host| host.as_str())) {
            return Judged::Known(Proof::skipped("excluded", "it matches a pattern of links to exclude"));
        }
        if kind != Written::Relative && placeholder::login(&diagnosis).is_some() {
            return Judged::Known(Proof::skipped("placeholder", "the host stands for another one"));
        }
        if let Some(url) = url {
            return Judged::Open(url.to_owned());
        }
        match urlwise::verdict(text.as_bytes(), self.checker.profile) {
            Reading::Valid { url, .. } => Judged::Open(url.to_owned()),
            // What has one reading is opened as everybody reads it; that it is wrong is a finding.
            Reading::Repaired(repaired) => Judged::Open(repaired.url().to_owned()),
            Reading::Refused(_) => Judged::Known(invalid(text, kind, self.checker)),
        }
    }

    /// A link with a scheme that no URL is found by.
    fn other_scheme(&self, text: &[u8]) -> Proof {
        let meant = Meant::of(text, self.checker.profile, self.checker.context.show_secrets);
        match meant.question() {
            Some(question) => {
                Proof::of(Verdict::Dead, Some("mistyped-scheme"), format!("nothing opens this scheme; {question}"))
            }
            None => Proof::skipped("unsupported", "nothing here opens this scheme"),
        }
    }
}

/// A text that is not a URL.
fn invalid(text: &str, kind: Written, checker: &Checker<'_>) -> Proof {
    let meant = Meant::of(text.as_bytes(), checker.profile, checker.context.show_secrets);
    let diagnosis = diagnose(text.as_bytes(), checker.profile);
    let error = diagnosis.problems().iter().find(|problem| problem.level() == Level::Error);
    let problem = error.map(|error| error.message().to_string());
    let why = [problem, meant.question()].into_iter().flatten().collect::<Vec<_>>().join("; ");
    // Who reads a text need not follow what looks like a URL in it; that it is not one is a finding.
    let verdict = if kind == Written::Text { Verdict::Skipped } else { Verdict::Dead };
    Proof::of(verdict, Some("invalid-url"), why)
}

/// A URL with all that is known before it is opened.
struct Item<'i> {
    written: String,
    url: &'i str,
    fragment: Option<String>,
    span: Range<Position>,
    findings: Findings<'i>,
    reports: Vec<u8>,
    judged: Judged,
    from: Option<Url<String>>,
    is_relative: bool,
}

impl Item<'_> {
    fn draft(self) -> Draft {
        let (to, wanted) = match self.judged {
            Judged::Known(proof) => (proof, None),
            Judged::Open(url) => {
                // What a relative link of a file names is on this machine, next to it. A page of the web could name any
                // folder of this machine as its base.
                let is_beside = self.from.as_ref().is_some_and(|from| from.scheme() == Scheme::File);
                let is_file = self.is_relative && is_beside && url.scheme() == Scheme::File;
                let path = || url.to_file_path().unwrap_or_else(|_| PathBuf::from(url.schemepart()));
                let file = is_file.then(path);
                (Proof::alive(), Some(Wanted { url, from: self.from, file }))
            }
        };
        let place = Place {
            start: self.span.start,
            end: self.span.end,
            written: self.written,
            url: Some(self.url.to_owned()),
            fragment: self.fragment,
            to: To::Known(Box::new(to)),
            findings: self.findings.found,
            reports: self.reports,
            comments: None,
        };
        Draft { place, wanted }
    }
}

/// One thread.
struct Visitor<'c> {
    reader: Reader<'c>,
    walk: &'c Walk,
    drafts: Vec<Draft>,
    comments: Vec<Comments>,
    /// The URL of the text.
    from: Option<Url<String>>,
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

fn unresolved() -> Proof {
    Proof::skipped("no-base", "it is not known what the link is relative to: use `--root-dir` or `--base-url`")
}
