//! telnet against real servers: inetutils telnetd, and TLS by socat before it (RFC 1738 section 3.8).

use crate::support::{Authority, Telnetd, TlsFront, client, client_with, require, url};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use urlwise_open::protocol::telnet::{Terminal, TerminalType, Window};
use urlwise_open::{Client, ErrorKind, Heard, Observe, Peer, Resource, Roots, Secret, Seen, Session};

pub(crate) fn session(client: &Client, text: &str) -> Box<Session> {
    match client.open(&url(text)).expect("it opens") {
        Resource::Session(session) => session,
        other => panic!("not a session: {other:?}"),
    }
}

/// Hears until `word` is there, or the end; everything heard.
fn until(session: &mut Session, word: &str) -> String {
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut text = Vec::new();
    while Instant::now() < deadline {
        match session.hear(Duration::from_secs(1)).expect("the session continues") {
            Heard::Text(more) => text.extend_from_slice(more),
            Heard::Nothing => {}
            Heard::End => break,
        }
        if text.windows(word.len()).any(|part| part == word.as_bytes()) {
            break;
        }
    }
    // What follows the word at once belongs to it.
    if let Ok(Heard::Text(more)) = session.hear(Duration::from_millis(50)) {
        text.extend_from_slice(more);
    }
    text.iter().map(|octet| char::from(*octet)).collect()
}

fn ends(session: &mut Session) -> bool {
    (0..20).any(|_| matches!(session.hear(Duration::from_secs(1)), Ok(Heard::End)))
}

#[derive(Debug, Default)]
struct Lines(Mutex<Vec<String>>);

impl Observe for Lines {
    fn observe(&self, _: &Peer<'_>, seen: Seen<'_>) {
        self.0.lock().expect("no test panics with it").push(format!("{} {seen}", seen.kind()));
    }
}

#[test]
fn a_terminal_is_negotiated_and_used() {
    if !require(Telnetd::PROGRAMS) {
        return;
    }
    let Some(server) = Telnetd::start() else { return };
    let lines = Arc::new(Lines::default());
    let client = client_with(|options| {
        options.observer = Some(Arc::<Lines>::clone(&lines));
        let name = TerminalType::new("vt100").expect("a name");
        options.telnet.terminal = Some(Terminal::new(name, Window::new(91, 33)));
    });
    let mut session = session(&client, &server.url());
    let begin = until(&mut session, "? ");
    assert_eq!(begin, "user= TERM=vt100\r\n33 91\r\n? ");
    let mode = session.mode();
    assert!(!mode.echo && !mode.by_line, "the server echoes, key by key");
    session.keys(b"hello \xff\r");
    let text = until(&mut session, "you said");
    assert!(text.contains("hello \u{ff}\r\n") && text.contains("you said: hello M-^?\r\n"), "{text:?}");
    session.resize(Window::new(100, 255));
    session.keys(b"size\r");
    assert!(until(&mut session, "255 100\r\n").contains("255 100\r\n"));
    session.keys(b"iac\r");
    assert!(until(&mut session, "after").contains("before\u{ff}after\r\n"));
    session.keys(b"cr\r");
    assert!(until(&mut session, "two").contains("one\rtwo\r\n"));
    session.keys(b"secret\r");
    until(&mut session, "Password: ");
    session.keys(b"sesame\r");
    let text = until(&mut session, "that has");
    assert!(text.contains("that has 6") && !text.contains("sesame"), "{text:?}");
    session.keys(b"abc\x03");
    session.keys(b"bye\r");
    assert!(ends(&mut session));
    let lines = lines.0.lock().expect("no test panics with it");
    for line in
        ["connect connected", "send WILL TERMINAL-TYPE", "send WONT NEW-ENVIRON", "send WINDOW-SIZE is 100 x 255"]
    {
        assert!(lines.iter().any(|seen| seen == line), "{line} in {lines:?}");
    }
}

#[test]
fn streams_hold_a_session_by_lines() {
    if !require(Telnetd::PROGRAMS) {
        return;
    }
    let Some(server) = Telnetd::start() else { return };
    let client = client_with(|options| options.telnet.terminal = None);
    let mut session = session(&client, &server.url());
    // What comes before the server has heard that its echo is refused, it repeats.
    assert_eq!(until(&mut session, "? "), "user= TERM=network\n0 0\n? ");
    session.lines(b"hello\nsize\r\nbye\n");
    session.end_of_input();
    let text = until(&mut session, "so long");
    assert_eq!(text, "you said: hello\n? 0 0\n? so long\n");
    assert!(ends(&mut session));
}

