//! Lengths at their limits: a document as long as its URL says or not, and messages as long as a server allows.

use crate::resumed::{field, serve};
use urlwise_open::protocol::wais::{DocumentId, WaisGoal, WaisHit, WaisMachine, WaisRequest, WaisSettings};
use urlwise_open::protocol::{Event, FaultKind, Input, Io, Machine, Note, Step};
use urlwise_open::testing::{self, DialogueRecord, Network, play};

/// The tags of hits.
const HITS: u8 = 99;
const HEADER: [u8; 2] = [0x81, 0x16];
const BEST_MATCH: u8 = 119;

fn document(length: Option<u64>) -> WaisMachine {
    let text = length.map_or("2=x;".to_owned(), |length| format!("{length}/2=x;"));
    let url = urlwise::Url::parse_with(format!("wais://h/db/TEXT/{text}"), urlwise::Profile::Current).expect("a URL");
    let urlwise::Locator::Wais(wais) = url.locator() else { panic!("{url} is a wais URL") };
    let id = DocumentId::from_wpath(wais.wpath().expect("a document"));
    assert_eq!(id.length(), length);
    let goal = WaisGoal::Document { wtype: b"TEXT".to_vec(), id };
    WaisMachine::new(WaisRequest::new("db", goal), WaisSettings::default().with(|settings| settings.init = false))
}

/// A search answer with this user information.
fn search(information: &[u8]) -> Vec<u8> {
    let message = [&[0, 11, 23][..], &[0; 10], information].concat();
    [format!("{:010}z2wais        0", message.len()).as_bytes(), &message].concat()
}

fn get(machine: &mut WaisMachine, there: &[u8]) -> DialogueRecord<Box<WaisHit>> {
    let network = Network::default().with(|network| network.end = None);
    // A server does not answer forever.
    let mut left = 4;
    let server = |request: &[u8]| {
        left -= i32::from(!request.is_empty());
        if left > 0 { serve(there, request) } else { Vec::new() }
    };
    testing::hold(machine, server, network)
}

#[test]
fn a_document_shorter_than_its_url_says_is_a_part() {
    let held = get(&mut document(Some(8)), b"hello");
    let fault = held.fault.expect("three octets are missing");
    assert_eq!((fault.kind(), held.data.as_slice()), (FaultKind::Partial, &b"hello"[..]));
    assert!(fault.to_string().contains("the document has 5 octets, but the URL says 8"), "{fault}");
    // A longer one is not read further.
    let held = get(&mut document(Some(5)), b"hello, world");
    assert_eq!((held.is_done, held.data.as_slice(), held.sent.len()), (true, &b"hello"[..], 1));
}

#[test]
fn an_answer_without_text_is_no_document_unless_nothing_was_asked_for() {
    let fault = play(document(None), &search(b""), None).fault.expect("there is no text");
    assert_eq!(fault.kind(), FaultKind::NotFound);
    assert_eq!(play(document(Some(1)), &search(b""), None).fault.expect("no text").kind(), FaultKind::NotFound);
    let mut empty = document(Some(0));
    let network = Network::default().with(|network| network.end = None);
    let answer = search(b"");
    let held = testing::hold(&mut empty, testing::says(&answer), network);
    assert_eq!((held.is_done, held.data.len()), (true, 0), "{:?}", held.fault);
    assert_eq!(empty.beginning(), None, "nothing begins an empty document");
}

#[test]
fn hits_may_be_missing_from_an_answer_only_if_another_as_long_has_no_room() {
    let hit = [b'i'; 40];
    let header = field(&[116], &hit);
    let message = search(&field(&[HITS], &field(&HEADER, &header)));
    let full = (message.len() - 25 + header.len()) as u32;
    for (agreed, notes) in [(full - 1, &["more-hits"][..]), (full, &[])] {
        let size = agreed.to_be_bytes();
        let init = [b"0000000012z2wais        0\x00\x0a\x15\x01\x06\x04".as_slice(), &size, b"\x00\x00"].concat();
        let goal = WaisGoal::Search(b"x".to_vec());
        let machine = WaisMachine::new(WaisRequest::new("db", goal), WaisSettings::default());
        let held = play(machine, &[init, message.clone()].concat(), None);
        assert_eq!((held.entries.len(), held.notes.as_slice()), (1, notes), "{agreed} of {full}");
    }
}

#[test]
fn the_best_match_of_a_hit_is_read() {
    let header = [field(&[116], b"id"), field(&[BEST_MATCH], &[1, 2, 3])].concat();
    let machine = WaisMachine::new(
        WaisRequest::new("db", WaisGoal::Search(b"x".to_vec())),
        WaisSettings::default().with(|settings| settings.init = false),
    );
    let held = play(machine, &search(&field(&[HITS], &field(&HEADER, &header))), None);
    assert_eq!(held.entries[0].best_match, Some(0x0001_0203));
}

#[test]
fn the_note_counts_the_hits_that_are_not_listed() {
    let header = field(&HEADER, &field(&[116], b"id"));
    let answer = search(&field(&[HITS], &header.repeat(7)));
    let settings = WaisSettings::default().with(|settings| {
        settings.init = false;
        settings.hits = 3;
    });
    let mut machine = WaisMachine::new(WaisRequest::new("db", WaisGoal::Search(b"x".to_vec())), settings);
    let (mut input, mut notes): (_, Vec<Note>) = (Input::none(), Vec::new());
    loop {
        match machine.next(&mut input) {
            Step::Io(Io::Receive) => input = Input::new(&answer),
            Step::Event(Event::Note(note)) => notes.push(note),
            Step::Done => break,
            Step::Fail(fault) => panic!("{fault}"),
            _ => {}
        }
    }
    let counts: Vec<_> = notes.iter().map(|note| (note.code, note.count)).collect();
    assert_eq!(counts, [("more-hits", Some(4))]);
}

#[test]
fn the_name_of_a_document_is_that_of_its_file() {
    for (id, file, name) in [
        (&b"\x02\x04/idx\x03\x0d7 214 /d/note"[..], Some((7, &b"/d/note"[..])), &b"7-note"[..]),
        (b"\x03\x0c0 214 /d/dir/", Some((0, b"/d/dir/")), b"dir"),
        // The distributor has the document now.
        (b"\x03\x070 1 /d/o\x06\x070 1 /e/p", Some((0, b"/e/p")), b"p"),
        (b"\x06\x070 1 /e/p\x03\x070 1 /d/o", Some((0, b"/e/p")), b"p"),
        (b"\x03\x040 1 ", None, b"\x03\x040 1 "),
        (b"\x03\x05x 1 /", None, b"\x03\x05x 1 /"),
        (b"\x02\x04/idx", None, b"\x02\x04/idx"),
        // No field of freeWAIS has the number 11.
        (b"\x0b\x01x\x03\x070 1 /d/o", None, b"\x0b\x01x\x03\x070 1 /d/o"),
        (b"note", None, b"note"),
    ] {
        let id = DocumentId::new(id);
        assert_eq!((id.file(), id.name().as_slice()), (file, name), "{id}");
    }
}
