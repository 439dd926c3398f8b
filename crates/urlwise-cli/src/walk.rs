//! Texts out of files, folders and standard input, by several threads: what `find` and `check` read.
//!
//! Folders are walked as ripgrep walks them. A text is handed on in blocks that cut no URL, out of one buffer for each thread, so
//! that memory is bounded however large a file is. What a file leads to is written as a whole when the file has been read, but for very
//! much, which is written in pieces of whole records.

use std::error::Error;
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use ignore::{DirEntry, WalkBuilder, WalkState};
use urlwise::find::safe_cut;

use crate::access;
use crate::exit::Failure;
use crate::position::Position;
use crate::progress::Progress;
use crate::secret;

/// A text is read in blocks of so many octets, unless its lines are longer.
const BLOCK: usize = 1 << 20;
/// The longest block: a line that is longer is cut where no URL goes on.
const LONGEST_BLOCK: usize = 16 << 20;
/// What a text leads to is written as a whole, unless it is longer than this, in octets.
const FULL: usize = 1 << 20;
/// More threads than these have been seen to stand in each other's way.
const MOST_THREADS: usize = 12;

/// What is read.
#[derive(Debug)]
pub(crate) struct Walk {
    /// Files and folders; `-` is standard input.
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) hidden: bool,
    pub(crate) no_ignore: bool,
    /// By path, with one thread.
    pub(crate) sorted: bool,
    pub(crate) threads: Option<usize>,
}

/// Looks at texts; each thread has one of its own.
pub(crate) trait Look: Send {
    /// A text begins.
    fn begin(&mut self, source: &Source<'_>);

    /// The next block of it. What is to be written goes to `out`. False where nobody needs to see more, of any text.
    fn block(&mut self, source: &Source<'_>, block: &[u8], is_last: bool, out: &mut Vec<u8>) -> bool;

    /// The text has ended, and what was put into `out` can be written.
    fn end(&mut self, source: &Source<'_>, out: &mut Vec<u8>);
}

/// Where a text comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    /// `None` for standard input.
    pub(crate) path: Option<&'a Path>,
}

impl Source<'_> {
    /// The name as it may be shown.
    pub(crate) fn shown(&self) -> String {
        match self.path {
            Some(path) => shown(path),
            None => "<stdin>".into(),
        }
    }
}

/// A path as it may be shown; somebody may have meant a URL.
pub(crate) fn shown(path: &Path) -> String {
    secret::masked(path.as_os_str().as_encoded_bytes(), false)
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walked {
    /// How many texts were read.
    pub(crate) texts: usize,
    /// Something could not be read, and standard error was told.
    pub(crate) failed: bool,
}

/// Reads everything, hands it to what `look` makes, and writes what that puts out.
pub(crate) fn walk<L: Look>(
    walk: &Walk,
    look: impl Fn() -> L + Sync,
    out: &mut (dyn Write + Send),
) -> Result<Walked, Failure> {
    let is_one_text = matches!(walk.paths.as_slice(), [path] if !path.is_dir());
    let common =
        Common { sink: Mutex::new(Sink { out, error: None }), quit: AtomicBool::new(false), progress: Progress::new() };
    let totals = Mutex::new(Walked::default());
    let threads = match walk.threads {
        Some(threads) if threads > 0 => threads,
        _ => thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS),
    };
    let mut builder = builder(walk);
    if walk.sorted || is_one_text || threads == 1 {
        let mut worker = Worker::new(&common, &totals, look());
        for entry in builder.build() {
            if let WalkState::Quit = worker.entry(entry) {
                break;
            }
        }
    } else {
        builder.threads(threads).build_parallel().run(|| {
            let mut worker = Worker::new(&common, &totals, look());
            Box::new(move |entry| worker.entry(entry))
        });
    }
    common.progress.finish();
    match common.sink.into_inner().unwrap_or_else(PoisonError::into_inner).error {
        Some(error) => Err(Failure::Output(error)),
        None => Ok(totals.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}

fn builder(walk: &Walk) -> WalkBuilder {
    let mut builder = WalkBuilder::from_iter(&walk.paths);
    match walk.no_ignore {
        true => builder.standard_filters(false),
        // What ripgrep sees as well.
        false => builder.add_custom_ignore_filename(".rgignore"),
    };
    builder.hidden(!walk.hidden).skip_stdout(true);
    if walk.sorted {
        builder.sort_by_file_path(Path::cmp);
    }
    builder
}

/// What the threads share.
struct Common<'o> {
    sink: Mutex<Sink<'o>>,
    /// Nobody needs more.
    quit: AtomicBool,
    progress: Progress,
}

struct Sink<'o> {
    out: &'o mut (dyn Write + Send),
    /// The first failure to write: the last thing that is written.
    error: Option<io::Error>,
}

/// A thread that panics has ended the program's work anyway: what it left is still whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Worker<'c, 'o, L> {
    common: &'c Common<'o>,
    totals: &'c Mutex<Walked>,
    walked: Walked,
    look: L,
    buffer: Vec<u8>,
    out: Vec<u8>,
}

impl<'c, 'o, L: Look> Worker<'c, 'o, L> {
    fn new(common: &'c Common<'o>, totals: &'c Mutex<Walked>, look: L) -> Self {
        Worker { common, totals, walked: Walked::default(), look, buffer: Vec::new(), out: Vec::new() }
    }

