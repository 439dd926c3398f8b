//! The labels that a document defines.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};

use unicase::UniCase;

/// The labels of a document that is read in parts: in one part, what the others define is defined.
#[derive(Default)]
pub(super) struct Labels {
    state: RandomState,
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

/// Takes the number of a label, which is a hash, for its hash.
#[derive(Default)]
struct Itself(u64);

impl Hasher for Itself {
    fn write(&mut self, number: &[u8]) {
        self.0 = number.first_chunk().map_or(0, |number| u64::from_ne_bytes(*number));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Labels {
    /// A number for a label, the same for labels that Markdown does not tell apart. Nobody can choose labels with the same number.
    pub(super) fn hash(&self, label: &str) -> u64 {
        self.state.hash_one(UniCase::new(label))
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
        Labels { state: self.state.clone(), read: self.read.clone(), all: None }
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
