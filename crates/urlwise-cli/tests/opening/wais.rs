//! wais URLs against recorded answers of a real server, and a hostile one.

use crate::support::*;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::{fs, thread};

/// Octets of the header before a message.
const HEADER: usize = 25;

/// Starts a server that gives the k-th of these answers to the k-th request of each connection, and then closes. Returns its port.
fn playing(answers: Vec<Vec<u8>>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            for answer in &answers {
                if request(&mut stream).is_err() || stream.write_all(answer).is_err() {
                    break;
                }
            }
        }
    });
    port
}

fn request(stream: &mut TcpStream) -> std::io::Result<()> {
    let mut header = [0; HEADER];
    stream.read_exact(&mut header)?;
    let length = std::str::from_utf8(&header[..10]).unwrap().parse().unwrap();
    stream.read_exact(&mut vec![0; length])
}

/// The answers of a recorded connection (urlwise-open/tests/wire/wais).
fn recorded(name: &str) -> Vec<Vec<u8>> {
    let path = format!("{}/../urlwise-open/tests/wire/wais/{name}.s2c.bin", env!("CARGO_MANIFEST_DIR"));
    let octets = fs::read(path).unwrap();
    let mut rest = octets.as_slice();
    let mut answers = Vec::new();
    while !rest.is_empty() {
        let length: usize = std::str::from_utf8(&rest[..10]).unwrap().parse().unwrap();
        let (answer, behind) = rest.split_at(HEADER + length);
        answers.push(answer.to_vec());
        rest = behind;
    }
    answers
}

const NOTE_18: &str = "sample/TEXT/214/1=wais.example.test%3A18210;2=/idx/sample;3=0%20214%20/docs/note18.txt;\
    4=wais.example.test%3A18210;5=/idx/sample;6=0%20214%20/docs/note18.txt;7=%00;";

