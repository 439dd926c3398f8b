//! Servers that answer what no server should: every answer ends the dialogue, soon and without a panic.

use crate::hold::hold;
use urlwise_open::protocol::FaultKind;
use urlwise_open::protocol::nntp::{NntpGoal, NntpItem, NntpLimits, NntpMachine, NntpRequest, NntpSettings};
use urlwise_open::testing::{DialogueRecord, Network};

fn group(last: Option<u64>) -> NntpRequest {
    NntpRequest::new(NntpGoal::Group { name: b"a.b".to_vec(), last })
}

fn message() -> NntpRequest {
    NntpRequest::new(NntpGoal::Message { id: b"a@b".to_vec() })
}

/// A server that answers the first word of each command with what stands in the table.
fn told(request: NntpRequest, settings: NntpSettings, answers: &[(&str, &[u8])]) -> DialogueRecord<NntpItem> {
    let server = |command: &[u8]| {
        let word = command.split(|octet| matches!(octet, b' ' | b'\r')).next().unwrap_or_default();
        let known = answers.iter().find(|(name, _)| name.as_bytes() == word);
        match known {
            Some((_, answer)) => answer.to_vec(),
            None if word.is_empty() => b"200 \r\n".to_vec(),
            None => b"500 \r\n".to_vec(),
        }
    };
    hold(&mut NntpMachine::new(request, settings), server, Network::default().with(|network| network.piece = 4096))
}

fn kind(request: NntpRequest, answers: &[(&str, &[u8])]) -> Option<FaultKind> {
    told(request, NntpSettings::default(), answers).fault.map(|fault| fault.kind())
}

#[test]
fn security_48_endless_replies_end() {
    for (greeting, expected) in [
        (vec![b'2'; 1 << 20], FaultKind::Limit),
        (b"200 \0\r\n".to_vec(), FaultKind::Malformed),
        (b"HTTP/1.1 400 Bad Request\r\n".to_vec(), FaultKind::Malformed),
        (b"200 ready".to_vec(), FaultKind::Server),
        (Vec::new(), FaultKind::Server),
        (b"400 later\r\n".to_vec(), FaultKind::Server),
        (b"502 go away\r\n".to_vec(), FaultKind::Server),
        (b"100 help\r\n".to_vec(), FaultKind::Malformed),
    ] {
        assert_eq!(
            kind(message(), &[("", &greeting)]),
            Some(expected),
            "{}",
            String::from_utf8_lossy(&greeting[..7.min(greeting.len())])
        );
    }
    // A second greeting answers the next command, and does not fit it.
    assert_eq!(kind(message(), &[("", b"200 a\r\n200 b\r\n")]), Some(FaultKind::Malformed));
}

#[test]
fn security_49_endless_lists_end() {
    let settings = NntpSettings::default().with(|settings| {
        settings.limits = NntpLimits::default().with(|limits| {
            limits.list_lines = 1_000;
            limits.descriptions = 1_000;
        });
    });
    let list = |lines: &[u8]| {
        let answer = [b"224 \r\n", lines, b".\r\n"].concat();
        told(group(None), settings, &[("GROUP", b"211 5 1 9 a.b\r\n"), ("OVER", &answer)])
    };
    let line = b"1\ta\tb\tc\t<d@e>\t\t1\t1\r\n";
    assert!(list(&line.repeat(1_000)).is_done);
    let kind = |held: DialogueRecord<NntpItem>| held.fault.map(|fault| fault.kind());
    assert_eq!(kind(list(&line.repeat(1_001))), Some(FaultKind::Limit));
    assert_eq!(kind(list(&b"\r\n".repeat(1_001))), Some(FaultKind::Limit), "empty lines count");
    assert_eq!(kind(list(&[&vec![b'1'; 70_000][..], b"\r\n"].concat())), Some(FaultKind::Limit));
    // Capabilities are a list too, and so are descriptions; these are left out beyond a bound.
    let endless = b"X\r\n".repeat(2_000);
    assert_eq!(
        kind(told(message(), settings, &[("CAPABILITIES", &[&b"101 \r\n"[..], &endless].concat())])),
        Some(FaultKind::Limit)
    );
    let answers: Vec<u8> = [&b"215 \r\n"[..], &b"a.b\tabout it and more\r\n".repeat(500), b".\r\n"].concat();
    let held = told(NntpRequest::new(NntpGoal::Groups { wildmat: None }), settings, &[("LIST", &answers)]);
    assert_eq!(held.notes, ["descriptions-left-out", "line-skipped", "no-groups"]);
}

