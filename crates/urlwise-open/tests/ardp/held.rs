//! One exchange as a test holds it: what was sent, what came out, how it ended.

use std::num::NonZeroU16;
use std::time::Duration;
use urlwise_open::protocol::Fault;
use urlwise_open::protocol::ardp::{Action, Ardp, ArdpSettings, Datagram};

pub(crate) const ID: u16 = 0x1374;

pub(crate) const REQUEST: &[u8] = b"VERSION 5 test\nDIRECTORY ASCII ''\nLIST '' COMPONENTS\n";

/// An exchange and all that it has given.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) exchange: Ardp,
    pub(crate) sent: Vec<Datagram>,
    pub(crate) data: Vec<u8>,
    pub(crate) redirects: Vec<String>,
    pub(crate) end: Option<Result<(), Fault>>,
    /// Until when it waits; meaningless at its end.
    pub(crate) until: Duration,
    pub(crate) now: Duration,
}

impl Held {
    pub(crate) fn new(request: &[u8], id: u16, settings: ArdpSettings) -> Held {
        let id = NonZeroU16::new(id).expect("an id");
        let mut held = Held {
            exchange: Ardp::new(request.to_vec(), id, settings),
            sent: Vec::new(),
            data: Vec::new(),
            redirects: Vec::new(),
            end: None,
            until: Duration::ZERO,
            now: Duration::ZERO,
        };
        held.go_on();
        held
    }

    /// Does what is to be done at this time.
    pub(crate) fn go_on(&mut self) {
        loop {
            match self.exchange.next(self.now) {
                Action::Send(datagram) => {
                    assert_eq!(datagram.octets()[0] >> 6, 0, "no bits of a version");
                    assert!(datagram.octets().len() <= 1250 + 31, "no datagram has to be cut on its way");
                    self.sent.push(datagram);
                }
                Action::Data(octets) => {
                    assert!(!octets.is_empty(), "data of no octets");
                    self.data.extend_from_slice(&octets);
                }
                Action::Redirect { address, port } => self.redirects.push(format!("{address}:{port}")),
                Action::Heard(_) => {}
                Action::Wait { until } => {
                    assert!(until > self.now, "a wait for what has passed");
                    self.until = until;
                    return;
                }
                Action::Done => {
                    assert_eq!(self.exchange.next(self.now), Action::Done, "Done is not the last word");
                    self.end = Some(Ok(()));
                    return;
                }
                Action::Fail(fault) => {
                    assert_eq!(self.exchange.next(self.now), Action::Fail(fault.clone()), "Fail is not the last word");
                    self.end = Some(Err(fault));
                    return;
                }
                other => panic!("an unknown action: {other:?}"),
            }
        }
    }

    /// A datagram arrives now; whether it was this exchange's.
    pub(crate) fn hear(&mut self, datagram: &[u8]) -> bool {
        let ours = self.exchange.receive(datagram, self.now);
        self.go_on();
        ours
    }

    /// Time goes on to that of the wait.
    pub(crate) fn wait(&mut self) {
        self.now = self.until;
        self.go_on();
    }

    /// Time goes on until it ends; when that is.
    pub(crate) fn wait_for_the_end(&mut self) -> Duration {
        while self.end.is_none() {
            self.wait();
        }
        self.now
    }
}
