//! The telnet machine, driven without a socket: recorded sessions, the rules one by one, hostile servers.

mod pieces;
#[path = "../wire/recorded.rs"]
mod recorded;
#[path = "../gopher/replay.rs"]
mod replay;

mod hostile;
mod rules;
mod transcripts;
