//! Reads files, folders and standard input with several threads, for `find` and `check`.
//!
//! Folders are walked like ripgrep does. A text is passed on in blocks that do not cut URLs, with one buffer per thread, so
//! that memory is bounded however large a file is. The output for a file is written at once when the file has been read; very
//! large output is written in pieces of complete records.

mod ignored;
mod named;
mod out;
mod spread;

use std::error::Error;
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ignore::{DirEntry, WalkBuilder, WalkState};
use urlwise::find::Finder;
use urlwise_explain::secret;
use urlwise_formats::stored::{self, Blocks, Kind, LONGEST_BLOCK, TooLong};
use urlwise_links::Format;

use crate::console::Console;
use crate::document::{Documents, Link, Seen};
use crate::exit::{Failure, os_message, plain_words};
use crate::language::{about, message, said};
use crate::lock::{locked, unlocked};
use crate::position::Position;
use crate::progress::Progress;
use crate::whole_file;
use ignored::Filter;
use named::Named;
pub(crate) use out::Out;

/// More threads than this made searching slower in measurements.
const MOST_THREADS: usize = 12;

/// What to read.
#[derive(Debug)]
pub(crate) struct Walk {
    /// Files and folders; `-` is standard input. A file that is reached by several of them is read once.
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

    /// Called for each block, which begins at `start` of the text. Output goes to `out`, which is [relieved](Out::relieve) now and then.
    /// Returns false to stop the whole walk.
    fn block(&mut self, source: &Source<'_>, start: Position, block: &[u8], out: &mut Out<'_>) -> bool;

    /// Called at the end of a text; `out` can be written then.
    fn end(&mut self, source: &Source<'_>, out: &mut Vec<u8>);

    /// Another visitor for blocks of the same text, on another thread; `None` if one has to see all of them, in order.
    fn part(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Takes over what a part has counted.
    fn join(&mut self, _part: Self)
    where
        Self: Sized,
    {
    }
}

/// The source of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    /// `None` for standard input.
    pub(crate) path: Option<&'a Path>,
    /// How it is read. Of a document each block is the whole.
    pub(crate) format: Format,
    /// Its octets are not those of the file, which is compressed or in UTF-16. Known once there is a block.
    pub(crate) is_decoded: bool,
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
    let (paths, named) = Named::distinct(&walk.paths);
    let is_one_text = matches!(paths.as_slice(), [path] if !path.is_dir());
    let common = Common {
        walk,
        sink: Mutex::new(Sink { out, error: None }),
        quit: AtomicBool::new(false),
        progress: Progress::new(),
    };
    let totals = Mutex::new(Walked::default());
    let threads = threads(walk.threads);
    let mut builder = builder(walk, &paths, named);
    if walk.sorted || is_one_text || threads == 1 {
        let mut worker = Worker::new(&common, &totals, look(), if is_one_text { threads } else { 1 });
        for entry in builder.build() {
            if let WalkState::Quit = worker.entry(entry) {
                break;
            }
        }
    } else {
        builder.threads(threads).build_parallel().run(|| {
            let mut worker = Worker::new(&common, &totals, look(), 1);
            Box::new(move |entry| worker.entry(entry))
        });
    }
    common.progress.finish();
    match unlocked(common.sink).error {
        Some(error) => Err(Failure::Output(error)),
        None => Ok(unlocked(totals)),
    }
}

/// How many threads to use, if so many were asked for; `None` and 0 mean as many as there are processors.
pub(crate) fn threads(asked: Option<usize>) -> usize {
    let all = || thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    asked.filter(|asked| *asked > 0).unwrap_or_else(all)
}

fn builder(walk: &Walk, paths: &[PathBuf], named: Named) -> WalkBuilder {
    let mut builder = WalkBuilder::from_iter(paths);
    let filter = Filter::new(walk.hidden, !walk.no_ignore);
    // A new file that another thread is writing is gone soon.
    let is_ours = |entry: &DirEntry| whole_file::is_beside(entry.file_name());
    let passes = move |entry: &DirEntry| filter.passes(entry) && !named.has(entry) && !is_ours(entry);
    builder.standard_filters(false).filter_entry(passes).skip_stdout(true);
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

impl Common<'_> {
    /// Writes some output, unless a write has failed before.
    fn write(&self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        let mut sink = locked(&self.sink);
        if sink.error.is_none()
            && let Err(error) = self.progress.aside(|| sink.out.write_all(text))
        {
            sink.error = Some(error);
            self.quit();
        }
    }

    fn quit(&self) {
        self.quit.store(true, Ordering::Relaxed);
    }

    fn has_quit(&self) -> bool {
        self.quit.load(Ordering::Relaxed)
    }
}

struct Sink<'o> {
    out: &'o mut (dyn Write + Send),
    /// The first write error; nothing is written after it.
    error: Option<io::Error>,
}

struct Worker<'c, 'o, L> {
    common: &'c Common<'o>,
    totals: &'c Mutex<Walked>,
    walked: Walked,
    look: L,
    /// How many may work on one text.
    threads: usize,
    buffer: Vec<u8>,
    out: Vec<u8>,
}

