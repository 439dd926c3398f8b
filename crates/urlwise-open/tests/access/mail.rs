//! mailto against exim and sendmail: what arrives is what the URL said, and nobody else gets it.

use crate::support::{Authority, Exim, Folder, Relay, client, client_with, options, require, url};
use std::time::{Duration, SystemTime};
use urlwise_open::{
    Client, Credentials, Delivery, Error, ErrorKind, Letter, MailAddress, MailServer, MessageDraft, OpenOptions,
    Options, Resource, Roots, Sender, Sent, ServerLogin,
};

pub(crate) fn draft(text: &str) -> MessageDraft {
    // What programs may take for an option is refused by default; sending has to stand without that.
    let client =
        client_with(|options| options.policy = options.policy.clone().allow("host-option").expect("allowable"));
    match client.open(&url(text)).expect(text) {
        Resource::Draft(draft) => draft,
        other => panic!("not a draft: {other:?}"),
    }
}

pub(crate) fn letter(text: &str) -> Letter {
    letter_of("Joe Doe <joe@h.example>", text)
}

fn letter_of(sender: &str, text: &str) -> Letter {
    let sender: Sender = sender.parse().expect(sender);
    draft(text).letter(&sender, SystemTime::UNIX_EPOCH + Duration::from_secs(786_240_000)).expect("a letter")
}

pub(crate) fn server(text: impl AsRef<str>) -> Delivery {
    let server: MailServer = text.as_ref().parse().expect("a mail server");
    Delivery::Server(server)
}

fn start() -> Option<(Authority, Exim)> {
    let authority = require(&["openssl"]).then(Authority::new)?;
    let exim = Exim::start(&authority)?;
    Some((authority, exim))
}

fn trusting(authority: &Authority, change: impl FnOnce(&mut Options)) -> Client {
    client_with(|options| {
        options.roots = Roots::Pem(authority.ca());
        change(options);
    })
}

fn logging_in(user: &str, password: &str) -> impl FnOnce(&mut Options) {
    let login = ServerLogin::of(user).with_password(password);
    move |options| options.credentials.login = Some(login)
}

/// The names of headers up to the empty line, folded lines left out.
fn names(mail: &str) -> Vec<&str> {
    let head = mail.split_once("\n\n").map_or(mail, |(head, _)| head);
    let lines = head.lines().skip(1).filter(|line| !line.starts_with([' ', '\t']));
    lines.filter_map(|line| line.split_once(':')).map(|(name, _)| name).collect()
}

fn notes(sent: &Sent) -> Vec<&'static str> {
    sent.notes.iter().map(|note| note.code).collect()
}

#[test]
fn security_38_what_arrives_has_the_recipient_and_the_headers_of_the_url_and_no_others() {
    let Some((_authority, exim)) = start() else { return };
    let relay = Relay::start(exim.port);
    let letter =
        letter("mailto:%22jim%40x%22@h.example?subject=Hi%20there&body=.%0D%0A..%0D%0ABcc:%20no@h.example%0D%0A");
    let by = server(format!("smtp://localhost:{}", relay.port));
    let sent = client().send(&letter, &by).expect("exim takes it");
    assert!(sent.reply.starts_with(b"250 OK"), "{sent:?}");
    assert_eq!(notes(&sent), ["mail-in-clear"]);
    let said = relay.said_to_the_end();
    assert_eq!(said.len(), 1);
    let said: Vec<_> = said[0].iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect();
    let message: Vec<_> = String::from_utf8_lossy(letter.octets()).lines().map(|line| format!("{line}\r\n")).collect();
    assert_eq!(
        said[..4],
        ["EHLO [127.0.0.1]\r\n", "MAIL FROM:<joe@h.example>\r\n", "RCPT TO:<\"jim@x\"@h.example>\r\n", "DATA\r\n"]
    );
    let head = message.len() - 3;
    assert_eq!(said[4..4 + head], message[..head]);
    assert_eq!(said[4 + head..], ["..\r\n", "...\r\n", "Bcc: no@h.example\r\n", ".\r\n", "QUIT\r\n"]);
    let mails = exim.mails(1);
    let added = ["Return-path", "Envelope-to", "Received"];
    let ours: Vec<_> = names(&mails[0]).into_iter().filter(|name| !added.contains(name)).collect();
    assert_eq!(ours, ["From", "Date", "Message-ID", "To", "Subject"]);
    assert!(mails[0].contains("Return-path: <joe@h.example>\nEnvelope-to: \"jim@x\"@h.example\n"), "{}", mails[0]);
    assert!(mails[0].contains("\n\n.\n..\nBcc: no@h.example\n"), "{}", mails[0]);
    // What is planned is what is said.
    let plan = client().plan_sending(&letter, &by).expect("it may be sent");
    let planned: Vec<_> = plan.lines().iter().filter(|line| line.kind() == "send").map(ToString::to_string).collect();
    let shown: Vec<_> = said.iter().map(|line| urlwise::escape_for_display(line.as_bytes()).to_string()).collect();
    assert_eq!(planned, shown);
}

