//! The rules of the dialogue, one by one: login, TLS, ports, transfers, the rest of a file, sessions.

use crate::hold::hold;
use urlwise::{Locator, Profile, Url};
use urlwise_open::protocol::ftp::{
    ExplicitTls, FileMetadata, FileMethod, FtpGoal, FtpItem, FtpMachine, FtpRequest, FtpSession, FtpSettings, ItemKind,
    Rest,
};
use urlwise_open::protocol::{End, Fault, FaultKind, Question};
use urlwise_open::testing::{DialogueRecord, Network};

/// Replies of a well-behaved server, except for those given: pairs of the beginning of a command and a reply.
pub(super) fn server<'r>(odd: &'r [(&'r str, &'r str)]) -> impl FnMut(&[u8]) -> Vec<u8> + 'r {
    const GOOD: &[(&str, &str)] = &[
        ("USER", "331 password"),
        ("PASS", "230 welcome"),
        ("ACCT", "230 welcome"),
        ("AUTH", "234 go"),
        ("SIZE", "213 10"),
        ("MDTM", "213 19941201000000"),
        ("EPSV", "229 ok (|||2000|)"),
        ("PASV", "227 ok (192,0,2,7,8,0)"),
        ("REST", "350 ok"),
        ("FEAT", "211-\r\n MLST size*;\r\n211 end"),
        ("RETR", "150 here\r\n226 there"),
        ("NLST", "150 here\r\n226 there"),
        ("MLSD", "150 here\r\n226 there"),
        ("LIST", "150 here\r\n226 there"),
    ];
    move |command: &[u8]| {
        if command.is_empty() {
            let greeting = odd.iter().find(|(verb, _)| verb.is_empty()).map_or("220 ready", |(_, reply)| reply);
            return format!("{greeting}\r\n").into_bytes();
        }
        let of = |table: &[(&'r str, &'r str)]| {
            table.iter().find(|(verb, _)| !verb.is_empty() && command.starts_with(verb.as_bytes())).map(|row| row.1)
        };
        let reply = of(odd).or_else(|| of(GOOD)).unwrap_or("200 ok");
        if command == b"QUIT\r\n" { Vec::new() } else { format!("{reply}\r\n").into_bytes() }
    }
}

pub(super) fn request(url: &str) -> FtpRequest {
    let url = Url::parse_with(url, Profile::Current).expect("a valid URL");
    let Locator::Ftp(ftp) = url.locator() else { panic!("not ftp") };
    FtpRequest::from_url(ftp)
}

pub(super) fn run(url: &str, odd: &[(&str, &str)], settings: FtpSettings, data: &[u8]) -> DialogueRecord<FtpItem> {
    hold(
        &mut FtpMachine::new(request(url), settings),
        server(odd),
        Network::default().with(|network| network.data = data),
    )
}

pub(super) fn with(url: &str, odd: &[(&str, &str)]) -> DialogueRecord<FtpItem> {
    run(url, odd, FtpSettings::default(), b"0123456789")
}

pub(super) fn kind(held: &DialogueRecord<FtpItem>) -> Option<FaultKind> {
    held.fault.as_ref().map(Fault::kind)
}

pub(super) fn sent(held: &DialogueRecord<FtpItem>) -> String {
    held.shown.concat().replace("\\r\\n", "|")
}

#[test]
fn a_password_is_asked_for_only_when_the_server_asks() {
    let free = with("ftp://me@h/x", &[("USER", "230 no password")]);
    assert!(free.is_done && free.questions.is_empty());
    let asked = with("ftp://me@h/x", &[]);
    assert_eq!((asked.questions, kind(&with("ftp://me@h/x", &[]))), (vec![Question::Password], Some(FaultKind::Login)));
}

