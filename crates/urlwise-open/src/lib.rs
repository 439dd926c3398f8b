//! Opens the URLs of RFC 1738.
//!
//! A [`Client`] turns a [`Url`](urlwise::Url) into a [`Resource`]: a [`Document`] to read, a [`Menu`] of further URLs, an
//! interactive [`Session`], a [`MessageDraft`] of a mail.
//! Every URL passes one [`Policy`](policy::Policy) before anything is opened, protocols are
//! [machines without I/O](protocol), and every failure is an [`Error`] with an [`ErrorKind`] and a message.
//!
//! ```
//! use std::io::Read;
//! use urlwise::Url;
//! use urlwise_open::{Client, Options, Resource};
//!
//! let folder = std::env::temp_dir().join(format!("urlwise-doc-{}", std::process::id()));
//! std::fs::create_dir(&folder)?;
//! std::fs::write(folder.join("a b.txt"), "hello\n")?;
//!
//! let client = Client::new(Options::default());
//! let url = Url::parse(format!("file://{}/a%20b.txt", folder.display()))?;
//! let Resource::Document(mut document) = client.open(&url)? else { panic!("it is a file") };
//! let mut text = String::new();
//! document.read_to_string(&mut text)?;
//! assert_eq!((text.as_str(), document.media_type()), ("hello\n", Some("text/plain")));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! By default everything is built in but messages in other languages; file and mailto need no feature.
//!
//! - `finger`, `ftp`, `gopher`, `http`, `news` (news and nntp), `prospero` (with gopher), `telnet`, `wais`: the schemes, each with its
//!   siblings. Each turns `tcp` on, which alone opens nothing.
//! - `mail`: drafts as message files, and sending them.
//! - `tls`: https, ftps, gophers, nntps, snews, and TLS that begins within a dialogue.
//! - `many`: many calls on one thread, on Linux on x86-64 and ARM64; without it, and elsewhere, each has its own.
//! - `ja`, `zh`: messages in Japanese and in Chinese.
//! - `testing`: the driver that tests protocol machines.

// Code shared by several schemes has no feature of its own, so some of it is unused in a build without all of these.
#![cfg_attr(
    not(all(feature = "ftp", feature = "http", feature = "news", feature = "prospero", feature = "telnet")),
    allow(dead_code)
)]

mod client;
mod credentials;
mod error;
mod gateway;
mod language;
mod net;
pub mod policy;
mod probe;
pub mod protocol;
mod resource;
mod scheme;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod widths;

pub use client::{Client, Options};
pub use credentials::{Credentials, Netrc, Prompt, Realm, Secret, ServerLogin};
pub use error::{Error, ErrorKind};
pub use gateway::{Gateway, GatewayError, Gateways};
pub use net::deadlines::{Cancel, Deadlines, MinRate};
pub use net::endpoint::Endpoint;
pub use net::many::{Jobs, MOST_AT_A_TIME, run_many, sleep};
pub use net::name_servers::NameServers;
#[cfg(feature = "http")]
pub use net::proxy::Proxies;
pub use net::roots::Roots;
pub use net::tcp::addresses_of;
pub use net::transcript::{Observe, Peer, Seen};
pub use probe::{Cause, Probe, ProbeBody, ProbeOptions, ProbeVerdict};
pub use protocol::{Hint, Metadata, Resume};
#[cfg(feature = "gopher")]
pub use resource::attributes::ItemAttributes;
pub use resource::draft::{MailAddress, MessageDraft, Recipients};
#[cfg(feature = "gopher")]
pub use resource::form::{FilledForm, Form};
#[cfg(feature = "telnet")]
pub use resource::session::{Heard, Session};
pub use resource::{Document, Entry, EntryKind, Menu, Resource};
#[cfg(feature = "news")]
pub use resource::{article, charset};
#[cfg(feature = "mail")]
pub use scheme::mail::{Delivery, Letter, MailServer, Sender, Sent};
#[cfg(feature = "news")]
pub use scheme::news_server::{NewsOptions, NewsServer};
pub use scheme::opener::{Call, Elsewhere, Opener, Openers, Outcome, Talk};
pub use scheme::opens;
pub use scheme::options::{OpenOptions, ViewChoice};
pub use scheme::plan::{Plan, PlanLine};
