//! E-01 to E-03, and E-10 for ports: ports other than the default.

use alloc::string::ToString;

use super::auditor::Auditor;
use super::finding::Detail;
use super::hosts;
use super::rules::{GOPHER_SMTP, HOST_LOCAL, PORT_FOREIGN, PORT_NONDEFAULT, PORT_RESERVED};
use crate::language::{Words, words};
use crate::layout;
use crate::profile::Profile;
use crate::scheme::Scheme;

/// Ports of other text protocols: first and last port, protocol, and the schemes for which they are correct.
static FOREIGN: &[(u16, u16, Words, &[&str])] = &[
    (7, 7, Words::same("echo"), &[]),
    (9, 9, Words::same("discard"), &[]),
    (13, 13, Words::same("daytime"), &[]),
    (19, 19, Words::same("chargen"), &[]),
    (21, 21, Words::same("FTP"), &["ftp"]),
    (22, 22, Words::same("SSH"), &["ssh", "sftp"]),
    (23, 23, Words::same("Telnet"), &["telnet"]),
    (25, 25, Words::same("SMTP"), &["smtp"]),
    (43, 43, Words::same("whois"), &["whois"]),
    (53, 53, Words::same("DNS"), &["dns"]),
    (79, 79, Words::same("finger"), &["finger"]),
    (80, 81, Words::same("HTTP"), &["http", "ws"]),
    (109, 109, Words::same("POP2"), &["pop2"]),
    (110, 110, Words::same("POP3"), &["pop", "pop3"]),
    (111, 111, Words::same("portmap"), &[]),
    (113, 113, Words::same("ident"), &["ident"]),
    (119, 119, Words::same("NNTP"), &["nntp", "news"]),
    (139, 139, Words::same("NetBIOS"), &["smb"]),
    (143, 143, Words::same("IMAP"), &["imap"]),
    (389, 389, Words::same("LDAP"), &["ldap"]),
    (445, 445, Words::same("SMB"), &["smb", "cifs"]),
    (465, 465, words!("SMTP over TLS"), &["smtps", "submissions"]),
    (512, 512, Words::same("rexec"), &["rexec"]),
    (513, 513, Words::same("rlogin"), &["rlogin"]),
    (514, 514, Words::same("rsh"), &["rsh", "syslog"]),
    (515, 515, words!("LPD (printers)"), &["lpd", "lpr"]),
    (587, 587, Words::same("SMTP"), &["smtp", "submission"]),
    (631, 631, words!("IPP (printers)"), &["http", "https", "ipp", "ipps"]),
    (993, 993, words!("IMAP over TLS"), &["imaps"]),
    (995, 995, words!("POP3 over TLS"), &["pop3s"]),
    (2049, 2049, Words::same("NFS"), &["nfs"]),
    (3306, 3306, Words::same("MySQL"), &["mysql"]),
    (5432, 5432, Words::same("PostgreSQL"), &["postgres", "postgresql"]),
    (6000, 6063, Words::same("X11"), &["x11"]),
    (6379, 6379, Words::same("Redis"), &["redis"]),
    (6667, 6667, Words::same("IRC"), &["irc"]),
    (11211, 11211, Words::same("memcached"), &["memcached"]),
];

/// Ports on which a mail server listens.
const MAIL: [u16; 4] = [25, 465, 587, 2525];

pub(super) fn check(a: &mut Auditor<'_, '_>) {
    // An empty port is the default (D-22).
    let Some(span) = a.slot(layout::PORT).filter(|span| !span.is_empty()) else {
        return;
    };
    let Some(port) = a.url.port_or_default() else {
        return;
    };
    let default = default_port(a);
    // No server can listen on port 0, which is a problem of the URL (D-23) and not a risk.
    if default == Some(port) || port == 0 {
        return;
    }
    let known = FOREIGN.iter().find(|(first, last, ..)| (*first..=*last).contains(&port));
    let name = a.url.scheme_name();
    let is_own = known.is_some_and(|(.., schemes)| schemes.iter().any(|own| name.eq_ignore_ascii_case(own)));
    let foreign = known.filter(|_| !is_own);
    // `host-local` says more about a server on this machine, where people use any port.
    let is_near = a.first(&[HOST_LOCAL]).is_some() && hosts::is_stranger_near(a);
    // Without a known default there is nothing to compare with.
    let rules = [
        MAIL.contains(&port).then_some(GOPHER_SMTP),
        foreign.map(|_| PORT_FOREIGN),
        (port < 1024 && !is_own && default.is_some()).then_some(PORT_RESERVED),
        default.filter(|_| !is_near).map(|_| PORT_NONDEFAULT),
    ];
    let Some(rule) = rules.into_iter().flatten().find_map(|rule| a.first(&[rule])) else {
        return;
    };
    let detail = match (foreign, default) {
        _ if rule == GOPHER_SMTP => {
            let words = words!("uses port {text}, where a mail server would read its selector as commands");
            Detail::Filled(words, port.to_string().into(), Words::NONE)
        }
        (Some((_, _, protocol, _)), _) if rule == PORT_FOREIGN => Detail::Words(*protocol),
        (_, default) => Detail::Text(default.unwrap_or_default().to_string().into()),
    };
    a.report(rule, span, words!("port"), detail);
}

/// The default port of the scheme, including registered schemes, siblings and news URLs with a server.
fn default_port(a: &Auditor<'_, '_>) -> Option<u16> {
    let known = || match a.url.scheme() {
        // The server of a news URL speaks NNTP.
        Scheme::News => Scheme::Nntp.default_port(),
        _ => Scheme::from_name(a.url.scheme_name().as_bytes(), Profile::Current).default_port(),
    };
    a.url.default_port().or_else(known)
}
