//! The octets of recorded dialogues. A line of a transcript is a mark, a blank, and octets: `>` what the client sent, `<` what
//! the server sent, `=` what came over a data connection. `#` begins a remark. A backslash begins an escape: `\r`, `\n`, `\t`,
//! `\\`, and two hexadecimal digits after `\x`.

use std::path::Path;

/// The lines of a transcript, each with its mark; that of a remark with its text.
pub(crate) fn recorded(path: &Path) -> Vec<(char, Vec<u8>)> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let line = |line: &str| match line.split_at(2.min(line.len())) {
        (mark @ ("> " | "< " | "= " | "# "), octets) => (char::from(mark.as_bytes()[0]), unescaped(octets)),
        ("#", _) => ('#', Vec::new()),
        _ => panic!("{}: no line of a transcript: {line:?}", path.display()),
    };
    text.lines().map(line).collect()
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = text.bytes();
    while let Some(octet) = rest.next() {
        octets.push(match octet {
            b'\\' => match rest.next() {
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                Some(b't') => b'\t',
                Some(b'\\') => b'\\',
                Some(b'x') => {
                    let digits = [rest.next(), rest.next()].map(|digit| digit.expect("two digits"));
                    u8::from_str_radix(std::str::from_utf8(&digits).expect("ASCII"), 16).expect("hexadecimal")
                }
                other => panic!("no escape: {other:?} in {text:?}"),
            },
            octet => octet,
        });
    }
    octets
}
