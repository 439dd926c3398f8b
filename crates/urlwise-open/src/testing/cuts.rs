//! Recorded dialogues in other packets, and damaged ones.

use super::{DialogueRecord, Network, ServerAnswer, hold};
use crate::protocol::{End, Machine};
use std::fmt::Debug;

/// The longest dialogues that are cut at every place, cut at every two places, and damaged at every place, in octets. Longer
/// ones are cut and damaged near the ends of each reply, and at [`SAMPLES`] other places.
const LONGEST: usize = 8192;
const LONGEST_OF_TWO: usize = 64;
const LONGEST_DAMAGED: usize = 100;
const NEAR: usize = 8;
const SAMPLES: usize = 50;

/// A dialogue that was recorded: the server's replies in order, to any commands. After that it is silent.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Recorded<'r> {
    /// To the connection, if the protocol has one, then to each command or request.
    pub replies: &'r [Vec<u8>],
    /// What came over the data connection, and how everything ended.
    pub network: Network<'r>,
    /// Long dialogues are cut in two at every place, too, which takes minutes.
    pub everywhere: bool,
}

/// What became of a recorded dialogue on its way. There may be others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// So many octets of the replies arrived, and then this end.
    Truncated(usize, End),
    /// So many octets of the data connection arrived, and then this end.
    TruncatedData(usize, End),
    /// In the place of this octet of the replies stood another one.
    Changed(usize, u8),
    /// In the place of this octet of the data connection stood another one.
    ChangedData(usize, u8),
}

impl<'r> Recorded<'r> {
    /// These replies over this network.
    pub fn new(replies: &'r [Vec<u8>], network: Network<'r>) -> Recorded<'r> {
        Recorded { replies, network, everywhere: false }
    }

    /// Holds the dialogue with such a network.
    fn hold<M: Machine>(&self, machine: M, network: Network<'_>) -> DialogueRecord<M::Entry> {
        self.hold_until(machine, network, None)
    }

    /// Holds the dialogue; with a limit, only that many octets of replies arrive.
    fn hold_until<M: Machine>(
        &self,
        mut machine: M,
        network: Network<'_>,
        until: Option<(usize, End)>,
    ) -> DialogueRecord<M::Entry> {
        let mut replies = self.replies.iter();
        let mut said = 0;
        let server = |_: &[u8]| {
            let reply = replies.next().cloned().unwrap_or_default();
            let left = until.map(|(most, end)| (most.saturating_sub(said), end));
            said += reply.len();
            match left {
                Some((left, end)) if left <= reply.len() => ServerAnswer::from(reply[..left].to_vec()).ending(end),
                Some(_) | None => reply.into(),
            }
        };
        hold(&mut machine, server, network)
    }

    /// Where replies end, the beginning of the first one before them.
    fn bounds(&self) -> Vec<usize> {
        let ends = self.replies.iter().scan(0, |end, reply| {
            *end += reply.len();
            Some(*end)
        });
        [0].into_iter().chain(ends).collect()
    }

    /// Ways to cut what ends here.
    fn ways(&self, bounds: &[usize]) -> Vec<Vec<usize>> {
        ways(bounds, if self.everywhere { usize::MAX } else { LONGEST })
    }

    /// In how many ways [`every_cut`] cuts the dialogue.
    pub fn cuts(&self) -> usize {
        self.ways(&self.bounds()).len() + self.ways(&[0, self.network.data.len()]).len()
    }
}

