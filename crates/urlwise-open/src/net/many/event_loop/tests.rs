use super::{BELL, Bell, EVENTS, EventLoop, Sources, Waiting};
use rustix::event::epoll::{self, EventFlags as Flags};
use rustix::event::{EventfdFlags, eventfd};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A loop whose coroutines wait for these times, if they wait.
fn event_loop(waits: Vec<Waiting>) -> EventLoop {
    let epoll = epoll::create(epoll::CreateFlags::CLOEXEC).expect("a descriptor");
    let event = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).expect("a descriptor");
    epoll::add(&epoll, &event, epoll::EventData::new_u64(BELL), Flags::IN | Flags::ET).expect("it can be watched");
    let event_loop = EventLoop::new(epoll, Arc::new(Bell { event, woken: Mutex::default() }));
    event_loop.waits.replace(waits);
    event_loop
}

fn until(until: Option<Instant>) -> Waiting {
    Waiting { is_suspended: true, until, is_over: false }
}

fn ready(event_loop: &EventLoop) -> Vec<usize> {
    event_loop.ready.borrow().iter().copied().collect()
}

#[test]
fn what_is_ready_is_what_the_system_says() {
    let event_loop = event_loop(Vec::new());
    for (flags, read, write, has_ended, has_failed) in [
        (Flags::empty(), false, false, false, false),
        (Flags::IN, true, false, false, false),
        (Flags::PRI, true, false, false, false),
        (Flags::OUT, false, true, false, false),
        (Flags::RDHUP, true, false, true, false),
        (Flags::HUP, true, true, true, true),
        (Flags::ERR, true, true, true, true),
    ] {
        let (place, of) = event_loop.sources.borrow_mut().add();
        event_loop.sight(place as u64, flags);
        let found = [&of.read, &of.write, &of.has_ended, &of.has_failed].map(|flag| flag.load(Relaxed));
        assert_eq!(found, [read, write, has_ended, has_failed], "{flags:?}");
    }
    // An event of a socket that was never registered.
    event_loop.sight(1000, Flags::IN);
}

#[test]
fn a_sighted_socket_wakes_the_coroutine_that_waits_for_it() {
    let event_loop = event_loop(vec![until(None), until(None), Waiting::default()]);
    let (place, of) = event_loop.sources.borrow_mut().add();
    event_loop.sight(place as u64, Flags::IN);
    assert_eq!(ready(&event_loop), [], "nobody waits for it");
    for waiter in [1, 2, 7] {
        of.waiter.store(waiter, Relaxed);
        event_loop.sight(place as u64, Flags::IN);
    }
    assert_eq!(ready(&event_loop), [1], "the third runs, and there is no eighth");
    assert!(!event_loop.waits.borrow()[1].is_suspended);
}

#[test]
fn only_as_many_idle_coroutines_are_resumed_as_there_are_jobs() {
    let event_loop = event_loop(vec![until(None); 3]);
    event_loop.idle.replace(vec![0, 1, 2]);
    assert_eq!((event_loop.resume_idle(2), ready(&event_loop)), (2, vec![1, 2]));
    assert_eq!(*event_loop.idle.borrow(), [0]);
    assert_eq!((event_loop.resume_idle(9), ready(&event_loop)), (1, vec![1, 2, 0]));
    assert_eq!(event_loop.resume_idle(9), 0);
}

#[test]
fn the_loop_sleeps_until_the_first_time_comes_and_not_at_all_if_somebody_is_ready() {
    let total = |event_loop: &EventLoop| event_loop.timeout().map(|time| (time.tv_sec, time.tv_nsec));
    let now = Instant::now();
    let waits = |times: &[Waiting]| event_loop(times.to_vec());
    assert_eq!(total(&waits(&[])), None);
    assert_eq!(total(&waits(&[until(None), Waiting { until: Some(now), ..Waiting::default() }])), None);
    let days = |days: u64| Some(now + Duration::from_secs(days * 24 * 3600));
    // The most milliseconds that the system counts.
    assert_eq!(total(&waits(&[until(days(100)), until(None)])), Some((2_147_483, 647_000_000)));
    let (seconds, _) = total(&waits(&[until(days(100)), until(days(2)), until(days(3))])).expect("a time");
    assert!(seconds <= 2 * 24 * 3600 && seconds > 24 * 3600, "{seconds}");
    assert_eq!(total(&waits(&[until(Some(now))])), Some((0, 0)));
    let busy = waits(&[until(days(100))]);
    busy.ready.borrow_mut().push_back(0);
    assert_eq!(total(&busy), Some((0, 0)));
}

#[test]
fn those_whose_time_has_come_and_those_that_are_woken_are_ready() {
    let now = Instant::now();
    let later = now + Duration::from_secs(3600);
    let running = Waiting { is_suspended: false, ..until(Some(now)) };
    let event_loop = event_loop(vec![until(Some(now)), until(Some(later)), until(None), running]);
    event_loop.bell.woken().extend([2, 3]);
    event_loop.bell.ring();
    event_loop.poll(&mut Vec::with_capacity(EVENTS));
    assert_eq!(ready(&event_loop), [2, 0]);
    let waits = event_loop.waits.borrow();
    assert_eq!(waits.iter().map(|waiting| waiting.is_over).collect::<Vec<_>>(), [true, false, false, false]);
    assert_eq!(waits.iter().map(|waiting| waiting.is_suspended).collect::<Vec<_>>(), [false, true, false, false]);
    assert!(event_loop.bell.woken().is_empty());
}

#[test]
fn places_of_sockets_that_are_gone_are_given_again_and_no_others() {
    let mut sources = Sources::default();
    let kept: Vec<_> = (0..40).map(|_| sources.add()).collect();
    for _ in 0..1000 {
        let (place, _) = sources.add();
        assert!(kept.iter().all(|(of_another, _)| *of_another != place));
    }
    // Twice as many as are in use.
    assert_eq!(sources.all.len(), 80);
    let mut sources = Sources::default();
    (0..1000).for_each(|_| drop(sources.add()));
    assert_eq!(sources.all.len(), 64);
}
