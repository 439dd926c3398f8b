//! A repair moves no host: what the real parsers of RFC 3986 and WHATWG see in a broken text is what they see in the repaired
//! URL (D-75).

mod support;

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use urlwise::{Profile, Verdict, verdict};
use urlwise_readings::Reader;

/// Pieces of text that some reader ends a host at, skips or takes for another one.
const PIECES: [&str; 47] = [
    "http:",
    "https:",
    "ftp:",
    "file:",
    "gopher:",
    "foo:",
    "c:",
    "//",
    "/",
    "\\",
    "\\/",
    "good.dom",
    "evil.dom",
    "localhost",
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
    "\0",
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
];

/// The texts of the table of broken texts, some of which are not UTF-8.
static TEXTS: LazyLock<Vec<Vec<u8>>> =
    LazyLock::new(|| support::rows().iter().filter_map(|row| row.get(1)).map(|text| support::octets(text)).collect());

/// The host that a reader sees, if it sees one. A host of another name is the same if only escapes of unreserved characters,
/// an IDNA form or a dot at the end differ.
fn host(text: &[u8], profile: Profile, standard: Reader) -> Option<String> {
    let seen = standard.read(text, profile).parts()?.host.as_deref()?.to_ascii_lowercase();
    let decoded = urlwise::decode(seen.as_bytes());
    let host = match std::str::from_utf8(&decoded) {
        // Not `url::Host::parse`, which makes an IPv4 address of digits: the host of an unknown scheme is no number.
        Ok(name) if !name.is_ascii() => idna::domain_to_ascii(name).unwrap_or(seen),
        // An opaque host of WHATWG keeps its escapes.
        Ok(name) if standard == Reader::Rfc3986 => name.to_ascii_lowercase(),
        Ok(_) | Err(_) => seen,
    };
    let name = host.strip_suffix('.').unwrap_or(&host);
    (!name.is_empty() && name != "localhost").then(|| name.to_owned())
}

/// Whether what a reader takes for a host is the drive of a file URL (D-85).
fn is_drive(host: &str, url: &str) -> bool {
    let drive = host.strip_suffix('|').unwrap_or(host);
    url.to_ascii_lowercase().starts_with(&format!("file:///{drive}:")) && drive.len() == 1
}

fn keeps_its_host(text: &[u8]) -> TestCaseResult {
    for &profile in Profile::ALL {
        let Verdict::Repaired(repaired) = verdict(text, profile) else { continue };
        let url = repaired.url().as_str();
        let ours = repaired.url().host().map(|host| host.as_str().to_ascii_lowercase());
        let ours = ours.as_deref().map(|host| host.strip_suffix('.').unwrap_or(host)).filter(|host| !host.is_empty());
        for standard in [Reader::Rfc3986, Reader::Whatwg] {
            let Some(before) = host(text, profile, standard) else { continue };
            let after = host(url.as_bytes(), profile, standard);
            let is_same = after.as_ref() == Some(&before) && ours.is_none_or(|ours| ours == before);
            let shown = urlwise::escape_for_display(text);
            prop_assert!(
                is_same || is_drive(&before, url),
                "`{shown}` `{url}` {profile:?} {standard}: {before:?} {after:?} {ours:?}"
            );
        }
    }
    Ok(())
}

/// `PROPTEST_CASES`, or more than usual: most texts are refused.
fn config() -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let is_given = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig { cases: if is_given { config.cases } else { 10_000 }, ..config }
}

/// A piece of a text of the table, as long as the whole or shorter.
fn cut() -> impl Strategy<Value = Vec<u8>> {
    (0..TEXTS.len(), any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(|(text, one, other)| {
        let text = &TEXTS[text];
        let (one, other) = (one.index(text.len() + 1), other.index(text.len() + 1));
        text[one.min(other)..one.max(other)].to_vec()
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn texts_of_pieces_keep_their_hosts(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 1..10)) {
        keeps_its_host(pieces.concat().as_bytes())?;
    }

    #[test]
    fn broken_texts_with_a_piece_put_in_keep_their_hosts(
        text in 0..TEXTS.len(),
        at in any::<prop::sample::Index>(),
        length in 0..3_usize,
        piece in prop::sample::select(&PIECES[..]),
    ) {
        let mut text = TEXTS[text].clone();
        let at = at.index(text.len() + 1);
        let end = (at + length).min(text.len());
        text.splice(at..end, piece.bytes());
        keeps_its_host(&text)?;
    }

    #[test]
    fn cuts_of_broken_texts_keep_their_hosts(cuts in prop::collection::vec(cut(), 1..4)) {
        keeps_its_host(&cuts.concat())?;
    }
}
