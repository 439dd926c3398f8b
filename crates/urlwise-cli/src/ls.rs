//! `urlwise ls`: lists the entries of a menu or directory, each with its URL.

mod turns;

use std::io::Write;

use urlwise::{Locator, Profile, Scheme, escape_for_display};
use urlwise_explain::secret;
use urlwise_open::protocol::{Note, gopher};
use urlwise_open::{Cancel, Client, Entry, EntryKind, Menu, OpenOptions};

use crate::cli::List;
use crate::console::Console;
use crate::exit::{Failure, Outcome, Status, os_message};
use crate::input::{self, OwnRecord, Record};
use crate::json::{self, Object};
use crate::language::{language, said};
use crate::settings;
use crate::{access, interrupt};
use turns::{Turn, Turns};

/// How entries are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A line for people.
    Line,
    /// The same, followed by its description and further URLs.
    Long,
    /// An object for programs.
    Json,
}

/// How octets that are not UTF-8 are shown to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    /// Escaped, since their meaning is unknown.
    Unknown,
    /// As Latin-1, the character set of gopher.
    Latin1,
}

impl Charset {
    /// The character set of what a server of this scheme writes.
    fn of(scheme: Scheme) -> Charset {
        if scheme.base() == Scheme::Gopher { Charset::Latin1 } else { Charset::Unknown }
    }

    /// Octets as text for people, escaped.
    fn shown(self, octets: &[u8]) -> String {
        match self {
            Charset::Unknown => escape_for_display(octets).to_string(),
            Charset::Latin1 => gopher_text(octets),
        }
    }
}

/// What a gopher server wrote, as text for people, escaped.
pub(crate) fn gopher_text(octets: &[u8]) -> String {
    escape_for_display(gopher::text(octets).as_bytes()).to_string()
}

/// How the URLs of a run are listed.
struct Listing {
    client: Client,
    call: OpenOptions,
    profile: Profile,
    shape: Shape,
}

/// Lists every URL of the input.
pub(crate) fn run(list: &List, profile: Profile, json: bool, out: &mut (dyn Write + Send)) -> Result<Outcome, Failure> {
    let (console, cancel) = (Console::default(), Cancel::new());
    let mut options =
        access::options(&list.opening, &settings::of(&list.opening.own)?, &console, Some(cancel.clone()))?;
    options.wais_lynx_urls = list.lynx_urls;
    let shape = match (json, list.long) {
        (true, _) => Shape::Json,
        (false, true) => Shape::Long,
        (false, false) => Shape::Line,
    };
    let mut call = access::call(&list.opening);
    call.details = list.long;
    let listing = Listing { client: Client::new(options), call, profile, shape };
    interrupt::listen(&cancel, &console)?;
    let turns = Turns::new(out, &console, &cancel);
    let read = urlwise_open::run_many(
        list.parallel.into(),
        |jobs| {
            let mut number = 0;
            input::for_each(&list.inputs, Some("ls"), |record| {
                if turns.have_ended() {
                    return Err(Failure::Enough);
                }
                jobs.push((number, OwnRecord::from(record)));
                number += 1;
                Ok(())
            })
        },
        |(number, record)| {
            if !turns.have_ended() {
                let mut turn = turns.turn(number);
                let end = listing.one(&record.borrow(), &mut turn);
                turn.end(end);
            }
        },
    );
    let first = turns.end();
    console.end();
    let read = read
        .map_err(|error| Failure::Input(said!("cannot start that many transfers: {why}", why = os_message(&error))))?;
    match read {
        Err(failure) if !matches!(failure, Failure::Enough) => Err(failure),
        Ok(0) => Err(Failure::Input(input::NOTHING_READ.get(language()).into())),
        _ if cancel.is_requested() => Ok(Outcome::Opened(Status::Interrupted)),
        _ => Ok(Outcome::Opened(first?)),
    }
}

impl Listing {
    fn one(&self, record: &Record<'_>, turn: &mut Turn<'_, '_>) -> Result<Status, Failure> {
        let console = turn.console().clone();
        let url = match access::url(record, self.profile, &console) {
            Ok(url) => url,
            Err(status) => return Ok(status),
        };
        match self.client.list_with(&url, &self.call) {
            Ok(mut menu) => entries(&mut menu, self.shape, turn, &console),
            Err(error) => Ok(access::failed(&error, &console)),
        }
    }
}

/// Writes the entries of a menu as they arrive.
pub(crate) fn entries(
    menu: &mut Menu,
    shape: Shape,
    out: &mut dyn Write,
    console: &Console,
) -> Result<Status, Failure> {
    let mut end = Status::Ok;
    let charset = Charset::of(menu.final_url().scheme());
    let mut has_passwords = false;
    for entry in menu.by_ref() {
        if let Ok(Entry { url: Some(url), .. }) = &entry {
            has_passwords |= !urlwise::secrets(url.as_str().as_bytes()).is_empty();
        }
        match entry {
            Ok(entry) if shape == Shape::Json => json::write_line(out, &object(&entry))?,
            Ok(entry) => line(&entry, shape == Shape::Long, charset, out)?,
            Err(error) => end = access::failed(&error, console),
        }
    }
    if has_passwords {
        console.remark(&said!(
            "passwords are left out of the URLs listed; `get` asks for them, or takes them from --netrc-file"
        ));
    }
    if shape == Shape::Json {
        for note in menu.notes() {
            json::write_line(out, &self::note(note))?;
        }
    }
    access::notes(menu.notes(), console);
    Ok(end)
}

