//! Settings of Telnet, and limits on servers.

use std::fmt;
use urlwise::{escape_for_display, padded};

changeable!(TelnetSettings TelnetLimits);

/// Settings of Telnet. The default is a terminal of 80 columns and 24 lines.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TelnetSettings {
    /// What the server learns about the terminal. `None`: there is only a stream; every option is refused, and the session
    /// consists of lines without echo.
    pub terminal: Option<Terminal>,
    /// Without a terminal, keep the CR LF of lines instead of converting it to the line end of this system. A terminal always
    /// needs CR LF.
    pub raw: bool,
    /// What ends a typed line, outside of BINARY.
    pub line_end: LineEnd,
    /// Limits on the server.
    pub limits: TelnetLimits,
}

/// The user's terminal, as far as a server may know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Terminal {
    /// Its type.
    pub name: TerminalType,
    /// Its size.
    pub window: Window,
}

/// The name of a type of terminal: 1 to 40 letters, digits, `+`, `-`, `.`, `/` and `_`, the first of them a letter or digit. The
/// default is `XTERM`, not the value of `TERM`: a constant reveals nothing about the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerminalType(String);

/// No name of a type of terminal. `Display` says which and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidTerminal(String);

/// The size of a window, in characters; 0 is unknown (RFC 1073).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Window {
    /// The number of columns.
    pub columns: u16,
    /// The number of lines.
    pub rows: u16,
}

/// What is sent for the end of a line. RFC 1123 section 3.3.1 requires all three, with CR LF as the default. There may be others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineEnd {
    /// CR LF.
    #[default]
    CrLf,
    /// CR NUL.
    CrNul,
    /// LF.
    Lf,
}

/// Limits on what a server sends besides text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TelnetLimits {
    /// Octets of one subnegotiation. Default 4,096.
    pub subnegotiation: usize,
    /// Requests and subnegotiations in a row, without one octet of text or a key between them. Default 1,000: a server that
    /// asks more often is in a loop.
    pub requests: u32,
}

/// The longest name of a type of terminal (RFC 1091).
const LONGEST: usize = 40;

impl Default for TelnetSettings {
    fn default() -> TelnetSettings {
        let terminal = Some(Terminal::default());
        TelnetSettings { terminal, raw: false, line_end: LineEnd::default(), limits: TelnetLimits::default() }
    }
}

impl Default for TelnetLimits {
    fn default() -> TelnetLimits {
        TelnetLimits { subnegotiation: 4096, requests: 1000 }
    }
}

impl Terminal {
    /// A terminal of this type and size.
    pub fn new(name: TerminalType, window: Window) -> Terminal {
        Terminal { name, window }
    }
}

impl Window {
    /// A window of this many columns and lines.
    pub fn new(columns: u16, rows: u16) -> Window {
        Window { columns, rows }
    }
}

impl Default for Window {
    fn default() -> Window {
        Window { columns: 80, rows: 24 }
    }
}

impl Default for TerminalType {
    fn default() -> TerminalType {
        TerminalType("XTERM".into())
    }
}

impl TerminalType {
    /// A name; letters become upper case, as RFC 1091 writes them.
    ///
    /// ```
    /// use urlwise_open::protocol::telnet::TerminalType;
    ///
    /// assert_eq!(TerminalType::new("vt100")?.as_str(), "VT100");
    /// assert!(TerminalType::new("vt100\u{ff}").is_err());
    /// # Ok::<(), urlwise_open::protocol::telnet::InvalidTerminal>(())
    /// ```
    ///
    /// # Errors
    /// It is not a valid name.
    pub fn new(name: &str) -> Result<TerminalType, InvalidTerminal> {
        let rest = |octet: u8| octet.is_ascii_alphanumeric() || b"+-./_".contains(&octet);
        let is_valid = name.len() <= LONGEST
            && name.bytes().next().is_some_and(|first| first.is_ascii_alphanumeric())
            && name.bytes().all(rest);
        if is_valid { Ok(TerminalType(name.to_ascii_uppercase())) } else { Err(InvalidTerminal(name.to_owned())) }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for InvalidTerminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(f, |f| {
            let name = escape_for_display(self.0.as_bytes());
            write!(
                f,
                "\"{name}\" cannot name a type of terminal: that has 1 to {LONGEST} letters, digits, `+`, `-`, `.`, `/` and `_`, and \
             begins with a letter or digit (RFC 1091)"
            )
        })
    }
}

impl std::error::Error for InvalidTerminal {}

impl LineEnd {
    /// The octets.
    pub(super) fn octets(self) -> &'static [u8] {
        match self {
            LineEnd::CrLf => b"\r\n",
            LineEnd::CrNul => b"\r\0",
            LineEnd::Lf => b"\n",
        }
    }
}
