//! The summary of a run: how many links have which verdict, by scheme and by host.

use std::collections::BTreeMap;

use urlwise::{Message, Profile, Url, diagnose};
use urlwise_open::policy::RULES;

use super::links::{Links, Origin, Text, To};
use super::verdict::Verdict;
use crate::language::{about, counted, language, list, message};

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
    /// How many links each rule of the policy refused.
    refused: BTreeMap<&'static str, usize>,
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

impl Counts {
    /// For example `7 alive, 1 dead`.
    fn message(self) -> Message {
        let counted = Verdict::ALL.iter().filter(|verdict| self.0[**verdict as usize] > 0);
        list(
            counted.map(|verdict| {
                message!("{count} {verdict}", count = self.0[*verdict as usize], verdict = verdict.shown())
            }),
        )
    }
}

/// The host of a URL in lower case, unless it is empty.
fn host(url: &Url<&str>) -> Option<String> {
    Some(url.host()?.as_str().to_ascii_lowercase()).filter(|host| !host.is_empty())
}

impl Summary {
    pub(super) fn of(links: &Links) -> Summary {
        let texts = links.texts.iter().filter(|text| !matches!(text.origin, Origin::Arguments)).count();
        let mut summary = Summary { texts, ..Summary::default() };
        for place in links.texts.iter().flat_map(Text::places) {
            let Some(proof) = links.proof(place) else {
                summary.unasked += 1;
                continue;
            };
            summary.all.add(proof.verdict);
            if let Some(rule) = proof.cause.filter(|_| proof.verdict == Verdict::Refused) {
                *summary.refused.entry(rule).or_default() += 1;
            }
            let url = place.url().unwrap_or(place.written());
            let scheme = url.split(':').next().filter(|_| url.contains(':')).unwrap_or("relative");
            let shown = urlwise::escape_for_display(scheme.to_ascii_lowercase().as_bytes()).to_string();
            summary.schemes.entry(shown).or_default().add(proof.verdict);
            let host = match &place.to {
                To::New(wanted) | To::Target(_, wanted) => host(&wanted.url.borrow()),
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
        let total = self.all.total();
        let links = counted!("{count} link", "{count} links", total);
        let files = counted!("{count} file", "{count} files", self.texts);
        let mut first = match self.texts {
            0 => links,
            _ => message!("{links} in {files}", links = links, files = files),
        };
        if total > 0 {
            first = message!("{links}: {counts}", links = first, counts = self.all.message());
        }
        if self.unasked > 0 {
            first = message!("{summary}; {count} not opened", summary = first, count = self.unasked);
        }
        let mut lines = vec![first.in_language(language()).to_string()];
        let line = |(name, counts): (&String, &Counts)| format!("  {}", about(name.as_str(), counts.message()));
        if self.schemes.len() > 1 {
            lines.extend(self.schemes.iter().map(line));
        }
        let mut hosts: Vec<_> = self.hosts.iter().filter(|(_, counts)| counts.bad() > 0).collect();
        hosts.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.bad()));
        lines.extend(hosts.iter().take(MOST_HOSTS).copied().map(line));
        if let Some(more @ 1..) = hosts.len().checked_sub(MOST_HOSTS) {
            let more = counted!("and {count} more host", "and {count} more hosts", more);
            lines.push(format!("  {}", more.in_language(language())));
        }
        for (id, count) in &self.refused {
            let rule = RULES.iter().find(|rule| rule.id == *id);
            let reference = rule.map_or_else(String::new, |rule| rule.reference_in(language()));
            let refused = match rule.is_some_and(|rule| rule.allowable) {
                true => message!(
                    "refused by `{rule}` ({reference}): {count}; use `--allow {rule}` to open such links",
                    rule = *id,
                    reference = &*reference,
                    count = *count
                ),
                false => message!(
                    "refused by `{rule}` ({reference}): {count}",
                    rule = *id,
                    reference = &*reference,
                    count = *count
                ),
            };
            lines.push(format!("  {}", refused.in_language(language())));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_named_up_to_a_number_and_schemes_if_there_are_several() {
        let mut one = Counts::default();
        one.add(Verdict::Dead);
        let counted = |count: usize| (0..count).map(|number| (format!("n{number}"), one)).collect();
        for (schemes, hosts, lines) in
            [(1, 0, 1), (2, 0, 3), (1, 1, 2), (1, MOST_HOSTS, 1 + MOST_HOSTS), (1, MOST_HOSTS + 1, 2 + MOST_HOSTS)]
        {
            let summary = Summary { schemes: counted(schemes), hosts: counted(hosts), ..Summary::default() };
            assert_eq!(summary.lines().len(), lines, "{schemes} {hosts}");
        }
    }
    #[test]
    fn each_rule_that_refused_is_named_once_with_the_way_to_lift_it() {
        let refused = BTreeMap::from([("file-from-network", 1), ("local-from-public", 7)]);
        let summary = Summary { refused, ..Summary::default() };
        assert_eq!(
            summary.lines()[1..],
            [
                "  refused by `file-from-network` (E-31): 1",
                "  refused by `local-from-public` (S-9, E-19): 7; use `--allow local-from-public` to open such links",
            ]
        );
    }
}
