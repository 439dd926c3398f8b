//! The transcripts of `tests/wire/gopher`, as octets. `README.md` there tells how they are written.

#[path = "../wire/recorded.rs"]
mod lines;

use std::path::PathBuf;

pub(crate) fn folder() -> PathBuf {
    // Tests of other crates replay them too.
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../urlwise-open/tests/wire/gopher")
}

/// The octets that the client and the server sent. A name with `#2` is the second connection of a file.
pub(crate) fn transcript(name: &str) -> (Vec<u8>, Vec<u8>) {
    let (file, connection) = match name.split_once('#') {
        Some((file, connection)) => (file, format!("connection {connection}")),
        None => (name, String::new()),
    };
    let mut is_ours = connection.is_empty();
    let (mut sent, mut answer) = (Vec::new(), Vec::new());
    for (mark, octets) in lines::recorded(&folder().join(format!("{file}.txt"))) {
        match mark {
            '#' if octets.starts_with(b"connection ") => is_ours = octets == connection.as_bytes(),
            '>' if is_ours => sent.extend(octets),
            '<' if is_ours => answer.extend(octets),
            _ => {}
        }
    }
    (sent, answer)
}
