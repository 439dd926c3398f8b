//! `check --open`: finds the links of documents, judges each as `check` does, and proves it by a probe (D-104).
//!
//! [`mod@gather`] finds the links, of which [`links`] keeps each URL once; [`queue`] says which one is next, [`pool`] asks several
//! at a time, [`prove`] finds out about one, and [`show`] reports every place of every link.

mod cache;
mod changed;
mod exclude;
mod gather;
mod links;
mod pool;
mod prove;
mod queue;
mod run;
mod show;
mod site;
mod summary;
mod verdict;

use std::io::{IsTerminal, Write};
use std::time::{Duration, SystemTime};

use urlwise_open::{Cancel, Client};

use super::{Checker, Targets};
use crate::cli::{Check, Format, Threshold};
use crate::config::Config;
use crate::console::Console;
use crate::document::Documents;
use crate::exit::{Failure, Outcome, Status};
use crate::find::{self, Schemes};
use crate::get::os_message;
use crate::report;
use crate::secret;
use crate::settings::Settings;
use crate::{access, interrupt};
use cache::Cache;
use changed::Changed;
use exclude::Exclude;
use gather::Gatherer;
use links::Links;
use prove::Prover;
use queue::Limits;
use run::Run;
use show::Shown;
use site::{Bounds, Site};
use summary::Summary;
pub(crate) use verdict::{DECISION, LINK_RULES, LinkRule, UNUSED};

/// The time for one link, and to connect, unless the options say otherwise.
const TIMEOUT: Duration = Duration::from_secs(30);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Opens the links of all targets, and reports.
pub(super) fn run(
    check: &Check,
    targets: &Targets<'_>,
    config: &Config,
    checker: &Checker<'_>,
    fail_on: Threshold,
    out: &mut (dyn Write + Send),
) -> Result<Outcome, Failure> {
    let options = &check.links;
    let cancel = Cancel::new();
    let console = Console::default();
    let prover = Prover {
        client: client(check, &console, &cancel)?,
        offline: options.offline,
        timeout: options.opening.max_time.unwrap_or(TIMEOUT),
    };
    let schemes = Schemes::of(&[], config)?;
    let exclude = Exclude::of(&options.exclude, config)?;
    let changed = options.changed.as_deref().map(Changed::read).transpose()?;
    let gatherer = Gatherer { checker, schemes: &schemes, exclude: &exclude, changed: changed.as_ref() };
    let documents = Documents::of(&check.walking, check.code)?;
    let (mut links, unread) = gather(check, targets, config, &gatherer)?;
    let now = SystemTime::now();
    let mut cache = match &options.cache {
        Some(path) => Some((path, Cache::read(path, options.max_age, now)?)),
        None => None,
    };
    if let Some((_, cache)) = &cache {
        for target in &mut links.targets {
            target.proof = cache.get(target);
            target.is_asked = target.proof.is_some();
            target.asked_fragments.clone_from(&target.fragments);
        }
    }
    let transfers = interrupt::listen(&cancel, &console)?;
    let limits =
        Limits { per_server: options.per_host, pause: options.pause().unwrap_or_default(), retries: options.retry };
    let site = Site::new(Bounds { pages: options.max_pages, time: options.max_run });
    let run = Run::new(links, limits, site, cancel.clone(), std::io::stderr().is_terminal() && !check.quiet);
    // A page may have links of many servers.
    let has_pages = !targets.urls.is_empty();
    let width = if has_pages { usize::MAX } else { run.width() };
    let at_a_time = width.min(options.parallel.into());
    let asked = pool::run(run, at_a_time, |question| {
        let answer = prover.ask(question);
        let drafts = answer.page.as_ref().map(|page| gatherer.page(page, &documents));
        (answer, drafts)
    });
    let asked = asked.map_err(|error| Failure::Input(format!("cannot start a thread: {error}")))?;
    transfers.ended();
    let (links, bound) = asked.finish();
    if let Some(bound) = bound {
        access::message(&format!("not all pages were followed: the limit of {bound} is reached"));
    }

    if let Some((path, cache)) = &mut cache {
        cache.learn(&links, now);
        if let Err(error) = cache.write(path) {
            access::message(&format!("--cache: cannot write {}: {}", secret::masked_path(path), os_message(&error)));
        }
    }

    let mut nowhere = std::io::sink();
    let mut results = report::Results::new(checker.format, if check.quiet { &mut nowhere } else { out });
    results.begin()?;
    let is_interrupted = cancel.is_requested();
    let judges = !options.offline && changed.is_none() && !is_interrupted;
    let shown = Shown::write(&links, checker, fail_on, judges, &mut results)?;
    results.end(!unread && !is_interrupted)?;
    match checker.format {
        _ if check.quiet => {}
        Format::Human => {
            results.flush()?;
            for line in Summary::of(&links).lines() {
                access::message(&line);
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

/// Everything to open, and whether something could not be read.
fn gather(
    check: &Check,
    targets: &Targets<'_>,
    config: &Config,
    gatherer: &Gatherer<'_>,
) -> Result<(Links, bool), Failure> {
    let mut links = Links::default();
    let mut unread = false;
    // Without targets, the files of a diff are searched.
    let diffed = gatherer.changed.filter(|_| check.has_no_targets()).map(Changed::files);
    let (lists, walked) = match &diffed {
        Some(files) => (&[][..], files),
        None => (targets.lists.as_slice(), &targets.walked),
    };
    let depth = if check.links.recursive { check.links.depth } else { 0 };
    gatherer.arguments(&targets.urls, depth, &mut links);
    for list in lists {
        match gatherer.list(list, check.null, &mut links) {
            Ok(()) => {}
            Err(Failure::Input(message)) => {
                unread = true;
                access::message(&message);
            }
            Err(failure) => return Err(failure),
        }
    }
    if !walked.is_empty() {
        let walk = find::paths(walked, &check.walking, check.code, config)?;
        unread |= gatherer.walk(&walk, &mut links)?.failed;
    }
    Ok((links, unread))
}

/// A client for links that others wrote: it asks nobody for passwords.
fn client(check: &Check, console: &Console, cancel: &Cancel) -> Result<Client, Failure> {
    let opening = &check.links.opening;
    let settings = Settings::of(&opening.own)?;
    let mut options = access::options(opening, &settings, console, Some(cancel.clone()))?;
    options.credentials.prompt = None;
    options.deadlines.connect = opening.connect_timeout.unwrap_or(CONNECT_TIMEOUT);
    Ok(Client::new(options))
}
