//! Prospero against servers on loopback: one that plays what a real one answered, and those that a test makes up (RFC 1738 section
//! 3.11).

use crate::support::{
    Folder, Listener, Prospero, client, client_with, document, failure, get, menu, options, recorded_session, url,
};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use urlwise_open::policy::Policy;
use urlwise_open::{Client, Entry, EntryKind, ErrorKind, Options, Resource};

const NONE: &str = "NONE-FOUND\n";

/// Answers each request by what it asks for: the words of its third line, and that of LIST.
fn telling(answer: impl Fn(&str) -> String + Send + 'static) -> Prospero {
    Prospero::telling(move |request| {
        let text = String::from_utf8(request.to_vec()).expect("ASCII");
        let asked: Vec<_> = text.lines().skip(2).collect();
        answer(&asked.join("|")).into_bytes()
    })
}

/// An answer that names these access methods.
fn methods<V: std::fmt::Display>(values: &[V]) -> String {
    values.iter().map(|value| format!("ATTRIBUTE OBJECT FIELD ACCESS-METHOD {value}\n")).collect()
}

fn entries(client: &Client, text: String) -> Vec<Entry> {
    menu(client, text).map(|entry| entry.expect("it is whole")).collect()
}

fn lines(entries: &[Entry]) -> Vec<String> {
    let line = |entry: &Entry| {
        let url = entry.url.as_ref().map(|url| format!(" {url}")).unwrap_or_default();
        format!("{} {}{url}", entry.kind, String::from_utf8_lossy(&entry.title))
    };
    entries.iter().map(line).collect()
}

/// As with the real client, but for how long it waits for silence.
fn hasty() -> Options {
    let mut options = options();
    (options.ardp.first_wait, options.ardp.patience) = (Duration::from_millis(50), Duration::from_millis(750));
    options
}

#[test]
fn a_directory_lists_the_links_of_a_real_server() {
    let server = Prospero::playing(&["16-none-found", "01-list-small"]);
    let port = server.port;
    assert_eq!(
        lines(&entries(&client(), format!("prospero://127.0.0.1:{port}//pfs"))),
        [
            format!("menu demo prospero://LOCALHOST:{port}//pfs/demo"),
            format!("menu many prospero://LOCALHOST:{port}//pfs/many"),
            format!("menu empty prospero://LOCALHOST:{port}//pfs/empty"),
        ]
    );
}

#[test]
fn a_directory_of_44_packets_is_whole() {
    let server = Prospero::playing(&["16-none-found", "06-list-600-links-44-packets"]);
    assert_eq!(entries(&client(), format!("prospero://127.0.0.1:{}//pfs/many", server.port)).len(), 600);
}

