//! Building URLs: octets in, a valid URL out.
//!
//! There is one builder for each scheme. Its methods come in the order of the parts; what is out of order or missing does not
//! compile. Octets are data: each part encodes what it reserves (section 2.2), so `~` becomes `%7E` and a `/` in a name `%2F`.
//! What is given is what is read again: a part that is not given is absent, one that is given as nothing is empty.
//!
//! ```
//! use urlwise::{Typecode, build};
//!
//! let url = build::ftp().user("myname").host("host.dom").cwd("/etc").name("motd").typecode(Typecode::Ascii).build()?;
//! assert_eq!(url.as_str(), "ftp://myname@host.dom/%2Fetc/motd;type=a");
//! let url = build::http().host("host.dom").segment("~jim").segment("").search("a?").build()?;
//! assert_eq!(url.as_str(), "http://host.dom/%7Ejim/?a%3F");
//! let url = build::news().article("4c5:a/b", "host.dom").build()?;
//! assert_eq!(url.as_str(), "news:4c5:a%2Fb@host.dom");
//! # Ok::<(), urlwise::build::Refused>(())
//! ```
//!
//! What types cannot say is a problem of the text that was built, the same that [`Url::parse`] would report: there is no
//! second grammar.
//!
//! ```
//! let error = urlwise::build::ftp().host("host.dom/x").build().unwrap_err();
//! assert_eq!(error.to_string(), "error[bnf-char] at 14..15: `/` (2F) is not allowed in a host (section 2.2, D-10); \
//!     expected `hostname | hostnumber`");
//! ```
//!
//! The host comes before the path, a password behind a user, and a path ends with a name:
//!
//! ```compile_fail
//! urlwise::build::ftp().name("motd").host("host.dom");
//! ```
//! ```compile_fail
//! urlwise::build::ftp().password("secret").host("host.dom");
//! ```
//! ```compile_fail
//! urlwise::build::ftp().host("host.dom").cwd("etc").build();
//! ```
//! ```compile_fail
//! urlwise::build::nntp().host("host.dom").build();
//! ```
//! ```compile_fail
//! urlwise::build::http().user("jim").host("host.dom");
//! ```
//!
//! [`Draft`] takes parts by their names, in any order, and changes URLs that there are already:
//! [`Url::with`](crate::Url::with).

mod change;
mod draft;
mod error;
mod file;
mod ftp;
mod gopher;
mod http;
mod mailto;
mod news;
mod nntp;
mod other;
mod part;
mod prospero;
pub mod state;
mod telnet;
mod wais;

use alloc::string::{String, ToString};
use core::fmt;
use core::marker::PhantomData;

pub use draft::Draft;
pub use error::{BuildError, Refused, nearest};
pub use file::file;
pub use ftp::{ftp, ftps};
pub use gopher::{gopher, gophers};
pub use http::{http, https};
pub use mailto::mailto;
pub use news::{news, snews};
pub use nntp::{nntp, nntps};
pub use other::other;
pub use part::{PartKind, parts};
pub use prospero::prospero;
pub use telnet::{telnet, telnets};
pub use wais::wais;

use crate::url::Url;
use state::{Before, Complete, HasHost, HasLogin, HasPort, Host, Password, Port, User};

/// A URL of the scheme `K` that has come as far as `S`.
///
/// The types are those of [`state`]; one begins with a function of this module, such as [`ftp`](ftp()).
#[must_use = "a builder does nothing until `build`"]
pub struct Builder<K, S> {
    draft: Draft,
    state: PhantomData<(K, S)>,
}

impl<K, S> Builder<K, S> {
    fn new(draft: Draft) -> Self {
        Builder { draft, state: PhantomData }
    }

    /// The part as it stands, and the next state.
    fn plain<T>(mut self, part: &str, text: &str) -> Builder<K, T> {
        self.draft.push(part, text.as_bytes());
        Builder::new(self.draft)
    }

    /// The part, encoded by its rule, and the next state.
    fn octets<T>(mut self, part: &str, octets: impl AsRef<[u8]>) -> Builder<K, T> {
        self.draft.push_octets(part, octets.as_ref());
        Builder::new(self.draft)
    }

    /// Puts the URL together and reads it: by RFC 1738, or by the profile `current` where only that knows the scheme.
    ///
    /// # Errors
    /// The text that the parts make, and what is wrong with it.
    pub fn build(self) -> Result<Url<String>, Refused>
    where
        S: Complete<K>,
    {
        self.draft.assemble()
    }
}

impl<K: HasLogin, S: Before<User>> Builder<K, S> {
    /// The user name; an empty one is not an absent one (section 3.1, D-24).
    pub fn user(self, user: impl AsRef<[u8]>) -> Builder<K, User> {
        self.octets("user", user)
    }
}

impl<K: HasLogin, S: Before<Password>> Builder<K, S> {
    /// The password, behind a user; an empty one is not an absent one (section 3.1, D-24).
    pub fn password(self, password: impl AsRef<[u8]>) -> Builder<K, Password> {
        self.octets("password", password)
    }
}

impl<K: HasHost, S: Before<Host>> Builder<K, S> {
    /// The host: a domain name or an IP address. Hosts have no escapes.
    pub fn host(self, host: impl AsRef<str>) -> Builder<K, Host> {
        self.plain("host", host.as_ref())
    }
}

impl<K: HasPort, S: Before<Port>> Builder<K, S> {
    /// The port; without one, the scheme's default is in force. Port 0 is valid and cannot be connected to (D-23).
    pub fn port(self, port: u16) -> Builder<K, Port> {
        self.plain("port", &port.to_string())
    }
}

impl<K, S> Clone for Builder<K, S> {
    fn clone(&self) -> Self {
        Builder::new(self.draft.clone())
    }
}

impl<K, S> fmt::Debug for Builder<K, S> {
    /// Names of the parts only: the octets may be a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Builder({:?})", self.draft)
    }
}
