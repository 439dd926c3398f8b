//! TLS: which certificates are trusted, and what a broken connection proves (S-17, S-20, S-52).

use crate::support::{
    Authority, Folder, Listener, Nginx, TlsFront, client, client_with, document, failure, failure_kind, get, read_head,
    require, url,
};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, mpsc};
use urlwise_open::protocol::Note;
use urlwise_open::{Client, ErrorKind, Hint, Options, ProbeOptions, ProbeVerdict, Resource, Roots};

fn trusting(authority: &Authority) -> Client {
    client_with(|options| options.roots = Roots::Pem(authority.ca()))
}

fn authority() -> Option<Authority> {
    require(&["openssl"]).then(Authority::new)
}

/// A TLS server that answers every request and then closes, with `close_notify` or without.
fn torn_server(authority: &Authority, answer: &'static [u8], close_notify: bool) -> u16 {
    server_with(&authority.certificate(), &authority.key(), answer, close_notify)
}

fn server_with(certificate: &Path, key: &Path, answer: &'static [u8], close_notify: bool) -> u16 {
    serving(certificate, key, move |mut stream| {
        read_head(&mut stream);
        // The client may have given up already.
        let _ = stream.write_all(answer).and_then(|()| stream.flush());
        if close_notify {
            stream.conn.send_close_notify();
            let _ = stream.flush();
        }
    })
}

type Stream = rustls::StreamOwned<rustls::ServerConnection, TcpStream>;

fn serving(certificate: &Path, key: &Path, mut serve: impl FnMut(Stream) + Send + 'static) -> u16 {
    let certificate = CertificateDer::from_pem_file(certificate).expect("openssl wrote it");
    let key = PrivateKeyDer::from_pem_file(key).expect("openssl wrote it");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring has them")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("they fit");
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        for tcp in listener.incoming() {
            let session = rustls::ServerConnection::new(Arc::clone(&config)).expect("the config is good");
            let tcp = tcp.expect("a connection");
            tcp.set_nodelay(true).expect("a socket");
            serve(rustls::StreamOwned::new(session, tcp));
        }
    });
    port
}

#[test]
fn https_with_a_trusted_authority_gives_the_document() {
    let Some(authority) = authority().filter(|_| require(&["nginx"])) else { return };
    let nginx = Nginx::start(Some(&authority), "");
    nginx.write("x.txt", "over TLS");
    assert_eq!(get(&trusting(&authority), nginx.tls_url("/x.txt")), b"over TLS");
    let by_number = format!("https://127.0.0.1:{}/x.txt", nginx.tls_port);
    assert_eq!(get(&trusting(&authority), by_number), b"over TLS");
}

#[test]
fn security_19_messages_of_tls_leave_a_connection_and_octets_that_nobody_asked_for_do_not() {
    const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    const BEHIND: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
    let Some(authority) = authority() else { return };
    let (go, may_go) = mpsc::channel();
    let (sent, was_sent) = mpsc::channel();
    let mut connections = Vec::new();
    let port = serving(&authority.certificate(), &authority.key(), move |mut stream| {
        // The client may have closed it.
        let send = |stream: &mut Stream, octets| drop(stream.write_all(octets).and_then(|()| stream.flush()));
        read_head(&mut stream);
        send(&mut stream, OK);
        if connections.is_empty() {
            may_go.recv().expect("the test says so");
            stream.conn.refresh_traffic_keys().expect("it is TLS 1.3");
            send(&mut stream, b"");
            sent.send(()).expect("the test hears it");
            read_head(&mut stream);
            send(&mut stream, OK);
            may_go.recv().expect("the test says so");
            send(&mut stream, BEHIND);
            sent.send(()).expect("the test hears it");
        }
        // It stays open, and answers nothing more.
        connections.push(stream);
    });
    let (client, url) = (trusting(&authority), format!("https://localhost:{port}/"));
    for _ in 0..2 {
        assert_eq!(get(&client, &url), b"ok");
        go.send(()).expect("the request came on the first connection");
        was_sent.recv().expect("the request came on the first connection");
    }
    assert_eq!(get(&client, &url), b"ok");
}

#[test]
fn security_52_certificates_are_always_verified() {
    let Some(authority) = authority().filter(|_| require(&["nginx"])) else { return };
    let nginx = Nginx::start(Some(&authority), "");
    let error = failure(&client(), nginx.tls_url("/"));
    assert_eq!(error.kind(), ErrorKind::Tls);
    assert!(error.to_string().contains("is not trusted"), "{error}");
    let error = failure(&trusting(&authority), format!("https://127.0.0.2:{}/", nginx.tls_port));
    assert_eq!(error.kind(), ErrorKind::Tls);
    assert!(error.to_string().contains("a different name"), "{error}");
}