#[test]
fn an_account_is_asked_for_wherever_the_server_wants_it() {
    for odd in [("PASS", "332 account"), ("USER", "332 account")] {
        let network = Network::default().with(|network| {
            network.answer = Some(b"dept7");
            network.data = b"";
        });
        let held =
            hold(&mut FtpMachine::new(request("ftp://me:pw@h/x"), FtpSettings::default()), server(&[odd]), network);
        assert_eq!((held.is_done, held.questions), (true, vec![Question::Account]));
        assert!(held.sent.contains(&b"ACCT dept7\r\n".to_vec()) && !held.shown.concat().contains("dept7"));
    }
}

#[test]
fn security_14_a_server_that_repeats_the_password_does_not_make_us_show_it() {
    for odd in [("PASS", "530 'PASS s3cret' refused: s3cret"), ("PASS", "999 s3cret"), ("CWD", "550 s3cret")] {
        let fault = with("ftp://me:s3cret@h/a/x", &[odd]).fault.expect("it is refused");
        assert!(!format!("{fault} {fault:?}").contains("s3cret") && fault.to_string().contains("***"), "{fault}");
    }
}

#[test]
fn security_16_a_password_in_clear_is_noted() {
    assert_eq!(with("ftp://me:pw@h/x", &[]).notes, ["password-in-clear"]);
    assert_eq!(with("ftp://h/x", &[]).notes, [""; 0]);
    let required = FtpSettings::default().with(|settings| settings.explicit_tls = ExplicitTls::Required);
    assert_eq!(run("ftp://me:pw@h/x", &[], required, b"0123456789").notes, [""; 0]);
}

#[test]
fn explicit_tls_protects_login_and_data() {
    let required = FtpSettings::default().with(|settings| settings.explicit_tls = ExplicitTls::Required);
    let held = run("ftp://me:pw@h/x", &[], required, b"0123456789");
    assert_eq!(sent(&held), "AUTH TLS|USER me|PASS ***|PBSZ 0|PROT P|TYPE I|EPSV|RETR x|QUIT|");
    assert_eq!((held.is_done, held.handshakes, held.data_handshakes), (true, 1, 1));
    let mut ftps = FtpMachine::new(request("ftps://me:pw@h/x"), FtpSettings::default()).over_tls();
    let held = hold(&mut ftps, server(&[]), Network::default().with(|network| network.data = b""));
    assert_eq!(sent(&held), "USER me|PASS ***|PBSZ 0|PROT P|TYPE I|EPSV|RETR x|QUIT|");
    assert_eq!((held.is_done, held.handshakes, held.data_handshakes), (true, 0, 1));
}

#[test]
fn security_16_and_17_where_tls_is_required_nothing_goes_in_clear() {
    let required = || FtpSettings::default().with(|settings| settings.explicit_tls = ExplicitTls::Required);
    for refusal in ["502 what?", "504 no", "431 not now", "530 log in first", "534 no"] {
        let held = run("ftp://me:pw@h/x", &[("AUTH", refusal)], required(), b"");
        assert_eq!((sent(&held).as_str(), held.handshakes), ("AUTH TLS|", 0));
        assert!(!held.is_done && held.fault.is_some());
    }
    let offered = FtpSettings::default().with(|settings| settings.explicit_tls = ExplicitTls::Offered);
    let held = run("ftp://me:pw@h/x", &[("AUTH", "502 what?")], offered, b"0123456789");
    assert_eq!((held.is_done, &held.notes[..]), (true, &["no-tls", "password-in-clear"][..]));
}

#[test]
fn security_16_a_login_with_a_password_is_encrypted_where_the_server_can() {
    let settings = || FtpSettings::default().with(|settings| settings.explicit_tls = ExplicitTls::ForLogin);
    let held = run("ftp://me:pw@h/x", &[], settings(), b"0123456789");
    assert_eq!(sent(&held), "AUTH TLS|USER me|PASS ***|PBSZ 0|PROT P|TYPE I|EPSV|RETR x|QUIT|");
    assert_eq!((held.is_done, held.handshakes, held.data_handshakes, held.notes.len()), (true, 1, 1, 0));
    let plain = run("ftp://me:pw@h/x", &[("AUTH", "502 what?")], settings(), b"0123456789");
    assert_eq!((plain.is_done, plain.handshakes, &plain.notes[..]), (true, 0, &["password-in-clear"][..]));
    for nobody in ["ftp://h/x", "ftp://anonymous:joe%40h.dom@h/x", "ftp://FTP:x@h/x", "ftp://me:@h/x"] {
        let held = run(nobody, &[], settings(), b"0123456789");
        assert!(held.is_done && !sent(&held).contains("AUTH"), "{nobody}: {}", sent(&held));
    }
}

