//! Readings by programs: who reads what, what counts as a difference, and the sentence.

use urlwise::Profile;
use urlwise_readings::{Difference, Reader, Readings};

const PROGRAMS: &[Reader] = &[Reader::Urlsplit, Reader::Urllib3, Reader::Curl, Reader::Go];

fn by<'a>(text: &'a str, readers: &[Reader]) -> Readings<'a> {
    Readings::by(text, Profile::Rfc1738, readers)
}

#[test]
fn every_reader_is_found_by_its_id() {
    for &reader in Reader::ALL {
        assert_eq!(Reader::from_id(reader.id()), Some(reader));
        assert_eq!(reader.is_standard(), Reader::STANDARDS.contains(&reader), "{reader}");
    }
    assert_eq!(Reader::from_id("requests"), Some(Reader::Urllib3));
    assert_eq!(Reader::from_id("netscape"), None);
}

#[test]
fn readings_come_in_the_order_asked_for() {
    let readings = by("http://h.dom/", &[Reader::Go, Reader::Rfc3986]);
    assert_eq!(readings.iter().map(|(reader, _)| reader).collect::<Vec<_>>(), [Reader::Go, Reader::Rfc3986]);
    assert!(readings.reading(Reader::Go).is_some() && readings.reading(Reader::Curl).is_none());
}

#[test]
fn the_sentence_names_the_programs() {
    for (text, sentence) in [
        ("http://h.dom/a?b#c", "all readers agree"),
        ("http://[/", "all readers reject it"),
        (
            r"http://127.0.0.1\@1.1.1.1",
            "a backslash is read differently; urlsplit and curl open 1.1.1.1, urllib3 opens 127.0.0.1, Go rejects it",
        ),
        (
            "http://a@b@c.dom/",
            "not all readers accept a second `@`; urlsplit, urllib3 and Go open c.dom, curl rejects it",
        ),
        (
            "http://0x7f.1/",
            "a numeric host is read differently; urlsplit, urllib3 and Go open 0x7f.1, curl opens 127.0.0.1",
        ),
        (
            "http://h.dom/a/../b",
            "`.` or `..` in the path is read differently; all open the same host but see a different path",
        ),
        (
            "http:///h.dom/",
            "the number of slashes after the scheme is read differently; urlsplit, urllib3 and Go open no host, curl opens h.dom",
        ),
        (
            // What opens the same is named once, also where one of them only implies the port.
            "h.dom",
            "a missing or unusual scheme is read differently; urlsplit and Go open no host, urllib3 and curl open h.dom",
        ),
        (
            "http://user@h.dom:99999/",
            "not all readers accept the port; urlsplit and Go open h.dom port 99999, urllib3 and curl reject it",
        ),
        (
            "h.dom:80/a",
            "a missing or unusual scheme is read differently; urlsplit and Go open no host, urllib3 and curl open h.dom port 80",
        ),
    ] {
        assert_eq!(by(text, PROGRAMS).sentence().to_string(), sentence, "{text}");
    }
    // The port is read alike.
    let readings = by("ftp://h.dom:2121/%2Fetc/a b/x", Reader::ALL);
    let sentence = readings.sentence().to_string();
    assert!(sentence.starts_with("a character that has to be escaped is read differently; "), "{sentence}");
    assert_eq!(by("http://h.dom/", &[Reader::Curl]).sentence().to_string(), "it is accepted by curl");
    assert_eq!(by("http:///", &[Reader::Curl]).sentence().to_string(), "it is rejected by curl");
}

#[test]
fn an_empty_part_is_no_difference_from_one_that_a_reader_cannot_tell_apart() {
    let fragment = |text, readers: &[Reader]| by(text, readers).differs().contains(Difference::Fragment);
    assert!(!fragment("http://h.dom/#", &[Reader::Curl, Reader::Urlsplit, Reader::Go, Reader::Urllib3]));
    let query = |text, readers: &[Reader]| by(text, readers).differs().contains(Difference::Query);
    assert!(!query("ftp://h.dom/a?", &[Reader::Urlsplit, Reader::Rfc1738]));
    // Both can tell: RFC 1738 has no query here.
    assert!(query("ftp://h.dom/a?", &[Reader::Curl, Reader::Rfc1738]));
    assert!(query("ftp://h.dom/a?b", &[Reader::Urlsplit, Reader::Rfc1738]));
}

#[test]
fn the_payload_of_2026_is_never_agreed_upon() {
    for text in
        [r"http://127.0.0.1\@1.1.1.1", r"http://127.0.0.1:6666\@1.1.1.1/", r"https://169.254.169.254\@good.example/x"]
    {
        for readers in [&[Reader::Urlsplit, Reader::Urllib3][..], &[Reader::Urllib3, Reader::Curl], Reader::ALL] {
            let readings = by(text, readers);
            assert!(readings.differs().contains(Difference::Host), "{text} {readers:?}");
        }
    }
}
