//! What a person types, as octets for the server (RFC 854, RFC 1123 section 3.3).

use super::machine::{IAC, TelnetMachine, window};
use super::option::{BINARY, ECHO, SUPPRESS_GO_AHEAD, WINDOW_SIZE};
use super::settings::Window;
use crate::language::{message, words};
use crate::protocol::Command;
use std::borrow::Cow;
use urlwise::{Language, Words};

/// How a terminal should behave, according to the options in effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mode {
    /// The terminal echoes what is typed; otherwise the server does, or neither, for a password.
    pub echo: bool,
    /// Input is sent line by line; otherwise key by key.
    pub by_line: bool,
}

impl Mode {
    /// A mode that [`echo`](Mode::echo)es or not, [line by line](Mode::by_line) or not.
    pub const fn new(echo: bool, by_line: bool) -> Mode {
        Mode { echo, by_line }
    }
}

/// The functions of a server that a person can request (RFC 854). There may be others: later RFCs have more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Function {
    /// The break key.
    Break,
    /// Interrupt the process. A Synch follows in the stream, but not as urgent data.
    Interrupt,
    /// Continue, but discard the output.
    AbortOutput,
    /// Respond, to show that the server is alive.
    AreYouThere,
    /// Erase the character typed last.
    EraseCharacter,
    /// Erase the line.
    EraseLine,
    /// The end of what is typed: Ctrl-D.
    EndOfFile,
    /// Nothing: it keeps the connection alive.
    NoOperation,
}

impl Function {
    /// Every function, in the order of a help text.
    pub const ALL: &'static [Function] = &[
        Function::AreYouThere,
        Function::Interrupt,
        Function::Break,
        Function::AbortOutput,
        Function::EraseCharacter,
        Function::EraseLine,
        Function::EndOfFile,
        Function::NoOperation,
    ];

    /// The short name: `ayt`, `ip`, `brk`, `ao`, `ec`, `el`, `eof`, `nop`.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// What it does, for people: a phrase.
    pub const fn meaning(self) -> &'static str {
        self.row().1.en()
    }

    /// [`meaning`](Function::meaning), in a language.
    pub fn meaning_in(self, language: Language) -> Cow<'static, str> {
        self.row().1.get(language)
    }

    /// What is sent.
    pub const fn octets(self) -> &'static [u8] {
        self.row().2
    }

    const fn row(self) -> (&'static str, Words, &'static [u8]) {
        const DM: u8 = 242;
        match self {
            Function::AreYouThere => ("ayt", words!("ask whether the server is there"), &[IAC, 246]),
            Function::Interrupt => ("ip", words!("interrupt the process"), &[IAC, 244, IAC, DM]),
            Function::Break => ("brk", words!("the break key"), &[IAC, 243]),
            Function::AbortOutput => ("ao", words!("discard the output"), &[IAC, 245]),
            Function::EraseCharacter => ("ec", words!("erase a character"), &[IAC, 247]),
            Function::EraseLine => ("el", words!("erase the line"), &[IAC, 248]),
            // The EOF of RFC 1184 belongs to LINEMODE, which is refused; a server's terminal knows the key.
            Function::EndOfFile => ("eof", words!("end of input"), &[4]),
            Function::NoOperation => ("nop", words!("nothing"), &[IAC, 241]),
        }
    }
}

impl TelnetMachine {
    /// How the terminal should behave now. At first it echoes and sends complete lines: the terminal of RFC 854.
    pub fn mode(&self) -> Mode {
        Mode::new(!self.server_does(ECHO), !self.server_does(SUPPRESS_GO_AHEAD))
    }

    /// Takes keys one by one as a terminal delivers them: Enter is CR.
    pub fn keys(&mut self, keys: &[u8]) -> Vec<u8> {
        self.requests = 0;
        let mut octets = Vec::with_capacity(keys.len() + 8);
        for key in keys {
            match key {
                b'\r' => self.end_line(&mut octets),
                _ => self.push(*key, &mut octets),
            }
        }
        octets
    }

    /// Takes lines of text, ended by LF or CR LF, in any pieces.
    pub fn lines(&mut self, text: &[u8]) -> Vec<u8> {
        self.requests = 0;
        let mut octets = Vec::with_capacity(text.len() + 8);
        for octet in text {
            let after_cr = std::mem::take(&mut self.held_cr);
            match octet {
                b'\n' => self.end_line(&mut octets),
                _ => {
                    if after_cr {
                        self.bare_cr(&mut octets);
                    }
                    match octet {
                        b'\r' => self.held_cr = true,
                        _ => self.push(*octet, &mut octets),
                    }
                }
            }
        }
        octets
    }

    /// Ends the [lines](TelnetMachine::lines); returns what was held back of the last one.
    pub fn end_of_lines(&mut self) -> Vec<u8> {
        let mut octets = Vec::new();
        if std::mem::take(&mut self.held_cr) {
            self.bare_cr(&mut octets);
        }
        octets
    }

    /// Takes the new size of the window. `None` if the server need not know.
    pub fn resize(&mut self, size: Window) -> Option<Command> {
        let terminal = self.settings.terminal.as_mut()?;
        if std::mem::replace(&mut terminal.window, size) == size || !self.ours.has(WINDOW_SIZE) {
            return None;
        }
        let told = message!("WINDOW-SIZE is {columns} x {rows}", columns = size.columns, rows = size.rows);
        Some(Command::new(window(size)).in_words(told))
    }

    fn end_line(&self, octets: &mut Vec<u8>) {
        // In BINARY, which sends all octets unchanged, Enter stays CR.
        octets.extend(if self.ours.has(BINARY) { b"\r" } else { self.settings.line_end.octets() });
    }

    fn bare_cr(&self, octets: &mut Vec<u8>) {
        octets.extend(if self.ours.has(BINARY) { &b"\r"[..] } else { b"\r\0" });
    }

    fn push(&self, octet: u8, octets: &mut Vec<u8>) {
        octets.push(octet);
        if octet == IAC {
            octets.push(IAC);
        }
    }
}
