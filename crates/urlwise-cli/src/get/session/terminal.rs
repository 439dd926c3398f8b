//! An interactive session: keys go to the server by key or by line, its text goes to the screen, and the escape key opens the
//! prompt.

use std::io;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};
use rustix::termios::tcgetwinsize;
use urlwise_open::protocol::telnet::{Function, Mode, Window};
use urlwise_open::{Heard, Session};

use super::prompt::{self, Command, What};
use super::screen::Screen;
use super::signals::{self, Signals};
use super::wait::wait;
use super::{UNSENT, advice, key_name};
use crate::exit::{Status, os_message};
use crate::get::Run;
use crate::get::attempt::AttemptError;
use crate::language::{language, message, said, words};
use crate::raw::{self, Raw};

/// The longest line that the system delivers.
const LONGEST: usize = 4096;

/// The current size of the terminal.
pub(super) fn window() -> Window {
    // If the size is unknown, the default is 80 by 24.
    tcgetwinsize(io::stdout()).map_or_else(|_| Window::default(), |size| Window::new(size.ws_col, size.ws_row))
}

/// Runs a session to its end.
pub(super) fn hold(run: &Run<'_>, session: &mut Session, screen: &mut Screen<'_>) -> Result<(), AttemptError> {
    let taken = |why: String| AttemptError::Local(Status::Unable, said!("cannot use the terminal: {why}", why = why));
    let raw = Raw::take().map_err(|error| taken(os_message(&error)))?;
    let signals = Signals::listen().map_err(taken)?;
    let escape = run.get.telnet.escape_key.unwrap_or_default().0;
    let mut terminal = Held { run, session, screen, raw, signals, escape, mode: None };
    let end = terminal.hold();
    // The terminal is restored before anything is printed.
    drop(terminal);
    let message = match end? {
        End::Server => said!("the server closed the session"),
        End::User => said!("session closed"),
    };
    run.console.remark(&message);
    Ok(())
}

/// Who ended a session.
enum End {
    Server,
    User,
}

/// A session and its terminal.
struct Held<'h, 'r, 'o> {
    run: &'h Run<'r>,
    session: &'h mut Session,
    screen: &'h mut Screen<'o>,
    raw: Raw,
    signals: Signals,
    escape: Option<u8>,
    /// The mode of the terminal; `None` if it must be set again.
    mode: Option<Mode>,
}

