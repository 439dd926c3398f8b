//! Gets one URL.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use urlwise::{GopherPlus, Locator, Scheme, Url};
use urlwise_formats::partial::PartialInfo;
use urlwise_open::protocol::Note;
use urlwise_open::{Document, Error, ErrorKind, Metadata, OpenOptions, Resource, ViewChoice};

use super::attempt::AttemptError;
use super::draft::DraftAction;
use super::recursive::{Errand, Found};
use super::report::Report;
use super::save::{Existing, Part, Resumes, Target};
use super::sink::{Saved, Sink, Stream};
use super::{Run, attributes, draft, dry_run, form, name, retry, save, session};
use crate::access;
use crate::exit::{Failure, Status, os_message};
use crate::hint;
use crate::input::{self, Record};
use crate::language::{about, language, message, said, words};
use crate::ls;

/// Gets one URL and reports the result.
pub(super) fn one(run: &Run<'_>, record: &Record<'_>) -> Result<Status, Failure> {
    let url = access::url(record, run.profile, &run.console);
    let report = || Report::new(record, run.context.show_secrets);
    if let (Ok(url), true) = (&url, run.get.dry_run) {
        return plan(run, url).or_else(|error| say_failure(run, error, || report().shown()));
    }
    let mut report = report();
    let end = match url {
        Ok(url) => {
            let input = record.place.is_none_or(|place| place.file != input::STDIN);
            Job { input, ..Job::new(run, &url, &mut report) }.get()
        }
        Err(status) => {
            report.error = Some(record.no_url());
            Ok(status)
        }
    };
    finish(run, report, end)
}

/// Reports the end of one URL.
pub(super) fn finish(run: &Run<'_>, mut report: Report, end: Result<Status, AttemptError>) -> Result<Status, Failure> {
    let end = end.or_else(|error| report_failure(run, &mut report, error))?;
    if run.context.json {
        let line = report.line(end);
        if run.get.saves() {
            let mut out = run.out();
            out.write_all(&line)?;
            out.flush()?;
        } else {
            run.console.write(&line);
        }
    }
    Ok(end)
}

/// Reports a failed attempt. Returns its status, unless the program cannot continue.
fn report_failure(run: &Run<'_>, report: &mut Report, error: AttemptError) -> Result<Status, Failure> {
    match &error {
        AttemptError::Fatal(_) => {}
        AttemptError::Local(_, what) => report.error = Some(what.clone()),
        AttemptError::Client(error) | AttemptError::Session(error) => {
            report.error = Some(hint::message(error));
            report.failed_at(error);
        }
    }
    say_failure(run, error, || report.shown())
}

/// Prints why an attempt failed, of a URL that is shown like that.
fn say_failure(run: &Run<'_>, error: AttemptError, shown: impl FnOnce() -> String) -> Result<Status, Failure> {
    match error {
        AttemptError::Fatal(failure) => Err(failure),
        AttemptError::Local(status, what) => {
            // The questions of a form have lines of their own.
            let (sentence, lines) = what.split_at(what.find('\n').unwrap_or(what.len()));
            run.console.message(&(about(shown(), sentence) + lines));
            Ok(status)
        }
        AttemptError::Client(error) | AttemptError::Session(error) => Ok(access::failed(&error, &run.console)),
    }
}

/// Prints the dry run; nothing is opened.
fn plan(run: &Run<'_>, url: &Url<&str>) -> Result<Status, AttemptError> {
    run.draft_action.admit(url, &run.recipients, run.client.gateways())?;
    form::check(run, url)?;
    head_is_there(run, url)?;
    let mut options = call(run);
    options.steps = Some(dry_run::STEPS);
    let plan = run.client.plan_with(url, &options)?;
    let more = draft::plan(run, url)?;
    dry_run::print(run, url, &plan, &more)
}

/// The options of each call.
pub(super) fn call(run: &Run<'_>) -> OpenOptions {
    let gopher = &run.get.gopher;
    let mut call = access::call(&run.get.opening);
    call.head = run.get.head;
    call.timeout = run.get.opening.max_time;
    call.recipients = run.recipients.clone();
    call.view = match (gopher.view.clone(), gopher.language.clone()) {
        (Some(view), language) => Some(ViewChoice::new(view).with_language(language)),
        (None, language) => language.map(ViewChoice::in_language),
    };
    call
}

