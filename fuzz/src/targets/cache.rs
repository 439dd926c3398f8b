//! Any octets as `.urlwise-cache`: they are a cache or none, by their first line. What is read of it has no password, no control character
//! and, where it is shown, nothing harmful; it is written, read again the same, and was asked about when it should have been. What cannot
//! stand in such a file is not kept.
//!
//! The input is read as a file, and as what follows the first line of one; its lines are kept as a URL, its final URL, if that is not empty,
//! and its fragments.

use std::collections::BTreeSet;

use urlwise::{Profile, Url};
use urlwise_formats::cache::{Cache, Entry};

const HEAD: &[u8] = b"urlwise-cache 1\n";
const ALWAYS: std::ops::RangeInclusive<u64> = 0..=u64::MAX;
/// Times before that are times of their own.
const MIDDLE: u64 = 1_000;

fn check_entry(url: &str, entry: &Entry) {
    assert!(urlwise::secrets(url.as_bytes()).is_empty(), "{url:?}");
    assert!(!url.contains(char::is_control), "{url:?}");
    for name in &entry.fragments {
        assert!(!name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control()), "{name:?}");
    }
    if let Some(shown) = &entry.final_url {
        assert!(!shown.contains(|c: char| c.is_control() || urlwise::is_harmful(c)), "{shown:?}");
        // It is its own mask: no password is left.
        let read = Url::parse_with(&shown[..], Profile::Current).expect("it was one");
        assert_eq!(read.masked().to_string(), *shown);
    }
}

fn check(octets: &[u8]) {
    let text = String::from_utf8_lossy(octets);
    let is_cache = octets.is_empty() || text.lines().next() == Some("urlwise-cache 1");
    let read = Cache::parse(octets, ALWAYS);
    assert_eq!(read.is_some(), is_cache);
    let Some(cache) = read else { return };
    assert!(cache.iter().count() < text.lines().count().max(1));

    let mut same = Cache::default();
    for (url, entry) in cache.iter() {
        check_entry(url, entry);
        assert_eq!(cache.get(url), Some(entry));
        assert!(same.insert(url, entry.clone()), "what is read can be kept: {url:?} {entry:?}");
    }
    assert_eq!(same, cache);

    let written = cache.text();
    assert!(!written.contains(|c: char| c.is_control() && c != '\t' && c != '\n'), "{written:?}");
    assert_eq!(written.lines().count(), cache.iter().count() + 1);
    assert!(written.lines().skip(1).map(|line| line.split('\t').nth(3)).is_sorted());
    assert_eq!(Cache::parse(written.as_bytes(), ALWAYS).as_ref(), Some(&cache));

    // Each entry is in one of the two halves of time.
    let half = |asked| Cache::parse(written.as_bytes(), asked).expect("it is one");
    let (before, after) = (half(0..=MIDDLE - 1), half(MIDDLE..=u64::MAX));
    for (url, entry) in cache.iter() {
        let (here, there) = if entry.asked < MIDDLE { (&before, &after) } else { (&after, &before) };
        assert_eq!((here.get(url), there.get(url)), (Some(entry), None));
    }
}

/// Keeps each line as a URL, its final URL and its fragments, with tabs between.
fn check_kept(octets: &[u8]) {
    let text = String::from_utf8_lossy(octets);
    let mut cache = Cache::default();
    for line in text.split('\n') {
        let mut fields = line.split('\t');
        let url = fields.next().unwrap_or_default();
        let final_url = fields.next().filter(|url| !url.is_empty()).map(str::to_owned);
        let fragments: BTreeSet<_> = fields.map(str::to_owned).collect();
        let entry = Entry { asked: 7, is_moved: final_url.is_some(), status: None, final_url, fragments };
        match cache.insert(url, entry.clone()) {
            true => {
                check_entry(url, &entry);
                assert_eq!(cache.get(url), Some(&entry));
            }
            false => assert_eq!(cache.get(url), None),
        }
    }
    assert_eq!(Cache::parse(cache.text().as_bytes(), ALWAYS), Some(cache));
}

/// A final URL is masked, and the line is forgotten only if nothing that is a URL is left.
fn check_masked(octets: &[u8]) {
    let text = String::from_utf8_lossy(octets);
    for field in text.split(['\t', '\n']) {
        let Ok(url) = Url::parse_with(field, Profile::Current) else { continue };
        let masked = url.masked().to_string();
        let is_left =
            Url::parse_with(&masked[..], Profile::Current).is_ok_and(|url| url.masked().to_string() == masked);
        let file = format!("urlwise-cache 1\n7\tmoved\t\thttp://a.example/\t{field}\t\n");
        let read = Cache::parse(file.as_bytes(), ALWAYS).expect("it is one");
        let shown = read.get("http://a.example/").and_then(|entry| entry.final_url.as_ref());
        assert_eq!(shown, is_left.then_some(&masked));
    }
}

pub(crate) fn run(octets: &[u8]) {
    check(octets);
    check(&[HEAD, octets].concat());
    check_kept(octets);
    check_masked(octets);
}
