//! The table of URL forms: what each sends, to the octet. The dry run shows the same, since it is the same machine.

use crate::hold::hold;
use urlwise::{Locator, Profile, Url};
use urlwise_open::protocol::ftp::{FileMethod, FtpMachine, FtpRequest, FtpSettings};
use urlwise_open::protocol::{DialogueLine, FaultKind, plan};
use urlwise_open::testing::Network;

/// A server that finds everything good, has no metadata, and logs in after a password.
fn obliging(command: &[u8]) -> Vec<u8> {
    let verb = command.split(|octet| matches!(octet, b' ' | b'\r')).next().unwrap_or_default();
    let reply = match verb {
        b"" => "220 ready",
        b"USER" => "331 password",
        b"EPSV" => "229 ok (|||2000|)",
        b"FEAT" => "211 no features",
        b"RETR" | b"NLST" | b"MLSD" | b"LIST" => "150 here\r\n226 there",
        b"QUIT" => return Vec::new(),
        _ => "200 ok",
    };
    format!("{reply}\r\n").into_bytes()
}

fn machine(url: &str, settings: &FtpSettings) -> FtpMachine {
    let url = Url::parse_with(url, Profile::Current).expect("a valid URL");
    let Locator::Ftp(ftp) = url.locator() else { panic!("not ftp") };
    FtpMachine::new(FtpRequest::from_url(ftp), settings.clone())
}

/// Commands after the login, without those that are always the same, joined by `|`, escaped.
fn commands(url: &str, settings: &FtpSettings) -> String {
    let held = hold(&mut machine(url, settings), obliging, Network::default().with(|network| network.data = b""));
    assert!(held.is_done, "{url}: {held:?}");
    let shown: Vec<String> = held.shown.iter().map(|line| line.trim_end_matches("\\r\\n").to_owned()).collect();
    assert_eq!(shown.last().map(String::as_str), Some("QUIT"));
    let constant = |line: &&String| !["USER", "PASS", "EPSV", "FEAT", "QUIT"].contains(&&line[..4]);
    shown.iter().filter(constant).cloned().collect::<Vec<_>>().join("|")
}

#[test]
fn each_form_sends_what_rfc_1738_says() {
    for (form, sent) in [
        ("", "LIST"),
        ("/", "LIST"),
        ("/etc/motd", "CWD etc|TYPE I|RETR motd"),
        ("/%2Fetc/motd", "CWD /etc|TYPE I|RETR motd"),
        ("//etc/motd", "CWD |CWD etc|TYPE I|RETR motd"),
        ("/pub//lf.txt", "CWD pub|CWD |TYPE A|RETR lf.txt"),
        ("/pub%2Flf.txt", "TYPE A|RETR pub/lf.txt"),
        ("/pub/lf.txt;type=a", "CWD pub|TYPE A|RETR lf.txt"),
        ("/pub/lf.txt;type=i", "CWD pub|TYPE I|RETR lf.txt"),
        ("/pub/lf.txt;type=I", "CWD pub|TYPE I|RETR lf.txt"),
        ("/pub/x.gz", "CWD pub|TYPE I|RETR x.gz"),
        ("/list;type=d", "NLST list"),
        ("/list/;type=d", "CWD list|NLST"),
        ("/list/", "CWD list|LIST"),
        ("/a/b/list;type=d", "CWD a|CWD b|NLST list"),
        ("/%3Btype=odd/in.txt;type=i", "CWD ;type=odd|TYPE I|RETR in.txt"),
        ("/pub/x%3By.gz", "CWD pub|TYPE I|RETR x;y.gz"),
        ("/pub/a%20b%23c%3Fd%25", "CWD pub|TYPE I|RETR a b#c?d%"),
        ("/caf%E9%FF", "TYPE I|RETR caf\\xe9\\xff"),
        ("/pub/../etc/motd", "CWD pub|CWD ..|CWD etc|TYPE I|RETR motd"),
        ("/pub/%2E%2E/./etc", "CWD pub|CWD ..|CWD .|TYPE I|RETR etc"),
        ("/-l;type=d", "NLST -l"),
        ("/a%5B1-3%5D*(x,y)", "TYPE I|RETR a[1-3]*(x,y)"),
    ] {
        assert_eq!(commands(&format!("ftp://h{form}"), &FtpSettings::default()), sent, "{form}");
    }
}

#[test]
fn logins_are_sent_as_they_are_decoded() {
    let sent = |login: &str, answer| {
        let network = Network::default().with(|network| {
            network.answer = answer;
            network.data = b"";
        });
        let held = hold(&mut machine(&format!("ftp://{login}h/x"), &FtpSettings::default()), obliging, network);
        let sent: Vec<_> = held.sent.iter().take(2).map(|line| String::from_utf8_lossy(line).into_owned()).collect();
        (sent.concat(), held.questions.len())
    };
    for (login, commands, questions) in [
        ("", "USER anonymous\r\nPASS urlwise@example.com\r\n", 0),
        ("myname@", "USER myname\r\nPASS told\r\n", 1),
        ("myname:@", "USER myname\r\nPASS \r\n", 0),
        ("@", "USER \r\nPASS told\r\n", 1),
        (":@", "USER \r\nPASS \r\n", 0),
        ("a%40b:p%3A%2Fq@", "USER a@b\r\nPASS p:/q\r\n", 0),
    ] {
        assert_eq!(sent(login, Some(b"told")), (commands.to_owned(), questions), "{login}");
    }
    assert_eq!(sent("myname@", Some(b"")), ("USER myname\r\nPASS \r\n".to_owned(), 1));
}