#[test]
fn an_article_without_an_end_is_a_part_of_one() {
    let endless = [&b"220 0 <a@b>\r\n"[..], &b"line\r\n".repeat(10_000)].concat();
    let held = told(message(), NntpSettings::default(), &[("ARTICLE", &endless)]);
    assert_eq!(held.fault.map(|fault| fault.kind()), Some(FaultKind::Partial));
    assert_eq!(held.data.len(), 60_000);
}

#[test]
fn wrong_counts_are_ignored() {
    let over = b"224 \r\n1\ta\tb\tc\t<d@e>\r\n7\ta\tb\tc\t<d@e>\r\n99\ta\tb\tc\t<d@e>\r\nx\r\n.\r\n";
    for (reply, sent, numbers) in [
        (&b"211 0 1 9 a.b\r\n"[..], None, &[][..]),
        (b"211 5 9 8 a.b\r\n", None, &[]),
        (b"211 1 1 9 a.b\r\n", Some("OVER 1-9"), &[1, 7]),
        (b"211 18446744073709551615 1 18446744073709551615 a.b\r\n", Some("OVER 1-18446744073709551615"), &[1, 7, 99]),
    ] {
        let held = told(group(None), NntpSettings::default(), &[("GROUP", reply), ("OVER", over)]);
        assert!(held.is_done, "{held:?}");
        let last = held.shown.iter().find(|command| command.starts_with("OVER"));
        assert_eq!(last.map(|command| command.trim_end_matches(r"\r\n")), sent);
        let number = |item: &NntpItem| match item {
            NntpItem::Article(article) => article.number.expect("it has one"),
            other => panic!("no article: {other:?}"),
        };
        assert_eq!(held.entries.iter().map(number).collect::<Vec<_>>(), numbers);
    }
    for reply in [&b"211\r\n"[..], b"211 a b c\r\n", b"211 -1 1 2 a.b\r\n", b"211 1 1 99999999999999999999 a.b\r\n"] {
        assert_eq!(kind(group(None), &[("GROUP", reply)]), Some(FaultKind::Malformed), "{reply:?}");
    }
}

#[test]
fn numbers_that_never_end_or_lie_outside_are_bounded() {
    let numbers: Vec<u8> = (0..5_000).map(|number| format!("{number}\r\n")).collect::<String>().into_bytes();
    let numbers = [&b"211 3 10 20 a.b\r\n"[..], &numbers, b".\r\n"].concat();
    let held = told(
        group(Some(2)),
        NntpSettings::default(),
        &[("GROUP", b"211 3 10 20 a.b\r\n"), ("LISTGROUP", &numbers), ("OVER", b"423 none\r\n")],
    );
    assert!(held.is_done && held.shown.contains(&r"OVER 19-20\r\n".to_owned()), "{held:?}");
    // Headers of a thousand articles at most, however many the server says there are.
    let held = told(
        group(None),
        NntpSettings::default(),
        &[("GROUP", b"211 99999999 1 99999999 a.b\r\n"), ("HEAD", b"423 none\r\n")],
    );
    assert!(held.is_done);
    assert_eq!(held.sent.iter().filter(|command| command.starts_with(b"HEAD")).count(), 1_000);
    assert_eq!(held.notes, ["no-overview", "empty-group"]);
}
