//! Drives a [`Dns`] over UDP, and over TCP if the answer is too long: one question to the user's name servers.
//!
//! Their addresses are settings, so no policy judges them.

use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::net::deadlines::Clock;
use crate::net::endpoint::{Endpoint, Hop, not_connected};
use crate::net::exchange::random_id;
use crate::net::name_servers::NameServers;
use crate::net::tcp::{Connection, Received};
use crate::net::udp::Datagrams;
use crate::protocol::TlsMode;
use crate::protocol::dns::{Dns, DnsAnswer, DnsQuestion, DnsStep};
use std::io;
use std::net::SocketAddr;
use std::time::Instant;

/// The longest message, in octets.
const LONGEST: usize = 64 << 10;

/// Asks the servers in turn until one of them knows. If none does, what the last one said.
pub(crate) fn ask(servers: &NameServers, question: &DnsQuestion, clock: &Clock) -> Result<DnsAnswer, Error> {
    let mut last = Ok(DnsAnswer::NoName);
    for server in servers.addresses() {
        last = ask_one(*server, question, clock.clone());
        match &last {
            Ok(DnsAnswer::Failed(_)) => {}
            Err(error) if error.kind() != ErrorKind::Cancelled => {}
            Ok(_) | Err(_) => break,
        }
    }
    last
}

/// Asks one server.
fn ask_one(server: SocketAddr, question: &DnsQuestion, mut clock: Clock) -> Result<DnsAnswer, Error> {
    let hop = Hop { host: server.ip().to_string(), ip: Some(server.ip()), port: server.port() };
    let endpoint = Endpoint::new(hop, TlsMode::None);
    let unreachable = |error: io::Error| not_connected(&endpoint, Some(error));
    let mut exchange = Dns::new(question.clone(), random_id().get());
    let mut datagrams = Datagrams::open(server).map_err(unreachable)?;
    let mut connection: Option<Connection> = None;
    let mut buffer = vec![0; LONGEST];
    let began = Instant::now();
    clock.asked();
    loop {
        match exchange.next(began.elapsed()) {
            DnsStep::Send(query) => datagrams.send(&query).map_err(unreachable)?,
            DnsStep::Wait { until } => {
                let wait = clock.wait().map_err(|error| error.prefixed(&endpoint))?;
                let left = until.saturating_sub(began.elapsed());
                // Without a datagram the machine repeats the query, or the next wait says which deadline has passed.
                let at_most = left.min(wait.at_most);
                if let Some(count) = datagrams.receive(&mut buffer, at_most).map_err(unreachable)? {
                    exchange.receive(&buffer[..count]);
                }
            }
            DnsStep::Connect(query) => {
                let mut opened = Connection::to_address(endpoint.clone(), server, clock.clone())?;
                opened.send(&query)?;
                connection = Some(opened);
            }
            DnsStep::Read => match connection.as_mut().map(|connection| connection.receive(&mut buffer)).transpose()? {
                Some(Received::Octets(count)) => exchange.read(&buffer[..count]),
                Some(Received::End(..)) | None => exchange.read(&[]),
            },
            DnsStep::Done(answer) => return Ok(answer),
            DnsStep::Fail(fault) => return Err(Error::from(fault).prefixed(&endpoint)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ask;
    use crate::error::kind::ErrorKind;
    use crate::net::deadlines::{Cancel, Clock, Deadlines};
    use crate::net::name_servers::NameServers;
    use crate::protocol::dns::{DnsQuestion, RecordKind};
    use std::net::UdpSocket;
    use std::time::Duration;

    /// Servers that never answer.
    fn silent() -> (UdpSocket, UdpSocket, NameServers) {
        let [first, second] = [(); 2].map(|()| {
            let socket = UdpSocket::bind("127.0.0.1:0").expect("a free port");
            socket.set_nonblocking(true).expect("a socket");
            socket
        });
        let address = |socket: &UdpSocket| socket.local_addr().expect("it is bound");
        let servers = NameServers::parse(&format!("{},{}", address(&first), address(&second))).expect("two addresses");
        (first, second, servers)
    }

    fn question() -> DnsQuestion {
        DnsQuestion::new("host.dom", RecordKind::Mx).expect("a name")
    }

    #[test]
    fn security_48_each_server_is_waited_for_until_the_deadline() {
        let (first, second, servers) = silent();
        let deadlines = Deadlines { first_byte: Duration::from_millis(20), ..Deadlines::default() };
        let error = ask(&servers, &question(), &Clock::start(deadlines)).expect_err("they are silent");
        assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
        let port = second.local_addr().expect("it is bound").port();
        assert_eq!(error.what().to_string(), format!("127.0.0.1 port {port}: timed out: no answer for 0.02 s"));
        assert!(first.recv(&mut [0; 99]).is_ok() && second.recv(&mut [0; 99]).is_ok());
    }

    #[test]
    fn security_50_a_call_that_is_stopped_asks_no_other_server() {
        let (_first, second, servers) = silent();
        let cancel = Cancel::new();
        cancel.request();
        let clock = Clock::start(Deadlines::default()).cancelled_by(Some(cancel));
        assert_eq!(ask(&servers, &question(), &clock).expect_err("it is stopped").kind(), ErrorKind::Cancelled);
        assert!(second.recv(&mut [0; 99]).is_err(), "it was asked");
    }
}
