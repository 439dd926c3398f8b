//! `.urlwise-cache`: what `check --open --cache` found out before.
//!
//! The first line is `urlwise-cache 1`. Each line after it says of one URL, in six fields separated by tabs (D-104):
//!
//! 1. when it was asked about, in seconds since 1970,
//! 2. the verdict, `alive` or `moved`,
//! 3. the status of the answer; empty if the protocol has none,
//! 4. the URL, without a fragment,
//! 5. the URL that it moved to or that answered instead, with its password masked; empty if it is the same one,
//! 6. the fragments that it has and that somebody asked for, separated by blanks.
//!
//! Only good news is kept: of what is dead or unknown the next run finds out again. What is no such line is forgotten, and so is what a
//! later version may write.

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;

use urlwise::{Profile, Url};

/// The first line.
const HEAD: &str = "urlwise-cache 1";
/// The verdicts.
const ALIVE: &str = "alive";
const MOVED: &str = "moved";

/// What was found out about URLs: the whole file.
///
/// ```
/// use urlwise_formats::cache::{Cache, Entry};
///
/// let fragments = ["top".to_owned()].into();
/// let entry = Entry { asked: 7, is_moved: false, status: Some(200), final_url: None, fragments };
/// let mut cache = Cache::default();
/// assert!(cache.insert("http://a.example/", entry.clone()));
/// assert!(!cache.insert("http://joe:s3cret@a.example/", entry.clone()));
///
/// let text = cache.text();
/// assert_eq!(text, "urlwise-cache 1\n7\talive\t200\thttp://a.example/\t\ttop\n");
/// let read = Cache::parse(text.as_bytes(), 0..=7).expect("it is a cache");
/// assert_eq!(read.get("http://a.example/"), Some(&entry));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cache {
    entries: HashMap<String, Entry>,
}

/// What was found out about one URL that works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When it was asked about, in seconds since 1970.
    pub asked: u64,
    /// Whether it moved permanently; otherwise it is alive.
    pub is_moved: bool,
    /// The status of the answer, as 200 of HTTP; `None` if the protocol has none.
    pub status: Option<u16>,
    /// The URL that answered, if it is another one; what a file says is shown, so it is a URL, and its password is masked.
    pub final_url: Option<String>,
    /// The fragments that it has, of those that were asked for; empty if none were.
    pub fragments: BTreeSet<String>,
}

impl Cache {
    /// Reads the octets of a file, without what was asked about at other times than these, in seconds since 1970. Of several lines about
    /// one URL the last counts. An empty file is an empty cache; `None` if the first line is that of no cache.
    ///
    /// ```
    /// use urlwise_formats::cache::Cache;
    ///
    /// let text = b"urlwise-cache 1\nnonsense\n7\talive\t200\thttp://a.example/\t\t\n";
    /// assert_eq!(Cache::parse(text, 0..=9).expect("it is a cache").iter().count(), 1);
    /// assert_eq!(Cache::parse(text, 8..=9), Some(Cache::default()));
    /// assert_eq!(Cache::parse(b"", 0..=9), Some(Cache::default()));
    /// assert_eq!(Cache::parse(b"<!DOCTYPE html>", 0..=9), None);
    /// ```
    pub fn parse(octets: &[u8], asked: RangeInclusive<u64>) -> Option<Cache> {
        // What a damaged line holds is not an entry.
        let text = String::from_utf8_lossy(octets);
        let mut lines = text.lines();
        if lines.next().is_some_and(|head| head != HEAD) {
            return None;
        }
        Some(Cache { entries: lines.filter_map(parse).filter(|(_, entry)| asked.contains(&entry.asked)).collect() })
    }

    /// What is known of a URL, which is compared as it is written, without a fragment; `None` if it is not known to work.
    pub fn get(&self, url: &str) -> Option<&Entry> {
        self.entries.get(url)
    }

