//! ftp servers of a few lines, over sockets: what only time, addresses and torn connections can show.

use crate::support::{client, client_with, document, failure, get};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use urlwise_open::ErrorKind;

/// What a server does once a transfer has begun, with the control and the data connection.
type Transfer = dyn Fn(&mut TcpStream, TcpStream) + Send + Sync;

/// When a server closes a connection.
#[derive(Clone, Copy)]
enum Closes {
    Never,
    /// As soon as one transfer is over.
    AfterTransfer,
    /// At the first command after a transfer, with these words.
    AtNextCommand(&'static [u8]),
}

/// Serves any login, directory and type; `transfer` has the data connection and the last word.
struct Scripted {
    port: u16,
    connections: Arc<AtomicUsize>,
    /// Commands that came after a transfer and were not served.
    in_vain: Arc<AtomicUsize>,
}

impl Scripted {
    fn start(transfer: impl Fn(&mut TcpStream, TcpStream) + Send + Sync + 'static) -> Scripted {
        Scripted::closing(Closes::Never, transfer)
    }

    fn closing(closes: Closes, transfer: impl Fn(&mut TcpStream, TcpStream) + Send + Sync + 'static) -> Scripted {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let (connections, in_vain) = <(Arc<AtomicUsize>, Arc<AtomicUsize>)>::default();
        let (count, vain, transfer) = (Arc::clone(&connections), Arc::clone(&in_vain), Arc::new(transfer));
        std::thread::spawn(move || {
            for control in listener.incoming().flatten() {
                count.fetch_add(1, Ordering::Relaxed);
                let (transfer, vain) = (Arc::clone(&transfer), Arc::clone(&vain));
                // A client that has seen enough closes early.
                std::thread::spawn(move || serve(control, closes, &vain, &*transfer).ok());
            }
        });
        Scripted { port, connections, in_vain }
    }

