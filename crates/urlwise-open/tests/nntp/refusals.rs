//! What is said of each refusal: whose fault it is, by which rule, what helps, and whether asking again may.

use crate::rules::{ARTICLE, Answers, READER, held, joe, request, sent};
use urlwise_open::protocol::nntp::{NntpGoal, NntpLogin, NntpMachine, NntpRequest, NntpSettings, StartTls};
use urlwise_open::protocol::{FaultKind, Hint};
use urlwise_open::testing::{Network, hold};

const GROUP: (&str, &str) = ("GROUP", "211 1 1 1 a.b\r\n");

#[test]
fn every_refusal_says_what_by_which_rule_and_whether_it_lasts() {
    use FaultKind::{Login, NotFound, Server};
    const ASKED: &str = "(RFC 3977 section 6.2.1)";
    const EXPIRED: &str = "(RFC 3977 section 6.2.1); it may have expired or be on another server";
    const LOGIN: &str = "(RFC 4643 section 2.3)";
    const GENERAL: &str = "(RFC 3977 section 3.2.1)";
    const NO_GROUP: &str = "(RFC 3977 section 6.1.1); list the groups with `news:*`";
    let (message, number, group) = (request("news:a@b"), request("nntp://h/a.b/7"), request("nntp://h/a.b"));
    let staff = message.clone().with(|request| request.login = joe(Some("pw")));
    let headers = number.clone().with(|request| request.list = true);
    let stat = message.clone().with(|request| request.stat = true);
    let wildmat = NntpRequest::new(NntpGoal::Groups { wildmat: Some(b"a.*".to_vec()) });
    let in_ = ("AUTHINFO", "281 in\r\n");
    type Row<'a> = (&'a NntpRequest, Answers<'a>, FaultKind, &'a str, &'a str, &'a str);
    let rows: &[Row<'_>] = &[
        (
            &message,
            &[("", "502 no\r\n")],
            Server,
            "502 no",
            "the server refuses the connection",
            "(RFC 3977 section 5.1)",
        ),
        (&message, &[("", "400 no\r\n")], Server, "400 no", "the server closes the connection", GENERAL),
        (
            &message,
            &[("MODE", "502 no\r\n")],
            Server,
            "502 no",
            "the server does not allow reading",
            "(RFC 3977 section 5.3)",
        ),
        (
            &message,
            &[READER, ("ARTICLE", "430 no\r\n")],
            NotFound,
            "430 no",
            "the server does not have the article <a@b>",
            EXPIRED,
        ),
        (
            &message,
            &[READER, ("ARTICLE", "503 no\r\n")],
            Server,
            "503 no",
            "the server does not have the article <a@b>",
            ASKED,
        ),
        (
            &stat,
            &[READER, ("STAT", "430 no\r\n")],
            NotFound,
            "430 no",
            "the server does not have the article <a@b>",
            EXPIRED,
        ),
        (
            &number,
            &[READER, GROUP, ("ARTICLE", "423 no\r\n")],
            NotFound,
            "423 no",
            "the group \"a.b\" does not have the article 7",
            EXPIRED,
        ),
        (
            &headers,
            &[READER, GROUP, ("HEAD", "420 no\r\n")],
            NotFound,
            "420 no",
            "the group \"a.b\" does not have the article 7",
            EXPIRED,
        ),
        (
            &number,
            &[READER, ("GROUP", "411 no\r\n")],
            NotFound,
            "411 no",
            "the server does not have the group \"a.b\"",
            NO_GROUP,
        ),
        (
            &group,
            &[READER, ("GROUP", "503 no\r\n")],
            Server,
            "503 no",
            "the server does not have the group \"a.b\"",
            NO_GROUP,
        ),
        (&wildmat, &[READER, ("LIST", "503 no\r\n")], Server, "503 no", "the server refuses to send the list", GENERAL),
        (
            &message,
            &[READER, ("ARTICLE", "480 no\r\n")],
            Login,
            "480 no",
            "the server requires a login for this",
            "(RFC 4643 section 2.3); give a user name and password, or a netrc file",
        ),
        (
            &staff,
            &[in_, ("ARTICLE", "480 no\r\n")],
            Login,
            "480 no",
            "the server does not allow the user \"joe\" to read this",
            LOGIN,
        ),
        (
            &staff,
            &[("AUTHINFO", "481 no\r\n")],
            Login,
            "481 no",
            "the server rejects the login of the user \"joe\"",
            LOGIN,
        ),
        (
            &staff,
            &[("AUTHINFO", "403 no\r\n")],
            Server,
            "403 no",
            "the server rejects the login of the user \"joe\"",
            LOGIN,
        ),
    ];
    for (request, answers, expected, reply, what, rule) in rows {
        let fault = held(request, answers).fault.unwrap_or_else(|| panic!("{answers:?} is a refusal"));
        assert_eq!(fault.to_string(), format!("{what}: \"{reply}\" {rule}"));
        let code: u16 = reply[..3].parse().expect("three digits");
        assert_eq!((fault.kind(), fault.is_lasting()), (*expected, code >= 500), "{fault}");
        assert_eq!(fault.server_code(), Some(code), "{fault}");
        let is_login = *what == "the server requires a login for this";
        assert_eq!(fault.hint(), is_login.then_some(Hint::Login), "{fault}");
    }
}

