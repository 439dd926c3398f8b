//! Dialogues recorded from UMN gopherd, pygopherd and gophernicus, held again by the machine: from the URL to the request
//! that was recorded, and from the recorded answer to what a reader gets, whole and cut at every octet.
//!
//! `wire/gopher/README.md` tells where the transcripts come from and how they are written.

use crate::recorded::{folder, transcript};
use std::collections::BTreeSet;
use urlwise::{Locator, Url};
use urlwise_open::protocol::gopher::{GopherMachine, GopherRequest, GopherSettings, MenuItem};
use urlwise_open::protocol::{End, FaultKind, Shape};

/// One row: the file, the URL that asks for it, how it is asked, and what must come of it.
struct Row(&'static str, &'static str, Ask, Answer);

/// How our request relates to the recorded one.
#[derive(PartialEq)]
enum Ask {
    /// Octet for octet the same.
    Same,
    /// The same with `GopherSettings::literal`: D-47 leaves out the empty search by default.
    Literal,
    /// This is sent instead, on purpose: a `?` never is.
    Instead(&'static [u8]),
    /// Refused: the recorder sent the answers of a form as a counted block, which section 3.4.9 does not know.
    Refused,
}
use Ask::{Instead, Literal, Refused, Same};

/// What of the recorded answer reaches the reader.
enum Answer {
    /// A document: all octets.
    All,
    /// A document: all but the closing dot.
    NoDot,
    /// A document: all after the Gopher+ header.
    Headed,
    /// A document: all after the Gopher+ header but the closing dot.
    HeadedNoDot,
    /// A document of this many octets after the Gopher+ header.
    Counted(usize),
    /// A menu: how many entries, then the first and the last as `type display`.
    Menu(usize, &'static str, &'static str),
    /// The server's error: its kind, code and words.
    Error(FaultKind, Option<u16>, &'static str),
    /// Like `All`, with these notes.
    Noted(&'static [&'static str]),
    /// Like `Headed`, with these notes.
    HeadedNoted(&'static [&'static str]),
}
use Answer::{All, Counted, Error, Headed, HeadedNoDot, HeadedNoted, Menu, NoDot, Noted};
use urlwise_open::testing::{DialogueRecord, play, replay};

const FORM: &str = "gopher://h/00/ordersimple%09%09+%091%0D%0A+-1%0D%0A220%0D%0AYes%0D%0A.%0D%0A";
const SURVEY: &str = "gopher://h/00/survey%09%09+%091%0D%0A+-1%0D%0AMe%0D%0Asecret%0D%0A2%0D%0Aline%20one%0D%0A\
    line%20two%0D%0A1%0D%0Agreen%0D%0Afile%20body%20here%0D%0Asecond%0D%0A.%0D%0A";
const VIEW_OF_FORM: &str =
    "gopher://h/00/ordersimple%09%09+Text/plain%20En_US%091%0D%0A+-1%0D%0A220%0D%0AYes%0D%0A.%0D%0A";

