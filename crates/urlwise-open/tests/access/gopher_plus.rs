//! Gopher+ against pygopherd, the recorded server of Minnesota, and servers without (RFC 1738 sections 3.4.3 to 3.4.9).

use crate::replayed::Replayed;
use crate::support::{
    Gophernicus, Listener, Pygopherd, client, client_with, failure, failure_kind, get, menu, require, url,
};
use urlwise_open::protocol::gopher::{AttributeList, FieldKind};
use urlwise_open::{
    Client, Entry, EntryKind, Error, ErrorKind, Form, ItemAttributes, Menu, OpenOptions, Resource, ViewChoice,
};

fn minnesota() -> Replayed {
    Replayed::start(&["umn-", "umnv-"])
}

fn pygopherd() -> Option<Pygopherd> {
    if !require(Pygopherd::PROGRAMS) {
        return None;
    }
    let server = Pygopherd::start(None)?;
    server.write("about.txt", "Hello\n");
    server.write("about.txt.abstract", "A short abstract,\nin two lines.\n");
    server.write("docs/a b.txt", "space\n");
    server.write("form.txt", "plain form\n");
    server.write("form.txt.ask", "Ask: Your name\tAnonymous\nChoose: Colour\tred\tblue\n");
    Some(server)
}

fn attributes(client: &Client, text: String) -> ItemAttributes {
    match client.open(&url(text)).expect("it opens") {
        Resource::Attributes(attributes) => attributes,
        other => panic!("no attributes: {other:?}"),
    }
}

fn lists(client: &Client, text: String) -> Vec<AttributeList> {
    attributes(client, text).map(|list| list.expect("it is whole")).collect()
}

fn form(text: String) -> Form {
    match client().open(&url(text)).expect("it opens") {
        Resource::Form(form) => form,
        other => panic!("no form: {other:?}"),
    }
}

fn block_names(list: &AttributeList) -> Vec<String> {
    list.blocks().iter().map(|block| String::from_utf8_lossy(&block.name).into_owned()).collect()
}

/// A menu with what the server says of each entry.
fn detailed_menu(text: String) -> Menu {
    let mut options = OpenOptions::default();
    options.details = true;
    client().list_with(&url(text), &options).expect("it lists")
}

fn detailed(text: String) -> Vec<Entry> {
    detailed_menu(text).map(|entry| entry.expect("it is whole")).collect()
}

fn viewed(text: String, media_type: &str, language: Option<&str>) -> Result<Resource, Error> {
    let mut options = OpenOptions::default();
    options.view = Some(ViewChoice::new(media_type).with_language(language));
    client().open_with(&url(text), &options)
}

fn octets(resource: Resource) -> Vec<u8> {
    let Resource::Document(mut document) = resource else { panic!("no document: {resource:?}") };
    let mut octets = Vec::new();
    document.write_to(&mut octets).expect("it is whole");
    octets
}

fn named<'e>(entries: &'e [Entry], title: &str) -> &'e Entry {
    entries.iter().find(|entry| entry.title == title.as_bytes()).expect("it is in the menu")
}

fn answers(answers: &[&str]) -> Vec<Option<Vec<u8>>> {
    answers.iter().map(|answer| Some(answer.as_bytes().to_vec())).collect()
}

// Attributes: sections 3.4.6 and 3.4.7

#[test]
fn attributes_are_read_from_both_servers() {
    let server = minnesota();
    let list = &lists(&client(), server.url("/00/about.txt%09%09!"))[0];
    assert_eq!(block_names(list), ["INFO", "ADMIN", "VIEWS", "ABSTRACT"]);
    assert_eq!(lists(&client(), server.url("/1%09%09$")).len(), 11);
    assert_eq!(lists(&client(), server.url("/1%09%09!"))[0].info().expect("the root is an item").display, b"Test site");
    let Some(server) = pygopherd() else { return };
    let list = &lists(&client(), server.url("/0/about.txt%09%09!"))[0];
    assert_eq!(list.description().as_deref(), Some(&b"A short abstract,\nin two lines."[..]));
    assert!(list.modified().is_some());
    let docs = lists(&client(), server.url("/1/docs%09%09$"));
    assert_eq!(docs[0].info().expect("it is an item").selector, b"/docs/a b.txt");
}

