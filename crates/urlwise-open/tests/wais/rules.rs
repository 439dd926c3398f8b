//! Rules of the dialogue one by one, and the URLs of documents.

use proptest::prelude::*;
use urlwise::{Locator, Profile, Url};
use urlwise_open::protocol::wais::{
    DocumentId, WaisBeginning, WaisGoal, WaisHit, WaisMachine, WaisRequest, WaisSettings,
};
use urlwise_open::protocol::{FaultKind, Input, Io, Machine, Step, plan};

fn id_of(url: &Url<String>) -> DocumentId {
    match url.locator() {
        Locator::Wais(wais) => DocumentId::from_wpath(wais.wpath().expect("a document")),
        _ => panic!("{url} is a wais URL"),
    }
}

fn lines(url: &str) -> Vec<String> {
    let url = Url::parse_with(url, Profile::Current).expect("a URL");
    let Locator::Wais(wais) = url.locator() else { panic!("{url} is a wais URL") };
    let lines =
        plan(WaisMachine::new(WaisRequest::from_url(wais), WaisSettings::default())).expect("a harmless request");
    lines.iter().map(|line| format!("{} {line}", line.kind())).collect()
}

#[test]
fn a_dry_run_is_in_words() {
    let search = lines("wais://h/db?two%20words");
    assert_eq!(search[1], "send INIT: search, messages of up to 1000000 octets");
    assert_eq!(search[3], "send SEARCH db for \"two words\", at most 1000 documents");
    assert_eq!(search.len(), 5);
    let document = lines("wais://h/db/TEXT/100000/2=x;");
    assert_eq!(document[3], "send SEARCH db for octets 0 to 98975 of the TEXT with database \"x\"");
    assert_eq!(document[5], "send SEARCH db for octets 98975 to 100000 of the TEXT with database \"x\"");
    assert_eq!(document.len(), 7);
    let description = lines("wais://h/db");
    assert_eq!(description[3], "send SEARCH db for \"\", at most 1000 documents");
    assert_eq!(description[5], "send SEARCH db for octets 0 to 98975 of the WSRC with the document-id of that hit");
}

#[test]
fn a_dry_run_of_the_help_of_a_database_expects_hits() {
    let help = plan(WaisMachine::new(WaisRequest::new(b"db", WaisGoal::Help), WaisSettings::default()))
        .expect("a harmless request");
    assert_eq!(help.last().map(ToString::to_string).as_deref(), Some("the description and the catalog, as hits"));
}

#[test]
fn a_document_id_is_shown_by_the_names_of_its_fields() {
    let words = |octets: &[u8]| DocumentId::new(octets).in_words().to_string();
    assert_eq!(
        words(b"\x01\x0ah.dom:8000\x02\x04/idx\x03\x060 1 /a\x07\x01\x00\x09\x01\x1b"),
        r#"server "h.dom:8000", database "/idx", local id "0 1 /a", copyright disposition "\x00", field 9 "\x1b""#
    );
    assert_eq!(words(b"\x01\x0ah.dom"), r"\x01\nh.dom");
    assert_eq!(words(b""), "");
}

#[test]
fn security_46_debug_texts_are_escaped() {
    let id = DocumentId::new(&b"a\x1b"[..]);
    let document = WaisGoal::Document { wtype: b"TEXT".to_vec(), id: id.clone() };
    let request = WaisRequest::new("d\x07", WaisGoal::Search(b"w\x1b".to_vec()));
    for (text, shown) in [
        (format!("{id:?}"), r"DocumentId(a\x1b)"),
        (format!("{:?}", WaisGoal::Description), "Description"),
        (format!("{:?}", WaisGoal::Help), "Help"),
        (format!("{document:?}"), r"Document(TEXT a\x1b)"),
        (format!("{request:?}"), r"WaisRequest { database: d\x07, goal: Search(w\x1b), rest: None }"),
    ] {
        assert_eq!(text, shown);
    }
    let url = Url::parse_with("wais://h/db/TEXT/7/2=x;".to_owned(), Profile::Current).unwrap();
    assert_eq!(format!("{:?}", id_of(&url)), r"DocumentId(\x02\x01x, 7 octets)");
    let error = "etag".parse::<WaisBeginning>().expect_err("it is of HTTP");
    assert_eq!(error.to_string(), "not a validator of a WAIS document");
}

#[test]
fn security_49_a_dry_run_of_endless_slices_ends() {
    let endless = lines("wais://h/db/TEXT/18446744073709551615/2=x;");
    assert!(endless.len() < 5_000, "{} lines", endless.len());
    assert_eq!(endless.last().map(String::as_str), Some("expect more of the same, to the end"));
}

