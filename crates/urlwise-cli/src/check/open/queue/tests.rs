use super::*;

const QUICK: Came = Came::Answer(Duration::from_millis(1));

fn queue(per_server: u16, jobs: &[(usize, &str)]) -> Queue {
    let mut queue = Queue::new(Limits { per_server, pause: Duration::ZERO, retries: 1 });
    for (job, server) in jobs {
        queue.add(*job, Some((*server).to_owned()));
    }
    queue
}

/// All jobs that may start now.
fn started(queue: &mut Queue, now: Instant) -> Vec<usize> {
    std::iter::from_fn(|| match queue.next(now) {
        Next::Job(job) => Some(job),
        Next::Wait(_) | Next::End => None,
    })
    .collect()
}

#[test]
fn a_server_starts_with_two_requests_and_servers_take_turns() {
    let now = Instant::now();
    let mut queue = queue(8, &[(0, "a"), (1, "a"), (2, "a"), (3, "b"), (4, "b"), (5, "b")]);
    assert_eq!(started(&mut queue, now), [0, 3, 1, 4]);
    assert_eq!(queue.next(now), Next::Wait(Duration::MAX));
    assert!(queue.done(0, QUICK, now).is_empty());
    assert_eq!(started(&mut queue, now), [2]);
}

#[test]
fn quick_answers_make_more_requests_and_slow_ones_fewer() {
    let now = Instant::now();
    let jobs: Vec<_> = (0..1_000).map(|job| (job, "a")).collect();
    let mut queue = queue(8, &jobs);
    let mut running = started(&mut queue, now);
    for _ in 0..100 {
        queue.done(running.remove(0), QUICK, now);
        running.extend(started(&mut queue, now));
    }
    assert_eq!(running.len(), 8, "no more than --per-host");
    for _ in 0..20 {
        queue.done(running.remove(0), Came::Answer(Duration::from_secs(1)), now);
        running.extend(started(&mut queue, now));
    }
    assert_eq!(running.len(), 1);
}

#[test]
fn requests_double_until_an_answer_is_slow_and_then_grow_by_one_each_round() {
    let now = Instant::now();
    let mut queue = queue(64, &(0..1_000).map(|job| (job, "a")).collect::<Vec<_>>());
    let mut running = VecDeque::from(started(&mut queue, now));
    let mut limits = Vec::new();
    for (answers, elapsed) in [(2, 20), (4, 20), (8, 20), (1, 1_000), (13, 20)] {
        for _ in 0..answers {
            queue.done(running.pop_front().unwrap(), Came::Answer(Duration::from_millis(elapsed)), now);
            running.extend(started(&mut queue, now));
        }
        limits.push(format!("{:.0}", queue.servers[0].limit));
    }
    assert_eq!(limits, ["4", "8", "16", "13", "14"]);
}

#[test]
fn a_server_is_asked_no_more_at_a_time_than_its_answers_are_worth() {
    let now = Instant::now();
    let mut queue = queue(64, &(0..1_000).map(|job| (job, "a")).collect::<Vec<_>>());
    let mut running = VecDeque::from(started(&mut queue, now));
    let mut limits = Vec::new();
    for elapsed in [1, 4, 10, 50] {
        for _ in 0..100 {
            queue.done(running.pop_front().unwrap(), Came::Answer(Duration::from_millis(elapsed)), now);
            running.extend(started(&mut queue, now));
        }
        limits.push(running.len());
    }
    assert_eq!(limits, [8, 8, 20, 64], "2000 requests in a second, or eight at a time");
}

#[test]
fn a_limit_of_one_is_kept_and_a_rate_too() {
    let now = Instant::now();
    let mut queue = queue(1, &[(0, "a"), (1, "a")]);
    queue.limits.pause = Duration::from_millis(500);
    assert_eq!(started(&mut queue, now), [0]);
    queue.done(0, QUICK, now);
    assert_eq!(queue.next(now), Next::Wait(Duration::from_millis(500)));
    assert_eq!(started(&mut queue, now + Duration::from_millis(500)), [1]);
}

#[test]
fn a_server_that_had_too_many_requests_is_left_alone_for_as_long_as_it_asks() {
    let now = Instant::now();
    let mut queue = queue(8, &[(0, "a"), (1, "a"), (2, "b")]);
    assert_eq!(started(&mut queue, now), [0, 2, 1]);
    queue.done(0, Came::TooMany(Some(Duration::from_secs(7))), now);
    queue.done(1, QUICK, now);
    assert_eq!(queue.next(now + Duration::from_secs(6)), Next::Wait(Duration::from_secs(1)));
    assert_eq!(queue.next(now + Duration::from_secs(7)), Next::Job(0));
}