/// Refuses `--head` for what is not opened by http.
fn head_is_there(run: &Run<'_>, url: &Url<&str>) -> Result<(), AttemptError> {
    let is_http = url.scheme().base() == Scheme::Http || run.client.gateways().get(url.scheme_name()).is_some();
    if is_http || !run.get.head {
        return Ok(());
    }
    let what = said!("--head requires an http URL; `urlwise ls` shows what other servers tell about a document");
    Err(AttemptError::Local(Status::Failed(ErrorKind::NoAccess), what))
}

fn past_limit(option: &'static str) -> AttemptError {
    past(option, ErrorKind::Limit)
}

fn past(option: &'static str, kind: ErrorKind) -> AttemptError {
    AttemptError::Local(Status::Failed(kind), said!("the limit of {bound} is reached", bound = option))
}

/// How long it is to a time; nothing if it has passed.
fn left(until: Instant) -> Duration {
    until.saturating_duration_since(Instant::now())
}

/// Whether opening the URL has effects, so that it must not be retried: forms and mail.
fn has_effects(url: &Url<&str>) -> bool {
    match url.locator() {
        Locator::Gopher(gopher) => matches!(gopher.plus(), Some(GopherPlus::Form | GopherPlus::FilledForm { .. })),
        Locator::Mailto(_) => true,
        _ => false,
    }
}

/// One URL to get.
pub(super) struct Job<'j, 'r> {
    run: &'j Run<'r>,
    url: &'j Url<&'j str>,
    report: &'j mut Report,
    /// Standard input may be read: the URL did not come from there.
    input: bool,
    /// What the document is for, in a tree.
    errand: Option<&'j Errand<'j>>,
    /// A temporary failure of this attempt is followed by another attempt.
    may_retry: bool,
    /// When the time of this attempt is up.
    ends: Option<Instant>,
    /// The document that arrived.
    pub(super) found: Option<Found>,
    /// The file was complete before.
    pub(super) is_kept: bool,
}

impl<'j, 'r> Job<'j, 'r> {
    fn new(run: &'j Run<'r>, url: &'j Url<&'j str>, report: &'j mut Report) -> Job<'j, 'r> {
        Job { run, url, report, input: false, errand: None, may_retry: false, ends: None, found: None, is_kept: false }
    }

    /// The job for a document of a tree.
    pub(super) fn of_tree(
        run: &'j Run<'r>,
        url: &'j Url<&'j str>,
        report: &'j mut Report,
        errand: &'j Errand<'j>,
    ) -> Job<'j, 'r> {
        Job { errand: Some(errand), ..Job::new(run, url, report) }
    }

    /// Saves the document under this name.
    pub(super) fn save_at(&mut self, path: PathBuf) -> Result<Status, AttemptError> {
        self.save(self.target(path))
    }

    fn target(&self, path: PathBuf) -> Target {
        let get = self.run.get;
        let resumes = match (get.resume, get.trust_partial) {
            (false, _) => Resumes::Nothing,
            (true, false) => Resumes::Own,
            (true, true) => Resumes::Any,
        };
        Target::new(path, get.force, resumes, !get.no_date)
    }

    fn get(&mut self) -> Result<Status, AttemptError> {
        if self.run.get.saves() && self.url.scheme().base() == Scheme::Telnet {
            return Err(session::not_saved());
        }
        self.run.draft_action.admit(self.url, &self.run.recipients, self.run.client.gateways())?;
        form::check(self.run, self.url)?;
        head_is_there(self.run, self.url)?;
        match self.path()? {
            Some(path) => {
                let target = self.target(path);
                // Only a device or pipe that the user names is written to: a name from a URL may meet one by chance or design.
                let named = self.run.get.output_path().is_some_and(|path| !path.is_dir());
                let device = if named { target.device() } else { Ok(None) };
                match device.map_err(|error| {
                    said!("cannot open {name}: {why}", name = target.shown(), why = os_message(&error))
                })? {
                    Some(mut device) => {
                        let guarded = device.is_terminal();
                        let mut stream = Stream::new(&mut device, Some(target.shown()), guarded);
                        let end = self.transfer(&mut stream);
                        stream.flush()?;
                        end
                    }
                    None => self.save(target),
                }
            }
            None => {
                let guarded = io::stdout().is_terminal();
                let mut out = self.run.out();
                let mut stream = Stream::new(&mut **out, None, guarded);
                let end = self.transfer(&mut stream);
                stream.flush()?;
                end
            }
        }
    }

    /// The file to write; `None` is standard output.
    fn path(&self) -> Result<Option<PathBuf>, AttemptError> {
        let get = self.run.get;
        match get.output_path() {
            Some(folder) if folder.is_dir() => Ok(Some(folder.join(self.remote_name()?))),
            Some(path) => Ok(Some(path)),
            None if get.remote_name => Ok(Some(get.within_output_dir(self.remote_name()?.as_ref()))),
            None => Ok(None),
        }
    }

