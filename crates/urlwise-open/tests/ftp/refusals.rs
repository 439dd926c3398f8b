//! What is said of each refusal: whose fault it is, by which rule, what helps, and whether asking again may.

use crate::rules::{kind, request, sent, server, with};
use urlwise_open::protocol::ftp::{FtpGoal, FtpItem, FtpMachine, FtpRequest, FtpSettings};
use urlwise_open::protocol::{FaultKind, Hint};
use urlwise_open::testing::{DialogueRecord, Network, hold};

/// Holds a dialogue in which every data connection brings `data`.
fn held(request: FtpRequest, odd: &[(&str, &str)], data: &[u8]) -> DialogueRecord<FtpItem> {
    let mut machine = FtpMachine::new(request, FtpSettings::default());
    hold(&mut machine, server(odd), Network::default().with(|network| network.data = data))
}

/// What was sent after an anonymous login.
fn asked(held: &DialogueRecord<FtpItem>) -> String {
    sent(held).replace("USER anonymous|PASS urlwise@example.com|", "")
}

#[test]
fn every_refusal_says_what_by_which_rule_and_whether_it_lasts() {
    use FaultKind::{Elsewhere, Login, NotFound, Partial, Server};
    const LOGIN: &str = "(RFC 1738 section 3.2.1)";
    const PATH: &str = "(RFC 1738 section 3.2.2)";
    const REPLY: &str = "(RFC 959 section 5.4)";
    type Odd = &'static [(&'static str, &'static str)];
    let rows: &[(&str, Odd, FaultKind, bool, &str, &str)] = &[
        ("h/x", &[("", "500 no")], Server, true, "the server refuses the connection", REPLY),
        ("h/x", &[("", "421 no")], Server, false, "the server closes the connection", REPLY),
        ("h/x", &[("PASS", "530 no")], Login, true, "the server rejects the login of anonymous users", LOGIN),
        ("h/x", &[("USER", "430 no")], Server, false, "the server rejects the login of anonymous users", LOGIN),
        ("joe:pw@h/x", &[("PASS", "500 no")], Login, true, "the server rejects the login of the user \"joe\"", LOGIN),
        ("h/x", &[("TYPE", "504 no")], Server, true, "the server refuses the command", REPLY),
        (
            "h/x",
            &[("EPSV", "500 no"), ("PASV", "425 no")],
            Server,
            false,
            "the server refuses to open a data port",
            "(RFC 2428 section 3)",
        ),
        ("h/b", &[("RETR", "450 no")], Server, false, "the server refuses to send the file \"b\"", PATH),
        ("h/b", &[("RETR", "532 no")], Login, true, "the server refuses to send the file \"b\"", PATH),
        (
            "h/b",
            &[("RETR", "550 no"), ("CWD", "550 x")],
            NotFound,
            true,
            "the server refuses to send the file \"b\"",
            PATH,
        ),
        ("h/b;type=d", &[("NLST", "450 no")], Server, false, "the server refuses to send the list", PATH),
        ("h/b", &[("RETR", "150 \r\n451 no")], Partial, false, "the server reports an incomplete transfer", "(S-30)"),
    ];
    for (url, odd, expected, lasting, what, rule) in rows {
        let fault = with(&format!("ftp://{url}"), odd).fault.unwrap_or_else(|| panic!("{odd:?} is refused"));
        let said = odd.iter().flat_map(|(_, reply)| reply.split("\r\n")).filter(|line| line.ends_with("no")).last();
        let said = said.expect("a refusal");
        assert_eq!(fault.to_string(), format!("{what}: \"{said}\" {rule}"), "{odd:?}");
        assert_eq!((fault.kind(), fault.is_lasting()), (*expected, *lasting), "{odd:?}");
        assert_eq!((fault.server_code(), fault.refused_directory()), (said[..3].parse().ok(), None), "{odd:?}");
    }
    let directory = with("ftp://h/b", &[("RETR", "550 no"), ("CWD", "250 there")]).fault.expect("it is no file");
    assert_eq!(directory.kind(), Elsewhere);
    assert_eq!(
        directory.to_string(),
        format!("the URL names a directory, not a file: \"b\" {PATH}; list it, or end its URL with a slash")
    );
}

