//! A wais server that plays what a real one answered.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::{fs, thread};

/// Octets of the header before a message.
pub(crate) const HEADER: usize = 25;

/// Starts a server that gives the k-th of these answers to the k-th request of each connection, and then ends its side. What
/// comes after that is read all the same: closing before would break the connection instead of ending it. Returns its port.
pub(crate) fn playing(answers: Vec<Vec<u8>>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let answers = answers.clone();
            thread::spawn(move || {
                for answer in answers {
                    request(&mut stream)?;
                    stream.write_all(&answer)?;
                }
                stream.shutdown(Shutdown::Write)?;
                io::copy(&mut stream, &mut io::sink())
            });
        }
    });
    port
}

/// Reads a request.
pub(crate) fn request(stream: &mut TcpStream) -> io::Result<()> {
    let mut header = [0; HEADER];
    stream.read_exact(&mut header)?;
    let length = std::str::from_utf8(&header[..10]).unwrap().parse().unwrap();
    stream.read_exact(&mut vec![0; length])
}

/// The answers of a recorded connection (urlwise-open/tests/wire/wais).
pub(crate) fn recorded(name: &str) -> Vec<Vec<u8>> {
    let path = format!("{}/../urlwise-open/tests/wire/wais/{name}.s2c.bin", env!("CARGO_MANIFEST_DIR"));
    let octets = fs::read(path).unwrap();
    let mut rest = octets.as_slice();
    let mut answers = Vec::new();
    while !rest.is_empty() {
        let length: usize = std::str::from_utf8(&rest[..10]).unwrap().parse().unwrap();
        let (answer, behind) = rest.split_at(HEADER + length);
        answers.push(answer.to_vec());
        rest = behind;
    }
    answers
}
