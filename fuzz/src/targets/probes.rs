//! Any answers to a probe: it has a verdict and, unless the URL can be opened, a reason without control characters and passwords; no
//! more of a document than was asked for; and a time to wait that is bounded. Of mailto URLs a name server is asked.
//!
//! The input is: the URL, flags, then answers that `FE` parts. An answer to a datagram that is no shorter gets its id and question.

use crate::calls;
use crate::text::is_clean;
use std::time::Duration;
use urlwise::{Profile, Url};
use urlwise_open::testing::offline;
use urlwise_open::{Client, NameServers, ProbeOptions, ProbeVerdict};

/// Beside those of other calls: mail, and a public address, which documents may lead to.
const MORE: &[&str] = &[
    "mailto:joe@h.example",
    "mailto:joe@h.example",
    "http://8.8.8.8/a",
    "gopher://8.8.8.8/0a",
    "ftp://8.8.8.8/a",
    "http://8.8.8.8/b",
];

const LONGEST_PROBE: Duration = Duration::from_millis(4);
const MOST_OCTETS: usize = 100;
const YEAR: Duration = Duration::from_secs(366 * 24 * 3600);

pub(crate) fn run(input: &[u8]) {
    if calls::holds(input, calls::SECRET) {
        return;
    }
    let [which, flags, rest @ ..] = input else { return };
    let which = usize::from(*which) % (calls::URLS.len() + MORE.len());
    let url = calls::parsed(calls::URLS.iter().chain(MORE).nth(which).expect("it is less than their number"));
    let mut options = calls::options(*flags);
    options.name_servers = Some(NameServers::parse("192.0.2.53").expect("an address"));
    let mut probing = ProbeOptions::default();
    probing.timeout = Some(LONGEST_PROBE);
    probing.body_limit = (flags & 1 != 0).then_some(MOST_OCTETS);
    if flags & 2 != 0 {
        probing.linked_from = Some(calls::parsed("http://h.example/index.html"));
    }
    let client = Client::new(options);
    let (probe, sent) = offline(calls::answers(rest), || client.probe(&url, &probing));
    calls::keeps_secrets(&sent);

    let can_be_opened = matches!(probe.verdict, ProbeVerdict::Alive | ProbeVerdict::Moved);
    assert_eq!(can_be_opened, probe.error.is_none(), "{probe:?}");
    probe.error.iter().for_each(|error| drop(calls::shown(error)));
    assert!(is_clean(&probe.verdict));
    if let Some(last) = &probe.final_url {
        assert!(Url::parse_with(last.as_str(), Profile::Current).is_ok() && last.as_str() != url.as_str(), "{last}");
    }
    assert!(probe.retry_after.is_none_or(|wait| wait <= YEAR), "{probe:?}");
    if let Some(body) = &probe.body {
        assert!(probing.body_limit.is_some() && body.octets.len() <= MOST_OCTETS && can_be_opened, "{probe:?}");
        assert!(body.media_type.as_ref().is_none_or(|media_type| is_clean(media_type)));
    }
    for (place, note) in probe.notes.iter().enumerate() {
        assert!(is_clean(note) && !probe.notes[..place].contains(note), "{probe:?}");
    }
}
