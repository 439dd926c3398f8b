//! The client: one way from a URL to a resource, for every scheme.

pub(crate) mod plan;
pub(crate) mod wish;

use crate::client::plan::Plan;
use crate::client::wish::{Asks, Facts, Wish};
use crate::credentials::{Credentials, Login, Wallet};
use crate::error::Error;
use crate::error::class::Class;
use crate::gateway::{Gateways, THROUGH_GATEWAY};
use crate::net::deadline::{Cancel, Clock, Deadlines};
use crate::net::driver::Shared;
use crate::net::proxy::Proxies;
use crate::net::tls::{Roots, Tls};
use crate::net::transcript::Observe;
use crate::policy::{Origin, Policy};
use crate::protocol::ftp::ExplicitTls;
use crate::protocol::http::{Ask, Http};
use crate::protocol::nntp::StartTls;
use crate::protocol::{
    ardp, ftp as ftp_protocol, gopher as gopher_protocol, prospero as prospero_protocol, telnet as telnet_protocol,
    wais as wais_protocol,
};
use crate::resource::{Menu, Resource};
use crate::scheme::gopher::Filled;
use crate::scheme::handler::{self, Call, Handlers};
use crate::scheme::mailto::Draft;
use crate::scheme::nntp::News;
use crate::scheme::{file, ftp, gopher, http, nntp, prospero, telnet, wais};
use core::fmt;
use std::sync::Arc;
use urlwise::shown;
use urlwise::{Locator, Profile, Scheme, Url};

/// How URLs are opened. Take the [default](Options::default) and change what should differ.
///
/// ```
/// use urlwise_open::{Client, Options};
///
/// let mut options = Options::default();
/// options.max_size = Some(10_000_000);
/// options.max_redirects = 5;
/// let client = Client::new(options);
/// # let _ = client;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// How long to wait.
    pub deadlines: Deadlines,
    /// What ends every wait at once. `None`, the default: nothing does.
    pub cancel: Option<Cancel>,
    /// The longest document, in octets received; `None`, the default, is no limit.
    pub max_size: Option<u64>,
    /// The most redirects followed, 20 by default. 0 follows none.
    pub max_redirects: u32,
    /// The most entries of a directory, 1,000,000 by default: their names are sorted, so they are held in memory.
    pub max_entries: usize,
    /// Whose certificates are believed.
    pub roots: Roots,
    /// Believe every server to be whom it says, whatever its certificate; a note says so each time. For tests and emergencies.
    pub insecure: bool,
    /// Send no password without TLS: ftp begins with `AUTH TLS` and news with `STARTTLS`, or they end; http with a login is
    /// refused.
    pub require_tls: bool,
    /// Who logs in. By default only those whom ftp URLs name themselves.
    pub credentials: Credentials,
    /// The proxies of http and https URLs. None by default, whatever the environment says; see [`Proxies::from_env`].
    pub proxies: Proxies,
    /// Let http servers compress documents by gzip. A document that was compressed has no known size, and cannot be gone on
    /// from.
    pub compressed: bool,
    /// Read devices, pipes and sockets that file URLs name. Their octets may never end.
    pub special_files: bool,
    /// Who watches dialogues as they are held.
    pub observer: Option<Arc<dyn Observe>>,
    /// How the client calls itself to http servers: `urlwise/` and the version by default.
    pub user_agent: String,
    /// What is refused before anything is opened.
    pub policy: Policy,
    /// Which schemes are opened through other URLs, whoever else would open them. None by default.
    pub gateways: Gateways,
    /// Who opens the schemes that a program adds. Nobody by default.
    pub handlers: Handlers,
    /// How gopher is spoken.
    pub gopher: gopher_protocol::Settings,
    /// How WAIS is spoken.
    pub wais: wais_protocol::Settings,
    /// Write the URLs of hits as Lynx reads them, where that can be done: with the length of the document in them.
    pub wais_lynx_urls: bool,
    /// How Telnet is spoken, and what servers are told of the terminal.
    pub telnet: telnet_protocol::Settings,
    /// Ask gopher servers what they know of each entry of a menu that is [listed](Client::list): size, last change, abstract.
    /// Only Gopher+ has it; a server without gives its menu.
    pub details: bool,
    /// How Prospero is spoken; how often it is forwarded, [`max_redirects`](Options::max_redirects) says.
    pub prospero: prospero_protocol::Settings,
    /// How the datagrams below Prospero are exchanged. The limit of time is for all requests about one URL together.
    pub ardp: ardp::Settings,
    /// How ftp is spoken.
    pub ftp: ftp_protocol::Settings,
    /// How news is read.
    pub news: News,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            deadlines: Deadlines::default(),
            cancel: None,
            max_size: None,
            max_redirects: 20,
            max_entries: 1_000_000,
            roots: Roots::default(),
            insecure: false,
            require_tls: false,
            credentials: Credentials::default(),
            proxies: Proxies::default(),
            compressed: false,
            special_files: false,
            observer: None,
            user_agent: concat!("urlwise/", env!("CARGO_PKG_VERSION")).to_owned(),
            policy: Policy::default(),
            gateways: Gateways::default(),
            handlers: Handlers::default(),
            gopher: gopher_protocol::Settings::default(),
            prospero: prospero_protocol::Settings::default(),
            ardp: ardp::Settings::default(),
            ftp: ftp_protocol::Settings::default(),
            telnet: telnet_protocol::Settings::default(),
            wais: wais_protocol::Settings::default(),
            wais_lynx_urls: false,
            news: News::default(),
            details: false,
        }
    }
}

