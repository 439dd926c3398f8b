//! The interface between the route and the schemes: how URLs of one scheme are opened.
//!
//! The client's own schemes are a table of [`Opener`]s, and a program can add openers for its own schemes (RFC 1738 section 4).
//! The language reads such URLs by a [`registry`](urlwise::registry). An opener only gets URLs that the policy has admitted; a
//! [`Call`] gives it connections that obey the client's policy, deadlines and transcript. It returns a resource or names
//! another URL, which takes the same route.
//!
//! ```
//! use std::sync::Arc;
//! use urlwise::registry::{NewScheme, Registry, Syntax};
//! use urlwise::Locator;
//! use urlwise_open::{Call, Client, Document, Error, Metadata, Opener, Options, Outcome, Plan, Resource};
//!
//! /// `x-echo:text` is a document that holds the text.
//! #[derive(Debug)]
//! struct Echo;
//!
//! impl Opener for Echo {
//!     fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
//!         let Locator::Other(echo) = call.url().locator() else { unreachable!("only x-echo is registered") };
//!         let text = echo.schemepart().decode().into_owned();
//!         let metadata = Metadata::default().with_size(text.len() as u64);
//!         let document = Document::from_reader(call.url().to_owned(), std::io::Cursor::new(text), metadata);
//!         Ok(Outcome::Here(Resource::Document(document)))
//!     }
//!
//!     fn plan(&self, _: &Call<'_>) -> Result<Outcome<Plan>, Error> {
//!         Ok(Outcome::Here(Plan::new(Vec::new()))) // nothing is connected
//!     }
//! }
//!
//! let mut registry = Registry::new();
//! registry.register(NewScheme::new("x-echo", Syntax::Opaque))?;
//! let mut options = Options::default();
//! options.openers.register("x-echo", Arc::new(Echo))?;
//!
//! let url = registry.parse("x-echo:hello%20world")?;
//! let Resource::Document(mut document) = Client::new(options).open(&url)? else { panic!("it is a document") };
//! assert_eq!(std::io::read_to_string(&mut document)?, "hello world");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::credentials::ServerLogin;
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::message;
use crate::net::deadlines::Clock;
use crate::net::driver::Dialogue;
use crate::net::endpoint::Endpoint;
use crate::policy::UrlSource;
use crate::probe::Probe;
use crate::protocol::Metadata;
use crate::protocol::{Machine, Note, TlsMode};
use crate::resource::{Entries, Entry, History, Resource};
use crate::scheme::context::Context;
use crate::scheme::options::OpenOptions;
use crate::scheme::plan::Plan;
use core::fmt;
use std::collections::BTreeMap;
use std::sync::Arc;
use urlwise::registry::{NewScheme, RegisterError, Registry, Syntax};
use urlwise::{Profile, Scheme, Url, escape_for_display};

/// Opens the URLs of a scheme. It is called from several threads if its client is.
pub trait Opener: Send + Sync {
    /// Opens the URL of the call, which the policy has admitted. It should return as soon as the answer has begun, and leave
    /// the rest to the reader of the resource.
    ///
    /// # Errors
    /// Any reason why the URL cannot be opened; the error need not name the URL.
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error>;

    /// Opens a URL that is to be listed. A document becomes a list of one entry, and is not read. By default, the same as
    /// [`open`](Opener::open).
    ///
    /// # Errors
    /// As [`open`](Opener::open).
    fn list(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        self.open(call)
    }

    /// The metadata of the document, without transferring it. By default empty.
    ///
    /// # Errors
    /// As [`open`](Opener::open).
    fn metadata(&self, call: &Call<'_>) -> Result<Outcome<Metadata>, Error> {
        let _ = call;
        Ok(Outcome::Here(Metadata::default()))
    }

    /// Finds out whether the URL can be opened, as cheaply as the protocol allows. What is an error here becomes the verdict that
    /// the [error proves](Probe::from). By default, [`open`](Opener::open)s it and drops the answer once it has begun.
    ///
    /// # Errors
    /// As [`open`](Opener::open).
    fn probe(&self, call: &Call<'_>) -> Result<Outcome<Probe>, Error> {
        self.open(call)?.and_probe(call)
    }

