//! WAIS against a server that plays what the servers of the nineties answered: the k-th answer to the k-th request (RFC 1738
//! section 3.9).

use crate::support::{client, client_with, document, failure, get, menu, url};
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};
use urlwise_open::policy::Policy;
use urlwise_open::{Entry, EntryKind, ErrorKind, MinRate, OpenOptions, Resource, Resume};

/// Octets of the header before a message.
const HEADER: usize = 25;

/// Starts a server that gives one answer of `answers` to each request of a connection and then closes; its port.
pub(crate) fn server(answers: Vec<Vec<u8>>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            for answer in &answers {
                if read_request(&mut stream).is_none() || stream.write_all(answer).is_err() {
                    break;
                }
            }
        }
    });
    port
}

fn read_request(stream: &mut TcpStream) -> Option<()> {
    let mut header = [0; HEADER];
    stream.read_exact(&mut header).ok()?;
    let length = std::str::from_utf8(&header[..10]).ok()?.parse().ok()?;
    stream.read_exact(&mut vec![0; length]).ok()
}

/// The answers of a recorded connection.
pub(crate) fn recorded(name: &str) -> Vec<Vec<u8>> {
    let path = format!("{}/tests/wire/wais/{name}.s2c.bin", env!("CARGO_MANIFEST_DIR"));
    let octets = fs::read(&path).expect("the transcript is there");
    let mut rest = octets.as_slice();
    let mut answers = Vec::new();
    while !rest.is_empty() {
        let digits = std::str::from_utf8(&rest[..10]).expect("a length");
        let (answer, behind) = rest.split_at(HEADER + digits.parse::<usize>().expect("a length"));
        answers.push(answer.to_vec());
        rest = behind;
    }
    answers
}

fn entries(text: &str, lynx: bool) -> Vec<Entry> {
    let client = client_with(|options| options.wais_lynx_urls = lynx);
    menu(&client, text).map(|entry| entry.expect("it is whole")).collect()
}

#[test]
fn a_search_lists_hits_that_can_be_opened() {
    let port = server(recorded("search-hits"));
    let hits = entries(&format!("wais://127.0.0.1:{port}/sample?indigo"), false);
    assert_eq!(hits.len(), 10);
    let first = &hits[0];
    assert_eq!(
        (first.title.as_slice(), first.kind, first.size),
        (&b"Note 18: engine"[..], EntryKind::Document, Some(214))
    );
    assert_eq!((first.score, first.media_type.as_deref()), (Some(151), Some("text/plain")));
    let link = first.url.as_ref().expect("a URL").as_str();
    assert!(
        link.starts_with(&format!("wais://127.0.0.1:{port}/sample/TEXT/%01%17wais.example.test%3A18210%02")),
        "{link}"
    );

    // The URL is that of another run of the server: it plays the answer to a document now.
    let fetch = recorded("fetch-small");
    let opener = server(vec![fetch[0].clone(), fetch[2].clone()]);
    let text = get(&client(), link.replace(&format!(":{port}/"), &format!(":{opener}/")));
    assert_eq!(text.len(), 214);
}

#[test]
fn hits_have_urls_for_lynx_where_that_is_asked_for() {
    let port = server(recorded("search-hits"));
    let hits = entries(&format!("wais://127.0.0.1:{port}/sample?indigo"), true);
    let link = hits[0].url.as_ref().expect("a URL").as_str();
    assert_eq!(
        link,
        format!(
            "wais://127.0.0.1:{port}/sample/TEXT/214/1=wais.example.test%3A18210;2=/idx/sample;\
             3=0%20214%20/docs/note18.txt;4=wais.example.test%3A18210;5=/idx/sample;\
             6=0%20214%20/docs/note18.txt;7=%00;"
        )
    );
}

