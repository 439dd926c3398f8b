//! `get --recursive`: saves what a URL names and what it leads to, in a [tree] of folders (S-57).
//!
//! URLs wait in a queue, those near the first before those further away. A menu gives its entries, a page of HTML its links; each is
//! followed once, if it is in the [scope], not [excluded](filter), and if [robots.txt](crate::robots) does not object. Every one is
//! opened by the client, as a link, and saved by the same [job] as other documents.

mod filter;
mod page;
mod scope;
mod seen;
mod tree;

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use urlwise::{Message, Scheme, Url};
use urlwise_links::{Format, Role, each_piece};
use urlwise_open::{Document, EntryKind, Error, ErrorKind, OpenOptions, Realm, Resource};

use super::Run;
use super::attempt::AttemptError;
use super::job::{self, Job};
use super::report::Report;
use crate::access;
use crate::console::shown;
use crate::document::LONGEST_BASE;
use crate::exit::{Failure, Status, os_message};
use crate::input::{self, Record};
use crate::language::{counted, language, message, said, spoken, words};
use crate::page_text;
use crate::pages::{LONGEST_PAGE, MOST_LINKS, is_followed, names_menu};
use crate::robots::{self, Robots};
use filter::Filter;
use page::{beginning, is_html, page, resolved};
pub(super) use scope::Scope;
use seen::{ELSEWHERE, Met, Seen};
use tree::Tree;

/// The most octets of URLs that wait.
const MOST_WAITING: usize = 64 << 20;

/// A URL that waits.
struct Visit {
    url: Url<String>,
    /// What links to it; `None` for a URL that was given.
    from: Option<Arc<Url<String>>>,
    /// How many links lead to it.
    depth: u32,
    kind: EntryKind,
    /// It was saved when it was further away, and now its links may be near enough.
    is_saved: bool,
}

/// What one document of a tree may be, and where it goes.
pub(super) struct Errand<'e> {
    /// What links to it.
    pub(super) from: Option<&'e Url<String>>,
    /// Where redirects may lead; `None` for a URL that was given.
    pub(super) scope: Option<&'e Scope>,
    /// How many octets may arrive.
    pub(super) most: u64,
    /// When time is up.
    pub(super) until: Option<Instant>,
}

/// A document that was saved.
pub(super) struct Found {
    pub(super) url: Url<String>,
    pub(super) media_type: Option<String>,
    /// The server compressed it although that was not asked for.
    pub(super) is_coded: bool,
}

impl Found {
    /// A document of which something was read.
    pub(super) fn of(document: &Document) -> Found {
        Found {
            url: document.final_url().clone(),
            media_type: document.media_type().map(str::to_owned),
            is_coded: document.notes().iter().any(|note| note.code == "content-encoding"),
        }
    }
}

/// The walk of a run.
struct Walk<'w, 'r> {
    run: &'w Run<'r>,
    filter: Filter,
    scope: Scope,
    tree: Tree,
    robots: HashMap<Realm, Robots>,
    waiting: VecDeque<Visit>,
    /// The octets of the URLs that wait.
    waiting_octets: usize,
    seen: Seen,
    started: Instant,
    /// When a server was last asked.
    last: Option<Instant>,
    visits: usize,
    saved: u64,
    /// How many of them were complete before.
    kept: u64,
    octets: u64,
    /// Links that were not followed, to servers that `--host` could name and because of robots.txt.
    elsewhere: u64,
    disallowed: u64,
    /// The limit that ended the walk, or cut it.
    limit: Option<Message>,
}

/// Saves the trees of all URLs of the input. Returns how many there were.
pub(super) fn run(run: &Run<'_>) -> Result<usize, Failure> {
    let options = &run.get.recursion;
    let root = run.get.output_dir.clone().unwrap_or_else(|| ".".into());
    let mut walk = Walk {
        run,
        filter: Filter::new(&options.include, &options.exclude)?,
        scope: Scope::new(&options.hosts),
        tree: Tree::new(root),
        robots: HashMap::new(),
        waiting: VecDeque::new(),
        waiting_octets: 0,
        seen: Seen::default(),
        started: Instant::now(),
        last: None,
        visits: 0,
        saved: 0,
        kept: 0,
        octets: 0,
        elsewhere: 0,
        disallowed: 0,
        limit: None,
    };
    let read = input::for_each(&run.get.inputs, Some("get"), |record| walk.start(&record));
    walk.conclude();
    read
}

