//! wais URLs against recorded answers of a real server, and a hostile one.

use crate::support::*;
use crate::waisd::{HEADER, playing, recorded, request};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

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

#[test]
fn hits_that_are_not_listed_are_counted_and_the_option_is_named() {
    let listed = |arguments: &[&str], name: &str| {
        let url = format!("wais://127.0.0.1:{}/sample?specimen", playing(recorded(name)));
        let output = urlwise(&[arguments, &[&url]].concat());
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        (text(&output.stdout).lines().count(), text(&output.stderr).to_owned())
    };
    let (count, said) = listed(&["ls", "--max-hits", "5"], "probe-search-21-hits");
    assert_eq!(count, 5);
    assert!(
        said.contains("note[more-hits]: documents that match but are not listed: 16 (") && said.contains("--max-hits"),
        "{said}"
    );
    assert_eq!(listed(&["ls", "--max-hits", "21"], "probe-search-21-hits"), (21, String::new()));
    assert_eq!(listed(&["ls"], "probe-search-21-hits"), (21, String::new()));
    // The server's message is full: nobody knows how many there are, and no option helps.
    let (count, said) = listed(&["get"], "probe-init-small-then-search");
    assert_eq!(count, 5);
    assert!(said.contains("documents that match may be missing") && !said.contains("--max-hits"), "{said}");
}

#[test]
fn an_unknown_database_is_not_an_empty_list() {
    for name in ["search-nohits", "search-unknown-db"] {
        let output = urlwise(&["ls", &format!("wais://127.0.0.1:{}/nosuch", playing(recorded(name)))]);
        assert_eq!((code(&output), output.stdout.as_slice()), (10, &b""[..]), "{name}: {}", text(&output.stderr));
    }
}

#[test]
fn hits_beside_a_diagnostic_are_listed_with_it() {
    let output = urlwise(&["ls", &format!("wais://127.0.0.1:{}/sample?%3F", playing(recorded("search-help")))]);
    assert_eq!(code(&output), 11);
    assert!(text(&output.stdout).contains("/sample/WSRC/"), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("query syntax error"), "{}", text(&output.stderr));
}

#[test]
fn security_41_a_document_is_saved_under_the_name_of_its_file() {
    let found =
        urlwise(&["ls", "--json", &format!("wais://127.0.0.1:{}/sample?indigo", playing(recorded("search-hits")))]);
    let first: serde_json::Value = serde_json::from_str(text(&found.stdout).lines().next().unwrap()).unwrap();
    let (_, own) = first["url"].as_str().unwrap().split_once("/sample/").unwrap();
    let fetch = recorded("fetch-small");
    let folder = Folder::new();
    let url = format!("wais://127.0.0.1:{}/sample/{own}", playing(vec![fetch[0].clone(), fetch[2].clone()]));
    let output = folder.urlwise(["get", "-O", &url]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(folder.read("note18.txt").len(), 214);
}

/// A server of one document, which it cuts off after so many slices of the first connection. Returns its port.
fn breaking_off(document: Vec<u8>, slices: usize) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for (number, mut stream) in listener.incoming().flatten().enumerate() {
            let most = if number == 0 { slices } else { usize::MAX };
            let _ = serve(&mut stream, &document, most);
        }
    });
    port
}

fn serve(stream: &mut TcpStream, document: &[u8], slices: usize) -> io::Result<()> {
    let field = |tag: &[u8], octets: &[u8]| {
        let length = octets.len();
        let length = [0x80 | (length >> 14) as u8, 0x80 | (length >> 7 & 0x7f) as u8, length as u8 & 0x7f];
        [tag, &length, octets].concat()
    };
    request(stream)?;
    stream.write_all(&recorded("init").remove(0))?;
    for _ in 0..slices {
        let mut header = [0; HEADER];
        stream.read_exact(&mut header)?;
        let mut query = vec![0; std::str::from_utf8(&header[..10]).unwrap().parse().unwrap()];
        stream.read_exact(&mut query)?;
        let number = |condition: &[u8]| -> usize {
            let at = query.windows(condition.len()).position(|octets| octets == condition).unwrap() + condition.len();
            let length = usize::from(query[at + 1]);
            std::str::from_utf8(&query[at + 2..at + 2 + length]).unwrap().parse().unwrap()
        };
        let (start, end) = (number(b"wb ro ig ig ig ig"), number(b"wb rl ig ig ig ig").min(document.len()));
        let text = field(&[0x81, 25], &field(&[127], &document[start..end]));
        let message = [&[0, 11, 23][..], &[0; 10], &field(&[99], &text)].concat();
        stream.write_all(format!("{:010}z2wais        0", message.len()).as_bytes())?;
        stream.write_all(&message)?;
    }
    Ok(())
}

#[test]
fn a_broken_transfer_is_resumed_by_octet_range() {
    let document: Vec<u8> = (0..250_000_u64).map(|at| ((at * at) >> 7) as u8).collect();
    let own = "db/TEXT/250000/2=d;";

    let folder = Folder::new();
    let url = format!("wais://127.0.0.1:{}/{own}", breaking_off(document.clone(), 2));
    let output = folder.urlwise(["get", "-o", "saved", &url]);
    assert_eq!(code(&output), 13, "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("197950 octets are kept in saved.part; use --continue to resume"));
    let output = folder.urlwise(["get", "-v", "-o", "saved", "--continue", &url]);
    let said = text(&output.stderr);
    assert_eq!(code(&output), 0, "{said}");
    assert!(folder.read("saved") == document);
    let asked: Vec<_> = said.lines().filter(|line| line.contains("for octets")).collect();
    assert_eq!(asked.len(), 2, "{said}");
    assert!(asked[0].contains("octets 0 to 4096") && asked[1].contains("octets 197950 to 250000"), "{said}");

    // The same in one run, to standard output.
    let url = format!("wais://127.0.0.1:{}/{own}", breaking_off(document.clone(), 1));
    let output = urlwise(&["get", "--retry", "1", &url]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(output.stdout == document);
}

#[test]
fn security_31_what_cannot_be_resumed_says_so() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for (number, mut stream) in listener.incoming().flatten().enumerate() {
            let mut selector = [0; 64];
            let _ = stream.read(&mut selector);
            // Gopher+ announces the length, so that the cut is seen.
            let octets = if number == 0 { &b"+10\r\n01234"[..] } else { b"+10\r\n0123456789" };
            let _ = stream.write_all(octets);
        }
    });
    let folder = Folder::new();
    let url = format!("gopher://127.0.0.1:{port}/0x%09%09+");
    let output = folder.urlwise(["get", "-o", "saved", &url]);
    let said = text(&output.stderr);
    assert_eq!(code(&output), 13, "{said}");
    assert!(
        said.contains("5 octets are kept in saved.part; gopher downloads cannot be resumed, so --continue starts over"),
        "{said}"
    );
    let output = folder.urlwise(["get", "-o", "saved", "--continue", &url]);
    let said = text(&output.stderr);
    assert_eq!(code(&output), 0, "{said}");
    assert!(said.contains("gopher downloads cannot be resumed; restarting from the beginning"), "{said}");
    assert_eq!(folder.read("saved"), b"0123456789");
}
