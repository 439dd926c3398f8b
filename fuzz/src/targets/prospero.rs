//! Any name, any answers, in any pieces: the Prospero machine never panics, asks for nothing after an answer's end, sends requests
//! whose every line is one it means, follows forwardings and unions no further than it may, and reads answers the same whole and in
//! pieces.
//!
//! The input is: flags, the length of the pieces, the hsoname up to the first `FE`, answers that `FE` parts.

// The tests hold dialogues with the same file.
#[allow(dead_code, reason = "they look at more of a dialogue than this does")]
#[path = "../../../crates/urlwise-open/tests/prospero/held.rs"]
mod held;

use held::{Held, hold_in_pieces, machine_of};
use urlwise::Scheme;
use urlwise::build::Draft;
use urlwise_open::protocol::End;
use urlwise_open::protocol::prospero::{ProsperoGoal, ProsperoSettings};

const SETTINGS: fn() -> ProsperoSettings = || {
    ProsperoSettings::default().with(|settings| {
        settings.hops = 5;
        settings.unions = 3;
    })
};

pub(crate) fn run(input: &[u8]) {
    let [flags, piece, rest @ ..] = input else { return };
    let mut parts = rest.split(|octet| *octet == 0xfe);
    let hsoname = parts.next().unwrap_or_default();
    let answers: Vec<_> = parts.collect();
    let Ok(url) = Draft::of(Scheme::Prospero).with("host", "h").with("hsoname", hsoname).build() else { return };
    let goal = if flags & 1 == 0 { ProsperoGoal::Open } else { ProsperoGoal::List };
    let end = if flags & 2 == 0 { End::Closed } else { End::Broken };
    let hold = |piece| hold_in_pieces(machine_of(url.as_str(), goal, SETTINGS()), &answers, piece, end);

    let whole = hold(usize::MAX);
    assert_eq!(whole, hold(usize::from(*piece) + 1));
    bounded(&whole);
    for (url, request) in &whole.inquiries {
        assert!(url.starts_with("prospero://") && !url.contains(char::is_control));
        four_lines(request.as_bytes());
    }
}

/// Three questions, each forwarded, and as many directories.
fn bounded(held: &Held) {
    assert!(held.inquiries.len() <= 4 + 5 + 3, "{} requests", held.inquiries.len());
    assert!(held.followed.len() <= 20);
    assert!(held.notes.len() <= 20);
}

/// The lines of a request end where no quote is open, and begin with the words that the machine means.
fn four_lines(request: &[u8]) {
    let mut quotes = 0;
    let mut starts = vec![0];
    for (at, octet) in request.iter().enumerate() {
        match octet {
            b'\'' => quotes += 1,
            b'\n' if quotes % 2 == 0 => starts.push(at + 1),
            _ => {}
        }
    }
    assert_eq!(starts.pop(), Some(request.len()));
    let begins = |at: usize, word: &[u8]| starts.get(at).is_some_and(|start| request[*start..].starts_with(word));
    assert!(begins(0, b"VERSION 5 ") && begins(1, b"AUTHENTICATE "));
    let is_list = begins(2, b"DIRECTORY ASCII ") && begins(3, b"LIST ATTRIBUTES COMPONENTS\n") && starts.len() == 4;
    let is_object = begins(2, b"GET-OBJECT-INFO ") && starts.len() == 3;
    assert!(is_list || is_object);
}
