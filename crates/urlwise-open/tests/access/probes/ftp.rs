//! Probes of ftp against vsftpd, proftpd and pure-ftpd, and what goes over the wire.

use super::{Dialogue, Row, check, closing, codes, playing, probe};
use crate::support::{FtpKind, FtpServer, Relay, client, fill, require};
use urlwise_open::{Cause, ProbeVerdict};

const PLACES: &[Row] = &[
    ("", "alive", None),
    ("/", "alive", None),
    ("/plain", "alive", None),
    ("/.hidden", "alive", None),
    ("/etc/motd", "alive", None),
    ("/pub/", "alive", None),
    ("/pub", "alive", None),
    ("/pub;type=d", "alive", None),
    ("/pub/lf.txt", "alive", None),
    ("/pub/lf.txt;type=i", "alive", None),
    ("/pub/a%20b.txt", "alive", None),
    ("/pub/caf%E9.txt", "alive", None),
    ("/pub/empty", "alive", None),
    ("/pub/sub%20dir/x%20y.txt", "alive", None),
    ("/nowhere", "dead (not-found)", Some(550)),
    ("/nowhere/", "dead (not-found)", Some(550)),
    ("/pub/nowhere", "dead (not-found)", Some(550)),
    ("/pub/nowhere;type=d", "dead (not-found)", Some(550)),
    ("/nowhere/lf.txt", "dead (not-found)", Some(550)),
    ("/pub/lf.txt/x", "dead (not-found)", Some(550)),
    ("/pub/LF.txt", "dead (not-found)", Some(550)),
];

#[test]
fn every_place_of_every_server_has_its_verdict() {
    for kind in FtpKind::ALL {
        let Some(server) = require(&["openssl"]).then(|| FtpServer::start(kind, None, fill)).flatten() else {
            continue;
        };
        let client = client();
        check(&client, PLACES, |path| server.url(path));
        assert!(codes(&probe(&client, server.url("/pub/sub%20dir"))).contains(&"is-directory"), "{kind:?}");
        assert!(!codes(&probe(&client, server.url("/pub/lf.txt"))).contains(&"is-directory"), "{kind:?}");
    }
}

#[test]
fn no_data_connection_is_made_and_the_login_serves_the_next_url() {
    let Some(server) = require(&["openssl"]).then(|| FtpServer::start(FtpKind::Vsftpd, None, fill)).flatten() else {
        return;
    };
    let relay = Relay::start(server.port);
    let client = client();
    let at = |path| server.url(path).replace(&format!(":{}/", server.port), &format!(":{}/", relay.port));
    for path in ["/pub/lf.txt", "/pub/a%20b.txt", "/pub/nowhere", "/pub/sub%20dir/x%20y.txt"] {
        probe(&client, at(path));
    }
    let said = relay.said();
    assert_eq!(said.len(), 1, "one connection");
    let text = String::from_utf8_lossy(&said[0].concat()).into_owned();
    for command in ["EPSV", "PASV", "RETR", "LIST", "NLST"] {
        assert!(!text.contains(command), "{text}");
    }
    assert_eq!(text.matches("MLST").count(), 1, "a server that does not know it is not asked again: {text}");
    assert_eq!(text.matches("CWD pub").count(), 1, "{text}");
}

const HELLO: &str = "220 hello\r\n";
const IN: (&str, &str) = ("USER", "230 in\r\n");
const NO_MLST: (&str, &str) = ("MLST", "500 what\r\n");
const NO_MDTM: (&str, &str) = ("MDTM", "502 no\r\n");
const TYPE: (&str, &str) = ("TYPE", "200 ok\r\n");

#[test]
fn each_reply_proves_what_it_says() {
    let table: &[Dialogue] = &[
        (HELLO, &[IN, ("MLST", "250-\r\n type=file; x\r\n250 end\r\n")], "alive"),
        (HELLO, &[IN, ("MLST", "550 no\r\n")], "dead (not-found)"),
        (HELLO, &[IN, ("MLST", "550 Permission denied.\r\n")], "unknown (forbidden)"),
        (HELLO, &[IN, ("MLST", "450 busy\r\n")], "unknown (server-error)"),
        (HELLO, &[IN, NO_MLST, ("MDTM", "213 19941201000000\r\n")], "alive"),
        (HELLO, &[IN, NO_MLST, NO_MDTM, TYPE, ("SIZE", "213 3\r\n")], "alive"),
        (HELLO, &[IN, NO_MLST, NO_MDTM, TYPE, ("SIZE", "550 no\r\n"), ("CWD", "250 ok\r\n")], "alive"),
        (HELLO, &[IN, NO_MLST, NO_MDTM, TYPE, ("SIZE", "550 no\r\n"), ("CWD", "550 no\r\n")], "dead (not-found)"),
        // A server that knows none of the commands says nothing about the name.
        (HELLO, &[IN, NO_MLST, NO_MDTM, TYPE, ("SIZE", "502 no\r\n"), ("CWD", "550 no\r\n")], "unknown (rejected)"),
        (HELLO, &[IN, NO_MLST, ("MDTM", "550 no\r\n"), TYPE, ("SIZE", "213 3\r\n")], "alive"),
        (HELLO, &[IN, ("MLST", "421 bye\r\n")], "unknown (rate-limit)"),
        ("421 too many\r\n", &[], "unknown (rate-limit)"),
        ("530 go away\r\n", &[], "unknown (rejected)"),
        (HELLO, &[("USER", "530 no anonymous\r\n")], "unknown (login)"),
        (HELLO, &[("USER", "331 password\r\n"), ("PASS", "530 no\r\n")], "unknown (login)"),
        (HELLO, &[("USER", "332 account\r\n")], "unknown (login)"),
        (HELLO, &[IN], "unknown (server-error)"),
        ("hello\r\n", &[], "unknown (protocol)"),
    ];
    for (greeting, replies, verdict) in table {
        let port = playing(greeting, replies);
        let probe = probe(&client(), format!("ftp://127.0.0.1:{port}/x"));
        assert_eq!(probe.verdict.to_string(), *verdict, "{greeting:?} {replies:?}: {:?}", probe.error);
    }
}

#[test]
fn a_session_that_the_server_ended_is_replaced() {
    // Two questions for each connection.
    let (port, heard) = closing(&[HELLO, "230 in\r\n", "550 no\r\n", "550 no\r\n"]);
    let client = client();
    for name in ["x", "y", "z"] {
        let probe = probe(&client, format!("ftp://127.0.0.1:{port}/{name}"));
        assert_eq!(probe.verdict, ProbeVerdict::Dead(Cause::NotFound), "{:?}", probe.error);
    }
    let lines: Vec<String> = heard.try_iter().collect();
    let count = |verb: &str| lines.iter().filter(|line| line.starts_with(verb)).count();
    assert_eq!((count("USER"), count("MLST")), (2, 4), "the third was asked again on a new connection: {lines:?}");
}
