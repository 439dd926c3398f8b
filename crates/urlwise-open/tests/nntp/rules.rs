//! The rules of RFC 3977, 4642 and 4643, one by one.

use crate::hold::hold;
use urlwise::{Profile, Url};
use urlwise_open::protocol::nntp::{NntpGoal, NntpItem, NntpLogin, NntpMachine, NntpRequest, NntpSettings, StartTls};
use urlwise_open::protocol::{Fault, FaultKind, Question, plan};
use urlwise_open::testing::{DialogueRecord, Network};

/// What a server answers to commands that begin so; `500` to all others.
pub(super) type Answers<'a> = &'a [(&'a str, &'a str)];

pub(super) const READER: (&str, &str) = ("CAPABILITIES", "101 \r\nVERSION 2\r\nREADER\r\nSTARTTLS\r\n.\r\n");
pub(super) const ARTICLE: (&str, &str) = ("ARTICLE", "220 0 <a@b> article\r\nSubject: x\r\n\r\ntext\r\n.\r\n");

pub(super) fn request(url: &str) -> NntpRequest {
    let url = Url::parse_with(url, Profile::Current).expect("a valid URL");
    NntpRequest::from_url(&url).expect("a URL of news")
}

pub(super) fn joe(password: Option<&str>) -> Option<NntpLogin> {
    Some(NntpLogin::new(b"joe", password.map(Into::into)))
}

pub(super) fn with(
    machine: impl Fn() -> NntpMachine,
    answers: Answers<'_>,
    answer: Option<&[u8]>,
) -> DialogueRecord<NntpItem> {
    let held = |piece| {
        let server = |command: &[u8]| {
            let command = String::from_utf8_lossy(command);
            let known = answers.iter().find(|(begin, _)| match *begin {
                "" => command.is_empty(),
                begin => command.starts_with(begin),
            });
            let default = if command.is_empty() { "200 ready\r\n" } else { "500 what?\r\n" };
            known.map_or(default, |(_, answer)| answer).as_bytes().to_vec()
        };
        hold(
            &mut machine(),
            server,
            Network::default().with(|network| {
                network.piece = piece;
                network.answer = answer;
            }),
        )
    };
    let whole = held(usize::MAX);
    assert_eq!(held(1), whole, "octet by octet");
    whole
}

pub(super) fn held(request: &NntpRequest, answers: Answers<'_>) -> DialogueRecord<NntpItem> {
    with(|| NntpMachine::new(request.clone(), NntpSettings::default()), answers, None)
}

pub(super) fn sent(held: &DialogueRecord<NntpItem>) -> Vec<&str> {
    held.shown.iter().map(|command| command.trim_end_matches(r"\r\n")).collect()
}

fn kind(held: &DialogueRecord<NntpItem>) -> Option<FaultKind> {
    held.fault.as_ref().map(Fault::kind)
}

#[test]
fn a_reader_is_not_asked_to_become_one() {
    let held = held(&request("news:a@b"), &[READER, ARTICLE]);
    assert_eq!(sent(&held), ["CAPABILITIES", "ARTICLE <a@b>", "QUIT"]);
    assert_eq!((&held.data[..], held.is_done), (&b"Subject: x\r\n\r\ntext\r\n"[..], true));
    let begin = held.begin.expect("it begins");
    assert_eq!((begin.size, begin.media_type.as_deref()), (None, Some("message/rfc822")));
}

#[test]
fn a_server_of_1986_is_read_as_well_as_one_that_switches() {
    let held = held(&request("news:a@b"), &[ARTICLE]);
    assert_eq!(sent(&held), ["CAPABILITIES", "MODE READER", "ARTICLE <a@b>", "QUIT"]);
    assert!(held.is_done);
    let switching = [("CAPABILITIES", "101 \r\nMODE-READER\r\n.\r\n"), ("MODE READER", "201 no posting\r\n"), ARTICLE];
    let held = self::held(&request("news:a@b"), &switching);
    assert_eq!(sent(&held), ["CAPABILITIES", "MODE READER", "CAPABILITIES", "ARTICLE <a@b>", "QUIT"]);
    let closed = [("MODE READER", "502 no reading here\r\n")];
    assert_eq!(kind(&self::held(&request("news:a@b"), &closed)), Some(FaultKind::Server));
}

