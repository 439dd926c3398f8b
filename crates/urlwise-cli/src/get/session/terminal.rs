//! A session at the terminal: keys go to the server as it wants them, what it writes goes to the screen, and one key is ours.

use std::io;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};
use rustix::termios::tcgetwinsize;
use urlwise_open::protocol::telnet::{Function, Mode, Window};
use urlwise_open::{Heard, Session};

use super::prompt::{self, Order, What};
use super::screen::Screen;
use super::signals::{self, Signals};
use super::wait::wait;
use super::{UNSENT, advice, key_name};
use crate::exit::Status;
use crate::get::Run;
use crate::get::job::Trouble;
use crate::raw::{self, Raw};

/// What the system takes as one line.
const LONGEST: usize = 4096;

/// How large the terminal is now.
pub(super) fn window() -> Window {
    // A terminal that does not know it is as large as the terminals that had one size.
    tcgetwinsize(io::stdout())
        .map_or_else(|_| Window::default(), |size| Window { columns: size.ws_col, rows: size.ws_row })
}

/// Holds a session to its end.
pub(super) fn hold(run: &Run<'_>, session: &mut Session, screen: &mut Screen<'_>) -> Result<(), Trouble> {
    let taken = |why: String| Trouble::Here(Status::Unable, format!("cannot use the terminal: {why}"));
    let raw = Raw::take().map_err(|error| taken(error.to_string()))?;
    let signals = Signals::listen().map_err(taken)?;
    let escape = run.get.telnet.escape_key.unwrap_or_default().0;
    let mut terminal = Held { run, session, screen, raw, signals, escape, mode: None };
    let end = terminal.hold();
    // The terminal is given back before anything is told.
    drop(terminal);
    let told = match end? {
        End::Server => "the server closed the session",
        End::Person => "session closed",
    };
    run.voice.remark(told);
    Ok(())
}

/// Who ended a session.
enum End {
    Server,
    Person,
}

/// A session and the terminal that it holds.
struct Held<'h, 'r, 'o> {
    run: &'h Run<'r>,
    session: &'h mut Session,
    screen: &'h mut Screen<'o>,
    raw: Raw,
    signals: Signals,
    escape: Option<u8>,
    /// How the terminal behaves; `None` if that is to be set anew.
    mode: Option<Mode>,
}

