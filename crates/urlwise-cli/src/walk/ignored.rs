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

use ignore::DirEntry;
use ignore::gitignore::Gitignore;
use urlwise_explain::secret::masked_path;
use urlwise_formats::ignored::{self, Decision, InForce, LONGEST, Patterns, Refused, Why, Wrong};

use crate::console::Console;
use crate::exit::os_message;
use crate::language::said;
use crate::lock::locked;
use crate::no_follow::no_follow;

/// The most warnings about ignore files.
const MOST_WARNINGS: usize = 100;

/// Decides about the entries of a walk, in any thread.
pub(super) struct Filter {
    hidden: bool,
    reads_ignore_files: bool,
    /// The user's own patterns for every repository, read when a folder first has need of them.
    global: OnceLock<Patterns>,
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

    fn global(&self) -> &Patterns {
        self.global.get_or_init(|| {
            let (global, error) = Gitignore::global();
            if let Some(error) = error {
                super::report_error(&error);
            }
            global.into()
        })
    }

    /// Whether an entry is read.
    pub(super) fn passes(&self, entry: &DirEntry) -> bool {
        match self.decide(entry) {
            Some(Decision::Skip) => false,
            Some(Decision::Keep) => true,
            None => self.hidden || !entry.file_name().as_encoded_bytes().starts_with(b"."),
        }
    }

    fn decide(&self, entry: &DirEntry) -> Option<Decision> {
        if !self.reads_ignore_files {
            return None;
        }
        let here = thread::current().id();
        let chain = locked(&self.threads).remove(&here);
        let mut chain = chain.unwrap_or_else(|| Chain::new(Arc::clone(&self.warned)));
        let decision = chain.decide(entry, || self.global());
        locked(&self.threads).insert(here, chain);
        decision
    }
}

/// What is in force in the folder whose entries are looked at.
struct Chain {
    in_force: InForce,
    /// Where the walk started, as it was named and as an absolute path.
    start: (PathBuf, PathBuf),
    warned: Arc<Warned>,
}

impl Chain {
    fn new(warned: Arc<Warned>) -> Chain {
        Chain { in_force: InForce::default(), start: Default::default(), warned }
    }

    fn decide<'g>(&mut self, entry: &DirEntry, global: impl FnOnce() -> &'g Patterns) -> Option<Decision> {
        let path = self.absolute(entry);
        let folder = path.parent()?;
        let read = |folder: &Path, name: Option<&str>, most: usize| {
            let file = name.map_or_else(|| exclude(folder), |name| folder.join(name));
            self.warned.read(&file, folder, most)
        };
        self.in_force.enter(folder, |folder| folder.join(GIT).exists(), read);
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        self.in_force.decide(&path, is_dir, || global().decide(&path, is_dir))
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
}

const GIT: &str = ".git";

/// The repository's own ignore file. In a worktree `.git` is a file that says where the repository is.
fn exclude(folder: &Path) -> PathBuf {
    let git = folder.join(GIT);
    let path_in = |file: &Path| ignored::git_folder(&contents(file).ok()?);
    let common = path_in(&git).map(|worktree| {
        let worktree = folder.join(worktree);
        path_in(&worktree.join("commondir")).map_or(worktree.clone(), |common| worktree.join(common))
    });
    common.unwrap_or(git).join("info/exclude")
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

/// What is said of lines that are not used.
fn skipped(Wrong { line, more, why }: Wrong) -> String {
    let why = match why {
        Why::NotUtf8 => said!("the pattern is not UTF-8"),
        Why::TooManyBraces(count) => said!("the pattern has more than {count} braces", count = count),
        Why::Pattern(why) => why,
    };
    match more {
        0 => said!("line {number} of the ignore file is skipped: {why}", number = line, why = why),
        _ => said!(
            "line {number} of the ignore file and {count} more are skipped: {why}",
            number = line,
            count = more,
            why = why
        ),
    }
}

/// What was warned about. A file is read by each thread that comes across it.
#[derive(Default)]
struct Warned(Mutex<HashSet<(PathBuf, String)>>);

impl Warned {
    /// The patterns of an ignore file for the files of `folder`; none if there is no such file, or if it cannot be used.
    fn read(&self, file: &Path, folder: &Path, most: usize) -> Patterns {
        let unused = |why: String| {
            self.warn(file, &said!("the ignore file is skipped: {why}", why = why));
            Patterns::none()
        };
        let octets = match contents(file) {
            Ok(octets) => octets,
            Err(error) if is_missing(&error) => return Patterns::none(),
            Err(error) => return unused(os_message(&error)),
        };
        match Patterns::parse(&octets, folder, most) {
            Ok((patterns, wrong)) => {
                if let Some(wrong) = wrong {
                    self.warn(file, &skipped(wrong));
                }
                patterns
            }
            Err(Refused::TooMany(count)) => unused(said!("it has more than {count} patterns", count = count)),
            Err(Refused::TooLarge) => unused(said!("its patterns take too much memory")),
        }
    }

    fn warn(&self, file: &Path, why: &str) {
        let mut warned = locked(&self.0);
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
