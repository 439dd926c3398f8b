//! WAIS servers that mean harm, over sockets: what they announce, what they send in its place, and how long they take.

use crate::support::{client, client_with, failure};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};
use urlwise_open::ErrorKind;

/// The answer to INIT: accepted.
const INIT: &[u8] = b"0000000004z2wais        0\x00\x02\x15\x01";

/// Accepts, and answers the search by `answer`, which has the connection to itself.
fn server(answer: impl Fn(&mut TcpStream) -> std::io::Result<()> + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            // A client that has seen enough closes early.
            let _ = request(&mut stream)
                .and_then(|()| stream.write_all(INIT))
                .and_then(|()| request(&mut stream))
                .and_then(|()| answer(&mut stream));
        }
    });
    format!("wais://127.0.0.1:{port}/db?x")
}

fn request(stream: &mut TcpStream) -> std::io::Result<()> {
    let mut header = [0; 25];
    stream.read_exact(&mut header)?;
    let digits = std::str::from_utf8(&header[..10]).expect("clients write digits");
    stream.read_exact(&mut vec![0; digits.parse().expect("clients write digits")])
}

/// A search answer with this user information.
fn search(information: &[u8]) -> Vec<u8> {
    let head = [&[0, 11, 23][..], &[0; 10]].concat();
    let header = format!("{:010}z2wais        0", head.len() + information.len()).into_bytes();
    [header, head, information.to_vec()].concat()
}

/// Waits for the client to go.
fn linger(stream: &mut TcpStream) -> std::io::Result<()> {
    stream.read(&mut [0]).map(|_| ())
}

#[test]
fn security_49_what_a_server_announces_is_judged_before_it_is_waited_for() {
    for (answer, class) in [
        (b"9999999999z2wais        0".to_vec(), ErrorKind::Limit),
        (b"0000000042a2wais        0".to_vec(), ErrorKind::Protocol),
        (b"0000000042z2wais       h0".to_vec(), ErrorKind::Protocol),
        (b"99999999999999999999999999".to_vec(), ErrorKind::Protocol),
        (b"0000000000z2wais        0".to_vec(), ErrorKind::Server),
        // A container of more octets than there are, an integer that does not end, one of more than 32 bits.
        (search(&[99, 0x7f, 0x81, 0x16]), ErrorKind::Protocol),
        (search(&[0xff; 9]), ErrorKind::Protocol),
        (search(&[99, 0x9f, 0xff, 0xff, 0xff, 0x7f]), ErrorKind::Protocol),
        // A headline of more octets than its hit, a score of five octets.
        (search(b"\x63\x06\x81\x16\x03\x7b\x7fx"), ErrorKind::Protocol),
        (search(b"\x63\x0a\x81\x16\x07\x76\x05\x00\x00\x00\x00\x00"), ErrorKind::Protocol),
    ] {
        let told = String::from_utf8_lossy(&answer).into_owned();
        let url = server(move |stream| stream.write_all(&answer).and_then(|()| linger(stream)));
        let began = Instant::now();
        let error = failure(&client(), url);
        assert_eq!(error.kind(), class, "{told:?}: {error}");
        assert!(began.elapsed() < Duration::from_secs(5), "{told:?}");
    }
}

#[test]
fn security_48_an_answer_octet_by_octet_ends_with_the_time_for_all() {
    let url = server(|stream| {
        for octet in std::iter::repeat_n(b'0', 1000) {
            stream.write_all(&[octet])?;
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    });
    // A header of 25 octets would be there after twice that time.
    let client = client_with(|options| options.timeout = Some(Duration::from_millis(600)));
    assert_eq!(failure(&client, url).kind(), ErrorKind::Timeout);
}

#[test]
fn octets_behind_an_answer_are_not_read() {
    let url = server(|stream| {
        stream.write_all(&search(b"\x63\x00"))?;
        let noise = [0xff; 64 * 1024];
        loop {
            stream.write_all(&noise)?;
        }
    });
    let menu = client().list(&crate::support::url(url)).expect("the answer is whole");
    assert_eq!(menu.count(), 0);
}
