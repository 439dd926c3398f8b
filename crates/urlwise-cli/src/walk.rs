//! Reads files, folders and standard input with several threads, for `find` and `check`.
//!
//! Folders are walked like ripgrep does. A text is passed on in blocks that do not cut URLs, with one buffer per thread, so
//! that memory is bounded however large a file is. The output for a file is written at once when the file has been read; very
//! large output is written in pieces of complete records.

mod coded;
mod ignored;

use std::error::Error;
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use ignore::{DirEntry, WalkBuilder, WalkState};
use urlwise::find::{Finder, safe_cut};
use urlwise_links::Format;

use crate::console::Console;
use crate::document::{Documents, Link, Seen};
use crate::exit::Failure;
use crate::position::Position;
use crate::progress::Progress;
use crate::secret;
use coded::Coding;
use ignored::Filter;

/// The size of blocks in octets, unless lines are longer.
const BLOCK: usize = 1 << 20;
/// The longest block: a longer line is cut between URLs.
const LONGEST_BLOCK: usize = 16 << 20;
/// The output for a text is written at once, unless it is longer than this, in octets.
const FULL: usize = 1 << 20;
/// More threads than this made searching slower in measurements.
const MOST_THREADS: usize = 12;

/// What to read.
#[derive(Debug)]
pub(crate) struct Walk {
    /// Files and folders; `-` is standard input.
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) hidden: bool,
    pub(crate) no_ignore: bool,
    /// By path, with one thread.
    pub(crate) sorted: bool,
    pub(crate) threads: Option<usize>,
    /// How documents are read.
    pub(crate) documents: Documents,
    /// Also in compressed files.
    pub(crate) search_zip: bool,
    /// The octets of every file are read as they are stored.
    pub(crate) is_raw: bool,
}

impl Walk {
    /// The URLs in a text: see [`Documents::each`].
    pub(crate) fn each(
        &self,
        finder: Finder<'_>,
        source: &Source<'_>,
        text: &[u8],
        visit: impl FnMut(&Seen<'_>) -> bool,
    ) -> bool {
        self.documents.each(finder, source.format, source.path, text, visit)
    }

    /// The links of a text: see [`Documents::each_link`].
    pub(crate) fn each_link(
        &self,
        finder: Finder<'_>,
        source: &Source<'_>,
        text: &[u8],
        visit: impl FnMut(Link<'_>) -> bool,
    ) -> bool {
        self.documents.each_link(finder, source.format, source.path, text, visit)
    }

    fn format(&self, path: Option<&Path>) -> Format {
        // Of `README.md.gz` the name within counts.
        let inner = path.filter(|path| self.search_zip && path.extension().is_some_and(|ending| ending == "gz"));
        let inner = inner.and_then(Path::file_stem).map(Path::new);
        self.documents.format(inner.or(path))
    }
}

/// Visits texts; each thread has its own.
pub(crate) trait Look: Send {
    /// Called at the start of a text.
    fn begin(&mut self, source: &Source<'_>);

    /// Called for each block. Output goes to `out`. Returns false to stop the whole walk.
    fn block(&mut self, source: &Source<'_>, block: &[u8], is_last: bool, out: &mut Vec<u8>) -> bool;

    /// Called at the end of a text; `out` can be written then.
    fn end(&mut self, source: &Source<'_>, out: &mut Vec<u8>);
}

/// The source of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    /// `None` for standard input.
    pub(crate) path: Option<&'a Path>,
    /// How it is read. Of a document each block is the whole.
    pub(crate) format: Format,
}

impl Source<'_> {
    /// The name, masked and escaped.
    pub(crate) fn shown(&self) -> String {
        match self.path {
            Some(path) => secret::masked_path(path),
            None => "<stdin>".into(),
        }
    }
}

/// The result of a walk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walked {
    /// How many texts were read.
    pub(crate) texts: usize,
    /// Something could not be read, which was reported.
    pub(crate) failed: bool,
}

/// Reads everything, passes it to the visitors that `look` makes, and writes their output.
pub(crate) fn walk<L: Look>(
    walk: &Walk,
    look: impl Fn() -> L + Sync,
    out: &mut (dyn Write + Send),
) -> Result<Walked, Failure> {
    let is_one_text = matches!(walk.paths.as_slice(), [path] if !path.is_dir());
    let common = Common {
        walk,
        sink: Mutex::new(Sink { out, error: None }),
        quit: AtomicBool::new(false),
        progress: Progress::new(),
    };
    let totals = Mutex::new(Walked::default());
    let threads = threads(walk.threads);
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

/// How many threads to use, if so many were asked for; `None` and 0 mean as many as there are processors.
pub(crate) fn threads(asked: Option<usize>) -> usize {
    let all = || thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    asked.filter(|asked| *asked > 0).unwrap_or_else(all)
}

fn builder(walk: &Walk) -> WalkBuilder {
    let mut builder = WalkBuilder::from_iter(&walk.paths);
    let filter = Filter::new(walk.hidden, !walk.no_ignore);
    builder.standard_filters(false).filter_entry(move |entry| filter.passes(entry)).skip_stdout(true);
    if walk.sorted {
        builder.sort_by_file_path(Path::cmp);
    }
    builder
}

/// What the threads share.
struct Common<'o> {
    walk: &'o Walk,
    sink: Mutex<Sink<'o>>,
    /// Stop the walk.
    quit: AtomicBool,
    progress: Progress,
}

struct Sink<'o> {
    out: &'o mut (dyn Write + Send),
    /// The first write error; nothing is written after it.
    error: Option<io::Error>,
}

/// Locks, ignoring poison: a thread that panics leaves no inconsistent state.
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
                let kind = entry.file_type();
                let is_given = entry.depth() == 0;
                if kind.is_some_and(|kind| kind.is_file() || is_given && !kind.is_dir()) {
                    self.file(entry.path(), is_given);
                }
            }
            Err(error) => {
                self.walked.failed = true;
                report_error(&error);
            }
        }
        match self.common.quit.load(Ordering::Relaxed) {
            true => WalkState::Quit,
            false => WalkState::Continue,
        }
    }

    fn stdin(&mut self) {
        self.text(Source { path: None, format: self.common.walk.format(None) }, io::stdin().lock(), true);
    }

    fn file(&mut self, path: &Path, is_given: bool) {
        // A walk of the current folder prefixes paths with `./`.
        let shown = path.strip_prefix("./").unwrap_or(path);
        let source = Source { path: Some(shown), format: self.common.walk.format(Some(shown)) };
        match File::open(path) {
            Ok(file) => self.text(source, file, is_given),
            Err(error) => self.failed(&source, &error),
        }
    }

    fn failed(&mut self, source: &Source<'_>, error: &io::Error) {
        self.walked.failed = true;
        Console::default().message(&format!("cannot read {}: {error}", source.shown()));
    }

    fn text(&mut self, mut source: Source<'_>, reader: impl Read, is_given: bool) {
        self.look.begin(&source);
        let mut buffer = mem::take(&mut self.buffer);
        let mut more = true;
        let kind = Kind {
            may_be_binary: is_given,
            is_whole: source.format != Format::Text,
            search_zip: self.common.walk.search_zip,
            is_raw: self.common.walk.is_raw,
        };
        let read = blocks(reader, &mut buffer, kind, |block, is_last| {
            if source.format != Format::Text && !is_last {
                source.format = Format::Text;
                let most = LONGEST_BLOCK >> 20;
                Console::default().message(&format!("{}: longer than {most} MiB, so read as text", source.shown()));
            }
            more = self.look.block(&source, block, is_last, &mut self.out);
            if self.out.len() > FULL {
                self.flush();
            }
            more && !self.common.quit.load(Ordering::Relaxed)
        });
        self.buffer = buffer;
        if let Err(error) = read {
            self.failed(&source, &error);
        }
        self.walked.texts += 1;
        self.look.end(&source, &mut self.out);
        if !more {
            self.common.quit.store(true, Ordering::Relaxed);
        }
        self.flush();
        self.common.progress.read_one();
    }

    /// Writes the output, unless a write has failed before.
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

