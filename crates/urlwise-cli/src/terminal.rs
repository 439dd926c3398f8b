//! The person at the terminal: questions are answered, passwords without being shown, and dialogues watched (S-14, S-46).

use urlwise::escape_for_display;
use urlwise_open::{Cancel, Observe, Peer, Prompt, Realm, Secret, Seen};

use crate::voice::Voice;

/// What a terminal shows while something is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    Typing,
    Nothing,
}

/// Asks at the terminal, wherever standard input and output lead.
#[derive(Debug)]
pub(crate) struct Person {
    pub(crate) voice: Voice,
    pub(crate) cancel: Option<Cancel>,
}

impl Person {
    fn ask(&self, what: &str, realm: &Realm, user: &[u8]) -> Option<Secret> {
        self.line(&format!("{what} of {} at {realm}: ", escape_for_display(user)), Shows::Nothing)
    }

    /// The line that answers a question, which is fit to be shown; `None` if nobody answers.
    pub(crate) fn line(&self, question: &str, shows: Shows) -> Option<Secret> {
        let wanted = || !self.cancel.as_ref().is_some_and(Cancel::is_requested);
        self.voice.aside(|| typed(question, shows, wanted))
    }

    /// Shows a text that is fit to be shown; whether there is a terminal.
    pub(crate) fn say(&self, text: &str) -> bool {
        self.voice.aside(|| told(text).is_some())
    }
}

impl Prompt for Person {
    fn password(&self, realm: &Realm, user: &[u8]) -> Option<Secret> {
        self.ask("password", realm, user)
    }

    fn account(&self, realm: &Realm, user: &[u8]) -> Option<Secret> {
        self.ask("account", realm, user)
    }
}

/// The controlling terminal.
#[cfg(unix)]
fn terminal() -> Option<std::fs::File> {
    std::fs::OpenOptions::new().read(true).write(true).open("/dev/tty").ok()
}

#[cfg(unix)]
fn told(text: &str) -> Option<()> {
    std::io::Write::write_all(&mut terminal()?, text.as_bytes()).ok()
}

/// A line that is typed; `None` without a terminal, or if it is no longer `wanted`.
#[cfg(unix)]
fn typed(question: &str, shows: Shows, wanted: impl Fn() -> bool) -> Option<Secret> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
    use std::fs::File;
    use std::io::{Read, Write};

    /// How often it is asked whether the answer is still wanted.
    const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
    /// What the system takes as one line.
    const LONGEST: usize = 4096;

    /// Shows what is typed again, whatever happens.
    struct Echo<'t>(&'t File, Termios);
    impl Drop for Echo<'_> {
        fn drop(&mut self) {
            // A terminal that has gone needs no echo.
            let _ = tcsetattr(self.0, OptionalActions::Now, &self.1);
        }
    }

    let terminal = terminal()?;
    let echo = Echo(&terminal, tcgetattr(&terminal).ok()?);
    if shows == Shows::Nothing {
        let mut silent = echo.1.clone();
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
            // The terminal gives whole lines; their end is missing only at the end of input.
            Ok(_) => break (&terminal).read(&mut line).ok()?,
            Err(_) => break 0,
        }
    };
    if shows == Shows::Nothing {
        // Nor was the line end that was typed.
        (&terminal).write_all(b"\n").ok()?;
    }
    line[..count].strip_suffix(b"\n").map(Secret::new)
}

/// Only terminals of Unix are known here.
#[cfg(not(unix))]
fn typed(_: &str, _: Shows, _: impl Fn() -> bool) -> Option<Secret> {
    None
}

#[cfg(not(unix))]
fn told(_: &str) -> Option<()> {
    None
}

/// Tells of every dialogue as it is held.
#[derive(Debug)]
pub(crate) struct Watcher(pub(crate) Voice);

impl Observe for Watcher {
    fn observe(&self, peer: &Peer<'_>, seen: Seen<'_>) {
        self.0.tell(&format!("{peer} {:<8} {seen}", seen.kind()));
    }
}
