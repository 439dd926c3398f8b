//! `urlwise get` and `urlwise ls`, with local files and small test servers.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod daily;
mod dry_run;
mod ends;
mod files;
mod gateways;
mod gopher_cuts;
mod gopher_plus;
mod guard;
mod interrupt;
mod links;
mod links_ci;
mod links_files;
mod links_fix;
mod links_sites;
mod links_suggest;
mod listing;
mod login;
mod mail;
mod many;
mod mounts;
mod names;
mod news;
#[cfg(all(unix, feature = "serve"))]
mod pages;
mod progress;
mod prospero;
mod pty;
mod readers;
mod real;
#[path = "../../../urlwise-open/tests/gopher/recorded.rs"]
mod recorded;
mod recursive;
mod recursive_servers;
#[path = "../../../urlwise-open/tests/gopher/replayed.rs"]
mod replayed;
mod reports;
mod resume;
mod secrets;
mod servers;
mod settings;
mod support;
mod telnet;
mod telnetd;
mod wais;
mod waisd;
