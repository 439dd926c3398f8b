//! Connects to one of several addresses of a host without waiting long for dead ones (RFC 8305, "happy eyeballs").

use crate::error::Error;
use crate::error::system_words;
use crate::language::message;
use crate::net::deadlines::Clock;
use crate::net::endpoint::{Endpoint, not_connected};
use crate::net::many::event_loop::{Attempts, Source};
use crate::net::stream::TcpStream;
use std::io;
use std::net::SocketAddr;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How long an attempt runs alone before the next one begins (RFC 8305 section 5, Connection Attempt Delay).
const DELAY: Duration = Duration::from_millis(250);

/// The most attempts at a time.
const MOST: usize = 8;

/// How much longer than the deadline an attempt may take, so that the deadline ends it first.
const GRACE: Duration = Duration::from_secs(1);

/// A new connection, registered where it waits in an event loop.
pub(crate) struct Connected {
    pub(crate) tcp: TcpStream,
    pub(crate) source: Option<Source>,
}

/// The attempts under way.
enum UnderWay {
    /// Each in a thread of its own, since a blocking connect cannot be interrupted.
    Threads(mpsc::Sender<io::Result<TcpStream>>, mpsc::Receiver<io::Result<TcpStream>>),
    /// In the event loop.
    Attempts(Attempts),
}

impl UnderWay {
    fn new() -> UnderWay {
        match Attempts::here() {
            Some(attempts) => UnderWay::Attempts(attempts),
            None => {
                let (sender, receiver) = mpsc::channel();
                UnderWay::Threads(sender, receiver)
            }
        }
    }

    /// Starts one more, which ends by itself after `longest`, or when it is dropped.
    fn start(&mut self, address: SocketAddr, longest: Duration) -> io::Result<()> {
        match self {
            UnderWay::Attempts(attempts) => attempts.start(address),
            UnderWay::Threads(sender, _) => {
                let sender = sender.clone();
                let connect = move || {
                    // The receiver is gone once another attempt has won.
                    let _ = sender.send(TcpStream::connect_timeout(&address, longest));
                };
                std::thread::Builder::new().spawn(connect).map(drop)
            }
        }
    }

    /// The next one that ends within this time.
    fn next(&mut self, at_most: Duration) -> Option<io::Result<Connected>> {
        match self {
            UnderWay::Attempts(attempts) => {
                let ended = attempts.next(at_most)?;
                #[cfg_attr(
                    not(feature = "testing"),
                    expect(clippy::useless_conversion, reason = "it is the same type")
                )]
                Some(ended.map(|(tcp, source)| Connected { tcp: tcp.into(), source: Some(source) }))
            }
            UnderWay::Threads(_, receiver) => {
                let ended = receiver.recv_timeout(at_most).ok()?;
                Some(ended.map(|tcp| Connected { tcp, source: None }))
            }
        }
    }
}

/// Connects to the first address that answers; the other attempts end by themselves. Takes no longer than the connect deadline,
/// and stops when the call is cancelled.
pub(crate) fn connect(endpoint: &Endpoint, addresses: &[SocketAddr], clock: &mut Clock) -> Result<Connected, Error> {
    if let Some(connected) = offline(endpoint) {
        return connected;
    }
    let mut waiting = interleaved(addresses).into_iter();
    let mut attempts = UnderWay::new();
    let (mut under_way, mut last) = (0, None);
    let mut next_start = Instant::now();
    loop {
        let wait = clock.wait().map_err(|error| error.prefixed(endpoint))?;
        let now = Instant::now();
        if now >= next_start
            && under_way < MOST
            && let Some(address) = waiting.next()
        {
            let longest = clock.left().saturating_add(GRACE);
            attempts.start(address, longest).map_err(|error| not_connected(endpoint, Some(error)))?;
            under_way += 1;
            next_start = now + DELAY;
            continue;
        }
        if under_way == 0 && waiting.len() == 0 {
            return Err(not_connected(endpoint, last));
        }
        let may_start = waiting.len() > 0 && under_way < MOST;
        let alone = if may_start { next_start.saturating_duration_since(now) } else { Duration::MAX };
        match attempts.next(alone.min(wait.at_most)) {
            Some(Ok(connected)) => return Ok(connected),
            Some(Err(error)) => {
                under_way -= 1;
                last = Some(error);
                next_start = now;
            }
            None if alone < wait.at_most => {}
            None => clock.ran_out(wait).map_err(|error| match &last {
                // An error from an address says more than a timeout of another.
                Some(refused) => {
                    error.prefixed(message!("{peer} ({words})", peer = endpoint, words = system_words(refused)))
                }
                None => error.prefixed(endpoint),
            })?,
        }
    }
}

