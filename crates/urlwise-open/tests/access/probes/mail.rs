//! mailto with DNS: a real name server, dnsmasq, and others that fail or lie.

use super::check;
use crate::support::{daemon, require, url};
use std::net::{TcpListener, UdpSocket};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use urlwise_open::{Client, NameServers, Options, Probe, ProbeOptions};

fn client(servers: &str) -> Client {
    let mut options = Options::default();
    options.name_servers = Some(NameServers::parse(servers).expect("addresses"));
    Client::new(options)
}

fn probe(client: &Client, address: &str, timeout: Duration) -> Probe {
    let mut options = ProbeOptions::default();
    options.timeout = Some(timeout);
    client.probe(&url(format!("mailto:{address}")), &options)
}

#[test]
fn domains_are_judged_by_what_dnsmasq_says() {
    const PROGRAM: &str = "dnsmasq";
    if !require(&[PROGRAM]) {
        return;
    }
    let program = crate::support::find(PROGRAM).expect("it is there");
    let (_server, port) = daemon::on_free_port(|port| {
        let mut command = Command::new(&program);
        command
            .args("--no-daemon --conf-file=/dev/null --no-resolv --no-hosts --bind-interfaces --pid-file".split(' '));
        command.args(["--user=", "--group="]);
        command.arg("--listen-address=127.0.0.1").arg(format!("--port={port}")).arg("--local=/dom/");
        command.args(["--mx-host=takes.dom,mx.takes.dom,10", "--cname=alias.dom,takes.dom"]);
        // A preference and the root: a null MX. dnsmasq has no option for it.
        command.arg("--dns-rr=null.dom,15,000000");
        command.args(["--host-record=four.dom,192.0.2.1", "--host-record=six.dom,2001:db8::1"]);
        command.arg("--txt-record=text.dom,nothing else");
        // Too many for a datagram.
        command.args((0..60).map(|number| format!("--mx-host=many.dom,exchanger-number-{number}.many.dom,{number}")));
        daemon::Daemon::start(&mut command, port)
    });
    let client = client(&format!("127.0.0.1:{port}"));
    check(
        &client,
        &[
            ("joe@takes.dom", "alive", None),
            ("joe@TAKES.Dom", "alive", None),
            ("joe@null.dom", "dead (no-mail)", None),
            ("joe@four.dom", "alive", None),
            ("joe@six.dom", "alive", None),
            ("joe@text.dom", "dead (no-mail)", None),
            ("joe@nothing.dom", "dead (no-such-host)", None),
            ("joe@many.dom", "alive", None),
            ("joe@elsewhere.org", "unknown (resolver)", None),
            ("joe@%5B192.0.2.1%5D", "alive", None),
        ],
        |address| format!("mailto:{address}"),
    );
    let without = Client::new(Options::default());
    check(&without, &[("joe@nothing.dom", "alive", None)], |address| format!("mailto:{address}"));
}

/// A name server that gives these answers to each datagram, and its address. Each is made of the query: a record follows if there is
/// one. It counts the queries.
fn lying(answers: impl Fn(usize, &[u8]) -> Vec<Vec<u8>> + Send + 'static) -> (String, Arc<AtomicUsize>) {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a free port");
    let address = socket.local_addr().expect("it is bound").to_string();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    std::thread::spawn(move || {
        let mut buffer = [0; 512];
        while let Ok((length, from)) = socket.recv_from(&mut buffer) {
            let number = counted.fetch_add(1, Ordering::SeqCst);
            for answer in answers(number, &buffer[..length]) {
                let _ = socket.send_to(&answer, from);
            }
        }
    });
    (address, count)
}

/// The answer to a query, with these flags and one record of it if there are octets for one.
fn answer(query: &[u8], flags: u16, record: &[u8]) -> Vec<u8> {
    let mut answer = query.to_vec();
    answer[2..4].copy_from_slice(&flags.to_be_bytes());
    answer[7] = u8::from(!record.is_empty());
    answer.extend_from_slice(record);
    answer
}

const MX: &[u8] = b"\xc0\x0c\0\x0f\0\x01\0\0\0\x01\0\x05\0\x0a\x01m\0";
const SOON: Duration = Duration::from_secs(20);

#[test]
fn a_forged_answer_is_ignored_and_the_right_one_counts() {
    let (server, _) = lying(|_, query| {
        let mut forged = answer(query, 0x8183, b"");
        forged[0] ^= 1;
        vec![forged, b"x".to_vec(), answer(query, 0x8180, MX)]
    });
    let probe = probe(&client(&server), "joe@h.dom", SOON);
    assert_eq!(probe.verdict.to_string(), "alive", "{probe:?}");
}