/// Holds a recorded dialogue as it was, octet by octet, and cut in two and in three pieces at every place, with empty pieces between
/// them, the replies and what comes over a data connection alike. Returns what came of it.
///
/// In dialogues of more than 8,192 octets these are the places near the ends of each reply, and some others, unless
/// [`everywhere`](Recorded::everywhere) is set. Of more than 64 octets,
/// 50 ways to make three pieces are chosen, the same ones each time. [`Recorded::cuts`] counts them.
///
/// # Panics
/// Something else comes of it depending on how the octets arrive, or the machine breaks its contract.
pub fn every_cut<M>(machine: impl Fn() -> M, recorded: Recorded<'_>) -> DialogueRecord<M::Entry>
where
    M: Machine,
    M::Entry: Debug + PartialEq,
{
    let network = recorded.network;
    let whole = recorded.hold(machine(), network);
    assert_eq!(recorded.hold(machine(), Network { piece: 1, ..network }), whole, "one octet at a time");
    for cuts in recorded.ways(&recorded.bounds()) {
        assert_eq!(recorded.hold(machine(), Network { cuts: &cuts, ..network }), whole, "cut at {cuts:?}");
    }
    if !network.data.is_empty() {
        for cuts in recorded.ways(&[0, network.data.len()]) {
            let held = recorded.hold(machine(), Network { data_cuts: &cuts, ..network });
            assert_eq!(held, whole, "data cut at {cuts:?}");
        }
    }
    whole
}

/// Holds a recorded dialogue cut off at every place, with every [`End`], and with every octet changed in several ways; at fewer places
/// of a long one. Hands what came of each to `check`.
///
/// # Panics
/// The machine breaks its contract, something else comes of a damaged dialogue when it is cut at the damage, or `check` panics.
pub fn every_damage<M>(
    machine: impl Fn() -> M,
    recorded: Recorded<'_>,
    mut check: impl FnMut(Damage, DialogueRecord<M::Entry>),
) where
    M: Machine,
    M::Entry: Debug + PartialEq,
{
    let network = recorded.network;
    let mut held = |damage: Damage, place: usize, recorded: Recorded<'_>, network: Network<'_>| {
        let until = match damage {
            Damage::Truncated(length, end) => Some((length, end)),
            Damage::TruncatedData(..) | Damage::Changed(..) | Damage::ChangedData(..) => None,
        };
        let whole = recorded.hold_until(machine(), network, until);
        let cuts = [place.saturating_sub(1), place, place + 1];
        let pieces = recorded.hold_until(machine(), Network { cuts: &cuts, data_cuts: &cuts, ..network }, until);
        // What follows the reply before TLS begins is refused if it is there already, and otherwise breaks the handshake.
        if whole.fault.as_ref().is_none_or(|fault| fault.rule() != "S-28") {
            assert_eq!(pieces, whole, "cut at {cuts:?}, {damage:?}");
        }
        check(damage, whole);
    };
    for place in places(&recorded.bounds(), LONGEST_DAMAGED) {
        for end in [End::Closed, End::Unauthenticated, End::Broken] {
            held(Damage::Truncated(place, end), place, recorded, network);
        }
    }
    for place in places(&[0, network.data.len()], LONGEST_DAMAGED) {
        for data_end in [End::Closed, End::Unauthenticated, End::Broken] {
            let network = Network { data: &network.data[..place], data_end, ..network };
            held(Damage::TruncatedData(place, data_end), place, recorded, network);
        }
    }
    for place in places(&recorded.bounds(), LONGEST_DAMAGED) {
        let mut replies = recorded.replies.to_vec();
        let Some((reply, at)) = at(&mut replies, place) else { continue };
        let before = reply[at];
        for octet in others(before) {
            let Some((reply, at)) = self::at(&mut replies, place) else { continue };
            reply[at] = octet;
            held(Damage::Changed(place, octet), place, Recorded::new(&replies, network), network);
        }
    }
    let places = places(&[0, network.data.len()], LONGEST_DAMAGED);
    for place in places.into_iter().filter(|place| *place < network.data.len()) {
        for octet in others(network.data[place]) {
            let mut data = network.data.to_vec();
            data[place] = octet;
            held(Damage::ChangedData(place, octet), place, recorded, Network { data: &data, ..network });
        }
    }
}

/// The reply that holds this octet of all of them, and where.
fn at(replies: &mut [Vec<u8>], place: usize) -> Option<(&mut Vec<u8>, usize)> {
    let mut left = place;
    replies.iter_mut().find_map(|reply| match left.checked_sub(reply.len()) {
        Some(further) => {
            left = further;
            None
        }
        None => Some((reply, left)),
    })
}

/// What may stand in the place of an octet: one bit wrong, not US-ASCII, the end of a line.
fn others(octet: u8) -> impl Iterator<Item = u8> {
    [octet ^ 1, octet | 0x80, b'\n'].into_iter().filter(move |other| *other != octet)
}

/// Ways to cut replies that end here.
fn ways(bounds: &[usize], longest: usize) -> Vec<Vec<usize>> {
    let octets = bounds.last().copied().unwrap_or_default();
    let places = places(bounds, longest);
    let mut ways: Vec<_> = places.iter().flat_map(|place| [vec![*place], vec![*place, *place]]).collect();
    if octets <= LONGEST_OF_TWO {
        ways.extend(places.iter().flat_map(|first| places.iter().map(|second| vec![*first, *second])));
    } else {
        let mut dice = Dice(octets as u64);
        ways.extend((0..SAMPLES).map(|_| vec![dice.roll(octets), dice.roll(octets)]));
    }
    ways.iter_mut().for_each(|cuts| cuts.sort_unstable());
    ways
}

/// Places in replies that end here: from before the first octet to after the last.
fn places(bounds: &[usize], longest: usize) -> Vec<usize> {
    let octets = bounds.last().copied().unwrap_or_default();
    if octets <= longest {
        return (0..=octets).collect();
    }
    let mut dice = Dice(octets as u64);
    let near = bounds.iter().flat_map(|bound| bound.saturating_sub(NEAR)..=(bound + NEAR).min(octets));
    let mut places: Vec<_> = near.chain((0..SAMPLES).map(|_| dice.roll(octets))).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Numbers by a seed: `SplitMix64`.
struct Dice(u64);

impl Dice {
    /// From 0 to `most`.
    fn roll(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % (most as u64 + 1)) as usize
    }
}
