//! The telnet machine, driven without a socket: recorded sessions, the rules one by one, hostile servers.

#[path = "../wire/recorded.rs"]
mod recorded;

mod hostile;
mod rules;
mod transcripts;
