//! Lengths at their limits: a document as long as its URL says or not, and messages as long as a server allows.

use crate::resumed::{field, serve};
use urlwise_open::protocol::wais::{DocumentId, WaisGoal, WaisHit, WaisMachine, WaisRequest, WaisSettings};
use urlwise_open::protocol::{End, Event, FaultKind, Input, Io, Machine, Note, Step};
use urlwise_open::testing::{self, DialogueRecord, Network, play};

/// The tags of hits.
const HITS: u8 = 99;
const HEADER: [u8; 2] = [0x81, 0x16];

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

/// What comes of an answer with these hits, and of this behind them.
fn found(goal: WaisGoal, hits: &[Vec<u8>], behind: &[u8]) -> DialogueRecord<Box<WaisHit>> {
    let hits: Vec<u8> = hits.iter().flat_map(|hit| field(&HEADER, hit)).collect();
    let settings = WaisSettings::default().with(|settings| settings.init = false);
    let machine = WaisMachine::new(WaisRequest::new("db", goal), settings);
    play(machine, &search(&field(&[HITS], &[&hits, behind].concat())), None)
}

fn words() -> WaisGoal {
    WaisGoal::Search(b"x".to_vec())
}

#[test]
fn every_field_of_a_hit_is_read() {
    let fields: [(&[u8], &[u8]); 9] = [
        (&[116], b"id"),
        (&[118], &[7]),
        (&[119], &[1, 2, 3]),
        (&[120], &[1, 0]),
        (&[121], b"source"),
        (&[122], b"911225"),
        (&[123], b"headline"),
        (&[124], b"city"),
        (&[0x81, 3], &[9]),
    ];
    let hit = fields.map(|(tag, octets)| field(tag, octets)).concat();
    let held = found(words(), &[hit], b"");
    let hit = &held.entries[0];
    assert_eq!((hit.score, hit.best_match, hit.length, hit.lines), (Some(7), Some(0x0001_0203), Some(256), Some(9)));
    let texts = [&hit.id, &hit.source, &hit.date, &hit.headline, &hit.city];
    assert_eq!(texts, [&b"id"[..], b"source", b"911225", b"headline", b"city"]);
}

#[test]
fn a_catalog_in_place_of_hits_is_no_hit_of_a_search() {
    let hit = |id: &[u8], score| [field(&[116], id), field(&[118], &[score])].concat();
    let hits = [hit(b"/d/db.cat", 0), hit(b"/d/db.cat", 1), hit(b"/d/db.txt", 0)];
    let ids = |goal| found(goal, &hits, b"").entries.len();
    assert_eq!((ids(words()), ids(WaisGoal::Help)), (2, 3));
}

#[test]
fn a_description_is_the_first_hit_of_its_type() {
    let hit = |id: &[u8], wtype: &[u8]| [field(&[116], id), field(&[0x81, 4], &field(&[0x81, 5], wtype))].concat();
    let held = found(WaisGoal::Description, &[hit(b"other", b"TEXT"), hit(b"wanted", b"wsrc")], b"");
    let asked = held.sent.last().expect("a request");
    assert!(asked.windows(6).any(|octets| octets == b"wanted"), "{:?}", held.shown);
}

#[test]
fn a_diagnostic_that_there_are_more_hits_is_a_note() {
    let held = found(words(), &[field(&[116], b"id")], b"\x1c\x00\x03SD\x00\x1d");
    assert_eq!((held.is_done, held.entries.len(), held.notes), (true, 1, vec!["more-hits"]));
    let held = found(words(), &[field(&[116], b"id")], b"\x1c\x00\x03S1\x00\x1d");
    let fault = held.fault.expect("the server reports an error");
    assert_eq!((held.entries.len(), fault.help().is_some(), fault.is_lasting()), (1, true, true));
}

#[test]
fn security_7_a_database_of_exactly_the_limit_is_asked_and_no_longer_one() {
    let first = |length| {
        let request = WaisRequest::new(vec![b'd'; length], WaisGoal::Help);
        WaisMachine::new(request, WaisSettings::default()).next(&mut Input::none())
    };
    assert_eq!(first(32 * 1024), Step::Io(Io::Connect));
    assert!(matches!(first(32 * 1024 + 1), Step::Fail(fault) if fault.kind() == FaultKind::Limit));
}

#[test]
fn a_message_may_exceed_the_agreed_size_by_64_kib() {
    let settings = WaisSettings::default().with(|settings| {
        settings.init = false;
        settings.message = 1000;
    });
    let header = |length: usize| {
        let machine = WaisMachine::new(WaisRequest::new("db", words()), settings);
        play(machine, format!("{length:010}z2wais        0").as_bytes(), None).fault.map(|fault| fault.kind())
    };
    assert_eq!((header(1000 + 65_536), header(1000 + 65_537)), (None, Some(FaultKind::Limit)));
}

#[test]
fn an_answer_that_was_never_there_is_not_one_that_was_cut() {
    for (octets, kind, said) in [
        (&b""[..], FaultKind::Server, "closed the connection without an answer"),
        (b"0", FaultKind::Malformed, "closed the connection in the middle of an answer"),
    ] {
        let fault = play(document(None), octets, Some(End::Closed)).fault.expect("there is no answer");
        assert_eq!(fault.kind(), kind, "{fault}");
        assert!(fault.to_string().contains(said), "{fault}");
    }
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
        (b"\x03\x0d0 214 /d/dir/", Some((0, b"/d/dir/")), b"dir"),
        // The distributor has the document now.
        (b"\x03\x080 1 /d/o\x06\x080 1 /e/p", Some((0, b"/e/p")), b"p"),
        (b"\x06\x080 1 /e/p\x03\x080 1 /d/o", Some((0, b"/e/p")), b"p"),
        (b"\x03\x040 1 ", None, b"\x03\x040 1 "),
        (b"\x03\x05x 1 /", None, b"\x03\x05x 1 /"),
        (b"\x02\x04/idx", None, b"\x02\x04/idx"),
        // No field of freeWAIS has the number 11.
        (b"\x0b\x01x\x03\x080 1 /d/o", None, b"\x0b\x01x\x03\x080 1 /d/o"),
        (b"note", None, b"note"),
    ] {
        let id = DocumentId::new(id);
        assert_eq!((id.file(), id.name().as_slice()), (file, name), "{id}");
    }
}
