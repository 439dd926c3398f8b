use super::{
    Attempts, BELL, Bell, EVENTS, EventLoop, KNOWN, NOBODY, Queue, STACK, Source, Sources, TURN, Waiting, Waker,
    coroutine, doze, give_way, here, push, reserve, run, sleep, wait,
};
use crate::net::loopback::{listener, pair};
use crate::net::many::Interest;
use crate::net::many::feed::Feed;
use rustix::event::epoll::{self, EventFlags as Flags};
use rustix::event::{EventfdFlags, eventfd};
use rustix::fs::{OFlags, fcntl_getfl};
use rustix::io::{FdFlags, fcntl_getfd};
use rustix::net::sockopt::set_socket_linger;
use std::io::{ErrorKind, Read, Write};
use std::net::UdpSocket;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, mpsc};
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

/// Does all of these jobs at once.
fn run_jobs<J: Send>(jobs: Vec<J>, work: impl Fn(J) + Sync) {
    run(jobs.len(), |queue| jobs.into_iter().for_each(|job| push(&queue, job)), &work).expect("the system has room");
}

const MOMENT: Duration = Duration::from_millis(1);
const LONG: Duration = Duration::from_secs(10);

/// Does this in a job while another one can continue. Returns whether that has continued by the end.
fn gives_way(act: impl Fn() + Sync) -> bool {
    let (waiting, continued, found) = (AtomicUsize::new(NOBODY), AtomicBool::new(false), AtomicBool::new(false));
    run_jobs(vec![true, false], |acts| {
        let event_loop = here().expect("it is a job");
        if acts {
            while waiting.load(Relaxed) == NOBODY {
                sleep(MOMENT);
            }
            event_loop.wake(waiting.load(Relaxed));
            act();
            found.store(continued.load(Relaxed), Relaxed);
        } else {
            waiting.store(event_loop.running.get(), Relaxed);
            event_loop.suspend(None);
            continued.store(true, Relaxed);
        }
    });
    found.into_inner()
}

#[test]
fn a_job_gives_way_to_those_that_can_continue() {
    assert!(!gives_way(|| ()));
    assert!(gives_way(give_way));
}

#[test]
fn a_job_that_gave_way_does_not_do_so_twice_before_it_waits_or_sends() {
    let passes = |act: fn()| {
        let (polls, begun) = (AtomicUsize::new(0), AtomicUsize::new(0));
        run_jobs(vec![(), ()], |()| {
            begun.fetch_add(1, Relaxed);
            while begun.load(Relaxed) < 2 {
                here().expect("it is a job").pass();
            }
            // Now both can continue, and each of them finds the other one there.
            here().expect("it is a job").pass();
            let before = here().expect("it is a job").polls.get();
            act();
            let after = here().expect("it is a job").polls.get();
            polls.fetch_max(usize::try_from(after - before).expect("there are few"), Relaxed);
        });
        polls.into_inner()
    };
    assert_eq!(passes(give_way), 1);
    assert_eq!(passes(|| (0..2).for_each(|_| give_way())), 1, "connections are looked at, and a request is sent");
    assert_eq!(passes(|| (0..3).for_each(|_| give_way())), 2, "the next request");
}

#[test]
fn a_socket_is_known_to_be_silent_by_a_poll_after_the_last_read_that_found_nothing() {
    run_jobs(vec![()], |()| {
        let (mut tcp, mut peer) = pair();
        let source = Source::of(&tcp).expect("it can be watched").expect("it is a job");
        assert!(!source.is_silent(), "nobody has asked");
        sleep(MOMENT);
        assert!(source.is_silent());
        peer.write_all(b"0123").expect("it is connected");
        assert!(wait(&[(&source, Interest::Read)], LONG) && !source.is_silent(), "something is there");
        let count = tcp.read(&mut [0; 8]).expect("it was sent");
        source.has_read(count, 8);
        assert!(!source.is_silent(), "nobody has asked since");
        sleep(MOMENT);
        assert!(source.is_silent());
        std::thread::sleep(KNOWN);
        assert!(!source.is_silent(), "that was long ago");
        drop(peer);
        assert!(wait(&[(&source, Interest::Read)], LONG) && !source.is_silent(), "the end is there");
        run_elsewhere(|| assert!(!source.is_silent(), "it is another loop"));
    });
}

