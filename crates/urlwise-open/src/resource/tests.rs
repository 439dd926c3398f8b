//! What documents and menus keep to, whatever yields their octets and entries.

use super::{Body, Document, Entry, EntryKind, History, List, Menu, Resource, charset_of};
use crate::error::Error;
use crate::error::kind::ErrorKind;
use crate::protocol::{Metadata, Note};
use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Write};
use std::time::{Duration, SystemTime};
use urlwise::{Url, Words};

fn url(text: &str) -> Url<String> {
    Url::parse_current(text.to_owned()).expect(text)
}

const fn note(code: &'static str) -> Note {
    Note::new(code, "S-1", Words::same("it is so"))
}

fn codes(notes: &[Note]) -> Vec<&'static str> {
    notes.iter().map(|note| note.code).collect()
}

/// A body of these pieces, with a note about each that has been used up.
struct Pieces {
    pieces: VecDeque<&'static [u8]>,
    notes: Vec<Note>,
}

impl Body for Pieces {
    fn fill(&mut self) -> Result<&[u8], Error> {
        match self.pieces.front().copied() {
            Some(b"torn") => Err(Error::new(ErrorKind::Partial, "torn")),
            piece => Ok(piece.unwrap_or_default()),
        }
    }

    fn consume(&mut self, count: usize) {
        let Some(piece) = self.pieces.front_mut() else { return assert_eq!(count, 0) };
        *piece = &piece[count..];
        if piece.is_empty() {
            self.pieces.pop_front();
            self.notes.push(note("used-up"));
        }
    }

    fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }
}

