//! Drives an [`Ardp`] over UDP: one request to a host and port, and its answer as octets in order.

use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use crate::net::deadlines::Clock;
use crate::net::endpoint::{Endpoint, not_connected};
use crate::net::shared::Shared;
use crate::net::tcp::resolve;
use crate::net::transcript::{Seen, Watch};
use crate::net::udp::Datagrams;
use crate::policy::{Place, Policy};
use crate::protocol::ardp::{Ardp, ArdpSettings, ArdpStep};
use std::collections::VecDeque;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU16;
use std::sync::Arc;
use std::time::{Duration, Instant};
use urlwise::Url;

/// The longest datagram that UDP can carry.
const LONGEST: usize = 64 * 1024;

/// One exchange with one server, or with those it redirects to. Withdraws the request if dropped early.
pub(crate) struct Exchange {
    request: Vec<u8>,
    settings: ArdpSettings,
    machine: Ardp,
    endpoint: Endpoint,
    datagrams: Datagrams,
    /// Addresses of the host that have not been tried.
    others: VecDeque<SocketAddr>,
    clock: Clock,
    /// When the machine's time began, and how much of the time since then is the reader's: its time stands still meanwhile.
    began: Instant,
    paused: Duration,
    /// When the reader was given something.
    given: Option<Instant>,
    shared: Arc<Shared>,
    watch: Watch,
    /// Whether the address that is asked has answered.
    has_heard: bool,
    buffer: Vec<u8>,
    /// The last data from the machine.
    data: Vec<u8>,
}

impl Exchange {
    /// Resolves the host and sends the request. The server has not answered yet.
    pub(crate) fn open(
        endpoint: Endpoint,
        request: Vec<u8>,
        settings: ArdpSettings,
        clock: Clock,
        shared: Arc<Shared>,
    ) -> Result<Exchange, Error> {
        let mut clock = clock;
        let machine = Ardp::new(request.clone(), random_id(), settings);
        machine.check()?;
        shared.admit_as_written(&endpoint, &clock)?;
        clock.connecting();
        let mut addresses = resolve(&endpoint, &mut clock)?;
        for address in &addresses {
            admit(address.ip(), &endpoint.host, &shared.policy)?;
            shared.admit(address.ip(), &endpoint, &clock)?;
        }
        // IPv4 first: no Prospero server has ever had an IPv6 address.
        addresses.sort_by_key(SocketAddr::is_ipv6);
        let mut others = VecDeque::from(addresses);
        let Some(address) = others.pop_front() else { return Err(not_connected(&endpoint, None)) };
        let datagrams = Datagrams::open(address).map_err(|error| not_connected(&endpoint, Some(error)))?;
        shared.peers.saw(&endpoint.host, Place::Address(address.ip()));
        clock.asked();
        Ok(Exchange {
            watch: Watch::of(shared.observer.clone(), &clock),
            request,
            settings,
            machine,
            endpoint,
            datagrams,
            others,
            clock,
            began: Instant::now(),
            paused: Duration::ZERO,
            given: None,
            shared,
            has_heard: false,
            buffer: vec![0; LONGEST],
            data: Vec::new(),
        })
    }

    /// The address that is asked.
    pub(crate) fn address(&self) -> SocketAddr {
        self.datagrams.peer()
    }

    /// How long the exchange took so far, pauses of the reader left out.
    pub(crate) fn elapsed(&self) -> Duration {
        let until = self.given.unwrap_or_else(Instant::now);
        until.saturating_duration_since(self.began).saturating_sub(self.paused)
    }

    /// The next octets of the answer, at least one; `None` after the last.
    pub(crate) fn data(&mut self) -> Result<Option<&[u8]>, Error> {
        if let Some(given) = self.given.take() {
            self.paused += given.elapsed();
        }
        loop {
            match self.machine.next(self.elapsed()) {
                ArdpStep::Send(datagram) => {
                    for command in datagram.commands() {
                        self.watch.see(self.endpoint.peer(), Seen::Sent(&command));
                    }
                    if let Err(error) = self.datagrams.send(datagram.octets()) {
                        self.unreachable(error)?;
                    }
                }
                ArdpStep::Wait { until } => self.receive(until)?,
                ArdpStep::Received(header) => {
                    self.watch.see(self.endpoint.peer(), Seen::Datagram(&header));
                }
                ArdpStep::Data(data) => {
                    self.data = data;
                    self.given = Some(Instant::now());
                    return Ok(Some(&self.data));
                }
                ArdpStep::Redirect { address, port } => self.redirect(address, port)?,
                ArdpStep::Done => return Ok(None),
                ArdpStep::Fail(fault) => return Err(Error::from(fault).prefixed(&self.endpoint)),
            }
        }
    }

