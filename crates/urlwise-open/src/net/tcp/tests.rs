use super::{Arrival, Connection, PIECE, Received, Stream, addresses_of, look_up};
use crate::error::kind::ErrorKind;
use crate::net::deadlines::{Clock, Deadlines};
use crate::net::endpoint::Endpoint;
use crate::net::loopback::{endpoint, listener};
use crate::policy::Policy;
use crate::protocol::TlsMode;
use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::sync::mpsc;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(10);

fn connect(address: SocketAddr, deadlines: Deadlines) -> Connection {
    Connection::to_address(endpoint(), address, Clock::start(deadlines)).expect("somebody listens")
}

/// Both ends of a connection.
fn pair(deadlines: Deadlines) -> (Connection, TcpStream) {
    let (listener, address) = listener();
    let connection = connect(address, deadlines);
    (connection, listener.accept().expect("it has connected").0)
}

#[test]
fn an_answer_flows_when_more_than_a_piece_comes_at_a_time_after_the_first() {
    let (mut connection, mut server) = pair(Deadlines::default());
    let mut room = [0; 4 * PIECE];
    connection.send(b"x").expect("it is read");
    for (octets, answer) in [
        (2 * PIECE, Arrival::Piece),
        (PIECE - 1, Arrival::Piece),
        (PIECE, Arrival::Flowing),
        (PIECE, Arrival::Flowing),
        (PIECE - 1, Arrival::Piece),
    ] {
        server.write_all(&vec![0; octets]).expect("it is read");
        let received = connection.receive(&mut room).expect("it comes");
        assert!(matches!(received, Received::Octets(count) if count == octets), "{received:?}");
        assert_eq!(connection.answer, answer, "{octets}");
    }
    connection.send(b"x").expect("it is read");
    assert_eq!(connection.answer, Arrival::Awaited);
}

#[test]
fn a_connection_that_is_handed_on_has_the_deadlines_of_the_next_call() {
    let (mut connection, _server) = pair(Deadlines::default());
    connection.begin(Clock::start(Deadlines { idle: LONG, ..Deadlines::default() }));
    assert_eq!(connection.clock().idle(), LONG);
}

#[test]
fn a_data_connection_leads_to_the_same_address_at_its_port_and_without_a_proxy() {
    let (mut connection, _server) = pair(Deadlines::default());
    connection.endpoint.tls = TlsMode::Explicit;
    connection.endpoint.proxy = Some(connection.endpoint.hop());
    let (_data_listener, address) = listener();
    let mut data = connection.beside(address.port(), &Policy::default()).expect("somebody listens");
    assert_eq!(data.endpoint, Endpoint { port: address.port(), ..endpoint() });
    assert_eq!((data.peer, data.is_data), (Some(address), true));
    assert_eq!(data.clock().wait().expect("time is left").at_most, Deadlines::default().idle);
}

#[test]
#[cfg(unix)]
fn what_is_sent_leaves_at_once() {
    let (connection, _server) = pair(Deadlines::default());
    assert!(rustix::net::sockopt::tcp_nodelay(connection.tcp()).expect("a socket"));
}

/// The system of a server sends a second piece when the first is acknowledged.
#[test]
#[cfg(all(target_os = "linux", feature = "tcp"))]
fn a_server_that_writes_an_answer_in_pieces_does_not_wait_for_each() {
    const ROUNDS: usize = 20;
    /// Less than the system delays an acknowledgement.
    const DELAY: Duration = Duration::from_millis(35);
    let (mut connection, mut server) = pair(Deadlines::default());
    let writer = std::thread::spawn(move || {
        for _ in 0..ROUNDS {
            server.read_exact(&mut [0])?;
            server.write_all(b"a")?;
            server.write_all(b"b")?;
        }
        std::io::Result::Ok(())
    });
    let mut round = || {
        let begun = std::time::Instant::now();
        connection.send(b"x").expect("it is read");
        let mut missing = 2;
        while missing > 0 {
            let received = connection.receive(&mut [0; 2]).expect("it comes");
            let Received::Octets(count) = received else { panic!("{received:?}") };
            missing -= count;
        }
        begun.elapsed()
    };
    let rounds: Vec<Duration> = (0..ROUNDS).map(|_| round()).collect();
    writer.join().expect("it does not panic").expect("all of it is read");
    let delayed = rounds.iter().filter(|time| **time >= DELAY).count();
    assert!(delayed < ROUNDS / 2, "{rounds:?}");
}

#[test]
fn security_48_a_peer_that_does_not_read_is_left_at_the_deadline() {
    let first_byte = Duration::from_millis(50);
    let (mut connection, server) = pair(Deadlines { first_byte, ..Deadlines::default() });
    // If the deadline does not hold, this ends the test.
    let (is_over, over) = mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        let _ = over.recv_timeout(LONG);
        drop(server);
    });
    let error = connection.send(&vec![0; 32 << 20]).expect_err("sockets do not hold so much");
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    drop(is_over);
    watch.join().expect("it waits");
}