#[test]
fn tls_begins_with_the_first_octet_or_after_starttls() {
    let Some((authority, exim)) = start() else { return };
    let client = trusting(&authority, |_| {});
    for (scheme, port, clear) in [("smtps", exim.tls_port, 0), ("starttls", exim.port, 2)] {
        let relay = Relay::start(port);
        let text = format!("mailto:{scheme}@h.example?subject=na%C3%AFve&body=%E2%82%AC%0D%0A");
        let sent = client.send(&letter(&text), &server(format!("{scheme}://localhost:{}", relay.port))).expect(scheme);
        assert_eq!(notes(&sent), [""; 0]);
        let said = relay.said()[0].concat();
        let in_clear: Vec<_> = said.split(|octet| *octet == b'\n').take(clear).collect();
        assert_eq!(in_clear, [&b"EHLO [127.0.0.1]\r"[..], b"STARTTLS\r"][..clear]);
        assert!(!said.windows(9).any(|window| window == b"MAIL FROM"), "{scheme}");
    }
    let mails = exim.mails(2);
    // They may be delivered in any order.
    let mail = mails.iter().find(|mail| mail.contains("Envelope-to: starttls@h.example\n")).expect("it was delivered");
    assert!(mail.contains("\nSubject: =?utf-8?b?bmHDr3Zl?=\nMIME-Version: 1.0\n"), "{mail}");
}

#[test]
fn a_login_is_by_plain_or_by_login() {
    let Some((authority, exim)) = start() else { return };
    let client = trusting(&authority, logging_in("urluser", "s3cret"));
    let ways =
        [server(format!("localhost:{}", exim.login_port)), server(format!("smtps://localhost:{}", exim.tls_port))];
    for by in &ways {
        client.send(&letter("mailto:jim@h.example"), by).expect("it logs in");
    }
    let mails = exim.mails(2);
    assert!(mails.iter().all(|mail| mail.contains("with esmtpsa")), "{mails:?}");
    let wrong = trusting(&authority, logging_in("urluser", "wrong"));
    for by in &ways {
        let error = wrong.send(&letter("mailto:jim@h.example"), by).expect_err("a wrong password");
        assert_eq!(error.kind(), ErrorKind::Login, "{error}");
    }
    let nobody = trusting(&authority, |_| {});
    let error = nobody.send(&letter("mailto:jim@h.example"), &ways[0]).expect_err("it wants a login");
    assert_eq!(error.kind(), ErrorKind::Server, "{error}");
    // Nobody is there to be asked.
    let by = server(format!("starttls://urluser@localhost:{}", exim.login_port));
    let error = nobody.send(&letter("mailto:jim@h.example"), &by).expect_err("no password");
    assert_eq!(error.kind(), ErrorKind::Login, "{error}");
    assert_eq!(exim.mails(2).len(), 2);
}

