//! Documents that are resumed: the beginning is compared, and the rest comes by octet range.

use urlwise_open::protocol::wais::{
    DocumentId, WaisBeginning, WaisGoal, WaisMachine, WaisRequest, WaisRest, WaisSettings,
};
use urlwise_open::testing::{self, Network};

/// The number behind a condition of a query.
fn term(request: &[u8], condition: &[u8]) -> Option<usize> {
    let at = request.windows(condition.len()).position(|octets| octets == condition)? + condition.len();
    let (&length, digits) = request[at + 1..].split_first()?;
    std::str::from_utf8(&digits[..usize::from(length)]).ok()?.parse().ok()
}

pub(crate) fn field(tag: &[u8], octets: &[u8]) -> Vec<u8> {
    let length =
        [0x80 | (octets.len() >> 14) as u8, 0x80 | (octets.len() >> 7 & 0x7f) as u8, octets.len() as u8 & 0x7f];
    [tag, &length, octets].concat()
}

/// A server that has this document, and speaks no INIT.
pub(crate) fn serve(document: &[u8], request: &[u8]) -> Vec<u8> {
    let (Some(start), Some(end)) = (term(request, b"wb ro ig ig ig ig"), term(request, b"wb rl ig ig ig ig")) else {
        return Vec::new();
    };
    let text = document.get(start..end.min(document.len())).unwrap_or_default();
    let mut information = if text.is_empty() { Vec::new() } else { field(&[0x81, 25], &field(&[127], text)) };
    if end > document.len() {
        information.extend_from_slice(b"\x1c\x00\x03SF\x00\x1d");
    }
    let message = [&[0, 11, 23][..], &[0; 10], &field(&[99], &information)].concat();
    [format!("{:010}z2wais        0", message.len()).as_bytes(), &message].concat()
}

const SLICE: u32 = 10_000;

fn machine(rest: Option<WaisRest>) -> WaisMachine {
    let goal = WaisGoal::Document { wtype: b"TEXT".to_vec(), id: DocumentId::new(b"x".as_slice()) };
    let settings = WaisSettings::default().with(|settings| {
        settings.init = false;
        settings.slice = SLICE;
    });
    WaisMachine::new(WaisRequest::new("db", goal).with(|request| request.rest = rest), settings)
}

/// What the machine gives of the document from which offset, and the ranges that it asked for.
fn get(document: &[u8], rest: Option<WaisRest>) -> (u64, Vec<u8>, Vec<(usize, usize)>) {
    let mut machine = machine(rest);
    let mut asked = Vec::new();
    let server = |request: &[u8]| {
        let range = (term(request, b"wb ro ig ig ig ig"), term(request, b"wb rl ig ig ig ig"));
        asked.extend(range.0.zip(range.1));
        serve(document, request)
    };
    let held = testing::hold(&mut machine, server, Network::default().with(|network| network.end = None));
    assert!(held.is_done, "{:?}", held.fault);
    (machine.offset(), held.data, asked)
}

fn document() -> Vec<u8> {
    (0..25_000_u32).map(|at| ((at * at) >> 4) as u8).collect()
}

fn rest(offset: u64, of: &[u8]) -> Option<WaisRest> {
    Some(WaisRest::new(offset, WaisBeginning::of(of)))
}

#[test]
fn only_the_octets_that_are_missing_are_fetched() {
    let document = document();
    let (offset, data, asked) = get(&document, rest(20_000, &document[..10_000]));
    assert_eq!((offset, data.as_slice()), (20_000, &document[20_000..]));
    assert_eq!(asked, [(0, 4096), (20_000, 30_000)]);
    // All of it is there already: the server says that there is no more.
    let (offset, data, asked) = get(&document, rest(25_000, &document));
    assert_eq!((offset, data.len()), (25_000, 0));
    assert_eq!(asked, [(0, 4096), (25_000, 35_000)]);
    // A document shorter than what is compared.
    let (offset, data, asked) = get(&document[..100], rest(50, &document[..100]));
    assert_eq!((offset, data.as_slice()), (50, &document[50..100]));
    assert_eq!(asked, [(0, 100), (50, 10_050)]);
}

#[test]
fn security_31_a_document_that_begins_otherwise_is_fetched_anew() {
    let document = document();
    for place in [0, 4095] {
        let mut other = document.clone();
        other[place] ^= 1;
        let (offset, data, asked) = get(&document, rest(20_000, &other));
        assert_eq!((offset, data == document), (0, true), "{place}");
        assert_eq!(asked, [(0, 4096), (0, 10_000), (10_000, 20_000), (20_000, 30_000)]);
    }
    // It became shorter than what is compared.
    let (offset, data, _) = get(&document[..4095], rest(4_095, &document));
    assert_eq!((offset, data.len()), (0, 4_095));
}

#[test]
fn security_31_a_beginning_of_more_than_a_slice_is_not_compared() {
    let document = document();
    let whole = rest(20_000, &document);
    let mut small = {
        let goal = WaisGoal::Document { wtype: b"TEXT".to_vec(), id: DocumentId::new(b"x".as_slice()) };
        let settings = WaisSettings::default().with(|settings| {
            settings.init = false;
            settings.slice = 4095;
        });
        WaisMachine::new(WaisRequest::new("db", goal).with(|request| request.rest = whole), settings)
    };
    let held = testing::hold(
        &mut small,
        |request: &[u8]| serve(&document, request),
        Network::default().with(|network| network.end = None),
    );
    assert_eq!((small.offset(), held.data == document), (0, true));
}

#[test]
fn a_document_says_how_it_begins() {
    let document = document();
    let mut first = machine(None);
    testing::hold(
        &mut first,
        |request: &[u8]| serve(&document, request),
        Network::default().with(|network| network.end = None),
    );
    assert_eq!(first.beginning(), Some(WaisBeginning::of(&document)));
    let mut resumed = machine(rest(20_000, &document));
    testing::hold(
        &mut resumed,
        |request: &[u8]| serve(&document, request),
        Network::default().with(|network| network.end = None),
    );
    assert_eq!(resumed.beginning(), first.beginning());
}
