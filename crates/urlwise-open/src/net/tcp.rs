//! TCP: from a host and a port to a connection with deadlines.
//!
//! Every wait is bounded by the [`Clock`] of the call; sockets block, or wait in the [event loop](event_loop) where there is one. TLS is asked for by the scheme alone, from the
//! first octet; nothing falls back to plain text (S-17).

use crate::error::kind::ErrorKind;
use crate::error::{Error, system_words};
use crate::language::{message, words};
use crate::net::aside::{Aside, Known};
use crate::net::deadlines::{Clock, Deadlines, Wait};
use crate::net::endpoint::{Endpoint, Hop, not_connected};
use crate::net::many::Interest;
use crate::net::many::event_loop::{self, Source};
use crate::net::race::{self, Connected};
use crate::net::shared::Shared;
use crate::net::stream::TcpStream;
use crate::net::tls::{ClientConnection, StreamOwned, Tls};
use crate::policy::{Place, Policy};
use crate::protocol::{End, TlsMode};
use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use urlwise::escape_for_display;

/// How often a kept connection with TLS is read, some KiB each time, to see whether there is more than session tickets.
const MOST_READS: usize = 16;

/// The result of waiting for octets.
#[derive(Debug)]
pub(crate) enum Received {
    /// The number of octets received, at least one.
    Octets(usize),
    /// The peer has ended; for a broken connection, with the system's message.
    End(End, Option<String>),
}

/// A connection, plain or with TLS.
pub(crate) struct Connection {
    stream: Stream,
    endpoint: Endpoint,
    /// The address of the other end; `None` where the system did not say.
    peer: Option<SocketAddr>,
    /// A data connection, on which the server sends when it is ready: there is no greeting to wait for.
    is_data: bool,
    answer: Arrival,
    /// The receive buffer; it moves with the connection from one dialogue to the next, because clearing a new one costs more
    /// than a short answer.
    pub(crate) room: Vec<u8>,
}

/// What has arrived since something was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arrival {
    /// Nothing.
    Awaited,
    /// Octets that may be a piece of an answer, whose next piece waits for an acknowledgement.
    Piece,
    /// So many octets at a time that more of them are on their way.
    Flowing,
}

enum Stream {
    Plain(Box<Socket>),
    Tls(Box<StreamOwned<ClientConnection, Socket>>),
}

impl Connection {
    /// Resolves, connects and, if the endpoint says so, does the TLS handshake, all within the connect deadline.
    pub(crate) fn open(endpoint: Endpoint, mut clock: Clock, shared: &Shared) -> Result<Connection, Error> {
        shared.admit_as_written(&endpoint, &clock)?;
        clock.connecting();
        let addresses = resolve(&endpoint, &mut clock)?;
        for address in &addresses {
            shared.admit(address.ip(), &endpoint, &clock)?;
        }
        let connected = race::connect(&endpoint, &addresses, &mut clock)?;
        let peer = connected.tcp.peer_addr().ok();
        let place = match &endpoint.proxy {
            Some(_) => endpoint.place(),
            None => peer.map(|peer| Place::Address(peer.ip())),
        };
        if let Some(place) = place {
            shared.peers.saw(&endpoint.host, place);
        }
        send_without_delay(&connected.tcp);
        let connection = Connection::over(connected, peer, endpoint, clock);
        match connection.endpoint.tls {
            TlsMode::Implicit if connection.endpoint.proxy.is_none() => connection.handshake(&shared.tls),
            TlsMode::Implicit | TlsMode::Explicit | TlsMode::None => Ok(connection.connected()),
        }
    }

    /// A plain connection to an address that the user has chosen, which no policy judges.
    pub(crate) fn to_address(endpoint: Endpoint, address: SocketAddr, mut clock: Clock) -> Result<Connection, Error> {
        clock.connecting();
        let connected = race::connect_to(&endpoint, address, &mut clock)?;
        send_without_delay(&connected.tcp);
        Ok(Connection::over(connected, Some(address), endpoint, clock).connected())
    }

