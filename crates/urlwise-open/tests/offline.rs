//! Whole calls of a client over connections within the process.

use std::time::Duration;
use urlwise::Url;
use urlwise_open::testing::offline;
use urlwise_open::{Client, ErrorKind, Options, Resource};

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
        let menu = offline(answers, || Client::new(Options::default()).list(&url)).expect("a menu");
        menu.lists_access_methods()
    };
    let method = "ATTRIBUTE OBJECT INTRINSIC ACCESS-METHOD SEQUENCE PROSPERO-CONTENTS '' '' '' ''\n";
    assert!(lists_methods([method, "FAILURE NOT-A-DIRECTORY\n"]));
    assert!(!lists_methods(["NONE-FOUND\n", "LINK L FILE a INTERNET-D h.example ASCII a 0\n"]));
}
