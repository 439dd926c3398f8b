//! Connections of this machine to itself, for tests.

use crate::net::endpoint::{Endpoint, Hop};
use crate::protocol::TlsMode;
use std::net::{SocketAddr, TcpListener, TcpStream};

/// A listener on a free port, and its address.
pub(crate) fn listener() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    (listener, address)
}

/// Both ends of a connection.
pub(crate) fn pair() -> (TcpStream, TcpStream) {
    let (listener, address) = listener();
    let tcp = TcpStream::connect(address).expect("it listens");
    (tcp, listener.accept().expect("it has connected").0)
}

/// An endpoint by name, for tests that give the address themselves.
pub(crate) fn endpoint() -> Endpoint {
    Endpoint::new(Hop { host: "localhost".to_owned(), ip: None, port: 1 }, TlsMode::None)
}