#[rustfmt::skip]
const ROWS: &[Row] = &[
    Row("client-gopher-3.0.17-form-session#1", "gopher://h/1%09%09$", Same, HeadedNoDot),
    Row("client-gopher-3.0.17-form-session#2", VIEW_OF_FORM, Same, HeadedNoDot),
    Row("gph-binary", "gopher://h/g/pixel.gif", Same, All),
    Row("gph-caps", "gopher://h/0caps.txt", Same, All),
    Row("gph-error", "gopher://h/0/nosuch", Same, Noted(&["probable-error"])),
    Row("gph-menu", "gopher://h", Same, Menu(19, "i Welcome to the test hole", "i                  Gophered by Gophernicus/3.1.1 on Debian/12 x86_64")),
    Row("gph-plus-ignored", "gopher://h/0/about.txt%09%09+", Same, Noted(&["not-gopher-plus"])),
    Row("gph-search", "gopher://h/7/cgi-bin/search.cgi%09foo%20bar", Same, Menu(2, "i You searched for: foo barfoo bar", "0 About")),
    Row("gph-text", "gopher://h/0/about.txt", Same, All),
    Row("gph-url-redirect", "gopher://h/0URL:http://example.org/", Same, All),
    Row("pyg-ask-submit-ignored", "gopher://h/0/form.txt%09%09+%091%0D%0A+-1%0D%0AMe%0D%0Ared%0D%0A.%0D%0A", Same, Noted(&["not-gopher-plus"])),
    Row("pyg-error", "gopher://h/0/nosuch", Same, Error(FaultKind::NotFound, None, "'/nosuch' does not exist (no handler found)")),
    Row("pyg-error", "gopher://h/1/nosuch", Same, Error(FaultKind::NotFound, None, "'/nosuch' does not exist (no handler found)")),
    Row("pyg-menu", "gopher://h/", Same, Menu(12, "h A web page", "0 search.sh")),
    Row("pyg-plus-dirinfo", "gopher://h/1/docs%09%09$", Same, Headed),
    Row("pyg-plus-error", "gopher://h/0/nosuch%09%09+", Same, Error(FaultKind::NotFound, Some(1), "'/nosuch' does not exist (no handler found)")),
    Row("pyg-plus-info-ask", "gopher://h/0/form.txt%09%09!", Same, Headed),
    Row("pyg-plus-info-ask", "gopher://h/0/form.txt%09%09?", Same, HeadedNoted(&["form-not-filled"])),
    Row("pyg-plus-info-filter-not-plus", "gopher://h/0/about.txt%09%09!+ABSTRACT", Same, Noted(&["not-gopher-plus"])),
    Row("pyg-plus-info", "gopher://h/0/about.txt%09%09!", Same, Headed),
    Row("pyg-plus-menu", "gopher://h/1%09%09+", Same, Menu(12, "h A web page", "0 search.sh")),
    Row("pyg-plus-search", "gopher://h/7/search.sh%09foo%20bar%09+", Same, Menu(1, "i search for: foo bar", "i search for: foo bar")),
    Row("pyg-plus-text-empty-search", "gopher://h/0/about.txt%09%09+", Literal, Counted(81)),
    Row("pyg-plus-text", "gopher://h/0/about.txt%09%09+", Same, Counted(81)),
    Row("pyg-search", "gopher://h/7/search.sh%09foo%20bar", Same, Menu(1, "i search for: foo bar", "i search for: foo bar")),
    Row("pyg-text", "gopher://h/0/about.txt", Same, All),
    Row("pyg-url-redirect", "gopher://h/0URL:http://example.org/", Same, All),
    Row("umn-ask-not-filled", "gopher://h/00/ordersimple%09%09+", Same, HeadedNoDot),
    Row("umn-ask-submit-askl", SURVEY, Same, HeadedNoDot),
    Row("umn-ask-submit-dot", FORM, Same, HeadedNoDot),
    Row("umn-ask-submit-length", "gopher://h/00/ordersimple%09%09+%091%0D%0A+10%0D%0A220%0D%0AYes%0D%0A", Refused, HeadedNoDot),
    Row("umn-binary-gif", "gopher://h/I9/pixel.gif", Same, All),
    Row("umn-error", "gopher://h/00/nosuch", Same, Error(FaultKind::NotFound, None, "'/nosuch' does not exist!!")),
    Row("umn-error", "gopher://h/10/nosuch", Same, Error(FaultKind::NotFound, None, "'/nosuch' does not exist!!")),
    Row("umn-menu", "gopher://h/1", Same, Menu(11, "1 A remote menu", "1 views")),
    Row("umn-plus-binary-length", "gopher://h/I9/pixel.gif%09%09+image/gif", Same, Counted(35)),
    Row("umn-plus-dirinfo-filter-space", "gopher://h/11/%09%09$+ABSTRACT%20+VIEWS", Same, HeadedNoDot),
    Row("umn-plus-dirinfo-filter", "gopher://h/11/%09%09$+ABSTRACT+VIEWS", Same, HeadedNoDot),
    Row("umn-plus-dirinfo", "gopher://h/1%09%09$", Same, HeadedNoDot),
    Row("umn-plus-empty-search-refused", "gopher://h/00/about.txt%09%09+", Literal, Error(FaultKind::NotFound, None, "Malformed command")),
    Row("umn-plus-error", "gopher://h/00/nosuch%09%09+", Same, Error(FaultKind::NotFound, Some(1), "'/nosuch' does not exist!!")),
    Row("umn-plus-info-abstract", "gopher://h/00/about.txt%09%09!+ABSTRACT", Same, HeadedNoDot),
    Row("umn-plus-info-ask", "gopher://h/00/survey%09%09!", Same, HeadedNoDot),
    Row("umn-plus-info-root", "gopher://h/1%09%09!", Same, HeadedNoDot),
    Row("umn-plus-info", "gopher://h/00/about.txt%09%09!", Same, HeadedNoDot),
    Row("umn-plus-menu", "gopher://h/1%09%09+", Same, Menu(11, "1 A remote menu", "1 views")),
    Row("umn-plus-question-mark", "gopher://h/00/ordersimple%09%09?", Instead(b"0/ordersimple\t!\r\n"), Error(FaultKind::NotFound, Some(1), "Malformed command")),
    Row("umn-plus-search-error", "gopher://h/77/nosuch%09foo%20bar%09+", Same, Error(FaultKind::NotFound, Some(1), "Unknown index type")),
    Row("umn-plus-text-length", "gopher://h/00/about.txt%09%09+", Same, Counted(81)),
    Row("umn-plus-view-html", "gopher://h/11/%09%09+text/html", Same, HeadedNoted(&["closing-dot-missing"])),
    Row("umn-search-error", "gopher://h/77/nosuch%09foo%20bar", Same, Error(FaultKind::NotFound, None, "Unknown index type")),
    Row("umn-text", "gopher://h/00/about.txt", Same, NoDot),
    Row("umnv-plus-dirinfo", "gopher://h/11/views%09%09$", Same, HeadedNoDot),
    Row("umnv-plus-info-views", "gopher://h/00/views/poem%09%09!", Same, HeadedNoDot),
    Row("umnv-view-default", "gopher://h/00/views/poem%09%09+", Same, Counted(18)),
    Row("umnv-view-missing", "gopher://h/00/views/poem%09%09+image/gif", Same, Error(FaultKind::NotFound, Some(1), "'/views/poem' does not exist!!")),
    Row("umnv-view-ps-en", "gopher://h/00/views/poem%09%09+application/postscript%20En_US", Same, Counted(33)),
    Row("umnv-view-ps", "gopher://h/00/views/poem%09%09+application/postscript", Same, Counted(33)),
    Row("umnv-view-text-de", "gopher://h/00/views/poem%09%09+Text/plain%20De_DE", Same, Counted(18)),
];