#[test]
fn a_domain_is_asked_about_once() {
    let (server, count) = lying(|_, query| vec![answer(query, 0x8183, b"")]);
    let client = client(&server);
    for address in ["joe@h.dom", "jim@H.DOM", "joe@h.dom"] {
        assert_eq!(probe(&client, address, SOON).verdict.to_string(), "dead (no-such-host)");
    }
    assert_eq!(count.load(Ordering::SeqCst), 1);
    probe(&client, "joe@i.dom", SOON);
    assert_eq!(count.load(Ordering::SeqCst), 2);
}

#[test]
fn a_server_that_fails_is_followed_by_the_next_and_proves_nothing() {
    let (failing, asked) = lying(|_, query| vec![answer(query, 0x8182, b"")]);
    let (fine, _) = lying(|_, query| vec![answer(query, 0x8180, MX)]);
    let alone = client(&failing);
    for _ in 0..2 {
        let probe = probe(&alone, "joe@h.dom", SOON);
        assert_eq!(probe.verdict.to_string(), "unknown (resolver)");
        assert!(probe.verdict.is_suspect(), "it may be better later");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 2, "a failure is not remembered");
    assert_eq!(probe(&client(&format!("{failing},{fine}")), "joe@h.dom", SOON).verdict.to_string(), "alive");
    // Nothing listens there, which is known at once.
    let closed = UdpSocket::bind("127.0.0.1:0").expect("a free port").local_addr().expect("it is bound");
    let began = Instant::now();
    assert_eq!(probe(&client(&format!("{closed},{fine}")), "joe@h.dom", SOON).verdict.to_string(), "alive");
    assert!(began.elapsed() < Duration::from_secs(6), "{:?}", began.elapsed());
}

#[test]
fn a_lost_datagram_is_sent_again_and_a_silent_server_is_not_waited_for() {
    let (server, count) = lying(|number, query| if number == 0 { Vec::new() } else { vec![answer(query, 0x8180, MX)] });
    assert_eq!(probe(&client(&server), "joe@h.dom", SOON).verdict.to_string(), "alive");
    assert_eq!(count.load(Ordering::SeqCst), 2);
    let (silent, _) = lying(|_, _| Vec::new());
    for (timeout, longest) in [(SOON, 8), (Duration::from_millis(300), 2)] {
        let began = Instant::now();
        let probe = probe(&client(&silent), "joe@h.dom", timeout);
        assert_eq!(probe.verdict.to_string(), "unknown (resolver)", "{probe:?}");
        assert!(began.elapsed() < Duration::from_secs(longest), "{:?}", began.elapsed());
    }
}

#[test]
fn a_cut_answer_is_asked_for_over_tcp_and_a_broken_one_is_unknown() {
    use std::io::{Read as _, Write as _};
    let listener = Mutex::new(None);
    // The same port for both.
    let (server, _) = loop {
        let found = lying(|_, query| vec![answer(query, 0x8380, b"")]);
        if let Ok(tcp) = TcpListener::bind(&found.0) {
            *listener.lock().expect("it is mine") = Some(tcp);
            break found;
        }
    };
    let listener = listener.into_inner().expect("it is mine").expect("it is bound");
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let mut stream = stream.expect("a connection");
            let mut query = [0; 512];
            let length = stream.read(&mut query).expect("a query");
            let whole = answer(&query[2..length], 0x8180, MX);
            let whole = [&(whole.len() as u16).to_be_bytes()[..], &whole].concat();
            let end = if number == 0 { whole.len() } else { whole.len() - 1 };
            for octet in &whole[..end] {
                let _ = stream.write_all(&[*octet]);
            }
        }
    });
    let client = client(&server);
    assert_eq!(probe(&client, "joe@h.dom", SOON).verdict.to_string(), "alive");
    assert_eq!(probe(&client, "joe@i.dom", SOON).verdict.to_string(), "unknown (resolver)");
}

#[test]
fn what_is_cancelled_while_a_name_server_is_asked_is_skipped() {
    let cancel = urlwise_open::Cancel::new();
    let asked = cancel.clone();
    let (server, _) = lying(move |_, _| {
        asked.request();
        Vec::new()
    });
    let mut options = Options::default();
    options.name_servers = Some(NameServers::parse(&server).expect("an address"));
    options.cancel = Some(cancel);
    let probe = probe(&Client::new(options), "joe@h.dom", SOON);
    assert_eq!(probe.verdict.to_string(), "skipped (cancelled)", "{probe:?}");
}