#[test]
fn a_text_that_was_guessed_is_noted_and_binary_guesses_nothing() {
    let binary = || FtpSettings::default().with(|settings| settings.binary = true);
    for (url, settings, type_, notes) in [
        ("ftp://h/x.txt", FtpSettings::default(), "TYPE A", &["text-guessed"][..]),
        ("ftp://h/x.txt;type=a", FtpSettings::default(), "TYPE A", &[]),
        ("ftp://h/x.csv", FtpSettings::default(), "TYPE I", &[]),
        ("ftp://h/x.txt", binary(), "TYPE I", &[]),
        ("ftp://h/x.txt;type=a", binary(), "TYPE A", &[]),
    ] {
        let held = run(url, &[], settings, b"0123456789");
        assert!(held.is_done && sent(&held).contains(type_), "{url}: {}", sent(&held));
        assert_eq!(held.notes, notes, "{url}");
    }
}

#[test]
fn security_28_what_comes_with_the_reply_to_auth_tls_is_an_attack() {
    let settings = || FtpSettings::default().with(|settings| settings.explicit_tls = ExplicitTls::Offered);
    for injected in ["234 go\r\n230 you are in", "234 go\r\n2", "234 go\r\n"] {
        let held = run("ftp://me:pw@h/x", &[("AUTH", injected)], settings(), b"");
        assert_eq!(
            (kind(&held), held.handshakes, held.data_handshakes),
            (Some(FaultKind::Malformed), 0, 0),
            "{injected}"
        );
        assert_eq!(sent(&held), "AUTH TLS|");
    }
}

#[test]
fn security_29_data_never_goes_in_clear_where_the_control_connection_does_not() {
    let required = || FtpSettings::default().with(|settings| settings.explicit_tls = ExplicitTls::Required);
    for refusal in ["534 no", "536 no", "500 what?", "431 not now"] {
        let held = run("ftp://h/x", &[("PROT", refusal)], required(), b"");
        assert_eq!((kind(&held), held.ports.len()), (Some(FaultKind::Server), 0));
    }
}

#[test]
fn security_24_the_address_of_a_reply_is_not_used() {
    let held = with("ftp://h/x", &[("EPSV", "500 what?")]);
    assert_eq!((held.is_done, held.ports), (true, vec![2048]), "the machine can name a port and nothing else");
}

#[test]
fn security_25_pasv_follows_only_a_refusal_and_both_are_read_strictly() {
    for odd in
        [("EPSV", "229 ok (|||80|)"), ("EPSV", "229 ok (|1|10.0.0.1|2000|)"), ("EPSV", "229 ok 2000"), ("EPSV", "229")]
    {
        let held = with("ftp://h/x", &[odd]);
        assert_eq!((kind(&held), held.ports.len()), (Some(FaultKind::Malformed), 0), "{odd:?}");
        assert!(!sent(&held).contains("PASV"));
    }
    assert_eq!(kind(&with("ftp://h/x", &[("EPSV", "425 busy")])), Some(FaultKind::Server));
    let odd = [("EPSV", "522 no such protocol"), ("PASV", "227 ok (256,0,0,1,8,0)")];
    assert_eq!(kind(&with("ftp://h/x", &odd)), Some(FaultKind::Malformed));
}

