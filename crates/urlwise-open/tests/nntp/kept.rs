//! What a machine tells of its request and its dialogue: whether the connection can be kept, and what is in a list.

use crate::rules::{ARTICLE, Answers, READER, held, joe, request, sent};
use urlwise_open::protocol::nntp::{NntpGoal, NntpItem, NntpLogin, NntpMachine, NntpRequest, NntpSettings};
use urlwise_open::protocol::plan;
use urlwise_open::testing::{Network, hold};

/// Holds the dialogue with a server that answers so, then falls silent.
fn keeping(machine: &mut NntpMachine, answers: Answers<'_>) -> Vec<String> {
    let server = |command: &[u8]| {
        let command = String::from_utf8_lossy(command);
        let known = answers.iter().find(|(begin, _)| match *begin {
            "" => command.is_empty(),
            begin => command.starts_with(begin),
        });
        known.map_or("", |(_, answer)| answer).as_bytes().to_vec()
    };
    let held = hold(machine, server, Network::default().with(|network| network.end = None));
    held.shown.iter().map(|command| command.trim_end_matches(r"\r\n").to_owned()).collect()
}

#[test]
fn a_connection_is_kept_after_what_leaves_it_in_order_and_nothing_else() {
    const READY: (&str, &str) = ("", "200 ready\r\n");
    let machine = || NntpMachine::new(request("news:a@b"), NntpSettings::default());
    let after = |answers: Answers<'_>| {
        let mut machine = machine().keeping_connection();
        assert!(!machine.is_answered() && !machine.leaves_connection(b""), "nothing has happened");
        keeping(&mut machine, answers);
        assert!(!machine.leaves_connection(b"x"), "more came than was asked for");
        (machine.is_answered(), machine.leaves_connection(b""))
    };
    assert_eq!(after(&[READY, READER, ARTICLE]), (true, true));
    assert_eq!(after(&[READY, READER, ("ARTICLE", "430 none\r\n")]), (true, true), "a missing article harms nothing");
    assert_eq!(after(&[READY, READER, ("ARTICLE", "480 log in\r\n")]), (true, false));
    assert_eq!(after(&[READY, READER, ("ARTICLE", "400 idle\r\n")]), (true, false));
    assert_eq!(after(&[READY, READER, ("ARTICLE", "nonsense\r\n")]), (true, false));
    assert_eq!(after(&[("", "400 idle\r\n")]), (false, false), "a server that closes has not answered");
    assert_eq!(after(&[READY, READER]), (true, false), "the article is still to come");
    let mut ended = machine();
    assert_eq!(keeping(&mut ended, &[READY, READER, ARTICLE]).last().map(String::as_str), Some("QUIT"));
    assert!(!ended.leaves_connection(b""), "it was ended by QUIT");
}

#[test]
fn a_kept_connection_is_sent_only_what_is_new() {
    let staff = request("news:a@b").with(|request| request.login = joe(Some("pw")));
    let mut machine = NntpMachine::new(staff, NntpSettings::default()).on_kept_connection().keeping_connection();
    assert_eq!(keeping(&mut machine, &[ARTICLE]), ["ARTICLE <a@b>"], "no greeting is awaited, and no login sent");
    assert!(machine.leaves_connection(b""));
}

#[test]
fn a_listed_article_has_the_number_it_was_asked_for_by() {
    let listed = request("nntp://h/a.b/7").with(|request| request.list = true);
    let held = held(&listed, &[READER, ("GROUP", "211 1 7 7\r\n"), ("HEAD 7", "221 7\r\nSubject: x\r\n.\r\n")]);
    let [NntpItem::Article(article)] = &held.entries[..] else { panic!("one article: {held:?}") };
    assert_eq!((article.number, &article.subject[..], held.is_done), (Some(7), &b"x"[..], true));
}

#[test]
fn the_articles_of_a_group_are_asked_for_by_its_numbers() {
    const OVER: (&str, &str) = ("OVER", "224 \r\n.\r\n");
    for (last, group, numbers, asked, notes) in [
        (None, "211 1 5 5\r\n", "", "OVER 5-5", vec!["empty-group"]),
        (None, "211 0 5 5\r\n", "", "", vec!["empty-group"]),
        (None, "211 1 5 4\r\n", "", "", vec!["empty-group"]),
        (Some(0), "211 1 5 5\r\n", "", "", vec![]),
        // Numbers that do not rise are of no use.
        (Some(2), "211 9 1 9\r\n", "211 \r\n9\r\n3\r\n.\r\n", "LISTGROUP a.b", vec!["empty-group"]),
        // So many that their numbers are not kept.
        (Some(2_000_000), "211 3000000 1 3000000\r\n", "", "OVER 1000001-3000000", vec!["empty-group"]),
    ] {
        let goal = NntpGoal::Group { name: b"a.b".to_vec(), last };
        let held = held(&NntpRequest::new(goal), &[READER, ("GROUP", group), ("LISTGROUP", numbers), OVER]);
        assert_eq!(sent(&held)[2..held.sent.len() - 1].join(", "), asked, "{group:?}");
        assert_eq!((held.is_done, held.notes), (true, notes), "{group:?}");
    }
}

#[test]
fn whether_all_groups_may_be_read_is_found_out_without_a_list() {
    let request = NntpRequest::new(NntpGoal::Groups { wildmat: None }).with(|request| request.stat = true);
    let held = held(&request, &[READER]);
    assert_eq!((sent(&held), held.is_done, held.begin.is_none()), (vec!["CAPABILITIES", "QUIT"], true, true));
}

#[test]
fn lists_are_known_before_they_are_asked_for() {
    for (url, is_list) in [("news:*", true), ("news:a.b", true), ("nntp://h/a.b/7", false), ("news:a@b", false)] {
        assert_eq!(request(url).is_list(), is_list, "{url}");
    }
    assert!(request("news:a@b").with(|request| request.list = true).is_list());
}

#[test]
fn the_dry_run_says_which_numbers_it_makes_up() {
    let expected = |url| {
        let lines = plan(NntpMachine::new(request(url), NntpSettings::default())).expect("it may be sent");
        lines.iter().map(|line| format!("{}: {line}", line.kind())).collect::<Vec<_>>()
    };
    let group = "expect: 211, the number of articles, the first and the last: say 1000, 1 and 1000".to_owned();
    assert!(expected("nntp://h/a.b").contains(&group));
    assert!(expected("nntp://h/a.b/7").contains(&"expect: 211, the group exists".to_owned()));
}

#[test]
fn a_login_that_is_printed_for_debugging_hides_its_password() {
    let printed = format!("{:?}", NntpLogin::new(b"joe\x1b", Some(b"s3cret".to_vec())));
    assert_eq!(printed, r#"NntpLogin { user: "joe\\x1b", password: Some("***") }"#);
}
