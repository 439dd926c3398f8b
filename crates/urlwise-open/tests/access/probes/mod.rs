//! Probes against real servers and hostile ones: tables of URLs and their verdicts (D-102).

mod files;
#[cfg(unix)]
mod ftp;
mod gopher;
mod hostile;
mod http;
#[cfg(unix)]
mod mail;
#[cfg(unix)]
mod nntp;
mod old;
mod policy;

use crate::support::url;
#[cfg(unix)]
use std::io::{BufRead as _, BufReader, Write as _};
#[cfg(unix)]
use std::net::TcpListener;
#[cfg(unix)]
use std::sync::mpsc::{self, Receiver};
use urlwise_open::{Client, Probe, ProbeOptions};

/// A URL or its path, its verdict, and the code that the server gave.
type Row = (&'static str, &'static str, Option<u16>);

fn probe(client: &Client, text: impl Into<String>) -> Probe {
    let probe = client.probe(&url(text), &ProbeOptions::default());
    assert_consistent(&probe);
    probe
}

/// What a probe of any URL promises.
fn assert_consistent(probe: &Probe) {
    let can_be_opened = matches!(probe.verdict.name(), "alive" | "moved");
    assert_eq!(probe.error.is_none(), can_be_opened, "{probe:?}");
    assert!(can_be_opened || probe.body.is_none(), "{probe:?}");
    for (index, note) in probe.notes.iter().enumerate() {
        assert!(!probe.notes[..index].contains(note), "twice: {note}");
    }
    if let Some(error) = &probe.error {
        let text = error.to_string();
        assert!(!text.contains(char::is_control) && !text.contains("s3cret"), "{text:?}");
    }
}

/// Probes every URL of a table, each made by `made`, and compares the verdicts.
fn check(client: &Client, table: &[Row], made: impl Fn(&str) -> String) {
    let differs = |(path, verdict, status): &Row| {
        let probe = probe(client, made(path));
        let found = (probe.verdict.to_string(), probe.status);
        (found != ((*verdict).to_owned(), *status))
            .then(|| format!("{path}: {found:?} and not {verdict} {status:?}: {:?}", probe.error))
    };
    let differing: Vec<_> = table.iter().filter_map(differs).collect();
    assert!(differing.is_empty(), "{differing:#?}");
}

fn codes(probe: &Probe) -> Vec<&'static str> {
    probe.notes.iter().map(|note| note.code).collect()
}

/// Replies of a server, each by the verb of the command.
#[cfg(unix)]
type Replies = &'static [(&'static str, &'static str)];

/// A greeting and the replies of a server, and the verdict of a URL that is asked for there.
#[cfg(unix)]
type Dialogue = (&'static str, Replies, &'static str);

/// A server that answers each command by its verb, and closes after a verb that it does not have.
#[cfg(unix)]
pub(crate) fn playing(greeting: &'static str, replies: Replies) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(stream.try_clone().expect("a socket")).lines();
            let mut reply = Some(greeting);
            while let Some(text) = reply {
                let Ok(()) = stream.write_all(text.as_bytes()) else { break };
                let Some(Ok(line)) = lines.next() else { break };
                let verb = line.split(' ').next().unwrap_or_default();
                reply = replies.iter().find(|(known, _)| *known == verb).map(|(_, reply)| *reply);
            }
        }
    });
    port
}

/// A server that gives each connection these replies, one to each line, and closes it; and the lines.
#[cfg(unix)]
fn closing(replies: &'static [&'static str]) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let (sender, heard) = mpsc::channel();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(stream.try_clone().expect("a socket")).lines();
            for reply in replies {
                let Ok(()) = stream.write_all(reply.as_bytes()) else { break };
                let Some(Ok(line)) = lines.next() else { break };
                // The test may be over.
                let _ = sender.send(line);
            }
        }
    });
    (port, heard)
}
