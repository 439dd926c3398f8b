//! Handlers: how a program opens schemes of its own (RFC 1738 section 4).
//!
//! The language reads such URLs by a [`registry`](urlwise::registry); a [`Handler`] opens them. The client stays the one way in:
//! the URL passes the policy before its handler sees it, and a [`Call`] gives the handler connections that keep to the policy, the
//! deadlines and the transcript of the client, and a way on to other URLs.
//!
//! ```
//! use std::sync::Arc;
//! use urlwise::registry::{NewScheme, Registry, Syntax};
//! use urlwise::{Locator, Url};
//! use urlwise_open::{Call, Client, Document, Error, Facts, Handler, Options, Plan, Resource, Wish};
//!
//! /// `x-echo:text` is a document that holds the text.
//! #[derive(Debug)]
//! struct Echo;
//!
//! impl Handler for Echo {
//!     fn open(&self, url: &Url<&str>, _: &Wish, _: &Call<'_>) -> Result<Resource, Error> {
//!         let Locator::Other(echo) = url.locator() else { unreachable!("the scheme is none of the ten") };
//!         let text = echo.schemepart().decode().into_owned();
//!         let facts = Facts { size: Some(text.len() as u64), ..Facts::default() };
//!         Ok(Resource::Document(Document::from_reader(url.to_owned(), std::io::Cursor::new(text), facts)))
//!     }
//!
//!     fn plan(&self, _: &Url<&str>, _: &Call<'_>) -> Result<Plan, Error> {
//!         Ok(Plan::new(Vec::new())) // nothing is connected
//!     }
//! }
//!
//! let mut registry = Registry::new();
//! registry.register(NewScheme::new("x-echo", Syntax::Opaque))?;
//! let mut options = Options::default();
//! options.handlers.register("x-echo", Arc::new(Echo))?;
//!
//! let url = registry.parse("x-echo:hello%20world")?;
//! let Resource::Document(mut document) = Client::new(options).open(&url)? else { panic!("it is a document") };
//! assert_eq!(std::io::read_to_string(&mut document)?, "hello world");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::client::plan::Plan;
use crate::client::wish::{Asks, Facts, Wish};
use crate::client::{Client, Options};
use crate::error::Error;
use crate::error::class::Class;
use crate::net::deadline::Clock;
use crate::net::driver::Dialogue;
use crate::net::transport::Endpoint;
use crate::policy::Origin;
use crate::protocol::Machine;
use crate::resource::{Document, Entries, Entry, Provenance, Resource};
use core::fmt;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use urlwise::registry::{NewScheme, RegisterError, Registry, Syntax};
use urlwise::{Profile, Scheme, Url};

/// The most URLs that lead to one another, whatever number of redirects is allowed: each takes some of the stack.
const MOST: u32 = 64;

