//! Any octets as ignore files of folders within one another, some of them repositories: each has the patterns of its lines, or one line too many.
//! Lines do not know of one another: the last one that matches decides, and a wrong one is named by its number and not quoted. How lines
//! end and what stands between them decides nothing, nor does the order in which entries are asked about. The strongest kind of file
//! decides that says anything, and of its files the nearest. What is added for one path decides about that alone; an entry whose folder is
//! left out is not read, whatever is said of it.
//!
//! The input is: what is tried and where the repositories are, then texts with NULs between: the paths, one a line, folders with `/` at their
//! end; files, each with an octet before it that says which it is and in which folder.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use urlwise_formats::ignored::{Decision, InForce, Patterns, Refused, Why, Wrong, git_folder};

/// The walk begins in the second.
const FOLDERS: [&str; 4] = ["/", "/r", "/r/a", "/r/a/b"];
/// The strongest first; the last is the repository's own.
const NAMES: [Option<&str>; 4] = [Some(".rgignore"), Some(".ignore"), Some(".gitignore"), None];
/// As the reader has them.
const MOST_PATTERNS: usize = 2_000;
const MOST_BRACES: usize = 64;
/// No reason is longer, in octets.
const LONGEST_REASON: usize = 120;
/// The most paths, folders in a path, files, and lines that are read one by one.
const MOST_PATHS: usize = 12;
const DEEPEST: usize = 5;
const MOST_FILES: usize = 3;
const MOST_LINES: usize = 12;

type Files = BTreeMap<(PathBuf, usize), Vec<u8>>;

/// An entry of the tree: its path, and whether it is a folder.
type Entry = (PathBuf, bool);

fn entries(text: &[u8]) -> Vec<Entry> {
    let text = String::from_utf8_lossy(text);
    let entries = text.split('\n').filter_map(|line| {
        let names = Path::new(line).components().filter(|name| matches!(name, Component::Normal(_)));
        let path = Path::new(FOLDERS[1]).join(names.take(DEEPEST).collect::<PathBuf>());
        (path != Path::new(FOLDERS[1])).then(|| (path, line.ends_with('/')))
    });
    entries.take(MOST_PATHS).collect()
}

fn without_mark(octets: &[u8]) -> &[u8] {
    octets.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(octets)
}

/// The lines that may be patterns, with their numbers.
fn lines(octets: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let lines = without_mark(octets).split(|octet| *octet == b'\n').zip(1..);
    let lines = lines.filter(|(line, _)| line.first() != Some(&b'#') && !line.iter().all(u8::is_ascii_whitespace));
    lines.map(|(line, number)| (number, line))
}

fn parse(octets: &[u8], folder: &Path) -> Result<(Patterns, Option<Wrong>), Refused> {
    Patterns::parse(octets, folder, usize::MAX)
}

/// Only what has too many lines is refused.
fn check_file(octets: &[u8], folder: &Path) -> Patterns {
    let count = lines(octets).count();
    let (patterns, wrong) = match parse(octets, folder) {
        Ok(read) => read,
        Err(refused) => {
            assert_eq!(refused, Refused::TooMany(MOST_PATTERNS));
            assert!(count > MOST_PATTERNS);
            return Patterns::none();
        }
    };
    assert!(count <= MOST_PATTERNS);
    if let Some(few) = count.checked_sub(1) {
        assert_eq!(Patterns::parse(octets, folder, few).expect_err("it has one more"), Refused::TooMany(few));
    }
    let left_out = wrong.as_ref().map_or(0, |wrong| wrong.more + 1);
    // Whether a line of other blanks than those of US-ASCII is a pattern is for the crate `ignore` to say.
    let is_blank = |line: &[u8]| str::from_utf8(line).is_ok_and(|line| line.trim_end().is_empty());
    let blank = lines(octets).filter(|(_, line)| is_blank(line)).count();
    assert!((count - blank..=count).contains(&(patterns.len() + left_out)), "{patterns:?} {wrong:?}");
    if let Some(Wrong { line: at, why, .. }) = wrong {
        let (_, line) = lines(octets).find(|(number, _)| *number == at).expect("a line that is there");
        let text = str::from_utf8(line);
        match why {
            Why::NotUtf8 => assert!(text.is_err()),
            Why::TooManyBraces(most) => {
                assert_eq!(most, MOST_BRACES);
                assert!(text.expect("it is UTF-8").matches('{').count() > most);
            }
            Why::Pattern(why) => assert!(text.is_ok() && why.len() < LONGEST_REASON, "{why}"),
        }
    }
    patterns
}

fn decisions(patterns: &Patterns, entries: &[Entry]) -> Vec<Option<Decision>> {
    entries.iter().map(|(path, is_dir)| patterns.decide(path, *is_dir)).collect()
}