    /// All URLs with what is known of them, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.entries.iter().map(|(url, entry)| (url.as_str(), entry))
    }

    /// Replaces what is known of a URL, and returns true. If the file must not or cannot hold the entry, the URL is forgotten instead, and the
    /// answer is false: the URL has a password or a control character, the final URL has a password or is not a valid URL, or a
    /// fragment is empty or contains a blank or a control character.
    pub fn insert(&mut self, url: &str, entry: Entry) -> bool {
        let is_kept = can_be_written(url, &entry);
        match is_kept {
            true => self.entries.insert(url.to_owned(), entry),
            false => self.entries.remove(url),
        };
        is_kept
    }

    /// Forgets a URL, as what is not known to work any more.
    pub fn remove(&mut self, url: &str) {
        self.entries.remove(url);
    }

    /// The text of the file, in the order of the URLs.
    pub fn text(&self) -> String {
        let mut urls: Vec<_> = self.entries.iter().collect();
        urls.sort_by_key(|(url, _)| *url);
        let mut text = format!("{HEAD}\n");
        for (url, entry) in urls {
            text.push_str(&line(url, entry));
        }
        text
    }
}

/// Whether a line can say it, and may: a file that others may read must not have passwords. A fragment can hold anything, even lines of its
/// own.
fn can_be_written(url: &str, entry: &Entry) -> bool {
    let is_plain = |name: &String| !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control());
    // With a mask in it, what was a URL need not be one: `http://joe:?x@b=c/` has a query, `http://joe:***@b=c/` a password and a bad host.
    let is_masked_url =
        |text: &String| Url::parse_with(&text[..], Profile::Current).is_ok_and(|url| url.masked().to_string() == *text);
    !url.contains(char::is_control)
        && urlwise::secrets(url.as_bytes()).is_empty()
        && entry.final_url.as_ref().is_none_or(is_masked_url)
        && entry.fragments.iter().all(is_plain)
}

fn line(url: &str, entry: &Entry) -> String {
    let verdict = if entry.is_moved { MOVED } else { ALIVE };
    let status = entry.status.map(|status| status.to_string()).unwrap_or_default();
    let fragments: Vec<_> = entry.fragments.iter().map(String::as_str).collect();
    let moved = entry.final_url.as_deref().unwrap_or_default();
    format!("{}\t{verdict}\t{status}\t{url}\t{moved}\t{}\n", entry.asked, fragments.join(" "))
}

