//! The labels that a document defines.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};

use unicase::UniCase;

/// The labels of a document that is read in parts: in one part, what the others define is defined.
pub(super) struct Labels {
    state: RandomState,
    /// Unknown to all, as the state is.
    factor: u64,
    /// What is defined in the parts that were read.
    read: Defined,
    /// What is defined in all parts, once someone asked for what is not known.
    all: Option<Defined>,
}

#[derive(Clone, Default)]
struct Defined {
    links: HashSet<u64, BuildHasherDefault<Itself>>,
    /// Footnotes, and where the first definition of each stands.
    notes: HashMap<u64, usize, BuildHasherDefault<Itself>>,
}

/// Takes the number of a label for its hash.
#[derive(Default)]
struct Itself(u64);

impl Hasher for Itself {
    fn write(&mut self, number: &[u8]) {
        self.0 = number.first_chunk().map_or(0, |number| u64::from_ne_bytes(*number));
    }

    fn finish(&self) -> u64 {
        // A table takes a place by the low bits. Those of a product depend on little of a label, the high ones on all of it.
        self.0.swap_bytes()
    }
}

impl Default for Labels {
    fn default() -> Self {
        let state = RandomState::new();
        Labels { factor: state.hash_one(0), state, read: Defined::default(), all: None }
    }
}

impl Labels {
    /// A number for a label, the same for labels that Markdown does not tell apart. Nobody can choose labels with the same number, or with
    /// numbers that are alike.
    pub(super) fn hash(&self, label: &str) -> u64 {
        // Times what is odd and unknown, different numbers stay different.
        let number = |number: u64| number.wrapping_mul(self.factor | 1);
        // Most labels are so short that they are numbers themselves, with their length in front.
        let short = |label: &str| {
            let is_short = label.len() < 8 && label.is_ascii();
            let add = |number, octet: &u8| number << 8 | u64::from(octet.to_ascii_lowercase());
            is_short.then(|| number(label.as_bytes().iter().fold(label.len() as u64, add)))
        };
        short(label).unwrap_or_else(|| {
            let folded = UniCase::new(label).to_folded_case();
            short(&folded).unwrap_or_else(|| number(self.state.hash_one(folded) | 0xff << 56))
        })
    }

    /// The same for the label of a footnote, whether as written or as the parser gives it: the two may differ in white space.
    pub(super) fn hash_note(&self, label: &str) -> u64 {
        let is_space = |octet| matches!(octet, '\t'..='\r' | ' ');
        if !label.contains(is_space) {
            return self.hash(label);
        }
        let words: Vec<_> = label.split(is_space).filter(|word| !word.is_empty()).collect();
        self.hash(&words.join(" "))
    }

    /// A label that nobody can choose.
    pub(super) fn probe(&self) -> String {
        format!("{:x}", self.hash("probe"))
    }

    /// Whether a link is defined in another part; `None` if only a part that was not read yet may do so.
    pub(super) fn defines_link(&self, label: &str) -> Option<bool> {
        let Defined { links, .. } = self.all.as_ref().unwrap_or(&self.read);
        let is_defined = !links.is_empty() && links.contains(&self.hash(label));
        (is_defined || self.is_complete()).then_some(is_defined)
    }

    /// Where a footnote is defined, once all parts are known.
    pub(super) fn note(&self, label: &str) -> Option<usize> {
        self.all.as_ref()?.notes.get(&self.hash_note(label)).copied()
    }

    /// Whether any footnote is.
    pub(super) fn have_notes(&self) -> bool {
        self.all.as_ref().is_some_and(|all| !all.notes.is_empty())
    }

    /// Adds a link of the part that is read. False if it was there.
    pub(super) fn add_link(&mut self, label: u64) -> bool {
        self.read.links.insert(label)
    }

    /// Adds a footnote of the part that is read.
    pub(super) fn add_note(&mut self, label: u64, place: usize) {
        self.read.notes.entry(label).or_insert(place);
    }

    /// A copy of what was read so far, for another walk to continue from.
    pub(super) fn read_so_far(&self) -> Labels {
        Labels { state: self.state.clone(), factor: self.factor, read: self.read.clone(), all: None }
    }

    /// Whether all parts are known.
    pub(super) fn is_complete(&self) -> bool {
        self.all.is_some()
    }

    /// All parts are known.
    pub(super) fn complete(&mut self, all: Labels) {
        self.all = Some(all.read);
    }
}

/// Whether what is in a label may read otherwise as text: an escape, a reference, code, a tag or a link.
pub(super) fn may_read_otherwise(label: &str) -> bool {
    label.contains(['\\', '&', '<', '`'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_the_same_in_any_case() {
        let labels = Labels::default();
        for same in [
            ["a", "A"],
            ["k", "\u{212a}"],
            ["ss", "\u{1e9e}"],
            ["strasse", "STRA\u{df}E"],
            ["a longer strasse", "A Longer Stra\u{df}e"],
            ["\u{3c3}\u{3bb}\u{3c3}\u{3bb}\u{3c3}", "\u{3a3}\u{39b}\u{3a3}\u{39b}\u{3c2}"],
        ] {
            let [first, second] = same.map(|label| labels.hash(label));
            assert_eq!(first, second, "{same:?}");
        }
    }

    #[test]
    fn different_labels_have_different_numbers() {
        let labels = Labels::default();
        let unit = "abcdefghijkl\0\0\0\u{e9}\u{e9}";
        let parts = unit.char_indices().flat_map(|(start, _)| {
            let ends = unit[start..].char_indices().map(move |(end, _)| start + end);
            ends.chain([unit.len()]).map(move |end| &unit[start..end])
        });
        let parts: HashSet<&str> = parts.collect();
        let numbers: HashSet<u64> = parts.iter().map(|label| labels.hash(label)).collect();
        assert_eq!((numbers.len(), parts.len()), (150, 150));
        assert_ne!(labels.hash("a"), Labels::default().hash("a"));
    }

    #[test]
    fn labels_with_the_same_start_or_end_are_apart_in_a_table() {
        // One in some hundred factors is a bad one for some labels.
        let labels = Labels { factor: 0x9e37_79b9_7f4a_7c15, ..Labels::default() };
        for position in 0..7 {
            let of =
                |letter: u8| (0..7).map(|at| if at == position { char::from(letter) } else { 'z' }).collect::<String>();
            let places: HashSet<u64> = (b'a'..=b'p')
                .map(|letter| {
                    let mut hasher = Itself::default();
                    hasher.write(&labels.hash(&of(letter)).to_ne_bytes());
                    hasher.finish() % 256
                })
                .collect();
            assert!(places.len() > 3, "{position}: {places:?}");
        }
    }
}