fn body<const COUNT: usize>(pieces: [&'static [u8]; COUNT]) -> Box<dyn Body> {
    Box::new(Pieces { pieces: pieces.into(), notes: vec![note("begun")] })
}

fn made<const COUNT: usize>(
    pieces: [&'static [u8]; COUNT],
    size: Option<u64>,
    max_size: Option<u64>,
) -> Result<Document, Error> {
    Document::new(body(pieces), size, max_size, Some("text/plain".to_owned()), History::of(url("http://h.dom/a")))
}

/// What can be read of a document, and the kind of the error that ends it.
fn read(mut document: Document) -> (Vec<u8>, Option<ErrorKind>) {
    let mut octets = Vec::new();
    let error = document.write_to(&mut octets).err();
    assert!(error.as_ref().is_none_or(|error| error.url() == Some("http://h.dom/a")), "{error:?}");
    assert_eq!(document.octets_read(), octets.len() as u64);
    (octets, error.map(|error| error.kind()))
}

#[test]
fn a_document_may_be_as_long_as_the_limit_and_no_longer() {
    let too_long = |made: Result<Document, Error>| made.map(|_| ()).map_err(|error| error.kind());
    for (size, most, expected) in [(3, 4, Ok(())), (4, 4, Ok(())), (5, 4, Err(ErrorKind::Limit)), (0, 0, Ok(()))] {
        assert_eq!(too_long(made([b"x"], Some(size), Some(most))), expected, "{size} of {most}");
        let whole = Metadata::default().with_size(size);
        assert_eq!(too_long(made([b"x"], None, Some(most)).and_then(|made| made.with(whole.clone(), 0))), expected);
        let own = Document::from_reader(url("http://h.dom/a"), io::empty(), whole);
        assert_eq!(too_long(own.limited(most)), expected, "{size} of {most}");
    }
    // Where the length is not known before, what is allowed comes before the error.
    let limited = |most| read(made([b"ab", b"cd"], None, Some(most)).expect("its size is unknown"));
    assert_eq!(limited(4), (b"abcd".to_vec(), None));
    assert_eq!(limited(5), (b"abcd".to_vec(), None));
    assert_eq!(limited(3), (b"abc".to_vec(), Some(ErrorKind::Limit)));
    assert_eq!(limited(2), (b"ab".to_vec(), Some(ErrorKind::Limit)));
    assert_eq!(limited(0), (Vec::new(), Some(ErrorKind::Limit)));
    // Octets that are there already count.
    let resumed = |most| {
        let document = made([b"ab", b"cd"], None, Some(most)).expect("its size is unknown");
        read(document.with(Metadata::default(), 6).expect("its size is unknown"))
    };
    assert_eq!(resumed(10), (b"abcd".to_vec(), None));
    assert_eq!(resumed(9), (b"abc".to_vec(), Some(ErrorKind::Limit)));
    assert_eq!(resumed(5), (Vec::new(), Some(ErrorKind::Limit)));
    // A limit that a document has stays.
    let strict = made([b"abcd"], None, Some(3)).expect("its size is unknown").limited(9).expect("it has a limit");
    assert_eq!(read(strict), (b"abc".to_vec(), Some(ErrorKind::Limit)));
}

#[test]
fn a_document_tells_its_metadata_and_where_it_begins() {
    let plain = made([b"x"], Some(7), None).expect("it has no limit");
    assert_eq!((plain.size(), plain.offset(), plain.metadata().size), (Some(7), 0, Some(7)));
    assert_eq!(plain.metadata().media_type.as_deref(), Some("text/plain"));
    assert_eq!((plain.media_type(), plain.charset()), (Some("text/plain"), None));
    let shown = format!("{plain:?}");
    let latin = Metadata::default().with_media_type("text/plain; charset=iso-8859-1");
    assert_eq!(Document::from_reader(url("http://h.dom/a"), io::empty(), latin).charset(), Some("iso-8859-1"));
    assert!(shown.contains("Some(7)") && shown.contains("http://h.dom/a"), "{shown}");
    let known = plain.with(Metadata::default().with_validator("\"v\""), 3).expect("it has no limit");
    assert_eq!((known.size(), known.offset()), (Some(7), 3), "a size that is known stays");
    assert_eq!(known.metadata().validator.as_deref(), Some("\"v\""));
    assert!(known.failure().is_none());
}

#[test]
fn octets_are_taken_as_often_as_they_were_given_and_counted() {
    let mut document = made([b"abcd", b"ef", b"gh"], None, None).expect("it has no limit");
    assert_eq!(codes(document.notes()), [""; 0]);
    document.consume_octets(9);
    assert_eq!((document.octets_read(), document.fill().expect("octets")), (0, &b"abcd"[..]), "none was given before");
    assert_eq!(codes(document.notes()), ["begun"]);
    document.consume_octets(1);
    document.consume_octets(1);
    assert_eq!((document.octets_read(), document.fill_buf().expect("octets")), (2, &b"cd"[..]));
    BufRead::consume(&mut document, 9);
    assert_eq!(document.octets_read(), 4, "no more than were there");
    let mut three = [0; 3];
    assert_eq!(document.read(&mut three).expect("octets"), 2);
    assert_eq!((document.octets_read(), &three[..2]), (6, &b"ef"[..]));
    assert_eq!(document.read(&mut three[..1]).expect("octets"), 1);
    let mut rest = Vec::new();
    assert_eq!(document.write_to(&mut rest).expect("octets"), 1, "without those before");
    assert_eq!((rest.as_slice(), document.octets_read()), (&b"h"[..], 8));
    assert_eq!(codes(document.notes()), ["begun", "used-up", "used-up", "used-up"]);
    assert_eq!(document.fill().expect("the end"), b"");
}

#[test]
fn what_was_read_before_an_error_counts_and_a_sink_that_fails_is_told_apart() {
    assert_eq!(
        read(made([b"ab", b"torn"], None, None).expect("it has no limit")),
        (b"ab".to_vec(), Some(ErrorKind::Partial))
    );
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::other("no space"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let error = made([b"ab"], None, None).expect("it has no limit").write_to(&mut Full).expect_err("it is full");
    assert_eq!(
        (error.kind(), error.what().to_string().as_str()),
        (ErrorKind::Write, "cannot write the result: no space")
    );
}

#[test]
fn the_beginning_of_a_document_is_complete_if_nothing_follows() {
    let beginning = |limit| {
        let probe =
            Resource::Document(made([b"abcd", b"ef"], None, None).expect("it has no limit")).probed(Some(limit));
        let body = probe.expect("nothing fails").body.expect("it is asked for");
        assert_eq!(body.media_type.as_deref(), Some("text/plain"));
        (body.octets, body.is_complete)
    };
    for limit in 0..6 {
        assert_eq!(beginning(limit), (b"abcdef"[..limit].to_vec(), false), "{limit}");
    }
    assert_eq!(beginning(6), (b"abcdef".to_vec(), true));
    assert_eq!(beginning(7), (b"abcdef".to_vec(), true));
    let made = |pieces: [&'static [u8]; 1]| Resource::Document(made(pieces, None, None).expect("it has no limit"));
    let unread = made([b"abcd"]).probed(None).expect("nothing fails");
    assert_eq!((unread.body, codes(&unread.notes)), (None, vec!["begun"]));
    let noted = made([b"abcd"]).probed(Some(9)).expect("nothing fails");
    assert_eq!(codes(&noted.notes), ["begun", "used-up"]);
    assert_eq!(made([b"torn"]).probed(Some(9)).expect_err("it is torn").kind(), ErrorKind::Partial);
}

/// A reader that gives what its steps say.
struct Steps(VecDeque<io::Result<&'static [u8]>>, usize);

impl Read for Steps {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let octets = self.0.pop_front().unwrap_or(Ok(b""))?;
        let count = octets.len().min(room.len());
        room[..count].copy_from_slice(&octets[..count]);
        if count < octets.len() {
            self.0.push_front(Ok(&octets[count..]));
        }
        Ok(if count == 0 { 0 } else { count + self.1 })
    }
}

#[test]
fn a_reader_is_asked_again_if_it_was_interrupted_and_not_believed_beyond_its_room() {
    let own = |steps: Vec<io::Result<&'static [u8]>>, claims, size: Option<u64>| {
        let metadata = Metadata { size, ..Metadata::default() };
        let document = Document::from_reader(url("http://h.dom/a"), Steps(steps.into(), claims), metadata);
        assert_eq!((document.size(), document.offset(), document.octets_read()), (size, 0, 0));
        read(document)
    };
    let interrupted = || Err(io::Error::from(io::ErrorKind::Interrupted));
    assert_eq!(own(vec![interrupted(), Ok(b"ab"), interrupted(), Ok(b"cd")], 0, None), (b"abcd".to_vec(), None));
    assert_eq!(own(vec![Ok(b"ab"), Ok(b"cd")], 0, Some(4)), (b"abcd".to_vec(), None));
    assert_eq!(own(vec![Ok(b"ab"), Ok(b"cd")], 0, Some(3)), (b"abc".to_vec(), None), "what follows is not read");
    assert_eq!(own(vec![Ok(b"ab"), Ok(b"cd")], 0, Some(5)), (b"abcd".to_vec(), Some(ErrorKind::Partial)));
    assert_eq!(own(vec![Ok(b"abcd")], 9, Some(4)), (b"abcd".to_vec(), None), "it claims 13 of 4");
    assert_eq!(own(vec![Ok(b"ab"), Err(io::Error::other("x"))], 0, None), (b"ab".to_vec(), Some(ErrorKind::Read)));
    let inner = Error::new(ErrorKind::Timeout, "the oracle is silent");
    assert_eq!(own(vec![Err(inner.into())], 0, None), (Vec::new(), Some(ErrorKind::Timeout)));
    // It is read 64 KiB at a time.
    static LONG: [u8; 100_000] = [b'x'; 100_000];
    assert_eq!(own(vec![Ok(&LONG)], 0, None), (LONG.to_vec(), None));
    assert_eq!(own(vec![Ok(&LONG)], 0, Some(65_537)), (LONG[..65_537].to_vec(), None));
    let early = Document::from_reader(url("http://h.dom/a"), io::empty(), Metadata::default().with_size(3));
    let error = early.limited(9).expect("it is shorter").write_to(&mut io::sink()).expect_err("it is empty");
    assert_eq!(error.what().to_string(), "the document ended 3 octets early");
}

fn entry(title: &str) -> Entry {
    Entry::new(title.as_bytes().to_vec(), EntryKind::Document)
}

/// Entries with a note about each.
struct Noted(VecDeque<Result<Entry, Error>>, usize);

impl List for Noted {
    fn next_entry(&mut self) -> Option<Result<Entry, Error>> {
        self.1 += 1;
        self.0.pop_front()
    }

    fn take_notes(&mut self) -> Vec<Note> {
        (0..std::mem::take(&mut self.1)).map(|_| note("asked")).collect()
    }
}

#[test]
fn a_menu_ends_with_its_first_error_and_keeps_its_notes() {
    let failed = || Err(Error::new(ErrorKind::Server, "the list is torn"));
    let list = Noted([Ok(entry("a")), failed(), Ok(entry("b"))].into(), 0);
    let mut menu = Menu::new(Box::new(list), History::of(url("http://joe:s3cret@h.dom/a")));
    assert!(!menu.lists_access_methods() && menu.redirects().is_empty());
    let error = menu.by_ref().filter_map(Result::err).last().expect("there is an error");
    assert_eq!((error.kind(), error.url()), (ErrorKind::Server, Some("http://joe:***@h.dom/a")));
    assert!(menu.next().is_none());
    assert_eq!(codes(menu.notes()), ["asked", "asked"], "nothing is asked after the error");
    let shown = format!("{menu:?}");
    assert!(shown.contains("h.dom") && shown.contains("asked"), "{shown}");

    let own = Menu::from_entries(url("http://h.dom/a"), [Ok(entry("a")), failed(), Ok(entry("b"))]);
    assert_eq!(own.final_url().as_str(), "http://h.dom/a");
    assert_eq!(own.count(), 2);
    let single = Menu::single(entry("a"), History::of(url("http://h.dom/a")));
    assert_eq!(single.map(|entry| entry.expect("one").title).collect::<Vec<_>>(), [b"a"]);
    let mut probed = Menu::new(Box::new(Noted(VecDeque::new(), 1)), History::of(url("http://h.dom/a")));
    probed.from.notes.push(note("before"));
    assert_eq!(codes(&Resource::Menu(probed).probed(None).expect("nothing fails").notes), ["before", "asked"]);
}

#[test]
fn what_led_to_a_resource_comes_before_what_it_knew_and_each_note_is_there_once() {
    let way = || [url("x-a:b"), url("http://h.dom/b")];
    let mut from = History::of(url("http://h.dom/a"));
    from.redirects.push(url("http://h.dom/c"));
    from.notes = vec![note("own"), note("both")];
    let mut document = made([], None, None).expect("it has no limit");
    document.from = from;
    let Resource::Document(document) =
        Resource::Document(document).via(way().into(), vec![note("both"), note("first")])
    else {
        panic!("it was a document")
    };
    assert_eq!(codes(document.notes()), ["both", "first", "own"]);
    assert_eq!(document.redirects(), [url("x-a:b"), url("http://h.dom/b"), url("http://h.dom/c")]);
    let menu = Menu::single(entry("a"), History::of(url("http://h.dom/a")));
    let Resource::Menu(menu) = Resource::Menu(menu).via(way().into(), vec![note("first")]) else {
        panic!("it was a menu")
    };
    assert_eq!((menu.redirects(), codes(menu.notes())), (&way()[..], vec!["first"]));
}

#[test]
fn a_document_that_is_listed_is_named_by_the_end_of_its_path() {
    let listed = |text: &str| {
        let day = SystemTime::UNIX_EPOCH + Duration::from_secs(786_240_000);
        let whole = Metadata::default().with_size(7).with_modified(day).with_media_type("image/png");
        let mut menu = Document::from_reader(url(text), io::empty(), whole).listed();
        assert_eq!(menu.final_url().as_str(), text);
        let entry = menu.next().expect("one").expect("nothing fails");
        assert_eq!((entry.size, entry.kind, entry.modified), (Some(7), EntryKind::Document, Some(day)));
        assert_eq!(entry.modified_text().as_deref(), Some("1994-12-01T00:00:00Z"));
        assert_eq!((entry.media_type.as_deref(), entry.url.as_ref().map(Url::as_str)), (Some("image/png"), Some(text)));
        assert!(menu.next().is_none());
        String::from_utf8(entry.title).expect("it is ASCII")
    };
    assert_eq!(listed("http://h.dom/a%20b/c%2Fd"), "c/d");
    assert_eq!(listed("http://h.dom/a/"), "http://h.dom/a/");
    assert_eq!(listed("ftp://joe:s3cret@h.dom"), "ftp://joe:***@h.dom");
    assert_eq!(entry("a").modified_text(), None);
}

#[test]
fn each_kind_has_a_name_that_is_as_wide_as_asked() {
    use EntryKind::{Document, Error, Form, Info, Menu, Search, Session, Unknown};
    let names = [Document, Menu, Search, Session, Form, Info, Error, Unknown].map(EntryKind::name);
    assert_eq!(names, ["document", "menu", "search", "session", "form", "info", "error", "unknown"]);
    assert_eq!(format!("{Menu:6}|"), "menu  |");
}

#[test]
fn the_charset_is_a_parameter_of_the_media_type() {
    for (media_type, charset) in [
        ("text/plain; charset=iso-8859-1", Some("iso-8859-1")),
        ("text/html;level=1 ; Charset=\"KOI8-R\"", Some("KOI8-R")),
        ("text/plain; x=utf-8", None),
        ("charset=utf-8", None),
        ("text/plain", None),
    ] {
        assert_eq!(charset_of(media_type), charset, "{media_type}");
    }
}