#[test]
fn security_26_the_server_is_never_asked_to_connect_to_us() {
    let held = with("ftp://h/x", &[("EPSV", "500 what?"), ("PASV", "500 what?")]);
    assert_eq!((kind(&held), held.ports.len()), (Some(FaultKind::Server), 0));
    assert!(held.sent.iter().all(|line| !line.starts_with(b"PORT") && !line.starts_with(b"EPRT")));
}

#[test]
fn security_45_announced_sizes_are_not_trusted() {
    for told in ["18446744073709551615", "18446744073709551616", "-1", "+1", "1e9", ""] {
        let reply = format!("213 {told}");
        let mut machine =
            FtpMachine::new(request("ftp://h/x").with(|request| request.metadata = true), FtpSettings::default());
        let held = hold(
            &mut machine,
            server(&[("SIZE", &reply)]),
            Network::default().with(|network| network.data = b"0123456789"),
        );
        let size = told.parse().ok().filter(|_| told.starts_with('1'));
        assert_eq!((held.begin.expect("it begins").size, &held.data[..]), (size, &b"0123456789"[..]), "{told}");
    }
}

#[test]
fn security_30_a_transfer_is_complete_only_when_all_says_so() {
    let outcome = |reply: &str, data_end, data: &[u8]| {
        let mut machine = FtpMachine::new(request("ftp://h/x"), FtpSettings::default());
        let odd = [("RETR", reply)];
        hold(
            &mut machine,
            server(&odd),
            Network::default().with(|network| {
                network.data_end = data_end;
                network.data = data;
            }),
        )
    };
    let ten = b"0123456789";
    assert!(outcome("150 x (10 bytes).\r\n226 done", End::Closed, ten).is_done);
    assert!(outcome("125 x\r\n250 done", End::Closed, ten).is_done);
    for (reply, end, data) in [
        ("150 x (10 bytes)\r\n226 done", End::Closed, &ten[..9]),
        ("150 x\r\n226 done", End::Broken, ten),
        ("150 x\r\n226 done", End::Unauthenticated, ten),
        ("150 x\r\n426 aborted", End::Closed, ten),
        ("150 x\r\n451 disk", End::Closed, ten),
        ("150 x\r\n550 gone", End::Closed, ten),
        ("150 x", End::Closed, ten),
    ] {
        let held = outcome(reply, end, data);
        assert_eq!((kind(&held), &held.data[..]), (Some(FaultKind::Partial), data), "{reply:?} {end:?}");
    }
    assert_eq!(kind(&outcome("226 done", End::Closed, ten)), Some(FaultKind::Malformed), "nothing was announced");
    assert_eq!(kind(&outcome("425 no data connection", End::Closed, ten)), Some(FaultKind::Server));
}

#[test]
fn a_name_is_not_taken_for_a_size() {
    let odd = [("RETR", "150 sending x (99 bytes)")];
    let mut machine = FtpMachine::new(request("ftp://h/x%20(99%20bytes)"), FtpSettings::default());
    let held = hold(
        &mut machine,
        server(&odd),
        Network::default().with(|network| {
            network.end = None;
            network.data = b"";
        }),
    );
    assert_eq!(held.begin.expect("it begins").size, None);
}

fn metadata(size: u64) -> FileMetadata {
    let modified = std::time::UNIX_EPOCH + std::time::Duration::from_secs(786_240_000);
    FileMetadata::new(Some(size), Some(modified))
}

