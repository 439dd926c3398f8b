//! The machine without a socket: what it says, what it makes of answers, whole and cut at every octet.

use urlwise_open::protocol::{End, FaultKind, plan};
use urlwise_open::testing::replay;
use x_dict::{DictItem, DictMachine, DictRequest};

/// What came of a dialogue.
#[derive(Debug, Default, PartialEq)]
struct Held {
    sent: String,
    text: String,
    items: Vec<DictItem>,
    fault: Option<FaultKind>,
}

/// Holds a dialogue with a server that says these octets, however they arrive, and then ends.
fn hold(request: &DictRequest, answer: &[u8]) -> Held {
    let dialogue = replay(|| DictMachine::new(request.clone()), answer, Some(End::Closed));
    let text = |octets| String::from_utf8(octets).expect("text");
    Held {
        sent: text(dialogue.sent.concat()),
        text: text(dialogue.data),
        items: dialogue.entries,
        fault: dialogue.fault.map(|fault| fault.kind()),
    }
}

fn define(word: &str) -> DictRequest {
    DictRequest::Define { dictionary: b"wn".to_vec(), word: word.as_bytes().to_vec() }
}

fn begin(word: &str) -> DictRequest {
    DictRequest::Begin { dictionary: b"*".to_vec(), word: word.as_bytes().to_vec() }
}

const DEFINITIONS: &[u8] = b"220 dict.example <auth.mime> <1@dict.example>\r\n150 2 definitions retrieved\r\n\
    151 \"url\" wn \"WordNet (r) 3.0\"\r\nurl\r\n  n 1: the address\r\n..a line that began with a dot\r\n.\r\n\
    151 \"url\" jargon \"The \\\"Jargon\\\" File\"\r\nURL\r\n.\r\n250 ok [d/m/c = 2/0/2]\r\n";

#[test]
fn definitions_are_one_text() {
    let held = hold(&define("url"), DEFINITIONS);
    assert_eq!(held.sent, "DEFINE wn \"url\"\r\nQUIT\r\n");
    assert_eq!(
        held.text,
        "From WordNet (r) 3.0:\n\nurl\n  n 1: the address\n.a line that began with a dot\nFrom The \"Jargon\" File:\n\nURL\n"
    );
}

#[test]
fn lines_that_begin_with_a_dot_are_whole_whether_it_was_doubled_or_not() {
    let answer =
        b"220 hello\r\n150 1 definitions\r\n151 \"a\" wn \"W\"\r\n..TH a\r\n.TH b\r\n...\r\n..\r\n.\r\n250 ok\r\n";
    assert_eq!(hold(&define("a"), &answer[..]).text, "From W:\n\n.TH a\n.TH b\n..\n.\n");
}

#[test]
fn matches_are_items() {
    let answer = b"220 hello\r\n152 2 matches\r\nwn \"url\"\r\njargon \"urban legend\"\r\n.\r\n250 ok\r\n";
    let held = hold(&begin("ur"), &answer[..]);
    assert_eq!(held.sent, "MATCH * prefix \"ur\"\r\nQUIT\r\n");
    let items: Vec<_> = held.items.iter().map(|item| (item.dictionary.as_slice(), item.text.as_slice())).collect();
    assert_eq!(items, [(&b"wn"[..], &b"url"[..]), (b"jargon", b"urban legend")]);
}

#[test]
fn no_match_is_an_empty_list_and_no_definition_is_an_error() {
    let answer: &[u8] = b"220 hello\r\n552 no match\r\n";
    let held = hold(&begin("zz"), answer);
    assert_eq!((held.items.len(), held.fault), (0, None));
    assert_eq!(hold(&define("zz"), answer).fault, Some(FaultKind::NotFound));
    assert_eq!(hold(&define("zz"), &b"220 hello\r\n550 no database\r\n"[..]).fault, Some(FaultKind::NotFound));
}

#[test]
fn an_answer_that_ends_early_is_partial_wherever_it_is_cut() {
    let end = DEFINITIONS.len() - "250 ok [d/m/c = 2/0/2]\r\n".len();
    for cut in 0..end {
        assert_eq!(hold(&define("url"), &DEFINITIONS[..cut]).fault, Some(FaultKind::Partial), "{cut}");
    }
}

#[test]
fn replies_that_are_not_dict_are_malformed_and_lines_have_a_limit() {
    for answer in ["HTTP/1.1 400 Bad Request\r\n", "220-hello\r\n", "22\r\n", "\r\n", "150 0 definitions\r\n"] {
        assert_eq!(hold(&define("url"), answer.as_bytes()).fault, Some(FaultKind::Malformed), "{answer}");
    }
    let endless = [b"220 ".to_vec(), vec![b'x'; 10_000]].concat();
    assert_eq!(hold(&define("url"), &endless).fault, Some(FaultKind::Limit));
}

#[test]
fn security_4_5_nothing_in_a_url_becomes_a_second_command() {
    for word in ["a\r\nQUIT", "a\nb", "a\0b", "\x7f"] {
        for request in [define(word), begin(word), DictRequest::About { dictionary: word.as_bytes().to_vec() }] {
            let held = hold(&request, DEFINITIONS);
            assert_eq!((held.fault, held.sent.as_str()), (Some(FaultKind::Refused), ""), "{request:?}");
        }
    }
    for dictionary in ["a b", "a\"b", "\u{e9}"] {
        let request = DictRequest::About { dictionary: dictionary.as_bytes().to_vec() };
        assert_eq!(hold(&request, DEFINITIONS).fault, Some(FaultKind::Refused), "{dictionary}");
    }
    assert!(hold(&define("say \"\\hi\""), DEFINITIONS).sent.starts_with("DEFINE wn \"say \\\"\\\\hi\\\"\"\r\n"));
}

#[test]
fn every_request_has_a_dry_run() {
    for (request, command) in [
        (DictRequest::Dictionaries, r"SHOW DB\r\n"),
        (DictRequest::About { dictionary: b"wn".to_vec() }, r"SHOW INFO wn\r\n"),
        (define("url"), r#"DEFINE wn "url"\r\n"#),
        (begin("ur"), r#"MATCH * prefix "ur"\r\n"#),
    ] {
        let lines: Vec<_> =
            plan(DictMachine::new(request)).expect("harmless").iter().map(ToString::to_string).collect();
        assert_eq!((lines[2].as_str(), lines[4].as_str()), (command, r"QUIT\r\n"));
    }
}
