//! The client: its options, and the route that every URL takes.

mod options;
mod probe;
mod route;

pub use options::Options;

use crate::credentials::Wallet;
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::gateway::Gateways;
use crate::language::words;
use crate::net::deadlines::{Cancel, Clock, Deadlines};
use crate::net::shared::Shared;
use crate::net::tls::Tls;
use crate::policy::{Policy, Sender, UrlSource};
use crate::protocol::Metadata;
#[cfg(feature = "ftp")]
use crate::protocol::ftp;
#[cfg(feature = "news")]
use crate::protocol::nntp;
#[cfg(feature = "gopher")]
use crate::resource::form::FilledForm;
use crate::resource::{Menu, Resource};
use crate::scheme::context::Context;
use crate::scheme::mail_domains::MailDomains;
use crate::scheme::opener::{Call, Openers};
use crate::scheme::options::OpenOptions;
use crate::scheme::plan::Plan;
#[cfg(feature = "telnet")]
use crate::scheme::telnet;
use core::fmt;
use route::Stop;
use std::sync::Arc;
use std::time::Duration;
use urlwise::Url;

/// Opens URLs.
///
/// By default it sends no credentials but those of ftp URLs, uses no proxy, and uses TLS where the scheme says so. It never
/// sends cookies or a referrer, and opens nothing that its [`Policy`] refuses. Connections are kept for the next URL of the
/// same server. A client may be shared between threads.
pub struct Client {
    policy: Policy,
    gateways: Gateways,
    openers: Openers,
    max_redirects: u32,
    timeout: Option<Duration>,
    deadlines: Deadlines,
    cancel: Option<Cancel>,
    context: Arc<Context>,
}

impl Client {
    /// A client with these options. Nothing is read or opened yet.
    pub fn new(options: Options) -> Client {
        let Options {
            timeout,
            deadlines,
            cancel,
            max_size,
            max_redirects,
            max_entries,
            roots,
            insecure,
            require_tls,
            credentials,
            #[cfg(feature = "http")]
            proxies,
            #[cfg(feature = "http")]
            compressed,
            raw,
            special_files,
            observer,
            #[cfg(feature = "http")]
            user_agent,
            #[cfg(feature = "http")]
            fields,
            mut policy,
            gateways,
            openers,
            #[cfg(feature = "ftp")]
            mut ftp,
            #[cfg(feature = "gopher")]
            mut gopher,
            #[cfg(feature = "wais")]
            mut wais,
            #[cfg(feature = "wais")]
            wais_lynx_urls,
            #[cfg(feature = "telnet")]
            telnet,
            #[cfg(feature = "prospero")]
            prospero,
            #[cfg(feature = "prospero")]
            ardp,
            #[cfg(feature = "news")]
            mut news,
            name_servers,
        } = options;
        // The writers of requests and commands check octets again, so they must know what the policy allows.
        #[cfg(feature = "gopher")]
        (gopher.controls |= policy.allows("ctl-other"));
        #[cfg(feature = "ftp")]
        (ftp.controls |= policy.allows("ctl-other"));
        #[cfg(feature = "wais")]
        (wais.forwarding |= policy.allows("wais-forward"));
        #[cfg(feature = "ftp")]
        (ftp.raw |= raw);
        if special_files {
            // This rule refuses devices by name; nothing else that it refuses becomes a path.
            policy = policy.lifted("file-escape");
        }
        #[cfg(feature = "ftp")]
        if require_tls {
            ftp.explicit_tls = ftp::ExplicitTls::Required;
        }
        #[cfg(feature = "news")]
        if require_tls {
            news.protocol.start_tls = nntp::StartTls::Required;
        }
        let tls = if insecure { Tls::unverified() } else { Tls::new(roots) };
        let wallet = Arc::new(Wallet::new(credentials));
        let shared = Shared {
            admit_hop: route::hops(policy.clone()),
            policy: policy.clone(),
            tls: Arc::new(tls),
            wallet,
            observer,
            peers: Arc::default(),
        };
        let context = Context {
            shared: Arc::new(shared),
            max_size,
            max_entries,
            max_redirects,
            require_tls,
            #[cfg(feature = "http")]
            proxies,
            #[cfg(feature = "http")]
            compressed,
            raw,
            special_files,
            #[cfg(feature = "http")]
            user_agent,
            #[cfg(feature = "http")]
            fields,
            #[cfg(feature = "ftp")]
            ftp,
            #[cfg(feature = "gopher")]
            gopher,
            #[cfg(feature = "wais")]
            wais,
            #[cfg(feature = "wais")]
            wais_lynx_urls,
            #[cfg(feature = "telnet")]
            telnet,
            #[cfg(feature = "prospero")]
            prospero,
            #[cfg(feature = "prospero")]
            ardp,
            #[cfg(feature = "news")]
            news,
            mail_domains: name_servers.map(MailDomains::new),
            #[cfg(feature = "ftp")]
            sessions: Arc::default(),
            #[cfg(feature = "news")]
            readers: Arc::default(),
            #[cfg(feature = "http")]
            connections: Arc::default(),
        };
        Client { policy, gateways, openers, max_redirects, timeout, deadlines, cancel, context: Arc::new(context) }
    }