/// What stands between the patterns, and how lines end, changes nothing but the number of a line.
fn check_arrival(octets: &[u8], folder: &Path, entries: &[Entry]) {
    let Ok((patterns, wrong)) = parse(octets, folder) else { return };
    let octets = without_mark(octets);
    let same = |text: &[u8], place: fn(usize) -> usize| {
        let (others, moved) = parse(text, folder).expect("it has as many patterns");
        assert_eq!(decisions(&others, entries), decisions(&patterns, entries), "{text:?}");
        let wrong = wrong.clone().map(|wrong| Wrong { line: place(wrong.line), ..wrong });
        assert_eq!(moved, wrong, "{text:?}");
    };
    // Only a mark at the very start is not part of the text.
    let mark = &b"\xEF\xBB\xBF"[..];
    same(&[mark, octets].concat(), |line| line);
    let lines: Vec<_> = octets.split(|octet| *octet == b'\n').collect();
    // A blank before CR is at the end of the line in the one file, and not in the other.
    if lines.iter().all(|line| line.last() != Some(&b'\r')) {
        same(&[mark, &lines.join(&b"\r\n"[..])].concat(), |line| line);
    }
    same(&[b"# {\n", &lines.join(&b"\n \t\n"[..])[..], b"\n"].concat(), |line| line * 2);
}

/// A file decides as the last of its lines does that decides alone.
fn check_lines(octets: &[u8], folder: &Path, entries: &[Entry]) {
    let Ok((patterns, wrong)) = parse(octets, folder) else { return };
    if lines(octets).count() > MOST_LINES {
        return;
    }
    // Not the first line, where there may be a mark.
    let alone = |line: &[u8]| parse(&[b"\n", line].concat(), folder).expect("it is one line");
    let read: Vec<_> = lines(octets).map(|(number, line)| (number, alone(line))).collect();
    let mut wrong_alone = read.iter().filter_map(|(number, (_, wrong))| wrong.clone().map(|wrong| (*number, wrong)));
    let first = wrong_alone.next().map(|(line, wrong)| Wrong { line, more: wrong_alone.count(), ..wrong });
    assert_eq!(wrong, first);
    for (path, is_dir) in entries {
        let last = read.iter().rev().find_map(|(_, (pattern, _))| pattern.decide(path, *is_dir));
        assert_eq!(patterns.decide(path, *is_dir), last, "{path:?}");
    }
}

/// A pattern that matches a path of the folder alone, unless it has too many braces, or its last character is a blank that cannot be escaped.
fn literal(path: &Path, folder: &Path) -> Option<String> {
    let path = path.strip_prefix(folder).ok()?.to_str()?;
    let last = path.chars().next_back()?;
    let mut pattern: String = path.chars().fold(String::from("/"), |mut pattern, c| {
        if !c.is_alphanumeric() && c != '/' {
            pattern.push('\\');
        }
        pattern.push(c);
        pattern
    });
    if last.is_whitespace() && last != ' ' {
        pattern.truncate(pattern.len() - last.len_utf8() - 1);
        pattern.push_str(&format!("[{last}]"));
    }
    let is_possible = (last.is_ascii() || !last.is_whitespace()) && path.matches('{').count() <= MOST_BRACES;
    is_possible.then_some(pattern)
}

/// The file with a pattern more, if there is room for it.
fn with_pattern(octets: &[u8], pattern: &str) -> Option<Vec<u8>> {
    (lines(octets).count() < MOST_PATTERNS).then(|| [octets, b"\n", pattern.as_bytes()].concat())
}

/// The last pattern decides about the path that it names, and about no other in the folder. Nobody asks a file about what is not in its
/// folder: to the crate `ignore` `/a/bc` is in `/a/b`.
fn check_added(octets: &[u8], folder: &Path, entries: &[Entry], decision: Decision) {
    let sign = if decision == Decision::Keep { "!" } else { "" };
    for (path, is_dir) in entries.iter().take(1) {
        let Some(pattern) = literal(path, folder) else { continue };
        let Some(more) = with_pattern(octets, &format!("{sign}{pattern}")) else { return };
        let (before, after) = (check_file(octets, folder), check_file(&more, folder));
        assert_eq!(after.decide(path, *is_dir), Some(decision), "{sign}{pattern:?}");
        for (other, is_dir) in entries.iter().filter(|(other, _)| other != path && other.starts_with(folder)) {
            assert_eq!(after.decide(other, *is_dir), before.decide(other, *is_dir), "{sign}{pattern:?} {other:?}");
        }
    }
}

/// The folders with what is read of their files.
struct Tree {
    read: BTreeMap<(PathBuf, usize), Patterns>,
    repositories: Vec<&'static Path>,
}

