//! Dialogues of protocols whose commands are lines.

use urlwise_open::protocol::Machine;
use urlwise_open::testing::{self, DialogueRecord, Network};

/// Holds the dialogue. Everything that is sent must end its line.
pub(crate) fn hold<M: Machine>(
    machine: &mut M,
    server: impl FnMut(&[u8]) -> Vec<u8>,
    network: Network<'_>,
) -> DialogueRecord<M::Entry> {
    let dialogue = testing::hold(machine, server, network);
    for command in &dialogue.sent {
        assert!(command.ends_with(b"\r\n"), "{}", command.escape_ascii());
    }
    dialogue
}
