//! Building URLs: octets in, a valid URL out.
//!
//! A [`Draft`] takes parts by their names, in any order. Octets are data: each part encodes what it reserves (section 2.2), so
//! `~` becomes `%7E` and a `/` in a name `%2F`. What is given is what is read again: a part that is not given is absent, one that
//! is given as nothing is empty.
//!
//! ```
//! use urlwise::Scheme;
//! use urlwise::build::Draft;
//!
//! let ftp = Draft::of(Scheme::Ftp).with("user", "myname").with("host", "host.dom").with("cwd", "/etc").with("name", "motd");
//! assert_eq!(ftp.with("typecode", "a").build()?.as_str(), "ftp://myname@host.dom/%2Fetc/motd;type=a");
//!
//! let http = Draft::of(Scheme::Http).with("host", "host.dom").with_all("segment", ["~jim", ""]).with("search", "a?");
//! assert_eq!(http.build()?.as_str(), "http://host.dom/%7Ejim/?a%3F");
//!
//! let news = Draft::of(Scheme::News).with("unique", "4c5:a/b").with("host", "host.dom");
//! assert_eq!(news.build()?.as_str(), "news:4c5:a%2Fb@host.dom");
//! # Ok::<(), urlwise::build::BuildError>(())
//! ```
//!
//! [`parts`] lists the parts of a scheme. Parts that exclude each other or need another part are a [`BuildError`]; what no URL may
//! hold is the problem that [`Url::parse`](crate::Url::parse) would report: there is no second grammar.
//!
//! ```
//! use urlwise::Scheme;
//! use urlwise::build::Draft;
//!
//! let message = |draft: Draft| draft.build().unwrap_err().to_string();
//! assert_eq!(
//!     message(Draft::of(Scheme::Ftp).with("password", "secret")),
//!     "`password` requires `user`; give both",
//! );
//! assert_eq!(
//!     message(Draft::of(Scheme::Ftp).with("host", "host.dom/x")),
//!     "error[bnf-char] at 14..15: `/` (2F) is not allowed in a host (section 2.2, D-10); \
//!         expected `hostname | hostnumber`",
//! );
//! assert_eq!(
//!     message(Draft::of(Scheme::Nntp).with("host", "host.dom")),
//!     Url::parse("nntp://host.dom").unwrap_err().to_string(),
//! );
//! # use urlwise::Url;
//! ```
//!
//! [`Url::with`](crate::Url::with) changes one part of a URL and keeps all others as they are written.

mod change;
mod draft;
mod encoding;
mod error;
mod parts;
mod piece;

pub use crate::scheme::PartKind;
pub use draft::Draft;
pub use error::{BuildError, Refused, nearest};
pub use parts::parts;
