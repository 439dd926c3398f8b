//! Texts that are put together from pieces are padded and cut as a whole.

use crate::net::endpoint::Endpoint;
use crate::net::transcript::{Peer, Seen};
use crate::policy::{Policy, UrlSource};
use crate::protocol::ardp::{Header, Signal};
use crate::protocol::{Command, DialogueLine, Fault, FaultKind, Note, Question};
use crate::{Error, ErrorKind, Gateways, Plan, PlanLine, Realm};
use std::fmt::Display;
use urlwise::{Profile, Url};

/// How a value is printed in ten columns more than it needs, and in one less.
fn assert_width(value: &dyn Display) {
    let text = value.to_string();
    let count = text.chars().count();
    let (width, less) = (count + 10, count - 1);
    assert_eq!(format!("{value:>width$}"), format!("{:10}{text}", ""));
    assert_eq!(format!("{value:.less$}"), text.chars().take(less).collect::<String>());
}

fn url(text: &str) -> Url<String> {
    Url::parse_with(text.to_owned(), Profile::Current).expect("a URL")
}

#[test]
fn widths_hold_for_peers_and_what_they_say() {
    let command = Command::new(b"PASS s3cret\r\n".to_vec()).secret(5..11);
    assert_width(&command);
    assert_width(&Peer { host: "h\r", port: 21 });
    let line = b"220 \x1b".as_slice();
    for seen in [
        Seen::Connected,
        Seen::ConnectedToProxy(Peer { host: "p", port: 3128 }),
        Seen::Reused,
        Seen::Secured,
        Seen::Data(7),
        Seen::Sent(&command),
        Seen::Received(line),
        Seen::Datagram(&Header::default()),
    ] {
        assert_width(&seen);
    }
    assert_width(&Endpoint::of(&url("ftp://h:2121/")).expect("a host"));
    assert_width(&Realm::of(&url("ftp://h:2121/")).expect("a host"));
    let header = Header::default().with(|header| {
        header.total = Some(2);
        header.received_through = Some(1);
        header.wait = Some(3);
        header.signal = Some(Signal::Queue { position: Some(4), seconds: Some(5) });
    });
    assert_width(&header);
    #[cfg(feature = "gopher")]
    assert_width(&crate::protocol::gopher::View { language: Some(b"En_US".to_vec()), ..view() });
    #[cfg(feature = "mail")]
    for server in ["smtps://joe@h", "starttls://[::1]:25"] {
        assert_width(&server.parse::<crate::MailServer>().expect("a server"));
    }
}

#[cfg(feature = "gopher")]
fn view() -> crate::protocol::gopher::View {
    crate::protocol::gopher::View::new("Text/plain")
}

#[test]
fn widths_hold_for_gateways() {
    let mut gateways = Gateways::default();
    gateways.route("wais", "http://joe:s3cret@h/{url}").expect("a template");
    gateways.iter().for_each(|gateway| assert_width(gateway));
    assert_eq!(gateways.iter().len(), 1);
    assert_width(&gateways.route("wais", "nothing").expect_err("it is not a URL"));
}

#[test]
fn widths_hold_for_errors_and_print_their_causes() {
    let fault = Fault::new(FaultKind::Refused, "D-40", "odd").octets(b"\r").at(3).with_help("fix it");
    assert_width(&fault);
    let refusal = Policy::default().admit(&url("ftp://h:25/x"), UrlSource::Given).expect_err("a port of mail");
    assert_width(&refusal);
    assert_width(&Policy::default().allow("nothing").expect_err("not a rule"));
    let error =
        Error::new(ErrorKind::Connect, "no way").with_help("wait").with_source(std::io::Error::other("it is closed"));
    assert_width(&error);
    let whole = format!("{error:#}");
    assert!(whole.contains("it is closed") && !error.to_string().contains("it is closed"), "{whole}");
    assert_eq!(format!("{error:>#100}"), format!("{whole:>100}"));
}

#[test]
fn widths_hold_for_dry_runs() {
    let note = Note { count: Some(2), ..Note::new("odd", "D-40", urlwise::Words::same("something is odd")) };
    assert_width(&note);
    let command = Command::new(b"USER joe\r\n".to_vec());
    for line in [
        DialogueLine::Connect,
        DialogueLine::Send(command.clone()),
        DialogueLine::Expect("220".into()),
        DialogueLine::Ask(Question::Password),
        DialogueLine::Note(note),
    ] {
        assert_width(&line);
    }
    let host = || "h".to_owned();
    let lines = vec![
        PlanLine::Connect { host: host(), port: 21, tls: true },
        PlanLine::Datagrams { host: host(), port: 191 },
        PlanLine::Data { host: host() },
        PlanLine::Tls,
        PlanLine::Ask(Question::Account),
        PlanLine::Note(note),
        PlanLine::Send(command),
        PlanLine::Run { words: vec![b"a".to_vec(), b"b".to_vec()] },
        PlanLine::Compose {
            to: vec!["a@b".to_owned()],
            cc: vec!["c@d".to_owned()],
            subject: Some("c".to_owned()),
            lines: 2,
        },
    ];
    lines.iter().for_each(|line| assert_width(line));
    assert_width(&Plan::new(lines));
}
