//! The body of an answer as it is made: in chunks, each of which the browser must take within its time.

use super::response::{Head, Value};
use crate::kept::{Copy, Pieces};
use std::io::{self, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Octets that are sent at a time.
const CHUNK: usize = 16 * 1024;

/// How long the browser may take for one of them.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often what is ready is sent although it is little.
const OFTEN: Duration = Duration::from_millis(50);

/// A browser that gets one answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Connection<'s> {
    pub(crate) stream: &'s TcpStream,
    /// Whether it gets the head alone (RFC 9110 section 9.3.2).
    pub(crate) is_head: bool,
}

/// An answer whose length is not known when it begins. If it is dropped before it is [finished](Body::finish), the browser sees that
/// the end is missing.
pub(crate) struct Body<'s> {
    connection: Connection<'s>,
    is_chunked: bool,
    /// The head, until it is sent with the first octets.
    head: Vec<u8>,
    ready: Vec<u8>,
    sent: Instant,
    /// How many octets are still to come, if the head says how many there are.
    left: Option<u64>,
    copy: Option<Copy<'s>>,
}

impl<'s> Body<'s> {
    /// Begins an answer. A browser of HTTP/1.0 takes no chunks, and learns the end from the end of the connection. One that asked for
    /// the head alone is gone once it has it, so that nobody is asked for the rest.
    pub(crate) fn begin(connection: Connection<'s>, head: Head, takes_chunks: bool) -> Body<'s> {
        let head = match takes_chunks {
            true => head.with("Transfer-Encoding", Value::fixed("chunked")),
            false => head,
        };
        let (is_chunked, ready) = (takes_chunks, Vec::with_capacity(CHUNK));
        Body { connection, is_chunked, head: head.octets(), ready, sent: Instant::now(), left: None, copy: None }
    }

    /// Begins an answer of so many octets, so that the browser can show how far it is. With fewer or more it is an error, and the
    /// browser sees that octets are missing: the last ones are held until nothing else follows.
    pub(crate) fn of_length(connection: Connection<'s>, head: Head, length: u64) -> Body<'s> {
        let head = head.with("Content-Length", Value::number(length));
        Body { left: Some(length), ..Body::begin(connection, head, false) }
    }

    /// Keeps a copy of what is sent, if it ends well.
    pub(crate) fn copied(self, copy: Option<Copy<'s>>) -> Body<'s> {
        Body { copy, ..self }
    }

    /// Keeps no copy: what was made is not all.
    pub(crate) fn forget(&mut self) {
        self.copy = None;
    }

    /// Whether nothing has been sent, so that another answer can take its place.
    pub(crate) fn is_unsent(&self) -> bool {
        !self.head.is_empty()
    }

    /// Sends what is ready, if it has waited for long enough to be seen.
    pub(crate) fn show(&mut self) -> io::Result<()> {
        if self.sent.elapsed() >= OFTEN { self.flush() } else { Ok(()) }
    }

    /// Ends the answer.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.left.is_some_and(|left| left > 0) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.flush()?;
        let end: &[u8] = if self.is_chunked { b"0\r\n\r\n" } else { b"" };
        send(self.connection.stream, end)?;
        if let Some(copy) = self.copy {
            copy.finish();
        }
        Ok(())
    }
}

impl Write for Body<'_> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if self.left.is_some_and(|left| left < octets.len() as u64) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "there are more octets than were announced"));
        }
        if self.ready.len() + octets.len() > CHUNK && !self.ready.is_empty() {
            self.flush()?;
        }
        let count = octets.len().min(CHUNK);
        self.ready.extend_from_slice(&octets[..count]);
        self.left = self.left.map(|left| left - count as u64);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut octets = std::mem::take(&mut self.head);
        if self.connection.is_head {
            send(self.connection.stream, &octets)?;
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        if !self.ready.is_empty() {
            if self.is_chunked {
                write!(octets, "{:x}\r\n", self.ready.len())?;
            }
            octets.extend_from_slice(&self.ready);
            octets.extend_from_slice(if self.is_chunked { b"\r\n" } else { b"" });
            if let Some(copy) = &mut self.copy {
                copy.push(&self.ready);
            }
            self.ready.clear();
        }
        self.sent = Instant::now();
        send(self.connection.stream, &octets)
    }
}

