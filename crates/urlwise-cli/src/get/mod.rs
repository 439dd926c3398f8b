//! `urlwise get`: downloads URLs to standard output or to files.
//!
//! [`job`] gets one URL: it opens it, [retries](retry), and writes it to a [sink]: a stream, or a [file](save) under a safe
//! [name]. This module reads the URLs and runs their jobs, one after the other or several at a time.

mod attempt;
mod attributes;
mod charset;
mod draft;
mod dry_run;
mod form;
mod job;
mod name;
mod pace;
mod progress;
mod recursive;
mod report;
pub(crate) mod retry;
mod save;
mod session;
mod sink;
mod suffixes;
mod taken;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use clap::error::ErrorKind;
use urlwise::{Message, Profile};
use urlwise_open::{Cancel, Client, Recipients};

use crate::cli::{self, Get};
use crate::console::{Console, shown};
use crate::context::Context;
use crate::exit::{Failure, Outcome, Status, os_message};
use crate::input::{self, OwnRecord};
use crate::language::{about, language, message, said, words};
use crate::lock::{locked, unlocked};
use crate::settings;
use crate::{access, interrupt};
use attempt::AttemptError;
use draft::DraftAction;
use pace::Pace;
use progress::Progress;
use taken::TakenNames;

/// What all URLs of a run share.
struct Run<'r> {
    get: &'r Get,
    context: &'r Context,
    profile: Profile,
    /// What to do with drafts.
    draft_action: DraftAction,
    /// Of --to and --cc.
    recipients: Recipients,
    client: Client,
    console: Console,
    progress: Progress,
    pace: Pace,
    taken: TakenNames,
    cancel: Cancel,
    /// No more URLs are started.
    ended: AtomicBool,
    out: Mutex<&'r mut (dyn Write + Send)>,
    state: Mutex<State>,
    /// Held while asking at the terminal.
    terminal: Mutex<()>,
}

/// The results so far.
#[derive(Default)]
struct State {
    /// The number of the first URL that failed, and how.
    first: Option<(usize, Status)>,
    /// Why the program cannot continue.
    failure: Option<Failure>,
}

/// A record whose turn has not come.
struct Task {
    number: usize,
    record: OwnRecord,
}

/// Refuses an output file whose name is kept for partial transfers: its octets would pass for the beginning of another document
/// (S-43).
fn check_output(get: &Get) -> Result<(), Failure> {
    let Some(path) = get.output_path().filter(|path| !path.is_dir()) else { return Ok(()) };
    let name = path.file_name().unwrap_or_default();
    if !name::is_of_state(&name.to_string_lossy()) {
        return Ok(());
    }
    let name = shown(name);
    Err(usage(&format!("cannot save to {name}: names that end in .part or .part.json are those of partial transfers")))
}

/// Refuses a second URL where there is one file for the document.
fn admit_another(get: &Get) -> Result<(), Failure> {
    if get.output_path().is_some_and(|path| !path.is_dir()) {
        return Err(Failure::Input(said!("--output takes a single URL; use --remote-name to save several")));
    }
    Ok(())
}

/// Makes the folder of `--output-dir`. If it cannot be made, the result cannot be written.
fn make_folder(folder: &Path, console: &Console) -> Result<(), Status> {
    fs::create_dir_all(folder).map_err(|error| {
        let is_file = matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory);
        let why = match is_file && folder.ancestors().any(|folder| folder.exists() && !folder.is_dir()) {
            true => words!("it is not a directory").into(),
            false => os_message(&error).into(),
        };
        let why: Message = why;
        let message = message!("cannot create the directory {name}: {why}", name = shown(folder), why = why);
        console.message(&about("--output-dir", message));
        Status::Failed(urlwise_open::ErrorKind::Write)
    })
}

