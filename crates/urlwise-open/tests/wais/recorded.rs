//! Messages of recorded connections: `wire/wais/README.md` tells where they come from.

use std::fs;
use std::path::PathBuf;
use urlwise_open::testing::play;

/// Octets of the header before a message.
pub(crate) const HEADER: usize = 25;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/wire/wais")
}

/// The names of the recorded connections.
pub(crate) fn names() -> Vec<String> {
    let files = fs::read_dir(folder()).expect("the transcripts are there").map(|file| file.expect("it can be listed"));
    let mut names: Vec<_> =
        files.filter_map(|file| file.file_name().to_str()?.strip_suffix(".s2c.bin").map(str::to_owned)).collect();
    names.sort();
    names
}

/// The messages of one direction of a recorded connection, headers included.
fn messages(name: &str, direction: &str) -> Vec<Vec<u8>> {
    let path = folder().join(format!("{name}.{direction}.bin"));
    let octets = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut rest = octets.as_slice();
    let mut messages = Vec::new();
    while !rest.is_empty() {
        let digits = std::str::from_utf8(&rest[..10]).expect("a length in digits");
        let length: usize = digits.parse().expect("a length in digits");
        let (message, behind) = rest.split_at(HEADER + length);
        messages.push(message.to_vec());
        rest = behind;
    }
    messages
}

/// What the recorded client sent.
pub(crate) fn requests(name: &str) -> Vec<Vec<u8>> {
    messages(name, "c2s")
}

/// What the recorded server answered.
pub(crate) fn answers(name: &str) -> Vec<Vec<u8>> {
    messages(name, "s2c")
}

/// The document-id of a hit in a recorded answer, by the place of the hit.
pub(crate) fn id(name: &str, answer: usize, hit: usize) -> Vec<u8> {
    use urlwise_open::protocol::wais::{WaisGoal, WaisMachine, WaisRequest, WaisSettings};
    let request = WaisRequest::new(b"db", WaisGoal::Help);
    let machine = WaisMachine::new(request, WaisSettings::default().with(|settings| settings.init = false));
    let answer = &answers(name)[answer];
    let held = play(machine, answer, None);
    let mut ids = held.entries.into_iter().map(|hit| hit.id);
    ids.nth(hit).expect("the recorded answer holds the hit")
}
