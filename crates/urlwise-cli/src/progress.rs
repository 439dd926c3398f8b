//! The progress line of a long walk.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter walks show no progress.
const LONG: Duration = Duration::from_secs(1);

/// The progress of a walk, shown on standard error after a while, if that is a terminal.
pub(crate) struct Progress {
    start: Instant,
    bar: ProgressBar,
    is_terminal: bool,
    is_shown: AtomicBool,
    texts: AtomicUsize,
}

impl Progress {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{human_pos} files, {elapsed}") {
            bar.set_style(style);
        }
        Progress {
            start: Instant::now(),
            bar,
            is_terminal: io::stderr().is_terminal(),
            is_shown: AtomicBool::new(false),
            texts: AtomicUsize::new(0),
        }
    }

    /// Counts a file that was read.
    pub(crate) fn read_one(&self) {
        // Reading the clock for each small file would be too slow.
        const SOME: usize = 64;
        if !self.is_terminal {
            return;
        }
        let texts = self.texts.fetch_add(1, Ordering::Relaxed) + 1;
        if texts.is_multiple_of(SOME) && self.start.elapsed() >= LONG {
            if !self.is_shown.swap(true, Ordering::Relaxed) {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            self.bar.set_position(texts as u64);
        }
    }

    /// Writes results while the line is hidden.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        if self.is_shown.load(Ordering::Relaxed) { self.bar.suspend(write) } else { write() }
    }

    pub(crate) fn finish(&self) {
        if self.is_shown.load(Ordering::Relaxed) {
            self.bar.finish_and_clear();
        }
    }
}