/// Gets every URL of the input, or prints dry runs.
pub(crate) fn run(
    get: &Get,
    profile: Profile,
    context: &Context,
    out: &mut (dyn Write + Send),
) -> Result<Outcome, Failure> {
    if get.parallel > 1 && !get.remote_name {
        return Err(usage("--parallel requires --remote-name: documents go to standard output one at a time"));
    }
    check_output(get)?;
    if get.inputs.urls.len() > 1 {
        // Those of lists are not known before they are read.
        admit_another(get)?;
    }
    let cancel = Cancel::new();
    // Bars would be mixed with output: a document on a terminal, or JSON on standard error.
    let shows_bars = !get.quiet && !get.dry_run && (get.saves() || !context.json && !io::stdout().is_terminal());
    let progress = Progress::new(shows_bars);
    let console = Console::new(get.quiet, progress.bars().cloned());
    let settings = settings::of(&get.opening.own)?;
    let mut options = access::options(&get.opening, &settings, &console, Some(cancel.clone()))?;
    options.telnet = session::settings(get);
    // News articles are decoded for people, not in files.
    options.news.as_text = !get.saves() && !get.opening.ftp.raw;
    let client = Client::new(options);
    if !get.dry_run {
        interrupt::listen(&cancel, &console)?;
        if let Some(folder) = &get.output_dir
            && let Err(status) = make_folder(folder, &console)
        {
            return Ok(Outcome::Opened(status));
        }
    }
    let run = Run {
        get,
        context,
        profile,
        draft_action: DraftAction::of(&get.mail, settings.mail)?,
        recipients: draft::recipients(&get.mail)?,
        client,
        console,
        progress,
        pace: Pace::new(get.limit_rate),
        taken: TakenNames::default(),
        cancel,
        ended: AtomicBool::new(false),
        out: Mutex::new(out),
        state: Mutex::default(),
        terminal: Mutex::default(),
    };
    let read = if get.recursion.recursive && !get.dry_run {
        recursive::run(&run)
    } else if get.parallel > 1 {
        run.run_in_parallel()
    } else {
        run.run_in_order()
    };
    run.console.end();
    let state = unlocked(run.state);
    match (read, state.failure) {
        (_, Some(failure)) => Err(failure),
        (Err(failure), None) if !matches!(failure, Failure::Enough) => Err(failure),
        (Ok(0), None) => Err(Failure::Input(input::NOTHING_READ.get(language()).into())),
        _ if run.cancel.is_requested() => Ok(Outcome::Opened(Status::Interrupted)),
        _ => Ok(Outcome::Opened(state.first.map_or(Status::Ok, |(_, status)| status))),
    }
}

impl<'r> Run<'r> {
    fn run_in_order(&self) -> Result<usize, Failure> {
        let mut number = 0;
        input::for_each(&self.get.inputs, Some("get"), |record| {
            number += 1;
            self.announce(number)?;
            self.end(number, job::one(self, &record));
            Ok(())
        })
    }

    fn run_in_parallel(&self) -> Result<usize, Failure> {
        let work = |task: Task| {
            if !self.has_ended() {
                self.end(task.number, job::one(self, &task.record.borrow()));
            }
        };
        let read = urlwise_open::run_many(
            self.get.parallel.into(),
            |jobs| {
                let mut number = 0;
                input::for_each(&self.get.inputs, Some("get"), |record| {
                    number += 1;
                    self.announce(number)?;
                    jobs.push(Task { number, record: record.into() });
                    Ok(())
                })
            },
            work,
        );
        read.map_err(|error| {
            Failure::Input(said!("cannot start that many transfers: {why}", why = os_message(&error)))
        })?
    }

    /// Called for each URL that is read. Fails if no more URLs may be started.
    fn announce(&self, number: usize) -> Result<(), Failure> {
        if self.has_ended() {
            return Err(Failure::Enough);
        }
        if number > 1 {
            admit_another(self.get)?;
        }
        self.progress.expect();
        Ok(())
    }

    /// Records the result of a URL.
    fn end(&self, number: usize, end: Result<Status, Failure>) {
        let failed = !matches!(end, Ok(Status::Ok));
        self.progress.done(failed);
        if !failed {
            return;
        }
        let mut state = locked(&self.state);
        match end {
            Ok(status) if state.first.is_none_or(|(first, _)| number < first) => state.first = Some((number, status)),
            Ok(_) => {}
            Err(failure) => {
                state.failure = Some(failure);
                self.ended.store(true, Ordering::Relaxed);
            }
        }
        if self.get.fail_fast {
            self.ended.store(true, Ordering::Relaxed);
        }
    }

    fn has_ended(&self) -> bool {
        self.cancel.is_requested() || self.ended.load(Ordering::Relaxed)
    }

    /// Waits, unless the user interrupts.
    fn sleep(&self, wait: Duration) -> Result<(), AttemptError> {
        const LOOK: Duration = Duration::from_millis(100);
        let end = Instant::now() + wait;
        loop {
            self.check_cancelled()?;
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            urlwise_open::sleep(left.min(LOOK));
        }
    }

    /// Fails if the user has interrupted the program.
    fn check_cancelled(&self) -> Result<(), AttemptError> {
        if self.cancel.is_requested() {
            return Err(AttemptError::Local(Status::Interrupted, said!("interrupted")));
        }
        Ok(())
    }

    /// Standard output, for one URL at a time.
    fn out(&self) -> MutexGuard<'_, &'r mut (dyn Write + Send)> {
        locked(&self.out)
    }
}

fn usage(message: &str) -> Failure {
    cli::usage("get", ErrorKind::ArgumentConflict, message)
}

/// The name under which a browser saves the document of a URL.
#[cfg(feature = "serve")]
pub(crate) fn file_name(url: &urlwise::Url<&str>) -> String {
    let name = name::of(url);
    if name.len() > name::LONGEST { name::safe(&[]) } else { name }
}
