//! Dialogues recorded between the programs of the nineties, held again by the machine: from the URL to the request that was
//! recorded, and from the recorded answer to what a reader gets, whole and cut at every octet.

use crate::recorded::{HEADER, answers, id, requests};
use urlwise::{Locator, Profile, Url};
use urlwise_open::protocol::wais::{DocumentId, WaisGoal, WaisHit, WaisMachine, WaisRequest, WaisSettings};
use urlwise_open::protocol::{End, Event, FaultKind, Input, Io, Machine, Shape, Step};
use urlwise_open::testing::{self, DialogueRecord, Network, play, says};

/// As Lynx: no INIT, slices of 10,000 octets, 200 hits.
fn lynx() -> WaisSettings {
    WaisSettings::default().with(|settings| {
        settings.init = false;
        settings.slice = 10_000;
        settings.asked = 200;
    })
}

fn request(url: &str) -> WaisRequest {
    let url = Url::parse_with(url, Profile::Current).unwrap_or_else(|error| panic!("{url}: {error}"));
    match url.locator() {
        Locator::Wais(wais) => WaisRequest::from_url(wais),
        _ => panic!("{url} is a wais URL"),
    }
}

fn document(database: &str, wtype: &str, id: Vec<u8>) -> WaisRequest {
    let goal = WaisGoal::Document { wtype: wtype.into(), id: DocumentId::new(id) };
    WaisRequest::new(database, goal)
}

/// Holds the dialogue with these answers: each after its request, all at once, and one octet at a time. The same must come of all.
fn hold(request: &WaisRequest, settings: WaisSettings, answers: &[Vec<u8>]) -> DialogueRecord<Box<WaisHit>> {
    let machine = || WaisMachine::new(request.clone(), settings);
    let mut each = answers.iter().cloned();
    let server = |request: &[u8]| if request.is_empty() { Vec::new() } else { each.next().unwrap_or_default() };
    let network = Network::default().with(|network| network.end = None);
    let whole = testing::hold(&mut machine(), server, network);
    let octets: Vec<u8> = answers.concat();
    let piece = testing::hold(&mut machine(), says(&octets), network.with(|network| network.piece = 1));
    assert_eq!(piece, whole, "one octet at a time");
    assert_eq!(play(machine(), &octets, None), whole, "all at once");
    whole
}

fn text(held: &DialogueRecord<Box<WaisHit>>) -> &[u8] {
    assert!(held.is_done, "the dialogue ends well");
    &held.data
}

fn fault(held: &DialogueRecord<Box<WaisHit>>) -> (FaultKind, String) {
    let fault = held.fault.as_ref().expect("it fails");
    (fault.kind(), fault.to_string())
}

const FIELDS: &str = "1=wais.example.test%3A18210;2=/idx/sample;3=0%20214%20/docs/note18.txt;\
    4=wais.example.test%3A18210;5=/idx/sample;6=0%20214%20/docs/note18.txt;7=%00;";

#[test]
fn a_search_is_that_of_lynx_and_brings_its_ten_hits() {
    let held = hold(&request("wais://h/sample?indigo"), lynx(), &answers("lynx-search"));
    assert_eq!(held.sent.concat(), requests("lynx-search").concat());
    let hits = &held.entries;
    assert_eq!(hits.len(), 10);
    let scores: Vec<_> = hits.iter().filter_map(|hit| hit.score).collect();
    assert_eq!((scores[0], scores[9]), (151, 145));
    assert_eq!(hits[0].types, [b"TEXT"]);
    assert_eq!(hits[0].length, Some(214));
    assert!(held.notes.is_empty());
    assert!(held.is_done);
}

#[test]
fn a_document_is_asked_for_as_lynx_asks() {
    let gif = "wais://h/sample/GIF/5322/2=/idx/sample;3=0%205322%20/docs/picture.gif;7=%00;";
    let big = "wais://h/sample/TEXT/150020/2=/idx/sample;3=0%20150020%20/docs/bigbook.txt;7=%00;";
    let small = format!("wais://h/sample/TEXT/214/{FIELDS}");
    for (name, url, length) in
        [("lynx-fetch-small", small.as_str(), 214), ("lynx-fetch-gif", gif, 5_322), ("lynx-fetch-big", big, 150_020)]
    {
        let held = hold(&request(url), lynx(), &answers(name));
        assert_eq!(held.sent.concat(), requests(name).concat(), "{name}");
        assert_eq!(text(&held).len(), length, "{name}");
        let begin = held.begin.as_ref().unwrap_or_else(|| panic!("{name} begins"));
        assert_eq!((begin.shape, begin.size), (Shape::Document, Some(length as u64)));
    }
    let gif = hold(&request(gif), lynx(), &answers("lynx-fetch-gif"));
    assert!(text(&gif).starts_with(b"GIF89a"));
}