/// Runs this in a job of another loop.
fn run_elsewhere(work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            run_jobs(vec![()], |()| {
                sleep(MOMENT);
                work();
            });
        });
    });
}

#[test]
fn a_poll_that_may_not_have_found_all_says_nothing_about_the_others() {
    let event_loop = event_loop(Vec::new());
    let sockets: Vec<_> = (0..=EVENTS).map(|_| UdpSocket::bind("127.0.0.1:0").expect("there is a port")).collect();
    for socket in &sockets[..EVENTS - 1] {
        epoll::add(&event_loop.epoll, socket, epoll::EventData::new_u64(1000), Flags::OUT).expect("it can be watched");
    }
    let mut events = Vec::with_capacity(EVENTS);
    event_loop.ready.borrow_mut().push_back(0);
    event_loop.poll(&mut events);
    assert_eq!(event_loop.polls.get(), 1);
    for socket in &sockets[EVENTS - 1..] {
        epoll::add(&event_loop.epoll, socket, epoll::EventData::new_u64(1000), Flags::OUT).expect("it can be watched");
    }
    let polled = event_loop.polled.get();
    event_loop.poll(&mut events);
    assert_eq!((event_loop.polls.get(), event_loop.polled.get()), (1, polled));
}

#[test]
fn a_job_that_has_received_enough_gives_way() {
    let receives = |counts: &[usize]| {
        gives_way(|| {
            let (tcp, _peer) = pair();
            let source = Source::of(&tcp).expect("it can be watched").expect("it is a job");
            counts.iter().for_each(|count| source.has_read(*count, *count));
        })
    };
    assert!(!receives(&[TURN - 1]));
    assert!(receives(&[TURN]));
    assert!(receives(&[TURN / 2, TURN / 2]));
}

#[test]
fn a_read_that_did_not_fill_its_room_has_read_all_there_was_unless_the_end_is_there() {
    run_jobs(vec![()], |()| {
        let (tcp, _peer) = pair();
        let source = Source::of(&tcp).expect("it can be watched").expect("it is a job");
        let is_ready_after = |count, room| {
            source.readiness.read.store(true, Relaxed);
            source.has_read(count, room);
            source.is_ready(Interest::Read)
        };
        assert!(!is_ready_after(3, 4));
        assert!(is_ready_after(4, 4));
        source.readiness.has_ended.store(true, Relaxed);
        assert!(is_ready_after(3, 4));
    });
}

#[test]
fn a_socket_is_at_home_in_one_loop() {
    let source = Mutex::new(None);
    run_jobs(vec![()], |()| {
        let (tcp, _peer) = pair();
        let registered = Source::of(&tcp).expect("it can be watched").expect("it is a job");
        assert!(registered.is_here());
        *source.lock().expect("no job panics") = Some(registered);
    });
    let source = source.into_inner().expect("no job panicked").expect("it was registered");
    assert!(!source.is_here());
    run_jobs(vec![()], |()| assert!(!source.is_here(), "it is another loop"));
    assert!(Source::of(&pair().0).expect("nothing happens").is_none());
}

#[test]
fn a_job_that_dozes_continues_when_another_thread_or_job_wakes_it() {
    let (waker, is_woken) = (Mutex::new(None), AtomicBool::new(false));
    let begun = Instant::now();
    run_jobs(vec![true, false], |dozes| {
        let own = Waker::here().expect("it is a job");
        assert!(Waker::here().is_some_and(|again| again == own));
        if dozes {
            *waker.lock().expect("no job panics") = Some(own);
            doze(LONG);
            assert!(is_woken.load(Relaxed));
        } else {
            let dozing = loop {
                if let Some(dozing) = waker.lock().expect("no job panics").take() {
                    break dozing;
                }
                sleep(MOMENT);
            };
            assert!(dozing != own);
            is_woken.store(true, Relaxed);
            dozing.wake();
        }
    });
    assert!(begun.elapsed() < LONG, "{:?}", begun.elapsed());
    assert!(Waker::here().is_none());
}

