//! The WAIS machine, driven without a socket: recorded dialogues, the rules one by one, hostile servers.

mod every;
mod hits;
mod hostile;
mod lengths;
mod recorded;
mod resumed;
mod rules;
mod transcripts;