#[test]
fn security_31_only_the_same_file_is_resumed() {
    let resumed = |url: &str, offset, metadata, odd: &[(&str, &str)]| {
        let mut machine = FtpMachine::new(
            request(url).with(|request| request.rest = Some(Rest::new(offset, metadata))),
            FtpSettings::default(),
        );
        let held = hold(&mut machine, server(odd), Network::default().with(|network| network.data = b"0123456789"));
        (machine.offset(), sent(&held).contains("REST"), held.notes, held.is_done)
    };
    let (same, anew) = (vec![], vec!["resume-changed"]);
    assert_eq!(resumed("ftp://h/x", 4, metadata(10), &[]), (4, true, same.clone(), true));
    assert_eq!(resumed("ftp://h/x", 4, metadata(11), &[]), (0, false, anew.clone(), true), "it has shrunk");
    let changed = [("MDTM", "213 19951201000000")];
    assert_eq!(resumed("ftp://h/x", 4, metadata(10), &changed), (0, false, anew.clone(), true));
    assert_eq!(resumed("ftp://h/x", 11, metadata(10), &[]), (0, false, anew.clone(), true), "more is there than was");
    let silent = [("SIZE", "502 what?"), ("MDTM", "502 what?")];
    assert_eq!(resumed("ftp://h/x", 4, FileMetadata::default(), &silent), (0, false, anew.clone(), true));
    assert_eq!(resumed("ftp://h/x", 4, metadata(10), &[("REST", "502 what?")]), (0, true, anew.clone(), true));
    assert_eq!(resumed("ftp://h/x;type=a", 4, metadata(10), &[]), (0, false, anew, true), "never as text");
    let mut machine = FtpMachine::new(
        request("ftp://h/x").with(|request| request.rest = Some(Rest::new(10, metadata(10)))),
        FtpSettings::default(),
    );
    let held = hold(&mut machine, server(&[]), Network::default().with(|network| network.data = b""));
    assert_eq!((held.is_done, machine.offset(), held.ports.len()), (true, 10, 0), "nothing is left to send");
}

#[test]
fn the_size_that_was_asked_for_counts() {
    let run = |data: &[u8]| {
        let mut machine =
            FtpMachine::new(request("ftp://h/x").with(|request| request.metadata = true), FtpSettings::default());
        hold(&mut machine, server(&[]), Network::default().with(|network| network.data = data))
    };
    let held = run(b"0123456789");
    assert_eq!((held.is_done, held.begin.expect("it begins").size), (true, Some(10)));
    assert_eq!(kind(&run(b"012345678")), Some(FaultKind::Partial));
}

#[test]
fn a_directory_can_be_listed_without_a_slash_and_sizes_are_requested_in_image_type() {
    let goal = |url: &str, goal| {
        let mut machine = FtpMachine::new(request(url).with(|request| request.goal = goal), FtpSettings::default());
        sent(&hold(&mut machine, server(&[]), Network::default().with(|network| network.data = b"")))
    };
    assert!(goal("ftp://h/a/b", FtpGoal::List).ends_with("CWD a|CWD b|FEAT|EPSV|MLSD|QUIT|"));
    assert!(goal("ftp://h/a/b;type=d", FtpGoal::List).ends_with("CWD a|EPSV|NLST b|QUIT|"));
    assert!(goal("ftp://h/a/b.txt", FtpGoal::Metadata).ends_with("CWD a|TYPE I|SIZE b.txt|MDTM b.txt|QUIT|"));
}

/// A list of a server without `MLSD`: what was sent after the login, and the rest of the dialogue.
fn listed(url: &str, odd: &[(&str, &str)], data: &[u8]) -> (String, DialogueRecord<FtpItem>) {
    let odd = [&[("FEAT", "500 what?")], odd].concat();
    let held = run(url, &odd, FtpSettings::default(), data);
    (sent(&held).replace("USER anonymous|PASS urlwise@example.com|", ""), held)
}

