//! The summary of a run: how many links have which verdict, by scheme and by host.

use std::collections::BTreeMap;

use urlwise::{Profile, Url, diagnose};

use super::links::{Links, To};
use super::verdict::Verdict;

/// How many hosts are named.
const MOST_HOSTS: usize = 20;

/// Counts by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts([usize; Verdict::ALL.len()]);

/// The counts of a run.
#[derive(Debug, Default)]
pub(super) struct Summary {
    all: Counts,
    texts: usize,
    /// Links that were not asked about before the run ended.
    unasked: usize,
    schemes: BTreeMap<String, Counts>,
    hosts: BTreeMap<String, Counts>,
}

impl Counts {
    fn add(&mut self, verdict: Verdict) {
        self.0[verdict as usize] += 1;
    }

    fn total(self) -> usize {
        self.0.iter().sum()
    }

    /// How many are not in order.
    fn bad(self) -> usize {
        self.0[Verdict::Dead as usize] + self.0[Verdict::Unknown as usize] + self.0[Verdict::Refused as usize]
    }
}

impl std::fmt::Display for Counts {
    /// For example `7 alive, 1 dead`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counted = Verdict::ALL.iter().filter(|verdict| self.0[**verdict as usize] > 0);
        let counted: Vec<_> =
            counted.map(|verdict| format!("{} {}", self.0[*verdict as usize], verdict.name())).collect();
        f.write_str(&counted.join(", "))
    }
}

/// The host of a URL in lower case, unless it is empty.
fn host(url: &Url<&str>) -> Option<String> {
    Some(url.host()?.as_str().to_ascii_lowercase()).filter(|host| !host.is_empty())
}

impl Summary {
    pub(super) fn of(links: &Links) -> Summary {
        let mut summary = Summary { texts: links.texts.len(), ..Summary::default() };
        for place in links.texts.iter().flat_map(|text| &text.places) {
            let Some(proof) = links.proof(place) else {
                summary.unasked += 1;
                continue;
            };
            summary.all.add(proof.verdict);
            let url = place.url.as_deref().unwrap_or(&place.written);
            let scheme = url.split(':').next().filter(|_| url.contains(':')).unwrap_or("relative");
            let shown = urlwise::escape_for_display(scheme.to_ascii_lowercase().as_bytes()).to_string();
            summary.schemes.entry(shown).or_default().add(proof.verdict);
            let host = match place.to {
                To::Target(number) => host(&links.targets[number].wanted.url.borrow()),
                // The URL of what cannot be asked about was not kept.
                To::Known(_) => diagnose(url.as_bytes(), Profile::Current).url().and_then(|url| host(&url)),
            };
            if let Some(host) = host {
                summary.hosts.entry(host).or_default().add(proof.verdict);
            }
        }
        summary
    }

    /// The lines to print: all links, then those of each scheme, then hosts with links that are not in order.
    pub(super) fn lines(&self) -> Vec<String> {
        let counted = |count: usize, name: &str| format!("{count} {name}{}", if count == 1 { "" } else { "s" });
        let total = self.all.total();
        let mut first = format!("{} in {}", counted(total, "link"), counted(self.texts, "file"));
        if total > 0 {
            first = format!("{first}: {}", self.all);
        }
        if self.unasked > 0 {
            first = format!("{first}; {} not opened", self.unasked);
        }
        let mut lines = vec![first];
        if self.schemes.len() > 1 {
            lines.extend(self.schemes.iter().map(|(scheme, counts)| format!("  {scheme}: {counts}")));
        }
        let mut hosts: Vec<_> = self.hosts.iter().filter(|(_, counts)| counts.bad() > 0).collect();
        hosts.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.bad()));
        lines.extend(hosts.iter().take(MOST_HOSTS).map(|(host, counts)| format!("  {host}: {counts}")));
        if hosts.len() > MOST_HOSTS {
            lines.push(format!("  and {} more hosts", hosts.len() - MOST_HOSTS));
        }
        lines
    }
}