#[test]
fn every_kind_of_link_is_an_entry_and_unions_are_listed() {
    // The second directory that belongs to it is on a host that nobody has.
    let server = Prospero::playing(&["16-none-found", "02-list-all-link-kinds"]);
    let client = client_with(|options| options.policy = Policy::default().public_addresses_only());
    let blocked = failure(&client, format!("prospero://127.0.0.1:{}//pfs/demo", server.port));
    assert_eq!((blocked.kind(), server.asked().len()), (ErrorKind::Refused, 0));

    let mut menu = menu(&Client::new(hasty()), format!("prospero://127.0.0.1:{}//pfs/demo", server.port));
    let entries: Vec<_> = menu.by_ref().map(|entry| entry.expect("it is whole")).collect();
    let lines = lines(&entries);
    assert_eq!(lines.len(), 29);
    for line in [
        "document ext-aftp ftp://FTP.EXAMPLE/pub/a%20file.txt;type=a",
        "menu ext-gopher6 gopher://GOPHER.EXAMPLE:7070/1/fun%20stuff",
        "document ext-wais-gw wais://WAIS.EXAMPLE/quakes/TEXT/3%20%3Dx",
        "session ext-telnet telnet://guest@TELNET.EXAMPLE/",
        "unknown ext-tn3270",
        "unknown symbolic",
        &format!("document from-union prospero://LOCALHOST:{}//pfs/union/from-union", server.port),
        "menu union-remote prospero://OTHER.EXAMPLE//pfs/u2",
    ] {
        assert!(lines.iter().any(|found| found == line), "{line}: {lines:#?}");
    }
    let two = entries.iter().find(|entry| entry.title == b"ext-two").expect("an entry with two methods");
    let also: Vec<_> = two.also.iter().map(ToString::to_string).collect();
    assert_eq!(also, ["gopher://GOPHER.EXAMPLE/9ftp:ftp.example@/pub/z"]);
    let annotated = entries.iter().find(|entry| entry.title == b"annotated").expect("an annotated entry");
    assert_eq!(annotated.description.as_deref(), Some(&b"An annotated file"[..]));
    // What no URL says.
    let described =
        |title: &[u8]| entries.iter().find(|entry| entry.title == title).and_then(|entry| entry.description.clone());
    assert_eq!(described(b"ext-telnet").as_deref(), Some(&b"Use the account name \"guest\" to log in"[..]));
    assert_eq!(
        described(b"ext-wais5").as_deref(),
        Some(&b"WAIS INTERNET-D WAIS.EXAMPLE(210) ASCII WAIS/OBJECT/locator-string"[..])
    );
    let notes: Vec<_> = menu.notes().iter().map(|note| note.code).collect();
    assert_eq!(notes, ["unfiltered", "union-not-listed"]);
}

#[test]
fn an_object_lists_its_access_methods_in_the_order_of_the_server() {
    let server = Prospero::playing(&["04-object-all-attributes", "03-list-missing-directory"]);
    let menu = menu(&client(), format!("prospero://127.0.0.1:{}//pfs/demo/readme.txt", server.port));
    assert!(menu.lists_access_methods());
    let found: Vec<_> = menu.map(|entry| entry.expect("it is whole")).collect();
    let lines = lines(&found);
    assert_eq!(lines.len(), 11);
    assert_eq!(lines[0], "document AFTP TEXT ftp://FTP.EXAMPLE/pub/readme.txt;type=a");
    assert_eq!(lines[6], "session TELNET telnet://TELNET.EXAMPLE/");
    assert_eq!(found[6].description.as_deref(), Some(&b"Log in as 'guest'"[..]));
    assert_eq!(lines[10], "unknown LOCAL file:///pfs/demo/readme.txt");
}

#[test]
fn the_contents_are_those_of_the_server() {
    let server = Prospero::playing(&["05-object-access-method-native-file", "24-contents-text"]);
    let url = format!("prospero://127.0.0.1:{}/AFTP/pub/notes.txt", server.port);
    assert_eq!(get(&client(), url), b"First line of the notes.\nSecond line.\n");
    let server = Prospero::playing(&["05-object-access-method-native-file", "25-contents-binary-256"]);
    let url = format!("prospero://127.0.0.1:{}/AFTP/pub/binary.bin", server.port);
    assert_eq!(get(&client(), url.clone()), (0..=255).collect::<Vec<u8>>());

    let server = Prospero::playing(&["05-object-access-method-native-file", "25-contents-binary-256"]);
    let small = client_with(|options| options.max_size = Some(255));
    let url = format!("prospero://127.0.0.1:{}/AFTP/pub/binary.bin", server.port);
    assert_eq!(failure(&small, url).kind(), ErrorKind::Limit);
}

#[test]
fn a_server_without_forwarding_gives_methods_and_contents() {
    let server = Prospero::playing(&["45-other-build-native-file-needs-all", "24-contents-text"]);
    let url = format!("prospero://127.0.0.1:{}/AFTP/pub/notes.txt", server.port);
    assert_eq!(get(&client(), url).len(), 38);
}

