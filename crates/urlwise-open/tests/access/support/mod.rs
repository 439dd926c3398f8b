//! What the tests share: a client, servers on loopback, folders that go away.

pub(crate) mod daemon;
#[cfg(all(unix, feature = "mail"))]
mod exim;
#[cfg(unix)]
mod finger;
#[cfg(unix)]
mod ftp;
#[cfg(unix)]
mod inn;
mod listener;
mod prospero;
#[cfg(unix)]
mod relay;
#[cfg(unix)]
mod telnet;
mod tools;

pub(crate) use daemon::{Authority, Gophernicus, Nginx, Pygopherd, TlsFront};
#[cfg(all(unix, feature = "mail"))]
pub(crate) use exim::Exim;
#[cfg(unix)]
pub(crate) use finger::Fingerd;
#[cfg(unix)]
pub(crate) use ftp::{FtpKind, FtpServer, PLACES, fill};
#[cfg(unix)]
pub(crate) use inn::Inn;
pub(crate) use listener::{Listener, read_head};
pub(crate) use prospero::{Prospero, recorded as recorded_session};
#[cfg(unix)]
pub(crate) use relay::Relay;
#[cfg(unix)]
pub(crate) use telnet::Telnetd;
pub(crate) use tools::{Folder, find, require, run};

use std::time::Duration;
use urlwise::{Profile, Url};
use urlwise_open::{Client, Document, Error, ErrorKind, Menu, Options, Resource};

/// Options with deadlines short enough for tests.
pub(crate) fn options() -> Options {
    let mut options = Options::default();
    // On a busy machine a server may need long to start what answers a connection.
    options.deadlines.connect = Duration::from_secs(60);
    options.deadlines.first_byte = Duration::from_secs(60);
    options.deadlines.idle = Duration::from_secs(60);
    options
}

pub(crate) fn client() -> Client {
    Client::new(options())
}

pub(crate) fn client_with(change: impl FnOnce(&mut Options)) -> Client {
    let mut options = options();
    change(&mut options);
    Client::new(options)
}

/// Reads a URL by the profile `current`.
pub(crate) fn url(text: impl Into<String>) -> Url<String> {
    let text = text.into();
    Url::parse_with(text, Profile::Current).expect("a valid URL")
}

pub(crate) fn document(client: &Client, text: impl Into<String>) -> Document {
    match client.open(&url(text)).expect("it opens") {
        Resource::Document(document) => document,
        other => panic!("not a document: {other:?}"),
    }
}

pub(crate) fn menu(client: &Client, text: impl Into<String>) -> Menu {
    client.list(&url(text)).expect("it lists")
}

/// The whole document.
pub(crate) fn get(client: &Client, text: impl Into<String>) -> Vec<u8> {
    let mut octets = Vec::new();
    document(client, text).write_to(&mut octets).expect("it can be read");
    octets
}

/// The error of opening or of reading to the end, whichever comes first.
pub(crate) fn failure(client: &Client, text: impl Into<String>) -> Error {
    let url = url(text);
    let read = client.open(&url).and_then(|resource| match resource {
        Resource::Document(mut document) => document.write_to(&mut std::io::sink()),
        Resource::Menu(menu) => menu.collect::<Result<Vec<_>, _>>().map(|entries| entries.len() as u64),
        other => panic!("unknown resource: {other:?}"),
    });
    let error = read.expect_err(url.as_str());
    assert_is_showable(&error);
    error
}

pub(crate) fn failure_kind(client: &Client, text: impl Into<String>) -> ErrorKind {
    failure(client, text).kind()
}

/// Nothing an error says may reach a terminal as a control.
fn assert_is_showable(error: &Error) {
    for text in [error.to_string(), format!("{error:?}")] {
        assert!(!text.contains(char::is_control), "{text:?}");
        assert!(!text.contains("s3cret"), "{text}");
    }
}