#[test]
fn a_hit_gives_the_request_of_waissearch() {
    for (name, wtype, length) in
        [("fetch-small", "TEXT", 214), ("fetch-gif", "GIF", 5_322), ("fetch-big", "TEXT", 150_020)]
    {
        let (asked, answered) = (requests(name), answers(name));
        let found = id(name, 1, 0);
        let mut request = document("sample", wtype, found.clone());
        // waissearch knows the length from the hit.
        let strict = Url::parse("wais://h/sample?x").unwrap();
        let mut hit = WaisHit::new(found);
        hit.length = Some(length);
        let lynx_url = hit.lynx_url(&strict, wtype.as_bytes()).unwrap();
        if let (Locator::Wais(wais), WaisGoal::Document { id, .. }) = (lynx_url.locator(), &mut request.goal) {
            *id = DocumentId::from_wpath(wais.wpath().unwrap());
        }
        let held = hold(&request, lynx(), &answered[2..]);
        assert_eq!(held.sent.concat(), asked[2..].concat(), "{name}");
        assert_eq!(text(&held).len(), length as usize, "{name}");
    }
}

#[test]
fn init_is_that_of_waissearch_without_its_names() {
    let held = hold(
        &request("wais://h/sample?indigo"),
        WaisSettings::default().with(|settings| {
            (settings.hits, settings.asked) = (40, 40);
            settings.message = 100_000;
        }),
        &answers("search-hits"),
    );
    let recorded = requests("search-hits");
    // The mandatory fields: version, options, the two sizes.
    let mandatory = HEADER + 2..HEADER + 2 + 17;
    assert_eq!(held.sent.concat()[mandatory.clone()], recorded[0][mandatory]);
    assert!(!held.sent.concat().windows(4).any(|octets| octets == b"user"), "nobody is named");
    assert!(held.sent.concat().ends_with(&recorded[1]), "the search is that of waissearch");
    assert_eq!(held.entries.len(), 10);
}

#[test]
fn a_document_of_unknown_length_ends_with_a_short_slice() {
    let strict = document("sample", "TEXT", id("fetch-small", 1, 0));
    // 214 octets of 10,000, with the diagnostic that the range goes too far.
    let past_end = answers("fetch-short-docid").pop().unwrap();
    let held = hold(&strict, WaisSettings::default().with(|settings| settings.init = false), &[past_end]);
    assert_eq!(text(&held).len(), 214);
    // A start behind the end brings the diagnostic alone: after a full slice that is the end.
    let full = &answers("fetch-small")[2];
    let beyond = answers("probe-fetch-start-beyond-end");
    let exact = WaisSettings::default().with(|settings| {
        settings.init = false;
        settings.slice = 214;
    });
    let held = hold(&strict, exact, &[full.clone(), beyond.last().unwrap().clone()]);
    assert_eq!(text(&held).len(), 214);
}

#[test]
fn no_hits_is_said_with_and_without_a_catalog() {
    for (name, database) in [("search-nohits", "bare"), ("search-nohits-catalog", "sample")] {
        let url = format!("wais://h/{database}?qqqqzzzz");
        let held = hold(&request(&url), WaisSettings::default(), &answers(name));
        assert!(&held.entries.is_empty(), "{name}: the catalog is not a hit");
        assert_eq!(held.notes, ["no-hits"]);
        assert!(held.is_done);
    }
}

#[test]
fn an_unknown_database_is_an_error_in_the_words_of_the_server() {
    let held = hold(&request("wais://h/nosuchdb?x"), WaisSettings::default(), &answers("search-unknown-db"));
    let (kind, words) = fault(&held);
    assert_eq!(kind, FaultKind::Server);
    assert!(words.contains("S1") && words.contains("not available: /idx/nosuchdb"), "{words}");
}

