//! The rules one by one: RFC 1738 section 3.4, RFC 1436, Gopher+, D-41 to D-49.

use urlwise::{Profile, Url};
use urlwise_open::protocol::gopher::{
    GopherLimits, GopherMachine, GopherRequest, GopherSettings, ItemType, MenuItem, Opens, PlusMark, Transfer,
};
use urlwise_open::protocol::{Blame, End, Fault, FaultKind, plan};
use urlwise_open::testing::{DialogueRecord, play, replay};

fn request(gtype: u8, selector: &[u8], search: Option<&[u8]>, plus: Option<&[u8]>) -> GopherRequest {
    GopherRequest::new(gtype).with(|request| {
        request.selector = selector.to_vec();
        request.search = search.map(<[u8]>::to_vec);
        request.plus = plus.map(<[u8]>::to_vec);
    })
}

fn sent(request: &GopherRequest) -> Vec<u8> {
    request.command(&GopherSettings::default()).expect("a request that may be sent").octets().to_vec()
}

fn refusal(request: &GopherRequest) -> Fault {
    request.command(&GopherSettings::default()).expect_err("a request that may not be sent")
}

fn classic(gtype: u8, answer: &[u8]) -> DialogueRecord<MenuItem> {
    replay(|| GopherMachine::new(GopherRequest::new(gtype), GopherSettings::default()), answer, Some(End::Closed))
}

fn strict(answer: &[u8]) -> DialogueRecord<MenuItem> {
    let settings = GopherSettings::default().with(|settings| settings.strict = true);
    replay(|| GopherMachine::new(GopherRequest::new(b'0'), settings), answer, Some(End::Closed))
}

pub(super) fn plus(gtype: u8, plus: &[u8], answer: &[u8]) -> DialogueRecord<MenuItem> {
    let request = request(gtype, b"x", None, Some(plus));
    replay(|| GopherMachine::new(request.clone(), GopherSettings::default()), answer, Some(End::Closed))
}

fn text(answer: &[u8]) -> String {
    let replay = classic(b'0', answer);
    assert!(replay.is_done);
    String::from_utf8(replay.data).expect("ASCII stays ASCII")
}

// The request

#[test]
fn no_tab_sends_the_selector_alone() {
    assert_eq!(sent(&request(b'0', b"a?b;c", None, None)), b"a?b;c\r\n");
    assert_eq!(sent(&GopherRequest::new(b'1')), b"\r\n");
}

#[test]
fn empty_search_is_sent_where_the_url_has_one_and_no_gopher_plus_string() {
    assert_eq!(sent(&request(b'7', b"find", Some(b""), None)), b"find\t\r\n");
    assert_eq!(sent(&request(b'7', b"find", None, None)), b"find\r\n");
}

#[test]
fn d47_empty_search_before_a_gopher_plus_string_is_left_out_unless_literal() {
    let request = request(b'0', b"x", Some(b""), Some(b"+"));
    assert_eq!(sent(&request), b"x\t+\r\n");
    let literal = GopherSettings::default().with(|settings| settings.literal = true);
    assert_eq!(request.command(&literal).unwrap().octets(), b"x\t\t+\r\n");
}

#[test]
fn d47_a_search_keeps_its_field_before_a_gopher_plus_string() {
    assert_eq!(sent(&request(b'7', b"x", Some(b""), Some(b"!"))), b"x\t\t!\r\n");
    assert_eq!(sent(&request(b'7', b"x", None, Some(b"!"))), b"x\t\t!\r\n");
    assert_eq!(sent(&request(b'0', b"x", Some(b"w"), Some(b"!"))), b"x\tw\t!\r\n");
}

#[test]
fn empty_gopher_plus_string_asks_nothing_of_gopher_plus() {
    let request = request(b'0', b"x", Some(b""), Some(b""));
    assert_eq!(sent(&request), b"x\t\r\n");
    let replay = play(GopherMachine::new(request, GopherSettings::default()), b"+5\r\nhello", Some(End::Closed));
    assert_eq!(replay.data, b"+5\r\nhello");
}

