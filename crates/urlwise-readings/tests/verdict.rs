//! A repair moves no host: what the real parsers of RFC 3986 and WHATWG see in a broken text is what they see in the repaired
//! URL (D-75).

use proptest::prelude::*;
use urlwise::{Profile, Verdict, verdict};
use urlwise_readings::{Readings, Standard};

/// Pieces of text that some reader ends a host at, skips or takes for another one.
const PIECES: &[&str] = &[
    "http:",
    "https:",
    "ftp:",
    "file:",
    "gopher:",
    "foo:",
    "//",
    "/",
    "\\",
    "\\/",
    "good.dom",
    "evil.dom",
    "localhost",
    "c:",
    "c|",
    "@",
    ":",
    "80",
    "?",
    "#",
    "%2F",
    "%40",
    "\"",
    "<",
    ">",
    " ",
    "\t",
    "\n",
    "(",
    ")",
    "'",
    ",",
    ";",
    "[",
    "]",
    "~",
    "a",
    ".",
    "\u{e9}",
    "\u{200b}",
    "\u{3002}",
    "\u{ff0f}",
    "\u{201d}",
    "`",
    "{",
    "|",
    "^",
];

fn host(text: &[u8], profile: Profile, standard: Standard) -> Option<String> {
    let readings = Readings::of(text, profile);
    let host = readings.reading(standard).parts()?.host.as_deref()?.to_ascii_lowercase();
    let name = host.strip_suffix('.').unwrap_or(&host);
    (!name.is_empty() && name != "localhost").then(|| name.to_owned())
}

/// The drive of a file URL is no host, though a reader of RFC 3986 may see one (D-85).
fn is_drive(url: &str) -> bool {
    url.starts_with("file:") && url.contains("/c:")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_repair_moves_the_host_that_a_real_parser_sees(pieces in prop::collection::vec(prop::sample::select(PIECES), 1..10)) {
        let text = pieces.concat();
        for &profile in Profile::ALL {
            let Verdict::Repaired(repaired) = verdict(&text, profile) else { continue };
            let url = repaired.url().as_str();
            for standard in [Standard::Rfc3986, Standard::Whatwg] {
                let before = host(text.as_bytes(), profile, standard);
                let after = host(url.as_bytes(), profile, standard);
                prop_assert!(before.is_none() || before == after || is_drive(url), "{text:?} {url} {standard}: {before:?} {after:?}");
                if let (Some(ours), Some(before)) = (repaired.url().host(), &before) {
                    let ours = ours.as_str().to_ascii_lowercase();
                    let ours = ours.strip_suffix('.').unwrap_or(&ours);
                    prop_assert!(ours.is_empty() || ours == before || is_drive(url), "{text:?} {url} {standard}: {before:?}");
                }
            }
        }
    }
}