#[test]
fn a_hit_is_an_entry_for_each_type_with_the_metadata_that_is_known() {
    let field = |tag: u8, octets: &[u8]| [&[tag, octets.len() as u8][..], octets].concat();
    // Tags above 127 have two octets.
    let wide = |tag: u8, octets: &[u8]| [&[0x81][..], &field(tag & 0x7f, octets)].concat();
    let types = wide(132, &[wide(133, b"TEXT"), wide(133, b"PS"), wide(133, b"X-OWN")].concat());
    let id = field(116, b"\x02\x01d");
    let facts = [field(118, &[9]), field(120, &[7, 0xd0]), wide(131, &[40])].concat();
    let whole = [&id[..], &facts, &types, &field(121, b"here"), &field(122, b"911225"), &field(123, b"Two")].concat();
    let bare = [&id[..], &field(122, b"0"), &field(123, b"Bare")].concat();
    let dated = [&id[..], &field(122, b"20011224"), &field(123, b"Dated")].concat();
    let hits = field(99, &[whole, bare, dated].map(|hit| wide(150, &hit)).concat());
    let message = [&[0, 11, 23][..], &[0; 10], &hits].concat();
    let answer = [format!("{:010}z2wais        0", message.len()).as_bytes(), &message].concat();
    let port = server(vec![recorded("init").remove(0), answer]);

    let listed = entries(&format!("wais://127.0.0.1:{port}/db?x"), true);
    let base = format!("wais://127.0.0.1:{port}/db");
    let urls: Vec<_> = listed.iter().map(|entry| entry.url.as_ref().expect("a URL").to_string()).collect();
    let own = ["TEXT/%02%01d", "PS/%02%01d", "X-OWN/%02%01d", "TEXT/%02%01d", "TEXT/%02%01d"];
    assert_eq!(urls, own.map(|own| format!("{base}/{own}")), "without a length of this type Lynx has no URL");
    for (entry, media_type) in listed.iter().zip([Some("text/plain"), Some("application/postscript"), None]) {
        assert_eq!((entry.title.as_slice(), entry.media_type.as_deref()), (&b"Two"[..], media_type));
        assert_eq!(entry.score, Some(9));
        assert_eq!(entry.modified_text().as_deref(), Some("1991-12-25T00:00:00Z"));
    }
    // The length of a hit is that of its first type.
    let sizes: Vec<_> = listed.iter().map(|entry| (entry.size, entry.lines)).collect();
    assert_eq!(sizes, [(Some(2000), Some(40)), (None, None), (None, None), (None, None), (None, None)]);
    let [.., bare, dated] = listed.as_slice() else { panic!("five entries") };
    assert_eq!((bare.score, bare.size, bare.lines, bare.modified_text()), (None, None, None, None));
    assert_eq!(dated.modified_text().as_deref(), Some("2001-12-24T00:00:00Z"));
}

#[test]
fn a_document_of_many_slices_is_whole() {
    let fetch = recorded("fetch-big");
    // Slices of 10,000 octets, as they were recorded.
    let port = server([&fetch[..1], &fetch[2..]].concat());
    let client = client_with(|options| options.wais.slice = 10_000);
    let path = "sample/TEXT/150020/2=/idx/sample;3=0%20150020%20/docs/bigbook.txt;7=%00;";
    let text = get(&client, format!("wais://127.0.0.1:{port}/{path}"));
    assert_eq!(text.len(), 150_020);
}

#[test]
fn a_database_is_described_and_listed() {
    let init = recorded("init").remove(0);
    let help = recorded("search-help").pop().expect("an answer");
    let source = recorded("probe-fetch-src").pop().expect("an answer");
    let port = server(vec![init.clone(), help.clone(), source]);
    let text = get(&client(), format!("wais://127.0.0.1:{port}/sample"));
    assert!(text.windows(8).any(|octets| octets == b"(:source"));
    let mut silent = help;
    // The recorded help is the answer to `?`, which brings a diagnostic; a search without words has none.
    let end = silent.windows(2).rposition(|octets| octets == b"\x1c\x00").expect("the diagnostic");
    let cut = silent.len() - end;
    silent.truncate(end);
    let length: usize = std::str::from_utf8(&silent[..10]).expect("a length").parse().expect("a length");
    silent.splice(..10, format!("{:010}", length - cut).into_bytes());
    // The container holds so much less, too; its length takes two octets.
    let container = silent.iter().skip(HEADER).position(|octet| *octet == 99).expect("user information") + HEADER;
    let held = (usize::from(silent[container + 1] & 0x7f) << 7 | usize::from(silent[container + 2])) - cut;
    silent[container + 1] = 0x80 | (held >> 7) as u8;
    silent[container + 2] = held as u8 & 0x7f;
    let port = server(vec![init, silent]);
    let url = url(format!("wais://127.0.0.1:{port}/sample"));
    let entries: Vec<_> = client().list(&url).expect("a menu").map(|entry| entry.expect("it is whole")).collect();
    assert_eq!(entries.len(), 2);
    assert!(entries[0].url.as_ref().expect("a URL").as_str().contains("/sample/WSRC/"));
}

