//! `urlwise get` and `urlwise ls` as a user runs them: files of this machine, and small servers that say what no real one will.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod dry_run;
mod ends;
mod files;
mod interrupt;
mod listing;
mod login;
mod many;
mod names;
mod progress;
mod pty;
mod real;
mod resume;
mod secrets;
mod support;
mod telnet;
mod telnetd;
