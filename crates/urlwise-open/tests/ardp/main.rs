//! ARDP exchanges without a socket or a clock: recorded sessions, the rules one by one, an unreliable network, hostile servers.

mod hostile;
mod network;
mod rules;
mod support;
mod transcripts;
