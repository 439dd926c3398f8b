//! One URL, from its text to its end.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use urlwise::{GopherPlus, Locator, Scheme, Url};
use urlwise_open::{Document, Error, ErrorKind, OpenOptions, PlanLine, Resource, ViewChoice};

use super::draft::Fate;
use super::report::Report;
use super::save::{Standing, Target};
use super::sink::{Saved, Sink, Stop, Stream};
use super::{Run, attributes, draft, form, name, retry, session};
use crate::access;
use crate::exit::{Failure, Status};
use crate::hint;
use crate::input::{self, Record};
use crate::json::{self, Object};
use crate::ls;

/// How an attempt failed.
pub(super) enum Trouble {
    /// As the client says it.
    Open(Error),
    /// A session ended so: it is not held once more.
    Ended(Error),
    /// As the program says it.
    Here(Status, String),
    /// The program cannot go on.
    Fatal(Failure),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble::Open(error)
    }
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Trouble {
        match stop {
            Stop::Refused(status, what) => Trouble::Here(status, what),
            Stop::Unread(error) => Trouble::Fatal(error.into()),
        }
    }
}

impl From<String> for Trouble {
    fn from(refusal: String) -> Trouble {
        Trouble::Here(Status::Failed(ErrorKind::Write), refusal)
    }
}

/// Gets one URL, and tells how that ended.
pub(super) fn one(run: &Run<'_>, record: &Record<'_>) -> Result<Status, Failure> {
    let mut report = Report::new(record, run.context.show_secrets);
    let end = match access::url(record, run.profile, &run.voice) {
        Ok(url) if run.get.dry_run => return plan(run, &url).or_else(|trouble| told(run, &mut report, trouble)),
        Ok(url) => {
            let input = record.place.is_none_or(|place| place.file != input::STDIN);
            Job { run, url: &url, report: &mut report, input }.get()
        }
        Err(status) => {
            report.error = Some("the text is not a valid URL".into());
            Ok(status)
        }
    };
    let end = end.or_else(|trouble| told(run, &mut report, trouble))?;
    if run.context.json {
        let line = report.line(end);
        if run.get.saves() {
            let mut out = run.out();
            out.write_all(&line)?;
            out.flush()?;
        } else {
            run.voice.write(&line);
        }
    }
    Ok(end)
}

/// Tells of an attempt that failed; its status, unless the program cannot go on.
fn told(run: &Run<'_>, report: &mut Report, trouble: Trouble) -> Result<Status, Failure> {
    match trouble {
        Trouble::Fatal(failure) => Err(failure),
        Trouble::Here(status, what) => {
            run.voice.tell(&format!("{}: {what}", report.url()));
            report.error = Some(what);
            Ok(status)
        }
        Trouble::Open(error) | Trouble::Ended(error) => {
            report.error = Some(hint::message(&error));
            Ok(access::failed(&error, &run.voice))
        }
    }
}

/// Shows the dialogue that would be held; nothing is opened.
fn plan(run: &Run<'_>, url: &Url<&str>) -> Result<Status, Trouble> {
    run.fate.admit(url, run.client.gateways())?;
    form::check(run, url)?;
    let plan = run.client.plan_with(url, &call(run))?;
    let more = draft::plan(run, url)?;
    let mut out = run.out();
    let mut end = Status::Ok;
    for line in plan.lines().iter().chain(&more) {
        if let PlanLine::Need(_) = line {
            run.voice.tell(&format!("{}: cannot be opened without {line}", url.masked()));
            end = Status::Failed(ErrorKind::NoAccess);
        }
        let written = if run.context.json {
            let mut object = Object::new();
            object.insert("url".into(), url.masked().to_string().into());
            object.insert("step".into(), line.kind().into());
            object.insert("text".into(), line.to_string().into());
            json::write_line(&mut **out, &object)
        } else {
            writeln!(out, "{:<8} {line}", line.kind())
        };
        written.map_err(|error| Trouble::Fatal(error.into()))?;
    }
    Ok(end)
}

/// The options of each call.
fn call(run: &Run<'_>) -> OpenOptions {
    let gopher = &run.get.gopher;
    let mut call = access::call(&run.get.opening);
    call.view = gopher.view.clone().map(|view| ViewChoice::new(view).with_language(gopher.language.clone()));
    call
}

