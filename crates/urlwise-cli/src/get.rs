//! `urlwise get`: the octets a URL names, on standard output or in a file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use urlwise::{Profile, Url};
use urlwise_open::{Class, Client, Document, Resource};

use crate::access;
use crate::cli::Get;
use crate::exit::{Failure, Outcome};
use crate::input::{self, Record};
use crate::json::{self, Object};
use crate::ls;

/// Gets every URL of the input, or shows how it would be got.
pub(crate) fn run(get: &Get, profile: Profile, json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let client = access::client(&get.opening)?;
    let mut first = Class::Ok;
    let mut count = 0;
    input::for_each(&get.inputs, Some("get"), |record| {
        count += 1;
        if count > 1 && get.output.is_some() {
            return Err(Failure::Input("--output takes one URL: a second one would overwrite the first".into()));
        }
        let end = one(&client, get, &record, profile, json, out)?;
        first = if first == Class::Ok { end } else { first };
        Ok(())
    })?;
    Ok(Outcome::Opened(first))
}

fn one(
    client: &Client,
    get: &Get,
    record: &Record<'_>,
    profile: Profile,
    json: bool,
    out: &mut dyn Write,
) -> Result<Class, Failure> {
    let started = Instant::now();
    let url = match access::url(record, profile) {
        Ok(url) => url,
        Err(class) => return Ok(class),
    };
    if get.dry_run {
        return plan(client, &url, json, out);
    }
    let mut report = Report::new(&url);
    let end = match client.open(&url) {
        Ok(resource) => fetch(resource, get, &mut report, out)?,
        Err(error) => {
            report.error = Some(error.to_string());
            access::failed(&error)
        }
    };
    if json {
        report.write(end, started, get.output.is_some(), out)?;
    }
    Ok(end)
}

/// Shows the dialogue that would be held; nothing is opened.
fn plan(client: &Client, url: &Url<&str>, json: bool, out: &mut dyn Write) -> Result<Class, Failure> {
    let plan = match client.plan(url) {
        Ok(plan) => plan,
        Err(error) => return Ok(access::failed(&error)),
    };
    for line in plan.lines() {
        if json {
            let mut object = Object::new();
            object.insert("url".into(), url.masked().to_string().into());
            object.insert("step".into(), line.kind().into());
            object.insert("text".into(), line.to_string().into());
            json::write_line(out, &object)?;
        } else {
            writeln!(out, "{:<8} {line}", line.kind())?;
        }
    }
    Ok(Class::Ok)
}

fn fetch(resource: Resource, get: &Get, report: &mut Report, out: &mut dyn Write) -> Result<Class, Failure> {
    match resource {
        Resource::Document(mut document) => {
            report.kind = "document";
            report.final_url = document.final_url().masked().to_string();
            report.media_type = document.media_type().map(str::to_owned);
            let end = match &get.output {
                Some(path) => save(&mut document, path, get.force, report)?,
                None => show(&mut document, report, out)?,
            };
            report.bytes = document.octets_read();
            access::notes(document.notes());
            Ok(end)
        }
        Resource::Menu(mut menu) => {
            report.kind = "menu";
            report.final_url = menu.final_url().masked().to_string();
            if get.output.is_some() {
                report.error = Some("the URL names a menu, not a document".into());
                access::tell("the URL names a menu, not a document: `urlwise ls` lists it");
                return Ok(Class::NoAccess);
            }
            ls::entries(&mut menu, false, out)
        }
        _ => Ok(Class::NoAccess),
    }
}

/// Writes a document to standard output as it comes. A terminal gets no octets that it would obey.
fn show(document: &mut Document, report: &mut Report, out: &mut dyn Write) -> Result<Class, Failure> {
    let guarded = io::stdout().is_terminal();
    loop {
        let octets = match document.fill() {
            Ok(octets) => octets,
            Err(error) => {
                report.error = Some(error.to_string());
                out.flush()?;
                return Ok(access::failed(&error));
            }
        };
        if octets.is_empty() {
            out.flush()?;
            return Ok(Class::Ok);
        }
        if guarded && octets.iter().any(|octet| harms_terminal(*octet)) {
            let why = "the document holds octets that a terminal would obey";
            report.error = Some(why.into());
            out.flush()?;
            access::tell(&format!("{why}: write it to a file with --output, or into a pipe"));
            return Ok(Class::Write);
        }
        let count = octets.len();
        out.write_all(octets)?;
        document.consume_octets(count);
    }
}