#[test]
fn message_ids_are_sent_decoded() {
    let held = held(&request("news:a%2Fb%3Fc%23d%25e+f@example.net"), &[READER, ARTICLE]);
    assert_eq!(sent(&held)[1], "ARTICLE <a/b?c#d%e+f@example.net>");
}

#[test]
fn an_overview_falls_back_to_older_commands() {
    let group = ("GROUP", "211 2 5 6 a.b\r\n");
    let line = "5\tS\tF\tD\t<5@x>\t\t10\t1\r\n6\tT\tF\tD\t<6@x>\t\t10\t1\r\n.\r\n";
    let over = format!("224 \r\n{line}");
    for (answers, asked, notes) in [
        (vec![READER, group, ("OVER", over.as_str())], vec!["GROUP a.b", "OVER 5-6"], vec![]),
        (vec![READER, group, ("XOVER", over.as_str())], vec!["GROUP a.b", "OVER 5-6", "XOVER 5-6"], vec![]),
        (
            vec![READER, group, ("HEAD 5", "423 gone\r\n"), ("HEAD 6", "221 6 <6@x>\r\nsubject: T\r\n.\r\n")],
            vec!["GROUP a.b", "OVER 5-6", "XOVER 5-6", "HEAD 5", "HEAD 6"],
            vec!["no-overview"],
        ),
    ] {
        let held = held(&request("nntp://h/a.b"), &answers);
        assert_eq!(sent(&held)[1..held.sent.len() - 1], asked);
        assert_eq!(held.notes, notes);
        let Some(NntpItem::Article(article)) = held.entries.last() else { panic!("no article: {held:?}") };
        assert_eq!((article.number, &article.subject[..]), (Some(6), &b"T"[..]));
    }
}

#[test]
fn the_last_articles_are_found_with_and_without_gaps() {
    let last = |last, group: &'static str, numbers: &'static str| {
        let goal = NntpGoal::Group { name: b"a.b".to_vec(), last: Some(last) };
        let answers = [READER, ("GROUP", group), ("LISTGROUP", numbers), ("OVER", "224 \r\n.\r\n")];
        let held = held(&NntpRequest::new(goal), &answers);
        assert!(held.is_done && held.begin.is_some());
        sent(&held)[2..held.sent.len() - 1].join(", ")
    };
    let numbers = "211 3 1 9000 a.b\r\n1\r\n8999\r\n9000\r\n.\r\n";
    assert_eq!(last(2, "211 3 1 9000 a.b\r\n", numbers), "LISTGROUP a.b 8892-, OVER 8999-9000");
    assert_eq!(last(3, "211 4 1 9000 a.b\r\n", numbers), "LISTGROUP a.b 8888-, OVER 1-9000", "the count is a guess");
    let few = "211 3 1 9000 a.b\r\n9000\r\n.\r\n";
    assert_eq!(last(3, "211 4 1 9000 a.b\r\n", few), "LISTGROUP a.b 8888-, LISTGROUP a.b, OVER 9000-9000");
    assert_eq!(last(2, "211 3 1 100 a.b\r\n", "211 \r\n1\r\n7\r\n100\r\n.\r\n"), "LISTGROUP a.b, OVER 7-100");
    assert_eq!(last(3, "211 3 1 9000 a.b\r\n", numbers), "OVER 1-9000", "all that there are");
    assert_eq!(last(2, "211 3 1 9000 a.b\r\n", "503 no\r\n"), "LISTGROUP a.b 8892-, LISTGROUP a.b, OVER 8999-9000");
    assert_eq!(last(0, "211 3 1 9000 a.b\r\n", numbers), "");
    assert_eq!(last(2, "211 3 1 9000 a.b\r\n", "211 \r\n.\r\n"), "LISTGROUP a.b 8892-, LISTGROUP a.b");
}