/// Whether something is done for the URL, so that it is opened once only: a form, filled or to be filled; a mail.
fn does_something(url: &Url<&str>) -> bool {
    match url.locator() {
        Locator::Gopher(gopher) => matches!(gopher.plus(), Some(GopherPlus::Form | GopherPlus::FilledForm { .. })),
        Locator::Mailto(_) => true,
        _ => false,
    }
}

struct Job<'j, 'r> {
    run: &'j Run<'r>,
    url: &'j Url<&'j str>,
    report: &'j mut Report,
    /// Standard input is free to be read: the URL did not come from there.
    input: bool,
}

impl Job<'_, '_> {
    fn get(&mut self) -> Result<Status, Trouble> {
        if self.run.get.saves() && self.url.scheme().base() == Scheme::Telnet {
            return Err(session::not_saved());
        }
        self.run.fate.admit(self.url, self.run.client.gateways())?;
        form::check(self.run, self.url)?;
        match self.path()? {
            Some(path) => {
                let target = Target::new(path, self.run.get.force, self.run.get.go_on);
                match target.device().map_err(|error| format!("cannot open {}: {error}", target.shown()))? {
                    Some(mut device) => {
                        let guarded = device.is_terminal();
                        self.transfer(&mut Stream::new(&mut device, Some(target.shown()), guarded))
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
    fn path(&self) -> Result<Option<PathBuf>, Trouble> {
        let get = self.run.get;
        let name = match &get.output {
            Some(output) if output == Path::new("-") => return Ok(None),
            Some(output) => output.clone(),
            None if get.remote_name => {
                let name = name::of(self.url);
                if name.len() > name::LONGEST {
                    let (has, most) = (name.len(), name::LONGEST);
                    let what = format!(
                        "the file name from the URL is {has} octets long, more than the {most} allowed; use --output"
                    );
                    return Err(Trouble::Here(Status::Failed(ErrorKind::Limit), what));
                }
                name.into()
            }
            None => return Ok(None),
        };
        Ok(Some(get.output_dir.as_ref().map_or(name.clone(), |folder| folder.join(&name))))
    }

    fn save(&mut self, target: Target) -> Result<Status, Trouble> {
        let url = self.url.masked().to_string();
        let part = match target.look()? {
            Standing::Free => None,
            Standing::Begun(part) => {
                let of = part.about().map(|about| about.url.as_str()).unwrap_or_default();
                if of != url {
                    let of = urlwise::escape_for_display(of.as_bytes());
                    return Err(format!(
                        "{}.part belongs to {of}; use --output to save this URL under another name",
                        target.shown()
                    )
                    .into());
                }
                Some(part)
            }
            Standing::There(length) => return self.there(&target, length),
        };
        let mut saved = Saved::new(target, url, part);
        if saved.has_all() && saved.is_whole(&self.run.client.metadata(self.url)?) {
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
                    self.run.voice.tell(&left);
                }
                end
            }
        }
    }

    /// `--continue` where the file has its name already: an earlier run saw to that, if it is as long as the document.
    fn there(&mut self, target: &Target, length: u64) -> Result<Status, Trouble> {
        let facts = self.run.client.metadata(self.url)?;
        self.report.media_type = facts.media_type;
        match facts.size {
            Some(size) if size == length => {
                self.report.saved_as = Some(target.shown());
                self.run.voice.remark(&format!("{} is already complete", target.shown()));
                Ok(Status::Ok)
            }
            Some(size) => Err(format!("{} ({length} octets, but the document has {size})", target.exists()).into()),
            None => Err(format!("{} (the server does not say whether it is complete)", target.exists()).into()),
        }
    }

    /// Attempts, until one succeeds or there is no hope left.
    fn transfer(&mut self, sink: &mut dyn Sink) -> Result<Status, Trouble> {
        for retry in 0.. {
            let end = self.attempt(sink);
            match end {
                Err(Trouble::Open(error))
                    if retry < self.run.get.retry && error.is_transient() && !does_something(self.url) =>
                {
                    let wait = retry::wait(retry);
                    self.run.voice.remark(&format!("{}: {error}; retrying in {wait:?}", self.report.url()));
                    self.sleep(wait)?;
                }
                end => return end,
            }
        }
        // 2^32 attempts have failed.
        Err(Trouble::Here(Status::Failed(ErrorKind::Limit), "no attempts left".into()))
    }

    fn sleep(&self, wait: Duration) -> Result<(), Trouble> {
        const LOOK: Duration = Duration::from_millis(100);
        let end = Instant::now() + wait;
        loop {
            self.check_cancelled()?;
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            thread::sleep(left.min(LOOK));
        }
    }

    /// Whether somebody wants the program to end.
    fn check_cancelled(&self) -> Result<(), Trouble> {
        if self.run.cancel.is_requested() {
            return Err(Trouble::Here(Status::Interrupted, "interrupted".into()));
        }
        Ok(())
    }

    fn attempt(&mut self, sink: &mut dyn Sink) -> Result<Status, Trouble> {
        self.check_cancelled()?;
        let mut call = call(self.run);
        call.resume = sink.resume();
        call.metadata = self.run.get.saves() || self.run.get.retry > 0;
        let resource = self.run.client.open_with(self.url, &call)?;
        self.receive(resource, sink)
    }

    fn receive(&mut self, resource: Resource, sink: &mut dyn Sink) -> Result<Status, Trouble> {
        match resource {
            Resource::Document(document) => self.document(document, sink),
            Resource::Menu(mut menu) => {
                self.report.found(menu.final_url(), "menu");
                match sink.lines() {
                    Some(out) => ls::entries(&mut menu, ls::Shape::Line, out, &self.run.voice).map_err(Trouble::Fatal),
                    None => {
                        let what = "the URL names a menu, not a document; use `urlwise ls`";
                        Err(Trouble::Here(Status::Failed(ErrorKind::NoAccess), what.into()))
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
                        let end = attributes::write(&mut attributes, json, out, &self.run.voice);
                        self.report.bytes += attributes.octets_read();
                        end.map_err(Trouble::Fatal)
                    }
                    None => self.document(attributes.into_document(), sink),
                }
            }
            Resource::Form(form) => {
                let filled = form::fill(self.run, &form)?;
                if self.run.get.gopher.form_url {
                    let url = if self.run.context.show_secrets { filled.url().to_string() } else { filled.to_string() };
                    self.run.voice.tell(&format!("the filled-in form is {url}"));
                }
                let resource = self.run.client.submit(&filled)?;
                self.receive(resource, sink)
            }
            Resource::Draft(draft) => {
                access::notes(draft.notes(), &self.run.voice);
                let end = match (&self.run.fate, sink.lines()) {
                    (Fate::Shown, Some(out)) => {
                        write!(out, "{draft}").map(|()| Status::Ok).map_err(|error| Trouble::Fatal(error.into()))
                    }
                    (Fate::Shown, None) => self.document(draft.clone().into_document()?, sink),
                    _ => draft::act(self.run, &draft).map(|()| Status::Ok),
                };
                self.report.found(draft.url(), "draft");
                end
            }
            _ => Err(Trouble::Here(Status::Failed(ErrorKind::NoAccess), "the URL does not name a document".into())),
        }
    }

    fn document(&mut self, mut document: Document, sink: &mut dyn Sink) -> Result<Status, Trouble> {
        self.report.found(document.final_url(), "document");
        self.report.media_type = document.media_type().map(str::to_owned);
        let read = self.read(&mut document, sink);
        self.report.bytes += document.octets_read();
        access::notes(document.notes(), &self.run.voice);
        read.map(|()| Status::Ok)
    }

    fn read(&self, document: &mut Document, sink: &mut dyn Sink) -> Result<(), Trouble> {
        if let Some(remark) = sink.begin(document)? {
            self.run.voice.remark(&format!("{}: {remark}", self.report.url()));
        }
        let bar = self.run.progress.begin(&name::of(self.url), document.offset(), document.size());
        loop {
            self.check_cancelled()?;
            let octets = document.fill()?;
            let count = octets.len();
            if count == 0 {
                return Ok(());
            }
            sink.take(octets)?;
            document.consume_octets(count);
            bar.add(count as u64);
        }
    }
}
