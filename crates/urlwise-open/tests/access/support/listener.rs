//! Servers of a few lines, for answers no real server would give.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A server that does one thing with each connection and keeps what it was asked.
pub(crate) struct Listener {
    pub(crate) port: u16,
    asked: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Listener {
    /// Reads a request up to its empty line (http), keeps it, and hands over the connection.
    pub(crate) fn http(answer: impl Fn(TcpStream) + Send + 'static) -> Listener {
        Listener::start(b"\r\n\r\n", answer)
    }

    /// Reads one line (gopher), keeps it, and hands over the connection.
    pub(crate) fn line(answer: impl Fn(TcpStream) + Send + 'static) -> Listener {
        Listener::start(b"\r\n", answer)
    }

    /// Answers every http request with these octets.
    pub(crate) fn answering(octets: impl AsRef<[u8]> + Send + 'static) -> Listener {
        Listener::http(move |mut stream| send(&mut stream, octets.as_ref()))
    }

    /// Answers every http request with what is made then.
    pub(crate) fn answering_with(answer: impl Fn() -> String + Send + 'static) -> Listener {
        Listener::http(move |mut stream| send(&mut stream, answer().as_bytes()))
    }

    /// Answers every line with these octets.
    pub(crate) fn answering_line(octets: impl AsRef<[u8]> + Send + 'static) -> Listener {
        Listener::line(move |mut stream| send(&mut stream, octets.as_ref()))
    }

    fn start(until: &'static [u8], answer: impl Fn(TcpStream) + Send + 'static) -> Listener {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket");
                let request = read_until(&mut stream, until);
                kept.lock().expect("no test panics with it").push(request);
                answer(stream);
            }
        });
        Listener { port, asked }
    }

    /// Answers requests as long as the connection lasts; `answer` gets how many requests came before on it, and the request. It
    /// closes after `None`. Each connection has a thread of its own.
    pub(crate) fn keeping(answer: impl Fn(usize, &[u8]) -> Option<Vec<u8>> + Send + Sync + 'static) -> Listener {
        let answer = Arc::new(answer);
        let numbers = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&numbers);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let (answer, kept) = (Arc::clone(&answer), Arc::clone(&kept));
                std::thread::spawn(move || {
                    for number in 0.. {
                        let request = read_head(&mut stream);
                        if request.is_empty() {
                            return;
                        }
                        kept.lock()
                            .expect("no test panics with it")
                            .push([number.to_string().as_bytes(), b" ", &request].concat());
                        let Some(octets) = answer(number, &request) else { return };
                        send(&mut stream, &octets);
                    }
                });
            }
        });
        Listener { port, asked: numbers }
    }

    /// The number on its connection of each request so far, to a [keeping](Listener::keeping) listener.
    pub(crate) fn numbers(&self) -> Vec<usize> {
        let number =
            |request: &Vec<u8>| String::from_utf8_lossy(request).split(' ').next().and_then(|word| word.parse().ok());
        self.asked().iter().map(|request| number(request).expect("it is a keeping listener")).collect()
    }

    /// The requests so far, octet for octet.
    pub(crate) fn asked(&self) -> Vec<Vec<u8>> {
        self.asked.lock().expect("no test panics with it").clone()
    }

    pub(crate) fn http_url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn gopher_url(&self, path: &str) -> String {
        format!("gopher://127.0.0.1:{}{path}", self.port)
    }
}

/// Writes as much as the peer takes, and closes.
fn send(stream: &mut TcpStream, octets: &[u8]) {
    // A client that has read enough closes early.
    let _ = stream.write_all(octets);
}

/// An http request up to its empty line.
pub(crate) fn read_head(stream: &mut impl Read) -> Vec<u8> {
    read_until(stream, b"\r\n\r\n")
}

fn read_until(stream: &mut impl Read, until: &[u8]) -> Vec<u8> {
    let mut request = Vec::new();
    let mut octet = [0];
    while !request.ends_with(until) && matches!(stream.read(&mut octet), Ok(1)) {
        request.push(octet[0]);
    }
    request
}
