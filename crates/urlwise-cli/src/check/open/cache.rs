//! `--cache`: what was found out before. A line for each URL: when, the verdict, the status, the URL, where it moved to, and the
//! fragments that it has, separated by tabs (D-104).
//!
//! Only good news is kept: of what is dead or unknown the next run finds out again.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use urlwise::{Profile, Url};
use urlwise_explain::secret;

use super::links::{Links, Target};
use super::verdict::{More, Proof, Verdict};
use crate::exit::Failure;
use crate::language::{about, message, said};
use crate::whole_file;

/// The first line.
const HEAD: &str = "urlwise-cache 1";
/// A longer file is not read, in octets.
const LONGEST: u64 = 256 << 20;

/// The answers of earlier runs.
#[derive(Debug, Default)]
pub(super) struct Cache {
    entries: HashMap<String, Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// In seconds since 1970.
    asked: u64,
    is_moved: bool,
    status: Option<u16>,
    final_url: Option<String>,
    fragments: BTreeSet<String>,
}

impl Cache {
    /// Reads a file, which need not exist, without what is older than this.
    pub(super) fn read(path: &Path, max_age: Duration, now: SystemTime) -> Result<Cache, Failure> {
        if !path.try_exists().unwrap_or(true) {
            return Ok(Cache::default());
        }
        let failed = |why: &str| {
            let name = secret::masked_path(path);
            let message =
                message!("cannot read {name}: {why}; remove it, or name another file", name = name, why = why);
            Failure::Input(about("--cache", message))
        };
        let octets = whole_file::read(path, LONGEST).map_err(|why| failed(&why))?;
        // What a damaged line holds is not an entry.
        let text = String::from_utf8_lossy(&octets);
        let mut lines = text.lines();
        if lines.next().is_some_and(|head| head != HEAD) {
            return Err(failed(&said!("it is not a cache of urlwise")));
        }
        let now = seconds(now);
        let oldest = now.saturating_sub(max_age.as_secs());
        // What is not an entry of this version is forgotten; an entry of the future was not asked.
        let entries = lines.filter_map(parse).filter(|(_, entry)| (oldest..=now).contains(&entry.asked)).collect();
        Ok(Cache { entries })
    }

    /// What is known of a target, if it is enough.
    pub(super) fn get(&self, target: &Target) -> Option<Proof> {
        if target.wanted.file.is_some() || target.follow.is_some() {
            return None;
        }
        let entry = self.entries.get(target.wanted.url.as_str())?;
        target.fragments.is_subset(&entry.fragments).then(|| Proof {
            verdict: if entry.is_moved { Verdict::Moved } else { Verdict::Alive },
            status: entry.status,
            ..Proof::alive().with(More { final_url: entry.final_url.clone(), ..More::default() })
        })
    }

    /// Adds what a run has found out.
    pub(super) fn learn(&mut self, links: &Links, now: SystemTime) {
        for target in links.targets.iter().filter(|target| target.wanted.file.is_none() && target.follow.is_none()) {
            let Some(proof) = target.proof.as_ref().filter(|proof| proof.elapsed.is_some()) else { continue };
            let url = target.wanted.url.as_str();
            let is_good = matches!(proof.verdict, Verdict::Alive | Verdict::Moved) && proof.more().absent.is_empty();
            // A file that others may read must not have passwords. A fragment can hold anything, even lines of its own.
            let is_plain = |name: &String| !name.contains(|c: char| c.is_whitespace() || c.is_control());
            if !is_good || !urlwise::secrets(url.as_bytes()).is_empty() || !target.fragments.iter().all(is_plain) {
                self.entries.remove(url);
                continue;
            }
            let entry = Entry {
                asked: seconds(now),
                is_moved: proof.verdict == Verdict::Moved,
                status: proof.status,
                final_url: proof.more().final_url.clone(),
                fragments: target.fragments.clone(),
            };
            self.entries.insert(url.to_owned(), entry);
        }
    }

    /// Writes the file, all of it or nothing.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let mut urls: Vec<_> = self.entries.iter().collect();
        urls.sort_by_key(|(url, _)| *url);
        let mut text = format!("{HEAD}\n");
        for (url, entry) in urls {
            text.push_str(&line(url, entry));
        }
        whole_file::write(path, text.as_bytes())
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn line(url: &str, entry: &Entry) -> String {
    let verdict = if entry.is_moved { Verdict::Moved } else { Verdict::Alive };
    let status = entry.status.map(|status| status.to_string()).unwrap_or_default();
    let fragments: Vec<_> = entry.fragments.iter().map(String::as_str).collect();
    let (name, moved) = (verdict.name(), entry.final_url.as_deref().unwrap_or_default());
    format!("{}\t{name}\t{status}\t{url}\t{moved}\t{}\n", entry.asked, fragments.join(" "))
}

fn parse(line: &str) -> Option<(String, Entry)> {
    let mut fields = line.split('\t');
    let mut next = || fields.next();
    let asked = next()?.parse().ok()?;
    let verdict = next()?;
    let is_moved = verdict == Verdict::Moved.name();
    let status = Some(next()?).filter(|status| !status.is_empty());
    let status = status.map(str::parse).transpose().ok()?;
    let url = next()?.to_owned();
    // Anybody may have written the file, and what stands there is shown.
    let final_url = Some(next()?).filter(|url| !url.is_empty()).map(|url| Url::parse_with(url, Profile::Current));
    let final_url = final_url.transpose().ok()?.map(|url| url.masked().to_string());
    let fragments = next()?.split(' ').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let is_entry = fields.next().is_none() && (is_moved || verdict == Verdict::Alive.name());
    is_entry.then_some((url, Entry { asked, is_moved, status, final_url, fragments }))
}

#[cfg(test)]
mod tests {
    use std::fs;

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
    fn an_entry_counts_from_its_time_to_the_end_of_its_age() {
        let path = std::env::temp_dir().join(format!("urlwise-cache-{}", std::process::id()));
        let ages = [0_u64, 3_599, 3_600, 3_601];
        let entry = |(number, age): (usize, &u64)| format!("{}\talive\t\thttp://h.dom/{number}\t\t\n", 10_000 - age);
        let lines: String = ages.iter().enumerate().map(entry).collect();
        fs::write(&path, format!("{HEAD}\n{lines}10001\talive\t\thttp://h.dom/later\t\t\n")).unwrap();
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(10_000);
        let cache = Cache::read(&path, Duration::from_secs(3_600), now);
        fs::remove_file(&path).unwrap();
        let cache = cache.unwrap_or_else(|_| panic!("it is a cache"));
        let mut urls: Vec<_> = cache.entries.keys().map(String::as_str).collect();
        urls.sort_unstable();
        assert_eq!(urls, ["http://h.dom/0", "http://h.dom/1", "http://h.dom/2"]);
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
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
