//! What all dialogues of a client share.

use crate::credentials::Wallet;
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::words;
use crate::net::deadlines::Clock;
use crate::net::endpoint::Endpoint;
use crate::net::peers::Peers;
use crate::net::tls::Tls;
use crate::net::transcript::Observe;
use crate::policy::{Place, Policy};
use std::net::IpAddr;
use std::sync::Arc;
use urlwise::Url;

/// Decides whether a server that another one names may be asked: gets the URL that stands for it, and the one whose answer
/// named it.
pub(crate) type AdmitHop = Arc<dyn Fn(&Url<String>, &Url<String>) -> Result<(), Error> + Send + Sync>;

/// Shared by all dialogues of a client.
#[derive(Clone)]
pub(crate) struct Shared {
    /// For addresses; URLs are admitted by the route.
    pub(crate) policy: Policy,
    pub(crate) admit_hop: AdmitHop,
    pub(crate) tls: Arc<Tls>,
    pub(crate) wallet: Arc<Wallet>,
    pub(crate) observer: Option<Arc<dyn Observe>>,
    pub(crate) peers: Arc<Peers>,
}

impl Shared {
    /// Whether a connection to an address of `endpoint` may be made. A proxy is the user's choice, so it may be local.
    pub(crate) fn admit(&self, ip: IpAddr, endpoint: &Endpoint, clock: &Clock) -> Result<(), Error> {
        self.policy.admit_address(ip, &endpoint.host)?;
        if endpoint.proxy.is_none() { self.admit_target(Place::Address(ip), endpoint, clock) } else { Ok(()) }
    }

    /// Whether the URL may lead to the host of `endpoint` as it is written: an address, or a name that always stands for local
    /// ones. It is asked before a name is looked up, and is all that can be asked behind a proxy.
    pub(crate) fn admit_as_written(&self, endpoint: &Endpoint, clock: &Clock) -> Result<(), Error> {
        endpoint.place().map_or(Ok(()), |place| self.admit_target(place, endpoint, clock))
    }

    /// Whether a URL of this call may use a connection to `host` that was kept.
    pub(crate) fn may_be_kept(&self, clock: &Clock, host: &str) -> bool {
        self.policy.admits_kept(self.peers.class(host), clock.sender(), clock.server())
    }

    /// Whether the URL may lead to this place, which depends on where it came from.
    fn admit_target(&self, place: Place, endpoint: &Endpoint, clock: &Clock) -> Result<(), Error> {
        if let Some(sender) = clock.sender() {
            self.policy.admit_from_others(place, &endpoint.host, sender)?;
        }
        if let Some(server) = clock.server() {
            self.policy.admit_from_server(place, &endpoint.host, server)?;
        }
        Ok(())
    }
}

/// The error of a machine that uses a connection before it has one.
pub(crate) fn unconnected() -> Error {
    Error::new(ErrorKind::Protocol, words!("there is no connection for the dialogue"))
}
