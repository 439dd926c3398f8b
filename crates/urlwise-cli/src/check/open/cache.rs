//! `--cache`: what was found out before, in the file of [`urlwise_formats::cache`] (D-104).

use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use urlwise_explain::secret;
use urlwise_formats::cache::{self, Entry};

use super::links::{Links, Target};
use super::verdict::{More, Proof, Verdict};
use crate::exit::Failure;
use crate::language::{about, message, said};
use crate::whole_file;

/// A longer file is not read, in octets.
const LONGEST: u64 = 256 << 20;

/// The answers of earlier runs.
#[derive(Debug, Default)]
pub(super) struct Cache(cache::Cache);

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
        let now = seconds(now);
        let oldest = now.saturating_sub(max_age.as_secs());
        // An entry of the future was not asked.
        let known = cache::Cache::parse(&octets, oldest..=now);
        known.map(Cache).ok_or_else(|| failed(&said!("it is not a cache of urlwise")))
    }

    /// What is known of a target, if it is enough.
    pub(super) fn get(&self, target: &Target) -> Option<Proof> {
        if target.wanted.file.is_some() || target.follow.is_some() {
            return None;
        }
        let entry = self.0.get(target.wanted.url.as_str())?;
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
            let is_plain = proof.more().absent.is_empty() && proof.more().fragment.is_none();
            if !matches!(proof.verdict, Verdict::Alive | Verdict::Moved) || !is_plain {
                self.0.remove(url);
                continue;
            }
            let entry = Entry {
                asked: seconds(now),
                is_moved: proof.verdict == Verdict::Moved,
                status: proof.status,
                final_url: proof.more().final_url.clone(),
                fragments: target.fragments.clone(),
            };
            self.0.insert(url, entry);
        }
    }

    /// Writes the file, all of it or nothing.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        whole_file::write(path, self.0.text().as_bytes())
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn an_entry_counts_from_its_time_to_the_end_of_its_age() {
        let path = std::env::temp_dir().join(format!("urlwise-cache-{}", std::process::id()));
        let ages = [0_u64, 3_599, 3_600, 3_601];
        let entry = |(number, age): (usize, &u64)| format!("{}\talive\t\thttp://h.dom/{number}\t\t\n", 10_000 - age);
        let lines: String = ages.iter().enumerate().map(entry).collect();
        fs::write(&path, format!("urlwise-cache 1\n{lines}10001\talive\t\thttp://h.dom/later\t\t\n")).unwrap();
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(10_000);
        let cache = Cache::read(&path, Duration::from_secs(3_600), now);
        fs::remove_file(&path).unwrap();
        let cache = cache.unwrap_or_else(|_| panic!("it is a cache"));
        let mut urls: Vec<_> = cache.0.iter().map(|(url, _)| url).collect();
        urls.sort_unstable();
        assert_eq!(urls, ["http://h.dom/0", "http://h.dom/1", "http://h.dom/2"]);
    }
}