    /// The dialogue that [`open`](Opener::open) would have if every answer were good. Must not resolve names, connect or open
    /// anything.
    ///
    /// # Errors
    /// What would be refused before a connection.
    fn plan(&self, call: &Call<'_>) -> Result<Outcome<Plan>, Error>;

    /// A URL at the server to ask, if that is not the server in the URL of the call: a news URL names none. The policy judges
    /// it like one that a person gave, and it decides which login is used; [`Call::server`] returns it then. By default `None`.
    ///
    /// # Errors
    /// The setting that names the server is wrong.
    fn server(&self, call: &Call<'_>) -> Result<Option<Url<String>>, Error> {
        let _ = call;
        Ok(None)
    }
}

/// The result of a URL: a `T`, such as a [`Resource`] or a [`Plan`], or another URL to open instead. There will be no others.
#[must_use = "it may name another URL to open instead"]
#[expect(clippy::large_enum_variant, reason = "what is found is as large nearly always")]
pub enum Outcome<T> {
    /// It was found here.
    Here(T),
    /// It is elsewhere: made by [`Call::lead`] and [`Call::redirect`].
    Elsewhere(Elsewhere<T>),
}

impl<T> Outcome<T> {
    /// The same with what was found here changed by `change`.
    ///
    /// # Errors
    /// Those of `change`.
    pub(crate) fn and_then(self, change: impl FnOnce(T) -> Result<T, Error>) -> Result<Outcome<T>, Error> {
        match self {
            Outcome::Here(found) => change(found).map(Outcome::Here),
            elsewhere @ Outcome::Elsewhere(_) => Ok(elsewhere),
        }
    }
}

impl Outcome<Resource> {
    /// The same for a probe: what was found is not read further than the call asks for.
    pub(crate) fn and_probe(self, call: &Call<'_>) -> Result<Outcome<Probe>, Error> {
        Ok(match self {
            Outcome::Here(found) => Outcome::Here(found.probed(call.options.body_limit)?),
            Outcome::Elsewhere(elsewhere) => Outcome::Elsewhere(elsewhere.probed(call.options.body_limit)),
        })
    }
}

impl<T> From<T> for Outcome<T> {
    fn from(found: T) -> Outcome<T> {
        Outcome::Here(found)
    }
}

impl<T: fmt::Debug> fmt::Debug for Outcome<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Here(found) => f.debug_tuple("Here").field(found).finish(),
            Outcome::Elsewhere(elsewhere) => f.debug_tuple("Elsewhere").field(elsewhere).finish(),
        }
    }
}

/// Another URL to open instead.
pub struct Elsewhere<T> {
    pub(crate) url: Url<String>,
    pub(crate) by: By,
    /// URLs between that of the call and this one that did not go through the route: Prospero servers that forwarded the request.
    pub(crate) via: Vec<Url<String>>,
    pub(crate) notes: Vec<Note>,
    /// A permanent redirect: the other URL replaces this one.
    pub(crate) is_permanent: bool,
    /// The fragment that a redirect names; `None` if it names none.
    pub(crate) fragment: Option<String>,
    pub(crate) or_else: Option<OrElse<T>>,
}

/// Who named the other URL, which decides how the policy judges it and which login may be used there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// The opener itself: the URL counts as coming from where that of the call came from.
    Opener,
    /// The user, by a gateway for the scheme.
    Gateway,
    /// The server, and this is the answer.
    Redirect,
    /// The server, and this is one of several ways to the answer.
    Link,
}

/// Continues if the other URL cannot be opened, for the reason in the error.
pub(crate) type OrElse<T> = Box<dyn FnOnce(Error) -> Result<Outcome<T>, Error> + Send>;

impl<T> Elsewhere<T> {
    pub(crate) fn new(url: Url<String>, by: By) -> Elsewhere<T> {
        Elsewhere { url, by, via: Vec::new(), notes: Vec::new(), is_permanent: false, fragment: None, or_else: None }
    }

    pub(crate) fn with_notes(self, notes: Vec<Note>) -> Elsewhere<T> {
        Elsewhere { notes, ..self }
    }
}