#[test]
fn named_attributes_are_all_there_is_even_where_servers_send_more_or_know_no_names() {
    let server = minnesota();
    assert_eq!(block_names(&lists(&client(), server.url("/00/about.txt%09%09!+ABSTRACT"))[0]), ["INFO", "ABSTRACT"]);
    for joined in ["$+ABSTRACT+VIEWS", "$+ABSTRACT%20+VIEWS"] {
        let lists = lists(&client(), server.url(&format!("/11/%09%09{joined}")));
        assert_eq!(block_names(&lists[2]), ["INFO", "VIEWS", "ABSTRACT"], "{joined}");
        assert_eq!(block_names(&lists[8]), ["INFO", "VIEWS"], "{joined}");
    }
    let Some(server) = pygopherd() else { return };
    assert_eq!(block_names(&lists(&client(), server.url("/0/about.txt%09%09!+ABSTRACT"))[0]), ["INFO", "ABSTRACT"]);
    assert_eq!(block_names(&lists(&client(), server.url("/1/docs%09%09$+VIEWS"))[0]), ["INFO", "VIEWS"]);
}

#[test]
fn attributes_can_be_had_as_the_server_sends_them() {
    let server = minnesota();
    let mut document = attributes(&client(), server.url("/00/about.txt%09%09!+ABSTRACT")).into_document();
    let mut octets = Vec::new();
    document.write_to(&mut octets).expect("it is whole");
    assert!(octets.starts_with(b"+INFO: 0about\t0/about.txt\t"), "the header is not part of it");
    assert!(octets.ends_with(b" in two lines.\r\n"), "the closing dot is not part of it");
}

#[test]
fn a_server_without_gopher_plus_gives_its_classic_answer_and_a_note_says_so() {
    if !require(Gophernicus::PROGRAMS) {
        return;
    }
    let server = Gophernicus::start();
    server.write("about.txt", "Hello\n");
    for plus in ["!", "!+ABSTRACT", "+", "$"] {
        let address = server.url(&format!("/0/about.txt%09%09{plus}"));
        let Resource::Document(mut document) = client().open(&url(address)).expect("it opens") else {
            panic!("{plus}")
        };
        document.write_to(&mut std::io::sink()).expect("it is whole");
        assert!(document.notes().iter().any(|note| note.code == "not-gopher-plus"), "{plus}");
    }
    let error = failure(&client(), server.url("/0/about.txt%09%09?"));
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains("does not support Gopher+"), "{error}");
    let error = viewed(server.url("/0/about.txt"), "text/html", None).expect_err("there are no views");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    let entries = detailed(server.url("/"));
    assert!(entries.iter().any(|entry| entry.kind == EntryKind::Document));
}

#[test]
fn entries_of_attributes_have_their_metadata() {
    let server = minnesota();
    for path in ["/1%09%09$", "", "/1", "/1%09%09+"] {
        let entries = detailed(server.url(path));
        assert_eq!(entries.len(), 11, "{path}");
        let about = named(&entries, "about");
        assert_eq!((about.kind, about.size), (EntryKind::Document, Some(102)));
        assert_eq!(about.modified_text().as_deref(), Some("2026-11-21T07:23:59Z"));
        assert_eq!(about.description.as_deref(), Some(&b"A short abstract of about.txt,\nin two lines."[..]));
        assert_eq!(about.media_type.as_deref(), Some("Text/plain"));
        assert_eq!(named(&entries, "survey").kind, EntryKind::Form);
        assert_eq!(
            named(&entries, "A telnet session").url.as_ref().unwrap().as_str(),
            "telnet://guest@127.0.0.1:2323/"
        );
        assert_eq!(named(&entries, "A remote menu").size, None);
    }
    assert!(server.asked().iter().all(|request| request == r"\t$\r\n"), "{:?}", server.asked());
    let plain: Vec<_> = menu(&client(), server.url("")).map(|entry| entry.expect("it is whole")).collect();
    assert_eq!(named(&plain, "about").size, None, "nothing more is asked for unasked");
    let Some(server) = pygopherd() else { return };
    let entries = detailed(server.url("/"));
    let about = entries.iter().find(|entry| entry.title.starts_with(b"about")).expect("it is in the menu");
    assert!(about.modified.is_some() && about.description.is_some(), "{about:?}");
    assert_eq!(get(&client(), about.url.as_ref().unwrap().as_str()), b"Hello\n");
}