#[test]
fn a_database_that_would_be_two_or_elsewhere_is_refused_before_a_connection() {
    for (database, place) in [(&b"a\x1fb"[..], 1), (b"db@other.dom:210", 2)] {
        let request = WaisRequest::new(database, WaisGoal::Help);
        let Step::Fail(fault) = WaisMachine::new(request, WaisSettings::default()).next(&mut Input::none()) else {
            panic!("it is refused");
        };
        assert_eq!((fault.kind(), fault.place()), (FaultKind::Refused, Some(place)));
    }
    let request = WaisRequest::new(b"db@other.dom", WaisGoal::Help);
    let allowed = WaisSettings::default().with(|settings| settings.forwarding = true);
    assert_eq!(WaisMachine::new(request, allowed).next(&mut Input::none()), Step::Io(Io::Connect));
}

#[test]
fn every_way_to_write_an_id_is_read() {
    let id = b"\x02\x0b/idx/sample\x03\x160 214 /docs/note18.txt\x07\x01\x00";
    let text = "2=/idx/sample;3=0%20214%20/docs/note18.txt;7=%00;";
    let opaque = "%02%0B/idx/sample%03%160%20214%20/docs/note18.txt%07%01%00";
    let twice = "2%3D%2Fidx%2Fsample%3B3%3D0%2520214%2520%2Fdocs%2Fnote18.txt%3B7%3D%2500%3B";
    for (wpath, length) in [
        (text.to_owned(), None),
        (format!("214/{text}"), Some(214)),
        (opaque.to_owned(), None),
        (twice.to_owned(), None),
        (format!("214%2F{twice}"), Some(214)),
    ] {
        let url = Url::parse_with(format!("wais://h/sample/TEXT/{wpath}"), Profile::Current).unwrap();
        let read = id_of(&url);
        assert_eq!((read.octets(), read.length()), (&id[..], length), "{wpath}");
    }
    let anything = Url::parse_with("wais://h/sample/TEXT/note%2018".to_owned(), Profile::Current).unwrap();
    assert_eq!(id_of(&anything).octets(), b"note 18");
    for unlike in ["=x;", "2x;", "99=x;", "0=x;", "2"] {
        let url = Url::parse_with(format!("wais://h/sample/TEXT/{unlike}"), Profile::Current).unwrap();
        assert_eq!(id_of(&url).octets(), unlike.as_bytes(), "{unlike} is not a list of fields");
    }
}

#[test]
fn hits_have_urls_of_the_server_that_was_asked() {
    let base = Url::parse("wais://host.dom:8210/my%20db?x").unwrap();
    let mut hit = WaisHit::new(b"\x01\x09evil.dom:\x03\x01a");
    hit.length = Some(7);
    let url = hit.url(&base, b"TEXT").unwrap();
    assert_eq!(url.as_str(), "wais://host.dom:8210/my%20db/TEXT/%01%09evil.dom%3A%03%01a");
    let lynx = hit.lynx_url(&base, b"TEXT").unwrap();
    assert_eq!(lynx.as_str(), "wais://host.dom:8210/my%20db/TEXT/7/1=evil.dom%3A;3=a;");
    hit.types = vec![b"TEXT".to_vec(), b"PS".to_vec()];
    assert_eq!(hit.lynx_url(&base, b"PS"), None, "the length is that of another type");
    hit.length = None;
    assert_eq!(hit.lynx_url(&base, b"TEXT"), None);
    let mut opaque = WaisHit::new(b"note18");
    opaque.length = Some(7);
    assert_eq!(opaque.lynx_url(&base, b"TEXT"), None, "Lynx cannot write it");
    assert_eq!(opaque.url(&Url::parse("http://host.dom/").unwrap(), b"TEXT"), None);
}

proptest! {
    #[test]
    fn an_id_of_any_octets_survives_its_url(id in prop::collection::vec(any::<u8>(), 1..100), wtype in "[A-Z]{1,8}") {
        let base = Url::parse("wais://host.dom/db?x").unwrap();
        let hit = WaisHit::new(id.clone());
        let url = hit.url(&base, wtype.as_bytes()).unwrap();
        let read = id_of(&url);
        // Octets that look like a text form are read as one: no server is known to give such an id.
        if !id.contains(&b'=') {
            prop_assert_eq!(read.octets(), &id[..]);
        }
    }

    #[test]
    fn an_id_of_fields_survives_both_urls(fields in prop::collection::vec((1_u8..=7, prop::collection::vec(any::<u8>(), 0..200)), 1..8)) {
        let mut id = Vec::new();
        for (tag, octets) in &fields {
            id.push(*tag);
            if octets.len() > 127 {
                id.push(0x81);
            }
            id.push(octets.len() as u8 & 0x7f);
            id.extend_from_slice(octets);
        }
        let base = Url::parse("wais://host.dom/db?x").unwrap();
        let mut hit = WaisHit::new(id.clone());
        hit.length = Some(9);
        let (strict, lynx) = (hit.url(&base, b"TEXT").unwrap(), hit.lynx_url(&base, b"TEXT").unwrap());
        let (strict, lynx) = (id_of(&strict), id_of(&lynx));
        prop_assert_eq!(strict.octets(), &id[..]);
        prop_assert_eq!((lynx.octets(), lynx.length()), (&id[..], Some(9)));
    }
}