/// Opens the URLs of a scheme. It is called from several threads if its client is.
pub trait Handler: Send + Sync {
    /// Opens a URL of its scheme, which the policy has admitted. What has to be waited for is better waited for as the resource is
    /// read.
    ///
    /// # Errors
    /// Whatever keeps it from being opened; it need not name the URL.
    fn open(&self, url: &Url<&str>, wish: &Wish, call: &Call<'_>) -> Result<Resource, Error>;

    /// Opens a URL that is to be listed. A document is listed by itself, and not read. By default it is opened without a wish.
    ///
    /// # Errors
    /// As [`open`](Handler::open).
    fn list(&self, url: &Url<&str>, call: &Call<'_>) -> Result<Resource, Error> {
        self.open(url, &Wish::default(), call)
    }

    /// What is known of the document without reading it. By default nothing is.
    ///
    /// # Errors
    /// As [`open`](Handler::open).
    fn facts(&self, url: &Url<&str>, call: &Call<'_>) -> Result<Facts, Error> {
        let _ = (url, call);
        Ok(Facts::default())
    }

    /// What [`open`](Handler::open) would do if every answer were good. Nothing may be looked up, connected or opened.
    ///
    /// # Errors
    /// What would be refused before a connection.
    fn plan(&self, url: &Url<&str>, call: &Call<'_>) -> Result<Plan, Error>;
}

/// The handlers of a client, each for the URLs of one scheme. By default none.
#[derive(Clone, Default)]
pub struct Handlers {
    /// By scheme, in lower case.
    handlers: BTreeMap<String, Arc<dyn Handler>>,
}

impl Handlers {
    /// Lets a handler open the URLs of a scheme; what was said of it before is forgotten. The scheme may be one that the client opens
    /// itself. A gateway counts more than a handler: it is the user's own word.
    ///
    /// # Errors
    /// The name is none that a scheme may have: the rules are those of [`Registry::register`].
    pub fn register(&mut self, scheme: &str, handler: Arc<dyn Handler>) -> Result<(), RegisterError> {
        if Scheme::from_name(scheme.as_bytes(), Profile::Current) == Scheme::Other {
            Registry::new().register(NewScheme::new(scheme, Syntax::Opaque))?;
        }
        self.handlers.insert(scheme.to_ascii_lowercase(), handler);
        Ok(())
    }

    /// The schemes that have handlers, in lower case and by their names.
    pub fn schemes(&self) -> impl ExactSizeIterator<Item = &str> {
        self.handlers.keys().map(String::as_str)
    }

    pub(crate) fn get(&self, url: &Url<&str>) -> Option<&dyn Handler> {
        self.handlers.get(&url.scheme_name().to_ascii_lowercase()).map(Arc::as_ref)
    }
}

impl fmt::Debug for Handlers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.schemes()).finish()
    }
}

/// One URL for one handler: the client's connections, and the way on to other URLs.
pub struct Call<'c> {
    pub(crate) client: &'c Client,
    pub(crate) url: Url<&'c str>,
    pub(crate) origin: Origin<'c>,
    pub(crate) asks: &'c Asks,
    pub(crate) clock: &'c Clock,
    /// How many URLs have led here, redirects of http aside.
    pub(crate) depth: u32,
}

impl<'c> Call<'c> {
    /// How the client opens URLs.
    pub fn options(&self) -> &'c Options {
        self.client.options()
    }

    /// Where the URL came from. The policy has seen it.
    pub fn origin(&self) -> Origin<'c> {
        self.origin
    }

    /// The dialogue of a machine with the host and port of the URL, to be opened or planned.
    pub fn dialogue<M: Machine>(&self, machine: M) -> Talk<'_, 'c, M> {
        Talk { call: self, machine, tls: None }
    }

    /// Opens the URL that this one stands for, as the handler alone says. The policy judges it as it has judged this one, by where
    /// that came from.
    ///
    /// # Errors
    /// As [`Client::open`], and [`Class::Redirects`] if URLs lead on without end.
    pub fn lead<T: AsRef<str>>(&self, target: &Url<T>) -> Result<Resource, Error> {
        self.go(target, self.origin)
    }

    /// Opens a URL that a server named. The policy judges it as a redirect from this one: by default only those of http and https
    /// pass.
    ///
    /// # Errors
    /// As [`lead`](Call::lead).
    pub fn redirect<T: AsRef<str>>(&self, target: &Url<T>) -> Result<Resource, Error> {
        self.go(target, Origin::Redirect { from: &self.url })
    }

    /// What would be done for the URL that this one stands for.
    ///
    /// # Errors
    /// As [`Client::plan`], and [`Class::Redirects`] if URLs lead on without end.
    pub fn plan_of<T: AsRef<str>>(&self, target: &Url<T>) -> Result<Plan, Error> {
        let depth = self.deeper()?;
        let target = target.borrow();
        let plan = self.client.foresee_all(&target, self.origin, &Wish::default(), self.clock, depth)?;
        Ok(plan.through(&target))
    }

    fn go<T: AsRef<str>>(&self, target: &Url<T>, origin: Origin<'_>) -> Result<Resource, Error> {
        let depth = self.deeper()?;
        let gone = self.client.go(&target.borrow(), origin, self.asks, self.clock, depth);
        let resource = gone.map_err(|error| error.led_by(self.url.masked()))?;
        Ok(resource.led(vec![self.url.to_owned()], Vec::new()))
    }

    /// The depth of a URL that this one leads to.
    pub(crate) fn deeper(&self) -> Result<u32, Error> {
        let most = self.options().max_redirects.min(MOST);
        if self.depth < most {
            return Ok(self.depth + 1);
        }
        Err(Error::new(Class::Redirects, format!("the URL refers to more than {most} further URLs")).ground("S-21"))
    }
}