#[test]
fn a_search_that_cannot_be_read_is_an_error_and_help_is_not() {
    let answers = answers("search-help");
    let held = hold(&request("wais://h/sample?%3F"), WaisSettings::default(), &answers);
    let (kind, words) = fault(&held);
    assert_eq!(kind, FaultKind::Server);
    // The description and the catalog, which come with the diagnostic, are given.
    let types: Vec<_> = held.entries.iter().map(|hit| hit.types.concat()).collect();
    assert_eq!(types, [b"WSRC", b"TEXT"]);
    assert!(words.contains("query syntax error"), "{words}");
}

#[test]
fn ids_that_name_nothing_are_errors() {
    for (name, words) in [
        ("fetch-bad-docid-nofile", "Request out of range"),
        ("fetch-bad-docid-syntax", "Missing DocID in request"),
        ("probe-fetch-docid-db-unknown", "SF"),
        ("probe-fetch-start-beyond-end", "SF"),
    ] {
        let answer = answers(name).pop().unwrap();
        let (kind, said) = fault(&hold(&document("sample", "TEXT", b"\x02\x01x".to_vec()), lynx(), &[answer]));
        assert_eq!(kind, FaultKind::NotFound, "{name}");
        assert!(said.contains(words), "{name}: {said}");
    }
}

#[test]
fn long_fields_and_awkward_names_come_back_as_they_were_given() {
    let (asked, answered) = (requests("odd-ids"), answers("odd-ids"));
    for (number, fetch) in asked[2..].iter().enumerate() {
        let request = document("odd", "TEXT", id("odd-ids", 1, number));
        let held = play(WaisMachine::new(request, lynx()), b"", None);
        let id = id("odd-ids", 1, number);
        assert!(fetch.windows(id.len()).any(|octets| octets == id), "the recorded request holds the id");
        assert!(held.sent.concat().windows(id.len()).any(|octets| octets == id), "and so does ours");
        let held = hold(&document("odd", "TEXT", id), lynx(), &answered[2 + number..3 + number]);
        assert!(!text(&held).is_empty());
    }
}

#[test]
fn carriage_returns_stay() {
    let answer = answers("probe-fetch-crlf").pop().unwrap();
    let held = hold(&document("sample", "TEXT", b"\x02\x01x".to_vec()), lynx(), &[answer]);
    let octets = text(&held);
    assert_eq!(octets.len(), 108);
    assert!(octets.windows(2).any(|pair| pair == b"\r\n"));
}

#[test]
fn refusals_and_silence_have_different_errors() {
    let search = request("wais://h/sample?specimen");
    let refused = hold(&search, WaisSettings::default(), &answers("probe-init-present-refused"));
    assert!(fault(&refused).1.contains("INIT"));
    let empty = answers("probe-search-unknown-tag").pop().unwrap();
    let (kind, words) = fault(&hold(&search, lynx(), &[empty]));
    assert_eq!(kind, FaultKind::Server);
    assert!(words.contains("sent an empty answer"), "{words}");
    // The server accepts, dies of the request, and closes.
    let machine = WaisMachine::new(document("nosuch", "TEXT", b"x".to_vec()), WaisSettings::default());
    let answers = answers("probe-fetch-unknown-db");
    let held = play(machine, &answers.concat(), Some(End::Closed));
    let (kind, words) = fault(&held);
    assert_eq!(kind, FaultKind::Server);
    assert!(words.contains("closed the connection without an answer"), "{words}");
}

#[test]
fn a_small_agreed_size_makes_small_slices() {
    let answers = answers("probe-init-small-then-search");
    let held = hold(&request("wais://h/sample?specimen"), WaisSettings::default(), &answers);
    assert_eq!(held.entries.len(), 5, "what fits");
    assert_eq!(held.notes, ["more-hits"], "the others are not left out in silence");
    let mut machine = WaisMachine::new(document("db", "TEXT", b"x".to_vec()), WaisSettings::default());
    // An agreement on 5,000 octets; 1,025 of them are not text.
    let init = b"0000000014z2wais        0\x00\x0c\x15\x01\x05\x02\x13\x88\x06\x02\x13\x88\x00\x00".to_vec();
    let mut init = Input::new(&init[..]);
    let mut sent = Vec::new();
    loop {
        match machine.next(&mut init) {
            Step::Io(Io::Send(command)) => sent.push(command.to_string()),
            Step::Io(Io::Receive) if sent.len() == 2 => break,
            Step::Fail(fault) => panic!("{fault}"),
            Step::Io(Io::Connect | Io::Receive) | Step::Event(Event::Begin(_) | Event::Note(_)) => {}
            other => panic!("no step of this protocol: {other:?}"),
        }
    }
    assert!(sent[1].contains("octets 0 to 3975"), "{}", sent[1]);
}