#[test]
fn security_52_a_self_signed_certificate_is_called_that_and_trusted_only_if_it_was_given() {
    if !require(&["openssl"]) {
        return;
    }
    // `openssl req -x509` makes authorities by default.
    for more in [&[][..], &["-addext", "basicConstraints=critical,CA:FALSE"]] {
        let folder = Folder::new();
        let [key, certificate] = ["key.pem", "cert.pem"].map(|name| folder.path().join(name));
        let mut openssl = Command::new("openssl");
        openssl.args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
        ]);
        openssl.args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]).args(more);
        openssl.arg("-keyout").arg(&key).arg("-out").arg(&certificate).stderr(Stdio::null());
        assert!(openssl.status().expect("it is installed").success());
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody";
        let port = server_with(&certificate, &key, answer, true);
        let url = format!("https://localhost:{port}/");
        let other = Authority::new();
        for roots in [Roots::System, Roots::Pem(other.ca())] {
            let error = failure(&client_with(|options| options.roots = roots), url.clone());
            assert_eq!((error.kind(), error.hint()), (ErrorKind::Tls, Some(Hint::Roots)));
            let shown = format!("{error:#}");
            assert!(shown.contains("its certificate is self-signed") && !shown.contains("OtherError"), "{shown}");
        }
        let knowing = client_with(|options| options.roots = Roots::Pem(certificate.clone()));
        assert_eq!(get(&knowing, url), b"body");
        let error = failure(&knowing, format!("https://127.0.0.1:{port}/"));
        assert!(error.kind() == ErrorKind::Tls && error.to_string().contains("a different name"), "{error}");
    }
}

#[test]
fn security_52_only_an_authority_is_said_to_be_one() {
    if !require(&["openssl"]) {
        return;
    }
    let folder = Folder::new();
    let [ca, ca_key, certificate, key] = ["ca.pem", "ca-key.pem", "cert.pem", "key.pem"].map(|name| folder.text(name));
    let make = |name: &str, extension: &str, key: &str, certificate: &str, more: &[&str]| {
        let new = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
        let what = ["-subj", name, "-addext", extension, "-keyout", key, "-out", certificate];
        crate::support::run("openssl", &[&new[..], &what, more].concat());
    };
    // It may sign for another domain only.
    make("/CN=strict authority", "nameConstraints=critical,permitted;DNS:h.example", &ca_key, &ca, &[]);
    let of_server = ["-addext", "basicConstraints=critical,CA:FALSE", "-CA", &ca, "-CAkey", &ca_key];
    make("/CN=localhost", "subjectAltName=DNS:localhost", &key, &certificate, &of_server);
    let port = server_with(certificate.as_ref(), key.as_ref(), b"", true);
    let knowing = client_with(|options| options.roots = Roots::Pem(ca.into()));
    let error = failure(&knowing, format!("https://localhost:{port}/"));
    assert_eq!((error.kind(), error.hint()), (ErrorKind::Tls, None));
    assert!(error.to_string().contains("failed: its certificate is not valid: "), "{error}");
}

#[test]
fn security_52_roots_that_cannot_be_read_stop_everything() {
    let Some(authority) = authority().filter(|_| require(&["nginx"])) else { return };
    let nginx = Nginx::start(Some(&authority), "");
    for roots in [authority.key(), "/no/such/file.pem".into()] {
        let client = client_with(|options| options.roots = Roots::Pem(roots));
        assert_eq!(failure_kind(&client, nginx.tls_url("/")), ErrorKind::Tls);
    }
}

#[test]
fn security_17_a_plain_server_on_an_https_port_is_a_tls_error() {
    let listener = Listener::answering("HTTP/1.1 200 OK\r\n\r\n");
    // It waits for a request that never ends, so the handshake has to end by its deadline.
    let client = client_with(|options| options.deadlines.connect = std::time::Duration::from_millis(300));
    assert_eq!(failure_kind(&client, format!("https://127.0.0.1:{}/", listener.port)), ErrorKind::Timeout);
    let eager = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = eager.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        for mut stream in eager.incoming().flatten() {
            let _ = stream.write_all(b"220 ready\r\n");
        }
    });
    let error = failure(&crate::support::client(), format!("https://127.0.0.1:{port}/"));
    assert_eq!(error.kind(), ErrorKind::Tls);
    assert!(listener.asked().iter().all(|asked| !asked.starts_with(b"GET")));
}

