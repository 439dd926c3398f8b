//! Opens the URLs of RFC 1738.
//!
//! A [`Client`] turns a [`Url`](urlwise::Url) into a [`Resource`]: a [`Document`] to read, a [`Menu`] of further URLs, a
//! [`Session`] to hold, a [`Draft`] of a mail.
//! Every URL passes one [`Policy`](policy::Policy) before anything is opened, protocols are
//! [machines without I/O](protocol), and whatever fails is one [`Error`] with a [`Class`] and a sentence.
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

pub mod article;
mod class;
mod client;
mod credentials;
mod date;
mod deadline;
mod dialogue;
mod draft;
mod duplex;
mod error;
mod exchange;
mod file;
mod ftp;
mod gateway;
mod gopher;
mod handler;
mod http;
#[cfg(feature = "mail")]
mod mail;
mod nntp;
mod plan;
pub mod policy;
mod pool;
mod prospero;
pub mod protocol;
mod proxy;
mod resource;
mod session;
mod telnet;
mod tls;
mod transcript;
mod transport;
mod wais;
mod wish;

pub use class::Class;
pub use client::{Client, Options, opens};
pub use credentials::{Ask, Credentials, Login, Netrc, Realm, Secret};
pub use deadline::{Cancel, Deadlines, Slowest};
pub use draft::Draft;
pub use error::Error;
pub use gateway::{Gateway, GatewayError, Gateways};
pub use gopher::{Attributes, Filled, Form};
pub use handler::{Call, Handler, Handlers, Talk};
#[cfg(feature = "mail")]
pub use mail::{Delivery, Letter, MailServer, MailTls, Sender, Sent};
pub use nntp::{News, NewsServer};
pub use plan::{Plan, PlanLine};
pub use proxy::Proxies;
pub use resource::{Document, Entry, EntryKind, Menu, Resource};
pub use session::{Heard, Session};
pub use tls::Roots;
pub use transcript::{Observe, Peer, Seen};
pub use wish::{Facts, Resume, ViewWish, Wish};