#[test]
fn a_menu_whose_details_are_refused_is_a_menu_all_the_same() {
    let listener = Listener::line(|mut stream| {
        let _ = std::io::Write::write_all(&mut stream, b"1a\tb\tc\t70\r\n.\r\n");
    });
    assert_eq!(detailed(listener.gopher_url("/")).len(), 1);
    assert_eq!(detailed(listener.gopher_url("/7find%09x")).len(), 1);
    assert_eq!(listener.asked(), [&b"\t$\r\n"[..], b"find\tx\r\n"], "a search is asked once");
    for first in ["--1\r\n1 A <a@b>\r\nno such thing\r\n.\r\n", "3'\t$' does not exist\t\terror.host\t1\r\n"] {
        let was_asked = std::sync::atomic::AtomicBool::new(false);
        let refusing = Listener::line(move |mut stream| {
            let is_second = was_asked.swap(true, std::sync::atomic::Ordering::Relaxed);
            let answer = if is_second { "1a\tb\tc\t70\r\n.\r\n" } else { first };
            let _ = std::io::Write::write_all(&mut stream, answer.as_bytes());
        });
        assert_eq!(detailed_menu(refusing.gopher_url("/")).filter(Result::is_ok).count(), 1);
        assert_eq!(refusing.asked(), [&b"\t$\r\n"[..], b"\r\n"]);
    }
}

// Views: sections 3.4.4 and 3.4.8

/// curl and lynx send an empty search before the Gopher+ string, which this server refuses, and give the header of those that do
/// not as a part of the document.
#[test]
fn the_default_view_is_the_document_even_if_a_server_refuses_an_empty_search() {
    let server = minnesota();
    let text = get(&client(), server.url("/00/about.txt%09%09+"));
    assert_eq!((text.len(), text.starts_with(b"Hello from")), (81, true));
    assert_eq!(server.asked(), [r"0/about.txt\t+\r\n"]);
    let literal = client_with(|options| options.gopher.literal = true);
    let refused = failure(&literal, server.url("/00/about.txt%09%09+"));
    assert_eq!(refused.kind(), ErrorKind::NotFound);
    assert!(refused.to_string().contains("Malformed command"), "the recorded server refuses it: {refused}");
    let Some(server) = pygopherd() else { return };
    for client in [client(), literal] {
        assert_eq!(get(&client, server.url("/0/about.txt%09%09+")), b"Hello\n");
    }
}

#[test]
fn a_view_is_chosen_by_its_url_or_by_an_option() {
    let server = minnesota();
    let poem = "/00/views/poem";
    assert_eq!(get(&client(), server.url(&format!("{poem}%09%09+"))), b"Deutsches Gedicht\n");
    let postscript = b"%!PS-Adobe-1.0\n% postscript poem\n";
    for path in ["+application/postscript", "+application/postscript%20En_US"] {
        assert_eq!(get(&client(), server.url(&format!("{poem}%09%09{path}"))), postscript);
    }
    let asked = server.asked().len();
    for (path, media_type, language) in
        [(poem, "application/PostScript", None), ("/00/views/poem%09%09+", "application/postscript", Some("en"))]
    {
        let document = viewed(server.url(path), media_type, language).expect("there is such a view");
        let Resource::Document(document) = document else { panic!("no document") };
        assert_eq!(document.media_type(), Some("application/postscript"));
        assert_eq!(octets(Resource::Document(document)), postscript);
    }
    let expected = [r"0/views/poem\t!\r\n", r"0/views/poem\t+application/postscript En_US\r\n"];
    assert_eq!(server.asked()[asked..], [expected, expected].concat());
    let german = viewed(server.url(poem), "text/plain", Some("de-de")).expect("there is such a view");
    assert_eq!(octets(german), b"Deutsches Gedicht\n");
    assert_eq!(get(&client(), server.url("/I9/pixel.gif%09%09+image/gif")).len(), 35);
    assert!(get(&client(), server.url("/11/%09%09+text/html")).starts_with(b"<HTML>"));
}

