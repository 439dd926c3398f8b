//! The WAIS machine, driven without a socket: recorded dialogues, the rules one by one, hostile servers.

mod every;
mod hostile;
mod recorded;
mod rules;
mod transcripts;