/// Opens URLs.
///
/// Unless its options say otherwise it sends no credentials but those of ftp URLs, uses no proxy, and asks for TLS where the
/// scheme says so. It never sends cookies or a referrer, and opens nothing that its [`Policy`] refuses. Connections are kept for
/// the next URL of the same server. It may be shared between threads.
pub struct Client {
    options: Options,
    shared: Arc<Shared>,
    sessions: Arc<ftp::Sessions>,
    connections: Arc<http::Connections>,
}

impl Client {
    /// A client. Nothing is read or opened yet.
    pub fn new(mut options: Options) -> Client {
        // The writers of requests and commands ask again, whatever was checked before; they must know what the policy lets pass.
        let controls = options.policy.allows("ctl-other");
        options.gopher.controls |= controls;
        options.ftp.controls |= controls;
        options.wais.forwarding |= options.policy.allows("wais-forward");
        if options.special_files {
            // It refuses devices by their names. What else it refuses, no path is made of.
            options.policy = options.policy.lifted("file-escape");
        }
        if options.require_tls {
            options.ftp.explicit_tls = ExplicitTls::Required;
            options.news.protocol.start_tls = StartTls::Required;
        }
        let tls = if options.insecure { Tls::unverified() } else { Tls::new(options.roots.clone()) };
        let shared = Shared {
            policy: options.policy.clone(),
            tls: Arc::new(tls),
            wallet: Arc::new(Wallet::new(options.credentials.clone())),
            observer: options.observer.clone(),
        };
        Client { options, shared: Arc::new(shared), sessions: Arc::default(), connections: Arc::default() }
    }

    /// Opens a URL that a person or a program gave.
    ///
    /// Redirects are followed as far as the policy allows. The resource is read as it is used: this call returns once the
    /// answer has begun.
    ///
    /// # Errors
    /// Every [`Class`] but those of writing.
    pub fn open<T: AsRef<str>>(&self, url: &Url<T>) -> Result<Resource, Error> {
        self.ask(url, Origin::Given, &Asks::Open(Wish::default()))
    }

    /// Opens a URL that came from somewhere: a link of a [`Menu`].
    ///
    /// # Errors
    /// As [`open`](Client::open); the policy judges links more strictly.
    pub fn open_from<T: AsRef<str>>(&self, url: &Url<T>, origin: Origin<'_>) -> Result<Resource, Error> {
        self.ask(url, origin, &Asks::Open(Wish::default()))
    }