#[test]
fn groups_come_with_what_they_are_about() {
    let active = "215 \r\na.b 0000000004 0000000001 y\r\nc 1 1 m\r\nodd\r\n.\r\n";
    let all = NntpRequest::new(NntpGoal::Groups { wildmat: None });
    let described = |held: &DialogueRecord<NntpItem>| -> Vec<(String, Option<String>)> {
        let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
        let group = |item: &NntpItem| match item {
            NntpItem::Group(group) => (text(&group.name), group.description.as_deref().map(text)),
            other => panic!("no group: {other:?}"),
        };
        held.entries.iter().map(group).collect()
    };
    let about = ("LIST NEWSGROUPS", "215 \r\na.b\tabout b\r\n.\r\n");
    let full = held(&all, &[READER, about, ("LIST ACTIVE", active)]);
    assert_eq!(described(&full), [("a.b".into(), Some("about b".into())), ("c".into(), None)]);
    assert_eq!(full.notes, ["line-skipped"]);
    // A server of RFC 977 knows only the bare word.
    let old = held(&all, &[("LIST NEWSGROUPS", "501\r\n"), ("LIST ACTIVE", "501\r\n"), ("LIST", active)]);
    assert_eq!(sent(&old)[2..5], ["LIST NEWSGROUPS", "LIST ACTIVE", "LIST"]);
    assert_eq!(described(&old).len(), 2);
    let some = NntpRequest::new(NntpGoal::Groups { wildmat: Some(b"a.*,!a.c".to_vec()) });
    let none = held(&some, &[READER, ("LIST", "215 \r\n.\r\n")]);
    assert_eq!(sent(&none)[1..3], ["LIST NEWSGROUPS a.*,!a.c", "LIST ACTIVE a.*,!a.c"]);
    assert_eq!((none.notes.as_slice(), none.is_done), (&["no-groups"][..], true));
    assert_eq!(
        kind(&held(&some, &[READER, ("LIST", "503\r\n")])),
        Some(FaultKind::Server),
        "all groups would be wrong"
    );
}

#[test]
fn security_16_a_login_goes_over_tls_where_the_server_offers_it() {
    let staff = request("nntp://h/a.b/1").with(|request| request.login = joe(Some("s3cret")));
    let answers = [
        READER,
        ("STARTTLS", "382 go\r\n"),
        ("AUTHINFO USER", "381 more\r\n"),
        ("AUTHINFO PASS", "281 in\r\n"),
        ("GROUP", "211 1 1 1 a.b\r\n"),
        ARTICLE,
    ];
    let secured = held(&staff, &answers);
    let login = ["AUTHINFO USER joe", "AUTHINFO PASS ***", "GROUP a.b", "ARTICLE 1", "QUIT"];
    assert_eq!(sent(&secured), [&["CAPABILITIES", "STARTTLS"][..], &login].concat());
    assert_eq!((secured.handshakes, &secured.notes[..]), (1, &[][..]));
    let clear =
        held(&staff, &[("CAPABILITIES", "101 \r\nREADER\r\n.\r\n"), answers[2], answers[3], answers[4], ARTICLE]);
    assert_eq!(sent(&clear), [&["CAPABILITIES"][..], &login].concat());
    assert_eq!((clear.handshakes, &clear.notes[..]), (0, &["password-in-clear"][..]));
    // If TLS is offered and then refused, nothing is sent in the clear.
    let refused = held(&staff, &[READER, ("STARTTLS", "580 not now\r\n")]);
    assert_eq!((sent(&refused), kind(&refused)), (vec!["CAPABILITIES", "STARTTLS"], Some(FaultKind::Server)));
    // On a connection with TLS it is not asked for again.
    let over_tls = with(|| NntpMachine::new(staff.clone(), NntpSettings::default()).over_tls(), &answers, None);
    assert_eq!((over_tls.handshakes, &over_tls.notes[..]), (0, &[][..]));
}

#[test]
fn security_16_17_required_tls_comes_before_everything_or_nothing_does() {
    let required = || {
        let settings = NntpSettings::default().with(|settings| settings.start_tls = StartTls::Required);
        NntpMachine::new(request("news:a@b").with(|request| request.login = joe(Some("s3cret"))), settings)
    };
    for reply in ["500 what?\r\n", "502 no\r\n", "580 failed\r\n", "483 no\r\n", "200 ok\r\n"] {
        let held = with(required, &[("STARTTLS", reply)], None);
        assert_eq!((sent(&held), held.handshakes), (vec!["STARTTLS"], 0), "{reply}");
        assert!(held.fault.is_some());
    }
    let held = with(required, &[("STARTTLS", "382 go\r\n"), READER, ("AUTHINFO", "281 in\r\n"), ARTICLE], None);
    assert_eq!(sent(&held), ["STARTTLS", "CAPABILITIES", "AUTHINFO USER joe", "ARTICLE <a@b>", "QUIT"]);
    assert_eq!(held.handshakes, 1);
}

