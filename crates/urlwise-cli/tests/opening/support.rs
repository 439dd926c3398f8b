//! Temporary folders, runs of the program, and small servers.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// A temporary folder.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("urlwise-opening-{}-{number}", std::process::id()));
        fs::create_dir(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn file(&self, name: &str, octets: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.path(name), octets).unwrap();
        self.path(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs the program in the folder.
    pub(crate) fn urlwise<S: AsRef<str>>(&self, arguments: impl IntoIterator<Item = S>) -> Output {
        command(arguments).current_dir(&self.0).output().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A program whose messages are in English, whatever the locale of the tests.
pub(crate) fn english(program: &str) -> Command {
    let mut command = Command::new(program);
    for variable in ["LC_ALL", "LC_MESSAGES", "LANG"] {
        command.env_remove(variable);
    }
    command
}

pub(crate) fn command<S: AsRef<str>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = english(env!("CARGO_BIN_EXE_urlwise"));
    for argument in arguments {
        command.arg(argument.as_ref());
    }
    command.env("XDG_CONFIG_HOME", "/nonexistent").stdin(Stdio::null());
    command
}

pub(crate) fn urlwise(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

pub(crate) fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

pub(crate) fn file_url(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Starts a server that gives the same answer to this many connections and then stops. Returns its port.
pub(crate) fn answering(answer: &'static [u8], connections: usize) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().take(connections) {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(answer);
        }
    });
    port
}

/// A server that calls a function for every request, with one thread per connection.
pub(crate) struct Server {
    port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// `answer` gets the number of the request, counted from 0, its head, and the stream to write to.
    pub(crate) fn new(answer: impl Fn(usize, &str, &mut TcpStream) + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (answer, log) = (Arc::new(answer), Arc::clone(&requests));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut stream, answer, log) = (stream.unwrap(), Arc::clone(&answer), Arc::clone(&log));
                thread::spawn(move || {
                    let Some(head) = head(&stream) else { return };
                    let number = {
                        let mut log = log.lock().unwrap();
                        log.push(head.clone());
                        log.len() - 1
                    };
                    answer(number, &head, &mut stream);
                });
            }
        });
        Server { port, requests }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The heads of all requests so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

/// Reads the head of a request; `None` if the client closed the connection.
fn head(stream: &TcpStream) -> Option<String> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    Some(head)
}

/// The path of a request.
pub(crate) fn path(head: &str) -> &str {
    head.split(' ').nth(1).unwrap()
}

/// The offset that a request wants to resume from, if its validator matches.
pub(crate) fn range(head: &str, validator: &str) -> Option<usize> {
    let header = |name: &str| {
        head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    };
    let from = header("range")?.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()?;
    header("if-range").is_none_or(|known| known == validator).then_some(from)
}

/// Answers with a document, supporting ranges, and stops after `most` octets.
pub(crate) fn give(stream: &mut TcpStream, head: &str, document: &[u8], validator: &str, most: usize) {
    let whole = document.len();
    let (status, from) = match range(head, validator) {
        Some(from) => (format!("206 Partial Content\r\nContent-Range: bytes {from}-{}/{whole}", whole - 1), from),
        None => ("200 OK".into(), 0),
    };
    let length = whole - from;
    let headers =
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nETag: {validator}\r\nConnection: close\r\n\r\n");
    // The client may have closed the connection.
    let _ = stream.write_all(headers.as_bytes());
    if !head.starts_with("HEAD") {
        let _ = stream.write_all(&document[from..whole.min(from + most)]);
    }
}

/// Octets without repetition, so that misplaced parts are noticed.
pub(crate) fn document(length: usize) -> Vec<u8> {
    (0..length / 4 + 1).flat_map(|number| (number as u32).to_be_bytes()).take(length).collect()
}
