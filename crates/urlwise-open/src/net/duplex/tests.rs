use super::Duplex;
use crate::net::deadlines::{Clock, Deadlines};
use crate::net::loopback::{endpoint, listener};
use crate::net::tcp::{Connection, Received};
use crate::protocol::End;
use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

const LONG: Duration = Duration::from_secs(10);

fn connection(address: SocketAddr) -> Connection {
    let clock = Clock::start(Deadlines::default());
    Connection::to_address(endpoint(), address, clock).expect("somebody listens")
}

/// Both ends of a connection.
fn pair() -> (Duplex, TcpStream) {
    let (listener, address) = listener();
    let duplex = Duplex::new(connection(address)).expect("a socket");
    (duplex, listener.accept().expect("it has connected").0)
}

/// Closes so that the other end learns that the connection broke.
#[cfg(unix)]
fn reset(tcp: TcpStream) {
    rustix::net::sockopt::set_socket_linger(&tcp, Some(Duration::ZERO)).expect("a socket");
    drop(tcp);
}

/// The next octets, or the end.
fn next(duplex: &mut Duplex) -> Result<Vec<u8>, (End, Option<String>)> {
    let mut room = [0; 64];
    for _ in 0..10 {
        match duplex.receive(&mut room) {
            Some(Received::Octets(count)) => return Ok(room[..count].to_vec()),
            Some(Received::End(end, words)) => return Err((end, words)),
            None => duplex.wait(LONG / 10).expect("it can be waited for"),
        }
    }
    panic!("nothing has come");
}

#[test]
fn a_peer_that_has_closed_is_sent_nothing_and_what_it_sent_before_is_read() {
    let (mut duplex, mut peer) = pair();
    peer.write_all(b"bye").expect("somebody reads");
    drop(peer);
    duplex.send(b"one");
    assert!(duplex.flush(), "the system takes it");
    duplex.send(b"two");
    assert!(!duplex.flush(), "the peer does not");
    assert!(!duplex.has_unsent() && duplex.unsent() == 0);
    duplex.send(b"three");
    assert_eq!(duplex.unsent(), 0);
    assert_eq!([next(&mut duplex), next(&mut duplex)], [Ok(b"bye".to_vec()), Err((End::Closed, None))]);
}

#[test]
#[cfg(unix)]
fn a_connection_that_broke_says_how_wherever_that_is_noticed() {
    let broken = Err((End::Broken, Some("Connection reset by peer".to_owned())));
    let finders: [fn(&mut Duplex); 3] = [
        |_| {},
        |duplex| {
            duplex.send(b"x");
            assert!(!duplex.flush() && !duplex.has_unsent());
        },
        |duplex| duplex.wait(LONG).expect("it can be waited for"),
    ];
    for find in finders {
        let (mut duplex, peer) = pair();
        reset(peer);
        find(&mut duplex);
        assert_eq!(next(&mut duplex), broken);
    }
}

#[cfg(all(unix, feature = "tls"))]
mod over_tls {
    use super::{Duplex, LONG, connection, next, reset};
    use crate::net::tls::Tls;
    use crate::net::tls::peer::{Peer, serving};
    use crate::protocol::End;
    use std::io::{Read as _, Write as _};
    use std::sync::mpsc;

    /// A session with a server that has received one octet before it acts, and what that returned.
    fn duplex<R: Send + 'static>(act: fn(Peer) -> R) -> Option<(Duplex, mpsc::Receiver<R>)> {
        let (sender, acted) = mpsc::channel();
        let address = serving(move |mut peer| {
            peer.read_exact(&mut [0]).expect("it comes");
            sender.send(act(peer)).expect("the test waits");
        })?;
        let secured = connection(address).secure(&Tls::unverified()).expect("the handshake succeeds");
        let mut duplex = Duplex::new(secured).expect("a socket");
        duplex.send(b"x");
        assert!(duplex.is_tls() && duplex.flush() && !duplex.has_unsent());
        Some((duplex, acted))
    }

    #[test]
    fn what_the_server_writes_is_read_to_its_last_octet() {
        let writes = |mut peer: Peer| {
            peer.write_all(b"one ").and_then(|()| peer.write_all(b"two")).expect("somebody reads");
            peer
        };
        let Some((mut duplex, acted)) = duplex(writes) else { return };
        let _open = acted.recv_timeout(LONG).expect("it writes");
        let mut text = Vec::new();
        while text.len() < 7 {
            text.extend(next(&mut duplex).expect("it is open"));
        }
        assert_eq!(text, b"one two");
    }

    #[test]
    fn closing_tells_the_server_that_it_is_the_end() {
        let Some((duplex, read)) = duplex(|mut peer| peer.read(&mut [0]).map_err(|error| error.kind())) else { return };
        duplex.close();
        assert_eq!(read.recv_timeout(LONG), Ok(Ok(0)));
    }

    #[test]
    fn an_end_without_close_notify_proves_nothing() {
        let Some((mut duplex, acted)) = duplex(|peer| drop(peer.sock)) else { return };
        acted.recv_timeout(LONG).expect("it closes");
        assert_eq!(next(&mut duplex), Err((End::Unauthenticated, None)));
    }

    #[test]
    fn a_connection_that_broke_says_how_wherever_that_is_noticed() {
        let broken = Err((End::Broken, Some("Connection reset by peer".to_owned())));
        let finders: [fn(&mut Duplex); 2] = [|_| {}, |duplex| duplex.wait(LONG).expect("it can be waited for")];
        for find in finders {
            let Some((mut duplex, acted)) = duplex(|peer| reset(peer.sock)) else { return };
            acted.recv_timeout(LONG).expect("it closes");
            find(&mut duplex);
            assert_eq!(next(&mut duplex), broken);
        }
    }
}

#[test]
#[cfg(all(feature = "many", target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn in_an_event_loop_other_jobs_run_while_it_waits() {
    let (duplex, peer) = pair();
    let ends = [(Some(duplex), None), (None, Some(peer))];
    crate::run_many(
        2,
        |jobs| ends.into_iter().for_each(|end| jobs.push(end)),
        |(duplex, peer)| {
            if let Some(mut duplex) = duplex {
                duplex.wait(Duration::from_secs(2)).expect("it can be waited for");
                assert!(matches!(duplex.receive(&mut [0; 9]), Some(Received::Octets(2))), "nobody else has a turn");
            }
            if let Some(mut peer) = peer {
                peer.write_all(b"hi").expect("somebody reads");
            }
        },
    )
    .expect("the system has room");
}
