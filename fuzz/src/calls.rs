//! Calls of a client that reach no network, and what is true of each, whatever servers answer.

use crate::text::is_clean;
use std::time::Duration;
use urlwise::{Profile, Url};
use urlwise_open::testing::Sent;
use urlwise_open::{Client, Document, Error, Heard, Menu, OpenOptions, Options, Resource, Session};

/// A URL of each kind of answer.
pub const URLS: &[&str] = &[
    "ftp://h.example/a/b.bin",
    "ftp://joe:s3cret@h.example/a/",
    "ftp://h.example/a/b.txt;type=a",
    "ftp://h.example/a;type=d",
    "http://h.example/a?b",
    "gopher://h.example/",
    "gopher://h.example/0a",
    "gopher://h.example/9a",
    "gopher://h.example/7a%09words",
    "gopher://h.example/0a%09%09+",
    "gopher://h.example/1a%09%09!",
    "gopher://h.example/1a%09%09$",
    "gopher://h.example/1a%09%09?",
    "nntp://h.example/group",
    "nntp://h.example/group/12",
    "news://h.example/a@b.example",
    "wais://h.example/db",
    "wais://h.example/db?words",
    "wais://h.example/db/TEXT/a",
    "prospero://h.example/a",
    "prospero://h.example/a;x=y",
    "telnet://joe:s3cret@h.example/",
    "finger://h.example/joe",
];

/// How the first record of a TLS client begins: a handshake of version 3 (RFC 8446 section 5.1).
pub const TLS_HANDSHAKE: &[u8] = b"\x16\x03";

/// The password of the URLs. An input that holds it is not tried: who sends it is not known then.
pub const SECRET: &str = "s3cret";

const LONGEST_CALL: Duration = Duration::from_secs(3);
const MOST_OCTETS: u64 = 20_000;
const MOST_REDIRECTS: u32 = 3;

/// The URL of a number.
pub fn url(which: u8) -> Url<String> {
    parsed(URLS[usize::from(which) % URLS.len()])
}

/// A URL that is written here.
pub fn parsed(text: &str) -> Url<String> {
    Url::parse_with(text, Profile::Current).expect("a URL").to_owned()
}

/// The answers of an input: `FE` parts them.
pub fn answers(octets: &[u8]) -> Vec<Vec<u8>> {
    octets.split(|octet| *octet == 0xfe).map(<[u8]>::to_vec).collect()
}

/// Short limits, since nothing comes after the last answer.
pub fn options(flags: u8) -> Options {
    let mut options = Options::default();
    options.timeout = Some(LONGEST_CALL);
    options.max_size = Some(MOST_OCTETS);
    options.max_redirects = MOST_REDIRECTS;
    options.raw = flags & 4 != 0;
    options.compressed = flags & 8 != 0;
    options.ardp.first_wait = Duration::from_micros(500);
    options.ardp.patience = Duration::from_millis(2);
    options
}

/// Opens, lists or asks about a URL, as the flags say, and reads what comes to its end. Returns what was written, and the error as it
/// is shown.
pub fn call(client: &Client, url: &Url<String>, flags: u8) -> (Vec<u8>, Option<String>) {
    let mut written = Vec::new();
    let end = match flags & 3 {
        0 | 1 => client.open(url).and_then(|resource| read(resource, client, &mut written)),
        2 => client.list_with(url, &OpenOptions::default()).and_then(|menu| list(menu, &mut written)),
        _ => client.metadata(url).map(|_| ()),
    };
    (written, end.err().map(|error| shown(&error)))
}

/// An error as it is shown, which has no control characters and no password.
pub fn shown(error: &Error) -> String {
    let text = error.to_string();
    assert!(is_clean(&text), "{text:?}");
    assert!(!text.contains(SECRET), "{text:?}");
    text
}

fn read(resource: Resource, client: &Client, written: &mut Vec<u8>) -> Result<(), Error> {
    match resource {
        Resource::Document(document) => write(document, written),
        Resource::Menu(menu) => list(menu, written),
        Resource::Attributes(mut attributes) => attributes.try_for_each(|item| item.map(drop)),
        Resource::Form(form) => {
            let answers: Vec<_> = form.fields().iter().map(|_| Some(b"y".to_vec())).collect();
            let filled = form.fill(&answers)?;
            assert!(is_clean(&filled));
            match client.submit(&filled)? {
                Resource::Document(document) => write(document, written),
                Resource::Menu(menu) => list(menu, written),
                _ => Ok(()),
            }
        }
        Resource::Session(session) => hear(*session),
        other => panic!("no URL here leads to {other:?}"),
    }
}

/// What is written is as long as is said, and no longer than is allowed.
fn write(mut document: Document, written: &mut Vec<u8>) -> Result<(), Error> {
    assert!(document.redirects().len() <= 2 + MOST_REDIRECTS as usize);
    assert!(document.notes().iter().all(|note| is_clean(note)));
    assert!(document.media_type().is_none_or(|media_type| is_clean(&media_type)));
    let result = document.write_to(written);
    assert!(written.len() as u64 <= 2 * MOST_OCTETS);
    assert!(result.as_ref().is_ok_and(|count| *count == written.len() as u64) || result.is_err());
    result.map(drop)
}

/// An error is the last of the entries, and each URL among them is one.
fn list(menu: Menu, written: &mut Vec<u8>) -> Result<(), Error> {
    let mut failed = None;
    for entry in menu {
        assert!(failed.is_none(), "an entry after an error");
        match entry {
            Ok(entry) => {
                written.extend_from_slice(&entry.title);
                for url in entry.url.iter().chain(&entry.also) {
                    assert!(is_clean(&url.masked()));
                    assert!(Url::parse_with(url.as_str(), Profile::Current).is_ok(), "{url}");
                    written.extend_from_slice(url.as_str().as_bytes());
                }
            }
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(()), Err)
}

fn hear(mut session: Session) -> Result<(), Error> {
    session.lines(b"hello\n");
    session.end_of_input();
    for _ in 0..200 {
        if session.hear(Duration::from_millis(1))? == Heard::End {
            break;
        }
    }
    session.close();
    Ok(())
}

/// Whether octets hold others.
pub fn holds(octets: &[u8], what: impl AsRef<[u8]>) -> bool {
    memchr::memmem::find(octets, what.as_ref()).is_some()
}

/// The password of a URL goes to its host alone.
pub fn keeps_secrets(sent: &[Sent]) {
    let strangers = sent.iter().filter(|sent| (&*sent.host, sent.port) != ("h.example", 21));
    strangers.for_each(|sent| assert!(!holds(&sent.octets, SECRET), "{sent:?}"));
}
