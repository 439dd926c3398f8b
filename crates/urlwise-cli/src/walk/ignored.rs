//! Which files of a folder are skipped: hidden ones, and those that ignore files name, by ripgrep's rules.
//!
//! Trees that `find` and `check` read are often not trusted, as in continuous integration. The walker of the crate `ignore`
//! opens anything with the name of an ignore file: a link to a device fills the memory, and a pipe is waited for without
//! end. So ignore files are read here, regular ones within limits, and the crate only matches their patterns.

use std::collections::{HashMap, HashSet};
use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, ThreadId};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, Match};
use urlwise_explain::secret::masked_path;

use super::lock;
use crate::console::Console;
use crate::language::said;
use crate::no_follow::no_follow;
use crate::position::BYTE_ORDER_MARK;

/// The longest ignore file, in octets.
const LONGEST: u64 = 256 << 10;

/// The most patterns of one ignore file. Compiling them takes time and memory.
const MOST_PATTERNS: usize = 2_000;

/// The most patterns in force at a time: those of a folder and of all folders above it.
const MOST_IN_FORCE: usize = 5_000;

/// The most warnings about ignore files.
const MOST_WARNINGS: usize = 100;

/// The ignore files of a folder, the strongest first; git's own is the last.
const NAMES: [&str; 3] = [".rgignore", ".ignore", ".gitignore"];

/// From here on the kinds belong to git: they are in force within a repository only.
const FIRST_OF_GIT: usize = 2;

/// Decides about the entries of a walk, in any thread.
pub(super) struct Filter {
    hidden: bool,
    reads_ignore_files: bool,
    /// The user's own patterns for every repository, read when a folder first has need of them.
    global: OnceLock<Gitignore>,
    /// Where each thread is. Its folders are read again when it continues elsewhere.
    threads: Mutex<HashMap<ThreadId, Chain>>,
    warned: Arc<Warned>,
}

impl Filter {
    /// `hidden` files are read too; ignore files are not, unless `reads_ignore_files`.
    pub(super) fn new(hidden: bool, reads_ignore_files: bool) -> Filter {
        Filter {
            hidden,
            reads_ignore_files,
            global: OnceLock::new(),
            threads: Mutex::default(),
            warned: Arc::default(),
        }
    }

    fn global(&self) -> &Gitignore {
        self.global.get_or_init(|| {
            let (global, error) = Gitignore::global();
            if let Some(error) = error {
                super::report_error(&error);
            }
            global
        })
    }

    /// Whether an entry is read.
    pub(super) fn passes(&self, entry: &DirEntry) -> bool {
        match self.matched(entry) {
            Match::Ignore(()) => false,
            Match::Whitelist(()) => true,
            Match::None => self.hidden || !entry.file_name().as_encoded_bytes().starts_with(b"."),
        }
    }

    fn matched(&self, entry: &DirEntry) -> Match<()> {
        if !self.reads_ignore_files {
            return Match::None;
        }
        let here = thread::current().id();
        let chain = lock(&self.threads).remove(&here);
        let mut chain = chain.unwrap_or_else(|| Chain::new(Arc::clone(&self.warned)));
        let matched = chain.matched(entry, || self.global());
        lock(&self.threads).insert(here, chain);
        matched
    }
}

/// The folders from the root of the file system to the one whose entries are looked at.
struct Chain {
    folders: Vec<Folder>,
    /// Where the walk started, as it was named and as an absolute path.
    start: (PathBuf, PathBuf),
    warned: Arc<Warned>,
}

struct Folder {
    path: PathBuf,
    has_git: bool,
    /// In the order of [`NAMES`], with `.git/info/exclude` as the last.
    files: [Gitignore; NAMES.len() + 1],
}

impl Folder {
    fn patterns(&self) -> usize {
        self.files.iter().map(Gitignore::len).sum()
    }
}

impl Chain {
    fn new(warned: Arc<Warned>) -> Chain {
        Chain { folders: Vec::new(), start: Default::default(), warned }
    }

