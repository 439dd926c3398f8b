//! The terminal while a session has it: changed, and put back as it was found whatever happens (a panic, a signal, an error).
//!
//! There is one terminal and one state it was found in, so both are kept here for the whole program: who ends it need not know
//! who changed the terminal.

use std::io;
use std::panic;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use rustix::termios::{
    ControlModes, InputModes, LocalModes, OptionalActions, OutputModes, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};
use urlwise_open::protocol::telnet::Mode;

/// How the terminal was found; `None` while it is as it was.
static FOUND: Mutex<Option<Termios>> = Mutex::new(None);

/// Ctrl-C, which the server gets.
pub(crate) const INTERRUPT: u8 = 3;

/// The terminal is as it was found once this is gone.
#[derive(Debug)]
pub(crate) struct Raw {
    found: Termios,
}

impl Raw {
    /// Takes the terminal of standard input, which [`set`](Raw::set) is to change.
    pub(crate) fn take() -> io::Result<Raw> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let told = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                restore();
                told(panic);
            }));
        });
        Ok(Raw { found: tcgetattr(io::stdin())? })
    }

    /// Behaves as the session wants it: in raw mode every key comes at once and nothing is shown; in line mode the terminal
    /// edits lines, and the escape key ends one. Signals are never made of keys.
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
            // Keys that end a line without being one.
            wanted.special_codes[SpecialCodeIndex::VEOL2] = INTERRUPT;
            if let Some(escape) = escape {
                wanted.special_codes[SpecialCodeIndex::VEOL] = escape;
            }
        }
        self.apply(&wanted)
    }

    /// As found, but sure to edit and show lines: for a prompt.
    pub(crate) fn cooked(&self) -> io::Result<()> {
        let mut wanted = self.found.clone();
        wanted.local_modes.insert(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG);
        wanted.input_modes.insert(InputModes::ICRNL);
        self.apply(&wanted)
    }

    fn apply(&self, wanted: &Termios) -> io::Result<()> {
        let mut found = found();
        // What restores it must know before there is anything to restore.
        found.get_or_insert_with(|| self.found.clone());
        Ok(tcsetattr(io::stdin(), OptionalActions::Now, wanted)?)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        restore();
    }
}

/// Whether keys are sent one by one. A server that leaves the echo to us wants lines.
pub(crate) fn by_key(mode: Mode) -> bool {
    !mode.by_line && !mode.echo
}

/// Puts the terminal back as it was found. Any thread may call this, any number of times.
pub(crate) fn restore() {
    if let Some(found) = found().take() {
        // A terminal that has gone needs nothing.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &found);
    }
}

/// Whether a line feed alone would leave the next line where this one ended.
pub(crate) fn is_held() -> bool {
    found().is_some()
}

fn found() -> MutexGuard<'static, Option<Termios>> {
    FOUND.lock().unwrap_or_else(PoisonError::into_inner)
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

    const HERE: &str = "raw::tests::a_panic_gives_the_terminal_back";
    const INSIDE: &str = "URLWISE_TEST_PANICS";

    #[test]
    fn a_panic_gives_the_terminal_back() {
        if std::env::var_os(INSIDE).is_some() {
            let raw = Raw::take().expect("a terminal");
            raw.set(Mode { echo: false, by_line: false }, None).expect("a terminal");
            assert!(super::is_held() && !shows_keys(&std::io::stdin()));
            // In a program that aborts, nothing is dropped.
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
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && told.contains("as it should"), "{told}");
        assert!(shows_keys(&slave), "it was given back");
    }

    fn shows_keys(terminal: &impl std::os::fd::AsFd) -> bool {
        let modes = tcgetattr(terminal).expect("a terminal").local_modes;
        modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG)
    }
}