#[test]
fn a_missing_view_is_reported_with_those_that_exist() {
    let server = minnesota();
    let wished = viewed(server.url("/00/views/poem"), "image/gif", None).expect_err("there is none");
    let spoken = viewed(server.url("/00/views/poem"), "text/plain", Some("fr")).expect_err("there is none");
    let named = failure(&client(), server.url("/00/views/poem%09%09+image/gif"));
    for error in [wished, spoken, named] {
        assert_eq!(error.kind(), ErrorKind::NotFound);
        let views = "available views: `Text/plain De_DE`, `application/postscript En_US`, `Text/plain En_US`";
        assert_eq!(error.help().map(ToString::to_string).as_deref(), Some(views));
    }
    let error = viewed(server.url("/00/views/poem%09%09!"), "text/plain", None).expect_err("it has another meaning");
    assert_eq!(error.kind(), ErrorKind::Refused);
    let error = viewed("http://127.0.0.1:1/".into(), "text/plain", None).expect_err("http has none");
    assert_eq!(error.kind(), ErrorKind::Refused);
    // pygopherd would give the document for any view.
    let Some(server) = pygopherd() else { return };
    let error = viewed(server.url("/0/about.txt"), "application/pdf", None).expect_err("there is none");
    assert_eq!(error.help().map(ToString::to_string).as_deref(), Some("available views: `text/plain`"));
    assert_eq!(octets(viewed(server.url("/0/about.txt"), "text/plain", None).expect("there is one")), b"Hello\n");
}

#[test]
fn the_plan_of_a_view_is_what_is_sent_octet_for_octet() {
    let server = minnesota();
    let mut options = OpenOptions::default();
    options.view = Some(ViewChoice::new("Text/plain").with_language(Some("De_DE")));
    let poem = url(server.url("/00/views/poem"));
    let plan = client().plan_with(&poem, &options).expect("nothing is opened");
    assert!(server.asked().is_empty());
    client().open_with(&poem, &options).expect("there is such a view");
    let sent = plan.lines().iter().filter(|line| line.kind() == "send").map(ToString::to_string);
    assert_eq!(sent.collect::<Vec<_>>(), server.asked());
    assert!(client().plan_with(&url("ftp://h.dom/"), &options).is_err());
}

// Forms: sections 3.4.5 and 3.4.9

const ANSWERS: [&str; 7] = ["", "Me", "secret", "line one\nline two", "1", "green", "file body here\nsecond\n"];

#[test]
fn a_form_is_described_filled_and_sent() {
    let server = minnesota();
    let form = form(server.url("/00/survey%09%09?"));
    assert_eq!((form.title(), form.fields().len()), (&b"survey"[..], 7));
    assert_eq!(form.fields()[2].kind, FieldKind::Secret);
    let filled = form.fill(&answers(&ANSWERS)).expect("all is answered");
    let result = octets(client().submit(&filled).expect("it is taken"));
    assert!(result.starts_with(b"form answers follow\n1: Me\n2: secret\n3: 2\n"));
    assert_eq!(server.asked()[0], r"0/survey\t!\r\n");
    let sent = r"0/survey\t+\t1\r\n+-1\r\nMe\r\nsecret\r\n2\r\nline one\r\nline two\r\n1\r\ngreen\r\nfile body here\r\nsecond\r\n.\r\n";
    assert_eq!(server.asked()[1], sent);
    // The URL that stands for it is sent as it stands, and gives the same.
    assert_eq!(get(&client(), filled.url().as_str()), result);
    assert_eq!(server.asked()[2], sent);
}

