//! The links of a run: each URL once, and every place where it stands.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use urlwise::{NormalForm, Url};

use super::verdict::Proof;
use crate::check::suppress::Suppressions;
use crate::position::Position;
use crate::report::Found;

/// Everything that was found.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// Each URL, without its fragment.
    pub(super) targets: Vec<Target>,
    /// Their numbers, by normal form.
    names: HashMap<Box<str>, usize>,
    /// The texts that links were found in.
    pub(super) texts: Vec<Text>,
}

/// A URL to open.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) wanted: Arc<Wanted>,
    /// The fragments of its links.
    pub(super) fragments: BTreeSet<String>,
    /// It has been asked, or will be before long, about these of its fragments.
    pub(super) is_asked: bool,
    pub(super) asked_fragments: BTreeSet<String>,
    /// Its links are checked too, and followed so many in a row.
    pub(super) follow: Option<u32>,
    /// It is a list of pages: the entry of a list of sitemaps, or named in robots.txt.
    pub(super) is_sitemap: bool,
    /// Only its links within the sites count: nobody asked for the others.
    pub(super) is_narrow: bool,
    /// `None` as long as it has not been asked.
    pub(super) proof: Option<Proof>,
}

/// A text with its links, in order.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) origin: Origin,
    pub(super) places: Vec<Place>,
    /// Its comments that ignore rules, of each block that it was read in.
    pub(super) comments: Vec<Comments>,
}

/// Comments that ignore rules.
#[derive(Debug)]
pub(super) struct Comments {
    pub(super) all: Arc<Suppressions>,
    /// Each of them by its offset: its octets, its start and its end.
    pub(super) spans: HashMap<usize, (Vec<u8>, Position, Position)>,
}

/// Where a text comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// The command line.
    Arguments,
    /// A file; `None` is standard input.
    File(Option<PathBuf>),
    /// A page that was opened, masked.
    Page(String),
}

/// A link in a text.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) start: Position,
    pub(super) end: Position,
    /// The link as it is written.
    pub(super) written: Box<str>,
    /// Its URL; `None` if the link cannot be resolved or has a scheme that `find` does not know.
    pub(super) url: Option<Box<str>>,
    pub(super) fragment: Option<Box<str>>,
    pub(super) to: To,
    /// What is wrong with the URL itself, and the same as reports.
    pub(super) findings: Vec<Found>,
    pub(super) reports: Vec<u8>,
    /// The suppression comments of its block, and its offset in the block; `None` for a block without comments.
    pub(super) comments: Option<(Arc<Suppressions>, usize)>,
}

/// The number of a target that has none yet.
pub(super) const UNNUMBERED: usize = usize::MAX;

/// What a link names.
#[derive(Debug)]
pub(super) enum To {
    /// The number of a target; [`UNNUMBERED`] until it is added.
    Target(usize),
    /// Nothing that can be asked.
    Known(Box<Proof>),
}

/// What is opened, or looked up.
#[derive(Debug)]
pub(super) struct Wanted {
    /// As it was found first.
    pub(super) url: Url<String>,
    /// The text that it was found in first; the links of a text share its URL.
    pub(super) from: Option<Arc<Url<String>>>,
    /// The file that it names, if a relative link does: it is looked up and not opened.
    pub(super) file: Option<PathBuf>,
}

impl Links {
    /// The target of a URL that is opened, if it is there in any spelling.
    pub(super) fn opened(&self, url: &Url<String>) -> Option<&Target> {
        self.names.get(&name(url, false)).map(|number| &self.targets[*number])
    }

    /// Adds a URL, or finds it if it is there in any spelling. Returns its number.
    pub(super) fn add(&mut self, wanted: Arc<Wanted>, fragment: Option<&str>) -> usize {
        let name = name(&wanted.url, wanted.file.is_some());
        let known = self.names.get(&name).copied();
        let number = known.unwrap_or_else(|| {
            self.targets.push(Target {
                wanted,
                fragments: BTreeSet::new(),
                is_asked: false,
                asked_fragments: BTreeSet::new(),
                follow: None,
                is_sitemap: false,
                is_narrow: false,
                proof: None,
            });
            self.names.insert(name, self.targets.len() - 1);
            self.targets.len() - 1
        });
        if let Some(fragment) = fragment.filter(|fragment| !fragment.is_empty()) {
            self.targets[number].fragments.insert(fragment.to_owned());
        }
        number
    }

    /// Forgets where links stand in files, which are read again after they were rewritten.
    pub(super) fn forget_files(&mut self) {
        self.texts.retain(|text| !matches!(text.origin, Origin::File(_)));
    }

    /// Of a new URL it is known what was found out when the old one was followed to it.
    pub(super) fn learn_moves(&mut self) {
        let moved = self.targets.iter().filter_map(|target| {
            let proof = target.proof.as_ref()?;
            Some((name(proof.moved_to.as_ref()?, false), proof.clone()))
        });
        let moved: HashMap<_, _> = moved.collect();
        for target in self.targets.iter_mut().filter(|target| target.proof.is_none() && target.wanted.file.is_none()) {
            let known = moved.get(&name(&target.wanted.url, false)).cloned();
            target.proof =
                known.map(|Proof { status, elapsed, absent, .. }| Proof { status, elapsed, absent, ..Proof::alive() });
        }
    }

    /// What is known about the link at a place; `None` if it has not been asked.
    pub(super) fn proof<'p>(&'p self, place: &'p Place) -> Option<Cow<'p, Proof>> {
        match &place.to {
            To::Known(proof) => Some(Cow::Borrowed(proof)),
            To::Target(number) => Some(self.targets[*number].proof.as_ref()?.at(place.fragment.as_deref())),
        }
    }
}

/// The name of a target. A file that a relative link names is looked up, and one that a file URL names is opened.
fn name(url: &Url<String>, is_file: bool) -> Box<str> {
    let mut name = String::new();
    url.normalize_into(NormalForm::Scheme, &mut name);
    if !is_file {
        name.push(' ');
    }
    name.into()
}