    /// Opens a URL that a person or a program gave.
    ///
    /// Redirects are followed as far as the policy allows. The resource is read as it is used: this call returns once the
    /// answer has begun.
    ///
    /// # Errors
    /// Every [`ErrorKind`] except `Write`.
    pub fn open<T: AsRef<str>>(&self, url: &Url<T>) -> Result<Resource, Error> {
        self.open_with(url, &OpenOptions::default())
    }

    /// Opens a URL that a person or a program gave, with options of this call.
    ///
    /// # Errors
    /// As [`open`](Client::open).
    pub fn open_with<T: AsRef<str>>(&self, url: &Url<T>, options: &OpenOptions) -> Result<Resource, Error> {
        self.open_at(Stop::asked(&url.borrow(), options), options)
    }

    /// Opens a URL that a server sent: a link of a [`Menu`].
    ///
    /// # Errors
    /// As [`open`](Client::open); the policy judges links more strictly.
    pub fn open_from<T: AsRef<str>>(&self, url: &Url<T>, provenance: UrlSource<'_>) -> Result<Resource, Error> {
        self.open_at(Stop::first(&url.borrow(), provenance), &OpenOptions::default())
    }

    fn open_at(&self, stop: Stop, options: &OpenOptions) -> Result<Resource, Error> {
        self.route(stop, options, &self.clock_of(options), |opener, call| {
            opener.open(call)?.and_then(|found| bounded(found, call))
        })
    }

    /// Opens a URL that names a menu: a directory, a gopher menu. A document is listed by itself, with its metadata.
    ///
    /// # Errors
    /// As [`open`](Client::open).
    pub fn list<T: AsRef<str>>(&self, url: &Url<T>) -> Result<Menu, Error> {
        self.list_with(url, &OpenOptions::default())
    }

    /// As [`list`](Client::list), with options of this call.
    ///
    /// # Errors
    /// As [`open`](Client::open).
    pub fn list_with<T: AsRef<str>>(&self, url: &Url<T>, options: &OpenOptions) -> Result<Menu, Error> {
        let stop = Stop::asked(&url.borrow(), options);
        let found = self.route(stop, options, &self.clock_of(options), |opener, call| {
            opener.list(call)?.and_then(|found| bounded(found, call))
        })?;
        match found {
            Resource::Menu(menu) => Ok(menu),
            Resource::Document(document) => Ok(document.listed()),
            #[cfg(feature = "telnet")]
            Resource::Session(_) => Err(telnet::no_menu()),
            #[cfg(feature = "gopher")]
            Resource::Attributes(attributes) => Ok(attributes.into_menu()),
            #[cfg(feature = "gopher")]
            Resource::Form(form) => Ok(form.listed()),
            Resource::Draft(draft) => {
                let what = words!("a mailto URL names the recipient of a mail, and has nothing to list");
                Err(Error::new(ErrorKind::NoAccess, what)
                    .with_help(words!("open it to get a draft"))
                    .at_url(draft.url()))
            }
        }
    }

    /// The metadata of a document, without transferring it: from HEAD in http, SIZE and MDTM in ftp, the file system for files.
    /// For documents of other schemes, menus and sessions it is empty.
    ///
    /// # Errors
    /// As [`open`](Client::open).
    pub fn metadata<T: AsRef<str>>(&self, url: &Url<T>) -> Result<Metadata, Error> {
        self.metadata_with(url, &OpenOptions::default())
    }

    /// As [`metadata`](Client::metadata), with options of this call.
    ///
    /// # Errors
    /// As [`open`](Client::open).
    pub fn metadata_with<T: AsRef<str>>(&self, url: &Url<T>, options: &OpenOptions) -> Result<Metadata, Error> {
        let stop = Stop::asked(&url.borrow(), options);
        self.route(stop, options, &self.clock_of(options), |opener, call| opener.metadata(call))
    }