impl Held<'_, '_, '_> {
    fn hold(&mut self) -> Result<End, AttemptError> {
        let stdin = io::stdin();
        loop {
            if self.signals.handle() {
                self.mode = None;
            }
            self.session.resize(window());
            self.set_mode()?;
            let wants = self.session.unsent() < UNSENT;
            let is_typed = wait(self.session, wants.then_some(&stdin), Some(self.signals.wake())).map_err(lost)?;
            if is_typed && !self.typed()? {
                return Ok(End::User);
            }
            match self.session.hear(Duration::ZERO).map_err(AttemptError::Session)? {
                Heard::Text(text) => self.screen.show(text)?,
                Heard::Nothing => {}
                Heard::End => return Ok(End::Server),
            }
        }
    }

    /// Sets the terminal to the mode of the session.
    fn set_mode(&mut self) -> Result<(), AttemptError> {
        let mode = self.session.mode();
        if self.mode != Some(mode) {
            self.raw.set(mode, self.escape).map_err(lost)?;
            self.mode = Some(mode);
        }
        Ok(())
    }

    /// Reads keys. Returns whether the session continues.
    fn typed(&mut self) -> Result<bool, AttemptError> {
        let mut keys = [0; LONGEST];
        let count = match read(io::stdin(), &mut keys) {
            Ok(count) => count,
            Err(Errno::INTR | Errno::AGAIN) => return Ok(true),
            Err(error) => return Err(lost(error)),
        };
        let by_key = self.mode.is_some_and(raw::by_key);
        if count == 0 {
            if by_key || is_closed() {
                return Err(lost(io::ErrorKind::UnexpectedEof));
            }
            self.session.function(Function::EndOfFile);
        }
        let mut keys = &keys[..count];
        loop {
            let escape = self.escape.and_then(|escape| keys.iter().position(|key| *key == escape));
            self.send(&keys[..escape.unwrap_or(keys.len())], by_key);
            let Some(escape) = escape else { return Ok(true) };
            keys = &keys[escape + 1..];
            if !self.prompt(&mut keys)? {
                return Ok(false);
            }
        }
    }

    /// Sends keys to the server. In line mode, Ctrl-C discards the line before it.
    fn send(&mut self, keys: &[u8], by_key: bool) {
        if by_key {
            return self.session.keys(keys);
        }
        let mut lines = keys.split(|key| *key == raw::INTERRUPT);
        let last = lines.next_back().unwrap_or_default();
        for _ in lines {
            self.session.function(Function::Interrupt);
        }
        self.session.lines(last);
    }

    /// Runs one command at the prompt. Returns whether the session continues. Keys after the escape key are read as the command;
    /// `keys` keeps those that follow it.
    fn prompt(&mut self, keys: &mut &[u8]) -> Result<bool, AttemptError> {
        self.raw.cooked().map_err(lost)?;
        self.mode = None;
        self.screen.say("\n")?;
        loop {
            self.screen.say("urlwise> ")?;
            let ahead = ahead(keys);
            if !ahead.is_empty() {
                self.screen.say(&ahead)?;
            }
            let typed = if ahead.ends_with('\n') { Some(String::new()) } else { self.line()? };
            let Some(line) = typed.map(|typed| ahead + &typed) else {
                self.screen.say("\n")?;
                return Ok(true);
            };
            match prompt::parse(&line) {
                Err(message) => self.screen.say(&message)?,
                Ok(Command::Help) => self.screen.say(&prompt::help())?,
                Ok(Command::Back) => return Ok(true),
                Ok(Command::Close) => return Ok(false),
                Ok(Command::Status) => {
                    let status = self.status();
                    self.screen.say(&status)?;
                    return Ok(true);
                }
                Ok(Command::Login) => {
                    let advice = advice(self.session, self.run.context.show_secrets);
                    let advice = advice.unwrap_or_else(|| said!("the URL does not contain a user name"));
                    self.screen.say(&(advice + "\n"))?;
                    return Ok(true);
                }
                Ok(Command::Send(What::Function(function))) => {
                    self.session.function(function);
                    return Ok(true);
                }
                Ok(Command::Send(What::Escape)) => {
                    self.session.keys(self.escape.as_slice());
                    return Ok(true);
                }
                Ok(Command::Suspend) => {
                    signals::suspend();
                    return Ok(true);
                }
            }
        }
    }

    /// Reads a line at the prompt; `None` at the end of input.
    fn line(&self) -> Result<Option<String>, AttemptError> {
        const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
        let stdin = io::stdin();
        loop {
            if self.run.cancel.is_requested() {
                return Err(AttemptError::Local(Status::Interrupted, said!("interrupted")));
            }
            match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&LOOK)) {
                Ok(0) | Err(Errno::INTR) => continue,
                Ok(_) => {}
                Err(error) => return Err(lost(error)),
            }
            let mut line = [0; LONGEST];
            return match read(&stdin, &mut line) {
                Ok(0) => Ok(None),
                Ok(count) => Ok(Some(String::from_utf8_lossy(&line[..count]).into_owned())),
                Err(Errno::INTR | Errno::AGAIN) => continue,
                Err(error) => Err(lost(error)),
            };
        }
    }

    fn status(&self) -> String {
        let (mode, window) = (self.session.mode(), window());
        let peer = self.session.peer().message();
        let lines = [
            match self.session.is_tls() {
                true => message!("connected to {peer}, encrypted", peer = peer),
                false => message!("connected to {peer}, not encrypted", peer = peer),
            },
            match (raw::by_key(mode), mode.echo) {
                (true, true) => words!("keys are sent key by key, and this terminal shows them").into(),
                (true, false) => words!("keys are sent key by key, and the server shows them").into(),
                (false, true) => words!("keys are sent line by line, and this terminal shows them").into(),
                (false, false) => words!("keys are sent line by line, and the server shows them").into(),
            },
            message!(
                "the window has {columns} columns and {lines} lines",
                columns = window.columns,
                lines = window.rows
            ),
            match self.escape {
                Some(key) => message!("the escape key is {key}", key = key_name(key)),
                None => words!("there is no escape key").into(),
            },
        ];
        lines.iter().map(|line| format!("{}\n", line.in_language(language()))).collect()
    }
}

/// Takes the first line of keys that were typed together with the escape key, complete or not, without controls.
fn ahead(keys: &mut &[u8]) -> String {
    let end = keys.iter().position(|key| matches!(key, b'\r' | b'\n'));
    let (line, rest) = keys.split_at(end.map_or(keys.len(), |end| end + 1));
    *keys = rest;
    let mut line = String::from_utf8_lossy(line).into_owned();
    line.retain(|key| !key.is_control());
    if end.is_some() { line + "\n" } else { line }
}

/// Whether the terminal was closed.
fn is_closed() -> bool {
    let stdin = io::stdin();
    let mut terminal = [PollFd::new(&stdin, PollFlags::IN)];
    let looked = poll(&mut terminal, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
    looked.is_err() || terminal[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL)
}

fn lost(error: impl Into<io::Error>) -> AttemptError {
    let error = error.into();
    AttemptError::Local(Status::Unable, said!("lost the terminal: {why}", why = os_message(&error)))
}
