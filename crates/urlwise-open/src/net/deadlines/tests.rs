use super::{Bound, Cancel, Clock, Deadlines, MinRate, Wait};
use crate::error::kind::ErrorKind;
use crate::protocol::Hint;
use std::time::{Duration, Instant};

const SHORT: Duration = Duration::from_millis(1);

#[test]
fn security_48_defaults_are_as_documented() {
    let deadlines = Deadlines::default();
    assert_eq!(deadlines.connect.as_secs(), 30);
    assert_eq!(deadlines.first_byte.as_secs(), 60);
    assert_eq!(deadlines.idle.as_secs(), 60);
}

#[test]
fn the_first_byte_deadline_is_not_extended_by_waiting_twice() {
    let mut clock = Clock::start(Deadlines { first_byte: SHORT, ..Deadlines::default() });
    clock.asked();
    clock.wait().expect("time is left");
    std::thread::sleep(SHORT);
    assert!(clock.wait().is_err());
    clock.asked();
    clock.arrived(1);
    assert_eq!(clock.wait().expect("idle now").at_most, Duration::from_secs(60));
}

#[test]
fn security_50_a_request_to_stop_ends_the_next_wait() {
    let cancel = Cancel::new();
    let mut clock = Clock::start(Deadlines::default()).cancelled_by(Some(cancel.clone()));
    clock.connected();
    let wait = clock.wait().expect("nothing is cancelled");
    assert!(wait.at_most <= Duration::from_millis(250));
    assert!(clock.ran_out(wait).is_ok());
    cancel.request();
    assert_eq!(clock.ran_out(wait).expect_err("it is cancelled").kind(), ErrorKind::Cancelled);
}

#[test]
fn looks_do_not_extend_the_idle_deadline() {
    let idle = Duration::from_millis(600);
    let mut clock = Clock::start(Deadlines { idle, ..Deadlines::default() }).cancelled_by(Some(Cancel::new()));
    clock.flowing();
    for _ in 0..2 {
        let wait = clock.wait().expect("time is left");
        assert!(clock.ran_out(wait).is_ok(), "only a check");
    }
    let last = clock.wait().expect("100 ms are left");
    assert_eq!(last.at_most, Duration::from_millis(100));
    assert_eq!(clock.ran_out(last).expect_err("idle").kind(), ErrorKind::Timeout);
}

#[test]
fn time_that_a_server_asks_for_is_granted_once() {
    let mut clock = Clock::start(Deadlines { idle: SHORT, ..Deadlines::default() });
    clock.asked();
    clock.heard(0, Duration::from_secs(9));
    clock.wait().expect("it was granted");
    std::thread::sleep(SHORT);
    assert!(clock.wait().expect("it was granted").at_most > Duration::from_secs(8));
    clock.heard(0, Duration::ZERO);
    clock.wait().expect("time is left");
    std::thread::sleep(SHORT);
    assert_eq!(clock.wait().expect_err("no more is granted").kind(), ErrorKind::Timeout);
}

#[test]
fn the_total_bounds_every_phase() {
    let mut clock = Clock::start(Deadlines::default()).within(Some(Duration::from_secs(5)));
    for _ in 0..2 {
        let wait = clock.wait().expect("time is left");
        assert_eq!(wait.bound, Bound::Total);
        clock.asked();
        clock.arrived(1);
    }
}

#[test]
fn a_drip_fails_and_a_flow_does_not() {
    let mut clock =
        Clock::start(Deadlines { min_rate: Some(MinRate { octets: 10, every: SHORT }), ..Deadlines::default() });
    clock.asked();
    clock.arrived(10);
    clock.wait().expect("the stretch begins");
    std::thread::sleep(SHORT);
    assert!(clock.wait().is_ok(), "ten octets are enough");
    clock.arrived(9);
    clock.wait().expect("the next stretch begins");
    std::thread::sleep(SHORT);
    assert!(clock.wait().is_err(), "nine are not");
}

#[test]
fn datagrams_count_for_the_minimum_rate_and_what_is_left_of_its_interval_bounds_the_wait() {
    let hour = Duration::from_secs(3600);
    let rate = |octets, every| {
        Clock::start(Deadlines { min_rate: Some(MinRate { octets, every }), idle: 9 * hour, ..Deadlines::default() })
    };
    let mut clock = rate(10, SHORT);
    for (octets, is_enough) in [(10, true), (4, false)] {
        clock.heard(octets, Duration::ZERO);
        clock.wait().expect("the stretch begins");
        std::thread::sleep(SHORT);
        assert_eq!(clock.wait().is_ok(), is_enough, "{octets}");
    }
    let mut clock = rate(10, hour);
    clock.flowing();
    assert_eq!(clock.wait().expect("an hour is left").at_most, hour);
    std::thread::sleep(SHORT);
    clock.arrived(1);
    assert!(clock.wait().expect("less is left").at_most < hour);
}

