//! The options of Telnet, one table: their names, and which of them are accepted (S-40).

use crate::language::message;
use urlwise::Message;

pub(super) const BINARY: u8 = 0;
pub(super) const ECHO: u8 = 1;
pub(super) const SUPPRESS_GO_AHEAD: u8 = 3;
pub(super) const TERMINAL_TYPE: u8 = 24;
pub(super) const WINDOW_SIZE: u8 = 31;

/// One option.
struct Row {
    number: u8,
    /// Its name in the list of assigned numbers, shortened.
    name: &'static str,
    /// Accepted if the server offers it (`WILL`).
    from_server: bool,
    /// Accepted if the server requests it (`DO`).
    from_us: bool,
}

const fn row(number: u8, name: &'static str, from_server: bool, from_us: bool) -> Row {
    Row { number, name, from_server, from_us }
}

/// All others are refused. Echo on our side would let a server write to itself; LINEMODE, the environment, authentication and
/// the rest reveal or obey more than a session needs, and have been security holes in servers and clients.
const ROWS: &[Row] = &[
    row(BINARY, "BINARY", true, true),
    row(ECHO, "ECHO", true, false),
    row(SUPPRESS_GO_AHEAD, "SUPPRESS-GO-AHEAD", true, true),
    row(5, "STATUS", false, false),
    row(6, "TIMING-MARK", false, false),
    row(23, "SEND-LOCATION", false, false),
    row(TERMINAL_TYPE, "TERMINAL-TYPE", false, true),
    row(25, "END-OF-RECORD", false, false),
    row(WINDOW_SIZE, "WINDOW-SIZE", false, true),
    row(32, "TERMINAL-SPEED", false, false),
    row(33, "FLOW-CONTROL", false, false),
    row(34, "LINEMODE", false, false),
    row(35, "X-DISPLAY-LOCATION", false, false),
    row(36, "ENVIRON", false, false),
    row(37, "AUTHENTICATION", false, false),
    row(38, "ENCRYPT", false, false),
    row(39, "NEW-ENVIRON", false, false),
    row(42, "CHARSET", false, false),
    row(46, "START-TLS", false, false),
];

fn find(number: u8) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.number == number)
}

/// Its name: `TERMINAL-TYPE`, or `option 201`.
pub(super) fn name(number: u8) -> Message {
    find(number).map_or_else(|| message!("option {number}", number = number), |row| row.name.into())
}

/// Whether a terminal lets the server do it.
pub(super) fn may_server(number: u8) -> bool {
    find(number).is_some_and(|row| row.from_server)
}

/// Whether a terminal agrees to do it.
pub(super) fn may_we(number: u8) -> bool {
    find(number).is_some_and(|row| row.from_us)
}