#[test]
fn as_many_hits_as_were_asked_for_are_perhaps_not_all() {
    let answer = answers("probe-search-max-1").pop().unwrap();
    let held = hold(
        &request("wais://h/sample?specimen"),
        lynx().with(|settings| (settings.hits, settings.asked) = (1, 1)),
        &[answer],
    );
    assert_eq!((held.entries.len(), held.notes), (1, vec!["more-hits"]));
}

#[test]
fn a_database_alone_is_its_description() {
    let help = answers("search-help").pop().unwrap();
    let source = answers("probe-fetch-src").pop().unwrap();
    // The recorded help comes with a diagnostic about `?`; a search without words has none.
    let held = hold(&request("wais://h/sample"), lynx(), &[help, source]);
    let description = text(&held);
    assert_eq!(description.len(), 477);
    assert!(description.trim_ascii().starts_with(b"(:source"));
    let begin = held.begin.as_ref().unwrap_or_else(|| panic!("it begins"));
    assert_eq!(begin.media_type.as_deref(), Some("application/x-wais-source"));
}

/// Servers drop what they have read beyond a message, and die of two documents in one.
#[test]
fn nothing_is_sent_before_the_answer_to_what_was_sent_before() {
    let url = "wais://h/sample/TEXT/150020/2=/idx/sample;3=0%20150020%20/docs/bigbook.txt;7=%00;";
    let mut answers = [answers("init"), answers("lynx-fetch-big")].concat().into_iter();
    let mut machine = WaisMachine::new(request(url), WaisSettings::default().with(|settings| settings.slice = 10_000));
    let (mut answer, mut asked, mut sent) = (Vec::new(), 0, 0);
    loop {
        let mut input = Input::new(&answer);
        let is_over = loop {
            match machine.next(&mut input) {
                Step::Io(Io::Send(command)) => {
                    sent += 1;
                    assert_eq!(sent, asked + 1, "{command}");
                    assert!(input.octets().is_empty());
                }
                Step::Io(Io::Receive) => break false,
                Step::Done => break true,
                Step::Fail(fault) => panic!("{fault}"),
                Step::Io(Io::Connect)
                | Step::Event(Event::Begin(_) | Event::Data(_) | Event::Entry(_) | Event::Note(_)) => {}
                other => panic!("no step of this protocol: {other:?}"),
            }
        };
        if is_over {
            break;
        }
        answer = answers.next().expect("it is asked for what was recorded");
        asked += 1;
    }
    assert_eq!((sent, asked), (17, 17));
}

#[test]
fn a_machine_stops_wherever_its_server_does() {
    let answers = answers("lynx-fetch-big").concat();
    let url = "wais://h/sample/TEXT/150020/2=/idx/sample;3=0%20150020%20/docs/bigbook.txt;7=%00;";
    let mut machine = WaisMachine::new(request(url), lynx());
    let mut has_begun = false;
    for (cut, octet) in answers.iter().enumerate() {
        let goal = match (has_begun, cut) {
            (true, _) => FaultKind::Partial,
            (false, 0) => FaultKind::Server,
            (false, _) => FaultKind::Malformed,
        };
        for end in [End::Closed, End::Broken] {
            let (kind, words) = fault(&play(machine.clone(), b"", Some(end)));
            assert_eq!(kind, goal, "cut at {cut}: {words}");
        }
        let mut input = Input::new(std::slice::from_ref(octet));
        loop {
            match machine.next(&mut input) {
                Step::Event(Event::Begin(_)) => has_begun = true,
                Step::Io(Io::Receive) | Step::Done => break,
                Step::Fail(fault) => panic!("{fault}"),
                Step::Io(Io::Connect | Io::Send(_))
                | Step::Event(Event::Data(_) | Event::Entry(_) | Event::Note(_)) => {}
                other => panic!("no step of this protocol: {other:?}"),
            }
        }
    }
    assert_eq!(machine.next(&mut Input::none()), Step::Done);
}
