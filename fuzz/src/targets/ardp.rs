//! Any datagrams at any times: the ARDP machine never panics, keeps its contract, never answers a flood with a greater one, ends in
//! time, and treats duplicates as one datagram.
//!
//! The input is the length of the request, the limits, then datagrams. Each follows two octets: its length, and the time before it;
//! the top bit of the latter gives it the connection id of the exchange.

use std::num::NonZeroU16;
use std::time::Duration;
use urlwise_open::protocol::FaultKind;
use urlwise_open::protocol::ardp::{ArdpLimits, ArdpSettings, Header, plan};
use urlwise_open::testing::DatagramExchange;

const ID: NonZeroU16 = NonZeroU16::new(0x1374).unwrap();

const REQUEST: &[u8] = b"VERSION 5 test\nDIRECTORY ASCII ''\nLIST '' COMPONENTS\n";

fn limits() -> ArdpLimits {
    ArdpLimits::default().with(|limits| {
        limits.wait = Duration::from_secs(100);
        limits.total = Duration::from_secs(200);
        limits.packets = 300;
        limits.datagrams = 4096;
        limits.ahead = 500;
        limits.redirects = 3;
    })
}

pub(crate) fn run(input: &[u8]) {
    let [length, narrow, rest @ ..] = input else { return };
    let request = REQUEST.repeat(usize::from(*length) % 64);
    let settings = ArdpSettings::default().with(|settings| {
        settings.limits = limits();
        if narrow & 1 != 0 {
            settings.limits.packets = 5;
        }
    });

    let once = hold(&request, settings, rest, 1);
    let twice = hold(&request, settings, rest, 2);
    assert_eq!((&once.data, &once.end, &once.redirects), (&twice.data, &twice.end, &twice.redirects));
    assert_eq!(
        plan(&request, settings).is_err(),
        matches!(&once.end, Some(Err(fault)) if fault.kind() == FaultKind::Refused)
    );
}

/// Runs an exchange with these datagrams to its end; each of them arrives this many times.
fn hold(request: &[u8], settings: ArdpSettings, mut rest: &[u8], times: usize) -> DatagramExchange {
    let mut driver = DatagramExchange::new(request, ID, settings);
    let first = driver.sent.len();
    let (mut heard, mut octets) = (0, 0);
    while let [length, pause, after @ ..] = rest {
        let (datagram, after) = after.split_at(usize::from(*length).min(after.len()));
        rest = after;
        let mut datagram = datagram.to_vec();
        if let (true, Some(id)) = (pause & 0x80 != 0, datagram.get_mut(1..3)) {
            id.copy_from_slice(&ID.get().to_be_bytes());
        }
        if driver.end.is_none() {
            driver.now += Duration::from_millis(u64::from(pause & 0x7f) * 100);
            driver.run();
        }
        let header = Header::decode(&datagram);
        if let Ok((header, data)) = &header {
            let again = header.encode(data);
            assert_eq!(Header::decode(&again).map(|(again, _)| again.packet), Ok(header.packet));
        }
        // A second redirect is not a duplicate.
        let times = if header.is_ok_and(|(header, _)| header.signal.is_some()) { 1 } else { times };
        for _ in 0..times {
            heard += usize::from(driver.receive(&datagram));
        }
        octets += datagram.len();
    }
    if driver.end.is_none() {
        let end = driver.now + settings.limits.total;
        assert!(driver.wait_for_end() <= end, "it ends in time");
    }
    assert!(driver.data.len() <= octets, "no data that has not arrived");
    // One acknowledgement per datagram, and the request again after a timeout or a redirect.
    let repeats =
        (settings.limits.total.as_secs() / settings.first_wait.as_secs() + 1) as usize + driver.redirects.len();
    assert!(driver.sent.len() <= heard + (repeats + 1) * first.max(1), "a flood is never answered with a greater one");
    driver
}
