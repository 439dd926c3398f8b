//! file: documents and directories of this machine (RFC 1738 section 3.10, D-63 to D-65).
//!
//! The path is the segments, each decoded on its own, joined by the system's separator: no `~`, no shell, no patterns.
//! Links of the file system are followed, but what is read is judged after it was opened, so that nothing can be swapped
//! in between (client-security line 37).

pub(crate) mod media;

use crate::class::Class;
use crate::client::Options;
use crate::error::{Error, words};
use crate::protocol::Note;
use crate::resource::{Body, Document, Entry, EntryKind, List, Menu, Provenance, Resource};
use std::ffi::OsString;
use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use urlwise::shown;
use urlwise::{File as View, Url, grammar};

const GROUND: &str = "RFC 1738 section 3.10";

/// Octets asked of the system at a time.
const BUFFER: usize = 256 * 1024;

/// Opens a file URL that has been admitted.
pub(crate) fn open(options: &Options, url: &Url<&str>, view: View<'_>) -> Result<Resource, Error> {
    let path = path(view)?;
    // Looked at first, because opening alone already acts on some devices; and judged again once it is open.
    let before = fs::metadata(&path).map_err(|error| failed(&path, error))?;
    judge(&path, before.file_type())?;
    let file = open_without_waiting(&path).map_err(|error| failed(&path, error))?;
    let opened = file.metadata().map_err(|error| failed(&path, error))?;
    judge(&path, opened.file_type())?;
    let from = Provenance::of(url.to_owned());
    if opened.is_dir() {
        let directory = Directory::read(&path, url, options.max_entries)?;
        return Ok(Resource::Menu(Menu::new(Box::new(directory), from)));
    }
    let media_type = media::by_name(path.as_os_str().as_encoded_bytes()).map(str::to_owned);
    let body = Octets { file, path, buffer: Vec::new(), there: 0..0 };
    let document = Document::new(Box::new(body), Some(opened.len()), options.max_size, media_type, from)?;
    Ok(Resource::Document(document))
}

/// The path a file URL names on this machine.
pub(crate) fn path(view: View<'_>) -> Result<PathBuf, Error> {
    let mut path = OsString::new();
    for (index, segment) in view.segments().enumerate() {
        let octets = segment.decode();
        let refuse = |why: &str| {
            let shown = shown(segment.as_str().as_bytes());
            Error::new(Class::Refused, format!("the segment \"{shown}\" {why}")).ground("D-65")
        };
        // The policy refuses these as well; this is the last place before the file system.
        if octets.iter().any(|octet| matches!(octet, 0 | b'/')) {
            return Err(refuse("holds an octet that no file name can have"));
        }
        let name = system_name(&octets).ok_or_else(|| refuse("cannot be a file name on this system"))?;
        if index > 0 || !starts_with_drive(&octets) {
            path.push("/");
        }
        path.push(name);
    }
    Ok(PathBuf::from(path))
}

#[cfg(unix)]
fn system_name(octets: &[u8]) -> Option<OsString> {
    use std::os::unix::ffi::OsStringExt as _;
    Some(OsString::from_vec(octets.to_vec()))
}

#[cfg(not(unix))]
fn system_name(octets: &[u8]) -> Option<OsString> {
    let text = std::str::from_utf8(octets).ok()?;
    (!text.contains('\\')).then(|| OsString::from(text))
}

/// Whether the first segment is a drive, which has no slash before it.
fn starts_with_drive(octets: &[u8]) -> bool {
    cfg!(windows) && matches!(octets, [letter, b':'] if letter.is_ascii_alphabetic())
}

/// Opens for reading; a FIFO without a writer does not keep us waiting, a terminal does not become ours.
#[cfg(unix)]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)
}

#[cfg(not(unix))]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

/// Refuses what is neither file nor directory.
fn judge(path: &Path, kind: FileType) -> Result<(), Error> {
    if kind.is_file() || kind.is_dir() {
        return Ok(());
    }
    Err(Error::new(Class::Refused, format!("{} is a device, a pipe or a socket, not a file", name_of(path)))
        .ground("client-security 37")
        .help("only files and directories are read"))
}

fn name_of(path: &Path) -> String {
    shown(path.as_os_str().as_encoded_bytes()).to_string()
}

fn failed(path: &Path, error: io::Error) -> Error {
    let class = match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Class::NotFound,
        _ => Class::Read,
    };
    let what = format!("{} cannot be read: {}", name_of(path), words(&error));
    Error::new(class, what).ground(GROUND).source(error)
}

/// The octets of an open file.
struct Octets {
    file: File,
    path: PathBuf,
    buffer: Vec<u8>,
    there: Range<usize>,
}

impl Body for Octets {
    fn fill(&mut self) -> Result<&[u8], Error> {
        if self.there.is_empty() {
            if self.buffer.is_empty() {
                self.buffer = vec![0; BUFFER];
            }
            let count = loop {
                match self.file.read(&mut self.buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    read => break read.map_err(|error| failed(&self.path, error))?,
                }
            };
            self.there = 0..count;
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

/// The names of a directory, in the order of their octets; what each of them is, is looked up as it is asked for.
struct Directory {
    path: PathBuf,
    /// The directory's URL with a slash at its end.
    base: String,
    profile: urlwise::Profile,
    names: std::vec::IntoIter<OsString>,
}

impl Directory {
    fn read(path: &Path, url: &Url<&str>, max_entries: usize) -> Result<Directory, Error> {
        let fail = |error| failed(path, error);
        let mut names = Vec::new();
        for entry in fs::read_dir(path).map_err(fail)? {
            if names.len() == max_entries {
                let what = format!("{} has more than {max_entries} entries", name_of(path));
                return Err(Error::new(Class::Limit, what).help("allow more entries if you want them all"));
            }
            names.push(entry.map_err(fail)?.file_name());
        }
        names.sort_unstable();
        let mut base = url.as_str().to_owned();
        if !base.ends_with('/') {
            base.push('/');
        }
        Ok(Directory { path: path.to_owned(), base, profile: url.profile(), names: names.into_iter() })
    }

    fn entry(&self, name: OsString) -> Entry {
        // A link that leads nowhere, or a file gone meanwhile, is still a name.
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
            url: Url::parse_with(self.profile, url).ok(),
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
        Some(Ok(self.entry(name)))
    }

    fn take_notes(&mut self) -> Vec<Note> {
        Vec::new()
    }
}