#[test]
fn what_does_not_exist_and_what_must_not_be_read_have_classes() {
    let missing = ["15-missing-object", "15-missing-object", "03-list-missing-directory"];
    let hidden = ["40-object-not-authorized", "03-list-missing-directory"];
    // What was recorded leaves a question without an answer.
    let client = client_with(|options| options.deadlines.first_byte = Duration::from_secs(10));
    for (sessions, class) in [(&missing[..], ErrorKind::NotFound), (&hidden, ErrorKind::Login)] {
        let server = Prospero::playing(sessions);
        let error = failure(&client, format!("prospero://127.0.0.1:{}//pfs/nowhere", server.port));
        assert_eq!(error.kind(), class, "{error}");
    }
    let error = failure(&client, "prospero://127.0.0.1:1525/x;OBJECT-VERSION=latest");
    assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
    assert!(error.to_string().contains("latest"), "{error}");
}

#[test]
fn the_first_method_that_opens_is_followed() {
    let folder = Folder::new();
    folder.write("secret", "not for the network\n");
    let secret = folder.text("secret");
    let gopher = Listener::answering_line("Hello from gopher.\r\n.\r\n");
    let port = gopher.port;
    let server = telling(move |_| {
        methods(&[
            format!("LOCAL '' '' '' '{secret}'"),
            "TELNET INTERNET-D 127.0.0.1 ASCII ''".to_owned(),
            // Nobody listens there, and what a mail server would hear is refused.
            "GOPHER INTERNET-D 127.0.0.1(1) ASCII x 0".to_owned(),
            "GOPHER INTERNET-D 127.0.0.1(25) ASCII x 0".to_owned(),
            format!("GOPHER INTERNET-D 127.0.0.1({port}) ASCII about 0"),
        ])
    });
    let given = format!("prospero://127.0.0.1:{}/x", server.port);
    let mut found = document(&Client::new(hasty()), given.clone());
    assert_eq!(found.final_url().as_str(), format!("gopher://127.0.0.1:{port}/0about"));
    assert_eq!(found.redirects(), [url(given)]);
    assert!(found.notes().iter().any(|note| note.code == "method-failed"));
    let mut text = Vec::new();
    found.write_to(&mut text).expect("it can be read");
    assert_eq!(text, b"Hello from gopher.\n");
    assert_eq!(gopher.asked(), [b"about\r\n"]);
}

#[test]
fn security_20_a_local_path_of_a_server_is_shown_and_never_opened() {
    let folder = Folder::new();
    folder.write("secret", "not for the network\n");
    let secret = folder.text("secret");
    let server = telling(move |_| methods(&[format!("LOCAL '' '' '' '{secret}'")]));
    let given = format!("prospero://127.0.0.1:{}/x", server.port);
    let listed = entries(&client(), given.clone());
    assert_eq!(listed[0].url.as_ref().map(urlwise::Url::scheme), Some(urlwise::Scheme::File));
    let error = failure(&client(), given.clone());
    assert_eq!(error.kind(), ErrorKind::NoAccess, "{error}");
    // Nor where it stood in a list that somebody chose from.
    let from = url(given);
    let link = urlwise_open::policy::UrlSource::Link { from: &from.borrow() };
    let error = client().open_from(listed[0].url.as_ref().expect("a URL"), link).expect_err("a file of ours");
    assert_eq!((error.kind(), error.refused_by()), (ErrorKind::Refused, Some("file-from-network")));
}

#[test]
fn when_every_method_fails_the_first_error_is_reported() {
    let server = telling(|_| {
        methods(&["GOPHER INTERNET-D 127.0.0.1(25) ASCII x 0", "GOPHER INTERNET-D 127.0.0.1(1) ASCII x 0"])
    });
    let error = failure(&client(), format!("prospero://127.0.0.1:{}/x", server.port));
    assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
    assert_eq!(error.url(), Some("gopher://127.0.0.1:25/0x"));
}

