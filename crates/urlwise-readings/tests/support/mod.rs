//! The table of broken texts in `urlwise/tests/data/broken.tsv`.

/// What a text of the table stands for. Its escapes are described in `urlwise/tests/data/README.md`.
pub(crate) fn octets(text: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match (c, (c == '\\').then(|| rest.next()).flatten()) {
            (_, Some('t')) => octets.push(b'\t'),
            (_, Some('n')) => octets.push(b'\n'),
            (_, Some('r')) => octets.push(b'\r'),
            (_, Some('x')) => {
                let hex: String = rest.by_ref().take(2).collect();
                octets.push(u8::from_str_radix(&hex, 16).expect("two hex digits"));
            }
            (_, Some('u')) => {
                let hex: String = rest.by_ref().skip(1).take_while(|&c| c != '}').collect();
                let code = u32::from_str_radix(&hex, 16).expect("hex digits");
                octets.extend(char::from_u32(code).expect("a code point").to_string().bytes());
            }
            (c, _) => octets.push(u8::try_from(c).expect("US-ASCII")),
        }
    }
    octets
}

/// The rows of the table that ask for something, cut at the tabs.
pub(crate) fn rows() -> Vec<Vec<String>> {
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/../urlwise/tests/data/broken.tsv");
    let table = std::fs::read_to_string(table).expect("the table is there");
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}
