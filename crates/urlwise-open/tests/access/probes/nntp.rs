//! Probes of news and nntp against INN, and what goes over the wire.

use super::{Dialogue, Row, check, closing, playing, probe};
use crate::support::{Authority, Inn, Relay, client, client_with, require, url};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::time::Duration;
use urlwise_open::{NewsServer, ProbeOptions, ProbeVerdict, Roots, ServerLogin};

fn inn() -> Option<(Inn, Authority)> {
    if !require(&["openssl"]) {
        return None;
    }
    let article = |groups: &str, id: &str| {
        format!("From: t <t@example.net>\r\nNewsgroups: {groups}\r\nSubject: s\r\nMessage-ID: <{id}>\r\n\r\nHello.")
            .into_bytes()
    };
    let articles = [article("local.test", "one@example.net"), article("private.staff", "secret@example.net")];
    let authority = Authority::new();
    Some((Inn::start(&authority, &articles)?, authority))
}

const NNTP: &[Row] = &[
    ("local.test", "alive", None),
    ("local.empty", "alive", None),
    ("local.test/1", "alive", None),
    ("local.test/999", "dead (not-found)", Some(423)),
    ("local.none", "dead (not-found)", Some(411)),
    ("local.none/1", "dead (not-found)", Some(411)),
    ("private.staff", "unknown (login)", Some(480)),
];

const NEWS: &[Row] = &[
    ("news:local.test", "alive", None),
    ("news:*", "alive", None),
    ("news:one@example.net", "alive", None),
    ("news:none@example.net", "dead (not-found)", Some(430)),
    ("news:local.none", "dead (not-found)", Some(411)),
];

#[test]
fn every_url_of_inn_has_its_verdict() {
    let Some((inn, authority)) = inn() else { return };
    check(&client(), NNTP, |path| inn.url(path));
    let server = NewsServer::parse(&format!("127.0.0.1:{}", inn.port)).expect("a server");
    let client = client_with(|options| {
        options.news.server = Some(server);
        options.roots = Roots::Pem(authority.ca());
    });
    check(&client, NEWS, str::to_owned);
    assert_eq!(probe(&client, inn.tls_url("local.test")).verdict, ProbeVerdict::Alive);
    let login = ServerLogin::of(Inn::LOGIN.0).with_password(Inn::LOGIN.1);
    let reader = client_with(|options| {
        options.credentials.login = Some(login);
        options.roots = Roots::Pem(authority.ca());
    });
    let at = |path: &str| inn.url(path).replace("127.0.0.1", "localhost");
    assert_eq!(probe(&reader, at("private.staff/1")).verdict, ProbeVerdict::Alive);
    assert_eq!(probe(&reader, at("private.staff/9")).verdict.to_string(), "dead (not-found)");
}

#[test]
fn one_connection_serves_all_urls_and_no_article_is_sent() {
    let Some((inn, _authority)) = inn() else { return };
    let relay = Relay::start(inn.port);
    let client = client();
    let at = |path: &str| inn.url(path).replace(&format!(":{}/", inn.port), &format!(":{}/", relay.port));
    for path in ["local.test", "local.none", "local.test/1", "local.test/999", "local.empty"] {
        probe(&client, at(path));
    }
    let said = relay.said();
    assert_eq!(said.len(), 1, "one connection");
    let text = String::from_utf8_lossy(&said[0].concat()).into_owned();
    for command in ["ARTICLE", "HEAD", "OVER", "LISTGROUP", "QUIT"] {
        assert!(!text.contains(command), "{text}");
    }
    assert_eq!((text.matches("CAPABILITIES").count(), text.matches("STAT").count()), (1, 2), "{text}");
}

const HELLO: &str = "200 hello\r\n";
const READER: (&str, &str) = ("CAPABILITIES", "101 list\r\nREADER\r\n.\r\n");
const GROUP: (&str, &str) = ("GROUP", "211 1 1 1 a.group\r\n");