#[test]
fn security_12_netrc_is_for_the_host_it_names() {
    let Some((authority, exim)) = start() else { return };
    let with = |machine: &str| {
        let text = format!("machine {machine} login urluser password s3cret");
        let netrc = urlwise_open::Netrc::parse(text.as_bytes()).expect("well formed");
        trusting(&authority, |options| {
            let mut credentials = Credentials::default();
            credentials.netrc = Some(netrc);
            options.credentials = credentials;
        })
    };
    let by = server(format!("starttls://localhost:{}", exim.login_port));
    with("localhost").send(&letter("mailto:jim@h.example"), &by).expect("it logs in");
    assert!(with("other.example").send(&letter("mailto:jim@h.example"), &by).is_err());
}

#[test]
fn addresses_outside_us_ascii_go_where_smtputf8_is_known() {
    let Some((_authority, exim)) = start() else { return };
    let letter = letter_of("j\u{f6}rg@h.example", "mailto:jim@h.example?subject=x");
    let by = server(format!("smtp://localhost:{}", exim.port));
    client().send(&letter, &by).expect("exim knows it");
    let mails = exim.mails(1);
    assert!(mails[0].contains("Return-path: <j\u{f6}rg@h.example>"), "{}", mails[0]);
    assert!(mails[0].contains("\nFrom: j\u{f6}rg@h.example\n"), "{}", mails[0]);
    // A URL holds none: the grammar of addresses is US-ASCII (D-53).
    assert!(urlwise::Url::parse_with("mailto:j%C3%B6rg@h.example", urlwise::Profile::Current).is_err());
}

/// A letter to the recipient of the URL and to others.
fn letter_to(text: &str, to: &[&str], cc: &[&str]) -> Letter {
    let addresses =
        |texts: &[&str]| -> Vec<MailAddress> { texts.iter().map(|text| text.parse().expect(text)).collect() };
    let mut options = OpenOptions::default();
    (options.recipients.to, options.recipients.cc) = (addresses(to), addresses(cc));
    let draft = client().open_with(&url(text), &options).expect(text);
    let Resource::Draft(draft) = draft else { panic!("not a draft: {draft:?}") };
    let sender: Sender = "joe@h.example".parse().expect("an address");
    draft.letter(&sender, SystemTime::UNIX_EPOCH + Duration::from_secs(786_240_000)).expect("a letter")
}

#[test]
fn several_recipients_get_one_mail_each_once() {
    let Some((_authority, exim)) = start() else { return };
    let relay = Relay::start(exim.port);
    let letter = letter_to("mailto:a@h.example", &["b@h.example", "a@h.example"], &["c@i.example", "b@h.example"]);
    client().send(&letter, &server(format!("smtp://localhost:{}", relay.port))).expect("exim takes it");
    let said = relay.said_to_the_end()[0].concat();
    let said = String::from_utf8_lossy(&said);
    let recipients: Vec<_> = said.lines().filter(|line| line.starts_with("RCPT")).collect();
    assert_eq!(recipients, ["RCPT TO:<a@h.example>", "RCPT TO:<b@h.example>", "RCPT TO:<c@i.example>"]);
    let mails = exim.mails(3);
    let mut copies: Vec<_> =
        mails.iter().flat_map(|mail| mail.lines()).filter_map(|line| line.strip_prefix("Envelope-to: ")).collect();
    copies.sort_unstable();
    assert_eq!(copies, ["a@h.example", "b@h.example", "c@i.example"]);
    for mail in &mails {
        assert!(mail.contains("\nTo: a@h.example,\n b@h.example\nCc: c@i.example\n"), "{mail}");
    }
}

#[test]
fn a_mail_goes_to_all_recipients_or_to_none() {
    let Some((_authority, exim)) = start() else { return };
    let relay = Relay::start(exim.port);
    let by = server(format!("smtp://localhost:{}", relay.port));
    let letter = letter_to("mailto:a@h.example", &[], &["nobody.here@h.example"]);
    let error = client().send(&letter, &by).expect_err("no such mailbox");
    assert!(error.to_string().contains("550 no such mailbox"), "{error}");
    assert!(!relay.said()[0].concat().windows(4).any(|window| window == b"DATA"));
}