impl Walk<'_, '_> {
    /// Saves the tree of one URL.
    fn start(&mut self, record: &Record<'_>) -> Result<(), Failure> {
        let run = self.run;
        let mut report = Report::new(record, run.context.show_secrets);
        let url = match access::url(record, run.profile, &run.console) {
            Ok(url) if scope::SCHEMES.contains(&url.scheme().base()) => url,
            Ok(_) => {
                let what = said!("--recursive follows http, ftp, gopher, file and prospero URLs only");
                return self.fail(report, AttemptError::Local(Status::Failed(ErrorKind::NoAccess), what));
            }
            // There is no text to say it of again.
            Err(status) if record.too_long.is_some() => {
                report.error = Some(record.no_url());
                return self.ended(report, Ok(status));
            }
            Err(status) => return self.fail(report, AttemptError::Local(status, record.no_url())),
        };
        self.scope.add(&url);
        if let Some(is_saved) = self.meet(&url, 0) {
            self.wait(Visit { url: url.to_owned(), from: None, depth: 0, kind: EntryKind::Unknown, is_saved });
        }
        while let Some(visit) = self.waiting.pop_front() {
            self.waiting_octets -= visit.url.as_str().len();
            if run.has_ended() {
                return Err(Failure::Enough);
            }
            if self.is_over() {
                break;
            }
            self.visits += 1;
            self.visit(&visit)?;
        }
        self.waiting.clear();
        self.waiting_octets = 0;
        Ok(())
    }

    /// Says what was done, and what was left out.
    fn conclude(&self) {
        let run = self.run;
        let (octets, new) = (self.octets, self.saved - self.kept);
        if new > 0 || self.kept == 0 {
            run.console.remark(&match new {
                1 => said!("{count} document saved, {octets} octets received", count = 1_u8, octets = octets),
                count => said!("{count} documents saved, {octets} octets received", count = count, octets = octets),
            });
        }
        if self.kept > 0 {
            run.console.remark(&spoken(counted!(
                "{count} document was already complete",
                "{count} documents were already complete",
                self.kept
            )));
        }
        if self.elsewhere > 0 {
            run.console.remark(&spoken(counted!(
                "{count} link to another server was not followed (see `--host`)",
                "{count} links to other servers were not followed (see `--host`)",
                self.elsewhere
            )));
        }
        if self.disallowed > 0 {
            run.console.remark(&spoken(counted!(
                "{count} link was not followed because of `robots.txt` (see `--ignore-robots`)",
                "{count} links were not followed because of `robots.txt` (see `--ignore-robots`)",
                self.disallowed
            )));
        }
        if run.cancel.is_requested() {
            let why = words!("it was interrupted; run the command again with `--continue` to go on");
            run.console.message(&said!("not everything was saved: {why}", why = why));
        } else if let Some(limit) = self.limit.clone() {
            run.console.message(&said!("not everything was saved: {why}", why = limit));
            run.end(usize::MAX, Ok(Status::Failed(ErrorKind::Limit)));
        }
    }

    /// Whether a limit of the run has been reached.
    fn is_over(&mut self) -> bool {
        let options = &self.run.get.recursion;
        let over = if self.saved >= options.max_files {
            "--max-files"
        } else if self.octets >= options.max_total {
            "--max-total"
        } else if self.started.elapsed() >= options.max_run {
            "--max-run"
        } else {
            return false;
        };
        self.end_at(message!("the limit of {bound} is reached", bound = over));
        true
    }

    /// When the time of the run is up.
    fn until(&self) -> Option<Instant> {
        self.started.checked_add(self.run.get.recursion.max_run)
    }

    /// Remembers the first limit that left something out.
    fn end_at(&mut self, limit: impl Into<Message>) {
        self.limit.get_or_insert_with(|| limit.into());
    }

