//! The labels that a document defines.

use std::cell::Cell;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use unicase::UniCase;

/// The labels of a document that is read in parts: in one part, what the others define is defined.
#[derive(Default)]
pub(super) struct Labels {
    state: RandomState,
    /// The links and footnotes that are defined in the parts that were read.
    links: HashSet<u64>,
    notes: HashSet<u64>,
    /// The links and footnotes of all parts, once someone asked for one that is not known.
    all: Option<[HashSet<u64>; 2]>,
    is_asked: Cell<bool>,
}

impl Labels {
    /// A number for a label, the same for labels that Markdown does not tell apart. Nobody can choose labels with the same number.
    pub(super) fn hash(&self, label: &str) -> u64 {
        self.state.hash_one(UniCase::new(label))
    }

    /// Whether a link is defined in another part.
    pub(super) fn contains_link(&self, label: &str) -> bool {
        match &self.all {
            Some([links, _]) => !links.is_empty() && links.contains(&self.hash(label)),
            None => {
                let is_known = !self.links.is_empty() && self.links.contains(&self.hash(label));
                self.is_asked.set(self.is_asked.get() || !is_known);
                is_known
            }
        }
    }

    /// Whether a footnote is.
    pub(super) fn contains_note(&self, label: &str) -> bool {
        self.all.as_ref().is_some_and(|[_, notes]| notes.contains(&self.hash(label)))
    }

    /// Whether any footnote is.
    pub(super) fn have_notes(&self) -> bool {
        self.all.as_ref().is_some_and(|[_, notes]| !notes.is_empty())
    }

    /// Whether it was asked for a link that may be defined in a part that was not read yet. It is forgotten then.
    pub(super) fn take_asked(&self) -> bool {
        self.is_asked.take()
    }

    /// Adds a link of the part that is read. False if it was there.
    pub(super) fn add_link(&mut self, label: u64) -> bool {
        self.links.insert(label)
    }

    /// Adds a footnote of the part that is read.
    pub(super) fn add_note(&mut self, label: &str) {
        let label = self.hash(label);
        self.notes.insert(label);
    }

    /// For the same document, with no part read.
    pub(super) fn others(&self) -> Labels {
        Labels { state: self.state.clone(), ..Labels::default() }
    }

    /// Whether all parts are known.
    pub(super) fn is_complete(&self) -> bool {
        self.all.is_some()
    }

    /// All parts are known.
    pub(super) fn complete(&mut self, all: Labels) {
        self.all = Some([all.links, all.notes]);
    }
}
