//! Calls that reach no network: what their servers send is in memory before they connect.

use super::memory::{Memory, Pieces, Sent, Sockets, locked};
use super::stream::TcpStream;
use crate::net::endpoint::Hop;
use crate::net::many::event_loop;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

/// Where the header of a DNS message has its flags and counts (RFC 1035 section 4.1.1).
const FLAGS_AND_COUNTS: std::ops::Range<usize> = 2..12;

thread_local! {
    /// The servers of each call on this thread, by the job of the event loop that makes it; `None` outside of one.
    static PEERS: RefCell<Vec<(Option<usize>, Peer)>> = const { RefCell::new(Vec::new()) };
    /// Kept from call to call: to make them anew is a third of what a short call costs.
    static SOCKETS: Arc<Sockets> = Arc::new(Sockets::new().expect("loopback can be listened on"));
}

/// Every server of a call.
struct Peer {
    sockets: Arc<Sockets>,
    answers: VecDeque<Vec<u8>>,
    sent: Arc<Mutex<Vec<Sent>>>,
}

/// Makes a call that reaches no network. Every name resolves to 127.0.0.1. Each connection that is made, to whatever address, is one
/// within this process: on it arrives the next of the `answers`, then the end. Each datagram that is sent is answered by the next of
/// them: one to the port of DNS gets the id and the question of the query, others their ARDP connection id, that is their octets 1
/// and 2. After the last answer there are connections on which nothing arrives but the end, and no datagrams.
///
/// So everything runs that runs over a network: the route, the policy, the driver and its clock. Connections are in memory, where an
/// answer arrives at once, and datagrams go through sockets of the system. In a job of [`run_many`](crate::run_many), which waits for
/// what the system knows, connections do too, and an answer arrives in up to three pieces, the next one after the last was read.
/// Every job has its own servers.
///
/// Returns also what was sent over each connection, in the order in which they were made.
///
/// # Panics
/// A call within a call, an answer of more than 64 KiB, or a system without loopback addresses.
///
/// ```
/// use urlwise::Url;
/// use urlwise_open::testing::offline;
/// use urlwise_open::{Client, Options, Resource};
///
/// # #[cfg(feature = "finger")] {
/// let url = Url::parse_current("finger://h.example/joe")?;
/// let (read, sent) = offline(vec![b"Hello.\r\n".to_vec()], || match Client::new(Options::default()).open(&url) {
///     Ok(Resource::Document(mut document)) => document.write_to(&mut std::io::sink()).ok(),
///     _ => None,
/// });
/// assert_eq!((read, &sent[0].octets[..]), (Some(7), &b"joe\r\n"[..]));
/// # }
/// # Ok::<(), urlwise::ParseError>(())
/// ```
pub fn offline<R>(answers: Vec<Vec<u8>>, call: impl FnOnce() -> R) -> (R, Vec<Sent>) {
    /// Takes the servers away however the call ends.
    struct Guard(Option<usize>);
    impl Drop for Guard {
        fn drop(&mut self) {
            PEERS.with_borrow_mut(|peers| peers.retain(|(job, _)| *job != self.0));
        }
    }
    assert!(
        answers.iter().all(|answer| answer.len() <= 64 * 1024),
        "the answer is too long for the buffers of a socket"
    );
    let job = event_loop::running();
    assert!(with_peer(|_| ()).is_none(), "a call within a call");
    let sent = Arc::default();
    let peer = Peer { sockets: SOCKETS.with(Arc::clone), answers: answers.into(), sent: Arc::clone(&sent) };
    PEERS.with_borrow_mut(|peers| peers.push((job, peer)));
    let guard = Guard(job);
    let result = call();
    drop(guard);
    let sent = std::mem::take(&mut *locked(&sent));
    (result, sent)
}

/// Does something with the servers of this call; `None` if it reaches a network.
fn with_peer<R>(act: impl FnOnce(&mut Peer) -> R) -> Option<R> {
    PEERS.with_borrow_mut(|peers| {
        // Most threads make no such call.
        let running = if peers.is_empty() { return None } else { event_loop::running() };
        peers.iter_mut().find(|(job, _)| *job == running).map(|(_, peer)| act(peer))
    })
}

/// The address of every host; `None` if this call reaches a network.
pub(crate) fn address(port: u16) -> Option<SocketAddr> {
    with_peer(|_| SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port))
}

/// A connection on which the next answer arrives; `None` if this call reaches a network.
pub(crate) fn connect(hop: Hop) -> Option<io::Result<TcpStream>> {
    let in_event_loop = event_loop::running().is_some();
    with_peer(|peer| {
        let said = peer.answers.pop_front().unwrap_or_default();
        let address = SocketAddr::new(hop.ip.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)), hop.port);
        let memory = Memory::new(&peer.sockets, address, hop.host, said, &peer.sent);
        Ok(if in_event_loop { TcpStream::Pieces(Pieces::new(memory)?) } else { TcpStream::Memory(memory) })
    })
}

/// Where datagrams to this server are sent to instead; `None` if this call reaches a network.
pub(crate) fn datagrams(server: SocketAddr) -> Option<SocketAddr> {
    const DNS: u16 = 53;
    let address = with_peer(|peer| match server.port() {
        DNS => peer.sockets.names.local_addr(),
        _ => peer.sockets.ardp.local_addr(),
    });
    address.and_then(Result::ok)
}

/// Sends the next answer, as one to this datagram to a server, to a socket with this address.
pub(crate) fn answer(datagram: &[u8], server: SocketAddr, to: io::Result<SocketAddr>) {
    with_peer(|peer| {
        let Some(mut answer) = peer.answers.pop_front() else { return };
        let is_dns = peer.sockets.names.local_addr().is_ok_and(|names| names == server);
        if is_dns {
            answer_to_query(datagram, &mut answer);
        } else if let (Some(place), Some(id)) = (answer.get_mut(1..3), datagram.get(1..3)) {
            place.copy_from_slice(id);
        }
        let socket = if is_dns { &peer.sockets.names } else { &peer.sockets.ardp };
        // Like a network, it may lose one.
        let _ = to.and_then(|to| socket.send_to(&answer, (Ipv4Addr::LOCALHOST, to.port())));
    });
}

/// Puts the id and the question of a query in place of those of an answer that is long enough.
fn answer_to_query(query: &[u8], answer: &mut [u8]) {
    if let (Some(beginning), Some(flags)) = (answer.get_mut(..query.len()), query.get(FLAGS_AND_COUNTS)) {
        let mut flags = flags.to_vec();
        flags.copy_from_slice(&beginning[FLAGS_AND_COUNTS]);
        beginning.copy_from_slice(query);
        beginning[FLAGS_AND_COUNTS].copy_from_slice(&flags);
    }
}