#[test]
fn security_20_https_does_not_fall_to_http_unless_allowed() {
    let Some(authority) = authority().filter(|_| require(&["nginx"])) else { return };
    let locations = "location = /down { return 302 http://127.0.0.1:PORT/x.txt; }
        location = /up { return 302 https://localhost:TLS_PORT/x.txt; }";
    let nginx = Nginx::start(Some(&authority), locations);
    nginx.write("x.txt", "x");
    let error = failure(&trusting(&authority), nginx.tls_url("/down"));
    assert_eq!((error.kind(), error.refused_by()), (ErrorKind::Refused, Some("redirect-downgrade")));
    assert_eq!(get(&trusting(&authority), nginx.url("/up")), b"x");
    let careless = client_with(|options| {
        options.roots = Roots::Pem(authority.ca());
        options.policy = options.policy.clone().allow("redirect-downgrade").expect("it may be allowed");
    });
    assert_eq!(get(&careless, nginx.tls_url("/down")), b"x");
}

#[test]
fn an_end_without_close_notify_proves_nothing() {
    let Some(authority) = authority() else { return };
    let client = trusting(&authority);
    let outcome = |answer, close_notify| {
        let port = torn_server(&authority, answer, close_notify);
        let url = url(format!("https://localhost:{port}/"));
        let Resource::Document(mut document) = client.open(&url).expect("the head is whole") else {
            panic!("http gives documents")
        };
        let mut octets = Vec::new();
        document.write_to(&mut octets).map(|_| octets).map_err(|error| error.kind())
    };
    let undeclared = b"HTTP/1.1 200 OK\r\n\r\nbody";
    assert_eq!(outcome(undeclared, true), Ok(b"body".to_vec()));
    assert_eq!(outcome(undeclared, false), Err(ErrorKind::Partial));
    let declared = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody";
    assert_eq!(outcome(declared, false), Ok(b"body".to_vec()));
    let short = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbody";
    assert_eq!(outcome(short, true), Err(ErrorKind::Partial));
    assert_eq!(outcome(short, false), Err(ErrorKind::Partial));
}

#[test]
fn https_asks_for_http_1_1_in_the_handshake() {
    let Some(authority) = authority().filter(|_| require(&["nginx"])) else { return };
    let nginx = Nginx::start(Some(&authority), "location = /alpn { return 200 \"$ssl_alpn_protocol\"; }");
    assert_eq!(get(&trusting(&authority), nginx.tls_url("/alpn")), b"http/1.1");
}

#[cfg(unix)]
#[test]
fn security_52_whatever_came_without_verification_says_so() {
    let Some(authority) = authority().filter(|_| require(&["nginx", "socat"])) else { return };
    let told = |notes: &[Note]| notes.iter().any(|note| note.code == "tls-not-verified");
    let read = |client: &Client, text: String| {
        let mut document = document(client, text);
        document.write_to(&mut std::io::sink()).expect("it is whole");
        told(document.notes())
    };
    let news = crate::probes::playing(
        "200 hello\r\n",
        &[
            ("CAPABILITIES", "101 list\r\nREADER\r\n.\r\n"),
            ("GROUP", "211 1 1 1 a.group\r\n"),
            ("STAT", "223 1 <a@b>\r\n"),
            ("ARTICLE", "220 1 <a@b>\r\nSubject: x\r\n\r\ny\r\n.\r\n"),
        ],
    );
    let front = TlsFront::start(&authority, news);
    let nginx = Nginx::start(Some(&authority), "");
    nginx.write("x.txt", "line\n".repeat(10_000));
    for is_verified in [true, false] {
        let client = |change: fn(&mut Options)| {
            client_with(|options| {
                options.insecure = !is_verified;
                options.roots = Roots::Pem(authority.ca());
                change(options);
            })
        };
        let (plain, compressed) = (client(|_| {}), client(|options| options.compressed = true));
        let as_text = client(|options| options.news.as_text = true);
        let article = format!("nntps://localhost:{}/a.group/1", front.port);
        assert_eq!(read(&plain, nginx.tls_url("/x.txt")), !is_verified);
        assert_eq!(read(&compressed, nginx.tls_url("/x.txt")), !is_verified);
        assert_eq!(read(&as_text, article.clone()), !is_verified);
        for text in [nginx.tls_url("/x.txt"), article] {
            for limit in [None, Some(3)] {
                let mut options = ProbeOptions::default();
                options.body_limit = limit;
                let probe = plain.probe(&url(text.as_str()), &options);
                assert_eq!(
                    (probe.verdict, told(&probe.notes)),
                    (ProbeVerdict::Alive, !is_verified),
                    "{text} {limit:?}"
                );
            }
        }
        let session = plain.open(&url(format!("telnets://localhost:{}", front.port))).expect("it listens");
        let Resource::Session(session) = session else { panic!("a session") };
        assert_eq!(told(session.notes()), !is_verified);
    }
}
