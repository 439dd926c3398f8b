//! Progress bars: one for each transfer and, if there are several URLs, one for all of them. They
//! are not drawn if standard error is not a terminal.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use urlwise::escape_for_display;

use crate::language::said;

/// Draws per second.
const RATE: u8 = 10;

/// Fits in 60 columns.
const KNOWN: &str = "{prefix:12!} {wide_bar} {percent:>3}% {binary_bytes:>10}/{binary_total_bytes:<10} {binary_bytes_per_sec:>13} {eta:>4}";
const UNKNOWN: &str = "{prefix:20!} {wide_msg} {binary_bytes:>10} {binary_bytes_per_sec:>13}     ";

/// The bars of a run.
#[derive(Debug, Default)]
pub(super) struct Progress {
    bars: Option<MultiProgress>,
    /// Added with the second URL.
    total: OnceLock<ProgressBar>,
    begun: AtomicU64,
    ended: AtomicU64,
    failed: AtomicU64,
    octets: AtomicU64,
}

/// The bar of one transfer, if bars are shown.
#[derive(Debug)]
pub(super) struct Bar<'p> {
    progress: &'p Progress,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Echo bars if they are wanted and standard error is a terminal.
    pub(super) fn new(wanted: bool) -> Progress {
        let bars = MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(RATE));
        Progress { bars: Some(bars).filter(|bars| wanted && !bars.is_hidden()), ..Progress::default() }
    }

    pub(super) fn bars(&self) -> Option<&MultiProgress> {
        self.bars.as_ref()
    }

    /// Counts a URL.
    pub(super) fn expect(&self) {
        if self.begun.fetch_add(1, Ordering::Relaxed) == 1
            && let Some(bars) = &self.bars
        {
            let total = bars.add(ProgressBar::no_length().with_style(style(UNKNOWN)).with_prefix(said!("all")));
            total.set_position(self.octets.load(Ordering::Relaxed));
            // Only the second URL gets here, so it is not set yet.
            let _ = self.total.set(total);
        }
        self.show_total();
    }

    /// Counts a finished URL.
    pub(super) fn done(&self, failed: bool) {
        self.failed.fetch_add(failed.into(), Ordering::Relaxed);
        self.ended.fetch_add(1, Ordering::Relaxed);
        self.show_total();
    }

    fn show_total(&self) {
        if let Some(total) = self.total.get() {
            let [ended, begun, failed] =
                [&self.ended, &self.begun, &self.failed].map(|count| count.load(Ordering::Relaxed));
            total.set_message(match failed {
                0 => said!("{ended} of {begun}", ended = ended, begun = begun),
                _ => said!("{ended} of {begun}, {failed} failed", ended = ended, begun = begun, failed = failed),
            });
        }
    }

    /// Starts a transfer, of which `there` octets arrived earlier. The name may be any text; it is made where it is shown.
    pub(super) fn begin(&self, name: impl FnOnce() -> String, there: u64, size: Option<u64>) -> Bar<'_> {
        let bar = self.bars.as_ref().map(|bars| {
            let bar = match size {
                Some(size) => ProgressBar::new(size).with_style(style(KNOWN).progress_chars("=> ")),
                None => ProgressBar::no_length().with_style(style(UNKNOWN)),
            };
            let bar = bar.with_prefix(escape_for_display(name().as_bytes()).to_string()).with_position(there);
            match self.total.get() {
                Some(total) => bars.insert_before(total, bar),
                None => bars.add(bar),
            }
        });
        if let Some(bar) = &bar {
            // Octets that arrived earlier must not count for the rate.
            bar.reset_eta();
        }
        Bar { progress: self, bar }
    }
}

impl Bar<'_> {
    /// Adds octets.
    pub(super) fn add(&self, octets: u64) {
        self.progress.octets.fetch_add(octets, Ordering::Relaxed);
        if let Some(bar) = &self.bar {
            bar.inc(octets);
        }
        if let Some(total) = self.progress.total.get() {
            total.inc(octets);
        }
    }
}

impl Drop for Bar<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    // The templates are constants, and a test parses them.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::{KNOWN, ProgressStyle, UNKNOWN};

    #[test]
    fn the_templates_are_valid() {
        for template in [KNOWN, UNKNOWN] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}