#[test]
fn filled_form_ends_its_own_lines_and_has_one_tab_even_when_literal() {
    let request = request(b'0', b"x", Some(b""), Some(b"+\t1\r\n+-1\r\nred\r\n.\r\n"));
    let literal = GopherSettings::default().with(|settings| settings.literal = true);
    assert_eq!(request.command(&literal).unwrap().octets(), b"x\t+\t1\r\n+-1\r\nred\r\n.\r\n");
}

#[test]
fn security_4_no_field_holds_cr_lf_tab_or_nul() {
    for octet in [b'\r', b'\n', b'\t', 0] {
        let bad = [b'a', octet, b'b'];
        for request in [request(b'0', &bad, None, None), request(b'7', b"x", Some(&bad), None)] {
            let fault = refusal(&request);
            assert_eq!((fault.kind(), fault.kind().blame()), (FaultKind::Refused, Blame::Url));
            assert_eq!((fault.raw_octets(), fault.place()), (Some(&bad[..]), Some(1)));
            let all = GopherSettings::default().with(|settings| settings.controls = true);
            assert_eq!(request.command(&all), Err(fault), "no setting lets it pass");
        }
    }
}

#[test]
fn what_must_not_be_sent_is_named_with_its_rule_and_help() {
    for (octet, said) in [
        (
            b'\n',
            r#"a line end, which would start a second request, at octet 1: "a\nb" (RFC 1738 section 3.4.1); remove it from the URL"#,
        ),
        (
            b'\t',
            r#"a tab, which would start another field, at octet 1: "a\tb" (RFC 1738 section 3.4.1); remove it from the URL"#,
        ),
        (
            0,
            r#"NUL, which is not allowed in a selector or search, at octet 1: "a\x00b" (RFC 1436 appendix); remove it from the URL"#,
        ),
        (0x1b, r#"a control character, at octet 1: "a\x1bb" (S-4); allow control characters if the server needs them"#),
    ] {
        let fault = refusal(&request(b'0', &[b'a', octet, b'b'], None, None));
        assert_eq!(fault.to_string(), format!("refused to send: the selector contains {said}"));
    }
}

#[test]
fn security_4_other_control_octets_pass_by_setting_only() {
    for octet in [1, 0x1b, 0x7f] {
        let request = request(b'0', &[octet], None, None);
        assert_eq!(refusal(&request).kind(), FaultKind::Refused);
        let settings = GopherSettings::default().with(|settings| settings.controls = true);
        assert_eq!(request.command(&settings).unwrap().octets(), [octet, b'\r', b'\n']);
    }
}

#[test]
fn security_5_a_refused_request_never_connects() {
    let replay = play(GopherMachine::new(request(b'0', b"x\r\ny", None, None), GopherSettings::default()), b"", None);
    assert_eq!(replay.connects, 0);
    assert!(replay.sent.concat().is_empty());
    assert_eq!(
        replay.fault.as_ref().unwrap().to_string(),
        "refused to send: the selector contains a line end, which would start a second request, at octet 1: \"x\\r\\ny\" \
         (RFC 1738 section 3.4.1); remove it from the URL"
    );
}

#[test]
fn security_5_gopher_plus_string_holds_line_ends_only_as_a_filled_form() {
    let bad: [&[u8]; 9] = [
        b"+\r\nQUIT",
        b"+\t1\r\n",
        b"+\t1\r\n+-1\r\nred\r\n",
        b"+\t1\r\n+-1\r\nred\r\n.\r\nQUIT\r\n",
        b"+\t1\r\n+-1\r\nred\nblue\r\n.\r\n",
        b"+\t1\r\n+-1\r\na\0b\r\n.\r\n",
        b"+\t1\r\n+4\r\nred\n",
        b"!\t1\r\n+-1\r\nred\r\n.\r\n",
        b"+\t0",
    ];
    for plus in bad {
        assert_eq!(refusal(&request(b'0', b"x", None, Some(plus))).kind(), FaultKind::Refused, "{plus:?}");
    }
}

#[test]
fn debug_hides_the_answers_of_a_form() {
    let shown = format!("{:?}", request(b'0', b"x", None, Some(b"+\t1\r\n+-1\r\nsecret\r\n.\r\n")));
    assert_eq!(shown, r#"GopherRequest { gtype: "0", selector: "x", search: None, plus: Some("+\\t1\\r\\n***") }"#);
}

#[test]
fn refusal_of_a_broken_form_hides_its_answers() {
    let fault = refusal(&request(b'0', b"x", None, Some(b"+\t1\r\n+-1\r\nsecret\r\n")));
    assert_eq!((fault.raw_octets(), fault.place()), (Some(&b"+\t"[..]), Some(1)));
}

// What is not for gopher

#[test]
fn sessions_phone_books_and_remarks_are_not_fetched() {
    for gtype in *b"28Ti" {
        let replay = play(GopherMachine::new(GopherRequest::new(gtype), GopherSettings::default()), b"", None);
        assert_eq!(replay.connects, 0);
        let fault = replay.fault.as_ref().unwrap();
        assert_eq!(fault.kind(), FaultKind::Elsewhere);
        assert!(fault.help().is_some());
    }
}

#[test]
fn link_to_another_url_is_named_and_not_fetched() {
    let replay =
        play(GopherMachine::new(request(b'h', b"URL:http://a.b/", None, None), GopherSettings::default()), b"", None);
    let fault = replay.fault.as_ref().unwrap();
    assert_eq!((fault.kind(), fault.raw_octets()), (FaultKind::Elsewhere, Some(&b"http://a.b/"[..])));
}

// Texts

#[test]
fn one_closing_dot_is_cut_at_the_very_end_only() {
    assert_eq!(text(b"a\r\n.\r\n"), "a\r\n");
    assert_eq!(text(b"a\n.\n"), "a\n");
    assert_eq!(text(b".\r\n"), "");
    assert_eq!(text(b"a\r\n.\r\nb\r\n.\r\n"), "a\r\n.\r\nb\r\n");
    assert_eq!(text(b"a\r\n.\r\n.\r\n"), "a\r\n.\r\n");
    assert_eq!(text(b"a\r\n."), "a\r\n.");
    assert_eq!(text(b"a\r\n.\r"), "a\r\n.\r");
    assert_eq!(text(b"a.\r\n"), "a.\r\n");
}

#[test]
fn doubled_dots_are_undone_if_the_server_shows_that_it_doubles() {
    assert_eq!(text(b"..a\r\nb\r\n...c\r\nd..e\r\n.\r\n"), ".a\r\nb\r\n..c\r\nd..e\r\n");
    assert_eq!(text(b"a\n..\n.\n"), "a\n.\n");
}

#[test]
fn doubled_dots_are_kept_without_a_closing_dot() {
    assert_eq!(text(b"..a\r\nb\r\n"), "..a\r\nb\r\n");
}

#[test]
fn doubled_dots_are_kept_if_any_line_begins_with_one_dot() {
    assert_eq!(text(b"..a\r\n.b\r\n..c\r\n.\r\n"), "..a\r\n.b\r\n..c\r\n");
    assert_eq!(text(b".b\r\n..a\r\n.\r\n"), ".b\r\n..a\r\n");
    assert_eq!(text(b"..a\r\n.\r\n..c\r\n.\r\n"), "..a\r\n.\r\n..c\r\n");
    assert_eq!(text(b"..a\r\n.\rb\r\n.\r\n"), "..a\r\n.\rb\r\n");
}

#[test]
fn too_long_a_text_keeps_its_doubled_dots_and_says_so() {
    let limits = GopherLimits::default().with(|limits| limits.held = 8);
    let settings = GopherSettings::default().with(|settings| settings.limits = limits);
    let read = |answer: &[u8]| {
        let machine = || GopherMachine::new(GopherRequest::new(b'0'), settings);
        let replay = replay(machine, answer, Some(End::Closed));
        (String::from_utf8(replay.data).unwrap(), replay.notes)
    };
    assert_eq!(read(b"free\n..45678\n.\n"), ("free\n.45678\n".into(), vec![]));
    assert_eq!(read(b"free\n..456789\n.\n"), ("free\n..456789\n".into(), vec!["dots-kept"]));
}

#[test]
fn strict_reading_ends_at_the_first_lone_dot() {
    let replay = strict(b"a\r\n..b\r\n.c\r\n.\r\nd\r\n");
    assert_eq!(replay.data, b"a\r\n.b\r\n.c\r\n");
    assert!(replay.is_done);
}

#[test]
fn text_streams_before_its_end_is_known() {
    let silent = play(GopherMachine::new(GopherRequest::new(b'0'), GopherSettings::default()), b"one\r\ntwo", None);
    assert_eq!(silent.data, b"one\r\ntwo");
}

#[test]
fn html_mail_and_binaries_are_never_stripped() {
    for gtype in *b"hM9gIs5Pd;~" {
        assert_eq!(classic(gtype, b"..a\r\n.\r\n").data, b"..a\r\n.\r\n", "{}", char::from(gtype));
    }
}

#[test]
fn bin_hex_and_uuencoded_are_texts() {
    for gtype in *b"46" {
        assert_eq!(classic(gtype, b"a\r\n.\r\n").data, b"a\r\n", "{}", char::from(gtype));
    }
}

#[test]
fn an_error_host_instead_of_a_document_is_not_found_and_no_document() {
    for answer in [
        &b"3gone\t\terror.host\t1\r\n"[..],
        b"0gone\t\terror.host\t1",
        b"0gone\t\terror.host\t1\r\n.\r\n",
        b"3gone\t\terror.host\t1\n.\n",
        b"3gone\t\terror.host\t1\r\n.",
        b"3gone\t\terror.host\t1\r\n.\r\nmore",
    ] {
        for gtype in *b"019g" {
            let replay = classic(gtype, answer);
            let fault = replay.fault.as_ref().unwrap_or_else(|| panic!("{answer:?}: {replay:?}"));
            assert_eq!((fault.kind(), fault.raw_octets()), (FaultKind::NotFound, Some(&b"gone"[..])), "{answer:?}");
            assert!(replay.begin.is_none() && replay.data.is_empty(), "{answer:?}: {replay:?}");
        }
    }
}

#[test]
fn a_gopher_plus_error_that_answers_a_classic_request_is_an_error() {
    for (answer, kind, words) in [
        (&b"--1\r\n1 A <a@b>\r\nno such thing\r\n.\r\n"[..], FaultKind::NotFound, &b"no such thing"[..]),
        (b"--2\n1 A <a@b>\nno such thing\n", FaultKind::NotFound, b"no such thing"),
        (b"--1\r\n2 A <a@b>\r\ntoo many\r\n.\r\n", FaultKind::Server, b"too many"),
        (b"--1\r\n1", FaultKind::NotFound, b""),
        (b"--1\r\n1 A <a@b>\r\ngone\r\n.\r\nmore\r\n", FaultKind::NotFound, b"gone"),
    ] {
        for gtype in *b"0179gM" {
            let replay = classic(gtype, answer);
            let fault = replay.fault.as_ref().unwrap_or_else(|| panic!("{answer:?}: {replay:?}"));
            assert_eq!(fault.kind(), kind, "{answer:?}");
            assert_eq!(fault.raw_octets().unwrap_or_default(), words, "{answer:?}");
            assert!(replay.begin.is_none() && replay.data.is_empty(), "{answer:?}: {replay:?}");
        }
    }
    for answer in [
        &b"--1\r\nContent-Type: text/plain\r\n\r\nx\r\n--1--\r\n"[..],
        b"--1\r\n1x\r\n",
        b"--1\r\n",
        b"--1",
        b"--",
        b"--3\r\n1 A\r\n",
        b"--12\r\n1 A\r\n",
        b"--1\r\n12",
    ] {
        let replay = classic(b'M', answer);
        let is_error = answer.ends_with(b"\n12");
        assert_eq!((replay.is_done, replay.fault.is_some()), (!is_error, is_error), "{answer:?}: {replay:?}");
        assert!(is_error || replay.data == answer, "{answer:?}");
    }
}

#[test]
fn probable_error_is_noted_before_the_document() {
    for answer in [&b"3gone\t\terror.host\t1\r\nand more\r\n"[..], b"0gone\t\terror.host\t1\r\n..\r\n", b"Error: gone"]
    {
        let replay = classic(b'0', answer);
        assert_eq!(replay.notes, ["probable-error"], "{answer:?}");
        assert_eq!(replay.data, answer);
    }
}

#[test]
fn ordinary_text_is_not_a_probable_error() {
    for answer in
        [&b"3 things\r\n"[..], b"0", b"Err", b"Errors", b"0a\t\thost\t1\r\n", b"1a\t\terror.host\t1\r\n", b"x Error: y"]
    {
        assert!(classic(b'0', answer).notes.is_empty(), "{answer:?}");
    }
}

#[test]
fn line_longer_than_the_look_for_errors_is_not_a_probable_error() {
    let longest = [&b"3"[..], &[b'x'; 1023 - 16], b"\t\terror.host\t1\r"].concat();
    assert_eq!(longest.len(), 1023);
    let error = classic(b'0', &[&longest[..], b"\n"].concat());
    assert_eq!(error.fault.as_ref().map(Fault::kind), Some(FaultKind::NotFound));
    assert!(classic(b'0', &[&longest[..], b"0\n"].concat()).notes.is_empty());
    assert!(classic(b'0', &[&longest[..], b"0"].concat()).notes.is_empty());
}

#[test]
fn empty_answer_is_noted() {
    assert_eq!(classic(b'0', b"").notes, ["empty-answer"]);
    assert_eq!(classic(b'1', b"").notes, ["empty-answer"]);
    assert!(classic(b'1', b".\r\n").notes.is_empty(), "an empty menu is not an empty answer");
    assert!(plus(b'0', b"+", b"+0\r\n").notes.is_empty(), "nor is a document that is said to be empty");
}

// Menus

#[test]
fn menu_is_read_leniently() {
    let replay = classic(b'1', b"\r\n0a\ts\th\t70\n\nno tab\r\n0two\tfields\r\n1b\t\t\tport\t+\t?\r\n");
    let items = replay.entries;
    assert_eq!(items.len(), 4);
    assert_eq!((items[0].gtype, items[0].port_number()), (b'0', Some(70)));
    assert_eq!((items[1].gtype, items[1].title().as_str()), (b'i', "no tab"));
    assert_eq!((items[2].gtype, items[2].title().as_str()), (b'i', "two"));
    assert_eq!((items[3].port_number(), items[3].plus), (None, Some(PlusMark::Item)));
    assert!(replay.is_done);
}

#[test]
fn menu_ends_at_its_dot_without_waiting_for_the_close() {
    let silent = play(
        GopherMachine::new(GopherRequest::new(b'1'), GopherSettings::default()),
        b"1a\tb\tc\t1\r\n.\r\n1x\ty\tz\t1",
        None,
    );
    assert_eq!(silent.entries.len(), 1);
    assert!(silent.is_done);
}

#[test]
fn a_menu_line_that_is_cut_is_not_an_entry() {
    let menu = b"1a\tb\tc\t7070\r\n1d\te\tf\t7171\r\n";
    let first = b"1a\tb\tc\t7070\r\n".len();
    for most in 1..menu.len() {
        let cut = classic(b'1', &menu[..most]);
        assert_eq!(cut.entries.len(), usize::from(most >= first), "cut at {most}");
        let fault = cut.fault.as_ref().map(Fault::kind);
        assert_eq!(fault, (most != first).then_some(FaultKind::Partial), "cut at {most}");
        assert_eq!(cut.is_done, most == first, "cut at {most}");
    }
    let error_first = classic(b'1', b"3gone\t\terror.host\t1\r\n1a\tb");
    assert_eq!(error_first.entries.len(), 1, "what more follows is an item among others");
    assert_eq!(error_first.fault.as_ref().map(Fault::kind), Some(FaultKind::Partial));
    assert!(classic(b'1', b"1a\tb\tc\t1\r\n.").is_done, "a dot means nothing else");
    assert!(classic(b'1', b"1a\tb\tc\t1\r\n.\r").notes.is_empty());
    assert_eq!(plus(b'1', b"+", b"+10\r\n1a\tb\tc\t707").entries[0].port_number(), Some(707), "its length is known");
}

#[test]
fn a_menu_without_its_closing_dot_says_so() {
    let menu = b"1a\tb\tc\t1\r\n";
    assert_eq!(classic(b'1', menu).notes, ["closing-dot-missing"]);
    assert_eq!(classic(b'7', menu).notes, ["closing-dot-missing"]);
    assert!(classic(b'1', &[&menu[..], b".\r\n"].concat()).notes.is_empty());
    assert!(plus(b'1', b"+", &[b"+-2\r\n", &menu[..]].concat()).notes.is_empty(), "the close was announced");
    assert!(plus(b'1', b"+", &[b"+11\r\n", &menu[..]].concat()).notes.is_empty(), "so was the length");
    for string in [&b"+"[..], b"+application/gopher-menu", b"!", b"$", b"+application/gopher+-menu"] {
        let gtype = if string == b"+" { b'1' } else { b'0' };
        let cut = plus(gtype, string, &[b"+-1\r\n", &menu[..]].concat());
        assert_eq!(cut.fault.as_ref().map(Fault::kind), Some(FaultKind::Partial), "{string:?}");
        let whole = plus(gtype, string, &[b"+-1\r\n", &menu[..], b".\r\n"].concat());
        assert!(whole.is_done && whole.notes.is_empty(), "{string:?}");
    }
}

#[test]
fn duplicate_server_has_the_type_of_the_item_before() {
    let replay = classic(b'1', b"+lost\ts\th\t1\r\n9a\ts\th\t1\r\nia remark\t\t\t\r\n+a\ts\th2\t1\r\n+a\ts\th3\t1\r\n");
    let types: Vec<(u8, bool)> = replay.entries.iter().map(|item| (item.gtype, item.duplicate)).collect();
    assert_eq!(types, [(b'+', true), (b'9', false), (b'i', false), (b'9', true), (b'9', true)]);
}

#[test]
fn lone_error_item_is_a_fault_and_an_error_item_among_others_is_not() {
    let lone = classic(b'1', b"3no such place\t\terror.host\t1\r\n.\r\n");
    assert_eq!(
        lone.fault.as_ref().unwrap().to_string(),
        "the server answers that the item is not available: \"no such place\" (RFC 1436 section 3.8)"
    );
    let elsewhere = classic(b'1', b"3too busy\t\tnull.host\t1\r\n.\r\n");
    assert_eq!(
        elsewhere.fault.as_ref().unwrap().to_string(),
        "the server answers with an error: \"too busy\" (RFC 1436 section 3.8)"
    );
    let among = classic(b'1', b"3no such place\t\terror.host\t1\r\n1a\tb\tc\t1\r\n");
    assert_eq!(among.entries.len(), 2);
    assert!(among.is_done);
    assert!(classic(b'1', b"1a\tb\tc\t1\r\n3no such place\t\terror.host\t1\r\n").is_done);
    assert!(classic(b'1', b"0A file\tx\th\t1\r\n").is_done, "a lone text item is not an error");
}

#[test]
fn plain_words_instead_of_a_menu_are_a_probable_error() {
    assert_eq!(classic(b'1', b"Error: File or directory not found!\r\n.\r\n").notes, ["probable-error"]);
    assert!(classic(b'1', b"1a\tb\tc\t1\r\nError: not an error\r\n.\r\n").notes.is_empty(), "among others");
    assert!(classic(b'1', b"iWelcome\t\t\t\r\n.\r\n").notes.is_empty(), "other words");
    assert!(classic(b'1', b"0Error: a text\tb\tc\t1\r\n.\r\n").notes.is_empty(), "an item of that name");
}

#[test]
fn title_is_utf8_or_latin1_without_control_characters() {
    let title = |display: &[u8]| MenuItem::parse(&[b"0", display, b"\t\t\t"].concat()).title();
    assert_eq!(title("Fußweg".as_bytes()), "Fußweg");
    assert_eq!(title(b"Fu\xdfweg"), "Fußweg");
    assert_eq!(title(b"a\x1b[31mb\0\x7f\xc2\x9b"), "a[31mb");
    assert_eq!(title(b"\xff\x9b31m"), "ÿ31m");
}

#[test]
fn urls_of_items() {
    let url = |menu: &str, line: &[u8]| {
        let menu = Url::parse_with(menu, Profile::Current).unwrap();
        MenuItem::parse(line).url(&menu).map(Url::into_inner)
    };
    let plain = |line: &[u8]| url("gopher://h.dom:7070/", line);
    // The server that sent the menu stands in for an empty host.
    assert_eq!(plain(b"1a\tx\t\t").as_deref(), Some("gopher://h.dom:7070/1x"));
    assert_eq!(plain(b"1a\tx\t\t71").as_deref(), Some("gopher://h.dom:71/1x"));
    assert_eq!(plain(b"1a\tx\to.dom\t").as_deref(), Some("gopher://o.dom/1x"));
    // Octets of the selector are encoded, a tab cannot be in it.
    assert_eq!(plain(b"0a\t\xff%#?\to.dom\t70").as_deref(), Some("gopher://o.dom/0%FF%25%23%3F"));
    assert_eq!(plain(b"8a\tme@x:y\to.dom\t23").as_deref(), Some("telnet://me%40x%3Ay@o.dom/"));
    assert_eq!(plain(b"8a\t\to.dom\t2323").as_deref(), Some("telnet://o.dom:2323/"));
    assert_eq!(url("gophers://h.dom/", b"1a\tx\to.dom\t70").as_deref(), Some("gophers://o.dom/1x"));
    assert_eq!(plain(b"0a\tx\t::1\t70").as_deref(), Some("gopher://[::1]/0x"));
    assert_eq!(plain(b"ha\tURL:https://o.dom/~me\t\t").as_deref(), Some("https://o.dom/~me"));
    assert_eq!(plain(b"ha\tURL:https://o.dom/a#part\t\t").as_deref(), Some("https://o.dom/a"));
    assert_eq!(plain("ha\tURL:https://o.dom/\u{fc}\t\t".as_bytes()).as_deref(), Some("https://o.dom/%C3%BC"));
    assert_eq!(plain(b"ha\tGET /a/b?c\to.dom\t80").as_deref(), Some("http://o.dom/a/b?c"));
    assert_eq!(plain(b"ha\tGET /\t\t8080").as_deref(), Some("http://h.dom:8080/"));
    assert_eq!(plain(b"0a\tGET /\to.dom\t70").as_deref(), Some("gopher://o.dom/0GET%20/"));
    for nothing in [
        &b"ha\tGET /a b\to.dom\t80"[..],
        b"ha\tGET /\tme@o.dom\t80",
        b"ia\tx\to.dom\t70",
        b"3a\tx\to.dom\t70",
        b"0a\tx\to.dom\tseventy",
        b"0a\tx\to.dom\t70000",
        b"0a\tx\to.dom\t-70",
        b"0a\tx\to.dom/0y\t70",
        b"0a\tx\tme@o.dom\t70",
        b"8a\tx\tme@o.dom\t23",
        b"0a\tx\to.dom:71\t70",
        b"0a\tx\xff\xfe\to dom\t70",
        b"0a\tx\ry\to.dom\t70",
        b"ha\tURL:not a url\t\t",
        b"ha\tURL:https:/\\o.dom/#part\t\t",
        b"ha\tURL:<https://o.dom/#part>\t\t",
        b"0a\tx\t\xc3\xbc.dom/0y\t70",
        b"0a\tx\tme@\xc3\xbc.dom\t70",
    ] {
        assert_eq!(plain(nothing), None, "{}", String::from_utf8_lossy(nothing));
    }
}

// How an answer ends

#[test]
fn tls_end_without_close_notify_is_noted_unless_the_answer_proves_its_end() {
    let notes = |request: GopherRequest, answer: &[u8]| {
        let machine = || GopherMachine::new(request.clone(), GopherSettings::default());
        let replay = replay(machine, answer, Some(End::Unauthenticated));
        assert!(replay.is_done);
        replay.notes
    };
    assert_eq!(notes(GopherRequest::new(b'9'), b"abc"), ["end-not-authenticated"]);
    assert_eq!(notes(GopherRequest::new(b'0'), b"abc\r\n.\r\n"), ["end-not-authenticated"]);
    assert_eq!(notes(GopherRequest::new(b'1'), b"1a\tb\tc\t1\r\n"), ["closing-dot-missing", "end-not-authenticated"]);
    assert!(notes(GopherRequest::new(b'1'), b"1a\tb\tc\t1\r\n.\r\n").is_empty());
    assert!(notes(request(b'9', b"x", None, Some(b"+")), b"+3\r\nabc").is_empty());
}

#[test]
fn broken_connection_is_a_partial_transfer() {
    for (gtype, answer) in
        [(b'9', &b"abc"[..]), (b'0', b"abc\r\n.\r\n"), (b'0', b"..a\n"), (b'1', b"1a\tb\tc\t1\r\n1d")]
    {
        let machine = || GopherMachine::new(GopherRequest::new(gtype), GopherSettings::default());
        let replay = replay(machine, answer, Some(End::Broken));
        assert_eq!(replay.fault.as_ref().unwrap().kind(), FaultKind::Partial, "{answer:?}");
        assert_eq!(replay.data, if gtype == b'1' { b"" } else { answer }, "what came is given");
        assert_eq!(replay.entries.len(), usize::from(gtype == b'1'));
    }
}

// The dry run

#[test]
fn plan_shows_what_is_sent_and_expected() {
    let lines = |request: GopherRequest| -> Vec<String> {
        let lines = plan(GopherMachine::new(request, GopherSettings::default())).unwrap();
        lines.iter().map(|line| format!("{}: {line}", line.kind())).collect()
    };
    assert_eq!(
        lines(GopherRequest::new(b'1')),
        [
            "connect: the host and port of the URL",
            r"send: \r\n",
            r#"expect: a menu, one item per line, then a line with a single dot; the server closes"#,
        ]
    );
    let form = lines(request(b'0', b"\x80x", None, Some(b"+\t1\r\n+-1\r\nred\r\n.\r\n")));
    assert_eq!(form[1..5], [r"send: \x80x\t+\t1\r\n", r"send: +-1\r\n", r"send: red\r\n", r"send: .\r\n"]);
    assert!(form[5].starts_with("expect: a Gopher+ header"));
    for gtype in 0..=255 {
        assert!(
            plan(GopherMachine::new(request(gtype, b"x", None, None), GopherSettings::default())).is_ok()
                != b"28Ti".contains(&gtype)
        );
        assert!(
            plan(GopherMachine::new(request(gtype, b"x", None, Some(b"+")), GopherSettings::default())).is_ok()
                != b"28Ti".contains(&gtype)
        );
    }
}

#[test]
fn plan_of_a_refused_request_is_its_fault() {
    let request = request(b'0', b"a\nb", None, None);
    assert_eq!(plan(GopherMachine::new(request.clone(), GopherSettings::default())), Err(refusal(&request)));
}

#[test]
fn item_types_say_what_they_open() {
    assert_eq!((ItemType::of(b'7').opens, ItemType::of(b'7').transfer), (Opens::Search, Transfer::Menu));
    assert_eq!(ItemType::of(b'3').opens, Opens::Error);
}
