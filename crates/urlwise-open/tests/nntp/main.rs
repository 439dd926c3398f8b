//! The NNTP machine, driven without a socket: recorded dialogues, the rules one by one, hostile servers.

mod dialogues;
#[path = "../wire/hold.rs"]
mod hold;
mod hostile;
mod kept;
mod refusals;
mod rules;
mod transcripts;
#[path = "../wire/turns.rs"]
mod turns;
