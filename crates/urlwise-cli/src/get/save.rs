//! Saves documents as files that appear when they are complete (S-42, S-43, S-44).
//!
//! The octets of `NAME` are written to a file without a name where the system has such files, which gets the name when it is complete;
//! otherwise to `NAME.part`, which is renamed. A file that is worth resuming is `NAME.part` from its start, and others become it when
//! the transfer is interrupted, together with `NAME.part.json`: the URL and the metadata of the document. With these, `--continue`
//! resumes it and never joins the halves of two documents.
//!
//! Existing files are not overwritten without `--force`. New files are created with `O_EXCL`, or linked, so that links are not
//! followed, and their mode is left to the umask. Files that this run did not create, and that are not known to be partial files, are neither
//! written to nor removed.
//!
//! Errors are messages that say why a document cannot be saved, already escaped.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use urlwise::Message;
use urlwise_formats::partial::PartialInfo;

use super::suffixes::{INFO, PART};
use crate::console::shown;
use crate::exit::os_message;
use crate::language::{said, words};
use crate::no_follow::no_follow;

/// The longest description of a partial file, in octets: twice the longest URL.
const LONGEST_INFO: u64 = 128 << 10;

/// What file systems give room in, most often.
const BLOCK: u64 = 4 << 10;

/// The file to write, and what may be done with existing files.
#[derive(Clone, Debug)]
pub(super) struct Target {
    name: PathBuf,
    /// Overwrite existing files, and restart partial files.
    force: bool,
    /// What may be resumed.
    resume: Resumes,
    /// The file gets the date of the document.
    keeps_date: bool,
}

/// Which partial files are resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resumes {
    /// None.
    Nothing,
    /// Those of this program.
    Own,
    /// Also those of other programs, which nothing describes.
    Any,
}

/// What exists at a target, before anything is opened.
pub(super) enum Existing {
    /// Nothing, or a file that may be overwritten.
    Nothing,
    /// A partial file to resume.
    Partial(Part),
    /// A file of this length, which may be the complete document of an earlier run.
    File(u64),
    /// A partial file of another program, of this length, to [adopt](Target::adopt).
    Foreign(u64),
}

/// An open partial file, locked by this run as soon as it has a name.
#[derive(Debug)]
pub(super) struct Part {
    target: Target,
    file: File,
    is_named: bool,
    length: u64,
    /// The contents of its description, if there is one.
    info: Option<PartialInfo>,
}

impl Target {
    pub(super) fn new(name: PathBuf, force: bool, resume: Resumes, keeps_date: bool) -> Target {
        Target { name, force, resume, keeps_date }
    }

    /// The name, as it is.
    pub(super) fn name(&self) -> &Path {
        &self.name
    }

    /// The name, escaped.
    pub(super) fn shown(&self) -> String {
        shown(&self.name)
    }

    /// The name of the partial file, escaped.
    pub(super) fn shown_part(&self) -> String {
        shown(self.part())
    }

    /// The device or pipe with this name, which is written to directly. Links are followed, because nothing is created.
    pub(super) fn device(&self) -> io::Result<Option<File>> {
        match fs::metadata(&self.name) {
            Ok(metadata) if is_stream(&metadata) => OpenOptions::new().write(true).open(&self.name).map(Some),
            _ => Ok(None),
        }
    }

    /// Checks the target before anything is requested from a server.
    pub(super) fn look(&self) -> Result<Existing, String> {
        if !self.force
            && let Ok(metadata) = fs::symlink_metadata(&self.name)
        {
            return if self.resume != Resumes::Nothing && metadata.is_file() {
                Ok(Existing::File(metadata.len()))
            } else {
                Err(self.exists())
            };
        }
        let Ok(part) = fs::symlink_metadata(self.part()) else { return Ok(Existing::Nothing) };
        match self.resume {
            Resumes::Any if self.description().is_none() => return Ok(Existing::Foreign(part.len())),
            Resumes::Own | Resumes::Any => return self.reopen().map(Existing::Partial),
            Resumes::Nothing => {}
        }
        if self.force {
            return Ok(Existing::Nothing);
        }
        Err(said!(
            "{path} is left over from an interrupted transfer; use --continue to resume it or --force to start over",
            path = self.shown_part()
        ))
    }

    /// The error that the file exists.
    pub(super) fn exists(&self) -> String {
        said!("{name} already exists; use --force to overwrite it", name = self.shown())
    }