/// Connects to an address that has answered before, so there is no other to race against.
pub(crate) fn connect_to(endpoint: &Endpoint, address: SocketAddr, clock: &mut Clock) -> Result<Connected, Error> {
    if let Some(connected) = offline(endpoint) {
        return connected;
    }
    if Attempts::here().is_some() {
        return connect(endpoint, &[address], clock);
    }
    let wait = clock.wait_in_one().map_err(|error| error.prefixed(endpoint))?;
    match TcpStream::connect_timeout(&address, wait.at_most) {
        Ok(tcp) => Ok(Connected { tcp, source: None }),
        Err(error) => {
            if error.kind() == io::ErrorKind::TimedOut {
                clock.ran_out(wait).map_err(|error| error.prefixed(endpoint))?;
            }
            Err(not_connected(endpoint, Some(error)))
        }
    }
}

/// The connection of a test that reaches no network; `None` outside of such tests.
#[cfg(feature = "testing")]
fn offline(endpoint: &Endpoint) -> Option<Result<Connected, Error>> {
    let connected = crate::testing::offline::connect(endpoint.hop())?;
    Some(match connected {
        Ok(tcp) => Ok(Connected { tcp, source: None }),
        Err(error) => Err(not_connected(endpoint, Some(error))),
    })
}

#[cfg(not(feature = "testing"))]
fn offline(_: &Endpoint) -> Option<Result<Connected, Error>> {
    None
}

/// The addresses with the two families alternating, starting with the family of the first, which the system prefers (RFC 8305
/// section 4).
fn interleaved(addresses: &[SocketAddr]) -> Vec<SocketAddr> {
    let is_first = |address: &SocketAddr| addresses.first().is_some_and(|first| first.is_ipv6() == address.is_ipv6());
    let (first, second): (Vec<_>, Vec<_>) = addresses.iter().copied().partition(is_first);
    let mut second = second.into_iter();
    let mut all: Vec<_> = first.into_iter().flat_map(|address| [Some(address), second.next()]).flatten().collect();
    all.extend(second);
    all
}

#[cfg(test)]
mod tests {
    use super::{DELAY, connect, connect_to, interleaved};
    use crate::error::kind::ErrorKind;
    use crate::net::deadlines::{Cancel, Clock, Deadlines};
    use crate::net::loopback::{endpoint, listener};
    use std::net::{SocketAddr, TcpListener, TcpStream};
    use std::time::{Duration, Instant};

    const LONG: Duration = Duration::from_secs(20);

    fn addresses(text: &str) -> Vec<SocketAddr> {
        text.split(' ').map(|address| address.parse().expect(address)).collect()
    }

    fn clock(connect: Duration) -> Clock {
        let mut clock = Clock::start(Deadlines { connect, ..Deadlines::default() });
        clock.connecting();
        clock
    }

    /// An address that never answers while the returned sockets live: nothing accepts, and the queue is full.
    #[cfg(unix)]
    fn black_hole() -> (TcpListener, Vec<TcpStream>, SocketAddr) {
        let (listener, address) = listener();
        rustix::net::listen(&listener, 0).expect("its queue can be shortened");
        let mut queued = Vec::new();
        while let Ok(tcp) = TcpStream::connect_timeout(&address, Duration::from_millis(300)) {
            queued.push(tcp);
            assert!(queued.len() < 100, "the queue is never full");
        }
        (listener, queued, address)
    }