#[test]
fn security_28_octets_before_the_handshake_are_refused() {
    let settings = NntpSettings::default().with(|settings| settings.start_tls = StartTls::Required);
    let server = |command: &[u8]| match command {
        b"" => b"200 ready\r\n".to_vec(),
        _ => b"382 go\r\n101 \r\nREADER\r\n.\r\n".to_vec(),
    };
    let held = hold(&mut NntpMachine::new(request("news:a@b"), settings), server, Network::default());
    let fault = held.fault.expect("somebody wrote in between");
    assert_eq!((fault.kind(), fault.rule(), held.handshakes), (FaultKind::Malformed, "S-28", 0));
}

#[test]
fn a_server_that_asks_for_tls_gets_it_once() {
    let server = |refuses: usize| {
        let mut asked = 0;
        move |command: &[u8]| match &command[..command.len().min(4)] {
            b"" => b"200 ready\r\n".to_vec(),
            b"STAR" => b"382 go\r\n".to_vec(),
            b"ARTI" => {
                asked += 1;
                if asked <= refuses { b"483 encrypt first\r\n".to_vec() } else { ARTICLE.1.as_bytes().to_vec() }
            }
            _ => b"500 what?\r\n".to_vec(),
        }
    };
    let machine = || NntpMachine::new(request("news:a@b"), NntpSettings::default());
    let held = hold(&mut machine(), server(1), Network::default());
    assert_eq!(sent(&held), ["CAPABILITIES", "MODE READER", "ARTICLE <a@b>", "STARTTLS", "ARTICLE <a@b>", "QUIT"]);
    assert!(held.is_done);
    let held = hold(&mut machine(), server(9), Network::default());
    assert_eq!((held.handshakes, kind(&held)), (1, Some(FaultKind::Server)));
}

#[test]
fn a_person_is_asked_for_the_password_that_is_missing() {
    let nobody =
        || NntpMachine::new(request("news:a@b").with(|request| request.login = joe(None)), NntpSettings::default());
    let answers = [("AUTHINFO USER", "381 more\r\n"), ("AUTHINFO PASS told", "281 in\r\n"), ARTICLE];
    let told = with(nobody, &answers, Some(b"told"));
    assert_eq!((&told.questions[..], told.is_done), (&[Question::Password][..], true));
    let silent = with(nobody, &answers, None);
    assert_eq!(kind(&silent), Some(FaultKind::Login));
    assert!(!silent.shown.concat().contains("PASS"));
    // No password is asked for where none is needed.
    let open = with(nobody, &[("AUTHINFO USER", "281 in\r\n"), ARTICLE], None);
    assert_eq!((&open.questions[..], open.is_done), (&[][..], true));
}

#[test]
fn refusals_say_whose_they_are_and_what_helps() {
    let staff = request("nntp://h/a.b/1").with(|request| request.login = joe(Some("s3cret")));
    let all = request("nntp://h/a.b").with(|request| request.login = joe(Some("s3cret")));
    let open = request("nntp://h/a.b/1");
    for (request, answers, expected, words) in [
        (&open, &[READER, ("GROUP", "411 no\r\n")][..], FaultKind::NotFound, "group \"a.b\""),
        (&open, &[READER, ("GROUP", "480 who?\r\n")], FaultKind::Login, "user name and password"),
        (&open, &[READER, ("GROUP", "211 1 1 1 a.b\r\n"), ("ARTICLE", "423 no\r\n")], FaultKind::NotFound, "article 1"),
        (&open, &[READER, ("GROUP", "400 idle\r\n")], FaultKind::Server, "closes the connection"),
        (&staff, &[("AUTHINFO", "481 no\r\n")], FaultKind::Login, "user \"joe\""),
        (&staff, &[("AUTHINFO", "281 in\r\n"), ("GROUP", "502 s3cret no\r\n")], FaultKind::Login, "*** no"),
        (&all, &[("AUTHINFO", "281 in\r\n"), ("GROUP", "211 s3cret\r\n")], FaultKind::Malformed, "211 ***"),
        (&all, &[("AUTHINFO", "281 in\r\n"), ("GROUP", "s3cret\r\n")], FaultKind::Malformed, "\"***\""),
    ] {
        let held = held(request, answers);
        let fault = held.fault.as_ref().expect("it is refused");
        assert_eq!(fault.kind(), expected, "{fault}");
        assert!(fault.to_string().contains(words) && !fault.to_string().contains("s3cret"), "{fault}");
    }
}

