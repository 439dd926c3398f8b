//! Documents become files that appear whole or not at all (S-42, S-43, S-44).
//!
//! The octets of `NAME` arrive in `NAME.part` beside it, which gets its name when it is whole. A transfer that ends early leaves
//! it, and beside it `NAME.part.json`: of which URL it is a part, and what was known of the document. With that, `--continue`
//! goes on from it and never joins the halves of two documents.
//!
//! A name that is taken is left alone unless `--force` is given. New files are made with `O_EXCL`, so that no link is followed,
//! and their mode is left to the umask. What this run did not make, and what is not proven to be a partial file, it neither
//! writes to nor removes.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::facts::About;

/// What a partial file is called.
const PART: &str = ".part";

/// What the file about a partial file is called.
const ABOUT: &str = ".part.json";

/// So many octets a name grows by.
pub(super) const LONGEST_ENDING: usize = ABOUT.len();

/// A file about a partial file holds no more, in octets: twice the longest URL.
const LONGEST_ABOUT: u64 = 128 << 10;

/// Where a document goes, and what may be done to what is there.
#[derive(Clone, Debug)]
pub(super) struct Target {
    name: PathBuf,
    /// Overwrite what has the name, begin partial files anew.
    force: bool,
    /// Go on from a partial file.
    resume: bool,
}

/// What there is at a target, before anything is opened.
pub(super) enum Standing {
    /// Nothing, or nothing that matters.
    Free,
    /// A partial file to go on from.
    Begun(Part),
    /// A file of that name and so many octets, which may be the whole document of an earlier run.
    There(u64),
}

/// A partial file that is open, and belongs to this run alone.
#[derive(Debug)]
pub(super) struct Part {
    target: Target,
    file: File,
    length: u64,
    /// Of what it is a part, as the file beside it says; `None` while there is no such file.
    about: Option<About>,
}

/// Why a document cannot be saved: a sentence that is fit to be shown.
pub(super) type Refusal = String;

impl Target {
    pub(super) fn new(name: PathBuf, force: bool, resume: bool) -> Target {
        Target { name, force, resume }
    }

    /// The name, fit to be shown.
    pub(super) fn shown(&self) -> String {
        shown(&self.name)
    }

    /// The device or pipe that the name means: it is written to as it is. Links to one are followed, as nothing new is made.
    pub(super) fn device(&self) -> io::Result<Option<File>> {
        match fs::metadata(&self.name) {
            Ok(metadata) if is_stream(&metadata) => OpenOptions::new().write(true).open(&self.name).map(Some),
            _ => Ok(None),
        }
    }

    /// What is there, so that nothing is asked of a server in vain.
    pub(super) fn look(&self) -> Result<Standing, Refusal> {
        if !self.force
            && let Ok(metadata) = fs::symlink_metadata(&self.name)
        {
            return if self.resume && metadata.is_file() {
                Ok(Standing::There(metadata.len()))
            } else {
                Err(self.exists())
            };
        }
        if fs::symlink_metadata(self.part()).is_err() {
            return Ok(Standing::Free);
        }
        if self.resume {
            return self.reopen().map(Standing::Begun);
        }
        if self.force {
            return Ok(Standing::Free);
        }
        Err(format!(
            "{} is left over from an interrupted transfer; use --continue to resume it or --force to start over",
            shown(&self.part())
        ))
    }

    /// That there is a file already.
    pub(super) fn exists(&self) -> Refusal {
        format!("{} already exists; use --force to overwrite it", self.shown())
    }

    /// A new partial file.
    pub(super) fn begin(&self) -> Result<Part, Refusal> {
        let path = self.part();
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        match options.clone().create_new(true).open(&path) {
            // What was left behind: proven by the file beside it, or meant by --force.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && self.force => {
                let file = no_links(&mut options).open(&path).map_err(|error| self.cannot(&error))?;
                lock(&file, &path)?;
                file.set_len(0).map_err(|error| self.cannot(&error))?;
                // What says something of the earlier partial file goes with this one.
                let about = About::read(&self.about(), LONGEST_ABOUT);
                Ok(Part { target: self.clone(), file, length: 0, about })
            }
            made => {
                let file = made.map_err(|error| self.cannot(&error))?;
                lock(&file, &path)?;
                Ok(Part { target: self.clone(), file, length: 0, about: None })
            }
        }
    }

    /// The partial file of an earlier run.
    fn reopen(&self) -> Result<Part, Refusal> {
        let path = self.part();
        let about = About::read(&self.about(), LONGEST_ABOUT).ok_or_else(|| {
            let (path, about) = (shown(&path), shown(&self.about()));
            format!("cannot resume {path}: {about} does not say which URL it belongs to; use --force to start over")
        })?;
        let file = no_links(OpenOptions::new().read(true).write(true)).open(&path);
        let mut file = file.map_err(|error| self.cannot(&error))?;
        lock(&file, &path)?;
        let length = file.seek(SeekFrom::End(0)).map_err(|error| self.cannot(&error))?;
        Ok(Part { target: self.clone(), file, length, about: Some(about) })
    }

    fn part(&self) -> PathBuf {
        self.with(PART)
    }

    fn about(&self) -> PathBuf {
        self.with(ABOUT)
    }

    fn with(&self, ending: &str) -> PathBuf {
        let mut name = self.name.clone().into_os_string();
        name.push(ending);
        name.into()
    }

    fn cannot(&self, error: &io::Error) -> Refusal {
        format!("cannot write {}: {}", self.shown(), words(error))
    }
}

impl Part {
    /// So many octets are there.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Of what it is a part, if a file beside it says so.
    pub(super) fn about(&self) -> Option<&About> {
        self.about.as_ref()
    }