#[test]
fn a_refusal_of_tls_says_what_was_not_done() {
    let settings = NntpSettings::default().with(|settings| settings.start_tls = StartTls::Required);
    let server = |command: &[u8]| if command.is_empty() { b"200 \r\n".to_vec() } else { b"580 no\r\n".to_vec() };
    let held = hold(&mut NntpMachine::new(request("news:a@b"), settings), server, Network::default());
    assert_eq!(
        held.fault.expect("it is refused").to_string(),
        "the server refuses TLS: \"580 no\" (S-17); nothing was requested without encryption; nntps uses TLS from the \
         start, on another port"
    );
    let held =
        crate::rules::held(&request("news:a@b"), &[READER, ("ARTICLE", "483 no\r\n"), ("STARTTLS", "382 go\r\n")]);
    assert_eq!(
        held.fault.expect("it is refused").to_string(),
        "the server requires TLS for this but does not offer it: \"483 no\" (RFC 3977 section 3.2.1); try the scheme \
         `nntps` or `snews`"
    );
}

#[test]
fn a_connection_that_ends_says_how_far_the_answer_came() {
    for (article, kind, what) in [
        ("", FaultKind::Server, "the server closed the connection"),
        ("22", FaultKind::Server, "the server closed the connection within a reply"),
        ("220 0\r\nSubject: x\r\n", FaultKind::Partial, "the connection closed before the end of the answer"),
    ] {
        let fault = held(&request("news:a@b"), &[READER, ("ARTICLE", article)]).fault.expect("it ended early");
        assert_eq!((fault.kind(), fault.what().to_string().as_str()), (kind, what));
    }
}

#[test]
fn a_pattern_of_groups_is_never_widened_to_all_of_them() {
    let some = NntpRequest::new(NntpGoal::Groups { wildmat: Some(b"a.*".to_vec()) });
    let refused = held(&some, &[READER, ("LIST", "503 no\r\n")]);
    assert_eq!(sent(&refused), ["CAPABILITIES", "LIST NEWSGROUPS a.*", "LIST ACTIVE a.*"]);
}

#[test]
fn passwords_of_the_greatest_length_are_sent() {
    let login = |length: usize| {
        let login = Some(NntpLogin::new(b"joe", Some(vec![b'x'; length])));
        let request = request("news:a@b").with(|request| request.login = login);
        let answers = [("AUTHINFO USER", "381 more\r\n"), ("AUTHINFO PASS", "281 in\r\n"), ARTICLE];
        let held = held(&request, &answers);
        (held.is_done, sent(&held).contains(&"AUTHINFO PASS ***"))
    };
    assert_eq!(login(497), (true, true));
    assert_eq!(login(498), (false, false));
}