#[test]
fn a_server_that_dies_of_a_request_is_an_error_that_says_so() {
    let port = server(recorded("probe-fetch-unknown-db"));
    let error = failure(&client(), format!("wais://127.0.0.1:{port}/nosuch/TEXT/x"));
    assert_eq!(error.kind(), ErrorKind::Server);
    assert!(error.to_string().contains("without an answer"), "{error}");
}

#[test]
fn security_20_a_database_of_another_host_is_asked_for_by_no_default() {
    let port = server(recorded("search-hits"));
    let address = format!("wais://127.0.0.1:{port}/sample%40inner.dom?indigo");
    for refused in [failure(&client(), address.as_str()), client().plan(&url(address.as_str())).expect_err("refused")] {
        assert_eq!((refused.kind(), refused.refused_by()), (ErrorKind::Refused, Some("wais-forward")));
    }
    let allowed = |name: &str| Policy::default().allow(name).expect("it may be lifted");
    for name in ["wais-forward", "E-34"] {
        let client = client_with(|options| options.policy = allowed(name));
        assert_eq!(menu(&client, address.as_str()).count(), 10, "{name}");
    }
}

#[test]
fn a_picture_comes_octet_for_octet() {
    let fetch = recorded("fetch-gif");
    let port = server(vec![fetch[0].clone(), fetch[2].clone()]);
    let path = "sample/GIF/5322/2=/idx/sample;3=0%205322%20/docs/picture.gif;7=%00;";
    let mut picture = document(&client(), format!("wais://127.0.0.1:{port}/{path}"));
    assert_eq!((picture.size(), picture.media_type()), (Some(5322), Some("image/gif")));
    let mut octets = Vec::new();
    picture.write_to(&mut octets).expect("it is whole");
    // As another client had it of the same server.
    let answer = recorded("lynx-fetch-gif").concat();
    assert!(octets.starts_with(b"GIF89a") && octets.len() == 5322);
    assert!(answer.windows(octets.len()).any(|window| window == octets));
}

#[test]
fn a_hit_that_describes_a_database_has_its_url() {
    let port = server(vec![recorded("init").remove(0), recorded("probe-fetch-src").pop().expect("an answer")]);
    let listed = entries(&format!("wais://127.0.0.1:{port}/directory/WSRC/%02%01d"), false);
    let [database] = listed.as_slice() else { panic!("one entry: {listed:?}") };
    assert_eq!(database.url.as_ref().expect("a URL").as_str(), "wais://wais.example.test/sample");
    assert_eq!((database.title.as_slice(), database.kind), (&b"sample"[..], EntryKind::Search));
    let description = database.description.as_deref().expect("a description");
    assert!(description.starts_with(b"Server created with freeWAIS-sf") && description.ends_with(b"picture.gif"));

    // Other documents of that type are not menus.
    let port = server(vec![recorded("init").remove(0), recorded("fetch-small").pop().expect("an answer")]);
    let url = url(format!("wais://127.0.0.1:{port}/directory/WSRC/%02%01d"));
    assert_eq!(client().list(&url).expect_err("no description").kind(), ErrorKind::Protocol);
}

/// An answer with these octets of a document.
fn slice(octets: &[u8]) -> Vec<u8> {
    let field = |tag: &[u8], octets: &[u8]| {
        let length = [0x80 | (octets.len() >> 7) as u8, octets.len() as u8 & 0x7f];
        [tag, &length, octets].concat()
    };
    let text = field(&[99], &field(&[0x81, 25], &field(&[127], octets)));
    let message = [&[0, 11, 23][..], &[0; 10], &text].concat();
    [format!("{:010}z2wais        0", message.len()).as_bytes(), &message].concat()
}