    /// Says beside it of what it is a part, so that it can be gone on from whatever happens to this run.
    pub(super) fn describe(&mut self, about: &About) -> Result<(), Refusal> {
        if self.about.as_ref() == Some(about) {
            return Ok(());
        }
        let path = self.target.about();
        let mut options = OpenOptions::new();
        options.write(true);
        let made = match options.clone().create_new(true).open(&path) {
            // Only what is such a file already is written over.
            Err(error)
                if error.kind() == io::ErrorKind::AlreadyExists && About::read(&path, LONGEST_ABOUT).is_some() =>
            {
                no_links(options.truncate(true)).open(&path)
            }
            made => made,
        };
        made.and_then(|mut file| file.write_all(about.text().as_bytes()))
            .map_err(|error| format!("cannot write {}: {}", shown(&path), words(&error)))?;
        self.about = Some(about.clone());
        Ok(())
    }

    /// Adds octets.
    pub(super) fn append(&mut self, octets: &[u8]) -> Result<(), Refusal> {
        self.file.write_all(octets).map_err(|error| self.target.cannot(&error))?;
        self.length += octets.len() as u64;
        Ok(())
    }

    /// Begins anew: the document is another one now, or cannot be had in parts.
    pub(super) fn restart(&mut self) -> Result<(), Refusal> {
        let emptied = self.file.set_len(0).and_then(|()| self.file.seek(SeekFrom::Start(0)));
        emptied.map_err(|error| self.target.cannot(&error))?;
        self.length = 0;
        Ok(())
    }

    /// The document is whole: it gets its name.
    pub(super) fn publish(self) -> Result<(), Refusal> {
        let (part, name) = (self.target.part(), &self.target.name);
        if !self.is_there() {
            return Err(format!("{} was replaced by another program and is left alone", shown(&part)));
        }
        let published = if self.target.force { fs::rename(&part, name) } else { rename_anew(&part, name) };
        published.map_err(|error| {
            let why = match error.kind() {
                io::ErrorKind::AlreadyExists => "a file of that name has been created meanwhile".into(),
                _ => words(&error),
            };
            format!("cannot write {}: {why}; the complete document is in {}", self.target.shown(), shown(&part))
        })?;
        self.forget_about();
        Ok(())
    }

    /// The transfer ended early. What has octets stays, to be gone on from; the rest goes. Says what is left.
    pub(super) fn leave(mut self, about: Option<&About>) -> Option<String> {
        if self.length == 0 {
            if self.is_there() {
                // If it cannot be removed, its name says what it is.
                let _ = fs::remove_file(self.target.part());
                self.forget_about();
            }
            return None;
        }
        let kept = format!("{} octets are kept in {}", self.length, shown(&self.target.part()));
        match about.map_or(Ok(()), |about| self.describe(about)) {
            Ok(()) => Some(format!("{kept}; use --continue to resume")),
            Err(refusal) => Some(format!("{kept}, but {refusal}")),
        }
    }

    fn forget_about(&self) {
        if self.about.is_some() {
            // Nothing depends on it any more.
            let _ = fs::remove_file(self.target.about());
        }
    }

    /// Whether the name of the partial file still means the file that is open.
    fn is_there(&self) -> bool {
        let named = fs::symlink_metadata(self.target.part());
        matches!((named, self.file.metadata()), (Ok(named), Ok(open)) if is_same(&named, &open))
    }
}

impl About {
    /// What a file says, if it is one of these.
    fn read(path: &Path, longest: u64) -> Option<About> {
        let mut text = String::new();
        let file = no_links(OpenOptions::new().read(true)).open(path).ok()?;
        file.metadata().ok().filter(Metadata::is_file)?;
        file.take(longest).read_to_string(&mut text).ok()?;
        About::parse(&text)
    }
}

/// Renames, unless the new name is taken.
fn rename_anew(from: &Path, to: &Path) -> io::Result<()> {
    match rename_at_once(from, to) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {}
        done => return done,
    }
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Some file systems know no links. An empty file holds the name until the document takes its place.
        Err(_) => {
            OpenOptions::new().write(true).create_new(true).open(to)?;
            fs::rename(from, to)
        }
    }
}

/// The one call that renames and overwrites nothing, where there is one.
#[cfg(target_os = "linux")]
fn rename_at_once(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
}

#[cfg(not(target_os = "linux"))]
fn rename_at_once(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A path, fit to be shown.
fn shown(path: &Path) -> String {
    urlwise::escape_for_display(path.as_os_str().as_encoded_bytes()).to_string()
}

/// The operating system's words without its number.
pub(super) fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error ").map_or_else(|| text.clone(), |(words, _)| words.to_owned())
}

/// Files that are opened and not made must not be links.
#[cfg(unix)]
fn no_links(options: &mut OpenOptions) -> &mut OpenOptions {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;

    // The flags fit: the system takes them as this type.
    options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
}

#[cfg(not(unix))]
fn no_links(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Two runs must not write to one file.
#[cfg(unix)]
fn lock(file: &File, path: &Path) -> Result<(), Refusal> {
    use rustix::fs::{FlockOperation, flock};

    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => Err(format!("another transfer is writing to {}", shown(path))),
        // Some file systems know no locks; then there is none.
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn lock(_: &File, _: &Path) -> Result<(), Refusal> {
    Ok(())
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;

    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    one.is_file() && one.len() == other.len()
}

/// Whether it is something that octets flow into, and no file.
#[cfg(unix)]
fn is_stream(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;

    metadata.file_type().is_char_device() || metadata.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_stream(_: &Metadata) -> bool {
    false
}
