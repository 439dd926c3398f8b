//! telnet and telnets: the machine of [`protocol::telnet`](crate::protocol::telnet) over a connection (RFC 1738 section 3.8).

use crate::client::wish::Asks;
use crate::client::{Client, Options};
use crate::credentials::{Login, Secret};
use crate::error::class::Class;
use crate::error::{Error, words};
use crate::net::deadline::Clock;
use crate::net::driver::NOT_VERIFIED;
use crate::net::duplex::Duplex;
use crate::net::transcript::{Seen, Watch};
use crate::net::transport::{Connection, Endpoint};
use crate::protocol::telnet::Telnet;
use crate::resource::session::Session;
use crate::resource::{Provenance, Resource};
use urlwise::{Telnet as View, Url};

/// The machine for a URL and where to connect it. The login of the URL is not for the machine: section 3.8 wants it told, not sent.
///
/// # Errors
/// A session in the clear where TLS is required.
pub(crate) fn machine(url: &Url<&str>, telnet: View<'_>, options: &Options) -> Result<(Telnet, Endpoint), Error> {
    let is_tls = url.scheme().is_tls();
    if options.require_tls && !is_tls {
        let what = "a telnet session is sent without encryption, including passwords";
        return Err(Error::new(Class::Refused, what)
            .ground("RFC 1738 section 6, S-16")
            .help("use telnets if the server supports it, or do not require TLS"));
    }
    // TLS by custom: from the first octet, no application protocol asked for.
    let endpoint = Endpoint::new(telnet.login().hostport(), is_tls.then_some(b"".as_slice()));
    Ok((Telnet::new(options.telnet.clone()), endpoint))
}

/// The error of listing a session.
pub(crate) fn no_menu() -> Error {
    Error::new(Class::NoAccess, "the URL names a session, which has no listing")
        .ground("RFC 1738 section 3.8")
        .help("open it in a terminal")
}

/// Opens a telnet or telnets URL that has been admitted: connects, and leaves the rest to whoever holds the session.
pub(crate) fn open(
    client: &Client,
    url: &Url<&str>,
    telnet: View<'_>,
    asks: &Asks,
    clock: &Clock,
) -> Result<Resource, Error> {
    if !matches!(asks, Asks::Open(_)) {
        return Err(no_menu());
    }
    let (machine, endpoint) = machine(url, telnet, client.options())?;
    let shared = client.shared();
    let mut watch = Watch::new(shared.observer.clone());
    let mut from = Provenance::of(url.to_owned());
    let connection = Connection::open(endpoint.clone(), clock.clone(), &shared.policy, &shared.tls)?;
    watch.see(endpoint.peer(), Seen::Connected);
    if connection.is_tls() {
        watch.see(endpoint.peer(), Seen::Secured);
        if !shared.tls.is_verified() {
            from.notes.push(NOT_VERIFIED);
        }
    }
    let login = url.user().map(|user| Login {
        password: url.password().map(|password| Secret::new(password.decode())),
        ..Login::of(user.decode())
    });
    let duplex = Duplex::new(connection).map_err(|error| {
        Error::new(
            Class::Connect,
            format!("cannot read from and write to {endpoint} at the same time: {}", words(&error)),
        )
        .source(error)
    })?;
    let session = Session::new(machine, duplex, endpoint, clock.clone(), login, from, watch);
    Ok(Resource::Session(Box::new(session)))
}
