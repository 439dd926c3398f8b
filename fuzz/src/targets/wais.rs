//! Any request, any answers, in any pieces: the WAIS machine never panics, keeps its contract, reads answers the same whole and in
//! pieces, and writes URLs that hold no controls.
//!
//! The input is: what is wanted, flags, the end, the length of the pieces, the octets of the request, then the answers: as they
//! are, or, by a flag, each behind two octets of its length, to be put into a packet.

use urlwise::{Profile, Url};
use urlwise_open::protocol::wais::{DocumentId, WaisGoal, WaisMachine, WaisRequest, WaisSettings};
use urlwise_open::protocol::{End, plan};
use urlwise_open::testing::{Network, hold, says};

pub(crate) fn run(input: &[u8]) {
    let [goal, flags, end, piece, length, rest @ ..] = input else { return };
    let (asked, rest) = rest.split_at(usize::from(*length).min(rest.len()));
    let (first, second) = asked.split_at(asked.len() / 2);
    let goal = match goal % 4 {
        0 => WaisGoal::Help,
        1 => WaisGoal::Description,
        2 => WaisGoal::Search(first.to_vec()),
        _ => WaisGoal::Document { wtype: b"TEXT".to_vec(), id: DocumentId::new(first) },
    };
    let request = WaisRequest::new(second, goal);
    let settings = WaisSettings::default().with(|settings| {
        settings.init = flags & 1 != 0;
        settings.slice = 1 + u32::from(flags >> 2);
    });
    let answers = if flags & 2 != 0 { packets(rest) } else { rest.to_vec() };
    let end = [Some(End::Closed), Some(End::Unauthenticated), Some(End::Broken), None][usize::from(end % 4)];
    let machine = || WaisMachine::new(request.clone(), settings);

    let run = |piece| {
        hold(
            &mut machine(),
            says(&answers),
            Network::default().with(|network| {
                network.end = end;
                network.piece = piece;
            }),
        )
    };
    let whole = run(usize::MAX);
    let pieces = run(usize::from(*piece) + 1);
    assert_eq!(whole, pieces);
    assert_eq!(plan(machine()).is_ok(), whole.connects == 1);

    let database = Url::parse_with("wais://host.example/db?x", Profile::Current).expect("a wais URL").to_owned();
    for hit in whole.entries {
        for wtype in [&b"TEXT"[..], hit.types.first().map_or(b"", |wtype| wtype)] {
            for url in [hit.url(&database, wtype), hit.lynx_url(&database, wtype)].into_iter().flatten() {
                assert!(!url.as_str().contains(char::is_control));
            }
        }
    }
}

/// Each message behind the header that announces its length.
fn packets(mut rest: &[u8]) -> Vec<u8> {
    let mut packets = Vec::new();
    while let [high, low, after @ ..] = rest {
        let length = usize::from(u16::from_be_bytes([*high, *low])).min(after.len());
        let (message, after) = after.split_at(length);
        packets.extend_from_slice(format!("{length:010}z2wais        0").as_bytes());
        packets.extend_from_slice(message);
        rest = after;
    }
    packets
}
