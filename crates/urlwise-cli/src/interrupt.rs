//! Ctrl-C (S-50): transfers end by themselves and leave what can be gone on from; if one does not within
//! a second, the program ends without it. A second Ctrl-C ends it at once.

use std::io;

use urlwise_open::Cancel;

use crate::exit::{self, Failure};
use crate::voice::Voice;

/// Listens for requests to stop from now on.
pub(crate) fn listen(cancel: &Cancel, voice: &Voice) -> Result<(), Failure> {
    watch(cancel.clone(), voice.clone()).map_err(|error| Failure::Input(format!("cannot handle signals: {error}")))
}

#[cfg(unix)]
fn watch(cancel: Cancel, voice: Voice) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::thread;
    use std::time::Duration;

    /// So long transfers have to end by themselves.
    const PATIENCE: Duration = Duration::from_millis(800);

    let end = move || {
        voice.end();
        crate::raw::restore();
        // Partial files need nothing more: what has arrived is in them, and of larger ones it is written what they are.
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
            // Without a timer there is the second Ctrl-C.
            drop(timer);
        }
    })?;
    Ok(())
}

/// The system ends the program by itself.
#[cfg(not(unix))]
fn watch(_: Cancel, _: Voice) -> io::Result<()> {
    Ok(())
}