#[test]
fn of_two_waits_the_shorter_bounds_and_of_equal_ones_the_first() {
    let wait = |milliseconds, bound| Wait { at_most: Duration::from_millis(milliseconds), bound };
    for (one, other, shorter) in [(1, 2, Bound::Idle), (2, 1, Bound::Look), (1, 1, Bound::Idle)] {
        let both = wait(one, Bound::Idle).or(wait(other, Bound::Look));
        assert_eq!((both.at_most, both.bound), (Duration::from_millis(one.min(other)), shorter));
    }
}

#[test]
fn a_drip_over_many_requests_of_one_answer_fails() {
    let every = Duration::from_millis(50);
    let min_rate = Some(MinRate { octets: 10, every });
    let mut clock = Clock::start(Deadlines { min_rate, ..Deadlines::default() });
    clock.asked();
    clock.arrived(1);
    let fails = |clock: &mut Clock, again: fn(&mut Clock)| {
        (0..4).any(|_| {
            again(clock);
            let waits = clock.wait();
            std::thread::sleep(every * 2 / 3);
            clock.arrived(1);
            waits.is_err()
        })
    };
    assert!(fails(&mut clock, Clock::asked_for_more), "four octets in more than twice the time");
    assert!(!fails(&mut clock, Clock::asked), "each answer has its own rate");
}

#[test]
fn more_of_an_answer_has_the_deadline_of_the_first_octet_again() {
    let mut clock = Clock::start(Deadlines { first_byte: Duration::from_secs(9), ..Deadlines::default() });
    clock.arrived(1);
    clock.asked_for_more();
    let wait = clock.wait().expect("time is left");
    assert_eq!((wait.at_most, wait.bound), (Duration::from_secs(9), Bound::FirstByte));
}

#[test]
fn security_48_a_pause_of_the_reader_is_not_the_silence_of_the_peer() {
    // Long enough for a machine that has other things to do.
    let limit = Duration::from_millis(100);
    let pause = || std::thread::sleep(limit * 3 / 2);
    let min_rate = Some(MinRate { octets: 10, every: limit });
    let mut clock = Clock::start(Deadlines { first_byte: limit, idle: limit, min_rate, ..Deadlines::default() });
    let phases: [fn(&mut Clock); 3] = [Clock::asked, Clock::flowing, |clock| clock.heard(1, Duration::ZERO)];
    for enter in phases {
        enter(&mut clock);
        pause();
        assert_eq!(clock.wait().expect("nobody has waited for the peer").at_most, limit);
        // What arrives ends the wait, and the pause after it counts for nothing.
        clock.arrived(1);
        pause();
        clock.wait().expect("nobody has waited for the peer");
        pause();
        assert_eq!(clock.wait().expect_err("the peer was waited for").kind(), ErrorKind::Timeout);
    }
}

#[test]
fn looks_that_add_up_to_the_idle_deadline_end_it() {
    let idle = Duration::from_millis(500);
    let mut clock = Clock::start(Deadlines { idle, ..Deadlines::default() }).cancelled_by(Some(Cancel::new()));
    clock.flowing();
    let look = clock.wait().expect("time is left");
    assert!(clock.ran_out(look).is_ok());
    let look = clock.wait().expect("half is left");
    assert_eq!(clock.ran_out(look).expect_err("nothing is left").kind(), ErrorKind::Timeout);
}

#[test]
fn every_deadline_is_named_with_its_length_and_its_setting() {
    let seconds = Duration::from_secs;
    let min_rate = Some(MinRate::new(7, Duration::from_millis(1500)));
    let deadlines = Deadlines { connect: seconds(1), first_byte: seconds(2), idle: seconds(3), min_rate };
    let mut clock = Clock::start(deadlines).within(Some(seconds(9)));
    clock.heard(0, seconds(4));
    for (bound, text, hint) in [
        (Bound::Connect, "timed out: not connected after 1 s", Hint::ConnectTimeout),
        (Bound::Resolve, "timed out: host not resolved after 1 s", Hint::ConnectTimeout),
        (Bound::Greeting, "timed out: connected, but no answer after 1 s", Hint::ConnectTimeout),
        (Bound::FirstByte, "timed out: no answer for 2 s", Hint::FirstByteTimeout),
        (Bound::Idle, "timed out: no data for 3 s", Hint::IdleTimeout),
        (Bound::Quiet, "timed out: no datagram for 7 s", Hint::IdleTimeout),
        (Bound::Total, "timed out: not complete after 9 s", Hint::Timeout),
        (Bound::MinRate, "timed out: fewer than 7 octets in 1.5 s", Hint::MinRate),
    ] {
        let error = clock.passed(Wait { at_most: SHORT, bound });
        assert_eq!((error.what().to_string().as_str(), error.hint()), (text, Some(hint)));
        assert_eq!((error.kind(), error.reference()), (ErrorKind::Timeout, Some("S-48")));
    }
    let cancelled = clock.passed(Wait { at_most: SHORT, bound: Bound::Look });
    assert_eq!((cancelled.kind(), cancelled.to_string().as_str()), (ErrorKind::Cancelled, "interrupted"));
}

