//! `check --open`: finds the links of documents, judges each as `check` does, and proves it by a probe (D-104).
//!
//! [`gather`] finds the links, of which [`links`] keeps each URL once; [`queue`] says which one is next, [`pool`] asks several
//! at a time, [`prove`] finds out about one, and [`show`] reports every place of every link.

mod gather;
mod links;
mod pool;
mod prove;
mod queue;
mod run;
mod show;
mod summary;
mod verdict;

use std::io::{IsTerminal, Write};
use std::time::Duration;

use urlwise_open::{Cancel, Client};

use super::{Checker, Targets};
use crate::cli::{Check, Format, Threshold};
use crate::config::Config;
use crate::console::Console;
use crate::document::Documents;
use crate::exit::{Failure, Outcome, Status};
use crate::find::{self, Schemes};
use crate::report;
use crate::settings::Settings;
use crate::{access, interrupt};
use gather::Gatherer;
use links::Links;
use prove::Prover;
use queue::Limits;
use run::Run;
use show::Shown;
use summary::Summary;
pub(crate) use verdict::{DECISION, LINK_RULES, LinkRule};

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
    let gatherer = Gatherer { checker, schemes: &schemes };
    let documents = Documents::of(&check.walking)?;
    let (links, unread) = gather(check, targets, config, &gatherer)?;
    interrupt::listen(&cancel, &console)?;
    let limits =
        Limits { per_server: options.per_host, pause: options.pause().unwrap_or_default(), retries: options.retry };
    let run = Run::new(links, limits, cancel.clone(), std::io::stderr().is_terminal());
    // A page may have links of many servers.
    let has_pages = !targets.urls.is_empty();
    let width = if has_pages { usize::MAX } else { run.width() };
    let at_a_time = width.min(options.parallel.into());
    let asked = pool::run(run, at_a_time, |question| {
        let answer = prover.ask(question);
        let drafts = answer.page.as_ref().map(|(url, body)| gatherer.page(url, body, &documents));
        (answer, drafts)
    });
    let links = asked.map_err(|error| Failure::Input(format!("cannot start a thread: {error}")))?.finish();

    let mut results = report::Results::new(checker.format, out);
    results.begin()?;
    let shown = Shown::write(&links, checker, fail_on, &mut results)?;
    let is_interrupted = cancel.is_requested();
    results.end(!unread && !is_interrupted)?;
    if checker.format == Format::Human {
        results.flush()?;
        for line in Summary::of(&links).lines() {
            access::message(&line);
        }
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
    gatherer.arguments(&targets.urls, &mut links);
    for list in &targets.lists {
        match gatherer.list(list, check.null, &mut links) {
            Ok(()) => {}
            Err(Failure::Input(message)) => {
                unread = true;
                access::message(&message);
            }
            Err(failure) => return Err(failure),
        }
    }
    if !targets.walked.is_empty() {
        let walk = find::paths(&targets.walked, &check.walking, config)?;
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
