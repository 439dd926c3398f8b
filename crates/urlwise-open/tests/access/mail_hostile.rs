//! Mail servers of a few lines, over sockets: what only time, addresses and torn connections can show.

use crate::mail::{letter, server};
use crate::support::{client_with, options};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use urlwise_open::{Cancel, Client, Error, ErrorKind, Observe, Options, Peer, Seen, ServerLogin};

/// Says one thing to each line, the first one unasked, and then falls silent.
struct Scripted {
    port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Scripted {
    fn start(script: &[&str]) -> Scripted {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (kept, script): (_, Vec<String>) =
            (Arc::clone(&heard), script.iter().map(|line| (*line).to_owned()).collect());
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut lines = BufReader::new(stream.try_clone().expect("a socket")).lines();
                let mut script = script.iter();
                let mut is_data = false;
                loop {
                    if !is_data && let Some(reply) = script.next() {
                        // A client that has heard enough closes early.
                        if reply == "CLOSE" || stream.write_all(reply.as_bytes()).is_err() {
                            break;
                        }
                        is_data = reply.starts_with("354");
                    }
                    let Some(Ok(line)) = lines.next() else { break };
                    is_data &= line != ".";
                    kept.lock().expect("no test panics with it").push(line);
                }
            }
        });
        Scripted { port, heard }
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("no test panics with it").clone()
    }

    fn failure(&self, scheme: &str, change: impl FnOnce(&mut Options)) -> Error {
        let by = server(format!("{scheme}://127.0.0.1:{}", self.port));
        let error = client_with(change).send(&letter("mailto:jim@h.example?body=x"), &by).expect_err("it fails");
        for text in [error.to_string(), format!("{error:?}")] {
            assert!(!text.contains(char::is_control) && !text.contains("s3cret"), "{text:?}");
        }
        error
    }
}

fn logging_in(options: &mut Options) {
    options.credentials.login = Some(ServerLogin::of("joe").with_password("s3cret"));
}

const UP_TO_DATA: [&str; 5] = ["220 h\r\n", "250 h\r\n", "250 ok\r\n", "250 ok\r\n", "354 go\r\n"];

#[test]
fn security_17_28_where_starttls_is_stripped_or_comes_with_more_nothing_is_said() {
    for (script, class) in [
        (&["220 h\r\n", "250-h\r\n250 AUTH PLAIN\r\n"][..], ErrorKind::Server),
        (&["220 h\r\n", "250-h\r\n250 STARTTLS\r\n", "454 no\r\n"], ErrorKind::Server),
        (&["220 h\r\n", "250-h\r\n250 STARTTLS\r\n", "220 go\r\n250-h\r\n250 AUTH PLAIN\r\n"], ErrorKind::Protocol),
        (&["220 h\r\n", "250-h\r\n250 STARTTLS\r\n", "220 go\r\n", "250 h\r\n"], ErrorKind::Tls),
    ] {
        let scripted = Scripted::start(script);
        let error = scripted.failure("starttls", |options| {
            logging_in(options);
            options.deadlines.connect = Duration::from_millis(500);
            options.deadlines.first_byte = Duration::from_millis(500);
        });
        assert_eq!(error.kind(), class, "{error}");
        let heard = scripted.heard().concat();
        assert!(!heard.contains("AUTH") && !heard.contains("MAIL"), "{heard}");
    }
}

#[test]
fn security_10_16_a_password_goes_in_clear_only_where_that_was_asked_for() {
    let scripted = Scripted::start(&["220 h\r\n", "250-h\r\n250 AUTH PLAIN\r\n", "535 no\r\n"]);
    let required = |options: &mut Options| {
        logging_in(options);
        options.require_tls = true;
    };
    assert_eq!(scripted.failure("smtp", required).kind(), ErrorKind::Refused);
    assert!(scripted.heard().is_empty());
    assert_eq!(scripted.failure("smtp", logging_in).kind(), ErrorKind::Login);
    assert_eq!(scripted.heard()[1], "AUTH PLAIN AGpvZQBzM2NyZXQ=");
}

