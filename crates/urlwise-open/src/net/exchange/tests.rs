//! Exchanges over loopback.

#[path = "../../../tests/access/support/prospero.rs"]
mod server;

use super::{Exchange, admit};
use crate::client::{Client, Options};
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::net::deadlines::{Cancel, Clock, Deadlines};
use crate::net::endpoint::{Endpoint, Hop};
use crate::policy::Policy;
use crate::protocol::TlsMode;
use crate::protocol::ardp::{ArdpLimits, ArdpSettings};
use server::{Prospero, packets_of, recorded};
use std::net::UdpSocket;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

/// For servers that answer at once, with patience for a busy machine.
fn patient() -> ArdpSettings {
    let settings = ArdpSettings::default();
    ArdpSettings { limits: ArdpLimits { redirects: 2, ..settings.limits }, ..settings }
}

/// For servers that answer late or never.
fn impatient() -> ArdpSettings {
    ArdpSettings { first_wait: Duration::from_millis(200), patience: Duration::from_millis(1400), ..patient() }
}

fn endpoint(port: u16) -> Endpoint {
    let host = "127.0.0.1".to_owned();
    Endpoint::new(Hop { ip: host.parse().ok(), host, port }, TlsMode::None)
}

fn open_with(
    port: u16,
    request: &[u8],
    settings: ArdpSettings,
    deadlines: Deadlines,
    options: Options,
) -> Result<Exchange, Error> {
    let clock = Clock::start(deadlines).cancelled_by(options.cancel.clone());
    Exchange::open(endpoint(port), request.to_vec(), settings, clock, Client::new(options).shared())
}

fn open(port: u16, request: &[u8], settings: ArdpSettings) -> Result<Exchange, Error> {
    open_with(port, request, settings, Deadlines::default(), Options::default())
}

fn whole(mut exchange: Exchange) -> Result<Vec<u8>, Error> {
    let mut answer = Vec::new();
    while let Some(octets) = exchange.data()? {
        answer.extend_from_slice(octets);
    }
    Ok(answer)
}

fn get(port: u16, settings: ArdpSettings) -> Result<Vec<u8>, Error> {
    whole(open(port, b"VERSION\n", settings)?)
}

fn id(datagram: &[u8]) -> [u8; 2] {
    [datagram[1], datagram[2]]
}

/// The data of a recorded answer, its packets in the order of their numbers.
fn answer(session: &str) -> Vec<u8> {
    let data = recorded(session).into_iter().filter(|(is_client, _)| !is_client);
    data.flat_map(|(_, datagram)| datagram[usize::from(datagram[0])..].to_vec()).collect()
}

#[test]
fn a_recorded_answer_of_44_packets_is_complete_and_acknowledged() {
    let server = Prospero::playing(&["06-list-600-links-44-packets"]);
    let octets = get(server.port, patient()).expect("a complete answer");
    let expected = answer("06-list-600-links-44-packets");
    let ports = |octets: &[u8]| String::from_utf8_lossy(octets).replace("(21525)", &format!("({})", server.port));
    assert_eq!(ports(&octets), ports(&expected));
    let asked = server.asked();
    assert_eq!(asked.len(), 3, "a request and two acknowledgements");
    assert_eq!((asked[1][3..].to_vec(), asked[2][3..].to_vec()), (vec![0, 0, 0, 0, 0, 16], vec![0, 0, 0, 0, 0, 32]));
}

#[test]
fn recorded_sessions_are_played_one_after_another() {
    let server = Prospero::playing(&["01-list-small", "37-gopher-gateway-wait-180-and-ack", "13-version-query"]);
    for session in ["01-list-small", "37-gopher-gateway-wait-180-and-ack", "13-version-query"] {
        let octets = get(server.port, patient()).expect("a complete answer");
        assert_eq!(octets.len(), answer(session).len(), "{session}");
    }
}

#[test]
fn a_request_in_many_packets_is_answered_from_any_port_of_the_address() {
    let server = Prospero::telling(|text| [b"got ", text].concat());
    let request = [b'a'; 10_000];
    let answer = open(server.port, &request, patient()).and_then(whole);
    assert_eq!(answer.expect("a complete answer").len(), 10_004);

    let other = UdpSocket::bind("127.0.0.1:0").expect("a free port");
    let asked = UdpSocket::bind("127.0.0.1:0").expect("a free port");
    let port = asked.local_addr().expect("it is bound").port();
    let repeated = Arc::new(AtomicU16::new(0));
    let count_of = Arc::clone(&repeated);
    std::thread::spawn(move || {
        let mut buffer = [0; 2000];
        while let Ok((count, from)) = asked.recv_from(&mut buffer) {
            count_of.fetch_add(1, Ordering::SeqCst);
            for packet in packets_of(u16::from_be_bytes(id(&buffer[..count])), &[b"from elsewhere".to_vec()]) {
                other.send_to(&packet, from).expect("loopback is there");
            }
        }
    });
    let calm = ArdpSettings { first_wait: Duration::from_secs(30), ..patient() };
    for request in 1..=3 {
        assert_eq!(get(port, calm).expect("it is answered"), b"from elsewhere");
        assert_eq!(repeated.load(Ordering::SeqCst), request, "nothing is repeated");
    }
}

