//! Any name, any answer, in any pieces: the finger machine never panics, keeps its contract, comes to the same whole and in pieces,
//! and sends one line without control octets, or nothing.
//!
//! The input is: flags, the length of the pieces, the user name up to the first `FE`, the answer.

use urlwise::build::Draft;
use urlwise::{Locator, Scheme};
use urlwise_open::protocol::finger::{FingerMachine, FingerRequest, FingerSettings};
use urlwise_open::protocol::{End, plan};
use urlwise_open::testing::{Network, hold, says};

pub(crate) fn run(input: &[u8]) {
    let [flags, piece, rest @ ..] = input else { return };
    let at = rest.iter().position(|octet| *octet == 0xfe).unwrap_or(rest.len());
    let (username, answer) = (&rest[..at], rest.get(at + 1..).unwrap_or_default());
    let request = FingerRequest::default().with(|request| {
        request.verbose = flags & 1 != 0;
        request.username = username.to_vec();
    });
    let settings = FingerSettings::default().with(|settings| {
        settings.forwarding = flags & 2 != 0;
        settings.raw = flags & 4 != 0;
    });
    let end = if flags & 4 == 0 { End::Closed } else { End::Broken };

    let machine = || FingerMachine::new(request.clone(), settings);
    let run = |piece| {
        hold(
            &mut machine(),
            says(answer),
            Network::default().with(|network| {
                network.end = Some(end);
                network.piece = piece;
            }),
        )
    };
    let whole = run(usize::MAX);
    assert_eq!(run(usize::from(*piece) + 1), whole);
    let is_refused = whole.connects == 0;
    assert_eq!(plan(machine()).is_err(), is_refused);
    let sent = whole.sent.concat();
    match sent.strip_suffix(b"\r\n") {
        Some(line) => {
            assert!(!line.iter().any(u8::is_ascii_control));
            assert!(settings.forwarding || !line.contains(&b'@'));
        }
        None => assert!(is_refused && sent.is_empty()),
    }
    assert!(whole.data.len() <= answer.len());

    // What a URL is built of is what it asks for.
    let draft = Draft::of(Scheme::Finger).with("host", "h").with("username", username);
    let draft = if request.verbose { draft.with("verbose", "/W") } else { draft };
    if let Ok(url) = draft.build() {
        let Locator::Finger(finger) = url.locator() else { panic!("{url:?}") };
        assert_eq!(FingerRequest::from_url(finger), request);
    }
}
