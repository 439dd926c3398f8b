//! Probes against real servers and hostile ones: tables of URLs and their verdicts (D-102).

mod files;
#[cfg(unix)]
mod ftp;
mod gopher;
mod hostile;
mod http;
#[cfg(unix)]
mod nntp;
mod old;
mod policy;

use crate::support::url;
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
