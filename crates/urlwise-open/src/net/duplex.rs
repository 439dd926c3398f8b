//! A connection that is read and written at the same time: what the peer sends is read even while it does not read.
//!
//! Other dialogues wait for an answer after each request, on blocking sockets. Here either side may send at any time, so the
//! socket never blocks: what cannot be sent yet is queued.

use crate::error::system_words;
use crate::net::many::Interest;
use crate::net::many::event_loop::{self, Source};
use crate::net::stream::TcpStream;
use crate::net::tcp::{Connection, Received};
use crate::net::tls::ClientConnection;
use crate::protocol::End;
use std::io::{self, ErrorKind, Read, Write};
use std::net::Shutdown;
use std::time::Duration;

/// The connection, plain or with TLS.
pub(crate) struct Duplex {
    tcp: TcpStream,
    tls: Option<ClientConnection>,
    /// Octets to send; with TLS, not yet encrypted.
    unsent: Vec<u8>,
    /// The peer accepts nothing more. What it sent before can still be read.
    is_deaf: bool,
    /// How the connection broke, if a call other than a read found out: the system reports it only once.
    broken: Option<io::Error>,
    /// Where it is registered with an event loop.
    source: Option<Source>,
}

impl Duplex {
    pub(crate) fn new(connection: Connection) -> io::Result<Duplex> {
        let (tcp, tls) = connection.into_parts();
        tcp.set_nonblocking(true)?;
        // A Telnet server sends a data mark as urgent data; the system would remove one octet of it and leave the other as text.
        #[cfg(unix)]
        rustix::net::sockopt::set_socket_oobinline(&tcp, true)?;
        Ok(Duplex { tcp, tls, unsent: Vec::new(), is_deaf: false, broken: None, source: None })
    }

    pub(crate) fn is_tls(&self) -> bool {
        self.tls.is_some()
    }

    pub(crate) fn tcp(&self) -> &TcpStream {
        &self.tcp
    }

    /// Queues octets to send.
    pub(crate) fn send(&mut self, octets: &[u8]) {
        if !self.is_deaf {
            self.unsent.extend_from_slice(octets);
        }
    }

    /// Whether octets are waiting to be sent.
    pub(crate) fn has_unsent(&self) -> bool {
        !self.is_deaf && (!self.unsent.is_empty() || self.tls.as_ref().is_some_and(|tls| tls.wants_write()))
    }

    /// How many octets are waiting to be sent, before encryption.
    pub(crate) fn unsent(&self) -> usize {
        self.unsent.len()
    }

    /// Sends what can be sent without blocking. Returns whether anything was sent.
    pub(crate) fn flush(&mut self) -> bool {
        let mut has_sent = false;
        while self.has_unsent() {
            match self.write() {
                Ok(()) => has_sent = true,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                // The peer has gone. What it sent before can still be read.
                Err(error) => {
                    self.is_deaf = true;
                    self.unsent.clear();
                    // After an orderly close the peer is merely gone.
                    self.broken = Some(error).filter(|error| error.kind() != ErrorKind::BrokenPipe);
                }
            }
        }
        has_sent
    }

    fn write(&mut self) -> io::Result<()> {
        match &mut self.tls {
            None => {
                let count = self.tcp.write(&self.unsent)?;
                self.unsent.drain(..count);
            }
            Some(tls) => {
                // It accepts no more than its buffer holds.
                let count = tls.writer().write(&self.unsent)?;
                self.unsent.drain(..count);
                tls.write_tls(&mut self.tcp)?;
            }
        }
        Ok(())
    }

    /// Waits until there is something to read, or until `wait` has passed.
    pub(crate) fn wait(&mut self, at_most: Duration) -> io::Result<()> {
        const WAITED: [ErrorKind; 3] = [ErrorKind::WouldBlock, ErrorKind::TimedOut, ErrorKind::Interrupted];
        if !self.source.as_ref().is_some_and(Source::is_here) {
            self.source = Source::of(&self.tcp)?;
        }
        if let Some(source) = &self.source {
            event_loop::wait(&[(source, Interest::Read)], at_most);
            return Ok(());
        }
        self.tcp.set_nonblocking(false)?;
        self.tcp.set_read_timeout(Some(at_most))?;
        if let Err(error) = self.tcp.peek(&mut [0])
            && !WAITED.contains(&error.kind())
        {
            self.broken = Some(error);
        }
        self.tcp.set_nonblocking(true)
    }

    /// Reads what is available; `None` if nothing is. Nothing that has been decrypted is left behind if `room` holds 64 KiB.
    pub(crate) fn receive(&mut self, room: &mut [u8]) -> Option<Received> {
        loop {
            match self.read(room) {
                Ok(0) => return Some(self.end(None)),
                Ok(count) => return Some(Received::Octets(count)),
                Err(error) => match error.kind() {
                    ErrorKind::Interrupted => {}
                    ErrorKind::WouldBlock => {
                        self.source.iter().for_each(|source| source.is_dry(Interest::Read));
                        return None;
                    }
                    _ => return Some(self.end(Some(error))),
                },
            }
        }
    }

    /// How the peer has ended, after a read that found this error or none.
    fn end(&mut self, error: Option<io::Error>) -> Received {
        match self.broken.take().or(error) {
            None => Received::End(End::Closed, None),
            // rustls reports this when TCP ends without a close_notify.
            Some(error) if error.kind() == ErrorKind::UnexpectedEof => Received::End(End::Unauthenticated, None),
            Some(error) => Received::End(End::Broken, Some(system_words(&error))),
        }
    }

    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let Some(tls) = &mut self.tls else { return self.tcp.read(room) };
        let arrived = tls.read_tls(&mut self.tcp);
        if arrived.is_ok() {
            tls.process_new_packets().map_err(io::Error::other)?;
        }
        let mut count = 0;
        while count < room.len() {
            match tls.reader().read(&mut room[count..]) {
                Ok(0) => break,
                Ok(more) => count += more,
                Err(_) if count > 0 => break,
                // That nothing is left of what arrived says less than why no more did.
                Err(error) => return arrived.and(Err(error)),
            }
        }
        Ok(count)
    }

    /// Sends a `close_notify` with TLS, and closes.
    pub(crate) fn close(mut self) {
        if let Some(tls) = &mut self.tls {
            tls.send_close_notify();
            self.flush();
        }
        // The peer may already be gone.
        let _ = self.tcp.shutdown(Shutdown::Both);
    }
}

#[cfg(test)]
mod tests;