fn request(url: &str) -> GopherRequest {
    let url = Url::parse(url).expect("a URL of the table");
    let Locator::Gopher(gopher) = url.locator() else { panic!("no gopher URL: {url}") };
    GopherRequest::from_url(gopher)
}

fn settings(ask: &Ask) -> GopherSettings {
    GopherSettings::default().with(|settings| settings.literal = *ask == Literal)
}

#[test]
fn every_transcript_is_replayed() {
    let named: BTreeSet<&str> = ROWS.iter().map(|row| row.0.split('#').next().unwrap()).collect();
    let recorded: BTreeSet<String> = std::fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".txt").map(str::to_owned))
        .collect();
    assert_eq!(named, recorded.iter().map(String::as_str).collect());
}

#[test]
fn urls_are_sent_as_recorded() {
    for Row(name, url, ask, _) in ROWS {
        let (recorded, _) = transcript(name);
        let ours = request(url).command(&settings(ask));
        match (ask, ours) {
            (Same | Literal, Ok(ours)) => assert_eq!(ours.octets(), recorded, "{name}: {ours}"),
            (Instead(instead), Ok(ours)) => assert_eq!(ours.octets(), *instead, "{name}"),
            (Refused, Err(fault)) => assert_eq!(fault.kind(), FaultKind::Refused, "{name}"),
            (_, other) => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn answers_are_read_as_recorded_however_they_are_cut() {
    for Row(name, url, ask, expected) in ROWS {
        let (_, answer) = transcript(name);
        // What may not be sent cannot have an answer; the recorded one is read as that of the same form sent by the rule.
        let url = if *ask == Refused { FORM } else { url };
        let machine = || GopherMachine::new(request(url), settings(ask));
        let replay = replay(machine, &answer, Some(End::Closed));
        let header = answer.iter().position(|octet| *octet == b'\n').map_or(0, |at| at + 1);
        let no_dot = answer.len() - b".\r\n".len();
        match expected {
            All => assert_document(name, &replay, &answer, &[]),
            NoDot => assert_document(name, &replay, &answer[..no_dot], &[]),
            Headed => assert_document(name, &replay, &answer[header..], &[]),
            HeadedNoDot => assert_document(name, &replay, &answer[header..no_dot], &[]),
            Counted(count) => {
                assert_document(name, &replay, &answer[header..header + count], &[]);
                assert_eq!(replay.begin.as_ref().unwrap().size, Some(*count as u64), "{name}");
            }
            Noted(notes) => assert_document(name, &replay, &answer, notes),
            HeadedNoted(notes) => assert_document(name, &replay, &answer[header..], notes),
            Menu(count, first, last) => {
                let entries = replay.entries;
                assert_eq!(replay.begin.as_ref().unwrap().shape, Shape::Menu, "{name}");
                assert_eq!(entries.len(), *count, "{name}");
                assert_eq!(shown(&entries[0]), *first, "{name}");
                assert_eq!(shown(&entries[count - 1]), *last, "{name}");
                assert!(replay.is_done, "{name}");
                // A classic menu promises a closing dot, which pygopherd and the scripts of gophernicus leave out.
                let is_whole = answer.ends_with(b".\r\n") || answer.starts_with(b"+");
                assert_eq!(replay.notes.is_empty(), is_whole, "{name}: {:?}", replay.notes);
                assert!(replay.notes.iter().all(|note| *note == "closing-dot-missing"), "{name}");
            }
            Error(kind, code, words) => {
                let fault = replay.fault.as_ref().unwrap_or_else(|| panic!("{name}: no fault in {replay:?}"));
                assert_eq!((fault.kind(), fault.server_code()), (*kind, *code), "{name}");
                assert_eq!(fault.raw_octets(), Some(words.as_bytes()), "{name}");
                assert_eq!(replay.begin.as_ref(), None, "{name}: an error has no beginning");
            }
        }
    }
}

/// A server that is lost in the middle.
#[test]
fn an_answer_that_ends_at_any_octet_is_a_part_of_the_whole_and_never_more() {
    for Row(name, url, ask, _) in ROWS {
        let (_, answer) = transcript(name);
        let url = if *ask == Refused { FORM } else { url };
        let ended =
            |most: usize, end| play(GopherMachine::new(request(url), settings(ask)), &answer[..most], Some(end));
        let whole = ended(answer.len(), End::Closed);
        let header =
            if answer.starts_with(b"+") { answer.iter().position(|octet| *octet == b'\n').unwrap_or(0) } else { 0 };
        for most in 0..answer.len() {
            let cut = ended(most, End::Closed);
            let place = format!("{name} cut at {most}: {cut:?}");
            if cut.begin.as_ref().is_some_and(|begin| begin.size.is_some()) {
                let is_partial = cut.fault.as_ref().is_some_and(|fault| fault.kind() == FaultKind::Partial);
                assert!(is_partial || cut == whole, "{place}");
            }
            // A line that was cut is not an entry, and a menu without all of its lines is not complete.
            assert!(whole.entries.starts_with(&cut.entries), "{place}");
            let is_menu = whole.begin.as_ref().is_some_and(|begin| begin.shape == Shape::Menu);
            let is_said = cut.fault.is_some() || !cut.notes.is_empty() || cut.entries.len() == whole.entries.len();
            // Where the server announced its close as the end, nothing can be said.
            let is_close = answer.starts_with(b"+-2") || most <= header;
            assert!(!is_menu || is_said || is_close, "{place}");
            let asks_attributes = url.contains("%09%09!") || url.contains("%09%09$") || url.ends_with("%09%09?");
            if asks_attributes && answer.starts_with(b"+-1") && (1..answer.len() - 2).contains(&most) {
                assert_eq!(
                    cut.fault.as_ref().map(urlwise_open::protocol::Fault::kind),
                    Some(FaultKind::Partial),
                    "{place}"
                );
            }
            // A header that is cut is a text, and so is a closing dot whose line end is cut away.
            let data = cut.data;
            let data = data.strip_suffix(b"\r").unwrap_or(&data);
            let data = data.strip_suffix(b".").unwrap_or(data);
            // An error that is cut is a text.
            let begins = if whole.fault.is_some() { answer.starts_with(data) } else { whole.data.starts_with(data) };
            assert!(begins || cut.notes.contains(&"not-gopher-plus"), "{place}");
            let broken = ended(most, End::Broken);
            assert!(!broken.is_done || broken == whole, "{name} broken at {most}: {broken:?}");
        }
    }
}

fn assert_document(name: &str, replay: &DialogueRecord<MenuItem>, octets: &[u8], notes: &[&str]) {
    assert_eq!(replay.begin.as_ref().map(|begin| begin.shape), Some(Shape::Document), "{name}");
    assert_eq!(String::from_utf8_lossy(&replay.data), String::from_utf8_lossy(octets), "{name}");
    assert_eq!(replay.data, octets, "{name}");
    assert_eq!(replay.notes, notes, "{name}");
    assert!(replay.is_done, "{name}");
}

fn shown(item: &MenuItem) -> String {
    format!("{} {}", char::from(item.gtype), item.title())
}

#[test]
fn menu_lines_become_urls() {
    let urls = |name: &str, menu: &str| {
        let (_, answer) = transcript(name);
        let replay = replay(
            || GopherMachine::new(GopherRequest::new(b'1'), GopherSettings::default()),
            &answer,
            Some(End::Closed),
        );
        let menu = Url::parse(menu).unwrap();
        let urls = replay.entries.into_iter().map(|item| item.url(&menu).map(Url::into_inner));
        urls.collect::<Vec<_>>()
    };
    let some = |urls: &[&str]| urls.iter().map(|url| Some((*url).to_owned())).collect::<Vec<_>>();
    assert_eq!(
        urls("umn-menu", "gopher://127.0.0.1:7071"),
        some(&[
            "gopher://gopher.example.org/11/elsewhere",
            "telnet://guest@127.0.0.1:2323/",
            "gopher://127.0.0.1:7071/00/about.txt%09%09+",
            "gopher://127.0.0.1:7071/11/bin%09%09+",
            "gopher://127.0.0.1:7071/99/blob.bin%09%09+",
            "gopher://127.0.0.1:7071/00/ordersimple%09%09?",
            "gopher://127.0.0.1:7071/I9/pixel.gif%09%09+",
            "gopher://127.0.0.1:7071/11/sub%09%09+",
            "gopher://127.0.0.1:7071/00/survey%09%09?",
            "gopher://127.0.0.1:7071/11/tmp%09%09+",
            "gopher://127.0.0.1:7071/11/views%09%09+",
        ])
    );
    let gophernicus = urls("gph-menu", "gopher://127.0.0.1:7073");
    assert_eq!(gophernicus[..2], [None, None], "info lines name nothing");
    assert_eq!(
        gophernicus[2..8],
        some(&[
            "gopher://127.0.0.1:7073/0/about.txt",
            "gopher://127.0.0.1:7073/1/docs",
            "gopher://127.0.0.1:7073/7/cgi-bin/search.cgi",
            "http://example.org/",
            "telnet://guest@127.0.0.1:2323/",
            "gopher://127.0.0.1:7073/9/blob.bin",
        ])
    );
}
