//! `check --open` as a whole: a table of links of every scheme with their verdicts, against real servers; and hostile ones.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod again;
mod ends;
mod hostile;
mod pages;
mod private;
#[allow(dead_code, reason = "the tests of telnet need more")]
#[path = "../opening/pty.rs"]
mod pty;
mod run;
#[allow(dead_code, unused_imports, unexpected_cfgs, reason = "the tests of the access crate need more")]
#[path = "../../../urlwise-open/tests/access/support/mod.rs"]
mod servers;
#[allow(dead_code, reason = "the tests of get and ls need more")]
#[path = "../opening/support.rs"]
mod support;
mod table;
#[allow(dead_code, reason = "the tests of wais need more")]
#[path = "../opening/waisd.rs"]
mod waisd;
