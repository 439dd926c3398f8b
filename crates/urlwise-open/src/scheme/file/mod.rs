//! file: documents and directories of this machine (RFC 1738 section 3.10, D-63 to D-65).
//!
//! The path is the segments, each decoded on its own, joined by the system's separator: no `~`, no shell, no patterns.
//! Symbolic links are followed, but a file is checked after it has been opened, so that nothing can be swapped in between (S-37).

pub(crate) mod media;
mod names;

use super::context::Context;
use super::opener::{Call, Opener as Opens, Outcome};
use super::plan::{Plan, PlanLine};
use crate::error::kind::ErrorKind;
use crate::error::{Error, system_words};
use crate::language::{message, words};
use crate::net::deadlines::Clock;
use crate::net::many::event_loop;
use crate::probe::Probe;
use crate::protocol::{Hint, Note, shown};
use crate::protocol::{Metadata, Resume};
use crate::resource::{Body, Document, Entry, EntryKind, List, Menu, Resource};
use names::Names;
use std::ffi::OsString;
use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;
use urlwise::path::{self, Style};
use urlwise::{Url, grammar};

const REFERENCE: &str = "RFC 1738 section 3.10";

/// Octets read at a time.
const BUFFER: usize = 256 * 1024;

/// How long to wait before polling a device or pipe again that has no data.
const PAUSE: Duration = Duration::from_millis(20);

/// Opens file URLs.
pub(crate) struct FileOpener;

impl Opens for FileOpener {
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        open(call, call.options().resume.as_ref()).map(Outcome::Here)
    }

    fn list(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        open(call, None).map(Outcome::Here)
    }

    fn metadata(&self, call: &Call<'_>) -> Result<Outcome<Metadata>, Error> {
        Ok(Outcome::Here(match open(call, None)? {
            Resource::Document(document) => document.metadata().clone(),
            _ => Metadata::default(),
        }))
    }

    fn probe(&self, call: &Call<'_>) -> Result<Outcome<Probe>, Error> {
        if call.options().body_limit.is_some() {
            return self.open(call)?.and_probe(call);
        }
        let path = path(call.url())?;
        let found = fs::metadata(&path).map_err(|error| failed(&path, error))?;
        judge(&path, found.file_type(), call.context)?;
        Ok(Outcome::Here(Probe::alive()))
    }

    fn plan(&self, call: &Call<'_>) -> Result<Outcome<Plan>, Error> {
        let path = path(call.url())?.into_os_string().into_encoded_bytes();
        let expected = PlanLine::Expect(words!("the octets of the file, or the names in the directory").into());
        Ok(Outcome::Here(Plan::new(vec![PlanLine::Read { path }, expected])))
    }
}

fn open(call: &Call<'_>, resume: Option<&Resume>) -> Result<Resource, Error> {
    let (context, url) = (call.context, call.url());
    let path = path(url)?;
    // Checked first, because merely opening some devices has effects; checked again once it is open.
    let before = fs::metadata(&path).map_err(|error| failed(&path, error))?;
    judge(&path, before.file_type(), context)?;
    let mut file = open_without_waiting(&path).map_err(|error| failed(&path, error))?;
    let opened = file.metadata().map_err(|error| failed(&path, error))?;
    judge(&path, opened.file_type(), context)?;
    let from = call.history();
    if opened.is_dir() {
        let directory = Directory::read(&path, url, context.max_entries)?;
        return Ok(Resource::Menu(Menu::new(Box::new(directory), from)));
    }
    let media_type = media::by_name(path.as_os_str().as_encoded_bytes()).map(str::to_owned);
    let is_file = opened.is_file();
    let size = is_file.then_some(opened.len());
    let modified = opened.modified().ok().filter(|_| is_file);
    let metadata = Metadata { size, modified, validator: None, media_type: media_type.clone() };
    let offset = match resume {
        Some(resume) if is_file && resume.offset <= opened.len() && is_same(&resume.metadata, &metadata) => {
            file.seek(SeekFrom::Start(resume.offset)).map_err(|error| failed(&path, error))?
        }
        _ => 0,
    };
    let clock = (!is_file).then(|| {
        let mut clock = call.clock.clone();
        clock.asked();
        clock
    });
    let body = FileBody { file, path, clock, has_begun: false, buffer: Vec::new(), there: 0..0 };
    let document = Document::new(Box::new(body), size, context.max_size, media_type, from)?;
    Ok(Resource::Document(document.with(metadata, offset)?))
}

/// Whether a file still has this metadata (S-31).
fn is_same(then: &Metadata, now: &Metadata) -> bool {
    then.modified.is_some() && (then.size, then.modified) == (now.size, now.modified)
}

/// The path a file URL names on this machine.
fn path(url: &Url<&str>) -> Result<PathBuf, Error> {
    let octets = path::from_url(url, Style::NATIVE).map_err(|error| {
        // The policy refuses these too; this is the last check before the file system.
        Error::new(ErrorKind::Refused, error.to_string()).with_reference("D-65")
    })?;
    system_path(octets).ok_or_else(|| {
        Error::new(ErrorKind::Refused, words!("the path is not valid on this system")).with_reference("D-65")
    })
}

