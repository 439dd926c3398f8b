//! The links of a run: each URL once, and every place where it stands.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::sync::Arc;

use hashbrown::HashTable;
use urlwise::{NormalForm, Scheme, Url};
use urlwise_formats::comments::Suppressions;

use super::read::Draft;
use super::verdict::{More, Proof, Verdict};
use crate::position::Position;
use crate::report::Found;

/// Everything that was found.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// Each URL, without its fragment.
    pub(super) targets: Vec<Target>,
    /// Their numbers, by the hash of their names.
    numbers: HashTable<Number>,
    hasher: RandomState,
    /// The texts that links were found in.
    pub(super) texts: Vec<Text>,
}

#[derive(Debug)]
struct Number {
    /// Of the name, which is made again from the URL when it is needed: stored, it would take as much memory as the URL.
    hash: u64,
    number: usize,
}

/// A URL to open.
#[derive(Debug)]
pub(super) struct Target {
    /// As it is written first.
    pub(super) wanted: Arc<Wanted>,
    /// The URL of the text where that is. `None` for an argument.
    pub(super) from: Option<Arc<Url<String>>>,
    /// The fragments of its links.
    pub(super) fragments: BTreeSet<String>,
    /// It has been asked, or will be before long, when it had so many fragments: there are only ever more of them.
    pub(super) is_asked: bool,
    pub(super) asked_fragments: usize,
    /// Its links are checked too, and followed so many in a row.
    pub(super) follow: Option<u32>,
    /// Its links are known. It may be asked again for more fragments.
    pub(super) is_read: bool,
    /// It is a list of pages: the entry of a list of sitemaps, or named in robots.txt.
    pub(super) is_sitemap: bool,
    /// Only its links within the sites count: nobody asked for the others.
    pub(super) is_narrow: bool,
    /// `None` as long as it has not been asked.
    pub(super) proof: Option<Box<Proof>>,
}

/// A text with its links, in order.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) origin: Origin,
    /// Its octets are not those of its file: see [`Source`](crate::walk::Source).
    pub(super) is_decoded: bool,
    /// Some of its links after the other: one vector of all of them would be copied as it grows, and leave holes in memory.
    places: Vec<Box<[Place]>>,
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
    /// The link as it is written, if not like its URL; see [`Place::written`].
    pub(super) unlike: Option<Box<str>>,
    pub(super) fragment: Option<Box<str>>,
    pub(super) to: To,
    /// What few links have. There may be many links, so the others do without its memory.
    pub(super) extra: Option<Box<Extra>>,
}

/// There is one for each link, so it must stay small.
const _: () = assert!(size_of::<Place>() <= 96);

/// What few links have.
#[derive(Debug, Default)]
pub(super) struct Extra {
    /// Its URL, if that is not the one that is opened; see [`Place::url`].
    pub(super) other_url: Option<Box<str>>,
    /// Where the link ends, if it stands there in another way than it is written, such as with character references.
    pub(super) end: Option<Position>,
    /// What is wrong with the URL itself, and the same as reports.
    pub(super) findings: Vec<Found>,
    pub(super) reports: Vec<u8>,
    /// The suppression comments of its block, and its offset in the block; `None` for a block without comments.
    pub(super) comments: Option<(Arc<Suppressions>, usize)>,
}

/// What a link names.
#[derive(Debug)]
pub(super) enum To {
    /// Something to ask about that is not among the targets yet.
    New(Arc<Wanted>),
    /// The number of a target, and what it is called here.
    Target(usize, Arc<Wanted>),
    /// Nothing that can be asked.
    Known(Box<Proof>),
}

/// What is opened, or looked up.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) url: Url<String>,
    /// The file that it names, if a relative link does: it is looked up and not opened.
    pub(super) file: Option<PathBuf>,
}

impl Links {
    /// The target of a URL that is opened, if it is there in any spelling.
    pub(super) fn opened(&self, url: &Url<String>) -> Option<&Target> {
        let name = name(url, false);
        self.number(url, &name, self.hasher.hash_one(&name)).map(|number| &self.targets[number])
    }

    /// The number of a URL with this name.
    fn number(&self, url: &Url<String>, name: &Name, hash: u64) -> Option<usize> {
        let is_it = |Number { number, .. }: &Number| {
            let known = &self.targets[*number].wanted;
            let is_file = known.file.is_some();
            // Most are written alike.
            is_file == name.is_file && known.url.as_str() == url.as_str() || self::name(&known.url, is_file) == *name
        };
        self.numbers.find(hash, is_it).map(|known| known.number)
    }

