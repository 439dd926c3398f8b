//! Connections that serve another URL (S-19 and S-23).

use crate::support::{Listener, client, client_with, document, failure, failure_kind, get};
use std::io::Write;
use std::time::Duration;
use urlwise_open::{ErrorKind, ServerLogin};

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

fn answering(octets: &'static [u8]) -> Listener {
    Listener::keeping(move |_, _| Some(octets.to_vec()))
}

#[test]
fn security_19_one_connection_serves_the_urls_of_one_server() {
    let listener = answering(OK);
    let client = client();
    for path in ["/a", "/b?c", "/a"] {
        assert_eq!(get(&client, listener.http_url(path)), b"ok");
    }
    assert_eq!(listener.numbers(), [0, 1, 2]);
}

#[test]
fn security_19_another_host_or_client_gets_another_connection() {
    let listener = answering(OK);
    let client = client();
    get(&client, listener.http_url("/"));
    get(&client, format!("http://localhost:{}/", listener.port));
    get(&crate::support::client(), listener.http_url("/"));
    get(&client, listener.http_url("/"));
    assert_eq!(listener.numbers(), [0, 0, 0, 1]);
}

#[test]
fn security_19_two_users_share_nothing() {
    let listener = answering(OK);
    let client = client_with(|options| options.credentials.http_userinfo = true);
    for user in ["a:x@", "b:x@", "a:y@", "a:@", "", "a:x@"] {
        get(&client, format!("http://{user}127.0.0.1:{}/", listener.port));
    }
    assert_eq!(listener.numbers(), [0, 0, 0, 0, 0, 1]);
}

#[test]
fn a_document_that_was_not_read_to_its_end_keeps_its_connection() {
    let listener = answering(OK);
    let client = client();
    let mut half = document(&client, listener.http_url("/"));
    assert_eq!(half.fill().expect("it arrives"), b"ok");
    half.consume_octets(1);
    drop(half);
    get(&client, listener.http_url("/"));
    assert_eq!(listener.numbers(), [0, 0]);
}

#[test]
fn the_server_decides_whether_the_connection_is_kept() {
    for (answer, numbers) in [
        (&b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"[..], [0, 0]),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", [0, 0]),
        (b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok", [0, 1]),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", [0, 1]),
        // Octets that nobody asked for would be the answer to the next request.
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil", [0, 0]),
    ] {
        let listener = answering(answer);
        let client = client();
        assert_eq!(get(&client, listener.http_url("/")), b"ok");
        assert_eq!(get(&client, listener.http_url("/")), b"ok");
        assert_eq!(listener.numbers(), numbers, "{}", String::from_utf8_lossy(answer));
    }
}

#[test]
fn a_redirect_and_a_refusal_leave_the_connection_if_their_words_came_with_them() {
    let listener = Listener::keeping(|_, request| {
        Some(match request {
            [b'G', b'E', b'T', b' ', b'/', b'm', ..] => {
                b"HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 3\r\n\r\nbye".to_vec()
            }
            [b'G', b'E', b'T', b' ', b'/', b'n', ..] => b"HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nno".to_vec(),
            _ => OK.to_vec(),
        })
    });
    let client = client();
    assert_eq!(get(&client, listener.http_url("/moved")), b"ok");
    assert_eq!(failure_kind(&client, listener.http_url("/none")), ErrorKind::NotFound);
    assert_eq!(get(&client, listener.http_url("/")), b"ok");
    assert_eq!(listener.numbers(), [0, 1, 2, 3]);
}

#[test]
fn security_23_a_kept_connection_that_has_gone_is_replaced_unasked() {
    let listener = Listener::keeping(|number, _| (number == 0).then(|| OK.to_vec()));
    let client = client();
    for _ in 0..3 {
        assert_eq!(get(&client, listener.http_url("/")), b"ok");
    }
    // The second request was answered by a close, and made again on a fresh connection; so was the third.
    assert_eq!(listener.numbers(), [0, 1, 0, 1, 0]);
}

#[test]
fn security_23_nothing_is_asked_twice_once_an_answer_has_begun_or_the_connection_is_fresh() {
    let torn = Listener::keeping(|number, _| match number {
        0 => Some(OK.to_vec()),
        1 => Some(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nha".to_vec()),
        _ => None,
    });
    let client = client_with(|options| options.deadlines.idle = Duration::from_millis(200));
    get(&client, torn.http_url("/"));
    assert_eq!(failure(&client, torn.http_url("/")).kind(), ErrorKind::Timeout);
    assert_eq!(torn.numbers(), [0, 1]);
    let silent = Listener::keeping(|_, _| None);
    assert_eq!(failure_kind(&client, silent.http_url("/")), ErrorKind::Server);
    assert_eq!(silent.numbers(), [0]);
}

#[test]
fn facts_are_asked_by_head_and_leave_the_connection() {
    let listener =
        Listener::keeping(|_, _| Some(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"v\"\r\n\r\n".to_vec()));
    let client = client_with(|options| options.credentials.login = Some(ServerLogin::of("u").with_password("p")));
    for number in 0..2 {
        let metadata = client.metadata(&crate::support::url(listener.http_url("/x"))).expect("it answers");
        assert_eq!((metadata.size, metadata.validator.as_deref()), (Some(5), Some("\"v\"")));
        let request = listener.asked().pop().expect("it was asked");
        assert!(request.starts_with(format!("{number} HEAD /x HTTP/1.1\r\n").as_bytes()));
    }
}

#[test]
fn security_19_what_nobody_asked_for_is_not_the_answer_to_the_next_request() {
    for behind in [&b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"[..], b"x"] {
        let (sent, was_sent) = std::sync::mpsc::channel();
        let listener = Listener::http(move |mut stream| {
            stream.write_all(OK).expect("it is read");
            let sent = sent.clone();
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(100));
                stream.write_all(behind).expect("it is open");
                sent.send(()).expect("the test waits for it");
                // It stays open, and answers nothing.
                std::thread::sleep(Duration::from_secs(20));
            });
        });
        let client = client();
        assert_eq!(get(&client, listener.http_url("/")), b"ok");
        was_sent.recv().expect("it is sent");
        assert_eq!(get(&client, listener.http_url("/")), b"ok");
        assert_eq!(listener.asked().len(), 2);
    }
}
