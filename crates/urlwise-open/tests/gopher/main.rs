//! The gopher machine, driven without a socket: recorded dialogues, the rules one by one, hostile servers.

mod answer;
mod attributes;
mod forms;
mod hostile;
mod recorded;
mod replay;
mod rules;
mod transcripts;
