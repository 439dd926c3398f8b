//! Attribute lists: as recorded, by the rules of Gopher+ sections 2.5 to 2.7, and from servers that mean harm.

use crate::recorded::transcript;
use std::time::{Duration, SystemTime};
use urlwise_open::protocol::gopher::{
    AttributeList, AttributeReader, GopherLimits, GopherMachine, GopherRequest, GopherSettings, MenuItem, PlusMark,
    View,
};
use urlwise_open::protocol::{End, Fault, FaultKind, Input};
use urlwise_open::testing::play;

/// Reads all lists of an answer that comes in these pieces.
fn read<'i>(limits: GopherLimits, pieces: impl IntoIterator<Item = &'i [u8]>) -> (Vec<AttributeList>, Option<Fault>) {
    let mut reader = AttributeReader::new(limits);
    let mut lists = Vec::new();
    for mut input in pieces.into_iter().map(Input::new).chain([Input::closed(End::Closed)]) {
        while let Some(next) = reader.next(&mut input) {
            match next {
                Ok(list) => lists.push(list),
                Err(fault) => {
                    assert!(reader.next(&mut input).is_none(), "a fault is the last word");
                    return (lists, Some(fault));
                }
            }
        }
        assert!(input.octets().is_empty(), "the reader asks for more and has not taken all");
    }
    assert!(reader.next(&mut Input::closed(End::Closed)).is_none(), "it is over");
    (lists, None)
}

/// The same whole, octet by octet, and cut in two at every octet.
fn lists(data: &[u8]) -> Vec<AttributeList> {
    let whole = read(GopherLimits::default(), [data]);
    assert_eq!(read(GopherLimits::default(), data.chunks(1)), whole);
    for cut in 0..=data.len() {
        let (left, right) = data.split_at(cut);
        assert_eq!(read(GopherLimits::default(), [left, right]), whole, "cut at octet {cut}");
    }
    assert_eq!(whole.1, None);
    whole.0
}

fn fault(data: &[u8]) -> Fault {
    read(GopherLimits::default(), [data]).1.expect("it is refused")
}

/// The lists of a recorded answer, as the machine gives it.
fn recorded(name: &str) -> Vec<AttributeList> {
    let (_, answer) = transcript(name);
    let request = GopherRequest::new(b'0').with(|request| request.plus = Some(b"!".to_vec()));
    let held = play(GopherMachine::new(request, GopherSettings::default()), &answer, Some(End::Closed));
    lists(&held.data)
}

fn one(data: &[u8]) -> AttributeList {
    let mut lists = lists(data);
    assert_eq!(lists.len(), 1);
    lists.remove(0)
}

fn names(list: &AttributeList) -> Vec<&str> {
    list.blocks().iter().map(|block| std::str::from_utf8(&block.name).expect("ASCII")).collect()
}

fn titles(lists: &[AttributeList]) -> Vec<String> {
    lists.iter().map(|list| list.info().map(|item| item.title()).unwrap_or_default()).collect()
}

fn views(lines: &str) -> Vec<View> {
    one(format!("+VIEWS:\r\n{lines}").as_bytes()).views()
}

fn view(media_type: &str, language: Option<&str>, size: Option<u64>) -> View {
    let mut view = View::new(media_type);
    view.language = language.map(Into::into);
    view.size = size;
    view
}

#[test]
fn attributes_of_an_item_are_read_as_recorded() {
    let list = recorded("umn-plus-info").remove(0);
    assert_eq!(names(&list), ["INFO", "ADMIN", "VIEWS", "ABSTRACT"]);
    let item = list.info().unwrap();
    assert_eq!((item.title().as_str(), item.plus), ("about", Some(PlusMark::Item)));
    assert_eq!(list.admin("admin"), Some(&b"Test Admin <admin@example.org>"[..]));
    let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_245_839);
    assert_eq!(list.modified(), Some(modified));
    assert_eq!(list.views(), [view("Text/plain", Some("En_US"), Some(102))]);
    assert_eq!(list.description().unwrap(), b"A short abstract of about.txt,\nin two lines.");
    assert_eq!(list.form(), None);
    let pygopherd = recorded("pyg-plus-info").remove(0);
    assert_eq!(pygopherd.views(), [view("text/plain", None, None)], "a size rounded to nothing is unknown");
    assert_eq!(pygopherd.description().unwrap(), b"A short abstract,\nin two lines.");
}