impl Tree {
    fn new(files: &Files, repositories: &[&'static Path]) -> Tree {
        let read = files.iter().map(|((folder, kind), octets)| ((folder.clone(), *kind), check_file(octets, folder)));
        Tree { read: read.collect(), repositories: repositories.to_vec() }
    }

    fn enter(&self, in_force: &mut InForce, folder: &Path) {
        let has_git = |folder: &Path| self.repositories.contains(&folder);
        in_force.enter(folder, has_git, |folder, name, most| {
            assert!(name.is_some() || has_git(folder), "it has no such file");
            let kind = NAMES.iter().position(|known| *known == name).expect("it is a name");
            let patterns = self.read.get(&(folder.to_owned(), kind)).filter(|patterns| patterns.len() <= most);
            patterns.cloned().unwrap_or_else(Patterns::none)
        });
    }

    fn decide(&self, in_force: &mut InForce, path: &Path, is_dir: bool) -> Option<Decision> {
        self.enter(in_force, path.parent().expect("it is in a folder"));
        in_force.decide(path, is_dir, || Self::own(path))
    }

    /// The user's own patterns.
    fn own(path: &Path) -> Option<Decision> {
        path.ends_with("own").then_some(Decision::Skip)
    }

    /// The same by all files one after the other.
    fn expected(&self, path: &Path, is_dir: bool) -> Option<Decision> {
        let above: Vec<_> = path.ancestors().skip(1).collect();
        let repository = above.iter().position(|folder| self.repositories.contains(folder));
        let of = |kind: usize, folders: &[&Path]| {
            let mut files = folders.iter().filter_map(|folder| self.read.get(&((*folder).to_owned(), kind)));
            files.find_map(|patterns| patterns.decide(path, is_dir))
        };
        let always = (0..2).find_map(|kind| of(kind, &above));
        always.or_else(|| {
            let top = repository?;
            of(2, &above[..=top]).or_else(|| of(3, &above[top..=top])).or_else(|| Self::own(path))
        })
    }

    /// Whether a walk comes to an entry and reads it.
    fn reads(&self, path: &Path, is_dir: bool) -> bool {
        self.comes_to(path) && self.expected(path, is_dir) != Some(Decision::Skip)
    }

    fn comes_to(&self, path: &Path) -> bool {
        let mut folders = path.ancestors().skip(1).take_while(|folder| *folder != Path::new(FOLDERS[1]));
        folders.all(|folder| self.expected(folder, true) != Some(Decision::Skip))
    }
}

fn check_tree(tree: &Tree, entries: &[Entry]) {
    let mut in_force = InForce::default();
    let mut ask = |(path, is_dir): &Entry| tree.decide(&mut in_force, path, *is_dir);
    let forth: Vec<_> = entries.iter().map(&mut ask).collect();
    let mut back: Vec<_> = entries.iter().rev().map(&mut ask).collect();
    back.reverse();
    assert_eq!(forth, back);
    for ((path, is_dir), decision) in entries.iter().zip(forth) {
        assert_eq!(decision, tree.expected(path, *is_dir), "{path:?}");
    }
}

/// A file beside an entry restores it, unless its folder is left out.
fn check_restored(files: &Files, tree: &Tree, entries: &[Entry]) {
    let Some((path, is_dir)) = entries.first() else { return };
    let folder = path.parent().expect("it is in a folder");
    let mut files = files.clone();
    let strongest = files.entry((folder.to_owned(), 0)).or_default();
    let Some(more) = literal(path, folder).and_then(|pattern| with_pattern(strongest, &format!("!{pattern}"))) else {
        return;
    };
    // What is too long on its own is not used, and hides nothing.
    *strongest = more;
    let after = Tree::new(&files, &tree.repositories);
    assert_eq!(after.decide(&mut InForce::default(), path, *is_dir), Some(Decision::Keep));
    assert_eq!(after.reads(path, *is_dir), tree.comes_to(path), "{path:?}");
}

fn check_git_folder(octets: &[u8]) {
    let named = git_folder(octets);
    assert_eq!(named.is_some(), str::from_utf8(octets).is_ok_and(|text| !text.is_empty()));
    if let Some(path) = named {
        let path = path.to_str().expect("it is text");
        assert!(!path.contains('\n') && path.trim_end() == path);
        assert_eq!(git_folder(&[b"gitdir: ", path.as_bytes(), b"\nmore"].concat()), Some(path.into()));
    }
}

pub(crate) fn run(input: &[u8]) {
    let [flags, texts @ ..] = input else { return };
    let mut texts = texts.split(|octet| *octet == 0);
    let entries = entries(texts.next().unwrap_or_default());
    let mut files = Files::new();
    for text in texts.take(MOST_FILES) {
        let [place, octets @ ..] = text else { continue };
        let folder = FOLDERS[usize::from(place >> 2 & 3)];
        files.insert((folder.into(), usize::from(place & 3)), octets.to_vec());
    }
    let is_repository = |at: usize| flags >> (3 + at) & 1 == 1;
    let repositories: Vec<_> =
        (0..FOLDERS.len()).filter(|at| is_repository(*at)).map(|at| Path::new(FOLDERS[at])).collect();
    let tree = Tree::new(&files, &repositories);
    check_tree(&tree, &entries);
    let Some(((folder, _), octets)) = files.first_key_value() else { return };
    match flags & 7 {
        0 | 1 => check_arrival(octets, folder, &entries),
        2 | 3 => check_lines(octets, folder, &entries),
        4 => check_added(octets, folder, &entries, Decision::Keep),
        5 => check_added(octets, folder, &entries, Decision::Skip),
        6 => check_git_folder(octets),
        _ => check_restored(&files, &tree, &entries),
    }
}