    /// A new partial file.
    pub(super) fn begin(&self) -> Result<Part, String> {
        // What exists is replaced by renaming alone.
        if !self.force
            && let Ok(file) = nameless(&self.name)
        {
            return Ok(Part { target: self.clone(), file, is_named: false, length: 0, info: None });
        }
        let path = self.part();
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        match options.clone().create_new(true).open(&path) {
            // A leftover is replaced, not overwritten: its octets may have another name too.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && self.force => {
                let leftover = no_follow(&mut options).open(&path).map_err(|error| self.cannot(&error))?;
                lock(&leftover, &path)?;
                let made = fs::remove_file(&path).and_then(|()| options.clone().create_new(true).open(&path));
                let file = made.map_err(|error| self.cannot(&error))?;
                lock(&file, &path)?;
                // The description of the leftover is replaced or removed together with this file.
                let info = self.description();
                Ok(Part { target: self.clone(), file, is_named: true, length: 0, info })
            }
            made => {
                let file = made.map_err(|error| self.cannot(&error))?;
                lock(&file, &path)?;
                Ok(Part { target: self.clone(), file, is_named: true, length: 0, info: None })
            }
        }
    }

    /// The partial file of an earlier run.
    fn reopen(&self) -> Result<Part, String> {
        let info = self.description().ok_or_else(|| {
            said!(
                "cannot resume {path}: {info} does not say which URL it belongs to; use --force to start over, or --trust-partial if you know",
                path = self.shown_part(),
                info = shown(self.info())
            )
        })?;
        self.open_part(info)
    }

    /// Takes the file of another program for the beginning of a document: the one of the name itself becomes the partial file.
    pub(super) fn adopt(&self, info: &PartialInfo) -> Result<Part, String> {
        if fs::symlink_metadata(&self.name).is_ok_and(|found| is_alone(&found)) {
            rename_no_replace(&self.name, &self.part()).map_err(|error| self.cannot(&error))?;
        }
        let mut part = self.open_part(info.clone())?;
        // What is there describes nothing.
        part.info = None;
        part.describe(info)?;
        Ok(part)
    }

    /// The description of the partial file, if there is one.
    fn description(&self) -> Option<PartialInfo> {
        read_info(&self.info())
    }

    fn open_part(&self, info: PartialInfo) -> Result<Part, String> {
        let path = self.part();
        let file = no_follow(OpenOptions::new().read(true).write(true)).open(&path);
        let mut file = file.map_err(|error| self.cannot(&error))?;
        if !file.metadata().is_ok_and(|found| is_alone(&found)) {
            let why = words!("the file has another name (a hard link)");
            return Err(not_resumed(shown(&path), why.into()));
        }
        lock(&file, &path)?;
        let length = file.seek(SeekFrom::End(0)).map_err(|error| self.cannot(&error))?;
        Ok(Part { target: self.clone(), file, is_named: true, length, info: Some(info) })
    }

    fn part(&self) -> PathBuf {
        self.with(PART)
    }

    fn info(&self) -> PathBuf {
        self.with(INFO)
    }

    fn with(&self, ending: &str) -> PathBuf {
        let mut name = self.name.clone().into_os_string();
        name.push(ending);
        name.into()
    }

    fn cannot(&self, error: &io::Error) -> String {
        unwritten(self.shown(), os_message(error))
    }
}

impl Part {
    /// Its length in octets.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Its description, if there is one.
    pub(super) fn info(&self) -> Option<&PartialInfo> {
        self.info.as_ref()
    }

