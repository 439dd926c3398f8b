//! Connections within the process: what arrives on them is there before they are made.

use std::io::{self, Read, Write};
use std::net::{self, Ipv4Addr, Shutdown, SocketAddr, TcpListener, UdpSocket};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// In how many pieces an answer arrives over loopback.
const PIECES: usize = 3;

/// What servers have of the system.
pub(super) struct Sockets {
    tcp: TcpListener,
    pub(super) ardp: UdpSocket,
    pub(super) names: UdpSocket,
}

impl Sockets {
    pub(super) fn new() -> io::Result<Sockets> {
        let any = (Ipv4Addr::LOCALHOST, 0);
        Ok(Sockets { tcp: TcpListener::bind(any)?, ardp: UdpSocket::bind(any)?, names: UdpSocket::bind(any)? })
    }
}

/// What was sent over one connection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sent {
    /// The host that was connected to, maybe a proxy; without brackets.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The octets; maybe none.
    pub octets: Vec<u8>,
}

/// What was sent over each connection so far.
pub(super) fn locked(sent: &Mutex<Vec<Sent>>) -> MutexGuard<'_, Vec<Sent>> {
    sent.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A connection that no system knows: all its octets are there when it is made.
pub(crate) struct Memory {
    sockets: Arc<Sockets>,
    address: SocketAddr,
    said: Vec<u8>,
    read: usize,
    sent: Arc<Mutex<Vec<Sent>>>,
    /// Its place there.
    number: usize,
}

impl Memory {
    /// The next connection of a call, on which this arrives.
    pub(super) fn new(
        sockets: &Arc<Sockets>,
        address: SocketAddr,
        host: String,
        said: Vec<u8>,
        sent: &Arc<Mutex<Vec<Sent>>>,
    ) -> Memory {
        let mut all = locked(sent);
        let number = all.len();
        all.push(Sent { host, port: address.port(), octets: Vec::new() });
        Memory { sockets: Arc::clone(sockets), address, said, read: 0, sent: Arc::clone(sent), number }
    }

    /// The address that was connected to.
    pub(crate) fn peer(&self) -> SocketAddr {
        self.address
    }

    /// A socket for what needs one.
    #[cfg(unix)]
    pub(crate) fn stand_in(&self) -> std::os::fd::BorrowedFd<'_> {
        std::os::fd::AsFd::as_fd(&self.sockets.tcp)
    }
}

impl Read for Memory {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = (&self.said[self.read..]).read(room)?;
        self.read += count;
        Ok(count)
    }
}

impl Write for Memory {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        // A kept connection may outlive the call that made it, whose record is then gone.
        if let Some(sent) = locked(&self.sent).get_mut(self.number) {
            sent.octets.extend_from_slice(octets);
        }
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A connection over loopback, on which the octets of one in memory arrive in pieces.
pub(crate) struct Pieces {
    memory: Memory,
    tcp: net::TcpStream,
    /// What a client sends is not refused while it is open.
    server: net::TcpStream,
}

impl Pieces {
    pub(super) fn new(memory: Memory) -> io::Result<Pieces> {
        let tcp = net::TcpStream::connect(memory.sockets.tcp.local_addr()?)?;
        let (server, _) = memory.sockets.tcp.accept()?;
        let mut pieces = Pieces { memory, tcp, server };
        pieces.arrive()?;
        Ok(pieces)
    }

    pub(crate) fn peer(&self) -> SocketAddr {
        self.memory.address
    }

    pub(crate) fn tcp(&self) -> &net::TcpStream {
        &self.tcp
    }

    /// Has the next piece arrive, or the end.
    fn arrive(&mut self) -> io::Result<()> {
        let Memory { said, read, .. } = &mut self.memory;
        let piece = &said[*read..said.len().min(*read + said.len() / PIECES + 1)];
        *read += piece.len();
        if piece.is_empty() { self.server.shutdown(Shutdown::Write) } else { self.server.write_all(piece) }
    }
}

impl Read for Pieces {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.tcp.read(room)?;
        if count > 0 {
            self.arrive()?;
        }
        Ok(count)
    }
}

impl Write for Pieces {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let count = self.tcp.write(octets)?;
        self.memory.write(&octets[..count])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