    fn entry(&mut self, entry: Result<DirEntry, ignore::Error>) -> WalkState {
        match entry {
            Ok(entry) if entry.is_stdin() => self.stdin(),
            Ok(entry) => {
                // A mistake in an ignore file keeps nothing from being read.
                if let Some(error) = entry.error() {
                    tell(error);
                }
                let kind = entry.file_type();
                let is_given = entry.depth() == 0;
                if kind.is_some_and(|kind| kind.is_file() || is_given && !kind.is_dir()) {
                    self.file(entry.path(), is_given);
                }
            }
            Err(error) => {
                self.walked.failed = true;
                tell(&error);
            }
        }
        match self.common.quit.load(Ordering::Relaxed) {
            true => WalkState::Quit,
            false => WalkState::Continue,
        }
    }

    fn stdin(&mut self) {
        self.text(&Source { path: None }, io::stdin().lock(), true);
    }

    fn file(&mut self, path: &Path, is_given: bool) {
        // `./` is how a walk of the current folder names what it finds.
        let source = Source { path: Some(path.strip_prefix("./").unwrap_or(path)) };
        match File::open(path) {
            Ok(file) => self.text(&source, file, is_given),
            Err(error) => self.failed(&source, &error),
        }
    }

    fn failed(&mut self, source: &Source<'_>, error: &io::Error) {
        self.walked.failed = true;
        access::tell(&format!("cannot read {}: {error}", source.shown()));
    }

    fn text(&mut self, source: &Source<'_>, reader: impl Read, is_given: bool) {
        self.look.begin(source);
        let mut buffer = mem::take(&mut self.buffer);
        let mut more = true;
        let read = blocks(reader, &mut buffer, is_given, |block, is_last| {
            more = self.look.block(source, block, is_last, &mut self.out);
            if self.out.len() > FULL {
                self.flush();
            }
            more && !self.common.quit.load(Ordering::Relaxed)
        });
        self.buffer = buffer;
        if let Err(error) = read {
            self.failed(source, &error);
        }
        self.walked.texts += 1;
        self.look.end(source, &mut self.out);
        if !more {
            self.common.quit.store(true, Ordering::Relaxed);
        }
        self.flush();
        self.common.progress.read_one();
    }

    /// Writes what there is, unless writing has failed before.
    fn flush(&mut self) {
        if self.out.is_empty() {
            return;
        }
        let mut sink = lock(&self.common.sink);
        if sink.error.is_none()
            && let Err(error) = self.common.progress.aside(|| sink.out.write_all(&self.out))
        {
            sink.error = Some(error);
            self.common.quit.store(true, Ordering::Relaxed);
        }
        self.out.clear();
    }
}

impl<L> Drop for Worker<'_, '_, L> {
    fn drop(&mut self) {
        let mut totals = lock(self.totals);
        totals.texts += self.walked.texts;
        totals.failed |= self.walked.failed;
    }
}

/// What the walk says of a path; of a mistake in an ignore file it says all itself.
fn tell(error: &ignore::Error) {
    let message = match (path_of(error), error.io_error()) {
        // The walk wraps the error of the system in one that names the path again.
        (Some(path), Some(error)) => match error.source() {
            Some(error) => format!("cannot read {}: {error}", shown(path)),
            None => format!("cannot read {}: {error}", shown(path)),
        },
        _ => secret::masked(error.to_string().as_bytes(), false),
    };
    access::tell(&message);
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}

/// Hands a text on in blocks, until there is no more or `visit` has seen enough. A text that nobody named ends where it turns out to
/// be binary: at a NUL.
fn blocks(
    mut reader: impl Read,
    buffer: &mut Vec<u8>,
    is_given: bool,
    mut visit: impl FnMut(&[u8], bool) -> bool,
) -> io::Result<()> {
    if buffer.len() != BLOCK {
        // A longer one is given back to the system.
        *buffer = vec![0; BLOCK];
    }
    let mut filled = 0;
    loop {
        if filled > buffer.len() / 2 && buffer.len() < LONGEST_BLOCK {
            buffer.resize(buffer.len() * 2, 0);
        }
        let seen = filled;
        let is_end = fill(&mut reader, buffer, &mut filled)?;
        if !is_given && memchr::memchr(0, &buffer[seen..filled]).is_some() {
            return Ok(());
        }
        if is_end {
            visit(&buffer[..filled], true);
            return Ok(());
        }
        let block = &buffer[..filled];
        let cut = match safe_cut(block) {
            Some(cut) => cut,
            None if filled < LONGEST_BLOCK => continue,
            None => block.iter().rposition(|octet| b" \t\"<>".contains(octet)).map_or(filled, |last| last + 1),
        };
        if !visit(&block[..cut], false) {
            return Ok(());
        }
        buffer.copy_within(cut..filled, 0);
        filled -= cut;
    }
}

/// Reads until the buffer is full; true at the end of the text.
fn fill(reader: &mut impl Read, buffer: &mut [u8], filled: &mut usize) -> io::Result<bool> {
    while *filled < buffer.len() {
        match reader.read(&mut buffer[*filled..]) {
            Ok(0) => return Ok(true),
            Ok(count) => *filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

/// The places of a text that comes in blocks.
#[derive(Debug)]
pub(crate) struct Places {
    /// Where the block begins.
    block: Position,
    /// The last place that was asked for.
    last: Position,
}

impl Places {
    pub(crate) const START: Places = Places { block: Position::START, last: Position::START };

    /// The place of an octet of the block; places are asked for in order.
    pub(crate) fn of(&mut self, block: &[u8], at: usize) -> Position {
        let from = self.last.offset - self.block.offset;
        self.last = self.last.after(&block[from.min(at)..at]);
        self.last
    }

    /// The next block follows this one.
    pub(crate) fn next(&mut self, block: &[u8]) {
        self.block = self.of(block, block.len());
    }

    /// How many octets are before the block.
    pub(crate) fn offset(&self) -> usize {
        self.block.offset
    }
}
