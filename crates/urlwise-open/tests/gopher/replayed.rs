//! The recorded servers, answering again over TCP on loopback.

use super::recorded::{folder, transcript};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A server that answers each recorded request, octet for octet, as it was answered then, and every other one with an error.
pub(crate) struct Replayed {
    port: u16,
    asked: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Replayed {
    /// The servers whose transcripts have names that begin so: `umn-`.
    pub(crate) fn start(prefixes: &'static [&'static str]) -> Replayed {
        let files = std::fs::read_dir(folder()).expect("there are transcripts");
        let mut names: Vec<String> = files
            .filter_map(|file| file.expect("a file").file_name().to_str()?.strip_suffix(".txt").map(str::to_owned))
            .filter(|name| prefixes.iter().any(|prefix| name.starts_with(prefix)))
            .collect();
        names.sort();
        let recorded: Vec<_> = names.iter().map(|name| transcript(name)).collect();
        assert!(!recorded.is_empty(), "nothing was recorded of {prefixes:?}");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket");
                let request = request(&mut stream);
                kept.lock().expect("no test panics with it").push(request.clone());
                let answer = recorded.iter().find(|(sent, _)| *sent == request).map(|(_, answer)| answer.as_slice());
                // A client that has read enough closes early.
                let _ = stream.write_all(answer.unwrap_or(b"--1\r\n1 Admin <a@b>\r\nThis was not recorded.\r\n.\r\n"));
            }
        });
        Replayed { port, asked }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("gopher://127.0.0.1:{}{path}", self.port)
    }

    /// The requests so far, escaped.
    pub(crate) fn asked(&self) -> Vec<String> {
        let asked = self.asked.lock().expect("no test panics with it");
        asked.iter().map(|request| request.escape_ascii().to_string()).collect()
    }
}

/// A request line, and the answers of a form if it says that they follow.
fn request(stream: &mut TcpStream) -> Vec<u8> {
    let mut request = Vec::new();
    let mut octet = [0];
    let is_whole = |request: &[u8]| {
        let line = request.iter().position(|octet| *octet == b'\n').map(|end| &request[..=end]);
        match line {
            Some(line) if line.ends_with(b"\t1\r\n") => request.ends_with(b"\r\n.\r\n"),
            line => line.is_some(),
        }
    };
    while !is_whole(&request) && matches!(stream.read(&mut octet), Ok(1)) {
        request.push(octet[0]);
    }
    request
}
