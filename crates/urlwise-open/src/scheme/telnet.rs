//! telnet and telnets: the machine of [`protocol::telnet`](crate::protocol::telnet) over a connection (RFC 1738 section 3.8).

use super::opener::{Call, Opener as Opens, Outcome};
use super::plan::Plan;
use crate::credentials::{Secret, ServerLogin};
use crate::error::kind::ErrorKind;
use crate::error::{Error, system_words};
use crate::language::{message, words};
use crate::net::driver::NOT_VERIFIED;
use crate::net::duplex::Duplex;
use crate::net::endpoint::Endpoint;
use crate::net::tcp::{Connection, Received};
use crate::net::transcript::{Seen, Watch};
use crate::probe::Probe;
use crate::protocol::Note;
use crate::protocol::telnet::TelnetMachine;
use crate::resource::Resource;
use crate::resource::session::Session;
use std::time::Duration;
use urlwise::Locator;

/// How long a probe listens.
const LISTENING: Duration = Duration::from_secs(1);

/// The server was reached, and that is all.
const SILENT: Note = Note::new("silent", "RFC 1738 section 3.8", words!("the server said nothing for a second"));

/// Opens telnet and telnets URLs.
pub(crate) struct TelnetOpener;

impl Opens for TelnetOpener {
    /// Connects and leaves the rest to the caller of the session.
    fn open(&self, call: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        let (machine, endpoint) = machine(call)?;
        let (shared, url) = (call.context.shared(), call.url());
        let mut watch = Watch::of(shared.observer.clone(), call.clock);
        let mut from = call.history();
        let connection = Connection::open(endpoint.clone(), call.clock.clone(), &shared)?;
        watch.see(endpoint.peer(), Seen::Connected);
        if connection.is_tls() {
            watch.see(endpoint.peer(), Seen::Secured);
            if !shared.tls.is_verified() {
                from.notes.push(NOT_VERIFIED);
            }
        }
        let login = url.user().map(|user| ServerLogin {
            password: url.password().map(|password| Secret::new(password.decode())),
            ..ServerLogin::of(user.decode())
        });
        let duplex = Duplex::new(connection).map_err(|error| {
            Error::new(
                ErrorKind::Connect,
                message!(
                    "cannot read from and write to {peer} at the same time: {cause}",
                    peer = &endpoint,
                    cause = system_words(&error)
                ),
            )
            .with_source(error)
        })?;
        let session = Session::new(machine, duplex, endpoint, call.clock.clone(), login, from, watch);
        Ok(Outcome::Here(Resource::Session(Box::new(session))))
    }

    fn list(&self, _: &Call<'_>) -> Result<Outcome<Resource>, Error> {
        Err(no_menu())
    }

    /// Connects, and listens for a second. A server that waits for the client to begin is there too.
    fn probe(&self, call: &Call<'_>) -> Result<Outcome<Probe>, Error> {
        let (_, endpoint) = machine(call)?;
        let clock = call.clock.clone().with_first_byte(LISTENING);
        let mut connection = Connection::open(endpoint.clone(), clock, &call.context.shared)?;
        Watch::new(call.context.shared.observer.clone()).see(endpoint.peer(), Seen::Connected);
        let mut octets = [0; 512];
        match connection.receive(&mut octets) {
            Ok(Received::Octets(_)) => Ok(Outcome::Here(Probe::alive())),
            Ok(Received::End(..)) => {
                let what = message!("{peer}: the server closed the connection without a word", peer = &endpoint);
                Err(Error::new(ErrorKind::Partial, what).with_reference("D-102"))
            }
            Err(error) if error.kind() == ErrorKind::Timeout => Ok(Outcome::Here(Probe::alive().noting(SILENT))),
            Err(error) => Err(error),
        }
    }

    fn plan(&self, call: &Call<'_>) -> Result<Outcome<Plan>, Error> {
        let (machine, endpoint) = machine(call)?;
        Plan::of_machine(machine, &endpoint, call.options().steps).map(Outcome::Here)
    }
}

/// The machine for a URL and the endpoint to connect it to. The machine does not get the login of the URL: section 3.8 says to
/// show it to the user, not to send it.
///
/// # Errors
/// The session would be unencrypted, and TLS is required.
fn machine(call: &Call<'_>) -> Result<(TelnetMachine, Endpoint), Error> {
    let Locator::Telnet(_) = call.url().locator() else { return Err(call.unfit()) };
    let is_tls = call.url().scheme().is_tls();
    if call.context.require_tls && !is_tls {
        let what = words!("a telnet session is sent without encryption, including passwords");
        return Err(Error::new(ErrorKind::Refused, what)
            .with_reference("RFC 1738 section 6, S-16")
            .with_help(words!("use telnets if the server supports it, or do not require TLS")));
    }
    Ok((TelnetMachine::new(call.context.telnet.clone()), Endpoint::of(call.url())?))
}

/// The error of listing a session.
pub(crate) fn no_menu() -> Error {
    Error::new(ErrorKind::NoAccess, words!("the URL names a session, which has no listing"))
        .with_reference("RFC 1738 section 3.8")
        .with_help(words!("open it in a terminal"))
}