    /// Writes the description, so that the file can be resumed even if this run is killed.
    pub(super) fn describe(&mut self, info: &PartialInfo) -> Result<(), String> {
        if self.info.as_ref() == Some(info) {
            return Ok(());
        }
        self.give_name()?;
        let (path, text) = (self.target.info(), info.text());
        let mut options = OpenOptions::new();
        options.write(true);
        let made = match options.clone().create_new(true).open(&path) {
            // Only a description is replaced, and it may have another name too.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && read_info(&path).is_some() => {
                fs::remove_file(&path).and_then(|()| options.create_new(true).open(&path))
            }
            made => made,
        };
        let written = made.and_then(|file| write_whole(file, &path, &text)).or_else(|error| {
            if !is_full(&error) || !self.gives_up(text.len() as u64) {
                return Err(error);
            }
            write_whole(OpenOptions::new().write(true).create_new(true).open(&path)?, &path, &text)
        });
        written.map_err(|error| unwritten(shown(&path), os_message(&error)))?;
        self.info = Some(info.clone());
        Ok(())
    }

    /// Gives up the last octets on a full disk, so that there is room for so many others: what nothing describes cannot be resumed.
    /// Whether there were any.
    fn gives_up(&mut self, room: u64) -> bool {
        let length = self.file.metadata().map_or(self.length, |file| file.len());
        let kept = length.saturating_sub(room) / BLOCK * BLOCK;
        let is_cut = kept > 0 && self.file.set_len(kept).and_then(|()| self.file.seek(SeekFrom::Start(kept))).is_ok();
        if is_cut {
            self.length = kept;
        }
        is_cut
    }

    /// Makes a file without a name `NAME.part`, if it is not.
    fn give_name(&mut self) -> Result<(), String> {
        if self.is_named {
            return Ok(());
        }
        let path = self.target.part();
        lock(&self.file, &path)?;
        link(&self.file, &path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => busy(&path),
            _ => self.target.cannot(&error),
        })?;
        self.is_named = true;
        Ok(())
    }

    /// Adds octets.
    pub(super) fn append(&mut self, octets: &[u8]) -> Result<(), String> {
        self.file.write_all(octets).map_err(|error| self.target.cannot(&error))?;
        self.length += octets.len() as u64;
        Ok(())
    }

    /// Starts over: the document has changed, or cannot be resumed.
    pub(super) fn restart(&mut self) -> Result<(), String> {
        let emptied = self.file.set_len(0).and_then(|()| self.file.seek(SeekFrom::Start(0)));
        emptied.map_err(|error| self.target.cannot(&error))?;
        self.length = 0;
        Ok(())
    }

    /// Gives the complete document its name. It was last changed at `modified`.
    pub(super) fn publish(mut self, modified: Option<SystemTime>) -> Result<(), String> {
        if let Some(modified) = modified.filter(|_| self.target.keeps_date) {
            // A file system that cannot hold the date still has the document.
            let _ = self.file.set_modified(modified);
        }
        if !self.is_named && link(&self.file, &self.target.name).is_ok() {
            return Ok(());
        }
        self.give_name()?;
        let (part, name) = (self.target.part(), &self.target.name);
        if !self.is_there() {
            return Err(said!("{path} was replaced by another program and is left alone", path = shown(&part)));
        }
        let published = if self.target.force { fs::rename(&part, name) } else { rename_no_replace(&part, name) };
        published.map_err(|error| {
            let why = match error.kind() {
                io::ErrorKind::AlreadyExists => said!("a file of that name was created in the meantime"),
                _ => os_message(&error),
            };
            said!(
                "cannot write {name}: {why}; the complete document is in {path}",
                name = self.target.shown(),
                why = why,
                path = shown(&part)
            )
        })?;
        self.forget_about();
        Ok(())
    }

    /// Ends a partial transfer: keeps the file if it has any octets, and removes it otherwise. Returns a message about what is
    /// left. `not_resumed` is the scheme, if its transfers always start over.
    pub(super) fn leave(mut self, info: Option<&PartialInfo>, not_resumed: Option<&str>) -> Option<String> {
        // A write that failed may have written some of its octets.
        if self.file.metadata().map_or(self.length, |file| file.len()) == 0 {
            if self.is_named && self.is_there() {
                // If it cannot be removed, its name still identifies it.
                let _ = fs::remove_file(self.target.part());
                self.forget_about();
            }
            return None;
        }
        if let Err(refusal) = self.give_name() {
            return Some(refusal);
        }
        let described = info.map_or(Ok(()), |info| self.describe(info));
        let length = self.file.metadata().map_or(self.length, |file| file.len());
        let path = self.target.shown_part();
        Some(match (described, not_resumed) {
            (Ok(()), Some(scheme)) => said!(
                "{count} octets are kept in {path}; {scheme} downloads cannot be resumed, so --continue starts over",
                count = length,
                path = path,
                scheme = scheme
            ),
            (Ok(()), None) => {
                said!("{count} octets are kept in {path}; use --continue to resume", count = length, path = path)
            }
            (Err(refusal), _) => said!(
                "{count} octets are kept in {path}, but {refusal}",
                count = length,
                path = path,
                refusal = refusal
            ),
        })
    }

    fn forget_about(&self) {
        if self.info.is_some() {
            // Nothing depends on it any more.
            let _ = fs::remove_file(self.target.info());
        }
    }

    /// Whether the name of the partial file still refers to the open file.
    fn is_there(&self) -> bool {
        let named = fs::symlink_metadata(self.target.part());
        matches!((named, self.file.metadata()), (Ok(named), Ok(open)) if is_same(&named, &open))
    }
}

