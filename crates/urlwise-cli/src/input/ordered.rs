//! Works through lists on all processors and writes the results in the order of the records.
//!
//! The first blocks are worked on as they arrive, on the thread that reads them, so that a line that is typed is answered at
//! once. A block that fills the buffer is the sign of a long list: from then on a thread reads and others work. Each result
//! is written by the thread that made it when its turn has come, or by the thread before it.

use std::collections::{BTreeMap, VecDeque};
use std::io::Write;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

use super::blocks::{Block, Blocks};
use super::{Answers, Record, cannot_start};
use crate::exit::Failure;
use crate::lock::{locked, unlocked, wait};

/// So many blocks may wait for each thread.
const AHEAD: usize = 2;
/// Longer results are not kept until their turn has come, in octets.
pub(crate) const FULL: usize = 1 << 20;
/// Results that wait for their turn take no more than this, in octets.
const HELD: usize = 4 << 20;
/// So many empty results keep their memory.
const SPARE: usize = 4;

/// Hands every record to `work`, which appends its result to the answers and may have the beginning of a long one written before
/// its end, and writes the results to `out` in the order of the records. Each thread has a `T` of its own, which counts what it has
/// seen; all are returned, in no order, and the first failure in the order of the records: of reading, of `work`, of writing.
/// Everything before it was written.
pub(crate) fn write_each<T: Default + Send>(
    blocks: Blocks,
    threads: usize,
    out: &mut (dyn Write + Send),
    work: impl Fn(Record<'_>, &mut T, &mut Answers, Full<'_>) -> Result<(), Failure> + Sync,
) -> (Vec<T>, Result<(), Failure>) {
    write_blocks(blocks, threads, out, |block, seen, answers, full| {
        block.each(|record| {
            work(record, seen, answers, full)?;
            if answers.len() > FULL { full(answers) } else { Ok(()) }
        })
    })
}

/// Writes the beginning of a long result, and clears it.
pub(crate) type Full<'f> = &'f mut dyn FnMut(&mut Answers) -> Result<(), Failure>;

/// Like [`write_each`] with whole blocks.
pub(crate) fn write_blocks<T: Default + Send>(
    mut blocks: Blocks,
    threads: usize,
    out: &mut (dyn Write + Send),
    work: impl Fn(&Block, &mut T, &mut Answers, Full<'_>) -> Result<(), Failure> + Sync,
) -> (Vec<T>, Result<(), Failure>) {
    let mut seen = T::default();
    let mut answers = Answers::default();
    let is_long = loop {
        let worked = |block: &Block, answers: &mut Answers, full: Full<'_>| work(block, &mut seen, answers, full);
        match answer_next(&mut blocks, out, &mut answers, worked) {
            Ok(Answered::Block { is_large }) if is_large && threads > 1 => break Ok(true),
            Ok(Answered::Block { .. }) => {}
            Ok(Answered::End) => break Ok(false),
            Err(failure) => break Err(failure),
        }
    };
    match is_long {
        Ok(true) => {
            let all = Mutex::new(vec![seen]);
            let done = on_threads(blocks, threads, out, work, &all);
            (unlocked(all), done)
        }
        Ok(false) => (vec![seen], Ok(())),
        Err(failure) => (vec![seen], Err(failure)),
    }
}

/// What was found where a block was asked for.
enum Answered {
    Block { is_large: bool },
    End,
}

/// Reads a block, works on it and writes the results. The answers are empty before and after.
fn answer_next(
    blocks: &mut Blocks,
    out: &mut (dyn Write + Send),
    answers: &mut Answers,
    work: impl FnOnce(&Block, &mut Answers, Full<'_>) -> Result<(), Failure>,
) -> Result<Answered, Failure> {
    let Some(block) = blocks.next()? else { return Ok(Answered::End) };
    let worked = work(&block, answers, &mut |answers| {
        answers.write(out)?;
        answers.clear();
        Ok(())
    });
    answers.write(out)?;
    answers.clear();
    worked?;
    // Somebody may wait for the answer before writing more.
    out.flush()?;
    Ok(Answered::Block { is_large: block.is_large() })
}

fn on_threads<T: Default + Send>(
    mut blocks: Blocks,
    threads: usize,
    out: &mut (dyn Write + Send),
    work: impl Fn(&Block, &mut T, &mut Answers, Full<'_>) -> Result<(), Failure> + Sync,
    all: &Mutex<Vec<T>>,
) -> Result<(), Failure> {
    let queue = Arc::new(Queue::new(threads * AHEAD));
    // Not in the scope below: it may wait for input that never comes after the output was closed.
    let filled = Arc::clone(&queue);
    let reader = move || while filled.add(blocks.next()) {};
    thread::Builder::new().spawn(reader).map_err(|error| cannot_start(&error))?;
    let output = Output::new(out, &queue);
    let worker = || {
        let mut seen = T::default();
        let mut answers = Answers::default();
        while let Some((number, block)) = queue.take() {
            let worked = work(&block, &mut seen, &mut answers, &mut |answers| output.begin(number, answers));
            output.finish(number, &mut answers, worked);
        }
        locked(all).push(seen);
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // With fewer threads it takes longer.
            let _ = thread::Builder::new().spawn_scoped(scope, worker);
        }
        worker();
    });
    output.failure()?;
    queue.failure()
}

/// Blocks that were read and not yet taken.
struct Queue {
    most: usize,
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    blocks: VecDeque<Block>,
    /// How many were taken.
    taken: usize,
    /// No more will be added, or taken.
    is_closed: bool,
    failure: Option<Failure>,
}

impl Queue {
    fn new(most: usize) -> Self {
        Queue { most, waiting: Mutex::default(), changed: Condvar::new() }
    }

    /// Adds what was read, when there is room; false if nothing more is wanted.
    fn add(&self, read: Result<Option<Block>, Failure>) -> bool {
        let mut waiting = locked(&self.waiting);
        while waiting.blocks.len() >= self.most && !waiting.is_closed {
            waiting = wait(&self.changed, waiting);
        }
        match read {
            Ok(Some(block)) => waiting.blocks.push_back(block),
            Ok(None) => waiting.is_closed = true,
            Err(failure) => {
                waiting.is_closed = true;
                waiting.failure = Some(failure);
            }
        }
        self.changed.notify_all();
        !waiting.is_closed
    }

    /// The next block and its number, from 0; `None` at the end.
    fn take(&self) -> Option<(usize, Block)> {
        let mut waiting = locked(&self.waiting);
        loop {
            if let Some(block) = waiting.blocks.pop_front() {
                let number = waiting.taken;
                waiting.taken += 1;
                self.changed.notify_all();
                return Some((number, block));
            }
            if waiting.is_closed {
                return None;
            }
            waiting = wait(&self.changed, waiting);
        }
    }

    /// Nothing more is worked on.
    fn stop(&self) {
        let mut waiting = locked(&self.waiting);
        waiting.is_closed = true;
        waiting.blocks.clear();
        self.changed.notify_all();
    }

    fn failure(&self) -> Result<(), Failure> {
        locked(&self.waiting).failure.take().map_or(Ok(()), Err)
    }
}

/// Writes the results in the order of their numbers.
struct Output<'o, 'q> {
    written: Mutex<Written<'o>>,
    turn: Condvar,
    queue: &'q Queue,
}

struct Written<'o> {
    out: &'o mut (dyn Write + Send),
    /// Whose turn it is.
    next: usize,
    /// Results whose turn has not come.
    ready: BTreeMap<usize, Answers>,
    /// How long these are.
    held: usize,
    /// Empty ones that have memory: without them, every result that waited would leave its thread to take new pages.
    spare: Vec<Answers>,
    /// Nothing is written after it.
    failure: Option<Failure>,
}