#[cfg(unix)]
fn system_path(octets: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    Some(PathBuf::from(OsString::from_vec(octets)))
}

#[cfg(not(unix))]
fn system_path(octets: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(octets).ok().map(PathBuf::from)
}

/// Opens for reading, without blocking on a FIFO that has no writer and without acquiring a controlling terminal.
#[cfg(unix)]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)
}

#[cfg(not(unix))]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

/// Refuses anything but files and directories, unless `special_files` is set.
fn judge(path: &Path, kind: FileType, context: &Context) -> Result<(), Error> {
    if kind.is_file() || kind.is_dir() || context.special_files {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Refused,
        message!("{path} is a device, a pipe or a socket, not a file", path = name_of(path)),
    )
    .with_reference("S-37")
    .with_help(words!("only files and directories are read unless special files are allowed"))
    .with_hint(Hint::SpecialFiles))
}

fn name_of(path: &Path) -> String {
    shown(path.as_os_str().as_encoded_bytes())
}

fn failed(path: &Path, error: io::Error) -> Error {
    let class = match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ErrorKind::NotFound,
        _ => ErrorKind::Read,
    };
    let what = message!("cannot read {path}: {cause}", path = name_of(path), cause = system_words(&error));
    Error::new(class, what).with_reference(REFERENCE).with_source(error)
}

#[cfg(unix)]
fn is_pipe(file: &File) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    file.metadata().is_ok_and(|metadata| metadata.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_: &File) -> bool {
    false
}

/// The octets of an open file.
struct FileBody {
    file: File,
    path: PathBuf,
    /// Bounds waiting, for files that may make a reader wait.
    clock: Option<Clock>,
    has_begun: bool,
    buffer: Vec<u8>,
    there: Range<usize>,
}

impl FileBody {
    /// Waits a little for a device or pipe, as long as the deadlines allow.
    fn pause(&mut self) -> Result<(), Error> {
        if let Some(clock) = &mut self.clock {
            let wait = clock.wait()?;
            event_loop::sleep(wait.at_most.min(PAUSE));
        }
        Ok(())
    }
}

impl Body for FileBody {
    fn fill(&mut self) -> Result<&[u8], Error> {
        if self.there.is_empty() {
            if self.buffer.is_empty() {
                self.buffer = vec![0; BUFFER];
            }
            if let Some(clock) = &mut self.clock {
                // Only these bound a file that never ends.
                clock.wait()?;
            }
            let count = loop {
                match self.file.read(&mut self.buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.pause()?,
                    // A pipe without a writer so far.
                    Ok(0) if !self.has_begun && self.clock.is_some() && is_pipe(&self.file) => self.pause()?,
                    read => break read.map_err(|error| failed(&self.path, error))?,
                }
            };
            self.there = 0..count;
            self.has_begun = true;
            if let Some(clock) = &mut self.clock {
                // The deadline of the first octet applies to every wait for an octet.
                clock.asked();
            }
        }
        Ok(&self.buffer[self.there.clone()])
    }

    fn consume(&mut self, count: usize) {
        self.there.start = (self.there.start + count).min(self.there.end);
    }

    fn take_notes(&mut self) -> Vec<Note> {
        Vec::new()
    }
}

/// The entries of a directory, in the order of their names; the metadata of each is read when it is requested.
struct Directory {
    path: PathBuf,
    /// The directory's URL with a slash at its end.
    base: String,
    profile: urlwise::Profile,
    names: Names,
}

impl Directory {
    fn read(path: &Path, url: &Url<&str>, max_entries: usize) -> Result<Directory, Error> {
        let names = Names::of(path, max_entries)?;
        let mut base = url.as_str().to_owned();
        if !base.ends_with('/') {
            base.push('/');
        }
        Ok(Directory { path: path.to_owned(), base, profile: url.profile(), names })
    }

    fn entry(&self, name: OsString) -> Entry {
        // A dangling link, or a file that is gone by now, is still a name.
        let found = fs::metadata(self.path.join(&name)).ok();
        let title = name.into_encoded_bytes();
        let kind = match &found {
            Some(found) if found.is_dir() => EntryKind::Menu,
            Some(found) if found.is_file() => EntryKind::Document,
            _ => EntryKind::Unknown,
        };
        let slash = if kind == EntryKind::Menu { "/" } else { "" };
        let url = format!("{}{}{slash}", self.base, grammar::FSEGMENT.encode(&title));
        let is_document = kind == EntryKind::Document;
        Entry {
            url: Url::parse_with(url, self.profile).ok(),
            size: found.as_ref().filter(|_| is_document).map(fs::Metadata::len),
            modified: found.as_ref().and_then(|found| found.modified().ok()),
            media_type: is_document.then(|| media::by_name(&title)).flatten().map(str::to_owned),
            ..Entry::new(title, kind)
        }
    }
}

impl List for Directory {
    fn next_entry(&mut self) -> Option<Result<Entry, Error>> {
        let name = self.names.next()?;
        Some(name.map(|name| self.entry(name)))
    }

    fn take_notes(&mut self) -> Vec<Note> {
        Vec::new()
    }
}