#[test]
fn a_link_is_not_delayed_for_ever() {
    let mut now = Instant::now();
    let mut queue = queue(8, &[(0, "a")]);
    let mut asked = 0;
    loop {
        match queue.next(now) {
            Next::Job(job) => {
                asked += 1;
                queue.done(job, Came::TooMany(None), now);
            }
            Next::Wait(time) => now += time,
            Next::End => break,
        }
    }
    // Once, three times after a delay, and at the end.
    assert_eq!(asked, 1 + MOST_DELAYS + 1);
}

#[test]
fn a_server_that_wants_to_be_left_alone_for_long_is_not_asked_again() {
    let now = Instant::now();
    let mut queue = queue(1, &[(0, "a"), (1, "a"), (2, "a")]);
    assert_eq!(started(&mut queue, now), [0]);
    let wait = LONGEST_PAUSE + Duration::from_secs(1);
    assert_eq!(queue.done(0, Came::TooMany(Some(wait)), now), [1, 2]);
    assert_eq!(queue.next(now), Next::End);
}

#[test]
fn a_server_that_keeps_asking_for_patience_loses_it() {
    let mut now = Instant::now();
    let mut queue = queue(8, &(0..10_000).map(|job| (job, "a")).collect::<Vec<_>>());
    let (start, mut asked, mut alike) = (now, 0, 0);
    loop {
        match queue.next(now) {
            Next::Job(job) => {
                asked += 1;
                alike += queue.done(job, Came::TooMany(Some(LONGEST_PAUSE)), now).len();
            }
            Next::Wait(time) => now += time,
            Next::End => break,
        }
    }
    // Six waits are too many, and the second attempts do not begin anew.
    assert_eq!((asked, now - start), (6, LONGEST_PAUSES));
    assert_eq!(alike, 10_000 - 1);
}

#[test]
fn several_answers_that_ask_for_one_wait_are_one() {
    let now = Instant::now();
    let mut queue = queue(8, &(0..8).map(|job| (job, "a")).collect::<Vec<_>>());
    for job in started(&mut queue, now) {
        queue.done(job, Came::TooMany(Some(Duration::from_secs(9))), now);
    }
    assert_eq!(queue.servers[0].paused, Duration::from_secs(9));
}

#[test]
fn what_a_redirect_leads_to_says_nothing_about_the_server() {
    let mut now = Instant::now();
    let mut queue = queue(1, &(0..10).map(|job| (job, "a")).collect::<Vec<_>>());
    let mut order = Vec::new();
    loop {
        match queue.next(now) {
            Next::Job(job) => {
                order.push(job);
                assert!(queue.done(job, Came::Redirect { is_suspect: job == 3 }, now).is_empty());
            }
            Next::Wait(time) => now += time,
            Next::End => break,
        }
    }
    assert_eq!(order, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 3]);
}

#[test]
fn suspects_are_asked_again_after_everything_else_and_once() {
    let mut now = Instant::now();
    let mut queue = queue(1, &[(0, "a"), (1, "a"), (2, "b")]);
    let mut order = Vec::new();
    loop {
        match queue.next(now) {
            Next::Job(job) => {
                order.push(job);
                queue.done(job, if job == 0 { Came::Failed } else { QUICK }, now);
            }
            Next::Wait(time) => now += time,
            Next::End => break,
        }
    }
    assert_eq!(order, [0, 2, 1, 0]);
}

#[test]
fn a_server_that_does_not_answer_is_asked_three_times_and_once_again() {
    let mut now = Instant::now();
    let mut queue = queue(8, &(0..100).map(|job| (job, "a")).collect::<Vec<_>>());
    let (mut asked, mut alike) = (0, 0);
    loop {
        match queue.next(now) {
            Next::Job(job) => {
                asked += 1;
                alike += queue.done(job, Came::Nothing, now).len();
            }
            Next::Wait(time) => now += time,
            Next::End => break,
        }
    }
    assert_eq!((asked, alike), (4, 97 + 99));
}

#[test]
fn one_answer_makes_hope_for_the_rest() {
    let mut now = Instant::now();
    let mut queue = queue(1, &(0..5).map(|job| (job, "a")).collect::<Vec<_>>());
    let mut order = Vec::new();
    loop {
        match queue.next(now) {
            Next::Job(job) => {
                let came = if order.len() < 3 { Came::Nothing } else { QUICK };
                order.push(job);
                queue.done(job, came, now);
            }
            Next::Wait(time) => now += time,
            Next::End => break,
        }
    }
    assert_eq!(order, [0, 1, 2, 0, 1, 2, 3, 4]);
}