#[test]
fn without_mlsd_lines_of_list_are_read_and_its_argument_is_never_an_option() {
    let lines = b"total 8\r\n-rw-r--r-- 1 ftp ftp 18 Dec 01  1994 a b\r\ndrwxr-xr-x 2 ftp ftp 4096 Dec 01  1994 .\r\nnonsense\r\n\
        drwxr-xr-x 2 ftp ftp 4096 Dec 01  1994 d";
    let (commands, held) = listed("ftp://h/pub/", &[], lines);
    assert_eq!(commands, "CWD pub|FEAT|EPSV|LIST|QUIT|");
    let names: Vec<_> = held.entries.iter().map(|item| (item.name.as_slice(), item.kind, item.size)).collect();
    assert_eq!(names, [(&b"a b"[..], ItemKind::File, Some(18)), (b"d", ItemKind::Directory, None)]);
    assert_eq!((held.is_done, held.notes), (true, vec!["line-skipped", "list-dates"]));
    let settings = FtpSettings::default().with(|settings| settings.method = FileMethod::None);
    let held = run("ftp://h/-la/", &[("FEAT", "500 what?")], settings, b"");
    assert!(sent(&held).contains("NLST -la|") && !sent(&held).contains("LIST -"), "{}", sent(&held));
}

#[test]
fn without_usable_lines_of_list_the_names_are_asked_for_once() {
    for (odd, data) in [
        (&[][..], &b"+i8388621,/,\tdev\r\n-rw-r--r-- 1 ftp ftp 18 Dec 01  1994 x\r\n"[..]),
        (&[("LIST", "502 what?")], b"x\r\n"),
        (&[("LIST", "550 no")], b""),
    ] {
        let (commands, held) = listed("ftp://h/pub/", odd, data);
        assert_eq!(commands, "CWD pub|FEAT|EPSV|LIST|EPSV|NLST|QUIT|");
        // The driver gives the same data to both commands.
        let lines = data.split(|octet| *octet == b'\n').filter(|line| !line.is_empty());
        let names: Vec<_> = lines.map(<[u8]>::trim_ascii_end).collect();
        let entries: Vec<_> = held.entries.iter().map(|item| item.name.as_slice()).collect();
        assert_eq!((entries, held.is_done, held.notes.len()), (names, true, 0), "{odd:?}");
    }
    let (_, held) = listed("ftp://h/pub/", &[("LIST", "502 what?"), ("NLST", "550 none")], b"");
    assert_eq!(kind(&held), Some(FaultKind::NotFound));
    let (commands, held) = listed("ftp://h/pub/", &[("LIST", "450 busy")], b"");
    assert!(commands.ends_with("LIST|QUIT|") || commands.ends_with("LIST|"), "{commands}");
    assert_eq!(kind(&held), Some(FaultKind::Server), "a passing failure is no reason to ask otherwise");
    // A directory without a line is empty, and nothing more is asked.
    let (commands, held) = listed("ftp://h/pub/", &[], b"total 0\r\n");
    assert_eq!((commands.as_str(), held.is_done, held.entries.len()), ("CWD pub|FEAT|EPSV|LIST|QUIT|", true, 0));
}

#[test]
fn the_date_of_a_file_is_asked_for_where_it_is_wanted() {
    let run = |url: &str| {
        let request = request(url).with(|request| request.date = true);
        let mut machine = FtpMachine::new(request, FtpSettings::default());
        let held = hold(&mut machine, server(&[]), Network::default().with(|network| network.data = b"0123456789"));
        (sent(&held).replace("USER anonymous|PASS urlwise@example.com|", ""), machine.metadata())
    };
    let dated = FileMetadata::new(None, metadata(0).modified);
    assert_eq!(run("ftp://h/x"), ("TYPE I|MDTM x|EPSV|RETR x|QUIT|".to_owned(), dated));
    assert_eq!(
        run("ftp://h/x.txt"),
        ("TYPE A|MDTM x.txt|EPSV|RETR x.txt|QUIT|".to_owned(), dated),
        "a text has a date, too"
    );
}

