//! Ctrl-C (S-50): transfers are cancelled and keep what can be resumed; if one does not end within
//! a second, the program exits anyway. A second Ctrl-C ends it at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use urlwise_open::Cancel;

use crate::console::Console;
use crate::exit::{self, Failure};
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

/// Starts to handle signals.
pub(crate) fn listen(cancel: &Cancel, console: &Console) -> Result<Transfers, Failure> {
    let transfers = Transfers::default();
    let watched = watch(cancel.clone(), console.clone(), transfers.clone());
    watched
        .map(|()| transfers)
        .map_err(|error| Failure::Input(said!("cannot handle signals: {why}", why = error.to_string())))
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
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
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

/// The system ends the program.
#[cfg(not(unix))]
fn watch(_: Cancel, _: Console, _: Transfers) -> io::Result<()> {
    Ok(())
}
