//! Recorded dialogues in which each command has its answer.

#[path = "recorded.rs"]
pub(crate) mod recorded;

use std::path::Path;

/// The commands in turn with what came back, the greeting first, after a command of nothing.
pub(crate) type Turns = Vec<(Vec<u8>, Vec<u8>)>;

/// A dialogue, and what came over its data connection.
pub(crate) fn dialogue(path: &Path) -> (Turns, Vec<u8>) {
    let (mut turns, mut data) = (vec![(Vec::new(), Vec::new())], Vec::new());
    for (mark, octets) in recorded::recorded(path) {
        match mark {
            '>' => turns.push((octets, Vec::new())),
            '<' => turns.last_mut().expect("there is one").1.extend(octets),
            '=' => data.extend(octets),
            _ => {}
        }
    }
    (turns, data)
}