#[test]
fn an_unknown_address_is_reported() {
    let Some((_authority, exim)) = start() else { return };
    let relay = Relay::start(exim.port);
    let by = server(format!("smtp://localhost:{}", relay.port));
    let error = client().send(&letter("mailto:nobody.here@h.example"), &by).expect_err("no such mailbox");
    assert_eq!(error.kind(), ErrorKind::Server);
    assert!(!error.is_transient() && error.to_string().contains("550 no such mailbox"), "{error}");
    assert!(!relay.said()[0].concat().windows(4).any(|window| window == b"DATA"));
}

#[test]
fn security_52_an_untrusted_server_gets_nothing() {
    let Some((authority, exim)) = start() else { return };
    let other = Authority::new();
    for (scheme, port) in [("smtps", exim.tls_port), ("starttls", exim.port)] {
        let relay = Relay::start(port);
        let by = server(format!("{scheme}://localhost:{}", relay.port));
        let error = trusting(&other, |_| {}).send(&letter("mailto:jim@h.example"), &by).expect_err("another authority");
        assert_eq!(error.kind(), ErrorKind::Tls, "{error}");
        // The name counts, too.
        let by = server(format!("{scheme}://127.0.0.2:{port}"));
        let error = trusting(&authority, |_| {}).send(&letter("mailto:jim@h.example"), &by).expect_err("another name");
        assert!(matches!(error.kind(), ErrorKind::Tls | ErrorKind::Connect), "{error}");
    }
    let by = server(format!("smtps://localhost:{}", exim.tls_port));
    let sent = client_with(|options| options.insecure = true).send(&letter("mailto:jim@h.example"), &by);
    assert_eq!(notes(&sent.expect("it was asked for")), ["tls-not-verified"]);
}

#[test]
fn security_38_opening_does_not_connect_and_has_nothing_to_list() {
    let mut options = options();
    options.policy = options.policy.public_addresses_only();
    let client = Client::new(options);
    assert!(matches!(client.open(&url("mailto:a@b.example?subject=x")), Ok(Resource::Draft(_))));
    assert_eq!(client.list(&url("mailto:a@b.example")).expect_err("no menu").kind(), ErrorKind::NoAccess);
    for text in [
        "mailto:a@b.example?attach=/etc/passwd",
        "mailto:a@b.example?bcc=c@d.example",
        "mailto:a@b.example?subject=a%0D%0ABcc:c@d",
    ] {
        let error = client.open(&url(text)).expect_err(text);
        assert_eq!((error.kind(), error.refused_by()), (ErrorKind::Refused, Some("mailto-inject")));
        assert!(client.plan(&url(text)).is_err());
    }
}

/// A program that writes down its arguments and what it reads.
fn fake(root: &Folder, rest: &str) -> Delivery {
    use std::os::unix::fs::PermissionsExt as _;
    let (path, folder) = (root.join("sendmail"), root.text(""));
    let script = format!("#!/bin/sh\nprintf '%s\\n' \"$@\" >{folder}words\ncat >{folder}read\n{rest}\n");
    std::fs::write(&path, script).expect("our folder");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("our file");
    Delivery::Sendmail(path)
}

#[test]
fn sendmail_gets_each_address_as_one_word_and_the_plan_says_so() {
    let root = Folder::new();
    let by = fake(&root, "");
    let letter = letter("mailto:%22%24(id)%20-x%22@h.example?body=.%0D%0Ax");
    client().send(&letter, &by).expect("it exits with 0");
    let words = std::fs::read_to_string(root.join("words")).expect("it was run");
    assert_eq!(words, "-i\n-f\njoe@h.example\n--\n\"$(id) -x\"@h.example\n");
    assert_eq!(std::fs::read(root.join("read")).expect("it was run"), letter.octets());
    let plan = client().plan_sending(&letter, &by).expect("it may be sent");
    let first = plan.lines()[0].to_string();
    assert_eq!(first, format!("{} {}", root.join("sendmail").display(), words.trim_end().replace('\n', " ")));
    assert_eq!(plan.lines()[0].kind(), "run");
}