#[test]
fn attributes_of_a_menu_are_a_list_for_each_item() {
    let menu = recorded("umn-plus-dirinfo");
    let expected = [
        "A remote menu",
        "A telnet session",
        "about",
        "bin",
        "blob",
        "ordersimple",
        "pixel",
        "sub",
        "survey",
        "tmp",
        "views",
    ];
    assert_eq!(titles(&menu), expected);
    assert_eq!((names(&menu[0]), names(&menu[1])), (vec!["INFO"], vec!["INFO", "URL"]));
    assert_eq!(menu[8].info().unwrap().plus, Some(PlusMark::Form));
    assert_eq!(menu[8].form().unwrap().len(), 7);
    assert_eq!(menu[3].views().len(), 3);
    assert_eq!(titles(&recorded("client-gopher-3.0.17-form-session#1")), expected);
    assert_eq!(titles(&recorded("pyg-plus-dirinfo")), ["a file with spaces"]);
    assert_eq!(titles(&recorded("umnv-plus-dirinfo")), ["poem"]);
}

#[test]
fn every_recorded_view_is_read() {
    let list = recorded("umnv-plus-info-views").remove(0);
    let german = view("Text/plain", Some("De_DE"), None);
    let expected =
        [german.clone(), view("application/postscript", Some("En_US"), None), view("Text/plain", Some("En_US"), None)];
    assert_eq!(list.views(), expected);
    assert_eq!(
        (german.gopher_plus(), german.to_string().as_str()),
        (b"+Text/plain De_DE".to_vec(), "Text/plain De_DE")
    );
    assert!(german.is(b"text/PLAIN", Some(b"de")));
}

#[test]
fn info_without_a_colon_is_info() {
    let list = recorded("umn-plus-info-root").remove(0);
    assert_eq!(list.info().unwrap().title(), "Test site");
    assert_eq!(list.admin("Version"), Some(&b"U of Minnesota Unix 3.0 pl2"[..]));
    assert_eq!(list.block(b"VERONICA").unwrap().lines, [b"treewalk: yes"]);
}

