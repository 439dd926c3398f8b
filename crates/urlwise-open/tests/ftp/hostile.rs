//! Servers that answer what no server should: every answer ends the dialogue, soon and without a panic.

use crate::hold::hold;
use urlwise_open::protocol::FaultKind;
use urlwise_open::protocol::ftp::{FtpMachine, FtpRequest, FtpSettings};
use urlwise_open::testing::Network;

fn request(name: &str) -> FtpRequest {
    FtpRequest::default().with(|request| request.name = name.as_bytes().to_vec())
}

fn kind(greeting: Vec<u8>) -> Option<FaultKind> {
    let mut machine = FtpMachine::new(request("x"), FtpSettings::default());
    let mut greeting = Some(greeting);
    let server = |_: &[u8]| greeting.take().unwrap_or_default();
    hold(
        &mut machine,
        server,
        Network::default().with(|network| {
            network.piece = 4096;
            network.data = b"";
        }),
    )
    .fault
    .map(|fault| fault.kind())
}

#[test]
fn security_27_endless_replies_end() {
    assert_eq!(kind(vec![b'2'; 1 << 20]), Some(FaultKind::Limit), "a line without an end");
    assert_eq!(kind(b"220-hello\r\n".repeat(100_000)), Some(FaultKind::Limit), "a greeting without an end");
    assert_eq!(kind(b"220-\r\n220 \0\r\n".to_vec()), Some(FaultKind::Malformed));
    assert_eq!(kind(b"HTTP/1.1 400 Bad Request\r\n".to_vec()), Some(FaultKind::Malformed));
    assert_eq!(kind(b"220 ready".to_vec()), Some(FaultKind::Server), "the line never ends, the connection does");
    assert_eq!(kind(Vec::new()), Some(FaultKind::Server));
    assert_eq!(kind(b"120 wait\r\n".repeat(100)), Some(FaultKind::Server), "it is never ready");
    assert_eq!(kind(b"554 go away\r\n".to_vec()), Some(FaultKind::Server));
}

#[test]
fn security_49_endless_lists_end() {
    let mut settings = FtpSettings::default();
    settings.limits.list_lines = 1_000;
    let list_by = |verb: &str, data: &[u8]| {
        let server = |command: &[u8]| match command {
            b"LIST\r\n" if verb != "LIST" => b"502 no\r\n".to_vec(),
            b"LIST\r\n" => b"150 here\r\n226 there\r\n".to_vec(),
            b"USER anonymous\r\n" => b"230 in\r\n".to_vec(),
            b"FEAT\r\n" => b"502 no\r\n".to_vec(),
            b"EPSV\r\n" => b"229 (|||2000|)\r\n".to_vec(),
            b"NLST\r\n" => b"150 here\r\n226 there\r\n".to_vec(),
            _ => b"220 ok\r\n".to_vec(),
        };
        hold(
            &mut FtpMachine::new(request(""), settings.clone()),
            server,
            Network::default().with(|network| {
                network.piece = 8192;
                network.data = data;
            }),
        )
    };
    let list = |data: &[u8]| list_by("NLST", data);
    assert!(list(&b"a\r\n".repeat(1_000)).is_done);
    assert_eq!(list(&b"a\r\n".repeat(1_001)).fault.map(|fault| fault.kind()), Some(FaultKind::Limit));
    assert_eq!(
        list(&b"\r\n".repeat(1_001)).fault.map(|fault| fault.kind()),
        Some(FaultKind::Limit),
        "empty lines count"
    );
    assert!(list(&[b'a'; 8192]).is_done);
    assert_eq!(list(&[b'a'; 8194]).fault.map(|fault| fault.kind()), Some(FaultKind::Limit));
    let line = b"-rw-r--r-- 1 ftp ftp 18 Dec 01  1994 a\r\n";
    assert!(list_by("LIST", &line.repeat(1_000)).is_done);
    for endless in [&line.repeat(1_001)[..], &b"+odd\r\n".repeat(1_001), &b"total 1\r\n".repeat(1_001), &[b'a'; 8194]] {
        let fault = list_by("LIST", endless).fault;
        assert_eq!(fault.map(|fault| fault.kind()), Some(FaultKind::Limit), "of LIST, too");
    }
}
