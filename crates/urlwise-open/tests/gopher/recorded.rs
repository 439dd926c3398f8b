//! The transcripts of `tests/wire/gopher`, as octets. `README.md` there tells how they are written.

use std::path::PathBuf;

pub(crate) fn folder() -> PathBuf {
    // Tests of other crates replay them too.
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../urlwise-open/tests/wire/gopher")
}

/// The octets that the client and the server sent. A name with `#2` is the second connection of a file.
pub(crate) fn transcript(name: &str) -> (Vec<u8>, Vec<u8>) {
    let (file, connection) = match name.split_once('#') {
        Some((file, connection)) => (file, format!("# connection {connection}")),
        None => (name, String::new()),
    };
    let text = std::fs::read_to_string(folder().join(format!("{file}.txt"))).expect("a recorded transcript");
    let mut is_ours = connection.is_empty();
    let (mut sent, mut answer) = (Vec::new(), Vec::new());
    for line in text.lines() {
        if line.starts_with("# connection ") {
            is_ours = line == connection;
        }
        match line.split_at(2.min(line.len())) {
            ("> ", octets) if is_ours => sent.extend(unescape(octets)),
            ("< ", octets) if is_ours => answer.extend(unescape(octets)),
            ("> " | "< " | "# ", _) => {}
            _ => panic!("{name}: no line of a transcript: {line:?}"),
        }
    }
    (sent, answer)
}

fn unescape(text: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, if character == '\\' { characters.next() } else { None }) {
            ('\\', Some('r')) => octets.push(b'\r'),
            ('\\', Some('n')) => octets.push(b'\n'),
            ('\\', Some('t')) => octets.push(b'\t'),
            ('\\', Some('\\')) => octets.push(b'\\'),
            ('\\', Some('x')) => {
                let hex: String = characters.by_ref().take(2).collect();
                octets.push(u8::from_str_radix(&hex, 16).expect("two hex digits"));
            }
            ('\\', other) => panic!("no escape: {other:?} in {text:?}"),
            (other, _) => octets.extend(other.to_string().as_bytes()),
        }
    }
    octets
}
