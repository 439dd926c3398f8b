//! Probes of telnet, wais, prospero and finger.

use super::{codes, probe};
#[cfg(unix)]
use crate::support::{Fingerd, Telnetd, require};
use crate::support::{Listener, Prospero, client, client_with, options};
use crate::wais::{recorded, server};
use std::io::Write as _;
use std::net::TcpListener;
use std::time::Duration;
use urlwise_open::{Cause, Client, Observe, Peer, ProbeVerdict, Seen};

/// A server that says this when a client connects, and keeps the connection.
fn saying(words: &'static [u8], keeps: bool) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        for mut stream in listener.incoming().flatten() {
            let _ = stream.write_all(words);
            if keeps {
                kept.push(stream);
            }
        }
    });
    port
}

#[cfg(unix)]
#[test]
fn telnetd_speaks_first() {
    if !require(Telnetd::PROGRAMS) {
        return;
    }
    let Some(server) = Telnetd::start() else { return };
    let found = probe(&client(), server.url());
    assert_eq!((found.verdict, codes(&found)), (ProbeVerdict::Alive, Vec::new()));
}

#[test]
fn a_telnet_server_is_there_if_it_speaks_or_waits_and_not_if_it_hangs_up() {
    for (words, keeps, verdict, notes) in [
        (&b"login: "[..], true, "alive", &[][..]),
        (b"\xff\xfd\x18", false, "alive", &[]),
        (b"", true, "alive", &["silent"]),
        (b"", false, "unknown (broken)", &[]),
    ] {
        let found = probe(&client(), format!("telnet://127.0.0.1:{}/", saying(words, keeps)));
        assert_eq!(
            (found.verdict.to_string().as_str(), codes(&found).as_slice()),
            (verdict, notes),
            "{words:?} {keeps}"
        );
        assert!(found.elapsed < Duration::from_secs(5));
    }
}

/// Says when a client knows that it is connected.
#[cfg(unix)]
#[derive(Debug)]
struct Connected(std::sync::Mutex<std::sync::mpsc::Sender<()>>);

#[cfg(unix)]
impl Observe for Connected {
    fn observe(&self, _: &Peer<'_>, seen: Seen<'_>) {
        if matches!(seen, Seen::Connected) {
            self.0.lock().expect("no test panics with it").send(()).expect("the server waits");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_telnet_server_that_resets_the_connection_is_broken() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let (sender, connected) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let (stream, _) = listener.accept().expect("a client");
        connected.recv().expect("the client observes");
        rustix::net::sockopt::set_socket_linger(&stream, Some(Duration::ZERO)).expect("a socket");
    });
    let observer = std::sync::Arc::new(Connected(std::sync::Mutex::new(sender)));
    let client = client_with(|options| options.observer = Some(observer));
    let found = probe(&client, format!("telnet://127.0.0.1:{port}/"));
    assert_eq!(found.verdict.to_string(), "unknown (broken)", "{:?}", found.error);
}

#[test]
fn wais_is_asked_for_a_slice_or_a_search() {
    let fetch = recorded("fetch-small");
    let document = server(vec![fetch[0].clone(), fetch[2].clone()]);
    let path = "sample/TEXT/214/2=/idx/sample;3=0%20214%20/docs/note18.txt;7=%00;";
    let search = server(recorded("search-hits"));
    let unknown = server(recorded("probe-fetch-unknown-db"));
    for (text, verdict) in [
        (format!("wais://127.0.0.1:{document}/{path}"), "alive"),
        (format!("wais://127.0.0.1:{search}/sample?indigo"), "alive"),
        (format!("wais://127.0.0.1:{unknown}/nosuch/TEXT/x"), "unknown (server-error)"),
    ] {
        let found = probe(&client(), text);
        assert_eq!(found.verdict.to_string(), verdict, "{:?}", found.error);
    }
}

#[test]
fn prospero_is_asked_for_its_links_and_methods_are_not_followed() {
    let directory = Prospero::playing(&["16-none-found", "01-list-small"]);
    let found = probe(&client(), format!("prospero://127.0.0.1:{}//pfs", directory.port));
    assert_eq!(found.verdict, ProbeVerdict::Alive, "{:?}", found.error);

    let web = Listener::answering("HTTP/1.1 404 No\r\n\r\n");
    let method =
        format!("ATTRIBUTE OBJECT FIELD ACCESS-METHOD HTTP INTERNET-D h.example(80) ASCII /x\nHTTP {}\n", web.port);
    let file = Prospero::telling(move |_| method.clone().into_bytes());
    let found = probe(&client(), format!("prospero://127.0.0.1:{}//file", file.port));
    assert_eq!((found.verdict, web.asked().len()), (ProbeVerdict::Alive, 0), "{:?}", found.error);

    let none = Prospero::telling(|_| b"FAILURE NOT-FOUND\n".to_vec());
    let found = probe(&client(), format!("prospero://127.0.0.1:{}//nowhere", none.port));
    assert_eq!(found.verdict, ProbeVerdict::Dead(Cause::NotFound), "{:?}", found.error);

    let mut hasty = options();
    (hasty.ardp.first_wait, hasty.ardp.patience) = (Duration::from_millis(50), Duration::from_millis(300));
    let silent = Prospero::serving(|_| Vec::new());
    let found = probe(&Client::new(hasty), format!("prospero://127.0.0.1:{}//x", silent.port));
    assert_eq!(found.verdict, ProbeVerdict::Unknown(Cause::Timeout), "{:?}", found.error);
}

#[cfg(unix)]
#[test]
fn fingerd_is_asked_and_its_answer_not_judged() {
    if !require(Fingerd::PROGRAMS) {
        return;
    }
    let server = Fingerd::start();
    for path in ["", "/", "/joe", "/jim"] {
        assert_eq!(probe(&client(), server.url(path)).verdict, ProbeVerdict::Alive, "{path}");
    }
    assert_eq!(probe(&client(), server.url("/joe@inner.dom")).verdict, ProbeVerdict::Refused);
}
