//! Ctrl-C (S-50): transfers are cancelled and keep what can be resumed; if one does not end within
//! a second, the program exits anyway. A second Ctrl-C ends it at once. Signals that the caller ignores stay ignored.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use urlwise_open::Cancel;

use crate::console::Console;
use crate::exit::{self, Failure, os_message};
use crate::language::said;

/// Whether transfers may still be going on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Transfers(Arc<AtomicBool>);

impl Transfers {
    /// All of them have ended: what is left is to report, and that is not cut off, however long its reader takes.
    pub(crate) fn ended(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    #[cfg(unix)]
    fn have_ended(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Has writes past a limit on the size of files fail, as on a full disk, where the signal would end the program (SIGXFSZ).
pub(crate) fn outlive_file_limit() {
    // It cannot fail for this signal; without it, the program ends as others do.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Starts to handle signals.
pub(crate) fn listen(cancel: &Cancel, console: &Console) -> Result<Transfers, Failure> {
    let transfers = Transfers::default();
    let watched = watch(cancel.clone(), console.clone(), transfers.clone());
    watched
        .map(|()| transfers)
        .map_err(|error| Failure::Input(said!("cannot handle signals: {why}", why = os_message(&error))))
}

#[cfg(unix)]
fn watch(cancel: Cancel, console: Console, transfers: Transfers) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::thread;
    use std::time::Duration;

    /// How long to wait for transfers to end.
    const PATIENCE: Duration = Duration::from_millis(800);

    let end = move || {
        console.end();
        crate::raw::restore();
        // Partial files need nothing more: their octets are written, and larger ones are described already.
        std::process::exit(exit::code(exit::Status::Interrupted).into())
    };
    let mut signals = Signals::new(heeded([SIGHUP, SIGINT, SIGTERM]))?;
    thread::Builder::new().spawn(move || {
        for (count, _) in signals.forever().enumerate() {
            if count > 0 {
                end();
            }
            cancel.request();
            let (end, transfers) = (end.clone(), transfers.clone());
            let timer = thread::Builder::new().spawn(move || {
                thread::sleep(PATIENCE);
                if !transfers.have_ended() {
                    end();
                }
            });
            // If there is no timer, a second Ctrl-C still works.
            drop(timer);
        }
    })?;
    Ok(())
}

/// Those of these signals that the caller does not have the program ignore, as `nohup` does with SIGHUP, and a shell without job control
/// with SIGINT and SIGQUIT of what it runs in the background. Only Linux tells without unsafe code; elsewhere these are all.
#[cfg(unix)]
pub(crate) fn heeded(signals: impl IntoIterator<Item = i32>) -> Vec<i32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = ignored(&status);
    signals.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0).collect()
}

/// The ignored signals of a process, the lowest bit for signal 1, from its status as Linux describes it; 0 if that does not say it.
#[cfg(unix)]
fn ignored(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// The system ends the program.
#[cfg(not(unix))]
fn watch(_: Cancel, _: Console, _: Transfers) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::ignored;

    #[test]
    fn the_status_of_a_process_says_which_signals_are_ignored() {
        let status = "Name:\tx\nSigBlk:\tffffffffffffffff\nSigIgn:\t0000000000001003\nSigCgt:\t0000000000000440\n";
        // SIGHUP, SIGINT and SIGPIPE.
        assert_eq!(ignored(status), 1 << 0 | 1 << 1 | 1 << 12);
        for status in ["", "SigIgn:\n", "SigIgn:\tx\n", "SigBlk:\t1\n"] {
            assert_eq!(ignored(status), 0, "{status:?}");
        }
    }
}
