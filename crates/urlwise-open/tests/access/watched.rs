//! Watching dialogues as they are held (S-14 and S-46).

use crate::support::{Authority, Listener, Nginx, client_with, get, require};
use std::sync::{Arc, Mutex};
use urlwise_open::{Client, Observe, Options, Peer, Roots, Seen, ServerLogin};

#[derive(Debug, Default)]
struct Lines(Mutex<Vec<String>>);

impl Observe for Lines {
    fn observe(&self, _: &Peer<'_>, seen: Seen<'_>) {
        self.0.lock().expect("no test panics with it").push(format!("{} {seen}", seen.kind()));
    }
}

impl Lines {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("no test panics with it"))
    }
}

fn watched(change: impl FnOnce(&mut Options)) -> (Client, Arc<Lines>) {
    let lines = Arc::new(Lines::default());
    let observer = Arc::clone(&lines);
    let client = client_with(|options| {
        options.observer = Some(observer);
        change(options);
    });
    (client, lines)
}

#[test]
fn security_14_46_what_is_said_is_shown_masked_and_escaped_and_documents_are_not() {
    let listener =
        Listener::keeping(|_, _| Some(b"HTTP/1.1 200 OK\r\nX: [2J\x9b\r\nContent-Length: 8\r\n\r\ndocument".to_vec()));
    let (client, lines) =
        watched(|options| options.credentials.login = Some(ServerLogin::of("joe").with_password("s3cret")));
    get(&client, listener.http_url("/x"));
    let seen = lines.take();
    assert_eq!(seen[0], "connect connected");
    assert!(
        seen[1].starts_with(r"send GET /x HTTP/1.1\r\n") && seen[1].contains("authorization: Basic ***"),
        "{seen:?}"
    );
    assert_eq!(seen[2..], ["receive HTTP/1.1 200 OK", r"receive X: [2J\x9b", "receive Content-Length: 8", "receive "]);
    get(&client, listener.http_url("/x"));
    assert_eq!(lines.take()[0], "reuse on a connection that was kept");
}

#[test]
fn security_14_46_gopher_documents_are_not_shown_either() {
    let listener = Listener::answering_line("0text\tsel\th\t70\r\n.\r\n");
    let (client, lines) = watched(|_| {});
    for path in ["/", "/0text", "/9binary"] {
        client.open(&crate::support::url(listener.gopher_url(path))).expect("it opens");
        let seen = lines.take();
        assert!(seen.iter().all(|line| !line.starts_with("receive")), "{seen:?}");
    }
}

#[test]
fn a_handshake_is_seen() {
    if !require(&["nginx", "openssl"]) {
        return;
    }
    let authority = Authority::new();
    let nginx = Nginx::start(Some(&authority), "");
    nginx.write("x", "x");
    let (client, lines) = watched(|options| options.roots = Roots::Pem(authority.ca()));
    get(&client, nginx.tls_url("/x"));
    assert_eq!(lines.take()[..2], ["connect connected", "tls TLS from here on"]);
}

#[test]
fn security_52_an_unverified_server_is_reported_each_time() {
    if !require(&["nginx", "openssl"]) {
        return;
    }
    let nginx = Nginx::start(Some(&Authority::new()), "");
    nginx.write("x", "x");
    let client = client_with(|options| options.insecure = true);
    for _ in 0..2 {
        let mut document = crate::support::document(&client, format!("https://127.0.0.2:{}/x", nginx.tls_port));
        document.write_to(&mut std::io::sink()).expect("it can be read");
        let notes: Vec<_> = document.notes().iter().map(|note| note.code).collect();
        assert_eq!(notes, ["tls-not-verified"]);
    }
}