    fn visit(&mut self, visit: &Visit) -> Result<(), Failure> {
        let url = visit.url.borrow();
        if visit.depth > 0 && !self.is_allowed(visit)? {
            // There may have been no time to ask.
            self.disallowed += u64::from(!self.is_over());
            return Ok(());
        }
        if visit.kind == EntryKind::Menu || visit.kind == EntryKind::Unknown && names_menu(&url) {
            return self.list(visit);
        }
        if !visit.is_saved && self.filter.includes(&url) {
            return self.save(visit);
        }
        // Only pages of http are read for their links though they are not saved: elsewhere menus have the links.
        if (visit.is_saved || url.scheme().base() == Scheme::Http) && visit.depth < self.run.get.recursion.depth {
            return self.look(visit);
        }
        Ok(())
    }

    /// Saves a document, and queues its links.
    fn save(&mut self, visit: &Visit) -> Result<(), Failure> {
        let (run, url) = (self.run, visit.url.borrow());
        let mut report = self.report(&url);
        let place = match self.tree.place(&url) {
            Ok(place) => place,
            Err(refusal) => return self.fail(report, refusal.into()),
        };
        if !self.pause(&url)? {
            return Ok(());
        }
        run.progress.expect();
        let errand = Errand {
            from: visit.from.as_deref(),
            scope: (visit.depth > 0).then_some(&self.scope),
            most: run.get.recursion.max_total.saturating_sub(self.octets),
            until: self.until(),
        };
        let mut job = Job::of_tree(run, &url, &mut report, &errand);
        let end = job.save_at(place.clone());
        let (found, is_kept) = (job.found.take(), job.is_kept);
        self.octets += report.bytes;
        if visit.kind == EntryKind::Unknown && url.scheme().base() != Scheme::Http && end.as_ref().is_err_and(is_menu) {
            run.progress.done(false);
            self.tree.free(&place);
            return self.list(visit);
        }
        let status = job::finish(run, report, end)?;
        run.end(self.visits, Ok(status));
        if status != Status::Ok {
            return Ok(());
        }
        self.saved += 1;
        self.kept += u64::from(is_kept);
        self.seen.save(&url);
        let found = found.unwrap_or_else(|| Found { url: visit.url.clone(), media_type: None, is_coded: false });
        if visit.depth == 0 {
            // Where the URL that was given redirects, its links are at home.
            self.scope.add(&found.url.borrow());
        }
        let is_at_home = self.scope.admits(&found.url.borrow());
        if is_at_home && visit.depth < run.get.recursion.depth && is_html(found.media_type.as_deref(), &place) {
            match page(&place) {
                Ok(octets) => self.follow(octets, found, visit.depth + 1),
                Err(error) => {
                    let name = shown(&place);
                    run.console.message(&said!(
                        "cannot read the links of {name}: {why}",
                        name = name,
                        why = os_message(&error)
                    ));
                }
            }
        }
        Ok(())
    }

    /// Reads a page for its links alone.
    fn look(&mut self, visit: &Visit) -> Result<(), Failure> {
        let report = self.report(&visit.url.borrow());
        if !self.pause(&visit.url.borrow())? {
            return Ok(());
        }
        let read = self.open(visit).and_then(|resource| {
            let Resource::Document(mut document) = resource else { return Ok(None) };
            let admitted = visit.depth == 0 || self.scope.admits(&document.final_url().borrow());
            if !admitted || !is_html(document.media_type(), Path::new("")) {
                return Ok(None);
            }
            let octets = beginning(&mut document, LONGEST_PAGE as u64)?;
            Ok(Some((octets, Found::of(&document))))
        });
        match read {
            Ok(Some((octets, found))) => {
                self.octets += octets.len() as u64;
                if visit.depth == 0 {
                    self.scope.add(&found.url.borrow());
                }
                self.follow(octets, found, visit.depth + 1);
                Ok(())
            }
            Ok(None) => Ok(()),
            Err(error) => self.fail(report, error.into()),
        }
    }