#[test]
fn questions_are_found_by_label_or_number() {
    let server = minnesota();
    let form = form(server.url("/00/survey%09%09?"));
    assert_eq!(form.question(b" your NAME "), Some(1));
    assert_eq!(form.question(b"1"), Some(1));
    assert_eq!(form.question(b"6"), Some(6));
    for nothing in [&b"0"[..], b"7", b"", b"A little survey", b"-1", b"99999999999999999999"] {
        assert_eq!(form.question(nothing), None, "{nothing:?}");
    }
    let twice = Listener::answering_line("+-2\r\n+INFO: 0f\tf\t\t\t?\r\n+ASK:\r\n Ask: a\r\n Ask: A\r\n Ask: 1\r\n");
    let form = self::form(twice.gopher_url("/0f%09%09?"));
    assert_eq!((form.question(b"a"), form.question(b"2"), form.question(b"1")), (None, Some(1), Some(2)));
}

#[test]
fn security_14_secret_answers_are_in_no_message_and_no_url() {
    let server = minnesota();
    let form = form(server.url("/00/survey%09%09?"));
    let mut given = answers(&ANSWERS);
    given[2] = Some(b"MaRkEr".to_vec());
    let filled = form.fill(&given).expect("all is answered");
    assert!(filled.has_secrets() && filled.url().as_str().contains("MaRkEr"));
    let error = client().submit(&filled).expect_err("this was not recorded");
    for text in
        [format!("{filled} {filled:?}"), format!("{error} {error:?}"), error.url().expect("it is named").to_owned()]
    {
        assert!(!text.contains("MaRkEr") && !text.is_empty(), "{text}");
    }
    let told = form.fill(&answers(&ANSWERS)).expect("all is answered");
    let Resource::Document(document) = client().submit(&told).expect("it is taken") else { panic!("no document") };
    assert_eq!(document.final_url(), form.url(), "the URL of the answer has no secrets");
}

#[test]
fn what_has_no_form_says_so() {
    let Some(server) = pygopherd() else { return };
    let error = failure(&client(), server.url("/0/about.txt%09%09?"));
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains("the item has none"), "{error}");
    // A form that nothing happens for: pygopherd shows it, and gives the document whatever is answered.
    let form = form(server.url("/0/form.txt%09%09?"));
    let filled = form.fill(&answers(&["Me", "blue"])).expect("all is answered");
    let Resource::Document(mut document) = client().submit(&filled).expect("it is taken") else {
        panic!("no document")
    };
    let mut octets = Vec::new();
    document.write_to(&mut octets).expect("it is whole");
    assert_eq!(octets, b"plain form\n");
    assert_eq!(failure_kind(&client(), server.url("/0/no/such%09%09?")), ErrorKind::NotFound);
    let empty = Listener::answering_line("+-2\r\n+INFO: 0f\tf\t\t\t?\r\n+ASK:\r\n Note: nothing\r\n");
    assert_eq!(failure_kind(&client(), empty.gopher_url("/0f%09%09?")), ErrorKind::NotFound);
}

#[test]
fn security_49_a_form_of_too_many_questions_is_refused() {
    for count in [1_001, 1_000_000] {
        let many = [&b"+-2\r\n+INFO: 0f\tf\t\t\t?\r\n+ASK:\r\n"[..], &b" Ask: a\tb\r\n".repeat(count)].concat();
        let listener = Listener::answering_line(many);
        assert_eq!(failure_kind(&client(), listener.gopher_url("/0f%09%09?")), ErrorKind::Limit, "{count}");
    }
}