impl Elsewhere<Resource> {
    /// The same for a probe: what is found in place of the other URL is probed too.
    fn probed(self, body_limit: Option<usize>) -> Elsewhere<Probe> {
        let or_else = self.or_else.map(|or_else| -> OrElse<Probe> {
            Box::new(move |error| match or_else(error)? {
                Outcome::Here(found) => found.probed(body_limit).map(Outcome::Here),
                Outcome::Elsewhere(elsewhere) => Ok(Outcome::Elsewhere(elsewhere.probed(body_limit))),
            })
        });
        let Elsewhere { url, by, via, notes, is_permanent, fragment, .. } = self;
        Elsewhere { url, by, via, notes, is_permanent, fragment, or_else }
    }
}

impl<T> fmt::Debug for Elsewhere<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elsewhere").field("url", &self.url).field("by", &self.by).finish_non_exhaustive()
    }
}

/// The openers that a program adds to a client, each for one scheme. Empty by default.
#[derive(Clone, Default)]
pub struct Openers {
    /// By scheme, in lower case.
    openers: BTreeMap<String, Arc<dyn Opener>>,
}

impl Openers {
    /// Registers the opener of a scheme, replacing an earlier one. The scheme may be one that the client opens itself. A
    /// gateway for the scheme takes precedence.
    ///
    /// # Errors
    /// The name is not allowed by the rules of [`Registry::register`].
    pub fn register(&mut self, scheme: &str, opener: Arc<dyn Opener>) -> Result<(), RegisterError> {
        if Scheme::from_name(scheme.as_bytes(), Profile::Current) == Scheme::Other {
            Registry::new().register(NewScheme::new(scheme, Syntax::Opaque))?;
        }
        self.openers.insert(scheme.to_ascii_lowercase(), opener);
        Ok(())
    }

    /// The schemes that have openers, sorted, in lower case.
    pub fn schemes(&self) -> impl ExactSizeIterator<Item = &str> {
        self.openers.keys().map(String::as_str)
    }

    pub(crate) fn get(&self, url: &Url<&str>) -> Option<&dyn Opener> {
        let name = url.scheme_name();
        // What most names are.
        let is_lower = !name.bytes().any(|octet| octet.is_ascii_uppercase());
        let opener = if is_lower { self.openers.get(name) } else { self.openers.get(&name.to_ascii_lowercase()) };
        opener.map(Arc::as_ref)
    }
}

impl fmt::Debug for Openers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.schemes()).finish()
    }
}

/// One URL for one opener, with everything needed to open it.
pub struct Call<'c> {
    pub(crate) url: Url<&'c str>,
    pub(crate) provenance: UrlSource<'c>,
    pub(crate) server: Option<Url<String>>,
    pub(crate) login: Option<ServerLogin>,
    /// Whether the URL is in the realm of the one that was given.
    pub(crate) is_origin: bool,
    pub(crate) options: &'c OpenOptions,
    pub(crate) context: &'c Arc<Context>,
    pub(crate) clock: &'c Clock,
}

