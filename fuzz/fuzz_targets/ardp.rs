//! Any datagrams at any times: the ARDP machine never panics, keeps its contract, answers no flood with a greater one, ends within
//! its time, and takes what comes twice as if it came once.
//!
//! The input is: the length of the request, the limits, then datagrams, each behind two octets: its length, and how much time
//! goes by before it; the top bit of the latter gives it the exchange's own connection id.

#![no_main]

// The tests hold exchanges with the same file.
#[path = "../../crates/urlwise-open/tests/ardp/held.rs"]
mod held;

use held::{Held, ID, REQUEST};
use libfuzzer_sys::fuzz_target;
use std::time::Duration;
use urlwise_open::protocol::FaultKind;
use urlwise_open::protocol::ardp::{ArdpLimits, ArdpSettings, Header, plan};

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

fuzz_target!(|input: &[u8]| {
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
});

/// The exchange with these datagrams, each of them so many times, to its end.
fn hold(request: &[u8], settings: ArdpSettings, mut rest: &[u8], times: usize) -> Held {
    let mut held = Held::new(request, ID, settings);
    let first = held.sent.len();
    let (mut heard, mut octets) = (0, 0);
    while let [length, pause, after @ ..] = rest {
        let (datagram, after) = after.split_at(usize::from(*length).min(after.len()));
        rest = after;
        let mut datagram = datagram.to_vec();
        if let (true, Some(id)) = (pause & 0x80 != 0, datagram.get_mut(1..3)) {
            id.copy_from_slice(&ID.to_be_bytes());
        }
        if held.end.is_none() {
            held.now += Duration::from_millis(u64::from(pause & 0x7f) * 100);
            held.go_on();
        }
        let header = Header::decode(&datagram);
        if let Ok((header, data)) = &header {
            let again = header.encode(data);
            assert_eq!(Header::decode(&again).map(|(again, _)| again.packet), Ok(header.packet));
        }
        // A second redirect is another one.
        let times = if header.is_ok_and(|(header, _)| header.signal.is_some()) { 1 } else { times };
        for _ in 0..times {
            heard += usize::from(held.hear(&datagram));
        }
        octets += datagram.len();
    }
    if held.end.is_none() {
        let end = held.now + settings.limits.total;
        assert!(held.wait_for_the_end() <= end, "it ends in its time");
    }
    assert!(held.data.len() <= octets, "nothing is given that has not come");
    // One acknowledgement for a datagram, and the request again where the timer or a redirect says so.
    let repeats = (settings.limits.total.as_secs() / settings.first_wait.as_secs() + 1) as usize + held.redirects.len();
    assert!(held.sent.len() <= heard + (repeats + 1) * first.max(1), "a flood is not answered with a greater one");
    held
}
