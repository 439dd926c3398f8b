//! The texts of recorded exchanges: `wire/prospero/README.md` says where they come from.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// The texts of the packets of one side, by packet number.
type Packets = BTreeMap<u16, Vec<u8>>;

/// The requests of a recorded session, each with its answer, reassembled from their packets.
pub(crate) fn exchanges(name: &str) -> Vec<(Vec<u8>, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/wire/prospero").join(name);
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    // By connection id, in the order of their first datagrams.
    let mut sessions: Vec<([u8; 2], [Packets; 2])> = Vec::new();
    for path in paths {
        let datagram = fs::read(&path).expect("a datagram");
        let (header, data) = datagram.split_at(usize::from(datagram[0] & 0x3f));
        let number = |at: usize| header.get(at..at + 2).map(|octets| u16::from_be_bytes([octets[0], octets[1]]));
        let id = number(1).unwrap_or(0).to_be_bytes();
        let packet = number(3).unwrap_or(1);
        if packet == 0 {
            continue;
        }
        let is_answer = path.to_string_lossy().ends_with("s2c.bin");
        let session = match sessions.iter().position(|(known, _)| *known == id) {
            Some(at) => at,
            // A server of version 1 answers without the id.
            None if is_answer => sessions.len() - 1,
            None => {
                sessions.push((id, Default::default()));
                sessions.len() - 1
            }
        };
        sessions[session].1[usize::from(is_answer)].insert(packet, data.to_vec());
    }
    let text = |packets: &Packets| packets.values().flatten().copied().collect();
    sessions.iter().map(|(_, [request, answer])| (text(request), text(answer))).collect()
}

/// The answers of a recorded session.
pub(crate) fn answers(name: &str) -> Vec<Vec<u8>> {
    exchanges(name).into_iter().map(|(_, answer)| answer).collect()
}

/// The only answer of a recorded session.
pub(crate) fn answer(name: &str) -> Vec<u8> {
    let mut answers = answers(name);
    assert_eq!(answers.len(), 1, "{name}");
    answers.remove(0)
}

/// The only request of a recorded session.
pub(crate) fn request(name: &str) -> Vec<u8> {
    exchanges(name).remove(0).0
}
