//! The TCP connections of a build with the feature `testing`: of the system, or of a call that reaches no network.

use super::memory::{Memory, Pieces};
use std::io::{self, Read, Write};
use std::net::{self, Shutdown, SocketAddr};
use std::time::Duration;

/// Stands in for [`std::net::TcpStream`], with as much of it as [`net`](crate::net) uses.
pub(crate) enum TcpStream {
    System(net::TcpStream),
    /// Nothing of it is known to the system.
    Memory(Memory),
    /// In an event loop, which waits for what the system knows.
    Pieces(Pieces),
}

#[cfg_attr(not(feature = "telnet"), allow(dead_code, reason = "sessions use some of it alone"))]
impl TcpStream {
    pub(crate) fn connect_timeout(address: &SocketAddr, at_most: Duration) -> io::Result<TcpStream> {
        net::TcpStream::connect_timeout(address, at_most).map(TcpStream::System)
    }

    /// What the system knows; a connection in memory needs none of it, because it never waits.
    fn system(&self) -> Option<&net::TcpStream> {
        match self {
            TcpStream::System(tcp) => Some(tcp),
            TcpStream::Pieces(pieces) => Some(pieces.tcp()),
            TcpStream::Memory(_) => None,
        }
    }

    fn set(&self, option: impl FnOnce(&net::TcpStream) -> io::Result<()>) -> io::Result<()> {
        self.system().map_or(Ok(()), option)
    }

    pub(crate) fn peer_addr(&self) -> io::Result<SocketAddr> {
        match self {
            TcpStream::System(tcp) => tcp.peer_addr(),
            TcpStream::Memory(memory) => Ok(memory.peer()),
            TcpStream::Pieces(pieces) => Ok(pieces.peer()),
        }
    }

    pub(crate) fn set_nodelay(&self, is_set: bool) -> io::Result<()> {
        self.set(|tcp| tcp.set_nodelay(is_set))
    }

    pub(crate) fn set_nonblocking(&self, is_set: bool) -> io::Result<()> {
        self.set(|tcp| tcp.set_nonblocking(is_set))
    }

    pub(crate) fn set_read_timeout(&self, at_most: Option<Duration>) -> io::Result<()> {
        self.set(|tcp| tcp.set_read_timeout(at_most))
    }

    pub(crate) fn set_write_timeout(&self, at_most: Option<Duration>) -> io::Result<()> {
        self.set(|tcp| tcp.set_write_timeout(at_most))
    }

    pub(crate) fn peek(&self, room: &mut [u8]) -> io::Result<usize> {
        self.system().map_or(Ok(0), |tcp| tcp.peek(room))
    }

    pub(crate) fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.set(|tcp| tcp.shutdown(how))
    }
}

impl Read for TcpStream {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match self {
            TcpStream::System(tcp) => tcp.read(room),
            TcpStream::Memory(memory) => memory.read(room),
            TcpStream::Pieces(pieces) => pieces.read(room),
        }
    }
}

impl Write for TcpStream {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        match self {
            TcpStream::System(tcp) => tcp.write(octets),
            TcpStream::Memory(memory) => memory.write(octets),
            TcpStream::Pieces(pieces) => pieces.write(octets),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl From<net::TcpStream> for TcpStream {
    fn from(tcp: net::TcpStream) -> TcpStream {
        TcpStream::System(tcp)
    }
}

/// For the options that only the system's own calls set. Of a connection in memory it is the socket at which nobody connects.
#[cfg(unix)]
impl std::os::fd::AsFd for TcpStream {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        match self {
            TcpStream::System(tcp) => tcp.as_fd(),
            TcpStream::Memory(memory) => memory.stand_in(),
            TcpStream::Pieces(pieces) => pieces.tcp().as_fd(),
        }
    }
}