    /// Waits for a datagram, but no longer than the machine or the deadlines allow.
    fn receive(&mut self, until: Duration) -> Result<(), Error> {
        let wait = self.clock.wait().map_err(|error| error.prefixed(&self.endpoint))?;
        let left = until.saturating_sub(self.elapsed());
        match self.datagrams.receive(&mut self.buffer, left.min(wait.at_most)) {
            Ok(Some(count)) => {
                let now = self.elapsed();
                if self.machine.receive(&self.buffer[..count], now) {
                    self.has_heard = true;
                    self.clock.heard(count, self.machine.granted());
                }
                Ok(())
            }
            // The machine repeats something, or the next wait says which deadline has passed.
            Ok(None) => Ok(()),
            Err(error) => self.unreachable(error),
        }
    }

    /// The system reports that the address cannot be reached, or that nothing listens there.
    fn unreachable(&mut self, error: io::Error) -> Result<(), Error> {
        if self.has_heard {
            // The server has answered before, so this is like a lost datagram.
            return Ok(());
        }
        let Some(next) = self.others.pop_front() else {
            return Err(not_connected(&self.endpoint, Some(error)));
        };
        self.ask(next)?;
        self.machine = Ardp::new(self.request.clone(), random_id(), self.settings);
        Ok(())
    }

    /// Asks another server, whose address comes from a server, so the policy judges it as a link.
    fn redirect(&mut self, address: Ipv4Addr, port: u16) -> Result<(), Error> {
        let url = Url::parse(format!("prospero://{address}:{port}/")).map_err(|refused| {
            Error::new(ErrorKind::Protocol, words!("the server redirects to an address that no URL can name"))
                .with_source(refused)
        })?;
        let admitted = (self.shared.admit_hop)(&url, &url);
        let host = address.to_string();
        let endpoint = Endpoint { host, ip: Some(address.into()), port, ..self.endpoint.clone() };
        self.clock = self.clock.clone().sent_from(Some(self.shared.peers.sending(&self.endpoint.host)));
        admitted
            .and_then(|()| admit(address.into(), &endpoint.host, &self.shared.policy))
            .and_then(|()| self.shared.admit(address.into(), &endpoint, &self.clock))
            .map_err(|error| error.prefixed(message!("{peer} redirects", peer = &self.endpoint)))?;
        self.endpoint = endpoint;
        self.shared.peers.saw(&self.endpoint.host, Place::Address(address.into()));
        self.others.clear();
        self.ask(SocketAddr::new(address.into(), port))
    }

    /// Switches to another address, of which nothing is known yet.
    fn ask(&mut self, address: SocketAddr) -> Result<(), Error> {
        self.datagrams = Datagrams::open(address).map_err(|error| not_connected(&self.endpoint, Some(error)))?;
        self.has_heard = false;
        self.clock.asked();
        Ok(())
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        if let Some(cancel) = self.machine.cancel() {
            // If it is lost, the server only does needless work.
            let _ = self.datagrams.send(cancel.octets());
        }
    }
}

/// Whether this is the address of one machine, and the policy admits it: a request to a group is answered many times over.
fn admit(ip: IpAddr, host: &str, policy: &Policy) -> Result<(), Error> {
    let is_group = ip.is_multicast() || ip.is_unspecified() || ip == IpAddr::V4(Ipv4Addr::BROADCAST);
    if is_group {
        let what = message!("{ip} is not a unicast address", ip = ip.to_string());
        return Err(Error::new(ErrorKind::Refused, what).with_reference("RFC 1738 section 3.11"));
    }
    Ok(policy.admit_address(ip, host)?)
}

/// An id that cannot be guessed without seeing our datagrams: the keys of a `RandomState` are random numbers from the system.
pub(crate) fn random_id() -> NonZeroU16 {
    loop {
        let octets = RandomState::new().hash_one(Instant::now()).to_ne_bytes();
        if let Some(id) = NonZeroU16::new(u16::from_ne_bytes([octets[0], octets[1]])) {
            return id;
        }
    }
}

#[cfg(test)]
mod tests;