impl Held<'_, '_, '_> {
    fn hold(&mut self) -> Result<End, Trouble> {
        let stdin = io::stdin();
        loop {
            if self.signals.obey() {
                self.mode = None;
            }
            self.session.resize(window());
            self.behave()?;
            let wants = self.session.unsent() < UNSENT;
            let is_typed = wait(self.session, wants.then_some(&stdin), Some(self.signals.wake())).map_err(broken)?;
            if is_typed && !self.typed()? {
                return Ok(End::Person);
            }
            match self.session.hear(Duration::ZERO).map_err(Trouble::Ended)? {
                Heard::Text(text) => self.screen.show(text)?,
                Heard::Nothing => {}
                Heard::End => return Ok(End::Server),
            }
        }
    }

    /// Lets the terminal behave as the session wants it.
    fn behave(&mut self) -> Result<(), Trouble> {
        let mode = self.session.mode();
        if self.mode != Some(mode) {
            self.raw.set(mode, self.escape).map_err(broken)?;
            self.mode = Some(mode);
        }
        Ok(())
    }

    /// Takes what was typed; whether the session goes on.
    fn typed(&mut self) -> Result<bool, Trouble> {
        let mut keys = [0; LONGEST];
        let count = match read(io::stdin(), &mut keys) {
            Ok(count) => count,
            Err(Errno::INTR | Errno::AGAIN) => return Ok(true),
            Err(error) => return Err(broken(error)),
        };
        let by_key = self.mode.is_some_and(raw::by_key);
        if count == 0 {
            if by_key || has_gone() {
                return Err(broken(io::ErrorKind::UnexpectedEof));
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

    /// Keys for the server. Of lines the terminal makes, Ctrl-C ends one that is not wanted any more.
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

    /// Takes one order of the person; whether the session goes on. What came with the escape key is the order's: `keys` keeps
    /// what follows it.
    fn prompt(&mut self, keys: &mut &[u8]) -> Result<bool, Trouble> {
        self.raw.cooked().map_err(broken)?;
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
            match prompt::order(&line) {
                Err(told) => self.screen.say(&told)?,
                Ok(Order::Help) => self.screen.say(&prompt::help())?,
                Ok(Order::Back) => return Ok(true),
                Ok(Order::Close) => return Ok(false),
                Ok(Order::Status) => {
                    let status = self.status();
                    self.screen.say(&status)?;
                    return Ok(true);
                }
                Ok(Order::Login) => {
                    let advice = advice(self.session, self.run.context.show_secrets);
                    let advice = advice.unwrap_or_else(|| "the URL does not contain a user name".into());
                    self.screen.say(&(advice + "\n"))?;
                    return Ok(true);
                }
                Ok(Order::Send(What::Function(function))) => {
                    self.session.function(function);
                    return Ok(true);
                }
                Ok(Order::Send(What::Escape)) => {
                    self.session.keys(self.escape.as_slice());
                    return Ok(true);
                }
                Ok(Order::Suspend) => {
                    signals::suspend();
                    return Ok(true);
                }
            }
        }
    }

    /// A line that is typed at the prompt; `None` at the end of what is typed.
    fn line(&self) -> Result<Option<String>, Trouble> {
        const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
        let stdin = io::stdin();
        loop {
            if self.run.cancel.is_requested() {
                return Err(Trouble::Here(Status::Interrupted, "interrupted".into()));
            }
            match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&LOOK)) {
                Ok(0) | Err(Errno::INTR) => continue,
                Ok(_) => {}
                Err(error) => return Err(broken(error)),
            }
            let mut line = [0; LONGEST];
            return match read(&stdin, &mut line) {
                Ok(0) => Ok(None),
                Ok(count) => Ok(Some(String::from_utf8_lossy(&line[..count]).into_owned())),
                Err(Errno::INTR | Errno::AGAIN) => continue,
                Err(error) => Err(broken(error)),
            };
        }
    }

    fn status(&self) -> String {
        let (mode, window) = (self.session.mode(), window());
        let keys = if raw::by_key(mode) { "key by key" } else { "line by line" };
        let echo = if mode.echo { "this terminal" } else { "the server" };
        format!(
            "connected to {}, {}\nkeys are sent {keys}, and {echo} shows them\nthe window has {} columns and {} lines\n\
             the escape key is {}\n",
            self.session.peer(),
            if self.session.is_tls() { "encrypted" } else { "not encrypted" },
            window.columns,
            window.rows,
            self.escape.map_or_else(|| "none".into(), key_name),
        )
    }
}

/// Takes the first line of what was typed before the terminal made lines, as far as it is there, without its controls.
fn ahead(keys: &mut &[u8]) -> String {
    let end = keys.iter().position(|key| matches!(key, b'\r' | b'\n'));
    let (line, rest) = keys.split_at(end.map_or(keys.len(), |end| end + 1));
    *keys = rest;
    let mut line = String::from_utf8_lossy(line).into_owned();
    line.retain(|key| !key.is_control());
    if end.is_some() { line + "\n" } else { line }
}

/// Whether the terminal is not there any more.
fn has_gone() -> bool {
    let stdin = io::stdin();
    let mut terminal = [PollFd::new(&stdin, PollFlags::IN)];
    let looked = poll(&mut terminal, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
    looked.is_err() || terminal[0].revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL)
}

fn broken(error: impl Into<io::Error>) -> Trouble {
    let error = error.into();
    Trouble::Here(Status::Unable, format!("lost the terminal: {error}"))
}