impl<'o, 'q> Output<'o, 'q> {
    fn new(out: &'o mut (dyn Write + Send), queue: &'q Queue) -> Self {
        let written = Written { out, next: 0, ready: BTreeMap::new(), held: 0, spare: Vec::new(), failure: None };
        Output { written: Mutex::new(written), turn: Condvar::new(), queue }
    }

    /// Waits for the turn of a block; `Enough` if something failed before.
    fn turn(&self, number: usize) -> Result<MutexGuard<'_, Written<'o>>, Failure> {
        let mut written = locked(&self.written);
        while written.next != number && written.failure.is_none() {
            written = wait(&self.turn, written);
        }
        if written.failure.is_some() { Err(Failure::Enough) } else { Ok(written) }
    }

    /// Writes the beginning of a long result.
    fn begin(&self, number: usize, answers: &mut Answers) -> Result<(), Failure> {
        answers.write(self.turn(number)?.out)?;
        answers.clear();
        Ok(())
    }

    /// Writes the rest of a result, and those that waited for it, and clears it. `worked` is the failure that ended it early.
    fn finish(&self, number: usize, answers: &mut Answers, worked: Result<(), Failure>) {
        let mut written = locked(&self.written);
        if written.next != number && worked.is_ok() && written.held + answers.len() <= HELD {
            written.held += answers.len();
            let spare = written.spare.pop().unwrap_or_default();
            written.ready.insert(number, mem::replace(answers, spare));
            return;
        }
        drop(written);
        let Ok(mut written) = self.turn(number) else { return };
        let mut done = written.write(answers).and(worked);
        answers.clear();
        written.next += 1;
        while done.is_ok() {
            let next = written.next;
            let Some(mut answers) = written.ready.remove(&next) else { break };
            written.held -= answers.len();
            done = written.write(&answers);
            answers.clear();
            if written.spare.len() < SPARE {
                written.spare.push(answers);
            }
            written.next += 1;
        }
        if let Err(failure) = done {
            written.failure = Some(failure);
            self.queue.stop();
        }
        self.turn.notify_all();
    }

    fn failure(self) -> Result<(), Failure> {
        unlocked(self.written).failure.map_or(Ok(()), Err)
    }
}

impl Written<'_> {
    fn write(&mut self, answers: &Answers) -> Result<(), Failure> {
        answers.write(self.out)?;
        // Somebody may wait for the answer before writing more.
        self.out.flush()?;
        Ok(())
    }
}
