//! The Prospero machine without a socket: recorded dialogues, the rules one by one, hostile servers.

mod access_methods;
mod held;
mod hostile;
mod recorded;
mod rules;
mod transcripts;