/// Only Linux answers on every address of 127.0.0.0/8.
#[cfg(target_os = "linux")]
#[test]
fn answers_from_another_address_are_ignored() {
    let stranger = UdpSocket::bind("127.0.0.2:0").expect("a free port");
    let asked = UdpSocket::bind("127.0.0.1:0").expect("a free port");
    let port = asked.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        let mut buffer = [0; 2000];
        for times in 0.. {
            let Ok((count, from)) = asked.recv_from(&mut buffer) else { return };
            let id = u16::from_be_bytes(id(&buffer[..count]));
            stranger.send_to(&packets_of(id, &[b"forged".to_vec()])[0], from).expect("loopback is there");
            if times == 2 {
                asked.send_to(&packets_of(id, &[b"true".to_vec()])[0], from).expect("loopback is there");
            }
        }
    });
    assert_eq!(get(port, impatient()).expect("it is answered in the end"), b"true");
}

#[test]
fn a_closed_port_is_reported_at_once() {
    let port = UdpSocket::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a free port").port();
    let error = get(port, impatient()).expect_err("nobody listens");
    // Systems that do not report closed ports time out.
    let class = if cfg!(target_os = "linux") { ErrorKind::Connect } else { error.kind() };
    assert_eq!(error.kind(), class, "{error}");
    assert!(matches!(class, ErrorKind::Connect | ErrorKind::Timeout), "{error}");
}

#[test]
fn security_48_a_silent_server_gets_few_datagrams_and_no_more_time_than_the_deadlines() {
    let server = Prospero::serving(|_| Vec::new());
    let error = get(server.port, impatient()).expect_err("it is silent");
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    assert_eq!(server.asked().len(), 3);
    assert!(server.asked().windows(2).all(|asked| asked[0] == asked[1]), "repeats are the same octets");

    let first_byte = Duration::from_millis(50);
    let deadlines = Deadlines { first_byte, ..Deadlines::default() };
    let exchange = open_with(server.port, b"VERSION\n", patient(), deadlines, Options::default());
    let error = exchange.and_then(whole).expect_err("the deadline passes first");
    assert_eq!(
        (error.kind(), error.what().to_string().as_str()),
        (ErrorKind::Timeout, &*format!("{}: timed out: no answer for 0.05 s", endpoint(server.port)))
    );
}

#[test]
fn a_server_that_asks_for_time_gets_more_than_the_idle_deadline() {
    // Asks for 9 seconds, sends the first octet, and then nothing.
    let server = Prospero::serving(|datagram| {
        let [high, low] = id(datagram);
        vec![vec![11, high, low, 0, 0, 0, 0, 0, 0, 0, 9], vec![7, high, low, 0, 1, 0, 0, b'a']]
    });
    let idle = Duration::from_millis(100);
    let deadlines = Deadlines { idle, ..Deadlines::default() };
    let cancel = Cancel::new();
    let options = Options { cancel: Some(cancel.clone()), ..Options::default() };
    let mut exchange =
        open_with(server.port, b"VERSION\n", impatient(), deadlines, options).expect("loopback is there");
    assert_eq!(exchange.data().expect("it has begun"), Some(&b"a"[..]));
    let began = Instant::now();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(400));
        cancel.request();
    });
    let error = exchange.data().expect_err("it is stopped");
    assert_eq!(error.kind(), ErrorKind::Cancelled, "{error}");
    assert!(began.elapsed() > Duration::from_millis(350));
    assert!(began.elapsed() < Duration::from_secs(5), "security_50: cancelling takes effect");
}

#[test]
fn security_48_a_pause_of_the_reader_counts_neither_as_silence_nor_as_time_of_the_exchange() {
    // Two packets at once, and a third when the first repeat or acknowledgement comes.
    let server = Prospero::serving(|datagram| {
        let [high, low] = id(datagram);
        let has_two = datagram[7..9] == [0, 2];
        match has_two {
            true => vec![vec![7, high, low, 0, 3, 0, 3, b'c']],
            false => {
                vec![vec![7, high, low, 0, 1, 0, 0, b'a'], vec![12, high, low, 0, 2, 0, 0, 0, 0, 0, 0, 0x80, b'b']]
            }
        }
    });
    let short = Duration::from_millis(800);
    let deadlines = Deadlines { idle: short, ..Deadlines::default() };
    let settings = ArdpSettings { limits: ArdpLimits { total: short, ..patient().limits }, ..patient() };
    let mut exchange =
        open_with(server.port, b"VERSION\n", settings, deadlines, Options::default()).expect("loopback is there");
    for octets in [&b"a"[..], b"b", b"c"] {
        assert_eq!(exchange.data().expect("the server answers"), Some(octets));
        std::thread::sleep(short * 2);
    }
    assert_eq!(exchange.data().expect("a complete answer"), None);
    assert!(exchange.elapsed() < short, "{:?}", exchange.elapsed());
}