#[test]
fn security_5_every_filled_form_passes_the_policy() {
    let answer = "+-2\r\n+INFO: 0f\tf\t\t\t?\r\n+ASK:\r\n Ask: a\tMAIL FROM:<x@y>\r\n";
    let listener = Listener::answering_line(answer);
    let filled = form(listener.gopher_url("/0f%09%09?")).fill(&[]).expect("it has a default");
    let error = client().submit(&filled).expect_err("a mail server would take it for a command");
    assert_eq!((error.kind(), error.refused_by()), (ErrorKind::Refused, Some("gopher-smtp")));
    assert_eq!(listener.asked().len(), 1, "nothing was sent");
    let huge = form(listener.gopher_url("/0f%09%09?")).fill(&[Some(vec![b'x'; 70_000])]).expect("it is a line");
    assert_eq!(client().submit(&huge).expect_err("it is too long").refused_by(), Some("url-length"));
}

// Hostile servers

#[test]
fn wrong_counts_are_partial_and_lines_outside_blocks_are_ignored() {
    let read = |answer: &'static [u8]| {
        let listener = Listener::answering_line(answer);
        let mut attributes = attributes(&client(), listener.gopher_url("/0x%09%09!"));
        let last = attributes.by_ref().last().expect("there is something");
        assert!(attributes.next().is_none(), "nothing comes after an error");
        last.map(|list| list.blocks().len()).map_err(|error| error.kind())
    };
    assert_eq!(read(b"+100\r\n+INFO: 0a\tb\tc\t70\r\n"), Err(ErrorKind::Partial));
    assert_eq!(read(b"+10\r\n+INFO: 0a\tb\tc\t70\r\n"), Ok(1));
    assert_eq!(read(b"+-1\r\n+INFO: 0a\tb\tc\t70\r\n.\r\n"), Ok(1));
    assert_eq!(read(b"+-1\r\n+INFO: 0a\tb\tc\t70\r\n"), Err(ErrorKind::Partial));
    assert_eq!(read(b"+-2\r\n+INFO: 0a\tb\tc\t70\r\n"), Ok(1));
    assert_eq!(read(b"+-2\r\n+INFO: 0a\tb\tc\t70"), Err(ErrorKind::Partial));
    assert_eq!(read(b"+-1\r\n<html>\r\n.\r\n"), Err(ErrorKind::Protocol));
    let endless = Listener::line(|mut stream| {
        let _ = std::io::Write::write_all(&mut stream, b"+-2\r\n+ABSTRACT:\r\n");
        while std::io::Write::write_all(&mut stream, &[b' '; 1_000]).is_ok() {}
    });
    let mut lists = attributes(&client(), endless.gopher_url("/0x%09%09!"));
    let error = lists.next().expect("there is something").expect_err("a line without end");
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.url().is_some());
}

#[test]
fn security_46_no_octet_of_attributes_is_shown_raw() {
    let words = "\x1b]0;x\x07\u{9b}31m\u{202e}";
    let answer = format!(
        "+-2\r\n+INFO: 0{words}\tf\t\t\t?\r\n+VIEWS:\r\n {words}/{words} {words}: <1k>\r\n+ASK:\r\n Ask: {words}\r\n"
    );
    let listener = Listener::answering_line(answer);
    let error = viewed(listener.gopher_url("/0f"), "text/plain", None).expect_err("there is none");
    let unanswered = form(listener.gopher_url("/0f%09%09?")).fill(&[]).expect_err("it has no default");
    let entries = detailed(listener.gopher_url("/1f"));
    for text in [error.to_string(), unanswered.to_string(), entries[0].media_type.clone().expect("it has a view")] {
        assert!(!text.chars().any(urlwise::is_harmful), "{text:?}");
    }
    // A view that does not fit in one line is not requested.
    let error = viewed(listener.gopher_url("/0f"), &format!("{words}/{words}"), None).expect_err("not a view");
    assert_eq!(error.kind(), ErrorKind::Refused);
}

/// A server that gives these answers, one to each connection, and the last one to all others.
fn one_by_one(answers: &'static [&'static str]) -> Listener {
    let count = std::sync::atomic::AtomicUsize::new(0);
    Listener::line(move |mut stream| {
        let number = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed).min(answers.len() - 1);
        let _ = std::io::Write::write_all(&mut stream, answers[number].as_bytes());
    })
}

const MISSING: &str = "--1\r\n1 A <a@b>\r\nno such thing\r\n.\r\n";