    /// The strongest kind of file decides that says anything, and of its files the nearest.
    fn matched<'g>(&mut self, entry: &DirEntry, global: impl FnOnce() -> &'g Gitignore) -> Match<()> {
        let path = self.absolute(entry);
        let Some(folder) = path.parent() else { return Match::None };
        self.enter(folder);
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        let is_in_repository = self.folders.iter().any(|folder| folder.has_git);
        for kind in 0..=NAMES.len() {
            let is_of_git = kind >= FIRST_OF_GIT;
            if is_of_git && !is_in_repository {
                return Match::None;
            }
            for folder in self.folders.iter().rev() {
                let matched = folder.files[kind].matched(&path, is_dir);
                if !matched.is_none() {
                    return matched.map(|_| ());
                }
                if is_of_git && folder.has_git {
                    break;
                }
            }
        }
        global().matched(&path, is_dir).map(|_| ())
    }

    fn absolute(&mut self, entry: &DirEntry) -> PathBuf {
        let path = entry.path();
        let start = path.ancestors().nth(entry.depth()).unwrap_or(path);
        if self.start.0 != start || self.start.1.as_os_str().is_empty() {
            let absolute = fs::canonicalize(start).or_else(|_| std::path::absolute(start));
            self.start = (start.to_owned(), absolute.unwrap_or_else(|_| start.to_owned()));
        }
        path.strip_prefix(start).map_or_else(|_| path.to_owned(), |rest| self.start.1.join(rest))
    }

    /// Reads the ignore files that are in force in a folder.
    fn enter(&mut self, folder: &Path) {
        while self.folders.last().is_some_and(|last| !folder.starts_with(&last.path)) {
            self.folders.pop();
        }
        let known = self.folders.last().map(|last| last.path.clone());
        let missing: Vec<_> = folder.ancestors().take_while(|above| known.as_deref() != Some(above)).collect();
        for path in missing.into_iter().rev() {
            let in_force: usize = self.folders.iter().map(Folder::patterns).sum();
            let mut left = MOST_IN_FORCE.saturating_sub(in_force);
            let git = path.join(".git");
            let has_git = git.exists();
            let exclude = has_git.then(|| exclude(path, &git));
            let names = NAMES.map(|name| Some(path.join(name)));
            let [first, second, third] = names;
            let files = [first, second, third, exclude].map(|file| {
                let patterns = file.map_or_else(Gitignore::empty, |file| self.read(&file, path, left));
                left = left.saturating_sub(patterns.len());
                patterns
            });
            self.folders.push(Folder { path: path.to_owned(), has_git, files });
        }
    }

    /// The patterns of an ignore file for the files of `folder`; none if there is no such file, or if it cannot be used.
    fn read(&self, file: &Path, folder: &Path, most: usize) -> Gitignore {
        let warn = |why: String| self.warned.warn(file, &why);
        let octets = match contents(file) {
            Ok(octets) => octets,
            Err(error) if is_missing(&error) => return Gitignore::empty(),
            Err(error) => {
                warn(said!("the ignore file is skipped: {why}", why = error.to_string()));
                return Gitignore::empty();
            }
        };
        let octets = octets.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&octets);
        let is_pattern = |line: &&[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
        let lines = || octets.split(|octet| *octet == b'\n').enumerate().filter(|(_, line)| is_pattern(line));
        let most = most.min(MOST_PATTERNS);
        if lines().nth(most).is_some() {
            warn(said!("the ignore file is skipped: it has more than {count} patterns", count = most));
            return Gitignore::empty();
        }
        let mut builder = GitignoreBuilder::new(folder);
        let mut first_wrong = None;
        for (number, line) in lines() {
            let added = match str::from_utf8(line) {
                Ok(line) => builder.add_line(None, line).map(drop).map_err(|error| error.to_string()),
                Err(_) => Err(said!("the pattern is not UTF-8")),
            };
            if let Err(error) = added {
                let (_, _, count) = first_wrong.get_or_insert((number + 1, error, 0));
                *count += 1;
            }
        }
        match first_wrong {
            Some((number, error, 1)) => {
                warn(said!("line {number} of the ignore file is skipped: {why}", number = number, why = error));
            }
            Some((number, error, count)) => {
                warn(said!(
                    "line {number} of the ignore file and {count} more are skipped: {why}",
                    number = number,
                    count = (count - 1) as u64,
                    why = error
                ));
            }
            None => {}
        }
        builder.build().unwrap_or_else(|error| {
            warn(said!("the ignore file is skipped: {why}", why = error.to_string()));
            Gitignore::empty()
        })
    }
}

/// The repository's own ignore file. In a worktree `.git` is a file that says where the repository is.
fn exclude(folder: &Path, git: &Path) -> PathBuf {
    let path_in = |file: &Path| {
        let text = String::from_utf8(contents(file).ok()?).ok()?;
        let line = text.lines().next()?;
        Some(PathBuf::from(line.strip_prefix("gitdir: ").unwrap_or(line).trim_end()))
    };
    let common = path_in(git).map(|worktree| {
        let worktree = folder.join(worktree);
        path_in(&worktree.join("commondir")).map_or(worktree.clone(), |common| worktree.join(common))
    });
    common.unwrap_or_else(|| git.to_owned()).join("info/exclude")
}

/// The octets of a regular file within the limit. Links are not followed; git does not follow them either.
fn contents(path: &Path) -> io::Result<Vec<u8>> {
    // What is opened may be something else by then, but most names lead nowhere, and asking is cheaper than opening.
    let not_regular = || io::Error::other(said!("it is not a regular file"));
    fs::symlink_metadata(path).and_then(|found| found.is_file().then_some(()).ok_or_else(not_regular))?;
    let file = no_follow(OpenOptions::new().read(true)).open(path)?;
    file.metadata().ok().filter(Metadata::is_file).ok_or_else(not_regular)?;
    let mut octets = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut octets)?;
    if octets.len() as u64 > LONGEST {
        return Err(io::Error::other(said!("it is longer than {count} KiB", count = LONGEST >> 10)));
    }
    Ok(octets)
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// What was warned about. A file is read by each thread that comes across it.
#[derive(Default)]
struct Warned(Mutex<HashSet<(PathBuf, String)>>);

impl Warned {
    fn warn(&self, file: &Path, why: &str) {
        let mut warned = lock(&self.0);
        let count = warned.len();
        if count > MOST_WARNINGS || !warned.insert((file.to_owned(), why.to_owned())) {
            return;
        }
        if count == MOST_WARNINGS {
            Console::default().message(&said!("warning: more ignore files are skipped"));
        } else {
            Console::default().message(&said!("warning: {name}: {why}", name = masked_path(file), why = why));
        }
    }
}