    /// Sends the answers of a form. Its URL passes the policy like any other.
    ///
    /// Unlike opening other URLs, this changes something on the server, so no part of this crate sends a form twice.
    ///
    /// # Errors
    /// As [`open`](Client::open). They never contain a secret answer.
    #[cfg(feature = "gopher")]
    pub fn submit(&self, filled: &FilledForm) -> Result<Resource, Error> {
        self.submit_with(filled, &OpenOptions::default())
    }

    /// As [`submit`](Client::submit), with options of this call.
    ///
    /// # Errors
    /// As [`submit`](Client::submit).
    #[cfg(feature = "gopher")]
    pub fn submit_with(&self, filled: &FilledForm, options: &OpenOptions) -> Result<Resource, Error> {
        self.open_with(filled.url(), &options.clone().submitting(filled))
    }

    /// The dialogue that [`open`](Client::open) would have if every answer were good: a dry run. Nothing is resolved, connected
    /// to or opened.
    ///
    /// # Errors
    /// What would be refused before a connection is refused here too, unless that depends on the addresses of a name.
    pub fn plan<T: AsRef<str>>(&self, url: &Url<T>) -> Result<Plan, Error> {
        self.plan_with(url, &OpenOptions::default())
    }

    /// The dialogue that [`open_with`](Client::open_with) would have.
    ///
    /// # Errors
    /// As [`plan`](Client::plan).
    pub fn plan_with<T: AsRef<str>>(&self, url: &Url<T>, options: &OpenOptions) -> Result<Plan, Error> {
        let stop = Stop::asked(&url.borrow(), options);
        self.route(stop, options, &self.clock_of(options), |opener, call| {
            call.admit_as_written()?;
            opener.plan(call)
        })
    }

    /// The schemes that are opened through other URLs.
    pub fn gateways(&self) -> &Gateways {
        &self.gateways
    }

    /// What the dialogues of the client share, for tests of the loops below it.
    #[cfg(test)]
    pub(crate) fn shared(&self) -> Arc<Shared> {
        self.context.shared()
    }

    /// The clock of a call with options.
    fn clock_of(&self, options: &OpenOptions) -> Clock {
        let clock = self.clock().within(options.timeout.or(self.timeout));
        let clock = clock.sent_by(options.untrusted.then_some(Sender::Unknown));
        match &options.cancel {
            Some(cancel) => clock.cancelled_by(Some(cancel.clone())),
            None => clock,
        }
    }

    fn clock(&self) -> Clock {
        Clock::start(self.deadlines.clone()).within(self.timeout).cancelled_by(self.cancel.clone())
    }
}

/// The resource with the limit on its size, which resources from a program's own openers do not have yet.
fn bounded(found: Resource, call: &Call<'_>) -> Result<Resource, Error> {
    match (found, call.context.max_size) {
        (Resource::Document(document), Some(max)) => document.limited(max).map(Resource::Document),
        (found, _) => Ok(found),
    }
}

#[cfg(feature = "mail")]
mod mail {
    use super::Client;
    use crate::error::Error;
    use crate::scheme::mail::Letter;
    use crate::scheme::mail::send::{self, Delivery, Sent};
    use crate::scheme::plan::Plan;

    impl Client {
        /// Sends a letter, once. It is never retried automatically, because it may have arrived.
        ///
        /// The options bound TLS, addresses and waits as they do for URLs. The user comes from the server's setting,
        /// [`Credentials::login`](crate::Credentials::login) or netrc; without any of them the client does not log in.
        ///
        /// # Errors
        /// Every [`ErrorKind`](crate::ErrorKind) that a dialogue can end with.
        /// [`ErrorKind::Partial`](crate::ErrorKind::Partial): the letter was sent, and it is
        /// unknown whether it was accepted.
        pub fn send(&self, letter: &Letter, by: &Delivery) -> Result<Sent, Error> {
            send::send(&self.context, letter, by, self.clock())
        }

        /// The dialogue that [`send`](Client::send) would have if every answer were good. Nothing is connected to or run.
        ///
        /// # Errors
        /// What would be refused before a connection is refused here too.
        pub fn plan_sending(&self, letter: &Letter, by: &Delivery) -> Result<Plan, Error> {
            send::plan(&self.context, letter, by)
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("policy", &self.policy)
            .field("gateways", &self.gateways)
            .field("openers", &self.openers)
            .finish_non_exhaustive()
    }
}

#[cfg(all(test, feature = "http"))]
mod tests;