    /// The file name from the URL.
    fn remote_name(&self) -> Result<String, AttemptError> {
        let name = name::of(self.url);
        if name.len() > name::LONGEST {
            let (has, most) = (name.len(), name::LONGEST);
            let what = said!(
                "the file name from the URL is {has} octets long, more than the {most} allowed; use --output",
                has = has,
                most = most
            );
            return Err(AttemptError::Local(Status::Failed(ErrorKind::Limit), what));
        }
        Ok(name)
    }

    fn save(&mut self, target: Target) -> Result<Status, AttemptError> {
        let Some(_taken) = self.run.taken.take(target.name()) else {
            return Err(said!(
                "another transfer of this run is being saved as {name}; use --output to save this one under another name",
                name = target.shown()
            )
            .into());
        };
        let url = self.url.masked().to_string();
        let part = match target.look()? {
            Existing::Nothing => None,
            Existing::Partial(part) => {
                let of = part.info().map(|info| info.url.as_str()).unwrap_or_default();
                if of != url {
                    let of = urlwise::escape_for_display(of.as_bytes());
                    return Err(said!(
                        "{name} belongs to {url}; use --output to save this URL under another name",
                        name = target.shown_part(),
                        url = of.to_string()
                    )
                    .into());
                }
                Some(part)
            }
            Existing::File(length) => match self.existing(&target, length, &url)? {
                Some(part) => Some(part),
                None => return Ok(Status::Ok),
            },
            Existing::Foreign(length) => {
                let metadata = self.metadata()?;
                Some(self.adopted(&target, length, metadata, &url)?)
            }
        };
        let mut saved = Saved::new(target, url, part);
        if saved.has_all() && saved.is_complete(&self.metadata()?) {
            self.report.saved_as = Some(saved.publish()?);
            return Ok(Status::Ok);
        }
        match self.transfer(&mut saved) {
            Ok(Status::Ok) => {
                self.report.saved_as = Some(saved.publish()?);
                Ok(Status::Ok)
            }
            end => {
                if let Some(left) = saved.leave() {
                    self.run.console.message(&left);
                }
                end
            }
        }
    }

    /// What the server says about the document.
    fn metadata(&self) -> Result<Metadata, AttemptError> {
        let mut call = call(self.run);
        call.linked_from = self.errand.and_then(|errand| errand.from.cloned());
        Ok(self.run.client.metadata_with(self.url, &call)?)
    }

    /// The same for a document of a tree, whose links count from where it was found in the end.
    fn metadata_in_tree(&mut self) -> Result<Metadata, AttemptError> {
        if self.url.scheme().base() != Scheme::Http {
            return self.metadata();
        }
        let mut call = call(self.run);
        call.linked_from = self.errand.and_then(|errand| errand.from.cloned());
        let mut menu = self.run.client.list_with(self.url, &call)?;
        let url = menu.final_url().clone();
        let entry = menu.next().transpose()?;
        let media_type = entry.as_ref().and_then(|entry| entry.media_type.clone());
        self.found = Some(Found { url, media_type: media_type.clone(), is_coded: false });
        let mut metadata = Metadata::default();
        metadata.size = entry.and_then(|entry| entry.size);
        metadata.media_type = media_type;
        Ok(metadata)
    }

    /// `--continue` for a file that exists: it is complete if it is as long as the document. A shorter one is the partial file of
    /// another program with `--trust-partial`.
    fn existing(&mut self, target: &Target, length: u64, url: &str) -> Result<Option<Part>, AttemptError> {
        let metadata = match self.errand {
            Some(_) => self.metadata_in_tree()?,
            None => self.metadata()?,
        };
        self.report.media_type.clone_from(&metadata.media_type);
        match metadata.size {
            Some(size) if size == length => {
                self.report.saved_as = Some(target.shown());
                self.is_kept = true;
                self.run.console.remark(&said!("{name} is already complete", name = target.shown()));
                Ok(None)
            }
            Some(size) if length < size && self.run.get.trust_partial => {
                self.adopted(target, length, metadata, url).map(Some)
            }
            Some(size) => Err(said!(
                "{refusal} ({length} octets, but the document has {size})",
                refusal = target.exists(),
                length = length,
                size = size
            )
            .into()),
            None => {
                Err(said!("{refusal} (the server does not say whether it is complete)", refusal = target.exists())
                    .into())
            }
        }
    }