#[test]
fn the_list_of_a_file_is_its_metadata() {
    let list = |odd: &[(&str, &str)]| {
        let mut machine = FtpMachine::new(
            request("ftp://h/a/x").with(|request| request.goal = FtpGoal::List),
            FtpSettings::default(),
        );
        let held = hold(&mut machine, server(odd), Network::default().with(|network| network.data = b""));
        (sent(&held), kind(&held), machine.metadata())
    };
    let (commands, fault, known) = list(&[("CWD x", "550 no directory")]);
    assert!(commands.ends_with("CWD a|CWD x|TYPE I|SIZE x|MDTM x|QUIT|"), "{commands}");
    assert_eq!((fault, known), (None, metadata(10)));
    assert_eq!(list(&[("CWD", "550 none")]).1, Some(FaultKind::NotFound), "the directory above it is not there");
    for size in ["550 none", "502 what?"] {
        assert_eq!(list(&[("CWD x", "550 none"), ("SIZE", size)]).1, Some(FaultKind::NotFound), "{size}");
    }
}

/// Holds a dialogue on `session`, and gives what was sent and what is left.
fn next(url: &str, session: Option<FtpSession>, odd: &[(&str, &str)]) -> (String, Option<FtpSession>) {
    next_of(request(url), session, odd)
}

pub(super) fn next_of(
    request: FtpRequest,
    session: Option<FtpSession>,
    odd: &[(&str, &str)],
) -> (String, Option<FtpSession>) {
    let fresh = FtpMachine::new(request, FtpSettings::default()).keeping_session();
    let mut machine = match session {
        Some(session) => fresh.on(session),
        None => fresh,
    };
    let held = hold(
        &mut machine,
        server(odd),
        Network::default().with(|network| {
            network.end = None;
            network.data = b"0123456789";
        }),
    );
    (sent(&held), machine.take_session())
}

#[test]
fn a_session_is_sent_only_what_is_new() {
    let (first, session) = next("ftp://h/a/x", None, &[]);
    assert_eq!(first, "USER anonymous|PASS urlwise@example.com|CWD a|TYPE I|EPSV|RETR x|");
    let (second, session) = next("ftp://h/a/y", session, &[]);
    assert_eq!(second, "EPSV|RETR y|");
    let (third, session) = next("ftp://h/a/b/z.txt", session, &[("EPSV", "500 no")]);
    assert_eq!(third, "CWD b|TYPE A|EPSV|PASV|RETR z.txt|");
    let (fourth, session) = next("ftp://h/a/b/", session, &[]);
    assert_eq!(fourth, "FEAT|PASV|MLSD|");
    let (fifth, session) = next("ftp://h/a/b/c/", session, &[]);
    assert_eq!(fifth, "CWD c|PASV|MLSD|");
    assert_eq!(session.expect("in order").leads_to(&request("ftp://h/a/b/x"), &FtpSettings::default()), None);
}

#[test]
fn what_resuming_needs_is_asked_unless_the_last_file_was_small() {
    let resumable = |url| request(url).with(|request| request.metadata = true);
    let (first, session) = next_of(resumable("ftp://h/x"), None, &[]);
    assert!(first.ends_with("TYPE I|SIZE x|MDTM x|EPSV|RETR x|"), "{first}");
    let (after_small, session) = next_of(resumable("ftp://h/y"), session, &[]);
    assert_eq!(after_small, "EPSV|RETR y|");
    // The server said nothing of the length of y: the next file may be large.
    let (after_unknown, _) = next_of(resumable("ftp://h/z"), session, &[]);
    assert_eq!(after_unknown, "SIZE z|MDTM z|EPSV|RETR z|");
}

#[test]
fn a_session_outlives_what_leaves_it_in_order_and_nothing_else() {
    for (odd, survives) in [
        (("RETR", "550 none"), true),
        (("CWD", "550 none"), true),
        (("RETR", "450 busy"), true),
        (("RETR", "150 x\r\n426 aborted"), false),
        (("RETR", "150 x\r\n226 done\r\n220 and more"), false),
        (("RETR", "421 good night"), false),
        (("TYPE", "350 what?"), false),
        (("EPSV", "229 nonsense"), false),
        (("PASS", "530 who?"), false),
        (("", "421 too many users"), false),
    ] {
        assert_eq!(next("ftp://h/a/x", None, &[odd]).1.is_some(), survives, "{odd:?}");
    }
}
