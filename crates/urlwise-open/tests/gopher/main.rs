//! The gopher machine, driven without a socket: recorded dialogues, the rules one by one, hostile servers.

mod attributes;
mod forms;
mod hostile;
mod plus;
mod recorded;
mod rules;
mod transcripts;