    /// Another connection to the same address at another port; the policy must admit it too.
    pub(crate) fn beside(&mut self, port: u16, policy: &Policy) -> Result<Connection, Error> {
        let mut clock = self.clock().clone();
        clock.connecting();
        let endpoint = Endpoint { port, tls: TlsMode::None, proxy: None, ..self.endpoint.clone() };
        let mut address = self.peer.ok_or_else(|| not_connected(&endpoint, None))?;
        address.set_port(port);
        policy.admit_address(address.ip(), &endpoint.host)?;
        let connected = race::connect_to(&endpoint, address, &mut clock)?;
        Ok(Connection { is_data: true, ..Connection::over(connected, Some(address), endpoint, clock) }.connected())
    }

    /// A control connection, before TLS.
    fn over(connected: Connected, peer: Option<SocketAddr>, endpoint: Endpoint, clock: Clock) -> Connection {
        let stream = Stream::Plain(Box::new(Socket::new(connected, clock)));
        Connection { stream, endpoint, peer, is_data: false, answer: Arrival::Awaited, room: Vec::new() }
    }

    /// Does the TLS handshake on a plain connection, with its own connect deadline. Does nothing if TLS has begun.
    pub(crate) fn secure(mut self, tls: &Tls) -> Result<Connection, Error> {
        self.clock().connecting();
        self.handshake(tls)
    }

    fn handshake(self, tls: &Tls) -> Result<Connection, Error> {
        let Connection { stream, endpoint, peer, is_data, answer, room } = self;
        let mut socket = match stream {
            Stream::Plain(socket) => socket,
            stream @ Stream::Tls(_) => return Ok(Connection { stream, endpoint, peer, is_data, answer, room }),
        };
        if is_data {
            // On which nothing else is sent.
            send_without_delay(&socket.tcp);
        }
        let mut session = tls.session(&endpoint.host, endpoint.ip, endpoint.alpn)?;
        while session.is_handshaking() {
            if let Err(error) = session.complete_io(&mut socket) {
                return Err(handshake_failed(&endpoint, error));
            }
        }
        let stream = Stream::Tls(Box::new(StreamOwned::new(session, *socket)));
        Ok(Connection { stream, endpoint, peer, is_data, answer, room }.connected())
    }

    fn connected(mut self) -> Connection {
        if self.is_data {
            self.clock().flowing();
        } else {
            self.clock().connected();
        }
        self
    }

    /// Whether the connection is encrypted.
    pub(crate) fn is_tls(&self) -> bool {
        matches!(self.stream, Stream::Tls(_))
    }

    /// Hands the connection to another call, with its deadlines.
    pub(crate) fn begin(&mut self, clock: Clock) {
        *self.clock() = clock;
        self.clock().connected();
    }

    /// Whether nothing has arrived since the last answer, not even the end: what has cannot be the answer to the next request
    /// (RFC 9112, section 6.3).
    pub(crate) fn is_silent(&mut self) -> bool {
        // Then the event loop asks for all its connections at once.
        event_loop::give_way();
        let looked = match &mut self.stream {
            Stream::Plain(socket) if socket.is_known_silent() => return true,
            Stream::Plain(socket) => socket.look(|tcp| tcp.peek(&mut [0]).map(drop)),
            Stream::Tls(tls) => {
                let StreamOwned { conn, sock } = &mut **tls;
                sock.look(|tcp| {
                    // Session tickets are no answer, as long as they end.
                    for _ in 0..MOST_READS {
                        conn.process_new_packets().map_err(io::Error::other)?;
                        if !would_block(&conn.reader().read(&mut [0])) || conn.read_tls(tcp)? == 0 {
                            break;
                        }
                    }
                    Ok(())
                })
            }
        };
        would_block(&looked)
    }

    /// Takes the connection apart, for reading and writing at the same time. Its clock is not used any more.
    pub(crate) fn into_parts(self) -> (TcpStream, Option<ClientConnection>) {
        match self.stream {
            Stream::Plain(socket) => (socket.tcp, None),
            Stream::Tls(tls) => {
                let (session, socket) = tls.into_parts();
                (socket.tcp, Some(session))
            }
        }
    }

    /// Sends a `close_notify` with TLS, and closes.
    pub(crate) fn close(mut self) {
        if let Stream::Tls(tls) = &mut self.stream {
            tls.conn.send_close_notify();
            // The peer may be gone, and has sent all it had to send.
            let _ = tls.flush();
        }
    }

