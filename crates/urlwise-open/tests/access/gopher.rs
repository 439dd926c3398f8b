//! gopher against gophernicus and pygopherd, plain and with TLS, and against hostile servers (RFC 1738 section 3.4).

use crate::support::{
    Authority, Gophernicus, Listener, Pygopherd, TlsFront, client, client_with, document, failure, failure_kind, get,
    menu, require, url,
};
use std::time::Duration;
use urlwise_open::{Entry, EntryKind, ErrorKind, PlanLine, Roots};

fn gophernicus() -> Option<Gophernicus> {
    if !require(Gophernicus::PROGRAMS) {
        return None;
    }
    let server = Gophernicus::start();
    server.write("about.txt", "Hello\n.\n..two dots\nEnd.\n");
    server.write("data.bin", (0..=255).collect::<Vec<u8>>());
    server.write("docs/a b.txt", "space\n");
    server.write(
        "gophermap",
        "!Test menu\n0About\t/about.txt\n1Docs\t/docs\n9Data\t/data.bin\nhSite\tURL:http://h.example/\n",
    );
    Some(server)
}

fn entries(client: &urlwise_open::Client, text: impl Into<String>) -> Vec<Entry> {
    menu(client, text).map(|entry| entry.expect("it is whole")).collect()
}

#[test]
fn a_menu_of_gophernicus_can_be_walked() {
    let Some(server) = gophernicus() else { return };
    let client = client();
    let root = entries(&client, server.url("/"));
    let named = |title: &[u8]| root.iter().find(|entry| entry.title == title).expect("it is in the menu");
    assert_eq!((named(b"About").kind, named(b"Docs").kind), (EntryKind::Document, EntryKind::Menu));
    let link = |title| named(title).url.as_ref().expect("it has a URL").as_str();
    assert_eq!(link(b"About"), server.url("/0/about.txt"));
    assert_eq!(link(b"Site"), "http://h.example/");
    assert!(root.iter().filter(|entry| entry.kind == EntryKind::Info).all(|entry| entry.url.is_none()));
    let text = get(&client, link(b"About"));
    assert_eq!(text, b"Hello\n.\n..two dots\nEnd.\n");
    // D-74: octets as they were transmitted, where they are wanted, and where a document is not a text.
    let raw = client_with(|options| options.raw = true);
    assert_eq!(get(&raw, link(b"About")), b"Hello\r\n.\r\n..two dots\r\nEnd.\r\n");
    assert_eq!(get(&client, link(b"About").replace("/0/", "/9/")).iter().filter(|octet| **octet == b'\r').count(), 4);
    assert_eq!(get(&client, link(b"Data")), (0..=255).collect::<Vec<u8>>());
    let docs = entries(&client, link(b"Docs"));
    let inner = docs.iter().find(|entry| entry.title.starts_with(b"a b")).expect("it is in the menu");
    assert_eq!(get(&client, inner.url.as_ref().expect("it has a URL").as_str()), b"space\n");
}

#[test]
fn a_menu_and_no_path_and_type_1_are_the_same() {
    let Some(server) = gophernicus() else { return };
    let titles = |path| entries(&client(), server.url(path)).into_iter().map(|entry| entry.title).collect::<Vec<_>>();
    assert_eq!(titles(""), titles("/"));
    assert_eq!(titles("/1"), titles("/"));
}

#[test]
fn gophers_is_tls_from_the_first_octet() {
    let Some(server) = gophernicus().filter(|_| require(&["openssl"])) else { return };
    let authority = Authority::new();
    let front = TlsFront::start(&authority, server.port);
    let client = client_with(|options| options.roots = Roots::Pem(authority.ca()));
    let address = |path| format!("gophers://localhost:{}{path}", front.port);
    assert_eq!(get(&client, address("/9/data.bin")), (0..=255).collect::<Vec<u8>>());
    let root = entries(&client, address("/"));
    assert!(root.iter().any(|entry| entry.title == b"About"));
    // Without trust there is no menu, and no plain text either.
    assert_eq!(failure_kind(&crate::support::client(), address("/")), ErrorKind::Tls);
    assert_eq!(failure_kind(&client, format!("gophers://localhost:{}/", server.port)), ErrorKind::Tls);
}

#[test]
fn gopher_plus_of_pygopherd_knows_its_length() {
    if !require(Pygopherd::PROGRAMS) {
        return;
    }
    let Some(server) = Pygopherd::start(None) else { return };
    server.write("about.txt", "Hello\n.\nEnd.\n");
    let mut document = document(&client(), server.url("/0/about.txt%09%09+"));
    assert_eq!(document.size(), Some(13));
    let mut octets = Vec::new();
    document.write_to(&mut octets).expect("it is whole");
    assert_eq!(octets, b"Hello\n.\nEnd.\n");
    assert_eq!(failure_kind(&client(), server.url("/0/no/such%09%09+")), ErrorKind::NotFound);
    let root = entries(&client(), server.url("/"));
    let about = root.iter().find(|entry| entry.title.starts_with(b"about")).expect("it is in the menu");
    assert_eq!(get(&client(), about.url.as_ref().expect("it has a URL").as_str()), b"Hello\n.\nEnd.\n");
}