#[test]
fn a_dropped_exchange_cancels_its_request() {
    let server = Prospero::serving(|datagram| {
        let [high, low] = id(datagram);
        vec![vec![7, high, low, 0, 1, 0, 0, b'a']]
    });
    let mut exchange = open(server.port, b"VERSION\n", patient()).expect("loopback is there");
    exchange.data().expect("it has begun");
    drop(exchange);
    let deadline = Instant::now() + Duration::from_secs(5);
    while server.asked().len() < 2 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    let asked = server.asked();
    assert_eq!(asked[1], [&[13][..], &id(&asked[0]), &[0, 0, 0, 0, 0, 0, 0, 0, 0, 1]].concat());
}

/// A server that redirects every request.
fn redirecting(address: [u8; 4], port: u16) -> Prospero {
    Prospero::serving(move |datagram| {
        let header = [19, datagram[1], datagram[2], 0, 0, 0, 0, 0, 0, 0, 0, 0, 4];
        vec![[&header[..], &address, &port.to_be_bytes()].concat()]
    })
}

#[test]
fn a_redirect_is_followed_and_judged_like_a_link() {
    let good = Prospero::telling(|_| b"here".to_vec());
    assert_eq!(get(redirecting([127, 0, 0, 1], good.port).port, patient()).expect("it is followed"), b"here");

    for (address, port, class) in [
        ([127, 0, 0, 1], 25, ErrorKind::Refused),
        ([224, 0, 0, 1], 1525, ErrorKind::Protocol),
        ([255, 255, 255, 255], 1525, ErrorKind::Protocol),
        ([127, 0, 0, 1], 0, ErrorKind::Protocol),
    ] {
        let error = get(redirecting(address, port).port, patient()).expect_err("a refused address");
        assert_eq!(error.kind(), class, "{address:?} {port}: {error}");
    }
    let options = Options { policy: Policy::default().public_addresses_only(), ..Options::default() };
    let Err(error) = open_with(good.port, b"VERSION\n", patient(), Deadlines::default(), options) else {
        panic!("loopback is not public")
    };
    assert_eq!(error.refused_by(), Some("address-local"));
}

/// Only Linux has every address of 127.0.0.0/8, and says at once that nobody listens there.
#[cfg(target_os = "linux")]
#[test]
fn errors_after_a_redirect_name_the_server_that_was_asked_last() {
    let gone = UdpSocket::bind("127.0.0.2:0").and_then(|socket| socket.local_addr()).expect("a free port");
    let server = redirecting([127, 0, 0, 2], gone.port());
    let mut exchange = open(server.port, b"VERSION\n", patient()).expect("loopback is there");
    let error = exchange.data().expect_err("nobody is there");
    let what = format!("cannot connect to 127.0.0.2 port {}: Connection refused", gone.port());
    assert_eq!((error.kind(), error.what().to_string()), (ErrorKind::Connect, what));
    let hop = Hop { host: "127.0.0.2".to_owned(), ip: Some(gone.ip()), port: gone.port() };
    assert_eq!(exchange.endpoint, Endpoint::new(hop, TlsMode::None));
}

#[test]
fn redirects_in_a_circle_end_at_the_limit() {
    let circle = Prospero::start_circle();
    let error = get(circle.port, patient()).expect_err("it has no end");
    assert_eq!(error.kind(), ErrorKind::Redirects, "{error}");
    assert_eq!(circle.asked().len(), 3, "a request and two redirects");
}

impl Prospero {
    /// A server that redirects every request to itself.
    fn start_circle() -> Prospero {
        let port = Arc::new(AtomicU16::new(0));
        let own = Arc::clone(&port);
        let server = Prospero::serving(move |datagram| {
            let header = [19, datagram[1], datagram[2], 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1];
            vec![[&header[..], &own.load(Ordering::SeqCst).to_be_bytes()].concat()]
        });
        port.store(server.port, Ordering::SeqCst);
        server
    }
}

#[test]
fn multicast_broadcast_and_unspecified_addresses_are_refused() {
    for ip in ["224.0.0.1", "239.255.255.255", "255.255.255.255", "0.0.0.0", "ff02::1", "::"] {
        let error = admit(ip.parse().expect("an address"), "h", &Policy::default()).expect_err(ip);
        assert_eq!(error.kind(), ErrorKind::Refused, "{ip}");
    }
    assert!(admit("127.0.0.1".parse().expect("an address"), "h", &Policy::default()).is_ok());
}

#[test]
fn security_4_a_request_with_nul_is_refused_before_anything_is_sent() {
    let server = Prospero::serving(|_| Vec::new());
    for request in [&b"DIRECTORY ASCII a\0b\n"[..], b"", &[b'a'; 20_001]] {
        let Err(error) = open(server.port, request, patient()) else { panic!("it must not be sent") };
        assert_eq!(error.kind(), ErrorKind::Refused);
    }
    assert!(server.asked().is_empty());
}
