//! Servers that say what a test wants, and remember what they heard.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// A server on loopback.
pub(crate) struct Host {
    pub(crate) port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Host {
    /// A server that treats every connection alike.
    pub(crate) fn new(talk: impl Fn(BufReader<TcpStream>, &dyn Fn(String)) + Send + Sync + 'static) -> Host {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let (log, talk) = (Arc::clone(&heard), Arc::new(talk));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (log, talk) = (Arc::clone(&log), Arc::clone(&talk));
                let _ = stream.set_read_timeout(Some(Duration::from_secs(20)));
                log.lock().unwrap().push(String::new());
                thread::spawn(move || talk(BufReader::new(stream), &|line| log.lock().unwrap().push(line)));
            }
        });
        Host { port, heard }
    }

    /// Answers one line with these octets.
    pub(crate) fn gopher(answer: impl Into<Vec<u8>>) -> Host {
        let answer = answer.into();
        Host::new(move |mut reader, log| {
            let mut line = String::new();
            let _ = reader.read_line(&mut line);
            log(line);
            let _ = reader.get_mut().write_all(&answer);
        })
    }

    /// Answers the head of a request of HTTP.
    pub(crate) fn http(answer: impl Into<Vec<u8>>) -> Host {
        let answer = answer.into();
        Host::new(move |mut reader, log| {
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|count| count > 2) {
                log(std::mem::take(&mut line));
            }
            let _ = reader.get_mut().write_all(&answer);
        })
    }

    /// Answers each line by the first row whose beginning it has; the first row is the greeting.
    pub(crate) fn lines(rows: Vec<(&'static str, Vec<u8>)>) -> Host {
        Host::new(move |mut reader, log| {
            let _ = reader.get_mut().write_all(&rows[0].1);
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|count| count > 0) {
                let answer = rows.iter().skip(1).find(|(begin, _)| line.starts_with(begin));
                let _ = reader.get_mut().write_all(answer.map_or(b"500 what?\r\n", |(_, answer)| answer));
                log(std::mem::take(&mut line));
            }
        })
    }

    /// An ftp server whose every transfer brings this.
    pub(crate) fn ftp(greeting: &'static str, data: impl Into<Vec<u8>>) -> Host {
        let data = data.into();
        Host::new(move |mut reader, log| {
            let _ = reader.get_mut().write_all(greeting.as_bytes());
            let transfers = TcpListener::bind("127.0.0.1:0").unwrap();
            let port = transfers.local_addr().unwrap().port();
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|count| count > 0) {
                let reply = match line.split([' ', '\r']).next().unwrap() {
                    "USER" => "331 who?\r\n".to_owned(),
                    "PASS" => "230 in\r\n".to_owned(),
                    "EPSV" => format!("229 go (|||{port}|)\r\n"),
                    "FEAT" => "211-these\r\n MLST type*;size*;modify*;\r\n211 end\r\n".to_owned(),
                    "TYPE" | "CWD" => "250 so be it\r\n".to_owned(),
                    "MLSD" | "RETR" => {
                        let _ = reader.get_mut().write_all(b"150 go\r\n");
                        let _ = transfers.accept().unwrap().0.write_all(&data);
                        "226 done\r\n".to_owned()
                    }
                    _ => "502 what?\r\n".to_owned(),
                };
                log(std::mem::take(&mut line));
                let _ = reader.get_mut().write_all(reply.as_bytes());
            }
        })
    }

    pub(crate) fn url(&self, scheme: &str, rest: &str) -> String {
        format!("{scheme}://127.0.0.1:{}/{rest}", self.port)
    }

    /// Everything that was heard: an empty entry for each connection, and its lines.
    pub(crate) fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }

    pub(crate) fn connections(&self) -> usize {
        self.heard().iter().filter(|line| line.is_empty()).count()
    }
}

/// A Prospero server that answers a request by the first row whose word it has with the lines of that text, in the packet format of a
/// recorded answer.
pub(crate) fn prospero(rows: &'static [(&'static str, &'static str)]) -> u16 {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    thread::spawn(move || {
        let mut room = [0; 2048];
        while let Ok((count, client)) = socket.recv_from(&mut room) {
            if count < 5 || room[3..5] == [0, 0] {
                continue;
            }
            let asked = String::from_utf8_lossy(&room[..count]);
            let Some((_, text)) = rows.iter().find(|(word, _)| asked.contains(word)) else { continue };
            // A header of three octets: its length and the connection.
            let head = [3, room[1], room[2]];
            let _ = socket.send_to(&[&head[..], text.as_bytes()].concat(), client);
        }
    });
    port
}
