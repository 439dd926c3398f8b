//! ARDP driven without a socket and without a clock: recorded sessions, the rules one by one, a network that loses and doubles,
//! hostile servers.

mod held;
mod hostile;
mod network;
mod rules;
mod tell;
mod transcripts;
