//! The body of an answer as it is made: in chunks, each of which the browser must take within its time.

use super::response::Head;
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

/// An answer whose length is not known when it begins. If it is dropped before it is [finished](Body::finish), the browser sees that
/// the end is missing.
pub(crate) struct Body<'s> {
    stream: &'s TcpStream,
    is_chunked: bool,
    /// The head, until it is sent with the first octets.
    head: Vec<u8>,
    ready: Vec<u8>,
    sent: Instant,
    copy: Option<Copy<'s>>,
}

impl<'s> Body<'s> {
    /// Begins an answer. A browser of HTTP/1.0 takes no chunks, and learns the end from the end of the connection.
    pub(crate) fn begin(stream: &'s TcpStream, head: Head, takes_chunks: bool) -> Body<'s> {
        let head = match takes_chunks {
            true => head.with("Transfer-Encoding", super::response::Value::fixed("chunked")),
            false => head,
        };
        let (is_chunked, ready) = (takes_chunks, Vec::with_capacity(CHUNK));
        Body { stream, is_chunked, head: head.octets(), ready, sent: Instant::now(), copy: None }
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
        self.flush()?;
        let end: &[u8] = if self.is_chunked { b"0\r\n\r\n" } else { b"" };
        send(self.stream, end)?;
        if let Some(copy) = self.copy {
            copy.finish();
        }
        Ok(())
    }
}

impl Write for Body<'_> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if self.ready.len() + octets.len() > CHUNK && !self.ready.is_empty() {
            self.flush()?;
        }
        let count = octets.len().min(CHUNK);
        self.ready.extend_from_slice(&octets[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut octets = std::mem::take(&mut self.head);
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
        send(self.stream, &octets)
    }
}

/// Sends a whole answer.
pub(crate) fn send_whole(stream: &TcpStream, head: Head, body: &[u8]) -> io::Result<()> {
    let head = head.with("Content-Length", super::response::Value::number(body.len() as u64));
    send(stream, &head.octets())?;
    body.chunks(CHUNK).try_for_each(|chunk| send(stream, chunk))
}

/// Sends a whole answer that is in pieces.
pub(crate) fn send_pieces(stream: &TcpStream, head: Head, body: &Pieces) -> io::Result<()> {
    let length = body.iter().map(|piece| piece.len() as u64).sum();
    let head = head.with("Content-Length", super::response::Value::number(length));
    send(stream, &head.octets())?;
    body.iter().flat_map(|piece| piece.chunks(CHUNK)).try_for_each(|chunk| send(stream, chunk))
}

/// Sends octets, all of them within the time for a chunk.
fn send(mut stream: &TcpStream, mut octets: &[u8]) -> io::Result<()> {
    let end = Instant::now() + PATIENCE;
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