#[test]
fn security_27_46_lines_without_an_end_and_banners_with_escapes() {
    let endless = "220-x\r\n".repeat(500_000);
    for (reply, class) in [
        ("220 \x1b]0;x\x07".repeat(5_000).as_str(), ErrorKind::Limit),
        (endless.as_str(), ErrorKind::Limit),
        ("554 \x1b[2J\u{202e}\x07 go away\r\n", ErrorKind::Server),
        ("220 a\0b\r\n", ErrorKind::Protocol),
        ("HTTP/1.1 400 Bad Request\r\n", ErrorKind::Protocol),
        ("CLOSE", ErrorKind::Server),
    ] {
        assert_eq!(Scripted::start(&[reply]).failure("smtp", |_| {}).kind(), class);
    }
}

#[test]
fn security_48_a_server_that_falls_silent_is_given_up() {
    for length in 0..UP_TO_DATA.len() {
        let scripted = Scripted::start(&UP_TO_DATA[..length]);
        let begin = Instant::now();
        let error = scripted.failure("smtp", |options| {
            options.deadlines.first_byte = Duration::from_millis(200);
            options.deadlines.idle = Duration::from_millis(200);
        });
        assert_eq!(error.kind(), ErrorKind::Timeout, "{length}: {error}");
        assert!(begin.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn a_mail_that_may_have_been_accepted_is_reported_as_such() {
    for last in [&[][..], &["CLOSE"], &["25"]] {
        let scripted = Scripted::start(&[&UP_TO_DATA, last].concat());
        let error = scripted.failure("smtp", |options| {
            options.deadlines.first_byte = Duration::from_millis(300);
            options.deadlines.idle = Duration::from_millis(300);
        });
        assert_eq!(error.kind(), ErrorKind::Partial, "{error}");
        assert!(error.to_string().contains("before sending it again"), "{error}");
    }
}

#[test]
fn security_50_a_wait_for_a_server_can_be_ended() {
    let scripted = Scripted::start(&["220 h\r\n"]);
    let cancel = Cancel::new();
    let request = cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        request.request();
    });
    let begin = Instant::now();
    let error = scripted.failure("smtp", |options| options.cancel = Some(cancel));
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert!(begin.elapsed() < Duration::from_secs(2));
}

#[test]
fn security_9_addresses_that_are_not_public_are_refused_if_asked_to() {
    let mut options = options();
    options.policy = options.policy.public_addresses_only();
    let scripted = Scripted::start(&["220 h\r\n"]);
    let by = server(format!("smtp://localhost:{}", scripted.port));
    let error = Client::new(options).send(&letter("mailto:jim@h.example"), &by).expect_err("loopback");
    assert_eq!((error.kind(), error.refused_by()), (ErrorKind::Refused, Some("address-local")));
}

#[derive(Debug, Default)]
struct Lines(Mutex<Vec<String>>);

impl Observe for Lines {
    fn observe(&self, _: &Peer<'_>, seen: Seen<'_>) {
        self.0.lock().expect("no test panics with it").push(format!("{} {seen}", seen.kind()));
    }
}

#[test]
fn security_14_observers_see_no_password() {
    let lines = Arc::new(Lines::default());
    let observer: Arc<dyn Observe> = Arc::<Lines>::clone(&lines);
    let scripted = Scripted::start(&["220 h\r\n", "250-h\r\n250 AUTH PLAIN\r\n", "535 AGpvZQBzM2NyZXQ= no\r\n"]);
    scripted.failure("smtp", |options| {
        logging_in(options);
        options.observer = Some(observer);
    });
    let lines = lines.0.lock().expect("no test panics with it");
    assert_eq!(lines[1..4], ["receive 220 h", r"send EHLO [127.0.0.1]\r\n", "receive 250-h"]);
    assert_eq!(lines[5..], [r"send AUTH PLAIN ***\r\n", "receive 535 *** no"]);
}