#[test]
fn security_18_anonymous_logins_send_a_fixed_or_a_chosen_address() {
    let settings = FtpSettings::default().with(|settings| settings.anonymous = "joe@host.dom".into());
    let held =
        hold(&mut machine("ftp://h/x", &settings), obliging, Network::default().with(|network| network.data = b""));
    assert_eq!(held.shown[1], r"PASS joe@host.dom\r\n");
    let settings = FtpSettings::default().with(|settings| settings.anonymous = "joe\r\nDELE x".into());
    let held =
        hold(&mut machine("ftp://h/x", &settings), obliging, Network::default().with(|network| network.data = b""));
    assert_eq!((held.fault.map(|fault| fault.kind()), held.connects), (Some(FaultKind::Refused), 0));
}

#[test]
fn settings_leave_commands_out() {
    let with = |url: &str, change: fn(&mut FtpSettings)| commands(url, &FtpSettings::default().with(change));
    assert_eq!(with("ftp://h/a/b//c.gz", |s| s.method = FileMethod::Single), "CWD a/b|TYPE I|RETR c.gz");
    assert_eq!(with("ftp://h/c.gz", |s| s.method = FileMethod::Single), "TYPE I|RETR c.gz");
    assert_eq!(with("ftp://h/a/b//c.gz", |s| s.method = FileMethod::None), "TYPE I|RETR a/b/c.gz");
    assert_eq!(with("ftp://h/%2Fa/b/", |s| s.method = FileMethod::None), "NLST /a/b");
    assert_eq!(with("ftp://h//a//c.gz", |s| s.skip_empty_cwd = true), "CWD a|TYPE I|RETR c.gz");
    assert_eq!(with("ftp://h/f%FF", |s| s.iac_doubling = true), "TYPE I|RETR f\\xff\\xff");
}

#[test]
fn the_dry_run_is_what_is_sent() {
    for url in ["ftp://h/a//b.txt", "ftp://me:pw@h/%2Fetc/motd;type=a", "ftp://me@h/x", "ftp://h/a/b;type=d"] {
        let network = Network::default().with(|network| {
            network.answer = Some(b"?");
            network.data = b"";
        });
        let held = hold(&mut machine(url, &FtpSettings::default()), obliging, network);
        let lines = plan(machine(url, &FtpSettings::default())).expect("a harmless URL");
        let planned: Vec<_> = lines.iter().filter(|line| line.kind() == "send").map(DialogueLine::to_string).collect();
        assert_eq!(planned, held.shown, "{url}");
        assert!(!planned.concat().contains("pw"), "{planned:?}");
    }
}

#[test]
fn a_dry_run_without_end_shows_its_beginning() {
    let cwds = |count: usize| {
        let machine = machine(&format!("ftp://h/{}x", "a/".repeat(count)), &FtpSettings::default());
        let lines = plan(machine).expect("a harmless URL");
        (lines.len(), lines.last().map(ToString::to_string).unwrap_or_default())
    };
    let (rest, _) = cwds(0);
    assert_eq!(cwds(10).0, rest + 20, "each directory is a command and its reply");
    let (most, last) = cwds(5_000);
    assert_eq!((most, last.as_str()), (4_097, "more of the same, to the end"));
}

#[test]
fn security_4_no_octet_of_a_url_begins_a_command() {
    for escape in ["%0D%0A", "%0A", "%0D", "%00", "%1B", "%7F"] {
        for form in ["X@h/", "u:X@h/", "h/X/y", "h/a/X", "h/X;type=d", "h/X/"] {
            let url = format!("ftp://{}", form.replace('X', &format!("a{escape}DELE")));
            let held = hold(
                &mut machine(&url, &FtpSettings::default()),
                obliging,
                Network::default().with(|network| network.data = b""),
            );
            let fault = held.fault.expect("it is refused");
            assert_eq!((fault.kind(), held.connects), (FaultKind::Refused, 0), "{url}");
            assert!(!fault.to_string().contains(char::is_control));
        }
    }
    let lenient = FtpSettings::default().with(|settings| settings.controls = true);
    assert_eq!(commands("ftp://h/a%1B%09", &lenient), "TYPE I|RETR a\\x1b\\t");
}

#[test]
fn security_6_a_name_that_begins_with_a_dash_is_sent_as_it_is_after_its_directories() {
    assert_eq!(commands("ftp://h/-la;type=d", &FtpSettings::default()), "NLST -la");
    assert_eq!(commands("ftp://h/pub/-la", &FtpSettings::default()), "CWD pub|TYPE I|RETR -la");
    assert_eq!(
        commands("ftp://h/-la/", &FtpSettings::default()),
        "CWD -la|LIST",
        "a list without a name has no argument"
    );
}
