//! Whole calls of a client over connections within the process.

use std::sync::Mutex;
use std::time::{Duration, UNIX_EPOCH};
use urlwise::Url;
use urlwise_open::testing::offline;
use urlwise_open::{
    Cause, Client, Delivery, ErrorKind, NameServers, Options, ProbeOptions, ProbeVerdict, Resource, run_many,
};

fn read(url: &str, answers: &[&[u8]]) -> Result<Vec<u8>, ErrorKind> {
    let mut options = Options::default();
    options.timeout = Some(Duration::from_secs(20));
    let url = Url::parse_current(url).expect("a URL");
    offline(answers.iter().map(|answer| answer.to_vec()).collect(), || {
        let mut written = Vec::new();
        match Client::new(options).open(&url) {
            Ok(Resource::Document(mut document)) => {
                document.write_to(&mut written).map(|_| written).map_err(|error| error.kind())
            }
            Ok(Resource::Menu(menu)) => {
                for entry in menu {
                    written.extend(entry.map_err(|error| error.kind())?.title);
                    written.push(b'\n');
                }
                Ok(written)
            }
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.kind()),
        }
    })
    .0
}

#[test]
fn a_document_comes_the_whole_way() {
    assert_eq!(read("gopher://h.example/0x", &[b"text\r\n.\r\n"]), Ok(b"text\n".to_vec()));
    assert_eq!(read("http://h.example/", &[b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ntext"]), Ok(b"text".to_vec()));
    let login = b"220 a\r\n331 b\r\n230 c\r\n200 d\r\n229 e (|||2000|)\r\n150 f\r\n226 g\r\n";
    assert_eq!(read("ftp://h.example/x.bin", &[login, b"text"]), Ok(b"text".to_vec()));
}

#[test]
fn what_ends_early_is_partial() {
    assert_eq!(
        read("http://h.example/", &[b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\ntext"]),
        Err(ErrorKind::Partial)
    );
    assert!(read("http://h.example/", &[]).is_err());
}

#[test]
fn datagrams_are_answered() {
    // The shortest header: one packet of one. The client asks more than once.
    let answer: &[u8] = b"\x03\0\0FAILURE NOT-FOUND FILE x\n";
    assert_eq!(read("prospero://h.example/x", &[answer; 4]), Err(ErrorKind::NotFound));
}

#[test]
fn a_menu_says_whether_it_lists_access_methods_or_entries() {
    let lists_methods = |answers: [&str; 2]| {
        let answers = answers.map(|answer| [b"\x03\0\0", answer.as_bytes()].concat()).to_vec();
        let url = Url::parse("prospero://h.example/x").expect("a URL");
        let menu = offline(answers, || Client::new(Options::default()).list(&url)).0.expect("a menu");
        menu.lists_access_methods()
    };
    let method = "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS '' '' '' ''\n";
    assert!(lists_methods([method, "FAILURE NOT-A-DIRECTORY\n"]));
    assert!(!lists_methods(["NONE-FOUND\n", "LINK L FILE a INTERNET-D h.example ASCII a 0\n"]));
}

fn said(lines: &[&str]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_bytes(), b"\r\n"].concat()).collect()
}

#[test]
fn what_a_client_sends_is_kept_for_each_connection() {
    let url = Url::parse("http://h.example/a").expect("a URL");
    let moved = said(&["HTTP/1.1 302 x", "Location: http://i.example:8080/b", "Content-Length: 0", ""]);
    let found = said(&["HTTP/1.1 200 x", "Content-Length: 0", ""]);
    let (_, sent) = offline(vec![moved, found], || Client::new(Options::default()).open(&url).map(drop));
    let sent: Vec<_> = sent.iter().map(|sent| (&*sent.host, sent.port, sent.octets.starts_with(b"GET /"))).collect();
    assert_eq!(sent, [("h.example", 80, true), ("i.example", 8080, true)]);
}

#[test]
fn a_letter_goes_to_the_server_whole() {
    let url = Url::parse("mailto:joe@h.example").expect("a URL");
    let client = Client::new(Options::default());
    let Ok(Resource::Draft(draft)) = client.open(&url) else { panic!("a draft") };
    let letter = draft.letter(&"jim@h.example".parse().expect("an address"), UNIX_EPOCH).expect("a letter");
    let by = Delivery::Server("smtp://m.example".parse().expect("a server"));
    let replies = said(&["220 m", "250 m", "250 a", "250 b", "354 c", "250 d", "221 e"]);
    let (result, sent) = offline(vec![replies], || client.send(&letter, &by));
    assert_eq!(result.expect("it is sent").reply, b"250 d");
    let text = String::from_utf8_lossy(&sent[0].octets);
    let message = String::from_utf8_lossy(letter.octets());
    assert!(text.contains(&format!("RCPT TO:<joe@h.example>\r\nDATA\r\n{message}.\r\nQUIT\r\n")), "{text}");
}

#[test]
fn queries_get_their_id_and_their_question() {
    let head = |flags: [u8; 2], answers: u8| [&[0, 0], &flags[..], &[0, 1, 0, answers, 0, 0, 0, 0]].concat();
    let question = b"\x01x\x07example\0\0\x0f\0\x01";
    let exchanger = b"\xc0\x0c\0\x0f\0\x01\0\0\0\x3c\0\x05\0\x0a\x01m\0";
    let verdict = |answer: Vec<u8>| {
        let url = Url::parse("mailto:joe@h.example").expect("a URL");
        let mut options = Options::default();
        options.name_servers = Some(NameServers::parse("192.0.2.53").expect("an address"));
        offline(vec![answer], || Client::new(options).probe(&url, &ProbeOptions::default()).verdict).0
    };
    let takes_mail = [&head([0x81, 0x80], 1), &question[..], exchanger].concat();
    assert_eq!(verdict(takes_mail), ProbeVerdict::Alive);
    let no_name = [&head([0x81, 0x83], 0), &question[..]].concat();
    assert_eq!(verdict(no_name), ProbeVerdict::Dead(Cause::NoSuchHost));
}

#[test]
fn each_job_has_servers_of_its_own() {
    let came = Mutex::new(Vec::new());
    let work = |number: usize| {
        let body = number.to_string().repeat(2_000 + number);
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let whole = read("http://h.example/", &[answer.as_bytes()]) == Ok(body.into_bytes());
        came.lock().expect("no job panics").push((number, whole));
    };
    run_many(5, |jobs| (0..20).for_each(|number| jobs.push(number)), work).expect("an event loop");
    let mut came = came.into_inner().expect("no job panics");
    came.sort_unstable();
    assert_eq!(came, (0..20).map(|number| (number, true)).collect::<Vec<_>>());
}
