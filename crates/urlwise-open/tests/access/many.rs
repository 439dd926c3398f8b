//! Many calls at a time: on one thread where there is an event loop, with the deadlines and the end of each as if it were alone.

use crate::support::{
    Authority, Listener, Nginx, Prospero, client, client_with, document, failure, failure_kind, get, options,
    read_head, require,
};
use std::collections::HashSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};
use urlwise_open::{Cancel, Client, ErrorKind, Hint, MinRate, Options, Proxies, Roots, run_many};

const SHORT: Duration = Duration::from_millis(200);

/// Whether there is an event loop: elsewhere each job has a thread.
const HAS_LOOP: bool =
    cfg!(all(feature = "many", target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")));

/// Runs all of them at once.
fn at_once<J: Send>(jobs: Vec<J>, work: impl Fn(J) + Sync) {
    run_many(64, |queue| jobs.into_iter().for_each(|job| queue.push(job)), work).expect("the system has room");
}

/// Runs one.
fn inside<T: Send>(work: impl Fn() -> T + Sync) -> T {
    let found = Mutex::new(None);
    at_once(vec![()], |()| *found.lock().expect("it does not panic") = Some(work()));
    found.into_inner().expect("it did not panic").expect("it ran")
}

/// A server that answers nobody before so many have asked, each on a connection of its own.
fn barrier(clients: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    thread::spawn(move || {
        let mut asked: Vec<_> = listener.incoming().flatten().take(clients).collect();
        for stream in &mut asked {
            read_head(stream);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        }
    });
    format!("http://127.0.0.1:{port}/")
}

/// Answers with what is asked for.
fn echo() -> Listener {
    Listener::keeping(|_, request| {
        let path = request.split(|octet| *octet == b' ').nth(1).unwrap_or_default().to_vec();
        Some([format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", path.len()).into_bytes(), path].concat())
    })
}

/// An ftp server with a data connection for each transfer, which sends the name of the document.
fn ftp() -> String {
    fn serve(mut control: TcpStream) -> std::io::Result<()> {
        control.write_all(b"220 ready\r\n")?;
        let passive = TcpListener::bind("127.0.0.1:0")?;
        for line in BufReader::new(control.try_clone()?).lines() {
            let line = line?;
            let (command, argument) = line.split_once(' ').unwrap_or((&line, ""));
            let reply = match command {
                "USER" => "230 in".to_owned(),
                "EPSV" => format!("229 ok (|||{}|)", passive.local_addr()?.port()),
                "RETR" => {
                    control.write_all(b"150 here\r\n")?;
                    passive.accept()?.0.write_all(argument.as_bytes())?;
                    "226 done".to_owned()
                }
                _ => "200 ok".to_owned(),
            };
            control.write_all(format!("{reply}\r\n").as_bytes())?;
        }
        Ok(())
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    thread::spawn(move || {
        for control in listener.incoming().flatten() {
            thread::spawn(move || serve(control));
        }
    });
    format!("ftp://127.0.0.1:{port}/")
}

/// Accepts, and says nothing.
fn silent() -> Listener {
    Listener::keeping(|_, _| {
        thread::sleep(Duration::from_secs(20));
        None
    })
}

/// An address that never accepts while the returned sockets live: its queue is full.
fn black_hole() -> (TcpListener, Vec<TcpStream>, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    rustix::net::listen(&listener, 0).expect("its queue can be shortened");
    let mut queued = Vec::new();
    while let Ok(tcp) = TcpStream::connect_timeout(&address, Duration::from_millis(300)) {
        queued.push(tcp);
        assert!(queued.len() < 100, "the queue is never full");
    }
    (listener, queued, format!("http://{address}/"))
}

#[test]
fn sixty_four_transfers_are_under_way_on_one_thread() {
    let (url, client) = (barrier(64), client());
    let threads = Mutex::new(HashSet::<ThreadId>::new());
    let ended = AtomicUsize::new(0);
    at_once((0..64).collect(), |_| {
        assert_eq!(get(&client, url.as_str()), b"ok");
        threads.lock().expect("no job panics").insert(thread::current().id());
        ended.fetch_add(1, Ordering::Relaxed);
    });
    let threads = threads.into_inner().expect("no job panicked");
    assert_eq!((ended.into_inner(), threads.len()), (64, if HAS_LOOP { 1 } else { 64 }));
    assert!(!threads.contains(&thread::current().id()), "the caller adds jobs meanwhile");
}

#[test]
fn a_thousand_jobs_each_get_their_own_answer_over_few_connections() {
    let (server, client) = (echo(), client());
    let seen = Mutex::new(vec![0; 1000]);
    run_many(
        8,
        |queue| (0..1000).for_each(|number| queue.push(number)),
        |number: usize| {
            assert_eq!(get(&client, server.http_url(&format!("/{number}"))), format!("/{number}").into_bytes());
            seen.lock().expect("no job panics")[number] += 1;
        },
    )
    .expect("the system has room");
    assert_eq!(seen.into_inner().expect("no job panicked"), vec![1; 1000]);
    let first = server.numbers().iter().filter(|number| **number == 0).count();
    assert!(first <= 8, "{first} connections");
}

#[test]
fn no_more_jobs_run_at_a_time_than_asked_for() {
    let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    run_many(
        3,
        |queue| (0..30).for_each(|number| queue.push(number)),
        |_: usize| {
            most.fetch_max(now.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
            urlwise_open::sleep(Duration::from_millis(5));
            now.fetch_sub(1, Ordering::Relaxed);
        },
    )
    .expect("the system has room");
    assert_eq!(most.into_inner(), 3);
}

#[test]
fn the_feed_waits_while_enough_jobs_wait_and_its_result_is_returned() {
    let (added, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let returned = run_many(
        1,
        |queue| {
            for _ in 0..500 {
                queue.push(());
                let waiting = added.fetch_add(1, Ordering::Relaxed) + 1 - done.load(Ordering::Relaxed);
                assert!(waiting <= 70, "{waiting} wait");
            }
            "all"
        },
        |()| {
            thread::sleep(Duration::from_micros(100));
            done.fetch_add(1, Ordering::Relaxed);
        },
    );
    assert_eq!((returned.expect("the system has room"), done.into_inner()), ("all", 500));
}

#[test]
fn jobs_that_come_late_are_run_at_once() {
    let begun = Mutex::new(Vec::new());
    run_many(
        2,
        |queue| {
            for number in 0..3 {
                thread::sleep(SHORT);
                queue.push((number, Instant::now()));
            }
        },
        |(number, added)| begun.lock().expect("no job panics").push((number, added.elapsed())),
    )
    .expect("the system has room");
    let begun = begun.into_inner().expect("no job panicked");
    assert_eq!(begun.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(begun.iter().all(|(_, after)| *after < SHORT), "{begun:?}");
    run_many(2, |_| (), |()| panic!("there is no job")).expect("the system has room");
}

#[test]
fn no_job_is_forgotten_whichever_side_is_faster() {
    for at_a_time in 1..4 {
        let done = AtomicUsize::new(0);
        run_many(
            at_a_time,
            |queue| {
                for number in 0..600_u64 {
                    queue.push(number);
                    if number % 7 > 3 {
                        thread::sleep(Duration::from_micros(number % 300));
                    }
                }
            },
            |number| {
                if number % 3 > 0 {
                    urlwise_open::sleep(Duration::from_micros(number % 200));
                }
                done.fetch_add(1, Ordering::Relaxed);
            },
        )
        .expect("the system has room");
        assert_eq!(done.into_inner(), 600);
    }
}

#[test]
fn a_slow_server_delays_no_other() {
    let (slow, fast, client) = (silent(), echo(), client_with(|options| options.deadlines.first_byte = 10 * SHORT));
    let ended = Mutex::new(Vec::new());
    at_once((0..20).collect(), |number: usize| {
        if number.is_multiple_of(5) {
            assert_eq!(failure_kind(&client, slow.http_url("/")), ErrorKind::Timeout);
        } else {
            assert_eq!(get(&client, fast.http_url("/x")), b"/x");
        }
        ended.lock().expect("no job panics").push(number.is_multiple_of(5));
    });
    let ended = ended.into_inner().expect("no job panicked");
    assert_eq!(ended.iter().position(|is_slow| *is_slow), Some(16), "{ended:?}");
}

#[test]
fn a_stream_that_never_pauses_delays_no_other() {
    let endless = Listener::http(|mut stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        thread::spawn(move || while stream.write_all(&[b'x'; 1 << 16]).is_ok() {});
    });
    let (server, client) = (echo(), client());
    let others = AtomicUsize::new(0);
    at_once((0..9).collect(), |number: usize| {
        if number == 0 {
            let mut document = document(&client, endless.http_url("/"));
            let begun = Instant::now();
            while others.load(Ordering::Relaxed) < 8 {
                assert!(begun.elapsed() < Duration::from_secs(10), "nobody else has a turn");
                let count = document.fill().expect("it goes on").len();
                document.consume_octets(count);
            }
        } else {
            assert_eq!(get(&client, server.http_url("/x")), b"/x");
            others.fetch_add(1, Ordering::Relaxed);
        }
    });
}

#[test]
fn security_48_every_deadline_of_every_call_holds() {
    let (_hole, _queued, dead) = black_hole();
    let silent = silent();
    let stalls = Listener::http(|mut stream| {
        thread::spawn(move || {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
            thread::sleep(Duration::from_secs(20));
        });
    });
    let trickles = Listener::http(|mut stream| {
        thread::spawn(move || {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
            while stream.write_all(b"x").is_ok() {
                thread::sleep(SHORT / 8);
            }
        });
    });
    type Change = fn(&mut Options);
    let cases: [(&str, String, Change, Option<Hint>, u32); 5] = [
        ("connect", dead, |options| options.deadlines.connect = SHORT, Some(Hint::ConnectTimeout), 1),
        (
            "first octet",
            silent.http_url("/"),
            |options| options.deadlines.first_byte = 2 * SHORT,
            Some(Hint::FirstByteTimeout),
            2,
        ),
        ("idle", stalls.http_url("/"), |options| options.deadlines.idle = 3 * SHORT, Some(Hint::IdleTimeout), 3),
        (
            "minimum rate",
            trickles.http_url("/"),
            |options| options.deadlines.min_rate = Some(MinRate::new(1000, 2 * SHORT)),
            Some(Hint::MinRate),
            2,
        ),
        ("total", trickles.http_url("/"), |options| options.timeout = Some(4 * SHORT), Some(Hint::Timeout), 4),
    ];
    at_once(cases.iter().cycle().take(20).collect(), |(name, url, change, hint, times)| {
        let client = client_with(change);
        let begun = Instant::now();
        let error = failure(&client, url.as_str());
        let (least, took) = (*times * SHORT, begun.elapsed());
        assert_eq!((error.kind(), error.hint()), (ErrorKind::Timeout, *hint), "{name}: {error}");
        assert!(took >= least && took < least + 5 * SHORT, "{name}: {took:?}");
    });
}

#[test]
fn security_50_a_request_to_stop_ends_all_within_half_a_second() {
    let (_hole, _queued, dead) = black_hole();
    let (silent, cancel) = (silent(), Cancel::new());
    let udp = Prospero::serving(|_| Vec::new());
    let mut options = options();
    options.cancel = Some(cancel.clone());
    let client = Client::new(options);
    let ftp = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let urls = [
        dead,
        silent.http_url("/"),
        format!("prospero://127.0.0.1:{}//x", udp.port),
        format!("ftp://{}/x", ftp.local_addr().expect("it is bound")),
    ];
    let stopped = Mutex::new(None);
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(2 * SHORT);
            *stopped.lock().expect("nobody panics") = Some(Instant::now());
            cancel.request();
        });
        at_once(urls.iter().cycle().take(40).collect(), |url| {
            assert_eq!(failure_kind(&client, url.as_str()), ErrorKind::Cancelled, "{url}");
        });
    });
    let took = stopped.into_inner().expect("nobody panicked").expect("it was stopped").elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
}

#[test]
fn ftp_has_its_data_connections_and_keeps_its_control_connections() {
    let (base, client) = (ftp(), client());
    run_many(
        8,
        |queue| (0..100).for_each(|number| queue.push(number)),
        |number: usize| assert_eq!(get(&client, format!("{base}f{number}")), format!("f{number}").into_bytes()),
    )
    .expect("the system has room");
}

#[test]
fn tls_and_proxies_work_as_outside() {
    if !require(&["nginx", "openssl"]) {
        return;
    }
    let authority = Authority::new();
    let nginx = Nginx::start(Some(&authority), "location = /echo { return 200 \"$request_uri $arg_n\"; }");
    let trusting = client_with(|options| options.roots = Roots::Pem(authority.ca()));
    let proxy = Listener::answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    let through = client_with(|options| {
        options.proxies = Proxies::all(&format!("http://127.0.0.1:{}", proxy.port)).expect("well-formed");
    });
    at_once((0..40).collect(), |number: usize| match number % 4 {
        0 => assert_eq!(get(&through, "http://no-such-host.invalid/"), b"ok"),
        1 => {
            let error = failure(&client(), nginx.tls_url("/echo"));
            assert_eq!(error.kind(), ErrorKind::Tls, "{error}");
        }
        _ => {
            let answer = get(&trusting, nginx.tls_url(&format!("/echo?n={number}")));
            assert_eq!(answer, format!("/echo?n={number} {number}").into_bytes());
        }
    });
}

#[test]
fn datagrams_arrive_and_are_repeated_when_they_are_lost() {
    let complete = AtomicUsize::new(0);
    let server = Prospero::telling(|_| b"NONE-FOUND\n".to_vec());
    let lossy = {
        let behind = std::net::UdpSocket::bind("127.0.0.1:0").expect("a free port");
        behind.connect(("127.0.0.1", server.port)).expect("it is there");
        behind.set_read_timeout(Some(SHORT)).expect("a socket");
        let mut received = 0;
        // Every first datagram is lost, and every other answer.
        Prospero::serving(move |datagram| {
            received += 1;
            if received % 2 == 1 || behind.send(datagram).is_err() {
                return Vec::new();
            }
            let mut answer = vec![0; 1 << 16];
            behind.recv(&mut answer).map(|count| vec![answer[..count].to_vec()]).unwrap_or_default()
        })
    };
    let client = client_with(|options| options.ardp.first_wait = SHORT);
    at_once((0..16).collect(), |number: usize| {
        let port = if number.is_multiple_of(2) { server.port } else { lossy.port };
        let menu = crate::support::menu(&client, format!("prospero://127.0.0.1:{port}//x/"));
        assert_eq!(menu.map(|entry| entry.expect("it is whole").title).collect::<Vec<_>>(), [b""; 0]);
        complete.fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!(complete.into_inner(), 16);
}

#[test]
fn a_kept_connection_serves_inside_and_outside_in_turn() {
    let (server, client) = (echo(), client());
    for _ in 0..2 {
        assert_eq!(get(&client, server.http_url("/out")), b"/out");
        assert_eq!(inside(|| get(&client, server.http_url("/in"))), b"/in");
        assert_eq!(inside(|| get(&client, server.http_url("/again"))), b"/again");
    }
    assert_eq!(server.numbers(), [0, 1, 2, 3, 4, 5], "one connection");
    // An answer that begins inside is read to its end outside.
    let large =
        Listener::answering([&b"HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n"[..], &[b'x'; 3_000_000]].concat());
    let mut begun = inside(|| document(&client, large.http_url("/")));
    let mut octets = Vec::new();
    begun.write_to(&mut octets).expect("it goes on");
    assert_eq!(octets.len(), 3_000_000);
}

#[test]
fn after_a_panic_the_jobs_that_have_begun_end_and_no_other_begins() {
    let (server, client) = (echo(), client());
    let (ended, begun) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let run = std::panic::AssertUnwindSafe(|| {
        run_many(
            4,
            |queue| (0..1000).for_each(|number| queue.push(number)),
            |number: usize| {
                begun.fetch_add(1, Ordering::Relaxed);
                urlwise_open::sleep(SHORT);
                if number == 1 {
                    panic!("as it should");
                }
                assert_eq!(get(&client, server.http_url("/x")), b"/x");
                ended.fetch_add(1, Ordering::Relaxed);
            },
        )
    });
    if HAS_LOOP {
        let reason = std::panic::catch_unwind(run).expect_err("it panics");
        assert_eq!(reason.downcast_ref::<&str>(), Some(&"as it should"));
        let (begun, ended) = (begun.into_inner(), ended.into_inner());
        assert!((2..=5).contains(&begun) && ended == begun - 1, "{ended} of {begun}");
    }
}

#[test]
#[should_panic(expected = "nothing more to add")]
fn a_panic_of_the_caller_ends_the_loop() {
    let run = || run_many(4, |queue| (0..3).for_each(|number| queue.push(number)), |_: u32| ());
    run().expect("the system has room");
    let _ = run_many(
        4,
        |queue| {
            queue.push(1);
            panic!("nothing more to add");
        },
        |_: u32| urlwise_open::sleep(SHORT),
    );
}
