//! The URLs that a walk has found, and how near.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, RandomState};

use urlwise::{NormalForm, Url};

/// The most URLs that are remembered.
const MOST: usize = 1_000_000;

/// How many links lead to a URL that is not followed: more than to any that is.
pub(super) const ELSEWHERE: u32 = u32::MAX;

/// What was found, in whatever spelling.
#[derive(Default)]
pub(super) struct Seen {
    /// By keyed hashes of normal forms: of a URL as long as a server likes, a few octets are kept.
    found: HashMap<u64, Found>,
    keys: RandomState,
}

struct Found {
    /// How many links lead to it, or [`ELSEWHERE`].
    depth: u32,
    is_saved: bool,
}

/// What is known of a URL that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Met {
    /// It was not found before, or from further away and not saved.
    New,
    /// It was found from further away, and saved.
    Nearer,
    /// It was found before, as near as this.
    Known,
    /// There is no room to remember it.
    Full,
}

impl Seen {
    /// Remembers that so many links lead to a URL.
    pub(super) fn meet(&mut self, url: &Url<&str>, depth: u32) -> Met {
        let is_full = self.found.len() >= MOST;
        match self.found.entry(key(&self.keys, url)) {
            Entry::Vacant(_) if is_full => Met::Full,
            Entry::Vacant(new) => {
                new.insert(Found { depth, is_saved: false });
                Met::New
            }
            Entry::Occupied(known) if depth >= known.get().depth => Met::Known,
            Entry::Occupied(known) => {
                let known = known.into_mut();
                known.depth = depth;
                if known.is_saved { Met::Nearer } else { Met::New }
            }
        }
    }

    /// Remembers that a URL was saved.
    pub(super) fn save(&mut self, url: &Url<&str>) {
        self.found.entry(key(&self.keys, url)).and_modify(|found| found.is_saved = true);
    }
}

fn key(keys: &RandomState, url: &Url<&str>) -> u64 {
    keys.hash_one(url.normalize(NormalForm::Scheme).as_str())
}

#[cfg(test)]
mod tests {
    use super::{ELSEWHERE, Met, Seen};
    use urlwise::Url;

    #[test]
    fn a_url_is_met_once_in_all_its_spellings_and_again_if_it_is_nearer() {
        let mut seen = Seen::default();
        let [one, other] = ["http://h.dom/%7Ea", "http://H.dom:80/%7ea"].map(|text| Url::parse(text).expect(text));
        assert_eq!(
            [ELSEWHERE, ELSEWHERE, 2, 3, 2].map(|depth| seen.meet(&one, depth)),
            [Met::New, Met::Known, Met::New, Met::Known, Met::Known]
        );
        // It was not saved, as one that robots.txt forbids is not.
        assert_eq!(seen.meet(&other, 1), Met::New);
        seen.save(&other);
        assert_eq!([1, 0, 0].map(|depth| seen.meet(&one, depth)), [Met::Known, Met::Nearer, Met::Known]);
    }
}
