//! What the tests share: a client, servers on loopback, folders that go away.

mod daemon;
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

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use urlwise::{Profile, Url};
use urlwise_open::{Client, Document, Error, ErrorKind, Menu, Options, Resource};

/// Options with deadlines short enough for tests.
pub(crate) fn options() -> Options {
    let mut options = Options::default();
    options.deadlines.connect = Duration::from_secs(10);
    options.deadlines.first_byte = Duration::from_secs(10);
    options.deadlines.idle = Duration::from_secs(10);
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
    Url::parse_with(Profile::Current, text).expect("a valid URL")
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

/// Whether every program is installed. Where not, the test says so and is over; with `CI=true` that is a failure.
#[expect(clippy::print_stderr, reason = "the test runner keeps it and shows it beside the test's name")]
pub(crate) fn require(programs: &[&str]) -> bool {
    for program in programs {
        if find(program).is_none() {
            assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{program} is not installed");
            eprintln!("skipped: {program} is not installed");
            return false;
        }
    }
    true
}

/// Where a program is; servers are not always on the path of a user.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).chain(["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from));
    places.map(|place| place.join(program)).find(|file| file.is_file())
}

pub(crate) fn run(program: &str, arguments: &[&str]) {
    let program = find(program).expect("it is required before");
    let output = Command::new(&program).args(arguments).stdin(Stdio::null()).output().expect("it starts");
    assert!(output.status.success(), "{program:?} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A folder of its own for one test, readable by every user, removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("urlwise-open-{}-{number}", std::process::id()));
        fs::create_dir(&path).expect("a new folder");
        // gophernicus runs as nobody.
        #[cfg(unix)]
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("our folder");
        Folder(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        self.join(name).to_str().expect("an ASCII path").to_owned()
    }

    pub(crate) fn write(&self, name: &str, octets: impl AsRef<[u8]>) {
        let path = self.join(name);
        fs::create_dir_all(path.parent().expect("it is inside")).expect("folders can be made");
        fs::write(path, octets).expect("files can be written");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that cannot be removed is no reason to fail a test that has passed.
        let _ = fs::remove_dir_all(&self.0);
    }
}