#[test]
fn each_phase_has_its_own_deadline_and_none_is_left_of_what_is_zero() {
    type Phase = (fn(&mut Deadlines), fn(&mut Clock), &'static str);
    let hour = Duration::from_secs(3600);
    let both = |deadlines: &mut Deadlines| (deadlines.connect, deadlines.first_byte) = (Duration::ZERO, Duration::ZERO);
    let phases: [Phase; 7] = [
        (both, Clock::connected, "no answer for 0 s"),
        (|deadlines| deadlines.connect = Duration::ZERO, Clock::connecting, "not connected after 0 s"),
        (|deadlines| deadlines.connect = Duration::ZERO, Clock::resolving, "host not resolved after 0 s"),
        (|deadlines| deadlines.connect = Duration::ZERO, Clock::connected, "connected, but no answer after 0 s"),
        (|deadlines| deadlines.first_byte = Duration::ZERO, Clock::asked, "no answer for 0 s"),
        (|deadlines| deadlines.first_byte = Duration::ZERO, Clock::connected, "no answer for 0 s"),
        (|deadlines| deadlines.idle = Duration::ZERO, Clock::flowing, "no data for 0 s"),
    ];
    for (change, enter, text) in phases {
        let mut deadlines = Deadlines { connect: hour, first_byte: hour, idle: hour, min_rate: None };
        let mut clock = Clock::start(deadlines.clone());
        enter(&mut clock);
        let left = clock.wait().expect("an hour is left").at_most;
        assert!(left > hour / 2 && left <= hour, "{text}: {left:?}");
        change(&mut deadlines);
        let mut clock = Clock::start(deadlines);
        enter(&mut clock);
        assert_eq!(clock.wait().expect_err("nothing is left").what().to_string(), format!("timed out: {text}"));
    }
}

#[test]
fn a_server_that_may_not_answer_gets_half_the_time() {
    let (two, hours) = (Duration::from_secs(2), Duration::from_secs(7200));
    let deadlines = || Deadlines { connect: hours, first_byte: hours, ..Deadlines::default() };
    let first_byte = |clock: Clock| clock.halved().deadlines.first_byte;
    assert_eq!(first_byte(Clock::start(deadlines())), hours / 2);
    assert_eq!(first_byte(Clock::start(deadlines()).within(Some(4 * hours))), hours / 2);
    let of_the_total = first_byte(Clock::start(deadlines()).within(Some(hours / 2)));
    assert!(of_the_total <= hours / 4 && of_the_total > hours / 8, "{of_the_total:?}");
    assert_eq!(first_byte(Clock::start(deadlines()).with_first_byte(two)), two / 2);
    // Connecting has what is left of its own deadline and of the whole call.
    let left = Clock::start(deadlines()).left();
    assert!(left <= hours && left > hours / 2, "{left:?}");
    let left = Clock::start(deadlines()).within(Some(hours / 2)).left();
    assert!(left <= hours / 2 && left > hours / 4, "{left:?}");
    assert_eq!(Clock::start(deadlines()).within(Some(Duration::ZERO)).left(), Duration::ZERO);
}

#[test]
fn what_a_person_types_has_all_the_time_but_that_of_the_call() {
    let min_rate = Some(MinRate::new(1, SHORT));
    let clock = Clock::start(Deadlines { idle: SHORT, min_rate, ..Deadlines::default() });
    assert_eq!(clock.idle(), SHORT);
    let mut free = clock.clone().without_idle();
    assert_eq!((free.idle(), free.wait().expect("for ever").at_most), (Duration::MAX, Duration::MAX));
    let hour = Duration::from_secs(3600);
    let mut bounded = clock.within(Some(hour)).without_idle();
    assert!(bounded.wait().expect("an hour is left").at_most <= hour);
}

#[test]
fn a_wait_in_one_is_not_cut_for_looks_and_sees_a_request_before_it() {
    let cancel = Cancel::new();
    let mut clock = Clock::start(Deadlines::default()).cancelled_by(Some(cancel.clone()));
    clock.flowing();
    assert_eq!(clock.wait().expect("time is left").at_most, Cancel::LOOK);
    assert_eq!(clock.wait_in_one().expect("time is left").at_most, Duration::from_secs(60));
    cancel.request();
    assert_eq!(clock.wait_in_one().expect_err("it is cancelled").kind(), ErrorKind::Cancelled);
}

#[test]
fn only_connecting_begins_the_connect_deadline_anew() {
    let long_ago = Instant::now().checked_sub(Duration::from_secs(9)).expect("a time");
    let mut clock = Clock::start(Deadlines::default());
    clock.since = long_ago;
    let phases: [fn(&mut Clock); 4] = [Clock::asked, Clock::flowing, Clock::connected, |clock| clock.arrived(1)];
    for enter in phases {
        enter(&mut clock);
        assert_eq!(clock.since, long_ago);
    }
    clock.connecting();
    assert!(clock.since > long_ago);
}
