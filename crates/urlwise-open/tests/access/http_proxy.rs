//! Proxies: what they see, and what they do not (S-51).

use crate::support::{Authority, Listener, Nginx, client_with, failure, get, read_head, require, url};
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use urlwise_open::policy::Policy;
use urlwise_open::{Client, ErrorKind, Proxies, Roots, ServerLogin};

fn through(proxy: &str) -> Client {
    client_with(|options| {
        options.proxies = Proxies::all(proxy).expect("well-formed");
        options.credentials.login = Some(ServerLogin::of("own").with_password("s3cret"));
    })
}

/// A proxy that lets everybody through, and tells what it was asked.
fn tunnel() -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let head = String::from_utf8_lossy(&read_head(&mut client)).into_owned();
            let target = head.split(' ').nth(1).map(str::to_owned).unwrap_or_default();
            if sender.send(head).is_err() {
                return;
            }
            let mut server = TcpStream::connect(target).expect("it listens");
            client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").expect("it is read");
            let (mut from, mut to) = (client.try_clone().expect("a socket"), server.try_clone().expect("a socket"));
            std::thread::spawn(move || std::io::copy(&mut from, &mut to));
            std::thread::spawn(move || std::io::copy(&mut server, &mut client));
        }
    });
    (port, receiver)
}

#[test]
fn security_51_http_is_asked_for_in_the_absolute_form_with_a_login_for_each() {
    let proxy = Listener::answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    let client = through(&format!("http://joe:pw@127.0.0.1:{}", proxy.port));
    assert_eq!(get(&client, "http://no-such-host.invalid/a?b"), b"ok");
    let request = String::from_utf8(proxy.asked().remove(0)).expect("it is text");
    assert!(
        request.starts_with("GET http://no-such-host.invalid/a?b HTTP/1.1\r\nhost: no-such-host.invalid\r\n"),
        "{request}"
    );
    assert!(request.contains("\r\nproxy-authorization: Basic am9lOnB3\r\n"), "{request}");
    assert!(request.contains("\r\nauthorization: Basic b3duOnMzY3JldA==\r\n"), "{request}");
}

#[test]
fn security_51_https_goes_through_unread_and_each_side_gets_its_own_login() {
    if !require(&["nginx", "openssl"]) {
        return;
    }
    let authority = Authority::new();
    let echo = "location = /echo { return 200 \"$http_authorization|$http_proxy_authorization\"; }";
    let nginx = Nginx::start(Some(&authority), echo);
    let (port, asked) = tunnel();
    let client = client_with(|options| {
        options.proxies = Proxies::all(&format!("joe:pw@127.0.0.1:{port}")).expect("well-formed");
        options.credentials.login = Some(ServerLogin::of("own").with_password("s3cret"));
        options.roots = Roots::Pem(authority.ca());
    });
    for _ in 0..2 {
        assert_eq!(get(&client, nginx.tls_url("/echo")), b"Basic b3duOnMzY3JldA==|");
    }
    let connect = asked.recv().expect("it was asked");
    assert!(connect.starts_with(&format!("CONNECT localhost:{} HTTP/1.1\r\n", nginx.tls_port)), "{connect}");
    assert!(connect.contains("proxy-authorization: Basic am9lOnB3\r\n"), "{connect}");
    assert!(!connect.contains("\r\nauthorization"), "{connect}");
    assert!(asked.try_recv().is_err(), "the way through serves both");
}

#[test]
fn security_51_52_the_server_behind_a_proxy_is_verified() {
    if !require(&["nginx", "openssl"]) {
        return;
    }
    let nginx = Nginx::start(Some(&Authority::new()), "");
    let (port, _asked) = tunnel();
    let client = through(&format!("http://127.0.0.1:{port}"));
    assert_eq!(failure(&client, nginx.tls_url("/")).kind(), ErrorKind::Tls);
}

#[test]
fn security_51_a_proxy_that_refuses_or_lies_ends_it() {
    for (answer, class) in [
        ("HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"gate\"\r\n\r\n", ErrorKind::Login),
        ("HTTP/1.1 403 No\r\n\r\n", ErrorKind::Server),
        ("HTTP/1.1 302 Found\r\nLocation: http://evil.example/\r\n\r\n", ErrorKind::Server),
        ("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil", ErrorKind::Protocol),
        ("", ErrorKind::Server),
    ] {
        let proxy = Listener::answering(answer);
        let client = through(&format!("http://127.0.0.1:{}", proxy.port));
        let error = failure(&client, "https://h.example/");
        assert_eq!(error.kind(), class, "{answer}");
        assert!(error.to_string().contains("through the proxy 127.0.0.1"), "{error}");
        assert!(proxy.asked().iter().all(|request| request.starts_with(b"CONNECT h.example:443")));
    }
}

#[test]
fn security_51_no_proxy_is_used_for_what_is_not_http_or_is_excepted() {
    let proxy = Listener::answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy");
    let direct = Listener::answering("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ndirect");
    let client = client_with(|options| {
        let proxies = Proxies::all(&format!("127.0.0.1:{}", proxy.port)).expect("well-formed");
        options.proxies = proxies.except("localhost");
    });
    assert_eq!(get(&client, direct.http_url("/")), b"proxy");
    assert_eq!(get(&client, format!("http://localhost:{}/", direct.port)), b"direct");
    let gopher = Listener::answering_line("menu");
    assert_eq!(get(&client, gopher.gopher_url("/0x")), b"menu");
    let folder = crate::support::Folder::new();
    folder.write("x", "file");
    assert_eq!(get(&client, format!("file://{}/x", folder.path().display())), b"file");
    assert_eq!(proxy.asked().len(), 1);
}

#[test]
fn security_9_51_only_public_addresses_and_a_proxy_exclude_one_another() {
    let proxy = Listener::answering("HTTP/1.1 200 OK\r\n\r\n");
    let client = client_with(|options| {
        options.proxies = Proxies::all(&format!("127.0.0.1:{}", proxy.port)).expect("well-formed");
        options.policy = Policy::default().public_addresses_only();
    });
    for text in ["http://127.0.0.2/", "http://192.0.2.1/", "http://h.example/"] {
        let error = failure(&client, text);
        assert_eq!(error.kind(), ErrorKind::Refused, "{text}");
        assert!(error.to_string().contains("a proxy hides the address of the server"), "{error}");
    }
    assert!(proxy.asked().is_empty());
}

#[test]
fn a_plan_shows_the_way_through_the_proxy_and_masks_both_logins() {
    let plan =
        through("http://joe:s3cret@p.example:3128").plan(&url("https://h.example/x")).expect("nothing is opened");
    let text = plan.to_string();
    let places = [
        "connect: p.example port 3128\n",
        "CONNECT h.example:443",
        "proxy-authorization: Basic ***",
        "tls:",
        "GET /x",
        "\nsend: authorization: Basic ***",
    ];
    let found: Vec<_> = places.iter().map(|place| text.find(place)).collect();
    assert!(found.iter().all(Option::is_some) && found.is_sorted(), "{text}");
}
