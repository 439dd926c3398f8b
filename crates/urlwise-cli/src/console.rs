//! Messages on standard error, written around progress bars and filtered by `--quiet`.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Mutex, OnceLock};

use indicatif::MultiProgress;
use urlwise_explain::snippets;

use crate::language::language;
use crate::lock::locked;

/// The most octets of a URL in a message.
pub(crate) const LONGEST_URL: usize = 2000;

/// Writes messages; shared by all threads of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Console {
    quiet: bool,
    bars: Option<MultiProgress>,
    /// The entry of the rule books that the first error cites.
    cited: Arc<OnceLock<&'static str>>,
    /// What is not written before its turn.
    kept: Option<Arc<Mutex<Vec<u8>>>>,
}

impl Console {
    /// With `quiet`, remarks are dropped. Messages are written above the bars.
    pub(crate) fn new(quiet: bool, bars: Option<MultiProgress>) -> Console {
        Console { quiet, bars, ..Console::default() }
    }

    /// One that keeps what it is told until [`take_over`](Console::take_over).
    pub(crate) fn keeping(&self) -> Console {
        Console { kept: Some(Arc::default()), cited: Arc::default(), ..self.clone() }
    }

    /// Writes what another console has kept.
    pub(crate) fn take_over(&self, other: &Console) {
        if let Some(kept) = &other.kept {
            self.write(&mem::take(&mut *locked(kept)));
        }
        if let Some(name) = other.cited.get() {
            self.cite(name);
        }
    }

    /// Prints a line, even with `--quiet`: an error or a warning.
    pub(crate) fn message(&self, line: &str) {
        self.write(format!("urlwise: {line}\n").as_bytes());
    }

    /// Prints a line unless `--quiet` is given: progress and notes.
    pub(crate) fn remark(&self, line: &str) {
        if !self.quiet {
            self.message(line);
        }
    }

    /// Writes raw octets.
    pub(crate) fn write(&self, octets: &[u8]) {
        if let Some(kept) = &self.kept {
            return locked(kept).extend_from_slice(octets);
        }
        let octets = with_carriage_returns(octets);
        // If this fails, there is nowhere left to report it.
        self.aside(|| drop(io::stderr().write_all(&octets)));
    }

    /// Runs `act` while the bars are hidden.
    pub(crate) fn aside<T>(&self, act: impl FnOnce() -> T) -> T {
        match &self.bars {
            Some(bars) => bars.suspend(act),
            None => act(),
        }
    }

    /// Remembers what an error cites, unless an error before it has cited something.
    pub(crate) fn cite(&self, name: &'static str) {
        // The first one wins.
        let _ = self.cited.set(name);
    }

    /// Removes the bars, and says how to read about what the first error cites.
    pub(crate) fn end(&self) {
        if let Some(bars) = &self.bars {
            // Fails only if the terminal was closed.
            let _ = bars.clear();
        }
        if let Some(line) = self.cited.get().and_then(|name| snippets::see_also_in(&[name], language())) {
            self.remark(&line);
        }
    }
}

/// Adds carriage returns if a session has changed the terminal, which then does not add them itself.
fn with_carriage_returns(octets: &[u8]) -> Cow<'_, [u8]> {
    #[cfg(unix)]
    if crate::raw::is_changed() {
        return octets.split_inclusive(|octet| *octet == b'\n').flat_map(|line| [line, b"\r"].concat()).collect();
    }
    Cow::Borrowed(octets)
}

/// A path or name as messages show it, escaped.
pub(crate) fn shown(name: impl AsRef<OsStr>) -> String {
    urlwise::escape_for_display(name.as_ref().as_encoded_bytes()).to_string()
}

/// Prints one line to standard error, for commands without `--quiet`.
pub(crate) fn message(line: &str) {
    Console::default().message(line);
}