/// Controls, except those that move on in plain text; C1 controls are part of UTF-8 and cannot be told here.
fn harms_terminal(octet: u8) -> bool {
    octet.is_ascii_control() && !matches!(octet, b'\t' | b'\n' | b'\r' | 0x0C)
}

/// Writes a document to a file that appears whole or not at all: under another name first, then renamed.
fn save(document: &mut Document, path: &Path, force: bool, report: &mut Report) -> Result<Class, Failure> {
    let shown = urlwise::shown(path.as_os_str().as_encoded_bytes()).to_string();
    let mut fail = |what: &str| {
        report.error = Some(what.to_owned());
        access::tell(what);
        Ok(Class::Write)
    };
    if !force && fs::symlink_metadata(path).is_ok() {
        return fail(&format!("{shown} exists; --force overwrites it"));
    }
    let (temporary, mut file) = match temporary(path) {
        Ok(made) => made,
        Err(error) => return fail(&format!("{shown} cannot be written: {error}")),
    };
    let written = document.write_to(&mut file);
    let end = match written {
        Err(error) => {
            report.error = Some(error.to_string());
            access::failed(&error)
        }
        Ok(_) => {
            drop(file);
            match publish(&temporary, path, force) {
                Ok(()) => {
                    report.saved_as = Some(shown);
                    return Ok(Class::Ok);
                }
                Err(error) => {
                    let what = format!("{shown} cannot be written: {error}");
                    report.error = Some(what.clone());
                    access::tell(&what);
                    Class::Write
                }
            }
        }
    };
    // What is left is the file that this run made; if it cannot be removed, its name says what it is.
    let _ = fs::remove_file(&temporary);
    Ok(end)
}

/// A new file beside `path`, so that renaming it moves nothing.
fn temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    const TRIES: u32 = 100;
    let name = path.file_name().ok_or_else(|| io::Error::other("it names no file"))?;
    for number in 0..TRIES {
        let mut part = name.to_owned();
        part.push(format!(".{}-{number}.part", std::process::id()));
        let part = path.with_file_name(part);
        match OpenOptions::new().write(true).create_new(true).open(&part) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|file| (part, file)),
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists))
}

/// Gives the finished file its name. Without `force`, a file that has appeared meanwhile is left alone.
fn publish(temporary: &Path, path: &Path, force: bool) -> io::Result<()> {
    if force {
        return fs::rename(temporary, path);
    }
    match fs::hard_link(temporary, path) {
        Ok(()) => fs::remove_file(temporary),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Some file systems know no links; then the look at the beginning has to do.
        Err(_) => fs::rename(temporary, path),
    }
}

/// What `--json` says of one transfer, by the contract.
struct Report {
    url: String,
    final_url: String,
    kind: &'static str,
    bytes: u64,
    media_type: Option<String>,
    saved_as: Option<String>,
    error: Option<String>,
}

impl Report {
    fn new(url: &Url<&str>) -> Report {
        let url = url.masked().to_string();
        Report {
            final_url: url.clone(),
            url,
            kind: "document",
            bytes: 0,
            media_type: None,
            saved_as: None,
            error: None,
        }
    }

    /// Writes it to standard output if that is free, to standard error if the document went there.
    fn write(self, end: Class, started: Instant, free: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let mut object = Object::new();
        object.insert("url".into(), self.url.into());
        object.insert("final_url".into(), self.final_url.into());
        object.insert("kind".into(), self.kind.into());
        object.insert("bytes".into(), self.bytes.into());
        object.insert("media_type".into(), self.media_type.into());
        object.insert("saved_as".into(), self.saved_as.into());
        object.insert("seconds".into(), started.elapsed().as_secs_f64().into());
        object.insert("ok".into(), (end == Class::Ok).into());
        object.insert("error".into(), self.error.into());
        object.insert("exit".into(), end.code().into());
        if free {
            json::write_line(out, &object)?;
        } else {
            json::write_line(&mut io::stderr(), &object)?;
        }
        Ok(())
    }
}