impl<'c, 'o, L: Look> Worker<'c, 'o, L> {
    fn new(common: &'c Common<'o>, totals: &'c Mutex<Walked>, look: L, threads: usize) -> Self {
        Worker { common, totals, walked: Walked::default(), look, threads, buffer: Vec::new(), out: Vec::new() }
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
        match self.common.has_quit() {
            true => WalkState::Quit,
            false => WalkState::Continue,
        }
    }

    fn stdin(&mut self) {
        self.text(Source { path: None, format: self.common.walk.format(None), is_decoded: false }, io::stdin(), true);
    }

    fn file(&mut self, path: &Path, is_given: bool) {
        // A walk of the current folder prefixes paths with `./`.
        let shown = path.strip_prefix("./").unwrap_or(path);
        let source = Source { path: Some(shown), format: self.common.walk.format(Some(shown)), is_decoded: false };
        match File::open(path) {
            Ok(file) => self.text(source, file, is_given),
            Err(error) => self.failed(&source, &error),
        }
    }

    fn failed(&mut self, source: &Source<'_>, error: &io::Error) {
        self.walked.failed = true;
        let why = match error.get_ref() {
            Some(reason) if reason.is::<TooLong>() => {
                said!("longer than {count} GiB when decompressed", count = TooLong::GIB)
            }
            _ => os_message(error),
        };
        Console::default().message(&said!("cannot read {name}: {why}", name = source.shown(), why = why));
    }

    fn text(&mut self, mut source: Source<'_>, reader: impl Read + Send, is_given: bool) {
        self.look.begin(&source);
        let mut buffer = mem::take(&mut self.buffer);
        let kind = Kind {
            may_be_binary: is_given,
            is_whole: source.format != Format::Text,
            search_zip: self.common.walk.search_zip,
            ..Kind::default()
        };
        let mut blocks = Blocks::new(reader, kind);
        let mut start = Position::START;
        let read = loop {
            let block = match blocks.next(&mut buffer) {
                Ok(Some(length)) => &buffer[..length],
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            };
            source.is_decoded = blocks.is_decoded();
            if source.format != Format::Text && !blocks.is_ended() {
                if source.format.has_links() {
                    let most = LONGEST_BLOCK >> 20;
                    let message = message!("longer than {count} MiB, so read as text", count = most);
                    Console::default().message(&about(source.shown(), message));
                }
                source.format = Format::Text;
            }
            let write = |octets: &[u8]| self.common.write(octets);
            let mut out = Out::new(&mut self.out, &write);
            if !self.look.block(&source, start, block, &mut out) {
                self.common.quit();
            }
            out.relieve();
            if self.common.has_quit() {
                break Ok(());
            }
            if blocks.is_ended() {
                continue;
            }
            start = start.after(block);
            let mut parts: Vec<L> = (1..self.threads).map_while(|_| self.look.part()).collect();
            if !parts.is_empty() {
                self.flush();
                let read = spread::spread(blocks, &source, start, &mut self.look, &mut parts, self.common);
                parts.into_iter().for_each(|part| self.look.join(part));
                break read;
            }
        };
        self.buffer = stored::kept(buffer);
        if let Err(error) = read {
            self.failed(&source, &error);
        }
        self.walked.texts += 1;
        self.look.end(&source, &mut self.out);
        self.flush();
        self.common.progress.read_one();
    }

    /// Writes the output and clears it.
    fn flush(&mut self) {
        self.common.write(&self.out);
        self.out.clear();
    }
}

impl<L> Drop for Worker<'_, '_, L> {
    fn drop(&mut self) {
        let mut totals = locked(self.totals);
        totals.texts += self.walked.texts;
        totals.failed |= self.walked.failed;
    }
}

fn unreadable(path: &Path, why: &str) -> String {
    // What is no file may be a login that was meant for a URL.
    let name = if path.symlink_metadata().is_ok() { secret::masked_path(path) } else { secret::masked_missing(path) };
    said!("cannot read {name}: {why}", name = name, why = why)
}

/// Prints an error of the walk. Errors about ignore files already name their path.
fn report_error(error: &ignore::Error) {
    let message = match (path_of(error), error.io_error()) {
        // The walk wraps the system's error in one that repeats the path.
        (Some(path), Some(error)) => match error.source() {
            Some(error) => unreadable(path, plain_words(&error.to_string())),
            None => unreadable(path, &os_message(error)),
        },
        _ => secret::masked(plain_words(&error.to_string()).as_bytes(), false),
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

/// Positions in a block.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// Octets before the block.
    offset: usize,
    /// The last position that was asked for.
    last: Position,
}

impl Places {
    /// For a block that begins at `start`.
    pub(crate) fn from(start: Position) -> Self {
        Places { offset: start.offset, last: start }
    }

    /// The position of an octet in the block; must be called in order.
    pub(crate) fn of(&mut self, block: &[u8], at: usize) -> Position {
        let from = self.last.offset - self.offset;
        self.last = self.last.after(&block[from.min(at)..at]);
        self.last
    }

    /// How many octets are before the block.
    pub(crate) fn offset(&self) -> usize {
        self.offset
    }
}