/// An entry for people: its kind, known metadata, its title, and the URL in the wrapper that the Appendix
/// of RFC 1738 recommends for URLs in text.
pub(crate) fn line(entry: &Entry, long: bool, charset: Charset, out: &mut dyn Write) -> Result<(), Failure> {
    let title = charset.shown(&entry.title);
    if entry.kind == EntryKind::Info {
        writeln!(out, "{:10}{title}", "")?;
        return Ok(());
    }
    write!(out, "{:<10}", entry.kind.name())?;
    if let Some(number) = entry.number {
        write!(out, "{number:>7}  ")?;
    }
    let modified = entry.modified_text();
    if entry.size.is_some() || modified.is_some() {
        let size = entry.size.map_or_else(|| "-".into(), |size| size.to_string());
        // To the minute, in UTC: `1994-12-01 00:00Z`.
        let to_the_minute = modified.as_deref().and_then(|modified| modified.get(..16));
        let modified = to_the_minute.map_or_else(|| "-".into(), |modified| modified.replace('T', " ") + "Z");
        write!(out, "{size:>12}  {modified:<17}  ")?;
    }
    if let Some(score) = entry.score {
        let lines = entry.lines.map_or_else(|| "-".into(), |lines| lines.to_string());
        write!(out, "{score:>6}  {}  ", said!("{count} lines", count = format!("{lines:>5}")))?;
        // A hit has one entry per type; the type distinguishes them.
        if let Some(wtype) = wtype(entry) {
            write!(out, "{wtype:<4}  ")?;
        }
    }
    write!(out, "{title}")?;
    if let Some(from) = &entry.from {
        write!(out, "  ({})", escape_for_display(from))?;
    }
    let description = entry.description.as_deref().unwrap_or_default();
    // Only a description that fits on the line.
    if !long && !description.is_empty() && !description.contains(&b'\n') {
        write!(out, ": {}", charset.shown(description))?;
    }
    match &entry.url {
        Some(url) => write!(out, "  <URL:{}>", secret::left_out(url.as_str()))?,
        None if entry.kind == EntryKind::Error => {}
        None => write!(out, "  {}", said!("(cannot be opened: the server's entry does not form a valid URL)"))?,
    }
    writeln!(out)?;
    for line in description.split(|octet| *octet == b'\n').filter(|_| long && !description.is_empty()) {
        writeln!(out, "{:10}{}", "", charset.shown(line))?;
    }
    for url in entry.also.iter().filter(|_| long) {
        let url = format!("<URL:{}>", secret::left_out(url.as_str()));
        writeln!(out, "{:10}{}", "", said!("also {url}", url = url))?;
    }
    Ok(())
}

/// The type of a WAIS document (RFC 1738 section 3.9); `None` for anything else.
fn wtype(entry: &Entry) -> Option<String> {
    match entry.url.as_ref()?.locator() {
        Locator::Wais(wais) => Some(escape_for_display(&wais.wtype()?.decode()).to_string()),
        _ => None,
    }
}

/// A note about the whole answer as a JSON object.
fn note(note: &Note) -> Object {
    let mut object = Object::new();
    object.insert("note".into(), note.code.into());
    object.insert("message".into(), note.message.get(language()).into());
    object.insert("rule".into(), note.rule.into());
    object
}

/// An entry as a JSON object.
pub(crate) fn object(entry: &Entry) -> Object {
    let mut object = Object::new();
    object.insert("url".into(), entry.url.as_ref().map(|url| secret::left_out(url.as_str())).into());
    json::text(&mut object, "title", Some(&entry.title));
    object.insert("kind".into(), entry.kind.name().into());
    object.insert("size".into(), entry.size.into());
    object.insert("modified".into(), entry.modified_text().into());
    object.insert("type".into(), entry.media_type.clone().into());
    // Only some protocols have these.
    if let Some(lines) = entry.lines {
        object.insert("lines".into(), lines.into());
    }
    if let Some(score) = entry.score {
        object.insert("score".into(), score.into());
    }
    if let Some(number) = entry.number {
        object.insert("number".into(), number.into());
    }
    if entry.from.is_some() {
        json::text(&mut object, "from", entry.from.as_deref());
    }
    if entry.description.is_some() {
        json::text(&mut object, "description", entry.description.as_deref());
    }
    if !entry.also.is_empty() {
        let also: Vec<_> = entry.also.iter().map(|url| secret::left_out(url.as_str())).collect();
        object.insert("also".into(), also.into());
    }
    object
}
