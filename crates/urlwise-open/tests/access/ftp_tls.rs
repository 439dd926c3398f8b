//! TLS for ftp: implicit and explicit, on control and data connections (S-16, S-17, S-28, S-29, S-52).

use crate::support::{Authority, FtpKind, FtpServer, Relay, client_with, failure, fill, get, menu, require};
use std::fs;
use urlwise_open::protocol::ftp::ExplicitTls;
use urlwise_open::{Client, ErrorKind, Roots};

fn authority() -> Option<Authority> {
    require(&["openssl"]).then(Authority::new)
}

fn trusting(authority: &Authority) -> Client {
    client_with(|options| {
        options.roots = Roots::Pem(authority.ca());
        options.ftp.explicit_tls = ExplicitTls::Required;
    })
}

#[test]
fn explicit_tls_protects_files_and_lists_at_every_server() {
    let Some(authority) = authority() else { return };
    for kind in FtpKind::ALL {
        let Some(server) = FtpServer::start(kind, Some(&authority), fill) else { continue };
        let relay = Relay::start(server.port);
        let client = trusting(&authority);
        let at = |path: &str| format!("ftp://{}localhost:{}{path}", server.login(), relay.port);
        let octets = fs::read(server.file("pub/m1.bin")).expect("it was written");
        for _ in 0..3 {
            assert!(get(&client, at("/pub/m1.bin")) == octets, "{kind:?}");
            assert_eq!(get(&client, at("/pub/empty")), b"", "{kind:?}");
        }
        assert!(menu(&client, at("/pub/")).all(|entry| entry.is_ok()), "{kind:?}");
        let said = relay.said();
        assert_eq!(said.len(), 1, "one control connection: {kind:?}");
        assert_eq!(said[0][0], b"AUTH TLS\r\n");
        assert!(!said[0].concat().windows(4).any(|window| window == b"USER"), "{kind:?}");
    }
}

#[test]
fn implicit_tls_is_what_ftps_means() {
    let Some(authority) = authority() else { return };
    for kind in [FtpKind::VsftpdImplicit, FtpKind::ProftpdImplicit] {
        let Some(server) = FtpServer::start(kind, Some(&authority), fill) else { continue };
        let client = client_with(|options| options.roots = Roots::Pem(authority.ca()));
        let at = |path: &str| format!("ftps://{}localhost:{}{path}", server.login(), server.port);
        assert_eq!(get(&client, at("/etc/motd")), b"motd\n", "{kind:?}");
        assert_eq!(get(&client, at("/pub/lf.txt;type=i")).len(), 18, "{kind:?}");
    }
}

#[test]
fn security_29_data_connections_resume_the_session_where_a_server_demands_it() {
    let Some(authority) = authority() else { return };
    let Some(server) = FtpServer::start(FtpKind::VsftpdReuse, Some(&authority), fill) else { return };
    let client = trusting(&authority);
    for _ in 0..20 {
        assert_eq!(get(&client, server.url("/etc/motd")), b"motd\n");
    }
    // Several control connections at once: each data connection belongs to its own.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for path in ["/pub/m1.bin", "/pub/empty", "/list/f1", "/pub/m1.bin"] {
                    let octets = fs::read(server.file(&path[1..])).expect("it was written");
                    assert!(get(&client, server.url(path)) == octets);
                }
            });
        }
    });
}

#[test]
fn security_16_without_tls_at_the_server_nothing_is_said_but_the_question() {
    if !require(&["openssl"]) {
        return;
    }
    let client = client_with(|options| options.ftp.explicit_tls = ExplicitTls::Required);
    for kind in FtpKind::ALL {
        let Some(server) = FtpServer::start(kind, None, fill) else { continue };
        let relay = Relay::start(server.port);
        let error = failure(&client, format!("ftp://{}localhost:{}/etc/motd", server.login(), relay.port));
        assert_eq!(error.kind(), ErrorKind::Server, "{error}");
        assert_eq!(relay.said().concat().concat(), b"AUTH TLS\r\n");
    }
}

#[test]
fn security_52_certificates_are_verified_for_ftp_too() {
    let Some(authority) = authority() else { return };
    let Some(server) = FtpServer::start(FtpKind::Vsftpd, Some(&authority), fill) else { return };
    let client = client_with(|options| options.ftp.explicit_tls = ExplicitTls::Required);
    assert_eq!(failure(&client, server.url("/etc/motd")).kind(), ErrorKind::Tls);
}