    /// Queues the entries of a menu.
    fn list(&mut self, visit: &Visit) -> Result<(), Failure> {
        let (run, url) = (self.run, visit.url.borrow());
        let report = self.report(&url);
        if !self.pause(&url)? {
            return Ok(());
        }
        let mut menu = match run.client.list_with(&url, &self.call(visit)) {
            Ok(menu) => menu,
            Err(error) => return self.fail(report, error.into()),
        };
        let from = Arc::new(menu.final_url().clone());
        if visit.depth == 0 {
            self.scope.add(&from.borrow());
        } else if !self.scope.admits(&from.borrow()) {
            self.elsewhere += 1;
            return Ok(());
        }
        let mut failure = None;
        for entry in menu.by_ref() {
            match entry {
                Ok(entry) => {
                    if let (Some(url), true) = (entry.url, is_followed(entry.kind)) {
                        self.find(url, &from, visit.depth + 1, entry.kind);
                    }
                }
                Err(error) => failure = Some(error),
            }
            if run.has_ended() {
                return Err(Failure::Enough);
            }
        }
        access::notes(menu.notes(), &run.console);
        match failure {
            Some(error) => self.fail(report, error.into()),
            None => Ok(()),
        }
    }

    /// Queues the links of a page.
    fn follow(&mut self, mut page: Vec<u8>, found: Found, depth: u32) {
        let Found { url: at, media_type, is_coded } = found;
        let is_read = !is_coded || page.is_empty() || page_text::is_packed(&page);
        // What comes before a mistake counts.
        page_text::unpack(&mut page, LONGEST_PAGE);
        if !is_read || page_text::is_packed(&page) {
            return self.end_at(words!("a page is compressed in a way that was not asked for"));
        }
        let page = page_text::text(Format::Html, &page, media_type.as_deref()).unwrap_or(Cow::Borrowed(&page));
        let is_decoded = matches!(page, Cow::Owned(_));
        let page = &*page;
        let base = urlwise_links::base(Format::Html, page);
        let base = base.and_then(|base| resolved(&at, base.text())).unwrap_or_else(|| at.clone());
        if base != at && base.as_str().len() > LONGEST_BASE {
            return self.end_at(words!("the URL of a page's `<base>` is longer than 2,048 octets"));
        }
        let from = Arc::new(at);
        let (mut count, mut has_foreign) = (0, false);
        let is_all = each_piece(Format::Html, page, |piece| {
            if piece.role() != Role::Link {
                return true;
            }
            count += 1;
            if is_decoded && page_text::has_foreign_search(piece.text()) {
                has_foreign = true;
            } else if count <= MOST_LINKS
                && let Some(url) = resolved(&base, piece.text())
            {
                self.find(url, &from, depth, EntryKind::Unknown);
            }
            count <= MOST_LINKS
        });
        if has_foreign {
            self.end_at(words!("a link has a search in the charset of its page"));
        }
        if !is_all {
            self.end_at(words!("a page has more than 50,000 links"));
        }
    }

    /// Queues a URL that was found, unless it is not to be followed or was found before as near as this.
    fn find(&mut self, url: Url<String>, from: &Arc<Url<String>>, depth: u32, kind: EntryKind) {
        let borrowed = url.borrow();
        if depth > self.run.get.recursion.depth || self.filter.excludes(&borrowed) {
            return;
        }
        if !self.scope.admits(&borrowed) {
            let counts = scope::is_of_a_server(&borrowed) && self.meet(&borrowed, ELSEWHERE).is_some();
            self.elsewhere += u64::from(counts);
            return;
        }
        let Some(is_saved) = self.meet(&borrowed, depth) else { return };
        if self.waiting_octets + url.as_str().len() > MOST_WAITING {
            self.end_at(words!("too many links wait to be followed"));
            return;
        }
        self.wait(Visit { url, from: Some(Arc::clone(from)), depth, kind, is_saved });
    }

    fn wait(&mut self, visit: Visit) {
        self.waiting_octets += visit.url.as_str().len();
        self.waiting.push_back(visit);
    }

    /// Remembers that so many links lead to a URL. Returns whether it was saved from further away; `None` if it is known as near as this.
    fn meet(&mut self, url: &Url<&str>, depth: u32) -> Option<bool> {
        match self.seen.meet(url, depth) {
            Met::New => Some(false),
            Met::Nearer => Some(true),
            Met::Known => None,
            Met::Full => {
                self.end_at(words!("more than 1,000,000 URLs were found"));
                None
            }
        }
    }