#[test]
fn what_was_not_asked_for_is_left_out_however_names_are_joined() {
    let list = recorded("umn-plus-info").remove(0);
    let only = |wanted: &[&str]| {
        let wanted: Vec<Vec<u8>> = wanted.iter().map(|name| name.as_bytes().to_vec()).collect();
        let list = list.clone().only(&wanted);
        names(&list).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(only(&[]), ["INFO", "ADMIN", "VIEWS", "ABSTRACT"]);
    assert_eq!(only(&["+ABSTRACT"]), ["INFO", "ABSTRACT"]);
    assert_eq!(only(&["+ABSTRACT+VIEWS"]), ["INFO", "VIEWS", "ABSTRACT"]);
    assert_eq!(only(&["+ADMIN", "VIEWS"]), ["INFO", "ADMIN", "VIEWS"]);
    assert_eq!(only(&["+abstract"]), ["INFO"], "names are case sensitive");
}

#[test]
fn lines_may_lack_their_blank_and_blocks_their_colon() {
    let list = one(
        b"+INFO 0a\tb\tc\t70\t+\n+ADMIN\nAdmin: x\n+SMELL: 0ref\ts\th\t70\n  rose\n\n+\n+ABSTRACT:\n one\n\n two\n\n",
    );
    assert_eq!(names(&list), ["INFO", "ADMIN", "SMELL", "", "ABSTRACT"]);
    assert_eq!(list.admin("Admin"), Some(&b"x"[..]));
    assert_eq!(list.block(b"SMELL").unwrap().head, b"0ref\ts\th\t70");
    assert_eq!(list.block(b"SMELL").unwrap().lines, [&b" rose"[..], b""]);
    assert_eq!(list.description().unwrap(), b"one\n\ntwo", "empty lines at the end are dropped");
    assert_eq!(MenuItem::parse(&list.block(b"SMELL").unwrap().head).title(), "ref");
    let bare = one(b"+ABSTRACT:\r\n no line end");
    assert_eq!((bare.info(), bare.description()), (None, Some(b"no line end".to_vec())));
    assert_eq!(lists(b""), []);
    assert_eq!(lists(b"\r\n\r\n"), []);
}

#[test]
fn views_are_read_as_servers_write_them() {
    assert_eq!(views(" a/b: <10k>"), [view("a/b", None, Some(10_240))]);
    assert_eq!(views(" a/b En_US: <.1k>"), [view("a/b", Some("En_US"), Some(102))]);
    assert_eq!(views(" a/b En_US:<45K>"), [view("a/b", Some("En_US"), Some(46_080))]);
    assert_eq!(views(" a/b:"), [view("a/b", None, None)]);
    assert_eq!(views(" a/b"), [view("a/b", None, None)]);
    assert_eq!(views(" a/b: <2.5M>"), [view("a/b", None, Some(2_621_440))]);
    assert_eq!(views(" a/b: <300>"), [view("a/b", None, Some(300))]);
    for odd in [
        "<k>",
        "<>",
        "<-1k>",
        "<1x>",
        "<1..2k>",
        "<1.xk>",
        "<0k>",
        "<.0k>",
        "12",
        "<99999999999999999999k>",
        "<18014398509481984k>",
    ] {
        assert_eq!(views(&format!(" a/b: {odd}")), [view("a/b", None, None)], "{odd}");
    }
    assert_eq!(views(" \r\n : <1k>"), []);
}

#[test]
fn a_view_is_that_type_in_that_language_or_a_dialect_of_it() {
    let german = view("Text/plain", Some("De_DE"), None);
    for (media_type, language, is) in [
        ("text/plain", None, true),
        ("text/html", None, false),
        ("text/plain", Some("de"), true),
        ("text/html", Some("de"), false),
        ("text/plain", Some("de-de"), true),
        ("text/plain", Some("d"), false),
        ("text/plain", Some("de_AT"), false),
        ("text/plain", Some("de_DE_x"), false),
        ("text/plain", Some("den"), false),
        ("text/plain", Some("fr"), false),
        ("text/plain", Some("de.DE"), false),
    ] {
        assert_eq!(german.is(media_type.as_bytes(), language.map(str::as_bytes)), is, "{media_type} {language:?}");
    }
    assert!(!view("Text/plain", None, None).is(b"text/plain", Some(b"de")), "it names no language");
    // A hyphen and a lower line are the same, and neither is any other octet.
    assert!(!view("a/b", Some("de.DE"), None).is(b"a/b", Some(b"de-DE")));
    assert!(!view("a/b", Some("de-DE"), None).is(b"a/b", Some(b"de.DE")));
}

#[test]
fn dates_that_are_none_are_unknown() {
    let modified = |line: &str| one(format!("+ADMIN:\r\n {line}\r\n").as_bytes()).modified();
    let day = SystemTime::UNIX_EPOCH + Duration::from_secs(786_240_000);
    assert_eq!(modified("Mod-Date: <19941201000000>"), Some(day));
    assert_eq!(modified("mod-date: a < b <19941201000000> "), Some(day));
    assert_eq!(modified("Date: <19941201000000>"), Some(day), "as the paper writes it once");
    for odd in ["Mod-Date: 19941201000000", "Mod-Date: <1994>", "Mod-Date: <>", "Mod-Date", "X: <19941201000000>"] {
        assert_eq!(modified(odd), None, "{odd}");
    }
}

#[test]
fn a_line_outside_a_block_is_not_an_attribute() {
    let fault = fault(b"<HTML>\x1b[31m\r\n");
    assert_eq!(fault.kind(), FaultKind::Malformed);
    assert!(!fault.to_string().contains('\x1b'));
}

/// Feeds `chunk` again and again, until the reader fails, and returns how much it took.
fn endless(limits: GopherLimits, first: &[u8], chunk: &[u8]) -> usize {
    let mut reader = AttributeReader::new(limits);
    assert!(reader.next(&mut Input::new(first)).is_none());
    let mut taken = 0;
    loop {
        taken += chunk.len();
        let mut input = Input::new(chunk);
        while let Some(next) = reader.next(&mut input) {
            if let Err(fault) = next {
                assert_eq!(fault.kind(), FaultKind::Limit);
                return taken;
            }
        }
        assert!(taken < 1 << 30, "the reader never fails");
    }
}

#[test]
fn security_49_endless_attributes_end_at_the_limits() {
    let limits = GopherLimits::default().with(|limits| {
        limits.held = 10_000;
        limits.line = 200;
        limits.lines = 5_000;
    });
    assert!(endless(limits, b"+ABSTRACT:\n", &[b'x'; 50]) <= 250, "a line");
    assert!(endless(limits, b"+ABSTRACT:\n", b" many\n") <= 10_000, "the lines of a block");
    assert!(endless(limits, b"+ABSTRACT:\n", b"\n") <= 10_000, "empty lines");
    assert!(endless(limits, b"", b"+X:\n") <= 10_000, "the blocks of a list");
    let list = b"+INFO: 0a\tb\tc\t1\n";
    assert_eq!(endless(limits, b"", list) / list.len(), 5_001, "lists");
    assert_eq!(endless(limits, b"", b"\n"), 5_001, "nothing");
}

#[test]
fn security_49_each_limit_of_attributes_is_met_and_not_passed() {
    let limited = |change: fn(&mut GopherLimits), data: &[u8]| {
        let limits = GopherLimits::default().with(change);
        let whole = read(limits, [data]);
        assert_eq!(read(limits, data.chunks(1)), whole);
        whole.1.map(|fault| fault.kind())
    };
    // Without its LF.
    let line = |length: usize| [b"+X:\n", &vec![b'x'; length][..], b"\n +Y:\n"].concat();
    assert_eq!(limited(|limits| limits.line = 10, &line(10)), None);
    assert_eq!(limited(|limits| limits.line = 10, &line(11)), Some(FaultKind::Limit));
    assert_eq!(limited(|limits| limits.lines = 3, b"+X:\n a\n b\n"), None);
    assert_eq!(limited(|limits| limits.lines = 3, b"+X:\n a\n b\n c\n"), Some(FaultKind::Limit));
    // What a list holds is counted with what holds it, so that empty lines and empty blocks cost something.
    let held = |blocks: usize, lines: usize| [b"+XY:head\n".repeat(blocks), b" 45678\n".repeat(lines)].concat();
    let of_block = 2 + 4 + size_of::<urlwise_open::protocol::gopher::Block>();
    let of_line = 5 + size_of::<Vec<u8>>();
    for (blocks, lines) in [(1, 0), (3, 0), (1, 7), (2, 3)] {
        let size = blocks * of_block + lines * of_line;
        let kind = |most: usize| {
            let limits = GopherLimits::default().with(|limits| limits.held = most);
            read(limits, [&held(blocks, lines)[..]]).1.map(|fault| fault.kind())
        };
        assert_eq!((kind(size), kind(size - 1)), (None, Some(FaultKind::Limit)), "{blocks} blocks, {lines} lines");
    }
}

#[test]
fn security_49_a_form_of_a_million_questions_is_refused() {
    let many = [b"+ASK:\r\n".to_vec(), b" Ask: why?\r\n".repeat(1_000_000)].concat();
    assert_eq!(fault(&many).kind(), FaultKind::Limit);
}

#[test]
fn any_octets_are_survived() {
    for octet in 0..=255_u8 {
        for data in [
            vec![octet],
            vec![b'+', octet],
            [b"+VIEWS:\n ", &[octet; 3][..]].concat(),
            [b"+ASK:\n ", &[octet; 3][..]].concat(),
        ] {
            for list in read(GopherLimits::default(), [&data[..]]).0 {
                let _ = (list.info(), list.views(), list.modified(), list.description(), list.form());
            }
        }
    }
}