#[test]
fn a_refused_directory_is_counted_and_what_may_help_depends_on_its_place() {
    let refused = |odd: &[(&str, &str)]| with("ftp://h/a/b//x", odd).fault.expect("it is refused");
    let first = refused(&[("CWD a", "550 no")]);
    assert_eq!(
        first.to_string(),
        "the server refuses to change to the directory \"a\": \"550 no\" (RFC 1738 section 3.2.2); if only the last \
         directory is accessible, change to the whole path at once"
    );
    assert_eq!((first.hint(), first.refused_directory()), (Some(Hint::SingleCwd), Some(0)));
    let empty = refused(&[("CWD \r", "550 no")]);
    assert_eq!(
        empty.to_string(),
        "the server refuses `CWD` with a null argument, which the empty segment 3 of the path requires: \"550 no\" \
         (RFC 1738 section 3.2.2, D-31); for an absolute path write `%2F`, as in `ftp://host/%2Fetc/motd`, or skip \
         empty segments"
    );
    assert_eq!((empty.hint(), empty.refused_directory()), (Some(Hint::SkipEmptyCwd), None));
    let last = with("ftp://h/a/b/x", &[("CWD b", "532 no")]).fault.expect("it is refused");
    assert_eq!((last.kind(), last.help(), last.hint()), (FaultKind::Login, None, None));
    assert_eq!(last.refused_directory(), Some(1));
}

#[test]
fn what_must_not_be_sent_is_named_with_its_rule_and_help() {
    for (url, said) in [
        (
            "ftp://h/a%0Ab",
            r#"the name contains a line end, which would start a second command, at octet 1: "a\nb" (RFC 1738 section 6); remove it from the URL"#,
        ),
        (
            "ftp://h/a%00b",
            r#"the name contains NUL, at which some servers end the command, at octet 1: "a\x00b" (RFC 1738 section 6); remove it from the URL"#,
        ),
        (
            "ftp://h/a%1Bb",
            r#"the name contains a control character, at octet 1: "a\x1bb" (S-4); allow control characters if the server needs them"#,
        ),
    ] {
        let fault = with(url, &[]).fault.expect("it is refused").to_string();
        assert_eq!(fault, format!("refused to send: {said}"));
    }
}

#[test]
fn an_account_that_nobody_gives_is_named() {
    let fault = with("ftp://me:pw@h/x", &[("PASS", "332 account")]).fault.expect("nobody answers");
    assert_eq!(
        fault.to_string(),
        "the server requires an account, and none was given (RFC 1738 section 3.2.1); give the account"
    );
}

#[test]
fn only_the_last_name_of_a_list_may_turn_out_to_be_a_file() {
    let list = |url: &str, odd: &[(&str, &str)]| {
        let held = held(request(url).with(|request| request.goal = FtpGoal::List), odd, b"");
        (asked(&held), kind(&held))
    };
    for (url, odd, commands, fault) in [
        ("ftp://h/a/x", ("CWD a", "550 none"), "CWD a|", FaultKind::NotFound),
        ("ftp://h/a/x", ("CWD x", "530 log in"), "CWD a|CWD x|", FaultKind::Login),
        ("ftp://h/a/x/", ("CWD x", "550 none"), "CWD a|CWD x|", FaultKind::NotFound),
        ("ftp://h/a/x;type=d", ("CWD a", "550 none"), "CWD a|", FaultKind::NotFound),
    ] {
        assert_eq!(list(url, &[odd]), (commands.to_owned(), Some(fault)), "{url} {odd:?}");
    }
}

#[test]
fn the_size_of_a_directory_is_refused_and_its_name_tells_why() {
    let metadata = |cwd: &str| {
        let request = request("ftp://h/a").with(|request| request.goal = FtpGoal::Metadata);
        let held = held(request, &[("SIZE", "550 not a file"), ("CWD", cwd)], b"");
        (asked(&held), kind(&held))
    };
    assert_eq!(metadata("250 there"), ("TYPE I|SIZE a|CWD a|".into(), Some(FaultKind::Elsewhere)));
    assert_eq!(metadata("550 none"), ("TYPE I|SIZE a|CWD a|".into(), Some(FaultKind::NotFound)));
    // Of a file that is retrieved, the size is only a hint.
    let request = request("ftp://h/a").with(|request| request.metadata = true);
    let held = held(request, &[("SIZE", "550 who knows")], b"x");
    assert_eq!((asked(&held).as_str(), held.is_done), ("TYPE I|SIZE a|MDTM a|EPSV|RETR a|QUIT|", true));
}

#[test]
fn security_14_a_login_that_is_printed_for_debugging_hides_its_secrets() {
    let mut login = request("ftp://joe%1B:s3cret@h/x").login;
    login.account = Some(b"dept7".to_vec());
    assert_eq!(
        format!("{login:?}"),
        r#"FtpLogin { user: Some("joe\\x1b"), password: Some("***"), account: Some("***") }"#
    );
}