#[test]
fn the_addresses_of_a_host_are_given_once_each_and_in_time() {
    let localhost = IpAddr::V4(Ipv4Addr::LOCALHOST);
    assert_eq!(addresses_of("127.0.0.1", LONG).expect("it is one"), [localhost]);
    let found = addresses_of("localhost", LONG).expect("every machine has it");
    assert_eq!(found.iter().filter(|address| **address == localhost).count(), 1, "{found:?}");
    let error = addresses_of("localhost", Duration::ZERO).expect_err("there is no time");
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
}

#[test]
fn only_the_same_host_with_the_same_port_is_not_looked_up_again() {
    let look_up = |host: &str, port| look_up(host.to_owned(), port).expect("there is a thread");
    // As long as somebody waits for one it is known.
    let _known = look_up("127.0.0.1", 1);
    for (host, port) in [("127.0.0.1", 1), ("127.0.0.1", 2), ("127.0.0.2", 1), ("127.0.0.2", 2)] {
        let found = look_up(host, port).wait(LONG).expect("it is quick").expect("it is an address");
        assert_eq!(found, [SocketAddr::new(host.parse().expect("an address"), port)]);
    }
}

#[cfg(all(feature = "many", target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod in_an_event_loop {
    use super::{Deadlines, Received, Stream, connect, listener, pair};
    use std::io::{Read as _, Write as _};
    use std::time::Duration;

    /// Does this in a job.
    fn inside(work: impl Fn() + Sync) {
        crate::run_many(1, |jobs| jobs.push(()), |()| work()).expect("the system has room");
    }

    #[test]
    fn more_than_sockets_hold_is_sent() {
        const MUCH: usize = 16 << 20;
        let (listener, address) = listener();
        let server = std::thread::spawn(move || {
            let (mut tcp, _) = listener.accept().expect("somebody comes");
            let mut octets = vec![0; MUCH];
            tcp.read_exact(&mut octets).map(|()| octets)
        });
        inside(|| {
            let mut connection = connect(address, Deadlines::default());
            connection.send(&vec![7; MUCH]).expect("it is read");
        });
        let received = server.join().expect("it does not panic").expect("all of it comes");
        assert!(received.iter().all(|octet| *octet == 7));
    }

    #[test]
    fn what_is_known_of_a_socket_stays_known_from_call_to_call() {
        let (listener, address) = listener();
        inside(|| {
            let mut connection = connect(address, Deadlines::default());
            assert!(!connection.has_arrived());
            let (mut server, _) = listener.accept().expect("it has connected");
            server.write_all(b"0123456789").expect("it is read");
            assert!(matches!(connection.receive(&mut [0; 4]), Ok(Received::Octets(4))));
            assert!(connection.has_arrived(), "there is more");
            let Stream::Plain(socket) = &mut connection.stream else { panic!("it is plain") };
            socket.settle().expect("it is registered");
            assert!(connection.has_arrived(), "it is forgotten");
            assert!(matches!(connection.receive(&mut [0; 9]), Ok(Received::Octets(6))));
            assert!(!connection.has_arrived(), "all was read");
        });
        assert!(!pair(Deadlines::default()).0.has_arrived(), "outside nothing is known");
    }

    #[test]
    fn security_19_what_was_not_asked_for_is_seen_by_the_loop_and_where_it_has_not_looked_by_the_connection() {
        let (listener, address) = listener();
        for polls in [true, false] {
            let look = || {
                if polls {
                    crate::sleep(Duration::from_millis(20));
                }
            };
            inside(|| {
                let mut connection = connect(address, Deadlines::default());
                let (mut server, _) = listener.accept().expect("it has connected");
                for _ in 0..2 {
                    server.write_all(b"0123").expect("it is read");
                    assert!(matches!(connection.receive(&mut [0; 8]), Ok(Received::Octets(4))));
                    look();
                    assert!(connection.is_silent());
                }
                let (mut other, ended) = (connect(address, Deadlines::default()), listener.accept());
                drop(ended);
                std::thread::sleep(Duration::from_millis(20));
                look();
                assert!(!other.is_silent(), "it has ended");
                server.write_all(b"4").expect("it is connected");
                std::thread::sleep(Duration::from_millis(20));
                look();
                assert!(!connection.is_silent(), "something has arrived");
            });
        }
    }
}

#[cfg(feature = "tls")]
#[test]
fn closing_tells_a_server_with_tls_that_it_is_the_end() {
    use crate::net::tls::Tls;
    let (sender, read) = mpsc::channel();
    let server = crate::net::tls::peer::serving(move |mut peer| {
        let mut octets = Vec::new();
        let ended = peer.read_to_end(&mut octets).map_err(|error| error.kind());
        sender.send((octets, ended)).expect("the test waits");
    });
    let Some(address) = server else { return };
    let mut connection = connect(address, Deadlines::default()).secure(&Tls::unverified()).expect("it succeeds");
    connection.send(b"bye").expect("it is read");
    connection.close();
    assert_eq!(read.recv_timeout(LONG), Ok((b"bye".to_vec(), Ok(3))));
}