#[test]
fn security_4_what_would_be_another_command_costs_no_connection() {
    let group = |name: &str| NntpGoal::Group { name: name.into(), last: None };
    let number = |number: &str| NntpGoal::Number { group: b"a.b".to_vec(), number: number.into() };
    for goal in [
        group("a\r\nPOST"),
        group("a b"),
        group(""),
        group("a\0"),
        number("1\r\nPOST"),
        number("1-5"),
        number(""),
        number("12345678901234567"),
        NntpGoal::Message { id: b"a\r\nPOST@b".to_vec() },
        NntpGoal::Message { id: b"a b@c".to_vec() },
        NntpGoal::Message { id: b"a>b@c".to_vec() },
        NntpGoal::Message { id: Vec::new() },
        NntpGoal::Groups { wildmat: Some(b"*\r\nPOST".to_vec()) },
    ] {
        let held = held(&NntpRequest::new(goal.clone()), &[]);
        assert_eq!((held.connects, kind(&held)), (0, Some(FaultKind::Refused)), "{goal:?}");
        assert!(plan(NntpMachine::new(NntpRequest::new(goal), NntpSettings::default())).is_err());
    }
    for text in ["news:a%0D%0APOST@b.c", "news:a%0A@b.c", "news:a%00@b.c", "nntp://h/a%0D%0Ab/1", "nntp://h/a/1%0D%0A"]
    {
        assert!(Url::parse_with(text, Profile::Current).is_err(), "{text} is not a URL");
    }
    for login in [("joe\r\n", "x"), ("joe", "x\r\nPOST"), ("joe", "x\0"), ("", "x")] {
        let login = Some(NntpLogin::new(login.0, Some(login.1.into())));
        let held = held(&request("news:a@b").with(|request| request.login = login), &[]);
        assert_eq!((held.connects, kind(&held)), (0, Some(FaultKind::Refused)));
    }
}

#[test]
fn an_article_that_is_listed_is_not_read() {
    let listed = request("news:a@b").with(|request| request.list = true);
    let head = ("HEAD", "221 0 <a@b>\r\nSubject: x\r\nFrom: y\r\nMessage-ID: <a@b>\r\n.\r\n");
    let held = held(&listed, &[READER, head]);
    assert_eq!(sent(&held), ["CAPABILITIES", "HEAD <a@b>", "QUIT"]);
    let [NntpItem::Article(article)] = &held.entries[..] else { panic!("one article: {held:?}") };
    assert_eq!((article.number, &article.id[..]), (None, &b"a@b"[..]));
}

#[test]
fn the_dry_run_is_the_dialogue() {
    let lines = |request| {
        let lines = plan(NntpMachine::new(request, NntpSettings::default())).expect("it may be sent");
        lines
            .iter()
            .filter(|line| line.kind() == "send")
            .map(|line| line.to_string().replace(r"\r\n", ""))
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(request("news:a@b")), ["CAPABILITIES", "ARTICLE <a@b>", "QUIT"]);
    assert_eq!(lines(request("nntp://h/a.b/7")), ["CAPABILITIES", "GROUP a.b", "ARTICLE 7", "QUIT"]);
    assert_eq!(lines(request("news:*")), ["CAPABILITIES", "LIST NEWSGROUPS", "LIST ACTIVE", "QUIT"]);
    let last = NntpRequest::new(NntpGoal::Group { name: b"a.b".to_vec(), last: Some(5) });
    assert_eq!(lines(last), ["CAPABILITIES", "GROUP a.b", "LISTGROUP a.b 880-", "OVER 996-1000", "QUIT"]);
    let staff = request("news:a@b").with(|request| request.login = joe(None));
    assert_eq!(lines(staff)[1..4], ["STARTTLS", "AUTHINFO USER joe", "AUTHINFO PASS ***"]);
}
