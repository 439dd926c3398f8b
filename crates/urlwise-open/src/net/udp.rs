//! UDP: datagrams to one address, and from that address, from any port.

use crate::net::many::Interest;
use crate::net::many::event_loop::Source;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

/// The sockets of one exchange. Their port is the system's random choice.
///
/// A server may answer from a port other than the one the request went to, so the first socket is not connected. But only a
/// connected socket learns at once that the peer's port is closed. So on Unix a second socket, bound to the same local port, is
/// connected and sends; Windows reports closed ports to unconnected sockets too.
pub(crate) struct Datagrams {
    /// Receives from every port of the peer.
    socket: UdpSocket,
    /// Sends, and receives from the port that the requests go to.
    connected: Option<UdpSocket>,
    peer: SocketAddr,
    /// Both, where they are registered with an event loop.
    sources: Vec<Source>,
}

impl Datagrams {
    /// Opens the socket. Sends nothing yet.
    pub(crate) fn open(peer: SocketAddr) -> io::Result<Datagrams> {
        #[cfg(feature = "testing")]
        let peer = crate::testing::offline::datagrams(peer).unwrap_or(peer);
        let socket = UdpSocket::bind((any(peer), 0))?;
        let connected = connected(&socket, peer)?;
        Ok(Datagrams { socket, connected, peer, sources: Vec::new() })
    }

    /// The address that requests go to.
    pub(crate) fn peer(&self) -> SocketAddr {
        self.peer
    }

    pub(crate) fn send(&self, octets: &[u8]) -> io::Result<()> {
        match &self.connected {
            Some(socket) => socket.send(octets)?,
            None => self.socket.send_to(octets, self.peer)?,
        };
        #[cfg(feature = "testing")]
        crate::testing::offline::answer(octets, self.peer, self.socket.local_addr());
        Ok(())
    }

    /// The octets of the next datagram from the peer's address; `None` if none came in time.
    pub(crate) fn receive(&mut self, buffer: &mut [u8], at_most: Duration) -> io::Result<Option<usize>> {
        let began = Instant::now();
        let mut left = at_most;
        while !left.is_zero() {
            self.wait(left)?;
            let direct = self.connected.as_ref().map_or(Ok(None), |socket| come(socket.recv(buffer)))?;
            if direct.is_some() {
                return Ok(direct);
            }
            match come(self.socket.recv_from(buffer))? {
                Some((count, from)) if from.ip() == self.peer.ip() => return Ok(Some(count)),
                // From another address.
                Some(_) => {}
                None => self.sources.iter().for_each(|source| source.is_dry(Interest::Read)),
            }
            left = at_most.saturating_sub(began.elapsed());
        }
        Ok(None)
    }

    /// Waits until there is something to receive; neither socket blocks.
    #[cfg(all(unix, feature = "prospero"))]
    fn wait(&mut self, at_most: Duration) -> io::Result<()> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        if !self.sources.first().is_some_and(Source::is_here) {
            let sockets = [Some(&self.socket), self.connected.as_ref()].into_iter().flatten();
            self.sources = sockets.filter_map(|socket| Source::of(socket).transpose()).collect::<io::Result<_>>()?;
        }
        if !self.sources.is_empty() {
            let sources: Vec<_> = self.sources.iter().map(|source| (source, Interest::Read)).collect();
            crate::net::many::event_loop::wait(&sources, at_most);
            return Ok(());
        }
        let mut sockets: Vec<_> = [Some(&self.socket), self.connected.as_ref()]
            .into_iter()
            .flatten()
            .map(|socket| PollFd::new(socket, PollFlags::IN))
            .collect();
        let at_most = Timespec::try_from(at_most).map_err(io::Error::other)?;
        match poll(&mut sockets, Some(&at_most)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Sets how long the next receive waits.
    #[cfg(not(all(unix, feature = "prospero")))]
    fn wait(&mut self, at_most: Duration) -> io::Result<()> {
        self.socket.set_read_timeout(Some(at_most))
    }
}

/// A socket on the same local port as `socket`, connected to the peer. It receives the peer's datagrams, `socket` all others.
#[cfg(all(unix, feature = "prospero"))]
fn connected(socket: &UdpSocket, peer: SocketAddr) -> io::Result<Option<UdpSocket>> {
    use rustix::net::{AddressFamily, SocketType, sockopt};
    socket.set_nonblocking(true)?;
    let family = if peer.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let twin = rustix::net::socket(family, SocketType::DGRAM, None)?;
    rustix::io::fcntl_setfd(&twin, rustix::io::FdFlags::CLOEXEC)?;
    let share = |with_others| {
        sockopt::set_socket_reuseaddr(socket, with_others)?;
        sockopt::set_socket_reuseaddr(&twin, with_others)?;
        // Other systems also need SO_REUSEPORT.
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        {
            sockopt::set_socket_reuseport(socket, with_others)?;
            sockopt::set_socket_reuseport(&twin, with_others)?;
        }
        Ok::<(), io::Error>(())
    };
    share(true)?;
    let own = SocketAddr::new(any(peer), socket.local_addr()?.port());
    // A system that does not let two sockets share a port reports a closed port only by the timeout.
    let is_shared = rustix::net::bind(&twin, &own).is_ok();
    // No other program may share the port.
    share(false)?;
    let twin = UdpSocket::from(twin);
    if !is_shared {
        return Ok(None);
    }
    twin.connect(peer)?;
    twin.set_nonblocking(true)?;
    Ok(Some(twin))
}

#[cfg(not(all(unix, feature = "prospero")))]
fn connected(_: &UdpSocket, _: SocketAddr) -> io::Result<Option<UdpSocket>> {
    Ok(None)
}

/// The result of a receive; `None` if there was nothing to receive.
fn come<T>(received: io::Result<T>) -> io::Result<Option<T>> {
    match received {
        Ok(received) => Ok(Some(received)),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The unspecified address in the family of `peer`.
fn any(peer: SocketAddr) -> IpAddr {
    match peer {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::Datagrams;
    use std::net::UdpSocket;
    use std::time::Duration;

    #[test]
    #[cfg(all(feature = "many", target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
    fn in_an_event_loop_other_jobs_run_while_a_datagram_is_awaited() {
        let server = UdpSocket::bind("127.0.0.1:0").expect("a free port");
        server.set_nonblocking(true).expect("a socket");
        let address = server.local_addr().expect("it is bound");
        let work = |is_server: bool| {
            if is_server {
                let mut room = [0; 9];
                let (_, from) = std::iter::repeat_with(|| server.recv_from(&mut room))
                    .find_map(|received| {
                        if received.is_err() {
                            crate::sleep(Duration::from_millis(1));
                        }
                        received.ok()
                    })
                    .expect("it is asked");
                server.send_to(b"hi", from).expect("loopback is there");
            } else {
                let mut datagrams = Datagrams::open(address).expect("loopback is there");
                datagrams.send(b"ask").expect("loopback is there");
                let come = datagrams.receive(&mut [0; 9], Duration::from_secs(2)).expect("nothing fails");
                assert_eq!(come, Some(2), "nobody else has a turn");
            }
        };
        crate::run_many(2, |jobs| [false, true].into_iter().for_each(|job| jobs.push(job)), work)
            .expect("the system has room");
    }
}