#[test]
fn a_server_that_knows_no_names_of_attributes_is_asked_for_all() {
    let server = one_by_one(&[MISSING, "+-1\r\n+INFO: 0x\tx\th\t70\r\n+ABSTRACT:\r\n words\r\n.\r\n"]);
    let lists = lists(&client(), server.gopher_url("/0x%09%09!+ABSTRACT"));
    assert_eq!(lists[0].description().as_deref(), Some(&b"words"[..]));
    assert_eq!(server.asked(), [&b"x\t!+ABSTRACT\r\n"[..], b"x\t!\r\n"]);
    // Busy for one is busy for the other.
    let busy = one_by_one(&["--1\r\n2 A <a@b>\r\ntry again later\r\n.\r\n"]);
    let error = client().open(&url(busy.gopher_url("/0x%09%09!+ABSTRACT"))).expect_err("it is busy");
    assert_eq!((error.kind(), busy.asked().len()), (ErrorKind::Server, 1));
}

#[test]
fn a_view_that_is_refused_where_no_views_are_listed_keeps_the_error_of_the_server() {
    for described in [MISSING, "text\r\n.\r\n", "+-1\r\n+INFO: 0x\tx\th\t70\r\n.\r\n"] {
        let server = Listener::line(move |mut stream| {
            let _ = std::io::Write::write_all(&mut stream, MISSING.as_bytes());
        });
        let error = failure(&client(), server.gopher_url("/0x%09%09+image/gif"));
        assert!(error.to_string().contains("no such thing"), "{described}: {error}");
    }
}

#[test]
fn as_many_views_are_listed_as_people_read() {
    for (count, more) in [(1, None), (20, None), (21, Some(", 1 more")), (23, Some(", 3 more"))] {
        let views: String = (0..count).map(|number| format!(" text/x-{number}: <1k>\r\n")).collect();
        let server = Listener::answering_line(format!("+-1\r\n+INFO: 0x\tx\th\t70\r\n+VIEWS:\r\n{views}.\r\n"));
        let error = viewed(server.gopher_url("/0x"), "image/gif", None).expect_err("there is none");
        let help = error.help().map(ToString::to_string).unwrap_or_default();
        assert_eq!(help.matches('`').count(), 2 * count.min(20), "{help}");
        assert!(help.starts_with("available views: `text/x-0`"), "{help}");
        assert_eq!(help.split_once("more").map(|_| help.ends_with(more.unwrap_or("none"))), more.map(|_| true));
    }
    let none = Listener::answering_line("+-1\r\n+INFO: 0x\tx\th\t70\r\n.\r\n");
    let error = viewed(none.gopher_url("/0x"), "image/gif", None).expect_err("there is none");
    assert_eq!(error.help().map(ToString::to_string).as_deref(), Some("the server lists none"));
}

#[test]
fn a_view_may_be_chosen_by_its_language_alone() {
    let server = minnesota();
    let mut options = OpenOptions::default();
    options.view = Some(ViewChoice::in_language("en_us"));
    let found = client().open_with(&url(server.url("/00/views/poem")), &options).expect("there is such a view");
    assert_eq!(octets(found), b"%!PS-Adobe-1.0\n% postscript poem\n");
}

#[test]
fn details_are_asked_for_menus_and_of_servers_that_answer() {
    let document = Listener::answering_line("text\r\n.\r\n");
    let entries = detailed(document.gopher_url("/0x"));
    assert_eq!((entries.len(), document.asked()), (1, vec![b"x\r\n".to_vec()]));
    let kept = std::sync::Mutex::new(Vec::new());
    let silent = Listener::line(move |stream| kept.lock().expect("no test panics with it").push(stream));
    let impatient = client_with(|options| options.deadlines.first_byte = std::time::Duration::from_millis(200));
    let mut options = OpenOptions::default();
    options.details = true;
    let error = impatient.list_with(&url(silent.gopher_url("/1x")), &options).expect_err("it says nothing");
    assert_eq!((error.kind(), silent.asked().len()), (ErrorKind::Timeout, 1));
}
