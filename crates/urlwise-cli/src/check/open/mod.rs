//! `check --open`: finds the links of documents, judges each as `check` does, and proves it by a probe (D-104).
//!
//! [`mod@gather`] finds the links, of which [`links`] keeps each URL once; [`queue`] says which one is next, [`pool`] asks several
//! at a time, [`prove`] finds out about one, and [`show`] reports every place of every link.

mod cache;
mod changed;
mod content;
mod exclude;
mod files;
mod gather;
mod links;
mod moves;
mod pool;
mod prove;
mod queue;
mod read;
mod run;
mod show;
mod site;
mod suggest;
mod summary;
mod verdict;

use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use urlwise_explain::secret;
use urlwise_formats::diff::AddedLines;
use urlwise_open::{Cancel, Client, NameServers};
use urlwise_settings::{Config, Settings, Threshold};

use super::{Checker, Targets, fix};
use crate::cli::open::{CONNECT_TIMEOUT, TIMEOUT};
use crate::cli::{Check, Format};
use crate::console::{self, Console};
use crate::document::Documents;
use crate::exit::{Failure, Outcome, Status, os_message};
use crate::find::{self, Schemes};
use crate::input;
use crate::language::{about, language, message, words};
use crate::report;
use crate::settings;
use crate::walk::Walk;
use crate::{access, interrupt};
use cache::Cache;
use exclude::Exclude;
use files::Files;
use gather::Gatherer;
use links::Links;
pub(super) use moves::{Move, Moves, NewUrl};
use prove::Prover;
use queue::Limits;
use run::{Found, Run};
use show::Shown;
use site::{Bounds, Site};
use suggest::Archive;
use summary::Summary;
use verdict::Verdict;

/// Opens the links of all targets, and reports.
pub(super) fn run(
    check: &Check,
    targets: &Targets<'_>,
    config: &Config,
    schemes: &Schemes,
    checker: &Checker<'_>,
    fail_on: Threshold,
    out: &mut (dyn Write + Send),
) -> Result<Outcome, Failure> {
    let options = &check.links;
    let cancel = Cancel::new();
    let console = Console::default();
    let settings = settings::of(&options.opening.own)?;
    let archive = match options.suggest {
        true => {
            let (from, template) = match &options.archive {
                Some(template) => ("--archive", Some(template.as_str())),
                None => ("archive", settings.archive.as_deref()),
            };
            Some(Archive::of(template).map_err(|why| Failure::Input(about(from, why)))?)
        }
        false => None,
    };
    let prover = Prover {
        client: client(check, &settings, &console, &cancel)?,
        files: Files { read_as: check.walking.read_as.map(Into::into) },
        offline: options.offline,
        timeout: options.opening.max_time.unwrap_or(TIMEOUT),
        rewrites: check.fix || check.diff,
    };
    let exclude = Exclude::of(&options.exclude, config)?;
    let changed = options.changed.as_deref().map(changed::read).transpose()?;
    if changed.as_ref().is_some_and(changed::is_of_elsewhere) {
        console::message("--changed: no file of the diff is here; make it in this folder, as by `git diff --relative`");
    }
    let gatherer = Gatherer { checker, schemes, exclude: &exclude, changed: changed.as_ref() };
    let documents = Documents::of(&check.walking, check.code)?;
    let rewrites = prover.rewrites;
    if options.fix_moved && !rewrites {
        return Err(Failure::Input(about(
            "--fix-moved",
            words!("add `--fix`, or `--diff` to see what it would change"),
        )));
    }
    let sources = Sources::of(check, targets, changed.as_ref());
    if rewrites {
        fix::admit(sources.lists, &sources.walked)?;
    }
    let mut links = Links::default();
    let depth = if options.recursive { options.depth } else { 0 };
    gatherer.arguments(&targets.urls, depth, &mut links);
    let mut unread = gather(check, &sources, config, &gatherer, &mut links)?;
    let now = SystemTime::now();
    let mut cache = match &options.cache {
        Some(path) => Some((path, Cache::read(path, options.max_age, now)?)),
        None => None,
    };
    if let Some((_, cache)) = &cache {
        for target in &mut links.targets {
            // A cache does not say what is written into files.
            target.proof =
                cache.get(target).filter(|proof| !(rewrites && proof.verdict == Verdict::Moved)).map(Box::new);
            target.is_asked = target.proof.is_some();
            target.asked_fragments = target.fragments.len();
        }
    }
    let transfers = interrupt::listen(&cancel, &console)?;
    let limits =
        Limits { per_server: options.per_host, pause: options.pause().unwrap_or_default(), retries: options.retry };
    let site = Site::new(Bounds { pages: options.max_pages, time: options.max_run });
    let is_shown = std::io::stderr().is_terminal() && !check.quiet;
    let run = Run::new(links, limits, site, !options.ignore_robots, cancel.clone(), is_shown);
    // A page may have links of many servers.
    let has_pages = !targets.urls.is_empty();
    let width = if has_pages { usize::MAX } else { run.width() };
    let at_a_time = width.min(options.parallel.into());
    let asked = pool::run(run, at_a_time, |question| {
        let answer = prover.ask(question);
        let links = answer.page.as_ref().map(|page| gatherer.page(page, &documents));
        let sitemaps = answer.rules.iter().map(|rules| gatherer.sitemaps(rules)).collect();
        Found { answer, links, sitemaps }
    });
    let asked = asked.map_err(|error| input::cannot_start(&error))?;
    let (mut links, remarks) = asked.finish();
    remarks.iter().for_each(|remark| console::message(remark));
    if !cancel.is_requested() && links.reached_no_server(options.dns) {
        let warning = match fail_on {
            Threshold::Unknown => words!("no server was reached: is there a network?"),
            _ => words!("no server was reached: is there a network? `--fail-on unknown` makes such a run fail"),
        };
        console::message(&warning.get(language()));
    }
    if let Some(archive) = archive {
        archive.ask(&mut links, &prover, limits, options.parallel.into(), &cancel)?;
    }
    transfers.ended();

    if let Some((path, cache)) = &mut cache {
        cache.learn(&links, now);
        if let Err(error) = cache.write(path) {
            let (name, why) = (secret::masked_path(path), os_message(&error));
            console::message(&about("--cache", message!("cannot write {name}: {why}", name = name, why = why)));
        }
    }

    let is_interrupted = cancel.is_requested();
    if rewrites && !is_interrupted {
        let moves =
            Moves { links: &links, reader: gatherer.reader(), changed: changed.as_ref(), any_host: options.fix_moved };
        let walk = sources.walk(check, config)?;
        let fixed = fix::run(check, sources.lists, walk, checker, schemes, Some(&moves), out)?;
        unread |= fixed.failed;
        if !check.quiet {
            console::message(&fixed.summary(!check.diff));
        }
        if check.diff {
            return Ok(fix::outcome(unread, fixed));
        }
        links.forget_files();
        unread |= gather(check, &sources, config, &gatherer, &mut links)?;
        links.learn_moves();
    }

    let mut nowhere = std::io::sink();
    let mut results = report::Results::new(checker.format, if check.quiet { &mut nowhere } else { out });
    results.begin()?;
    let judges = !options.offline && changed.is_none() && !is_interrupted;
    let shown = Shown::write(&links, checker, fail_on, judges, &mut results)?;
    results.end(!unread && !is_interrupted)?;
    match checker.format {
        _ if check.quiet => {}
        Format::Human => {
            results.flush()?;
            for line in Summary::of(&links).lines() {
                console::message(&line);
            }
        }
        Format::Markdown => {
            for line in Summary::of(&links).lines() {
                let (indent, text) = line.strip_prefix("  ").map_or(("", line.as_str()), |text| ("  ", text));
                writeln!(results, "{indent}- {}", report::markdown(text))?;
            }
        }
        Format::Json | Format::Sarif | Format::Github | Format::Junit => {}
    }
    Ok(match (is_interrupted, unread, shown.failed || checker.has_failed()) {
        (true, ..) => Outcome::Opened(Status::Interrupted),
        (false, true, _) => Outcome::Unreadable,
        (false, false, true) => Outcome::Findings,
        (false, false, false) => Outcome::Fine,
    })
}

