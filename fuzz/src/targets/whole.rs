//! Any answers of a server, the whole way: a client opens, lists or asks about a URL over connections within the process, and what
//! comes is read to its end. It never panics, ends in time, writes what it says it has written, and shows no control characters
//! and no password.
//!
//! The input is: the URL, what is done, then answers that `FE` parts; one for each connection or datagram.

use crate::text::is_clean;
use std::time::Duration;
use urlwise::{Profile, Url};
use urlwise_open::testing::offline;
use urlwise_open::{Client, Document, Error, Heard, Menu, OpenOptions, Options, Resource, Session};

const URLS: &[&str] = &[
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

const LONGEST_CALL: Duration = Duration::from_secs(50);
const MOST_OCTETS: u64 = 20_000;
const MOST_REDIRECTS: u32 = 3;

fn options(flags: u8) -> Options {
    let mut options = Options::default();
    options.timeout = Some(LONGEST_CALL);
    options.max_size = Some(MOST_OCTETS);
    options.max_redirects = MOST_REDIRECTS;
    options.raw = flags & 4 != 0;
    options.compressed = flags & 8 != 0;
    // Nothing comes after the last answer.
    options.ardp.first_wait = Duration::from_millis(1);
    options.ardp.patience = Duration::from_millis(4);
    options
}

pub(crate) fn run(input: &[u8]) {
    let [which, flags, rest @ ..] = input else { return };
    let url = Url::parse_with(URLS[usize::from(*which) % URLS.len()], Profile::Current).expect("a URL").to_owned();
    let answers = rest.split(|octet| *octet == 0xfe).map(<[u8]>::to_vec).collect();
    let end = offline(answers, || {
        let client = Client::new(options(*flags));
        match flags & 3 {
            0 | 1 => client.open(&url).and_then(|resource| read(resource, &client)),
            2 => client.list_with(&url, &OpenOptions::default()).and_then(list),
            _ => client.metadata(&url).map(|_| ()),
        }
    });
    if let Err(error) = end {
        let text = error.to_string();
        assert!(is_clean(&text), "{text:?}");
        assert!(!text.contains("s3cret"), "{text:?}");
    }
}

fn read(resource: Resource, client: &Client) -> Result<(), Error> {
    match resource {
        Resource::Document(document) => write(document),
        Resource::Menu(menu) => list(menu),
        Resource::Attributes(mut attributes) => attributes.try_for_each(|item| item.map(drop)),
        Resource::Form(form) => {
            let answers: Vec<_> = form.fields().iter().map(|_| Some(b"y".to_vec())).collect();
            let filled = form.fill(&answers)?;
            assert!(is_clean(&filled));
            match client.submit(&filled)? {
                Resource::Document(document) => write(document),
                Resource::Menu(menu) => list(menu),
                _ => Ok(()),
            }
        }
        Resource::Session(session) => hear(*session),
        other => panic!("no URL here leads to {other:?}"),
    }
}

/// What is written is as long as is said, and no longer than is allowed.
fn write(mut document: Document) -> Result<(), Error> {
    assert!(document.redirects().len() <= 2 + MOST_REDIRECTS as usize);
    assert!(document.notes().iter().all(|note| is_clean(note)));
    assert!(document.media_type().is_none_or(|media_type| is_clean(&media_type)));
    let mut written = Vec::new();
    let result = document.write_to(&mut written);
    assert!(written.len() as u64 <= 2 * MOST_OCTETS);
    assert!(result.as_ref().is_ok_and(|count| *count == written.len() as u64) || result.is_err());
    result.map(drop)
}

/// An error is the last of the entries, and each URL among them is one.
fn list(menu: Menu) -> Result<(), Error> {
    let mut failed = None;
    for entry in menu {
        assert!(failed.is_none(), "an entry after an error");
        match entry {
            Ok(entry) => {
                for url in entry.url.iter().chain(&entry.also) {
                    assert!(is_clean(&url.masked()));
                    assert!(Url::parse_with(url.as_str(), Profile::Current).is_ok(), "{url}");
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
