//! Replaces TLS where the feature `tls` is off: there are no sessions, so nothing is ever encrypted, and asking for TLS fails.

use super::endpoint::Endpoint;
use super::roots::Roots;
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::language::{message, words};
use std::convert::Infallible;
use std::io::{self, Read, Write};
use std::net::IpAddr;
use std::sync::Arc;

/// Cannot begin a session.
pub(crate) struct Tls;

impl Tls {
    pub(crate) fn new(_: Roots) -> Tls {
        Tls
    }

    pub(crate) fn unverified() -> Tls {
        Tls
    }

    pub(crate) fn is_verified(&self) -> bool {
        true
    }

    pub(crate) fn apart(_: &Arc<Tls>) -> Tls {
        Tls
    }

    pub(crate) fn session(&self, _: &str, _: Option<IpAddr>, _: &'static [u8]) -> Result<ClientConnection, Error> {
        Err(Error::new(ErrorKind::Tls, words!("this program is built without TLS"))
            .with_help(words!("build urlwise-open with the feature `tls`")))
    }
}

/// A session, which cannot exist.
pub(crate) struct ClientConnection(Infallible);

impl ClientConnection {
    pub(crate) fn is_handshaking(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn complete_io<S>(&mut self, _: &mut S) -> io::Result<(usize, usize)> {
        match self.0 {}
    }

    pub(crate) fn send_close_notify(&mut self) {
        match self.0 {}
    }

    pub(crate) fn wants_write(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn writer(&mut self) -> io::Sink {
        match self.0 {}
    }

    pub(crate) fn write_tls<S>(&mut self, _: &mut S) -> io::Result<usize> {
        match self.0 {}
    }

    pub(crate) fn reader(&mut self) -> io::Empty {
        match self.0 {}
    }

    pub(crate) fn read_tls<S>(&mut self, _: &mut S) -> io::Result<usize> {
        match self.0 {}
    }

    pub(crate) fn process_new_packets(&mut self) -> io::Result<()> {
        match self.0 {}
    }
}

/// A connection with such a session.
pub(crate) struct StreamOwned<C, S> {
    pub(crate) conn: C,
    pub(crate) sock: S,
}

impl<S> StreamOwned<ClientConnection, S> {
    pub(crate) fn new(conn: ClientConnection, sock: S) -> Self {
        StreamOwned { conn, sock }
    }

    pub(crate) fn into_parts(self) -> (ClientConnection, S) {
        (self.conn, self.sock)
    }
}

impl<S> Read for StreamOwned<ClientConnection, S> {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        match self.conn.0 {}
    }
}

impl<S> Write for StreamOwned<ClientConnection, S> {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        match self.conn.0 {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.conn.0 {}
    }
}

/// The error of a handshake, which cannot happen here.
pub(crate) fn failed(peer: &Endpoint, error: io::Error) -> Error {
    Error::new(ErrorKind::Tls, message!("no TLS with {peer}", peer = peer)).with_source(error)
}