/// Prints an error of the walk. Errors about ignore files already name their path.
fn report_error(error: &ignore::Error) {
    let message = match (path_of(error), error.io_error()) {
        // The walk wraps the system's error in one that repeats the path.
        (Some(path), Some(error)) => match error.source() {
            Some(error) => format!("cannot read {}: {error}", secret::masked_path(path)),
            None => format!("cannot read {}: {error}", secret::masked_path(path)),
        },
        _ => secret::masked(error.to_string().as_bytes(), false),
    };
    Console::default().message(&message);
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}

/// How a text is divided into blocks.
#[derive(Clone, Copy)]
struct Kind {
    /// Otherwise it ends where it turns out to be binary: at a NUL.
    may_be_binary: bool,
    /// One block, if it is not longer than the longest.
    is_whole: bool,
    /// Compressed texts are decompressed.
    search_zip: bool,
    /// Texts are passed on as they are stored.
    is_raw: bool,
}

impl Kind {
    /// For the text that was stored in a coding. What is compressed twice is not searched.
    fn within(self, coding: Coding) -> Kind {
        Kind { search_zip: false, is_raw: coding != Coding::Gzip, ..self }
    }
}

/// Passes a text to `visit` in blocks, until its end or until `visit` returns false.
fn blocks(
    mut reader: impl Read,
    buffer: &mut Vec<u8>,
    kind: Kind,
    mut visit: impl FnMut(&[u8], bool) -> bool,
) -> io::Result<()> {
    if buffer.len() != BLOCK {
        // A buffer that was enlarged is freed.
        *buffer = vec![0; BLOCK];
    }
    let mut filled = 0;
    let mut is_first = true;
    loop {
        if filled > buffer.len() / 2 && buffer.len() < LONGEST_BLOCK {
            buffer.resize(buffer.len() * 2, 0);
        }
        let seen = filled;
        let is_end = fill(&mut reader, buffer, &mut filled)?;
        if is_first && !kind.is_raw {
            let head = &buffer[..filled];
            if let Some(coding) = coded::coding(head, kind.search_zip) {
                let stored = io::Cursor::new(head.to_vec()).chain(&mut reader as &mut dyn Read);
                return blocks(coded::decoder(coding, stored), buffer, kind.within(coding), visit);
            }
        }
        is_first = false;
        if !kind.may_be_binary && memchr::memchr(0, &buffer[seen..filled]).is_some() {
            return Ok(());
        }
        if is_end {
            visit(&buffer[..filled], true);
            return Ok(());
        }
        let block = &buffer[..filled];
        if kind.is_whole && filled < LONGEST_BLOCK {
            continue;
        }
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

/// Positions in a text that is read in blocks.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// Where the block starts.
    block: Position,
    /// The last position that was asked for.
    last: Position,
}

impl Places {
    pub(crate) const START: Places = Places { block: Position::START, last: Position::START };

    /// The position of an octet in the block; must be called in order.
    pub(crate) fn of(&mut self, block: &[u8], at: usize) -> Position {
        let from = self.last.offset - self.block.offset;
        self.last = self.last.after(&block[from.min(at)..at]);
        self.last
    }

    /// Moves on to the next block.
    pub(crate) fn next(&mut self, block: &[u8]) {
        self.block = self.of(block, block.len());
    }

    /// How many octets are before the block.
    pub(crate) fn offset(&self) -> usize {
        self.block.offset
    }
}
