//! The answers of `urlwise/tests/data/broken.tsv`, read by real readers: no repair names another host (D-75).

mod support;

use support::{octets, rows};
use urlwise::Profile;
use urlwise_readings::Reader;

/// Host and port as a reader by this standard sees them, if it sees a host. An empty port counts as absent.
fn hostport(text: &[u8], profile: Profile, standard: Reader) -> Option<(String, Option<String>)> {
    let reading = standard.read(text, profile);
    let parts = reading.parts()?;
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
    let (mut compared, mut excused) = (0, 0);
    for row in rows() {
        let fields: Vec<&str> = row.iter().map(String::as_str).collect();
        let [profile, text, _, _, "repair", url, ..] = fields[..] else { continue };
        let profile = profile.parse().expect("a profile");
        for standard in [Reader::Rfc3986, Reader::Whatwg] {
            let Some(before) = hostport(&octets(text), profile, standard) else { continue };
            let after = hostport(url.as_bytes(), profile, standard).expect("a host that does not disappear");
            compared += 1;
            if before != after {
                assert!(is_excused(&before, &after, url), "{text}: {standard:?} {before:?} {after:?}");
                excused += 1;
            }
        }
    }
    assert!(compared > 100 && (1..20).contains(&excused), "{compared} compared, {excused} excused");
}
