//! Questions at the terminal, passwords without echo, and the dialogue of `--verbose` (S-14, S-46).

use urlwise::escape_for_display;
use urlwise_open::{Cancel, Observe, Peer, Prompt, Realm, Secret, Seen};

use crate::console::Console;
use crate::language::{language, said};
use crate::style::step_name;

/// Whether the terminal echoes what is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Echo {
    On,
    Off,
}

/// Asks at the controlling terminal, even if standard input and output are redirected.
#[derive(Debug)]
pub(crate) struct TerminalPrompt {
    pub(crate) console: Console,
    pub(crate) cancel: Option<Cancel>,
}

impl TerminalPrompt {
    /// Asks a question, which must be escaped, and returns the answer; `None` without a terminal or answer.
    pub(crate) fn line(&self, question: &str, echo: Echo) -> Option<Secret> {
        let wanted = || !self.cancel.as_ref().is_some_and(Cancel::is_requested);
        self.console.aside(|| typed(question, echo, wanted))
    }

    /// Echo a text, which must be escaped. Returns whether there is a terminal.
    pub(crate) fn say(&self, text: &str) -> bool {
        self.console.aside(|| print(text).is_some())
    }
}

impl Prompt for TerminalPrompt {
    fn password(&self, realm: &Realm, user: &[u8]) -> Option<Secret> {
        let (user, realm) = (escape_for_display(user).to_string(), realm.to_string());
        self.line(&said!("password of {user} at {realm}: ", user = user, realm = realm), Echo::Off)
    }

    fn account(&self, realm: &Realm, user: &[u8]) -> Option<Secret> {
        let (user, realm) = (escape_for_display(user).to_string(), realm.to_string());
        self.line(&said!("account of {user} at {realm}: ", user = user, realm = realm), Echo::Off)
    }
}

/// The controlling terminal.
#[cfg(unix)]
fn terminal() -> Option<std::fs::File> {
    std::fs::OpenOptions::new().read(true).write(true).open("/dev/tty").ok()
}

#[cfg(unix)]
fn print(text: &str) -> Option<()> {
    std::io::Write::write_all(&mut terminal()?, text.as_bytes()).ok()
}

/// Reads a line; `None` without a terminal, or when it is no longer `wanted`.
#[cfg(unix)]
fn typed(question: &str, echo: Echo, wanted: impl Fn() -> bool) -> Option<Secret> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
    use std::fs::File;
    use std::io::{Read, Write};

    /// How often to check whether the answer is still wanted.
    const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
    /// The longest line that the system delivers.
    const LONGEST: usize = 4096;

    /// Restores the echo when dropped.
    struct RestoreEcho<'t>(&'t File, Termios);
    impl Drop for RestoreEcho<'_> {
        fn drop(&mut self) {
            // Fails only if the terminal was closed.
            let _ = tcsetattr(self.0, OptionalActions::Now, &self.1);
        }
    }

    let terminal = terminal()?;
    let original = RestoreEcho(&terminal, tcgetattr(&terminal).ok()?);
    if echo == Echo::Off {
        let mut silent = original.1.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&terminal, OptionalActions::Flush, &silent).ok()?;
    }
    (&terminal).write_all(question.as_bytes()).ok()?;
    let mut line = [0; LONGEST];
    let count = loop {
        if !wanted() {
            break 0;
        }
        match poll(&mut [PollFd::new(&terminal, PollFlags::IN)], Some(&LOOK)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            // The terminal delivers complete lines; the line end is missing only at the end of input.
            Ok(_) => break (&terminal).read(&mut line).ok()?,
            Err(_) => break 0,
        }
    };
    if echo == Echo::Off {
        // The line end that was typed was not echoed either.
        (&terminal).write_all(b"\n").ok()?;
    }
    line[..count].strip_suffix(b"\n").map(Secret::new)
}

/// Only Unix terminals are supported.
#[cfg(not(unix))]
fn typed(_: &str, _: Echo, _: impl Fn() -> bool) -> Option<Secret> {
    None
}

#[cfg(not(unix))]
fn print(_: &str) -> Option<()> {
    None
}

/// Prints the dialogue as it happens.
#[derive(Debug)]
pub(crate) struct DialoguePrinter(pub(crate) Console);

impl Observe for DialoguePrinter {
    fn observe(&self, peer: &Peer<'_>, seen: Seen<'_>) {
        let (peer, message) = (peer.message(), seen.message());
        let (peer, message) = (peer.in_language(language()), message.in_language(language()));
        self.0.message(&format!("{peer} {} {message}", step_name(seen.kind())));
    }
}
