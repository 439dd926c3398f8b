//! Telnet: RFC 1738 section 3.8, RFC 854 and RFC 855, RFC 1123 sections 3.2 and 3.3, and the options that a terminal needs.
//!
//! A telnet URL names an interactive service, not data, so [`TelnetMachine`] sits in the middle: what the server sends goes in
//! by [`Machine::next`](super::Machine::next) and comes out as text and answers; what a person types goes in by
//! [`keys`](TelnetMachine::keys) or [`lines`](TelnetMachine::lines) and comes out as octets for the server. It never starts to
//! negotiate: the server, which may not be a telnet server, gets only what was typed and answers to its own requests.
//!
//! ```text
//! Start --Connect--> Open --text--> Data
//!                    |  ^ '--IAC WILL, WONT, DO, DONT, SB--> Send, if it changes something
//!                    |  '---------------------------------------'
//!                    '-- closed --> Done       '-- too much of it --> Failed
//! ```
//!
//! The user and the password of a URL are advice to the person (section 3.8, D-52): nothing here can send them.

mod machine;
mod note;
mod option;
mod settings;
mod typed;

pub use machine::TelnetMachine;
pub use settings::{InvalidTerminal, LineEnd, TelnetLimits, TelnetSettings, Terminal, TerminalType, Window};
pub use typed::{Function, Mode};