/// Reads a description; `None` if the file is not one.
fn read_info(path: &Path) -> Option<PartialInfo> {
    let mut text = String::new();
    let file = no_follow(OpenOptions::new().read(true)).open(path).ok()?;
    file.metadata().ok().filter(Metadata::is_file)?;
    file.take(LONGEST_INFO).read_to_string(&mut text).ok()?;
    PartialInfo::parse(&text)
}

/// Writes a new file, or leaves none: half of a description says nothing, and would be in the way of the next one.
fn write_whole(mut file: File, path: &Path, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes()).inspect_err(|_| {
        let _ = fs::remove_file(path);
    })
}

/// Whether there is no room, on the disk or for this user.
fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Renames, unless the new name exists.
fn rename_no_replace(from: &Path, to: &Path) -> io::Result<()> {
    match rename_no_replace_atomic(from, to) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {}
        done => return done,
    }
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Some file systems do not support links. An empty file reserves the name until it is replaced.
        Err(_) => {
            OpenOptions::new().write(true).create_new(true).open(to)?;
            fs::rename(from, to)
        }
    }
}

/// The system call that renames without overwriting, if there is one.
#[cfg(target_os = "linux")]
fn rename_no_replace_atomic(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
}

#[cfg(not(target_os = "linux"))]
fn rename_no_replace_atomic(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A new file without a name in the folder of `name`, if the system has such files: nothing is left of it where it was not named.
#[cfg(target_os = "linux")]
fn nameless(name: &Path) -> io::Result<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};

    let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let umask = umask().ok_or(io::ErrorKind::Unsupported)?;
    Ok(openat(CWD, folder, flags, Mode::from_raw_mode(0o666 & !umask))?.into())
}

/// The umask of this process, which Linux before 6.0 leaves out of some files without a name. `None` if the system does not tell.
#[cfg(target_os = "linux")]
fn umask() -> Option<u32> {
    use std::sync::OnceLock;

    static UMASK: OnceLock<Option<u32>> = OnceLock::new();
    *UMASK.get_or_init(|| {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("Umask:"))?;
        u32::from_str_radix(mask.trim(), 8).ok()
    })
}

#[cfg(not(target_os = "linux"))]
fn nameless(_: &Path) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Names a file without a name, unless the name exists.
#[cfg(target_os = "linux")]
fn link(file: &File, name: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd;

    use rustix::fs::{AtFlags, CWD, linkat};
    use rustix::io::Errno;

    match linkat(file, "", CWD, name, AtFlags::EMPTY_PATH) {
        // Before Linux 6.10 that was not for everybody.
        Err(Errno::NOENT) => {
            let open = format!("/proc/self/fd/{}", file.as_raw_fd());
            Ok(linkat(CWD, open, CWD, name, AtFlags::SYMLINK_FOLLOW)?)
        }
        linked => Ok(linked?),
    }
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The error that a partial file is there which was not when this transfer began.
fn busy(path: &Path) -> String {
    said!("another transfer is writing to {path}", path = shown(path))
}

fn unwritten(name: String, why: String) -> String {
    said!("cannot write {name}: {why}", name = name, why = why)
}

/// The error that a partial file cannot be continued, whose name is escaped.
pub(super) fn not_resumed(name: String, why: Message) -> String {
    said!("cannot resume {name}: {why}; use --force to start over", name = name, why = why)
}

/// Two runs must not write to the same file.
#[cfg(unix)]
fn lock(file: &File, path: &Path) -> Result<(), String> {
    use rustix::fs::{FlockOperation, flock};

    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => Err(busy(path)),
        // Some file systems do not support locks.
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn lock(_: &File, _: &Path) -> Result<(), String> {
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

/// Whether it is a regular file without a second name, through which others would see what is written to it.
#[cfg(unix)]
fn is_alone(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;

    metadata.is_file() && metadata.nlink() <= 1
}

#[cfg(not(unix))]
fn is_alone(metadata: &Metadata) -> bool {
    metadata.is_file()
}

/// Whether it is a device or pipe rather than a file.
#[cfg(unix)]
fn is_stream(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;

    metadata.file_type().is_char_device() || metadata.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_stream(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests;