#[test]
fn only_failures_in_a_row_count() {
    for hopeful in [QUICK, Came::Failed, Came::Redirect { is_suspect: true }] {
        let now = Instant::now();
        let mut queue = queue(1, &(0..9).map(|job| (job, "a")).collect::<Vec<_>>());
        for (job, came) in [Came::Nothing, Came::Nothing, hopeful, Came::Nothing, Came::Nothing].iter().enumerate() {
            assert_eq!(queue.next(now), Next::Job(job));
            assert!(queue.done(job, *came, now).is_empty(), "{hopeful:?}");
        }
        assert_eq!(queue.next(now), Next::Job(5));
        assert_eq!(queue.done(5, Came::Nothing, now), [6, 7, 8], "{hopeful:?}");
    }
}

#[test]
fn a_suspect_without_an_answer_ends_the_hope_for_the_others() {
    let mut now = Instant::now();
    let mut queue = queue(1, &(0..5).map(|job| (job, "a")).collect::<Vec<_>>());
    for job in 0..5 {
        assert_eq!(queue.next(now), Next::Job(job));
        queue.done(job, Came::Failed, now);
    }
    assert_eq!(queue.next(now), Next::Wait(PAUSE), "suspects are asked after a pause");
    now += PAUSE;
    assert_eq!(queue.next(now), Next::Job(0));
    assert_eq!(queue.done(0, Came::Nothing, now), [1, 2, 3, 4]);
    assert_eq!(queue.next(now), Next::End);
}

#[test]
fn requests_get_rarer_with_each_answer_that_asks_for_patience_and_again_more_frequent() {
    let now = Instant::now();
    let mut queue = queue(8, &(0..9).map(|job| (job, "a")).collect::<Vec<_>>());
    let limited = Came::TooMany(Some(Duration::ZERO));
    let mut spacings = Vec::new();
    for came in [limited, limited, QUICK, limited, limited, limited, limited, limited] {
        let server = &mut queue.servers[0];
        (server.free_at, server.running) = (None, 1);
        queue.running = 1;
        queue.done(0, came, now);
        spacings.push(queue.servers[0].spacing.as_millis());
    }
    assert_eq!(spacings, [50, 100, 95, 190, 380, 760, 1_520, 2_000]);
    (queue.servers[0].free_at, queue.servers[0].limit) = (Some(now), 2.0);
    assert!(matches!(queue.next(now), Next::Job(_)));
    assert_eq!(queue.next(now), Next::Wait(Duration::from_secs(2)));
}

#[test]
fn chance_does_not_make_an_answer_slow_and_silence_leaves_one_request_at_a_time() {
    let now = Instant::now();
    let mut queue = queue(8, &(0..99).map(|job| (job, "a")).collect::<Vec<_>>());
    let mut running = started(&mut queue, now);
    for elapsed in [1, 54, 54, 54, 54, 54] {
        queue.done(running.remove(0), Came::Answer(Duration::from_millis(elapsed)), now);
        running.extend(started(&mut queue, now));
    }
    assert!(running.len() > 2, "{running:?}");
    queue.done(running.remove(0), Came::Nothing, now);
    assert_eq!(queue.servers[0].limit.to_bits(), 1.0_f64.to_bits());
}

#[test]
fn a_host_that_does_not_exist_is_asked_for_once() {
    let now = Instant::now();
    let mut queue = queue(1, &[(0, "a"), (1, "a"), (2, "b")]);
    assert_eq!(started(&mut queue, now), [0, 2]);
    assert_eq!(queue.done(0, Came::NoHost, now), [1]);
    queue.done(2, QUICK, now);
    assert_eq!(queue.next(now), Next::End);
}

#[test]
fn files_of_this_machine_have_no_limit() {
    let now = Instant::now();
    let mut queue = Queue::new(Limits { per_server: 1, pause: Duration::from_secs(1), retries: 0 });
    (0..50).for_each(|job| queue.add(job, None));
    assert_eq!(started(&mut queue, now).len(), 50);
}

#[test]
fn waits_of_five_minutes_in_all_are_the_most() {
    let (now, second) = (Instant::now(), Duration::from_secs(1));
    for (paused, alike) in
        [(LONGEST_PAUSES - second, vec![]), (LONGEST_PAUSES - second + Duration::from_nanos(1), vec![1])]
    {
        let mut queue = queue(1, &[(0, "a"), (1, "a")]);
        assert_eq!(started(&mut queue, now), [0]);
        queue.servers[0].paused = paused;
        assert_eq!(queue.done(0, Came::TooMany(Some(second)), now), alike);
    }
}

#[test]
fn a_shorter_wait_does_not_end_a_longer_one() {
    let now = Instant::now();
    let mut queue = queue(8, &[(0, "a"), (1, "a"), (2, "a")]);
    assert_eq!(started(&mut queue, now), [0, 1]);
    for (job, seconds) in [(0, 9), (1, 1)] {
        queue.done(job, Came::TooMany(Some(Duration::from_secs(seconds))), now);
    }
    assert_eq!(queue.next(now), Next::Wait(Duration::from_secs(9)));
}
