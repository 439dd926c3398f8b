//! Signals during an interactive session: it restores the terminal before the program stops, and changes it
//! again when the program continues.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGCONT, SIGQUIT, SIGTSTP, SIGWINCH};
use signal_hook::{flag, low_level};

use crate::interrupt::heeded;
use crate::raw;

/// Outside of sessions, signals have their default actions.
static OUTSIDE: OnceLock<Result<Shared, String>> = OnceLock::new();

struct Shared {
    stopped: Arc<AtomicBool>,
    resumed: Arc<AtomicBool>,
    ended: Arc<AtomicBool>,
    /// There is no session.
    outside: Arc<AtomicBool>,
    /// Ready to be read after each signal.
    wake: UnixStream,
}

/// Handles signals until it is dropped.
pub(super) struct Signals(&'static Shared);

impl Shared {
    fn listen() -> io::Result<Shared> {
        let [stopped, resumed, ended] = [(); 3].map(|()| Arc::new(AtomicBool::new(false)));
        let outside = Arc::new(AtomicBool::new(true));
        let (wake, waker) = UnixStream::pair()?;
        wake.set_nonblocking(true)?;
        let heeded = heeded([SIGTSTP, SIGQUIT, SIGCONT, SIGWINCH]);
        for (signal, raised) in [(SIGTSTP, &stopped), (SIGQUIT, &ended), (SIGCONT, &resumed)] {
            if !heeded.contains(&signal) {
                continue;
            }
            if signal != SIGCONT {
                flag::register_conditional_default(signal, Arc::clone(&outside))?;
            }
            flag::register(signal, Arc::clone(raised))?;
        }
        // Registered after the flags, so that they are set when `wake` becomes readable.
        for signal in heeded {
            low_level::pipe::register(signal, waker.try_clone()?)?;
        }
        Ok(Shared { stopped, resumed, ended, outside, wake })
    }
}

impl Signals {
    pub(super) fn listen() -> Result<Signals, String> {
        let shared = OUTSIDE.get_or_init(|| Shared::listen().map_err(|error| error.to_string()));
        let shared = shared.as_ref().map_err(String::clone)?;
        for flag in [&shared.stopped, &shared.resumed, &shared.ended] {
            flag.store(false, Ordering::Relaxed);
        }
        shared.outside.store(false, Ordering::Relaxed);
        Ok(Signals(shared))
    }

    /// Readable after a signal.
    pub(super) fn wake(&self) -> BorrowedFd<'static> {
        self.0.wake.as_fd()
    }

    /// Handles pending signals. Returns whether the terminal may have changed.
    pub(super) fn handle(&self) -> bool {
        while matches!((&self.0.wake).read(&mut [0; 64]), Ok(1..)) {}
        if self.0.ended.swap(false, Ordering::Relaxed) {
            raw::restore();
            // This ends the program.
            let _ = low_level::emulate_default_handler(SIGQUIT);
        }
        if self.0.stopped.swap(false, Ordering::Relaxed) {
            suspend();
            return true;
        }
        self.0.resumed.swap(false, Ordering::Relaxed)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.0.outside.store(true, Ordering::Relaxed);
    }
}

/// Restores the terminal and stops the program; returns when it continues.
pub(super) fn suspend() {
    raw::restore();
    // If the program cannot be stopped, it continues at once.
    let _ = low_level::emulate_default_handler(SIGTSTP);
}