    /// A partial file of another program, with the document that the server has now as its description.
    fn adopted(&self, target: &Target, length: u64, metadata: Metadata, url: &str) -> Result<Part, AttemptError> {
        if metadata.size.is_none_or(|size| length > size) {
            let why = match metadata.size {
                Some(size) => {
                    message!("it has {length} octets, but the document has {size}", length = length, size = size)
                }
                None => words!("the server does not say how long the document is").into(),
            };
            return Err(save::not_resumed(target.shown(), why).into());
        }
        self.run.console.remark(&said!(
            "{url}: the first {length} octets are taken from a file that another program wrote (--trust-partial)",
            url = self.report.shown(),
            length = length
        ));
        Ok(target.adopt(&PartialInfo { url: url.to_owned(), metadata })?)
    }

    /// Retries until an attempt succeeds or fails permanently.
    fn transfer(&mut self, sink: &mut dyn Sink) -> Result<Status, AttemptError> {
        // Of attempts that failed: what they sent went out, whatever the last one does.
        let mut notes = Vec::new();
        let end = self.attempts(sink, &mut notes);
        if let Err(error) = &end {
            // Its own are said with it.
            notes.retain(|note| !error.notes().contains(note));
            access::notes(&notes, &self.run.console);
        }
        end
    }

    /// The end of the last attempt, and the notes of those before it.
    fn attempts(&mut self, sink: &mut dyn Sink, notes: &mut Vec<Note>) -> Result<Status, AttemptError> {
        for retry in 0.. {
            self.may_retry = retry < self.run.get.retry && !has_effects(self.url);
            match self.attempt(sink) {
                Err(AttemptError::Client(error)) if self.may_retry && error.is_transient() => {
                    let wait = retry::wait(retry);
                    for note in error.notes() {
                        if !notes.contains(note) {
                            notes.push(*note);
                        }
                    }
                    let error = error.message_in(language());
                    self.run.console.remark(&said!(
                        "{url}: {error}; retrying in {seconds}s",
                        url = self.report.shown(),
                        error = format!("{error:#}"),
                        seconds = wait.as_secs()
                    ));
                    self.run.sleep(wait.min(self.until().map_or(wait, left)))?;
                }
                end => return end,
            }
        }
        // 2^32 attempts have failed.
        Err(AttemptError::Local(Status::Failed(ErrorKind::Limit), said!("no attempts left")))
    }

    /// When the time of the whole tree is up.
    fn until(&self) -> Option<Instant> {
        self.errand.and_then(|errand| errand.until)
    }

    fn attempt(&mut self, sink: &mut dyn Sink) -> Result<Status, AttemptError> {
        self.run.check_cancelled()?;
        let mut call = call(self.run);
        call.timeout = call.timeout.into_iter().chain(self.until().map(left)).min();
        self.ends = call.timeout.and_then(|most| Instant::now().checked_add(most));
        let end = self.answer(call, sink);
        let is_timeout = match &end {
            Err(AttemptError::Client(error) | AttemptError::Session(error)) => error.kind() == ErrorKind::Timeout,
            Err(AttemptError::Local(status, _)) => *status == Status::Failed(ErrorKind::Timeout),
            Err(AttemptError::Fatal(_)) | Ok(_) => false,
        };
        // What ended it may be the time of the whole tree.
        let is_over = self.until().is_some_and(|until| left(until).is_zero());
        if is_over && is_timeout { Err(past_limit("--max-run")) } else { end }
    }

    fn answer(&mut self, mut call: OpenOptions, sink: &mut dyn Sink) -> Result<Status, AttemptError> {
        call.linked_from = self.errand.and_then(|errand| errand.from.cloned());
        call.resume = sink.resume();
        call.metadata = self.run.get.saves() || self.run.get.retry > 0;
        call.date = self.run.get.saves() && !self.run.get.no_date;
        call.error_body = self.run.get.show_error_body;
        let resource = self.run.client.open_with(self.url, &call)?;
        self.receive(resource, sink)
    }