#[test]
fn security_48_a_minimum_rate_holds_over_slices() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a client");
        let mut answers =
            std::iter::once(recorded("init").remove(0)).chain(std::iter::repeat_with(|| slice(b"0123456789")));
        // Every answer is quick; all of them together are not.
        while read_request(&mut stream).is_some() {
            std::thread::sleep(Duration::from_millis(25));
            if stream.write_all(&answers.next().expect("endless")).is_err() {
                return;
            }
        }
    });
    let client = client_with(|options| {
        options.wais.slice = 10;
        options.deadlines.min_rate = Some(MinRate::new(1_000_000, Duration::from_millis(300)));
    });
    let began = Instant::now();
    let mut document = document(&client, format!("wais://127.0.0.1:{port}/db/TEXT/2000/2=d;"));
    let error = document.write_to(&mut std::io::sink()).expect_err("200 slices take five seconds");
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    assert!(error.to_string().contains("fewer than 1000000 octets"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
}

/// Such a server sends a second piece when the first one has been acknowledged, for which the system takes 40 ms by default.
#[cfg(target_os = "linux")]
#[test]
fn slices_in_pieces_are_acknowledged_at_once() {
    const SLICES: usize = 60;
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a client");
        let mut waits = Vec::new();
        let mut answer = recorded("init").remove(0);
        while read_request(&mut stream).is_some() {
            let began = Instant::now();
            let (header, message) = answer.split_at(HEADER);
            stream.write_all(header).expect("the client listens");
            stream.write_all(message).expect("the client listens");
            if stream.read(&mut [0; 0]).is_err() || stream.peek(&mut [0]).is_err() {
                break;
            }
            waits.push(began.elapsed());
            answer = slice(b"0123456789");
        }
        waits
    });
    let client = client_with(|options| options.wais.slice = 10);
    let text = get(&client, format!("wais://127.0.0.1:{port}/db/TEXT/{}/2=d;", SLICES * 10));
    assert_eq!(text.len(), SLICES * 10);
    let mut waits = server.join().expect("the server ends");
    // The system acknowledges the first ones at once in any case. A busy machine makes some slow, not all.
    let late = &mut waits[SLICES / 2..];
    late.sort();
    assert!(late[late.len() / 4] < Duration::from_millis(25), "{late:?}");
}

#[test]
fn security_49_a_source_description_is_read_up_to_its_limit() {
    const LIMIT: usize = 64 * 1024;
    const SLICE: usize = 8 * 1024;
    let listed = |length: usize| {
        let mut text = b"(:source :version 3 :ip-name \"h.example\" :tcp-port 210 :database-name \"db\")".to_vec();
        text.resize(length, b' ');
        let init = recorded("init").remove(0);
        let port = server(std::iter::once(init).chain(text.chunks(SLICE).map(slice)).collect());
        let client = client_with(|options| options.wais.slice = SLICE as u32);
        let url = url(format!("wais://127.0.0.1:{port}/directory/WSRC/{length}/2=d;"));
        client.list(&url).map(Iterator::count).map_err(|error| error.kind())
    };
    assert_eq!(listed(LIMIT), Ok(1));
    assert_eq!(listed(LIMIT + 1), Err(ErrorKind::Limit));
}

#[test]
fn a_document_is_continued_if_it_begins_as_it_did() {
    let slices = [b"0123456789", b"abcdefghij", b"ABCDEFGHIJ"].map(|octets| slice(octets));
    let [first, second, third] = &slices;
    let init = recorded("init").remove(0);
    let client = client_with(|options| options.wais.slice = 10);
    let at = |answers: &[&Vec<u8>]| {
        let port = server(std::iter::once(&init).chain(answers.iter().copied()).cloned().collect());
        url(format!("wais://127.0.0.1:{port}/db/TEXT/30/2=d;"))
    };
    let mut whole = document(&client, at(&[first, second, third]).as_str());
    whole.write_to(&mut std::io::sink()).expect("it is whole");
    let rest = |answers: &[&Vec<u8>]| {
        let mut options = OpenOptions::default();
        options.resume = Some(Resume::new(20, whole.metadata().clone()));
        let Ok(Resource::Document(mut document)) = client.open_with(&at(answers), &options) else {
            panic!("a document")
        };
        let mut text = String::new();
        document.read_to_string(&mut text).expect("it is whole");
        (document.offset(), text)
    };
    assert_eq!(rest(&[first, third]), (20, "ABCDEFGHIJ".to_owned()));
    // It begins in another way, so it is asked for from there.
    assert_eq!(rest(&[second, second, first, third]), (0, "abcdefghij0123456789ABCDEFGHIJ".to_owned()));
}

#[test]
fn a_search_without_hits_says_so() {
    let port = server(recorded("search-nohits-catalog"));
    let mut menu = menu(&client(), format!("wais://127.0.0.1:{port}/sample?xyzzy"));
    assert_eq!(menu.by_ref().count(), 0);
    assert_eq!(menu.notes().iter().map(|note| note.code).collect::<Vec<_>>(), ["no-hits"]);
}