/// The last packets may bring no octet of the contents, or none at all: then the octets before them are all there is.
#[test]
fn the_contents_do_not_depend_on_how_the_answer_is_cut_into_datagrams() {
    let datagrams = recorded_session("24-contents-text").into_iter().filter(|(is_client, _)| !is_client);
    let answer: Vec<u8> = datagrams.flat_map(|(_, datagram)| datagram[usize::from(datagram[0])..].to_vec()).collect();
    let pieces = Arc::new(Mutex::new(Vec::new()));
    let contents = Arc::clone(&pieces);
    let server = Prospero::telling_pieces(move |request| {
        if String::from_utf8_lossy(request).contains("GET-OBJECT-INFO CONTENTS") {
            return contents.lock().expect("no test panics with it").clone();
        }
        vec![methods(&["PROSPERO-CONTENTS '' '' '' ''"]).into_bytes()]
    });
    let (client, url) = (client(), format!("prospero://127.0.0.1:{}/x", server.port));
    for cut in 0..=answer.len() {
        let (start, end) = answer.split_at(cut);
        for cuts in [vec![start, end], vec![start, b"", end], vec![start, end, b""]] {
            *pieces.lock().expect("no test panics with it") = cuts.iter().map(|piece| piece.to_vec()).collect();
            assert_eq!(get(&client, url.clone()), b"First line of the notes.\nSecond line.\n", "cut at {cut}");
        }
    }
}

#[test]
fn what_is_forwarded_says_how_it_was_reached() {
    let last = telling(|_| {
        methods(&["PROSPERO-CONTENTS '' '' '' ''"]) + "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA x\n"
    });
    let port = last.port;
    let first = telling(move |_| format!("FORWARDED INTERNET-D LOCALHOST({port}) ASCII 'a b' 7\n"));
    let given = format!("prospero://127.0.0.1:{}/x", first.port);
    let Resource::Document(found) = client().open(&url(given.clone())).expect("it opens") else { panic!("a document") };
    assert_eq!(found.final_url().as_str(), format!("prospero://LOCALHOST:{port}/a%20b;OBJECT-VERSION=7"));
    assert_eq!(found.redirects(), [url(given.clone())]);
    let none = client_with(|options| options.max_redirects = 0);
    assert_eq!(failure(&none, given).kind(), ErrorKind::Redirects);
}

#[test]
fn after_forwarding_an_error_names_the_server_that_failed() {
    for (answer, class) in [(NONE, ErrorKind::Partial), ("FAILURE SERVER-FAILED\n", ErrorKind::Server)] {
        let last = telling(move |asked| match asked.contains("ACCESS-METHOD") {
            true if class == ErrorKind::Partial => {
                methods(&["PROSPERO-CONTENTS '' '' '' ''"]) + "ATTRIBUTE OBJECT INTRINSIC SIZE SEQUENCE '9 bytes'\n"
            }
            _ if asked.contains("CONTENTS") => "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA x\n".to_owned(),
            _ => answer.to_owned(),
        });
        let port = last.port;
        let first = telling(move |_| format!("FORWARDED INTERNET-D 127.0.0.1({port}) ASCII y 0\n"));
        let given = format!("prospero://127.0.0.1:{}/x", first.port);
        let error = failure(&client(), given.clone());
        let failed = format!("prospero://127.0.0.1:{port}/y");
        assert_eq!((error.kind(), error.url()), (class, Some(failed.as_str())), "{error}");
        assert!(error.what().to_string().starts_with(&format!("127.0.0.1 port {port}: ")), "{error}");
        if class == ErrorKind::Server {
            assert_eq!(error.redirects(), [given]);
        }
    }
    // One that is silent, too.
    let silent = Prospero::serving(|_| Vec::new());
    let port = silent.port;
    let first = telling(move |_| format!("FORWARDED INTERNET-D 127.0.0.1({port}) ASCII y 0\n"));
    let error = failure(&Client::new(hasty()), format!("prospero://127.0.0.1:{}/x", first.port));
    assert_eq!((error.kind(), error.url()), (ErrorKind::Timeout, Some(&*format!("prospero://127.0.0.1:{port}/y"))));
}

