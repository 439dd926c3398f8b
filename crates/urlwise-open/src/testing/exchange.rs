//! Drives an ARDP exchange: the datagrams and the time come from the test.

use crate::protocol::Fault;
use crate::protocol::ardp::{Ardp, ArdpSettings, ArdpStep, Datagram, Header};
use std::net::SocketAddrV4;
use std::num::NonZeroU16;
use std::time::Duration;

/// The longest datagram that a client may send: a header and 1,250 octets, so that no network has to fragment it.
const LONGEST: usize = 31 + 1250;

/// An ARDP exchange without a socket or a clock, and everything it has done so far.
///
/// After every change it runs until it [waits](ArdpStep::Wait) or ends. To lose a datagram, leave it out; to delay, duplicate or
/// reorder datagrams, pass them in accordingly.
///
/// ```
/// use std::num::NonZeroU16;
/// use std::time::Duration;
/// use urlwise_open::protocol::ardp::{ArdpSettings, Header};
/// use urlwise_open::testing::DatagramExchange;
///
/// let id = NonZeroU16::new(7).expect("not 0");
/// let mut exchange = DatagramExchange::new(b"VERSION\n", id, ArdpSettings::default());
/// let request = exchange.take_sent();
/// exchange.wait();
/// assert_eq!((exchange.now, exchange.take_sent()), (Duration::from_secs(1), request));
///
/// let packet = |packet, total| Header::default().with(|header| (header.packet, header.total) = (packet, total));
/// exchange.receive_packet(packet(2, Some(2)), b"world");
/// exchange.receive_packet(packet(1, None), b"hello ");
/// assert_eq!((exchange.is_done(), &exchange.data[..]), (true, &b"hello world"[..]));
/// ```
///
/// # Panics
/// All methods that run it panic if it breaks its contract: if it sends a datagram that a network would have to fragment, returns
/// data without octets, waits for a time that has passed, or continues after its end.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DatagramExchange {
    /// The exchange itself.
    pub machine: Ardp,
    /// The datagrams sent, or those since the last [`take_sent`](DatagramExchange::take_sent).
    pub sent: Vec<Datagram>,
    /// The data of the answer.
    pub data: Vec<u8>,
    /// The addresses that servers redirected to.
    pub redirects: Vec<SocketAddrV4>,
    /// How it ended; `None` before.
    pub end: Option<Result<(), Fault>>,
    /// The end of its current wait. Meaningless once it has ended.
    pub until: Duration,
    /// The current time, which begins at zero. May be set to a later time before [`run`](DatagramExchange::run).
    pub now: Duration,
    connection: NonZeroU16,
}

impl DatagramExchange {
    /// An exchange that sends `request`, run to its first wait.
    pub fn new(request: &[u8], connection: NonZeroU16, settings: ArdpSettings) -> DatagramExchange {
        let mut exchange = DatagramExchange {
            machine: Ardp::new(request.to_vec(), connection, settings),
            sent: Vec::new(),
            data: Vec::new(),
            redirects: Vec::new(),
            end: None,
            until: Duration::ZERO,
            now: Duration::ZERO,
            connection,
        };
        exchange.run();
        exchange
    }

    /// Does everything that is due now.
    pub fn run(&mut self) {
        loop {
            match self.machine.next(self.now) {
                ArdpStep::Send(datagram) => {
                    assert_eq!(datagram.octets()[0] >> 6, 0, "the bits of the version are not 0");
                    assert!(datagram.octets().len() <= LONGEST, "a network would have to fragment the datagram");
                    self.sent.push(datagram);
                }
                ArdpStep::Data(octets) => {
                    assert!(!octets.is_empty(), "data without octets");
                    self.data.extend_from_slice(&octets);
                }
                ArdpStep::Redirect { address, port } => self.redirects.push(SocketAddrV4::new(address, port)),
                ArdpStep::Received(_) => {}
                ArdpStep::Wait { until } => {
                    assert!(until > self.now, "a wait for a time that has passed");
                    self.until = until;
                    return;
                }
                ArdpStep::Done => return self.finish(Ok(())),
                ArdpStep::Fail(fault) => return self.finish(Err(fault)),
            }
        }
    }

    fn finish(&mut self, end: Result<(), Fault>) {
        let again = match self.machine.next(self.now) {
            ArdpStep::Done => Ok(()),
            ArdpStep::Fail(fault) => Err(fault),
            other => panic!("the exchange continues after its end: {other:?}"),
        };
        assert_eq!(again, end, "the exchange ends twice in different ways");
        self.end = Some(end);
    }

    /// A datagram arrives now. Returns whether it belongs to this exchange.
    pub fn receive(&mut self, datagram: &[u8]) -> bool {
        let is_ours = self.machine.receive(datagram, self.now);
        self.run();
        is_ours
    }

    /// A datagram with this header and data arrives now; the connection id of the header is set to the one of this exchange.
    pub fn receive_packet(&mut self, header: Header, data: &[u8]) -> bool {
        self.receive(&header.with(|header| header.connection = self.connection.get()).encode(data))
    }

    /// Nothing arrives until the end of its current wait.
    pub fn wait(&mut self) {
        self.now = self.until;
        self.run();
    }

    /// Nothing arrives until it ends. Returns the time of its end.
    pub fn wait_for_end(&mut self) -> Duration {
        while self.end.is_none() {
            self.wait();
        }
        self.now
    }

    /// Takes the octets of the datagrams sent since the last call.
    pub fn take_sent(&mut self) -> Vec<Vec<u8>> {
        self.sent.drain(..).map(|datagram| datagram.octets().to_vec()).collect()
    }

    /// Whether the answer is complete.
    pub fn is_done(&self) -> bool {
        self.end == Some(Ok(()))
    }

    /// Why it failed.
    ///
    /// # Panics
    /// It has not failed.
    pub fn fault(&self) -> &Fault {
        match &self.end {
            Some(Err(fault)) => fault,
            end => panic!("not a fault: {end:?}"),
        }
    }
}