#[test]
fn every_form_of_section_3_8_opens_the_same_session() {
    if !require(Telnetd::PROGRAMS) {
        return;
    }
    let Some(server) = Telnetd::start() else { return };
    let at = format!("127.0.0.1:{}", server.port);
    for (text, user, password) in [
        (format!("telnet://{at}"), None, None),
        (format!("telnet://{at}/"), None, None),
        (format!("TELNET://{at}/"), None, None),
        (format!("telnet://guest@{at}"), Some("guest"), None),
        (format!("telnet://guest:@{at}/"), Some("guest"), Some("")),
        (format!("telnet://a%40b:p%3Aq@{at}/"), Some("a@b"), Some("p:q")),
        (format!("telnet://@{at}/"), Some(""), None),
        (format!("telnet://:pw@{at}/"), Some(""), Some("pw")),
        // What follows the slash means nothing, and only the profile `current` lets it pass.
        (format!("telnet://{at}/nothing"), None, None),
    ] {
        let mut session = session(&client(), &text);
        let login = session.login();
        assert_eq!(login.map(|login| login.user.as_slice()), user.map(str::as_bytes), "{text}");
        let said = login.and_then(|login| login.password.as_ref()).map(Secret::reveal);
        assert_eq!(said, password.map(str::as_bytes), "{text}");
        assert!(until(&mut session, "? ").starts_with("user= TERM=xterm\r\n24 80\r\n"), "{text}");
        session.close();
    }
}

#[test]
fn security_40_the_login_of_the_url_is_shown_and_never_sent() {
    if !require(Telnetd::PROGRAMS) {
        return;
    }
    let Some(server) = Telnetd::start() else { return };
    let mut session = session(&client(), &server.url().replace("//", "//alice:s3cret@"));
    let login = session.login().expect("the URL suggests one").clone();
    assert_eq!(login.user, b"alice");
    assert_eq!(login.password.expect("and a password").reveal(), b"s3cret");
    assert!(!format!("{session:?}").contains("s3cret"));
    // This server asks for variables, and would take USER.
    assert!(until(&mut session, "? ").starts_with("user= TERM"), "no user name was sent");
    session.close();
}

#[test]
fn security_52_telnets_is_tls_from_the_first_octet() {
    if !require(&["telnetd", "socat", "openssl"]) {
        return;
    }
    let Some(server) = Telnetd::start() else { return };
    let authority = Authority::new();
    let front = TlsFront::start(&authority, server.port);
    let url_text = format!("telnets://localhost:{}", front.port);
    let trusting = client_with(|options| {
        options.roots = Roots::Pem(authority.ca());
        options.require_tls = true;
    });
    let mut open = session(&trusting, &url_text);
    assert!(open.is_tls());
    until(&mut open, "? ");
    open.keys(b"over TLS\r");
    assert!(until(&mut open, "you said").contains("you said: over TLS"));
    // More than one record, both ways at once.
    let line = [&[b'x'; 200][..], b"\r"].concat();
    for _ in 0..200 {
        open.keys(&line);
    }
    open.keys(b"bye\r");
    let mut heard = 0;
    loop {
        match open.hear(Duration::from_secs(1)).expect("the session continues") {
            Heard::Text(text) => heard += text.len(),
            Heard::Nothing => {}
            Heard::End => break,
        }
    }
    assert!(heard > 400 * 200, "{heard}");
    let error = client().open(&url(url_text)).expect_err("nobody vouches for it");
    assert_eq!(error.kind(), ErrorKind::Tls);
}

#[test]
fn security_52_a_server_with_an_issuer_certificate_is_reported() {
    if !require(&["socat", "openssl"]) {
        return;
    }
    let authority = Authority::new();
    let front = TlsFront::showing(&authority.ca(), &authority.ca_key(), 1);
    let trusting = client_with(|options| options.roots = Roots::Pem(authority.ca()));
    let error = trusting
        .open(&url(format!("telnets://localhost:{}", front.port)))
        .expect_err("not the certificate of a server");
    assert_eq!(error.kind(), ErrorKind::Tls);
    let told = error.to_string();
    assert!(told.contains("belongs to a certificate authority") && told.contains("CA:FALSE"), "{told}");
}