    fn ask<T: AsRef<str>>(&self, url: &Url<T>, origin: Origin<'_>, asks: &Asks) -> Result<Resource, Error> {
        self.go(&url.borrow(), origin, asks, &self.clock(), 0)
    }

    /// Opens a URL: past the policy, through the gateway of its scheme if there is one. `depth` counts the URLs that led
    /// here, redirects of http aside.
    pub(crate) fn go(
        &self,
        url: &Url<&str>,
        origin: Origin<'_>,
        asks: &Asks,
        clock: &Clock,
        depth: u32,
    ) -> Result<Resource, Error> {
        let call = Call { client: self, url: *url, origin, asks, clock, depth };
        let (resource, gateway) = self.pass(&call, |call, login, routed| self.reach(call, login, routed))?;
        Ok(match gateway {
            Some(_) => resource.led(vec![url.to_owned()], vec![THROUGH_GATEWAY]),
            None => resource,
        })
    }

    /// The one way of every URL: past the policy, and through the gateway of its scheme if there is one, whose URL passes too. `there`
    /// is told who logs in, and whether its URL is that of a gateway; such a one comes back with what it gave.
    fn pass<R>(
        &self,
        call: &Call<'_>,
        there: impl FnOnce(&Call<'_>, Option<Login>, bool) -> Result<R, Error>,
    ) -> Result<(R, Option<Url<String>>), Error> {
        let Call { url, origin, .. } = *call;
        let pass = || {
            self.options.policy.admit(&url, origin)?;
            let Some(target) = self.options.gateways.lead(&url)? else {
                return Ok((there(call, self.login(&url, origin), false)?, None));
            };
            let gateway = target.borrow();
            let through = || {
                // What leads there is the URL, so it comes from where the URL came from.
                self.options.policy.admit(&gateway, origin)?;
                let login = self.wallet().login_at_gateway(&gateway);
                there(&Call { url: gateway, ..*call }, login, true)
            };
            let found = through().map_err(|error: Error| error.at(gateway.masked()).led_by(url.masked()))?;
            Ok((found, Some(target)))
        };
        pass().map_err(|error: Error| error.at(url.masked()))
    }

    /// Who logs in at a URL: what was given for it is not for those that an answer names.
    fn login(&self, url: &Url<&str>, origin: Origin<'_>) -> Option<Login> {
        matches!(origin, Origin::Given).then(|| self.wallet().login(url)).flatten()
    }

    /// Opens a URL that has been admitted, by its own scheme; `routed` says that it is the URL of a gateway.
    fn reach(&self, call: &Call<'_>, login: Option<Login>, routed: bool) -> Result<Resource, Error> {
        let Call { url, asks, clock, origin, .. } = call;
        if let Some(handler) = self.options.handlers.get(url) {
            return handler::open(handler, call);
        }
        if let Asks::Open(wish) = asks {
            admit_view(url, wish)?;
        }
        match url.locator() {
            Locator::File(_) => file::open(&self.options, url, asks, clock),
            Locator::Http(_) => http::open(self, url, asks, login, clock, routed),
            Locator::Gopher(gopher) => gopher::open(self, url, gopher, asks, clock),
            Locator::Ftp(ftp) => ftp::open(self, url, ftp, asks, login, clock),
            Locator::Wais(wais) => wais::open(self, url, wais, asks, clock),
            Locator::Prospero(prospero) => prospero::open(call, prospero),
            Locator::Mailto(mailto) => Draft::of(url, mailto).map(Resource::Draft),
            Locator::Telnet(telnet) => telnet::open(self, url, telnet, asks, clock),
            Locator::News(_) | Locator::Nntp(_) => {
                // What was given for a URL is not for where a gateway leads, nor for what an answer names.
                let is_given = matches!(origin, Origin::Given) && !routed;
                nntp::open(self, url, asks, is_given, clock)
            }
            _ => Err(no_access(url)),
        }
    }

    /// Opens a URL that a person or a program gave, with a wish.
    ///
    /// # Errors
    /// As [`open`](Client::open).
    pub fn open_with<T: AsRef<str>>(&self, url: &Url<T>, wish: &Wish) -> Result<Resource, Error> {
        self.ask(url, Origin::Given, &Asks::Open(wish.clone()))
    }

    /// What is known of a document without reading it: HEAD of http, SIZE and MDTM of ftp, the metadata of a file. Of other
    /// schemes, of menus and of sessions, nothing is.
    ///
    /// # Errors
    /// As [`open`](Client::open).
    pub fn facts<T: AsRef<str>>(&self, url: &Url<T>) -> Result<Facts, Error> {
        use Locator::{File, Ftp, Http};
        let Options { gateways, handlers, .. } = &self.options;
        let is_led_on = gateways.get(url.scheme_name()).is_some() || handlers.get(&url.borrow()).is_some();
        if !matches!(url.borrow().locator(), File(_) | Ftp(_) | Http(_)) && !is_led_on {
            return Ok(Facts::default());
        }
        Ok(match self.ask(url, Origin::Given, &Asks::Facts)? {
            Resource::Document(document) => document.facts().clone(),
            _ => Facts::default(),
        })
    }

    /// Opens a URL that names a menu: a directory, a gopher menu. A document is listed by itself, with what is known of it.
    ///
    /// # Errors
    /// As [`open`](Client::open).
    pub fn list<T: AsRef<str>>(&self, url: &Url<T>) -> Result<Menu, Error> {
        match self.ask(url, Origin::Given, &Asks::List)? {
            Resource::Menu(menu) => Ok(menu),
            Resource::Document(document) => Ok(document.listed()),
            Resource::Session(_) => Err(telnet::no_menu()),
            Resource::Attributes(attributes) => Ok(attributes.into_menu()),
            Resource::Form(form) => Ok(form.listed()),
            Resource::Draft(draft) => Err(Error::new(Class::NoAccess, "a mailto URL has no listing")
                .help("use `urlwise get` to compose a message")
                .at(draft.url().masked())),
        }
    }

    /// Sends the answers of a form. Its URL passes the policy like any other.
    ///
    /// Unlike other URLs it does something at the server: no part of this crate sends one twice.
    ///
    /// # Errors
    /// As [`open`](Client::open). No secret answer is in them.
    pub fn submit(&self, filled: &Filled) -> Result<Resource, Error> {
        let submit = || {
            self.options.policy.admit(filled.url(), Origin::Given)?;
            gopher::submit(self, filled, &self.clock())
        };
        submit().map_err(|error: Error| error.at(filled))
    }

    /// The dialogue that [`open`](Client::open) would hold if every answer were good: a dry run. Nothing is looked up,
    /// connected or opened.
    ///
    /// # Errors
    /// What would be refused before a connection is refused here too.
    pub fn plan<T: AsRef<str>>(&self, url: &Url<T>) -> Result<Plan, Error> {
        self.plan_with(url, &Wish::default())
    }

    /// The dialogue that [`open_with`](Client::open_with) would hold.
    ///
    /// # Errors
    /// As [`plan`](Client::plan).
    pub fn plan_with<T: AsRef<str>>(&self, url: &Url<T>, wish: &Wish) -> Result<Plan, Error> {
        self.foresee_all(&url.borrow(), Origin::Given, wish, &self.clock(), 0)
    }

    /// The dialogue of a URL, as [`go`](Client::go) opens it.
    pub(crate) fn foresee_all(
        &self,
        url: &Url<&str>,
        origin: Origin<'_>,
        wish: &Wish,
        clock: &Clock,
        depth: u32,
    ) -> Result<Plan, Error> {
        let asks = &Asks::Open(wish.clone());
        let call = Call { client: self, url: *url, origin, asks, clock, depth };
        let (plan, gateway) = self.pass(&call, |call, login, _| self.foresee(call, wish, login))?;
        Ok(match gateway {
            Some(gateway) => plan.through(&gateway.borrow()),
            None => plan,
        })
    }

    /// The dialogue of a URL that has been admitted, by its own scheme.
    fn foresee(&self, call: &Call<'_>, wish: &Wish, login: Option<Login>) -> Result<Plan, Error> {
        let url = &call.url;
        if let Some(handler) = self.options.handlers.get(url) {
            return handler.plan(url, call);
        }
        admit_view(url, wish)?;
        match url.locator() {
            Locator::File(_) => Plan::of_file(url),
            Locator::Http(http) => {
                let question = http::question(self, url, http, Ask::Document, login.as_ref())?;
                Plan::of_machine(Http::new(question.request), &question.endpoint)
            }
            Locator::Gopher(gopher) => gopher::plan(url, gopher, wish.view.as_ref(), &self.options),
            Locator::Wais(wais) => {
                let asks = Asks::Open(Wish::default());
                let (machine, endpoint) = wais::machine(wais, &asks, &self.options);
                Plan::of_machine(machine, &endpoint)
            }
            Locator::Ftp(ftp) => {
                let (machine, endpoint) = ftp::machine(url, ftp, login, &self.options);
                Plan::of_machine(machine, &endpoint)
            }
            Locator::Mailto(mailto) => Draft::of(url, mailto).map(|draft| draft.plan()),
            Locator::Telnet(telnet) => {
                let (machine, endpoint) = telnet::machine(url, telnet, &self.options)?;
                Plan::of_machine(machine, &endpoint)
            }
            Locator::News(_) | Locator::Nntp(_) => nntp::plan(self, url),
            Locator::Prospero(view) => {
                let (machine, endpoint) = prospero::machine(view, &Asks::Open(Wish::default()), &self.options)?;
                Plan::of_machine(machine, &endpoint)
            }
            _ => Err(no_access(url)),
        }
    }

    fn clock(&self) -> Clock {
        Clock::start(self.options.deadlines.clone()).cancelled_by(self.options.cancel.clone())
    }

    /// How this client opens URLs.
    pub fn options(&self) -> &Options {
        &self.options
    }

    pub(crate) fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.shared)
    }

    pub(crate) fn wallet(&self) -> &Wallet {
        &self.shared.wallet
    }

    pub(crate) fn connections(&self) -> &Arc<http::Connections> {
        &self.connections
    }

    pub(crate) fn sessions(&self) -> &Arc<ftp::Sessions> {
        &self.sessions
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("options", &self.options).finish_non_exhaustive()
    }
}