#[test]
fn each_reply_proves_what_it_says() {
    let table: &[Dialogue] = &[
        (HELLO, &[READER, GROUP, ("STAT", "223 1 <a@b>\r\n")], "alive"),
        (
            HELLO,
            &[("CAPABILITIES", "500 what\r\n"), ("MODE", "200 ok\r\n"), GROUP, ("STAT", "223 1 <a@b>\r\n")],
            "alive",
        ),
        (HELLO, &[READER, ("GROUP", "411 none\r\n")], "dead (not-found)"),
        (HELLO, &[READER, GROUP, ("STAT", "423 none\r\n")], "dead (not-found)"),
        (HELLO, &[READER, GROUP, ("STAT", "430 none\r\n")], "dead (not-found)"),
        (HELLO, &[READER, ("GROUP", "480 login\r\n")], "unknown (login)"),
        (HELLO, &[READER, ("GROUP", "502 no\r\n")], "unknown (login)"),
        (HELLO, &[READER, ("GROUP", "403 failed\r\n")], "unknown (server-error)"),
        (HELLO, &[READER, ("GROUP", "503 not here\r\n")], "unknown (rejected)"),
        (HELLO, &[READER, ("GROUP", "400 too busy\r\n")], "unknown (rate-limit)"),
        ("400 too many\r\n", &[], "unknown (rate-limit)"),
        ("502 not you\r\n", &[], "unknown (rejected)"),
        (HELLO, &[READER], "unknown (server-error)"),
        ("HTTP/1.1 200 OK\r\n", &[], "unknown (protocol)"),
    ];
    for (greeting, replies, verdict) in table {
        let port = playing(greeting, replies);
        let probe = probe(&client(), format!("nntp://127.0.0.1:{port}/a.group/1"));
        assert_eq!(probe.verdict.to_string(), *verdict, "{greeting:?} {replies:?}: {:?}", probe.error);
    }
}

#[test]
fn a_connection_is_kept_after_a_missing_article_and_replaced_when_it_is_gone() {
    // Two questions for each connection.
    let (port, heard) = closing(&[HELLO, "101 list\r\nREADER\r\n.\r\n", "411 none\r\n", "411 none\r\n"]);
    let client = client();
    for _ in 0..3 {
        let probe = client.probe(&url(format!("nntp://127.0.0.1:{port}/a.group")), &ProbeOptions::default());
        assert_eq!(probe.verdict.to_string(), "dead (not-found)", "{:?}", probe.error);
    }
    let lines: Vec<String> = heard.try_iter().collect();
    let count = |verb: &str| lines.iter().filter(|line| line.starts_with(verb)).count();
    assert_eq!(
        (count("CAPABILITIES"), count("GROUP")),
        (2, 4),
        "the third was asked again on a new connection: {lines:?}"
    );
}

#[test]
fn security_19_a_reply_that_nobody_asked_for_is_not_that_to_the_next_command() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(stream.try_clone().expect("a socket")).lines();
            let answers = ["101 list\r\nREADER\r\n.\r\n", "411 none\r\n"];
            stream.write_all(HELLO.as_bytes()).expect("it is read");
            for answer in answers {
                lines.next();
                stream.write_all(answer.as_bytes()).expect("it is read");
            }
            std::thread::sleep(Duration::from_millis(20));
            stream.write_all(b"211 1 1 1 a.group\r\n").expect("it is open");
            // It stays open until the client closes it.
            lines.for_each(drop);
        }
    });
    let client = client();
    for _ in 0..2 {
        let probe = probe(&client, format!("nntp://127.0.0.1:{port}/a.group"));
        assert_eq!(probe.verdict.to_string(), "dead (not-found)", "{:?}", probe.error);
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_connection_on_which_the_login_failed_serves_no_other_url() {
    const REJECTING: &[&str] =
        &[HELLO, "101 list\r\nREADER\r\n.\r\n", "381 password\r\n", "481 no\r\n", "211 1 1 1 a.group\r\n"];
    let (port, heard) = closing(REJECTING);
    let login = ServerLogin::of("joe").with_password("s3cret");
    let client = client_with(|options| options.credentials.login = Some(login));
    for _ in 0..2 {
        let probe = probe(&client, format!("nntp://127.0.0.1:{port}/a.group"));
        assert_eq!(probe.verdict.to_string(), "unknown (login)", "{:?}", probe.error);
    }
    let lines: Vec<String> = heard.try_iter().collect();
    assert_eq!(lines.iter().filter(|line| line.starts_with("AUTHINFO PASS")).count(), 2, "{lines:?}");
}

#[test]
fn a_connection_that_is_kept_ends_with_quit() {
    let (port, heard) = closing(&[HELLO, "101 list\r\nREADER\r\n.\r\n", "411 none\r\n", "205 bye\r\n"]);
    let client = client();
    let probe = client.probe(&url(format!("nntp://127.0.0.1:{port}/a.group")), &ProbeOptions::default());
    assert_eq!(probe.verdict.to_string(), "dead (not-found)", "{:?}", probe.error);
    drop(client);
    let said = |_| heard.recv_timeout(Duration::from_secs(20)).expect("the client says something");
    assert_eq!((0..3).map(said).collect::<Vec<_>>(), ["CAPABILITIES", "GROUP a.group", "QUIT"]);
}
