//! Calls that reach no network: what their servers send is in memory before they connect.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream, UdpSocket};

thread_local! {
    static PEER: RefCell<Option<Peer>> = const { RefCell::new(None) };
    /// Kept from call to call: to make them anew is a third of what a short call costs.
    static SOCKETS: Cell<Option<Sockets>> = const { Cell::new(None) };
}

struct Sockets {
    tcp: TcpListener,
    udp: UdpSocket,
}

impl Sockets {
    fn new() -> io::Result<Sockets> {
        let any = (Ipv4Addr::LOCALHOST, 0);
        Ok(Sockets { tcp: TcpListener::bind(any)?, udp: UdpSocket::bind(any)? })
    }
}

/// Every server that calls on a thread connect to.
struct Peer {
    sockets: Sockets,
    answers: VecDeque<Vec<u8>>,
    /// The servers' ends of connections: what a client sends is not refused while it is reading.
    connections: Vec<TcpStream>,
}

/// Makes a call, on this thread alone, that reaches no network. Every name resolves to 127.0.0.1. Each connection that is made, to
/// whatever address, is one within this process: on it arrives the next of the `answers` at once, then the end. Each datagram that
/// is sent is answered by the next of them, which gets its ARDP connection id, that is its octets 1 and 2. After the last answer
/// there are connections on which nothing arrives but the end, and no datagrams.
///
/// So everything runs that runs over a network: the route, the policy, the driver and its clock, and the sockets of the system.
///
/// # Panics
/// A call within a call, an answer of more than 64 KiB, or a system without loopback addresses.
pub fn offline<R>(answers: Vec<Vec<u8>>, call: impl FnOnce() -> R) -> R {
    /// Takes the peer away however the call ends.
    struct Guard;
    impl Drop for Guard {
        fn drop(&mut self) {
            if let Some(peer) = PEER.take() {
                SOCKETS.set(Some(peer.sockets));
            }
        }
    }
    assert!(
        answers.iter().all(|answer| answer.len() <= 64 * 1024),
        "the answer is too long for the buffers of a socket"
    );
    let peer = Peer {
        sockets: SOCKETS.take().unwrap_or_else(|| Sockets::new().expect("loopback can be listened on")),
        answers: answers.into(),
        connections: Vec::new(),
    };
    assert!(PEER.with(|none| none.replace(Some(peer))).is_none(), "a call within a call");
    let _guard = Guard;
    call()
}

/// Does something with the peer of this thread; `None` if calls on it reach a network.
fn with_peer<R>(act: impl FnOnce(&mut Peer) -> R) -> Option<R> {
    PEER.with(|peer| peer.borrow_mut().as_mut().map(act))
}

/// The address of every host; `None` if calls on this thread reach a network.
pub(crate) fn address(port: u16) -> Option<SocketAddr> {
    with_peer(|_| SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port))
}

/// A connection on which the next answer has arrived; `None` if calls on this thread reach a network.
pub(crate) fn connect() -> Option<io::Result<TcpStream>> {
    with_peer(|peer| {
        let client = TcpStream::connect(peer.sockets.tcp.local_addr()?)?;
        let (mut server, _) = peer.sockets.tcp.accept()?;
        server.write_all(&peer.answers.pop_front().unwrap_or_default())?;
        server.shutdown(Shutdown::Write)?;
        peer.connections.push(server);
        Ok(client)
    })
}

/// Where datagrams are sent to instead; `None` if calls on this thread reach a network.
#[cfg(feature = "prospero")]
pub(crate) fn datagrams() -> Option<SocketAddr> {
    with_peer(|peer| peer.sockets.udp.local_addr()).and_then(Result::ok)
}

/// Sends the next answer, as one to this datagram, to a socket with this address.
#[cfg(feature = "prospero")]
pub(crate) fn answer(datagram: &[u8], to: io::Result<SocketAddr>) {
    with_peer(|peer| {
        let Some(mut answer) = peer.answers.pop_front() else { return };
        if let (Some(place), Some(id)) = (answer.get_mut(1..3), datagram.get(1..3)) {
            place.copy_from_slice(id);
        }
        // Like a network, it may lose one.
        let _ = to.and_then(|to| peer.sockets.udp.send_to(&answer, (Ipv4Addr::LOCALHOST, to.port())));
    });
}
