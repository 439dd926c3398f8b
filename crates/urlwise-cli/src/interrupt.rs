//! Ctrl-C (S-50): transfers are cancelled and keep what can be resumed; if one does not end within
//! a second, the program exits anyway. A second Ctrl-C ends it at once.

use std::io;

use urlwise_open::Cancel;

use crate::console::Console;
use crate::exit::{self, Failure};

/// Starts to handle signals.
pub(crate) fn listen(cancel: &Cancel, console: &Console) -> Result<(), Failure> {
    watch(cancel.clone(), console.clone()).map_err(|error| Failure::Input(format!("cannot handle signals: {error}")))
}

#[cfg(unix)]
fn watch(cancel: Cancel, console: Console) -> io::Result<()> {
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
            let end = end.clone();
            let timer = thread::Builder::new().spawn(move || {
                thread::sleep(PATIENCE);
                end();
            });
            // If there is no timer, a second Ctrl-C still works.
            drop(timer);
        }
    })?;
    Ok(())
}

/// The system ends the program.
#[cfg(not(unix))]
fn watch(_: Cancel, _: Console) -> io::Result<()> {
    Ok(())
}
