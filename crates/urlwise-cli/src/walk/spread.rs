//! Several threads on one long text.

use std::io;
use std::sync::{Condvar, Mutex};
use std::thread;

use urlwise_formats::stored::Blocks;

use super::{Common, Look, Out, Source};
use crate::lock::{locked, unlocked, wait};
use crate::position::Position;

/// Looks at the rest of a text, which begins at `start`: `look` on this thread, and each of the parts on one of its own. One reads at a
/// time, and the output is written in the order of the blocks.
pub(super) fn spread<L: Look>(
    blocks: Blocks<'_>,
    source: &Source<'_>,
    start: Position,
    look: &mut L,
    parts: &mut [L],
    common: &Common<'_>,
) -> io::Result<()> {
    let text = Text { unread: Mutex::new(Unread { blocks, start, number: 0, failure: None }), turn: Turn::default() };
    thread::scope(|scope| {
        for part in parts {
            // With fewer threads it takes longer.
            let _ = thread::Builder::new().spawn_scoped(scope, || text.look_at_blocks(source, part, common));
        }
        text.look_at_blocks(source, look, common);
    });
    match unlocked(text.unread).failure {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

struct Text<'r> {
    unread: Mutex<Unread<'r>>,
    turn: Turn,
}

impl Text<'_> {
    fn look_at_blocks<L: Look>(&self, source: &Source<'_>, look: &mut L, common: &Common<'_>) {
        let (mut buffer, mut out) = (Vec::new(), Vec::new());
        while !common.has_quit() {
            let Some((number, start, length)) = locked(&self.unread).next(&mut buffer) else { break };
            let write = |octets: &[u8]| {
                self.turn.wait(number);
                common.write(octets);
            };
            if !look.block(source, start, &buffer[..length], &mut Out::new(&mut out, &write)) {
                common.quit();
            }
            self.turn.wait(number);
            common.write(&out);
            self.turn.pass();
            out.clear();
        }
    }
}

/// What no thread has read yet.
struct Unread<'r> {
    blocks: Blocks<'r>,
    /// Where the next block begins.
    start: Position,
    /// Its number, from 0.
    number: usize,
    failure: Option<io::Error>,
}

impl Unread<'_> {
    /// Reads a block into the buffer: its number, its start in the text, its length. `None` at the end and after a failure.
    fn next(&mut self, buffer: &mut Vec<u8>) -> Option<(usize, Position, usize)> {
        if self.failure.is_some() {
            return None;
        }
        match self.blocks.next(buffer) {
            Ok(None) => None,
            Ok(Some(length)) => {
                let block = (self.number, self.start, length);
                self.start = self.start.after(&buffer[..length]);
                self.number += 1;
                Some(block)
            }
            Err(error) => {
                self.failure = Some(error);
                None
            }
        }
    }
}

/// Whose turn it is to write.
#[derive(Default)]
struct Turn {
    number: Mutex<usize>,
    passed: Condvar,
}

impl Turn {
    fn wait(&self, number: usize) {
        let mut turn = locked(&self.number);
        while *turn != number {
            turn = wait(&self.passed, turn);
        }
    }

    fn pass(&self) {
        *locked(&self.number) += 1;
        self.passed.notify_all();
    }
}