#[test]
fn hits_are_listed_with_score_size_lines_type_headline_and_url() {
    let url = format!("wais://127.0.0.1:{}/sample?indigo", playing(recorded("search-hits")));
    let output = urlwise(&["ls", "--lynx-urls", &url]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let first = text(&output.stdout).lines().next().unwrap().to_owned();
    let own = url.replace("sample?indigo", NOTE_18);
    let facts = "document           214  -                     151      5 lines  TEXT  Note 18: engine";
    assert_eq!(first, format!("{facts}  <URL:{own}>"));

    let output = urlwise(&["ls", "--json", &url]);
    let entries = text(&output.stdout);
    let entries: Vec<serde_json::Value> = entries.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(entries.len(), 10);
    let first = &entries[0];
    assert_eq!((&first["title"], &first["kind"]), (&"Note 18: engine".into(), &"document".into()));
    assert_eq!((&first["score"], &first["size"], &first["lines"]), (&151.into(), &214.into(), &5.into()));
    assert_eq!((&first["type"], &first["modified"]), (&"text/plain".into(), &serde_json::Value::Null));
    let strict = first["url"].as_str().unwrap();
    assert!(strict.contains("/sample/TEXT/%01%17wais.example.test%3A18210%02%0B%2Fidx%2Fsample"), "{strict}");
}

#[test]
fn a_binary_document_is_saved_unchanged() {
    let fetch = recorded("fetch-gif");
    let port = playing(vec![fetch[0].clone(), fetch[2].clone()]);
    let folder = Folder::new();
    let url = format!("wais://127.0.0.1:{port}/sample/GIF/5322/2=/idx/sample;3=0%205322%20/docs/picture.gif;7=%00;");
    let output = folder.urlwise(["get", "-o", "saved", &url]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let saved = folder.read("saved");
    assert!(saved.starts_with(b"GIF89a") && saved.len() == 5322);
    assert!(fetch[2].windows(saved.len()).any(|window| window == saved));
}

#[test]
fn no_hits_are_a_note_and_not_an_error() {
    for name in ["search-nohits", "search-nohits-catalog"] {
        let output = urlwise(&["ls", &format!("wais://127.0.0.1:{}/sample?qqqqzzzz", playing(recorded(name)))]);
        assert_eq!((code(&output), output.stdout.as_slice()), (0, &b""[..]), "{name}");
        assert!(text(&output.stderr).contains("note[no-hits]: no document matches"), "{name}");
    }
}

#[test]
fn failures_quote_the_server_and_have_exit_codes() {
    let mut cut = recorded("fetch-small").remove(2);
    cut.truncate(cut.len() - 1);
    let cut = vec![recorded("init").remove(0), cut];
    let big = recorded("fetch-big");
    let begun = [&big[..1], &big[2..3]].concat();
    for (answers, own, expected, words) in [
        (
            recorded("search-unknown-db"),
            "nosuchdb?x",
            11,
            "(S1): \"The following database is not available: /idx/nosuchdb\"",
        ),
        (recorded("fetch-bad-docid-nofile"), "sample/TEXT/x", 10, "(SF): \"Request out of range\""),
        (recorded("fetch-bad-docid-syntax"), "sample/TEXT/x", 10, "(SF): \"Missing DocID in request\""),
        (recorded("probe-fetch-unknown-db"), "nosuch/TEXT/x", 11, "closed the connection without an answer"),
        (Vec::new(), "sample?x", 11, "the default for WAIS is 210"),
        (cut, NOTE_18, 12, "in the middle of an answer"),
        (begun, "sample/TEXT/150020/2=/idx/sample;", 13, "the document has 10000 octets, but the URL says 150020"),
        (Vec::new(), "sample%40inner.dom?x", 4, "`wais-forward`"),
    ] {
        let url = format!("wais://127.0.0.1:{}/{own}", playing(answers));
        let output = urlwise(&["get", &url]);
        let shown = text(&output.stderr);
        assert!(code(&output) == expected && shown.contains(words), "{own}: {} {shown}", code(&output));
    }
}

#[test]
fn a_dry_run_shows_what_a_run_sends() {
    let fetch = recorded("fetch-small");
    let url = format!("wais://127.0.0.1:{}/{NOTE_18}", playing(vec![fetch[0].clone(), fetch[2].clone()]));
    let plan = text(&urlwise(&["get", "--dry-run", &url]).stdout);
    let output = urlwise(&["get", "-v", &url]);
    assert_eq!((code(&output), output.stdout.len()), (0, 214));
    let shown = text(&output.stderr);
    let sent: Vec<_> = plan.lines().filter_map(|line| line.strip_prefix("send ")).map(str::trim_start).collect();
    assert_eq!(sent.len(), 2, "{plan}");
    for line in sent {
        assert!(shown.contains(line), "{line}: {shown}");
    }
}

#[test]
fn control_characters_of_hits_are_escaped() {
    let field = |tag: &[u8], octets: &[u8]| [tag, &[octets.len() as u8], octets].concat();
    let types = field(&[0x81, 4], &field(&[0x81, 5], b"T\x1b[1m"));
    let facts =
        [field(&[116], b"\x02\x01\x1b"), field(&[118], &[1]), types, field(&[123], b"\x1b]0;red\x07\n\xc2\x9b")];
    let hits = field(&[99], &field(&[0x81, 22], &facts.concat()));
    let message = [&[0, 11, 23][..], &[0; 10], &hits].concat();
    let answer = [format!("{:010}z2wais        0", message.len()).as_bytes(), &message].concat();
    let url = format!("wais://127.0.0.1:{}/db?x", playing(vec![recorded("init").remove(0), answer]));
    for arguments in [&["ls", &url][..], &["ls", "--json", &url], &["ls", "--lynx-urls", &url], &["get", &url]] {
        let output = urlwise(arguments);
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        let shown = String::from_utf8([output.stdout, output.stderr].concat()).expect("it is text");
        assert!(shown.contains("red") && shown.lines().count() == 1, "{shown:?}");
        assert!(!shown.chars().any(|c| c != '\n' && urlwise::is_harmful(c)), "{shown:?}");
    }
}