/// Where links are searched for.
struct Sources<'t> {
    lists: &'t [&'t Path],
    walked: Cow<'t, [PathBuf]>,
}

impl<'t> Sources<'t> {
    fn of(check: &Check, targets: &'t Targets<'_>, added: Option<&AddedLines>) -> Sources<'t> {
        // Without targets, the files of a diff are searched.
        match added.filter(|_| check.has_no_targets()) {
            Some(added) => Sources { lists: &[], walked: changed::files(added).into() },
            None => Sources { lists: &targets.lists, walked: targets.walked.as_slice().into() },
        }
    }

    /// `None` if no file or folder is searched.
    fn walk(&self, check: &Check, config: &Config) -> Result<Option<Walk>, Failure> {
        let walk = || find::paths(&self.walked, &check.walking, check.code, config);
        (!self.walked.is_empty()).then(walk).transpose()
    }
}

/// Adds the links of all files. Returns whether something could not be read.
fn gather(
    check: &Check,
    sources: &Sources<'_>,
    config: &Config,
    gatherer: &Gatherer<'_>,
    links: &mut Links,
) -> Result<bool, Failure> {
    let mut unread = false;
    for list in sources.lists {
        match gatherer.list(list, check.null, links) {
            Ok(are_read) => unread |= !are_read,
            Err(Failure::Input(message)) => {
                unread = true;
                console::message(&message);
            }
            Err(failure) => return Err(failure),
        }
    }
    if let Some(walk) = sources.walk(check, config)? {
        unread |= gatherer.walk(&walk, links)?.failed;
    }
    Ok(unread)
}

/// A client for links that others wrote: it asks nobody for passwords.
fn client(check: &Check, settings: &Settings, console: &Console, cancel: &Cancel) -> Result<Client, Failure> {
    let opening = &check.links.opening;
    let mut options = access::options(opening, settings, console, Some(cancel.clone()))?;
    if check.links.dns {
        let (from, servers) = match &check.links.dns_server {
            Some(server) => ("--dns-server", NameServers::parse(server)),
            None => ("--dns", NameServers::system()),
        };
        options.name_servers =
            Some(servers.map_err(|error| Failure::Input(about(from, error.message_in(language()).to_string())))?);
    }
    options.credentials.prompt = None;
    options.deadlines.connect = opening.connect_timeout.unwrap_or(CONNECT_TIMEOUT);
    Ok(Client::new(options))
}