/// Whether a [`Client`] opens URLs of a scheme, siblings included. All others are refused with [`Class::NoAccess`].
///
/// ```
/// use urlwise::Scheme;
///
/// assert!(urlwise_open::opens(Scheme::Gophers));
/// assert!(!urlwise_open::opens(Scheme::Other));
/// ```
pub fn opens(scheme: Scheme) -> bool {
    scheme != Scheme::Other
}

/// Views are a notion of Gopher+; nothing is opened in spite of a wish that cannot be granted.
fn admit_view(url: &Url<&str>, wish: &Wish) -> Result<(), Error> {
    if wish.view.is_none() || url.scheme().base() == Scheme::Gopher {
        return Ok(());
    }
    let what = format!("{} URLs have no views", shown(url.scheme_name().as_bytes()));
    Err(Error::new(Class::Refused, what).ground("RFC 1738 section 3.4.8"))
}

/// The error for a scheme nothing here opens. It is never guessed to be another one (S-1).
fn no_access(url: &Url<&str>) -> Error {
    let name = shown(url.scheme_name().as_bytes());
    let error = Error::new(Class::NoAccess, format!("the scheme {name} is not supported"));
    match Scheme::from_name(url.scheme_name().as_bytes(), Profile::Current) {
        Scheme::Other => error
            .ground("RFC 1738 section 3")
            .help("check the spelling, write the scheme before a host, or configure a gateway for it"),
        _ => error.help("use the profile `current`, which defines it"),
    }
}