    /// For how long this thread has run, in hundredths of a second; 0 where the system does not say.
    fn ticks() -> u64 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap_or_default();
        // User and system time are the 14th and 15th field; the second, a name, ends with a parenthesis.
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
        fields.filter_map(|field| field.parse::<u64>().ok()).sum()
    }

    #[test]
    fn an_address_that_has_answered_before_may_refuse_or_connect() {
        let (listener, address) = listener();
        assert!(connect_to(&endpoint(), address, &mut clock(LONG)).is_ok());
        drop(listener);
        let error = connect_to(&endpoint(), address, &mut clock(LONG)).err().expect("nobody is there");
        assert_eq!(error.kind(), ErrorKind::Connect, "{error}");
    }

    #[test]
    fn families_take_turns_and_none_is_left_out() {
        for (given, tried) in [
            ("[::1]:1 [::2]:1 [::3]:1 1.1.1.1:1 2.2.2.2:1", "[::1]:1 1.1.1.1:1 [::2]:1 2.2.2.2:1 [::3]:1"),
            ("1.1.1.1:1 [::1]:1 [::2]:1 [::3]:1", "1.1.1.1:1 [::1]:1 [::2]:1 [::3]:1"),
            ("1.1.1.1:1 2.2.2.2:1", "1.1.1.1:1 2.2.2.2:1"),
        ] {
            assert_eq!(interleaved(&addresses(given)), addresses(tried), "{given}");
        }
        assert_eq!(interleaved(&[]), []);
    }

    #[test]
    #[cfg(unix)]
    fn a_dead_address_costs_a_quarter_of_a_second() {
        let (_hole, _queued, dead) = black_hole();
        let (_listener, live) = listener();
        let began = Instant::now();
        let connected = connect(&endpoint(), &[dead, live], &mut clock(LONG)).expect("one of them answers");
        assert_eq!(connected.tcp.peer_addr().expect("it is connected"), live);
        assert!(began.elapsed() >= DELAY, "the first one has its time: {:?}", began.elapsed());
        assert!(began.elapsed() < 8 * DELAY, "{:?}", began.elapsed());
    }

    #[test]
    fn an_address_that_refuses_costs_nothing() {
        let (refusing, refused) = listener();
        drop(refusing);
        let (_listener, live) = listener();
        let began = Instant::now();
        assert!(connect(&endpoint(), &[refused, refused, refused, refused, live], &mut clock(LONG)).is_ok());
        assert!(began.elapsed() < 4 * DELAY, "four delays would be a second: {:?}", began.elapsed());
        let error = connect(&endpoint(), &[refused, refused], &mut clock(LONG)).err().expect("nobody is there");
        assert_eq!(error.kind(), ErrorKind::Connect);
        assert_eq!(
            connect(&endpoint(), &[], &mut clock(LONG)).err().expect("nowhere to go").kind(),
            ErrorKind::Connect
        );
    }

    #[test]
    #[cfg(unix)]
    fn security_48_50_dead_addresses_end_at_the_deadline_and_when_the_call_is_cancelled() {
        let (_hole, _queued, dead) = black_hole();
        let began = Instant::now();
        let error = connect(&endpoint(), &[dead, dead], &mut clock(2 * DELAY)).err().expect("nobody answers");
        assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
        assert!(began.elapsed() >= 2 * DELAY && began.elapsed() < 12 * DELAY, "{:?}", began.elapsed());
        let (refusing, refused) = listener();
        drop(refusing);
        let error = connect(&endpoint(), &[refused, dead], &mut clock(2 * DELAY)).err().expect("nobody answers");
        let what = "localhost port 1 (Connection refused): timed out: not connected after 0.5 s";
        assert!(cfg!(not(target_os = "linux")) || error.what().to_string() == what, "{error}");

        let cancel = Cancel::new();
        let mut clock = clock(LONG).cancelled_by(Some(cancel.clone()));
        let (began, busy) = (Instant::now(), ticks());
        std::thread::spawn(move || {
            std::thread::sleep(DELAY * 7 / 4);
            cancel.request();
        });
        assert_eq!(
            connect(&endpoint(), &[dead], &mut clock).err().expect("it is stopped").kind(),
            ErrorKind::Cancelled
        );
        assert!(began.elapsed() < 12 * DELAY, "{:?}", began.elapsed());
        assert!(ticks() - busy < 10, "it sleeps while it waits");
    }
}
