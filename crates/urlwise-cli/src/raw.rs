//! Terminal modes of a session. The original state is restored after errors, signals and panics too.
//!
//! There is only one terminal, so its original state is global: code that ends the program does not need to know
//! which code changed the terminal.

use std::io;
use std::panic;
use std::sync::{Mutex, MutexGuard, Once};

use rustix::termios::{
    ControlModes, InputModes, LocalModes, OptionalActions, OutputModes, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};
use urlwise_open::protocol::telnet::Mode;

use crate::lock::locked;

/// The original state of the terminal; `None` while it is unchanged.
static FOUND: Mutex<Option<Termios>> = Mutex::new(None);

/// Ctrl-C, which is sent to the server.
pub(crate) const INTERRUPT: u8 = 3;

/// Restores the terminal when dropped.
#[derive(Debug)]
pub(crate) struct Raw {
    found: Termios,
}

impl Raw {
    /// Saves the state of the terminal, for [`set`](Raw::set) to change.
    pub(crate) fn take() -> io::Result<Raw> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let previous = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                restore();
                previous(panic);
            }));
        });
        Ok(Raw { found: tcgetattr(io::stdin())? })
    }

    /// Sets the mode of the session: in raw mode keys are delivered at once and not echoed; in line mode the terminal
    /// edits lines, and the escape key ends one. Keys never cause signals.
    pub(crate) fn set(&self, mode: Mode, escape: Option<u8>) -> io::Result<()> {
        let mut wanted = self.found.clone();
        if by_key(mode) {
            wanted.make_raw();
        } else {
            wanted.input_modes.insert(InputModes::ICRNL);
            wanted.input_modes.remove(InputModes::INLCR | InputModes::IGNCR | InputModes::ISTRIP);
            wanted.output_modes.insert(OutputModes::OPOST);
            wanted.control_modes.insert(ControlModes::CS8);
            wanted.local_modes.remove(LocalModes::ISIG);
            wanted.local_modes.insert(LocalModes::ICANON | LocalModes::IEXTEN);
            wanted.local_modes.set(LocalModes::ECHO, mode.echo);
            // Keys that end a line like Enter.
            wanted.special_codes[SpecialCodeIndex::VEOL2] = INTERRUPT;
            if let Some(escape) = escape {
                wanted.special_codes[SpecialCodeIndex::VEOL] = escape;
            }
        }
        self.apply(&wanted)
    }

    /// The original state, but with line editing and echo: for a prompt.
    pub(crate) fn cooked(&self) -> io::Result<()> {
        let mut wanted = self.found.clone();
        wanted.local_modes.insert(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG);
        wanted.input_modes.insert(InputModes::ICRNL);
        self.apply(&wanted)
    }

    fn apply(&self, wanted: &Termios) -> io::Result<()> {
        let mut found = found();
        // Saved before the change, so that it can always be restored.
        found.get_or_insert_with(|| self.found.clone());
        Ok(tcsetattr(io::stdin(), OptionalActions::Now, wanted)?)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        restore();
    }
}

/// Whether each key is sent at once. A server that leaves the echo to the client expects lines.
pub(crate) fn by_key(mode: Mode) -> bool {
    !mode.by_line && !mode.echo
}

/// Restores the terminal. May be called from any thread and repeatedly.
pub(crate) fn restore() {
    if let Some(found) = found().take() {
        // Fails only if the terminal was closed.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &found);
    }
}

/// Whether the terminal is changed, so that a line feed does not imply a carriage return.
pub(crate) fn is_changed() -> bool {
    found().is_some()
}

fn found() -> MutexGuard<'static, Option<Termios>> {
    locked(&FOUND)
}

#[cfg(test)]
mod tests {
    use super::Raw;
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{LocalModes, tcgetattr};
    use std::ffi::OsStr;
    use std::fs::OpenOptions;
    use std::os::unix::ffi::OsStrExt;
    use std::process::{Command, Stdio};
    use urlwise_open::protocol::telnet::Mode;

    const HERE: &str = "raw::tests::a_panic_restores_the_terminal";
    const INSIDE: &str = "URLWISE_TEST_PANICS";

    #[test]
    fn a_panic_restores_the_terminal() {
        if std::env::var_os(INSIDE).is_some() {
            let raw = Raw::take().expect("a terminal");
            raw.set(Mode::new(false, false), None).expect("a terminal");
            assert!(super::is_changed() && !shows_keys(&std::io::stdin()));
            // A program that aborts does not drop it.
            std::mem::forget(raw);
            panic!("as it should");
        }
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&master).and_then(|()| unlockpt(&master)).expect("our terminal");
        let name = ptsname(&master, Vec::new()).expect("our terminal");
        let slave = OpenOptions::new().read(true).write(true).open(OsStr::from_bytes(name.to_bytes()));
        let slave = slave.expect("our terminal");
        assert!(shows_keys(&slave));
        let output = Command::new(std::env::current_exe().expect("this test"))
            .args([HERE, "--exact", "--nocapture"])
            .env(INSIDE, "1")
            .stdin(Stdio::from(slave.try_clone().expect("our terminal")))
            .output()
            .expect("it starts");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && message.contains("as it should"), "{message}");
        assert!(shows_keys(&slave), "it was restored");
    }

    fn shows_keys(terminal: &impl std::os::fd::AsFd) -> bool {
        let modes = tcgetattr(terminal).expect("a terminal").local_modes;
        modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG)
    }
}