    /// Adds a link to the targets, unless its URL is there in any spelling. `from`: the URL of its text.
    pub(super) fn add(&mut self, draft: Draft, from: Option<&Arc<Url<String>>>) -> Place {
        let Draft { mut place, is_sitemap } = draft;
        let To::New(wanted) = place.to else { return place };
        let name = name(&wanted.url, wanted.file.is_some());
        let hash = self.hasher.hash_one(&name);
        let (number, wanted) = match self.number(&wanted.url, &name, hash) {
            Some(number) => {
                let known = &self.targets[number].wanted;
                let is_alike = known.url.as_str() == wanted.url.as_str();
                (number, if is_alike { Arc::clone(known) } else { wanted })
            }
            None => {
                let number = self.targets.len();
                self.targets.push(Target {
                    wanted: Arc::clone(&wanted),
                    from: from.cloned(),
                    fragments: BTreeSet::new(),
                    is_asked: false,
                    asked_fragments: 0,
                    follow: None,
                    is_read: false,
                    is_sitemap: false,
                    is_narrow: false,
                    proof: None,
                });
                self.numbers.insert_unique(hash, Number { hash, number }, |known| known.hash);
                (number, wanted)
            }
        };
        let target = &mut self.targets[number];
        target.is_sitemap |= is_sitemap;
        if let Some(fragment) = place.fragment.as_deref().filter(|fragment| !fragment.is_empty()) {
            target.fragments.insert(fragment.to_owned());
        }
        place.to = To::Target(number, wanted);
        place
    }

    /// Adds a text, if it has links or comments. The links come in parts.
    pub(super) fn add_text(
        &mut self,
        origin: Origin,
        is_decoded: bool,
        places: Vec<Box<[Place]>>,
        comments: Vec<Comments>,
    ) {
        if places.iter().any(|part| !part.is_empty()) || !comments.is_empty() {
            self.texts.push(Text { origin, is_decoded, places, comments });
        }
    }

    /// Orders the texts from `text` on by their origin, and the targets from `first` on as those texts name them: threads added
    /// them in any order. `from` says what the URL of a text is.
    pub(super) fn order(&mut self, text: usize, first: usize, from: impl Fn(&Origin) -> Option<Arc<Url<String>>>) {
        self.texts[text..].sort_by(|a, b| a.origin.cmp(&b.origin));
        let mut numbers: Vec<Option<usize>> = vec![None; self.targets.len() - first];
        let mut next = first;
        for Text { origin, places, .. } in &mut self.texts[text..] {
            let mut of_text = None;
            for place in places.iter_mut().flatten() {
                let To::Target(number, wanted) = &mut place.to else { continue };
                let Some(index) = number.checked_sub(first) else { continue };
                let target = &mut self.targets[*number];
                *number = *numbers[index].get_or_insert_with(|| {
                    target.wanted = Arc::clone(wanted);
                    target.from.clone_from(of_text.get_or_insert_with(|| from(origin)));
                    next += 1;
                    next - 1
                });
            }
        }
        for known in &mut self.numbers {
            let new = known.number.checked_sub(first).and_then(|index| numbers[index]);
            known.number = new.unwrap_or(known.number);
        }
        for index in 0..numbers.len() {
            while let Some(number) = numbers[index].filter(|number| *number != first + index) {
                self.targets.swap(first + index, number);
                numbers.swap(index, number - first);
            }
        }
    }

    /// Forgets where links stand in files, which are read again after they were rewritten.
    pub(super) fn forget_files(&mut self) {
        self.texts.retain(|text| !matches!(text.origin, Origin::File(_)));
    }

    /// Of a new URL it is known what was found out when the old one was followed to it.
    pub(super) fn learn_moves(&mut self) {
        let moved = self.targets.iter().filter_map(|target| {
            let proof = target.proof.as_ref()?;
            Some((name(proof.more().moved_to.as_ref()?, false), proof.clone()))
        });
        let moved: HashMap<_, _> = moved.collect();
        for target in self.targets.iter_mut().filter(|target| target.proof.is_none() && target.wanted.file.is_none()) {
            let known = moved.get(&name(&target.wanted.url, false)).cloned();
            target.proof = known.map(|proof: Box<Proof>| {
                let more = More { absent: proof.more().absent.clone(), ..More::default() };
                Box::new(Proof { status: proof.status, elapsed: proof.elapsed, ..Proof::alive().with(more) })
            });
        }
    }

    /// Whether servers were asked in this run, and none was reached. `asks_mail`: the domains of mail addresses were asked about.
    pub(super) fn reached_no_server(&self, asks_mail: bool) -> bool {
        let has_server = |target: &&Target| match target.wanted.url.scheme().base() {
            Scheme::File => false,
            Scheme::Mailto => asks_mail,
            _ => true,
        };
        // What is in the cache took no time.
        let is_asked =
            |proof: &&Proof| proof.elapsed.is_some() && !matches!(proof.verdict, Verdict::Refused | Verdict::Skipped);
        let proofs = self.targets.iter().filter(has_server).filter_map(|target| target.proof.as_deref());
        let mut asked = proofs.filter(is_asked).peekable();
        asked.peek().is_some() && asked.all(Proof::is_without_server)
    }

    /// What is known about the link at a place; `None` if it has not been asked.
    pub(super) fn proof<'p>(&'p self, place: &'p Place) -> Option<Cow<'p, Proof>> {
        match &place.to {
            To::Known(proof) => Some(Cow::Borrowed(proof)),
            To::Target(number, _) => Some(self.targets[*number].proof.as_ref()?.at(place.fragment.as_deref())),
            To::New(_) => None,
        }
    }
}

impl Text {
    pub(super) fn places(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().flatten()
    }
}

