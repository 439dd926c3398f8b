//! Attacks on a gateway, each a test: pages of others, hosts that are not ours, requests that hide others, servers that write scripts into
//! everything they send. The numbers are those of docs/client-security.md.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must stop")]

mod access;
mod answers;
mod back;
mod browser;
mod handlers;
mod hosts;
#[cfg(all(feature = "ja", feature = "zh"))]
mod languages;
mod limits;
mod pages;
mod requests;
mod scripts;
