//! The answers of `urlwise/tests/data/broken.tsv`, read by real readers: no repair names another host (D-75).

use urlwise::Profile;
use urlwise_readings::{Readings, Standard};

/// What a text of the table stands for. Its escapes are described in `urlwise/tests/data/README.md`.
fn octets(text: &str) -> Vec<u8> {
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

/// Host and port as a reader by this standard sees them, if it sees a host. An empty port counts as absent.
fn hostport(text: &[u8], profile: Profile, standard: Standard) -> Option<(String, Option<String>)> {
    let readings = Readings::of(text, profile);
    let parts = readings.reading(standard).parts()?;
    let port = parts.port.as_deref().filter(|port| !port.is_empty()).map(str::to_owned);
    Some((parts.host.as_deref()?.to_owned(), port))
}

/// The differences of D-75 that do not mean another host: a dot at the end, and the drive letter of a file URL.
fn is_excused(before: &(String, Option<String>), after: &(String, Option<String>), repaired: &str) -> bool {
    let has_drive = repaired.starts_with(&format!("file:///{}:", before.0));
    before.0.strip_suffix('.') == Some(&after.0) && before.1 == after.1 || has_drive && after.0.is_empty()
}

#[test]
fn every_repair_keeps_the_host_that_readers_see_in_the_text() {
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/../urlwise/tests/data/broken.tsv");
    let table = std::fs::read_to_string(table).expect("the table is there");
    let (mut compared, mut excused) = (0, 0);
    for (index, line) in table.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let [profile, text, _, _, "repair", url, ..] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        let profile = profile.parse().expect("a profile");
        for standard in [Standard::Rfc3986, Standard::Whatwg] {
            let Some(before) = hostport(&octets(text), profile, standard) else { continue };
            let after = hostport(url.as_bytes(), profile, standard).expect("a host that does not disappear");
            compared += 1;
            if before != after {
                assert!(is_excused(&before, &after, url), "line {}: {standard:?} {before:?} {after:?}", index + 1);
                excused += 1;
            }
        }
    }
    assert!(compared > 100 && (1..20).contains(&excused), "{compared} compared, {excused} excused");
}
