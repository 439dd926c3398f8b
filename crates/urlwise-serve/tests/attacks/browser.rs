//! A gateway for one test, and a client that says exactly what it is told to say.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::Duration;

use urlwise_open::policy::Policy;
use urlwise_serve::{Gateway, Options};

/// An answer of the gateway.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
    /// Whether the end of the body was announced.
    pub(crate) is_whole: bool,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    /// The value of a field; empty without one.
    pub(crate) fn field(&self, name: &str) -> &str {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value).next().unwrap_or_default()
    }
}

/// A running gateway, and what a browser knows of it.
pub(crate) struct Browser {
    pub(crate) port: u16,
    pub(crate) cookie: String,
}

/// Options that let a gateway open the servers of the tests, which are on loopback.
pub(crate) fn local() -> Options {
    let mut options = Options::default();
    options.client.policy = Policy::default().allow("local-from-public").unwrap();
    options
}

/// Runs a gateway, and gives the address that opens its session.
pub(crate) fn run(options: Options) -> String {
    let gateway = Gateway::bind(options).unwrap();
    let address = gateway.start_url().to_owned();
    thread::spawn(move || gateway.run());
    address
}

impl Browser {
    /// Opens the session of a new gateway.
    pub(crate) fn new(options: Options) -> Browser {
        let (port, path) = split(&run(options));
        let answer = say(port, format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"));
        assert_eq!(answer.status, 303, "{}", answer.head);
        let cookie = answer.field("Set-Cookie").split(';').next().unwrap().to_owned();
        Browser { port, cookie }
    }

    /// Asks as a browser does for a page of ours, with more fields.
    pub(crate) fn get_with(&self, path: &str, fields: &str) -> Answer {
        let Browser { port, cookie } = self;
        say(*port, format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n{fields}\r\n"))
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.get_with(path, "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Dest: document\r\n")
    }

    /// The page of a URL.
    pub(crate) fn open(&self, url: &str) -> Answer {
        self.get(&["/open?url=", &encoded(url)].concat())
    }

    /// Sends a form with these fields.
    pub(crate) fn post_with(&self, path: &str, fields: &str, body: &str) -> Answer {
        let (Browser { port, cookie }, length) = (self, body.len());
        let head = format!("POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n{fields}");
        let form = format!("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n{body}");
        say(*port, [head, form].concat())
    }

    /// Sends a form as browsers do from a page that sends no referrer.
    pub(crate) fn post(&self, path: &str, body: &str) -> Answer {
        self.post_with(path, "Origin: null\r\nSec-Fetch-Site: same-origin\r\n", body)
    }

    /// The token in the form of a page.
    pub(crate) fn token(page: &str) -> String {
        page.split_once("name=\"token\" value=\"").unwrap().1[..32].to_owned()
    }
}

/// The port and the path of an address.
pub(crate) fn split(address: &str) -> (u16, String) {
    let (port, path) = address.strip_prefix("http://127.0.0.1:").unwrap().split_once('/').unwrap();
    (port.parse().unwrap(), ["/", path].concat())
}

/// Every octet that is not a letter or a digit, escaped.
pub(crate) fn encoded(text: &str) -> String {
    let octet = |octet: u8| match octet.is_ascii_alphanumeric() {
        true => char::from(octet).to_string(),
        false => format!("%{octet:02X}"),
    };
    text.bytes().map(octet).collect()
}

pub(crate) fn connect(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream
}

/// Sends a text and reads the answer to its end.
pub(crate) fn say(port: u16, text: impl AsRef<[u8]>) -> Answer {
    let mut stream = connect(port);
    stream.write_all(text.as_ref()).unwrap();
    hear(&mut stream)
}

/// Reads an answer to its end.
pub(crate) fn hear(stream: &mut TcpStream) -> Answer {
    let mut octets = Vec::new();
    // A connection that is reset after the answer has brought it all the same.
    let _ = stream.read_to_end(&mut octets);
    let _ = stream.shutdown(Shutdown::Both);
    let end = octets.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8(octets[..end].to_vec()).unwrap();
    let rest = &octets[end + 4..];
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let mut answer = Answer { status, head, body: rest.to_vec(), is_whole: true };
    if answer.field("Transfer-Encoding") == "chunked" {
        (answer.body, answer.is_whole) = dechunked(rest);
    } else if let Ok(length) = answer.field("Content-Length").parse() {
        answer.is_whole = answer.body.len() == length;
    }
    answer
}

fn dechunked(mut octets: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    while let Some(end) = octets.windows(2).position(|two| two == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&octets[..end]).unwrap(), 16).unwrap();
        if size == 0 {
            return (body, true);
        }
        body.extend_from_slice(&octets[end + 2..end + 2 + size]);
        octets = &octets[end + 2 + size + 2..];
    }
    (body, false)
}