    /// Whether robots.txt of the server allows a link. The URL that was given is not asked about: a person wants it.
    fn is_allowed(&mut self, visit: &Visit) -> Result<bool, Failure> {
        let url = visit.url.borrow();
        if self.run.get.recursion.ignore_robots || url.scheme().base() != Scheme::Http {
            return Ok(true);
        }
        let Some(server) = Realm::of(&url) else { return Ok(true) };
        if !self.robots.contains_key(&server) {
            let robots = self.ask_robots(&server, visit)?;
            self.robots.insert(server.clone(), robots);
        }
        Ok(self.robots.get(&server).is_none_or(|robots| robots.permits(&url)))
    }

    fn ask_robots(&mut self, server: &Realm, visit: &Visit) -> Result<Robots, Failure> {
        let Some(url) = robots::url_of(server) else { return Ok(Robots::unknown()) };
        if !self.pause(&visit.url.borrow())? {
            return Ok(Robots::unknown());
        }
        let asked =
            Visit { url, from: visit.from.clone(), depth: visit.depth, kind: EntryKind::Document, is_saved: false };
        let read = self.open(&asked).and_then(|resource| match resource {
            Resource::Document(mut document) => {
                let text = beginning(&mut document, robots::LONGEST as u64);
                text.map(|mut text| {
                    page_text::unpack(&mut text, robots::LONGEST);
                    Robots::parse(&text)
                })
            }
            _ => Ok(Robots::absent()),
        });
        Ok(read.unwrap_or_else(|error| {
            let robots = Robots::unread(&error);
            if robots.is_unknown() {
                self.run.console.message(&said!(
                    "{url}: {error}; no links of this server are followed",
                    url = asked.url.masked().to_string(),
                    error = error.message_in(language()).to_string()
                ));
            }
            robots
        }))
    }

    fn open(&self, visit: &Visit) -> Result<Resource, Error> {
        self.run.client.open_with(&visit.url, &self.call(visit))
    }

    fn call(&self, visit: &Visit) -> OpenOptions {
        let mut call = job::call(self.run);
        let left = self.until().map(|until| until.saturating_duration_since(Instant::now()));
        call.timeout = call.timeout.into_iter().chain(left).min();
        call.linked_from = visit.from.as_deref().cloned();
        call
    }

    /// Waits until the server may be asked again. Returns false if the time of the run is up before.
    fn pause(&mut self, url: &Url<&str>) -> Result<bool, Failure> {
        if url.scheme() != Scheme::File {
            let due = self.last.and_then(|last| last.checked_add(self.run.get.recursion.wait));
            let due = due.map(|due| self.until().map_or(due, |until| due.min(until)));
            let left = due.map_or(Duration::ZERO, |due| due.saturating_duration_since(Instant::now()));
            if let Err(error) = self.run.sleep(left) {
                self.fail(self.report(url), error)?;
                return Err(Failure::Enough);
            }
            self.last = Some(Instant::now());
        }
        Ok(!self.is_over())
    }

    fn report(&self, url: &Url<&str>) -> Report {
        Report::new(
            &Record { octets: url.as_str().as_bytes(), place: None, too_long: None },
            self.run.context.show_secrets,
        )
    }

    /// Reports what failed, and goes on; nothing if it failed because the time of the run is up, which is said at its end.
    fn fail(&mut self, report: Report, error: AttemptError) -> Result<(), Failure> {
        if self.is_over() {
            return Ok(());
        }
        self.ended(report, Err(error))
    }

    /// Reports the end of what was not saved.
    fn ended(&mut self, report: Report, end: Result<Status, AttemptError>) -> Result<(), Failure> {
        self.run.progress.expect();
        let status = job::finish(self.run, report, end)?;
        self.run.end(self.visits, Ok(status));
        Ok(())
    }
}

/// Whether a document could not be saved because it is a menu.
fn is_menu(error: &AttemptError) -> bool {
    match error {
        AttemptError::Client(error) => error.kind() == ErrorKind::NoAccess,
        AttemptError::Local(status, _) => *status == Status::Failed(ErrorKind::NoAccess),
        AttemptError::Session(_) | AttemptError::Fatal(_) => false,
    }
}