#[test]
fn a_union_circle_of_a_host_with_two_names_lists_each_entry_once() {
    let port = Arc::new(AtomicU16::new(0));
    let own = Arc::clone(&port);
    let server = telling(move |asked| {
        let here = format!("INTERNET-D LOCALHOST({}) ASCII", own.load(Ordering::SeqCst));
        match asked {
            _ if !asked.contains("LIST") => NONE.to_owned(),
            _ if asked.contains("ASCII a|") => {
                format!("LINK L FILE f {here} f 0\nLINK U DIRECTORY u {here} b 0\nLINK U DIRECTORY a {here} a 0\n")
            }
            _ => format!("LINK U DIRECTORY u {here} a 0\nLINK L FILE g {here} g 0\n"),
        }
    });
    port.store(server.port, Ordering::SeqCst);
    let found = entries(&client(), format!("prospero://127.0.0.1:{}/a", server.port));
    let names: Vec<_> = found.iter().map(|entry| entry.title.as_slice()).collect();
    assert_eq!(names, [b"f", b"g"]);
    assert_eq!(server.asked().len(), 3, "nothing is asked twice");
}

#[test]
fn security_20_contents_of_another_object_pass_the_policy() {
    let server = telling(|_| methods(&["PROSPERO-CONTENTS INTERNET-D 127.0.0.1(25) ASCII y"]));
    let error = failure(&client(), format!("prospero://127.0.0.1:{}/x", server.port));
    assert_eq!(error.refused_by(), Some("port-foreign"), "{error}");

    let server = telling(|asked| match asked {
        _ if asked.contains("ACCESS-METHOD ASCII x") => methods(&["PROSPERO-CONTENTS '' '' '' y"]),
        _ if asked.contains("ACCESS-METHOD ASCII y") => methods(&["PROSPERO-CONTENTS '' '' '' ''"]),
        _ if asked.contains("CONTENTS ASCII y") => "ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA abc\n".to_owned(),
        _ => "FAILURE NOT-FOUND\n".to_owned(),
    });
    let mut found = document(&client(), format!("prospero://127.0.0.1:{}/x", server.port));
    assert_eq!(found.final_url().as_str(), format!("prospero://127.0.0.1:{}/y", server.port));
    let mut octets = Vec::new();
    found.write_to(&mut octets).expect("it can be read");
    assert_eq!(octets, b"abc");
}

#[test]
fn a_native_directory_lists_its_files_and_not_how_the_server_has_them() {
    let server = telling(|asked| match asked.contains("LIST") {
        true => "LINK L FILE notes.txt INTERNET-D h ASCII 'AFTP/pub/notes.txt' 0\n\
             ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE LOCAL '' '' '' ''\n\
             ATTRIBUTE LINK APPLICATION MENU-ITEM-DESCRIPTION SEQUENCE 'Some notes'\n\
             WARNING MESSAGE Encountered' unrecognized Gopher message: iWelcome\tfake\t(NULL)\t0'\n"
            .to_owned(),
        false => methods(&["PROSPERO-CONTENTS '' '' '' ''", "LOCAL '' '' '' ''"]),
    });
    let found = entries(&client(), format!("prospero://127.0.0.1:{}/AFTP/pub", server.port));
    let [file, text] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((file.title.as_slice(), file.description.as_deref()), (&b"notes.txt"[..], Some(&b"Some notes"[..])));
    assert_eq!((text.title.as_slice(), text.kind), (&b"Welcome"[..], EntryKind::Info));
}

#[test]
fn security_21_servers_that_forward_in_a_circle_are_left() {
    let server = Prospero::telling(|request| {
        let text = String::from_utf8_lossy(request);
        let hop = text.matches('a').count();
        format!("FORWARDED INTERNET-D '' ASCII {} 0\n", "a".repeat(hop + 1)).into_bytes()
    });
    let error = failure(&client(), format!("prospero://127.0.0.1:{}/x", server.port));
    assert_eq!((error.kind(), server.asked().len()), (ErrorKind::Redirects, 21), "{error}");
    let server = telling(|_| "FORWARDED INTERNET-D '' ASCII x 0\n".to_owned());
    let error = failure(&client(), format!("prospero://127.0.0.1:{}/x", server.port));
    assert_eq!((error.kind(), server.asked().len()), (ErrorKind::Redirects, 1), "{error}");
}