    fn receive(&mut self, resource: Resource, sink: &mut dyn Sink) -> Result<Status, AttemptError> {
        match resource {
            Resource::Document(document) => self.document(document, sink),
            Resource::Menu(mut menu) => {
                self.report.found(menu.final_url(), "menu");
                match sink.lines() {
                    Some(out) => {
                        let shape = if self.run.context.json { ls::Shape::Json } else { ls::Shape::Line };
                        ls::entries(&mut menu, shape, out, &self.run.console).map_err(AttemptError::Fatal)
                    }
                    None => {
                        let what = said!("the URL names a menu, not a document; use `urlwise ls`");
                        Err(AttemptError::Local(Status::Failed(ErrorKind::NoAccess), what))
                    }
                }
            }
            Resource::Session(session) => {
                self.report.found(session.final_url(), "session");
                let Some(out) = sink.lines() else { return Err(session::not_saved()) };
                let (octets, end) = session::hold(self.run, *session, self.input, out);
                self.report.bytes += octets;
                end.map(|()| Status::Ok)
            }
            Resource::Attributes(mut attributes) => {
                self.report.found(attributes.final_url(), "attributes");
                match sink.lines() {
                    Some(out) => {
                        let json = self.run.context.json;
                        let end = attributes::write(&mut attributes, json, out, &self.run.console);
                        self.report.bytes += attributes.octets_read();
                        end.map_err(AttemptError::Fatal)
                    }
                    None => self.document(attributes.into_document(), sink),
                }
            }
            Resource::Form(form) => {
                let filled = form::fill(self.run, &form)?;
                if self.run.get.gopher.form_url {
                    let url = if self.run.context.show_secrets { filled.url().to_string() } else { filled.to_string() };
                    self.run.console.message(&said!("the filled-in form is {url}", url = url));
                }
                let resource = self.run.client.submit(&filled)?;
                self.receive(resource, sink)
            }
            Resource::Draft(draft) => {
                access::notes(draft.notes(), &self.run.console);
                let end = match (&self.run.draft_action, sink.lines()) {
                    (DraftAction::Show, Some(out)) => {
                        write!(out, "{draft}").map(|()| Status::Ok).map_err(|error| AttemptError::Fatal(error.into()))
                    }
                    (DraftAction::Show, None) => self.document(draft.clone().into_document()?, sink),
                    _ => draft::act(self.run, &draft).map(|()| Status::Ok),
                };
                self.report.found(draft.url(), "draft");
                end
            }
            _ => {
                let what = said!("the URL does not name a document");
                Err(AttemptError::Local(Status::Failed(ErrorKind::NoAccess), what))
            }
        }
    }

    fn document(&mut self, mut document: Document, sink: &mut dyn Sink) -> Result<Status, AttemptError> {
        // What would be written twice is not written before the last attempt, and an error is not saved.
        let is_dropped = |error: &Error| sink.lines().is_none() || self.may_retry && error.is_transient();
        if document.failure().is_some_and(is_dropped)
            && let Some(error) = document.take_failure()
        {
            access::notes(document.notes(), &self.run.console);
            return Err(error.into());
        }
        self.report.found(document.final_url(), "document");
        self.report.media_type = document.media_type().map(str::to_owned);
        if let Some(errand) = self.errand
            && errand.scope.is_some_and(|scope| !scope.admits(&document.final_url().borrow()))
        {
            let what = said!(
                "it redirects to {url}, another server (see `--host`)",
                url = document.final_url().masked().to_string()
            );
            return Err(AttemptError::Local(Status::Failed(ErrorKind::Refused), what));
        }
        let read = self.read(&mut document, sink);
        self.found = self.errand.map(|_| Found::of(&document));
        self.report.bytes += document.octets_read();
        access::notes(document.notes(), &self.run.console);
        read?;
        match document.take_failure() {
            // What the server sent has been written; the failure is final.
            Some(error) => Err(AttemptError::Session(error)),
            None => Ok(Status::Ok),
        }
    }

    fn read(&self, document: &mut Document, sink: &mut dyn Sink) -> Result<(), AttemptError> {
        if let Some(remark) = sink.begin(document)? {
            self.run.console.remark(&about(self.report.shown(), remark));
        }
        let bar = self.run.progress.begin(|| name::of(self.url), document.offset(), document.size());
        let mut most = self.errand.map_or(u64::MAX, |errand| errand.most);
        // How long the rate has to be waited for before more is passed on; behind the last octets nothing is.
        let mut wait = Duration::ZERO;
        loop {
            self.run.check_cancelled()?;
            let octets = document.fill()?;
            let octets = &octets[..octets.len().min(self.run.pace.step())];
            let count = octets.len();
            if count == 0 {
                return Ok(());
            }
            let left = self.ends.map_or(Duration::MAX, left);
            self.run.sleep(wait.min(left))?;
            if wait >= left {
                return Err(past("--max-time", ErrorKind::Timeout));
            }
            most = most.checked_sub(count as u64).ok_or_else(|| past_limit("--max-total"))?;
            sink.take(octets)?;
            document.consume_octets(count);
            bar.add(count as u64);
            wait = self.run.pace.wait(count, Instant::now());
        }
    }
}