#[test]
fn pygopherd_ends_tls_without_a_mark_and_that_is_noted() {
    if !require(Pygopherd::PROGRAMS) || !require(&["openssl"]) {
        return;
    }
    let authority = Authority::new();
    let Some(server) = Pygopherd::start(Some(&authority)) else { return };
    server.write("about.txt", "Hello\n");
    let client = client_with(|options| options.roots = Roots::Pem(authority.ca()));
    let mut document = document(&client, server.tls_url("/0/about.txt"));
    let mut octets = Vec::new();
    document.write_to(&mut octets).expect("it is whole");
    assert_eq!(octets, b"Hello\n");
    assert!(document.notes().iter().any(|note| note.code == "end-not-authenticated"), "{:?}", document.notes());
}

#[test]
fn the_plan_is_what_is_sent_octet_for_octet() {
    let listener = Listener::answering_line("x");
    for path in ["", "/", "/0/about.txt", "/7find%09old%20maps", "/9/%E9%FF", "/0x%09%09+", "/0x%09%09!", "/0x%09%09?"]
    {
        let text = listener.gopher_url(path);
        let plan = client().plan(&url(&text)).expect("nothing is opened");
        let planned: Vec<u8> = plan
            .lines()
            .iter()
            .filter_map(|line| match line {
                PlanLine::Send(command) => Some(command.octets()),
                _ => None,
            })
            .collect::<Vec<_>>()
            .concat();
        // Not every one of these likes the answer; all of them asked.
        let _ = client().open(&url(text)).map(|_| ());
        assert_eq!(listener.asked().pop().expect("it was asked"), planned, "{path}");
    }
}

#[test]
fn items_of_other_protocols_say_where_to_go() {
    let listener = Listener::answering_line("");
    for path in ["/8login", "/2phone", "/Ttn", "/hURL:http://h.example/"] {
        let error = failure(&client(), listener.gopher_url(path));
        assert_eq!(error.kind(), ErrorKind::NoAccess, "{path}");
        assert!(error.help().is_some(), "{path}");
    }
    assert!(listener.asked().is_empty());
}

#[test]
fn security_46_titles_are_octets_and_links_are_judged() {
    let listener = Listener::answering_line(
        "0\x1b]0;x\x07\u{9b}31m\t/x\th.example\t70\r\nhlink\tURL:file:///etc/motd\th\t70\r\n0bad\t/x\th\x1b\t70\r\n.\r\n",
    );
    let all = entries(&client(), listener.gopher_url("/"));
    assert_eq!(all.len(), 3);
    assert_eq!(all[0].title, "\x1b]0;x\x07\u{9b}31m".as_bytes());
    assert_eq!(urlwise::escape_for_display(&all[0].title).to_string(), r"\x1b]0;x\x07\u{9b}31m");
    let menu = url(listener.gopher_url("/"));
    let link = all[1].url.as_ref().expect("it is a URL");
    let provenance = urlwise_open::policy::UrlSource::Link { from: &menu.borrow() };
    let error = client().open_from(link, provenance).expect_err("it is a file of this machine");
    assert_eq!(error.refused_by(), Some("file-from-network"));
    assert_eq!(all[2].url, None, "no URL can be made of it");
}

#[test]
fn security_49_an_endless_menu_streams_and_an_endless_line_ends() {
    let endless = Listener::line(|mut stream| {
        let block = b"0About\t/about.txt\th.example\t70\r\n".repeat(1_000);
        while std::io::Write::write_all(&mut stream, &block).is_ok() {}
    });
    let streamed = menu(&client(), endless.gopher_url("/"));
    assert_eq!(streamed.take(100_000).filter(Result::is_ok).count(), 100_000);
    let line = Listener::line(|mut stream| while std::io::Write::write_all(&mut stream, &[b'x'; 1_000]).is_ok() {});
    assert_eq!(failure_kind(&client(), line.gopher_url("/")), ErrorKind::Limit);
    let small = client_with(|options| options.max_size = Some(1_000));
    assert_eq!(failure_kind(&small, line.gopher_url("/9")), ErrorKind::Limit);
}

#[test]
fn security_48_a_silent_gopher_server_is_a_timeout() {
    let listener = Listener::line(|stream| {
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs(20));
            drop(stream);
        });
    });
    let client = client_with(|options| options.deadlines.first_byte = Duration::from_millis(200));
    assert_eq!(failure_kind(&client, listener.gopher_url("/")), ErrorKind::Timeout);
}

#[test]
fn a_cut_gopher_plus_document_is_partial() {
    let listener = Listener::answering_line("+10\r\nhalf");
    let error = failure(&client(), listener.gopher_url("/9x%09%09+"));
    assert_eq!(error.kind(), ErrorKind::Partial);
}

#[test]
fn an_answer_that_is_an_error_item_is_not_found() {
    let listener = Listener::answering_line("3no such \x1b[31mthing\t\terror.host\t1\r\n.\r\n");
    let error = failure(&client(), listener.gopher_url("/"));
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(error.to_string().contains(r"no such \x1b[31mthing"), "{error}");
}