#[test]
fn security_20_where_a_server_leads_passes_the_policy() {
    for (to, rule) in [("127.0.0.1(25) ASCII x", "port-foreign"), ("127.0.0.1 ASCII 'x\nUPDATE'", "ctl-crlf")] {
        let server = telling(move |_| format!("FORWARDED INTERNET-D {to} 0\n"));
        let error = failure(&client(), format!("prospero://127.0.0.1:{}/x", server.port));
        assert_eq!((error.kind(), error.refused_by()), (ErrorKind::Refused, Some(rule)), "{error}");
    }
    // In a directory it is only one that is not listed.
    let server = telling(|asked| match asked.contains("LIST") {
        true => "LINK U DIRECTORY u INTERNET-D 127.0.0.1(25) ASCII x 0\n".to_owned(),
        false => NONE.to_owned(),
    });
    let found = entries(&client(), format!("prospero://127.0.0.1:{}/x", server.port));
    assert_eq!(lines(&found), ["menu u prospero://127.0.0.1:25/x"]);
}

#[test]
fn get_of_a_directory_is_a_menu() {
    let server = Prospero::playing(&["16-none-found", "29-verify-existing"]);
    match client().open(&url(format!("prospero://127.0.0.1:{}//pfs/empty", server.port))).expect("it opens") {
        Resource::Menu(menu) => assert_eq!(menu.count(), 0),
        other => panic!("not a menu: {other:?}"),
    }
}

#[test]
fn warnings_are_lines_of_a_list() {
    let server = Prospero::playing(&["16-none-found", "37-gopher-gateway-wait-180-and-ack"]);
    let found = entries(&client(), format!("prospero://127.0.0.1:{}/GOPHER-GW/x", server.port));
    assert_eq!((found.len(), found[0].kind), (10, EntryKind::Info));
    assert_eq!((found[1].kind, found[1].media_type.as_deref()), (EntryKind::Document, Some("text/plain")));
    assert_eq!(found[5].kind, EntryKind::Search);
}

#[test]
fn security_48_servers_that_send_us_on_slowly_share_one_limit_of_time() {
    let server = Prospero::telling(|request| {
        std::thread::sleep(Duration::from_millis(60));
        let name = String::from_utf8_lossy(request).matches("xy").count();
        format!("FORWARDED INTERNET-D '' ASCII {} 0\n", "xy".repeat(name + 1)).into_bytes()
    });
    let client = client_with(|options| options.ardp.limits.total = Duration::from_millis(300));
    let error = failure(&client, format!("prospero://127.0.0.1:{}/x", server.port));
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    assert!((1..10).contains(&server.asked().len()), "{} requests", server.asked().len());
}

#[test]
fn a_host_that_says_nothing_is_a_timeout() {
    let server = Prospero::serving(|_| Vec::new());
    let error = failure(&Client::new(hasty()), format!("prospero://127.0.0.1:{}/x", server.port));
    assert_eq!((error.kind(), server.asked().len()), (ErrorKind::Timeout, 4), "{error}");
}

#[test]
fn a_link_has_the_size_and_the_date_that_the_server_tells() {
    let link = "LINK L FILE a INTERNET-D h.example ASCII a 0\n\
                ATTRIBUTE LINK INTRINSIC SIZE SEQUENCE '120 bytes'\n\
                ATTRIBUTE LINK INTRINSIC LAST-MODIFIED SEQUENCE 19941201000000Z\n";
    let server = telling(move |asked| if asked.contains("LIST") { link.into() } else { NONE.into() });
    let entries = entries(&Client::new(hasty()), format!("prospero://127.0.0.1:{}/x", server.port));
    assert_eq!((entries[0].size, entries[0].modified_text().as_deref()), (Some(120), Some("1994-12-01T00:00:00Z")));
}
