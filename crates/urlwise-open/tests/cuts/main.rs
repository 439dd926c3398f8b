//! Every recorded dialogue of every protocol, in other packets and damaged: what comes of an answer never depends on where it is cut,
//! and an answer with octets missing is never reported as a complete one.
//!
//! Two recordings of WAIS have 150 kB, and are cut at 80 places. At each of theirs, which takes minutes, they are cut by
//! `CUTS=all cargo test --release -p urlwise-open --all-features --test cuts -- wais`.

mod dialogues;
mod in_turns;
#[path = "../nntp/dialogues.rs"]
mod news;
#[expect(dead_code, reason = "others ask for single answers and for requests")]
#[path = "../prospero/recorded.rs"]
mod recorded;

use std::fmt::Debug;
use urlwise_open::protocol::{End, Machine};
use urlwise_open::testing::{Damage, DialogueRecord, Network, Recorded, every_cut, every_damage};

/// How an answer says that it is complete.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// By what it says.
    Itself,
    /// By the end of the connection, as far as the protocol goes.
    WithConnection,
}

/// What is the same in two records of the same answer, whatever was said after it.
fn result<E>(held: &DialogueRecord<E>) -> (&[u8], &[E]) {
    (&held.data, &held.entries)
}

/// Holds a dialogue over every network there is: in memory, and over connections.
fn hold<M>(name: &str, machine: impl Fn() -> M, replies: &[Vec<u8>], data: &[u8], ends: Ends)
where
    M: Machine + Send + 'static,
    M::Entry: Debug + PartialEq + Send,
{
    hold_in_memory(name, &machine, replies, data, ends);
    in_turns::hold(name, machine, replies, data);
}

/// Cuts and damages one dialogue, and prints in how many ways; `--nocapture` shows it.
#[expect(clippy::print_stdout, reason = "that is what it prints")]
fn hold_in_memory<M>(name: &str, machine: impl Fn() -> M, replies: &[Vec<u8>], data: &[u8], ends: Ends)
where
    M: Machine,
    M::Entry: Debug + PartialEq,
{
    let mut recorded = Recorded::new(replies, Network::default().with(|network| network.data = data));
    recorded.everywhere = std::env::var_os("CUTS").is_some_and(|cuts| cuts == "all");
    let whole = every_cut(&machine, recorded);
    assert!(whole.is_done || whole.fault.is_some(), "{name}: {whole:?}");
    let mut damages = 0;
    every_damage(&machine, recorded, |damage, held| {
        damages += 1;
        assert!(held.is_done || held.fault.is_some(), "{name}: it neither ends nor fails, {damage:?}");
        let (Damage::Truncated(_, end) | Damage::TruncatedData(_, end)) = damage else { return };
        // A data connection only ends; of what has no size, nobody can tell whether that is all.
        let has_size = whole.begin.as_ref().is_some_and(|begin| begin.size.is_some());
        let is_unsized = matches!(damage, Damage::TruncatedData(_, End::Closed)) && !has_size;
        let may_be_short = is_unsized || (ends == Ends::WithConnection && end != End::Broken);
        let says_so = held.notes.iter().any(|note| !whole.notes.contains(note));
        if held.is_done && whole.is_done && !may_be_short && !says_so {
            assert_eq!(result(&held), result(&whole), "{name}: what is missing is not reported, {damage:?}");
        }
        // Without a reply to it a command was another one, and what comes over a data connection is something else.
        if held.begin == whole.begin
            && (data.is_empty() || matches!(damage, Damage::TruncatedData(..)))
            && !may_be_short
        {
            // The last ones may be the beginning of a line end, of the closing dot, or of a header of Gopher+.
            let octets = &held.data[..held.data.len().saturating_sub(5)];
            assert!(whole.data.starts_with(octets), "{name}: {damage:?}");
            assert!(says_so || whole.entries.starts_with(&held.entries), "{name}: {damage:?}");
        }
    });
    println!("{name}: cut in {} ways, damaged in {damages}", recorded.cuts());
}