#[test]
fn exim_takes_mail_as_sendmail_does() {
    let Some((_authority, exim)) = start() else { return };
    let by = Delivery::Sendmail(exim.sendmail());
    client().send(&letter("mailto:%22jim%40x%22@h.example?subject=Hi&body=.%0D%0Ax"), &by).expect("exim takes it");
    let mails = exim.mails(1);
    assert!(mails[0].contains("Return-path: <joe@h.example>\nEnvelope-to: \"jim@x\"@h.example\n"), "{}", mails[0]);
    assert!(mails[0].contains("\nSubject: Hi\n") && mails[0].contains("\n\n.\nx\n"), "{}", mails[0]);
    assert_eq!(names(&mails[0]).iter().filter(|name| name.eq_ignore_ascii_case("message-id")).count(), 1);
}

#[test]
fn a_program_that_fails_or_hangs_is_reported() {
    let root = Folder::new();
    let send = |by: &Delivery, change: fn(&mut Options)| -> Error {
        client_with(change).send(&letter("mailto:jim@h.example"), by).expect_err("it fails")
    };
    let error = send(&fake(&root, "printf 'no \\033[2Jroute\\n' >&2; exit 75"), |_| {});
    assert_eq!(error.kind(), ErrorKind::Server);
    assert!(error.to_string().contains(r"no \x1b[2Jroute"), "{error}");
    let error = send(&fake(&root, "exit 1"), |_| {});
    assert!(error.to_string().contains("it failed without a message"), "{error}");
    let error = send(&Delivery::Sendmail(root.join("absent")), |_| {});
    assert!(error.to_string().contains("No such file"), "{error}");
    let slow = |options: &mut Options| options.deadlines.first_byte = Duration::from_millis(200);
    let error = send(&fake(&root, "exec sleep 3"), slow);
    assert_eq!(error.kind(), ErrorKind::Partial);
    assert!(error.to_string().contains("it is unknown whether the message was sent"), "{error}");
}

#[test]
fn security_6_an_address_is_not_an_option() {
    let root = Folder::new();
    let by = fake(&root, "");
    for (sender, to) in [("-x@h.example", "mailto:jim@h.example"), ("joe@h.example", "mailto:-oQ/tmp@h.example")] {
        let error = client().send(&letter_of(sender, to), &by).expect_err("an option");
        assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
    }
    assert!(!root.join("words").exists());
}

#[test]
fn a_message_file_is_a_document_like_others() {
    let draft = || draft("mailto:joe@h.example?subject=x&body=one%0D%0Atwo");
    let file = draft().message_file().expect("it fits");
    let mut document = draft().into_document().expect("it fits");
    assert_eq!((document.size(), document.media_type()), (Some(file.len() as u64), Some("message/rfc822")));
    let (mut octets, mut buffer) = (Vec::new(), [0; 7]);
    while let Ok(count @ 1..) = std::io::Read::read(&mut document, &mut buffer) {
        octets.extend_from_slice(&buffer[..count]);
    }
    assert!(octets == file, "{}", String::from_utf8_lossy(&octets));
    assert!(file.ends_with(b"\r\none\r\ntwo\r\n"), "{}", String::from_utf8_lossy(&file));
}

#[test]
fn a_letter_is_shown_line_by_line() {
    let letter = letter("mailto:joe@h.example?subject=x&body=one%0D%0Atwo");
    assert_eq!(letter.to_string(), String::from_utf8_lossy(letter.octets()).replace("\r\n", "\n"));
}

#[test]
fn the_header_with_a_line_that_is_too_long_is_named() {
    let long = format!("{}@h.example", "a".repeat(1_000));
    let mut options = OpenOptions::default();
    options.recipients.to = vec![long.parse().expect("an address")];
    let Ok(Resource::Draft(second)) = client().open_with(&url("mailto:joe@h.example"), &options) else { panic!() };
    for draft in [draft(&format!("mailto:{long}")), second] {
        let error = draft.message_file().expect_err("no line is so long");
        assert!(error.to_string().contains("the header To contains a line of"), "{error}");
    }
}