impl Place {
    /// Its URL; `None` if the link cannot be resolved or has a scheme that `find` does not know.
    pub(super) fn url(&self) -> Option<&str> {
        let opened = match &self.to {
            To::New(wanted) | To::Target(_, wanted) => Some(wanted.url.as_str()),
            To::Known(_) => None,
        };
        self.extra.as_ref().and_then(|extra| extra.other_url.as_deref()).or(opened)
    }

    /// The link as it is written.
    pub(super) fn written(&self) -> &str {
        self.unlike.as_deref().or(self.url()).unwrap_or_default()
    }

    /// Where it ends.
    pub(super) fn end(&self) -> Position {
        let end = self.extra.as_ref().and_then(|extra| extra.end);
        end.unwrap_or_else(|| self.start.after(self.written().as_bytes()))
    }

    pub(super) fn findings(&self) -> &[Found] {
        self.extra.as_ref().map_or(&[], |extra| &extra.findings)
    }

    pub(super) fn reports(&self) -> &[u8] {
        self.extra.as_ref().map_or(&[], |extra| &extra.reports)
    }

    pub(super) fn comments(&self) -> Option<&(Arc<Suppressions>, usize)> {
        self.extra.as_ref()?.comments.as_ref()
    }
}

/// The name of a target: all URLs with the same name are one.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Name {
    normal: String,
    /// A file that a relative link names is looked up, and one that a file URL names is opened.
    is_file: bool,
}

fn name(url: &Url<String>, is_file: bool) -> Name {
    let mut normal = String::new();
    url.normalize_into(NormalForm::Scheme, &mut normal);
    Name { normal, is_file }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn url(text: &str) -> Url<String> {
        Url::parse(text).unwrap().to_owned()
    }

    fn draft(text: &str) -> Draft {
        let to = To::New(Arc::new(Wanted { url: url(text), file: None }));
        let place = Place { start: Position::START, unlike: None, fragment: Some("x".into()), to, extra: None };
        Draft { place, is_sitemap: false }
    }

    fn file(name: &str) -> Origin {
        Origin::File(Some(name.into()))
    }

    #[test]
    fn targets_are_numbered_as_the_texts_name_them_in_whatever_order_they_are_added() {
        // Of two files, in the order of their names.
        let texts = [["http://h/1", "http://h/3", "http://h/0"], ["http://h/2", "HTTP://h/1", "http://h/3"]];
        let from = |origin: &Origin| match origin {
            Origin::File(Some(path)) if path == Path::new("a") => Some(Arc::new(url("file:///a"))),
            _ => Some(Arc::new(url("file:///b"))),
        };
        for added in [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [1, 0, 1, 0, 1, 0], [1, 1, 0, 0, 1, 0]] {
            let mut links = Links::default();
            let argument = links.add(draft("http://h/0"), None);
            links.add_text(Origin::Arguments, false, vec![[argument].into()], Vec::new());
            let mut places: [Vec<Box<[Place]>>; 2] = Default::default();
            for text in added {
                let next = draft(texts[text][places[text].len()]);
                places[text].push([links.add(next, None)].into());
            }
            let [a, b] = places;
            links.add_text(file("b"), false, b, Vec::new());
            links.add_text(file("a"), false, a, Vec::new());
            links.order(1, 1, from);

            let targets: Vec<_> = links.targets.iter().map(|target| target.wanted.url.as_str()).collect();
            assert_eq!(targets, ["http://h/0", "http://h/1", "http://h/3", "http://h/2"], "{added:?}");
            let froms: Vec<_> =
                links.targets.iter().map(|target| target.from.as_ref().map(|from| from.as_str())).collect();
            assert_eq!(froms, [None, Some("file:///a"), Some("file:///a"), Some("file:///b")], "{added:?}");
            assert!(links.texts.iter().map(|text| &text.origin).eq([&Origin::Arguments, &file("a"), &file("b")]));
            for (text, urls) in links.texts[1..].iter().zip(texts) {
                for (place, written) in text.places().zip(urls) {
                    let To::Target(number, _) = place.to else { panic!("{place:?}") };
                    assert_eq!(place.url(), Some(written));
                    assert_eq!(name(&links.targets[number].wanted.url, false), name(&url(written), false), "{added:?}");
                    assert!(links.targets[number].fragments.contains("x"));
                    let opened = links.opened(&url(written)).unwrap();
                    assert!(std::ptr::eq(opened, &links.targets[number]), "{added:?}");
                }
            }
        }
    }

    #[test]
    fn a_file_to_look_up_is_not_the_same_as_its_url() {
        let mut links = Links::default();
        let mut beside = draft("file:///a");
        beside.place.to = To::New(Arc::new(Wanted { url: url("file:///a"), file: Some("/a".into()) }));
        links.add(beside, None);
        assert!(links.opened(&url("file:///a")).is_none());
        links.add(draft("file:///a"), None);
        links.add(draft("FILE:///a"), None);
        assert_eq!(links.targets.len(), 2);
        assert!(links.opened(&url("file:///a")).is_some_and(|target| target.wanted.file.is_none()));
    }
}