fn parse(line: &str) -> Option<(String, Entry)> {
    let mut fields = line.split('\t');
    let mut next = || fields.next();
    let asked = next()?.parse().ok()?;
    let verdict = next()?;
    let is_moved = verdict == MOVED;
    let status = Some(next()?).filter(|status| !status.is_empty());
    let status = status.map(str::parse).transpose().ok()?;
    let url = next()?.to_owned();
    // Anybody may have written the file, and what stands there is shown.
    let final_url = Some(next()?).filter(|url| !url.is_empty()).map(|url| Url::parse_with(url, Profile::Current));
    let final_url = final_url.transpose().ok()?.map(|url| url.masked().to_string());
    let fragments = next()?.split(' ').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let is_entry = fields.next().is_none() && (is_moved || verdict == ALIVE);
    let entry = Entry { asked, is_moved, status, final_url, fragments };
    (is_entry && can_be_written(&url, &entry)).then_some((url, entry))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What lines of the file are made of, right and wrong.
    const PARTS: &[&str] = &[
        "7\talive\t200\t",
        "7\tmoved\t\t",
        "18446744073709551615",
        "99999999999999999999",
        "-1",
        "+7",
        "\t",
        "\t",
        "\t\t",
        " ",
        "alive",
        "moved",
        "dead",
        "200",
        "65536",
        "http://a/",
        "http://joe:s3cret@b/",
        "http://b/#x",
        "x",
        "x y",
        "\u{1b}[31m",
        "\u{202e}",
        "\u{85}",
        "\r",
        "\0",
        "%00",
        "\u{e9}",
    ];

    proptest! {
        #![proptest_config(crate::testing::at_least(20_000))]

        #[test]
        fn any_line_is_forgotten_or_an_entry_that_shows_nothing_harmful(parts in prop::collection::vec(prop::sample::select(PARTS), 0..12)) {
            let text = parts.concat();
            let Some((url, entry)) = parse(&text) else { return Ok(()) };
            let shown = entry.final_url.clone().unwrap_or_default();
            prop_assert!(!shown.contains(|c: char| c.is_control() || urlwise::is_harmful(c)) && !shown.contains("s3cret"), "{text:?}");
            prop_assert_eq!(parse(line(&url, &entry).trim_end_matches('\n')), Some((url, entry)), "{:?}", text);
        }
    }

    #[test]
    fn an_entry_is_read_as_it_was_written() {
        for (is_moved, status, final_url, fragments) in
            [(false, Some(200), None, &[][..]), (true, None, Some("http://b/"), &["x", "y"])]
        {
            let entry = Entry {
                asked: 7,
                is_moved,
                status,
                final_url: final_url.map(str::to_owned),
                fragments: fragments.iter().map(|name| (*name).to_owned()).collect(),
            };
            let line = line("http://a/", &entry);
            assert_eq!(parse(line.trim_end_matches('\n')), Some(("http://a/".to_owned(), entry)), "{line}");
        }
    }

    #[test]
    fn an_entry_counts_in_its_time_alone() {
        let line = |asked: u64| format!("{asked}\talive\t\thttp://h.dom/{asked}\t\t\n");
        let lines: String = (1..=5).map(line).collect();
        let cache = Cache::parse(format!("{HEAD}\n{lines}").as_bytes(), 2..=4).expect("it is a cache");
        let mut urls: Vec<_> = cache.iter().map(|(url, _)| url).collect();
        urls.sort_unstable();
        assert_eq!(urls, ["http://h.dom/2", "http://h.dom/3", "http://h.dom/4"]);
    }

    #[test]
    fn what_must_not_stand_in_the_file_takes_the_place_of_what_was_known() {
        let entry = |name: &str| Entry {
            asked: 7,
            is_moved: false,
            status: None,
            final_url: None,
            fragments: [name.to_owned()].into(),
        };
        let mut cache = Cache::default();
        for name in ["", "x y", "x\n", "\u{85}", "\u{3000}"] {
            assert!(cache.insert("http://a/", entry("x")), "{name:?}");
            assert!(!cache.insert("http://a/", entry(name)), "{name:?}");
            assert_eq!(cache, Cache::default(), "{name:?}");
        }
        assert!(!cache.insert("http://a/\t", entry("x")) && !cache.insert("ftp://joe:s3cret@a/", entry("x")));
        for final_url in ["http://joe:s3cret@b/", "http://joe:***@b=c/", "b", ""] {
            let entry = Entry { final_url: Some(final_url.to_owned()), ..entry("x") };
            assert!(!cache.insert("http://a/", entry), "{final_url}");
        }
        assert!(cache.insert("ftp://joe@a/", entry("x")));
        cache.remove("ftp://joe@a/");
        assert_eq!(cache.text(), "urlwise-cache 1\n");
    }

    #[test]
    fn the_file_has_its_urls_in_order_and_its_own_first_line() {
        let lines = "7\talive\t\thttp://a/\t\t\n7\tmoved\t301\thttp://b/\thttp://c/\tx y\n";
        let text = format!("{HEAD}\n{lines}");
        let cache = Cache::parse(text.as_bytes(), 7..=7).expect("it is a cache");
        assert_eq!(cache.text(), text);
        assert_eq!(Cache::parse(lines.as_bytes(), 7..=7), None);
        assert_eq!(Cache::parse(b"\n", 7..=7), None);
        assert_eq!(Cache::parse(b"urlwise-cache 1\r\n", 7..=7), Some(Cache::default()));
    }

    #[test]
    fn the_password_of_a_final_url_is_masked() {
        let (_, entry) = parse("7\tmoved\t\thttp://a/\thttp://joe:s3cret@b/x\t").expect("it is an entry");
        assert_eq!(entry.final_url.as_deref(), Some("http://joe:***@b/x"));
    }

    #[test]
    fn what_is_not_an_entry_is_forgotten() {
        for line in [
            "",
            "7",
            "7\tdead\t404\thttp://a/\t\t",
            "x\talive\t\thttp://a/\t\t",
            "7\talive\t\thttp://a/\t\t\tmore",
            "7\tmoved\t\thttp://a/\thttp://b/\u{1b}[31m\t",
            "7\tmoved\t\thttp://a/\tb\t",
            "7\tmoved\t\thttp://a/\thttp://joe:?s3cret@b=c/\t",
            // What is not written, either: written as it stands, the first would be read again as another fragment.
            "7\talive\t\thttp://a/\t\tx\r",
            "7\talive\t\thttp://a/\t\tx\u{a0}y",
            "7\talive\t\thttp://a/\u{1b}[31m\t\t",
            "7\talive\t\thttp://joe:s3cret@a/\t\t",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
