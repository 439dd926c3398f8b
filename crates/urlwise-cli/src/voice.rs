//! What people are told on standard error: around bars of progress, and no more than they want to hear.

use std::borrow::Cow;
use std::io::{self, Write};

use indicatif::MultiProgress;

/// One voice for all that a run says, whichever thread says it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Voice {
    quiet: bool,
    bars: Option<MultiProgress>,
}

impl Voice {
    /// A voice that keeps remarks to itself if it is `quiet`, and speaks above the bars.
    pub(crate) fn new(quiet: bool, bars: Option<MultiProgress>) -> Voice {
        Voice { quiet, bars }
    }

    /// One line that is always told: why something failed, what is dangerous.
    pub(crate) fn tell(&self, line: &str) {
        self.write(format!("urlwise: {line}\n").as_bytes());
    }

    /// One line that is nice to know.
    pub(crate) fn remark(&self, line: &str) {
        if !self.quiet {
            self.tell(line);
        }
    }

    /// Octets as they are.
    pub(crate) fn write(&self, octets: &[u8]) {
        let octets = from_the_left(octets);
        // Nobody is left to be told if this fails.
        self.aside(|| drop(io::stderr().write_all(&octets)));
    }

    /// Does something with the terminal while the bars are away.
    pub(crate) fn aside<T>(&self, act: impl FnOnce() -> T) -> T {
        match &self.bars {
            Some(bars) => bars.suspend(act),
            None => act(),
        }
    }

    /// Takes the bars away: what is left of the terminal is as it was.
    pub(crate) fn end(&self) {
        if let Some(bars) = &self.bars {
            // A terminal that has gone needs no cleaning.
            let _ = bars.clear();
        }
    }
}

/// Lines for a terminal that a session may hold: it begins a line where the one before ended, unless it is told to go back.
fn from_the_left(octets: &[u8]) -> Cow<'_, [u8]> {
    #[cfg(unix)]
    if crate::raw::is_held() {
        return octets.split_inclusive(|octet| *octet == b'\n').flat_map(|line| [line, b"\r"].concat()).collect();
    }
    Cow::Borrowed(octets)
}
