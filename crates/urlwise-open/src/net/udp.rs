//! UDP: datagrams to and from one address.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

/// The socket of one exchange. The system chooses its port at random.
///
/// It is connected at first: the system then reports at once if nothing listens there, and drops what others send. Servers that
/// answer from another port than the one asked are received only after [`hear_every_port`](Datagrams::hear_every_port).
pub(crate) struct Datagrams {
    socket: UdpSocket,
    peer: SocketAddr,
    /// The timeout that the system has, to save a call when it stays the same.
    timeout: Option<Duration>,
}

impl Datagrams {
    /// Opens the socket. Sends nothing yet.
    pub(crate) fn open(peer: SocketAddr) -> io::Result<Datagrams> {
        let socket = UdpSocket::bind((any(peer), 0))?;
        socket.connect(peer)?;
        Ok(Datagrams { socket, peer, timeout: None })
    }

    /// Receives from any port of the peer from now on, at the same local port unless another program takes it in between: the
    /// server knows the client by that port.
    pub(crate) fn hear_every_port(&mut self) -> io::Result<()> {
        let port = self.socket.local_addr()?.port();
        self.socket = UdpSocket::bind((any(self.peer), 0))?;
        if let Ok(same) = UdpSocket::bind((any(self.peer), port)) {
            self.socket = same;
        }
        self.timeout = None;
        Ok(())
    }

    pub(crate) fn send(&self, octets: &[u8]) -> io::Result<()> {
        match self.socket.peer_addr() {
            Ok(_) => self.socket.send(octets)?,
            Err(_) => self.socket.send_to(octets, self.peer)?,
        };
        Ok(())
    }

    /// The octets of the next datagram from the peer's address; `None` if none came in time.
    pub(crate) fn receive(&mut self, buffer: &mut [u8], at_most: Duration) -> io::Result<Option<usize>> {
        let began = Instant::now();
        let mut left = at_most;
        while !left.is_zero() {
            if self.timeout != Some(left) {
                self.socket.set_read_timeout(Some(left))?;
                self.timeout = Some(left);
            }
            match self.socket.recv_from(buffer) {
                Ok((count, from)) if from.ip() == self.peer.ip() => return Ok(Some(count)),
                // From another sender.
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => return Ok(None),
                Err(error) => return Err(error),
            }
            left = at_most.saturating_sub(began.elapsed());
        }
        Ok(None)
    }
}

/// The unspecified address in the family of `peer`.
fn any(peer: SocketAddr) -> IpAddr {
    match peer {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    }
}