impl fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("url", &self.url).field("depth", &self.depth).finish_non_exhaustive()
    }
}

/// A dialogue that a handler wants to hold: see [`Call::dialogue`].
#[must_use]
pub struct Talk<'t, 'c, M> {
    call: &'t Call<'c>,
    machine: M,
    tls: Option<&'static [u8]>,
}

impl<M: Machine> Talk<'_, '_, M> {
    /// With TLS from the first octet, the server being that of the URL's host; `protocol` is what the handshake calls the protocol
    /// (RFC 7301), empty for none.
    pub fn with_tls(self, protocol: &'static [u8]) -> Self {
        Talk { tls: Some(protocol), ..self }
    }

    /// The dialogue that [`open`](Talk::open) would hold.
    ///
    /// # Errors
    /// The fault of a request that must not be made, or of a URL without a host or a port.
    pub fn plan(self) -> Result<Plan, Error> {
        let endpoint = self.endpoint()?;
        Plan::of_machine(self.machine, &endpoint)
    }

    fn endpoint(&self) -> Result<Endpoint, Error> {
        let url = &self.call.url;
        match (url.host(), url.port_number()) {
            (Some(host), Some(port)) if !host.as_str().is_empty() => Ok(Endpoint::of(host, port, self.tls)),
            (Some(host), None) if !host.as_str().is_empty() => {
                Err(Error::new(Class::NoAccess, "the URL has no port, and its scheme has no default port")
                    .ground("RFC 1738 section 3.1")
                    .help("write the port into the URL, or register the scheme with a default port"))
            }
            _ => Err(Error::new(Class::NoAccess, "the URL has no host to connect to").ground("RFC 1738 section 3.1")),
        }
    }
}

impl<M: Machine + Send + 'static> Talk<'_, '_, M>
where
    M::Entry: Send,
{
    /// Holds the dialogue; what it brings is read as it arrives. `entry` makes an entry of what the machine gives for one.
    ///
    /// # Errors
    /// As [`Client::open`].
    pub fn open(self, entry: impl FnMut(M::Entry) -> Entry + Send + 'static) -> Result<Resource, Error> {
        let endpoint = self.endpoint()?;
        let Call { client, url, clock, .. } = self.call;
        let dialogue = Dialogue::new(self.machine, endpoint, (*clock).clone(), client.shared());
        let from = Provenance::of(url.to_owned());
        Resource::of_dialogue(dialogue, from, client.options().max_size, |dialogue| Entries::new(dialogue, entry))
    }
}

impl<M: fmt::Debug> fmt::Debug for Talk<'_, '_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Talk").field("machine", &self.machine).field("tls", &self.tls.is_some()).finish_non_exhaustive()
    }
}

/// What a handler has for a URL.
pub(crate) fn open(handler: &dyn Handler, call: &Call<'_>) -> Result<Resource, Error> {
    let resource = match call.asks {
        Asks::Open(wish) => handler.open(&call.url, wish, call)?,
        Asks::List => handler.list(&call.url, call)?,
        Asks::Facts => {
            let facts = handler.facts(&call.url, call)?;
            Resource::Document(Document::from_reader(call.url.to_owned(), io::empty(), facts))
        }
    };
    match (resource, call.options().max_size) {
        (Resource::Document(document), Some(max)) => document.limited(max).map(Resource::Document),
        (resource, _) => Ok(resource),
    }
}