    /// Writes all the octets; from then on the deadline of the first octet runs.
    pub(crate) fn send(&mut self, octets: &[u8]) -> Result<(), Error> {
        self.write(octets, Clock::asked)
    }

    /// As [`send`](Connection::send), where the octets ask for more of an answer that has begun.
    pub(crate) fn send_for_more(&mut self, octets: &[u8]) -> Result<(), Error> {
        self.write(octets, Clock::asked_for_more)
    }

    fn write(&mut self, octets: &[u8], asked: fn(&mut Clock)) -> Result<(), Error> {
        event_loop::give_way();
        let sent = match &mut self.stream {
            Stream::Plain(socket) => socket.write_all(octets).and_then(|()| socket.flush()),
            Stream::Tls(tls) => tls.write_all(octets).and_then(|()| tls.flush()),
        };
        asked(self.clock());
        self.answer = Arrival::Awaited;
        sent.map_err(|error| {
            self.name(passed(error).unwrap_or_else(|error| {
                Error::new(
                    ErrorKind::Server,
                    message!("the connection broke during the request: {cause}", cause = system_words(&error)),
                )
                .with_source(error)
            }))
        })
    }

    /// Waits for octets and reads them into `buffer`.
    pub(crate) fn receive(&mut self, buffer: &mut [u8]) -> Result<Received, Error> {
        if self.answer == Arrival::Piece && !self.has_arrived() {
            acknowledge_at_once(self.tcp());
        }
        let result = match &mut self.stream {
            Stream::Plain(socket) => socket.read(buffer),
            Stream::Tls(tls) => tls.read(buffer),
        };
        match result {
            Ok(0) => Ok(Received::End(End::Closed, None)),
            Ok(octets) => {
                self.clock().arrived(octets);
                self.answer = match self.answer {
                    Arrival::Awaited => Arrival::Piece,
                    Arrival::Piece | Arrival::Flowing if octets < PIECE => Arrival::Piece,
                    Arrival::Piece | Arrival::Flowing => Arrival::Flowing,
                };
                Ok(Received::Octets(octets))
            }
            // rustls reports this when TCP ends without a close_notify.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(Received::End(End::Unauthenticated, None)),
            Err(error) => match passed(error) {
                Ok(deadline) => Err(self.name(deadline)),
                Err(error) => Ok(Received::End(End::Broken, Some(system_words(&error)))),
            },
        }
    }

    fn clock(&mut self) -> &mut Clock {
        match &mut self.stream {
            Stream::Plain(socket) => &mut socket.clock,
            Stream::Tls(tls) => &mut tls.sock.clock,
        }
    }

    fn socket(&self) -> &Socket {
        match &self.stream {
            Stream::Plain(socket) => socket,
            Stream::Tls(tls) => &tls.sock,
        }
    }

    fn tcp(&self) -> &TcpStream {
        &self.socket().tcp
    }

    /// Whether more, or the end, is known to be there.
    fn has_arrived(&self) -> bool {
        match &self.socket().waits {
            Waits::Registered(source) => source.is_ready(Interest::Read),
            Waits::Blocking(..) => false,
        }
    }

    fn name(&self, error: Error) -> Error {
        error.prefixed(&self.endpoint)
    }
}

/// A request is one write, so there is nothing to gather.
fn send_without_delay(tcp: &TcpStream) {
    // A failure costs at most some latency.
    let _ = tcp.set_nodelay(true);
}

/// Fewer octets than this, less than a segment, may be a piece of an answer. So may be the first ones, however many.
const PIECE: usize = 1024;

/// Has the system acknowledge what has arrived, without delay: a server that writes an answer in pieces waits for that with each,
/// some 40 ms by default. Most answers arrive whole, so it is called only where more of one is waited for.
#[cfg(all(target_os = "linux", feature = "tcp"))]
fn acknowledge_at_once(tcp: &TcpStream) {
    // A failure costs some latency at most.
    let _ = rustix::net::sockopt::set_tcp_quickack(tcp, true);
}

#[cfg(not(all(target_os = "linux", feature = "tcp")))]
fn acknowledge_at_once(_: &TcpStream) {}

/// A TCP connection whose reads and writes end by the clock.
struct Socket {
    tcp: TcpStream,
    clock: Clock,
    waits: Waits,
}

