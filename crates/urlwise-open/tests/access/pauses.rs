//! A reader of an answer may pause as long as it likes: deadlines count only the time in which the peer is waited for (S-48).

use crate::support::{Authority, Listener, Prospero, TlsFront, document, options, require};
use std::io::Write as _;
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;
use urlwise_open::{Client, ErrorKind, MinRate, Options, Roots};

/// Long enough that what is there arrives within it, on a machine that has other things to do.
const LIMIT: Duration = Duration::from_millis(800);

/// Every deadline but the one for connecting is this short.
fn hasty() -> Options {
    let mut options = options();
    (options.deadlines.first_byte, options.deadlines.idle) = (LIMIT, LIMIT);
    options.deadlines.min_rate = Some(MinRate::new(100, LIMIT));
    // Programs have one, and then waits are cut into short ones.
    options.cancel = Some(urlwise_open::Cancel::new());
    options
}

/// How long the reader pauses, too long for every deadline.
const PAUSE: Duration = Duration::from_millis(1200);

/// A piece for each pause of the reader: it is there when they read on.
fn slowly(mut stream: TcpStream) {
    for piece in ["one\r\n", "two\r\n", ".\r\n"] {
        // A reader that has failed closes early.
        let _ = stream.write_all(piece.as_bytes());
        sleep(PAUSE);
    }
}

/// Reads with a pause after each piece.
fn read_with_pauses(options: Options, url: &str) -> Vec<u8> {
    let mut document = document(&Client::new(options), url);
    let mut text = Vec::new();
    loop {
        sleep(PAUSE);
        let octets = document.fill().expect("nobody was silent").to_vec();
        if octets.is_empty() {
            return text;
        }
        document.consume_octets(octets.len());
        text.extend(octets);
    }
}

#[test]
fn security_48_over_tcp_a_pause_of_the_reader_is_not_the_silence_of_the_peer() {
    let server = Listener::line(slowly);
    assert_eq!(read_with_pauses(hasty(), &server.gopher_url("/0x")), b"one\ntwo\n");
}

#[test]
fn security_48_over_tls_a_pause_of_the_reader_is_not_the_silence_of_the_peer() {
    if !require(&["openssl", "socat"]) {
        return;
    }
    let authority = Authority::new();
    let server = Listener::line(slowly);
    let front = TlsFront::start(&authority, server.port);
    let mut options = hasty();
    options.roots = Roots::Pem(authority.ca());
    assert_eq!(read_with_pauses(options, &format!("gophers://127.0.0.1:{}/0x", front.port)), b"one\ntwo\n");
}

#[test]
fn security_48_over_udp_a_pause_of_the_reader_is_not_the_silence_of_the_peer() {
    let server = Prospero::telling_pieces(|request| {
        let asked = String::from_utf8_lossy(request);
        match asked.contains("CONTENTS ASCII") {
            false => vec![b"ATTRIBUTE OBJECT FIELD ACCESS-METHOD PROSPERO-CONTENTS '' '' '' ''\n".to_vec()],
            true => [&b"ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA 'one"[..], b"\n", b"two", b"\n'\n"]
                .map(<[u8]>::to_vec)
                .into(),
        }
    });
    let mut options = hasty();
    options.ardp.limits.total = LIMIT;
    assert_eq!(read_with_pauses(options, &format!("prospero://127.0.0.1:{}/x", server.port)), b"one\ntwo\n");
}

#[test]
fn a_peer_that_is_silent_while_the_reader_waits_is_still_left() {
    let server = Listener::line(|mut stream: TcpStream| {
        let _ = stream.write_all(b"one\r\n");
        sleep(LIMIT * 10);
    });
    let mut document = document(&Client::new(hasty()), server.gopher_url("/0x"));
    sleep(PAUSE);
    let count = document.fill().expect("it is there").len();
    document.consume_octets(count);
    assert_eq!(document.fill().expect_err("no more comes").kind(), ErrorKind::Timeout);
}
