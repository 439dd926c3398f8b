//! Runs the program in a pseudo-terminal: typing, reading the screen, resizing, closing the window.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Termios, Winsize, tcgetattr, tcsetwinsize};

use crate::support::{english, text};

const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Pty {
    master: File,
    pub(crate) child: Child,
    /// Output that was shown and not yet matched.
    shown: Vec<u8>,
    before: Termios,
}

impl Pty {
    /// Starts the program with its own terminal of 91 columns and 33 lines.
    pub(crate) fn start(arguments: &[&str]) -> Pty {
        // A new session with standard input as its controlling terminal. Signals that the tests' caller ignores, as `nohup` has it, would stay
        // ignored.
        let mut command = english("env");
        command.args(["--default-signal=HUP,INT,QUIT,TERM", "setsid", "--ctty", env!("CARGO_BIN_EXE_urlwise")]);
        Pty::with(command, arguments, true)
    }

    /// Starts the program with output to a terminal, and empty standard input.
    pub(crate) fn piped(arguments: &[&str]) -> Pty {
        Pty::with(english(env!("CARGO_BIN_EXE_urlwise")), arguments, false)
    }

    fn with(mut command: Command, arguments: &[&str], types: bool) -> Pty {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let path = std::ffi::OsStr::from_bytes(name.to_bytes());
        let slave = || Stdio::from(OpenOptions::new().read(true).write(true).open(path).unwrap());
        let size = Winsize { ws_col: 91, ws_row: 33, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).unwrap();
        command.args(arguments).stdin(if types { slave() } else { Stdio::null() });
        command.stdout(slave()).stderr(slave()).env("TERM", "s3cret-term");
        let before = tcgetattr(&master).unwrap();
        let child = command.spawn().unwrap();
        Pty { master: File::from(master), child, shown: Vec::new(), before }
    }

    /// Types keys.
    pub(crate) fn keys(&mut self, keys: impl AsRef<[u8]>) {
        self.master.write_all(keys.as_ref()).unwrap();
    }

    /// Types the same keys repeatedly, until the terminal accepts no more.
    pub(crate) fn keys_while_taken(&mut self, keys: &[u8]) {
        let moment = Timespec { tv_sec: 1, tv_nsec: 0 };
        while poll(&mut [PollFd::new(&self.master, PollFlags::OUT)], Some(&moment)).unwrap() > 0 {
            self.keys(keys);
        }
    }

    /// Resizes the window.
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        tcsetwinsize(&self.master, Winsize { ws_col: columns, ws_row: rows, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    }

    /// Waits until `word` is shown. Returns the output up to it.
    #[track_caller]
    pub(crate) fn until(&mut self, word: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let at = self.shown.windows(word.len()).position(|part| part == word.as_bytes());
            if let Some(at) = at {
                let rest = self.shown.split_off(at + word.len());
                return text(&std::mem::replace(&mut self.shown, rest));
            }
            assert!(self.look() && Instant::now() < deadline, "no {word:?} in {:?}", text(&self.shown));
        }
    }

    /// Reads output. Returns whether more may follow.
    fn look(&mut self) -> bool {
        let mut room = [0; 4096];
        let second = Timespec { tv_sec: 1, tv_nsec: 0 };
        match poll(&mut [PollFd::new(&self.master, PollFlags::IN)], Some(&second)) {
            Ok(0) => true,
            Ok(_) => match self.master.read(&mut room) {
                Ok(count @ 1..) => {
                    self.shown.extend_from_slice(&room[..count]);
                    true
                }
                // The other side is closed.
                _ => false,
            },
            Err(_) => true,
        }
    }

    /// Waits for the program to end. Returns its status and the remaining output.
    #[track_caller]
    pub(crate) fn end(&mut self) -> (ExitStatus, String) {
        let deadline = Instant::now() + PATIENCE;
        while self.look() && Instant::now() < deadline {}
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, text(&std::mem::take(&mut self.shown)));
            }
            assert!(Instant::now() < deadline, "it does not end: {:?}", text(&self.shown));
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(status.unwrap().success());
    }

    /// Whether the terminal is in raw mode.
    pub(crate) fn is_raw(&self) -> bool {
        let now = tcgetattr(&self.master).unwrap();
        !now.local_modes.intersects(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    /// Whether the terminal echoes.
    pub(crate) fn has_echo(&self) -> bool {
        tcgetattr(&self.master).unwrap().local_modes.contains(LocalModes::ECHO)
    }

    /// Whether the terminal has its original modes.
    pub(crate) fn is_as_before(&self) -> bool {
        let now = tcgetattr(&self.master).unwrap();
        format!("{now:?}") == format!("{:?}", self.before)
    }

    /// Waits until a condition holds.
    #[track_caller]
    pub(crate) fn wait_until(&mut self, what: impl Fn(&Pty) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !what(self) {
            assert!(Instant::now() < deadline, "it never holds: {:?}", text(&self.shown));
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