/// How a socket waits.
enum Waits {
    /// It blocks. The read and write timeouts that the kernel has, to save a system call when they stay the same.
    Blocking(Option<Duration>, Option<Duration>),
    /// It does not block, and is registered with an event loop.
    Registered(Source),
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.settle()?;
        loop {
            let wait = self.clock.wait()?;
            match &mut self.waits {
                Waits::Blocking(set, _) if *set != Some(wait.at_most) => {
                    self.tcp.set_read_timeout(Some(wait.at_most))?;
                    *set = Some(wait.at_most);
                }
                Waits::Blocking(..) => {}
                Waits::Registered(source) => {
                    if !event_loop::wait(&[(source, Interest::Read)], wait.at_most) {
                        self.clock.ran_out(wait)?;
                        continue;
                    }
                }
            }
            match self.tcp.read(buffer) {
                Err(error) => self.retry(error, wait, Interest::Read)?,
                Ok(count) => {
                    if let Waits::Registered(source) = &self.waits {
                        source.has_read(count, buffer.len());
                    }
                    return Ok(count);
                }
            }
        }
    }
}

impl Write for Socket {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.settle()?;
        loop {
            let wait = self.clock.wait()?;
            if let Waits::Blocking(_, set) = &mut self.waits
                && *set != Some(wait.at_most)
            {
                self.tcp.set_write_timeout(Some(wait.at_most))?;
                *set = Some(wait.at_most);
            }
            match self.tcp.write(octets) {
                Err(error) => self.retry(error, wait, Interest::Write)?,
                done => return done,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Socket {
    fn new(Connected { tcp, source }: Connected, clock: Clock) -> Socket {
        let waits = source.map_or(Waits::Blocking(None, None), Waits::Registered);
        Socket { tcp, clock, waits }
    }

    /// Blocks, or not, as the code that uses it now must wait: a kept connection may come from elsewhere.
    fn settle(&mut self) -> io::Result<()> {
        match &self.waits {
            Waits::Registered(source) if source.is_here() => return Ok(()),
            Waits::Registered(_) => self.tcp.set_nonblocking(false)?,
            Waits::Blocking(..) => {}
        }
        match Source::of(&self.tcp)? {
            Some(source) => {
                self.tcp.set_nonblocking(true)?;
                self.waits = Waits::Registered(source);
            }
            None if matches!(self.waits, Waits::Registered(_)) => self.waits = Waits::Blocking(None, None),
            None => {}
        }
        Ok(())
    }

    /// Whether the event loop knows that nothing has arrived.
    fn is_known_silent(&self) -> bool {
        matches!(&self.waits, Waits::Registered(source) if source.is_silent())
    }

    /// Looks for what has arrived, without waiting.
    fn look(&mut self, look: impl FnOnce(&mut TcpStream) -> io::Result<()>) -> io::Result<()> {
        self.settle()?;
        match &self.waits {
            Waits::Registered(source) => {
                let looked = look(&mut self.tcp);
                // Then the answer is waited for at once.
                if would_block(&looked) {
                    source.is_dry(Interest::Read);
                }
                looked
            }
            Waits::Blocking(..) => {
                self.tcp.set_nonblocking(true)?;
                let looked = look(&mut self.tcp);
                self.tcp.set_nonblocking(false)?;
                looked
            }
        }
    }

    /// `Ok` if the call is to be repeated.
    fn retry(&mut self, error: io::Error, wait: Wait, interest: Interest) -> io::Result<()> {
        match (error.kind(), &self.waits) {
            (io::ErrorKind::Interrupted, _) => Ok(()),
            (io::ErrorKind::WouldBlock, Waits::Registered(source)) => {
                source.is_dry(interest);
                if event_loop::wait(&[(source, interest)], wait.at_most) {
                    return Ok(());
                }
                Ok(self.clock.ran_out(wait)?)
            }
            (io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut, _) => Ok(self.clock.ran_out(wait)?),
            _ => Err(error),
        }
    }
}

fn would_block<T>(result: &io::Result<T>) -> bool {
    result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
}

/// The [`Error`] of a deadline inside an [`io::Error`]; any other error is returned as it is.
fn passed(error: io::Error) -> Result<Error, io::Error> {
    error.downcast::<Error>()
}

/// The addresses of the host, looked up within the connect deadline; never empty.
pub(crate) fn resolve(endpoint: &Endpoint, clock: &mut Clock) -> Result<Vec<SocketAddr>, Error> {
    let Hop { host, ip, port } = endpoint.hop();
    if let Some(ip) = ip {
        return Ok(vec![SocketAddr::new(ip, port)]);
    }
    #[cfg(feature = "testing")]
    if let Some(address) = crate::testing::offline::address(port) {
        return Ok(vec![address]);
    }
    let lookup = look_up(host, port).map_err(|error| unresolved(endpoint).with_source(error))?;
    clock.resolving();
    let found = loop {
        let wait = clock.wait()?;
        match lookup.wait(wait.at_most) {
            Some(found) => break found,
            None => clock.ran_out(wait).map_err(|error| error.prefixed(endpoint))?,
        }
    };
    clock.resolved();
    match found {
        Ok(addresses) if !addresses.is_empty() => Ok(addresses),
        Ok(_) => Err(unresolved(endpoint)),
        Err(error) => Err(unresolved(endpoint).with_source(error)),
    }
}

/// The addresses of a host by the system's resolver, for programs that connect by themselves and have to know first where: they
/// pass each to [`Policy::admit_address`](crate::policy::Policy::admit_address), or all to a
/// [`Guard`](urlwise_readings::guard::Guard). `host` is a name, or an address without brackets. Never empty, in the order in
/// which the system prefers them.
///
/// # Errors
/// [`ErrorKind::Resolve`] if there are none, [`ErrorKind::Timeout`] if they are not known within that time.
///
/// ```
/// use std::time::Duration;
///
/// let addresses = urlwise_open::addresses_of("127.0.0.1", Duration::from_secs(10))?;
/// assert_eq!(addresses, ["127.0.0.1".parse::<std::net::IpAddr>()?]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn addresses_of(host: &str, within: Duration) -> Result<Vec<IpAddr>, Error> {
    let hop = Hop { host: host.to_owned(), ip: host.parse().ok(), port: 0 };
    let mut clock = Clock::start(Deadlines { connect: within, ..Deadlines::default() });
    let mut addresses: Vec<IpAddr> = Vec::new();
    for found in resolve(&Endpoint::new(hop, TlsMode::None), &mut clock)? {
        if !addresses.contains(&found.ip()) {
            addresses.push(found.ip());
        }
    }
    Ok(addresses)
}

/// The addresses of a host with a port, or the system's error.
type Addresses = Result<Vec<SocketAddr>, Arc<io::Error>>;

/// The lookups under way, by host and port.
type Lookups = Vec<((String, u16), Known<Addresses>)>;

/// Looks up a host. One that is being looked up is not asked for again: with many calls at a time, a server that is slow to resolve
/// has one thread.
fn look_up(host: String, port: u16) -> io::Result<Aside<Addresses>> {
    static LOOKUPS: Mutex<Lookups> = Mutex::new(Vec::new());
    let mut lookups = LOOKUPS.lock().unwrap_or_else(PoisonError::into_inner);
    lookups.retain(|(_, known)| known.get().is_some());
    let known = lookups.iter().find(|((its_host, its_port), _)| *its_host == host && *its_port == port);
    if let Some(lookup) = known.and_then(|(_, known)| known.get()) {
        return Ok(lookup);
    }
    let asked = host.clone();
    // The system's resolver takes no deadline.
    let lookup = Aside::start(move || (asked.as_str(), port).to_socket_addrs().map(Vec::from_iter).map_err(Arc::new))?;
    lookups.push(((host, port), lookup.known()));
    Ok(lookup)
}

/// The system's own error is the source.
fn unresolved(endpoint: &Endpoint) -> Error {
    let host = endpoint.hop().host;
    Error::new(
        ErrorKind::Resolve,
        message!("cannot resolve host `{host}`", host = escape_for_display(host.as_bytes()).to_string()),
    )
    .with_reference("RFC 1738 section 3.1")
    .with_help(words!("check the spelling of the host and your network connection"))
}

fn handshake_failed(endpoint: &Endpoint, error: io::Error) -> Error {
    match passed(error) {
        Ok(deadline) => deadline.prefixed(endpoint),
        Err(error) => crate::net::tls::failed(endpoint, error),
    }
}

#[cfg(test)]
mod tests;