    fn url(&self, path: &str) -> String {
        format!("ftp://127.0.0.1:{}{path}", self.port)
    }
}

fn serve(mut control: TcpStream, closes: Closes, in_vain: &AtomicUsize, transfer: &Transfer) -> std::io::Result<()> {
    control.write_all(b"220 ready\r\n")?;
    let passive = TcpListener::bind("127.0.0.1:0")?;
    let port = passive.local_addr()?.port();
    let mut has_sent = false;
    for line in BufReader::new(control.try_clone()?).lines() {
        let line = line?;
        if let (true, Closes::AtNextCommand(goodbye)) = (has_sent, closes) {
            in_vain.fetch_add(1, Ordering::Relaxed);
            return control.write_all(goodbye);
        }
        let reply = match line.split(' ').next().unwrap_or_default() {
            "USER" => "230 in".to_owned(),
            "EPSV" => format!("229 ok (|||{port}|)"),
            "RETR" => {
                control.write_all(b"150 here\r\n")?;
                transfer(&mut control, passive.accept()?.0);
                has_sent = true;
                if matches!(closes, Closes::AfterTransfer) {
                    return Ok(());
                }
                continue;
            }
            _ => "200 ok".to_owned(),
        };
        control.write_all(format!("{reply}\r\n").as_bytes())?;
    }
    Ok(())
}

fn say(stream: &mut TcpStream, octets: &[u8]) {
    let _ = stream.write_all(octets);
}

#[test]
fn security_30_a_server_that_never_says_that_all_was_sent_leaves_a_partial_transfer() {
    let server = Scripted::start(|_, mut data| say(&mut data, b"all of it"));
    let client = client_with(|options| {
        options.deadlines.idle = Duration::from_millis(200);
        options.deadlines.first_byte = Duration::from_millis(200);
    });
    let start = Instant::now();
    let mut document = document(&client, server.url("/x"));
    let mut octets = Vec::new();
    let error = document.write_to(&mut octets).expect_err("nobody confirmed it");
    assert_eq!((error.kind(), &octets[..]), (ErrorKind::Partial, &b"all of it"[..]), "{error}");
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn security_30_a_data_connection_that_is_torn_leaves_a_partial_transfer() {
    // Octets that nobody reads turn the close into a reset, so the server sends those of its own first.
    let aborted = Scripted::start(|control, mut data| {
        say(&mut data, b"half");
        drop(data);
        say(control, b"426 aborted\r\n");
    });
    assert_eq!(failure(&client(), aborted.url("/x")).kind(), ErrorKind::Partial);
    let silent = Scripted::start(|control, mut data| {
        say(&mut data, b"half");
        let _ = control.shutdown(std::net::Shutdown::Both);
    });
    assert_eq!(failure(&client(), silent.url("/x")).kind(), ErrorKind::Partial);
}

#[test]
fn a_confirmation_that_comes_before_the_octets_is_kept_for_its_time() {
    let early = Scripted::start(|control, mut data| {
        say(control, b"226 done\r\n");
        std::thread::sleep(Duration::from_millis(100));
        say(&mut data, b"late");
    });
    assert_eq!(get(&client(), early.url("/x")), b"late");
}

#[test]
fn a_kept_connection_that_was_closed_meanwhile_is_replaced() {
    // Three documents; the last two are asked for on a connection that was kept.
    for (closes, connections, in_vain) in [
        (Closes::Never, 1, 0),
        (Closes::AfterTransfer, 3, 0),
        (Closes::AtNextCommand(b""), 3, 2),
        (Closes::AtNextCommand(b"421 you idled\r\n"), 3, 2),
    ] {
        let server = Scripted::closing(closes, |control, mut data| {
            say(&mut data, b"text");
            drop(data);
            say(control, b"226 done\r\n");
        });
        let client = client();
        for _ in 0..3 {
            assert_eq!(get(&client, server.url("/x")), b"text");
            std::thread::sleep(Duration::from_millis(50));
        }
        let seen = (server.connections.load(Ordering::Relaxed), server.in_vain.load(Ordering::Relaxed));
        assert_eq!(seen, (connections, in_vain));
    }
}

#[test]
fn security_19_a_reply_that_nobody_asked_for_is_not_that_to_the_next_command() {
    let server = Scripted::start(|control, mut data| {
        say(&mut data, b"text");
        drop(data);
        say(control, b"226 done\r\n");
        std::thread::sleep(Duration::from_millis(20));
        say(control, b"550 not the reply to what comes next\r\n");
    });
    let client = client();
    for _ in 0..2 {
        assert_eq!(get(&client, server.url("/x")), b"text");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(server.connections.load(Ordering::Relaxed), 2);
}

#[test]
fn security_28_octets_after_the_reply_to_auth_tls_end_the_dialogue() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        for mut control in listener.incoming().flatten() {
            say(&mut control, b"220 ready\r\n");
            let mut line = String::new();
            let _ = BufReader::new(control.try_clone().expect("a socket")).read_line(&mut line);
            say(&mut control, b"234 go\r\n230 you are in already\r\n");
            std::thread::sleep(Duration::from_secs(1));
        }
    });
    let client = client_with(|options| {
        options.ftp.explicit_tls = urlwise_open::protocol::ftp::ExplicitTls::Required;
    });
    let error = failure(&client, format!("ftp://me:s3cret@127.0.0.1:{port}/x"));
    assert_eq!(error.kind(), ErrorKind::Protocol);
    assert!(error.to_string().contains("before the TLS handshake"), "{error}");
}

#[test]
fn security_9_data_connections_pass_the_rule_of_addresses() {
    let client = client_with(|options| options.policy = options.policy.clone().public_addresses_only());
    let server = Scripted::start(|_, _| {});
    assert_eq!(failure(&client, server.url("/x")).refused_by(), Some("address-local"));
    assert_eq!(server.connections.load(Ordering::Relaxed), 0);
}

#[test]
fn security_48_servers_that_fall_silent_are_timeouts() {
    let impatient = client_with(|options| {
        options.deadlines.first_byte = Duration::from_millis(200);
        options.deadlines.idle = Duration::from_millis(200);
    });
    let mute = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = mute.local_addr().expect("it is bound").port();
    assert_eq!(failure(&impatient, format!("ftp://127.0.0.1:{port}/x")).kind(), ErrorKind::Timeout);
    let stalls = Scripted::start(|_, mut data| {
        say(&mut data, b"half");
        std::thread::sleep(Duration::from_secs(2));
    });
    assert_eq!(failure(&impatient, stalls.url("/x")).kind(), ErrorKind::Timeout);
}