/// Sends a whole answer.
pub(crate) fn send_whole(connection: Connection<'_>, head: Head, body: &[u8]) -> io::Result<()> {
    send_all(connection, head, &[body])
}

/// Sends a whole answer that is in pieces.
pub(crate) fn send_pieces(connection: Connection<'_>, head: Head, body: &Pieces) -> io::Result<()> {
    send_all(connection, head, body)
}

fn send_all(connection: Connection<'_>, head: Head, body: &[impl AsRef<[u8]>]) -> io::Result<()> {
    let Connection { stream, is_head } = connection;
    let length = body.iter().map(|piece| piece.as_ref().len() as u64).sum();
    send(stream, &head.with("Content-Length", Value::number(length)).octets())?;
    let body = if is_head { &[] } else { body };
    body.iter().flat_map(|piece| piece.as_ref().chunks(CHUNK)).try_for_each(|chunk| send(stream, chunk))
}

/// Sends octets, all of them within the time for a chunk.
fn send(stream: &TcpStream, octets: &[u8]) -> io::Result<()> {
    send_within(PATIENCE, stream, octets)
}

fn send_within(patience: Duration, mut stream: &TcpStream, mut octets: &[u8]) -> io::Result<()> {
    let end = Instant::now() + patience;
    while !octets.is_empty() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_write_timeout(Some(left))?;
        match stream.write(octets) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => octets = &octets[count..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::net::TcpListener;

    /// What a browser gets of an answer of five octets to which these are written, and whether the answer ended well.
    fn announced(pieces: &[&[u8]]) -> (String, bool) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
        let mut browser = TcpStream::connect(listener.local_addr().expect("an address")).expect("a connection");
        let (stream, _) = listener.accept().expect("a browser");
        let connection = Connection { stream: &stream, is_head: false };
        let mut body = Body::of_length(connection, Head::page(super::super::response::Status::Ok), 5);
        let written = pieces.iter().try_for_each(|piece| body.write_all(piece));
        let is_fine = written.and_then(|()| body.finish()).is_ok();
        drop(stream);
        let mut got = String::new();
        browser.read_to_string(&mut got).expect("an answer");
        (got.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default(), is_fine)
    }

    #[test]
    fn an_answer_whose_length_is_announced_is_whole_or_seen_to_break_off() {
        assert_eq!(announced(&[b"ab", b"cde"]), ("abcde".to_owned(), true));
        for pieces in [&[&b"ab"[..]][..], &[], &[b"abcdef"], &[b"abcde", b"f"]] {
            let (got, is_fine) = announced(pieces);
            assert!(!is_fine && got.len() < 5, "{pieces:?}: {got}");
        }
    }

    #[test]
    fn security_61_a_browser_that_takes_an_octet_at_a_time_is_not_waited_for() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a listener");
        let mut browser = TcpStream::connect(listener.local_addr().expect("an address")).expect("a connection");
        let (stream, _) = listener.accept().expect("a browser");
        let slow = std::thread::spawn(move || {
            let start = Instant::now();
            // More than the buffers of loopback hold.
            let sent = send_within(Duration::from_millis(500), &stream, &vec![0; 64 << 20]);
            (sent.is_err(), start.elapsed())
        });
        while !slow.is_finished() {
            let _ = browser.read(&mut [0; 1 << 16]);
            std::thread::sleep(Duration::from_millis(50));
        }
        let (is_error, time) = slow.join().expect("it ends");
        assert!(is_error && time < Duration::from_secs(5), "{is_error} {time:?}");
    }
}
