//! The ftp machine, driven without a socket: recorded dialogues, the rules one by one, hostile servers.

mod commands;
#[path = "../wire/hold.rs"]
mod hold;
mod hostile;
mod proofs;
mod refusals;
mod rules;
mod transcripts;
#[path = "../wire/turns.rs"]
mod turns;