#[test]
fn a_loop_without_jobs_leaves_the_thread_to_the_others() {
    let (has_begun, begun) = mpsc::channel();
    let (is_done, done) = mpsc::channel();
    let has_other_ended = AtomicBool::new(false);
    let (has_begun, is_done) = (Mutex::new(has_begun), Mutex::new(is_done));
    let feed = |queue: Queue<'_, bool>| {
        push(&queue, true);
        begun.recv_timeout(LONG).expect("it begins");
        push(&queue, false);
        // The loop may not yet know that there is nothing more to do.
        done.recv_timeout(LONG).expect("it has its turn");
    };
    let work = |waits: bool| {
        if waits {
            has_begun.lock().expect("no job panics").send(()).expect("somebody waits");
            while !has_other_ended.load(Relaxed) {
                sleep(MOMENT);
            }
            sleep(MOMENT);
            is_done.lock().expect("no job panics").send(()).expect("somebody waits");
        } else {
            has_other_ended.store(true, Relaxed);
        }
    };
    run(2, feed, &work).expect("the system has room");
}

#[test]
fn twice_as_many_jobs_can_wait_as_run_and_at_least_64() {
    for (at_a_time, room) in [(1, 64), (40, 80)] {
        let (has_begun, begun) = mpsc::channel();
        let (are_added, added) = mpsc::channel();
        let (has_begun, added) = (Mutex::new(has_begun), Mutex::new(added));
        let feed = |queue: Queue<'_, bool>| {
            push(&queue, true);
            begun.recv_timeout(LONG).expect("it begins");
            (0..room).for_each(|_| push(&queue, false));
            are_added.send(()).expect("somebody waits");
        };
        let work = |blocks: bool| {
            if blocks {
                has_begun.lock().expect("no job panics").send(()).expect("somebody waits");
                added.lock().expect("no job panics").recv_timeout(LONG / 5).expect("there is room for all");
            }
        };
        run(at_a_time, feed, &work).expect("the system has room");
    }
}

#[test]
fn more_stacks_than_there_can_be_memory_for_are_refused() {
    let stack = STACK as u64;
    for (stacks, longest, is_enough) in [
        (64, None, true),
        (64, Some(2 * stack), true),
        (1, Some(2 * stack - 1), false),
        // More than addresses reach.
        (1 << 30, None, false),
        (1 << 30, Some(0), false),
    ] {
        let reserved = reserve(stacks, longest).map_err(|error| error.kind());
        let expected = if is_enough { Ok(()) } else { Err(ErrorKind::OutOfMemory) };
        assert_eq!(reserved, expected, "{stacks} {longest:?}");
    }
}

#[test]
fn a_job_has_the_stack_that_is_promised() {
    let feed = Feed::<()>::new(1);
    feed.close();
    let mut coroutine = coroutine(&feed, &|()| ());
    assert_eq!(coroutine.stack_usage().0 * size_of::<usize>(), STACK);
    // One that is dropped must have ended.
    coroutine.resume();
    assert!(coroutine.is_done());
}

#[test]
fn a_program_that_is_started_inherits_nothing_of_the_loop_and_the_bell_never_blocks() {
    run_jobs(vec![()], |()| {
        let event_loop = here().expect("it is a job");
        for descriptor in [&event_loop.epoll, &event_loop.bell.event] {
            assert!(fcntl_getfd(descriptor).expect("it is open").contains(FdFlags::CLOEXEC));
        }
        assert!(fcntl_getfl(&event_loop.bell.event).expect("it is open").contains(OFlags::NONBLOCK));
    });
}

#[test]
fn attempts_end_with_a_connection_or_with_the_error_of_the_system() {
    assert!(Attempts::here().is_none());
    let (_listener, address) = listener();
    run_jobs(vec![()], |()| {
        let mut attempts = Attempts::here().expect("it is a job");
        attempts.start(address).expect("the system has a socket");
        let (tcp, source) = attempts.next(LONG).expect("it ends").expect("somebody listens");
        assert_eq!(tcp.peer_addr().expect("it is connected"), address);
        assert!(source.is_here() && attempts.next(Duration::ZERO).is_none());
        // One that fails later than at once.
        let (tcp, peer) = pair();
        set_socket_linger(&peer, Some(Duration::ZERO)).expect("a socket");
        drop(peer);
        let source = Source::of(&tcp).expect("it can be watched").expect("it is a job");
        attempts.under_way.push((tcp, source));
        let error = attempts.next(LONG).expect("it ends").map(drop).expect_err("it was reset");
        assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{error}");
    });
}

#[test]
fn the_queue_of_jobs_can_be_shown() {
    let shown = crate::run_many(1, |jobs| format!("{jobs:?}"), |()| ()).expect("the system has room");
    assert_eq!(shown, "Jobs { .. }");
}