impl<'c> Call<'c> {
    /// The URL, which the policy has admitted.
    pub fn url(&self) -> &Url<&'c str> {
        &self.url
    }

    /// Where the URL came from.
    pub fn provenance(&self) -> UrlSource<'c> {
        self.provenance
    }

    /// The options of this call.
    pub fn options(&self) -> &'c OpenOptions {
        self.options
    }

    /// What [`Opener::server`] returned, admitted by the policy.
    pub fn server(&self) -> Option<&Url<String>> {
        self.server.as_ref()
    }

    /// A dialogue of `machine` with the host and port of the URL, to open or to plan.
    pub fn dialogue<M: Machine>(&self, machine: M) -> Talk<'_, 'c, M> {
        Talk { call: self, machine, tls: None }
    }

    /// Opens another URL instead, which the opener itself derives from this one. The policy judges it by the same source as
    /// this one.
    ///
    /// The route follows at most [`Options::max_redirects`](crate::Options::max_redirects) URLs in a row.
    pub fn lead<U: AsRef<str>, T>(&self, target: &Url<U>) -> Outcome<T> {
        Outcome::Elsewhere(Elsewhere::new(target.to_owned(), By::Opener))
    }

    /// Opens a URL instead that a server named. The policy judges it as a redirect from this one: by default only http and
    /// https URLs are admitted.
    pub fn redirect<U: AsRef<str>, T>(&self, target: &Url<U>) -> Outcome<T> {
        Outcome::Elsewhere(Elsewhere::new(target.to_owned(), By::Redirect))
    }

    /// Judges the host to connect to as it is written: what is known without looking it up.
    pub(crate) fn admit_as_written(&self) -> Result<(), Error> {
        let there = self.server.as_ref().map_or(self.url, Url::borrow);
        // It connects to no host.
        let Ok(endpoint) = Endpoint::of(&there) else { return Ok(()) };
        let shared = self.context.shared();
        shared.admit_as_written(&endpoint, self.clock)?;
        Ok(endpoint.ip().map_or(Ok(()), |ip| shared.policy.admit_address(ip, endpoint.host()))?)
    }

    /// The resource is at the URL of the call itself.
    pub(crate) fn history(&self) -> History {
        History::of(self.url.to_owned())
    }

    /// The error of an opener that was called for a URL of another scheme.
    pub(crate) fn unfit(&self) -> Error {
        let name = escape_for_display(self.url.scheme_name().as_bytes());
        Error::new(
            ErrorKind::NoAccess,
            message!("the opener of another scheme was called for {scheme}", scheme = name.to_string()),
        )
    }

    /// A dialogue with the server at `endpoint`.
    pub(crate) fn dialogue_with<M: Machine>(&self, machine: M, endpoint: Endpoint) -> Dialogue<M> {
        Dialogue::new(machine, endpoint, self.clock.clone(), self.context.shared())
    }
}

impl fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("url", &self.url).field("provenance", &self.provenance).finish_non_exhaustive()
    }
}

/// A dialogue of an opener: see [`Call::dialogue`].
#[must_use]
pub struct Talk<'t, 'c, M> {
    call: &'t Call<'c>,
    machine: M,
    tls: Option<&'static [u8]>,
}

impl<M: Machine> Talk<'_, '_, M> {
    /// Uses TLS from the first octet, with a certificate for the host of the URL. `protocol` is the application protocol to ask
    /// for in the handshake (ALPN, RFC 7301); empty for none.
    pub fn with_tls(self, protocol: &'static [u8]) -> Self {
        Talk { tls: Some(protocol), ..self }
    }

    /// The dialogue that [`open`](Talk::open) would have.
    ///
    /// # Errors
    /// The request must not be made, or the URL has no host or no port.
    pub fn plan(self) -> Result<Outcome<Plan>, Error> {
        let endpoint = self.endpoint()?;
        Plan::of_machine(self.machine, &endpoint, self.call.options().steps).map(Outcome::Here)
    }

    fn endpoint(&self) -> Result<Endpoint, Error> {
        let endpoint = Endpoint::of(&self.call.url)?;
        Ok(match self.tls {
            Some(alpn) => Endpoint { tls: TlsMode::Implicit, alpn, ..endpoint },
            None => endpoint,
        })
    }
}

impl<M: Machine + Send + 'static> Talk<'_, '_, M>
where
    M::Entry: Send,
{
    /// Holds the dialogue; its answer is read as it arrives. `entry` converts each entry of the machine to an entry of a menu.
    ///
    /// # Errors
    /// As [`Client::open`](crate::Client::open).
    pub fn open(self, entry: impl FnMut(M::Entry) -> Entry + Send + 'static) -> Result<Outcome<Resource>, Error> {
        let endpoint = self.endpoint()?;
        let Talk { call, machine, .. } = self;
        let dialogue = call.dialogue_with(machine, endpoint);
        let menu = |dialogue| Entries::new(dialogue, entry);
        Resource::of_dialogue(dialogue, call.history(), call.context.max_size, menu).map(Outcome::Here)
    }
}

impl<M: fmt::Debug> fmt::Debug for Talk<'_, '_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Talk").field("machine", &self.machine).field("tls", &self.tls.is_some()).finish_non_exhaustive()
    }
}
